/* dwarf_value.c: where each variable is at each position of a function, out of the entries of mir/debug.h.
 *
 *	entry: x is in %5                    x: %r2 from here
 *	%5 = ADD …                           … the next iteration's: x is nowhere
 *	entry: x is 7                        x: 7 from here
 *
 * An entry holds if its register has the value at that place: the register has one definition, which dominates the place or
 * is still to come, in which case the entry holds from there on; or the last definition of it in the block is the one that the entry
 * names; or there is none in the block, and the entry stands at the head with the phis that defined it. Where an instruction
 * gives the register another value, the variable is nowhere until the next entry ("optimised out"), which is said rather than a
 * value that may be wrong.
 *
 * Forward dataflow over blocks: a variable is where all predecessors agree that it is. What a block begins with changes at most
 * twice for each variable; above MAX_STATES nothing is known across blocks. */
#include "base/hash.h"
#include "isa/isa.h"
#include "mir/cfg.h"
#include "mir/debug.h"
#include "ptx/dwarf.h"

enum { MAX_STATES = 1 << 22, UNSEEN = ~0u };

typedef struct Last {
	u32 def;   /* MirInstId */
	u32 block; /* good for this one */
} Last;

typedef struct Flow {
	Dwarf   *d;
	DwPlan  *p;
	MirFunc *f;
	u32      n;       /* variables */
	u32     *in;      /* by block the state: UNSEEN where no walk has come by; NULL: nothing is known across blocks */
	u32     *now;     /* the state: by variable its value, */
	u32     *coming;  /* and the one that it has from the definition of a register on; 0: none */
	Bitset   watched; /* registers that an entry names */
	Last    *last;    /* by register */
	Map      value_of;
	u32     *open; /* by variable, in the last walk: where its range begins */
	bool     record;
} Flow;

/* ---- values ---- */

static u32 value_index(Flow *w, DwValue x)
{
	u64 h = hash_mix(hash_mix(hash_mix(x.kind, x.reg), x.bits), x.expression.i);
	for (;; h = hash_u64(h + 1)) {
		bool fresh;
		u64 *at = map_put(&w->value_of, h, &fresh);
		if (fresh) {
			vec_push(w->d->a->arena, &w->p->value, x);
			*at = w->p->value.n - 1;
			return w->p->value.n - 1;
		}
		const DwValue *y = &w->p->value.p[*at];
		if (y->kind == x.kind && y->reg == x.reg && y->bits == x.bits && y->expression.i == x.expression.i)
			return (u32)*at;
	}
}

static u32 variable_of(const Flow *w, const MirDebugEntry *e)
{
	IrMd at = dw_node(w->d, (IrMd){e->loc}, "inlinedAt");
	return (u32)map_or(&w->p->variable_of, (u64)e->variable << 32 | at.i, 0) - 1;
}

/* Does the register have the entry's value there? *later: from its definition on, which has been moved behind it. */
static bool holds(Flow *w, const MirDebugEntry *e, bool *later)
{
	MirReg      r = {e->reg};
	MirInstId   def = mir_def_inst(w->f, r);
	const Last *last = &w->last[r.i];
	if (def.i) {
		const MirCfg *cfg = w->d->a->cfg;
		u32           from = mir_inst(w->f, def)->block;
		*later = from == e->block ? last->block != e->block
		                          : !dom_dominates(mir_dom(w->d->a->cx), cfg->node[from], cfg->node[e->block]);
		return true;
	}
	if (!mir_vreg(w->f, r)->n_defs)
		return false;
	return last->block == e->block ? last->def == e->def : !e->def && e->home == e->block;
}

/* ---- one block ---- */

static void set(Flow *w, u32 v, u32 value, u32 position)
{
	DwVariable *x = &w->p->variable.p[v];
	if (w->now[v] == value)
		return;
	if (w->record && w->now[v] && position > w->open[v])
		vec_push(w->d->a->arena, &x->range, ((DwRange){w->open[v], position, w->now[v]}));
	w->now[v] = value;
	w->open[v] = position;
}

static void note(Flow *w, u32 position, u32 v, u32 value)
{
	if (!w->record)
		return;
	vec_push(w->d->a->arena, &w->p->note, ((DwNote){position, v, value}));
	w->p->variable.p[v].noted = true;
}

static void entries(Flow *w, MirBlockId b, MirInstId before, u32 position)
{
	for (u32 id = mir_debug_first(w->f, b, before); id;) {
		const MirDebugEntry *e = mir_debug_entry(w->f, id);
		u32                  v = variable_of(w, e), value = 0;
		bool                 later = false;
		id = e->next;
		if (v == ~0u)
			continue;
		if (e->kind != MIR_DEBUG_NOWHERE && (e->kind != MIR_DEBUG_REG || holds(w, e, &later)))
			value = value_index(w, (DwValue){e->kind, e->reg, e->bits, {e->expression}});
		w->coming[v] = later ? value : 0;
		if (!later && (w->now[v] != value || !w->p->variable.p[v].noted))
			note(w, position, v, value);
		set(w, v, later ? 0 : value, position);
		w->p->variable.p[v].has_value |= value != 0;
	}
}

static void defined(Flow *w, MirReg r, MirInstId by, u32 position)
{
	w->last[r.i] = (Last){by.i, mir_inst(w->f, by)->block};
	for (u32 v = 0; v < w->n; v++) {
		const DwValue *x = &w->p->value.p[w->now[v]], *y = &w->p->value.p[w->coming[v]];
		if (w->now[v] && x->kind == MIR_DEBUG_REG && x->reg == r.i)
			set(w, v, 0, position);
		if (w->coming[v] && y->reg == r.i) {
			set(w, v, w->coming[v], position);
			note(w, position, v, w->coming[v]);
			w->coming[v] = 0;
		}
	}
}

static void walk_block(Flow *w, MirBlockId b, u32 position)
{
	MirFunc *f = w->f;
	mir_each_inst(f, b, i) {
		position = w->p->position[i.i];
		entries(w, b, i, position);
		position += !mir_is(f, i, IF_META);
		for (u32 k = 0; k < mir_inst(f, i)->n_ops; k++) {
			const MirOp *o = mir_op(f, i, k);
			if (mir_op_is_def(o) && mir_is_virt(mir_op_reg(o)) && bitset_has(w->watched, o->ref))
				defined(w, mir_op_reg(o), i, position);
		}
	}
	entries(w, b, (MirInstId){0}, position);
}

/* ---- all of them ---- */

static u32 *state(const Flow *w, MirBlockId b) { return w->in + (u64)w->d->a->cfg->node[b.i] * 2 * w->n; }

static bool meet(const Flow *w, MirBlockId b)
{
	u32 *in = state(w, b);
	bool changed = false;
	for (u32 v = 0; v < 2 * w->n; v++) {
		u32 to = in[v] == UNSEEN || in[v] == w->now[v] ? w->now[v] : 0;
		changed |= to != in[v];
		in[v] = to;
	}
	return changed;
}

static void enter(Flow *w, MirBlockId b)
{
	for (u32 v = 0; v < 2 * w->n; v++)
		w->now[v] = w->in && state(w, b)[v] != UNSEEN ? state(w, b)[v] : 0;
}

static void solve(Flow *w)
{
	MirFunc *f = w->f;
	bool     changed = w->in != NULL;
	while (changed) {
		changed = false;
		mir_each_block(f, b) {
			if (w->n && state(w, b)[0] == UNSEEN)
				continue;
			enter(w, b);
			walk_block(w, b, 0);
			mir_each_succ(f, b, e)
				changed |= meet(w, (MirBlockId){e->to});
		}
	}
}

/* Ranges go on over blocks that follow each other in the layout. */
static void make_ranges(Flow *w)
{
	MirFunc *f = w->f;
	u32      position = 0;
	w->record = true;
	for (u32 v = 0; v < w->n; v++)
		w->now[v] = 0;
	mir_each_block(f, b) {
		if (mir_block(f, b)->first)
			position = w->p->position[mir_block(f, b)->first];
		for (u32 v = 0; v < w->n; v++) {
			u32 in = w->in ? state(w, b)[v] : 0;
			in = in == UNSEEN ? 0 : in;
			set(w, v, in, position);
			if (in)
				note(w, position, v, in);
			in = w->in ? state(w, b)[w->n + v] : 0;
			w->coming[v] = in == UNSEEN ? 0 : in;
		}
		walk_block(w, b, position);
		if (mir_block(f, b)->last)
			position =
				w->p->position[mir_block(f, b)->last] + !mir_is(f, (MirInstId){mir_block(f, b)->last}, IF_META);
	}
	for (u32 v = 0; v < w->n; v++)
		set(w, v, 0, w->p->n);
}

void dw_find_values(Dwarf *d, DwPlan *p)
{
	Arena   *a = d->a->arena;
	MirFunc *f = d->a->f;
	Flow     w = {.d = d, .p = p, .f = f, .n = p->variable.n};
	vec_push(a, &p->value, ((DwValue){0}));
	if (!f->debug || !w.n)
		return;
	w.now = arena_array(a, u32, (u64)2 * w.n);
	w.coming = w.now + w.n;
	w.open = arena_array(a, u32, w.n);
	w.watched = bitset_new(a, mir_vregs(f) + 1);
	w.last = arena_array(a, Last, mir_vregs(f) + 1);
	map_init(&w.value_of, a);
	for (u32 e = 1; e < f->debug->entry.n; e++)
		if (mir_debug_entry(f, e)->kind == MIR_DEBUG_REG)
			bitset_add(w.watched, mir_debug_entry(f, e)->reg);
	u64 states = (u64)f->n_blocks * 2 * w.n;
	if (states <= MAX_STATES) {
		w.in = arena_array(a, u32, states);
		for (u64 i = 0; i < states; i++)
			w.in[i] = i < 2 * w.n ? 0 : UNSEEN; /* the entry: nowhere */
	}
	solve(&w);
	make_ranges(&w);
}

/* ---- expressions ---- */

bool dw_is_unsigned(const Dwarf *d, IrMd type)
{
	for (u32 i = 0; i < 64 && type.i; i++, type = dw_node(d, type, "baseType")) {
		Str encoding = dw_word(d, type, "encoding");
		if (encoding.n)
			return str_starts(encoding, "DW_ATE_unsigned") || str_is(encoding, "DW_ATE_boolean") ||
			       str_is(encoding, "DW_ATE_UTF");
		if (str_is(dw_word(d, type, "tag"), "DW_TAG_pointer_type"))
			return true;
	}
	return false;
}

static Str register_name(const Dwarf *d, MirReg r)
{
	u32 number = d->a->number[r.i];
	return arena_fmt(d->a->arena, "%s%u", isa_class_info[number >> ASM_NUMBER_BITS].prefix,
	                 number & (((u32)1 << ASM_NUMBER_BITS) - 1));
}

/* A register's number is its name in PTX, one byte for each letter; 0: it is too long. */
static u64 register_number(const Dwarf *d, MirReg r)
{
	Str name = register_name(d, r);
	u64 v = 0;
	for (u32 i = 0; i < name.n; i++)
		v = v << 8 | (u8)name.p[i];
	return name.n <= 8 ? v : 0;
}

/* Is %SP set? Only functions that need a generic address of the frame do so. */
static bool has_frame_register(const Dwarf *d)
{
	MirFunc *f = d->a->f;
	mir_each_inst(f, (MirBlockId){f->first_block}, i)
		for (u32 k = 0; k < mir_inst(f, i)->n_ops; k++)
			if (mir_op_is_def(mir_op(f, i, k)) && mir_op(f, i, k)->ref == mir_phys(MIR_PHYS_SP).i)
				return true;
	return false;
}

static bool is_deref(const Dwarf *d, IrMd expression)
{
	const IrMdNode  *n = ir_md(d->a->ir, expression);
	const IrMdField *x = d->a->ir->md_fields.p + n->first;
	return n->n == 1 && x->kind == IRMF_NAME && str_is(ir_str(d->a->ir, (StrId){x->a}), "DW_OP_deref");
}

u32 dw_expression(Dwarf *d, const DwVariable *v, const DwValue *x, u8 bytes[24])
{
	bool deref = x->expression.i && is_deref(d, x->expression);
	u32  n = 1;
	u64  number;
	if (x->expression.i && ir_md(d->a->ir, x->expression)->n && !(deref && x->kind == MIR_DEBUG_FRAME))
		return 0;
	switch ((MirDebugKind)x->kind) {
	case MIR_DEBUG_REG:
		number = register_number(d, (MirReg){x->reg});
		bytes[0] = DW_OP_regx;
		return number ? n + dw_uleb(bytes + n, number) : 0;
	case MIR_DEBUG_INT:
		bytes[0] = dw_is_unsigned(d, dw_node(d, v->node, "type")) ? DW_OP_constu : DW_OP_consts;
		return n + (bytes[0] == DW_OP_constu ? dw_uleb(bytes + n, x->bits) : dw_sleb(bytes + n, (i64)x->bits));
	case MIR_DEBUG_FP: bytes[0] = DW_OP_constu; return n + dw_uleb(bytes + n, x->bits);
	case MIR_DEBUG_FRAME:
		if (!deref || !has_frame_register(d))
			return 0;
		bytes[0] = DW_OP_bregx;
		n += dw_uleb(bytes + n, '%' << 16 | 'S' << 8 | 'P');
		return n + dw_sleb(bytes + n, d->a->f->frame.p[x->reg].offset);
	case MIR_DEBUG_NOWHERE: break;
	}
	return 0;
}

/* ---- comments ---- */

static void print_operations(Dwarf *d, IrMd expression)
{
	Text           *out = d->a->out;
	const IrMdNode *n = expression.i ? ir_md(d->a->ir, expression) : NULL;
	if (!n || !n->n)
		return;
	text_c(out, '[');
	for (u32 i = 0; i < n->n; i++) {
		const IrMdField *x = d->a->ir->md_fields.p + n->first + i;
		if (x->kind == IRMF_NAME)
			text_f(out, "%s%.*s", i ? ", " : "", STR_ARG(ir_str(d->a->ir, (StrId){x->a})));
		else
			text_f(out, " %llu", (unsigned long long)x->bits);
	}
	text_s(out, "] ");
}

void dw_print_note(Dwarf *d, const DwNote *note)
{
	Text             *out = d->a->out;
	const DwVariable *v = &d->plan->variable.p[note->variable];
	const DwValue    *x = &d->plan->value.p[note->value];
	IrMd              scope = dw_node(d, v->node, "scope");
	Str               of = str_is(dw_kind(d, scope), "DISubprogram") ? dw_str(d, scope, "name") : STR("");
	text_f(out, "\t//DEBUG_VALUE: %.*s%s%.*s <- ", STR_ARG(of), of.n ? ":" : "", STR_ARG(dw_str(d, v->node, "name")));
	print_operations(d, x->expression);
	switch ((MirDebugKind)x->kind) {
	case MIR_DEBUG_NOWHERE: text_s(out, "undef"); break;
	case MIR_DEBUG_REG: text_add(out, register_name(d, (MirReg){x->reg})); break;
	case MIR_DEBUG_INT: text_f(out, "%lld", (long long)x->bits); break;
	case MIR_DEBUG_FP: text_f(out, "0x%llX", (unsigned long long)x->bits); break;
	case MIR_DEBUG_FRAME: text_s(out, "$vrdepot"); break;
	}
	text_c(out, '\n');
	asm_mark(d->a, 0);
}
