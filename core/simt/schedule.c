/* schedule.c: other orders of warps and blocks, chosen by a seed (SimtSchedule). Everything that is chosen is a function of the seed and
 * of how often was chosen before, so a seed gives one order on every host. A preemption is where a warp or a block that could go on
 * gives way to another; which of them are made can be chosen, so that the fewest that show a fault can be found. */
#include "simt/machine.h"

enum { SHORT = 48, LONG = 2048, BLOCKS_AT_ONCE = 8 };

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static u64 choose(SimtMachine *m)
{
	u64 z = m->o.schedule.seed + ++m->choices * 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static bool is_spent(const SimtMachine *m) { return m->preemptions >= m->o.schedule.last; }

u64 schedule_quantum(SimtMachine *m, u64 otherwise)
{
	if (!m->o.schedule.by_seed)
		return otherwise;
	return is_spent(m) ? LONG : 1 + choose(m) % SHORT;
}

bool schedule_preempts(SimtMachine *m)
{
	const SimtSchedule *s = &m->o.schedule;
	u32                 i = m->preemptions;
	if (!s->by_seed)
		return true;
	bool made = !is_spent(m) && !(i < s->n_skip && s->skip[i]);
	m->preemptions += !is_spent(m);
	m->preempted += made;
	return made;
}

u32 schedule_next(SimtMachine *m, u32 now, u32 n)
{
	if (m->o.schedule.by_seed && n > 1 && !is_spent(m))
		return (now + 1 + (u32)(choose(m) % (n - 1))) % n;
	return now + 1 >= n ? 0 : now + 1;
}

bool schedule_starts_block(SimtMachine *m)
{
	return m->o.schedule.by_seed && !is_spent(m) && m->block.n < BLOCKS_AT_ONCE && choose(m) % 2;
}

u32 simt_preemptions(const SimtMachine *m) { return m->preemptions; }
