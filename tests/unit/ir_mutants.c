/* 20,000 mutants of small modules: lines and tokens are deleted, doubled, swapped and replaced. Whatever
 * comes of it is read, verified and printed without a crash, and what is accepted is a fixed point. */
#include "ir/ir.h"
#include "unit.h"

static const char *const seeds[] = {
	"target triple = \"nvptx64-nvidia-cuda\"\n"
	"@s = addrspace(3) global [4 x float] undef, align 4\n"
	"define ptx_kernel void @k(ptr noalias nocapture readonly %p, i32 %n) #0 {\n"
	"entry:\n"
	"  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
	"  %c = icmp slt i32 %t, %n\n"
	"  br i1 %c, label %loop, label %done\n"
	"loop:\n"
	"  %i = phi i32 [ %t, %entry ], [ %next, %loop ]\n"
	"  %w = zext nneg i32 %i to i64\n"
	"  %at = getelementptr inbounds float, ptr %p, i64 %w\n"
	"  %v = load float, ptr %at, align 4, !tbaa !1\n"
	"  %f = fadd contract float %v, 1.000000e+00\n"
	"  store float %f, ptr %at, align 4\n"
	"  %next = add nsw i32 %i, 32\n"
	"  %more = icmp slt i32 %next, %n\n"
	"  br i1 %more, label %loop, label %done, !llvm.loop !3\n"
	"done:\n"
	"  call void @llvm.nvvm.barrier0()\n"
	"  ret void\n"
	"}\n"
	"declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1\n"
	"declare void @llvm.nvvm.barrier0()\n"
	"attributes #0 = { convergent nounwind \"target-cpu\"=\"sm_90\" }\n"
	"attributes #1 = { nounwind memory(none) }\n"
	"!0 = !{!\"char\", !4}\n!1 = !{!2, !2, i64 0}\n!2 = !{!\"float\", !0, i64 0}\n!3 = distinct !{!3}\n!4 = !{!\"root\"}\n",

	"%pair = type { i32, <2 x half> }\n"
	"@g = constant %pair { i32 -7, <2 x half> <half 0xH3C00, half undef> }\n"
	"@a = alias %pair, ptr @g\n"
	"@t = global [2 x ptr] [ptr blockaddress(@f, %two), ptr getelementptr (i8, ptr @g, i64 4)]\n"
	"define { i32, i1 } @f(ptr %p, i64 %x, ptr byval(%pair) align 8 %b) personality ptr @g {\n"
	"  %old = cmpxchg weak ptr %p, i32 1, i32 2 syncscope(\"block\") acq_rel monotonic, align 4\n"
	"  %one = extractvalue { i32, i1 } %old, 0\n"
	"  switch i32 %one, label %two [\n"
	"    i32 1, label %three\n"
	"    i32 -2, label %two\n"
	"  ]\n"
	"two:\n"
	"  %slot = alloca %pair, i32 2, align 8\n"
	"  %big = sext i64 %x to i128\n"
	"  %v = insertelement <4 x i32> poison, i32 %one, i64 2\n"
	"  %sh = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 2, i32 poison>\n"
	"  %r = call i64 asm sideeffect \"mov.u64 $0, $1;\", \"=l,l,~{memory}\"(i64 %x)\n"
	"  %rmw = atomicrmw fadd ptr %p, float 0x3FB99999A0000000 seq_cst, align 4\n"
	"  call void (ptr, ...) @h(ptr %slot, double 2.500000e-01) #2 [ \"deopt\"(i32 1) ]\n"
	"  br label %three\n"
	"three:\n"
	"  %n = phi i32 [ 0, %0 ], [ 1, %two ]\n"
	"  %q = select i1 true, i32 %n, i32 poison\n"
	"  fence syncscope(\"agent\") acquire\n"
	"  ret { i32, i1 } %old\n"
	"}\n"
	"declare void @h(ptr, ...)\n"
	"attributes #2 = { nounwind }\n",
};

static const char *const words[] = {
	"i1", "i8", "i32", "i64", "i128", "half", "float", "double", "ptr", "ptr addrspace(3)", "<4 x float>", "[3 x i8]", "{ i32, i64 }",
	"void", "label", "metadata", "undef", "poison", "null", "zeroinitializer", "true", "0", "-1", "4294967296", "1.0", "0xH3C00",
	"%0", "%x", "@f", "@g", "!0", "#0", "(", ")", "{", "}", "[", "]", "<", ">", ",", "=", "volatile", "atomic", "seq_cst",
	"align 16", "inbounds", "nuw", "...", "x", "\"", "c\"a\"", "ret", "br", "phi", "call", "define", "declare", "splat (i32 1)",
};

typedef struct Random {
	u64 state;
} Random;

static u32 below(Random *r, u32 n)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return n ? (u32)((r->state >> 33) % n) : 0;
}

enum { MAX_PIECES = 4096 };

/* Lines, or the tokens of a text: runs of word characters, or single others. */
static u32 cut(Str text, bool lines, Str *out)
{
	u32 n = 0, from = 0;
	for (u32 i = 0; i < text.n && n < MAX_PIECES; i++) {
		char c = text.p[i];
		char next = i + 1 < text.n ? text.p[i + 1] : '\n';
		bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '%' || c == '@';
		bool more = (next >= '0' && next <= '9') || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '.';
		if (lines ? c != '\n' : word && more)
			continue;
		out[n++] = (Str){text.p + from, i + 1 - from};
		from = i + 1;
	}
	return n;
}

static Str mutate(Arena *a, Random *r, Str text)
{
	Str *piece = arena_array(a, Str, MAX_PIECES + 2);
	u32  n = cut(text, below(r, 3) == 0, piece), i = below(r, n), j = below(r, n);
	Str  first = piece[i];
	switch (below(r, 5)) {
	case 0: piece[i] = STR(""); break;
	case 1: piece[i] = piece[j]; break;
	case 2:
		piece[i] = piece[j];
		piece[j] = first;
		break;
	case 3: piece[i] = str_of(words[below(r, PS_COUNT(words))]); break;
	default:
		memmove(piece + i + 1, piece + i, (n - i) * sizeof *piece);
		piece[i] = piece[below(r, n)];
		n++;
	}
	Text out;
	text_init(&out, a);
	for (u32 k = 0; k < n; k++)
		text_add(&out, piece[k]);
	return text_str(&out);
}

/* True: accepted. */
static bool read_and_print(Session *s, Str text, Text *out)
{
	IrModule *m = ir_parse(s, text);
	if (m && !s->diags.errors)
		ir_verify(m);
	text_init(out, &s->arena);
	if (!m || s->diags.errors) {
		for (u32 i = 0; i < s->diags.list.n; i++)
			diag_print(out, &s->diags.list.p[i], STR("mutant"), text);
		EXPECT(s->diags.list.n > 0);
		return false;
	}
	ir_print_module(out, m, NULL);
	return true;
}

static bool run(Str text)
{
	Session *s = malloc(sizeof *s);
	jmp_buf  out;
	bool volatile accepted = false;
	session_init(s, 256u << 20);
	s->out = &out;
	if (setjmp(out) == 0) {
		Text first, second;
		accepted = read_and_print(s, text, &first);
		if (accepted) {
			bool again = read_and_print(s, text_str(&first), &second);
			EXPECT(again);
			if (!again || !str_eq(text_str(&first), text_str(&second))) {
				printf("# not a fixed point:\n%.*s\n", STR_ARG(text));
				EXPECT(!"fixed point");
			}
		}
	} else {
		printf("# internal error: %.*s\n%.*s\n", STR_ARG(s->failure), STR_ARG(text));
		EXPECT(!"internal error");
	}
	session_free(s);
	free(s);
	return accepted;
}

TEST(ir, mutants_are_read_without_a_crash)
{
	Random r = {2024};
	u32    accepted = 0;
	for (u32 i = 0; i < 20000; i++) {
		Arena     scratch;
		MemBudget budget = {0};
		arena_init(&scratch, &budget);
		Str text = str_of(seeds[i % PS_COUNT(seeds)]);
		for (u32 times = 1 + below(&r, 3); times; times--)
			text = mutate(&scratch, &r, text);
		accepted += run(text);
		arena_free(&scratch);
	}
	printf("# %u of 20000 mutants are modules\n", accepted);
	EXPECT(accepted > 200);
	EXPECT(accepted < 10000);
}

TEST(ir, the_seeds_are_modules)
{
	for (u32 i = 0; i < PS_COUNT(seeds); i++)
		EXPECT(run(str_of(seeds[i])));
}

UNIT_MAIN
