/* intrinsic_text.c: the PTX that a call of an intrinsic means, from the text of its row (FORM in intrinsics.def).
 *
 *   row   llvm.nvvm.redux.sync.f{max,min}{,.abs}   "redux.sync.{max|min}{|.abs}.f32 a, members"
 *   call  llvm.nvvm.redux.sync.fmin.abs            "redux.sync.min.abs.f32 a, members"
 *
 * One row stands for the regular part of a family: alternatives in the text are chosen by the name, by constant arguments and by
 * the address space of a pointer. Linear in the text. */
#include "ir/intrinsic.h"
#include "ir/signature.h"
#include "isa/isa.h"

/* Alternatives `a|b|c` from `p` on, up to the closing character. */
static Str alternative(const char *p, u32 n)
{
	for (; n && *p != '}' && *p != '>'; p++)
		n -= *p == '|';
	return (Str){p, n ? 0 : (u32)strcspn(p, "|}>")};
}

static u32 alternatives(const char *p)
{
	u32 n = 1;
	for (; *p != '}' && *p != '>'; p++)
		n += *p == '|';
	return n;
}

static bool is_none(Str s) { return str_is(s, "!"); }

static bool add_alternative(Text *out, const char *p, u64 n)
{
	Str s = n < alternatives(p) ? alternative(p, (u32)n) : STR("!");
	if (!is_none(s))
		text_add(out, s);
	return !is_none(s);
}

static bool add_space(Text *out, const IrModule *m, IrRef pointer, bool of_block)
{
	u32 number = ir_type(m, ir_type_of(m, pointer))->bits;
	if (number != AS_GENERIC && !isa_space(number))
		return false;
	if (number == AS_SHARED && of_block)
		text_f(out, ".%s", isa_token_text(SLOT_space, TOK_space_shared_cta));
	else if (number != AS_GENERIC)
		text_f(out, ".%s", isa_token_text(SLOT_space, isa_space_token(number)));
	return true;
}

/* ".f16x2" is its ending's: the type of a float, the number of bits of an integer. */
static bool add_type(Text *out, const IrModule *m, IrType t)
{
	IrType e = ir_scalar_type(m, t);
	u64    lanes = ir_type_is_vector(m, t) ? ir_type_count(m, t) : 1;
	if (ir_type_is_fp(m, e))
		text_f(out, "%s%u", e.i == IR_TY_BFLOAT ? "bf" : "f", (u32)ir_size_bits(m, e));
	else
		text_u(out, (u32)ir_size_bits(m, e));
	if (lanes > 1)
		text_f(out, "x%u", (u32)lanes);
	return true;
}

/* An argument of a text: a letter. */
static IrRef argument(const IrModule *m, IrRef call, char letter) { return ir_call_arg(m, call, (u32)(letter - 'a')); }

bool ir_intrinsic_text(const IrModule *m, IrRef call, Text *out)
{
	u32 row = ir_call_intrinsic(m, call), group = 0;
	u8  choice[IR_MAX_GROUPS];
	u64 k;
	ir_intrinsic_choices(ir_str(m, ir_global(m, ir_callee(m, call))->name), row, choice);
	for (const char *p = ir_intrinsic_insn(row); *p; p++) {
		bool ok = true;
		switch (*p) {
		case '{':
			p++;
			if (*p >= '1' && *p <= '9' && p[1] == ':' && p[2] != ':')
				group = (u32)(*p - '1'), p += 2;
			ok = group < IR_MAX_GROUPS && add_alternative(out, p, choice[group++]);
			p = strchr(p, '}');
			break;
		case '<':
			ok = ir_as_int(m, argument(m, call, p[1]), &k) && add_alternative(out, p + 3, k);
			p = strchr(p, '>');
			break;
		case '$': ok = add_type(out, m, ir_type_of(m, argument(m, call, *++p))); break;
		case '@': {
			bool of_block = p[1] == '@';
			p += 1 + of_block;
			ok = add_space(out, m, argument(m, call, *p), of_block);
			break;
		}
		case '(': p = strchr(p, ')'); break; /* the range of the constant before it */
		default: text_c(out, *p);
		}
		if (!ok)
			return false;
	}
	return true;
}

/* Of the alternatives that it chooses from, or of what is written behind it. */
bool ir_intrinsic_range(u32 row, u32 arg, u64 *least, u64 *most)
{
	char letter = (char)('a' + arg);
	for (const char *p = ir_intrinsic_insn(row); *p; p++) {
		if (*p == '<' && p[1] == letter && p[2] == ':') {
			*most = alternatives(p + 3) - 1;
			for (*least = 0; is_none(alternative(p + 3, (u32)*least));)
				++*least;
			return true;
		}
		if (*p != letter || p[1] != '(')
			continue;
		*least = *most = 0;
		for (p += 2; *p >= '0' && *p <= '9'; p++)
			*least = *least * 10 + (u64)(*p - '0');
		for (p += strspn(p, "."); *p >= '0' && *p <= '9'; p++)
			*most = *most * 10 + (u64)(*p - '0');
		return true;
	}
	return false;
}
