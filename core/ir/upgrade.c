/* upgrade.c: upgrades the IR of older LLVM versions to that of LLVM 22.
 *
 *   declarations of intrinsics  →  their names, types and attributes of today
 *   calls of those              →  upgrade_call.c
 *   rows of !nvvm.annotations about functions → attributes (upgrade_notes.c)
 *
 * Declarations are looked at once. Those whose calls change are noted (IrModule.outdated): calls are found by the uses of these few, in
 * all bodies or in the one that was just read, so a reader that takes bodies one by one pays for what it reads. Typed pointers, memory
 * attributes and operand spellings are upgraded by the parser. Linear in declarations and in the calls that change. */
#include "ir/signature.h"
#include "ir/upgrade.h"

/* ---- declarations ---- */

static void outdated(IrModule *m, IrRef func, UpgradeKind kind, u32 row, IrRef now)
{
	vec_push(m->arena, &m->outdated, ((IrOutdated){func, kind, row, now}));
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
	u32 dbg = ir_upgrade_dbg(name), row = ir_upgrade_row(name);
	if (dbg)
		outdated(m, f->ref, UPK_DBG, dbg, IR_NO_REF);
	else if (row && fits_row(m, row, name, ir_global(m, f->ref)->type))
		outdated(m, f->ref, UPK_ROW, row, IR_NO_REF);
	else
		return false;
	return true;
}

/* Overload suffixes of typed pointers: .p0i8 is .p0 */
static void rename_suffix(IrModule *m, IrFunc *f, Text *out)
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
		return;
	IrRef other = ir_find_global(m, text_str(out));
	if (!other.i)
		ir_set_name(m, f->ref, text_str(out));
	else if (ir_type_same(ir_global(m, other)->type, ir_global(m, f->ref)->type))
		outdated(m, f->ref, UPK_MERGED, 0, other);
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

static void upgrade_declaration(IrModule *m, IrFunc *f, Text *name)
{
	u32 before = m->outdated.n;
	if (has_other_calls(m, f))
		return;
	rename_suffix(m, f, name);
	if (m->outdated.n == before && !has_lifetime_of_size(m, f) && !has_other_params(m, f) && !has_other_types(m, f))
		ir_intrinsic_set_attrs(m, f);
}

/* Of another target: there is no table of those, so their types are what a call says. */
static bool is_of_other_target(Str name)
{
	static const char *const targets[] = {"aarch64.",   "amdgcn.", "arm.",  "bpf.",  "dx.",    "hexagon.",
	                                      "loongarch.", "mips.",   "ppc.",  "r600.", "riscv.", "s390.",
	                                      "spv.",       "ve.",     "wasm.", "x86.",  "xcore."};
	Str                      word = {name.p + 5, name.n - 5};
	for (u32 i = 0; i < PS_COUNT(targets); i++)
		if (str_starts(word, targets[i]) && word.n > strlen(targets[i]))
			return true;
	return false;
}

bool ir_declares_itself(const IrModule *m, IrRef global)
{
	Str name = ir_str(m, ir_global(m, global)->name);
	return str_starts(name, "llvm.") &&
	       (ir_intrinsic_of(m, global) || ir_upgrade_row(name) || ir_upgrade_dbg(name) || is_of_other_target(name));
}

static bool is_outdated(const IrModule *m, IrRef func)
{
	for (u32 i = 0; i < m->outdated.n; i++)
		if (ir_same(m->outdated.p[i].func, func))
			return true;
	return false;
}

/* Names whose type suffix does not match the declaration: fma.f32 of doubles is fma.f64. */
static bool remangle(IrModule *m, IrFunc *f)
{
	IrType           over[IR_MAX_OVERLOADS];
	IrSignatureError e;
	u32              row = ir_intrinsic_of(m, f->ref);
	Str              name = ir_str(m, ir_global(m, f->ref)->name);
	if (!row || !ir_signature_fits(m, ir_intrinsic_signature(row), ir_global(m, f->ref)->type, over, &e) || !over[0].i ||
	    is_outdated(m, f->ref))
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

bool ir_upgrade_calls(IrModule *m)
{
	bool   all = true;
	VecU32 lost = {0};
	for (u32 k = 0; k < m->outdated.n; k++) {
		IrRef func = m->outdated.p[k].func;
		if (!ir_has_uses(m, func))
			continue;
		m->outdated_calls.n = 0;
		ir_each_use(m, func, u) {
			IrRef user = ir_use(m, u)->user;
			if (ir_kind(user) == IR_INST && ir_inst(m, user)->op == IR_CALL && ir_same(ir_callee(m, user), func))
				vec_push(m->arena, &m->outdated_calls, user.i);
		}
		/* Use lists have the last use first; records have to come in the order of the text. */
		for (u32 i = m->outdated_calls.n; i--;)
			ir_upgrade_call(m, &m->outdated.p[k], (IrRef){m->outdated_calls.p[i]}, &lost);
		all &= !ir_has_uses(m, func);
	}
	for (u32 i = 0; i < lost.n; i++)
		drop_lifetimes(m, (IrRef){lost.p[i]});
	return all;
}

bool ir_is_upgrade_row(const IrModule *m, u32 outdated)
{
	const IrOutdated *o = &m->outdated.p[outdated];
	return o->kind == UPK_ROW && !ir_upgrade_wants_constant(o->row);
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
}

bool ir_upgrade(IrModule *m, bool bodies_follow)
{
	Text name;
	text_init(&name, m->arena);
	ir_each_func(m, f)
		if (is_intrinsic_decl(m, f))
			upgrade_declaration(m, f, &name);
	/* A new name may be in use by another declaration until that one is renamed, so repeat until nothing changes. */
	for (bool again = true; again;) {
		again = false;
		ir_each_func(m, f)
			if (is_intrinsic_decl(m, f))
				again |= remangle(m, f);
	}
	bool all = ir_upgrade_calls(m);
	if (!bodies_follow)
		remove_outdated(m);
	else if (m->outdated.n)
		hide_outdated(m);
	ir_upgrade_notes(m);
	return all;
}
