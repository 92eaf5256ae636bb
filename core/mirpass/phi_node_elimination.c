/* phi-node-elimination: out of SSA.
 *
 *	bb.3:                                    bb.3:
 *	  %1 = PHI %3, %bb.2, %2, %bb.3            %1 = COPY %9
 *	  …                                        …
 *	  bra %bb.3                    →           %9 = COPY %2
 *	                                           bra %bb.3
 *	                                         (and %9 = COPY %3 at the end of bb.2)
 *
 * Each phi gets a register of its own that carries the value over the edges (Sreedhar's first method): all
 * phis of a block are read before any is written, so swapped and lost copies cannot arise. register-coalescer
 * takes out the copies that need not be; without it (-usedessa=1, or at -O0) they stay.
 *
 * Results are right whether cssa has run or not. Where it has not, a phi may join values that are live at once:
 * such phis are counted, and it is said (-cssa-verbosity, remarks).
 *
 * A copy goes between a comparison and the branch that reads it: where nvptx-peephole has made one instruction of the two, it is
 * split first, or the operands of the comparison would outlive the copies.
 *
 * Where registers are merged afterwards, the step of a loop's variable is first moved behind the last reader of the old value in
 * its block. Both values then take turns in one register, where a pointer that is advanced before it is read needs two and
 * a move in the loop:
 *
 *	%2 = ADD64 %1, 8                         … = LD_global %1
 *	… = LD_global %1              →          %2 = ADD64 %1, 8
 *
 * An operand that is undefined on its edge gets an IMPLICIT_DEF for a copy. A copy goes in front of the predecessor's
 * terminators; where a terminator itself defines the value (no instruction of PTX does) it could not. */
#include "mirpass/mirpass.h"

static bool is_undef(const MirFunc *f, const MirOp *o)
{
	if (o->flags & MOF_UNDEF)
		return true;
	MirInstId d = mir_def_inst(f, mir_op_reg(o));
	return d.i && mir_inst(f, d)->desc == ISA_IMPLICIT_DEF;
}

/* A phi lists a predecessor once per edge; the copy is needed once. `copied`: by block, the phi that was last. */
static void copy_on_edge(MirFunc *f, MirInstId phi, u32 n, MirReg carrier, u32 *copied)
{
	const MirOp *o = mir_ops(f, phi);
	MirBlockId   pred = {o[n + 1].ref};
	if (copied[pred.i] == phi.i)
		return;
	copied[pred.i] = phi.i;
	MirReg    value = mir_op_reg(&o[n]);
	bool      undef = is_undef(f, &o[n]);
	MirInstId copy = mir_build(f, pred, mir_first_terminator(f, pred), undef ? (u32)ISA_IMPLICIT_DEF : (u32)ISA_COPY);
	mir_inst(f, copy)->origin = mir_inst(f, phi)->origin;
	mir_add_def(f, copy, carrier);
	if (!undef)
		mir_add_use(f, copy, value);
}

/* An input that only this phi reads, or a copy that cssa made for it: it ends at the edge. */
static bool is_conventional(const MirFunc *f, const MirOp *o)
{
	MirReg    r = mir_op_reg(o);
	MirInstId d = mir_def_inst(f, r);
	if (is_undef(f, o) || !d.i)
		return true;
	u32 desc = mir_inst(f, d)->desc;
	return desc == ISA_CSSA_COPY || (desc != ISA_PHI && mir_vreg(f, r)->n_uses == 1);
}

static bool all_undef(const MirFunc *f, MirInstId phi)
{
	for (u32 n = 1; n < mir_inst(f, phi)->n_ops; n += 2)
		if (!is_undef(f, mir_op(f, phi, n)))
			return false;
	return true;
}

/* Undefined operands whose only reader is this phi go with it. */
static void drop_undefs(MirFunc *f, MirInstId phi)
{
	for (u32 n = 1; n < mir_inst(f, phi)->n_ops; n += 2) {
		MirReg    r = mir_op_reg(mir_op(f, phi, n));
		MirInstId d = mir_def_inst(f, r);
		if (!d.i || mir_inst(f, d)->desc != ISA_IMPLICIT_DEF || mir_vreg(f, r)->n_uses != 1)
			continue;
		mir_op_set(f, phi, n, (MirOp){.kind = MO_REG, .flags = MOF_UNDEF, .ref = mir_phys(MIR_PHYS_NONE).i});
		mir_erase(f, d);
	}
}

static void lower_phi(MirFunc *f, MirInstId phi, MirInstId after_phis, u32 *copied)
{
	MirReg     dest = mir_op_reg(mir_op(f, phi, 0));
	MirBlockId b = {mir_inst(f, phi)->block};
	bool       undef = all_undef(f, phi);
	MirInstId  head = mir_build(f, b, after_phis, undef ? (u32)ISA_IMPLICIT_DEF : (u32)ISA_COPY);
	mir_inst(f, head)->origin = mir_inst(f, phi)->origin;
	MirReg carrier = undef ? dest : mir_reg_new(f, mir_class(f, dest));
	for (u32 n = 1; !undef && n < mir_inst(f, phi)->n_ops; n += 2)
		copy_on_edge(f, phi, n, carrier, copied);
	drop_undefs(f, phi);
	mir_erase(f, phi);
	mir_add_def(f, head, dest);
	if (!undef)
		mir_add_use(f, head, carrier);
}

/* ---- the step of a loop's variable ---- */

/* What the phi's operand takes over from its predecessor: the value itself, or the source of the copy that cssa made. */
static MirInstId taken_over(const MirFunc *f, MirReg r)
{
	MirInstId i = mir_def_inst(f, r);
	return i.i && mir_inst(f, i)->desc == ISA_CSSA_COPY ? mir_def_inst(f, mir_op_reg(mir_op(f, i, 1))) : i;
}

/* A pure function of `variable`, numbers and what comes from other blocks. */
static bool is_step(const MirFunc *f, MirInstId i, MirReg variable)
{
	bool reads = false;
	if (mir_inst(f, i)->n_defs != 1 || !mirpass_is_movable(f, i))
		return false;
	for (u32 n = 1; n < mir_inst(f, i)->n_ops; n++) {
		MirReg    r = mir_op_reg(mir_op(f, i, n));
		MirInstId d = mir_is_virt(r) && r.i != variable.i ? mir_def_inst(f, r) : (MirInstId){0};
		reads |= r.i == variable.i;
		if (d.i && mir_inst(f, d)->block == mir_inst(f, i)->block)
			return false;
	}
	return reads;
}

/* The last instruction behind `i` in its block that reads `r`; 0: none. */
static MirInstId last_reader(const MirFunc *f, MirInstId i, MirReg r)
{
	MirInstId last = {0};
	mir_each_use(f, r, o) {
		MirInstId u = {o->inst};
		if (mir_inst(f, u)->block == mir_inst(f, i)->block && mir_inst(f, u)->desc != ISA_PHI &&
		    mir_before(f, last.i ? last : i, u))
			last = u;
	}
	return last;
}

static bool all_read_behind(const MirFunc *f, MirReg r, MirInstId place)
{
	mir_each_use(f, r, o) {
		MirInstId u = {o->inst};
		if (mir_inst(f, u)->block == mir_inst(f, place)->block && mir_inst(f, u)->desc != ISA_PHI &&
		    !mir_before(f, place, u))
			return false;
	}
	return true;
}

static bool step_late(MirFunc *f, MirInstId phi)
{
	MirReg variable = mir_op_reg(mir_op(f, phi, 0));
	bool   changed = false;
	for (u32 n = 1; n < mir_inst(f, phi)->n_ops; n += 2) {
		MirInstId i = taken_over(f, mir_op_reg(mir_op(f, phi, n)));
		if (!i.i || mir_inst(f, i)->block != mir_op(f, phi, n + 1)->ref || !is_step(f, i, variable))
			continue;
		MirInstId last = last_reader(f, i, variable);
		if (!last.i || mir_is(f, last, IF_TERMINATOR) || !all_read_behind(f, mir_op_reg(mir_op(f, i, 0)), last))
			continue;
		mir_move(f, i, (MirBlockId){mir_inst(f, i)->block}, mir_next(f, last));
		changed = true;
	}
	return changed;
}

static bool steps_late(MirFunc *f)
{
	bool changed = false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			if (mir_inst(f, i)->desc != ISA_PHI)
				break;
			changed |= step_late(f, i);
		}
	return changed;
}

/* ---- the pass ---- */

/* Read where the next value may have come over an edge already? */
static bool lives_on(const MirFunc *f, MirInstId phi)
{
	mir_each_use(f, mir_op_reg(mir_op(f, phi, 0)), o) {
		const MirInst *user = mir_inst(f, (MirInstId){o->inst});
		if (user->desc != ISA_PHI && user->block != mir_inst(f, phi)->block)
			return true;
	}
	return false;
}

typedef struct Count {
	u32 phis, naked;
} Count;

static Count count(const MirFunc *f)
{
	Count c = {0};
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			if (mir_inst(f, i)->desc != ISA_PHI)
				break;
			bool naked = lives_on(f, i);
			for (u32 n = 1; n < mir_inst(f, i)->n_ops; n += 2)
				naked |= !is_conventional(f, mir_op(f, i, n));
			c.phis++;
			c.naked += naked;
		}
	return c;
}

static void report(PassCx *cx, const MirFunc *f)
{
	if (!pass_wants_remarks(cx) && !knob_int(cx->s, KNOB_cssa_verbosity))
		return;
	Count c = count(f);
	if (!c.phis)
		return;
	if (c.naked && cx->s->opt_level)
		pass_remark(cx, REMARK_MISSED, 0,
		            "cssa has not run, and %u of %u phis join values that may be live at once: copies to temporaries "
		            "keep them apart",
		            c.naked, c.phis);
	if (!knob_int(cx->s, KNOB_cssa_verbosity))
		return;
	Text *out = pass_dump(cx);
	text_f(out, "phi-node-elimination %.*s: deSSA method %u, cssa-coalesce %u, cssa-verbosity %u: %u phis\n",
	       STR_ARG(cx->s->function), (u32)knob_int(cx->s, KNOB_usedessa), (u32)knob_int(cx->s, KNOB_cssa_coalesce),
	       (u32)knob_int(cx->s, KNOB_cssa_verbosity), c.phis);
	if (c.naked)
		text_f(out, "phi-node-elimination %.*s: CSSA was missing for %u phis\n", STR_ARG(cx->s->function), c.naked);
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = mirpass_split_accesses(cx, f);
	changed |= mirpass_split_branches(cx->s, f);
	report(cx, f);
	if (f->props & MP_SSA && cx->s->opt_level && mirpass_full_mode(cx->s) && mir_may_have(f, ISA_PHI))
		changed |= steps_late(f);
	u32 *copied = mir_may_have(f, ISA_PHI) ? arena_array(cx->scratch, u32, f->block.n) : NULL;
	mir_each_block(f, b) {
		MirInstId after = mir_first_non_phi(f, b);
		for (MirInstId i = {mir_block(f, b)->first}; i.i && mir_inst(f, i)->desc == ISA_PHI;
		     i.i = mir_block(f, b)->first) {
			lower_phi(f, i, after, copied);
			changed = true;
		}
	}
	if (f->props & MP_SSA || !(f->props & MP_NO_PHIS)) {
		f->props = (f->props & ~(u32)(MP_SSA | MP_LIVENESS)) | MP_NO_PHIS;
		changed = true;
	}
	return changed;
}

static const Knob knobs[] = {KNOB_usedessa, KNOB_cssa_coalesce, KNOB_cssa_verbosity, KNOB_NONE};

const Pass mirpass_phi_node_elimination = {
	.id = "phi-node-elimination",
	.title = "Eliminate PHI nodes for register allocation",
	.summary = "Replaces each PHI by copies in the predecessors and one copy in its own block.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
