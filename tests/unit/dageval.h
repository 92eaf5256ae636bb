/* dageval.h: what the nodes of a graph mean, evaluated through sem/ with the bits that may be anything and poison tracked.
 *
 * A graph is first written down as a list of steps, operands first, which outlives what is then done to the graph and is
 * quickly evaluated many times. Integers of at most 64 bits, floats, vectors of at most 64 bits, loads and stores. */
#ifndef PS_UNIT_DAGEVAL_H
#define PS_UNIT_DAGEVAL_H

#include "dag/func.h"
#include "sem/float.h"
#include "sem/video.h"
#include "unit.h"

enum { STEPS = 512, NO_STEP = 0xFFFF };

typedef struct Step {
	u16    op, flags, n_ops;
	u16    operand[4]; /* steps; NO_STEP: an operand that is no value, see note */
	DagVt  vt, from;   /* of the result, of the first operand */
	u64    k, note;    /* of a constant; of the last operand that is no value: condition, type, register */
	DagMem mem;
} Step;

typedef struct Program {
	u32  n;
	Step step[STEPS];
} Program;

typedef struct Env {
	u64  var[8];     /* by register */
	bool trapped;    /* a division that is not defined was evaluated: anything may happen */
	bool loose;      /* fast-math flags allow another rounding */
	bool predicates; /* each byte of memory is 0 or 1 */
	bool clamps;     /* a shift by the width and more gives 0, or the sign, as it does in the graph; else it is not defined */
} Env;

/* What a value is: its bits, and which of them may be anything. Of a product that may wrap although its flags say that it does
 * not, or what is computed from it, an extension may be anything, too: bits above the type are unknown, which no other operation looks at. A chain is the eight bytes of memory at variable 3. */
typedef struct Val {
	u64 k, unknown;
} Val;

static u64 ones(u32 w) { return sem_mask(w); }
static Val any(u32 w) { return (Val){0, ones(w)}; }

static Val eval_fp(Env *env, const Step *n, const u64 *x, u32 n_ops)
{
	SemType t = dag_sem_type(n->vt);
	SemFmt  f = (SemFmt)t.fmt;
	u64     k;
	bool    nan = false, inf = false;
	if (n->op == DAG_FMINNUM || n->op == DAG_FMAXNUM)
		env->loose |= (n->flags & IRF_NSZ) != 0;
	if (!sem_eval_fp((SemOp)dag_op_info[n->op].eval, f, x, n_ops, &k))
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

static bool flags_hold(const Step *n, u32 w, u64 a, u64 b)
{
	u32 f = n->flags;
	if (!f)
		return true;
	switch ((DagOp)n->op) {
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

/* Before anything is stored, memory is a function of the address. */
static Val memory_byte(const Env *env, Val window, u64 address)
{
	u64 at = 8 * (address - env->var[3]);
	if (address - env->var[3] < 8)
		return (Val){window.k >> at & 0xFF, window.unknown >> at & 0xFF};
	return (Val){address * 0x9E3779B97F4A7C15u >> 56 & (env->predicates ? 1 : 0xFF), 0};
}

static Val eval_entry(const Env *env)
{
	Env there = {.var = {[3] = env->var[3] - 8}, .predicates = env->predicates};
	Val v = {0, 0};
	for (u32 i = 0; i < 8; i++)
		v.k |= memory_byte(&there, v, env->var[3] + i).k << 8 * i;
	return v;
}

static Val eval_load(const Env *env, const Step *n, Val window, Val p)
{
	u32 w = vt_size(n->mem.vt), to = vt_size(n->vt);
	Val v = {0, 0};
	for (u32 i = 0; i < (w + 7) / 8; i++) {
		Val b = memory_byte(env, window, p.k + i);
		v.k |= b.k << 8 * i;
		v.unknown |= b.unknown << 8 * i;
	}
	v.k &= ones(w), v.unknown &= ones(w);
	if (v.unknown)
		return any(to);
	if (n->mem.ext == DEXT_SIGN)
		return (Val){sem_zext((u64)sem_sext(v.k, w), to), 0};
	return (Val){v.k, n->mem.ext == DEXT_ZERO || w >= to ? 0 : ones(to) & ~ones(w)};
}

static Val eval_store(const Env *env, const Step *n, Val window, Val v, Val p)
{
	u64 at = p.k - env->var[3], mask = ones(vt_size(n->mem.vt)) << 8 * at;
	return (Val){(window.k & ~mask) | (v.k << 8 * at & mask), (window.unknown & ~mask) | (v.unknown << 8 * at & mask)};
}

static Val eval_bits(const Step *n, u32 w, const Val *x)
{
	u64 known1 = x[0].k & ~x[0].unknown, known2 = x[1].k & ~x[1].unknown, u = x[0].unknown | x[1].unknown;
	if (n->op == DAG_AND)
		return (Val){known1 & known2, u & (known1 | x[0].unknown) & (known2 | x[1].unknown)};
	if (n->op == DAG_OR) {
		if (n->flags & IRF_DISJOINT && (u || (known1 & known2)))
			return any(w);
		return (Val){known1 | known2, u & ~known1 & ~known2};
	}
	return (Val){(known1 ^ known2) & ~u, u};
}

static Val eval_cast(const Step *n, Val a)
{
	u32 w = vt_bits(n->vt), from = vt_bits(n->from);
	u64 top = ones(w) & ~ones(from), sign = (u64)1 << (from - 1);
	switch ((DagOp)n->op) {
	case DAG_TRUNCATE: return (Val){a.k & ones(w), a.unknown & ones(w)};
	case DAG_ZERO_EXTEND: return a;
	case DAG_ANY_EXTEND: return (Val){a.k, a.unknown | top};
	default:
		if (a.unknown & sign)
			return (Val){a.k, a.unknown | top};
		return (Val){sem_zext((u64)sem_sext(a.k, from), w), a.unknown};
	}
}

static Val eval_shift(const Env *env, const Step *n, u32 w, const Val *x)
{
	u64 by = x[1].k;
	if (env->clamps && !x[1].unknown && by >= w && n->op != DAG_SRA)
		return (Val){0, 0};
	if (x[1].unknown || by >= w || (x[0].unknown && n->flags))
		return any(w);
	if (n->op == DAG_SHL)
		return (Val){sem_shl(w, x[0].k, by), sem_shl(w, x[0].unknown, by)};
	if (n->op == DAG_SRL)
		return (Val){sem_lshr(w, x[0].k, by), sem_lshr(w, x[0].unknown, by)};
	return (Val){sem_ashr(w, x[0].k, by), sem_ashr(w, x[0].unknown, by)};
}

static Val eval_compare(const Step *n, const Val *x)
{
	DagCond cc = (DagCond)n->note;
	if (x[0].unknown || x[1].unknown)
		return any(1);
	if (vt_is_fp(n->from))
		return (Val){sem_fcmp((SemFmt)dag_sem_type(n->from).fmt, (SemCmp)ir_pred_cmp[cc], x[0].k, x[1].k, 0), 0};
	return (Val){ir_icmp(cc, vt_bits(n->from), x[0].k, x[1].k), 0};
}

static bool divides(const Step *n) { return n->op >= DAG_SDIV && n->op <= DAG_UREM; }

static Val eval_plain(Env *env, const Step *n, const Val *x)
{
	u32   w = vt_bits(n->vt);
	SemOp op = (SemOp)dag_op_info[n->op].eval;
	u64   k[4], v;
	for (u32 i = 0; i < n->n_ops; i++) {
		if (x[i].unknown) {
			env->trapped |= divides(n) && i == 0 && !(x[1].k | x[1].unknown);
			return any(w);
		}
		k[i] = x[i].k;
	}
	u32 from = vt_bits(n->from);
	switch ((DagOp)n->op) {
	case DAG_MULWIDE_S: return (Val){sem_zext((u64)sem_sext(k[0], from) * (u64)sem_sext(k[1], from), w), 0};
	case DAG_MULWIDE_U: return (Val){sem_zext(k[0] * k[1], w), 0};
	case DAG_EXTRACT_ELEMENT: return (Val){k[0] >> (k[1] ? w : 0) & ones(w), 0};
	case DAG_FP_EXTEND:
	case DAG_FP_ROUND: sem_eval_cast(op, dag_sem_type(n->from), dag_sem_type(n->vt), k[0], &v); return (Val){v, 0};
	case DAG_PRMT: return (Val){sem_prmt(k[0], k[1], k[2], SEM_PRMT), 0};
	case DAG_FRSQRT: v = sem_fsqrt(dag_sem_fmt(n->vt), k[0], 0); return (Val){sem_frcp(dag_sem_fmt(n->vt), v, 0), 0};
	case DAG_FEXP2:
	case DAG_FEXP2_APPROX: return (Val){k[0] ^ 1, 0}; /* any function will do: neither is folded */
	case DAG_FMA_RELU: {
		SemFmt f = dag_sem_fmt(n->vt);
		sem_eval_fp(SEM_OP_fma, f, k, 3, &v);
		return (Val){sem_is_nan(f, v) ? sem_fmt[f].nan : v & sem_fsign_bit(f) ? 0 : v, 0};
	}
	case DAG_FSQRT_APPROX:
	case DAG_FSQRT: return (Val){sem_fsqrt(dag_sem_fmt(n->vt), k[0], 0), 0};
	default: break;
	}
	if (vt_is_fp(n->vt))
		return eval_fp(env, n, k, n->n_ops);
	bool defined = sem_eval_int(op, w, k, n->n_ops, &v);
	env->trapped |= !defined && divides(n);
	if (!defined || !flags_hold(n, w, k[0], k[1]))
		return any(w);
	return (Val){v, 0};
}

/* Elements stand in an integer, the first one lowest. */
static Val eval_vector(const Step *n, const Val *x)
{
	u32 w = vt_bits(n->vt);
	Val v = {0, 0};
	if (n->op == DAG_EXTRACT_VECTOR_ELT)
		return (Val){x[0].k >> x[1].k * w & ones(w), x[0].unknown >> x[1].k * w & ones(w)};
	for (u32 i = 0; i < n->n_ops; i++) {
		v.k |= x[i].k << i * w;
		v.unknown |= x[i].unknown << i * w;
	}
	return v;
}

static Val eval_step(Env *env, const Step *n, Val *x);

/* The same operation on each element. */
static Val eval_lanes(Env *env, const Step *n, const Val *x)
{
	Step lane = *n;
	u32  w = vt_bits(n->vt);
	Val  v = {0, 0};
	lane.vt = vt_elem(n->vt);
	lane.from = vt_elem(n->from);
	lane.op = (u16)(n->op == DAG_VSELECT ? DAG_SELECT : n->op);
	for (u32 i = 0; i < vt_lanes(n->vt); i++) {
		Val e[4];
		for (u32 k = 0; k < 4; k++) {
			u32 of = n->op == DAG_VSELECT && k == 0 ? 1 : n->op == DAG_SETCC ? vt_bits(n->from) : w;
			e[k] = (Val){x[k].k >> i * of & ones(of), x[k].unknown >> i * of & ones(of)};
		}
		Val r = eval_step(env, &lane, e);
		v.k |= (r.k & ones(w)) << i * w;
		v.unknown |= (r.unknown & ones(w)) << i * w;
	}
	return v;
}

static bool is_by_lanes(const Step *n)
{
	return vt_is_vec(n->vt) && (n->op == DAG_VSELECT || n->op == DAG_SETCC || (n->op >= DAG_SMIN && n->op <= DAG_UMAX) ||
	                            n->op == DAG_FMINNUM || n->op == DAG_FMAXNUM);
}

static Val eval_step(Env *env, const Step *n, Val *x)
{
	u32 w = vt_size(n->vt);
	if (is_by_lanes(n))
		return eval_lanes(env, n, x);
	switch ((DagOp)n->op) {
	case DAG_Constant:
	case DAG_ConstantFP: return (Val){n->k, 0};
	case DAG_UNDEF: return any(w);
	case DAG_CopyFromReg: return (Val){env->var[n->note & 7] & ones(w), 0};
	case DAG_EntryToken: return eval_entry(env);
	case DAG_LOAD: return eval_load(env, n, x[0], x[1]);
	case DAG_STORE: return eval_store(env, n, x[0], x[1], x[2]);
	case DAG_BITCAST: return x[0];
	case DAG_ASSERT_ZEXT: return (x[0].k | x[0].unknown) & ones(w) & ~vt_mask((DagVt)n->note) ? any(w) : x[0];
	case DAG_BUILD_PAIR: return (Val){x[0].k | x[1].k << w / 2, x[0].unknown | x[1].unknown << w / 2};
	case DAG_BUILD_VECTOR:
	case DAG_EXTRACT_VECTOR_ELT: return eval_vector(n, x);
	case DAG_SELECT: return x[0].unknown ? any(w) : x[0].k & 1 ? x[1] : x[2];
	case DAG_SETCC: return eval_compare(n, x);
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR: return eval_bits(n, w, x);
	case DAG_TRUNCATE:
	case DAG_ZERO_EXTEND:
	case DAG_ANY_EXTEND:
	case DAG_SIGN_EXTEND: return eval_cast(n, x[0]);
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA: return flags_hold(n, w, x[0].k, x[1].k) ? eval_shift(env, n, w, x) : any(w);
	case DAG_FNEG:
	case DAG_FABS: {
		u64 sign = (u64)1 << (w - 1);
		Val y = eval_plain(env, n, (Val[]){{x[0].k, 0}});
		if (x[0].unknown & ~sign)
			return any(w);
		y.unknown |= n->op == DAG_FNEG ? x[0].unknown : 0;
		return y;
	}
	case DAG_SIGN_EXTEND_INREG: {
		u32 from = vt_bits((DagVt)n->note);
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
		return eval_plain(env, n, x);
	}
	default: return eval_plain(env, n, x);
	}
}

static Val in_type(const Step *n, Val v) { return vt_size(n->vt) ? (Val){v.k, v.unknown & ones(vt_size(n->vt))} : v; }

static void operands_of(const Program *p, const Step *n, const Val *val, Val x[4])
{
	for (u32 i = 0; i < 4; i++) {
		x[i] = i < n->n_ops && n->operand[i] != NO_STEP ? val[n->operand[i]] : (Val){0, 0};
		if (i < n->n_ops && n->operand[i] != NO_STEP && n->op != DAG_ZERO_EXTEND)
			x[i] = in_type(&p->step[n->operand[i]], x[i]);
	}
}

/* Such a product, or an operation on one. */
static bool is_poisoned_product(const Step *n, const Val *val, Val v)
{
	bool is = (n->op == DAG_MUL || n->op == DAG_SHL) && n->flags & (IRF_NUW | IRF_NSW);
	for (u32 i = 0; i < n->n_ops && n->op != DAG_SELECT; i++)
		is |= n->operand[i] != NO_STEP && vt_size(n->vt) < 64 && val[n->operand[i]].unknown == ~(u64)0;
	return is && v.unknown == ones(vt_bits(n->vt));
}

static Val eval(Env *env, const Program *p, Val *val)
{
	for (u32 i = 0; i < p->n; i++) {
		Val x[4];
		operands_of(p, &p->step[i], val, x);
		val[i] = eval_step(env, &p->step[i], x);
		if (is_poisoned_product(&p->step[i], val, val[i]))
			val[i].unknown = ~(u64)0;
	}
	return in_type(&p->step[p->n - 1], val[p->n - 1]);
}

/* Is a flag broken that the value depends on, or an amount too large? Then any result will do, as in IR. `val`: what the
 * steps gave. */
static bool is_poison(const Program *p, const Val *val)
{
	bool poison[STEPS];
	for (u32 i = 0; i < p->n; i++) {
		const Step *n = &p->step[i];
		Val         x[4];
		u32         w = vt_bits(n->vt);
		operands_of(p, n, val, x);
		poison[i] = false;
		if (n->op == DAG_LOAD)
			continue;
		for (u32 k = 0; k < n->n_ops; k++)
			if (n->operand[k] != NO_STEP && (n->op != DAG_SELECT || !k || (x[0].k & 1) == (k == 1)))
				poison[i] |= poison[n->operand[k]];
		bool shift = n->op == DAG_SHL || n->op == DAG_SRL || n->op == DAG_SRA;
		if (n->op == DAG_ASSERT_ZEXT)
			poison[i] |= (x[0].k & ~vt_mask((DagVt)n->note)) != 0;
		else if (n->n_ops && !x[0].unknown && !x[1].unknown && vt_is_int(n->vt))
			poison[i] |= (shift && x[1].k >= w) || !flags_hold(n, w, x[0].k, x[1].k);
	}
	return poison[p->n - 1];
}

/* The step of `v`, behind those of its operands. The chain behind a load is the one before it. */
static u16 compile(const Dag *d, Program *p, u16 *step_of, DagVal v)
{
	const DagNode *n = dag_of(d, v);
	if (n->opcode == DAG_LOAD && v.r == 1)
		return compile(d, p, step_of, dag_operand(d, n, 0));
	if (step_of[v.n])
		return (u16)(step_of[v.n] - 1);
	Step s;
	memset(&s, 0, sizeof s);
	s.op = n->opcode, s.flags = n->flags, s.n_ops = (u16)dag_n_ops(n), s.vt = n->vt[0], s.k = n->k[0];
	s.from = s.n_ops ? dag_vt(d, dag_operand(d, n, 0)) : VT_NONE;
	if (n->mem)
		s.mem = *dag_mem(d, n);
	EXPECT(s.n_ops <= PS_COUNT(s.operand));
	for (u32 i = 0; i < s.n_ops; i++) {
		DagVal         a = dag_operand(d, n, i);
		const DagNode *x = dag_of(d, a);
		s.operand[i] = NO_STEP;
		if (x->opcode == DAG_CONDCODE || x->opcode == DAG_VALUETYPE || x->opcode == DAG_Register)
			s.note = x->k[0];
		else if (n->opcode != DAG_CopyFromReg)
			s.operand[i] = compile(d, p, step_of, a);
	}
	if (n->opcode == DAG_CopyFromReg)
		s.n_ops = 0;
	EXPECT(p->n < STEPS);
	p->step[p->n] = s;
	step_of[v.n] = (u16)++p->n;
	return (u16)(p->n - 1);
}

static void program_of(const Dag *d, Arena *scratch, Program *p, DagVal v)
{
	u16 *step_of = arena_array(scratch, u16, d->n_nodes);
	memset(step_of, 0, d->n_nodes * sizeof *step_of);
	p->n = 0;
	compile(d, p, step_of, v);
}

#endif
