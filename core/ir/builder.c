/* builder.c: creates instructions at an insertion point.
 *
 * One function per instruction shape; each sets operands, type, origin and debug location, and inserts the instruction before
 * the builder's position. Constant time per operand. Does not fold constants: passes that want that use analysis/fold.h. */
#include "ir/builder.h"

IrBuilder ir_build_before(IrModule *m, IrRef inst)
{
	const IrInstInfo *i = ir_info(m, inst);
	return (IrBuilder){.m = m, .block = ir_inst(m, inst)->block, .before = inst, .origin = i->origin, .dbg = i->dbg};
}

IrBuilder ir_build_end(IrModule *m, IrRef block)
{
	return (IrBuilder){.m = m, .block = block, .origin = ir_block(m, block)->origin};
}

IrRef ir_b_insert(IrBuilder *b, IrRef inst)
{
	IrInstInfo *i = ir_info(b->m, inst);
	if (!i->origin)
		i->origin = b->origin;
	if (!i->dbg.i)
		i->dbg = b->dbg;
	if (b->before.i)
		ir_insert_before(b->m, inst, b->before);
	else
		ir_insert_end(b->m, inst, b->block);
	return inst;
}

static IrRef make(IrBuilder *b, IrOp op, IrType t, const IrRef *ops, u32 n)
{
	IrRef r = ir_inst_new(b->m, op, t, n);
	for (u32 i = 0; i < n; i++)
		ir_set_op(b->m, r, i, ops[i]);
	if (ir_op_info[op].flags & IROF_FPMATH)
		ir_inst(b->m, r)->flags |= b->flags & IRF_FAST;
	return ir_b_insert(b, r);
}

IrRef ir_b_bin(IrBuilder *b, IrOp op, IrRef x, IrRef y, u32 flags)
{
	IrRef r = make(b, op, ir_type_of(b->m, x), (IrRef[]){x, y}, 2);
	ir_inst(b->m, r)->flags |= flags;
	return r;
}

IrRef ir_b_unary(IrBuilder *b, IrOp op, IrRef x) { return make(b, op, ir_type_of(b->m, x), &x, 1); }

IrRef ir_b_cast(IrBuilder *b, IrOp op, IrRef x, IrType t)
{
	if (op == IR_BITCAST && ir_type_same(ir_type_of(b->m, x), t))
		return x;
	return make(b, op, t, &x, 1);
}

/* i1, or a vector of i1 as long as `t`. */
static IrType truth_type(IrModule *m, IrType t)
{
	return ir_type_is_vector(m, t) ? ir_vector_like(m, t, IR_TYPE(I1)) : IR_TYPE(I1);
}

IrRef ir_b_cmp(IrBuilder *b, IrPred pred, IrRef x, IrRef y)
{
	IrOp  op = pred >= IRP_I_EQ ? IR_ICMP : IR_FCMP;
	IrRef r = make(b, op, truth_type(b->m, ir_type_of(b->m, x)), (IrRef[]){x, y}, 2);
	ir_inst(b->m, r)->sub = (u8)pred;
	return r;
}

IrRef ir_b_select(IrBuilder *b, IrRef c, IrRef x, IrRef y)
{
	return make(b, IR_SELECT, ir_type_of(b->m, x), (IrRef[]){c, x, y}, 3);
}

IrRef ir_b_load(IrBuilder *b, IrType t, IrRef ptr, u32 align_bytes)
{
	IrRef r = make(b, IR_LOAD, t, &ptr, 1);
	ir_inst(b->m, r)->align = ir_align_of(align_bytes ? align_bytes : ir_abi_align(b->m, t));
	return r;
}

IrRef ir_b_store(IrBuilder *b, IrRef v, IrRef ptr, u32 align_bytes)
{
	IrRef r = make(b, IR_STORE, IR_TYPE(VOID), (IrRef[]){v, ptr}, 2);
	ir_inst(b->m, r)->align = ir_align_of(align_bytes ? align_bytes : ir_abi_align(b->m, ir_type_of(b->m, v)));
	return r;
}

IrRef ir_b_gep(IrBuilder *b, IrType source, IrRef base, const IrRef *index, u32 n, u32 flags)
{
	IrModule *m = b->m;
	IrType    t = ir_type_of(m, base);
	for (u32 i = 0; i < n && !ir_type_is_vector(m, t); i++)
		if (ir_type_is_vector(m, ir_type_of(m, index[i])))
			t = ir_vector_like(m, ir_type_of(m, index[i]), t);
	IrRef   r = ir_inst_new(m, IR_GETELEMENTPTR, t, n + 1);
	IrInst *g = ir_inst(m, r);
	g->elem = source;
	g->flags = flags;
	ir_set_op(m, r, 0, base);
	for (u32 i = 0; i < n; i++)
		ir_set_op(m, r, i + 1, index[i]);
	return ir_b_insert(b, r);
}

IrRef ir_b_gep_bytes(IrBuilder *b, IrRef base, i64 offset, u32 flags)
{
	if (offset == 0)
		return base;
	u32   space = ir_type(b->m, ir_scalar_type(b->m, ir_type_of(b->m, base)))->bits;
	IrRef at = ir_const_sint(b->m, ir_int_type(b->m, ir_index_bits(b->m, space)), offset);
	return ir_b_gep(b, IR_TYPE(I8), base, &at, 1, flags);
}

IrRef ir_b_alloca(IrBuilder *b, IrType t, u32 addrspace, u32 align_bytes)
{
	IrRef   one = ir_const_int(b->m, IR_TYPE(I32), 1);
	IrRef   r = make(b, IR_ALLOCA, ir_ptr_type(b->m, addrspace), &one, 1);
	IrInst *i = ir_inst(b->m, r);
	i->elem = t;
	i->align = ir_align_of(align_bytes ? align_bytes : ir_pref_align(b->m, t));
	return r;
}

IrRef ir_b_call(IrBuilder *b, IrType fn_type, IrRef callee, const IrRef *args, u32 n)
{
	IrModule *m = b->m;
	IrRef     r = ir_inst_new(m, IR_CALL, ir_func_ret(m, fn_type), n + 1);
	IrInst   *i = ir_inst(m, r);
	IrFunc   *f = ir_func(m, callee);
	i->aux = ir_call_new(m, (IrCall){.type = fn_type, .n_args = n, .cc = f ? f->cc : 0});
	ir_set_op(m, r, 0, callee);
	for (u32 k = 0; k < n; k++)
		ir_set_op(m, r, k + 1, args[k]);
	return ir_b_insert(b, r);
}

IrRef ir_b_intrinsic(IrBuilder *b, Str name, IrType ret, const IrRef *args, u32 n)
{
	IrType *params = arena_array(b->m->arena, IrType, n);
	for (u32 i = 0; i < n; i++)
		params[i] = ir_type_of(b->m, args[i]);
	IrType t = ir_func_type(b->m, ret, params, n, false);
	IrRef  f = ir_find_global(b->m, name);
	if (!f.i) {
		f = ir_func_new(b->m, name, t, IRL_EXTERNAL)->ref;
		ir_intrinsic_set_attrs(b->m, ir_func(b->m, f));
	}
	return ir_b_call(b, t, f, args, n);
}

IrRef ir_b_br(IrBuilder *b, IrRef to) { return make(b, IR_BR, IR_TYPE(VOID), &to, 1); }

IrRef ir_b_cond_br(IrBuilder *b, IrRef c, IrRef yes, IrRef no) { return make(b, IR_BR, IR_TYPE(VOID), (IrRef[]){c, yes, no}, 3); }

IrRef ir_b_ret(IrBuilder *b, IrRef v) { return make(b, IR_RET, IR_TYPE(VOID), &v, v.i ? 1 : 0); }
IrRef ir_b_unreachable(IrBuilder *b) { return make(b, IR_UNREACHABLE, IR_TYPE(VOID), NULL, 0); }

IrRef ir_b_phi(IrBuilder *b, IrType t)
{
	IrBuilder at = *b;
	at.before = ir_first_non_phi(b->m, b->block);
	return make(&at, IR_PHI, t, NULL, 0);
}

IrRef ir_b_extract_value(IrBuilder *b, IrRef agg, u32 i)
{
	IrRef r = make(b, IR_EXTRACTVALUE, ir_type_elem(b->m, ir_type_of(b->m, agg), i), &agg, 1);
	ir_inst(b->m, r)->aux = ir_list_new(b->m, &i, 1);
	return r;
}

IrRef ir_b_insert_value(IrBuilder *b, IrRef agg, IrRef v, u32 i)
{
	IrRef r = make(b, IR_INSERTVALUE, ir_type_of(b->m, agg), (IrRef[]){agg, v}, 2);
	ir_inst(b->m, r)->aux = ir_list_new(b->m, &i, 1);
	return r;
}

IrRef ir_b_extract_element(IrBuilder *b, IrRef vec, IrRef i)
{
	return make(b, IR_EXTRACTELEMENT, ir_scalar_type(b->m, ir_type_of(b->m, vec)), (IrRef[]){vec, i}, 2);
}

IrRef ir_b_insert_element(IrBuilder *b, IrRef vec, IrRef v, IrRef i)
{
	return make(b, IR_INSERTELEMENT, ir_type_of(b->m, vec), (IrRef[]){vec, v, i}, 3);
}

IrRef ir_b_shuffle(IrBuilder *b, IrRef x, IrRef y, const i32 *mask, u32 n)
{
	IrType e = ir_scalar_type(b->m, ir_type_of(b->m, x));
	IrRef  r = make(b, IR_SHUFFLEVECTOR, ir_vector_type(b->m, e, n), (IrRef[]){x, y}, 2);
	ir_inst(b->m, r)->aux = ir_list_new(b->m, (const u32 *)mask, n);
	return r;
}

void ir_call_align_argument(IrModule *m, IrRef call, u32 arg, u64 bytes)
{
	IrCall *c = ir_call(m, call);
	u32    *lists = arena_array(m->arena, u32, c->n_args + 1);
	for (u32 i = 0; i < c->n_args; i++)
		lists[i] = ir_call_param_attrs(m, call, i).i;
	lists[arg] = ir_attrs_with(m, (IrAttrs){lists[arg]}, (IrAttr){.kind = IRA_ALIGN, .a = bytes}).i;
	c->params = ir_list_new(m, lists, c->n_args);
}

void ir_call_align_pointers(IrModule *m, IrRef call, u64 bytes)
{
	IrCall *c = ir_call(m, call);
	u32     lists[4] = {0};
	for (u32 i = 0; i < c->n_args && i < PS_COUNT(lists); i++) {
		IrType  t = ir_type_of(m, ir_call_arg(m, call, i));
		IrAttrs set = ir_call_param_attrs(m, call, i);
		lists[i] = set.i;
		if (ir_type_is_ptr(m, ir_scalar_type(m, t)))
			lists[i] = ir_attrs_with(m, set, (IrAttr){.kind = IRA_ALIGN, .a = bytes}).i;
	}
	c->params = ir_list_new(m, lists, c->n_args);
}
