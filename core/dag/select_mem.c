/* select_mem.c: selects instructions that access memory: address modes, ld, st, atom, cvta.
 *
 * Orderings, scopes and cache operators become slots of the opcode; where the target lacks the words, the fences that
 * dag/lower_mem.c has put around the access order it. Constant time, but an address follows its sums of constants. */
#include "dag/lower_target.h"
#include "dag/select.h"

/* ---- addresses: [base + offset] */

static DagVal target_leaf(Dag *d, const DagNode *n, DagOp as, i64 more)
{
	DagNode like = {.opcode = (u16)as, .k = {n->k[0], (u64)((i64)n->k[1] + more)}};
	DagVt   vt = n->vt[0];
	u32     order = d->order;
	d->order = 0;
	DagVal v = dag_node_like(d, &like, &vt, 1, NULL, 0);
	d->order = order;
	return v;
}

/* The base of an address as an operand: a symbol, a frame object (where the address is generic), else a register. */
static DagVal base_of(Dag *d, DagVal p, bool generic)
{
	const DagNode *n = dag_of(d, p);
	switch (n->opcode) {
	case DAG_GlobalAddress: return target_leaf(d, n, DAG_TargetGlobalAddress, 0);
	case DAG_ExternalSymbol: return target_leaf(d, n, DAG_TargetExternalSymbol, 0);
	case DAG_FrameIndex: return generic ? target_leaf(d, n, DAG_TargetFrameIndex, 0) : p;
	default: return p;
	}
}

void dag_split_address(Dag *d, DagVal p, bool generic, DagVal out[2])
{
	i64 offset = 0;
	for (u32 i = 0; i < 16; i++) {
		const DagNode *n = dag_of(d, p);
		u64            k;
		if ((n->opcode != DAG_ADD && !(n->opcode == DAG_OR && (n->flags & IRF_DISJOINT))) ||
		    dag_op(d, dag_operand(d, n, 1)) != DAG_Constant || !dag_as_const(d, dag_operand(d, n, 1), &k))
			break;
		i64 c = vt_bits(n->vt[0]) == 32 ? (i32)k : (i64)k;
		i64 sum = (i64)((u64)offset + (u64)c); /* c may be any number */
		if (sum != (i32)sum)
			break;
		offset = sum;
		p = dag_operand(d, n, 0);
	}
	out[0] = base_of(d, p, generic);
	const DagNode *leaf = dag_of(d, out[0]);
	if (leaf->opcode == DAG_TargetGlobalAddress || leaf->opcode == DAG_TargetExternalSymbol ||
	    leaf->opcode == DAG_TargetFrameIndex) {
		i64 total = (i64)leaf->k[1] + offset;
		if (total == (i32)total) {
			out[0] = target_leaf(d, leaf, (DagOp)leaf->opcode, -(i64)leaf->k[1]);
			offset = total;
		}
	}
	out[1] = dag_tconst(d, VT_I32, (u64)offset);
}

/* ---- ld, st */

/* As in LLVM 22: bits, unless the sign is extended. */
static u32 memory_type(DagVt vt, u32 ext) { return isa_type_of(ext == DEXT_SIGN ? ISA_KIND_SINT : ISA_KIND_BITS, vt_size(vt)); }

/* The scope slot of an ordered access. */
static u32 scope_token(DagFunc *f, const MirMem *m)
{
	Str name = m->scope < f->m->scopes.n ? ir_str(f->m, (StrId){f->m->scopes.p[m->scope]}) : STR("");
	if (str_is(name, "block"))
		return TOK_scope_cta;
	if (str_is(name, "cluster"))
		return isa_has(f->s, ptx_opc(fence, PS(sem, acq_rel), PS(scope, cluster))) ? TOK_scope_cluster : TOK_scope_gpu;
	if (str_is(name, "device"))
		return TOK_scope_gpu;
	return m->scope == IR_SCOPE_SINGLETHREAD ? TOK_scope_cta : TOK_scope_sys;
}

u32 dag_scope_of(DagFunc *f, const MirMem *m) { return scope_token(f, m); }

/* The slots of .volatile, .relaxed.sys, .acquire.gpu and so on. */
static void access_slots(DagFunc *f, PtxOpc *o, const DagMem *m, bool store)
{
	u32 space = m->mem.space;
	o->slot[SLOT_space] = (u8)isa_space_token(space);
	if (!isa_space_is(space, SF_BETWEEN))
		return;
	if (m->mem.ordering >= MIR_MONOTONIC && dag_has_orderings(f)) {
		bool strong = m->mem.ordering > MIR_MONOTONIC;
		o->slot[SLOT_sem] = (u8)(!strong ? TOK_sem_relaxed : store ? TOK_sem_release : TOK_sem_acquire);
		o->slot[SLOT_scope] = (u8)scope_token(f, &m->mem);
		if (m->mem.ordering == MIR_MONOTONIC && (m->mem.flags & MMF_VOLATILE)) {
			o->slot[SLOT_sem] = TOK_sem_volatile;
			o->slot[SLOT_scope] = 0;
		}
	} else if ((m->mem.flags & MMF_VOLATILE) || m->mem.ordering >= MIR_MONOTONIC) {
		o->slot[SLOT_sem] = TOK_sem_volatile;
	}
}

static u32 vec_token(u32 n) { return n == 2 ? TOK_vec_v2 : n == 4 ? TOK_vec_v4 : n == 8 ? TOK_vec_v8 : 0; }

static bool load(DagFunc *f, u32 node, u32 n_values)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	PtxOpc  o = {.op = ISA_ld};
	DagVal  chain = dag_operand(d, dag_at(d, node), 0), p = dag_operand(d, dag_at(d, node), 1), ops[3];
	if (m.nc == DAG_LDU)
		o.op = ISA_ldu;
	u32 type = memory_type(m.vt, m.ext);
	if (!type)
		return false;
	access_slots(f, &o, &m, false);
	o.slot[SLOT_type] = (u8)type;
	o.slot[SLOT_vec] = (u8)vec_token(n_values);
	if (m.nc == DAG_NC)
		o.slot[SLOT_flag] = TOK_flag_nc;
	dag_split_address(d, p, m.mem.space == 0, ops);
	ops[2] = chain;
	dag_become(f, node, dag_desc(f, o), ops, 3, 0);
	return true;
}

/* A value to store: a constant is written into the instruction. */
static DagVal stored(Dag *d, DagVal v)
{
	u64 bits;
	return dag_packed_constant(d, v, &bits) ? dag_tconst(d, VT_I32, bits) : dag_operand_of(d, v);
}

static bool store(DagFunc *f, u32 node, u32 n_values)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	PtxOpc  o = {.op = ISA_st};
	DagVal  ops[12];
	u32     type = memory_type(m.vt, DEXT_NONE);
	if (!type)
		return false;
	access_slots(f, &o, &m, true);
	o.slot[SLOT_type] = (u8)type;
	o.slot[SLOT_vec] = (u8)vec_token(n_values);
	dag_split_address(d, dag_operand(d, dag_at(d, node), 1 + n_values), m.mem.space == 0, ops);
	for (u32 i = 0; i < n_values; i++)
		ops[2 + i] = stored(d, dag_operand(d, dag_at(d, node), 1 + i));
	ops[2 + n_values] = dag_operand(d, dag_at(d, node), 0);
	dag_become(f, node, dag_desc(f, o), ops, 3 + n_values, 0);
	return true;
}

/* ---- generic addresses */

static bool space_cast(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVal         p = dag_operand(d, n, 0);
	u32            from = (u32)n->k[0], to = (u32)n->k[1], bits = vt_bits(n->vt[0]), have = vt_bits(dag_vt(d, p));
	PtxOpc         o = {.op = ISA_cvta};
	u32            space = isa_space_token(from ? from : to);
	if (!space)
		return false;
	d->order = n->order;
	d->origin = n->origin;
	/* In 64-bit code with 32-bit pointers to the space, the width changes on the space's side. */
	if (from && have < bits)
		p = dag_1(d, DAG_ZERO_EXTEND, n->vt[0], p);
	const DagNode *x = dag_of(d, p);
	bool           is_param = x->opcode == DAG_ExternalSymbol && x->aux;
	if ((space == TOK_space_param || is_param) && !from) {
		/* There is no cvta.to.param before PTX 7.7; mov gives the address of a parameter, of a device function its address in
		 * local memory. */
		dag_become(f, node, have > bits ? dag_desc(f, ptx_opc(cvt, TY(u32), STY(u64))) : dag_mov_desc(f, n->vt[0]), &p, 1,
		           0);
		return true;
	}
	if (space == TOK_space_param && !isa_has(f->s, ptx_opc(cvta, PS(space, param), TY(u64))))
		diag_report(&f->s->diags, DIAG_PARAM_ADDRESS, (SrcRange){n->origin, 0, n->origin, 0}, STR_ARG(f->name));
	if (!from)
		o.slot[SLOT_flag] = TOK_flag_to;
	o.slot[SLOT_space] = (u8)space;
	o.slot[SLOT_type] = (u8)(PS_MAX(bits, have) == 64 ? TOK_type_u64 : TOK_type_u32);
	if (to && have > bits) {
		DagNode like = {.opcode = DAG_MACHINE, .desc = dag_desc(f, o)};
		DagVt   wide = dag_vt(d, p);
		DagVal  w = dag_node_like(d, &like, &wide, 1, &p, 1);
		dag_become(f, node, dag_desc(f, ptx_opc(cvt, TY(u32), STY(u64))), &w, 1, 0);
		return true;
	}
	dag_become(f, node, dag_desc(f, o), &p, 1, 0);
	return true;
}

/* ---- atomics */

static u32 fp_half(DagVt vt) { return vt == VT_F16 ? TOK_type_f16 : TOK_type_bf16; }

/* Writes ordering and scope where the target has them. The oldest targets have neither (dag/lower_mem.c adds fences), later ones
 * have scopes only. An atomic without a scope has the scope of the device. A sequentially consistent one has a fence.sc in front of
 * it, which orders what comes before; so the atomic itself only acquires (the mapping from C++ that Lustig, Sahasrabuddhe and
 * Giroux prove in "A Formal Analysis of the NVIDIA PTX Memory Consistency Model", 2019). An acq_rel there would be a second fence
 * on the machine: 5 to 15 more instructions for each atomic. */
static void atomic_slots(DagFunc *f, PtxOpc *o, const DagMem *m, u64 scope_given)
{
	static const u8 sem[] = {0, 0, TOK_sem_relaxed, TOK_sem_acquire, TOK_sem_release, TOK_sem_acq_rel, TOK_sem_acquire};
	o->slot[SLOT_space] = (u8)isa_space_token(m->mem.space);
	o->slot[SLOT_scope] = (u8)scope_given;
	if (!m->mem.ordering)
		return;
	o->slot[SLOT_scope] = (u8)scope_token(f, &m->mem);
	o->slot[SLOT_sem] = sem[m->mem.ordering];
	if (!isa_has(f->s, *o))
		o->slot[SLOT_sem] = 0;
	if (!isa_has(f->s, *o))
		o->slot[SLOT_scope] = (u8)scope_given;
}

PtxOpc dag_atomic_opc(u32 op, DagVt vt, u64 scope)
{
	PtxOpc  o = {.op = ISA_atom};
	IsaKind kind = op == IRRMW_COUNT ? ISA_KIND_BITS : (IsaKind)ir_rmw_form[op].kind;
	if (op == IRRMW_ADD && scope) /* LLVM's scoped intrinsics add s32 and u64 */
		kind = vt_bits(vt) == 64 ? ISA_KIND_UINT : ISA_KIND_SINT;
	o.slot[SLOT_op] = op == IRRMW_COUNT ? TOK_op_cas : ir_rmw_form[op].op;
	o.slot[SLOT_scope] = (u8)scope;
	o.slot[SLOT_type] = (u8)(vt_is_half(vt) ? fp_half(vt) : isa_type_of(kind, vt_bits(vt)));
	if (vt_is_half(vt))
		o.slot[SLOT_flag] = TOK_flag_noftz;
	return o;
}

static bool atomic_rmw(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	u32     op = (u32)n.k[0];
	DagVal  ops[4], v = dag_operand(d, dag_at(d, node), 2), chain = dag_operand(d, dag_at(d, node), 0);
	DagVt   vt = dag_vt(d, v);
	if (op >= IRRMW_COUNT || !ir_rmw_form[op].op || vt_is_vec(vt))
		return false;
	PtxOpc o = dag_atomic_opc(op, vt, n.k[1]);
	atomic_slots(f, &o, &m, n.k[1]);
	dag_split_address(d, dag_operand(d, dag_at(d, node), 1), m.mem.space == 0, ops);
	ops[2] = vt_is_half(vt) ? v : dag_operand_of(d, v);
	ops[3] = chain;
	dag_become(f, node, dag_desc(f, o), ops, 4, 0);
	return true;
}

static bool atomic_cas(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	DagVal  ops[5], chain = dag_operand(d, dag_at(d, node), 0);
	PtxOpc  o = dag_atomic_opc(IRRMW_COUNT, n.vt[0], n.k[1]);
	atomic_slots(f, &o, &m, n.k[1]);
	dag_split_address(d, dag_operand(d, dag_at(d, node), 1), m.mem.space == 0, ops);
	ops[2] = dag_operand_of(d, dag_operand(d, dag_at(d, node), 2));
	ops[3] = dag_operand_of(d, dag_operand(d, dag_at(d, node), 3));
	ops[4] = chain;
	dag_become(f, node, dag_desc(f, o), ops, 5, 0);
	return true;
}

static bool fence(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	MirMem  m = {.scope = (u8)n.k[1]};
	u32     scope = scope_token(f, &m);
	DagVal  chain = dag_operand(d, dag_at(d, node), 0);
	PtxOpc  o;
	if (dag_has_orderings(f)) {
		static const u8 sem[] = {
			[IRO_ACQUIRE] = TOK_sem_acquire, [IRO_RELEASE] = TOK_sem_release, [IRO_SEQ_CST] = TOK_sem_sc};
		o = (PtxOpc){.op = ISA_fence};
		o.slot[SLOT_sem] = n.k[0] < PS_COUNT(sem) ? sem[n.k[0]] : 0;
		o.slot[SLOT_scope] = (u8)scope;
		if (!o.slot[SLOT_sem] || !isa_has(f->s, o)) /* one direction alone: from PTX 8.6 on */
			o.slot[SLOT_sem] = TOK_sem_acq_rel;
	} else {
		o = (PtxOpc){.op = ISA_membar};
		o.slot[SLOT_scope] = (u8)(scope == TOK_scope_gpu ? TOK_scope_gl : scope);
	}
	dag_become(f, node, dag_desc(f, o), &chain, 1, 0);
	return true;
}

/* ---- parameters of calls, stack */

/* st.param takes a wider register, too, and stores its low bits. Counts of 64 bits are of 32 before they are extended. */
static DagVal low_bits_of(const Dag *d, DagVal v, u32 width)
{
	u32    at = 0;
	DagVal wide = dag_op(d, v) == DAG_TRUNCATE ? dag_arg(d, v, 0) : v;
	if (vt_bits(dag_vt(d, wide)) > 64 || dag_op(d, wide) == DAG_CTPOP || dag_op(d, wide) == DAG_CTLZ)
		return v;
	DagVal piece = dag_piece_of(d, wide, &at, width);
	return at ? wide : piece;
}

static bool store_param(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	DagNode        n = *dag_at(d, node);
	DagMem         m = *dag_mem(d, &n);
	DagVal         ops[12];
	u32            k = 0, count = n.aux, total = dag_n_ops(&n);
	PtxOpc         o = ptx_opc(st, PS(space, param));
	const DagNode *sym = dag_of(d, dag_operand(d, dag_at(d, node), 1));
	i64            offset = (i64)sym->k[1];
	o.slot[SLOT_type] = (u8)memory_type(m.vt, DEXT_NONE);
	o.slot[SLOT_vec] = (u8)vec_token(count);
	ops[k++] = target_leaf(d, sym, DAG_TargetExternalSymbol, -offset);
	ops[k++] = dag_tconst(d, VT_I32, (u64)offset);
	for (u32 i = 0; i < count; i++) {
		DagVal v = dag_operand(d, dag_at(d, node), 2 + i);
		bool   cut = dag_op(d, v) == DAG_BITCAST && dag_op(d, dag_arg(d, v, 0)) == DAG_TRUNCATE;
		if (count == 1 && cut && vt_is_half(m.vt) && vt_size(m.vt) == 16) /* the bits of a half out of a wider register */
			v = low_bits_of(d, dag_arg(d, v, 0), 16);
		if (count == 1 && vt_is_sint(m.vt))
			v = low_bits_of(d, v, vt_bits(m.vt));
		ops[k++] = stored(d, v);
	}
	ops[k++] = dag_operand(d, dag_at(d, node), 0);
	if (total > 2 + count)
		ops[k++] = dag_operand(d, dag_at(d, node), 2 + count);
	dag_become(f, node, dag_desc(f, o), ops, k, 0);
	return true;
}

static bool load_param(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	DagNode        n = *dag_at(d, node);
	DagMem         m = *dag_mem(d, &n);
	DagVal         ops[4];
	PtxOpc         o = ptx_opc(ld, PS(space, param));
	const DagNode *sym = dag_of(d, dag_operand(d, dag_at(d, node), 1));
	i64            offset = (i64)sym->k[1];
	o.slot[SLOT_type] = (u8)memory_type(m.vt, DEXT_NONE);
	o.slot[SLOT_vec] = (u8)vec_token(n.aux);
	ops[0] = target_leaf(d, sym, DAG_TargetExternalSymbol, -offset);
	ops[1] = dag_tconst(d, VT_I32, (u64)offset);
	ops[2] = dag_operand(d, dag_at(d, node), 0);
	ops[3] = dag_operand(d, dag_at(d, node), 2);
	dag_become(f, node, dag_desc(f, o), ops, 4, 0);
	return true;
}

static bool stack(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVal         chain = dag_operand(d, n, 0);
	PtxOpc         o = {.op = n->opcode == DAG_STACKALLOC  ? ISA_alloca
	                          : n->opcode == DAG_STACKSAVE ? ISA_stacksave
	                                                       : ISA_stackrestore};
	o.slot[SLOT_type] = f->ptr == VT_I64 ? TOK_type_u64 : TOK_type_u32;
	if (n->opcode == DAG_STACKALLOC) {
		/* The stack is .local; the value of an alloca is a generic address. */
		DagNode like = {.opcode = DAG_MACHINE, .desc = dag_desc(f, o), .props = DP_NO_CSE | DP_SIDE_EFFECT};
		DagVal  ops[] = {dag_operand(d, n, 1), dag_tconst(d, VT_I32, n->k[0]), chain};
		d->order = n->order;
		d->origin = n->origin;
		DagVal  local = dag_node_like(d, &like, (DagVt[]){f->ptr, VT_CHAIN}, 2, ops, 3);
		DagNode cast = {.opcode = DAG_MACHINE,
		                .desc = dag_desc(f, f->ptr == VT_I64 ? ptx_opc(cvta, PS(space, local), TY(u64))
		                                                     : ptx_opc(cvta, PS(space, local), TY(u32)))};
		DagVal  g = dag_node_like(d, &cast, &f->ptr, 1, &local, 1);
		dag_replace(d, dag_res(node, 1), dag_res(local.n, 1));
		dag_replace(d, dag_res(node, 0), g);
		return true;
	}
	DagVal ops[] = {dag_n_ops(n) > 1 ? dag_operand(d, n, 1) : chain, chain};
	dag_become(f, node, dag_desc(f, o), n->opcode == DAG_STACKSAVE ? &chain : ops, n->opcode == DAG_STACKSAVE ? 1 : 2, 0);
	return true;
}

bool dag_select_memory(DagFunc *f, u32 node)
{
	const DagNode *n = dag_at(&f->dag, node);
	switch ((DagOp)n->opcode) {
	case DAG_LOAD: return load(f, node, 1);
	case DAG_LOADV: return load(f, node, dag_n_results(n) - 1);
	case DAG_STORE: return store(f, node, 1);
	case DAG_STOREV: return store(f, node, dag_n_ops(n) - 2);
	case DAG_LOADPARAM: return load_param(f, node);
	case DAG_STOREPARAM: return store_param(f, node);
	case DAG_ADDRSPACECAST: return space_cast(f, node);
	case DAG_ATOMIC_RMW: return atomic_rmw(f, node);
	case DAG_ATOMIC_CMPXCHG: return atomic_cas(f, node);
	case DAG_FENCE: return fence(f, node);
	case DAG_STACKALLOC:
	case DAG_STACKSAVE:
	case DAG_STACKRESTORE: return stack(f, node);
	default: return false;
	}
}
