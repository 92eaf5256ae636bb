/* generate.c: control flow, functions and the kernel around them. Every loop has a counter with a small
 * limit, every recursion a depth; what threads tell each other happens only where all of them are. */
#include "gen.h"

#include "config/knobs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const Type carried[] = {T_I8, T_I16, T_I32, T_I32, T_I64, T_I64, T_FLOAT, T_DOUBLE, T_HALF, T_V2I32};

/* ---- writing */

Op gen_op(const char *fmt, ...)
{
	Op      o;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(o.s, sizeof o.s, fmt, ap);
	va_end(ap);
	return o;
}

static void line(Gen *g, const char *head, const char *fmt, va_list ap)
{
	char text[1024];
	vsnprintf(text, sizeof text, fmt, ap);
	text_f(g->out, "  %s%s\n", head, text);
	if (g->budget)
		g->budget--;
}

Op gen_let(Gen *g, const char *fmt, ...)
{
	Op      o = gen_op("%%v%u", g->next++), head = gen_op("%s = ", o.s);
	va_list ap;
	va_start(ap, fmt);
	line(g, head.s, fmt, ap);
	va_end(ap);
	return o;
}

enum { PROFILES = 4 };
static const u32 profile[PROFILES][2] = {{1, 99}, {90, 10}, {1, 1}, {4000000, 1}};

/* Branches have profiles now and then, which say nothing of how often they are taken. */
void gen_emit(Gen *g, const char *fmt, ...)
{
	va_list ap;
	if (strncmp(fmt, "br i1 ", 6) == 0 && g->next % 3 == 0)
		fmt = arena_fmt(g->a, "%s, !prof !%u", fmt, 1 + g->next % PROFILES).p;
	va_start(ap, fmt);
	line(g, "", fmt, ap);
	va_end(ap);
}

void gen_declare(Gen *g, const char *fmt, ...)
{
	char    text[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	for (u32 i = 0; i < g->declared.n; i++)
		if (str_is(g->declared.p[i], text))
			return;
	vec_push(g->a, &g->declared, arena_fmt(g->a, "%s", text));
}

void gen_push(Gen *g, Type t, Op op) { vec_push(g->a, &g->pool, ((Value){t, op})); }

Op gen_label(Gen *g) { return gen_op("b%u", g->next++); }

void gen_start(Gen *g, Op label)
{
	text_f(g->out, "%s:\n", label.s);
	g->block = label;
}

/* ---- scopes */

typedef struct Scope {
	u32  pool, uniform;
	bool together;
} Scope;

static Scope scope_open(const Gen *g) { return (Scope){g->pool.n, g->uniform.n, g->together}; }

static void scope_close(Gen *g, Scope s)
{
	g->pool.n = s.pool;
	g->uniform.n = s.uniform;
	g->together = s.together;
}

/* ---- control flow */

/* A condition; where all threads are together it is now and then the same in all of them. */
static Op condition(Gen *g)
{
	if (g->together && one_in(g->r, 3)) {
		Op  u = gen_uniform(g);
		u32 bit = 1u << below(g->r, 6);
		Op  b = gen_let(g, "and i32 %s, %u", u.s, bit);
		return gen_let(g, "icmp eq i32 %s, 0", b.s);
	}
	g->together = false;
	return gen_value(g, T_I1);
}

static void branch(Gen *g, u32 depth)
{
	Scope s = scope_open(g);
	Type  t = pick(g->r, carried);
	Op    was = gen_value(g, t), c = condition(g);
	bool  together = g->together, both = !one_in(g->r, 3);
	Op    yes = gen_label(g), no = gen_label(g), end = gen_label(g), from = g->block;
	Scope inner = scope_open(g);
	gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, yes.s, both ? no.s : end.s);
	gen_start(g, yes);
	gen_statements(g, depth + 1, 1 + below(g->r, 4));
	Op x = gen_value(g, t), x_block = g->block, y = was, y_block = from;
	gen_emit(g, "br label %%%s", end.s);
	scope_close(g, inner);
	if (both) {
		gen_start(g, no);
		g->together = together;
		gen_statements(g, depth + 1, 1 + below(g->r, 4));
		y = gen_value(g, t), y_block = g->block;
		gen_emit(g, "br label %%%s", end.s);
	}
	scope_close(g, s);
	gen_start(g, end);
	gen_push(g, t, gen_let(g, "phi %s [ %s, %%%s ], [ %s, %%%s ]", TYPE(t), x.s, x_block.s, y.s, y_block.s));
}

/* What a loop carries and the places it leaves from. */
typedef struct Loop {
	Type t;
	Op   head, latch, end, before, i, acc, swap, next, limit, first, other;
	Op   exit_block[3], exit_value[3];
	u32  n_exits;
	bool breaks;
} Loop;

static void loop_exit(Loop *l, Op block, Op value)
{
	l->exit_block[l->n_exits] = block;
	l->exit_value[l->n_exits++] = value;
}

/* The body, into the text aside; *back and *rotated are what goes around. */
static void loop_body(Gen *g, Loop *l, u32 depth, Op *back, Op *rotated)
{
	gen_push(g, T_I32, l->i);
	gen_push(g, l->t, l->acc);
	gen_push(g, T_I32, l->swap);
	if (one_in(g->r, 3)) { /* tested at the head: the body may not run at all */
		Op c = gen_let(g, "icmp ult i32 %s, %s", l->i.s, l->limit.s), body = gen_label(g);
		gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, body.s, l->end.s);
		loop_exit(l, g->block, l->acc);
		gen_start(g, body);
	}
	gen_statements(g, depth + 1, 1 + below(g->r, 4));
	if (l->breaks) {
		Op v = gen_value(g, l->t), c = gen_value(g, T_I1), on = gen_label(g);
		gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, l->end.s, on.s);
		loop_exit(l, g->block, v);
		gen_start(g, on);
		gen_statements(g, depth + 1, 1 + below(g->r, 2));
	}
	*back = gen_value(g, l->t);
	*rotated = one_in(g->r, 2) ? l->i : gen_value(g, T_I32);
}

static void loop(Gen *g, u32 depth)
{
	Scope s = scope_open(g);
	Loop  l = {.t = pick(g->r, carried), .before = g->block};
	l.head = gen_label(g), l.end = gen_label(g);
	l.i = gen_op("%%v%u", g->next++), l.acc = gen_op("%%v%u", g->next++), l.swap = gen_op("%%v%u", g->next++),
	l.next = gen_op("%%v%u", g->next++);
	l.first = gen_value(g, l.t), l.other = gen_value(g, T_I32);
	if (one_in(g->r, 2)) {
		l.limit = gen_op("%u", 1 + below(g->r, 6));
	} else {
		bool uniform = g->together && one_in(g->r, 2);
		Op   v = uniform ? gen_uniform(g) : gen_value(g, T_I32);
		l.limit = gen_let(g, "and i32 %s, 7", v.s);
		g->together = uniform;
	}
	l.breaks = one_in(g->r, 4);
	g->together &= !l.breaks; /* who comes around again, is not everyone */
	gen_emit(g, "br label %%%s", l.head.s);
	Text *out = g->out, aside;
	Op    back, rotated;
	text_init(&aside, g->a);
	g->out = &aside;
	g->block = l.head;
	Scope inner = scope_open(g);
	loop_body(g, &l, depth, &back, &rotated);
	scope_close(g, inner);
	gen_emit(g, "%s = add i32 %s, 1", l.next.s, l.i.s);
	Op c = gen_let(g, "icmp ult i32 %s, %s", l.next.s, l.limit.s);
	gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, l.head.s, l.end.s);
	loop_exit(&l, g->block, back);
	g->out = out;
	Op latch = g->block;
	gen_start(g, l.head);
	gen_emit(g, "%s = phi i32 [ 0, %%%s ], [ %s, %%%s ]", l.i.s, l.before.s, l.next.s, latch.s);
	gen_emit(g, "%s = phi %s [ %s, %%%s ], [ %s, %%%s ]", l.acc.s, TYPE(l.t), l.first.s, l.before.s, back.s, latch.s);
	gen_emit(g, "%s = phi i32 [ %s, %%%s ], [ %s, %%%s ]", l.swap.s, l.other.s, l.before.s, rotated.s, latch.s);
	text_add(g->out, text_str(&aside));
	scope_close(g, s);
	gen_start(g, l.end);
	Op   all = gen_op("%s", "");
	Text phi;
	text_init(&phi, g->a);
	for (u32 k = 0; k < l.n_exits; k++)
		text_f(&phi, "%s[ %s, %%%s ]", k ? ", " : "", l.exit_value[k].s, l.exit_block[k].s);
	all = gen_let(g, "phi %s %.*s", TYPE(l.t), (int)phi.n, phi.p);
	gen_push(g, l.t, all);
}

/* A loop with two entries: a goes to b and b to a, each counts. */
static void irreducible(Gen *g, u32 depth)
{
	Scope s = scope_open(g);
	Op    a = gen_label(g), b = gen_label(g), end = gen_label(g), before = g->block;
	Op    ia = gen_op("%%v%u", g->next++), ib = gen_op("%%v%u", g->next++), xa = gen_op("%%v%u", g->next++),
	   xb = gen_op("%%v%u", g->next++);
	Op  x = gen_value(g, T_I32), c = gen_value(g, T_I1), next[2], value[2], block[2];
	u32 limit = 2 + below(g->r, 5);
	gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, a.s, b.s);
	g->together = false;
	Text *out = g->out, text[2];
	for (u32 k = 0; k < 2; k++) {
		Op    i = k ? ib : ia, v = k ? xb : xa, to = k ? a : b;
		Scope inner = scope_open(g);
		text_init(&text[k], g->a);
		g->out = &text[k];
		g->block = k ? b : a;
		gen_push(g, T_I32, i);
		gen_push(g, T_I32, v);
		gen_statements(g, depth + 1, 1 + below(g->r, 3));
		value[k] = gen_value(g, T_I32);
		next[k] = gen_let(g, "add i32 %s, 1", i.s);
		Op on = gen_let(g, "icmp ult i32 %s, %u", next[k].s, limit);
		gen_emit(g, "br i1 %s, label %%%s, label %%%s", on.s, to.s, end.s);
		block[k] = g->block;
		scope_close(g, inner);
	}
	g->out = out;
	for (u32 k = 0; k < 2; k++) {
		gen_start(g, k ? b : a);
		gen_emit(g, "%s = phi i32 [ 0, %%%s ], [ %s, %%%s ]", k ? ib.s : ia.s, before.s, next[1 - k].s, block[1 - k].s);
		gen_emit(g, "%s = phi i32 [ %s, %%%s ], [ %s, %%%s ]", k ? xb.s : xa.s, x.s, before.s, value[1 - k].s,
		         block[1 - k].s);
		text_add(g->out, text_str(&text[k]));
	}
	scope_close(g, s);
	gen_start(g, end);
	gen_push(g, T_I32, gen_let(g, "phi i32 [ %s, %%%s ], [ %s, %%%s ]", value[0].s, block[0].s, value[1].s, block[1].s));
}

static void choice(Gen *g, u32 depth)
{
	enum { MOST = 7 };
	static const Type types[] = {T_I8, T_I16, T_I32, T_I32, T_I64};
	Scope             s = scope_open(g);
	Type              t = pick(g->r, types);
	u32 n = 2 + below(g->r, MOST - 1), step = one_in(g->r, 3) ? 9 : 1, first = one_in(g->r, 3) ? below(g->r, 90) : 0;
	Op  x = gen_value(g, t), v = gen_let(g, "and %s %s, %u", TYPE(t), x.s, step == 1 ? 7 : 63);
	Op  end = gen_label(g), rest = gen_label(g), label[MOST + 1], value[MOST + 1], block[MOST + 1];
	if (first)
		v = gen_let(g, "add %s %s, %u", TYPE(t), v.s, first & 31);
	first &= 31;
	Text cases;
	text_init(&cases, g->a);
	for (u32 k = 0; k < n; k++) {
		label[k] = gen_label(g);
		text_f(&cases, " %s %u, label %%%s", TYPE(t), first + k * step, label[k].s);
	}
	label[n] = rest;
	gen_emit(g, "switch %s %s, label %%%s [%.*s ]", TYPE(t), v.s, rest.s, (int)cases.n, cases.p);
	u32 ends = 0;
	for (u32 k = 0; k <= n; k++) {
		g->together = false;
		gen_start(g, label[k]);
		gen_statements(g, depth + 2, 1 + below(g->r, 2));
		if (k < n && one_in(g->r, 6)) { /* falls into the next one */
			gen_emit(g, "br label %%%s", label[k + 1].s);
		} else {
			value[ends] = gen_value(g, T_I32), block[ends++] = g->block;
			gen_emit(g, "br label %%%s", end.s);
		}
		scope_close(g, s);
	}
	gen_start(g, end);
	Text phi;
	text_init(&phi, g->a);
	for (u32 k = 0; k < ends; k++)
		text_f(&phi, "%s[ %s, %%%s ]", k ? ", " : "", value[k].s, block[k].s);
	gen_push(g, T_I32, gen_let(g, "phi i32 %.*s", (int)phi.n, phi.p));
}

/* ---- calls */

static Op return_type(const Func *f)
{
	return f->returns_pair ? gen_op("{ %s, i64 }", TYPE(f->ret)) : gen_op("%s", TYPE(f->ret));
}

static void parameters(const Gen *g, const Func *f, Text *out)
{
	(void)g;
	text_s(out, "ptr %in");
	if (f->recursive)
		text_s(out, ", i32 %depth");
	for (u32 i = 0; i < f->n_args; i++)
		text_f(out, ", %s %%a%u", TYPE(f->arg[i]), i);
	if (f->byval)
		text_s(out, ", ptr byval({ i32, i32, i64 }) align 8 %agg");
	if (f->takes_memory)
		text_s(out, ", ptr %mem");
}

static void call_with(Gen *g, const Func *f, Op callee, Op depth)
{
	Text args;
	text_init(&args, g->a);
	text_s(&args, "ptr %in");
	if (f->recursive)
		text_f(&args, ", i32 %s", depth.s);
	for (u32 i = 0; i < f->n_args; i++) {
		Op v = gen_value(g, f->arg[i]);
		text_f(&args, ", %s %s", TYPE(f->arg[i]), v.s);
	}
	if (f->byval)
		text_s(&args, ", ptr byval({ i32, i32, i64 }) align 8 %agg");
	if (f->takes_memory)
		text_s(&args, ", ptr %mem");
	Op ret = return_type(f), v = gen_let(g, "call %s %s(%.*s)", ret.s, callee.s, (int)args.n, args.p);
	if (!f->returns_pair) {
		gen_push(g, f->ret, v);
		return;
	}
	gen_push(g, f->ret, gen_let(g, "extractvalue %s %s, 0", ret.s, v.s));
	gen_push(g, T_I64, gen_let(g, "extractvalue %s %s, 1", ret.s, v.s));
}

/* In the kernel, %mem and %agg are memory of this thread; functions hand on their own. */
static void call(Gen *g)
{
	u32         k = below(g->r, g->n_funcs);
	const Func *f = &g->func[k];
	if (!g->is_kernel && (f->takes_memory || f->byval))
		return;
	Op callee = gen_op("@f%u", k), depth = gen_op("0");
	if (f->recursive) {
		Op v = gen_value(g, T_I32);
		depth = gen_let(g, "and i32 %s, 3", v.s);
	}
	if (f->twin) {
		Op c = gen_value(g, T_I1);
		if (one_in(g->r, 2)) {
			g->tables = true;
			Op w = gen_let(g, "zext i1 %s to i64", c.s);
			Op p = gen_let(g, "getelementptr inbounds [2 x ptr], ptr addrspace(1) @table%u, i64 0, i64 %s", k, w.s);
			callee = gen_let(g, "load ptr, ptr addrspace(1) %s, align 8", p.s);
		} else {
			callee = gen_let(g, "select i1 %s, ptr @f%u, ptr @f%u_twin", c.s, k, k);
		}
	}
	call_with(g, f, callee, depth);
}

/* ---- scopes */

static void region(Gen *g, Op ptr, u32 space, u32 bytes, u32 align, bool writable, bool atomic)
{
	if (g->n_regions < MAX_REGIONS)
		g->region[g->n_regions++] = (Region){ptr, space, bytes, align, writable, atomic};
}

/* Statements that use a local array which is not in use in front of them or behind them: arrays of scopes one behind the
 * other may share their room, those of scopes one in the other may not. */
static void scoped_array(Gen *g, u32 depth)
{
	u32 k = below(g->r, MAX_SCOPES), regions = g->n_regions, bytes = 16u << (k & 1);
	if (!(g->scopes >> k & 1))
		return;
	g->scopes ^= 1u << k;
	gen_declare(g, "declare void @llvm.lifetime.start.p0(i64, ptr)");
	gen_declare(g, "declare void @llvm.lifetime.end.p0(i64, ptr)");
	gen_declare(g, "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)");
	gen_emit(g, "call void @llvm.lifetime.start.p0(i64 %u, ptr %%scope%u)", bytes, k);
	gen_emit(g, "call void @llvm.memset.p0.i64(ptr align 8 %%scope%u, i8 %u, i64 %u, i1 false)", k, k + 1, bytes);
	region(g, gen_op("%%scope%u", k), 0, bytes, 8, true, false);
	gen_memory(g);
	gen_memory(g);
	gen_statements(g, depth + 1, 1 + below(g->r, 3));
	gen_memory(g);
	gen_emit(g, "call void @llvm.lifetime.end.p0(i64 %u, ptr %%scope%u)", bytes, k);
	g->n_regions = regions;
	g->scopes ^= 1u << k;
}

/* ---- statements */

void gen_statements(Gen *g, u32 depth, u32 n)
{
	for (u32 i = 0; i < n && g->budget > 40; i++) {
		u32 kind = below(g->r, 18);
		if (kind < 8 || (depth > 2 && kind < 14))
			gen_compute(g);
		else if ((kind == 8 || kind == 12) && g->scopes && g->n_regions < MAX_REGIONS)
			scoped_array(g, depth);
		else if (kind < 10)
			branch(g, depth);
		else if (kind == 10)
			loop(g, depth);
		else if (kind == 11)
			choice(g, depth);
		else if (kind == 12 && one_in(g->r, 3))
			irreducible(g, depth);
		else if (kind == 13 && g->n_funcs)
			call(g);
		else if (kind == 13 || (kind == 14 && one_in(g->r, 2)))
			gen_walk(g);
		else if (kind == 14 && g->is_kernel)
			gen_counter(g);
		else if (kind == 15)
			gen_atomic(g);
		else if (kind >= 16 && g->is_kernel && g->together)
			gen_exchange(g);
		else
			gen_compute(g);
	}
}

/* ---- functions */

static void begin(Gen *g)
{
	g->pool.n = g->uniform.n = g->n_regions = g->scopes = 0;
	gen_start(g, gen_op("entry"));
}

static void own_array(Gen *g)
{
	g->scopes = one_in(g->r, 2) ? (1u << MAX_SCOPES) - 1 : 0;
	for (u32 k = 0; k < MAX_SCOPES && g->scopes; k++)
		gen_emit(g, "%%scope%u = alloca [%u x i8], align 8", k, 16u << (k & 1));
	if (one_in(g->r, 2))
		return;
	gen_emit(g, "%%array = alloca [64 x i8], align 16");
	gen_declare(g, "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)");
	gen_emit(g, "call void @llvm.memset.p0.i64(ptr align 16 %%array, i8 3, i64 64, i1 false)");
	region(g, gen_op("%%array"), 0, 64, 16, true, false);
}

static void self_call(Gen *g, u32 k, const Func *f)
{
	Op yes = gen_label(g), end = gen_label(g), from = g->block, was = gen_value(g, f->ret);
	Op c = gen_let(g, "icmp sgt i32 %%depth, 0");
	gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, yes.s, end.s);
	gen_start(g, yes);
	Scope s = scope_open(g);
	Op    less = gen_let(g, "sub i32 %%depth, 1"), callee = gen_op("@f%u", k);
	call_with(g, f, callee, less);
	Op got = gen_value(g, f->ret);
	gen_emit(g, "br label %%%s", end.s);
	scope_close(g, s);
	gen_start(g, end);
	gen_push(g, f->ret, gen_let(g, "phi %s [ %s, %%%s ], [ %s, %%%s ]", TYPE(f->ret), was.s, from.s, got.s, yes.s));
}

static void give_back(Gen *g, const Func *f)
{
	Op v = gen_value(g, f->ret), ret = return_type(f);
	if (f->returns_pair) {
		Op w = gen_value(g, T_I64);
		Op a = gen_let(g, "insertvalue %s poison, %s %s, 0", ret.s, TYPE(f->ret), v.s);
		v = gen_let(g, "insertvalue %s %s, i64 %s, 1", ret.s, a.s, w.s);
	}
	gen_emit(g, "ret %s %s", ret.s, v.s);
}

static void function_body(Gen *g, u32 k, const Func *f, const char *suffix)
{
	Op   ret = return_type(f);
	Text body;
	text_init(&body, g->a);
	g->out = &body;
	g->budget = 160;
	begin(g);
	gen_push(g, T_I32, gen_op("77"));
	for (u32 i = 0; i < f->n_args; i++)
		gen_push(g, f->arg[i], gen_op("%%a%u", i));
	region(g, gen_op("%%in"), 0, 64, 16, false, false);
	if (f->byval)
		region(g, gen_op("%%agg"), 0, 16, 8, true, false);
	if (f->takes_memory)
		region(g, gen_op("%%mem"), 0, 16, 16, true, false);
	own_array(g);
	gen_statements(g, 1, 2 + below(g->r, 4));
	if (one_in(g->r, 4)) { /* some leave early */
		Op c = gen_value(g, T_I1), yes = gen_label(g), no = gen_label(g);
		gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, yes.s, no.s);
		gen_start(g, yes);
		Scope s = scope_open(g);
		give_back(g, f);
		scope_close(g, s);
		gen_start(g, no);
	}
	if (f->recursive)
		self_call(g, k, f);
	gen_statements(g, 1, 1 + below(g->r, 4));
	give_back(g, f);
	text_f(&g->functions, "define internal %s @f%u%s(", ret.s, k, suffix);
	parameters(g, f, &g->functions);
	text_f(&g->functions, ") %s{\n%.*s}\n\n", one_in(g->r, 3) ? "" : "#1 ", (int)body.n, body.p);
}

static void function(Gen *g)
{
	static const Type args[] = {T_I8, T_I16, T_I32, T_I64, T_FLOAT, T_DOUBLE, T_HALF, T_V2I32, T_V4I32, T_I1},
			  rets[] = {T_I32, T_I64, T_DOUBLE, T_I16, T_FLOAT, T_V2I32, T_I8};
	u32  k = g->n_funcs;
	Func f = {.n_args = 1 + below(g->r, 4)};
	f.ret = pick(g->r, rets);
	for (u32 i = 0; i < f.n_args; i++)
		f.arg[i] = pick(g->r, args);
	f.takes_memory = one_in(g->r, 3);
	f.byval = one_in(g->r, 4);
	f.returns_pair = one_in(g->r, 4);
	f.recursive = one_in(g->r, 5);
	f.twin = !f.recursive && one_in(g->r, 5);
	function_body(g, k, &f, "");
	if (f.twin) {
		function_body(g, k, &f, "_twin");
		text_f(&g->globals, "@table%u = internal addrspace(1) global [2 x ptr] [ptr @f%u, ptr @f%u_twin], align 8\n", k,
		       k, k);
	}
	g->func[g->n_funcs++] = f;
}

/* ---- the kernel */

static void counters(Gen *g)
{
	Op c = gen_let(g, "icmp ult i32 %%tid, 16"), yes = gen_label(g), end = gen_label(g);
	gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, yes.s, end.s);
	gen_start(g, yes);
	Op p = gen_let(g, "getelementptr inbounds i32, ptr addrspace(3) @count, i32 %%tid");
	gen_emit(g, "store i32 0, ptr addrspace(3) %s, align 4", p.s);
	gen_emit(g, "br label %%%s", end.s);
	gen_start(g, end);
	gen_declare(g, "declare void @llvm.nvvm.barrier0() #0");
	gen_emit(g, "call void @llvm.nvvm.barrier0() #0");
}

static void kernel_memory(Gen *g)
{
	Op at = gen_let(g, "getelementptr inbounds [64 x i8], ptr %%scratch, i64 %%wide");
	region(g, at, 0, 64, 16, true, true);
	region(g, gen_op("%%in"), 0, 1024, 16, false, false);
	if (one_in(g->r, 2)) {
		g->tables = true;
		region(g, gen_op("@cells"), 4, 64, 16, false, false);
	}
	if (one_in(g->r, 2)) { /* sixteen bytes of shared memory for each thread, seen through two pointers */
		text_f(&g->globals, "@mine = internal addrspace(3) global [%u x i8] undef, align 16\n", 16 * g->threads);
		Op own = gen_let(g, "getelementptr inbounds [16 x i8], ptr addrspace(3) @mine, i32 %%tid");
		gen_emit(g, "store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr addrspace(3) %s, align 16", own.s);
		region(g, own, 3, 16, 16, true, true);
		if (one_in(g->r, 2)) {
			Op generic = gen_let(g, "addrspacecast ptr addrspace(3) %s to ptr", own.s);
			region(g, generic, 0, 16, 16, true, true);
		}
	}
	own_array(g);
	gen_emit(g, "%%mem = alloca [16 x i8], align 16");
	gen_emit(g, "store <4 x i32> <i32 9, i32 8, i32 7, i32 6>, ptr %%mem, align 16");
	region(g, gen_op("%%mem"), 0, 16, 16, true, false);
	region(g, gen_op("%%agg"), 0, 16, 8, one_in(g->r, 2), false);
}

static void store_result(Gen *g)
{
	Op sum = gen_digest(g), slot = gen_let(g, "getelementptr inbounds i64, ptr %%out, i64 %%wide");
	gen_emit(g, "store i64 %s, ptr %s, align 8", sum.s, slot.s);
}

static void kernel(Gen *g, Text *body)
{
	g->out = body;
	g->is_kernel = g->together = true;
	g->budget = one_in(g->r, 5) ? 700 : 120 + below(g->r, 240);
	begin(g);
	gen_declare(g, "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()");
	gen_declare(g, "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()");
	gen_emit(g, "%%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()");
	gen_emit(g, "%%cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()");
	gen_emit(g, "%%g0 = mul i32 %%cta, %u", g->threads);
	gen_emit(g, "%%gid = add i32 %%g0, %%tid");
	gen_emit(g, "%%wide = zext i32 %%gid to i64");
	gen_emit(g, "%%some = sitofp i32 %%gid to float");
	static const Value given[] = {{T_I32, {"%cta"}},  {T_I32, {"%seed"}},   {T_I32, {"%tid"}}, {T_I32, {"%gid"}},
	                              {T_I64, {"%wide"}}, {T_FLOAT, {"%some"}}, {T_I64, {"%big"}}, {T_FLOAT, {"%f"}},
	                              {T_DOUBLE, {"%d"}}, {T_I16, {"%short"}}};
	for (u32 i = 0; i < sizeof given / sizeof *given; i++)
		vec_push(g->a, &g->pool, given[i]);
	vec_push(g->a, &g->uniform, 0);
	vec_push(g->a, &g->uniform, 1);
	kernel_memory(g);
	g->counters = one_in(g->r, 3);
	if (g->counters)
		counters(g);
	gen_statements(g, 0, 6 + below(g->r, 14));
	if (one_in(g->r, 8) && !g->counters) { /* some threads end here */
		Op c = gen_value(g, T_I1), yes = gen_label(g), no = gen_label(g);
		gen_emit(g, "br i1 %s, label %%%s, label %%%s", c.s, yes.s, no.s);
		gen_start(g, yes);
		Scope s = scope_open(g);
		store_result(g);
		gen_emit(g, "ret void");
		scope_close(g, s);
		gen_start(g, no);
		g->together = false;
		gen_statements(g, 1, 4);
	}
	if (g->counters) {
		gen_emit(g, "call void @llvm.nvvm.barrier0() #0");
		Op i = gen_let(g, "and i32 %%tid, 15");
		Op p = gen_let(g, "getelementptr inbounds i32, ptr addrspace(3) @count, i32 %s", i.s);
		gen_push(g, T_I32, gen_let(g, "load i32, ptr addrspace(3) %s, align 4", p.s));
	}
	store_result(g);
	gen_emit(g, "ret void");
}

static void module(Gen *g, Text *out)
{
	Text body;
	text_init(&body, g->a);
	text_init(&g->globals, g->a);
	text_init(&g->functions, g->a);
	for (u32 n = below(g->r, MAX_FUNCS - 1); n > 0; n--)
		function(g);
	kernel(g, &body);
	text_s(out,
	       "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n\n");
	text_add(out, text_str(&g->globals));
	if (g->tables)
		text_s(out, "@cells = internal addrspace(4) constant [8 x i64] [i64 1, i64 -2, i64 3000000000, i64 4, i64 5, i64 "
		            "-6, i64 7, i64 81985529216486895], align 16\n");
	if (g->exchange)
		text_f(out, "@line = internal addrspace(3) global [%u x i32] undef, align 4\n", g->threads);
	if (g->counters)
		text_s(out, "@count = internal addrspace(3) global [16 x i32] undef, align 4\n");
	text_c(out, '\n');
	text_add(out, text_str(&g->functions));
	text_f(out, "define void @k(ptr %s%%in, ", one_in(g->r, 2) ? "noalias readonly " : "");
	text_s(out, "ptr %out, ptr %scratch, ptr %acc, i32 %seed, i64 %big, float %f, double %d, i16 "
	            "%short, ptr byval({ i32, i32, i64 }) align 8 %agg) {\n");
	text_add(out, text_str(&body));
	text_s(out, "}\n\n");
	for (u32 i = 0; i < g->declared.n; i++)
		text_f(out, "%.*s\n", STR_ARG(g->declared.p[i]));
	text_s(out, "\nattributes #0 = { convergent nounwind }\nattributes #1 = { noinline nounwind }\n!nvvm.annotations = "
	            "!{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n");
	for (u32 k = 0; k < PROFILES; k++)
		text_f(out, "!%u = !{!\"branch_weights\", i32 %u, i32 %u}\n", 1 + k, profile[k][0], profile[k][1]);
}

static void launch(const Gen *g, Text *out)
{
	u32 all = 2 * g->threads;
	text_f(out,
	       "{\"kernel\":\"k\",\"grid\":[2,1,1],\"block\":[%u,1,1],\"args\":[{\"buffer\":\"in\"},{\"buffer\":\"out\"},{"
	       "\"buffer\":\"scratch\"},{\"buffer\":\"acc\"},"
	       "{\"i32\":1234567},{\"i64\":\"-81985529216486895\"},{\"f32\":1.25},{\"f64\":-3.5},{\"i16\":-77},{\"struct\":[{"
	       "\"i32\":5},{\"i32\":-6},{\"i64\":\"7000000000\"}]}],\"buffers\":{",
	       g->threads);
	text_f(out,
	       "\"in\":{\"type\":\"u32\",\"count\":256,\"init\":{\"kind\":\"random\",\"seed\":5}},\"out\":{\"type\":\"u64\","
	       "\"count\":%u},"
	       "\"scratch\":{\"type\":\"u32\",\"count\":%u,\"init\":{\"kind\":\"random\",\"seed\":9}},\"acc\":{\"type\":\"u32\","
	       "\"count\":16}}}",
	       all, 16 * all);
}

/* Levels, targets, and knobs that may not change what a program computes. */
static void options(Case *c, Arena *a, Random *r)
{
	static const char *const levels[] = {"-O3", "-O3", "-O3", "-O0", "-O1", "-O2"};
	c->level = arena_fmt(a, "%s", pick(r, levels));
	vec_push(a, &c->option, c->level);
	vec_push(a, &c->option, arena_fmt(a, "-mcpu=sm_%u", c->sm));
	for (u32 n = one_in(r, 2) ? below(r, 5) : 0; n > 0; n--) {
		const KnobInfo *k = &knob_info[1 + below(r, KNOB_COUNT - 1)];
		u32             v = rnd(r), span = knob_is_number(k) ? (u32)PS_MIN(k->max - k->min + 1, (i64)200) : 1;
		if (k->kind != KNOB_EXACT)
			continue;
		if (k->type == KNOB_BOOL)
			vec_push(a, &c->option, arena_fmt(a, "-%s=%u", k->name, v & 1));
		else if (knob_is_number(k) && span)
			vec_push(a, &c->option, arena_fmt(a, "-%s=%lld", k->name, (long long)(k->min + v % span)));
	}
	if (one_in(r, 12))
		vec_push(a, &c->option, STR("--independent"));
	if (one_in(r, 12))
		vec_push(a, &c->option, STR("--sanitize=race"));
}

void generate(Case *c, Arena *arena, Random *r)
{
	static const u32 targets[] = {60, 70, 75, 80, 80, 90, 90, 100};
	Gen              g = {.r = r, .a = arena};
	Text             text, json;
	*c = (Case){.sm = pick(r, targets)};
	g.sm = c->sm;
	g.threads = 32u << below(r, 3);
	text_init(&text, arena);
	text_init(&json, arena);
	module(&g, &text);
	launch(&g, &json);
	c->text = text_str(&text);
	c->launch = text_str(&json);
	options(c, arena, r);
}
