/* licm.c: what is the same in each iteration is computed in front of the loop, for early-machinelicm (SSA form) and machinelicm
 * (behind register allocation).
 *
 *	bb.1:                                      bb.1:
 *	                                             %4 = ADDs32rr %1, %2
 *	bb.2: (a loop)                       →     bb.2:
 *	  %4 = ADDs32rr %1, %2
 *	  … = MUL_lo_s32rr %3, %4                    … = MUL_lo_s32rr %3, %4
 *
 * An instruction is moved to the end of the loop's preheader (the only predecessor from outside, with no other successor) if its
 * operands are defined outside of the loop, each result has no other definition, and
 *   - it is movable (mirpass_is_movable), and in the header, or
 *   - it may be executed where the program would not have (mirpass_may_speculate), in a block that every iteration passes.
 * Constants stay, since they cost nothing where they are read. Behind register allocation moves between registers leave loops too,
 * and so do reloads of spill slots that the loop does not write. Inner loops come first, so an instruction leaves as many loops as
 * it can. Loads of memory that is written, and convergent operations, are not moved.
 *
 * Registers: the result is alive in all of the loop. It moves only where the loop's highest peak (AN_MIR_RPA) leaves room for
 * it below the target (mir/budget.h). With sink-insts-to-avoid-spills the opposite is done for loops whose peak is above the limit:
 * what stands in the preheader and is read in one block of the loop alone goes to its first reader there, if its results take
 * more registers than operands that nothing else in the loop reads.
 *
 * Keeps the form that it finds and the control flow. Cost: instructions, and for each loop its blocks. */
#include "mir/frame.h"
#include "mir/budget.h"
#include "mir/cfg.h"
#include "mir/pressure.h"
#include "mirpass/mirpass.h"

typedef struct Licm {
	PassCx     *cx;
	MirFunc    *f;
	MirCfg     *cfg;
	DomTree    *dom;
	Loops      *loops;
	MirRpa     *rpa; /* NULL: not needed yet */
	u32         loop, preheader;
	bool        has_peak;
	u32         target[FILE_COUNT];
	MirPressure peak; /* of the loop, with what has been moved out of it */
	bool        ssa;
	bool        changed;

	const MirFrameUses *slots; /* NULL: not needed yet */
} Licm;

enum { MOST_DEFS = 16, MOST_STORES = 64 }; /* of an operand, to a spill slot: where there are more, nothing moves */

static u32 node_of(const Licm *l, MirInstId i) { return l->cfg->node[mir_inst(l->f, i)->block]; }

/* The block in front of the loop, GRAPH_NONE where there is none. */
static u32 preheader_of(const Licm *l, u32 loop)
{
	u32 p = loop_entering(&l->cfg->g, l->loops, loop);
	return p != GRAPH_NONE && graph_succ(&l->cfg->g, p).n == 1 ? p : GRAPH_NONE;
}

static bool is_in_loop(const Licm *l, u32 node)
{
	return node != GRAPH_NONE && loop_encloses(l->loops, l->loop, l->loops->of[node]);
}

static bool passes_each_iteration(const Licm *l, u32 node)
{
	Nodes latch = node_list(&l->loops->latch, l->loop);
	for (u32 k = 0; k < latch.n; k++)
		if (!dom_dominates(l->dom, node, latch.p[k]))
			return false;
	return true;
}

/* Is no definition of the register in the loop? In SSA form each register has one. */
static bool is_defined_outside(const Licm *l, MirReg r)
{
	const MirVReg *v = mir_vreg(l->f, r);
	if (!v->n_defs || v->n_defs > MOST_DEFS)
		return false;
	mir_each_def(l->f, r, o)
		if (is_in_loop(l, node_of(l, (MirInstId){o->inst})))
			return false;
	return true;
}

static bool is_invariant(const Licm *l, MirInstId i)
{
	for (u32 n = mir_inst(l->f, i)->n_defs; n < mir_inst(l->f, i)->n_ops; n++) {
		MirReg r = mir_op_reg(mir_op(l->f, i, n));
		if (mir_is_virt(r) && !is_defined_outside(l, r))
			return false;
	}
	return true;
}

/* ---- reloads ---- */

static bool is_reload(const Licm *l, MirInstId i)
{
	const MirFunc *f = l->f;
	const MirMem  *m = mir_mem(f, i);
	if (l->ssa || !mir_is(f, i, IF_LOAD) || mir_is(f, i, IF_ATOMIC | IF_CONVERGENT) || mir_desc(f, i)->opc.slot[SLOT_guard] ||
	    (m && m->flags & MMF_VOLATILE))
		return false;
	u32 n = mir_address_operand(f, i);
	return n != ~0u && mir_op(f, i, n)->kind == MO_FRAME && f->frame.p[mir_op(f, i, n)->ref].is_spill;
}

/* A reload of a slot that the loop does not write, into registers that nothing else writes. */
static bool is_invariant_reload(Licm *l, MirInstId i)
{
	if (!is_reload(l, i))
		return false;
	for (u32 n = 0; n < mir_inst(l->f, i)->n_defs; n++) {
		MirReg r = mir_op_reg(mir_op(l->f, i, n));
		if (!mir_is_virt(r) || mir_vreg(l->f, r)->n_defs != 1)
			return false;
	}
	if (!l->slots)
		l->slots = mir_frame_uses(l->f, l->cx->scratch);
	u32 slot = mir_op(l->f, i, mir_address_operand(l->f, i))->ref;
	if (l->slots->object[slot].escapes || l->slots->object[slot].n_stores > MOST_STORES)
		return false;
	mir_each_frame_access(l->slots, slot, x) if (x->store && is_in_loop(l, node_of(l, x->inst))) return false;
	return true;
}

static bool may_move(Licm *l, MirInstId i, u32 node)
{
	if (is_invariant_reload(l, i))
		return true;
	if ((mir_is(l->f, i, IF_MOVE) && (l->ssa || !mirpass_is_move(l->f, i))) || mir_inst(l->f, i)->desc == ISA_IMPLICIT_DEF)
		return false;
	if (node == l->loops->loop[l->loop].header)
		return mirpass_is_movable(l->f, i) && is_invariant(l, i);
	return mirpass_may_speculate(l->f, i) && is_invariant(l, i);
}

static void take_peak(Licm *l)
{
	if (!l->rpa) {
		l->rpa = mir_rpa(l->cx);
		l->target[FILE_R] = mir_budget(l->f, FILE_R).target;
		l->target[FILE_P] = mir_budget(l->f, FILE_P).target;
	}
	Nodes nodes = loop_nodes(l->loops, l->loop);
	l->peak = (MirPressure){{0}, {0}};
	for (u32 k = 0; k < nodes.n; k++) {
		const MirPressure *p = &l->rpa->block[l->cfg->block[nodes.p[k]]].peak;
		for (u32 file = 0; file < FILE_COUNT; file++)
			l->peak.unit[file] = PS_MAX(l->peak.unit[file], p->unit[file]);
	}
	l->has_peak = true;
}

static bool has_room(Licm *l, MirInstId i)
{
	if (!l->has_peak)
		take_peak(l);
	MirPressure after = l->peak;
	for (u32 n = 0; n < mir_inst(l->f, i)->n_defs; n++) {
		const IsaClassInfo *c = &isa_class_info[mir_class(l->f, mir_op_reg(mir_op(l->f, i, n)))];
		after.unit[c->file] += c->units;
		if (mir_pressure_regs(&after, (IsaFile)c->file) > l->target[c->file])
			return false;
	}
	l->peak = after;
	return true;
}

static u32 block_number(const Licm *l, u32 node) { return mir_block(l->f, (MirBlockId){l->cfg->block[node]})->number; }

static void say(const Licm *l, RemarkKind kind, MirInstId i, const char *what)
{
	if (pass_wants_remarks(l->cx))
		pass_remark(l->cx, kind, mir_inst(l->f, i)->origin, "%.*s %s the loop of bb.%u",
		            STR_ARG(mir_desc(l->f, i)->mnemonic), what, block_number(l, l->loops->loop[l->loop].header));
}

static void visit(Licm *l, MirInstId i, u32 node)
{
	if (!may_move(l, i, node))
		return;
	if (l->preheader == GRAPH_NONE)
		say(l, REMARK_MISSED, i, "is the same each time, but nothing stands alone in front of");
	else if (!passes_each_iteration(l, node))
		say(l, REMARK_MISSED, i, "is the same each time, but not every iteration needs it in");
	else if (!has_room(l, i))
		say(l, REMARK_MISSED, i, "is the same each time, but registers are scarce in");
	else {
		MirBlockId to = {l->cfg->block[l->preheader]};
		say(l, REMARK_PASSED, i, "is computed in front of");
		mir_move(l->f, i, to, mir_first_terminator(l->f, to));
		l->changed = true;
	}
}

static void hoist_from(Licm *l)
{
	Nodes nodes = loop_nodes(l->loops, l->loop);
	for (u32 k = 0; k < nodes.n; k++) {
		if (l->loops->of[nodes.p[k]] != l->loop)
			continue; /* what could leave an inner loop stands in front of it now */
		MirBlockId b = {l->cfg->block[nodes.p[k]]};
		mir_each_inst(l->f, b, i)
			visit(l, i, nodes.p[k]);
	}
}

/* ---- the opposite ---- */

/* The first reader of the results of `i`, which stands in front of the loop, if all of them are in one block of it; 0: they are
 * not. */
static MirInstId only_reader(const Licm *l, MirInstId i)
{
	MirInstId first = {0};
	for (u32 n = 0; n < mir_inst(l->f, i)->n_defs; n++)
		mir_each_use(l->f, mir_op_reg(mir_op(l->f, i, n)), o) {
			MirInstId user = {o->inst};
			if (mir_is(l->f, user, IF_PHI) || !is_in_loop(l, node_of(l, user)) ||
			    (first.i && mir_inst(l->f, user)->block != mir_inst(l->f, first)->block))
				return (MirInstId){0};
			if (!first.i || mir_before(l->f, user, first))
				first = user;
		}
	return first;
}

static bool is_read_in_loop(const Licm *l, MirReg r)
{
	mir_each_use(l->f, r, o)
		if (is_in_loop(l, node_of(l, (MirInstId){o->inst})))
			return true;
	return false;
}

/* Units that are free in the loop once `i` has been moved into it, by file: results, less operands that are alive there for it alone. */
static void freed_units(const Licm *l, MirInstId i, i32 *units)
{
	for (u32 n = 0; n < mir_inst(l->f, i)->n_ops; n++) {
		MirReg r = mir_op_reg(mir_op(l->f, i, n));
		if (!mir_is_virt(r))
			continue;
		const IsaClassInfo *c = &isa_class_info[mir_class(l->f, r)];
		if (n < mir_inst(l->f, i)->n_defs)
			units[c->file] += (i32)c->units;
		else if (!is_read_in_loop(l, r))
			units[c->file] -= (i32)c->units;
	}
}

static bool sink(Licm *l, MirInstId i, IsaFile file)
{
	if (!mirpass_is_movable(l->f, i) || !is_invariant(l, i))
		return false;
	MirInstId to = only_reader(l, i);
	i32       units[FILE_COUNT] = {0};
	freed_units(l, i, units);
	if (!to.i || units[file] <= 0)
		return false;
	say(l, REMARK_PASSED, i, "moves to its reader, as registers are scarce, in");
	mir_move(l->f, i, (MirBlockId){mir_inst(l->f, to)->block}, to);
	l->peak.unit[file] -= PS_MIN(l->peak.unit[file], (u32)units[file]);
	l->changed = true;
	return true;
}

static void sink_into(Licm *l)
{
	if (l->preheader == GRAPH_NONE)
		return;
	if (!l->has_peak)
		take_peak(l);
	for (u32 file = 0; file < FILE_COUNT; file++) {
		u32 limit = mir_budget(l->f, (IsaFile)file).limit;
		mir_each_inst_up(l->f, ((MirBlockId){l->cfg->block[l->preheader]}), i) {
			if (mir_pressure_regs(&l->peak, (IsaFile)file) <= limit)
				break;
			sink(l, i, (IsaFile)file);
		}
	}
}

bool mirpass_hoist(PassCx *cx)
{
	Licm l = {.cx = cx, .f = mirpass_func(cx)};
	bool sinks = knob_bool(cx->s, KNOB_sink_insts_to_avoid_spills);
	l.cfg = mir_cfg(cx);
	l.loops = mir_loops(cx);
	if (!l.loops->n)
		return false;
	l.ssa = (l.f->props & MP_SSA) != 0;
	l.dom = mir_dom(cx);
	for (l.loop = l.loops->n; l.loop--;) {
		l.preheader = preheader_of(&l, l.loop);
		l.has_peak = false;
		hoist_from(&l);
		if (sinks)
			sink_into(&l);
	}
	return l.changed;
}

const Knob mirpass_hoist_knobs[] = {KNOB_sink_insts_to_avoid_spills, KNOB_nv_remat_default_max_reg, KNOB_maxreg,
                                    KNOB_reg_target_adjust,          KNOB_pred_target_adjust,       KNOB_NONE};
