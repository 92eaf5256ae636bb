// A picture turned by a matrix, read through a texture that clamps at its borders.
extern "C" __global__ void texture_rotate(cudaTextureObject_t picture, float *out, int w, float c, float s) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float u = x - w / 2, v = y - w / 2;
	out[y * w + x] = tex2D<float>(picture, c * u - s * v + w / 2 + 0.5f, s * u + c * v + w / 2 + 0.5f);
}
