/* ir_matrix.c: matrix intrinsics of IR, which are one instruction each (isa/matrixname.c).
 *
 *   %f = call { <2 x half>, <2 x half>, … } @llvm.nvvm.wmma.m16n16k16.load.a…(ptr %p, i32 16)
 *
 * An element of the result, and an argument, is one register: pairs of halves are packed. */
#include "isa/words.h"
#include "simt/ir_decode.h"

enum { MAX_OPERANDS = 64, MAX_PIECES = 16 };

typedef struct Element {
	IrType type;
	u32    first; /* piece of the value */
	i32    row;   /* the register, where it holds several pieces */
} Element;

static u32 bits_of(Leaves l)
{
	u32 bits = 0;
	for (u32 i = 0; i < l.n; i++)
		bits += l.p[i].bits;
	return bits;
}

static OpArg input(Ird *d, IrRef v)
{
	Leaves l = ird_leaves(d, ir_type_of(d->m, v));
	i32    in[MAX_PIECES];
	if (l.n == 1)
		return op_reg(ird_in(d, v, 0), l.p[0].bits);
	Leaf whole = {.bits = bits_of(l)};
	i32  row = emit_reg(&d->e, whole.bits);
	for (u32 i = 0; i < l.n && i < MAX_PIECES; i++)
		in[i] = ird_in(d, v, i);
	ird_bitcast(d, in, l, &row, (Leaves){&whole, 1});
	return op_reg(row, whole.bits);
}

static u32 outputs(Ird *d, IrRef inst, Element *e, OpArg *args)
{
	IrType t = ir_inst(d->m, inst)->type;
	bool   list = ir_type_kind(d->m, t) == IRT_STRUCT;
	u32    n = list ? ir_type(d->m, t)->n_elems : ir_type_kind(d->m, t) != IRT_VOID, first = 0;
	for (u32 i = 0; i < n && i < MAX_OPERANDS; i++) {
		e[i] = (Element){.type = list ? ir_type_elem(d->m, t, i) : t, .first = first};
		Leaves l = ird_leaves(d, e[i].type);
		e[i].row = l.n == 1 ? ird_out(d, inst, first) : emit_reg(&d->e, bits_of(l));
		args[i] = op_reg(e[i].row, bits_of(l));
		first += l.n;
	}
	return n;
}

static void unpack(Ird *d, IrRef inst, const Element *e)
{
	Leaves l = ird_leaves(d, e->type);
	Leaf   whole = {.bits = bits_of(l)};
	i32    out[MAX_PIECES];
	if (l.n == 1)
		return;
	for (u32 i = 0; i < l.n && i < MAX_PIECES; i++)
		out[i] = ird_out(d, inst, e->first + i);
	ird_bitcast(d, &e->row, (Leaves){&whole, 1}, out, l);
}

bool ird_matrix(Ird *d, IrRef inst, u32 what)
{
	(void)what;
	PtxOpc  o;
	Element e[MAX_OPERANDS];
	OpArg   args[MAX_OPERANDS + 2];
	bool    address;
	u32     n_args = ir_call(d->m, inst)->n_args;
	if (!isa_matrix_intrinsic(ird_nvvm_name(d, inst), &o, &address))
		return false;
	u32 n_defs = outputs(d, inst, e, args), n = n_defs;
	if (n + n_args > MAX_OPERANDS)
		return false;
	if (address) {
		u32 space = ir_type(d->m, ir_type_of(d->m, ir_call_arg(d->m, inst, 0)))->bits;
		if (space != AS_GENERIC && space != AS_GLOBAL && space != AS_SHARED)
			return false;
		o.slot[SLOT_space] = (u8)isa_space_token(space);
		args[n++] = op_reg(ird_in(d, ir_call_arg(d->m, inst, 0), 0), ir_ptr_bits(d->m, space));
		args[n++] = op_imm(0);
	}
	for (u32 i = address; i < n_args; i++)
		args[n++] = input(d, ir_call_arg(d->m, inst, i));
	OpCx c = {.e = &d->e, .d = isa_desc(d->s, isa_intern(d->s, o)), .arg = args, .n = n, .is_kernel = true};
	if (!isa_is_wellformed(&o) || c.d->n_defs != n_defs || c.d->n_operands != n || !simt_op(&c))
		return false;
	for (u32 i = 0; i < n_defs; i++)
		unpack(d, inst, &e[i]);
	return true;
}
