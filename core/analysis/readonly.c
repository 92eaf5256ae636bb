/* readonly.c: memory that is not written while the kernel runs, see readonly.h. */
#include "analysis/readonly.h"

#include "ir/intrinsic.h"

void read_only_init(ReadOnly *r, const IrModule *m, const IrFunc *f, Arena *arena, u32 depth)
{
	*r = (ReadOnly){.m = m, .arena = arena, .is_kernel = ir_is_kernel(f), .depth = depth};
	map_init(&r->verdict, arena);
}

const char *read_only_reason(ReadOnlyVerdict v)
{
	switch (v) {
	case RO_FUNCTION: return "the pointer is an argument of a function that is no kernel";
	case RO_ALIAS: return "the argument that it is computed from is not noalias";
	case RO_VARIABLE: return "the variable is not constant";
	case RO_USE: return "the argument that it is computed from may be written: one of its uses does more than read";
	case RO_DEEP: return "the uses of the argument that it is computed from go deeper than MAX_INVARIANT_DEPTH";
	default: return "where the pointer comes from is not known";
	}
}

/* ---- the uses of an argument */

/* Is the operand the pointer, or one of those, that the instruction's result is computed from? */
static bool derives(const IrModule *m, IrRef i, u32 operand)
{
	switch (ir_inst(m, i)->op) {
	case IR_GETELEMENTPTR:
	case IR_BITCAST:
	case IR_ADDRSPACECAST:
	case IR_FREEZE: return operand == 0;
	case IR_PHI: return operand % 2 == 0;
	case IR_SELECT: return operand != 0;
	case IR_CALL: return operand == 1 && ir_family_info[ir_call_family(m, i)].forwards;
	default: return false;
	}
}

static bool call_only_reads(const IrModule *m, IrRef call, u32 operand)
{
	u32 a = operand - 1;
	return operand && a < ir_call(m, call)->n_args &&
	       ir_attr_is_captures_none(m, ir_call_param_attr(m, call, a, IRA_CAPTURES)) &&
	       (ir_call_param_attr(m, call, a, IRA_READONLY) || ir_call_param_attr(m, call, a, IRA_READNONE));
}

static bool only_reads(const IrModule *m, IrRef i, u32 operand)
{
	switch (ir_inst(m, i)->op) {
	case IR_LOAD: return ir_is_plain(m, i);
	case IR_ICMP: return true;
	case IR_CALL: return ir_call_family(m, i) == IRFAM_CACHED_LOAD || call_only_reads(m, i, operand);
	default: return false;
	}
}

/* Breadth first; a phi of a loop is seen once. */
static ReadOnlyVerdict uses_of_argument(ReadOnly *r, IrRef arg)
{
	const IrModule *m = r->m;
	VecU32          level = {0};
	Map             seen;
	map_init(&seen, r->arena);
	vec_push(r->arena, &level, arg.i);
	for (u32 k = 0, end = 1, depth = 0; k < level.n; k++) {
		if (k == end)
			depth++, end = level.n;
		for (u32 u = ir_first_use(m, (IrRef){level.p[k]}); u; u = ir_use(m, u)->next) {
			IrRef i = ir_use(m, u)->user;
			if (ir_kind(i) != IR_INST)
				return RO_USE;
			u32 operand = ir_use_index(m, u);
			if (only_reads(m, i, operand))
				continue;
			if (!derives(m, i, operand))
				return RO_USE;
			if (map_get(&seen, i.i))
				continue;
			if (depth + 1 > r->depth)
				return RO_DEEP;
			map_set(&seen, i.i, 1);
			vec_push(r->arena, &level, i.i);
		}
	}
	return RO_YES;
}

/* ---- roots */

static ReadOnlyVerdict of_argument(ReadOnly *r, IrRef arg)
{
	IrAttrs a = ir_arg(r->m, arg)->attrs;
	if (!r->is_kernel)
		return RO_FUNCTION;
	if (!ir_attrs_has(r->m, a, IRA_NOALIAS))
		return RO_ALIAS;
	if (ir_attrs_has(r->m, a, IRA_READONLY) || ir_attrs_has(r->m, a, IRA_READNONE))
		return RO_YES;
	return uses_of_argument(r, arg);
}

static ReadOnlyVerdict of_constant(const IrModule *m, IrRef c)
{
	u32 kind = ir_const(m, c)->kind;
	return kind == IRC_NULL || kind == IRC_UNDEF || kind == IRC_POISON ? RO_YES : RO_BASE;
}

/* What a constant expression computes an address from. */
static IrRef strip_expressions(const IrModule *m, IrRef v)
{
	while (ir_kind(v) == IR_CONST && ir_const(m, v)->kind == IRC_EXPR) {
		u32 op = ir_const(m, v)->op;
		if (op != IR_GETELEMENTPTR && op != IR_BITCAST && op != IR_ADDRSPACECAST)
			break;
		v = ir_const_op(m, v, 0);
	}
	return v;
}

/* Of a value that is no instruction. */
static ReadOnlyVerdict of_root(ReadOnly *r, IrRef v)
{
	const IrModule *m = r->m;
	v = strip_expressions(m, v);
	const u64 *known = map_get(&r->verdict, v.i);
	if (known)
		return (ReadOnlyVerdict)*known;
	ReadOnlyVerdict x = RO_BASE;
	if (ir_kind(v) == IR_ARG)
		x = of_argument(r, v);
	else if (ir_kind(v) == IR_CONST)
		x = of_constant(m, v);
	else if (ir_kind(v) == IR_GLOBAL && ir_global(m, v)->kind == IRG_VAR)
		x = ir_global(m, v)->flags & IRGF_CONSTANT ? RO_YES : RO_VARIABLE;
	map_set(&r->verdict, v.i, x);
	return x;
}

/* ---- pointers */

static void set_bad(ReadOnly *r, IrRef v, ReadOnlyVerdict why)
{
	u64 *x = map_put(&r->verdict, v.i, NULL);
	if (*x != RO_YES)
		return;
	*x = why;
	vec_push(r->arena, &r->bad, v.i);
}

/* Of an operand of a value that was found: an instruction that has no verdict yet is found, too. */
static ReadOnlyVerdict visit(ReadOnly *r, IrRef v)
{
	if (ir_kind(v) != IR_INST)
		return of_root(r, v);
	bool fresh;
	u64 *x = map_put(&r->verdict, v.i, &fresh);
	if (fresh) {
		*x = RO_YES;
		vec_push(r->arena, &r->found, v.i);
	}
	return (ReadOnlyVerdict)*x;
}

static void expand(ReadOnly *r, IrRef v)
{
	bool derived = false;
	for (u32 k = 0; k < ir_n_ops(r->m, v); k++) {
		if (!derives(r->m, v, k))
			continue;
		derived = true;
		ReadOnlyVerdict x = visit(r, ir_op(r->m, v, k));
		if (x != RO_YES)
			set_bad(r, v, x);
	}
	if (!derived)
		set_bad(r, v, RO_BASE);
}

ReadOnlyVerdict read_only_pointer(ReadOnly *r, IrRef pointer)
{
	const IrModule *m = r->m;
	r->found.n = r->bad.n = 0;
	ReadOnlyVerdict x = visit(r, pointer);
	if (!r->found.n)
		return x;
	for (u32 k = 0; k < r->found.n; k++)
		expand(r, (IrRef){r->found.p[k]});
	while (r->bad.n) {
		IrRef           v = {vec_pop(&r->bad)};
		ReadOnlyVerdict why = (ReadOnlyVerdict)*map_get(&r->verdict, v.i);
		for (u32 u = ir_first_use(m, v); u; u = ir_use(m, u)->next) {
			IrRef user = ir_use(m, u)->user;
			if (ir_kind(user) == IR_INST && map_get(&r->verdict, user.i) && derives(m, user, ir_use_index(m, u)))
				set_bad(r, user, why);
		}
	}
	return (ReadOnlyVerdict)*map_get(&r->verdict, pointer.i);
}
