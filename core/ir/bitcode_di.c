/* bitcode_di.c: records of debug information become specialised nodes, as the text reader makes them: fields with names, and numbers that
 * have names by name. bitcode_di.def has a row for each kind of record; those that no row can say are functions here.
 *
 * Linear in the records. */
#include "base/hash.h"
#include "ir/bitcode_di.h"
#include "ir/intern.h"
#include "ir/md_older.h"

enum { LOCATION = 7, GENERIC_DEBUG = 12, SUBRANGE = 13, ENUMERATOR = 14, DERIVED_TYPE = 17, FIXED_POINT = 49, MAX_CODE = 49 };
enum { MAX_FIELDS = 32 };

/* ---- names of numbers ---- */

typedef enum NameSet {
	SET_NONE,
	SET_TAG,
	SET_ATE,
	SET_LANG,
	SET_LNAME,
	SET_VIRTUALITY,
	SET_CC,
	SET_MACINFO,
	SET_FLAG,
	SET_SPFLAG
} NameSet;

static const char *const prefixes[] = {
	[SET_TAG] = "DW_TAG_",         [SET_ATE] = "DW_ATE_",     [SET_LANG] = "DW_LANG_",
	[SET_CC] = "DW_CC_",           [SET_LNAME] = "DW_LNAME_", [SET_VIRTUALITY] = "DW_VIRTUALITY_",
	[SET_MACINFO] = "DW_MACINFO_", [SET_FLAG] = "DIFlag",     [SET_SPFLAG] = "DISPFlag",
};

static const struct {
	u8          set;
	u32         value;
	const char *name;
} names[] = {
#define DWARF(set, value, name) {SET_##set, value, name},
#include "ir/dwarf.def"
};

static const struct {
	u8          set;
	u32         mask, value;
	const char *name;
} flags[] = {
#define DI_FLAG(set, mask, value, name) {SET_##set, mask, value, name},
#include "ir/dwarf.def"
};

static const struct {
	u32         value, operands;
	const char *name;
} operations[] = {
#define DWARF_OP(value, operands, name) {value, operands, name},
#include "ir/dwarf.def"
};

static IrMdField number(u64 v) { return (IrMdField){.kind = IRMF_INT, .bits = v}; }
static IrMdField negative(u64 v) { return (i64)v < 0 ? (IrMdField){.kind = IRMF_INT, .a = 1, .bits = 0 - v} : number(v); }
static IrMdField word(Bc *b, Str s) { return (IrMdField){.kind = IRMF_NAME, .a = strtab_add(&b->s->strs, s).i}; }

static IrMdField named(Bc *b, NameSet set, u64 v)
{
	for (u32 i = 0; i < PS_COUNT(names); i++)
		if (names[i].set == set && names[i].value == v)
			return word(b, arena_fmt(b->arena, "%s%s", prefixes[set], names[i].name));
	return number(v);
}

/* A | B; bits without a name as a number behind them */
static IrMdField flag_words(Bc *b, NameSet set, u64 v)
{
	Text t;
	if (!v)
		return number(0);
	text_init(&t, b->arena);
	for (u32 i = 0; i < PS_COUNT(flags); i++)
		if (flags[i].set == set && (v & flags[i].mask) == flags[i].value) {
			text_f(&t, "%s%s%s", t.n ? " | " : "", prefixes[set], flags[i].name);
			v &= ~(u64)flags[i].mask;
		}
	if (!t.n)
		return number(v);
	if (v)
		text_f(&t, " | %llu", (unsigned long long)v);
	return word(b, text_str(&t));
}

static IrMdField choice(Bc *b, const char *const *words, u32 n, u64 v) { return v < n ? word(b, str_of(words[v])) : number(v); }

/* ---- rows ---- */

typedef struct Field {
	StrId name;
	char  form;
	u8    at;
} Field;

typedef struct Layout {
	StrId node;
	u32   n;
	Field field[MAX_FIELDS];
} Layout;

struct BcDiLayouts {
	const char *node[MAX_CODE + 1], *fields[MAX_CODE + 1];
	u32         lengths[MAX_CODE + 1];
	Layout     *layout[MAX_CODE + 1]; /* NULL: not needed so far */
};

static struct BcDiLayouts *layouts_new(Arena *a)
{
	struct BcDiLayouts *l = arena_new(a, struct BcDiLayouts);
	static const struct {
		u32         code, lengths;
		const char *node, *fields;
	} rows[] = {
#define BC_DI(code, node, lengths, fields) {code, lengths, node, fields},
#include "ir/bitcode_di.def"
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		l->node[rows[i].code] = rows[i].node;
		l->fields[rows[i].code] = rows[i].fields;
		l->lengths[rows[i].code] = rows[i].lengths;
	}
	return l;
}

/* NAME:F12 NAME:F13 … */
static Layout *layout_of(Bc *b, u32 code)
{
	if (!b->di)
		b->di = layouts_new(b->arena);
	if (code > MAX_CODE || !b->di->node[code] || b->di->layout[code])
		return code > MAX_CODE ? NULL : b->di->layout[code];
	Layout *l = b->di->layout[code] = arena_new(b->arena, Layout);
	l->node = strtab_add(&b->s->strs, str_of(b->di->node[code]));
	for (const char *at = b->di->fields[code]; *at;) {
		const char *colon = strchr(at, ':');
		Field      *f = &l->field[l->n++];
		ICE_UNLESS(b->s, colon && l->n < MAX_FIELDS);
		f->name = strtab_add(&b->s->strs, (Str){at, (u32)(colon - at)});
		f->form = colon[1];
		for (at = colon + 2; *at >= '0' && *at <= '9'; at++)
			f->at = (u8)(f->at * 10 + *at - '0');
		at += *at == ' ';
	}
	return l;
}

/* ---- fields ---- */

static IrMdField md_field(IrMd md) { return (IrMdField){.kind = IRMF_MD, .a = md.i}; }

/* Since LLVM 4, nodes name each other and not by strings. */
static IrMdField node_field(Bc *b, u64 plus_one)
{
	IrMd md = bc_md_or_null(b, plus_one);
	bc_check(b, !md.i || ir_md(b->m, md)->kind != IRMD_STRING, "debug information of LLVM before 4 is not read");
	return md_field(md);
}

/* A node, or the number that a constant is. */
static IrMdField node_or_number(Bc *b, u64 plus_one)
{
	i64             v;
	IrMd            md = bc_md_or_null(b, plus_one);
	const IrMdNode *n = ir_md(b->m, md);
	return md.i && n->kind == IRMD_VALUE && ir_as_sint(b->m, n->value, &v) ? negative((u64)v) : md_field(md);
}

/* Does the record have anything to say? A capital letter is always said. */
static bool has_default(char form, u64 v, bool there)
{
	if (form >= 'A' && form <= 'Z')
		return false;
	if (form == 'n')
		return v || !there;
	return !v;
}

/* The pieces of DIDerivedType's pointer authentication, in one number. */
static void pointer_auth(Bc *b, IrMdFields *list, u64 v)
{
	static const struct {
		const char *name;
		u8          shift, bits;
	} pieces[] = {{"ptrAuthKey", 0, 4},
	              {"ptrAuthIsAddressDiscriminated", 4, 1},
	              {"ptrAuthExtraDiscriminator", 5, 16},
	              {"ptrAuthIsaPointer", 21, 1},
	              {"ptrAuthAuthenticatesNullValues", 22, 1}};
	for (u32 i = 0; i < PS_COUNT(pieces); i++) {
		u64       piece = v >> pieces[i].shift & (((u64)1 << pieces[i].bits) - 1);
		IrMdField f = pieces[i].bits > 1 ? number(piece) : word(b, piece ? STR("true") : STR("false"));
		f.name = strtab_add(&b->s->strs, str_of(pieces[i].name));
		vec_push(b->arena, list, f);
	}
}

/* The value of a field of this form. Numbers of nodes are as bc_md_or_null takes them. */
static IrMdField field_value(Bc *b, char form, u64 v)
{
	static const char *const emission[] = {"NoDebug", "FullDebug", "LineTablesOnly", "DebugDirectivesOnly"};
	static const char *const tables[] = {"Default", "GNU", "None", "Apple"};
	static const char *const sums[] = {"CSK_None", "CSK_MD5", "CSK_SHA1", "CSK_SHA256"};
	static const char *const kinds[] = {"DW_APPLE_ENUM_KIND_Closed", "DW_APPLE_ENUM_KIND_Open"};
	switch (form) {
	case 'm':
	case 'M': return node_field(b, v);
	case 'j':
	case 'J': return md_field(bc_md_or_null(b, v)); /* a string, too */
	case 'K': return md_field(bc_md_of_node(b, v)); /* without the one more */
	case 'r': return node_or_number(b, v);
	case 'z': return bc_op(b, 0) & b->di_size_bit ? node_or_number(b, v) : number(v);
	case 's':
	case 'S':
	case 'o': return (IrMdField){.kind = IRMF_STRING, .a = strtab_add(&b->s->strs, bc_md_string(b, v)).i};
	case 'i': return negative(v);
	case 'd': return number(v - 1); /* an optional number, + 1 */
	case 'b':
	case 'B':
	case 'n':
	case 'h': return word(b, v ? STR("true") : STR("false"));
	case 't':
	case 'T':
	case 'a':
	case 'w': return named(b, SET_TAG, v);
	case 'e': return named(b, SET_ATE, v);
	case 'l':
	case 'L': return named(b, SET_LANG, v);
	case 'c': return named(b, SET_CC, v);
	case 'q':
	case 'y': return named(b, SET_MACINFO, v);
	case 'f': return flag_words(b, SET_FLAG, v);
	case 'F': return flag_words(b, SET_SPFLAG, v);
	case 'k': return choice(b, emission, PS_COUNT(emission), v);
	case 'N': return choice(b, tables, PS_COUNT(tables), v);
	case 'x': return choice(b, sums, PS_COUNT(sums), v);
	case 'E': return choice(b, kinds, PS_COUNT(kinds), v);
	default: return number(v);
	}
}

/* Is a field left out that LLVM's printer leaves out too, its value being the usual one? */
static bool is_usual(Bc *b, const Field *f, u64 v)
{
	switch (f->form) {
	case 't': return v == 0x24; /* base_type */
	case 'a': return v == 0x12; /* string_type */
	case 'w': return v == 0x30; /* template_value_parameter */
	case 'y': return v == 3;    /* start_file */
	case 'v': return !v && !(bc_op(b, 9) & 3);
	case 'q': return false;
	case 'g': return !v || b->in.rec.n < 7; /* the line in a file, which there was none of before LLVM 5 */
	case 'k': return !v;
	case 'N': return !v;
	case 'G': return v == UINT64_MAX || f->at >= b->in.rec.n;
	case 'E': return v > 1 || f->at >= b->in.rec.n;
	default: return has_default(f->form, v, f->at < b->in.rec.n);
	}
}

static void push_field(Bc *b, StrId node, IrMdFields *list, IrMdField f)
{
	if (!ir_md_upgrade_field(b->m, ir_str(b->m, node), &f))
		vec_push(b->arena, list, f);
}

static void define(Bc *b, StrId node, IrMdFields *list)
{
	bool distinct = bc_op(b, 0) & 1;
	u32  first = b->m->md_fields.n;
	for (u32 i = 0; i < list->n; i++)
		vec_push(b->arena, &b->m->md_fields, list->p[i]);
	if (bc_ok(b))
		bc_md_define(b, (IrMdNode){.kind = IRMD_SPEC, .distinct = distinct, .text = node, .first = first, .n = list->n});
}

/* sourceLanguageName: the name of DWARF 6, marked by the highest bit */
static u64 language(u64 v, IrMdField *f, Bc *b)
{
	if (!(v >> 63))
		return v;
	f->name = strtab_add(&b->s->strs, STR("sourceLanguageName"));
	return v & ~((u64)1 << 63);
}

/* The main subprogram is marked among the flags of subprograms; LLVM 8 did so among those of all nodes. */
static u64 flags_of_subprogram(Bc *b, char form, u64 v)
{
	enum { MAIN = 1 << 21, SP_MAIN = 1 << 8 };
	if (form == 'f')
		return v & ~(u64)MAIN;
	return form == 'F' && bc_op(b, 11) & MAIN ? v | SP_MAIN : v;
}

static void by_layout(Bc *b, const Layout *l)
{
	bool        is_subprogram = b->in.rec.code == BC_DI_SUBPROGRAM;
	IrMdFields *list = &b->di_fields;
	list->n = 0;
	if (!bc_lengths(b, b->di->lengths[b->in.rec.code]))
		return;
	/* [has flags of its own 4 | has a unit 2 | distinct, …] */
	if (b->in.rec.code == BC_DI_GLOBAL_VARIABLE &&
	    !bc_check(b, bc_op(b, 0) >> 1, "debug information of LLVM before 4 is not read"))
		return;
	/* The bit of the first operand that says that sizes are nodes; the other nodes have a meaning of their own for it. */
	b->di_size_bit = b->in.rec.code == 18 ? 4 : 2;
	for (u32 i = 0; i < l->n && bc_ok(b); i++) {
		const Field *f = &l->field[i];
		u64          v = f->form == 'h' ? bc_op(b, 0) >> f->at & 1 : bc_op(b, f->at);
		IrMdField    made = {.name = f->name};
		if (is_subprogram)
			v = flags_of_subprogram(b, f->form, v);
		if (f->form == 'p') {
			if (v)
				pointer_auth(b, list, v);
			continue;
		}
		if (is_usual(b, f, v))
			continue;
		bool newer = f->form == 'L' && v >> 63;
		if (f->form == 'L')
			v = language(v, &made, b);
		StrId name = made.name;
		made = newer ? named(b, SET_LNAME, v) : field_value(b, f->form, v);
		made.name = name;
		if (f->form == 'z' && made.kind == IRMF_INT && !made.bits)
			continue;
		push_field(b, l->node, list, made);
	}
	define(b, l->node, list);
}

/* ---- nodes of other shapes ---- */

static void push_named(Bc *b, IrMdFields *list, const char *name, IrMdField f)
{
	f.name = strtab_add(&b->s->strs, str_of(name));
	vec_push(b->arena, list, f);
}

/* Words of `bits` bits as a number; a negative one where it is signed. */
static IrMdField wide_number(Bc *b, u32 from, u32 words, u64 bits, bool is_signed)
{
	u64 v = bc_signed(bc_op(b, from));
	if (words > 1 || bits > 64) { /* LLVM 19 prints what has more than 64 bits too; as a word it stays as it is */
		u64 all[16] = {0};
		for (u32 i = 0; i < words && i < PS_COUNT(all); i++)
			all[i] = bc_signed(bc_op(b, from + i));
		Text t;
		text_init(&t, b->arena);
		IrType type = ir_int_type(b->m, (u32)PS_MIN(PS_MAX(bits, 1u), 1024u) + !is_signed);
		ir_print_operand(&t, b->m, ir_const_words(b->m, type, all, PS_MIN(words, 16u)), false);
		return word(b, text_str(&t));
	}
	if (is_signed && bits && bits < 64 && v >> (bits - 1) & 1)
		v |= ~(u64)0 << bits;
	return is_signed ? negative(v) : number(v);
}

/* A number with its sign in the lowest bit, below which all bits are the other way round where it is negative. */
static u64 unrotated(u64 v) { return v & 1 ? ~(v >> 1) : v >> 1; }

/* [is wide 4 | is unsigned 2 | distinct, bits, name, words…], before LLVM 12: [… , value, name] */
static void enumerator(Bc *b)
{
	IrMdFields *list = &b->di_fields;
	bool        wide = bc_op(b, 0) & 4, is_unsigned = bc_op(b, 0) & 2;
	StrId       node = strtab_add(&b->s->strs, STR("DIEnumerator"));
	if (!bc_need(b, wide ? 4 : 3))
		return;
	list->n = 0;
	push_named(b, list, "name", field_value(b, 'S', bc_op(b, 2)));
	push_named(b, list, "value",
	           wide          ? wide_number(b, 3, b->in.rec.n - 3, bc_op(b, 1), !is_unsigned)
	           : is_unsigned ? number(unrotated(bc_op(b, 1)))
	                         : negative(unrotated(bc_op(b, 1))));
	if (is_unsigned)
		push_named(b, list, "isUnsigned", word(b, STR("true")));
	define(b, node, list);
}

static const char *operation_name(Bc *b, u64 v, u32 *operands)
{
	for (u32 i = 0; i < PS_COUNT(operations); i++) {
		u32 value = operations[i].value, to = value == 0x30 || value == 0x50 || value == 0x70 ? value + 31 : value;
		*operands = operations[i].operands;
		if (v == value && to == value)
			return operations[i].name;
		if (v >= value && v <= to)
			return arena_fmt(b->arena, "%s%u", operations[i].name, (u32)v - value).p;
	}
	return NULL;
}

/* Do the operations have their operands, and names? */
static bool is_valid_expression(Bc *b)
{
	u32 operands;
	for (u32 i = 1; i < b->in.rec.n; i += 1 + operands)
		if (!operation_name(b, b->in.rec.op[i], &operands) || i + operands >= b->in.rec.n)
			return false;
	return true;
}

/* [distinct | version << 1, element…] */
static void expression(Bc *b)
{
	bool valid = is_valid_expression(b);
	u32  first = b->m->md_fields.n, operands = 0, code = 0;
	if (!bc_check(b, bc_op(b, 0) >> 1 == 3, "a DIExpression is of an LLVM before 6 or newer than 22"))
		return;
	for (u32 i = 1, at = 0; i < b->in.rec.n; i++) {
		u64       v = b->in.rec.op[i];
		IrMdField f = number(v);
		if (valid && at == 0) {
			f = word(b, arena_fmt(b->arena, "DW_OP_%s", operation_name(b, v, &operands)));
			code = (u32)v;
			at = operands;
		} else if (valid) {
			if (code == 0x1001 && at == 1)
				f = named(b, SET_ATE, v);
			at--;
		}
		vec_push(b->arena, &b->m->md_fields, f);
	}
	StrId name = strtab_add(&b->s->strs, STR("DIExpression"));
	bc_md_define(b, (IrMdNode){.kind = IRMD_EXPR, .text = name, .first = first, .n = b->m->md_fields.n - first});
}

/* [distinct | version << 1, count, lowerBound]: before LLVM 11 the bounds, before LLVM 7 the count, too, were numbers */
static void subrange(Bc *b)
{
	IrMdFields *list = &b->di_fields;
	u64         version = bc_op(b, 0) >> 1;
	if (version > 1) {
		by_layout(b, layout_of(b, SUBRANGE));
		return;
	}
	if (!bc_need(b, 3))
		return;
	list->n = 0;
	IrMdField count = version ? node_or_number(b, bc_op(b, 1)) : negative(bc_op(b, 1));
	if (count.kind == IRMF_INT || count.a)
		push_named(b, list, "count", count);
	push_named(b, list, "lowerBound", negative(unrotated(bc_op(b, 2))));
	define(b, layout_of(b, SUBRANGE)->node, list);
}

/* [distinct, tag, 0, header, operand…] */
static void generic(Bc *b)
{
	IrMdFields *list = &b->di_fields;
	if (!bc_need(b, 4) || !bc_check(b, !bc_op(b, 2), "a GenericDINode is newer than LLVM 22"))
		return;
	list->n = 0;
	push_named(b, list, "tag", named(b, SET_TAG, bc_op(b, 1)));
	if (bc_op(b, 3))
		push_named(b, list, "header", field_value(b, 's', bc_op(b, 3)));
	b->ops.n = 0;
	for (u32 i = 4; i < b->in.rec.n && bc_ok(b); i++)
		vec_push(b->arena, &b->ops, bc_md_or_null(b, b->in.rec.op[i]).i);
	if (!bc_ok(b))
		return;
	push_named(b, list, "operands", md_field(ir_md_node(b->m, (const IrMd *)(const void *)b->ops.p, b->ops.n, false)));
	define(b, strtab_add(&b->s->strs, STR("GenericDINode")), list);
}

/* [distinct, tag, name, size, align, encoding, flags, kind, factor, (width and how many words, word…) twice]: numerator, denominator */
static void fixed_point(Bc *b)
{
	static const char *const kinds[] = {"Binary", "Decimal", "Rational"};
	enum { RATIONAL = 2, SIGNED_FIXED = 0xd };
	IrMdFields *list = &b->di_fields;
	StrId       node = strtab_add(&b->s->strs, STR("DIFixedPointType"));
	u64         kind = bc_op(b, 7);
	bool        is_signed = bc_op(b, 5) == SIGNED_FIXED;
	list->n = 0;
	b->di_size_bit = 2;
	push_named(b, list, "name", field_value(b, 's', bc_op(b, 2)));
	push_named(b, list, "size", field_value(b, 'z', bc_op(b, 3)));
	if (bc_op(b, 4))
		push_named(b, list, "align", number(bc_op(b, 4)));
	if (bc_op(b, 5))
		push_named(b, list, "encoding", named(b, SET_ATE, bc_op(b, 5)));
	if (bc_op(b, 6))
		push_named(b, list, "flags", field_value(b, 'f', bc_op(b, 6)));
	push_named(b, list, "kind", choice(b, kinds, PS_COUNT(kinds), kind));
	if (kind != RATIONAL)
		push_named(b, list, "factor", negative(bc_op(b, 8)));
	for (u32 part = 0, at = 9; kind == RATIONAL && part < 2 && bc_ok(b); part++) {
		u64 width = bc_op(b, at) & UINT32_MAX, words = bc_op(b, at) >> 32;
		if (!bc_need(b, at + 1) || !bc_check(b, words == (width + 63) / 64 && words && words <= b->in.rec.n - at - 1,
		                                     "a fixed-point type is cut off"))
			return;
		push_named(b, list, part ? "denominator" : "numerator", wide_number(b, at + 1, (u32)words, width, is_signed));
		at += (u32)words + 1;
	}
	if (bc_ok(b))
		define(b, node, list);
}

/* ---- locations ---- */

/* The node of these fields among the locations, or none; *hash is for adding one. */
static IrMd find_location(Bc *b, const IrMdField *f, u32 n, u32 *hash)
{
	const IrModule *m = b->m;
	u64             h = n;
	for (u32 i = 0; i < n; i++)
		h = hash_mix(h, f[i].bits ^ (u64)f[i].a << 32 ^ f[i].name.i);
	*hash = (u32)h;
	if (!b->locations.slot)
		ir_intern_init(b->arena, &b->locations, 64);
	const IrIntern *t = &b->locations;
	for (u32 at = intern_start(t, *hash), id; (id = intern_id(t, at)) != 0; at = intern_next(t, at)) {
		const IrMdNode *x = ir_md(m, (IrMd){id});
		if (intern_hash(t, at) == *hash && x->n == n && memcmp(&m->md_fields.p[x->first], f, n * sizeof *f) == 0)
			return (IrMd){id};
	}
	return (IrMd){0};
}

/* Locations of instructions; equal ones are one node, and that of a record where there is one. */
IrMd bc_di_location(Bc *b, const u64 *op, u32 n)
{
	const Layout *l = layout_of(b, LOCATION);
	IrMdField     f[7];
	u32           k = 0, hash;
	memset(f, 0, sizeof f);
	for (u32 i = 0; i < PS_COUNT(f);
	     i++) { /* line, column, scope + 1, inlined at + 1, implicit, group of atoms, rank in it */
		u64 v = i < n ? op[i] : 0;
		if (i && !v && i != 2)
			continue;
		f[k].name = l->field[i].name;
		f[k].kind = i == 2 || i == 3 ? IRMF_MD : i == 4 ? IRMF_NAME : IRMF_INT;
		f[k].bits = f[k].kind == IRMF_INT ? v : 0;
		f[k++].a = i == 2 || i == 3 ? (v ? bc_md_node_of(b, v - 1).i : 0)
		           : i == 4         ? strtab_add(&b->s->strs, STR("true")).i
		                            : 0;
	}
	IrMd md = bc_ok(b) ? find_location(b, f, k, &hash) : (IrMd){0};
	if (!bc_ok(b) || md.i)
		return md;
	md.i = pages_new(&b->m->mds);
	*ir_md(b->m, md) = (IrMdNode){.kind = IRMD_SPEC, .text = l->node, .first = b->m->md_fields.n, .n = k, .number = 1};
	for (u32 i = 0; i < k; i++)
		vec_push(b->arena, &b->m->md_fields, f[i]);
	ir_intern_add(b->arena, &b->locations, hash, md.i);
	return md;
}

static void location(Bc *b)
{
	u32 hash, number = b->next_md;
	by_layout(b, layout_of(b, LOCATION));
	if (!bc_ok(b) || bc_op(b, 0) & 1)
		return;
	const IrMdNode *x = ir_md(b->m, b->mds.p[number].node);
	if (!find_location(b, &b->m->md_fields.p[x->first], x->n, &hash).i)
		ir_intern_add(b->arena, &b->locations, hash, b->mds.p[number].node.i);
}

bool bc_di_record(Bc *b)
{
	bc_di_modernise(b);
	switch (b->in.rec.code) {
	case LOCATION: location(b); return true;
	case ENUMERATOR: enumerator(b); return true;
	case BC_DI_EXPRESSION: expression(b); return true;
	case GENERIC_DEBUG: generic(b); return true;
	case SUBRANGE: subrange(b); return true;
	case FIXED_POINT: fixed_point(b); return true;
	}
	Layout *l = layout_of(b, b->in.rec.code);
	if (l)
		by_layout(b, l);
	return l != NULL;
}
