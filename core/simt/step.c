/* step.c: stepping, and looking at a machine that stands still. The machine is the one that runs at full
 * speed: lines to stop at are marked in its code, a warp to follow is given one instruction at a time. */
#include "simt/emit.h"
#include "simt/machine.h"

#include "ir/text.h"
#include "mir/mir.h"

/* ---- where things stand */

/* What belongs to an instruction that is yet to come (copies of arguments at a function's start) shows as that one. */
static u32 shown_pc(const SimtMachine *m, u32 pc)
{
	const SimtInsn *code = m->p->code.p;
	while ((code[pc].flags & SIF_MICRO) && code[pc].op != S_BR && code[pc].op != S_SWITCH && code[pc].op != S_RET)
		pc++;
	return pc;
}

static Block *resident(const SimtMachine *m, u32 number)
{
	for (u32 i = 0; i < m->block.n; i++)
		if (m->block.p[i]->number == number)
			return m->block.p[i];
	return NULL;
}

static Warp *warp_of(const SimtMachine *m, u32 block, u32 warp)
{
	Block *b = resident(m, block);
	return b && warp < b->n_warps ? &b->warp[warp] : NULL;
}

/* The path that runs next, or, where all of them wait, one that does. */
static u32 running_path(const Warp *w)
{
	for (u32 k = 0; w->independent && k < w->path.n; k++) {
		u32 i = (w->turn + k) % w->path.n;
		if (w->path.p[i].state == PATH_READY)
			return i;
	}
	return w->path.n - 1;
}

static void place_of(const SimtMachine *m, u32 block, const Warp *w, u32 i, SimtPlace *out)
{
	const Path     *p = &w->path.p[i];
	u32             pc = shown_pc(m, p->pc), mask = p->mask, depth = 0;
	const SimtInsn *in = &m->p->code.p[pc];
	for (u32 k = i + 1; !w->independent && k < w->path.n; k++)
		mask &= ~w->path.p[k].mask;
	for (u32 f = w->frame.p[p->frame].parent; f != NO_FRAME; f = w->frame.p[f].parent)
		depth++;
	*out = (SimtPlace){.block = block,
	                   .warp = w->number,
	                   .pc = pc,
	                   .line = in->line,
	                   .origin = in->origin,
	                   .mask = mask,
	                   .frame = p->frame,
	                   .depth = depth,
	                   .running = i == running_path(w),
	                   .state = p->state == PATH_AT_BARRIER ? PLACE_AT_BARRIER
	                            : p->state == PATH_AT_SYNC  ? PLACE_AT_SYNC
	                                                        : PLACE_READY,
	                   .function = m->p->func.p[w->frame.p[p->frame].func].name};
}

static bool has_ended(const Warp *w) { return w->done || w->path.n == 0; }

/* The warp whose turn it is among those of the block that can run; else one that waits. */
static const Warp *next_warp(const Block *b)
{
	const Warp *waits = NULL;
	for (u32 k = 0; k < b->n_warps; k++) {
		const Warp *w = &b->warp[(b->turn + k) % b->n_warps];
		if (has_ended(w))
			continue;
		if (w->path.p[running_path(w)].state == PATH_READY)
			return w;
		waits = waits ? waits : w;
	}
	return waits;
}

bool simt_place(SimtMachine *m, SimtPlace *out)
{
	if (m->jobs)
		return false;
	const Warp *focus = m->goal.focused ? warp_of(m, m->goal.block, m->goal.warp) : NULL;
	if (focus && !has_ended(focus)) {
		place_of(m, m->goal.block, focus, running_path(focus), out);
		return true;
	}
	if (m->block.n == 0 && (m->faulted || m->next_cluster == m->clusters))
		return false;
	Block      *b = m->faulted ? m->block.p[m->turn < m->block.n ? m->turn : 0] : simt_block(m);
	const Warp *w = next_warp(b);
	if (w)
		place_of(m, b->number, w, running_path(w), out);
	return w != NULL;
}

void simt_locate(SimtMachine *m)
{
	Block      *b = m->block.n ? m->block.p[m->turn < m->block.n ? m->turn : 0] : NULL;
	const Warp *w = b ? next_warp(b) : NULL;
	if (!w)
		return;
	block_enter(m, b);
	m->cur_warp = &b->warp[w->number];
	m->cur_insn = &m->p->code.p[w->path.p[running_path(w)].pc];
}

/* ---- goals */

/* Does the text instruction whose decoded ones are code[pc .. end) begin what is wanted? `last`: the line
 * of the one before it. */
static bool is_wanted(const SimtGoal *g, const SimtInsn *code, u32 pc, u32 end, u32 last)
{
	bool bar = false;
	for (u32 i = pc; i < end; i++)
		bar |= code[i].op == S_BAR;
	if (g->kind == STEP_TO_BARRIER)
		return bar;
	u32 line = g->of_input ? code[pc].origin : code[pc].line;
	for (u32 i = 0; i < g->n_lines; i++)
		if (g->lines[i] == line)
			return line != last;
	return false;
}

/* Marks the instructions to stop at. */
static void mark(SimtMachine *m, const SimtGoal *g)
{
	SimtInsn *code = m->p->code.p;
	u32       last = 0, end;
	for (u32 i = 0; i < m->stops.n; i++)
		code[m->stops.p[i]].flags &= (u8)~SIF_STOP;
	m->stops.n = 0;
	if (g->kind != STEP_TO_LINES && g->kind != STEP_TO_BARRIER)
		return;
	for (u32 pc = 0; pc < m->p->code.n; pc = end) {
		for (end = pc + 1; end < m->p->code.n && (code[end].flags & SIF_MICRO);)
			end++;
		if (!(code[pc].flags & SIF_MICRO) && is_wanted(g, code, pc, end, last)) {
			code[pc].flags |= SIF_STOP;
			vec_push(&m->arena, &m->stops, pc);
		}
		last = g->of_input ? code[pc].origin : code[pc].line;
	}
}

static u32 line_of(const SimtGoal *g, const SimtPlace *p) { return g->of_input ? p->origin : p->line; }

bool simt_aim(SimtMachine *m, const SimtGoal *g)
{
	SimtPlace at;
	if (m->jobs && g->kind != STEP_TO_END)
		return false;
	m->goal.focused = false;
	bool here = g->kind == STEP_TO_NEXT_LINE && simt_place(m, &at);
	mark(m, g);
	m->goal = *g;
	m->goal.lines = NULL;
	m->reached = m->underway = false;
	m->from_line = 0;
	if (here) {
		if (!g->focused)
			m->goal.focused = true, m->goal.block = at.block, m->goal.warp = at.warp;
		const Warp *w = warp_of(m, m->goal.block, m->goal.warp);
		if (w && !has_ended(w) && simt_place(m, &at))
			m->from_line = line_of(g, &at);
	}
	m->goal.count = g->kind == STEP_INSTRUCTIONS && !g->count ? 1 : g->count;
	return true;
}

/* Does the goal's warp, or the next one, stand at a stop already? Then that one does not count. */
static bool stands_at_stop(SimtMachine *m)
{
	SimtPlace at;
	if (!simt_place(m, &at))
		return false;
	for (u32 i = 0; i < m->stops.n; i++)
		if (m->stops.p[i] == at.pc)
			return true;
	return false;
}

static bool focus_ended(const SimtMachine *m)
{
	const Warp *w = warp_of(m, m->goal.block, m->goal.warp);
	if (w)
		return has_ended(w);
	return m->goal.block >= m->blocks || cluster_of_block(m, m->goal.block) < m->next_cluster || m->goal.warp >= m->warps;
}

/* One instruction of the goal's warp, or of whichever is next. True: it ran. */
static bool single(SimtMachine *m, u64 budget)
{
	u64 before = m->steps;
	m->watch = (SimtWatch){.single = m->goal.focused, .block = m->goal.block, .warp = m->goal.warp};
	SimtStatus s = simt_run(m, m->goal.focused ? budget : 1);
	m->watch = (SimtWatch){0};
	return s != SIMT_FAULTED && (m->goal.focused ? m->stopped : m->steps != before);
}

static void count_down(SimtMachine *m, u64 end)
{
	while (m->steps < end && !m->reached && !m->faulted && m->blocks_done < m->blocks) {
		if (m->goal.focused && focus_ended(m))
			m->reached = true;
		else if (single(m, end - m->steps) && --m->goal.count == 0)
			m->reached = true;
	}
}

static void leave_line(SimtMachine *m, u64 end)
{
	SimtPlace at;
	while (m->steps < end && !m->reached && !m->faulted && m->blocks_done < m->blocks) {
		if (focus_ended(m))
			m->reached = true;
		else if (single(m, end - m->steps) && simt_place(m, &at) && at.block == m->goal.block &&
		         at.warp == m->goal.warp && line_of(&m->goal, &at) != m->from_line && line_of(&m->goal, &at))
			m->reached = true;
	}
}

static void run_to_stop(SimtMachine *m, u64 end)
{
	if (!m->underway && stands_at_stop(m) && !single(m, end - m->steps))
		return;
	m->underway = true;
	if (m->steps >= end || m->faulted)
		return;
	m->watch = (SimtWatch){.armed = true, .focused = m->goal.focused, .block = m->goal.block, .warp = m->goal.warp};
	simt_run(m, end - m->steps);
	m->watch = (SimtWatch){0};
	m->reached = m->stopped;
}

SimtStepped simt_step(SimtMachine *m, u64 budget)
{
	u64 end = budget > UINT64_MAX - m->steps ? UINT64_MAX : m->steps + budget;
	switch (m->goal.kind) {
	case STEP_INSTRUCTIONS: count_down(m, end); break;
	case STEP_TO_NEXT_LINE: leave_line(m, end); break;
	case STEP_TO_LINES:
	case STEP_TO_BARRIER: run_to_stop(m, end); break;
	default: simt_run(m, budget); break;
	}
	return m->faulted ? STEP_FAULTED : m->blocks_done == m->blocks ? STEP_ENDED : m->reached ? STEP_REACHED : STEP_UNDONE;
}

u64 simt_steps(const SimtMachine *m) { return m->steps; }

/* ---- warps */

u32 simt_resident(SimtMachine *m, u32 *blocks, u32 cap)
{
	u32 n = 0;
	if (!m->jobs && !m->faulted && m->blocks_done < m->blocks)
		simt_block(m);
	for (u32 i = 0; i < m->block.n && n < cap; i++)
		blocks[n++] = m->block.p[i]->number;
	return n;
}

u32 simt_warps(const SimtMachine *m) { return m->warps; }

bool simt_warp(const SimtMachine *m, u32 block, u32 warp, SimtWarp *out)
{
	const Warp *w = warp_of(m, block, warp);
	if (w)
		*out = (SimtWarp){.exists = w->exists,
		                  .live = w->live,
		                  .paths = has_ended(w) ? 0 : w->path.n,
		                  .independent = w->independent};
	return w != NULL;
}

bool simt_path(const SimtMachine *m, u32 block, u32 warp, u32 i, SimtPlace *out)
{
	const Warp *w = warp_of(m, block, warp);
	if (!w || has_ended(w) || i >= w->path.n)
		return false;
	place_of(m, block, w, i, out);
	return true;
}

/* ---- registers */

static const SimtFunc *func_at(const SimtMachine *m, const SimtPlace *at, const Frame **frame)
{
	const Warp *w = warp_of(m, at->block, at->warp);
	*frame = w && at->frame < w->frame.n ? &w->frame.p[at->frame] : NULL;
	return *frame && (*frame)->row ? &m->p->func.p[(*frame)->func] : NULL;
}

u32 simt_registers(const SimtMachine *m, const SimtPlace *at)
{
	const Frame    *f;
	const SimtFunc *func = func_at(m, at, &f);
	return func ? func->reg.n : 0;
}

SimtReg simt_register(const SimtMachine *m, const SimtPlace *at, u32 i)
{
	const Frame *f;
	return func_at(m, at, &f)->reg.p[i];
}

const u32 *simt_register_rows(const SimtMachine *m, const SimtPlace *at, u32 i)
{
	const Frame    *f;
	const SimtFunc *func = func_at(m, at, &f);
	return reg_rows(m, f, func->reg.p[i].row);
}

void simt_register_name(const SimtMachine *m, const SimtPlace *at, u32 i, Text *out)
{
	const Frame    *f;
	const SimtFunc *func = func_at(m, at, &f);
	const SimtReg  *r = &func->reg.p[i];
	if (m->p->ir) {
		ir_print_operand(out, m->p->ir, (IrRef){r->id}, false);
		if (r->number != NO_NUMBER)
			text_f(out, "[%u]", r->number);
		return;
	}
	if (m->p->mir) {
		for (u32 k = 0; k < m->p->mir->func.n; k++)
			if (str_eq(strtab_get(&m->s->strs, m->p->mir->func.p[k]->name), func->name))
				mir_print_reg(out, m->p->mir->func.p[k], (MirReg){r->id});
		return;
	}
	text_add(out, strtab_get(&m->s->strs, (StrId){r->id}));
	if (r->number != NO_NUMBER)
		text_u(out, r->number);
}

/* ---- memory */

const u8 *simt_global_bytes(const SimtMachine *m, u64 address, u64 *size)
{
	u32 at = region_holding(m, address);
	if (at != ~0u) {
		const Region *r = &m->region.p[at];
		*size = r->size - (address - r->base);
		return r->host + (address - r->base);
	}
	Region heap;
	if (heap_at(m, address, &heap) && address - heap.base < heap.size) {
		*size = heap.size - (address - heap.base);
		return heap.host + (address - heap.base);
	}
	return NULL;
}

const u8 *simt_symbol_bytes(const SimtMachine *m, Str name, u32 block, u64 *size)
{
	u32 at = simt_symbol_find(m->p, name);
	if (at == ~0u)
		return NULL;
	const SimtSymbol *s = &m->p->symbol.p[at];
	*size = s->dynamic ? m->shared_size - s->address : s->size;
	if (s->space == SPACE_SHARED) {
		const Block *b = resident(m, block);
		return b && size_holds(m->shared_size, s->address, *size) ? b->shared + s->address
		                                                          : NULL; /* else of another kernel */
	}
	u64 rest;
	return simt_global_bytes(m, s->address, &rest);
}

const u8 *simt_shared_bytes(const SimtMachine *m, u32 block, u64 *size)
{
	const Block *b = resident(m, block);
	*size = m->shared_size > SHARED_START ? m->shared_size - SHARED_START : 0;
	return b && *size ? b->shared + SHARED_START : NULL;
}

const u8 *simt_local_bytes(const SimtMachine *m, u32 block, u32 thread, u64 *size)
{
	const Warp *w = warp_of(m, block, thread / LANES);
	*size = w && w->local_size > LOCAL_START ? w->local_size - LOCAL_START : 0;
	return *size ? w->local + (size_t)(thread % LANES) * w->local_size + LOCAL_START : NULL;
}

const u8 *simt_param_bytes(const SimtMachine *m, u64 *size)
{
	*size = m->param_size;
	return m->param;
}
