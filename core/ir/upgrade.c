/* upgrade.c: upgrades the IR of older LLVM versions to that of LLVM 22.
 *
 *   intrinsics that were renamed, had other parameters, or became instructions
 *   llvm.dbg.* calls → debug records
 *   declarations of intrinsics get the attributes of their rows
 *   rows of !nvvm.annotations about functions → attributes (upgrade_notes.c)
 *
 * Typed pointers, memory attributes and operand spellings are upgraded by the parser. Linear in declarations and in the
 * uses of those that change. */
#include "ir/builder.h"
#include "ir/internal.h"
#include "ir/intrinsic.h"
#include "ir/signature.h"

/* ---- llvm.dbg.*: calls before LLVM 19 ---- */

static bool dbg_kind(Str name, u32 *kind, u32 *args)
{
	static const struct {
		const char *name;
		u32         kind, args;
	} kinds[] = {{"llvm.dbg.value", IRDBG_VALUE, 3},
	             {"llvm.dbg.declare", IRDBG_DECLARE, 3},
	             {"llvm.dbg.assign", IRDBG_ASSIGN, 6},
	             {"llvm.dbg.label", IRDBG_LABEL, 1}};
	for (u32 i = 0; i < PS_COUNT(kinds); i++)
		if (str_is(name, kinds[i].name)) {
			*kind = kinds[i].kind;
			*args = kinds[i].args;
			return true;
		}
	return false;
}

/* A record in place of the call; it stands before the instruction that follows. */
static void dbg_call(IrModule *m, IrRef call, u32 kind, u32 args)
{
	IrInstInfo *i = ir_info(m, call);
	u32         n = ir_call(m, call)->n_args;
	IrDbgRec    rec = {.kind = kind, .loc = i->dbg, .origin = i->origin};
	/* llvm.dbg.value(value, i64 offset, variable, expression) before LLVM 6 */
	bool old = kind == IRDBG_VALUE && n == 4;
	for (u32 k = 0; k < args; k++) {
		u32 at = old && k ? k + 1 : k;
		if (at >= n || ir_kind(ir_call_arg(m, call, at)) != IR_MD)
			return;
		rec.arg[k] = (IrMd){ir_index(ir_call_arg(m, call, at))};
	}
	if (!ir_inst(m, call)->next.i || !i->dbg.i) { /* without a place it says nothing */
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

/* ---- intrinsics that became something else ---- */

typedef enum UpgradeKind { UP_RENAME, UP_ABS, UP_SELECT, UP_CTLZ, UP_H2F, UP_FADD, UP_PREFIX, UP_SHFL, UP_VOTE } UpgradeKind;

static const struct {
	const char *name, *to;
	u8          kind, sub;
} upgrades[] = {
#define UPGRADE(name, kind, to, how) {name, to, UP_##kind, how},
#include "ir/upgrades.def"
};

/* The row + 1 of a name that intrinsics.def does not have; 0: none. */
static u32 find_upgrade(Str name)
{
	if (!str_starts(name, "llvm."))
		return 0;
	for (u32 i = 0; i < PS_COUNT(upgrades); i++) {
		u32 n = (u32)strlen(upgrades[i].name);
		if (name.n >= n && memcmp(name.p, upgrades[i].name, n) == 0 &&
		    (name.n == n || ((upgrades[i].kind == UP_FADD || upgrades[i].kind == UP_PREFIX) && name.p[n] == '.')))
			return i + 1;
	}
	return 0;
}

/* {i32, i1} shfl.sync.i32(mask, way, x, lane, clamp), {i32, i1} vote.sync(mask, way, x): NVVM IR of libNVVM, Numba. */
static IrRef by_way(IrBuilder *b, IrRef call, u32 kind, const char *to)
{
	static const char *const shuffles[] = {"idx", "up", "down", "bfly"}, *const votes[] = {"all", "any", "uni", "ballot"};
	IrModule *m = b->m;
	IrType    t = ir_inst(m, call)->type, one = IR_TYPE(I1);
	u64       way;
	u32       n = ir_call(m, call)->n_args;
	IrRef     args[4];
	if (n != (kind == UP_SHFL ? 5 : 3) || !ir_as_int(m, ir_call_arg(m, call, 1), &way) || way > 3 ||
	    ir_type_kind(m, t) != IRT_STRUCT)
		return IR_NO_REF;
	for (u32 i = 0; i + 1 < n; i++)
		args[i] = ir_call_arg(m, call, i ? i + 1 : 0);
	if (kind == UP_SHFL)
		return ir_b_intrinsic(b, arena_fmt(m->arena, "%s%s.i32p", to, shuffles[way]), t, args, n - 1);
	IrRef r = ir_b_intrinsic(b, arena_fmt(m->arena, "%s%s.sync", to, votes[way]), way == 3 ? IR_TYPE(I32) : one, args, n - 1);
	IrRef s = ir_inst_new(m, IR_INSERTVALUE, t, 2);
	u32   field = way != 3;
	ir_set_op(m, s, 0, ir_const_poison(m, t));
	ir_set_op(m, s, 1, r);
	ir_inst(m, s)->aux = ir_list_new(m, &field, 1);
	return ir_type_same(ir_type_elem(m, t, field), ir_type_of(m, r)) ? ir_b_insert(b, s) : IR_NO_REF;
}

static IrRef upgraded_value(IrModule *m, IrRef call, u32 row)
{
	IrBuilder   b = ir_build_before(m, call);
	IrType      t = ir_inst(m, call)->type;
	u32         n = ir_call(m, call)->n_args;
	IrRef       x = n ? ir_call_arg(m, call, 0) : IR_NO_REF, y = n > 1 ? ir_call_arg(m, call, 1) : IR_NO_REF;
	u32         want = upgrades[row].kind == UP_SELECT || upgrades[row].kind == UP_FADD ? 2 : 1;
	const char *to = upgrades[row].to;
	switch ((UpgradeKind)upgrades[row].kind) {
	case UP_SHFL:
	case UP_VOTE: return by_way(&b, call, upgrades[row].kind, to);
	case UP_PREFIX:
	case UP_RENAME: {
		Str   name = ir_str(m, ir_global(m, ir_callee(m, call))->name);
		u32   old = upgrades[row].kind == UP_PREFIX ? (u32)strlen(upgrades[row].name) : name.n;
		IrRef args[4];
		for (u32 i = 0; i < n && i < PS_COUNT(args); i++)
			args[i] = ir_call_arg(m, call, i);
		bool of_x =
			n && upgrades[row].kind == UP_RENAME && t.i != IR_TY_VOID; /* popc.ll returned i32, ctpop.i64 does not */
		name = arena_fmt(m->arena, "%s%.*s", to, (int)(name.n - old), name.p + old);
		return n <= PS_COUNT(args) ? ir_b_intrinsic(&b, name, of_x ? ir_type_of(m, x) : t, args, n) : IR_NO_REF;
	}
	default: break;
	}
	if (n != want)
		return IR_NO_REF;
	switch ((UpgradeKind)upgrades[row].kind) {
	case UP_ABS: {
		IrRef minus = ir_b_bin(&b, IR_SUB, ir_const_zero(m, t), x, 0);
		IrRef positive = ir_b_cmp(&b, IRP_I_SGE, x, ir_const_zero(m, t));
		return ir_b_select(&b, positive, x, minus);
	}
	case UP_SELECT: return ir_b_select(&b, ir_b_cmp(&b, (IrPred)upgrades[row].sub, x, y), x, y);
	case UP_CTLZ: {
		IrRef args[2] = {x, ir_const_int(m, IR_TYPE(I1), 0)};
		IrRef r = ir_b_intrinsic(&b, str_of(upgrades[row].to), ir_type_of(m, x), args, 2);
		return ir_type_same(ir_type_of(m, r), t) ? r : ir_b_cast(&b, IR_TRUNC, r, t);
	}
	case UP_H2F: return ir_b_cast(&b, IR_FPEXT, ir_b_cast(&b, IR_BITCAST, x, IR_TYPE(HALF)), t);
	case UP_FADD: {
		IrRef   r = ir_inst_new(m, IR_ATOMICRMW, t, 2);
		IrInst *i = ir_inst(m, r);
		i->sub = IRRMW_FADD;
		i->order = IRO_SEQ_CST;
		i->align = ir_align_of(ir_store_size(m, t));
		ir_set_op(m, r, 0, x);
		ir_set_op(m, r, 1, y);
		return ir_b_insert(&b, r);
	}
	default: return IR_NO_REF;
	}
}

static void upgrade_call(IrModule *m, IrRef call, u32 row)
{
	IrRef  v = upgraded_value(m, call, row);
	IrType t = ir_inst(m, call)->type;
	if (!v.i)
		return;
	if (!ir_type_same(ir_type_of(m, v), t) && ir_type_is_int(m, t)) { /* popc.ll and clz.ll return i32 */
		IrBuilder b = ir_build_before(m, call);
		v = ir_b_cast(&b, ir_size_bits(m, ir_type_of(m, v)) > ir_size_bits(m, t) ? IR_TRUNC : IR_ZEXT, v, t);
	}
	ir_take_place(m, v, call);
	ir_replace_all_uses(m, call, v);
	ir_remove(m, call);
}

/* ---- declarations of another type ---- */

/* A declaration of the same intrinsic with the type `now`; the old one gives up its name. */
static IrFunc *redeclare(IrModule *m, IrFunc *old, IrType now)
{
	IrGlobal *g = ir_global(m, old->ref);
	Str       name = ir_str(m, g->name);
	u32       origin = g->origin;
	ir_set_name(m, old->ref, arena_fmt(m->arena, "%.*s.old", STR_ARG(name)));
	IrFunc *f = ir_func_new(m, name, now, IRL_EXTERNAL);
	ir_global(m, f->ref)->origin = origin;
	ir_intrinsic_set_attrs(m, f);
	return f;
}

/* The first user of `f` if it is a call of `f`, else none. */
static IrRef first_call(const IrModule *m, const IrFunc *f)
{
	u32   u = ir_first_use(m, f->ref);
	IrRef user = u ? ir_use(m, u)->user : IR_NO_REF;
	bool  calls = ir_kind(user) == IR_INST && ir_inst(m, user)->op == IR_CALL && ir_same(ir_callee(m, user), f->ref);
	return calls ? user : IR_NO_REF;
}

/* ---- bf16 intrinsics on i16 and i32: before LLVM 18 ---- */

static IrRef cast_bits(IrBuilder *b, IrRef v, IrType t)
{
	return ir_type_same(ir_type_of(b->m, v), t) ? v : ir_b_cast(b, IR_BITCAST, v, t);
}

/* Calls of the old declaration become calls of one with the types of the row, between bitcasts. */
static void retype(IrModule *m, IrFunc *old, IrType now)
{
	IrGlobal *g = ir_global(m, old->ref);
	IrType    was = g->type;
	u32       n = ir_func_params(m, now);
	if (ir_func_params(m, was) != n)
		return;
	for (u32 i = 0; i <= n; i++)
		if (ir_size_bits(m, ir_type_elem(m, was, i)) != ir_size_bits(m, ir_type_elem(m, now, i)))
			return;
	IrFunc *f = redeclare(m, old, now);
	for (IrRef user; !ir_is_none(user = first_call(m, old));) {
		IrBuilder b = ir_build_before(m, user);
		IrRef     args[16];
		for (u32 i = 0; i < n; i++)
			args[i] = cast_bits(&b, ir_call_arg(m, user, i), ir_func_param(m, now, i));
		IrRef r = ir_b_call(&b, now, f->ref, args, n);
		r = cast_bits(&b, r, ir_inst(m, user)->type);
		ir_take_place(m, r, user);
		ir_replace_all_uses(m, user, r);
		ir_remove(m, user);
	}
	if (!ir_has_uses(m, old->ref))
		ir_global_remove(m, old->ref);
}

static bool upgrade_types(IrModule *m, IrFunc *f)
{
	Str  name = ir_str(m, ir_global(m, f->ref)->name);
	u32  row = ir_intrinsic_of(m, f->ref);
	bool bf16 = false;
	for (u32 i = 0; i + 4 <= name.n; i++)
		bf16 |= memcmp(name.p + i, "bf16", 4) == 0;
	IrType now = row && bf16 ? ir_intrinsic_type(m, row) : (IrType){0};
	if (!now.i || ir_type_same(now, ir_global(m, f->ref)->type))
		return false;
	retype(m, f, now);
	return true;
}

/* The call `now`, which stands in front of `old`, takes its place, with the debug records before it and the metadata at it. */
static void replace_call(IrModule *m, IrRef now, IrRef old)
{
	ir_take_place(m, now, old);
	ir_info(m, now)->records = ir_info(m, old)->records;
	ir_info(m, now)->md = ir_info(m, old)->md;
	ir_info(m, old)->records = ir_info(m, old)->md = 0;
}

/* ---- llvm.lifetime.start(i64, ptr): before LLVM 22 ---- */

/* The stack slot that a pointer is, after casts; none: it is no slot. */
static IrRef slot_of(const IrModule *m, IrRef p)
{
	while (ir_kind(p) == IR_INST && (ir_inst(m, p)->op == IR_ADDRSPACECAST || ir_inst(m, p)->op == IR_BITCAST))
		p = ir_op(m, p, 0);
	return ir_kind(p) == IR_INST && ir_inst(m, p)->op == IR_ALLOCA ? p : IR_NO_REF;
}

/* Removes all markers of a function. */
static void drop_lifetimes(IrModule *m, IrRef func)
{
	ir_each_block(m, ir_func(m, func), b)
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL && ir_call_family(m, i) == IRFAM_LIFETIME)
				ir_remove(m, i);
}

/* A lifetime is that of a whole slot: the size goes. A marker of another pointer goes, too, and its function gets into `lost`, because
 * nobody knows which slot it was about. */
static bool whole_lifetimes(IrModule *m, IrFunc *old, VecU32 *lost)
{
	IrGlobal *g = ir_global(m, old->ref);
	Str       name = ir_str(m, g->name);
	bool      start = str_starts(name, "llvm.lifetime.start");
	if (!(start || str_starts(name, "llvm.lifetime.end")) || ir_func_params(m, g->type) != 2)
		return false;
	ir_set_name(m, old->ref, arena_fmt(m->arena, "%.*s.old", STR_ARG(name)));
	for (IrRef user; !ir_is_none(user = first_call(m, old));) {
		IrRef     slot = slot_of(m, ir_call_arg(m, user, 1));
		IrBuilder b = ir_build_before(m, user);
		if (slot.i) {
			u32 space = ir_type(m, ir_type_of(m, slot))->bits;
			Str now = arena_fmt(m->arena, "llvm.lifetime.%s.p%u", start ? "start" : "end", space);
			replace_call(m, ir_b_intrinsic(&b, now, IR_TYPE(VOID), &slot, 1), user);
		} else if (!ir_is_const(m, ir_call_arg(m, user, 1))) {
			vec_push(m->arena, lost, ir_block(m, ir_inst(m, user)->block)->func.i);
		}
		ir_remove(m, user);
	}
	if (!ir_has_uses(m, old->ref))
		ir_global_remove(m, old->ref);
	return true;
}

/* ---- parameters that were added or removed ---- */

/* Names, and for each parameter its number in the older version as a digit, 'f' for a new parameter that is false, 'n' for one
 * that is null of the type of parameter 1. */
static const struct {
	const char *name, *params;
	u8          then;  /* how many there were */
	u8          align; /* the parameter that became the attribute `align` of all pointers, + 1; 0: none */
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
	{"llvm.objectsize.", "01ff", 2, 0},
	{"llvm.objectsize.", "012f", 3, 0},
};

static u32 find_reparam(const IrModule *m, const IrFunc *f)
{
	Str    name = ir_str(m, ir_global(m, f->ref)->name);
	IrType t = ir_global(m, f->ref)->type;
	for (u32 i = 0; i < PS_COUNT(reparams); i++)
		if (ir_func_params(m, t) == reparams[i].then && str_starts(name, reparams[i].name) &&
		    (!reparams[i].align || ir_func_param(m, t, reparams[i].align - 1u).i == IR_TY_I32))
			return i + 1;
	return 0;
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
		return bytes < 2 ? 0 : bytes;
	return bytes ? bytes : ir_abi_align(m, lanes ? ir_scalar_type(m, t) : t);
}

static bool reparam(IrModule *m, IrFunc *old)
{
	IrType was = ir_global(m, old->ref)->type;
	u32    row = find_reparam(m, old);
	if (!row)
		return false;
	const char *how = reparams[row - 1].params;
	u32         at = reparams[row - 1].align;
	IrType      types[5];
	u32         n = (u32)strlen(how);
	for (u32 i = 0; i < n; i++)
		types[i] = how[i] == 'f' ? IR_TYPE(I1) : ir_func_param(m, was, how[i] == 'n' ? 1 : (u32)(how[i] - '0'));
	IrType  now = ir_func_type(m, ir_func_ret(m, was), types, n, false);
	IrFunc *f = redeclare(m, old, now);
	for (IrRef user; !ir_is_none(user = first_call(m, old));) {
		IrBuilder b = ir_build_before(m, user);
		IrRef     args[5];
		for (u32 i = 0; i < n; i++)
			args[i] = how[i] == 'f' || how[i] == 'n' ? ir_const_zero(m, types[i])
			                                         : ir_call_arg(m, user, (u32)(how[i] - '0'));
		IrRef r = ir_b_call(&b, now, f->ref, args, n);
		u64   align = at ? stated_alignment(m, user, at - 1) : 0;
		if (align)
			ir_call_align_pointers(m, r, align);
		replace_call(m, r, user);
		ir_replace_all_uses(m, user, r);
		ir_remove(m, user);
	}
	if (!ir_has_uses(m, old->ref))
		ir_global_remove(m, old->ref);
	return true;
}

/* Every direct call of `f`. */
static bool upgrade_calls(IrModule *m, IrFunc *f)
{
	Str name = ir_str(m, ir_global(m, f->ref)->name);
	if (ir_intrinsic_of(m, f->ref))
		return false;
	u32  kind = 0, args = 0, row = find_upgrade(name);
	bool dbg = dbg_kind(name, &kind, &args);
	if (!row && !dbg)
		return false;
	VecU32 calls = {0};
	ir_each_use(m, f->ref, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) == IR_INST && ir_inst(m, user)->op == IR_CALL && ir_same(ir_callee(m, user), f->ref))
			vec_push(m->arena, &calls, user.i);
	}
	/* Use lists have the last use first; records have to come in the order of the text. */
	for (u32 i = calls.n; i--;) {
		if (dbg)
			dbg_call(m, (IrRef){calls.p[i]}, kind, args);
		else
			upgrade_call(m, (IrRef){calls.p[i]}, row - 1);
	}
	if (!ir_has_uses(m, f->ref))
		ir_global_remove(m, f->ref);
	return true;
}

/* ---- overload suffixes of typed pointers: .p0i8 is .p0 ---- */

static bool rename_suffix(IrModule *m, IrFunc *f, Text *out)
{
	Str  name = ir_str(m, ir_global(m, f->ref)->name);
	bool changed = false;
	out->n = 0;
	for (u32 i = 0; i < name.n;) {
		u32 end = i + 1; /* a token, with the '.' before it */
		while (end < name.n && name.p[end] != '.')
			end++;
		u32 keep = end;
		if (name.p[i] == '.' && i + 2 < end && name.p[i + 1] == 'p' && name.p[i + 2] >= '0' && name.p[i + 2] <= '9') {
			keep = i + 2;
			while (keep < end && name.p[keep] >= '0' && name.p[keep] <= '9')
				keep++;
			changed |= keep < end;
		}
		text_add(out, (Str){name.p + i, keep - i});
		i = end;
	}
	if (!changed)
		return false;
	IrRef other = ir_find_global(m, text_str(out));
	if (!other.i) {
		ir_set_name(m, f->ref, text_str(out));
	} else if (ir_type_same(ir_global(m, other)->type, ir_global(m, f->ref)->type)) {
		ir_replace_all_uses(m, f->ref, other);
		ir_global_remove(m, f->ref);
	}
	return true;
}

bool ir_declares_itself(const IrModule *m, IrRef global)
{
	Str name = ir_str(m, ir_global(m, global)->name);
	u32 kind, args;
	return str_starts(name, "llvm.") && (ir_intrinsic_of(m, global) || find_upgrade(name) || dbg_kind(name, &kind, &args));
}

/* ---- names whose type suffix does not match the declaration ---- */

/* fma.f32 of doubles is fma.f64. */
static bool remangle(IrModule *m, IrFunc *f)
{
	IrType           over[IR_MAX_OVERLOADS];
	IrSignatureError e;
	u32              row = ir_intrinsic_of(m, f->ref);
	Str              name = ir_str(m, ir_global(m, f->ref)->name);
	if (!row || !ir_signature_fits(m, ir_intrinsic_signature(row), ir_global(m, f->ref)->type, over, &e) || !over[0].i)
		return false;
	Str right = ir_mangled(m, (Str){name.p, name.n - ir_intrinsic_suffix(name, row).n}, over);
	if (str_eq(right, name))
		return false;
	IrRef other = ir_find_global(m, right);
	if (!other.i) {
		ir_set_name(m, f->ref, right);
		return true;
	}
	if (!ir_type_same(ir_global(m, other)->type, ir_global(m, f->ref)->type))
		return false; /* the verifier says whose name is wrong */
	ir_replace_all_uses(m, f->ref, other);
	ir_global_remove(m, f->ref);
	return true;
}

static bool is_intrinsic_decl(const IrModule *m, const IrFunc *f)
{
	return ir_is_decl(f) && str_starts(ir_str(m, ir_global(m, f->ref)->name), "llvm.");
}

bool ir_upgrade(IrModule *m)
{
	Text   name;
	VecU32 lost = {0};
	bool   changed = false;
	text_init(&name, m->arena);
	ir_each_func(m, f) {
		if (!is_intrinsic_decl(m, f))
			continue;
		changed |= upgrade_calls(m, f);
		if (!(ir_global(m, f->ref)->flags & IRGF_DEAD))
			changed |= rename_suffix(m, f, &name);
		if (!(ir_global(m, f->ref)->flags & IRGF_DEAD))
			changed |= whole_lifetimes(m, f, &lost);
		if (!(ir_global(m, f->ref)->flags & IRGF_DEAD))
			changed |= reparam(m, f);
		if (!(ir_global(m, f->ref)->flags & IRGF_DEAD)) {
			ir_intrinsic_set_attrs(m, f);
			changed |= upgrade_types(m, f);
		}
	}
	for (u32 i = 0; i < lost.n; i++)
		drop_lifetimes(m, (IrRef){lost.p[i]});
	/* A new name may be in use by another declaration until that one is renamed, so repeat until nothing changes. */
	for (bool again = true; again; changed |= again) {
		again = false;
		ir_each_func(m, f)
			if (is_intrinsic_decl(m, f))
				again |= remangle(m, f);
	}
	ir_upgrade_notes(m);
	return changed;
}
