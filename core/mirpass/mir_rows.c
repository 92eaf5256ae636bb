#include "mirpass/mir_rows.h"

#include "base/bitset.h"
#include "ir/ir.h"

static const Row table[] = {
#define ROW(id, pass, class, direction, pattern, rewrite, local, result) \
	{#id, pattern, result, ROW_PASS_##pass, ROW_##class, ROW_##direction, rewrite, local, {0}, 0},
#include "mirpass/mir_rows.def"
};

static const char *const class_name[ROW_CLASSES] = {"",   "GEP", "LOAD", "STORE",   "ADD",     "SUB",    "MUL", "AND",
                                                    "OR", "SHL", "SHR",  "BITCAST", "EXTRACT", "INSERT", "PHI"};

static const char *const pass_name[] = {[ROW_PASS_PEEPHOLE] = "nvptx-mir-peephole", [ROW_PASS_BASR] = "basr"};

/* Rows by trigger class, in table order. */
typedef struct Index {
	Row row[PS_COUNT(table)];
	u8  list[ROW_CLASSES][PS_COUNT(table)], n[ROW_CLASSES];
} Index;

/* ---- the index ---- */

static RowClass class_of(Str word)
{
	for (u32 c = 1; c < ROW_CLASSES; c++)
		if (str_is(word, class_name[c]))
			return (RowClass)c;
	return ROW_OTHER;
}

/* A pattern starts with its row's class and consists of known ones. */
static void read_pattern(Session *s, Row *row)
{
	const char *p = row->pattern;
	while (*p && row->n_chain < PS_COUNT(row->chain)) {
		u32 n = 0;
		while (p[n] && p[n] != ' ')
			n++;
		RowClass c = class_of((Str){p, n});
		if (!c)
			ICE(s, "row %s: no class is called %.*s", row->id, (int)n, p);
		row->chain[row->n_chain++] = c;
		p += n + (p[n] == ' ');
	}
	if (!row->n_chain || row->chain[0] != row->class)
		ICE(s, "row %s never matches: its pattern does not start with its class", row->id);
}

void *rows_begin(PassCx *cx)
{
	Index *x = arena_new(&cx->s->arena, Index);
	for (u32 k = 0; k < PS_COUNT(table); k++) {
		Row *row = &x->row[k];
		*row = table[k];
		read_pattern(cx->s, row);
		for (u32 j = 0; j < x->n[row->class]; j++) {
			const Row *other = &x->row[x->list[row->class][j]];
			if (other->direction == row->direction && !strcmp(other->pattern, row->pattern))
				ICE(cx->s, "row %s never matches: row %s has its pattern", row->id, other->id);
		}
		x->list[row->class][x->n[row->class]++] = (u8)k;
	}
	return x;
}

/* ---- classes ---- */

static bool is_integer(const IsaDesc *d)
{
	const IsaType *t = isa_type(d->opc.slot[SLOT_type]);
	return t->lanes == 1 && t->kind != ISA_KIND_FLOAT && t->kind != ISA_KIND_PRED;
}

static RowClass class_of_access(const IsaDesc *d, RowClass c)
{
	return d->opc.slot[SLOT_hint] || d->opc.slot[SLOT_flag2] ? ROW_OTHER : c;
}

RowClass row_class(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	if (d->opc.slot[SLOT_guard] || d->opc.slot[SLOT_sat] || mir_inst(f, i)->flags & MIF_SIDE_EFFECT)
		return ROW_OTHER;
	switch (d->opc.op) {
	case ISA_PHI: return ROW_PHI;
	case ISA_ld: return class_of_access(d, ROW_LOAD);
	case ISA_st: return class_of_access(d, ROW_STORE);
	case ISA_add: return is_integer(d) ? ROW_ADD : ROW_OTHER;
	case ISA_sub: return is_integer(d) ? ROW_SUB : ROW_OTHER;
	case ISA_mul_lo: return d->opc.slot[SLOT_op] == TOK_op_hi ? ROW_OTHER : ROW_MUL;
	case ISA_and: return is_integer(d) ? ROW_AND : ROW_OTHER;
	case ISA_or: return is_integer(d) ? ROW_OR : ROW_OTHER;
	case ISA_shl: return ROW_SHL;
	case ISA_shr: return ROW_SHR;
	case ISA_mov_pack: return ROW_INSERT;
	case ISA_mov_unpack: return ROW_EXTRACT;
	case ISA_mov: {
		MirReg a = mir_op_reg(mir_op(f, i, 0)), b = mir_op_reg(mir_op(f, i, 1));
		return mir_is_virt(a) && mir_is_virt(b) && mir_class(f, a) != mir_class(f, b) ? ROW_BITCAST : ROW_OTHER;
	}
	default: return ROW_OTHER;
	}
}

/* An addition of a constant to 64 bits is an address step, too. */
static bool is_gep(const MirFunc *f, MirInstId i)
{
	return row_class(f, i) == ROW_ADD && isa_type(mir_desc(f, i)->opc.slot[SLOT_type])->bits == 64 &&
	       mir_op(f, i, 1)->kind == MO_REG && mir_op(f, i, 2)->kind == MO_IMM;
}

MirInstId row_def(const Rows *w, const Row *row, MirInstId i, u32 n)
{
	MirReg    r = mir_op_reg(mir_op(w->f, i, n));
	MirInstId d = mir_is_virt(r) ? mir_def_inst(w->f, r) : (MirInstId){0};
	if (d.i && row->local && mir_inst(w->f, d)->block != mir_inst(w->f, i)->block)
		d.i = 0;
	return d;
}

/* Does the memory record name a constant variable? Its loads are addressed relative to the program. */
static bool reads_constant_variable(const MirFunc *f, const MirMem *m)
{
	const IrModule *ir = f->module->ir;
	IrRef           v = {m ? m->value : 0};
	for (u32 step = 0; ir && v.i && step < 8 && ir_kind(v) == IR_INST; step++) {
		if (ir_inst(ir, v)->op != IR_GETELEMENTPTR && ir_inst(ir, v)->op != IR_ADDRSPACECAST)
			return false;
		v = ir_op(ir, v, 0);
	}
	return ir && v.i && ir_kind(v) == IR_GLOBAL && ir_global(ir, v)->kind == IRG_VAR &&
	       ir_global(ir, v)->flags & IRGF_CONSTANT;
}

bool row_leaves_alone(const Rows *w, MirInstId i)
{
	const IsaDesc *d = mir_desc(w->f, i);
	const MirMem  *m = mir_mem(w->f, i);
	u32            space = d->opc.slot[SLOT_space];
	if (d->opc.slot[SLOT_sem] || (m && (m->flags & MMF_VOLATILE || m->ordering > MIR_UNORDERED)))
		return true;
	if (d->opc.op != ISA_ld)
		return space == TOK_space_param;
	return space == TOK_space_const || space == TOK_space_param || d->opc.slot[SLOT_flag] == TOK_flag_nc ||
	       (m && m->flags & MMF_INVARIANT) || reads_constant_variable(w->f, m);
}

void row_drop(Rows *w, MirInstId i)
{
	for (u32 n = 0; n < mir_inst(w->f, i)->n_defs; n++)
		if (mir_vreg(w->f, mir_op_reg(mir_op(w->f, i, n)))->n_uses)
			return;
	map_set(&w->erased, i.i, 1);
	mir_erase(w->f, i);
}

void row_replace(Rows *w, MirInstId i, u32 n, MirReg r)
{
	mir_replace_uses(w->f, mir_op_reg(mir_op(w->f, i, n)), r);
	row_drop(w, i);
}

/* ---- the list: a heap by dominator order ---- */

typedef struct Item {
	u64 key; /* place of the block on the tree's walk, then place in the block */
	u32 inst;
} Item;

typedef struct List {
	Vec(Item) heap;
	Map waits; /* instructions on it */
} List;

static void push(Rows *w, List *l, MirInstId i)
{
	bool fresh;
	u32  node = w->cfg->node[mir_inst(w->f, i)->block];
	if (!dom_reached(w->dom, node))
		return;
	u64 *on = map_put(&l->waits, i.i, &fresh);
	if (*on)
		return;
	*on = 1;
	Item x = {(u64)w->dom->in[node] << 32 | mir_inst(w->f, i)->order, i.i};
	vec_push(w->cx->scratch, &l->heap, x);
	Item *h = l->heap.p;
	u32   at = l->heap.n - 1;
	for (; at && h[(at - 1) / 2].key > x.key; at = (at - 1) / 2)
		h[at] = h[(at - 1) / 2];
	h[at] = x;
}

static MirInstId pop(List *l)
{
	Item *h = l->heap.p, top = h[0], x = vec_pop(&l->heap);
	u32   n = l->heap.n, at = 0;
	for (u32 child; (child = 2 * at + 1) < n; at = child) {
		child += child + 1 < n && h[child + 1].key < h[child].key;
		if (h[child].key >= x.key)
			break;
		h[at] = h[child];
	}
	if (n)
		h[at] = x;
	map_set(&l->waits, top.inst, 0);
	return (MirInstId){top.inst};
}

/* What may match now that `row` has changed `i`. */
static void put_back(Rows *w, List *l, const Row *row, const VecU32 *near)
{
	(void)row;
	for (u32 k = 0; k < near->n; k++) {
		MirInstId i = {near->p[k]};
		if (!map_get(&w->erased, i.i) && row_class(w->f, i))
			push(w, l, i);
	}
}

/* Users of the results after a forward row, definitions of the sources after a backward one; `i` itself where it is left. */
static VecU32 neighbours(const Rows *w, const Row *row, MirInstId i)
{
	VecU32 near = {0};
	vec_push(w->cx->scratch, &near, i.i);
	for (u32 n = 0; n < mir_inst(w->f, i)->n_ops; n++) {
		const MirOp *o = mir_op(w->f, i, n);
		MirReg       r = mir_op_reg(o);
		if (!mir_is_virt(r))
			continue;
		if (mir_op_is_use(o) && row->direction == ROW_BACKWARD && mir_def_inst(w->f, r).i)
			vec_push(w->cx->scratch, &near, mir_def_inst(w->f, r).i);
		if (mir_op_is_def(o))
			mir_each_use(w->f, r, u)
				vec_push(w->cx->scratch, &near, u->inst);
	}
	return near;
}

static bool apply(Rows *w, List *l, const Row *row, MirInstId i)
{
	VecU32 near = neighbours(w, row, i);
	u32    line = mir_inst(w->f, i)->origin;
	if (!row->rewrite(w, row, i))
		return false;
	pass_remark(w->cx, REMARK_PASSED, line, "%s: %s", row->pattern, row->result);
	w->changed = true;
	put_back(w, l, row, &near);
	return true;
}

static bool try_class(Rows *w, List *l, RowPass pass, RowClass c, MirInstId i)
{
	const Index *x = w->cx->state;
	for (u32 k = 0; k < x->n[c]; k++) {
		const Row *row = &x->row[x->list[c][k]];
		if (row->pass == pass && apply(w, l, row, i))
			return true;
	}
	return false;
}

/* A rewrite erases an instruction, or fuses an access, which happens to each once: so the work ends. A row that breaks this is
 * reported instead of running for ever. */
static bool step(Rows *w, List *l, RowPass pass, MirInstId i)
{
	return (is_gep(w->f, i) && try_class(w, l, pass, ROW_GEP, i)) || try_class(w, l, pass, row_class(w->f, i), i);
}

bool rows_run(PassCx *cx, RowPass pass)
{
	Rows w = {.cx = cx, .f = mirpass_func(cx)};
	List l = {0};
	u64  rewrites = 0, most = 0;
	if (!w.f->first_block)
		return false;
	w.cfg = mir_cfg(cx);
	w.dom = mir_dom(cx);
	map_init(&w.intern_base, cx->scratch);
	map_init(&w.intern, cx->scratch);
	map_init(&w.erased, cx->scratch);
	map_init(&l.waits, cx->scratch);
	mir_order(w.f);
	for (u32 k = 0; k < w.dom->reached; k++) {
		mir_each_inst(w.f, ((MirBlockId){w.cfg->block[w.dom->pre[k]]}), i) {
			most += 2;
			if (row_class(w.f, i))
				push(&w, &l, i);
		}
	}
	while (l.heap.n) {
		MirInstId i = pop(&l);
		if (map_get(&w.erased, i.i))
			continue;
		rewrites += step(&w, &l, pass, i);
		if (rewrites > most)
			ICE(cx->s, "the rows of %s do not end: %llu rewrites of %llu instructions", pass_name[pass],
			    (unsigned long long)rewrites, (unsigned long long)most / 2);
	}
	return w.changed;
}
