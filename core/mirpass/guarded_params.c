/* guarded-params: a choice between two parameters is a load under a guard.
 *
 *	%1 = LD_param_u32 &f_param_0, 0            %3 = LD_param_u32 &f_param_0, 0
 *	%2 = LD_param_u32 &f_param_1, 0      →     @!%p %3 = LD_param_u32 &f_param_1, 0
 *	%3 = SELP_b32rr %1, %2, %p
 *
 * The first of the loads gives the register its value, and the other one replaces it where the predicate says so. This takes one
 * instruction and one register less. ptxas makes as many machine instructions of both in a kernel, whose parameters are constants, and
 * in other functions sometimes a move more.
 *
 * The loads stand in the block of the selection and have no other readers. Vectors are chosen whole: the selections of their elements
 * stand next to each other and ask one predicate. Parameters are loaded where the selections stand, as nobody writes them
 * (MMF_INVARIANT). If-conversion knows the step as predication. Linear in the instructions. */
#include "mirpass/mirpass.h"

enum { MOST = 8 }; /* elements */

static bool is_param_load(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	u32            n = mir_inst(f, i)->n_defs;
	return d->opc.op == ISA_ld && d->opc.slot[SLOT_space] == TOK_space_param && !d->opc.slot[SLOT_guard] &&
	       !d->opc.slot[SLOT_sem] && n && n <= MOST && mir_inst(f, i)->n_ops == n + 2 && mir_op(f, i, n)->kind == MO_SYMBOL &&
	       mir_op(f, i, n + 1)->kind == MO_IMM && mir_inst(f, i)->mem && mir_mem(f, i)->flags & MMF_INVARIANT;
}

/* The parameter's load in the block of `i` that alone gives the operand its value; 0: there is none. */
static MirInstId loaded(const MirFunc *f, MirInstId i, const MirOp *o)
{
	MirReg r = mir_op_reg(o);
	if (!mir_op_is_use(o) || !mir_is_virt(r) || mir_vreg(f, r)->n_defs != 1 || mir_vreg(f, r)->n_uses != 1)
		return (MirInstId){0};
	MirInstId d = mir_def_inst(f, r);
	return mir_inst(f, d)->block == mir_inst(f, i)->block && is_param_load(f, d) ? d : (MirInstId){0};
}

static bool is_selection(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	return d->opc.op == ISA_selp && !d->opc.slot[SLOT_guard] && mir_inst(f, i)->n_ops == 4 &&
	       mir_op_is_use(mir_op(f, i, 3)) && !(mir_op(f, i, 3)->flags & MOF_NOT);
}

typedef struct Choice {
	MirInstId a, b;        /* the loads: where the predicate is true, and where not */
	MirReg    p, to[MOST]; /* to: by element */
	u32       n;
} Choice;

/* Is the selection that of an element of both loads, and no register the result of two? Notes its result. */
static bool takes(const MirFunc *f, Choice *c, MirInstId i)
{
	if (!i.i || !is_selection(f, i) || mir_op_reg(mir_op(f, i, 3)).i != c->p.i)
		return false;
	MirReg to = mir_op_reg(mir_op(f, i, 0)), a = mir_op_reg(mir_op(f, i, 1)), b = mir_op_reg(mir_op(f, i, 2));
	for (u32 k = 0; k < c->n; k++)
		if (c->to[k].i == to.i)
			return false;
	for (u32 k = 0; k < c->n; k++)
		if (mir_op_reg(mir_op(f, c->a, k)).i == a.i && mir_op_reg(mir_op(f, c->b, k)).i == b.i && !c->to[k].i &&
		    mir_alike(f, to, a) && mir_alike(f, to, b)) {
			c->to[k] = to;
			return loaded(f, i, mir_op(f, i, 1)).i && loaded(f, i, mir_op(f, i, 2)).i;
		}
	return false;
}

/* Reads what the selection and those behind it choose from. */
static bool choice_of(const MirFunc *f, MirInstId first, Choice *c)
{
	*c = (Choice){.a = loaded(f, first, mir_op(f, first, 1)), .b = loaded(f, first, mir_op(f, first, 2))};
	if (!c->a.i || !c->b.i || c->a.i == c->b.i || mir_inst(f, c->a)->n_defs != mir_inst(f, c->b)->n_defs)
		return false;
	c->p = mir_op_reg(mir_op(f, first, 3));
	c->n = mir_inst(f, c->a)->n_defs;
	MirInstId i = first;
	for (u32 k = 0; k < c->n; k++, i = mir_next(f, i))
		if (!takes(f, c, i))
			return false;
	return true;
}

static void load_before(PassCx *cx, MirInstId before, const Choice *c, MirInstId like, u32 guard)
{
	MirFunc *f = mirpass_func(cx);
	u32      n = mir_inst(f, like)->n_ops;
	PtxOpc   o = mir_desc(f, like)->opc;
	u32      desc = guard ? isa_intern(cx->s, isa_guarded(o, guard == 2)) : mir_inst(f, like)->desc;
	f->origin = mir_inst(f, before)->origin, f->dbg = mir_inst(f, before)->dbg;
	MirInstId i = mir_build(f, (MirBlockId){mir_inst(f, before)->block}, before, desc);
	for (u32 k = 0; k < c->n; k++)
		mir_add_def(f, i, c->to[k]);
	if (guard)
		mir_add_use(f, i, c->p);
	for (u32 k = c->n; k < n; k++)
		mir_add_op(f, i, *mir_op(f, like, k));
	mir_add_mem(f, i, *mir_mem(f, like));
}

static void choose(PassCx *cx, MirInstId first, const Choice *c)
{
	MirFunc *f = mirpass_func(cx);
	bool     a_first = mir_before(f, c->a, c->b);
	load_before(cx, first, c, a_first ? c->a : c->b, 0);
	load_before(cx, first, c, a_first ? c->b : c->a, a_first ? 2 : 1);
	for (u32 k = 0; k < c->n; k++) {
		MirInstId next = mir_next(f, first);
		mir_erase(f, first);
		first = next;
	}
	mir_erase(f, c->a);
	mir_erase(f, c->b);
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	Choice   c;
	if (!mir_may_have(f, ISA_selp))
		return false;
	mir_each_block(f, b)
		for (MirInstId i = {mir_block(f, b)->first}, next; i.i; i = next) {
			next = mir_next(f, i);
			if (!is_selection(f, i) || !choice_of(f, i, &c))
				continue;
			for (u32 k = 1; k < c.n; k++)
				next = mir_next(f, next);
			choose(cx, i, &c);
			changed = true;
		}
	return changed;
}

const Pass mirpass_guarded_params = {
	.id = "guarded-params",
	.title = "Load one of two parameters under a guard",
	.summary = "A selection between two parameters becomes a load of one and a guarded load of the other",
	.group = "post-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_guarded_params,
	.needs = PN_NO_PHIS,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
