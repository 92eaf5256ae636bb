/* ir_ops.c: instructions of IR that compute: arithmetic, comparisons, casts, selects, vectors, aggregates. */
#include "simt/ir_decode.h"

static i32  temp(Ird *d, u32 bits) { return emit_reg(&d->e, bits); }
static void lanes(Ird *d, SimtKernel k, i32 dst, i32 a, i32 b, i32 c, u32 x) { emit_lanes(&d->e, k, dst, a, b, c, x); }

/* Sign-extended to its whole row. */
static i32 extended(Ird *d, i32 a, u32 bits)
{
	if (bits == 32 || bits == 64 || bits == 128)
		return a;
	i32 t = temp(d, bits);
	if (bits > 64) {
		emit_extend(&d->e, t, 128, a, bits, true);
		return t;
	}
	lanes(d, bits > 32 ? K_sext64_64 : K_sext32, t, a, NO_REG, NO_REG, bits);
	return t;
}

static void cut(Ird *d, i32 a, u32 bits)
{
	if (bits < 32)
		lanes(d, K_trunc32, a, a, NO_REG, NO_REG, bits);
	else if (bits > 32 && bits < 64)
		lanes(d, K_trunc64, a, a, NO_REG, NO_REG, bits);
	else if (bits > 64 && bits < 128)
		lanes(d, K_trunc64, a + 2, a + 2, NO_REG, NO_REG, bits - 64);
}

/* ---- integers */

typedef struct IntRow {
	u8         op;               /* IrOp */
	bool       is_signed, grows; /* reads signs; may leave the width */
	SimtKernel k32, k64, k128;
} IntRow;

static const IntRow int_rows[] = {
	{IR_ADD, false, true, K_add32, K_add64, K_add128},      {IR_SUB, false, true, K_sub32, K_sub64, K_sub128},
	{IR_MUL, false, true, K_mul32, K_mul64, K_mul128},      {IR_UDIV, false, true, K_udiv32, K_udiv64, K_udiv128},
	{IR_SDIV, true, true, K_sdiv32, K_sdiv64, K_sdiv128},   {IR_UREM, false, false, K_urem32, K_urem64, K_urem128},
	{IR_SREM, true, true, K_srem32, K_srem64, K_srem128},   {IR_SHL, false, true, K_shl32, K_shl64, K_shl128},
	{IR_LSHR, false, false, K_lshr32, K_lshr64, K_lshr128}, {IR_ASHR, true, true, K_ashr32, K_ashr64, K_ashr128},
	{IR_AND, false, false, K_and32, K_and64, K_and128},     {IR_OR, false, false, K_or32, K_or64, K_or128},
	{IR_XOR, false, false, K_xor32, K_xor64, K_xor128},
};

void ird_int_binary(Ird *d, u32 op, u32 bits, i32 dst, i32 a, i32 b)
{
	const IntRow *r = int_rows;
	while (r->op != op)
		r++;
	if (bits > 128) {
		emit_big(&d->e, (BigForm){BIG_EVAL, bits, bits, ir_op_info[op].eval, false}, dst, (i32[]){a, b, NO_REG});
		return;
	}
	bool shift = op == IR_SHL || op == IR_LSHR || op == IR_ASHR;
	if (r->is_signed) {
		a = extended(d, a, bits);
		b = shift ? b : extended(d, b, bits);
	}
	if (bits > 64) {
		lanes(d, r->k128, dst, a, b, NO_REG, 0);
	} else if (bits > 32) {
		if (shift) {
			i32 n = temp(d, 32);
			lanes(d, K_count64, n, b, NO_REG, NO_REG, 0);
			b = n;
		}
		lanes(d, r->k64, dst, a, b, NO_REG, 64);
	} else {
		lanes(d, r->k32, dst, a, b, NO_REG, 32);
	}
	if (r->grows)
		cut(d, dst, bits);
}

i32 ird_icmp(Ird *d, IrPred p, u32 bits, i32 a, i32 b)
{
	typedef struct CmpRow {
		u8         pred;
		bool       swap, is_signed, negate;
		SimtKernel k32, k64, k128;
	} CmpRow;
	static const CmpRow rows[] = {
		{IRP_I_EQ, false, false, false, K_eq32, K_eq64, K_eq128},
		{IRP_I_NE, false, false, true, K_eq32, K_eq64, K_eq128},
		{IRP_I_ULT, false, false, false, K_ult32, K_ult64, K_ult128},
		{IRP_I_UGE, false, false, true, K_ult32, K_ult64, K_ult128},
		{IRP_I_UGT, true, false, false, K_ult32, K_ult64, K_ult128},
		{IRP_I_ULE, true, false, true, K_ult32, K_ult64, K_ult128},
		{IRP_I_SLT, false, true, false, K_slt32, K_slt64, K_slt128},
		{IRP_I_SGE, false, true, true, K_slt32, K_slt64, K_slt128},
		{IRP_I_SGT, true, true, false, K_slt32, K_slt64, K_slt128},
		{IRP_I_SLE, true, true, true, K_slt32, K_slt64, K_slt128},
	};
	const CmpRow *r = rows;
	while (r->pred != p)
		r++;
	if (bits > 128) {
		i32 test = temp(d, 1);
		emit_big(&d->e, (BigForm){BIG_COMPARE, bits, 1, ir_pred_cmp[p], p >= IRP_I_SGT}, test, (i32[]){a, b});
		return test;
	}
	if (r->is_signed)
		a = extended(d, a, bits), b = extended(d, b, bits);
	if (r->swap) {
		i32 t = a;
		a = b, b = t;
	}
	i32 dst = temp(d, 1);
	if (bits > 64) {
		i32 wide = temp(d, 128);
		lanes(d, r->k128, wide, a, b, NO_REG, 0);
		lanes(d, K_trunc64_32, dst, wide, NO_REG, NO_REG, 1);
		if (r->negate)
			lanes(d, K_lognot, dst, dst, NO_REG, NO_REG, 0);
		return dst;
	}
	SimtKernel k = bits > 32 ? r->k64 : r->k32;
	if (r->negate) { /* a >= b is b <= a, and so on: no second step */
		i32 t = a;
		if (k == K_eq32 || k == K_eq64)
			k = k == K_eq32 ? K_ne32 : K_ne64;
		else
			k = k == K_ult32 ? K_ule32 : k == K_ult64 ? K_ule64 : k == K_slt32 ? K_sle32 : K_sle64, a = b, b = t;
	}
	lanes(d, k, dst, a, b, NO_REG, 0);
	return dst;
}

/* ---- floats */

void ird_float_binary(Ird *d, u32 op, IrType t, i32 dst, i32 a, i32 b)
{
	SemFmt f = ird_fmt(d, t);
	static const struct {
		u8         op;
		SimtKernel f32, f64, any;
	} rows[] = {
		{IR_FADD, K_fadd32, K_fadd64, K_fadd}, {IR_FSUB, K_fsub32, K_fsub64, K_fsub},
		{IR_FMUL, K_fmul32, K_fmul64, K_fmul}, {IR_FDIV, K_fdiv32, K_fdiv64, K_fdiv},
		{IR_FREM, K_frem, K_frem_64, K_frem},
	};
	u32 r = 0;
	while (rows[r].op != op)
		r++;
	lanes(d, f == SEM_F64 ? rows[r].f64 : f == SEM_F32 ? rows[r].f32 : rows[r].any, dst, a, b, NO_REG, kx_float(f, 0));
}

static void fcmp(Ird *d, IrPred p, SemFmt f, i32 dst, i32 a, i32 b)
{
	static const u8 cmp[] = {
		[IRP_OEQ] = SEM_EQ,  [IRP_OGT] = SEM_GT,  [IRP_OGE] = SEM_GE,  [IRP_OLT] = SEM_LT,  [IRP_OLE] = SEM_LE,
		[IRP_ONE] = SEM_NE,  [IRP_ORD] = SEM_NUM, [IRP_UNO] = SEM_NAN, [IRP_UEQ] = SEM_EQU, [IRP_UGT] = SEM_GTU,
		[IRP_UGE] = SEM_GEU, [IRP_ULT] = SEM_LTU, [IRP_ULE] = SEM_LEU, [IRP_UNE] = SEM_NEU,
	};
	bool wide = f == SEM_F64, plain = f == SEM_F32 || wide;
	if (p == IRP_FALSE || p == IRP_TRUE)
		emit_move(&d->e, 1, dst, emit_const(d->p, 1, p == IRP_TRUE));
	else if (plain)
		emit_fcmp(&d->e, cmp[p], wide, dst, a, b);
	else
		lanes(d, wide ? K_fcmp64 : K_fcmp, dst, a, b, NO_REG, kx_fcmp(f, cmp[p], 0));
}

/* ---- casts */

static void float_to_int(Ird *d, bool is_signed, u32 bits, SemFmt f, i32 dst, i32 a)
{
	u32 x = kx_int(bits, is_signed, f, SEM_RZ);
	if (bits > 128) {
		emit_big(&d->e, (BigForm){BIG_OF_FLOAT, sem_fwidth(f), bits, f, is_signed}, dst, &a);
	} else if (bits > 64) {
		i32 wide = temp(d, 128);
		emit_extend(&d->e, wide, 128, a, sem_fwidth(f), false);
		lanes(d, K_f2i128, dst, wide, NO_REG, NO_REG, x);
	} else if (f == SEM_F32 && bits == 32 && is_signed) {
		lanes(d, K_f32_s32, dst, a, NO_REG, NO_REG, x);
	} else {
		lanes(d,
		      f == SEM_F64 ? (bits > 32 ? K_f64_2i_64 : K_f64_2i)
		      : bits > 32  ? K_f2i_64
		                   : K_f2i,
		      dst, a, NO_REG, NO_REG, x);
	}
}

static void int_to_float(Ird *d, bool is_signed, u32 bits, SemFmt f, i32 dst, i32 a)
{
	u32 x = kx_int(bits, is_signed, f, SEM_RN);
	if (bits > 128) {
		emit_big(&d->e, (BigForm){BIG_TO_FLOAT, bits, sem_fwidth(f), f, is_signed}, dst, &a);
	} else if (bits > 64) {
		i32 wide = temp(d, 128);
		if (is_signed)
			a = extended(d, a, bits);
		lanes(d, K_i2f128, wide, a, NO_REG, NO_REG, x);
		emit_extend(&d->e, dst, sem_fwidth(f), wide, 128, false);
	} else if (bits == 32 && f == SEM_F32) {
		lanes(d, is_signed ? K_s32_f32 : K_u32_f32, dst, a, NO_REG, NO_REG, x);
	} else if (f == SEM_F64) {
		lanes(d, bits > 32 ? K_i2f64_64 : K_i2f64, dst, a, NO_REG, NO_REG, x);
	} else {
		lanes(d, bits > 32 ? K_i2f_64 : K_i2f, dst, a, NO_REG, NO_REG, x);
	}
}

void ird_float_convert(Ird *d, SemFmt to, SemFmt from, i32 dst, i32 a)
{
	SimtKernel k = to == SEM_F64     ? (from == SEM_F32 ? K_f32_f64 : K_cvt_to64)
	               : from == SEM_F64 ? (to == SEM_F32 ? K_f64_f32 : K_cvt_from64)
	                                 : K_cvt;
	lanes(d, k, dst, a, NO_REG, NO_REG, kx_cvt(to, from, 0));
}

static void space_cast(Ird *d, IrType from, IrType to, i32 dst, i32 a)
{
	u32 sa = ir_type(d->m, from)->bits, sb = ir_type(d->m, to)->bits;
	u32 wa = ir_ptr_bits(d->m, sa), wb = ir_ptr_bits(d->m, sb);
	u64 window = simt_generic((u8)ird_space(d, sa ? sa : sb), 0);
	i32 wide = temp(d, 64);
	emit_extend(&d->e, wide, 64, a, wa, false);
	if (window && sa != sb && (sa == 0 || sb == 0))
		lanes(d, sa == 0 ? K_sub64 : K_add64, wide, wide, emit_const(d->p, 64, window), NO_REG, 0);
	emit_extend(&d->e, dst, wb, wide, 64, false);
}

static void cast(Ird *d, IrRef inst)
{
	IrModule     *m = d->m;
	const IrInst *r = ir_inst(m, inst);
	IrRef         v = ir_op(m, inst, 0);
	IrType        from_type = ir_scalar_type(m, ir_type_of(m, v)), to_type = ir_scalar_type(m, r->type);
	Leaves        from = ird_leaves(d, ir_type_of(m, v)), to = ird_leaves(d, r->type);
	if (r->op == IR_BITCAST) {
		i32 *in = arena_array(d->a, i32, from.n + 1), *out = arena_array(d->a, i32, to.n + 1);
		for (u32 i = 0; i < from.n; i++)
			in[i] = ird_in(d, v, i);
		for (u32 i = 0; i < to.n; i++)
			out[i] = ird_out(d, inst, i);
		ird_bitcast(d, in, from, out, to);
		return;
	}
	for (u32 i = 0; i < to.n; i++) {
		i32 a = ird_in(d, v, i), dst = ird_out(d, inst, i);
		u32 fb = from.p[i].bits, tb = to.p[i].bits;
		switch (r->op) {
		case IR_TRUNC:
		case IR_ZEXT:
		case IR_PTRTOINT:
		case IR_INTTOPTR:
		case IR_PTRTOADDR: emit_extend(&d->e, dst, tb, a, fb, false); break;
		case IR_SEXT:
			emit_extend(&d->e, dst, tb, a, fb, true);
			cut(d, dst, tb);
			break;
		case IR_FPTRUNC:
		case IR_FPEXT: ird_float_convert(d, ird_fmt(d, to_type), ird_fmt(d, from_type), dst, a); break;
		case IR_FPTOUI:
		case IR_FPTOSI: float_to_int(d, r->op == IR_FPTOSI, tb, ird_fmt(d, from_type), dst, a); break;
		case IR_UITOFP:
		case IR_SITOFP: int_to_float(d, r->op == IR_SITOFP, fb, ird_fmt(d, to_type), dst, a); break;
		default: space_cast(d, from_type, to_type, dst, a); break;
		}
	}
}

/* ---- bits of one shape as another: both sides are strings of bits, lowest first */

/* `w` bits of piece `a` (of `bits`) from bit `at`, in a row of its own size. */
static i32 field(Ird *d, i32 a, u32 bits, u32 at, u32 w)
{
	if (at == 0 && w == bits)
		return a;
	i32 t = temp(d, w);
	if (bits > 64) {
		a = word_of(a, at / 64);
		return field(d, a, 64, at % 64, w);
	}
	if (bits > 32 && w > 32) {
		lanes(d, K_lshr64, t, a, emit_const(d->p, 32, at), NO_REG, 0);
		lanes(d, K_trunc64, t, t, NO_REG, NO_REG, w);
	} else if (bits > 32) {
		lanes(d, K_byte_field64, t, a, NO_REG, NO_REG, at | w << 8);
	} else {
		lanes(d, K_byte_field, t, a, NO_REG, NO_REG, at | w << 8);
	}
	return t;
}

/* Puts `w` bits of `part` at bit `at` of dst, whose bits there are zero. */
static void put(Ird *d, i32 dst, u32 bits, u32 at, i32 part, u32 w)
{
	if (bits > 64) {
		put(d, word_of(dst, at / 64), 64, at % 64, part, w);
	} else if (bits > 32 && w > 32) {
		i32 t = temp(d, 64);
		lanes(d, K_shl64, t, part, emit_const(d->p, 32, at), NO_REG, 0);
		lanes(d, K_or64, dst, dst, t, NO_REG, 0);
	} else if (bits > 32) {
		lanes(d, K_put_field64, dst, dst, part, NO_REG, at);
	} else {
		lanes(d, K_put_field, dst, dst, part, NO_REG, at);
	}
}

static bool same_leaves(Leaves a, Leaves b)
{
	bool same = a.n == b.n;
	for (u32 i = 0; same && i < a.n; i++)
		same = a.p[i].bits == b.p[i].bits;
	return same;
}

void ird_bitcast(Ird *d, const i32 *from, Leaves fl, const i32 *to, Leaves tl)
{
	if (same_leaves(fl, tl)) {
		for (u32 i = 0; i < fl.n; i++)
			emit_move(&d->e, fl.p[i].bits, to[i], from[i]);
		return;
	}
	u32 fi = 0, fat = 0;
	for (u32 i = 0; i < tl.n; i++) {
		u32 bits = tl.p[i].bits, at = 0;
		emit_move(&d->e, bits, to[i], emit_const(d->p, bits, 0));
		while (at < bits && fi < fl.n) {
			u32 w = PS_MIN(bits - at, fl.p[fi].bits - fat);
			w = PS_MIN(w, PS_MIN(64 - at % 64, 64 - fat % 64));
			put(d, to[i], bits, at, field(d, from[fi], fl.p[fi].bits, fat, w), w);
			at += w;
			fat += w;
			if (fat == fl.p[fi].bits)
				fi++, fat = 0;
		}
	}
}

/* ---- addresses */

static bool gep(Ird *d, IrRef inst)
{
	IrModule     *m = d->m;
	const IrInst *r = ir_inst(m, inst);
	IrRef         base = ir_op(m, inst, 0);
	u32 as = ir_type(m, ir_scalar_type(m, ir_type_of(m, base)))->bits, w = ir_ptr_bits(m, as), n = ird_leaves(d, r->type).n;
	SimtKernel add = w > 32 ? K_add64 : K_add32, mad = w > 32 ? K_mad64 : K_mad32;
	for (u32 lane = 0; lane < n; lane++) {
		i32    dst = ird_out(d, inst, lane), sum = ird_in(d, base, ird_leaves(d, ir_type_of(m, base)).n > 1 ? lane : 0);
		u64    fixed = 0;
		IrType at = {0};
		for (u32 i = 1; i < ir_n_ops(m, inst); i++) {
			IrGepTerm t = ir_gep_term(m, inst, i, &at);
			u64       k;
			if (ir_is_none(t.index)) {
				fixed += (u64)t.bytes;
				continue;
			}
			IrRef  index = t.index;
			IrType it = ir_type_of(m, index);
			u64    scale = (u64)t.bytes;
			u32    ib = (u32)ir_size_bits(m, ir_scalar_type(m, it)), piece = ir_type_is_vector(m, it) ? lane : 0;
			if (!ir_type_is_vector(m, it) && ird_scalar(d, index, &k)) {
				fixed += (u64)sem_sext(k, PS_MIN(ib, 64u)) * scale;
				continue;
			}
			i32 x = temp(d, w);
			emit_extend(&d->e, x, w, ird_in(d, index, piece), ib, true);
			if (scale == 1)
				lanes(d, add, dst, sum, x, NO_REG, 0);
			else
				lanes(d, mad, dst, x, emit_const(d->p, w, scale), sum, 0);
			sum = dst;
		}
		if (fixed || sum != dst)
			lanes(d, add, dst, sum, emit_const(d->p, w, fixed), NO_REG, 0);
	}
	return true;
}

/* ---- vectors and aggregates */

static u32 leaf_base(Ird *d, IrType t, const u32 *index, u32 n)
{
	u32 at = 0;
	for (u32 i = 0; i < n; i++) {
		bool is_struct = ir_type_kind(d->m, t) == IRT_STRUCT;
		if (is_struct)
			for (u32 k = 0; k < index[i]; k++)
				at += ird_leaves(d, ir_type_elem(d->m, t, k)).n;
		else
			at += index[i] * ird_leaves(d, ir_type_elem(d->m, t, 0)).n;
		t = ir_type_elem(d->m, t, is_struct ? index[i] : 0);
	}
	return at;
}

static void move_piece(Ird *d, i32 dst, i32 src, u32 bits) { emit_move(&d->e, bits, dst, src); }

static bool elements(Ird *d, IrRef inst)
{
	IrModule     *m = d->m;
	const IrInst *r = ir_inst(m, inst);
	IrRef         a = ir_op(m, inst, 0);
	Leaves        l = ird_leaves(d, r->type), al = ird_leaves(d, ir_type_of(m, a));
	u64           k;
	switch (r->op) {
	case IR_EXTRACTELEMENT: {
		IrRef index = ir_op(m, inst, 1);
		i32   dst = ird_out(d, inst, 0);
		if (ird_scalar(d, index, &k)) {
			move_piece(d, dst, ird_in(d, a, k < al.n ? (u32)k : 0), l.p[0].bits);
			return true;
		}
		u32 ib = (u32)ir_size_bits(m, ir_type_of(m, index));
		i32 result = temp(d, l.p[0].bits);
		move_piece(d, result, ird_in(d, a, 0), l.p[0].bits);
		for (u32 i = 1; i < al.n; i++) {
			i32 hit = ird_icmp(d, IRP_I_EQ, ib, ird_in(d, index, 0), emit_const(d->p, ib, i));
			emit_select(&d->e, l.p[0].bits, result, ird_in(d, a, i), result, hit);
		}
		move_piece(d, dst, result, l.p[0].bits);
		return true;
	}
	case IR_INSERTELEMENT: {
		IrRef v = ir_op(m, inst, 1), index = ir_op(m, inst, 2);
		bool  fixed = ird_scalar(d, index, &k);
		u32   ib = (u32)ir_size_bits(m, ir_type_of(m, index));
		for (u32 i = 0; i < l.n; i++) {
			i32 dst = ird_out(d, inst, i);
			if (fixed) {
				move_piece(d, dst, i == k ? ird_in(d, v, 0) : ird_in(d, a, i), l.p[i].bits);
				continue;
			}
			i32 hit = ird_icmp(d, IRP_I_EQ, ib, ird_in(d, index, 0), emit_const(d->p, ib, i));
			emit_select(&d->e, l.p[i].bits, dst, ird_in(d, v, 0), ird_in(d, a, i), hit);
		}
		return true;
	}
	case IR_SHUFFLEVECTOR: {
		const u32 *mask = ir_list(m, r->aux);
		IrRef      b = ir_op(m, inst, 1);
		for (u32 i = 0; i < l.n; i++) {
			u32 from = mask[i];
			if (from < 2 * al.n)
				move_piece(d, ird_out(d, inst, i), from < al.n ? ird_in(d, a, from) : ird_in(d, b, from - al.n),
				           l.p[i].bits);
		}
		return true;
	}
	case IR_EXTRACTVALUE: {
		u32 at = leaf_base(d, ir_type_of(m, a), ir_list(m, r->aux), ir_list_n(m, r->aux));
		for (u32 i = 0; i < l.n; i++)
			move_piece(d, ird_out(d, inst, i), ird_in(d, a, at + i), l.p[i].bits);
		return true;
	}
	default: {
		IrRef  v = ir_op(m, inst, 1);
		Leaves vl = ird_leaves(d, ir_type_of(m, v));
		u32    at = leaf_base(d, r->type, ir_list(m, r->aux), ir_list_n(m, r->aux));
		for (u32 i = 0; i < l.n; i++)
			move_piece(d, ird_out(d, inst, i), i >= at && i < at + vl.n ? ird_in(d, v, i - at) : ird_in(d, a, i),
			           l.p[i].bits);
		return true;
	}
	}
}

static void select_pieces(Ird *d, IrRef inst)
{
	IrModule *m = d->m;
	IrRef     c = ir_op(m, inst, 0), x = ir_op(m, inst, 1), y = ir_op(m, inst, 2);
	Leaves    l = ird_leaves(d, ir_inst(m, inst)->type);
	bool      by_lane = ird_leaves(d, ir_type_of(m, c)).n > 1;
	for (u32 i = 0; i < l.n; i++) {
		i32 dst = ird_out(d, inst, i), cond = ird_in(d, c, by_lane ? i : 0), a = ird_in(d, x, i), b = ird_in(d, y, i);
		emit_select(&d->e, l.p[i].bits, dst, a, b, cond);
	}
}

/* ---- all of them */

bool ird_compute(Ird *d, IrRef inst)
{
	IrModule     *m = d->m;
	const IrInst *r = ir_inst(m, inst);
	IrType        t = ir_scalar_type(m, r->type);
	Leaves        l = ird_leaves(d, r->type);
	if (ir_op_is_binary(r->op)) {
		for (u32 i = 0; i < l.n; i++) {
			i32 a = ird_in(d, ir_op(m, inst, 0), i), b = ird_in(d, ir_op(m, inst, 1), i), dst = ird_out(d, inst, i);
			if (ird_fused(d, inst, i, dst))
				continue;
			if (ir_type_is_fp(m, t))
				ird_float_binary(d, r->op, t, dst, a, b);
			else
				ird_int_binary(d, r->op, l.p[i].bits, dst, a, b);
		}
		return true;
	}
	if (ir_op_is_cast(r->op)) {
		cast(d, inst);
		return true;
	}
	switch (r->op) {
	case IR_FNEG:
		for (u32 i = 0; i < l.n; i++)
			lanes(d,
			      l.p[i].bits == 64          ? K_fneg_64
			      : ird_fmt(d, t) == SEM_F32 ? K_fneg32
			                                 : K_fneg,
			      ird_out(d, inst, i), ird_in(d, ir_op(m, inst, 0), i), NO_REG, NO_REG, kx_float(ird_fmt(d, t), 0));
		return true;
	case IR_PCP:
	case IR_FREEZE:
		for (u32 i = 0; i < l.n; i++)
			move_piece(d, ird_out(d, inst, i), ird_in(d, ir_op(m, inst, 0), i), l.p[i].bits);
		return true;
	case IR_ICMP:
	case IR_FCMP: {
		IrRef  a = ir_op(m, inst, 0), b = ir_op(m, inst, 1);
		IrType at = ir_scalar_type(m, ir_type_of(m, a));
		Leaves al = ird_leaves(d, ir_type_of(m, a));
		for (u32 i = 0; i < l.n; i++) {
			i32 x = ird_in(d, a, i), y = ird_in(d, b, i), dst = ird_out(d, inst, i);
			if (r->op == IR_FCMP) {
				fcmp(d, (IrPred)r->sub, ird_fmt(d, at), dst, x, y);
				continue;
			}
			i32 p = ird_icmp(d, (IrPred)r->sub, al.p[i].bits, x, y);
			vec_last(&d->p->code).d == p ? (void)(vec_last(&d->p->code).d = dst) : emit_move(&d->e, 1, dst, p);
		}
		return true;
	}
	case IR_SELECT: select_pieces(d, inst); return true;
	case IR_EXTRACTELEMENT:
	case IR_INSERTELEMENT:
	case IR_SHUFFLEVECTOR:
	case IR_EXTRACTVALUE:
	case IR_INSERTVALUE: return elements(d, inst);
	case IR_GETELEMENTPTR: return gep(d, inst);
	default: return false;
	}
}
