/* debug.c: takes what #dbg_value says of variables, and #dbg_label of labels, from IR to machine code (mir/debug.h).
 *
 *	%s = add i32 %a, %b                         %3 = ADDs32rr %1, %2
 *	#dbg_value(i32 %s, !x, …)          ─▶       x is in %3 from here on
 *	store i32 %s, ptr %p                        ST_i32 …
 *
 * While the block is a graph, a record watches the value that it names, and follows it when dag_replace puts another in its
 * place. It is no user of the value, so that the code is the same without it. When the block has been emitted, the value is in
 * a register, a constant, a stack object or, where nothing else needed it, nowhere. Its place is in front of the first
 * instruction that comes from the record's successor or from something behind that, and behind its definition. Linear in
 * records, times the instructions of the block. */
#include "mir/debug.h"
#include "base/sort.h"
#include "dag/emit.h"

enum { MAX_CASTS = 16 }; /* between a stack object and a pointer to it */

/* Follows `from`, whose uses `to` has taken over. */
void dag_watch_moved(Dag *d, DagVal from, DagVal to)
{
	for (u32 i = 0; i < d->watch.n; i++)
		if (dag_same(d->watch.p[i].val, from))
			d->watch.p[i].val = to;
}

/* ---- while the block is built ---- */

static void watch_constant(const DagFunc *f, IrRef r, DagWatch *w)
{
	const IrConst *c = ir_const(f->m, r);
	u64            word[2] = {0, 0};
	bool           is_fp = c->kind == IRC_FP;
	if (c->kind != IRC_INT && !is_fp && c->kind != IRC_NULL)
		return;
	if (c->kind != IRC_NULL) {
		u32 bits = (u32)ir_size_bits(f->m, c->type);
		if (bits > 64) {
			w->kind = bits == 128 && !is_fp ? MIR_DEBUG_WIDE : MIR_DEBUG_NOWHERE;
			w->bits = r.i;
			return;
		}
		ir_const_word(f->m, r, word, 2);
		word[0] = is_fp || bits == 1 ? word[0] : (u64)sem_sext(word[0], bits);
	}
	w->kind = is_fp ? MIR_DEBUG_FP : MIR_DEBUG_INT;
	w->bits = word[0];
}

static void watch_local(DagFunc *f, IrRef r, DagWatch *w)
{
	IrRef slot = r;
	DagVt part;
	for (u32 i = 0; i < MAX_CASTS && ir_kind(slot) == IR_INST && ir_inst(f->m, slot)->op == IR_ADDRSPACECAST; i++)
		slot = ir_op(f->m, slot, 0);
	if (ir_kind(slot) == IR_INST && dag_home(f, slot)->frame)
		r = slot;
	const DagHome *home = dag_home(f, r);
	if (dag_leaf_count(f, ir_type_of(f->m, r)) != 1 || dag_reg_parts(dag_vt_of(f, ir_type_of(f->m, r)), &part) != 1)
		return;
	if (home->frame) {
		w->kind = MIR_DEBUG_FRAME;
		w->reg = home->frame - 1;
		return;
	}
	w->kind = MIR_DEBUG_REG;
	w->reg = home->reg;
	if (home->epoch == f->mod->epoch)
		w->val = f->pool.p[home->first];
}

static bool dereferences(const IrModule *m, IrMd expression)
{
	const IrMdNode *n = expression.i ? ir_md(m, expression) : NULL;
	for (u32 i = 0; n && n->kind == IRMD_EXPR && i < n->n; i++) {
		const IrMdField *f = &m->md_fields.p[n->first + i];
		if (f->kind == IRMF_NAME && str_is(ir_str(m, (StrId){f->a}), "DW_OP_deref"))
			return true;
	}
	return false;
}

/* #dbg_declare of what is no slot of the frame: an argument that is an address, memory whose size is not known. An argument with
 * the address of the address (an old producer's; clang has none) is left out: in which memory that lies an entry cannot say, and
 * llc-22 has such a place only where the argument is needed in several blocks. */
static void watch_address(DagFunc *f, const IrMdNode *v, IrMd expression, DagWatch *w)
{
	if (!v || v->kind != IRMD_VALUE || (ir_kind(v->value) != IR_INST && ir_kind(v->value) != IR_ARG) ||
	    (ir_kind(v->value) == IR_ARG && dereferences(f->m, expression)))
		return;
	watch_local(f, v->value, w);
	w->bits = 1;
	if (w->kind == MIR_DEBUG_REG)
		vec_push(f->arena, &f->dag.watch, *w);
}

/* Are there only phis and their copies in front of it? */
static bool is_at_head(const IrModule *m, IrRef inst)
{
	while (!ir_is_none(inst = ir_inst(m, inst)->prev))
		if (ir_inst(m, inst)->op != IR_PHI && ir_inst(m, inst)->op != IR_PCP)
			return false;
	return true;
}

static void push_field(IrModule *m, IrMdField x) { vec_push(m->arena, &m->md_fields, x); }

/* !DIArgList(%x, i64 8) and DW_OP_LLVM_arg 0, DW_OP_LLVM_arg 1, DW_OP_plus: of %x DW_OP_constu 8, DW_OP_plus. 0: not all others are
 * constants. */
static IrMd of_first(IrModule *m, const IrMdNode *list, IrMd expression)
{
	const IrMdNode *n = expression.i ? ir_md(m, expression) : NULL;
	u32             first = m->md_fields.n;
	if (!n || n->kind != IRMD_EXPR)
		return (IrMd){0};
	for (u32 i = 0; i < n->n; i++) {
		IrMdField x = m->md_fields.p[n->first + i], arg = m->md_fields.p[n->first + PS_MIN(i + 1, n->n - 1)];
		if (x.kind != IRMF_NAME || !str_is(ir_str(m, (StrId){x.a}), "DW_OP_LLVM_arg")) {
			push_field(m, x);
			continue;
		}
		i++;
		if (arg.bits == 0) {
			push_field(m, x);
			push_field(m, arg);
			continue;
		}
		const IrMdNode *v = arg.bits < list->n ? ir_md(m, (IrMd){m->md_ops.p[list->first + arg.bits]}) : NULL;
		u64             bits;
		if (!v || v->kind != IRMD_VALUE || !ir_as_int(m, v->value, &bits))
			return (IrMd){0};
		bits = (u64)sem_sext(bits, (u32)ir_size_bits(m, ir_type_of(m, v->value)));
		push_field(m,
		           (IrMdField){.kind = IRMF_NAME,
		                       .a = strtab_add(&m->s->strs, bits >> 63 ? STR("DW_OP_consts") : STR("DW_OP_constu")).i});
		push_field(m, (IrMdField){.kind = IRMF_INT, .bits = bits});
	}
	IrMd id = {pages_new(&m->mds)};
	*ir_md(m, id) = (IrMdNode){.kind = IRMD_EXPR, .first = first, .n = m->md_fields.n - first};
	return id;
}

void dag_watch_records(DagFunc *f, IrRef inst)
{
	bool at_head = is_at_head(f->m, inst);
	for (u32 r = ir_info(f->m, inst)->records; r;) {
		const IrDbgRec *rec = pages_at(&f->m->dbgrecs, r);
		const IrMdNode *v = rec->arg[0].i ? ir_md(f->m, rec->arg[0]) : NULL;
		DagWatch        w = {.record = r, .order = f->dag.order + 1, .at_head = at_head};
		r = rec->next;
		if (rec->kind == IRDBG_LABEL) {
			w.kind = MIR_DEBUG_LABEL;
			vec_push(f->arena, &f->dag.watch, w);
			continue;
		}
		if (v && v->kind == IRMD_ARGS && v->n && (v->n == 1 || (w.expression = of_first(f->m, v, rec->arg[2]).i)))
			v = ir_md(f->m, (IrMd){f->m->md_ops.p[v->first]});
		if (rec->kind == IRDBG_DECLARE) {
			watch_address(f, v, rec->arg[2], &w);
			continue;
		}
		if (dag_in_memory(f, w.record, &w)) {
			vec_push(f->arena, &f->dag.watch, w);
			continue;
		}
		if (rec->kind != IRDBG_VALUE && rec->kind != IRDBG_ASSIGN && rec->kind != IRDBG_DECLARE_VALUE)
			continue;
		if (v && v->kind == IRMD_VALUE && ir_kind(v->value) == IR_CONST)
			watch_constant(f, v->value, &w);
		else if (v && v->kind == IRMD_VALUE && (ir_kind(v->value) == IR_INST || ir_kind(v->value) == IR_ARG))
			watch_local(f, v->value, &w);
		vec_push(f->arena, &f->dag.watch, w);
	}
}

/* ---- when it has been emitted ---- */

static void in_register(MirFunc *m, u32 reg, MirDebugEntry *x)
{
	MirInstId def = {0};
	x->kind = MIR_DEBUG_NOWHERE;
	if (!reg || !mir_is_virt((MirReg){reg}))
		return;
	def = mir_def_inst(m, (MirReg){reg});
	x->kind = MIR_DEBUG_REG;
	x->reg = reg;
	x->def = def.i && mir_is(m, def, IF_PHI) ? 0 : def.i;
	x->home = def.i && !x->def ? mir_inst(m, def)->block : 0;
}

static void find_value(const Emitter *e, const DagWatch *w, MirDebugEntry *x)
{
	const Dag     *d = &e->f->dag;
	const DagNode *n = dag_is(w->val) ? dag_of(d, w->val) : NULL;
	u32            first = n && w->val.n < e->first_reg.n ? e->first_reg.p[w->val.n] : 0;
	x->kind = w->kind;
	x->reg = w->reg;
	x->bits = w->bits;
	if (w->kind != MIR_DEBUG_REG)
		return;
	if (first && mir_vreg(e->f->mir, (MirReg){e->reg.p[first + w->val.r]})->n_defs) {
		in_register(e->f->mir, e->reg.p[first + w->val.r], x);
	} else if (n && (n->opcode == DAG_Constant || n->opcode == DAG_TargetConstant)) {
		x->kind = MIR_DEBUG_INT;
		x->bits = (u64)dag_signed_value(n);
	} else if (n && (n->opcode == DAG_ConstantFP || n->opcode == DAG_TargetConstantFP)) {
		x->kind = MIR_DEBUG_FP;
		x->bits = n->k[0];
	} else if (n && n->opcode == DAG_CopyFromReg) {
		in_register(e->f->mir, (u32)dag_of(d, dag_operand(d, n, 1))->k[0], x);
	} else {
		in_register(e->f->mir, w->reg, x);
	}
}

/* Loads of parameters belong to the function's beginning and to none of its instructions. */
static MirInstId behind_parameters(const MirFunc *m, MirInstId i)
{
	while (i.i && mir_mem(m, i) && mir_mem(m, i)->space == AS_PARAM && mir_mem(m, i)->flags & MMF_LOAD &&
	       !mir_inst(m, i)->dbg)
		i = mir_next(m, i);
	return i;
}

static void place(const Emitter *e, const DagWatch *w, MirDebugEntry *x)
{
	MirFunc  *m = e->f->mir;
	MirInstId at = e->f->before, def = {x->def};
	for (u32 i = 0; i < e->placed.n; i++)
		if (e->placed.p[i].order >= w->order && mir_inst(m, e->placed.p[i].inst)->block) {
			at = e->placed.p[i].inst;
			break;
		}
	if (w->at_head)
		at = behind_parameters(m, mir_first_non_phi(m, e->f->mir_block));
	u32 block = at.i ? mir_inst(m, at)->block : e->f->mir_block.i;
	if (def.i && mir_inst(m, def)->block == block && at.i && !mir_before(m, def, at))
		at = mir_next(m, def);
	x->before = at.i;
	x->block = block;
}

/* ---- arguments, in the block that loads them: records that tell alone of their variable ----
 *
 * That a variable is an argument is said right behind the load, where that comes from nothing in front of the record, or an
 * instruction of the same order has been emitted before. The others are said together in front of what follows the record: first
 * the parameters without a register, then from the last to the first. It is the order in which llc-22 names them, and so the
 * order in which variables and their types are described. */

typedef struct Later {
	u32           order; /* of the load; UINT32_MAX: there is none */
	MirDebugEntry entry;
} Later;

typedef Vec(Later) Laters;

static int from_last(const void *a, const void *b, void *user)
{
	const Later *x = a, *y = b;
	(void)user;
	return x->order > y->order ? -1 : x->order < y->order;
}

/* A variable of one call. */
static u64 variable_of(const IrModule *m, const IrDbgRec *rec)
{
	return (u64)rec->arg[1].i << 32 | ir_md_inlined_at(m, rec->loc).i;
}

/* How many records each variable has; none are counted where no arguments are loaded. */
static void count_records(const DagFunc *f, Map *records)
{
	map_init(records, f->arena);
	for (u32 i = 0; i < f->dag.watch.n && !f->piece && ir_same(f->block, f->ir->first); i++) {
		const IrDbgRec *rec = pages_at(&f->m->dbgrecs, f->dag.watch.p[i].record);
		bool            fresh;
		++*map_put(records, variable_of(f->m, rec), &fresh);
	}
}

/* The first emitted of the instructions that come next behind the record. */
static MirInstId next_in_order(const Emitter *e, u32 order)
{
	const EmittedInst *next = NULL;
	for (u32 i = 0; i < e->placed.n; i++) {
		const EmittedInst *x = &e->placed.p[i];
		if (x->order >= order && (!next || x->order < next->order) && mir_inst(e->f->mir, x->inst)->block)
			next = x;
	}
	return next ? next->inst : e->f->before;
}

/* The order of the load of the argument that the record names, also where a cast to its space has come between; of a parameter
 * without a register UINT32_MAX; 0: of other values. */
static u32 order_of_load(const DagFunc *f, const IrDbgRec *rec, bool in_register)
{
	const IrMdNode  *v = rec->arg[0].i ? ir_md(f->m, rec->arg[0]) : NULL;
	const IrMdField *number = ir_md_field(f->m, rec->arg[1], "arg");
	IrRef            r = v && v->kind == IRMD_VALUE ? v->value : IR_NO_REF;
	if (!in_register)
		return number && number->bits && !ir_md_inlined_at(f->m, rec->loc).i ? UINT32_MAX : 0;
	while (ir_kind(r) == IR_INST && ir_inst(f->m, r)->op == IR_ADDRSPACECAST)
		r = ir_op(f->m, r, 0);
	return ir_kind(r) == IR_ARG ? ir_arg(f->m, r)->number + 1 : 0;
}

/* Has something of that order been emitted before what is the first of it by itself, the load? */
static bool is_seen(const Emitter *e, u32 order)
{
	u32 i = 0;
	while (i < e->placed.n && e->placed.p[i].order != order)
		i++;
	return i < e->placed.n && !mir_mem(e->f->mir, e->placed.p[i].inst);
}

/* False: the value is no argument. */
static bool place_argument(const Emitter *e, const DagWatch *w, MirDebugEntry *x, Laters *later)
{
	MirFunc        *m = e->f->mir;
	const IrDbgRec *rec = pages_at(&e->f->m->dbgrecs, w->record);
	MirInstId       def = {x->def}, at;
	u32             order = order_of_load(e->f, rec, x->kind == MIR_DEBUG_REG);
	if (rec->kind != IRDBG_VALUE || !order || (def.i && mir_inst(m, def)->block != e->f->mir_block.i))
		return false;
	bool at_once = def.i && (order + 1 >= w->order || is_seen(e, order));
	at = at_once ? mir_next(m, def) : next_in_order(e, w->order);
	if (def.i && at.i && !mir_before(m, def, at))
		at = mir_next(m, def);
	x->before = at.i;
	x->block = at.i ? mir_inst(m, at)->block : e->f->mir_block.i;
	if (at_once)
		mir_debug_add(m, *x);
	else
		vec_push(e->f->arena, later, ((Later){order, *x}));
	return true;
}

static void add_later(const Emitter *e, Laters *later)
{
	sort_stable(e->f->arena, later->p, later->n, sizeof(Later), from_last, NULL);
	for (u32 i = 0; i < later->n; i++)
		mir_debug_add(e->f->mir, later->p[i].entry);
	later->n = 0;
}

void dag_place_watches(Emitter *e)
{
	Laters later = {0};
	u32    order = 0;
	Map    records;
	count_records(e->f, &records);
	for (u32 i = 0; i < e->f->dag.watch.n; i++) {
		const DagWatch *w = &e->f->dag.watch.p[i];
		const IrDbgRec *rec = pages_at(&e->f->m->dbgrecs, w->record);
		MirDebugEntry   x = {.variable = rec->arg[1].i, .expression = rec->arg[2].i, .loc = rec->loc.i};
		if (rec->kind == IRDBG_LABEL)
			x = (MirDebugEntry){.variable = rec->arg[0].i, .loc = rec->loc.i};
		if (w->order != order)
			add_later(e, &later);
		order = w->order;
		x.expression = w->expression ? w->expression : x.expression;
		find_value(e, w, &x);
		if (map_or(&records, variable_of(e->f->m, rec), 0) == 1 && place_argument(e, w, &x, &later))
			continue;
		place(e, w, &x);
		mir_debug_add(e->f->mir, x);
	}
	add_later(e, &later);
}
