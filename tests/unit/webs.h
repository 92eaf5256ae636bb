/* webs.h: the definition of conventional SSA, checked the slow way: values that phis join, directly or by way of
 * other phis, form a web; no member of a web may be live where another one is defined. */
#ifndef PS_UNIT_WEBS_H
#define PS_UNIT_WEBS_H

#include "analysis/cfg.h"
#include "base/bitset.h"
#include "ir/ir.h"

typedef struct Webs {
	const IrModule *m;
	const IrCfg    *cfg;
	VecU32          value;    /* IrRef.i of the members */
	Map             at;       /* IrRef.i → index in value */
	u32            *up;       /* union-find */
	Bitset         *in, *out; /* by member: blocks at whose head and end it is live */
} Webs;

static inline u32 webs_find(Webs *w, u32 v)
{
	while (w->up[v] != v)
		v = w->up[v] = w->up[w->up[v]];
	return v;
}

static inline u32 webs_member(Webs *w, Arena *a, IrRef v)
{
	bool fresh;
	u64 *at = map_put(&w->at, v.i, &fresh);
	if (fresh) {
		*at = w->value.n;
		vec_push(a, &w->value, v.i);
	}
	return (u32)*at;
}

/* A value that is no constant, and is not what every other input is too. */
static inline bool webs_is_value(IrRef v) { return ir_kind(v) == IR_INST || ir_kind(v) == IR_ARG; }

static inline void webs_live_in(Webs *w, u32 v, u32 block, VecU32 *work, Arena *a)
{
	if (bitset_has(w->in[v], block))
		return;
	bitset_add(w->in[v], block);
	vec_push(a, work, block);
}

static inline void webs_live_out(Webs *w, u32 v, u32 block, VecU32 *work, Arena *a)
{
	if (bitset_has(w->out[v], block))
		return;
	bitset_add(w->out[v], block);
	IrRef r = {w->value.p[v]};
	if (ir_kind(r) == IR_ARG || ir_cfg_number(w->cfg, w->m, ir_inst(w->m, r)->block) != block)
		webs_live_in(w, v, block, work, a);
}

static inline void webs_liveness(Webs *w, u32 v, Arena *a)
{
	VecU32 work = {0};
	IrRef  r = {w->value.p[v]};
	ir_each_use(w->m, r, u) {
		IrRef user = ir_use(w->m, u)->user;
		if (ir_kind(user) != IR_INST || ir_is_none(ir_inst(w->m, user)->block))
			continue;
		u32 b = ir_cfg_number(w->cfg, w->m, ir_inst(w->m, user)->block);
		if (ir_inst(w->m, user)->op == IR_PHI) {
			for (u32 i = 0; i < ir_phi_n(w->m, user); i++)
				if (ir_same(ir_phi_value(w->m, user, i), r))
					webs_live_out(w, v, ir_cfg_number(w->cfg, w->m, ir_phi_block(w->m, user, i)), &work, a);
		} else if (ir_kind(r) == IR_ARG || ir_cfg_number(w->cfg, w->m, ir_inst(w->m, r)->block) != b) {
			webs_live_in(w, v, b, &work, a);
		}
	}
	while (work.n) {
		Nodes p = graph_pred(&w->cfg->graph, vec_pop(&work));
		for (u32 k = 0; k < p.n; k++)
			webs_live_out(w, v, p.p[k], &work, a);
	}
}

/* Is `v` live just behind the definition of `def`? */
static inline bool webs_live_at(const Webs *w, u32 v, IrRef def)
{
	const IrModule *m = w->m;
	IrRef           r = {w->value.p[v]}, block = ir_inst(m, def)->block;
	u32             b = ir_cfg_number(w->cfg, m, block);
	bool            defined = ir_kind(r) == IR_ARG || bitset_has(w->in[v], b), before = false;
	for (IrRef i = ir_block(m, block)->first; !ir_is_none(i) && !ir_same(i, def); i = ir_inst(m, i)->next)
		before |= ir_same(i, r);
	/* Phis of one block are defined at once. */
	if (ir_inst(m, def)->op == IR_PHI && is_inst(m, r, IR_PHI) && ir_same(ir_inst(m, r)->block, block))
		before = true;
	if (!defined && !before)
		return false;
	if (bitset_has(w->out[v], b))
		return true;
	for (IrRef i = ir_inst(m, def)->next; !ir_is_none(i); i = ir_inst(m, i)->next)
		if (ir_inst(m, i)->op != IR_PHI)
			for (u32 k = 0; k < ir_inst(m, i)->n_ops; k++)
				if (ir_same(ir_op(m, i, k), r))
					return true;
	return false;
}

/* Two members of a web that interfere, "" where there are none. */
static inline Str webs_interference(const IrModule *m, const IrFunc *f, Arena *a)
{
	Webs w = {.m = m, .cfg = ir_cfg_build(m, f, a)};
	map_init(&w.at, a);
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_PHI) {
				webs_member(&w, a, i);
				for (u32 k = 0; k < ir_phi_n(m, i); k++)
					if (webs_is_value(ir_phi_value(m, i, k)))
						webs_member(&w, a, ir_phi_value(m, i, k));
			}
	u32 n = w.value.n;
	w.up = arena_array(a, u32, n + 1);
	w.in = arena_array(a, Bitset, n + 1);
	w.out = arena_array(a, Bitset, n + 1);
	for (u32 v = 0; v < n; v++) {
		w.up[v] = v;
		w.in[v] = bitset_new(a, w.cfg->n + 1);
		w.out[v] = bitset_new(a, w.cfg->n + 1);
	}
	for (u32 v = 0; v < n; v++) {
		IrRef phi = {w.value.p[v]};
		webs_liveness(&w, v, a);
		for (u32 k = 0; is_inst(m, phi, IR_PHI) && k < ir_phi_n(m, phi); k++)
			if (webs_is_value(ir_phi_value(m, phi, k)))
				w.up[webs_find(&w, webs_member(&w, a, ir_phi_value(m, phi, k)))] = webs_find(&w, v);
	}
	for (u32 x = 0; x < n; x++)
		for (u32 y = 0; y < n; y++) {
			IrRef def = {w.value.p[y]};
			if (x != y && webs_find(&w, x) == webs_find(&w, y) && ir_kind(def) == IR_INST &&
			    ir_cfg_reached(w.cfg, ir_cfg_number(w.cfg, m, ir_inst(m, def)->block)) && webs_live_at(&w, x, def))
				return arena_fmt(a, "%.*s is live where %.*s is defined",
				                 STR_ARG(ir_str(m, ir_kind((IrRef){w.value.p[x]}) == IR_INST
				                                           ? ir_info(m, (IrRef){w.value.p[x]})->name
				                                           : (StrId){0})),
				                 STR_ARG(ir_str(m, ir_info(m, def)->name)));
		}
	return (Str){0};
}

#endif
