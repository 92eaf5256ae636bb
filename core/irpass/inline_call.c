/* inline_call.c: replaces a call by a copy of the callee's body.
 *
 *   head: …                                   head: …
 *         %r = call i32 @f(i32 %a)                  (entry block of @f, %a for its argument)
 *         …                               →         br label %f.exit
 *                                             f.exit:
 *                                                   %r = phi [returned values]
 *                                                   …
 *
 * Stack slots of constant size go to the caller's entry block, where the frame is laid out; a body that allocates more as it
 * runs is put between stacksave and stackrestore. An argument that is passed by value is copied into a slot first. Each
 * copied instruction gets the call as the inlinedAt of its debug location, or loses it where the call has none, since it would
 * name another function. Scopes of noalias metadata are per execution of the callee and are dropped. Calls in the body stay
 * tail calls only where the inlined call was one. The caller loses promises about floating point that the callee does not give.
 *
 * Linear in the callee. Straight-line blocks are left to be merged (simplifycfg). */
#include "irpass/inline.h"

#include "irpass/util.h"

/* ---- what stands in the way ---- */

/* An intrinsic about the function that calls it: that one ends in it, or its frame or its arguments are meant. */
static bool is_about_its_function(const IrModule *m, IrRef call)
{
	static const char *const names[] = {"llvm.experimental.convergence.entry", "llvm.experimental.deoptimize.",
	                                    "llvm.icall.branch.funnel", "llvm.localescape"};
	Str                      name = callee_name(m, call);
	for (u32 i = 0; i < PS_COUNT(names); i++)
		if (str_starts(name, names[i]))
			return true;
	return false;
}

static const char *callee_obstacle(const IrModule *m, const IrFunc *f)
{
	ir_each_use(m, f->ref, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) == IR_CONST && ir_const(m, user)->kind == IRC_BLOCKADDR)
			return "the address of one of its blocks is taken";
	}
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i) {
			const IrInst *x = ir_inst(m, i);
			if (x->op == IR_INDIRECTBR)
				return "it has an indirect branch";
			if (!(ir_op_info[x->op].flags & IROF_CALLS))
				continue;
			if (x->op != IR_CALL)
				return "it handles exceptions";
			if (x->sub == IRTAIL_MUSTTAIL)
				return "it has a musttail call";
			if (ir_call_fn_attr(m, i, IRA_RETURNS_TWICE))
				return "it calls a function that returns twice";
			if (ir_call_fn_attr(m, i, IRA_NODUPLICATE))
				return "it has a call that may not be duplicated";
			if (is_about_its_function(m, i))
				return "it has a call that is about itself";
		}
	return NULL;
}

static bool has(const IrModule *m, const IrFunc *f, IrAttrKind kind) { return ir_fn_has(m, f, kind); }

/* What is passed by value will be copied into a stack slot. */
static bool copies_have_addresses(const IrModule *m, const IrFunc *f)
{
	for (u32 i = 0; i < f->n_args; i++) {
		u32 space = is_ptr(m, ir_func_arg(f, i)) ? value_space(m, ir_func_arg(f, i)) : AS_GENERIC;
		if (ir_param_byval(m, f, i).i && space != AS_GENERIC && space != AS_LOCAL)
			return false;
	}
	return true;
}

const char *inline_obstacle(const IrModule *m, IrRef call, const IrFunc *callee, bool forced)
{
	const IrFunc *caller = ir_func(m, ir_block(m, ir_inst(m, call)->block)->func);
	const IrCall *c = ir_call(m, call);
	u32           linkage = ir_global(m, callee->ref)->linkage;
	bool          linked = ir_global(m, callee->ref)->flags & IRGF_LINKED;
	if (ir_attrs_has(m, c->fn, IRA_NOINLINE))
		return "the call is noinline";
	if (ir_first_scalable(m, callee).i)
		return "it has scalable vectors";
	if (!forced && (has(m, callee, IRA_NOINLINE) || has(m, callee, IRA_OPTNONE)))
		return "it is noinline";
	if (!forced && has(m, caller, IRA_OPTNONE))
		return "the caller is optnone";
	if (ir_is_kernel(callee))
		return "it is a kernel";
	if (ir_linkage_is_weak(linkage) && linkage != IRL_LINKONCE_ODR && linkage != IRL_WEAK_ODR &&
	    linkage != IRL_AVAILABLE_EXTERNALLY)
		return "another module may replace it";
	if (c->type.i != ir_global(m, callee->ref)->type.i)
		return "the call has another type than it";
	if (ir_type(m, c->type)->vararg)
		return "it takes a variable number of arguments";
	if (c->n_bundles)
		return "the call has operand bundles";
	if (ir_inst(m, call)->sub == IRTAIL_MUSTTAIL)
		return "the call is musttail";
	if (has(m, callee, IRA_NAKED) || has(m, callee, IRA_PRESPLITCOROUTINE) || callee->extra[2] || callee->gc.i)
		return "it is no plain function";
	if (!copies_have_addresses(m, callee))
		return "it gets a copy of an argument in a space where none can be made";
	if (has(m, callee, IRA_STRICTFP) != has(m, caller, IRA_STRICTFP) && !linked)
		return "one of the two is strictfp";
	return callee_obstacle(m, callee);
}

/* ---- the parts ---- */

typedef struct Inlining {
	PassCx   *cx;
	IrModule *m;
	IrRef     call;
	IrFunc   *caller, *callee;
	IrRef     head, tail;
	Map       map; /* of the callee: IrRef.i → the copy */
	Map       dbg; /* locations: IrMd → the copy */
	IrMd      site;
	u32       origin;
	Vec(IrRef) blocks; /* the copies */
} Inlining;

/* A copy of a location with other `inlinedAt`. */
static IrMd location_at(IrModule *m, IrMd loc, IrMd at, bool distinct)
{
	const IrMdNode *n = ir_md(m, loc);
	IrMdNode        copy = *n;
	StrId           key = strtab_add(&m->s->strs, STR("inlinedAt"));
	copy.first = m->md_fields.n;
	copy.n = 0;
	copy.distinct = distinct;
	for (u32 i = 0, first = n->first, count = n->n; i < count; i++) {
		IrMdField f = m->md_fields.p[first + i];
		if (f.name.i == key.i)
			continue;
		vec_push(m->arena, &m->md_fields, f);
		copy.n++;
	}
	if (at.i) {
		vec_push(m->arena, &m->md_fields, ((IrMdField){.name = key, .kind = IRMF_MD, .a = at.i}));
		copy.n++;
	}
	IrMd id = {pages_new(&m->mds)};
	*ir_md(m, id) = copy;
	return id;
}

/* The location with the call at the end of its chain of inlinedAt; the chain's links are copied once for each call. */
static IrMd map_location(Inlining *x, IrMd loc)
{
	IrModule *m = x->m;
	VecU32    chain = {0};
	IrMd      to = x->site;
	if (!x->site.i)
		return (IrMd){0};
	for (; loc.i; loc = ir_md_inlined_at(m, loc)) {
		u64 *known = map_get(&x->dbg, loc.i);
		if (known) {
			to = (IrMd){(u32)*known};
			break;
		}
		vec_push(x->cx->scratch, &chain, loc.i);
	}
	while (chain.n) {
		IrMd from = {vec_pop(&chain)};
		to = location_at(m, from, to, ir_md(m, from)->distinct);
		map_set(&x->dbg, from.i, to.i);
	}
	return to;
}

static void place_records(Inlining *x, IrRef inst)
{
	if (!x->site.i) {
		ir_info(x->m, inst)->records = 0;
		return;
	}
	for (u32 r = ir_info(x->m, inst)->records; r;) {
		IrDbgRec *rec = pages_at(&x->m->dbgrecs, r);
		rec->loc = map_location(x, rec->loc);
		r = rec->next;
	}
}

static void place(Inlining *x, IrRef inst)
{
	IrModule   *m = x->m;
	IrInstInfo *info = ir_info(m, inst);
	if (!info->origin)
		info->origin = x->origin;
	IrMd dbg = info->dbg.i ? map_location(x, info->dbg) : ir_info(m, x->call)->dbg;
	ir_info(m, inst)->dbg = dbg;
	place_records(x, inst);
	if (info->md) {
		ir_attach(m, inst, "alias.scope", (IrMd){0});
		ir_attach(m, inst, "noalias", (IrMd){0});
	}
	IrInst *i = ir_inst(m, inst);
	if (i->op == IR_CALL && i->sub == IRTAIL_TAIL && ir_inst(m, x->call)->sub != IRTAIL_TAIL)
		i->sub = IRTAIL_NONE;
}

/* The first instruction of the entry block that is no stack slot. */
static IrRef behind_slots(const IrModule *m, const IrFunc *f)
{
	IrRef i = ir_block(m, f->first)->first;
	while (i.i && ir_inst(m, i)->op == IR_ALLOCA)
		i = ir_inst(m, i)->next;
	return i;
}

/* What a parameter passed by value is called with: a slot with a copy. */
static IrRef copy_by_value(Inlining *x, u32 arg, IrType type)
{
	IrModule *m = x->m;
	IrRef     from = ir_call_arg(m, x->call, arg);
	u32       align = PS_MAX(ir_param_align(m, x->callee, arg), ir_abi_align(m, type));
	u32       wanted = value_space(m, from);
	IrBuilder at = ir_build_before(m, behind_slots(m, x->caller)), b = ir_build_before(m, x->call);
	IrRef     to = cast_to_space(&b, ir_b_alloca(&at, type, m->layout.alloca_space, align), wanted);
	Str       name = arena_fmt(m->arena, "llvm.memcpy.p%u.p%u.i64", wanted, wanted);
	IrRef     args[4] = {to, from, ir_const_int(m, IR_TYPE(I64), ir_alloc_size(m, type)), ir_const_int(m, IR_TYPE(I1), 0)};
	IrRef     copy = ir_b_intrinsic(&b, name, IR_TYPE(VOID), args, 4);
	u32       sets[4] = {0};
	sets[0] = ir_attrs_make(m, &(IrAttr){.kind = IRA_ALIGN, .a = align}, 1).i;
	ir_call(m, copy)->params = ir_list_new(m, sets, 4);
	return to;
}

static void map_arguments(Inlining *x)
{
	for (u32 i = 0; i < x->callee->n_args; i++) {
		IrType by = ir_param_byval(x->m, x->callee, i);
		IrRef  v = by.i ? copy_by_value(x, i, by) : ir_call_arg(x->m, x->call, i);
		map_set(&x->map, ir_func_arg(x->callee, i).i, v.i);
	}
}

static void clone_body(Inlining *x)
{
	IrModule *m = x->m;
	Vec(IrRef) from = {0};
	ir_each_block(m, x->callee, b)
		vec_push(x->cx->scratch, &from, b);
	ir_clone_blocks(m, from.p, from.n, x->caller, &x->map, STR(".i"));
	IrRef after = x->head;
	for (u32 i = 0; i < from.n; i++) {
		IrRef b = {(u32)*map_get(&x->map, from.p[i].i)};
		ir_block_move_after(m, b, after);
		vec_push(x->cx->scratch, &x->blocks, b);
		after = b;
	}
	for (u32 i = 0; i < x->blocks.n; i++)
		ir_each_inst(m, x->blocks.p[i], inst)
			place(x, inst);
}

/* Stack slots of constant size go to the entry block. False: there are others. */
static bool hoist_slots(Inlining *x)
{
	IrModule *m = x->m;
	bool      all = true;
	IrRef     at = behind_slots(m, x->caller);
	for (u32 b = 0; b < x->blocks.n; b++) {
		if (!(ir_block(m, x->blocks.p[b])->had & IR_OPS(ALLOCA)))
			continue;
		ir_each_inst(m, x->blocks.p[b], i) {
			if (ir_inst(m, i)->op != IR_ALLOCA)
				continue;
			if (b == 0 && ir_kind(ir_op(m, i, 0)) == IR_CONST)
				ir_move_before(m, i, at);
			else
				all = false;
		}
	}
	return all;
}

static IrRef save_stack(Inlining *x)
{
	IrBuilder b = ir_build_before(x->m, ir_block(x->m, x->head)->last);
	u32       space = x->m->layout.alloca_space;
	Str       name = arena_fmt(x->m->arena, "llvm.stacksave.p%u", space);
	return ir_b_intrinsic(&b, name, ir_ptr_type(x->m, space), NULL, 0);
}

/* Each ret becomes a branch to the tail; the value that it returns is that of the call. */
static void connect_returns(Inlining *x, IrRef saved)
{
	IrModule *m = x->m;
	IrType    type = ir_inst(m, x->call)->type;
	bool      has_value = ir_type_kind(m, type) != IRT_VOID;
	IrRef     value = IR_NO_REF, phi = IR_NO_REF;
	u32       returns = 0;
	for (u32 i = 0; i < x->blocks.n; i++)
		returns += ir_inst(m, ir_block(m, x->blocks.p[i])->last)->op == IR_RET;
	if (has_value && returns > 1) {
		IrBuilder b = ir_build_before(m, x->call);
		value = phi = ir_b_phi(&b, type);
	}
	for (u32 i = 0; i < x->blocks.n; i++) {
		IrRef block = x->blocks.p[i], ret = ir_block(m, block)->last;
		if (ir_inst(m, ret)->op != IR_RET)
			continue;
		if (phi.i)
			ir_phi_add(m, phi, ir_op(m, ret, 0), block);
		else if (has_value)
			value = ir_op(m, ret, 0);
		IrBuilder b = ir_build_before(m, ret);
		if (saved.i) {
			Str name = arena_fmt(m->arena, "llvm.stackrestore.p%u", value_space(m, saved));
			ir_b_intrinsic(&b, name, IR_TYPE(VOID), &saved, 1);
		}
		ir_b_br(&b, x->tail);
		ir_remove(m, ret);
	}
	if (has_value && value.i) {
		ir_replace_all_uses(m, x->call, value);
		if (phi.i)
			ir_take_place(m, phi, x->call);
	}
	ir_remove(m, x->call);
}

/* Promises about floating point hold for all of a function, or for none of it. */
static void weaken_promises(const Inlining *x)
{
	static const char *const keys[] = {"unsafe-fp-math", "no-nans-fp-math", "no-infs-fp-math", "no-signed-zeros-fp-math",
	                                   "approx-func-fp-math"};
	IrModule                *m = x->m;
	if (ir_global(m, x->callee->ref)->flags & IRGF_LINKED)
		return;
	for (u32 i = 0; i < PS_COUNT(keys); i++)
		if (str_is(ir_fn_attr(m, x->caller, keys[i]), "true") && !str_is(ir_fn_attr(m, x->callee, keys[i]), "true"))
			x->caller->fn = ir_attrs_without_key(m, x->caller->fn, keys[i]);
}

void inline_call(PassCx *cx, IrRef call)
{
	IrModule *m = cx->ir;
	Inlining  x = {.cx = cx, .m = m, .call = call, .callee = ir_called(m, call), .head = ir_inst(m, call)->block};
	x.caller = ir_func(m, ir_block(m, x.head)->func);
	x.origin = ir_info(m, call)->origin;
	map_init(&x.map, cx->scratch);
	map_init(&x.dbg, cx->scratch);
	if (ir_info(m, call)->dbg.i) {
		IrMd dbg = ir_info(m, call)->dbg;
		x.site = location_at(m, dbg, ir_md_inlined_at(m, dbg), true);
	}
	map_arguments(&x);
	Str name = ir_str(m, ir_global(m, x.callee->ref)->name);
	x.tail = ir_split_block(m, call, arena_fmt(m->arena, "%.*s.exit", STR_ARG(name)));
	clone_body(&x);
	ir_set_succ(m, x.head, 0, x.blocks.p[0]);
	IrRef saved = hoist_slots(&x) ? IR_NO_REF : save_stack(&x);
	connect_returns(&x, saved);
	weaken_promises(&x);
}
