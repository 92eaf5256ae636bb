/* trace.c: records the text after each step and the lines it came from. Equal texts are stored once (found by hash and
 * compared), so a pass that changes nothing costs one record. */
#include "pass/trace.h"

#include "base/hash.h"

void trace_init(Trace *t, Arena *arena)
{
	*t = (Trace){.arena = arena};
	map_init(&t->by_hash, arena);
}

u32 trace_text(Trace *t, Str text, const VecU32 *lines)
{
	u64 hash = hash_mix(hash_bytes(text.p, text.n), hash_bytes(lines->p, (size_t)lines->n * sizeof(u32)));
	hash >>= 2; /* clear of the map's sentinels */
	bool fresh;
	u64 *slot = map_put(&t->by_hash, hash, &fresh);
	if (!fresh && str_eq(t->texts.p[*slot].text, text))
		return (u32)*slot;
	*slot = t->texts.n;
	t->texts_full |= t->bytes + text.n > TRACE_TEXT_CAP;
	TraceText kept = {0};
	if (!t->texts_full) {
		kept.text = arena_str(t->arena, text);
		vec_extend(t->arena, &kept.lines, lines->n);
		if (lines->n)
			memcpy(kept.lines.p, lines->p, (size_t)lines->n * sizeof(u32));
		t->bytes += text.n;
	}
	vec_push(t->arena, &t->texts, kept);
	return t->texts.n - 1;
}

static void json_lines(Text *out, const VecU32 *lines)
{
	text_c(out, '[');
	for (u32 i = 0; i < lines->n; i++) {
		if (i)
			text_c(out, ',');
		text_u(out, lines->p[i]);
	}
	text_c(out, ']');
}

static void json_field(Text *out, const char *name, Str value)
{
	text_f(out, "\"%s\":", name);
	text_json(out, value);
}

static void json_entry(Text *out, const Trace *t, u32 i)
{
	const TraceEntry *e = &t->entries.p[i];
	text_f(out, "{\"i\":%u,", i);
	json_field(out, "id", e->pass ? str_of(e->pass->id) : STR("input"));
	text_c(out, ',');
	json_field(out, "function", e->function);
	static const char *const levels[] = {"ir", "dag", "mir", "emit"};
	text_f(out, ",\"level\":\"%s\",\"changed\":%s,\"ms\":", levels[e->level], e->changed ? "true" : "false");
	text_double(out, e->ms);
	text_f(out, ",\"insts\":%u,\"pressure\":", e->insts);
	const Pressure *p = &e->pressure;
	for (u32 k = 0; k < PRESSURE_COLUMNS && e->has_pressure; k++)
		text_f(out, "%s\"%s\":%u", k ? "," : "{", isa_pressure_name[k], p->column[k]);
	if (e->has_pressure)
		text_f(out, ",\"registers\":%u}", p->registers);
	else
		text_s(out, "null");
	const TraceText *text = &t->texts.p[e->text];
	bool             kept = text->text.p != NULL;
	text_s(out, ",\"text\":");
	if (kept)
		text_u(out, e->text);
	else
		text_s(out, "null");
	text_s(out, ",\"lines\":");
	json_lines(out, &text->lines);
	text_c(out, '}');
}

static void json_diagnostic(Text *out, const Diag *d)
{
	text_f(out, "{\"severity\":\"%s\",\"line\":%u,\"col\":%u,\"endLine\":%u,\"endCol\":%u,", severity_name(d->severity),
	       d->at.line, d->at.col, d->at.end_line, d->at.end_col);
	json_field(out, "code", diag_code_name(out->arena, d->code));
	text_c(out, ',');
	json_field(out, "message", d->message);
	text_c(out, ',');
	json_field(out, "hint", d->hint);
	text_c(out, '}');
}

static void json_remark(Text *out, const Remark *r)
{
	static const char *const kinds[] = {"passed", "missed", "analysis"};
	text_c(out, '{');
	json_field(out, "pass", str_of(r->pass->id));
	text_c(out, ',');
	json_field(out, "function", r->function);
	text_f(out, ",\"line\":%u,\"kind\":\"%s\",", r->line, kinds[r->kind]);
	json_field(out, "message", r->message);
	if (r->fate) {
		static const char *const fates[] = {"", "spilled", "rematerialised"};
		text_c(out, ',');
		json_field(out, "value", r->value);
		text_f(out, ",\"fate\":\"%s\"", fates[r->fate]);
	}
	text_c(out, '}');
}

#define JSON_LIST(out, name, count, each)           \
	do {                                        \
		text_s((out), ",\"" name "\":[");   \
		for (u32 i = 0; i < (count); i++) { \
			if (i)                      \
				text_c((out), ','); \
			each;                       \
		}                                   \
		text_c((out), ']');                 \
	} while (0)

void diagnostics_json(const Diags *d, Text *out)
{
	text_c(out, '[');
	for (u32 i = 0; i < d->list.n; i++) {
		if (i)
			text_c(out, ',');
		json_diagnostic(out, &d->list.p[i]);
	}
	text_c(out, ']');
}

void trace_json(const Trace *t, Session *s, Str ptx, const VecU32 *ptx_lines, Str functions, Text *out)
{
	char cpu[16];
	text_f(out, "{\"version\":1,\"target\":\"%s\"", target_cpu_name(&s->target, cpu));
	JSON_LIST(out, "passes", t->entries.n, json_entry(out, t, i));
	JSON_LIST(out, "texts", t->texts.n, text_json(out, t->texts.p[i].text));
	text_s(out, ",\"ptx\":");
	text_json(out, ptx);
	text_s(out, ",\"ptxLines\":");
	json_lines(out, ptx_lines);
	text_s(out, ",\"diagnostics\":");
	diagnostics_json(&s->diags, out);
	JSON_LIST(out, "remarks", t->remarks.n, json_remark(out, &t->remarks.p[i]));
	text_s(out, ",\"functions\":");
	text_add(out, functions);
	text_s(out, "}\n");
}
