/* dwarf_type.c: entries of types: DIBasicType, DIDerivedType, DICompositeType, DISubroutineType.
 *
 * An entry stands in its scope (the unit, a namespace, a type) and is made when something first refers to it, so types that only
 * the IR names are left out. It is known before its members are made, which may point back to it. */
#include "ptx/dwarf.h"

typedef struct Named {
	const char *name;
	u32         value;
} Named;

static const Named tags[] = {
#define DW_TAG(name, value) {"DW_TAG_" #name, value},
#include "ptx/dwarf.def"
};
static const Named encodings[] = {
#define DW_ATE(name, value) {"DW_ATE_" #name, value},
#include "ptx/dwarf.def"
};

static u32 value_of(const Named *rows, u32 n, Str word)
{
	for (u32 i = 0; i < n; i++)
		if (str_is(word, rows[i].name))
			return rows[i].value;
	return 0;
}

static u32 tag_of(Str word) { return value_of(tags, PS_COUNT(tags), word); }
static u32 encoding_of(Str word) { return value_of(encodings, PS_COUNT(encodings), word); }

void dw_type_ref(Dwarf *d, Die *die, IrMd type)
{
	Die *to = dw_type(d, die->unit, type);
	if (to)
		dw_ref(d, die, DW_AT_type, to);
}

/* What a bit field is stored in: the type behind typedefs and qualifiers. */
static u64 storage_bits(const Dwarf *d, IrMd type)
{
	for (u32 steps = 0; type.i && steps < 64; steps++) {
		u32 tag = tag_of(dw_word(d, type, "tag"));
		if (tag != DW_TAG_member && tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
		    tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type)
			return dw_int(d, type, "size");
		type = dw_node(d, type, "baseType");
	}
	return 0;
}

static void offset_block(Dwarf *d, Die *die, u64 offset)
{
	u8 op[14] = {DW_OP_plus_uconst};
	dw_block(d, die, DW_AT_data_member_location, op, 1 + dw_uleb(op + 1, offset), STR(""));
}

/* The table of the object says where it is. */
static void virtual_base(Dwarf *d, Die *die, u64 offset)
{
	u8  op[20] = {DW_OP_dup, DW_OP_deref, DW_OP_constu};
	u32 n = 3 + dw_uleb(op + 3, offset);
	op[n++] = DW_OP_minus;
	op[n++] = DW_OP_deref;
	op[n++] = DW_OP_plus;
	dw_block(d, die, DW_AT_data_member_location, op, n, STR(""));
}

/* The distance of a bit field from the high end of its storage unit, as DWARF 2 counts it on little-endian machines. */
static void bit_field(Dwarf *d, Die *die, IrMd n)
{
	u64 size = dw_int(d, n, "size"), unit = PS_MAX(storage_bits(d, dw_node(d, n, "baseType")), 8u),
	    at = dw_int(d, n, "offset");
	u64 unit_start = (at + unit) / unit * unit - unit;
	i64 from_high = (i64)unit - (i64)(at - unit_start + size);
	dw_number(d, die, DW_AT_byte_size, unit / 8);
	dw_number(d, die, DW_AT_bit_size, size);
	if (from_high < 0)
		dw_form(d, die, DW_AT_bit_offset, DW_FORM_sdata, (u64)from_high);
	else
		dw_number(d, die, DW_AT_bit_offset, (u64)from_high);
	offset_block(d, die, unit_start / 8);
}

/* The number that metadata has. */
static void constant(Dwarf *d, Die *die, IrMd type, IrMd value)
{
	const IrModule *m = d->a->ir;
	const IrMdNode *v = value.i ? ir_md(m, value) : NULL;
	u64             bits;
	if (!v || v->kind != IRMD_VALUE)
		return;
	if (ir_as_fp(m, v->value, &bits)) {
		dw_form(d, die, DW_AT_const_value, DW_FORM_udata, bits);
	} else if (ir_as_int(m, v->value, &bits)) {
		u32  width = (u32)ir_size_bits(m, ir_type_of(m, v->value));
		bool is_unsigned = dw_is_unsigned(d, type);
		dw_form(d, die, DW_AT_const_value, is_unsigned ? DW_FORM_udata : DW_FORM_sdata,
		        is_unsigned ? bits : (u64)sem_sext(bits, width));
	}
}

Die *dw_static_member(Dwarf *d, Die *parent, IrMd n)
{
	Die *die = dw_find(d, n);
	if (die)
		return die;
	die = dw_new(d, parent, DW_TAG_member);
	dw_set(d, n, die);
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, n, "name"));
	dw_type_ref(d, die, dw_node(d, n, "baseType"));
	dw_place(d, die, n);
	dw_form(d, die, DW_AT_external, DW_FORM_flag, 1);
	dw_form(d, die, DW_AT_declaration, DW_FORM_flag, 1);
	if (dw_flag(d, n, "flags", "DIFlagArtificial")) /* the table of virtual functions */
		dw_form(d, die, DW_AT_artificial, DW_FORM_flag, 1);
	dw_access(d, die, n);
	constant(d, die, dw_node(d, n, "baseType"), dw_node(d, n, "extraData"));
	dw_align(d, die, n);
	return die;
}

static void member(Dwarf *d, Die *parent, IrMd n)
{
	if (dw_flag(d, n, "flags", "DIFlagStaticMember")) {
		dw_static_member(d, parent, n);
		return;
	}
	Die *die = dw_new(d, parent, tag_of(dw_word(d, n, "tag")));
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, n, "name"));
	dw_type_ref(d, die, dw_node(d, n, "baseType"));
	dw_place(d, die, n);
	dw_align(d, die, n);
	if (die->tag == DW_TAG_inheritance && dw_flag(d, n, "flags", "DIFlagVirtual"))
		virtual_base(d, die, dw_int(d, n, "offset"));
	else if (dw_flag(d, n, "flags", "DIFlagBitField"))
		bit_field(d, die, n);
	else
		offset_block(d, die, dw_int(d, n, "offset") / 8);
	dw_access(d, die, n);
	if (dw_flag(d, n, "flags", "DIFlagVirtual"))
		dw_form(d, die, DW_AT_virtuality, DW_FORM_data1, 1);
	if (dw_flag(d, n, "flags", "DIFlagArtificial"))
		dw_form(d, die, DW_AT_artificial, DW_FORM_flag, 1);
}

void dw_arguments(Dwarf *d, Die *die, IrMd types)
{
	u32 n = types.i ? ir_md(d->a->ir, types)->n : 0;
	for (u32 i = 1; i < n; i++) {
		IrMd t = ir_md_op(d->a->ir, types, i);
		if (!t.i) {
			dw_new(d, die, DW_TAG_unspecified_parameters);
			continue;
		}
		Die *arg = dw_new(d, die, DW_TAG_formal_parameter);
		dw_type_ref(d, arg, t);
		if (dw_flag(d, t, "flags", "DIFlagArtificial"))
			dw_form(d, arg, DW_AT_artificial, DW_FORM_flag, 1);
	}
}

static void subroutine(Dwarf *d, Die *die, IrMd n)
{
	IrMd types = dw_node(d, n, "types");
	if (types.i && ir_md(d->a->ir, types)->n)
		dw_type_ref(d, die, ir_md_op(d->a->ir, types, 0));
	dw_arguments(d, die, types);
	bool open = types.i && ir_md(d->a->ir, types)->n == 2 && !ir_md_op(d->a->ir, types, 1).i; /* int f() */
	if (!open && dw_is_c(d, die->unit))
		dw_form(d, die, DW_AT_prototyped, DW_FORM_flag, 1);
	dw_reference(d, die, n);
}

/* The type that counts elements. */
static Die *index_type(Dwarf *d, DwUnit *u)
{
	if (!d->size_type) {
		d->size_type = dw_new(d, u->die, DW_TAG_base_type);
		dw_text(d, d->size_type, DW_AT_name, DW_FORM_string, STR("__ARRAY_SIZE_TYPE__"));
		dw_number(d, d->size_type, DW_AT_byte_size, 8);
		dw_form(d, d->size_type, DW_AT_encoding, DW_FORM_data1, DW_ATE_unsigned);
	}
	return d->size_type;
}

/* One that has fewer elements than room says its size. */
static void vector(Dwarf *d, Die *die, IrMd n)
{
	IrMd             elements = dw_node(d, n, "elements"), range = elements.i ? ir_md_op(d->a->ir, elements, 0) : (IrMd){0};
	const IrMdField *count = ir_md_field(d->a->ir, range, "count");
	u64              size = dw_int(d, n, "size");
	dw_form(d, die, DW_AT_GNU_vector, DW_FORM_flag, 1);
	if (count && count->kind == IRMF_INT && !count->a && count->bits * storage_bits(d, dw_node(d, n, "baseType")) != size)
		dw_number(d, die, DW_AT_byte_size, size / 8);
}

static void array(Dwarf *d, Die *die, IrMd n)
{
	IrMd elements = dw_node(d, n, "elements");
	if (dw_flag(d, n, "flags", "DIFlagVector"))
		vector(d, die, n);
	dw_type_ref(d, die, dw_node(d, n, "baseType"));
	for (u32 i = 0; elements.i && i < ir_md(d->a->ir, elements)->n; i++) {
		IrMd range = ir_md_op(d->a->ir, elements, i);
		if (!range.i || !str_is(dw_kind(d, range), "DISubrange"))
			continue;
		Die *sub = dw_new(d, die, DW_TAG_subrange_type);
		dw_ref(d, sub, DW_AT_type, index_type(d, die->unit));
		const IrMdField *count = ir_md_field(d->a->ir, range, "count");
		if (count && count->kind == IRMF_INT && !count->a)
			dw_number(d, sub, DW_AT_count, count->bits);
	}
}

static void enumerators(Dwarf *d, Die *die, IrMd n)
{
	IrMd elements = dw_node(d, n, "elements");
	dw_type_ref(d, die, dw_node(d, n, "baseType"));
	for (u32 i = 0; elements.i && i < ir_md(d->a->ir, elements)->n; i++) {
		IrMd             e = ir_md_op(d->a->ir, elements, i);
		Die             *x = dw_new(d, die, DW_TAG_enumerator);
		const IrMdField *v = ir_md_field(d->a->ir, e, "value");
		bool             is_unsigned = dw_flag(d, e, "isUnsigned", "true");
		dw_text(d, x, DW_AT_name, DW_FORM_string, dw_str(d, e, "name"));
		if (v && v->kind == IRMF_INT)
			dw_form(d, x, DW_AT_const_value, is_unsigned ? DW_FORM_udata : DW_FORM_sdata,
			        v->a ? (u64) - (i64)v->bits : v->bits);
	}
}

static void members(Dwarf *d, Die *die, IrMd n)
{
	IrMd elements = dw_node(d, n, "elements");
	for (u32 i = 0; elements.i && i < ir_md(d->a->ir, elements)->n; i++) {
		IrMd e = ir_md_op(d->a->ir, elements, i);
		if (!e.i)
			continue;
		if (str_is(dw_kind(d, e), "DISubprogram"))
			dw_subprogram(d, die->unit, e);
		else if (str_is(dw_kind(d, e), "DIDerivedType"))
			member(d, die, e);
		else
			dw_type(d, die->unit, e);
	}
}

/* The value is the address of a symbol. */
static void address_constant(Dwarf *d, Die *die, IrRef symbol)
{
	static const u8 op[] = {DW_OP_addr, DW_OP_stack_value};
	dw_block(d, die, DW_AT_location, op, sizeof op, asm_name(d->a, symbol));
}

static void template_value(Dwarf *d, Die *die, IrMd n)
{
	IrMd            value = dw_node(d, n, "value");
	const IrMdNode *v = value.i ? ir_md(d->a->ir, value) : NULL;
	if (die->tag == DW_TAG_GNU_template_parameter_pack)
		dw_template(d, die, value);
	else if (die->tag == DW_TAG_template_value_parameter && v && v->kind == IRMD_VALUE && ir_kind(v->value) == IR_GLOBAL)
		address_constant(d, die, v->value);
	else if (die->tag == DW_TAG_template_value_parameter)
		constant(d, die, dw_node(d, n, "type"), value);
	else if (v && v->kind == IRMD_STRING)
		dw_text(d, die, DW_AT_GNU_template_name, DW_FORM_string, ir_str(d->a->ir, v->text));
}

/* !{!DITemplateTypeParameter(…), !DITemplateValueParameter(…)} */
void dw_template(Dwarf *d, Die *die, IrMd parameters)
{
	for (u32 i = 0; parameters.i && i < ir_md(d->a->ir, parameters)->n; i++) {
		IrMd n = ir_md_op(d->a->ir, parameters, i);
		bool value = str_is(dw_kind(d, n), "DITemplateValueParameter");
		u32  tag = value ? tag_of(dw_word(d, n, "tag")) : DW_TAG_template_type_parameter;
		Die *p = dw_new(d, die, tag ? tag : DW_TAG_template_value_parameter);
		if (!value || p->tag == DW_TAG_template_value_parameter)
			dw_type_ref(d, p, dw_node(d, n, "type"));
		dw_text(d, p, DW_AT_name, DW_FORM_string, dw_str(d, n, "name"));
		if (value)
			template_value(d, p, n);
	}
}

static void containing_type(Dwarf *d, Die *die, IrMd type)
{
	Die *of = dw_type(d, die->unit, type);
	if (of)
		dw_ref(d, die, DW_AT_containing_type, of);
}

static void composite(Dwarf *d, Die *die, IrMd n)
{
	Str  name = dw_str(d, n, "name");
	bool forward = dw_flag(d, n, "flags", "DIFlagFwdDecl");
	if (die->tag == DW_TAG_array_type) {
		array(d, die, n);
		return;
	}
	dw_template(d, die, dw_node(d, n, "templateParams"));
	if (die->tag == DW_TAG_enumeration_type)
		enumerators(d, die, n);
	else
		members(d, die, n);
	if (dw_flag(d, n, "flags", "DIFlagExportSymbols")) /* members of an anonymous one are names around it */
		dw_form(d, die, DW_AT_export_symbols, DW_FORM_flag, 1);
	containing_type(d, die, dw_node(d, n, "vtableHolder"));
	if (dw_flag(d, n, "flags", "DIFlagTypePassByValue"))
		dw_form(d, die, DW_AT_calling_convention, DW_FORM_data1, DW_CC_pass_by_value);
	else if (dw_flag(d, n, "flags", "DIFlagTypePassByReference"))
		dw_form(d, die, DW_AT_calling_convention, DW_FORM_data1, DW_CC_pass_by_reference);
	dw_text(d, die, DW_AT_name, DW_FORM_string, name);
	if (!forward)
		dw_number(d, die, DW_AT_byte_size, dw_int(d, n, "size") / 8);
	if (forward)
		dw_form(d, die, DW_AT_declaration, DW_FORM_flag, 1);
	dw_access(d, die, n);
	if (!forward)
		dw_place(d, die, n);
	dw_align(d, die, n);
}

static void derived(Dwarf *d, Die *die, IrMd n)
{
	u64 size = dw_int(d, n, "size") / 8;
	dw_type_ref(d, die, dw_node(d, n, "baseType"));
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, n, "name"));
	if (size && die->tag != DW_TAG_pointer_type && die->tag != DW_TAG_ptr_to_member_type &&
	    die->tag != DW_TAG_reference_type && die->tag != DW_TAG_rvalue_reference_type)
		dw_number(d, die, DW_AT_byte_size, size);
	if (die->tag == DW_TAG_ptr_to_member_type)
		containing_type(d, die, dw_node(d, n, "extraData"));
	dw_place(d, die, n);
	const IrMdField *space = ir_md_field(d->a->ir, n, "dwarfAddressSpace");
	if (space && space->kind == IRMF_INT)
		dw_form(d, die, DW_AT_address_class, DW_FORM_data4, space->bits);
}

static void basic(Dwarf *d, Die *die, IrMd n)
{
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, n, "name"));
	if (die->tag == DW_TAG_unspecified_type)
		return;
	const IrMdField *e = ir_md_field(d->a->ir, n, "encoding");
	u64              encoding = e && e->kind == IRMF_INT ? e->bits : encoding_of(dw_word(d, n, "encoding"));
	dw_form(d, die, DW_AT_encoding, DW_FORM_data1, encoding);
	dw_number(d, die, DW_AT_byte_size, dw_int(d, n, "size") / 8);
}

static bool is_basic(Str kind) { return str_is(kind, "DIBasicType") || str_is(kind, "DIFixedPointType"); }

static u32 type_tag(const Dwarf *d, IrMd n, Str kind)
{
	if (str_is(kind, "DISubroutineType"))
		return DW_TAG_subroutine_type;
	if (str_is(kind, "DISubrangeType")) /* DWARF 2 has no bounds outside arrays */
		return DW_TAG_typedef;
	const IrMdField *f = ir_md_field(d->a->ir, n, "tag");
	u32              tag = f && f->kind == IRMF_INT ? (u32)f->bits : tag_of(dw_word(d, n, "tag"));
	return tag || !is_basic(kind) ? tag : DW_TAG_base_type;
}

enum { MAX_DEPTH = 1000 }; /* of types that are made for others; deeper ones count as void */

Die *dw_type(Dwarf *d, DwUnit *u, IrMd type)
{
	if (!type.i || d->depth > MAX_DEPTH)
		return NULL;
	Die *die = dw_find(d, type);
	Str  kind = dw_kind(d, type);
	u32  tag = type_tag(d, type, kind);
	if (die || !tag)
		return die;
	/* Qualifiers that DWARF 2 lacks are left out. */
	if (tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type)
		return dw_type(d, u, dw_node(d, type, "baseType"));
	Die *scope = dw_scope(d, u, dw_node(d, type, "scope"));
	if ((die = dw_find(d, type)) != NULL) /* it came with the type that it stands in */
		return die;
	die = dw_new(d, scope, tag);
	dw_set(d, type, die);
	d->depth++;
	if (is_basic(kind))
		basic(d, die, type);
	else if (str_is(kind, "DISubroutineType"))
		subroutine(d, die, type);
	else if (str_is(kind, "DICompositeType"))
		composite(d, die, type);
	else
		derived(d, die, type);
	d->depth--;
	Str name = dw_str(d, type, "name");
	if (name.n && scope == scope->unit->die && !dw_flag(d, type, "flags", "DIFlagFwdDecl"))
		vec_push(d->arena, &scope->unit->type, ((DwName){name, die}));
	return die;
}
