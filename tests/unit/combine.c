/* The rules of combining, executed: for each row of combine.def its left side
 * is built with every flag, combined, and both sides are evaluated through
 * sem/: on all values of 1 and 4 bits, on chosen values of 8 bits and more.
 * Rules that are code are reached by expressions drawn at random from a fixed
 * seed. The result may say more than the original (where a flag does not hold,
 * bits are unknown), never something else. A rule that never applied fails: a
 * row behind another one that takes all its nodes is found so. */
#include "dag/combine.h"
#include "dag/pattern.h"
#include "unit.h"

typedef struct Rig {
	Session   s;
	Arena     a;
	DagModule mod;
	DagFunc   f;
	PassCx    cx;
	u64       var[8];
	u32       fired[CR_COUNT];
	u32       graphs, failures;
	u32       limit;      /* of the combinations of variables that are tried; 0: all */
	bool      trapped;    /* a division that is not defined was evaluated: anything may
                   happen */
	bool      loose;      /* fast-math flags allow another rounding */
	bool      predicates; /* each byte of memory is 0 or 1 */
} Rig;

static void rig_open(Rig *r)
{
	memset(r, 0, sizeof *r);
	session_init(&r->s, 0);
	target_set_cpu(&r->s.target, STR("sm_90"), false);
	r->s.target.is64 = true;
	arena_init(&r->a, &r->s.budget);
	IsaParseError e;
	isa_intern_mnemonic(&r->s, STR("mov.b32"), &e);
	r->cx = (PassCx){.s = &r->s, .scratch = &r->a};
	r->mod = (DagModule){.cx = &r->cx, .s = &r->s, .m = ir_module_new(&r->s)};
	r->mod.mir = mir_module_new(&r->s, r->mod.m, &r->a);
	arena_init(&r->mod.arena, &r->s.budget);
	dag_patterns_init(&r->mod);
	r->f = (DagFunc){.mod = &r->mod, .cx = &r->cx, .s = &r->s, .m = r->mod.m, .mirm = r->mod.mir, .arena = &r->a};
	r->f.ptr = VT_I64;
	r->f.fp.fusion = FUSE_ALLOWED;
	r->f.optimize = true;
	arena_init(&r->f.scratch, &r->s.budget);
	r->f.mir = mir_func_new(r->mod.mir, strtab_add(&r->s.strs, STR("f")), 0);
	dag_init(&r->f.dag, &r->f, &r->a);
	r->f.dag.s = &r->s;
	r->f.dag.m = r->mod.m;
	dag_reset(&r->f.dag);
}

static void rig_close(Rig *r)
{
	arena_free(&r->f.scratch);
	arena_free(&r->mod.arena);
	arena_free(&r->a);
	session_free(&r->s);
}

/* ---- what a value is: its bits, and which of them may be anything ---- */

typedef struct Val {
	u64 k, unknown;
} Val;

static Val eval(Rig *r, DagVal v);
static u64 ones(u32 w) { return sem_mask(w); }
static Val any(u32 w) { return (Val){0, ones(w)}; }

static Val eval_fp(Rig *r, const DagNode *n, const u64 *x, u32 n_ops)
{
	SemType t = dag_sem_type(n->vt[0]);
	SemFmt  f = (SemFmt)t.fmt;
	u64     k;
	bool    nan = false, inf = false;
	if (n->opcode == DAG_FMINNUM || n->opcode == DAG_FMAXNUM)
		r->loose |= (n->flags & IRF_NSZ) != 0;
	if (!sem_eval_fp((SemOp)dag_op_info[n->opcode].eval, f, x, n_ops, &k))
		return any(t.width);
	for (u32 i = 0; i <= n_ops; i++) {
		u64 y = i < n_ops ? x[i] : k;
		nan |= sem_is_nan(f, y);
		inf |= sem_is_inf(f, y);
	}
	if ((nan && (n->flags & IRF_NNAN)) || (inf && (n->flags & IRF_NINF)))
		return any(t.width);
	if (sem_is_nan(f, k))
		k = sem_fmt[f].nan;
	return (Val){k, (n->flags & IRF_NSZ) && sem_is_zero(f, k) ? sem_fsign_bit(f) : 0};
}

static bool flags_hold(const DagNode *n, u32 w, u64 a, u64 b)
{
	u32 f = n->flags;
	switch ((DagOp)n->opcode) {
	case DAG_ADD: return !((f & IRF_NUW && sem_uadd_overflows(w, a, b)) || (f & IRF_NSW && sem_sadd_overflows(w, a, b)));
	case DAG_SUB: return !((f & IRF_NUW && sem_usub_overflows(a, b)) || (f & IRF_NSW && sem_ssub_overflows(w, a, b)));
	case DAG_MUL: return !((f & IRF_NUW && sem_umul_overflows(w, a, b)) || (f & IRF_NSW && sem_smul_overflows(w, a, b)));
	case DAG_SHL:
		return !((f & IRF_NUW && sem_lshr(w, sem_shl(w, a, b), b) != a) ||
		         (f & IRF_NSW && sem_ashr(w, sem_shl(w, a, b), b) != a));
	case DAG_SRL:
	case DAG_SRA: return !(f & IRF_EXACT) || sem_shl(w, sem_lshr(w, a, b), b) == a;
	case DAG_UDIV: return !(f & IRF_EXACT) || sem_urem(a, b) == 0;
	case DAG_SDIV: return !(f & IRF_EXACT) || sem_srem(w, a, b) == 0;
	case DAG_OR: return !(f & IRF_DISJOINT) || !(a & b);
	default: return true;
	}
}

/* Memory is a function of the address. */
static Val eval_load(Rig *r, const DagNode *n)
{
	const DagMem *m = dag_mem(&r->f.dag, n);
	Val           p = eval(r, dag_operand(&r->f.dag, n, 1));
	u32           w = vt_bits(m->vt), to = vt_bits(n->vt[0]);
	u64           k = 0;
	for (u32 i = 0; i < (w + 7) / 8; i++)
		k |= ((p.k + i) * 0x9E3779B97F4A7C15u >> 56 & (r->predicates ? 1 : 0xFF)) << 8 * i;
	k &= ones(w);
	if (m->ext == DEXT_SIGN)
		return (Val){sem_zext((u64)sem_sext(k, w), to), 0};
	return (Val){k, m->ext == DEXT_ZERO || w >= to ? 0 : ones(to) & ~ones(w)};
}

static Val eval_bits(const DagNode *n, u32 w, const Val *x)
{
	u64 known1 = x[0].k & ~x[0].unknown, known2 = x[1].k & ~x[1].unknown, u = x[0].unknown | x[1].unknown;
	if (n->opcode == DAG_AND)
		return (Val){known1 & known2, u & (known1 | x[0].unknown) & (known2 | x[1].unknown)};
	if (n->opcode == DAG_OR) {
		if (n->flags & IRF_DISJOINT && (u || (known1 & known2)))
			return any(w);
		return (Val){known1 | known2, u & ~known1 & ~known2};
	}
	return (Val){(known1 ^ known2) & ~u, u};
}

static Val eval_cast(Rig *r, const DagNode *n, Val a)
{
	u32 w = vt_bits(n->vt[0]), from = vt_bits(dag_vt(&r->f.dag, dag_operand(&r->f.dag, n, 0)));
	u64 top = ones(w) & ~ones(from), sign = (u64)1 << (from - 1);
	switch ((DagOp)n->opcode) {
	case DAG_TRUNCATE: return (Val){a.k & ones(w), a.unknown & ones(w)};
	case DAG_ZERO_EXTEND: return a;
	case DAG_ANY_EXTEND: return (Val){a.k, a.unknown | top};
	default:
		if (a.unknown & sign)
			return (Val){a.k, a.unknown | top};
		return (Val){sem_zext((u64)sem_sext(a.k, from), w), a.unknown};
	}
}

static Val eval_shift(const DagNode *n, u32 w, const Val *x)
{
	u64 by = x[1].k;
	if (x[1].unknown || by >= w || (x[0].unknown && n->flags))
		return any(w);
	if (n->opcode == DAG_SHL)
		return (Val){sem_shl(w, x[0].k, by), sem_shl(w, x[0].unknown, by)};
	if (n->opcode == DAG_SRL)
		return (Val){sem_lshr(w, x[0].k, by), sem_lshr(w, x[0].unknown, by)};
	return (Val){sem_ashr(w, x[0].k, by), sem_ashr(w, x[0].unknown, by)};
}

static Val eval_compare(Rig *r, const DagNode *n, const Val *x)
{
	const Dag *d = &r->f.dag;
	DagVt      of = dag_vt(d, dag_operand(d, n, 0));
	DagCond    cc = (DagCond)dag_of(d, dag_operand(d, n, 2))->k[0];
	if (x[0].unknown || x[1].unknown)
		return any(1);
	if (vt_is_fp(of))
		return (Val){sem_fcmp((SemFmt)dag_sem_type(of).fmt, (SemCmp)ir_pred_cmp[cc], x[0].k, x[1].k, 0), 0};
	return (Val){ir_icmp(cc, vt_bits(of), x[0].k, x[1].k), 0};
}

static Val eval_plain(Rig *r, const DagNode *n, const Val *x, u32 n_ops)
{
	u32   w = vt_bits(n->vt[0]);
	SemOp op = (SemOp)dag_op_info[n->opcode].eval;
	u64   k[4], v;
	for (u32 i = 0; i < n_ops; i++) {
		if (x[i].unknown) {
			r->trapped |= n->opcode >= DAG_SDIV && n->opcode <= DAG_UREM && i == 0 && !(x[1].k | x[1].unknown);
			return any(w);
		}
		k[i] = x[i].k;
	}
	u32 from = vt_bits(dag_vt(&r->f.dag, dag_operand(&r->f.dag, n, 0)));
	switch ((DagOp)n->opcode) {
	case DAG_MULWIDE_S: return (Val){sem_zext((u64)sem_sext(k[0], from) * (u64)sem_sext(k[1], from), w), 0};
	case DAG_MULWIDE_U: return (Val){sem_zext(k[0] * k[1], w), 0};
	case DAG_EXTRACT_ELEMENT: return (Val){k[0] >> (k[1] ? w : 0) & ones(w), 0};
	case DAG_FP_EXTEND:
	case DAG_FP_ROUND:
		sem_eval_cast(op, dag_sem_type(dag_vt(&r->f.dag, dag_operand(&r->f.dag, n, 0))), dag_sem_type(n->vt[0]), k[0],
		              &v);
		return (Val){v, 0};
	case DAG_PRMT: return (Val){sem_prmt(k[0], k[1], k[2], SEM_PRMT), 0};
	case DAG_FRSQRT:
		v = sem_fsqrt((SemFmt)dag_sem_type(n->vt[0]).fmt, k[0], 0);
		return (Val){sem_frcp((SemFmt)dag_sem_type(n->vt[0]).fmt, v, 0), 0};
	case DAG_FSQRT: return (Val){sem_fsqrt((SemFmt)dag_sem_type(n->vt[0]).fmt, k[0], 0), 0};
	default: break;
	}
	if (vt_is_fp(n->vt[0]))
		return eval_fp(r, n, k, n_ops);
	bool defined = sem_eval_int(op, w, k, n_ops, &v);
	r->trapped |= !defined && n->opcode >= DAG_SDIV && n->opcode <= DAG_UREM;
	if (!defined || !flags_hold(n, w, k[0], k[1]))
		return any(w);
	return (Val){v, 0};
}

static Val eval(Rig *r, DagVal v)
{
	const Dag     *d = &r->f.dag;
	const DagNode *n = dag_of(d, v);
	u32            n_ops = dag_n_ops(n), w = vt_bits(n->vt[0]);
	switch ((DagOp)n->opcode) {
	case DAG_Constant:
	case DAG_ConstantFP: return (Val){n->k[0], 0};
	case DAG_UNDEF: return any(w);
	case DAG_CopyFromReg: return (Val){r->var[dag_of(d, dag_operand(d, n, 1))->k[0] & 7] & ones(w), 0};
	case DAG_LOAD: return eval_load(r, n);
	default: break;
	}
	Val x[4] = {{0, 0}};
	for (u32 i = 0; i < n_ops && i < 4; i++)
		if (!(dag_op_info[dag_op(d, dag_operand(d, n, i))].flags & DOF_LEAF) ||
		    vt_is_value(dag_vt(d, dag_operand(d, n, i))))
			x[i] = eval(r, dag_operand(d, n, i));
	switch ((DagOp)n->opcode) {
	case DAG_BITCAST: return x[0];
	case DAG_ASSERT_ZEXT: {
		u64 above = ones(w) & ~vt_mask((DagVt)dag_of(d, dag_operand(d, n, 1))->k[0]);
		return (x[0].k | x[0].unknown) & above ? any(w) : x[0];
	}
	case DAG_BUILD_PAIR: return (Val){x[0].k | x[1].k << w / 2, x[0].unknown | x[1].unknown << w / 2};
	case DAG_SELECT: return x[0].unknown ? any(w) : x[0].k & 1 ? x[1] : x[2];
	case DAG_SETCC: return eval_compare(r, n, x);
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR: return eval_bits(n, w, x);
	case DAG_TRUNCATE:
	case DAG_ZERO_EXTEND:
	case DAG_ANY_EXTEND:
	case DAG_SIGN_EXTEND: return eval_cast(r, n, x[0]);
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA: return flags_hold(n, w, x[0].k, x[1].k) ? eval_shift(n, w, x) : any(w);
	case DAG_FNEG:
	case DAG_FABS: {
		u64 sign = (u64)1 << (w - 1);
		Val y = eval_plain(r, n, (Val[]){{x[0].k, 0}}, 1);
		if (x[0].unknown & ~sign)
			return any(w);
		y.unknown |= n->opcode == DAG_FNEG ? x[0].unknown : 0;
		return y;
	}
	case DAG_SIGN_EXTEND_INREG: {
		u32 from = vt_bits((DagVt)dag_of(d, dag_operand(d, n, 1))->k[0]);
		u64 low = ones(from);
		if (x[0].unknown & (u64)1 << (from - 1))
			return (Val){x[0].k & low, (x[0].unknown & low) | (ones(w) & ~low)};
		return (Val){sem_zext((u64)sem_sext(x[0].k, from), w), x[0].unknown & low};
	}
	case DAG_BFE_U:
	case DAG_BFE_S: {
		Val field = {sem_lshr(w, x[0].k, x[1].k), sem_lshr(w, x[0].unknown, x[1].k)};
		if (field.unknown & ones((u32)x[2].k))
			return any(w);
		x[0].unknown = 0;
		return eval_plain(r, n, x, n_ops);
	}
	default: return eval_plain(r, n, x, n_ops);
	}
}

/* Is a flag broken that the value depends on, or an amount too large? Then any
 * result will do, as in IR. */
static bool is_poison(Rig *r, DagVal v)
{
	const Dag     *d = &r->f.dag;
	const DagNode *n = dag_of(d, v);
	Val            x[2] = {{0, 0}, {0, 0}};
	if (!dag_n_ops(n) || n->opcode == DAG_CopyFromReg || n->opcode == DAG_LOAD)
		return false;
	for (u32 i = 0; i < dag_n_ops(n); i++) {
		DagVal a = dag_operand(d, n, i);
		if (!vt_is_value(dag_vt(d, a)))
			continue;
		Val k = eval(r, a);
		if (n->opcode == DAG_SELECT && i && (x[0].k & 1) != (i == 1))
			continue;
		if (is_poison(r, a))
			return true;
		if (i < 2)
			x[i] = k;
	}
	if (n->opcode == DAG_ASSERT_ZEXT)
		return (x[0].k & ~vt_mask((DagVt)dag_of(d, dag_operand(d, n, 1))->k[0])) != 0;
	bool shift = n->opcode == DAG_SHL || n->opcode == DAG_SRL || n->opcode == DAG_SRA;
	if (x[0].unknown || x[1].unknown || !vt_is_int(n->vt[0]))
		return false;
	return (shift && x[1].k >= vt_bits(n->vt[0])) || !flags_hold(n, vt_bits(n->vt[0]), x[0].k, x[1].k);
}

/* ---- one graph ---- */

static DagVal raw(Rig *r, DagOp op, DagVt vt, const DagVal *ops, u32 n, u32 flags)
{
	return dag_node_of(&r->f.dag, &(DagKind){.opcode = (u16)op, .flags = (u16)flags}, &vt, 1, ops, n);
}

static DagVal var(Rig *r, u32 i, DagVt vt) { return dag_copy_from(&r->f.dag, r->f.dag.entry, (MirReg){i}, vt); }

static void begin(Rig *r) { dag_reset(&r->f.dag); }

static u64 sample(u32 w, u32 i)
{
	static const u64 bits[] = {0,          1,          2,      0x7f,   0x80, 5, ~(u64)0, 0x12345678, (u64)1 << 63,
	                           0x7fffffff, 0x80000000, 0x8000, 0xffff, 3};
	return w <= 4 ? i : bits[i % PS_COUNT(bits)] & ones(w);
}
static u32 samples(u32 w) { return w <= 4 ? 1u << w : w == 8 ? 8 : 11; }
static u64 fp_sample(SemFmt f, u32 i, bool loose)
{
	static const f64 exact[] = {1, -1, 2, 0.5, 3, -4, 7, 6};
	u64              inf = sem_inf(f, false);
	const u64        special[] = {0, sem_fsign_bit(f), inf, inf | sem_fsign_bit(f), sem_fmt[f].nan, 1, inf - 1};
	u32              k = i % 11;
	if (loose || k >= PS_COUNT(special))
		return sem_f2f(f, SEM_F64, sem_f64_bits(exact[i % PS_COUNT(exact)]), 0);
	return special[k];
}

static bool is_close(Rig *r, DagVt vt, u64 a, u64 b)
{
	if (!vt_is_fp(vt))
		return a == b;
	SemFmt f = (SemFmt)dag_sem_type(vt).fmt;
	if (a == b || (sem_is_nan(f, a) && sem_is_nan(f, b)))
		return true;
	if (!r->loose)
		return false;
	u64 by = a > b ? a - b : b - a;
	return by <= 4 || ((a | b) & ~sem_fsign_bit(f)) == 0;
}

/* Combines `v` and compares. vt[i]: of variable i; NULL where they are i32
 * amounts below the width alike. */
static void check(Rig *r, DagVal v, const DagVt *vt, u32 n_vars, bool legal)
{
	enum { MOST = 4096 };
	static Val left[MOST];
	Dag       *d = &r->f.dag;
	DagVt      of = dag_vt(d, v);
	u32        n = 1, count[8];
	r->graphs++;
	for (u32 i = 0; i < n_vars; i++) {
		count[i] = vt_is_fp(vt[i]) ? 11 : samples(vt_bits(vt[i]));
		n *= count[i];
	}
	u32 all = n;
	n = PS_MIN(n, r->limit ? r->limit : MOST);
	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 i = 0; i < n; i++) {
			for (u32 k = 0, at = n < all ? (u32)(i * 0x9E3779B1ull % all) : i; k < n_vars; at /= count[k++])
				r->var[k] = vt_is_fp(vt[k]) ? fp_sample((SemFmt)dag_sem_type(vt[k]).fmt, at % count[k], r->loose)
				                            : sample(vt_bits(vt[k]), at % count[k]);
			r->trapped = false;
			Val got = eval(r, v);
			if (!pass) {
				left[i] = r->trapped || (got.unknown && is_poison(r, v)) ? any(64) : got;
				continue;
			}
			u64 differ = is_close(r, of, left[i].k & ~left[i].unknown, got.k & ~left[i].unknown)
			                     ? 0
			                     : (left[i].k ^ got.k) & ~left[i].unknown;
			if (!(got.unknown & ~left[i].unknown) && !differ)
				continue;
			r->failures++;
			u32 rules = 0;
			for (u32 k = 1; k < CR_COUNT; k++)
				rules += r->fired[k] > 0;
			if (r->failures < 6) {
				Text t = {0};
				text_init(&t, &r->a);
				dag_print(&t, d, "combined");
				printf("# %s: 0x%" PRIx64 "/%" PRIx64 " became 0x%" PRIx64 "/%" PRIx64 " at %" PRIu64 ", %" PRIu64
				       ", %" PRIu64 " (late %d, %u rules)\n%.*s",
				       combine_rule_name[r->mod.epoch], left[i].k, left[i].unknown, got.k, got.unknown, r->var[0],
				       r->var[1], r->var[2], legal, rules, STR_ARG(text_str(&t)));
			}
			return;
		}
		if (pass)
			return;
		DagVal root[] = {d->entry, dag_reg(d, of, (MirReg){99}), v};
		DagVt  chain = VT_CHAIN;
		d->root = dag_node_of(d, &(DagKind){.opcode = DAG_CopyToReg, .props = DP_SIDE_EFFECT | DP_NO_CSE}, &chain, 1,
		                      root, 3);
		Combiner c = {.f = &r->f, .d = d, .legal = legal, .fired = r->fired};
		combine_graph(&c);
		r->mod.epoch = c.rule;
		v = dag_arg(d, d->root, 2);
	}
}

/* ---- rows: their left sides as prefix tokens ---- */

enum {
	T_END = 0x400,
	T_ONCE,
	T_HAS,
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
	T_F0,
	T_FN0,
	T_F1,
	T_FN1,
	T_F2,
};
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
#define ROOT(op, ...)  DAG_##op, __VA_ARGS__, T_END
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

static const struct {
	u16 id, when;
	u16 from[24];
} rows[] = {
#define RULE(id, f, t, w, i, k) {CR_##id, w, {f}},
#include "dag/combine.def"
};

typedef struct Maker {
	Rig       *r;
	const u16 *at;
	DagVt      vt;
	u64        c[2];
	u32        flags; /* drawn from, two bits a node */
	DagVt     *var_vt;
	u32        n_vars; /* X, Y, Z, P: 0 to 3 */
} Maker;

static u32 flags_of(Maker *m, DagOp op)
{
	u32 two = m->flags & 3;
	m->flags >>= 2;
	switch (op) {
	case DAG_ADD:
	case DAG_SUB:
	case DAG_MUL:
	case DAG_SHL: return two;
	case DAG_SRL:
	case DAG_SRA: return two & 1 ? IRF_EXACT : 0;
	case DAG_OR: return two & 1 ? IRF_DISJOINT : 0;
	case DAG_FADD:
	case DAG_FSUB:
	case DAG_FMUL:
	case DAG_FDIV:
	case DAG_FNEG: return (two & 1 ? IRF_NSZ : 0) | (two & 2 ? (m->flags & 1 ? IRF_NINF : IRF_NNAN) : 0);
	default: return 0;
	}
}

static DagVal build(Maker *m, DagVt vt)
{
	static const f64 floats[] = {0, -0.0, 1, -1, 2};
	Dag             *d = &m->r->f.dag;
	u32              token = *m->at++, has = 0;
	for (; token >= T_ONCE && token <= T_NOT_CONST; token = *m->at++)
		if (token == T_HAS)
			has |= *m->at++;
	if (token < T_END) {
		DagVal ops[4];
		DagOp  op = (DagOp)token;
		u32    n = 0, flags = flags_of(m, op) | has;
		for (; *m->at != T_END; n++) {
			bool amount = n == 1 && (op == DAG_SHL || op == DAG_SRL || op == DAG_SRA);
			ops[n] = build(m, amount                       ? VT_I32
			                  : op == DAG_SELECT && n == 0 ? VT_I1
			                  : op == DAG_FP_ROUND         ? VT_F32
			                  : op == DAG_FP_EXTEND        ? VT_F16
			                                               : vt);
		}
		m->at++;
		return raw(m->r, op, vt, ops, n, flags);
	}
	if (token >= T_X && token <= T_P) {
		m->var_vt[token - T_X] = vt;
		return var(m->r, token - T_X, vt);
	}
	switch (token) {
	case T_C1:
	case T_C2: return dag_const(d, vt, m->c[token - T_C1]);
	case T_ZERO: return dag_const(d, vt, 0);
	case T_ONE: return dag_const(d, vt, 1);
	case T_ONES: return dag_all_ones(d, vt);
	case T_WIDTH: return dag_const(d, vt, vt_bits(m->vt));
	default: return dag_fp(d, vt, sem_f2f((SemFmt)dag_sem_type(vt).fmt, SEM_F64, sem_f64_raw(floats[token - T_F0]), 0));
	}
}

static bool has_token(const u16 *t, u32 token)
{
	for (u32 i = 0; i < 24; i++)
		if (t[i] == token)
			return true;
	return false;
}

static void one_row(Rig *r, u32 row, DagVt vt, u64 c1, u64 c2, u32 flags)
{
	DagVt vts[4] = {VT_I1, VT_I1, VT_I1, VT_I1};
	for (u32 late = 0; late < 2; late++) {
		if ((rows[row].when & WHEN_LATE && !late) || (rows[row].when & WHEN_EARLY && late))
			continue;
		begin(r);
		Maker m = {.r = r, .at = rows[row].from, .vt = vt, .c = {c1, c2}, .flags = flags, .var_vt = vts};
		for (u32 i = 0; i < 4; i++)
			vts[i] = VT_INT(1);
		DagVal v = build(&m, vt);
		/* Variables that the row does not name have one value. */
		u32 n = has_token(rows[row].from, T_P)   ? 4
		        : has_token(rows[row].from, T_Z) ? 3
		        : has_token(rows[row].from, T_Y) ? 2
		                                         : 1;
		check(r, v, vts, n, late);
		arena_free(&r->f.scratch);
	}
}

static void test_row(Rig *r, u32 row)
{
	static const DagVt ints[] = {VT_I1, VT_INT(4), VT_I8, VT_I32, VT_I64};
	static const DagVt floats[] = {VT_F16, VT_F32};
	const u16         *t = rows[row].from;
	DagOp              root = (DagOp)t[0];
	bool               fp = root >= DAG_FADD && root <= DAG_FP_EXTEND;
	u32                when = rows[row].when;
	bool               has1 = has_token(t, T_C1), has2 = has_token(t, T_C2);
	for (u32 k = 0; k < (fp ? PS_COUNT(floats) : PS_COUNT(ints)); k++) {
		DagVt vt = fp ? floats[k] : ints[k];
		if (root == DAG_FP_ROUND)
			vt = VT_F16;
		if (root == DAG_FP_EXTEND)
			vt = k ? VT_F64 : VT_F32;
		if ((when & WHEN_I1 && vt != VT_I1) || (when & WHEN_I32 && vt != VT_I32) ||
		    (when & (WHEN_I32_64 | WHEN_ROTATES) && vt != VT_I32 && vt != VT_I64))
			continue;
		u32 w = vt_bits(vt);
		/* All constants of 1 and 4 bits; amounts and masks of wider ones. */
		for (u32 a = 0; a < (has1 ? w <= 4 ? 1u << w : 20 : 1); a++)
			for (u32 b = 0; b < (has2 ? w <= 4 ? 1u << w : 20 : 1); b++)
				for (u32 f = 0; f < (w <= 4 || fp ? 64u : 4u); f++) {
					static const u8 small[] = {0, 1, 4, 5, 7, 8, 16, 24, 27, 31, 32, 40, 56, 60, 63, 64};
					u64             c1 = w <= 4   ? a
					                     : a < 16 ? small[a]
					                              : sample(w, a),
					    c2 = w <= 4   ? b
					         : b < 16 ? small[b]
					                  : sample(w, b);
					one_row(r, row, vt, c1 & ones(w < 7 ? 7 : w), c2 & ones(w < 7 ? 7 : w),
					        f * (w <= 4 || fp ? 1 : 21));
				}
	}
}

TEST(combine, rows_mean_what_they_replace)
{
	Rig r;
	rig_open(&r);
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		u32 before = r.fired[rows[i].id], failed = r.failures;
		test_row(&r, i);
		if (r.fired[rows[i].id] == before)
			unit_fail(__FILE__, __LINE__, combine_rule_name[rows[i].id]), printf("#   the row never applies\n");
		if (r.failures != failed)
			unit_fail(__FILE__, __LINE__, combine_rule_name[rows[i].id]),
				printf("#   %u graphs mean something else\n", r.failures - failed);
	}
	EXPECT(r.graphs > 10000);
	rig_close(&r);
}

/* ---- rules that are code: expressions drawn at random ---- */

typedef struct Draw {
	Rig   *r;
	u64    seed;
	bool   late, fp;
	DagVt  vt; /* of variables 0 and 1; 2: i1; 3: an address */
	DagVal pool[24];
	u32    n_pool;
} Draw;

static u32 below(Draw *g, u32 n)
{
	g->seed ^= g->seed << 13;
	g->seed ^= g->seed >> 7;
	g->seed ^= g->seed << 17;
	return (u32)((g->seed >> 16) % n);
}

static DagVal draw(Draw *g, DagVt vt, u32 depth);

static DagVt other_int(Draw *g)
{
	static const DagVt of[] = {VT_I16, VT_I32, VT_I64, VT_I8};
	return of[below(g, g->late ? 3 : 4)];
}

static DagVal draw_const(Draw *g, DagVt vt)
{
	static const u64 of[] = {0, 1, 2, 3, 4, 7, 8, 10, 15, 16, 31, 0x7f, 0x80, 0xff, 0xff00, 0xffff, 0xffffffff};
	u32              w = vt_bits(vt);
	u64              k = below(g, 8) ? of[below(g, PS_COUNT(of))] : below(g, 2) ? ~of[below(g, PS_COUNT(of))] : sem_smin(w);
	return dag_const(&g->r->f.dag, vt, k);
}

static DagVal draw_load(Draw *g, DagVt vt)
{
	Dag   *d = &g->r->f.dag;
	DagVt  in = vt == VT_I1 ? VT_I8 : below(g, 2) ? vt : vt_bits(vt) > 16 && below(g, 2) ? VT_I16 : VT_I8;
	DagMem m = {.vt = in,
	            .ext = in == vt ? DEXT_NONE : (u8)(DEXT_ANY + below(g, 3)),
	            .mem = {.size = vt_bits(in) / 8, .space = 1, .align_log2 = 3}};
	return dag_load(d, vt, d->entry, var(g->r, 3, VT_I64), m);
}

static DagVal draw_predicate(Draw *g, u32 depth)
{
	Dag  *d = &g->r->f.dag;
	DagVt vt = g->fp ? g->vt : below(g, 3) ? g->vt : other_int(g);
	switch (below(g, depth ? 7 : 1)) {
	case 0: return var(g->r, 2, VT_I1);
	case 1: {
		DagVal p = draw(g, VT_I1, depth - 1);
		return raw(g->r, DAG_XOR, VT_I1, (DagVal[]){p, dag_const(d, VT_I1, 1)}, 2, 0);
	}
	case 2: {
		static const DagOp of[] = {DAG_AND, DAG_OR, DAG_XOR};
		DagVal             p = draw(g, VT_I1, depth - 1), q = draw(g, VT_I1, depth - 1);
		return raw(g->r, of[below(g, 3)], VT_I1, (DagVal[]){p, q}, 2, 0);
	}
	case 3:
		if (!g->fp)
			return raw(g->r, DAG_TRUNCATE, VT_I1, (DagVal[]){draw(g, vt, depth - 1)}, 1, 0);
		/* fall through */
	default: {
		DagVal a = draw(g, vt, depth - 1), b = below(g, 2) || g->fp ? draw(g, vt, depth - 1) : draw_const(g, vt);
		u32    cc = g->fp ? IRP_OEQ + below(g, 14) : IRP_I_EQ + below(g, 10);
		return raw(g->r, DAG_SETCC, VT_I1, (DagVal[]){a, b, dag_cond(d, (DagCond)cc)}, 3, 0);
	}
	}
}

static DagVal draw_cast(Draw *g, DagVt vt, u32 depth)
{
	DagVt from = below(g, 5) ? other_int(g) : VT_I1;
	u32   w = vt_bits(from);
	if (w == vt_bits(vt))
		return draw(g, vt, depth - 1);
	DagOp op = w > vt_bits(vt) ? DAG_TRUNCATE
	           : below(g, 2)   ? DAG_ZERO_EXTEND
	           : below(g, 2)   ? DAG_SIGN_EXTEND
	                           : DAG_ANY_EXTEND;
	return raw(g->r, op, vt, (DagVal[]){draw(g, from, depth - 1)}, 1, 0);
}

static DagVal draw_int(Draw *g, DagVt vt, u32 depth)
{
	static const DagOp of[] = {DAG_ADD, DAG_SUB,  DAG_MUL,  DAG_AND, DAG_AND, DAG_OR,
	                           DAG_XOR, DAG_SMIN, DAG_UMAX, DAG_ADD, DAG_SUB};
	static const DagOp shifts[] = {DAG_SHL, DAG_SRL, DAG_SRA, DAG_ROTL, DAG_ROTR};
	static const DagOp divisions[] = {DAG_UDIV, DAG_SDIV, DAG_UREM, DAG_SREM};
	Dag               *d = &g->r->f.dag;
	DagVal             a, b, p;
	u32                flags = below(g, 4);
	switch (below(g, 12)) {
	case 0:
	case 1: return draw_cast(g, vt, depth);
	case 2:
	case 3: {
		a = draw(g, vt, depth - 1);
		DagOp op = shifts[below(g, 5)];
		b = below(g, 6) ? dag_const(d, VT_I32, below(g, vt_bits(vt))) : draw(g, VT_I32, depth - 1);
		return raw(g->r, op, vt, (DagVal[]){a, b}, 2,
		           op == DAG_SHL                    ? flags
		           : op == DAG_SRL || op == DAG_SRA ? flags / 3 * IRF_EXACT
		                                            : 0);
	}
	case 4:
		p = draw(g, VT_I1, depth - 1), a = below(g, 3) ? draw(g, vt, depth - 1) : draw_const(g, vt);
		b = below(g, 2) ? draw(g, vt, depth - 1) : draw_const(g, vt);
		return raw(g->r, DAG_SELECT, vt, (DagVal[]){p, a, b}, 3, 0);
	case 5:
		if (vt_bits(vt) < 16)
			break;
		return raw(g->r, DAG_SIGN_EXTEND_INREG, vt, (DagVal[]){draw(g, vt, depth - 1), dag_vtype(d, VT_I8)}, 2, 0);
	case 6: {
		DagOp op = divisions[below(g, 4)];
		a = draw(g, vt, depth - 1), b = below(g, 4) ? draw_const(g, vt) : draw(g, vt, depth - 1);
		return raw(g->r, op, vt, (DagVal[]){a, b}, 2, op == DAG_UDIV || op == DAG_SDIV ? flags / 3 * IRF_EXACT : 0);
	}
	default: break;
	}
	DagOp op = of[below(g, PS_COUNT(of))];
	a = op == DAG_SUB && below(g, 3) == 0 ? dag_const(d, vt, 0) : draw(g, vt, depth - 1);
	b = below(g, 2) ? draw(g, vt, depth - 1) : draw_const(g, vt);
	return raw(g->r, op, vt, (DagVal[]){a, b}, 2, op <= DAG_MUL ? flags : op == DAG_OR ? flags / 3 * IRF_DISJOINT : 0);
}

static DagVal draw_fp(Draw *g, DagVt vt, u32 depth)
{
	static const DagOp of[] = {DAG_FADD, DAG_FSUB, DAG_FMUL, DAG_FDIV, DAG_FMUL, DAG_FADD};
	static const u32   fast[] = {IRF_CONTRACT, IRF_FAST & ~(IRF_NNAN | IRF_NINF), IRF_CONTRACT | IRF_REASSOC,
	                             IRF_NSZ | IRF_NNAN};
	u32                flags = !g->r->loose ? 0 : fast[below(g, PS_COUNT(fast))];
	DagVal             a = draw(g, vt, depth - 1), b = draw(g, vt, depth - 1);
	switch (below(g, 8)) {
	case 0: return raw(g->r, DAG_FNEG, vt, &a, 1, flags);
	case 1: return raw(g->r, DAG_FMA, vt, (DagVal[]){a, b, draw(g, vt, depth - 1)}, 3, flags);
	case 2: return raw(g->r, DAG_SELECT, vt, (DagVal[]){draw(g, VT_I1, depth - 1), a, b}, 3, flags);
	case 3: return raw(g->r, g->r->loose ? DAG_FSQRT : DAG_FABS, vt, &a, 1, flags);
	default: return raw(g->r, of[below(g, PS_COUNT(of))], vt, (DagVal[]){a, b}, 2, flags);
	}
}

static DagVal draw(Draw *g, DagVt vt, u32 depth)
{
	Dag   *d = &g->r->f.dag;
	DagVal v = DAG_NONE;
	if (g->n_pool && below(g, 4) == 0) {
		v = g->pool[below(g, g->n_pool)];
		if (dag_vt(d, v) == vt)
			return v;
	}
	if (vt == VT_I1)
		v = draw_predicate(g, depth);
	else if (depth && below(g, 8))
		v = vt_is_fp(vt) ? draw_fp(g, vt, depth) : draw_int(g, vt, depth);
	else if (vt_is_fp(vt))
		v = below(g, 3) && vt == g->vt
		            ? var(g->r, below(g, 2), vt)
		            : dag_fp(d, vt, fp_sample((SemFmt)dag_sem_type(vt).fmt, below(g, 11), g->r->loose));
	else
		v = vt == g->vt && below(g, 4)        ? var(g->r, below(g, 2), vt)
		    : below(g, 2) && vt_bits(vt) >= 8 ? draw_load(g, vt)
		                                      : draw_const(g, vt);
	if (g->n_pool < PS_COUNT(g->pool))
		g->pool[g->n_pool++] = v;
	return v;
}

static DagVal extended(Draw *g, DagOp op, DagVt vt, DagVal v) { return raw(g->r, op, vt, &v, 1, 0); }

static DagVal in_register(Draw *g, DagVal v, DagVt from)
{
	Dag *d = &g->r->f.dag;
	return raw(g->r, DAG_SIGN_EXTEND_INREG, dag_vt(d, v), (DagVal[]){v, dag_vtype(d, from)}, 2, 0);
}

static DagVal draw_bit_load(Rig *r)
{
	Dag   *d = &r->f.dag;
	DagMem m = {.vt = VT_I1, .mem = {.size = 1, .space = 1}};
	r->predicates = true;
	return dag_load(d, VT_I1, d->entry, var(r, 3, VT_I64), m);
}

/* Expressions that chance seldom makes. */
static DagVal rare(Draw *g, u32 which)
{
	Rig   *r = g->r;
	Dag   *d = &r->f.dag;
	DagVt  vt = g->vt = VT_I32;
	DagVal x = var(r, 0, vt), y = var(r, 1, vt), k4 = dag_const(d, vt, 4), k24 = dag_const(d, vt, 24),
	       zero = dag_const(d, vt, 0);
	switch (which) {
	case 0:
		x = raw(r, DAG_ZERO_EXTEND, vt, (DagVal[]){raw(r, DAG_TRUNCATE, VT_I16, &x, 1, 0)}, 1, 0);
		return raw(r, DAG_SRL, vt, (DagVal[]){raw(r, DAG_SHL, vt, (DagVal[]){x, k4}, 2, 0), k4}, 2, 0);
	case 1: return raw(r, DAG_SRA, vt, (DagVal[]){raw(r, DAG_SHL, vt, (DagVal[]){x, k24}, 2, 0), k24}, 2, 0);
	case 2:
	case 3: {
		DagVal amount = raw(r, DAG_AND, vt, (DagVal[]){x, dag_const(d, vt, 127)}, 2, 0);
		return raw(r, which == 2 ? DAG_FSHL : DAG_FSHR, vt, (DagVal[]){x, y, amount}, 3, 0);
	}
	case 4:
	case 5: return dag_setcc(d, var(r, 2, VT_I1), dag_const(d, VT_I1, which == 4), IRP_I_EQ);
	case 6: return dag_setcc(d, raw(r, DAG_AND, vt, (DagVal[]){x, k4}, 2, 0), k4, IRP_I_EQ);
	case 7: {
		DagVal negative = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, zero, dag_cond(d, IRP_I_SLT)}, 3, 0);
		return raw(r, DAG_SELECT, vt, (DagVal[]){negative, raw(r, DAG_SUB, vt, (DagVal[]){zero, x}, 2, 0), x}, 3, 0);
	}
	case 8:
		g->vt = VT_F32;
		x = var(r, 0, VT_F32);
		x = raw(r, DAG_FSQRT, VT_F32, &x, 1, IRF_AFN);
		return raw(r, DAG_FDIV, VT_F32, (DagVal[]){dag_fp(d, VT_F32, 0x3f800000), x}, 2, IRF_AFN | IRF_ARCP);
	case 9: {
		DagMem m = {.vt = vt, .mem = {.size = 4, .space = 1, .align_log2 = 2}};
		DagVal l = dag_load(d, vt, d->entry, var(r, 3, VT_I64), m);
		return raw(r, DAG_BITCAST, VT_F32, &l, 1, 0);
	}
	case 10: {
		DagVal word = raw(r, DAG_PRMT, vt, (DagVal[]){x, y, dag_const(d, vt, 0x4261)}, 3, 0);
		return raw(r, DAG_BFE_U, vt, (DagVal[]){word, dag_const(d, vt, 8), dag_const(d, vt, 8)}, 3, 0);
	}
	case 11: return extended(g, DAG_ZERO_EXTEND, VT_I32, draw_bit_load(r));
	case 12: return extended(g, DAG_SIGN_EXTEND, VT_I32, draw_bit_load(r));
	case 13: return extended(g, DAG_ANY_EXTEND, VT_I32, draw_bit_load(r));
	case 14:
	case 15:
		x = raw(r, DAG_ASSERT_ZEXT, vt, (DagVal[]){x, dag_vtype(d, VT_I8)}, 2, 0);
		return extended(g, which == 14 ? DAG_ZERO_EXTEND : DAG_ANY_EXTEND, VT_I64, x);
	case 16: {
		DagVal low = raw(r, DAG_AND, vt, (DagVal[]){x, dag_const(d, vt, 255)}, 2, 0);
		low = raw(r, DAG_TRUNCATE, VT_I16, &low, 1, 0);
		low = raw(r, DAG_SELECT, VT_I16, (DagVal[]){var(r, 2, VT_I1), low, dag_const(d, VT_I16, 0xFFF1)}, 3, 0);
		return extended(g, DAG_ZERO_EXTEND, VT_I32, low);
	}
	case 17:
		x = raw(r, DAG_AND, vt, (DagVal[]){x, k4}, 2, 0);
		x = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, zero, dag_cond(d, IRP_I_NE)}, 3, 0);
		return extended(g, DAG_ZERO_EXTEND, VT_I32, x);
	case 18: return in_register(g, in_register(g, x, VT_I16), VT_I8);
	case 19: return in_register(g, raw(r, DAG_SRL, vt, (DagVal[]){x, k24}, 2, 0), VT_I8);
	case 20: return in_register(g, raw(r, DAG_BFE_U, vt, (DagVal[]){x, k4, dag_const(d, vt, 8)}, 3, 0), VT_I8);
	case 21: {
		DagVal pair = raw(r, DAG_BUILD_PAIR, VT_I64, (DagVal[]){x, y}, 2, 0);
		return raw(r, DAG_TRUNCATE, VT_I16, &pair, 1, 0);
	}
	case 22:
		g->vt = VT_I64;
		x = raw(r, DAG_SRL, VT_I64, (DagVal[]){var(r, 0, VT_I64), dag_const(d, vt, 32)}, 2, 0);
		return raw(r, DAG_TRUNCATE, VT_I32, &x, 1, 0);
	default: return DAG_NONE;
	}
}

/* What these rules change is no scalar value of the block: memory, chains,
 * vectors. tests/dag compares their text and executes it. */
static bool has_other_tests(u32 rule)
{
	return (rule >= CR_store_back && rule <= CR_store_demanded) || rule == CR_load_unused || rule == CR_vector_itself ||
	       rule == CR_element_load;
}

static void check_drawn(Rig *r, Draw *g, DagVal v)
{
	DagVt vts[] = {g->vt, g->vt, VT_I1, VT_INT(4)};
	check(r, v, vts, 4, g->late);
	arena_free(&r->f.scratch);
}

TEST(combine, random_expressions_keep_their_meaning)
{
	static const DagVt ints[] = {VT_I16, VT_I32, VT_I64, VT_I32, VT_I8};
	Rig                r;
	rig_open(&r);
	r.limit = 48;
	for (u32 i = 0; i < 60000; i++) {
		Draw g = {.r = &r, .seed = 0x9E3779B97F4A7C15u * (i + 1), .fp = i % 4 == 3};
		begin(&r);
		r.loose = g.fp && i % 8 == 7;
		g.late = below(&g, 2);
		g.vt = g.fp ? below(&g, 2) ? VT_F32 : VT_F64 : ints[below(&g, g.late ? 4 : 5)];
		DagVal v = below(&g, 5) ? draw(&g, g.vt, g.fp ? 2 : 3) : draw(&g, VT_I1, 3);
		if (!g.fp && below(&g, 3) == 0)
			v = draw_cast(&g, other_int(&g), 3);
		check_drawn(&r, &g, v);
	}
	for (u32 i = 0;; i++) {
		Draw g = {.r = &r, .late = i & 1};
		r.loose = i / 2 == 8;
		begin(&r);
		r.predicates = false;
		DagVal v = rare(&g, i / 2);
		if (!dag_is(v))
			break;
		check_drawn(&r, &g, v);
	}
	EXPECT_EQ(r.failures, 0);
	for (u32 i = 1; i < CR_COUNT; i++) {
		bool is_row = false;
		for (u32 k = 0; k < PS_COUNT(rows); k++)
			is_row |= rows[k].id == i;
		if (!is_row && !r.fired[i] && !has_other_tests(i))
			unit_fail(__FILE__, __LINE__, combine_rule_name[i]), printf("#   the rule never applied\n");
	}
	rig_close(&r);
}

/* (x & ~(1 << bit)) >> by: the mask goes where its bit is shifted out, and there alone. */
TEST(combine, a_shift_drops_a_mask_of_bits_below_it)
{
	static const DagVt ints[] = {VT_I16, VT_I32, VT_I64};
	Rig                r;
	rig_open(&r);
	for (u32 t = 0; t < PS_COUNT(ints); t++) {
		u32 w = vt_bits(ints[t]);
		for (u32 i = 0; i < 2 * w * w; i++) {
			Draw g = {.r = &r, .late = i & 1, .vt = ints[t]};
			Dag *d = &r.f.dag;
			u32  bit = i / 2 % w, by = i / 2 / w;
			begin(&r);
			DagVal mask = dag_const(d, g.vt, ~((u64)1 << bit));
			DagVal x = raw(&r, DAG_AND, g.vt, (DagVal[]){var(&r, 0, g.vt), mask}, 2, 0);
			check_drawn(&r, &g, raw(&r, DAG_SRL, g.vt, (DagVal[]){x, dag_const(d, VT_I32, by)}, 2, 0));
			x = dag_arg(d, d->root, 2);
			bool is_bare = dag_op(d, x) == DAG_SRL && dag_op(d, dag_arg(d, x, 0)) == DAG_CopyFromReg;
			EXPECT_EQ(is_bare, bit < by);
		}
	}
	EXPECT_EQ(r.failures, 0);
	rig_close(&r);
}

UNIT_MAIN
