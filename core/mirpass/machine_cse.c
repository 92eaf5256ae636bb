/* machine-cse: an instruction whose result a dominating one has computed already.
 *
 *	%5 = ADD %1, %2                 %5 = ADD %1, %2
 *	…                         →     …
 *	%9 = ADD %1, %2                 (readers of %9 read %5)
 *
 * A walk of the dominator tree with a scoped hash table (Briggs, Cooper, Simpson), on SSA. Operands of
 * commutative instructions are ordered first. Only instructions without memory, side effects, control flow or
 * convergence take part, and loads that are invariant; copies, constants and addresses are left to ptxas,
 * since they cost nothing and longer lives cost registers.
 *
 * Most instructions have no equal anywhere. So the first of two walks only hashes: a register stands for the hash of
 * what computes it, so that equal instructions have equal hashes before anything is replaced, and a small filter
 * counts each hash up to two. Only instructions whose hash came twice are looked at again.
 *
 * The result of the second instruction is replaced at all its readers (copy-prop-mcse); with that knob off it becomes a copy
 * of the first one's, which machine-cp propagates later.
 *
 * Addresses: an index that is scaled by a constant is scaled again in another block, in the instruction that adds it to the base.
 *
 * Calls: in a function that is called, a value that one instruction computes is not kept alive across a call for a second reader.
 *
 * Pressure: with -rp-aware-mcse a value is not kept alive where it would push the registers of a block over the target
 * (ir/budget.h), with -pred-aware-mcse the same for predicates, of which the hardware
 * has seven. The blocks in which the first value is not alive yet, from the second instruction up to where it is, are
 * looked at one by one: their peak and the value's width must not exceed the target. Pressure is the function's
 * analysis, computed when the first equal is found unless an earlier reader has asked for it, kept for the next reader, and
 * updated for the registers that replacements have touched since (incremental-update-mcse; off: computed anew) when a
 * replacement might exceed the target: a register that lives longer adds its own width anywhere, at most. */
#include "base/hash.h"
#include "mir/budget.h"
#include "mir/cfg.h"
#include "mir/pressure.h"
#include "mir/remat.h"
#include "mirpass/mirpass.h"

typedef struct Candidate {
	u32 inst, hash;
} Candidate;

typedef struct Entry {
	u32 inst, hash;
	u32 next; /* an older one in the same bucket */
} Entry;

typedef struct Cse {
	PassCx  *cx;
	MirFunc *f;
	MirCfg  *cfg;
	DomTree *dom;
	MirRpa  *rpa;                /* NULL: not needed yet */
	u32      target[FILE_COUNT]; /* registers; 0: any pressure will do */
	u32      bound[FILE_COUNT];  /* units: no block has more now */
	VecU32   changed_regs;       /* whose pressure is still that of before */
	Bitset   is_changed;
	VecU32   seen; /* blocks, of one question */
	Bitset   is_seen;
	Bitset   calls; /* blocks with a call, of a function that has to save registers for its caller; NULL: none */

	Vec(Candidate) candidate; /* along the walk */
	u32 *end;                 /* by place in the walk: where the candidates of the block end */
	u32 *value;               /* by register: hash of the candidate that defines it, or 0 */

	u32 *bucket, bucket_mask; /* 1 + index of the newest entry */
	Vec(Entry) entry;         /* a stack: entries of the blocks above on the tree */
	bool changed;
} Cse;

static bool takes_part(const MirFunc *f, MirInstId i)
{
	return !mir_is(f, i, IF_MOVE) && mir_inst(f, i)->desc != ISA_IMPLICIT_DEF && mirpass_is_movable(f, i);
}

static int op_order(const MirOp *a, const MirOp *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->ref != b->ref)
		return a->ref < b->ref ? -1 : 1;
	if (a->kind == MO_REG)
		return 0;
	return (a->imm > b->imm) - (a->imm < b->imm);
}

/* Operand n as the comparison sees it: the two sources of a commutative instruction in order. */
static const MirOp *source(const MirFunc *f, MirInstId i, u32 n)
{
	const MirOp   *o = mir_ops(f, i);
	const MirInst *mi = mir_inst(f, i);
	u32            first = mi->n_defs;
	if (mir_is(f, i, IF_COMMUTATIVE) && mi->n_ops > first + 1u && n - first < 2 && op_order(&o[first], &o[first + 1]) > 0)
		return &o[first + (first + 1 - n)];
	return &o[n];
}

enum { SAME_FLAGS = MOF_NOT | MOF_GENERIC | MOF_UNDEF };

static u64 hash_op(const Cse *c, const MirOp *o)
{
	u64 h = (u64)(o->flags & SAME_FLAGS) << 48 | (u64)o->type << 40 | (u64)o->kind << 32;
	if (o->kind != MO_REG)
		return hash_mix(h | o->ref, (u64)o->imm);
	u32 value = mir_is_phys((MirReg){o->ref}) ? 0 : c->value[o->ref];
	return value ? hash_u64(h | (u64)1 << 63 | value) : hash_u64(h | o->ref);
}

static u32 hash_of(const Cse *c, const MirInst *mi)
{
	const MirOp *o = mir_op_at(c->f, mi->op);
	u64          h = hash_mix(mi->desc, mi->n_ops);
	u32          n = mi->n_defs;
	if (isa_is(c->cx->s, mi->desc, IF_COMMUTATIVE) && mi->n_ops > n + 1u) {
		u64 a = hash_op(c, &o[n]), b = hash_op(c, &o[n + 1]);
		h = hash_mix(hash_mix(h, PS_MIN(a, b)), PS_MAX(a, b));
		n += 2;
	}
	for (; n < mi->n_ops; n++)
		h = hash_mix(h, hash_op(c, &o[n]));
	return (u32)h;
}

/* ---- the first walk ---- */

static void hash_block(Cse *c, MirBlockId b)
{
	MirFunc *f = c->f;
	for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i)) {
		if (!takes_part(f, i))
			continue;
		const MirInst *mi = mir_inst(f, i);
		u32            hash = hash_of(c, mi);
		for (u32 n = 0; n < mi->n_defs; n++) {
			MirReg r = mir_op_reg(mir_op(f, i, n));
			if (mir_is_virt(r))
				c->value[r.i] = (hash + 2 * n) | 1;
		}
		vec_push(c->cx->scratch, &c->candidate, ((Candidate){i.i, hash}));
	}
}

enum { FILTER_WORD = 32 }; /* counts in a word: two bits a hash, how often it came, up to twice */

/* Candidates whose hash came once go. Nothing but the filter is looked at: it is large, and a processor waits for many
 * of its lines at once where the way from one to the next is short. */
static void keep_equals(Cse *c, u32 blocks)
{
	u32 slots = 64, kept = 0;
	while (slots < 8 * (u64)c->candidate.n && slots < 1u << 30)
		slots *= 2;
	u64 *filter = arena_array(c->cx->scratch, u64, slots / FILTER_WORD);
	for (u32 k = 0; k < c->candidate.n; k++) {
		u32  at = c->candidate.p[k].hash & (slots - 1);
		u64 *w = &filter[at / FILTER_WORD], one = (u64)1 << at % FILTER_WORD * 2;
		*w += *w & one << 1 ? 0 : one;
	}
	for (u32 b = 0, k = 0; b < blocks; b++) {
		for (; k < c->end[b]; k++) {
			Candidate x = c->candidate.p[k];
			u32       at = x.hash & (slots - 1);
			c->candidate.p[kept] = x;
			kept += filter[at / FILTER_WORD] >> (at % FILTER_WORD * 2 + 1) & 1;
		}
		c->end[b] = kept;
	}
	c->candidate.n = kept;
}

/* The candidates that may have an equal. */
static void collect(Cse *c)
{
	const DomTree *t = c->dom;
	c->value = arena_array(c->cx->scratch, u32, c->f->vreg.n);
	c->end = arena_array(c->cx->scratch, u32, t->reached + 1);
	for (u32 k = 0; k < t->reached; k++) {
		hash_block(c, (MirBlockId){c->cfg->block[t->pre[k]]});
		c->end[k] = c->candidate.n;
	}
	keep_equals(c, t->reached);
}

static bool same(const MirFunc *f, MirInstId a, MirInstId b)
{
	const MirInst *x = mir_inst(f, a), *y = mir_inst(f, b);
	if (x->desc != y->desc || x->n_ops != y->n_ops || x->n_defs != y->n_defs)
		return false;
	for (u32 n = 0; n < x->n_defs; n++)
		if (!mir_alike(f, mir_op_reg(mir_op(f, a, n)), mir_op_reg(mir_op(f, b, n))))
			return false;
	for (u32 n = x->n_defs; n < x->n_ops; n++) {
		const MirOp *o = source(f, a, n), *p = source(f, b, n);
		if (op_order(o, p) || o->type != p->type || ((o->flags ^ p->flags) & SAME_FLAGS))
			return false;
	}
	return true;
}

/* ---- the second walk ---- */

static void take_bound(Cse *c)
{
	MirPressure most = mir_rpa_most(c->rpa);
	memcpy(c->bound, most.unit, sizeof c->bound);
}

static void use_pressure(Cse *c, MirRpa *rpa)
{
	c->rpa = rpa;
	c->is_changed = bitset_new(c->cx->scratch, c->f->vreg.n);
	take_bound(c);
}

/* What replacements have changed since the last time. */
static void update_pressure(Cse *c)
{
	if (knob_bool(c->cx->s, KNOB_incremental_update_mcse))
		mir_rpa_update(c->rpa, c->changed_regs.p, c->changed_regs.n);
	else
		mir_rpa_recompute(c->rpa);
	mir_rpa_check(c->cx, c->rpa);
	for (u32 k = 0; k < c->changed_regs.n; k++)
		bitset_del(c->is_changed, c->changed_regs.p[k]);
	c->changed_regs.n = 0;
	take_bound(c);
}

static void note_changed(Cse *c, MirReg r)
{
	if (!mir_is_virt(r) || bitset_has(c->is_changed, r.i))
		return;
	bitset_add(c->is_changed, r.i);
	vec_push(c->cx->scratch, &c->changed_regs, r.i);
}

static bool exceeds(const Cse *c, const u32 *unit, const u32 *more)
{
	MirPressure p = {{0}, {0}};
	for (u32 k = 0; k < FILE_COUNT; k++)
		p.unit[k] = unit[k] + more[k];
	for (u32 k = 0; k < FILE_COUNT; k++)
		if (more[k] && c->target[k] && mir_pressure_regs(&p, (IsaFile)k) > c->target[k])
			return true;
	return false;
}

static bool lives_at(const Cse *c, MirReg r, u32 slot)
{
	const MirRange *range = mir_range(c->rpa->ranges, r);
	return range && mir_range_at(c->rpa->ranges, range, slot);
}

enum { MOST_BLOCKS = 256 }; /* that one question may look at; a value that would have to live longer stays apart */

enum { MOST_INSTRUCTIONS = 256 }; /* in front of `later`, that are looked at one by one; behind so many the block's peak counts */

/* Has the block of `later` no room for `more` from its start to `later`? */
static bool exceeds_before(Cse *c, MirInstId later, const u32 *more)
{
	MirBlockId b = {mir_inst(c->f, later)->block};
	if (!exceeds(c, c->rpa->block[b.i].peak.unit, more))
		return false;
	MirTracker t = mir_track_start(c->rpa, b);
	for (u32 k = 0; k < MOST_INSTRUCTIONS && t.next.i != later.i; k++)
		mir_track_advance(&t);
	return t.next.i != later.i || exceeds(c, t.peak.unit, more) || exceeds(c, t.now.unit, more) ||
	       exceeds(c, c->rpa->block[b.i].start.unit, more);
}

/* Blocks from that of `later` upwards in which `r` is not alive where they end: has one no room for `more`? */
static bool too_tight_above(Cse *c, MirReg r, MirInstId later, const u32 *more)
{
	const MirRanges *ranges = c->rpa->ranges;
	MirBlockId       from = {mir_inst(c->f, mir_def_inst(c->f, r))->block}, b = {mir_inst(c->f, later)->block};
	VecU32          *seen = &c->seen;
	if (lives_at(c, r, mir_slot_of(ranges->slots, later)))
		return false;
	seen->n = 0;
	vec_push(c->cx->scratch, seen, b.i);
	bitset_add(c->is_seen, b.i);
	bool tight = false;
	for (u32 k = 0; k < seen->n && !tight; k++) {
		b.i = seen->p[k];
		tight = seen->n > MOST_BLOCKS ||
		        (k ? exceeds(c, c->rpa->block[b.i].peak.unit, more) : exceeds_before(c, later, more));
		if (b.i == from.i || lives_at(c, r, mir_slot_start(ranges->slots, b)))
			continue;
		mir_each_pred(c->f, b, e)
			if (!bitset_has(c->is_seen, e->from) &&
			    !lives_at(c, r, mir_slot_last(c->f, ranges->slots, (MirBlockId){e->from}))) {
				vec_push(c->cx->scratch, seen, e->from);
				bitset_add(c->is_seen, e->from);
			}
	}
	for (u32 k = 0; k < seen->n; k++)
		bitset_del(c->is_seen, seen->p[k]);
	return tight;
}

/* Would a longer life of the earlier values hurt on the way to the later ones? */
static bool too_tight(Cse *c, MirInstId earlier, MirInstId later)
{
	u32 more[FILE_COUNT] = {0};
	for (u32 n = 0; n < mir_inst(c->f, earlier)->n_defs; n++) {
		const IsaClassInfo *info = &isa_class_info[mir_class(c->f, mir_op_reg(mir_op(c->f, earlier, n)))];
		more[info->file] += c->target[info->file] ? info->units : 0;
	}
	if (!more[FILE_R] && !more[FILE_P])
		return false;
	if (!c->rpa)
		use_pressure(c, mir_rpa(c->cx));
	if (exceeds(c, c->bound, more) && c->changed_regs.n)
		update_pressure(c);
	if (!exceeds(c, c->bound, more))
		return false;
	for (u32 n = 0; n < mir_inst(c->f, earlier)->n_defs; n++)
		if (too_tight_above(c, mir_op_reg(mir_op(c->f, earlier, n)), later, more))
			return true;
	return false;
}

/* ---- calls ---- */

enum { CHEAP_LATENCY = 6, CHEAP_CYCLES = 2 }; /* integer arithmetic of 32 bits */

static void find_calls(Cse *c)
{
	if (c->f->is_kernel)
		return;
	mir_each_block(c->f, b)
		mir_each_inst(c->f, b, i)
			if (mir_desc(c->f, i)->flags & IF_CALL) {
				if (!c->calls.w)
					c->calls = bitset_new(c->cx->scratch, c->f->block.n);
				bitset_add(c->calls, b.i);
			}
}

static bool has_call_before(const Cse *c, MirInstId later)
{
	for (MirInstId i = mir_prev(c->f, later); i.i; i = mir_prev(c->f, i))
		if (mir_desc(c->f, i)->flags & IF_CALL)
			return true;
	return false;
}

static bool is_read_in_seen(const Cse *c, MirReg r)
{
	mir_each_use(c->f, r, u)
		if (bitset_has(c->is_seen, mir_inst(c->f, (MirInstId){u->inst})->block))
			return true;
	return false;
}

static bool is_cheap(const Cse *c, MirInstId i)
{
	IsaCost cost = isa_cost(isa_machine(c->cx->s->target.sm), mir_desc(c->f, i));
	return mir_repeat(c->f, i) == MIR_REPEAT_ANYWHERE && cost.latency <= CHEAP_LATENCY && cost.cycles <= CHEAP_CYCLES;
}

/* Would the value of `earlier` live across a call for the sake of `later` alone? Then the function has to save a register for it, where
 * one instruction computes it again from operands that live there anyway. */
static bool saves_register(Cse *c, MirInstId earlier, MirInstId later)
{
	const MirFunc *f = c->f;
	MirBlockId     from = {mir_inst(f, earlier)->block}, to = {mir_inst(f, later)->block};
	MirReg         r = mir_op_reg(mir_op(f, earlier, 0));
	if (!c->calls.w || from.i == to.i || mir_inst(f, earlier)->n_defs != 1 ||
	    isa_class_info[mir_class(f, r)].file != FILE_R || !is_cheap(c, earlier))
		return false;
	bool across = bitset_has(c->calls, to.i) && has_call_before(c, later);
	c->seen.n = 0;
	vec_push(c->cx->scratch, &c->seen, to.i);
	bitset_add(c->is_seen, to.i);
	for (u32 k = 0; k < c->seen.n && c->seen.n <= MOST_BLOCKS; k++)
		mir_each_pred(f, ((MirBlockId){c->seen.p[k]}), e)
			if (e->from != from.i && !bitset_has(c->is_seen, e->from)) {
				across |= bitset_has(c->calls, e->from);
				vec_push(c->cx->scratch, &c->seen, e->from);
				bitset_add(c->is_seen, e->from);
			}
	across &= c->seen.n <= MOST_BLOCKS && !is_read_in_seen(c, r);
	for (u32 k = 0; k < c->seen.n; k++)
		bitset_del(c->is_seen, c->seen.p[k]);
	return across;
}

static MirInstId find(const Cse *c, Candidate x)
{
	for (u32 at = c->bucket[x.hash & c->bucket_mask]; at; at = c->entry.p[at - 1].next)
		if (c->entry.p[at - 1].hash == x.hash && same(c->f, (MirInstId){c->entry.p[at - 1].inst}, (MirInstId){x.inst}))
			return (MirInstId){c->entry.p[at - 1].inst};
	return (MirInstId){0};
}

static void enter(Cse *c, Candidate x)
{
	u32 *newest = &c->bucket[x.hash & c->bucket_mask];
	vec_push(c->cx->scratch, &c->entry, ((Entry){x.inst, x.hash, *newest}));
	*newest = c->entry.n;
}

static void leave(Cse *c, u32 mark)
{
	while (c->entry.n > mark) {
		Entry e = vec_pop(&c->entry);
		c->bucket[e.hash & c->bucket_mask] = e.next;
	}
}

/* The registers of both instructions live longer or shorter from here on; results of `had` longer. */
static void note_replaced(Cse *c, MirInstId i, MirInstId had)
{
	for (u32 n = 0; n < mir_inst(c->f, i)->n_ops; n++)
		note_changed(c, mir_op_reg(mir_op(c->f, i, n)));
	for (u32 n = 0; n < mir_inst(c->f, had)->n_defs; n++) {
		MirReg r = mir_op_reg(mir_op(c->f, had, n));
		if (!bitset_has(c->is_changed, r.i))
			c->bound[isa_class_info[mir_class(c->f, r)].file] += isa_class_info[mir_class(c->f, r)].units;
		note_changed(c, r);
	}
}

static void replace(Cse *c, MirInstId i, MirInstId had)
{
	MirFunc *f = c->f;
	if (pass_wants_remarks(c->cx))
		pass_remark(c->cx, REMARK_PASSED, mir_inst(f, i)->origin, "%.*s has been computed in bb.%u already",
		            STR_ARG(mir_desc(f, i)->mnemonic), mir_block(f, (MirBlockId){mir_inst(f, had)->block})->number);
	if (c->rpa)
		note_replaced(c, i, had);
	for (u32 n = 0; n < mir_inst(f, i)->n_defs; n++) {
		MirReg keep = mir_op_reg(mir_op(f, had, n));
		mir_op(f, had, n)->flags &= (u16)~MOF_DEAD;
		if (knob_bool(c->cx->s, KNOB_copy_prop_mcse))
			mir_replace_uses(f, mir_op_reg(mir_op(f, i, n)), keep);
		else
			mirpass_copy_before(f, i, mir_op_reg(mir_op(f, i, n)), keep);
	}
	mir_erase(f, i);
	c->changed = true;
	if (c->rpa && (knob_bool(c->cx->s, KNOB_verify_update_mcse) || !knob_bool(c->cx->s, KNOB_incremental_update_mcse)))
		update_pressure(c);
}

static void say_tight(Cse *c, MirInstId i, MirInstId had)
{
	IsaFile file = (IsaFile)isa_class_info[mir_class(c->f, mir_op_reg(mir_op(c->f, i, 0)))].file;
	if (pass_wants_remarks(c->cx))
		pass_remark(c->cx, REMARK_MISSED, mir_inst(c->f, i)->origin,
		            "%.*s is computed again: kept from bb.%u, its value would exceed the target of %u %s",
		            STR_ARG(mir_desc(c->f, i)->mnemonic),
		            mir_block(c->f, (MirBlockId){mir_inst(c->f, had)->block})->number, c->target[file],
		            file == FILE_P ? "predicates" : "registers");
}

/* A scaled index, which has been computed in another block? ptxas makes it and the addition to an address one instruction (IMAD.WIDE),
 * so it costs nothing there, and the index has one register where the product has two. */
static bool is_scaled_index(const Cse *c, MirInstId earlier, MirInstId later)
{
	const MirFunc *f = c->f;
	const IsaDesc *d = mir_desc(f, later);
	return d->opc.op == ISA_mul_lo && d->opc.slot[SLOT_op] == TOK_op_wide && mir_op(f, later, 2)->kind == MO_IMM &&
	       mir_inst(f, earlier)->block != mir_inst(f, later)->block;
}

static void visit(Cse *c, u32 from, u32 to)
{
	for (u32 k = from; k < to; k++) {
		Candidate x = c->candidate.p[k];
		MirInstId had = find(c, x), i = {x.inst};
		bool      tight = had.i && too_tight(c, had, i);
		bool      behind_call = had.i && !tight && saves_register(c, had, i);
		bool      apart = tight || behind_call || (had.i && is_scaled_index(c, had, i));
		if (tight)
			say_tight(c, i, had);
		else if (behind_call)
			pass_remark(c->cx, REMARK_MISSED, mir_inst(c->f, i)->origin, "%.*s is computed again behind a call",
			            STR_ARG(mir_desc(c->f, i)->mnemonic));
		if (had.i && !apart)
			replace(c, i, had);
		else
			enter(c, x);
	}
}

/* Preorder of the dominator tree; the entries of a block go when the walk leaves its subtree. */
static void walk(Cse *c)
{
	const DomTree *t = c->dom;
	u32 *mark = arena_array(c->cx->scratch, u32, t->n + 1), *path = arena_array(c->cx->scratch, u32, t->n + 1), depth = 0;
	for (u32 k = 0; k < t->reached; k++) {
		u32 node = t->pre[k];
		while (depth && !dom_dominates(t, path[depth - 1], node))
			leave(c, mark[--depth]);
		path[depth] = node;
		mark[depth++] = c->entry.n;
		visit(c, k ? c->end[k - 1] : 0, c->end[k]);
	}
}

static bool run(PassCx *cx)
{
	Cse c = {.cx = cx, .f = mirpass_func(cx)};
	if (!c.f->first_block)
		return false;
	c.cfg = mir_cfg(cx);
	c.dom = mir_dom(cx);
	collect(&c);
	if (!c.candidate.n)
		return false;
	u32 buckets = 64;
	while (buckets < c.candidate.n)
		buckets *= 2;
	c.bucket = arena_array(cx->scratch, u32, buckets);
	c.bucket_mask = buckets - 1;
	c.is_seen = bitset_new(cx->scratch, c.f->block.n);
	find_calls(&c);
	if (knob_bool(cx->s, KNOB_rp_aware_mcse))
		c.target[FILE_R] = mir_budget(c.f, FILE_R).target;
	if (knob_bool(cx->s, KNOB_pred_aware_mcse))
		c.target[FILE_P] = mir_budget(c.f, FILE_P).target;
	MirRpa *known = pass_analysis_if_known(cx, AN_MIR_RPA_ID);
	if (known)
		use_pressure(&c, known);
	else
		pass_invalidate(cx, AN_ALL & ~(u32)AN_MIR_RANGES); /* no replacement before the first question updates them */
	walk(&c);
	if (c.changed_regs.n)
		update_pressure(&c);
	return c.changed;
}

static bool wanted(const Session *s) { return knob_bool(s, KNOB_enable_mcse); }

static const Knob knobs[] = {KNOB_rp_aware_mcse,
                             KNOB_pred_aware_mcse,
                             KNOB_reg_target_adjust,
                             KNOB_pred_target_adjust,
                             KNOB_copy_prop_mcse,
                             KNOB_incremental_update_mcse,
                             KNOB_verify_update_mcse,
                             KNOB_print_verify,
                             KNOB_nv_remat_default_max_reg,
                             KNOB_maxreg,
                             KNOB_NONE};

const Pass mirpass_machine_cse = {
	.id = "machine-cse",
	.title = "Machine Common Subexpression Elimination",
	.summary = "Reuses the result of an equal instruction in a dominating position, unless register pressure is too high.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_machine_cse,
	.gated = wanted,
	.knobs = knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL | AN_MIR_RANGES | AN_MIR_RPA,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
