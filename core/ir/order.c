/* order.c: dominance and edges of a body while it is read; order.h says how. */
#include "ir/order.h"

#include "ir/intrinsic.h"

static u32 place_of(const BodyOrder *o, IrRef block) { return ir_index(block) - o->base; }

static PS_NOINLINE OrderBlock *new_block(BodyOrder *o, u32 at)
{
	u32 n = o->blocks.n;
	vec_reserve(o->m->arena, &o->blocks, at + 1);
	for (; n <= at; n++)
		o->blocks.p[n] = (OrderBlock){.parent = ORDER_UNKNOWN};
	o->blocks.n = n;
	return &o->blocks.p[at];
}

static inline OrderBlock *block_at(BodyOrder *o, u32 at) { return at < o->blocks.n ? &o->blocks.p[at] : new_block(o, at); }

void order_init(BodyOrder *o, IrModule *m)
{
	o->m = m;
	for (u32 i = 0; i < m->outdated.n; i++) {
		u32 g = ir_index(m->outdated.p[i].func);
		if (ir_is_upgrade_row(m, i))
			continue;
		if (g >= o->upgraded.n)
			vec_extend(m->arena, &o->upgraded, g + 1 - o->upgraded.n);
		o->upgraded.p[g] = 1;
	}
}

void order_begin(BodyOrder *o)
{
	o->block = o->entry = IR_NO_REF;
	o->in = ir_block(o->m, IR_NO_REF);
	o->last = NULL;
	o->base = o->m->blocks.n;
	o->begun = 0;
	o->steps = ORDER_STEPS;
	o->unsure = false;
	o->blocks.n = o->entries.n = o->phi_blocks.n = 0;
}

void order_blocks(BodyOrder *o, u32 n)
{
	if (n > o->blocks.n)
		new_block(o, n - 1);
}

void order_blocks_unasked(BodyOrder *o, u32 n)
{
	o->blocks.n = 0;
	order_blocks(o, n);
	for (u32 i = 0; i < n; i++)
		o->blocks.p[i].reached = UINT32_MAX;
}

/* ---- the tree ---- */

/* The ancestor of a block that is no further down than `number`. */
static u32 ancestor(BodyOrder *o, u32 at, u32 number)
{
	const OrderBlock *b = o->blocks.p;
	for (; b[at].number > number && o->steps; o->steps--)
		at = b[at].parent;
	return at;
}

static u32 common_ancestor(BodyOrder *o, u32 x, u32 y)
{
	const OrderBlock *b = o->blocks.p;
	while (x != y && o->steps) {
		x = ancestor(o, x, b[y].number);
		y = ancestor(o, y, b[x].number);
	}
	return x;
}

static bool dominates(BodyOrder *o, u32 def, u32 use) { return ancestor(o, use, o->blocks.p[def].number) == def; }

void order_block(BodyOrder *o, IrRef block)
{
	u32 at = place_of(o, block);
	block_at(o, at);
	o->unsure |= o->block.i && !(o->last && ir_op_is_terminator(o->last->op));
	order_block_at(o, at, block);
}

void order_other_edge(BodyOrder *o, u32 to)
{
	OrderBlock *b = &o->blocks.p[to];
	if (b->number)
		o->unsure = o->unsure || !dominates(o, to, o->at);
	else if (b->parent != o->at && !o->unsure)
		b->parent = common_ancestor(o, b->parent, o->at);
}

void order_edge(BodyOrder *o, IrRef to)
{
	u32 at = place_of(o, to);
	block_at(o, at);
	order_edge_at(o, at);
}

/* ---- operands ---- */

/* Is what a block defines there at the end of another one that was read? The entry block's always is. */
static bool reaches(BodyOrder *o, IrRef def, IrRef block)
{
	return def.i && !o->unsure && dominates(o, place_of(o, def), place_of(o, block));
}

void order_phi_begins(BodyOrder *o)
{
	if (!o->last)
		vec_push(o->m->arena, &o->phi_blocks, o->block.i);
	o->unsure |= o->last && o->last->op != IR_PHI;
}

void order_phi_entry(BodyOrder *o, IrRef value, IrRef from)
{
	if (ir_kind(value) == IR_INST) {
		IrRef def = ir_inst(o->m, value)->block;
		if (!def.i || !(ir_same(def, from) || ir_same(def, o->entry)))
			vec_push(o->m->arena, &o->entries, ((OrderEntry){value, from}));
	} else if (ir_kind(value) != IR_CONST && ir_kind(value) != IR_ARG) {
		o->unsure = true;
	}
}

static void phi(BodyOrder *o, const u32 *ops, u32 n)
{
	order_phi_begins(o);
	for (u32 k = 0; k + 1 < n; k += 2)
		order_phi_entry(o, (IrRef){ops[k]}, (IrRef){ops[k + 1]});
}

/* May a global stand there? Intrinsics are called alone; those that become something else are not looked at as they are. */
static bool global_is_good(const BodyOrder *o, IrRef g, bool called)
{
	if (called)
		return order_is_callee(o, g);
	return !ir_global(o->m, g)->func || !ir_is_llvm_name(o->m, g);
}

static bool other_is_good(const BodyOrder *o, IrRef v, bool called)
{
	switch (ir_kind(v)) {
	case IR_GLOBAL: return global_is_good(o, v, called);
	case IR_ASM: return called;
	default: return ir_kind(v) == IR_MD;
	}
}

/* … of the block that is read? Operands that stand together often are of the same few blocks. */
static bool reaches_here(BodyOrder *o, IrRef def)
{
	if (!def.i || o->unsure)
		return false;
	u32 at = place_of(o, def);
	if (order_reaches(o, at))
		return true;
	if (!dominates(o, at, o->at))
		return false;
	o->blocks.p[at].reached = o->begun;
	return true;
}

void order_ask(BodyOrder *o, u32 from)
{
	OrderBlock *b = o->blocks.p;
	if (o->unsure)
		return;
	if (b[from].reached == b[b[o->at].parent].number || dominates(o, from, o->at))
		b[from].reached = o->begun;
	else
		o->unsure = true;
}

static inline void operand(BodyOrder *o, IrRef v, bool called)
{
	IrKind kind = ir_kind(v);
	if (kind == IR_INST) {
		IrRef def = ir_inst(o->m, v)->block;
		if (!ir_same(def, o->block) && !ir_same(def, o->entry) && !reaches_here(o, def))
			o->unsure = true;
	} else if (kind == IR_BLOCK) {
		order_edge(o, v);
	} else if (kind != IR_CONST && kind != IR_ARG && !other_is_good(o, v, called)) {
		o->unsure = true;
	}
}

void order_operand(BodyOrder *o, IrRef v, bool called) { operand(o, v, called); }

/* Their ids are those of one run, but they stand on two pages or more. */
void order_uses_apart(IrModule *m, u32 first, const u32 *ops, u32 n)
{
	for (u32 k = 0; k < n; k++)
		ir_inst_use(m, first + k)->value = (IrRef){ops[k]};
}

void order_inst(BodyOrder *o, IrRef inst, IrOp op, IrType t, const u32 *ops, u32 n)
{
	if (op == IR_PHI)
		phi(o, ops, n);
	else
		for (u32 k = 0; k < n; k++)
			operand(o, (IrRef){ops[k]}, op == IR_CALL && k == 0);
	order_link(o, inst, op, t, ops, n);
}

/* ---- at the end ---- */

static bool leads_to(BodyOrder *o, IrRef from, IrRef to)
{
	IrRef t = ir_term(o->m, from);
	u32   n = t.i ? ir_n_ops(o->m, t) : 0;
	for (u32 k = n; k-- > 0 && o->steps; o->steps--)
		if (ir_same(ir_op(o->m, t, k), to))
			return true;
	return false;
}

/* As many entries as there are edges, from as many blocks, each of which leads here. */
static bool phi_has_edges(BodyOrder *o, IrRef phi, IrRef block)
{
	const OrderBlock *b = &o->blocks.p[place_of(o, block)];
	u32               n = ir_phi_n(o->m, phi);
	if (n != b->edges)
		return false;
	if (n == 1)
		return place_of(o, ir_phi_block(o->m, phi, 0)) == b->from[0];
	if (n == 2) {
		u32 x = place_of(o, ir_phi_block(o->m, phi, 0)), y = place_of(o, ir_phi_block(o->m, phi, 1));
		return x != y && (x == b->from[0] ? y == b->from[1] : x == b->from[1] && y == b->from[0]);
	}
	u32 number = ++o->phis;
	for (u32 k = 0; k < n; k++) {
		IrRef from = ir_phi_block(o->m, phi, k);
		u32   at = place_of(o, from);
		if (at >= o->phi_seen.n)
			vec_extend(o->m->arena, &o->phi_seen, o->blocks.n - o->phi_seen.n);
		if (o->phi_seen.p[at] == number || !leads_to(o, from, block))
			return false;
		o->phi_seen.p[at] = number;
	}
	return true;
}

static bool same_blocks(const IrModule *m, IrRef a, IrRef b)
{
	u32 n = ir_phi_n(m, a);
	if (ir_phi_n(m, b) != n)
		return false;
	for (u32 k = 0; k < n; k++)
		if (!ir_same(ir_phi_block(m, a, k), ir_phi_block(m, b, k)))
			return false;
	return true;
}

static bool phis_have_edges(BodyOrder *o, IrRef block)
{
	IrModule *m = o->m;
	IrRef     before = IR_NO_REF;
	for (IrRef i = ir_block(m, block)->first; i.i && ir_inst(m, i)->op == IR_PHI; i = ir_inst(m, i)->next) {
		if (!(before.i && same_blocks(m, before, i)) && !phi_has_edges(o, i, block))
			return false;
		before = i;
	}
	return true;
}

bool order_holds(BodyOrder *o, const IrFunc *f)
{
	if (o->unsure || !o->begun || o->begun != f->n_blocks || o->blocks.p[place_of(o, o->entry)].edges ||
	    !ir_term(o->m, o->block).i)
		return false;
	for (u32 i = 0; i < o->entries.n; i++)
		if (!reaches(o, ir_inst(o->m, o->entries.p[i].value)->block, o->entries.p[i].from))
			return false;
	for (u32 i = 0; i < o->phi_blocks.n; i++)
		if (!phis_have_edges(o, (IrRef){o->phi_blocks.p[i]}))
			return false;
	return o->steps > 0;
}
