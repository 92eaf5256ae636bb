/* spill.c: spill slots, the code that moves values to and from them, and the registers that the parts of a split one get, see
 * spill.h. */
#include "mirpass/spill.h"

#include "mir/remat.h"

Spiller *spiller_new(PassCx *cx, MirFunc *f)
{
	Spiller *s = arena_new(cx->scratch, Spiller);
	*s = (Spiller){.cx = cx, .f = f, .arena = cx->scratch, .machine = isa_machine(cx->s->target.sm)};
	vec_extend(s->arena, &s->slot, f->vreg.n);
	vec_extend(s->arena, &s->part_of, f->vreg.n);
	return s;
}

/* ---- code ---- */

static u32 desc_of(const Spiller *s, IsaOp op, MirClass c)
{
	PtxOpc o = {.op = (u16)op};
	o.slot[SLOT_space] = TOK_space_local;
	o.slot[SLOT_type] = isa_class_info[c].move;
	return isa_intern(s->cx->s, o);
}

/* Predicates are kept as 16 bits. */
static MirClass stored_as(MirClass c) { return c == MIR_PRED ? MIR_B16 : c; }

static u32 slot_of(Spiller *s, MirReg r)
{
	u32 bytes = isa_class_info[stored_as(mir_class(s->f, r))].bits / 8u, log2 = 0;
	if (s->slot.n <= r.i)
		vec_extend(s->arena, &s->slot, s->f->vreg.n - s->slot.n);
	while (1u << log2 < bytes)
		log2++;
	if (!s->slot.p[r.i])
		s->slot.p[r.i] = mir_frame_new(s->f, (StrId){0}, bytes, log2, MIR_FRAME_SPILL) + 1;
	return s->slot.p[r.i] - 1;
}

/* A load or store of the slot; the register operand is the caller's. */
static MirInstId build(Spiller *s, MirBlockId b, MirInstId before, u32 desc)
{
	MirInstId i = mir_build(s->f, b, before, desc);
	MirInstId like = before.i ? before : mir_prev(s->f, i);
	mir_inst(s->f, i)->origin = like.i ? mir_inst(s->f, like)->origin : 0;
	mir_inst(s->f, i)->dbg = like.i ? mir_inst(s->f, like)->dbg : 0;
	return i;
}

static void add_slot(Spiller *s, MirInstId i, u32 object, u8 flag)
{
	const MirFrameObj *o = &s->f->frame.p[object];
	mir_add_frame(s->f, i, object, 0);
	mir_add_imm(s->f, i, 0);
	mir_add_mem(s->f, i, (MirMem){.size = (u32)o->size, .space = AS_LOCAL, .align_log2 = o->align_log2, .flags = flag});
}

static void load(Spiller *s, MirReg r, MirBlockId b, MirInstId before)
{
	MirFunc  *f = s->f;
	MirClass  c = mir_class(f, r);
	MirReg    to = c == MIR_PRED ? mir_reg_new(f, MIR_B16) : r;
	MirInstId i = build(s, b, before, desc_of(s, ISA_ld, stored_as(c)));
	mir_add_def(f, i, to);
	add_slot(s, i, slot_of(s, r), MMF_LOAD);
	if (c != MIR_PRED)
		return;
	i = build(s, b, before, isa_intern(s->cx->s, ptx_opc(setp, PS(cmp, ne), TY(u16))));
	mir_add_def(f, i, r);
	mir_add_use(f, i, to);
	mir_add_imm(f, i, 0);
}

void spill_store(Spiller *s, MirReg r, MirInstId def)
{
	MirFunc   *f = s->f;
	MirBlockId b = {mir_inst(f, def)->block};
	MirInstId  before = mir_next(f, def), i;
	MirClass   c = mir_class(f, r);
	MirReg     from = c == MIR_PRED ? mir_reg_new(f, MIR_B16) : r;
	u32        origin = mir_inst(f, def)->origin, dbg = mir_inst(f, def)->dbg;
	if (c == MIR_PRED) {
		i = build(s, b, before, isa_intern(s->cx->s, ptx_opc(selp, TY(u16))));
		mir_add_def(f, i, from);
		mir_add_imm(f, i, 1);
		mir_add_imm(f, i, 0);
		mir_add_use(f, i, r);
		mir_inst(f, i)->origin = origin;
		mir_inst(f, i)->dbg = dbg;
	}
	i = build(s, b, before, desc_of(s, ISA_st, stored_as(c)));
	add_slot(s, i, slot_of(s, r), MMF_STORE);
	mir_add_use(f, i, from);
	mir_inst(f, i)->origin = origin;
	mir_inst(f, i)->dbg = dbg;
	s->n_stores++;
}

void spill_reload(Spiller *s, MirReg r, MirBlockId b, MirInstId before, MirInstId again)
{
	if (!again.i) {
		load(s, r, b, before);
		s->n_reloads++;
		return;
	}
	MirInstId i = mir_clone(s->f, again, b, before);
	mir_op_set_reg(s->f, i, 0, r);
	for (u32 n = 0; n < mir_inst(s->f, i)->n_ops; n++) {
		MirOp *o = mir_op(s->f, i, n);
		o->flags &= (u16)~MOF_DEAD;
		if (mir_op_is_use(o) && mir_is_virt(mir_op_reg(o)))
			mir_forget_kills(s->f, mir_op_reg(o));
	}
	s->n_again++;
}

/* ---- computing again ---- */

static u32 latency_of(const Spiller *s, u32 desc) { return isa_cost(s->machine, isa_desc(s->cx->s, desc)).latency; }

/* The definition where it may be repeated, as far as it alone is asked. */
static MirInstId repeatable(const Spiller *s, MirReg r)
{
	MirInstId def = mir_def_inst(s->f, r);
	if (!def.i || mir_inst(s->f, def)->desc == ISA_IMPLICIT_DEF || mir_repeat(s->f, def) != MIR_REPEAT_ANYWHERE)
		return (MirInstId){0};
	u32 reload = latency_of(s, desc_of(s, ISA_ld, stored_as(mir_class(s->f, r))));
	return latency_of(s, mir_inst(s->f, def)->desc) <= reload ? def : (MirInstId){0};
}

bool spill_is_cheap(const Spiller *s, MirReg r)
{
	MirInstId def = repeatable(s, r);
	for (u32 n = 0; def.i && n < mir_inst(s->f, def)->n_ops; n++)
		if (mir_op_is_use(mir_op(s->f, def, n)) && mir_is_virt(mir_op_reg(mir_op(s->f, def, n))))
			return false;
	return def.i != 0;
}

static bool dominates(const Spiller *s, MirInstId def, MirBlockId b, MirInstId at)
{
	if (at.i)
		return mir_inst_dominates(s->f, s->cfg, s->dom, def, at);
	u32 x = s->cfg->node[mir_inst(s->f, def)->block], y = s->cfg->node[b.i];
	return x == y || dom_dominates(s->dom, x, y);
}

/* An operand with one definition that dominates r's holds the same value wherever r does, if r's dominates the place: a path on which it
 * is defined anew leads through r's definition again. */
MirInstId spill_again(const Spiller *s, MirReg r, MirBlockId b, MirInstId at, SpillLiveFn *live, void *user)
{
	const MirFunc *f = s->f;
	MirInstId      no = {0}, def = repeatable(s, r);
	for (u32 n = 0; def.i && n < mir_inst(f, def)->n_ops; n++) {
		const MirOp *o = mir_op(f, def, n);
		MirReg       x = mir_op_reg(o);
		if (!mir_op_is_use(o) || !mir_is_virt(x))
			continue;
		MirInstId d = mir_def_inst(f, x);
		if (!d.i || !mir_inst_dominates(f, s->cfg, s->dom, d, def) || !dominates(s, def, b, at) || !live(user, x, b, at))
			return no;
	}
	return def;
}

/* ---- the parts of a register ---- */

enum { SEEN = 1u << 30 }; /* in Webs.reg */

typedef struct Webs {
	Spiller   *s;
	MirRanges *ranges;
	u32       *up;  /* by value of the register, less its first: union-find */
	u32       *reg; /* by representative: its register */
	u32        first;
} Webs;

static u32 find(u32 *up, u32 v)
{
	while (up[v] != v)
		v = up[v] = up[up[v]];
	return v;
}

static void join(Webs *w, u32 a, u32 b)
{
	if (a == MIR_NO_VALUE || b == MIR_NO_VALUE)
		return;
	a = find(w->up, a - w->first);
	b = find(w->up, b - w->first);
	w->up[PS_MAX(a, b)] = PS_MIN(a, b);
}

static bool writes_early(const MirFunc *f, MirInstId i, MirReg r)
{
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (mir_op_is_def(o) && o->flags & MOF_EARLY_CLOBBER && o->ref == r.i)
			return true;
	}
	return false;
}

/* The value that an operand reads or writes; MIR_NO_VALUE where it is undefined. What an instruction writes early is there at the
 * slot at which it reads, so a value that it reads in the same register is looked for in front of that. */
static u32 value_of(Webs *w, const MirRange *range, const MirOp *o)
{
	const MirSlots *slots = w->ranges->slots;
	u32             slot = mir_slot_of(slots, (MirInstId){o->inst});
	if (mir_op_is_use(o) && writes_early(w->s->f, (MirInstId){o->inst}, mir_op_reg(o)))
		slot = slots->edited ? slots->prev.p[slot / SLOT_STEP] * SLOT_STEP + SLOT_STEP - 1 : slot - 1;
	if (mir_op_is_def(o) && !(o->flags & MOF_EARLY_CLOBBER))
		slot += SLOT_DEF;
	return o->flags & MOF_UNDEF ? MIR_NO_VALUE : mir_range_value(w->ranges, range, slot);
}

/* The value at the start of a block is in the register in which it leaves the predecessors. True where it is undefined on one of
 * these edges. */
static bool join_edges(Webs *w, const MirRange *range, u32 value, MirBlockId b)
{
	MirFunc *f = w->s->f;
	bool     undefined = b.i == f->first_block;
	mir_each_pred(f, b, e) {
		u32 from = mir_range_value(w->ranges, range, mir_slot_last(f, w->ranges->slots, (MirBlockId){e->from}));
		undefined |= from == MIR_NO_VALUE;
		join(w, value, from);
	}
	return undefined;
}

/* Values that meet at the start of a block, and those of tied operands, are in one register. An undefined value meets any other
 * without a new value: where there is one, all edges are looked at. */
static void join_values(Webs *w, MirReg r, const MirRange *range)
{
	const MirRanges *rs = w->ranges;
	bool             undefined = false;
	for (u32 v = range->first_value; v < range->first_value + range->n_values; v++)
		if (!rs->value.p[v].inst)
			undefined |= join_edges(w, range, v, mir_ranges_block(rs, rs->value.p[v].def));
	for (u32 k = 0; undefined && k < range->seg.n; k++) {
		MirSegment s = range->seg.p[k];
		MirBlockId b = mir_ranges_block(rs, s.start);
		for (; b.i && mir_slot_before(rs->slots, mir_slot_start(rs->slots, b), s.end); b.i = mir_block(rs->f, b)->next)
			if (!mir_slot_before(rs->slots, mir_slot_start(rs->slots, b), s.start))
				join_edges(w, range, s.value, b);
	}
	mir_each_use(rs->f, r, o) {
		MirInstId i = {o->inst};
		if (writes_early(rs->f, i, r))
			join(w, value_of(w, range, o), mir_range_value(w->ranges, range, mir_slot_of(rs->slots, i)));
		if (o->tie)
			join(w, value_of(w, range, o), value_of(w, range, mir_op(rs->f, i, o->tie - 1u)));
	}
}

/* A read of what nothing has written keeps nothing alive. Definitions have been renamed before. */
static void rename_undefined_use(Webs *w, MirOp *o)
{
	MirFunc  *f = w->s->f;
	MirInstId i = {o->inst};
	if (mir_op_is_def(o))
		return;
	o->flags = (u16)((o->flags & ~MOF_KILL) | MOF_UNDEF);
	if (o->tie)
		mir_op_set_reg(f, i, mir_op_number(f, o), mir_op_reg(mir_op(f, i, o->tie - 1u)));
}

static void rename_operand(Webs *w, const MirRange *range, MirOp *o, MirReg r, bool *kept)
{
	Spiller *s = w->s;
	u32      v = value_of(w, range, o);
	if (v == MIR_NO_VALUE) {
		rename_undefined_use(w, o);
		return;
	}
	v = find(w->up, v - w->first);
	if (!w->reg[v]) {
		bool fresh = *kept || (r.i < s->slot.n && s->slot.p[r.i]);
		w->reg[v] = fresh ? mir_reg_new(s->f, mir_class(s->f, r)).i : r.i;
		*kept = true;
		if (s->part_of.n < s->f->vreg.n)
			vec_extend(s->arena, &s->part_of, s->f->vreg.n - s->part_of.n);
		if (fresh)
			s->part_of.p[w->reg[v]] = r.i;
	}
	o->flags &= (u16) ~(MOF_KILL | MOF_DEAD);
	if (w->reg[v] != r.i)
		mir_op_set_reg(s->f, (MirInstId){o->inst}, mir_op_number(s->f, o), (MirReg){w->reg[v]});
}

/* An undefined value is no value of any web. Where it was written, each web that is live on other paths must not be: it gets an
 * undefined value of its own there. */
static void rename_undef(Webs *w, const MirRange *range, MirInstId i)
{
	MirFunc *f = w->s->f;
	for (u32 v = 0; v < range->n_values; v++) {
		u32 web = find(w->up, v);
		if (w->ranges->value.p[w->first + v].inst || !w->reg[web] || w->reg[web] & SEEN)
			continue;
		MirInstId undef = mir_build(f, (MirBlockId){mir_inst(f, i)->block}, i, ISA_IMPLICIT_DEF);
		mir_add_def(f, undef, (MirReg){w->reg[web]});
		mir_inst(f, undef)->origin = mir_inst(f, i)->origin;
		w->reg[web] |= SEEN;
	}
	for (u32 v = 0; v < range->n_values; v++)
		w->reg[v] &= ~(u32)SEEN;
	mir_erase(f, i);
}

static void rename_one(Webs *w, MirReg r, Arena *a)
{
	const MirRange *range = mir_range(w->ranges, r);
	VecU32          ops = {0}, undef = {0};
	bool            kept = false;
	if (!range || !range->n_values)
		return;
	w->first = range->first_value;
	w->up = arena_array(a, u32, range->n_values);
	w->reg = arena_array(a, u32, range->n_values);
	for (u32 k = 0; k < range->n_values; k++)
		w->up[k] = k;
	join_values(w, r, range);
	for (u32 o = mir_vreg(w->s->f, r)->defs; o; o = mir_op_at(w->s->f, o)->next) {
		MirInstId i = {mir_op_at(w->s->f, o)->inst};
		if (mir_inst(w->s->f, i)->desc == ISA_IMPLICIT_DEF)
			vec_push(a, &undef, i.i);
		else
			vec_push(a, &ops, o);
	}
	for (u32 o = mir_vreg(w->s->f, r)->uses; o; o = mir_op_at(w->s->f, o)->next)
		vec_push(a, &ops, o);
	for (u32 k = 0; k < ops.n; k++)
		rename_operand(w, range, mir_op_at(w->s->f, ops.p[k]), r, &kept);
	for (u32 k = 0; k < undef.n; k++)
		rename_undef(w, range, (MirInstId){undef.p[k]});
}

/* What is computed again everywhere is computed for nobody at its first place. */
static void erase_dead(Spiller *s, const MirRange *range, const MirRanges *rs)
{
	for (u32 v = range->first_value; v < range->first_value + range->n_values; v++) {
		MirInstId i = {rs->value.p[v].inst};
		if (!i.i || !mir_inst(s->f, i)->block || mir_repeat(s->f, i) == MIR_REPEAT_NEVER)
			continue;
		MirReg r = mir_op_reg(mir_op(s->f, i, 0));
		if (mir_is_virt(r) && !mir_vreg(s->f, r)->n_uses)
			mir_erase(s->f, i);
	}
}

void spill_rename(Spiller *s, const VecU32 *regs, MirFlow flow)
{
	Arena a;
	arena_init(&a, s->f->arena->budget);
	Bitset set = bitset_new(&a, s->f->vreg.n);
	for (u32 k = 0; k < regs->n; k++)
		bitset_add(set, regs->p[k]);
	Webs w = {.s = s, .ranges = mir_ranges_new(flow, set, &a)};
	for (u32 k = 0; k < regs->n; k++)
		rename_one(&w, (MirReg){regs->p[k]}, &a);
	for (u32 k = 0; k < regs->n; k++) {
		const MirRange *range = mir_range(w.ranges, (MirReg){regs->p[k]});
		if (range)
			erase_dead(s, range, w.ranges);
	}
	arena_free(&a);
	s->f->props &= ~(u32)(MP_LIVENESS | MP_SSA);
}

const char *spill_map_check(const Spiller *s)
{
	for (u32 r = 1; r < s->slot.n; r++) {
		const MirVReg *v = mir_vreg(s->f, (MirReg){r});
		if (s->slot.p[r] && v->n_defs)
			return "a register has a slot and is one";
		if (s->slot.p[r] && r < s->part_of.n && s->part_of.p[r] && s->slot.p[s->part_of.p[r]])
			return "a part has a slot of its own";
	}
	return NULL;
}
