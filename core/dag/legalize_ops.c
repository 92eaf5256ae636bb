/* legalize_ops.c: operations that PTX does not have on a legal type are replaced by operations that it has: on a wider type
 * (halves in f32, 16-bit counts in 32), in logic (predicates), or by dag_expand.
 *
 * Needs legal types. Users are visited before operands, then the nodes that were made, in their order, until none is left.
 * Nodes that were replaced are dropped at once, so that they are not merged with new ones. Linear in nodes. */
#include "dag/expand.h"
#include "dag/lower_target.h"
#include "isa/isa.h"

static DagVal arg(const Dag *d, u32 node, u32 i) { return dag_operand(d, dag_at(d, node), i); }
static void   done(Dag *d, u32 node, DagVal v) { dag_replace(d, dag_res(node, 0), v); }

/* ---- predicates ---- */

static bool predicate_op(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVal         a = arg(d, node, 0), b = dag_n_ops(n) > 1 ? arg(d, node, 1) : a;
	switch ((DagOp)n->opcode) {
	case DAG_ADD:
	case DAG_SUB: done(d, node, dag_2(d, DAG_XOR, VT_I1, a, b)); return true;
	case DAG_MUL:
	case DAG_UMIN:
	case DAG_SMAX: done(d, node, dag_2(d, DAG_AND, VT_I1, a, b)); return true;
	case DAG_UMAX:
	case DAG_SMIN: done(d, node, dag_2(d, DAG_OR, VT_I1, a, b)); return true;
	case DAG_SDIV:
	case DAG_UDIV:
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA:
	case DAG_ABS:
	case DAG_ROTL:
	case DAG_ROTR:
	case DAG_CTPOP:
	case DAG_BITREVERSE: done(d, node, a); return true;
	case DAG_SREM:
	case DAG_UREM:
	case DAG_MULHU: done(d, node, dag_const(d, VT_I1, 0)); return true;
	case DAG_CTLZ:
	case DAG_CTTZ: done(d, node, dag_not(d, a)); return true;
	case DAG_SELECT: {
		DagVal t = arg(d, node, 1), e = arg(d, node, 2);
		if (dag_op(d, t) == DAG_TRUNCATE && dag_op(d, e) == DAG_TRUNCATE) {
			/* Both arms are truncated numbers: select the number, and truncate it. */
			DagVt of = dag_vt(d, dag_arg(d, t, 0)),
			      in = of == VT_I16 && dag_vt(d, dag_arg(d, e, 0)) == of ? of : VT_I32;
			DagVal x = dag_any_or_trunc(d, dag_arg(d, t, 0), in), y = dag_any_or_trunc(d, dag_arg(d, e, 0), in);
			done(d, node, dag_1(d, DAG_TRUNCATE, VT_I1, dag_3(d, DAG_SELECT, in, a, x, y)));
			return true;
		}
		DagVal x = dag_2(d, DAG_AND, VT_I1, a, t), y = dag_2(d, DAG_AND, VT_I1, dag_not(d, a), e);
		done(d, node, dag_2(d, DAG_OR, VT_I1, x, y));
		return true;
	}
	default: return false;
	}
}

/* Comparison of predicates, where true is 1, or -1 as a signed number. */
static void compare_predicates(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagVal  a = arg(d, node, 0), b = arg(d, node, 1), r;
	DagCond c = (DagCond)dag_of(d, arg(d, node, 2))->k[0];
	switch (c) {
	case IRP_I_NE: r = dag_2(d, DAG_XOR, VT_I1, a, b); break;
	case IRP_I_UGT:
	case IRP_I_SLT: r = dag_2(d, DAG_AND, VT_I1, a, dag_not(d, b)); break;
	case IRP_I_ULT:
	case IRP_I_SGT: r = dag_2(d, DAG_AND, VT_I1, dag_not(d, a), b); break;
	case IRP_I_UGE:
	case IRP_I_SLE: r = dag_2(d, DAG_OR, VT_I1, a, dag_not(d, b)); break;
	case IRP_I_ULE:
	case IRP_I_SGE: r = dag_2(d, DAG_OR, VT_I1, dag_not(d, a), b); break;
	default: r = dag_not(d, dag_2(d, DAG_XOR, VT_I1, a, b)); break;
	}
	done(d, node, r);
}

/* ---- memory ---- */

static void load_predicate(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	m.vt = VT_I8;
	m.ext = DEXT_ANY;
	DagVal l = dag_load(d, VT_I16, arg(d, node, 0), arg(d, node, 1), m);
	dag_replace(d, dag_res(node, 1), dag_res(l.n, 1));
	done(d, node, dag_1(d, DAG_TRUNCATE, VT_I1, l));
}

static void store_predicate(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	m.vt = VT_I8;
	DagVal v = dag_1(d, DAG_ZERO_EXTEND, VT_I16, arg(d, node, 1));
	done(d, node, dag_store(d, arg(d, node, 0), v, arg(d, node, 2), m));
}

static bool is_misaligned(const DagMem *m)
{
	u32 bytes = vt_size(m->vt) / 8;
	return bytes > 1 && ((u32)1 << m->mem.align_log2) < bytes;
}

/* The address `offset` bytes further; it may be the name of a parameter. */
static DagVal further(Dag *d, DagVal ptr, u32 offset)
{
	const DagNode *s = dag_of(d, ptr);
	if (s->opcode == DAG_TargetExternalSymbol)
		return dag_symbol(d, DAG_TargetExternalSymbol, s->vt[0], (StrId){(u32)s->k[0]}, (i64)s->k[1] + offset);
	return dag_ptr_add(d, ptr, offset);
}

/* Is the value used by extractions of its elements alone, more than one? */
static bool is_taken_apart(const Dag *d, DagVal v)
{
	u32 users = 0;
	u64 i;
	dag_each_use(d, v.n, u) {
		const DagNode *x = dag_at(d, dag_use(d, u)->user);
		if (dag_use(d, u)->val.r != v.r)
			continue;
		if (x->opcode != DAG_EXTRACT_VECTOR_ELT || !dag_as_const(d, dag_operand(d, x, 1), &i) || i > 1)
			return false;
		users++;
	}
	return users > 1;
}

/* Two packed elements that are only used one by one are loaded into two registers. */
static void load_elements(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	DagVal  v = dag_res(node, 0);
	u64     i;
	if (m.ext || (m.mem.flags & MMF_VOLATILE) || m.mem.ordering || m.nc == DAG_LDU)
		return;
	if (n.vt[0] == VT_I32 && dag_has_one_use(d, v)) /* a parameter, cast to the vector */
		dag_each_use(d, node, u)
			if (dag_use(d, u)->val.r == 0 && dag_at(d, dag_use(d, u)->user)->opcode == DAG_BITCAST)
				v = dag_res(dag_use(d, u)->user, 0);
	DagVt e = vt_elem(dag_vt(d, v));
	if (!vt_is_packed(dag_vt(d, v)) || vt_bits(e) != 16 || !is_taken_apart(d, v))
		return;
	m.vt = e;
	DagNode like = {.opcode = DAG_LOADV, .mem = dag_mem_new(d, m), .props = n.props & DP_DIVERGENT};
	DagVal  l = dag_node_like(d, &like, (DagVt[]){e, e, VT_CHAIN}, 3, (DagVal[]){arg(d, node, 0), arg(d, node, 1)}, 2);
	dag_each_use(d, v.n, u) {
		u32 user = dag_use(d, u)->user;
		if (dag_at(d, user)->opcode == DAG_EXTRACT_VECTOR_ELT && dag_as_const(d, arg(d, user, 1), &i))
			dag_replace(d, dag_res(user, 0), dag_res(l.n, (u32)i));
	}
	dag_replace(d, dag_res(node, 1), dag_res(l.n, 2));
}

/* The integer of `count` pieces of `bits` each, low first: halves of halves, so that a store of halves or bytes finds its own again.
 * 64 bits are a pair of words. */
static DagVal joined(Dag *d, const DagVal *pieces, u32 count, u32 bits)
{
	if (count == 1)
		return pieces[0];
	u32    half = count / 2 * bits;
	DagVal low = joined(d, pieces, count / 2, bits), high = joined(d, pieces + count / 2, count / 2, bits);
	DagVt  vt = dag_vt(d, low);
	if (half == 32)
		return dag_2(d, DAG_BUILD_PAIR, VT_I64, low, high);
	return dag_2(d, DAG_OR, vt, dag_2(d, DAG_SHL, vt, high, dag_const(d, VT_I32, half)), low);
}

/* Loads as wide as the alignment, joined to an integer in words. */
static void load_misaligned(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	u32     bytes = vt_size(m.vt) / 8, piece = 1u << m.mem.align_log2, count = bytes / piece;
	DagVt   it = VT_INT(bytes * 8), pt = VT_INT(piece * 8), vt = n.vt[0];
	DagVal  pieces[8], chains[8], chain = arg(d, node, 0), ptr = arg(d, node, 1);
	for (u32 i = 0; i < count; i++) {
		DagMem one = m;
		one.vt = pt;
		one.ext = (u8)(pt == VT_I32 ? DEXT_NONE : i + 1 == count && m.ext == DEXT_SIGN ? DEXT_SIGN : DEXT_ZERO);
		one.mem.size = piece;
		one.mem.offset += i * piece;
		pieces[i] = dag_load(d, VT_I32, chain, further(d, ptr, i * piece), one);
		chains[i] = dag_res(pieces[i].n, 1);
	}
	DagVal r = joined(d, pieces, count, piece * 8);
	if (vt_is_sint(vt))
		r = m.ext == DEXT_SIGN ? dag_sext_or_trunc(d, r, vt) : dag_zext_or_trunc(d, r, vt);
	else
		r = dag_1(d, DAG_BITCAST, vt, dag_any_or_trunc(d, r, it));
	dag_replace(d, dag_res(node, 1), dag_tokens(d, chains, count));
	done(d, node, r);
}

static void store_misaligned(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	u32 bytes = vt_size(m.vt) / 8, piece = 1u << m.mem.align_log2, count = bytes / piece, in_word = PS_MIN(bytes, 4u) / piece;
	DagVt  it = VT_INT(bytes * 8), pt = VT_INT(piece * 8);
	DagVal chains[8], chain = arg(d, node, 0), v = arg(d, node, 1), ptr = arg(d, node, 2), words[2];
	v = vt_is_sint(dag_vt(d, v)) ? dag_any_or_trunc(d, v, it) : dag_1(d, DAG_BITCAST, it, v);
	for (u32 i = 0; i < 2; i++)
		words[i] = it == VT_I64 ? dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, v, dag_const(d, VT_I32, i))
		                        : dag_any_or_trunc(d, v, VT_I32);
	for (u32 i = 0; i < count; i++) {
		DagMem one = m;
		one.vt = pt;
		one.mem.size = piece;
		one.mem.offset += i * piece;
		u32    at = i % in_word * piece * 8;
		DagVal x = words[i / in_word];
		x = at ? dag_2(d, DAG_SRL, VT_I32, x, dag_const(d, VT_I32, at)) : x;
		x = dag_any_or_trunc(d, x, piece == 1 ? VT_I16 : pt);
		chains[i] = dag_store(d, chain, x, dag_ptr_add(d, ptr, (i64)i * piece), one);
	}
	done(d, node, dag_tokens(d, chains, count));
}

/* ---- in a wider type ---- */

/* Halves are computed in f32. The second rounding is innocuous for + - * / and sqrt of f16 and bf16, as f32 has more than twice
 * their precision (S. A. Figueroa, "When is double rounding innocuous?", 1995). A product and a sum at once are not: where they come
 * near the middle of two halves, they have 34 bits for f16, which f64 holds. */
static bool in_float(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagVt   vt = n.vt[0], wide = n.opcode == DAG_FMA && vt == VT_F16 ? VT_F64 : VT_F32;
	DagVal  ops[3];
	u32     k = dag_n_ops(&n);
	if (k > 3)
		return false;
	for (u32 i = 0; i < k; i++) {
		ops[i] = arg(d, node, i);
		if (vt_is_half(dag_vt(d, ops[i])))
			ops[i] = dag_1(d, DAG_FP_EXTEND, wide, ops[i]);
	}
	DagVal r = dag_flagged(d, (DagOp)n.opcode, vt_is_half(vt) ? wide : vt, ops, k, n.flags);
	done(d, node, vt_is_half(vt) ? dag_1(d, DAG_FP_ROUND, vt, r) : r);
	return true;
}

static bool in_32_bits(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagVal  a = dag_1(d, DAG_ZERO_EXTEND, VT_I32, arg(d, node, 0));
	DagVal  r = dag_1(d, (DagOp)n.opcode, VT_I32, a);
	if (n.opcode == DAG_CTLZ)
		r = dag_2(d, DAG_ASSERT_ZEXT, VT_I32, dag_2(d, DAG_SUB, VT_I32, r, dag_const(d, VT_I32, 16)),
		          dag_vtype(d, VT_I8));
	if (n.opcode == DAG_BITREVERSE)
		r = dag_2(d, DAG_SRL, VT_I32, r, dag_const(d, VT_I32, 16));
	done(d, node, dag_1(d, DAG_TRUNCATE, VT_I16, r));
	return true;
}

/* ---- conversions ---- */

/* cvt between bf16 and types other than f32. */
static bool has_cvt_bf16(const DagFunc *f) { return isa_has(f->s, ptx_opc(cvt, PS(rnd, rn), TY(bf16), STY(s32))); }
static bool has_cvt_bf16_f32(const DagFunc *f) { return isa_has(f->s, ptx_opc(cvt, PS(rnd, rn), TY(bf16), STY(f32))); }
static bool has_cvt_f32_bf16(const DagFunc *f) { return isa_has(f->s, ptx_opc(cvt, TY(f32), STY(bf16))); }

/* bf16 is the upper half of an f32. */
static DagVal bf16_to_f32(Dag *d, DagVal v)
{
	DagVal bits = dag_1(d, DAG_ZERO_EXTEND, VT_I32, dag_1(d, DAG_BITCAST, VT_I16, v));
	return dag_1(d, DAG_BITCAST, VT_F32, dag_2(d, DAG_SHL, VT_I32, bits, dag_const(d, VT_I32, 16)));
}

/* Rounds to nearest even: add 0x7FFF, and 1 more where the upper half is odd, before truncation. NaNs are made quiet instead. */
static DagVal f32_to_bf16(Dag *d, DagVal v)
{
	DagVal bits = dag_1(d, DAG_BITCAST, VT_I32, v);
	DagVal odd =
		dag_2(d, DAG_AND, VT_I32, dag_2(d, DAG_SRL, VT_I32, bits, dag_const(d, VT_I32, 16)), dag_const(d, VT_I32, 1));
	DagVal r = dag_2(d, DAG_ADD, VT_I32, dag_2(d, DAG_ADD, VT_I32, odd, bits), dag_const(d, VT_I32, 0x7FFF));
	DagVal quiet = dag_2(d, DAG_OR, VT_I32, bits, dag_const(d, VT_I32, 0x400000));
	r = dag_3(d, DAG_SELECT, VT_I32, dag_setcc(d, v, v, IRP_UNO), quiet, r);
	DagVal top = dag_1(d, DAG_TRUNCATE, VT_I16, dag_2(d, DAG_SRL, VT_I32, r, dag_const(d, VT_I32, 16)));
	return dag_1(d, DAG_BITCAST, VT_BF16, top);
}

static bool convert(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagVal  a = arg(d, node, 0);
	DagVt   vt = n.vt[0], from = dag_vt(d, a);
	bool    bf = vt_kind(vt) == VTK_BF16 || vt_kind(from) == VTK_BF16;
	switch ((DagOp)n.opcode) {
	case DAG_SINT_TO_FP:
	case DAG_UINT_TO_FP:
		if (dag_op(d, a) == DAG_SETCC && from == VT_I1) {
			done(d, node, dag_truth_as_fp(d, vt, a, n.opcode == DAG_SINT_TO_FP));
			return true;
		}
		if (from == VT_I1) {
			DagVal x = dag_1(d, n.opcode == DAG_SINT_TO_FP ? DAG_SIGN_EXTEND : DAG_ZERO_EXTEND, VT_I32, a);
			done(d, node, dag_1(d, (DagOp)n.opcode, vt, x));
			return true;
		}
		if (!bf || has_cvt_bf16(f))
			return false;
		done(d, node, dag_1(d, DAG_FP_ROUND, vt, dag_1(d, (DagOp)n.opcode, VT_F32, a)));
		return true;
	case DAG_FP_TO_SINT:
	case DAG_FP_TO_UINT:
		if (vt == VT_I1) {
			done(d, node, dag_1(d, DAG_TRUNCATE, VT_I1, dag_1(d, (DagOp)n.opcode, VT_I32, a)));
			return true;
		}
		if (!bf || has_cvt_bf16(f))
			return false;
		done(d, node, dag_1(d, (DagOp)n.opcode, vt, dag_1(d, DAG_FP_EXTEND, VT_F32, a)));
		return true;
	case DAG_FP_EXTEND:
		if (!bf || has_cvt_bf16(f) || (vt == VT_F32 && has_cvt_f32_bf16(f)))
			return false;
		if (vt == VT_F64)
			done(d, node, dag_1(d, DAG_FP_EXTEND, VT_F64, dag_1(d, DAG_FP_EXTEND, VT_F32, a)));
		else
			done(d, node, bf16_to_f32(d, a));
		return true;
	case DAG_FP_ROUND:
		if (!bf)
			return false;
		if (from == VT_F64 && has_cvt_bf16(f))
			return false;
		if (from == VT_F64)
			done(d, node, dag_1(d, DAG_FP_ROUND, vt, dag_1(d, DAG_FP_ROUND, VT_F32, a)));
		else if (from == VT_F32 && !has_cvt_bf16_f32(f))
			done(d, node, f32_to_bf16(d, a));
		else if (from == VT_F16 || vt == VT_F16)
			done(d, node, dag_1(d, DAG_FP_ROUND, vt, dag_1(d, DAG_FP_EXTEND, VT_F32, a)));
		else
			return false;
		return true;
	default: return false;
	}
}

/* ---- the rest ---- */

static void swap_bytes(DagFunc *f, u32 node)
{
	Dag   *d = &f->dag;
	DagVal a = arg(d, node, 0);
	DagVt  vt = dag_vt(d, a);
	DagVal order = dag_const(d, VT_I32, 0x0123), zero = dag_const(d, VT_I32, 0);
	if (vt == VT_I16) { /* the upper bytes from the zero */
		DagVal w = dag_3(d, DAG_PRMT, VT_I32, dag_1(d, DAG_ANY_EXTEND, VT_I32, a), zero, dag_const(d, VT_I32, 0x4401));
		done(d, node, dag_1(d, DAG_TRUNCATE, VT_I16, w));
		return;
	}
	if (vt == VT_I32) {
		done(d, node, dag_3(d, DAG_PRMT, VT_I32, a, zero, order));
		return;
	}
	DagVal lo = dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, a, dag_const(d, VT_I32, 0)),
	       hi = dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, a, dag_const(d, VT_I32, 1));
	done(d, node,
	     dag_2(d, DAG_BUILD_PAIR, VT_I64, dag_3(d, DAG_PRMT, VT_I32, hi, zero, order),
	           dag_3(d, DAG_PRMT, VT_I32, lo, zero, order)));
}

static bool in_register(DagFunc *f, u32 node)
{
	Dag   *d = &f->dag;
	DagVal a = arg(d, node, 0);
	DagVt  vt = dag_vt(d, a), of = (DagVt)dag_of(d, arg(d, node, 1))->k[0];
	u32    w = vt_bits(of);
	if (w == 8 || w == 16 || w == 32)
		return false;
	if (vt != VT_I16) {
		done(d, node, dag_3(d, DAG_BFE_S, vt, a, dag_const(d, VT_I32, 0), dag_const(d, VT_I32, w)));
		return true;
	}
	DagVal n = dag_const(d, VT_I32, 16 - w);
	done(d, node, dag_2(d, DAG_SRA, vt, dag_2(d, DAG_SHL, vt, a, n), n));
	return true;
}

static bool atomic(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagVal  v = arg(d, node, 2);
	DagVt   vt = dag_vt(d, v);
	if (n.k[0] == IRRMW_SUB) {
		n.k[0] = IRRMW_ADD;
		v = dag_2(d, DAG_SUB, vt, dag_const(d, vt, 0), v);
	} else if (n.k[0] == IRRMW_FSUB) {
		n.k[0] = IRRMW_FADD;
		v = dag_1(d, DAG_FNEG, vt, v);
	} else {
		return false;
	}
	DagVal r = dag_node_like(d, &n, (DagVt[]){vt, VT_CHAIN}, 2, (DagVal[]){arg(d, node, 0), arg(d, node, 1), v}, 3);
	dag_replace(d, dag_res(node, 1), dag_res(r.n, 1));
	done(d, node, r);
	return true;
}

/* Reports a function that no instruction computes and no pass has replaced. */
static bool no_function(DagFunc *f, const DagNode *n)
{
	if (!f->failed)
		diag_report(&f->s->diags, DIAG_CANNOT_SELECT_NODE, (SrcRange){n->origin, 0, n->origin, 0}, STR_ARG(f->name),
		            STR_ARG(str_of(dag_op_info[n->opcode].name)));
	f->failed = true;
	return true;
}

static bool special(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVt          vt = dag_n_results(n) ? dag_result_vt(d, n, 0) : VT_NONE;
	switch ((DagOp)n->opcode) {
	case DAG_LOAD:
		if (vt == VT_I1)
			load_predicate(f, node);
		else if (is_misaligned(dag_mem(d, n)))
			load_misaligned(f, node);
		else if (vt_is_packed(vt) || vt == VT_I32)
			load_elements(f, node);
		return true;
	case DAG_STORE:
		if (dag_vt(d, arg(d, node, 1)) == VT_I1)
			store_predicate(f, node);
		else if (is_misaligned(dag_mem(d, n)))
			store_misaligned(f, node);
		return true;
	case DAG_SETCC:
		if (dag_vt(d, arg(d, node, 0)) == VT_I1)
			compare_predicates(f, node);
		else if (vt_is_half(dag_vt(d, arg(d, node, 0))) && !dag_is_legal_op(f, DAG_SETCC, dag_vt(d, arg(d, node, 0))))
			in_float(f, node);
		return true;
	case DAG_SINT_TO_FP:
	case DAG_UINT_TO_FP:
	case DAG_FP_TO_SINT:
	case DAG_FP_TO_UINT:
	case DAG_FP_EXTEND:
	case DAG_FP_ROUND: convert(f, node); return true;
	case DAG_BSWAP:
		if (vt == VT_V2I16) {
			DagVal w = dag_1(d, DAG_BITCAST, VT_I32, arg(d, node, 0));
			w = dag_3(d, DAG_PRMT, VT_I32, w, dag_const(d, VT_I32, 0), dag_const(d, VT_I32, 0x2301));
			done(d, node, dag_1(d, DAG_BITCAST, VT_V2I16, w));
			return true;
		}
		if (vt == VT_I16 || vt == VT_I32 || vt == VT_I64)
			swap_bytes(f, node);
		else
			return false;
		return true;
	case DAG_SIGN_EXTEND_INREG: in_register(f, node); return true;
	case DAG_ATOMIC_RMW: atomic(f, node); return true;
	case DAG_FCOPYSIGN:
		if (vt == dag_vt(d, arg(d, node, 1)) && vt_bits(vt) >= 32)
			return true;
		return false;
	case DAG_FSIN:
	case DAG_FCOS:
	case DAG_FLOG2:
	case DAG_FEXP2:
		/* ex2.approx is accurate to 2 units in the last place, which is enough for exp2. */
		if (vt == VT_F32 && dag_computes_roughly(f, (DagOp)n->opcode, n->flags))
			return true;
		if (vt_is_half(vt))
			return false;
		return no_function(f, n);
	case DAG_FPOW: return no_function(f, n);
	default: return false;
	}
}

/* Is the legality of the operation asked by the type of its result? */
static bool is_typed_op(DagOp op)
{
	return (op >= DAG_ADD && op <= DAG_USHLSAT) || (op >= DAG_SADDO && op <= DAG_UMULO) || op == DAG_SELECT ||
	       (op >= DAG_FADD && op <= DAG_FCANONICALIZE) || op == DAG_FP_TO_SINT_SAT || op == DAG_FP_TO_UINT_SAT;
}

static void legalize(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagOp          op = (DagOp)n->opcode;
	if (op == DAG_DELETED)
		return;
	d->order = n->order;
	d->origin = n->origin;
	if (special(f, node) || !is_typed_op(op))
		return;
	DagVt vt = n->vt[0];
	if (dag_is_legal_op(f, op, vt))
		return;
	if (vt == VT_I1 && predicate_op(f, node))
		return;
	if (op == DAG_SELECT)
		return;
	if (vt == VT_I16 && (op == DAG_CTLZ || op == DAG_CTPOP || op == DAG_BITREVERSE) && in_32_bits(f, node))
		return;
	DagVal out[2];
	if (dag_expand(f, node, out)) {
		for (u32 r = dag_n_results(dag_at(d, node)); r-- > 0;)
			dag_replace(d, dag_res(node, r), out[r]);
		return;
	}
	if (vt_is_half(vt) || (dag_n_ops(n) && vt_is_half(dag_vt(d, arg(d, node, 0)))))
		in_float(f, node);
}

static void legalize_and_drop(DagFunc *f, u32 node)
{
	legalize(f, node);
	dag_drop(&f->dag, node);
}

void dag_legalize_ops(DagFunc *f)
{
	Dag   *d = &f->dag;
	VecU32 order = {0};
	dag_topological(d, &f->scratch, &order);
	u32 made = d->n_nodes;
	for (u32 i = order.n; i-- > 0 && !f->failed;)
		legalize_and_drop(f, order.p[i]);
	for (u32 n = made; n < d->n_nodes && !f->failed; n++)
		if (dag_at(d, n)->use_count)
			legalize_and_drop(f, n);
	d->order = d->origin = 0;
}
