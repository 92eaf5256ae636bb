/* ir_call.c: calls of IR: functions, inline PTX, and what the machine provides. */
#include "simt/ir_decode.h"

#include "simt/builtin.h"
#include "simt/inline_ptx.h"
#include "simt/simt.h"

static i32 temp(Ird *d, u32 bits) { return emit_reg(&d->e, bits); }

/* ---- functions of the program */

/* A byval argument: the callee gets the address of a copy of its own, aligned as the parameter of PTX will be: passes rely on it. */
static i32 byval_copy(Ird *d, IrRef call, u32 i, IrType t)
{
	const IrAttr *given = ir_call_param_attr(d->m, call, i, IRA_ALIGN);
	const IrFunc *f = ir_called(d->m, call);
	u64           size = ir_alloc_size(d->m, t);
	u32           align = PS_MAX(given ? (u32)given->a : 0, ir_abi_align(d->m, t));
	if (f && ir_all_callers_seen(d->m, f))
		align = PS_MAX(align, (u32)IR_PRIVATE_PARAM_ALIGN);
	u32 at = ird_frame_bytes(d, size, align), as = ir_type(d->m, ir_type_of(d->m, ir_call_arg(d->m, call, i)))->bits;
	i32 from = ird_pointer64(d, ir_call_arg(d->m, call, i)), to = temp(d, 64);
	ird_copy_to_frame(d, to, as, at, size, from, as);
	return to;
}

static void push_pair(Ird *d, VecU32 *words, i32 row, u32 bits)
{
	vec_push(d->a, words, (u32)row);
	vec_push(d->a, words, bits);
}

static void call_function(Ird *d, IrRef inst, IrRef callee)
{
	IrModule *m = d->m;
	u32       n = ir_call(m, inst)->n_args;
	VecU32    words = {0};
	Leaves    r = ird_leaves(d, ir_inst(m, inst)->type);
	vec_push(d->a, &words, 0);
	vec_push(d->a, &words, r.n);
	IrType type = ir_call(m, inst)->type;
	bool   variadic = ir_type(m, type)->vararg;
	u32    fixed = variadic ? ir_func_params(m, type) : n;
	for (u32 i = 0; i < fixed; i++) {
		IrRef         v = ir_call_arg(m, inst, i);
		const IrAttr *byval = ir_call_param_attr(m, inst, i, IRA_BYVAL);
		Leaves        l = ird_leaves(d, ir_type_of(m, v));
		if (byval) {
			push_pair(d, &words, byval_copy(d, inst, i, byval->type), l.p[0].bits);
			continue;
		}
		for (u32 k = 0; k < l.n; k++)
			push_pair(d, &words, ird_in(d, v, k), l.p[k].bits);
	}
	if (variadic)
		push_pair(d, &words, ird_pack_varargs(d, inst, fixed), 64);
	words.p[0] = (words.n - CALL_HEAD) / CALL_PAIR;
	for (u32 k = 0; k < r.n; k++)
		push_pair(d, &words, ird_out(d, inst, k), r.p[k].bits);
	IrFunc   *f = ir_func(m, callee);
	i32       target = f ? NO_REG : ird_pointer64(d, callee);
	u32       at = emit_ext(d->p, words.p, words.n);
	SimtInsn *in = emit_insn(&d->e, f ? S_CALL : S_CALLI);
	in->x = f ? simt_func_find(d->p, ir_str(m, ir_name(m, callee))) : ~0u;
	in->y = at;
	in->a = target;
}

static bool provided(Ird *d, IrRef inst, Str name)
{
	IrModule *m = d->m;
	u32       n = ir_call(m, inst)->n_args;
	if (str_is(name, "vprintf") && n == 2) {
		i32 a = ird_pointer64(d, ir_call_arg(m, inst, 0)), b = ird_pointer64(d, ir_call_arg(m, inst, 1)),
		    dst = ird_out(d, inst, 0);
		SimtInsn *in = emit_insn(&d->e, S_PRINTF);
		in->d = dst, in->a = a, in->b = b, in->rows = 1;
		return true;
	}
	if (str_is(name, "__assertfail") && n >= 4) {
		u32 words[4];
		for (u32 i = 0; i < 4; i++)
			words[i] =
				(u32)(i == 2 ? ird_in(d, ir_call_arg(m, inst, i), 0) : ird_pointer64(d, ir_call_arg(m, inst, i)));
		u32 at = emit_ext(d->p, words, 4);
		emit_insn(&d->e, S_ASSERT)->y = at;
		return true;
	}
	Builtin b;
	if (simt_builtin_find(name, &b) && ird_leaves(d, ir_inst(m, inst)->type).n == (b.result != 0)) {
		i32 args[4] = {0};
		for (u32 i = 0; i < 4 && b.arg[i]; i++)
			args[i] = ird_in(d, ir_call_arg(m, inst, i), 0);
		simt_builtin_emit(d->s, &d->e, &b, args, b.result ? ird_out(d, inst, 0) : NO_REG);
		return true;
	}
	if (str_is(name, "__nvvm_reflect")) {
		emit_move(&d->e, 32, ird_out(d, inst, 0), emit_const(d->p, 32, 0));
		return true;
	}
	return false;
}

/* ---- inline PTX */

/* A constraint of inline assembly. */
typedef struct AsmConstraint {
	char letter;    /* the register's class; 0: only a constant */
	bool immediate; /* a constant stands in the text */
	u32  tied;      /* to an output; ~0u: to none */
} AsmConstraint;

/* RC_NONE: the letter asks for no register. `c` is a byte in the register of 16 bits, `N` a 64-bit constant or register. */
static IsaClass asm_class(char letter) { return isa_class_of_letter(letter == 'c' ? 'h' : letter == 'N' ? 'l' : letter); }

/* Where no letter says it, 32 bits. */
static const IsaClassInfo *operand_class(const AsmConstraint *c)
{
	return &isa_class_info[c->letter ? asm_class(c->letter) : RC_B32];
}

/* Reads the constraints, outputs first; clobbers are left out. */
static u32 asm_constraints(Str s, AsmConstraint *c, u32 *n_out)
{
	u32 n = 0;
	*n_out = 0;
	for (u32 i = 0; i < s.n && n < SIMT_ASM_OPERANDS;) {
		u32 end = i;
		while (end < s.n && s.p[end] != ',')
			end++;
		AsmConstraint one = {.tied = ~0u};
		bool          output = false;
		for (u32 at = i; s.p[i] != '~' && at < end; at++) {
			char x = s.p[at];
			output |= x == '=';
			one.immediate |= x == 'n' || x == 'i';
			if (x >= '0' && x <= '9')
				one.tied = (one.tied == ~0u ? 0 : one.tied * 10) + (u32)(x - '0');
			else if (!one.letter && asm_class(x) != RC_NONE)
				one.letter = x;
		}
		if (s.p[i] != '~' && end > i) {
			if (one.tied < n)
				one.letter = c[one.tied].letter;
			c[n++] = one;
			*n_out += output;
		}
		i = end + 1;
	}
	return n;
}

/* A constant as it stands in the text. */
static bool asm_immediate(Ird *d, IrRef v, SimtAsm *a)
{
	u64 bits;
	i64 value;
	if (ir_as_sint(d->m, v, &value))
		simt_asm_int(a, value);
	else if (ir_as_fp(d->m, v, &bits))
		simt_asm_float(a, ird_leaves(d, ir_type_of(d->m, v)).p[0].bits, bits);
	else
		return false;
	return true;
}

static void asm_input(Ird *d, IrRef v, u32 bits, i32 row)
{
	Leaves l = ird_leaves(d, ir_type_of(d->m, v));
	if (l.n == 1) {
		emit_extend(&d->e, row, bits, ird_in(d, v, 0), l.p[0].bits, false);
		return;
	}
	i32 *in = arena_array(d->a, i32, l.n + 1);
	Leaf whole = {.bits = bits};
	for (u32 k = 0; k < l.n; k++)
		in[k] = ird_in(d, v, k);
	ird_bitcast(d, in, l, &row, (Leaves){&whole, 1});
}

static void asm_output(Ird *d, IrRef inst, u32 i, u32 n_out, u32 bits, i32 row)
{
	Leaves r = ird_leaves(d, ir_inst(d->m, inst)->type);
	if (n_out > 1 || r.n == 1) {
		emit_extend(&d->e, ird_out(d, inst, i), r.p[i].bits, row, bits, false);
		return;
	}
	i32 *out = arena_array(d->a, i32, r.n + 1);
	Leaf whole = {.bits = bits};
	for (u32 k = 0; k < r.n; k++)
		out[k] = ird_out(d, inst, k);
	ird_bitcast(d, &row, (Leaves){&whole, 1}, out, r);
}

static void call_asm(Ird *d, IrRef inst, IrRef callee)
{
	const IrAsm  *text = ir_asm(d->m, callee);
	AsmConstraint c[SIMT_ASM_OPERANDS];
	u32           n_out, n = asm_constraints(ir_str(d->m, text->constraints), c, &n_out);
	SimtAsm       a;
	if (ird_leaves(d, ir_inst(d->m, inst)->type).n < n_out || n - n_out > ir_call(d->m, inst)->n_args) {
		ird_unsupported(d, inst, "inline assembly with memory operands: ");
		return;
	}
	simt_asm_init(&a, d->a);
	/* Operands are copied in and out, so that an output may be written before an input is read. */
	for (u32 i = 0; i < n; i++) {
		const IsaClassInfo *l = operand_class(&c[i]);
		IrRef               v = i < n_out ? inst : ir_call_arg(d->m, inst, i - n_out);
		if (i >= n_out && c[i].immediate && asm_immediate(d, v, &a))
			continue;
		i32 row = c[i].tied < i ? a.row[c[i].tied] : temp(d, l->bits);
		if (i >= n_out)
			asm_input(d, v, l->bits, row);
		simt_asm_reg(&a, isa_token_text(SLOT_type, l->type), row);
	}
	if (!simt_asm_emit(d->s, d->p, &d->e, &a, ir_str(d->m, text->text), inst.i)) {
		ird_unsupported(d, inst, "inline assembly: ");
		return;
	}
	for (u32 i = 0; i < n_out; i++)
		asm_output(d, inst, i, n_out, operand_class(&c[i])->bits, a.row[i]);
}

/* ---- all calls */

void ird_call(Ird *d, IrRef inst)
{
	IrRef callee = ir_callee(d->m, inst);
	if (ir_kind(callee) == IR_ASM) {
		call_asm(d, inst, callee);
		return;
	}
	if (ir_kind(callee) == IR_GLOBAL) {
		Str     name = ir_str(d->m, ir_name(d->m, callee));
		IrFunc *f = ir_func(d->m, callee);
		if (ir_is_llvm_name(d->m, callee)) {
			if (!ird_intrinsic(d, inst) && !d->failed)
				ird_unsupported(d, inst, "the intrinsic of ");
			return;
		}
		if (f && ir_is_decl(f) && provided(d, inst, name))
			return;
		if (ir_global(d->m, callee)->kind == IRG_ALIAS) {
			IrRef to = ir_global_init(d->m, callee);
			callee = ir_kind(to) == IR_GLOBAL ? to : callee;
		}
	}
	call_function(d, inst, callee);
}
