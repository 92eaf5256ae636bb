/* machine-outliner: sequences of instructions that occur often become functions.
 *
 *	k: … a; b; c; d; …              k: … { call.uni OUTLINED_FUNCTION_0, (%r1); } …
 *	m: … a; b; c; d; …       →      m: … { call.uni OUTLINED_FUNCTION_0, (%r7); } …
 *	                                OUTLINED_FUNCTION_0: a; b; c; d; ret
 *
 * The instructions of all functions are written as one text of numbers: equal ones (opcode, constants, classes of registers,
 * whatever the registers are) have one number, and what may not be outlined has a number of its own, as has the end of a block. The
 * repeats of this text (base/repeats.h) are divided into groups of places whose registers follow the same pattern. A stub sees
 * no register of its callers: what the sequence reads is passed as parameters, and what it writes and others read is returned, of
 * which there may be one. Predicates and other registers that are no scalars of 32 or 64 bits cannot be passed.
 *
 * Not outlined: terminators, calls, barriers and other convergent operations, inline asm, what has side effects beyond memory,
 * guarded instructions, carry chains, images, and what belongs to one function: frame registers, parameters, names of
 * variables (a variable that one function uses is declared in it).
 *
 * Cost, in bytes of SASS, 16 an instruction:
 *	not outlined   occurrences × sequence
 *	outlined       occurrences × (call + arguments + result) + sequence + return + result
 * where each argument and result is a move. With guaranteed-beneficial (the strict model) a call also sets the return address and
 * keeps the convergence barrier, CALL_OVERHEAD instructions, the stub moves its arguments to where they are wanted, and a
 * sequence counts as what ptxas can make of it: two logic operations or two sums are one instruction. (The first model saves
 * 33 of 1414 instructions of sha256.ll; without the fused pairs the second one made it 27 longer.)
 * Candidates of at least outliner-benefit-threshold are taken by falling benefit, as far as their places do not overlap.
 *
 * Off by default. Cost: the text times a constant (MOST_WORK bounds what is done for repeats within repeats). */
#include "base/hash.h"
#include "base/map.h"
#include "base/repeats.h"
#include "base/sort.h"
#include "mirpass/outliner.h"

enum { DISABLE, ENABLE, STRICT }; /* the values of enable-machine-outliner */
enum { BYTES = 16, CALL_OVERHEAD = 3, LEAST_LENGTH = 2, MOST_WORK = 64 };

typedef struct Candidate {
	u32    length, out, n_in;
	u64    hash; /* of its registers */
	VecU32 place;
	i64    benefit;
} Candidate;

typedef struct Outliner {
	PassCx *cx;
	Arena  *a;
	Vec(OutlinePlace) unit; /* by place in the text; first.i 0: none */
	VecU32 text;
	Map    shape;    /* hash of an instruction → its number + 1 */
	u32    unique;   /* the last number that was given to one alone */
	u32  **place_of; /* by number of the function: by instruction, 1 + its place */
	u32   *n_places; /* by number of the function: instructions there were */
	u32    callseq;  /* a number that no call has */
	Vec(Candidate) candidate;
	OutlineNames names, other;
	Map          number; /* register → 1 + number, in what is being described */
	bool        *taken;  /* by place */
} Outliner;

/* ---- the text ---- */

static bool may_outline(const MirFunc *f, MirInstId i)
{
	const u32 never = IF_TERMINATOR | IF_CALL | IF_INDIRECT | IF_CONVERGENT | IF_SIDE_EFFECTS | IF_GENERIC | IF_VARIADIC |
	                  IF_CARRY_IN | IF_CARRY_OUT | IF_ASYNC | IF_FENCE | IF_TEXTURE | IF_SURFACE | IF_MATRIX | IF_META;
	const IsaDesc *d = mir_desc(f, i);
	if (d->flags & never || mir_inst(f, i)->flags & (MIF_SIDE_EFFECT | MIF_NO_DUP) || d->opc.slot[SLOT_guard])
		return false;
	if (d->opc.op == ISA_sreg && isa_sreg(d->opc.slot[SLOT_sreg])->divergence == DIV_VOLATILE)
		return false;
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		bool         constant = o->kind == MO_IMM || o->kind == MO_FPIMM || o->kind == MO_NONE;
		if (o->tie || o->flags & (MOF_UNDEF | MOF_IMPLICIT) || (!constant && !mir_is_virt(mir_op_reg(o))))
			return false;
	}
	return true;
}

static u64 shape_of(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	const MirMem  *m = mir_mem(f, i);
	u64            h = hash_mix((u64)mi->desc << 32 | mi->n_ops, (u64)mi->flags << 32 | mi->extra);
	for (u32 n = 0; n < mi->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		bool         reg = o->kind == MO_REG;
		h = hash_mix(h, (u64)(o->flags & (MOF_DEF | MOF_NOT)) << 16 | (u64)o->type << 8 | o->kind);
		h = hash_mix(h, reg ? (u64)mir_class(f, mir_op_reg(o)) : (u64)o->imm);
	}
	if (m)
		h = hash_mix(h, (u64)m->size << 32 | (u64)m->space << 16 | (u64)m->align_log2 << 8 | m->flags);
	return m ? hash_mix(h, (u64)m->ordering << 8 | m->scope) : h;
}

static void write_unit(Outliner *o, MirFunc *f, MirInstId i)
{
	u32 number = --o->unique;
	if (i.i && may_outline(f, i)) {
		u64 *known = map_put(&o->shape, shape_of(f, i), NULL);
		if (!*known)
			*known = o->shape.live;
		number = (u32)*known - 1;
		o->unique++;
	}
	vec_push(o->a, &o->text, number);
	vec_push(o->a, &o->unit, ((OutlinePlace){f, i}));
}

static void write_text(Outliner *o)
{
	const MirModule *m = o->cx->mir;
	o->place_of = arena_array(o->a, u32 *, m->func.n);
	o->n_places = arena_array(o->a, u32, m->func.n);
	for (u32 k = 0; k < m->func.n; k++) {
		MirFunc *f = m->func.p[k];
		u32     *places = o->place_of[f->number] = arena_array(o->a, u32, f->inst.n);
		o->n_places[f->number] = f->inst.n;
		mir_each_block(f, b) {
			mir_each_inst(f, b, i) {
				if (mir_inst(f, i)->desc == ISA_Callseq_Start)
					o->callseq = PS_MAX(o->callseq, (u32)mir_op(f, i, 0)->imm + 1);
				write_unit(o, f, i);
				places[i.i] = o->text.n;
			}
			write_unit(o, f, (MirInstId){0});
		}
	}
}

/* ---- what a sequence reads and writes ---- */

static bool can_pass(const MirFunc *f, u32 reg)
{
	MirClass c = mir_class(f, (MirReg){reg});
	return c == MIR_B32 || c == MIR_B64 || c == MIR_F32 || c == MIR_F64;
}

/* Is the register read by an instruction that is not in the sequence? */
static bool is_read_outside(const Outliner *o, const MirFunc *f, u32 reg, u32 at, u32 length)
{
	u32 k = f->number;
	mir_each_use(f, (MirReg){reg}, x) {
		u32 place = x->inst < o->n_places[k] ? o->place_of[k][x->inst] : 0;
		if (!place || place - 1 < at || place - 1 >= at + length)
			return true;
	}
	return false;
}

/* The registers of the sequence at `at`, numbered; false: it cannot be outlined. */
static bool describe(Outliner *o, u32 at, u32 length, OutlineNames *names)
{
	const MirFunc *f = o->unit.p[at].f;
	bool           is_in[OUTLINE_MOST_REGS], is_def[OUTLINE_MOST_REGS];
	names->n = names->n_in = 0;
	names->hash = length;
	names->out = OUTLINE_NONE;
	map_clear(&o->number);
	for (u32 k = at; k < at + length; k++) {
		MirInstId      i = o->unit.p[k].first;
		const MirInst *mi = mir_inst(f, i);
		for (u32 step = 0; step < mi->n_ops; step++) {
			const MirOp *x = mir_op(f, i, (step + mi->n_defs) % mi->n_ops); /* what is read comes first */
			if (x->kind != MO_REG)
				continue;
			u64 *number = map_put(&o->number, x->ref, NULL);
			if (!*number) {
				if (names->n == OUTLINE_MOST_REGS)
					return false;
				names->reg[names->n++] = x->ref;
				*number = names->n;
				is_in[names->n - 1] = !mir_op_is_def(x);
				is_def[names->n - 1] = false;
				if (!mir_op_is_def(x)) {
					if (names->n_in == OUTLINE_MOST_INPUTS || !can_pass(f, x->ref))
						return false;
					names->in[names->n_in++] = names->n - 1;
				}
			}
			is_def[*number - 1] |= mir_op_is_def(x);
			names->hash = hash_mix(names->hash, *number);
		}
	}
	for (u32 k = 0; k < names->n; k++) {
		if (!is_def[k] || (!is_in[k] && !is_read_outside(o, f, names->reg[k], at, length)))
			continue;
		if (names->out != OUTLINE_NONE || !can_pass(f, names->reg[k]))
			return false;
		names->out = k;
	}
	return true;
}

/* Are the instructions of two places equal? Their numbers, which are hashes, are. */
static bool are_equal(const Outliner *o, u32 x, u32 y, u32 length)
{
	for (u32 k = 0; k < length; k++) {
		OutlinePlace   a = o->unit.p[x + k], b = o->unit.p[y + k];
		const MirInst *p = mir_inst(a.f, a.first), *q = mir_inst(b.f, b.first);
		if (p->desc != q->desc || p->n_ops != q->n_ops || p->flags != q->flags)
			return false;
		for (u32 n = 0; n < p->n_ops; n++) {
			const MirOp *c = mir_op(a.f, a.first, n), *d = mir_op(b.f, b.first, n);
			bool         same = c->kind == MO_REG ? mir_class(a.f, mir_op_reg(c)) == mir_class(b.f, mir_op_reg(d))
			                                      : c->imm == d->imm && c->type == d->type;
			if (c->kind != d->kind || !same)
				return false;
		}
	}
	return true;
}

/* ---- candidates ---- */

/* Instructions of SASS at least: ptxas makes one of two logic operations (LOP3), and of two sums (IADD3). */
static u32 least_instructions(const Outliner *o, const Candidate *c)
{
	u32 logic = 0, sums = 0, others = 0;
	for (u32 k = 0; k < c->length; k++) {
		OutlinePlace at = o->unit.p[c->place.p[0] + k];
		switch (mir_desc(at.f, at.first)->opc.op) {
		case ISA_and:
		case ISA_or:
		case ISA_xor:
		case ISA_not: logic++; break;
		case ISA_add:
		case ISA_sub: sums++; break;
		default: others++;
		}
	}
	return (logic + 1) / 2 + (sums + 1) / 2 + others;
}

static i64 benefit_of(const Outliner *o, const Candidate *c, u32 places)
{
	bool strict = knob_int(o->cx->s, KNOB_enable_machine_outliner) == STRICT;
	u32  result = c->out != OUTLINE_NONE, own = strict && c->place.n ? least_instructions(o, c) : c->length;
	i64  call = 1 + (i64)c->n_in + result + (strict ? CALL_OVERHEAD : 0);
	i64  stub = (i64)own + 1 + result + (strict ? (i64)c->n_in : 0);
	return ((i64)places * ((i64)own - call) - stub) * BYTES;
}

static bool is_worth(const Outliner *o, const Candidate *c)
{
	return c->place.n > 1 && c->benefit > 0 && c->benefit >= knob_int(o->cx->s, KNOB_outliner_benefit_threshold);
}

/* The groups of a repeat's places whose registers follow one pattern. */
static void divide(Outliner *o, const Repeat *r, const u32 *places, u32 length)
{
	Vec(Candidate) group = {0};
	for (u32 k = 0; k < r->n; k++) {
		u32 at = places[k], g = 0;
		if (!describe(o, at, length, &o->names))
			continue;
		for (; g < group.n; g++) {
			const Candidate *c = &group.p[g];
			if (c->hash == o->names.hash &&
			    (c->out == o->names.out || c->out == OUTLINE_NONE || o->names.out == OUTLINE_NONE) &&
			    are_equal(o, c->place.p[0], at, length))
				break;
		}
		if (g == group.n)
			vec_push(o->a, &group, ((Candidate){.length = length, .out = OUTLINE_NONE, .hash = o->names.hash}));
		Candidate *c = &group.p[g];
		if (c->place.n && vec_last(&c->place) + length > at)
			continue;
		c->n_in = o->names.n_in;
		c->out = c->out == OUTLINE_NONE ? o->names.out : c->out;
		vec_push(o->a, &c->place, at);
	}
	for (u32 g = 0; g < group.n; g++) {
		group.p[g].benefit = benefit_of(o, &group.p[g], group.p[g].place.n);
		if (is_worth(o, &group.p[g]))
			vec_push(o->a, &o->candidate, group.p[g]);
	}
}

static int by_room(const void *a, const void *b, void *user)
{
	const Repeat *x = a, *y = b;
	u64           p = (u64)x->length * x->n, q = (u64)y->length * y->n;
	(void)user;
	return (p < q) - (p > q);
}

static void find_candidates(Outliner *o)
{
	Repeats r = repeats_find(o->text.p, o->text.n, LEAST_LENGTH, o->a);
	u64     work = 0, most = (u64)MOST_WORK * o->text.n;
	sort_stable(o->a, r.list.p, r.list.n, sizeof(Repeat), by_room, NULL);
	for (u32 k = 0; k < r.list.n; k++) {
		const Repeat *x = &r.list.p[k];
		u32           length = PS_MIN(x->length, (u32)OUTLINE_MOST_LENGTH);
		if ((work += (u64)length * x->n) > most)
			break;
		u32 *places = arena_array(o->a, u32, x->n);
		memcpy(places, r.place + x->first, x->n * sizeof(u32));
		sort_u32(o->a, places, x->n);
		divide(o, x, places, length);
	}
}

static int by_benefit(const void *a, const void *b, void *user)
{
	const Candidate *x = a, *y = b;
	(void)user;
	if (x->benefit != y->benefit)
		return x->benefit < y->benefit ? 1 : -1;
	return (x->place.p[0] > y->place.p[0]) - (x->place.p[0] < y->place.p[0]);
}

/* ---- outlining ---- */

/* Drops the places that have been taken, and those whose registers have other readers than they had. */
static void keep_free_places(Outliner *o, Candidate *c)
{
	u32 n = 0, out = OUTLINE_NONE;
	for (u32 k = 0; k < c->place.n; k++) {
		u32  at = c->place.p[k];
		bool free = true;
		for (u32 j = 0; j < c->length && free; j++)
			free = !o->taken[at + j];
		if (!free || !describe(o, at, c->length, &o->names))
			continue;
		if (out != OUTLINE_NONE && o->names.out != OUTLINE_NONE && o->names.out != out)
			continue;
		out = out == OUTLINE_NONE ? o->names.out : out;
		c->place.p[n++] = at;
	}
	c->place.n = n;
	c->out = out;
	c->benefit = benefit_of(o, c, n);
}

static void outline(Outliner *o, const Candidate *c, u32 *number)
{
	OutlineStub stub = {.cx = o->cx, .like = o->unit.p[c->place.p[0]], .length = c->length, .out = c->out};
	u32         line = mir_inst(stub.like.f, stub.like.first)->origin;
	describe(o, c->place.p[0], c->length, &stub.names);
	outline_make_stub(&stub, number);
	for (u32 k = 0; k < c->place.n; k++) {
		u32 at = c->place.p[k];
		describe(o, at, c->length, &o->names);
		for (u32 j = 0; j < c->length; j++)
			o->taken[at + j] = true;
		outline_call(&stub, o->unit.p[at], &o->names, o->callseq++);
	}
	o->cx->s->function = strtab_get(&o->cx->s->strs, stub.like.f->name);
	pass_remark(o->cx, REMARK_PASSED, line, "%u instructions that occur %u times become %.*s, which saves %lld bytes",
	            c->length, c->place.n, STR_ARG(strtab_get(&o->cx->s->strs, stub.name)), (long long)c->benefit);
}

/* PTX wants a function before its callers. */
static void stubs_first(MirModule *m, Arena *a, u32 n)
{
	u32       stubs = m->func.n - n;
	MirFunc **old = arena_array(a, MirFunc *, m->func.n);
	memcpy(old, m->func.p, m->func.n * sizeof *old);
	memcpy(m->func.p, old + n, stubs * sizeof *old);
	memcpy(m->func.p + stubs, old, n * sizeof *old);
}

static bool run(PassCx *cx)
{
	Outliner *o = arena_new(cx->scratch, Outliner);
	u32       number = 0, n = cx->mir->func.n;
	if (!cx->ir)
		return false;
	o->cx = cx;
	o->a = cx->scratch;
	o->unique = UINT32_MAX;
	map_init(&o->shape, o->a);
	map_init(&o->number, o->a);
	write_text(o);
	find_candidates(o);
	sort_stable(o->a, o->candidate.p, o->candidate.n, sizeof(Candidate), by_benefit, NULL);
	o->taken = arena_array(o->a, bool, o->text.n);
	for (u32 k = 0; k < o->candidate.n; k++) {
		Candidate *c = &o->candidate.p[k];
		keep_free_places(o, c);
		if (is_worth(o, c))
			outline(o, c, &number);
	}
	stubs_first(cx->mir, o->a, n);
	return number != 0;
}

static bool is_on(const Session *s) { return knob_int(s, KNOB_enable_machine_outliner) != DISABLE; }

static const Knob knobs[] = {KNOB_enable_machine_outliner, KNOB_outliner_benefit_threshold, KNOB_NONE};

const Pass mirpass_machine_outliner = {
	.id = "machine-outliner",
	.title = "Machine Outliner",
	.summary = "Makes functions of sequences that occur often",
	.group = "post-ra",
	.level = PASS_MIR,
	.scope = PASS_MODULE,
	.gated = is_on,
	.knobs = knobs,
	.run = run,
};
