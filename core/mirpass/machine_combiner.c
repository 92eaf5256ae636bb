/* machine-combiner: pairs of instructions become one, or are put in an order that takes less time.
 *
 *	%3 = MUL_lo_s32rr %1, %2
 *	%5 = ADDs32rr %3, %4               →     %5 = MAD_lo_s32rrr %1, %2, %4
 *
 *	%4 = ADDs32rr %1, %2   (%1 is late)      %4 = ADDs32rr %2, %3
 *	%5 = ADDs32rr %4, %3               →     %5 = ADDs32rr %1, %4
 *
 *	%3 = ANDb32rr %1, %2               →     %5 = LOP3_b32rrri %1, %2, %4, 106      (machine-combiner-lop3)
 *	%5 = XORb32rr %3, %4
 *
 * Each pattern has an inner instruction whose only reader is the outer one, both in one block. It is applied when the result is
 * there no later than the block's longest path allows (a product and a sum in one, lop3), or earlier than before (another
 * order), by the latencies of machine.def. Additions and multiplications of floats change their order where both instructions
 * are `reassoc` and `nsz`; integers always may, and lose `nuw`, `nsw` and `disjoint`. Multiplications of floats are not
 * fused here: selection knows where that is allowed.
 *
 * Needs and keeps SSA form. Depths are those of mir/deps.h. In blocks of fewer than machine-combiner-inc-threshold instructions
 * they are computed anew after each change; in longer ones only the changed instructions get a new depth, so the cost
 * stays linear. */
#include "mir/deps.h"
#include "mirpass/mirpass.h"

typedef struct Combiner {
	PassCx           *cx;
	MirFunc          *f;
	const IsaMachine *machine;
	u32              *unit; /* by instruction of the block: its unit + 1 */
	MirDepth          depth;
	MirDeps          *deps;
	bool              fresh; /* the depths are those of the code as it is */
	bool              changed;
} Combiner;

/* An inner instruction, its place among the outer one's operands, and the other operand. */
typedef struct Pair {
	MirInstId inner, outer;
	u32       at, other;
} Pair;

static const PtxOpc *opc(const Combiner *c, MirInstId i) { return &mir_desc(c->f, i)->opc; }

static bool is_plain(const Combiner *c, MirInstId i)
{
	return !opc(c, i)->slot[SLOT_guard] && mir_inst(c->f, i)->n_defs == 1 && mir_is_virt(mir_op_reg(mir_op(c->f, i, 0)));
}

/* The pair whose inner instruction defines operand `at` of `outer`. */
static bool find_pair(const Combiner *c, MirInstId outer, u32 at, Pair *p)
{
	MirReg r = mir_op_reg(mir_op(c->f, outer, at));
	if (!mir_is_virt(r) || mir_vreg(c->f, r)->n_uses != 1 || mir_op(c->f, outer, at)->flags & MOF_NOT)
		return false;
	MirInstId inner = mir_def_inst(c->f, r);
	*p = (Pair){inner, outer, at, 3 - at};
	return inner.i && mir_inst(c->f, inner)->block == mir_inst(c->f, outer)->block && is_plain(c, inner) &&
	       mir_inst(c->f, inner)->n_ops == 3 && !mir_is(c->f, inner, IF_CARRY_IN | IF_CARRY_OUT);
}

/* ---- time ---- */

static void take_depths(Combiner *c, MirBlockId b)
{
	MirStretch s = {.f = c->f, .block = b, .machine = c->machine};
	c->deps = mir_deps_build(&s, c->cx->scratch);
	c->depth = mir_deps_depth(c->deps, c->f, c->machine, c->cx->scratch);
	for (u32 k = 0; k < c->deps->n; k++)
		c->unit[c->deps->inst[k].i] = k + 1;
	c->fresh = true;
}

static u32 latency(const Combiner *c, const IsaDesc *d) { return isa_cost(c->machine, d).latency; }

/* The cycle from which on the operand can be read; 0: from the start of the block. */
static u32 ready(const Combiner *c, const MirOp *o, MirBlockId b)
{
	MirReg    r = mir_op_reg(o);
	MirInstId def = mir_is_virt(r) ? mir_def_inst(c->f, r) : (MirInstId){0};
	if (!def.i || mir_inst(c->f, def)->block != b.i || mir_is(c->f, def, IF_PHI) || !c->unit[def.i])
		return 0;
	return c->depth.asap[c->unit[def.i] - 1] + latency(c, mir_desc(c->f, def));
}

static u32 latest(const Combiner *c, MirInstId i) { return c->depth.alap[c->unit[i.i] - 1] + latency(c, mir_desc(c->f, i)); }

/* ---- one instruction for two ---- */

/* The type of which a sum is: any signedness of the width. */
static bool same_width(u32 a, u32 b) { return isa_type(a)->bits == isa_type(b)->bits; }

static bool is_float(const PtxOpc *o) { return o->slot[SLOT_type] && isa_type(o->slot[SLOT_type])->kind == ISA_KIND_FLOAT; }

static bool is_int_add(const Combiner *c, MirInstId i)
{
	return opc(c, i)->op == ISA_add && opc(c, i)->slot[SLOT_type] && !is_float(opc(c, i)) && !opc(c, i)->slot[SLOT_sat];
}

static bool mad_opcode(const Combiner *c, const Pair *p, PtxOpc *out)
{
	const PtxOpc *mul = opc(c, p->inner), *add = opc(c, p->outer);
	if (mul->op != ISA_mul_lo || !is_int_add(c, p->outer) || isa_type(add->slot[SLOT_type])->bits < 16)
		return false;
	if (mul->slot[SLOT_op] != TOK_op_lo || !same_width(mul->slot[SLOT_type], add->slot[SLOT_type]))
		return false;
	*out = (PtxOpc){.op = ISA_mad_lo};
	out->slot[SLOT_op] = TOK_op_lo;
	out->slot[SLOT_type] = mul->slot[SLOT_type];
	return true;
}

static u32 logic(u32 op, u32 a, u32 b) { return op == ISA_and ? a & b : op == ISA_or ? a | b : a ^ b; }

static bool is_logic(const Combiner *c, MirInstId i)
{
	u32 op = opc(c, i)->op;
	return (op == ISA_and || op == ISA_or || op == ISA_xor) && opc(c, i)->slot[SLOT_type] == TOK_type_b32;
}

static bool lop3_opcode(const Combiner *c, const Pair *p, PtxOpc *out, u32 *lut)
{
	if (!knob_bool(c->cx->s, KNOB_machine_combiner_lop3) || !is_logic(c, p->inner) || !is_logic(c, p->outer))
		return false;
	*out = (PtxOpc){.op = ISA_lop3};
	out->slot[SLOT_type] = TOK_type_b32;
	*lut = logic(opc(c, p->outer)->op, logic(opc(c, p->inner)->op, 0xF0, 0xCC), 0xAA);
	return true;
}

/* The outer instruction becomes `to`, of the inner one's sources and its own other one. */
static bool fuse(Combiner *c, const Pair *p, PtxOpc to, const u32 *lut)
{
	MirFunc       *f = c->f;
	u32            desc = isa_intern(c->cx->s, to);
	const IsaDesc *d = isa_desc(c->cx->s, desc);
	MirBlockId     b = {mir_inst(f, p->outer)->block};
	MirOp          source[3] = {*mir_op(f, p->inner, 1), *mir_op(f, p->inner, 2), *mir_op(f, p->outer, p->other)};
	if (!isa_supported(d, &c->cx->s->target))
		return false;
	u32 start = 0;
	for (u32 k = 0; k < 3; k++)
		start = PS_MAX(start, ready(c, &source[k], b));
	if (start + latency(c, d) > latest(c, p->outer)) {
		pass_remark(c->cx, REMARK_MISSED, mir_inst(f, p->outer)->origin,
		            "%.*s would make the longest path of bb.%u longer", STR_ARG(d->mnemonic), mir_block(f, b)->number);
		return false;
	}
	MirInstId i = mir_build(f, b, p->outer, desc);
	mir_inst(f, i)->origin = mir_inst(f, p->outer)->origin;
	mir_inst(f, i)->dbg = mir_inst(f, p->outer)->dbg;
	MirReg result = mir_op_reg(mir_op(f, p->outer, 0));
	c->unit[i.i] = c->unit[p->outer.i];
	c->depth.asap[c->unit[i.i] - 1] = start;
	mir_erase(f, p->outer);
	mir_add_def(f, i, result);
	for (u32 k = 0; k < 3; k++) {
		source[k].flags &= (u16)~MOF_KILL;
		mir_add_op(f, i, source[k]);
	}
	if (lut)
		mir_add_imm(f, i, *lut);
	mir_erase(f, p->inner);
	pass_remark(c->cx, REMARK_PASSED, mir_inst(f, i)->origin, "two instructions become %.*s",
	            STR_ARG(mir_desc(f, i)->mnemonic));
	c->fresh = false;
	c->changed = true;
	return true;
}

/* ---- another order ---- */

static bool may_reorder(const Combiner *c, const Pair *p)
{
	if (!knob_bool(c->cx->s, KNOB_machine_combiner_reassociate))
		return false;
	if (mir_inst(c->f, p->inner)->desc != mir_inst(c->f, p->outer)->desc || !mir_is(c->f, p->outer, IF_COMMUTATIVE))
		return false;
	u32 op = opc(c, p->outer)->op;
	u32 both = mir_inst(c->f, p->inner)->flags & mir_inst(c->f, p->outer)->flags;
	if (is_float(opc(c, p->outer)))
		return (op == ISA_add || op == ISA_mul) && (both & MIF_REASSOC) && (both & MIF_NSZ);
	if (opc(c, p->outer)->slot[SLOT_sat])
		return false;
	return (op == ISA_add && is_int_add(c, p->outer)) || op == ISA_and || op == ISA_or || op == ISA_xor ||
	       (op == ISA_mul_lo && opc(c, p->outer)->slot[SLOT_op] == TOK_op_lo);
}

/* (late op b) op c → late op (b op c) */
static bool reorder(Combiner *c, const Pair *p)
{
	MirFunc   *f = c->f;
	MirBlockId b = {mir_inst(f, p->outer)->block};
	if (!may_reorder(c, p))
		return false;
	u32 first = ready(c, mir_op(f, p->inner, 1), b), second = ready(c, mir_op(f, p->inner, 2), b);
	u32 late = first >= second ? 1 : 2, lat = latency(c, mir_desc(f, p->outer));
	u32 ready_late = PS_MAX(first, second), ready_early = PS_MIN(first, second),
	    other = ready(c, mir_op(f, p->outer, p->other), b);
	u32 before = PS_MAX(ready_late + lat, other) + lat, after = PS_MAX(PS_MAX(ready_early, other) + lat, ready_late) + lat;
	if (after >= before || c->depth.asap[c->unit[p->outer.i] - 1] != c->depth.alap[c->unit[p->outer.i] - 1])
		return false;
	if (mir_op(f, p->inner, late)->kind != MO_REG ||
	    (mir_op(f, p->inner, 3 - late)->kind != MO_REG && mir_op(f, p->outer, p->other)->kind != MO_REG))
		return false;
	MirOp late_op = *mir_op(f, p->inner, late), other_op = *mir_op(f, p->outer, p->other);
	late_op.flags &= (u16)~MOF_KILL;
	other_op.flags &= (u16)~MOF_KILL;
	mir_move(f, p->inner, b, p->outer);
	mir_op_set(f, p->inner, late, other_op);
	mir_op_set(f, p->outer, p->other, late_op);
	mir_inst(f, p->inner)->flags &= (u16) ~(MIF_NUW | MIF_NSW | MIF_DISJOINT);
	mir_inst(f, p->outer)->flags &= (u16) ~(MIF_NUW | MIF_NSW | MIF_DISJOINT);
	c->depth.asap[c->unit[p->inner.i] - 1] = PS_MAX(ready_early, other);
	c->depth.asap[c->unit[p->outer.i] - 1] = after - lat;
	pass_remark(c->cx, REMARK_PASSED, mir_inst(f, p->outer)->origin,
	            "another order gives the result of %.*s %u cycles earlier", STR_ARG(mir_desc(f, p->outer)->mnemonic),
	            before - after);
	c->fresh = false;
	c->changed = true;
	return true;
}

/* ---- the walk ---- */

static bool has_pattern(const Combiner *c, const Pair *p)
{
	PtxOpc to;
	u32    lut;
	return mad_opcode(c, p, &to) || lop3_opcode(c, p, &to, &lut) || may_reorder(c, p);
}

static bool combine(Combiner *c, const Pair *p)
{
	PtxOpc to;
	u32    lut;
	if (mad_opcode(c, p, &to))
		return fuse(c, p, to, NULL);
	if (lop3_opcode(c, p, &to, &lut))
		return fuse(c, p, to, &lut);
	return reorder(c, p);
}

static void visit_block(Combiner *c, MirBlockId b)
{
	u32 size = 0, threshold = (u32)knob_int(c->cx->s, KNOB_machine_combiner_inc_threshold);
	for (MirInstId i = {mir_block(c->f, b)->first}; i.i; i = mir_next(c->f, i))
		size++;
	bool known = false;
	mir_each_inst(c->f, b, i) {
		if (mir_inst(c->f, i)->n_ops != 3 || !is_plain(c, i))
			continue;
		for (u32 at = 1; at <= 2; at++) {
			Pair p;
			if (!find_pair(c, i, at, &p) || !has_pattern(c, &p))
				continue;
			if (!known || (!c->fresh && size < threshold))
				take_depths(c, b);
			known = true;
			if (c->unit[i.i] && combine(c, &p))
				break;
		}
	}
}

static bool run(PassCx *cx)
{
	Combiner c = {.cx = cx, .f = mirpass_func(cx), .machine = isa_machine(cx->s->target.sm)};
	c.unit = arena_array(cx->scratch, u32, 2 * c.f->inst.n);
	mir_each_block(c.f, b)
		visit_block(&c, b);
	return c.changed;
}

static const Knob knobs[] = {KNOB_machine_combiner_inc_threshold, KNOB_machine_combiner_reassociate, KNOB_machine_combiner_lop3,
                             KNOB_NONE};

const Pass mirpass_machine_combiner = {
	.id = "machine-combiner",
	.title = "Machine InstCombiner",
	.summary = "Fuses products with sums, and reorders chains, where no path gets longer",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_machine_combiner,
	.knobs = knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
