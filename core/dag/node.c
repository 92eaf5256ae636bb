/* node.c: the records of the DAG: making, finding, replacing and removing nodes.
 *
 * Keeps the lists of uses, and the hash table in which equal nodes are found. A node without side effects that would equal one in
 * the table is that one; a node that becomes equal to another when an operand is replaced is merged with it, which may make its
 * users equal to others in turn (Dag.pending). Constants stand second in commutative operations. Making a node takes constant
 * expected time, replacing one the number of its uses. */
#include "dag/dag.h"
#include "base/hash.h"

const DagOpInfo dag_op_info[DAG_OP_COUNT] = {
#define NONE                                 DOF_NONE
#define COMMUTES                             DOF_COMMUTES
#define LEAF                                 DOF_LEAF
#define CHAIN                                DOF_CHAIN
#define ELEMENTWISE                          DOF_ELEMENTWISE
#define NODE(id, text, eval, flags, summary) [DAG_##id] = {text, flags, SEM_OP_##eval},
#include "dag/dag_ops.def"
#undef NONE
#undef COMMUTES
#undef LEAF
#undef CHAIN
#undef ELEMENTWISE
};

/* ---- pools ---- */

void dag_init(Dag *d, struct DagFunc *f, Arena *arena)
{
	d->f = f;
	d->arena = arena;
	pages_init(&d->nodes, arena, sizeof(DagNode));
	pages_init(&d->use, arena, sizeof(DagUse));
	d->bucket_mask = 255;
	d->bucket = arena_array(arena, u32, d->bucket_mask + 1);
	vec_reserve(arena, &d->mems, 16u);
	d->mems.n = 1;
	d->n_nodes = d->n_uses = 1;
}

/* By what the block before has left, not by the largest block. */
static void empty_buckets(Dag *d)
{
	if (d->n_hashed > (d->bucket_mask + 1) / 8) {
		memset(d->bucket, 0, sizeof(u32) * (d->bucket_mask + 1));
		return;
	}
	for (u32 n = 1; n < d->n_nodes; n++)
		if (dag_at(d, n)->props & DP_HASHED)
			d->bucket[dag_at(d, n)->hash & d->bucket_mask] = 0;
}

void dag_reset(Dag *d)
{
	empty_buckets(d);
	d->n_nodes = d->n_uses = 1;
	d->vts.n = 0;
	d->mems.n = 1;
	d->work.n = 0;
	d->n_hashed = 0;
	d->order = 0;
	d->entry = d->root = dag_node_n(d, DAG_EntryToken, (DagVt[]){VT_CHAIN}, 1, NULL, 0);
}

static DagKind kind_of(const DagNode *x)
{
	return (DagKind){x->opcode, x->flags, x->desc, x->aux, x->mem, x->props, {x->k[0], x->k[1]}};
}

/* Field by field: compilers clear a record of this size in a slow way. */
static DagNode *new_node(Dag *d, const DagKind *k)
{
	u32 n = d->n_nodes++;
	if (n >= d->nodes.n)
		pages_new(&d->nodes);
	DagNode *x = dag_at(d, n);
	x->use_count = x->uses = x->hash = x->hash_next = x->operands = x->n_ops = x->n_results = 0;
	x->order = d->order;
	x->origin = d->origin;
	x->props = k->props & ~(u32)(DP_HASHED | DP_QUEUED | DP_EXPANDED);
	x->desc = k->desc;
	x->opcode = k->opcode;
	x->flags = k->flags;
	x->k[0] = k->k[0];
	x->k[1] = k->k[1];
	x->mem = k->mem;
	x->aux = k->aux;
	x->vt[0] = x->vt[1] = x->vt[2] = x->vt[3] = 0;
	x->pattern = 0;
	x->id = n;
	return x;
}

static u32 new_uses(Dag *d, u32 count)
{
	u32 first = d->n_uses;
	d->n_uses += count;
	if (d->n_uses > d->use.n)
		pages_new_n(&d->use, d->n_uses - d->use.n);
	return first;
}

static void use_link(Dag *d, u32 u, u32 user, DagVal v)
{
	DagUse  *x = dag_use(d, u);
	DagNode *of = dag_at(d, v.n);
	*x = (DagUse){.val = v, .user = user, .next = of->uses};
	if (of->uses)
		dag_use(d, of->uses)->prev = u;
	of->uses = u;
	of->use_count++;
}

static void use_unlink(Dag *d, u32 u)
{
	DagUse  *x = dag_use(d, u);
	DagNode *of = dag_at(d, x->val.n);
	if (x->prev)
		dag_use(d, x->prev)->next = x->next;
	else
		of->uses = x->next;
	if (x->next)
		dag_use(d, x->next)->prev = x->prev;
	of->use_count--;
	x->next = x->prev = 0;
}

static void set_operands(Dag *d, u32 node, const DagVal *ops, u32 n)
{
	u32 first = n ? new_uses(d, n) : 0;
	for (u32 i = 0; i < n; i++)
		use_link(d, first + i, node, ops[i]);
	DagNode *x = dag_at(d, node);
	x->operands = first;
	x->n_ops = n & 0xFFFFFF;
	for (u32 i = 0; i < n; i++)
		if (vt_is_value(dag_vt(d, ops[i])))
			x->props |= dag_of(d, ops[i])->props & DP_DIVERGENT;
}

static void set_results(Dag *d, DagNode *x, const DagVt *vts, u32 n)
{
	x->n_results = (u8)n;
	if (n <= DAG_INLINE_RESULTS) {
		for (u32 i = 0; i < n; i++)
			x->vt[i] = vts[i];
		return;
	}
	x->vt[0] = d->vts.n;
	for (u32 i = 0; i < n; i++)
		vec_push(d->arena, &d->vts, vts[i]);
}

/* ---- equal nodes are one ---- */

/* Memory records count as equal by what they say, not by their number. */
static u64 mem_hash(const DagMem *m)
{
	u64 h = hash_mix(m->vt, (u64)m->ext | (u64)m->nc << 8 | (u64)m->cop << 16);
	h = hash_mix(h, (u64)m->mem.flags | (u64)m->mem.ordering << 8 | (u64)m->mem.scope << 16);
	return hash_mix(h, (u64)m->mem.space << 8 | m->mem.align_log2);
}

static bool mem_same(const DagMem *a, const DagMem *b)
{
	return a->vt == b->vt && a->ext == b->ext && a->nc == b->nc && a->cop == b->cop && a->mem.flags == b->mem.flags &&
	       a->mem.ordering == b->mem.ordering && a->mem.scope == b->mem.scope && a->mem.space == b->mem.space &&
	       a->mem.align_log2 == b->mem.align_log2;
}

static u32 hash_of(const Dag *d, const DagKind *x, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n)
{
	u64 h = hash_mix(x->opcode, (u64)x->desc << 32 | x->aux);
	h = hash_mix(h, x->k[0]);
	if (x->k[1])
		h = hash_mix(h, x->k[1]);
	for (u32 i = 0; i < n_vts; i++)
		h = hash_mix(h, vts[i]);
	for (u32 i = 0; i < n; i++)
		h = hash_mix(h, (u64)ops[i].n << 8 | ops[i].r);
	if (x->mem)
		h = hash_mix(h, mem_hash(&d->mems.p[x->mem]));
	return (u32)h;
}

static bool same(const Dag *d, const DagNode *a, const DagKind *like, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n)
{
	if (a->opcode != like->opcode || a->desc != like->desc || a->aux != like->aux || a->k[0] != like->k[0] ||
	    a->k[1] != like->k[1] || dag_n_ops(a) != n || dag_n_results(a) != n_vts || !a->mem != !like->mem)
		return false;
	for (u32 i = 0; i < n_vts; i++)
		if (dag_result_vt(d, a, i) != vts[i])
			return false;
	for (u32 i = 0; i < n; i++)
		if (!dag_same(dag_operand(d, a, i), ops[i]))
			return false;
	return !a->mem || mem_same(&d->mems.p[a->mem], &d->mems.p[like->mem]);
}

static bool may_merge(const DagKind *like, const DagVt *vts, u32 n_vts)
{
	if (like->props & DP_NO_CSE)
		return false;
	if (like->opcode == DAG_BRCOND || like->opcode == DAG_BR)
		return true;
	return n_vts == 0 || vt_kind(vts[n_vts - 1]) != VTK_GLUE;
}

static void grow_buckets(Dag *d)
{
	u32  mask = d->bucket_mask * 2 + 1;
	u32 *b = arena_array(d->arena, u32, mask + 1);
	for (u32 i = 0; i <= d->bucket_mask; i++)
		for (u32 n = d->bucket[i], next; n; n = next) {
			DagNode *x = dag_at(d, n);
			next = x->hash_next;
			x->hash_next = b[x->hash & mask];
			b[x->hash & mask] = n;
		}
	d->bucket = b;
	d->bucket_mask = mask;
}

static void hash_add(Dag *d, u32 n, u32 h)
{
	if (d->n_hashed > d->bucket_mask)
		grow_buckets(d);
	DagNode *x = dag_at(d, n);
	x->hash = h;
	x->hash_next = d->bucket[h & d->bucket_mask];
	d->bucket[h & d->bucket_mask] = n;
	x->props |= DP_HASHED;
	d->n_hashed++;
}

static void hash_remove(Dag *d, u32 n)
{
	DagNode *x = dag_at(d, n);
	if (!(x->props & DP_HASHED))
		return;
	u32 *at = &d->bucket[x->hash & d->bucket_mask];
	while (*at != n)
		at = &dag_at(d, *at)->hash_next;
	*at = x->hash_next;
	x->hash_next = 0;
	x->props &= ~(u32)DP_HASHED;
	d->n_hashed--;
}

void dag_forget(Dag *d, u32 n) { hash_remove(d, n); }

static u32 find(const Dag *d, const DagKind *like, u32 h, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n)
{
	for (u32 i = d->bucket[h & d->bucket_mask]; i; i = dag_at(d, i)->hash_next) {
		const DagNode *x = dag_at(d, i);
		if (x->hash == h && same(d, x, like, vts, n_vts, ops, n))
			return i;
	}
	return 0;
}

/* A node that stands for two equal ones takes the earlier place and the flags that both have. */
static void merge_facts(DagNode *kept, u32 order, u32 origin, u16 flags)
{
	if (order && (!kept->order || order < kept->order)) {
		kept->order = order;
		kept->origin = origin;
	}
	kept->flags &= flags;
}

void dag_touch(Dag *d, u32 node)
{
	DagNode *x = dag_at(d, node);
	if (!d->collect || (x->props & DP_QUEUED))
		return;
	x->props |= DP_QUEUED;
	vec_push(d->arena, &d->work, node);
}

DagVal dag_node_of(Dag *d, const DagKind *kind, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n)
{
	bool merge = may_merge(kind, vts, n_vts);
	u32  h = merge ? hash_of(d, kind, vts, n_vts, ops, n) : 0;
	if (merge) {
		u32 old = find(d, kind, h, vts, n_vts, ops, n);
		if (old) {
			merge_facts(dag_at(d, old), d->order, d->origin, kind->flags);
			return dag_res(old, 0);
		}
	}
	DagNode *x = new_node(d, kind);
	set_results(d, x, vts, n_vts);
	set_operands(d, x->id, ops, n);
	if (merge)
		hash_add(d, x->id, h);
	dag_touch(d, x->id);
	return dag_res(x->id, 0);
}

DagVal dag_node_like(Dag *d, const DagNode *like, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n)
{
	DagKind k = kind_of(like);
	return dag_node_of(d, &k, vts, n_vts, ops, n);
}

DagVal dag_node_n(Dag *d, DagOp op, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n)
{
	DagKind k = {.opcode = (u16)op};
	return dag_node_of(d, &k, vts, n_vts, ops, n);
}

static bool is_constant(const Dag *d, DagVal v)
{
	return dag_op_info[dag_op(d, v)].flags & DOF_LEAF && (dag_is_const(d, v) || dag_op(d, v) == DAG_ConstantFP);
}

DagVal dag_flagged(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n, u16 flags)
{
	DagVal swapped[2];
	if (n == 2 && (dag_op_info[op].flags & DOF_COMMUTES)) {
		if (is_constant(d, ops[0]) && !is_constant(d, ops[1])) {
			swapped[0] = ops[1];
			swapped[1] = ops[0];
			ops = swapped;
		}
	}
	DagVal folded = dag_fold(d, op, vt, ops, n);
	if (dag_is(folded))
		return folded;
	return dag_node_of(d, &(DagKind){.opcode = (u16)op, .flags = flags}, &vt, 1, ops, n);
}

DagVal dag_node(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n) { return dag_flagged(d, op, vt, ops, n, 0); }

DagVal dag_1(Dag *d, DagOp op, DagVt vt, DagVal a) { return dag_node(d, op, vt, &a, 1); }
DagVal dag_2(Dag *d, DagOp op, DagVt vt, DagVal a, DagVal b) { return dag_node(d, op, vt, (DagVal[]){a, b}, 2); }
DagVal dag_3(Dag *d, DagOp op, DagVt vt, DagVal a, DagVal b, DagVal c) { return dag_node(d, op, vt, (DagVal[]){a, b, c}, 3); }
DagVal dag_4(Dag *d, DagOp op, DagVt vt, DagVal a, DagVal b, DagVal c, DagVal e)
{
	return dag_node(d, op, vt, (DagVal[]){a, b, c, e}, 4);
}

/* ---- uses ---- */

u32 dag_count_uses(const Dag *d, DagVal v)
{
	u32 count = 0;
	dag_each_use(d, v.n, u)
		count += dag_use(d, u)->val.r == v.r;
	return count;
}

bool dag_has_one_use(const Dag *d, DagVal v)
{
	u32 count = 0;
	dag_each_use(d, v.n, u)
		if (dag_use(d, u)->val.r == v.r && ++count > 1)
			return false;
	return count == 1;
}

bool dag_has_uses(const Dag *d, DagVal v)
{
	dag_each_use(d, v.n, u)
		if (dag_use(d, u)->val.r == v.r)
			return true;
	return false;
}

/* ---- replacing ---- */

/* Operands and result types of a node as arrays on the stack of the caller. */
enum { NODE_OPS = 64 };
static const DagVal *read_operands(Dag *d, const DagNode *x, DagVal buf[NODE_OPS])
{
	u32     n = dag_n_ops(x);
	DagVal *p = n <= NODE_OPS ? buf : arena_array(d->arena, DagVal, n);
	for (u32 i = 0; i < n; i++)
		p[i] = dag_operand(d, x, i);
	return p;
}
static const DagVt *read_results(Dag *d, const DagNode *x, DagVt buf[NODE_OPS])
{
	u32    n = dag_n_results(x);
	DagVt *p = n <= NODE_OPS ? buf : arena_array(d->arena, DagVt, n);
	for (u32 i = 0; i < n; i++)
		p[i] = dag_result_vt(d, x, i);
	return p;
}

/* After an operand of `user`, which is not in the table, was changed: enters it again, or merges it with an equal node. */
static void rehash(Dag *d, u32 user)
{
	DagNode      *x = dag_at(d, user);
	DagVal        ops_buf[NODE_OPS];
	DagVt         vts_buf[NODE_OPS];
	u32           n = dag_n_ops(x), n_vts = dag_n_results(x);
	const DagVal *ops = read_operands(d, x, ops_buf);
	const DagVt  *vts = read_results(d, x, vts_buf);
	DagKind       k = kind_of(x);
	if (!may_merge(&k, vts, n_vts))
		return;
	u32 h = hash_of(d, &k, vts, n_vts, ops, n), old = find(d, &k, h, vts, n_vts, ops, n);
	if (!old) {
		hash_add(d, user, h);
		return;
	}
	merge_facts(dag_at(d, old), x->order, x->origin, x->flags);
	for (u32 i = 0; i < d->pending.n; i += 2)
		if (d->pending.p[i + 1].n == user)
			d->pending.p[i + 1].n = old;
	for (u32 r = 0; r < n_vts; r++) {
		vec_push(d->arena, &d->pending, dag_res(user, r));
		vec_push(d->arena, &d->pending, dag_res(old, r));
	}
}

/* Moves a constant behind the other operand of a commutative operation. `next`: the use at which the caller goes on. */
static void constant_last(Dag *d, u32 user, u32 *next)
{
	const DagNode *n = dag_at(d, user);
	if (dag_n_ops(n) != 2 || !(dag_op_info[n->opcode].flags & DOF_COMMUTES))
		return;
	u32    a = n->operands, b = a + 1;
	DagVal x = dag_use(d, a)->val, y = dag_use(d, b)->val;
	if (!is_constant(d, x) || is_constant(d, y))
		return;
	if (*next == a || *next == b)
		*next = dag_use(d, *next)->next;
	use_unlink(d, a);
	use_unlink(d, b);
	use_link(d, a, user, y);
	use_link(d, b, user, x);
}

static void replace_uses(Dag *d, DagVal from, DagVal to)
{
	u32 u = dag_at(d, from.n)->uses;
	while (u) {
		DagUse *x = dag_use(d, u);
		u32     next = x->next;
		if (x->val.r == from.r && x->user != to.n) {
			u32 user = x->user;
			hash_remove(d, user);
			use_unlink(d, u);
			use_link(d, u, user, to);
			dag_touch(d, user);
			/* Change all operands of the user that are the value before looking it up. */
			DagNode *node = dag_at(d, user);
			for (u32 i = 0; i < dag_n_ops(node); i++) {
				u32 v = node->operands + i;
				if (dag_same(dag_use(d, v)->val, from)) {
					if (v == next)
						next = dag_use(d, v)->next;
					use_unlink(d, v);
					use_link(d, v, user, to);
				}
			}
			constant_last(d, user, &next);
			rehash(d, user);
		}
		u = next;
	}
}

void dag_replace(Dag *d, DagVal from, DagVal to)
{
	if (dag_same(from, to))
		return;
	u32 base = d->pending.n;
	vec_push(d->arena, &d->pending, from);
	vec_push(d->arena, &d->pending, to);
	while (d->pending.n > base) {
		DagVal b = vec_pop(&d->pending), a = vec_pop(&d->pending);
		if (dag_same(a, b))
			continue;
		if (dag_n_ops(dag_of(d, b)))
			dag_of(d, b)->props |= dag_of(d, a)->props & DP_DIVERGENT;
		replace_uses(d, a, b);
		if (d->watch.n)
			dag_watch_moved(d, a, b);
		if (dag_same(d->root, a))
			d->root = b;
		dag_touch(d, b.n);
		if (a.n != from.n)
			dag_drop(d, a.n);
	}
}

void dag_set_operand(Dag *d, u32 node, u32 i, DagVal v)
{
	DagNode *x = dag_at(d, node);
	u32      u = x->operands + i;
	if (dag_same(dag_use(d, u)->val, v))
		return;
	hash_remove(d, node);
	use_unlink(d, u);
	use_link(d, u, node, v);
	u32 base = d->pending.n;
	rehash(d, node);
	dag_touch(d, node);
	while (d->pending.n > base) {
		DagVal to = vec_pop(&d->pending), from = vec_pop(&d->pending);
		dag_replace(d, from, to);
	}
}

void dag_morph(Dag *d, u32 node, DagOp op, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n)
{
	DagNode *x = dag_at(d, node);
	hash_remove(d, node);
	/* Link the new operands before unlinking the old ones, through which alone they may be in use. */
	u32 old = x->operands, n_old = dag_n_ops(x);
	set_operands(d, node, ops, n);
	for (u32 i = 0; i < n_old; i++)
		use_unlink(d, old + i);
	x->opcode = (u16)op;
	set_results(d, x, vts, n_vts);
	dag_touch(d, node);
}

/* ---- removing ---- */

static bool is_needed(const Dag *d, u32 node)
{
	const DagNode *x = dag_at(d, node);
	return x->use_count != 0 || node == d->root.n || node == d->entry.n || x->opcode == DAG_DELETED;
}

static void forget(Dag *d, u32 node)
{
	hash_remove(d, node);
	DagNode *x = dag_at(d, node);
	for (u32 i = 0; i < dag_n_ops(x); i++) {
		u32 u = x->operands + i, of = dag_use(d, u)->val.n;
		use_unlink(d, u);
		if (!is_needed(d, of))
			vec_push(d->arena, &d->dropping, of);
		else
			dag_touch(d, of);
	}
	x->n_ops = 0;
	x->opcode = DAG_DELETED;
}

void dag_drop(Dag *d, u32 node)
{
	if (is_needed(d, node))
		return;
	u32 base = d->dropping.n;
	vec_push(d->arena, &d->dropping, node);
	while (d->dropping.n > base) {
		u32 n = vec_pop(&d->dropping);
		if (!is_needed(d, n))
			forget(d, n);
	}
}

void dag_sweep(Dag *d)
{
	for (u32 n = d->n_nodes - 1; n > 0; n--)
		if (dag_at(d, n)->use_count == 0)
			dag_drop(d, n);
}

/* Depth first from the root over operands, without recursion; operands are visited in order. How many of a node's operands have been
 * seen is beside the nodes: several of these fit where one node does. */
void dag_topological(Dag *d, Arena *scratch, VecU32 *out)
{
	enum { DONE = 1u << 31 };
	u32   *seen = arena_array(scratch, u32, d->n_nodes);
	VecU32 stack = {0};
	out->n = 0;
	vec_reserve(scratch, out, d->n_nodes);
	vec_push(scratch, &stack, d->root.n);
	while (stack.n) {
		u32            node = vec_last(&stack);
		const DagNode *x = dag_at(d, node);
		u32            k = seen[node], n = dag_n_ops(x), next = 0;
		while (k < n && !next) {
			u32 to = dag_use(d, x->operands + k++)->val.n;
			next = seen[to] ? 0 : to;
		}
		seen[node] = k;
		if (next) {
			vec_push(scratch, &stack, next);
			continue;
		}
		seen[node] = DONE;
		out->p[out->n++] = node;
		stack.n--;
	}
}

u32 dag_glue_source(const Dag *d, const DagNode *n)
{
	DagVal last = n->n_ops ? dag_operand(d, n, n->n_ops - 1) : DAG_NONE;
	return dag_is(last) && vt_kind(dag_vt(d, last)) == VTK_GLUE ? last.n : 0;
}

u32 dag_glue_user(const Dag *d, const DagNode *n)
{
	u32 r = dag_n_results(n);
	if (!r || vt_kind(dag_result_vt(d, n, r - 1)) != VTK_GLUE)
		return 0;
	dag_each_use(d, n->id, u)
		if (dag_use(d, u)->val.r == r - 1)
			return dag_use(d, u)->user;
	return 0;
}
