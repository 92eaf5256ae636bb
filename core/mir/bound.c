/* bound.c: finds the blocks that registers of several blocks live into, and what the others take at most, see bound.h. */
#include "mir/bound.h"

/* What is known of a register of the file. */
typedef struct Seen {
	u32 def;     /* the block that has defined it last in the layout */
	u32 exposed; /* the block that has read it last without having defined it before */
	u32 reads;   /* such reads: the newest of a list, 0 = none */
	u32 several; /* blocks define it: 0 or 1 */
} Seen;

/* A block reads the register before it defines it, or at its end, for a phi behind it. */
typedef struct Read {
	u32 block, next;
	u32 at_end;
} Read;

typedef struct Block {
	u32 in, def; /* the register at hand: does it live into the block, is it defined there? */
	u32 wide;    /* units of registers of several blocks that are live here somewhere */
	u32 local;   /* units of those that only this block names, were all of them live at once */
} Block;

enum { LIVE = 0x80 }; /* in `units` */

typedef struct Bound {
	const MirFunc *f;
	u32            most;  /* units that have been found, or that need not be told from fewer */
	u32            limit; /* above it nobody asks how many there are */
	u8    *units; /* by register: 0 = of another file; LIVE: a register of one block that is live behind the place at hand */
	Seen  *reg;   /* by register */
	Block *block; /* by block id */
	Vec(Read) read;
	VecU32 work; /* blocks that the register at hand lives into, and whose predecessors are to be seen */
	Arena *scratch;
} Bound;

/* The number of the register of the file that the operand names; 0: none. */
static u32 register_of(const Bound *b, const MirOp *o)
{
	return o->kind == MO_REG && !(o->ref & MIR_PHYS_BIT) && b->units[o->ref] ? o->ref : 0;
}

/* ---- one look at each operand ---- */

static void add_read(Bound *b, u32 reg, u32 block, bool at_end)
{
	Seen *s = &b->reg[reg];
	vec_push(b->scratch, &b->read, ((Read){block, s->reads, at_end}));
	s->reads = b->read.n - 1;
}

static void see_read(Bound *b, u32 reg, u32 block)
{
	Seen *s = &b->reg[reg];
	if (s->def == block || s->exposed == block)
		return;
	s->exposed = block;
	add_read(b, reg, block, false);
}

static void see_def(Bound *b, u32 reg, u32 block)
{
	Seen *s = &b->reg[reg];
	if (s->def == block)
		return;
	s->several |= s->def != 0;
	s->def = block;
	b->block[block].local += b->units[reg];
}

static void see_inst(Bound *b, MirInstId i, u32 block)
{
	const MirInst *mi = mir_inst(b->f, i);
	const MirOp   *o = mir_ops(b->f, i);
	bool           phi = mi->desc == ISA_PHI;
	for (u32 n = 0; n < mi->n_ops; n++) {
		u32 reg = o[n].flags & MOF_DEF ? 0 : register_of(b, &o[n]);
		if (reg && phi)
			add_read(b, reg, o[n + 1].ref, true);
		else if (reg)
			see_read(b, reg, block);
	}
	for (u32 n = 0; n < mi->n_ops; n++) {
		u32 reg = o[n].flags & MOF_DEF ? register_of(b, &o[n]) : 0;
		if (reg)
			see_def(b, reg, block);
	}
}

/* ---- registers of several blocks ---- */

static void add_wide(Bound *b, Block *k, u32 units)
{
	k->wide += units;
	b->most = PS_MAX(b->most, k->wide);
}

static void live_in(Bound *b, u32 block, u32 reg, u32 units)
{
	Block *k = &b->block[block];
	if (k->in == reg)
		return;
	k->in = reg;
	add_wide(b, k, units);
	vec_push(b->scratch, &b->work, block);
}

static void live_out(Bound *b, u32 block, u32 reg, u32 units)
{
	if (b->block[block].def != reg)
		live_in(b, block, reg, units);
}

/* The block has counted the register as one of its own. */
static void mark_def(Bound *b, u32 block, u32 reg, u32 units)
{
	Block *k = &b->block[block];
	if (k->def == reg)
		return;
	k->def = reg;
	k->local -= units;
}

static void count_def(Bound *b, u32 block, u32 reg, u32 units)
{
	Block *k = &b->block[block];
	if (k->in == reg)
		return;
	k->in = reg; /* no more than once */
	add_wide(b, k, units);
}

static void each_def(Bound *b, u32 reg, u32 units, void (*visit)(Bound *b, u32 block, u32 reg, u32 units))
{
	if (!b->reg[reg].several && b->reg[reg].def)
		visit(b, b->reg[reg].def, reg, units);
	else if (b->reg[reg].def)
		mir_each_def(b->f, (MirReg){reg}, o)
			visit(b, mir_inst(b->f, (MirInstId){o->inst})->block, reg, units);
}

static bool is_wide(const Seen *s) { return s->reads || s->several; }

/* From here on it is no register of one block. */
static void spread(Bound *b, u32 reg)
{
	u32 units = b->units[reg];
	b->units[reg] = 0;
	each_def(b, reg, units, mark_def);
	for (u32 k = b->reg[reg].reads; k; k = b->read.p[k].next)
		(b->read.p[k].at_end ? live_out : live_in)(b, b->read.p[k].block, reg, units);
	while (b->work.n && b->most <= b->limit) {
		MirBlockId block = {vec_pop(&b->work)};
		mir_each_pred(b->f, block, e)
			live_out(b, e->from, reg, units);
	}
	each_def(b, reg, units, count_def);
}

/* ---- registers of one block ---- */

typedef struct Written {
	u32 ends;  /* units that are read behind the instruction */
	u32 dead;  /* that are not */
	u32 early; /* of both, written before the operands are read */
} Written;

static Written take_defs(Bound *b, const MirOp *o, u32 n_ops)
{
	Written w = {0, 0, 0};
	for (u32 n = 0; n < n_ops; n++) {
		u32 reg = o[n].flags & MOF_DEF ? register_of(b, &o[n]) : 0;
		if (!reg)
			continue;
		u32 units = b->units[reg] & ~(u32)LIVE;
		*(b->units[reg] & LIVE ? &w.ends : &w.dead) += units;
		w.early += o[n].flags & MOF_EARLY_CLOBBER ? units : 0;
		b->units[reg] = (u8)units;
	}
	return w;
}

/* Units of operands that nobody reads behind the instruction. */
static u32 take_reads(Bound *b, const MirOp *o, u32 n_ops)
{
	u32 begins = 0;
	for (u32 n = 0; n < n_ops; n++) {
		u32 reg = o[n].flags & MOF_DEF ? 0 : register_of(b, &o[n]);
		if (!reg || b->units[reg] & LIVE)
			continue;
		begins += b->units[reg];
		b->units[reg] |= LIVE;
	}
	return begins;
}

/* The most that registers which only this block names take at once. */
static u32 local_peak(Bound *b, MirBlockId block)
{
	u32 now = 0, peak = 0;
	for (MirInstId i = {mir_block(b->f, block)->last}; i.i; i = mir_prev(b->f, i)) {
		const MirOp *o = mir_ops(b->f, i);
		u32          n_ops = mir_inst(b->f, i)->n_ops;
		Written      w = take_defs(b, o, n_ops);
		if (mir_inst(b->f, i)->desc == ISA_PHI) { /* all are written at once */
			now += w.dead;
			continue;
		}
		peak = PS_MAX(peak, now + w.dead);
		now += take_reads(b, o, n_ops) - w.ends;
		peak = PS_MAX(peak, now + w.early);
	}
	return PS_MAX(peak, now);
}

static void add_locals(Bound *b)
{
	for (MirBlockId k = {b->f->first_block}; k.i && b->most <= b->limit; k.i = mir_block(b->f, k)->next) {
		u32 wide = b->block[k.i].wide;
		if (wide + b->block[k.i].local > b->most)
			b->most = PS_MAX(b->most, wide + local_peak(b, k));
	}
}

/* ---- the answer ---- */

/* Stops above `units`. */
static u32 all_registers(const MirFunc *f, IsaFile file, u32 units)
{
	u32 all = 0;
	for (u32 r = 1; r < f->vreg.n && all <= units; r++) {
		const MirVReg *v = mir_vreg(f, (MirReg){r});
		all += (v->defs || v->uses) && isa_class_info[v->cls].file == file ? isa_class_info[v->cls].units : 0;
	}
	return all;
}

static u8 *units_by_register(const MirFunc *f, IsaFile file, Arena *a)
{
	u8 *units = arena_array(a, u8, f->vreg.n);
	for (u32 r = 1; r < f->vreg.n; r++) {
		const IsaClassInfo *c = &isa_class_info[mir_class(f, (MirReg){r})];
		units[r] = c->file == file ? (u8)c->units : 0;
	}
	return units;
}

/* At least `least`; above `limit` only so much that it is. */
static u32 bound(const MirFunc *f, IsaFile file, u32 least, u32 limit)
{
	if (all_registers(f, file, least) <= least)
		return least;
	Arena a;
	arena_init(&a, f->arena->budget);
	Bound b = {.f = f, .most = least, .limit = limit, .scratch = &a, .units = units_by_register(f, file, &a)};
	b.reg = arena_array(&a, Seen, f->vreg.n);
	b.block = arena_array(&a, Block, f->block.n);
	vec_push(&a, &b.read, ((Read){0, 0, 0})); /* none */
	mir_each_block(f, k)
		for (MirInstId i = {mir_block(f, k)->first}; i.i; i = mir_next(f, i))
			see_inst(&b, i, k.i);
	for (u32 r = 1; r < f->vreg.n && b.most <= limit; r++)
		if (is_wide(&b.reg[r]))
			spread(&b, r);
	add_locals(&b);
	arena_free(&a);
	return b.most;
}

bool mir_func_may_exceed(const MirFunc *f, IsaFile file, u32 units) { return bound(f, file, units, units) > units; }

/* ---- the manager's row (pass/analyses.def) ---- */

enum {
	LEAST = 32 * ISA_UNITS_PER_REG, /* few budgets are smaller: of most functions this is all that has to be known */
	LIMIT = 255 * ISA_UNITS_PER_REG /* no budget is larger */
};

typedef struct MirBound {
	const MirFunc *f;
	u32            most[FILE_COUNT]; /* 0: nobody has asked yet */
} MirBound;

void *mir_bound_compute(PassCx *cx, Arena *arena);
bool  mir_bound_equal(const void *a, const void *b);

static u32 most_of(MirBound *b, IsaFile file)
{
	if (!b->most[file])
		b->most[file] = bound(b->f, file, LEAST, LIMIT);
	return b->most[file];
}

void *mir_bound_compute(PassCx *cx, Arena *arena)
{
	MirBound *b = arena_new(arena, MirBound);
	b->f = mir_pass_func(cx);
	return b;
}

/* `a` has been kept: what it has answered still holds. */
bool mir_bound_equal(const void *a, const void *b)
{
	const MirBound *kept = a;
	MirBound        now = *(const MirBound *)b;
	for (u32 file = 0; file < FILE_COUNT; file++)
		if (kept->most[file] && kept->most[file] != most_of(&now, (IsaFile)file))
			return false;
	return true;
}

bool mir_may_exceed(PassCx *cx, IsaFile file, u32 units)
{
	if (units < LEAST || units > LIMIT)
		return mir_func_may_exceed(mir_pass_func(cx), file, units);
	return most_of(pass_analysis(cx, AN_MIR_BOUND_ID), file) > units;
}
