/* upgrade.c: upgrades the IR of older LLVM versions to that of LLVM 22.
 *
 *   declarations of intrinsics  →  their names, types and attributes of today
 *   calls of those              →  upgrade_call.c
 *   rows of !nvvm.annotations about functions → attributes (upgrade_notes.c)
 *
 * Declarations are looked at once. Those whose calls change are noted (IrModule.outdated): calls are found by the uses of these few, in
 * all bodies or in the one that was just read, so a reader that takes bodies one by one pays for what it reads. Typed pointers, memory
 * attributes and operand spellings are upgraded by the parser. Linear in declarations and in the calls that change. */
#include "base/sort.h"
#include "ir/signature.h"
#include "ir/upgrade.h"

/* ---- declarations ---- */

static void outdated(IrModule *m, IrRef func, UpgradeKind kind, u32 row, IrRef now)
{
	map_set(&m->outdated_at, func.i, m->outdated.n);
	vec_push(m->arena, &m->outdated, ((IrOutdated){func, kind, row, now}));
}

static bool is_outdated(const IrModule *m, IrRef func) { return map_get(&m->outdated_at, func.i) != NULL; }

/* The declaration that `func` has been merged with, and that one perhaps with another, or `func` itself. */
static IrRef merged_into(const IrModule *m, IrRef func)
{
	for (u32 steps = 0; steps < m->outdated.n; steps++) {
		const u64 *at = map_get(&m->outdated_at, func.i);
		if (!at || m->outdated.p[*at].kind != UPK_MERGED)
			break;
		func = m->outdated.p[*at].now;
	}
	return func;
}

/* A declaration of the same intrinsic with the type `now`; the old one gives up its name. */
static IrRef redeclare(IrModule *m, IrFunc *old, IrType now)
{
	IrGlobal *g = ir_global(m, old->ref);
	Str       name = ir_str(m, g->name);
	u32       origin = g->origin;
	ir_set_name(m, old->ref, arena_fmt(m->arena, "%.*s.old", STR_ARG(name)));
	IrFunc *f = ir_func_new(m, name, now, IRL_EXTERNAL);
	ir_global(m, f->ref)->origin = origin;
	ir_intrinsic_set_attrs(m, f);
	return f->ref;
}

/* Before bfloat was a type, its bits were an integer. */
static bool is_of_bfloats(Str name)
{
	for (u32 i = 0; i + 4 <= name.n; i++)
		if (memcmp(name.p + i, "bf16", 4) == 0)
			return true;
	return false;
}

static bool fits_row(IrModule *m, u32 row, Str name, IrType t)
{
	IrType           over[IR_MAX_OVERLOADS] = {0};
	IrSignatureError e;
	if (ir_signature_fits(m, ir_upgrade_signature(row), t, over, &e))
		return true;
	IrType with_bfloats = is_of_bfloats(name) ? ir_signature_type(m, ir_upgrade_signature(row), over) : (IrType){0};
	return with_bfloats.i && ir_upgrade_retypes(m, t, with_bfloats, true);
}

static bool has_other_calls(IrModule *m, IrFunc *f)
{
	Str name = ir_str(m, ir_global(m, f->ref)->name);
	u32 dbg = ir_upgrade_dbg(name), row = ir_upgrade_row(m, name);
	if (dbg)
		outdated(m, f->ref, UPK_DBG, dbg, IR_NO_REF);
	else if (row && fits_row(m, row, name, ir_global(m, f->ref)->type))
		outdated(m, f->ref, UPK_ROW, row, IR_NO_REF);
	else
		return false;
	return true;
}

/* Overload suffixes of typed pointers: .p0i8 is .p0. Has it a new name? */
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
	IrRef other = changed ? ir_find_global(m, text_str(out)) : IR_NO_REF;
	if (changed && !other.i)
		ir_set_name(m, f->ref, text_str(out));
	else if (changed && ir_type_same(ir_global(m, other)->type, ir_global(m, f->ref)->type))
		outdated(m, f->ref, UPK_MERGED, 0, other);
	return changed && !other.i;
}

static bool has_lifetime_of_size(IrModule *m, IrFunc *f)
{
	Str  name = ir_str(m, ir_global(m, f->ref)->name);
	bool start = str_starts(name, "llvm.lifetime.start");
	if (!(start || str_starts(name, "llvm.lifetime.end")) || ir_func_params(m, ir_global(m, f->ref)->type) != 2)
		return false;
	ir_set_name(m, f->ref, arena_fmt(m->arena, "%.*s.old", STR_ARG(name)));
	outdated(m, f->ref, UPK_LIFETIME, start, IR_NO_REF);
	return true;
}

static bool has_other_params(IrModule *m, IrFunc *f)
{
	u32 row = ir_upgrade_params(m, f);
	if (!row)
		return false;
	IrType now = ir_upgrade_params_type(m, row, ir_global(m, f->ref)->type);
	outdated(m, f->ref, UPK_REPARAM, row, redeclare(m, f, now));
	return true;
}

/* Copies of tensors got the group of blocks as their last argument in LLVM 22; 0 is none. */
static bool lacks_group(const IrModule *m, Str name, IrType was, IrType now)
{
	static const char *const olds[] = {"llvm.nvvm.cp.async.bulk.tensor.g2s.tile.",
	                                   "llvm.nvvm.cp.async.bulk.tensor.g2s.im2col."};
	u32                      n = ir_func_params(m, was), at = 0;
	for (u32 i = 0; i < PS_COUNT(olds); i++)
		at = str_starts(name, olds[i]) ? (u32)strlen(olds[i]) : at;
	bool had_none = at && name.n > at && name.p[at] >= '1' && name.p[at] <= '5'; /* others came with it */
	if (!had_none || n + 1 != ir_func_params(m, now) || ir_type(m, was)->vararg)
		return false;
	for (u32 i = 0; i <= n; i++)
		if (!ir_type_same(ir_type_elem(m, was, i), ir_type_elem(m, now, i)))
			return false;
	return true;
}

static bool has_other_types(IrModule *m, IrFunc *f)
{
	Str    name = ir_str(m, ir_global(m, f->ref)->name);
	u32    row = ir_intrinsic_of(m, f->ref);
	IrType now = row ? ir_intrinsic_type(m, row) : (IrType){0}, was = ir_global(m, f->ref)->type;
	if (!now.i || ir_type_same(now, was) ||
	    !(ir_upgrade_retypes(m, was, now, is_of_bfloats(name)) || lacks_group(m, name, was, now)))
		return false;
	outdated(m, f->ref, UPK_RETYPED, 0, redeclare(m, f, now));
	return true;
}

/* Has it the types of the intrinsic today? What has others is none of it, and keeps its attributes. */
static bool is_itself(IrModule *m, IrFunc *f)
{
	IrType           over[IR_MAX_OVERLOADS];
	IrSignatureError e;
	u32              row = ir_intrinsic_of(m, f->ref);
	return row && ir_signature_fits(m, ir_intrinsic_signature(row), ir_global(m, f->ref)->type, over, &e);
}

/* A result that is a named struct, { i64, i1 } by another name: the intrinsic returns the one without, unless it returns any type. */
static bool has_named_result(IrModule *m, IrFunc *f)
{
	IrType           was = ir_global(m, f->ref)->type, ret = ir_func_ret(m, was), over[IR_MAX_OVERLOADS];
	const IrTypeRec *r = ir_type(m, ret);
	IrSignatureError e;
	u32              row = ir_intrinsic_of(m, f->ref);
	if (!row || r->kind != IRT_STRUCT || !(r->name.i || r->number) || r->opaque)
		return false;
	IrType *e_types = arena_array(m->arena, IrType, r->n_elems + 1);
	for (u32 i = 0; i < r->n_elems; i++)
		e_types[i] = ir_type_elem(m, ret, i);
	IrType  plain = ir_struct_type(m, e_types, ir_type(m, ret)->n_elems, ir_type(m, ret)->packed);
	u32     n = ir_func_params(m, was);
	IrType *params = arena_array(m->arena, IrType, n + 1);
	for (u32 i = 0; i < n; i++)
		params[i] = ir_func_param(m, was, i);
	IrType now = ir_func_type(m, plain, params, n, ir_type(m, was)->vararg);
	if (!ir_signature_fits(m, ir_intrinsic_signature(row), now, over, &e))
		return false;
	outdated(m, f->ref, UPK_NAMED, 0, redeclare(m, f, now));
	return true;
}

/* Has it a new name? */
static bool upgrade_declaration(IrModule *m, IrFunc *f, Text *name)
{
	u32 before = m->outdated.n;
	if (has_other_calls(m, f))
		return false;
	bool renamed = ir_declares_itself(m, f->ref) && rename_suffix(m, f, name); /* what nobody knows keeps its name */
	if (m->outdated.n != before)
		return renamed;
	if (is_itself(m, f))
		ir_intrinsic_set_attrs(m, f);
	else if (!has_lifetime_of_size(m, f) && !has_other_params(m, f) && !has_other_types(m, f))
		has_named_result(m, f);
	return renamed;
}

/* Of another target, of a language or of an instrumentation that no GPU has: there is no table of these here, so each is what its calls
 * say. */
bool ir_is_elsewhere(Str name)
{
	static const char *const others[] = {"aarch64", "amdgcn", "arm",     "asan",   "bpf",       "codeview",  "coro",
	                                     "dx",      "eh",     "hexagon", "hwasan", "instrprof", "loongarch", "mips",
	                                     "objc",    "ppc",    "r600",    "riscv",  "s390",      "seh",       "sparc",
	                                     "spv",     "swift",  "ve",      "wasm",   "x86",       "xcore",     "xray"};
	Str                      rest = {name.p + 5, name.n - 5};
	for (u32 i = 0; i < PS_COUNT(others); i++)
		if (str_starts(rest, others[i]) && rest.n > strlen(others[i]) && rest.p[strlen(others[i])] == '.')
			return true;
	return false;
}

bool ir_declares_itself(const IrModule *m, IrRef global)
{
	Str name = ir_str(m, ir_global(m, global)->name);
	return str_starts(name, "llvm.") &&
	       (ir_intrinsic_of(m, global) || ir_upgrade_row(m, name) || ir_upgrade_dbg(name) || ir_is_elsewhere(name));
}

/* Is that the name it would be given again? Else it would get another one each time. */
static bool is_settled(IrModule *m, Str name, u32 row, const IrType *over)
{
	return ir_intrinsic_of_name(m, name) == row &&
	       str_eq(ir_mangled(m, (Str){name.p, name.n - ir_intrinsic_suffix(name, row).n}, over), name);
}

bool ir_remangle(IrModule *m, IrFunc *f)
{
	IrType           over[IR_MAX_OVERLOADS];
	IrSignatureError e;
	u32              row = ir_intrinsic_of(m, f->ref);
	Str              name = ir_str(m, ir_global(m, f->ref)->name);
	if (!row || !ir_signature_is_overloaded(ir_intrinsic_signature(row)) ||
	    !ir_signature_fits(m, ir_intrinsic_signature(row), ir_global(m, f->ref)->type, over, &e) || is_outdated(m, f->ref))
		return false;
	Str right = ir_mangled(m, (Str){name.p, name.n - ir_intrinsic_suffix(name, row).n}, over);
	if (str_eq(right, name) || !is_settled(m, right, row, over))
		return false;
	IrRef other = ir_find_global(m, right);
	if (!other.i) {
		ir_set_name(m, f->ref, right);
		return true;
	}
	if (!ir_type_same(ir_global(m, other)->type, ir_global(m, f->ref)->type))
		return false; /* the verifier says whose name is wrong */
	outdated(m, f->ref, UPK_MERGED, 0, other);
	return true;
}

static bool is_intrinsic_decl(const IrModule *m, const IrFunc *f)
{
	return ir_is_decl(f) && str_starts(ir_str(m, ir_global(m, f->ref)->name), "llvm.");
}

/* ---- calls ---- */

/* Removes all lifetime markers of a function. */
static void drop_lifetimes(IrModule *m, IrRef func)
{
	ir_each_block(m, ir_func(m, func), b)
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL && ir_call_family(m, i) == IRFAM_LIFETIME)
				ir_remove(m, i);
}

/* LLVM makes new declarations for what gets another name or another type, and they come last, in the order of the old ones. */
typedef struct Moved {
	u32 at; /* place of the old one */
	u32 global;
} Moved;

typedef struct Reorder {
	u32 n;    /* globals of the module before */
	u32 seen; /* … and as far as new ones are in the list */
	Vec(Moved) list;
} Reorder;

/* What was added to the module is for the global at that place, and gets its right name. */
static void note_new(IrModule *m, Reorder *r, u32 at)
{
	for (; r->seen < m->order.n; r->seen++) {
		IrRef g = ir_ref(IR_GLOBAL, m->order.p[r->seen]);
		if (ir_func(m, g))
			ir_remangle(m, ir_func(m, g));
		vec_push(m->arena, &r->list, ((Moved){at, ir_index(g)}));
	}
}

static int by_place(const void *a, const void *b, void *user)
{
	u32 x = ((const Moved *)a)->at, y = ((const Moved *)b)->at;
	(void)user;
	return (x > y) - (x < y);
}

static void reorder(IrModule *m, Reorder *r)
{
	if (!r->list.n)
		return;
	u8 *moved = arena_array(m->arena, u8, m->globals.n);
	u32 kept = 0;
	sort_stable(m->arena, r->list.p, r->list.n, sizeof *r->list.p, by_place, NULL);
	for (u32 i = 0; i < r->list.n; i++)
		moved[r->list.p[i].global] = 1;
	for (u32 i = 0; i < m->order.n; i++)
		if (!moved[m->order.p[i]])
			m->order.p[kept++] = m->order.p[i];
	for (u32 i = 0; i < r->list.n; i++)
		if (moved[r->list.p[i].global]) {
			moved[r->list.p[i].global] = 0;
			m->order.p[kept++] = r->list.p[i].global;
		}
	m->order.n = kept;
}

/* Place of a global; r->n: it is none of the first n. */
static u32 place_of(const IrModule *m, const Reorder *r, IrRef g)
{
	u32 at = 0;
	while (at < r->n && m->order.p[at] != ir_index(g))
		at++;
	return at;
}

/* `r`: where it is wanted in which order new declarations come. */
static bool upgrade_calls(IrModule *m, Reorder *r)
{
	bool   all = true;
	VecU32 lost = {0};
	for (u32 k = 0; k < m->outdated.n; k++) {
		IrOutdated *o = &m->outdated.p[k];
		IrRef       func = o->func;
		if (!ir_has_uses(m, func))
			continue;
		o->now = merged_into(m, o->now);
		m->outdated_calls.n = 0;
		ir_each_use(m, func, u) {
			IrRef user = ir_use(m, u)->user;
			if (ir_kind(user) == IR_INST && ir_inst(m, user)->op == IR_CALL && ir_same(ir_callee(m, user), func))
				vec_push(m->arena, &m->outdated_calls, user.i);
		}
		/* Use lists have the last use first; records have to come in the order of the text, new declarations of markers do not. */
		bool markers = o->kind == UPK_LIFETIME;
		for (u32 n = m->outdated_calls.n, i = 0; i < n; i++)
			ir_upgrade_call(m, o, (IrRef){m->outdated_calls.p[markers ? i : n - 1 - i]}, &lost);
		all &= !ir_has_uses(m, func);
		if (r && r->seen < m->order.n)
			note_new(m, r, place_of(m, r, func));
	}
	for (u32 i = 0; i < lost.n; i++)
		drop_lifetimes(m, (IrRef){lost.p[i]});
	return all;
}

bool ir_upgrade_calls(IrModule *m) { return upgrade_calls(m, NULL); }

bool ir_is_upgrade_row(const IrModule *m, u32 outdated)
{
	const IrOutdated *o = &m->outdated.p[outdated];
	return o->kind == UPK_ROW && !ir_upgrade_constant(o->row);
}

/* Bodies that are read later still name outdated declarations: they stay, but no longer as members of the module. */
static void hide_outdated(IrModule *m)
{
	u32 kept = 0;
	for (u32 i = 0; i < m->order.n; i++)
		if (!is_outdated(m, ir_ref(IR_GLOBAL, m->order.p[i])))
			m->order.p[kept++] = m->order.p[i];
	m->order.n = kept;
}

static void remove_outdated(IrModule *m)
{
	for (u32 i = 0; i < m->outdated.n; i++)
		if (!ir_has_uses(m, m->outdated.p[i].func))
			ir_global_remove(m, m->outdated.p[i].func);
	m->outdated.n = 0;
	map_clear(&m->outdated_at);
}

/* The first n globals, looked at one after the other. */
static void upgrade_declarations(IrModule *m, Reorder *r)
{
	Text name;
	text_init(&name, m->arena);
	/* A new name may be in use by another declaration until that one gets another, so repeat until nothing changes. */
	for (bool first = true, again = true; again; first = false) {
		again = false;
		for (u32 at = 0; at < r->n; at++) {
			IrFunc *f = ir_func(m, ir_ref(IR_GLOBAL, m->order.p[at]));
			if (!f || !is_intrinsic_decl(m, f))
				continue;
			bool renamed = first && upgrade_declaration(m, f, &name);
			if (ir_remangle(m, f) || renamed) {
				vec_push(m->arena, &r->list, ((Moved){at, m->order.p[at]}));
				again = true;
			}
			note_new(m, r, at);
		}
		again |= first && m->outdated.n != 0;
	}
}

/* New declarations may get the name of another one, too. */
static void merge_new(IrModule *m, const Reorder *r)
{
	for (u32 at = r->n; at < m->order.n; at++) {
		IrFunc *f = ir_func(m, ir_ref(IR_GLOBAL, m->order.p[at]));
		if (f)
			ir_remangle(m, f);
	}
}

/* Constructors of LLVM before 3.5 (and of modules that nobody rewrote) name no data that they belong to: null. */
static void add_data(IrModule *m, IrRef list)
{
	IrGlobal *g = ir_global(m, list);
	IrType    e = ir_type_kind(m, g->type) == IRT_ARRAY ? ir_type_elem(m, g->type, 0) : (IrType){0};
	IrRef     init = ir_global_init(m, list);
	if (!e.i || ir_type_kind(m, e) != IRT_STRUCT || ir_type_count(m, e) != 2 || !init.i)
		return;
	IrType fields[3] = {ir_type_elem(m, e, 0), ir_type_elem(m, e, 1), IR_TYPE(PTR)};
	u32    n = (u32)ir_type_count(m, g->type);
	IrType now = ir_struct_type(m, fields, 3, ir_type(m, e)->packed);
	IrRef *all = arena_array(m->arena, IrRef, n + 1);
	for (u32 i = 0; i < n; i++) {
		IrRef old = ir_const_elem(m, init, i);
		IrRef parts[3] = {ir_const_elem(m, old, 0), ir_const_elem(m, old, 1), ir_const_zero(m, fields[2])};
		all[i] = ir_const_agg(m, now, parts, 3);
	}
	g->type = ir_array_type(m, now, n);
	ir_global_set_init(m, list, ir_const_agg(m, g->type, all, n));
}

void ir_upgrade_structors(IrModule *m)
{
	static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};
	for (u32 i = 0; i < PS_COUNT(lists); i++) {
		IrRef list = ir_find_global(m, str_of(lists[i]));
		if (list.i && ir_global(m, list)->kind == IRG_VAR)
			add_data(m, list);
	}
}

bool ir_upgrade(IrModule *m, bool bodies_follow)
{
	Reorder r = {.n = m->order.n, .seen = m->order.n};
	upgrade_declarations(m, &r);
	merge_new(m, &r);
	bool all = upgrade_calls(m, &r);
	reorder(m, &r);
	if (!bodies_follow)
		remove_outdated(m);
	else if (m->outdated.n)
		hide_outdated(m);
	ir_upgrade_notes(m);
	return all;
}
