/* debug_assign.c: variables that are in memory and in registers by turns: #dbg_assign.
 *
 *	store i32 %a, ptr %x, !DIAssignID !1
 *	#dbg_assign(i32 %a, !v, …, !1, ptr %x, …)        v is in memory, at %x
 *	#dbg_assign(i32 %b, !v, …, !2, ptr %x, …)        no store has !2: v is %b, and what is at %x is old
 *	store i32 %c, ptr %x                             v is in memory again
 *
 * A record names the store of its value by an id. Where that is there in front of it, the variable is in memory from the record on:
 * in the slot, whatever is written to it later. Where the store comes later, or none has the id, it is the record's value;
 * behind a store to just these bytes it is in memory again. So a variable whose address is taken is not said to be in the register
 * that it once came from.
 *
 * Looks at slots of the frame alone. Linear in instructions, times the records of a slot. */
#include "dag/func.h"
#include "mir/debug.h"

enum { MAX_PAIRS = 1 << 20 }; /* stores and records that are compared */

typedef struct Store {
	IrRef inst;
	u32   place, block, id; /* id: IrMd of the DIAssignID; 0: it has none that a record names */
	IrRef slot;             /* none: not of this frame */
	i64   offset;
	u64   size;
} Store;

typedef struct Assign {
	u32   record, place, block, id;
	IrRef slot;
	i64   offset;
	u64   part, size; /* the bytes of the variable */
	bool  in_memory;
} Assign;

typedef struct Finder {
	DagFunc *f;
	Vec(Store) store;
	Vec(Assign) assign;
	Map id; /* DIAssignID that a record names */
} Finder;

static IrRef slot_behind(const IrModule *m, IrRef p, i64 *offset)
{
	*offset = 0;
	for (u32 steps = 0; steps < 64 && ir_kind(p) == IR_INST; steps++) {
		u32 op = ir_inst(m, p)->op;
		i64 by = 0;
		if (op == IR_ALLOCA)
			return p;
		if (op != IR_ADDRSPACECAST && op != IR_BITCAST && (op != IR_GETELEMENTPTR || !ir_gep_offset(m, p, &by)))
			return IR_NO_REF;
		*offset += by;
		p = ir_op(m, p, 0);
	}
	return IR_NO_REF;
}

/* The bytes that an expression names; of a whole variable none. */
static void fragment(const IrModule *m, IrMd expression, u64 *offset, u64 *size)
{
	const IrMdNode *n = expression.i ? ir_md(m, expression) : NULL;
	*offset = *size = 0;
	if (!n || n->kind != IRMD_EXPR || n->n < 3)
		return;
	const IrMdField *f = &m->md_fields.p[n->first + n->n - 3];
	if (f->kind == IRMF_NAME && str_is(ir_str(m, (StrId){f->a}), "DW_OP_LLVM_fragment"))
		*offset = f[1].bits / 8, *size = f[2].bits / 8;
}

static u64 slot_size(const IrModule *m, IrRef slot) { return ir_store_size(m, ir_inst(m, slot)->elem); }

static void find_record(Finder *x, const IrDbgRec *rec, u32 record, u32 place, u32 block)
{
	const IrModule *m = x->f->m;
	const IrMdNode *p = rec->arg[4].i ? ir_md(m, rec->arg[4]) : NULL, *moved = rec->arg[5].i ? ir_md(m, rec->arg[5]) : NULL;
	Assign          a = {.record = record, .place = place, .block = block, .id = rec->arg[3].i};
	bool            fresh;
	if (p && p->kind == IRMD_VALUE && moved && !moved->n)
		a.slot = slot_behind(m, p->value, &a.offset);
	fragment(m, rec->arg[2], &a.part, &a.size);
	if (!a.size && !ir_is_none(a.slot))
		a.size = slot_size(m, a.slot);
	vec_push(x->f->arena, &x->assign, a);
	if (a.id)
		map_put(&x->id, a.id, &fresh);
}

static void find_store(Finder *x, IrRef i, u32 place, u32 block)
{
	const IrModule *m = x->f->m;
	u32             op = ir_inst(m, i)->op;
	Store           s = {.inst = i, .place = place, .block = block, .id = ir_attached(m, i, "DIAssignID").i};
	if (op == IR_STORE) {
		s.slot = slot_behind(m, ir_op(m, i, 1), &s.offset);
		s.size = ir_store_size(m, ir_type_of(m, ir_op(m, i, 0)));
	} else if (op == IR_ALLOCA) {
		s.slot = i;
		s.size = slot_size(m, i);
	}
	if (s.id || (op == IR_STORE && !ir_is_none(s.slot)))
		vec_push(x->f->arena, &x->store, s);
}

static void find(Finder *x)
{
	const IrModule *m = x->f->m;
	u32             place = 0, block = 0;
	ir_each_block(m, x->f->ir, b) {
		block++;
		ir_each_inst(m, b, i) {
			place++;
			for (u32 r = ir_info(m, i)->records; r;) {
				const IrDbgRec *rec = pages_at(&m->dbgrecs, r);
				if (rec->kind == IRDBG_ASSIGN)
					find_record(x, rec, r, place, block);
				r = rec->next;
			}
			find_store(x, i, place, block);
		}
	}
}

/* Where passes have lost the address of a record, another one of its variable has it. */
static void find_lost_addresses(Finder *x)
{
	Map home; /* variable of one call → a record with an address, + 1 */
	map_init(&home, x->f->arena);
	for (u32 round = 0; round < 2; round++)
		for (u32 i = 0; i < x->assign.n; i++) {
			Assign         *a = &x->assign.p[i];
			const IrDbgRec *rec = pages_at(&x->f->m->dbgrecs, a->record);
			u64             variable = (u64)rec->arg[1].i << 32 | rec->loc.i, known = map_or(&home, variable, 0);
			if (!round && !ir_is_none(a->slot)) {
				map_set(&home, variable, i + 1);
			} else if (round && known && ir_is_none(a->slot) && a->size) {
				const Assign *other = &x->assign.p[known - 1];
				a->slot = other->slot;
				a->offset = other->offset - (i64)other->part + (i64)a->part;
			}
		}
}

static void in_memory_behind(Finder *x, const Store *s, const Assign *a)
{
	DagAssigns *to = x->f->assigns;
	u64        *first;
	bool        fresh;
	first = map_put(&to->behind, s->inst.i, &fresh);
	vec_push(x->f->arena, &to->event, ((DagAssignEvent){a->record, a->slot, a->offset, fresh ? 0 : (u32)*first}));
	*first = to->event.n;
}

/* Is the store in front of the record: that of an alloca, or in its block? */
static bool comes_first(const DagFunc *f, const Store *s, const Assign *a)
{
	return ir_inst(f->m, s->inst)->op == IR_ALLOCA || (s->block == a->block && s->place < a->place);
}

/* The store of the record's value. */
static void stored(Finder *x, const Store *s, Assign *a)
{
	if (ir_is_none(a->slot))
		return;
	if (comes_first(x->f, s, a))
		a->in_memory = true;
	else
		in_memory_behind(x, s, a);
}

/* A store that no record names: what it writes is in memory where that is just what some record is about. */
static void unnamed(Finder *x, const Store *s)
{
	Map seen;
	map_init(&seen, x->f->arena);
	for (u32 i = 0; i < x->assign.n; i++) {
		const Assign   *a = &x->assign.p[i];
		const IrDbgRec *rec = pages_at(&x->f->m->dbgrecs, a->record);
		bool            fresh;
		if (ir_is_none(a->slot) || !ir_same(a->slot, s->slot) || a->offset != s->offset || a->size != s->size)
			continue;
		map_put(&seen, (u64)rec->arg[1].i << 32 | rec->arg[2].i, &fresh);
		if (fresh)
			in_memory_behind(x, s, a);
	}
}

void dag_find_assigns(DagFunc *f)
{
	Finder x = {.f = f};
	if (f->m->dbgrecs.n <= 1)
		return;
	map_init(&x.id, f->arena);
	find(&x);
	find_lost_addresses(&x);
	if (!x.assign.n || (u64)x.assign.n * x.store.n > MAX_PAIRS)
		return;
	f->assigns = arena_new(f->arena, DagAssigns);
	map_init(&f->assigns->memory, f->arena);
	map_init(&f->assigns->behind, f->arena);
	for (u32 i = 0; i < x.store.n; i++) {
		Store *s = &x.store.p[i];
		if (!map_get(&x.id, s->id))
			s->id = 0;
		for (u32 k = 0; k < x.assign.n && s->id; k++)
			if (x.assign.p[k].id == s->id)
				stored(&x, s, &x.assign.p[k]);
		if (!s->id && !ir_is_none(s->slot))
			unnamed(&x, s);
	}
	for (u32 k = 0; k < x.assign.n; k++) {
		const Assign *a = &x.assign.p[k];
		if (!a->in_memory)
			continue;
		vec_push(f->arena, &f->assigns->event, ((DagAssignEvent){a->record, a->slot, a->offset, 0}));
		map_set(&f->assigns->memory, a->record, f->assigns->event.n);
	}
}

static bool in_memory(DagFunc *f, const DagAssignEvent *e, DagWatch *w)
{
	u32 frame = dag_home(f, e->slot)->frame;
	if (!frame || e->offset < 0)
		return false;
	w->kind = MIR_DEBUG_FRAME;
	w->reg = frame - 1;
	w->bits = (u64)e->offset << 1 | 1;
	return true;
}

bool dag_in_memory(DagFunc *f, u32 record, DagWatch *w)
{
	u32 e = f->assigns ? (u32)map_or(&f->assigns->memory, record, 0) : 0;
	return e && in_memory(f, &f->assigns->event.p[e - 1], w);
}

void dag_watch_behind(DagFunc *f, IrRef inst)
{
	for (u32 e = (u32)map_or(&f->assigns->behind, inst.i, 0); e; e = f->assigns->event.p[e - 1].next) {
		DagWatch w = {.record = f->assigns->event.p[e - 1].record, .order = f->dag.order + 1};
		if (in_memory(f, &f->assigns->event.p[e - 1], &w))
			vec_push(f->arena, &f->dag.watch, w);
	}
}
