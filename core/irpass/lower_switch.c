/* lower-switch: a switch becomes a tree of compares, and where its cases stand close together a table or a test of bits.
 *
 *   switch i32 %x, label %d [            %i = sub i32 %x, 10
 *     i32 10, label %a                   %c = icmp ugt i32 %i, 4
 *     i32 11, label %b            →      br i1 %c, label %d, label %t
 *     i32 12, label %a                 t:
 *     i32 14, label %c ]                 switch i32 %i, label %c [ 0: %a, 1: %b, 2: %a, 3: %d ], !ptxscope.table
 *
 * Cases are sorted and runs to one place are joined to ranges. A segment of ranges is a table when it has
 * enough cases and few holes (knobs); else it is split at the middle, and both halves follow, down to CHAIN_RANGES
 * ranges, which are tested one after the other where there is a default beside them. What is known
 * of the value from the compares above saves the compares below: a segment that fills its bounds needs
 * none. A default that cannot be reached bounds the value from the start.
 *
 * A segment whose cases lie within a word and go to few places is decided by masks:
 *
 *   switch i32 %x, label %d [            %c = icmp ult i32 %x, 32
 *     i32 1, label %a                    %h = shl i32 1, %x
 *     i32 4, label %a             →      %w = select i1 %c, i32 %h, i32 0        one instruction: PTX's shifts clamp
 *     i32 9, label %a ]                  %n = and i32 %w, 530
 *                                        %t = icmp ne i32 %n, 0
 *                                        br i1 %t, label %a, label %d
 *
 * A table is a switch over 0 .. n-1 whose last target is the default, marked with !ptxscope.table:
 * selection makes a brx.idx of it without a check. Divergent threads leave brx.idx one target after the
 * other, as they leave a tree.
 *
 * Branch weights (!prof) go to the branches and tables: a range has the sum of its cases' weights, and every
 * range finds an equal share of the default's beside it. All are multiplied by the number of ranges first, so that
 * shares are whole numbers. In a table a range's weight is spread over its values; the default's share goes to
 * the check in front of it and the holes, half and half where there are both.
 *
 * Cost: n log n for n cases. The method is Bernstein's (Producing Good Code for the Case Statement, 1985). */
#include "base/map.h"
#include "base/sort.h"
#include "ir/builder.h"
#include "irpass/util.h"
#include "isa/isa.h"

enum { CHAIN_RANGES = 3, BIT_TARGETS = 3, WORD = 32 };

typedef struct Range {
	i64   low, high; /* inclusive, sign-extended */
	IrRef to;
	u64   weight;
} Range;

/* Ranges [first, last) of a value known to be in [min, max], decided from `block` on. */
typedef struct Segment {
	u32   first, last;
	i64   min, max;
	IrRef block;
	u64   passed; /* of the default's weight: what comes from ranges that were tested above */
} Segment;

typedef struct BitTarget {
	IrRef to;
	u32   mask; /* bit i: the value low + i goes there */
	u64   weight;
} BitTarget;

typedef struct BitTest {
	i64       low;
	u32       n;
	BitTarget to[BIT_TARGETS];
} BitTest;

typedef struct PhiIn {
	IrRef phi, value; /* what the phi takes from the switch */
} PhiIn;

typedef struct Lowering {
	PassCx   *cx;
	IrModule *m;
	IrFunc   *f;
	IrRef     origin;       /* the switch, for line and debug location */
	IrRef     block;        /* it ended this */
	IrRef     value, other; /* other: the default, none where it cannot be reached */
	IrType    type;
	IrRef     after; /* new blocks follow this one in the layout */
	Vec(Range) ranges;
	Vec(Segment) work;
	Vec(PhiIn) phis; /* grouped by target */
	Map  first;      /* by target: the first of its phis */
	u64 *weight;     /* of the switch's ways: the default, each case; NULL where nothing is known */
	u64  share;      /* of the default's weight, that each range finds beside it */
} Lowering;

/* ---- cases ---- */

static int by_low(const void *a, const void *b, void *user)
{
	(void)user;
	i64 x = ((const Range *)a)->low, y = ((const Range *)b)->low;
	return (x > y) - (x < y);
}

static bool is_unreachable(const IrModule *m, IrRef block) { return ir_inst(m, ir_block(m, block)->first)->op == IR_UNREACHABLE; }

static void collect_ranges(Lowering *l, IrRef sw)
{
	IrModule *m = l->m;
	IrRef     other = ir_op(m, sw, 1);
	for (u32 i = 2; i + 1 < ir_n_ops(m, sw); i += 2) {
		Range r = {.to = ir_op(m, sw, i + 1), .weight = l->weight ? l->weight[i / 2] : 0};
		ir_as_sint(m, ir_op(m, sw, i), &r.low);
		r.high = r.low;
		if (!ir_same(r.to, other) && !is_unreachable(m, r.to))
			vec_push(l->cx->scratch, &l->ranges, r);
	}
	sort_stable(l->cx->scratch, l->ranges.p, l->ranges.n, sizeof(Range), by_low, NULL);
	u32 kept = 0;
	for (u32 i = 0; i < l->ranges.n; i++) {
		Range *r = &l->ranges.p[i], *last = kept ? &l->ranges.p[kept - 1] : NULL;
		if (last && ir_same(last->to, r->to) && last->high + 1 == r->low)
			last->high = r->high, last->weight += r->weight;
		else
			l->ranges.p[kept++] = *r;
	}
	l->ranges.n = kept;
	for (u32 i = 0; l->weight && i < kept; i++)
		l->ranges.p[i].weight *= kept;
	l->share = l->weight && !ir_is_none(l->other) ? l->weight[0] : 0;
}

/* ---- phis of the targets ---- */

static void remember_phis(Lowering *l, IrRef target)
{
	ir_each_inst(l->m, target, phi) {
		if (ir_inst(l->m, phi)->op != IR_PHI)
			break;
		PhiIn in = {phi, ir_phi_value_for(l->m, phi, l->block)};
		if (!ir_is_none(in.value))
			vec_push(l->cx->scratch, &l->phis, in);
	}
}

/* A phi has one entry for each edge of the switch. */
static void detach_targets(Lowering *l)
{
	IrModule *m = l->m;
	u32       n = ir_n_succs(m, l->block);
	bool      fresh;
	map_init(&l->first, l->cx->scratch);
	for (u32 i = 0; i < n; i++) {
		IrRef target = ir_succ(m, l->block, i);
		u64  *first = map_put(&l->first, target.i, &fresh);
		if (!fresh)
			continue;
		*first = l->phis.n;
		remember_phis(l, target);
		ir_phis_forget_all(m, target, l->block);
	}
}

/* `from` gets an edge to `target`: its phis take what they took from the switch. */
static void attach(Lowering *l, IrRef from, IrRef target)
{
	const u64 *first = map_get(&l->first, target.i);
	for (u32 i = first ? (u32)*first : l->phis.n; i < l->phis.n; i++) {
		IrRef phi = l->phis.p[i].phi;
		if (!ir_same(ir_inst(l->m, phi)->block, target))
			break;
		ir_phi_add(l->m, phi, l->phis.p[i].value, from);
	}
}

/* ---- code ---- */

static IrBuilder at_end(Lowering *l, IrRef block)
{
	IrBuilder b = ir_build_end(l->m, block);
	b.origin = ir_info(l->m, l->origin)->origin;
	b.dbg = ir_info(l->m, l->origin)->dbg;
	return b;
}

static IrRef constant(Lowering *l, i64 v) { return ir_const_sint(l->m, l->type, v); }

static IrRef new_block(Lowering *l, const char *name)
{
	IrRef b = ir_block_new(l->m, l->f, str_of(name));
	ir_block_move_after(l->m, b, l->after);
	return l->after = b;
}

/* Gives a terminator's ways their weights: integers of 32 bits in the same relation, as producers write them. */
static void weigh(Lowering *l, IrRef term, const u64 *weight, u32 n)
{
	IrModule *m = l->m;
	u64       most = 0;
	IrMd     *md = arena_array(l->cx->scratch, IrMd, n + 1);
	if (!l->weight)
		return;
	for (u32 i = 0; i < n; i++)
		most = PS_MAX(most, weight[i]);
	u32 shift = 0;
	while (most >> shift > UINT32_MAX)
		shift++;
	md[0] = ir_md_string(m, STR("branch_weights"));
	for (u32 i = 0; i < n; i++)
		md[i + 1] = ir_md_value(m, ir_const_int(m, IR_TYPE(I32), weight[i] >> shift));
	if (most)
		ir_attach(m, term, "prof", ir_md_node(m, md, n + 1, false));
}

static void weigh_two(Lowering *l, IrRef term, u64 yes, u64 no) { weigh(l, term, (u64[]){yes, no}, 2); }

/* Of the ranges, and what of the default lies among them. */
static u64 weight_of(const Lowering *l, u32 first, u32 last)
{
	u64 sum = l->share * (last - first);
	for (u32 i = first; i < last; i++)
		sum += l->ranges.p[i].weight;
	return sum;
}

static void go(Lowering *l, IrRef from, IrRef to)
{
	IrBuilder b = at_end(l, from);
	ir_b_br(&b, to);
	attach(l, from, to);
}

static void go_if(Lowering *l, IrBuilder *b, IrRef cond, const IrRef to[2], const u64 weight[2])
{
	if (ir_same(to[0], to[1])) {
		ir_b_br(b, to[0]);
	} else {
		weigh(l, ir_b_cond_br(b, cond, to[0], to[1]), weight, 2);
		attach(l, b->block, to[1]);
	}
	attach(l, b->block, to[0]);
}

/* Is x in r, known that it is in [min, max]? One compare where a bound is known, else two in one. */
static IrRef in_range(Lowering *l, IrBuilder *b, const Segment *s, const Range *r)
{
	if (r->low == r->high)
		return ir_b_cmp(b, IRP_I_EQ, l->value, constant(l, r->low));
	if (s->min == r->low)
		return ir_b_cmp(b, IRP_I_SLE, l->value, constant(l, r->high));
	if (s->max == r->high)
		return ir_b_cmp(b, IRP_I_SGE, l->value, constant(l, r->low));
	IrRef from_low = ir_b_bin(b, IR_SUB, l->value, constant(l, r->low), 0);
	return ir_b_cmp(b, IRP_I_ULE, from_low, constant(l, (i64)((u64)r->high - (u64)r->low)));
}

static void one_range(Lowering *l, const Segment *s)
{
	const Range *r = &l->ranges.p[s->first];
	if (ir_is_none(l->other) || (s->min >= r->low && s->max <= r->high)) {
		go(l, s->block, r->to);
		return;
	}
	IrBuilder b = at_end(l, s->block);
	go_if(l, &b, in_range(l, &b, s, r), (IrRef[]){r->to, l->other}, (u64[]){r->weight, l->share + s->passed});
}

static void split(Lowering *l, const Segment *s)
{
	u32       middle = s->first + (s->last - s->first) / 2;
	i64       pivot = l->ranges.p[middle].low;
	IrRef     low = new_block(l, "switch.low"), high = new_block(l, "switch.high");
	IrBuilder b = at_end(l, s->block);
	IrRef     below_pivot = ir_b_cmp(&b, IRP_I_SLT, l->value, constant(l, pivot));
	weigh_two(l, ir_b_cond_br(&b, below_pivot, low, high), weight_of(l, s->first, middle), weight_of(l, middle, s->last));
	/* Without a default the value lies in a range: the gap below the pivot is no part of it. */
	i64     below = ir_is_none(l->other) ? l->ranges.p[middle - 1].high : pivot - 1;
	Segment left = {s->first, middle, s->min, below, low, 0}, right = {middle, s->last, pivot, s->max, high, 0};
	vec_push(l->cx->scratch, &l->work, right);
	vec_push(l->cx->scratch, &l->work, left);
}

/* Few ranges are tested one after the other: no path is longer than through a tree, and there is a compare less. The range at the
 * heavier end goes first. */
static bool wants_chain(const Lowering *l, const Segment *s)
{
	return s->last - s->first <= CHAIN_RANGES && !ir_is_none(l->other);
}

static void peel(Lowering *l, const Segment *s)
{
	bool         from_low = l->ranges.p[s->first].weight > l->ranges.p[s->last - 1].weight;
	const Range *r = &l->ranges.p[from_low ? s->first : s->last - 1];
	Segment      rest = *s;
	rest.block = new_block(l, "switch.next");
	rest.passed += l->share;
	if (from_low) {
		rest.first++;
		rest.min = s->min == r->low ? r->high + 1 : s->min;
	} else {
		rest.last--;
		rest.max = s->max == r->high ? r->low - 1 : s->max;
	}
	IrBuilder b = at_end(l, s->block);
	weigh_two(l, ir_b_cond_br(&b, in_range(l, &b, s, r), r->to, rest.block), r->weight,
	          weight_of(l, rest.first, rest.last) + rest.passed);
	attach(l, b.block, r->to);
	vec_push(l->cx->scratch, &l->work, rest);
}

/* ---- tables ---- */

static bool wants_table(Lowering *l, const Segment *s)
{
	const Session *session = l->cx->s;
	if (session->opt_level == 0 || !isa_has(l->cx->s, ptx_opc_plain(brx_idx)))
		return false;
	const Range *first = &l->ranges.p[s->first], *last = &l->ranges.p[s->last - 1];
	u64          span = (u64)last->high - (u64)first->low + 1, cases = 0;
	for (u32 i = s->first; i < s->last; i++)
		cases += (u64)l->ranges.p[i].high - (u64)l->ranges.p[i].low + 1;
	/* A table pays when the tree would be deep, that is when there are many ranges. */
	u64 least = (u64)knob_int(session, KNOB_switch_table_min_cases);
	u64 density = (u64)knob_int(session, KNOB_switch_table_density);
	return s->last - s->first >= least && span && span <= 4096 && cases * 100 >= span * density;
}

static IrRef target_of(const Lowering *l, const Segment *s, i64 v)
{
	u32 at = s->first, end = s->last; /* the last range that begins at v or below it is in [at, end) */
	while (end - at > 1) {
		u32 middle = at + (end - at) / 2;
		if (l->ranges.p[middle].low <= v)
			at = middle;
		else
			end = middle;
	}
	const Range *r = &l->ranges.p[at];
	if (v >= r->low && v <= r->high)
		return r->to;
	return ir_is_none(l->other) ? l->ranges.p[s->first].to : l->other; /* a hole */
}

static u64 width(const Range *r) { return (u64)r->high - (u64)r->low + 1; }

static u64 holes_of(const Lowering *l, const Segment *s)
{
	u64 holes = (u64)l->ranges.p[s->last - 1].high - (u64)l->ranges.p[s->first].low + 1;
	for (u32 i = s->first; i < s->last; i++)
		holes -= width(&l->ranges.p[i]);
	return holes;
}

/* `spread` is what the holes have together. The last value is the table's default, and comes first. */
static void weigh_table(Lowering *l, const Segment *s, IrRef sw, u64 spread)
{
	u32  n = ir_n_ops(l->m, sw) / 2, at = 1;
	u64 *w = arena_array(l->cx->scratch, u64, n + 1), holes = holes_of(l, s);
	for (u32 i = s->first; i < s->last; i++) {
		const Range *r = &l->ranges.p[i];
		for (u64 gap = i > s->first ? (u64)r->low - (u64)r[-1].high - 1 : 0; gap; gap--)
			w[at++] = spread / holes;
		for (u64 k = 0; k < width(r); k++)
			w[at++] = r->weight / width(r);
	}
	w[0] = w[n];
	weigh(l, sw, w, n);
}

static void table(Lowering *l, const Segment *s)
{
	IrModule *m = l->m;
	i64       low = l->ranges.p[s->first].low, high = l->ranges.p[s->last - 1].high;
	u32       n = (u32)(high - low + 1);
	u64       none = l->share * (s->last - s->first), spread = holes_of(l, s) ? none : 0; /* the default's: all, of holes */
	IrBuilder b = at_end(l, s->block);
	IrRef     index = l->value;
	if (low)
		index = ir_b_bin(&b, IR_SUB, l->value, constant(l, low), 0);
	if (!ir_is_none(l->other) && !(s->min >= low && s->max <= high)) {
		IrRef jump = new_block(l, "switch.table");
		IrRef outside = ir_b_cmp(&b, IRP_I_UGT, index, constant(l, high - low));
		spread /= 2;
		weigh_two(l, ir_b_cond_br(&b, outside, l->other, jump), none - spread,
		          weight_of(l, s->first, s->last) - none + spread);
		attach(l, s->block, l->other);
		b = at_end(l, jump);
	}
	IrRef sw = ir_inst_new(m, IR_SWITCH, IR_TYPE(VOID), 2 * n);
	ir_set_op(m, sw, 0, index);
	ir_set_op(m, sw, 1, target_of(l, s, high));
	for (u32 i = 0; i + 1 < n; i++) {
		ir_set_op(m, sw, 2 + 2 * i, constant(l, (i64)i));
		ir_set_op(m, sw, 3 + 2 * i, target_of(l, s, low + (i64)i));
	}
	ir_b_insert(&b, sw);
	ir_attach(m, sw, "ptxscope.table", ir_md_node(m, NULL, 0, false));
	weigh_table(l, s, sw, spread);
	for (u32 i = 0; i < n; i++)
		attach(l, b.block, target_of(l, s, low + (i64)i));
	pass_remark(l->cx, REMARK_PASSED, b.origin, "switch of %u cases becomes a table of %u", s->last - s->first, n);
}

/* ---- bits ---- */

/* A place to go to, and the values that go there: bits of the word. */
static BitTarget *bit_target(BitTest *t, IrRef to)
{
	for (u32 i = 0; i < t->n; i++)
		if (ir_same(t->to[i].to, to))
			return &t->to[i];
	if (t->n == BIT_TARGETS)
		return NULL;
	t->to[t->n] = (BitTarget){.to = to};
	return &t->to[t->n++];
}

/* With more places, more compares have to be saved. */
static bool wants_bits(Lowering *l, const Segment *s, BitTest *t)
{
	static const u32 least[BIT_TARGETS + 1] = {[1] = 3, [2] = 5, [3] = 6};
	const Range     *first = &l->ranges.p[s->first], *last = &l->ranges.p[s->last - 1];
	u32              compares = 0;
	if (l->cx->s->opt_level == 0 || !knob_bool(l->cx->s, KNOB_switch_bit_tests))
		return false;
	t->low = first->low >= 0 && last->high < WORD ? 0 : first->low;
	if ((u64)last->high - (u64)t->low >= WORD)
		return false;
	for (const Range *r = first; r <= last; r++) {
		BitTarget *to = bit_target(t, r->to);
		if (!to)
			return false;
		compares += r->low == r->high ? 1 : 2;
		to->mask |= (u32)((((u64)2 << (r->high - r->low)) - 1) << (r->low - t->low));
		to->weight += r->weight;
	}
	return compares >= least[t->n];
}

/* The word whose bit is that of the value; 0 for a value outside. */
static IrRef bit_word(Lowering *l, IrBuilder *b, const Segment *s, i64 low)
{
	u32   bits = ir_type(l->m, l->type)->bits;
	IrRef at = low ? ir_b_bin(b, IR_SUB, l->value, constant(l, low), 0) : l->value;
	if (bits < WORD)
		at = ir_b_cast(b, IR_ZEXT, at, IR_TYPE(I32));
	IrRef amount = bits > WORD ? ir_b_cast(b, IR_TRUNC, at, IR_TYPE(I32)) : at;
	IrRef bit = ir_b_bin(b, IR_SHL, ir_const_int(l->m, IR_TYPE(I32), 1), amount, 0);
	if (s->min >= low && (u64)s->max - (u64)low < WORD)
		return bit;
	IrRef inside = ir_b_cmp(b, IRP_I_ULT, at, ir_const_int(l->m, ir_type_of(l->m, at), WORD));
	return ir_b_select(b, inside, bit, ir_const_int(l->m, IR_TYPE(I32), 0));
}

static void bit_tests(Lowering *l, const Segment *s, const BitTest *t)
{
	IrBuilder b = at_end(l, s->block);
	IrRef     word = bit_word(l, &b, s, t->low);
	u64       rest = weight_of(l, s->first, s->last) + s->passed;
	for (u32 i = 0; i < t->n; i++) {
		const BitTarget *to = &t->to[i];
		bool             last = i + 1 == t->n;
		if (last && ir_is_none(l->other)) {
			ir_b_br(&b, to->to);
			attach(l, b.block, to->to);
			break;
		}
		rest -= to->weight;
		IrRef next = last ? l->other : new_block(l, "switch.next");
		IrRef here = ir_b_bin(&b, IR_AND, word, ir_const_int(l->m, IR_TYPE(I32), to->mask), 0);
		IrRef is = ir_b_cmp(&b, IRP_I_NE, here, ir_const_int(l->m, IR_TYPE(I32), 0));
		weigh_two(l, ir_b_cond_br(&b, is, to->to, next), to->weight, rest);
		attach(l, b.block, to->to);
		if (last)
			attach(l, b.block, next);
		b = at_end(l, next);
	}
	pass_remark(l->cx, REMARK_PASSED, b.origin, "switch of %u cases becomes %u tests of bits", s->last - s->first, t->n);
}

/* ---- the switch ---- */

static void segments(Lowering *l, u32 bits)
{
	i64 least = bits == 64 ? INT64_MIN : -((i64)1 << (bits - 1));
	i64 most = bits == 64 ? INT64_MAX : ((i64)1 << (bits - 1)) - 1;
	if (ir_is_none(l->other)) {
		least = l->ranges.p[0].low;
		most = l->ranges.p[l->ranges.n - 1].high;
	}
	vec_push(l->cx->scratch, &l->work, ((Segment){0, l->ranges.n, least, most, l->block, 0}));
	while (l->work.n) {
		Segment s = vec_pop(&l->work);
		BitTest t = {0};
		l->after = s.block;
		if (s.last - s.first == 1)
			one_range(l, &s);
		else if (wants_bits(l, &s, &t))
			bit_tests(l, &s, &t);
		else if (wants_table(l, &s))
			table(l, &s);
		else if (wants_chain(l, &s))
			peel(l, &s);
		else
			split(l, &s);
	}
}

/* Values of more than 64 bits: one equality after the other. */
static void chain(Lowering *l, const IrRef *cases, u32 n)
{
	IrRef block = l->after = l->block;
	u64   rest = 0;
	for (u32 i = 0; l->weight && i <= n; i++)
		rest += l->weight[i];
	for (u32 i = 0; i < n; i++) {
		u64       here = l->weight ? l->weight[i + 1] : 0;
		bool      last = i + 1 == n;
		IrRef     next = last ? cases[2 * n] : new_block(l, "switch.next");
		IrBuilder b = at_end(l, block);
		IrRef     same = ir_b_cmp(&b, IRP_I_EQ, l->value, cases[2 * i]);
		rest -= here;
		if (last) {
			go_if(l, &b, same, (IrRef[]){cases[2 * i + 1], next}, (u64[]){here, rest});
		} else {
			weigh_two(l, ir_b_cond_br(&b, same, cases[2 * i + 1], next), here, rest);
			attach(l, block, cases[2 * i + 1]);
		}
		block = next;
	}
}

/* Weights beyond 32 bits, which no producer writes, are cut: sums and products of them stay within 64. */
static void read_weights(Lowering *l, IrRef sw, u32 n)
{
	u64   *w = arena_array(l->cx->scratch, u64, n);
	IrProf p = ir_branch_weights(l->m, sw, w, n);
	for (u32 i = 0; i < n && p == IR_PROF_WEIGHTS; i++)
		w[i] = PS_MIN(w[i], UINT32_MAX);
	l->weight = p == IR_PROF_WEIGHTS ? w : NULL;
	if (p > IR_PROF_WEIGHTS) {
		u32 line = ir_info(l->m, sw)->origin;
		diag_report(&l->cx->s->diags, DIAG_PROF_IGNORED, (SrcRange){line, 0, line, 0},
		            STR_ARG(ir_str(l->m, ir_global(l->m, l->f->ref)->name)),
		            p == IR_PROF_ZERO ? "are all 0" : "do not fit the switch");
	}
}

static void lower(PassCx *cx, IrRef sw)
{
	IrModule *m = cx->ir;
	IrRef     block = ir_inst(m, sw)->block, other = ir_op(m, sw, 1);
	Lowering  l = {.cx = cx, .m = m, .f = pass_func(cx), .origin = sw, .block = block, .after = block};
	l.value = ir_op(m, sw, 0);
	l.type = ir_type_of(m, l.value);
	u32  bits = ir_type(m, l.type)->bits, n = (ir_n_ops(m, sw) - 2) / 2;
	bool unreachable_default = is_unreachable(m, other);
	l.other = unreachable_default ? IR_NO_REF : other;
	IrRef *cases = arena_array(cx->scratch, IrRef, 2 * n + 1);
	for (u32 i = 0; i < 2 * n; i++)
		cases[i] = ir_op(m, sw, 2 + i);
	cases[2 * n] = other;
	read_weights(&l, sw, n + 1);
	if (bits <= 64)
		collect_ranges(&l, sw);
	detach_targets(&l);
	ir_unlink(m, sw);
	if (n == 0 || (bits <= 64 && l.ranges.n == 0))
		go(&l, block, other);
	else if (bits <= 64)
		segments(&l, bits);
	else
		chain(&l, cases, n);
	ir_remove(m, sw);
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      changed = false;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(SWITCH)) {
		IrRef t = ir_term(m, b);
		if (ir_is_none(t) || ir_inst(m, t)->op != IR_SWITCH || ir_attached(m, t, "ptxscope.table").i)
			continue;
		lower(cx, t);
		changed = true;
	}
	return changed;
}

static const Knob knobs[] = {KNOB_switch_table_min_cases, KNOB_switch_table_density, KNOB_NONE};

const Pass irpass_lower_switch = {
	.id = "lower-switch",
	.title = "Lower switch",
	.summary = "Lowers switches to trees of comparisons and to jump tables.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.knobs = knobs,
	.looks_for = IR_OPS(SWITCH),
	.flags = PF_ANY_SIZE | PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
