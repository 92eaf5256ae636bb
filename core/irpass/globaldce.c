/* globaldce: drops definitions that nothing refers to and that may be discarded.
 *
 *	define linkonce_odr i32 @get(ptr %p) { … }                 (nothing)
 *	define internal i32 @get.ipmsp(ptr addrspace(3) %p) { … }  →    define internal i32 @get.ipmsp(ptr addrspace(3) %p) { … }
 *	… call i32 @get.ipmsp(…)                                        … call i32 @get.ipmsp(…)
 *
 * Discardable are definitions that are private, internal, linkonce, linkonce_odr or available_externally, except kernels and
 * what metadata names (!nvvm.annotations). Alive is what can be reached from all others: from bodies, initialisers (those of
 * llvm.used and llvm.compiler.used among them), aliases, prefix data and personalities; and with one member of a comdat all
 * of them. Mark and sweep, so members of a dead recursion go, too.
 *
 * By default (-globaldce=replaced) only functions go whose calls ipmsp has sent to clones, and what nothing but these refers to:
 * whoever compiles an internal function that nobody calls, to see its code, gets it, as from llc. -globaldce=all drops all that
 * is dead, as opt does. Linear in the module; nothing to do, by default, where nothing was cloned. */
#include "base/bitset.h"
#include "irpass/util.h"

enum { DCE_REPLACED, DCE_ALL, DCE_OFF }; /* the values of the knob */

typedef struct Marker {
	IrModule  *m;
	Arena     *arena;
	SparseBits alive, constants; /* constants: seen */
	VecU32     globals, values;  /* to be walked: IrRef.i of globals that are alive, of constants */
	u32       *first, *next;     /* by comdat, by global: the members of each comdat; indices + 1 */
} Marker;

static bool is_definition(const IrModule *m, IrRef g)
{
	const IrFunc *f = ir_func(m, g);
	return f ? !ir_is_decl(f) : !ir_is_none(ir_global_init(m, g));
}

static bool is_discardable(const IrModule *m, IrRef g)
{
	u32 l = ir_global(m, g)->linkage;
	return l == IRL_PRIVATE || l == IRL_INTERNAL || l == IRL_LINKONCE || l == IRL_LINKONCE_ODR ||
	       l == IRL_AVAILABLE_EXTERNALLY;
}

/* A kernel is called from outside, and what metadata names is meant to be there. */
static bool is_root(const IrModule *m, IrRef g)
{
	const IrFunc *f = ir_func(m, g);
	return !is_discardable(m, g) || map_get(&m->value_md, g.i) || (f && ir_is_kernel(f));
}

/* ---- marking ---- */

static void mark(Marker *k, IrRef g)
{
	if (sparse_add(&k->alive, ir_index(g)))
		vec_push(k->arena, &k->globals, g.i);
}

static void mark_value(Marker *k, IrRef v)
{
	if (ir_kind(v) == IR_GLOBAL)
		mark(k, v);
	else if (ir_kind(v) == IR_CONST && sparse_add(&k->constants, ir_index(v)))
		vec_push(k->arena, &k->values, v.i);
}

static void mark_body(Marker *k, const IrFunc *f)
{
	IrModule *m = k->m;
	for (u32 e = 0; e < PS_COUNT(f->extra); e++)
		if (f->extra[e])
			mark_value(k, ir_use(m, f->extra[e])->value);
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			for (u32 o = 0; o < ir_n_ops(m, i); o++)
				mark_value(k, ir_op(m, i, o));
}

static void mark_comdat(Marker *k, u32 comdat)
{
	for (u32 at = comdat ? k->first[comdat - 1] : 0; at; at = k->next[at - 1])
		mark(k, ir_ref(IR_GLOBAL, at - 1));
}

/* Everything that is reached from what was marked. */
static void spread(Marker *k)
{
	while (k->globals.n || k->values.n) {
		if (k->values.n) {
			IrRef c = {vec_pop(&k->values)};
			for (u32 o = 0; o < ir_const(k->m, c)->n_ops; o++)
				mark_value(k, ir_const_op(k->m, c, o));
			continue;
		}
		IrRef         g = {vec_pop(&k->globals)};
		const IrFunc *f = ir_func(k->m, g);
		mark_value(k, ir_global_init(k->m, g));
		mark_comdat(k, ir_global(k->m, g)->comdat);
		if (f)
			mark_body(k, f);
	}
}

static void list_comdats(Marker *k)
{
	IrModule *m = k->m;
	k->first = arena_array(k->arena, u32, m->comdats.n + 1);
	k->next = arena_array(k->arena, u32, m->globals.n);
	ir_each_global(m, g) {
		u32 comdat = ir_global(m, g)->comdat;
		if (!comdat)
			continue;
		k->next[ir_index(g)] = k->first[comdat - 1];
		k->first[comdat - 1] = ir_index(g) + 1;
	}
}

static void marker_init(Marker *k, IrModule *m, Arena *a)
{
	*k = (Marker){.m = m, .arena = a, .alive = sparse_new(a, m->globals.n), .constants = sparse_new(a, m->consts.n)};
	list_comdats(k);
}

/* ---- the pass ---- */

static bool is_replaced(const IrModule *m, IrRef g) { return (ir_global(m, g)->flags & IRGF_REPLACED) != 0; }

/* Marks again from what is not reached from `live`, nor from a dead function that clones replace: that stays, and what it
 * refers to. */
static void keep_unreferenced(Marker *live, Arena *a)
{
	IrModule *m = live->m;
	Marker    gone;
	marker_init(&gone, m, a);
	ir_each_global(m, g)
		if (!sparse_has(&live->alive, ir_index(g)) && is_replaced(m, g))
			mark(&gone, g);
	spread(&gone);
	ir_each_global(m, g)
		if (!sparse_has(&gone.alive, ir_index(g)))
			mark(live, g);
	spread(live);
}

static void say_what_stays(PassCx *cx, const Marker *k)
{
	IrModule *m = cx->ir;
	ir_each_global(m, g)
		if (is_replaced(m, g) && !ir_has_uses(m, g) && sparse_has(&k->alive, ir_index(g)))
			pass_remark(cx, REMARK_MISSED, ir_global(m, g)->origin,
			            "'%.*s' stays, though clones serve all its calls: %s",
			            STR_ARG(ir_str(m, ir_global(m, g)->name)),
			            is_discardable(m, g) ? "metadata names it" : "other modules may call it");
}

static bool sweep(PassCx *cx, const Marker *k)
{
	IrModule *m = cx->ir;
	VecU32    dead = {0};
	ir_each_global(m, g)
		if (!sparse_has(&k->alive, ir_index(g)) && is_definition(m, g))
			vec_push(cx->scratch, &dead, g.i);
	for (u32 i = 0; i < dead.n; i++) { /* dead definitions may refer to each other */
		IrFunc *f = ir_func(m, (IrRef){dead.p[i]});
		if (f)
			ir_func_drop_body(m, f);
		ir_global_set_init(m, (IrRef){dead.p[i]}, IR_NO_REF);
	}
	for (u32 i = 0; i < dead.n; i++) {
		IrRef g = {dead.p[i]};
		pass_remark(cx, REMARK_PASSED, ir_global(m, g)->origin, "'%.*s' is dropped: nothing refers to it",
		            STR_ARG(ir_str(m, ir_global(m, g)->name)));
		ir_global_remove(m, g);
	}
	return dead.n != 0;
}

/* Are there candidates at all, and is every body there to be walked? */
static bool has_work(const IrModule *m, bool all)
{
	bool any = false;
	ir_each_global(m, g) {
		const IrFunc *f = ir_func(m, g);
		if (f && f->body == IRB_DEFERRED)
			return false;
		any |= all ? !is_root(m, g) && is_definition(m, g) : is_replaced(m, g);
	}
	return any;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Marker    k;
	bool      all = knob_int(cx->s, KNOB_globaldce) == DCE_ALL;
	if (!has_work(m, all))
		return false;
	marker_init(&k, m, cx->scratch);
	ir_each_global(m, g)
		if (is_root(m, g))
			mark(&k, g);
	spread(&k);
	if (!all)
		keep_unreferenced(&k, cx->scratch);
	say_what_stays(cx, &k);
	return sweep(cx, &k);
}

static bool gated(const Session *s) { return knob_int(s, KNOB_globaldce) != DCE_OFF; }

/* By default only what ipmsp has cloned is looked at, which has read all bodies. */
static bool wants_bodies(PassCx *cx)
{
	if (knob_int(cx->s, KNOB_globaldce) != DCE_ALL)
		return false;
	ir_each_global(cx->ir, g) {
		const IrFunc *f = ir_func(cx->ir, g);
		if (!is_root(cx->ir, g) && (is_definition(cx->ir, g) || (f && f->body == IRB_DEFERRED)))
			return true;
	}
	return false;
}

static const Knob knobs[] = {KNOB_globaldce, KNOB_NONE};

const Pass irpass_globaldce = {
	.id = "globaldce",
	.title = "Dead Global Elimination",
	.summary = "Drops discardable definitions that nothing refers to any more.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.gated = gated,
	.knobs = knobs,
	.keeps = AN_ALL,
	.flags = PF_IDEMPOTENT,
	.run = run,
	.wants_bodies = wants_bodies,
};
