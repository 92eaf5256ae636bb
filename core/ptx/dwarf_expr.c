/* dwarf_expr.c: what a place or a value of a variable is called in DWARF 2, and in comments.
 *
 *	%5                                            DW_OP_regx %r2
 *	%5, DW_OP_plus_uconst 8, DW_OP_deref          DW_OP_bregx %r2 8
 *	7, DW_OP_plus_uconst 8, DW_OP_stack_value     DW_OP_lit7, DW_OP_plus_uconst 8
 *	%5, DW_OP_LLVM_fragment 32 32                 DW_OP_piece 4, DW_OP_regx %r2, DW_OP_piece 4
 *
 * A value that is computed from a register has no name: DWARF 2 has no DW_OP_stack_value, and readers would take the result for
 * an address. Constants are computed, as nobody takes those for places. As in LLVM 22, byte for byte. Linear in the operations. */
#include "isa/isa.h"
#include "mir/debug.h"
#include "ptx/dwarf.h"

enum { MAX_OPERATIONS = 32, BYTE = 8 };

typedef struct Operation {
	u32 code;
	u64 arg[2];
} Operation;

/* An expression without the bits that it is for. */
typedef struct Operations {
	Operation op[MAX_OPERATIONS];
	u32       n;
	bool      known; /* all of it: else it has no name */
	bool      fragment, is_value;
	u64       offset, size; /* of the fragment, in bits */
} Operations;

typedef struct Bytes {
	u8  *p;
	u32  n;
	bool full;
} Bytes;

typedef struct OpRow {
	u32         code;
	const char *name, *takes;
} OpRow;

static const OpRow op_rows[] = {
#define DW_OP(name, value, takes) {value, #name, takes},
#include "ptx/dwarf.def"
};

const char *dw_operation(u32 code, const char **name)
{
	for (u32 i = 0; i < PS_COUNT(op_rows); i++)
		if (op_rows[i].code == code) {
			*name = op_rows[i].name;
			return op_rows[i].takes;
		}
	*name = "";
	return "";
}

static const OpRow *row_of(const IrModule *m, const IrMdField *x)
{
	Str word = x->kind == IRMF_NAME ? ir_str(m, (StrId){x->a}) : STR("");
	if (!str_starts(word, "DW_OP_"))
		return NULL;
	for (u32 i = 0; i < PS_COUNT(op_rows); i++)
		if (str_is((Str){word.p + 6, word.n - 6}, op_rows[i].name))
			return &op_rows[i];
	return NULL;
}

/* An encoding of LLVM_convert may be a name. */
static u64 argument(const IrModule *m, const IrMdField *x)
{
	Str word = x->kind == IRMF_NAME ? ir_str(m, (StrId){x->a}) : STR("");
	return word.n ? str_starts(word, "DW_ATE_signed") ? DW_ATE_signed : DW_ATE_unsigned : x->bits;
}

static Operations operations(const Dwarf *d, IrMd expression)
{
	const IrModule *m = d->a->ir;
	const IrMdNode *n = dw_expression_node(d, expression);
	Operations      o = {.known = true};
	u32             args = 0;
	for (u32 i = 0; n && i < n->n;) {
		const IrMdField *x = m->md_fields.p + n->first + i;
		const OpRow     *row = row_of(m, x);
		u32              takes = row ? (u32)strlen(row->takes) : 0;
		if (!row || o.n == MAX_OPERATIONS || i + takes >= n->n) {
			o.known = false;
			return o;
		}
		Operation op = {.code = row->code};
		for (u32 k = 0; k < takes; k++)
			op.arg[k] = argument(m, x + 1 + k);
		i += 1 + takes;
		if (row->code == DW_OP_LLVM_fragment) {
			o.fragment = true;
			o.offset = op.arg[0];
			o.size = op.arg[1];
		} else if (row->code == DW_OP_stack_value) {
			o.is_value = true;
		} else if (row->code == DW_OP_LLVM_arg) { /* of a list with one value, selection takes that for it */
			o.known &= !o.n && !op.arg[0] && !args++;
		} else {
			o.op[o.n++] = op;
		}
	}
	return o;
}

bool dw_fragment(const Dwarf *d, IrMd expression, u64 *offset, u64 *size)
{
	Operations o = operations(d, expression);
	if (o.fragment) {
		*offset = o.offset;
		*size = o.size;
	}
	return o.fragment;
}

bool dw_same_expression(const Dwarf *d, IrMd a, IrMd b)
{
	const IrModule *m = d->a->ir;
	const IrMdNode *x = dw_expression_node(d, a), *y = dw_expression_node(d, b);
	u32             n = x ? x->n : 0;
	if (a.i == b.i || n != (y ? y->n : 0))
		return a.i == b.i;
	for (u32 i = 0; i < n; i++) {
		const IrMdField *u = m->md_fields.p + x->first + i, *v = m->md_fields.p + y->first + i;
		if (u->kind != v->kind || (u->kind == IRMF_NAME ? u->a != v->a : u->bits != v->bits))
			return false;
	}
	return true;
}

bool dw_is_plain(const Dwarf *d, const DwValue *x)
{
	const IrMdNode *n = dw_expression_node(d, x->expression);
	return x->kind != DW_PIECES && (!n || !n->n);
}

/* ---- bytes ---- */

static void emit_byte(Bytes *b, u32 v)
{
	if (b->n < DW_MAX_BYTES)
		b->p[b->n++] = (u8)v;
	else
		b->full = true;
}

static void emit_uleb(Bytes *b, u64 v)
{
	u8  bytes[10];
	u32 n = dw_uleb(bytes, v);
	for (u32 i = 0; i < n; i++)
		emit_byte(b, bytes[i]);
}

static void emit_sleb(Bytes *b, i64 v)
{
	u8  bytes[10];
	u32 n = dw_sleb(bytes, v);
	for (u32 i = 0; i < n; i++)
		emit_byte(b, bytes[i]);
}

/* The shortest that is the number. */
static void emit_unsigned(Bytes *b, u64 v)
{
	if (v < 32) {
		emit_byte(b, DW_OP_lit0 + (u32)v);
	} else if (v == UINT64_MAX) {
		emit_byte(b, DW_OP_lit0);
		emit_byte(b, DW_OP_not);
	} else {
		emit_byte(b, DW_OP_constu);
		emit_uleb(b, v);
	}
}

static void emit_piece(Bytes *b, u64 bits)
{
	emit_byte(b, bits % BYTE ? DW_OP_bit_piece : DW_OP_piece);
	emit_uleb(b, bits % BYTE ? bits : bits / BYTE);
	if (bits % BYTE)
		emit_uleb(b, 0);
}

/* False: one of them is not of DWARF 2. */
static bool emit_operations(Bytes *b, const Operations *o, u32 from)
{
	for (u32 i = from; i < o->n; i++) {
		const Operation *op = &o->op[i];
		const char      *name, *takes = dw_operation(op->code, &name);
		if (op->code >= 0x100)
			return false;
		if (op->code == DW_OP_constu) {
			emit_unsigned(b, op->arg[0]);
			continue;
		}
		emit_byte(b, op->code);
		for (u32 k = 0; takes[k]; k++) {
			if (takes[k] == 's')
				emit_sleb(b, (i64)op->arg[k]);
			else
				emit_uleb(b, op->arg[k]);
		}
	}
	return !b->full;
}

u32 dw_operations(const Dwarf *d, IrMd expression, u8 *bytes, u32 room)
{
	u8         all[DW_MAX_BYTES];
	Bytes      b = {.p = all};
	Operations o = operations(d, expression);
	if (!o.known || o.is_value || !emit_operations(&b, &o, 0))
		return DW_UNKNOWN;
	if (o.fragment)
		emit_piece(&b, o.size);
	if (b.full || b.n > room)
		return DW_UNKNOWN;
	memcpy(bytes, all, b.n);
	return b.n;
}

/* ---- registers ---- */

static Str register_name(const Dwarf *d, MirReg r)
{
	u32 number = d->a->number[r.i];
	return arena_fmt(d->a->arena, "%s%u", isa_class_info[number >> ASM_NUMBER_BITS].prefix,
	                 number & (((u32)1 << ASM_NUMBER_BITS) - 1));
}

/* A register's number is its name in PTX, one byte for each letter; 0: it is too long. */
static u64 register_number(const Dwarf *d, MirReg r)
{
	Str name = register_name(d, r);
	u64 v = 0;
	for (u32 i = 0; i < name.n; i++)
		v = v << 8 | (u8)name.p[i];
	return name.n <= 8 ? v : 0;
}

/* Is %SP set? Only functions that need a generic address of the frame do so. */
static bool has_frame_register(const Dwarf *d)
{
	MirFunc *f = d->a->f;
	mir_each_inst(f, (MirBlockId){f->first_block}, i)
		for (u32 k = 0; k < mir_inst(f, i)->n_ops; k++)
			if (mir_op_is_def(mir_op(f, i, k)) && mir_op(f, i, k)->ref == mir_phys(MIR_PHYS_SP).i)
				return true;
	return false;
}

/* The constant that the register is moved by first. Returns how many operations that takes. */
static u32 leading_offset(const Operations *o, i64 *offset)
{
	*offset = 0;
	if (o->n && o->op[0].code == DW_OP_plus_uconst) {
		*offset = (i64)o->op[0].arg[0];
		return 1;
	}
	if (o->n < 2 || (o->op[0].code != DW_OP_constu && o->op[0].code != DW_OP_consts) ||
	    (o->op[1].code != DW_OP_plus && o->op[1].code != DW_OP_minus))
		return 0;
	*offset = (i64)(o->op[1].code == DW_OP_plus ? o->op[0].arg[0] : 0 - o->op[0].arg[0]);
	return 2;
}

/* From where on the operations are emitted: a place in memory has its last DW_OP_deref implied. */
static u32 behind_deref(const Operations *o, u32 at)
{
	u32 n = at;
	while (n < o->n && o->op[n].code == DW_OP_deref)
		n++;
	return at + (n > at && n == o->n);
}

static bool emit_register(Dwarf *d, Bytes *b, const DwValue *x, const Operations *o)
{
	u64 number = register_number(d, (MirReg){x->reg});
	if (!number || o->is_value)
		return false;
	if (!o->n && !x->bits) {
		emit_byte(b, DW_OP_regx);
		emit_uleb(b, number);
		return !b->full;
	}
	i64 offset;
	u32 at = leading_offset(o, &offset);
	emit_byte(b, DW_OP_bregx);
	emit_uleb(b, number);
	emit_sleb(b, offset);
	return emit_operations(b, o, x->bits ? at : behind_deref(o, at));
}

static bool emit_slot(Dwarf *d, Bytes *b, const DwValue *x, const Operations *o)
{
	const MirFrameObj *object = &d->a->f->frame.p[x->reg];
	i64                offset;
	u32                at = leading_offset(o, &offset);
	bool               memory = x->bits & 1;
	if (o->is_value || (!memory && (at >= o->n || o->op[at].code != DW_OP_deref)) || object->is_dead ||
	    !has_frame_register(d))
		return false;
	emit_byte(b, DW_OP_bregx);
	emit_uleb(b, '%' << 16 | 'S' << 8 | 'P');
	emit_sleb(b, object->offset + offset + (i64)(x->bits >> 1));
	return emit_operations(b, o, memory ? at : behind_deref(o, at));
}

/* ---- constants ---- */

bool dw_is_unsigned(const Dwarf *d, IrMd type)
{
	for (u32 i = 0; i < 64 && type.i; i++, type = dw_node(d, type, "baseType")) {
		Str encoding = dw_word(d, type, "encoding");
		if (encoding.n)
			return str_starts(encoding, "DW_ATE_unsigned") || str_is(encoding, "DW_ATE_boolean") ||
			       str_is(encoding, "DW_ATE_UTF");
		if (str_is(dw_word(d, type, "tag"), "DW_TAG_pointer_type"))
			return true;
	}
	return false;
}

/* Conversions in front are done. Returns how many. */
static u32 converted(const Operations *o, u64 *v)
{
	u32 n = 0;
	for (u64 bits; n < o->n && o->op[n].code == DW_OP_LLVM_convert; n++) {
		bits = o->op[n].arg[0];
		if (!bits || bits > 64)
			return 0;
		u64 mask = bits == 64 ? UINT64_MAX : ((u64)1 << bits) - 1, top = (mask >> 1) + 1;
		*v &= mask;
		if (n + 1 < o->n && o->op[n + 1].code == DW_OP_LLVM_convert && o->op[n + 1].arg[1] == DW_ATE_signed && *v & top)
			*v |= ~mask;
	}
	return n;
}

void dw_wide(const Dwarf *d, const DwValue *x, u64 word[2])
{
	word[0] = word[1] = 0;
	ir_const_word(d->a->ir, (IrRef){(u32)x->bits}, word, 2);
}

static bool emit_constant(Dwarf *d, Bytes *b, const DwVariable *v, const DwValue *x, const Operations *o, bool in_list)
{
	Str encoding = dw_word(d, dw_node(d, v->node, "type"), "encoding");
	u64 bits = x->bits;
	u32 at = x->kind == MIR_DEBUG_INT ? converted(o, &bits) : 0;
	if (in_list && x->kind == MIR_DEBUG_INT && str_starts(encoding, "DW_ATE_signed")) {
		emit_byte(b, DW_OP_consts);
		emit_sleb(b, (i64)bits);
	} else {
		emit_unsigned(b, bits);
	}
	return emit_operations(b, o, at);
}

/* ---- all of them ---- */

/* The value, or what there is of it; without the size of a piece. False: it cannot be said. */
static bool emit_value(Dwarf *d, Bytes *b, const DwVariable *v, const DwValue *x, const Operations *o, bool in_list)
{
	if (!o->known)
		return false;
	switch ((MirDebugKind)x->kind) {
	case MIR_DEBUG_REG: return emit_register(d, b, x, o);
	case MIR_DEBUG_INT:
	case MIR_DEBUG_FP: return emit_constant(d, b, v, x, o, in_list);
	case MIR_DEBUG_FRAME: return emit_slot(d, b, x, o);
	case MIR_DEBUG_WIDE:
	case MIR_DEBUG_NOWHERE:
	case MIR_DEBUG_LABEL: break;
	}
	return false;
}

u32 dw_expression(Dwarf *d, const DwVariable *v, const DwValue *x, bool in_list, u8 bytes[DW_MAX_BYTES])
{
	Bytes b = {.p = bytes};
	u64   at = 0; /* bits that have been said */
	if (x->kind != DW_PIECES) {
		Operations o = operations(d, x->expression);
		return emit_value(d, &b, v, x, &o, in_list) && !b.full ? b.n : 0;
	}
	for (u32 i = 0; i < x->bits; i++) {
		const DwValue *y = &d->plan->value.p[d->plan->piece.p[x->reg + i]];
		Operations     o = operations(d, y->expression);
		u8             of_value[DW_MAX_BYTES];
		Bytes          part = {.p = of_value};
		if (!emit_value(d, &part, v, y, &o, in_list) || part.full)
			continue;
		if (o.offset > at)
			emit_piece(&b, o.offset - at);
		for (u32 k = 0; k < part.n; k++)
			emit_byte(&b, of_value[k]);
		emit_piece(&b, o.size);
		at = o.offset + o.size;
	}
	return b.full ? 0 : b.n;
}

/* ---- comments ---- */

static void print_operations(Dwarf *d, IrMd expression)
{
	Text           *out = d->a->out;
	const IrMdNode *n = dw_expression_node(d, expression);
	if (!n || !n->n)
		return;
	text_c(out, '[');
	for (u32 i = 0; i < n->n; i++) {
		const IrMdField *x = d->a->ir->md_fields.p + n->first + i;
		if (x->kind == IRMF_NAME)
			text_f(out, "%s%.*s", i ? ", " : "", STR_ARG(ir_str(d->a->ir, (StrId){x->a})));
		else
			text_f(out, " %llu", (unsigned long long)x->bits);
	}
	text_s(out, "] ");
}

/* `of:name`, with the function where it is directly in one. */
static void print_owned(Dwarf *d, const char *title, IrMd n)
{
	IrMd scope = dw_node(d, n, "scope");
	Str  of = str_is(dw_kind(d, scope), "DISubprogram") ? dw_str(d, scope, "name") : STR("");
	text_f(d->a->out, "\t//%s: %.*s%s%.*s", title, STR_ARG(of), of.n ? ":" : "", STR_ARG(dw_str(d, n, "name")));
}

void dw_print_note(Dwarf *d, const DwNote *note)
{
	Text *out = d->a->out;
	if (note->part == ~0u) {
		print_owned(d, "DEBUG_LABEL", d->plan->source_label.p[note->value].node);
		text_c(out, '\n');
		asm_mark(d->a, 0);
		return;
	}
	const DwPart     *part = &d->plan->part.p[note->part];
	const DwVariable *v = &d->plan->variable.p[part->variable];
	const DwValue    *x = &d->plan->value.p[note->value];
	print_owned(d, "DEBUG_VALUE", v->node);
	text_s(out, " <- ");
	print_operations(d, x->kind || !part->size ? x->expression : part->expression);
	switch ((MirDebugKind)x->kind) {
	case MIR_DEBUG_NOWHERE: text_s(out, "undef"); break;
	case MIR_DEBUG_REG: text_f(out, x->bits ? "[%.*s+0]" : "%.*s", STR_ARG(register_name(d, (MirReg){x->reg}))); break;
	case MIR_DEBUG_INT: text_f(out, "%lld", (long long)x->bits); break;
	case MIR_DEBUG_FP: text_f(out, "0x%llX", (unsigned long long)x->bits); break;
	case MIR_DEBUG_WIDE: {
		u64 word[2];
		dw_wide(d, x, word);
		text_f(out, "0x%llX%016llX", (unsigned long long)word[1], (unsigned long long)word[0]);
		break;
	}
	case MIR_DEBUG_FRAME:
		if (x->bits & 1)
			text_f(out, "[$vrdepot+%llu]", (unsigned long long)(x->bits >> 1));
		else
			text_s(out, "$vrdepot");
		break;
	case MIR_DEBUG_LABEL: break;
	}
	text_c(out, '\n');
	asm_mark(d->a, 0);
}
