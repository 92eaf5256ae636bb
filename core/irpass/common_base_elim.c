/* common-base-elim: addresses that differ by a constant share one computation.
 *
 *   %a = getelementptr double, ptr %p, i64 %i          %a = getelementptr double, ptr %p, i64 %i
 *   %s = shl i64 %i, 3                          →      %b = getelementptr i8, ptr %a, i64 16
 *   %t = add i64 %s, 16
 *   %b = getelementptr i8, ptr %p, i64 %t
 *
 * Every getelementptr with a variable index is written as base + sum of scale × value + constant, through chains of
 * getelementptrs and 64-bit additions, subtractions, shifts and multiplications by constants. The sum is sorted, so that the order
 * and the form of the computation do not matter. Where an address of the same base and sum stands on every path to it, a
 * getelementptr becomes that address plus the difference of the constants, which an access encodes for nothing. Where the two
 * stand in the two successors of a branch, the first one moves in front of the branch: one of them is computed in any case. First,
 * what at least three blocks compute moves in front of them (busy.c).
 *
 * An extended index is not looked into: separate-const-offset-from-gep, which runs before, has taken constants out of it, and
 * what is extended (nsw, nuw) may be poison where the other address is not. For the same reason an address that others now
 * depend on loses its flags, and those of the 64-bit operations that it is computed by.
 *
 * This is what early-cse does for equal expressions, for equal linear forms (Cocke, Kennedy: "An algorithm for reduction of
 * operator strength", 1977, calls the table of (base, multiplier, offset) by value the same). basr does it on machine code.
 * Needs and keeps SSA; touches no block. Only addresses of 64 bits; sums of at most MAX_TERMS values. Linear in getelementptrs,
 * each with at most MAX_STEPS operations and MAX_TRIES comparisons. */
#include "analysis/cfg.h"
#include "base/hash.h"
#include "ir/builder.h"
#include "irpass/busy.h"
#include "irpass/util.h"

enum { MAX_TERMS = 4, MAX_STEPS = 16, MAX_TRIES = 8 };

typedef struct Term {
	IrRef value;
	u32   ext; /* IR_SEXT, IR_ZEXT, NNEG; 0: none */
	u64   scale;
} Term;
enum { NNEG = IR_OP_COUNT }; /* a zext of what is poison where it is negative */

typedef struct Address {
	IrRef gep, base;
	u64   offset;
	u32   n_terms;
	u32   older; /* an address with the same hash: its number + 1, or 0 */
	Term  term[MAX_TERMS];
} Address;

typedef struct Form {
	IrModule *m;
	Address   a;
	IrRef     step[MAX_STEPS]; /* the operations that were looked through */
	u32       n_steps;
} Form;

typedef struct Bases {
	PassCx        *cx;
	IrModule      *m;
	const IrCfg   *cfg;
	const DomTree *dom;
	Map            by_hash; /* → number of the latest address + 1 */
	Vec(Address) known;
} Bases;

/* ---- linear forms ---- */

static bool add_term(Address *a, IrRef value, u32 ext, u64 scale)
{
	u32 at = 0;
	while (at < a->n_terms && (a->term[at].value.i < value.i || (ir_same(a->term[at].value, value) && a->term[at].ext < ext)))
		at++;
	if (at < a->n_terms && ir_same(a->term[at].value, value) && a->term[at].ext == ext) {
		a->term[at].scale += scale;
		if (!a->term[at].scale) {
			a->n_terms--;
			memmove(&a->term[at], &a->term[at + 1], (a->n_terms - at) * sizeof(Term));
		}
		return true;
	}
	if (a->n_terms == MAX_TERMS)
		return false;
	memmove(&a->term[at + 1], &a->term[at], (a->n_terms - at) * sizeof(Term));
	a->term[at] = (Term){value, ext, scale};
	a->n_terms++;
	return true;
}

static bool add_index(Form *f, IrRef v, u64 scale);

/* An operation on 64 bits whose operands are added each for itself. *done: it is one. */
static bool look_through(Form *f, IrRef v, u64 scale, bool *done)
{
	const IrModule *m = f->m;
	u64             c;
	u32             op = ir_inst(m, v)->op;
	bool            constant = ir_n_ops(m, v) == 2 && ir_as_int(m, ir_op(m, v, 1), &c);
	*done = op == IR_ADD || op == IR_SUB || (constant && (op == IR_MUL || (op == IR_SHL && c < 64)));
	if (!*done || f->n_steps == MAX_STEPS)
		return !(*done = false);
	f->step[f->n_steps++] = v;
	IrRef x = ir_op(m, v, 0), y = ir_op(m, v, 1);
	if (op == IR_MUL || op == IR_SHL)
		return add_index(f, x, op == IR_MUL ? scale * c : scale << c);
	return add_index(f, x, scale) && add_index(f, y, op == IR_ADD ? scale : 0 - scale);
}

static bool add_index(Form *f, IrRef v, u64 scale)
{
	const IrModule *m = f->m;
	IrType          t = ir_type_of(m, v);
	i64             c;
	bool            done;
	if (!ir_type_is_int(m, t) || ir_type(m, t)->bits > 64)
		return false;
	if (ir_as_sint(m, v, &c)) {
		f->a.offset += (u64)c * scale;
		return true;
	}
	if (ir_type(m, t)->bits < 64)
		return add_term(&f->a, v, IR_SEXT, scale);
	if (ir_kind(v) != IR_INST)
		return add_term(&f->a, v, 0, scale);
	u32 op = ir_inst(m, v)->op;
	if (op == IR_SEXT || op == IR_ZEXT)
		return add_term(&f->a, ir_op(m, v, 0), op == IR_ZEXT && ir_inst(m, v)->flags & IRF_NNEG ? (u32)NNEG : op, scale);
	bool ok = look_through(f, v, scale, &done);
	return done ? ok : add_term(&f->a, v, 0, scale);
}

static bool add_gep(Form *f, IrRef gep)
{
	IrType t = {0};
	if (!is_ptr(f->m, gep) || f->n_steps == MAX_STEPS)
		return false;
	f->step[f->n_steps++] = gep;
	for (u32 k = 1; k < ir_n_ops(f->m, gep); k++) {
		IrGepTerm s = ir_gep_term(f->m, gep, k, &t);
		if (ir_is_none(s.index))
			f->a.offset += (u64)s.bytes;
		else if (!add_index(f, s.index, (u64)s.bytes))
			return false;
	}
	return true;
}

/* The address in the form base + terms + offset; false: it is too long, or none. */
static bool read_address(Form *f, IrRef gep)
{
	f->n_steps = 0;
	f->a = (Address){.gep = gep, .base = gep};
	if (ir_index_bits(f->m, value_space(f->m, gep)) != 64)
		return false;
	while (is_inst(f->m, f->a.base, IR_GETELEMENTPTR)) {
		Address before = f->a;
		u32     steps = f->n_steps;
		if (!add_gep(f, f->a.base)) {
			f->a = before;
			f->n_steps = steps;
			break;
		}
		f->a.base = ir_op(f->m, f->a.base, 0);
	}
	return !ir_same(f->a.base, gep) && f->a.n_terms;
}

static u64 hash_address(const Address *a)
{
	u64 h = a->base.i;
	for (u32 k = 0; k < a->n_terms; k++)
		h = hash_mix(hash_mix(h, (u64)a->term[k].value.i << 8 | a->term[k].ext), a->term[k].scale);
	return h;
}

static bool same_sum(const Address *a, const Address *b)
{
	if (!ir_same(a->base, b->base) || a->n_terms != b->n_terms)
		return false;
	for (u32 k = 0; k < a->n_terms; k++)
		if (!ir_same(a->term[k].value, b->term[k].value) || a->term[k].ext != b->term[k].ext ||
		    a->term[k].scale != b->term[k].scale)
			return false;
	i64 difference = (i64)(a->offset - b->offset);
	return difference == (i32)difference; /* an access has 32 bits for it */
}

/* ---- sharing ---- */

static bool is_available_behind(const Bases *b, IrRef inst, u32 block)
{
	for (u32 k = 0; k < ir_n_ops(b->m, inst); k++) {
		IrRef x = ir_op(b->m, inst, k);
		if (ir_kind(x) == IR_INST && !dom_dominates(b->dom, ir_cfg_of(b->cfg, b->m, x), block))
			return false;
	}
	return true;
}

/* Do the two stand in the two successors of one branch, which are entered from there only? Then it is the branch's block. */
static u32 branch_above(const Bases *b, u32 x, u32 y)
{
	u32 above = b->dom->idom[x];
	if (x == y || above == GRAPH_NONE || b->dom->idom[y] != above || graph_succ(&b->cfg->graph, above).n != 2 ||
	    graph_pred(&b->cfg->graph, x).n != 1 || graph_pred(&b->cfg->graph, y).n != 1)
		return GRAPH_NONE;
	return above;
}

/* Makes the known address available to `gep`, moving it where that helps. */
static bool reaches(Bases *b, const Address *known, IrRef gep)
{
	u32 x = ir_cfg_of(b->cfg, b->m, known->gep), y = ir_cfg_of(b->cfg, b->m, gep);
	if (dom_dominates(b->dom, x, y))
		return true;
	u32 above = branch_above(b, x, y);
	if (above == GRAPH_NONE || !is_available_behind(b, known->gep, above))
		return false;
	ir_move_before(b->m, known->gep, ir_term(b->m, b->cfg->block[above]));
	return true;
}

static void drop_flags(Bases *b, IrRef gep)
{
	Form f = {.m = b->m};
	read_address(&f, gep);
	for (u32 k = 0; k < f.n_steps; k++)
		ir_inst(b->m, f.step[k])->flags &= ~(u32)(IRF_NUW | IRF_NSW | IRF_NUSW | IRF_INBOUNDS);
}

static void share(Bases *b, const Address *known, const Address *a)
{
	IrModule *m = b->m;
	IrRef     gep = a->gep, by = known->gep;
	i64       difference = (i64)(a->offset - known->offset);
	drop_flags(b, by);
	pass_remark(b->cx, REMARK_PASSED, value_line(m, gep), "the address is that of line %u plus %lld", value_line(m, by),
	            (long long)difference);
	if (difference) {
		IrBuilder at = ir_build_before(m, gep);
		by = ir_b_gep_bytes(&at, by, difference, 0);
		ir_take_place(m, by, gep);
	}
	ir_replace_all_uses(m, gep, by);
	remove_if_dead(b->cx, gep);
}

static bool visit(Bases *b, IrRef gep)
{
	Form f = {.m = b->m};
	i64  constant;
	if (ir_gep_offset(b->m, gep, &constant) || !read_address(&f, gep))
		return false;
	u64 *latest = map_put(&b->by_hash, hash_address(&f.a), NULL);
	u32  tries = 0;
	for (u32 k = (u32)*latest; k && tries < MAX_TRIES; k = b->known.p[k - 1].older, tries++) {
		const Address *known = &b->known.p[k - 1];
		if (ir_is_none(ir_inst(b->m, known->gep)->block) || !same_sum(known, &f.a))
			continue; /* the first: it died with what was computed from it */
		if (ir_type_same(ir_inst(b->m, known->gep)->type, ir_inst(b->m, gep)->type) && reaches(b, known, gep)) {
			share(b, known, &f.a);
			return true;
		}
		pass_remark(b->cx, REMARK_MISSED, value_line(b->m, gep),
		            "the address of line %u differs by a constant, but is not on every path",
		            value_line(b->m, known->gep));
	}
	f.a.older = (u32)*latest;
	vec_push(b->cx->scratch, &b->known, f.a);
	*latest = b->known.n;
	return false;
}

static bool run(PassCx *cx)
{
	Bases b = {.cx = cx, .m = cx->ir, .cfg = ir_cfg(cx), .dom = ir_dom(cx)};
	bool  changed = hoist_busy_addresses(cx);
	map_init(&b.by_hash, cx->scratch);
	for (u32 n = 0; n < b.cfg->order.n; n++) {
		IrRef next;
		for (IrRef i = ir_block(b.m, b.cfg->block[b.cfg->order.node[n]])->first; !ir_is_none(i); i = next) {
			next = ir_inst(b.m, i)->next;
			if (ir_inst(b.m, i)->op == IR_GETELEMENTPTR && is_ptr(b.m, i))
				changed |= visit(&b, i);
		}
	}
	return changed;
}

const Pass irpass_common_base_elim = {
	.id = "common-base-elim",
	.title = "Common Base Elimination",
	.summary = "Addresses that differ by a constant share one computation.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_common_base_elim,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(GETELEMENTPTR),
	.flags = PF_NVIDIA,
	.run = run,
};
