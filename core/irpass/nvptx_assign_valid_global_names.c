/* nvptx-assign-valid-global-names: renames globals whose name is not a PTX identifier.
 *
 *   @.str = private constant …      →   @_$_str
 *   define internal void @a-b()     →   define internal void @a_$_b()
 *
 * A PTX identifier is a letter followed by letters, digits, _ and $, or one of _ $ followed by at least
 * one of those. Every other character becomes "_$_" (what LLVM writes for the ones it knows); where that
 * name is taken a number is appended. Symbols with local linkage are renamed silently. A visible symbol that is
 * defined here is renamed with a warning, because other modules may refer to it; for one that is only declared
 * here an error is reported where it is used, except for dynamic shared memory, which no other module defines. Symbols without a name
 * get one. A name that begins with the character 1, as clang writes asm labels, is what follows it, to the letter.
 *
 * strict-seed-names also replaces $ (by _), as an older reading of the rules had it. Linear in the
 * length of the names. */
#include "irpass/util.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_follow(char c, bool strict) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || (c == '$' && !strict); }

static bool is_valid(Str name, bool strict)
{
	char c = name.p[0];
	if (!is_letter(c) && !((c == '_' || (c == '$' && !strict)) && name.n > 1))
		return false;
	for (u32 i = 1; i < name.n; i++)
		if (!is_follow(name.p[i], strict))
			return false;
	return true;
}

static Str spelling(Arena *a, Str name, bool strict)
{
	Text t;
	text_init(&t, a);
	if (name.p[0] >= '0' && name.p[0] <= '9')
		text_c(&t, '_');
	for (u32 i = 0; i < name.n; i++) {
		if (is_follow(name.p[i], strict))
			text_c(&t, name.p[i]);
		else
			text_s(&t, strict ? "_" : "_$_");
	}
	if (name.n == 1 && t.n == 1)
		text_c(&t, '_');
	return text_str(&t);
}

static Str free_name(PassCx *cx, Str base, u32 *number)
{
	Str name = base;
	while (!ir_is_none(ir_find_global(cx->ir, name)))
		name = arena_fmt(cx->scratch, "%.*s%u", STR_ARG(base), ++*number);
	return name;
}

/* extern __shared__ a[]: a launch decides its size, and each module may call the memory what it likes. */
static bool is_dynamic_shared(const IrModule *m, IrRef g)
{
	const IrGlobal *r = ir_global(m, g);
	return !r->func && r->addrspace == AS_SHARED && ir_type_kind(m, r->type) == IRT_ARRAY && ir_type_count(m, r->type) == 0;
}

static bool is_defined(const IrModule *m, IrRef g)
{
	const IrGlobal *r = ir_global(m, g);
	return r->func ? !ir_is_decl(ir_func(m, g)) : r->init != 0;
}

static bool strip_mark(PassCx *cx, IrRef g, Str *name)
{
	Str own = arena_str(cx->scratch, (Str){name->p + 1, name->n - 1});
	if (name->p[0] != 1 || name->n < 2 || !ir_is_none(ir_find_global(cx->ir, own)))
		return false;
	ir_set_name(cx->ir, g, own);
	*name = own;
	return true;
}

/* The loader finds constructors and destructors by how the names of their entries begin (nvptx-lower-ctor-dtor). */
static bool is_found_by_its_start(Str name)
{
	return str_starts(name, "__init_array_object_") || str_starts(name, "__fini_array_object_");
}

static void rename(PassCx *cx, IrRef g, bool strict, u32 *number)
{
	IrModule *m = cx->ir;
	Str       old = arena_str(cx->scratch, ir_str(m, ir_global(m, g)->name));
	Str       name = free_name(cx, spelling(cx->scratch, old, strict), number);
	ir_set_name(m, g, name);
	if (!ir_linkage_is_local(ir_global(m, g)->linkage) && is_defined(m, g) && !is_dynamic_shared(m, g) &&
	    !is_found_by_its_start(old))
		diag_report(&cx->s->diags, DIAG_NAME_CHANGED, src_at(ir_global(m, g)->origin, 1), STR_ARG(old), STR_ARG(name));
	pass_remark(cx, REMARK_PASSED, ir_global(m, g)->origin, "'%.*s' is called '%.*s' in PTX", STR_ARG(old), STR_ARG(name));
}

/* Unnamed symbols (@0) get the name that LLVM's mangler gives them. */
static void name_unnamed(PassCx *cx, IrRef g, u32 *unnamed)
{
	Str name = arena_fmt(cx->scratch, "__unnamed_%u", ++*unnamed);
	while (!ir_is_none(ir_find_global(cx->ir, name)))
		name = arena_fmt(cx->scratch, "__unnamed_%u", ++*unnamed);
	ir_set_name(cx->ir, g, name);
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      strict = knob_bool(cx->s, KNOB_strict_seed_names), changed = false;
	u32       number = 0, unnamed = 0;
	ir_each_global(m, g) {
		IrGlobal *r = ir_global(m, g);
		Str       name = ir_str(m, r->name);
		bool      local = ir_linkage_is_local(r->linkage);
		if (!name.n) {
			name_unnamed(cx, g, &unnamed);
			changed = true;
			continue;
		}
		changed |= strip_mark(cx, g, &name);
		if (ir_is_llvm_name(m, g) || is_valid(name, strict && local)) {
			continue;
		} else if (local || is_defined(m, g) || is_dynamic_shared(m, g) || !ir_has_uses(m, g)) {
			rename(cx, g, strict && local, &number);
			changed = true;
		} else {
			diag_report(&cx->s->diags, DIAG_NAME_NOT_PTX, src_at(r->origin, 1), STR_ARG(name));
		}
	}
	return changed;
}

/* Whether a declaration that cannot keep its name is used. */
static bool wants_bodies(PassCx *cx)
{
	IrModule *m = cx->ir;
	ir_each_global(m, g) {
		Str name = ir_str(m, ir_global(m, g)->name);
		if (name.n && !ir_is_llvm_name(m, g) && !is_valid(name, false) && !is_defined(m, g) && !is_dynamic_shared(m, g))
			return true;
	}
	return false;
}

static const Knob knobs[] = {KNOB_strict_seed_names, KNOB_NONE};

const Pass irpass_nvptx_assign_valid_global_names = {
	.id = "nvptx-assign-valid-global-names",
	.title = "Assign valid PTX names to globals",
	.summary = "Renames symbols whose names PTX cannot express.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.knobs = knobs,
	.keeps = AN_ALL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
	.wants_bodies = wants_bodies,
};
