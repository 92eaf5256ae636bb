/* intern.c: numbers the opcodes of a session (hash consing), and computes the IsaDesc of each opcode when it is first met. */
#include "isa/isa_impl.h"

#include "base/hash.h"

static void index_words(IsaTable *t)
{
	/* from the last to the first, so that chains are in table order */
	for (u32 op = ISA_OP_COUNT; op-- > ISA_GENERIC_COUNT;) {
		const char *text = isa_row_template(isa_row(op));
		Str         w = isa_first_word(text, (u32)strlen(text));
		u32         b = hash_bytes(w.p, w.n) % ISA_WORD_BUCKETS;
		t->word_next[op] = t->word_first[b];
		t->word_first[b] = (u16)op;
	}
}

/* Called for every node that is selected, so it hashes words, not bytes. */
static u32 opc_hash(const PtxOpc *o)
{
	u64 word[sizeof *o / sizeof(u64)], h = 0;
	memcpy(word, o, sizeof word);
	for (u32 i = 0; i < PS_COUNT(word); i++)
		h = (h ^ word[i]) * 0x9E3779B97F4A7C15u;
	return (u32)(hash_u64(h));
}

static u32 *bucket_of(const Session *s, const IsaTable *t, const PtxOpc *o)
{
	u32 i = opc_hash(o) & t->mask;
	while (t->slot[i] && memcmp(&isa_desc(s, t->slot[i])->opc, o, sizeof *o) != 0)
		i = (i + 1) & t->mask;
	return &t->slot[i];
}

static void grow(Session *s, IsaTable *t)
{
	u32 old = t->slot ? t->mask + 1 : 0;
	t->mask = (old ? old * 2 : 512) - 1;
	t->slot = arena_array(&s->arena, u32, t->mask + 1);
	for (u32 d = 1; d < s->isa_descs.n; d++)
		*bucket_of(s, t, &isa_desc(s, d)->opc) = d;
}

/* ---- facts about one opcode */

static bool is_float(u32 type) { return isa_type(type)->kind == ISA_KIND_FLOAT; }

static void set_unit(IsaDesc *d)
{
	u32 type = d->opc.slot[SLOT_type];
	if (d->unit != UNIT_ALU && d->unit != UNIT_FMA && d->unit != UNIT_SFU)
		return;
	if (type == TOK_type_f64) {
		d->unit = UNIT_FP64;
	} else if (d->unit == UNIT_SFU) {
		return;
	} else if (is_float(type) && isa_type(type)->lane_bits == 16) {
		d->unit = UNIT_HALF;
	} else if (type == TOK_type_f32 && d->eval >= EV_add && d->eval <= EV_fma) {
		d->unit = UNIT_FMA;
	} else if (isa_type(type)->bits == 64 && d->unit == UNIT_FMA) {
		d->extra = (u8)(d->extra + 8); /* 64-bit products are three of 32 bits, one behind the other */
	}
}

static u32 memory_flags(const PtxOpc *o)
{
	switch (o->slot[SLOT_sem]) {
	case TOK_sem_volatile: return IF_SIDE_EFFECTS;
	case TOK_sem_relaxed: return IF_ATOMIC | (isa_has_flag(o, TOK_flag_mmio) ? IF_SIDE_EFFECTS : 0u);
	case TOK_sem_acquire:
	case TOK_sem_release:
	case TOK_sem_acq_rel:
	case TOK_sem_sc: return IF_ATOMIC | IF_FENCE | IF_SIDE_EFFECTS;
	default: return 0;
	}
}

static u32 sreg_flags(u32 sreg)
{
	switch (isa_sreg(sreg)->divergence) {
	case DIV_THREAD: return IF_DIVERGENT;
	case DIV_VOLATILE: return IF_DIVERGENT | IF_SIDE_EFFECTS;
	default: return IF_UNIFORM;
	}
}

enum {
	NOT_PURE = IF_LOAD | IF_STORE | IF_SIDE_EFFECTS | IF_CONVERGENT | IF_TERMINATOR | IF_CALL | IF_CARRY_IN | IF_CARRY_OUT |
	           IF_ASYNC | IF_FENCE | IF_GENERIC | IF_TEXTURE | IF_SURFACE,
};

static void set_flags(IsaDesc *d)
{
	const PtxOpc *o = &d->opc;
	if (d->flags & IF_GENERIC)
		return;
	d->flags |= IF_PREDICABLE;
	if (d->eval == EV_ld || d->eval == EV_st || d->eval == EV_atom)
		d->flags |= memory_flags(o);
	if (d->eval == EV_atom)
		d->flags |= IF_DIVERGENT;
	if (isa_has_flag(o, TOK_flag_cc))
		d->flags |= IF_CARRY_OUT;
	if (o->slot[SLOT_sreg])
		d->flags |= sreg_flags(o->slot[SLOT_sreg]);
	if (o->slot[SLOT_guard])
		d->flags &= ~(u32)IF_BARRIER;
	if (!(d->flags & NOT_PURE))
		d->flags |= IF_REMAT;
	if (d->flags & IF_REMAT && !d->extra && d->unit == UNIT_ALU && !o->slot[SLOT_guard])
		d->flags |= IF_CHEAP;
}

static void fill(Session *s, IsaDesc *d)
{
	const IsaRow *r = isa_row(d->opc.op);
	IsaOperand    operand[ISA_MAX_OPERANDS];
	u32           items, n = isa_expand(&d->opc, operand, &items);
	IsaOperand   *kept = arena_array(&s->arena, IsaOperand, n + 1);
	memcpy(kept, operand, n * sizeof *kept);
	d->operand = kept;
	d->n_operands = (u8)n;
	d->n_items = (u8)items;
	while (d->n_defs < n && kept[d->n_defs].flags & IOF_DEF)
		d->n_defs++;
	d->flags = r->flags;
	d->eval = r->eval;
	d->unit = r->unit;
	d->extra = r->extra;
	d->need = isa_need_of(isa_table(s), &d->opc);
	set_unit(d);
	set_flags(d);
	if (r->flags & IF_GENERIC) {
		d->mnemonic = str_of(isa_row_name(r));
		return;
	}
	Text t;
	text_init(&t, &s->arena);
	isa_print_mnemonic(&t, &d->opc);
	d->mnemonic = text_str(&t);
}

static u32 add(Session *s, IsaTable *t, const PtxOpc *opc)
{
	if (2 * (t->used + 1) > t->mask)
		grow(s, t);
	u32      id = pages_new(&s->isa_descs);
	IsaDesc *d = pages_at(&s->isa_descs, id);
	d->opc = *opc;
	d->id = id;
	fill(s, d);
	*bucket_of(s, t, opc) = id;
	t->used++;
	return id;
}

IsaTable *isa_table(Session *s)
{
	if (s->isa)
		return s->isa;
	IsaTable *t = arena_new(&s->arena, IsaTable);
	s->isa = t;
	pages_init(&s->isa_descs, &s->arena, sizeof(IsaDesc));
	strtab_init(&t->mnemonics, &s->arena);
	grow(s, t);
	index_words(t);
	isa_index_needs(s, t);
	for (u32 op = 1; op < ISA_GENERIC_COUNT; op++) {
		u32 id = add(s, t, &(PtxOpc){.op = (u16)op});
		ICE_UNLESS(s, id == op);
	}
	return t;
}

void isa_init(Session *s) { isa_table(s); }

u32 isa_intern(Session *s, PtxOpc opc)
{
	IsaTable *t = isa_table(s);
	ICE_UNLESS(s, opc.op != ISA_NONE && opc.op < ISA_OP_COUNT);
	if (opc.op < ISA_GENERIC_COUNT)
		return opc.op;
	u32 id = *bucket_of(s, t, &opc);
#ifndef NDEBUG
	if (!id && !isa_is_wellformed(&opc)) {
		Text text;
		text_init(&text, &s->arena);
		isa_print_mnemonic(&text, &opc);
		ICE(s, "no such form of %s: %.*s", isa_row_id(isa_row(opc.op)), STR_ARG(text_str(&text)));
	}
#endif
	return id ? id : add(s, t, &opc);
}

bool isa_has_flag(const PtxOpc *o, u32 flag) { return o->slot[SLOT_flag] == flag || o->slot[SLOT_flag2] == flag; }

PtxOpc isa_guarded(PtxOpc opc, bool negated)
{
	opc.slot[SLOT_guard] = negated ? 2 : 1;
	return opc;
}
