/* flow.c: blocks and functions: ways around code, loops, switches, copies of code, calls. */
#include "ir/builder.h"
#include "mutate.h"

IrBuilder at_entry(Mut *mu)
{
	IrRef first = ir_first_non_phi(mu->m, mu->f->first);
	return first.i ? ir_build_before(mu->m, first) : ir_build_end(mu->m, mu->f->first);
}

/* An expression in a block of its own that goes on to `rest`; as a T. */
static IrRef in_block(Mut *mu, IrRef block, IrRef rest, IrRef x, IrRef at, IrType t)
{
	IrBuilder b = ir_build_end(mu->m, block);
	IrRef     last = ir_b_br(&b, rest);
	b = ir_build_before(mu->m, last);
	IrRef v = some_expr(mu, &b, x, at);
	return adapt(mu, &b, v, t);
}

/* a; at(x)  →  a; c ? v = … : w = …; at(phi(v, w)) */
bool way_around(Mut *mu, IrRef at, u32 i)
{
	IrModule *m = mu->m;
	IrRef     x = ir_op(m, at, i), y = some_value(mu, at), from = ir_inst(m, at)->block;
	IrType    t = ir_type_of(m, x);
	IrBuilder b = ir_build_before(m, at);
	IrRef     c = some_condition(mu, &b, y, at), rest = ir_split_block(m, at, STR("rest"));
	IrRef     yes = ir_block_new(m, mu->f, STR("yes")), no = ir_block_new(m, mu->f, STR("no"));
	ir_remove(m, ir_term(m, from));
	b = ir_build_end(m, from);
	bool both = one_in(mu->r, 2);
	ir_b_cond_br(&b, c, yes, both ? no : rest);
	IrRef v = in_block(mu, yes, rest, x, at, t), w = x;
	if (both)
		w = in_block(mu, no, rest, y, at, t);
	else
		ir_block_remove(m, no);
	b = ir_build_before(m, at);
	IrRef phi = ir_b_phi(&b, t);
	ir_phi_add(m, phi, v, yes);
	ir_phi_add(m, phi, w, both ? no : from);
	ir_set_op(m, at, i, phi);
	return true;
}

/* a; at(x)  →  a; do { y = phi(x, z); z = …; } while (++n < k); at(z) */
bool loop_around(Mut *mu, IrRef at, u32 i)
{
	IrModule *m = mu->m;
	IrRef     x = ir_op(m, at, i), from = ir_inst(m, at)->block, y = some_value(mu, at);
	IrType    t = ir_type_of(m, x), count = int_type(mu);
	while (ir_type(m, count)->bits < 4)
		count = int_type(mu);
	IrBuilder b = ir_build_before(m, at);
	IrRef     bound = ir_const_int(m, count, 1 + below(mu->r, 6));
	if (one_in(mu->r, 2)) {
		y = adapt(mu, &b, y, count);
		bound = ir_b_bin(&b, IR_AND, y, ir_const_int(m, count, 7), 0);
	}
	IrRef rest = ir_split_block(m, at, STR("rest")), loop = ir_block_new(m, mu->f, STR("loop"));
	ir_set_succ(m, from, 0, loop);
	b = ir_build_end(m, loop);
	IrRef n = ir_inst_new(m, IR_PHI, count, 0), z = ir_inst_new(m, IR_PHI, t, 0), one = ir_const_int(m, count, 1);
	ir_insert_end(m, n, loop);
	ir_insert_end(m, z, loop);
	IrRef next = ir_b_bin(&b, IR_ADD, n, one, 0);
	IrRef again = ir_b_cmp(&b, IRP_I_ULT, next, bound);
	IrRef last = ir_b_cond_br(&b, again, loop, rest);
	b = ir_build_before(m, last);
	IrRef v = some_expr(mu, &b, one_in(mu->r, 3) ? n : z, at);
	v = adapt(mu, &b, v, t);
	if (one_in(mu->r, 2)) {
		IrType mid = some_type(mu);
		y = adapt(mu, &b, v, mid);
		y = adapt(mu, &b, y, t);
		v = y;
	}
	ir_phi_add(m, n, ir_const_int(m, count, 0), from);
	ir_phi_add(m, n, next, loop);
	ir_phi_add(m, z, x, from);
	ir_phi_add(m, z, v, loop);
	ir_set_op(m, at, i, one_in(mu->r, 2) ? v : z);
	return true;
}

/* a; at(x)  →  a; switch (…) { case …: v = …; } at(phi(x, v, …)) */
bool switch_around(Mut *mu, IrRef at, u32 i)
{
	IrModule *m = mu->m;
	IrRef     x = ir_op(m, at, i), y = some_value(mu, at), from = ir_inst(m, at)->block;
	IrType    t = ir_type_of(m, x), on = int_type(mu);
	u32       bits = ir_type(m, on)->bits, arms = 1 + below(mu->r, 4),
	    cases = 1 + below(mu->r, bits < 6 ? 1u << PS_MIN(bits, 4u) : 40);
	bool      dense = one_in(mu->r, 2);
	IrBuilder b = ir_build_before(m, at);
	y = adapt(mu, &b, y, on);
	IrRef rest = ir_split_block(m, at, STR("rest")), arm[4], value[4], used[64];
	u32   n = 0, from_rest = 1;
	u64   first = (u64)rnd(mu->r) << 32 | rnd(mu->r);
	ir_remove(m, ir_term(m, from));
	IrRef sw = ir_inst_new(m, IR_SWITCH, IR_TYPE(VOID), 2);
	ir_set_op(m, sw, 0, y);
	ir_set_op(m, sw, 1, rest);
	ir_insert_end(m, sw, from);
	for (u32 k = 0; k < arms; k++) {
		arm[k] = ir_block_new(m, mu->f, STR("arm"));
		value[k] = in_block(mu, arm[k], rest, x, at, t);
	}
	for (u32 k = 0; k < cases; k++) {
		IrRef c = dense ? ir_const_int(m, on, first + k) : some_const(mu, on);
		bool  fresh = !ir_is_undef(m, c);
		for (u32 j = 0; j < n; j++)
			fresh &= !ir_same(used[j], c);
		if (!fresh)
			continue;
		used[n++] = c;
		u32 to = below(mu->r, arms + 1);
		from_rest += to == arms;
		ir_add_op(m, sw, c);
		ir_add_op(m, sw, to == arms ? rest : arm[to]);
	}
	b = ir_build_before(m, at);
	IrRef phi = ir_b_phi(&b, t);
	for (u32 k = 0; k < arms; k++)
		ir_phi_add(m, phi, value[k], arm[k]);
	for (u32 k = 0; k < from_rest; k++)
		ir_phi_add(m, phi, x, from);
	ir_set_op(m, at, i, phi);
	return true;
}

/* Is it used behind the instructions of its block? */
static void merge_copies(Mut *mu, IrRef one, IrRef two, IrRef rest, const Map *map)
{
	IrModule *m = mu->m;
	ir_each_inst(m, one, i) {
		u64 *copy = map_get(map, i.i);
		if (!copy || !ir_has_uses(m, i))
			continue;
		IrRef phi = IR_NO_REF;
		ir_each_use(m, i, u) {
			IrRef user = ir_use(m, u)->user;
			if (ir_kind(user) != IR_INST || ir_same(ir_inst(m, user)->block, one) || ir_same(user, phi))
				continue;
			if (!phi.i) {
				IrBuilder b = ir_build_before(m, ir_block(m, rest)->first);
				phi = ir_b_phi(&b, ir_inst(m, i)->type);
			}
			ir_set_use(m, u, phi);
		}
		if (phi.i) {
			ir_phi_add(m, phi, i, one);
			ir_phi_add(m, phi, (IrRef){(u32)*copy}, two);
		}
	}
}

/* a; b; c  →  a; x ? b : b'; c */
bool copy_of_code(Mut *mu, IrRef at)
{
	IrModule *m = mu->m;
	IrRef     from = ir_inst(m, at)->block, end = at, y = some_value(mu, at);
	for (u32 n = 1 + below(mu->r, 12); n && end.i && !ir_op_is_terminator(ir_inst(m, end)->op); n--) {
		u32 op = ir_inst(m, end)->op;
		if (op == IR_ALLOCA || ir_type_kind(m, ir_inst(m, end)->type) == IRT_TOKEN || ir_is_convergent(m, end) ||
		    (mu->defined && op == IR_CALL))
			break;
		end = ir_inst(m, end)->next;
	}
	if (ir_same(end, at) || !end.i)
		return false;
	IrBuilder b = ir_build_before(m, at);
	IrRef     c = some_condition(mu, &b, y, at), one = ir_split_block(m, at, STR("one")),
	      rest = ir_split_block(m, end, STR("rest")), two;
	Map map;
	map_init(&map, m->arena);
	ir_clone_blocks(m, &one, 1, mu->f, &map, STR(".copy"));
	two = (IrRef){(u32)*map_get(&map, one.i)};
	ir_remove(m, ir_term(m, from));
	b = ir_build_end(m, from);
	ir_b_cond_br(&b, c, one, two);
	merge_copies(mu, one, two, rest, &map);
	return true;
}

/* ---- calls */

/* What a new function does with its parameters. */
static void fill(Mut *mu, IrFunc *f)
{
	IrModule *m = mu->m;
	IrFunc   *old = mu->f;
	IrRef     block = ir_block_new(m, f, STR("entry"));
	IrBuilder b = ir_build_end(m, block);
	IrType    t = ir_func_ret(m, ir_global(m, f->ref)->type);
	bool      is_void = t.i == IR_TY_VOID;
	IrRef     last = ir_b_ret(&b, is_void ? IR_NO_REF : ir_const_zero(m, t));
	mu->f = f;
	b = ir_build_before(m, last);
	IrRef v = some_value(mu, last);
	for (u32 n = below(mu->r, 3); n; n--)
		v = some_expr(mu, &b, v, last);
	if (!is_void) {
		v = adapt(mu, &b, v, t);
		ir_set_op(m, last, 0, v);
	}
	mu->f = old;
}

static void some_fn_attrs(Mut *mu, IrFunc *f)
{
	static const u8 kinds[] = {IRA_NOINLINE, IRA_ALWAYSINLINE, IRA_NORECURSE, IRA_MUSTPROGRESS};
	if (one_in(mu->r, 2))
		f->fn = ir_attrs_with(mu->m, f->fn, (IrAttr){.kind = pick(mu->r, kinds)});
	if (one_in(mu->r, 8))
		f->cc = one_in(mu->r, 2) ? IRCC_FAST : IRCC_PTX_DEVICE;
}

/* A call of a new function, directly or through a pointer, with parameters and a result of any types. */
IrRef some_call(Mut *mu, IrBuilder *b, IrRef x, IrRef at)
{
	IrModule *m = mu->m;
	IrType    params[8];
	IrRef     args[8];
	u32       n = below(mu->r, 6);
	if (mu->f->n_args > 60 || ir_count_insts(m, mu->f) > 4000)
		return IR_NO_REF;
	for (u32 i = 0; i < n; i++) {
		params[i] = some_type(mu);
		IrRef v = i ? some_value(mu, at) : x;
		args[i] = adapt(mu, b, v, params[i]);
	}
	IrType  ret = one_in(mu->r, 8) ? IR_TYPE(VOID) : some_type(mu), type = ir_func_type(m, ret, params, n, false);
	bool    external = !mu->defined && one_in(mu->r, 8);
	IrFunc *f = ir_func_new(m, new_name(mu, "callee"), type, external || one_in(mu->r, 4) ? IRL_EXTERNAL : IRL_INTERNAL);
	if (!external)
		fill(mu, f);
	some_fn_attrs(mu, f);
	IrRef callee = f->ref;
	if (one_in(mu->r, 4)) { /* through memory, so that nobody knows it */
		IrBuilder entry = at_entry(mu);
		IrRef     p = ir_b_alloca(&entry, ir_ptr_type(m, 0), m->layout.alloca_space, 8);
		IrRef     s = ir_b_store(b, callee, p, 8);
		ir_inst(m, s)->flags |= IRF_VOLATILE;
		callee = ir_b_load(b, ir_ptr_type(m, 0), p, 8);
	}
	IrRef call = ir_b_call(b, type, callee, args, n);
	ir_call(m, call)->cc = f->cc;
	return ret.i == IR_TY_VOID ? IR_NO_REF : call;
}
