/* machine.c: look-ups in machine.def. A target without rows of its own gets those of the newest older machine. */
#include "isa/machine.h"

enum {
#define MACHINE(sm, name, registers, per_thread, predicates, warps, schedulers, source) MACHINE_##sm,
#define COST(sm, unit, latency, from, lanes, source)
#define SPACE(sm, space, latency, source)
#include "isa/machine.def"
	MACHINE_COUNT
};

static const IsaMachine machine[MACHINE_COUNT] = {
#define MACHINE(sm, name, registers, per_thread, predicates, warps, schedulers, source) \
	{name, source, registers, sm, per_thread, predicates, warps, schedulers},
#define COST(sm, unit, latency, from, lanes, source)
#define SPACE(sm, space, latency, source)
#include "isa/machine.def"
};

typedef struct CostRow {
	const char *source;
	u16         latency, lanes;
} CostRow;

static const CostRow cost[MACHINE_COUNT][UNIT_COUNT] = {
#define MACHINE(sm, name, registers, per_thread, predicates, warps, schedulers, source)
#define COST(sm, unit, latency, from, lanes, source) [MACHINE_##sm][UNIT_##unit] = {from, latency, lanes},
#define SPACE(sm, space, latency, source)
#include "isa/machine.def"
};

enum { N_SPACES = 64 };
_Static_assert(TOK_space_shared_cluster < (int)N_SPACES && TOK_space_param < (int)N_SPACES, "room for every space");

static const u16 space[MACHINE_COUNT][N_SPACES] = {
#define MACHINE(sm, name, registers, per_thread, predicates, warps, schedulers, source)
#define COST(sm, unit, latency, from, lanes, source)
#define SPACE(sm, space, latency, source) [MACHINE_##sm][TOK_space_##space] = latency,
#include "isa/machine.def"
};

const IsaMachine *isa_machine(u32 sm)
{
	u32 k = 0;
	while (k + 1 < MACHINE_COUNT && machine[k + 1].sm <= sm)
		k++;
	return &machine[k];
}

/* Variants of a space (shared::cta, param::entry) load as it does; generic addresses as global ones. */
static u32 load_latency(u32 m, u32 token)
{
	if (space[m][token])
		return space[m][token];
	if (token == TOK_space_shared_cta || token == TOK_space_shared_cluster)
		return space[m][TOK_space_shared];
	return space[m][TOK_space_global];
}

IsaCost isa_cost(const IsaMachine *mm, const IsaDesc *d)
{
	u32 m = (u32)(mm - machine), unit = d->unit;
	if (d->flags & IF_META)
		return (IsaCost){0, 0};
	if (unit == UNIT_NONE) /* generic: a move, or what becomes one */
		return (IsaCost){cost[m][UNIT_ALU].latency, (u16)(128 / cost[m][UNIT_ALU].lanes)};
	const CostRow *r = &cost[m][unit];
	u32            latency = r->latency + d->extra;
	if (unit == UNIT_LSU && d->flags & IF_LOAD && d->eval == EV_ld)
		latency = load_latency(m, d->opc.slot[SLOT_space]);
	return (IsaCost){(u16)latency, (u16)PS_MAX(128u / r->lanes, 1u)};
}

const char *isa_cost_source(const IsaMachine *m, IsaUnit unit)
{
	const CostRow *r = &cost[m - machine][unit];
	return r->lanes ? r->source : "";
}

u32 isa_registers_for_warps(const IsaMachine *m, u32 warps)
{
	u32 each = m->registers / 32 / PS_MAX(warps, 1) / 8 * 8;
	return PS_MIN(each, m->registers_per_thread);
}
