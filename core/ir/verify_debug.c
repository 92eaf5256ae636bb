/* verify_debug.c: what nodes of debug information say of each other: a base type is a type, a file a DIFile, an expression an expression.
 *
 * LLVM drops all debug information of a module in which such a rule is broken, or which names no version of it. What is dropped may be
 * as it likes. So the rules are those of nodes that stay: named metadata leads to them, other than llvm.dbg.*. A module as compilers write
 * them has none. What attachments of another kind than !dbg lead to is not looked at. Linear in these nodes. */
#include "ir/verify.h"

/* ---- what a field leads to ---- */

#define TYPES                                                                                                       \
	" DIBasicType DIStringType DIFixedPointType DIDerivedType DICompositeType DISubroutineType DISubrangeType " \
	"DISubrange "
#define LOCAL_SCOPES " DISubprogram DILexicalBlock DILexicalBlockFile "
#define SCOPES       TYPES " DIFile DICompileUnit DINamespace DIModule DICommonBlock" LOCAL_SCOPES
#define LIST         "" /* a plain node */

static const struct {
	const char *node, *field;
	const char *to, *what; /* names of nodes */
	const char *elements;  /* of a list; NULL: anything */
} links[] = {
	{NULL, "file", " DIFile ", "a DIFile", NULL}, /* of every node but DIModule */
	{"DICommonBlock", "scope", SCOPES, "a scope", NULL},
	{"DICommonBlock", "decl", " DIGlobalVariable ", "a variable", NULL},
	{"DICompositeType", "baseType", TYPES, "a type", NULL},
	{"DICompositeType", "elements", LIST, "a list", NULL},
	{"DICompositeType", "scope", SCOPES, "a scope", NULL},
	{"DICompositeType", "templateParams", LIST, "a list of template parameters",
         " DITemplateTypeParameter DITemplateValueParameter "},
	{"DICompositeType", "vtableHolder", TYPES, "a type", NULL},
	{"DIDerivedType", "baseType", TYPES, "a type", NULL},
	{"DIDerivedType", "scope", SCOPES, "a scope", NULL},
	{"DIGlobalVariable", "scope", SCOPES, "a scope", NULL},
	{"DIGlobalVariable", "type", TYPES, "a type", NULL},
	{"DIGlobalVariableExpression", "var", " DIGlobalVariable ", "a DIGlobalVariable", NULL},
	{"DIImportedEntity", "scope", SCOPES, "a scope", NULL},
	{"DILabel", "scope", LOCAL_SCOPES, "a scope in a function", NULL},
	{"DILexicalBlock", "scope", LOCAL_SCOPES, "a scope in a function", NULL},
	{"DILexicalBlockFile", "scope", LOCAL_SCOPES, "a scope in a function", NULL},
	{"DILocalVariable", "scope", LOCAL_SCOPES, "a scope in a function", NULL},
	{"DILocalVariable", "type", TYPES, "a type", NULL},
	{"DILocation", "inlinedAt", " DILocation ", "a DILocation", NULL},
	{"DILocation", "scope", LOCAL_SCOPES, "a scope in a function", NULL},
	{"DIMacroFile", "nodes", LIST, "a list of macros", " DIMacro DIMacroFile "},
	{"DINamespace", "scope", SCOPES, "a scope", NULL},
	{"DISubprogram", "containingType", TYPES, "a type", NULL},
	{"DISubprogram", "declaration", " DISubprogram ", "a DISubprogram", NULL},
	{"DISubprogram", "scope", SCOPES, "a scope", NULL},
	{"DISubprogram", "templateParams", LIST, "a list of template parameters",
         " DITemplateTypeParameter DITemplateValueParameter "},
	{"DISubprogram", "thrownTypes", LIST, "a list of types", TYPES},
	{"DISubprogram", "type", " DISubroutineType ", "a DISubroutineType", NULL},
	{"DISubroutineType", "types", LIST, "a list of types", TYPES},
	{"DITemplateTypeParameter", "type", TYPES, "a type", NULL},
	{"DITemplateValueParameter", "type", TYPES, "a type", NULL},
};

static bool is_among(const Verifier *v, IrMd md, const char *names)
{
	const IrMdNode *n = ir_md(v->m, md);
	if (!*names)
		return n->kind == IRMD_NODE;
	return n->kind == IRMD_SPEC && str_is_among(names, ir_str(v->m, n->text));
}

/* A list may have null in it where a function returns nothing, and template parameters may not. */
static bool are_among(const Verifier *v, IrMd list, const char *names)
{
	const IrMdNode *n = ir_md(v->m, list);
	for (u32 k = 0; k < n->n; k++) {
		IrMd e = ir_md_op(v->m, list, k);
		if (e.i ? !is_among(v, e, names) : !str_is(str_of(names), TYPES))
			return false;
	}
	return true;
}

static bool links_from(Str name, const char *node) { return node ? str_is(name, node) : !str_is(name, "DIModule"); }

static bool check_links(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	for (u32 i = 0; i < PS_COUNT(links); i++) {
		IrMd to = links_from(name, links[i].node) ? ir_md_field_node(v->m, md, links[i].field) : (IrMd){0};
		if (to.i && (!is_among(v, to, links[i].to) || (links[i].elements && !are_among(v, to, links[i].elements))))
			return irv_md(v, n->origin, name.p, "the field '%s' takes %s", links[i].field, links[i].what);
	}
	return true;
}

/* ---- rules of single nodes ---- */

static bool check_composite(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	IrMd elements = ir_md_field_node(v->m, md, "elements");
	if (ir_md_field_has(v->m, md, "flags", "DIFlagTypePassByValue") &&
	    ir_md_field_has(v->m, md, "flags", "DIFlagTypePassByReference"))
		return irv_md(v, n->origin, name.p, "it is passed by value or by reference, not both");
	for (u32 k = 0; elements.i && k < ir_md(v->m, elements)->n; k++)
		if (!ir_md_op(v->m, elements, k).i)
			return irv_md(v, n->origin, name.p, "element %u is null", k);
	return true;
}

static bool check_derived(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	IrMd            extra = ir_md_field_node(v->m, md, "extraData");
	const IrMdNode *x = extra.i ? ir_md(v->m, extra) : NULL;
	if (!x || !(ir_md_field_has(v->m, md, "tag", "DW_TAG_member") || ir_md_field_has(v->m, md, "tag", "DW_TAG_inheritance") ||
	            ir_md_field_has(v->m, md, "tag", "DW_TAG_variable")))
		return true;
	bool one = x->kind == IRMD_NODE && x->n == 1 && ir_md_op(v->m, extra, 0).i &&
	           ir_md(v->m, ir_md_op(v->m, extra, 0))->kind == IRMD_VALUE;
	return one || x->kind == IRMD_VALUE || x->kind == IRMD_STRING || is_among(v, extra, " DIObjCProperty ") ||
	       irv_md(v, n->origin, name.p,
	              "the field 'extraData' takes a constant, a list of one, a string or a DIObjCProperty");
}

/* Debug information of another version, or of none, is dropped, and with it the list of units. */
static bool has_version(const Verifier *v)
{
	const IrNamedMd *flags = ir_named_md(v->m, "llvm.module.flags");
	u64              version = 0;
	for (u32 i = 0; flags && i < flags->n; i++) {
		IrMd            flag = {v->m->md_ops.p[flags->first + i]};
		const IrMdNode *n = ir_md(v->m, flag),
			       *id = n->kind == IRMD_NODE && n->n == 3 ? ir_md(v->m, ir_md_op(v->m, flag, 1)) : NULL;
		if (id && id->kind == IRMD_STRING && str_is(ir_str(v->m, id->text), "Debug Info Version"))
			ir_as_int(v->m, ir_md(v->m, ir_md_op(v->m, flag, 2))->value, &version);
	}
	return version == 3;
}

static bool check_unit(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	const IrNamedMd *units = has_version(v) ? ir_named_md(v->m, "llvm.dbg.cu") : NULL;
	for (u32 i = 0; units && i < units->n; i++)
		if (v->m->md_ops.p[units->first + i] == md.i)
			return true;
	return irv_md(v, n->origin, name.p, "a unit is listed in !llvm.dbg.cu, of debug information of version 3");
}

/* A bound is a signed constant, a variable or an expression. */
static bool is_bound(const Verifier *v, IrMd md)
{
	const IrMdNode *n = md.i ? ir_md(v->m, md) : NULL;
	return !n || n->kind == IRMD_EXPR || n->kind == IRMD_FORWARD || is_among(v, md, " DILocalVariable DIGlobalVariable ") ||
	       (n->kind == IRMD_VALUE && ir_as_int(v->m, n->value, &(u64){0}));
}

static bool check_subrange(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	static const char *const bounds[] = {"count", "lowerBound", "upperBound", "stride"};
	for (u32 i = 0; i < PS_COUNT(bounds); i++)
		if (!is_bound(v, ir_md_field_node(v->m, md, bounds[i])))
			return irv_md(v, n->origin, name.p, "the field '%s' takes an integer, a variable or an expression",
			              bounds[i]);
	return true;
}

/* ---- expressions ---- */

static const struct {
	u32         value, operands;
	const char *name;
} operations[] = {
#define DWARF_OP(value, operands, name) {value, operands, "DW_OP_" name},
#include "ir/dwarf.def"
};

enum {
	OP_SWAP = 0x16,
	OP_LIT0 = 0x30,
	OP_REG0 = 0x50,
	OP_BREG0 = 0x70,
	OP_STACK_VALUE = 0x9F,
	OP_FRAGMENT = 0x1000,
	OP_ENTRY_VALUE = 0x1003,
	OP_ARG = 0x1005,
	NO_OP = UINT32_MAX,
};

/* The number of an operation, which may be written as its name. */
static u32 operation(const Verifier *v, const IrMdField *f)
{
	if (f->kind == IRMF_INT)
		return f->a || f->bits > UINT16_MAX ? NO_OP : (u32)f->bits;
	Str name = ir_str(v->m, (StrId){f->a});
	for (u32 i = 0; i < PS_COUNT(operations); i++) {
		u32 n = (u32)strlen(operations[i].name), number = 0, at = n;
		if (!str_starts(name, operations[i].name))
			continue;
		while (at < name.n && name.p[at] >= '0' && name.p[at] <= '9' && number < 32)
			number = number * 10 + (u32)(name.p[at++] - '0');
		if (at == name.n && (at == n || number < 32))
			return operations[i].value + number;
	}
	return NO_OP;
}

/* How many numbers stand behind it; NO_OP: LLVM has it in no expression. */
static u32 operands(u32 op)
{
	if (op >= OP_BREG0 && op < OP_BREG0 + 32)
		return 1;
	if (op >= OP_REG0 && op < OP_REG0 + 32)
		return 0;
	for (u32 i = 0; i < PS_COUNT(operations); i++)
		if (operations[i].value == op)
			return operations[i].operands;
	return NO_OP;
}

static bool is_number(const IrMdField *f, u64 x) { return f->kind == IRMF_INT && !f->a && f->bits == x; }

static bool is_expression(const Verifier *v, const IrMdNode *n)
{
	const IrMdField *f = v->m->md_fields.p + n->first;
	for (u32 i = 0; i < n->n;) {
		u32 op = operation(v, &f[i]), size = operands(op), next = i + 1 + size;
		if (size == NO_OP || next > n->n)
			return false;
		if (op >= OP_REG0 && op < OP_BREG0 + 32) /* the rest is not looked at */
			return true;
		if (op == OP_FRAGMENT && next != n->n)
			return false;
		if (op == OP_STACK_VALUE && next != n->n && operation(v, &f[next]) != OP_FRAGMENT)
			return false;
		if (op == OP_SWAP && n->n == 1)
			return false;
		if (op == OP_ENTRY_VALUE) {
			bool behind = i == 2 && operation(v, &f[0]) == OP_ARG && is_number(&f[1], 0);
			return (i == 0 || behind) && is_number(&f[i + 1], 1);
		}
		i = next;
	}
	return true;
}

/* ---- nodes that stay ---- */

static bool check_subprogram(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	return !irv_is_definition(v, md) || ir_md_field_node(v->m, md, "unit").i ||
	       irv_md(v, n->origin, name.p, "a definition has a unit");
}

static const struct {
	const char *node;
	bool (*check)(Verifier *v, IrMd md, const IrMdNode *n, Str name);
} rules[] = {
	{"DICompileUnit", check_unit},      {"DICompositeType", check_composite}, {"DIDerivedType", check_derived},
	{"DISubprogram", check_subprogram}, {"DISubrange", check_subrange},       {"DIGenericSubrange", check_subrange},
};

static bool check_node(Verifier *v, IrMd md, const IrMdNode *n)
{
	Str name = ir_str(v->m, n->text);
	if (n->kind == IRMD_EXPR)
		return is_expression(v, n) ||
		       irv_md(v, n->origin, "DIExpression", "its operations are not those of an expression");
	if (n->kind != IRMD_SPEC || !check_links(v, md, n, name))
		return n->kind != IRMD_SPEC;
	for (u32 i = 0; i < PS_COUNT(rules); i++)
		if (str_is(name, rules[i].node))
			return rules[i].check(v, md, n, name);
	return true;
}

typedef struct Walk {
	Verifier *v;
	u8       *seen;
	VecU32    next;
} Walk;

static void reach(Walk *w, IrMd md)
{
	if (!md.i || w->seen[md.i])
		return;
	w->seen[md.i] = 1;
	vec_push(&w->v->scratch, &w->next, md.i);
}

static void follow(Walk *w, IrMd md)
{
	const IrModule *m = w->v->m;
	const IrMdNode *n = ir_md(m, md);
	for (u32 k = 0; n->kind == IRMD_NODE && k < n->n; k++)
		reach(w, ir_md_op(m, md, k));
	for (u32 k = 0; n->kind == IRMD_SPEC && k < n->n; k++)
		if (m->md_fields.p[n->first + k].kind == IRMF_MD)
			reach(w, (IrMd){m->md_fields.p[n->first + k].a});
}

void irv_check_debug(Verifier *v)
{
	IrModule *m = v->m;
	Walk      w = {.v = v};
	for (u32 i = 0; i < m->named_md.n; i++) {
		const IrNamedMd *list = &m->named_md.p[i];
		if (str_starts(ir_str(m, list->name), "llvm.dbg.") || str_is(ir_str(m, list->name), "llvm.gcov"))
			continue;
		if (!w.seen)
			w.seen = arena_array(&v->scratch, u8, m->mds.n);
		for (u32 k = 0; k < list->n; k++)
			reach(&w, (IrMd){m->md_ops.p[list->first + k]});
	}
	while (w.next.n) {
		IrMd md = {w.next.p[--w.next.n]};
		if (!check_node(v, md, ir_md(m, md)))
			return;
		follow(&w, md);
	}
}
