/* machine.c: sets a grid up, runs its blocks, and says what came of it. */
#include "base/redzone.h"
#include "base/sort.h"
#include "simt/emit.h"
#include "simt/jobs.h"
#include "simt/limit.h"
#include "simt/sanitize.h"

enum {
	QUANTUM = 2048,  /* instructions of a warp before the next one's turn */
	BLOCK_TURN = 64, /* turns of warps before the next block's */
	MAX_RESIDENT = 64,
};
#define DEFAULT_STEPS ((u64)1 << 32)

const char *simt_fault_name(FaultKind k)
{
	static const char *const name[FAULT_COUNT] = {
		"none",
#define FAULT(id, text) text,
#include "simt/faults.def"
	};
	return name[k];
}

/* ---- rows of registers, by size class: 1 to 8 rows, then four steps from each power of two to the next */

enum { ROW_BYTES = LANES * sizeof(u32) };

static u32 class_of(u32 rows)
{
	u32 n = PS_MAX(rows, 1u) - 1, top = n < 8 ? 0 : u64_log2(n);
	return n < 8 ? n : 4 * (top - 1) + (n >> (top - 2) & 3);
}

static size_t class_bytes(u32 k) { return (size_t)ROW_BYTES * (k < 8 ? k + 1 : (5 + k % 4) << (k / 4 - 1)); }

u32 *rows_take(SimtMachine *m, u32 rows, u32 *size_class)
{
	u32       k = *size_class = class_of(rows);
	FreeRows *f = m->free_rows[k];
	u32      *taken = (u32 *)(void *)f;
	if (f) {
		red_zone_clear(f, sizeof *f);
		m->free_rows[k] = f->next;
	} else {
		taken = arena_alloc(&m->arena, class_bytes(k), 64);
		red_zone(taken, class_bytes(k));
	}
	red_zone_clear(taken, (size_t)ROW_BYTES * rows);
	return taken;
}

void rows_give(SimtMachine *m, u32 *rows, u32 size_class)
{
	FreeRows *f = (FreeRows *)(void *)rows;
	red_zone_clear(f, sizeof *f); /* a function may have no rows */
	f->next = m->free_rows[size_class];
	m->free_rows[size_class] = f;
	red_zone(f, class_bytes(size_class));
}

/* ---- faults */

static void thread_id(const SimtMachine *m, u32 lane, u32 *thread, u32 *block)
{
	u32        t = m->cur_warp ? m->cur_warp->number * LANES + lane : 0;
	const u32 *dim = m->launch.block;
	thread[0] = t % dim[0];
	thread[1] = t / dim[0] % dim[1];
	thread[2] = t / dim[0] / dim[1];
	if (m->cur_block)
		memcpy(block, m->cur_block->id, sizeof m->cur_block->id);
}

void simt_wrote(SimtMachine *m, u32 lane)
{
	thread_id(m, lane, m->writer.thread, m->writer.block);
	m->writer.line = m->cur_insn->line;
	m->writer.origin = m->cur_insn->origin;
	m->written = true;
}

bool simt_fail(SimtMachine *m, FaultKind kind, u32 lane, const char *fmt, ...)
{
	va_list ap;
	if (m->faulted)
		return false;
	m->faulted = true;
	m->fault.kind = kind;
	thread_id(m, lane, m->fault.thread, m->fault.block);
	m->fault.line = m->cur_insn ? m->cur_insn->line : 0;
	m->fault.origin = m->cur_insn ? m->cur_insn->origin : 0;
	m->fault.insn = m->cur_insn ? (u32)(m->cur_insn - m->p->code.p) : UINT32_MAX;
	va_start(ap, fmt);
	m->fault.message = arena_vfmt(&m->arena, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- setting up */

static void add_region(SimtMachine *m, Region r) { vec_push(&m->arena, &m->region, r); }

static u64 handle_of(const SimtMachine *m, u32 texture) { return m->p->windows + HANDLE_WINDOW + 64 * ((u64)texture + 1); }

/* Where the variable that bears the name lies; NULL: nowhere. */
static u8 *symbol_host(const SimtProgram *p, u8 *const *host, Str name, bool is_object)
{
	u32 at = simt_symbol_find(p, name);
	return at != ~0u && (p->symbol.p[at].is_object || !is_object) ? host[at] : NULL;
}

static void place_symbols(SimtMachine *m)
{
	SimtProgram *p = m->p;
	u8         **host = arena_array(&m->arena, u8 *, p->symbol.n);
	for (u32 i = 0; i < p->symbol.n; i++) {
		SimtSymbol *s = &p->symbol.p[i];
		if (s->space != SPACE_GLOBAL && s->space != SPACE_CONST)
			continue;
		host[i] = s->host ? s->host : arena_alloc(&m->arena, s->size, 16);
		if (s->init && !s->host)
			memcpy(host[i], s->init, (size_t)s->size);
		add_region(m, (Region){s->address, s->size, host[i], s->name, s->space == SPACE_CONST});
	}
	for (u32 k = 0; k < m->launch.texture.n; k++) {
		u8 *to = symbol_host(p, host, m->launch.texture.p[k].name, true);
		u64 h = handle_of(m, k);
		if (to)
			memcpy(to, &h, 8);
	}
	for (u32 k = 0; k < m->launch.symbol.n; k++) {
		const SimtBuffer *b = &m->launch.symbol.p[k];
		u8               *to = symbol_host(p, host, b->name, false);
		if (to)
			bytes_copy(to, b->init, (size_t)PS_MIN(p->symbol.p[simt_symbol_find(p, b->name)].size, b->size));
	}
}

static void place_buffers(SimtMachine *m)
{
	u64 at = align_up(m->p->global_end + 4096, 4096);
	for (u32 i = 0; i < m->launch.buffer.n; i++) {
		SimtBuffer *b = &m->launch.buffer.p[i];
		u8         *host = arena_alloc(&m->arena, b->size, 64);
		bytes_copy(host, b->init, (size_t)b->size);
		b->address = at;
		vec_push(&m->arena, &m->buffer, host);
		add_region(m, (Region){at, b->size, host, b->name, false});
		at = align_up(at + b->size, 256) + 256;
	}
}

/* What CUDA's grid.sync() finds behind %envreg1 (high) and %envreg2: the size of the workspace, and the counter of a barrier. */
static void place_workspace(SimtMachine *m)
{
	enum { BYTES = 64 };
	if (!m->launch.cooperative)
		return;
	u8 *host = arena_alloc(&m->arena, BYTES, 64);
	u32 last = m->launch.buffer.n;
	u64 behind = last ? m->launch.buffer.p[last - 1].address + m->launch.buffer.p[last - 1].size : m->p->global_end;
	m->workspace = m->p->windows ? (u64)(uintptr_t)host : align_up(behind, 4096) + 4096;
	host[0] = BYTES;
	add_region(m, (Region){m->workspace, BYTES, host, STR("the grid's workspace"), false});
}

static int by_base(const void *a, const void *b, void *user)
{
	u64 x = ((const Region *)a)->base, y = ((const Region *)b)->base;
	(void)user;
	return (x > y) - (x < y);
}

/* Mapped memory is in order already: it is merged with what is there, which is little. */
static void merge_mapped(SimtMachine *m)
{
	const SimtLaunch *l = &m->launch;
	u32               own = m->region.n, n = 0;
	const Region     *from = m->region.p;
	if (!l->n_mapped)
		return;
	Region *all = arena_array(&m->arena, Region, own + l->n_mapped);
	for (u32 i = 0; i < l->n_mapped; i++) {
		const SimtMapped *r = &l->mapped[i];
		while (own && from->base <= r->base)
			all[n++] = *from++, own--;
		all[n++] = (Region){.base = r->base,
		                    .size = r->size,
		                    .host = r->host,
		                    .name = STR("mapped memory"),
		                    .read_only = r->read_only};
	}
	bytes_copy(all + n, from, own * sizeof *all);
	m->region.p = all;
	m->region.n = m->region.cap = n + own;
}

/* Regions do not overlap: an address has one meaning. */
static bool sort_regions(SimtMachine *m)
{
	const SimtMapped *last = m->launch.n_mapped ? &m->launch.mapped[m->launch.n_mapped - 1] : NULL;
	if (last && !m->p->is64 && last->base + last->size > HOST_GLOBALS_32) {
		diag_report(&m->s->diags, DIAG_LAUNCH, src_at(0, 0),
		            "mapped memory ends above 0xc0000000, where a program with 32-bit addresses has its variables");
		return false;
	}
	sort_stable(&m->arena, m->region.p, m->region.n, sizeof *m->region.p, by_base, NULL);
	merge_mapped(m);
	for (u32 i = 0; i + 1 < m->region.n; i++)
		if (m->region.p[i + 1].base - m->region.p[i].base < m->region.p[i].size) {
			diag_report(&m->s->diags, DIAG_LAUNCH, src_at(0, 0), "mapped memory overlaps variables of the program");
			return false;
		}
	if (m->region.n == 0)
		add_region(m, (Region){GLOBAL_START_64, 0, NULL, STR("nothing"), true});
	return true;
}

static bool place_parameters(SimtMachine *m, const SimtFunc *f)
{
	const SimtLaunch *l = &m->launch;
	if (l->params_size < f->param_size) {
		Str why = arena_fmt(&m->arena, "'%.*s' has %llu bytes of parameters; the launch gives %llu", STR_ARG(f->name),
		                    (unsigned long long)f->param_size, (unsigned long long)l->params_size);
		diag_report(&m->s->diags, DIAG_LAUNCH, src_at(0, 0), why.p);
		return false;
	}
	m->param_size = PS_MAX(f->param_size, (u64)8);
	m->param = arena_alloc(&m->arena, m->param_size, 16);
	bytes_copy(m->param, l->params, (size_t)f->param_size);
	return true;
}

static bool place_arguments(SimtMachine *m)
{
	const SimtFunc   *f = &m->p->func.p[m->entry];
	const SimtLaunch *l = &m->launch;
	if (l->params)
		return place_parameters(m, f);
	if (l->arg.n != f->arg.n) {
		diag_report(&m->s->diags, DIAG_LAUNCH_ARGS, src_at(0, 0), (int)f->name.n, f->name.p, f->arg.n, l->arg.n);
		return false;
	}
	m->param_size = PS_MAX(f->param_size, (u64)8);
	m->param = arena_alloc(&m->arena, m->param_size, 16);
	for (u32 i = 0; i < l->arg.n; i++)
		bytes_copy(m->param + f->arg.p[i].offset, l->arg.p[i].bytes, PS_MIN(l->arg.p[i].size, f->arg.p[i].size));
	for (u32 i = 0; i < l->fix.n; i++) {
		const SimtArgFix *x = &l->fix.p[i];
		u64               v = x->texture ? handle_of(m, x->index) : l->buffer.p[x->index].address + x->offset;
		u32               size = f->arg.p[x->arg].size;
		if (x->at < size)
			memcpy(m->param + f->arg.p[x->arg].offset + x->at, &v, PS_MIN(8u, size - x->at));
	}
	return true;
}

static void no_such_kernel(SimtProgram *p, Str name)
{
	Diag *d = diag_report(&p->s->diags, DIAG_LAUNCH_KERNEL, src_at(0, 0), (int)name.n, name.p);
	Text  list;
	text_init(&list, p->arena);
	for (u32 i = 0; i < p->func.n && list.n < 200; i++)
		if (p->func.p[i].is_kernel && p->func.p[i].has_body)
			text_f(&list, "%s%.*s", list.n ? ", " : "", STR_ARG(p->func.p[i].name));
	if (list.n)
		diag_hint(&p->s->diags, d, "the program's kernels: %.*s", (int)list.n, list.p);
}

/* What launch and kernel ask for, and the sizes that follow. */
static bool within_limits(SimtMachine *m)
{
	const SimtLaunch *l = &m->launch;
	const SimtFunc   *f = &m->p->func.p[m->entry];
	u64               threads = size_mul(size_mul(l->block[0], l->block[1]), l->block[2]);
	u64               blocks = size_mul(size_mul(l->grid[0], l->grid[1]), l->grid[2]);
	u64               own = f->shared_end ? PS_MIN(size_align(f->shared_end, 16), m->p->shared_end) : m->p->shared_end;
	u64               shared = size_add(own, l->shared_bytes);
	if (!simt_within(m->s, SIMT_LIMIT_THREADS, threads, STR("block"), 0) ||
	    !simt_within(m->s, SIMT_LIMIT_BLOCK_Z, l->block[2], STR("block"), 0) ||
	    !simt_within(m->s, SIMT_LIMIT_BLOCKS, blocks, STR("grid"), 0) ||
	    !simt_within(m->s, SIMT_LIMIT_GRID_YZ, PS_MAX(l->grid[1], l->grid[2]), STR("grid"), 0) ||
	    !simt_within(m->s, SIMT_LIMIT_SHARED, shared - SHARED_START, f->name, f->line) ||
	    !simt_within(m->s, SIMT_LIMIT_PARAM, f->param_size, f->name, f->line))
		return false;
	for (u32 i = 0; i < l->texture.n && !m->p->windows; i++) {
		const SimtTexture *t = &l->texture.p[i];
		bool               empty = !t->width || !t->height || !t->depth || !t->channels;
		if (empty || t->buffer >= l->buffer.n || simt_texture_bytes(t) > l->buffer.p[t->buffer].size) {
			diag_report(&m->s->diags, DIAG_LAUNCH, src_at(0, 0), "a texture is empty, or larger than its buffer");
			return false;
		}
	}
	if (!cluster_set_up(m))
		return false;
	blocks = size_mul(size_mul(m->launch.grid[0], m->launch.grid[1]), m->launch.grid[2]);
	if (!simt_within(m->s, SIMT_LIMIT_BLOCKS, blocks, STR("grid"), 0))
		return false;
	m->threads = (u32)threads;
	m->warps = (m->threads + LANES - 1) / LANES;
	m->blocks = (u32)blocks;
	m->clusters = m->blocks / m->cluster_size;
	m->shared_own = own;
	m->shared_size = l->shared_bytes ? m->p->shared_end + l->shared_bytes : own;
	return true;
}

SimtMachine *simt_new(SimtProgram *p, const SimtLaunch *l, const SimtOptions *o)
{
	Arena own; /* of the machine and of all that it holds */
	arena_init(&own, &p->s->budget);
	SimtMachine *m = arena_new(&own, SimtMachine);
	*m = (SimtMachine){.p = p, .wide = simt_wide(), .launch = *l, .o = *o, .s = p->s, .arena = own};
	m->scratch = arena_array(&m->arena, u32, 4 * LANES);
	m->heap = l->heap ? l->heap : simt_heap_new(&m->arena, &m->arena);
	text_init(&m->printed, &m->arena);
	m->entry = simt_func_find(p, l->kernel);
	if (m->entry == ~0u || !p->func.p[m->entry].has_body || !p->func.p[m->entry].is_kernel) {
		no_such_kernel(p, l->kernel);
		simt_free(m);
		return NULL;
	}
	if (!within_limits(m)) {
		simt_free(m);
		return NULL;
	}
	place_symbols(m);
	place_buffers(m);
	place_workspace(m);
	if (o->watch && o->watch_buffer < m->buffer.n)
		m->watched = m->buffer.p[o->watch_buffer] + o->watch_byte;
	if (!sort_regions(m) || !place_arguments(m)) {
		simt_free(m);
		return NULL;
	}
	if (o->profile)
		m->count = arena_array(&m->arena, SimtCount, p->code.n);
	if (o->sanitize)
		sanitize_new(m);
	if (!m->o.max_steps)
		m->o.max_steps = DEFAULT_STEPS;
	if (!m->o.quantum)
		m->o.quantum = QUANTUM;
	simt_compile(m, 0);
	return m;
}

void simt_free(SimtMachine *m)
{
	Arena own = m->arena;
	if (m->jobs)
		jobs_free(m->jobs);
	arena_free(&own);
}

/* ---- blocks */

static Block *block_new(SimtMachine *m)
{
	Block *b = arena_new(&m->arena, Block);
	b->warp = arena_array(&m->arena, Warp, m->warps);
	b->shared = arena_alloc(&m->arena, m->shared_size, 64);
	red_zone(b->shared, SHARED_START);
	return b;
}

static void block_start(SimtMachine *m, Cluster *c, u32 rank)
{
	Block *b = m->spare_block ? m->spare_block : block_new(m);
	m->spare_block = m->spare_block ? b->next : NULL;
	cluster_join(m, c, b, rank);
	b->n_warps = m->warps;
	b->warps_done = b->turn = 0;
	b->threads_live = m->threads;
	b->steps = b->share = 0;
	b->quantum = schedule_quantum(m, m->o.quantum);
	b->done = false;
	memset(b->shared + SHARED_START, 0xCD, (size_t)m->shared_own - SHARED_START);
	if (m->launch.shared_bytes)
		memset(b->shared + m->p->shared_end, 0xCD, m->launch.shared_bytes);
	memset(b->barrier, 0, sizeof b->barrier);
	async_forget(b);
	tmem_forget(b);
	block_enter(m, b);
	if (m->san)
		sanitize_block_start(m, b);
	for (u32 i = 0; i < b->n_warps; i++) {
		b->warp[i].number = i;
		m->cur_warp = &b->warp[i];
		warp_start(m, &b->warp[i]);
	}
	vec_push(&m->arena, &m->block, b);
}

/* All blocks of the next cluster. */
static void start_cluster(SimtMachine *m)
{
	Cluster *c = cluster_start(m);
	for (u32 rank = 0; c && rank < m->cluster_size; rank++)
		block_start(m, c, rank);
}

static void deadlock(SimtMachine *m, Block *b)
{
	u32 waiting = 0, first = ~0u;
	for (u32 k = 0; k < b->n_warps; k++)
		for (u32 i = 0; i < b->warp[k].path.n; i++) {
			waiting += b->warp[k].path.p[i].state == PATH_AT_BARRIER ? lane_count(b->warp[k].path.p[i].mask) : 0;
			if (first == ~0u && b->warp[k].path.p[i].state != PATH_READY)
				first = k;
		}
	Warp *w = &b->warp[first == ~0u ? 0 : first];
	Path *p = &w->path.p[0];
	while (p->state == PATH_READY && p + 1 < w->path.p + w->path.n)
		p++;
	block_enter(m, b);
	m->cur_warp = w;
	m->cur_insn = &m->p->code.p[p->pc];
	if (p->state == PATH_AT_SYNC && m->cur_insn->op == S_BAR) {
		simt_fail(m, FAULT_BARRIER, first_lane(p->mask), "barrier reached by %u of the warp's %u threads",
		          lane_count(p->mask), lane_count(w->live));
		return;
	}
	if (p->state == PATH_AT_SYNC) {
		simt_fail(m, FAULT_SYNC_MASK, first_lane(p->mask), "lanes 0x%08x wait for lanes 0x%08x, which never come here",
		          p->mask, p->member & w->live & ~p->mask);
		return;
	}
	if (p->member == CLUSTER_BARRIER) {
		simt_fail(m, FAULT_DEADLOCK, first_lane(p->mask),
		          "%u of %u threads have come to the cluster's barrier; nobody is left to come", b->cluster->arrived,
		          cluster_threads(b->cluster));
		return;
	}
	const Barrier *bar = &b->barrier[p->member];
	u32            wanted = bar->expected ? bar->expected : b->threads_live;
	simt_fail(
		m, FAULT_DEADLOCK, first_lane(p->mask),
		"%u of %u threads have come to barrier %u; nobody is left to come (%u threads wait, %u of the block have ended)",
		bar->arrived, wanted, p->member, waiting, m->threads - b->threads_live);
}

static void next_turn(SimtMachine *m, Block *b)
{
	b->turn = b->turn + 1 == b->n_warps ? 0 : b->turn + 1;
	b->quantum = schedule_quantum(m, m->o.quantum);
}

static void preempt(SimtMachine *m, Block *b)
{
	if (schedule_preempts(m))
		b->turn = schedule_next(m, b->turn, b->n_warps);
	b->quantum = schedule_quantum(m, m->o.quantum);
}

/* Runs the block's warps in turn, until its share or the budget is used up. */
static void block_run(SimtMachine *m, Block *b, u64 *budget)
{
	u32 idle = 0;
	u64 given = PS_MIN(*budget, b->share), left = given;
	while (left && !m->faulted && !m->stopped && b->warps_done < b->n_warps) {
		Warp *w = &b->warp[b->turn];
		if (w->done) {
			next_turn(m, b);
			continue;
		}
		bool single = m->watch.single && m->watch.block == b->number && m->watch.warp == w->number;
		u64  quantum = single ? 1 : PS_MIN(left, b->quantum), before = quantum;
		Ran  ran = warp_run(m, b, w, &quantum);
		u64  used = before - quantum;
		left -= used;
		b->quantum -= used;
		m->stopped |= single && (used || ran == RAN_ENDED);
		if (ran == RAN_ENDED) {
			w->done = true;
			b->warps_done++;
		}
		if (ran != RAN_BUDGET)
			next_turn(m, b);
		else if (b->quantum == 0)
			preempt(m, b);
		idle = ran == RAN_WAITS && !used ? idle + 1 : 0;
		if (idle > b->n_warps) {
			b->stuck = true;
			break;
		}
	}
	if (given != left)
		for (u32 i = 0; i < m->cluster_size; i++)
			if (b->cluster->block[i] && b->cluster->block[i] != b)
				b->cluster->block[i]->stuck = false; /* they may have waited for this one */
	b->steps += given - left;
	b->share -= given - left;
	if (b->stuck)
		b->share = 0;
	*budget -= given - left;
}

static bool may_start(SimtMachine *m)
{
	if (m->job ? !jobs_has_cluster(m->job) : m->next_cluster == m->clusters)
		return false;
	if (m->block.n == 0 || schedule_starts_block(m))
		return true;
	u64 least = ~(u64)0;
	for (u32 i = 0; i < m->block.n; i++)
		if (!m->block.p[i]->stuck)
			least = PS_MIN(least, m->block.p[i]->steps);
	return m->block.n + m->cluster_size <= MAX_RESIDENT && (m->launch.cooperative || least > BLOCK_PATIENCE);
}

static void block_finish(SimtMachine *m, u32 at)
{
	Block *b = m->block.p[at];
	if (m->san)
		sanitize_block_end(m, b);
	cluster_leave(m, b);
	b->next = m->spare_block;
	m->spare_block = b;
	for (u32 i = at; i + 1 < m->block.n; i++)
		m->block.p[i] = m->block.p[i + 1];
	m->block.n--;
	m->blocks_done++;
}

Block *simt_block(SimtMachine *m)
{
	if (m->turn < m->block.n && m->block.p[m->turn]->share)
		return m->block.p[m->turn];
	if (may_start(m))
		start_cluster(m);
	if (!m->block.n)
		return NULL;
	m->turn = m->turn < m->block.n ? m->turn : 0;
	/* Blocks of a cluster wait for each other more often than others do. */
	m->block.p[m->turn]->share = schedule_quantum(m, m->o.quantum) * (m->cluster_size > 1 ? m->warps : (u32)BLOCK_TURN);
	return m->block.p[m->turn];
}

SimtStatus simt_run(SimtMachine *m, u64 budget)
{
	if (jobs_start(m))
		return jobs_run(m, budget);
	m->stopped = false;
	while (!m->faulted && m->blocks_done < m->blocks) {
		if (budget == 0)
			return SIMT_RUNNING;
		if (m->steps >= m->o.max_steps) {
			simt_locate(m);
			simt_fail(m, FAULT_STEPS, 0, "stopped after %llu warp instructions", (unsigned long long)m->steps);
			break;
		}
		Block *b = simt_block(m);
		if (m->faulted || !b)
			break;
		u64 slice = PS_MIN(budget, m->o.max_steps - m->steps), left = slice;
		block_run(m, b, &left);
		budget -= slice - left;
		m->steps += slice - left;
		if (!m->compiled)
			simt_compile(m, slice - left);
		if (b->stuck && cluster_is_stuck(b->cluster))
			deadlock(m, b);
		if (b->warps_done == b->n_warps && !async_finish(m, b))
			break;
		if (b->warps_done == b->n_warps)
			block_finish(m, m->turn);
		else if (b->share == 0 && (b->stuck || schedule_preempts(m)))
			m->turn = schedule_next(m, m->turn, m->block.n + 1);
		if (m->stopped)
			break;
	}
	if (m->stopped && !m->faulted && m->blocks_done < m->blocks)
		return SIMT_RUNNING;
	if (m->san && !m->faulted)
		sanitize_end(m);
	return m->faulted ? SIMT_FAULTED : SIMT_DONE;
}

/* ---- what came of it */

const SimtFault  *simt_fault(const SimtMachine *m) { return m->faulted ? &m->fault : NULL; }
const SimtStats  *simt_stats(const SimtMachine *m) { return &m->stats; }
const SimtCount  *simt_counts(const SimtMachine *m) { return m->count; }
const SimtSource *simt_source(const SimtMachine *m, u32 insn) { return simt_source_of(m->p, insn); }
Str               simt_printed(const SimtMachine *m) { return text_str(&m->printed); }
u8               *simt_buffer(const SimtMachine *m, u32 index) { return m->buffer.p[index]; }
const SimtWriter *simt_writer(const SimtMachine *m) { return m->written ? &m->writer : NULL; }
f64               simt_progress(const SimtMachine *m) { return m->blocks ? (f64)m->blocks_done / (f64)m->blocks : 1; }
