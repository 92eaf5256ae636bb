#include "base/diag.h"

#include "base/sort.h"

static const struct {
	const char *id, *format, *hint;
	Severity    severity;
} rows[] = {
#define DIAG(id, severity, format, hint) {#id, format, hint, SEV_##severity},
#include "base/diagnostics.def"
};

void diags_init(Diags *d, Arena *arena) { *d = (Diags){.arena = arena, .max_errors = 20}; }

void diags_keep(Diags *d) { d->kept = d->list.n; }

void diags_clear(Diags *d)
{
	d->list.n = d->kept;
	d->errors = 0;
	d->order = d->failed = 0;
	for (u32 i = 0; i < d->kept; i++)
		d->errors += d->list.p[i].severity == SEV_ERROR;
}

const char *severity_name(Severity s) { return s == SEV_ERROR ? "error" : s == SEV_WARNING ? "warning" : "note"; }

Str diag_code_name(Arena *a, DiagCode code)
{
	Str   id = str_of(rows[code].id);
	char *p = arena_alloc(a, id.n, 1);
	for (u32 i = 0; i < id.n; i++)
		p[i] = id.p[i] == '_' ? '-' : (char)(id.p[i] | 0x20);
	return (Str){p, id.n};
}

static void drop_behind(Diags *d, u32 step)
{
	u32 n = 0;
	for (u32 i = 0; i < d->list.n; i++)
		if (diag_step(d->list.p[i].order) <= step)
			d->list.p[n++] = d->list.p[i];
	d->list.n = n;
}

/* An error of an earlier step than those counted: they would not have been found. */
static void count_error(Diags *d)
{
	if (d->errors && diag_step(d->order) < diag_step(d->failed)) {
		drop_behind(d, diag_step(d->order));
		d->errors = 0;
	}
	if (!d->errors++)
		d->failed = d->order;
}

static int by_order(const void *a, const void *b, void *user)
{
	u64 x = ((const Diag *)a)->order, y = ((const Diag *)b)->order;
	(void)user;
	return (x > y) - (x < y);
}

void diags_settle(Diags *d)
{
	if (d->errors)
		drop_behind(d, diag_step(d->failed));
	sort_stable(d->arena, d->list.p, d->list.n, sizeof(Diag), by_order, NULL);
}

Diag *diag_report(Diags *d, DiagCode code, SrcRange at, ...)
{
	va_list ap;
	va_start(ap, at);
	Diag diag = {
		.order = d->order,
		.code = code,
		.severity = rows[code].severity,
		.at = at,
		.message = arena_vfmt(d->arena, rows[code].format, ap),
		.hint = str_of(rows[code].hint),
	};
	va_end(ap);
	if (diag.severity == SEV_ERROR)
		count_error(d);
	if (diag.severity == SEV_ERROR && d->errors > d->max_errors) {
		Diag *unkept = arena_new(d->arena, Diag);
		*unkept = diag;
		return unkept;
	}
	vec_push(d->arena, &d->list, diag);
	return &vec_last(&d->list);
}

void diag_hint(Diags *d, Diag *diag, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	diag->hint = arena_vfmt(d->arena, fmt, ap);
	va_end(ap);
}

static Str line_of(Str source, u32 line)
{
	const char *p = source.p, *end = source.p + source.n;
	for (u32 at = 1; at < line && p < end; at++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		p = nl ? nl + 1 : end;
	}
	const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	const char *stop = nl ? nl : end;
	if (stop > p && stop[-1] == '\r')
		stop--;
	return (Str){p, (u32)(stop - p)};
}

void diags_locate(Diags *d, Str source)
{
	for (u32 i = 0; i < d->list.n; i++) {
		SrcRange *at = &d->list.p[i].at;
		if (!at->line || at->col)
			continue;
		Str line = line_of(source, at->line);
		u32 start = 0;
		while (start < line.n && (line.p[start] == ' ' || line.p[start] == '\t'))
			start++;
		*at = (SrcRange){at->line, start + 1, at->line, PS_MAX(line.n, start + 1) + 1};
	}
}

/* The excerpt is a window of the line, so that a line of a megabyte does not flood the terminal. */
enum { EXCERPT = 160, BEFORE_CARET = 100 };

static void print_excerpt(Text *out, SrcRange at, Str source)
{
	Str line = line_of(source, at.line);
	u32 caret = PS_MIN(at.col ? at.col - 1 : 0, line.n);
	u32 from = caret > BEFORE_CARET ? caret - BEFORE_CARET : 0;
	u32 n = PS_MIN(line.n - from, (u32)EXCERPT);
	for (u32 i = 0; i < n;) {
		const char *c = line.p + from + i;
		u32         length = utf8_length((const u8 *)c, n - i);
		bool        shown = length && (*c == '\t' || (u8)*c >= 0x20);
		text_add(out, shown ? (Str){c, length} : STR("?"));
		i += PS_MAX(length, 1u);
	}
	text_c(out, '\n');
	for (u32 i = from; i < caret; i++)
		text_c(out, line.p[i] == '\t' ? '\t' : ' ');
	text_c(out, '^');
	u32 end = at.end_line == at.line ? at.end_col : line.n + 1;
	for (u32 col = at.col + 1; col < end && col <= from + n; col++)
		text_c(out, '~');
	text_c(out, '\n');
}

void diag_print(Text *out, const Diag *d, Str file, Str source)
{
	text_add(out, file);
	if (d->at.line)
		text_f(out, ":%u:%u", d->at.line, d->at.col);
	text_f(out, ": %s: ", severity_name(d->severity));
	text_add(out, d->message);
	text_c(out, '\n');
	if (d->at.line && source.p)
		print_excerpt(out, d->at, source);
	if (d->hint.n) {
		text_s(out, "hint: ");
		text_add(out, d->hint);
		text_c(out, '\n');
	}
}
