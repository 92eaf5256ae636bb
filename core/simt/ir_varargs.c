/* ir_varargs.c: variable arguments of IR, as expand-variadics lays them out.
 *
 * A call puts them into a buffer of its frame, each at its natural alignment, and hands over its address
 * behind the other arguments. A va_list is a pointer to the next one. */
#include "simt/ir_decode.h"

static i32 frame_address(Ird *d, u32 at)
{
	i32       row = emit_reg(&d->e, 64);
	SimtInsn *in = emit_insn(&d->e, S_FRAME);
	in->d = row, in->rows = 2, in->z = at, in->x = 1;
	return row;
}

static void put(Ird *d, IrRef v, IrType t, bool byval, u32 at)
{
	i32 to = frame_address(d, at);
	if (byval) {
		i32       from = ird_pointer64(d, v);
		SimtInsn *in = emit_insn(&d->e, S_COPY);
		in->a = to, in->b = from, in->c = emit_const(d->p, 64, ir_alloc_size(d->m, t)),
		in->x = SPACE_GENERIC | ird_space(d, ir_type(d->m, ir_type_of(d->m, v))->bits) << 4;
		return;
	}
	Leaves l = ird_leaves(d, t);
	i32   *rows = arena_array(d->a, i32, l.n + 1);
	for (u32 k = 0; k < l.n; k++)
		rows[k] = ird_in(d, v, k);
	ird_store(d, t, rows, &(IrdPlace){to, 64, SPACE_GENERIC, 0, ir_abi_align(d->m, t), 0});
}

i32 ird_pack_varargs(Ird *d, IrRef call, u32 fixed)
{
	IrModule *m = d->m;
	u32       n = ir_call(m, call)->n_args - fixed, most = 1;
	u64       size = 0;
	if (ir_inst(m, call)->sub == IRTAIL_MUSTTAIL && d->varargs != NO_REG)
		return d->varargs; /* the caller's own */
	if (!n)
		return emit_const(d->p, 64, 0);
	u32    *at = arena_array(d->a, u32, n + 1);
	IrType *types = arena_array(d->a, IrType, n + 1);
	for (u32 i = 0; i < n; i++) {
		const IrAttr *byval = ir_call_param_attr(m, call, fixed + i, IRA_BYVAL);
		types[i] = byval ? byval->type : ir_type_of(m, ir_call_arg(m, call, fixed + i));
		u32 align = ir_abi_align(m, types[i]);
		u64 start = size_align(size, align);
		at[i] = size_u32(start);
		size = size_add(start, ir_alloc_size(m, types[i]));
		most = PS_MAX(most, align);
	}
	u32 buffer = ird_frame_bytes(d, size, most);
	for (u32 i = 0; i < n; i++)
		put(d, ir_call_arg(m, call, fixed + i), types[i], ir_call_param_attr(m, call, fixed + i, IRA_BYVAL) != NULL,
		    buffer + at[i]);
	return frame_address(d, buffer);
}

static i32 load_list(Ird *d, IrRef list)
{
	i32 row = emit_reg(&d->e, 64);
	ird_load(d, IR_TYPE(I64), &row, &(IrdPlace){ird_pointer64(d, list), 64, SPACE_GENERIC, 0, 8, 0});
	return row;
}

static void store_list(Ird *d, IrRef list, i32 row)
{
	ird_store(d, IR_TYPE(I64), &row, &(IrdPlace){ird_pointer64(d, list), 64, SPACE_GENERIC, 0, 8, 0});
}

/* va_start, va_copy, va_end */
bool ird_va_intrinsic(Ird *d, IrRef inst)
{
	IrFamily family = ir_call_family(d->m, inst);
	if (family == IRFAM_VA_END)
		return true;
	if (family == IRFAM_VA_COPY)
		store_list(d, ir_call_arg(d->m, inst, 0), load_list(d, ir_call_arg(d->m, inst, 1)));
	else if (family == IRFAM_VA_START && d->varargs != NO_REG)
		store_list(d, ir_call_arg(d->m, inst, 0), d->varargs);
	else
		return false;
	return true;
}

void ird_va_arg(Ird *d, IrRef inst)
{
	IrRef  list = ir_op(d->m, inst, 0);
	IrType t = ir_inst(d->m, inst)->type;
	u32    align = ir_abi_align(d->m, t);
	i32    at = load_list(d, list), next = emit_reg(&d->e, 64);
	Leaves l = ird_leaves(d, t);
	i32   *rows = arena_array(d->a, i32, l.n + 1);
	emit_lanes(&d->e, K_add64, at, at, emit_const(d->p, 64, align - 1), NO_REG, 0);
	emit_lanes(&d->e, K_and64, at, at, emit_const(d->p, 64, (u64) - (i64)align), NO_REG, 0);
	emit_lanes(&d->e, K_add64, next, at, emit_const(d->p, 64, ir_alloc_size(d->m, t)), NO_REG, 0);
	for (u32 k = 0; k < l.n; k++)
		rows[k] = ird_out(d, inst, k);
	ird_load(d, t, rows, &(IrdPlace){at, 64, SPACE_GENERIC, 0, align, 0});
	store_list(d, list, next);
}
