/* combine.h: between the files of the combiner. */
#ifndef PS_DAG_COMBINE_H
#define PS_DAG_COMBINE_H

#include "dag/lower_target.h"

typedef struct Combiner {
	DagFunc *f;
	Dag     *d;
	bool     legal; /* operations are legal: make only such */
} Combiner;

/* What the node may be replaced by; none: nothing better is known. */
DagVal combine_int(Combiner *c, u32 node);      /* combine_int.c: arithmetic, logic, shifts */
DagVal combine_funnel(Combiner *c, u32 node);   /* rotates and funnel shifts */
DagVal combine_cond(Combiner *c, u32 node);     /* combine_cond.c: comparisons, selections, branches */
DagVal combine_width(Combiner *c, u32 node);    /* combine_width.c: extensions and truncations, with loads */
DagVal combine_fp(Combiner *c, u32 node);       /* combine_fp.c */
DagVal combine_division(Combiner *c, u32 node); /* combine_division.c: by constants */

/* `v` without the operand of an `or` that has no bit of `mask`; none: there is no such. */
DagVal combine_demanded(Combiner *c, DagVal v, u64 mask);

static inline DagVal operand_of(const Combiner *c, u32 node, u32 i) { return dag_operand(c->d, dag_at(c->d, node), i); }
static inline DagOp  op_of(const Combiner *c, DagVal v) { return dag_op(c->d, v); }
static inline bool   once(const Combiner *c, DagVal v) { return dag_has_one_use(c->d, v); }
static inline DagVal amount_of(const Combiner *c, u64 n) { return dag_const(c->d, VT_I32, n); }

#endif
