/* storage.c: memory: new stack slots and variables, and what is done with them. */
#include "ir/builder.h"
#include "mutate.h"

static u32 some_align(Mut *mu, IrType t, u32 most)
{
	u32 a = ir_abi_align(mu->m, t);
	a = one_in(mu->r, 4) ? 1u << below(mu->r, 5) : a;
	return PS_MIN(a, most);
}

static IrRef slot(Mut *mu, IrType t, u32 align)
{
	IrBuilder entry = at_entry(mu);
	if (mu->defined) { /* every byte is written, padding too */
		IrType words = ir_array_type(mu->m, IR_TYPE(I64), (ir_alloc_size(mu->m, t) + 7) / 8);
		IrRef  p = ir_b_alloca(&entry, words, mu->m->layout.alloca_space, PS_MAX(align, 8u));
		ir_b_store(&entry, ir_const_zero(mu->m, words), p, 8);
		return p;
	}
	return ir_b_alloca(&entry, t, mu->m->layout.alloca_space, align);
}

static IrRef variable(Mut *mu, IrType t)
{
	static const u8 spaces[] = {1, 1, 1, 3, 4, 0};
	u32             space = mu->defined ? 1 + 3 * below(mu->r, 2) : pick(mu->r, spaces);
	bool            local = one_in(mu->r, 2);
	IrRef           init = space == 3 ? ir_const_undef(mu->m, t) : some_const(mu, t);
	if (mu->defined && space == 1)
		space = 4; /* nobody writes it: no races */
	IrRef g = ir_var_new(mu->m, new_name(mu, "mutant"), t, space, local || space == 3 ? IRL_INTERNAL : IRL_EXTERNAL, init);
	if (space == 4)
		ir_global(mu->m, g)->flags |= IRGF_CONSTANT;
	ir_global(mu->m, g)->align = ir_align_of(PS_MAX(16u, ir_abi_align(mu->m, t)));
	return g;
}

static IrRef generic(Mut *mu, IrBuilder *b, IrRef p)
{
	IrType g = ir_ptr_type(mu->m, 0);
	return one_in(mu->r, 2) || ir_type_same(ir_type_of(mu->m, p), g) ? p : ir_b_cast(b, IR_ADDRSPACECAST, p, g);
}

static IrRef read_as(Mut *mu, IrBuilder *b, IrRef p, u64 bytes, u32 align)
{
	IrType t = memory_type(mu);
	for (u32 i = 0; i < 8 && ir_alloc_size(mu->m, t) > bytes; i++)
		t = memory_type(mu);
	if (ir_alloc_size(mu->m, t) > bytes)
		t = IR_TYPE(I8);
	IrRef v = ir_b_load(b, t, p, some_align(mu, t, align));
	if (one_in(mu->r, 8) && !ir_type_is_aggregate(mu->m, t))
		ir_inst(mu->m, v)->flags |= IRF_VOLATILE;
	return v;
}

/* An address inside: a constant distance, or one that nobody knows. */
static IrRef inside(Mut *mu, IrBuilder *b, IrRef p, IrRef x, u64 bytes)
{
	if (bytes < 2)
		return p;
	if (one_in(mu->r, 2))
		return ir_b_gep_bytes(b, p, (i64)(rnd(mu->r) % bytes), 0);
	IrRef i = adapt(mu, b, x, one_in(mu->r, 2) ? IR_TYPE(I64) : IR_TYPE(I32));
	i = ir_b_bin(b, IR_UREM, i, ir_const_int(mu->m, ir_type_of(mu->m, i), bytes), 0);
	return ir_b_gep(b, IR_TYPE(I8), p, &i, 1, 0);
}

static IrRef through_slot(Mut *mu, IrBuilder *b, IrRef x)
{
	IrType t = memory_type(mu);
	u32    align = PS_MAX(16u, ir_abi_align(mu->m, t));
	u64    bytes = ir_alloc_size(mu->m, t);
	IrRef  p = slot(mu, t, align), q = generic(mu, b, p);
	IrRef  v = adapt(mu, b, x, t);
	IrRef  s = ir_b_store(b, v, q, some_align(mu, t, align));
	if (one_in(mu->r, 8) && !ir_type_is_aggregate(mu->m, t))
		ir_inst(mu->m, s)->flags |= IRF_VOLATILE;
	if (one_in(mu->r, 2))
		return read_as(mu, b, p, bytes, align);
	q = inside(mu, b, q, x, bytes);
	return ir_b_load(b, IR_TYPE(I8), q, 1);
}

static IrRef through_variable(Mut *mu, IrBuilder *b, IrRef x)
{
	IrType t = memory_type(mu);
	u64    bytes = ir_alloc_size(mu->m, t);
	IrRef  g = variable(mu, t), q = generic(mu, b, g);
	if (!mu->defined && one_in(mu->r, 2) && ir_global(mu->m, g)->addrspace != 4) {
		IrRef v = adapt(mu, b, x, t);
		ir_b_store(b, v, q, some_align(mu, t, 16));
	}
	if (one_in(mu->r, 2))
		return read_as(mu, b, q, bytes, 16);
	q = inside(mu, b, q, x, bytes);
	return ir_b_load(b, IR_TYPE(I8), q, 1);
}

static IrRef atomic(Mut *mu, IrBuilder *b, IrRef x)
{
	IrModule       *m = mu->m;
	static const u8 widths[] = {8, 16, 32, 32, 64, 64, 128},
			orders[] = {IRO_MONOTONIC, IRO_ACQUIRE, IRO_RELEASE, IRO_ACQ_REL, IRO_SEQ_CST};
	IrRmw  op = (IrRmw)below(mu->r, IRRMW_USUB_COND);
	bool   fp = op >= IRRMW_FADD && op <= IRRMW_FMINIMUM;
	IrType t = fp ? fp_type(mu) : ir_int_type(m, pick(mu->r, widths));
	if (fp && one_in(mu->r, 4))
		t = ir_vector_type(m, one_in(mu->r, 2) ? IR_TYPE(HALF) : IR_TYPE(BFLOAT), 2);
	IrRef p = mu->defined || one_in(mu->r, 3)
	                  ? slot(mu, t, 16)
	                  : ir_var_new(m, new_name(mu, "cell"), t, one_in(mu->r, 2) ? 1 : 3, IRL_INTERNAL, ir_const_undef(m, t));
	if (ir_kind(p) == IR_GLOBAL)
		ir_global(m, p)->align = ir_align_of(16);
	p = generic(mu, b, p);
	x = adapt(mu, b, x, t);
	IrRef a;
	if (!fp && one_in(mu->r, 3)) {
		IrType pair[] = {t, IR_TYPE(I1)};
		a = ir_inst_new(m, IR_CMPXCHG, ir_struct_type(m, pair, 2, false), 3);
		ir_set_op(m, a, 2, some_const(mu, t));
		ir_info(m, a)->order_fail = one_in(mu->r, 2) ? IRO_MONOTONIC : IRO_SEQ_CST;
		if (one_in(mu->r, 3))
			ir_inst(m, a)->flags |= IRF_WEAK;
	} else {
		a = ir_inst_new(m, IR_ATOMICRMW, t, 2);
		ir_inst(m, a)->sub = (u8)op;
	}
	ir_set_op(m, a, 0, p);
	ir_set_op(m, a, 1, x);
	ir_inst(m, a)->order = pick(mu->r, orders);
	ir_info(m, a)->scope = (u8)below(mu->r, mu->m->scopes.n);
	ir_inst(m, a)->align = ir_align_of(ir_store_size(m, t));
	return ir_b_insert(b, a);
}

/* Blocks of bytes, of a length that is known or not. */
static IrRef copy(Mut *mu, IrBuilder *b, IrRef x)
{
	IrModule *m = mu->m;
	u32       most = 1 + below(mu->r, one_in(mu->r, 4) ? 400 : 40);
	IrType    t = ir_array_type(m, IR_TYPE(I8), most), lt = one_in(mu->r, 3) ? IR_TYPE(I32) : IR_TYPE(I64);
	IrRef     to = slot(mu, t, 1u << below(mu->r, 5)), from = slot(mu, t, 1u << below(mu->r, 5)),
	      n = ir_const_int(m, lt, below(mu->r, most + 1));
	IrRef v = adapt(mu, b, x, IR_TYPE(I8));
	ir_b_store(b, v, from, 1);
	if (one_in(mu->r, 3)) {
		n = adapt(mu, b, x, lt);
		n = ir_b_bin(b, IR_UREM, n, ir_const_int(m, lt, most + 1), 0);
	}
	from = generic(mu, b, from);
	to = generic(mu, b, to);
	u32    kind = below(mu->r, 3);
	IrRef  args[] = {to, kind == 2 ? v : from, n, ir_const_int(m, IR_TYPE(I1), one_in(mu->r, 6))};
	IrType over[9] = {ir_type_of(m, to), kind == 2 ? lt : ir_type_of(m, from), kind == 2 ? (IrType){0} : lt};
	Str    name = ir_mangled(m, kind == 0 ? STR("llvm.memcpy") : kind == 1 ? STR("llvm.memmove") : STR("llvm.memset"), over);
	ir_b_intrinsic(b, name, IR_TYPE(VOID), args, 4);
	to = inside(mu, b, to, x, most);
	return ir_b_load(b, IR_TYPE(I8), to, 1);
}

/* A slot whose size is known when it runs. */
static IrRef growing(Mut *mu, IrBuilder *b, IrRef x)
{
	IrType t = int_type(mu);
	IrRef  n = adapt(mu, b, x, IR_TYPE(I32));
	n = ir_b_bin(b, IR_AND, n, ir_const_int(mu->m, IR_TYPE(I32), 15), 0);
	n = ir_b_bin(b, IR_ADD, n, ir_const_int(mu->m, IR_TYPE(I32), 1), 0);
	IrRef p = ir_b_alloca(b, t, mu->m->layout.alloca_space, 16), v = adapt(mu, b, x, t);
	ir_set_op(mu->m, p, 0, n);
	ir_b_store(b, v, p, 1);
	return ir_b_load(b, t, p, 1);
}

/* The address as a number. */
static IrRef through_address(Mut *mu, IrBuilder *b, IrRef x)
{
	IrType t = some_type(mu), i = IR_TYPE(I64);
	IrRef  p = slot(mu, t, 16), v = adapt(mu, b, x, t);
	ir_b_store(b, v, p, 1);
	p = ir_b_cast(b, IR_PTRTOINT, p, i);
	p = ir_b_bin(b, IR_ADD, p, ir_const_int(mu->m, i, 0), 0);
	p = ir_b_cast(b, IR_INTTOPTR, p, ir_ptr_type(mu->m, mu->m->layout.alloca_space));
	return ir_b_load(b, t, p, 1);
}

/* A pointer that is used in a space it may not be in. */
static IrRef through_space(Mut *mu, IrBuilder *b, IrRef x)
{
	static const u8 spaces[] = {0, 1, 3, 4, 5};
	IrType          t = memory_type(mu);
	x = adapt(mu, b, x, ir_ptr_type(mu->m, pick(mu->r, spaces)));
	if (one_in(mu->r, 2))
		x = adapt(mu, b, x, ir_ptr_type(mu->m, pick(mu->r, spaces)));
	if (one_in(mu->r, 2))
		ir_b_store(b, some_const(mu, t), x, some_align(mu, t, 16));
	return read_as(mu, b, x, 64, 16);
}

IrRef some_memory(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	(void)at;
	switch (below(mu->r, mu->defined ? 9 : 11)) {
	case 0:
	case 1:
	case 2: return through_slot(mu, b, x);
	case 3:
	case 4: return through_variable(mu, b, x);
	case 5: return atomic(mu, b, x);
	case 6: return copy(mu, b, x);
	case 7: return through_address(mu, b, x);
	case 8: return mu->defined ? through_slot(mu, b, x) : growing(mu, b, x);
	default: return through_space(mu, b, x);
	}
}
