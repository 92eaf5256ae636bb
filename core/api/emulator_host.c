/* emulator_host.c: the emulator's part of ptxscope.h for host memory mode: which memory of the process kernels may access, and what is
 * in a program.
 *
 * The table of mapped ranges is sorted by address and has no overlaps; a launch takes it over as regions of the machine, whose accesses
 * are checked against them (simt/memory.c). Mapping is a binary search and moves what lies above: appending costs nothing. */
#include "api/emulator.h"

#include <stdlib.h>

PsStatus ps_emulator_host_memory(PsEmulator *e, bool on)
{
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	e->host_memory = on;
	return PS_STATUS_DONE;
}

PsStatus ps_emulator_place_managed(PsEmulator *e, PsPlaceManaged place, void *user)
{
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	e->in_host = (SimtInHost){place, user};
	return PS_STATUS_DONE;
}

/* The first range that ends above the address. */
static u32 mapped_above(const PsEmulator *e, u64 address)
{
	u32 lo = 0, hi = e->n_mapped;
	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (e->mapped[mid].base + e->mapped[mid].size <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool overlaps(u64 base, u64 size, u64 other, u64 other_size) { return base < other + other_size && other < base + size; }

/* Only machines in host memory mode have what is mapped. */
static void end_host_launch(PsEmulator *e)
{
	if (e->program && e->program->windows)
		emulator_end_launch(e);
}

PsStatus ps_emulator_map(PsEmulator *e, void *pointer, size_t size, unsigned rights)
{
	return ps_emulator_map_at(e, (u64)(uintptr_t)pointer, pointer, size, rights);
}

PsStatus ps_emulator_map_at(PsEmulator *e, uint64_t base, void *pointer, size_t size, unsigned rights)
{
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	if (!pointer || !base)
		return emulator_refuse(e, NULL_POINTER);
	if (!size || base >= HOST_WINDOWS || size > HOST_WINDOWS - base)
		return emulator_refuse(e, "a range to map has at least one byte and ends below 2^60\n");
	if (!(rights & PS_READ) || rights & ~(unsigned)(PS_READ | PS_WRITE))
		return emulator_refuse(e, "rights are PS_READ, or PS_READ | PS_WRITE\n");
	u32 at = mapped_above(e, base);
	if (at < e->n_mapped && overlaps(base, size, e->mapped[at].base, e->mapped[at].size))
		return emulator_refuse(e, "the range overlaps one that is mapped\n");
	for (u32 i = 0; e->program && i < e->program->symbol.n; i++) {
		const SimtSymbol *s = &e->program->symbol.p[i];
		if (s->host && overlaps(base, size, s->address, s->size))
			return emulator_refuse(e, "the range overlaps a variable of the program\n");
	}
	if (e->n_mapped == e->room_mapped) {
		u32         room = e->room_mapped ? 2 * e->room_mapped : 16;
		SimtMapped *more = room > e->room_mapped ? realloc(e->mapped, room * sizeof *more) : NULL;
		if (!more)
			return emulator_refuse(e, "out of memory\n"), PS_STATUS_MEMORY;
		e->mapped = more;
		e->room_mapped = room;
	}
	end_host_launch(e);
	memmove(e->mapped + at + 1, e->mapped + at, (e->n_mapped - at) * sizeof *e->mapped);
	e->mapped[at] = (SimtMapped){.base = base, .size = size, .host = pointer, .read_only = !(rights & PS_WRITE)};
	e->n_mapped++;
	return PS_STATUS_DONE;
}

PsStatus ps_emulator_unmap(PsEmulator *e, const void *pointer)
{
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	u64 base = (u64)(uintptr_t)pointer;
	u32 at = mapped_above(e, base);
	if (pointer && (at == e->n_mapped || e->mapped[at].base != base))
		return emulator_refuse(e, "no range that is mapped begins there\n");
	end_host_launch(e);
	if (!pointer) {
		e->n_mapped = 0;
		return PS_STATUS_DONE;
	}
	memmove(e->mapped + at, e->mapped + at + 1, (e->n_mapped - at - 1) * sizeof *e->mapped);
	e->n_mapped--;
	return PS_STATUS_DONE;
}

uint64_t ps_texture_handle(size_t i) { return HOST_WINDOWS + HANDLE_WINDOW + 64 * ((u64)i + 1); }

/* ---- what is in a program */

static const SimtFunc *kernel_of(const PsEmulator *e, const char *name)
{
	for (u32 i = 0; e && e->program && name && i < e->program->func.n; i++) {
		const SimtFunc *f = &e->program->func.p[i];
		if (f->is_kernel && f->has_body && str_is(f->name, name))
			return f;
	}
	return NULL;
}

bool ps_emulator_kernel_named(const PsEmulator *e, const char *name, PsKernel *out)
{
	const SimtFunc *f = kernel_of(e, name);
	if (!f || !out)
		return false;
	const SimtProgram *p = e->program;
	*out = (PsKernel){.name = f->name.p,
	                  .params_size = f->param_size,
	                  .n_params = f->arg.n,
	                  .shared_bytes = (u32)((f->shared_end ? f->shared_end : p->shared_end) - SHARED_START),
	                  .const_bytes = (u32)(p->const_end - CONST_WINDOW - 256),
	                  .local_bytes = f->local,
	                  .registers = f->rows,
	                  .max_threads = f->max_threads};
	return true;
}

bool ps_emulator_parameter(const PsEmulator *e, const char *kernel, uint32_t i, size_t *offset, size_t *size)
{
	const SimtFunc *f = kernel_of(e, kernel);
	if (!f || i >= f->arg.n || !offset || !size)
		return false;
	*offset = f->arg.p[i].offset;
	*size = f->arg.p[i].size;
	return true;
}

bool ps_emulator_variable(const PsEmulator *e, uint32_t i, PsVariable *out)
{
	for (u32 k = 0; e && out && e->program && k < e->program->symbol.n; k++) {
		const SimtSymbol *s = &e->program->symbol.p[k];
		if ((s->space != SPACE_GLOBAL && s->space != SPACE_CONST) || i-- != 0)
			continue;
		*out = (PsVariable){.name = s->name.p,
		                    .size = (size_t)s->size,
		                    .constant = s->space == SPACE_CONST,
		                    .managed = s->managed,
		                    .bytes = s->host,
		                    .address = s->address};
		return true;
	}
	return false;
}

/* ---- memory of malloc that launches share */

PsHeap *ps_heap_new(void) { return calloc(1, sizeof(PsHeap)); }

void ps_heap_free(PsHeap *h)
{
	if (h)
		budget_free(&h->budget);
	free(h);
}

bool ps_heap_limit(PsHeap *h, size_t bytes)
{
	if (!h || (h->heap && !simt_heap_limit(h->heap, bytes)))
		return false;
	h->limit = bytes;
	return true;
}

typedef struct Teller {
	void (*tell)(void *user, const PsLeak *leak);
	void *user;
} Teller;

static void tell_leak(void *teller, const SimtLeak *x)
{
	const Teller *t = teller;
	PsLeak leak = {.kernel = x->kernel.p, .line = x->line, .address = x->address, .bytes = x->bytes, .blocks = x->blocks};
	memcpy(leak.block, x->block, sizeof leak.block);
	memcpy(leak.thread, x->thread, sizeof leak.thread);
	t->tell(t->user, &leak);
}

void ps_heap_leaks(const PsHeap *h, void (*tell)(void *user, const PsLeak *leak), void *user)
{
	if (h && h->heap)
		simt_heap_leaks(h->heap, tell_leak, &(Teller){tell, user});
}

SimtHeap *emulator_shared_heap(PsEmulator *e, PsHeap *h)
{
	h->budget.exhausted = e->c.s.budget.exhausted;
	h->budget.user = e->c.s.budget.user;
	if (!h->heap) {
		arena_init(&h->held, &h->budget);
		arena_init(&h->bytes, &h->budget);
		SimtHeap *heap = simt_heap_new(&h->held, &h->bytes);
		h->heap = heap;
		if (h->limit)
			simt_heap_limit(heap, h->limit);
	}
	return h->heap;
}
