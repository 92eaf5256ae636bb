/* dwarf.c: debug information entries of compile units, functions and global variables, out of the metadata of the IR.
 *
 *   !DICompileUnit(emissionKind: FullDebug)    →    .section .debug_info { … DW_TAG_compile_unit … }
 *   !DISubprogram(name: "k", …)                       DW_TAG_subprogram, from $L__func_begin0 to $L__func_end0
 *
 * Global variables come when the module begins, each function when it is printed, its name and type when the module ends, as LLVM
 * orders them. DWARF 2, with strings in place: what ptxas reads. What is in a function is in
 * dwarf_scope.c. Linear in the metadata that is referred to. */
#include "ir/md_older.h"
#include "isa/isa.h"
#include "ptx/dwarf.h"

/* ---- reading metadata ---- */

IrMd dw_node(const Dwarf *d, IrMd n, const char *field) { return ir_md_field_node(d->a->ir, n, field); }
Str  dw_str(const Dwarf *d, IrMd n, const char *field) { return ir_md_field_str(d->a->ir, n, field); }
u64  dw_int(const Dwarf *d, IrMd n, const char *field) { return ir_md_field_int(d->a->ir, n, field); }
Str  dw_word(const Dwarf *d, IrMd n, const char *field) { return ir_md_field_word(d->a->ir, n, field); }

bool dw_flag(const Dwarf *d, IrMd n, const char *field, const char *word) { return ir_md_field_has(d->a->ir, n, field, word); }

Str dw_kind(const Dwarf *d, IrMd n)
{
	return n.i && ir_md(d->a->ir, n)->kind == IRMD_SPEC ? ir_str(d->a->ir, ir_md(d->a->ir, n)->text) : STR("");
}

IrMd dw_function_around(const Dwarf *d, IrMd scope)
{
	for (u32 i = 0; i < DW_MAX_SCOPES && scope.i && !str_is(dw_kind(d, scope), "DISubprogram"); i++)
		scope = dw_node(d, scope, "scope");
	return scope;
}

const IrMdNode *dw_expression_node(const Dwarf *d, IrMd n)
{
	const IrMdNode *x = n.i ? ir_md(d->a->ir, n) : NULL;
	return x && x->kind == IRMD_EXPR ? x : NULL;
}

/* ---- making entries ---- */

Die *dw_new(Dwarf *d, Die *parent, u32 tag)
{
	Die *die = arena_new(d->arena, Die);
	die->tag = (u16)tag;
	if (parent) {
		die->unit = parent->unit;
		vec_push(d->arena, &parent->child, die);
	}
	return die;
}

Die *dw_find(const Dwarf *d, IrMd n)
{
	u64 at = map_or(&d->of, n.i, 0);
	return at ? d->die.p[at - 1] : NULL;
}

void dw_set(Dwarf *d, IrMd n, Die *die)
{
	vec_push(d->arena, &d->die, die);
	map_set(&d->of, n.i, d->die.n);
}

static DwAttr *add(Dwarf *d, Die *die, u32 at, u32 form)
{
	vec_push(d->arena, &die->attr, ((DwAttr){.at = (u16)at, .form = (u16)form}));
	return &vec_last(&die->attr);
}

void dw_form(Dwarf *d, Die *die, u32 at, u32 form, u64 v) { add(d, die, at, form)->number = v; }

void dw_number(Dwarf *d, Die *die, u32 at, u64 v)
{
	dw_form(d, die, at, v < 256 ? DW_FORM_data1 : v < 65536 ? DW_FORM_data2 : v >> 32 ? DW_FORM_data8 : DW_FORM_data4, v);
}

void dw_text(Dwarf *d, Die *die, u32 at, u32 form, Str s)
{
	if (s.n)
		add(d, die, at, form)->text = s;
}

void dw_ref(Dwarf *d, Die *die, u32 at, Die *to)
{
	add(d, die, at, to->unit == die->unit ? DW_FORM_ref4 : DW_FORM_ref_addr)->die = to;
}

void dw_block(Dwarf *d, Die *die, u32 at, const u8 *bytes, u32 n, Str symbol)
{
	u8     *copy = arena_array(d->arena, u8, n + 1);
	DwAttr *x = add(d, die, at, DW_FORM_block1);
	memcpy(copy, bytes, n);
	x->bytes = copy;
	x->n_bytes = n;
	x->text = symbol;
}

void dw_label(Dwarf *d, Die *die, u32 at, Str label) { add(d, die, at, DW_FORM_data4)->text = label; }

void dw_place(Dwarf *d, Die *die, IrMd n)
{
	u64  line = dw_int(d, n, "line");
	IrMd file = dw_node(d, n, "file");
	if (!line)
		return;
	dw_number(d, die, DW_AT_decl_file, asm_file(d->a, file.i));
	dw_number(d, die, DW_AT_decl_line, line);
}

void dw_align(Dwarf *d, Die *die, IrMd n)
{
	u64 bits = dw_int(d, n, "align");
	if (bits >= 8)
		dw_form(d, die, DW_AT_alignment, DW_FORM_udata, bits / 8);
}

/* ---- scopes ---- */

static bool is_definition(const Dwarf *d, IrMd sp)
{
	return dw_flag(d, sp, "spFlags", "DISPFlagDefinition") || dw_flag(d, sp, "isDefinition", "true");
}

/* Has the module a function of that name? Which entries its functions have is known when their bodies have been read. */
static bool has_code(const Dwarf *d, IrMd sp)
{
	Str name = dw_str(d, sp, "linkageName");
	if (!name.n)
		name = dw_str(d, sp, "name");
	return map_or(&d->named, strtab_add(&d->a->s->strs, name).i, 0) != 0;
}

/* The entry of a function, for what is local to it; one that is inlined everywhere has an abstract entry alone. */
static Die *function_of(Dwarf *d, DwUnit *u, IrMd scope)
{
	scope = dw_function_around(d, scope);
	if (!scope.i || !is_definition(d, scope))
		return u->die;
	Die *die = has_code(d, scope) ? dw_subprogram(d, u, scope) : dw_abstract_function(d, scope);
	return die ? die : u->die;
}

static Die *namespace_of(Dwarf *d, DwUnit *u, IrMd n)
{
	Die *parent = dw_scope(d, u, dw_node(d, n, "scope"));
	Die *die = dw_new(d, parent, DW_TAG_namespace);
	dw_set(d, n, die);
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, n, "name"));
	if (dw_flag(d, n, "exportSymbols", "true")) /* inline */
		dw_form(d, die, DW_AT_export_symbols, DW_FORM_flag, 1);
	return die;
}

Die *dw_scope(Dwarf *d, DwUnit *u, IrMd scope)
{
	Die *known = scope.i ? dw_find(d, scope) : NULL;
	Str  kind = dw_kind(d, scope);
	if (known)
		return known;
	if (str_is(kind, "DINamespace"))
		return namespace_of(d, u, scope);
	if (str_is(kind, "DICompositeType") || str_is(kind, "DIDerivedType")) {
		Die *die = dw_type(d, u, scope);
		return die ? die : u->die;
	}
	if (str_is(kind, "DISubprogram") || str_starts(kind, "DILexicalBlock"))
		return function_of(d, u, scope);
	return u->die; /* files, units */
}

/* ---- languages ---- */

typedef struct Language {
	const char *name;
	u16         value;
	bool        is_c;
} Language;

static const Language languages[] = {
#define DW_LANG(name, value, c) {"DW_LANG_" #name, value, c},
#include "ptx/dwarf.def"
};

/* NULL: not a known one. */
static const Language *language_of(const Dwarf *d, IrMd cu)
{
	const IrMdField *newer = ir_md_field(d->a->ir, cu, "sourceLanguageName");
	Str              word = newer && newer->kind == IRMF_NAME ? ir_str(d->a->ir, ir_md_language(d->a->ir, newer))
	                                                          : dw_word(d, cu, "language");
	u64              value = dw_int(d, cu, "language");
	for (u32 i = 0; i < PS_COUNT(languages); i++)
		if (word.n ? str_is(word, languages[i].name) : languages[i].value == value)
			return &languages[i];
	return NULL;
}

/* ---- functions ---- */

static bool is_local(const Dwarf *d, IrMd sp)
{
	return dw_flag(d, sp, "spFlags", "DISPFlagLocalToUnit") || dw_flag(d, sp, "isLocal", "true");
}

bool dw_is_c(const Dwarf *d, const DwUnit *u)
{
	const Language *l = language_of(d, u->node);
	return l && l->is_c;
}

static void function_names(Dwarf *d, Die *die, IrMd sp)
{
	Str linkage = dw_str(d, sp, "linkageName");
	dw_text(d, die, DW_AT_MIPS_linkage_name, DW_FORM_string, linkage);
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, sp, "name"));
	dw_place(d, die, sp);
}

void dw_access(Dwarf *d, Die *die, IrMd n)
{
	static const struct {
		const char *flag;
		u8          value;
	} rows[] = {{"DIFlagPublic", 1}, {"DIFlagProtected", 2}, {"DIFlagPrivate", 3}};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (dw_flag(d, n, "flags", rows[i].flag))
			dw_form(d, die, DW_AT_accessibility, DW_FORM_data1, rows[i].value);
}

void dw_reference(Dwarf *d, Die *die, IrMd n)
{
	if (dw_flag(d, n, "flags", "DIFlagLValueReference"))
		dw_form(d, die, DW_AT_reference, DW_FORM_flag, 1);
	if (dw_flag(d, n, "flags", "DIFlagRValueReference"))
		dw_form(d, die, DW_AT_rvalue_reference, DW_FORM_flag, 1);
}

/* Where a definition stands, where that is not where its declaration does. */
static void place_apart(Dwarf *d, Die *die, IrMd sp, IrMd declared)
{
	u32 file = asm_file(d->a, dw_node(d, sp, "file").i), other = asm_file(d->a, dw_node(d, declared, "file").i);
	u64 line = dw_int(d, sp, "line");
	if (file != other)
		dw_number(d, die, DW_AT_decl_file, file);
	if (line != dw_int(d, declared, "line"))
		dw_number(d, die, DW_AT_decl_line, line);
}

static void virtual_function(Dwarf *d, Die *die, IrMd sp)
{
	const IrMdField *index = ir_md_field(d->a->ir, sp, "virtualIndex");
	bool             pure = dw_flag(d, sp, "spFlags", "DISPFlagPureVirtual");
	if (!pure && !dw_flag(d, sp, "spFlags", "DISPFlagVirtual"))
		return;
	dw_form(d, die, DW_AT_virtuality, DW_FORM_data1, pure ? 2 : 1);
	if (!index || index->kind != IRMF_INT || index->bits != 0xffffffff) {
		u8 op[12] = {DW_OP_constu};
		dw_block(d, die, DW_AT_vtable_elem_location, op, 1 + dw_uleb(op + 1, dw_int(d, sp, "virtualIndex")), STR(""));
	}
	vec_push(d->arena, &d->contained, ((DwLater){.node = dw_node(d, sp, "containingType"), .die = die}));
}

/* Of a definition that has a declaration: where that stands. */
void dw_describe(Dwarf *d, Die *die, IrMd sp)
{
	IrMd declared = dw_node(d, sp, "declaration"), type = dw_node(d, sp, "type"), types = dw_node(d, type, "types");
	bool defines = is_definition(d, sp);
	Die *of = defines && declared.i ? dw_find(d, declared) : NULL;
	if (of)
		place_apart(d, die, sp, declared);
	dw_template(d, die, dw_node(d, sp, "templateParams"));
	if (of) {
		if (!str_eq(dw_str(d, declared, "linkageName"),
		            dw_str(d, sp, "linkageName"))) /* of a constructor it is another */
			dw_text(d, die, DW_AT_MIPS_linkage_name, DW_FORM_string, dw_str(d, sp, "linkageName"));
		dw_ref(d, die, DW_AT_specification, of);
		return;
	}
	function_names(d, die, sp);
	if (dw_flag(d, sp, "flags", "DIFlagPrototyped") && dw_is_c(d, die->unit))
		dw_form(d, die, DW_AT_prototyped, DW_FORM_flag, 1);
	if (str_is(dw_word(d, type, "cc"), "DW_CC_nocall"))
		dw_form(d, die, DW_AT_calling_convention, DW_FORM_data1, DW_CC_nocall);
	if (types.i && ir_md(d->a->ir, types)->n)
		dw_type_ref(d, die, ir_md_op(d->a->ir, types, 0));
	virtual_function(d, die, sp);
	if (!defines) {
		dw_form(d, die, DW_AT_declaration, DW_FORM_flag, 1);
		dw_arguments(d, die, types);
	}
	if (dw_flag(d, sp, "flags", "DIFlagArtificial"))
		dw_form(d, die, DW_AT_artificial, DW_FORM_flag, 1);
	if (!is_local(d, sp))
		dw_form(d, die, DW_AT_external, DW_FORM_flag, 1);
	dw_reference(d, die, sp);
	if (dw_flag(d, sp, "flags", "DIFlagNoReturn"))
		dw_form(d, die, DW_AT_noreturn, DW_FORM_flag, 1);
	dw_access(d, die, sp);
	if (dw_flag(d, sp, "flags", "DIFlagExplicit"))
		dw_form(d, die, DW_AT_explicit, DW_FORM_flag, 1);
}

Die *dw_subprogram(Dwarf *d, DwUnit *u, IrMd sp)
{
	Die *die = dw_find(d, sp);
	if (die)
		return die;
	IrMd declared = dw_node(d, sp, "declaration");
	Die *parent = u->die;
	if (is_definition(d, sp) && declared.i)
		dw_subprogram(d, u, declared); /* and the type that it stands in */
	else
		parent = dw_scope(d, u, dw_node(d, sp, "scope"));
	if ((die = dw_find(d, sp)) != NULL) /* it came with its type */
		return die;
	die = dw_new(d, parent, DW_TAG_subprogram);
	dw_set(d, sp, die);
	if (!is_definition(d, sp))
		dw_describe(d, die, sp);
	return die;
}

/* ---- variables ---- */

void dw_address(Dwarf *d, Die *die, u32 space, Str symbol, u64 offset, IrMd expression)
{
	u8  op[DW_MAX_BYTES] = {DW_OP_addr};
	u32 n = 1;
	if (offset) {
		op[n++] = DW_OP_plus_uconst;
		n += dw_uleb(op + n, offset);
	}
	u32 more = dw_operations(d, expression, op + n, DW_MAX_BYTES - n);
	if (more == DW_UNKNOWN)
		return;
	dw_form(d, die, DW_AT_address_class, DW_FORM_data1, space);
	dw_block(d, die, DW_AT_location, op, n + more, symbol);
}

static u32 class_of_space(u32 space)
{
	return space == AS_CONST     ? CLASS_CONST
	       : space == AS_SHARED  ? CLASS_SHARED
	       : space == AS_LOCAL   ? CLASS_LOCAL
	       : space == AS_GENERIC ? CLASS_GENERIC
	                             : CLASS_GLOBAL;
}

void dw_function(Dwarf *d)
{
	static const u8 frame[] = {DW_OP_call_frame_cfa};
	Asm            *a = d->a;
	IrMd            sp = ir_attached(a->ir, a->irf->ref, "dbg");
	DwUnit         *u = sp.i ? dw_unit_of(d, dw_node(d, sp, "unit")) : NULL;
	if (!u)
		return;
	Str begin = arena_fmt(d->arena, "$L__func_begin%u", a->f->number),
	    end = arena_fmt(d->arena, "$L__func_end%u", a->f->number);
	if (!u->full)
		return;
	dw_inlined_entries(d);
	/* A pass may have made several functions of one: each has an entry. */
	bool first;
	map_put(&d->printed, sp.i, &first);
	Die *die = first ? dw_subprogram(d, u, sp) : dw_new(d, u->die, DW_TAG_subprogram);
	dw_text(d, die, DW_AT_low_pc, DW_FORM_addr, begin);
	dw_text(d, die, DW_AT_high_pc, DW_FORM_addr, end);
	dw_block(d, die, DW_AT_frame_base, frame, 1, STR(""));
	dw_local_entries(d, die);
	vec_push(d->arena, &d->defined, ((DwLater){.node = sp, .die = die}));
	vec_push(d->arena, &u->name, ((DwName){dw_str(d, sp, "name"), die}));
}

/* ---- units ---- */

/* By DIGlobalVariableExpression the variable that it is attached to. */
static void find_globals(Dwarf *d)
{
	const IrModule *m = d->a->ir;
	map_init(&d->global_of, d->arena);
	ir_each_global(m, g) {
		if (ir_global(m, g)->kind != IRG_VAR)
			continue;
		for (u32 at = 0; (at = ir_next_attached(m, g, at)) != 0;) {
			const IrAttach *x = pages_at(&m->attach, at);
			if (str_is(ir_str(m, x->kind), "dbg"))
				map_set(&d->global_of, x->node.i, ir_index(g));
		}
	}
}

static IrRef variable_of(const Dwarf *d, IrMd expression)
{
	u64 g = map_or(&d->global_of, expression.i, 0);
	return g ? ir_ref(IR_GLOBAL, (u32)g) : IR_NO_REF;
}

/* The memory that `DW_OP_constu, N, DW_OP_swap, DW_OP_xderef` names, and nothing else; ~0: the expression is another. */
u32 dw_class_in(const Dwarf *d, IrMd expression)
{
	const IrMdNode *n = dw_expression_node(d, expression);
	if (!n || n->n != 4)
		return ~0u;
	const IrMdField *f = d->a->ir->md_fields.p + n->first;
	bool is_class = f[0].kind == IRMF_NAME && f[2].kind == IRMF_NAME && f[3].kind == IRMF_NAME && f[1].kind == IRMF_INT &&
	                str_is(ir_str(d->a->ir, (StrId){f[0].a}), "DW_OP_constu") &&
	                str_is(ir_str(d->a->ir, (StrId){f[2].a}), "DW_OP_swap") &&
	                str_is(ir_str(d->a->ir, (StrId){f[3].a}), "DW_OP_xderef");
	return is_class ? (u32)f[1].bits : ~0u;
}

/* Of a variable without memory: `DW_OP_constu, N, DW_OP_stack_value`, perhaps with DW_OP_LLVM_fragment behind it. */
static bool constant_in(Dwarf *d, Die *die, IrMd expression)
{
	const IrMdNode *n = dw_expression_node(d, expression);
	if (!n || (n->n != 3 && n->n != 6))
		return false;
	const IrMdField *f = d->a->ir->md_fields.p + n->first;
	if (f[0].kind != IRMF_NAME || f[1].kind != IRMF_INT || f[2].kind != IRMF_NAME ||
	    !str_is(ir_str(d->a->ir, (StrId){f[2].a}), "DW_OP_stack_value"))
		return false;
	Str op = ir_str(d->a->ir, (StrId){f[0].a});
	if (!str_is(op, "DW_OP_constu") && !str_is(op, "DW_OP_consts"))
		return false;
	dw_form(d, die, DW_AT_const_value, str_is(op, "DW_OP_constu") ? DW_FORM_udata : DW_FORM_sdata,
	        f[1].a ? (u64) - (i64)f[1].bits : f[1].bits);
	return true;
}

/* Of a static member its declaration in the class says the rest. */
static void describe_global(Dwarf *d, DwUnit *u, Die *die, IrMd v)
{
	IrMd declared = dw_node(d, v, "declaration");
	Die *member = declared.i ? dw_static_member(d, dw_scope(d, u, dw_node(d, declared, "scope")), declared) : NULL;
	if (member) {
		dw_ref(d, die, DW_AT_specification, member);
		if (dw_node(d, v, "type").i != dw_node(d, declared, "baseType").i)
			dw_type_ref(d, die, dw_node(d, v, "type"));
	} else {
		dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, v, "name"));
		dw_type_ref(d, die, dw_node(d, v, "type"));
		if (!dw_flag(d, v, "isLocal", "true"))
			dw_form(d, die, DW_AT_external, DW_FORM_flag, 1);
		dw_place(d, die, v);
	}
	if (dw_flag(d, v, "isDefinition", "false"))
		dw_form(d, die, DW_AT_declaration, DW_FORM_flag, 1);
	dw_align(d, die, v);
	dw_template(d, die, dw_node(d, v, "templateParams"));
}

static void global_variable(Dwarf *d, DwUnit *u, IrMd gve)
{
	const IrModule *m = d->a->ir;
	IrMd            v = dw_node(d, gve, "var"), expression = dw_node(d, gve, "expr");
	IrRef           g = variable_of(d, gve);
	if (!v.i || dw_find(d, v))
		return;
	IrMd declared = dw_node(d, v, "declaration");
	Die *die = dw_new(d, declared.i ? u->die : dw_scope(d, u, dw_node(d, v, "scope")), DW_TAG_variable);
	dw_set(d, v, die);
	describe_global(d, u, die, v);
	u32 given = dw_class_in(d, expression);
	if (constant_in(d, die, expression) || ir_is_none(g)) {
		dw_form(d, die, DW_AT_address_class, DW_FORM_data1, given != ~0u ? given : CLASS_GLOBAL);
	} else {
		bool generic = ir_global(m, g)->flags & IRGF_WAS_GENERIC;
		u32  space = generic ? AS_GENERIC : ir_global(m, g)->addrspace;
		bool said = given != ~0u; /* all that the expression says */
		dw_address(d, die, said ? given : class_of_space(space), asm_name(d->a, g), 0, said ? (IrMd){0} : expression);
	}
	dw_text(d, die, DW_AT_MIPS_linkage_name, DW_FORM_string, dw_str(d, v, "linkageName"));
	vec_push(d->arena, &u->name, ((DwName){dw_str(d, v, "name"), die}));
}

static DwUnit *add_unit(Dwarf *d, IrMd cu, AsmDebug kind)
{
	DwUnit *u = arena_new(d->arena, DwUnit);
	IrMd    file = dw_node(d, cu, "file");
	Str     directory = dw_str(d, file, "directory");
	u->node = cu;
	u->full = kind == ASM_DEBUG_FULL;
	u->die = dw_new(d, NULL, DW_TAG_compile_unit);
	u->die->unit = u;
	Str names = dw_word(d, cu, "nameTableKind");
	u->names = u->full && !str_is(names, "None");
	vec_push(d->arena, &d->unit, u);
	add(d, u->die, DW_AT_producer, DW_FORM_string)->text = dw_str(d, cu, "producer");
	const Language *l = language_of(d, cu);
	dw_form(d, u->die, DW_AT_language, DW_FORM_data2, l ? l->value : dw_int(d, cu, "language"));
	add(d, u->die, DW_AT_name, DW_FORM_string)->text = dw_str(d, file, "filename");
	dw_text(d, u->die, DW_AT_LLVM_sysroot, DW_FORM_string, dw_str(d, cu, "sysroot"));
	add(d, u->die, DW_AT_stmt_list, DW_FORM_data4)->text = STR(".debug_line");
	dw_text(d, u->die, DW_AT_comp_dir, DW_FORM_string, directory);
	if (u->names)
		dw_form(d, u->die, DW_AT_GNU_pubnames, DW_FORM_flag, 1);
	return u;
}

/* NULL: one that wants no entries. Units without variables and types of their own come with their first function. */
DwUnit *dw_unit_of(Dwarf *d, IrMd cu)
{
	AsmDebug kind = cu.i ? asm_debug_of(d->a, cu) : ASM_DEBUG_NONE;
	for (u32 i = 0; i < d->unit.n; i++)
		if (d->unit.p[i]->node.i == cu.i)
			return d->unit.p[i];
	return kind >= ASM_DEBUG_LINES ? add_unit(d, cu, kind) : NULL;
}

/* ---- the module ---- */

/* The elements of a list that a unit has. */
static void each_of(Dwarf *d, DwUnit *u, const char *field, void (*make)(Dwarf *, DwUnit *, IrMd))
{
	IrMd list = dw_node(d, u->node, field);
	for (u32 k = 0; u->full && list.i && k < ir_md(d->a->ir, list)->n; k++)
		make(d, u, ir_md_op(d->a->ir, list, k));
}

static void retained(Dwarf *d, DwUnit *u, IrMd n)
{
	if (!str_is(dw_kind(d, n), "DISubprogram"))
		dw_type(d, u, n);
}

Dwarf *dw_begin(Asm *a)
{
	const IrNamedMd *cus = ir_named_md(a->ir, "llvm.dbg.cu");
	Dwarf           *d = arena_new(&a->own, Dwarf);
	d->a = a;
	d->arena = &a->own;
	d->lists = isa_target_has(&a->s->target, ISA_FEATURE_LABELS_IN_SECTIONS);
	find_globals(d);
	map_init(&d->of, d->arena);
	map_init(&d->named, d->arena);
	map_init(&d->printed, d->arena);
	ir_each_func(a->ir, f)
		if (!ir_is_decl(f))
			map_set(&d->named, ir_global(a->ir, f->ref)->name.i, 1);
	map_init(&d->abstract, d->arena);
	map_init(&d->complete, d->arena);
	map_init(&d->has_variables, d->arena);
	map_init(&d->has_imports, d->arena);
	for (u32 i = 0; cus && i < cus->n; i++) {
		static const char *const lists[] = {"globals", "enums", "retainedTypes", "imports"};
		IrMd                     cu = {a->ir->md_ops.p[cus->first + i]};
		for (u32 k = 0; k < PS_COUNT(lists); k++) {
			IrMd list = dw_node(d, cu, lists[k]);
			if (list.i && ir_md(a->ir, list)->n)
				dw_unit_of(d, cu);
		}
	}
	for (u32 i = 0; i < d->unit.n; i++) {
		each_of(d, d->unit.p[i], "globals", global_variable);
		each_of(d, d->unit.p[i], "enums", retained);
		each_of(d, d->unit.p[i], "retainedTypes", retained);
	}
	return d;
}

void dw_end(Dwarf *d)
{
	/* ptxas refuses a target with debug and without entries. */
	const IrNamedMd *cus = ir_named_md(d->a->ir, "llvm.dbg.cu");
	for (u32 i = 0; i < cus->n && !d->unit.n; i++)
		dw_unit_of(d, (IrMd){d->a->ir->md_ops.p[cus->first + i]});
	for (u32 i = 0; i < d->unit.n; i++) {
		DwUnit *u = d->unit.p[i];
		each_of(d, u, "imports", dw_import);
	}
	dw_local_imports(d);
	dw_describe_local(d);
	for (u32 i = 0; i < d->contained.n; i++)
		if (d->contained.p[i].node.i && dw_find(d, d->contained.p[i].node))
			dw_ref(d, d->contained.p[i].die, DW_AT_containing_type, dw_find(d, d->contained.p[i].node));
	if (d->unit.n)
		dw_print(d);
}
