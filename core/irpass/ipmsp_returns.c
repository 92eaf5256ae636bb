/* ipmsp_returns.c: where all returns of a function agree on a space, its callers know that of the result.
 *
 *   %r = call ptr @pick()          %r = call ptr @pick()
 *   … %r …                    →    %r.as = addrspacecast ptr %r to ptr addrspace(3)
 *                                  %r.gen = addrspacecast ptr addrspace(3) %r.as to ptr
 *                                  … %r.gen …                                              */
#include "ir/builder.h"
#include "irpass/ipmsp.h"

#include "irpass/util.h"

/* The call's result, known to be in `space`: said by a pair of casts. */
static void mark_result(Ipmsp *p, IrRef call, u32 space)
{
	IrModule *m = p->m;
	if (!ir_has_uses(m, call))
		return;
	IrBuilder b = build_after(m, call);
	IrRef     s = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, space), 1);
	IrRef     g = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, AS_GENERIC), 1);
	ir_b_insert(&b, s);
	ir_b_insert(&b, g);
	ir_replace_all_uses(m, call, g);
	ir_set_op(m, s, 0, call);
	ir_set_op(m, g, 0, s);
	name_after(m, s, call, ".as");
	name_after(m, g, call, ".gen");
}

/* One walk for all returns together, and results of calls to itself are neutral. */
static bool find_return_space(Ipmsp *p, const IrFunc *f, u32 *space)
{
	IrModule *m = p->m;
	u32       agreed = SPACE_UNSEEN;
	if (map_get(&p->fixed, f->ref.i))
		return false;
	ir_each_block(m, f, b) {
		IrRef t = ir_term(m, b);
		if (ir_is_none(t) || ir_inst(m, t)->op != IR_RET || !ir_n_ops(m, t))
			continue;
		IrRef      v = ir_op(m, t, 0);
		SpaceWalk  w;
		SpaceQuery q = {m, &p->rules, &p->facts, p->cx->scratch, t, IR_NO_REF};
		u32        s;
		if (ir_kind(v) == IR_INST && ir_inst(m, v)->op == IR_CALL && ir_same(ir_callee(m, v), f->ref))
			continue;
		space_walk_init(&w, p->cx->scratch);
		if (!space_of(&q, v, &w, &s)) {
			pass_remark(p->cx, REMARK_MISSED, value_line(m, t), "what '%.*s' returns stays generic: %s",
			            STR_ARG(ipmsp_name(p, f)), space_reason(m, &w));
			return false;
		}
		if (agreed != SPACE_UNSEEN && agreed != s) {
			pass_remark(p->cx, REMARK_MISSED, value_line(m, t),
			            "what '%.*s' returns stays generic: it returns address spaces %u and %u",
			            STR_ARG(ipmsp_name(p, f)), agreed, s);
			return false;
		}
		agreed = s;
	}
	*space = agreed;
	return agreed != SPACE_UNSEEN;
}

/* A function that was narrowed for this module alone still returns what it returns: linkage does not matter. */
bool ipmsp_resolve_return(Ipmsp *p, const IrFunc *f)
{
	IrModule *m = p->m;
	IrType    t = ir_func_ret(m, ir_global(m, f->ref)->type);
	u32       space;
	if (!ir_type_is_ptr(m, t) || ptr_space(m, t) != AS_GENERIC || map_get(&p->return_space, f->ref.i) ||
	    !find_return_space(p, f, &space))
		return false;
	map_set(&p->return_space, f->ref.i, space);
	p->stats.returns++;
	ipmsp_note(p, "%.*s : return memory space is resolved : %u", STR_ARG(ipmsp_name(p, f)), space);
	pass_remark(p->cx, REMARK_PASSED, ir_global(m, f->ref)->origin, "'%.*s' returns a pointer to address space %u",
	            STR_ARG(ipmsp_name(p, f)), space);
	VecU32 calls = {0};
	ipmsp_calls_of(p, f, &calls);
	for (u32 i = 0; i < calls.n; i++) {
		IrFunc *caller = ipmsp_caller(m, (IrRef){calls.p[i]});
		mark_result(p, (IrRef){calls.p[i]}, space);
		ipmsp_push(p, caller);
		ipmsp_push_callees(p, caller);
	}
	return true;
}
