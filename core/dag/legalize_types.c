/* legalize_types.c: values of types that no register holds become lists of parts of legal types.
 *
 *	i8  (garbage above) ─▶ i16          i24 ─▶ i32             i128 ─▶ i64, i64 (low first)
 *	v4f32 ─▶ f32, f32, f32, f32         v4f16 ─▶ v2f16, v2f16  v3i8 ─▶ v4i8
 *
 * One walk from operands to users. A node with an illegal operand or result is built again from the parts of its operands;
 * its legal results replace the old ones, and its illegal results are remembered as parts. The bits of a part above the width
 * of the value are unspecified: legal_zext_part and legal_sext_part clear them, or fill them with the sign. The walk is
 * repeated while nodes of illegal types were made, at most MAX_ROUNDS times. Linear in nodes, and in the parts of each value. */
#include "dag/legalize.h"

/* Each round makes nodes of simpler types; vectors of bits in memory take five rounds. */
enum { MAX_ROUNDS = 32 };

/* ---- parts ---- */

static u32 part_key(DagVal v) { return v.r; }

static bool is_leaf(const DagNode *n) { return (dag_op_info[n->opcode].flags & DOF_LEAF) != 0; }

static const u64 anchored = (u64)1 << 63;

/* Parts are remembered as the operands of an unused TokenFactor, so that dag_replace updates them: a part is replaced when it
 * is illegal itself, and when it is merged with an equal node. */
static u64 anchor(Legalizer *l, const DagVal *parts, u32 n)
{
	DagNode like = {.opcode = DAG_TokenFactor, .props = DP_NO_CSE};
	return dag_node_like(l->d, &like, (DagVt[]){VT_CHAIN}, 1, parts, n).n;
}

static void remember(Legalizer *l, DagVal v, const DagVal *parts, u32 n)
{
	u64 at = l->pool.n;
	for (u32 i = 0; i < n; i++)
		if (!is_leaf(dag_of(l->d, parts[i]))) {
			map_set(&l->parts, (u64)v.n << 8 | part_key(v), anchored | anchor(l, parts, n) << 16 | n);
			return;
		}
	for (u32 i = 0; i < n; i++) {
		DagVal x = parts[i];
		vec_push(l->a, &l->pool, x);
	}
	map_set(&l->parts, (u64)v.n << 8 | part_key(v), at << 16 | n);
}

static void recall(const Legalizer *l, u64 known, u32 n, DagVal *out)
{
	u64 at = (known & ~anchored) >> 16;
	for (u32 i = 0; i < n; i++)
		out[i] = known & anchored ? dag_operand(l->d, dag_at(l->d, (u32)at), i) : l->pool.p[at + i];
}

void legal_set(Legalizer *l, DagVal v, const DagVal *parts, u32 n)
{
	DagVt vt = dag_vt(l->d, v), part;
	if (dag_is_legal_vt(vt)) {
		if (!dag_same(v, parts[0]))
			dag_replace(l->d, v, parts[0]);
		return;
	}
	u32 want = dag_reg_parts(vt, &part);
	if (n != want || dag_vt(l->d, parts[0]) != part)
		ICE(l->f->s, "%s was split into %u parts, not %u", dag_op_info[dag_op(l->d, v)].name, n, want);
	remember(l, v, parts, n);
	if (n == 1 && l->d->watch.n)
		dag_watch_moved(l->d, v, parts[0]);
}

static DagVal no_value(Dag *d, DagVt vt) { return dag_undef(d, vt); }

/* The parts of any value; a legal one is its own part. */
u32 legal_parts(Legalizer *l, DagVal v, DagVal *out)
{
	Dag  *d = l->d;
	DagVt vt = dag_vt(d, v), part;
	u32   n = dag_reg_parts(vt, &part);
	if (dag_is_legal_vt(vt)) {
		out[0] = v;
		return 1;
	}
	u64 *known = map_get(&l->parts, (u64)v.n << 8 | part_key(v));
	if (known) {
		recall(l, *known, n, out);
		return n;
	}
	const DagNode *x = dag_of(d, v);
	if (x->opcode == DAG_Constant) {
		for (u32 i = 0; i < n; i++) {
			u64 word = n == 1 ? x->k[0] : i < 2 ? x->k[i] : 0;
			out[i] = dag_const(d, part, n == 1 && vt_bits(vt) <= 64 ? (u64)sem_sext(word, vt_bits(vt)) : word);
		}
		return n;
	}
	if (dag_is_undef(d, v)) {
		for (u32 i = 0; i < n; i++)
			out[i] = no_value(d, part);
		return n;
	}
	/* A node made behind the walk, or a leaf: legalize it now. */
	legal_node(l, v.n);
	known = map_get(&l->parts, (u64)v.n << 8 | part_key(v));
	if (!known && l->f->failed) { /* and that was reported */
		for (u32 i = 0; i < n; i++)
			out[i] = no_value(d, part);
		return n;
	}
	if (!known)
		ICE(l->f->s, "no parts of %s", dag_op_info[x->opcode].name);
	recall(l, *known, n, out);
	return n;
}

static DagVal part1(Legalizer *l, DagVal v)
{
	DagVal out[LEGAL_PARTS];
	legal_parts(l, v, out);
	return out[0];
}

/* Integers of one part: with the bits above the width zero, or copies of the sign. */
DagVal legal_zext_part(Legalizer *l, DagVal v)
{
	Dag   *d = l->d;
	DagVal p = part1(l, v);
	DagVt  vt = dag_vt(d, v), pt = dag_vt(d, p);
	if (vt_bits(vt) == vt_bits(pt))
		return p;
	return dag_2(d, DAG_AND, pt, p, dag_const(d, pt, vt_mask(vt)));
}
DagVal legal_sext_part(Legalizer *l, DagVal v)
{
	Dag   *d = l->d;
	DagVal p = part1(l, v);
	DagVt  vt = dag_vt(d, v), pt = dag_vt(d, p);
	if (vt_bits(vt) == vt_bits(pt))
		return p;
	return dag_2(d, DAG_SIGN_EXTEND_INREG, pt, p, dag_vtype(d, vt));
}

/* ---- elements of vectors ---- */

/* Element `i` as a scalar of the vector's element type, which may itself be illegal. */
DagVal legal_element(Legalizer *l, DagVal v, u32 i)
{
	Dag   *d = l->d;
	DagVt  vt = dag_vt(d, v), e = vt_elem(vt), part;
	DagVal p[LEGAL_PARTS];
	if (dag_is_legal_vt(vt))
		return dag_2(d, DAG_EXTRACT_VECTOR_ELT, e, v, dag_const(d, VT_I32, i));
	u32 per_elem = dag_reg_parts(e, &part);
	legal_parts(l, v, p);
	DagVt pt = dag_vt(d, p[0]);
	if (vt_is_vec(pt)) {
		u32    per = vt_lanes(pt);
		DagVal x = dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(pt), p[i / per], dag_const(d, VT_I32, i % per));
		return vt_elem(pt) == e ? x : dag_1(d, DAG_TRUNCATE, e, x);
	}
	if (per_elem == 1)
		return dag_vt(d, p[i]) == e ? p[i] : dag_1(d, DAG_TRUNCATE, e, p[i]);
	return dag_of_words(d, e, p + per_elem * i, per_elem);
}

/* The parts of a vector from its elements. */
u32 legal_of_elements(Legalizer *l, DagVt vt, const DagVal *e, DagVal *out)
{
	Dag  *d = l->d;
	DagVt part;
	u32   n = dag_reg_parts(vt, &part), lanes = vt_lanes(vt), k = 0;
	if (dag_is_legal_vt(vt)) {
		out[0] = dag_node(d, DAG_BUILD_VECTOR, vt, e, lanes);
		return 1;
	}
	if (vt_is_vec(part)) {
		u32 per = vt_lanes(part);
		for (u32 i = 0; i < n; i++) {
			DagVal x[4];
			for (u32 j = 0; j < per; j++) {
				u32 at = i * per + j;
				x[j] = at < lanes ? e[at] : dag_undef(d, vt_elem(part));
				if (at < lanes && dag_vt(d, x[j]) != vt_elem(part))
					x[j] = dag_any_or_trunc(d, x[j], vt_elem(part));
			}
			out[i] = dag_node(d, DAG_BUILD_VECTOR, part, x, per);
		}
		return n;
	}
	for (u32 i = 0; i < lanes; i++)
		k += legal_parts(l, e[i], out + k);
	return n;
}

/* ---- nodes ---- */

/* Packed vectors are legal types, but not in operations that the target has on elements alone. */
static bool packed_work(const Legalizer *l, const DagNode *n)
{
	const Dag *d = l->d;
	u64        k;
	DagVt      vt = dag_n_results(n) ? dag_result_vt(d, n, 0) : VT_NONE;
	DagVt      of = dag_n_ops(n) ? dag_vt(d, dag_operand(d, n, 0)) : VT_NONE;
	if (n->opcode == DAG_INSERT_VECTOR_ELT)
		return vt_is_packed(vt);
	if (n->opcode == DAG_EXTRACT_VECTOR_ELT)
		return vt_is_packed(of) && !dag_as_const(d, dag_operand(d, n, 1), &k);
	if (n->opcode == DAG_BSWAP && vt == VT_V2I16)
		return false;
	if (!vt_is_packed(vt) && !vt_is_packed(of))
		return false;
	if (n->opcode == DAG_FNEG || n->opcode == DAG_FABS) /* an integer operation on both signs, if nothing else */
		return false;
	return (dag_op_info[n->opcode].flags & DOF_ELEMENTWISE) && n->opcode != DAG_FREEZE &&
	       !dag_is_legal_op(l->f, (DagOp)n->opcode, vt);
}

/* Has the node a result that is looked up by its parts? */
static bool has_parts(const Legalizer *l, const DagNode *n)
{
	for (u32 i = 0; i < dag_n_results(n); i++) {
		DagVt vt = dag_result_vt(l->d, n, i);
		if (vt_is_value(vt) && !dag_is_legal_vt(vt))
			return true;
	}
	return false;
}

static bool needs_work(const Legalizer *l, const DagNode *n)
{
	if (packed_work(l, n) || has_parts(l, n))
		return true;
	for (u32 i = 0; i < dag_n_ops(n); i++) {
		DagVal v = dag_operand(l->d, n, i);
		DagVt  vt = dag_vt(l->d, v);
		if (vt_is_value(vt) && !dag_is_legal_vt(vt))
			return true;
	}
	return false;
}

void legal_node(Legalizer *l, u32 node)
{
	Dag     *d = l->d;
	DagNode *n = dag_at(d, node);
	if (n->opcode == DAG_DELETED || is_leaf(n) || (n->props & DP_EXPANDED) || !needs_work(l, n))
		return;
	n->props |= DP_EXPANDED;
	if (++l->depth > 256) {
		dag_unsupported(l->f, IR_NO_REF, "so deep an expression of wide types");
		l->depth--;
		return;
	}
	d->order = n->order;
	d->origin = n->origin;
	if (!legal_memory_node(l, node) && !legal_vector_node(l, node) && !legal_wide_node(l, node) &&
	    !legal_narrow_node(l, node)) {
		if (!l->f->failed)
			diag_report(&l->f->s->diags, DIAG_CANNOT_SELECT_NODE, (SrcRange){n->origin, 0, n->origin, 0},
			            STR_ARG(l->f->name), STR_ARG(legal_describe(l, node)));
		l->f->failed = true;
	}
	if (!has_parts(l, dag_at(d, node)))
		dag_forget(d, node);
	l->depth--;
}

Str legal_describe(Legalizer *l, u32 node)
{
	const DagNode *n = dag_at(l->d, node);
	Text           t;
	text_init(&t, l->a);
	text_f(&t, "%s of type ", dag_op_info[n->opcode].name);
	DagVt vt = dag_n_results(n) ? dag_result_vt(l->d, n, 0) : VT_NONE;
	vt_print(&t, vt_is_value(vt) || !dag_n_ops(n) ? vt : dag_vt(l->d, dag_operand(l->d, n, dag_n_ops(n) > 1 ? 1 : 0)));
	return text_str(&t);
}

static bool any_illegal(Legalizer *l)
{
	const Dag *d = l->d;
	for (u32 n = 1; n < d->n_nodes; n++) {
		const DagNode *x = dag_at(d, n);
		if (x->opcode == DAG_DELETED)
			continue;
		for (u32 r = 0; r < dag_n_results(x); r++) {
			DagVt vt = dag_result_vt(d, x, r);
			if (vt_is_value(vt) && (!dag_is_legal_vt(vt) || vt_is_vec(vt)))
				return true;
		}
	}
	return false;
}

bool dag_legalize_types(DagFunc *f)
{
	Dag      *d = &f->dag;
	Legalizer l = {.f = f, .d = d, .a = f->arena};
	if (!any_illegal(&l))
		return false;
	map_init(&l.parts, &f->scratch);
	/* New nodes may themselves be of illegal types (elements of vectors): again, until none is left. */
	for (u32 round = 0; round < MAX_ROUNDS && !f->failed; round++) {
		VecU32 order = {0};
		u32    before = d->n_nodes;
		dag_topological(d, &f->scratch, &order);
		for (u32 i = 0; i < order.n && !f->failed; i++)
			legal_node(&l, order.p[i]);
		if (d->n_nodes == before)
			break;
	}
	d->order = d->origin = 0;
	return true;
}
