/* sms_expand.c: the code of a pipelined loop.
 *
 *	three stages A B C, two copies of the kernel       blocks              iterations at work
 *
 *	bb.1: A B C                                        P0: A0              0
 *	      @%p bra %bb.1                          →         @!%p bra D.P0
 *	                                                   P1: A1 B0           0 and 1
 *	                                                       @!%p bra D.P1
 *	                                                   K0: A2 B1 C0        three of them
 *	                                                       @!%p bra D.K0
 *	                                                   K1: A3 B2 C1
 *	                                                       @%p bra K0
 *	                                                 D.K1: B3 C2, C3       what has begun is finished
 *	                                                 D.K0: B2 C1, C2       with the registers of K0
 *	                                                 D.P1: B1 C0, C1
 *	                                                 D.P0: B0, C0
 *
 * Every step ends in the branch of the loop, whose condition the iteration that has just begun has computed (stage 0). So each
 * iteration begins when the program says so, and a loop that ends early leaves by the epilogue of that step: any trip count is
 * right, and none has to be known (the schema with an exit for each copy of Rau, Schlansker, Tirumalai, "Code generation schema for
 * modulo scheduled loops", MICRO 1992).
 *
 * Registers. Modulo variable expansion: in iteration k a value goes by register number k modulo `names`; the last one is the
 * original, which holds what iteration -1 would have left. Peeling: the newest value is in the original register, and before it
 * is written the older ones move on, each to the next register; the kernel is there once. Either way the original register has its
 * last value where the loop is left. Readers find the register by the iteration whose value they want, and by how many have been
 * written since.
 *
 * Needs machine code without phis; the block keeps its id as P0, so that edges into the loop stay. Control flow stays reducible: the
 * kernel has one header, K0. Cost: the instructions made, about copies + stages times half the stages of the loop's. */
#include "mir/debug.h"
#include "mirpass/sms.h"

enum { ENDLESS = 0x7FFFFFFF };

typedef struct Expander {
	SmsLoop           *l;
	const SmsSchedule *s;
	MirFunc           *f;
	MirBlockId         at;      /* the block that is being made */
	bool               copying; /* peeling: registers move on */
	u32                on, off; /* probabilities: of another iteration, of leaving */
} Expander;

/* ---- registers ---- */

static void name_values(Expander *x)
{
	for (u32 k = 0; k < x->l->value.n; k++) {
		SmsValue *v = &x->l->value.p[k];
		v->name = arena_array(x->l->cx->scratch, MirReg, v->names);
		for (u32 n = 0; n < v->names; n++)
			v->name[n] = n == (x->copying ? 0 : v->names - 1) ? v->reg : mir_reg_new(x->f, mir_class(x->f, v->reg));
	}
}

/* The register with the value of iteration `wanted`, seen by a reader for which iteration `newest` is the last that has written. */
static MirReg name_of(const Expander *x, const SmsValue *v, i64 wanted, i64 newest)
{
	return v->name[x->copying ? newest - wanted : (wanted + v->names) % v->names];
}

/* ---- instructions ---- */

static MirInstId copy_of(Expander *x, MirInstId i)
{
	MirInstId c = mir_clone(x->f, i, x->at, (MirInstId){0});
	for (u32 n = 0; n < mir_inst(x->f, c)->n_ops; n++)
		mir_op(x->f, c, n)->flags &= (u16) ~(MOF_KILL | MOF_DEAD);
	return c;
}

/* Older values of the registers that `unit` writes in an iteration move on, as far as there are any. */
static void move_on(Expander *x, u32 unit, i64 iteration)
{
	for (u32 k = 0; k < x->l->value.n && x->copying; k++) {
		const SmsValue *v = &x->l->value.p[k];
		for (u32 n = v->unit == unit ? v->names - 1 : 0; n > 0; n--) {
			if (iteration - n < (v->carried ? -1 : 0))
				continue;
			MirInstId i = mir_build(x->f, x->at, (MirInstId){0}, ISA_COPY);
			mir_add_def(x->f, i, v->name[n]);
			mir_add_use(x->f, i, v->name[n - 1]);
			mir_inst(x->f, i)->origin = mir_inst(x->f, x->l->inst[unit])->origin;
			mir_inst(x->f, i)->dbg = mir_inst(x->f, x->l->inst[unit])->dbg;
			mirpass_expand_copy(x->l->cx->s, x->f, i);
		}
	}
}

/* The unit of one iteration, in a step; iterations behind `last` do not begin. */
static void emit(Expander *x, u32 unit, i64 step, i64 last)
{
	const SmsLoop *l = x->l;
	i64            iteration = step - sms_stage(x->s, unit);
	move_on(x, unit, iteration);
	MirInstId c = copy_of(x, l->inst[unit]);
	for (u32 n = 0; n < mir_inst(x->f, c)->n_ops; n++) {
		const MirOp *o = mir_op(x->f, c, n);
		u32          k = o->kind == MO_REG && !(o->flags & MOF_UNDEF) ? sms_value_of(l, mir_op_reg(o)) : GRAPH_NONE;
		if (k == GRAPH_NONE)
			continue;
		const SmsValue *v = &l->value.p[k];
		i64             newest = step - sms_stage(x->s, v->unit) - (x->s->rank[unit] <= x->s->rank[v->unit]);
		if (mir_op_is_def(o))
			mir_op_set_reg(x->f, c, n, name_of(x, v, iteration, iteration));
		else
			mir_op_set_reg(x->f, c, n,
			               name_of(x, v, iteration - sms_distance(v, unit), PS_MAX(PS_MIN(newest, last), -1)));
	}
}

static void emit_step(Expander *x, i64 step, i64 last)
{
	for (u32 k = 0; k < x->l->graph.n; k++) {
		u32 unit = x->s->at[k];
		i64 iteration = step - sms_stage(x->s, unit);
		if (iteration >= 0 && iteration <= last)
			emit(x, unit, step, last);
	}
}

/* ---- branches ---- */

/* A branch to `to` where the iteration of the step decides to go on, or not to. */
static void branch(Expander *x, i64 step, bool going_on, MirBlockId to)
{
	const SmsLoop *l = x->l;
	MirInstId      c = copy_of(x, l->branch.cond);
	u32            k = sms_value_of(l, l->guard);
	mir_set_desc(x->f, c, isa_intern(l->cx->s, isa_guarded(ptx_opc_plain(bra), going_on != l->goes_on_where)));
	if (k != GRAPH_NONE)
		mir_op_set_reg(x->f, c, 0, name_of(x, &l->value.p[k], step, step));
	mir_op_set_block(x->f, c, mir_inst(x->f, c)->n_ops - 1u, to);
	if (!going_on)
		mir_inst(x->f, c)->flags &= (u16)~MIF_NO_UNROLL;
	mir_edge_add(x->f, x->at, to, going_on ? x->on : x->off);
}

static void jump(Expander *x, MirBlockId to)
{
	PtxOpc bra = ptx_opc_plain(bra);
	bra.slot[SLOT_flag] = TOK_flag_uni;
	MirInstId i = mir_build(x->f, x->at, (MirInstId){0}, isa_intern(x->l->cx->s, bra));
	mir_add_block(x->f, i, to);
	mir_inst(x->f, i)->origin = mir_inst(x->f, x->l->branch.cond)->origin;
	mir_inst(x->f, i)->dbg = mir_inst(x->f, x->l->branch.cond)->dbg;
}

/* ---- blocks ---- */

/* What has begun by `last`, the step at the end of which the loop is left, is finished. */
static void epilogue(Expander *x, MirBlockId b, i64 last)
{
	x->at = b;
	for (i64 step = last + 1; step <= last + x->s->stages; step++)
		emit_step(x, step, last);
	for (u32 k = 0; k < x->l->value.n; k++) {
		const SmsValue *v = &x->l->value.p[k];
		MirReg          from = name_of(x, v, last, last);
		if (!v->live_out || from.i == v->reg.i)
			continue;
		MirInstId i = mir_build(x->f, b, (MirInstId){0}, ISA_COPY);
		mir_add_def(x->f, i, v->reg);
		mir_add_use(x->f, i, from);
		mir_inst(x->f, i)->origin = mir_inst(x->f, x->l->inst[v->unit])->origin;
		mir_inst(x->f, i)->dbg = mir_inst(x->f, x->l->inst[v->unit])->dbg;
		mirpass_expand_copy(x->l->cx->s, x->f, i);
	}
	if (mir_block(x->f, b)->next != x->l->exit.i)
		jump(x, x->l->exit);
	mir_edge_add(x->f, b, x->l->exit, MIR_PROB_ONE);
}

static MirBlockId block_behind(Expander *x, MirBlockId b)
{
	MirBlockId n = mir_block_new(x->f, (StrId){0}, ~0u);
	mir_block_move(x->f, n, (MirBlockId){mir_block(x->f, b)->next});
	return n;
}

static void take_apart(Expander *x, VecU32 *old)
{
	mir_each_succ(x->f, x->l->block, e)
		*(e->to == x->l->block.i ? &x->on : &x->off) = e->prob;
	mir_each_inst(x->f, x->l->block, i)
		vec_push(x->l->cx->scratch, old, i.i);
	mir_edge_remove(x->f, x->l->block, x->l->block);
	mir_edge_remove(x->f, x->l->block, x->l->exit);
}

void sms_expand(SmsLoop *l, const SmsSchedule *s, SmsBackEnd how)
{
	Expander    x = {.l = l, .s = s, .f = l->f, .copying = how == SMS_PEEL};
	u32         steps = s->stages + l->copies; /* prologue and kernel */
	MirBlockId *b = arena_array(l->cx->scratch, MirBlockId, 2 * steps), end = l->block;
	VecU32      old = {0};
	mir_debug_forget(x.f); /* each variable would be in several iterations at once */
	name_values(&x);
	take_apart(&x, &old);
	b[0] = l->block;
	for (u32 k = 1; k < 2 * steps; k++)
		end = b[k] = block_behind(&x, end);
	for (u32 k = 0; k < steps; k++) {
		bool       last = k + 1 == steps;
		MirBlockId left = b[2 * steps - 1 - k]; /* the epilogue of the last step comes first */
		x.at = b[k];
		emit_step(&x, k, ENDLESS);
		branch(&x, k, last, last ? b[s->stages] : left);
		mir_edge_add(x.f, b[k], last ? left : b[k + 1], last ? x.off : x.on);
		epilogue(&x, left, k);
	}
	mir_block(x.f, b[steps - 1])->ir = mir_block(x.f, l->block)->ir; /* from which the printer knows of pragmas */
	for (u32 k = 0; k < old.n; k++)
		mir_erase(x.f, (MirInstId){old.p[k]});
}
