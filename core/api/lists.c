/* lists.c: what there is — passes, knobs, opcodes, intrinsics — as a table or as JSON. */
#include "api/command.h"
#include "ir/ir.h"
#include "isa/isa.h"

static void json_str(Text *out, const char *key, const char *value)
{
	text_f(out, "\"%s\":", key);
	text_json(out, str_of(value));
}

/* A table: cells of one row after the other, columns padded to their widest cell. */
typedef struct Table {
	Arena *arena;
	u32    columns;
	VecStr cells;
} Table;

static void cell(Table *t, const char *s) { vec_push(t->arena, &t->cells, str_of(s)); }

static void print_table(const Table *t, Text *out)
{
	u32 *width = arena_array(t->arena, u32, t->columns);
	for (u32 i = 0; i < t->cells.n; i++)
		width[i % t->columns] = PS_MAX(width[i % t->columns], t->cells.p[i].n);
	for (u32 i = 0; i < t->cells.n; i++) {
		u32 column = i % t->columns, start = out->n;
		text_add(out, t->cells.p[i]);
		if (column + 1 < t->columns)
			text_pad(out, width[column] + 2, start);
		else
			text_c(out, '\n');
	}
}

/* ---- passes ---- */

static const char *const level_names[] = {"ir", "dag", "mir", "emit", "analysis"};
static const char *const bool_names[] = {"false", "true"};

/* Levels at which it runs, as bits; none where another pass stands in for it. */
static u32 levels_of(const Session *session, const PassListing *row)
{
	return row->pass->gated && !row->pass->gated(session) ? 0 : row->levels;
}

static void json_gates(Text *out, const Pass *p)
{
	Knob gates[] = {p->gate, p->disable};
	bool first = true;
	for (u32 i = 0; i < PS_COUNT(gates); i++) {
		if (!gates[i])
			continue;
		if (!first)
			text_c(out, ',');
		first = false;
		text_json(out, str_of(knob_info[gates[i]].name));
	}
}

static void json_pass(const Session *session, Text *out, const PassListing *row)
{
	const Pass *p = row->pass;
	u32         at = levels_of(session, row);
	text_c(out, '{');
	json_str(out, "id", p->id);
	text_c(out, ',');
	json_str(out, "title", p->title);
	text_c(out, ',');
	json_str(out, "level", level_names[p->level]);
	text_c(out, ',');
	json_str(out, "group", p->group);
	text_f(out, ",\"nvidia\":%s,\"gates\":[", bool_names[(p->flags & PF_NVIDIA) != 0]);
	json_gates(out, p);
	text_s(out, "],\"at\":{");
	for (u32 l = 0; l < 4; l++)
		text_f(out, "%s\"O%u\":%s", l ? "," : "", l, bool_names[at >> l & 1]);
	text_f(out, "},\"instance\":%u,\"built\":%s,", row->instance, bool_names[row->built]);
	json_str(out, "within", row->within);
	u32         place;
	const char *hook = pass_added_by(str_of(p->id), &place);
	if (hook) {
		text_s(out, ",\"added\":{");
		json_str(out, "by", hook);
		text_f(out, ",\"at\":%u}", place);
	}
	text_c(out, ',');
	json_str(out, "summary", p->summary);
	text_c(out, '}');
}

static const char *status_of(Arena *a, const PassListing *row)
{
	if (!row->built)
		return "not built";
	return row->within[0] ? arena_fmt(a, "in %s", row->within).p : "built";
}

int command_passes(Command *c)
{
	const PassListing *list;
	u32                n = pass_listing(&c->s.arena, &list);
	if (c->o.json) {
		text_c(&c->out, '[');
		for (u32 i = 0; i < n; i++) {
			text_s(&c->out, i ? ",\n " : "\n ");
			json_pass(&c->s, &c->out, &list[i]);
		}
		text_s(&c->out, "\n]\n");
		return STATUS_DONE;
	}
	Table                    t = {.arena = &c->s.arena, .columns = 6};
	static const char *const heads[] = {"PASS", "LEVEL", "GROUP", "-O", "STATUS", "TITLE"};
	for (u32 i = 0; i < PS_COUNT(heads); i++)
		cell(&t, heads[i]);
	for (u32 i = 0; i < n; i++) {
		const Pass *p = list[i].pass;
		u32         at = levels_of(&c->s, &list[i]), k = 0;
		char       *levels = arena_alloc(t.arena, 8, 1);
		for (u32 l = 0; l < 4; l++)
			levels[k++] = at >> l & 1 ? (char)('0' + l) : '-';
		cell(&t, list[i].instance ? arena_fmt(t.arena, "%s,%u", p->id, list[i].instance).p : p->id);
		cell(&t, level_names[p->level]);
		cell(&t, p->group);
		cell(&t, levels);
		cell(&t, status_of(t.arena, &list[i]));
		cell(&t, p->title);
	}
	print_table(&t, &c->out);
	return STATUS_DONE;
}

/* ---- knobs ---- */

static const char *const type_names[] = {"bool", "int", "int", "enum", "string", "list", "list"};
static const char *const kind_names[] = {"exact", "quality", "debug"};

static void json_words(Text *out, const char *words, char separator)
{
	text_c(out, '[');
	while (*words) {
		const char *end = strchr(words, separator);
		u32         n = end ? (u32)(end - words) : (u32)strlen(words);
		text_json(out, (Str){words, n});
		words += n + (end != NULL);
		if (*words)
			text_c(out, ',');
	}
	text_c(out, ']');
}

static void json_default(Text *out, const KnobInfo *k, Str text)
{
	if ((k->type == KNOB_BOOL && k->def >= 0) || knob_is_number(k))
		text_add(out, text);
	else
		text_json(out, text);
}

static void json_aliases(Text *out, Knob knob, bool inverts)
{
	const char *alias;
	text_s(out, inverts ? "\"inverse\":[" : "\"aliases\":[");
	for (u32 i = 0; (alias = knob_alias(knob, inverts, i)); i++) {
		if (i)
			text_c(out, ',');
		text_json(out, str_of(alias));
	}
	text_s(out, "],");
}

static void json_knob(Command *c, Knob knob)
{
	const KnobInfo *k = &knob_info[knob];
	Text           *out = &c->out;
	text_c(out, '{');
	json_str(out, "name", k->name);
	text_c(out, ',');
	json_str(out, "type", type_names[k->type]);
	text_s(out, ",\"default\":");
	json_default(out, k, knob_text(&c->s.knobs, &c->s.arena, knob));
	if (knob_is_number(k))
		text_f(out, ",\"min\":%lld,\"max\":%lld", (long long)k->min, (long long)k->max);
	else
		text_s(out, ",\"min\":null,\"max\":null");
	text_s(out, ",\"values\":");
	json_words(out, k->type == KNOB_ENUM ? k->values : "", '|');
	text_c(out, ',');
	json_str(out, "group", k->group);
	text_s(out, ",\"passes\":");
	json_words(out, k->passes, ' ');
	text_c(out, ',');
	json_str(out, "kind", kind_names[k->kind]);
	text_c(out, ',');
	json_aliases(out, knob, false);
	json_aliases(out, knob, true);
	json_str(out, "summary", k->help);
	text_c(out, '}');
}

int command_knobs(Command *c)
{
	if (c->o.json) {
		text_c(&c->out, '[');
		for (Knob k = 1; k < KNOB_COUNT; k++) {
			text_s(&c->out, k > 1 ? ",\n " : "\n ");
			json_knob(c, k);
		}
		text_s(&c->out, "\n]\n");
		return STATUS_DONE;
	}
	Table                    t = {.arena = &c->s.arena, .columns = 5};
	static const char *const heads[] = {"KNOB", "TYPE", "DEFAULT", "KIND", "SUMMARY"};
	for (u32 i = 0; i < PS_COUNT(heads); i++)
		cell(&t, heads[i]);
	for (Knob k = 1; k < KNOB_COUNT; k++) {
		Str def = knob_text(&c->s.knobs, t.arena, k);
		cell(&t, knob_info[k].name);
		cell(&t, type_names[knob_info[k].type]);
		cell(&t, knob_info[k].def == KNOB_BY_LEVEL ? "by -O" : arena_str(t.arena, def).p);
		cell(&t, kind_names[knob_info[k].kind]);
		cell(&t, knob_info[k].help);
	}
	print_table(&t, &c->out);
	return STATUS_DONE;
}

/* ---- opcodes ---- */

static void json_version(Text *out, const char *key, u32 version)
{
	text_f(out, ",\"%s\":\"%u.%u\"", key, version / 10, version % 10);
}

static void json_opcode(Text *out, const IsaRow *row)
{
	text_c(out, '{');
	json_str(out, "id", isa_row_id(row));
	text_c(out, ',');
	json_str(out, "template", isa_row_template(row));
	text_c(out, ',');
	json_str(out, "operands", isa_row_operands(row));
	text_f(out, ",\"sm\":%u", row->sm);
	json_version(out, "ptx", row->ptx);
	text_f(out, ",\"convergent\":%s,", row->flags & IF_CONVERGENT ? "true" : "false");
	json_str(out, "summary", isa_row_summary(row));
	text_c(out, '}');
}

/* PTX instructions; the generic ones of machine code are no opcodes of the target. */
int command_opcodes(Command *c)
{
	Table                    t = {.arena = &c->s.arena, .columns = 5};
	static const char *const heads[] = {"OPCODE", "SM", "PTX", "SUMMARY", "FORM"};
	for (u32 i = 0; i < PS_COUNT(heads); i++)
		cell(&t, heads[i]);
	bool first = true;
	text_s(&c->out, c->o.json ? "[" : "");
	for (u32 op = 0; op < ISA_OP_COUNT; op++) {
		const IsaRow *row = isa_row(op);
		if (row->flags & (IF_GENERIC | IF_PSEUDO))
			continue;
		if (c->o.json) {
			text_s(&c->out, first ? "\n " : ",\n ");
			json_opcode(&c->out, row);
			first = false;
			continue;
		}
		cell(&t, isa_row_id(row));
		cell(&t, arena_fmt(t.arena, "%u", row->sm).p);
		cell(&t, arena_fmt(t.arena, "%u.%u", row->ptx / 10, row->ptx % 10).p);
		cell(&t, isa_row_summary(row));
		cell(&t, arena_fmt(t.arena, "%s  %s", isa_row_template(row), isa_row_operands(row)).p);
	}
	if (c->o.json)
		text_s(&c->out, "\n]\n");
	else
		print_table(&t, &c->out);
	return STATUS_DONE;
}

/* ---- intrinsics ---- */

static Str immediates_text(Arena *a, u32 bits)
{
	Text t;
	text_init(&t, a);
	for (u32 i = 0; i < 32; i++)
		if (bits >> i & 1)
			text_f(&t, t.n ? " %u" : "%u", i);
	return arena_str(a, text_str(&t));
}

static void json_intrinsic(Text *out, const IrIntrinsicInfo *row)
{
	bool first = true;
	text_c(out, '{');
	json_str(out, "names", row->names);
	text_c(out, ',');
	json_str(out, "signature", row->signature);
	text_c(out, ',');
	json_str(out, "attributes", row->attributes);
	text_s(out, ",\"immediates\":[");
	for (u32 i = 0; i < 32; i++)
		if (row->immediates >> i & 1) {
			text_f(out, first ? "%u" : ",%u", i);
			first = false;
		}
	text_s(out, "]}");
}

int command_intrinsics(Command *c)
{
	Table                    t = {.arena = &c->s.arena, .columns = 4};
	IrIntrinsicInfo          row;
	static const char *const heads[] = {"INTRINSIC", "SIGNATURE", "IMMEDIATES", "ATTRIBUTES"};
	for (u32 i = 0; i < PS_COUNT(heads); i++)
		cell(&t, heads[i]);
	text_s(&c->out, c->o.json ? "[" : "");
	for (u32 i = 0; ir_intrinsic_info(i, &row); i++) {
		if (c->o.json) {
			text_s(&c->out, i ? ",\n " : "\n ");
			json_intrinsic(&c->out, &row);
			continue;
		}
		cell(&t, row.names);
		cell(&t, row.signature);
		cell(&t, immediates_text(t.arena, row.immediates).p);
		cell(&t, row.attributes);
	}
	if (c->o.json)
		text_s(&c->out, "\n]\n");
	else
		print_table(&t, &c->out);
	return STATUS_DONE;
}
