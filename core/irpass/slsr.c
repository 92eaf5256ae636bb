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
 * Beyond that, indices are compared as sums of multiples of values: where they differ by a constant, an access encodes the difference,
 * and where they differ by a multiple of one value, this is scaled and added to the other address.
 *
 *   p[(i - 1) * 12], p[i * 12]                                  →  %a, %a + 48 · 4
 *   p[i], p[i + n], p[i + n + n], p[i + n + n + n]              →  %a, %b = %a + 4 n, %c = %b + 4 n, %c + 4 n
 *
 *
 * Extended sums are split only where they do not wrap: sext of nsw, zext of nuw. The basis is never poison where the address
 * is not: its index lies between i and i + k × n, and neither wraps. A zext nneg is taken for a sext; that of a basis becomes one,
 * as it may be poison, and the getelementptr loses its flags. Only where the sum has no other reader, and a product none but
 * addresses, which mostly come in rows, too: else it is computed anyway. Of indices that are compared as sums the basis may wrap where the
 * address does not: such a basis has been accessed on every path to the address, so that it is no poison. Sums that may wrap are compared
 * as words of 32 bits: where those of two inbounds addresses differ by a constant, the addresses differ by it, too, under the
 * assumption of separate-const-offset-from-gep (inbounds-offsets).
 *
 * The idea is that of LLVM's pass of this name (Allen, Cocke, Kennedy: "Reduction of operator strength", 1981, without loops).
 * Needs and keeps SSA; touches no block. Addresses of 64 bits with one index. Linear in getelementptrs: each looks at
 * MAX_TRIES others of the same base and i at most, and at as many of the same base. */
#include "analysis/cfg.h"
#include "base/hash.h"
#include "ir/builder.h"
#include "irpass/bound.h"
#include "irpass/util.h"

enum { MAX_TRIES = 16, MAX_TERMS = 4, MAX_DEPTH = 6, MAX_READERS = 32 };

/* An index, as the integer that it is where nothing wraps: c + Σ times × value. */
typedef struct Line {
	struct Term {
		IrRef value;
		i64   times;
	} term[MAX_TERMS];
	u32 n;
	i64 c;
} Line;

/* base + size × ext(root + times × stride); root or stride none: without that */
typedef struct Row {
	IrRef gep, base, root, stride;
	u64   size;
	u32   ext; /* IR_SEXT or IR_ZEXT, or IR_OP_NONE: the index has 64 bits */
	bool  inbounds;
	i64   times;
	u32   older; /* one with the same hash: its number + 1, or 0 */
} Row;

/* An address by its whole index. */
typedef struct Address {
	Row  row;  /* of which root, stride and times say nothing */
	Line line; /* the index, where line_known */
	Line word; /* the index as a sum modulo 2^32, where inbounds-offsets lets it be compared; else without terms */
	bool line_known;
	u32  accessed; /* node of the first block in which memory at it is accessed, + 1; 0: none yet */
	u32  older;    /* of the same base, size and extension: its number + 1, or 0 */
} Address;

typedef struct Slsr {
	PassCx        *cx;
	IrModule      *m;
	const IrCfg   *cfg;
	const DomTree *dom;
	Map            by_hash; /* → number of the latest row + 1 */
	Vec(Row) known;
	Map by_base; /* → number of the latest address + 1 */
	Map by_gep;  /* → number of the address + 1 */
	Vec(Address) address;
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
	bool  extended =
		(is_inst(m, x, IR_SEXT) || is_inst(m, x, IR_ZEXT)) && ir_type_same(ir_type_of(m, ir_op(m, x, 0)), IR_TYPE(I32));
	if (ir_kind(x) == IR_CONST || !ir_type_same(ir_type_of(m, x), IR_TYPE(I64)))
		return false;
	*r = (Row){.gep = gep, .base = ir_op(m, gep, 0), .size = ir_alloc_size(m, ir_inst(m, gep)->elem)};
	r->inbounds = has(m, gep, IRF_INBOUNDS);
	r->ext = !extended ? IR_OP_NONE : is_inst(m, x, IR_SEXT) || has(m, x, IRF_NNEG) ? IR_SEXT : IR_ZEXT;
	*index = extended ? ir_op(m, x, 0) : x;
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

/* ---- indices as sums ---- */

static bool add_term(Line *l, IrRef v, i64 times)
{
	u32 k = 0;
	while (k < l->n && !ir_same(l->term[k].value, v))
		k++;
	if (k == l->n) {
		if (k == MAX_TERMS)
			return false;
		l->term[l->n++] = (struct Term){v, 0};
	}
	l->term[k].times += times;
	if (!l->term[k].times)
		l->term[k] = l->term[--l->n];
	return true;
}

/* l += times × v, through what does not wrap in the extension's sense. */
static bool read_line(const IrModule *m, IrRef v, u32 ext, i64 times, u32 depth, Line *l)
{
	i64  c;
	u64  u;
	Line before = *l;
	if (ext == IR_ZEXT ? ir_as_int(m, v, &u) : ir_as_sint(m, v, &c)) {
		c = ext == IR_ZEXT ? (i64)u : c;
		l->c += c == (i32)c ? c * times : 0;
		return c == (i32)c;
	}
	if (depth && ir_kind(v) == IR_INST) {
		const IrInst *i = ir_inst(m, v);
		bool          sum = i->op == IR_ADD || (i->op == IR_OR && i->flags & IRF_DISJOINT),
		     difference = i->op == IR_SUB && ext != IR_ZEXT;
		bool exact = i->op == IR_OR || ext == IR_OP_NONE || i->flags & (ext == IR_SEXT ? IRF_NSW : IRF_NUW);
		if (exact && (sum || difference) && read_line(m, ir_op(m, v, 0), ext, times, depth - 1, l) &&
		    read_line(m, ir_op(m, v, 1), ext, difference ? -times : times, depth - 1, l))
			return true;
		*l = before;
		if (exact && constant_multiple(m, v, &c) && c * times == (i32)(c * times) &&
		    read_line(m, ir_op(m, v, 0), ext, c * times, depth - 1, l))
			return true;
		*l = before;
	}
	return add_term(l, v, times);
}

/* Reads an index as an integer (`line`), and as a word, for which wrapping does not matter (`word`): see inbounds-offsets. */
static void read_index_lines(const Slsr *s, IrRef index, Address *a)
{
	bool by_word = a->row.ext == IR_SEXT && a->row.inbounds && knob_bool(s->cx->s, KNOB_inbounds_offsets);
	if (by_word && !read_line(s->m, index, IR_OP_NONE, 1, MAX_DEPTH, &a->word))
		a->word = (Line){0};
	a->line_known = read_line(s->m, index, a->row.ext, 1, MAX_DEPTH, &a->line);
}

/* Is a value read by addresses, and by sums and products of which the same holds? */
static bool feeds_addresses(const IrModule *m, IrRef v, u32 depth, u32 *left)
{
	ir_each_use(m, v, u) {
		IrRef user = ir_use(m, u)->user;
		if (!*left || !depth)
			return false;
		--*left;
		if (ir_kind(user) != IR_INST)
			return false;
		u32 op = ir_inst(m, user)->op;
		if (op == IR_GETELEMENTPTR)
			continue;
		if ((op != IR_SEXT && op != IR_ZEXT && op != IR_ADD && op != IR_SUB && op != IR_OR && op != IR_MUL &&
		     op != IR_SHL) ||
		    !feeds_addresses(m, user, depth - 1, left))
			return false;
	}
	return true;
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

static u64 hash_base(const Row *r) { return hash_mix((u64)r->base.i << 32, r->size << 8 | r->ext); }

static void remember_address(Slsr *s, Address a)
{
	u64 *latest = map_put(&s->by_base, hash_base(&a.row), NULL);
	a.older = (u32)*latest;
	vec_push(s->cx->scratch, &s->address, a);
	*latest = s->address.n;
	map_set(&s->by_gep, a.row.gep.i, s->address.n);
}

/* Memory is accessed here: at which address? */
static void note_access(Slsr *s, IrRef inst, u32 node)
{
	i32 p = pointer_operand(s->m, inst);
	i64 bytes = 0;
	if (p < 0)
		return;
	const u64 *known = map_get(&s->by_gep, strip_constant_offset(s->m, ir_op(s->m, inst, (u32)p), &bytes).i);
	if (known && !s->address.p[*known - 1].accessed)
		s->address.p[*known - 1].accessed = node + 1;
}

static bool is_gone(const IrModule *m, IrRef v) { return ir_kind(v) == IR_INST && ir_is_none(ir_inst(m, v)->block); }

static bool may_be_basis(const Slsr *s, const Address *a, const Row *r)
{
	const IrModule *m = s->m;
	return a->accessed && ir_same(a->row.base, r->base) && a->row.size == r->size && a->row.ext == r->ext &&
	       !is_gone(m, a->row.gep) && ir_type_same(ir_inst(m, a->row.gep)->type, ir_inst(m, r->gep)->type) &&
	       dom_dominates(s->dom, a->accessed - 1, ir_cfg_of(s->cfg, m, r->gep));
}

/* a - b, where it has few enough terms */
static bool difference_of(const Line *a, const Line *b, Line *d)
{
	*d = *a;
	d->c -= b->c;
	for (u32 t = 0; t < b->n; t++)
		if (!add_term(d, b->term[t].value, -b->term[t].times))
			return false;
	return true;
}

/* Does the index of `r` differ from that of `a` by a constant and a multiple of one value, `d`? As words only by a constant: then neither
 * index is one of the least numbers, as both addresses are inbounds and one is accessed, so they differ by it as integers, too. */
static bool differs_little(const Slsr *s, const Address *r, const Address *a, Line *d)
{
	i64 size = (i64)r->row.size;
	if (!r->line_known || !a->line_known || !difference_of(&r->line, &a->line, d) || d->n > 1) {
		if (!r->word.n || !a->word.n || !difference_of(&r->word, &a->word, d) || d->n)
			return false;
		d->c = (i32)d->c;
	}
	i64 bytes = d->c * size, step = d->n ? d->term[0].times * size : 0;
	return bytes == (i32)bytes && step == (i32)step && !(d->n && is_gone(s->m, d->term[0].value));
}

static i64 distance(const Line *d) { return !d->n ? 0 : d->term[0].times < 0 ? -d->term[0].times : d->term[0].times; }

/* The address that was accessed and from which this one differs by the least multiple of one value, or none. */
static const Address *nearest_line(const Slsr *s, const Address *r, Line *difference)
{
	const Address *best = NULL;
	const u64     *latest = map_get(&s->by_base, hash_base(&r->row));
	u32            tries = 0;
	for (u32 k = latest ? (u32)*latest : 0; k && tries < MAX_TRIES; k = s->address.p[k - 1].older, tries++) {
		const Address *a = &s->address.p[k - 1];
		Line           d;
		if (may_be_basis(s, a, &r->row) && differs_little(s, r, a, &d) &&
		    (!d.n || ir_same(ir_inst(s->m, a->row.gep)->block, ir_inst(s->m, r->row.gep)->block)) &&
		    (!best || distance(&d) < distance(difference))) {
			best = a;
			*difference = d;
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
	IrRef     index = r->ext == IR_OP_NONE ? r->stride : extend_value(&b, (IrOp)r->ext, r->stride, IR_TYPE(I64));
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

/* Makes the address from one whose index differs by a constant and a multiple of one value. */
static bool visit_line(Slsr *s, Address r, IrRef index)
{
	IrModule      *m = s->m;
	Line           d = {0};
	IrRef          gep = r.row.gep, extended = ir_op(m, gep, 1), near;
	u32            left = MAX_READERS;
	const Address *found = nearest_line(s, &r, &d);
	if (!found || (d.n && !feeds_addresses(m, index, MAX_DEPTH, &left))) {
		remember_address(s, r);
		return false;
	}
	IrRef basis = found->row.gep;
	i64   bytes = d.c * (i64)r.row.size;
	if (!d.n) {
		IrBuilder b = ir_build_before(m, gep);
		pass_remark(s->cx, REMARK_PASSED, value_line(m, gep), "the address is that of line %u and %lld bytes",
		            value_line(m, basis), (long long)bytes);
		near = bytes ? ir_b_gep_bytes(&b, basis, bytes, 0) : basis;
		replace_inst(m, gep, near);
	} else {
		r.row.stride = d.term[0].value;
		r.row.gep = gep = rewrite(s, &r.row, basis, d.term[0].times);
		if (bytes) {
			IrBuilder b = build_after(m, gep);
			near = ir_b_gep_bytes(&b, gep, bytes, 0);
			ir_replace_all_uses(m, gep, near);
			ir_set_op(m, near, 0, gep);
			r.line.c -= d.c;
			r.word.c -= d.c;
		}
		remember_address(s, r);
	}
	remove_if_dead(s->cx, extended);
	return true;
}

static bool visit(Slsr *s, IrRef gep)
{
	const IrModule *m = s->m;
	Row             r;
	IrRef           index;
	if (!read_gep(m, gep, &r, &index))
		return false;
	Address address = {.row = r};
	read_index_lines(s, index, &address);
	IrRef extended = ir_op(m, gep, 1);
	for (Reading at = FIRST; r.ext != IR_OP_NONE && at < READINGS; at++) {
		Row        sum = r;
		const Row *basis = may_go(m, index, extended, at) && read_index(m, index, at, &sum) ? nearest(s, &sum) : NULL;
		i64        times = basis ? sum.times - basis->times : 0;
		if (basis && times * (i64)r.size == (i32)(times * (i64)r.size)) {
			make_basis(s, basis->gep);
			sum.gep = rewrite(s, &sum, basis->gep, times);
			remove_if_dead(s->cx, extended);
			remember(s, sum);
			address.row = sum;
			remember_address(s, address);
			return true;
		}
	}
	if (visit_line(s, address, index))
		return true;
	if (r.ext == IR_OP_NONE)
		return false;
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
	map_init(&s.by_base, cx->scratch);
	map_init(&s.by_gep, cx->scratch);
	for (u32 n = 0; n < s.cfg->order.n; n++) {
		IrRef next;
		for (IrRef i = ir_block(s.m, s.cfg->block[s.cfg->order.node[n]])->first; !ir_is_none(i); i = next) {
			next = ir_inst(s.m, i)->next;
			if (ir_inst(s.m, i)->op == IR_GETELEMENTPTR)
				changed |= visit(&s, i);
			else
				note_access(&s, i, s.cfg->order.node[n]);
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
