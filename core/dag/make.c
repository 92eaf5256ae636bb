/* make.c: builders of particular nodes: constants, leaves, loads, stores, extensions; and reading constants. */
#include "dag/dag.h"
#include "sem/float.h"
#include "sem/int.h"

static DagVal leaf(Dag *d, DagOp op, DagVt vt, u64 k0, u64 k1, u32 aux)
{
	DagKind kind = {.opcode = (u16)op, .k = {k0, k1}, .aux = aux};
	u32     order = d->order, origin = d->origin;
	d->order = d->origin = 0; /* leaves have no place in the source */
	DagVal v = dag_node_of(d, &kind, &vt, 1, NULL, 0);
	d->order = order;
	d->origin = origin;
	return v;
}

static DagVal splat(Dag *d, DagVt vt, DagVal elem)
{
	u32     n = vt_lanes(vt);
	DagVal *ops = arena_array(d->arena, DagVal, n);
	for (u32 i = 0; i < n; i++)
		ops[i] = elem;
	return dag_node_n(d, DAG_BUILD_VECTOR, &vt, 1, ops, n);
}

DagVal dag_const2(Dag *d, DagVt vt, u64 lo, u64 hi)
{
	if (vt_is_vec(vt))
		return splat(d, vt, dag_const2(d, vt_elem(vt), lo, hi));
	u32 w = vt_bits(vt);
	if (w < 128)
		hi = w <= 64 ? 0 : sem_zext(hi, w - 64);
	return leaf(d, DAG_Constant, vt, w < 64 ? sem_zext(lo, w) : lo, hi, 0);
}

DagVal dag_of_words(Dag *d, DagVt vt, const DagVal *words, u32 n)
{
	DagVal r = words[0];
	for (u32 i = 1; i < n; i++) {
		u32 bits = vt_bits(dag_vt(d, r)) + vt_bits(dag_vt(d, words[i]));
		r = dag_2(d, DAG_BUILD_PAIR, i + 1 == n ? vt : VT_INT(bits), r, words[i]);
	}
	return r;
}

/* A constant node holds 128 bits; wider constants are pairs of them. */
DagVal dag_const_words(Dag *d, DagVt vt, const u64 *words, u32 n)
{
	u32 bits = vt_bits(vt), all = (bits + 63) / 64;
	while (n > 2 && !words[n - 1])
		n--;
	if (n <= 2)
		return dag_const2(d, vt, n ? words[0] : 0, n > 1 ? words[1] : 0);
	if (vt_is_vec(vt))
		return splat(d, vt, dag_const_words(d, vt_elem(vt), words, n));
	DagVal parts[VT_MAX_INT / 128 + 1];
	u32    n_parts = 0;
	for (u32 at = 0; at < all; at += 2) {
		u64 lo = at < n ? words[at] : 0, hi = at + 1 < n ? words[at + 1] : 0;
		parts[n_parts++] = dag_const2(d, at + 1 < all ? VT_I128 : VT_I64, lo, hi);
	}
	return dag_of_words(d, vt, parts, n_parts);
}

DagVal dag_all_ones(Dag *d, DagVt vt)
{
	u64 words[VT_MAX_INT / 64];
	u32 bits = vt_bits(vt), n = (bits + 63) / 64;
	memset(words, 0xFF, n * sizeof *words);
	words[n - 1] = sem_mask(bits - 64 * (n - 1));
	return dag_const_words(d, vt, words, n);
}

DagVal dag_one_bit(Dag *d, DagVt vt, u32 bit)
{
	u64 words[VT_MAX_INT / 64] = {0};
	words[bit / 64] = (u64)1 << bit % 64;
	return dag_const_words(d, vt, words, bit / 64 + 1);
}

DagVal dag_const(Dag *d, DagVt vt, u64 v) { return dag_const2(d, vt, v, 0); }
DagVal dag_tconst(Dag *d, DagVt vt, u64 v) { return leaf(d, DAG_TargetConstant, vt, v & vt_mask(vt), 0, 0); }

DagVal dag_fp(Dag *d, DagVt vt, u64 bits)
{
	if (vt_is_vec(vt))
		return splat(d, vt, dag_fp(d, vt_elem(vt), bits));
	return leaf(d, DAG_ConstantFP, vt, bits, 0, 0);
}
DagVal dag_tfp(Dag *d, DagVt vt, u64 bits) { return leaf(d, DAG_TargetConstantFP, vt, bits, 0, 0); }
DagVal dag_undef(Dag *d, DagVt vt) { return leaf(d, DAG_UNDEF, vt, 0, 0, 0); }
DagVal dag_global(Dag *d, DagOp op, DagVt vt, IrRef g, i64 offset) { return leaf(d, op, vt, g.i, (u64)offset, 0); }
DagVal dag_symbol(Dag *d, DagOp op, DagVt vt, StrId name, i64 offset) { return leaf(d, op, vt, name.i, (u64)offset, 0); }
DagVal dag_frame(Dag *d, DagOp op, DagVt vt, u32 object, i64 offset) { return leaf(d, op, vt, object, (u64)offset, 0); }
DagVal dag_reg(Dag *d, DagVt vt, MirReg r) { return leaf(d, DAG_Register, vt, r.i, 0, 0); }
DagVal dag_block(Dag *d, MirBlockId b) { return leaf(d, DAG_BasicBlock, VT_OF(VTK_UNTYPED, 0, 0), b.i, 0, 0); }
DagVal dag_gap(Dag *d, DagVt vt) { return leaf(d, DAG_TargetGap, vt, 0, 0, 0); }
DagVal dag_text(Dag *d, StrId text) { return leaf(d, DAG_TargetText, VT_OF(VTK_UNTYPED, 0, 0), text.i, 0, 0); }
DagVal dag_cond(Dag *d, DagCond c) { return leaf(d, DAG_CONDCODE, VT_OF(VTK_UNTYPED, 0, 0), c, 0, 0); }
DagVal dag_vtype(Dag *d, DagVt vt) { return leaf(d, DAG_VALUETYPE, VT_OF(VTK_UNTYPED, 0, 0), vt, 0, 0); }

DagVal dag_setcc(Dag *d, DagVal a, DagVal b, DagCond c)
{
	return dag_3(d, DAG_SETCC, vt_with(dag_vt(d, a), VT_I1), a, b, dag_cond(d, c));
}

DagVal dag_copy_from(Dag *d, DagVal chain, MirReg r, DagVt vt)
{
	DagVal ops[] = {chain, dag_reg(d, vt, r)};
	return dag_node_n(d, DAG_CopyFromReg, (DagVt[]){vt, VT_CHAIN}, 2, ops, 2);
}

DagVal dag_tokens(Dag *d, const DagVal *chains, u32 n)
{
	DagVal *ops = arena_array(d->arena, DagVal, n + 1);
	u32     k = 0;
	for (u32 i = 0; i < n; i++) {
		bool known = chains[i].n == d->entry.n;
		for (u32 j = 0; j < k && k < 8; j++)
			known |= dag_same(ops[j], chains[i]);
		if (!known)
			ops[k++] = chains[i];
	}
	if (k <= 1)
		return k ? ops[0] : d->entry;
	return dag_node_n(d, DAG_TokenFactor, (DagVt[]){VT_CHAIN}, 1, ops, k);
}

static DagVal resize(Dag *d, DagVal v, DagVt vt, DagOp widen)
{
	u32 from = vt_bits(dag_vt(d, v)), to = vt_bits(vt);
	return from == to ? v : dag_1(d, from < to ? widen : DAG_TRUNCATE, vt, v);
}
DagVal dag_zext_or_trunc(Dag *d, DagVal v, DagVt vt) { return resize(d, v, vt, DAG_ZERO_EXTEND); }
DagVal dag_sext_or_trunc(Dag *d, DagVal v, DagVt vt) { return resize(d, v, vt, DAG_SIGN_EXTEND); }
DagVal dag_any_or_trunc(Dag *d, DagVal v, DagVt vt) { return resize(d, v, vt, DAG_ANY_EXTEND); }

DagVal dag_or_all(Dag *d, DagVt vt, DagVal *v, u32 n)
{
	for (; n > 1; n = (n + 1) / 2)
		for (u32 i = 0; i < n; i += 2)
			v[i / 2] = i + 1 < n ? dag_2(d, DAG_OR, vt, v[i], v[i + 1]) : v[i];
	return v[0];
}

DagVal dag_not(Dag *d, DagVal v)
{
	DagVt vt = dag_vt(d, v);
	return dag_2(d, DAG_XOR, vt, v, dag_all_ones(d, vt));
}

DagVal dag_truth_as_fp(Dag *d, DagVt vt, DagVal p, bool is_signed)
{
	SemFmt fmt = dag_sem_fmt(vt);
	u64    one = sem_fpow2(fmt, 0) | (is_signed ? sem_fsign_bit(fmt) : 0);
	return dag_3(d, DAG_SELECT, vt, p, dag_fp(d, vt, one), dag_fp(d, vt, 0));
}

u32 dag_mem_new(Dag *d, DagMem mem)
{
	vec_push(d->arena, &d->mems, mem);
	return d->mems.n - 1;
}

DagVal dag_load(Dag *d, DagVt vt, DagVal chain, DagVal ptr, DagMem mem)
{
	DagNode like = {.opcode = DAG_LOAD, .mem = dag_mem_new(d, mem)};
	if (mem.mem.flags & MMF_VOLATILE)
		like.props |= DP_NO_CSE;
	if (mem.mem.space == AS_GENERIC || mem.mem.space == AS_LOCAL) /* .local differs between threads */
		like.props |= DP_DIVERGENT;
	return dag_node_like(d, &like, (DagVt[]){vt, VT_CHAIN}, 2, (DagVal[]){chain, ptr}, 2);
}

DagVal dag_store(Dag *d, DagVal chain, DagVal v, DagVal ptr, DagMem mem)
{
	DagNode like = {.opcode = DAG_STORE, .mem = dag_mem_new(d, mem), .props = DP_SIDE_EFFECT};
	return dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1, (DagVal[]){chain, v, ptr}, 3);
}

DagVal dag_ptr_add(Dag *d, DagVal ptr, i64 offset)
{
	DagVt vt = dag_vt(d, ptr);
	if (!offset)
		return ptr;
	return dag_2(d, DAG_ADD, vt, ptr, dag_const(d, vt, (u64)offset));
}

bool dag_read_const(const Dag *d, DagVal v, u64 *bits)
{
	const DagNode *x = dag_of(d, v);
	if (x->opcode == DAG_BUILD_VECTOR) {
		u64 first;
		if (!dag_as_const(d, dag_operand(d, x, 0), &first))
			return false;
		for (u32 i = 1; i < dag_n_ops(x); i++)
			if (!dag_same(dag_operand(d, x, i), dag_operand(d, x, 0)))
				return false;
		*bits = first;
		return true;
	}
	if (x->opcode != DAG_Constant || (vt_bits(x->vt[0]) > 64 && x->k[1]))
		return false;
	*bits = x->k[0];
	return true;
}

bool dag_as_fp(const Dag *d, DagVal v, u64 *bits)
{
	const DagNode *x = dag_of(d, v);
	if (x->opcode == DAG_BUILD_VECTOR) {
		for (u32 i = 1; i < dag_n_ops(x); i++)
			if (!dag_same(dag_operand(d, x, i), dag_operand(d, x, 0)))
				return false;
		return dag_as_fp(d, dag_operand(d, x, 0), bits);
	}
	if (x->opcode != DAG_ConstantFP)
		return false;
	*bits = x->k[0];
	return true;
}

bool dag_is_zero(const Dag *d, DagVal v) { return dag_is_const_of(d, v, 0); }

bool dag_is_all_ones(const Dag *d, DagVal v)
{
	const DagNode *x = dag_of(d, v);
	DagVt          vt = dag_vt(d, v);
	if (!dag_may_be_const(d, v))
		return false;
	if (x->opcode == DAG_Constant && vt_bits(vt) > 64)
		return vt_bits(vt) <= 128 && x->k[0] == ~(u64)0 && x->k[1] == sem_mask(vt_bits(vt) - 64);
	return dag_is_const_of(d, v, vt_mask(vt));
}
