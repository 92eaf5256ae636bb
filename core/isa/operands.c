/* operands.c: expands the operand text of a row (ptx.def describes the language) to the flat operands of an opcode. */
#include "isa/isa_impl.h"

typedef struct Item {
	Str  name, type, condition, sink;
	char count; /* 0: one; '*': by .vec; '1'..'9' or a letter: that many, in braces */
	bool def, pipe, imm, negatable, optional, wider, gaps, open, close;
} Item;

static bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c >= 'A' && c <= 'Z'); }

static Str take_name(const char **p)
{
	Str s = {*p, 0};
	while (is_name(**p)) {
		++*p;
		s.n++;
	}
	return s;
}

static bool take(const char **p, char c)
{
	if (**p != c)
		return false;
	++*p;
	return true;
}

static Str take_condition(const char **p)
{
	Str s = {*p, (u32)strcspn(*p, ",")};
	*p += s.n;
	return s;
}

static bool item_next(const char **p, Item *it)
{
	while (**p == ' ' || **p == ',')
		++*p;
	if (!**p)
		return false;
	*it = (Item){0};
	it->open = take(p, '[');
	it->def = take(p, '=');
	it->pipe = take(p, '|');
	it->imm = take(p, '#');
	it->negatable = take(p, '!');
	bool braces = take(p, '{');
	it->name = take_name(p);
	if (take(p, ':'))
		it->type = take_name(p);
	if (braces && take(p, '}'))
		it->count = *(*p)++;
	if (take(p, '*'))
		it->count = '*';
	it->wider = take(p, '~');
	it->gaps = take(p, '_');
	it->close = take(p, ']');
	it->optional = take(p, '?');
	if (take(p, '^'))
		it->sink = take_condition(p);
	if (take(p, '/'))
		it->condition = take_condition(p);
	it->def |= it->pipe;
	return true;
}

bool isa_holds(const PtxOpc *o, Str c)
{
	if (!c.n)
		return true;
	bool negated = c.n && c.p[0] == '!';
	Str  name = {c.p + negated, c.n - negated}, token = {0};
	for (u32 i = 0; i < name.n; i++)
		if (name.p[i] == '=') {
			token = (Str){name.p + i + 1, name.n - i - 1};
			name.n = i;
		}
	u32 slot = isa_slot_by_name(name), t = o->slot[slot];
	if (token.n)
		return isa_token_allowed(isa_slot_class(slot), t, token) != negated;
	return (t != 0) != negated;
}

Str isa_unknown_condition(Str c)
{
	Str name = {c.p + (c.n && c.p[0] == '!'), c.n - (c.n && c.p[0] == '!')}, tokens = {0};
	for (u32 i = 0; i < name.n; i++)
		if (name.p[i] == '=') {
			tokens = (Str){name.p + i + 1, name.n - i - 1};
			name.n = i;
		}
	u32 slot = isa_slot_by_name(name);
	return !c.n ? (Str){0} : !slot ? name : isa_unknown_token(isa_slot_class(slot), tokens);
}

u32 isa_vec(const PtxOpc *o)
{
	switch (o->slot[SLOT_vec]) {
	case TOK_vec_v2:
	case TOK_vec_x2: return 2;
	case TOK_vec_v4:
	case TOK_vec_x4: return 4;
	case TOK_vec_v8:
	case TOK_vec_x8: return 8;
	case TOK_vec_x16: return 16;
	case TOK_vec_x32: return 32;
	case TOK_vec_x64: return 64;
	case TOK_vec_x128: return 128;
	default: return 1;
	}
}

static u32 count_of(const PtxOpc *o, char count) { return count ? isa_count(o, count) : 1; }

static bool is_signed(u32 t) { return isa_type(t)->kind == ISA_KIND_SINT; }

/* Registers of a matrix fragment: floats and integers of 32 bits and doubles as they are, the rest packed. */
static u32 fragment_type(const PtxOpc *o, char matrix)
{
	u32 slot = matrix == 'a' ? SLOT_stype : matrix == 'b' ? SLOT_type3 : matrix == 'c' ? SLOT_type4 : SLOT_type;
	u32 t = o->slot[slot];
	return t == TOK_type_f64 || t == TOK_type_f32 || t == TOK_type_s32 ? t : TOK_type_b32;
}

static u32 type_of(const PtxOpc *o, const Item *it)
{
	u32 type = o->slot[SLOT_type];
	if (!it->type.n)
		return type;
	if (str_is(it->type, "any") || str_is(it->type, "ptr"))
		return 0;
	const IsaType *t = isa_type(type);
	if (str_is(it->type, "result"))
		return o->slot[SLOT_op] == TOK_op_wide ? isa_type_of((IsaKind)t->kind, t->bits * 2u) : type;
	if (str_is(it->type, "part"))
		return isa_type_of(ISA_KIND_BITS, t->bits / isa_vec(o));
	if (str_is(it->type, "dp"))
		return is_signed(type) || is_signed(o->slot[SLOT_stype]) ? TOK_type_s32 : TOK_type_u32;
	if (it->type.n == 5 && memcmp(it->type.p, "frag", 4) == 0)
		return fragment_type(o, it->type.p[4]);
	u32 slot = isa_slot_by_name(it->type);
	return slot ? o->slot[slot] : isa_token_find(SLOT_type, it->type);
}

static bool is_type(Str t)
{
	static const char *const computed[] = {"any", "ptr", "result", "part", "dp", "fraga", "fragb", "fragc", "fragd"};
	for (u32 i = 0; i < PS_COUNT(computed); i++)
		if (str_is(t, computed[i]))
			return true;
	u32 slot = isa_slot_by_name(t);
	return slot ? isa_slot_class(slot) == CLASS_type : isa_token_find(SLOT_type, t) != 0;
}

Str isa_unknown_operand(u32 op)
{
	const char *p = isa_row_operands(isa_row(op));
	Item        it;
	while (item_next(&p, &it)) {
		Str wrong = isa_unknown_condition(it.condition);
		if (!wrong.n)
			wrong = isa_unknown_condition(it.sink);
		if (wrong.n)
			return wrong;
		if (it.type.n && !is_type(it.type))
			return it.type;
		if (!it.name.n || (*p && *p != ','))
			return str_of(p);
	}
	return (Str){0};
}

static const struct {
	const char *name;
	u8          kind;
} kind_of[] = {
	{"label", IO_LABEL}, {"func", IO_FUNC}, {"args", IO_ARGS},  {"table", IO_TABLE},
	{"sym", IO_IMAGE},   {"tex", IO_IMAGE}, {"samp", IO_IMAGE}, {"surf", IO_IMAGE},
};

/* Elements may be left out of four or eight that are 256 bits together. */
static bool may_have_gaps(const PtxOpc *o, u32 bits) { return isa_vec(o) >= 4 && isa_vec(o) * bits == 256; }

static IsaOperand operand_of(const PtxOpc *o, const Item *it)
{
	IsaOperand op = {.type = (u8)type_of(o, it)};
	for (u32 i = 0; i < PS_COUNT(kind_of); i++)
		if (str_is(it->name, kind_of[i].name)) {
			op.kind = kind_of[i].kind;
			op.type = 0;
			return op;
		}
	const IsaType *t = isa_type(op.type);
	bool           generic = isa_row(o->op)->flags & IF_GENERIC;
	op.kind = it->imm ? IO_IMM : generic ? IO_ANY : it->def || t->kind == ISA_KIND_PRED ? IO_REG : IO_SRC;
	op.rc = it->imm ? RC_NONE : t->rc;
	op.flags = (u16)((it->def ? IOF_DEF : 0) | (it->pipe ? IOF_PIPE : 0) | (it->negatable ? IOF_NEGATABLE : 0) |
	                 (it->wider ? IOF_WIDER : 0) | (str_is(it->name, "members") ? IOF_MEMBERS : 0) |
	                 (t->kind == ISA_KIND_BITS ? IOF_ANY_CLASS : 0) | (it->sink.n && isa_holds(o, it->sink) ? IOF_SINK : 0));
	if (it->gaps && may_have_gaps(o, t->bits))
		op.flags |= IOF_GAP;
	if (it->imm)
		op.type = TOK_type_b32;
	return op;
}

static u32 add_address(IsaOperand *out, u16 item)
{
	out[0] = (IsaOperand){.kind = IO_BASE, .flags = IOF_ADDR_OPEN, .item = item};
	out[1] = (IsaOperand){.kind = IO_OFFSET, .flags = IOF_ADDR_CLOSE, .item = item};
	return 2;
}

static bool is_array_image(const PtxOpc *o)
{
	u32 s = o->slot[SLOT_shape];
	return s == TOK_shape_a1d || s == TOK_shape_a2d || s == TOK_shape_acube || s == TOK_shape_a2dms || s == TOK_shape_2dms;
}

static u32 add_item(const PtxOpc *o, const Item *it, u16 item, IsaOperand *out)
{
	if (it->open && it->close && !it->count && operand_of(o, it).kind != IO_IMAGE)
		return add_address(out, item);
	u32  n = count_of(o, it->count);
	bool braces = it->count && (it->count != '*' || n > 1);
	if (!n)
		return 0;
	for (u32 i = 0; i < n; i++) {
		out[i] = operand_of(o, it);
		out[i].item = item;
	}
	if (it->count == 'G' && is_array_image(o)) /* the layer or the sample comes first */
		out[0].type = TOK_type_u32, out[0].rc = RC_B32;
	out[0].flags |= (u16)((braces ? IOF_OPEN : 0) | (it->open ? IOF_ADDR_OPEN : 0));
	out[n - 1].flags |= (u16)((braces ? IOF_CLOSE : 0) | (it->close ? IOF_ADDR_CLOSE : 0));
	return n;
}

/* The guard follows the results. */
static u32 add_guard(IsaOperand *out, u32 n)
{
	u32 at = 0;
	while (at < n && out[at].flags & IOF_DEF)
		at++;
	memmove(out + at + 1, out + at, (n - at) * sizeof *out);
	out[at] = (IsaOperand){.kind = IO_REG, .type = TOK_type_pred, .rc = RC_PRED, .flags = IOF_GUARD, .item = 0xffff};
	return n + 1;
}

u32 isa_expand(const PtxOpc *o, IsaOperand *out, u32 *n_items)
{
	const char *p = isa_row_operands(isa_row(o->op));
	u32         n = 0, optional = 0, item = 0;
	Item        it;
	for (; item_next(&p, &it); item++) {
		bool there = !it.optional || o->slot[SLOT_form] >> optional & 1;
		optional += it.optional;
		if (there && isa_holds(o, it.condition) && n + count_of(o, it.count) + 2 < ISA_MAX_OPERANDS)
			n += add_item(o, &it, (u16)item, out + n);
	}
	*n_items = item;
	if (str_starts(str_of(isa_row_template(isa_row(o->op))), "mma.") ||
	    str_starts(str_of(isa_row_template(isa_row(o->op))), "wmma.mma."))
		for (u32 i = 0; i < n; i++)
			out[i].flags |= out[i].flags & IOF_OPEN ? IOF_LINE : 0;
	return o->slot[SLOT_guard] ? add_guard(out, n) : n;
}
