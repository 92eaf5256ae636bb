/* parse_di.c: fields and names that specialised metadata nodes may have, for the parser. What is found good is remembered, so a
 * module with many nodes asks the tables once for each pair of node and field and for each name. */
#include "ir/parse.h"

static const struct {
	const char *node, *fields; /* NAME:FORM … as in bitcode_di.def */
} nodes[] = {
#define BC_DI(code, node, lengths, fields) {node, fields},
#include "ir/bitcode_di.def"
	{"DIEnumerator", "name: value: isUnsigned:"},
	{"DIFixedPointType", "tag: name: size: align: encoding: flags: kind: factor: numerator: denominator:"},
	{"DIDerivedType", "ptrAuthKey: ptrAuthIsAddressDiscriminated: ptrAuthExtraDiscriminator: ptrAuthIsaPointer: "
                          "ptrAuthAuthenticatesNullValues:"},
	{"DICompileUnit", "sourceLanguageName:"},
	{"DISubprogram", "virtuality: isLocal: isDefinition: isOptimized:"},
	{"GenericDINode", "tag: header: operands:"},
};

static const char *next_field(const char *at)
{
	at = strchr(at, ' ');
	return at ? at + 1 : NULL;
}

static bool has_field(const char *fields, Str field)
{
	for (const char *at = fields; at; at = next_field(at))
		if (!strncmp(at, field.p, field.n) && at[field.n] == ':')
			return true;
	return false;
}

bool irp_di_node_known(Str node)
{
	for (u32 i = 0; i < PS_COUNT(nodes); i++)
		if (str_is(node, nodes[i].node))
			return true;
	return false;
}

static bool is_good(Parser *p, u64 key)
{
	if (!p->di_good.arena)
		map_init(&p->di_good, p->arena);
	return map_or(&p->di_good, key, 0) != 0;
}

void irp_check_di_field(Parser *p, StrId node, StrId field)
{
	u64 key = (u64)node.i << 32 | field.i;
	Str name = ir_str(p->m, node);
	if (p->panic || is_good(p, key))
		return;
	Text all;
	text_init(&all, p->arena);
	text_f(&all, "a field of %.*s:", STR_ARG(name));
	for (u32 i = 0; i < PS_COUNT(nodes); i++) {
		if (!str_is(name, nodes[i].node))
			continue;
		if (has_field(nodes[i].fields, ir_str(p->m, field))) {
			map_set(&p->di_good, key, 1);
			return;
		}
		for (const char *at = nodes[i].fields; at && *at; at = next_field(at))
			text_f(&all, "%s %.*s", text_str(&all).p[all.n - 1] == ':' ? "" : ",", (int)strcspn(at, ":"), at);
	}
	text_c(&all, '\0');
	irp_expected(p, text_str(&all).p);
}

/* ---- names of constants ---- */

static const struct {
	const char *set, *name;
} names[] = {
#define DWARF(set, value, name)         {#set, name},
#define DWARF_OP(value, operands, name) {"OP", name},
#define DI_FLAG(set, mask, value, name) {#set, name},
#include "ir/dwarf.def"
};

/* Operations that no DIExpression of LLVM has; it reads them, and then drops what is invalid. */
static const char other_ops[] = " addr const1u const1s const2u const2s const4u const4s const8u const8s drop pick bra skip piece "
				"fbreg nop xderef_size call2 call4 "
				"call_ref form_tls_address call_frame_cfa bit_piece implicit_value implicit_pointer addrx constx "
				"entry_value const_type regval_type "
				"deref_type xderef_type convert reinterpret GNU_push_tls_address GNU_uninit GNU_encoded_addr "
				"GNU_implicit_pointer GNU_entry_value "
				"GNU_const_type GNU_regval_type GNU_deref_type GNU_convert GNU_reinterpret GNU_parameter_ref "
				"GNU_addr_index GNU_const_index "
				"GNU_variable_value PGI_omp_thread_num HP_unknown HP_is_value HP_fltconst4 HP_fltconst8 "
				"HP_mod_range HP_unmod_range HP_tls INTEL_bit_piece "
				"WASM_location WASM_location_int APPLE_uninit LLVM_user ";

static bool is_other_op(Str op)
{
	for (const char *at = other_ops; (at = strchr(at, ' ')) && at[1]; at++)
		if (!strncmp(at + 1, op.p, op.n) && at[1 + op.n] == ' ')
			return true;
	return false;
}

/* lit0 to lit31, reg and breg alike: the table has the name without the number. */
static Str without_number(Str op)
{
	u32 digits = 0, n = 0;
	while (digits < op.n && op.p[op.n - 1 - digits] >= '0' && op.p[op.n - 1 - digits] <= '9')
		digits++;
	for (u32 i = op.n - digits; i < op.n; i++)
		n = PS_MIN(n * 10 + (u32)(op.p[i] - '0'), 99u);
	Str  name = {op.p, op.n - digits};
	bool numbered = str_is(name, "lit") || str_is(name, "reg") || str_is(name, "breg");
	return numbered && digits && n < 32 ? name : op;
}

void irp_check_di_name(Parser *p)
{
	static const struct {
		const char *prefix, *set, *what;
	} sets[] = {{"DW_TAG_", "TAG", "a tag of DWARF"},
	            {"DW_ATE_", "ATE", "an encoding of DWARF"},
	            {"DW_LANG_", "LANG", "a language of DWARF"},
	            {"DW_LNAME_", "LNAME", "a language of DWARF 6"},
	            {"DW_VIRTUALITY_", "VIRTUALITY", "a virtuality of DWARF"},
	            {"DW_CC_", "CC", "a calling convention of DWARF"},
	            {"DW_MACINFO_", "MACINFO", "a kind of macro of DWARF"},
	            {"DW_OP_", "OP", "an operation of a DIExpression"},
	            {"DIFlag", "FLAG", "a flag of debug information"},
	            {"DISPFlag", "SPFLAG", "a flag of a subprogram"}};
	StrId id = strtab_add(&p->s->strs, p->t.text);
	if (str_is(p->t.text, "DW_CC_LLVM_OpenCLKernel")) /* before LLVM 21: ir_md_upgrade_field */
		return;
	if (p->panic || is_good(p, id.i))
		return;
	for (u32 s = 0; s < PS_COUNT(sets); s++) {
		u32 skip = (u32)strlen(sets[s].prefix);
		if (!str_starts(p->t.text, sets[s].prefix))
			continue;
		Str  name = {p->t.text.p + skip, p->t.text.n - skip}, op = without_number(name);
		bool of_ops = str_is(str_of(sets[s].set), "OP"), known = of_ops && is_other_op(name);
		for (u32 i = 0; i < PS_COUNT(names) && !known; i++)
			known = !strcmp(names[i].set, sets[s].set) && str_is(of_ops ? op : name, names[i].name);
		if (!known)
			irp_expected(p, sets[s].what);
	}
	if (!p->panic)
		map_set(&p->di_good, id.i, 1);
}
