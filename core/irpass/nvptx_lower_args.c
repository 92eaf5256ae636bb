/* nvptx-lower-args: states the address space of kernel pointer arguments, and lowers byval arguments.
 *
 *   define ptx_kernel void @k(ptr %p, ptr byval(%S) %s)
 *
 *   … ptr %p …                 →   %p1 = addrspacecast ptr %p to ptr addrspace(1)
 *                                  %p2 = addrspacecast ptr addrspace(1) %p1 to ptr, used for %p
 *   load i32, ptr %s           →   %s1 = addrspacecast ptr %s to ptr addrspace(101); load from it
 *   store i32 0, ptr %s        →   a copy of %s in local memory, used for %s
 *   the same in a function     →   %s1 = addrspacecast ptr %s to ptr addrspace(5), used for %s
 *
 * Under the CUDA driver interface a pointer that the host passes to a kernel (as an argument, in a
 * byval struct, as an integer argument cast to a pointer) points to global memory; the pair of casts
 * states this and infer-address-spaces propagates it. Byval arguments, of device functions too, that are only
 * read are read in .param space, in kernels also where a phi or a select has chosen one of them; a grid constant whose address escapes is accessed by the generic address of
 * its .param space. Of every other byval argument a kernel makes a copy in local memory. Those of a device function
 * are in local memory where their address is taken (PTX manual, "Device function parameters"), so they need none. The
 * pointer's own space says where an address that escapes points: generic, local or .param; one in another space is only read by.
 *
 * Linear in the uses of arguments. */
#include "analysis/memspace.h"
#include "ir/builder.h"
#include "ir/kernel.h"
#include "irpass/util.h"
#include "isa/isa.h"

enum { MAX_LEAVES = 32 }; /* larger aggregates, and those with padding, are copied by memcpy */

/* ---- pointers passed by the host point to global memory ---- */

static bool uses_cuda_interface(const PassCx *cx) { return !cx->s->target.nvcl; }

/* Uses of the generic pointer `p` see it cast to `space` and back. */
static void state_space(PassCx *cx, IrRef p, u32 space)
{
	IrModule *m = cx->ir;
	IrBuilder b = ir_kind(p) == IR_INST ? build_after(m, p) : build_at_entry(m, pass_func(cx));
	IrRef     there = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, space), 1);
	IrRef     back = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, AS_GENERIC), 1);
	ir_b_insert(&b, there);
	ir_b_insert(&b, back);
	ir_replace_all_uses(m, p, back);
	ir_set_op(m, there, 0, p);
	ir_set_op(m, back, 0, there);
	name_after(m, there, p, "");
	name_after(m, back, p, "");
}

static void mark_global(PassCx *cx, IrRef p)
{
	if (value_space(cx->ir, p) == AS_GENERIC && ir_has_uses(cx->ir, p))
		state_space(cx, p, AS_GLOBAL);
}

/* The by-value argument that `p` points into, or none. */
static IrRef byval_under(const IrModule *m, const IrFunc *f, IrRef p)
{
	p = object_under(m, p);
	return ir_kind(p) == IR_ARG && ir_param_byval(m, f, ir_arg(m, p)->number).i ? p : IR_NO_REF;
}

static bool mark_loaded_pointers(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	Vec(IrRef) loads = {0};
	bool byval = false;
	for (u32 i = 0; i < f->n_args; i++)
		byval |= ir_param_byval(m, f, i).i != 0;
	if (!byval)
		return false;
	ir_each_block_had(m, f, b, IR_OPS(LOAD))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_LOAD && is_ptr(m, i) && value_space(m, i) == AS_GENERIC &&
			    ir_has_uses(m, i) && !ir_is_none(byval_under(m, f, ir_op(m, i, 0))))
				vec_push(cx->scratch, &loads, i);
	for (u32 i = 0; i < loads.n; i++)
		mark_global(cx, loads.p[i]);
	return loads.n != 0;
}

static bool mark_cast_integers(PassCx *cx, IrRef arg)
{
	IrModule *m = cx->ir;
	Vec(IrRef) casts = {0};
	ir_each_use(m, arg, u)
		if (is_inst(m, ir_use(m, u)->user, IR_INTTOPTR) && ir_has_uses(m, ir_use(m, u)->user) &&
		    is_ptr(m, ir_use(m, u)->user) && value_space(m, ir_use(m, u)->user) == AS_GENERIC)
			vec_push(cx->scratch, &casts, ir_use(m, u)->user);
	for (u32 i = 0; i < casts.n; i++)
		mark_global(cx, casts.p[i]);
	return casts.n != 0;
}

/* ---- by-value arguments ---- */

typedef enum UseKind { USE_READ, USE_DERIVES, USE_MERGES, USE_OTHER } UseKind;

/* Nobody can write to .param space, so what a volatile copy reads there is no different. */
static bool reads_as_memcpy(const IrModule *m, u32 use)
{
	IrRef user = ir_use(m, use)->user;
	bool  copies = calls_family(m, user, IRFAM_MEMCPY) || calls_family(m, user, IRFAM_MEMMOVE);
	return copies && ir_use_index(m, use) == 2 && ir_type_of(m, ir_call_arg(m, user, 3)).i == IR_TY_I1;
}

/* Is the address itself passed by value? Selection copies from parameter to parameter (dag/lower_call.c). */
static bool is_passed(const IrModule *m, u32 use)
{
	IrRef user = ir_use(m, use)->user;
	u32   i = ir_use_index(m, use);
	return is_inst(m, user, IR_CALL) && i && i <= ir_call(m, user)->n_args && ir_kind(ir_op(m, user, i)) == IR_ARG &&
	       ir_call_param_attr(m, user, i - 1, IRA_BYVAL);
}

static UseKind use_kind(const IrModule *m, u32 use)
{
	IrRef         user = ir_use(m, use)->user;
	const IrInst *i = ir_kind(user) == IR_INST ? ir_inst(m, user) : NULL;
	if (!i)
		return USE_OTHER;
	switch (i->op) {
	case IR_LOAD: return i->flags & (IRF_VOLATILE | IRF_ATOMIC) ? USE_OTHER : USE_READ;
	case IR_GETELEMENTPTR: return ir_type_is_ptr(m, i->type) && ir_use_index(m, use) == 0 ? USE_DERIVES : USE_OTHER;
	case IR_BITCAST: return ir_type_is_ptr(m, i->type) ? USE_DERIVES : USE_OTHER;
	case IR_ADDRSPACECAST: return ptr_space(m, i->type) == AS_PARAM ? USE_READ : USE_OTHER;
	case IR_CALL: return reads_as_memcpy(m, use) || is_passed(m, use) ? USE_READ : USE_OTHER;
	case IR_SELECT:
	case IR_PHI: return USE_MERGES;
	default: return USE_OTHER;
	}
}

typedef struct ByvalUses {
	bool only_reads; /* through geps: every use can name .param space */
	bool merges;     /* through phis and selects as well: reads by a generic address */
} ByvalUses;

static ByvalUses byval_uses(PassCx *cx, IrRef arg)
{
	IrModule *m = cx->ir;
	ByvalUses r = {.only_reads = true};
	Vec(IrRef) work = {0};
	Map seen;
	map_init(&seen, cx->scratch);
	vec_push(cx->scratch, &work, arg);
	while (work.n) {
		IrRef v = vec_pop(&work);
		ir_each_use(m, v, u) {
			UseKind k = use_kind(m, u);
			bool    fresh = true;
			if (k == USE_OTHER)
				return (ByvalUses){false, false};
			if (k == USE_READ)
				continue;
			r.merges |= k == USE_MERGES;
			map_put(&seen, ir_use(m, u)->user.i, &fresh);
			if (fresh)
				vec_push(cx->scratch, &work, ir_use(m, u)->user);
		}
	}
	return r;
}

typedef struct Renamed {
	IrRef old, in_param;
} Renamed;

/* A copy from a generic pointer becomes the memcpy from .param space, which nothing that is written can overlap. */
static void read_memcpy_from_param(PassCx *cx, IrRef call, IrRef source)
{
	IrModule *m = cx->ir;
	IrBuilder b = ir_build_before(m, call);
	IrRef     args[4];
	for (u32 i = 0; i < 4; i++)
		args[i] = i == 1 ? source : ir_call_arg(m, call, i);
	Str     name = arena_fmt(cx->scratch, "llvm.memcpy.p%u.p%u.i%u", value_space(m, args[0]), AS_PARAM,
	                         ir_type(m, ir_type_of(m, args[2]))->bits);
	IrRef   n = ir_b_intrinsic(&b, name, IR_TYPE(VOID), args, 4);
	IrCall *from = ir_call(m, call), *to = ir_call(m, n);
	to->params = from->params;
	ir_remove(m, call);
}

/* Every read of `arg` goes through `base`, its address in .param space. */
static void read_from_param(PassCx *cx, IrRef arg, IrRef base)
{
	IrModule *m = cx->ir;
	IrType    param = ir_ptr_type(m, AS_PARAM);
	Vec(Renamed) work = {0};
	Vec(IrRef) dead = {0};
	vec_push(cx->scratch, &work, ((Renamed){arg, base}));
	while (work.n) {
		Renamed r = vec_pop(&work);
		ir_each_use(m, r.old, u) {
			IrRef user = ir_use(m, u)->user;
			if (ir_same(user, base) || is_passed(m, u))
				continue;
			if (ir_inst(m, user)->op == IR_LOAD) {
				ir_set_use(m, u, r.in_param);
			} else if (ir_inst(m, user)->op == IR_CALL) {
				read_memcpy_from_param(cx, user, r.in_param);
			} else if (ir_inst(m, user)->op == IR_ADDRSPACECAST) {
				ir_replace_all_uses(m, user, r.in_param);
				vec_push(cx->scratch, &dead, user);
			} else if (ir_inst(m, user)->op == IR_BITCAST) {
				vec_push(cx->scratch, &work, ((Renamed){user, r.in_param}));
				vec_push(cx->scratch, &dead, user);
			} else {
				IrRef gep = ir_inst_clone(m, user);
				ir_inst(m, gep)->type = param;
				ir_insert_before(m, gep, user);
				ir_set_op(m, gep, 0, r.in_param);
				ir_take_place(m, gep, user);
				vec_push(cx->scratch, &work, ((Renamed){user, gep}));
				vec_push(cx->scratch, &dead, user);
			}
		}
	}
	while (dead.n)
		ir_remove(m, vec_pop(&dead));
}

static IrRef address_in_param(PassCx *cx, IrRef arg)
{
	IrModule *m = cx->ir;
	IrBuilder b = build_at_entry(m, pass_func(cx));
	IrRef     p = ir_b_cast(&b, IR_ADDRSPACECAST, arg, ir_ptr_type(m, AS_PARAM));
	name_after(m, p, arg, "");
	return p;
}

/* ---- addresses of arguments that meet in phis and selects ---- */

/* The arguments, and what is computed from their addresses: one connected part of the function. */
typedef struct Web {
	Vec(IrRef) members;
	bool reads; /* they point into by-value arguments alone, which are read alone */
} Web;

static void web_add(PassCx *cx, Web *w, Map *seen, IrRef v)
{
	bool fresh = true;
	map_put(seen, v.i, &fresh);
	if (fresh)
		vec_push(cx->scratch, &w->members, v);
}

static void web_add_operands(PassCx *cx, Web *w, Map *seen, IrRef v)
{
	IrModule *m = cx->ir;
	u32       op = ir_kind(v) == IR_INST ? ir_inst(m, v)->op : IR_OP_NONE;
	if (op == IR_GETELEMENTPTR || op == IR_BITCAST)
		web_add(cx, w, seen, ir_op(m, v, 0));
	else if (op == IR_SELECT || op == IR_PHI)
		for (u32 k = op == IR_SELECT; k < ir_n_ops(m, v); k += op == IR_PHI ? 2 : 1)
			web_add(cx, w, seen, ir_op(m, v, k));
	else
		w->reads &= ir_kind(v) == IR_ARG && ir_param_byval(m, pass_func(cx), ir_arg(m, v)->number).i;
}

static Web web_of(PassCx *cx, IrRef arg, Map *seen)
{
	IrModule *m = cx->ir;
	Web       w = {.reads = true};
	web_add(cx, &w, seen, arg);
	for (u32 at = 0; at < w.members.n; at++) {
		IrRef v = w.members.p[at];
		web_add_operands(cx, &w, seen, v);
		if (ir_kind(v) != IR_ARG && ir_kind(v) != IR_INST)
			continue;
		ir_each_use(m, v, u) {
			UseKind k = use_kind(m, u);
			w.reads &= k != USE_OTHER;
			if (k == USE_DERIVES || k == USE_MERGES)
				web_add(cx, &w, seen, ir_use(m, u)->user);
		}
	}
	return w;
}

/* All addresses of the web become addresses in .param space. */
static void web_into_param(PassCx *cx, const Web *w)
{
	IrModule *m = cx->ir;
	Vec(IrRef) dead = {0};
	for (u32 at = 0; at < w->members.n; at++) {
		IrRef v = w->members.p[at], p = v;
		if (ir_kind(v) == IR_ARG)
			p = address_in_param(cx, v);
		else
			ir_inst(m, v)->type = ir_ptr_type(m, AS_PARAM);
		ir_each_use(m, v, u) {
			IrRef user = ir_use(m, u)->user;
			if (ir_same(user, p) || is_passed(m, u))
				continue;
			if (is_inst(m, user, IR_CALL)) {
				read_memcpy_from_param(cx, user, p);
			} else if (is_inst(m, user, IR_ADDRSPACECAST)) {
				ir_replace_all_uses(m, user, p);
				vec_push(cx->scratch, &dead, user);
			} else if (!ir_same(v, p)) {
				ir_set_use(m, u, p);
			}
		}
	}
	while (dead.n)
		ir_remove(m, vec_pop(&dead));
}

/* A load of a parameter needs no constant address, so a choice between parameters needs neither copies nor generic addresses. */
static bool lower_merged_args(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	bool      changed = false;
	Map       seen;
	map_init(&seen, cx->scratch);
	for (u32 i = 0; i < f->n_args; i++) {
		IrRef arg = ir_func_arg(f, i);
		if (!ir_param_byval(m, f, i).i || map_get(&seen, arg.i) || !byval_uses(cx, arg).merges)
			continue;
		Web w = web_of(cx, arg, &seen);
		if (!w.reads)
			continue;
		web_into_param(cx, &w);
		changed = true;
	}
	return changed;
}

/* Uses of `arg` see its generic address, which the hardware has for kernel parameters. */
static void use_generic_address(PassCx *cx, IrRef arg)
{
	IrModule *m = cx->ir;
	IrRef     p = address_in_param(cx, arg);
	IrBuilder b = build_after(m, p);
	IrRef     g = ir_b_cast(&b, IR_ADDRSPACECAST, p, ir_ptr_type(m, AS_GENERIC));
	name_after(m, g, arg, ".gen");
	ir_replace_all_uses(m, arg, g);
	ir_set_op(m, p, 0, arg);
	/* Loads keep the address in .param space; uses that let the address escape get the generic one. */
	ir_each_use(m, g, u)
		if (is_inst(m, ir_use(m, u)->user, IR_LOAD) && use_kind(m, u) == USE_READ)
			ir_set_use(m, u, p);
}

/* ---- copies ---- */

typedef struct Leaf {
	IrType type;
	u64    offset;
} Leaf;

typedef struct Leaves {
	Vec(Leaf) list;
	u64 bytes; /* covered; less than the size: there is padding */
} Leaves;

static bool leaves_of(PassCx *cx, IrType t, u64 offset, Leaves *l, u32 depth)
{
	IrModule *m = cx->ir;
	if (!ir_type_is_aggregate(m, t)) {
		if (l->list.n == MAX_LEAVES)
			return false;
		vec_push(cx->scratch, &l->list, ((Leaf){t, offset}));
		l->bytes += ir_store_size(m, t);
		return ir_store_size(m, t) * 8 == ir_size_bits(m, t) || ir_type_is_ptr(m, t);
	}
	if (depth == 16 || ir_type_count(m, t) > MAX_LEAVES)
		return false;
	for (u32 i = 0; i < ir_type_count(m, t); i++) {
		bool array = ir_type_kind(m, t) == IRT_ARRAY;
		u64  at = array ? i * ir_alloc_size(m, ir_type_elem(m, t, 0)) : ir_struct_offset(m, t, i);
		if (!leaves_of(cx, ir_type_elem(m, t, array ? 0 : i), offset + at, l, depth + 1))
			return false;
	}
	return true;
}

/* The alignment that is known at `offset` from something aligned to `align`. */
static u32 align_at(u32 align, u64 offset)
{
	while (offset % align)
		align /= 2;
	return align;
}

static void fill_copy(PassCx *cx, IrBuilder *b, IrRef to, IrRef from, IrType t, u32 align)
{
	IrModule *m = cx->ir;
	Leaves    l = {0};
	if (leaves_of(cx, t, 0, &l, 0) && l.bytes == ir_alloc_size(m, t)) {
		for (u32 i = 0; i < l.list.n; i++) {
			Leaf  f = l.list.p[i];
			IrRef src = ir_b_gep_bytes(b, from, (i64)f.offset, IRF_INBOUNDS);
			IrRef dst = ir_b_gep_bytes(b, to, (i64)f.offset, IRF_INBOUNDS);
			IrRef v = ir_b_load(b, f.type, src, align_at(align, f.offset));
			ir_b_store(b, v, dst, align_at(align, f.offset));
		}
		return;
	}
	IrRef   args[4] = {to, from, ir_const_int(m, IR_TYPE(I64), ir_alloc_size(m, t)), ir_const_int(m, IR_TYPE(I1), 0)};
	IrAttr  al = {.kind = IRA_ALIGN, .a = align};
	IrAttrs both[4] = {ir_attrs_make(m, &al, 1), ir_attrs_make(m, &al, 1), {0}, {0}};
	IrRef   call = ir_b_intrinsic(b, STR("llvm.memcpy.p0.p101.i64"), IR_TYPE(VOID), args, 4);
	u32     sets[4] = {both[0].i, both[1].i, 0, 0};
	ir_call(m, call)->params = ir_list_new(m, sets, 4);
}

static void use_copy(PassCx *cx, IrRef arg, IrType t)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	u32       given = ir_param_align(m, f, ir_arg(m, arg)->number);
	u32       align = given ? given : ir_abi_align(m, t);
	IrBuilder b = build_at_entry(m, f);
	IrRef     copy = ir_b_alloca(&b, t, m->layout.alloca_space, align);
	name_after(m, copy, arg, "");
	IrRef local = cast_to_space(&b, copy, AS_GENERIC);
	ir_replace_all_uses(m, arg, cast_to_space(&b, copy, value_space(m, arg)));
	IrRef p = ir_b_cast(&b, IR_ADDRSPACECAST, arg, ir_ptr_type(m, AS_PARAM));
	name_after(m, p, arg, "");
	fill_copy(cx, &b, local, p, t, align);
	pass_remark(cx, REMARK_MISSED, value_line(m, arg),
	            "by-value argument %u is copied to local memory because it is written or escapes", ir_arg(m, arg)->number);
}

static bool is_grid_constant(const IrModule *m, IrRef arg)
{
	return ir_attrs_find_key(m, ir_arg(m, arg)->attrs, IR_GRID_CONSTANT) != NULL;
}

static bool lower_byval(PassCx *cx, IrRef arg, IrType t, bool kernel)
{
	IrModule *m = cx->ir;
	u32       space = value_space(m, arg);
	if (!ir_has_uses(m, arg) || space == AS_PARAM)
		return false;
	bool      has_cvta_param = isa_has(cx->s, ptx_opc(cvta, PS(space, param), TY(u64)));
	ByvalUses uses = byval_uses(cx, arg);
	if (uses.only_reads && !uses.merges) {
		IrRef p = address_in_param(cx, arg);
		read_from_param(cx, arg, p);
		if (!ir_has_uses(m, p))
			ir_remove(m, p);
	} else if (space != AS_GENERIC && !(space == AS_LOCAL && kernel)) {
		return false; /* it has a local address, or none: selection reports that */
	} else if (kernel && space == AS_GENERIC && (is_grid_constant(m, arg) || (uses.only_reads && has_cvta_param))) {
		use_generic_address(cx, arg);
	} else if (kernel) {
		use_copy(cx, arg, t);
	} else {
		state_space(cx, arg, AS_LOCAL); /* where the parameter is, as its address is taken */
	}
	return true;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	bool      kernel = ir_is_kernel(f), cuda = kernel && uses_cuda_interface(cx), changed = false;
	bool      casts = cuda && ir_func_had(m, f) & IR_OPS(INTTOPTR);
	if (cuda)
		changed |= mark_loaded_pointers(cx);
	if (kernel && ir_func_had(m, f) & (IR_OPS(PHI) | IR_OPS(SELECT)))
		changed |= lower_merged_args(cx);
	for (u32 i = f->n_args; i-- > 0;) { /* what is made for one goes in front of what the others have */
		IrRef  arg = ir_func_arg(f, i);
		IrType t = ir_type_of(m, arg), byval = ir_param_byval(m, f, i);
		if (ir_type_is_ptr(m, t) && byval.i) {
			changed |= lower_byval(cx, arg, byval, kernel);
		} else if (cuda && ir_type_is_ptr(m, t) && ptr_space(m, t) == AS_GENERIC && ir_has_uses(m, arg)) {
			mark_global(cx, arg);
			changed = true;
		} else if (casts && ir_type_is_int(m, t)) {
			changed |= mark_cast_integers(cx, arg);
		}
	}
	return changed;
}

const Pass irpass_nvptx_lower_args = {
	.id = "nvptx-lower-args",
	.title = "Lower pointer arguments of CUDA kernels",
	.summary = "Makes kernel pointers global, and reads by-value arguments from .param space or copies them.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.flags = PF_REQUIRED | PF_NVIDIA,
	.run = run,
};
