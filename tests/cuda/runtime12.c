/* The runtime of CUDA 12, as a program that CUDA 12's nvcc built calls it: its names, and its structures where they are not CUDA 13's. */
#include "true.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As CUDA 12's documentation has it; numbers are offsets. */
enum { PROPERTIES = 1032, TOTAL_MEMORY = 288, WARP_SIZE = 308, CLOCK_RATE = 348, MAJOR = 360, MULTIPROCESSORS = 388 };

int cudaGetDeviceProperties_v2(void *out, int device);
int cudaRuntimeGetVersion(int *out);
int cudaMallocManaged(void **out, size_t size, unsigned flags);
int cudaMalloc(void **out, size_t size);
int cudaFree(void *p);
int cudaMemcpy(void *to, const void *from, size_t size, int kind);
int cudaMemPrefetchAsync(const void *p, size_t size, int device, void *stream);
int cudaMemAdvise(const void *p, size_t size, int advice, int device);
typedef struct Location {
	int type, id;
} Location;
int cudaMemPrefetchAsync_v2(const void *p, size_t size, Location where, unsigned flags, void *stream);
int cudaGraphCreate(void **out, unsigned flags);
int cudaGraphAddEmptyNode(void **out, void *g, void *const *after, size_t n);
int cudaGraphAddDependencies(void *g, void *const *from, void *const *to, size_t n);
int cudaGraphGetEdges(void *g, void **from, void **to, size_t *n);
int cudaGraphGetEdges_v2(void *g, void **from, void **to, void *data, size_t *n);
int cudaGraphNodeGetDependencies(void *node, void **out, size_t *n);
int cudaGraphDestroy(void *g);
int cudaStreamCreate(void **out);
int cudaStreamBeginCapture(void *s, int mode);
int cudaStreamGetCaptureInfo_v2(void *s, int *status, unsigned long long *id, void **graph, void *const **after, size_t *n);
int cudaStreamEndCapture(void *s, void **graph);
int cudaThreadSynchronize(void);

typedef struct ResourceDesc {
	int type;
	union {
		void *array;
		struct {
			void  *p;
			int    channel[5];
			size_t size;
		} linear;
		struct {
			void  *p;
			int    channel[5];
			size_t width, height, pitch;
		} pitched;
	};
} ResourceDesc;
typedef struct TextureDesc {
	int   address[3], filter, mode, srgb;
	float border[4];
	int   rest[8];
} TextureDesc;
int cudaCreateTextureObject(unsigned long long *out, const ResourceDesc *from, const TextureDesc *how, const void *view);
int cudaGetTextureObjectResourceDesc(ResourceDesc *out, unsigned long long t);

#define GIVES(expected, call)                                                            \
	do {                                                                             \
		int result_ = (call);                                                    \
		if (result_ != (expected)) {                                             \
			printf("%s:%d: %s is %d\n", __FILE__, __LINE__, #call, result_); \
			exit(1);                                                         \
		}                                                                        \
	} while (0)
#define OK(call) GIVES(0, call)

static int word(const unsigned char *p, int at)
{
	int v;
	memcpy(&v, p + at, 4);
	return v;
}

static void properties(void)
{
	unsigned char p[PROPERTIES + 64];
	size_t        memory;
	memset(p, 0xab, sizeof p);
	OK(cudaGetDeviceProperties_v2(p, 0));
	memcpy(&memory, p + TOTAL_MEMORY, sizeof memory);
	TRUE(strstr((char *)p, "ptxscope") && memory >= 1 << 20 && word(p, WARP_SIZE) == 32 && word(p, CLOCK_RATE) > 0);
	TRUE(word(p, MAJOR) == 9 && word(p, MULTIPROCESSORS) == 8);
	for (int i = PROPERTIES; i < PROPERTIES + 64; i++)
		TRUE(p[i] == 0xab);
}

static void textures(void)
{
	struct {
		ResourceDesc d;
		char         behind[256];
	} from, back;
	TextureDesc        how = {.address = {1, 1, 1}};
	unsigned long long t;
	memset(&from, 0xff, sizeof from); /* what CUDA 13 reads as flags */
	memset(&back, 0x5a, sizeof back);
	from.d = (ResourceDesc){.type = 2, .linear = {.channel = {32, 0, 0, 0, 2}, .size = 256}};
	OK(cudaMalloc(&from.d.linear.p, 256));
	OK(cudaCreateTextureObject(&t, &from.d, &how, NULL));
	OK(cudaGetTextureObjectResourceDesc(&back.d, t));
	TRUE(back.d.type == 2 && back.d.linear.p == from.d.linear.p && back.d.linear.size == 256);
	for (size_t i = 0; i < sizeof back.behind; i++)
		TRUE(back.behind[i] == 0x5a);
	OK(cudaFree(from.d.linear.p));
}

static void graphs(void)
{
	void        *g, *a, *b, *from, *to, *s, *captured;
	void *const *after;
	size_t       n = 1;
	int          status;
	OK(cudaGraphCreate(&g, 0));
	OK(cudaGraphAddEmptyNode(&a, g, NULL, 0));
	OK(cudaGraphAddEmptyNode(&b, g, NULL, 0));
	OK(cudaGraphAddDependencies(g, &a, &b, 1));
	OK(cudaGraphGetEdges(g, &from, &to, &n));
	TRUE(n == 1 && from == a && to == b);
	OK(cudaGraphGetEdges_v2(g, NULL, NULL, NULL, &n));
	TRUE(n == 1);
	OK(cudaGraphNodeGetDependencies(b, &from, &n));
	TRUE(n == 1 && from == a);
	OK(cudaGraphDestroy(g));
	OK(cudaStreamCreate(&s));
	OK(cudaStreamBeginCapture(s, 0));
	OK(cudaStreamGetCaptureInfo_v2(s, &status, NULL, &g, &after, &n));
	TRUE(status == 1 && n == 0);
	OK(cudaStreamEndCapture(s, &captured));
	TRUE(captured == g);
}

int main(void)
{
	void *p;
	int   version;
	OK(cudaRuntimeGetVersion(&version));
	TRUE(version / 1000 == 12);
	properties();
	OK(cudaMallocManaged(&p, 64, 1));
	OK(cudaMemAdvise(p, 64, 3, -1));
	OK(cudaMemPrefetchAsync(p, 64, -1, NULL));
	GIVES(101, cudaMemPrefetchAsync(p, 64, 7, NULL));
	OK(cudaMemPrefetchAsync_v2(p, 64, (Location){1, 0}, 0, NULL));
	OK(cudaFree(p));
	textures();
	graphs();
	OK(cudaThreadSynchronize());
	puts("done");
	return 0;
}
