/* parse_hint.c: texts of "expected … found …" errors, with a hint about what to write instead.
 *
 * Tables of words from other languages and of common mistakes; near misses are found by edit distance. Runs only after an
 * error, so it is not fast. */
#include "ir/parse.h"
#include "ir/signature.h"

#define TOKEN(p) (int)((p)->t.end - (p)->t.p), (p)->t.p

/* ---- something else was expected ---- */

/* Words of other languages and of PTX, with the LLVM IR equivalent. */
static const struct {
	const char *word, *hint;
} words[] = {
	{"int", "a 32-bit integer is i32"},
	{"u32", "a 32-bit integer is i32"},
	{"s32", "a 32-bit integer is i32"},
	{"int32", "a 32-bit integer is i32"},
	{"unsigned", "a 32-bit integer is i32"},
	{"long", "a 64-bit integer is i64"},
	{"u64", "a 64-bit integer is i64"},
	{"s64", "a 64-bit integer is i64"},
	{"char", "an 8-bit integer is i8"},
	{"u8", "an 8-bit integer is i8"},
	{"bool", "a truth value is i1"},
	{"pointer", "a pointer is ptr"},
	{"f32", "floating-point types are half, bfloat, float and double"},
	{"f64", "floating-point types are half, bfloat, float and double"},
	{"f16", "floating-point types are half, bfloat, float and double"},
	{"fp32", "floating-point types are half, bfloat, float and double"},
	{"bf16", "floating-point types are half, bfloat, float and double"},
	{"addrspace", "a pointer into an address space is ptr addrspace(1)"},
	{"kernel", "a kernel is written: define ptx_kernel void @name(...)"},
	{"__global__", "a kernel is written: define ptx_kernel void @name(...)"},
	{"volatile", "inline assembly that must stay is: asm sideeffect \"...\", \"...\""},
	{"neg", "integers: sub i32 0, %x; floats: fneg float %x"},
	{"not", "xor i32 %x, -1"},
	{"mov", "values are not copied in SSA form: use the value itself"},
	{"copy", "values are not copied in SSA form: use the value itself"},
	{"cmp", "icmp compares integers and pointers, fcmp floats"},
	{"jmp", "br label %to"},
	{"bra", "br label %to"},
	{"goto", "br label %to"},
	{"if", "br i1 %condition, label %then, label %else"},
	{"return", "ret void, or: ret i32 %x"},
	{"ld", "load i32, ptr %p"},
	{"st", "store i32 %x, ptr %p"},
	{"gep", "getelementptr float, ptr %p, i64 %i"},
	{"div", "sdiv, udiv or fdiv"},
	{"rem", "srem, urem or frem"},
	{"shr", "lshr or ashr"},
	{"mad", "call float @llvm.fmuladd.f32(...)"},
	{"fma", "call float @llvm.fma.f32(...)"},
	{"min", "call i32 @llvm.smin.i32(...)"},
	{"max", "call i32 @llvm.smax.i32(...)"},
	{"align", "a comma comes before align"},
	{"tid.x", "call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"},
	{"threadIdx.x", "call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"},
	{"blockIdx.x", "call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()"},
	{"blockDim.x", "call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()"},
	{"gridDim.x", "call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()"},
	{"__syncthreads", "call void @llvm.nvvm.barrier0()"},
	{"atomicAdd", "atomicrmw add ptr %p, i32 %x monotonic; of floats: fadd"},
};

bool irp_hint_word(Diag *d, Str s)
{
	for (u32 i = 0; i < PS_COUNT(words); i++)
		if (str_is(s, words[i].word)) {
			d->hint = str_of(words[i].hint);
			return true;
		}
	return false;
}

/* A hint by what was found where something else was wanted. */
static void hint_token(Parser *p, Diag *d, const char *what)
{
	Diags      *all = &p->s->diags;
	const Word *w = at(p, T_WORD) ? p->t.word : NULL;
	bool        value = strcmp(what, "a value") == 0;
	if (*p->t.p == '#' || (p->t.p[0] == '/' && p->t.p[1] == '/'))
		d->hint = STR("a comment begins with ';'");
	else if (value && at(p, T_WORD) &&
	         (w ? w->type != 0 : p->t.text.p[0] == 'i' && p->t.text.n > 1 && p->t.text.p[1] >= '1' && p->t.text.p[1] <= '9'))
		d->hint = STR("the type stands once, before the first operand");
	else if (value && at(p, T_WORD) && *p->t.p == '.')
		diag_hint(all, d, "a digit comes before the point: 0%.*s", TOKEN(p));
	else if (value && at(p, T_STRING))
		diag_hint(all, d, "a string constant is c%.*s", TOKEN(p));
	else if (strcmp(what, "'label'") == 0 && at(p, T_LOCAL))
		diag_hint(all, d, "write: label %.*s", TOKEN(p));
	else if (value && at(p, T_WORD) && !w)
		diag_hint(all, d, "names have a sign: %%%.*s is a value of the function, @%.*s a global", TOKEN(p), TOKEN(p));
	else if (strstr(what, "name of a label") && at(p, T_WORD))
		diag_hint(all, d, "write: %%%.*s", TOKEN(p));
	else if (strstr(what, "name of the function") && at(p, T_WORD) && !w)
		diag_hint(all, d, "write: @%.*s", TOKEN(p));
	else if (strcmp(what, "a type") == 0 && (at(p, T_INT) || at(p, T_FP)))
		diag_hint(all, d, "each value has its type before it: %s %.*s", at(p, T_FP) ? "float" : "i32", TOKEN(p));
	else if (strcmp(what, "a type") == 0 && at(p, T_GLOBAL))
		diag_hint(all, d, "its type comes before it, as in: %s %.*s", p->func ? "void" : "ptr", TOKEN(p));
	else if (at(p, T_WORD))
		irp_hint_word(d, p->t.text);
}

static void expected_at(Parser *p, SrcRange place, const char *what, bool behind)
{
	if (p->panic)
		return;
	u32   n = (u32)PS_MIN(p->t.end - p->t.p, 40);
	Str   found = at(p, T_EOF)                                          ? STR("end of file")
	              : behind && p->last_line && p->t.line != p->last_line ? STR("the end of the line")
	                                                                    : arena_fmt(p->arena, "'%.*s'", (int)n, p->t.p);
	Token t = p->t;
	Diag *d = PARSE_ERROR(p, place, IR_EXPECTED, what, STR_ARG(found));
	if (t.kind == T_EOF || *found.p != '\'')
		return;
	p->t = t;
	hint_token(p, d, what);
	irp_panic(p, d);
}

void irp_expected(Parser *p, const char *what) { expected_at(p, irp_here(p), what, true); }
void irp_unexpected(Parser *p, const char *what) { expected_at(p, irp_token_range(p), what, false); }

/* ---- numbers ---- */

static u64 double_of_float(u32 bits)
{
	f32 f;
	u64 r;
	memcpy(&f, &bits, sizeof f);
	f64 v = (f64)f;
	memcpy(&r, &v, sizeof r);
	return r;
}

static bool hex_bits(Str s, u32 *bits)
{
	*bits = 0;
	for (u32 i = 0; i < s.n; i++) {
		char c = s.p[i] | 0x20;
		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) || s.n > 8)
			return false;
		*bits = *bits << 4 | (u32)(s.p[i] <= '9' ? s.p[i] - '0' : c - 'a' + 10);
	}
	return s.n > 0;
}

/* Word characters right behind the token. */
static Str rest_of_number(const Parser *p)
{
	const char *end = p->t.end;
	while ((*end >= '0' && *end <= '9') || ((*end | 0x20) >= 'a' && (*end | 0x20) <= 'z'))
		end++;
	return (Str){p->t.end, (u32)(end - p->t.end)};
}

void irp_hint_number(Parser *p, Diag *d, IrType t, const Token *number)
{
	Diags *all = &p->s->diags;
	Str    s = {number->p, (u32)(number->end - number->p)};
	u32    bits;
	Token  kept = p->t;
	p->t = *number;
	Str rest = rest_of_number(p);
	p->t = kept;
	if (s.n == 1 && (*s.p == '-' || *s.p == '+'))
		d->hint = STR("a value has no sign before it: fneg float %x, or sub i32 0, %x");
	else if (number->kind == T_HEX_FP && t.i == IR_TY_FLOAT && s.n <= 10 && hex_bits((Str){s.p + 2, s.n - 2}, &bits))
		diag_hint(all, d, "0x takes the bits of a double; this float is 0x%016llX",
		          (unsigned long long)double_of_float(bits));
	else if (t.i == IR_TY_FLOAT && s.n == 1 && *s.p == '0' && rest.n == 9 && (*rest.p | 0x20) == 'f' &&
	         hex_bits((Str){rest.p + 1, 8}, &bits))
		diag_hint(all, d, "PTX's 0f is 0x here, with the bits of a double: 0x%016llX",
		          (unsigned long long)double_of_float(bits));
	else if (number->kind == T_HEX_FP && ir_type_is_int(p->m, t))
		diag_hint(all, d, "0x is a floating-point constant; an integer in hexadecimal is u%.*s", STR_ARG(s));
	else if (ir_type_is_fp(p->m, t) && number->kind == T_INT)
		diag_hint(all, d, "floating-point constants have a point: %.*s.0%.*s", STR_ARG(s),
		          rest.n && (*rest.p | 0x20) == 'e' ? (int)rest.n : 0, rest.p);
	else if (ir_type_is_ptr(p->m, t) && number->kind == T_INT)
		diag_hint(all, d, "the null pointer is null; others: inttoptr (i64 %.*s to ptr)", STR_ARG(s));
}

bool irp_number_ends(Parser *p)
{
	Str rest = rest_of_number(p);
	if (!rest.n)
		return true;
	SrcRange place = irp_token_range(p);
	place.end_col += rest.n;
	Token t = p->t;
	Diag *d = PARSE_ERROR(p, place, IR_BAD_NUMBER, (int)(rest.p + rest.n - t.p), t.p);
	diag_hint(&p->s->diags, d, "constants have no suffix, their type says what they are: %.*s", (int)(t.end - t.p), t.p);
	return false;
}

/* ---- operations ---- */

/* The same operation on integers and on floats. */
void irp_hint_operation(Diag *d, const IrModule *m, u32 op, IrType t)
{
	static const u8 twins[][2] = {{IR_ADD, IR_FADD},  {IR_SUB, IR_FSUB},  {IR_MUL, IR_FMUL},  {IR_SDIV, IR_FDIV},
	                              {IR_UDIV, IR_FDIV}, {IR_SREM, IR_FREM}, {IR_UREM, IR_FREM}, {IR_ICMP, IR_FCMP}};
	IrType          e = ir_scalar_type(m, t);
	for (u32 i = 0; i < PS_COUNT(twins); i++)
		for (u32 k = 0; k < 2; k++)
			if (twins[i][k] == op && (k ? ir_type_is_int(m, e) : ir_type_is_fp(m, e))) {
				d->hint = arena_fmt(m->arena, "%s: %s", k ? "integers" : "floats", ir_op_info[twins[i][!k]].name);
				return;
			}
}

void irp_expected_predicate(Parser *p, bool fp)
{
	static const char *const orders[] = {"lt", "le", "gt", "ge", "eq", "ne"};
	Str                      s = at(p, T_WORD) ? p->t.text : (Str){0};
	u32                      before = p->s->diags.list.n;
	irp_expected(p, fp ? "a predicate: oeq, olt, uno, …" : "a predicate: eq, ne, ult, slt, …");
	if (s.n < 2 || p->s->diags.list.n == before)
		return;
	Diag *d = &vec_last(&p->s->diags.list);
	for (u32 i = 0; i < PS_COUNT(orders); i++) {
		if (!str_is((Str){s.p + s.n - 2, 2}, orders[i]))
			continue;
		if (fp)
			diag_hint(&p->s->diags, d, "floats: 'o%s' is false for NaNs, 'u%s' is true", orders[i], orders[i]);
		else if (i < 4)
			diag_hint(&p->s->diags, d, "signed: 's%s', unsigned: 'u%s'%s", orders[i], orders[i],
			          s.n > 2 ? "; floats: fcmp" : "");
		else
			diag_hint(&p->s->diags, d, "did you mean '%s'?", orders[i]);
		return;
	}
}
