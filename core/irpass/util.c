/* util.c: questions about values and small edits that several IR passes share. */
#include "analysis/cfg.h"
#include "ir/builder.h"
#include "irpass/util.h"

u32 value_op(const IrModule *m, IrRef v)
{
	if (ir_kind(v) == IR_INST)
		return ir_inst(m, v)->op;
	if (ir_kind(v) == IR_CONST && ir_const(m, v)->kind == IRC_EXPR)
		return ir_const(m, v)->op;
	return IR_OP_NONE;
}

u32 value_n_ops(const IrModule *m, IrRef v)
{
	return ir_kind(v) == IR_INST ? ir_inst(m, v)->n_ops : ir_kind(v) == IR_CONST ? ir_const(m, v)->n_ops : 0;
}

IrRef value_operand(const IrModule *m, IrRef v, u32 i) { return ir_kind(v) == IR_INST ? ir_op(m, v, i) : ir_const_op(m, v, i); }

Str callee_name(const IrModule *m, IrRef inst)
{
	if (!(ir_op_info[ir_inst(m, inst)->op].flags & IROF_CALLS) || ir_kind(ir_callee(m, inst)) != IR_GLOBAL)
		return (Str){0};
	return ir_str(m, ir_global(m, ir_callee(m, inst))->name);
}

bool calls_family(const IrModule *m, IrRef inst, IrFamily family)
{
	return (ir_op_info[ir_inst(m, inst)->op].flags & IROF_CALLS) && ir_call_family(m, inst) == family;
}

static bool same_lists(const IrModule *m, u32 a, u32 b)
{
	if (ir_list_n(m, a) != ir_list_n(m, b))
		return false;
	for (u32 k = 0; k < ir_list_n(m, a); k++)
		if (ir_list(m, a)[k] != ir_list(m, b)[k])
			return false;
	return true;
}

bool same_computation(const IrModule *m, IrRef a, IrRef b)
{
	const IrInst *x = ir_inst(m, a), *y = ir_inst(m, b);
	if (x->op != y->op || x->type.i != y->type.i || x->n_ops != y->n_ops)
		return false;
	switch (x->op) {
	case IR_CALL: return ir_call(m, a)->type.i == ir_call(m, b)->type.i;
	case IR_GETELEMENTPTR: return x->sub == y->sub && x->elem.i == y->elem.i;
	case IR_EXTRACTVALUE:
	case IR_INSERTVALUE:
	case IR_SHUFFLEVECTOR: return x->sub == y->sub && same_lists(m, x->aux, y->aux);
	default: return x->sub == y->sub;
	}
}

void keep_common_attributes(IrModule *m, IrRef a, IrRef b)
{
	if (ir_inst(m, a)->op != IR_CALL || ir_call(m, a)->ret.i == ir_call(m, b)->ret.i)
		return;
	IrAttrs x = ir_call(m, a)->ret, y = ir_call(m, b)->ret, both = {0};
	for (u32 k = 0; k < ir_attrs_count(m, x); k++) {
		IrAttr        p = *ir_attrs_at(m, x, k);
		const IrAttr *q = p.key.i ? NULL : ir_attrs_find(m, y, (IrAttrKind)p.kind);
		if (q && !memcmp(q, &p, sizeof p))
			both = ir_attrs_with(m, both, p);
	}
	ir_call(m, a)->ret = both;
}

i32 pointer_operand(const IrModule *m, IrRef inst)
{
	switch (ir_inst(m, inst)->op) {
	case IR_LOAD:
	case IR_ATOMICRMW:
	case IR_CMPXCHG:
	case IR_VAARG: return 0;
	case IR_STORE: return 1;
	default: return -1;
	}
}

bool constant_multiple(const IrModule *m, IrRef v, i64 *times)
{
	i64 c;
	if ((!is_inst(m, v, IR_MUL) && !is_inst(m, v, IR_SHL)) || !ir_as_sint(m, ir_op(m, v, 1), &c))
		return false;
	if (is_inst(m, v, IR_SHL))
		c = c >= 0 && c < 31 ? (i64)1 << c : 0;
	*times = c;
	return c > 0 && c <= INT32_MAX;
}

enum { READERS = 32 };

static bool addresses_read(const IrModule *m, IrRef v, u32 *left, bool extended)
{
	ir_each_use(m, v, u) {
		IrRef user = ir_use(m, u)->user;
		bool  extension = is_inst(m, user, IR_SEXT) || is_inst(m, user, IR_ZEXT);
		if (!*left)
			return true;
		--*left;
		if (!is_inst(m, user, IR_GETELEMENTPTR) && (extended || !extension || !addresses_read(m, user, left, true)))
			return false;
	}
	return true;
}

bool only_addresses(const IrModule *m, IrRef v)
{
	u32 left = READERS;
	return addresses_read(m, v, &left, false);
}

bool reads_constant_memory(const IrModule *m, IrRef load)
{
	u32 s = value_space(m, ir_op(m, load, 0));
	return s == AS_CONST || s == AS_PARAM || ir_attached(m, load, "invariant.load").i != 0;
}

u32 remove_if_dead(PassCx *cx, IrRef v)
{
	IrModule *m = cx->ir;
	Vec(IrRef) work = {0};
	u32 removed = 0;
	vec_push(cx->scratch, &work, v);
	while (work.n) {
		IrRef i = vec_pop(&work);
		if (ir_kind(i) != IR_INST || ir_is_none(ir_inst(m, i)->block) || ir_has_uses(m, i) || ir_has_side_effects(m, i) ||
		    ir_op_is_terminator(ir_inst(m, i)->op))
			continue;
		for (u32 k = 0; k < ir_n_ops(m, i); k++)
			if (ir_kind(ir_op(m, i, k)) == IR_INST)
				vec_push(cx->scratch, &work, ir_op(m, i, k));
		ir_remove(m, i);
		removed++;
	}
	return removed;
}

void replace_inst(IrModule *m, IrRef inst, IrRef by)
{
	if (ir_type_kind(m, ir_inst(m, inst)->type) != IRT_VOID)
		ir_replace_all_uses(m, inst, by);
	ir_take_place(m, by, inst);
	ir_remove(m, inst);
}

IrRef element_by_element(IrBuilder *b, IrType t, const IrRef *ops, u32 n, IrRef (*of)(void *user, const IrRef *ops), void *user)
{
	IrModule *m = b->m;
	IrRef     one[4], r = ir_const_poison(m, t);
	if (!ir_type_is_vector(m, t))
		return of(user, ops);
	for (u32 i = 0; i < ir_type_count(m, t); i++) {
		IrRef at = ir_const_int(m, IR_TYPE(I32), i);
		for (u32 k = 0; k < n; k++)
			one[k] = ir_b_extract_element(b, ops[k], at);
		IrRef e = of(user, one);
		r = ir_b_insert_element(b, r, e, at);
	}
	return r;
}

/* The successor that is taken, by its number; -1: not known. */
static i32 taken_successor(const IrModule *m, IrRef inst)
{
	u32   op = ir_inst(m, inst)->op, n = ir_n_ops(m, inst);
	IrRef on = op == IR_SWITCH || (op == IR_BR && n == 3) ? ir_op(m, inst, 0) : IR_NO_REF;
	if (ir_kind(on) != IR_CONST || ir_const(m, on)->kind != IRC_INT)
		return -1;
	if (op == IR_BR)
		return ir_const(m, on)->bits ? 0 : 1;
	for (u32 i = 2; i < n; i += 2)
		if (ir_same(ir_op(m, inst, i), on))
			return (i32)(i / 2);
	return 0;
}

bool fold_terminator(IrModule *m, IrRef inst)
{
	i32   taken = taken_successor(m, inst);
	IrRef block = ir_inst(m, inst)->block;
	if (taken < 0)
		return false;
	IrRef to = ir_succ(m, block, (u32)taken);
	for (u32 i = 0; i < ir_n_succs(m, block); i++)
		if (i != (u32)taken)
			ir_phis_forget(m, ir_succ(m, block, i), block);
	IrBuilder b = ir_build_before(m, inst);
	ir_b_br(&b, to);
	ir_remove(m, inst);
	return true;
}

bool remove_unreached_blocks(PassCx *cx)
{
	IrCfg *cfg = ir_cfg(cx);
	if (cfg->order.n == cfg->n)
		return false;
	for (u32 b = 0; b < cfg->n; b++)
		if (!ir_cfg_reached(cfg, b))
			ir_block_remove(cx->ir, cfg->block[b]); /* values that other such blocks use become poison there */
	return true;
}

bool fold_single_phis(IrModule *m, IrRef block)
{
	bool folded = false;
	ir_each_inst(m, block, i) {
		if (ir_inst(m, i)->op != IR_PHI)
			break;
		IrRef v = ir_phi_n(m, i) ? ir_phi_value(m, i, 0) : IR_NO_REF;
		if (ir_phi_n(m, i) != 1 || ir_same(v, i))
			continue;
		ir_replace_all_uses(m, i, v);
		ir_remove(m, i);
		folded = true;
	}
	return folded;
}

bool fold_all_single_phis(IrModule *m, const IrFunc *f)
{
	bool folded = false;
	ir_each_block(m, f, b)
		folded |= fold_single_phis(m, b);
	return folded;
}

void name_after(IrModule *m, IrRef v, IrRef from, const char *suffix)
{
	Str name = ir_str(m, ir_name(m, from));
	if (!name.n)
		return;
	Text t;
	text_init(&t, m->arena);
	text_add(&t, name);
	text_s(&t, suffix);
	ir_set_name(m, v, text_str(&t));
}

IrBuilder build_at_entry(IrModule *m, const IrFunc *f)
{
	IrBuilder b = {.m = m, .block = f->first, .before = ir_block(m, f->first)->first};
	b.origin = ir_global(m, f->ref)->origin;
	return b;
}

IrBuilder build_after(IrModule *m, IrRef inst)
{
	IrRef next = ir_inst(m, inst)->next;
	if (ir_inst(m, inst)->op == IR_PHI)
		next = ir_first_non_phi(m, ir_inst(m, inst)->block);
	IrBuilder b = {.m = m, .block = ir_inst(m, inst)->block, .before = next};
	b.origin = ir_info(m, inst)->origin;
	b.dbg = ir_info(m, inst)->dbg;
	return b;
}

IrRef cast_to_space(IrBuilder *b, IrRef p, u32 space)
{
	return value_space(b->m, p) == space ? p : ir_b_cast(b, IR_ADDRSPACECAST, p, ir_ptr_type(b->m, space));
}

u32 value_line(const IrModule *m, IrRef v)
{
	switch (ir_kind(v)) {
	case IR_INST: return ir_info(m, v)->origin;
	case IR_ARG: return ir_global(m, ir_arg(m, v)->func)->origin;
	case IR_GLOBAL: return ir_global(m, v)->origin;
	case IR_BLOCK: return ir_block(m, v)->origin;
	default: return 0;
	}
}

IrRef strip_constant_step(const IrModule *m, IrRef v, i64 *step)
{
	u32 op = value_op(m, v);
	*step = 0;
	if (op == IR_GETELEMENTPTR ? !ir_gep_offset(m, v, step) : op != IR_BITCAST || !is_ptr(m, value_operand(m, v, 0)))
		return v;
	return value_operand(m, v, 0);
}

IrRef strip_constant_offset(const IrModule *m, IrRef v, i64 *offset)
{
	*offset = 0;
	for (i64 step;;) {
		IrRef next = strip_constant_step(m, v, &step);
		if (ir_same(next, v))
			return v;
		*offset = (i64)((u64)*offset + (u64)step);
		v = next;
	}
}
