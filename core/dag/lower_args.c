/* lower_args.c: loads parameters and stores the result.
 *
 *	define i32 @f({ i32, float } %a)      ld.param.u32 %r1, [f_param_0];
 *	                                      ld.param.f32 %f1, [f_param_0+4];
 *	ret i32 %x                            st.param.b32 [func_retval0], %r2; ret;
 *
 * Adjacent pieces whose alignment allows it are accessed as one vector (.v2, .v4). Linear in pieces. */
#include "dag/param.h"

static void piece(DagFunc *f, DagPieces *out, DagVt vt, u64 offset, u32 leaf, u32 part)
{
	vec_push(f->arena, out, ((DagPiece){vt, offset, leaf, part, 1}));
}

/* A vector whose elements do not fill bytes is passed as the integer of all its bits, as in other memory; wide elements as words. */
static DagVt passed_as(DagVt vt)
{
	u32 e = vt_bits(vt), bits = e * vt_lanes(vt);
	if (!vt_is_vec(vt))
		return vt;
	if (e > 64 && e % 64 == 0)
		return vt_vec(VT_I64, bits / 64);
	return (e % 8 || e > 64) && bits <= VT_MAX_INT ? VT_INT(bits) : vt;
}

/* Packed parts where elements fill them; otherwise one piece for each element. */
static void vector_pieces(DagFunc *f, DagVt vt, u64 offset, u32 leaf, DagPieces *out)
{
	DagVt e = vt_elem(vt);
	u32   n = vt_lanes(vt), part = 0;
	if (vt_bits(e) == 16 && n % 2 == 0) {
		for (u32 i = 0; i < n / 2; i++)
			piece(f, out, vt_vec(e, 2), offset + i * 4, leaf, part++);
		return;
	}
	/* Bytes: words, and what is left behind the last of them; three are a word, as memory has it. */
	u32 words = vt_bits(e) != 8 ? 0 : n == 3 ? 1 : n / 4, bytes = PS_MAX(vt_bits(e) / 8, 1u);
	for (u32 i = 0; i < words; i++)
		piece(f, out, VT_V4I8, offset + i * 4, leaf, i);
	for (u32 i = words * 4; i < n; i++)
		piece(f, out, e, offset + i * bytes, leaf, i);
}

static void leaf_pieces(DagFunc *f, const DagLeaf *l, u32 leaf, DagPieces *out)
{
	DagVt vt = passed_as(l->vt);
	u32   bits = vt_bits(vt);
	if (vt_is_vec(vt)) {
		vector_pieces(f, vt, l->offset, leaf, out);
	} else if (vt_is_int(vt) && bits > 64) {
		for (u32 i = 0; i * 64 < bits; i++)
			piece(f, out, VT_I64, l->offset + i * 8, leaf, i);
	} else if (vt_is_int(vt) && bits != 1) {
		u32 w = 8;
		while (w < bits)
			w *= 2;
		piece(f, out, VT_INT(w), l->offset, leaf, 0);
	} else {
		piece(f, out, vt, l->offset, leaf, 0);
	}
}

static u32 piece_bytes(const DagPiece *p) { return PS_MAX(vt_size(p->vt) / 8, 1u); }

u32 dag_piece_chunk(const DagPiece *p, u32 align)
{
	u32 bytes = piece_bytes(p), n = bytes & (0 - bytes); /* of five bytes, two would reach into the next piece */
	while (n > 1 && (align % n || p->offset % n))
		n /= 2;
	return n;
}

/* How many pieces from `i` on an access of `bytes` takes, 2 or 4; 1 where it cannot take several. */
static u32 mergeable(const DagPieces *v, u32 i, u32 bytes, u32 align)
{
	u32 size = piece_bytes(&v->p[i]), n = bytes / size;
	if (align < bytes || v->p[i].offset % bytes || size * n != bytes || (n != 2 && n != 4) || i + n > v->n)
		return 1;
	for (u32 k = 1; k < n; k++)
		if (v->p[i + k].vt != v->p[i].vt || v->p[i + k].offset != v->p[i].offset + k * size)
			return 1;
	return n;
}

void dag_pieces(DagFunc *f, IrType t, u32 align, DagPieces *out)
{
	DagLeaves l = {0};
	dag_leaves(f, t, &l);
	out->n = 0;
	for (u32 i = 0; i < l.n; i++)
		leaf_pieces(f, &l.p[i], i, out);
	for (u32 i = 0; i < out->n;) {
		u32 n = 1;
		for (u32 bytes = 16; bytes >= 2 && n == 1; bytes /= 2)
			n = mergeable(out, i, bytes, align);
		out->p[i].group = n;
		for (u32 k = 1; k < n; k++)
			out->p[i + k].group = 0;
		i += n;
	}
}

DagVal dag_join_parts(DagFunc *f, DagVt leaf, const DagVal *v, u32 n)
{
	Dag  *d = &f->dag;
	DagVt as = passed_as(leaf);
	if (as != leaf)
		return dag_1(d, DAG_BITCAST, leaf, dag_join_parts(f, as, v, n));
	if (vt_is_vec(leaf)) {
		u32     lanes = vt_lanes(leaf), k = 0;
		DagVal *e = arena_array(f->arena, DagVal, lanes);
		if (n == 1 && dag_vt(d, v[0]) == leaf)
			return v[0];
		for (u32 i = 0; i < n; i++) {
			u32 per = PS_MAX(vt_lanes(dag_vt(d, v[i])), 1u);
			for (u32 j = 0; j < per && k < lanes; j++)
				e[k++] = per == 1
				                 ? v[i]
				                 : dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(leaf), v[i], dag_const(d, VT_I32, j));
		}
		return dag_node(d, DAG_BUILD_VECTOR, leaf, e, lanes);
	}
	if (n == 1) {
		DagVt have = dag_vt(d, v[0]);
		return have == leaf ? v[0] : dag_1(d, DAG_TRUNCATE, leaf, v[0]);
	}
	DagVt  wide = VT_INT(n * 64);
	DagVal r = dag_1(d, DAG_ZERO_EXTEND, wide, v[0]);
	if (n == 2) {
		r = dag_2(d, DAG_BUILD_PAIR, wide, v[0], v[1]);
	} else {
		for (u32 i = 1; i < n; i++) {
			DagVal x = dag_1(d, DAG_ZERO_EXTEND, wide, v[i]);
			r = dag_2(d, DAG_OR, wide, r, dag_2(d, DAG_SHL, wide, x, dag_const(d, VT_I32, i * 64)));
		}
	}
	return wide == leaf ? r : dag_1(d, DAG_TRUNCATE, leaf, r);
}

DagVal dag_take_part(DagFunc *f, DagVal leaf, u32 part, DagVt vt)
{
	Dag  *d = &f->dag;
	DagVt have = dag_vt(d, leaf), as = passed_as(have);
	if (as != have) {
		leaf = dag_1(d, DAG_BITCAST, as, leaf);
		have = as;
		if (!vt_is_vec(have) && vt_bits(have) <= 64)
			return dag_zext_or_trunc(d, leaf, vt);
	}
	if (have == vt)
		return leaf;
	if (!vt_is_vec(have)) {
		if (vt_bits(have) <= 64)
			return dag_1(d, DAG_ANY_EXTEND, vt, leaf);
		if (part)
			leaf = dag_2(d, DAG_SRL, have, leaf, dag_const(d, VT_I32, part * 64));
		return dag_any_or_trunc(d, leaf, vt);
	}
	u32 per = PS_MAX(vt_lanes(vt), 1u);
	if (per == 1)
		return dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(have), leaf, dag_const(d, VT_I32, part));
	DagVal e[4];
	for (u32 i = 0; i < per; i++)
		e[i] = part * per + i < vt_lanes(have)
		               ? dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(have), leaf, dag_const(d, VT_I32, part * per + i))
		               : dag_undef(d, vt_elem(have));
	return dag_node(d, DAG_BUILD_VECTOR, vt, e, per);
}

DagVt dag_param_mem_vt(DagVt vt) { return vt_is_packed(vt) ? VT_I32 : vt == VT_I1 ? VT_I8 : vt; }

/* ---- formal arguments ---- */

static StrId param_symbol(DagFunc *f, u32 i)
{
	return strtab_add(&f->s->strs, arena_fmt(f->arena, "%.*s_param_%u", STR_ARG(f->name), i));
}

/* ld.param of a piece: an i8 is loaded in 16 bits, an i1 from the lowest bit of a byte. */
static DagVal loaded_piece(DagFunc *f, DagVal v, DagVt want)
{
	Dag *d = &f->dag;
	if (dag_vt(d, v) == want)
		return v;
	return vt_is_packed(want) ? dag_1(d, DAG_BITCAST, want, v) : dag_1(d, DAG_TRUNCATE, want, v);
}

static void load_group(DagFunc *f, StrId symbol, const DagPiece *p, u32 align, u32 number, DagExt ext, DagVal *out)
{
	Dag   *d = &f->dag;
	u32    n = p->group;
	DagVt  mem = dag_param_mem_vt(p->vt), reg = mem == VT_I8 ? VT_I16 : mem, vts[5];
	DagMem m = {.vt = mem, .ext = (u8)(reg != mem ? ext : DEXT_NONE)};
	u64    a = align;
	while (a > 1 && p->offset % a)
		a /= 2;
	m.mem = (MirMem){.size = vt_size(mem) / 8 * n,
	                 .space = 101,
	                 .align_log2 = (u8)u64_log2(PS_MAX(a, 1u)),
	                 .flags = MMF_LOAD | MMF_INVARIANT | MMF_DEREFERENCEABLE};
	DagVal  addr = dag_symbol(d, DAG_TargetExternalSymbol, f->ptr, symbol, (i64)p->offset);
	DagNode like = {.opcode = (u16)(n == 1 ? DAG_LOAD : DAG_LOADV), .mem = dag_mem_new(d, m)};
	for (u32 k = 0; k < n; k++)
		vts[k] = reg;
	vts[n] = VT_CHAIN;
	u32 order = d->order;
	d->order = number + 1;
	DagVal l = dag_node_like(d, &like, vts, n + 1, (DagVal[]){d->entry, addr}, 2);
	d->order = order; /* only the load has a place by its parameter's number */
	for (u32 k = 0; k < n; k++)
		out[k] = loaded_piece(f, dag_res(l.n, k), p[k].vt);
}

/* Callers in this module pass an integer of odd width with zeros above it, as in other memory. Of those elsewhere, llc's do not
 * unless the parameter says so, and nothing is known of who launches a kernel. */
bool dag_param_has_zeros_above(const IrModule *m, const IrFunc *f, u32 i)
{
	if (ir_param_attr(m, f, i, IRA_SIGNEXT))
		return false;
	return ir_param_attr(m, f, i, IRA_ZEROEXT) || (!ir_is_kernel(f) && ir_all_callers_seen(m, f));
}

static DagVal zero_padded(DagFunc *f, DagVal v, DagVt vt)
{
	Dag *d = &f->dag;
	u32  w = vt_bits(vt);
	if (!vt_is_sint(vt) || w == 1 || w >= 64 || w == 8 || w == 16 || w == 32)
		return v;
	if (dag_op(d, v) == DAG_TRUNCATE) /* a byte comes in 16 bits */
		v = dag_arg(d, v, 0);
	return dag_2(d, DAG_ASSERT_ZEXT, dag_vt(d, v), v, dag_vtype(d, vt));
}

bool dag_is_byval_arg(DagFunc *f, IrRef v)
{
	return ir_kind(v) == IR_ARG && ir_same(ir_func_arg(f->ir, ir_arg(f->m, v)->number), v) &&
	       mir_abi_param(f->m, f->ir, ir_arg(f->m, v)->number).byval;
}

/* byval: the value is the address of the parameter, which is its name. */
DagVal dag_byval_address(DagFunc *f, u32 i)
{
	DagNode like = {.opcode = DAG_ExternalSymbol, .k = {param_symbol(f, i).i, 0}, .aux = 1};
	DagVt   vt = dag_vt_of(f, ir_arg(f->m, ir_func_arg(f->ir, i))->type);
	u32     order = f->dag.order;
	f->dag.order = i + 1;
	DagVal v = dag_node_like(&f->dag, &like, &vt, 1, NULL, 0);
	f->dag.order = order;
	return v;
}

DagVal dag_byval_value(DagFunc *f, u32 i)
{
	DagVal name = dag_byval_address(f, i);
	bool   local = ir_type(f->m, ir_arg(f->m, ir_func_arg(f->ir, i))->type)->bits == AS_LOCAL;
	return local ? dag_pointer_cast(f, name, AS_GENERIC, AS_LOCAL)
	             : name; /* a register: no access of .local names a parameter */
}

/* Reads name .param space (nvptx-lower-args), and a call copies from parameter to parameter. What else is done with the address of a
 * parameter takes a local one or a generic one. */
static bool takes_address(const IrModule *m, u32 use)
{
	IrRef user = ir_use(m, use)->user;
	u32   at = ir_use_index(m, use);
	if (ir_inst(m, user)->op == IR_ADDRSPACECAST)
		return ir_type(m, ir_type_of(m, user))->bits != AS_PARAM;
	return ir_inst(m, user)->op != IR_CALL || !at || at > ir_call(m, user)->n_args ||
	       !ir_call_param_attr(m, user, at - 1, IRA_BYVAL);
}

static void check_byval_space(DagFunc *f, IrRef arg)
{
	u32 space = ir_type(f->m, ir_type_of(f->m, arg))->bits;
	if (space == AS_GENERIC || space == AS_LOCAL || space == AS_PARAM)
		return;
	ir_each_use(f->m, arg, u)
		if (takes_address(f->m, u))
			dag_unsupported(f, ir_use(f->m, u)->user, "the address of a by-value parameter in this address space");
}

static void lower_arg(DagFunc *f, u32 i)
{
	IrRef    arg = ir_func_arg(f->ir, i);
	IrType   t = ir_arg(f->m, arg)->type;
	MirParam p = mir_abi_param(f->m, f->ir, i);
	StrId    symbol = param_symbol(f, i);
	if (p.byval) {
		check_byval_space(f, arg);
		dag_set_value(f, arg, dag_byval_value(f, i));
		return;
	}
	DagExt    ext = ir_param_attr(f->m, f->ir, i, IRA_SIGNEXT) ? DEXT_SIGN : DEXT_ZERO;
	DagPieces pieces = {0};
	DagLeaves l = {0};
	dag_leaves(f, t, &l);
	dag_pieces(f, t, p.align, &pieces);
	DagVal *v = arena_array(f->arena, DagVal, pieces.n + 1), *whole = arena_array(f->arena, DagVal, l.n + 1);
	for (u32 k = 0; k < pieces.n; k += pieces.p[k].group)
		load_group(f, symbol, &pieces.p[k], p.align, i, ext, v + k);
	for (u32 k = 0, leaf = 0; leaf < l.n; leaf++) {
		u32 first = k;
		while (k < pieces.n && pieces.p[k].leaf == leaf)
			k++;
		DagVt vt = l.p[leaf].vt;
		if (k - first == 1 && dag_param_has_zeros_above(f->m, f->ir, i))
			v[first] = zero_padded(f, v[first], vt);
		whole[leaf] = dag_join_parts(f, vt, v + first, k - first);
	}
	dag_set_values(f, arg, whole, l.n);
}

/* Used by an instruction of another block, of another piece of the entry, or by a phi? */
static bool used_elsewhere(DagFunc *f, IrRef arg)
{
	ir_each_use(f->m, arg, u) {
		IrRef         ref = ir_use(f->m, u)->user;
		const IrInst *user = ir_inst(f->m, ref);
		if (user->op == IR_PHI || !ir_same(user->block, f->ir->first))
			return true;
	}
	return dag_lives_on(f, arg);
}

void dag_lower_byval_args(DagFunc *f)
{
	for (u32 i = 0; i < f->ir->n_args; i++)
		if (ir_has_uses(f->m, ir_func_arg(f->ir, i)) && mir_abi_param(f->m, f->ir, i).byval)
			lower_arg(f, i);
}

void dag_lower_args(DagFunc *f)
{
	for (u32 i = 0; i < f->ir->n_args; i++) {
		IrRef arg = ir_func_arg(f->ir, i);
		if (ir_has_uses(f->m, arg))
			lower_arg(f, i);
	}
	for (u32 i = 0; i < f->ir->n_args; i++) {
		IrRef arg = ir_func_arg(f->ir, i);
		if (!ir_has_uses(f->m, arg) || !used_elsewhere(f, arg))
			continue;
		u32 reg = dag_export_reg(f, arg), n, at = dag_values(f, arg, &n);
		for (u32 k = 0; k < n; k++) {
			DagVt  part;
			DagVal v = f->pool.p[at + k];
			dag_copy_to_reg(f, reg, v);
			reg += dag_reg_parts(dag_vt(&f->dag, v), &part);
		}
	}
}

/* ---- the result ---- */

static DagVal widened_result(DagFunc *f, DagVal v, const MirParam *p)
{
	DagVt vt = dag_vt(&f->dag, v);
	if (!p->bits || !vt_is_int(vt) || vt_bits(vt) >= 32)
		return v;
	if (ir_attrs_has(f->m, f->ir->ret, IRA_SIGNEXT))
		return dag_sext_or_trunc(&f->dag, v, VT_I32);
	/* Callers read what lies above the width only where the attribute says what it is. */
	return ir_attrs_has(f->m, f->ir->ret, IRA_ZEROEXT) ? dag_zext_or_trunc(&f->dag, v, VT_I32)
	                                                   : dag_any_or_trunc(&f->dag, v, VT_I32);
}

/* The register that st.param takes for a piece. */
static DagVal stored_piece(DagFunc *f, DagVal v)
{
	Dag  *d = &f->dag;
	DagVt vt = dag_vt(d, v);
	if (vt == VT_I1 || vt == VT_I8)
		return dag_1(d, DAG_ANY_EXTEND, VT_I16, v);
	return vt_is_packed(vt) ? dag_1(d, DAG_BITCAST, VT_I32, v) : v;
}

/* Undefined pieces are not stored. */
static bool all_undef(DagFunc *f, const DagVal *v, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		DagVal x = v[i];
		while (dag_op(&f->dag, x) == DAG_TRUNCATE || dag_op(&f->dag, x) == DAG_ANY_EXTEND)
			x = dag_arg(&f->dag, x, 0);
		if (!dag_is_undef(&f->dag, x))
			return false;
	}
	return true;
}

DagVal dag_store_param_group(DagFunc *f, DagVal chain, DagParamPlace to, const DagVal *v, u32 n, DagVal *glue)
{
	Dag   *d = &f->dag;
	DagVal ops[8];
	DagMem m = {.vt = to.mem};
	if (all_undef(f, v, n))
		return chain;
	m.mem = (MirMem){.size = PS_MAX(vt_size(to.mem) / 8, 1u) * n, .space = 101, .flags = MMF_STORE};
	DagNode like = {.opcode = DAG_STOREPARAM, .mem = dag_mem_new(d, m), .aux = n, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	u32     k = 0;
	ops[k++] = chain;
	ops[k++] = dag_symbol(d, DAG_TargetExternalSymbol, f->ptr, to.symbol, (i64)to.offset);
	for (u32 i = 0; i < n; i++)
		ops[k++] = v[i];
	if (!glue)
		return dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1, ops, k);
	if (dag_is(*glue))
		ops[k++] = *glue;
	DagVal s = dag_node_like(d, &like, (DagVt[]){VT_CHAIN, VT_GLUE}, 2, ops, k);
	*glue = dag_res(s.n, 1);
	return s;
}

DagVal dag_store_piece(DagFunc *f, DagVal chain, StrId symbol, const DagPiece *p, u32 align, const DagVal *v, DagVal *glue)
{
	Dag *d = &f->dag;
	u32  bytes = piece_bytes(p), chunk = dag_piece_chunk(p, align);
	if (chunk == bytes || p->group > 1)
		return dag_store_param_group(f, chain, (DagParamPlace){symbol, p->offset, dag_param_mem_vt(p->vt)}, v, p->group,
		                             glue);
	DagVt  it = VT_INT(bytes * 8), pt = VT_INT(chunk * 8);
	DagVal x = vt_is_sint(dag_vt(d, v[0])) ? dag_any_or_trunc(d, v[0], it) : dag_1(d, DAG_BITCAST, it, v[0]);
	for (u32 at = 0; at < bytes; at += chunk) {
		DagVal part = at ? dag_2(d, DAG_SRL, it, x, dag_const(d, VT_I32, at * 8)) : x;
		chain = dag_store_param_group(f, chain, (DagParamPlace){symbol, p->offset + at, pt}, &part, 1, glue);
	}
	return chain;
}

/* Two bytes that are the bits of a number are stored as the number. */
static void join_bytes(DagFunc *f, DagPieces *pieces, DagVal *leaves)
{
	Dag *d = &f->dag;
	for (u32 k = 0; k + 1 < pieces->n; k++) {
		DagPiece *q = &pieces->p[k];
		DagVal   *leaf = &leaves[q->leaf];
		if (q->group != 2 || q->part || dag_vt(d, *leaf) != vt_vec(VT_I8, 2) || dag_op(d, *leaf) != DAG_BITCAST ||
		    dag_vt(d, dag_arg(d, *leaf, 0)) != VT_I16)
			continue;
		*leaf = dag_arg(d, *leaf, 0);
		q->vt = VT_I16, q->group = 1;
		memmove(q + 1, q + 2, (pieces->n - k - 2) * sizeof *q);
		pieces->n--;
	}
}

void dag_lower_ret(DagFunc *f, IrRef inst)
{
	Dag   *d = &f->dag;
	DagVal chain;
	if (ir_n_ops(f->m, inst) && f->ir->cc != IRCC_PTX_KERNEL) { /* what a kernel returns goes nowhere */
		IrRef     value = ir_op(f->m, inst, 0);
		MirParam  p = mir_abi_ret(f->m, f->ir);
		DagPieces pieces = {0};
		StrId     symbol = strtab_add(&f->s->strs, STR("func_retval0"));
		u32       n, at = dag_values(f, value, &n);
		DagVal   *leaves = arena_array(f->arena, DagVal, n + 1);
		memcpy(leaves, f->pool.p + at, n * sizeof *leaves);
		dag_pieces(f, ir_type_of(f->m, value), p.align, &pieces);
		join_bytes(f, &pieces, leaves);
		DagVal *v = arena_array(f->arena, DagVal, pieces.n + 1);
		for (u32 k = 0; k < pieces.n; k++) {
			DagPiece *q = &pieces.p[k];
			DagVal    x = dag_take_part(f, leaves[q->leaf], q->part, q->vt);
			if (p.bits && vt_is_int(q->vt) && vt_bits(q->vt) < 32) {
				x = widened_result(f, leaves[0], &p);
				q->vt = VT_I32;
			}
			v[k] = stored_piece(f, x);
		}
		chain = dag_control_root(f);
		/* Words from the last to the first, for which ptxas needs fewer moves; with smaller pieces it needs more. */
		u32 *group = arena_array(f->arena, u32, pieces.n + 1), n_groups = 0;
		bool words = true;
		for (u32 k = 0; k < pieces.n; k += pieces.p[k].group) {
			group[n_groups++] = k;
			words &= piece_bytes(&pieces.p[k]) >= 4;
		}
		for (u32 g = 0; g < n_groups; g++) {
			u32 k = group[words ? n_groups - 1 - g : g];
			chain = dag_store_piece(f, chain, symbol, &pieces.p[k], PS_MAX(p.align, p.bits / 8), v + k, NULL);
		}
	} else {
		chain = dag_control_root(f);
	}
	DagNode like = {.opcode = DAG_RET, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	d->root = dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1, &chain, 1);
}
