/* Fatbinaries: which entry is taken, and what broken ones give. With arguments: files, each with a kernel 'scale'. */
#include "test.h"

enum { PTX = 1, ELF = 2, LZ4 = 0x2000, ZSTD = 0x8000 };

static unsigned char image[1 << 14];
static size_t        used;

static void put(size_t at, uint64_t v, size_t n) { memcpy(image + at, &v, n); }

static void start(void)
{
	memset(image, 0, sizeof image);
	put(0, 0xba55ed50, 4);
	put(4, 1, 2);
	put(6, 16, 2);
	used = 16;
}

static void entry(int kind, unsigned arch, unsigned flags, const void *bytes, size_t n, size_t plain)
{
	put(used, (uint64_t)kind, 2);
	put(used + 4, 64, 4);
	put(used + 8, n, 8);
	put(used + 16, n, 4);
	put(used + 28, arch, 4);
	put(used + 40, flags, 8);
	put(used + 56, plain, 8);
	memcpy(image + used + 64, bytes, n);
	used += 64 + n;
	put(8, used - 16, 8);
}

static const char kernel[] = HEAD ".visible .entry %s() { ret; }\n";
static char       text[200];

static const char *ptx(const char *name)
{
	snprintf(text, sizeof text, kernel, name);
	return text;
}

static void has(const void *what, const char *name)
{
	CUmodule   m;
	CUfunction f;
	OK(cuModuleLoadData(&m, what));
	OK(cuModuleGetFunction(&f, m, name));
	OK(cuModuleUnload(m));
}

static void file(const char *path)
{
	CUmodule    m;
	CUfunction  f;
	CUdeviceptr p;
	float       x[4] = {1, 2, 3, 4}, two = 2;
	void       *params[] = {&p, &two};
	OK(cuModuleLoad(&m, path));
	OK(cuModuleGetFunction(&f, m, "scale"));
	OK(cuMemAlloc_v2(&p, sizeof x));
	OK(cuMemcpyHtoD_v2(p, x, sizeof x));
	OK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, NULL, params, NULL));
	OK(cuMemcpyDtoH_v2(x, p, sizeof x));
	TRUE(x[0] == 2 && x[3] == 8);
	OK(cuModuleUnload(m));
}

int main(int argc, char **argv)
{
	CUmodule m;
	begin();
	start();
	entry(ELF, 90, 0, "\177ELF", 4, 0);
	GIVES(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&m, image));
	entry(PTX, 100, 0, ptx("newer"), strlen(text) + 1, 0);
	GIVES(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&m, image));
	entry(PTX, 70, 0, ptx("older"), strlen(text), 0);
	has(image, "older");
	entry(PTX, 80, 0, ptx("best"), strlen(text) + 1, 0);
	entry(PTX, 75, 0, ptx("between"), strlen(text) + 1, 0);
	has(image, "best");
	struct {
		int   magic, version;
		void *data, *file;
	} wrapper = {0x466243b1, 1, image, NULL};
	has(&wrapper, "best");

	/* LZ4: 15 + n literals, and a copy of the last 4 blanks. */
	unsigned char block[300];
	size_t        n = strlen(ptx("packed")), at = 0;
	block[at++] = 0xf0;
	block[at++] = (unsigned char)(n - 15);
	memcpy(block + at, text, n);
	at += n;
	start();
	entry(PTX, 70, LZ4, block, at, n);
	has(image, "packed");
	start();
	entry(PTX, 70, LZ4, block, at - 1, n);
	GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, image));
	start();
	entry(PTX, 70, ZSTD, block, at, n);
	GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, image));
	start();
	entry(PTX, 70, 0, text, n, 0);
	put(16 + 8, 1 << 20, 8); /* larger than the image */
	GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, image));
	put(16 + 4, 8, 4); /* a header that is too small */
	GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, image));
	for (int i = 1; i < argc; i++)
		file(argv[i]);
	puts("done");
	return 0;
}
