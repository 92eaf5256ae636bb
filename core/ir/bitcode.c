/* bitcode.c: reads LLVM bitcode (of LLVM 14 to 22; older modules whose calls and loads name their types, as libdevice's, too): top-level
 * blocks, the records of a module, and the order of work:
 *
 *   1. the string table, which follows the module and has the names of its globals
 *   2. the module but for bodies, whose places are noted
 *   3. what names values: initializers, aliasees, prefix data
 *   4. bodies, all of them or one by one (bc_read_body); blockaddress last
 *
 * Then the same upgrade as for text. Source: LLVM's documents "LLVM Bitcode File Format" and "LLVM Language Reference". Linear in the file. */
#include "ir/bitcode.h"
#include "ir/bitcode_file.h"

/* ---- errors ---- */

static const char *block_name(u32 id)
{
	static const char *const names[] = {[0] = "BLOCKINFO",
	                                    [BCB_MODULE] = "MODULE",
	                                    [BCB_PARAMATTR] = "PARAMATTR",
	                                    [BCB_PARAMATTR_GROUP] = "PARAMATTR_GROUP",
	                                    [BCB_CONSTANTS] = "CONSTANTS",
	                                    [BCB_FUNCTION] = "FUNCTION",
	                                    [BCB_IDENTIFICATION] = "IDENTIFICATION",
	                                    [BCB_VALUE_SYMTAB] = "VALUE_SYMTAB",
	                                    [BCB_METADATA] = "METADATA",
	                                    [BCB_METADATA_ATTACHMENT] = "METADATA_ATTACHMENT",
	                                    [BCB_TYPE] = "TYPE",
	                                    [BCB_USELIST] = "USELIST",
	                                    [BCB_OPERAND_BUNDLE_TAGS] = "OPERAND_BUNDLE_TAGS",
	                                    [BCB_METADATA_KIND] = "METADATA_KIND",
	                                    [BCB_STRTAB] = "STRTAB",
	                                    [BCB_SYNC_SCOPE_NAMES] = "SYNC_SCOPE_NAMES"};
	return id < PS_COUNT(names) ? names[id] : NULL;
}

/* "byte 1234, bit 5, in record 7 of a CONSTANTS block" */
static Str place(Bc *b, u64 bit, u32 block, u32 record)
{
	const char *name = block_name(block);
	Text        t;
	text_init(&t, b->arena);
	text_f(&t, "byte %llu, bit %u", (unsigned long long)(b->container + bit / 8), (u32)(bit % 8));
	if (name)
		text_f(&t, ", record %u of the %s block", record, name);
	if (b->func)
		text_f(&t, " in '@%.*s'", STR_ARG(ir_str(b->m, ir_global(b->m, b->func->ref)->name)));
	return text_str(&t);
}

static void report(Bc *b, Str what, bool newer)
{
	const BcStream *in = &b->in;
	Str             at = place(b, in->fault_at, in->fault_block, in->fault_record);
	if (b->reported)
		return;
	b->reported = true;
	if (newer)
		diag_report(&b->s->diags, DIAG_BC_NEWER, (SrcRange){0}, STR_ARG(b->producer), STR_ARG(what), STR_ARG(at));
	else if (b->producer_major && b->producer_major < IR_OLDEST_VERSION)
		diag_report(&b->s->diags, DIAG_BC_OLDER, (SrcRange){0}, STR_ARG(b->producer), STR_ARG(what), STR_ARG(at));
	else
		diag_report(&b->s->diags, DIAG_BC_INVALID, (SrcRange){0}, STR_ARG(what), STR_ARG(at));
}

/* The place is that of the record at hand. */
static void note_fault(Bc *b)
{
	b->in.at = b->in.rec.at;
	bc_fault(&b->in, "");
}

bool bc_error(Bc *b, const char *fmt, ...)
{
	va_list ap;
	if (b->in.fault)
		return false;
	note_fault(b);
	va_start(ap, fmt);
	report(b, arena_vfmt(b->arena, fmt, ap), false);
	va_end(ap);
	return false;
}

bool bc_unknown(Bc *b, const char *what, u64 number)
{
	if (b->in.fault)
		return false;
	note_fault(b);
	report(b, arena_fmt(b->arena, "there is no %s with the number %llu", what, (unsigned long long)number),
	       b->producer_major > IR_VERSION);
	return false;
}

/* ---- strings ---- */

Str bc_char_str(Bc *b, u32 from, u32 n)
{
	char *p = arena_alloc(b->arena, (u64)n + 1, 1);
	for (u32 i = 0; i < n; i++)
		p[i] = (char)(u8)b->in.rec.op[from + i];
	return (Str){p, n};
}

StrId bc_chars(Bc *b, u32 from)
{
	u32  n = b->in.rec.n > from ? b->in.rec.n - from : 0;
	char few[128];
	if (n > sizeof few)
		return strtab_add(&b->s->strs, bc_char_str(b, from, n));
	for (u32 i = 0; i < n; i++)
		few[i] = (char)(u8)b->in.rec.op[from + i];
	return strtab_add(&b->s->strs, (Str){few, n});
}

/* Of the string table: operands `at` and `at` + 1 are offset and length. */
static StrId table_string(Bc *b, u32 at)
{
	u64 offset = bc_op(b, at), n = bc_op(b, at + 1);
	if (!bc_check(b, offset <= b->strtab.n && n <= b->strtab.n - offset, "a name lies outside of the string table"))
		return (StrId){0};
	return strtab_add(&b->s->strs, (Str){n ? b->strtab.p + offset : "", (u32)n}); /* there may be no table */
}

/* ---- globals ---- */

static u8 linkage_of(Bc *b, u64 v)
{
	static const u8 linkages[] = {
		IRL_EXTERNAL,
		IRL_WEAK,
		IRL_APPENDING,
		IRL_INTERNAL,
		IRL_LINKONCE,
		IRL_EXTERNAL,
		IRL_EXTERNAL,
		IRL_EXTERN_WEAK,
		IRL_COMMON,
		IRL_PRIVATE,
		IRL_WEAK_ODR,
		IRL_LINKONCE_ODR,
		IRL_AVAILABLE_EXTERNALLY,
		IRL_PRIVATE,
		IRL_PRIVATE,
		IRL_EXTERNAL,
		IRL_WEAK,
		IRL_WEAK_ODR,
		IRL_LINKONCE,
		IRL_LINKONCE_ODR,
	};
	if (bc_check(b, v < PS_COUNT(linkages), "a linkage is unknown"))
		return linkages[v];
	return 0;
}

static StrId indexed(Bc *b, const VecStr *list, u64 plus_one)
{
	if (!plus_one || !bc_check(b, plus_one <= list->n, "a section or a collector is not defined"))
		return (StrId){0};
	return strtab_add(&b->s->strs, list->p[plus_one - 1]);
}

static void take_name(Bc *b, IrRef g, StrId name)
{
	bool fresh = true;
	if (name.i)
		*map_put(&b->m->symbols, name.i, &fresh) = ir_index(g);
	if (!fresh)
		bc_error(b, "'@%.*s' is defined twice", STR_ARG(ir_str(b->m, name)));
	ir_global(b->m, g)->name = name;
}

/* The record of a global; its operands begin behind the name. */
static IrRef global(Bc *b, IrGlobalKind kind, IrType type, u64 space)
{
	if (!bc_ok(b) || !bc_check(b, space < 1 << 24, "an address space is too large"))
		return IR_NO_REF;
	IrRef     g = ir_ref(IR_GLOBAL, pages_new(&b->m->globals));
	IrGlobal *x = ir_global(b->m, g);
	x->kind = (u8)kind;
	x->type = type;
	x->ptr = ir_ptr_type(b->m, (u32)space);
	x->addrspace = (u32)space;
	x->flags = IRGF_DECLARED;
	if (b->version >= 2)
		take_name(b, g, table_string(b, 0));
	bc_next_value(b, (BcValue){.ref = g, .type = x->ptr, .block = kind == IRG_FUNC ? BC_ASK : 0});
	return g;
}

/* Behind the linkage: what all kinds of globals have. UINT32_MAX: the record has no such operand. */
typedef struct Places {
	u32 linkage, align, section, visibility, tls, unnamed_addr, dll, comdat, dso_local, partition;
} Places;

static u64 at_place(const Bc *b, u32 base, u32 place) { return place == UINT32_MAX ? 0 : bc_op(b, base + place); }

static void common(Bc *b, IrRef ref, u32 base, const Places *p)
{
	static const u8 unnamed[] = {IRUA_NONE, IRUA_GLOBAL, IRUA_LOCAL};
	IrGlobal       *g = ir_global(b->m, ref);
	u64             linkage = at_place(b, base, p->linkage), align = at_place(b, base, p->align);
	u64             visibility = at_place(b, base, p->visibility), tls = at_place(b, base, p->tls);
	u64             dll = at_place(b, base, p->dll), comdat = at_place(b, base, p->comdat);
	g->linkage = linkage_of(b, linkage);
	bc_check(b, align <= 33 && visibility <= IRV_PROTECTED && tls <= IRTLS_LOCALEXEC && dll <= 2, "a global is malformed");
	bool has_comdat = p->comdat != UINT32_MAX && base + p->comdat < b->in.rec.n && comdat;
	bc_check(b, !has_comdat || comdat <= b->m->comdats.n, "a comdat is not defined");
	g->align = (u8)PS_MIN(align, 33u);
	g->section = indexed(b, &b->sections, at_place(b, base, p->section));
	g->visibility = (u8)visibility;
	g->tls = (u8)tls;
	g->unnamed_addr = unnamed[at_place(b, base, p->unnamed_addr) % 3];
	g->comdat = has_comdat ? (u32)comdat : 0;
	g->flags |= dll == 1 || linkage == 5 ? IRGF_DLLIMPORT : dll == 2 || linkage == 6 ? IRGF_DLLEXPORT : 0;
	bool implied = ir_linkage_is_local(g->linkage) || (g->visibility != IRV_DEFAULT && g->linkage != IRL_EXTERN_WEAK);
	if (at_place(b, base, p->dso_local) && !implied)
		g->flags |= IRGF_DSO_LOCAL;
	if (b->version >= 2 && base + p->partition + 1 < b->in.rec.n)
		g->partition = table_string(b, base + p->partition);
}

static void later(Bc *b, IrRef g, u32 which, u64 plus_one)
{
	if (plus_one)
		vec_push(b->arena, &b->inits, ((BcInit){g, which, plus_one - 1}));
}

/* A type that old records give as that of a pointer: the type it points to; *space is its address space. */
static IrType pointed_to(Bc *b, u64 type, u64 *space)
{
	u32 pointee = type < b->types.n ? b->types.p[type].pointee : 0;
	if (!bc_check(b, pointee != 0, "a global has no type"))
		return (IrType){0};
	*space = ir_type(b->m, b->types.p[type].t)->bits;
	return bc_type(b, pointee - 1);
}

/* [type, constant 1 | explicit type 2 | address space << 2, initializer, linkage, alignment, section, visibility, thread local,
 *  unnamed_addr, externally initialized, dll, comdat, attributes, dso_local, partition, length, sanitizers, code model] */
static void variable(Bc *b)
{
	static const Places places = {3, 4, 5, 6, 7, 8, 10, 11, 13, 14};
	static const char  *models[] = {"tiny", "small", "kernel", "medium", "large"};
	u32                 base = b->version >= 2 ? 2 : 0;
	if (!bc_need(b, base + 6))
		return;
	u64    bits = bc_op(b, base + 1), space = bits >> 2;
	IrType t = bits & 2 ? bc_value_type(b, bc_op(b, base)) : pointed_to(b, bc_op(b, base), &space);
	if (bc_ok(b) && (!bc_is_value_type(b->m, t) || ir_type_kind(b->m, t) == IRT_TOKEN))
		bc_error(b, "a variable has a type that is not allowed");
	IrRef ref = global(b, IRG_VAR, t, space);
	if (!ref.i)
		return;
	IrGlobal *g = ir_global(b->m, ref);
	g->flags |= bits & 1 ? IRGF_CONSTANT : 0;
	g->flags |= bc_op(b, base + 9) ? IRGF_EXTERNALLY_INIT : 0;
	common(b, ref, base, &places);
	u64 model = bc_op(b, base + 17), sanitizers = bc_op(b, base + 16);
	if (!bc_ok(b) || !bc_check(b, model <= PS_COUNT(models), "a code model is unknown"))
		return;
	g->attrs = bc_attr_list(b, bc_op(b, base + 12))->fn;
	g->flags |= (u16)((sanitizers & 15) * IRGF_SANITIZE);
	if (model)
		g->code_model = strtab_add(&b->s->strs, str_of(models[model - 1]));
	bc_check(b, g->linkage != IRL_EXTERN_WEAK || !bc_op(b, base + 2), "a variable that may be missing has a value");
	later(b, ref, 0, bc_op(b, base + 2));
	vec_push(b->arena, &b->m->order, ir_index(ref));
}

/* [type, convention, is declaration, linkage, attributes, alignment, section, visibility, collector, unnamed_addr, prologue, dll, comdat,
 *  prefix, personality, dso_local, address space, partition, length] */
static void function(Bc *b)
{
	static const Places places = {3, 5, 6, 7, UINT32_MAX, 9, 11, 12, 15, 17};
	u32                 base = b->version >= 2 ? 2 : 0;
	u64                 space = 0;
	if (!bc_need(b, base + 8))
		return;
	IrType t = bc_type(b, bc_op(b, base));
	if (bc_ok(b) && ir_type_is_ptr(b->m, t))
		t = pointed_to(b, bc_op(b, base), &space);
	if (!bc_ok(b) || !bc_check(b, ir_type_kind(b->m, t) == IRT_FUNC, "a function has a type that is no function's"))
		return;
	space = base + 16 < b->in.rec.n ? bc_op(b, base + 16) : space;
	IrRef ref = global(b, IRG_FUNC, t, space);
	if (!ref.i)
		return;
	common(b, ref, base, &places);
	IrFunc           *f = ir_func_make(b->m, ref, t);
	const BcAttrList *attrs = bc_attr_list(b, bc_op(b, base + 4));
	bc_check(b, attrs->n_params <= f->n_args, "attributes are for a parameter that a function does not have");
	bc_check(b, bc_op(b, base + 1) < 1024, "a calling convention is unknown");
	f->cc = (u16)(bc_op(b, base + 1) & 1023);
	f->fn = attrs->fn;
	f->ret = attrs->ret;
	for (u32 i = 0; i < f->n_args && i < attrs->n_params; i++)
		ir_arg(b->m, ir_func_arg(f, i))->attrs = (IrAttrs){b->param_sets.p[attrs->params + i]};
	f->gc = indexed(b, &b->gcs, bc_op(b, base + 8));
	later(b, ref, 1, bc_op(b, base + 13)); /* in the order of IrFunc.extra */
	later(b, ref, 2, bc_op(b, base + 10));
	later(b, ref, 3, bc_op(b, base + 14));
	if (!bc_op(b, base + 2))
		vec_push(b->arena, &b->bodies, ir_index(ref));
	vec_push(b->arena, &b->functions, ir_index(ref));
}

/* [type, address space, aliasee, linkage, visibility, dll, thread local, unnamed_addr, dso_local, partition, length];
 * ifunc: [type, address space, resolver, linkage, visibility, dso_local, partition, length] */
static void alias(Bc *b, IrGlobalKind kind)
{
	static const Places places[] = {{3, UINT32_MAX, UINT32_MAX, 4, 6, 7, 5, UINT32_MAX, 8, 9},
	                                {3, UINT32_MAX, UINT32_MAX, 4, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 5, 6}};
	u32                 base = b->version >= 2 ? 2 : 0;
	IrType              t = bc_need(b, base + 4) ? bc_type(b, bc_op(b, base)) : (IrType){0};
	IrRef               ref = global(b, kind, t, bc_op(b, base + 1));
	if (!ref.i)
		return;
	common(b, ref, base, &places[kind == IRG_IFUNC]);
	later(b, ref, 0, bc_op(b, base + 2) + 1);
	vec_push(b->arena, &b->m->order, ir_index(ref));
}

/* [kind] behind the name; version 1: [kind, n, characters] */
static void comdat(Bc *b)
{
	static const char *const kinds[] = {NULL, "any", "exactmatch", "largest", "nodeduplicate", "samesize"};
	u32                      base = b->version >= 2 ? 2 : 0;
	u64                      kind = bc_op(b, base);
	if (!bc_check(b, kind > 0 && kind < PS_COUNT(kinds), "a comdat has an unknown kind"))
		return;
	StrId name = base ? table_string(b, 0) : bc_chars(b, 2);
	vec_push(b->arena, &b->m->comdats, ((IrComdat){name, strtab_add(&b->s->strs, str_of(kinds[kind]))}));
}

/* Version 1: names of globals in a block of the module. */
static void symbol_block(Bc *b)
{
	enum { ENTRY = 1, FNENTRY = 3 };
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		if (e == BC_BLOCK) {
			bc_skip(&b->in);
			continue;
		}
		u32 code = b->in.rec.code, from = code == FNENTRY ? 2 : 1;
		u64 number = bc_op(b, 0);
		if ((code != ENTRY && code != FNENTRY) || b->in.rec.n <= from)
			continue;
		IrRef g = number < b->n_globals ? b->values.p[number].ref : IR_NO_REF;
		if (bc_check(b, g.i != 0 && !ir_global(b->m, g)->name.i, "a name is for something that is no global, or has one"))
			take_name(b, g, bc_chars(b, from));
	}
}

/* ---- the module ---- */

static void assembly(Bc *b)
{
	Str s = bc_char_str(b, 0, b->in.rec.n);
	while (s.n) {
		const char *nl = memchr(s.p, '\n', s.n);
		u32         n = nl ? (u32)(nl - s.p) : s.n;
		vec_push(b->arena, &b->m->asm_lines, strtab_add(&b->s->strs, (Str){s.p, n}));
		n += nl != NULL;
		s = (Str){s.p + n, s.n - n};
	}
}

/* As LLVM 22 has it; where nothing is written, a target may have one all the same. */
static void set_layout(Bc *b, Str written)
{
	IrModule *m = b->m;
	Str       now = ir_layout_upgraded(b->arena, written, ir_str(m, m->triple));
	if (!now.n)
		return;
	m->layout_text = strtab_add(&b->s->strs, now);
	m->layout_given = true;
	if (!ir_layout_parse(&m->layout, ir_str(m, m->layout_text)))
		bc_error(b, "malformed data layout \"%.*s\"", STR_ARG(ir_str(m, m->layout_text)));
}

static void module_record(Bc *b)
{
	enum {
		VERSION = 1,
		TRIPLE,
		DATALAYOUT,
		ASM,
		SECTIONNAME,
		DEPLIB,
		GLOBALVAR,
		FUNCTION,
		ALIAS_OLD,
		GCNAME = 11,
		COMDAT,
		VSTOFFSET,
		ALIAS,
		METADATA_VALUES,
		SOURCE_FILENAME,
		HASH,
		IFUNC
	};
	u32 n = b->in.rec.n;
	switch (b->in.rec.code) {
	case VERSION:
		b->version = (u32)PS_MIN(bc_op(b, 0), UINT32_MAX);
		if (b->version > 2)
			bc_unknown(b, "version of a module", b->version);
		break;
	case TRIPLE:
		b->m->triple = bc_chars(b, 0);
		set_layout(b, STR(""));
		break;
	case DATALAYOUT: set_layout(b, bc_char_str(b, 0, n)); break;
	case ASM: assembly(b); break;
	case SECTIONNAME: vec_push(b->arena, &b->sections, bc_char_str(b, 0, n)); break;
	case GCNAME: vec_push(b->arena, &b->gcs, bc_char_str(b, 0, n)); break;
	case GLOBALVAR: variable(b); break;
	case FUNCTION: function(b); break;
	case ALIAS: alias(b, IRG_ALIAS); break;
	case IFUNC: alias(b, IRG_IFUNC); break;
	case COMDAT: comdat(b); break;
	case SOURCE_FILENAME: b->m->source_name = bc_chars(b, 0); break;
	case ALIAS_OLD: bc_error(b, "an alias of LLVM before 3.8 is not read"); break;
	case DEPLIB:
	case VSTOFFSET:
	case METADATA_VALUES:
	case HASH: break;
	default: bc_unknown(b, "module record", b->in.rec.code);
	}
	if (b->in.rec.code == GLOBALVAR || b->in.rec.code == FUNCTION || b->in.rec.code == ALIAS || b->in.rec.code == IFUNC) {
		bc_check(b, !b->consts.n, "a global follows constants");
		b->n_globals = b->next_value;
	}
}

/* Strings of a block, one in each record: tags of operand bundles, names of scopes. */
static void name_block(Bc *b, VecU32 *list)
{
	enum { NAME = 1 };
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;)
		if (e == BC_BLOCK)
			bc_skip(&b->in);
		else if (bc_check(b, b->in.rec.code == NAME, "a name has another code than 1"))
			vec_push(b->arena, list, bc_chars(b, 0).i);
}

/* The first two numbers have a meaning of their own, whatever they are called. */
static void scope_block(Bc *b)
{
	VecU32 names = {0}, *all = &b->m->scopes;
	name_block(b, &names);
	bc_check(b, names.n != 0, "a block of synchronisation scopes is empty");
	for (u32 i = b->scopes.n; i < names.n; i++) {
		u32 at = 0;
		while (at < all->n && all->p[at] != names.p[i])
			at++;
		if (!bc_check(b, at < 255, "too many synchronisation scopes"))
			return;
		if (at == all->n)
			vec_push(b->arena, all, names.p[i]);
		vec_push(b->arena, &b->scopes, at);
	}
}

/* A module has at most one of each of these blocks. */
static bool is_first(Bc *b)
{
	u32 once = 1u << BCB_TYPE | 1u << BCB_PARAMATTR | 1u << BCB_PARAMATTR_GROUP | 1u << BCB_OPERAND_BUNDLE_TAGS |
	           1u << BCB_SYNC_SCOPE_NAMES;
	u32 bit = b->in.block < 32 ? once & 1u << b->in.block : 0;
	if (!bc_check(b, !(b->blocks_seen & bit), "a module has two blocks of a kind of which it has one"))
		return false;
	b->blocks_seen |= bit;
	return true;
}

static void module_block(Bc *b)
{
	if (!is_first(b))
		return;
	switch (b->in.block) {
	case 0: bc_enter(&b->in); break;
	case BCB_TYPE: bc_type_block(b); break;
	case BCB_PARAMATTR_GROUP: bc_attr_group_block(b); break;
	case BCB_PARAMATTR: bc_attr_block(b); break;
	case BCB_CONSTANTS: bc_const_block(b); break;
	case BCB_METADATA:
		bc_md_block(b);
		ir_md_upgrade_imports(b->m);
		break;
	case BCB_METADATA_KIND: bc_md_kind_block(b); break;
	case BCB_OPERAND_BUNDLE_TAGS: name_block(b, &b->bundle_tags); break;
	case BCB_SYNC_SCOPE_NAMES: scope_block(b); break;
	case BCB_VALUE_SYMTAB:
		if (b->version < 2)
			symbol_block(b);
		else
			bc_skip(&b->in);
		break;
	case BCB_USELIST: bc_use_lists(b); break;
	case BCB_FUNCTION:
		vec_push(b->arena, &b->body_at, b->in.at);
		bc_skip(&b->in);
		break;
	default: bc_skip(&b->in);
	}
}

static void initialise(Bc *b)
{
	for (u32 i = 0; i < b->inits.n && bc_ok(b); i++) {
		BcInit    x = b->inits.p[i];
		IrGlobal *g = ir_global(b->m, x.global);
		IrRef     v = bc_const(b, x.value);
		if (!bc_ok(b))
			return;
		if (x.which) {
			u32 *use = &ir_func(b->m, x.global)->extra[x.which - 1];
			*use = ir_lasting_uses(b->m, 1);
			ir_use(b->m, *use)->user = x.global;
			ir_set_use(b->m, *use, v);
			continue;
		}
		IrType t = ir_type_of(b->m, v);
		if (g->kind == IRG_ALIAS || g->kind == IRG_IFUNC ? !ir_type_is_ptr(b->m, t) : !ir_type_same(t, g->type))
			bc_error(b, "'@%.*s' has an initial value of another type", STR_ARG(ir_str(b->m, g->name)));
		else
			ir_global_set_init(b->m, x.global, v);
	}
}

/* What the printer of LLVM puts last comes last. */
static void finish_order(Bc *b)
{
	for (u32 i = 0; i < b->functions.n; i++)
		vec_push(b->arena, &b->m->order, b->functions.p[i]);
}

static void check_types(Bc *b)
{
	bool   recursive;
	IrType t = bc_ok(b) ? ir_type_nests_wrongly(b->m, &recursive) : (IrType){0};
	if (t.i)
		bc_error(b, recursive ? "type '%%%.*s' contains itself" : "types are nested too deeply ('%.*s')",
		         STR_ARG(ir_str(b->m, ir_type(b->m, t)->name)));
}

/* At the header of the module's block. */
static void module(Bc *b)
{
	vec_push(b->arena, &b->scopes, IR_SCOPE_SINGLETHREAD);
	vec_push(b->arena, &b->scopes, IR_SCOPE_SYSTEM);
	bc_enter(&b->in);
	b->depth = b->in.depth;
	b->inside = b->in.scope[b->in.depth - 1];
	b->room_end = b->in.end;
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;)
		if (e == BC_BLOCK)
			module_block(b);
		else
			module_record(b);
	check_types(b);
	if (bc_ok(b))
		bc_check(b, !b->awaited_mds, "metadata is used and not defined");
	if (bc_ok(b))
		bc_check(b, b->bodies.n == b->body_at.n, "there are more or fewer bodies than functions that have one");
	initialise(b);
	if (bc_ok(b))
		ir_upgrade_structors(b->m);
	finish_order(b);
	b->n_module_values = b->next_value;
	b->n_module_consts = b->consts.n;
	b->n_module_const_ops = b->const_ops.n;
	b->n_module_mds = b->next_md;
	b->n_module_strings = b->strings.n;
}

/* Goes back into the module's block, to the header of a body. */
static void go_to_body(Bc *b, u32 i)
{
	b->in.depth = b->depth;
	b->in.scope[b->depth - 1] = b->inside;
	bc_set_end(&b->in, b->inside.end);
	b->in.at = b->body_at.p[i];
	b->in.block = BCB_FUNCTION;
}

static void bodies(Bc *b)
{
	for (u32 i = 0; i < b->bodies.n && bc_ok(b); i++) {
		go_to_body(b, i);
		bc_body(b, ir_func(b->m, ir_ref(IR_GLOBAL, b->bodies.p[i])));
	}
	bc_resolve_addresses(b);
}

/* ---- the file ---- */

static void identification(Bc *b)
{
	enum { STRING = 1, EPOCH };
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		if (e == BC_BLOCK) {
			bc_skip(&b->in);
			continue;
		}
		if (b->in.rec.code == STRING) {
			b->producer = bc_char_str(b, 0, b->in.rec.n);
			u32 i = 0;
			while (i < b->producer.n && (b->producer.p[i] < '0' || b->producer.p[i] > '9'))
				i++;
			for (b->producer_major = 0; i < b->producer.n && b->producer.p[i] >= '0' && b->producer.p[i] <= '9' &&
			                            b->producer_major < 100000;
			     i++)
				b->producer_major = b->producer_major * 10 + (u32)(b->producer.p[i] - '0');
		} else if (b->in.rec.code != EPOCH) {
			bc_unknown(b, "identification record", b->in.rec.code);
		} else if (bc_need(b, 1) && bc_op(b, 0) != 0) {
			b->producer_major = UINT32_MAX;
			bc_unknown(b, "epoch of bitcode", bc_op(b, 0));
		}
	}
}

/* The string table is the first one behind the module. */
static void string_table(Bc *b)
{
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;)
		if (e == BC_BLOCK)
			bc_skip(&b->in);
		else if (b->in.rec.code == 1)
			b->strtab = b->in.rec.blob;
}

/* Finds the module and its string table, and reads them. */
static void file(Bc *b)
{
	u64  module_at = 0;
	bool found = false, identified = false;
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		if (e == BC_RECORD)
			continue;
		if (identified && !found && !bc_check(b, b->in.block == BCB_MODULE, "an identification is not that of a module"))
			return;
		if (b->in.block == BCB_IDENTIFICATION && !found) {
			identified = true;
			identification(b);
		} else if (b->in.block == BCB_STRTAB && !b->strtab.p && found) {
			string_table(b);
		} else if (b->in.block == BCB_MODULE && !found) {
			found = true;
			module_at = b->in.at;
			bc_skip(&b->in);
		} else if (b->in.block == BCB_MODULE) {
			bc_error(b, "there is more than one module in this bitcode");
		} else {
			bc_skip(&b->in);
		}
	}
	if (!bc_ok(b) || !bc_check(b, found, "there is no module in this bitcode"))
		return;
	b->in.at = module_at;
	b->in.block = BCB_MODULE;
	module(b);
}

/* Behind the magic, or what a wrapper header says; false: it says something wrong. */
static bool unwrap(Bc *b, Str *bytes)
{
	const u8 *p = (const u8 *)bytes->p;
	if (p[0] == 0xDE) {
		u64 header[5];
		for (u32 i = 0; i < 5 && bytes->n >= 20; i++)
			header[i] = (u64)p[4 * i] | (u64)p[4 * i + 1] << 8 | (u64)p[4 * i + 2] << 16 | (u64)p[4 * i + 3] << 24;
		if (bytes->n < 20 || header[2] > bytes->n || header[3] > bytes->n - header[2] || header[3] < 4)
			return false;
		b->container = header[2];
		*bytes = (Str){bytes->p + header[2], (u32)header[3]};
		p += header[2];
	}
	b->container += 4;
	*bytes = (Str){bytes->p + 4, bytes->n - 4};
	return p[0] == 'B' && p[1] == 'C' && p[2] == 0xC0 && p[3] == 0xDE;
}

IrModule *bc_parse(Session *s, Str bytes, IrManner how)
{
	Bc *b = arena_new(&s->arena, Bc);
	b->s = s;
	b->arena = &s->arena;
	b->m = ir_module_new(s);
	b->m->use_lists = how != IR_DEFER_TO_CHECK;
	b->order.m = b->m;
	map_init(&b->type_names, b->arena);
	map_init(&b->attr_groups, b->arena);
	if (!unwrap(b, &bytes)) {
		diag_report(&s->diags, DIAG_BC_WRAPPER, (SrcRange){0});
		return NULL;
	}
	bc_open(&b->in, b->arena, (const u8 *)bytes.p, bytes.n);
	file(b);
	if (bc_ok(b) && how == IR_READ_ALL)
		bodies(b);
	if (!bc_ok(b)) {
		report(b, str_of(b->in.fault), false);
		return NULL;
	}
	b->m->bitcode = how == IR_READ_ALL ? NULL : b;
	if (how != IR_READ_ALL)
		for (u32 i = 0; i < b->bodies.n; i++)
			ir_func(b->m, ir_ref(IR_GLOBAL, b->bodies.p[i]))->body = IRB_DEFERRED;
	order_init(&b->order, b->m);
	for (u32 t = 1; t < b->m->types.n; t++) /* what bodies call is not known before they are read */
		b->m->variadic_bodies |= ir_type(b->m, (IrType){t})->vararg;
	bool upgraded = ir_upgrade(b->m, how != IR_READ_ALL);
	ir_names_changed(b->m);
	ir_annotations_changed(b->m);
	ir_note_lasting(b->m);
	return how == IR_READ_ALL || (upgraded && !b->undeferrable && ir_can_defer(b->m, how)) ? b->m : NULL;
}

bool bc_read_body(IrModule *m, IrFunc *f)
{
	Bc *b = m->bitcode;
	u32 before = m->s->diags.list.n, i = 0;
	while (i < b->bodies.n && b->bodies.p[(i + b->next_body) % b->bodies.n] != ir_index(f->ref))
		i++;
	i = (i + b->next_body) % b->bodies.n;
	b->next_body = i + 1;
	f->body = IRB_HERE;
	go_to_body(b, i);
	bc_body(b, f);
	ir_names_changed(m);
	if (!bc_ok(b))
		report(b, str_of(b->in.fault), false);
	if (m->s->diags.list.n != before || b->addresses.n)
		return false;
	return !m->use_lists || !m->outdated.n || ir_upgrade_calls(m);
}
