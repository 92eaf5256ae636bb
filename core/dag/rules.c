/* rules.c: applies the rows of combine.def.
 *
 * A row is two lists of tokens in prefix form, made by the preprocessor: what to match and what to make. The rules of an
 * operation are consecutive, so that a node is compared with those of its own operation alone, and a row whose operands
 * have other operations costs a comparison or two: a third list holds the operations that the row wants of them. Values and constants are bound where they are first met; met again,
 * they must be the same. */
#include "dag/combine.h"

enum { /* tokens; below, DagOp: a node, its operands, T_END */
       T_END = 0x400,
       T_ONCE, /* before a node */
       T_HAS,  /* and a flag, before a node */
       T_NOT_CONST,
       T_X,
       T_Y,
       T_Z,
       T_P,
       T_C1,
       T_C2,
       T_ZERO,
       T_ONE,
       T_ONES,
       T_WIDTH,
       T_F0, /* five floats, in the order of float_bits */
       T_FN0,
       T_F1,
       T_FN1,
       T_F2,
       T_EVAL,   /* SemOp, two constants */
       T_LOG2,   /* a constant */
       T_AMOUNT, /* a constant */
       T_UNDEF,
};

typedef enum RuleIf { /* the `where` column */
	              IF_TRUE,
	              IF_C1_IS_MIN,
	              IF_C1_IS_POW2,
	              IF_C1_IS_NEG_POW2,
	              IF_C1_IN_WIDTH,
	              IF_C1_PAST_WIDTH,
	              IF_C1_BELOW_C2,
	              IF_C1_TO_C2, /* C1 <= C2 < width */
	              IF_C1_BELOW_BIT_C2,
	              IF_C1_HAS_LOW_BITS, /* bits below bit C2 */
	              IF_SUM_IN_WIDTH,
	              IF_SUM_IS_WIDTH,
	              IF_NOT_I1,
	              IF_X_HAS_ROOT_TYPE,
} RuleIf;

typedef struct Rule {
	u64          want, mask; /* see KEY: the node's key must agree with `want` in the bits of `mask` */
	const u16   *from, *to;  /* a row: the operands, and what replaces the root */
	CombineCode *code;       /* or code */
	u16          keep;
	u8           where; /* RuleIf */
} Rule;

#define SCALAR         WHEN_SCALAR
#define W64            WHEN_W64
#define EARLY          WHEN_EARLY
#define LATE           WHEN_LATE
#define OPT            WHEN_OPT
#define I1             WHEN_I1
#define I32            WHEN_I32
#define I32_64         WHEN_I32_64
#define ROTATES        WHEN_ROTATES
#define NSZ            WHEN_NSZ
#define ROOT(op, ...)  __VA_ARGS__, T_END
#define N(op, ...)     DAG_##op, __VA_ARGS__, T_END
#define ONCE(...)      T_ONCE, __VA_ARGS__
#define HAS(flag, ...) T_HAS, IRF_##flag, __VA_ARGS__
#define V(x)           T_NOT_CONST, x
#define X              T_X
#define Y              T_Y
#define Z              T_Z
#define P              T_P
#define C1             T_C1
#define C2             T_C2
#define ZERO           T_ZERO
#define ONE            T_ONE
#define ONES           T_ONES
#define WIDTH          T_WIDTH
#define F0             T_F0
#define FN0            T_FN0
#define F1             T_F1
#define FN1            T_FN1
#define F2             T_F2
#define UNDEF          T_UNDEF
#define A(...)         T_AMOUNT, __VA_ARGS__
#define E(op, ...)     T_EVAL, SEM_OP_##op, __VA_ARGS__
#define LOG2(...)      T_LOG2, __VA_ARGS__

#define RULE(id, from, to, when, where, keep)  \
	static const u16 from_##id[] = {from}; \
	static const u16 to_##id[] = {to};
#include "dag/combine.def"

#undef ROOT
#undef N
#undef ONCE
#undef HAS
#undef V
#undef X
#undef Y
#undef Z
#undef P
#undef C1
#undef C2
#undef ZERO
#undef ONE
#undef ONES
#undef WIDTH
#undef F0
#undef FN0
#undef F1
#undef FN1
#undef F2
#undef UNDEF
#undef A
#undef E
#undef LOG2

#define ROOT(op, ...)  __VA_ARGS__
#define N(op, ...)     DAG_##op
#define ONCE(...)      __VA_ARGS__
#define HAS(flag, ...) __VA_ARGS__
#define V(x)           0
#define X              0
#define Y              0
#define Z              0
#define P              0
#define C1             DAG_Constant
#define C2             DAG_Constant
#define ZERO           DAG_Constant
#define ONE            DAG_Constant
#define ONES           DAG_Constant
#define F0             0 /* a number, or a vector of equal ones */
#define FN0            0
#define F1             0
#define FN1            0
#define F2             0

/* What nodes are compared with before anything else: the `when` bits, and the operations of the first two operands. */
#define KEY(when, op0, op1)    ((u64)(when) | (u64)(op0) << 16 | (u64)(op1) << 32)
#define FULL(op)               ((op) ? 0xFFFF : 0)
#define WANT_(when, a, b, ...) KEY(when, a, b)
#define MASK_(when, a, b, ...) KEY(when, FULL(a), FULL(b))
/* Bits of a small filter: operations of the first operand, or else of the second, with which a row is worth a look. */
#define BIT(op)                  (1ull << (op) % 64)
#define FIRST_(when, a, b, ...)  ((a) ? BIT(a) : (b) ? 0 : ~0ull)
#define SECOND_(when, a, b, ...) ((a) || !(b) ? 0 : BIT(b))
#define FIRST(when, ...)         FIRST_(when, __VA_ARGS__, 0, 0)
#define SECOND(when, ...)        SECOND_(when, __VA_ARGS__, 0, 0)
#define WANT(when, ...)          WANT_(when, __VA_ARGS__, 0, 0)
#define MASK(when, ...)          MASK_(when, __VA_ARGS__, 0, 0)

static const Rule rules[CR_COUNT] = {
#define RULE(id, f, t, w, i, k) [CR_##id] = {WANT(w, f), MASK(w, f), from_##id, to_##id, NULL, k, IF_##i},
#define CODE(id, function, w)   [CR_##id] = {.want = w, .mask = w, .code = function},
#include "dag/combine.def"
};

static const u64 first_ops[DAG_OP_COUNT] = {
#define GROUP(op)               [DAG_##op] = 0
#define RULE(id, f, t, w, i, k) | FIRST(w, f)
#define CODE(id, function, w)   | ~0ull
#define END(op)                 ,
#include "dag/combine.def"
};
static const u64 second_ops[DAG_OP_COUNT] = {
#define GROUP(op)               [DAG_##op] = 0
#define RULE(id, f, t, w, i, k) | SECOND(w, f)
#define CODE(id, function, w)
#define END(op) ,
#include "dag/combine.def"
};
#undef X
#undef Y
#undef Z
#undef P

const char *const combine_rule_name[CR_COUNT] = {
	[CR_NONE] = "none",
#define RULE(id, f, t, w, i, k) [CR_##id] = #id,
#define CODE(id, function, w)   [CR_##id] = #id,
#include "dag/combine.def"
};

/* The rules of an operation: behind `before` and before `end`. */
enum {
	MARK_NONE,
#define GROUP(op)               MARK_##op, MARK_##op##_IS = MARK_##op - 1,
#define RULE(id, f, t, w, i, k) MARK_AT_##id,
#define CODE(id, function, w)   MARK_AT_##id,
#define END(op)                 MARK_END_##op, MARK_END_##op##_IS = MARK_END_##op - 1,
#include "dag/combine.def"
};
static const struct {
	u16 first, end;
} rules_of[DAG_OP_COUNT] = {
#define GROUP(op) [DAG_##op] = {MARK_##op, MARK_END_##op},
#define END(op)
#include "dag/combine.def"
};

typedef struct Match {
	Combiner      *c;
	const DagNode *root;
	DagVt          vt;
	u32            w;
	u16            keep;
	u32            bound; /* bits by token - T_X */
	DagVal         value[4];
	SemU128        k[2];
} Match;

static u64 float_bits(DagVt vt, u32 token)
{
	static const u64 of[4][5] = {
		{0, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x4000000000000000},
		{0, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000},
		{0, 0x8000, 0x3c00, 0xbc00, 0x4000},
		{0, 0x8000, 0x3f80, 0xbf80, 0x4000},
	};
	u32 kind = vt_kind(vt);
	return of[kind == VTK_F64 ? 0 : kind == VTK_F32 ? 1 : kind == VTK_F16 ? 2 : 3][token - T_F0];
}

static bool bind_value(Match *m, u32 i, DagVal v)
{
	if (m->bound >> i & 1)
		return dag_same(m->value[i], v);
	m->bound |= 1u << i;
	m->value[i] = v;
	return true;
}

static bool bind_const(Match *m, u32 i, DagVal v)
{
	const DagNode *n = dag_of(m->c->d, v);
	if (n->opcode != DAG_Constant || vt_bits(n->vt[0]) > 128)
		return false;
	SemU128 k = {n->k[0], n->k[1]};
	if (m->bound >> (8 + i) & 1)
		return u128_eq(m->k[i], k);
	m->bound |= 0x100u << i;
	m->k[i] = k;
	return true;
}

static bool match_leaf(Match *m, u32 token, DagVal v)
{
	const Dag *d = m->c->d;
	u64        bits;
	switch (token) {
	case T_X:
	case T_Y:
	case T_Z:
	case T_P: return bind_value(m, token - T_X, v);
	case T_C1:
	case T_C2: return bind_const(m, token - T_C1, v);
	case T_ZERO: return dag_is_zero(d, v);
	case T_ONE: return dag_is_const_of(d, v, 1);
	case T_ONES: return dag_is_all_ones(d, v);
	case T_WIDTH: return dag_is_const_of(d, v, m->w);
	default: return dag_as_fp(d, v, &bits) && bits == float_bits(dag_vt(d, v), token);
	}
}

/* The operands of a node, against the tokens up to T_END; the token behind that, or NULL. Rows are at most four deep. */
static const u16 *match(Match *m, const u16 *t, const DagNode *n)
{
	const Dag *d = m->c->d;
	for (u32 i = 0; *t != T_END; i++) {
		DagVal         v = dag_operand(d, n, i);
		const DagNode *x = dag_of(d, v);
		bool           once_only = false;
		for (; *t <= T_NOT_CONST && *t >= T_ONCE; t++) {
			if (*t == T_ONCE)
				once_only = true;
			else if (*t == T_NOT_CONST ? x->opcode == DAG_Constant : !(x->flags & *++t))
				return NULL;
		}
		if (*t > T_END) {
			if (!match_leaf(m, *t++, v))
				return NULL;
			continue;
		}
		if (x->opcode != *t || !(t = match(m, t + 1, x)) || (once_only && !once(m->c, v)))
			return NULL;
	}
	return t + 1;
}

static SemU128 eval(Match *m, SemOp op, SemU128 a, SemU128 b)
{
	u64     r = 0;
	SemU128 wide = {0, 0};
	if (m->w <= 64) {
		sem_eval_int(op, m->w, (u64[]){sem_zext(a.lo, m->w), sem_zext(b.lo, m->w)}, 2, &r);
		return u128(0, r);
	}
	sem_eval_wide(op, m->w, a, b, &wide);
	return u128_zext(wide, m->w);
}

static SemU128 constant(Match *m, const u16 **at)
{
	u32 token = *(*at)++;
	switch (token) {
	case T_C1:
	case T_C2: return m->k[token - T_C1];
	case T_ONE: return u128(0, 1);
	case T_ONES: return u128_zext(u128_not(u128(0, 0)), m->w);
	case T_WIDTH: return u128(0, m->w);
	case T_LOG2: return u128(0, u64_log2(constant(m, at).lo));
	case T_EVAL: {
		SemOp   op = (SemOp) * (*at)++;
		SemU128 a = constant(m, at), b = constant(m, at);
		return eval(m, op, a, b);
	}
	default: return u128(0, 0);
	}
}

static DagVal make(Match *m, const u16 **at)
{
	Dag *d = m->c->d;
	u32  token = **at;
	if (token < T_END) {
		DagVal ops[4];
		u32    n = 0;
		for (++*at; **at != T_END;)
			ops[n++] = make(m, at);
		++*at;
		return dag_flagged(d, (DagOp)token, m->vt, ops, n, m->root->flags & m->keep);
	}
	if (token >= T_X && token <= T_P) {
		++*at;
		return m->value[token - T_X];
	}
	if (token >= T_F0 && token <= T_F2) {
		++*at;
		return dag_fp(d, m->vt, float_bits(m->vt, token));
	}
	if (token == T_UNDEF)
		return dag_undef(d, m->vt);
	if (token == T_ONES && m->w > 128) {
		++*at;
		return dag_all_ones(d, m->vt);
	}
	DagVt vt = token == T_AMOUNT ? VT_I32 : m->vt;
	*at += token == T_AMOUNT;
	SemU128 k = constant(m, at);
	return dag_const2(d, vt, k.lo, k.hi);
}

static bool is_pow2(u64 x) { return x && (x & (x - 1)) == 0; }

static bool holds(const Match *m, RuleIf what)
{
	u64 a = m->k[0].lo, b = m->k[1].lo, w = m->w;
	switch (what) {
	case IF_TRUE: return true;
	case IF_C1_IS_MIN: return a == sem_smin(m->w);
	case IF_C1_IS_POW2: return is_pow2(a) && w > 1;
	case IF_C1_IS_NEG_POW2: return is_pow2(sem_neg(m->w, a));
	case IF_C1_IN_WIDTH: return a < w && b < w;
	case IF_C1_PAST_WIDTH: return a >= w;
	case IF_C1_BELOW_C2: return a < b && b < w;
	case IF_C1_TO_C2: return a <= b && b < w;
	case IF_C1_BELOW_BIT_C2: return b < w && a >> b == 0;
	case IF_C1_HAS_LOW_BITS: return b < w && (a & sem_mask((u32)b));
	case IF_SUM_IN_WIDTH: return a < w && b < w && a + b < w;
	case IF_SUM_IS_WIDTH: return a < w && b < w && a + b == w;
	case IF_NOT_I1: return m->vt != VT_I1 && !vt_is_vec(dag_vt(m->c->d, m->value[3]));
	case IF_X_HAS_ROOT_TYPE: return dag_vt(m->c->d, m->value[0]) == m->vt;
	}
	return false;
}

/* The `when` bits that are true of a node. */
static u32 have_of(const Combiner *c, const DagNode *n)
{
	DagVt vt = n->vt[0];
	u32   w = vt_bits(vt), have = (c->legal ? WHEN_LATE : WHEN_EARLY) | (c->f->optimize ? WHEN_OPT : 0);
	if (n->flags & IRF_NSZ)
		have |= WHEN_NSZ;
	if (vt_is_vec(vt) || !vt_is_value(vt))
		return have;
	have |= WHEN_SCALAR | (w <= 64 ? WHEN_W64 : 0) | (vt == VT_I1 ? WHEN_I1 : 0);
	if (vt != VT_I32 && vt != VT_I64)
		return have;
	have |= WHEN_I32_64 | (vt == VT_I32 ? WHEN_I32 : 0);
	if ((vt == VT_I32 || (c->f->optimize && !c->legal)) && c->f->s->target.sm >= 32)
		have |= WHEN_ROTATES;
	return have;
}

static DagVal apply_row(Combiner *c, const Rule *rule, const DagNode *n)
{
	Match m;
	m.c = c, m.root = n, m.vt = n->vt[0], m.w = vt_bits(n->vt[0]), m.keep = rule->keep, m.bound = 0;
	if (!match(&m, rule->from, n) || !holds(&m, (RuleIf)rule->where))
		return DAG_NONE;
	const u16 *t = rule->to;
	return make(&m, &t);
}

DagVal combine_by_rules(Combiner *c, const DagNode *n)
{
	u32 i = rules_of[n->opcode].first, end = rules_of[n->opcode].end;
	if (i == end)
		return DAG_NONE;
	u32 n_ops = dag_n_ops(n), op0 = n_ops ? op_of(c, dag_operand(c->d, n, 0)) : 0,
	    op1 = n_ops > 1 ? op_of(c, dag_operand(c->d, n, 1)) : 0;
	if (!((first_ops[n->opcode] & BIT(op0)) | (second_ops[n->opcode] & BIT(op1))))
		return DAG_NONE;
	u64 key = KEY(have_of(c, n), op0, op1);
	for (; i < end; i++) {
		const Rule *rule = &rules[i];
		if ((key ^ rule->want) & rule->mask)
			continue;
		c->in_place = false;
		DagVal r = rule->code ? rule->code(c, n) : apply_row(c, rule, n);
		if (!dag_is(r) && !c->in_place)
			continue;
		c->rule = i;
		if (c->fired)
			c->fired[i]++;
		return r;
	}
	return DAG_NONE;
}
