/* result.c: buffers, statistics and faults as JSON. */
#include "simt/machine.h"

#include "base/decimal.h"
#include "sem/float.h"

static u64 element(const u8 *p, u32 bytes)
{
	u64 v = 0;
	memcpy(&v, p, bytes);
	return v;
}

void simt_value_text(Text *out, SimtType type, const u8 *p)
{
	u32 bytes = simt_type_bytes(type);
	u64 v = element(p, bytes);
	if (type < ST_F16) {
		if (type % 2 == 0)
			text_i(out, sem_sext(v, 8 * bytes));
		else
			text_u(out, v);
		return;
	}
	char buf[DECIMAL_TEXT];
	f64  d = sem_f64_of(type == ST_F64 ? v : sem_f2f(SEM_F64, type == ST_F32 ? SEM_F32 : SEM_F16, v, 0));
	text_add(out, (Str){buf, base_format_double(buf, d)});
}

/* A float in the shortest form of its double; nan, inf and 64-bit integers as strings. */
static void value_json(Text *out, SimtType type, const u8 *p)
{
	u32  at = out->n;
	bool quoted = type == ST_I64 || type == ST_U64;
	if (type >= ST_F16) {
		u64    v = element(p, simt_type_bytes(type));
		SemFmt f = type == ST_F64 ? SEM_F64 : type == ST_F32 ? SEM_F32 : SEM_F16;
		quoted = sem_is_nan(f, v) || sem_is_inf(f, v);
	}
	(void)at;
	if (quoted)
		text_c(out, '"');
	simt_value_text(out, type, p);
	if (quoted)
		text_c(out, '"');
}

void simt_values_json(Text *out, SimtType type, const u8 *bytes, u32 count)
{
	u32 n = simt_type_bytes(type);
	text_c(out, '[');
	for (u32 i = 0; i < count; i++) {
		if (i)
			text_c(out, ',');
		value_json(out, type, bytes + (size_t)i * n);
	}
	text_c(out, ']');
}

static void ratio(Text *out, u64 a, u64 b)
{
	char buf[DECIMAL_TEXT];
	f64  v = b ? (f64)a / (f64)b : 1;
	text_add(out, (Str){buf, base_format_double(buf, v)});
}

static void stats_json(const SimtMachine *m, Text *out)
{
	const SimtStats *s = &m->stats;
	text_f(out,
	       "\"stats\":{\"threadInstructions\":%llu,\"warpInstructions\":%llu,\"divergentBranches\":%llu,\"simtEfficiency\":",
	       (unsigned long long)s->thread_instructions, (unsigned long long)s->warp_instructions,
	       (unsigned long long)s->divergent_branches);
	ratio(out, s->thread_instructions, s->warp_instructions * LANES);
	text_f(out, ",\"globalSectors\":%llu,\"sharedBankConflicts\":%llu,\"barriers\":%llu}",
	       (unsigned long long)s->global_sectors, (unsigned long long)s->shared_conflicts, (unsigned long long)s->barriers);
}

static void source_json(const SimtMachine *m, u32 insn, Text *out)
{
	const SimtSource *s = simt_source(m, insn);
	if (!s)
		return;
	text_s(out, "\"source\":{\"file\":");
	text_json(out, s->file);
	text_f(out, ",\"line\":%u,\"column\":%u},", s->line, s->column);
}

static void access_json(const SimtMachine *m, const SimtAccess *a, Text *out)
{
	text_f(out, "\"thread\":[%u,%u,%u],\"block\":[%u,%u,%u],\"line\":%u,\"origin\":%u,", a->thread[0], a->thread[1],
	       a->thread[2], a->block[0], a->block[1], a->block[2], a->line, a->origin);
	source_json(m, a->insn, out);
}

static void timeline_json(const SimtTimeline *t, Text *out)
{
	text_f(out, "{\"visit\":%u,\"leftOut\":%u,\"events\":[", t->visit, t->left_out);
	for (u32 i = 0; i < t->n; i++) {
		const SimtEvent *e = &t->event[i];
		text_f(out, "%s{\"moment\":%u,\"line\":%u,\"origin\":%u,\"what\":\"%s\"", i ? "," : "", e->moment, e->line,
		       e->origin, e->what);
		if (e->bytes)
			text_f(out, ",\"bytes\":%u", e->bytes);
		if (e->count > 1)
			text_f(out, ",\"count\":%u", e->count);
		text_s(out, e->reported ? ",\"reported\":true}" : "}");
	}
	text_s(out, "]}");
}

/* Of a sanitizer: a fault, and what else it knows. */
static void report_json(const SimtMachine *m, const SimtReport *r, Text *out)
{
	text_f(out, "{\"kind\":\"%s\",", simt_fault_name(r->kind));
	access_json(m, &r->at, out);
	text_f(out, "\"level\":\"%s\",\"message\":", m->p->level);
	text_json(out, r->message);
	text_f(out, ",\"sanitizer\":\"%s\",\"kernel\":", simt_sanitizer_word(r->sanitizer));
	text_json(out, m->launch.kernel);
	text_f(out, ",\"access\":\"%s\",\"bytes\":%u,\"count\":%llu", r->at.what, r->at.bytes, (unsigned long long)r->count);
	if (r->has_other) {
		text_s(out, ",\"other\":{");
		access_json(m, &r->other, out);
		text_f(out, "\"access\":\"%s\",\"bytes\":%u}", r->other.what, r->other.bytes);
	}
	if (r->space.n) {
		text_f(out, ",\"memory\":{\"space\":\"%.*s\",\"address\":\"0x%llx\",\"allocation\":", STR_ARG(r->space),
		       (unsigned long long)r->address);
		text_json(out, r->allocation);
		text_f(out, ",\"size\":%llu,\"offset\":%llu}", (unsigned long long)r->allocation_size,
		       (unsigned long long)r->offset);
	}
	if (r->timeline) {
		text_f(out, ",\"needs\":\"%s\",\"timelines\":[", r->needs);
		timeline_json(&r->timeline[0], out);
		text_c(out, ',');
		timeline_json(&r->timeline[1], out);
		text_c(out, ']');
	}
	text_c(out, '}');
}

static void faults_json(const SimtMachine *m, Text *out)
{
	const SimtFault *f = &m->fault;
	u32              n = simt_report_count(m);
	text_s(out, "\"faults\":[");
	for (u32 i = 0; i < n; i++) {
		text_s(out, i ? "," : "");
		report_json(m, simt_report(m, i), out);
	}
	if (m->faulted && !m->reported) {
		text_s(out, n ? "," : "");
		text_f(out,
		       "{\"kind\":\"%s\",\"thread\":[%u,%u,%u],\"block\":[%u,%u,%u],\"line\":%u,\"origin\":%u,\"level\":\"%s\",",
		       simt_fault_name(f->kind), f->thread[0], f->thread[1], f->thread[2], f->block[0], f->block[1], f->block[2],
		       f->line, f->origin, m->p->level);
		source_json(m, f->insn, out);
		text_s(out, "\"message\":");
		text_json(out, f->message);
		text_c(out, '}');
	}
	text_c(out, ']');
}

/* Counts by line of the executed text: instructions of one line are added up. */
static void profile_json(const SimtMachine *m, Text *out)
{
	u32       last = 0;
	bool      any = false;
	SimtCount sum = {0};
	text_s(out, ",\"profile\":[");
	for (u32 i = 0; i <= m->p->code.n; i++) {
		u32 line = i < m->p->code.n ? m->p->code.p[i].line : 0;
		if (i == m->p->code.n || line != last) {
			if (sum.executions) {
				text_f(out, "%s{\"line\":%u,\"executions\":%llu,\"lanes\":", any ? "," : "", last,
				       (unsigned long long)sum.executions);
				ratio(out, sum.lanes, sum.executions);
				text_f(out, ",\"divergent\":%llu,\"sectors\":%llu,\"requests\":%llu,\"bankConflicts\":%llu}",
				       (unsigned long long)sum.divergent, (unsigned long long)sum.sectors,
				       (unsigned long long)sum.requests, (unsigned long long)sum.conflicts);
				any = true;
			}
			sum = (SimtCount){0};
			last = line;
		}
		if (i == m->p->code.n)
			break;
		const SimtCount *c = &m->count[i];
		sum.executions += c->executions, sum.lanes += c->lanes, sum.divergent += c->divergent;
		sum.sectors += c->sectors, sum.requests += c->requests, sum.conflicts += c->conflicts;
	}
	text_c(out, ']');
}

void simt_result_json(const SimtMachine *m, Text *out)
{
	text_s(out, "{\"buffers\":{");
	for (u32 i = 0; i < m->launch.buffer.n; i++) {
		const SimtBuffer *b = &m->launch.buffer.p[i];
		if (i)
			text_c(out, ',');
		text_json(out, b->name);
		text_f(out, ":{\"type\":\"%s\",\"values\":", simt_type_name[b->type]);
		simt_values_json(out, b->type, m->buffer.p[i], b->count);
		text_c(out, '}');
	}
	text_s(out, "},");
	stats_json(m, out);
	text_c(out, ',');
	faults_json(m, out);
	if (simt_sanitize_limited(m))
		text_s(out, ",\"sanitizeLimited\":true");
	if (m->o.schedule.by_seed)
		text_f(out, ",\"schedule\":{\"seed\":%llu,\"preemptions\":%u}", (unsigned long long)m->o.schedule.seed,
		       m->preempted);
	if (m->printed.n) {
		text_s(out, ",\"printf\":");
		text_json(out, text_str(&m->printed));
	}
	if (m->count)
		profile_json(m, out);
	text_s(out, "}\n");
}
