/* param-opt: a parameter is loaded once.
 *
 *	bb.0: %1 = LD_param_u64 &f_param_0, 0           bb.0: %1 = LD_param_u64 &f_param_0, 0
 *	bb.1: %2 = LD_param_u64 &f_param_0, 0     →     bb.1: … %1 …
 *	      … %2 …
 *
 * Needs SSA; keeps the control flow. A walk of the dominator tree remembers the first load of each parameter, offset and type.
 * A later equal load that the first one dominates goes, and its readers read the first one's results. Where neither dominates
 * the other, the first one moves to the end of the nearest block that dominates both: parameters of a function are read-only
 * while it runs, so the load gives the same there. This does not hold of a parameter that the function itself writes or takes
 * the address of; its loads stay. With -remat-load-param only loads of one block are merged: the others stay where their value
 * is wanted and cost no register in between.
 *
 * Only whole equal loads are merged: same offset, same width, same type. Cost: one look at each instruction, a map of the
 * distinct loads. */
#include "mirpass/mirpass.h"

#include "base/map.h"

typedef struct ParamOpt {
	PassCx  *cx;
	MirFunc *f;
	MirCfg  *cfg;
	DomTree *dom;
	Map      written; /* symbols that appear in anything but a load; filled when the first equal loads are met */
	Map      kind;    /* symbol and opcode → 1 + number */
	Map      first;   /* number and offset → the load */
	bool     know_written, changed;
} ParamOpt;

/* Is `symbol` one of the function's own parameters (f_param_0), as opposed to a variable of a call sequence? */
static bool is_parameter(const ParamOpt *p, StrId symbol)
{
	Str name = strtab_get(&p->cx->s->strs, symbol), fn = strtab_get(&p->cx->s->strs, p->f->name);
	return name.n > fn.n + 7 && memcmp(name.p, fn.p, fn.n) == 0 && memcmp(name.p + fn.n, "_param_", 7) == 0;
}

static bool is_param_load(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	return d->opc.op == ISA_ld && d->opc.slot[SLOT_space] == TOK_space_param && !d->opc.slot[SLOT_guard] &&
	       !d->opc.slot[SLOT_sem];
}

/* The base operand of a parameter's load at a constant offset; else NULL. */
static const MirOp *loaded_parameter(const ParamOpt *p, MirInstId i)
{
	const MirFunc *f = p->f;
	u32            n = mir_inst(f, i)->n_defs;
	if (!is_param_load(f, i))
		return NULL;
	const MirOp *base = mir_op(f, i, n), *offset = mir_op(f, i, n + 1);
	if (base->kind != MO_SYMBOL || offset->kind != MO_IMM || !is_parameter(p, (StrId){base->ref}))
		return NULL;
	i64 at = base->imm + offset->imm;
	return at >= 0 && at <= INT32_MAX ? base : NULL;
}

/* Symbols named by instructions that do more than load from them. */
static void note_written(ParamOpt *p)
{
	mir_each_block(p->f, b)
		mir_each_inst(p->f, b, i)
			for (u32 n = 0; n < mir_inst(p->f, i)->n_ops; n++) {
				const MirOp *o = mir_op(p->f, i, n);
				if (o->kind == MO_SYMBOL && !is_param_load(p->f, i))
					map_set(&p->written, o->ref, 1);
			}
	p->know_written = true;
}

/* Does the function do more with the parameter than load from it? */
static bool is_written(ParamOpt *p, u32 symbol)
{
	if (!p->know_written)
		note_written(p);
	return map_get(&p->written, symbol) != NULL;
}

static bool same_classes(const MirFunc *f, MirInstId a, MirInstId b)
{
	for (u32 n = 0; n < mir_inst(f, a)->n_defs; n++)
		if (!mir_alike(f, mir_op_reg(mir_op(f, a, n)), mir_op_reg(mir_op(f, b, n))))
			return false;
	return true;
}

static void replace(ParamOpt *p, MirInstId i, MirInstId had, const char *where)
{
	MirFunc *f = p->f;
	if (pass_wants_remarks(p->cx))
		pass_remark(p->cx, REMARK_PASSED, mir_inst(f, i)->origin, "the parameter is loaded already: %s", where);
	for (u32 n = 0; n < mir_inst(f, i)->n_defs; n++)
		mir_replace_uses(f, mir_op_reg(mir_op(f, i, n)), mir_op_reg(mir_op(f, had, n)));
	mir_erase(f, i);
	p->changed = true;
}

static void visit(ParamOpt *p, MirInstId i, u32 node)
{
	MirFunc     *f = p->f;
	const MirOp *base = loaded_parameter(p, i);
	if (!base)
		return;
	u64 at = (u64)(base->imm + base[1].imm);
	u64 next = p->kind.n_entries + 1, *kind = map_put(&p->kind, (u64)base->ref << 32 | mir_inst(f, i)->desc, NULL);
	if (!*kind)
		*kind = next;
	bool fresh;
	u64 *first = map_put(&p->first, *kind << 32 | at, &fresh);
	if (fresh) {
		*first = i.i;
		return;
	}
	MirInstId had = {(u32)*first};
	u32       there = p->cfg->node[mir_inst(f, had)->block];
	if (!same_classes(f, i, had))
		return;
	if (is_written(p, base->ref)) {
		pass_remark(p->cx, REMARK_MISSED, mir_inst(f, i)->origin,
		            "the parameter is loaded again: the function writes it or takes its address");
		return;
	}
	if (there != node && knob_bool(p->cx->s, KNOB_remat_load_param)) {
		pass_remark(p->cx, REMARK_MISSED, mir_inst(f, i)->origin,
		            "the parameter is loaded again: -remat-load-param keeps loads in their blocks");
		*first = i.i;
		return;
	}
	if (dom_dominates(p->dom, there, node)) {
		replace(p, i, had, "a dominating load has it");
		return;
	}
	MirBlockId above = {p->cfg->block[dom_common(p->dom, there, node)]};
	mir_move(f, had, above, mir_first_terminator(f, above));
	replace(p, i, had, "one load in front of both branches serves them");
}

static bool run(PassCx *cx)
{
	ParamOpt p = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(p.f, ISA_ld))
		return false;
	p.cfg = mir_cfg(cx);
	p.dom = mir_dom(cx);
	map_init(&p.written, cx->scratch);
	map_init(&p.kind, cx->scratch);
	map_init(&p.first, cx->scratch);
	for (u32 k = 0; k < p.dom->reached; k++) {
		MirBlockId b = {p.cfg->block[p.dom->pre[k]]};
		mir_each_inst(p.f, b, i)
			visit(&p, i, p.dom->pre[k]);
	}
	return p.changed;
}

static const Knob knobs[] = {KNOB_remat_load_param, KNOB_NONE};

const Pass mirpass_param_opt = {
	.id = "param-opt",
	.title = "Optimize NVPTX ld.param",
	.summary = "Loads each parameter once; later loads of it reuse the value.",
	.group = "isel",
	.level = PASS_MIR,
	.disable = KNOB_disable_param_opt,
	.knobs = knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
