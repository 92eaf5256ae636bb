/* compilation.c: ps_compile of ptxscope.h: structured options in, records out.
 *
 * The options become words of the command line and are read by options.c, so that there is one reader and one set of
 * defaults. The records are made at the end of the run, in the session's arena; they live as long as the handle. */
#include "api/compilation.h"

#include <stdlib.h>

struct PsCompilation {
	Command       c;
	Compilation   run;
	bool          open; /* the session is there: the records can be read */
	bool          done;
	PsDiagnostic *diagnostics;
	PsStage      *stages;
	u32           n_diagnostics, n_stages;
	char          last_words[640]; /* messages when there is no session */
};

typedef Vec(const char *) Words;

/* ---- options */

static bool read_options(PsCompileOptions *o, const PsCompileOptions *given)
{
	if (!command_struct(o, sizeof *o, given, offsetof(PsCompileOptions, target)))
		return false;
	bool good = (o->text || !o->text_size) && o->text_size <= INT32_MAX && (o->knobs || !o->n_knobs);
	for (size_t i = 0; good && i < o->n_knobs; i++)
		good = o->knobs[i].name && o->knobs[i].value;
	good = good && (o->libraries || !o->n_libraries);
	for (size_t i = 0; good && i < o->n_libraries; i++) {
		const PsLibrary *l = &o->libraries[i];
		good = l->name && (l->text || !l->text_size) && l->text_size <= INT32_MAX;
	}
	return good;
}

static void add_word(Command *c, Words *words, const char *fmt, ...) PS_PRINTF(3, 4);
static void add_word(Command *c, Words *words, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vec_push(&c->s.arena, words, arena_vfmt(&c->s.arena, fmt, ap).p);
	va_end(ap);
}

static bool set_options(Command *c, const PsCompileOptions *o)
{
	Words words = {0};
	if ((u32)o->level > PS_O3)
		return text_s(&c->err, "ptxscope: PsCompileOptions.level is none of PsOptLevel\n"), false;
	if (o->level)
		add_word(c, &words, "-O%u", (u32)(o->level - PS_O0));
	if (o->target)
		add_word(c, &words, "-mcpu=%s", o->target);
	if (o->ptx)
		add_word(c, &words, "-mattr=+ptx%u", o->ptx);
	for (size_t i = 0; i < o->n_knobs; i++) {
		const PsKnob *k = &o->knobs[i];
		if (!knob_find(str_of(k->name)))
			return text_f(&c->err, "ptxscope: unknown knob '%s'; 'ptxscope knobs' lists them\n", k->name), false;
		add_word(c, &words, "-%s=%s", k->name, k->value);
	}
	return options_read(&c->o, &c->s, (int)words.n, words.p, 0, IN_COMPILE, &c->err);
}

/* ---- records */

static void record_diagnostics(PsCompilation *p)
{
	static const PsSeverity severity[] = {[SEV_NOTE] = PS_NOTE, [SEV_WARNING] = PS_WARNING, [SEV_ERROR] = PS_ERROR};
	Arena                  *a = &p->c.s.arena;
	const Diags            *d = &p->c.s.diags;
	p->diagnostics = arena_alloc(a, (d->list.n + 1) * sizeof *p->diagnostics, _Alignof(PsDiagnostic));
	for (u32 i = 0; i < d->list.n; i++) {
		const Diag *x = &d->list.p[i];
		p->diagnostics[i] = (PsDiagnostic){
			.severity = severity[x->severity],
			.line = x->at.line,
			.col = x->at.col,
			.end_line = x->at.end_line,
			.end_col = x->at.end_col,
			.code = arena_str(a, diag_code_name(a, x->code)).p,
			.message = arena_str(a, x->message).p,
			.hint = arena_str(a, x->hint).p,
		};
	}
	p->n_diagnostics = d->list.n;
}

static void record_stages(PsCompilation *p)
{
	static const PsLevel level[] = {[PASS_IR] = PS_LEVEL_IR, [PASS_DAG] = PS_LEVEL_MIR, [PASS_MIR] = PS_LEVEL_MIR};
	Arena               *a = &p->c.s.arena;
	const Trace         *t = &p->run.trace;
	p->stages = arena_alloc(a, (t->entries.n + 1) * sizeof *p->stages, _Alignof(PsStage));
	for (u32 i = 0; i < t->entries.n; i++) {
		const TraceEntry *e = &t->entries.p[i];
		p->stages[i] = (PsStage){
			.id = e->pass ? e->pass->id : "input",
			.function = arena_str(a, e->function).p,
			.level = level[e->level],
			.changed = e->changed,
		};
	}
	p->n_stages = t->entries.n;
}

/* ---- the call */

static PsStatus compile(PsCompilation *p, const PsCompileOptions *o)
{
	static const PsHost no_host = {0};
	Command            *c = &p->c;
	c->host = &no_host;
	text_init(&c->out, &c->s.arena);
	text_init(&c->err, &c->s.arena);
	if (!set_options(c, o) || !compilation_set(&p->run, c, o->stages))
		return PS_STATUS_USAGE;
	c->o.file = c->input_name = arena_str(&c->s.arena, str_of(o->name ? o->name : "input.ll"));
	c->input = (Str){o->text ? o->text : "", (u32)o->text_size};
	for (size_t i = 0; i < o->n_libraries; i++) {
		const PsLibrary *l = &o->libraries[i];
		vec_push(&c->s.arena, &c->links, ((LinkFile){str_of(l->name), {l->text ? l->text : "", (u32)l->text_size}}));
	}
	compilation_run(&p->run);
	PsStatus status = (PsStatus)command_report(c);
	record_diagnostics(p);
	record_stages(p);
	p->done = p->run.end == RUN_COMPLETE;
	if (p->done)
		text_c(&p->run.ptx, 0);
	return status;
}

static PsStatus leave(PsCompilation *p)
{
	PsStatus status = command_leave(&p->c.s, "out of memory: the limit is reached\n", p->last_words, sizeof p->last_words);
	p->open = p->done = false;
	p->n_diagnostics = p->n_stages = 0;
	return status;
}

PsStatus ps_compile(const PsCompileOptions *given, PsCompilation **out)
{
	PsCompileOptions o;
	if (!out)
		return PS_STATUS_USAGE;
	*out = NULL;
	if (!read_options(&o, given))
		return PS_STATUS_USAGE;
	PsCompilation *p = calloc(1, sizeof *p);
	if (!p)
		return PS_STATUS_MEMORY;
	jmp_buf           leave_to;
	volatile PsStatus status;
	*out = p;
	if (!session_init(&p->c.s, command_memory_cap(o.memory_cap)))
		return leave(p);
	p->open = true;
	if (setjmp(leave_to) == 0) {
		p->c.s.out = &leave_to;
		status = compile(p, &o);
		text_c(&p->c.err, 0);
		p->c.s.out = NULL;
	} else {
		status = leave(p);
	}
	return status;
}

void ps_compilation_free(PsCompilation *p)
{
	if (p && p->open)
		session_free(&p->c.s);
	free(p);
}

/* ---- what came of it */

const char *ps_compilation_messages(const PsCompilation *p) { return !p ? "" : p->open ? p->c.err.p : p->last_words; }

const char *ps_compilation_ptx(const PsCompilation *p, size_t *size)
{
	bool there = p && p->done;
	if (size)
		*size = there ? p->run.ptx.n - 1 : 0;
	return there ? p->run.ptx.p : NULL;
}

bool ps_compilation_diagnostic(const PsCompilation *p, size_t i, PsDiagnostic *out)
{
	if (!p || !out || i >= p->n_diagnostics)
		return false;
	*out = p->diagnostics[i];
	return true;
}

bool ps_compilation_stage(const PsCompilation *p, size_t i, PsStage *out)
{
	if (!p || !out || i >= p->n_stages)
		return false;
	*out = p->stages[i];
	return true;
}

const char *ps_compilation_stage_text(const PsCompilation *p, size_t i, size_t *size)
{
	Str text = {NULL, 0};
	if (p && i < p->n_stages)
		text = p->run.trace.texts.p[p->run.trace.entries.p[i].text].text;
	if (size)
		*size = text.n;
	return text.p;
}
