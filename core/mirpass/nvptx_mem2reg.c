/* nvptx-mem2reg: a stack object that is written once becomes the register that was written to it.
 *
 *	ST_local_u32 %stack.0, 0, %1
 *	…                                          …
 *	%2 = LD_local_u32 %stack.0, 0        →
 *	… = ADDs32ri %2, 4                         … = ADDs32ri %1, 4          %stack.0 is dead
 *
 * For objects of the depot (locals and spill slots) whose address is nowhere but in plain loads and stores, with one store
 * that dominates all loads, the same offset, the same width, and a value that fills its register. A store without loads
 * goes too. Stores, loads and address computations are erased.
 *
 * The code is not in SSA form. Where the stored register has another definition it may hold another value at a load, so a
 * copy is made at the store, and the loads read the copy. A register with one definition, which dominates the store, holds
 * at each load what was stored last: a path from the definition to a load around the store would be a path from the entry
 * to the load around the store. For the same reason readers of a loaded register with one definition, where that dominates
 * them, read the stored one directly; other loads become copies.
 *
 * Behind allocation (MirFunc.within_budget) the registers of a budget are not exceeded: slots of values that were spilled stay.
 *
 * Keeps the control flow. Cost: mir/frame.h, and the readers of what was loaded. */
#include "mir/bound.h"
#include "mir/budget.h"
#include "mir/frame.h"
#include "mir/pressure.h"
#include "mirpass/mirpass.h"

typedef struct Promoter {
	PassCx       *cx;
	MirFunc      *f;
	MirFrameUses *uses;
	MirCfg       *cfg;
	DomTree      *dom;
	u32           spare[FILE_COUNT]; /* units that may be live beside what is */
} Promoter;

static bool dominates(const Promoter *p, MirInstId a, MirInstId b)
{
	MirBlockId x = {mir_inst(p->f, a)->block}, y = {mir_inst(p->f, b)->block};
	if (x.i == y.i)
		return mir_before(p->f, a, b);
	u32 m = p->cfg->node[x.i], n = p->cfg->node[y.i];
	return p->cfg->order.pos[m] != GRAPH_NONE && p->cfg->order.pos[n] != GRAPH_NONE && dom_dominates(p->dom, m, n);
}

/* The register that a load or store moves; none where it moves several, or something else. */
static MirReg moved(const MirFunc *f, const MirFrameAccess *x)
{
	const MirInst *i = mir_inst(f, x->inst);
	u32            at = x->store ? x->base + 2 : 0;
	MirReg         r = {0};
	if (x->store ? i->n_defs == 0 && at + 1 == i->n_ops : i->n_defs == 1)
		r = mir_op_reg(mir_op(f, x->inst, at));
	return mir_is_virt(r) ? r : (MirReg){0};
}

/* Behind allocation a promoted object may take what no point of the function needs. Live ranges are asked for only where all
 * objects together might be too many. */
static void find_spare(Promoter *p)
{
	MirFunc *f = p->f;
	u32      all = 0;
	for (u32 n = 0; n < f->frame.n; n++)
		all += f->frame.p[n].is_dead ? 0 : isa_class_info[RC_B128].units;
	for (u32 file = FILE_NONE + 1; file < FILE_COUNT; file++) {
		u32 limit = f->within_budget ? mir_budget_units(f, (IsaFile)file) : MIR_NO_LIMIT;
		p->spare[file] = limit;
		if (limit == MIR_NO_LIMIT || (all < limit && !mir_may_exceed(p->cx, (IsaFile)file, limit - all)))
			continue;
		u32 most = mir_rpa_most(mir_rpa(p->cx)).unit[file];
		p->spare[file] = most < limit ? limit - most : 0;
	}
}

static const MirFrameAccess *only_store(const Promoter *p, u32 object)
{
	mir_each_frame_access(p->uses, object, x) if (x->store) return x;
	return NULL;
}

/* Why the object stays; NULL: it goes. */
static const char *obstacle(const Promoter *p, u32 object)
{
	const MirFrameUse    *u = &p->uses->object[object];
	const MirFrameObj    *o = &p->f->frame.p[object];
	const MirFrameAccess *s;
	if (o->kind != MIR_FRAME_LOCAL && o->kind != MIR_FRAME_SPILL)
		return "is no slot of the local depot";
	if (u->escapes)
		return "has an address that more than loads and stores use";
	if (u->n_stores != 1)
		return u->n_stores ? "is written more than once" : "is never written";
	s = only_store(p, object);
	MirReg from = moved(p->f, s);
	if (!s->plain)
		return "is written by a volatile, atomic or guarded store";
	if (u->n_loads && (!from.i || isa_class_info[mir_class(p->f, from)].bits != s->size * 8))
		return "is written with something else than all of one register";
	mir_each_frame_access(p->uses, object, x)
	{
		if (x->store)
			continue;
		MirReg to = moved(p->f, x);
		if (!x->plain)
			return "is read by a volatile, atomic or guarded load";
		if (x->offset != s->offset || x->size != s->size || !to.i || !mir_alike(p->f, to, from))
			return "is read in another form than it is written";
		if (!dominates(p, s->inst, x->inst))
			return "is read where its store may not have run";
	}
	if (u->n_loads && isa_class_info[mir_class(p->f, from)].units > p->spare[isa_class_info[mir_class(p->f, from)].file])
		return "would take more registers than the budget leaves";
	return NULL;
}

static bool is_single(const MirFunc *f, MirReg r) { return mir_vreg(f, r)->n_defs == 1; }

/* The register that holds what is stored until the next store. */
static MirReg stored(Promoter *p, const MirFrameAccess *s)
{
	MirFunc *f = p->f;
	MirReg   from = moved(f, s);
	if (is_single(f, from) && dominates(p, mir_def_inst(f, from), s->inst))
		return from;
	MirReg copy = mir_reg_new(f, mir_class(f, from));
	mirpass_copy_before(f, s->inst, copy, from);
	return copy;
}

static void replace_load(Promoter *p, const MirFrameAccess *x, MirReg from)
{
	MirFunc *f = p->f;
	MirReg   to = moved(f, x);
	bool     direct = is_single(f, to);
	mir_each_use(f, to, o)
		direct = direct && dominates(p, x->inst, (MirInstId){o->inst});
	if (!direct)
		mirpass_copy_before(f, x->inst, to, from);
	mir_erase(f, x->inst);
	if (direct)
		mir_replace_uses(f, to, from);
}

static void promote(Promoter *p, u32 object)
{
	const MirFrameUse    *u = &p->uses->object[object];
	const MirFrameAccess *s = only_store(p, object);
	if (pass_wants_remarks(p->cx))
		pass_remark(p->cx, REMARK_PASSED, mir_inst(p->f, s->inst)->origin,
		            "%%stack.%u is a register: %u load%s, one store", object, u->n_loads, u->n_loads == 1 ? "" : "s");
	if (u->n_loads) {
		MirReg              from = stored(p, s);
		const IsaClassInfo *c = &isa_class_info[mir_class(p->f, from)];
		p->spare[c->file] -= p->spare[c->file] == MIR_NO_LIMIT ? 0 : c->units;
		mir_each_frame_access(p->uses, object, x) if (!x->store) replace_load(p, x, from);
	}
	mir_erase(p->f, s->inst);
	p->f->frame.p[object].is_dead = 1;
}

static bool run(PassCx *cx)
{
	Promoter p = {.cx = cx, .f = mirpass_func(cx)};
	bool     changed = false;
	if (!p.f->frame.n || p.f->props & MP_ALLOCATED)
		return false;
	p.uses = mir_frame_uses(p.f, cx->scratch);
	p.cfg = mir_cfg(cx);
	p.dom = mir_dom(cx);
	find_spare(&p);
	for (u32 n = 0; n < p.f->frame.n; n++) {
		if (p.f->frame.p[n].is_dead || !(p.uses->object[n].first || p.uses->object[n].escapes))
			continue;
		const char *why = obstacle(&p, n);
		if (why) {
			pass_remark(cx, REMARK_MISSED, 0, "%%stack.%u stays: it %s", n, why);
			continue;
		}
		promote(&p, n);
		changed = true;
	}
	if (changed)
		mir_frame_drop_addresses(p.f, p.uses);
	return changed;
}

const Pass mirpass_nvptx_mem2reg = {
	.id = "nvptx-mem2reg",
	.title = "Mem2Reg on Machine Instructions to remove local stack objects",
	.summary = "Replaces stack objects that are written once by the register that was written (the documents' table has it "
		   "under Pre-RA, their text behind register allocation, where it runs)",
	.group = "ra",
	.level = PASS_MIR,
	.disable = KNOB_nv_disable_mem2reg,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_NVIDIA,
	.run = run,
};
