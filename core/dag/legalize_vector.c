/* legalize_vector.c: operations on vectors that no register holds: part by part where all operands are divided into parts
 * alike, else element by element.
 *
 * Bytes of v4i8 are extracted by bfe and put together by prmt; bitcasts go through integers as wide as the narrower element.
 * Elements at unknown indices: legalize_index.c. Linear in elements. */
#include "dag/legalize.h"
#include "dag/expand.h"
#include "dag/lower_target.h"

static bool is_vector_node(const Dag *d, const DagNode *n)
{
	for (u32 r = 0; r < dag_n_results(n); r++)
		if (vt_is_vec(dag_result_vt(d, n, r)))
			return true;
	for (u32 i = 0; i < dag_n_ops(n); i++)
		if (vt_is_vec(dag_vt(d, dag_operand(d, n, i))))
			return true;
	return false;
}

/* Lanes of each part, 0 where parts and elements are not of one width. */
static u32 lanes_per_part(DagVt vt)
{
	DagVt part;
	dag_reg_parts(vt, &part);
	if (vt_elem(part) != vt_elem(vt))
		return 0;
	return PS_MAX(vt_lanes(part), 1u);
}

/* The lanes of each part, if all vectors of the node have parts of as many; else 0. */
static u32 common_lanes(const Dag *d, const DagNode *n)
{
	u32 per = lanes_per_part(n->vt[0]);
	for (u32 i = 0; i < dag_n_ops(n) && per; i++) {
		DagVt vt = dag_vt(d, dag_operand(d, n, i));
		if (vt_is_vec(vt) && lanes_per_part(vt) != per)
			return 0;
	}
	return per;
}

/* The integer of two singles, low first. */
static DagVal singles_pair(Dag *d, const DagVal *s)
{
	const DagNode *lo = dag_of(d, s[0]), *hi = dag_of(d, s[1]);
	u64            i, j;
	if (lo->opcode == DAG_EXTRACT_ELEMENT && hi->opcode == DAG_EXTRACT_ELEMENT &&
	    dag_same(dag_operand(d, lo, 0), dag_operand(d, hi, 0)) && dag_as_const(d, dag_operand(d, lo, 1), &i) &&
	    dag_as_const(d, dag_operand(d, hi, 1), &j) && i == 0 && j == 1)
		return dag_operand(d, lo, 0);
	return dag_2(d, DAG_BUILD_PAIR, VT_I64, s[0], s[1]);
}

/* One instruction for two singles: fma.rn.f32x2. */
static void by_pair(Legalizer *l, DagOp op, DagVal *const *parts, u32 n_ops, u32 k, DagVal *out)
{
	Dag   *d = l->d;
	DagVal ops[3];
	for (u32 i = 0; i < n_ops; i++)
		ops[i] = singles_pair(d, parts[i] + k);
	DagVal r = dag_node(d, op, VT_I64, ops, n_ops);
	for (u32 i = 0; i < 2; i++)
		out[k + i] = dag_2(d, DAG_EXTRACT_ELEMENT, VT_F32, r, dag_const(d, VT_I32, i));
}

static void by_parts(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	u32     n_ops = dag_n_ops(&n);
	DagVt   part;
	u32     count = dag_reg_parts(n.vt[0], &part);
	DagVal *parts[4], out[LEGAL_PARTS];
	for (u32 i = 0; i < n_ops && i < 4; i++) {
		DagVal v = dag_operand(d, dag_at(d, node), i);
		if (!vt_is_vec(dag_vt(d, v))) {
			parts[i] = NULL;
			continue;
		}
		parts[i] = arena_array(l->a, DagVal, LEGAL_PARTS);
		legal_parts(l, v, parts[i]);
	}
	DagOp pair = part == VT_F32 ? dag_pair_op(l->f, (DagOp)n.opcode) : DAG_DELETED;
	for (u32 k = 0; k < count; k++) {
		DagVal ops[4];
		if (pair != DAG_DELETED && k + 1 < count) {
			by_pair(l, pair, parts, n_ops, k++, out);
			continue;
		}
		for (u32 i = 0; i < n_ops; i++)
			ops[i] = parts[i] ? parts[i][k] : dag_operand(d, dag_at(d, node), i);
		DagOp op = (DagOp)n.opcode;
		if (op == DAG_VSELECT && !vt_is_vec(dag_vt(d, ops[0])))
			op = DAG_SELECT;
		out[k] = dag_flagged(d, op, part, ops, n_ops, n.flags);
	}
	legal_set(l, dag_res(node, 0), out, count);
}

static bool by_elements(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	u32     n_ops = dag_n_ops(&n), results = dag_n_results(&n), lanes = vt_lanes(n.vt[0]);
	DagVal *e[2];
	if (n_ops > 4 || results > 2 || !lanes)
		return false;
	for (u32 r = 0; r < results; r++)
		e[r] = arena_array(l->a, DagVal, lanes);
	for (u32 i = 0; i < lanes; i++) {
		DagVal ops[4];
		DagVt  vts[2] = {vt_elem(n.vt[0]), results > 1 ? vt_elem(n.vt[1]) : VT_NONE};
		for (u32 k = 0; k < n_ops; k++) {
			DagVal v = dag_operand(d, dag_at(d, node), k);
			ops[k] = vt_is_vec(dag_vt(d, v)) ? legal_element(l, v, i) : v;
		}
		DagOp  op = n.opcode == DAG_VSELECT ? DAG_SELECT : (DagOp)n.opcode;
		DagVal x = op == DAG_ADDRSPACECAST ? dag_pointer_cast(l->f, ops[0], (u32)n.k[0], (u32)n.k[1])
		           : results == 1          ? dag_flagged(d, op, vts[0], ops, n_ops, n.flags)
		                                   : dag_node_n(d, op, vts, results, ops, n_ops);
		e[0][i] = x;
		if (results > 1)
			e[1][i] = dag_res(x.n, 1);
	}
	for (u32 r = 0; r < results; r++) {
		DagVal out[LEGAL_PARTS];
		DagVt  vt = n.vt[r];
		if (dag_is_legal_vt(vt)) {
			dag_replace(d, dag_res(node, r), dag_node(d, DAG_BUILD_VECTOR, vt, e[r], lanes));
		} else {
			u32 count = legal_of_elements(l, vt, e[r], out);
			legal_set(l, dag_res(node, r), out, count);
		}
	}
	return true;
}

/* ---- elements in and out ---- */

static void set_elements(Legalizer *l, u32 node, const DagVal *e)
{
	DagVal out[LEGAL_PARTS];
	DagVt  vt = dag_at(l->d, node)->vt[0];
	u32    n = legal_of_elements(l, vt, e, out);
	legal_set(l, dag_res(node, 0), out, n);
}

static void set_scalar(Legalizer *l, u32 node, DagVal v)
{
	Dag   *d = l->d;
	DagVal out[LEGAL_PARTS];
	if (dag_is_legal_vt(dag_vt(d, v))) {
		dag_replace(d, dag_res(node, 0), v);
		return;
	}
	u32 n = legal_parts(l, v, out);
	legal_set(l, dag_res(node, 0), out, n);
}

/* Bytes of a v4i8: bfe and bfi. */
static void extract_byte(Legalizer *l, u32 node, DagVal v, u32 i)
{
	Dag   *d = l->d;
	DagVal w = dag_1(d, DAG_BITCAST, VT_I32, v);
	DagVal b = dag_3(d, DAG_BFE_U, VT_I32, w, dag_const(d, VT_I32, i * 8), dag_const(d, VT_I32, 8));
	DagVal p = dag_1(d, DAG_TRUNCATE, VT_I16, b);
	legal_set(l, dag_res(node, 0), &p, 1);
}

/* The word that an element stands in, and which byte of it; a scalar is the lowest byte of its own. */
static DagVal byte_of(Legalizer *l, DagVal e, u32 *at)
{
	Dag   *d = l->d;
	DagVal p[LEGAL_PARTS];
	u64    i;
	*at = 0;
	if (dag_op(d, e) == DAG_EXTRACT_VECTOR_ELT && dag_vt(d, dag_arg(d, e, 0)) == VT_V4I8 &&
	    dag_as_const(d, dag_arg(d, e, 1), &i) && i < 4) {
		*at = (u32)i;
		return dag_1(d, DAG_BITCAST, VT_I32, dag_arg(d, e, 0));
	}
	/* A byte of a longer vector, which is held in several words. */
	if (dag_op(d, e) == DAG_EXTRACT_VECTOR_ELT && dag_as_const(d, dag_arg(d, e, 1), &i) &&
	    i < vt_lanes(dag_vt(d, dag_arg(d, e, 0)))) {
		DagVal v = dag_arg(d, e, 0);
		DagVt  part;
		dag_reg_parts(dag_vt(d, v), &part);
		if (part == VT_V4I8) {
			legal_parts(l, v, p);
			*at = (u32)i % 4;
			return dag_1(d, DAG_BITCAST, VT_I32, p[i / 4]);
		}
	}
	legal_parts(l, e, p);
	return dag_any_or_trunc(d, p[0], VT_I32);
}

static DagVal permuted(Dag *d, DagVal lo, DagVal hi, u32 order)
{
	return dag_3(d, DAG_PRMT, VT_I32, lo, hi, dag_const(d, VT_I32, order));
}

/* One prmt takes bytes from two words, so each further word takes another one. */
static DagVal permute_bytes(Dag *d, const DagVal *word, const u32 *at, const bool *any)
{
	DagVal from[4] = {{0}}, r;
	u32    n_from = 0, of[4], order = 0;
	for (u32 i = 0; i < 4; i++) {
		u32 k = 0;
		while (!any[i] && k < n_from && !dag_same(from[k], word[i]))
			k++;
		of[i] = k;
		if (!any[i] && k == n_from)
			from[n_from++] = word[i];
	}
	for (u32 i = 0; i < 4; i++)
		order |= (any[i] ? i : (of[i] & 1) * 4 + at[i]) << 4 * i;
	if (n_from == 1 && order == 0x3210)
		return from[0];
	if (n_from == 4) /* two pairs, which are independent of each other */
		return permuted(d, permuted(d, word[0], word[1], 0x3300 | (4 + at[1]) << 4 | at[0]),
		                permuted(d, word[2], word[3], 0x3300 | (4 + at[3]) << 4 | at[2]), 0x5410);
	r = permuted(d, from[0], n_from > 1 ? from[1] : dag_const(d, VT_I32, 0), n_from == 3 ? order & 0x7777 : order);
	if (n_from < 3)
		return r;
	for (u32 i = order = 0; i < 4; i++)
		order |= (!any[i] && of[i] == 2 ? 4 + at[i] : i) << 4 * i;
	return permuted(d, r, from[2], order);
}

static void build_bytes(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal word[4] = {{0}};
	u32    at[4] = {0};
	bool   any[4], known[4], all_any = true, all_const = true;
	u64    v, bits = 0;
	for (u32 i = 0; i < 4; i++) {
		DagVal e = dag_operand(d, dag_at(d, node), i);
		any[i] = dag_is_undef(d, e);
		known[i] = !any[i] && dag_as_const(d, e, &v);
		all_any &= any[i];
		all_const &= any[i] || known[i];
		if (known[i])
			bits |= (v & 0xFF) << 8 * i;
		else if (!any[i])
			word[i] = byte_of(l, e, &at[i]);
	}
	for (u32 i = 0; i < 4; i++) /* constant bytes come out of one word */
		if (known[i])
			word[i] = dag_const(d, VT_I32, bits), at[i] = i;
	DagVal r = all_any ? dag_undef(d, VT_I32) : all_const ? dag_const(d, VT_I32, bits) : permute_bytes(d, word, at, any);
	dag_replace(d, dag_res(node, 0), dag_1(d, DAG_BITCAST, VT_V4I8, r));
}

static void extract(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal v = dag_operand(d, dag_at(d, node), 0), index = dag_operand(d, dag_at(d, node), 1);
	DagVt  vt = dag_vt(d, v);
	u64    i;
	if (!dag_as_const(d, index, &i))
		set_scalar(l, node, legal_extract_at(l, v, index));
	else if (i >= vt_lanes(vt))
		set_scalar(l, node, dag_undef(d, vt_elem(vt)));
	else if (vt == VT_V4I8)
		extract_byte(l, node, v, (u32)i);
	else
		set_scalar(l, node, legal_element(l, v, (u32)i));
}

static void insert(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal v = dag_operand(d, dag_at(d, node), 0), x = dag_operand(d, dag_at(d, node), 1),
	       index = dag_operand(d, dag_at(d, node), 2);
	u32 n = vt_lanes(dag_vt(d, v));
	u64 i;
	if (!dag_as_const(d, index, &i)) {
		DagVal out[LEGAL_PARTS];
		u32    count = legal_insert_at(l, v, x, index, out);
		legal_set(l, dag_res(node, 0), out, count);
		return;
	}
	DagVal *out = arena_array(l->a, DagVal, n);
	for (u32 k = 0; k < n; k++)
		out[k] = k == i ? x : legal_element(l, v, k);
	set_elements(l, node, out);
}

static void build(Legalizer *l, u32 node)
{
	Dag *d = l->d;
	u32  n = dag_n_ops(dag_at(d, node));
	if (dag_at(d, node)->vt[0] == VT_V4I8) {
		build_bytes(l, node);
		return;
	}
	DagVal *e = arena_array(l->a, DagVal, n);
	for (u32 i = 0; i < n; i++)
		e[i] = dag_operand(d, dag_at(d, node), i);
	set_elements(l, node, e);
}

/* setp on packed halves gives both predicates. */
static bool compare_packed(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a = dag_operand(d, dag_at(d, node), 0), b = dag_operand(d, dag_at(d, node), 1),
	       c = dag_operand(d, dag_at(d, node), 2);
	DagVt vt = dag_vt(d, a);
	bool  has = vt == VT_V2F16 ? dag_has_f16_math(l->f) : vt == VT_V2BF16 && dag_has_bf16_math(l->f);
	u64   cc = dag_of(d, c)->k[0];
	if (!has || cc == IRP_FALSE || cc == IRP_TRUE)
		return false;
	DagVal p = dag_node_n(d, DAG_SETP2, (DagVt[]){VT_I1, VT_I1}, 2, (DagVal[]){a, b, c}, 3);
	DagVal e[] = {dag_res(p.n, 0), dag_res(p.n, 1)};
	set_elements(l, node, e);
	return true;
}

/* copysign of both halves by masks on the 32-bit word. */
static bool copy_signs(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a = dag_operand(d, dag_at(d, node), 0), b = dag_operand(d, dag_at(d, node), 1);
	DagVt  vt = dag_vt(d, a);
	if ((vt != VT_V2F16 && vt != VT_V2BF16) || dag_vt(d, b) != vt)
		return false;
	DagVal all = dag_1(d, DAG_BITCAST, VT_I32, a), signs = dag_1(d, DAG_BITCAST, VT_I32, b);
	all = dag_2(d, DAG_AND, VT_I32, all, dag_const(d, VT_I32, 0x7FFF7FFF));
	signs = dag_2(d, DAG_AND, VT_I32, signs, dag_const(d, VT_I32, 0x80008000));
	dag_replace(d, dag_res(node, 0), dag_1(d, DAG_BITCAST, vt, dag_2(d, DAG_OR, VT_I32, all, signs)));
	return true;
}

static void subvector(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal v = dag_operand(d, dag_at(d, node), 0);
	DagVt  vt = dag_at(d, node)->vt[0];
	u32    first = (u32)dag_of(d, dag_operand(d, dag_at(d, node), 1))->k[0], per = lanes_per_part(vt),
	    of = lanes_per_part(dag_vt(d, v));
	if (per && per == of && first % per == 0) {
		DagVt  part;
		DagVal p[LEGAL_PARTS];
		legal_parts(l, v, p);
		legal_set(l, dag_res(node, 0), p + first / per, dag_reg_parts(vt, &part));
		return;
	}
	DagVal *e = arena_array(l->a, DagVal, vt_lanes(vt));
	for (u32 i = 0; i < vt_lanes(vt); i++)
		e[i] = legal_element(l, v, first + i);
	set_elements(l, node, e);
}

static void select_parts(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal c = dag_operand(d, dag_at(d, node), 0), a[LEGAL_PARTS], b[LEGAL_PARTS];
	u32    n = legal_parts(l, dag_operand(d, dag_at(d, node), 1), a);
	legal_parts(l, dag_operand(d, dag_at(d, node), 2), b);
	for (u32 i = 0; i < n; i++)
		a[i] = dag_3(d, DAG_SELECT, dag_vt(d, a[i]), c, a[i], b[i]);
	legal_set(l, dag_res(node, 0), a, n);
}

static void freeze_parts(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS];
	u32    n = legal_parts(l, dag_operand(d, dag_at(d, node), 0), a);
	for (u32 i = 0; i < n; i++)
		a[i] = dag_1(d, DAG_FREEZE, dag_vt(d, a[i]), a[i]);
	legal_set(l, dag_res(node, 0), a, n);
}

/* ---- bits as another type: through integers of which the elements of both sides are whole multiples ---- */

static u32 common_width(u32 a, u32 b)
{
	while (b) {
		u32 rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static void pieces_of(Legalizer *l, DagVal v, u32 width, DagVal *out)
{
	Dag  *d = l->d;
	DagVt vt = dag_vt(d, v);
	u32   lanes = PS_MAX(vt_lanes(vt), 1u), w = vt_bits(vt), k = 0;
	for (u32 i = 0; i < lanes; i++) {
		DagVal e = vt_is_vec(vt) ? legal_element(l, v, i) : v;
		if (vt_is_fp(vt))
			e = dag_1(d, DAG_BITCAST, VT_INT(w), e);
		for (u32 at = 0; at < w; at += width) {
			DagVal x = at ? dag_2(d, DAG_SRL, VT_INT(w), e, dag_const(d, VT_I32, at)) : e;
			out[k++] = w == width ? x : dag_1(d, DAG_TRUNCATE, VT_INT(width), x);
		}
	}
}

/* Are the registers of such a value words of 32 or 64 bits, without padding? */
static bool is_words(DagVt vt)
{
	DagVt part;
	u32   n = dag_reg_parts(vt, &part);
	return (vt_size(part) == 32 || vt_size(part) == 64) && n * vt_size(part) == vt_size(vt) && vt_kind(part) != VTK_B128;
}

/* Both sides are made of words: registers are kept, split into halves or joined to pairs. */
static void bitcast_words(Legalizer *l, u32 node, DagVal v, DagVt to)
{
	Dag   *d = l->d;
	DagVal p[LEGAL_PARTS], half[2 * LEGAL_PARTS], out[LEGAL_PARTS];
	DagVt  part;
	u32    n = legal_parts(l, v, p), count = dag_reg_parts(to, &part), have = vt_size(dag_vt(d, p[0])), want = vt_size(part);
	for (u32 i = 0; i < n && have != want; i++) {
		DagVal x = dag_1(d, DAG_BITCAST, VT_INT(have), p[i]);
		for (u32 k = 0; k < have / 32; k++)
			half[have / 32 * i + k] =
				have == 32 ? x : dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, x, dag_const(d, VT_I32, k));
	}
	for (u32 i = 0; i < count; i++) {
		DagVal x = have == want ? p[i]
		           : want == 32 ? half[i]
		                        : dag_2(d, DAG_BUILD_PAIR, VT_I64, half[2 * i], half[2 * i + 1]);
		out[i] = dag_1(d, DAG_BITCAST, part, x);
	}
	legal_set(l, dag_res(node, 0), out, count);
}

static void bitcast(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal v = dag_operand(d, dag_at(d, node), 0);
	DagVt  to = dag_at(d, node)->vt[0], from = dag_vt(d, v);
	if (is_words(to) && is_words(from)) {
		bitcast_words(l, node, v, to);
		return;
	}
	u32 width = common_width(vt_bits(to), vt_bits(from)), w = vt_bits(to), lanes = PS_MAX(vt_lanes(to), 1u), per = w / width;
	DagVal *p = arena_array(l->a, DagVal, vt_size(to) / width + 1), *e = arena_array(l->a, DagVal, lanes);
	pieces_of(l, v, width, p);
	for (u32 i = 0; i < lanes; i++) {
		DagVal x = p[i * per];
		if (per > 1 && per % 2 == 0 && width == 32) {
			DagVal words[VT_MAX_INT / 64];
			for (u32 k = 0; k < per / 2; k++)
				words[k] = dag_2(d, DAG_BUILD_PAIR, VT_I64, p[i * per + 2 * k], p[i * per + 2 * k + 1]);
			x = dag_of_words(d, VT_INT(w), words, per / 2);
		} else if (per > 1 && width == 64) {
			x = dag_of_words(d, VT_INT(w), p + i * per, per);
		} else if (per == 2 && width >= 16 && !(width & (width - 1))) {
			x = dag_2(d, DAG_BUILD_PAIR, VT_INT(w), p[2 * i], p[2 * i + 1]);
		} else if (per > 1) {
			x = dag_1(d, DAG_ZERO_EXTEND, VT_INT(w), x);
			for (u32 k = 1; k < per; k++) {
				DagVal y = dag_1(d, DAG_ZERO_EXTEND, VT_INT(w), p[i * per + k]);
				x = dag_2(d, DAG_OR, VT_INT(w), x,
				          dag_2(d, DAG_SHL, VT_INT(w), y, dag_const(d, VT_I32, k * width)));
			}
		}
		e[i] = vt_is_fp(to) ? dag_1(d, DAG_BITCAST, vt_elem(to), x) : x;
	}
	if (vt_is_vec(to)) {
		DagVal out[LEGAL_PARTS];
		u32    n = legal_of_elements(l, to, e, out);
		legal_set(l, dag_res(node, 0), out, n);
	} else {
		set_scalar(l, node, e[0]);
	}
}

/* Is the last part partly empty, and is it expanded element by element later? Then so is the node, without the elements that nobody
 * asked for. Bits are operated on in words. */
static bool has_empty_lanes(const Legalizer *l, const DagNode *n)
{
	DagVt part;
	dag_reg_parts(n->vt[0], &part);
	bool bitwise = n->opcode == DAG_AND || n->opcode == DAG_OR || n->opcode == DAG_XOR || n->opcode == DAG_VSELECT ||
	               n->opcode == DAG_FCOPYSIGN || n->opcode == DAG_FNEG || n->opcode == DAG_FABS;
	return vt_is_vec(part) && vt_lanes(n->vt[0]) % vt_lanes(part) && !bitwise &&
	       !dag_is_legal_op(l->f, (DagOp)n->opcode, part);
}

bool legal_vector_node(Legalizer *l, u32 node)
{
	Dag           *d = l->d;
	const DagNode *n = dag_at(d, node);
	if (n->opcode == DAG_BITCAST) {
		bitcast(l, node);
		return true;
	}
	if (!is_vector_node(d, n))
		return false;
	switch ((DagOp)n->opcode) {
	case DAG_BUILD_VECTOR: build(l, node); return true;
	case DAG_EXTRACT_VECTOR_ELT: extract(l, node); return true;
	case DAG_INSERT_VECTOR_ELT: insert(l, node); return true;
	case DAG_EXTRACT_SUBVECTOR: subvector(l, node); return true;
	case DAG_SETCC:
		if (compare_packed(l, node))
			return true;
		break;
	case DAG_FCOPYSIGN:
		if (copy_signs(l, node))
			return true;
		break;
	case DAG_SELECT: select_parts(l, node); return true;
	case DAG_FREEZE: freeze_parts(l, node); return true;
	default: break;
	}
	if (dag_n_results(n) == 1 && !dag_is_legal_vt(n->vt[0]) && (dag_op_info[n->opcode].flags & DOF_ELEMENTWISE) &&
	    dag_n_ops(n) <= 4 && common_lanes(d, n) && !has_empty_lanes(l, n)) {
		by_parts(l, node);
		return true;
	}
	return by_elements(l, node);
}
