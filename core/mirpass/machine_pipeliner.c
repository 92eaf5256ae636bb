/* machine-pipeliner: the iterations of a loop overlap, so that a load of the next ones runs while this one computes.
 *
 *	bb.1:                                   P0:  ld %p; add %a; setp            iteration 0
 *	  ld   %p, [%a]                              @!%q bra D0
 *	  fma  %s, %p, %c, %s             →     K0:  ld %p'; fma %s, %p …           iteration k + 1 and k
 *	  add  %a, %a, 4                             add %a; setp; @!%q bra D1
 *	  setp %q, …                            K1:  ld %p; fma %s, %p' …; …        the same with the names changed round
 *	  @%q bra %bb.1                              @%q bra K0
 *	                                        D:   fma %s, %p …                   what has begun is finished
 *
 * Swing modulo scheduling, in the ten documented steps, each of which says in a remark what it has found: the dependence graph,
 * recurrences (RecMII), resources (ResMII), MII as the greater of the two, the order of nodes, the table, the windows of cycles,
 * selection, finalization, and the integration with the scheduler (ScheduleDAGMILive), which checks every dependence and describes
 * the stages. Intervals are tried from MII on, pipeliner-ii-search-range of them; the first with a schedule of no more than
 * pipeliner-max-stages stages, and within the register limit where that is looked at, is taken. sms.h lists
 * the files and names the source.
 *
 * Position and form. The documents put the pass behind allocation and block placement. Machine code is not in SSA form there, and
 * registers stay virtual: a reader in front of the one definition in the loop reads what the iteration before has written, which is
 * what a phi says in SSA form; and a new register for each iteration costs nothing. In front of phi-node-elimination the
 * copies of phis would be missing from the schedule, and the coalescer would join what the expansion has taken apart.
 *
 * Left alone, with a remark that says why: loops of several blocks or exits; with calls, barriers, fences, convergent operations,
 * volatile or ordered accesses and other effects; in which a register is written twice, or under a guard. Asynchronous copies are
 * scheduled: their order among each other and with their waits stays, and they count as loads, which come first. ptxas overlaps
 * iterations too, and after unrolling; enable-pipeliner says what that does to the comparison.
 *
 * Needs machine code without phis. All loops are scheduled before the first is expanded, so that analyses are made once. Keeps no
 * analysis; control flow stays reducible. Cost: a loop costs what sms_graph.c and sms_order.c say, and SMS_MOST_UNITS bounds it; so
 * the whole is linear in the function. */
#include "mirpass/sms.h"

enum {
	MOST_CODE =
		1 << 14, /* instructions that a loop may become: so fewer than 128 iterations overlap, and distances fit MirDep */
};

typedef struct Planned {
	SmsLoop    *l;
	SmsSchedule s;
} Planned;

typedef struct Pipeliner {
	PassCx  *cx;
	MirFunc *f;
	Vec(Planned) plan;
} Pipeliner;

/* ---- which loops ---- */

/* Why an instruction may not be in a pipelined loop; NULL: it may. */
static const char *reason_against(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirMem  *m = mir_mem(f, i);
	u32            flags = mir_inst(f, i)->flags;
	bool           copy = d->eval == EV_cp_async && !(flags & (MIF_NO_DUP | MIF_SIDE_EFFECT));
	if (d->flags & IF_CALL)
		return "it calls a function";
	if (d->flags & IF_CONVERGENT)
		return "it has a barrier or another convergent operation";
	if (d->flags & IF_FENCE && !copy)
		return "it has a fence";
	if (d->flags & IF_ATOMIC || (m && m->ordering >= MIR_MONOTONIC))
		return "it has an ordered access to memory";
	if (m && m->flags & MMF_VOLATILE)
		return "it has a volatile access to memory";
	if (d->opc.op == ISA_sreg && isa_sreg(d->opc.slot[SLOT_sreg])->divergence == DIV_VOLATILE)
		return "it reads a register that changes by itself";
	if (d->flags & (IF_CARRY_IN | IF_CARRY_OUT))
		return "it hands a carry on";
	if ((d->flags & IF_SIDE_EFFECTS && !copy) || flags & (MIF_NO_DUP | MIF_SIDE_EFFECT) ||
	    mir_inst(f, i)->desc == ISA_INLINEASM || d->flags & IF_PHI)
		return "it has an instruction with effects of its own";
	return NULL;
}

/* The same of its registers: each has one definition in the loop, which always writes. */
static const char *reason_in_registers(const MirFunc *f, MirInstId i, const Map *written)
{
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (o->kind == MO_REG && o->tie)
			return "a register is read and written at once";
		if (n < mir_desc(f, i)->n_operands && mir_desc(f, i)->operand[n].kind == IO_IMAGE && o->kind == MO_REG &&
		    map_or(written, o->ref, 0))
			return "an image handle is written";
		if (!mir_op_is_def(o))
			continue;
		if (!mir_is_virt(mir_op_reg(o)))
			return "a register of the machine is written";
		if (mir_desc(f, i)->opc.slot[SLOT_guard])
			return "a register is written under a guard";
		if (map_or(written, o->ref, 0) > 1)
			return "a register is written twice";
	}
	return NULL;
}

/* How the loop's block ends; NULL: fine. */
static const char *reason_in_branch(SmsLoop *l)
{
	const MirFunc  *f = l->f;
	const MirBlock *b = mir_block(f, l->block);
	l->branch = mirpass_branch(f, l->block);
	if (!l->branch.known || !l->branch.cond.i || b->n_succs != 2)
		return "its branch is not one way out of two";
	const MirOp *guard = mir_op(f, l->branch.cond, 0);
	MirBlockId   other = l->branch.uncond.i ? l->branch.other : (MirBlockId){b->next};
	bool         again = l->branch.taken.i == l->block.i, negated = mir_desc(f, l->branch.cond)->opc.slot[SLOT_guard] == 2;
	if (!mir_is_virt(mir_op_reg(guard)) || guard->flags & (MOF_NOT | MOF_UNDEF) || b->address_taken ||
	    f->first_block == l->block.i)
		return "its branch is not one way out of two";
	l->exit = again ? other : l->branch.taken;
	l->guard = mir_op_reg(guard);
	l->goes_on_where = again != negated;
	return NULL;
}

static const char *reason_in_block(const SmsLoop *l)
{
	const MirFunc *f = l->f;
	const char    *why = NULL;
	Map            written; /* registers: how often */
	map_init(&written, l->temp);
	mir_each_inst(f, l->block, i)
		for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
			if (mir_op_is_def(mir_op(f, i, n)))
				++*map_put(&written, mir_op(f, i, n)->ref, NULL);
	for (MirInstId i = {mir_block(f, l->block)->first}; i.i && !mir_is(f, i, IF_TERMINATOR) && !why; i = mir_next(f, i)) {
		why = reason_against(f, i);
		if (!why)
			why = reason_in_registers(f, i, &written);
	}
	return why;
}

static u32 line_of(const SmsLoop *l)
{
	MirInstId first = {mir_block(l->f, l->block)->first};
	return first.i ? mir_inst(l->f, first)->origin : 0;
}

/* ---- one loop: the ten steps ---- */

typedef struct Steps {
	SmsLoop    *l;
	SmsBounds   bounds;
	SmsPressure pressure;
	u32         mii, tried, line;
	u32         too_deep; /* stages of the first schedule that had too many; 0: none had */
} Steps;

static void say(const Steps *x, u32 number, const char *what, Str found)
{
	pass_remark(x->l->cx, REMARK_ANALYSIS, x->line, "bb.%u, step %u, %s: %.*s", mir_block(x->l->f, x->l->block)->number,
	            number, what, STR_ARG(found));
}

static bool miss(const Steps *x, Str why)
{
	pass_remark(x->l->cx, REMARK_MISSED, x->line, "%.*s", STR_ARG(why));
	return false;
}

static bool wants_words(const Steps *x) { return pass_wants_remarks(x->l->cx); }

/* Steps 1 to 4; false: the interval is out of bounds. */
static bool find_interval(Steps *x)
{
	SmsLoop *l = x->l;
	Arena   *a = l->temp;
	i64      most = knob_int(l->cx->s, KNOB_pipeliner_max_mii);
	u32      recurrences = 0;
	sms_graph(l);
	say(x, 1, "dependence graph",
	    arena_fmt(a, "%u instructions, %u dependences, %u without those that renaming removes", l->graph.n, l->n_deps,
	              l->graph.edge.n));
	x->bounds = sms_bounds(&l->graph, a);
	for (u32 c = 0; c < x->bounds.sccs.n; c++)
		recurrences += x->bounds.scc_rec[c] != 0;
	if (knob_bool(l->cx->s, KNOB_pipeliner_ignore_recmii))
		x->bounds.rec = 0;
	say(x, 2, "recurrences", arena_fmt(a, "RecMII %u, %u recurrences", x->bounds.rec, recurrences));
	say(x, 3, "resources",
	    arena_fmt(a, "ResMII %u, of %s", x->bounds.res, x->bounds.busiest ? sms_pipe_name(x->bounds.busiest) : "issue"));
	x->mii = PS_MAX(x->bounds.rec, x->bounds.res);
	say(x, 4, "minimal initiation interval", arena_fmt(a, "MII %u", x->mii));
	if (!x->mii)
		return miss(x, str_of("Invalid Minimal Initiation Interval: 0"));
	if (x->mii > most)
		return miss(x, arena_fmt(a, "Minimal Initiation Interval too large: %u > %u. Refer to -pipeliner-max-mii.",
		                         x->mii, (u32)most));
	if (l->too_long)
		return miss(x, arena_fmt(a, "%u instructions are too many to look for a schedule", l->graph.n));
	return true;
}

/* Steps 5 to 8: from MII on, the first interval that has a schedule. */
static SmsSchedule search(Steps *x)
{
	SmsLoop    *l = x->l;
	Arena      *a = l->temp;
	u32         sets, range = (u32)knob_int(l->cx->s, KNOB_pipeliner_ii_search_range), refused = 0;
	SmsTimes    t = sms_times(&l->graph, &x->bounds, x->mii, a);
	u32        *order = sms_order(&l->graph, &x->bounds, &t, &sets, a);
	SmsSchedule s = {0};
	bool        expand = knob_bool(l->cx->s, KNOB_pipeliner_mve_cg);
	i64         most = knob_int(l->cx->s, KNOB_pipeliner_max_stages);
	say(x, 5, "node order", arena_fmt(a, "%u sets of nodes, the first is instruction %u", sets, l->graph.n ? order[0] : 0));
	sms_pressure_begin(l, &x->pressure);
	say(x, 6, "schedule table",
	    x->pressure.on ? arena_fmt(a, "intervals %u to %u; registers of file R are limited to %u units, of file P to %u",
	                               x->mii, x->mii + range - 1, x->pressure.limit[FILE_R], x->pressure.limit[FILE_P])
	                   : arena_fmt(a, "intervals %u to %u", x->mii, x->mii + range - 1));
	say(x, 7, "earliest and latest cycles",
	    arena_fmt(a, "the last instruction of an iteration begins in cycle %u at the earliest", t.length));
	for (x->tried = 0; x->tried < range && !s.found; x->tried++) {
		s = sms_place(&l->graph, &t, order, x->mii + x->tried, a);
		if (!s.found)
			continue;
		sms_count_names(l, &s, expand);
		bool fits = sms_pressure_fits(l, &s, &x->pressure), deep = s.stages > most;
		refused += !fits;
		if (deep && fits && !x->too_deep)
			x->too_deep = s.stages;
		s.found = fits && !deep;
	}
	say(x, 8, "selection", arena_fmt(a, "%u intervals tried, %u refused for their registers", x->tried, refused));
	return s;
}

static void say_stages(const Steps *x, const SmsSchedule *s)
{
	Text t;
	text_init(&t, x->l->temp);
	text_s(&t, "all dependences hold");
	for (u32 k = 0; k <= s->stages; k++)
		text_f(&t, "; stage %u: cycles %u to %u, %u instructions", k, s->stage[k].first, s->stage[k].last,
		       s->stage[k].units);
	say(x, 10, "ScheduleDAGMILive", text_str(&t));
}

static void say_placement(const Steps *x, const SmsSchedule *s)
{
	const SmsLoop *l = x->l;
	for (u32 k = 0; k < s->n; k++) {
		u32 u = s->at[k];
		pass_remark(l->cx, REMARK_ANALYSIS, mir_inst(l->f, l->inst[u])->origin,
		            "bb.%u, cycle %u, stage %u, row %u of %u, %s: %.*s", mir_block(l->f, l->block)->number, s->cycle[u],
		            sms_stage(s, u), sms_row(s, u), s->ii, sms_pipe_name(l->graph.unit[u].pipe),
		            STR_ARG(mir_desc(l->f, l->inst[u])->mnemonic));
	}
}

/* Steps 9 and 10. */
static bool finish(Steps *x, const SmsSchedule *s)
{
	SmsLoop *l = x->l;
	Arena   *a = l->temp;
	u64      steps = s->stages + l->copies;
	u32      names = 0;
	for (u32 k = 0; k < l->value.n; k++)
		names += l->value.p[k].names;
	say(x, 9, "finalization",
	    arena_fmt(a, "interval %u, cycles 0 to %u, stage count %u, %u copies of the kernel, %u registers for %u values",
	              s->ii, s->stage[s->stages].last, s->stages, l->copies, names, l->value.n));
	if (!s->stages)
		return miss(x, str_of("No need to pipeline - no overlapped iterations in schedule."));
	if (steps * (s->stages + 1) * s->n > MOST_CODE)
		return miss(x, arena_fmt(a, "the code of %u stages would be too long", s->stages));
	if (!sms_verify(&l->graph, s, a))
		return miss(x, str_of("Unable to find schedule"));
	if (wants_words(x)) {
		say_stages(x, s);
		say_placement(x, s);
	}
	return true;
}

static bool plan(SmsLoop *l, SmsSchedule *s)
{
	Steps x = {.l = l, .line = line_of(l)};
	if (!find_interval(&x))
		return false;
	*s = search(&x);
	if (s->found)
		return finish(&x, s);
	if (!x.too_deep)
		return miss(&x, str_of("Unable to find schedule"));
	return miss(&x, arena_fmt(l->temp, "Too many stages in schedule: %u > %u. Refer to -pipeliner-max-stages.", x.too_deep,
	                          (u32)knob_int(l->cx->s, KNOB_pipeliner_max_stages)));
}

/* ---- all loops ---- */

static void refuse(PassCx *cx, const MirFunc *f, MirBlockId b, const char *why)
{
	MirInstId first = {mir_block(f, b)->first};
	pass_remark(cx, REMARK_MISSED, first.i ? mir_inst(f, first)->origin : 0, "the loop at bb.%u is not pipelined: %s",
	            mir_block(f, b)->number, why);
}

static u32 *kept(const u32 *p, u32 n, Arena *a)
{
	u32 *copy = arena_array(a, u32, n + 1);
	memcpy(copy, p, n * sizeof *copy);
	return copy;
}

static void keep(Pipeliner *p, SmsLoop *l, SmsSchedule s)
{
	Arena *a = p->cx->scratch;
	s.cycle = kept(s.cycle, s.n, a), s.rank = kept(s.rank, s.n, a), s.at = kept(s.at, s.n, a);
	s.stage = NULL;
	vec_push(a, &p->plan, ((Planned){l, s}));
}

static void consider(Pipeliner *p, MirBlockId b)
{
	SmsLoop    *l = arena_new(p->cx->scratch, SmsLoop);
	Arena       temp;
	SmsSchedule s;
	arena_init(&temp, p->cx->scratch->budget);
	*l = (SmsLoop){.cx = p->cx, .temp = &temp, .f = p->f, .machine = isa_machine(p->cx->s->target.sm), .block = b};
	const char *why = reason_in_branch(l);
	if (!why)
		why = reason_in_block(l);
	if (why)
		refuse(p->cx, p->f, b, why);
	else if (plan(l, &s))
		keep(p, l, s);
	l->temp = NULL;
	arena_free(&temp);
}

static void refuse_long_loops(Pipeliner *p)
{
	const Loops *loops = mir_loops(p->cx);
	for (u32 k = 0; k < loops->n; k++)
		if (loops->loop[k].n > 1)
			refuse(p->cx, p->f, (MirBlockId){mir_cfg(p->cx)->block[loops->loop[k].header]},
			       "it has more than one block");
}

static void carry_out(Pipeliner *p, const Planned *plan)
{
	SmsLoop *l = plan->l;
	bool     expand = knob_bool(p->cx->s, KNOB_pipeliner_mve_cg);
	if (knob_bool(p->cx->s, KNOB_dump_modulo_schedule))
		sms_dump(l, &plan->s, pass_dump(p->cx));
	if (knob_bool(p->cx->s, KNOB_pipeliner_annotate_for_testing))
		return;
	pass_remark(p->cx, REMARK_PASSED, line_of(l),
	            "the loop at bb.%u is pipelined: %u iterations overlap, one begins each %u cycles",
	            mir_block(p->f, l->block)->number, plan->s.stages + 1, plan->s.ii);
	sms_expand(l, &plan->s, expand ? SMS_MVE : SMS_PEEL);
}

static bool run(PassCx *cx)
{
	Pipeliner p = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(p.f, ISA_bra))
		return false;
	if (pass_wants_remarks(cx))
		refuse_long_loops(&p);
	mir_each_block(p.f, b)
		if (mir_has_edge(p.f, b, b))
			consider(&p, b);
	for (u32 k = 0; k < p.plan.n; k++)
		carry_out(&p, &p.plan.p[k]);
	if (!p.plan.n || knob_bool(cx->s, KNOB_pipeliner_annotate_for_testing))
		return false;
	mir_renumber(p.f);
	return true;
}

static const Knob knobs[] = {KNOB_pipeliner_max_mii,
                             KNOB_pipeliner_max_stages,
                             KNOB_pipeliner_ii_search_range,
                             KNOB_pipeliner_load_latency,
                             KNOB_pipeliner_register_pressure,
                             KNOB_pipeliner_register_pressure_margin,
                             KNOB_pipeliner_ignore_recmii,
                             KNOB_pipeliner_annotate_for_testing,
                             KNOB_pipeliner_mve_cg,
                             KNOB_pipeliner_experimental_cg,
                             KNOB_dump_modulo_schedule,
                             KNOB_maxreg,
                             KNOB_NONE};

const Pass mirpass_machine_pipeliner = {
	.id = "machine-pipeliner",
	.title = "Modulo Software Pipelining",
	.summary = "Overlaps the iterations of loops of one block by swing modulo scheduling.",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.gate = KNOB_enable_pipeliner,
	.knobs = knobs,
	.flags = PF_DOCUMENTED,
	.run = run,
};
