/* metrics.c: prints what the analyses of machine code say about each block, see metrics.h. */
#include "mir/metrics.h"

#include "mir/deps.h"
#include "mir/divergence.h"
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

/* Of the registers that the block defines: all, and those that differ between threads. */
static void print_divergence(Text *out, const MirFunc *f, MirBlockId b, const MirDivergence *d)
{
	u32 n = 0, divergent = 0;
	mir_each_inst(f, b, i)
		for (u32 k = 0; k < mir_inst(f, i)->n_ops; k++)
			if (mir_op_is_def(mir_op(f, i, k))) {
				n++;
				divergent += mir_is_divergent(d, mir_op_reg(mir_op(f, i, k)));
			}
	text_f(out, ", divergent definitions %u of %u%s", divergent, n,
	       mir_branch_is_divergent(d, b) ? ", divergent branch" : "");
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
		text_f(out, ", loop depth %u, critical path %u cycles of %u instructions, memory dependences %u",
		       loop_depth(loops, cfg->node[b.i]), t.length, t.issued, memory_edges(d));
		print_divergence(out, f, b, mir_divergence(cx));
		text_c(out, '\n');
	}
}
