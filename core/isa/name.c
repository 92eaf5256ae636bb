/* name.c: MIR names of opcodes.
 *
 * The row's name, then the id of every slot that is set, in the template's order: SETP_lt_s32, LD_global_v2_f32.
 * A type that comes first stands without `_` behind a letter: ADDs32, ANDb32. Then what has no text in PTX: the
 * vector length of pack and unpack, the special register, optional operands (`_o1`), the guard (`_p`, `_np`). Last,
 * where there are two sources or it is a move, one letter each: r register, i immediate (ADDs32ri). A few opcodes
 * have names of their own, LLVM's: see `special`. */
#include "isa/isa_impl.h"

static const struct {
	const char *name;
	u16         op;
	u8          slot, value;
} special[] = {
	{"CBranch", ISA_bra, SLOT_guard, 1},
	{"CBranchOther", ISA_bra, SLOT_guard, 2},
};

static bool is_special(const PtxOpc *o, u32 i)
{
	PtxOpc want = {.op = special[i].op};
	want.slot[special[i].slot] = special[i].value;
	return memcmp(&want, o, sizeof want) == 0;
}

static void add_operand_letters(const IsaDesc *d, u32 imm_mask, Text *out)
{
	u32 n = 0;
	for (u32 i = d->n_defs; i < d->n_operands; i++)
		n += d->operand[i].kind == IO_SRC || (d->operand[i].kind == IO_REG && !(d->operand[i].flags & IOF_GUARD));
	if (d->flags & IF_GENERIC || d->eval == EV_ld || d->eval == EV_st || (n < 2 && !(d->flags & IF_MOVE)))
		return;
	for (u32 i = d->n_defs; i < d->n_operands; i++)
		if (d->operand[i].kind == IO_SRC || (d->operand[i].kind == IO_REG && !(d->operand[i].flags & IOF_GUARD)))
			text_c(out, i < 32 && imm_mask >> i & 1 ? 'i' : 'r');
}

void isa_name(const Session *s, u32 desc, u32 imm_mask, Text *out)
{
	const IsaDesc *d = isa_desc(s, desc);
	const PtxOpc  *o = &d->opc;
	const IsaRow  *r = isa_row(o->op);
	for (u32 i = 0; i < PS_COUNT(special); i++)
		if (is_special(o, i)) {
			text_s(out, special[i].name);
			return;
		}
	if (isa_is_image(o->op)) {
		isa_image_name(d, imm_mask, out);
		return;
	}
	Str base = str_of(isa_row_name(r));
	text_add(out, base);
	bool        bare = base.n && base.p[base.n - 1] == '_'; /* no `_` wanted now */
	bool        first = true, vec_shown = false;
	const char *p = isa_row_modifiers(r);
	for (IsaElem e; isa_elem_next(&p, &e);) {
		if (!e.slot || !o->slot[e.slot] || !isa_holds(o, e.condition))
			continue;
		vec_shown |= e.slot == SLOT_vec;
		if (!bare && !(first && e.slot == SLOT_type))
			text_c(out, '_');
		text_add(out, isa_class_id(isa_slot_class(e.slot), o->slot[e.slot]));
		bare = first = false;
	}
	if (o->slot[SLOT_vec] && !vec_shown)
		text_f(out, "_%s", isa_token_text(SLOT_vec, o->slot[SLOT_vec]));
	if (o->slot[SLOT_sreg])
		text_f(out, "_%s", isa_sreg(o->slot[SLOT_sreg])->id);
	if (o->slot[SLOT_form])
		text_f(out, "_o%u", o->slot[SLOT_form]);
	if (o->slot[SLOT_guard])
		text_s(out, o->slot[SLOT_guard] == 2 ? "_np" : "_p");
	add_operand_letters(d, imm_mask, out);
}

/* ---- reading */

typedef struct NameReader {
	Str    text;
	PtxOpc opc;
} NameReader;

static u32 skip(Str text, u32 at, Str word)
{
	return at + word.n <= text.n && memcmp(text.p + at, word.p, word.n) == 0 ? at + word.n : 0;
}

static bool is_letters(Str text, u32 at)
{
	while (at < text.n && (text.p[at] == 'r' || text.p[at] == 'i'))
		at++;
	return at == text.n;
}

/* Each of the hidden parts may be there or not. Recursion: one level per part. */
static bool match_hidden(NameReader *r, u32 at, u32 part)
{
	u8 *slot = r->opc.slot;
	if (part == 4)
		return is_letters(r->text, at);
	for (u32 v = 1; part == 0 && v <= isa_class_tokens(CLASS_vec) && !slot[SLOT_vec]; v++) {
		Str id = isa_class_id(CLASS_vec, v);
		u32 end = at < r->text.n && r->text.p[at] == '_' ? skip(r->text, at + 1, id) : 0;
		slot[SLOT_vec] = (u8)v;
		if (end && match_hidden(r, end, 1))
			return true;
		slot[SLOT_vec] = 0;
	}
	for (u32 v = 1; part == 1 && r->opc.op == ISA_sreg && v < SREG_COUNT; v++) {
		u32 end = at < r->text.n && r->text.p[at] == '_' ? skip(r->text, at + 1, str_of(isa_sreg(v)->id)) : 0;
		slot[SLOT_sreg] = (u8)v;
		if (end && match_hidden(r, end, 2))
			return true;
		slot[SLOT_sreg] = 0;
	}
	u32 end = part == 2 ? skip(r->text, at, STR("_o")) : 0;
	if (end) {
		u32 v = 0;
		while (end < r->text.n && r->text.p[end] >= '0' && r->text.p[end] <= '9' && v < 256)
			v = v * 10 + (u32)(r->text.p[end++] - '0');
		slot[SLOT_form] = (u8)v;
		if (v && v < 256 && match_hidden(r, end, 3))
			return true;
		slot[SLOT_form] = 0;
	}
	for (u32 v = 1; part == 3 && v <= 2; v++) {
		end = skip(r->text, at, v == 2 ? STR("_np") : STR("_p"));
		slot[SLOT_guard] = (u8)v;
		if (end && match_hidden(r, end, 4))
			return true;
		slot[SLOT_guard] = 0;
	}
	return match_hidden(r, at, part + 1);
}

/* Recursion is as deep as the template is long. */
static bool match_name(NameReader *r, const char *p, u32 at, bool bare, bool first)
{
	IsaElem e;
	if (!isa_elem_next(&p, &e))
		return match_hidden(r, at, 0);
	if (!e.slot)
		return match_name(r, p, at, bare, first);
	u32 class = isa_slot_class(e.slot), start = at;
	if (!bare && !(first && e.slot == SLOT_type))
		start = at < r->text.n && r->text.p[at] == '_' ? at + 1 : 0;
	if (!isa_holds(&r->opc, e.condition))
		start = 0;
	for (u32 t = 1; start && !r->opc.slot[e.slot] && t <= isa_class_tokens(class); t++) {
		u32 end = isa_token_allowed(class, t, e.allow) ? skip(r->text, start, isa_class_id(class, t)) : 0;
		if (!end)
			continue;
		r->opc.slot[e.slot] = (u8)t;
		if (match_name(r, p, end, false, false))
			return true;
		r->opc.slot[e.slot] = 0;
	}
	return e.optional && match_name(r, p, at, bare, first);
}

u32 isa_desc_by_name(Session *s, Str name)
{
	isa_table(s);
	for (u32 i = 0; i < PS_COUNT(special); i++)
		if (str_is(name, special[i].name)) {
			PtxOpc o = {.op = special[i].op};
			o.slot[special[i].slot] = special[i].value;
			return isa_intern(s, o);
		}
	for (u32 op = 1; op < ISA_GENERIC_COUNT; op++)
		if (str_is(name, isa_row_name(isa_row(op))))
			return op;
	PtxOpc image;
	if (isa_image_by_name(name, &image))
		return isa_intern(s, image);
	for (u32 op = ISA_GENERIC_COUNT; op < ISA_OP_COUNT; op++) {
		const IsaRow *row = isa_row(op);
		Str           base = str_of(isa_row_name(row));
		if (!str_starts(name, base.p) || isa_is_image(op))
			continue;
		NameReader  r = {.text = name, .opc = {.op = (u16)op}};
		const char *p = isa_row_modifiers(row);
		if (match_name(&r, p, base.n, base.n && base.p[base.n - 1] == '_', true))
			return isa_intern(s, r.opc);
	}
	return 0;
}
