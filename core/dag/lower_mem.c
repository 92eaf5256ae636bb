/* lower_mem.c: loads, stores, stack memory, atomics, and copies of memory of a known small size.
 *
 *	load atomic i32 seq_cst    fence.sc; ld.acquire (sm_70 on)          membar; ld.volatile; membar (before)
 *	load, !invariant.load,     ld.global.nc (which loads those are: irpass/ldgxform.c)
 *	of global memory
 *
 * Larger or unknown copies are loops (irpass/nvptx_lower_aggr_copies.c), and atomics that the target lacks are
 * compare-exchange loops (irpass/atomic_expand.c). Linear in the leaves of the type that is accessed. */
#include "analysis/alignment.h"
#include "dag/lower_target.h"
#include "ir/intrinsic.h"
#include "isa/isa.h"

enum { MOST_ALIGN_LOG2 = 28 }; /* no access needs more, and 8 << it is still a number of 32 bits */

/* That the access states, or that is known of the address. */
static u32 align_log2(DagFunc *f, IrRef inst, IrRef ptr, IrType t)
{
	u8  a = ir_inst(f->m, inst)->align;
	u32 stated = a ? (u32)(a - 1) : u64_log2(PS_MAX(ir_abi_align(f->m, t), 1u));
	return PS_MIN(PS_MAX(stated, u64_log2(pointer_align(f->m, ptr))), MOST_ALIGN_LOG2);
}

static u32 space_of(DagFunc *f, IrRef ptr) { return ir_type(f->m, ir_scalar_type(f->m, ir_type_of(f->m, ptr)))->bits; }

/* Code that is never executed may contain a store to constant memory, which ptxas accepts with a generic address only. */
static DagVal written(DagFunc *f, IrRef ptr)
{
	DagVal p = dag_value(f, ptr);
	return space_of(f, ptr) == AS_CONST ? dag_pointer_cast(f, p, AS_CONST, 0) : p;
}

static bool exchanges(DagFunc *f, IrRef inst)
{
	u32 op = ir_inst(f->m, inst)->op;
	return op == IR_ATOMICRMW || op == IR_CMPXCHG;
}

/* Are the orderings of atomicrmw and cmpxchg left out, as those of CUDA's atomics? */
static bool is_relaxed(DagFunc *f, IrRef inst) { return exchanges(f, inst) && knob_int(f->s, KNOB_nvptx_rmw_ordering) == 1; }

/* Does the access meet none of another thread's? */
static bool is_private(DagFunc *f, IrRef inst)
{
	return space_of(f, ir_op(f->m, inst, ir_inst(f->m, inst)->op == IR_STORE)) == AS_LOCAL;
}

/* What a scope is called where it is not the system's or the thread's. */
static void check_scope(DagFunc *f, IrRef inst)
{
	static const char *const known[] = {"", "singlethread", "block", "cluster", "device"};
	const IrInstInfo        *info = ir_info(f->m, inst);
	Str name = info->scope < f->m->scopes.n ? ir_str(f->m, (StrId){f->m->scopes.p[info->scope]}) : STR("");
	for (u32 i = 0; i < PS_COUNT(known); i++)
		if (str_is(name, known[i]))
			return;
	if (!f->failed)
		diag_report(&f->s->diags, DIAG_UNKNOWN_SCOPE, (SrcRange){info->origin, 0, info->origin, 0}, STR_ARG(f->name),
		            STR_ARG(name));
	f->failed = true;
}

/* Reports an atomic access that PTX cannot make in one piece. Memory of one thread may be accessed in several. */
static bool is_misaligned(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	if (i->order <= IRO_NOT_ATOMIC || is_atomic_aligned(f->m, inst) || is_private(f, inst))
		return false;
	u32 line = ir_info(f->m, inst)->origin;
	u32 size = (u32)atomic_size(f->m, inst);
	if (!f->failed)
		diag_report(&f->s->diags, DIAG_ATOMIC_ALIGN, (SrcRange){line, 0, line, 0}, STR_ARG(f->name),
		            ir_op_info[i->op].name, size, size, atomic_align(f->m, inst));
	return f->failed = true;
}

/* Is only the order among the accesses of one thread asked for? The machine keeps that by itself. */
static bool is_within_thread(DagFunc *f, IrRef inst) { return ir_info(f->m, inst)->scope == IR_SCOPE_SINGLETHREAD; }

/* The ordering that the access gets. */
static u32 order_of(DagFunc *f, IrRef inst)
{
	u32  order = ir_inst(f->m, inst)->order;
	bool none = is_within_thread(f, inst) || is_relaxed(f, inst) || is_private(f, inst);
	return order > IRO_MONOTONIC && none ? IRO_MONOTONIC : order;
}

static MirMem record(DagFunc *f, IrRef inst, IrRef ptr, DagVt vt, u64 offset, u32 align_log, u32 flags)
{
	const IrInst *i = ir_inst(f->m, inst);
	MirMem        m = {.offset = (i64)offset,
	                   .size = (vt_size(vt) + 7) / 8,
	                   .value = ptr.i,
	                   .space = (u16)space_of(f, ptr),
	                   .align_log2 = (u8)dag_align_at(align_log, offset),
	                   .flags = (u8)flags};
	if (flags & MMF_STORE && m.space == AS_CONST)
		m.space = 0;
	if (i->flags & IRF_VOLATILE)
		m.flags |= MMF_VOLATILE;
	if (i->order > IRO_NOT_ATOMIC) {
		m.ordering = (u8)order_of(f, inst);
		m.scope = ir_info(f->m, inst)->scope;
		check_scope(f, inst);
	}
	return m;
}

/* A sequentially consistent access has a fence in front of it; before sm_70 all orderings are made by fences. A fence within
 * one thread, as of std::atomic_signal_fence, orders the DAG only. */
static void fence_node(DagFunc *f, IrRef inst)
{
	DagNode like = {.opcode = DAG_FENCE,
	                .k = {ir_inst(f->m, inst)->order, ir_info(f->m, inst)->scope},
	                .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVal  root = dag_root(f);
	check_scope(f, inst);
	if (is_within_thread(f, inst)) {
		f->dag.root = root;
		return;
	}
	f->dag.root = dag_node_like(&f->dag, &like, (DagVt[]){VT_CHAIN}, 1, &root, 1);
}

static void fence_before(DagFunc *f, IrRef inst)
{
	u32 order = order_of(f, inst);
	if (order != IRO_SEQ_CST && (dag_has_orderings(f) || (order != IRO_RELEASE && order != IRO_ACQ_REL)))
		return;
	fence_node(f, inst);
	if (exchanges(f, inst))
		pass_remark(f->cx, REMARK_MISSED, ir_info(f->m, inst)->origin,
		            "a fence keeps the ordering of the %s, and costs more than it: "
		            "-nvptx-rmw-ordering=relaxed takes it as CUDA's atomics, which order nothing",
		            ir_op_info[ir_inst(f->m, inst)->op].name);
}

static void fence_after(DagFunc *f, IrRef inst)
{
	u32 order = order_of(f, inst);
	if (!dag_has_orderings(f) && (order == IRO_ACQUIRE || order == IRO_ACQ_REL || order == IRO_SEQ_CST))
		fence_node(f, inst);
}

static DagVal chained(DagFunc *f, const DagNode *like, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n)
{
	DagVal v = dag_node_like(&f->dag, like, vts, n_vts, ops, n);
	f->dag.root = dag_res(v.n, n_vts - 1);
	return v;
}

/* ---- atomics of 128 bits: PTX has exchange and compare-exchange only */

/* Exchanges memory with `give`, or, where `expected` is a value, if memory equals it. Returns the old value; none, after a
 * message, if the target lacks the instruction. */
static DagVal atomic_128(DagFunc *f, IrRef inst, IrRef ptr, DagVal expected, DagVal give)
{
	Dag *d = &f->dag;
	if (dag_vt(d, give) != VT_I128 ||
	    !isa_has(f->s, ptx_opc(atom, PS(sem, relaxed), PS(scope, sys), PS(op, exch), TY(b128)))) {
		dag_unsupported(f, inst, "an atomic access of more than 64 bits (128 are there from sm_90 and PTX 8.4 on)");
		return DAG_NONE;
	}
	bool   cas = dag_is(expected);
	DagMem m = {.vt = VT_B128};
	m.mem = record(f, inst, ptr, VT_B128, 0, 4, MMF_LOAD | MMF_STORE);
	DagNode like = {.opcode = cas ? DAG_ATOMIC_CMPXCHG : DAG_ATOMIC_RMW,
	                .props = DP_SIDE_EFFECT | DP_NO_CSE,
	                .mem = dag_mem_new(d, m)};
	like.k[0] = cas ? IRO_MONOTONIC : IRRMW_XCHG;
	DagVal p = written(f, ptr), b = dag_pack_b128(f, give), a = cas ? dag_pack_b128(f, expected) : b;
	fence_before(f, inst);
	DagVal ops[] = {dag_root(f), p, a, b};
	DagVal old = chained(f, &like, (DagVt[]){VT_B128, VT_CHAIN}, 2, ops, cas ? 4 : 3);
	fence_after(f, inst);
	return dag_unpack_b128(f, old);
}

static bool is_wide_atomic(DagFunc *f, IrRef inst, IrType t)
{
	return ir_inst(f->m, inst)->order > IRO_NOT_ATOMIC && ir_size_bits(f->m, t) > 64;
}

/* ---- loads of memory that is never written while the kernel runs */

static IrRef underlying(DagFunc *f, IrRef p)
{
	for (u32 i = 0; i < 64; i++) {
		if (ir_kind(p) != IR_INST) {
			if (ir_kind(p) == IR_CONST && ir_const(f->m, p)->kind == IRC_EXPR) {
				p = ir_const_op(f->m, p, 0);
				continue;
			}
			return p;
		}
		u32 op = ir_inst(f->m, p)->op;
		if (op != IR_GETELEMENTPTR && op != IR_BITCAST && op != IR_ADDRSPACECAST)
			return p;
		p = ir_op(f->m, p, 0);
	}
	return p;
}

static bool is_invariant(DagFunc *f, IrRef inst) { return ir_attached(f->m, inst, "invariant.load").i != 0; }

static bool is_constant_global(DagFunc *f, IrRef ptr)
{
	IrRef base = underlying(f, ptr);
	return ir_kind(base) == IR_GLOBAL && ir_global(f->m, base)->kind == IRG_VAR &&
	       (ir_global(f->m, base)->flags & IRGF_CONSTANT);
}

/* ld.global.nc: global memory that the input or ldgxform says nobody writes, on sm_32 and later. */
static bool may_be_non_coherent(DagFunc *f, IrRef inst, IrRef ptr)
{
	const IrInst *i = ir_inst(f->m, inst);
	return is_invariant(f, inst) && space_of(f, ptr) == AS_GLOBAL && !(i->flags & IRF_VOLATILE) &&
	       i->order <= IRO_NOT_ATOMIC && isa_has(f->s, ptx_opc(ld, PS(space, global), FLAG(nc), TY(u32)));
}

static bool is_constant_memory(DagFunc *f, IrRef inst, IrRef ptr)
{
	if (is_invariant(f, inst))
		return true;
	if (is_constant_global(f, ptr))
		return true;
	return space_of(f, ptr) == AS_CONST || space_of(f, ptr) == AS_PARAM;
}

/* A vector whose elements do not fill bytes is in memory the integer of all its bits. */
static DagVt in_memory(DagVt vt) { return vt_is_vec(vt) && vt_bits(vt) % 8 != 0 ? vt_as_int(vt) : vt; }

void dag_lower_load(DagFunc *f, IrRef inst)
{
	Dag          *d = &f->dag;
	const IrInst *i = ir_inst(f->m, inst);
	IrRef         ptr = ir_op(f->m, inst, 0);
	DagVal        p = dag_value(f, ptr);
	bool          is_volatile = (i->flags & IRF_VOLATILE) || i->order > IRO_UNORDERED;
	if (is_misaligned(f, inst))
		return;
	if (is_wide_atomic(f, inst, i->type)) { /* a compare-exchange of 0 with 0 reads */
		DagVal zero = dag_const(d, dag_vt_of(f, i->type), 0), old = atomic_128(f, inst, ptr, zero, zero);
		if (dag_is(old))
			dag_set_value(f, inst, old);
		return;
	}
	fence_before(f, inst);
	bool      constant = !is_volatile && is_constant_memory(f, inst, ptr);
	DagVal    root = is_volatile ? dag_root(f) : constant ? d->entry : d->root;
	u32       align = align_log2(f, inst, ptr, i->type), flags = MMF_LOAD;
	DagLeaves l = {0};
	if (constant && is_invariant(f, inst))
		flags |= MMF_INVARIANT;
	if (ir_attached(f->m, inst, "nontemporal").i)
		flags |= MMF_NON_TEMPORAL;
	dag_leaves(f, i->type, &l);
	DagVal *v = arena_array(f->arena, DagVal, l.n + 1), *chains = arena_array(f->arena, DagVal, l.n + 1);
	for (u32 k = 0; k < l.n; k++) {
		DagMem m = {.vt = in_memory(l.p[k].vt), .nc = may_be_non_coherent(f, inst, ptr)};
		m.mem = record(f, inst, ptr, m.vt, l.p[k].offset, align, flags);
		DagVal loaded = dag_load(d, m.vt, root, dag_ptr_add(d, p, (i64)l.p[k].offset), m);
		chains[k] = dag_res(loaded.n, 1);
		v[k] = dag_1(d, DAG_BITCAST, l.p[k].vt, loaded);
	}
	DagVal chain = dag_tokens(d, chains, l.n);
	if (is_volatile)
		d->root = chain;
	else if (!constant && l.n)
		vec_push(f->arena, &f->loads, chain);
	fence_after(f, inst);
	dag_set_values(f, inst, v, l.n);
}

void dag_lower_store(DagFunc *f, IrRef inst)
{
	Dag      *d = &f->dag;
	IrRef     value = ir_op(f->m, inst, 0), ptr = ir_op(f->m, inst, 1);
	IrType    t = ir_type_of(f->m, value);
	u32       align = align_log2(f, inst, ptr, t), n, at = dag_values(f, value, &n);
	DagVal   *v = arena_array(f->arena, DagVal, n + 1), *chains = arena_array(f->arena, DagVal, n + 1);
	DagLeaves l = {0};
	memcpy(v, f->pool.p + at, n * sizeof *v);
	if (!n || is_misaligned(f, inst))
		return;
	if (is_wide_atomic(f, inst, t)) {
		atomic_128(f, inst, ptr, DAG_NONE, v[0]);
		return;
	}
	fence_before(f, inst);
	DagVal p = written(f, ptr), root = dag_root(f);
	dag_leaves(f, t, &l);
	const IrInst *i = ir_inst(f->m, inst);
	bool          plain = !(i->flags & IRF_VOLATILE) && i->order <= IRO_NOT_ATOMIC && f->optimize;
	for (u32 k = 0; k < n; k++) {
		if (plain && dag_is_undef(d, v[k])) { /* storing an undefined value may leave memory as it is */
			chains[k] = root;
			continue;
		}
		DagMem m = {.vt = in_memory(l.p[k].vt)};
		m.mem = record(f, inst, ptr, m.vt, l.p[k].offset, align, MMF_STORE);
		if (ir_attached(f->m, inst, "nontemporal").i)
			m.mem.flags |= MMF_NON_TEMPORAL;
		DagVal stored = dag_1(d, DAG_BITCAST, m.vt, v[k]);
		chains[k] = dag_store(d, root, stored, dag_ptr_add(d, p, (i64)l.p[k].offset), m);
	}
	d->root = dag_tokens(d, chains, n);
	fence_after(f, inst);
}

/* llvm.masked.store: st.global.v8.b32 [p], {a, _, b, _, _, _, _, c}; */
void dag_lower_store_with_gaps(DagFunc *f, IrRef inst)
{
	Dag   *d = &f->dag;
	IrRef  ptr = ir_call_arg(f->m, inst, 1), mask = ir_call_arg(f->m, inst, 2);
	DagVal v = dag_value(f, ir_call_arg(f->m, inst, 0)), p = written(f, ptr), ops[2 + 8] = {dag_root(f)};
	DagVt  vt = dag_vt(d, v), e = vt_elem(vt);
	u32    n = vt_lanes(vt);
	for (u32 i = 0; i < n; i++)
		ops[1 + i] = ir_mask_element(f->m, mask, i) ? dag_2(d, DAG_EXTRACT_VECTOR_ELT, e, v, dag_const(d, VT_I32, i))
		                                            : dag_gap(d, e);
	ops[1 + n] = p;
	DagMem m = {.vt = e};
	m.mem = record(f, inst, ptr, vt, 0, u64_log2(vt_size(vt) / 8), MMF_STORE);
	if (ir_attached(f->m, inst, "nontemporal").i)
		m.mem.flags |= MMF_NON_TEMPORAL;
	DagNode like = {.opcode = DAG_STOREV, .mem = dag_mem_new(d, m), .props = DP_SIDE_EFFECT};
	d->root = dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1, ops, 2 + n);
}

/* Static allocas have frame objects; others allocate from the stack at run time. */
void dag_lower_alloca(DagFunc *f, IrRef inst)
{
	Dag          *d = &f->dag;
	const IrInst *i = ir_inst(f->m, inst);
	if (dag_home(f, inst)->frame)
		return;
	DagVal count = dag_zext_or_trunc(d, dag_value(f, ir_op(f->m, inst, 0)), f->ptr);
	u64    size = ir_alloc_size(f->m, i->elem), align = ir_align_bytes(i->align);
	if (!isa_has(f->s, ptx_opc(alloca, TY(u64)))) {
		dag_unsupported(f, inst, "a dynamic alloca before PTX 7.3 and sm_52");
		return;
	}
	DagVal  bytes = dag_2(d, DAG_MUL, f->ptr, count, dag_const(d, f->ptr, size));
	DagNode like = {.opcode = DAG_STACKALLOC,
	                .k = {PS_MAX(align, (u64)ir_abi_align(f->m, i->elem)), 0},
	                .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVal  ops[] = {dag_root(f), bytes};
	DagVal  p = dag_node_like(d, &like, (DagVt[]){f->ptr, VT_CHAIN}, 2, ops, 2);
	d->root = dag_res(p.n, 1);
	dag_set_value(f, inst, dag_pointer_cast(f, p, 0, ir_type(f->m, i->type)->bits));
}

/* ---- atomics */

static void wide_atomic(DagFunc *f, IrRef inst, IrRef ptr, DagVal a)
{
	bool   cas = ir_inst(f->m, inst)->op == IR_CMPXCHG;
	DagVal old = atomic_128(f, inst, ptr, cas ? a : DAG_NONE, cas ? dag_value(f, ir_op(f->m, inst, 2)) : a);
	if (!dag_is(old))
		return;
	if (!cas && ir_inst(f->m, inst)->sub != IRRMW_XCHG)
		dag_unsupported(f, inst, "this operation of 128 bits");
	DagVal both[] = {old, cas ? dag_setcc(&f->dag, old, a, IRP_I_EQ) : DAG_NONE};
	dag_set_values(f, inst, both, cas ? 2 : 1);
}

void dag_lower_atomic(DagFunc *f, IrRef inst)
{
	Dag          *d = &f->dag;
	const IrInst *i = ir_inst(f->m, inst);
	if (i->op == IR_FENCE) {
		fence_node(f, inst);
		return;
	}
	if (is_misaligned(f, inst))
		return;
	IrRef  ptr = ir_op(f->m, inst, 0);
	DagVal p = written(f, ptr), a = dag_value(f, ir_op(f->m, inst, 1));
	DagVt  vt = dag_vt(d, a);
	if (vt_size(vt) > 64) {
		wide_atomic(f, inst, ptr, a);
		return;
	}
	u32    order_fail = ir_info(f->m, inst)->order_fail;
	DagMem m = {.vt = vt};
	m.mem = record(f, inst, ptr, vt, 0, u64_log2(PS_MAX(vt_size(vt) / 8, 1u)), MMF_LOAD | MMF_STORE);
	if (i->op == IR_CMPXCHG && order_fail >= IRO_ACQUIRE && (i->order == IRO_MONOTONIC || i->order == IRO_RELEASE) &&
	    !is_relaxed(f, inst) && !is_within_thread(f, inst))
		m.mem.ordering = i->order == IRO_RELEASE ? IRO_ACQ_REL : IRO_ACQUIRE;
	DagNode like = {.props = DP_SIDE_EFFECT | DP_NO_CSE, .mem = dag_mem_new(d, m)};
	fence_before(f, inst);
	if (i->op == IR_ATOMICRMW) {
		like.opcode = DAG_ATOMIC_RMW;
		like.k[0] = i->sub;
		DagVal ops[] = {dag_root(f), p, a};
		dag_set_value(f, inst, chained(f, &like, (DagVt[]){vt, VT_CHAIN}, 2, ops, 3));
		fence_after(f, inst);
		return;
	}
	DagVal b = dag_value(f, ir_op(f->m, inst, 2));
	like.opcode = DAG_ATOMIC_CMPXCHG;
	like.k[0] = order_fail;
	DagVal ops[] = {dag_root(f), p, a, b};
	DagVal old = chained(f, &like, (DagVt[]){vt, VT_CHAIN}, 2, ops, 4);
	DagVal both[] = {old, dag_setcc(d, old, a, IRP_I_EQ)};
	dag_set_values(f, inst, both, 2);
	fence_after(f, inst);
}

void dag_lower_va(DagFunc *f, IrRef inst) { dag_unsupported(f, inst, "va_arg (the variadic function was not expanded)"); }

/* ---- memcpy, memmove, memset of a known, small size; others are loops by then (lower-aggr-copies) */

enum { COPY_LIMIT = 128 };

static u32 piece_of(u64 left, u64 offset, u32 align_dst, u32 align_src, u32 widest)
{
	u32 n = widest;
	while (n > 1 && (n > left || n > align_dst || n > align_src || offset % n))
		n /= 2;
	return n;
}

static MirMem copy_record(DagFunc *f, IrRef ptr, u32 bytes, u64 offset, u32 flags, bool is_volatile)
{
	u32 space = space_of(f, ptr);
	return (MirMem){.offset = (i64)offset,
	                .size = bytes,
	                .value = ptr.i,
	                .space = (u16)(flags & MMF_STORE && space == AS_CONST ? 0 : space),
	                .align_log2 = (u8)u64_log2(bytes),
	                .flags = (u8)(flags | (is_volatile ? MMF_VOLATILE : 0))};
}

static DagVal repeated_byte(DagFunc *f, DagVal byte, u32 bytes)
{
	Dag  *d = &f->dag;
	DagVt vt = VT_INT(bytes * 8);
	if (bytes == 1)
		return byte;
	DagVal x = dag_1(d, DAG_ZERO_EXTEND, vt, byte);
	return dag_2(d, DAG_MUL, vt, x, dag_const(d, vt, 0x0101010101010101u));
}

void dag_lower_memory_copy(DagFunc *f, IrRef inst, bool set)
{
	Dag  *d = &f->dag;
	u64   size;
	IrRef dst = ir_call_arg(f->m, inst, 0), src = ir_call_arg(f->m, inst, 1);
	if (!ir_as_int(f->m, ir_call_arg(f->m, inst, 2), &size)) {
		dag_unsupported(f, inst, "a copy of unknown size (it was not made a loop)");
		return;
	}
	bool is_volatile = ir_is_zero(f->m, ir_call_arg(f->m, inst, 3)) == false;
	if (size > COPY_LIMIT * 64) {
		dag_unsupported(f, inst, "a copy of this size (it was not made a loop)");
		return;
	}
	u32     align_dst = pointer_arg_align(f->m, inst, 0), align_src = set ? 8 : pointer_arg_align(f->m, inst, 1);
	DagVal  to = written(f, dst), from = dag_value(f, src), root = dag_root(f);
	u32     n = 0, cap = (u32)size + 1;
	DagVal *v = arena_array(f->arena, DagVal, cap), *chains = arena_array(f->arena, DagVal, cap);
	u32    *bytes = arena_array(f->arena, u32, cap);
	u64     offset = 0;
	/* All loads come before the first store, so that overlapping memmove is right. */
	for (; offset < size; n++) {
		bytes[n] = piece_of(size - offset, offset, align_dst, align_src, 8);
		DagVt vt = VT_INT(bytes[n] * 8);
		if (set) {
			v[n] = repeated_byte(f, from, bytes[n]);
		} else {
			DagMem m = {.vt = vt, .mem = copy_record(f, src, bytes[n], offset, MMF_LOAD, is_volatile)};
			v[n] = dag_load(d, vt, root, dag_ptr_add(d, from, (i64)offset), m);
			chains[n] = dag_res(v[n].n, 1);
		}
		offset += bytes[n];
	}
	if (!n)
		return;
	DagVal loaded = set ? root : dag_tokens(d, chains, n);
	offset = 0;
	for (u32 i = 0; i < n; i++) {
		DagMem m = {.vt = VT_INT(bytes[i] * 8), .mem = copy_record(f, dst, bytes[i], offset, MMF_STORE, is_volatile)};
		chains[i] = dag_store(d, loaded, v[i], dag_ptr_add(d, to, (i64)offset), m);
		offset += bytes[i];
	}
	d->root = dag_tokens(d, chains, n);
}
