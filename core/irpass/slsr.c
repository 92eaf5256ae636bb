/* slsr: an address that is another one plus a multiple of a value is computed from it (straight-line strength reduction).
 *
 *   %a = getelementptr float, ptr %p, i64 sext(%i)             %a = getelementptr float, ptr %p, i64 sext(%i)
 *   %s = add nsw i32 %i, %n                              →     %b = getelementptr float, ptr %a, i64 sext(%n)
 *   %b = getelementptr float, ptr %p, i64 sext(%s)
 *
 * The addition of 32 bits is saved: one instruction scales n, extends it and adds it to an address. Rows of a matrix and stencils
 * are such addresses: base + size × ext(i + k × n) with an integer k, of which one with k between 0 and that of the other, the
 * nearest one, is the basis. A sum or a difference is k = 1 or -1 of any value, a product with a constant or a shift another k.
 * Rows p + ext(8 × n), p + ext(16 × n) … lack the i: their products of 32 bits are saved.
 *
 * Extended sums are split only where they do not wrap: sext of nsw, zext of nuw. The basis is never poison where the address
 * is not: its index lies between i and i + k × n, and neither wraps. A zext nneg is taken for a sext; that of a basis becomes one,
 * as it may be poison, and the getelementptr loses its flags. Only where the sum has no other reader, and a product none but
 * addresses, which mostly come in rows, too: else it is computed anyway.
 *
 * The idea is that of LLVM's pass of this name (Allen, Cocke, Kennedy: "Reduction of operator strength", 1981, without loops).
 * Needs and keeps SSA; touches no block. Addresses of 64 bits with one index. Linear in getelementptrs: each looks at
 * MAX_TRIES others of the same base and i at most. */
#include "analysis/cfg.h"
#include "base/hash.h"
#include "ir/builder.h"
#include "irpass/util.h"

enum { MAX_TRIES = 16 };

/* base + size × ext(root + times × stride); root or stride none: without that */
typedef struct Row {
	IrRef gep, base, root, stride;
	u64   size;
	u32   ext; /* IR_SEXT or IR_ZEXT */
	i64   times;
	u32   older; /* one with the same hash: its number + 1, or 0 */
} Row;

typedef struct Slsr {
	PassCx        *cx;
	IrModule      *m;
	const IrCfg   *cfg;
	const DomTree *dom;
	Map            by_hash; /* → number of the latest row + 1 */
	Vec(Row) known;
} Slsr;

/* ---- reading ---- */

static bool has(const IrModule *m, IrRef v, u32 flag) { return (ir_inst(m, v)->flags & flag) != 0; }

/* times × stride = v, without wrapping in the extension's sense */
static void read_product(const IrModule *m, IrRef v, u32 wrap, Row *r)
{
	i64  times;
	bool split = constant_multiple(m, v, &times) && has(m, v, wrap);
	r->stride = split ? ir_op(m, v, 0) : v;
	r->times = split ? times : 1;
}

/* Reads base and extension. `*index`: what is extended. */
static bool read_gep(const IrModule *m, IrRef gep, Row *r, IrRef *index)
{
	if (ir_n_ops(m, gep) != 2 || !is_ptr(m, gep) || ir_index_bits(m, value_space(m, gep)) != 64)
		return false;
	IrRef x = ir_op(m, gep, 1);
	if ((!is_inst(m, x, IR_SEXT) && !is_inst(m, x, IR_ZEXT)) || !ir_type_same(ir_inst(m, x)->type, IR_TYPE(I64)) ||
	    !ir_type_same(ir_type_of(m, ir_op(m, x, 0)), IR_TYPE(I32)))
		return false;
	*r = (Row){.gep = gep, .base = ir_op(m, gep, 0), .size = ir_alloc_size(m, ir_inst(m, gep)->elem)};
	r->ext = is_inst(m, x, IR_SEXT) || has(m, x, IRF_NNEG) ? IR_SEXT : IR_ZEXT;
	*index = ir_op(m, x, 0);
	return r->size && r->size < 1 << 20;
}

/* How an index is read: as a sum of variables, with its first or second operand as the root, or as a product. */
typedef enum Reading { FIRST, SECOND, PRODUCT, READINGS } Reading;

/* The index as root + times × stride. */
static bool read_index(const IrModule *m, IrRef index, Reading at, Row *r)
{
	bool sum = is_inst(m, index, IR_ADD), difference = is_inst(m, index, IR_SUB) && at == FIRST;
	u32  wrap = r->ext == IR_SEXT ? IRF_NSW : IRF_NUW;
	if (at == PRODUCT) {
		read_product(m, index, wrap, r);
		return r->times > 1;
	}
	if ((!sum && !(difference && r->ext == IR_SEXT)) || !has(m, index, wrap))
		return false;
	r->root = ir_op(m, index, at);
	read_product(m, ir_op(m, index, 1 - at), wrap, r);
	r->times = difference ? -r->times : r->times;
	i64 c;
	return !ir_as_sint(m, r->root, &c) && !ir_as_sint(m, r->stride, &c);
}

static u64 hash_row(const Row *r)
{
	return hash_mix(hash_mix((u64)r->base.i << 32 | r->root.i, r->stride.i), r->size << 8 | r->ext);
}

static bool same_line(const Row *a, const Row *b)
{
	return ir_same(a->base, b->base) && ir_same(a->root, b->root) && ir_same(a->stride, b->stride) && a->size == b->size &&
	       a->ext == b->ext;
}

/* ---- bases ---- */

static void remember(Slsr *s, Row r)
{
	u64 *latest = map_put(&s->by_hash, hash_row(&r), NULL);
	r.older = (u32)*latest;
	vec_push(s->cx->scratch, &s->known, r);
	*latest = s->known.n;
}

/* The nearest one that dominates the row: on its line, or at its root. */
static const Row *nearest(const Slsr *s, const Row *r)
{
	Row        at_root = *r;
	const Row *best = NULL;
	at_root.stride = IR_NO_REF;
	for (u32 pass = 0; pass < 2; pass++) {
		const Row *key = pass ? &at_root : r;
		const u64 *latest = map_get(&s->by_hash, hash_row(key));
		u32        tries = 0;
		for (u32 k = latest ? (u32)*latest : 0; k && tries < MAX_TRIES; k = s->known.p[k - 1].older, tries++) {
			const Row *x = &s->known.p[k - 1];
			bool between = r->times > 0 ? x->times >= 0 && x->times < r->times : x->times <= 0 && x->times > r->times;
			if (between && same_line(x, key) && !ir_is_none(ir_inst(s->m, x->gep)->block) &&
			    (!best || (r->times > 0 ? x->times > best->times : x->times < best->times)) &&
			    ir_type_same(ir_inst(s->m, x->gep)->type, ir_inst(s->m, r->gep)->type) &&
			    dom_dominates(s->dom, ir_cfg_of(s->cfg, s->m, x->gep), ir_cfg_of(s->cfg, s->m, r->gep)))
				best = x;
		}
	}
	return best;
}

/* ---- rewriting ---- */

static void make_basis(Slsr *s, IrRef gep)
{
	IrModule *m = s->m;
	IrRef     x = ir_op(m, gep, 1);
	ir_inst(m, gep)->flags &= ~(u32)(IRF_NUW | IRF_NUSW | IRF_INBOUNDS);
	if (!is_inst(m, x, IR_ZEXT) || !has(m, x, IRF_NNEG))
		return;
	IrBuilder b = ir_build_before(m, x);
	replace_inst(m, x, ir_b_cast(&b, IR_SEXT, ir_op(m, x, 0), ir_inst(m, x)->type));
}

static IrRef rewrite(Slsr *s, const Row *r, IrRef basis, i64 times)
{
	IrModule *m = s->m;
	IrRef     gep = r->gep;
	IrBuilder b = ir_build_before(m, gep);
	make_basis(s, basis);
	IrRef index = ir_b_cast(&b, (IrOp)r->ext, r->stride, IR_TYPE(I64));
	if (times == 1) {
		index = ir_b_gep(&b, ir_inst(m, gep)->elem, basis, &index, 1, 0);
	} else {
		index = ir_b_bin(&b, IR_MUL, index, ir_const_sint(m, IR_TYPE(I64), times * (i64)r->size), 0);
		index = ir_b_gep(&b, IR_TYPE(I8), basis, &index, 1, 0);
	}
	pass_remark(s->cx, REMARK_PASSED, value_line(m, gep), "the address is that of line %u and %lld times a value",
	            value_line(m, basis), (long long)times);
	replace_inst(m, gep, index);
	return index;
}

/* Is an index of this reading gone as soon as its addresses are computed from others? */
static bool may_go(const IrModule *m, IrRef index, IrRef extended, Reading at)
{
	return at == PRODUCT ? only_addresses(m, index) : ir_has_one_use(m, index) && ir_has_one_use(m, extended);
}

static bool visit(Slsr *s, IrRef gep)
{
	const IrModule *m = s->m;
	Row             r;
	IrRef           index;
	if (!read_gep(m, gep, &r, &index))
		return false;
	IrRef extended = ir_op(m, gep, 1);
	for (Reading at = FIRST; at < READINGS; at++) {
		Row        sum = r;
		const Row *basis = may_go(m, index, extended, at) && read_index(m, index, at, &sum) ? nearest(s, &sum) : NULL;
		i64        times = basis ? sum.times - basis->times : 0;
		if (basis && times * (i64)r.size == (i32)(times * (i64)r.size)) {
			sum.gep = rewrite(s, &sum, basis->gep, times);
			remove_if_dead(s->cx, extended);
			remember(s, sum);
			return true;
		}
	}
	Row at_index = r;
	at_index.root = index;
	remember(s, at_index);
	for (Reading at = FIRST; at < READINGS; at++) {
		Row sum = r;
		if (read_index(m, index, at, &sum))
			remember(s, sum);
	}
	return false;
}

static bool run(PassCx *cx)
{
	Slsr s = {.cx = cx, .m = cx->ir, .cfg = ir_cfg(cx), .dom = ir_dom(cx)};
	bool changed = false;
	map_init(&s.by_hash, cx->scratch);
	for (u32 n = 0; n < s.cfg->order.n; n++) {
		IrRef next;
		for (IrRef i = ir_block(s.m, s.cfg->block[s.cfg->order.node[n]])->first; !ir_is_none(i); i = next) {
			next = ir_inst(s.m, i)->next;
			if (ir_inst(s.m, i)->op == IR_GETELEMENTPTR)
				changed |= visit(&s, i);
		}
	}
	return changed;
}

const Pass irpass_slsr = {
	.id = "slsr",
	.title = "Straight line strength reduction",
	.summary = "Addresses that differ by a multiple of a value are computed one from the other.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_slsr,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(GETELEMENTPTR),
	.run = run,
};
