/* mir.c: builds and edits machine IR, see mir.h: every edit keeps operand lists, block order, edges and slots consistent. */
#include "mir/mir.h"

#include "base/hash.h"
#include "mir/debug.h"
#include "mir/slots.h"

const MirPhysInfo mir_phys_info[MIR_PHYS_COUNT] = {
#define PHYS(id, name, ptx) [MIR_PHYS_##id] = {name, ptx},
#include "isa/classes.def"
};

MirModule *mir_module_new(Session *s, struct IrModule *ir, Arena *arena)
{
	MirModule *m = arena_new(arena, MirModule);
	m->session = s;
	m->ir = ir;
	m->arena = arena;
	isa_init(s); /* passes ask it about a function without instructions too */
	return m;
}

/* ---- operand memory ---- */

/* As with pages: the more there are, the more come at once. */
static void op_pages_add(MirFunc *f, u32 count)
{
	u32 have = f->n_op_pages;
	count = PS_MAX(count, PS_MIN(have / 8, 64u));
	if (have + count > f->op_pages_cap) {
		u32 cap = PS_MAX(have + count, PS_MAX(f->op_pages_cap * 2, 4u));
		f->op_page = arena_grow(f->arena, f->op_page, f->op_pages_cap * sizeof *f->op_page, cap * sizeof *f->op_page,
		                        _Alignof(MirOp *));
		f->op_pages_cap = cap;
	}
	MirOp *memory = arena_array(f->arena, MirOp, (size_t)count << MIR_OP_PAGE_SHIFT);
	for (u32 i = 0; i < count; i++)
		f->op_page[have + i] = memory + ((size_t)i << MIR_OP_PAGE_SHIFT);
	f->n_op_pages += count;
}

/* Operands left in the page that is being filled. */
static u32 op_room(const MirFunc *f) { return (0u - f->n_ops) & (MIR_OP_PAGE - 1); }

static u32 op_run_new(MirFunc *f, u32 n)
{
	if (op_room(f) < n) {
		u32 page = (f->n_ops + MIR_OP_PAGE - 1) >> MIR_OP_PAGE_SHIFT, pages = (n + MIR_OP_PAGE - 1) >> MIR_OP_PAGE_SHIFT;
		if (f->n_op_pages - page < pages) { /* those that are left come before another piece of memory */
			page = f->n_op_pages;
			op_pages_add(f, pages);
		}
		f->n_ops = page << MIR_OP_PAGE_SHIFT;
	}
	u32 first = f->n_ops;
	f->n_ops += n;
	return first;
}

MirFunc *mir_func_new(MirModule *m, StrId name, u32 ir_func)
{
	MirFunc *f = arena_new(m->arena, MirFunc);
	f->module = m;
	arena_init(&f->memory, &m->session->budget);
	f->arena = &f->memory;
	f->name = name;
	f->ir = ir_func;
	f->number = m->func.n;
	f->props = MP_SSA;
	pages_init(&f->vreg, f->arena, sizeof(MirVReg));
	pages_init(&f->inst, f->arena, sizeof(MirInst));
	pages_init(&f->block, f->arena, sizeof(MirBlock));
	pages_init(&f->edge, f->arena, sizeof(MirEdge));
	pages_init(&f->mem, f->arena, sizeof(MirMem));
	op_run_new(f, 1); /* operand 0 is nobody's */
	vec_push(m->arena, &m->func, f);
	return f;
}

void mir_func_free(MirFunc *f)
{
	mir_slots_free(f);
	arena_free(&f->memory);
	*f = (MirFunc){.module = f->module, .name = f->name, .ir = f->ir, .number = f->number, .is_kernel = f->is_kernel};
}

MirFunc *mir_func_find(const MirModule *m, Str name)
{
	for (u32 i = 0; i < m->func.n; i++)
		if (str_eq(strtab_get(&m->session->strs, m->func.p[i]->name), name))
			return m->func.p[i];
	return NULL;
}

/* ---- lists of definitions and uses ---- */

static void op_link(MirFunc *f, u32 id)
{
	MirOp *o = mir_op_at(f, id);
	if (o->kind != MO_REG || !mir_is_virt((MirReg){o->ref}))
		return;
	MirVReg *r = mir_vreg(f, (MirReg){o->ref});
	bool     def = (o->flags & MOF_DEF) != 0;
	u32     *head = def ? &r->defs : &r->uses;
	o->prev = 0;
	o->next = *head;
	if (*head)
		mir_op_at(f, *head)->prev = id;
	*head = id;
	if (def)
		r->n_defs++;
	else
		r->n_uses++;
}

static void op_unlink(MirFunc *f, u32 id)
{
	MirOp *o = mir_op_at(f, id);
	if (o->kind != MO_REG || !mir_is_virt((MirReg){o->ref}))
		return;
	MirVReg *r = mir_vreg(f, (MirReg){o->ref});
	bool     def = (o->flags & MOF_DEF) != 0;
	if (o->prev)
		mir_op_at(f, o->prev)->next = o->next;
	else if (def)
		r->defs = o->next;
	else
		r->uses = o->next;
	if (o->next)
		mir_op_at(f, o->next)->prev = o->prev;
	o->next = o->prev = 0;
	if (def)
		r->n_defs--;
	else
		r->n_uses--;
}

/* The record moves from one id to another; its neighbours in the list follow. */
static void op_move(MirFunc *f, u32 from, u32 to)
{
	MirOp *o = mir_op_at(f, to);
	*o = *mir_op_at(f, from);
	*mir_op_at(f, from) = (MirOp){0};
	if (o->kind != MO_REG || !mir_is_virt((MirReg){o->ref}))
		return;
	MirVReg *r = mir_vreg(f, (MirReg){o->ref});
	if (o->prev)
		mir_op_at(f, o->prev)->next = to;
	else if (o->flags & MOF_DEF)
		r->defs = to;
	else
		r->uses = to;
	if (o->next)
		mir_op_at(f, o->next)->prev = to;
}

/* Room for one more operand. The run is enlarged in place while it is the newest one. */
static u32 op_append(MirFunc *f, MirInstId i)
{
	MirInst *mi = mir_inst(f, i);
	if (mi->n_ops == mi->cap_ops) {
		if (mi->cap_ops && mi->op + mi->cap_ops == f->n_ops && op_room(f)) {
			f->n_ops++;
			mi->cap_ops++;
		} else {
			u32 cap = PS_MAX(mi->cap_ops * 2u, 1u);
			u32 run = op_run_new(f, cap);
			for (u32 k = 0; k < mi->n_ops; k++)
				op_move(f, mi->op + k, run + k);
			mi->op = run;
			mi->cap_ops = cap;
		}
	}
	return mi->op + mi->n_ops++;
}

static void op_put(MirFunc *f, MirInstId i, u32 id, MirOp like)
{
	MirOp *o = mir_op_at(f, id);
	like.inst = i.i;
	if (like.kind == MO_REG)
		like.next = like.prev = 0;
	f->has_kills |= (like.flags & MOF_KILL) != 0;
	*o = like;
	op_link(f, id);
}

void mir_add_op(MirFunc *f, MirInstId i, MirOp like)
{
	u32      id = op_append(f, i);
	MirInst *mi = mir_inst(f, i);
	like.tie = 0;
	op_put(f, i, id, like);
	if (like.kind == MO_REG && (like.flags & (MOF_DEF | MOF_IMPLICIT)) == MOF_DEF && mi->n_defs + 1u == mi->n_ops)
		mi->n_defs++;
}

void mir_add_reg(MirFunc *f, MirInstId i, MirReg r, u32 flags)
{
	mir_add_op(f, i, (MirOp){.kind = MO_REG, .ref = r.i, .flags = (u16)flags});
}
void mir_add_imm(MirFunc *f, MirInstId i, i64 value) { mir_add_op(f, i, (MirOp){.kind = MO_IMM, .imm = value}); }
void mir_add_fpimm(MirFunc *f, MirInstId i, MirFpType type, u64 bits)
{
	mir_add_op(f, i, (MirOp){.kind = MO_FPIMM, .type = (u8)type, .imm = (i64)bits});
}
void mir_add_block(MirFunc *f, MirInstId i, MirBlockId b) { mir_add_op(f, i, (MirOp){.kind = MO_BLOCK, .ref = b.i}); }
void mir_add_frame(MirFunc *f, MirInstId i, u32 object, i64 offset)
{
	mir_add_op(f, i, (MirOp){.kind = MO_FRAME, .ref = object, .imm = offset});
}
void mir_add_global(MirFunc *f, MirInstId i, StrId name, i64 offset)
{
	mir_add_op(f, i, (MirOp){.kind = MO_GLOBAL, .ref = name.i, .imm = offset});
}
void mir_add_symbol(MirFunc *f, MirInstId i, StrId name, i64 offset)
{
	mir_add_op(f, i, (MirOp){.kind = MO_SYMBOL, .ref = name.i, .imm = offset});
}
void mir_add_jump_table(MirFunc *f, MirInstId i, u32 table) { mir_add_op(f, i, (MirOp){.kind = MO_JUMP_TABLE, .ref = table}); }
void mir_add_none(MirFunc *f, MirInstId i) { mir_add_op(f, i, (MirOp){.kind = MO_NONE}); }
void mir_add_text(MirFunc *f, MirInstId i, StrId text) { mir_add_op(f, i, (MirOp){.kind = MO_TEXT, .ref = text.i}); }
void mir_add_proto(MirFunc *f, MirInstId i, u32 proto) { mir_add_op(f, i, (MirOp){.kind = MO_PROTO, .ref = proto}); }

void mir_op_remove(MirFunc *f, MirInstId i, u32 n)
{
	MirInst *mi = mir_inst(f, i);
	MirOp   *gone = mir_op(f, i, n);
	if (gone->tie)
		mir_op(f, i, gone->tie - 1u)->tie = 0;
	op_unlink(f, mi->op + n);
	for (u32 k = n + 1; k < mi->n_ops; k++)
		op_move(f, mi->op + k, mi->op + k - 1);
	mi->n_ops--;
	*mir_op_at(f, mi->op + mi->n_ops) = (MirOp){0};
	if (n < mi->n_defs)
		mi->n_defs--;
	for (u32 k = 0; k < mi->n_ops; k++)
		if (mir_op(f, i, k)->tie > n + 1)
			mir_op(f, i, k)->tie--;
}

void mir_op_set(MirFunc *f, MirInstId i, u32 n, MirOp like)
{
	u32 id = mir_inst(f, i)->op + n;
	like.tie = mir_op_at(f, id)->tie;
	op_unlink(f, id);
	op_put(f, i, id, like);
}

void mir_op_set_reg(MirFunc *f, MirInstId i, u32 n, MirReg r)
{
	MirOp o = *mir_op(f, i, n);
	if (o.kind != MO_REG)
		o = (MirOp){.kind = MO_REG};
	o.ref = r.i;
	o.flags &= (u16) ~(MOF_KILL | MOF_DEAD);
	mir_op_set(f, i, n, o);
}

void mir_op_set_imm(MirFunc *f, MirInstId i, u32 n, i64 value) { mir_op_set(f, i, n, (MirOp){.kind = MO_IMM, .imm = value}); }

void mir_op_set_block(MirFunc *f, MirInstId i, u32 n, MirBlockId b)
{
	mir_op_set(f, i, n, (MirOp){.kind = MO_BLOCK, .ref = b.i});
}

void mir_op_tie(MirFunc *f, MirInstId i, u32 def, u32 use)
{
	mir_op(f, i, def)->tie = (u16)(use + 1);
	mir_op(f, i, use)->tie = (u16)(def + 1);
	f->has_ties = true;
}

void mir_set_desc(MirFunc *f, MirInstId i, u32 desc)
{
	MirInst *mi = mir_inst(f, i);
	if (mi->desc < ISA_GENERIC_COUNT)
		f->n_generic[mi->desc]--;
	if (desc < ISA_GENERIC_COUNT) {
		f->n_generic[desc]++;
	} else {
		u32 op = isa_op(f->module->session, desc);
		f->had[op / 64] |= (u64)1 << (op % 64);
	}
	mi->desc = desc;
}

MirMem *mir_add_mem(MirFunc *f, MirInstId i, MirMem mem)
{
	MirInst *mi = mir_inst(f, i);
	if (!mi->mem)
		mi->mem = pages_new(&f->mem);
	MirMem *m = pages_at(&f->mem, mi->mem);
	*m = mem;
	return m;
}

u32 mir_op_number(const MirFunc *f, const MirOp *o) { return (u32)(o - mir_ops(f, (MirInstId){o->inst})); }

MirInstId mir_def_inst(const MirFunc *f, MirReg r)
{
	MirVReg *v = mir_vreg(f, r);
	return (MirInstId){v->n_defs == 1 ? mir_op_at(f, v->defs)->inst : 0};
}

MirInstId mir_first_terminator(const MirFunc *f, MirBlockId b)
{
	u32 first = 0;
	for (u32 i = mir_block(f, b)->last; i && mir_is(f, (MirInstId){i}, IF_TERMINATOR); i = mir_inst(f, (MirInstId){i})->prev)
		first = i;
	return (MirInstId){first};
}

MirInstId mir_first_non_phi(const MirFunc *f, MirBlockId b)
{
	u32 i = mir_block(f, b)->first;
	while (i && mir_inst(f, (MirInstId){i})->desc == ISA_PHI)
		i = mir_inst(f, (MirInstId){i})->next;
	return (MirInstId){i};
}

static void replace_list(MirFunc *f, MirReg from, MirReg to, bool defs)
{
	for (u32 id; (id = defs ? mir_vreg(f, from)->defs : mir_vreg(f, from)->uses) != 0;) {
		MirOp *o = mir_op_at(f, id);
		op_unlink(f, id);
		o->ref = to.i;
		o->flags &= (u16)~MOF_KILL;
		op_link(f, id);
	}
}

void mir_forget_kills(MirFunc *f, MirReg r)
{
	if (f->has_kills)
		mir_each_use(f, r, o)
			o->flags &= (u16)~MOF_KILL;
}

u32 mir_phi_incoming(const MirFunc *f, MirInstId phi, MirBlockId from)
{
	for (u32 n = 1; n + 1u < mir_inst(f, phi)->n_ops; n += 2)
		if (mir_op(f, phi, n + 1)->ref == from.i)
			return n;
	return 0;
}

void mir_replace_uses(MirFunc *f, MirReg from, MirReg to)
{
	if (from.i == to.i)
		return;
	if (mir_is_virt(to))
		mir_forget_kills(f, to);
	replace_list(f, from, to, false);
	if (f->debug && f->props & MP_SSA)
		mir_debug_renamed(f, from, to);
}

void mir_replace_reg(MirFunc *f, MirReg from, MirReg to)
{
	mir_replace_uses(f, from, to);
	if (from.i == to.i)
		return;
	replace_list(f, from, to, true);
	if (f->debug)
		mir_debug_renamed(f, from, to);
}

MirReg mir_reg_new(MirFunc *f, MirClass cls)
{
	MirReg r = {pages_new(&f->vreg)};
	mir_reg_set_class(f, r, cls);
	return r;
}

void mir_reg_set_class(MirFunc *f, MirReg r, MirClass cls) { mir_vreg(f, r)->cls = (u32)cls & 0xF; }

void mir_reg_set_name(MirFunc *f, MirReg r, StrId name)
{
	if (r.i >= f->vreg_name.n)
		vec_extend(f->arena, &f->vreg_name, r.i + 1 - f->vreg_name.n);
	f->vreg_name.p[r.i] = name.i;
}

/* ---- instructions in blocks ---- */

enum { ORDER_STEP = 1u << 8 };

static void order_block(const MirFunc *f, MirBlockId b)
{
	u32 order = ORDER_STEP;
	for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i), order += ORDER_STEP)
		mir_inst(f, i)->order = order;
	mir_block(f, b)->unordered = false;
}

void mir_order(const MirFunc *f)
{
	mir_each_block(f, b)
		if (mir_block(f, b)->unordered)
			order_block(f, b);
}

static void inst_link(MirFunc *f, MirInstId i, MirBlockId b, MirInstId before)
{
	MirBlock *mb = mir_block(f, b);
	MirInst  *mi = mir_inst(f, i);
	u32       prev = before.i ? mir_inst(f, before)->prev : mb->last;
	mi->block = b.i;
	mi->prev = prev;
	mi->next = before.i;
	if (prev)
		mir_inst(f, (MirInstId){prev})->next = i.i;
	else
		mb->first = i.i;
	if (before.i)
		mir_inst(f, before)->prev = i.i;
	else
		mb->last = i.i;
	u32 low = prev ? mir_inst(f, (MirInstId){prev})->order : 0;
	u32 high = before.i ? mir_inst(f, before)->order : low + 2 * ORDER_STEP;
	mi->order = low + (high - low) / 2;
	if (mi->order == low || high < low)
		mb->unordered = true;
	if (f->slots)
		mir_slots_insert(f, i);
}

static void inst_unlink(MirFunc *f, MirInstId i)
{
	MirInst  *mi = mir_inst(f, i);
	MirBlock *mb = mir_block(f, (MirBlockId){mi->block});
	if (mi->prev)
		mir_inst(f, (MirInstId){mi->prev})->next = mi->next;
	else
		mb->first = mi->next;
	if (mi->next)
		mir_inst(f, (MirInstId){mi->next})->prev = mi->prev;
	else
		mb->last = mi->prev;
	mi->prev = mi->next = mi->block = 0;
}

MirInstId mir_build(MirFunc *f, MirBlockId b, MirInstId before, u32 desc)
{
	MirInstId i = {pages_new(&f->inst)};
	MirInst  *mi = mir_inst(f, i);
	f->n_generic[0]++; /* what a new record says */
	mir_set_desc(f, i, desc);
	mi->origin = f->origin;
	mi->dbg = f->dbg;
	inst_link(f, i, b, before);
	return i;
}

void mir_erase(MirFunc *f, MirInstId i)
{
	MirInst *mi = mir_inst(f, i);
	if (f->debug)
		mir_debug_leaves(f, i);
	for (u32 n = 0; n < mi->n_ops; n++) {
		op_unlink(f, mi->op + n);
		*mir_op_at(f, mi->op + n) = (MirOp){0};
	}
	mi->n_ops = mi->n_defs = 0;
	if (mi->desc < ISA_GENERIC_COUNT)
		f->n_generic[mi->desc]--;
	inst_unlink(f, i);
}

void mir_move(MirFunc *f, MirInstId i, MirBlockId b, MirInstId before)
{
	if (before.i == i.i)
		return;
	if (f->debug)
		mir_debug_leaves(f, i);
	inst_unlink(f, i);
	inst_link(f, i, b, before);
}

void mir_set_compare_dbg(MirFunc *f, MirInstId i, u32 dbg)
{
	if (!dbg)
		return;
	if (!f->compare_dbg) {
		f->compare_dbg = arena_new(f->arena, Map);
		map_init(f->compare_dbg, f->arena);
	}
	map_set(f->compare_dbg, i.i, dbg);
}

u32 mir_compare_dbg(const MirFunc *f, MirInstId i) { return f->compare_dbg ? (u32)map_or(f->compare_dbg, i.i, 0) : 0; }

MirInstId mir_clone(MirFunc *f, MirInstId i, MirBlockId b, MirInstId before)
{
	MirInstId      c = mir_build(f, b, before, mir_inst(f, i)->desc);
	const MirInst *from = mir_inst(f, i);
	MirInst       *to = mir_inst(f, c);
	to->flags = from->flags;
	to->origin = from->origin;
	to->extra = from->extra;
	to->dbg = from->dbg;
	mir_set_compare_dbg(f, c, mir_compare_dbg(f, i));
	for (u32 n = 0; n < from->n_ops; n++)
		mir_add_op(f, c, *mir_op(f, i, n));
	for (u32 n = 0; n < from->n_ops; n++)
		mir_op(f, c, n)->tie = mir_op(f, i, n)->tie;
	if (from->mem)
		mir_add_mem(f, c, *mir_mem(f, i));
	return c;
}

bool mir_before(const MirFunc *f, MirInstId a, MirInstId b)
{
	MirBlockId block = {mir_inst(f, a)->block};
	if (mir_block(f, block)->unordered)
		order_block(f, block);
	return mir_inst(f, a)->order < mir_inst(f, b)->order;
}

/* ---- blocks and edges ---- */

static void block_link(MirFunc *f, MirBlockId b, MirBlockId before)
{
	MirBlock *mb = mir_block(f, b);
	u32       prev = before.i ? mir_block(f, before)->prev : f->last_block;
	mb->prev = prev;
	mb->next = before.i;
	if (prev)
		mir_block(f, (MirBlockId){prev})->next = b.i;
	else
		f->first_block = b.i;
	if (before.i)
		mir_block(f, before)->prev = b.i;
	else
		f->last_block = b.i;
	mb->linked = true;
	f->n_blocks++;
	mir_slots_forget(f);
}

static void block_unlink(MirFunc *f, MirBlockId b)
{
	MirBlock *mb = mir_block(f, b);
	if (mb->prev)
		mir_block(f, (MirBlockId){mb->prev})->next = mb->next;
	else
		f->first_block = mb->next;
	if (mb->next)
		mir_block(f, (MirBlockId){mb->next})->prev = mb->prev;
	else
		f->last_block = mb->prev;
	mb->prev = mb->next = 0;
	mb->linked = false;
	f->n_blocks--;
	mir_slots_forget(f);
}

MirBlockId mir_block_new(MirFunc *f, StrId name, u32 ir_block)
{
	MirBlockId b = {pages_new(&f->block)};
	MirBlock  *mb = mir_block(f, b);
	mb->name = name;
	mb->ir = ir_block;
	mb->number = f->n_numbers++;
	block_link(f, b, (MirBlockId){0});
	return b;
}

void mir_block_move(MirFunc *f, MirBlockId b, MirBlockId before)
{
	if (b.i == before.i)
		return;
	block_unlink(f, b);
	block_link(f, b, before);
}

void mir_block_remove(MirFunc *f, MirBlockId b)
{
	MirBlock *mb = mir_block(f, b);
	mir_debug_block_leaves(f, b);
	while (mb->first)
		mir_erase(f, (MirInstId){mb->first});
	while (mb->succ)
		mir_edge_remove(f, b, (MirBlockId){mir_edge(f, (MirEdgeId){mb->succ})->to});
	while (mb->pred)
		mir_edge_remove(f, (MirBlockId){mir_edge(f, (MirEdgeId){mb->pred})->from}, b);
	block_unlink(f, b);
}

bool mir_renumber(MirFunc *f)
{
	u32  n = 0;
	bool changed = false;
	mir_each_block(f, b) {
		changed |= mir_block(f, b)->number != n;
		mir_block(f, b)->number = n++;
	}
	f->n_numbers = n;
	return changed;
}

/* Walks the shorter of the two lists: either end may have thousands. */
static u32 edge_find(const MirFunc *f, MirBlockId from, MirBlockId to)
{
	if (mir_block(f, to)->n_preds < mir_block(f, from)->n_succs) {
		for (u32 e = mir_block(f, to)->pred; e; e = mir_edge(f, (MirEdgeId){e})->next_pred)
			if (mir_edge(f, (MirEdgeId){e})->from == from.i)
				return e;
		return 0;
	}
	for (u32 e = mir_block(f, from)->succ; e; e = mir_edge(f, (MirEdgeId){e})->next_succ)
		if (mir_edge(f, (MirEdgeId){e})->to == to.i)
			return e;
	return 0;
}

MirEdgeId mir_edge_between(const MirFunc *f, MirBlockId from, MirBlockId to) { return (MirEdgeId){edge_find(f, from, to)}; }
bool      mir_has_edge(const MirFunc *f, MirBlockId from, MirBlockId to) { return edge_find(f, from, to) != 0; }

static u64 probability_sum(const MirFunc *f, MirBlockId from) /* of those that are known */
{
	u64 sum = 0;
	for (u32 e = mir_block(f, from)->succ; e; e = mir_edge(f, (MirEdgeId){e})->next_succ)
		sum += mir_edge(f, (MirEdgeId){e})->prob == MIR_PROB_UNKNOWN ? 0 : mir_edge(f, (MirEdgeId){e})->prob;
	return sum;
}

/* Where all edges of a block say how likely they are, they sum to one: what an edit took or added is shared by the
 * others in proportion; the largest takes what rounding leaves. `fixed` keeps its own (0: none). */
static void share_probabilities(MirFunc *f, MirBlockId from, u32 fixed)
{
	u64 sum = 0;
	u32 most = 0, others = 0;
	for (u32 e = mir_block(f, from)->succ; e; e = mir_edge(f, (MirEdgeId){e})->next_succ) {
		u32 p = mir_edge(f, (MirEdgeId){e})->prob;
		if (p == MIR_PROB_UNKNOWN)
			return;
		if (e == fixed)
			continue;
		others++;
		sum += p;
		most = !most || p > mir_edge(f, (MirEdgeId){most})->prob ? e : most;
	}
	u64 room = MIR_PROB_ONE - (fixed ? mir_edge(f, (MirEdgeId){fixed})->prob : 0);
	if (!others || sum == room)
		return;
	u64 left = room;
	for (u32 e = mir_block(f, from)->succ; e; e = mir_edge(f, (MirEdgeId){e})->next_succ) {
		MirEdge *me = mir_edge(f, (MirEdgeId){e});
		if (e == fixed)
			continue;
		me->prob = (u32)(sum ? me->prob * room / sum : room / others);
		left -= me->prob;
	}
	mir_edge(f, (MirEdgeId){most})->prob += (u32)left;
}

static u32 prob_add(u32 a, u32 b)
{
	if (a == MIR_PROB_UNKNOWN || b == MIR_PROB_UNKNOWN)
		return MIR_PROB_UNKNOWN;
	return (u32)PS_MIN((u64)a + b, (u64)MIR_PROB_ONE);
}

static void pred_link(MirFunc *f, u32 e, u32 to)
{
	MirBlock *t = mir_block(f, (MirBlockId){to});
	mir_edge(f, (MirEdgeId){e})->to = to;
	mir_edge(f, (MirEdgeId){e})->next_pred = 0;
	mir_edge(f, (MirEdgeId){e})->prev_pred = t->last_pred;
	if (t->last_pred)
		mir_edge(f, (MirEdgeId){t->last_pred})->next_pred = e;
	else
		t->pred = e;
	t->last_pred = e;
	t->n_preds++;
}

static void pred_unlink(MirFunc *f, u32 e)
{
	MirEdge  *me = mir_edge(f, (MirEdgeId){e});
	MirBlock *t = mir_block(f, (MirBlockId){me->to});
	if (me->prev_pred)
		mir_edge(f, (MirEdgeId){me->prev_pred})->next_pred = me->next_pred;
	else
		t->pred = me->next_pred;
	if (me->next_pred)
		mir_edge(f, (MirEdgeId){me->next_pred})->prev_pred = me->prev_pred;
	else
		t->last_pred = me->prev_pred;
	t->n_preds--;
}

MirEdgeId mir_edge_add(MirFunc *f, MirBlockId from, MirBlockId to, u32 prob)
{
	u32 e = edge_find(f, from, to);
	if (e) {
		MirEdge *me = mir_edge(f, (MirEdgeId){e});
		me->prob = prob_add(me->prob, prob);
		if (probability_sum(f, from) > MIR_PROB_ONE)
			share_probabilities(f, from, e);
		return (MirEdgeId){e};
	}
	e = pages_new(&f->edge);
	MirEdge  *me = mir_edge(f, (MirEdgeId){e});
	MirBlock *s = mir_block(f, from);
	me->from = from.i;
	me->prob = prob;
	if (s->last_succ)
		mir_edge(f, (MirEdgeId){s->last_succ})->next_succ = e;
	else
		s->succ = e;
	s->last_succ = e;
	s->n_succs++;
	pred_link(f, e, to.i);
	if (prob != MIR_PROB_UNKNOWN && probability_sum(f, from) > MIR_PROB_ONE)
		share_probabilities(f, from, e);
	return (MirEdgeId){e};
}

void mir_edge_remove(MirFunc *f, MirBlockId from, MirBlockId to)
{
	u32 e = edge_find(f, from, to);
	if (!e)
		return;
	MirBlock *s = mir_block(f, from);
	MirEdge  *me = mir_edge(f, (MirEdgeId){e});
	u32       before = 0;
	for (u32 k = s->succ; k != e; k = mir_edge(f, (MirEdgeId){k})->next_succ)
		before = k;
	if (before)
		mir_edge(f, (MirEdgeId){before})->next_succ = me->next_succ;
	else
		s->succ = me->next_succ;
	if (s->last_succ == e)
		s->last_succ = before;
	s->n_succs--;
	pred_unlink(f, e);
	share_probabilities(f, from, 0);
}

void mir_edge_redirect(MirFunc *f, MirBlockId from, MirBlockId old, MirBlockId to)
{
	u32 e = edge_find(f, from, old), there = edge_find(f, from, to);
	if (!e || old.i == to.i)
		return;
	if (there) {
		MirEdge *t = mir_edge(f, (MirEdgeId){there});
		t->prob = prob_add(t->prob, mir_edge(f, (MirEdgeId){e})->prob);
		mir_edge_remove(f, from, old);
		return;
	}
	pred_unlink(f, e);
	pred_link(f, e, to.i);
}

/* ---- tables of a function ---- */

const char *const mir_frame_kind_text[MIR_FRAME_KINDS] = {"default", "spill-slot", "fixed", "callee-saved", "variable-sized"};

u32 mir_frame_new(MirFunc *f, StrId name, u64 size, u32 align_log2, MirFrameKind kind)
{
	MirFrameObj o = {.size = size, .align_log2 = (u8)align_log2, .is_spill = kind == MIR_FRAME_SPILL, .kind = (u8)kind};
	vec_push(f->arena, &f->frame, o);
	vec_push(f->arena, &f->frame_name, name.i);
	return f->frame.n - 1;
}

u32 mir_jump_table_new(MirFunc *f)
{
	vec_extend(f->arena, &f->jump_table, 1);
	return f->jump_table.n - 1;
}

u32 mir_proto_new(MirFunc *f, StrId text)
{
	for (u32 i = 0; i < f->proto.n; i++)
		if (f->proto.p[i] == text.i)
			return i;
	vec_push(f->arena, &f->proto, text.i);
	return f->proto.n - 1;
}

/* ---- structural hash ---- */

static u64 hash_inst(const MirFunc *f, MirInstId i, u64 h)
{
	const MirInst *mi = mir_inst(f, i);
	h = hash_mix(h, (u64)mi->desc << 32 | mi->flags);
	h = hash_mix(h, (u64)mi->n_ops << 32 | mi->extra);
	for (u32 n = 0; n < mi->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		h = hash_mix(h, (u64)o->ref << 32 | (u64)o->flags << 16 | (u64)o->type << 8 | o->kind);
		h = hash_mix(h, o->kind == MO_REG ? 0 : (u64)o->imm);
		h = hash_mix(h, o->tie);
	}
	const MirMem *m = mir_mem(f, i);
	if (!m)
		return h;
	h = hash_mix(h, (u64)m->offset);
	h = hash_mix(h, (u64)m->size << 32 | m->value);
	return hash_mix(h,
	                (u64)m->space << 32 | (u64)m->align_log2 << 24 | (u64)m->flags << 16 | (u64)m->ordering << 8 | m->scope);
}

u64 mir_hash(const MirFunc *f)
{
	u64 h = hash_mix(f->name.i, f->props);
	mir_each_block(f, b) {
		h = hash_mix(h, (u64)mir_block(f, b)->number << 32 | b.i);
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i))
			h = hash_inst(f, i, h);
		mir_each_succ(f, b, e)
			h = hash_mix(h, (u64)e->to << 32 | e->prob);
	}
	for (u32 r = 1; r < f->vreg.n; r++)
		h = hash_mix(h, mir_class(f, (MirReg){r}));
	for (u32 i = 0; i < f->frame.n; i++) {
		const MirFrameObj *o = &f->frame.p[i];
		h = hash_mix(h, (u64)o->offset ^ o->size << 8);
		h = hash_mix(h, (u64)o->local_offset << 32 | (u64)o->align_log2 << 24 | (u64)o->is_dead << 16 |
		                        (u64)o->is_spill << 15 | (u64)o->kind << 8 | o->category);
	}
	for (u32 t = 0; t < f->jump_table.n; t++)
		for (u32 k = 0; k < f->jump_table.p[t].block.n; k++)
			h = hash_mix(h, f->jump_table.p[t].block.p[k]);
	for (u32 p = 0; p < f->proto.n; p++)
		h = hash_mix(h, f->proto.p[p]);
	return hash_mix(h, f->frame_size << 8 | f->frame_align_log2);
}
