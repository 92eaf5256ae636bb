/* opt-phis: phis that say nothing.
 *
 *	%3 = PHI %1, %bb.0, %3, %bb.2                 readers of %3 read %1
 *	%5 = PHI %2, %bb.0, %6, %bb.1   with          (nothing), where %5 and %6 are read by each
 *	%6 = PHI %5, %bb.0, %5, %bb.1                 other alone
 *
 * A cycle of phis with one value from outside is that value; a cycle that only reads itself is dead. Both are
 * found by collecting the phis reached through phi operands (at most 16 of them, as longer cycles are rare). */
#include "mirpass/mirpass.h"

enum { MAX_CYCLE = 16 };

typedef struct Cycle {
	u32 phi[MAX_CYCLE], n;
} Cycle;

static bool is_phi(const MirFunc *f, MirInstId i) { return i.i && mir_inst(f, i)->desc == ISA_PHI; }

static bool has(const Cycle *c, u32 phi)
{
	for (u32 k = 0; k < c->n; k++)
		if (c->phi[k] == phi)
			return true;
	return false;
}

/* The one register that flows into the phi and those it reads; 0: none or several. */
static MirReg single_value(const MirFunc *f, MirInstId start)
{
	Cycle  c = {{start.i}, 1};
	MirReg value = {0};
	for (u32 k = 0; k < c.n; k++) {
		MirInstId p = {c.phi[k]};
		for (u32 n = 1; n < mir_inst(f, p)->n_ops; n += 2) {
			MirReg    r = mir_op_reg(mir_op(f, p, n));
			MirInstId d = mir_def_inst(f, r);
			if (is_phi(f, d) && has(&c, d.i))
				continue;
			if (is_phi(f, d) && c.n < MAX_CYCLE)
				c.phi[c.n++] = d.i;
			else if (value.i && value.i != r.i)
				return (MirReg){0};
			else
				value = r;
		}
	}
	return value;
}

/* Is the phi read by phis alone, all of them as useless? */
static bool dead_cycle(const MirFunc *f, MirInstId start, Cycle *c)
{
	*c = (Cycle){{start.i}, 1};
	for (u32 k = 0; k < c->n; k++) {
		MirReg r = mir_op_reg(mir_op(f, (MirInstId){c->phi[k]}, 0));
		mir_each_use(f, r, o) {
			MirInstId user = {o->inst};
			if (!is_phi(f, user))
				return false;
			if (has(c, user.i))
				continue;
			if (c->n == MAX_CYCLE)
				return false;
			c->phi[c->n++] = user.i;
		}
	}
	return true;
}

static bool simplify(MirFunc *f, MirInstId i)
{
	Cycle  c;
	MirReg result = mir_op_reg(mir_op(f, i, 0)), value = single_value(f, i);
	if (value.i && value.i != result.i && mir_alike(f, value, result)) {
		mir_erase(f, i);
		mir_replace_uses(f, result, value);
		return true;
	}
	if (!dead_cycle(f, i, &c))
		return false;
	for (u32 k = 0; k < c.n; k++)
		mir_erase(f, (MirInstId){c.phi[k]});
	return true;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	mir_each_block(f, b)
		for (MirInstId i = {mir_block(f, b)->first}, next; is_phi(f, i); i = next) {
			next = mir_next(f, i);
			if (simplify(f, i)) {
				next.i = mir_block(f, b)->first; /* others of this block may have gone too */
				changed = true;
			}
		}
	return changed;
}

const Pass mirpass_opt_phis = {
	.id = "opt-phis",
	.title = "Optimize machine instruction PHIs",
	.summary = "Deletes PHIs of a single value and cycles of PHIs without other uses.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
