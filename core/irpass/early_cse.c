/* early-cse: replaces an instruction by an equal one that dominates it.
 *
 *   a: %x = mul i32 %i, 3                  a: %x = mul i32 %i, 3
 *      br i1 %c, label %b, …         →        br i1 %c, label %b, …
 *   b: %y = mul i32 %i, 3                  b: … %x …
 *
 * One walk over the dominator tree with a scoped hash table (open addressing). Leaving a subtree removes its entries in
 * reverse order of insertion, so probing needs no tombstones. Loads are included: a value loaded from or stored to an
 * address is available until an instruction may write there. Every address space has a generation number that counts
 * its writes; a generic write increments all of them, and so does entering a block with several predecessors. A stack slot
 * whose address stays in loads and stores has a generation of its own, which calls and other stores leave alone. What becomes
 * known by a load is folded.
 * Flags that only one of two equal instructions has are dropped, unless poison would be undefined there (poison.c). The result
 * of a convergent call depends on the set of threads that execute it, so such calls are compared within a block only. Phis of a
 * block that begin with equal values and make equal steps are one counter. First, what both ways of a branch compute moves in
 * front of it (alike.c). Linear in instructions. */
#include "analysis/cfg.h"
#include "analysis/fold.h"
#include "base/hash.h"
#include "ir/builder.h"
#include "irpass/alike.h"
#include "irpass/poison.h"
#include "irpass/promote.h"
#include "irpass/util.h"

enum {
	SPACES = 8,      /* 0 generic, 1 .. 7; others are treated as generic */
	PRIVATE = 8,     /* stack slots with a generation of their own */
	MOST_USES = 256, /* of such a slot: more are taken for an escape */
	MOST_STEPS = 16, /* from an address to its slot */
};

typedef struct Generations {
	u32 of[SPACES + PRIVATE];
} Generations;

/* A load or a store: what it read or wrote is `value`. */
typedef struct Access {
	IrRef inst;
	IrRef value;
	u32   generation;
	u32   older; /* Slot.what that it stands for while it is there: an access of the same memory, or 0 */
} Access;

/* Most probes end here, without a look at the instruction. */
typedef struct Slot {
	u32 hash;
	u32 what; /* IrRef of the value; or ACCESS | index into Cse.access; 0: free */
} Slot;
#define ACCESS (1u << 31)
_Static_assert(IR_MD << IR_INDEX_BITS < ACCESS, "a reference is no access");

enum { WRITTEN_BY_NOBODY = UINT32_MAX /* the generation of constant memory */ };

typedef struct Cse {
	PassCx   *cx;
	IrModule *m;
	IrCfg    *cfg;
	DomTree  *dom;
	Slot     *table;
	u32       mask;
	VecU32    taken; /* slots, the newest last */
	Vec(Access) access;
	Generations now;
	u32         counter;
	IrRef private[PRIVATE];
	u32  n_private;
	bool changed;
	bool folds; /* a load has become a constant */
} Cse;

/* ---- memory ---- */

/* Is `v` a load, a store to the slot, or a step of an address that leads to them alone? */
static bool stays(const IrModule *m, IrRef v, u32 *left, u32 steps)
{
	ir_each_use(m, v, u) {
		IrRef user = ir_use(m, u)->user;
		if (!--*left)
			return false;
		switch (ir_inst(m, user)->op) {
		case IR_LOAD: break;
		case IR_STORE:
			if (ir_use_index(m, u) != 1)
				return false;
			break;
		case IR_GETELEMENTPTR:
		case IR_BITCAST:
		case IR_ADDRSPACECAST:
			if (steps == MOST_STEPS || !is_ptr(m, user) || !stays(m, user, left, steps + 1))
				return false;
			break;
		default:
			if (!is_lifetime_marker(m, user))
				return false;
		}
	}
	return true;
}

static void find_private(Cse *c)
{
	IrModule *m = c->m;
	if (!(ir_func_had(m, pass_func(c->cx)) & IR_OPS(ALLOCA)))
		return;
	ir_each_inst(m, pass_func(c->cx)->first, i) {
		u32 left = MOST_USES;
		if (ir_inst(m, i)->op == IR_ALLOCA && c->n_private < PRIVATE && stays(m, i, &left, 0))
			c->private[c->n_private++] = i;
	}
}

/* Whose writes change what is at the address. */
static u32 generation_of(const Cse *c, IrRef ptr)
{
	const IrModule *m = c->m;
	u32             s = value_space(m, ptr);
	for (u32 k = 0; c->n_private && k <= MOST_STEPS && ir_kind(ptr) == IR_INST; k++) {
		u32 op = ir_inst(m, ptr)->op;
		if (op == IR_ALLOCA)
			for (u32 p = 0; p < c->n_private; p++)
				if (ir_same(c->private[p], ptr))
					return SPACES + p;
		if (op != IR_GETELEMENTPTR && op != IR_BITCAST && op != IR_ADDRSPACECAST)
			break;
		ptr = ir_op(m, ptr, 0);
	}
	return s < SPACES ? s : 0;
}

static void bump(Cse *c, u32 slot)
{
	u32 g = ++c->counter;
	if (slot) {
		c->now.of[slot] = g;
		if (slot < SPACES)
			c->now.of[0] = g;
		return;
	}
	for (u32 i = 0; i < SPACES; i++)
		c->now.of[i] = g;
}

/* ---- the table ---- */

static bool takes_part(const IrModule *m, IrRef i)
{
	const IrInst *r = ir_inst(m, i);
	if (ir_op_is_binary(r->op) || ir_op_is_cast(r->op))
		return true;
	switch (r->op) {
	case IR_FNEG:
	case IR_ICMP:
	case IR_FCMP:
	case IR_SELECT:
	case IR_GETELEMENTPTR:
	case IR_EXTRACTVALUE:
	case IR_INSERTVALUE:
	case IR_EXTRACTELEMENT:
	case IR_INSERTELEMENT:
	case IR_SHUFFLEVECTOR: return true;
	case IR_CALL:
		return ir_type_kind(m, r->type) != IRT_VOID && !ir_call(m, i)->n_bundles &&
		       (ir_kind(ir_callee(m, i)) == IR_GLOBAL || ir_kind(ir_callee(m, i)) == IR_ASM) && !ir_may_read(m, i) &&
		       !ir_has_side_effects(m, i);
	default: return false;
	}
}

static bool commutes(const IrInst *r) { return (ir_op_info[r->op].flags & IROF_COMMUTES) != 0; }

static u32 hash_inst(const IrModule *m, IrRef i)
{
	const IrInst *r = ir_inst(m, i);
	u64           h = (u64)r->type.i << 32 ^ (u64)(r->op == IR_GETELEMENTPTR ? r->elem.i : 0) << 16 ^ (u64)r->op << 8 ^
	        (r->op == IR_CALL ? 0 : r->sub);
	if (commutes(r)) {
		u64 x = ir_op(m, i, 0).i, y = ir_op(m, i, 1).i;
		return (u32)hash_mix(h, PS_MIN(x, y) << 32 | PS_MAX(x, y));
	}
	for (u32 k = 0; k < r->n_ops; k++) {
		IrRef o = ir_op(m, i, k);
		h = hash_mix(h, ir_kind(o) == IR_ASM ? ir_asm(m, o)->text.i : o.i);
	}
	return (u32)h;
}

/* Every inline assembly in the text is an IrAsm of its own. */
static bool same_operand(const IrModule *m, IrRef a, IrRef b)
{
	if (ir_same(a, b))
		return true;
	if (ir_kind(a) != IR_ASM || ir_kind(b) != IR_ASM)
		return false;
	const IrAsm *x = ir_asm(m, a), *y = ir_asm(m, b);
	return x->text.i == y->text.i && x->constraints.i == y->constraints.i && x->type.i == y->type.i && x->flags == y->flags;
}

static bool same_inst(const IrModule *m, IrRef a, IrRef b)
{
	if (!same_computation(m, a, b))
		return false;
	const IrInst *x = ir_inst(m, a);
	if (x->op == IR_CALL && !ir_same(x->block, ir_inst(m, b)->block) && (ir_is_convergent(m, a) || ir_is_convergent(m, b)))
		return false;
	if (commutes(x) && ir_same(ir_op(m, a, 0), ir_op(m, b, 1)) && ir_same(ir_op(m, a, 1), ir_op(m, b, 0)))
		return true;
	for (u32 k = 0; k < x->n_ops; k++)
		if (!same_operand(m, ir_op(m, a, k), ir_op(m, b, k)))
			return false;
	return true;
}

/* The k-th slot of the probe sequence. The first probes are indexed by the id of the latest operand instead of the hash:
 * instructions handled one after the other then use neighbouring slots, which are still in the cache. */
enum { SLOTS_NEAR = 8 };
static u32 place(const Cse *c, u32 hash, IrRef latest, u32 k)
{
	return (k < SLOTS_NEAR && latest.i ? ir_index(latest) * 2 + (hash & 1) + k : hash + k) & c->mask;
}

static void take(Cse *c, u32 at, u32 hash, u32 what)
{
	vec_push(c->cx->scratch, &c->taken, at);
	c->table[at] = (Slot){hash, what};
}

static void drop_to(Cse *c, u32 n)
{
	while (c->taken.n > n) {
		Slot *s = &c->table[vec_pop(&c->taken)];
		s->what = s->what & ACCESS ? vec_pop(&c->access).older : 0;
	}
}

/* ---- instructions ---- */

static void replace(Cse *c, IrRef i, IrRef by)
{
	c->folds |= ir_inst(c->m, i)->op == IR_LOAD && ir_kind(by) == IR_CONST;
	ir_replace_all_uses(c->m, i, by);
	ir_remove(c->m, i);
	c->changed = true;
}

/* Of instructions, else of constants. */
static IrRef latest_operand(const IrModule *m, IrRef i)
{
	const IrInst *r = ir_inst(m, i);
	IrRef         inst = IR_NO_REF, constant = IR_NO_REF;
	for (u32 k = 0; k < r->n_ops; k++) {
		IrRef o = ir_use(m, r->ops + k)->value;
		if (ir_kind(o) == IR_INST && o.i > inst.i)
			inst = o;
		else if (ir_kind(o) == IR_CONST && o.i > constant.i)
			constant = o;
	}
	return inst.i ? inst : constant;
}

/* `first` stands for `second`, too. What allows another result must be allowed by both; that there is no poison may be
 * promised by the first alone where poison would be undefined. */
static void keep_flags(IrModule *m, IrRef first, IrRef second)
{
	u32 *flags = &ir_inst(m, first)->flags, lost = *flags & ~ir_inst(m, second)->flags;
	if ((lost & IRF_FAST) || (lost && !poison_is_undefined(m, first)))
		*flags &= ~lost;
	keep_common_attributes(m, first, second);
}

static void visit_pure(Cse *c, IrRef i)
{
	u32   hash = hash_inst(c->m, i), at, what;
	IrRef latest = latest_operand(c->m, i);
	for (u32 k = 0; (what = c->table[at = place(c, hash, latest, k)].what) != 0; k++)
		if (c->table[at].hash == hash && !(what & ACCESS) && same_inst(c->m, (IrRef){what}, i)) {
			keep_flags(c->m, (IrRef){what}, i);
			replace(c, i, (IrRef){what});
			return;
		}
	take(c, at, hash, i.i);
}

static IrRef accessed(const IrModule *m, IrRef inst) { return ir_op(m, inst, ir_inst(m, inst)->op == IR_STORE ? 1 : 0); }

static u32 hash_access(const IrModule *m, const Access *e)
{
	return (u32)hash_mix(hash_mix(0x10AD, accessed(m, e->inst).i), ir_type_of(m, e->value).i);
}

static bool same_memory(const IrModule *m, const Access *e, const Access *wanted)
{
	return (e->generation == WRITTEN_BY_NOBODY) == (wanted->generation == WRITTEN_BY_NOBODY) &&
	       ir_same(accessed(m, e->inst), accessed(m, wanted->inst)) &&
	       ir_type_same(ir_type_of(m, e->value), ir_type_of(m, wanted->value));
}

/* Replaces a load whose value is available; otherwise records the access as the latest one of its address. */
static void visit_memory(Cse *c, Access e)
{
	u32   hash = hash_access(c->m, &e), at;
	IrRef address = accessed(c->m, e.inst), latest = ir_kind(address) == IR_INST ? address : IR_NO_REF;
	for (u32 k = 0; (e.older = c->table[at = place(c, hash, latest, k)].what) != 0; k++) {
		const Access *x = e.older & ACCESS ? &c->access.p[e.older & ~ACCESS] : NULL;
		if (c->table[at].hash != hash || !x || !same_memory(c->m, x, &e))
			continue;
		if (ir_same(e.inst, e.value) && x->generation == e.generation) {
			replace(c, e.inst, x->value);
			return;
		}
		break;
	}
	take(c, at, hash, ACCESS | c->access.n);
	vec_push(c->cx->scratch, &c->access, e);
}

static void visit_load(Cse *c, IrRef i)
{
	IrModule *m = c->m;
	if (!ir_is_plain(m, i)) {
		bump(c, 0);
		return;
	}
	u32 generation = reads_constant_memory(m, i) ? WRITTEN_BY_NOBODY : c->now.of[generation_of(c, ir_op(m, i, 0))];
	visit_memory(c, (Access){.inst = i, .value = i, .generation = generation});
}

static void visit_store(Cse *c, IrRef i)
{
	u32 slot = generation_of(c, ir_op(c->m, i, 1));
	bump(c, slot);
	visit_memory(c, (Access){.inst = i, .value = ir_op(c->m, i, 0), .generation = c->now.of[slot]});
}

static void visit(Cse *c, IrRef i)
{
	IrModule *m = c->m;
	if (c->folds && ir_n_ops(m, i) && (ir_kind(ir_op(m, i, 0)) == IR_CONST || ir_inst(m, i)->op == IR_LOAD)) {
		IrRef known = ir_fold(m, i);
		if (!ir_is_none(known)) {
			replace(c, i, known);
			return;
		}
	}
	if (takes_part(m, i)) {
		visit_pure(c, i);
	} else if (ir_inst(m, i)->op == IR_LOAD) {
		visit_load(c, i);
	} else if (ir_inst(m, i)->op == IR_STORE && ir_is_plain(m, i)) {
		visit_store(c, i);
	} else if (ir_may_write(m, i)) {
		i32  p = pointer_operand(m, i);
		bool ordered = ir_inst(m, i)->order > IRO_MONOTONIC || !ir_is_plain(m, i);
		u32  slot = p >= 0 ? generation_of(c, ir_op(m, i, (u32)p)) : 0;
		bump(c, slot);
		if (ordered && slot) /* what it orders, too */
			bump(c, 0);
	}
}

/* Are x and y, which phis p and q get over one edge, equal wherever p and q are? `step`: one is a step of the other's kind. */
static bool steps_alike(const IrModule *m, IrRef p, IrRef q, IrRef x, IrRef y, bool *step)
{
	if (ir_same(x, y))
		return true;
	if (ir_kind(x) != IR_INST || ir_kind(y) != IR_INST)
		return false;
	const IrInst *a = ir_inst(m, x), *b = ir_inst(m, y);
	if ((a->op != IR_ADD && a->op != IR_SUB && a->op != IR_GETELEMENTPTR) || a->op != b->op || a->n_ops != b->n_ops ||
	    !ir_type_same(a->type, b->type) || (a->op == IR_GETELEMENTPTR && !ir_type_same(a->elem, b->elem)))
		return false;
	for (u32 k = 0; k < a->n_ops; k++) {
		IrRef u = ir_op(m, x, k), v = ir_op(m, y, k);
		if (!ir_same(u, v) && !(ir_same(u, p) && ir_same(v, q)))
			return false;
	}
	return *step = true;
}

/* q counts as p does: the same first values, the same steps. It is p then; p's steps promise no more than q's did. */
static bool merge_counter(Cse *c, IrRef p, IrRef q)
{
	IrModule *m = c->m;
	bool      step = false;
	if (!ir_type_same(ir_inst(m, p)->type, ir_inst(m, q)->type) || ir_phi_n(m, p) != ir_phi_n(m, q))
		return false;
	for (u32 k = 0; k < ir_phi_n(m, p); k++)
		if (!ir_same(ir_phi_block(m, p, k), ir_phi_block(m, q, k)) ||
		    !steps_alike(m, p, q, ir_phi_value(m, p, k), ir_phi_value(m, q, k), &step))
			return false;
	if (!step)
		return false;
	for (u32 k = 0; k < ir_phi_n(m, p); k++) {
		IrRef x = ir_phi_value(m, p, k), y = ir_phi_value(m, q, k);
		if (!ir_same(x, y))
			ir_inst(m, x)->flags &= ir_inst(m, y)->flags;
	}
	replace(c, q, p);
	return true;
}

enum { MOST_COUNTERS = 16 }; /* phis of a block that are compared with each other */

/* Unrolling gives a loop a second counter, for the whole rounds. Its step becomes equal to the first one's, and goes as such. */
static void merge_counters(Cse *c, u32 block)
{
	IrRef seen[MOST_COUNTERS];
	u32   n = 0;
	ir_each_inst(c->m, c->cfg->block[block], q) {
		if (ir_inst(c->m, q)->op != IR_PHI)
			return;
		u32 k = 0;
		while (k < n && !merge_counter(c, seen[k], q))
			k++;
		if (k == n && n < MOST_COUNTERS)
			seen[n++] = q;
	}
}

static void visit_block(Cse *c, u32 block, const Generations *from_parent)
{
	if (graph_pred(&c->cfg->graph, block).n > 1)
		merge_counters(c, block);
	if (from_parent && graph_pred(&c->cfg->graph, block).n == 1) {
		c->now = *from_parent;
	} else {
		bump(c, 0);
		for (u32 p = 0; p < c->n_private; p++)
			bump(c, SPACES + p);
	}
	ir_each_inst(c->m, c->cfg->block[block], i)
		visit(c, i);
}

static bool run(PassCx *cx)
{
	Arena *a = cx->scratch;
	Cse    c = {.cx = cx, .m = cx->ir, .cfg = ir_cfg(cx), .dom = ir_dom(cx)};
	c.changed = hoist_alike(cx, c.cfg, c.dom);
	find_private(&c);
	u32         *next = arena_array(a, u32, c.cfg->n + 1), *mark = arena_array(a, u32, c.cfg->n + 1);
	Generations *at_end = arena_array(a, Generations, c.cfg->n + 1);
	VecU32       path = {0};
	/* At most two thirds are ever in use. */
	c.mask = (2u << u64_log2((u64)ir_count_insts(cx->ir, pass_func(cx)) * 3 / 2 + 16)) - 1;
	c.table = arena_array(a, Slot, c.mask + 1);
	vec_push(a, &path, 0);
	visit_block(&c, 0, NULL);
	at_end[0] = c.now;
	while (path.n) {
		u32   b = vec_last(&path);
		Nodes kids = node_list(&c.dom->child, b);
		if (next[b] == kids.n) {
			drop_to(&c, mark[b]);
			path.n--;
			continue;
		}
		u32 kid = kids.p[next[b]++];
		mark[kid] = c.taken.n;
		vec_push(a, &path, kid);
		visit_block(&c, kid, &at_end[b]);
		at_end[kid] = c.now;
	}
	return c.changed;
}

const Pass irpass_early_cse = {
	.id = "early-cse",
	.title = "Early CSE",
	.summary = "Replaces an instruction by an equal one that dominates it.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.flags = PF_ANY_SIZE,
	.disable = KNOB_disable_early_cse,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.run = run,
};
