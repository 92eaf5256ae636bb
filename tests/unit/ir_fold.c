/* analysis/fold.h and ir/fold_expr.c, executed: each foldable instruction is made with every flag, folded, and what it folds
 * to is compared with what it means. Integers of 1 and 4 bits have all values, poison and undef; those of 8 and 16 bits and
 * floats have chosen ones. What an instruction means is written here, in plain arithmetic on 64 bits; float operations
 * alone are sem/float.h's. A fold may make a result more defined, never another one. Then random functions go through
 * instsimplify and are executed before and after. */
#include "analysis/fold.h"
#include "ir/builder.h"
#include "ir/internal.h"
#include "irpass.h"
#include "sem/float.h"

/* What an expression may be: one of up to 16 values, or anything at all (poison). */
typedef struct Set {
	bool poison;
	u32  n;
	u64  v[16];
} Set;

typedef struct Rig {
	IrModule *m;
	IrFunc   *f;
	IrBuilder b;
	Set       arg[4];
	bool      traps; /* behaviour is not defined: any result will do */
	u32       tried, folded;
} Rig;

static Set one(u64 v) { return (Set){.n = 1, .v = {v}}; }
static Set poison(void) { return (Set){.poison = true}; }
static Set undef(u32 w)
{
	Set s = {.n = 1u << w};
	for (u32 i = 0; i < s.n; i++)
		s.v[i] = i;
	return s;
}
static void add(Set *s, u64 v)
{
	for (u32 i = 0; i < s->n; i++)
		if (s->v[i] == v)
			return;
	EXPECT(s->n < PS_COUNT(s->v));
	s->v[s->n++] = v;
}
static void add_all(Set *s, const Set *x)
{
	s->poison |= x->poison;
	for (u32 i = 0; i < x->n; i++)
		add(s, x->v[i]);
}

/* ---- what instructions mean, on integers of at most 16 bits ---- */

static bool fits_u(i64 v, u32 w) { return v >= 0 && v < (i64)1 << w; }
static bool fits_s(i64 v, u32 w) { return v >= -((i64)1 << (w - 1)) && v < (i64)1 << (w - 1); }
static i64  signed_of(u64 v, u32 w) { return v >> (w - 1) & 1 ? (i64)v - ((i64)1 << w) : (i64)v; }
static u64  cut(i64 v, u32 w) { return (u64)v & (((u64)1 << w) - 1); }

/* The exact result of add, sub, mul or shl must fit as the flags say. */
static Set wrapped(i64 u, i64 s, u32 w, u32 flags)
{
	return (flags & IRF_NUW && !fits_u(u, w)) || (flags & IRF_NSW && !fits_s(s, w)) ? poison() : one(cut(u, w));
}

static Set divided(Rig *r, IrOp op, u64 a, u64 b, u32 w, u32 flags)
{
	bool is_signed = op == IR_SDIV || op == IR_SREM;
	i64  x = is_signed ? signed_of(a, w) : (i64)a, y = is_signed ? signed_of(b, w) : (i64)b;
	if (y == 0 || (is_signed && !fits_s(x / y, w))) {
		r->traps = true;
		return poison();
	}
	if (op == IR_UREM || op == IR_SREM)
		return one(cut(x % y, w));
	return flags & IRF_EXACT && x % y ? poison() : one(cut(x / y, w));
}

static Set binary(Rig *r, IrOp op, u64 a, u64 b, u32 w, u32 flags)
{
	i64 x = (i64)a, y = (i64)b, sx = signed_of(a, w), sy = signed_of(b, w);
	switch (op) {
	case IR_ADD: return wrapped(x + y, sx + sy, w, flags);
	case IR_SUB: return wrapped(x - y, sx - sy, w, flags);
	case IR_MUL: return wrapped(x * y, sx * sy, w, flags);
	case IR_SHL: return b >= w ? poison() : wrapped(x << b, sx * ((i64)1 << b), w, flags);
	case IR_LSHR:
	case IR_ASHR:
		if (b >= w || (flags & IRF_EXACT && x % ((i64)1 << b)))
			return poison();
		return one(cut((op == IR_LSHR ? x : sx) >> b, w));
	case IR_AND: return one(a & b);
	case IR_OR: return flags & IRF_DISJOINT && a & b ? poison() : one(a | b);
	case IR_XOR: return one(a ^ b);
	default: return divided(r, op, a, b, w, flags);
	}
}

static bool compared(IrPred p, u64 a, u64 b, u32 w)
{
	i64 x = signed_of(a, w), y = signed_of(b, w);
	switch (p) {
	case IRP_I_EQ: return a == b;
	case IRP_I_NE: return a != b;
	case IRP_I_UGT: return a > b;
	case IRP_I_UGE: return a >= b;
	case IRP_I_ULT: return a < b;
	case IRP_I_ULE: return a <= b;
	case IRP_I_SGT: return x > y;
	case IRP_I_SGE: return x >= y;
	case IRP_I_SLT: return x < y;
	default: return x <= y;
	}
}

static SemFmt format(const IrModule *m, IrType t)
{
	switch (ir_type_kind(m, t)) {
	case IRT_HALF: return SEM_F16;
	case IRT_BFLOAT: return SEM_BF16;
	case IRT_FLOAT: return SEM_F32;
	default: return SEM_F64;
	}
}

static Set to_int(IrOp op, SemFmt f, u64 a, u32 w)
{
	f64 v = sem_f64_of(sem_f2f(SEM_F64, f, a, 0));
	if (!(v > -1e9 && v < 1e9)) /* NaN as well */
		return poison();
	i64 k = (i64)v;
	return (op == IR_FPTOSI ? fits_s(k, w) : fits_u(k, w)) ? one(cut(k, w)) : poison();
}

static Set cast(Rig *r, const IrInst *i, IrType from, u64 a)
{
	IrModule *m = r->m;
	u32       fw = (u32)ir_size_bits(m, from), w = (u32)ir_size_bits(m, i->type);
	switch ((IrOp)i->op) {
	case IR_TRUNC: {
		u64  k = cut((i64)a, w);
		bool lost = (i->flags & IRF_NUW && k != a) || (i->flags & IRF_NSW && signed_of(k, w) != signed_of(a, fw));
		return lost ? poison() : one(k);
	}
	case IR_ZEXT: return i->flags & IRF_NNEG && a >> (fw - 1) ? poison() : one(a);
	case IR_SEXT: return one(cut(signed_of(a, fw), w));
	case IR_FPTOSI:
	case IR_FPTOUI: return to_int((IrOp)i->op, format(m, from), a, w);
	case IR_UITOFP:
		if (i->flags & IRF_NNEG && a >> (fw - 1))
			return poison();
		return one(sem_f2f(format(m, i->type), SEM_F64, sem_f64_bits((f64)a), 0));
	case IR_SITOFP: return one(sem_f2f(format(m, i->type), SEM_F64, sem_f64_bits((f64)signed_of(a, fw)), 0));
	case IR_FPTRUNC:
	case IR_FPEXT: return one(sem_f2f(format(m, i->type), format(m, from), a, 0));
	default: return one(a);
	}
}

static Set float_binary(SemFmt f, const IrInst *i, u64 a, u64 b)
{
	u64  k = i->op == IR_FADD   ? sem_fadd(f, a, b, 0)
	         : i->op == IR_FSUB ? sem_fsub(f, a, b, 0)
	         : i->op == IR_FMUL ? sem_fmul(f, a, b, 0)
	                            : sem_fdiv(f, a, b, 0);
	bool nan = sem_is_nan(f, a) || sem_is_nan(f, b) || sem_is_nan(f, k),
	     inf = sem_is_inf(f, a) || sem_is_inf(f, b) || sem_is_inf(f, k);
	return (i->flags & IRF_NNAN && nan) || (i->flags & IRF_NINF && inf) ? poison() : one(k);
}

static Set eval(Rig *r, IrRef v);

static Set eval_select(Rig *r, IrRef inst)
{
	Set c = eval(r, ir_op(r->m, inst, 0)), s = {.poison = c.poison};
	for (u32 k = 0; k < c.n; k++) {
		Set arm = eval(r, ir_op(r->m, inst, c.v[k] ? 1 : 2));
		add_all(&s, &arm);
	}
	return s;
}

/* Each use of an undefined value may see another one, so the operands are independent. */
static Set eval_inst(Rig *r, IrRef inst)
{
	IrModule     *m = r->m;
	const IrInst *i = ir_inst(m, inst);
	if (i->op == IR_SELECT)
		return eval_select(r, inst);
	Set    a = eval(r, ir_op(m, inst, 0)), b = i->n_ops > 1 ? eval(r, ir_op(m, inst, 1)) : one(0);
	Set    s = {.poison = a.poison || b.poison};
	IrType of = ir_type_of(m, ir_op(m, inst, 0));
	u32    w = (u32)ir_size_bits(m, of);
	bool   divides = i->op == IR_UDIV || i->op == IR_SDIV || i->op == IR_UREM || i->op == IR_SREM;
	r->traps |= divides && b.poison;
	for (u32 x = 0; x < a.n; x++)
		for (u32 y = 0; y < b.n; y++) {
			Set k = ir_op_is_cast(i->op)   ? cast(r, i, of, a.v[x])
			        : i->op == IR_ICMP     ? i->flags & IRF_SAMESIGN && (a.v[x] ^ b.v[y]) >> (w - 1)
			                                         ? poison()
			                                         : one(compared((IrPred)i->sub, a.v[x], b.v[y], w))
			            : i->op == IR_FNEG ? one(sem_fneg(format(m, of), a.v[x]))
			        : ir_type_is_fp(m, of) ? float_binary(format(m, of), i, a.v[x], b.v[y])
			                               : binary(r, (IrOp)i->op, a.v[x], b.v[y], w, i->flags);
			add_all(&s, &k);
		}
	return s;
}

static Set eval(Rig *r, IrRef v)
{
	u64 bits;
	if (ir_kind(v) == IR_ARG)
		return r->arg[ir_index(v) - ir_index(ir_func_arg(r->f, 0))];
	if (ir_kind(v) == IR_INST)
		return eval_inst(r, v);
	if (ir_as_int(r->m, v, &bits) || ir_as_fp(r->m, v, &bits))
		return one(bits);
	return ir_const(r->m, v)->kind == IRC_POISON ? poison() : undef((u32)ir_size_bits(r->m, ir_type_of(r->m, v)));
}

/* Is everything that `got` may be among what `want` may be? */
static bool refines(const Rig *r, IrType t, const Set *want, const Set *got)
{
	if (want->poison)
		return true;
	for (u32 i = 0; i < got->n; i++) {
		bool there = false;
		for (u32 k = 0; k < want->n; k++)
			there |= want->v[k] == got->v[i] || (ir_type_is_fp(r->m, t) && sem_is_nan(format(r->m, t), want->v[k]) &&
			                                     sem_is_nan(format(r->m, t), got->v[i]));
		if (!there)
			return false;
	}
	return !got->poison;
}

/* ---- one instruction ---- */

static Rig open_rig(Bench *bench)
{
	Rig r = {.m = bench->m, .f = ir_func(bench->m, ir_find_global(bench->m, STR("f")))};
	r.b = ir_build_before(r.m, ir_block(r.m, r.f->first)->first);
	return r;
}

static void compare_now(Rig *r, IrRef inst, IrRef v)
{
	r->traps = false;
	Set want = eval(r, inst);
	if (r->traps)
		return;
	Set got = eval(r, v);
	if (refines(r, ir_type_of(r->m, v), &want, &got))
		return;
	const IrInst *i = ir_inst(r->m, inst);
	unit_fail(__FILE__, __LINE__, "an instruction is folded to something else");
	printf("#   %s, flags 0x%x, of type i%u: 0x%" PRIx64 " (of %u) became 0x%" PRIx64 " (of %u)\n", ir_op_info[i->op].name,
	       i->flags, (u32)ir_size_bits(r->m, ir_type_of(r->m, ir_op(r->m, inst, 0))), want.v[0], want.n, got.v[0], got.n);
}

/* The values of an argument of `w` bits: all, then poison and undef; of more than 4 bits chosen ones. */
static u32 argument_values(u32 w) { return w <= 4 ? (1u << w) + 2 : 9; }
static Set argument(u32 w, u32 i)
{
	static const u64 of[] = {0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000};
	if (w <= 4)
		return i < 1u << w ? one(i) : i == 1u << w ? poison() : undef(w);
	return i < 8 ? one(of[i] & sem_mask(w)) : poison();
}

/* With all values of the arguments; the instruction goes. */
static void fold_and_compare(Rig *r, IrRef inst, u32 w)
{
	IrRef v = ir_fold(r->m, inst);
	r->tried++;
	r->folded += !ir_is_none(v);
	for (u32 i = 0; i < argument_values(w) && !ir_is_none(v); i++)
		for (u32 k = 0; k < argument_values(w); k++) {
			r->arg[0] = argument(w, i), r->arg[1] = argument(w, k);
			r->arg[2] = argument(1, i % 4), r->arg[3] = argument(1, k % 4);
			compare_now(r, inst, v);
		}
	ir_remove(r->m, inst);
}

static u32 const_values(u32 w) { return w <= 4 ? 1u << w : 12; }
static u64 const_value(u32 w, u32 i)
{
	static const u64 of[] = {0, 1, 2, 3, 7, 8, 15, 16, 0x7F, 0x80, 0x7FFF, 0x8000};
	return w <= 4 ? i : i + 1 < PS_COUNT(of) || w < 16 ? of[i] & sem_mask(w) : sem_mask(w);
}

/* a op b, a op a, and a constant first, second or both. `n`: 0 to 3; both operands by `x` and `y`. */
enum { SHAPES = 5 };
static u32   shape_x(u32 shape, u32 w) { return shape >= 3 ? const_values(w) : 1; }
static u32   shape_y(u32 shape, u32 w) { return shape == 2 || shape == 4 ? const_values(w) : 1; }
static IrRef operand(Rig *r, IrType t, u32 shape, u32 side, u32 i)
{
	u32  w = (u32)ir_size_bits(r->m, t), base = w == 1 ? 2 : 0;
	bool is_const = side ? shape == 2 || shape == 4 : shape >= 3;
	if (is_const)
		return ir_const_int(r->m, t, const_value(w, i));
	return ir_func_arg(r->f, base + (side && shape != 1));
}

static const char text[] = "define void @f(i4 %a, i4 %b, i1 %c, i1 %d) {\n  ret void\n}\n"
			   "define void @g(i8 %a, i8 %b, i1 %c, i1 %d) {\n  ret void\n}\n"
			   "define void @h(i16 %a, i16 %b, i1 %c, i1 %d) {\n  ret void\n}\n";

static u32 flag_sets(IrOp op, u32 *sets)
{
	u32 f = ir_op_info[op].flags, n = 0;
	sets[n++] = 0;
	if (f & IROF_WRAPS)
		sets[n++] = IRF_NUW, sets[n++] = IRF_NSW, sets[n++] = IRF_NUW | IRF_NSW;
	if (f & IROF_EXACT)
		sets[n++] = IRF_EXACT;
	if (f & IROF_DISJOINT)
		sets[n++] = IRF_DISJOINT;
	if (f & IROF_NNEG)
		sets[n++] = IRF_NNEG;
	return n;
}

static void use_function(Rig *r, const char *name)
{
	r->f = ir_func(r->m, ir_find_global(r->m, str_of(name)));
	r->b = ir_build_before(r->m, ir_block(r->m, r->f->first)->first);
}

static void every_width(Rig *r, void (*test)(Rig *, IrType))
{
	static const char *const function[] = {"f", "f", "g", "h"};
	static const u32         width[] = {1, 4, 8, 16};
	for (u32 i = 0; i < PS_COUNT(width); i++) {
		use_function(r, function[i]);
		test(r, ir_int_type(r->m, width[i]));
	}
}

static void test_binary(Rig *r, IrType t)
{
	static const IrOp ops[] = {IR_ADD, IR_SUB,  IR_MUL,  IR_UDIV, IR_SDIV, IR_UREM, IR_SREM,
	                           IR_SHL, IR_LSHR, IR_ASHR, IR_AND,  IR_OR,   IR_XOR};
	u32               w = (u32)ir_size_bits(r->m, t), sets[4];
	for (u32 o = 0; o < PS_COUNT(ops); o++) {
		u32 n = flag_sets(ops[o], sets), before = r->folded;
		for (u32 shape = 0; shape < SHAPES; shape++)
			for (u32 x = 0; x < shape_x(shape, w); x++)
				for (u32 y = 0; y < shape_y(shape, w); y++)
					for (u32 f = 0; f < n; f++) {
						IrRef a = operand(r, t, shape, 0, x), b = operand(r, t, shape, 1, y);
						fold_and_compare(r, ir_b_bin(&r->b, ops[o], a, b, sets[f]), w);
					}
		EXPECT(r->folded > before);
	}
}

TEST(ir_fold, integer_operations_keep_their_meaning)
{
	Bench *bench = bench_open(a, text);
	Rig    r = open_rig(bench);
	every_width(&r, test_binary);
	EXPECT(r.tried > 10000);
	bench_close(bench);
}

static void test_compare(Rig *r, IrType t)
{
	u32 w = (u32)ir_size_bits(r->m, t);
	for (u32 p = IRP_I_EQ; p <= IRP_I_SLE; p++)
		for (u32 shape = 0; shape < SHAPES; shape++)
			for (u32 x = 0; x < shape_x(shape, w); x++)
				for (u32 y = 0; y < shape_y(shape, w); y++)
					for (u32 same = 0; same < 2; same++) {
						IrRef i = ir_b_cmp(&r->b, (IrPred)p, operand(r, t, shape, 0, x),
						                   operand(r, t, shape, 1, y));
						ir_inst(r->m, i)->flags |= same ? IRF_SAMESIGN : 0;
						fold_and_compare(r, i, w);
					}
}

static void test_select(Rig *r, IrType t)
{
	u32   w = (u32)ir_size_bits(r->m, t);
	IrRef bit = ir_func_arg(r->f, 2),
	      conditions[] = {bit, ir_const_int(r->m, IR_TYPE(I1), 0), ir_const_int(r->m, IR_TYPE(I1), 1),
	                      ir_const_poison(r->m, IR_TYPE(I1)), ir_const_undef(r->m, IR_TYPE(I1))};
	for (u32 c = 0; c < PS_COUNT(conditions); c++)
		for (u32 shape = 0; shape < SHAPES; shape++)
			fold_and_compare(
				r, ir_b_select(&r->b, conditions[c], operand(r, t, shape, 0, 0), operand(r, t, shape, 1, 0)), w);
}

TEST(ir_fold, comparisons_and_selections_keep_their_meaning)
{
	Bench *bench = bench_open(a, text);
	Rig    r = open_rig(bench);
	every_width(&r, test_compare);
	every_width(&r, test_select);
	EXPECT(r.folded > 1000);
	bench_close(bench);
}

/* A cast of a constant, and a cast of a cast of an argument. */
static void test_cast(Rig *r, IrType from)
{
	static const IrOp ops[] = {IR_TRUNC, IR_ZEXT, IR_SEXT, IR_UITOFP, IR_SITOFP, IR_BITCAST};
	static const u32  widths[] = {1, 4, 8, 16};
	u32               w = (u32)ir_size_bits(r->m, from), sets[4], sets2[4];
	for (u32 o = 0; o < PS_COUNT(ops); o++)
		for (u32 k = 0; k < 4; k++) {
			bool   to_fp = ops[o] == IR_UITOFP || ops[o] == IR_SITOFP || (ops[o] == IR_BITCAST && w == 16);
			IrType to = to_fp ? (IrType[]){IR_TYPE(HALF), IR_TYPE(BFLOAT), IR_TYPE(FLOAT), IR_TYPE(DOUBLE)}[k]
			                  : ir_int_type(r->m, widths[k]);
			u32    tw = (u32)ir_size_bits(r->m, to);
			if ((ops[o] == IR_TRUNC && tw >= w) || ((ops[o] == IR_ZEXT || ops[o] == IR_SEXT) && tw <= w) ||
			    (ops[o] == IR_BITCAST && tw != w))
				continue;
			u32 n = flag_sets(ops[o], sets);
			for (u32 f = 0; f < n; f++) {
				for (u32 x = 0; x < const_values(w); x++) {
					IrRef i = ir_b_cast(&r->b, ops[o], ir_const_int(r->m, from, const_value(w, x)), to);
					ir_inst(r->m, i)->flags |= sets[f];
					fold_and_compare(r, i, w);
				}
				IrRef i = ir_b_cast(&r->b, ops[o], operand(r, from, 0, 0, 0), to);
				ir_inst(r->m, i)->flags |= sets[f];
				IrOp back = ops[o] == IR_TRUNC ? IR_ZEXT : ops[o] == IR_BITCAST ? IR_BITCAST : IR_TRUNC;
				u32  n2 = to_fp && back != IR_BITCAST ? 0 : flag_sets(back, sets2);
				for (u32 f2 = 0; f2 < n2; f2++) {
					IrRef j = ir_b_cast(&r->b, back, i, from);
					ir_inst(r->m, j)->flags |= sets2[f2];
					fold_and_compare(r, j, w);
				}
				ir_remove(r->m, i);
			}
		}
}

TEST(ir_fold, casts_keep_their_meaning)
{
	Bench *bench = bench_open(a, text);
	Rig    r = open_rig(bench);
	every_width(&r, test_cast);
	EXPECT(r.folded > 500);
	bench_close(bench);
}

/* ---- floats ---- */

static u32 float_values(SemFmt f, u64 *v)
{
	static const f64 exact[] = {0, -0.0, 1, -1, 2, 0.5, -3, 7.5, 100, -100, 40000, 70000, 1e30};
	u64              inf = sem_inf(f, false), sign = sem_fsign_bit(f);
	u32              n = 0;
	for (u32 i = 0; i < PS_COUNT(exact); i++)
		v[n++] = sem_f2f(f, SEM_F64, sem_f64_raw(exact[i]), 0);
	v[n++] = inf, v[n++] = inf | sign, v[n++] = inf | sem_fquiet_bit(f), v[n++] = inf | sign | 1;
	v[n++] = 1, v[n++] = sign | 3, v[n++] = inf - 1, v[n++] = sem_fpow2(f, 1 - (i32)sem_fbias(f));
	return n;
}

TEST(ir_fold, float_operations_keep_their_meaning)
{
	static const IrOp ops[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FDIV};
	static const u32  fast[] = {0, IRF_NNAN, IRF_NINF, IRF_NSZ, IRF_FAST};
	const IrType      types[] = {IR_TYPE(HALF), IR_TYPE(BFLOAT), IR_TYPE(FLOAT), IR_TYPE(DOUBLE)};
	Bench            *bench = bench_open(a, text);
	Rig               r = open_rig(bench);
	u64               v[32];
	for (u32 t = 0; t < PS_COUNT(types); t++) {
		SemFmt f = format(r.m, types[t]);
		u32    n = float_values(f, v);
		for (u32 x = 0; x < n; x++) {
			IrRef k = ir_const_fp(r.m, types[t], v[x]);
			fold_and_compare(&r, ir_b_unary(&r.b, IR_FNEG, k), 1);
			for (u32 to = 0; to < PS_COUNT(types); to++)
				if (ir_size_bits(r.m, types[to]) != ir_size_bits(r.m, types[t]))
					fold_and_compare(&r, ir_b_cast(&r.b, to < t ? IR_FPTRUNC : IR_FPEXT, k, types[to]), 1);
			for (u32 w = 1; w <= 16; w *= 2) {
				fold_and_compare(&r, ir_b_cast(&r.b, IR_FPTOSI, k, ir_int_type(r.m, w)), 1);
				fold_and_compare(&r, ir_b_cast(&r.b, IR_FPTOUI, k, ir_int_type(r.m, w)), 1);
			}
			for (u32 y = 0; y < n; y++)
				for (u32 o = 0; o < PS_COUNT(ops); o++)
					for (u32 m = 0; m < PS_COUNT(fast); m++)
						fold_and_compare(
							&r, ir_b_bin(&r.b, ops[o], k, ir_const_fp(r.m, types[t], v[y]), fast[m]),
							1);
		}
	}
	EXPECT(r.folded > 10000);
	bench_close(bench);
}

/* ---- elements ---- */

/* Element k of a constant vector into which %a went at i, and then %b at j; an index past the end gives poison. */
TEST(ir_fold, elements_are_those_put_in)
{
	enum { LANES = 4 };
	Bench *bench = bench_open(a, text);
	Rig    r = open_rig(bench);
	IrType t = ir_int_type(r.m, 4), vt = ir_vector_type(r.m, t, LANES);
	IrRef  e[LANES], x = ir_func_arg(r.f, 0), y = ir_func_arg(r.f, 1);
	for (u32 i = 0; i < LANES; i++)
		e[i] = ir_const_int(r.m, t, 5 + i);
	IrRef whole = ir_const_agg(r.m, vt, e, LANES);
	for (u32 i = 0; i <= LANES; i++)
		for (u32 j = 0; j <= LANES; j++)
			for (u32 k = 0; k <= LANES; k++) {
				IrRef at[] = {ir_const_int(r.m, IR_TYPE(I32), i), ir_const_int(r.m, IR_TYPE(I32), j),
				              ir_const_int(r.m, IR_TYPE(I32), k)};
				IrRef p = ir_b_insert_element(&r.b, whole, x, at[0]), q = ir_b_insert_element(&r.b, p, y, at[1]),
				      out = ir_b_extract_element(&r.b, q, at[2]), v = ir_fold(r.m, out);
				if (k == LANES)
					EXPECT(ir_is_none(v));
				else
					EXPECT(ir_same(v, k == j ? y : k == i ? x : e[k]));
			}
	bench_close(bench);
}

/* The same of a structure; where a part of it is put in, what is inside and what is around it is not known. */
TEST(ir_fold, members_are_those_put_in)
{
	static const char members[] = "define i4 @f(i4 %a, i4 %b, [2 x i4] %c) {\n"
				      "  %s0 = insertvalue {i4, [2 x i4]} {i4 1, [2 x i4] [i4 2, i4 3]}, i4 %a, 0\n"
				      "  %s1 = insertvalue {i4, [2 x i4]} %s0, i4 %b, 1, 1\n"
				      "  %s2 = insertvalue {i4, [2 x i4]} %s1, [2 x i4] %c, 1\n"
				      "  %e0 = extractvalue {i4, [2 x i4]} %s1, 0\n"
				      "  %e1 = extractvalue {i4, [2 x i4]} %s1, 1, 0\n"
				      "  %e2 = extractvalue {i4, [2 x i4]} %s1, 1, 1\n"
				      "  %e3 = extractvalue {i4, [2 x i4]} %s1, 1\n"
				      "  %e4 = extractvalue {i4, [2 x i4]} %s2, 1, 1\n"
				      "  %e5 = extractvalue {i4, [2 x i4]} %s2, 1\n"
				      "  %e6 = extractvalue {i4, [2 x i4]} %s2, 0\n"
				      "  ret i4 %e0\n}\n";
	Bench            *bench = bench_open(a, members);
	IrModule         *m = bench->m;
	IrFunc           *f = ir_func(m, ir_find_global(m, STR("f")));
	IrRef x = ir_func_arg(f, 0), y = ir_func_arg(f, 1), c = ir_func_arg(f, 2), two = ir_const_int(m, ir_int_type(m, 4), 2),
	      want[] = {x, two, y, IR_NO_REF, IR_NO_REF, c, x};
	u32 k = 0;
	ir_each_inst(m, f->first, i)
		if (ir_inst(m, i)->op == IR_EXTRACTVALUE) {
			IrRef v = ir_fold(m, i);
			EXPECT(ir_same(v, want[k]));
			k++;
		}
	EXPECT_EQ(k, PS_COUNT(want));
	bench_close(bench);
}

/* ---- constant expressions ---- */

TEST(ir_fold, constant_expressions_keep_their_meaning)
{
	Bench *bench = bench_open(a, text);
	Rig    r = open_rig(bench);
	IrType types[] = {IR_TYPE(I1), ir_int_type(r.m, 4), IR_TYPE(I8), IR_TYPE(I16)};
	u32    folded = 0;
	for (u32 t = 0; t < PS_COUNT(types); t++) {
		u32 w = (u32)ir_size_bits(r.m, types[t]);
		for (u32 x = 0; x < const_values(w); x++)
			for (u32 y = 0; y < const_values(w); y++) {
				IrRef ops[] = {ir_const_int(r.m, types[t], const_value(w, x)),
				               ir_const_int(r.m, types[t], const_value(w, y))};
				for (u32 o = IR_ADD; o <= IR_XOR; o++) {
					if (!(ir_op_is_binary(o)) || o == IR_FADD || o == IR_FSUB || o == IR_FMUL ||
					    o == IR_FDIV || o == IR_FREM)
						continue;
					IrRef i = ir_b_bin(&r.b, (IrOp)o, ops[0], ops[1], 0),
					      v = ir_expr_fold(r.m, o, 0, types[t], ops, 2);
					if (!ir_is_none(v))
						compare_now(&r, i, v), folded++;
					ir_remove(r.m, i);
				}
				for (u32 p = IRP_I_EQ; p <= IRP_I_SLE; p++) {
					IrRef i = ir_b_cmp(&r.b, (IrPred)p, ops[0], ops[1]),
					      v = ir_expr_fold(r.m, IR_ICMP, p, IR_TYPE(I1), ops, 2);
					compare_now(&r, i, v), folded++;
					ir_remove(r.m, i);
				}
			}
	}
	EXPECT(folded > 5000);
	bench_close(bench);
}

/* ---- random functions through instsimplify ---- */

static u32 below(u64 *seed, u32 n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (u32)(*seed >> 33) % n;
}

/* Instructions of i4 (%v…) and i1 (%p…); the first two of each are arguments. */
static void random_function(Text *t, u64 *seed, u32 number)
{
	static const char *const ops[] = {"add", "sub nsw", "mul nuw",    "and",  "or",
	                                  "xor", "shl",     "lshr exact", "ashr", "or disjoint"};
	static const char *const preds[] = {"eq", "ne", "ult", "sle", "ugt", "samesign slt"};
	u32                      v = 2, p = 2;
	text_f(t, "define i4 @r%u(i4 %%v0, i4 %%v1, i1 %%p0, i1 %%p1) {\n", number);
	for (u32 i = 0; i < 10; i++) {
		char x[16], y[16];
		snprintf(x, sizeof x, "%%v%u", below(seed, v));
		if (below(seed, 3))
			snprintf(y, sizeof y, "%%v%u", below(seed, v));
		else
			snprintf(y, sizeof y, "%d", (int)(i8)(u8)(below(seed, 4) ? below(seed, 3) + 255 : below(seed, 16)));
		switch (below(seed, 8)) {
		case 0: text_f(t, "  %%p%u = icmp %s i4 %s, %s\n", p++, preds[below(seed, 6)], x, y); break;
		case 1:
			text_f(t, "  %%v%u = select i1 %%p%u, i4 %s, i4 %s\n", v, below(seed, p), x, y);
			v++;
			break;
		case 2: text_f(t, "  %%p%u = trunc i4 %s to i1\n", p++, x); break;
		case 3:
			text_f(t, "  %%v%u = %s i1 %%p%u to i4\n", v, below(seed, 2) ? "zext" : "sext", below(seed, p));
			v++;
			break;
		default:
			text_f(t, "  %%v%u = %s i4 %s, %s\n", v, ops[below(seed, PS_COUNT(ops))], x, y);
			v++;
			break;
		}
	}
	text_f(t, "  ret i4 %%v%u\n}\n", v - 1);
}

static IrRef returned(const IrModule *m, const IrFunc *f) { return ir_op(m, ir_block(m, f->first)->last, 0); }

TEST(ir_fold, simplified_functions_keep_their_meaning)
{
	enum { FUNCTIONS = 600 };
	Text t;
	u64  seed = 1;
	u32  changed = 0;
	text_init(&t, a);
	for (u32 i = 0; i < FUNCTIONS; i++)
		random_function(&t, &seed, i);
	text_c(&t, 0);
	Bench *before = bench_open(a, t.p), *after = bench_open(a, t.p);
	EXPECT(bench_run(after, "instsimplify"));
	EXPECT(!bench_run(after, "instsimplify"));
	for (u32 i = 0; i < FUNCTIONS; i++) {
		Str name = arena_fmt(a, "r%u", i);
		Rig x = {.m = before->m, .f = ir_func(before->m, ir_find_global(before->m, name))},
		    y = {.m = after->m, .f = ir_func(after->m, ir_find_global(after->m, name))};
		changed += ir_count_insts(x.m, x.f) != ir_count_insts(y.m, y.f);
		for (u32 k = 0; k < 18 * 18; k++) {
			for (u32 j = 0; j < 4; j++)
				x.arg[j] = y.arg[j] = argument(j < 2 ? 4 : 1, j == 0 ? k % 18 : j == 1 ? k / 18 : (k + j) % 4);
			Set want = eval(&x, returned(x.m, x.f)), got = eval(&y, returned(y.m, y.f));
			if (!refines(&x, IR_TYPE(I8), &want, &got)) {
				unit_fail(__FILE__, __LINE__, "a function means something else");
				printf("#   @r%u\n", i);
				break;
			}
		}
	}
	EXPECT(changed > FUNCTIONS / 4);
	bench_close(before);
	bench_close(after);
}

UNIT_MAIN
