/* postra-machine-sink: moves between registers go to the only successor that reads the result.
 *
 *	bb.0: %2 = MOVu32r %1                   bb.0:
 *	      @%p bra %bb.2            →              @%p bra %bb.2
 *	bb.1: … = ADDs32rr %2, %3               bb.1: %2 = MOVu32r %1
 *	                                              … = ADDs32rr %2, %3
 *
 * A move leaves its block if nothing behind it there reads or writes its result or writes its source, its result is alive (live
 * ranges) at the start of exactly one successor, and that has no other predecessor. Its source lives as long as its result did,
 * so no path needs more registers, and others one less.
 *
 * Blocks are walked from their ends. Sources of moves that have gone count as read behind, since the ranges are those of the
 * beginning. Keeps the control flow. Cost: instructions, and the live ranges where there is a candidate. */
#include "mir/liverange.h"
#include "mirpass/mirpass.h"

typedef struct Sink {
	PassCx          *cx;
	MirFunc         *f;
	const MirRanges *ranges; /* NULL: not needed yet */
	u32             *read;   /* by register: the block behind whose place at hand it is read … */
	u32             *written;
	bool             changed;
} Sink;

static bool is_live_into(Sink *s, MirReg r, MirBlockId b)
{
	if (!s->ranges)
		s->ranges = mir_ranges(s->cx);
	return mir_range_at(s->ranges, mir_range(s->ranges, r), mir_slot_start(s->ranges->slots, b)) != NULL;
}

/* The only successor that the register is alive in, if nothing else comes to it; 0: there is none. */
static MirBlockId reading_successor(Sink *s, MirBlockId b, MirReg r)
{
	MirBlockId only = {0};
	mir_each_succ(s->f, b, e) {
		if (!is_live_into(s, r, (MirBlockId){e->to}))
			continue;
		if (only.i || mir_block(s->f, (MirBlockId){e->to})->n_preds != 1)
			return (MirBlockId){0};
		only.i = e->to;
	}
	return only;
}

static void visit(Sink *s, MirBlockId b, MirInstId i)
{
	MirFunc *f = s->f;
	if (mirpass_is_move(f, i)) {
		MirReg     to = mir_op_reg(mir_op(f, i, 0)), from = mir_op_reg(mir_op(f, i, 1));
		bool       free = s->read[to.i] != b.i && s->written[to.i] != b.i && s->written[from.i] != b.i;
		MirBlockId at = free ? reading_successor(s, b, to) : (MirBlockId){0};
		if (at.i && at.i != b.i) {
			pass_remark(s->cx, REMARK_PASSED, mir_inst(f, i)->origin,
			            "a move of bb.%u is only read in bb.%u, and goes there", mir_block(f, b)->number,
			            mir_block(f, at)->number);
			mir_move(f, i, at, mir_first_non_phi(f, at));
			s->changed = true;
		}
	}
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (mir_is_virt(mir_op_reg(o)))
			(mir_op_is_def(o) ? s->written : s->read)[o->ref] = b.i;
	}
}

static bool run(PassCx *cx)
{
	Sink s = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(s.f, ISA_mov) && !mir_may_have(s.f, ISA_COPY))
		return false;
	s.read = arena_array(cx->scratch, u32, mir_vregs(s.f));
	s.written = arena_array(cx->scratch, u32, mir_vregs(s.f));
	mir_each_block(s.f, b)
		if (mir_block(s.f, b)->n_succs > 1)
			mir_each_inst_up(s.f, b, i)
				visit(&s, b, i);
	return s.changed;
}

const Pass mirpass_postra_machine_sink = {
	.id = "postra-machine-sink",
	.title = "PostRA Machine Sink",
	.summary = "Moves copies into the only successor that reads them",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.gate = KNOB_nvptx_enable_machine_sink,
	.disable = KNOB_disable_postra_machine_sink,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
