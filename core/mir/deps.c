/* deps.c: builds the dependence graph of a stretch by one walk over it: last writer and readers of each register, and all
 * earlier accesses that a memory operation or an ordered one conflicts with, see deps.h. */
#include "mir/deps.h"

#include "base/sort.h"
#include "mir/alias.h"
#include "mir/linear.h"

/* ---- what orders an instruction beside its registers ---- */

enum {
	ORD_FENCE = 1 << 0, /* against all memory and all that is ordered */
	ORD_SELF = 1 << 1,  /* against others of this kind: convergent, volatile, ordered, with side effects */
};

typedef struct Effect {
	u32        bits; /* ORD_* */
	MirAccess  access;
	MirLinear *address; /* of an access in a loop, in the space of `access`; else NULL */
} Effect;

static Effect effect_of(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirMem  *m = mir_mem(f, i);
	Effect         e = {.access = mir_access(f, i)};
	bool           memory = (d->flags & (IF_LOAD | IF_STORE)) == (IF_LOAD | IF_STORE) && d->flags & IF_SIDE_EFFECTS;
	if (d->flags & (IF_FENCE | IF_CALL) || mir_inst(f, i)->flags & MIF_SIDE_EFFECT || (memory && !(d->flags & IF_ATOMIC)))
		e.bits |= ORD_FENCE;
	if (d->flags & (IF_CONVERGENT | IF_SIDE_EFFECTS | IF_ASYNC) || mir_inst(f, i)->flags & MIF_NO_DUP ||
	    (m && (m->flags & MMF_VOLATILE || m->ordering >= MIR_MONOTONIC)))
		e.bits |= ORD_SELF;
	return e;
}

/* DEP_BARRIER, DEP_MEMORY, or -1 where the two may change places. */
static bool is_free(const Effect *e) { return !e->bits && (!e->access.flags || e->access.flags & MA_CONSTANT); }

/* Are the bytes of `a`, and those of `b` in the d-th iteration behind, known to be different ones? */
static bool is_apart(const Effect *a, const Effect *b, u32 d)
{
	i64       distance;
	const u64 far = (u64)1 << 30;
	if (!a->address || !b->address || a->access.space != b->access.space || !a->access.size || !b->access.size ||
	    a->access.size > far || b->access.size > far || !mir_linear_difference(a->address, b->address, d, &distance))
		return false;
	return distance >= (i64)a->access.size || -distance >= (i64)b->access.size;
}

static int conflict(const Effect *a, const Effect *b)
{
	if ((a->bits | b->bits) & ORD_FENCE && !is_free(a) && !is_free(b))
		return DEP_BARRIER;
	if (a->bits & b->bits & ORD_SELF)
		return DEP_BARRIER;
	return mir_may_alias(&a->access, &b->access) && !is_apart(a, b, 0) ? DEP_MEMORY : -1;
}

bool mir_is_ordered(const MirFunc *f, MirInstId a, MirInstId b)
{
	Effect x = effect_of(f, a), y = effect_of(f, b);
	return conflict(&x, &y) >= 0;
}

/* ---- building ---- */

typedef struct LastUses {
	VecU32 readers; /* units since the last writer */
	u32    writer;  /* 1 + unit, 0: none */
	u32    first;   /* 1 + unit of the first writer */
	VecU32 exposed; /* units that read what the stretch has not written */
} LastUses;

typedef struct Builder {
	const MirStretch *s;
	const MirFunc    *f;
	Arena            *a;
	MirDeps          *d;
	u32              *reg; /* the registers of the stretch, ascending; carry() at the end */
	u32               n_regs;
	LastUses         *use;    /* by place in reg */
	Effect           *effect; /* by unit */
} Builder;

static const u32 CARRY = MIR_PHYS_BIT | 0x7FFFFFFFu; /* CC.CF, a register that no operand names */

static void add(Builder *b, MirDep dep)
{
	if (dep.from != dep.to || dep.distance)
		vec_push(b->a, &b->d->dep, dep);
}

static u16 latency_of(const Builder *b, u32 unit) { return isa_cost(b->s->machine, mir_desc(b->f, b->d->inst[unit])).latency; }

static void list_registers(Builder *b)
{
	VecU32 all = {0};
	for (u32 u = 0; u < b->d->n; u++)
		for (u32 n = 0; n < mir_inst(b->f, b->d->inst[u])->n_ops; n++)
			if (mir_op(b->f, b->d->inst[u], n)->kind == MO_REG)
				vec_push(b->a, &all, mir_op(b->f, b->d->inst[u], n)->ref);
	vec_push(b->a, &all, CARRY);
	sort_u32(b->a, all.p, all.n);
	for (u32 k = 0; k < all.n; k++)
		if (!k || all.p[k] != all.p[k - 1])
			all.p[b->n_regs++] = all.p[k];
	b->reg = all.p;
	b->use = arena_array(b->a, LastUses, b->n_regs);
}

static LastUses *use_of(Builder *b, u32 reg)
{
	u32 low = 0, high = b->n_regs;
	while (high - low > 1) {
		u32 mid = (low + high) / 2;
		if (b->reg[mid] <= reg)
			low = mid;
		else
			high = mid;
	}
	return &b->use[low];
}

static void reads(Builder *b, u32 unit, u32 reg)
{
	LastUses *u = use_of(b, reg);
	vec_push(b->a, &u->readers, unit);
	if (u->writer)
		add(b, (MirDep){u->writer - 1, unit, latency_of(b, u->writer - 1), DEP_TRUE, 0});
	else
		vec_push(b->a, &u->exposed, unit);
}

/* A guarded definition keeps the old value where the guard does not hold: it is ordered behind the one before, so those
 * who read the one that follows are behind both. */
static void writes(Builder *b, u32 unit, u32 reg)
{
	LastUses *u = use_of(b, reg);
	for (u32 k = 0; k < u->readers.n; k++)
		add(b, (MirDep){u->readers.p[k], unit, 0, DEP_ANTI, 0});
	if (u->writer)
		add(b, (MirDep){u->writer - 1, unit, 1, DEP_OUTPUT, 0});
	u->readers.n = 0;
	u->writer = unit + 1;
	if (!u->first)
		u->first = unit + 1;
}

static void registers(Builder *b, u32 unit)
{
	MirInstId      i = b->d->inst[unit];
	const MirInst *mi = mir_inst(b->f, i);
	bool           phi = mi->desc == ISA_PHI; /* reads at the ends of the predecessors */
	for (u32 n = 0; n < mi->n_ops && !phi; n++)
		if (mir_op_is_use(mir_op(b->f, i, n)) && !(mir_op(b->f, i, n)->flags & MOF_UNDEF))
			reads(b, unit, mir_op(b->f, i, n)->ref);
	if (mir_is(b->f, i, IF_CARRY_IN))
		reads(b, unit, CARRY);
	for (u32 n = 0; n < mi->n_ops; n++)
		if (mir_op_is_def(mir_op(b->f, i, n)))
			writes(b, unit, mir_op(b->f, i, n)->ref);
	if (mir_is(b->f, i, IF_CARRY_OUT))
		writes(b, unit, CARRY);
}

static u16 memory_latency(const Builder *b, u32 from, u32 to)
{
	const MirAccess *x = &b->effect[from].access, *y = &b->effect[to].access;
	if (!(x->flags & MA_WRITES))
		return 0;
	return y->flags & MA_READS ? latency_of(b, from) : 1;
}

/* The address of an access off a register. */
static MirLinear *address_of(const MirFunc *f, MirInstId i, Arena *a)
{
	const IsaDesc *d = mir_desc(f, i);
	for (u32 k = 0; k + 1 < d->n_operands && k + 1u < mir_inst(f, i)->n_ops; k++)
		if (d->operand[k].kind == IO_BASE && mir_op_is_use(mir_op(f, i, k)) && mir_op(f, i, k + 1)->kind == MO_IMM) {
			MirLinear *x = arena_new(a, MirLinear);
			const i64  limit = (i64)1 << 31;
			*x = mir_linear(f, i, mir_op_reg(mir_op(f, i, k)));
			x->offset += mir_op(f, i, k + 1)->imm;
			x->known &= x->offset > -limit && x->offset < limit;
			return x;
		}
	return NULL;
}

static void effects(Builder *b, u32 unit, VecU32 *open)
{
	Effect *e = &b->effect[unit];
	*e = effect_of(b->f, b->d->inst[unit]);
	if (b->s->loop && e->access.flags && !(e->access.flags & (MA_UNKNOWN | MA_CONSTANT)))
		e->address = address_of(b->f, b->d->inst[unit], b->a);
	if (is_free(e))
		return;
	bool full = open->n >= MIR_DEPS_OPEN;
	for (u32 k = 0; k < open->n; k++) {
		int kind = full ? DEP_BARRIER : conflict(&b->effect[open->p[k]], e);
		if (kind >= 0)
			add(b, (MirDep){open->p[k], unit, kind == DEP_MEMORY ? memory_latency(b, open->p[k], unit) : 0, (u8)kind,
			                0});
	}
	if (full)
		e->bits |= ORD_FENCE; /* what follows waits for it, and so for those it waits for */
	if (e->bits & ORD_FENCE)
		open->n = 0;
	vec_push(b->a, open, unit);
}

static void control(Builder *b, u32 unit)
{
	if (mir_is(b->f, b->d->inst[unit], IF_TERMINATOR))
		for (u32 u = 0; u < unit; u++)
			add(b, (MirDep){u, unit, 0, DEP_CONTROL, 0});
}

/* ---- around the loop ---- */

static void phi_distances(Builder *b, u32 unit)
{
	MirInstId i = b->d->inst[unit];
	for (u32 n = 1; n + 1 < mir_inst(b->f, i)->n_ops; n += 2)
		if (mir_op(b->f, i, n + 1)->ref == b->s->block.i && mir_op(b->f, i, n)->kind == MO_REG) {
			LastUses *u = use_of(b, mir_op(b->f, i, n)->ref);
			if (u->writer)
				add(b, (MirDep){u->writer - 1, unit, latency_of(b, u->writer - 1), DEP_TRUE, 1});
		}
}

static void register_distances(Builder *b)
{
	for (u32 k = 0; k < b->n_regs; k++) {
		LastUses *u = &b->use[k];
		if (!u->writer)
			continue;
		for (u32 j = 0; j < u->exposed.n; j++)
			add(b, (MirDep){u->writer - 1, u->exposed.p[j], latency_of(b, u->writer - 1), DEP_TRUE, 1});
		for (u32 j = 0; j < u->readers.n; j++)
			add(b, (MirDep){u->readers.p[j], u->first - 1, 0, DEP_ANTI, 1});
		add(b, (MirDep){u->writer - 1, u->first - 1, 1, DEP_OUTPUT, 1});
	}
}

enum { FAR = 255 };

/* The first d ≥ 1 so that `from` in an iteration and `to` in the d-th behind it may touch one byte; 0: none. */
static u32 distance_of(const Builder *b, u32 from, u32 to)
{
	const Effect *x = &b->effect[from], *y = &b->effect[to];
	i64           known;
	if (!mir_may_alias_across(&x->access, &y->access, false))
		return 0;
	if (!x->address || !y->address || !mir_linear_difference(x->address, y->address, 1, &known))
		return 1;
	for (u32 d = 1; d <= FAR; d++)
		if (!is_apart(x, y, d))
			return d;
	return 0;
}

/* What stands in front of a fence is behind the one of the iteration before through the fence itself: only those behind
 * the last fence and those up to the first one are compared. */
static void memory_distances(Builder *b)
{
	VecU32 open = {0};
	u32    first = GRAPH_NONE, last = 0;
	for (u32 u = 0; u < b->d->n; u++)
		if (!is_free(&b->effect[u])) {
			if (b->effect[u].bits & ORD_FENCE) {
				first = first == GRAPH_NONE ? open.n : first;
				last = open.n;
			}
			vec_push(b->a, &open, u);
		}
	for (u32 j = last; j < open.n; j++)
		for (u32 k = 0; k < open.n && k <= first; k++) {
			u32  from = open.p[j], to = open.p[k];
			bool barrier = conflict(&b->effect[from], &b->effect[to]) == DEP_BARRIER;
			u32  d = barrier ? 1 : distance_of(b, from, to);
			if (d)
				add(b, (MirDep){from, to, barrier ? 0 : memory_latency(b, from, to),
				                (u8)(barrier ? DEP_BARRIER : DEP_MEMORY), (u8)d});
		}
}

static void around(Builder *b)
{
	for (u32 u = 0; u < b->d->n; u++)
		if (mir_inst(b->f, b->d->inst[u])->desc == ISA_PHI)
			phi_distances(b, u);
	if (!(b->f->props & MP_SSA))
		register_distances(b);
	memory_distances(b);
}

static void list_units(const MirStretch *s, MirDeps *d, Arena *a)
{
	VecU32 v = {0};
	u32    i = s->first.i ? s->first.i : mir_block(s->f, s->block)->first;
	for (; i; i = mir_inst(s->f, (MirInstId){i})->next) {
		vec_push(a, &v, i);
		if (i == s->last.i)
			break;
	}
	d->n = v.n;
	d->inst = arena_array(a, MirInstId, v.n + 1);
	for (u32 u = 0; u < v.n; u++)
		d->inst[u].i = v.p[u];
}

MirDeps *mir_deps_build(const MirStretch *s, Arena *a)
{
	MirDeps *d = arena_new(a, MirDeps);
	Builder  b = {.s = s, .f = s->f, .a = a, .d = d};
	VecU32   open = {0};
	list_units(s, d, a);
	list_registers(&b);
	b.effect = arena_array(a, Effect, d->n + 1);
	for (u32 u = 0; u < d->n; u++) {
		registers(&b, u);
		effects(&b, u, &open);
		control(&b, u);
	}
	if (s->loop)
		around(&b);
	GraphEdge *pair = arena_array(a, GraphEdge, d->dep.n + 1);
	for (u32 k = 0; k < d->dep.n; k++)
		pair[k] = (GraphEdge){d->dep.p[k].from, k};
	d->out = node_lists(a, d->n, pair, d->dep.n);
	for (u32 k = 0; k < d->dep.n; k++)
		pair[k] = (GraphEdge){d->dep.p[k].to, k};
	d->in = node_lists(a, d->n, pair, d->dep.n);
	return d;
}

/* ---- longest paths: units stand in an order that all dependences of distance 0 follow ---- */

MirDepth mir_deps_depth(const MirDeps *d, const MirFunc *f, const IsaMachine *machine, Arena *a)
{
	MirDepth r = {arena_array(a, u32, d->n + 1), arena_array(a, u32, d->n + 1), 0};
	u32     *tail = arena_array(a, u32, d->n + 1); /* cycles from a unit's beginning to the end of all */
	for (u32 u = 0; u < d->n; u++) {
		Nodes in = mir_deps_in(d, u);
		for (u32 k = 0; k < in.n; k++) {
			const MirDep *x = &d->dep.p[in.p[k]];
			if (!x->distance)
				r.asap[u] = PS_MAX(r.asap[u], r.asap[x->from] + x->latency);
		}
		u32 end = r.asap[u] + isa_cost(machine, mir_desc(f, d->inst[u])).latency;
		if (end > r.length)
			r.length = end;
	}
	for (u32 u = d->n; u-- > 0;) {
		Nodes out = mir_deps_out(d, u);
		tail[u] = isa_cost(machine, mir_desc(f, d->inst[u])).latency;
		for (u32 k = 0; k < out.n; k++) {
			const MirDep *x = &d->dep.p[out.p[k]];
			if (!x->distance)
				tail[u] = PS_MAX(tail[u], tail[x->to] + x->latency);
		}
		r.alap[u] = r.length - tail[u];
	}
	return r;
}

MirTrace mir_deps_trace(const MirDeps *d, const MirFunc *f, const IsaMachine *machine, Arena *a)
{
	MirDepth depth = mir_deps_depth(d, f, machine, a);
	MirTrace t = {.length = depth.length, .issued = d->n};
	u32      busy[UNIT_COUNT] = {0};
	for (u32 u = 0; u < d->n; u++) {
		const IsaDesc *desc = mir_desc(f, d->inst[u]);
		busy[desc->unit] += isa_cost(machine, desc).cycles;
	}
	for (u32 k = 0; k < UNIT_COUNT; k++)
		if (busy[k] > t.busy)
			t.busy = busy[k], t.unit = (IsaUnit)k;
	for (u32 u = 0; u < d->n; u++)
		if (depth.asap[u] == depth.alap[u])
			vec_push(a, &t.critical, u);
	return t;
}
