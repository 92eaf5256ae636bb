/* early-ifcvt: short branches become selections.
 *
 *	bb.0:                                      bb.0:
 *	  CBranch %1, %bb.2                          %3 = ADDs32ri %2, 1
 *	bb.1:                                        %4 = SELP_b32rrr %2, %3, %1
 *	  %3 = ADDs32ri %2, 1                →       GOTO_uni %bb.2
 *	bb.2:                                      bb.2:
 *	  %4 = PHI %2, %bb.0, %3, %bb.1              (readers of %4)
 *
 * Triangles and diamonds: one or two blocks between a conditional branch and the block where both ways meet. They are converted
 * when all their instructions may be executed where the program would not have (mirpass_may_speculate; copies for the phis come
 * along), and when these and the selections are no more than MOST instructions: both ways are paid for then, but no branch,
 * and ptxas schedules the whole. Nothing convergent, no store and no load that may fault is moved. Phis of predicates stay,
 * as there is no selection of predicates.
 *
 * Branches in loops stay unless early-ifcvt-loops is set: ptxas unrolls a loop that has lost its branches (measured: a stencil
 * of 94 SASS instructions becomes one of 242).
 *
 * Needs and keeps SSA form; edges only go, so a reducible graph stays so. Blocks are visited from the last of the layout to the
 * first, so inner branches go before those around them. Cost: linear. */
#include "mir/cfg.h"
#include "mirpass/mirpass.h"

enum { MOST = 4 };

typedef struct Shape {
	MirBlockId head, side[2]; /* where the predicate holds, where not; 0: the join itself */
	MirBlockId join;
	MirReg     pred;
} Shape;

static MirBlockId only_successor(const MirFunc *f, MirBlockId b)
{
	return mir_block(f, b)->n_succs == 1 ? (MirBlockId){mir_edge(f, (MirEdgeId){mir_block(f, b)->succ})->to}
	                                     : (MirBlockId){0};
}

static bool is_jump(const MirFunc *f, MirInstId i)
{
	return mir_desc(f, i)->opc.op == ISA_bra && !mir_desc(f, i)->opc.slot[SLOT_guard];
}

/* Instructions of a side that would be executed always; MOST + 1: too many, or one that may not. */
static u32 side_cost(const MirFunc *f, MirBlockId b)
{
	const MirBlock *blk = mir_block(f, b);
	u32             cost = 0;
	if (blk->n_preds != 1 || blk->address_taken)
		return MOST + 1;
	for (MirInstId i = {blk->first}; i.i && cost <= MOST; i = mir_next(f, i)) {
		if (is_jump(f, i))
			continue;
		if (!mir_is(f, i, IF_COPY) && !mirpass_may_speculate(f, i))
			return MOST + 1;
		cost += !mir_is(f, i, IF_COPY);
	}
	return cost;
}

static bool find_shape(const MirFunc *f, MirBlockId head, Shape *s)
{
	MirBranch  br = mirpass_branch(f, head);
	MirBlockId next = {mir_block(f, head)->next};
	if (!br.known || !br.cond.i || mir_block(f, head)->n_succs != 2)
		return false;
	MirBlockId   other = br.uncond.i ? br.other : next;
	bool         negated = mir_desc(f, br.cond)->opc.slot[SLOT_guard] == 2;
	const MirOp *guard = mir_op(f, br.cond, 0);
	MirBlockId   way[2] = {negated ? other : br.taken, negated ? br.taken : other};
	MirBlockId   to[2] = {only_successor(f, way[0]), only_successor(f, way[1])};
	*s = (Shape){.head = head, .pred = mir_op_reg(guard)};
	if (guard->flags & MOF_NOT || !mir_is_virt(s->pred) || way[0].i == head.i || way[1].i == head.i)
		return false;
	if (to[0].i && to[0].i == to[1].i && mir_block(f, way[0])->n_preds == 1 && mir_block(f, way[1])->n_preds == 1)
		*s = (Shape){head, {way[0], way[1]}, to[0], s->pred};
	else if (to[0].i == way[1].i)
		*s = (Shape){head, {way[0], {0}}, way[1], s->pred};
	else if (to[1].i == way[0].i)
		*s = (Shape){head, {{0}, way[1]}, way[0], s->pred};
	return s->join.i && s->join.i != head.i;
}

static MirBlockId way_of(const Shape *s, u32 k) { return s->side[k].i ? s->side[k] : s->head; }

/* What the register is a copy of: cssa makes one on each way, of a value that comes along both. */
static MirReg source_of(const MirFunc *f, MirReg r)
{
	for (MirInstId i = mir_def_inst(f, r); i.i; i = mir_def_inst(f, r)) {
		u32 desc = mir_inst(f, i)->desc;
		if ((desc != ISA_COPY && desc != ISA_CSSA_COPY) || !mir_is_virt(mir_op_reg(mir_op(f, i, 1))) ||
		    !mir_alike(f, mir_op_reg(mir_op(f, i, 1)), r))
			break;
		r = mir_op_reg(mir_op(f, i, 1));
	}
	return r;
}

static bool is_one_value(const MirFunc *f, MirReg x, MirReg y) { return x.i == y.i || source_of(f, x).i == source_of(f, y).i; }

/* Selections that the join's phis need; MOST + 1: one is not possible. */
static u32 selections(const MirFunc *f, const Shape *s)
{
	u32 n = 0;
	for (MirInstId i = {mir_block(f, s->join)->first}; i.i && mir_is(f, i, IF_PHI); i = mir_next(f, i)) {
		MirReg r = mir_op_reg(mir_op(f, i, 0));
		u32    a = mir_phi_incoming(f, i, way_of(s, 0)), b = mir_phi_incoming(f, i, way_of(s, 1));
		if (!a || !b || !mir_is_virt(r) || isa_class_info[mir_class(f, r)].file != FILE_R)
			return MOST + 1;
		MirReg x = mir_op_reg(mir_op(f, i, a)), y = mir_op_reg(mir_op(f, i, b));
		if (!mir_is_virt(x) || !mir_is_virt(y) || (mir_op(f, i, a)->flags | mir_op(f, i, b)->flags) & MOF_UNDEF)
			return MOST + 1;
		n += !is_one_value(f, x, y);
	}
	return n;
}

/* ---- the conversion ---- */

static MirReg select_value(Session *s, MirFunc *f, const Shape *sh, MirReg yes, MirReg no)
{
	if (is_one_value(f, yes, no))
		return yes;
	MirClass  c = mir_class(f, yes);
	MirReg    r = mir_reg_new(f, c);
	PtxOpc    selp = {.op = ISA_selp};
	MirInstId at = mir_first_terminator(f, sh->head);
	selp.slot[SLOT_type] = isa_class_info[c].type;
	MirInstId i = mir_build(f, sh->head, at, isa_intern(s, selp));
	mir_inst(f, i)->origin = mir_inst(f, at)->origin;
	mir_inst(f, i)->dbg = mir_inst(f, at)->dbg;
	mir_add_def(f, i, r);
	mir_add_use(f, i, yes);
	mir_add_use(f, i, no);
	mir_add_use(f, i, sh->pred);
	return r;
}

/* The phi's two values become one, from the head. */
static void merge_values(Session *s, MirFunc *f, const Shape *sh, MirInstId phi)
{
	u32    a = mir_phi_incoming(f, phi, way_of(sh, 0)), b = mir_phi_incoming(f, phi, way_of(sh, 1));
	MirReg r = select_value(s, f, sh, mir_op_reg(mir_op(f, phi, a)), mir_op_reg(mir_op(f, phi, b)));
	mir_op_set_reg(f, phi, a, r);
	mir_op_set_block(f, phi, a + 1, sh->head);
	mir_op_remove(f, phi, b + 1);
	mir_op_remove(f, phi, b);
	if (mir_inst(f, phi)->n_ops == 3) {
		MirReg result = mir_op_reg(mir_op(f, phi, 0));
		mir_erase(f, phi);
		mir_replace_uses(f, result, r);
	}
}

static void move_side(MirFunc *f, const Shape *sh, MirBlockId side)
{
	MirInstId before = mir_first_terminator(f, sh->head);
	mir_each_inst(f, side, i)
		if (!is_jump(f, i))
			mir_move(f, i, sh->head, before);
}

static void convert(Session *s, MirFunc *f, const Shape *sh)
{
	for (u32 k = 0; k < 2; k++)
		if (sh->side[k].i)
			move_side(f, sh, sh->side[k]);
	mir_each_inst(f, sh->join, i) {
		if (!mir_is(f, i, IF_PHI))
			break;
		merge_values(s, f, sh, i);
	}
	u32 origin = 0;
	while (mir_first_terminator(f, sh->head).i) {
		origin = mir_inst(f, mir_first_terminator(f, sh->head))->origin;
		mir_erase(f, mir_first_terminator(f, sh->head));
	}
	mirpass_jump(f, sh->head, sh->join, origin);
	for (u32 k = 0; k < 2; k++)
		if (sh->side[k].i)
			mir_block_remove(f, sh->side[k]);
	if (!mir_has_edge(f, sh->head, sh->join))
		mir_edge_add(f, sh->head, sh->join, MIR_PROB_ONE);
}

typedef struct Ifcvt {
	PassCx  *cx;
	MirFunc *f;
	Bitset   in_loop; /* blocks */
	bool     changed;
} Ifcvt;

static void find_loops(Ifcvt *v)
{
	const MirCfg *cfg = mir_cfg(v->cx);
	const Loops  *loops = mir_loops(v->cx);
	v->in_loop = bitset_new(v->cx->scratch, v->f->block.n);
	for (u32 k = 0; k < cfg->g.n; k++)
		if (loops->of[k] != GRAPH_NONE)
			bitset_add(v->in_loop, cfg->block[k]);
}

/* Why the branch stays, or NULL. */
static const char *reason_against(const Ifcvt *v, const Shape *s)
{
	u32 cost = selections(v->f, s);
	for (u32 k = 0; k < 2; k++)
		cost += s->side[k].i ? side_cost(v->f, s->side[k]) : 0;
	if (cost > MOST)
		return "too much, or what may not be executed always, is behind it";
	if (bitset_has(v->in_loop, s->head.i) && !knob_bool(v->cx->s, KNOB_early_ifcvt_loops))
		return "ptxas unrolls loops that have lost their branches";
	return NULL;
}

static bool visit(Ifcvt *v, MirBlockId b)
{
	Shape s;
	if (!find_shape(v->f, b, &s))
		return false;
	u32         line = mir_inst(v->f, mir_first_terminator(v->f, b))->origin, number = mir_block(v->f, b)->number;
	const char *reason = reason_against(v, &s);
	if (reason) {
		pass_remark(v->cx, REMARK_MISSED, line, "the branch of bb.%u stays: %s", number, reason);
		return false;
	}
	convert(v->cx->s, v->f, &s);
	pass_remark(v->cx, REMARK_PASSED, line, "both ways of the branch of bb.%u are executed, and the results selected",
	            number);
	return true;
}

static bool run(PassCx *cx)
{
	Ifcvt v = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(v.f, ISA_bra))
		return false;
	find_loops(&v);
	for (MirBlockId b = {v.f->last_block}; b.i; b.i = mir_block(v.f, b)->prev)
		while (visit(&v, b))
			v.changed = true;
	return v.changed;
}

static const Knob knobs[] = {KNOB_early_ifcvt_loops, KNOB_NONE};

const Pass mirpass_early_ifcvt = {
	.id = "early-ifcvt",
	.title = "Early If-Conversion",
	.summary = "Executes both ways of short branches and selects the results",
	.group = "pre-ra",
	.level = PASS_MIR,
	.needs = PN_SSA,
	.disable = KNOB_disable_early_ifcvt,
	.knobs = knobs,
	.run = run,
};
