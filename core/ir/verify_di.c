/* verify_di.c: checks the fields of specialised metadata nodes: required fields, and the values each field may have. */
#include "ir/verify.h"

/* ---- required fields ---- */

/* For each node the required fields, in the order in which LLVM checks them; '!': null is not allowed. */
static const struct {
	const char *node, *fields[4];
} required[] = {
	{"DILocation", {"!scope"}},
	{"DILexicalBlock", {"!scope"}},
	{"DILexicalBlockFile", {"!scope", "discriminator"}},
	{"DILocalVariable", {"!scope"}},
	{"DIFile", {"filename", "directory"}},
	{"DICompileUnit", {"language", "!file"}},
	{"DIGlobalVariableExpression", {"var", "expr"}},
	{"DILabel", {"!scope", "name", "file", "line"}},
	{"DIEnumerator", {"name", "value"}},
	{"DITemplateTypeParameter", {"type"}},
	{"DITemplateValueParameter", {"value"}},
	{"DIImportedEntity", {"tag", "scope"}},
	{"DIDerivedType", {"tag", "baseType"}},
	{"DICompositeType", {"tag"}},
	{"DISubroutineType", {"types"}},
	{"DINamespace", {"scope"}},
	{"DIModule", {"scope", "name"}},
	{"DICommonBlock", {"scope"}},
	{"DIMacro", {"type", "name"}},
	{"DIMacroFile", {"file"}},
	{"GenericDINode", {"tag"}},
};

static bool check_required(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	for (u32 i = 0; i < PS_COUNT(required); i++)
		for (u32 k = 0; str_is(name, required[i].node) && k < PS_COUNT(required[i].fields) && required[i].fields[k];
		     k++) {
			bool             some = required[i].fields[k][0] == '!';
			const char      *field = required[i].fields[k] + some;
			const IrMdField *f = ir_md_field(v->m, md, field);
			if (!f && str_is(str_of(field), "language"))
				f = ir_md_field(v->m, md, "sourceLanguageName");
			if (!f)
				return irv_md(v, n->origin, required[i].node, "the field '%s' is missing", field);
			if (some && f->kind == IRMF_MD && !f->a)
				return irv_md(v, n->origin, required[i].node, "the field '%s' cannot be null", field);
		}
	return true;
}

/* ---- values of fields ---- */

typedef enum FieldForm {
	FF_NODE,
	FF_TEXT,
	FF_BOOL,
	FF_NUMBER,
	FF_U16,
	FF_U32,
	FF_I32,
	FF_SIZE,
	FF_BOUND,
	FF_COUNT,
	FF_FLAGS,
	FF_SP_FLAGS,
	FF_TAG,
	FF_ENCODING,
	FF_CC,
	FF_LANGUAGE,
	FF_MACRO,
	FF_VIRTUALITY,
	FF_EMISSION,
	FF_NAMES,
	FF_CHECKSUM,
} FieldForm;

static const struct {
	const char *takes;
	const char *words; /* what a word begins with; ' ' before it: all of them */
	u64         limit; /* of numbers; 0: it takes none */
	bool        node;  /* or a node */
} forms[] = {
	[FF_NODE] = {"a node or null", NULL, 0, true},
	[FF_TEXT] = {"a string", NULL, 0, false},
	[FF_BOOL] = {"true or false", " true false ", 0, false},
	[FF_NUMBER] = {"an integer", NULL, UINT64_MAX, false},
	[FF_U16] = {"a number up to 65535", NULL, UINT16_MAX, false},
	[FF_U32] = {"a number up to 4294967295", NULL, UINT32_MAX, false},
	[FF_I32] = {"a number of 32 bits", NULL, INT32_MAX, false},
	[FF_SIZE] = {"a number of bits", NULL, UINT64_MAX, true},
	[FF_BOUND] = {"an integer or a node", NULL, INT64_MAX, true},
	[FF_COUNT] = {"an integer from -1 on, or a node", NULL, INT64_MAX, true},
	[FF_FLAGS] = {"DIFlag…, or several with | between them", "DIFlag", UINT32_MAX, false},
	[FF_SP_FLAGS] = {"DISPFlag…, or several with | between them", "DISPFlag", UINT32_MAX, false},
	[FF_TAG] = {"DW_TAG_…", "DW_TAG_", UINT16_MAX, false},
	[FF_ENCODING] = {"DW_ATE_…", "DW_ATE_", UINT8_MAX, false},
	[FF_CC] = {"DW_CC_…", "DW_CC_", UINT8_MAX, false},
	[FF_LANGUAGE] = {"DW_LANG_…", "DW_LANG_", UINT16_MAX, false},
	[FF_MACRO] = {"DW_MACINFO_…", "DW_MACINFO_", UINT8_MAX, false},
	[FF_VIRTUALITY] = {"DW_VIRTUALITY_…", "DW_VIRTUALITY_", 2, false},
	[FF_EMISSION] = {"NoDebug, FullDebug, LineTablesOnly or DebugDirectivesOnly",
                         " NoDebug FullDebug LineTablesOnly DebugDirectivesOnly ", 3, false},
	[FF_NAMES] = {"Default, GNU, None or Apple", " Default GNU None Apple ", 3, false},
	[FF_CHECKSUM] = {"CSK_MD5, CSK_SHA1 or CSK_SHA256", " CSK_MD5 CSK_SHA1 CSK_SHA256 ", 0, false},
};

/* By the field's name alone; where nodes disagree, the node stands before it. Others, of newer LLVMs, hold anything. */
static const struct {
	const char *fields;
	u8          form;
} holds[] = {
	{" DICompileUnit.flags DIMacro.value name linkageName identifier producer splitDebugFilename filename directory checksum "
         "source configMacros"
         " includePath apinotes sysroot sdk getter setter targetFuncName header ",
         FF_TEXT},
	{" DICompositeType.discriminator DITemplateValueParameter.value scope file type baseType elements vtableHolder "
         "templateParams dataLocation associated allocated declaration unit"
         " retainedNodes thrownTypes annotations inlinedAt var expr extraData entity types enums retainedTypes globals imports "
         "macros nodes operands"
         " stringLength stringLengthExpression stringLocationExpression containingType specification ",
         FF_NODE},
	{" isLocal isDefinition isOptimized isUnsigned isDefault isImplicitCode isDecl exportSymbols splitDebugInlining "
         "debugInfoForProfiling"
         " rangesBaseAddress ptrAuthIsAddressDiscriminated ptrAuthIsaPointer ptrAuthAuthenticatesNullValues ",
         FF_BOOL},
	{" DIEnumerator.value ", FF_NUMBER},
	{" column arg ptrAuthExtraDiscriminator ", FF_U16},
	{" DICompileUnit.sourceLanguageVersion line scopeLine align virtualIndex discriminator runtimeVersion dwarfAddressSpace "
         "attributes ptrAuthKey "
         "num_extra_inhabitants ",
         FF_U32},
	{" thisAdjustment ", FF_I32},
	{" size offset dwoId ", FF_SIZE},
	{" rank lowerBound upperBound stride ", FF_BOUND},
	{" DISubrange.count ", FF_COUNT},
	{" DIGenericSubrange.count ", FF_BOUND},
	{" flags ", FF_FLAGS},
	{" spFlags ", FF_SP_FLAGS},
	{" tag ", FF_TAG},
	{" encoding ", FF_ENCODING},
	{" cc ", FF_CC},
	{" language runtimeLang ", FF_LANGUAGE},
	{" DIMacro.type DIMacroFile.type ", FF_MACRO},
	{" virtuality ", FF_VIRTUALITY},
	{" emissionKind ", FF_EMISSION},
	{" nameTableKind ", FF_NAMES},
	{" checksumkind ", FF_CHECKSUM},
};

/* Row of `holds` + 1; 0: none. */
static u32 find_form(Str node, Str field)
{
	char full[64];
	Str  both = {full, node.n + 1 + field.n};
	if (both.n > sizeof full)
		return 0;
	memcpy(full, node.p, node.n);
	full[node.n] = '.';
	memcpy(full + node.n + 1, field.p, field.n);
	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < PS_COUNT(holds); i++)
			if (str_is_among(holds[i].fields, pass ? field : both))
				return i + 1;
	return 0;
}

/* `a` and `b` of a set, each beginning alike, or a number. */
static bool are_words(Str s, const char *begin)
{
	for (u32 from = 0, end; from < s.n; from = end + 1) {
		while (from < s.n && s.p[from] == ' ')
			from++;
		for (end = from; end < s.n && s.p[end] != ' ' && s.p[end] != '|';)
			end++;
		Str word = {s.p + from, end - from};
		while (end < s.n && s.p[end] == ' ')
			end++;
		if (word.n && !str_starts(word, begin) && !(word.p[0] >= '0' && word.p[0] <= '9'))
			return false;
	}
	return true;
}

static bool fits(const Verifier *v, const IrMdField *f, FieldForm form)
{
	const char *words = forms[form].words;
	u64         limit = forms[form].limit;
	Str         text = f->kind == IRMF_NAME ? ir_str(v->m, (StrId){f->a}) : (Str){0};
	switch ((IrMdFieldKind)f->kind) {
	case IRMF_MD: return forms[form].node && (form != FF_COUNT || f->a);
	case IRMF_STRING: return form == FF_TEXT;
	case IRMF_NAME:
		if (text.p[0] == '-' || (text.p[0] >= '0' && text.p[0] <= '9')) /* past 64 bits */
			return form == FF_NUMBER;
		return words && (*words == ' ' ? str_is_among(words, text) : are_words(text, words));
	case IRMF_INT:
		if (!f->a || !f->bits)
			return limit && f->bits <= limit;
		return form == FF_NUMBER || (form == FF_BOUND && f->bits <= (u64)1 << 63) || (form == FF_COUNT && f->bits == 1) ||
		       (form == FF_I32 && f->bits <= limit + 1);
	}
	return false;
}

static bool check_values(Verifier *v, const IrMdNode *n, Str name)
{
	const IrMdField *fields = n->n ? &v->m->md_fields.p[n->first] : NULL;
	for (u32 i = 0; i < n->n; i++) {
		const IrMdField *f = &fields[i];
		if (!f->name.i)
			continue;
		for (u32 k = 0; k < i; k++)
			if (fields[k].name.i == f->name.i)
				return irv_md(v, n->origin, name.p, "the field '%.*s' is given twice",
				              STR_ARG(ir_str(v->m, f->name)));
		/* Names repeat: what they mean is looked up once. */
		bool fresh;
		u64 *row = map_put(&v->fields, (u64)n->text.i << 32 | f->name.i, &fresh);
		if (fresh)
			*row = find_form(name, ir_str(v->m, f->name));
		FieldForm form = *row ? (FieldForm)holds[*row - 1].form : FF_NODE;
		if (*row && !fits(v, f, form))
			return irv_md(v, n->origin, name.p, "the field '%.*s' takes %s", STR_ARG(ir_str(v->m, f->name)),
			              forms[form].takes);
	}
	return true;
}

/* ---- nodes ---- */

bool irv_is_definition(const Verifier *v, IrMd md)
{
	const IrMdField *flags = ir_md_field(v->m, md, "spFlags"), *plain = ir_md_field(v->m, md, "isDefinition");
	if (plain)
		return plain->kind == IRMF_NAME && str_is(ir_str(v->m, (StrId){plain->a}), "true");
	if (!flags)
		return true;
	Str text = flags->kind == IRMF_NAME ? ir_str(v->m, (StrId){flags->a}) : (Str){0};
	for (u32 i = 0; i + 18 <= text.n; i++)
		if (memcmp(text.p + i, "DISPFlagDefinition", 18) == 0)
			return true;
	return flags->kind == IRMF_INT && (flags->bits & 8);
}

/* Fields that only some tags have. */
static const struct {
	const char *node, *field, *tags; /* each tag with a space before and behind it */
	const char *which;
} of_tags[] = {
	{"DIDerivedType", "dwarfAddressSpace", " DW_TAG_pointer_type DW_TAG_reference_type DW_TAG_rvalue_reference_type ",
         "pointers and references"},
	{"DICompositeType", "dataLocation", " DW_TAG_array_type ", "arrays"},
	{"DICompositeType", "associated", " DW_TAG_array_type ", "arrays"},
	{"DICompositeType", "allocated", " DW_TAG_array_type ", "arrays"},
	{"DICompositeType", "rank", " DW_TAG_array_type ", "arrays"},
	{"DICompositeType", "discriminator", " DW_TAG_variant_part ", "parts with variants"},
};

static bool is_given(const IrMdField *f) { return f && !(f->kind == IRMF_MD && !f->a); }

static bool check_tags(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	const IrMdField *tag = ir_md_field(v->m, md, "tag");
	if (!tag || tag->kind != IRMF_NAME)
		return true;
	for (u32 i = 0; i < PS_COUNT(of_tags); i++)
		if (str_is(name, of_tags[i].node) && is_given(ir_md_field(v->m, md, of_tags[i].field)) &&
		    !str_is_among(of_tags[i].tags, ir_str(v->m, (StrId){tag->a})))
			return irv_md(v, n->origin, name.p, "the field '%s' is for %s", of_tags[i].field, of_tags[i].which);
	return true;
}

static bool check_subrange(Verifier *v, IrMd md, const IrMdNode *n, Str name)
{
	static const char *const bounds[] = {"count", "lowerBound", "upperBound", "stride"};
	if (is_given(ir_md_field(v->m, md, "count")) && is_given(ir_md_field(v->m, md, "upperBound")))
		return irv_md(v, n->origin, name.p, "it has a count or an upper bound, not both");
	if (str_is(name, "DIGenericSubrange"))
		for (u32 i = 1; i < PS_COUNT(bounds); i += 2)
			if (!is_given(ir_md_field(v->m, md, bounds[i])))
				return irv_md(v, n->origin, name.p, "the field '%s' is missing", bounds[i]);
	return true;
}

static bool check_language(Verifier *v, IrMd md, const IrMdNode *n)
{
	bool named = ir_md_field(v->m, md, "sourceLanguageName") != NULL;
	if (named && ir_md_field(v->m, md, "language"))
		return irv_md(v, n->origin, "DICompileUnit", "it has a language or a sourceLanguageName, not both");
	return named || !ir_md_field(v->m, md, "sourceLanguageVersion") ||
	       irv_md(v, n->origin, "DICompileUnit", "a sourceLanguageVersion needs the sourceLanguageName");
}

static bool check_node(Verifier *v, IrMd md, const IrMdNode *n)
{
	Str  name = ir_str(v->m, n->text);
	bool unique = str_is(name, "DICompileUnit") || str_is(name, "DIAssignID") ||
	              (str_is(name, "DISubprogram") && irv_is_definition(v, md));
	if (unique && !n->distinct)
		return irv_md(v, n->origin, name.p, "it must be distinct%s: distinct !%.*s(...)",
		              name.p[2] == 'S' ? ", being a definition" : "", STR_ARG(name));
	if (!check_required(v, md, n, name) || !check_values(v, n, name))
		return false;
	if (str_is(name, "DICompileUnit") && !check_language(v, md, n))
		return false;
	const IrMdField *own = str_is(name, "DIGlobalVariable") ? ir_md_field(v->m, md, "name") : NULL;
	if (own && own->kind == IRMF_STRING && !ir_str(v->m, (StrId){own->a}).n)
		return irv_md(v, n->origin, name.p, "the field 'name' must not be empty");
	if (str_is(name, "DISubrange") || str_is(name, "DIGenericSubrange"))
		return check_subrange(v, md, n, name);
	return n->n < 3 || check_tags(v, md, n, name);
}

void irv_check_nodes(Verifier *v)
{
	map_init(&v->fields, &v->scratch);
	u32 from = PS_MAX(v->m->mds_checked, 1u);
	v->m->mds_checked = v->m->mds.n;
	for (u32 i = from; i < v->m->mds.n; i++)
		if (ir_md(v->m, (IrMd){i})->kind == IRMD_SPEC)
			check_node(v, (IrMd){i}, ir_md(v->m, (IrMd){i}));
}
