/* builtin.c: the functions of CUDA's device library that the emulator executes without a body, by name. */
#include "simt/builtin.h"

#include "sem/math.h"

static const char *const math_names[SEM_MATH_COUNT] = {
#define MATH1(id) #id,
#define MATH2(id) #id,
#include "sem/math.def"
};
static const u8 math_args[SEM_MATH_COUNT] = {
#define MATH1(id) 1,
#define MATH2(id) 2,
#include "sem/math.def"
};

/* Functions that are one instruction: name, result and arguments, instruction. */
static const struct {
	const char *name, *types, *text;
} rows[] = {
	{"abs", "ii", "abs.s32"},
	{"llabs", "ll", "abs.s64"},
	{"fabsf", "ff", "abs.f32"},
	{"fabs", "dd", "abs.f64"},
	{"min", "iii", "min.s32"},
	{"max", "iii", "max.s32"},
	{"umin", "iii", "min.u32"},
	{"umax", "iii", "max.u32"},
	{"llmin", "lll", "min.s64"},
	{"llmax", "lll", "max.s64"},
	{"ullmin", "lll", "min.u64"},
	{"ullmax", "lll", "max.u64"},
	{"fminf", "fff", "min.f32"},
	{"fmaxf", "fff", "max.f32"},
	{"fmin", "ddd", "min.f64"},
	{"fmax", "ddd", "max.f64"},
	{"mulhi", "iii", "mul.hi.s32"},
	{"umulhi", "iii", "mul.hi.u32"},
	{"mul64hi", "lll", "mul.hi.s64"},
	{"umul64hi", "lll", "mul.hi.u64"},
	{"mul24", "iii", "mul24.lo.s32"},
	{"umul24", "iii", "mul24.lo.u32"},
	{"sad", "iiii", "sad.s32"},
	{"usad", "iiii", "sad.u32"},
	{"popc", "ii", "popc.b32"},
	{"popcll", "il", "popc.b64"},
	{"clz", "ii", "clz.b32"},
	{"clzll", "il", "clz.b64"},
	{"brev", "ii", "brev.b32"},
	{"brevll", "ll", "brev.b64"},
	{"byte_perm", "iiii", "prmt.b32"},
	{"copysignf", "fff", "copysign.f32"},
	{"copysign", "ddd", "copysign.f64"},
	{"fmaf", "ffff", "fma.rn.f32"},
	{"fma", "dddd", "fma.rn.f64"},
	{"saturatef", "ff", "cvt.sat.f32.f32"},
	{"fmaf_rn", "ffff", "fma.rn.f32"},
	{"fmaf_rz", "ffff", "fma.rz.f32"},
	{"fmaf_rd", "ffff", "fma.rm.f32"},
	{"fmaf_ru", "ffff", "fma.rp.f32"},
	{"fma_rn", "dddd", "fma.rn.f64"},
	{"fma_rz", "dddd", "fma.rz.f64"},
	{"fma_rd", "dddd", "fma.rm.f64"},
	{"fma_ru", "dddd", "fma.rp.f64"},
	{"fadd_rn", "fff", "add.rn.f32"},
	{"fadd_rz", "fff", "add.rz.f32"},
	{"fadd_rd", "fff", "add.rm.f32"},
	{"fadd_ru", "fff", "add.rp.f32"},
	{"fsub_rn", "fff", "sub.rn.f32"},
	{"fsub_rz", "fff", "sub.rz.f32"},
	{"fmul_rn", "fff", "mul.rn.f32"},
	{"fmul_rz", "fff", "mul.rz.f32"},
	{"fmul_rd", "fff", "mul.rm.f32"},
	{"fmul_ru", "fff", "mul.rp.f32"},
	{"dadd_rn", "ddd", "add.rn.f64"},
	{"dadd_rz", "ddd", "add.rz.f64"},
	{"dadd_rd", "ddd", "add.rm.f64"},
	{"dadd_ru", "ddd", "add.rp.f64"},
	{"dmul_rn", "ddd", "mul.rn.f64"},
	{"dmul_rz", "ddd", "mul.rz.f64"},
	{"dmul_rd", "ddd", "mul.rm.f64"},
	{"dmul_ru", "ddd", "mul.rp.f64"},
	{"fdiv_rn", "fff", "div.rn.f32"},
	{"fdiv_rz", "fff", "div.rz.f32"},
	{"fdiv_rd", "fff", "div.rm.f32"},
	{"fdiv_ru", "fff", "div.rp.f32"},
	{"ddiv_rn", "ddd", "div.rn.f64"},
	{"ddiv_rz", "ddd", "div.rz.f64"},
	{"frcp_rn", "ff", "rcp.rn.f32"},
	{"frcp_rz", "ff", "rcp.rz.f32"},
	{"drcp_rn", "dd", "rcp.rn.f64"},
	{"fsqrt_rn", "ff", "sqrt.rn.f32"},
	{"fsqrt_rz", "ff", "sqrt.rz.f32"},
	{"dsqrt_rn", "dd", "sqrt.rn.f64"},
	{"frsqrt_rn", "ff", "rsqrt.approx.f32"},
	{"sqrtf", "ff", "sqrt.rn.f32"},
	{"floorf", "ff", "cvt.rmi.f32.f32"},
	{"floor", "dd", "cvt.rmi.f64.f64"},
	{"ceilf", "ff", "cvt.rpi.f32.f32"},
	{"ceil", "dd", "cvt.rpi.f64.f64"},
	{"truncf", "ff", "cvt.rzi.f32.f32"},
	{"trunc", "dd", "cvt.rzi.f64.f64"},
	{"rintf", "ff", "cvt.rni.f32.f32"},
	{"rint", "dd", "cvt.rni.f64.f64"},
	{"nearbyintf", "ff", "cvt.rni.f32.f32"},
	{"nearbyint", "dd", "cvt.rni.f64.f64"},
	{"float2int_rn", "if", "cvt.rni.s32.f32"},
	{"float2int_rz", "if", "cvt.rzi.s32.f32"},
	{"float2int_rd", "if", "cvt.rmi.s32.f32"},
	{"float2int_ru", "if", "cvt.rpi.s32.f32"},
	{"float2uint_rz", "if", "cvt.rzi.u32.f32"},
	{"float2uint_rn", "if", "cvt.rni.u32.f32"},
	{"double2int_rn", "id", "cvt.rni.s32.f64"},
	{"double2int_rz", "id", "cvt.rzi.s32.f64"},
	{"double2ll_rz", "ld", "cvt.rzi.s64.f64"},
	{"float2ll_rz", "lf", "cvt.rzi.s64.f32"},
	{"int2float_rn", "fi", "cvt.rn.f32.s32"},
	{"int2float_rz", "fi", "cvt.rz.f32.s32"},
	{"uint2float_rn", "fi", "cvt.rn.f32.u32"},
	{"int2double_rn", "di", "cvt.rn.f64.s32"},
	{"uint2double_rn", "di", "cvt.rn.f64.u32"},
	{"ll2double_rn", "dl", "cvt.rn.f64.s64"},
	{"ull2double_rn", "dl", "cvt.rn.f64.u64"},
	{"ll2float_rn", "fl", "cvt.rn.f32.s64"},
	{"double2float_rn", "fd", "cvt.rn.f32.f64"},
	{"double2float_rz", "fd", "cvt.rz.f32.f64"},
	{"float_as_int", "if", "mov.b32"},
	{"int_as_float", "fi", "mov.b32"},
	{"float_as_uint", "if", "mov.b32"},
	{"uint_as_float", "fi", "mov.b32"},
	{"double_as_longlong", "ld", "mov.b64"},
	{"longlong_as_double", "dl", "mov.b64"},
	{"fast_sinf", "ff", "sin.approx.f32"},
	{"fast_cosf", "ff", "cos.approx.f32"},
	{"fast_log2f", "ff", "lg2.approx.f32"},
	{"fast_exp2f", "ff", "ex2.approx.f32"},
	{"fast_fdividef", "fff", "div.approx.f32"},
};

/* malloc and free, also as C++ names them: new, new[], delete, delete[]. */
static const struct {
	const char *name;
	SimtOp      op;
} heap_names[] = {
	{"malloc", S_MALLOC}, {"_Znwm", S_MALLOC}, {"_Znam", S_MALLOC}, {"free", S_FREE},
	{"_ZdlPv", S_FREE},   {"_ZdlPvm", S_FREE}, {"_ZdaPv", S_FREE},  {"_ZdaPvm", S_FREE},
};

static bool find_math(Str n, Builtin *out)
{
	if (str_starts(n, "fast_"))
		n = (Str){n.p + 5, n.n - 5};
	for (u32 i = 0; i < SEM_MATH_COUNT; i++) {
		u32  len = (u32)strlen(math_names[i]);
		bool single = n.n == len + 1 && n.p[len] == 'f';
		if (!str_starts(n, math_names[i]) || (n.n != len && !single))
			continue;
		char t = single ? 'f' : 'd';
		*out = (Builtin){.math = i, .op = S_NOP, .result = t, .arg = {t, math_args[i] == 2 ? t : 0}};
		return true;
	}
	return false;
}

bool simt_builtin_find(Str name, Builtin *out)
{
	if (str_is(name, "cudaGraphSetConditional")) { /* a handle is the address of the condition's value */
		*out = (Builtin){.text = "st.global.b32", .op = S_NOP, .arg = {'l', 'i'}};
		return true;
	}
	for (u32 i = 0; i < PS_COUNT(heap_names); i++) {
		if (!str_is(name, heap_names[i].name))
			continue;
		bool gives = heap_names[i].op == S_MALLOC;
		*out = (Builtin){.op = heap_names[i].op, .result = gives ? 'l' : 0, .arg = {'l'}};
		return true;
	}
	if (!str_starts(name, "__nv_"))
		return false;
	Str n = {name.p + 5, name.n - 5};
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		if (!str_is(n, rows[i].name))
			continue;
		*out = (Builtin){.text = rows[i].text, .op = S_NOP, .result = rows[i].types[0]};
		for (u32 k = 0; rows[i].types[k + 1]; k++)
			out->arg[k] = rows[i].types[k + 1];
		return true;
	}
	return find_math(n, out);
}

void simt_builtin_emit(Session *s, SimtEmit *e, const Builtin *b, const i32 *arg, i32 result)
{
	OpArg args[5];
	u32   n = 1;
	if (b->op != S_NOP) {
		SimtInsn *in = emit_insn(e, b->op);
		in->d = result, in->a = arg[0], in->rows = 2;
		return;
	}
	if (!b->text) {
		emit_lanes(e, b->result == 'd' ? K_math64 : K_math32, result, arg[0], b->arg[1] ? arg[1] : arg[0], NO_REG,
		           b->math);
		return;
	}
	args[0] = op_reg(result, simt_builtin_bits(b->result));
	for (; n <= 4 && b->arg[n - 1]; n++)
		args[n] = op_reg(arg[n - 1], simt_builtin_bits(b->arg[n - 1]));
	if (!b->result) { /* a store: address, offset, value */
		args[0] = args[1];
		args[1] = op_imm(0);
	}
	IsaParseError error;
	OpCx          c = {.e = e,
	                   .d = isa_desc(s, isa_intern_mnemonic(s, str_of(b->text), &error)),
	                   .arg = args,
	                   .n = n,
	                   .is_kernel = true};
	simt_op(&c);
}
