/* md_older.c: specialised metadata nodes in the forms of several versions of LLVM. Constant time for each field. */
#include "ir/md_older.h"

/* The language that LLVM 19 knows. DWARF 6 counts versions apart from languages, and there are newer languages. */
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

StrId ir_md_language(IrModule *m, const IrMdField *f) { return older_language(m, ir_str(m, (StrId){f->a})); }

bool ir_md_upgrade_field(IrModule *m, Str node, IrMdField *f)
{
	static const struct {
		const char *node, *fields; /* each with a space before and behind it */
	} gone[] = {{"DICompileUnit", " gnuPubnames subprograms "},
	            {"DILocalVariable", " tag "},
	            {"DIModule", " isysroot "},
	            {"DINamespace", " file line "},
	            {"DIBasicType", " file line scope "}, /* of LLVM 23, as those that follow */
	            {"DIFixedPointType", " file line scope "}};
	Str field = ir_str(m, f->name);
	if (str_is(node, "DISubprogram") && str_is(field, "variables"))
		f->name = strtab_add(&m->s->strs, STR("retainedNodes"));
	if (f->kind == IRMF_NAME && str_is(field, "cc") && str_is(ir_str(m, (StrId){f->a}), "DW_CC_LLVM_OpenCLKernel"))
		f->a = strtab_add(&m->s->strs, STR("DW_CC_LLVM_DeviceKernel")).i;
	for (u32 i = 0; i < PS_COUNT(gone); i++)
		if (str_is(node, gone[i].node) && str_is_among(gone[i].fields, field))
			return true;
	return false;
}

bool ir_md_older_field(IrModule *m, u32 version, Str node, IrMdField *f)
{
	static const struct {
		const char *node, *fields; /* each with a space before and behind it */
		u8          since;
	} newer[] = {
		{"DISubprogram", " keyInstructions ", 21},
		{"DILocation", " atomGroup atomRank ", 21},
		{"DICompileUnit", " sourceLanguageVersion ", 22},
		{"DIBasicType", " num_extra_inhabitants ", 20},
		{"DIBasicType", " dataSize ", 22},
		{"DICompositeType", " enumKind num_extra_inhabitants specification bitStride ", 22},
		{"DILabel", " column isArtificial coroSuspendIdx ", 22},
		{"DIFixedPointType", " tag flags kind factor numerator denominator ", 22},
		{"DISubrangeType", " lowerBound upperBound stride bias ", 22},
	};
	Str field = ir_str(m, f->name);
	if (version < 22 && str_is(field, "sourceLanguageName"))
		f->name = strtab_add(&m->s->strs, field = STR("language"));
	if (version < 22 && f->kind == IRMF_NAME && (str_is(field, "language") || str_is(field, "runtimeLang")))
		f->a = ir_md_language(m, f).i;
	if (version < 21 && f->kind == IRMF_NAME && str_is(ir_str(m, (StrId){f->a}), "DW_CC_LLVM_DeviceKernel"))
		f->a = strtab_add(&m->s->strs, STR("DW_CC_LLVM_OpenCLKernel")).i;
	if (version < 21 && f->kind == IRMF_MD && (str_is(field, "size") || str_is(field, "offset")))
		return true; /* that are computed */
	for (u32 i = 0; i < PS_COUNT(newer); i++)
		if (version < newer[i].since && str_is(node, newer[i].node) && str_is_among(newer[i].fields, field))
			return true;
	return false;
}

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
