/* rules.c: finds the rule of combine.def that applies to a node, and applies it.
 *
 * A row is matched against the node from its tokens (rules.h). Values and constants are bound where they are first met; met
 * again, they must be the same.
 *
 * The rules of an operation are consecutive, and are tried in their order. Most nodes take none of them, so that most of the
 * time goes into finding that out: the preprocessor makes of each rule the sets of operations that its first two operands may
 * have, and of each group of rules a set of which a node must have a member. A node is tested against the set of its group;
 * then each rule costs one test of its sets, and only what is left is matched. */
#include "dag/rules.h"

/* The operations that rules name for the first two operands. All others are one kind. */
/* clang-format off */
#define KINDS(K) \
	K(Constant) K(ConstantFP) K(BUILD_VECTOR) K(ADD) K(SUB) K(MUL) K(SHL) K(SRL) K(SRA) K(AND) K(OR) K(XOR) \
	K(SETCC) K(SELECT) K(ANY_EXTEND) K(ZERO_EXTEND) K(SIGN_EXTEND) K(SIGN_EXTEND_INREG) K(ASSERT_ZEXT) K(TRUNCATE) \
	K(BITCAST) K(LOAD) K(FNEG) K(FSUB) K(FMUL) K(FMA) K(FP_EXTEND) K(EXTRACT_VECTOR_ELT) K(BUILD_PAIR) K(PRMT) K(BFE_U)
/* clang-format on */
enum {
	KIND_OTHER,
#define K(op) KIND_##op,
	KINDS(K)
#undef K
		KIND_COUNT,
	KIND_FABS = KIND_FNEG, /* rows alone ask for these two, and rows compare the operation itself */
};
_Static_assert(KIND_COUNT <= 32, "a set of kinds is 32 bits");
static const u8 kind_of[DAG_OP_COUNT] = {
#define K(op) [DAG_##op] = KIND_##op,
	KINDS(K)
#undef K
		[DAG_FABS] = KIND_FABS,
};

/* The same rows as sets of kinds: what the first two operands may be. */
#define ANY_OP         0xFFFFFFFFu
#define OP(op)         (1u << KIND_##op)
#define ROOT(op, ...)  __VA_ARGS__
#define N(op, ...)     OP(op)
#define ONCE(...)      __VA_ARGS__
#define HAS(flag, ...) __VA_ARGS__
#define V(x)           ANY_OP
#define X              ANY_OP
#define Y              ANY_OP
#define Z              ANY_OP
#define P              ANY_OP
#define C1             OP(Constant)
#define C2             OP(Constant)
#define ZERO           OP(Constant)
#define ONE            OP(Constant)
#define ONES           OP(Constant)
#define F0             (OP(ConstantFP) | OP(BUILD_VECTOR)) /* a number, or a vector of equal ones */
#define FN0            F0
#define F1             F0
#define FN1            F0
#define F2             F0
#define SIGN_OR_ZERO   (OP(SIGN_EXTEND) | OP(ZERO_EXTEND))
#define CAST           (SIGN_OR_ZERO | OP(ANY_EXTEND) | OP(TRUNCATE))
#define FUSED          (OP(FMUL) | OP(FMA))
/* What combine_demanded looks into, besides AND. */
#define DEMANDED (OP(SRL) | OP(SHL) | OP(OR) | OP(XOR) | OP(TRUNCATE) | OP(ASSERT_ZEXT) | OP(BFE_U))

/* The first operand's set is the low half. */
#define PAIR(first, second) ((u64)(first) | (u64)(second) << 32)
#define ACCEPTS_(a, b, ...) PAIR(a, b)
#define ACCEPTS(...)        ACCEPTS_(__VA_ARGS__, ANY_OP, ANY_OP)
/* Of a rule, the set of one operand that all nodes have to which it applies: the rules of a root are worth a look only
 * where the node is in one of these. */
#define NEEDS_(a, b, ...) ((a) != ANY_OP ? PAIR(a, 0) : (b) != ANY_OP ? PAIR(0, b) : ~0ull)
#define NEEDS(...)        NEEDS_(__VA_ARGS__, ANY_OP, ANY_OP)

/* Kinds that the first two operands may not be. */
static const u64 rejects[CR_COUNT] = {
#define RULE(id, f, t, w, i, k) [CR_##id] = ~ACCEPTS(f),
#define CODE(id, fn, f, s, w)   [CR_##id] = ~PAIR(f, s),
#include "dag/combine.def"
};

static const u64 needs_of[DAG_OP_COUNT] = {
#define GROUP(op)               [DAG_##op] = 0
#define RULE(id, f, t, w, i, k) | NEEDS(f)
#define CODE(id, fn, f, s, w)   | NEEDS(f, s)
#define END(op)                 ,
#include "dag/combine.def"
};
#undef X
#undef Y
#undef Z
#undef P

/* The rules of an operation: behind `before` and before `end`. */
enum {
	MARK_NONE,
#define GROUP(op)               MARK_##op, MARK_##op##_IS = MARK_##op - 1,
#define RULE(id, f, t, w, i, k) MARK_AT_##id,
#define CODE(id, fn, f, s, w)   MARK_AT_##id,
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
	SemFmt f = dag_sem_fmt(vt);
	u32    i = token - T_F0; /* 0, -0, 1, -1, 2 */
	return (i < 2 ? 0 : sem_fpow2(f, (i32)i / 2 - 1)) | (i % 2 ? sem_fsign_bit(f) : 0);
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
	case IF_C1_IS_LAST: return a == w - 1;
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
	have |= WHEN_SCALAR | (w <= 64 ? WHEN_W64 : 0) | (w <= 16 ? WHEN_NARROW : 0) | (vt == VT_I1 ? WHEN_I1 : 0);
	if (vt != VT_I32 && vt != VT_I64)
		return have;
	have |= WHEN_I32_64 | (vt == VT_I32 ? WHEN_I32 : 0);
	if ((vt == VT_I32 || (c->f->optimize && !c->legal)) && c->rotates)
		have |= WHEN_ROTATES;
	return have;
}

static DagVal apply_row(Combiner *c, const CombineRow *rule, const DagNode *n)
{
	Match m;
	m.c = c, m.root = n, m.vt = n->vt[0], m.w = vt_bits(n->vt[0]), m.keep = rule->keep, m.bound = 0;
	if (!match(&m, rule->from + 1, n) || !holds(&m, (RuleIf)rule->where))
		return DAG_NONE;
	const u16 *t = rule->to;
	return make(&m, &t);
}

/* The kinds of the first two operands, see PAIR. */
static u64 kinds_of(const Combiner *c, const DagNode *n)
{
	u32 first = dag_n_ops(n) ? 1u << kind_of[op_of(c, dag_operand(c->d, n, 0))] : 0,
	    second = dag_n_ops(n) > 1 ? 1u << kind_of[op_of(c, dag_operand(c->d, n, 1))] : 0;
	return PAIR(first, second);
}

DagVal combine_by_rules(Combiner *c, const DagNode *n)
{
	u32 i = rules_of[n->opcode].first, end = rules_of[n->opcode].end;
	if (i == end)
		return DAG_NONE;
	u64 kinds = kinds_of(c, n);
	if (!(kinds & needs_of[n->opcode]))
		return DAG_NONE;
	u32 have = have_of(c, n);
	for (; i < end; i++) {
		const CombineRow *rule = &combine_rows[i];
		if ((kinds & rejects[i]) || (rule->when & ~have))
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
