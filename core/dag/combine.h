/* combine.h: between the files of the combiner: combine.c (the worklist), rules.c (which rule applies) and combine_*.c (rules
 * that are code). */
#ifndef PS_DAG_COMBINE_H
#define PS_DAG_COMBINE_H

#include "dag/lower_target.h"

typedef enum CombineRule {
	CR_NONE,
#define RULE(id, from, to, when, where, keep)   CR_##id,
#define CODE(id, function, first, second, when) CR_##id,
#include "dag/combine.def"
	CR_COUNT
} CombineRule;

enum {                      /* the `when` column: of the stage, and of the root's type (one element, where a vector) */
       WHEN_EARLY = 1 << 0, /* types and operations need not be legal */
       WHEN_LATE = 1 << 1,  /* they are: make only such */
       WHEN_OPT = 1 << 2,   /* -O1 and above */
       WHEN_SCALAR = 1 << 3,
       WHEN_W64 = 1 << 4, /* a scalar of at most 64 bits */
       WHEN_I1 = 1 << 5,
       WHEN_I32 = 1 << 6,
       WHEN_I32_64 = 1 << 7,
       WHEN_ROTATES = 1 << 8, /* there is a rotation of the type, or will be */
       WHEN_NSZ = 1 << 9,     /* the root's flag */
       WHEN_NARROW = 1 << 10, /* a scalar of at most 16 bits */
};

typedef struct Combiner {
	DagFunc *f;
	Dag     *d;
	bool     rotates;  /* the target has funnel shifts */
	bool     legal;    /* operations are legal: make only such */
	bool     in_place; /* a rule changed the node itself, or others, and has no replacement for it */
	u32      rule;     /* CombineRule that applied last */
	u32     *fired;    /* how often each rule applied; NULL: not counted */
} Combiner;

/* A rule that is code: what the node may be replaced by, or none. */
typedef DagVal CombineCode(Combiner *c, const DagNode *n);
#define RULE(id, from, to, when, where, keep)
#define CODE(id, function, first, second, when) CombineCode function;
#include "dag/combine.def"

/* rules.c: the first rule that applies to the node. */
DagVal                   combine_by_rules(Combiner *c, const DagNode *n);
extern const char *const combine_rule_name[CR_COUNT];
/* combine.c: until no rule applies. `c` has f, d, rotates, legal and fired. */
void combine_graph(Combiner *c);

/* `v` without the operand of an `or` that has no bit of `mask`; none: there is no such. */
DagVal combine_demanded(Combiner *c, DagVal v, u64 mask);

/* What a load extends to 64 bits, loaded into 32; none: it does not, or others use the 64. */
DagVal combine_load_half(Combiner *c, DagVal load);

static inline bool combine_has_rotates(DagFunc *f) { return isa_has(f->s, ptx_opc(shf, PS(op, l), PS(mode, wrap), TY(b32))); }

static inline DagVal operand_of(const Combiner *c, const DagNode *n, u32 i) { return dag_operand(c->d, n, i); }
static inline DagOp  op_of(const Combiner *c, DagVal v) { return dag_op(c->d, v); }
static inline bool   once(const Combiner *c, DagVal v) { return dag_has_one_use(c->d, v); }
static inline DagVal amount_of(const Combiner *c, u64 n) { return dag_const(c->d, VT_I32, n); }

#endif
