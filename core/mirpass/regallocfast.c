/* regallocfast: keeps the pressure of each register file within its budget without live ranges, for -O0 and
 * -optimize-regalloc=false.
 *
 *	bb.0:  %1 = …                               bb.0:  %1 = …
 *	                                                   ST_local_u32 %stack.0, 0, %1
 *	bb.1:  … = %1                         →     bb.1:  %1 = LD_local_u32 %stack.0, 0
 *	                                                   … = %1
 *
 * Functions that certainly keep within their budgets (mir_may_exceed) stay as they are, and so do those that only the hardware limits:
 * ptxas spills for these, with live ranges. In others a register that several blocks name
 * lives in memory: it is stored behind each definition and reloaded by the first reader of each block. Blocks are walked once,
 * downward. Where the values that are held and still read in the block leave no room for an instruction, those that are read
 * last go (Belady: "A study of replacement algorithms for a virtual-storage computer", 1966); one that is not in memory
 * yet is stored behind its definition.
 *
 * Needs code without phis, and nothing else: no live ranges, no control flow analysis. Keeps the control flow and the names of registers.
 * Cost: one look at each operand, and for each value that goes one at the values held. Does not compute anything again. */
#include "mir/budget.h"
#include "mirpass/allocate.h"

enum { NEVER = 0xFFFFFFFF };

/* A register of the file, in the block at hand. */
typedef struct Value {
	u32  block;   /* of all its operands so far, or CROSSES */
	u32  next;    /* number of the instruction of the block that reads it next; NEVER */
	u32  def;     /* instruction that has defined it last in the block; 0: none */
	u32  held;    /* place in `held` + 1; 0: not in a register */
	u32  needed;  /* stamp: an operand of the instruction at hand */
	bool crosses; /* several blocks name it */
	bool stored;  /* its slot has its value */
} Value;

typedef struct Fast {
	Spiller *s;
	MirFunc *f;
	Arena   *arena;
	IsaFile  file;
	u32      limit, units; /* those held */
	Value   *value;        /* by register */
	VecU32   held;
	u32      stamp;
	VecU32   next; /* by operand of the block, in order: what Value.next is behind it */
	u32      at;   /* in `next` */
} Fast;

static u32 units_of(const Fast *x, u32 r) { return isa_class_info[mir_class(x->f, (MirReg){r})].units; }

/* The register of an operand where the file has it; 0: not ours. */
static u32 ours(const Fast *x, const MirOp *o)
{
	MirReg r = mir_op_reg(o);
	return mir_is_virt(r) && isa_class_info[mir_class(x->f, r)].file == x->file ? r.i : 0;
}

/* A guarded definition keeps the old value where the guard does not hold. */
static bool reads(const Fast *x, MirInstId i, const MirOp *o)
{
	if (!mir_op_is_def(o))
		return !(o->flags & MOF_UNDEF);
	return mir_desc(x->f, i)->opc.slot[SLOT_guard] != 0;
}

/* A register that is read before its block writes it comes from another block, or from this one by way of a loop. */
static void find_crossing(Fast *x)
{
	mir_each_block(x->f, b)
		mir_each_inst(x->f, b, i) {
			u32 n_ops = mir_inst(x->f, i)->n_ops;
			for (u32 n = 0; n < n_ops; n++) {
				Value *v = &x->value[ours(x, mir_op(x->f, i, n))];
				v->crosses |= v->block ? v->block != b.i : reads(x, i, mir_op(x->f, i, n));
			}
			for (u32 n = 0; n < n_ops; n++)
				x->value[ours(x, mir_op(x->f, i, n))].block = b.i;
		}
}

/* ---- registers ---- */

static void hold(Fast *x, u32 r)
{
	if (x->value[r].held)
		return;
	vec_push(x->arena, &x->held, r);
	x->value[r].held = x->held.n;
	x->units += units_of(x, r);
}

static void let_go(Fast *x, u32 r)
{
	u32 last = vec_pop(&x->held);
	x->held.p[PS_MIN(x->value[r].held - 1, x->held.n)] = last;
	x->value[last].held = x->value[r].held;
	x->value[r].held = 0;
	x->units -= units_of(x, r);
}

/* Goes to memory, unless it is there. */
static void evict(Fast *x, u32 r)
{
	Value *v = &x->value[r];
	if (!v->stored && v->def)
		spill_store(x->s, (MirReg){r}, (MirInstId){v->def});
	v->stored = true;
	let_go(x, r);
}

/* Evicts until `units` more fit beside what is held; operands of the instruction stay. */
static void make_room(Fast *x, u32 units)
{
	while (x->units + units > x->limit) {
		u32 worst = 0;
		for (u32 k = 0; k < x->held.n; k++) {
			u32 r = x->held.p[k];
			if (x->value[r].needed != x->stamp && (!worst || x->value[r].next > x->value[worst].next))
				worst = r;
		}
		if (!worst)
			return;
		evict(x, worst);
	}
}

/* ---- a block ---- */

/* For each operand, from the last to the first, when its register is read behind the instruction. */
static void find_next(Fast *x, MirBlockId b)
{
	MirFunc *f = x->f;
	u32      number = 0, total = 0;
	mir_each_inst(f, b, i) {
		number++;
		total += mir_inst(f, i)->n_ops;
	}
	x->next.n = x->at = 0;
	vec_extend(x->arena, &x->next, total);
	mir_each_inst(f, b, i)
		for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
			x->value[ours(x, mir_op(f, i, n))].next = NEVER;
	mir_each_inst_up(f, b, i) {
		u32 n_ops = mir_inst(f, i)->n_ops;
		total -= n_ops;
		for (u32 n = 0; n < n_ops; n++)
			x->next.p[total + n] = x->value[ours(x, mir_op(f, i, n))].next;
		for (u32 n = 0; n < n_ops; n++) /* what it writes is read later, whatever has been read before it */
			if (mir_op_is_def(mir_op(f, i, n)) && !reads(x, i, mir_op(f, i, n)))
				x->value[ours(x, mir_op(f, i, n))].next = NEVER;
		for (u32 n = 0; n < n_ops; n++)
			if (reads(x, i, mir_op(f, i, n)))
				x->value[ours(x, mir_op(f, i, n))].next = number;
		number--;
	}
}

/* A value that is in memory, and not undefined. */
static bool has_value(const Value *v) { return v->stored || (v->crosses && !v->def); }

/* Registers that instructions `i` … `last` read are held in front of `i`. */
static void bring(Fast *x, MirBlockId b, MirInstId i, MirInstId last)
{
	u32    early = 0;
	VecU32 want = {0};
	x->stamp++;
	for (MirInstId k = i;; k = mir_next(x->f, k)) {
		for (u32 n = 0; n < mir_inst(x->f, k)->n_ops; n++) {
			const MirOp *o = mir_op(x->f, k, n);
			u32          r = ours(x, o);
			bool         in = reads(x, k, o);
			if (!r || x->value[r].needed == x->stamp || (!in && !(o->flags & MOF_EARLY_CLOBBER)))
				continue;
			x->value[r].needed = x->stamp;
			if (in && !x->value[r].held && has_value(&x->value[r]))
				vec_push(x->arena, &want, r);
			else if (!in)
				early += x->value[r].held ? 0 : units_of(x, r);
		}
		if (k.i == last.i)
			break;
	}
	for (u32 k = 0; k < want.n; k++)
		early += units_of(x, want.p[k]);
	make_room(x, early);
	for (u32 k = 0; k < want.n; k++) {
		spill_reload(x->s, (MirReg){want.p[k]}, b, i, (MirInstId){0});
		hold(x, want.p[k]);
	}
}

/* What is not read behind `i` is let go; what it writes is held where that is read. */
static void pass_over(Fast *x, MirInstId i)
{
	u32 n_ops = mir_inst(x->f, i)->n_ops, writes = 0;
	for (u32 n = 0; n < n_ops; n++) {
		u32 r = ours(x, mir_op(x->f, i, n));
		x->value[r].next = x->next.p[x->at + n];
		if (r && x->value[r].held && (x->value[r].next == NEVER || mir_op_is_def(mir_op(x->f, i, n))))
			let_go(x, r);
	}
	x->at += n_ops;
	x->stamp++;
	if (mir_inst(x->f, i)->desc == ISA_IMPLICIT_DEF)
		return;
	for (u32 n = 0; n < n_ops; n++) {
		const MirOp *o = mir_op(x->f, i, n);
		u32          r = mir_op_is_def(o) ? ours(x, o) : 0;
		if (!r || x->value[r].needed == x->stamp)
			continue;
		x->value[r].needed = x->stamp;
		x->value[r].def = i.i;
		x->value[r].stored = false;
		writes += units_of(x, r);
	}
	if (writes)
		make_room(x, writes);
	for (u32 n = 0; n < n_ops; n++) {
		const MirOp *o = mir_op(x->f, i, n);
		u32          r = mir_op_is_def(o) ? ours(x, o) : 0;
		if (!r)
			continue;
		if (x->value[r].crosses && !x->value[r].stored) {
			spill_store(x->s, (MirReg){r}, i);
			x->value[r].stored = true;
		}
		if (x->value[r].next != NEVER)
			hold(x, r);
	}
}

static void allocate_block(Fast *x, MirBlockId b)
{
	MirInstId ends = mir_first_terminator(x->f, b), last = {mir_block(x->f, b)->last};
	find_next(x, b);
	mir_each_inst(x->f, b, i) {
		if (i.i == ends.i || !mir_is(x->f, i, IF_TERMINATOR))
			bring(x, b, i, i.i == ends.i ? last : i);
		pass_over(x, i);
	}
	while (x->held.n)
		let_go(x, vec_last(&x->held));
	mir_each_inst(x->f, b, i)
		for (u32 n = 0; n < mir_inst(x->f, i)->n_ops; n++) {
			Value *v = &x->value[ours(x, mir_op(x->f, i, n))];
			v->def = 0;
			v->stored = false;
		}
}

/* ---- the pass ---- */

void allocate_fast(MirFunc *f, IsaFile file, Spiller *s)
{
	Arena a;
	arena_init(&a, f->arena->budget);
	Fast x = {.s = s, .f = f, .arena = &a, .file = file, .limit = mir_budget_units(f, file)};
	x.value = arena_array(&a, Value, f->vreg.n + 1);
	find_crossing(&x);
	x.value[0] = (Value){0};
	mir_each_block(f, b)
		allocate_block(&x, b);
	arena_free(&a);
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	Spiller *s = NULL;
	f->within_budget = mir_budget(f, FILE_R).limit_by != BUDGET_BY_HARDWARE;
	if (!f->within_budget)
		return false;
	for (u32 file = FILE_COUNT; --file > FILE_NONE;) { /* P, then R, through which predicates go to memory */
		AllocateNeed need = allocate_need(cx, f, (IsaFile)file);
		f->within_budget &= need != ALLOCATE_IMPOSSIBLE;
		if (need != ALLOCATE_NEEDED)
			continue;
		s = s ? s : spiller_new(cx, f);
		allocate_fast(f, (IsaFile)file, s);
	}
	allocate_say(cx, f, s);
	return s && s->n_stores + s->n_reloads;
}

static bool wanted(const Session *s) { return !s->opt_level || !knob_bool(s, KNOB_optimize_regalloc); }

static const Knob knobs[] = {KNOB_maxreg, KNOB_optimize_regalloc, KNOB_NONE};

const Pass mirpass_regallocfast = {
	.id = "regallocfast",
	.title = "Fast Register Allocator",
	.summary = "Keeps the pressure of each register file within its budget block by block: values of several blocks live in "
		   ".local.",
	.group = "ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.gated = wanted,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL | AN_MIR_BUNDLES,
	.run = run,
};
