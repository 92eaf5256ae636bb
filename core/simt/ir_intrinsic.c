/* ir_intrinsic.c: llvm.* and llvm.nvvm.*, by the table that selection uses too (ir/intrinsics.def):
 * what is one instruction there is that instruction here. */
#include "dag/lower_row.h"
#include "ir/intrinsic.h"
#include "simt/ir_decode.h"
#include "simt/order.h"

#include "simt/simt.h"

static i32    temp(Ird *d, u32 bits) { return emit_reg(&d->e, bits); }
static void   lanes(Ird *d, SimtKernel k, i32 dst, i32 a, i32 b, i32 c, u32 x) { emit_lanes(&d->e, k, dst, a, b, c, x); }
static IrRef  arg(Ird *d, IrRef inst, u32 i) { return ir_call_arg(d->m, inst, i); }
static IrType arg_type(Ird *d, IrRef inst, u32 i) { return ir_type_of(d->m, arg(d, inst, i)); }

Str ird_nvvm_name(const Ird *d, IrRef call)
{
	Str name = ir_str(d->m, ir_name(d->m, ir_callee(d->m, call)));
	u32 n = (u32)strlen("llvm.nvvm.");
	return (Str){name.p + n, name.n - n};
}

/* ---- one instruction each */

enum { MAX_ARGS = 24 };

/* The argument as one operand: vectors of halves are packed. */
static OpArg operand(Ird *d, IrRef v)
{
	Leaves l = ird_leaves(d, ir_type_of(d->m, v));
	u64    k;
	if (l.n == 1) {
		if (l.p[0].bits <= 64 && ir_is_const(d->m, v) && ird_scalar(d, v, &k) && ird_rank_terms(d, v) == 0)
			return op_imm(k);
		return op_reg(ird_in(d, v, 0), l.p[0].bits);
	}
	i32  in[16];
	Leaf whole = {.bits = 0};
	for (u32 i = 0; i < l.n && i < 16; i++) {
		in[i] = ird_in(d, v, i);
		whole.bits += l.p[i].bits;
	}
	i32 packed = temp(d, whole.bits);
	ird_bitcast(d, in, l, &packed, (Leaves){&whole, 1});
	return op_reg(packed, whole.bits);
}

/* The opcode of this mnemonic that has so many results and operands. */
static const IsaDesc *opcode(Ird *d, Str mnemonic, u32 n_defs, u32 n)
{
	IsaParseError error;
	PtxOpc        opc;
	if (!isa_parse_mnemonic(d->s, mnemonic, &opc, &error))
		return NULL;
	for (u32 id = isa_intern(d->s, opc); id; id = isa_next_alternative(d->s, id)) {
		PtxOpc form = isa_desc(d->s, id)->opc;
		for (u32 bits = 0; bits < 8; bits++) {
			form.slot[SLOT_form] = (u8)bits;
			const IsaDesc *desc = isa_desc(d->s, isa_intern(d->s, form));
			if (desc->n_defs == n_defs && desc->n_operands == n)
				return desc;
		}
	}
	return NULL;
}

/* Vectors of 32 bits and more are as many operands as they have elements. */
static bool in_parts(Leaves l) { return l.n > 1 && l.p[0].bits >= 32; }

static bool add_argument(Ird *d, IrRef v, OpArg *args, u32 *n)
{
	Leaves l = ird_leaves(d, ir_type_of(d->m, v));
	if (!in_parts(l))
		args[(*n)++] = operand(d, v);
	for (u32 i = 0; in_parts(l) && i < l.n; i++) {
		if (*n + 2 >= MAX_ARGS)
			return false;
		args[(*n)++] = op_reg(ird_in(d, v, i), l.p[i].bits);
	}
	return true;
}

static bool one_instruction(Ird *d, IrRef inst, const char *text)
{
	Str    t = str_of(text), mnemonic = t;
	OpArg  args[MAX_ARGS];
	u32    n = 0;
	Leaves r = ird_leaves(d, ir_inst(d->m, inst)->type);
	bool   packed = r.n > 1 && ir_type_is_vector(d->m, ir_inst(d->m, inst)->type) && !in_parts(r);
	Leaf   whole = {.bits = 0};
	for (u32 i = 0; i < t.n; i++)
		if (t.p[i] == ' ') {
			mnemonic.n = i;
			break;
		}
	if (r.n + 2 >= MAX_ARGS)
		return false;
	for (u32 i = 0; i < r.n; i++)
		whole.bits += r.p[i].bits;
	if (packed)
		args[n++] = op_reg(temp(d, whole.bits), whole.bits);
	for (u32 i = 0; i < r.n && !packed && n < MAX_ARGS; i++)
		args[n++] = op_reg(ird_out(d, inst, i), r.p[i].bits);
	for (u32 i = mnemonic.n; i < t.n; i++)
		if (t.p[i] == '_')
			args[n++] = op_reg(temp(d, 64), 64);
	u32 n_defs = n;
	for (u32 i = mnemonic.n; i < t.n && n + 2 < MAX_ARGS; i++) {
		char c = t.p[i];
		if (c >= 'a' && c <= 'z' && (u32)(c - 'a') < ir_call(d->m, inst)->n_args) {
			if (!add_argument(d, arg(d, inst, (u32)(c - 'a')), args, &n))
				return false;
			if (t.p[i - 1] == '[' && i + 1 < t.n && t.p[i + 1] == ']')
				args[n++] = op_imm(0);
		} else if (c >= '0' && c <= '9') {
			u64 v = 0;
			for (; i < t.n && t.p[i] >= '0' && t.p[i] <= '9'; i++)
				v = v * 10 + (u64)(t.p[i] - '0');
			args[n++] = op_imm(v);
		}
	}
	OpCx c = {.e = &d->e, .d = opcode(d, mnemonic, n_defs, n), .arg = args, .n = n, .is_kernel = true};
	if (!c.d || !simt_op(&c))
		return false;
	if (packed) {
		i32 out[16];
		for (u32 i = 0; i < r.n && i < 16; i++)
			out[i] = ird_out(d, inst, i);
		ird_bitcast(d, &args[0].row, (Leaves){&whole, 1}, out, r);
	}
	return true;
}

/* The same of a text with alternatives. */
static bool form(Ird *d, IrRef inst)
{
	Text text;
	text_init(&text, d->a);
	if (!ir_intrinsic_text(d->m, inst, &text))
		return false;
	text_c(&text, 0);
	return one_instruction(d, inst, text.p);
}

static bool funnel_clamped(Ird *d, IrRef inst, u32 what)
{
	return one_instruction(d, inst, what == DAG_FSHL ? "shf.l.clamp.b32 b, a, c" : "shf.r.clamp.b32 b, a, c");
}

/* The register of the row, or else the one that the name ends with. */
static bool special_register(Ird *d, IrRef inst, u32 what)
{
	u32    sreg = what ? what : ir_call_detail(d->m, inst);
	u32    bits = ird_leaves(d, ir_inst(d->m, inst)->type).p[0].bits;
	PtxOpc opc = {.op = ISA_sreg};
	if (!sreg)
		return false;
	opc.slot[SLOT_type] = isa_sreg(sreg)->type;
	opc.slot[SLOT_sreg] = (u8)sreg;
	OpArg out = op_reg(ird_out(d, inst, 0), bits);
	OpCx  c = {.e = &d->e, .d = isa_desc(d->s, isa_intern(d->s, opc)), .arg = &out, .n = 1};
	return simt_op(&c);
}

/* mapa, getctarank: with a pointer of the cluster's shared memory, or a generic one. */
static bool cluster_address(Ird *d, IrRef inst, u32 what)
{
	u32    bits = ird_leaves(d, arg_type(d, inst, 0)).p[0].bits, n = 0;
	PtxOpc opc = {.op = (u16)(what & ~(u32)CLUSTER_SHARED)};
	OpArg  args[3] = {op_reg(ird_out(d, inst, 0), opc.op == ISA_mapa ? bits : 32)};
	opc.slot[SLOT_space] = what & CLUSTER_SHARED ? TOK_space_shared_cluster : 0;
	opc.slot[SLOT_type] = bits == 64 ? TOK_type_u64 : TOK_type_u32;
	for (u32 i = 0; i < (opc.op == ISA_mapa ? 2u : 1u); i++) {
		IrRef a = arg(d, inst, i);
		args[1 + n++] = op_reg(ird_in(d, a, 0), i ? 32 : bits);
	}
	OpCx c = {.e = &d->e, .d = isa_desc(d->s, isa_intern(d->s, opc)), .arg = args, .n = 1 + n};
	return simt_op(&c);
}

/* ---- llvm.*, element by element */

/* ---- textures and surfaces: the name says the instruction */

/* Takes `word` and a dot (or the end) off the name. */
static bool take(Str *name, const char *word)
{
	u32 n = (u32)strlen(word);
	if (!str_starts(*name, word) || (name->n > n && name->p[n] != '.'))
		return false;
	n += name->n > n;
	*name = (Str){name->p + n, name->n - n};
	return true;
}

static const char *take_geometry(Str *name, u32 *coords, u32 *group)
{
	static const struct {
		const char *llvm, *ptx;
		u8          coords, group;
	} rows[] = {
		{"1d.array", "a1d", 2, 2}, {"2d.array", "a2d", 3, 4}, {"1d", "1d", 1, 1}, {"2d", "2d", 2, 2}, {"3d", "3d", 3, 4},
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (take(name, rows[i].llvm)) {
			*coords = rows[i].coords;
			*group = rows[i].group;
			return rows[i].ptx;
		}
	return NULL;
}

/* "v4f32" to ".v4" and "f32"; "i32" to "" and "b32". */
static Str take_type(Str *name, const char **vec, bool bits)
{
	static const char *const types[] = {"f32", "s32", "u32", "i8", "i16", "i32", "i64"}, *const plain[] = {
												     "f32", "s32", "u32", "b8",
												     "b16", "b32", "b64"};
	Str n = *name;
	*vec = str_starts(n, "v4") ? ".v4" : str_starts(n, "v2") ? ".v2" : "";
	if (**vec)
		n = (Str){n.p + 2, n.n - 2};
	for (u32 i = 0; i < PS_COUNT(types); i++)
		if (take(&n, types[i])) {
			*name = n;
			return str_of(bits ? plain[i] : types[i]);
		}
	return (Str){"", 0};
}

static bool image(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	Str         name = ird_nvvm_name(d, inst);
	OpArg       args[MAX_ARGS];
	u32         n = 0, at = 0, coords, group, words;
	const char *vec, *geometry;
	Leaves      r = ird_leaves(d, ir_inst(d->m, inst)->type);
	Str         type, mnemonic;
	bool        tex = take(&name, "tex"), load = !tex && take(&name, "suld"), store = !tex && !load && take(&name, "sust");
	if (!tex && !load && !store)
		return false;
	bool unified = tex && take(&name, "unified"), formatted = store && take(&name, "p");
	if (store && !formatted)
		take(&name, "b");
	if (!(geometry = take_geometry(&name, &coords, &group)))
		return false;
	bool level = tex && take(&name, "level");
	type = take_type(&name, &vec, !tex);
	if (tex)
		mnemonic = arena_fmt(d->a, "tex%s.%s%s.%.*s.%.*s", level ? ".level" : "", geometry, vec, STR_ARG(type),
		                     STR_ARG(name));
	else
		mnemonic = arena_fmt(d->a, "%s.%s%s.%.*s.%.*s",
		                     load        ? "suld.b"
		                     : formatted ? "sust.p"
		                                 : "sust.b",
		                     geometry, vec, STR_ARG(type), STR_ARG(name));
	for (u32 i = 0; i < r.n; i++)
		args[n++] = op_reg(ird_out(d, inst, i), r.p[i].bits);
	words = ir_call(d->m, inst)->n_args;
	for (u32 k = 0; k < (tex && !unified ? 2u : 1u); k++)
		args[n++] = operand(d, arg(d, inst, at++));
	for (u32 k = 0; k < group; k++)
		args[n++] = k < coords ? operand(d, arg(d, inst, at++)) : op_imm(0);
	while (at < words && n < MAX_ARGS)
		args[n++] = operand(d, arg(d, inst, at++));
	OpCx c = {.e = &d->e, .d = opcode(d, mnemonic, r.n, n), .arg = args, .n = n, .is_kernel = true};
	return c.d && simt_op(&c);
}

typedef struct ElemRow {
	u16        op; /* DagOp */
	SimtKernel k32, k64;
	u8         how; /* How */
	u32        x;
} ElemRow;

enum How { INTEGER, SIGNED_INTEGER, FLOATING, BOTH_X_BITS };

static const ElemRow elem_rows[] = {
	/* operation  32 bits  64 bits  operands  x: mode, or none */
	{DAG_ABS, K_abs32, K_abs64, SIGNED_INTEGER, 0},
	{DAG_SMAX, K_smax32, K_smax64, SIGNED_INTEGER, 0},
	{DAG_SMIN, K_smin32, K_smin64, SIGNED_INTEGER, 0},
	{DAG_UMAX, K_umax32, K_umax64, INTEGER, 0},
	{DAG_UMIN, K_umin32, K_umin64, INTEGER, 0},
	{DAG_CTPOP, K_popc, K_popc64, INTEGER, 0},
	{DAG_CTLZ, K_clz, K_clz64, BOTH_X_BITS, 0},
	{DAG_CTTZ, K_ctz, K_ctz64, BOTH_X_BITS, 0},
	{DAG_BITREVERSE, K_brev, K_brev64, BOTH_X_BITS, 0},
	{DAG_BSWAP, K_bswap, K_bswap64, BOTH_X_BITS, 0},
	{DAG_FSHL, K_fshl, K_fshl64, BOTH_X_BITS, 0},
	{DAG_FSHR, K_fshr, K_fshr64, BOTH_X_BITS, 0},
	{DAG_SADDSAT, K_sadd_sat, K_sadd_sat64, BOTH_X_BITS, 0},
	{DAG_UADDSAT, K_uadd_sat, K_uadd_sat64, BOTH_X_BITS, 0},
	{DAG_SSUBSAT, K_ssub_sat, K_ssub_sat64, BOTH_X_BITS, 0},
	{DAG_USUBSAT, K_usub_sat, K_usub_sat64, BOTH_X_BITS, 0},
	{DAG_SSHLSAT, K_sshl_sat, K_sshl_sat64, BOTH_X_BITS, 0},
	{DAG_USHLSAT, K_ushl_sat, K_ushl_sat64, BOTH_X_BITS, 0},
	{DAG_FCEIL, K_frint, K_frint_64, FLOATING, SEM_RP},
	{DAG_FFLOOR, K_frint, K_frint_64, FLOATING, SEM_RM},
	{DAG_FTRUNC, K_frint, K_frint_64, FLOATING, SEM_RZ},
	{DAG_FRINT, K_frint, K_frint_64, FLOATING, SEM_RN},
	{DAG_FNEARBYINT, K_frint, K_frint_64, FLOATING, SEM_RN},
	{DAG_FROUNDEVEN, K_frint, K_frint_64, FLOATING, SEM_RN},
	{DAG_FROUND, K_frint, K_frint_64, FLOATING, SEM_RNA},
	{DAG_FABS, K_fabs, K_fabs_64, FLOATING, 0},
	{DAG_FSQRT, K_fsqrt, K_fsqrt_64, FLOATING, 0},
	{DAG_FCANONICALIZE, K_satnan, K_satnan_64, FLOATING, 0},
	{DAG_FCOPYSIGN, K_fcopysign, K_fcopysign_64, FLOATING, 0},
	{DAG_FMA, K_ffma, K_ffma64, FLOATING, 0},
	{DAG_FMINNUM, K_fmin, K_fmin_64, FLOATING, 0},
	{DAG_FMAXNUM, K_fmax, K_fmax_64, FLOATING, 0},
	{DAG_FMINIMUM, K_fmin, K_fmin_64, FLOATING, SEM_NAN_WINS},
	{DAG_FMAXIMUM, K_fmax, K_fmax_64, FLOATING, SEM_NAN_WINS},
};

/* Sign-extended to its whole row. */
static i32 widened(Ird *d, i32 a, u32 bits)
{
	if (bits == 32 || bits >= 64)
		return a;
	i32 t = temp(d, bits);
	lanes(d, bits > 32 ? K_sext64_64 : K_sext32, t, a, NO_REG, NO_REG, bits);
	return t;
}

static const ElemRow *elem_row(u32 op)
{
	for (u32 i = 0; i < PS_COUNT(elem_rows); i++)
		if (elem_rows[i].op == op)
			return &elem_rows[i];
	return NULL;
}

static bool by_element(Ird *d, IrRef inst, u32 op)
{
	const ElemRow *row = elem_row(op);
	if (!row)
		return false;
	IrType r = ir_inst(d->m, inst)->type;
	Leaves l = ird_leaves(d, r);
	u32    args = PS_MIN(ir_call(d->m, inst)->n_args, 3u);
	for (u32 i = 0; i < l.n; i++) {
		u32 bits = l.p[i].bits, x = row->x, wide = bits > 32;
		i32 in[3] = {NO_REG, NO_REG, NO_REG}, dst = ird_out(d, inst, i);
		for (u32 k = 0; k < args; k++) {
			if (ir_type_kind(d->m, arg_type(d, inst, k)) == IRT_METADATA) /* of a constrained operation */
				break;
			Leaves al = ird_leaves(d, arg_type(d, inst, k));
			if (al.n != l.n) /* i1: is zero poison, is the minimum poison */
				continue;
			if (bits > 64 && al.p[i].bits != bits) /* of one element: the flags have its number */
				continue;
			in[k] = ird_in(d, arg(d, inst, k), i);
			if (row->how == SIGNED_INTEGER && al.p[i].bits == bits && bits <= 64)
				in[k] = widened(d, in[k], bits);
		}
		if (bits > 64) {
			emit_big(&d->e, (BigForm){BIG_EVAL, bits, bits, dag_op_info[op].eval, false}, dst, in);
			continue;
		}
		if (row->how == FLOATING) {
			SemFmt     f = ird_fmt(d, ir_scalar_type(d->m, r));
			SimtKernel k = f == SEM_F32 && row->x == 0 ? (row->k32 == K_ffma    ? K_ffma32
			                                              : row->k32 == K_fsqrt ? K_fsqrt32
			                                                                    : row->k32)
			                                           : row->k32;
			lanes(d, wide ? row->k64 : k, dst, in[0], in[1], in[2], kx_float(f, x));
			continue;
		}
		/* counts of 64-bit values are 32 bits wide in the kernels */
		bool counts = row->k64 == K_popc64 || row->k64 == K_clz64 || row->k64 == K_ctz64;
		i32  out = counts && wide ? temp(d, 32) : dst;
		lanes(d, wide ? row->k64 : row->k32, out, in[0], row->how == BOTH_X_BITS && counts ? NO_REG : in[1], in[2], bits);
		if (counts && wide)
			lanes(d, K_zext64, dst, out, NO_REG, NO_REG, 32);
		else if (row->how == SIGNED_INTEGER && bits < 32)
			lanes(d, K_trunc32, dst, dst, NO_REG, NO_REG, bits);
		else if (row->how == SIGNED_INTEGER && bits > 32 && bits < 64)
			lanes(d, K_trunc64, dst, dst, NO_REG, NO_REG, bits);
	}
	return true;
}

/* f32 functions that PTX approximates. */
static bool approximate(Ird *d, IrRef inst, u32 op)
{
	SimtKernel k = op == DAG_FSIN    ? K_sin_approx
	               : op == DAG_FCOS  ? K_cos_approx
	               : op == DAG_FEXP2 ? K_ex2_approx
	                                 : K_lg2_approx;
	Leaves     l = ird_leaves(d, ir_inst(d->m, inst)->type);
	IrType     t = ir_scalar_type(d->m, ir_inst(d->m, inst)->type);
	if (ir_type_kind(d->m, t) == IRT_DOUBLE)
		return false;
	SemFmt f = ird_fmt(d, t);
	for (u32 i = 0; i < l.n; i++) {
		i32 a = ird_in(d, arg(d, inst, 0), i), dst = ird_out(d, inst, i), wide = temp(d, 32);
		lanes(d, K_cvt, wide, a, NO_REG, NO_REG, kx_cvt(SEM_F32, f, 0));
		lanes(d, k, wide, wide, NO_REG, NO_REG, 0);
		lanes(d, K_cvt, dst, wide, NO_REG, NO_REG, kx_cvt(f, SEM_F32, 0));
	}
	return true;
}

static bool overflow(Ird *d, IrRef inst, u32 what)
{
	static const struct {
		u16        what;
		u8         op;
		bool       is_signed;
		SimtKernel k;
	} rows[] = {
		{DAG_SADDO, IR_ADD, true, K_add_ovf}, {DAG_UADDO, IR_ADD, false, K_add_ovf},
		{DAG_SSUBO, IR_SUB, true, K_sub_ovf}, {DAG_USUBO, IR_SUB, false, K_sub_ovf},
		{DAG_SMULO, IR_MUL, true, K_mul_ovf}, {DAG_UMULO, IR_MUL, false, K_mul_ovf},
	};
	u32 n = ird_leaves(d, arg_type(d, inst, 0)).n, bits = ird_leaves(d, arg_type(d, inst, 0)).p[0].bits, r = 0;
	while (rows[r].what != what)
		r++;
	for (u32 i = 0; i < n; i++) {
		i32 a = ird_in(d, arg(d, inst, 0), i), b = ird_in(d, arg(d, inst, 1), i), wa, wb;
		if (bits > 64) {
			emit_big(&d->e, (BigForm){BIG_OVERFLOW, bits, 1, ir_op_info[rows[r].op].eval, rows[r].is_signed},
			         ird_out(d, inst, n + i), (i32[]){a, b});
			ird_int_binary(d, rows[r].op, bits, ird_out(d, inst, i), a, b);
			continue;
		}
		wa = temp(d, 64), wb = temp(d, 64);
		emit_extend(&d->e, wa, 64, a, bits, false);
		emit_extend(&d->e, wb, 64, b, bits, false);
		lanes(d, rows[r].k, ird_out(d, inst, n + i), wa, wb, NO_REG, bits | (rows[r].is_signed ? 256u : 0));
		ird_int_binary(d, rows[r].op, bits, ird_out(d, inst, i), a, b);
	}
	return true;
}

/* llvm.vector.reduce.*: in order, as fadd demands. Least and greatest are operations on elements, too. */
static bool reduction(Ird *d, IrRef inst, u32 what)
{
	static const struct {
		u16  what; /* DagOp */
		u8   op;   /* IrOp */
		bool fp;
	} rows[] = {
		{DAG_ADD, IR_ADD, false}, {DAG_MUL, IR_MUL, false},  {DAG_AND, IR_AND, false},  {DAG_OR, IR_OR, false},
		{DAG_XOR, IR_XOR, false}, {DAG_FADD, IR_FADD, true}, {DAG_FMUL, IR_FMUL, true},
	};
	const ElemRow *row = elem_row(what);
	u32            k = 0;
	while (k < PS_COUNT(rows) && rows[k].what != what)
		k++;
	bool plain = k < PS_COUNT(rows);
	u32  n = ir_call(d->m, inst)->n_args, v = n - 1, bits;
	if (!plain && !row)
		return false;
	IrType t = ir_scalar_type(d->m, arg_type(d, inst, v));
	Leaves l = ird_leaves(d, arg_type(d, inst, v));
	bool   fp = ir_type_is_fp(d->m, t), is_signed = !plain && row->how == SIGNED_INTEGER;
	bits = l.p[0].bits;
	if (fp != (plain ? rows[k].fp : row->how == FLOATING)) /* LLVM lets `or` of floats through: nobody knows what it is */
		return false;
	i32 sum = temp(d, bits);
	emit_move(&d->e, bits, sum, n == 2 ? ird_in(d, arg(d, inst, 0), 0) : ird_in(d, arg(d, inst, v), 0));
	for (u32 i = n == 2 ? 0 : 1; i < l.n; i++) {
		i32 e = ird_in(d, arg(d, inst, v), i);
		if (plain && fp)
			ird_float_binary(d, rows[k].op, t, sum, sum, e);
		else if (plain)
			ird_int_binary(d, rows[k].op, bits, sum, sum, e);
		else if (bits > 64)
			emit_big(&d->e, (BigForm){BIG_EVAL, bits, bits, dag_op_info[what].eval, false}, sum,
			         (i32[]){sum, e, NO_REG});
		else
			lanes(d, bits > 32 ? row->k64 : row->k32, sum, is_signed ? widened(d, sum, bits) : sum,
			      is_signed ? widened(d, e, bits) : e, NO_REG, fp ? kx_float(ird_fmt(d, t), row->x) : 0);
	}
	emit_extend(&d->e, ird_out(d, inst, 0), bits, sum, bits, false);
	if (bits < 32)
		lanes(d, K_trunc32, ird_out(d, inst, 0), ird_out(d, inst, 0), NO_REG, NO_REG, bits);
	return true;
}

/* ---- memory and the rest */

static bool first_argument(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	Leaves l = ird_leaves(d, ir_inst(d->m, inst)->type);
	for (u32 i = 0; i < l.n; i++)
		emit_move(&d->e, l.p[i].bits, ird_out(d, inst, i), ird_in(d, arg(d, inst, 0), i));
	return true;
}

static u32 pointer_space(Ird *d, IrRef ptr) { return ird_space(d, ir_type(d->m, ir_type_of(d->m, ptr))->bits); }

static bool copy_or_fill(Ird *d, IrRef inst, u32 fill)
{
	IrRef to = arg(d, inst, 0), from = arg(d, inst, 1), size = arg(d, inst, 2);
	i32   a = ird_pointer64(d, to), b = fill ? ird_in(d, from, 0) : ird_pointer64(d, from), n = temp(d, 64);
	emit_extend(&d->e, n, 64, ird_in(d, size, 0), (u32)ir_size_bits(d->m, ir_type_of(d->m, size)), false);
	SimtInsn *in = emit_insn(&d->e, fill ? S_FILL : S_COPY);
	in->a = a, in->b = b, in->c = n;
	in->x = pointer_space(d, to) | (fill ? 0 : pointer_space(d, from) << 4);
	return true;
}

static bool cached_load(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	IrType t = ir_inst(d->m, inst)->type;
	Leaves l = ird_leaves(d, t);
	u64    align = 0;
	i32   *rows = arena_array(d->a, i32, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		rows[i] = ird_out(d, inst, i);
	ird_scalar(d, arg(d, inst, 1), &align);
	ird_load(d, t, rows,
	         &(IrdPlace){ird_pointer64(d, arg(d, inst, 0)), 64, pointer_space(d, arg(d, inst, 0)), 0, (u32)align, 0});
	return true;
}

/* A pointer and one value, or two: what is expected, and what takes its place. */
static bool atomic(Ird *d, IrRef inst, u32 what)
{
	static const struct {
		u16 what;
		u8  op, fop;
	} rows[] = {
		{IRRMW_ADD, ATOM_ADD, ATOM_FADD},  {IRRMW_FADD, ATOM_ADD, ATOM_FADD},     {IRRMW_AND, ATOM_AND, ATOM_AND},
		{IRRMW_OR, ATOM_OR, ATOM_OR},      {IRRMW_XOR, ATOM_XOR, ATOM_XOR},       {IRRMW_MAX, ATOM_MAX, ATOM_FMAX},
		{IRRMW_MIN, ATOM_MIN, ATOM_FMIN},  {IRRMW_XCHG, ATOM_EXCH, ATOM_EXCH},    {IRRMW_UINC_WRAP, ATOM_INC, ATOM_INC},
		{IRRMW_COUNT, ATOM_CAS, ATOM_CAS}, {IRRMW_UDEC_WRAP, ATOM_DEC, ATOM_DEC},
	};
	u32 r = 0;
	while (rows[r].what != what)
		r++;
	IrType    t = ir_inst(d->m, inst)->type;
	u32       bits = ird_leaves(d, t).p[0].bits;
	bool      fp = ir_type_is_fp(d->m, t);
	i32       a = ird_pointer64(d, arg(d, inst, 0)), b = ird_in(d, arg(d, inst, 1), 0), dst = ird_out(d, inst, 0);
	i32       c = rows[r].op == ATOM_CAS ? ird_in(d, arg(d, inst, 2), 0) : NO_REG;
	SimtInsn *in = emit_insn(&d->e, S_ATOM);
	in->mem = (SimtMem){
		.space = (u8)pointer_space(d, arg(d, inst, 0)), .bytes = (u8)(bits / 8), .align_log2 = (u8)u64_log2(bits / 8)};
	in->d = dst, in->a = a, in->b = b, in->c = c, in->rows = (u8)rows_of(bits);
	in->x = order_of(ORDER_STRONG, SCOPE_DEVICE) | (fp ? rows[r].fop : rows[r].op) |
	        (u32)(fp ? ird_fmt(d, t) : 0) << ATOM_FMT_SHIFT;
	return true;
}

/* LRINT, LROUND, FP_TO_SINT_SAT, FP_TO_UINT_SAT */
static bool round_to_int(Ird *d, IrRef inst, u32 op)
{
	bool   sat = op == DAG_FP_TO_SINT_SAT || op == DAG_FP_TO_UINT_SAT, away = op == DAG_LROUND;
	IrType t = ir_scalar_type(d->m, arg_type(d, inst, 0));
	SemFmt f = ird_fmt(d, t);
	Leaves l = ird_leaves(d, ir_inst(d->m, inst)->type);
	for (u32 i = 0; i < l.n; i++) {
		u32 bits = l.p[i].bits, x = kx_int(bits, op != DAG_FP_TO_UINT_SAT, f, sat ? SEM_RZ : away ? SEM_RNA : SEM_RN);
		i32 a = ird_in(d, arg(d, inst, 0), i), dst = ird_out(d, inst, i);
		if (bits > 64 && !sat)
			return false;
		if (bits > 64) {
			emit_big(&d->e, (BigForm){BIG_OF_FLOAT, sem_fwidth(f), bits, f, op == DAG_FP_TO_SINT_SAT}, dst, &a);
			continue;
		}
		lanes(d,
		      f == SEM_F64 ? (bits > 32 ? K_f64_2i_64 : K_f64_2i)
		      : bits > 32  ? K_f2i_64
		                   : K_f2i,
		      dst, a, NO_REG, NO_REG, x);
		if (sat) { /* llvm: NaN is 0 */
			i32 p = temp(d, 1), zero = emit_const(d->p, bits, 0);
			lanes(d, f == SEM_F64 ? K_fcmp64 : K_fcmp, p, a, a, NO_REG, kx_fcmp(f, SEM_NUM, 0));
			lanes(d, bits > 32 ? K_sel64 : K_sel32, dst, dst, zero, p, 0);
		}
	}
	return true;
}

static bool fpclass(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	IrType t = ir_scalar_type(d->m, arg_type(d, inst, 0));
	Leaves l = ird_leaves(d, arg_type(d, inst, 0));
	u64    tests = 0;
	ird_scalar(d, arg(d, inst, 1), &tests);
	for (u32 i = 0; i < l.n; i++) {
		i32 wide = temp(d, 64);
		emit_extend(&d->e, wide, 64, ird_in(d, arg(d, inst, 0), i), l.p[i].bits, false);
		lanes(d, K_fclass, ird_out(d, inst, i), wide, NO_REG, NO_REG, (u32)ird_fmt(d, t) << 16 | (u32)tests);
	}
	return true;
}

static bool fmuladd(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	return by_element(d, inst, DAG_FMA);
}

static bool trap(Ird *d, IrRef inst, u32 what)
{
	(void)inst, (void)what;
	emit_insn(&d->e, S_TRAP)->x = FAULT_TRAP;
	return true;
}

static bool stacksave(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	i32       dst = ird_out(d, inst, 0);
	SimtInsn *in = emit_insn(&d->e, S_STACKSAVE);
	in->d = dst, in->rows = 2;
	return true;
}

static bool stackrestore(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	i32 a = ird_in(d, arg(d, inst, 0), 0);
	emit_insn(&d->e, S_STACKRESTORE)->a = a;
	return true;
}

static bool ptrmask(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	lanes(d, K_and64, ird_out(d, inst, 0), ird_in(d, arg(d, inst, 0), 0), ird_in(d, arg(d, inst, 1), 0), NO_REG, 0);
	return true;
}

static bool constant(Ird *d, IrRef inst, u64 value)
{
	u32 bits = ird_leaves(d, ir_inst(d->m, inst)->type).p[0].bits;
	emit_move(&d->e, bits, ird_out(d, inst, 0), emit_const(d->p, bits, value));
	return true;
}

static bool constant_row(Ird *d, IrRef inst, u32 what) { return constant(d, inst, what); }

static bool objectsize(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	u64 min = 0;
	ird_scalar(d, arg(d, inst, 1), &min);
	return constant(d, inst, min ? 0 : ~(u64)0);
}

/* A handle is what the variable holds. */
static bool texsurf_handle(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	IrRef g = arg(d, inst, ir_call(d->m, inst)->n_args - 1);
	i32   dst = ird_out(d, inst, 0);
	ird_load(d, ir_inst(d->m, inst)->type, &dst, &(IrdPlace){ird_pointer64(d, g), 64, SPACE_GENERIC, 0, 8, 0});
	return true;
}

/* Under a constant mask. */
static bool masked_store(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	IrRef         value = arg(d, inst, 0), ptr = arg(d, inst, 1);
	IrType        t = ir_type_of(d->m, value), e = ir_scalar_type(d->m, t);
	u64           bytes = ir_size_bits(d->m, e) / 8;
	const IrAttr *align = ir_call_param_attr(d->m, inst, 1, IRA_ALIGN);
	u32           n = (u32)ir_type_count(d->m, t), as = ir_type(d->m, ir_type_of(d->m, ptr))->bits;
	if (!bytes || ir_size_bits(d->m, e) % 8 || ird_leaves(d, t).n != n)
		return false;
	for (u32 i = 0; i < n; i++)
		if (ir_mask_element(d->m, arg(d, inst, 2), i) < 0)
			return false;
	for (u32 i = 0; i < n; i++) {
		i32      row = ird_in(d, value, i);
		u64      at = i * bytes, whole = align ? align->a : 1;
		IrdPlace p = {ird_in(d, ptr, 0),
		              ir_ptr_bits(d->m, as),
		              ird_space(d, as),
		              at,
		              (u32)((at | whole) & (0 - (at | whole))),
		              0};
		if (ir_mask_element(d->m, arg(d, inst, 2), i))
			ird_store(d, e, &row, &p);
	}
	return true;
}

static bool half_of_double(Ird *d, IrRef inst, u32 high)
{
	lanes(d, high ? K_hi64_32 : K_trunc64_32, ird_out(d, inst, 0), ird_in(d, arg(d, inst, 0), 0), NO_REG, NO_REG, 32);
	return true;
}

static bool double_of_halves(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	lanes(d, K_pack64, ird_out(d, inst, 0), ird_in(d, arg(d, inst, 0), 0), ird_in(d, arg(d, inst, 1), 0), NO_REG, 0);
	return true;
}

/* Beyond these bounds an exponent makes 0 or infinity of every number. */
enum { EXPONENT_BOUND = 1 << 16 };

static i32 bounded_exponent(Ird *d, i32 e, u32 bits)
{
	e = widened(d, e, bits);
	if (bits <= 32)
		return e;
	i32 t = temp(d, 64);
	lanes(d, K_smin64, t, e, emit_const(d->p, 64, EXPONENT_BOUND), NO_REG, 0);
	lanes(d, K_smax64, t, t, emit_const(d->p, 64, (u64) - (i64)EXPONENT_BOUND), NO_REG, 0);
	i32 low = temp(d, 32);
	lanes(d, K_trunc64_32, low, t, NO_REG, NO_REG, 32);
	return low;
}

static bool ldexp_of(Ird *d, IrRef inst)
{
	SemFmt f = ird_fmt(d, ir_scalar_type(d->m, ir_inst(d->m, inst)->type));
	Leaves l = ird_leaves(d, ir_inst(d->m, inst)->type), exponent = ird_leaves(d, arg_type(d, inst, 1));
	if (exponent.n != l.n || (l.n && exponent.p[0].bits > 64))
		return false;
	for (u32 i = 0; i < l.n; i++)
		lanes(d, f == SEM_F64 ? K_fldexp_64 : K_fldexp, ird_out(d, inst, i), ird_in(d, arg(d, inst, 0), i),
		      bounded_exponent(d, ird_in(d, arg(d, inst, 1), i), exponent.p[i].bits), NO_REG, kx_float(f, 0));
	return true;
}

/* A row that selection makes one node of. */
static bool node(Ird *d, IrRef inst, u32 op)
{
	switch (op) {
	case DAG_LRINT:
	case DAG_LROUND: return round_to_int(d, inst, op);
	case DAG_FSIN:
	case DAG_FCOS:
	case DAG_FEXP2:
	case DAG_FLOG2: return approximate(d, inst, op);
	case DAG_FLDEXP: return ldexp_of(d, inst);
	default: return by_element(d, inst, op);
	}
}

static bool nothing(Ird *d, IrRef inst, u32 what)
{
	(void)d, (void)inst, (void)what;
	return true;
}

/* What a row's function means here; none: not executed. */
typedef bool Eval(Ird *d, IrRef inst, u32 what);

static Eval *const evals[FUNC_COUNT] = {
	[FUNC_atomic] = atomic,
	[FUNC_cached_load] = cached_load,
	[FUNC_cluster_address] = cluster_address,
	[FUNC_copy_elements] = copy_or_fill,
	[FUNC_copy_or_fill] = copy_or_fill,
	[FUNC_double_of_halves] = double_of_halves,
	[FUNC_image] = image,
	[FUNC_masked_store] = masked_store,
	[FUNC_matrix] = ird_matrix,
	[FUNC_first_argument] = first_argument,
	[FUNC_fmuladd] = fmuladd,
	[FUNC_fpclass] = fpclass,
	[FUNC_funnel_clamped] = funnel_clamped,
	[FUNC_half_of_double] = half_of_double,
	[FUNC_lifetime] = nothing,
	[FUNC_objectsize] = objectsize,
	[FUNC_overflow] = overflow,
	[FUNC_ptrmask] = ptrmask,
	[FUNC_reduce] = reduction,
	[FUNC_register] = special_register,
	[FUNC_stackrestore] = stackrestore,
	[FUNC_stacksave] = stacksave,
	[FUNC_texsurf_handle] = texsurf_handle,
	[FUNC_to_int_sat] = round_to_int,
	[FUNC_trap] = trap,
	[FUNC_constant] = constant_row,
};

bool ird_intrinsic(Ird *d, IrRef inst)
{
	switch (ir_call_family(d->m, inst)) {
	case IRFAM_VA_START:
	case IRFAM_VA_COPY:
	case IRFAM_VA_END: return ird_va_intrinsic(d, inst);
	default: break;
	}
	DagIntrinsicRow row = dag_intrinsic_at(ir_call_intrinsic(d->m, inst));
	switch ((DagRowKind)row.kind) {
	case DAG_ROW_NONE: return false;
	case DAG_ROW_NODE: return node(d, inst, row.op);
	case DAG_ROW_INSN: return one_instruction(d, inst, row.text);
	case DAG_ROW_FORM: return form(d, inst);
	case DAG_ROW_LIBM: return row.op != DAG_DELETED && node(d, inst, row.op);
	case DAG_ROW_CODE: return evals[row.function] && evals[row.function](d, inst, row.op);
	case DAG_ROW_NOTHING: return true;
	}
	return false;
}
