/* legalize_memory.c: illegal types in loads and stores, in copies to and from registers, in calls and intrinsics.
 *
 *	load v4f32  ─▶ one ld.v4.f32, where the alignment allows         store i24 ─▶ st.u16, st.u8
 *	load <3 x i4> ─▶ load i12, then the elements out of the integer
 *
 * An access of several values is one vector access of 2, 4 or 8 where alignment, size and target allow. Integers of odd width are accessed
 * in powers of two bytes, low bytes first, and the padding bits of the last byte are stored as zeros. Linear in parts. */
#include "dag/legalize.h"
#include "sem/int.h"

/* ---- loads and stores ---- */

enum { MOST_IN_ACCESS = 8 }; /* values */

/* One access: `count` values of `vt` (1: scalar), each `reg` in a register. */
typedef struct Access {
	DagVt vt, reg;
	u32   count;
	u64   offset; /* bytes */
} Access;

static DagMem access_mem(const DagMem *m, const Access *x, DagExt ext)
{
	DagMem r = *m;
	r.vt = x->vt;
	r.ext = (u8)(x->reg != x->vt ? ext : DEXT_NONE);
	r.mem.size = (vt_size(x->vt) + 7) / 8 * x->count;
	r.mem.offset += (i64)x->offset;
	r.mem.align_log2 = (u8)dag_align_at(m->mem.align_log2, x->offset);
	return r;
}

/* Loads x->count values; returns the chain. */
static DagVal load_access(Legalizer *l, const DagMem *m, const Access *x, DagExt ext, DagVal chain, DagVal ptr, DagVal *out)
{
	Dag    *d = l->d;
	DagMem  mem = access_mem(m, x, ext);
	DagNode like = {.opcode = (u16)(x->count == 1 ? DAG_LOAD : DAG_LOADV), .mem = dag_mem_new(d, mem)};
	DagVt   vts[MOST_IN_ACCESS + 1];
	if (mem.mem.flags & MMF_VOLATILE)
		like.props |= DP_NO_CSE;
	for (u32 i = 0; i < x->count; i++)
		vts[i] = x->reg;
	vts[x->count] = VT_CHAIN;
	DagVal v = dag_node_like(d, &like, vts, x->count + 1, (DagVal[]){chain, dag_ptr_add(d, ptr, (i64)x->offset)}, 2);
	for (u32 i = 0; i < x->count; i++)
		out[i] = dag_res(v.n, i);
	return dag_res(v.n, x->count);
}

static DagVal store_access(Legalizer *l, const DagMem *m, const Access *x, DagVal chain, DagVal ptr, const DagVal *v)
{
	Dag    *d = l->d;
	DagMem  mem = access_mem(m, x, DEXT_NONE);
	DagNode like = {
		.opcode = (u16)(x->count == 1 ? DAG_STORE : DAG_STOREV), .mem = dag_mem_new(d, mem), .props = DP_SIDE_EFFECT};
	DagVal ops[MOST_IN_ACCESS + 2] = {chain};
	for (u32 i = 0; i < x->count; i++)
		ops[1 + i] = v[i];
	ops[1 + x->count] = dag_ptr_add(d, ptr, (i64)x->offset);
	return dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1, ops, 2 + x->count);
}

/* How many of `left` units of `bytes` one access may take: as many as `align_log2` allows there, and the target. Eight are words. */
static u32 group_of(const Legalizer *l, const DagMem *m, u32 left, u32 bytes, u64 offset)
{
	bool plain = !m->mem.ordering && m->nc != DAG_LDU;
	u32  widest = plain ? isa_access_bytes(&l->f->s->target, m->mem.space) : 16;
	for (u32 n = bytes == 4 ? MOST_IN_ACCESS : 4; n > 1; n /= 2)
		if (n <= left && n * bytes <= widest && ((u32)1 << dag_align_at(m->mem.align_log2, offset)) >= n * bytes)
			return n;
	return 1;
}

/* Packed units of 32 bits where the elements fill them, else single elements; four of 16 bits are one access. */
static DagVt unit_of(DagVt vt, u32 align_log2)
{
	DagVt e = vt_elem(vt);
	u32   n = vt_lanes(vt);
	if (vt_bits(e) == 16 && n == 4 && align_log2 >= 3)
		return e;
	if (vt_bits(e) == 16 && n % 2 == 0)
		return vt_vec(e, 2);
	if (e == VT_I8 && n % 4 == 0)
		return VT_V4I8;
	return e;
}

/* The lanes to load instead of those of `vt`: as many as fill a power of two bytes that the alignment promises to be there, so that
 * <3 x float> is one access. Not where other lanes could be another parameter, or where the program counts the accesses. */
static u32 lanes_to_load(DagVt vt, const DagMem *m)
{
	u32 lanes = vt_lanes(vt), bits = vt_bits(vt), full = 1;
	while (full < lanes)
		full *= 2;
	bool plain = !(m->mem.flags & MMF_VOLATILE) && m->mem.space != AS_PARAM && m->nc != DAG_LDU;
	bool powers = bits >= 8 && bits <= 64 && (bits & (bits - 1)) == 0 && full * bits <= 128;
	return plain && powers && (u32)8 << m->mem.align_log2 >= full * bits ? full : lanes;
}

static void load_vector(Legalizer *l, u32 node, DagVt vt, const DagMem *m)
{
	Dag    *d = l->d;
	DagVal  chain = dag_operand(d, dag_at(d, node), 0), ptr = dag_operand(d, dag_at(d, node), 1);
	DagVt   e = vt_elem(vt), all = vt_vec(e, lanes_to_load(vt, m)), part;
	DagVt   unit = unit_of(all, vt_lanes(vt) % 2 ? 0 : m->mem.align_log2); /* parts of an odd vector are packed */
	u32     bytes = (vt_size(unit) + 7) / 8, per = PS_MAX(vt_lanes(unit), 1u), n = vt_lanes(all) / per;
	DagVal *elem = arena_array(l->a, DagVal, vt_lanes(all)), *chains = arena_array(l->a, DagVal, n + 1),
	       *unit_v = arena_array(l->a, DagVal, n + 4);
	u32 k = 0;
	if (per == 1)
		dag_reg_parts(e, &part);
	for (u32 i = 0; i < n;) {
		/* Elements of several registers or of odd widths are loaded one by one. */
		if (per == 1 && !dag_is_legal_vt(e) && e != VT_I8) {
			DagMem one = *m;
			one.vt = e;
			one.mem.align_log2 = (u8)dag_align_at(m->mem.align_log2, (u64)i * bytes);
			one.mem.size = bytes;
			elem[i] = dag_load(d, e, chain, dag_ptr_add(d, ptr, (i64)((u64)i * bytes)), one);
			chains[k++] = dag_res(elem[i].n, 1);
			i++;
			continue;
		}
		Access x = {.vt = unit, .reg = unit == VT_I8 ? VT_I16 : unit, .offset = (u64)i * bytes};
		x.count = unit == VT_I1 ? 1 : group_of(l, m, n - i, bytes, x.offset);
		chains[k++] = load_access(l, m, &x, DEXT_ZERO, chain, ptr, unit_v + i);
		for (u32 j = 0; j < x.count; j++)
			for (u32 q = 0; q < per; q++) {
				DagVal v = unit_v[i + j];
				elem[(i + j) * per + q] =
					per > 1      ? dag_2(d, DAG_EXTRACT_VECTOR_ELT, e, v, dag_const(d, VT_I32, q))
					: e == VT_I8 ? dag_1(d, DAG_TRUNCATE, e, v)
						     : v;
			}
		i += x.count;
	}
	dag_replace(d, dag_res(node, 1), dag_tokens(d, chains, k));
	DagVal parts[LEGAL_PARTS];
	if (dag_is_legal_vt(vt)) {
		dag_replace(d, dag_res(node, 0), dag_node(d, DAG_BUILD_VECTOR, vt, elem, vt_lanes(vt)));
		return;
	}
	u32 np = legal_of_elements(l, vt, elem, parts);
	legal_set(l, dag_res(node, 0), parts, np);
}

/* Loads an integer of any width in powers of two bytes, low bytes first; words of 64 bits as many at once as alignment and target allow. */
static void load_integer(Legalizer *l, u32 node, DagVt vt, const DagMem *m)
{
	Dag   *d = l->d;
	DagVal chain = dag_operand(d, dag_at(d, node), 0), ptr = dag_operand(d, dag_at(d, node), 1);
	DagVt  part;
	u32    n = dag_reg_parts(vt, &part), bytes = (vt_bits(m->vt) + 7) / 8, k = 0;
	DagVal parts[LEGAL_PARTS], chains[LEGAL_PARTS];
	DagExt ext = m->ext ? (DagExt)m->ext : DEXT_ZERO; /* which costs nothing: ld.u8 fills the register */
	for (u32 i = 0; i < n; i++) {
		u32    from = i * 8, to = n == 1 ? bytes : PS_MIN(from + 8, bytes);
		DagVal v = DAG_NONE;
		Access words = {.vt = part, .reg = part, .offset = from};
		words.count = from + 16 <= bytes ? group_of(l, m, (bytes - from) / 8, 8, from) : 1;
		if (words.count > 1) {
			chains[k++] = load_access(l, m, &words, DEXT_NONE, chain, ptr, parts + i);
			i += words.count - 1;
			continue;
		}
		for (u32 at = from; at < to;) {
			u32 size = 8;
			while (size > to - at)
				size /= 2;
			Access x = {.vt = VT_INT(size * 8), .reg = part, .count = 1, .offset = at};
			DagVal p;
			chains[k++] = load_access(l, m, &x, at + size < to || n > 1 ? DEXT_ZERO : ext, chain, ptr, &p);
			if (at == from && size == to - from) {
				v = dag_zext_or_trunc(d, p, part);
			} else {
				v = dag_is(v) ? dag_2(d, DAG_OR, part, v,
				                      dag_2(d, DAG_SHL, part, p, dag_const(d, VT_I32, (at - from) * 8)))
				              : p;
			}
			at += size;
		}
		parts[i] = v;
	}
	/* Stores write zeros above the width in the last byte. */
	if (vt_bits(vt) % 8 && vt == m->vt)
		parts[n - 1] = dag_2(d, DAG_ASSERT_ZEXT, part, parts[n - 1], dag_vtype(d, VT_INT(vt_bits(vt) - 64 * (n - 1))));
	dag_replace(d, dag_res(node, 1), dag_tokens(d, chains, k));
	legal_set(l, dag_res(node, 0), parts, n);
}

/* Is a vector accessed as one integer? Atomic ones are, as PTX has no vector access that is one atomic access. */
static bool is_one_access(DagVt vt, const DagMem *m)
{
	return m->vt == vt && vt_is_vec(vt) && m->mem.ordering && vt_size(vt) <= 64;
}

static void load_bits(Legalizer *l, u32 node, DagVt vt, DagMem m)
{
	Dag   *d = l->d;
	DagVal chain = dag_operand(d, dag_at(d, node), 0), ptr = dag_operand(d, dag_at(d, node), 1), parts[LEGAL_PARTS];
	m.vt = vt_as_int(vt);
	DagVal whole = dag_load(d, m.vt, chain, ptr, m);
	dag_replace(d, dag_res(node, 1), dag_res(whole.n, 1));
	u32 n = legal_parts(l, dag_1(d, DAG_BITCAST, vt, whole), parts);
	legal_set(l, dag_res(node, 0), parts, n);
}

static DagVal store_bits(Legalizer *l, u32 node, DagVal v, DagMem m)
{
	Dag   *d = l->d;
	DagVal chain = dag_operand(d, dag_at(d, node), 0), ptr = dag_operand(d, dag_at(d, node), 2);
	m.vt = vt_as_int(dag_vt(d, v));
	return dag_store(d, chain, dag_1(d, DAG_BITCAST, m.vt, v), ptr, m);
}

static bool load(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	DagVt   vt = n.vt[0];
	if (is_one_access(vt, &m))
		load_bits(l, node, vt, m);
	else if (vt_is_vec(vt))
		load_vector(l, node, vt, &m);
	else
		load_integer(l, node, vt, &m);
	return true;
}

static DagVal store_vector(Legalizer *l, u32 node, DagVal v, const DagMem *m)
{
	Dag    *d = l->d;
	DagVal  chain = dag_operand(d, dag_at(d, node), 0), ptr = dag_operand(d, dag_at(d, node), 2);
	DagVt   vt = dag_vt(d, v), unit = unit_of(vt, m->mem.align_log2), e = vt_elem(vt);
	u32     bytes = (vt_size(unit) + 7) / 8, per = PS_MAX(vt_lanes(unit), 1u), n = vt_lanes(vt) / per, k = 0;
	DagVal *unit_v = arena_array(l->a, DagVal, n + 1), *chains = arena_array(l->a, DagVal, n + 1);
	bool    own = per == 1 && !dag_is_legal_vt(e) && e != VT_I8;
	DagVal  parts[LEGAL_PARTS];
	DagVt   part;
	bool    direct = per > 1 && dag_reg_parts(vt, &part) == n && part == unit;
	if (direct)
		legal_parts(l, v, parts);
	for (u32 i = 0; i < n; i++) {
		if (direct) {
			unit_v[i] = parts[i];
			continue;
		}
		DagVal x[4];
		for (u32 q = 0; q < per; q++)
			x[q] = legal_element(l, v, i * per + q);
		unit_v[i] = per > 1 ? dag_node(d, DAG_BUILD_VECTOR, unit, x, per) : x[0];
		if (unit == VT_I8) {
			legal_parts(l, x[0], parts);
			unit_v[i] = parts[0];
		}
	}
	for (u32 i = 0; i < n;) {
		if (own) {
			DagMem one = *m;
			one.vt = e;
			one.mem.size = bytes;
			one.mem.align_log2 = (u8)dag_align_at(m->mem.align_log2, (u64)i * bytes);
			chains[k++] = dag_store(d, chain, unit_v[i], dag_ptr_add(d, ptr, (i64)((u64)i * bytes)), one);
			i++;
			continue;
		}
		Access x = {.vt = unit, .reg = unit, .offset = (u64)i * bytes};
		x.count = unit == VT_I1 ? 1 : group_of(l, m, n - i, bytes, x.offset);
		chains[k++] = store_access(l, m, &x, chain, ptr, unit_v + i);
		i += x.count;
	}
	return dag_tokens(d, chains, k);
}

/* A value whose low `width` bits are the bits of v from `at` on; its other bits are unspecified. */
static DagVal bits_from(Dag *d, DagVal v, u32 at, u32 width)
{
	v = dag_piece_of(d, v, &at, width);
	return at ? dag_2(d, DAG_SRL, dag_vt(d, v), v, dag_const(d, VT_I32, at)) : v;
}

static DagVal store_integer(Legalizer *l, u32 node, DagVal v, const DagMem *m)
{
	Dag   *d = l->d;
	DagVal chain = dag_operand(d, dag_at(d, node), 0), ptr = dag_operand(d, dag_at(d, node), 2);
	DagVt  vt = dag_vt(d, v), part;
	u32    n = dag_reg_parts(vt, &part), bytes = (vt_bits(m->vt) + 7) / 8, k = 0;
	DagVal parts[LEGAL_PARTS], chains[LEGAL_PARTS];
	legal_parts(l, v, parts);
	for (u32 i = 0; i < n; i++) {
		u32    from = i * 8, to = n == 1 ? bytes : PS_MIN(from + 8, bytes);
		Access words = {.vt = part, .reg = part, .offset = from};
		words.count = from + 16 <= vt_bits(vt) / 8 ? group_of(l, m, (vt_bits(vt) / 8 - from) / 8, 8, from) : 1;
		if (words.count > 1) {
			chains[k++] = store_access(l, m, &words, chain, ptr, parts + i);
			i += words.count - 1;
			continue;
		}
		for (u32 at = from; at < to;) {
			u32 size = 8;
			while (size > to - at)
				size /= 2;
			DagVal p = bits_from(d, parts[i], (at - from) * 8, size * 8);
			/* Write zeros to the padding bits. */
			u32 used = vt_bits(vt) - at * 8;
			if (used < size * 8 && !dag_masked_zero(d, parts[i], vt_mask(part) & ~sem_mask(vt_bits(vt) - from * 8)))
				p = dag_2(d, DAG_AND, part, dag_any_or_trunc(d, p, part), dag_const(d, part, sem_mask(used)));
			Access x = {.vt = VT_INT(size * 8), .reg = VT_INT(size * 8), .count = 1, .offset = at};
			chains[k++] = store_access(l, m, &x, chain, ptr, &p);
			at += size;
		}
	}
	return dag_tokens(d, chains, k);
}

/* Is the value in one register, or computed there, with nothing to put together? */
static bool is_whole(Legalizer *l, DagVal v)
{
	DagOp op = dag_op(l->d, v);
	return op == DAG_LOAD || op == DAG_LOADV || op == DAG_CopyFromReg || op == DAG_BITCAST ||
	       dag_is_legal_op(l->f, op, dag_vt(l->d, v));
}

/* Of an odd number of elements that a word holds several of: the integer of all their bits, which is stored in fewer accesses.
 * None: other vectors, and one whose elements would first be put together. */
static DagVal packed_integer(Legalizer *l, DagVal v, const DagMem *m)
{
	Dag   *d = l->d;
	DagVt  vt = dag_vt(d, v), part;
	u32    n = dag_reg_parts(vt, &part);
	DagVal p[LEGAL_PARTS];
	if (vt_lanes(vt) % 2 == 0 || vt_size(vt) > 64 || n > 2 || vt_elem(part) != vt_elem(vt) || !vt_is_packed(part) ||
	    (m->mem.flags & MMF_VOLATILE))
		return DAG_NONE;
	legal_parts(l, v, p);
	for (u32 i = 0; i < n; i++) {
		if (!is_whole(l, p[i]))
			return DAG_NONE;
		p[i] = dag_1(d, DAG_BITCAST, VT_I32, p[i]);
	}
	DagVal whole = n == 1 ? p[0] : dag_2(d, DAG_BUILD_PAIR, VT_I64, p[0], p[1]);
	return dag_1(d, DAG_TRUNCATE, vt_as_int(vt), whole);
}

static bool store(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagMem  m = *dag_mem(d, &n);
	DagVal  v = dag_operand(d, dag_at(d, node), 1);
	DagVt   vt = dag_vt(d, v);
	DagVal  packed = vt_is_vec(vt) ? packed_integer(l, v, &m) : DAG_NONE;
	DagVal  chain = is_one_access(vt, &m) || dag_is(packed) ? store_bits(l, node, dag_is(packed) ? packed : v, m)
	                : vt_is_vec(vt)                         ? store_vector(l, node, v, &m)
	                                                        : store_integer(l, node, v, &m);
	dag_replace(d, dag_res(node, 0), chain);
	return true;
}

/* ---- registers ---- */

static bool copy_from(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal chain = dag_operand(d, dag_at(d, node), 0), parts[LEGAL_PARTS];
	u32    reg = (u32)dag_of(d, dag_operand(d, dag_at(d, node), 1))->k[0];
	DagVt  vt = dag_at(d, node)->vt[0], part;
	u32    n = dag_reg_parts(vt, &part);
	for (u32 i = 0; i < n; i++)
		parts[i] = dag_copy_from(d, chain, (MirReg){reg + i}, part);
	for (u32 i = 0; i < n; i++)
		dag_of(d, parts[i])->props |= dag_at(d, node)->props & DP_DIVERGENT;
	dag_replace(d, dag_res(node, 1), chain);
	legal_set(l, dag_res(node, 0), parts, n);
	return true;
}

static bool copy_to(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal chain = dag_operand(d, dag_at(d, node), 0), v = dag_operand(d, dag_at(d, node), 2), parts[LEGAL_PARTS],
	       chains[LEGAL_PARTS];
	u32     reg = (u32)dag_of(d, dag_operand(d, dag_at(d, node), 1))->k[0], n = legal_parts(l, v, parts);
	DagNode like = {.opcode = DAG_CopyToReg, .props = DP_SIDE_EFFECT | DP_NO_CSE, .aux = dag_at(d, node)->aux};
	for (u32 i = 0; i < n; i++)
		chains[i] = dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1,
		                          (DagVal[]){chain, dag_reg(d, dag_vt(d, parts[i]), (MirReg){reg + i}), parts[i]}, 3);
	dag_replace(d, dag_res(node, 0), dag_tokens(d, chains, n));
	return true;
}

/* ---- intrinsics, calls, inline assembly: operands by their first part, results narrowed ---- */

static bool opaque(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	u32     n_ops = dag_n_ops(&n), results = dag_n_results(&n);
	DagVal *ops = arena_array(l->a, DagVal, n_ops + 1);
	DagVt  *vts = arena_array(l->a, DagVt, results + 1);
	for (u32 i = 0; i < n_ops; i++) {
		DagVt part;
		ops[i] = dag_operand(d, dag_at(d, node), i);
		DagVt vt = dag_vt(d, ops[i]);
		if (vt_is_value(vt) && !dag_is_legal_vt(vt)) {
			DagVal parts[LEGAL_PARTS];
			if (dag_reg_parts(vt, &part) != 1)
				return false;
			legal_parts(l, ops[i], parts);
			ops[i] = parts[0];
		}
	}
	for (u32 r = 0; r < results; r++) {
		DagVt vt = dag_result_vt(d, dag_at(d, node), r);
		vts[r] = vt;
		if (vt_is_value(vt) && !dag_is_legal_vt(vt) && dag_reg_parts(vt, &vts[r]) != 1)
			return false;
	}
	DagVal v = dag_node_like(d, &n, vts, results, ops, n_ops);
	for (u32 r = 0; r < results; r++) {
		DagVal one = dag_res(v.n, r);
		if (vt_is_value(vts[r]) && vts[r] != dag_result_vt(d, dag_at(d, node), r))
			legal_set(l, dag_res(node, r), &one, 1);
		else
			dag_replace(d, dag_res(node, r), one);
	}
	return true;
}

bool legal_memory_node(Legalizer *l, u32 node)
{
	switch ((DagOp)dag_at(l->d, node)->opcode) {
	case DAG_LOAD: return load(l, node);
	case DAG_STORE: return store(l, node);
	case DAG_CopyFromReg: return copy_from(l, node);
	case DAG_CopyToReg: return copy_to(l, node);
	case DAG_INTRINSIC:
	case DAG_INLINEASM:
	case DAG_MACHINE:
	case DAG_STOREPARAM:
	case DAG_PROXY: return opaque(l, node);
	default: return false;
	}
}
