/* verify_inst.c: checks operand types, flags and attributes of each instruction against the LangRef. */
#include "ir/verify.h"

#define RULE(cond, ...)                                        \
	do {                                                   \
		if (!(cond))                                   \
			return irv_inst(v, inst, __VA_ARGS__); \
	} while (0)

static IrType op_type(const Verifier *v, IrRef inst, u32 i) { return ir_type_of(v->m, ir_op(v->m, inst, i)); }

static bool check_binary(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType e = ir_scalar_type(v->m, i->type);
	bool   fp = (ir_op_info[i->op].flags & IROF_FPMATH) != 0;
	RULE(ir_type_same(op_type(v, inst, 0), i->type) && ir_type_same(op_type(v, inst, 1), i->type),
	     "both operands must have the type of the result");
	RULE(fp ? ir_type_is_fp(v->m, e) : ir_type_is_int(v->m, e), "the type must be %s, not '%.*s'",
	     fp ? "floating-point" : "integer", STR_ARG(irv_type(v, i->type)));
	return true;
}

static bool check_unary(Verifier *v, IrRef inst, const IrInst *i)
{
	RULE(ir_type_same(op_type(v, inst, 0), i->type), "the operand must have the type of the result");
	if (i->op == IR_FNEG)
		RULE(ir_type_is_fp(v->m, ir_scalar_type(v->m, i->type)), "fneg needs a floating-point type");
	return true;
}

bool ir_cast_fits(const IrModule *m, u32 op, IrType from, IrType to)
{
	IrType a = ir_scalar_type(m, from), b = ir_scalar_type(m, to);
	bool   ai = ir_type_is_int(m, a), bi = ir_type_is_int(m, b), af = ir_type_is_fp(m, a), bf = ir_type_is_fp(m, b);
	bool   ap = ir_type_is_ptr(m, a), bp = ir_type_is_ptr(m, b);
	u64    an = ir_size_bits(m, a), bn = ir_size_bits(m, b);
	if (op != IR_BITCAST && ir_lanes(m, from) != ir_lanes(m, to))
		return false;
	switch (op) {
	case IR_TRUNC: return ai && bi && an > bn;
	case IR_ZEXT:
	case IR_SEXT: return ai && bi && an < bn;
	case IR_FPTRUNC: return af && bf && an > bn;
	case IR_FPEXT: return af && bf && an < bn;
	case IR_FPTOUI:
	case IR_FPTOSI: return af && bi;
	case IR_UITOFP:
	case IR_SITOFP: return ai && bf;
	case IR_PTRTOINT: return ap && bi;
	case IR_PTRTOADDR: return ap && bi && bn == ir_index_bits(m, ir_type(m, a)->bits);
	case IR_INTTOPTR: return ai && bp;
	case IR_ADDRSPACECAST: return ap && bp && !ir_type_same(a, b);
	default:                                                    /* bitcast */
		if (a.i == IR_TY_X86_AMX || b.i == IR_TY_X86_AMX) { /* 16 rows of 64 bytes */
			IrType vector = a.i == IR_TY_X86_AMX ? to : from;
			return (a.i == IR_TY_X86_AMX) != (b.i == IR_TY_X86_AMX) && ir_type_is_vector(m, vector) &&
			       !ir_type_is_scalable(m, vector) && ir_size_bits(m, vector) == 8192;
		}
		if (ap || bp)
			return ap && bp && ir_type_same(a, b) && PS_MAX(ir_lanes(m, from), 1u) == PS_MAX(ir_lanes(m, to), 1u);
		return (ai || af) && (bi || bf) && ir_size_is_same(m, from, to);
	}
}

static bool check_cast(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType from = op_type(v, inst, 0);
	RULE(ir_cast_fits(v->m, i->op, from, i->type), "invalid cast from '%.*s' to '%.*s'", STR_ARG(irv_type(v, from)),
	     STR_ARG(irv_type(v, i->type)));
	return true;
}

static bool check_compare(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType a = op_type(v, inst, 0), e = ir_scalar_type(v->m, a);
	RULE(ir_type_same(a, op_type(v, inst, 1)), "the operands must have one type");
	RULE(i->op == IR_FCMP ? ir_type_is_fp(v->m, e) : ir_type_is_int(v->m, e) || ir_type_is_ptr(v->m, e),
	     "%s cannot compare '%.*s'", ir_op_info[i->op].name, STR_ARG(irv_type(v, a)));
	RULE(ir_scalar_type(v->m, i->type).i == IR_TY_I1 && ir_lanes(v->m, i->type) == ir_lanes(v->m, a),
	     "the result must be i1 or a vector of it");
	return true;
}

static bool check_select(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType c = op_type(v, inst, 0);
	RULE(ir_scalar_type(v->m, c).i == IR_TY_I1, "the condition must be i1 or a vector of i1, not '%.*s'",
	     STR_ARG(irv_type(v, c)));
	RULE(i->type.i != IR_TY_TOKEN, "a token cannot be selected"); /* what is like one can */
	RULE(!ir_lanes(v->m, c) || ir_lanes(v->m, c) == ir_lanes(v->m, i->type),
	     "the condition must have as many elements as the values");
	RULE(ir_type_same(op_type(v, inst, 1), i->type) && ir_type_same(op_type(v, inst, 2), i->type),
	     "both values must have the type of the result");
	return true;
}

static bool check_phi_entries(Verifier *v, IrRef inst, const IrInst *i)
{
	for (u32 k = 0; k < ir_phi_n(v->m, inst); k++) {
		RULE(ir_type_same(ir_type_of(v->m, ir_phi_value(v->m, inst, k)), i->type),
		     "every value must have the type of the result");
		RULE(ir_kind(ir_phi_block(v->m, inst, k)) == IR_BLOCK, "an entry names no block");
	}
	return true;
}

static bool check_phi_type(Verifier *v, IrRef inst, const IrInst *i)
{
	RULE(ir_type_is_first_class(v->m, i->type) && !ir_type_is_token(v->m, i->type), "a phi cannot have type '%.*s'",
	     STR_ARG(irv_type(v, i->type)));
	return true;
}

static bool check_vector(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType a = op_type(v, inst, 0);
	RULE(ir_lanes(v->m, a), "the first operand must be a vector");
	if (i->op == IR_SHUFFLEVECTOR) {
		for (u32 k = 0; k < ir_list_n(v->m, i->aux); k++) {
			u32 lane = ir_list(v->m, i->aux)[k];
			RULE(lane == UINT32_MAX || lane < 2 * ir_type_count(v->m, a),
			     "the mask names element %u of two vectors of %llu", lane,
			     (unsigned long long)ir_type_count(v->m, a));
		}
		return true;
	}
	RULE(ir_type_is_int(v->m, op_type(v, inst, i->n_ops - 1)), "the index must be an integer");
	if (i->op == IR_INSERTELEMENT)
		RULE(ir_type_same(op_type(v, inst, 1), ir_scalar_type(v->m, a)), "the value must have the type of the elements");
	return true;
}

static bool check_aggregate(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType t = op_type(v, inst, 0);
	for (u32 k = 0; k < ir_list_n(v->m, i->aux); k++) {
		u32 at = ir_list(v->m, i->aux)[k];
		RULE(ir_type_is_aggregate(v->m, t) && at < ir_type_count(v->m, t), "index %u does not lead into '%.*s'", at,
		     STR_ARG(irv_type(v, t)));
		t = ir_type_elem(v->m, t, at);
	}
	if (i->op == IR_EXTRACTVALUE)
		RULE(ir_type_same(t, i->type), "the result must have type '%.*s'", STR_ARG(irv_type(v, t)));
	else
		RULE(ir_type_same(t, op_type(v, inst, 1)), "the value must have type '%.*s'", STR_ARG(irv_type(v, t)));
	return true;
}

const char *ir_gep_step(IrModule *m, IrType *t, IrRef index, bool first)
{
	IrType it = ir_type_of(m, index), e = ir_scalar_type(m, it);
	u64    field = 0;
	if (!ir_type_is_int(m, e))
		return "index %u must be an integer";
	if (first)
		return NULL;
	if (ir_type_kind(m, *t) == IRT_STRUCT) {
		IrRef splat = ir_type_is_scalable_vector(m, it) ? IR_NO_REF : ir_lanes(m, it) ? ir_splat_value(m, index) : index;
		if (e.i != IR_TY_I32)
			return "index %u names a field of '%.*s': it must be an i32, not '%.*s'";
		if (!splat.i || !ir_as_int(m, splat, &field) || field >= ir_type_count(m, *t))
			return "index %u must be a constant that names a field of '%.*s'";
	} else if (ir_type_kind(m, *t) != IRT_ARRAY && !ir_type_is_vector(m, *t)) {
		return "index %u has nothing to index in '%.*s'";
	}
	*t = ir_type_elem(m, *t, (u32)field);
	return NULL;
}

static bool check_gep(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType t = i->elem;
	RULE(ir_type_is_ptr(v->m, ir_scalar_type(v->m, op_type(v, inst, 0))), "the base must be a pointer");
	RULE(ir_type_is_sized(v->m, t), "'%.*s' has no size", STR_ARG(irv_type(v, t)));
	RULE(ir_type_kind(v->m, t) != IRT_STRUCT || !ir_type_is_scalable(v->m, t),
	     "getelementptr steps over no struct with a scalable vector inside");
	for (u32 k = 1; k < i->n_ops; k++) {
		IrRef       at = ir_op(v->m, inst, k);
		IrType      it = ir_type_of(v->m, at);
		const char *fault = ir_gep_step(v->m, &t, at, k == 1);
		if (fault)
			return irv_inst(v, inst, fault, k, STR_ARG(irv_type(v, t)), STR_ARG(irv_type(v, it)));
		RULE(!ir_lanes(v->m, it) || ir_lanes(v->m, it) == ir_lanes(v->m, i->type),
		     "index %u has another number of elements", k);
	}
	return true;
}

/* ---- memory ---- */

/* `t` is of 8, 16, … bits? */
static bool is_atomic_size(const Verifier *v, IrType t)
{
	u64 bits = ir_size_bits(v->m, t);
	return bits >= 8 && (bits & (bits - 1)) == 0;
}

static bool is_atomic_type(const Verifier *v, IrType t)
{
	t = ir_scalar_type(v->m, t); /* vectors since LLVM 21 */
	return ir_type_is_int(v->m, t) || ir_type_is_fp(v->m, t) || ir_type_is_ptr(v->m, t);
}

static bool check_access(Verifier *v, IrRef inst, const IrInst *i)
{
	bool   is_load = i->op == IR_LOAD;
	IrType t = is_load ? i->type : op_type(v, inst, 0);
	RULE(ir_type_is_ptr(v->m, op_type(v, inst, is_load ? 0 : 1)), "the address must be a pointer");
	RULE(ir_type_is_first_class(v->m, t) && ir_type_is_sized(v->m, t), "a value of type '%.*s' cannot be %s",
	     STR_ARG(irv_type(v, t)), is_load ? "loaded" : "stored");
	if (!i->order)
		return true;
	RULE(is_load ? i->order != IRO_RELEASE && i->order != IRO_ACQ_REL : i->order != IRO_ACQUIRE && i->order != IRO_ACQ_REL,
	     "%s cannot have the ordering %s", ir_op_info[i->op].name, ir_ordering_name[i->order]);
	RULE(is_atomic_type(v, t), "an atomic %s needs an integer, floating-point or pointer type", ir_op_info[i->op].name);
	RULE(i->align, "an atomic %s needs its alignment: ', align N' at the end", ir_op_info[i->op].name);
	RULE(is_atomic_size(v, t), "the size of an atomic access must be a power of two of at least 8 bits");
	return true;
}

static bool check_cmpxchg(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType t = op_type(v, inst, 1);
	RULE(ir_type_is_ptr(v->m, op_type(v, inst, 0)), "the address must be a pointer");
	RULE(ir_type_same(t, op_type(v, inst, 2)), "the expected and the new value must have one type");
	RULE(ir_type_is_int(v->m, t) || ir_type_is_ptr(v->m, t), "cmpxchg needs an integer or a pointer, not '%.*s'",
	     STR_ARG(irv_type(v, t)));
	RULE(is_atomic_size(v, t), "the size of an atomic access must be a power of two of at least 8 bits");
	u32 order_fail = ir_info(v->m, inst)->order_fail;
	RULE(i->order > IRO_UNORDERED && order_fail > IRO_UNORDERED, "cmpxchg must be at least monotonic");
	RULE(order_fail != IRO_RELEASE && order_fail != IRO_ACQ_REL, "the ordering on failure cannot release");
	return true;
}

static bool check_rmw(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType t = i->type;
	bool   fp = i->sub >= IRRMW_FADD && i->sub <= IRRMW_FMINIMUM;
	RULE(ir_type_is_ptr(v->m, op_type(v, inst, 0)), "the address must be a pointer");
	RULE(i->order > IRO_UNORDERED, "atomicrmw must be at least monotonic");
	RULE(!ir_type_is_scalable(v->m, t), "atomicrmw takes no scalable vector");
	if (i->flags & IRF_ELEMENTWISE) {
		RULE(ir_type_is_vector(v->m, t), "elementwise needs a vector, not '%.*s'", STR_ARG(irv_type(v, t)));
		t = ir_scalar_type(v->m, t);
	}
	if (i->sub == IRRMW_XCHG) /* of vectors since LLVM 23 */
		RULE(is_atomic_type(v, t) && (!ir_type_is_vector(v->m, t) || !ir_type_is_ptr(v->m, ir_scalar_type(v->m, t))),
		     "xchg needs an integer, floating-point or pointer type, or a vector of numbers");
	else if (fp)
		RULE(ir_type_is_fp(v->m, ir_scalar_type(v->m, t)), "%s needs a floating-point type, not '%.*s'",
		     ir_rmw_name[i->sub], STR_ARG(irv_type(v, t)));
	else
		RULE(ir_type_is_int(v->m, t), "%s needs an integer type, not '%.*s'", ir_rmw_name[i->sub],
		     STR_ARG(irv_type(v, t)));
	RULE(is_atomic_size(v, t), "the size of an atomic access must be a power of two of at least 8 bits");
	return true;
}

static bool check_alloca(Verifier *v, IrRef inst, const IrInst *i)
{
	Str triple = ir_str(v->m, v->m->triple);
	RULE(ir_type(v->m, i->type)->bits == 5 || !(str_starts(triple, "amdgcn") || str_starts(triple, "r600")),
	     "an alloca of amdgcn is in address space 5");
	RULE(ir_type_is_sized(v->m, i->elem), "'%.*s' has no size", STR_ARG(irv_type(v, i->elem)));
	RULE(!v->m->has_targets || ir_type_may(v->m, i->elem, IRTT_LOCAL), "no alloca holds the target's type in '%.*s'",
	     STR_ARG(irv_type(v, i->elem)));
	RULE(ir_type_is_int(v->m, op_type(v, inst, 0)), "the number of elements must be an integer");
	if (!(i->flags & IRF_SWIFTERROR))
		return true;
	u64 one = 0;
	RULE(ir_type_is_ptr(v->m, i->elem), "a swifterror slot holds a pointer");
	RULE(ir_as_int(v->m, ir_op(v->m, inst, 0), &one) && one == 1, "a swifterror slot is no array");
	RULE(irv_swifterror_uses(v, inst), "a swifterror slot is loaded from, stored to and passed on, nothing else");
	return true;
}

/* ---- calls and terminators ---- */

/* musttail: caller and callee must have matching types and calling conventions, and the result must be returned. */
static bool check_musttail(Verifier *v, IrRef inst, const IrInst *i)
{
	IrModule     *m = v->m;
	const IrCall *c = ir_call(m, inst);
	IrType        mine = ir_global(m, v->f->ref)->type;
	IrRef         next = i->next;
	const IrInst *ret = next.i ? ir_inst(m, next) : NULL;
	IrRef         result = inst;
	if (ret && ret->op == IR_BITCAST && ir_same(ir_op(m, next, 0), inst)) {
		result = next;
		next = ret->next;
		ret = next.i ? ir_inst(m, next) : NULL;
	}
	RULE(ir_kind(ir_callee(m, inst)) != IR_ASM, "musttail cannot call inline assembly");
	RULE(ret && ret->op == IR_RET, "a musttail call must be followed by ret");
	RULE(!ret->n_ops || ir_same(ir_op(m, next, 0), result) || ir_is_undef(m, ir_op(m, next, 0)),
	     "the result of a musttail call must be returned");
	RULE(c->cc == v->f->cc, "a musttail call has the calling convention of its caller");
	RULE(ir_type(m, mine)->vararg == ir_type(m, c->type)->vararg,
	     "musttail: one of caller and callee takes a variable number of arguments");
	bool tail = c->cc == 18 || c->cc == 20; /* tailcc, swifttailcc: the parameters may differ */
	if (tail)
		RULE(!ir_type(m, mine)->vararg, "musttail: tailcc and swifttailcc take no variable number of arguments");
	if (ir_kind(ir_callee(m, inst)) == IR_GLOBAL &&
	    str_is(ir_str(m, ir_name(m, ir_callee(m, inst))), "llvm.icall.branch.funnel"))
		return true; /* it passes the caller's parameters on, whatever they are */
	RULE(tail || ir_func_params(m, mine) == ir_func_params(m, c->type),
	     "musttail: the caller has %u parameters, the callee %u", ir_func_params(m, mine), ir_func_params(m, c->type));
	for (u32 k = 0; k <= (tail ? 0 : ir_func_params(m, mine)); k++) {
		IrType a = ir_type_elem(m, mine, k), b = ir_type_elem(m, c->type, k);
		RULE(ir_type_same(a, b) ||
		             (ir_type_is_ptr(m, a) && ir_type_is_ptr(m, b) && ir_type(m, a)->bits == ir_type(m, b)->bits),
		     "musttail: the caller has '%.*s' where the callee has '%.*s'", STR_ARG(irv_type(v, a)),
		     STR_ARG(irv_type(v, b)));
	}
	static const u8 abi[] = {IRA_BYVAL,     IRA_SRET,       IRA_INALLOCA,     IRA_INREG,
	                         IRA_SWIFTSELF, IRA_SWIFTERROR, IRA_PREALLOCATED, IRA_BYREF};
	for (u32 k = 0; k < ir_func_params(m, mine) && !tail; k++)
		for (u32 a = 0; a < PS_COUNT(abi); a++)
			RULE((ir_param_attr(m, v->f, k, (IrAttrKind)abi[a]) != NULL) ==
			             (ir_call_param_attr(m, inst, k, (IrAttrKind)abi[a]) != NULL),
			     "musttail: parameter %u is passed in another way", k + 1);
	return true;
}

/* Bundles LLVM gives a meaning stand at most once. */
static bool check_bundles(Verifier *v, IrRef inst, const IrCall *c)
{
	static const char *const single[] = {"deopt",        "funclet", "gc-transition", "gc-live",        "cfguardtarget",
	                                     "preallocated", "ptrauth", "kcfi",          "convergencectrl"};
	IrModule                *m = v->m;
	for (u32 i = 0; i < c->n_bundles; i++) {
		const IrBundle *b = &m->bundles.p[c->bundles + i];
		Str             tag = ir_str(m, b->tag);
		for (u32 k = 0; k < i; k++)
			for (u32 s = 0; s < PS_COUNT(single) && m->bundles.p[c->bundles + k].tag.i == b->tag.i; s++)
				RULE(!str_is(tag, single[s]), "two operand bundles \"%.*s\"", STR_ARG(tag));
		RULE(!str_is(tag, "clang.arc.attachedcall") || (b->n == 1 && ir_func(m, ir_op(m, inst, b->first))),
		     "the bundle \"clang.arc.attachedcall\" names one function");
		if (!str_is(tag, "funclet"))
			continue;
		IrRef pad = b->n == 1 ? ir_op(m, inst, b->first) : IR_NO_REF;
		u32   op = ir_kind(pad) == IR_INST ? ir_inst(m, pad)->op : IR_OP_NONE;
		RULE(op == IR_CLEANUPPAD || op == IR_CATCHPAD, "the bundle \"funclet\" names one cleanuppad or catchpad");
	}
	return true;
}

static bool check_call_types(Verifier *v, IrRef inst, const IrInst *i)
{
	const IrCall *c = ir_call(v->m, inst);
	IrRef         callee = ir_callee(v->m, inst);
	u32           n = ir_func_params(v->m, c->type);
	bool          vararg = ir_type(v->m, c->type)->vararg;
	(void)i;
	RULE(ir_kind(callee) == IR_ASM || ir_type_is_ptr(v->m, ir_type_of(v->m, callee)),
	     "the callee must be a function or a pointer");
	RULE(vararg ? c->n_args >= n : c->n_args == n, "%u arguments for a function of %u", c->n_args, n);
	for (u32 k = 0; k < n; k++) {
		IrType have = ir_type_of(v->m, ir_call_arg(v->m, inst, k)), want = ir_func_param(v->m, c->type, k);
		RULE(ir_type_same(have, want), "argument %u has type '%.*s', expected '%.*s'", k + 1, STR_ARG(irv_type(v, have)),
		     STR_ARG(irv_type(v, want)));
	}
	return true;
}

/* Every rule of such a call, besides those of types, is about these. */
static bool is_plain_call(const IrInst *i, const IrCall *c)
{
	return i->op == IR_CALL && i->sub != IRTAIL_MUSTTAIL && !c->params && !c->n_bundles;
}

static inline bool is_like_good(Verifier *v, const IrInst *i)
{
	IrRef     callee = ir_inst_use(v->m, i->ops)->value;
	GoodCall *good = &v->good_calls[callee.i % GOOD_CALLS];
	if (!ir_same(good->callee, callee))
		return false;
	if (good->call == i->aux && good->where == v->f)
		return true;
	const IrCall *c = pages_of(&v->m->calls, IrCall, i->aux);
	if (!is_plain_call(i, c) || good->type.i != c->type.i || good->fn.i != c->fn.i || good->ret.i != c->ret.i)
		return false;
	good->call = i->aux;
	good->where = v->f;
	return true;
}

/* Besides inline assembly: the intrinsic behind which the lanes that it ends are in a block that nothing reaches. */
static bool check_callbr(Verifier *v, IrRef inst, const IrInst *i, IrRef callee)
{
	RULE(ir_kind(callee) == IR_GLOBAL && str_is(ir_str(v->m, ir_name(v->m, callee)), "llvm.amdgcn.kill"),
	     "callbr calls inline assembly alone");
	RULE(ir_n_succs(v->m, i->block) == 2, "callbr of '@llvm.amdgcn.kill' has one other way to go");
	IrRef first = ir_first_non_phi(v->m, ir_succ(v->m, i->block, 1));
	RULE(first.i && ir_inst(v->m, first)->op == IR_UNREACHABLE,
	     "the other way to go of '@llvm.amdgcn.kill' begins with unreachable");
	return true;
}

static bool check_any_call(Verifier *v, IrRef inst, const IrInst *i)
{
	const IrCall *c = ir_call(v->m, inst);
	IrRef         callee = ir_callee(v->m, inst);
	if ((c->params || c->ret.i || c->fn.i) && !irv_check_call_attrs(v, inst))
		return false;
	if (c->n_bundles && !check_bundles(v, inst, c))
		return false;
	if (ir_kind(callee) == IR_ASM && !irv_check_asm(v, inst))
		return false;
	RULE(irv_cc_has_calls(c->cc), "a function of this calling convention cannot be called");
	IrFunc *f = ir_func(v->m, callee);
	RULE(!f || f->cc != IRCC_PTX_KERNEL, "a kernel cannot be called");
	if (i->sub == IRTAIL_MUSTTAIL && !check_musttail(v, inst, i))
		return false;
	bool intrinsic = f && ir_is_llvm_name(v->m, callee);
	RULE(intrinsic || !(i->type.i == IR_TY_X86_AMX || ir_type_is_token(v->m, i->type)), "only intrinsics return %.*s",
	     STR_ARG(irv_tokens(v, i->type)));
	if (i->op == IR_INVOKE) {
		IrRef pad = ir_first_non_phi(v->m, ir_succ(v->m, i->block, 1));
		u32   op = pad.i ? ir_inst(v->m, pad)->op : IR_OP_NONE;
		RULE(ir_op_is_pad(op), "the unwind destination must begin with a landingpad");
	}
	if (i->op == IR_CALLBR && ir_kind(callee) != IR_ASM && !check_callbr(v, inst, i, callee))
		return false;
	return !intrinsic || irv_check_intrinsic_call(v, inst, f);
}

static bool check_call(Verifier *v, IrRef inst, const IrInst *i)
{
	const IrCall *c = ir_call(v->m, inst);
	GoodCall      x = {ir_callee(v->m, inst), c->type, c->fn, c->ret, i->aux, v->f};
	bool          plain = is_plain_call(i, c);
	if (is_like_good(v, i))
		return true;
	if (!check_any_call(v, inst, i))
		return false;
	IrFunc *f = plain ? ir_func(v->m, x.callee) : NULL;
	if (f && !(ir_is_llvm_name(v->m, x.callee) && irv_looks_at_arguments(v, f)))
		v->good_calls[x.callee.i % GOOD_CALLS] = x;
	return true;
}

static bool check_ret(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType want = ir_func_ret(v->m, ir_global(v->m, v->f->ref)->type);
	IrType have = i->n_ops ? op_type(v, inst, 0) : IR_TYPE(VOID);
	RULE(ir_type_same(have, want), "returns '%.*s' from a function of '%.*s'", STR_ARG(irv_type(v, have)),
	     STR_ARG(irv_type(v, want)));
	return true;
}

static bool check_switch(Verifier *v, IrRef inst, const IrInst *i)
{
	IrType t = op_type(v, inst, 0);
	Map    seen;
	map_init(&seen, &v->scratch);
	for (u32 k = 2; k < i->n_ops; k += 2) {
		IrRef c = ir_op(v->m, inst, k);
		bool  fresh;
		RULE(ir_type_same(ir_type_of(v->m, c), t), "a case has another type than the value");
		map_put(&seen, c.i, &fresh);
		RULE(fresh, "two cases have the same value");
	}
	return true;
}

/* Floating-point numbers, vectors of them, arrays of these; or a structure without a name whose fields are all of one such type. */
static bool takes_fast_math(const IrModule *m, IrType t)
{
	const IrTypeRec *r = ir_type(m, t);
	if (r->kind == IRT_STRUCT && !r->name.i && !r->number && r->n_elems) {
		IrType e = ir_type_elem(m, t, 0);
		for (u32 k = 1; k < r->n_elems; k++)
			if (!ir_type_same(e, ir_type_elem(m, t, k)))
				return false;
		return ir_type_is_fp(m, ir_scalar_type(m, e));
	}
	for (u32 depth = 0; depth < 200 && ir_type_kind(m, t) == IRT_ARRAY; depth++)
		t = ir_type_elem(m, t, 0);
	return ir_type_is_fp(m, ir_scalar_type(m, t));
}

/* Reports flags that the opcode does not allow. */
static bool check_flags(Verifier *v, IrRef inst, const IrInst *i)
{
	static const char *const names[] = {"nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw"};

	u32 wrong = ir_stated_flags(i->flags) & IRF_WORDS & ~ir_taken_flags(i->op);
	if (!wrong && !(i->flags & IRF_FAST))
		return true;
	bool fp = takes_fast_math(v->m, i->op == IR_FCMP ? op_type(v, inst, 0) : i->type);
	RULE(!(i->flags & IRF_FAST) || (!(wrong & IRF_FAST) && fp), "fast-math flags need a floating-point operation");
	for (u32 f = 0; f < PS_COUNT(names); f++)
		RULE(!(wrong >> f & 1), "%s takes no %s", ir_op_info[i->op].name, names[f]);
	return true;
}

static bool check_fence(Verifier *v, IrRef inst, const IrInst *i)
{
	RULE(i->order >= IRO_ACQUIRE, "a fence must be acquire, release, acq_rel or seq_cst");
	return true;
}

static bool check_br(Verifier *v, IrRef inst, const IrInst *i)
{
	RULE(i->n_ops == 1 || (i->n_ops == 3 && op_type(v, inst, 0).i == IR_TY_I1), "the condition must be i1");
	return true;
}

static bool check_indirectbr(Verifier *v, IrRef inst, const IrInst *i)
{
	(void)i;
	RULE(ir_type_is_ptr(v->m, op_type(v, inst, 0)), "the address of indirectbr must be a pointer");
	return true;
}

/* The rules of each form: those that the readers see to themselves, since they cannot make the instruction otherwise, and the rest. */
typedef bool Check(Verifier *v, IrRef inst, const IrInst *i);
static const struct {
	Check *read, *rest;
} rules[] = {
	[IRFORM_NONE] = {NULL, NULL},
	[IRFORM_BIN] = {check_binary, NULL},
	[IRFORM_UNARY] = {NULL, check_unary},
	[IRFORM_CAST] = {check_cast, NULL},
	[IRFORM_CMP] = {check_compare, NULL},
	[IRFORM_SELECT] = {NULL, check_select},
	[IRFORM_PHI] = {check_phi_entries, check_phi_type},
	[IRFORM_VECTOR] = {NULL, check_vector},
	[IRFORM_AGG] = {NULL, check_aggregate},
	[IRFORM_GEP] = {NULL, check_gep},
	[IRFORM_ALLOCA] = {NULL, check_alloca},
	[IRFORM_LOAD] = {NULL, check_access},
	[IRFORM_STORE] = {NULL, check_access},
	[IRFORM_FENCE] = {NULL, check_fence},
	[IRFORM_CMPXCHG] = {NULL, check_cmpxchg},
	[IRFORM_RMW] = {NULL, check_rmw},
	[IRFORM_CALL] = {check_call_types, check_call},
	[IRFORM_VAARG] = {NULL, NULL},
	[IRFORM_RET] = {check_ret, NULL},
	[IRFORM_BR] = {check_br, NULL},
	[IRFORM_SWITCH] = {NULL, check_switch},
	[IRFORM_INDBR] = {NULL, check_indirectbr},
	[IRFORM_RESUME] = {NULL, irv_check_resume},
	[IRFORM_PLAIN] = {NULL, NULL},
	[IRFORM_PAD] = {NULL, irv_check_landingpad},
	[IRFORM_EHPAD] = {NULL, irv_check_funclet},
};

bool irv_check_inst(Verifier *v, IrRef inst)
{
	const IrInst *i = ir_inst(v->m, inst);
	u32           form = ir_op_info[i->op].form;
	return (!(i->flags & IRF_WORDS) || check_flags(v, inst, i)) && (!rules[form].read || rules[form].read(v, inst, i)) &&
	       (!rules[form].rest || rules[form].rest(v, inst, i));
}

/* Of an instruction that was read; most calls are like one that was good. */
static inline bool check_rest(Verifier *v, IrRef r, const IrInst *i)
{
	if (i->flags & IRF_WORDS && !check_flags(v, r, i))
		return false;
	if (i->op == IR_CALL)
		return is_like_good(v, i) || check_call(v, r, i);
	Check *rest = rules[ir_op_info[i->op].form].rest;
	return !rest || rest(v, r, i);
}

bool irv_check_read_insts(Verifier *v)
{
	IrModule *m = v->m;
	bool      attached = m->attach.n > m->lasting.attach;
	for (u32 id = m->lasting.insts; id < m->insts.n;) {
		const IrInst *i = pages_of(&m->insts, IrInst, id);
		u32           end = PS_MIN((id | (PAGE_RECORDS - 1)) + 1, m->insts.n);
		for (; id < end; id++, i++)
			if (!check_rest(v, ir_ref(IR_INST, id), i))
				return false;
	}
	for (u32 id = m->lasting.insts; attached && id < m->insts.n; id++)
		if (ir_info(m, ir_ref(IR_INST, id))->md && !irv_check_attachments(v, ir_ref(IR_INST, id)))
			return false;
	return true;
}
