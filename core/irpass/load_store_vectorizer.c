/* load-store-vectorizer: combines loads or stores of adjacent addresses into vector loads or stores.
 *
 *   %a = load float, ptr %p, align 8               %v = load <2 x float>, ptr %p, align 8
 *   %q = getelementptr i8, ptr %p, i64 4     →     %a = extractelement <2 x float> %v, i32 0
 *   %b = load float, ptr %q                        %b = extractelement <2 x float> %v, i32 1
 *
 * Within a block, accesses of one type at constant offsets from one base form a group, which stays open until an
 * instruction that may conflict with its members. A closed group is sorted by offset and cut into runs of adjacent
 * accesses, and a run into vectors of a power of two elements and at most as many bytes as the target accesses at once
 * (isa_access_bytes), as the known alignment allows. A vector load is placed at the first load of the vector, a vector store
 * at the last store.
 *
 * Conflicts: for loads, a write to the same or the generic address space; for stores, also a read, unless
 * it is at a constant offset from the same base and does not overlap, or the two are in different objects: variables, stack
 * slots and noalias arguments, and an argument against one that is noalias. An instruction that may end the thread or
 * synchronise closes all groups. Volatile and atomic accesses are left alone. Linear in instructions, n log n in a group.
 *
 * One request of 16 bytes uses one slot of the load-store unit where four requests of 4 bytes use four. */
#include "analysis/alignment.h"
#include "base/sort.h"
#include "ir/builder.h"
#include "irpass/util.h"

enum { MAX_ELEMENTS = 16, MAX_GROUPS = 64 };
enum { MANY_STEPS = 8, MOST_STEPS = 1 << 16 }; /* from an address to its base */

typedef struct Member {
	IrRef inst;
	i64   offset;
	u32   order; /* in the block */
} Member;

/* An address as a base and a constant offset. */
typedef struct Place {
	IrRef base;
	i64   offset;
} Place;

typedef struct Group {
	bool   is_store;
	IrRef  base, object;
	IrType type;
	u32    space;
	u64    size; /* bytes of an element */
	Vec(Member) member;
	i64 low, high; /* all members are in [low, high) */
	/* For groups with many members: offset / CELL → mask of the bytes they access. Holds the first `in_cells` members. */
	Map *cells;
	u32  in_cells;
	/* Of loads: what has been stored since the first one, to the same base. A load of other bytes may still join. */
	Vec(Place) stored;
	u64 stored_size; /* of the largest of these accesses */
} Group;
enum { CELL = 8, MANY_MEMBERS = 32, MAX_STORED = 16 };

typedef struct Vectorizer {
	PassCx   *cx;
	IrModule *m;
	Vec(Group) open; /* oldest first */
	u32 order;
	Vec(Place) places;
	Map  place_of; /* address → index into places, for addresses more than MANY_STEPS steps from their base */
	bool changed;
} Vectorizer;

/* ---- which accesses are candidates ---- */

static bool is_element(const IrModule *m, IrType t)
{
	switch (ir_type_kind(m, t)) {
	case IRT_INT: {
		u32 bits = ir_type(m, t)->bits;
		return bits == 8 || bits == 16 || bits == 32 || bits == 64;
	}
	case IRT_HALF:
	case IRT_BFLOAT:
	case IRT_FLOAT:
	case IRT_DOUBLE: return true;
	default: return false;
	}
}

static IrRef address_of(const IrModule *m, IrRef inst) { return ir_op(m, inst, ir_inst(m, inst)->op == IR_STORE ? 1 : 0); }

static IrType accessed_type(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	return i->op == IR_STORE ? ir_type_of(m, ir_op(m, inst, 0)) : i->type;
}

static bool is_simple(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	return (i->op == IR_LOAD || i->op == IR_STORE) && !(i->flags & IRF_VOLATILE) && i->order == IRO_NOT_ATOMIC;
}

/* ---- alignment ---- */

static u64 greatest_power_dividing(u64 x) { return x & (~x + 1); }

/* Of the access itself, or of the base and the distance to it. */
static u64 known_align(const Vectorizer *v, const Group *g, const Member *x)
{
	const IrInst *i = ir_inst(v->m, x->inst);
	u64           own = i->align ? ir_align_bytes(i->align) : ir_abi_align(v->m, g->type);
	u64           of_base = pointer_align(v->m, g->base);
	u64           distance = x->offset ? greatest_power_dividing((u64)x->offset) : of_base;
	return PS_MAX(own, PS_MIN(of_base, distance));
}

/* ---- making vectors ---- */

static int by_offset(const void *a, const void *b, void *user)
{
	(void)user;
	const Member *x = a, *y = b;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* The address of the lowest element, computed from the address of the access `at`, which is available. */
static IrRef lowest_address(Vectorizer *v, IrBuilder *b, const Member *lowest, const Member *at)
{
	return ir_b_gep_bytes(b, address_of(v->m, at->inst), lowest->offset - at->offset, 0);
}

static IrRef lane(Vectorizer *v, u32 i) { return ir_const_int(v->m, ir_int_type(v->m, 32), i); }

static void copy_common_metadata(Vectorizer *v, IrRef to, const Member *x, u32 n)
{
	static const char *const kept[] = {"invariant.load"};
	for (u32 k = 0; k < PS_COUNT(kept); k++) {
		bool all = true;
		for (u32 i = 0; i < n; i++)
			all &= ir_attached(v->m, x[i].inst, kept[k]).i != 0;
		if (all)
			ir_attach(v->m, to, kept[k], ir_attached(v->m, x[0].inst, kept[k]));
	}
}

static void vector_load(Vectorizer *v, const Group *g, const Member *x, u32 n, const Member *first)
{
	IrModule *m = v->m;
	IrBuilder b = ir_build_before(m, first->inst);
	IrRef     p = lowest_address(v, &b, &x[0], first);
	IrRef     vec = ir_b_load(&b, ir_vector_type(m, g->type, n), p, (u32)(g->size * n));
	copy_common_metadata(v, vec, x, n);
	for (u32 i = 0; i < n; i++) {
		IrRef e = ir_b_extract_element(&b, vec, lane(v, i));
		ir_take_place(m, e, x[i].inst);
		ir_replace_all_uses(m, x[i].inst, e);
	}
}

static void vector_store(Vectorizer *v, const Group *g, const Member *x, u32 n, const Member *last)
{
	IrModule *m = v->m;
	IrBuilder b = ir_build_before(m, last->inst);
	IrType    t = ir_vector_type(m, g->type, n);
	IrRef     p = lowest_address(v, &b, &x[0], last), vec = ir_const_poison(m, t);
	for (u32 i = 0; i < n; i++)
		vec = ir_b_insert_element(&b, vec, ir_op(m, x[i].inst, 0), lane(v, i));
	ir_b_store(&b, vec, p, (u32)(g->size * n));
}

static void join(Vectorizer *v, const Group *g, const Member *x, u32 n)
{
	const Member *first = x, *last = x;
	for (u32 i = 1; i < n; i++) {
		first = x[i].order < first->order ? &x[i] : first;
		last = x[i].order > last->order ? &x[i] : last;
	}
	u32 line = ir_info(v->m, first->inst)->origin;
	if (g->is_store)
		vector_store(v, g, x, n, last);
	else
		vector_load(v, g, x, n, first);
	for (u32 i = 0; i < n; i++)
		ir_remove(v->m, x[i].inst);
	pass_remark(v->cx, REMARK_PASSED, line, "%u %s of %u bytes become one", n, g->is_store ? "stores" : "loads",
	            (u32)g->size);
	v->changed = true;
}

/* How many elements from x on make one vector. */
static u32 width_at(const Vectorizer *v, const Group *g, const Member *x, u32 run)
{
	u32 widest = isa_access_bytes(&v->m->s->target, g->space);
	for (u32 n = MAX_ELEMENTS; n > 1; n /= 2)
		if (n <= run && n * g->size <= widest && known_align(v, g, x) >= n * g->size)
			return n;
	return 1;
}

static void close(Vectorizer *v, Group *g)
{
	u32     n = g->member.n;
	Member *x = g->member.p;
	if (n < 2)
		return;
	sort_stable(v->cx->scratch, x, n, sizeof *x, by_offset, NULL);
	for (u32 i = 0; i < n;) {
		u32 run = 1;
		while (i + run < n && x[i + run].offset == x[i + run - 1].offset + (i64)g->size)
			run++;
		for (u32 end = i + run; i < end;) {
			u32 k = width_at(v, g, &x[i], end - i);
			if (k > 1)
				join(v, g, &x[i], k);
			i += k;
		}
	}
}

/* ---- gathering ---- */

static void close_at(Vectorizer *v, u32 index)
{
	close(v, &v->open.p[index]);
	for (u32 i = index; i + 1 < v->open.n; i++)
		v->open.p[i] = v->open.p[i + 1];
	v->open.n--;
}

static void close_all(Vectorizer *v)
{
	for (u32 i = 0; i < v->open.n; i++)
		close(v, &v->open.p[i]);
	v->open.n = 0;
}

static bool spaces_meet(u32 a, u32 b) { return a == b || a == AS_GENERIC || b == AS_GENERIC; }

/* ---- which bytes a group accesses ---- */

/* The bytes of [offset, end) that are in the cell, as a mask. */
static u64 bytes_in_cell(i64 cell, i64 offset, i64 end)
{
	i64 first = PS_MAX(offset - cell * CELL, 0), last = PS_MIN(end - cell * CELL, CELL);
	return (((u64)1 << (last - first)) - 1) << first;
}

/* Is the offset small enough that adding sizes to it cannot wrap? */
static bool is_near(i64 offset) { return offset > -((i64)1 << 60) && offset < (i64)1 << 60; }

static i64 cell_of(i64 offset) { return offset >= 0 ? offset / CELL : -((CELL - 1 - offset) / CELL); }

static u64 cell_key(i64 cell) { return (u64)cell + ((u64)1 << 62); }

static void fill_cells(Group *g, Arena *a)
{
	if (!g->cells) {
		g->cells = arena_new(a, Map);
		map_init(g->cells, a);
	}
	for (; g->in_cells < g->member.n; g->in_cells++) {
		i64 offset = g->member.p[g->in_cells].offset, end = offset + (i64)g->size;
		for (i64 c = cell_of(offset); c * CELL < end; c++)
			*map_put(g->cells, cell_key(c), NULL) |= bytes_in_cell(c, offset, end);
	}
}

static bool overlaps(Group *g, Arena *a, i64 offset, u64 size)
{
	if (!is_near(offset))
		return true;
	i64 end = offset + (i64)size;
	if (end <= g->low || g->high <= offset)
		return false;
	if (g->member.n < MANY_MEMBERS || size > MANY_MEMBERS * CELL) {
		for (u32 i = 0; i < g->member.n; i++) {
			i64 o = g->member.p[i].offset;
			if (offset < o + (i64)g->size && o < end)
				return true;
		}
		return false;
	}
	fill_cells(g, a);
	for (i64 c = cell_of(offset); c * CELL < end; c++)
		if (map_or(g->cells, cell_key(c), 0) & bytes_in_cell(c, offset, end))
			return true;
	return false;
}

typedef struct Access {
	bool  is_store;
	IrRef base, object;
	i64   offset;
	u64   size;
	u32   space;
} Access;

/* ---- objects ---- */

enum { OBJECT_STEPS = 16 };

static IrRef object_of(const IrModule *m, IrRef p)
{
	for (u32 k = 0; k < OBJECT_STEPS; k++) {
		u32 op = value_op(m, p);
		if (op != IR_GETELEMENTPTR && op != IR_ADDRSPACECAST && op != IR_BITCAST)
			break;
		p = value_operand(m, p, 0);
	}
	return p;
}

static bool is_noalias(const IrModule *m, IrRef p)
{
	return ir_kind(p) == IR_ARG && ir_attrs_has(m, ir_arg(m, p)->attrs, IRA_NOALIAS);
}

/* Of one size: external arrays of shared memory without one all begin at the same address. */
static bool is_variable(const IrModule *m, IrRef p)
{
	return ir_kind(p) == IR_GLOBAL && ir_global(m, p)->kind == IRG_VAR && ir_alloc_size(m, ir_global(m, p)->type) != 0;
}

static bool is_object(const IrModule *m, IrRef p) { return is_noalias(m, p) || is_inst(m, p, IR_ALLOCA) || is_variable(m, p); }

static bool are_apart(const IrModule *m, IrRef a, IrRef b)
{
	if (ir_same(a, b))
		return false;
	return (is_object(m, a) && is_object(m, b)) || (is_noalias(m, a) && ir_kind(b) == IR_ARG) ||
	       (is_noalias(m, b) && ir_kind(a) == IR_ARG);
}

/* May the order of the access and the group's members matter? */
static bool conflicts(const Vectorizer *v, Group *g, const Access *a)
{
	if (!g->is_store && !a->is_store)
		return false;
	if (!spaces_meet(g->space, a->space) || are_apart(v->m, g->object, a->object))
		return false;
	if (!ir_same(g->base, a->base))
		return true;
	if (g->is_store) /* is moved down across this access only, so the offsets decide */
		return overlaps(g, v->cx->scratch, a->offset, a->size);
	/* A load that joins the group later would be moved up across this store. */
	if (g->stored.n == MAX_STORED || !is_near(a->offset))
		return true;
	vec_push(v->cx->scratch, &g->stored, ((Place){a->base, a->offset}));
	g->stored_size = PS_MAX(g->stored_size, a->size);
	return false;
}

static bool was_stored(const Group *g, const Access *a)
{
	for (u32 i = 0; i < g->stored.n; i++) {
		i64 at = g->stored.p[i].offset;
		if (a->offset < at + (i64)g->stored_size && at < a->offset + (i64)a->size)
			return true;
	}
	return false;
}

static void close_conflicting(Vectorizer *v, const Access *a)
{
	for (u32 i = 0; i < v->open.n;) {
		if (conflicts(v, &v->open.p[i], a))
			close_at(v, i);
		else
			i++;
	}
}

static void gather(Vectorizer *v, IrRef inst, const Access *a, IrType type)
{
	Arena *arena = v->cx->scratch;
	Group *g = NULL;
	for (u32 i = 0; i < v->open.n && !g; i++) {
		Group *o = &v->open.p[i];
		if (o->is_store == a->is_store && ir_same(o->base, a->base) && o->type.i == type.i)
			g = o;
	}
	if (g && (g->is_store ? overlaps(g, arena, a->offset, a->size) : was_stored(g, a))) {
		close_at(v, (u32)(g - v->open.p));
		g = NULL;
	}
	if (!g) {
		if (v->open.n == MAX_GROUPS)
			close_at(v, 0);
		vec_push(arena, &v->open,
		         ((Group){.is_store = a->is_store,
		                  .base = a->base,
		                  .object = a->object,
		                  .type = type,
		                  .space = a->space,
		                  .size = a->size,
		                  .low = a->offset,
		                  .high = a->offset}));
		g = &vec_last(&v->open);
	}
	vec_push(arena, &g->member, ((Member){inst, a->offset, v->order}));
	g->low = PS_MIN(g->low, a->offset);
	g->high = PS_MAX(g->high, a->offset + (i64)a->size);
}

/* strip_constant_offset with memoisation: where each pointer is computed from the previous one, the walk stops at an
 * address seen before, so that the total work stays linear. In unreachable code a pointer may depend on itself; after
 * MOST_STEPS the address reached is taken as the base. */
static IrRef strip_remembered(Vectorizer *v, IrRef address, i64 *offset)
{
	IrRef at = address;
	u32   steps = 0;
	*offset = 0;
	for (; steps < MOST_STEPS; steps++) {
		const u64 *known = v->places.n ? map_get(&v->place_of, at.i) : NULL;
		i64        step;
		if (known) {
			*offset = (i64)((u64)*offset + (u64)v->places.p[*known].offset);
			at = v->places.p[*known].base;
			break;
		}
		IrRef next = strip_constant_step(v->m, at, &step);
		if (ir_same(next, at))
			break;
		*offset = (i64)((u64)*offset + (u64)step);
		at = next;
	}
	if (steps >= MANY_STEPS) {
		map_set(&v->place_of, address.i, v->places.n);
		vec_push(v->cx->scratch, &v->places, ((Place){at, *offset}));
	}
	return at;
}

static void access(Vectorizer *v, IrRef inst)
{
	IrModule *m = v->m;
	IrRef     p = address_of(m, inst);
	IrType    type = accessed_type(m, inst);
	Access    a = {.is_store = ir_inst(m, inst)->op == IR_STORE, .space = value_space(m, p)};
	a.base = strip_remembered(v, p, &a.offset);
	a.object = object_of(m, a.base);
	a.size = ir_store_size(m, type);
	close_conflicting(v, &a);
	if (is_element(m, type) && is_near(a.offset) && value_space(m, a.base) == a.space)
		gather(v, inst, &a, type);
}

static void block(Vectorizer *v, IrRef b)
{
	IrModule *m = v->m;
	ir_each_inst(m, b, inst) {
		v->order++;
		if (is_simple(m, inst))
			access(v, inst);
		else if (ir_may_read(m, inst) || ir_may_write(m, inst) || ir_has_side_effects(m, inst) ||
		         ir_is_convergent(m, inst))
			close_all(v);
	}
	close_all(v);
}

static bool run(PassCx *cx)
{
	Vectorizer v = {.cx = cx, .m = cx->ir};
	map_init(&v.place_of, cx->scratch);
	ir_each_block_had(cx->ir, pass_func(cx), b, IR_OPS(LOAD) | IR_OPS(STORE))
		block(&v, b);
	return v.changed;
}

const Pass irpass_load_store_vectorizer = {
	.id = "load-store-vectorizer",
	.title = "Vectorize load and Store instructions",
	.summary = "Merges accesses to adjacent memory into vector accesses.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_nvptx_load_store_vectorizer,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(LOAD) | IR_OPS(STORE),
	.flags = PF_IDEMPOTENT,
	.run = run,
};
