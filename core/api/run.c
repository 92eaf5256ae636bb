/* run.c: `run F.ll|F.mir|F.ptx --launch L.json [--level=ir|mir|ptx]` */
#include "api/run.h"

#include "ir/ir.h"
#include "mir/mir.h"
#include "ptx/ptx.h"

/* What `run` and `check` want before they read anything. */
bool run_has_launch(Command *c, const char *command)
{
	if (!c->o.launch.n)
		text_f(&c->err, "ptxscope: %s needs --launch=FILE: the grid, the block, the arguments and the buffers\n",
		       command);
	else if (str_is(c->o.launch, "-") && str_is(c->o.file, "-"))
		text_s(&c->err, "ptxscope: the input and the launch file cannot both be standard input\n");
	else
		return true;
	return false;
}

/* seed:N */
static bool read_schedule(Str word, SimtSchedule *out)
{
	u32 at = 5;
	if (!str_starts(word, "seed:") || word.n == at || word.n > at + 19)
		return false;
	for (out->seed = 0; at < word.n && word.p[at] >= '0' && word.p[at] <= '9'; at++)
		out->seed = out->seed * 10 + (u64)(word.p[at] - '0');
	return out->by_seed = at == word.n;
}

bool run_options(Command *c, SimtOptions *o)
{
	*o = (SimtOptions){.max_steps = c->o.max_steps > 0 ? (u64)c->o.max_steps : 0,
	                   .profile = c->o.profile,
	                   .independent = c->o.independent,
	                   .threads = {c->threads.user, c->threads.run, c->threads.pause},
	                   .jobs = (u32)PS_MIN(PS_MAX(c->o.jobs, 0), INT32_MAX),
	                   .jobs_after = (u64)PS_MAX(c->o.jobs_after, 0),
	                   .quantum = (u32)PS_MIN(PS_MAX(c->o.quantum, 0), INT32_MAX)};
	for (u32 i = 0; i < c->o.sanitize.n; i++) {
		Str w = c->o.sanitize.p[i];
		u32 bits = simt_sanitizer(w);
		if (!bits) {
			text_f(&c->err, "ptxscope: --sanitize takes memory, race, init, sync, leak and all, not '%.*s'\n",
			       STR_ARG(w));
			return false;
		}
		o->sanitize |= bits;
	}
	if (c->o.registers.n && !str_is(c->o.registers, "thread") && !str_is(c->o.registers, "warp")) {
		text_f(&c->err, "ptxscope: --registers is thread or warp, not '%.*s'\n", STR_ARG(c->o.registers));
		return false;
	}
	o->warp_registers = str_is(c->o.registers, "warp");
	if (c->o.compiled.n && !str_is(c->o.compiled, "late") && !str_is(c->o.compiled, "always") &&
	    !str_is(c->o.compiled, "never")) {
		text_f(&c->err, "ptxscope: --compiled is late, always or never, not '%.*s'\n", STR_ARG(c->o.compiled));
		return false;
	}
	o->compiled = str_is(c->o.compiled, "always")  ? COMPILED_ALWAYS
	              : str_is(c->o.compiled, "never") ? COMPILED_NEVER
	                                               : COMPILED_LATE;
	o->schedule.last = UINT32_MAX;
	if (c->o.schedule.n && !read_schedule(c->o.schedule, &o->schedule)) {
		text_f(&c->err, "ptxscope: --schedule is seed:N, not '%.*s'\n", STR_ARG(c->o.schedule));
		return false;
	}
	return true;
}

/* Red zones between variables are there from decoding on. */
static void leave_gaps(Command *c)
{
	for (u32 i = 0; i < c->o.sanitize.n; i++)
		if (simt_sanitizer(c->o.sanitize.p[i]) & SANITIZE_MEMORY)
			c->s.variable_gap = 16;
}

SimtLaunch *run_launch(Command *c)
{
	Str text;
	return command_read_file(c, c->o.launch, &text) ? run_launch_text(c, &c->s.arena, c->o.launch, text) : NULL;
}

SimtLaunch *run_launch_text(Command *c, Arena *a, Str name, Str text)
{
	u32         before = c->s.diags.list.n;
	SimtLaunch *l = simt_launch_parse(&c->s, a, text);
	for (u32 i = before; !l && i < c->s.diags.list.n; i++)
		diag_print(&c->err, &c->s.diags.list.p[i], name, text);
	return l;
}

int run_no_launch(const Command *c) { return c->s.diags.errors ? STATUS_INPUT : STATUS_USAGE; }

SimtMachine *run_program(SimtProgram *p, const SimtLaunch *l, const SimtOptions *o)
{
	SimtMachine *m = simt_new(p, l, o);
	while (m && simt_run(m, (u64)1 << 40) == SIMT_RUNNING)
		;
	return m;
}

SimtProgram *run_decode_ptx(Session *s, Str text, const VecU32 *origins, const SimtInHost *in_host)
{
	PtxModule *m = ptx_parse(s, &s->arena, text);
	if (s->diags.errors)
		return NULL;
	SimtProgram *p = in_host ? simt_from_ptx_in_host(s, &s->arena, m, in_host) : simt_from_ptx(s, &s->arena, m);
	for (u32 i = 0; p && origins && i < p->code.n; i++) {
		SimtInsn *in = &p->code.p[i];
		in->origin = in->line && in->line <= origins->n ? origins->p[in->line - 1] : 0;
	}
	return p;
}

/* Machine code with the lines of its text, where that is wanted. */
static SimtProgram *decode_mir(Command *c, MirModule *mir, RunText *text)
{
	VecU32 lines = {0};
	if (!text->mir_lines)
		return simt_from_mir(&c->s, &c->s.arena, mir, NULL);
	mir_print_module_lines(&text->text, mir, &text->origins, &lines);
	return simt_from_mir(&c->s, &c->s.arena, mir, &lines);
}

/* The input as it stands is executed, or code whose lines are the input's. */
static void text_of_input(const Command *c, RunText *text)
{
	text_add(&text->text, c->input);
	for (u32 line = 1; line <= text->text.lines + 1; line++)
		vec_push(text->text.arena, &text->origins, line);
}

/* Compiles, and decodes what comes out at the level, or at the pass to stop at. */
static SimtProgram *compile(Command *c, bool to_mir, RunText *text)
{
	Manager m;
	manager_init(&m, &c->s, &c->err);
	command_set_levels(&m);
	m.options.verify = c->o.verify_each || knob_bool(&c->s, KNOB_verify_machineinstrs);
	m.options.schedule.stop_after = c->o.stop_after;
	m.options.schedule.stop_before =
		to_mir && !c->o.stop_before.n && !c->o.stop_after.n ? STR("asm-printer") : c->o.stop_before;
	m.cx.ptx = &text->text;
	m.cx.ptx_lines = &text->origins;
	if (command_input_kind(c) == INPUT_MIR)
		m.cx.mir = command_load_mir(c, &m.cx.ir);
	else
		m.cx.ir = command_load_ir(c);
	if (!m.cx.ir && !m.cx.mir)
		return NULL;
	RunEnd end = manager_run(&m);
	if (end == RUN_FAILED || c->s.diags.errors)
		return NULL;
	if (end == RUN_COMPLETE)
		return run_decode_ptx(&c->s, text_str(&text->text), &text->origins, text->in_host);
	if (m.cx.mir)
		return decode_mir(c, m.cx.mir, text);
	text_of_input(c, text);
	return simt_from_ir(&c->s, &c->s.arena, m.cx.ir);
}

SimtProgram *run_decode(Command *c, int *status, RunText *text)
{
	InputKind kind = command_input_kind(c);
	Str       level = c->o.level.n ? c->o.level : STR("ptx");
	bool      ir = str_is(level, "ir"), mir = str_is(level, "mir");
	*status = STATUS_INPUT;
	leave_gaps(c);
	if (!ir && !mir && !str_is(level, "ptx")) {
		text_f(&c->err, "ptxscope: --level is ir, mir or ptx, not '%.*s'\n", STR_ARG(level));
		*status = STATUS_USAGE;
		return NULL;
	}
	if (text->in_host && (ir || mir || c->o.stop_after.n || c->o.stop_before.n)) {
		text_s(&c->err, "ptxscope: host memory mode executes PTX\n");
		*status = STATUS_USAGE;
		return NULL;
	}
	if (kind == INPUT_PTX && !ir && !mir) {
		text_of_input(c, text);
		return run_decode_ptx(&c->s, c->input, &text->origins, text->in_host);
	}
	if (kind == INPUT_PTX || (kind == INPUT_MIR && ir)) {
		text_f(&c->err, "ptxscope: %.*s has no %.*s to execute\n", STR_ARG(c->input_name), STR_ARG(level));
		*status = STATUS_USAGE;
		return NULL;
	}
	if (!ir || c->o.stop_after.n || c->o.stop_before.n)
		return compile(c, mir, text);
	text_of_input(c, text);
	IrModule *m = command_load_ir(c);
	return m ? simt_from_ir(&c->s, &c->s.arena, m) : NULL;
}

/* What the kernel had better not come to. */
static void warn_unsupported(Command *c, const SimtProgram *p)
{
	for (u32 i = 0; i < p->code.n; i++) {
		const SimtInsn *in = &p->code.p[i];
		if (in->op == S_TRAP && in->x == FAULT_UNSUPPORTED)
			text_f(&c->err,
			       "%.*s:%u: warning: the emulator does not execute '%.*s': a thread that comes here stops with a "
			       "fault\n",
			       STR_ARG(c->input_name), in->origin, STR_ARG(p->text.p[in->y]));
	}
}

void run_tell_jobs(Command *c, const SimtMachine *m)
{
	const char *why = NULL;
	simt_jobs(m, &why);
	if (why)
		text_f(&c->err, "ptxscope: note: one job runs, not %lld: %s\n", (long long)c->o.jobs, why);
}

/* Line `line` of a text, without its newline and what it is indented by. */
static Str line_of(Str text, u32 line)
{
	u32 at = 0;
	while (line > 1 && at < text.n)
		line -= text.p[at++] == '\n';
	while (at < text.n && (text.p[at] == ' ' || text.p[at] == '\t'))
		at++;
	u32 end = at;
	while (end < text.n && text.p[end] != '\n')
		end++;
	return (Str){text.p + at, end - at};
}

/* A line with what stands there: of the input and, where that is another text, of what was executed. */
static void print_line(Command *c, const RunText *executed, bool same, u32 line, u32 origin)
{
	u32 shown = same ? line : origin;
	if (shown)
		text_f(&c->err, "  %.*s\n", STR_ARG(line_of(c->input, shown)));
	if (!same && executed->text.n && line)
		text_f(&c->err, "line %u of the PTX:\n  %.*s\n", line, STR_ARG(line_of(text_str(&executed->text), line)));
}

static void print_source(Command *c, const SimtMachine *m, u32 insn)
{
	const SimtSource *s = simt_source(m, insn);
	if (s)
		text_f(&c->err, "  from %.*s:%u:%u\n", STR_ARG(s->file), s->line, s->column);
}

static void print_fault(Command *c, const SimtMachine *m, const SimtFault *f, const SimtAccess *other, const RunText *executed)
{
	bool same = executed->text.n == c->input.n && memcmp(executed->text.p, c->input.p, c->input.n) == 0;
	u32  line = same ? f->line : f->origin;
	text_f(&c->err, "%.*s:", STR_ARG(c->input_name));
	if (line)
		text_f(&c->err, "%u:", line);
	text_f(&c->err, " error: %s in thread (%u,%u,%u) of block (%u,%u,%u): %.*s\n", simt_fault_name(f->kind), f->thread[0],
	       f->thread[1], f->thread[2], f->block[0], f->block[1], f->block[2], STR_ARG(f->message));
	print_line(c, executed, same, f->line, f->origin);
	print_source(c, m, f->insn);
	line = !other ? 0 : same ? other->line : other->origin;
	if (line) {
		text_f(&c->err, "%.*s:%u: note: the other access\n", STR_ARG(c->input_name), line);
		print_line(c, executed, same, other->line, other->origin);
		print_source(c, m, other->insn);
	}
}

/* What sanitizers report, and the fault that ended the run, if one did. */
static void print_faults(Command *c, const SimtMachine *m, const RunText *executed)
{
	for (u32 i = 0; i < simt_report_count(m); i++) {
		const SimtReport *r = simt_report(m, i);
		SimtFault         f = {
				.kind = r->kind, .line = r->at.line, .origin = r->at.origin, .insn = r->at.insn, .message = r->message};
		memcpy(f.thread, r->at.thread, sizeof f.thread);
		memcpy(f.block, r->at.block, sizeof f.block);
		print_fault(c, m, &f, r->has_other ? &r->other : NULL, executed);
	}
	if (simt_fault(m) && !simt_fault_is_report(m))
		print_fault(c, m, simt_fault(m), NULL, executed);
	if (simt_sanitize_limited(m))
		text_f(&c->err,
		       "%.*s: warning: the sanitizers had not room for everything: more may be wrong than was reported\n",
		       STR_ARG(c->input_name));
}

static void print_plain(Command *c, const SimtMachine *m, const SimtLaunch *l)
{
	enum { SHOWN = 16 };
	const SimtStats *s = simt_stats(m);
	text_add(&c->out, simt_printed(m));
	for (u32 i = 0; i < l->buffer.n; i++) {
		const SimtBuffer *b = &l->buffer.p[i];
		text_f(&c->out, "%.*s: %s[%u] = ", STR_ARG(b->name), simt_type_name[b->type], b->count);
		for (u32 k = 0; k < PS_MIN(b->count, (u32)SHOWN); k++) {
			text_s(&c->out, k ? " " : "");
			simt_value_text(&c->out, b->type, simt_buffer(m, i) + (size_t)k * simt_type_bytes(b->type));
		}
		text_s(&c->out, b->count > SHOWN ? " ...\n" : "\n");
	}
	text_f(&c->out, "%llu thread instructions, %llu warp instructions, %llu divergent branches\n",
	       (unsigned long long)s->thread_instructions, (unsigned long long)s->warp_instructions,
	       (unsigned long long)s->divergent_branches);
}

enum { PROGRESS_STEPS = 1 << 22 }; /* warp instructions of a job: some tenths of a second */

/* False: whoever is told of the progress has had enough. */
static bool run_to_end(Command *c, SimtMachine *m)
{
	while (simt_run(m, (u64)PROGRESS_STEPS * simt_jobs(m, NULL)) == SIMT_RUNNING)
		if (!command_progress(c, simt_progress(m), "run"))
			return false;
	return true;
}

int command_run(Command *c)
{
	SimtOptions o;
	int         status;
	if (!run_has_launch(c, "run") || !run_options(c, &o) || !command_known_stops(c) || !command_read_input(c))
		return STATUS_USAGE;
	RunText text = {0};
	text_init(&text.text, &c->s.arena);
	SimtProgram *p = run_decode(c, &status, &text);
	if (!p)
		return c->s.diags.errors ? command_report(c) : status;
	SimtLaunch *l = run_launch(c);
	if (!l)
		return run_no_launch(c);
	warn_unsupported(c, p);
	SimtMachine *m = simt_new(p, l, &o);
	if (!m)
		return command_report(c);
	run_tell_jobs(c, m);
	if (!run_to_end(c, m))
		return simt_free(m), STATUS_INPUT;
	/* Blocks behind a fault may have run, and have written. */
	if (simt_fault(m) && simt_jobs(m, NULL) > 1) {
		simt_free(m);
		o.jobs = 1;
		m = simt_new(p, l, &o);
		if (!run_to_end(c, m))
			return simt_free(m), STATUS_INPUT;
	}
	if (o.schedule.by_seed && simt_fault(m))
		m = run_fewest_preemptions(c, p, l, &o, m);
	if (c->o.json && simt_report_count(m))
		simt_follow(m, l);
	if (c->o.json)
		simt_result_json(m, &c->out);
	else
		print_plain(c, m, l);
	bool faulted = simt_fault(m) != NULL;
	if (faulted || simt_sanitize_limited(m))
		print_faults(c, m, &text);
	simt_free(m);
	return faulted ? STATUS_INPUT : STATUS_DONE;
}
