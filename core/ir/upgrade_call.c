/* upgrade_call.c: what becomes of a call of an older intrinsic.
 *
 *   call void @llvm.nvvm.barrier0()                 →  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
 *   call void @llvm.dbg.value(…)                    →  #dbg_value(…)
 *   call void @llvm.lifetime.start.p0(i64 8, ptr %p) →  call void @llvm.lifetime.start.p0(ptr %p)
 *
 * upgrade.c decides by the declaration which of these applies. Constant in the call, but for the lifetime markers of a function. */
#include "ir/names.h"
#include "ir/signature.h"
#include "ir/upgrade.h"

/* The call `now`, which stands in front of `old`, takes its place, with the debug records before it; other metadata than !dbg goes. */
static void replace_call(IrModule *m, IrRef now, IrRef old)
{
	ir_take_place(m, now, old);
	ir_info(m, now)->records = ir_info(m, old)->records;
	ir_inst(m, now)->sub = ir_inst(m, old)->sub; /* tail */
	ir_info(m, old)->records = 0;
}

/* ---- llvm.dbg.*: calls before LLVM 19 ---- */

static const struct {
	const char *name;
	u32         kind, args;
} dbg_kinds[] = {{"llvm.dbg.value", IRDBG_VALUE, 3},
                 {"llvm.dbg.declare", IRDBG_DECLARE, 3},
                 {"llvm.dbg.assign", IRDBG_ASSIGN, 6},
                 {"llvm.dbg.label", IRDBG_LABEL, 1}};

u32 ir_upgrade_dbg(Str name)
{
	for (u32 i = 0; i < PS_COUNT(dbg_kinds); i++)
		if (str_is(name, dbg_kinds[i].name))
			return i + 1;
	return 0;
}

/* A record in place of the call; it stands before the instruction that follows. */
static void dbg_call(IrModule *m, IrRef call, u32 row)
{
	IrInstInfo *i = ir_info(m, call);
	u32         n = ir_call(m, call)->n_args, kind = dbg_kinds[row - 1].kind;
	IrDbgRec    rec = {.kind = kind, .loc = i->dbg, .origin = i->origin};
	/* llvm.dbg.value(value, i64 offset, variable, expression) before LLVM 6 */
	bool old = kind == IRDBG_VALUE && n == 4;
	u32  says = 0;
	for (u32 k = 0; k < dbg_kinds[row - 1].args; k++) {
		u32 at = old && k ? k + 1 : k;
		if (at >= n || ir_kind(ir_call_arg(m, call, at)) != IR_MD)
			return;
		rec.arg[k] = (IrMd){ir_index(ir_call_arg(m, call, at))};
		bool value = kind != IRDBG_LABEL && (k == 0 || k == 4); /* or an address */
		says |= value || ir_md_is_node(m, rec.arg[k]) ? 1u << k : 0u;
	}
	/* A node in place of a value says that there is none. */
	if (kind != IRDBG_LABEL && says & 1 && ir_md(m, rec.arg[0])->kind == IRMD_NODE && ir_md(m, rec.arg[0])->n)
		rec.arg[0] = ir_md_node(m, NULL, 0, false);
	u64 offset = 0;
	if (old && ir_kind(ir_call_arg(m, call, 1)) == IR_CONST)
		ir_as_int(m, ir_call_arg(m, call, 1), &offset);
	/* Without a place, or with a string or a value for its variable, it says nothing; the offset is not described any more. */
	bool lost = !i->dbg.i || offset || says != (1u << dbg_kinds[row - 1].args) - 1;
	if (!ir_inst(m, call)->next.i || lost) {
		ir_remove(m, call);
		return;
	}
	u32 id = pages_new(&m->dbgrecs);
	*(IrDbgRec *)pages_at(&m->dbgrecs, id) = rec;
	/* Behind the records the call had, before those of the next instruction. */
	u32 *tail = &i->records;
	while (*tail)
		tail = &((IrDbgRec *)pages_at(&m->dbgrecs, *tail))->next;
	*tail = id;
	ir_remove(m, call); /* its records move on to the next instruction */
}

/* ---- rows of upgrades.def ---- */

typedef enum How { HOW_KEEP, HOW_CALL, HOW_NAME, HOW_CAST, HOW_RMW, HOW_LDG, HOW_ABS, HOW_SPLICE, HOW_SHFL, HOW_VOTE } How;

#define KEEP     HOW_KEEP, 0
#define CALL     HOW_CALL, 0
#define NAME     HOW_NAME, 0
#define CAST(op) HOW_CAST, IR_##op
#define RMW(op)  HOW_RMW, IRRMW_##op
#define LDG      HOW_LDG, 0
#define ABS      HOW_ABS, 0
#define SPLICE   HOW_SPLICE, 0
#define SHFL     HOW_SHFL, 0
#define VOTE     HOW_VOTE, 0

static const struct Row {
	const char *names, *signature;
	u8          how, sub;
	const char *to, *args, *named;
} rows[] = {
#define UPGRADE(names, signature, how, to, args, named) {names, signature, how, to, args, named},
#include "ir/upgrades.def"
};

#undef KEEP
#undef CALL
#undef NAME
#undef CAST
#undef RMW
#undef LDG
#undef ABS
#undef SPLICE
#undef SHFL
#undef VOTE

static const char *names_of(u32 row) { return rows[row - 1].names; }

static const IrNameTable table = {names_of, PS_COUNT(rows)};

u32 ir_upgrade_row(const IrModule *m, Str name)
{
	u32 row = ir_names_find(m->upgrade_names, m->arena, &table, name);
	return row && rows[row - 1].how != HOW_KEEP ? row : 0;
}

const char *ir_upgrade_names(u32 row) { return row <= PS_COUNT(rows) ? rows[row - 1].names : NULL; }

const char *ir_upgrade_signature(u32 row) { return rows[row - 1].signature; }

u32 ir_upgrade_constant(u32 row)
{
	u32 how = rows[row - 1].how;
	return how == HOW_SPLICE ? 3 : how == HOW_LDG || how == HOW_SHFL || how == HOW_VOTE ? 2 : 0;
}

/* {i32, i1} shfl.sync.i32(mask, way, x, lane, clamp), {i32, i1} vote.sync(mask, way, x) */
static IrRef by_way(IrBuilder *b, IrRef call, const struct Row *row)
{
	static const char *const shuffles[] = {"idx", "up", "down", "bfly"}, *const votes[] = {"all", "any", "uni", "ballot"};
	IrModule *m = b->m;
	IrType    t = ir_inst(m, call)->type, one = IR_TYPE(I1);
	u64       way;
	u32       n = ir_call(m, call)->n_args;
	IrRef     args[4];
	if (!ir_as_int(m, ir_call_arg(m, call, 1), &way) || way > 3)
		return IR_NO_REF;
	for (u32 i = 0; i + 1 < n; i++)
		args[i] = ir_call_arg(m, call, i ? i + 1 : 0);
	if (row->how == HOW_SHFL)
		return ir_b_intrinsic(b, arena_fmt(m->arena, "%s%s.i32p", row->to, shuffles[way]), t, args, n - 1);
	IrRef r = ir_b_intrinsic(b, arena_fmt(m->arena, "%s%s.sync", row->to, votes[way]), way == 3 ? IR_TYPE(I32) : one, args,
	                         n - 1);
	IrRef s = ir_inst_new(m, IR_INSERTVALUE, t, 2);
	u32   field = way != 3;
	ir_set_op(m, s, 0, ir_const_poison(m, t));
	ir_set_op(m, s, 1, r);
	ir_inst(m, s)->aux = ir_list_new(m, &field, 1);
	return ir_b_insert(b, s);
}

static IrRef absolute(IrBuilder *b, IrRef x)
{
	IrModule *m = b->m;
	IrType    t = ir_type_of(m, x);
	IrRef     minus = ir_b_bin(b, IR_SUB, ir_const_zero(m, t), x, 0);
	IrRef     positive = ir_b_cmp(b, IRP_I_SGE, x, ir_const_zero(m, t));
	ir_set_name(m, minus, STR("neg"));
	ir_set_name(m, positive, STR("abs.cond"));
	return ir_b_select(b, positive, x, minus);
}

static IrRef rmw(IrBuilder *b, u32 op, IrType t, IrRef address, IrRef x)
{
	IrRef   r = ir_inst_new(b->m, IR_ATOMICRMW, t, 2);
	IrInst *i = ir_inst(b->m, r);
	i->sub = (u8)op;
	i->order = IRO_SEQ_CST;
	i->align = ir_align_of(ir_store_size(b->m, t));
	ir_set_op(b->m, r, 0, address);
	ir_set_op(b->m, r, 1, x);
	return ir_b_insert(b, r);
}

/* A load of global memory that nobody writes. */
static IrRef read_only_load(IrBuilder *b, IrRef call)
{
	IrModule *m = b->m;
	IrRef     p = ir_call_arg(m, call, 0);
	IrType    global = ir_ptr_type(m, 1);
	u64       align = 0;
	if (!ir_as_int(m, ir_call_arg(m, call, 1), &align) || !align || (align & (align - 1)) || align > 1u << 31)
		return IR_NO_REF; /* the verifier says what is wrong */
	if (!ir_type_same(ir_type_of(m, p), global))
		p = ir_b_cast(b, IR_ADDRSPACECAST, p, global);
	IrRef v = ir_b_load(b, ir_inst(m, call)->type, p, (u32)align);
	if (!m->nothing.i)
		m->nothing = ir_md_node(m, NULL, 0, false);
	ir_attach(m, v, "invariant.load", m->nothing);
	return v;
}

static IrRef cast_to(IrBuilder *b, IrRef v, IrType t)
{
	u64 bits;
	if (ir_type_same(ir_type_of(b->m, v), t))
		return v;
	if (ir_type_is_fp(b->m, t) && ir_as_int(b->m, v, &bits))
		return ir_const_fp(b->m, t, bits);
	return ir_b_cast(b, ir_type_is_ptr(b->m, t) ? IR_ADDRSPACECAST : IR_BITCAST, v, t);
}

/* The next argument of a row; `meant`: the function's type in its signature, which has a bfloat where the call may have its bits. */
static IrRef argument(IrBuilder *b, IrRef call, IrType meant, const char **at)
{
	IrModule *m = b->m;
	bool      wide = **at == '+';
	IrRef     v;
	u64       bits = 0;
	*at += wide;
	if (**at >= 'a' && **at <= 'z') {
		u32 k = (u32)(*(*at)++ - 'a');
		v = ir_call_arg(m, call, k);
		if (meant.i && ir_type_is_fp(m, ir_scalar_type(m, ir_func_param(m, meant, k))))
			v = cast_to(b, v, ir_func_param(m, meant, k));
	} else if (**at == '!') {
		++*at;
		v = ir_const_int(m, IR_TYPE(I1), 0);
	} else {
		while (**at >= '0' && **at <= '9')
			bits = bits * 10 + (u64)(*(*at)++ - '0');
		v = ir_const_int(m, IR_TYPE(I32), bits);
	}
	bool known = ir_as_int(m, v, &bits);
	if (wide)
		v = known ? ir_const_int(m, IR_TYPE(I64), bits) : ir_b_cast(b, IR_ZEXT, v, IR_TYPE(I64));
	if (**at == '?') {
		++*at;
		v = known ? ir_const_int(m, IR_TYPE(I1), bits != 0)
		          : ir_b_cmp(b, IRP_I_NE, v, ir_const_zero(m, ir_type_of(m, v)));
	}
	return v;
}

/* The name with the suffix of the types that it is called with: the older name may have had another. */
static Str with_suffix_of(IrModule *m, Str name, u32 row, IrType ret, const IrRef *args, u32 n)
{
	IrType           over[IR_MAX_OVERLOADS] = {0}, params[8];
	IrSignatureError e;
	for (u32 i = 0; i < n; i++)
		params[i] = ir_type_of(m, args[i]);
	IrType t = ir_func_type(m, ret, params, n, false);
	if (!ir_signature_fits(m, ir_intrinsic_signature(row), t, over, &e) || !over[0].i)
		return name;
	return ir_mangled(m, (Str){name.p, name.n - ir_intrinsic_suffix(name, row).n}, over);
}

/* The index of a splice was below zero where it counts from the first vector's end. */
static IrRef splice(IrBuilder *b, IrRef call, const struct Row *row)
{
	IrModule *m = b->m;
	IrType    t = ir_inst(m, call)->type;
	IrRef     args[3] = {ir_call_arg(m, call, 0), ir_call_arg(m, call, 1), IR_NO_REF};
	i64       at;
	if (!ir_as_sint(m, ir_call_arg(m, call, 2), &at))
		return IR_NO_REF;
	args[2] = ir_const_int(m, IR_TYPE(I32), (u32)(at < 0 ? -at : at));
	Str name = arena_fmt(m->arena, "%s%s", row->to, at < 0 ? "right" : "left");
	return ir_b_intrinsic(b, with_suffix_of(m, name, ir_intrinsic_of_name(m, name), t, args, 3), t, args, 3);
}

static IrRef call_of_row(IrBuilder *b, IrRef call, const struct Row *row)
{
	IrModule *m = b->m;
	IrRef     args[8];
	u32       n = 0, stem = (u32)strlen(row->to);
	IrType    over[IR_MAX_OVERLOADS] = {0}, meant = ir_signature_type(m, row->signature, over);
	IrType    t = meant.i ? ir_func_ret(m, meant) : ir_inst(m, call)->type;
	Str       name = {row->to, stem}, old = ir_str(m, ir_global(m, ir_callee(m, call))->name);
	for (const char *at = row->args; *at && n < PS_COUNT(args);)
		args[n++] = argument(b, call, meant, &at);
	if (row->to[stem - 1] == '*') {
		u32 suffix = (u32)strlen(row->names) - 1;
		name = arena_fmt(m->arena, "%.*s%.*s", (int)stem - 1, row->to, (int)(old.n - suffix), old.p + suffix);
	}
	/* What an earlier call has declared knows its row; to find one by its name takes thousands of comparisons. */
	IrRef declared = ir_find_global(m, name);
	u32   known = declared.i ? ir_intrinsic_of(m, declared) : ir_intrinsic_of_name(m, name);
	if (known) {
		IrType plain = ir_intrinsic_type(m, known);
		if (plain.i)
			t = ir_func_ret(m, plain);
		else if (ir_type_is_int(m, t) && n) /* ctlz.i64 of an i64: overloaded results are of the type of argument 0 */
			t = ir_type_of(m, args[0]);
	}
	if (known && !declared.i)
		name = with_suffix_of(m, name, known, t, args, n);
	return ir_b_intrinsic(b, name, t, args, n);
}

static IrRef value_of_row(IrBuilder *b, IrRef call, const struct Row *row)
{
	IrModule *m = b->m;
	IrType    t = ir_inst(m, call)->type;
	switch ((How)row->how) {
	case HOW_KEEP: break;
	case HOW_SHFL:
	case HOW_VOTE: return by_way(b, call, row);
	case HOW_ABS: return absolute(b, ir_call_arg(m, call, 0));
	case HOW_RMW: return rmw(b, row->sub, t, ir_call_arg(m, call, 0), ir_call_arg(m, call, 1));
	case HOW_SPLICE: return splice(b, call, row);
	case HOW_LDG: return read_only_load(b, call);
	case HOW_CALL:
	case HOW_NAME: return call_of_row(b, call, row);
	case HOW_CAST: {
		IrRef x = ir_call_arg(m, call, 0);
		return ir_type_same(ir_type_of(m, x), t) ? x : ir_b_cast(b, (IrOp)row->sub, x, t);
	}
	}
	return IR_NO_REF;
}

/* The name that the row gives to a new value. */
static void name_as(IrModule *m, IrRef v, IrRef call, const char *named, const char *more)
{
	if (ir_kind(v) != IR_INST)
		return;
	if (*named && *named != '=') {
		ir_set_name(m, v, *more ? arena_fmt(m->arena, "%s%s", named, more) : str_of(named));
	} else if (!*named && ir_kind(call) == IR_INST) {
		IrInstInfo *i = ir_info(m, call);
		i->name = (StrId){0};
		i->state &= (u16)~IRS_NAME_NUMBERED;
	}
}

static void row_call(IrModule *m, IrRef call, u32 number)
{
	const struct Row *row = &rows[number - 1];
	IrBuilder         b = ir_build_before(m, call);
	IrType            t = ir_inst(m, call)->type;
	IrRef             v = value_of_row(&b, call, row);
	if (!v.i)
		return;
	if (row->how == HOW_NAME && ir_type_same(ir_call(m, v)->type, ir_call(m, call)->type)) {
		ir_set_op(m, call, 0, ir_callee(m, v));
		ir_remove(m, v);
		return;
	}
	bool        is_new = row->how != HOW_CAST || !ir_same(v, ir_call_arg(m, call, 0)); /* a cast to the same type is none */
	const char *more = "";
	if (!ir_type_same(ir_type_of(m, v), t)) {
		bool narrows = ir_size_bits(m, ir_type_of(m, v)) > ir_size_bits(m, t);
		name_as(m, v, IR_NO_REF, row->named, "");
		if (ir_type_is_int(m, ir_type_of(m, v)))
			v = ir_b_cast(&b, narrows ? IR_TRUNC : IR_ZEXT, v, t);
		else
			v = cast_to(&b, v, t);
		more = narrows ? ".trunc" : ".zext";
	}
	if (is_new) {
		name_as(m, v, call, row->named, more);
		ir_take_place(m, v, call);
	}
	ir_replace_all_uses(m, call, v);
	ir_remove(m, call);
}

/* ---- types that changed: bf16 on i16 and i32 before LLVM 18, clusters' shared memory in address space 3 before LLVM 22 ---- */

/* A pointer to shared memory where one to that of a cluster is meant. */
static bool widens_space(const IrModule *m, IrType was, IrType now)
{
	return ir_type_is_ptr(m, was) && ir_type_is_ptr(m, now) && ir_type(m, was)->bits == 3 && ir_type(m, now)->bits == 7;
}

bool ir_upgrade_retypes(IrModule *m, IrType was, IrType now, bool bits)
{
	u32 n = ir_func_params(m, was), more = ir_func_params(m, now);
	if (n > more || (bits && n != more) || ir_type(m, was)->vararg)
		return false;
	bool spaces = false;
	for (u32 i = 0; i <= n; i++) {
		IrType a = ir_type_elem(m, was, i), b = ir_type_elem(m, now, i);
		if (ir_type_same(a, b))
			continue;
		if (widens_space(m, a, b))
			spaces = true;
		else if (!bits || !ir_type_is_sized(m, a) || !ir_type_is_sized(m, b) || !ir_size_is_same(m, a, b) ||
		         ir_type_is_ptr(m, a) || ir_type_is_ptr(m, b))
			return false;
	}
	for (u32 i = n; i < more; i++)
		if (!ir_type_is_int(m, ir_func_param(m, now, i)))
			return false;
	return bits || spaces;
}

static void retyped_call(IrModule *m, IrRef call, IrRef now)
{
	IrType    type = ir_global(m, now)->type;
	IrBuilder b = ir_build_before(m, call);
	IrRef     args[16];
	u32       n = ir_func_params(m, type), had = ir_call(m, call)->n_args;
	for (u32 i = 0; i < n; i++)
		args[i] = i < had ? cast_to(&b, ir_call_arg(m, call, i), ir_func_param(m, type, i))
		                  : ir_const_zero(m, ir_func_param(m, type, i));
	IrRef r = ir_b_call(&b, type, now, args, n);
	if (ir_type_is_ptr(m, ir_func_ret(m, type)))
		ir_take_place(m, r, call);
	else
		name_as(m, r, call, "", "");
	IrRef v = ir_inst(m, call)->type.i == IR_TY_VOID ? r : cast_to(&b, r, ir_inst(m, call)->type);
	ir_take_place(m, v, call);
	ir_replace_all_uses(m, call, v);
	ir_remove(m, call);
}

/* The parts of the result are put together again as a struct with a name. */
static void named_call(IrModule *m, IrRef call, IrRef now)
{
	IrBuilder b = ir_build_before(m, call);
	IrType    t = ir_inst(m, call)->type;
	u32       n = ir_call(m, call)->n_args;
	IrRef    *args = arena_array(m->arena, IrRef, n + 1), whole = ir_const_poison(m, t);
	for (u32 i = 0; i < n; i++)
		args[i] = ir_call_arg(m, call, i);
	IrRef r = ir_b_call(&b, ir_global(m, now)->type, now, args, n);
	for (u32 i = 0; i < ir_type_count(m, t); i++)
		whole = ir_b_insert_value(&b, whole, ir_b_extract_value(&b, r, i), i);
	ir_replace_all_uses(m, call, whole);
	ir_remove(m, call);
}

/* ---- llvm.lifetime.start(i64, ptr): before LLVM 22 ---- */

/* A lifetime is that of a whole slot: the size goes. A marker of another pointer goes, too, and its function gets into `lost`, because
 * nobody knows which slot it was about. */
static void lifetime_call(IrModule *m, IrRef call, bool start, VecU32 *lost)
{
	IrRef     slot = ir_alloca_of(m, ir_call_arg(m, call, 1));
	IrBuilder b = ir_build_before(m, call);
	if (slot.i) {
		u32 space = ir_type(m, ir_type_of(m, slot))->bits;
		Str now = arena_fmt(m->arena, "llvm.lifetime.%s.p%u", start ? "start" : "end", space);
		replace_call(m, ir_b_intrinsic(&b, now, IR_TYPE(VOID), &slot, 1), call);
	} else if (!ir_is_const(m, ir_call_arg(m, call, 1))) {
		vec_push(m->arena, lost, ir_block(m, ir_inst(m, call)->block)->func.i);
	}
	ir_remove(m, call);
}

/* ---- parameters that were added or removed ---- */

/* Names, and for each parameter its number in the older version as a digit, 'f' for a new parameter that is false, 'n' for one
 * that is null of the type of parameter 1, 't' for one that is the token none. */
static const struct {
	const char *name, *params;
	u8          then;  /* how many there were */
	u8          align; /* the parameter that became the attribute `align` of the address, + 1; 0: none */
} reparams[] = {
	{"llvm.ctlz.", "0f", 1, 0},
	{"llvm.cttz.", "0f", 1, 0},
	{"llvm.memcpy.", "0124", 5, 4}, /* since LLVM 7 */
	{"llvm.memmove.", "0124", 5, 4},
	{"llvm.memset.", "0124", 5, 4},
	{"llvm.masked.load.", "023", 4, 2}, /* since LLVM 22 */
	{"llvm.masked.store.", "013", 4, 3},
	{"llvm.masked.gather.", "023", 4, 2},
	{"llvm.masked.scatter.", "013", 4, 3},
	{"llvm.ptr.annotation.", "0123n", 4, 0},
	{"llvm.var.annotation", "0123n", 4, 0},
	{"llvm.coro.end", "01t", 2, 0},
	{"llvm.objectsize.", "01ff", 2, 0},
	{"llvm.objectsize.", "012f", 3, 0},
};

/* A name that ends in a point has a suffix. */
static bool is_named(Str name, const char *row)
{
	return row[strlen(row) - 1] == '.' ? str_starts(name, row) : str_is(name, row);
}

u32 ir_upgrade_params(const IrModule *m, const IrFunc *f)
{
	Str    name = ir_str(m, ir_global(m, f->ref)->name);
	IrType t = ir_global(m, f->ref)->type;
	for (u32 i = 0; i < PS_COUNT(reparams); i++)
		if (ir_func_params(m, t) == reparams[i].then && is_named(name, reparams[i].name) &&
		    (!reparams[i].align || ir_func_param(m, t, reparams[i].align - 1u).i == IR_TY_I32))
			return i + 1;
	return 0;
}

IrType ir_upgrade_params_type(IrModule *m, u32 row, IrType was)
{
	const char *how = reparams[row - 1].params;
	IrType      types[5];
	u32         n = (u32)strlen(how);
	for (u32 i = 0; i < n; i++)
		types[i] = how[i] == 'f'   ? IR_TYPE(I1)
		           : how[i] == 't' ? IR_TYPE(TOKEN)
		                           : ir_func_param(m, was, how[i] == 'n' ? 1 : (u32)(how[i] - '0'));
	return ir_func_type(m, ir_func_ret(m, was), types, n, false);
}

/* The alignment that the older call's argument `at` states; 0: none. */
static u64 stated_alignment(IrModule *m, IrRef call, u32 at)
{
	u64    bytes = 0;
	IrType t = ir_inst(m, call)->type.i == IR_TY_VOID ? ir_type_of(m, ir_call_arg(m, call, 0)) : ir_inst(m, call)->type;
	bool   masked = ir_type_is_vector(m, t),
	     lanes = masked && ir_type_is_vector(m, ir_type_of(m, ir_call_arg(m, call, at - 1)));
	ir_as_int(m, ir_call_arg(m, call, at), &bytes);
	if (!masked)
		return bytes;
	return bytes ? bytes : ir_abi_align(m, lanes ? ir_scalar_type(m, t) : t);
}

/* Those of the older call, of which `how` has the parameters. */
static void keep_attributes(IrModule *m, IrRef now, IrRef old, const char *how)
{
	u32     sets[5], n = (u32)strlen(how), any = 0;
	IrCall *c = ir_call(m, now), *was = ir_call(m, old);
	for (u32 i = 0; i < n; i++)
		any |= sets[i] = ir_call_param_attrs(m, old, (u32)(how[i] - '0')).i;
	c->fn = was->fn;
	c->ret = was->ret;
	c->params = any ? ir_list_new(m, sets, n) : 0;
}

static void reparam_call(IrModule *m, IrRef call, u32 row, IrRef now)
{
	const char *how = reparams[row - 1].params;
	u32         at = reparams[row - 1].align, n = (u32)strlen(how);
	IrType      type = ir_global(m, now)->type;
	IrBuilder   b = ir_build_before(m, call);
	IrRef       args[5];
	for (u32 i = 0; i < n; i++)
		args[i] = how[i] > '9' ? ir_const_zero(m, ir_func_param(m, type, i)) : ir_call_arg(m, call, (u32)(how[i] - '0'));
	IrRef r = ir_b_call(&b, type, now, args, n);
	if (reparams[row - 1].then == 5) /* of memory: attributes stay */
		keep_attributes(m, r, call, how);
	u64 align = at ? stated_alignment(m, call, at - 1) : 0;
	if (align && reparams[row - 1].then == 5)
		ir_call_align_pointers(m, r, align);
	else if (align) /* the address stands in front of its alignment */
		ir_call_align_argument(m, r, at - 2, align);
	replace_call(m, r, call);
	if (at && reparams[row - 1].then != 5) /* LLVM keeps `tail` and metadata of masked accesses alone */
		ir_info(m, r)->md = ir_info(m, call)->md;
	else
		ir_inst(m, r)->sub = IRTAIL_NONE;
	ir_replace_all_uses(m, call, r);
	ir_remove(m, call);
}

/* ---- all of them ---- */

void ir_upgrade_call(IrModule *m, const IrOutdated *o, IrRef call, VecU32 *lost)
{
	bool marker = o->kind == UPK_LIFETIME && ir_call(m, call)->n_args == 2; /* of a pointer to any space */
	if (!marker && !ir_type_same(ir_call(m, call)->type, ir_global(m, o->func)->type))
		return; /* the verifier reports it */
	switch ((UpgradeKind)o->kind) {
	case UPK_NONE: break;
	case UPK_ROW: row_call(m, call, o->row); break;
	case UPK_DBG: dbg_call(m, call, o->row); break;
	case UPK_MERGED: ir_set_op(m, call, 0, o->now); break;
	case UPK_RETYPED: retyped_call(m, call, o->now); break;
	case UPK_REPARAM: reparam_call(m, call, o->row, o->now); break;
	case UPK_LIFETIME: lifetime_call(m, call, o->row != 0, lost); break;
	case UPK_NAMED: named_call(m, call, o->now); break;
	}
}
