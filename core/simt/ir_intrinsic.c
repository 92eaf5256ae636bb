/* ir_intrinsic.c: llvm.* and llvm.nvvm.*, by the table that selection uses too (dag/intrinsic_lower.def):
 * what is one instruction there is that instruction here. */
#include "dag/lower_named.h"
#include "simt/ir_decode.h"

#include "simt/simt.h"

static i32    temp(Ird *d, u32 bits) { return emit_reg(&d->e, bits); }
static void   lanes(Ird *d, SimtKernel k, i32 dst, i32 a, i32 b, i32 c, u32 x) { emit_lanes(&d->e, k, dst, a, b, c, x); }
static IrRef  arg(Ird *d, IrRef inst, u32 i) { return ir_call_arg(d->m, inst, i); }
static IrType arg_type(Ird *d, IrRef inst, u32 i) { return ir_type_of(d->m, arg(d, inst, i)); }

/* A name, or its beginning before a mangled type. */
static bool is_name(Str name, const char *row)
{
	return str_starts(name, row) && (name.n == strlen(row) || name.p[strlen(row)] == '.');
}

/* ---- one instruction each */

enum { MAX_ARGS = 24 };

/* The argument as one operand: vectors of halves are packed. */
static OpArg operand(Ird *d, IrRef v)
{
	Leaves l = ird_leaves(d, ir_type_of(d->m, v));
	u64    k;
	if (l.n == 1) {
		if (l.p[0].bits <= 64 && ir_is_const(d->m, v) && ird_scalar(d, v, &k))
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

static bool one_instruction(Ird *d, IrRef inst, const char *text)
{
	Str    t = str_of(text), mnemonic = t;
	OpArg  args[MAX_ARGS];
	u32    n = 0;
	Leaves r = ird_leaves(d, ir_inst(d->m, inst)->type);
	bool   packed = r.n > 1 && ir_type_is_vector(d->m, ir_inst(d->m, inst)->type);
	Leaf   whole = {.bits = 0};
	for (u32 i = 0; i < t.n; i++)
		if (t.p[i] == ' ') {
			mnemonic.n = i;
			break;
		}
	for (u32 i = 0; i < r.n; i++)
		whole.bits += r.p[i].bits;
	if (packed)
		args[n++] = op_reg(temp(d, whole.bits), whole.bits);
	for (u32 i = 0; i < r.n && !packed && n < MAX_ARGS; i++)
		args[n++] = op_reg(ird_out(d, inst, i), r.p[i].bits);
	u32 n_defs = n;
	for (u32 i = mnemonic.n; i < t.n && n + 2 < MAX_ARGS; i++) {
		char c = t.p[i];
		if (c >= 'a' && c <= 'z' && (u32)(c - 'a') < ir_call(d->m, inst)->n_args) {
			args[n++] = operand(d, arg(d, inst, (u32)(c - 'a')));
			if (t.p[i - 1] == '[')
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

static bool special_register(Ird *d, IrRef inst, u32 sreg)
{
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

static bool image(Ird *d, IrRef inst, Str name)
{
	OpArg       args[MAX_ARGS];
	u32         n = 0, at = 0, coords, group, words;
	const char *vec, *geometry;
	Leaves      r = ird_leaves(d, ir_inst(d->m, inst)->type);
	Str         type, mnemonic;
	bool        tex = take(&name, "nvvm.tex"), load = !tex && take(&name, "nvvm.suld"),
	     store = !tex && !load && take(&name, "nvvm.sust");
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
	const char *name;
	SimtKernel  k32, k64;
	u8          what; /* How */
	u32         x;
} ElemRow;

enum How { INTEGER, SIGNED_INTEGER, FLOATING, BOTH_X_BITS };

static const ElemRow elem_rows[] = {
	/* name            32 bits     64 bits         operands      x: mode, or none */
	{"abs", K_abs32, K_abs64, SIGNED_INTEGER, 0},
	{"smax", K_smax32, K_smax64, SIGNED_INTEGER, 0},
	{"smin", K_smin32, K_smin64, SIGNED_INTEGER, 0},
	{"umax", K_umax32, K_umax64, INTEGER, 0},
	{"umin", K_umin32, K_umin64, INTEGER, 0},
	{"ctpop", K_popc, K_popc64, INTEGER, 0},
	{"ctlz", K_clz, K_clz64, BOTH_X_BITS, 0},
	{"cttz", K_ctz, K_ctz64, BOTH_X_BITS, 0},
	{"bitreverse", K_brev, K_brev64, BOTH_X_BITS, 0},
	{"bswap", K_bswap, K_bswap64, BOTH_X_BITS, 0},
	{"fshl", K_fshl, K_fshl64, BOTH_X_BITS, 0},
	{"fshr", K_fshr, K_fshr64, BOTH_X_BITS, 0},
	{"sadd.sat", K_sadd_sat, K_sadd_sat64, BOTH_X_BITS, 0},
	{"uadd.sat", K_uadd_sat, K_uadd_sat64, BOTH_X_BITS, 0},
	{"ssub.sat", K_ssub_sat, K_ssub_sat64, BOTH_X_BITS, 0},
	{"usub.sat", K_usub_sat, K_usub_sat64, BOTH_X_BITS, 0},
	{"sshl.sat", K_sshl_sat, K_sshl_sat64, BOTH_X_BITS, 0},
	{"ushl.sat", K_ushl_sat, K_ushl_sat64, BOTH_X_BITS, 0},
	{"ceil", K_frint, K_frint_64, FLOATING, SEM_RP},
	{"floor", K_frint, K_frint_64, FLOATING, SEM_RM},
	{"trunc", K_frint, K_frint_64, FLOATING, SEM_RZ},
	{"rint", K_frint, K_frint_64, FLOATING, SEM_RN},
	{"nearbyint", K_frint, K_frint_64, FLOATING, SEM_RN},
	{"roundeven", K_frint, K_frint_64, FLOATING, SEM_RN},
	{"round", K_frint, K_frint_64, FLOATING, SEM_RNA},
	{"fabs", K_fabs, K_fabs_64, FLOATING, 0},
	{"sqrt", K_fsqrt, K_fsqrt_64, FLOATING, 0},
	{"canonicalize", K_satnan, K_satnan_64, FLOATING, 0},
	{"copysign", K_fcopysign, K_fcopysign_64, FLOATING, 0},
	{"fma", K_ffma, K_ffma64, FLOATING, 0},
	{"fmuladd", K_ffma, K_ffma64, FLOATING, 0},
	{"minnum", K_fmin, K_fmin_64, FLOATING, 0},
	{"maxnum", K_fmax, K_fmax_64, FLOATING, 0},
	{"minimum", K_fmin, K_fmin_64, FLOATING, SEM_NAN_WINS},
	{"maximum", K_fmax, K_fmax_64, FLOATING, SEM_NAN_WINS},
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

static bool by_element(Ird *d, IrRef inst, const ElemRow *row)
{
	IrType r = ir_inst(d->m, inst)->type;
	Leaves l = ird_leaves(d, r);
	u32    args = PS_MIN(ir_call(d->m, inst)->n_args, 3u);
	for (u32 i = 0; i < l.n; i++) {
		u32 bits = l.p[i].bits, x = row->x, wide = bits > 32;
		i32 in[3] = {NO_REG, NO_REG, NO_REG}, dst = ird_out(d, inst, i);
		if (bits > 64)
			return false;
		for (u32 k = 0; k < args; k++) {
			Leaves al = ird_leaves(d, arg_type(d, inst, k));
			if (al.n != l.n) /* i1: is zero poison, is the minimum poison */
				continue;
			in[k] = ird_in(d, arg(d, inst, k), i);
			if (row->what == SIGNED_INTEGER && al.p[i].bits == bits)
				in[k] = widened(d, in[k], bits);
		}
		if (row->what == FLOATING) {
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
		lanes(d, wide ? row->k64 : row->k32, out, in[0], row->what == BOTH_X_BITS && counts ? NO_REG : in[1], in[2],
		      bits);
		if (counts && wide)
			lanes(d, K_zext64, dst, out, NO_REG, NO_REG, 32);
		else if (row->what == SIGNED_INTEGER && bits < 32)
			lanes(d, K_trunc32, dst, dst, NO_REG, NO_REG, bits);
		else if (row->what == SIGNED_INTEGER && bits > 32 && bits < 64)
			lanes(d, K_trunc64, dst, dst, NO_REG, NO_REG, bits);
	}
	return true;
}

/* f32 functions that PTX approximates. */
static bool approximate(Ird *d, IrRef inst, Str name)
{
	static const struct {
		const char *name;
		SimtKernel  k;
	} rows[] = {
		{"sin", K_sin_approx},
		{"cos", K_cos_approx},
		{"exp2", K_ex2_approx},
		{"log2", K_lg2_approx},
	};
	Leaves l = ird_leaves(d, ir_inst(d->m, inst)->type);
	IrType t = ir_scalar_type(d->m, ir_inst(d->m, inst)->type);
	for (u32 r = 0; r < PS_COUNT(rows); r++) {
		if (!is_name(name, rows[r].name) || ir_type_kind(d->m, t) == IRT_DOUBLE)
			continue;
		SemFmt f = ird_fmt(d, t);
		for (u32 i = 0; i < l.n; i++) {
			i32 a = ird_in(d, arg(d, inst, 0), i), dst = ird_out(d, inst, i), wide = temp(d, 32);
			lanes(d, K_cvt, wide, a, NO_REG, NO_REG, kx_cvt(SEM_F32, f, 0));
			lanes(d, rows[r].k, wide, wide, NO_REG, NO_REG, 0);
			lanes(d, K_cvt, dst, wide, NO_REG, NO_REG, kx_cvt(f, SEM_F32, 0));
		}
		return true;
	}
	return false;
}

static bool overflow(Ird *d, IrRef inst, Str name)
{
	static const struct {
		const char *name;
		u8          op;
		bool        is_signed;
		SimtKernel  k;
	} rows[] = {
		{"sadd.with.overflow", IR_ADD, true, K_add_ovf}, {"uadd.with.overflow", IR_ADD, false, K_add_ovf},
		{"ssub.with.overflow", IR_SUB, true, K_sub_ovf}, {"usub.with.overflow", IR_SUB, false, K_sub_ovf},
		{"smul.with.overflow", IR_MUL, true, K_mul_ovf}, {"umul.with.overflow", IR_MUL, false, K_mul_ovf},
	};
	for (u32 r = 0; r < PS_COUNT(rows); r++) {
		if (!is_name(name, rows[r].name))
			continue;
		u32 n = ird_leaves(d, arg_type(d, inst, 0)).n, bits = ird_leaves(d, arg_type(d, inst, 0)).p[0].bits;
		if (bits > 64)
			return false;
		for (u32 i = 0; i < n; i++) {
			i32 a = ird_in(d, arg(d, inst, 0), i), b = ird_in(d, arg(d, inst, 1), i), wa = temp(d, 64),
			    wb = temp(d, 64);
			emit_extend(&d->e, wa, 64, a, bits, false);
			emit_extend(&d->e, wb, 64, b, bits, false);
			lanes(d, rows[r].k, ird_out(d, inst, n + i), wa, wb, NO_REG, bits | (rows[r].is_signed ? 256u : 0));
			ird_int_binary(d, rows[r].op, bits, ird_out(d, inst, i), a, b);
		}
		return true;
	}
	return false;
}

/* llvm.vector.reduce.*: in order, as fadd demands. */
static bool reduction(Ird *d, IrRef inst, Str name)
{
	static const struct {
		const char *name;
		u8          op;
		SimtKernel  k32, k64;
		bool        is_signed;
	} rows[] = {
		{"add", IR_ADD, 0, 0, false},           {"mul", IR_MUL, 0, 0, false},
		{"and", IR_AND, 0, 0, false},           {"or", IR_OR, 0, 0, false},
		{"xor", IR_XOR, 0, 0, false},           {"fadd", IR_FADD, 0, 0, false},
		{"fmul", IR_FMUL, 0, 0, false},         {"smax", 0, K_smax32, K_smax64, true},
		{"smin", 0, K_smin32, K_smin64, true},  {"umax", 0, K_umax32, K_umax64, false},
		{"umin", 0, K_umin32, K_umin64, false}, {"fmax", 0, K_fmax, K_fmax_64, false},
		{"fmin", 0, K_fmin, K_fmin_64, false},
	};
	if (!str_starts(name, "vector.reduce."))
		return false;
	name = (Str){name.p + 14, name.n - 14};
	for (u32 r = 0; r < PS_COUNT(rows); r++) {
		if (!is_name(name, rows[r].name))
			continue;
		u32    n = ir_call(d->m, inst)->n_args, v = n - 1, bits;
		IrType t = ir_scalar_type(d->m, arg_type(d, inst, v));
		Leaves l = ird_leaves(d, arg_type(d, inst, v));
		bits = l.p[0].bits;
		if (bits > 64 ||
		    ir_type_is_fp(d->m, t) != (name.p[0] == 'f')) /* LLVM lets `or` of floats through: nobody knows what it is */
			return false;
		i32 sum = temp(d, bits);
		emit_move(&d->e, bits, sum, n == 2 ? ird_in(d, arg(d, inst, 0), 0) : ird_in(d, arg(d, inst, v), 0));
		for (u32 i = n == 2 ? 0 : 1; i < l.n; i++) {
			i32 e = ird_in(d, arg(d, inst, v), i);
			if (rows[r].op && ir_type_is_fp(d->m, t))
				ird_float_binary(d, rows[r].op, t, sum, sum, e);
			else if (rows[r].op)
				ird_int_binary(d, rows[r].op, bits, sum, sum, e);
			else if (ir_type_is_fp(d->m, t))
				lanes(d, bits > 32 ? rows[r].k64 : rows[r].k32, sum, sum, e, NO_REG, kx_float(ird_fmt(d, t), 0));
			else
				lanes(d, bits > 32 ? rows[r].k64 : rows[r].k32, sum,
				      rows[r].is_signed ? widened(d, sum, bits) : sum,
				      rows[r].is_signed ? widened(d, e, bits) : e, NO_REG, 0);
		}
		emit_extend(&d->e, ird_out(d, inst, 0), bits, sum, bits, false);
		if (bits < 32)
			lanes(d, K_trunc32, ird_out(d, inst, 0), ird_out(d, inst, 0), NO_REG, NO_REG, bits);
		return true;
	}
	return false;
}

/* ---- memory and the rest */

static void first_argument(Ird *d, IrRef inst)
{
	Leaves l = ird_leaves(d, ir_inst(d->m, inst)->type);
	for (u32 i = 0; i < l.n; i++)
		emit_move(&d->e, l.p[i].bits, ird_out(d, inst, i), ird_in(d, arg(d, inst, 0), i));
}

static u32 pointer_space(Ird *d, IrRef ptr) { return ird_space(d, ir_type(d->m, ir_type_of(d->m, ptr))->bits); }

static void copy_or_fill(Ird *d, IrRef inst, bool fill)
{
	IrRef to = arg(d, inst, 0), from = arg(d, inst, 1), size = arg(d, inst, 2);
	i32   a = ird_pointer64(d, to), b = fill ? ird_in(d, from, 0) : ird_pointer64(d, from), n = temp(d, 64);
	emit_extend(&d->e, n, 64, ird_in(d, size, 0), (u32)ir_size_bits(d->m, ir_type_of(d->m, size)), false);
	SimtInsn *in = emit_insn(&d->e, fill ? S_FILL : S_COPY);
	in->a = a, in->b = b, in->c = n;
	in->x = pointer_space(d, to) | (fill ? 0 : pointer_space(d, from) << 4);
}

static void read_only_load(Ird *d, IrRef inst)
{
	IrType t = ir_inst(d->m, inst)->type;
	Leaves l = ird_leaves(d, t);
	u64    align = 0;
	i32   *rows = arena_array(d->a, i32, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		rows[i] = ird_out(d, inst, i);
	ird_scalar(d, arg(d, inst, 1), &align);
	ird_load(d, t, rows, ird_pointer64(d, arg(d, inst, 0)), 64, pointer_space(d, arg(d, inst, 0)), 0, (u32)align);
}

static void space_cast(Ird *d, IrRef inst)
{
	IrType from = arg_type(d, inst, 0), to = ir_inst(d->m, inst)->type;
	u32    sa = ir_type(d->m, from)->bits, sb = ir_type(d->m, to)->bits;
	u64    window = simt_generic((u8)ird_space(d, sa ? sa : sb), 0);
	i32    wide = temp(d, 64);
	emit_move(&d->e, 64, wide, ird_pointer64(d, arg(d, inst, 0)));
	if (window && sa != sb)
		lanes(d, sa == 0 ? K_sub64 : K_add64, wide, wide, emit_const(d->p, 64, window), NO_REG, 0);
	emit_extend(&d->e, ird_out(d, inst, 0), ir_ptr_bits(d->m, sb), wide, 64, false);
}

/* nvvm.atomic.OP.gen.T.SCOPE… and nvvm.atomic.load.{inc,dec,add}…: pointer, value(s). */
static bool scoped_atomic(Ird *d, IrRef inst, Str name)
{
	static const struct {
		const char *name;
		u8          op, fop;
	} rows[] = {
		{"nvvm.atomic.add", ATOM_ADD, ATOM_FADD},      {"nvvm.atomic.and", ATOM_AND, ATOM_AND},
		{"nvvm.atomic.or", ATOM_OR, ATOM_OR},          {"nvvm.atomic.xor", ATOM_XOR, ATOM_XOR},
		{"nvvm.atomic.max", ATOM_MAX, ATOM_FMAX},      {"nvvm.atomic.min", ATOM_MIN, ATOM_FMIN},
		{"nvvm.atomic.exch", ATOM_EXCH, ATOM_EXCH},    {"nvvm.atomic.inc", ATOM_INC, ATOM_INC},
		{"nvvm.atomic.dec", ATOM_DEC, ATOM_DEC},       {"nvvm.atomic.cas", ATOM_CAS, ATOM_CAS},
		{"nvvm.atomic.load.inc", ATOM_INC, ATOM_INC},  {"nvvm.atomic.load.dec", ATOM_DEC, ATOM_DEC},
		{"nvvm.atomic.load.add", ATOM_ADD, ATOM_FADD},
	};
	for (u32 r = 0; r < PS_COUNT(rows); r++) {
		if (!is_name(name, rows[r].name))
			continue;
		IrType    t = ir_inst(d->m, inst)->type;
		u32       bits = ird_leaves(d, t).p[0].bits;
		bool      fp = ir_type_is_fp(d->m, t);
		i32       a = ird_pointer64(d, arg(d, inst, 0)), b = ird_in(d, arg(d, inst, 1), 0), dst = ird_out(d, inst, 0);
		i32       c = rows[r].op == ATOM_CAS ? ird_in(d, arg(d, inst, 2), 0) : NO_REG;
		SimtInsn *in = emit_insn(&d->e, S_ATOM);
		in->mem = (SimtMem){.space = (u8)pointer_space(d, arg(d, inst, 0)),
		                    .bytes = (u8)(bits / 8),
		                    .align_log2 = (u8)u64_log2(bits / 8)};
		in->d = dst, in->a = a, in->b = b, in->c = c, in->rows = (u8)rows_of(bits);
		in->x = (fp ? rows[r].fop : rows[r].op) | (u32)(fp ? ird_fmt(d, t) : 0) << ATOM_FMT_SHIFT;
		return true;
	}
	return false;
}

static bool barrier_reduce(Ird *d, IrRef inst, Str name)
{
	u32 op = is_name(name, "nvvm.barrier0.popc")  ? BAR_RED_POPC
	         : is_name(name, "nvvm.barrier0.and") ? BAR_RED_AND
	         : is_name(name, "nvvm.barrier0.or")  ? BAR_RED_OR
	                                              : ~0u;
	if (op == ~0u)
		return false;
	i32 zero = emit_const(d->p, 32, 0), p = ird_icmp(d, IRP_I_NE, 32, ird_in(d, arg(d, inst, 0), 0), zero),
	    dst = ird_out(d, inst, 0);
	SimtInsn *in = emit_insn(&d->e, S_BAR);
	in->a = zero, in->c = p, in->d = dst, in->x = op;
	return true;
}

static bool round_to_int(Ird *d, IrRef inst, Str name)
{
	bool sat = is_name(name, "fptosi.sat") || is_name(name, "fptoui.sat");
	bool away = is_name(name, "lround") || is_name(name, "llround"), even = is_name(name, "lrint") || is_name(name, "llrint");
	if (!sat && !away && !even)
		return false;
	IrType t = ir_scalar_type(d->m, arg_type(d, inst, 0));
	SemFmt f = ird_fmt(d, t);
	Leaves l = ird_leaves(d, ir_inst(d->m, inst)->type);
	for (u32 i = 0; i < l.n; i++) {
		u32 bits = l.p[i].bits, x = kx_int(bits, !is_name(name, "fptoui.sat"), f, sat ? SEM_RZ : away ? SEM_RNA : SEM_RN);
		i32 a = ird_in(d, arg(d, inst, 0), i), dst = ird_out(d, inst, i);
		if (bits > 64)
			return false;
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

static bool classify(Ird *d, IrRef inst)
{
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

static bool bits_as(Ird *d, IrRef inst)
{
	i32    in[16], out[16];
	Leaves from = ird_leaves(d, arg_type(d, inst, 0)), to = ird_leaves(d, ir_inst(d->m, inst)->type);
	for (u32 i = 0; i < from.n && i < 16; i++)
		in[i] = ird_in(d, arg(d, inst, 0), i);
	for (u32 i = 0; i < to.n && i < 16; i++)
		out[i] = ird_out(d, inst, i);
	ird_bitcast(d, in, from, out, to);
	return true;
}

static bool rotate(Ird *d, IrRef inst, bool right)
{
	u32 bits = ird_leaves(d, ir_inst(d->m, inst)->type).p[0].bits;
	i32 a = ird_in(d, arg(d, inst, 0), 0), n = ird_in(d, arg(d, inst, 1), 0), wide = n;
	if (bits > 32) {
		wide = temp(d, 64);
		emit_extend(&d->e, wide, 64, n, 32, false);
	}
	lanes(d, bits > 32 ? (right ? K_fshr64 : K_fshl64) : right ? K_fshr : K_fshl, ird_out(d, inst, 0), a, a, wide, bits);
	return true;
}

static bool coded(Ird *d, IrRef inst, Str name, Str code)
{
	if (str_is(code, "nothing"))
		return true;
	if (str_is(code, "first_argument"))
		first_argument(d, inst);
	else if (str_is(code, "memcpy") || str_is(code, "memset"))
		copy_or_fill(d, inst, str_is(code, "memset"));
	else if (str_is(code, "trap") || str_is(code, "debugtrap"))
		emit_insn(&d->e, S_TRAP)->x = FAULT_TRAP;
	else if (str_is(code, "stacksave")) {
		i32       dst = ird_out(d, inst, 0);
		SimtInsn *in = emit_insn(&d->e, S_STACKSAVE);
		in->d = dst, in->rows = 2;
	} else if (str_is(code, "stackrestore")) {
		i32 a = ird_in(d, arg(d, inst, 0), 0);
		emit_insn(&d->e, S_STACKRESTORE)->a = a;
	} else if (str_is(code, "ptrmask"))
		lanes(d, K_and64, ird_out(d, inst, 0), ird_in(d, arg(d, inst, 0), 0), ird_in(d, arg(d, inst, 1), 0), NO_REG, 0);
	else if (str_is(code, "zero"))
		emit_move(&d->e, ird_leaves(d, ir_inst(d->m, inst)->type).p[0].bits, ird_out(d, inst, 0),
		          emit_const(d->p, ird_leaves(d, ir_inst(d->m, inst)->type).p[0].bits, 0));
	else if (str_is(code, "objectsize")) {
		u64 min = 0;
		u32 bits = ird_leaves(d, ir_inst(d->m, inst)->type).p[0].bits;
		ird_scalar(d, arg(d, inst, 1), &min);
		emit_move(&d->e, bits, ird_out(d, inst, 0), emit_const(d->p, bits, min ? 0 : ~(u64)0));
	} else if (str_is(code, "fpclass"))
		return classify(d, inst);
	else if (str_is(code, "cycles"))
		return special_register(d, inst, SREG_clock64);
	else if (str_is(code, "globaltimer"))
		return special_register(d, inst, SREG_globaltimer);
	else if (str_is(code, "ldg") || str_is(code, "ldu"))
		read_only_load(d, inst);
	else if (str_is(code, "space_cast"))
		space_cast(d, inst);
	else if (str_is(code, "scoped_atomic") || str_is(code, "counter_atomic"))
		return scoped_atomic(d, inst, name);
	else if (str_is(code, "bitcast"))
		return bits_as(d, inst);
	else if (str_is(code, "texsurf_handle")) { /* a handle is what the variable holds */
		IrRef g = arg(d, inst, ir_call(d->m, inst)->n_args - 1);
		i32   dst = ird_out(d, inst, 0);
		ird_load(d, ir_inst(d->m, inst)->type, &dst, ird_pointer64(d, g), 64, SPACE_GENERIC, 0, 8);
	} else if (str_is(code, "swap_words")) {
		i32 a = ird_in(d, arg(d, inst, 0), 0);
		lanes(d, K_fshl64, ird_out(d, inst, 0), a, a, emit_const(d->p, 64, 32), 64);
	} else if (str_is(code, "rotate") || str_is(code, "rotate_right"))
		return rotate(d, inst, str_is(code, "rotate_right"));
	else if (str_is(code, "barrier_reduce"))
		return barrier_reduce(d, inst, name);
	else if (str_is(code, "half_of_double"))
		lanes(d, is_name(name, "nvvm.d2i.hi") ? K_hi64_32 : K_trunc64_32, ird_out(d, inst, 0),
		      ird_in(d, arg(d, inst, 0), 0), NO_REG, NO_REG, 32);
	else
		return false;
	return true;
}

bool ird_intrinsic(Ird *d, IrRef inst, Str name)
{
	if (str_starts(name, "va_"))
		return ird_va_intrinsic(d, inst, name);
	if (str_starts(name, "nvvm.read.ptx.sreg."))
		return special_register(d, inst, isa_sreg_find_llvm((Str){name.p + 19, name.n - 19}));
	if (is_name(name, "nvvm.lohi.i2d")) {
		lanes(d, K_pack64, ird_out(d, inst, 0), ird_in(d, arg(d, inst, 0), 0), ird_in(d, arg(d, inst, 1), 0), NO_REG, 0);
		return true;
	}
	if (image(d, inst, name) || (str_starts(name, "nvvm.") && ird_matrix(d, inst, (Str){name.p + 5, name.n - 5})))
		return true;
	for (u32 i = 0; i < PS_COUNT(elem_rows); i++)
		if (is_name(name, elem_rows[i].name))
			return by_element(d, inst, &elem_rows[i]);
	if (overflow(d, inst, name) || reduction(d, inst, name) || round_to_int(d, inst, name) || approximate(d, inst, name))
		return true;
	if (is_name(name, "ldexp")) {
		IrType t = ir_scalar_type(d->m, ir_inst(d->m, inst)->type);
		bool   wide = ird_fmt(d, t) == SEM_F64;
		lanes(d, wide ? K_fldexp_64 : K_fldexp, ird_out(d, inst, 0), ird_in(d, arg(d, inst, 0), 0),
		      ird_in(d, arg(d, inst, 1), 0), NO_REG, kx_float(ird_fmt(d, t), 0));
		return true;
	}
	/* The longest name that fits: nvvm.shfl.sync.idx.i32p before nvvm.shfl.sync.idx. */
	DagIntrinsicText row, insn = {"", NULL, false}, code = {NULL, NULL, false};
	for (u32 i = 0; dag_intrinsic_text(i, &row); i++) {
		if (!is_name(name, row.name))
			continue;
		if (row.is_instruction && (!insn.text || strlen(row.name) > strlen(insn.name)))
			insn = row;
		else if (!row.is_instruction && row.text[0] && !code.name)
			code = row;
	}
	if (insn.text && one_instruction(d, inst, insn.text))
		return true;
	if (code.name)
		return coded(d, inst, name, str_of(code.text));
	return false;
}
