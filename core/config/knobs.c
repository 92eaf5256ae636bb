/* knobs.c: the table of knobs, and setting a knob from text: range and names are checked. */
#include "config/knobs.h"

#include "config/session.h"

const KnobInfo knob_info[KNOB_COUNT] = {
	[KNOB_NONE] = {.name = "", .values = "", .group = "", .passes = "", .help = ""},
#define KNOB_(id, name, type, def, min, max, values, kind, group, passes, help) \
	[KNOB_##id] = {name, KNOB_##type, def, min, max, values, KNOB_##kind, group, passes, help},
#include "config/knobs.def"
};

static const struct {
	const char *name;
	Knob        knob;
	bool        inverts;
} aliases[] = {
#define KNOB_(id, name, type, def, min, max, values, kind, group, passes, help)
#define ALIAS(name, id)   {name, KNOB_##id, false},
#define INVERSE(name, id) {name, KNOB_##id, true},
#include "config/knobs.def"
};

static Knob find(Str name, bool *inverted)
{
	*inverted = false;
	for (Knob k = 1; k < KNOB_COUNT; k++)
		if (str_is(name, knob_info[k].name))
			return k;
	for (u32 i = 0; i < PS_COUNT(aliases); i++) {
		if (str_is(name, aliases[i].name)) {
			*inverted = aliases[i].inverts;
			return aliases[i].knob;
		}
	}
	return KNOB_NONE;
}

Knob knob_find(Str name)
{
	bool inverted;
	Knob k = find(name, &inverted);
	return inverted ? KNOB_NONE : k;
}

Knob knob_find_spelt(Str name, bool *inverted)
{
	Knob k = find(name, inverted);
	if (k || !str_starts(name, "no-"))
		return k;
	k = find((Str){name.p + 3, name.n - 3}, inverted);
	*inverted = !*inverted;
	return knob_info[k].type == KNOB_BOOL ? k : KNOB_NONE;
}

const char *knob_alias(Knob knob, bool inverts, u32 i)
{
	for (u32 k = 0; k < PS_COUNT(aliases); k++)
		if (aliases[k].knob == knob && aliases[k].inverts == inverts && !i--)
			return aliases[k].name;
	return NULL;
}

static bool has_text(const KnobInfo *k) { return k->type == KNOB_STRING || k->type == KNOB_LIST || k->type == KNOB_NUMBERS; }

void knobs_init(KnobSet *k)
{
	memset(k, 0, sizeof *k);
	for (Knob i = 1; i < KNOB_COUNT; i++) {
		k->value[i] = knob_info[i].def;
		if (has_text(&knob_info[i]))
			k->text[i] = str_of(knob_info[i].values);
	}
}

static bool parse_bool(Str t, i64 *v)
{
	static const char *const yes[] = {"", "1", "true", "TRUE", "True", "on", "yes"};
	static const char *const no[] = {"0", "false", "FALSE", "False", "off", "no"};
	for (u32 i = 0; i < PS_COUNT(yes); i++)
		if (str_is(t, yes[i]))
			return *v = 1, true;
	for (u32 i = 0; i < PS_COUNT(no); i++)
		if (str_is(t, no[i]))
			return *v = 0, true;
	return false;
}

static bool parse_int(Str t, i64 *v)
{
	bool negative = t.n && t.p[0] == '-';
	u32  i = negative || (t.n && t.p[0] == '+');
	u64  x = 0;
	if (i == t.n || t.n - i > 18)
		return false;
	for (; i < t.n; i++) {
		if (t.p[i] < '0' || t.p[i] > '9')
			return false;
		x = x * 10 + (u64)(t.p[i] - '0');
	}
	*v = negative ? -(i64)x : (i64)x;
	return true;
}

/* The i-th of the names joined by '|'; false past the last. */
static bool value_at(const char *values, i64 i, Str *name)
{
	for (; i > 0; i--) {
		values = strchr(values, '|');
		if (!values++)
			return false;
	}
	const char *end = strchr(values, '|');
	*name = (Str){values, end ? (u32)(end - values) : (u32)strlen(values)};
	return true;
}

static bool find_value(const char *values, Str t, i64 *index)
{
	Str name;
	for (*index = 0; value_at(values, *index, &name); ++*index)
		if (str_eq(name, t))
			return true;
	return false;
}

/* Takes the first item off the text of a list; false: there is none. */
static bool next_item(Str *text, Str *item)
{
	u32 end = 0;
	if (!text->n)
		return false;
	while (end < text->n && text->p[end] != ',')
		end++;
	u32 used = PS_MIN(end + 1, text->n);
	*item = (Str){text->p, end};
	*text = (Str){text->p + used, text->n - used};
	return true;
}

/* Takes NAME=NUMBER apart. */
static bool parse_pair(Str pair, Str *name, i64 *v)
{
	const char *eq = memchr(pair.p, '=', pair.n);
	if (!eq)
		return false;
	name->p = pair.p;
	name->n = (u32)(eq - pair.p);
	return name->n > 0 && parse_int((Str){eq + 1, pair.n - name->n - 1}, v);
}

static bool are_numbers(Str text)
{
	Str one, name;
	i64 v;
	while (next_item(&text, &one))
		if (!parse_pair(one, &name, &v))
			return false;
	return true;
}

/* What stands for the default of a bool that is neither true nor false. */
static const char *default_word(const KnobInfo *info) { return info->def == KNOB_BY_LEVEL ? "opt" : "auto"; }

KnobError knob_set(KnobSet *k, Arena *arena, Knob knob, Str text)
{
	const KnobInfo *info = &knob_info[knob];
	i64             v = 0;
	KnobError       end = KNOB_OK;
	switch (info->type) {
	case KNOB_BOOL:
		if (info->def < 0 && str_is(text, default_word(info)))
			v = info->def;
		else if (!parse_bool(text, &v))
			return KNOB_NOT_BOOL;
		break;
	case KNOB_INT:
		if (!parse_int(text, &v))
			return KNOB_NOT_INT;
		if (v < info->min || v > info->max)
			return KNOB_OUT_OF_RANGE;
		break;
	case KNOB_CLAMP:
		if (!parse_int(text, &v))
			return KNOB_NOT_INT;
		end = v < info->min || v > info->max ? KNOB_CLAMPED : KNOB_OK;
		v = PS_MIN(PS_MAX(v, info->min), info->max);
		break;
	case KNOB_ENUM:
		if (!find_value(info->values, text, &v))
			return KNOB_NOT_A_VALUE;
		break;
	case KNOB_STRING: k->text[knob] = arena_str(arena, text); break;
	case KNOB_NUMBERS:
		if (!are_numbers(text))
			return KNOB_NOT_NUMBERS;
		/* fallthrough */
	case KNOB_LIST: {
		Str before = k->set[knob] ? k->text[knob] : STR("");
		k->text[knob] = arena_fmt(arena, "%.*s%s%.*s", STR_ARG(before), before.n && text.n ? "," : "", STR_ARG(text));
		break;
	}
	}
	k->value[knob] = v;
	k->set[knob] = true;
	return end;
}

Str knob_text(const KnobSet *k, Arena *arena, Knob knob)
{
	const KnobInfo *info = &knob_info[knob];
	i64             v = k->value[knob];
	Str             name = STR("");
	switch (info->type) {
	case KNOB_BOOL: return v < 0 ? str_of(default_word(info)) : v ? STR("true") : STR("false");
	case KNOB_INT:
	case KNOB_CLAMP: return arena_fmt(arena, "%lld", (long long)v);
	case KNOB_STRING:
	case KNOB_LIST:
	case KNOB_NUMBERS: return k->text[knob];
	case KNOB_ENUM: value_at(info->values, v, &name); break;
	}
	return name;
}

bool knob_bool(const Session *s, Knob knob)
{
	i64 v = s->knobs.value[knob];
	return v == KNOB_BY_LEVEL ? s->opt_level > 0 : v != 0;
}

i64 knob_int(const Session *s, Knob knob) { return s->knobs.value[knob]; }

Str knob_str(const Session *s, Knob knob) { return s->knobs.text[knob]; }

bool knob_lists(const Session *s, Knob knob, Str item)
{
	Str text = s->knobs.text[knob], one;
	while (next_item(&text, &one))
		if (str_eq(one, item))
			return true;
	return false;
}

bool knob_number_of(const Session *s, Knob knob, Str name, i64 *v)
{
	Str  text = s->knobs.text[knob], one, of;
	i64  number;
	bool found = false;
	while (next_item(&text, &one))
		if (parse_pair(one, &of, &number) && str_eq(of, name)) {
			*v = number;
			found = true;
		}
	return found;
}
