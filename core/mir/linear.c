/* linear.c: follows a register of a loop from its readers to the values that it is computed from, see linear.h. */
#include "mir/linear.h"

enum { DEPTH = 8, MOST_DEFS = 16 };

#define LIMIT ((i64)1 << 31)

typedef struct Follower {
	const MirFunc *f;
	u32            block;
	u32            self; /* the register whose step is looked for; 0: none */
	u32            work;
} Follower;

static const MirLinear unknown;

static bool fits(i64 v) { return v > -LIMIT && v < LIMIT; }

static MirLinear constant(i64 v) { return (MirLinear){.known = fits(v), .offset = v}; }
static MirLinear term(MirReg r) { return (MirLinear){.known = true, .n = 1, .term[0] = {1, r.i}}; }

static MirLinear scaled(MirLinear x, i64 by)
{
	if (!x.known || !by || !fits(by))
		return by ? unknown : constant(0);
	x.offset *= by, x.step *= by;
	x.known = fits(x.offset) && fits(x.step);
	for (u32 k = 0; k < x.n; k++) {
		x.term[k].scale *= by;
		x.known &= fits(x.term[k].scale);
	}
	return x;
}

static MirLinear sum(const MirLinear *x, const MirLinear *y)
{
	MirLinear r = {.known = x->known && y->known, .offset = x->offset + y->offset, .step = x->step + y->step};
	for (u32 i = 0, k = 0; r.known && (i < x->n || k < y->n);) {
		MirLinearTerm t;
		if (k == y->n || (i < x->n && x->term[i].reg < y->term[k].reg))
			t = x->term[i++];
		else if (i == x->n || y->term[k].reg < x->term[i].reg)
			t = y->term[k++];
		else
			t = (MirLinearTerm){x->term[i].scale + y->term[k].scale, x->term[i].reg}, i++, k++;
		if (!t.scale)
			continue;
		if (r.n == LINEAR_TERMS || !fits(t.scale))
			return unknown;
		r.term[r.n++] = t;
	}
	r.known &= fits(r.offset) && fits(r.step);
	return r.known ? r : unknown;
}

/* ---- registers and instructions; their recursion is at most DEPTH deep ---- */

static MirLinear value(Follower *w, MirReg r, MirInstId at, u32 depth);

static MirLinear operand(Follower *w, MirInstId i, u32 n, u32 depth)
{
	const MirOp *o = mir_op(w->f, i, n);
	if (o->kind == MO_IMM)
		return constant(o->imm);
	return mir_op_is_use(o) && !(o->flags & (MOF_UNDEF | MOF_NOT)) ? value(w, mir_op_reg(o), i, depth) : unknown;
}

static MirLinear product(Follower *w, MirInstId i, u32 depth)
{
	const MirOp *x = mir_op(w->f, i, 1), *y = mir_op(w->f, i, 2);
	bool         wide = mir_desc(w->f, i)->opc.slot[SLOT_op] == TOK_op_wide;
	if (mir_desc(w->f, i)->opc.slot[SLOT_op] == TOK_op_hi || (y->kind != MO_IMM && x->kind != MO_IMM))
		return unknown;
	if (wide && isa_type(mir_desc(w->f, i)->opc.slot[SLOT_type])->bits != 32)
		return unknown;
	return y->kind == MO_IMM ? scaled(operand(w, i, 1, depth), y->imm) : scaled(operand(w, i, 2, depth), x->imm);
}

static bool is_word(u32 type)
{
	const IsaType *t = isa_type(type);
	return t->kind != ISA_KIND_FLOAT && t->lanes == 1 && (t->bits == 32 || t->bits == 64);
}

static MirLinear shifted(Follower *w, MirInstId i, u32 depth)
{
	const MirOp *by = mir_op(w->f, i, 2);
	if (by->kind != MO_IMM || by->imm < 0 || by->imm > 30)
		return unknown;
	return scaled(operand(w, i, 1, depth), (i64)1 << by->imm);
}

/* What `i`, an instruction of the loop, computes. */
static MirLinear expression(Follower *w, MirInstId i, u32 depth)
{
	const IsaDesc *d = mir_desc(w->f, i);
	const MirInst *mi = mir_inst(w->f, i);
	MirLinear      x, y;
	if (depth > DEPTH || mi->n_defs != 1 || d->opc.slot[SLOT_guard])
		return unknown;
	if (d->opc.op == ISA_COPY)
		return operand(w, i, 1, depth);
	if (d->opc.op >= ISA_OP_COUNT || !d->opc.slot[SLOT_type] || !is_word(d->opc.slot[SLOT_type]) || d->opc.slot[SLOT_sat])
		return unknown;
	switch (d->opc.op) {
	case ISA_mov: return operand(w, i, 1, depth);
	case ISA_cvt:
		if (!d->opc.slot[SLOT_stype] || !is_word(d->opc.slot[SLOT_stype]) ||
		    isa_type(d->opc.slot[SLOT_stype])->bits > isa_type(d->opc.slot[SLOT_type])->bits)
			return unknown;
		return operand(w, i, 1, depth);
	case ISA_or:
		if (!(mi->flags & MIF_DISJOINT))
			return unknown;
		/* fall through */
	case ISA_add: x = operand(w, i, 1, depth), y = operand(w, i, 2, depth); return sum(&x, &y);
	case ISA_sub: x = operand(w, i, 1, depth), y = scaled(operand(w, i, 2, depth), -1); return sum(&x, &y);
	case ISA_shl: return shifted(w, i, depth);
	case ISA_mul_lo: return product(w, i, depth);
	case ISA_mad_lo: x = product(w, i, depth), y = operand(w, i, 3, depth); return sum(&x, &y);
	default: return unknown;
	}
}

/* The one definition in the loop; *several: there are more, or so many in the function that they are not looked at. */
static MirInstId definition(const Follower *w, MirReg r, bool *several)
{
	MirInstId def = {0};
	*several = mir_vreg(w->f, r)->n_defs > MOST_DEFS;
	if (*several)
		return def;
	mir_each_def(w->f, r, o)
		if (mir_inst(w->f, (MirInstId){o->inst})->block == w->block) {
			*several |= def.i != 0;
			def.i = o->inst;
		}
	return def;
}

/* The register holds what the iteration before has left there: what it had at first, and a step for each iteration. */
static MirLinear recurrence(Follower *w, MirReg r, MirInstId def, u32 depth)
{
	MirLinear next, x = term(r);
	if (w->self)
		return w->self == r.i ? x : unknown;
	w->self = r.i;
	if (mir_inst(w->f, def)->desc == ISA_PHI) {
		u32 n = mir_phi_incoming(w->f, def, (MirBlockId){w->block});
		next = n && mir_op_is_use(mir_op(w->f, def, n))
		               ? value(w, mir_op_reg(mir_op(w->f, def, n)), (MirInstId){0}, depth + 1)
		               : unknown;
	} else {
		next = expression(w, def, depth + 1);
	}
	w->self = 0;
	if (!next.known || next.n != 1 || next.term[0].reg != r.i || next.term[0].scale != 1 || next.step)
		return unknown;
	x.step = next.offset;
	return x;
}

/* `at` 0: the end of the block. */
static MirLinear value(Follower *w, MirReg r, MirInstId at, u32 depth)
{
	bool several;
	if (!mir_is_virt(r) || depth > DEPTH || w->work++ > LINEAR_WORK)
		return unknown;
	MirInstId def = definition(w, r, &several);
	if (several)
		return unknown;
	if (!def.i)
		return term(r);
	bool behind = !at.i || (at.i != def.i && mir_before(w->f, def, at));
	return behind && mir_inst(w->f, def)->desc != ISA_PHI ? expression(w, def, depth + 1) : recurrence(w, r, def, depth);
}

MirLinear mir_linear(const MirFunc *f, MirInstId at, MirReg r)
{
	Follower w = {.f = f, .block = mir_inst(f, at)->block};
	return value(&w, r, at, 0);
}

bool mir_linear_difference(const MirLinear *x, const MirLinear *y, u32 d, i64 *difference)
{
	if (!x->known || !y->known || x->n != y->n || x->step != y->step)
		return false;
	for (u32 k = 0; k < x->n; k++)
		if (x->term[k].reg != y->term[k].reg || x->term[k].scale != y->term[k].scale)
			return false;
	*difference = y->offset - x->offset + (i64)d * y->step;
	return fits(*difference);
}
