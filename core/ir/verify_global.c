/* verify_global.c: variables, aliases and ifuncs: linkage, comdats, DLL storage, what an alias stands for, the lists that
 * LLVM gives a meaning (llvm.used, llvm.global_ctors). */
#include "ir/verify.h"

#include "isa/isa.h"

/* ---- what all globals share ---- */

static bool is_coff(const IrModule *m)
{
	static const char os[] = "windows";
	Str               triple = ir_str(m, m->triple);
	for (u32 i = 0; i + sizeof os - 1 <= triple.n; i++)
		if (memcmp(triple.p + i, os, sizeof os - 1) == 0)
			return true;
	return false;
}

bool irv_check_linkage(Verifier *v, IrRef ref, bool defined)
{
	const IrGlobal *g = ir_global(v->m, ref);
	bool            import = (g->flags & IRGF_DLLIMPORT) != 0, export = (g->flags & IRGF_DLLEXPORT) != 0;
	if (!defined && g->linkage != IRL_EXTERNAL && g->linkage != IRL_EXTERN_WEAK && g->kind != IRG_ALIAS)
		return irv_global(v, ref, "a declaration cannot have linkage '%s'", ir_linkage_name[g->linkage]);
	if (g->kind == IRG_FUNC &&
	    (g->linkage == IRL_COMMON || g->linkage == IRL_APPENDING || (defined && g->linkage == IRL_EXTERN_WEAK)))
		return irv_global(v, ref, "a function%s cannot have linkage '%s'", defined ? " with a body" : "",
		                  ir_linkage_name[g->linkage]);
	if (ir_linkage_is_local(g->linkage) && g->visibility != IRV_DEFAULT)
		return irv_global(v, ref, "a local symbol has default visibility");
	if (ir_linkage_is_local(g->linkage) && (import || export))
		return irv_global(v, ref, "a local symbol is neither dllimport nor dllexport");
	if (import && g->visibility != IRV_DEFAULT)
		return irv_global(v, ref, "dllimport needs default visibility");
	if (import && defined && g->linkage != IRL_AVAILABLE_EXTERNALLY)
		return irv_global(v, ref, "dllimport stands at declarations");
	if (import && (g->flags & IRGF_DSO_LOCAL))
		return irv_global(v, ref, "dllimport and dso_local contradict each other");
	if (g->comdat && (!defined || g->linkage == IRL_AVAILABLE_EXTERNALLY))
		return irv_global(v, ref, "a declaration is in no comdat");
	if (g->comdat && g->linkage == IRL_PRIVATE && v->m->comdats.p[g->comdat - 1].name.i == g->name.i && is_coff(v->m))
		return irv_global(v, ref, "a private symbol gives no comdat its name: COFF has no name for it");
	return !g->comdat || g->linkage != IRL_COMMON || irv_global(v, ref, "a common variable is in no comdat");
}

/* ---- lists LLVM knows ---- */

static bool is_pointer_list(const IrModule *m, IrType t)
{
	return ir_type_kind(m, t) == IRT_ARRAY && ir_type_is_ptr(m, ir_type_elem(m, t, 0));
}

static bool check_used(Verifier *v, IrRef ref, const IrGlobal *g, IrRef init)
{
	if (init.i && g->linkage != IRL_APPENDING)
		return irv_global(v, ref, "it needs linkage 'appending'");
	if (!is_pointer_list(v->m, g->type))
		return irv_global(v, ref, "it is an array of pointers, not '%.*s'", STR_ARG(irv_type(v, g->type)));
	for (u32 i = 0; init.i && i < ir_type_count(v->m, g->type); i++) {
		IrRef e = ir_const_elem(v->m, init, i);
		while (ir_kind(e) == IR_CONST && ir_const(v->m, e)->kind == IRC_EXPR && ir_op_is_cast(ir_const(v->m, e)->op))
			e = ir_const_op(v->m, e, 0);
		if (ir_kind(e) != IR_GLOBAL || !ir_global(v->m, e)->name.i)
			return irv_global(v, ref, "its elements are globals that have a name");
	}
	return !init.i || ir_type_count(v->m, g->type) || irv_global(v, ref, "it has at least one element");
}

static bool check_structors(Verifier *v, IrRef ref, const IrGlobal *g)
{
	const IrModule *m = v->m;
	IrType          e = ir_type_kind(m, g->type) == IRT_ARRAY ? ir_type_elem(m, g->type, 0) : (IrType){0};
	if (g->init && g->linkage != IRL_APPENDING)
		return irv_global(v, ref, "it needs linkage 'appending'");
	bool ok = e.i && ir_type_kind(m, e) == IRT_STRUCT && ir_type_count(m, e) == 3 && ir_type_elem(m, e, 0).i == IR_TY_I32 &&
	          ir_type_is_ptr(m, ir_type_elem(m, e, 1)) && ir_type_is_ptr(m, ir_type_elem(m, e, 2));
	return ok || irv_global(v, ref, "it is an array of { i32, ptr, ptr }: priority, function, associated data");
}

static bool check_known_list(Verifier *v, IrRef ref, const IrGlobal *g, IrRef init)
{
	Str name = ir_str(v->m, g->name);
	if (!str_starts(name, "llvm."))
		return true;
	bool used = str_is(name, "llvm.used") || str_is(name, "llvm.compiler.used"),
	     structors = str_is(name, "llvm.global_ctors") || str_is(name, "llvm.global_dtors");
	if ((used || structors) && ir_has_uses(v->m, ref))
		return irv_global(v, ref, "it is a list that nothing refers to");
	if (used)
		return check_used(v, ref, g, init);
	return !structors || check_structors(v, ref, g);
}

/* ---- variables ---- */

bool irv_check_variable(Verifier *v, IrRef g)
{
	const IrGlobal *rec = ir_global(v->m, g);
	IrRef           init = ir_global_init(v->m, g);
	if (rec->md && !irv_check_global_attachments(v, g))
		return false;
	if (ir_type_is_scalable(v->m, rec->type))
		return irv_global(v, g, "a variable has a fixed size: '%.*s' has a scalable vector inside",
		                  STR_ARG(irv_type(v, rec->type)));
	if (v->m->has_targets && !ir_type_may(v->m, rec->type, IRTT_GLOBAL))
		return irv_global(v, g, "a variable cannot hold the target's type in '%.*s'", STR_ARG(irv_type(v, rec->type)));
	if (!ir_type_is_sized(v->m, rec->type) && init.i)
		return irv_global(v, g, "'%.*s' has no size", STR_ARG(irv_type(v, rec->type)));
	if (init.i && !ir_type_same(ir_type_of(v->m, init), rec->type))
		return irv_global(v, g, "the initializer has type '%.*s', expected '%.*s'",
		                  STR_ARG(irv_type(v, ir_type_of(v->m, init))), STR_ARG(irv_type(v, rec->type)));
	if (rec->linkage == IRL_COMMON && init.i && !ir_is_zero(v->m, init))
		return irv_global(v, g, "a common variable begins as zero");
	if (rec->linkage == IRL_COMMON && (rec->flags & IRGF_CONSTANT))
		return irv_global(v, g, "a common variable is no constant");
	if (rec->linkage == IRL_APPENDING && ir_type_kind(v->m, rec->type) != IRT_ARRAY)
		return irv_global(v, g, "linkage 'appending' is for arrays");
	if (ir_size_bits(v->m, rec->type) >= (u64)1 << 60)
		return irv_global(v, g, "the variable is too large");
	return irv_check_linkage(v, g, init.i != 0) && check_known_list(v, g, rec, init);
}

/* ---- aliases ---- */

/* May another definition, which need not be equal, take its place? */
static bool is_interposable(u32 l) { return l == IRL_WEAK || l == IRL_LINKONCE || l == IRL_COMMON || l == IRL_EXTERN_WEAK; }

/* The defined global that an alias resolves to through casts and offsets. `weak` is set to an alias in the chain that may be
 * replaced at link time. */
static IrRef aliasee(const IrModule *m, IrRef v, IrRef *weak)
{
	for (u32 steps = 0; steps < 1000; steps++) {
		if (ir_kind(v) == IR_CONST && ir_const(m, v)->kind == IRC_EXPR && ir_const(m, v)->n_ops) {
			v = ir_const_op(m, v, 0);
		} else if (ir_kind(v) == IR_GLOBAL && ir_global(m, v)->kind == IRG_ALIAS) {
			if (steps && is_interposable(ir_global(m, v)->linkage))
				*weak = v;
			v = ir_global_init(m, v);
		} else {
			return v;
		}
	}
	return IR_NO_REF; /* a cycle */
}

bool irv_check_alias(Verifier *v, IrRef g)
{
	IrModule       *m = v->m;
	const IrGlobal *rec = ir_global(m, g);
	IrRef           weak = IR_NO_REF, to = aliasee(m, g, &weak);
	if (ir_kind(to) != IR_GLOBAL)
		return irv_global(v, g, "an alias must stand for a variable or a function");
	if (!ir_type_same(ir_type_of(m, g), ir_type_of(m, ir_global_init(m, g))))
		return irv_global(v, g, "an alias has the address space of what it stands for");
	const IrGlobal *at = ir_global(m, to);
	bool            defined = at->func ? !ir_is_decl(ir_func(m, to)) : at->init != 0,
	     available = at->linkage == IRL_AVAILABLE_EXTERNALLY;
	if (!defined || (available && rec->linkage != IRL_AVAILABLE_EXTERNALLY))
		return irv_global(v, g, "an alias must stand for a definition, '@%.*s' is %s", STR_ARG(ir_str(m, at->name)),
		                  defined ? "available_externally" : "a declaration");
	if (ir_linkage_is_local(rec->linkage) && rec->visibility != IRV_DEFAULT)
		return irv_global(v, g, "a local symbol has default visibility");
	if (ir_linkage_is_local(rec->linkage) && (rec->flags & (IRGF_DLLIMPORT | IRGF_DLLEXPORT)))
		return irv_global(v, g, "a local symbol is neither dllimport nor dllexport");
	if (rec->linkage == IRL_AVAILABLE_EXTERNALLY && !available)
		return irv_global(v, g, "an available_externally alias stands for an available_externally definition");
	if (rec->linkage == IRL_APPENDING || rec->linkage == IRL_COMMON || rec->linkage == IRL_EXTERN_WEAK)
		return irv_global(v, g, "an alias cannot have linkage '%s'", ir_linkage_name[rec->linkage]);
	if (weak.i)
		return irv_global(v, g, "an alias cannot stand for '@%.*s', an alias that may be replaced at link time",
		                  STR_ARG(ir_str(m, ir_global(m, weak)->name)));
	return true;
}

/* ---- ifuncs ---- */

/* The function whose result is the address: a definition, whose aliases will do as well. */
bool irv_check_ifunc(Verifier *v, IrRef g)
{
	IrModule       *m = v->m;
	const IrGlobal *rec = ir_global(m, g);
	IrRef           weak = IR_NO_REF, to = ir_global_init(m, g);
	while (ir_kind(to) == IR_CONST && ir_const(m, to)->kind == IRC_EXPR && ir_op_is_cast(ir_const(m, to)->op))
		to = ir_const_op(m, to, 0);
	to = ir_kind(to) == IR_GLOBAL ? aliasee(m, to, &weak) : to;
	const IrFunc *f = ir_func(m, to);
	if (rec->md && !irv_check_global_attachments(v, g))
		return false;
	if (!f)
		return irv_global(v, g, "an ifunc has a function as its resolver");
	if (ir_is_decl(f) || ir_global(m, to)->linkage == IRL_AVAILABLE_EXTERNALLY)
		return irv_global(v, g, "the resolver of an ifunc is a definition, '@%.*s' is %s",
		                  STR_ARG(ir_str(m, ir_global(m, to)->name)),
		                  ir_is_decl(f) ? "a declaration" : "available_externally");
	if (!ir_type_is_ptr(m, ir_func_ret(m, ir_global(m, to)->type)))
		return irv_global(v, g, "the resolver of an ifunc returns a pointer");
	if (rec->linkage >= IRL_COMMON || rec->linkage == IRL_AVAILABLE_EXTERNALLY)
		return irv_global(v, g, "an ifunc cannot have linkage '%s'", ir_linkage_name[rec->linkage]);
	return !(ir_linkage_is_local(rec->linkage) && rec->visibility != IRV_DEFAULT) ||
	       irv_global(v, g, "a local symbol has default visibility");
}
