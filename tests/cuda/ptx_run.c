/* ptx_run: arguments are values; pointers point into the process. */
#include "test.h"

static const char axpy[] =
	HEAD ".visible .global .align 8 .u64 spare = 3;\n"
	     ".visible .entry axpy(.param .u64 y, .param .u64 x, .param .f32 a, .param .u8 n) {\n"
	     "	.reg .b64 %rd<6>; .reg .b32 %r<3>; .reg .f32 %f<5>; .reg .pred %p;\n"
	     "	ld.param.u64 %rd1, [y]; ld.param.u64 %rd2, [x]; ld.param.f32 %f1, [a]; ld.param.u8 %r1, [n];\n"
	     "	mov.u32 %r2, %tid.x; setp.ge.u32 %p, %r2, %r1; @%p ret;\n"
	     "	mul.wide.u32 %rd3, %r2, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;\n"
	     "	ld.global.f32 %f2, [%rd1]; ld.global.f32 %f3, [%rd2]; fma.rn.f32 %f4, %f3, %f1, %f2;\n"
	     "	st.global.f32 [%rd1], %f4; ret; }\n";

int main(void)
{
	enum { N = 100 };
	static const float constant[N] = {1};
	static float       before[N];
	float              on_stack[N];
	float             *on_heap = malloc(N * sizeof(float)), half = 0.5f;
	uint32_t           bits;
	memcpy(&bits, &half, 4);
	for (int i = 0; i < N; i++)
		on_heap[i] = (float)i, on_stack[i] = 2;
	void *args[] = {on_heap, on_stack, (void *)(uintptr_t)bits, (void *)N};
	ptx_run(axpy, 4, args, 128, 1, 1, 1, 1, 1, 0);
	for (int i = 0; i < N; i++)
		TRUE(on_heap[i] == (float)i + 1);
	/* Memory of the program that may only be read, and memory that no argument points to. */
	void *wrong[] = {(void *)(uintptr_t)constant, on_stack, (void *)(uintptr_t)bits, (void *)N};
	ptx_run(axpy, 4, wrong, 128, 1, 1, 1, 1, 1, 0);
	void *nowhere[] = {(void *)64, on_stack, (void *)(uintptr_t)bits, (void *)N};
	ptx_run(axpy, 4, nowhere, 128, 1, 1, 1, 1, 1, 0);
	void *statics[] = {before, (void *)(uintptr_t)constant, (void *)(uintptr_t)bits, (void *)N};
	ptx_run(axpy, 4, statics, 128, 1, 1, 1, 1, 1, 0);
	TRUE(before[0] == 0.5f && before[1] == 0 && constant[0] == 1);
	ptx_run(axpy, 3, args, 128, 1, 1, 1, 1, 1, 0);
	ptx_run("nonsense", 0, NULL, 1, 1, 1, 1, 1, 1, 0);
	ptx_run(HEAD, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
	ptx_run(axpy, 4, args, 2000, 1, 1, 1, 1, 1, 0);
	free(on_heap);
	puts("done");
	return 0;
}
