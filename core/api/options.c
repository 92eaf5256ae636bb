/* options.c: reads command lines by the rows of options.def, and prints their help. */
#include "api/options.h"

#include <stddef.h>

typedef enum OptionType { OPT_TEXT, OPT_WORDS, OPT_FLAG, OPT_NUMBER, OPT_COUNT, OPT_PATHS, OPT_OPTIONAL, OPT_IGNORED } OptionType;

typedef struct OptionRow {
	const char *name;
	OptionType  type;
	u32         in; /* commands that take it */
	size_t      offset;
	const char *metavar, *help;
} OptionRow;

enum { C = IN_COMPILE, R = IN_RUN, K = IN_CHECK, F = IN_FMT, L = IN_LIST };

static const OptionRow rows[] = {
#define OPTION(field, name, type, commands, metavar, help) {name, OPT_##type, commands, offsetof(Options, field), metavar, help},
#include "api/options.def"
};

typedef struct Reader {
	Options           *o;
	Session           *s;
	int                argc, at;
	const char *const *argv;
	u32                in;
	Text              *err;
	bool               ptx_chosen;
} Reader;

static const OptionRow *row_of(Str name)
{
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (str_is(name, rows[i].name))
			return &rows[i];
	return NULL;
}

static bool usage_error(Reader *r, const char *fmt, ...) PS_PRINTF(2, 3);
static bool usage_error(Reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Str text = arena_vfmt(&r->s->arena, fmt, ap);
	va_end(ap);
	text_s(r->err, "ptxscope: ");
	text_add(r->err, text);
	text_c(r->err, '\n');
	return false;
}

static void add_words(Arena *a, VecStr *list, Str text)
{
	for (u32 i = 0; i <= text.n;) {
		u32 end = i;
		while (end < text.n && text.p[end] != ',')
			end++;
		if (end > i)
			vec_push(a, list, arena_str(a, ((Str){text.p + i, end - i})));
		i = end + 1;
	}
}

static bool read_number(Str t, i64 *v)
{
	bool negative = t.n > 1 && t.p[0] == '-';
	*v = 0;
	for (u32 i = negative; i < t.n; i++) {
		if (t.p[i] < '0' || t.p[i] > '9' || i > 17)
			return false;
		*v = *v * 10 + (t.p[i] - '0');
	}
	if (negative)
		*v = -*v;
	return t.n > 0;
}

/* The value of `--name=value` or, where `value` is NULL, the next word. */
static bool take_value(Reader *r, const char *name, Str *value)
{
	if (value->p)
		return true;
	if (r->at >= r->argc)
		return usage_error(r, "option -%s wants a value", name);
	*value = str_of(r->argv[r->at++]);
	return true;
}

static bool set_option(Reader *r, const OptionRow *row, Str value)
{
	void *field = (char *)r->o + row->offset;
	if (!(row->in & r->in))
		return usage_error(r, "option -%s has no meaning for this command", row->name);
	switch (row->type) {
	case OPT_IGNORED: return true;
	case OPT_FLAG: *(bool *)field = !value.p || !(str_is(value, "0") || str_is(value, "false")); return true;
	case OPT_TEXT: return take_value(r, row->name, &value) && (*(Str *)field = arena_str(&r->s->arena, value), true);
	case OPT_OPTIONAL: *(Str *)field = value.p ? arena_str(&r->s->arena, value) : STR(""); return true;
	case OPT_PATHS:
		if (!take_value(r, row->name, &value))
			return false;
		vec_push(&r->s->arena, (VecStr *)field, arena_str(&r->s->arena, value));
		return true;
	case OPT_WORDS: return take_value(r, row->name, &value) && (add_words(&r->s->arena, field, value), true);
	case OPT_NUMBER:
	case OPT_COUNT:
		if (!take_value(r, row->name, &value))
			return false;
		if (!read_number(value, field) || (row->type == OPT_COUNT && *(i64 *)field < 1))
			return usage_error(r, "option -%s wants a %s, not '%.*s'", row->name,
			                   row->type == OPT_COUNT ? "number from 1 on" : "number", STR_ARG(value));
		return true;
	}
	return false;
}

static bool set_knob(Reader *r, Knob k, Str value)
{
	const KnobInfo *info = &knob_info[k];
	if (!value.p && info->type != KNOB_BOOL && !take_value(r, info->name, &value))
		return false;
	if (!value.p)
		value = STR("");
	switch (knob_set(&r->s->knobs, &r->s->arena, k, value)) {
	case KNOB_OK: return true;
	case KNOB_NOT_BOOL: return usage_error(r, "-%s wants true or false, not '%.*s'", info->name, STR_ARG(value));
	case KNOB_NOT_INT: return usage_error(r, "-%s wants a number, not '%.*s'", info->name, STR_ARG(value));
	case KNOB_OUT_OF_RANGE:
		return usage_error(r, "-%s wants a number from %lld to %lld, not %.*s", info->name, (long long)info->min,
		                   (long long)info->max, STR_ARG(value));
	case KNOB_CLAMPED:
		text_f(r->err, "ptxscope: warning: -%s wants a number from %lld to %lld, not %.*s: it is set to %lld\n",
		       info->name, (long long)info->min, (long long)info->max, STR_ARG(value), (long long)knob_int(r->s, k));
		return true;
	case KNOB_NOT_NUMBERS: return usage_error(r, "-%s wants NAME=NUMBER, not '%.*s'", info->name, STR_ARG(value));
	case KNOB_NOT_A_VALUE: return usage_error(r, "-%s wants one of %s, not '%.*s'", info->name, info->values, STR_ARG(value));
	}
	return false;
}

/* -no-NAME is -NAME=0, and -no-NAME=0 is -NAME. */
static bool set_inverted(Reader *r, Knob k, Str value)
{
	if (!set_knob(r, k, value))
		return false;
	i64 *v = &r->s->knobs.value[k];
	*v = *v > 0 ? 0 : *v == 0 ? 1 : *v;
	return true;
}

static bool unknown(Reader *r, Str name)
{
	Nearest n = nearest_to(name);
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (rows[i].in & r->in && rows[i].type != OPT_IGNORED)
			nearest_try(&n, str_of(rows[i].name));
	if (!(r->in & IN_LIST))
		for (Knob k = 1; k < KNOB_COUNT; k++)
			nearest_try(&n, str_of(knob_info[k].name));
	if (nearest_found(&n))
		return usage_error(r, "unknown option '-%.*s'; did you mean '-%.*s'?", STR_ARG(name), STR_ARG(n.best));
	return usage_error(r, "unknown option '-%.*s'; 'ptxscope knobs' and '--help' list what there is", STR_ARG(name));
}

static bool read_option(Reader *r, Str word)
{
	Str         name = word, value = {NULL, 0};
	const char *eq = memchr(word.p, '=', word.n);
	if (eq) {
		name.n = (u32)(eq - word.p);
		value = (Str){eq + 1, word.n - name.n - 1};
	}
	if (name.n == 2 && name.p[0] == 'O' && name.p[1] >= '0' && name.p[1] <= '3' && !eq) {
		r->s->opt_level = (u32)(name.p[1] - '0');
		r->o->level_set = true;
		return true;
	}
	if (name.p && name.n <= 2 && name.p[0] == 'O' && !eq)
		return usage_error(r, "there are -O0, -O1, -O2 and -O3, no -%.*s", STR_ARG(name));
	if (str_is(name, "version"))
		return r->o->version = true;
	if (str_is(name, "help") || str_is(name, "h"))
		return r->o->help = true;
	const OptionRow *row = row_of(name);
	if (row)
		return set_option(r, row, value);
	bool inverted;
	Knob k = r->in & IN_LIST ? KNOB_NONE : knob_find_spelt(name, &inverted);
	if (!k)
		return unknown(r, name);
	return inverted ? set_inverted(r, k, value) : set_knob(r, k, value);
}

/* cicc's -opt "-do-cssa=0 -x": the words inside are options of their own. */
static bool read_pass_options(Reader *r)
{
	Str t = r->o->opt;
	for (u32 i = 0; i < t.n;) {
		u32 end = i;
		while (end < t.n && t.p[end] != ' ')
			end++;
		u32 dashes = 0;
		while (i + dashes < end && t.p[i + dashes] == '-')
			dashes++;
		Str word = {t.p + i + dashes, end - i - dashes};
		if (word.n && !read_option(r, word))
			return false;
		i = end + 1;
	}
	return true;
}

/* No assembler takes a target that is newer than the version its module names. */
static bool ptx_knows_cpu(Reader *r)
{
	const Target *t = &r->s->target;
	u32           least = target_default_ptx(t->sm, t->variant);
	char          name[16];
	r->o->misfit = t->ptx < least;
	return !r->o->misfit ||
	       usage_error(r, "PTX %u.%u does not know %s, which came with PTX %u.%u; leave out -mattr=+ptx%u, or give +ptx%u",
	                   t->ptx / 10, t->ptx % 10, target_cpu_name(t, name), least / 10, least % 10, t->ptx, least);
}

static bool set_target(Reader *r)
{
	Options *o = r->o;
	Session *s = r->s;
	if (o->mcpu.n && !target_set_cpu(&s->target, o->mcpu, false)) {
		Nearest n = nearest_to(o->mcpu);
		char    buf[16];
		for (u32 i = 0; target_cpu_at(i, buf); i++)
			nearest_try(&n, arena_str(&s->arena, str_of(buf)));
		return usage_error(r, "unknown target '%.*s'; did you mean '%.*s'?", STR_ARG(o->mcpu), STR_ARG(n.best));
	}
	o->given_mcpu = o->mcpu.n > 0;
	for (u32 i = 0; i < o->mattr.n; i++) {
		Str  a = o->mattr.p[i];
		i64  v;
		bool plus = str_starts(a, "+"); /* as in LLVM, a feature without a sign is wanted */
		Str  f = {a.p + plus, a.n - plus};
		if (str_starts(f, "sm_")) {
			if (!target_set_cpu(&s->target, f, r->ptx_chosen))
				return usage_error(r, "unknown target in -mattr: '%.*s'", STR_ARG(a));
		} else if (str_starts(f, "ptx") && read_number((Str){f.p + 3, f.n - 3}, &v)) {
			if (!target_set_ptx(&s->target, (u32)v))
				return usage_error(r, "unknown PTX version in -mattr: '%.*s'", STR_ARG(a));
			r->ptx_chosen = true;
		} else if (!str_starts(a, "-")) {
			text_f(r->err, "ptxscope: warning: '%.*s' is no feature that is known here; it is ignored\n", STR_ARG(a));
		}
	}
	if (!ptx_knows_cpu(r))
		return false;
	s->target.short_ptr = o->short_ptr;
	if (str_starts(o->march, "nvptx"))
		s->target.is64 = str_is(o->march, "nvptx64");
	else if (o->march.n)
		return usage_error(r, "-march wants nvptx64 or nvptx, not '%.*s'", STR_ARG(o->march));
	return true;
}

bool options_read(Options *o, Session *s, int argc, const char *const *argv, int first, u32 in, Text *err)
{
	Reader r = {.o = o, .s = s, .argc = argc, .at = first, .argv = argv, .in = in, .err = err};
	o->bisect = -1;
	while (r.at < argc) {
		Str  word = str_of(argv[r.at++]);
		bool dash = word.n > 1 && word.p[0] == '-';
		if (dash) {
			u32 n = 1 + (word.p[1] == '-');
			if (!read_option(&r, (Str){word.p + n, word.n - n}))
				return false;
		} else if (o->file.n) {
			return usage_error(&r, "one input file, please: '%.*s' and '%.*s' were given", STR_ARG(o->file),
			                   STR_ARG(word));
		} else {
			o->file = word;
		}
	}
	if (!read_pass_options(&r))
		return false;
	if (o->denormals.n && !s->knobs.set[KNOB_denormal_fp_math_f32] && !set_knob(&r, KNOB_denormal_fp_math_f32, o->denormals))
		return false;
	return set_target(&r);
}

void options_help(Text *out, u32 in)
{
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		const OptionRow *row = &rows[i];
		if (!(row->in & in) || row->type == OPT_IGNORED)
			continue;
		u32 start = out->n;
		text_f(out, "  %s%s%s%s", strlen(row->name) == 1 ? "-" : "--", row->name, row->metavar[0] ? "=" : "",
		       row->metavar);
		text_pad(out, 30, start);
		text_f(out, "%s\n", row->help);
	}
}
