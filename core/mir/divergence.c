/* divergence.c: divergence of machine code, see divergence.h. A worklist of registers and one of branches. */
#include "mir/divergence.h"

#include "isa/isa.h"

/* ---- sources ---- */

/* Loads by `ld` and `ldu`: what they read is the same where the address is. */
static bool is_source_load(const MirFunc *f, MirInstId i, const IsaDesc *d)
{
	const IsaSpace *s = isa_space_of_token(d->opc.slot[SLOT_space]);
	const MirMem   *m = mir_mem(f, i);
	u32             space = s ? s->number : m ? m->space : (u32)AS_GENERIC;
	if (d->flags & (IF_ATOMIC | IF_SIDE_EFFECTS) || (m && (m->flags & MMF_VOLATILE || m->ordering > MIR_UNORDERED)))
		return true;
	if (space == AS_PARAM) /* not the results of calls, which are in .param too and written */
		return !(f->is_kernel && m && m->flags & MMF_INVARIANT);
	return space == AS_GENERIC || space == AS_LOCAL;
}

bool mir_is_divergence_source(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	if (d->flags & (IF_DIVERGENT | IF_UNIFORM))
		return (d->flags & IF_DIVERGENT) != 0;
	if (d->eval == EV_ld)
		return is_source_load(f, i, d);
	return (d->flags & (IF_LOAD | IF_SIDE_EFFECTS | IF_CONVERGENT | IF_CALL | IF_ATOMIC)) != 0;
}

/* ---- spreading ---- */

typedef struct Spread {
	const MirFunc *f;
	const MirCfg  *cfg;
	Arena         *a;
	MirDivergence *d;
	Bitset         merged; /* registers of which a use may see several definitions, or one or none */
	VecU32         work;   /* divergent registers whose uses have not been visited */
	VecU32         blocks; /* nodes whose branches are divergent, to be spread */
} Spread;

static bool mark(Spread *s, MirReg r)
{
	if (!mir_is_virt(r) || bitset_has(s->d->value, r.i))
		return false;
	bitset_add(s->d->value, r.i);
	vec_push(s->a, &s->work, r.i);
	return true;
}

static bool mark_results(Spread *s, MirInstId i)
{
	bool fresh = false;
	for (u32 n = 0; n < mir_inst(s->f, i)->n_ops; n++)
		if (mir_op_is_def(mir_op(s->f, i, n)))
			fresh |= mark(s, mir_op_reg(mir_op(s->f, i, n)));
	return fresh;
}

/* The results, the carry included, up to the instruction behind which that flag has a value of its own or was known before. */
static void mark_defs(Spread *s, MirInstId i)
{
	mark_results(s, i);
	if (!mir_is(s->f, i, IF_CARRY_OUT))
		return;
	for (MirInstId j = mir_next(s->f, i); j.i; j = mir_next(s->f, j)) {
		u32  flags = mir_desc(s->f, j)->flags;
		bool fresh = flags & IF_CARRY_IN && mark_results(s, j);
		if (flags & IF_CARRY_OUT && !fresh)
			return;
	}
}

static void mark_branch(Spread *s, MirInstId i)
{
	u32 node = s->cfg->node[mir_inst(s->f, i)->block];
	if (node != GRAPH_NONE && s->cfg->order.pos[node] != GRAPH_NONE)
		vec_push(s->a, &s->blocks, node);
}

static void visit_use(Spread *s, MirInstId i, u32 n)
{
	const IsaDesc *d = mir_desc(s->f, i);
	if (d->flags & IF_TERMINATOR)
		mark_branch(s, i);
	if (d->flags & IF_UNIFORM && n < d->n_operands && !(d->operand[n].flags & (IOF_MEMBERS | IOF_GUARD)))
		return;
	mark_defs(s, i);
}

static void visit_uses(Spread *s, MirReg r)
{
	mir_each_use(s->f, r, o)
		visit_use(s, (MirInstId){o->inst}, mir_op_number(s->f, o));
}

static void visit_join(Spread *s, u32 node)
{
	for (u32 i = mir_block(s->f, (MirBlockId){s->cfg->block[node]})->first; i; i = mir_inst(s->f, (MirInstId){i})->next) {
		const MirOp *op = mir_ops(s->f, (MirInstId){i});
		u32          n = mir_inst(s->f, (MirInstId){i})->n_ops;
		bool         same = true;
		if (mir_inst(s->f, (MirInstId){i})->desc != ISA_PHI)
			break;
		for (u32 k = 3; k < n; k += 2)
			same &= op[k].ref == op[1].ref;
		if (!same)
			mark(s, mir_op_reg(op));
	}
}

/* The uses outside of a cycle of what is defined in it. A register with several definitions, one of them in a loop that is
 * left, is divergent: the whole loop is in the region of the branch. */
static void visit_left(Spread *s, u32 cycle)
{
	Nodes n = diverge_cycle(&s->d->control, cycle);
	for (u32 k = 0; k < n.n; k++)
		mir_each_inst(s->f, (MirBlockId){s->cfg->block[n.p[k]]}, i)
			for (u32 at = 0; at < mir_inst(s->f, i)->n_ops; at++) {
				MirReg r = mir_op_reg(mir_op(s->f, i, at));
				if (!mir_op_is_def(mir_op(s->f, i, at)) || !mir_is_virt(r) || !mir_def_inst(s->f, r).i)
					continue;
				mir_each_use(s->f, r, o) {
					const MirInst *user = mir_inst(s->f, (MirInstId){o->inst});
					u32            use = s->cfg->node[user->block];
					if (diverge_differs(&s->d->control, cycle, n.p[k], use, user->desc == ISA_PHI))
						visit_use(s, (MirInstId){o->inst}, mir_op_number(s->f, o));
				}
			}
}

static void visit_region(Spread *s, u32 node)
{
	mir_each_inst(s->f, (MirBlockId){s->cfg->block[node]}, i)
		for (u32 n = 0; n < mir_inst(s->f, i)->n_ops; n++) {
			MirReg r = mir_op_reg(mir_op(s->f, i, n));
			if (mir_op_is_def(mir_op(s->f, i, n)) && mir_is_virt(r) && bitset_has(s->merged, r.i))
				mark(s, r);
		}
}

static void spread(Spread *s)
{
	Diverge *c = &s->d->control;
	while (s->work.n || s->blocks.n) {
		if (s->work.n) {
			visit_uses(s, (MirReg){vec_pop(&s->work)});
			continue;
		}
		diverge_branch(c, vec_pop(&s->blocks));
		while (c->joins.n)
			visit_join(s, vec_pop(&c->joins));
		while (c->regions.n)
			visit_region(s, vec_pop(&c->regions));
		while (c->lefts.n)
			visit_left(s, vec_pop(&c->lefts));
	}
}

/* ---- building ---- */

static void find_merged(Spread *s, const DomTree *dom)
{
	for (u32 k = 1; k < mir_vregs(s->f); k++) {
		MirReg    r = {k};
		MirInstId def = mir_def_inst(s->f, r);
		if (mir_vreg(s->f, r)->n_defs > 1)
			bitset_add(s->merged, k);
		if (!def.i || s->f->props & MP_SSA)
			continue;
		mir_each_use(s->f, r, o)
			if (!mir_inst_dominates(s->f, s->cfg, dom, def, (MirInstId){o->inst}))
				bitset_add(s->merged, k);
	}
}

static void find_sources(Spread *s)
{
	mir_each_block(s->f, b) {
		bool carry = false; /* written in this block */
		mir_each_inst(s->f, b, i) {
			u32 flags = mir_desc(s->f, i)->flags;
			if (mir_is_divergence_source(s->f, i) || (flags & IF_CARRY_IN && !carry)) {
				if (flags & IF_TERMINATOR)
					mark_branch(s, i);
				mark_defs(s, i);
			}
			carry |= (flags & IF_CARRY_OUT) != 0;
		}
	}
}

MirDivergence *mir_divergence_build(const MirFunc *f, const MirControl *c, Arena *a)
{
	MirDivergence *d = arena_new(a, MirDivergence);
	Spread         s = {.f = f, .cfg = c->cfg, .a = a, .d = d};
	d->cfg = c->cfg;
	d->value = bitset_new(a, mir_vregs(f));
	s.merged = bitset_new(a, mir_vregs(f));
	diverge_init(&d->control, &c->cfg->g, &c->cfg->order, c->postdom, c->loops, a);
	find_merged(&s, c->dom);
	find_sources(&s);
	spread(&s);
	return d;
}

bool mir_is_divergent_at(const MirDivergence *d, const MirFunc *f, MirReg r, MirInstId at)
{
	MirInstId def = mir_is_virt(r) ? mir_def_inst(f, r) : (MirInstId){0};
	if (!def.i || mir_is_divergent(d, r))
		return mir_is_divergent(d, r);
	u32 x = mir_inst(f, def)->block, y = mir_inst(f, at)->block;
	return diverge_escapes(&d->control, d->cfg->node[x], d->cfg->node[y], mir_inst(f, at)->desc == ISA_PHI);
}

/* ---- the manager's row (pass/analyses.def) ---- */

void *mir_divergence_compute(PassCx *cx, Arena *arena);
bool  mir_divergence_equal(const void *a, const void *b);

void *mir_divergence_compute(PassCx *cx, Arena *arena)
{
	MirControl c = {mir_cfg(cx), mir_dom(cx), mir_postdom(cx), mir_loops(cx)};
	return mir_divergence_build(mir_pass_func(cx), &c, arena);
}

static bool same_members(Bitset a, Bitset b)
{
	for (u32 w = 0; w < PS_MAX(bitset_words(a.bits), bitset_words(b.bits)); w++)
		if ((w < bitset_words(a.bits) ? a.w[w] : 0) != (w < bitset_words(b.bits) ? b.w[w] : 0))
			return false;
	return true;
}

/* Registers that one of them does not know count as uniform there. */
bool mir_divergence_equal(const void *a, const void *b)
{
	const MirDivergence *x = a, *y = b;
	return same_members(x->value, y->value) && same_members(x->control.branch, y->control.branch) &&
	       same_members(x->control.left, y->control.left);
}
