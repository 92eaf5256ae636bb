/* entry-sink: threads that leave early do not compute what they never use.
 *
 *	bb.0:                                      bb.0:
 *	  %1 = LD_param_u64 &k_param_0, 0            %3 = SETP_ge_s32rr …
 *	  %3 = SETP_ge_s32rr …               →       CBranch %3, %bb.9
 *	  CBranch %3, %bb.9                        bb.1:
 *	bb.1: …                                      %1 = LD_param_u64 &k_param_0, 0
 *
 * Selection computes in the entry block what arguments are and what follows from them. This pass is machine-sink for that
 * block alone: it runs by default, where machine-sink (the documented pass, which moves what any block computes) does not.
 *
 * A loop that the entry block branches to directly, as a loop over a grid is entered or skipped, offers no such place. It gets a
 * block of its own in front, which branch-folder removes again where nothing has moved there. */
#include "mir/cfg.h"
#include "mirpass/mirpass.h"

/* The edge `from` → `header` gets a block of its own. */
static void make_preheader(MirFunc *f, MirBlockId from, MirBlockId header)
{
	MirBlockId pre = mir_block_new(f, (StrId){0}, 0);
	MirBranch  br = mirpass_branch(f, from);
	mir_block_move(f, pre, (MirBlockId){mir_block(f, from)->next});
	if (br.cond.i && br.taken.i == header.i)
		mir_op_set_block(f, br.cond, mir_inst(f, br.cond)->n_ops - 1u, pre);
	if (br.uncond.i && br.other.i == header.i)
		mir_op_set_block(f, br.uncond, mir_inst(f, br.uncond)->n_ops - 1u, pre);
	if (!br.uncond.i && br.taken.i == header.i) /* it falls through to the block that now stands behind the new one */
		mirpass_jump(f, from, (MirBlockId){mir_block(f, pre)->next}, mir_inst(f, br.cond)->origin);
	mirpass_jump(f, pre, header, mir_inst(f, br.cond)->origin);
	mir_edge_redirect(f, from, header, pre);
	mir_edge_add(f, pre, header, MIR_PROB_ONE);
	mir_each_inst(f, header, i) {
		if (!mir_is(f, i, IF_PHI))
			break;
		for (u32 n = 1; n + 1u < mir_inst(f, i)->n_ops; n += 2)
			if (mir_op(f, i, n + 1)->ref == from.i)
				mir_op_set_block(f, i, n + 1, pre);
	}
}

/* A loop that the entry block branches around begins with a block in front of it, so that there is a place for what only the loop
 * reads. */
static bool make_preheaders(PassCx *cx)
{
	MirFunc      *f = mirpass_func(cx);
	const MirCfg *cfg = mir_cfg(cx);
	const Loops  *loops = mir_loops(cx);
	MirBlockId    entry = {f->first_block};
	MirBranch     br = mirpass_branch(f, entry);
	bool          changed = false;
	if (!br.known || !br.cond.i || mir_block(f, entry)->n_succs < 2)
		return false;
	for (u32 l = 0; l < loops->n; l++)
		if (loop_entering(&cfg->g, loops, l) == cfg->node[entry.i]) {
			make_preheader(f, entry, (MirBlockId){cfg->block[loops->loop[l].header]});
			changed = true;
		}
	if (changed)
		pass_invalidate(cx, 0);
	return changed;
}

static bool run(PassCx *cx)
{
	if (!(mirpass_func(cx)->props & MP_SSA))
		return false;
	bool changed = make_preheaders(cx);
	return mirpass_sink(cx, true) || changed;
}

const Pass mirpass_entry_sink = {
	.id = "entry-sink",
	.title = "Sink what threads that leave early do not use",
	.summary = "Moves loads of arguments, and instructions that depend on them, below the guard of a kernel.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_entry_sink,
	.knobs = mirpass_sink_knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
