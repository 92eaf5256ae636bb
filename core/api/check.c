/* check.c: `check F.ll --launch L.json`: runs the IR as it was read, then the code after every pass that
 * changed it, then the PTX; names the first after which a buffer, a fault or the printed text differs.
 *
 * Integers, faults and text must be equal. Floats must be equal bit by bit where the IR is strict; where it
 * allows contraction or approximation, within a bound that scales with the buffer.
 *
 * What the IR leaves open is not compared. It runs three more times with other choices (SimtFreedom): twice with
 * complementary patterns for poison and undef, once, where it allows contraction, with products fused into sums. Where a
 * choice changes an element, a fault or the printed text, a stage may have either result, or a third one; for a float that
 * only fusing changes, the third must lie within the bound. Where all choices agree, the stages must agree with them. */
#include "api/run.h"

#include "ir/ir.h"
#include "mir/mir.h"
#include "sem/float.h"

typedef struct Outcome {
	Vec(Str) buffer;
	FaultKind fault;
	Str       message, printed;
} Outcome;

enum { MAX_CHOICES = 3 };

typedef struct Check {
	Command          *c;
	const SimtLaunch *launch;
	SimtOptions       options;
	Outcome           want;
	Outcome           choice[MAX_CHOICES];   /* what the IR computes with other choices */
	u32               n_choices, n_patterns; /* those with patterns come first */
	bool              loose;                 /* the IR allows floats to differ a little */
	u32               stages;                /* that were run */
	bool              differs, broken;
	const char       *pass, *title; /* after which it differs; NULL: the PTX */
	const char       *level;
	Str               what; /* the difference, in words */
	bool              sabotaged;
	bool              stopped; /* the host wants no more of it */
} Check;

/* ---- what a run came to */

static Outcome outcome(Arena *a, const SimtMachine *m, const SimtLaunch *l)
{
	Outcome o = {.printed = arena_str(a, simt_printed(m))};
	for (u32 i = 0; i < l->buffer.n; i++)
		vec_push(a, &o.buffer, arena_str(a, (Str){(const char *)simt_buffer(m, i), (u32)l->buffer.p[i].size}));
	if (simt_fault(m)) {
		o.fault = simt_fault(m)->kind;
		o.message = arena_str(a, simt_fault(m)->message);
	}
	return o;
}

static f64 float_at(SimtType t, const u8 *p)
{
	u64 v = 0;
	memcpy(&v, p, simt_type_bytes(t));
	return sem_f64_of(t == ST_F64 ? v : sem_f2f(SEM_F64, t == ST_F32 ? SEM_F32 : SEM_F16, v, 0));
}

static f64 magnitude(f64 v) { return v < 0 ? -v : v; }

/* The largest finite magnitude of a float buffer: sums that cancel are wrong by a part of their terms. */
static f64 scale_of(SimtType t, Str bytes)
{
	f64 most = 0;
	u32 n = simt_type_bytes(t);
	for (u32 i = 0; i + n <= bytes.n; i += n) {
		f64 v = magnitude(float_at(t, (const u8 *)bytes.p + i));
		if (v - v == 0 && v > most)
			most = v;
	}
	return most;
}

static bool agree(const Check *k, SimtType t, const u8 *got, const u8 *want, f64 scale)
{
	if (memcmp(got, want, simt_type_bytes(t)) == 0)
		return true;
	if (t < ST_F16)
		return false;
	f64 g = float_at(t, got), w = float_at(t, want);
	if (g != g || w != w)
		return g != g && w != w;
	if (!k->loose)
		return false;
	f64 bound = t == ST_F64 ? 0x1p-44 : t == ST_F32 ? 0x1p-15 : 0x1p-6;
	return magnitude(g - w) <= bound * PS_MAX(magnitude(w), scale);
}

/* The IR leaves open what this element is. A fault of a choice leaves memory as it was then, which says nothing. */
static bool is_open(const Check *k, u32 buffer, u32 at, const u8 *got)
{
	SimtType  t = k->launch->buffer.p[buffer].type;
	u32       n = simt_type_bytes(t);
	const u8 *want = (const u8 *)k->want.buffer.p[buffer].p + (size_t)at * n;
	for (u32 i = 0; i < k->n_choices; i++) {
		const Outcome *o = &k->choice[i];
		const u8      *other = (const u8 *)o->buffer.p[buffer].p + (size_t)at * n;
		if (o->fault || memcmp(other, want, n) == 0)
			continue;
		if (i < k->n_patterns || t < ST_F16 || agree(k, t, got, other, 0))
			return true;
	}
	return false;
}

/* The first element that differs; ~0: none. */
static u32 first_difference(const Check *k, u32 buffer, Str got)
{
	SimtType t = k->launch->buffer.p[buffer].type;
	Str      want = k->want.buffer.p[buffer];
	u32      n = simt_type_bytes(t);
	f64      scale = t >= ST_F16 && k->loose ? scale_of(t, want) : 0;
	if (memcmp(got.p, want.p, want.n) == 0)
		return ~0u;
	for (u32 i = 0; i + n <= want.n; i += n)
		if (!agree(k, t, (const u8 *)got.p + i, (const u8 *)want.p + i, scale) &&
		    !is_open(k, buffer, i / n, (const u8 *)got.p + i))
			return i / n;
	return ~0u;
}

/* Some choice ends in another fault, or prints another text, than the IR does without one. */
static bool fault_is_open(const Check *k)
{
	for (u32 i = 0; i < k->n_choices; i++)
		if (k->choice[i].fault != k->want.fault)
			return true;
	return false;
}

static bool text_is_open(const Check *k)
{
	for (u32 i = 0; i < k->n_choices; i++)
		if (!str_eq(k->choice[i].printed, k->want.printed))
			return true;
	return false;
}

/* Elements that one of the choices [from, to) changes. */
static u32 count_open(const Check *k, u32 from, u32 to)
{
	u32 count = 0;
	for (u32 b = 0; b < k->launch->buffer.n && !fault_is_open(k); b++) {
		Str want = k->want.buffer.p[b];
		u32 n = simt_type_bytes(k->launch->buffer.p[b].type);
		for (u32 i = 0; i + n <= want.n; i += n) {
			bool open = false;
			for (u32 c = from; c < to && !open; c++)
				open = memcmp(k->choice[c].buffer.p[b].p + i, want.p + i, n) != 0;
			count += open;
		}
	}
	return count;
}

/* Those that derive from poison or undef; those that contraction, which flags permit, changes. */
static u32 count_undefined(const Check *k) { return count_open(k, 0, k->n_patterns); }
static u32 count_permitted(const Check *k) { return count_open(k, k->n_patterns, k->n_choices); }

/* ---- one stage */

/* Runs once more and watches the element: who wrote it last? */
static Str writer_of(Check *k, SimtProgram *p, u32 buffer, u32 element)
{
	SimtOptions o = k->options;
	u32         n = simt_type_bytes(k->launch->buffer.p[buffer].type);
	o.watch = true;
	o.watch_buffer = buffer;
	o.watch_byte = (u64)element * n;
	SimtMachine      *m = run_program(p, k->launch, &o);
	const SimtWriter *w = m ? simt_writer(m) : NULL;
	Str               text = STR("; nobody wrote it");
	if (w)
		text = arena_fmt(&k->c->s.arena, "; thread (%u,%u,%u) of block (%u,%u,%u) wrote it, at line %u", w->thread[0],
		                 w->thread[1], w->thread[2], w->block[0], w->block[1], w->block[2],
		                 w->origin ? w->origin : w->line);
	if (m)
		simt_free(m);
	return text;
}

static Str describe(Check *k, SimtProgram *p, const Outcome *got)
{
	Arena *a = &k->c->s.arena;
	if (fault_is_open(k)) /* it depends on a choice where control goes, or what is accessed: all that follows is open */
		return (Str){"", 0};
	if (got->fault != k->want.fault) {
		if (got->fault)
			return arena_fmt(a, "%s: %.*s; %s before", simt_fault_name(got->fault), STR_ARG(got->message),
			                 k->want.fault ? simt_fault_name(k->want.fault) : "no fault");
		return arena_fmt(a, "no fault; %s before: %.*s", simt_fault_name(k->want.fault), STR_ARG(k->want.message));
	}
	if (got->fault)
		return (Str){"", 0}; /* what lies in memory after a fault depends on the order of instructions */
	for (u32 i = 0; i < k->launch->buffer.n; i++) {
		const SimtBuffer *b = &k->launch->buffer.p[i];
		u32               at = first_difference(k, i, got->buffer.p[i]), n = simt_type_bytes(b->type);
		if (at == ~0u)
			continue;
		Text t;
		text_init(&t, a);
		text_f(&t, "buffer %.*s differs first at element %u: ", STR_ARG(b->name), at);
		simt_value_text(&t, b->type, (const u8 *)got->buffer.p[i].p + (size_t)at * n);
		text_s(&t, ", ");
		simt_value_text(&t, b->type, (const u8 *)k->want.buffer.p[i].p + (size_t)at * n);
		text_s(&t, " before");
		text_add(&t, writer_of(k, p, i, at));
		return text_str(&t);
	}
	if (!str_eq(got->printed, k->want.printed) && !text_is_open(k))
		return STR("printf wrote another text");
	return (Str){"", 0};
}

/* Runs the program and compares; false: it differs, or cannot run. `arena` holds the program. */
static bool stage(Check *k, SimtProgram *p, Arena *arena, const char *pass, const char *title, const char *level)
{
	SimtMachine *m = p ? run_program(p, k->launch, &k->options) : NULL;
	k->pass = pass;
	k->title = title;
	k->level = level;
	if (!m) {
		k->broken = true;
		return false;
	}
	Outcome got = outcome(arena, m, k->launch);
	simt_free(m);
	if (got.fault == FAULT_UNSUPPORTED) {
		k->broken = true;
		k->what = arena_str(&k->c->s.arena, got.message);
		return false;
	}
	k->stages++;
	k->what = describe(k, p, &got);
	k->differs = k->what.n != 0;
	return !k->differs;
}

/* ---- a pass made wrong on purpose (--break-after): the first sum becomes a difference */

static bool break_ir(IrModule *m)
{
	ir_each_func(m, f) {
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i) {
				IrInst *r = ir_inst(m, i);
				if (r->op != IR_ADD && r->op != IR_FADD)
					continue;
				r->op = r->op == IR_ADD ? IR_SUB : IR_FSUB;
				r->flags &= ~(u32)(IRF_NUW | IRF_NSW);
				return true;
			}
	}
	return false;
}

static bool break_mir(MirModule *m)
{
	for (u32 k = 0; k < m->func.n; k++) {
		MirFunc *f = m->func.p[k];
		mir_each_block(f, b)
			mir_each_inst(f, b, i) {
				PtxOpc opc = isa_desc(m->session, mir_inst(f, i)->desc)->opc;
				if (opc.op != ISA_add)
					continue;
				opc.op = ISA_sub;
				mir_set_desc(f, i, isa_intern(m->session, opc));
				return true;
			}
	}
	return false;
}

static bool on_stage(void *user, PassCx *cx, u32 step, const Pass *pass, bool changed)
{
	Check              *k = user;
	const PipelineStep *steps;
	if (!command_progress(k->c, (f64)(step + 1) / pipeline_steps(&steps), pass->id))
		return !(k->stopped = true);
	if (str_is(k->c->o.break_after, pass->id) && !k->sabotaged)
		changed |= k->sabotaged = cx->mir ? break_mir(cx->mir) : break_ir(cx->ir);
	if (cx->s->diags.errors) /* what could not be compiled is reported as that */
		return false;
	if (!changed)
		return true;
	Arena a;
	arena_init(&a, &k->c->s.budget);
	SimtProgram *p = cx->mir ? simt_from_mir(cx->s, &a, cx->mir, NULL) : simt_from_ir(cx->s, &a, cx->ir);
	bool         ok = stage(k, p, &a, pass->id, pass->title, cx->mir ? "mir" : "ir");
	arena_free(&a);
	return ok;
}

/* ---- the whole */

static bool is_loose(const IrModule *m)
{
	ir_each_func(m, f) {
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i)
				if (ir_inst(m, i)->flags & (IRF_CONTRACT | IRF_REASSOC | IRF_AFN | IRF_ARCP))
					return true;
	}
	return false;
}

/* Runs the IR with other choices. Such a run may take another way: its limit is a multiple of what the first one took. */
static void run_choices(Check *k, IrModule *m, u64 steps)
{
	static const SimtFreedom all[MAX_CHOICES] = {{.has_pattern = true, .pattern = 0x5555555555555555u},
	                                             {.has_pattern = true, .pattern = 0xAAAAAAAAAAAAAAAAu},
	                                             {.fused = true}};
	SimtOptions              o = k->options;
	Arena                   *keep = &k->c->s.arena;
	u64                      limit = 4 * steps + 100000;
	o.max_steps = o.max_steps ? PS_MIN(o.max_steps, limit) : limit;
	for (u32 i = 0; i < MAX_CHOICES; i++) {
		if (all[i].fused && !k->loose)
			continue;
		Arena a;
		arena_init(&a, &k->c->s.budget);
		SimtProgram *p = simt_from_ir_with(&k->c->s, &a, m, all[i]);
		SimtMachine *sm = p ? run_program(p, k->launch, &o) : NULL;
		if (sm) {
			k->choice[k->n_choices++] = outcome(keep, sm, k->launch);
			k->n_patterns += all[i].has_pattern;
			simt_free(sm);
		}
		arena_free(&a);
	}
}

static void print_json(const Check *k, Text *out)
{
	text_f(out, "{\"ok\":%s,\"stages\":%u", k->differs || k->broken ? "false" : "true", k->stages);
	if (fault_is_open(k))
		text_s(out, ",\"undefined\":true");
	else if (count_undefined(k))
		text_f(out, ",\"undefined\":%u", count_undefined(k));
	if (count_permitted(k))
		text_f(out, ",\"permitted\":%u", count_permitted(k));
	if (k->want.fault)
		text_f(out, ",\"fault\":\"%s\"", simt_fault_name(k->want.fault));
	if (k->differs || k->broken) {
		text_s(out, ",\"pass\":");
		text_json(out, k->pass ? str_of(k->pass) : STR(""));
		text_f(out, ",\"level\":\"%s\",\"message\":", k->level);
		text_json(out, k->what.n ? k->what : STR("the code cannot be executed"));
	}
	text_s(out, "}\n");
}

static void print_agreement(const Check *k, Text *out)
{
	if (fault_is_open(k)) {
		text_f(out,
		       "%u stages ran; not compared: the kernel's behaviour is undefined, as it depends on poison or undef\n",
		       k->stages);
		return;
	}
	text_f(out, "%u stages agree", k->stages);
	if (count_undefined(k))
		text_f(out, "; not compared: %u elements that derive from poison or undef", count_undefined(k));
	if (count_permitted(k))
		text_f(out, "; permitted to differ: %u elements that contraction changes", count_permitted(k));
	text_s(out, "\n");
}

static int finish(Check *k)
{
	Command *c = k->c;
	bool     bad = k->differs || k->broken;
	if (k->stopped)
		return STATUS_INPUT;
	if (k->differs && k->pass)
		text_f(&c->err, "%.*s: error: after %s (%s) the kernel computes something else: %.*s\n", STR_ARG(c->input_name),
		       k->pass, k->title, STR_ARG(k->what));
	else if (k->differs)
		text_f(&c->err, "%.*s: error: the %s computes something else: %.*s\n", STR_ARG(c->input_name), k->level,
		       STR_ARG(k->what));
	else if (k->broken)
		text_f(&c->err, "%.*s: error: the code%s%s cannot be executed%s%.*s\n", STR_ARG(c->input_name),
		       k->pass ? " after " : "", k->pass ? k->pass : "", k->what.n ? ": " : "", STR_ARG(k->what));
	if (c->o.json)
		print_json(k, &c->out);
	else if (!bad)
		print_agreement(k, &c->out);
	int status = command_report(c);
	return bad ? STATUS_INPUT : status;
}

/* The PTX as text, with the bytes that a user would get. */
static void check_ptx(Check *k, Str ptx, const VecU32 *lines)
{
	Arena a;
	arena_init(&a, &k->c->s.budget);
	stage(k, run_decode_ptx(&k->c->s, ptx, lines, NULL), &a, NULL, NULL, "ptx");
	arena_free(&a);
}

int command_check(Command *c)
{
	Check   k = {.c = c};
	Manager m;
	Text    ptx;
	VecU32  lines = {0};
	if (!run_has_launch(c, "check") || !run_options(c, &k.options) || !command_read_input(c))
		return STATUS_USAGE;
	manager_init(&m, &c->s, &c->err);
	command_set_levels(&m);
	m.options.bisect_limit = c->o.bisect;
	m.options.verify = c->o.verify_each || knob_bool(&c->s, KNOB_verify_machineinstrs);
	m.options.check_claims = c->o.check_claims;
	m.cx.ir = command_load_ir(c);
	if (!m.cx.ir)
		return command_report(c);
	k.launch = run_launch(c);
	if (!k.launch)
		return run_no_launch(c);
	k.loose = is_loose(m.cx.ir);
	SimtProgram *p = simt_from_ir(&c->s, &c->s.arena, m.cx.ir);
	SimtMachine *first = p ? run_program(p, k.launch, &k.options) : NULL;
	if (!first)
		return command_report(c);
	k.want = outcome(&c->s.arena, first, k.launch);
	u64 steps = simt_stats(first)->warp_instructions;
	simt_free(first);
	if (k.want.fault == FAULT_UNSUPPORTED) {
		k.broken = true;
		k.level = "ir";
		k.what = k.want.message;
		return finish(&k);
	}
	k.stages = 1;
	run_choices(&k, m.cx.ir, steps);
	m.options.stage = on_stage;
	m.options.stage_user = &k;
	text_init(&ptx, &c->s.arena);
	m.cx.ptx = &ptx;
	m.cx.ptx_lines = &lines;
	RunEnd end = manager_run(&m);
	if (end == RUN_COMPLETE && !k.differs && !k.broken && !c->s.diags.errors)
		check_ptx(&k, text_str(&ptx), &lines);
	return finish(&k);
}
