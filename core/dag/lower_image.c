/* lower_image.c: texture and surface intrinsics, whose names spell the instruction:
 *
 *	llvm.nvvm.tex.unified.2d.array.level.v4f32.f32   tex.level.a2d.v4.f32.f32
 *	llvm.nvvm.sust.b.1d.v2.i16.zero                  sust.b.1d.v2.b16.zero
 *	llvm.nvvm.txq.channel.data.type                  txq.channel_data_type.b32
 *
 * Arguments are handles, coordinates and values. PTX requires a vector of four for three coordinates; the last one is repeated.
 * Linear in the words of the name. */
#include "dag/lower_named.h"
#include "dag/lower_row.h"

/* 1d, 2d, 3d or cube, and perhaps `array` */
static bool take_geometry(IsaWords *w, PtxOpc *o)
{
	if (!isa_next_word(w) || w->word.n > 4)
		return false;
	char buf[8] = "a";
	memcpy(buf + 1, w->word.p, w->word.n);
	bool     array = false;
	Str      kept = w->word;
	IsaWords ahead = *w;
	if (isa_take_word(&ahead, "array"))
		array = true, *w = ahead;
	o->slot[SLOT_shape] = (u8)isa_token_find(SLOT_shape, (Str){buf + !array, kept.n + array});
	return o->slot[SLOT_shape] != 0;
}

static u8 vec_of(char c) { return c == '2' ? TOK_vec_v2 : c == '4' ? TOK_vec_v4 : 0; }

/* v4f32, v2i16, i8; or two words: v2, i16 */
static bool take_element(IsaWords *w, PtxOpc *o)
{
	if (!isa_next_word(w))
		return false;
	Str s = w->word;
	if (s.n >= 2 && s.p[0] == 'v') {
		o->slot[SLOT_vec] = vec_of(s.p[1]);
		s = (Str){s.p + 2, s.n - 2};
		if (!s.n) {
			if (!isa_next_word(w))
				return false;
			s = w->word;
		}
	}
	char buf[8];
	if (!s.n || s.n >= sizeof buf)
		return false;
	memcpy(buf, s.p, s.n);
	if (buf[0] == 'i')
		buf[0] = 'b';
	o->slot[SLOT_type] = (u8)isa_token_find(SLOT_type, (Str){buf, s.n});
	return o->slot[SLOT_type] != 0;
}

/* channel.data.type → channel_data_type */
static bool take_property(IsaWords *w, PtxOpc *o)
{
	char buf[32];
	u32  n = 0;
	for (; n < w->rest.n && n < sizeof buf; n++)
		buf[n] = w->rest.p[n] == '.' ? '_' : w->rest.p[n];
	o->slot[SLOT_op] = (u8)isa_token_find(SLOT_op, (Str){buf, n});
	o->slot[SLOT_type] = TOK_type_b32;
	return o->slot[SLOT_op] != 0;
}

enum { MAX_OPERANDS = 24 };

/* Does this vector of four hold three coordinates? `first` is its first operand. */
static bool is_padded(const IsaDesc *d, u32 first)
{
	u32 last = first;
	while (last < d->n_operands && !(d->operand[last].flags & IOF_CLOSE))
		last++;
	if (last - first != 3)
		return false;
	bool coordinates = (d->operand[last].flags & IOF_ADDR_CLOSE) != 0;
	if (d->eval != EV_tex && !coordinates)
		return false;
	return !(coordinates && d->opc.slot[SLOT_shape] == TOK_shape_acube);
}

static bool lower(DagFunc *f, IrRef inst, PtxOpc o, DagEffect effect)
{
	if (!isa_is_wellformed(&o))
		return false;
	const IsaDesc *d = isa_desc(f->s, isa_intern(f->s, o));
	u32            n_args = ir_call(f->m, inst)->n_args, arg = 0, n = 0, open = 0;
	bool           pad = false;
	DagVal         ops[MAX_OPERANDS];
	for (u32 i = d->n_defs; i < d->n_operands && n < MAX_OPERANDS; i++) {
		if (d->operand[i].flags & IOF_OPEN)
			open = i, pad = is_padded(d, i);
		bool again = pad && i == open + 3;
		if (!again && arg >= n_args)
			return false;
		ops[n] = again ? ops[n - 1] : dag_value(f, ir_call_arg(f->m, inst, arg++));
		n++;
	}
	if (arg != n_args)
		return false;
	dag_named_instruction(f, inst, o, ops, n, effect);
	return true;
}

static bool lower_fetch(DagFunc *f, IrRef inst, IsaWords *w)
{
	PtxOpc o = {0};
	o.op = isa_take_word(w, "unified") ? ISA_tex_unified : ISA_tex;
	if (!take_geometry(w, &o))
		return false;
	if (isa_take_word(w, "level"))
		o.slot[SLOT_op] = TOK_op_level;
	else if (isa_take_word(w, "grad"))
		o.slot[SLOT_op] = TOK_op_grad;
	return take_element(w, &o) && isa_take_token(w, &o, SLOT_stype) && lower(f, inst, o, DAG_MEMORY);
}

static bool lower_gather(DagFunc *f, IrRef inst, IsaWords *w)
{
	PtxOpc o = {0};
	o.op = isa_take_word(w, "unified") ? ISA_tld4_unified : ISA_tld4;
	return isa_take_token(w, &o, SLOT_op) && take_geometry(w, &o) && take_element(w, &o) &&
	       isa_take_token(w, &o, SLOT_stype) && lower(f, inst, o, DAG_MEMORY);
}

static bool lower_surface(DagFunc *f, IrRef inst, IsaWords *w, bool store)
{
	PtxOpc o = {.op = ISA_suld_b};
	if (store) {
		o.op = isa_take_word(w, "p") ? ISA_sust_p : ISA_sust_b;
		if (o.op == ISA_sust_b && !isa_take_word(w, "b"))
			return false;
	}
	return take_geometry(w, &o) && take_element(w, &o) && isa_take_token(w, &o, SLOT_mode) && lower(f, inst, o, DAG_MEMORY);
}

bool intrinsic_image(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	IsaWords w = {.rest = dag_nvvm_name(f, inst)};
	PtxOpc   query = {.op = ISA_txq};
	if (isa_take_word(&w, "tex"))
		return lower_fetch(f, inst, &w);
	if (isa_take_word(&w, "tld4"))
		return lower_gather(f, inst, &w);
	if (isa_take_word(&w, "suld"))
		return lower_surface(f, inst, &w, false);
	if (isa_take_word(&w, "sust"))
		return lower_surface(f, inst, &w, true);
	if (isa_take_word(&w, "suq"))
		query.op = ISA_suq;
	else if (!isa_take_word(&w, "txq"))
		return false;
	return take_property(&w, &query) && lower(f, inst, query, DAG_PURE);
}
