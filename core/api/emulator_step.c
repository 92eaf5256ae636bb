/* emulator_step.c: the emulator's part of ptxscope.h: running a launch, stepping, looking at it. */
#include "api/emulator.h"

#include "simt/step.h"

/* ---- running */

static PsStatus aim(PsEmulator *e, void *arg)
{
	const PsGoal *g = arg;
	SimtGoal      to = {.kind = (SimtGoalKind)g->kind,
	                    .focused = g->focused,
	                    .block = g->block,
	                    .warp = g->warp,
	                    .count = g->count,
	                    .lines = g->lines,
	                    .n_lines = (u32)g->n_lines,
	                    .of_input = g->of_input};
	_Static_assert((int)PS_TO_BARRIER == (int)STEP_TO_BARRIER && (int)PS_TO_LINES == (int)STEP_TO_LINES,
	               "the same in the same order");
	if (!simt_aim(e->machine, &to))
		return emulator_refuse(e,
		                       "several jobs execute the launch: stepping takes one that was launched without --jobs\n");
	return PS_STATUS_DONE;
}

PsStatus ps_emulator_aim(PsEmulator *e, const PsGoal *given)
{
	PsGoal goal;
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	if (!command_struct(&goal, sizeof goal, given, offsetof(PsGoal, focused)))
		return emulator_refuse(e, given ? "PsGoal.size is not that of a PsGoal\n" : NULL_POINTER);
	if (!goal.lines && goal.n_lines)
		return emulator_refuse(e, NULL_POINTER);
	if (!e->machine)
		return emulator_refuse(e, "launch a kernel first\n");
	if ((u32)goal.kind > PS_TO_BARRIER)
		return emulator_refuse(e, "there is no such goal\n");
	return emulator_guarded(e, aim, &goal);
}

typedef struct StepCall {
	u64         budget;
	SimtStepped done;
} StepCall;

static PsStatus step(PsEmulator *e, void *arg)
{
	StepCall *s = arg;
	s->done = simt_step(e->machine, s->budget);
	return PS_STATUS_DONE;
}

PsRun ps_emulator_step(PsEmulator *e, uint64_t budget)
{
	static const PsRun runs[] = {[STEP_UNDONE] = PS_RUN_UNDONE,
	                             [STEP_REACHED] = PS_RUN_STOPPED,
	                             [STEP_ENDED] = PS_RUN_DONE,
	                             [STEP_FAULTED] = PS_RUN_FAULTED};
	StepCall           s = {.budget = budget};
	if (!e)
		return PS_RUN_UNDONE;
	emulator_begin(e);
	if (!e->machine)
		return emulator_refuse(e, "launch a kernel first\n"), PS_RUN_UNDONE;
	return emulator_guarded(e, step, &s) == PS_STATUS_DONE ? runs[s.done] : PS_RUN_FAULTED;
}

PsRun ps_emulator_run(PsEmulator *e)
{
	const PsGoal end = {.size = sizeof end, .kind = PS_TO_END};
	PsRun        r = PS_RUN_UNDONE;
	if (ps_emulator_aim(e, &end) != PS_STATUS_DONE)
		return PS_RUN_UNDONE;
	while (r == PS_RUN_UNDONE)
		r = ps_emulator_step(e, UINT64_MAX);
	return r;
}

uint64_t ps_emulator_steps(const PsEmulator *e) { return e && e->machine ? simt_steps(e->machine) : 0; }
double   ps_emulator_progress(const PsEmulator *e) { return e && e->machine ? simt_progress(e->machine) : 0; }

typedef struct Bytes {
	const char *p;
	size_t      n;
} Bytes;

static PsStatus result(PsEmulator *e, void *arg)
{
	Text t;
	text_init(&t, &e->scratch);
	simt_result_json(e->machine, &t);
	text_c(&t, 0);
	*(Bytes *)arg = (Bytes){t.p, t.n - 1};
	return PS_STATUS_DONE;
}

const char *ps_emulator_result(PsEmulator *e, size_t *size)
{
	Bytes json = {"{}", 2};
	if (e)
		emulator_begin(e);
	if (e && e->machine)
		emulator_guarded(e, result, &json);
	if (size)
		*size = json.n;
	return json.p;
}

static PsStatus printed(PsEmulator *e, void *arg)
{
	Str s = arena_str(&e->scratch, simt_printed(e->machine));
	*(Bytes *)arg = (Bytes){s.p, s.n};
	return PS_STATUS_DONE;
}

const char *ps_emulator_printed(PsEmulator *e, size_t *size)
{
	Bytes text = {"", 0};
	if (e)
		emulator_begin(e);
	if (e && e->machine)
		emulator_guarded(e, printed, &text);
	if (size)
		*size = text.n;
	return text.p;
}

bool ps_emulator_fault(const PsEmulator *e, PsFault *out)
{
	const SimtFault *f = e && out && e->machine ? simt_fault(e->machine) : NULL;
	if (!f)
		return false;
	*out = (PsFault){.kind = simt_fault_name(f->kind), .message = f->message.p, .line = f->line, .origin = f->origin};
	memcpy(out->thread, f->thread, sizeof out->thread);
	memcpy(out->block, f->block, sizeof out->block);
	return true;
}

/* ---- looking */

static void place_out(const SimtPlace *p, u32 path, PsPlace *out)
{
	_Static_assert((int)PS_PLACE_WAITS == (int)PLACE_AT_SYNC, "the same in the same order");
	*out = (PsPlace){.block = p->block,
	                 .warp = p->warp,
	                 .path = path,
	                 .line = p->line,
	                 .origin = p->origin,
	                 .mask = p->mask,
	                 .depth = p->depth,
	                 .state = p->state,
	                 .running = p->running,
	                 .function = p->function.p};
}

static PsStatus place(PsEmulator *e, void *arg)
{
	SimtPlace at, p;
	if (!simt_place(e->machine, &at))
		return PS_STATUS_USAGE;
	for (u32 i = 0; simt_path(e->machine, at.block, at.warp, i, &p); i++)
		if (p.running)
			place_out(&p, i, arg);
	return PS_STATUS_DONE;
}

bool ps_emulator_place(PsEmulator *e, PsPlace *out)
{
	return e && out && e->machine && emulator_guarded(e, place, out) == PS_STATUS_DONE;
}

typedef struct Blocks {
	uint32_t *number;
	size_t    n, cap;
} Blocks;

static PsStatus blocks(PsEmulator *e, void *arg)
{
	Blocks *b = arg;
	b->n = simt_resident(e->machine, b->number, (u32)PS_MIN(b->cap, (size_t)UINT32_MAX));
	return PS_STATUS_DONE;
}

size_t ps_emulator_blocks(PsEmulator *e, uint32_t *numbers, size_t cap)
{
	Blocks b = {numbers, 0, cap};
	if (e && (numbers || !cap) && e->machine)
		emulator_guarded(e, blocks, &b);
	return b.n;
}

bool ps_emulator_warp(const PsEmulator *e, uint32_t block, uint32_t warp, PsWarp *out)
{
	SimtWarp w;
	if (!e || !out || !e->machine || !simt_warp(e->machine, block, warp, &w))
		return false;
	*out = (PsWarp){.exists = w.exists, .live = w.live, .paths = w.paths};
	return true;
}

bool ps_emulator_path(PsEmulator *e, uint32_t block, uint32_t warp, uint32_t i, PsPlace *out)
{
	SimtPlace p;
	if (!e || !out || !e->machine || !simt_path(e->machine, block, warp, i, &p))
		return false;
	place_out(&p, i, out);
	return true;
}

typedef struct RegisterCall {
	const PsPlace *at;
	u32            i;
	PsRegister    *out;
} RegisterCall;

static PsStatus read_register(PsEmulator *e, void *arg)
{
	const RegisterCall *r = arg;
	SimtPlace           at;
	if (!simt_path(e->machine, r->at->block, r->at->warp, r->at->path, &at) || r->i >= simt_registers(e->machine, &at))
		return PS_STATUS_USAGE;
	SimtReg    reg = simt_register(e->machine, &at, r->i);
	const u32 *rows = simt_register_rows(e->machine, &at, r->i);
	const u64 *wide = (const u64 *)(const void *)rows;
	Text       name;
	text_init(&name, &e->scratch);
	simt_register_name(e->machine, &at, r->i, &name);
	text_c(&name, 0);
	*r->out = (PsRegister){.name = name.p, .bits = reg.bits, .kind = reg.kind};
	for (u32 l = 0; l < LANES; l++) {
		r->out->low[l] = reg.bits <= 32 ? rows[l] : wide[l];
		r->out->high[l] = reg.bits > 64 ? wide[LANES + l] : 0;
	}
	return PS_STATUS_DONE;
}

bool ps_emulator_register(PsEmulator *e, const PsPlace *at, uint32_t i, PsRegister *out)
{
	RegisterCall r = {at, i, out};
	return e && at && out && e->machine && emulator_guarded(e, read_register, &r) == PS_STATUS_DONE;
}

const void *ps_emulator_memory(PsEmulator *e, PsMemory what, const char *name, uint32_t block, uint32_t thread, size_t *size)
{
	const SimtMachine *m = e && size ? e->machine : NULL;
	const u8          *bytes = NULL;
	u64                n = 0;
	u32                at;
	if (size)
		*size = 0;
	if (!m)
		return NULL;
	switch (what) {
	case PS_MEMORY_BUFFER: {
		const SimtBuffer *b = name ? emulator_buffer(e, name, &at) : NULL;
		bytes = b ? simt_buffer(m, at) : NULL;
		n = b ? b->size : 0;
		break;
	}
	case PS_MEMORY_SYMBOL: bytes = simt_symbol_bytes(m, name ? str_of(name) : STR(""), block, &n); break;
	case PS_MEMORY_SHARED: bytes = simt_shared_bytes(m, block, &n); break;
	case PS_MEMORY_LOCAL: bytes = simt_local_bytes(m, block, thread, &n); break;
	case PS_MEMORY_PARAM: bytes = simt_param_bytes(m, &n); break;
	}
	*size = bytes ? (size_t)n : 0;
	return bytes;
}
