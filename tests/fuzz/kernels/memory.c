/* memory.c: loads, stores, copies and atomics of memory that one thread has for itself, and what threads
 * tell each other. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

static Region *some_region(Gen *g, bool writable)
{
	u32 first = g->n_regions ? below(g->r, g->n_regions) : 0;
	for (u32 k = 0; k < g->n_regions; k++) {
		Region *r = &g->region[(first + k) % g->n_regions];
		if (!writable || r->writable)
			return r;
	}
	return NULL;
}

static Op pointer_type(u32 space) { return space ? gen_op("ptr addrspace(%u)", space) : gen_op("ptr"); }

/* The address of an element of type t in the region. */
static Op element(Gen *g, const Region *r, Type t)
{
	Op i = gen_index(g, r->bytes * 8 / type_info[t].bits), p = pointer_type(r->space);
	return gen_let(g, "getelementptr inbounds %s, %s %s, i64 %s", TYPE(t), p.s, r->ptr.s, i.s);
}

static u32 alignment(Gen *g, const Region *r, Type t) { return one_in(g->r, 6) ? 1 : PS_MIN(type_info[t].bits / 8, r->align); }

static const Type stored[] = {T_I8, T_I16, T_I32, T_I32, T_I64, T_V4I8, T_V2I32, T_V2I16, T_V4I32};

static void load(Gen *g, const Region *r)
{
	Type t = pick(g->r, stored);
	if (type_info[t].bits > r->bytes * 8)
		t = T_I32;
	Op  at = element(g, r, t), p = pointer_type(r->space);
	u32 align = alignment(g, r, t);
	gen_push(g, t, gen_let(g, "load %s%s, %s %s, align %u", one_in(g->r, 10) ? "volatile " : "", TYPE(t), p.s, at.s, align));
}

/* A load that is wider than any instruction's, of which lanes are read, written and seen as others. */
static void wide_load(Gen *g, const Region *r)
{
	static const struct {
		const char *vector, *lane, *as, *as_lane;
		Type        type, as_type;
		u32         lanes, as_lanes;
	} wide[] = {
		{"<8 x i32>", "i32", "<16 x i16>", "i16", T_I32, T_I16, 8, 16},
		{"<16 x i16>", "i16", "<4 x i64>", "i64", T_I16, T_I64, 16, 4},
		{"<6 x i32>", "i32", "<3 x i64>", "i64", T_I32, T_I64, 6, 3},
	};
	u32 k = below(g->r, PS_COUNT(wide)), align = 8u << below(g->r, 3);
	if (r->bytes < 32)
		return;
	Op i = gen_index(g, r->bytes / 32), p = pointer_type(r->space);
	Op at = gen_let(g, "getelementptr inbounds [32 x i8], %s %s, i64 %s", p.s, r->ptr.s, i.s);
	Op v = gen_let(g, "load %s, %s %s, align %u", wide[k].vector, p.s, at.s, PS_MIN(align, r->align));
	Op whole = v;
	if (one_in(g->r, 2)) {
		Op x = gen_value(g, wide[k].type);
		whole = gen_let(g, "insertelement %s %s, %s %s, i32 %u", wide[k].vector, v.s, wide[k].lane, x.s,
		                below(g->r, wide[k].lanes));
	}
	for (u32 n = 0; n < 3; n++)
		gen_push(g, wide[k].type,
		         gen_let(g, "extractelement %s %s, i32 %u", wide[k].vector, n ? whole.s : v.s,
		                 below(g->r, wide[k].lanes)));
	Op c = gen_let(g, "bitcast %s %s to %s", wide[k].vector, whole.s, wide[k].as);
	gen_push(g, wide[k].as_type, gen_let(g, "extractelement %s %s, i32 %u", wide[k].as, c.s, below(g->r, wide[k].as_lanes)));
}

static void store(Gen *g, const Region *r)
{
	Type t = pick(g->r, stored);
	if (type_info[t].bits > r->bytes * 8)
		t = T_I32;
	Op  v = gen_value(g, t), at = element(g, r, t), p = pointer_type(r->space);
	u32 align = alignment(g, r, t);
	gen_emit(g, "store %s%s %s, %s %s, align %u", one_in(g->r, 10) ? "volatile " : "", TYPE(t), v.s, p.s, at.s, align);
}

static void copy(Gen *g)
{
	const Region *to = some_region(g, true), *from = some_region(g, false);
	if (!to || !from)
		return;
	Op pt = pointer_type(to->space), pf = pointer_type(from->space);
	if (one_in(g->r, 3)) {
		gen_declare(g, "declare void @llvm.memset.p%u.i64(%s, i8, i64, i1)", to->space, pt.s);
		Op v = gen_value(g, T_I8);
		gen_emit(g, "call void @llvm.memset.p%u.i64(%s align 4 %s, i8 %s, i64 %u, i1 false)", to->space, pt.s, to->ptr.s,
		         v.s, 1 + below(g->r, to->bytes));
		return;
	}
	/* regions may be one and the same seen through two pointers: only moves are safe */
	gen_declare(g, "declare void @llvm.memmove.p%u.p%u.i64(%s, %s, i64, i1)", to->space, from->space, pt.s, pf.s);
	gen_emit(g, "call void @llvm.memmove.p%u.p%u.i64(%s %s, %s %s, i64 %u, i1 false)", to->space, from->space, pt.s,
	         to->ptr.s, pf.s, from->ptr.s, 1 + below(g->r, PS_MIN(to->bytes, from->bytes)));
}

/* What a loop reads: addresses whose indices are sums and products of its counter and what it does not change. */
typedef struct Walk {
	const Region *r;
	const char   *type; /* of the counter and of `still` */
	Op            i, still, factor;
	bool          wide;
} Walk;

static Op walk_index(Gen *g, const Walk *w, Op v)
{
	static const char *const extend[] = {"sext i32", "zext i32", "zext nneg i32"};
	return w->wide ? v : gen_let(g, "%s %s to i64", pick(g->r, extend), v.s);
}

static Op walk_load(Gen *g, const Walk *w)
{
	static const char *const sum[] = {"add nuw nsw", "add nsw", "add nuw", "add"};
	u32                      c = below(g->r, 3), form = below(g->r, 4);
	Op                       k = c ? gen_let(g, "%s %s %s, %u", pick(g->r, sum), w->type, w->i.s, c) : w->i, at;
	if (form < 2) {
		at = walk_index(
			g, w,
			gen_let(g, "%s %s %s, %s", pick(g->r, sum), w->type, form ? w->still.s : k.s, form ? k.s : w->still.s));
	} else {
		k = walk_index(g, w, k);
		at = gen_let(g, "mul i64 %s, %s", form == 2 ? k.s : w->factor.s, form == 2 ? w->factor.s : k.s);
		if (one_in(g->r, 2)) {
			Op still = walk_index(g, w, w->still);
			at = gen_let(g, "add i64 %s, %s", at.s, still.s);
		}
	}
	Op p = pointer_type(w->r->space), q = gen_let(g, "getelementptr inbounds i32, %s %s, i64 %s", p.s, w->r->ptr.s, at.s);
	return gen_let(g, "load i32, %s %s, align 4", p.s, q.s);
}

/* The counter is 12 + 3 at most, `still` 15 and the factor 7: 120 of 256 words. */
void gen_walk(Gen *g)
{
	Walk w = {.wide = one_in(g->r, 2)};
	u32  step = 1 + below(g->r, 3), count = 1 + below(g->r, 3);
	for (u32 k = 0; k < g->n_regions; k++)
		if (!g->region[k].writable && g->region[k].bytes >= 1024)
			w.r = &g->region[k];
	if (!w.r)
		return;
	w.type = w.wide ? "i64" : "i32";
	Op a = gen_value(g, w.wide ? T_I64 : T_I32), b = gen_value(g, T_I64), c = gen_value(g, w.wide ? T_I64 : T_I32);
	w.still = gen_let(g, "and %s %s, 15", w.type, a.s);
	w.factor = gen_let(g, "and i64 %s, 7", b.s);
	Op start = one_in(g->r, 2) ? gen_op("%u", below(g->r, 4)) : gen_let(g, "and %s %s, 3", w.type, c.s);
	Op limit = gen_let(g, "add %s %s, %u", w.type, start.s, step * count), before = g->block, head = gen_label(g),
	   end = gen_label(g);
	Op sum = gen_op("%%v%u", g->next++), next = gen_op("%%v%u", g->next++), last = gen_op("%%v%u", g->next++), all = sum;
	w.i = gen_op("%%v%u", g->next++);
	gen_emit(g, "br label %%%s", head.s);
	gen_start(g, head);
	gen_emit(g, "%s = phi %s [ %s, %%%s ], [ %s, %%%s ]", w.i.s, w.type, start.s, before.s, next.s, head.s);
	gen_emit(g, "%s = phi i32 [ 1, %%%s ], [ %s, %%%s ]", sum.s, before.s, last.s, head.s);
	for (u32 n = 1 + below(g->r, 3); n; n--) {
		Op v = walk_load(g, &w), x = gen_let(g, "mul i32 %s, 31", all.s);
		all = gen_let(g, "xor i32 %s, %s", x.s, v.s);
	}
	gen_emit(g, "%s = add i32 %s, 1", last.s, all.s);
	gen_emit(g, "%s = add nuw nsw %s %s, %u", next.s, w.type, w.i.s, step);
	Op more = gen_let(g, "icmp ult %s %s, %s", w.type, next.s, limit.s);
	gen_emit(g, "br i1 %s, label %%%s, label %%%s", more.s, head.s, end.s);
	gen_start(g, end);
	gen_push(g, T_I32, last);
}

void gen_memory(Gen *g)
{
	u32     kind = below(g->r, 10);
	Region *r = some_region(g, kind >= 6);
	if (!r)
		return;
	if (kind < 6 && !r->writable && one_in(g->r, 3))
		wide_load(g, r);
	else if (kind < 6)
		load(g, r);
	else if (kind < 9)
		store(g, r);
	else
		copy(g);
}

/* Atomic operations with a result, on memory of this thread. */
void gen_atomic(Gen *g)
{
	static const char *const ops[] = {"xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin"};
	static const char *const orders[] = {"monotonic", "monotonic", "seq_cst", "acq_rel"}, *const scopes[] = {
												      "", "syncscope(\"block\") ",
												      "syncscope(\"device\") "};
	Region *r = NULL;
	for (u32 tries = 0; tries < 8 && !r; tries++) {
		Region *one = some_region(g, true);
		r = one && one->atomic ? one : NULL;
	}
	if (!r)
		return;
	Type t = one_in(g->r, 4) ? (one_in(g->r, 2) ? T_I8 : T_I16) : one_in(g->r, 2) ? T_I32 : T_I64;
	Op   at = element(g, r, t), p = pointer_type(r->space), v = gen_value(g, t), w = gen_value(g, t);
	if (one_in(g->r, 3)) {
		Op both = gen_let(g, "cmpxchg %s %s, %s %s, %s %s monotonic monotonic", p.s, at.s, TYPE(t), v.s, TYPE(t), w.s);
		gen_push(g, t, gen_let(g, "extractvalue { %s, i1 } %s, 0", TYPE(t), both.s));
		gen_push(g, T_I1, gen_let(g, "extractvalue { %s, i1 } %s, 1", TYPE(t), both.s));
		return;
	}
	const char *op = pick(g->r, ops), *scope = pick(g->r, scopes), *order = pick(g->r, orders);
	gen_push(g, t, gen_let(g, "atomicrmw %s %s %s, %s %s %s%s", op, p.s, at.s, TYPE(t), v.s, scope, order));
}

/* A cell for each operation, so that the order of threads does not show; nobody looks at the old value. */
void gen_counter(Gen *g)
{
	static const char *const ops[] = {"add", "and", "or", "xor", "max", "min", "umax", "umin"};
	u32                      k = below(g->r, (u32)(sizeof ops / sizeof *ops) + 1);
	bool                     shared = g->counters && one_in(g->r, 2);
	Op p = shared ? gen_op("ptr addrspace(3)") : gen_op("ptr"), base = shared ? gen_op("@count") : gen_op("%%acc");
	Op at = gen_let(g, "getelementptr inbounds i32, %s %s, i64 %u", p.s, base.s, k);
	Op v = gen_value(g, T_I32);
	if (k == sizeof ops / sizeof *ops) { /* whole numbers: sums of floats that are exact in any order */
		Op small = gen_let(g, "and i32 %s, 255", v.s);
		Op f = gen_let(g, "uitofp i32 %s to float", small.s);
		gen_let(g, "atomicrmw fadd %s %s, float %s monotonic", p.s, at.s, f.s);
		return;
	}
	gen_let(g, "atomicrmw %s %s %s, i32 %s monotonic", ops[k], p.s, at.s, v.s);
}

/* ---- between threads, where all of the block are */

static void shuffle(Gen *g)
{
	static const char *const modes[] = {"bfly", "down", "up", "idx"};
	const char              *mode = pick(g->r, modes);
	bool                     is_float = one_in(g->r, 3);
	Type                     t = is_float ? T_FLOAT : T_I32;
	Op                       v = gen_value(g, t), by = gen_op("%u", 1 + below(g->r, 31));
	if (one_in(g->r, 4))
		by = gen_uniform(g);
	u32 clamp = strcmp(mode, "up") == 0 ? 0 : 31;
	if (one_in(g->r, 4))
		clamp |= (32 - (2u << below(g->r, 5))) << 8;
	if (one_in(g->r, 3)) {
		const char *sfx = is_float ? "f32p" : "i32p";
		gen_declare(g, "declare { %s, i1 } @llvm.nvvm.shfl.sync.%s.%s(i32, %s, i32, i32) #0", TYPE(t), mode, sfx,
		            TYPE(t));
		Op both = gen_let(g, "call { %s, i1 } @llvm.nvvm.shfl.sync.%s.%s(i32 -1, %s %s, i32 %s, i32 %u) #0", TYPE(t),
		                  mode, sfx, TYPE(t), v.s, by.s, clamp);
		gen_push(g, t, gen_let(g, "extractvalue { %s, i1 } %s, 0", TYPE(t), both.s));
		gen_push(g, T_I1, gen_let(g, "extractvalue { %s, i1 } %s, 1", TYPE(t), both.s));
		return;
	}
	gen_declare(g, "declare %s @llvm.nvvm.shfl.sync.%s.%s(i32, %s, i32, i32) #0", TYPE(t), mode, type_info[t].suffix,
	            TYPE(t));
	gen_push(g, t,
	         gen_let(g, "call %s @llvm.nvvm.shfl.sync.%s.%s(i32 -1, %s %s, i32 %s, i32 %u) #0", TYPE(t), mode,
	                 type_info[t].suffix, TYPE(t), v.s, by.s, clamp));
}

static void vote(Gen *g)
{
	static const char *const modes[] = {"all", "any", "uni"};
	Op                       c = gen_value(g, T_I1);
	if (one_in(g->r, 2)) {
		gen_declare(g, "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #0");
		gen_push(g, T_I32, gen_let(g, "call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %s) #0", c.s));
		return;
	}
	const char *mode = pick(g->r, modes);
	gen_declare(g, "declare i1 @llvm.nvvm.vote.%s.sync(i32, i1) #0", mode);
	gen_push(g, T_I1, gen_let(g, "call i1 @llvm.nvvm.vote.%s.sync(i32 -1, i1 %s) #0", mode, c.s));
}

static void match(Gen *g)
{
	static const char *const redux[] = {"add", "min", "max", "umin", "umax", "and", "or", "xor"};
	Op                       v = gen_value(g, T_I32);
	if (g->sm >= 80 && one_in(g->r, 2)) {
		const char *op = pick(g->r, redux);
		gen_declare(g, "declare i32 @llvm.nvvm.redux.sync.%s(i32, i32) #0", op);
		gen_push(g, T_I32, gen_let(g, "call i32 @llvm.nvvm.redux.sync.%s(i32 %s, i32 -1) #0", op, v.s));
		return;
	}
	Op few = gen_let(g, "and i32 %s, 3", v.s);
	gen_declare(g, "declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) #0");
	gen_push(g, T_I32, gen_let(g, "call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %s) #0", few.s));
}

static void barrier_reduction(Gen *g)
{
	static const char *const modes[] = {"popc", "and", "or"};
	const char              *mode = pick(g->r, modes);
	Op                       v = gen_value(g, T_I32);
	Op                       bit = gen_let(g, "and i32 %s, 1", v.s);
	gen_declare(g, "declare i32 @llvm.nvvm.barrier0.%s(i32) #0", mode);
	Op n = gen_let(g, "call i32 @llvm.nvvm.barrier0.%s(i32 %s) #0", mode, bit.s);
	vec_push(g->a, &g->uniform, g->pool.n);
	gen_push(g, T_I32, n);
}

static void through_shared(Gen *g)
{
	g->exchange = true;
	gen_declare(g, "declare void @llvm.nvvm.barrier0() #0");
	Op v = gen_value(g, T_I32), u = gen_uniform(g);
	Op turn = gen_let(g, "and i32 %s, %u", u.s, g->threads - 1);
	Op other = gen_let(g, "xor i32 %%tid, %s", turn.s);
	Op w = gen_let(g, "zext i32 %%tid to i64"), x = gen_let(g, "zext i32 %s to i64", other.s);
	Op p = gen_let(g, "getelementptr inbounds [%u x i32], ptr addrspace(3) @line, i64 0, i64 %s", g->threads, w.s);
	Op q = gen_let(g, "getelementptr inbounds [%u x i32], ptr addrspace(3) @line, i64 0, i64 %s", g->threads, x.s);
	gen_emit(g, "store i32 %s, ptr addrspace(3) %s, align 4", v.s, p.s);
	gen_emit(g, "call void @llvm.nvvm.barrier0() #0");
	gen_push(g, T_I32, gen_let(g, "load i32, ptr addrspace(3) %s, align 4", q.s));
	gen_emit(g, "call void @llvm.nvvm.barrier0() #0");
}

void gen_exchange(Gen *g)
{
	switch (g->sm < 70 ? 4 + below(g->r, 2) : below(g->r, 6)) {
	case 0:
	case 1: shuffle(g); return;
	case 2: vote(g); return;
	case 3: match(g); return;
	case 4: barrier_reduction(g); return;
	default: through_shared(g);
	}
}
