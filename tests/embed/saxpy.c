/* saxpy.c: a program of its own that uses ptxscope through its public header alone: a test of a kernel that
 * needs no GPU, then the same kernel step by step.
 *
 *	cc -I core/api tests/embed/saxpy.c build/native/libptxscope.a -lm */
#include "ptxscope.h"

#include <stdio.h>
#include <string.h>

static const char ptx[] = ".version 7.0\n"
			  ".target sm_70\n"
			  ".address_size 64\n"
			  ".visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)\n"
			  "{\n"
			  "	.reg .pred %p; .reg .f32 %f<4>; .reg .b32 %r<5>; .reg .b64 %rd<6>;\n"
			  "	mov.u32 %r1, %ctaid.x;\n"
			  "	mov.u32 %r2, %ntid.x;\n"
			  "	mov.u32 %r3, %tid.x;\n"
			  "	mad.lo.s32 %r1, %r1, %r2, %r3;\n"
			  "	ld.param.u32 %r4, [n];\n"
			  "	setp.ge.u32 %p, %r1, %r4;\n"
			  "	@%p bra DONE;\n"
			  "	ld.param.u64 %rd1, [x];\n"
			  "	ld.param.u64 %rd2, [y];\n"
			  "	mul.wide.u32 %rd3, %r1, 4;\n"
			  "	add.s64 %rd4, %rd1, %rd3;\n"
			  "	add.s64 %rd5, %rd2, %rd3;\n"
			  "	ld.global.f32 %f1, [%rd4];\n"
			  "	ld.global.f32 %f2, [%rd5];\n"
			  "	ld.param.f32 %f3, [a];\n"
			  "	fma.rn.f32 %f2, %f1, %f3, %f2;\n"
			  "	st.global.f32 [%rd5], %f2;\n"
			  "DONE:\n"
			  "	ret;\n"
			  "}\n";

enum { N = 100, STORE = 23 /* its line in the text */ };

static int failed(PsEmulator *e, const char *what)
{
	fprintf(stderr, "%s: %s\n", what, ps_emulator_messages(e));
	ps_emulator_free(e);
	return 1;
}

/* Stops in front of the first store and shows what a few lanes are about to write. */
static void look(PsEmulator *e)
{
	const uint32_t line = STORE;
	const PsGoal   store = {.size = sizeof store, .kind = PS_TO_LINES, .lines = &line, .n_lines = 1};
	PsPlace        at;
	PsRegister     r;
	ps_emulator_aim(e, &store);
	while (ps_emulator_step(e, 10) == PS_RUN_UNDONE)
		; /* a program with a window would show its progress here */
	if (!ps_emulator_place(e, &at))
		return;
	printf("block %u, warp %u, line %u, lanes %08x\n", at.block, at.warp, at.line, at.mask);
	for (uint32_t i = 0; ps_emulator_register(e, &at, i, &r); i++) {
		if (strcmp(r.name, "%f2") != 0)
			continue;
		for (int lane = 0; lane < 4; lane++) {
			float    f;
			uint32_t bits = (uint32_t)r.low[lane];
			memcpy(&f, &bits, sizeof f);
			printf("%s in lane %d: %g\n", r.name, lane, f);
		}
	}
}

int main(void)
{
	uint32_t n = N;
	float    a = 2.5f, x[N], y[N];
	for (int i = 0; i < N; i++)
		x[i] = (float)i, y[i] = 1;

	PsEmulator *e = ps_emulator_new(0);
	if (ps_emulator_load(e, "saxpy.ptx", ptx, sizeof ptx - 1, 0, NULL) != PS_STATUS_DONE)
		return failed(e, "load");
	ps_emulator_buffer(e, "x", x, sizeof x);
	ps_emulator_buffer(e, "y", y, sizeof y);

	const PsArg    args[] = {ps_value(&n, sizeof n), ps_value(&a, sizeof a), ps_pointer("x", 0), ps_pointer("y", 0)};
	const PsLaunch launch = {
		.size = sizeof launch, .kernel = "saxpy", .grid = {4, 1, 1}, .block = {32, 1, 1}, .args = args, .n_args = 4};
	if (ps_emulator_launch(e, &launch, 0, NULL) != PS_STATUS_DONE)
		return failed(e, "launch");
	look(e);
	if (ps_emulator_run(e) != PS_RUN_DONE)
		return failed(e, "run");

	ps_emulator_read(e, "y", 0, y, sizeof y);
	for (int i = 0; i < N; i++)
		if (y[i] != a * (float)i + 1)
			return failed(e, "wrong result");
	printf("%d results are right, %llu warp instructions\n", N, (unsigned long long)ps_emulator_steps(e));
	ps_emulator_free(e);
	return 0;
}
