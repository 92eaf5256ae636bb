// A surface is read and written in place: x counts bytes.
extern "C" __global__ void surface_invert(cudaSurfaceObject_t picture, int w) {
	int x = threadIdx.x, y = threadIdx.y;
	unsigned v = surf2Dread<unsigned>(picture, x * (int)sizeof(unsigned), y);
	__syncthreads();
	surf2Dwrite(~v, picture, (w - 1 - x) * (int)sizeof(unsigned), y);
}
