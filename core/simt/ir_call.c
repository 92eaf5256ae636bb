/* ir_call.c: calls of IR: functions, inline PTX, and what the machine provides. */
#include "simt/ir_decode.h"

#include "simt/builtin.h"
#include "simt/inline_ptx.h"
#include "simt/simt.h"

static i32 temp(Ird *d, u32 bits) { return emit_reg(&d->e, bits); }

/* ---- functions of the program */

/* A byval argument: the callee gets the address of a copy of its own. */
static i32 byval_copy(Ird *d, IrRef call, u32 i, IrType t)
{
	const IrAttr *align = ir_call_param_attr(d->m, call, i, IRA_ALIGN);
	u32 size = (u32)ir_alloc_size(d->m, t), at = ird_frame_bytes(d, size, PS_MAX(align ? (u32)align->a : 0, ir_abi_align(d->m, t)));
	i32 from = ird_pointer64(d, ir_call_arg(d->m, call, i)), to = temp(d, 64), n = emit_const(d->p, 64, size);
	SimtInsn *in = emit_insn(&d->e, S_FRAME);
	in->d = to, in->rows = 2, in->z = at, in->x = 1;
	in = emit_insn(&d->e, S_COPY);
	in->a = to, in->b = from, in->c = n, in->x = SPACE_GENERIC | SPACE_GENERIC << 4;
	return to;
}

static void call_function(Ird *d, IrRef inst, IrRef callee)
{
	IrModule *m = d->m;
	u32       n = ir_call(m, inst)->n_args;
	VecU32    words = {0};
	Leaves    r = ird_leaves(d, ir_inst(m, inst)->type);
	vec_push(d->a, &words, 0);
	vec_push(d->a, &words, r.n);
	for (u32 i = 0; i < n; i++) {
		IrRef         v = ir_call_arg(m, inst, i);
		const IrAttr *byval = ir_call_param_attr(m, inst, i, IRA_BYVAL);
		Leaves        l = ird_leaves(d, ir_type_of(m, v));
		if (byval) {
			vec_push(d->a, &words, (u32)byval_copy(d, inst, i, byval->type));
			continue;
		}
		for (u32 k = 0; k < l.n; k++)
			vec_push(d->a, &words, (u32)ird_in(d, v, k));
	}
	words.p[0] = words.n - 2;
	for (u32 k = 0; k < r.n; k++)
		vec_push(d->a, &words, (u32)ird_out(d, inst, k));
	IrFunc *f = ir_func(m, callee);
	i32     target = f ? NO_REG : ird_pointer64(d, callee);
	u32     at = emit_ext(d->p, words.p, words.n);
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
		i32 a = ird_pointer64(d, ir_call_arg(m, inst, 0)), b = ird_pointer64(d, ir_call_arg(m, inst, 1)), dst = ird_out(d, inst, 0);
		SimtInsn *in = emit_insn(&d->e, S_PRINTF);
		in->d = dst, in->a = a, in->b = b, in->rows = 1;
		return true;
	}
	if (str_is(name, "__assertfail") && n >= 4) {
		u32 words[4];
		for (u32 i = 0; i < 4; i++)
			words[i] = (u32)(i == 2 ? ird_in(d, ir_call_arg(m, inst, i), 0) : ird_pointer64(d, ir_call_arg(m, inst, i)));
		u32 at = emit_ext(d->p, words, 4);
		emit_insn(&d->e, S_ASSERT)->y = at;
		return true;
	}
	Builtin b;
	if (simt_builtin_find(name, &b) && ird_leaves(d, ir_inst(m, inst)->type).n == 1) {
		i32 args[4] = {0};
		for (u32 i = 0; i < 4 && b.arg[i]; i++)
			args[i] = ird_in(d, ir_call_arg(m, inst, i), 0);
		simt_builtin_emit(d->s, &d->e, &b, args, ird_out(d, inst, 0));
		return true;
	}
	if (str_is(name, "__nvvm_reflect")) {
		emit_move(&d->e, 32, ird_out(d, inst, 0), emit_const(d->p, 32, 0));
		return true;
	}
	return false;
}

/* ---- inline PTX */

/* The text of a function whose registers a0, a1, … are the operands of the statement. */
static Str asm_text(Ird *d, Str text, const char *letters, u32 n)
{
	Text t;
	text_init(&t, d->a);
	text_s(&t, ".version 8.7\n.target sm_100a\n.address_size 64\n.func inline_ptx()\n{\n");
	for (u32 i = 0; i < n; i++) {
		const char *type = letters[i] == 'h' || letters[i] == 'c' ? "b16" : letters[i] == 'l' ? "b64" : letters[i] == 'f' ? "f32" :
		                   letters[i] == 'd' ? "f64" : letters[i] == 'q' ? "b128" : letters[i] == 'b' ? "pred" : "b32";
		text_f(&t, ".reg .%s inline_ptx_a%u;\n", type, i);
	}
	for (u32 i = 0; i < text.n; i++) {
		char c = text.p[i];
		if (c != '$' || i + 1 >= text.n) {
			text_c(&t, c);
			continue;
		}
		c = text.p[++i];
		if (c == '$') {
			text_c(&t, '$');
			continue;
		}
		bool brace = c == '{';
		u32  v = 0;
		for (i += brace; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++)
			v = v * 10 + (u32)(text.p[i] - '0');
		while (brace && i < text.n && text.p[i] != '}')
			i++;
		i -= !brace;
		text_f(&t, "inline_ptx_a%u", v);
	}
	text_s(&t, "\n}\n");
	return text_str(&t);
}

enum { ASM_OPERANDS = 64 };

/* Reads the constraints: letters of the operands (outputs first), and which input is tied to which output. */
static u32 asm_constraints(Str s, char *letter, u32 *tied, u32 *n_out)
{
	u32 n = 0;
	*n_out = 0;
	for (u32 i = 0; i < s.n && n < ASM_OPERANDS;) {
		u32 end = i;
		while (end < s.n && s.p[end] != ',')
			end++;
		bool output = s.p[i] == '=';
		u32  at = i;
		while (at < end && strchr("=&+*%", s.p[at]))
			at++;
		if (s.p[i] != '~' && at < end) {
			tied[n] = ~0u;
			if (s.p[at] >= '0' && s.p[at] <= '9') {
				tied[n] = (u32)(s.p[at] - '0');
				letter[n] = letter[tied[n]];
			} else {
				letter[n] = s.p[at];
			}
			n++;
			*n_out += output;
		}
		i = end + 1;
	}
	return n;
}

static void call_asm(Ird *d, IrRef inst, IrRef callee)
{
	const IrAsm *a = ir_asm(d->m, callee);
	char letter[ASM_OPERANDS];
	u32  tied[ASM_OPERANDS], n_out, n = asm_constraints(ir_str(d->m, a->constraints), letter, tied, &n_out);
	Leaves r = ird_leaves(d, ir_inst(d->m, inst)->type);
	i32  rows[ASM_OPERANDS];
	u32  args = ir_call(d->m, inst)->n_args;
	if (r.n < n_out || n - n_out > args) {
		ird_unsupported(d, inst, "inline assembly with memory operands: ");
		return;
	}
	/* Operands are copied in and out, so that an output may be written before an input is read. */
	for (u32 i = 0; i < n; i++) {
		u32 bits = letter[i] == 'l' || letter[i] == 'd' ? 64 : letter[i] == 'q' ? 128 : letter[i] == 'h' ? 16 : letter[i] == 'b' ? 1 : 32;
		if (i < n_out) {
			rows[i] = temp(d, bits);
			continue;
		}
		IrRef  v = ir_call_arg(d->m, inst, i - n_out);
		Leaves l = ird_leaves(d, ir_type_of(d->m, v));
		rows[i] = tied[i] != ~0u ? rows[tied[i]] : temp(d, bits);
		if (l.n > 1) {
			i32  in[16], one = rows[i];
			Leaf whole = {.bits = bits};
			for (u32 k = 0; k < l.n && k < 16; k++)
				in[k] = ird_in(d, v, k);
			ird_bitcast(d, in, l, &one, (Leaves){&whole, 1});
		} else {
			emit_extend(&d->e, rows[i], bits, ird_in(d, v, 0), l.p[0].bits, false);
		}
	}
	Str text = asm_text(d, ir_str(d->m, a->text), letter, n);
	if (!simt_inline_ptx(d->s, d->p, &d->e, text, rows, n)) {
		ird_unsupported(d, inst, "inline assembly: ");
		return;
	}
	for (u32 i = 0; i < n_out; i++) {
		u32 bits = letter[i] == 'l' || letter[i] == 'd' ? 64 : letter[i] == 'q' ? 128 : letter[i] == 'h' ? 16 : letter[i] == 'b' ? 1 : 32;
		if (n_out == 1 && r.n > 1) {
			i32  out[16], one = rows[i];
			Leaf whole = {.bits = bits};
			for (u32 k = 0; k < r.n && k < 16; k++)
				out[k] = ird_out(d, inst, k);
			ird_bitcast(d, &one, (Leaves){&whole, 1}, out, r);
		} else {
			emit_extend(&d->e, ird_out(d, inst, i), r.p[i].bits, rows[i], bits, false);
		}
	}
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
		if (str_starts(name, "llvm.")) {
			if (!ird_intrinsic(d, inst, (Str){name.p + 5, name.n - 5}) && !d->failed)
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
