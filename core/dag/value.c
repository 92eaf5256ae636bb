/* value.c: IR values as nodes: leaves of types, constants, and values from other blocks.
 *
 * An aggregate is the list of its leaves. A value that crosses blocks is held in virtual registers, one for each legal part of
 * each leaf, and is read by CopyFromReg in the block that uses it. Constants are made where they are used. A value's leaves are
 * found in constant time, except for aggregate constants, which are linear in their leaves. */
#include "analysis/divergence.h"
#include "dag/func.h"
#include "dag/param.h"

static void values_reserve(Arena *a, DagValues *v, u32 n)
{
	if (n <= v->cap)
		return;
	u32 cap = n + n / 4 + 64;
	v->of = arena_grow(a, v->of, v->cap * sizeof *v->of, cap * sizeof *v->of, _Alignof(DagHome));
	v->cap = cap;
}

void dag_values_reserve(DagModule *mod)
{
	values_reserve(&mod->arena, &mod->insts, mod->m->insts.n);
	values_reserve(&mod->arena, &mod->args, mod->m->args.n);
}

static void values_forget(DagValues *v)
{
	for (u32 i = 0; i < v->stay.n; i++)
		v->of[v->stay.p[i]].reg = v->of[v->stay.p[i]].frame = 0;
	v->stay.n = 0;
}

void dag_values_forget(DagModule *mod)
{
	values_forget(&mod->insts);
	values_forget(&mod->args);
}

/* ---- types ---- */

/* PTX has addresses of 32 and 64 bits; a module's data layout may say others. */
static DagVt pointer_vt(u32 bits) { return bits == 32 || bits == 64 ? VT_INT(bits) : VT_NONE; }

DagVt dag_vt_of(DagFunc *f, IrType t)
{
	const IrTypeRec *r = ir_type(f->m, t);
	switch ((IrTypeKind)r->kind) {
	case IRT_HALF: return VT_F16;
	case IRT_BFLOAT: return VT_BF16;
	case IRT_FLOAT: return VT_F32;
	case IRT_DOUBLE: return VT_F64;
	case IRT_FP128: return VT_INT(128); /* moved as bits: lower_quad.c */
	case IRT_PTR: return pointer_vt(ir_ptr_bits(f->m, r->bits));
	case IRT_INT: return r->bits <= VT_MAX_INT ? VT_INT(r->bits) : VT_NONE;
	case IRT_VECTOR: {
		DagVt e = dag_vt_of(f, ir_type_elem(f->m, t, 0));
		if (e == VT_NONE || r->count > VT_MAX_LANES)
			return VT_NONE;
		DagVt part, vt = vt_vec(e, (u32)r->count);
		return dag_reg_parts(vt, &part) > VT_MAX_PARTS ? VT_NONE : vt;
	}
	default: return VT_NONE;
	}
}

enum { MAX_LEAVES = 1 << 14 };

/* A type without bits has no leaves, however many elements; the others end at MAX_LEAVES. */
static bool leaves_of(DagFunc *f, IrType t, u64 offset, DagLeaves *out)
{
	if (out->n > MAX_LEAVES)
		return false;
	if (ir_type_is_aggregate(f->m, t) && !ir_size_bits(f->m, t))
		return true;
	switch (ir_type_kind(f->m, t)) {
	case IRT_TOKEN:
	case IRT_VOID: return true;
	case IRT_STRUCT:
		for (u32 i = 0; i < ir_type_count(f->m, t); i++)
			if (!leaves_of(f, ir_type_elem(f->m, t, i), offset + ir_struct_offset(f->m, t, i), out))
				return false;
		return true;
	case IRT_ARRAY: {
		IrType e = ir_type_elem(f->m, t, 0);
		u64    size = ir_alloc_size(f->m, e);
		for (u64 i = 0; i < ir_type_count(f->m, t); i++)
			if (!leaves_of(f, e, offset + i * size, out))
				return false;
		return true;
	}
	default: {
		DagVt vt = dag_vt_of(f, t);
		vec_push(f->arena, out, ((DagLeaf){vt, t, offset}));
		return vt != VT_NONE;
	}
	}
}

void dag_leaves(DagFunc *f, IrType t, DagLeaves *out)
{
	out->n = 0;
	if (!leaves_of(f, t, 0, out)) {
		bool long_vector = ir_type_is_vector(f->m, t) && ir_type_count(f->m, t) > VT_MAX_LANES;
		_Static_assert(VT_MAX_LANES == 256, "the message says so");
		dag_unsupported(f, f->line_of, long_vector ? "a vector of more than 256 elements" : "a value of this type");
		for (u32 i = 0; i < out->n; i++)
			if (out->p[i].vt == VT_NONE)
				out->p[i].vt = VT_I32;
	}
}

u32 dag_leaf_count(DagFunc *f, IrType t)
{
	switch (ir_type_kind(f->m, t)) {
	case IRT_TOKEN:
	case IRT_VOID: return 0;
	case IRT_STRUCT:
	case IRT_ARRAY: {
		bool fresh;
		u64 *n = map_put(&f->leaf_count, t.i, &fresh);
		if (fresh) {
			DagLeaves l = {0};
			dag_leaves(f, t, &l);
			*n = l.n;
		}
		return (u32)*n;
	}
	default: return 1;
	}
}

/* ---- constants ---- */

static void push(DagFunc *f, DagVal v) { vec_push(f->arena, &f->pool, v); }
static void push_const(DagFunc *f, IrRef r);

static DagVal zero_of(Dag *d, DagVt vt) { return vt_is_fp(vt) ? dag_fp(d, vt, 0) : dag_const(d, vt, 0); }

static DagVal vector_const(DagFunc *f, IrRef r, DagVt vt)
{
	u32     n = vt_lanes(vt);
	DagVal *e = arena_array(f->arena, DagVal, n);
	for (u32 i = 0; i < n; i++) {
		IrRef x = ir_const_elem(f->m, r, i);
		e[i] = ir_is_none(x) ? dag_undef(&f->dag, vt_elem(vt)) : dag_value(f, x);
	}
	return dag_node(&f->dag, DAG_BUILD_VECTOR, vt, e, n);
}

/* x - y; of two places in one variable it is a number. */
static DagVal difference(Dag *d, DagVt vt, DagVal x, DagVal y)
{
	const DagNode *a = dag_of(d, x), *b = dag_of(d, y);
	if (a->opcode == DAG_GlobalAddress && b->opcode == DAG_GlobalAddress && a->k[0] == b->k[0] && vt_bits(vt) <= 64)
		return dag_const(d, vt, a->k[1] - b->k[1]);
	return dag_2(d, DAG_SUB, vt, x, y);
}

static DagVal expr(DagFunc *f, IrRef r)
{
	const IrConst *c = ir_const(f->m, r);
	Dag           *d = &f->dag;
	DagVt          vt = dag_vt_of(f, c->type);
	IrRef          a = ir_const_op(f->m, r, 0);
	i64            offset;
	switch ((IrOp)c->op) {
	case IR_GETELEMENTPTR: {
		if (!ir_gep_offset(f->m, r, &offset))
			return dag_gep(f, r, dag_value(f, a), 0);
		DagVal         base = dag_value(f, a);
		const DagNode *x = dag_of(d, base);
		/* ptxas takes no sum of a function's address and a number. */
		if (x->opcode == DAG_GlobalAddress && ir_global(f->m, (IrRef){(u32)x->k[0]})->kind == IRG_VAR)
			return dag_global(d, DAG_GlobalAddress, vt, (IrRef){(u32)x->k[0]}, (i64)x->k[1] + offset);
		return dag_ptr_add(d, base, offset);
	}
	case IR_ADDRSPACECAST:
		return dag_pointer_cast(f, dag_value(f, a), ir_type(f->m, ir_type_of(f->m, a))->bits,
		                        ir_type(f->m, c->type)->bits);
	case IR_PTRTOINT:
	case IR_PTRTOADDR:
	case IR_INTTOPTR: return dag_zext_or_trunc(d, dag_value(f, a), vt);
	case IR_BITCAST: {
		DagVal v = dag_value(f, a);
		return dag_vt(d, v) == vt ? v : dag_1(d, DAG_BITCAST, vt, v);
	}
	case IR_EXTRACTELEMENT: {
		DagVal v = dag_value(f, a), index = dag_zext_or_trunc(d, dag_value(f, ir_const_op(f->m, r, 1)), VT_I32);
		return dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt, v, index);
	}
	case IR_TRUNC: return dag_1(d, DAG_TRUNCATE, vt, dag_value(f, a));
	case IR_ZEXT: return dag_1(d, DAG_ZERO_EXTEND, vt, dag_value(f, a));
	case IR_SEXT: return dag_1(d, DAG_SIGN_EXTEND, vt, dag_value(f, a));
	case IR_ADD: return dag_2(d, DAG_ADD, vt, dag_value(f, a), dag_value(f, ir_const_op(f->m, r, 1)));
	case IR_SUB: return difference(d, vt, dag_value(f, a), dag_value(f, ir_const_op(f->m, r, 1)));
	case IR_MUL: return dag_2(d, DAG_MUL, vt, dag_value(f, a), dag_value(f, ir_const_op(f->m, r, 1)));
	case IR_XOR: return dag_2(d, DAG_XOR, vt, dag_value(f, a), dag_value(f, ir_const_op(f->m, r, 1)));
	case IR_AND: return dag_2(d, DAG_AND, vt, dag_value(f, a), dag_value(f, ir_const_op(f->m, r, 1)));
	case IR_OR: return dag_2(d, DAG_OR, vt, dag_value(f, a), dag_value(f, ir_const_op(f->m, r, 1)));
	case IR_ICMP: {
		DagVal x = dag_value(f, a), y = dag_value(f, ir_const_op(f->m, r, 1));
		return dag_setcc(d, x, y, (DagCond)c->sub);
	}
	default: dag_unsupported(f, f->line_of, "this constant expression"); return dag_undef(d, vt);
	}
}

static void push_aggregate(DagFunc *f, IrRef r)
{
	IrType t = ir_const(f->m, r)->type;
	u64    n = ir_type_count(f->m, t);
	for (u64 i = 0; i < n && f->pool.n < MAX_LEAVES * 4; i++) {
		IrRef e = ir_const_elem(f->m, r, (u32)i);
		if (ir_is_none(e))
			e = ir_const_undef(f->m, ir_type_elem(f->m, t, (u32)i));
		push_const(f, e);
	}
}

static DagVal scalar_const(DagFunc *f, IrRef r)
{
	const IrConst *c = ir_const(f->m, r);
	Dag           *d = &f->dag;
	DagVt          vt = dag_vt_of(f, c->type);
	u64            w[2] = {0, 0};
	switch ((IrConstKind)c->kind) {
	case IRC_INT:
	case IRC_FP:
		if (vt_bits(vt) > 128) {
			u64 wide[VT_MAX_INT / 64];
			u32 n = ir_const_word(f->m, r, wide, PS_COUNT(wide));
			return dag_const_words(d, vt, wide, n);
		}
		ir_const_word(f->m, r, w, 2);
		return vt_is_fp(vt) ? dag_fp(d, vt, w[0]) : dag_const2(d, vt, w[0], w[1]);
	case IRC_NULL:
	case IRC_ZERO: return zero_of(d, vt);
	case IRC_UNDEF:
	case IRC_POISON: return dag_undef(d, vt);
	case IRC_EXPR: return expr(f, r);
	case IRC_AGG:
	case IRC_DATA: return vector_const(f, r, vt);
	case IRC_DSO_LOCAL_EQUIVALENT:
	case IRC_NO_CFI:
	case IRC_PTRAUTH: return dag_value(f, ir_const_op(f->m, r, 0));
	default: dag_unsupported(f, f->line_of, "this constant"); return dag_undef(d, vt);
	}
}

static void push_const(DagFunc *f, IrRef r)
{
	if (ir_kind(r) == IR_GLOBAL) {
		push(f, dag_value(f, r));
		return;
	}
	const IrConst *c = ir_const(f->m, r);
	if (!ir_type_is_aggregate(f->m, c->type)) {
		push(f, scalar_const(f, r));
		return;
	}
	if (c->kind == IRC_AGG || c->kind == IRC_DATA) {
		push_aggregate(f, r);
		return;
	}
	DagLeaves l = {0};
	dag_leaves(f, c->type, &l);
	for (u32 i = 0; i < l.n; i++)
		push(f, c->kind == IRC_ZERO ? zero_of(&f->dag, l.p[i].vt) : dag_undef(&f->dag, l.p[i].vt));
}

/* ---- values ---- */

static DagVal global_value(DagFunc *f, IrRef r)
{
	const IrGlobal *g = ir_global(f->m, r);
	return dag_global(&f->dag, DAG_GlobalAddress, VT_INT(ir_ptr_bits(f->m, g->addrspace)), r, 0);
}

static void from_registers(DagFunc *f, IrType t, u32 reg)
{
	DagLeaves l = {0};
	dag_leaves(f, t, &l);
	for (u32 i = 0; i < l.n; i++) {
		DagVt  part;
		DagVal v = dag_copy_from(&f->dag, f->dag.entry, (MirReg){reg}, l.p[i].vt);
		if (!dag_reg_is_uniform(f, reg))
			dag_of(&f->dag, v)->props |= DP_DIVERGENT;
		push(f, v);
		reg += dag_reg_parts(l.p[i].vt, &part);
	}
}

/* The address of a parameter by value is its name, in every block; a register of it is for phis. */
static bool set_name_of_parameter(DagFunc *f, IrRef r)
{
	bool in_param = ir_kind(r) == IR_INST && ir_inst(f->m, r)->op == IR_ADDRSPACECAST &&
	                ir_type(f->m, ir_type_of(f->m, r))->bits == AS_PARAM;
	IrRef arg = in_param ? ir_op(f->m, r, 0) : r;
	if (!f->optimize || !dag_is_byval_arg(f, arg))
		return false;
	u32 number = ir_arg(f->m, arg)->number;
	dag_set_value(f, r, in_param ? dag_byval_address(f, number) : dag_byval_value(f, number));
	return true;
}

static u32 local_values(DagFunc *f, IrRef r, u32 *n)
{
	IrType   t = ir_type_of(f->m, r);
	DagHome *home = dag_home(f, r);
	*n = dag_leaf_count(f, t);
	if (home->epoch == f->mod->epoch || set_name_of_parameter(f, r))
		return home->first;
	const DagFree *x = home->frame || home->reg ? NULL : dag_free_value(f, r);
	DagVal         v = x ? dag_moved(f, dag_value(f, x->base), (u64)x->offset, x->flags) : (DagVal){0};
	u32            at = f->pool.n;
	if (x) {
		push(f, v);
	} else if (home->frame) {
		DagVal p = dag_frame(&f->dag, DAG_FrameIndex, f->ptr, home->frame - 1, 0);
		push(f, dag_pointer_cast(f, p, 0, ir_type(f->m, t)->bits));
	} else if (home->reg) {
		from_registers(f, t, home->reg);
	} else {
		/* Its definition was not built: it is in an unreachable block, or not supported. */
		DagLeaves l = {0};
		dag_leaves(f, t, &l);
		for (u32 i = 0; i < l.n; i++)
			push(f, dag_undef(&f->dag, l.p[i].vt));
	}
	home->first = at;
	home->epoch = f->mod->epoch;
	return at;
}

u32 dag_values(DagFunc *f, IrRef r, u32 *n)
{
	switch (ir_kind(r)) {
	case IR_INST:
	case IR_ARG: return local_values(f, r, n);
	case IR_GLOBAL: {
		DagVal g = global_value(f, r);
		push(f, g);
		*n = 1;
		return f->pool.n - 1;
	}
	case IR_CONST: {
		if (ir_type_is_aggregate(f->m, ir_const(f->m, r)->type)) {
			u32 at = f->pool.n;
			push_const(f, r);
			*n = f->pool.n - at;
			return at;
		}
		DagVal c = scalar_const(f, r); /* may itself push what it is made of */
		push(f, c);
		*n = 1;
		return f->pool.n - 1;
	}
	default:
		dag_unsupported(f, f->line_of, "this operand");
		push(f, dag_undef(&f->dag, VT_I32));
		*n = 1;
		return f->pool.n - 1;
	}
}

DagVal dag_value(DagFunc *f, IrRef r)
{
	/* Constants do not go through the pool, to which the caller may be adding a list of leaves. */
	if (ir_kind(r) == IR_GLOBAL)
		return global_value(f, r);
	if (ir_kind(r) == IR_CONST && !ir_type_is_aggregate(f->m, ir_const(f->m, r)->type))
		return scalar_const(f, r);
	u32 n, at = dag_values(f, r, &n);
	return n ? f->pool.p[at] : dag_undef(&f->dag, VT_I32);
}

void dag_set_values(DagFunc *f, IrRef r, const DagVal *v, u32 n)
{
	DagHome *home = dag_home(f, r);
	u32      at = f->pool.n;
	bool     source = ir_kind(r) == IR_ARG ? !f->is_kernel : is_divergence_source(f->m, r);
	for (u32 i = 0; i < n; i++) {
		DagVal x = v[i]; /* v may point into the pool */
		if (source)
			dag_of(&f->dag, x)->props |= DP_DIVERGENT;
		push(f, x);
	}
	home->first = at;
	home->epoch = f->mod->epoch;
}

/* ---- registers ---- */

MirClass dag_class_of(DagVt legal)
{
	if (vt_is_packed(legal))
		return MIR_B32;
	switch (vt_kind(legal)) {
	case VTK_F16:
	case VTK_BF16: return MIR_B16;
	case VTK_F32: return MIR_F32;
	case VTK_F64: return MIR_F64;
	default:
		return vt_bits(legal) == 1    ? MIR_PRED
		       : vt_bits(legal) <= 16 ? MIR_B16
		       : vt_bits(legal) <= 32 ? MIR_B32
		       : vt_bits(legal) <= 64 ? MIR_B64
		                              : MIR_B128;
	}
}

/* Phis, and registers that nothing was copied to so far, are taken as divergent. */
bool dag_reg_is_uniform(const DagFunc *f, u32 reg) { return reg < f->uniform.n && f->uniform.p[reg]; }

u32 dag_export_reg(DagFunc *f, IrRef r)
{
	u32 *reg = &dag_home(f, r)->reg;
	if (*reg)
		return *reg;
	vec_push(&f->mod->arena, &dag_values_of(f, r)->stay, ir_index(r));
	DagLeaves l = {0};
	dag_leaves(f, ir_type_of(f->m, r), &l);
	for (u32 i = 0; i < l.n; i++) {
		DagVt part;
		u32   n = dag_reg_parts(l.p[i].vt, &part);
		for (u32 k = 0; k < n; k++) {
			MirReg x = mir_reg_new(f->mir, dag_class_of(part));
			if (!*reg)
				*reg = x.i;
		}
	}
	return *reg;
}
