/* imagename.c: LLVM's names of texture and surface opcodes, which keep an order and an alphabet of their own:
 *
 *	tex.level.a2d.v4.f32.f32  two handles  TEX_2D_ARRAY_F32_F32_LEVEL_RI
 *	suld.b.1d.v2.b16.zero                  SULD_1D_V2I16_ZERO_R
 *	txq.channel_order.b32                  TXQ_CHANNEL_ORDER_I
 *
 * The last letters say of each handle whether it is a register (R) or a slot, that is, a symbol (I). */
#include "isa/isa_impl.h"

static void add_upper(Text *out, Str s)
{
	for (u32 i = 0; i < s.n; i++)
		text_c(out, s.p[i] >= 'a' && s.p[i] <= 'z' ? (char)(s.p[i] - 32) : s.p[i]);
}

static void add_geometry(Text *out, u32 shape)
{
	Str  s = isa_class_text(CLASS_shape, shape);
	bool array = s.p[0] == 'a';
	add_upper(out, (Str){s.p + array, s.n - array});
	if (array)
		text_s(out, "_ARRAY");
}

/* V4I16: the plain loads say I where PTX says b */
static void add_element(Text *out, const PtxOpc *o)
{
	Str  type = isa_class_text(CLASS_type, o->slot[SLOT_type]);
	bool load = o->op == ISA_suld_b, texture = isa_row(o->op)->flags & IF_TEXTURE;
	u32  vec = o->slot[SLOT_vec];
	if (vec && !(texture && vec == TOK_vec_v4))
		text_c(out, 'V'), text_u(out, isa_vec(o));
	else if (!vec && texture)
		text_s(out, "V1");
	if (load && type.p[0] == 'b')
		text_c(out, 'I'), text_add(out, (Str){type.p + 1, type.n - 1});
	else
		add_upper(out, type);
}

static void add_fetch(Text *out, const PtxOpc *o)
{
	u32 op = o->slot[SLOT_op];
	if (o->op == ISA_tld4 || o->op == ISA_tld4_unified)
		add_upper(out, isa_class_text(CLASS_op, op)), text_c(out, '_');
	add_geometry(out, o->slot[SLOT_shape]);
	text_c(out, '_');
	add_element(out, o);
	text_c(out, '_');
	add_upper(out, isa_class_text(CLASS_type, o->slot[SLOT_stype]));
	if ((o->op == ISA_tex || o->op == ISA_tex_unified) && op)
		text_c(out, '_'), add_upper(out, isa_class_text(CLASS_op, op));
}

static void add_surface(Text *out, const PtxOpc *o)
{
	if (o->slot[SLOT_op])
		add_upper(out, isa_class_text(CLASS_op, o->slot[SLOT_op])), text_c(out, '_');
	add_geometry(out, o->slot[SLOT_shape]);
	text_c(out, '_');
	add_element(out, o);
	if (o->slot[SLOT_cop])
		text_c(out, '_'), add_upper(out, isa_class_text(CLASS_cop, o->slot[SLOT_cop]));
	text_c(out, '_');
	add_upper(out, isa_class_text(CLASS_mode, o->slot[SLOT_mode]));
}

bool isa_is_image(u32 op) { return isa_row(op)->flags & (IF_TEXTURE | IF_SURFACE); }

void isa_image_name(const IsaDesc *d, u32 slot_mask, Text *out)
{
	const PtxOpc *o = &d->opc;
	text_s(out, isa_row_name(isa_row(o->op)));
	if (d->eval == EV_tex)
		add_fetch(out, o);
	else if (d->eval == EV_surf)
		add_surface(out, o);
	else
		add_upper(out, isa_class_text(CLASS_op, o->slot[SLOT_op]));
	if (o->slot[SLOT_flag2])
		text_s(out, "_LEVEL");
	if (o->slot[SLOT_form])
		text_f(out, "_O%u", o->slot[SLOT_form]);
	if (o->slot[SLOT_guard])
		text_s(out, o->slot[SLOT_guard] == 2 ? "_NP" : "_P");
	text_c(out, '_');
	for (u32 i = 0; i < d->n_operands; i++)
		if (d->operand[i].kind == IO_IMAGE)
			text_c(out, i < 32 && slot_mask >> i & 1 ? 'I' : 'R');
}

/* ---- reading: the parts of the name, each looked up among the tokens its slot may hold */

typedef struct Parts {
	Str part[16];
	u32 n;
} Parts;

static bool same_upper(Str upper, Str s)
{
	if (upper.n != s.n)
		return false;
	for (u32 i = 0; i < s.n; i++)
		if (upper.p[i] != (s.p[i] >= 'a' && s.p[i] <= 'z' ? s.p[i] - 32 : s.p[i]))
			return false;
	return true;
}

static u32 find_upper(u32 class, Str upper)
{
	for (u32 t = 1; t <= isa_class_tokens(class); t++)
		if (same_upper(upper, isa_class_text(class, t)))
			return t;
	return 0;
}

static bool take_vec(PtxOpc *o, Str *s, bool texture)
{
	o->slot[SLOT_vec] = texture ? TOK_vec_v4 : 0;
	if (s->n < 3 || s->p[0] != 'V' || s->p[1] < '1' || s->p[1] > '8')
		return true;
	u32 n = (u32)(s->p[1] - '0');
	o->slot[SLOT_vec] = n == 1 ? 0 : n == 2 ? TOK_vec_v2 : TOK_vec_v4;
	*s = (Str){s->p + 2, s->n - 2};
	return n == 1 || n == 2 || n == 4;
}

static bool take_type(PtxOpc *o, Str s, bool load)
{
	char buf[8];
	if (!s.n || s.n >= sizeof buf)
		return false;
	memcpy(buf, s.p, s.n);
	if (load && buf[0] == 'I')
		buf[0] = 'B';
	o->slot[SLOT_type] = (u8)find_upper(CLASS_type, (Str){buf, s.n});
	return o->slot[SLOT_type] != 0;
}

static bool take_geometry(PtxOpc *o, const Parts *p, u32 *i)
{
	if (*i >= p->n)
		return false;
	Str  s = p->part[(*i)++];
	char buf[8] = {'A'};
	if (s.n >= sizeof buf)
		return false;
	memcpy(buf + 1, s.p, s.n);
	bool array = *i < p->n && str_is(p->part[*i], "ARRAY");
	*i += array;
	o->slot[SLOT_shape] = (u8)find_upper(CLASS_shape, (Str){buf + !array, s.n + array});
	return o->slot[SLOT_shape] != 0;
}

static bool take_token(PtxOpc *o, const Parts *p, u32 *i, u32 slot)
{
	if (*i >= p->n)
		return false;
	o->slot[slot] = (u8)find_upper(isa_slot_class(slot), p->part[(*i)++]);
	return o->slot[slot] != 0;
}

static bool take_element(PtxOpc *o, const Parts *p, u32 *i, bool texture)
{
	if (*i >= p->n)
		return false;
	Str s = p->part[(*i)++];
	return take_vec(o, &s, texture) && take_type(o, s, o->op == ISA_suld_b);
}

static bool take_fetch(PtxOpc *o, const Parts *p, u32 *i)
{
	bool gather = o->op == ISA_tld4 || o->op == ISA_tld4_unified;
	if (gather && !take_token(o, p, i, SLOT_op))
		return false;
	if (!take_geometry(o, p, i) || !take_element(o, p, i, true) || !take_token(o, p, i, SLOT_stype))
		return false;
	u32 mode = !gather && *i < p->n ? find_upper(CLASS_op, p->part[*i]) : 0;
	if (mode == TOK_op_level || mode == TOK_op_grad || mode == TOK_op_base)
		o->slot[SLOT_op] = (u8)mode, ++*i;
	return true;
}

static bool take_surface(PtxOpc *o, const Parts *p, u32 *i)
{
	if ((o->op == ISA_sured_b || o->op == ISA_sured_p) && !take_token(o, p, i, SLOT_op))
		return false;
	if (!take_geometry(o, p, i) || !take_element(o, p, i, false) || *i >= p->n)
		return false;
	u32 cop = find_upper(CLASS_cop, p->part[*i]);
	if (cop)
		o->slot[SLOT_cop] = (u8)cop, ++*i;
	return take_token(o, p, i, SLOT_mode);
}

/* A query's name may hold `_`: the parts from *i on, as many as make a token. */
static bool take_query(PtxOpc *o, const Parts *p, u32 *i)
{
	for (u32 n = p->n - *i; n; n--) {
		Str all = {p->part[*i].p, (u32)(p->part[*i + n - 1].p + p->part[*i + n - 1].n - p->part[*i].p)};
		u32 t = find_upper(CLASS_op, all);
		if (t) {
			o->slot[SLOT_op] = (u8)t;
			o->slot[SLOT_type] = TOK_type_b32;
			*i += n;
			return true;
		}
	}
	return false;
}

static bool take_rest(PtxOpc *o, const Parts *p, u32 i)
{
	if (i < p->n && str_is(p->part[i], "LEVEL"))
		o->slot[SLOT_flag2] = TOK_flag_level, i++;
	if (i < p->n && p->part[i].n == 2 && p->part[i].p[0] == 'O')
		o->slot[SLOT_form] = (u8)(p->part[i].p[1] - '0'), i++;
	if (i < p->n && (str_is(p->part[i], "P") || str_is(p->part[i], "NP")))
		o->slot[SLOT_guard] = p->part[i].n == 2 ? 2 : 1, i++;
	if (i + 1 != p->n)
		return false;
	Str letters = p->part[i];
	for (u32 k = 0; k < letters.n; k++)
		if (letters.p[k] != 'R' && letters.p[k] != 'I')
			return false;
	u32 handles = o->op == ISA_tex || o->op == ISA_tld4 ? 2 : 1;
	return letters.n == handles;
}

bool isa_image_by_name(Str name, PtxOpc *opc)
{
	for (u32 op = ISA_GENERIC_COUNT; op < ISA_OP_COUNT; op++) {
		const IsaRow *row = isa_row(op);
		if (!isa_is_image(op) || !str_starts(name, isa_row_name(row)))
			continue;
		Parts p = {0};
		for (u32 at = (u32)strlen(isa_row_name(row)); at < name.n && p.n < PS_COUNT(p.part); at++, p.n++) {
			p.part[p.n].p = name.p + at;
			while (at < name.n && name.p[at] != '_')
				at++, p.part[p.n].n++;
		}
		PtxOpc o = {.op = (u16)op};
		u32    i = 0;
		bool   good = row->eval == EV_tex    ? take_fetch(&o, &p, &i)
		              : row->eval == EV_surf ? take_surface(&o, &p, &i)
		                                     : p.n && take_query(&o, &p, &i);
		if (good && take_rest(&o, &p, i) && isa_is_wellformed(&o)) {
			*opc = o;
			return true;
		}
	}
	return false;
}
