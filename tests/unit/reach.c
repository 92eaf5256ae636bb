/* How much shared memory kernels have: that of the variables which they and what they call name, as ptxas counts it. */
#include "unit.h"

#include "api/ptxscope.h"

#include <string.h>

static const char ptx[] =
	".version 8.4\n.target sm_90\n.address_size 64\n"
	".shared .align 4 .b8 two[40000];\n.shared .align 4 .b8 one[30000];\n.shared .align 4 .b8 deep[20000];\n"
	".shared .align 4 .b8 point[10000];\n"
	".func g() { .reg .u32 %r; .shared .align 4 .b8 own[500]; mov.u32 %r, deep; st.shared.u32 [%r], 1; ret; }\n"
	".func f() { call g, (); ret; }\n"
	".func p() { .reg .u32 %r; mov.u32 %r, point; st.shared.u32 [%r], 2; ret; }\n"
	".visible .entry a() { .reg .u32 %r; mov.u32 %r, two; st.shared.u32 [%r], 3; mov.u32 %r, one; st.shared.u32 [%r], 3; "
	"ret; }\n"
	/* all that it reaches keeps what was stored to it */
	".visible .entry b(.param .u64 q)\n"
	"{ .reg .u64 %q; .reg .u32 %r, %v, %w; mov.u32 %r, two; st.shared.u32 [%r], 3; st.shared.u32 [%r+39996], 4; call f, ();\n"
	"  mov.u32 %r, two; ld.shared.u32 %v, [%r]; ld.shared.u32 %w, [%r+39996]; mad.lo.u32 %v, %v, 10, %w;\n"
	"  mov.u32 %r, deep; ld.shared.u32 %w, [%r]; mad.lo.u32 %v, %v, 10, %w; ld.param.u64 %q, [q]; st.global.u32 [%q], %v; "
	"ret; }\n"
	".visible .entry c() { .reg .u64 %r<2>; mov.u64 %r0, p; P: .callprototype _ (); call %r0, (), P; ret; }\n"
	".visible .entry d() { ret; }\n";

static const char ir[] =
	"target triple = \"nvptx64-nvidia-cuda\"\n"
	"@two = internal addrspace(3) global [40000 x i8] undef, align 4\n@one = internal addrspace(3) global [30000 x i8] "
	"undef, align 4\n"
	"@deep = internal addrspace(3) global [20000 x i8] undef, align 4\n@point = internal addrspace(3) global [10000 x i8] "
	"undef, align 4\n"
	"@text = internal addrspace(3) global [300 x i8] undef, align 4\n@table = internal addrspace(1) global [1 x ptr] [ptr "
	"@p]\n"
	"@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(3) @one to ptr)], section "
	"\"llvm.metadata\"\n"
	"define internal void @g() {\n store i32 1, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @deep to ptr), "
	"i64 8)\n ret void\n}\n"
	"define internal void @f() {\n call void @g()\n ret void\n}\n"
	"define internal void @p() {\n store i32 2, ptr addrspace(3) @point\n ret void\n}\n"
	"define ptx_kernel void @a() {\n store i32 3, ptr addrspace(3) @two\n store i32 3, ptr addrspace(3) @one\n ret void\n}\n"
	"define ptx_kernel void @b() {\n store i32 3, ptr addrspace(3) @two\n call void @f()\n ret void\n}\n"
	"define ptx_kernel void @c(ptr %p) {\n call void %p()\n ret void\n}\n"
	"define ptx_kernel void @d() {\n ret void\n}\n"
	"define ptx_kernel void @t() {\n call void asm sideeffect \"st.shared.u32 [text+4], 7;\", \"\"()\n ret void\n}\n";

static PsEmulator *loaded(const char *name, const char *text, const char *level)
{
	PsEmulator *e = ps_emulator_new(0);
	EXPECT_EQ(ps_emulator_load(e, name, text, strlen(text), level != NULL, &level), PS_STATUS_DONE);
	EXPECT_STR(str_of(ps_emulator_messages(e)), "");
	return e;
}

static u32 shared_of(const PsEmulator *e, const char *kernel)
{
	PsKernel k = {0};
	EXPECT(ps_emulator_kernel_named(e, kernel, &k));
	return (u32)k.shared_bytes;
}

TEST(reach, of_ptx)
{
	PsEmulator    *e = loaded("k.ptx", ptx, NULL);
	u32            out = 0;
	const PsArg    arg = ps_pointer("q", 0);
	const PsLaunch l = {.size = sizeof l, .kernel = "b", .grid = {1, 1, 1}, .block = {1, 1, 1}, .args = &arg, .n_args = 1};
	(void)a;
	EXPECT_EQ(shared_of(e, "a"), 70000);
	EXPECT_EQ(shared_of(e, "b"), 60500);
	EXPECT_EQ(shared_of(e, "c"), 10000);
	EXPECT_EQ(shared_of(e, "d"), 0);
	EXPECT_EQ(ps_emulator_buffer(e, "q", NULL, 4), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	EXPECT_EQ(ps_emulator_read(e, "q", 0, &out, 4), PS_STATUS_DONE);
	EXPECT_EQ(out, 341);
	ps_emulator_free(e);
}

TEST(reach, of_ir)
{
	PsEmulator *e = loaded("k.ll", ir, "--level=ir");
	(void)a;
	EXPECT_EQ(shared_of(e, "a"), 70000);
	EXPECT_EQ(shared_of(e, "b"), 60000);
	EXPECT_EQ(shared_of(e, "c"), 10000);
	EXPECT_EQ(shared_of(e, "d"), 0);
	EXPECT_EQ(shared_of(e, "t"), 300);
	ps_emulator_free(e);
}

/* Another kernel's variable has no bytes here. */
TEST(reach, symbols_of_other_kernels)
{
	PsEmulator    *e = loaded("k.ptx", ptx, NULL);
	const PsLaunch l = {.size = sizeof l, .kernel = "c", .grid = {1, 1, 1}, .block = {1, 1, 1}};
	const PsGoal   one = {.size = sizeof one, .kind = PS_INSTRUCTIONS, .count = 1};
	size_t         size = 0;
	(void)a;
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_aim(e, &one), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_step(e, 1), PS_RUN_STOPPED);
	EXPECT(ps_emulator_memory(e, PS_MEMORY_SYMBOL, "point", 0, 0, &size) != NULL);
	EXPECT_EQ(size, 10000);
	EXPECT(ps_emulator_memory(e, PS_MEMORY_SYMBOL, "two", 0, 0, &size) == NULL);
	ps_emulator_free(e);
}

/* Beyond a bound of work, every kernel has everything, and nothing takes for ever: many kernels that reach many functions. */
TEST(reach, too_much_to_follow)
{
	enum { KERNELS = 9000 };
	Text t;
	text_init(&t, a);
	text_f(&t, ".version 8.4\n.target sm_90\n.address_size 64\n.shared .b32 x;\n.shared .b32 y;\n");
	for (u32 i = 0; i < KERNELS; i++)
		text_f(&t, ".func f%u() { %s call f%u, (); ret; }\n", i, i ? "" : ".reg .b32 %r; mov.b32 %r, x;", i ? i - 1 : 0);
	for (u32 i = 0; i < KERNELS; i++)
		text_f(&t, ".entry k%u() { call f%u, (); ret; }\n", i, KERNELS - 1);
	text_c(&t, 0);
	PsEmulator *e = loaded("k.ptx", t.p, NULL);
	EXPECT_EQ(shared_of(e, "k0"), 16); /* with its alignment */
	EXPECT_EQ(shared_of(e, "k8999"), 16);
	ps_emulator_free(e);
}

UNIT_MAIN
