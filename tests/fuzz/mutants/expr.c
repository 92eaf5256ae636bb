/* expr.c: operations. */
#include "ir/builder.h"
#include "mutate.h"

#include <stdio.h>
#include <string.h>

/* ---- values that may be used */

IrRef some_value(Mut *mu, IrRef at)
{
	IrModule *m = mu->m;
	IrRef     chosen = IR_NO_REF, block = ir_inst(m, at)->block;
	u32       seen = 0, steps = 0;
	for (u32 i = 0; i < mu->f->n_args; i++) {
		IrRef a = ir_func_arg(mu->f, i);
		if (is_plain(m, ir_type_of(m, a)) && one_in(mu->r, ++seen))
			chosen = a;
	}
	for (IrRef b = block; b.i; b = ir_same(b, mu->f->first) ? IR_NO_REF : steps > 100 ? IR_NO_REF : mu->f->first) {
		bool other = !ir_same(b, block);
		for (IrRef i = other ? ir_block(m, b)->last : ir_inst(m, at)->prev; i.i && steps < 200;
		     i = ir_inst(m, i)->prev, steps++)
			if (is_plain(m, ir_type_of(m, i)) && one_in(mu->r, ++seen))
				chosen = i;
	}
	return chosen.i && !one_in(mu->r, 8) ? chosen : some_const(mu, some_type(mu));
}

/* ---- arithmetic */

/* Shift amounts under the width, divisors that are neither 0 nor -1. */
static IrRef guarded(Mut *mu, IrBuilder *b, IrOp op, IrRef y)
{
	IrModule *m = mu->m;
	IrType    t = ir_type_of(m, y), e = ir_scalar_type(m, t);
	u32       bits = ir_type(m, e)->bits;
	IrRef     c;
	if (op == IR_SHL || op == IR_LSHR || op == IR_ASHR) {
		c = ir_const_int(m, e, ((u64)1 << u64_log2(bits)) - 1);
		return ir_b_bin(b, IR_AND, y, ir_type_is_vector(m, t) ? ir_const_splat(m, t, c) : c, 0);
	}
	if (!(IR_DIVISIONS >> op & 1))
		return y;
	c = bits < 3 ? ir_const_int(m, e, 1) : ir_const_int(m, e, 3);
	y = ir_b_bin(b, IR_AND, y, ir_type_is_vector(m, t) ? ir_const_splat(m, t, c) : c, 0);
	c = ir_const_int(m, e, 1);
	return bits == 1 ? ir_type_is_vector(m, t) ? ir_const_splat(m, t, c) : c
	                 : ir_b_bin(b, IR_OR, y, ir_type_is_vector(m, t) ? ir_const_splat(m, t, c) : c, 0);
}

static u32 some_flags(Mut *mu, IrOp op)
{
	u32 f = ir_op_info[op].flags, r = rnd(mu->r), out = 0;
	if (mu->defined || one_in(mu->r, 2))
		return 0;
	if (f & IROF_WRAPS)
		out |= r & (IRF_NUW | IRF_NSW);
	if (f & IROF_EXACT)
		out |= r & IRF_EXACT;
	if (f & IROF_DISJOINT)
		out |= r & IRF_DISJOINT;
	if (f & IROF_NNEG)
		out |= r & IRF_NNEG;
	if (f & IROF_FPMATH)
		out |= r & IRF_FAST;
	return out;
}

IrRef some_binary(Mut *mu, IrBuilder *b, IrRef x, IrRef y)
{
	static const u8 ints[] = {IR_ADD,  IR_ADD,  IR_SUB, IR_SUB,  IR_MUL,  IR_MUL, IR_UDIV, IR_SDIV,
	                          IR_UREM, IR_SREM, IR_SHL, IR_LSHR, IR_ASHR, IR_AND, IR_OR,   IR_XOR};
	static const u8 floats[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FMUL, IR_FDIV, IR_FREM};
	bool            is_int = ir_type_is_int(mu->m, ir_scalar_type(mu->m, ir_type_of(mu->m, x)));
	IrOp            op = (IrOp)(is_int ? pick(mu->r, ints) : floats[below(mu->r, mu->defined ? 5 : 6)]);
	if (is_int && (mu->defined || one_in(mu->r, 3)))
		y = guarded(mu, b, op, y);
	u32 flags = some_flags(mu, op);
	return ir_b_bin(b, op, x, y, flags);
}

/* A number type: scalar or vector. */
static IrType number_type(Mut *mu)
{
	IrType t = one_in(mu->r, 3) ? fp_type(mu) : int_type(mu);
	return one_in(mu->r, 3) ? vector_of(mu, t) : t;
}

static IrRef arithmetic(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	IrType t = number_type(mu);
	IrRef  other = some_value(mu, at);
	x = adapt(mu, b, x, t);
	other = one_in(mu->r, 3) ? some_const(mu, t) : adapt(mu, b, other, t);
	return one_in(mu->r, 2) ? some_binary(mu, b, x, other) : some_binary(mu, b, other, x);
}

static IrRef compare(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	IrType t = one_in(mu->r, 8) && !mu->defined ? ir_ptr_type(mu->m, 0) : number_type(mu);
	IrRef  y = some_value(mu, at);
	x = adapt(mu, b, x, t);
	y = one_in(mu->r, 3) ? some_const(mu, t) : adapt(mu, b, y, t);
	bool fp = ir_type_is_fp(mu->m, ir_scalar_type(mu->m, t));
	return ir_b_cmp(b, (IrPred)(fp ? below(mu->r, IRP_I_EQ) : IRP_I_EQ + below(mu->r, IRP_COUNT - IRP_I_EQ)), x, y);
}

IrRef some_condition(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	IrRef c = compare(mu, b, x, at);
	return adapt(mu, b, c, IR_TYPE(I1));
}

static IrRef choose(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	IrType t = some_type(mu), ct = IR_TYPE(I1);
	IrRef  y = some_value(mu, at), c = compare(mu, b, x, at);
	if (ir_type_is_vector(mu->m, t) && one_in(mu->r, 2))
		ct = ir_vector_type(mu->m, ct, (u32)ir_type_count(mu->m, t));
	c = adapt(mu, b, c, ct);
	x = adapt(mu, b, x, t);
	y = adapt(mu, b, y, t);
	return ir_b_select(b, c, x, y);
}

static IrRef lanes(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	IrModule *m = mu->m;
	IrType    t = vector_of(mu, one_in(mu->r, 3) ? fp_type(mu) : int_type(mu));
	u32       n = (u32)ir_type_count(m, t), to = 1 + below(mu->r, 9);
	IrRef     y = some_value(mu, at), i;
	i32       mask[16];
	x = adapt(mu, b, x, t);
	y = adapt(mu, b, y, t);
	switch (below(mu->r, 3)) {
	case 0: /* a lane that is not known */
		i = adapt(mu, b, y, IR_TYPE(I32));
		if (mu->defined)
			i = ir_b_bin(b, IR_UREM, i, ir_const_int(m, IR_TYPE(I32), n), 0);
		return ir_b_extract_element(b, x, i);
	case 1:
		i = adapt(mu, b, y, one_in(mu->r, 2) ? IR_TYPE(I32) : IR_TYPE(I64));
		if (mu->defined)
			i = ir_b_bin(b, IR_UREM, i, ir_const_int(m, ir_type_of(m, i), n), 0);
		y = adapt(mu, b, y, ir_type_elem(m, t, 0));
		return ir_b_insert_element(b, x, y, i);
	default:
		for (u32 k = 0; k < to; k++)
			mask[k] = !mu->defined && one_in(mu->r, 8) ? -1 : (i32)below(mu->r, 2 * n);
		return ir_b_shuffle(b, x, y, mask, to);
	}
}

static IrRef unary(Mut *mu, IrBuilder *b, IrRef x)
{
	IrType t = fp_type(mu);
	if (one_in(mu->r, 2))
		return ir_b_unary(b, IR_FREEZE, x);
	if (one_in(mu->r, 3))
		t = vector_of(mu, t);
	x = adapt(mu, b, x, t);
	return ir_b_unary(b, IR_FNEG, x);
}

/* ---- intrinsics */

/* Those that compute the same everywhere, whatever their operands are. */
static bool is_total(const char *names)
{
	static const char *const total[] = {"llvm.abs*",
	                                    "llvm.bitreverse*",
	                                    "llvm.bswap*",
	                                    "llvm.ctlz*",
	                                    "llvm.ctpop*",
	                                    "llvm.cttz*",
	                                    "llvm.fabs*",
	                                    "llvm.copysign*",
	                                    "llvm.fshl*",
	                                    "llvm.fshr*",
	                                    "llvm.fptosi.sat*",
	                                    "llvm.fptoui.sat*",
	                                    "llvm.floor*",
	                                    "llvm.ceil*",
	                                    "llvm.trunc*",
	                                    "llvm.rint*",
	                                    "llvm.is.fpclass*",
	                                    "llvm.fma*",
	                                    "llvm.sadd.sat*",
	                                    "llvm.uadd.sat*",
	                                    "llvm.ssub.sat*",
	                                    "llvm.usub.sat*",
	                                    "llvm.sadd.with.overflow*",
	                                    "llvm.uadd.with.overflow*",
	                                    "llvm.smul.with.overflow*",
	                                    "llvm.umul.with.overflow*",
	                                    "llvm.ssub.with.overflow*",
	                                    "llvm.usub.with.overflow*",
	                                    "llvm.smax*",
	                                    "llvm.smin*",
	                                    "llvm.umax*",
	                                    "llvm.umin*",
	                                    "llvm.scmp*",
	                                    "llvm.ucmp*",
	                                    "llvm.vector.reduce.add*",
	                                    "llvm.vector.reduce.and*",
	                                    "llvm.vector.reduce.or*",
	                                    "llvm.vector.reduce.xor*",
	                                    "llvm.vector.reduce.smax*",
	                                    "llvm.vector.reduce.umin*"};
	for (u32 i = 0; i < PS_COUNT(total); i++)
		if (strcmp(total[i], names) == 0)
			return true;
	return false;
}

/* One of the names of a row, without the suffix. */
static Str some_name(Mut *mu, const char *names)
{
	Text t;
	text_init(&t, mu->m->arena);
	for (; *names && *names != '*'; names++) {
		if (*names != '{') {
			text_c(&t, *names);
			continue;
		}
		const char *end = strchr(names, '}');
		u32         n = 1;
		for (const char *p = names; p < end; p++)
			n += *p == ',';
		n = below(mu->r, n);
		for (names++; n; names++)
			n -= *names == ',';
		while (*names != ',' && *names != '}')
			text_c(&t, *names++);
		names = end;
	}
	return text_str(&t);
}

/* Types for the overloaded letters, in order. */
static void overloads(Mut *mu, const char *sig, IrType *over)
{
	u32 n = 0;
	for (; *sig && *sig != '|' && n < IR_MAX_OVERLOADS; sig++) {
		IrType e = int_type(mu), f = fp_type(mu), p = ir_ptr_type(mu->m, (u32[]){0, 0, 1, 3, 4, 5}[below(mu->r, 6)]);
		bool   v = one_in(mu->r, 3);
		if (*sig == '~')
			sig += 2;
		else if (*sig == 'I' || *sig == 'J')
			over[n++] = v || *sig == 'J' ? vector_of(mu, e) : e;
		else if (*sig == 'F')
			over[n++] = v ? vector_of(mu, f) : f;
		else if (*sig == 'A')
			over[n++] = some_type(mu);
		else if (*sig == 'V')
			over[n++] = vector_of(mu, v ? f : e);
		else if (*sig == 'B')
			over[n++] = vector_of(mu, IR_TYPE(I1));
		else if (*sig == 'N' || *sig == 'G')
			over[n++] = *sig == 'N' ? e : f;
		else if (*sig == 'P' || *sig == 'Q')
			over[n++] = p;
		else if (*sig == 'W')
			over[n++] = vector_of(mu, p);
	}
	/* what goes with the first one has its shape */
	for (u32 i = 1; i < n; i++)
		if (ir_type_is_vector(mu->m, over[0]) && is_plain(mu->m, over[i]) && ir_type_kind(mu->m, over[i]) != IRT_PTR)
			over[i] = ir_vector_type(mu->m, ir_scalar_type(mu->m, over[i]), (u32)ir_type_count(mu->m, over[0]));
		else if (!ir_type_is_vector(mu->m, over[0]))
			over[i] = ir_scalar_type(mu->m, over[i]);
}

static u32 intrinsic_rows(void)
{
	IrIntrinsicInfo info;
	u32             n = 0;
	while (ir_intrinsic_info(n, &info))
		n++;
	return n;
}

static IrRef intrinsic(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	IrIntrinsicInfo info;
	IrType          over[IR_MAX_OVERLOADS] = {{0}};
	IrRef           args[IR_MAX_PARAMS];
	u32             tries = 0, rows = intrinsic_rows();
	do
		if (tries++ > 4000 || !ir_intrinsic_info(below(mu->r, rows), &info))
			return IR_NO_REF;
	while ((mu->defined || one_in(mu->r, 2))
	               ? !is_total(info.names)
	               : strchr(info.signature, 'm') || strchr(info.signature, 't') || strchr(info.signature, '.'));
	overloads(mu, info.signature, over);
	IrType t = ir_signature_type(mu->m, info.signature, over);
	Str    name = some_name(mu, info.names);
	if (!t.i)
		return IR_NO_REF;
	if (strchr(info.names, '*'))
		name = ir_mangled(mu->m, name, over);
	for (u32 i = 0; i < ir_func_params(mu->m, t); i++) {
		IrType p = ir_func_param(mu->m, t, i);
		IrRef  v = i ? some_value(mu, at) : x;
		if (info.immediates >> i & 1)
			args[i] = ir_type_is_int(mu->m, p)
			                  ? ir_const_int(mu->m, p, (u64[]){0, 1, 1, 2, 4, 8, 16, 255, 1023}[below(mu->r, 9)])
			                  : some_const(mu, p);
		else
			args[i] = adapt(mu, b, v, p);
	}
	return ir_b_intrinsic(b, name, ir_func_ret(mu->m, t), args, ir_func_params(mu->m, t));
}

IrRef some_expr(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	IrRef  v = IR_NO_REF;
	IrType t;
	switch (below(mu->r, 20)) {
	case 0:
	case 1:
	case 2:
	case 3: v = arithmetic(mu, b, x, at); break;
	case 4:
	case 5: v = compare(mu, b, x, at); break;
	case 6:
	case 7: v = choose(mu, b, x, at); break;
	case 8:
	case 9: v = lanes(mu, b, x, at); break;
	case 10: v = unary(mu, b, x); break;
	case 11:
	case 12:
		t = some_type(mu);
		v = adapt(mu, b, x, t);
		break;
	case 13:
	case 14:
	case 15: v = some_memory(mu, b, x, at); break;
	case 16: v = some_call(mu, b, x, at); break;
	default: v = intrinsic(mu, b, x, at); break;
	}
	return v.i && is_plain(mu->m, ir_type_of(mu->m, v)) ? v : x;
}
