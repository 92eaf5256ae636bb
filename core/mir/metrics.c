#include "mir/metrics.h"

#include "mir/deps.h"
#include "mir/freq.h"

/* In thousandths, rounded to the nearest: no conversion of the C library is asked. */
static void print_frequency(Text *out, f64 freq)
{
	u64 n = freq < 1e15 ? (u64)(freq * 1000 + 0.5) : (u64)1000000000000000000;
	text_f(out, "%llu.%03u", (unsigned long long)(n / 1000), (u32)(n % 1000));
}

static u32 memory_edges(const MirDeps *d)
{
	u32 n = 0;
	for (u32 i = 0; i < d->dep.n; i++)
		n += d->dep.p[i].kind == DEP_MEMORY;
	return n;
}

void mir_metrics_print(PassCx *cx, Text *out)
{
	MirFunc          *f = mir_pass_func(cx);
	const MirFreq    *freq = mir_freq(cx);
	const MirCfg     *cfg = mir_cfg(cx);
	const Loops      *loops = mir_loops(cx);
	const IsaMachine *machine = isa_machine(cx->s->target.sm);
	text_f(out, "machine metrics of '%.*s' on %s:\n", STR_ARG(strtab_get(&cx->s->strs, f->name)), machine->name);
	mir_each_block(f, b) {
		MirStretch s = {.f = f, .block = b, .machine = machine};
		MirDeps   *d = mir_deps_build(&s, cx->scratch);
		MirTrace   t = mir_deps_trace(d, f, machine, cx->scratch);
		text_f(out, "  bb.%u: frequency ", mir_block(f, b)->number);
		print_frequency(out, freq->block[b.i]);
		text_f(out, ", loop depth %u, critical path %u cycles of %u instructions, memory dependences %u\n",
		       loop_depth(loops, cfg->node[b.i]), t.length, t.issued, memory_edges(d));
	}
}
