/* loop-bases: the part of an address that a loop does not change is added to its base in front of the loop.
 *
 *                                               %x = sext i32 %row to i64
 *                                               %q = getelementptr float, ptr %p, i64 %x
 *   loop:                                       loop:
 *   %s = add nsw i32 %k, %row                →
 *   %i = sext i32 %s to i64                     %i = sext i32 %k to i64
 *   %a = getelementptr float, ptr %p, i64 %i    %a = getelementptr float, ptr %q, i64 %i
 *
 * Sums. The loop's addition is saved, and addresses in several rows of a matrix scale the same counter. An index is split at additions
 * that do not wrap in the extension's sense, as long as one operand is defined outside of the loop. Not where something else reads the
 * sum, or addresses of another base do: then the addition stays, and each base would take two registers. Not where what is left is a
 * product that the addition is part of (mad). Not in loops of more than MOST instructions, where the addition is the smaller part
 * (registers -0.5 % instead of -0.4 over 824 kernels). What leaves a loop leaves those around it, too, as far as it is the same there.
 *
 * Pointers. Where the counter of a loop of one block goes on by STEP, the front end has repeated the loop's body, and ptxas does so
 * again, four times. It does not know that the counter does not wrap, so each copy scales and adds it anew. There, an address
 * base + size × counter becomes a pointer that goes on with the counter, of which all copies are at constant distances. The counter
 * stays, so ptxas sees how often the loop is executed. ptxas leaves loops of other steps as they are, or makes an address by one multiplication where a pointer takes two additions
 * (measured over 655 kernels: 1.1 % more instructions in innermost loops for each load, store or floating-point operation there if
 * counters with a step of 1 count, too, and 1.2 % fewer with STEP alone).
 *
 * The same where an index is a counter, or one and a constant, times a factor that the loop does not change, in 64 bits: the product would
 * take four instructions in each iteration, whatever the step, and ptxas leaves it there. Sums of the counter and constants, as copies of
 * an iteration have them, are addresses one from the other.
 *
 * Needs and keeps SSA; touches no block. Addresses of 64 bits with one index; pointers to global memory alone, as ptxas keeps arrays of
 * a thread in registers where it sees their indices. Linear in getelementptrs, times the depth of loops. */
#include "analysis/cfg.h"
#include "ir/builder.h"
#include "irpass/bound.h"
#include "irpass/util.h"

enum { MAX_ADDENDS = 8, MAX_KNOWN = 16, MAX_POINTERS = 8, MAX_TIMES = 4096, STEP = 2, MOST = 64 };

/* A base in front of a loop: gep = base + size × ext(index), at the end of `block` */
typedef struct Hoisted {
	IrRef  gep, base, index, block;
	u32    ext;
	IrType elem;
} Hoisted;

/* value = by × times, at the end of `block` */
typedef struct Multiple {
	IrRef value, by, block;
	i64   times;
} Multiple;

typedef struct LoopBases {
	PassCx      *cx;
	IrModule    *m;
	const IrCfg *cfg;
	const Loops *loops;
	Vec(Hoisted) known;
	Vec(Multiple) multiple;
} LoopBases;

/* What an address scales: ext(value) */
typedef struct Index {
	IrRef value;
	u32   ext; /* IR_SEXT or IR_ZEXT, or IR_OP_NONE: the value has 64 bits */
} Index;

static bool read_index(const IrModule *m, IrRef gep, Index *x)
{
	if (ir_n_ops(m, gep) != 2 || !is_ptr(m, gep) || ir_index_bits(m, value_space(m, gep)) != 64 ||
	    !ir_type_same(ir_type_of(m, ir_op(m, gep, 1)), IR_TYPE(I64)))
		return false;
	IrRef i = ir_op(m, gep, 1);
	bool  by_sign = is_inst(m, i, IR_SEXT) || (is_inst(m, i, IR_ZEXT) && ir_inst(m, i)->flags & IRF_NNEG);
	x->ext = by_sign ? IR_SEXT : is_inst(m, i, IR_ZEXT) ? IR_ZEXT : IR_OP_NONE;
	x->value = x->ext == IR_OP_NONE ? i : ir_op(m, i, 0);
	return true;
}

/* Is a value the same in every iteration of a loop? */
static bool is_invariant(const LoopBases *s, IrRef v, u32 loop)
{
	return ir_kind(v) != IR_INST || !loop_contains(s->loops, loop, ir_cfg_of(s->cfg, s->m, v));
}

/* Is it a sum that does not wrap in the extension's sense? */
static bool is_exact_sum(const IrModule *m, IrRef v, u32 ext)
{
	if (ir_kind(v) != IR_INST)
		return false;
	const IrInst *i = ir_inst(m, v);
	if (i->op == IR_OR)
		return (i->flags & IRF_DISJOINT) != 0;
	return i->op == IR_ADD && (ext == IR_OP_NONE || i->flags & (ext == IR_SEXT ? IRF_NSW : IRF_NUW));
}

/* ---- sums ---- */

/* Is a value read by addresses of one base alone, through one extension? */
static bool has_one_base(const IrModule *m, IrRef v, IrRef base, bool extended)
{
	ir_each_use(m, v, u) {
		IrRef user = ir_use(m, u)->user;
		bool  cast = is_inst(m, user, IR_SEXT) || is_inst(m, user, IR_ZEXT);
		if (is_inst(m, user, IR_GETELEMENTPTR) ? !ir_same(ir_op(m, user, 0), base)
		                                       : !cast || extended || !has_one_base(m, user, base, true))
			return false;
	}
	return true;
}

/* Is it computed for one reader, by an instruction that an addition is part of? Products of 64 bits are several. */
static bool takes_addend(const IrModule *m, IrRef v)
{
	return (is_inst(m, v, IR_MUL) || is_inst(m, v, IR_SHL)) && ir_has_one_use(m, v) &&
	       !ir_type_same(ir_type_of(m, v), IR_TYPE(I64));
}

/* The block in front of the outermost loop around `loop`, which has one, in which both are the same. */
static IrRef front_of(const LoopBases *s, IrRef base, IrRef index, u32 loop)
{
	u32 entering = loop_entering(&s->cfg->graph, s->loops, loop);
	for (u32 l = s->loops->loop[loop].parent; l != GRAPH_NONE && is_invariant(s, base, l) && is_invariant(s, index, l);
	     l = s->loops->loop[l].parent) {
		u32 further = loop_entering(&s->cfg->graph, s->loops, l);
		entering = further != GRAPH_NONE ? further : entering;
	}
	return s->cfg->block[entering];
}

/* The gep that `h` says, if it is there; else a new one. */
static IrRef base_in_front(LoopBases *s, Hoisted h, IrRef of)
{
	IrModule *m = s->m;
	u32       from = s->known.n > MAX_KNOWN ? s->known.n - MAX_KNOWN : 0;
	for (u32 k = from; k < s->known.n; k++) {
		const Hoisted *x = &s->known.p[k];
		if (ir_same(x->base, h.base) && ir_same(x->index, h.index) && ir_same(x->block, h.block) && x->ext == h.ext &&
		    ir_type_same(x->elem, h.elem))
			return x->gep;
	}
	IrBuilder b = ir_build_before(m, of);
	b.block = h.block;
	b.before = ir_block(m, h.block)->last;
	IrRef index = h.ext == IR_OP_NONE ? h.index : extend_value(&b, (IrOp)h.ext, h.index, IR_TYPE(I64));
	h.gep = ir_b_gep(&b, h.elem, h.base, &index, 1, 0);
	vec_push(s->cx->scratch, &s->known, h);
	return h.gep;
}

/* The addends of an index that its loop does not change. `*left`: what is left of it. */
static u32 read_addends(const LoopBases *s, IrRef base, const Index *x, u32 loop, IrRef *addend, IrRef *left)
{
	const IrModule *m = s->m;
	u32             n = 0;
	for (*left = x->value; n < MAX_ADDENDS && is_exact_sum(m, *left, x->ext); n++) {
		u32   at = is_invariant(s, ir_op(m, *left, 0), loop) ? 0 : 1;
		IrRef still = ir_op(m, *left, at), moving = ir_op(m, *left, 1 - at);
		bool  alone = n ? ir_has_one_use(m, *left) : has_one_base(m, *left, base, x->ext == IR_OP_NONE);
		if (!alone || !is_invariant(s, still, loop) || ir_kind(still) == IR_CONST || takes_addend(m, moving))
			break;
		addend[n] = still;
		*left = moving;
	}
	return n;
}

/* Puts those first that are the same in more loops around `loop`. */
static void sort_addends(const LoopBases *s, IrRef base, u32 loop, IrRef *addend, u32 n)
{
	u32 depth[MAX_ADDENDS];
	for (u32 k = 0; k < n; k++) {
		IrRef x = addend[k];
		u32   d = loop_depth(s->loops, ir_cfg_number(s->cfg, s->m, front_of(s, base, x, loop))), to = k;
		for (; to && depth[to - 1] > d; to--) {
			depth[to] = depth[to - 1];
			addend[to] = addend[to - 1];
		}
		depth[to] = d;
		addend[to] = x;
	}
}

/* Takes what `loop` does not change out of the index of one of its addresses. */
static bool split(LoopBases *s, IrRef gep, u32 loop)
{
	IrModule *m = s->m;
	Index     x;
	IrRef     addend[MAX_ADDENDS], left;
	if (!read_index(m, gep, &x) || !is_invariant(s, ir_op(m, gep, 0), loop) || is_invariant(s, x.value, loop) ||
	    loop_entering(&s->cfg->graph, s->loops, loop) == GRAPH_NONE)
		return false;
	IrRef base = ir_op(m, gep, 0), extended = ir_op(m, gep, 1);
	u32   n = read_addends(s, base, &x, loop, addend, &left);
	if (!n)
		return false;
	sort_addends(s, base, loop, addend, n);
	for (u32 k = 0; k < n; k++) {
		Hoisted h = {.base = base, .index = addend[k], .ext = x.ext, .elem = ir_inst(m, gep)->elem};
		h.block = front_of(s, base, addend[k], loop);
		base = base_in_front(s, h, gep);
	}
	IrBuilder b = ir_build_before(m, gep);
	ir_set_op(m, gep, 0, base);
	ir_set_op(m, gep, 1, x.ext == IR_OP_NONE ? left : extend_value(&b, (IrOp)x.ext, left, IR_TYPE(I64)));
	ir_inst(m, gep)->flags &= ~(u32)(IRF_NUW | IRF_NUSW | IRF_INBOUNDS);
	pass_remark(s->cx, REMARK_PASSED, value_line(m, gep), "a part of the address is added in front of the loop");
	remove_if_dead(s->cx, extended);
	return true;
}

/* ---- pointers ---- */

/* An innermost loop with one latch, which one block enters */
typedef struct Frame {
	u32   loop;
	bool  repeated; /* does ptxas unroll it? Loops of one block, unless the program says otherwise */
	IrRef entering, header, latch;
} Frame;

/* An address of the loop that becomes a pointer: base + size × ext(counter), or base + size × factor × (ext(counter) + c), of which the
 * pointers are those with c = 0. The counter is phi(start, counter + step). */
typedef struct Pointer {
	IrRef  phi, base, counter, start, factor;
	i64    step, c;
	u32    ext;
	IrType elem;
	IrRef  last; /* the latest address that has been made from it, in a product's case */
} Pointer;

static bool read_frame(const LoopBases *s, u32 loop, Frame *l)
{
	Nodes latches = node_list(&s->loops->latch, loop), nodes = loop_nodes(s->loops, loop);
	u32   entering = loop_entering(&s->cfg->graph, s->loops, loop);
	if (latches.n != 1 || entering == GRAPH_NONE)
		return false;
	for (u32 n = 0; n < nodes.n; n++)
		if (s->loops->of[nodes.p[n]] != loop)
			return false;
	*l = (Frame){.loop = loop, .entering = s->cfg->block[entering], .latch = s->cfg->block[latches.p[0]]};
	l->header = s->cfg->block[s->loops->loop[loop].header];
	l->repeated = nodes.n == 1 && ir_unroll(s->m, ir_term(s->m, l->latch)) != IR_UNROLL_NOT;
	return true;
}

/* The counter behind an extension and a constant addend. */
static bool read_counter(const LoopBases *s, const Frame *l, IrRef v, Pointer *p)
{
	const IrModule *m = s->m;
	if (p->ext == IR_OP_NONE && (is_inst(m, v, IR_SEXT) || is_inst(m, v, IR_ZEXT))) {
		p->ext = is_inst(m, v, IR_SEXT) || ir_inst(m, v)->flags & IRF_NNEG ? IR_SEXT : IR_ZEXT;
		v = ir_op(m, v, 0);
	}
	if (!ir_is_none(p->factor) && is_exact_sum(m, v, p->ext) && ir_as_sint(m, ir_op(m, v, 1), &p->c))
		v = ir_op(m, v, 0);
	if (!is_inst(m, v, IR_PHI) || !ir_same(ir_inst(m, v)->block, l->header) || ir_n_ops(m, v) != 4)
		return false;
	u32   at_latch = ir_same(ir_op(m, v, 1), l->latch) ? 0 : 2;
	IrRef next = ir_op(m, v, at_latch);
	p->counter = v;
	p->start = ir_op(m, v, 2 - at_latch);
	return is_inst(m, next, IR_ADD) && is_exact_sum(m, next, p->ext) && ir_same(ir_op(m, next, 0), v) &&
	       ir_as_sint(m, ir_op(m, next, 1), &p->step) && p->step > 0 && p->step <= MAX_TIMES && p->c >= 0 &&
	       p->c <= MAX_TIMES;
}

static bool read_pointer(const LoopBases *s, const Frame *l, IrRef gep, Pointer *p)
{
	const IrModule *m = s->m;
	Index           x;
	if (ir_inst(m, gep)->op != IR_GETELEMENTPTR || !read_index(m, gep, &x) || value_space(m, gep) != AS_GLOBAL ||
	    !is_invariant(s, ir_op(m, gep, 0), l->loop))
		return false;
	*p = (Pointer){.base = ir_op(m, gep, 0), .ext = x.ext, .elem = ir_inst(m, gep)->elem};
	if (ir_alloc_size(m, p->elem) > MAX_TIMES)
		return false;
	if (x.ext == IR_OP_NONE && is_inst(m, x.value, IR_MUL)) {
		u32 at = is_invariant(s, ir_op(m, x.value, 0), l->loop) ? 0 : 1;
		p->factor = ir_op(m, x.value, at);
		x.value = ir_op(m, x.value, 1 - at);
		if (!is_invariant(s, p->factor, l->loop) || ir_kind(p->factor) == IR_CONST)
			return false;
	}
	return read_counter(s, l, x.value, p) && (!ir_is_none(p->factor) || (p->step == STEP && l->repeated));
}

static bool same_pointer(const Pointer *a, const Pointer *b)
{
	return ir_same(a->base, b->base) && ir_same(a->counter, b->counter) && ir_same(a->factor, b->factor) &&
	       a->ext == b->ext && ir_type_same(a->elem, b->elem);
}

/* by × times at the end of the block in front of the loop */
static IrRef multiple_in_front(LoopBases *s, IrBuilder *b, IrRef by, i64 times)
{
	u32 from = s->multiple.n > MAX_KNOWN ? s->multiple.n - MAX_KNOWN : 0;
	for (u32 k = from; k < s->multiple.n; k++) {
		const Multiple *x = &s->multiple.p[k];
		if (ir_same(x->by, by) && ir_same(x->block, b->block) && x->times == times)
			return x->value;
	}
	Multiple made = {.by = by, .block = b->block, .times = times};
	made.value = ir_b_bin(b, IR_MUL, by, ir_const_sint(s->m, IR_TYPE(I64), times), 0);
	vec_push(s->cx->scratch, &s->multiple, made);
	return made.value;
}

static IrBuilder build_in_front(const LoopBases *s, const Frame *l, IrRef of)
{
	IrBuilder b = ir_build_before(s->m, of);
	b.block = l->entering;
	b.before = ir_block(s->m, b.block)->last;
	return b;
}

static void start_pointer(LoopBases *s, const Frame *l, IrRef gep, Pointer *p)
{
	IrModule *m = s->m;
	IrBuilder b = build_in_front(s, l, gep);
	IrRef     first = p->base, step;
	i64       start, size = (i64)ir_alloc_size(m, p->elem);
	if (!ir_as_sint(m, p->start, &start) || start) {
		IrRef index = p->ext == IR_OP_NONE ? p->start : extend_value(&b, (IrOp)p->ext, p->start, IR_TYPE(I64));
		if (!ir_is_none(p->factor))
			index = ir_b_bin(&b, IR_MUL, index, p->factor, 0);
		first = ir_b_gep(&b, p->elem, p->base, &index, 1, 0);
	}
	step = ir_is_none(p->factor) ? ir_const_sint(m, IR_TYPE(I64), p->step * size)
	                             : multiple_in_front(s, &b, p->factor, p->step * size);
	b.block = l->header;
	p->phi = ir_b_phi(&b, ir_type_of(m, gep));
	b.block = l->latch;
	b.before = ir_block(m, b.block)->last;
	IrRef next = ir_b_gep(&b, IR_TYPE(I8), p->phi, &step, 1, 0);
	ir_phi_add(m, p->phi, first, l->entering);
	ir_phi_add(m, p->phi, next, l->latch);
	pass_remark(s->cx, REMARK_PASSED, value_line(m, gep), "a pointer goes on with the loop's counter");
}

/* The address that `gep` is, from its pointer, or from the address made before it in its block. */
static IrRef address_of(LoopBases *s, const Frame *l, IrRef gep, Pointer *p, i64 c)
{
	IrModule *m = s->m;
	bool      chained = !ir_is_none(p->last) && ir_same(ir_inst(m, p->last)->block, ir_inst(m, gep)->block) && p->c < c;
	IrRef     from = chained ? p->last : p->phi;
	i64       further = chained ? c - p->c : c;
	if (!further)
		return from;
	IrBuilder front = build_in_front(s, l, gep), b = ir_build_before(m, gep);
	IrRef     bytes = multiple_in_front(s, &front, p->factor, further * (i64)ir_alloc_size(m, p->elem));
	p->last = ir_b_gep(&b, IR_TYPE(I8), from, &bytes, 1, 0);
	p->c = c;
	return p->last;
}

static bool make_pointers(LoopBases *s, u32 loop)
{
	IrModule *m = s->m;
	Nodes     nodes = loop_nodes(s->loops, loop);
	Pointer   known[MAX_POINTERS], p;
	Frame     l;
	u32       n_known = 0;
	if (!read_frame(s, loop, &l))
		return false;
	for (u32 n = 0; n < nodes.n; n++) {
		IrRef next;
		for (IrRef i = ir_block(m, s->cfg->block[nodes.p[n]])->first; !ir_is_none(i); i = next) {
			next = ir_inst(m, i)->next;
			u32 k = 0;
			if (!read_pointer(s, &l, i, &p))
				continue;
			while (k < n_known && !same_pointer(&known[k], &p))
				k++;
			if (k == MAX_POINTERS)
				continue;
			if (k == n_known) {
				start_pointer(s, &l, i, &p);
				known[n_known] = p;
				known[n_known++].c = 0;
			}
			IrRef index = ir_op(m, i, 1);
			replace_inst(m, i, address_of(s, &l, i, &known[k], p.c));
			remove_if_dead(s->cx, index);
		}
	}
	return n_known > 0;
}

/* Are so few instructions in a loop that one less is worth two registers? */
static bool is_small(const LoopBases *s, u32 loop)
{
	Nodes nodes = loop_nodes(s->loops, loop);
	u32   size = 0;
	for (u32 n = 0; n < nodes.n && size <= MOST; n++)
		for (IrRef i = ir_block(s->m, s->cfg->block[nodes.p[n]])->first; !ir_is_none(i); i = ir_inst(s->m, i)->next)
			size++;
	return size <= MOST;
}

static bool run(PassCx *cx)
{
	LoopBases s = {.cx = cx, .m = cx->ir, .cfg = ir_cfg(cx), .loops = ir_loops(cx)};
	bool     *small = arena_array(cx->scratch, bool, s.loops->n + 1), changed = false;
	for (u32 l = 0; l < s.loops->n; l++)
		small[l] = is_small(&s, l);
	for (u32 n = 0; n < s.cfg->order.n; n++) {
		u32 block = s.cfg->order.node[n];
		if (s.loops->of[block] == GRAPH_NONE || !small[s.loops->of[block]])
			continue;
		for (IrRef i = ir_block(s.m, s.cfg->block[block])->first; !ir_is_none(i); i = ir_inst(s.m, i)->next)
			changed |= ir_inst(s.m, i)->op == IR_GETELEMENTPTR && split(&s, i, s.loops->of[block]);
	}
	for (u32 l = 0; l < s.loops->n; l++)
		changed |= make_pointers(&s, l);
	return changed;
}

const Pass irpass_loop_bases = {
	.id = "loop-bases",
	.title = "Bases of addresses in front of loops",
	.summary = "The part of an address that a loop does not change is added to its base in front of the loop.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_loop_bases,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(GETELEMENTPTR),
	.run = run,
};
