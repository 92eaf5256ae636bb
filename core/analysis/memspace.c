/* memspace.c: the backward walk from a pointer to what it may point to, see memspace.h. */
#include "analysis/memspace.h"

#include "ir/intrinsic.h"
#include "isa/isa.h"

void space_walk_init(SpaceWalk *w, Arena *a)
{
	*w = (SpaceWalk){0};
	map_init(&w->visited, a);
	map_init(&w->users, a);
	map_init(&w->callees, a);
	map_init(&w->loaded, a);
	map_init(&w->from_int, a);
	map_init(&w->slots, a);
}

static void found(SpaceWalk *w, IrRef v, u32 space)
{
	if (!w->sources++)
		w->space = space;
	else if (w->space != space && !w->conflict) {
		w->conflict = true;
		w->blame = v;
	}
}

static void opaque(SpaceWalk *w, IrRef v)
{
	if (!w->opaque)
		w->blame = v;
	w->opaque = true;
}

static void follow(const SpaceQuery *q, SpaceWalk *w, IrRef v)
{
	bool fresh;
	map_put(&w->visited, v.i, &fresh);
	if (fresh)
		vec_push(q->scratch, &w->work, v.i);
}

static bool has_own_space(const IrModule *m, IrRef v, u32 *space)
{
	IrType t = ir_type_of(m, v);
	if (!ir_type_is_ptr(m, t))
		return false;
	*space = ir_type(m, t)->bits;
	return *space != AS_GENERIC;
}

/* ---- intrinsics ---- */

static bool is_call_of(const IrModule *m, IrRef v, IrFamily family)
{
	return ir_kind(v) == IR_INST && ir_inst(m, v)->op == IR_CALL && ir_call_family(m, v) == family;
}

bool isspacep_space(const IrModule *m, IrRef call, u32 *space)
{
	if (!is_call_of(m, call, IRFAM_ISSPACEP))
		return false;
	*space = ir_call_detail(m, call);
	return true;
}

/* ---- assumptions ---- */

static bool before_in_block(const IrModule *m, IrRef first, IrRef second)
{
	for (IrRef i = ir_inst(m, first)->next; !ir_is_none(i); i = ir_inst(m, i)->next)
		if (ir_same(i, second))
			return true;
	return false;
}

/* Does the assumption hold at `at`? In the same block before it, or in a block that must have been passed:
 * the chain of single predecessors. (Cheap, and enough for code that assumes at the top.) */
static bool holds_at(const IrModule *m, IrRef assume, IrRef at)
{
	IrRef block = ir_inst(m, at)->block, entry = ir_func(m, ir_block(m, block)->func)->first;
	IrRef home = ir_inst(m, assume)->block;
	if (ir_same(home, block))
		return before_in_block(m, assume, at);
	if (ir_same(home, entry))
		return true;
	for (u32 steps = 0; steps < 64; steps++) {
		block = ir_single_pred(m, block);
		if (ir_is_none(block))
			return false;
		if (ir_same(block, home))
			return true;
	}
	return false;
}

static bool assumed_space(const SpaceQuery *q, IrRef v, u32 *space)
{
	const IrModule *m = q->m;
	if (!q->rules->builtin_assume || ir_is_none(q->at) || ir_is_const(m, v))
		return false;
	ir_each_use(m, v, u) {
		IrRef test = ir_use(m, u)->user;
		if (ir_kind(test) != IR_INST || !isspacep_space(m, test, space))
			continue;
		ir_each_use(m, test, t) {
			IrRef assume = ir_use(m, t)->user;
			if (is_call_of(m, assume, IRFAM_ASSUME) && holds_at(m, assume, q->at))
				return true;
		}
	}
	return false;
}

/* ---- pointers kept in memory ---- */

IrRef object_under(const IrModule *m, IrRef p)
{
	for (u32 steps = 0; steps < IR_MOST_STEPS; steps++) {
		u32 op = ir_kind(p) == IR_INST ? ir_inst(m, p)->op : ir_kind(p) == IR_CONST ? ir_const(m, p)->op : 0;
		if (ir_kind(p) == IR_CONST && ir_const(m, p)->kind != IRC_EXPR)
			return p;
		if (op != IR_GETELEMENTPTR && op != IR_BITCAST && op != IR_ADDRSPACECAST)
			return p;
		p = ir_kind(p) == IR_INST ? ir_op(m, p, 0) : ir_const_op(m, p, 0);
	}
	return p;
}

/* All values stored to the memory `object`; false where it may be written in ways not seen. */
static bool stored_values(const SpaceQuery *q, IrRef object, VecU32 *out)
{
	const IrModule *m = q->m;
	VecU32          work = {0};
	vec_push(q->scratch, &work, object.i);
	for (u32 at = 0; at < work.n; at++) {
		if (at > 256)
			return false;
		ir_each_use(m, ((IrRef){work.p[at]}), u) {
			IrRef user = ir_use(m, u)->user;
			u32   op = ir_kind(user) == IR_INST                                           ? ir_inst(m, user)->op
			           : ir_kind(user) == IR_CONST && ir_const(m, user)->kind == IRC_EXPR ? ir_const(m, user)->op
			                                                                              : 0;
			if (op == IR_GETELEMENTPTR || op == IR_BITCAST || op == IR_ADDRSPACECAST) {
				vec_push(q->scratch, &work, user.i);
			} else if (op == IR_STORE && ir_kind(user) == IR_INST && ir_use_index(m, u) == 1) {
				if (ir_type_is_ptr(m, ir_type_of(m, ir_op(m, user, 0))))
					vec_push(q->scratch, out, ir_op(m, user, 0).i);
				else
					return false; /* bytes of something else */
			} else if (is_call_of(m, user, IRFAM_LIFETIME)) {
				continue;
			} else if (op != IR_LOAD) {
				return false;
			}
		}
	}
	return true;
}

static void walk_load(const SpaceQuery *q, SpaceWalk *w, IrRef load)
{
	const IrModule *m = q->m;
	IrRef           object = object_under(m, ir_op(m, load, 0));
	u32             space;
	bool            fresh;
	vec_push(q->scratch, &w->loads, load.i);
	if (!q->rules->indir_load) {
		opaque(w, load);
		return;
	}
	bool    is_arg = ir_kind(object) == IR_ARG;
	IrFunc *f = is_arg ? ir_func(m, ir_arg(m, object)->func) : NULL;
	if (is_arg && ir_param_byval(m, f, ir_arg(m, object)->number).i && ir_is_kernel(f)) {
		if (q->rules->param_global) {
			w->assumed = true;
			found(w, load, AS_GLOBAL);
		} else {
			opaque(w, load);
		}
		return;
	}
	if (has_own_space(m, object, &space) && space == AS_CONST && q->rules->strong_global) {
		w->assumed = true;
		found(w, load, AS_GLOBAL);
		return;
	}
	bool   slot = ir_kind(object) == IR_INST && ir_inst(m, object)->op == IR_ALLOCA;
	bool   internal = ir_kind(object) == IR_GLOBAL && ir_is_pointer_store(m, object);
	VecU32 stored = {0};
	map_put(&w->loaded, object.i, &fresh);
	if (!fresh)
		return;
	if ((!slot && !internal) || !stored_values(q, object, &stored)) {
		opaque(w, load);
		return;
	}
	if (internal && !ir_is_none(ir_global_init(m, object)) && !ir_is_undef(m, ir_global_init(m, object))) {
		IrRef init = ir_global_init(m, object);
		if (ir_type_is_ptr(m, ir_type_of(m, init)))
			follow(q, w, init);
		else
			opaque(w, load);
	}
	for (u32 i = 0; i < stored.n; i++)
		follow(q, w, (IrRef){stored.p[i]});
}

/* ---- integers ---- */

static void walk_inttoptr(const SpaceQuery *q, SpaceWalk *w, IrRef cast, IrRef x)
{
	const IrModule *m = q->m;
	bool            fresh;
	map_put(&w->from_int, cast.i, &fresh);
	for (u32 steps = 0; q->rules->int2ptr && steps < 64; steps++) {
		bool inst = ir_kind(x) == IR_INST;
		u32  op = inst                                                         ? ir_inst(m, x)->op
		          : ir_kind(x) == IR_CONST && ir_const(m, x)->kind == IRC_EXPR ? ir_const(m, x)->op
		                                                                       : 0;
		u64  c;
		if (op == IR_PTRTOINT || op == IR_PTRTOADDR) {
			follow(q, w, inst ? ir_op(m, x, 0) : ir_const_op(m, x, 0));
			return;
		}
		if (inst && (op == IR_ADD || op == IR_SUB) && ir_as_int(m, ir_op(m, x, 1), &c))
			x = ir_op(m, x, 0);
		else if (inst && op == IR_ADD && ir_as_int(m, ir_op(m, x, 0), &c))
			x = ir_op(m, x, 1);
		else
			break;
	}
	opaque(w, cast);
}

/* ---- functions ---- */

static void walk_call(const SpaceQuery *q, SpaceWalk *w, IrRef call)
{
	const IrModule *m = q->m;
	IrRef           f = ir_callee(m, call);
	vec_push(q->scratch, &w->calls, call.i);
	map_set(&w->callees, f.i, 1);
	u64 *known = q->facts && q->facts->returns ? map_get(q->facts->returns, f.i) : NULL;
	if (known)
		found(w, call, (u32)*known);
	else if (ir_family_info[ir_call_family(m, call)].forwards)
		follow(q, w, ir_call_arg(m, call, 0));
	else
		opaque(w, call);
}

static void walk_argument(const SpaceQuery *q, SpaceWalk *w, IrRef arg)
{
	const IrModule *m = q->m;
	IrFunc         *f = ir_func(m, ir_arg(m, arg)->func);
	u64            *known = q->facts && q->facts->args ? map_get(q->facts->args, arg.i) : NULL;
	VecU32          actual = {0};
	if (ir_same(arg, q->neutral)) {
		w->here_only = true;
		return;
	}
	if (known) {
		found(w, arg, (u32)*known);
	} else if (ir_is_kernel(f)) {
		if (q->rules->param_global && !ir_param_byval(m, f, ir_arg(m, arg)->number).i) {
			w->assumed = true;
			found(w, arg, AS_GLOBAL);
		} else {
			opaque(w, arg);
		}
	} else if (q->facts && q->facts->actuals && q->facts->actuals(q->facts->user, arg, &actual)) {
		map_set(&w->users, arg.i, actual.n);
		for (u32 i = 0; i < actual.n; i++)
			follow(q, w, (IrRef){actual.p[i]});
	} else {
		opaque(w, arg);
	}
}

static void walk_operation(const SpaceQuery *q, SpaceWalk *w, IrRef v, u32 op)
{
	const IrModule *m = q->m;
	bool            inst = ir_kind(v) == IR_INST;
	IrRef           first = inst ? (ir_n_ops(m, v) ? ir_op(m, v, 0) : IR_NO_REF) : ir_const_op(m, v, 0);
	u32             space;
	switch (op) {
	case IR_GETELEMENTPTR:
		vec_push(q->scratch, &w->geps, v.i);
		follow(q, w, first);
		return;
	case IR_BITCAST:
	case IR_FREEZE: follow(q, w, first); return;
	case IR_ADDRSPACECAST:
		if (has_own_space(m, first, &space))
			found(w, v, space);
		else
			follow(q, w, first);
		return;
	case IR_PHI:
		for (u32 i = 0; i < ir_phi_n(m, v); i++)
			follow(q, w, ir_phi_value(m, v, i));
		return;
	case IR_SELECT:
		follow(q, w, ir_op(m, v, 1));
		follow(q, w, ir_op(m, v, 2));
		return;
	case IR_CALL:
	case IR_INVOKE: walk_call(q, w, v); return;
	case IR_LOAD: walk_load(q, w, v); return;
	case IR_INTTOPTR: walk_inttoptr(q, w, v, first); return;
	case IR_ALLOCA:
		map_set(&w->slots, v.i, 1);
		if (q->rules->alloca_local)
			found(w, v, AS_LOCAL);
		else
			opaque(w, v);
		return;
	default: opaque(w, v);
	}
}

static void visit(const SpaceQuery *q, SpaceWalk *w, IrRef v)
{
	const IrModule *m = q->m;
	u32             space;
	if (has_own_space(m, v, &space)) {
		found(w, v, space);
		return;
	}
	if (!ir_type_is_ptr(m, ir_type_of(m, v))) {
		opaque(w, v);
		return;
	}
	if (q->facts && q->facts->known && map_get(q->facts->known, v.i)) {
		found(w, v, (u32)*map_get(q->facts->known, v.i));
		return;
	}
	if (assumed_space(q, v, &space)) {
		w->here_only = true;
		found(w, v, space);
		return;
	}
	switch (ir_kind(v)) {
	case IR_ARG: walk_argument(q, w, v); return;
	case IR_INST: walk_operation(q, w, v, ir_inst(m, v)->op); return;
	case IR_GLOBAL:
		if (ir_global(m, v)->kind == IRG_VAR)
			found(w, v, AS_GLOBAL);
		else
			opaque(w, v);
		return;
	case IR_CONST:
		if (ir_is_undef(m, v))
			return;
		if (ir_const(m, v)->kind == IRC_EXPR)
			walk_operation(q, w, v, ir_const(m, v)->op);
		else
			opaque(w, v);
		return;
	default: opaque(w, v);
	}
}

bool space_of(const SpaceQuery *q, IrRef pointer, SpaceWalk *w, u32 *space)
{
	follow(q, w, pointer);
	while (w->work.n && !w->opaque && !w->conflict)
		visit(q, w, (IrRef){vec_pop(&w->work)});
	if (w->opaque || w->conflict || !w->sources)
		return false;
	*space = w->space;
	return true;
}

const char *space_reason(const IrModule *m, const SpaceWalk *w)
{
	if (w->conflict)
		return "it may point to different address spaces";
	if (!w->opaque)
		return "nothing is known about it";
	IrRef v = w->blame;
	u32   op = ir_kind(v) == IR_INST ? ir_inst(m, v)->op : 0;
	if (ir_kind(v) == IR_ARG)
		return "it comes from an argument whose address space is not known";
	if (op == IR_LOAD)
		return "it is loaded from memory that others may write";
	if (op == IR_CALL)
		return "it is returned by a function whose result is not known";
	if (op == IR_INTTOPTR)
		return "it is made from an integer";
	if (ir_kind(v) == IR_CONST)
		return "it may be null";
	return "its origin cannot be followed";
}
