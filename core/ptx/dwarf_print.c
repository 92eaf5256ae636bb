/* dwarf_print.c: prints debug information entries as the sections .debug_loc, .debug_abbrev, .debug_info,
 * .debug_pubnames and .debug_pubtypes, byte by byte, as PTX wants them.
 *
 * Entries are numbered in depth-first order: each gets its offset in its unit, and the number of its abbreviation, which entries of
 * the same tag and the same attributes share. Linear in the entries and in the text, times the abbreviations. */
#include "isa/isa.h"
#include "ptx/dwarf.h"

typedef struct Abbrevs {
	Dies  of; /* an entry of each */
	Text *out;
} Abbrevs;

typedef struct Named {
	u32         value;
	const char *name;
} Named;

static const Named tags[] = {
#define DW_TAG(name, value) {value, #name},
#include "ptx/dwarf.def"
};
static const Named attributes[] = {
#define DW_AT(name, value) {value, #name},
#include "ptx/dwarf.def"
};
static const Named forms[] = {
#define DW_FORM(name, value) {value, #name},
#include "ptx/dwarf.def"
};

static const char *name_in(const Named *rows, u32 n, u32 value)
{
	for (u32 i = 0; i < n; i++)
		if (rows[i].value == value)
			return rows[i].name;
	return "unknown";
}

static const char *tag_name(u32 tag) { return name_in(tags, PS_COUNT(tags), tag); }
static const char *at_name(u32 at) { return name_in(attributes, PS_COUNT(attributes), at); }
static const char *form_name(u32 form) { return name_in(forms, PS_COUNT(forms), form); }

/* ---- sizes ---- */

static u32 uleb_size(u64 v)
{
	u8 p[10];
	return dw_uleb(p, v);
}

static u32 sleb_size(i64 v)
{
	u8 p[10];
	return dw_sleb(p, v);
}

static u32 address_size(const Dwarf *d) { return d->a->s->target.is64 ? 8 : 4; }

static u32 value_size(const Dwarf *d, const DwAttr *x)
{
	switch (x->form) {
	case DW_FORM_data1:
	case DW_FORM_flag: return 1;
	case DW_FORM_data2: return 2;
	case DW_FORM_data4:
	case DW_FORM_ref4: return 4;
	case DW_FORM_data8: return 8;
	case DW_FORM_ref_addr:
	case DW_FORM_addr: return address_size(d);
	case DW_FORM_string: return x->text.n + 1;
	case DW_FORM_block1: return 1 + x->n_bytes + (x->text.n ? address_size(d) : 0);
	case DW_FORM_sdata: return sleb_size((i64)x->number);
	default: return uleb_size(x->number);
	}
}

/* ---- numbering ---- */

static bool same_abbrev(const Die *x, const Die *y)
{
	if (x->tag != y->tag || x->attr.n != y->attr.n || !x->child.n != !y->child.n)
		return false;
	for (u32 i = 0; i < x->attr.n; i++)
		if (x->attr.p[i].at != y->attr.p[i].at || x->attr.p[i].form != y->attr.p[i].form)
			return false;
	return true;
}

static u32 abbrev_of(Dwarf *d, Abbrevs *all, Die *die)
{
	for (u32 i = 0; i < all->of.n; i++)
		if (same_abbrev(all->of.p[i], die))
			return i + 1;
	vec_push(d->arena, &all->of, die);
	return all->of.n;
}

typedef struct Walk {
	Die *die;
	u32  child;
} Walk;

/* Depth first; `enter` sees each entry before its children, `leave` behind them. */
static void walk(Dwarf *d, Die *root, void (*enter)(Dwarf *, Die *, void *), void (*leave)(Dwarf *, Die *, void *), void *user)
{
	Vec(Walk) stack = {0};
	enter(d, root, user);
	vec_push(d->arena, &stack, ((Walk){root, 0}));
	while (stack.n) {
		Walk *top = &vec_last(&stack);
		if (top->child < top->die->child.n) {
			Die *next = top->die->child.p[top->child++];
			enter(d, next, user);
			vec_push(d->arena, &stack, ((Walk){next, 0}));
		} else {
			leave(d, top->die, user);
			stack.n--;
		}
	}
}

typedef struct Layout {
	Abbrevs *abbrevs;
	u32      at;
} Layout;

static void lay_out(Dwarf *d, Die *die, void *user)
{
	Layout *l = user;
	die->offset = l->at;
	die->abbrev = abbrev_of(d, l->abbrevs, die);
	l->at += uleb_size(die->abbrev);
	for (u32 i = 0; i < die->attr.n; i++)
		l->at += value_size(d, &die->attr.p[i]);
}

static void end_layout(Dwarf *d, Die *die, void *user)
{
	Layout *l = user;
	(void)d;
	l->at += die->child.n ? 1 : 0;
	die->size = l->at - die->offset;
}

/* ---- printing ---- */

static void comment(Dwarf *d, const char *prefix, const char *name) { asm_comment(d->a, "%s%s\n", prefix, name); }

static void byte(Dwarf *d, u64 v) { text_f(d->a->out, ".b8 %u", (u32)(v & 255)); }

static void newline(Dwarf *d) { text_c(d->a->out, '\n'); }

/* The first line says what it is. */
static void bytes(Dwarf *d, const u8 *p, u32 n, const char *prefix, const char *name)
{
	for (u32 i = 0; i < n; i++) {
		byte(d, p[i]);
		if (i == 0 && name)
			comment(d, prefix, name);
		else
			newline(d);
	}
}

static void print_uleb(Dwarf *d, u64 v, const char *prefix, const char *name)
{
	u8 p[10];
	bytes(d, p, dw_uleb(p, v), prefix, name);
}

static void print_string(Dwarf *d, Str s, const char *prefix, const char *name)
{
	bytes(d, (const u8 *)s.p, s.n, prefix, name);
	byte(d, 0);
	if (s.n)
		newline(d);
	else
		comment(d, prefix, name);
}

static void word(Dwarf *d, u32 bits, const char *prefix, const char *name, const char *fmt, ...) PS_PRINTF(5, 6);
static void word(Dwarf *d, u32 bits, const char *prefix, const char *name, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	text_f(d->a->out, ".b%u ", bits);
	text_add(d->a->out, arena_vfmt(d->arena, fmt, ap));
	va_end(ap);
	if (name)
		comment(d, prefix, name);
	else
		newline(d);
}

static void print_block(Dwarf *d, const DwAttr *x, const char *name)
{
	byte(d, value_size(d, x) - 1);
	comment(d, "DW_AT_", name);
	for (u32 i = 0; i < x->n_bytes; i++) {
		byte(d, x->bytes[i]);
		newline(d);
		if (i == 0 && x->text.n)
			word(d, address_size(d) * 8, "", NULL, "%.*s", STR_ARG(x->text));
	}
}

static void print_value(Dwarf *d, const Die *die, const DwAttr *x)
{
	const char *name = at_name(x->at), *prefix = "DW_AT_";
	u8          p[10];
	switch (x->form) {
	case DW_FORM_string: print_string(d, x->text, prefix, name); break;
	case DW_FORM_block1: print_block(d, x, name); break;
	case DW_FORM_addr: word(d, address_size(d) * 8, prefix, name, "%.*s", STR_ARG(x->text)); break;
	case DW_FORM_data4:
		if (x->text.n)
			word(d, 32, prefix, name, "%.*s", STR_ARG(x->text));
		else
			word(d, 32, prefix, name, "%u", (u32)x->number);
		break;
	case DW_FORM_data8: word(d, 64, prefix, name, "%llu", (unsigned long long)x->number); break;
	case DW_FORM_ref4: word(d, 32, prefix, name, "%u", x->die->offset); break;
	case DW_FORM_ref_addr:
		word(d, address_size(d) * 8, prefix, name, ".debug_info+%u", x->die->unit->start + x->die->offset);
		break;
	case DW_FORM_data2:
		p[0] = (u8)x->number;
		p[1] = (u8)(x->number >> 8);
		bytes(d, p, 2, prefix, name);
		break;
	case DW_FORM_sdata: bytes(d, p, dw_sleb(p, (i64)x->number), prefix, name); break;
	case DW_FORM_udata: print_uleb(d, x->number, prefix, name); break;
	default: p[0] = (u8)x->number; bytes(d, p, 1, prefix, name);
	}
	if (x->at == DW_AT_accessibility)
		comment(d, "DW_ACCESS_", x->number == 1 ? "public" : x->number == 2 ? "protected" : "private");
	(void)die;
}

static void print_die(Dwarf *d, Die *die, void *user)
{
	(void)user;
	u8  p[10];
	u32 n = dw_uleb(p, die->abbrev);
	for (u32 i = 0; i < n; i++) {
		byte(d, p[i]);
		if (i == 0)
			asm_comment(d->a, "Abbrev [%u] 0x%x:0x%x DW_TAG_%s\n", die->abbrev, die->offset, die->size,
			            tag_name(die->tag));
		else
			newline(d);
	}
	for (u32 i = 0; i < die->attr.n; i++)
		print_value(d, die, &die->attr.p[i]);
}

static void end_die(Dwarf *d, Die *die, void *user)
{
	(void)user;
	if (!die->child.n)
		return;
	byte(d, 0);
	asm_comment(d->a, "End Of Children Mark\n");
}

static void open_section(Dwarf *d, const char *name) { text_f(d->a->out, "\t.section\t%s\n\t{\n", name); }
static void close_section(Dwarf *d) { text_s(d->a->out, "\t}\n"); }

static void print_abbrevs(Dwarf *d, const Abbrevs *all)
{
	open_section(d, ".debug_abbrev");
	for (u32 i = 0; i < all->of.n; i++) {
		const Die *die = all->of.p[i];
		print_uleb(d, i + 1, "", "Abbreviation Code");
		print_uleb(d, die->tag, "DW_TAG_", tag_name(die->tag));
		print_uleb(d, die->child.n != 0, "DW_CHILDREN_", die->child.n ? "yes" : "no");
		for (u32 k = 0; k < die->attr.n; k++) {
			print_uleb(d, die->attr.p[k].at, "DW_AT_", at_name(die->attr.p[k].at));
			print_uleb(d, die->attr.p[k].form, "DW_FORM_", form_name(die->attr.p[k].form));
		}
		print_uleb(d, 0, "", "EOM(1)");
		print_uleb(d, 0, "", "EOM(2)");
	}
	print_uleb(d, 0, "", "EOM(3)");
	close_section(d);
}

/* What an expression says besides its operation: `v`, a number of n bytes. */
static void print_operand(Dwarf *d, const u8 *p, u32 n, i64 v, bool is_signed)
{
	for (u32 i = 0; i < n; i++) {
		byte(d, p[i]);
		if (i)
			asm_comment(d->a, "\n");
		else if (is_signed)
			asm_comment(d->a, "%lld\n", (long long)v);
		else
			asm_comment(d->a, "%llu\n", (unsigned long long)v);
	}
}

static u32 read_leb(const u8 *p, bool is_signed, i64 *out)
{
	u64 v = 0;
	u32 n = 0, shift = 0;
	do {
		v |= shift < 64 ? (u64)(p[n] & 127) << shift : 0;
		shift += 7;
	} while (p[n++] & 128);
	if (is_signed && shift < 64 && p[n - 1] & 64)
		v |= ~(u64)0 << shift;
	*out = (i64)v;
	return n;
}

static void print_expression(Dwarf *d, const DwPlace *x)
{
	for (u32 i = 0; i < x->n_bytes;) {
		u32         op = x->bytes[i];
		const char *name, *takes = dw_operation(op, &name);
		byte(d, x->bytes[i++]);
		if (op >= DW_OP_lit0 && op < DW_OP_lit0 + 32)
			asm_comment(d->a, "DW_OP_lit%u\n", op - DW_OP_lit0);
		else
			asm_comment(d->a, "DW_OP_%s\n", name);
		for (; *takes; takes++) {
			i64 v;
			u32 n = read_leb(x->bytes + i, *takes == 's', &v);
			print_operand(d, x->bytes + i, n, v, *takes == 's');
			i += n;
		}
	}
}

static void print_places(Dwarf *d)
{
	u32 bits = address_size(d) * 8;
	open_section(d, ".debug_loc");
	for (u32 k = 0; k < d->list.n; k++) {
		text_f(d->a->out, "$L__debug_loc%u:\n", k);
		for (u32 i = 0; i < d->list.p[k].n; i++) {
			const DwPlace *x = &d->list.p[k].p[i];
			word(d, bits, "", NULL, "%.*s", STR_ARG(x->from));
			word(d, bits, "", NULL, "%.*s", STR_ARG(x->to));
			byte(d, x->n_bytes);
			comment(d, "", "Loc expr size");
			byte(d, 0);
			newline(d);
			print_expression(d, x);
		}
		word(d, bits, "", NULL, "0");
		word(d, bits, "", NULL, "0");
	}
	close_section(d);
}

static void print_unit(Dwarf *d, DwUnit *u)
{
	word(d, 32, "", "Length of Unit", "%u", u->length - 4);
	byte(d, 2);
	comment(d, "", "DWARF version number");
	byte(d, 0);
	newline(d);
	word(d, 32, "", "Offset Into Abbrev. Section", ".debug_abbrev");
	byte(d, address_size(d));
	comment(d, "", "Address Size (in bytes)");
	walk(d, u->die, print_die, end_die, NULL);
}

static void print_names(Dwarf *d, u32 unit, bool types)
{
	DwUnit     *u = d->unit.p[unit];
	const char *word_of = types ? "Types" : "Names";
	char        suffix[16] = "";
	Str         start = arena_fmt(d->arena, "$L__pub%s_start%u%s", word_of, unit, suffix);
	Str         end = arena_fmt(d->arena, "$L__pub%s_end%u%s", word_of, unit, suffix);
	Str         title = arena_fmt(d->arena, "Length of Public %s Info", word_of);
	u32         n = types ? u->type.n : u->name.n;
	u32         length = 14; /* version, unit, end mark */
	bool        labels = isa_target_has(&d->a->s->target, ISA_FEATURE_LABEL_DIFFERENCES);
	for (u32 i = 0; i < n; i++)
		length += 4 + (types ? &u->type.p[i] : &u->name.p[i])->name.n + 1;
	if (labels) {
		word(d, 32, "", title.p, "%.*s-%.*s", STR_ARG(end), STR_ARG(start));
		text_f(d->a->out, "%.*s:\n", STR_ARG(start));
	} else {
		word(d, 32, "", title.p, "%u", length);
	}
	byte(d, 2);
	comment(d, "", "DWARF Version");
	byte(d, 0);
	newline(d);
	if (u->start)
		word(d, 32, "", "Offset of Compilation Unit Info", ".debug_info+%u", u->start);
	else
		word(d, 32, "", "Offset of Compilation Unit Info", ".debug_info");
	word(d, 32, "", "Compilation Unit Length", "%u", u->length);
	for (u32 i = 0; i < n; i++) {
		const DwName *x = types ? &u->type.p[i] : &u->name.p[i];
		word(d, 32, "", "DIE offset", "%u", x->die->offset);
		print_string(d, x->name, "", "External Name");
	}
	word(d, 32, "", "End Mark", "0");
	if (labels)
		text_f(d->a->out, "%.*s:\n", STR_ARG(end));
}

static void print_all_names(Dwarf *d, bool types)
{
	bool any = false;
	for (u32 i = 0; i < d->unit.n; i++)
		any |= d->unit.p[i]->names;
	if (!any)
		return;
	open_section(d, types ? ".debug_pubtypes" : ".debug_pubnames");
	for (u32 i = 0; i < d->unit.n; i++)
		if (d->unit.p[i]->names)
			print_names(d, i, types);
	close_section(d);
}

void dw_print(Dwarf *d)
{
	enum { HEADER = 11 };
	Abbrevs all = {.out = d->a->out};
	u32     start = 0;
	for (u32 i = 0; i < d->unit.n; i++) {
		DwUnit *u = d->unit.p[i];
		Layout  l = {&all, HEADER};
		walk(d, u->die, lay_out, end_layout, &l);
		u->start = start;
		u->length = l.at;
		start += l.at;
	}
	if (d->list.n)
		print_places(d);
	print_abbrevs(d, &all);
	open_section(d, ".debug_info");
	for (u32 i = 0; i < d->unit.n; i++)
		print_unit(d, d->unit.p[i]);
	close_section(d);
	print_all_names(d, false);
	print_all_names(d, true);
}
