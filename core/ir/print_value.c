/* print_value.c: types, names, constants. */
#include "base/decimal.h"
#include "ir/print.h"
#include "ir/text.h"

void irw_line(Printer *pr, u32 origin)
{
	text_c(pr->out, '\n');
	if (pr->origins)
		vec_push(pr->m->arena, pr->origins, origin);
}

/* ---- names and strings ---- */

static void escaped(Text *out, Str s)
{
	for (u32 i = 0; i < s.n; i++) {
		u8 c = (u8)s.p[i];
		if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\')
			text_c(out, (char)c);
		else if (c == '\\')
			text_s(out, "\\\\");
		else
			text_f(out, "\\%02X", (u32)c);
	}
}

void irw_string(Printer *pr, Str s)
{
	text_c(pr->out, '"');
	escaped(pr->out, s);
	text_c(pr->out, '"');
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
	       c == '$';
}

static bool is_plain_name(Str s)
{
	if (s.n == 0 || (s.p[0] >= '0' && s.p[0] <= '9'))
		return false;
	for (u32 i = 0; i < s.n; i++)
		if (!is_word(s.p[i]) || s.p[i] == '$')
			return false;
	return true;
}

void irw_name(Printer *pr, char sigil, Str name)
{
	if (sigil)
		text_c(pr->out, sigil);
	if (is_plain_name(name))
		text_add(pr->out, name);
	else
		irw_string(pr, name);
}

/* A name whose number is stored separately from its base (value.c). */
static void print_numbered(Printer *pr, Str base, u32 number)
{
	irw_name(pr, '%', base);
	bool quoted = text_str(pr->out).p[pr->out->n - 1] == '"';
	pr->out->n -= quoted;
	text_u(pr->out, number);
	if (quoted)
		text_c(pr->out, '"');
}

/* ---- types ---- */

static void print_elems(Printer *pr, const IrTypeRec *r, const char *open, const char *close)
{
	text_s(pr->out, open);
	for (u32 i = 0; i < r->n_elems; i++) {
		text_s(pr->out, i ? ", " : "");
		irw_type(pr, (IrType){pr->m->type_lists.p[r->elems + i]});
	}
	text_s(pr->out, close);
}

void irw_struct_body(Printer *pr, IrType t)
{
	const IrTypeRec *r = ir_type(pr->m, t);
	if (r->opaque)
		text_s(pr->out, "opaque");
	else if (r->n_elems == 0)
		text_s(pr->out, r->packed ? "<{}>" : "{}");
	else
		print_elems(pr, r, r->packed ? "<{ " : "{ ", r->packed ? " }>" : " }");
}

static void print_function_type(Printer *pr, const IrTypeRec *r)
{
	irw_type(pr, (IrType){pr->m->type_lists.p[r->elems]});
	text_s(pr->out, " (");
	for (u32 i = 1; i < r->n_elems; i++) {
		text_s(pr->out, i > 1 ? ", " : "");
		irw_type(pr, (IrType){pr->m->type_lists.p[r->elems + i]});
	}
	if (r->vararg)
		text_s(pr->out, r->n_elems > 1 ? ", ..." : "...");
	text_c(pr->out, ')');
}

static void print_target_type(Printer *pr, const IrTypeRec *r)
{
	text_s(pr->out, "target(");
	irw_string(pr, ir_str(pr->m, r->name));
	for (u32 i = 0; i < r->n_elems; i++) {
		text_s(pr->out, ", ");
		irw_type(pr, (IrType){pr->m->type_lists.p[r->elems + i]});
	}
	for (u32 i = 0; i < r->bits; i++)
		text_f(pr->out, ", %u", pr->m->type_lists.p[r->ints + i]);
	text_c(pr->out, ')');
}

void irw_type(Printer *pr, IrType t)
{
	static const char *const plain[] = {"<none>", "void",      "half",  "bfloat",   "float", "double", "x86_fp80",
	                                    "fp128",  "ppc_fp128", "label", "metadata", "token", "x86_amx"};
	const IrTypeRec         *r = ir_type(pr->m, t);
	switch (r->kind) {
	case IRT_INT: text_f(pr->out, "i%u", r->bits); break;
	case IRT_PTR:
		text_s(pr->out, "ptr");
		if (r->bits)
			text_f(pr->out, " addrspace(%u)", irw_space(pr->m, r->bits));
		break;
	case IRT_ARRAY:
	case IRT_VECTOR:
		text_f(pr->out,
		       r->kind == IRT_ARRAY ? "[%llu x "
		       : r->bits            ? "<vscale x %llu x "
		                            : "<%llu x ",
		       (unsigned long long)r->count);
		irw_type(pr, ir_type_elem(pr->m, t, 0));
		text_c(pr->out, r->kind == IRT_ARRAY ? ']' : '>');
		break;
	case IRT_STRUCT:
		if (r->name.i)
			irw_name(pr, '%', ir_str(pr->m, r->name));
		else if (r->number)
			text_f(pr->out, "%%%u", r->number - 1);
		else
			irw_struct_body(pr, t);
		break;
	case IRT_FUNC: print_function_type(pr, r); break;
	case IRT_TARGET: print_target_type(pr, r); break;
	default: text_s(pr->out, plain[r->kind]);
	}
}

void ir_print_type(Text *out, IrModule *m, IrType t)
{
	Printer pr = {.out = out, .m = m};
	irw_type(&pr, t);
}

/* ---- numbers ---- */

/* Signed decimal of little-endian words: divided down by 10^9. */
static void print_wide_int(Printer *pr, const IrConst *c)
{
	Str  s = ir_str(pr->m, c->data);
	u32  width = ir_type(pr->m, c->type)->bits, n = s.n / 4;
	u32 *w = arena_array(pr->m->arena, u32, n + 1);
	for (u32 i = 0; i < s.n; i++)
		w[i / 4] |= (u32)(u8)s.p[i] << i % 4 * 8;
	bool negative = ((u8)s.p[(width - 1) / 8] >> (width - 1) % 8 & 1) != 0;
	if (negative) {
		u64 carry = 1;
		for (u32 i = 0; i < n; i++) {
			u64 v = (u64)(u32)~w[i] + carry;
			w[i] = (u32)v;
			carry = v >> 32;
		}
		for (u32 bit = width; bit < n * 32; bit++)
			w[bit / 32] &= ~((u32)1 << bit % 32);
	}
	char *digits = arena_alloc(pr->m->arena, (size_t)n * 10 + 16, 1);
	u32   count = 0;
	while (n && !w[n - 1])
		n--;
	while (n) {
		u64 rest = 0;
		for (u32 i = n; i--;) {
			u64 v = rest << 32 | w[i];
			w[i] = (u32)(v / 1000000000u);
			rest = v % 1000000000u;
		}
		for (u32 k = 0; k < 9; k++, rest /= 10)
			digits[count++] = (char)('0' + rest % 10);
		while (n && !w[n - 1])
			n--;
	}
	while (count > 1 && digits[count - 1] == '0')
		count--;
	if (negative)
		text_c(pr->out, '-');
	if (!count)
		text_c(pr->out, '0');
	while (count)
		text_c(pr->out, digits[--count]);
}

static void print_int(Printer *pr, IrRef r)
{
	const IrConst *c = ir_const(pr->m, r);
	i64            v;
	if (c->type.i == IR_TY_I1)
		text_s(pr->out, c->bits ? "true" : "false");
	else if (c->data.i)
		print_wide_int(pr, c);
	else if (ir_as_sint(pr->m, r, &v))
		text_i(pr->out, v);
}

/* As %e of C writes it, where six decimals say it all; else the bits of the double. */
static void print_double(Printer *pr, u64 bits)
{
	f64 v;
	memcpy(&v, &bits, sizeof v);
	bool finite = (bits >> 52 & 0x7FF) != 0x7FF;
	if (!(bits << 1)) {
		text_s(pr->out, bits ? "-0.000000e+00" : "0.000000e+00");
		return;
	}
	Decimal d = finite ? decimal_shortest(v) : (Decimal){.n = 99};
	if (d.n > 7) {
		text_f(pr->out, "0x%llX", (unsigned long long)bits);
		return;
	}
	i32 exp = d.point - 1;
	if (bits >> 63)
		text_c(pr->out, '-');
	text_c(pr->out, d.digit[0]);
	text_c(pr->out, '.');
	for (u32 i = 1; i < 7; i++)
		text_c(pr->out, i < d.n ? d.digit[i] : '0');
	text_c(pr->out, 'e');
	text_c(pr->out, exp < 0 ? '-' : '+');
	text_f(pr->out, "%02u", exp < 0 ? (u32)-exp : (u32)exp);
}

static void print_fp(Printer *pr, IrRef r)
{
	const IrConst *c = ir_const(pr->m, r);
	u64            w[4] = {0};
	ir_const_word(pr->m, r, w, 4);
	switch (ir_type_kind(pr->m, c->type)) {
	case IRT_HALF: text_f(pr->out, "0xH%04X", (u32)w[0]); break;
	case IRT_BFLOAT: text_f(pr->out, "0xR%04X", (u32)w[0]); break;
	case IRT_X86_FP80: text_f(pr->out, "0xK%04X%016llX", (u32)(w[1] & 0xFFFF), (unsigned long long)w[0]); break;
	case IRT_FP128: text_f(pr->out, "0xL%016llX%016llX", (unsigned long long)w[0], (unsigned long long)w[1]); break;
	case IRT_PPC_FP128: text_f(pr->out, "0xM%016llX%016llX", (unsigned long long)w[0], (unsigned long long)w[1]); break;
	default: print_double(pr, ir_fp_to_double(pr->m, c->type, w[0]));
	}
}

/* ---- constants ---- */

/* splat (i32 7): a vector of equal numbers. */
static bool print_splat(Printer *pr, IrRef r)
{
	bool  wanted = irw_version(pr->m) >= 20 && ir_type_is_vector(pr->m, ir_const(pr->m, r)->type);
	IrRef e = wanted ? ir_splat_value(pr->m, r) : IR_NO_REF;
	u32   kind = ir_kind(e) == IR_CONST ? ir_const(pr->m, e)->kind : IRC_NONE;
	if (kind != IRC_INT && kind != IRC_FP)
		return false;
	text_s(pr->out, "splat (");
	irw_typed(pr, e);
	text_c(pr->out, ')');
	return true;
}

static void print_aggregate(Printer *pr, IrRef r)
{
	if (print_splat(pr, r))
		return;
	IrType      t = ir_const(pr->m, r)->type;
	u32         kind = ir_type_kind(pr->m, t);
	bool        packed = kind == IRT_STRUCT && ir_type(pr->m, t)->packed;
	const char *open = kind == IRT_ARRAY ? "[" : kind == IRT_VECTOR ? "<" : packed ? "<{ " : "{ ";
	const char *close = kind == IRT_ARRAY ? "]" : kind == IRT_VECTOR ? ">" : packed ? " }>" : " }";
	u32         n = (u32)ir_type_count(pr->m, t);
	text_s(pr->out, open);
	for (u32 i = 0; i < n; i++) {
		text_s(pr->out, i ? ", " : "");
		irw_typed(pr, ir_const_elem(pr->m, r, i));
	}
	text_s(pr->out, close);
}

/* Of a scalable vector; what is no number, and older versions, have it as a shuffle of one element. */
static void print_scalable_splat(Printer *pr, const IrConst *c)
{
	IrRef e = ir_use(pr->m, c->ops)->value;
	u32   kind = ir_kind(e) == IR_CONST ? ir_const(pr->m, e)->kind : IRC_NONE;
	bool  number = kind == IRC_INT || kind == IRC_FP;
	text_s(pr->out, number && irw_version(pr->m) >= 20 ? "splat (" : "shufflevector (");
	if (!number || irw_version(pr->m) < 20) {
		irw_type(pr, c->type);
		text_s(pr->out, " insertelement (");
		irw_type(pr, c->type);
		text_s(pr->out, " poison, ");
		irw_typed(pr, e);
		text_s(pr->out, ", i64 0), ");
		irw_type(pr, c->type);
		text_s(pr->out, " poison, ");
		irw_type(pr, ir_vector_like(pr->m, c->type, IR_TYPE(I32)));
		text_s(pr->out, " zeroinitializer");
	} else {
		irw_typed(pr, e);
	}
	text_c(pr->out, ')');
}

static bool is_string(const IrModule *m, const IrConst *c)
{
	return ir_type_kind(m, c->type) == IRT_ARRAY && ir_type_elem(m, c->type, 0).i == IR_TY_I8;
}

static void print_operands(Printer *pr, const IrConst *c)
{
	for (u32 i = 0; i < c->n_ops; i++) {
		text_s(pr->out, i ? ", " : "");
		irw_typed(pr, ir_use(pr->m, c->ops + i)->value);
	}
}

static void print_expr(Printer *pr, const IrConst *c)
{
	if (ir_op_is_cast(c->op))
		text_s(pr->out, irw_cast_name(pr->m, c->op, ir_type_of(pr->m, ir_use(pr->m, c->ops)->value), c->type));
	else
		text_s(pr->out, ir_op_info[c->op].name);
	irw_flags(pr, c->op, c->flags);
	if (c->data.i)
		text_f(pr->out, " %.*s", STR_ARG(ir_str(pr->m, c->data)));
	if (c->op == IR_ICMP || c->op == IR_FCMP)
		text_f(pr->out, " %s", ir_pred_name[c->sub]);
	text_s(pr->out, " (");
	if (c->op == IR_GETELEMENTPTR) {
		irw_type(pr, c->elem);
		text_s(pr->out, ", ");
	}
	print_operands(pr, c);
	if (ir_op_is_cast(c->op)) {
		text_s(pr->out, " to ");
		irw_type(pr, c->type);
	}
	text_c(pr->out, ')');
}

static void print_const(Printer *pr, IrRef r)
{
	const IrConst *c = ir_const(pr->m, r);
	switch ((IrConstKind)c->kind) {
	case IRC_NONE: text_s(pr->out, "<none>"); break;
	case IRC_INT: print_int(pr, r); break;
	case IRC_FP: print_fp(pr, r); break;
	case IRC_NULL: text_s(pr->out, "null"); break;
	case IRC_ZERO: text_s(pr->out, "zeroinitializer"); break;
	case IRC_UNDEF: text_s(pr->out, "undef"); break;
	case IRC_POISON: text_s(pr->out, "poison"); break;
	case IRC_TOKEN: text_s(pr->out, "none"); break;
	case IRC_DATA:
		if (is_string(pr->m, c)) {
			text_c(pr->out, 'c');
			irw_string(pr, ir_str(pr->m, c->data));
			break;
		}
		print_aggregate(pr, r);
		break;
	case IRC_AGG: print_aggregate(pr, r); break;
	case IRC_SPLAT: print_scalable_splat(pr, c); break;
	case IRC_EXPR: print_expr(pr, c); break;
	case IRC_BLOCKADDR:
		text_s(pr->out, "blockaddress(");
		irw_ref(pr, ir_const_op(pr->m, r, 0));
		text_s(pr->out, ", ");
		irw_ref(pr, ir_const_op(pr->m, r, 1));
		text_c(pr->out, ')');
		break;
	case IRC_DSO_LOCAL_EQUIVALENT:
	case IRC_NO_CFI:
		text_s(pr->out, c->kind == IRC_NO_CFI ? "no_cfi " : "dso_local_equivalent ");
		irw_ref(pr, ir_const_op(pr->m, r, 0));
		break;
	case IRC_PTRAUTH:
		text_s(pr->out, "ptrauth (");
		print_operands(pr, c);
		text_c(pr->out, ')');
		break;
	}
}

u32 irw_number(const Printer *pr, IrRef r)
{
	const VecU32 *v = &pr->m->numbering->value[ir_kind(r)];
	return ir_index(r) < v->n ? v->p[ir_index(r)] : 0;
}

static void print_local(Printer *pr, StrId name, IrRef r)
{
	if (name.i)
		irw_name(pr, '%', ir_str(pr->m, name));
	else
		text_f(pr->out, "%%%u", irw_number(pr, r));
}

void irw_ref(Printer *pr, IrRef r)
{
	switch (ir_kind(r)) {
	case IR_NONE: text_s(pr->out, "<none>"); break;
	case IR_INST: {
		const IrInstInfo *i = ir_info(pr->m, r);
		if (i->state & IRS_NAME_NUMBERED)
			print_numbered(pr, ir_str(pr->m, i->name), i->number);
		else
			print_local(pr, i->name, r);
		break;
	}
	case IR_ARG: print_local(pr, ir_arg(pr->m, r)->name, r); break;
	case IR_BLOCK: print_local(pr, ir_block(pr->m, r)->name, r); break;
	case IR_GLOBAL: {
		const IrGlobal     *g = ir_global(pr->m, r);
		const IrwOlderCall *older = irw_older_call(pr->m, r);
		if (older)
			irw_older_name(pr, r, older);
		else if (g->name.i)
			irw_name(pr, '@', ir_str(pr->m, g->name));
		else
			text_f(pr->out, "@%u", irw_number(pr, r));
		break;
	}
	case IR_CONST: print_const(pr, r); break;
	case IR_MD: irw_md(pr, (IrMd){ir_index(r)}); break;
	case IR_ASM: {
		const IrAsm *a = ir_asm(pr->m, r);
		text_s(pr->out, "asm ");
		text_s(pr->out, a->flags & IRASM_SIDEEFFECT ? "sideeffect " : "");
		text_s(pr->out, a->flags & IRASM_ALIGNSTACK ? "alignstack " : "");
		text_s(pr->out, a->flags & IRASM_INTEL ? "inteldialect " : "");
		text_s(pr->out, a->flags & IRASM_UNWIND ? "unwind " : "");
		irw_string(pr, ir_str(pr->m, a->text));
		text_s(pr->out, ", ");
		irw_string(pr, ir_str(pr->m, a->constraints));
		break;
	}
	}
}

void irw_typed(Printer *pr, IrRef r)
{
	irw_type(pr, ir_type_of(pr->m, r));
	text_c(pr->out, ' ');
	irw_ref(pr, r);
}

void ir_print_operand(Text *out, IrModule *m, IrRef r, bool with_type)
{
	Printer pr = {.out = out, .m = m};
	if (with_type)
		irw_typed(&pr, r);
	else
		irw_ref(&pr, r);
}
