/* print_older.c: what older versions of LLVM write otherwise, for the printer (-ir-version). In memory IR has the form of LLVM 22. What
 * an older version cannot say is left out where that only drops a promise. Constant time for each thing that is printed. */
#include "ir/print.h"
#include "isa/isa.h"

/* ---- attributes ---- */

static const u8 since[IRA_COUNT] = {
#define IR_ATTR(id, text, form, places, since, code) [IRA_##id] = since,
#include "ir/attrs.def"
};

/* The access of memory by a version that has fewer locations: it is part of `other` there. */
static u64 older_memory(u64 bits, u32 version)
{
	u64 gone = version < 21   ? 3 << IRM_ERRNO | 3 << IRM_TARGET0 | 3 << IRM_TARGET1
	           : version < 22 ? 3 << IRM_TARGET0 | 3 << IRM_TARGET1
	                          : 0;
	for (u32 shift = 0; shift < 12; shift += 2)
		if (gone >> shift & 3)
			bits |= (bits >> shift & 3) << IRM_OTHER;
	u64 other = bits >> IRM_OTHER & 3;
	return (bits & ~gone) | (other * IRM_EACH & gone);
}

/* Changes the attribute; false: it is left out. */
static bool older_attr(const IrModule *m, u32 version, IrAttr *a)
{
	if (version < 21 && ir_attr_is_captures_none(m, a))
		*a = (IrAttr){.kind = IRA_NOCAPTURE};
	if (a->kind == IRA_MEMORY)
		a->a = older_memory(a->a, version);
	return since[a->kind] <= version;
}

IrAttrs irw_older_attrs(IrModule *m, IrAttrs set)
{
	u32     n = ir_attrs_count(m, set), kept = 0, version = irw_version(m);
	bool    changed = false;
	IrAttr  few[24];
	IrAttr *all = n <= PS_COUNT(few) ? few : arena_array(m->arena, IrAttr, n);
	for (u32 i = 0; i < n; i++) {
		const IrAttr *was = ir_attrs_at(m, set, i);
		all[kept] = *was;
		bool stays = older_attr(m, version, &all[kept]);
		changed |= !stays || all[kept].kind != was->kind || all[kept].a != was->a;
		kept += stays;
	}
	return changed ? ir_attrs_make(m, all, kept) : set;
}

/* Before LLVM 21, metadata said how the result of a function is aligned; it is left out. */
IrAttrs irw_older_result(IrModule *m, IrAttrs set)
{
	return irw_version(m) < 21 && ir_attrs_has(m, set, IRA_ALIGNSTACK) ? ir_attrs_without(m, set, IRA_ALIGNSTACK) : set;
}

/* ---- flags ---- */

u32 irw_older_flags(const IrModule *m, u32 op, u32 flags)
{
	u32 version = irw_version(m);
	if (version < 20)
		flags &= ~(u32)IRF_SAMESIGN;
	if (ir_op_is_cast(op) && version < 20)
		flags &= ~(u32)IRF_FAST;
	return flags;
}

/* The shared memory of a cluster is that of a block for versions that have one space for both. */
u32 irw_space(const IrModule *m, u32 space) { return space == AS_CLUSTER && irw_version(m) < 22 ? AS_SHARED : space; }

/* A pointer is an address alone in all its spaces here, so ptrtoint of LLVM 21 gives the same as ptrtoaddr. A cast from a space
 * to itself is a bitcast. */
const char *irw_cast_name(const IrModule *m, u32 op, IrType from, IrType to)
{
	if (irw_version(m) < 22 && op == IR_PTRTOADDR)
		op = IR_PTRTOINT;
	else if (irw_version(m) < 22 && op == IR_ADDRSPACECAST &&
	         irw_space(m, ir_type(m, ir_scalar_type(m, from))->bits) == irw_space(m, ir_type(m, ir_scalar_type(m, to))->bits))
		op = IR_BITCAST;
	return ir_op_info[op].name;
}

/* ---- intrinsics ---- */

static const IrwOlderCall calls[] = {
	{"llvm.lifetime.start", NULL, 22, 0, {IR_TY_I64}},
	{"llvm.lifetime.end", NULL, 22, 0, {IR_TY_I64}},
	{"llvm.masked.load", NULL, 22, 1, {IR_TY_I32}},
	{"llvm.masked.store", NULL, 22, 2, {IR_TY_I32}},
	{"llvm.masked.gather", NULL, 22, 1, {IR_TY_I32}},
	{"llvm.masked.scatter", NULL, 22, 2, {IR_TY_I32}},
	{"llvm.vector.splice.left", "llvm.vector.splice", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.vector.splice.right", "llvm.vector.splice", 22, IRW_NEGATED, {0}},
	{"llvm.stepvector", "llvm.experimental.stepvector", 20, IRW_NO_ARGUMENT, {0}},
	{"llvm.minimumnum", "llvm.minnum", 20, IRW_NO_ARGUMENT, {0}},
	{"llvm.maximumnum", "llvm.maxnum", 20, IRW_NO_ARGUMENT, {0}},
	{"llvm.thread.pointer.p0", "llvm.thread.pointer", 21, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier.n", 21, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.barrier.cta.sync.aligned.count", "llvm.nvvm.barrier", 21, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.barrier.cta.sync.all", "llvm.nvvm.barrier.sync", 21, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.barrier.cta.sync.count", "llvm.nvvm.barrier.sync.cnt", 21, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.fabs.f32", "llvm.nvvm.fabs.f", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.ex2.approx.f32", "llvm.nvvm.ex2.approx.f", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.fabs.ftz.f32", "llvm.nvvm.fabs.ftz.f", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.ex2.approx.ftz.f32", "llvm.nvvm.ex2.approx.ftz.f", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.fabs.f64", "llvm.nvvm.fabs.d", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.ex2.approx.f64", "llvm.nvvm.ex2.approx.d", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.fabs.bf16", "llvm.nvvm.abs.bf16", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.fabs.v2bf16", "llvm.nvvm.abs.bf16x2", 22, IRW_NO_ARGUMENT, {0}},
	{"llvm.nvvm.ex2.approx.v2f16", "llvm.nvvm.ex2.approx.f16x2", 22, IRW_NO_ARGUMENT, {0}},
};

const IrwOlderCall *irw_older_call(const IrModule *m, IrRef callee)
{
	u32 version = irw_version(m);
	if (version >= 22 || ir_kind(callee) != IR_GLOBAL || !ir_intrinsic_of(m, callee))
		return NULL;
	Str name = ir_str(m, ir_global(m, callee)->name);
	for (u32 i = 0; i < PS_COUNT(calls); i++) {
		u32 n = (u32)strlen(calls[i].name);
		if (version < calls[i].since && str_starts(name, calls[i].name) && (name.n == n || name.p[n] == '.'))
			return &calls[i];
	}
	return NULL;
}

static Str older_name(const IrModule *m, IrRef callee, const IrwOlderCall *o)
{
	Str name = ir_str(m, ir_global(m, callee)->name);
	u32 n = (u32)strlen(o->name);
	return o->older ? arena_fmt(m->arena, "%s%.*s", o->older, (int)(name.n - n), name.p + n) : name;
}

/* Rows may share their older name: the first one that is declared declares it. */
bool irw_older_is_declared(const IrModule *m, IrRef callee)
{
	const IrwOlderCall *o = irw_older_call(m, callee);
	if (!o || !o->older)
		return false;
	Str  name = ir_str(m, ir_global(m, callee)->name);
	u32  n = (u32)strlen(o->name);
	bool is = ir_find_global(m, older_name(m, callee, o)).i;
	for (const IrwOlderCall *c = calls; c < o && !is; c++)
		is = c->older && !strcmp(c->older, o->older) &&
		     ir_find_global(m, arena_fmt(m->arena, "%s%.*s", c->name, (int)(name.n - n), name.p + n)).i;
	return is;
}

void irw_older_name(Printer *pr, IrRef callee, const IrwOlderCall *o) { irw_name(pr, '@', older_name(pr->m, callee, o)); }

/* The size of a slot, or the alignment that the pointer has as an attribute now. */
void irw_older_argument(Printer *pr, IrRef call, const IrwOlderCall *o)
{
	IrModule *m = pr->m;
	irw_type(pr, o->type);
	if (o->type.i == IR_TY_I64) {
		IrRef slot = ir_call_arg(m, call, 0);
		bool  known = ir_kind(slot) == IR_INST && ir_inst(m, slot)->op == IR_ALLOCA &&
		             ir_type_is_sized(m, ir_inst(m, slot)->elem) && !ir_type_is_scalable(m, ir_inst(m, slot)->elem);
		text_f(pr->out, " %lld", known ? (long long)ir_alloc_size(m, ir_inst(m, slot)->elem) : -1);
	} else {
		const IrAttr *a = ir_call_param_attr(m, call, o->at - 1u, IRA_ALIGN);
		text_f(pr->out, " %u", a ? (u32)a->a : 1);
	}
}
