/* Host memory mode of the public header: kernels use the process's own memory, and only what is mapped of it. */
#include "unit.h"

#include "api/ptxscope.h"

#include "simt/code.h"

#include <string.h>

#define HOST_CONST (HOST_WINDOWS + CONST_WINDOW + 256)

static const char text[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .global .align 8 .u64 head = 7;\n"
	".visible .global .align 8 .u64 place = head;\n"
	".visible .const .align 4 .u32 factor = 3;\n"
	/* *p = *q; p and q are generic */
	".visible .entry copy(.param .u64 p, .param .u64 q) {\n"
	"	.reg .b64 %rd<4>;\n"
	"	ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q];\n"
	"	ld.u64 %rd3, [%rd2]; st.u64 [%rd1], %rd3; ret; }\n"
	/* a list: sum of the values times factor, into head */
	".visible .entry sum(.param .u64 list) {\n"
	"	.reg .b64 %rd<6>; .reg .pred %p; .reg .b32 %r;\n"
	"	ld.param.u64 %rd1, [list]; mov.u64 %rd2, 0;\n"
	"loop: ld.global.u64 %rd3, [%rd1]; add.u64 %rd2, %rd2, %rd3; ld.global.u64 %rd1, [%rd1+8];\n"
	"	setp.ne.u64 %p, %rd1, 0; @%p bra loop;\n"
	"	ld.const.u32 %r, [factor]; cvt.u64.u32 %rd4, %r; mul.lo.u64 %rd2, %rd2, %rd4; st.global.u64 [head], %rd2; ret; "
	"}\n"
	/* shared, local and constant memory by generic addresses; bits of isspacep */
	".visible .entry windows(.param .u64 p) {\n"
	"	.shared .align 8 .u64 s; .local .align 8 .u64 l; .reg .b64 %rd<9>; .reg .pred %p; .reg .b32 %r<9>;\n"
	"	ld.param.u64 %rd1, [p]; mov.u64 %rd2, s; cvta.shared.u64 %rd2, %rd2; mov.u64 %rd3, l; cvta.local.u64 %rd3, "
	"%rd3;\n"
	"	mov.u64 %rd4, factor; cvta.const.u64 %rd4, %rd4;\n"
	"	mov.u64 %rd5, 40; st.u64 [%rd2], %rd5; ld.shared.u64 %rd6, [s]; st.u64 [%rd3], %rd6; ld.local.u64 %rd7, [l];\n"
	"	ld.u32 %r1, [%rd4]; cvt.u64.u32 %rd8, %r1; add.u64 %rd7, %rd7, %rd8; st.global.u64 [%rd1], %rd7;\n"
	"	mov.u32 %r2, 0;\n"
	"	isspacep.shared %p, %rd2; @%p or.b32 %r2, %r2, 1;\n"
	"	isspacep.local %p, %rd3; @%p or.b32 %r2, %r2, 2;\n"
	"	isspacep.global %p, %rd1; @%p or.b32 %r2, %r2, 4;\n"
	"	isspacep.const %p, %rd4; @%p or.b32 %r2, %r2, 8;\n"
	"	isspacep.shared %p, %rd1; @%p or.b32 %r2, %r2, 16;\n"
	"	isspacep.global %p, %rd2; @%p or.b32 %r2, %r2, 32;\n"
	"	isspacep.const %p, %rd1; @%p or.b32 %r2, %r2, 64;\n"
	"	st.global.u32 [%rd1+8], %r2; ret; }\n"
	".visible .entry limited() .maxntid 4, 2, 1 { ret; }\n";

static PsEmulator *loaded(void)
{
	PsEmulator *e = ps_emulator_new(0);
	EXPECT_EQ(ps_emulator_host_memory(e, true), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_load(e, "host.ptx", text, sizeof text - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_STR(str_of(ps_emulator_messages(e)), "");
	return e;
}

static PsRun run(PsEmulator *e, const char *kernel, u64 p, u64 q)
{
	const u64      params[] = {p, q};
	const PsLaunch l = {.size = sizeof l,
	                    .kernel = kernel,
	                    .grid = {1, 1, 1},
	                    .block = {1, 1, 1},
	                    .params = params,
	                    .params_size = sizeof params};
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
	return ps_emulator_run(e);
}

static u64 address(const void *p) { return (u64)(uintptr_t)p; }

static u64 *variable(PsEmulator *e, const char *name)
{
	PsVariable v;
	for (u32 i = 0; ps_emulator_variable(e, i, &v); i++)
		if (strcmp(v.name, name) == 0)
			return v.bytes;
	return NULL;
}

TEST(emulator_host, kernels_follow_the_pointers_of_the_process)
{
	PsEmulator *e = loaded();
	u64         list[3][2] = {{1, 0}, {20, 0}, {300, 0}};
	(void)a;
	list[0][1] = address(list[1]);
	list[1][1] = address(list[2]);
	EXPECT_EQ(ps_emulator_map(e, list, sizeof list, PS_READ), PS_STATUS_DONE);
	EXPECT_EQ(run(e, "sum", address(list), 0), PS_RUN_DONE);
	EXPECT_EQ(*variable(e, "head"), 3 * 321);
	ps_emulator_free(e);
}

TEST(emulator_host, variables_have_addresses_of_the_process_and_keep_their_values)
{
	PsEmulator *e = loaded();
	u64        *head = variable(e, "head");
	u32         five = 5;
	u64         one[2] = {1, 0}, out = 0;
	(void)a;
	EXPECT_EQ(*head, 7);
	EXPECT_EQ(*variable(e, "place"), address(head));
	memcpy(variable(e, "factor"), &five, 4); /* the host may, kernels may not */
	ps_emulator_map(e, one, sizeof one, PS_READ);
	EXPECT_EQ(run(e, "sum", address(one), 0), PS_RUN_DONE);
	EXPECT_EQ(*head, 5);
	*head = 11;
	ps_emulator_map(e, &out, sizeof out, PS_READ | PS_WRITE);
	EXPECT_EQ(run(e, "copy", address(&out), address(head)), PS_RUN_DONE);
	EXPECT_EQ(out, 11);
	EXPECT_EQ(run(e, "copy", HOST_CONST, address(head)), PS_RUN_FAULTED);
	ps_emulator_free(e);
}

TEST(emulator_host, what_is_not_mapped_cannot_be_reached)
{
	PsEmulator *e = loaded();
	u64         m[8] = {0}, value = 9;
	PsFault     f;
	(void)a;
	EXPECT_EQ(ps_emulator_map(e, &m[2], 2 * sizeof *m, PS_READ | PS_WRITE), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_map(e, &value, sizeof value, PS_READ), PS_STATUS_DONE);
	EXPECT_EQ(run(e, "copy", address(&m[2]), address(&value)), PS_RUN_DONE);
	EXPECT_EQ(m[2], 9);
	/* One before, one behind, half behind, the windows, what is nowhere, and memory that may only be read. */
	const u64 to[] = {address(&m[1]),
	                  address(&m[4]),
	                  address(&m[3]) + 4,
	                  0,
	                  64,
	                  0x1000400,
	                  0x2000100,
	                  ~(u64)7,
	                  (u64)1 << 63,
	                  ((u64)1 << 60) + ((u64)1 << 24),
	                  address(&value)};
	for (u32 i = 0; i < PS_COUNT(to); i++) {
		EXPECT_EQ(run(e, "copy", to[i], address(&value)), PS_RUN_FAULTED);
		EXPECT(ps_emulator_fault(e, &f));
	}
	EXPECT_EQ(m[1] | m[3] | m[4], 0);
	EXPECT_EQ(value, 9);
	EXPECT_EQ(ps_emulator_unmap(e, &m[2]), PS_STATUS_DONE);
	EXPECT_EQ(run(e, "copy", address(&m[2]), address(&value)), PS_RUN_FAULTED);
	EXPECT_EQ(ps_emulator_unmap(e, NULL), PS_STATUS_DONE);
	EXPECT_EQ(run(e, "copy", address(&m[2]), address(&value)), PS_RUN_FAULTED);
	ps_emulator_free(e);
}

TEST(emulator_host, windows_of_generic_addresses_lie_where_no_process_has_memory)
{
	PsEmulator *e = loaded();
	u64         out[2] = {0, 0};
	(void)a;
	ps_emulator_map(e, out, sizeof out, PS_READ | PS_WRITE);
	EXPECT_EQ(run(e, "windows", address(out), 0), PS_RUN_DONE);
	EXPECT_EQ(out[0], 43);
	EXPECT_EQ(out[1], 1 | 2 | 4 | 8);
	ps_emulator_free(e);
}

TEST(emulator_host, ranges_and_launches_that_make_no_sense_are_refused)
{
	PsEmulator *e = loaded();
	u8          m[64];
	(void)a;
	EXPECT_EQ(ps_emulator_map(e, NULL, 8, PS_READ), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_map(e, m, 0, PS_READ), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_map(e, m, 8, PS_WRITE), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_map(e, m, 8, 4 | PS_READ), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_map(e, m + 16, 16, PS_READ), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_map(e, m + 31, 8, PS_READ), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_map(e, m, 17, PS_READ), PS_STATUS_USAGE);
	EXPECT(strstr(ps_emulator_messages(e), "overlaps") != NULL);
	EXPECT_EQ(ps_emulator_map(e, m, 16, PS_READ), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_map(e, m + 32, 8, PS_READ), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_unmap(e, m + 17), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_map(e, variable(e, "head"), 8, PS_READ), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_buffer(e, "b", NULL, 8), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_launch_json(e, "{}", 2, 0, NULL), PS_STATUS_USAGE);
	const u64      short_params[1] = {0};
	const PsLaunch l = {.size = sizeof l,
	                    .kernel = "copy",
	                    .grid = {1, 1, 1},
	                    .block = {1, 1, 1},
	                    .params = short_params,
	                    .params_size = sizeof short_params};
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_INPUT);
	EXPECT(strstr(ps_emulator_messages(e), "'copy' has 16 bytes of parameters; the launch gives 8") != NULL);
	const char *const level[] = {"--level=mir"};
	EXPECT_EQ(ps_emulator_load(e, "a.ll", "define void @f() { ret void }", 29, 1, level), PS_STATUS_USAGE);
	ps_emulator_free(e);
}

TEST(emulator_host, a_program_tells_its_kernels_and_their_parameters)
{
	PsEmulator *e = loaded();
	PsKernel    k;
	size_t      offset, size;
	(void)a;
	EXPECT(ps_emulator_kernel_named(e, "copy", &k));
	EXPECT_EQ(k.n_params, 2);
	EXPECT_EQ(k.params_size, 16);
	EXPECT_EQ(k.const_bytes > 0, true);
	EXPECT_EQ(k.shared_bytes, 0);
	EXPECT_EQ(k.max_threads, 0);
	EXPECT(ps_emulator_parameter(e, "copy", 1, &offset, &size));
	EXPECT_EQ(offset, 8);
	EXPECT_EQ(size, 8);
	EXPECT(!ps_emulator_parameter(e, "copy", 2, &offset, &size));
	EXPECT(ps_emulator_kernel_named(e, "windows", &k));
	EXPECT_EQ(k.shared_bytes, 8); /* its own */
	EXPECT(ps_emulator_kernel_named(e, "limited", &k));
	EXPECT_EQ(k.max_threads, 8);
	EXPECT(!ps_emulator_kernel_named(e, "nobody", &k));
	ps_emulator_free(e);
}

/* Of the variables in shared memory those count for a kernel that it reaches. */
static const char many_shared[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".weak .shared .align 4 .b8 first[160000];\n.weak .shared .align 4 .b8 second[170000];\n"
	".weak .shared .align 4 .b8 both[64];\n.weak .shared .align 4 .b8 of_function[64];\n"
	".func get(.param .u64 p) { .reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [p];\n"
	"	ld.shared.u32 %r, [of_function+60]; st.global.u32 [%rd], %r; ret; }\n"
	".visible .entry one(.param .u64 p, .param .u64 q) { .reg .b32 %r<4>; .reg .b64 %rd;\n"
	"	ld.param.u64 %rd, [p]; mov.u32 %r1, 5; st.shared.u32 [first+159996], %r1;\n"
	"	mov.u32 %r2, 6; st.shared.u32 [both+60], %r2; mov.u32 %r2, 7; st.shared.u32 [of_function+60], %r2;\n"
	"	ld.shared.u32 %r3, [first+159996]; st.global.u32 [%rd+4], %r3;\n"
	"	{ .param .b64 a; st.param.b64 [a], %rd; call get, (a); } ret; }\n"
	".visible .entry two(.param .u64 p, .param .u64 q) { .reg .b32 %r<4>; .reg .b64 %rd;\n"
	"	ld.param.u64 %rd, [p]; mov.u32 %r1, 8; st.shared.u32 [second+169996], %r1;\n"
	"	mov.u32 %r2, 9; st.shared.u32 [both+60], %r2; ld.shared.u32 %r1, [second+169996];\n"
	"	st.global.u32 [%rd], %r1; ret; }\n";

TEST(emulator_host, kernels_share_no_more_shared_memory_than_they_name)
{
	PsEmulator *e = ps_emulator_new(0);
	PsKernel    k;
	u32         out[2] = {0};
	u64         at = (u64)(uintptr_t)out;
	(void)a;
	EXPECT_EQ(ps_emulator_host_memory(e, true), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_load(e, "host.ptx", many_shared, sizeof many_shared - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_STR(str_of(ps_emulator_messages(e)), "");
	EXPECT(ps_emulator_kernel_named(e, "one", &k));
	EXPECT_EQ(k.shared_bytes, 128 + 160000);
	EXPECT(ps_emulator_kernel_named(e, "two", &k));
	EXPECT_EQ(k.shared_bytes, 64 + 170000);
	ps_emulator_map(e, out, sizeof out, PS_READ | PS_WRITE);
	EXPECT_EQ(run(e, "one", at, 0), PS_RUN_DONE);
	EXPECT_EQ(out[0], 7);
	EXPECT_EQ(out[1], 5);
	EXPECT_EQ(run(e, "two", at, 0), PS_RUN_DONE);
	EXPECT_EQ(out[0], 8);
	ps_emulator_free(e);
}

/* Variables of bodies may have one name in several functions, each at its place there. */
static const char same_name[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry large(.param .u64 p, .param .u64 q) { .shared .align 4 .b8 a[400]; .shared .align 4 .u32 v;\n"
	"	.reg .b32 %r<3>; .reg .b64 %rd; ld.param.u64 %rd, [p]; mov.u32 %r1, 5; st.shared.u32 [v], %r1;\n"
	"	mov.u32 %r1, 0; st.shared.u32 [a], %r1; ld.shared.u32 %r2, [v]; st.global.u32 [%rd], %r2; ret; }\n"
	".visible .entry small(.param .u64 p, .param .u64 q) { .shared .align 4 .u32 v; .reg .b32 %r<3>; .reg .b64 %rd;\n"
	"	ld.param.u64 %rd, [p]; mov.u32 %r1, 6; st.shared.u32 [v], %r1; ld.shared.u32 %r2, [v];\n"
	"	st.global.u32 [%rd], %r2; ret; }\n";

TEST(emulator_host, variables_of_bodies_with_one_name)
{
	PsEmulator *e = ps_emulator_new(0);
	u32         out = 0;
	u64         at = (u64)(uintptr_t)&out;
	(void)a;
	EXPECT_EQ(ps_emulator_host_memory(e, true), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_load(e, "host.ptx", same_name, sizeof same_name - 1, 0, NULL), PS_STATUS_DONE);
	ps_emulator_map(e, &out, sizeof out, PS_READ | PS_WRITE);
	EXPECT_EQ(run(e, "large", at, 0), PS_RUN_DONE);
	EXPECT_EQ(out, 5);
	EXPECT_EQ(run(e, "small", at, 0), PS_RUN_DONE);
	EXPECT_EQ(out, 6);
	ps_emulator_free(e);
}

/* Initial values of variables that bodies declare, in scopes that give one name twice, and in a function that is called. */
static const char initial[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".func (.param .u32 r) f()\n"
	"{	.reg .b64 %a; .reg .b32 %v; .const .u32 c[2] = {7, 8}; .global .u64 g = generic(c); ld.global.u64 %a, [g];\n"
	"	ld.u32 %v, [%a+4]; st.param.u32 [r], %v; ret; }\n"
	".visible .entry k(.param .u64 p)\n"
	"{	.reg .b64 %p; .reg .b32 %v<7>; .global .u32 w[2] = {9}, x = 5;\n"
	"	ld.param.u64 %p, [p]; ld.global.u32 %v0, [w]; ld.global.u32 %v1, [w+4]; ld.global.u32 %v2, [x];\n"
	"	{ .const .u32 x = 1; ld.const.u32 %v3, [x]; { .global .u32 x = 2; ld.global.u32 %v4, [x]; } }\n"
	"	ld.global.u32 %v5, [x]; { .param .u32 q; call (q), f, (); ld.param.u32 %v6, [q]; }\n"
	"	st.global.u32 [%p], %v0; st.global.u32 [%p+4], %v1; st.global.u32 [%p+8], %v2; st.global.u32 [%p+12], %v3;\n"
	"	st.global.u32 [%p+16], %v4; st.global.u32 [%p+20], %v5; st.global.u32 [%p+24], %v6; ret; }\n";

TEST(emulator_host, variables_of_bodies_have_their_initial_values)
{
	static const u32 wanted[7] = {9, 0, 5, 1, 2, 5, 8};
	(void)a;
	for (u32 in_host = 0; in_host < 2; in_host++) {
		PsEmulator    *e = ps_emulator_new(0);
		u32            out[7] = {0};
		u64            at = (u64)(uintptr_t)out;
		const PsArg    arg = in_host ? ps_value(&at, sizeof at) : ps_pointer("b", 0);
		const PsLaunch l = {
			.size = sizeof l, .kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .args = &arg, .n_args = 1};
		EXPECT_EQ(ps_emulator_host_memory(e, in_host), PS_STATUS_DONE);
		EXPECT_EQ(ps_emulator_load(e, "k.ptx", initial, sizeof initial - 1, 0, NULL), PS_STATUS_DONE);
		if (in_host)
			ps_emulator_map(e, out, sizeof out, PS_READ | PS_WRITE);
		else
			ps_emulator_buffer(e, "b", NULL, sizeof out);
		EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
		EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
		if (!in_host)
			ps_emulator_read(e, "b", 0, out, sizeof out);
		for (u32 i = 0; i < PS_COUNT(out); i++)
			EXPECT_EQ(out[i], wanted[i]);
		ps_emulator_free(e);
	}
}

TEST(emulator_host, shared_memory_has_no_initial_values)
{
	static const char text[] =
		".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{.shared .u32 s = 5; ret; }\n";
	PsEmulator *e = ps_emulator_new(0);
	(void)a;
	EXPECT_EQ(ps_emulator_load(e, "k.ptx", text, sizeof text - 1, 0, NULL), PS_STATUS_INPUT);
	EXPECT(strstr(ps_emulator_messages(e), "error: 's' lies in memory that has no initial values"));
	ps_emulator_free(e);
}

/* A program with 32-bit addresses: they are those of another process, or none. */
static const char narrow[] =
	".version 7.0\n.target sm_70\n.address_size 32\n"
	".extern .func (.param .b32 r) vprintf(.param .b32 f, .param .b32 a);\n"
	".extern .func (.param .b32 r) malloc(.param .b32 n);\n.extern .func free(.param .b32 p);\n"
	".visible .global .align 4 .u32 head = 7;\n.visible .const .align 4 .u32 factor = 3;\n"
	".global .align 1 .b8 text[16] = {37, 115, 32, 37, 108, 117, 32, 37, 122, 117, 32, 37, 108, 108, 117, 0};\n"
	".global .align 1 .b8 word[3] = {104, 105, 0};\n"
	".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r; ld.param.u32 %r, [x]; add.u32 %r, %r, %r;\n"
	"	st.param.b32 [r], %r; ret; }\n"
	".visible .entry k(.param .u32 p, .param .u32 q) {\n"
	"	.shared .align 4 .u32 s; .local .align 8 .b8 l[24]; .reg .b32 %r<20>; .reg .b64 %rd; .reg .pred %p;\n"
	"	ld.param.u32 %r1, [p]; ld.param.u32 %r2, [q]; ld.u32 %r3, [%r2];\n"
	/* through shared memory by its generic address, times the constant by its own */
	"	mov.u32 %r4, s; cvta.shared.u32 %r5, %r4; st.u32 [%r5], %r3; ld.shared.u32 %r6, [s];\n"
	"	mov.u32 %r7, factor; cvta.const.u32 %r7, %r7; ld.u32 %r8, [%r7]; mul.lo.u32 %r6, %r6, %r8;\n"
	/* through the heap */
	"	{ .param .b32 n; .param .b32 r; st.param.b32 [n], 40; call (r), malloc, (n); ld.param.b32 %r9, [r]; }\n"
	"	st.u32 [%r9+36], %r6; ld.u32 %r6, [%r9+36];\n"
	"	{ .param .b32 p0; st.param.b32 [p0], %r9; call free, (p0); }\n"
	/* an indirect call, the variable */
	"	mov.u32 %r10, twice;\n"
	"	{ .param .b32 x; .param .b32 r; st.param.b32 [x], %r6; t: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
	"	call (r), %r10, (x), t; ld.param.b32 %r6, [r]; }\n"
	"	mov.u32 %r11, head; st.u32 [%r11], %r6; st.global.u32 [%r1], %r6;\n"
	"	mov.u32 %r12, word; mov.u32 %r13, l; cvta.local.u32 %r14, %r13; st.u32 [%r14], %r12; st.u32 [%r14+4], %r6;\n"
	"	st.u32 [%r14+8], %r11; mov.u64 %rd, 4294967296; st.u64 [%r14+16], %rd; mov.u32 %r15, text;\n"
	"	{ .param .b32 f; .param .b32 a; .param .b32 r; st.param.b32 [f], %r15; st.param.b32 [a], %r14;\n"
	"	call (r), vprintf, (f, a); }\n"
	"	isspacep.shared %p, %r5; @!%p trap; isspacep.global %p, %r1; @!%p trap; isspacep.local %p, %r1; @%p trap;\n"
	"	ret; }\n";

TEST(emulator_host, addresses_of_32_bits_are_those_of_another_process)
{
	PsEmulator *e = ps_emulator_new(0);
	u32         in = 5, out[2] = {0};
	const u32   params[] = {0x80000200, 0x100};
	PsVariable  head = {0};
	(void)a;
	ps_emulator_host_memory(e, true);
	EXPECT_EQ(ps_emulator_load(e, "narrow.ptx", narrow, sizeof narrow - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_STR(str_of(ps_emulator_messages(e)), "");
	EXPECT_EQ(ps_emulator_map_at(e, 0x100, &in, sizeof in, PS_READ), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_map_at(e, 0x80000200, out, 4, PS_READ | PS_WRITE), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_map_at(e, 0x800001fd, out, 4, PS_READ), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_map_at(e, 0, out, 4, PS_READ), PS_STATUS_USAGE);
	const PsLaunch l = {
		.size = sizeof l, .kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params, .params_size = 8};
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	EXPECT_EQ(out[0], 30);
	EXPECT(ps_emulator_variable(e, 0, &head) && strcmp(head.name, "head") == 0);
	EXPECT_EQ(head.address, HOST_GLOBALS_32);
	EXPECT_EQ(*(u32 *)head.bytes, 30);
	size_t n;
	EXPECT_STR(str_of(ps_emulator_printed(e, &n)), "hi 30 3221225472 4294967296");
	EXPECT_EQ(ps_emulator_unmap(e, (void *)0x100), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_FAULTED);
	EXPECT_EQ(ps_emulator_map_at(e, HOST_GLOBALS_32 + 4096, out, 4, PS_READ), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_INPUT);
	ps_emulator_free(e);
}

UNIT_MAIN
