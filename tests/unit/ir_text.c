/* Texts at their very ends: what is read stands in a buffer of exactly its size, for the sanitizers to see. */
#include "ir/text.h"
#include "unit.h"

/* Errors of reading and verifying; UINT32_MAX after an internal error. */
static u32 errors(const char *text)
{
	Session *s = malloc(sizeof *s);
	size_t   n = strlen(text);
	char    *exact = malloc(n ? n : 1);
	jmp_buf  out;
	u32 volatile count = UINT32_MAX;
	memcpy(exact, text, n);
	session_init(s, 64u << 20);
	s->out = &out;
	if (setjmp(out) == 0) {
		IrModule *m = ir_parse(s, (Str){exact, (u32)n});
		if (m && !s->diags.errors)
			ir_verify(m);
		count = s->diags.errors;
	}
	session_free(s);
	free(exact);
	free(s);
	return count;
}

TEST(ir_text, a_comment_alone_is_an_empty_module)
{
	EXPECT_EQ(errors(";"), 0);
	EXPECT_EQ(errors("; nothing"), 0);
	EXPECT_EQ(errors(" \n"), 1);
}

TEST(ir_text, intrinsics_are_looked_up_among_shorter_names)
{
	EXPECT_EQ(errors("declare void @llvm.nvvm.bar.sync(i32)\n"), 0);
	EXPECT_EQ(errors("declare void @llvm.nvvm.(i32)\n"), 0);
	EXPECT_EQ(errors("declare void @llvm.(i32)\n"), 0);
}

TEST(ir_text, a_broken_instruction_may_have_the_name_of_an_argument)
{
	EXPECT_EQ(errors("define void @f(i32 %x) {\n  %x = bogus i32 1\n  ret void\n}\n"), 1);
	EXPECT_EQ(errors("define void @f() {\nx:\n  %x = bogus i32 1\n  ret void\n}\n"), 1);
}

TEST(ir_text, a_text_may_end_anywhere)
{
	static const char text[] =
		"@g = global [2 x float] [float -1.5e+3, float f0x3F800000], comdat($c) ; x\n$c = comdat any\n"
		"define void @f(ptr %\"p q\") #0 {\n  #dbg_value(i32 0, !0, !DIExpression(), !0)\n  ret void, !x !1\n}\n"
		"attributes #0 = { denormal_fpenv(ieee|dynamic) \"k\"=\"v\" }\n!0 = !{!\"\\22\"}\n^0 = x\n";
	char part[sizeof text];
	for (u32 n = 1; n < sizeof text; n++) {
		memcpy(part, text, n);
		part[n] = 0;
		EXPECT(errors(part) != UINT32_MAX);
	}
}

static u64 hash(const char *text)
{
	Session *s = malloc(sizeof *s);
	session_init(s, 64u << 20);
	IrModule *m = ir_parse(s, str_of(text));
	u64       h = m ? ir_hash_module(m) : 0;
	session_free(s);
	free(s);
	return h;
}

TEST(ir_text, dso_local_of_what_is_local_or_hidden_goes_without_saying)
{
	EXPECT(hash("@g = dso_local hidden global i32 0\n") == hash("@g = hidden global i32 0\n"));
	EXPECT(hash("@g = internal dso_local global i32 0\n") == hash("@g = internal global i32 0\n"));
	EXPECT(hash("@g = dso_local global i32 0\n") != hash("@g = global i32 0\n"));
}

TEST(ir_text, nusw_of_what_is_inbounds_goes_without_saying)
{
	EXPECT(hash("@h = global i32 0\n@g = global ptr getelementptr inbounds nusw nuw (i32, ptr @h, i64 1)\n") ==
	       hash("@h = global i32 0\n@g = global ptr getelementptr inbounds nuw (i32, ptr @h, i64 1)\n"));
	EXPECT(hash("define ptr @f(ptr %p) {\n %a = getelementptr inbounds nusw i8, ptr %p, i64 1\n ret ptr %a\n}\n") ==
	       hash("define ptr @f(ptr %p) {\n %a = getelementptr inbounds i8, ptr %p, i64 1\n ret ptr %a\n}\n"));
	EXPECT(hash("define ptr @f(ptr %p) {\n %a = getelementptr nusw i8, ptr %p, i64 1\n ret ptr %a\n}\n") !=
	       hash("define ptr @f(ptr %p) {\n %a = getelementptr i8, ptr %p, i64 1\n ret ptr %a\n}\n"));
}

TEST(ir_text, natural_alignment_goes_without_saying_where_the_data_layout_is_known)
{
	EXPECT(hash("target datalayout = \"e\"\ndefine void @f(ptr %p) {\n store i32 0, ptr %p\n ret void\n}\n") ==
	       hash("target datalayout = \"e\"\ndefine void @f(ptr %p) {\n store i32 0, ptr %p, align 4\n ret void\n}\n"));
	EXPECT(hash("define void @f(ptr %p) {\n store i32 0, ptr %p\n ret void\n}\n") !=
	       hash("define void @f(ptr %p) {\n store i32 0, ptr %p, align 4\n ret void\n}\n"));
}

UNIT_MAIN
