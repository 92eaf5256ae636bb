/* mutate.c: what is done to the code that is there, and the choice among all mutations. */
#include "ir/builder.h"
#include "mutate.h"

#include <string.h>

/* ---- places */

typedef struct Place {
	IrRef inst;
	u32   op; /* an operand that may become any value of its type */
} Place;

/* May operand i of the instruction be any value of its type? */
static bool is_free(const Mut *mu, IrRef inst, u32 i)
{
	const IrModule *m = mu->m;
	IrRef           v = ir_op(m, inst, i);
	u32             op = ir_inst(m, inst)->op;
	IrKind          k = ir_kind(v);
	if (k == IR_NONE || k == IR_BLOCK || k == IR_MD || k == IR_ASM || !is_plain(m, ir_type_of(m, v)))
		return false;
	if (op == IR_PHI || op == IR_ALLOCA || op >= IR_LANDINGPAD || (op == IR_SWITCH && i))
		return false;
	if (op == IR_GETELEMENTPTR)
		return i < 2;
	if (mu->defined && ((op == IR_EXTRACTELEMENT && i == 1) || (op == IR_INSERTELEMENT && i == 2)))
		return false; /* behind the vector there is nothing */
	if (op != IR_CALL)
		return op != IR_INVOKE && op != IR_CALLBR;
	const IrCall   *c = ir_call(m, inst);
	u32             row = ir_call_intrinsic(m, inst);
	IrIntrinsicInfo info;
	if (i == 0 || i > c->n_args || c->n_bundles || ir_kind(ir_callee(m, inst)) == IR_ASM)
		return false;
	const IrAttr *imm = ir_call_param_attr(m, inst, i - 1, IRA_IMMARG);
	return !imm && !(row && ir_intrinsic_info(row - 1, &info) && info.immediates >> (i - 1) & 1);
}

/* An operand of the function; false: there is none. */
static bool some_place(Mut *mu, Place *p)
{
	IrModule *m = mu->m;
	u32       seen = 0;
	ir_each_block(m, mu->f, b)
		ir_each_inst(m, b, i)
			for (u32 k = 0; k < ir_n_ops(m, i); k++)
				if (is_free(mu, i, k) && one_in(mu->r, ++seen))
					*p = (Place){i, k};
	return seen != 0;
}

static IrRef some_inst(Mut *mu, bool (*wanted)(const IrModule *, IrRef))
{
	IrModule *m = mu->m;
	IrRef     chosen = IR_NO_REF;
	u32       seen = 0;
	ir_each_block(m, mu->f, b)
		ir_each_inst(m, b, i)
			if (wanted(m, i) && one_in(mu->r, ++seen))
				chosen = i;
	return chosen;
}

/* ---- mutations of operands */

static bool insert_expr(Mut *mu)
{
	Place p;
	if (!some_place(mu, &p))
		return false;
	IrRef     x = ir_op(mu->m, p.inst, p.op);
	IrType    t = ir_type_of(mu->m, x);
	IrBuilder b = ir_build_before(mu->m, p.inst);
	IrRef     v = some_expr(mu, &b, x, p.inst);
	for (u32 n = below(mu->r, 3); n; n--)
		v = some_expr(mu, &b, v, p.inst);
	v = adapt(mu, &b, v, t);
	ir_set_op(mu->m, p.inst, p.op, v);
	return true;
}

static bool other_operand(Mut *mu)
{
	Place p;
	if (!some_place(mu, &p))
		return false;
	IrType    t = ir_type_of(mu->m, ir_op(mu->m, p.inst, p.op));
	IrBuilder b = ir_build_before(mu->m, p.inst);
	IrRef     v = some_value(mu, p.inst);
	for (u32 i = 0; i < 8 && !ir_type_same(ir_type_of(mu->m, v), t); i++)
		v = some_value(mu, p.inst);
	v = adapt(mu, &b, v, t);
	ir_set_op(mu->m, p.inst, p.op, v);
	return true;
}

static bool other_constant(Mut *mu)
{
	IrModule *m = mu->m;
	Place     chosen = {IR_NO_REF, 0};
	u32       seen = 0;
	ir_each_block(m, mu->f, b)
		ir_each_inst(m, b, i)
			for (u32 k = 0; k < ir_n_ops(m, i); k++) {
				bool phi = ir_inst(m, i)->op == IR_PHI && ir_kind(ir_op(m, i, k)) == IR_CONST &&
				           is_plain(m, ir_inst(m, i)->type);
				if ((phi || is_free(mu, i, k)) && ir_kind(ir_op(m, i, k)) == IR_CONST && one_in(mu->r, ++seen))
					chosen = (Place){i, k};
			}
	if (!seen)
		return false;
	IrRef c = some_const(mu, ir_type_of(m, ir_op(m, chosen.inst, chosen.op)));
	ir_set_op(m, chosen.inst, chosen.op, c);
	return true;
}

/* ---- of instructions */

static bool is_arithmetic(const IrModule *m, IrRef i)
{
	u32 op = ir_inst(m, i)->op;
	return (ir_op_is_binary(op) || op == IR_ICMP || op == IR_FCMP || op == IR_SELECT) &&
	       is_plain(m, ir_type_of(m, ir_op(m, i, op == IR_SELECT)));
}

/* The same operation in another width, or in many lanes. */
static bool other_width(Mut *mu)
{
	IrModule *m = mu->m;
	IrRef     i = some_inst(mu, is_arithmetic);
	if (!i.i)
		return false;
	u32    op = ir_inst(m, i)->op, first = op == IR_SELECT;
	IrType t = ir_type_of(m, ir_op(m, i, first)), e = ir_scalar_type(m, t),
	       to = ir_type_is_int(m, e)   ? int_type(mu)
	            : ir_type_is_ptr(m, e) ? t
	                                   : fp_type(mu);
	if (ir_type_is_ptr(m, e))
		return false;
	to = ir_type_is_vector(m, t) ? ir_vector_type(m, to, (u32)ir_type_count(m, t))
	     : one_in(mu->r, 3)      ? vector_of(mu, to)
	                             : to;
	IrBuilder b = ir_build_before(m, i);
	IrRef     x = adapt(mu, &b, ir_op(m, i, first), to), y = adapt(mu, &b, ir_op(m, i, first + 1), to), v;
	if (op == IR_SELECT) {
		IrRef c = ir_op(m, i, 0);
		v = ir_type_is_vector(m, ir_type_of(m, c)) && !ir_type_is_vector(m, to) ? x : ir_b_select(&b, c, x, y);
	} else if (mu->defined && (IR_DIVISIONS | 1u << IR_SHL | 1u << IR_LSHR | 1u << IR_ASHR) >> (op & 31) & 1 && op < 32)
		v = some_binary(mu, &b, x, y);
	else
		v = ir_op_is_binary(op) ? ir_b_bin(&b, (IrOp)op, x, y, ir_inst(m, i)->flags)
		                        : ir_b_cmp(&b, (IrPred)ir_inst(m, i)->sub, x, y);
	v = adapt(mu, &b, v, ir_inst(m, i)->type);
	ir_replace_all_uses(m, i, v);
	ir_remove(m, i);
	return true;
}

static bool is_binary(const IrModule *m, IrRef i)
{
	return ir_op_is_binary(ir_inst(m, i)->op) && is_plain(m, ir_inst(m, i)->type);
}

static bool other_operation(Mut *mu)
{
	IrModule *m = mu->m;
	IrRef     i = some_inst(mu, is_binary);
	if (!i.i)
		return false;
	IrBuilder b = ir_build_before(m, i);
	IrRef     v = some_binary(mu, &b, ir_op(m, i, 0), ir_op(m, i, 1));
	ir_replace_all_uses(m, i, v);
	ir_remove(m, i);
	return true;
}

static bool is_compare(const IrModule *m, IrRef i) { return ir_inst(m, i)->op == IR_ICMP || ir_inst(m, i)->op == IR_FCMP; }

static bool other_predicate(Mut *mu)
{
	IrRef i = some_inst(mu, is_compare);
	if (!i.i)
		return false;
	bool fp = ir_inst(mu->m, i)->op == IR_FCMP;
	ir_inst(mu->m, i)->sub = (u8)(fp ? below(mu->r, IRP_I_EQ) : IRP_I_EQ + below(mu->r, IRP_COUNT - IRP_I_EQ));
	return true;
}

static bool has_flags(const IrModule *m, IrRef i)
{
	u32 op = ir_inst(m, i)->op;
	return (ir_op_info[op].flags & (IROF_WRAPS | IROF_EXACT | IROF_DISJOINT | IROF_NNEG) ||
	        (ir_op_info[op].flags & IROF_FPMATH && ir_type_is_fp(m, ir_scalar_type(m, ir_inst(m, i)->type)))) &&
	       op != IR_TRUNC;
}

static bool other_flags(Mut *mu)
{
	IrRef i = some_inst(mu, has_flags);
	if (!i.i || mu->defined)
		return false;
	u32 f = ir_op_info[ir_inst(mu->m, i)->op].flags, may = 0;
	may |= f & IROF_WRAPS ? IRF_NUW | IRF_NSW : 0;
	may |= f & IROF_EXACT ? IRF_EXACT : 0;
	may |= f & IROF_DISJOINT ? IRF_DISJOINT : 0;
	may |= f & IROF_NNEG ? IRF_NNEG : 0;
	may |= f & IROF_FPMATH ? IRF_FAST : 0;
	ir_inst(mu->m, i)->flags = (ir_inst(mu->m, i)->flags & ~may) | (rnd(mu->r) & may);
	return true;
}

static bool is_removable(const IrModule *m, IrRef i)
{
	IrType t = ir_inst(m, i)->type;
	u32    op = ir_inst(m, i)->op;
	if (ir_op_is_terminator(op) || op >= IR_LANDINGPAD)
		return false;
	return t.i == IR_TY_VOID ? op == IR_STORE || op == IR_CALL || op == IR_FENCE : is_plain(m, t) && op != IR_PHI;
}

static bool remove_inst(Mut *mu)
{
	IrModule *m = mu->m;
	IrRef     i = some_inst(mu, is_removable);
	if (!i.i)
		return false;
	IrType t = ir_inst(m, i)->type;
	if (t.i != IR_TY_VOID) {
		IrBuilder b = ir_build_before(m, i);
		IrRef     v = one_in(mu->r, 2) ? some_const(mu, t) : some_value(mu, i);
		v = adapt(mu, &b, v, t);
		ir_replace_all_uses(m, i, v);
	}
	ir_remove(m, i);
	return true;
}

static bool is_access(const IrModule *m, IrRef i)
{
	u32 op = ir_inst(m, i)->op;
	return op == IR_LOAD || op == IR_STORE;
}

/* Volatile, atomic, of less alignment, of another type. */
static bool other_access(Mut *mu)
{
	static const u8 orders[] = {IRO_UNORDERED, IRO_MONOTONIC, IRO_ACQUIRE, IRO_RELEASE, IRO_SEQ_CST};
	IrModule       *m = mu->m;
	IrRef           i = some_inst(mu, is_access);
	if (!i.i)
		return false;
	bool      load = ir_inst(m, i)->op == IR_LOAD;
	IrType    t = load ? ir_inst(m, i)->type : ir_type_of(m, ir_op(m, i, 0)), to;
	IrBuilder b = ir_build_before(m, i);
	if (!is_plain(m, t))
		return false;
	switch (below(mu->r, 4)) {
	case 0: ir_inst(m, i)->flags ^= IRF_VOLATILE; return true;
	case 1: ir_inst(m, i)->align = (u8)(ir_inst(m, i)->align ? 1 + below(mu->r, ir_inst(m, i)->align) : 1); return true;
	case 2:
		if (ir_type_is_aggregate(m, t) || ir_type_is_vector(m, t) || ir_store_size(m, t) * 8 != ir_size_bits(m, t) ||
		    (ir_store_size(m, t) & (ir_store_size(m, t) - 1)))
			return false;
		ir_inst(m, i)->flags |= IRF_ATOMIC;
		ir_inst(m, i)->align = ir_align_of(PS_MAX(ir_align_bytes(ir_inst(m, i)->align), ir_abi_align(m, t)));
		ir_inst(m, i)->order = (u8)(load ? pick(mu->r, orders) : orders[(u32[]){0, 1, 3, 4}[below(mu->r, 4)]]);
		if (load && ir_inst(m, i)->order == IRO_RELEASE)
			ir_inst(m, i)->order = IRO_MONOTONIC;
		ir_info(m, i)->scope = (u8)below(mu->r, m->scopes.n);
		return true;
	default: break;
	}
	to = memory_type(mu);
	for (u32 k = 0; k < 20 && ir_store_size(m, to) > ir_store_size(m, t); k++)
		to = memory_type(mu);
	if (ir_store_size(m, to) > ir_store_size(m, t) || ir_inst(m, i)->flags & IRF_ATOMIC)
		return false;
	u32 align = ir_align_bytes(ir_inst(m, i)->align);
	if (load) {
		IrRef v = ir_b_load(&b, to, ir_op(m, i, 0), align ? align : 1);
		v = adapt(mu, &b, v, t);
		ir_replace_all_uses(m, i, v);
		ir_remove(m, i);
		return true;
	}
	IrRef v = adapt(mu, &b, ir_op(m, i, 0), to);
	ir_set_op(m, i, 0, v);
	return true;
}

/* ---- of control flow */

static bool around(Mut *mu)
{
	Place p;
	if (!some_place(mu, &p))
		return false;
	switch (below(mu->r, 3)) {
	case 0: return way_around(mu, p.inst, p.op);
	case 1: return loop_around(mu, p.inst, p.op);
	default: return switch_around(mu, p.inst, p.op);
	}
}

static bool any_but_phi(const IrModule *m, IrRef i) { return ir_inst(m, i)->op != IR_PHI && ir_inst(m, i)->op < IR_LANDINGPAD; }

static bool copy_code(Mut *mu)
{
	IrRef i = some_inst(mu, any_but_phi);
	return i.i && copy_of_code(mu, i);
}

static bool is_branch(const IrModule *m, IrRef i) { return ir_inst(m, i)->op == IR_BR; }

/* A branch goes somewhere else: loops with several entries, code that nobody reaches. */
static bool other_way(Mut *mu)
{
	IrModule *m = mu->m;
	IrRef     i = some_inst(mu, is_branch), to = IR_NO_REF;
	u32       seen = 0;
	if (!i.i || mu->defined)
		return false;
	IrRef from = ir_inst(m, i)->block;
	ir_each_block(m, mu->f, b)
		if (!ir_same(b, mu->f->first) && one_in(mu->r, ++seen))
			to = b;
	if (!to.i)
		return false;
	u32 k = below(mu->r, ir_n_succs(m, from));
	ir_phis_forget(m, ir_succ(m, from, k), from);
	ir_set_succ(m, from, k, to);
	ir_each_inst(m, to, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		IrRef old = ir_phi_value_for(m, phi, from);
		ir_phi_add(m, phi,
		           old.i                                ? old
		           : is_plain(m, ir_inst(m, phi)->type) ? some_const(mu, ir_inst(m, phi)->type)
		                                                : ir_const_poison(m, ir_inst(m, phi)->type),
		           from);
	}
	return true;
}

static bool is_ret(const IrModule *m, IrRef i) { return ir_inst(m, i)->op == IR_RET; }

static bool no_return(Mut *mu)
{
	IrRef i = some_inst(mu, is_ret);
	if (!i.i || mu->defined)
		return false;
	IrBuilder b = ir_build_before(mu->m, i);
	ir_b_unreachable(&b);
	ir_remove(mu->m, i);
	return true;
}

/* ---- of functions */

static bool other_function(Mut *mu)
{
	static const u8 conventions[] = {IRCC_C, IRCC_FAST, IRCC_PTX_KERNEL, IRCC_PTX_DEVICE, IRCC_SPIR_FUNC, IRCC_SPIR_KERNEL};
	static const u8 links[] = {IRL_EXTERNAL, IRL_INTERNAL, IRL_WEAK, IRL_LINKONCE_ODR, IRL_PRIVATE, IRL_WEAK_ODR};
	static const u8 attrs[] = {IRA_NOINLINE, IRA_OPTNONE,    IRA_NORETURN,  IRA_CONVERGENT,
	                           IRA_NOUNWIND, IRA_WILLRETURN, IRA_NORECURSE, IRA_ALWAYSINLINE};
	static const char *const keys[][2] = {{"nvvm.maxntid", "128,1,1"},
	                                      {"nvvm.reqntid", "32"},
	                                      {"nvvm.minctasm", "2"},
	                                      {"nvvm.maxnreg", "32"},
	                                      {"unsafe-fp-math", "true"},
	                                      {"nvptx-f32ftz", "true"},
	                                      {"denormal-fp-math-f32", "preserve-sign,preserve-sign"},
	                                      {"no-jump-tables", "true"},
	                                      {"nvvm.cluster_dim", "2,1,1"}};
	IrModule                *m = mu->m;
	u32                      k;
	if (mu->defined)
		return false;
	switch (below(mu->r, 4)) {
	case 0:
		if (!ir_has_uses(m, mu->f->ref) && ir_func_ret(m, ir_global(m, mu->f->ref)->type).i == IR_TY_VOID)
			mu->f->cc = pick(mu->r, conventions);
		return true;
	case 1: ir_global(m, mu->f->ref)->linkage = pick(mu->r, links); return true;
	case 2:
		k = pick(mu->r, attrs);
		mu->f->fn = ir_attrs_with(m, mu->f->fn, (IrAttr){.kind = k});
		if (k == IRA_OPTNONE)
			mu->f->fn = ir_attrs_with(m, ir_attrs_without(m, mu->f->fn, IRA_ALWAYSINLINE),
			                          (IrAttr){.kind = IRA_NOINLINE});
		return true;
	default:
		k = below(mu->r, PS_COUNT(keys));
		Str key = {keys[k][0], (u32)strlen(keys[k][0])}, text = {keys[k][1], (u32)strlen(keys[k][1])};
		mu->f->fn = ir_attrs_with(
			m, mu->f->fn,
			(IrAttr){.kind = IRA_STRING, .key = strtab_add(&m->s->strs, key), .text = strtab_add(&m->s->strs, text)});
		return true;
	}
}

static bool other_variable(Mut *mu)
{
	static const u8 links[] = {IRL_EXTERNAL, IRL_INTERNAL, IRL_WEAK, IRL_PRIVATE, IRL_WEAK_ODR};
	IrModule       *m = mu->m;
	IrRef           g = IR_NO_REF;
	u32             seen = 0;
	ir_each_global(m, x) {
		Str name = ir_str(m, ir_global(m, x)->name);
		if (ir_global(m, x)->kind == IRG_VAR && ir_global_init(m, x).i &&
		    !(name.n > 5 && memcmp(name.p, "llvm.", 5) == 0) && one_in(mu->r, ++seen))
			g = x;
	}
	if (!g.i || mu->defined)
		return false;
	IrGlobal *v = ir_global(m, g);
	switch (below(mu->r, 3)) {
	case 0: v->linkage = pick(mu->r, links); return true;
	case 1: v->align = (u8)below(mu->r, 9); return true;
	default:
		if (is_plain(m, v->type) && v->addrspace != 3) {
			IrRef init = some_const(mu, v->type);
			ir_global_set_init(m, g, init);
		}
		return true;
	}
}

/* ---- all of them */

static const struct {
	bool (*run)(Mut *);
	u32 weight;
} mutations[] = {
	{insert_expr, 8},     {other_operand, 2}, {other_constant, 3}, {other_width, 5},    {other_operation, 3},
	{other_predicate, 1}, {other_flags, 2},   {remove_inst, 2},    {other_access, 3},   {around, 3},
	{copy_code, 2},       {other_way, 1},     {no_return, 1},      {other_function, 1}, {other_variable, 1},
};

static IrFunc *some_function(Mut *mu)
{
	IrFunc *chosen = NULL;
	u32     seen = 0;
	ir_each_func(mu->m, f)
		if (!ir_is_decl(f) && ir_count_insts(mu->m, f) < 6000 && one_in(mu->r, ++seen))
			chosen = f;
	return chosen;
}

void mutate(Mut *mu, u32 many)
{
	u32 all = 0, tries = 4 * many;
	for (u32 i = 0; i < PS_COUNT(mutations); i++)
		all += mutations[i].weight;
	while (many && tries--) {
		u32 k = 0, at = below(mu->r, all);
		mu->f = some_function(mu);
		if (!mu->f)
			return;
		for (; at >= mutations[k].weight; k++)
			at -= mutations[k].weight;
		many -= mutations[k].run(mu);
	}
	if (mu->defined) /* shifts and divisions have new operands */
		keep_defined(mu);
}

/* ---- nothing undefined */

static void guard(Mut *mu, IrRef i)
{
	IrModule *m = mu->m;
	u32       op = ir_inst(m, i)->op;
	if (op != IR_SHL && op != IR_LSHR && op != IR_ASHR && !(op < 32 && IR_DIVISIONS >> op & 1))
		return;
	IrRef  y = ir_op(m, i, 1);
	u64    v;
	IrType t = ir_type_of(m, y), e = ir_scalar_type(m, t);
	u32    bits = ir_type(m, e)->bits;
	if (ir_as_int(m, y, &v) && (op >= IR_SHL ? v < bits : v && v + 1 < (u64)1 << PS_MIN(bits, 63u)))
		return;
	IrBuilder b = ir_build_before(m, i);
	IrRef c = ir_const_int(m, e, op >= IR_SHL ? ((u64)1 << u64_log2(bits)) - 1 : ~(u64)0 >> 1 >> (64 - PS_MIN(bits, 64u)));
	y = ir_b_bin(&b, IR_AND, y, ir_type_is_vector(m, t) ? ir_const_splat(m, t, c) : c, 0);
	if (op < IR_SHL) {
		c = ir_const_int(m, e, 1);
		y = ir_b_bin(&b, IR_OR, y, ir_type_is_vector(m, t) ? ir_const_splat(m, t, c) : c, 0);
	}
	ir_set_op(m, i, 1, y);
}

void keep_defined(Mut *mu)
{
	IrModule *m = mu->m;
	ir_each_func(m, f) {
		mu->f = f;
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i) {
				ir_inst(m, i)->flags &= ~(u32)(IRF_NUW | IRF_NSW | IRF_EXACT | IRF_DISJOINT | IRF_NNEG |
				                               IRF_SAMESIGN | IRF_INBOUNDS | IRF_NUSW | IRF_FAST);
				ir_info(m, i)->md = 0;
				for (u32 k = 0; k < ir_n_ops(m, i); k++)
					if (ir_kind(ir_op(m, i, k)) == IR_CONST && ir_is_undef(m, ir_op(m, i, k)))
						ir_set_op(m, i, k, ir_const_zero(m, ir_type_of(m, ir_op(m, i, k))));
				guard(mu, i);
			}
	}
}
