/* compile.c: the `compile` command, and what `run` and `check` share with it: the input is read, the manager runs the schedule, the
 * result goes to a file or a stream. Nothing is written when there were errors. */
#include "api/compilation.h"
#include "api/match.h"
#include "ir/text.h"
#include "mir/mir.h"

/* ---- what is compiled ---- */

InputKind command_input_kind(const Command *c)
{
	Str t = c->input;
	if (str_starts(t, "---") && memchr(t.p, '\n', t.n))
		return INPUT_MIR;
	Str n = c->o.file;
	if (n.n > 4 && memcmp(n.p + n.n - 4, ".mir", 4) == 0)
		return INPUT_MIR;
	if (n.n > 4 && memcmp(n.p + n.n - 4, ".ptx", 4) == 0)
		return INPUT_PTX;
	/* PTX without a name (standard input) begins with comments and .version. */
	for (u32 i = 0; i < t.n;) {
		u32 end = i;
		while (end < t.n && t.p[end] != '\n')
			end++;
		while (i < end && (t.p[i] == ' ' || t.p[i] == '\t' || t.p[i] == '\r'))
			i++;
		Str line = {t.p + i, end - i};
		if (str_starts(line, ".version"))
			return INPUT_PTX;
		if (line.n && !str_starts(line, "//"))
			break;
		i = end + 1;
	}
	return INPUT_LL;
}

static bool triple_is(Str triple, const char *arch)
{
	size_t n = strlen(arch);
	return str_starts(triple, arch) && (triple.n == n || triple.p[n] == '-');
}

/* The triple given on the command line takes the place of the module's, and -march wins over both. A module of another target can be
 * read, not compiled. */
static bool set_triple(Command *c, IrModule *ir)
{
	Session *s = &c->s;
	if (c->o.mtriple.n)
		ir->triple = strtab_add(&s->strs, c->o.mtriple);
	Str triple = ir_str(ir, ir->triple);
	if (triple.n >= 5 && memcmp(triple.p + triple.n - 5, "-nvcl", 5) == 0)
		s->target.nvcl = true;
	if (c->o.march.n || !triple.n)
		return true;
	if (triple_is(triple, "nvptx64"))
		s->target.is64 = true;
	else if (triple_is(triple, "nvptx"))
		s->target.is64 = false;
	else if (!c->any_target)
		diag_report(&s->diags, DIAG_WRONG_TRIPLE, (SrcRange){0}, STR_ARG(triple));
	return !s->diags.errors;
}

/* -march wins over a layout for the other pointer size, as in llc. */
static bool keeps_layout(const Command *c, const IrModule *ir)
{
	return ir->layout_given && (c->any_target || ir_ptr_bits(ir, 0) == (c->s.target.is64 ? 64u : 32u));
}

IrModule *command_load_ir(Command *c)
{
	Session  *s = &c->s;
	IrModule *ir = ir_parse(s, c->input);
	if (!ir || s->diags.errors || !set_triple(c, ir))
		return NULL;
	if (!keeps_layout(c, ir))
		ir_layout_default(&ir->layout, &s->target);
	ir_verify(ir);
	return s->diags.errors || !command_link(c, ir) ? NULL : ir;
}

static IrModule *load_deferred(Command *c, IrModule *(*read)(Session *s, Str text))
{
	Session  *s = &c->s;
	Target    before = s->target;
	IrModule *ir = read(s, c->input);
	bool      good = ir && set_triple(c, ir);
	if (good && !ir->layout_given)
		ir_layout_default(&ir->layout, &s->target);
	if (good)
		ir_verify(ir);
	/* Another layout than the reader has had in mind would have to be known before bodies are read. */
	good = good && s->diags.list.n == s->diags.kept && s->target.is64 && ir_ptr_bits(ir, 0) == 64;
	diags_clear(&s->diags);
	if (!good)
		s->target = before;
	return good ? ir : NULL;
}

IrModule *command_load_ir_deferred(Command *c) { return load_deferred(c, ir_parse_deferred); }

bool command_check_ir(Command *c)
{
	diags_keep(&c->s.diags);
	/* Function by function, where all is well; what is wrong is found by reading it all. */
	IrModule *ir = load_deferred(c, ir_parse_to_check);
	if (ir && ir_check_bodies(ir))
		return true;
	diags_clear(&c->s.diags);
	return command_load_ir(c) != NULL;
}

MirModule *command_load_mir(Command *c, IrModule **ir)
{
	MirModule *mir = mir_parse(&c->s, c->input, ir);
	for (u32 i = 0; mir && !c->s.diags.errors && i < mir->func.n; i++)
		mir_verify(mir->func.p[i], NULL);
	return c->s.diags.errors ? NULL : mir;
}

/* ---- options of the manager ---- */

static bool known_pass(Command *c, Str id, const char *option)
{
	if (!id.n || pass_find(id))
		return true;
	if (pass_is_planned(id)) {
		text_f(&c->err, "ptxscope: -%s: pass '%.*s' is not built; 'ptxscope passes' says which are\n", option,
		       STR_ARG(id));
		return false;
	}
	Nearest            n = nearest_to(id);
	u32                count;
	const Pass *const *all = pass_all(&count);
	for (u32 i = 0; i < count; i++)
		nearest_try(&n, str_of(all[i]->id));
	text_f(&c->err, "ptxscope: -%s: unknown pass '%.*s'", option, STR_ARG(id));
	if (nearest_found(&n))
		text_f(&c->err, "; did you mean '%.*s'?", STR_ARG(n.best));
	text_s(&c->err, "\n'ptxscope passes' lists them\n");
	return false;
}

/* id, or id,N where the pass has a run of that number. */
static bool known_step(Command *c, Str given, const char *option)
{
	u32 instance;
	Str id = schedule_pass_id(given, &instance);
	if (!known_pass(c, id, option))
		return false;
	const PipelineStep *steps;
	u32                 n = pipeline_steps(&steps), runs = 0;
	for (u32 i = 0; i < n; i++)
		runs += str_is(id, steps[i].pass->id);
	if (!instance || instance < runs)
		return true;
	text_f(&c->err, "ptxscope: -%s: pass '%.*s' has %u run%s in the pipeline, which count from 0\n", option, STR_ARG(id),
	       runs, runs == 1 ? "" : "s");
	return false;
}

bool command_known_stops(Command *c)
{
	return known_step(c, c->o.stop_after, "stop-after") && known_step(c, c->o.stop_before, "stop-before");
}

static bool known_passes(Command *c, const VecStr *ids, const char *option)
{
	for (u32 i = 0; i < ids->n; i++)
		if (!known_pass(c, ids->p[i], option))
			return false;
	return true;
}

/* Passes that the user has named work on what those in front of them leave. */
static bool named_passes_fit(Command *c, const ScheduleOptions *o)
{
	static const char *const forms[] = {"IR", "IR", "machine code", "machine code"};
	bool                     mir = command_input_kind(c) == INPUT_MIR;
	const Pass              *before, *wrong = schedule_misplaced(o, mir ? PASS_MIR : PASS_IR, &before);
	if (!wrong)
		return true;
	text_f(&c->err, "ptxscope: -%s: pass '%s' is misplaced: it works on %s, and ", o->as_named ? "passes" : "run-pass",
	       wrong->id, forms[wrong->level]);
	if (!before)
		text_f(&c->err, "the input is %s\n", mir ? "machine code" : "IR");
	else if (before->level == PASS_EMIT)
		text_f(&c->err, "'%s' in front of it leaves nothing to work on\n", before->id);
	else
		text_f(&c->err, "'%s' in front of it leaves %s\n", before->id, before->level == PASS_IR ? "IR" : "machine code");
	if (wrong->level >= PASS_MIR && !mir && (!before || before->level == PASS_IR))
		text_s(&c->err, "'nvptx-isel' makes machine code of IR\n");
	return false;
}

static bool set_run_options(Command *c, RunOptions *r)
{
	const Options *o = &c->o;
	r->dump = (DumpOptions){
		.print_before = o->print_before,
		.print_after = o->print_after,
		.print_before_all = o->print_before_all,
		.print_after_all = o->print_after_all,
		.print_changed = o->print_changed,
		.functions = o->print_funcs,
	};
	r->schedule = (ScheduleOptions){
		.stop_after = o->stop_after,
		.stop_before = o->stop_before,
		.start_after = o->start_after,
		.start_before = o->start_before,
		.run_pass = o->passes.n ? o->passes : o->run_pass,
		.as_named = o->passes.n > 0,
		.banners = o->print_after_all,
	};
	r->verify = o->verify_each || knob_bool(&c->s, KNOB_verify_machineinstrs);
	r->check_claims = o->check_claims;
	r->count = o->time_passes || o->stats;
	r->bisect_limit = o->bisect;
	r->now_ms = c->host->now_ms;
	r->now_user = c->host->user;
	if (o->passes.n && o->run_pass.n)
		return text_s(&c->err, "ptxscope: -passes and -run-pass both name the passes to run\n"), false;
	return command_known_stops(c) && known_step(c, o->start_after, "start-after") &&
	       known_step(c, o->start_before, "start-before") && known_passes(c, &o->run_pass, "run-pass") &&
	       known_passes(c, &o->passes, "passes") && known_passes(c, &o->print_after, "print-after") &&
	       known_passes(c, &o->print_before, "print-before");
}

static void ask_for_dags(Command *c, RunOptions *r)
{
	r->schedule.stop_after = STR("nvptx-isel");
	c->s.dag_print = arena_new(&c->s.arena, Text);
	c->s.dag_dot = c->o.dot;
	text_init(c->s.dag_print, &c->s.arena);
}

/* What --emit stops at: the form asked for is what there is before the step that leaves it. */
static bool set_emit(Command *c, RunOptions *r)
{
	Str e = c->o.emit;
	if (!e.n || str_is(e, "ptx"))
		return true;
	if (str_is(e, "ir"))
		r->schedule.stop_before = STR("nvptx-isel");
	else if (str_is(e, "mir"))
		r->schedule.stop_before = STR("asm-printer");
	else if (str_is(e, "dag"))
		ask_for_dags(c, r);
	else
		return text_f(&c->err, "ptxscope: -emit wants ptx, ir, dag or mir, not '%.*s'\n", STR_ARG(e)), false;
	return true;
}

/* ---- results ---- */

static Str output_path(const Command *c) { return c->o.output.n ? c->o.output : STR("-"); }

static bool wants_remarks(const Command *c) { return c->o.remarks.n + c->o.remarks_missed.n + c->o.remarks_analysis.n > 0; }

static bool is_about(Str regex, const Remark *r) { return regex.n && regex_match(regex, str_of(r->pass->id)); }

static void print_remarks(Command *c, const Trace *t)
{
	static const char *const kinds[] = {"remark", "missed", "analysis"};
	const Str                of_kind[] = {c->o.remarks, c->o.remarks_missed, c->o.remarks_analysis};
	for (u32 i = 0; i < t->remarks.n; i++) {
		const Remark *r = &t->remarks.p[i];
		if (!is_about(c->o.remarks, r) && !is_about(of_kind[r->kind], r))
			continue;
		text_f(&c->err, "%.*s:%u: %s: %.*s [-pass-remarks=%s] in function %.*s\n", STR_ARG(c->input_name), r->line,
		       kinds[r->kind], STR_ARG(r->message), r->pass->id, STR_ARG(r->function));
	}
}

static void write_trace(Command *c, const Compilation *x)
{
	Text json, functions;
	text_init(&json, &c->s.arena);
	text_init(&functions, &c->s.arena);
	compilation_functions_json(x, &functions);
	trace_json(&x->trace, &c->s, text_str(&x->ptx), &x->lines, text_str(&functions), &json);
	command_write_always(c, c->o.trace, text_str(&json));
}

static void write_stage(Command *c, Manager *m, Text *text)
{
	m->ops[m->at]->print_module(&m->cx, text, NULL);
	command_write(c, output_path(c), text_str(text));
}

static void load_ir(Command *c, Manager *m)
{
	if (manager_may_defer(m) && !command_links(c))
		m->cx.ir = command_load_ir_deferred(c);
	if (!m->cx.ir || !manager_can_defer(m))
		m->cx.ir = command_load_ir(c);
}

/* The program, at its level, into the manager; false: errors were reported. */
static bool load(Command *c, Manager *m)
{
	InputKind kind = command_input_kind(c);
	diags_keep(&c->s.diags);
	m->cx.ir = NULL;
	m->cx.mir = NULL;
	if (kind == INPUT_PTX)
		diag_report(&c->s.diags, DIAG_PTX_TO_COMPILE, src_at(1, 1));
	else if (kind == INPUT_MIR)
		m->cx.mir = command_load_mir(c, &m->cx.ir);
	else
		load_ir(c, m);
	return m->cx.ir || m->cx.mir;
}

/* A body that was to be read by itself has errors: reading the whole text finds all of them. */
static void report_unread(Command *c, Manager *m)
{
	diags_clear(&c->s.diags);
	m->cx.ir = command_load_ir(c);
	if (m->cx.ir)
		ICE(&c->s, "a function can be read with its module, but not by itself");
}

void compilation_run(Compilation *x)
{
	Command *c = x->c;
	Manager *m = &x->m;
	Arena   *own = arena_new(&c->s.arena, Arena); /* until the session ends */
	arena_init(own, &c->s.budget);
	text_init(&x->ptx, own);
	m->cx.ptx = &x->ptx;
	m->cx.ptx_lines = m->keep_texts ? &x->lines : NULL;
	x->end = load(c, m) ? manager_run(m) : RUN_FAILED;
	if (x->end == RUN_UNREAD)
		report_unread(c, m);
}

bool compilation_set(Compilation *x, Command *c, bool stages)
{
	*x = (Compilation){.c = c, .end = RUN_FAILED};
	manager_init(&x->m, &c->s, &c->err);
	command_set_levels(&x->m);
	trace_init(&x->trace, &c->s.arena);
	x->m.trace = &x->trace;
	x->m.flush = command_flush;
	x->m.flush_user = c;
	x->m.keep_texts = stages;
	x->m.keep_remarks = stages || wants_remarks(c);
	return set_run_options(c, &x->m.options) && set_emit(c, &x->m.options);
}

bool compilation_fits(const Compilation *x) { return named_passes_fit(x->c, &x->m.options.schedule); }

/* ---- the command ---- */

static void write_result(Compilation *x)
{
	Command *c = x->c;
	if (x->end == RUN_COMPLETE)
		command_write(c, output_path(c), text_str(&x->ptx));
	else if (x->end == RUN_STOPPED && c->s.dag_print)
		command_write(c, output_path(c), text_str(c->s.dag_print));
	else if (x->end == RUN_STOPPED)
		write_stage(c, &x->m, &x->ptx);
	if (x->end != RUN_COMPLETE)
		x->ptx.n = 0, x->lines.n = 0;
}

int command_compile(Command *c)
{
	Compilation x;
	if (!compilation_set(&x, c, c->o.trace.n > 0) || !command_read_input(c) || !compilation_fits(&x))
		return STATUS_USAGE;
	compilation_run(&x);
	write_result(&x);
	int status = command_report(c);
	if (c->o.trace.n)
		write_trace(c, &x);
	if (!x.m.cx.ir && !x.m.cx.mir)
		return status;
	print_remarks(c, &x.trace);
	if (c->o.time_passes)
		manager_print_times(&x.m, &c->err);
	if (c->o.stats)
		manager_print_stats(&x.m, &c->err);
	return status;
}
