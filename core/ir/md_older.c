/* md_older.c: brings specialised metadata nodes of newer LLVMs to the form that LLVM 19 has. Constant time for each field. */
#include "ir/md_older.h"

/* The language that LLVM 19 knows: DWARF 6 counts versions apart from languages, and there are newer ones. */
static StrId older_language(IrModule *m, Str name)
{
	static const struct {
		const char *name, *older;
	} others[] = {{"Ada", "Ada95"},
	              {"Cobol", "Cobol85"},
	              {"Fortran", "Fortran18"},
	              {"OpenCL_C", "OpenCL"},
	              {"Pascal", "Pascal83"},
	              {"Algol68", "C99"},
	              {"Metal", "C_plus_plus_14"},
	              {"Nim", "C99"},
	              {"Odin", "C99"},
	              {"P4", "C99"},
	              {"V", "C99"}};
	u32 skip = str_starts(name, "DW_LNAME_") ? 9 : str_starts(name, "DW_LANG_") ? 8 : name.n;
	Str bare = {name.p + skip, name.n - skip};
	for (u32 i = 0; i < PS_COUNT(others); i++)
		if (str_is(bare, others[i].name))
			bare = str_of(others[i].older);
	return strtab_add(&m->s->strs, bare.n ? arena_fmt(m->arena, "DW_LANG_%.*s", STR_ARG(bare)) : name);
}

/* Renames fields that have another name in LLVM 19. Returns true for a field that LLVM 19 does not have, which is dropped. */
bool ir_md_older_field(IrModule *m, Str node, IrMdField *f)
{
	static const struct {
		const char *node, *fields; /* each with a space before and behind it */
	} gone[] = {
		{"DISubprogram", " keyInstructions "},
		{"DILocation", " atomGroup atomRank "},
		{"DICompileUnit", " sourceLanguageVersion gnuPubnames subprograms "},
		{"DIBasicType", " numExtraInhabitants dataSize file line scope "},
		{"DICompositeType", " enumKind numExtraInhabitants specification bitStride "},
		{"DILabel", " column isArtificial coroSuspendIdx "},
		{"DILocalVariable", " tag "},
		{"DINamespace", " file line "},
		{"DIModule", " isysroot "},
		{"DIFixedPointType", " tag flags kind factor numerator denominator file line scope "},
		{"DISubrangeType", " lowerBound upperBound stride bias "},
	};
	Str field = ir_str(m, f->name);
	if (str_is(node, "DISubprogram") && str_is(field, "variables"))
		f->name = strtab_add(&m->s->strs, STR("retainedNodes"));
	if (str_is(field, "sourceLanguageName"))
		f->name = strtab_add(&m->s->strs, field = STR("language"));
	if (f->kind == IRMF_NAME && (str_is(field, "language") || str_is(field, "runtimeLang")))
		f->a = older_language(m, ir_str(m, (StrId){f->a})).i;
	if (f->kind == IRMF_MD && (str_is(field, "size") || str_is(field, "offset")))
		return true; /* that are computed */
	for (u32 i = 0; i < PS_COUNT(gone); i++)
		if (str_is(node, gone[i].node))
			return str_is_among(gone[i].fields, field);
	return false;
}

/* Replaces node kinds that LLVM 19 does not have by the closest one it has. */
StrId ir_md_older_node(IrModule *m, StrId name, IrMdFields *list)
{
	Str node = ir_str(m, name);
	if (str_is(node, "DIFixedPointType"))
		return strtab_add(&m->s->strs, STR("DIBasicType"));
	if (!str_is(node, "DISubrangeType"))
		return name;
	StrId base = strtab_add(&m->s->strs, STR("baseType"));
	bool  has = false;
	for (u32 i = 0; i < list->n; i++)
		has |= list->p[i].name.i == base.i;
	if (!has)
		vec_push(m->arena, list, ((IrMdField){.kind = IRMF_MD, .name = base}));
	vec_push(m->arena, list,
	         ((IrMdField){.kind = IRMF_NAME,
	                      .name = strtab_add(&m->s->strs, STR("tag")),
	                      .a = strtab_add(&m->s->strs, STR("DW_TAG_typedef")).i}));
	return strtab_add(&m->s->strs, STR("DIDerivedType"));
}
