/* early-machinelicm: what is the same in each iteration is computed in front of the loop.
 *
 *	bb.1:                                      bb.1:
 *	                                             %4 = ADDs32rr %1, %2
 *	bb.2: (a loop)                       →     bb.2:
 *	  %4 = ADDs32rr %1, %2
 *	  … = MUL_lo_s32rr %3, %4                    … = MUL_lo_s32rr %3, %4
 *
 * An instruction is moved to the end of the loop's preheader (the only predecessor from outside, with no other successor) if its
 * operands are defined outside of the loop and
 *   - it is movable (mirpass_is_movable), and in the header, or
 *   - it may be executed where the program would not have (mirpass_may_speculate), in a block that every iteration passes.
 * Constants stay, since they cost nothing where they are read. Inner loops come first, so an instruction leaves as many loops as
 * it can. Loads of memory that is written, and convergent operations, are not moved.
 *
 * Registers: the result is alive in all of the loop. It moves only where the loop's highest peak (AN_MIR_RPA) leaves room for
 * it below the target (ir/budget.h).
 *
 * Needs and keeps SSA form and the control flow. Cost: instructions, and for each loop its blocks. */
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
	bool        changed;
} Licm;

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

static bool is_invariant(const Licm *l, MirInstId i)
{
	for (u32 n = mir_inst(l->f, i)->n_defs; n < mir_inst(l->f, i)->n_ops; n++) {
		MirReg r = mir_op_reg(mir_op(l->f, i, n));
		if (!mir_is_virt(r))
			continue;
		MirInstId def = mir_def_inst(l->f, r);
		if (!def.i || is_in_loop(l, node_of(l, def)))
			return false;
	}
	return true;
}

static bool may_move(const Licm *l, MirInstId i, u32 node)
{
	if (mir_is(l->f, i, IF_MOVE) || mir_inst(l->f, i)->desc == ISA_IMPLICIT_DEF)
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

static bool run(PassCx *cx)
{
	Licm l = {.cx = cx, .f = mirpass_func(cx)};
	l.cfg = mir_cfg(cx);
	l.loops = mir_loops(cx);
	if (!l.loops->n)
		return false;
	l.dom = mir_dom(cx);
	for (l.loop = l.loops->n; l.loop--;) {
		l.preheader = preheader_of(&l, l.loop);
		l.has_peak = false;
		Nodes nodes = loop_nodes(l.loops, l.loop);
		for (u32 k = 0; k < nodes.n; k++) {
			if (l.loops->of[nodes.p[k]] != l.loop)
				continue; /* what could leave an inner loop stands in front of it now */
			MirBlockId b = {l.cfg->block[nodes.p[k]]};
			mir_each_inst(l.f, b, i)
				visit(&l, i, nodes.p[k]);
		}
	}
	return l.changed;
}

static const Knob knobs[] = {KNOB_nv_remat_default_max_reg, KNOB_maxreg, KNOB_reg_target_adjust, KNOB_pred_target_adjust,
                             KNOB_NONE};

const Pass mirpass_early_machinelicm = {
	.id = "early-machinelicm",
	.title = "Early Machine Loop Invariant Code Motion",
	.summary = "Computes in front of a loop what is the same in each iteration",
	.group = "pre-ra",
	.level = PASS_MIR,
	.gate = KNOB_enable_mlicm,
	.disable = KNOB_disable_machine_licm,
	.knobs = knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_DOCUMENTED,
	.run = run,
};
