/* link.c: takes into a module what it needs of libraries, as llvm-link -only-needed -internalize does.
 *
 *   declare float @f(float)                    declare float @f(float)       →   define internal float @f(float %x)
 *   library: define float @f(float %x)
 *            define float @g(float %x)             (@g is not needed: it stays out)
 *
 * A list of declarations that are used and a list of definitions that were chosen and have no body yet; each body that is copied
 * may add declarations. For each declaration the first library with a definition gives it, a strong one before a weak one; two
 * strong ones of one name are an error that names both, unless they are `_odr`. A definition of the module itself wins over
 * those of libraries where only one of the two is strong. What is taken becomes internal and leaves its comdat, so that later
 * passes see all its callers; kernels, and variables that the host may set, keep their names visible. Aliases of libraries are
 * replaced by what they stand for. Names that only a library sees give way to names that both sides see.
 *
 * Module flags are merged as the language reference has it. Named metadata rows are taken where all that they name was taken.
 * Data layouts and triples are compared. Linear in the symbols of the libraries and in what is taken. */
#include "ir/link.h"

#include "ir/internal.h"
#include "ir/libm.h"
#include "ir/link_copy.h"
#include "ir/text.h"

typedef struct Body {
	u32   lib;
	IrRef from, to;
} Body;

typedef struct Linker {
	IrModule  *m;
	Str        name;
	IrLibrary *libs;
	Copier    *copiers;
	u32        n;
	Arena     *arena;
	Map        exported; /* StrId → global of `m` with a definition out of a library */
	Map        source;   /* global of `m` → number of its library + 1 */
	Map        asked;    /* StrId of each math function that an intrinsic has needed */
	VecU32     need;     /* declarations of `m`: IrRef.i */
	Vec(Body) bodies;
	bool *used; /* by library: something was taken */
	bool  failed;
} Linker;

typedef struct LinkUser {
	Linker *l;
	u32     lib;
} LinkUser;

static bool is_definition(const IrModule *m, IrRef g)
{
	const IrGlobal *r = ir_global(m, g);
	const IrFunc   *f = ir_func(m, g);
	if (r->kind == IRG_ALIAS || r->kind == IRG_IFUNC)
		return true;
	return r->kind == IRG_FUNC ? !ir_is_decl(f) : !ir_is_none(ir_global_init(m, g));
}

static bool is_strong(const IrModule *m, IrRef g) { return !ir_linkage_is_weak(ir_global(m, g)->linkage); }
static Str  name_of(const IrModule *m, IrRef g) { return ir_str(m, ir_global(m, g)->name); }
static bool is_intrinsic_name(Str s) { return str_starts(s, "llvm."); }

static void fail(Linker *l) { l->failed = true; }

/* The definition of that name that other modules see; none. */
static IrRef definition_in(const IrModule *m, StrId name)
{
	u64 g = map_or(&m->symbols, name.i, 0);
	if (!g)
		return IR_NO_REF;
	IrRef r = ir_ref(IR_GLOBAL, (u32)g);
	bool  seen = !ir_linkage_is_local(ir_global(m, r)->linkage) && ir_global(m, r)->linkage != IRL_AVAILABLE_EXTERNALLY;
	return seen && is_definition(m, r) ? r : IR_NO_REF;
}

static Str source_of(const Linker *l, IrRef g)
{
	u64 lib = map_or(&l->source, g.i, 0);
	return lib ? l->libs[lib - 1].name : l->name;
}

static void report_clash(Linker *l, StrId name, Str first, Str second)
{
	Str s = ir_str(l->m, name);
	diag_report(&l->m->s->diags, DIAG_LINK_CLASH, (SrcRange){0}, STR_ARG(s), STR_ARG(first), STR_ARG(second));
	fail(l);
}

/* ---- choosing ---- */

/* The library that gives the definition of `name`: n where none does. */
static u32 choose(Linker *l, StrId name)
{
	u32 strong = l->n, weak = l->n;
	for (u32 i = 0; i < l->n; i++) {
		IrRef g = definition_in(l->libs[i].m, name);
		if (ir_is_none(g))
			continue;
		if (!is_strong(l->libs[i].m, g)) {
			weak = PS_MIN(weak, i);
			continue;
		}
		if (strong < l->n && l->libs[strong].m != l->libs[i].m) {
			report_clash(l, name, l->libs[strong].name, l->libs[i].name);
			return l->n;
		}
		strong = PS_MIN(strong, i);
	}
	return strong < l->n ? strong : weak;
}

static IrRef copied(Copier *c, IrRef g)
{
	u32 to = *copy_slot(c, &c->globals, ir_index(g));
	return to ? ir_ref(IR_GLOBAL, to) : IR_NO_REF;
}

static void set_copied(Copier *c, IrRef g, IrRef to) { *copy_slot(c, &c->globals, ir_index(g)) = ir_index(to); }

static bool keeps_name_visible(const IrModule *m, IrRef g)
{
	const IrFunc *f = ir_func(m, g);
	return f ? ir_is_kernel(f) : (ir_global(m, g)->flags & IRGF_EXTERNALLY_INIT) != 0;
}

/* What a global is, without its body. */
static void copy_properties(Copier *c, IrRef from, IrRef to, bool defines)
{
	const IrGlobal *r = ir_global(c->from, from);
	IrGlobal       *g = ir_global(c->to, to);
	g->type = copy_type(c, r->type);
	g->tls = r->tls;
	g->unnamed_addr = r->unnamed_addr;
	g->align = r->align;
	g->section = r->section;
	g->partition = r->partition;
	g->code_model = r->code_model;
	g->origin = 0;
	g->flags = (u16)((r->flags & (IRGF_CONSTANT | IRGF_EXTERNALLY_INIT)) | IRGF_DECLARED | (defines ? IRGF_LINKED : 0));
	g->attrs = copy_attrs(c, r->attrs);
	const IrFunc *f = ir_func(c->from, from);
	IrFunc       *t = ir_func(c->to, to);
	if (!f)
		return;
	t->cc = f->cc;
	t->fn = copy_attrs(c, f->fn);
	t->ret = copy_attrs(c, f->ret);
	t->gc = f->gc;
	for (u32 i = 0; i < f->n_args; i++)
		ir_arg(c->to, ir_func_arg(t, i))->attrs = copy_attrs(c, ir_arg(c->from, ir_func_arg(f, i))->attrs);
}

/* `to`, a declaration, gets the definition that `from` is in library `lib`. */
static void take(Linker *l, u32 lib, IrRef from, IrRef to)
{
	Copier         *c = &l->copiers[lib];
	const IrGlobal *r = ir_global(c->from, from);
	bool            visible = keeps_name_visible(c->from, from);
	set_copied(c, from, to);
	l->used[lib] = true;
	copy_properties(c, from, to, true);
	IrGlobal *g = ir_global(l->m, to);
	g->linkage = visible ? r->linkage : r->linkage == IRL_PRIVATE ? IRL_PRIVATE : IRL_INTERNAL;
	g->visibility = visible ? r->visibility : IRV_DEFAULT;
	g->comdat = 0;
	map_set(&l->source, to.i, lib + 1);
	vec_push(l->arena, &l->bodies, ((Body){lib, from, to}));
}

/* ---- names ---- */

static IrRef new_global(Linker *l, Copier *c, IrRef from, Str name)
{
	const IrGlobal *r = ir_global(c->from, from);
	IrType          type = copy_type(c, r->type);
	IrRef           to;
	if (r->kind == IRG_FUNC) {
		to = ir_func_new(l->m, name, type, IRL_EXTERNAL)->ref;
		ir_global(l->m, to)->addrspace = r->addrspace;
		ir_global(l->m, to)->ptr = ir_ptr_type(l->m, r->addrspace);
	} else {
		to = ir_var_new(l->m, name, type, r->addrspace, IRL_EXTERNAL, IR_NO_REF);
	}
	return to;
}

static bool fits(Linker *l, Copier *c, Str lib, IrRef from, IrRef to)
{
	const IrGlobal *r = ir_global(c->from, from), *g = ir_global(l->m, to);
	bool            same_kind = r->kind == g->kind;
	bool            same = same_kind && r->addrspace == g->addrspace && copy_type(c, r->type).i == g->type.i;
	/* The length of an array need not be known where it is only declared. */
	if (same_kind && r->kind == IRG_VAR && r->addrspace == g->addrspace && !is_definition(l->m, to))
		same = true;
	if (same)
		return true;
	Text a, b;
	text_init(&a, l->arena);
	text_init(&b, l->arena);
	ir_print_type(&a, l->m, g->type);
	ir_print_type(&b, c->from, r->type);
	Str name = name_of(l->m, to), first = source_of(l, to);
	diag_report(&l->m->s->diags, DIAG_LINK_TYPE, (SrcRange){0}, STR_ARG(name), STR_ARG(text_str(&a)), STR_ARG(first),
	            STR_ARG(text_str(&b)), STR_ARG(lib));
	fail(l);
	return false;
}

/* The global of `m` that others see under the name; a local one of `m` makes room for it. */
static IrRef visible_in_module(Linker *l, StrId name)
{
	u64 known = map_or(&l->exported, name.i, 0);
	if (known)
		return (IrRef){(u32)known};
	u64 g = map_or(&l->m->symbols, name.i, 0);
	if (!g)
		return IR_NO_REF;
	IrRef r = ir_ref(IR_GLOBAL, (u32)g);
	if (!ir_linkage_is_local(ir_global(l->m, r)->linkage))
		return r;
	Str s = ir_str(l->m, name);
	ir_set_name(l->m, r, arena_fmt(l->arena, "%.*s.local", STR_ARG(s)));
	return IR_NO_REF;
}

static void add_need(Linker *l, IrRef g) { vec_push(l->arena, &l->need, g.i); }

/* A weak definition of the module gives way to a strong one. */
static void drop_definition(Linker *l, IrRef g)
{
	IrFunc *f = ir_func(l->m, g);
	if (f)
		ir_func_drop_body(l->m, f);
	else
		ir_global_set_init(l->m, g, IR_NO_REF);
	ir_global(l->m, g)->linkage = IRL_EXTERNAL;
	add_need(l, g);
}

static IrRef use_existing(Linker *l, u32 lib, IrRef from, IrRef to)
{
	Copier *c = &l->copiers[lib];
	bool    ours = !map_get(&l->source, to.i);
	set_copied(c, from, to);
	if (!fits(l, c, l->libs[lib].name, from, to))
		return to;
	if (!is_definition(l->m, to)) {
		add_need(l, to);
	} else if (ours && is_definition(c->from, from) && is_strong(c->from, from)) {
		if (!is_strong(l->m, to))
			drop_definition(l, to);
		else
			report_clash(l, ir_global(l->m, to)->name, l->name, l->libs[lib].name);
	}
	return to;
}

enum { LINK_BUSY = IR_INDEX_MAX }; /* in Copier.globals: an alias that is being followed */

static IrRef follow_alias(Linker *l, u32 lib, IrRef g)
{
	Copier *c = &l->copiers[lib];
	IrRef   init = ir_global_init(c->from, g);
	set_copied(c, g, ir_ref(IR_GLOBAL, LINK_BUSY));
	IrRef to = copy_value(c, init);
	set_copied(c, g, IR_NO_REF);
	return to;
}

static IrRef link_global(Copier *c, IrRef g)
{
	LinkUser       *u = c->user;
	Linker         *l = u->l;
	const IrGlobal *r = ir_global(c->from, g);
	IrRef           to = copied(c, g);
	if (ir_index(to) == LINK_BUSY) {
		IrRef other = ir_global_init(c->from, g);
		Str   s = name_of(c->from, g), lib = l->libs[u->lib].name;
		Str   t = ir_kind(other) == IR_GLOBAL ? name_of(c->from, other) : s;
		diag_report(&l->m->s->diags, DIAG_LINK_CYCLE, (SrcRange){0}, STR_ARG(s), STR_ARG(t), STR_ARG(lib));
		fail(l);
		return ir_const_poison(l->m, r->ptr);
	}
	if (!ir_is_none(to))
		return to;
	if (r->kind == IRG_ALIAS)
		return follow_alias(l, u->lib, g);
	if (r->kind == IRG_IFUNC) {
		Str s = name_of(c->from, g), lib = l->libs[u->lib].name;
		diag_report(&l->m->s->diags, DIAG_LINK_UNABLE, (SrcRange){0}, STR_ARG(s), STR_ARG(lib), "it is an ifunc");
		fail(l);
		return ir_const_poison(l->m, ir_ptr_type(l->m, r->addrspace));
	}
	if (ir_linkage_is_local(r->linkage)) {
		to = new_global(l, c, g, ir_str(c->from, r->name));
		take(l, u->lib, g, to);
		return to;
	}
	to = visible_in_module(l, r->name);
	if (!ir_is_none(to))
		return use_existing(l, u->lib, g, to);
	to = new_global(l, c, g, ir_str(c->from, r->name));
	set_copied(c, g, to);
	copy_properties(c, g, to, false);
	if (r->linkage == IRL_EXTERN_WEAK)
		ir_global(l->m, to)->linkage = IRL_EXTERN_WEAK;
	if (!is_intrinsic_name(ir_str(c->from, r->name)))
		add_need(l, to);
	return to;
}

static IrRef taken_global(Copier *c, IrRef g)
{
	IrRef to = copied(c, g);
	return ir_index(to) == LINK_BUSY ? IR_NO_REF : to;
}

/* ---- the work ---- */

/* A library's alias of that name: what is declared is what it stands for. */
static void take_alias(Linker *l, u32 lib, IrRef from, IrRef decl)
{
	IrRef to = link_global(&l->copiers[lib], from);
	if (l->failed)
		return;
	ir_replace_all_uses(l->m, decl, ir_const_cast(l->m, IR_ADDRSPACECAST, to, ir_global(l->m, decl)->ptr));
	ir_global_remove(l->m, decl);
}

static void satisfy(Linker *l, IrRef g)
{
	if (is_definition(l->m, g) || map_get(&l->source, g.i))
		return;
	StrId name = ir_global(l->m, g)->name;
	u32   lib = choose(l, name);
	if (lib == l->n)
		return;
	IrModule *from = l->libs[lib].m;
	IrRef     def = definition_in(from, name);
	u32       kind = ir_global(from, def)->kind;
	if (kind == IRG_ALIAS || kind == IRG_IFUNC) {
		take_alias(l, lib, def, g);
		return;
	}
	if (!fits(l, &l->copiers[lib], l->libs[lib].name, def, g))
		return;
	take(l, lib, def, g);
	map_set(&l->exported, name.i, g.i);
}

static bool takes_block_address(const IrModule *m, const IrFunc *f)
{
	ir_each_use(m, f->ref, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) == IR_CONST && ir_const(m, user)->kind == IRC_BLOCKADDR)
			return true;
	}
	return false;
}

static void copy_extra(Copier *c, const IrFunc *f, IrFunc *to)
{
	for (u32 i = 0; i < PS_COUNT(f->extra); i++) {
		if (!f->extra[i])
			continue;
		to->extra[i] = ir_lasting_uses(c->to, 1);
		ir_use(c->to, to->extra[i])->user = to->ref;
		ir_set_use(c->to, to->extra[i], copy_value(c, ir_use(c->from, f->extra[i])->value));
	}
}

static void give_function(Linker *l, const Body *b)
{
	Copier *c = &l->copiers[b->lib];
	IrFunc *f = ir_func(c->from, b->from), *to = ir_func(l->m, b->to);
	bool    read = f->body == IRB_DEFERRED;
	Str     name = name_of(c->from, b->from), lib = l->libs[b->lib].name;
	if (read && (!ir_read_body(c->from, f) || !ir_verify_func(c->from, f))) {
		l->libs[b->lib].broken = true;
		fail(l);
		return;
	}
	if (takes_block_address(c->from, f)) {
		diag_report(&l->m->s->diags, DIAG_LINK_UNABLE, (SrcRange){0}, STR_ARG(name), STR_ARG(lib),
		            "the address of one of its blocks is taken");
		fail(l);
		return;
	}
	copy_extra(c, f, to);
	copy_body(c, f, to);
	if (read)
		ir_give_back_body(c->from, f);
}

static void give_body(Linker *l, const Body *b)
{
	Copier *c = &l->copiers[b->lib];
	ir_global(l->m, b->to)->md = copy_attachments(c, ir_global(c->from, b->from)->md);
	if (ir_func(c->from, b->from))
		give_function(l, b);
	else
		ir_global_set_init(l->m, b->to, copy_value(c, ir_global_init(c->from, b->from)));
}

/* lower-libm calls functions of the math library for intrinsics like llvm.sin. What the calls of intrinsic `g` need is declared here,
 * where a library has it. Returns whether that added a declaration to find. */
static bool need_of_intrinsic(Linker *l, IrRef g)
{
	bool added = false;
	ir_each_use(l->m, g, u) {
		IrRef call = ir_use(l->m, u)->user;
		if (ir_kind(call) != IR_INST || ir_libm(l->m, call).how != IRLIBM_NOT_APPROXIMATED)
			continue;
		Str   name = ir_libm_function(l->arena, l->m, call);
		StrId id = strtab_add(&l->m->s->strs, name);
		bool  fresh;
		map_put(&l->asked, id.i, &fresh);
		u32 lib = fresh ? choose(l, id) : l->n;
		if (lib == l->n)
			continue;
		IrRef def = definition_in(l->libs[lib].m, id);
		add_need(l, ir_declare(l->m, name, copy_type(&l->copiers[lib], ir_global(l->libs[lib].m, def)->type)));
		added = true;
	}
	return added;
}

/* Copies needed definitions until none is missing that a library has. */
static void take_needed(Linker *l, u32 *need, u32 *body)
{
	while (!l->failed && (*need < l->need.n || *body < l->bodies.n)) {
		if (*need < l->need.n) {
			satisfy(l, (IrRef){l->need.p[(*need)++]});
		} else {
			Body b = l->bodies.p[(*body)++];
			give_body(l, &b);
		}
	}
}

static void work(Linker *l)
{
	u32 need = 0, body = 0;
	ir_each_global(l->m, g)
		if (!is_definition(l->m, g) && ir_has_uses(l->m, g) && !is_intrinsic_name(name_of(l->m, g)))
			add_need(l, g);
	/* Bodies that were copied may call further intrinsics. */
	for (bool again = true; again && !l->failed;) {
		take_needed(l, &need, &body);
		again = false;
		ir_each_global(l->m, g)
			if (!is_definition(l->m, g) && is_intrinsic_name(name_of(l->m, g)))
				again |= need_of_intrinsic(l, g);
	}
}

/* ---- module flags ---- */

enum { FLAG_ERROR = 1, FLAG_WARNING, FLAG_REQUIRE, FLAG_OVERRIDE, FLAG_APPEND, FLAG_APPEND_UNIQUE, FLAG_MAX, FLAG_MIN };

/* A row of !llvm.module.flags: its behaviour and, where it is one, its integer. */
static bool read_flag(const IrModule *m, IrMd row, u64 *behaviour, Str *key, u64 *value)
{
	IrMd b = ir_md_op(m, row, 0), k = ir_md_op(m, row, 1), v = ir_md_op(m, row, 2);
	*value = 0;
	if (!b.i || !k.i || !v.i || ir_md(m, b)->kind != IRMD_VALUE || !ir_as_int(m, ir_md(m, b)->value, behaviour))
		return false;
	*key = ir_str(m, ir_md(m, k)->text);
	if (ir_md(m, v)->kind == IRMD_VALUE)
		ir_as_int(m, ir_md(m, v)->value, value);
	return true;
}

static void merge_flag(Linker *l, u32 lib, IrMd row)
{
	Copier *c = &l->copiers[lib];
	u64     behaviour, value, b, v;
	Str     key, k;
	if (!read_flag(c->from, row, &behaviour, &key, &value))
		return;
	IrNamedMd *flags = ir_named_md(l->m, "llvm.module.flags");
	for (u32 i = 0; flags && i < flags->n; i++) {
		u32 *at = &l->m->md_ops.p[flags->first + i];
		if (!read_flag(l->m, (IrMd){*at}, &b, &k, &v) || !str_eq(k, key) || b == FLAG_REQUIRE ||
		    behaviour == FLAG_REQUIRE)
			continue;
		bool differs = v != value;
		if (differs && b != FLAG_OVERRIDE && (b == FLAG_ERROR || behaviour == FLAG_ERROR) && behaviour != FLAG_OVERRIDE) {
			diag_report(&l->m->s->diags, DIAG_LINK_FLAG, (SrcRange){0}, STR_ARG(key), (unsigned long long)v,
			            STR_ARG(l->name), (unsigned long long)value, STR_ARG(l->libs[lib].name));
			fail(l);
		} else if ((behaviour == FLAG_OVERRIDE && b != FLAG_OVERRIDE) || (b == FLAG_MAX && value > v) ||
		           (b == FLAG_MIN && value < v)) {
			IrMd copy = copy_md(c, row);
			l->m->md_ops.p[ir_named_md(l->m, "llvm.module.flags")->first + i] = copy.i;
		} else if (differs && (b == FLAG_WARNING || behaviour == FLAG_WARNING)) {
			diag_report(&l->m->s->diags, DIAG_LINK_FLAG_KEPT, (SrcRange){0}, STR_ARG(key), (unsigned long long)v,
			            STR_ARG(l->name), (unsigned long long)value, STR_ARG(l->libs[lib].name));
		}
		return;
	}
	ir_named_md_add(l->m, "llvm.module.flags", copy_md(c, row));
}

/* ---- named metadata ---- */

/* Does a row name a global that was not taken? */
static bool names_a_stranger(Copier *c, IrMd row)
{
	const IrMdNode *n = ir_md(c->from, row);
	if (n->kind != IRMD_NODE)
		return false;
	for (u32 i = 0; i < n->n; i++) {
		IrMd op = ir_md_op(c->from, row, i);
		if (op.i && ir_md(c->from, op)->kind == IRMD_VALUE && ir_kind(ir_md(c->from, op)->value) == IR_GLOBAL &&
		    ir_is_none(taken_global(c, ir_md(c->from, op)->value)))
			return true;
	}
	return false;
}

/* Compile units come with what was taken; versions and producers are the module's own, where it says them. */
static bool wants_row(Copier *c, Str name, IrMd row, bool had)
{
	if (str_is(name, "llvm.dbg.cu"))
		return *copy_slot(c, &c->mds, row.i) != 0;
	if (str_is(name, "nvvm.annotations"))
		return !names_a_stranger(c, row);
	return !had && !names_a_stranger(c, row);
}

static void merge_metadata(Linker *l, u32 lib)
{
	Copier *c = &l->copiers[lib];
	for (u32 i = 0; i < c->from->named_md.n; i++) {
		IrNamedMd   n = c->from->named_md.p[i];
		Str         name = ir_str(c->from, n.name);
		const char *key = arena_str(l->arena, name).p;
		bool        had = ir_named_md(l->m, key) != NULL;
		for (u32 k = 0; k < n.n; k++) {
			IrMd row = {c->from->md_ops.p[n.first + k]};
			if (str_is(name, "llvm.module.flags"))
				merge_flag(l, lib, row);
			else if (wants_row(c, name, row, had))
				ir_named_md_add(l->m, key, copy_md(c, row));
		}
	}
	for (u32 i = 0; i < c->from->asm_lines.n; i++)
		vec_push(l->m->arena, &l->m->asm_lines, c->from->asm_lines.p[i]);
}

/* ---- targets ---- */

/* The part of a triple that decides about code: the architecture. */
static Str architecture(Str triple)
{
	const char *dash = memchr(triple.p ? triple.p : "", '-', triple.n);
	return dash ? (Str){triple.p, (u32)(dash - triple.p)} : triple;
}

/* Do the layouts give pointers and plain types the same sizes and alignments? Libraries of NVIDIA say less of theirs. */
static bool same_layout(IrModule *a, IrModule *b)
{
	for (u32 space = 0; space <= 5; space++)
		if (ir_ptr_bits(a, space) != ir_ptr_bits(b, space))
			return false;
	for (u32 t = IR_TY_HALF; t < IR_TY_FIXED; t++) {
		bool plain = (t >= IR_TY_HALF && t <= IR_TY_DOUBLE) || (t >= IR_TY_I1 && t <= IR_TY_I64);
		if (plain && (ir_alloc_size(a, (IrType){t}) != ir_alloc_size(b, (IrType){t}) ||
		              ir_abi_align(a, (IrType){t}) != ir_abi_align(b, (IrType){t})))
			return false;
	}
	return true;
}

static void compare_targets(Linker *l, const IrLibrary *lib)
{
	Diags *d = &l->m->s->diags;
	Str    a = ir_str(l->m, l->m->triple), b = ir_str(lib->m, lib->m->triple);
	if (a.n && b.n && !str_eq(architecture(a), architecture(b)))
		diag_report(d, DIAG_LINK_TRIPLE, (SrcRange){0}, STR_ARG(lib->name), STR_ARG(b), STR_ARG(l->name), STR_ARG(a));
	if (l->m->layout_given && lib->m->layout_given && !same_layout(l->m, lib->m)) {
		Str x = ir_str(l->m, l->m->layout_text), y = ir_str(lib->m, lib->m->layout_text);
		diag_report(d, DIAG_LINK_LAYOUT, (SrcRange){0}, STR_ARG(lib->name), STR_ARG(y), STR_ARG(l->name), STR_ARG(x));
	}
}

bool ir_link(IrModule *to, Str to_name, IrLibrary *libs, u32 n)
{
	Arena  arena;
	Linker l = {.m = to, .name = to_name, .libs = libs, .n = n, .arena = &arena};
	arena_init(&arena, &to->s->budget);
	map_init(&l.exported, &arena);
	map_init(&l.source, &arena);
	map_init(&l.asked, &arena);
	l.copiers = arena_array(&arena, Copier, n);
	l.used = arena_array(&arena, bool, n);
	LinkUser *users = arena_array(&arena, LinkUser, n);
	for (u32 i = 0; i < n; i++) {
		Copier *c = &l.copiers[i];
		users[i] = (LinkUser){&l, i};
		copier_init(c, to, libs[i].m, &arena);
		c->global = link_global;
		c->taken = taken_global;
		c->user = &users[i];
	}
	work(&l);
	for (u32 i = 0; i < n && !l.failed; i++) {
		if (!l.used[i])
			continue;
		compare_targets(&l, &libs[i]);
		merge_metadata(&l, i);
	}
	arena_free(&arena);
	return !l.failed;
}
