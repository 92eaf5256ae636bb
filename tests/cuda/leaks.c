/* What a kernel gets of malloc a later one may free; the sanitizer tells of the rest when the context ends. */
#include "test.h"

static const char text[] =
	HEAD ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
	     ".extern .func free(.param .b64 p);\n"
	     ".visible .entry get(.param .u64 a) {\n"
	     "	.reg .b64 %rd<5>; .reg .b32 %r1; ld.param.u64 %rd1, [a];\n"
	     "	mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 8; add.s64 %rd1, %rd1, %rd2; mov.u64 %rd3, 48;\n"
	     "	{ .param .b64 n; .param .b64 r; st.param.b64 [n], %rd3;\n"
	     "	call (r), malloc, (n);\n"
	     "	ld.param.b64 %rd4, [r]; }\n"
	     "	st.global.u64 [%rd1], %rd4; ret; }\n"
	     ".visible .entry give(.param .u64 a) {\n"
	     "	.reg .b64 %rd<4>; .reg .b32 %r1; ld.param.u64 %rd1, [a];\n"
	     "	mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 8; add.s64 %rd1, %rd1, %rd2; ld.global.u64 %rd3, [%rd1];\n"
	     "	{ .param .b64 p; st.param.b64 [p], %rd3; call free, (p); }\n"
	     "	ret; }\n";

/* Of 8 blocks some are freed by another kernel; with `destroyed` the context does not end with the process. */
static void leave(unsigned freed, int destroyed)
{
	CUcontext   c = begin();
	CUmodule    m;
	CUfunction  get = kernel_of(&m, text, "get"), give;
	CUdeviceptr p;
	void       *params[] = {&p};
	OK(cuModuleGetFunction(&give, m, "give"));
	OK(cuMemAlloc_v2(&p, 64));
	OK(cuLaunchKernel(get, 1, 1, 1, 8, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	OK(cuLaunchKernel(give, 1, 1, 1, freed, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	if (destroyed)
		OK(cuCtxDestroy_v2(c));
}

int main(void)
{
	leave(8, 1);
	leave(5, 1);
	leave(8, 0);
	leave(6, 0);
	puts("done");
	return 0;
}
