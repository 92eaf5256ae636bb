/* exec.c: one warp at a time, one decoded instruction at a time, all its lanes at once.
 *
 * Divergence by meeting points: the paths of a warp are a stack. A branch whose lanes part turns the
 * top entry into "all of them, at the meeting point" and puts the two sides on it; a side that arrives
 * is taken off. Lanes that arrive at once stay in the entry below.
 *
 *        top ──▶ then, rpc J, 0x00ff        …arrives at J, popped
 *                else, rpc J, 0xff00        runs next, arrives, popped
 *                J,    rpc –, 0xffff        all go on
 *
 * A warp in which that order cannot make progress (lanes that spin until others, waiting below, let them
 * go; a warp-wide operation that names lanes elsewhere) becomes independent: every path is scheduled in
 * turn, and paths that stand at the same place of the same call are joined. */
#include "simt/emit.h"
#include "simt/lane_code.h"
#include "simt/limit.h"
#include "simt/sanitize.h"

enum {
	SLICE = 96,         /* instructions of an independent path before the next one's turn */
	HEAT = 1 << 16,     /* instructions of a kernel before it is compiled */
	PATIENCE = 1 << 18, /* instructions of a stack's top while others wait, before it is broken up */
};

/* ---- frames */

static Frame *frame_at(Warp *w, u32 i) { return &w->frame.p[i]; }

/* A frame of the function above its parent's, with local memory and rows of registers; NO_FRAME after a fault. */
static u32 frame_new(SimtMachine *m, Warp *w, u32 func, u32 parent, u32 mask)
{
	const SimtFunc *f = &m->p->func.p[func];
	u32             below = parent == NO_FRAME ? LOCAL_START : frame_at(w, parent)->top, at = w->free_frame;
	u64             base = size_align(below, PS_MAX(f->local_align, 1u)), top = size_add(base, f->local);
	SimtLimit       limit = f->rows > MOST_REGISTERS ? SIMT_LIMIT_REGISTERS
	                        : top > MOST_LOCAL       ? SIMT_LIMIT_LOCAL
	                                                 : SIMT_LIMIT_CALLS;
	if (limit != SIMT_LIMIT_CALLS || (at == NO_FRAME && w->frame.n > MOST_CALLS)) {
		Str most = simt_limit_text(&m->arena, limit);
		simt_fail(m, limit == SIMT_LIMIT_REGISTERS ? FAULT_MEMORY : FAULT_STACK, first_lane(mask),
		          "entering %.*s needs more than %.*s", STR_ARG(f->name), STR_ARG(most));
		return NO_FRAME;
	}
	if (at != NO_FRAME) {
		w->free_frame = frame_at(w, at)->parent;
	} else {
		at = w->frame.n;
		vec_push(&m->arena, &w->frame, ((Frame){0}));
	}
	Frame *fr = frame_at(w, at);
	*fr = (Frame){.func = func, .parent = parent, .mask = mask, .base = (u32)base, .top = (u32)top, .rpc = NO_PC};
	bool watched = m->san && m->san->what & SANITIZE_INIT;
	fr->row = rows_take(m, watched ? 2 * f->rows : f->rows, &fr->size_class);
	fr->shadow = watched ? fr->row + (size_t)f->rows * LANES : NULL;
	if (top > LOCAL_START)
		mem_local_reserve(m, w, (u32)top);
	if (watched)
		init_frame(m, w, fr, mask);
	return at;
}

static void frame_free(SimtMachine *m, Warp *w, u32 at)
{
	Frame *f = frame_at(w, at);
	rows_give(m, f->row, f->size_class);
	f->row = NULL;
	f->parent = w->free_frame;
	w->free_frame = at;
}

void warp_start(SimtMachine *m, Warp *w)
{
	u32 first = w->number * LANES, n = PS_MIN(m->threads - first, LANES);
	w->exists = w->live = n == LANES ? ALL_LANES : (1u << n) - 1;
	w->path.n = w->frame.n = 0;
	w->free_frame = NO_FRAME;
	w->independent = m->o.independent;
	w->done = false;
	w->turn = w->alone = w->slice = w->arrived = w->passed = 0;
	m->cur_insn = &m->p->code.p[m->p->func.p[m->entry].start];
	u32 frame = frame_new(m, w, m->entry, NO_FRAME, w->live);
	if (frame == NO_FRAME)
		return;
	Path p = {.pc = m->p->func.p[m->entry].start, .rpc = NO_PC, .mask = w->live, .frame = frame};
	vec_push(&m->arena, &w->path, p);
}

/* ---- paths */

static void path_remove(Warp *w, u32 at)
{
	for (u32 i = at; i + 1 < w->path.n; i++)
		w->path.p[i] = w->path.p[i + 1];
	w->path.n--;
	if (w->turn > at)
		w->turn--;
}

static void become_independent(Warp *w)
{
	if (w->independent)
		return;
	u32 above = 0;
	for (u32 i = w->path.n; i-- > 0;) {
		u32 mine = w->path.p[i].mask & ~above;
		above |= w->path.p[i].mask;
		w->path.p[i].mask = mine;
		w->path.p[i].rpc = NO_PC;
	}
	for (u32 i = 0; i < w->frame.n; i++)
		w->frame.p[i].rpc = NO_PC;
	for (u32 i = w->path.n; i-- > 0;)
		if (w->path.p[i].mask == 0)
			path_remove(w, i);
	w->independent = true;
	w->slice = 0;
	w->turn = w->path.n ? w->path.n - 1 : 0;
}

/* Joins the path with another that stands at the same place; false: nobody does. */
static bool path_join(Warp *w, u32 at)
{
	Path *p = &w->path.p[at];
	for (u32 i = 0; i < w->path.n; i++) {
		Path *q = &w->path.p[i];
		if (i == at || q->pc != p->pc || q->frame != p->frame || q->state == PATH_AT_BARRIER)
			continue;
		q->mask |= p->mask;
		q->state = PATH_READY;
		path_remove(w, at);
		w->turn = i > at ? i - 1 : i;
		return true;
	}
	return false;
}

/* Lanes and where they go on. */
typedef struct Side {
	u32 pc, mask;
} Side;

/* The path's lanes part into two sides, which meet at rpc. */
static void path_split(SimtMachine *m, Warp *w, u32 at, Side a, Side b, u32 rpc)
{
	Path *p = &w->path.p[at];
	Path  one = {.pc = a.pc, .rpc = rpc, .mask = a.mask, .frame = p->frame};
	m->stats.divergent_branches++;
	if (m->count)
		m->count[m->cur_insn - m->p->code.p].divergent++;
	if (w->independent) {
		one.rpc = NO_PC;
		p->pc = b.pc, p->mask = b.mask;
		vec_push(&m->arena, &w->path, one);
		return;
	}
	if (p->rpc == rpc) {
		if (a.pc == rpc) {
			p->pc = b.pc, p->mask = b.mask;
		} else {
			p->pc = b.pc == rpc ? a.pc : b.pc;
			p->mask = b.pc == rpc ? a.mask : b.mask;
			if (b.pc != rpc)
				vec_push(&m->arena, &w->path, one);
		}
		return;
	}
	p->pc = rpc;
	Path two = {.pc = b.pc, .rpc = rpc, .mask = b.mask, .frame = p->frame};
	if (b.pc != rpc)
		vec_push(&m->arena, &w->path, two);
	if (a.pc != rpc)
		vec_push(&m->arena, &w->path, one);
}

/* Lanes end: they leave every path and every frame. */
static void lanes_exit(SimtMachine *m, Block *b, Warp *w, u32 lanes)
{
	if (m->san)
		order_lanes_exit(m, b, w, lanes);
	w->live &= ~lanes;
	b->threads_live -= lane_count(lanes);
	b->cluster->arrived -= lane_count(lanes & w->arrived);
	w->arrived &= ~lanes, w->passed &= ~lanes;
	for (u32 i = 0; i < w->path.n; i++)
		w->path.p[i].mask &= ~lanes;
	for (u32 i = w->path.n; i-- > 0;)
		if (w->path.p[i].mask == 0)
			path_remove(w, i);
	for (u32 i = 0; i < w->frame.n; i++) {
		Frame *f = frame_at(w, i);
		if (f->row && (f->mask &= ~lanes) == 0)
			frame_free(m, w, i);
	}
	for (u32 i = 0; i < BARRIERS; i++)
		barrier_check(m, b, i);
	cluster_check(m, b->cluster);
}

/* ---- calls */

static void copy_lanes(SimtMachine *m, const Frame *to, i32 to_reg, const Frame *from, i32 from_reg, u32 rows, u32 mask)
{
	u32       *d = reg_rows(m, to, to_reg);
	const u32 *s = reg_rows(m, from, from_reg);
	if (to->shadow)
		init_copy_rows(m, to, to_reg, from, from_reg, rows, mask);
	if (rows == 1) {
		each_lane(mask, l)
			d[l] = s[l];
		return;
	}
	for (u32 half = 0; half < rows; half += 2)
		each_lane(mask, l)
			set_lane64(d + half * LANES, l, lane64(s + half * LANES, l));
}

/* Does a list of the callee's parameters (or results) say what the caller passes (or takes)? By register the widths must
 * be equal, by memory the sizes. */
static bool call_agrees(const SimtParam *p, u32 n, const u32 *pair, u32 n_pairs, bool by_memory)
{
	if (n != n_pairs)
		return false;
	for (u32 i = 0; i < n; i++) {
		u32 given = pair[CALL_PAIR * i + 1], wanted = by_memory ? p[i].size : p[i].bits;
		if (p[i].open ? given > wanted : given != wanted)
			return false;
	}
	return true;
}

static bool call_refused(SimtMachine *m, const SimtFunc *f, const u32 *ext, u32 mask)
{
	u32 lane = first_lane(mask);
	if (!f->has_body && (str_starts(f->name, "cudaLaunchDevice") || str_starts(f->name, "cudaGetParameterBuffer")))
		return simt_fail(
			m, FAULT_UNSUPPORTED, lane,
			"the emulator does not execute kernels that a kernel launches (dynamic parallelism): call of %.*s",
			STR_ARG(f->name));
	if (!f->has_body)
		return simt_fail(m, FAULT_EXTERNAL, lane, "call of %.*s, which has no body here", STR_ARG(f->name));
	if (f->is_kernel)
		return simt_fail(m, FAULT_BAD_CALL, lane, "call of %.*s, which is a kernel", STR_ARG(f->name));
	if (f->arg.n != ext[0] || f->ret.n != ext[1])
		return simt_fail(m, FAULT_BAD_CALL, lane, "%.*s takes %u arguments and returns %u values; the call has %u and %u",
		                 STR_ARG(f->name), f->arg.n, f->ret.n, ext[0], ext[1]);
	return simt_fail(m, FAULT_BAD_CALL, lane, "the call's arguments or results have other widths than those of %.*s",
	                 STR_ARG(f->name));
}

/* The bytes of an argument or a result from frame to frame. */
static void copy_bytes(Warp *w, u32 to, u32 from, u32 bytes, u32 mask)
{
	each_lane(mask, l) {
		u8 *lane = w->local + (size_t)l * w->local_size;
		memmove(lane + to, lane + from, bytes);
		u8 *poison = w->local_poison ? w->local_poison + (size_t)l * w->local_size : NULL;
		if (poison)
			memmove(poison + to, poison + from, bytes);
	}
}

static bool call_enter(SimtMachine *m, Warp *w, u32 at, u32 func, u32 mask)
{
	const SimtInsn *in = m->cur_insn;
	const SimtFunc *f = &m->p->func.p[func];
	const u32      *ext = m->p->ext.p + in->y, *arg = ext + CALL_HEAD;
	if (!f->has_body || f->is_kernel || !call_agrees(f->arg.p, f->arg.n, arg, ext[0], f->by_memory) ||
	    !call_agrees(f->ret.p, f->ret.n, arg + CALL_PAIR * ext[0], ext[1], f->by_memory))
		return call_refused(m, f, ext, mask);
	u32 caller = w->path.p[at].frame, callee = frame_new(m, w, func, caller, mask);
	if (callee == NO_FRAME)
		return false;
	Frame *from = frame_at(w, caller), *to = frame_at(w, callee);
	for (u32 i = 0; i < f->arg.n; i++, arg += CALL_PAIR) {
		const SimtParam *a = &f->arg.p[i];
		if (f->by_memory)
			copy_bytes(w, to->base + a->offset, from->base + arg[0], a->open ? arg[1] : a->size, mask);
		else
			copy_lanes(m, to, a->reg, from, (i32)arg[0], rows_of(a->bits), mask);
	}
	Path *p = &w->path.p[at];
	to->ret_pc = (u32)(in - m->p->code.p) + 1;
	to->call = to->ret_pc - 1;
	to->rpc = p->rpc;
	p->frame = callee;
	p->pc = f->start;
	p->rpc = NO_PC;
	return true;
}

/* Some lanes of the path call; the others stay at the instruction. Those that call enter at once: if they waited there too, a
 * meeting point at the instruction would join them with the others again, and again. */
static bool call_lanes(SimtMachine *m, Warp *w, u32 at, u32 func, u32 mask)
{
	const Path *p = &w->path.p[at];
	if (mask == p->mask)
		return call_enter(m, w, at, func, mask);
	path_split(m, w, at, (Side){p->pc, mask}, (Side){p->pc, p->mask & ~mask}, p->pc + 1);
	return call_enter(m, w, w->path.n - 1, func, mask);
}

static void call_leave(SimtMachine *m, Block *b, Warp *w, u32 at)
{
	Path  *p = &w->path.p[at];
	Frame *from = frame_at(w, p->frame);
	u32    mask = p->mask, callee = p->frame;
	if (from->parent == NO_FRAME) {
		lanes_exit(m, b, w, mask);
		return;
	}
	const SimtFunc *f = &m->p->func.p[from->func];
	const u32      *ext = m->p->ext.p + m->p->code.p[from->call].y, *result = ext + CALL_HEAD + CALL_PAIR * ext[0];
	Frame          *to = frame_at(w, from->parent);
	for (u32 i = 0; i < f->ret.n; i++, result += CALL_PAIR) {
		const SimtParam *r = &f->ret.p[i];
		if (f->by_memory)
			copy_bytes(w, to->base + result[0], from->base + r->offset, r->size, mask);
		else if ((i32)result[0] != NO_REG)
			copy_lanes(m, to, (i32)result[0], from, r->reg, rows_of(r->bits), mask);
	}
	p->frame = from->parent;
	p->pc = from->ret_pc;
	p->rpc = from->rpc;
	from->mask &= ~mask;
	if (from->mask == 0)
		frame_free(m, w, callee);
}

/* The lanes of mask whose callee is that of the first; its function number in *func. */
static u32 call_group(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask, u32 *func)
{
	const u32 *a = reg_rows(m, f, in->a);
	u64        target = lane64(a, first_lane(mask));
	u32        group = 0;
	each_lane(mask, l)
		group |= (u32)(lane64(a, l) == target) << l;
	u64 number = (target - CODE_WINDOW) / 16 - 1;
	*func = target % 16 == 0 && target > CODE_WINDOW && number < m->p->func.n ? (u32)number : ~0u;
	return group;
}

/* The target of the first lane of mask, and the lanes that go there too. */
static u32 switch_group(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask, u32 *target)
{
	const u32 *a = reg_rows(m, f, in->a), *t = m->p->ext.p + in->y;
	bool       wide = in->x > 32;
	u64        first = wide ? lane64(a, first_lane(mask)) : a[first_lane(mask)], seen = first;
	u32        group = 0;
	bool       same = true;
	*target = t[1];
	for (u32 k = 0; k < t[0]; k++)
		if ((t[2 + 3 * k] | (u64)t[3 + 3 * k] << 32) == first)
			*target = t[4 + 3 * k];
	each_lane(mask, l) {
		u64 v = wide ? lane64(a, l) : a[l];
		if (v != seen) {
			u32 to = t[1];
			for (u32 k = 0; k < t[0]; k++)
				if ((t[2 + 3 * k] | (u64)t[3 + 3 * k] << 32) == v)
					to = t[4 + 3 * k];
			same = to == *target;
			seen = v;
		}
		group |= (u32)same << l;
	}
	return group;
}

/* ---- local memory of a frame */

static bool alloca_bytes(SimtMachine *m, Warp *w, Frame *f, const SimtInsn *in, u32 mask)
{
	u64        most = 0;
	const u32 *a = reg_rows(m, f, in->a);
	each_lane(mask, l)
		most = PS_MAX(most, lane64(a, l));
	u64 base = size_align(f->top, (u64)1 << in->x), top = size_add(base, most);
	if (top > MOST_LOCAL)
		return simt_fail(m, FAULT_STACK, first_lane(mask), "alloca of %llu bytes: a thread has %u bytes of local memory",
		                 (unsigned long long)most, (u32)MOST_LOCAL);
	f->top = (u32)top;
	mem_local_reserve(m, w, f->top);
	u32 *d = reg_rows(m, f, in->d);
	each_lane(mask, l)
		set_lane64(d, l, base + (in->y ? m->p->windows + LOCAL_WINDOW : 0));
	return true;
}

static bool frame_address(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask)
{
	u32 *d = reg_rows(m, f, in->d);
	u64  at = f->base + in->z + (in->x ? m->p->windows + LOCAL_WINDOW : 0);
	each_lane(mask, l) {
		if (in->rows == 1)
			d[l] = (u32)at;
		else
			set_lane64(d, l, at);
	}
	return true;
}

static bool stack_save(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask)
{
	u32 *d = reg_rows(m, f, in->d);
	each_lane(mask, l)
		set_lane64(d, l, f->top);
	return true;
}

static bool no_effect(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask)
{
	(void)m, (void)f, (void)in, (void)mask;
	return true;
}

/* ---- running */

/* Lanes that an operation of the warp names but that are not here: wait for them. */
static bool sync_waits(Warp *w, u32 at, u32 member)
{
	Path *p = &w->path.p[at];
	if ((member & w->live & ~p->mask) == 0) {
		p->state = PATH_READY;
		return false;
	}
	u32 pc = p->pc, mask = p->mask, frame = p->frame;
	become_independent(w);
	for (u32 i = 0; i < w->path.n; i++) {
		p = &w->path.p[i];
		if (p->pc == pc && p->frame == frame && p->mask == mask) {
			p->state = PATH_AT_SYNC;
			p->member = member;
			w->turn = i;
			path_join(w, i);
			break;
		}
	}
	return true;
}

/* ON: of an instruction, go on behind it; of a path, it was interrupted (out of budget, or at a stop). */
typedef enum Step { STEP_ON, STEP_MOVED /* paths changed: look again */, STEP_WAITS, STEP_FAULT } Step;

/* Is the path about to run what a debugger waits for (SIF_STOP)? */
static bool stops_here(SimtMachine *m, const Block *b, const Warp *w)
{
	const SimtWatch *s = &m->watch;
	if (!s->armed || (s->focused && (s->block != b->number || s->warp != w->number)))
		return false;
	return m->stopped = true;
}

/* ---- special instructions: those that are not pure functions of lanes (special.def) */

/* A special instruction about to run: the lanes `mask` of path `at`, whose frame is f. */
typedef struct Here {
	SimtMachine    *m;
	Block          *b;
	Warp           *w;
	Frame          *f;
	const SimtInsn *in;
	u32             at, mask;
} Here;

static Path *path_of(const Here *h) { return &h->w->path.p[h->at]; }

static Step step_moved(bool ok) { return ok ? STEP_MOVED : STEP_FAULT; }

static Step run_switch(const Here *h)
{
	Path *p = path_of(h);
	u32   target, group = switch_group(h->m, h->f, h->in, h->mask, &target);
	if (group == p->mask)
		p->pc = target;
	else
		path_split(h->m, h->w, h->at, (Side){target, group}, (Side){p->pc, p->mask & ~group}, h->in->z);
	return STEP_MOVED;
}

static Step run_call(const Here *h) { return step_moved(call_lanes(h->m, h->w, h->at, h->in->x, h->mask)); }

static Step run_indirect_call(const Here *h)
{
	u32 func, group = call_group(h->m, h->f, h->in, h->mask, &func), lane = first_lane(group);
	if (func == ~0u)
		return step_moved(simt_fail(h->m, FAULT_BAD_CALL, lane, "indirect call of 0x%llx, where no function is",
		                            (unsigned long long)lane64(reg_rows(h->m, h->f, h->in->a), lane)));
	return step_moved(call_lanes(h->m, h->w, h->at, func, group));
}

static Step run_return(const Here *h)
{
	call_leave(h->m, h->b, h->w, h->at);
	return STEP_MOVED;
}

static Step run_exit(const Here *h)
{
	path_of(h)->pc++;
	lanes_exit(h->m, h->b, h->w, h->mask);
	return STEP_MOVED;
}

static bool run_trap(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask)
{
	(void)f;
	if (in->x == FAULT_UNSUPPORTED)
		return simt_fail(m, FAULT_UNSUPPORTED, first_lane(mask), "the emulator does not execute '%.*s'",
		                 STR_ARG(m->p->text.p[in->y]));
	return simt_fail(m, (FaultKind)in->x, first_lane(mask),
	                 in->x == FAULT_UNREACHABLE ? "control reached a place marked unreachable"
	                                            : "the kernel stopped itself (trap)");
}

static Step run_barrier(const Here *h)
{
	SimtMachine *m = h->m;
	Warp        *w = h->w;
	u32          mask = h->mask, at = 0;
	bool         any_path = h->in->x & BAR_ANY_PATH, waits;
	/* In an independent warp the other lanes may still arrive, or end. */
	if (!any_path && (w->independent || m->launch.barrier_of_threads) && mask == path_of(h)->mask &&
	    sync_waits(w, h->at, w->live))
		return STEP_MOVED;
	if (!any_path && mask != w->live)
		return step_moved(simt_fail(m, FAULT_BARRIER, first_lane(mask), "barrier reached by %u of the warp's %u threads",
		                            lane_count(mask), lane_count(w->live)));
	if (mask != w->live)
		become_independent(w);
	while (w->path.p[at].pc != (u32)(h->in - m->p->code.p) || (w->path.p[at].mask & mask) != mask)
		at++;
	Arrival a = {h->b, w, &w->path.p[at], h->in, mask};
	bool    of_cluster = (h->in->x & BAR_OP) >= BAR_CLUSTER_ARRIVE;
	if (of_cluster ? !cluster_arrive(m, &a, &waits) : !barrier_arrive(m, &a, &waits))
		return STEP_FAULT;
	return waits ? STEP_WAITS : STEP_MOVED;
}

static Step run_alloca(const Here *h) { return alloca_bytes(h->m, h->w, h->f, h->in, h->mask) ? STEP_ON : STEP_FAULT; }

/* The frame's top is what the lane with the most local memory needs, so it sinks once all lanes restore, to the highest of
 * their values. A value that no stacksave of this frame has given is refused. */
static Step run_stack_restore(const Here *h)
{
	Frame     *f = h->f;
	const u32 *a = reg_rows(h->m, f, h->in->a);
	u64        top = (u64)f->base + h->m->p->func.p[f->func].local, most = top;
	each_lane(h->mask, l) {
		u64 value = lane64(a, l);
		if (value < top || value > f->top) {
			simt_fail(h->m, FAULT_STACK, l,
			          "stackrestore of 0x%llx: what alloca gave in this call is 0x%llx to 0x%llx",
			          (unsigned long long)value, (unsigned long long)top, (unsigned long long)f->top);
			return STEP_FAULT;
		}
		most = PS_MAX(most, value);
	}
	if (h->mask == f->mask)
		f->top = (u32)most;
	return STEP_ON;
}

/* Handlers: `lanes` reads and writes registers and memory of the lanes, false after a fault; `path` may change paths and
 * frames too. */
typedef bool (*LanesHandler)(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask);
typedef Step (*PathHandler)(const Here *h);
enum { MEMBERS_A = 1, MEMBERS_B = 2, MEMBERS_EXT = 4 }; /* operands */

static const struct {
	LanesHandler lanes;
	PathHandler  path;
	u8           flags;
} specials[S_COUNT] = {
#define SPECIAL_LANES(id, handler, flags) [S_##id] = {handler, NULL, flags},
#define SPECIAL_PATH(id, handler, flags)  [S_##id] = {NULL, handler, flags},
#include "simt/special.def"
};

/* The member masks that lanes give to an operation of the warp; NULL: it has none. */
static const u32 *member_masks(const Here *h, u32 flags)
{
	const SimtInsn *in = h->in;
	i32             members = flags & MEMBERS_A ? in->a : flags & MEMBERS_B ? in->b : (i32)h->m->p->ext.p[in->y + 1];
	return members == NO_REG ? NULL : reg_rows(h->m, h->f, members);
}

/* The lanes of all member masks arrive before an operation of the warp runs. STEP_ON: they are here. */
static Step meet_members(const Here *h, const u32 *masks, bool same)
{
	u32 members = masks[first_lane(h->mask)];
	if (!same || h->mask & ~members) {
		each_lane(h->mask, lane) {
			members |= masks[lane];
			if (masks[lane] >> lane & 1)
				continue;
			simt_fail(h->m, FAULT_SYNC_MASK, lane, "the thread is not in the mask 0x%08x that it gives", masks[lane]);
			return STEP_FAULT;
		}
	}
	return h->mask == path_of(h)->mask && sync_waits(h->w, h->at, members) ? STEP_MOVED : STEP_ON;
}

/* Lanes with one member mask are a group of their own; one path may bring several. */
static Step run_groups(const Here *h, const u32 *masks)
{
	u32 own[LANES], left = h->mask;
	memcpy(own, masks, sizeof own); /* the result may go to the same register */
	while (left) {
		u32 member = own[first_lane(left)], group = h->m->wide->equal(own, member) & left;
		if (h->m->san)
			sync_members(h->m, first_lane(group), member, group);
		if (!specials[h->in->op].lanes(h->m, h->f, h->in, group))
			return STEP_FAULT;
		left &= ~group;
	}
	return STEP_ON;
}

static PS_INLINE Step special(const Here *h)
{
	u32        op = h->in->op;
	const u32 *masks = specials[op].flags ? member_masks(h, specials[op].flags) : NULL;
	if (masks) {
		bool same = !(h->mask & ~h->m->wide->equal(masks, masks[first_lane(h->mask)]));
		Step met = meet_members(h, masks, same);
		if (met != STEP_ON || !same || h->m->san)
			return met == STEP_ON ? run_groups(h, masks) : met;
	}
	if (specials[op].lanes)
		return specials[op].lanes(h->m, h->f, h->in, h->mask) ? STEP_ON : STEP_FAULT;
	return specials[op].path(h);
}

/* The same under sanitizers. */
static Step special_watched(const Here *h)
{
	SimtMachine *m = h->m;
	bool         init = m->san->what & SANITIZE_INIT;
	sanitize_insn(m->san);
	if (init)
		init_special(m, h->f, h->in, h->mask);
	Step step = special(h);
	if (init && step == STEP_ON)
		init_results(m, h->f, h->in, h->mask);
	return step;
}

/* ---- compiled code (lane_code.c) */

typedef struct LaneHere {
	SimtMachine *m;
	const Frame *f;
	Path        *path;
	u32          mask;
	const u32   *on; /* NULL: all lanes */
	WideFrame    rows;
} LaneHere;

bool lane_code_calls(const SimtInsn *in)
{
	return !(in->flags & SIF_GUARD) && in->op != S_TRAP && specials[in->op].lanes && !specials[in->op].flags;
}

static bool special_from_code(const LaneHere *h, const SimtInsn *in)
{
	SimtMachine *m = h->m;
	if (in->op == S_LD ? mem_load_fast(m, h->f, in, h->mask) : in->op == S_ST && mem_store_fast(m, h->f, in, h->mask))
		return true;
	m->cur_insn = in, m->cur_path = h->path;
	h->path->pc = (u32)(in - m->p->code.p);
	return specials[in->op].lanes(m, h->f, in, h->mask);
}

static u32 call_from_code(LaneFrame *lf, u32 pc, u32 n)
{
	const LaneHere *h = lf->here;
	const SimtInsn *in = h->m->p->code.p + pc, *end = in + n;
	while (in != end) {
		const SimtInsn *to = in;
		while (to != end && to->op == S_LANES)
			to++;
		if (to != in)
			h->m->wide->run(&h->rows, in, to, h->on);
		in = to;
		if (in == end)
			break;
		if (!special_from_code(h, in++)) {
			for (lf->undone = 0; in != end; in++)
				lf->undone += !(in->flags & SIF_MICRO);
			return false;
		}
	}
	return true;
}

static u32 places_from_code(LaneFrame *lf, u32 pc, u32 place, u32 low, u32 bytes, u32 write)
{
	const LaneHere *h = lf->here;
	const LaneSpan  span = {low, bytes, h->mask, write, h->mask == ALL_LANES ? NULL : lf->take, lf->at[place]};
	return mem_places(h->m, h->f, h->m->p->code.p + pc, &span);
}
static const LaneCalls lane_calls = {call_from_code, places_from_code};

void simt_compile(SimtMachine *m, u64 instructions)
{
	SimtFunc *f = &m->p->func.p[m->entry];
	if (m->o.compiled == COMPILED_NEVER || m->san || m->count)
		return;
	f->heat += instructions;
	if (m->o.compiled == COMPILED_LATE && f->heat < HEAT)
		return;
	if (!f->compiled && !f->compiling_failed) {
		f->compiled = lane_code_make(m->p, m->entry, &lane_calls);
		f->compiling_failed = !f->compiled;
	}
	m->compiled = f->compiled;
}

/* The instructions at which compiled code may be entered; NULL: nowhere. */
static const u32 *compiled_entries(const SimtMachine *m, const Warp *w)
{
#if defined(__wasm__)
	return m->compiled && !w->independent && !m->watch.armed ? m->compiled->entry : NULL;
#else
	(void)m, (void)w;
	return NULL;
#endif
}

/* From `entry` on; returns the next instruction. */
static u32 run_compiled(LaneFrame *lf, const LaneHere *h, u32 entry)
{
	u32          number = h->m->compiled->first + 2 * ((entry >> LANE_BLOCK_BITS) - 1) + (h->mask != ALL_LANES);
	LaneFunction run = (LaneFunction)(uintptr_t)number;
	lf->block = entry & ((1u << LANE_BLOCK_BITS) - 1);
	lf->row = (u32)(uintptr_t)h->rows.row;
	lf->pool = (u32)(uintptr_t)h->rows.pool;
	lf->here = (LaneHere *)(uintptr_t)h;
	lf->fault = 0;
	return run(lf);
}

static void guard_watched(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask)
{
	m->cur_insn = in;
	init_guard(m, f, in, mask);
}

/* Runs one path until it must be looked at again; *left counts down. What belongs to an instruction
 * (SIF_MICRO) runs with it, also when it was the last of the budget. `watched` is a constant: without sanitizers, no
 * instruction pays for them. It has more than 80 lines, since its locals are to stay in registers from one instruction
 * to the next. */
static PS_INLINE Step path_run_as(SimtMachine *m, Block *b, Warp *w, u32 at, u64 *left, const bool watched)
{
	Path           *p = &w->path.p[at];
	const SimtInsn *code = m->p->code.p;
	u32             pc = p->pc, mask = p->mask, lanes = lane_count(mask);
	Frame          *f = frame_at(w, p->frame);
	u32            *row = f->row, *pool = b->pool;
	bool            full = (mask | ~w->live) == ALL_LANES || m->o.warp_registers;
	SimtCount      *count = m->count;
	const SimtWide *wide = m->wide;
	u64             budget = *left, threads = 0, warps = 0;
	Step            step = STEP_ON;
	u32             spread[LANES], spread_mask = 0; /* the lanes that `spread` has */
	const bool      init = watched && m->san->what & SANITIZE_INIT, straight = !init && !count && !m->watch.armed;
	const WideFrame rows = {row, pool, m->scratch};
	const u32      *entry = straight ? compiled_entries(m, w) : NULL;
	LaneFrame       lane_frame;
	bool            framed = false; /* it knows the lanes */
#define ROWS(r) (((r) < 0 ? pool : row) + (size_t)((r) < 0 ? -(r) : (r)) * LANES)
	for (bool entered = true; budget || (code[pc].flags & SIF_MICRO); entered = false) {
		const SimtInsn *in = code + pc;
		u32             on = mask;
		if (in->flags & (SIF_GUARD | SIF_MICRO | SIF_JOIN | SIF_STOP)) {
			if ((in->flags & SIF_JOIN) && !entered && (pc == p->rpc || w->independent)) {
				step = STEP_MOVED;
				break;
			}
			if ((in->flags & SIF_STOP) && stops_here(m, b, w))
				break;
		}
		if (entry && entry[pc]) {
			LaneHere here = {m, f, p, mask, full ? NULL : lane_frame.on, rows};
			if (!framed && mask != ALL_LANES) {
				wide->spread(lane_frame.take, mask);
				wide->spread(lane_frame.on, full ? ALL_LANES : mask);
			}
			framed = true;
			lane_frame.budget = budget, lane_frame.rpc = p->rpc;
			u32 next = run_compiled(&lane_frame, &here, entry[pc]);
			u64 used = budget - lane_frame.budget;
			budget -= used, warps += used, threads += (used - lane_frame.untaken) * lanes;
			if (lane_frame.fault) {
				step = STEP_FAULT;
				p = NULL;
				break;
			}
			if (next != pc || used) {
				pc = next;
				continue;
			}
		}
		if (in->flags & SIF_GUARD) {
			if (init)
				guard_watched(m, f, in, mask);
			on = mask & ((in->flags & SIF_GUARD_NOT ? ALL_LANES : 0) ^ wide->guard(ROWS(in->guard)));
		}
		if (!(in->flags & SIF_MICRO)) {
			budget--, warps++;
			threads += on == mask ? lanes : lane_count(on);
			if (count)
				count[pc].executions++, count[pc].lanes += lane_count(on);
		}
		if (in->op == S_BR && (on == mask || on == 0)) {
			pc = on ? in->y : pc + 1;
			continue;
		}
		if (in->op == S_BR) {
			m->cur_insn = in;
			p->pc = pc;
			path_split(m, w, at, (Side){in->y, on}, (Side){pc + 1, mask & ~on}, in->z);
			p = NULL;
			step = STEP_MOVED;
			break;
		}
		if (on == 0) {
			pc++;
			continue;
		}
		if (in->op == S_LANES) {
			if (init)
				init_lanes(m, f, in, on);
			u32 n = 1;
			if (on == mask && straight && budget >= in->z) {
				n = in->y;
				budget -= in->z, warps += in->z, threads += (u64)in->z * lanes;
			}
			if (on != spread_mask && !(full && on == mask))
				wide->spread(spread, spread_mask = on);
			wide->run(&rows, in, in + n, full && on == mask ? NULL : spread);
			pc += n;
			continue;
		}
		if (straight && (in->op == S_LD ? mem_load_fast(m, f, in, on) : in->op == S_ST && mem_store_fast(m, f, in, on))) {
			pc++;
			continue;
		}
		m->cur_insn = in, m->cur_path = p;
		p->pc = pc;
		step = watched ? special_watched(&(Here){m, b, w, f, in, at, on}) : special(&(Here){m, b, w, f, in, at, on});
		if (step != STEP_ON) {
			p = NULL;
			break;
		}
		pc++;
	}
#undef ROWS
	if (p)
		p->pc = pc;
	m->stats.thread_instructions += threads, m->stats.warp_instructions += warps;
	*left = budget;
	return step;
}

static Step path_run_plain(SimtMachine *m, Block *b, Warp *w, u32 at, u64 *left) { return path_run_as(m, b, w, at, left, false); }
static Step path_run_watched(SimtMachine *m, Block *b, Warp *w, u32 at, u64 *left)
{
	return path_run_as(m, b, w, at, left, true);
}
static Step path_run(SimtMachine *m, Block *b, Warp *w, u32 at, u64 *left)
{
	return m->san ? path_run_watched(m, b, w, at, left) : path_run_plain(m, b, w, at, left);
}

/* Stack: takes off what has arrived. True: the warp still has a path. */
static bool settle(Warp *w)
{
	while (w->path.n) {
		Path *p = &vec_last(&w->path);
		if (p->mask && (p->pc != p->rpc || w->path.n == 1))
			return true;
		w->path.n--;
		w->alone = 0;
	}
	return false;
}

/* Independent: the next path that can run, or ~0. */
static u32 next_path(Warp *w)
{
	for (u32 k = 0; k < w->path.n; k++) {
		u32   i = (w->turn + k) % w->path.n;
		Path *p = &w->path.p[i];
		if (p->state == PATH_AT_SYNC && (p->member & w->live & ~p->mask) == 0)
			p->state = PATH_READY; /* the others have exited */
		if (p->state == PATH_READY)
			return w->turn = i;
	}
	return ~0u;
}

/* Independent: at a meeting point, joins those who wait there, or lets the others come. */
static void meet(const SimtMachine *m, Warp *w, u32 at)
{
	if (!(m->p->code.p[w->path.p[at].pc].flags & SIF_JOIN) || w->path.n == 1)
		return;
	if (!path_join(w, at))
		w->turn = at + 1;
}

/* Runs the path whose turn it is. Its slice outlives an interruption, so that who runs when does not depend
 * on the budgets that the caller gives. */
static Step run_independent(SimtMachine *m, Block *b, Warp *w, u64 *quantum)
{
	u32 at = next_path(w);
	if (at == ~0u)
		return STEP_WAITS;
	if (w->path.n == 1 && !m->o.independent) {
		w->independent = false;
		return STEP_MOVED;
	}
	u64  slice = w->slice ? w->slice : SLICE, given = PS_MIN(*quantum, slice), left = given;
	Step step = path_run(m, b, w, at, &left);
	*quantum -= given - left;
	slice -= given - left;
	w->slice = 0;
	if (step == STEP_ON && slice && (m->stopped || !(m->p->code.p[w->path.p[at].pc].flags & SIF_JOIN)))
		w->slice = (u32)slice;
	else if ((step == STEP_ON || step == STEP_MOVED) && at < w->path.n && slice)
		meet(m, w, at);
	else
		w->turn = at + 1;
	return step == STEP_WAITS ? STEP_MOVED : step;
}

/* Does the top of the stack stand inside an instruction? */
static bool in_the_middle(const SimtMachine *m, const Warp *w)
{
	if (w->independent || w->path.n == 0)
		return false;
	const Path *top = &vec_last(&w->path);
	return top->state == PATH_READY && (m->p->code.p[top->pc].flags & SIF_MICRO);
}

Ran warp_run(SimtMachine *m, Block *b, Warp *w, u64 *budget)
{
	u64 given = *budget;
	block_enter(m, b);
	m->cur_warp = w;
	while (*budget || in_the_middle(m, w)) {
		Step step;
		if (w->independent) {
			if (w->path.n == 0)
				return RAN_ENDED;
			step = run_independent(m, b, w, budget);
		} else {
			if (!settle(w))
				return RAN_ENDED;
			u32 at = w->path.n - 1;
			if (w->path.p[at].state != PATH_READY)
				return RAN_WAITS;
			u64 before = *budget;
			step = path_run(m, b, w, at, budget);
			w->alone += (u32)(before - *budget);
			bool at_rest = step != STEP_ON || given - *budget == b->quantum;
			if (at_rest && w->alone > PATIENCE) {
				w->alone = 0;
				if (w->path.n > 1 && step != STEP_FAULT)
					become_independent(w);
			}
		}
		if (step == STEP_FAULT)
			return RAN_FAULT;
		if (step == STEP_WAITS)
			return RAN_WAITS;
		if (m->stopped)
			return RAN_BUDGET;
	}
	return w->path.n ? RAN_BUDGET : RAN_ENDED;
}
