/* sms_live.c: the values of a loop, how many registers each needs while iterations overlap, and the register pressure of that.
 *
 *	interval 4, %p written in cycle 0 and read in cycle 9
 *	iteration 0   %p . . . . . . . . r
 *	iteration 1           %p . . . . . . . . r           three iterations have a %p of their own at once:
 *	iteration 2                   %p . . . . . . . . r   three registers
 *
 * A value that is read in the execution of the kernel that is `age` behind the one that writes it needs age registers, and one
 * more where the reader stands behind the next writer. For modulo variable expansion (Lam, "Software pipelining", PLDI 1988) the
 * kernel is repeated as often as the value with the most registers needs, and each value gets the least divisor of that
 * number that is enough for it: then the same registers come round with each execution of the whole. The kernel of peeled loops
 * is there once, and moves values from register to register.
 *
 * Pressure is counted by row of the kernel: the iterations in which a value is live there, and what is live through the loop.
 * The limit is the budget's (ir/budget.h) of each file, less pipeliner-register-pressure-margin percent. Cost: operands, values times the interval. */
#include "mir/budget.h"
#include "mirpass/sms.h"

void sms_values(SmsLoop *l)
{
	const MirFunc   *f = l->f;
	const MirRanges *rs = mir_ranges(l->cx);
	map_init(&l->value_of, l->cx->scratch);
	for (u32 u = 0; u < l->graph.n; u++)
		for (u32 n = 0; n < mir_inst(f, l->inst[u])->n_ops; n++) {
			const MirOp *o = mir_op(f, l->inst[u], n);
			if (!mir_op_is_def(o))
				continue;
			const MirRange *range = mir_range(rs, mir_op_reg(o));
			SmsValue        v = {.reg = mir_op_reg(o), .unit = u};
			v.live_out = range && mir_range_at(rs, range, mir_slot_start(rs->slots, l->exit));
			vec_push(l->cx->scratch, &l->value, v);
			map_set(&l->value_of, o->ref, l->value.n);
		}
	for (u32 u = 0; u < l->graph.n; u++)
		for (u32 n = 0; n < mir_inst(f, l->inst[u])->n_ops; n++) {
			const MirOp *o = mir_op(f, l->inst[u], n);
			u32          v = mir_op_is_use(o) ? sms_value_of(l, mir_op_reg(o)) : GRAPH_NONE;
			if (v != GRAPH_NONE && !(o->flags & MOF_UNDEF))
				l->value.p[v].carried |= sms_distance(&l->value.p[v], u) != 0;
		}
}

/* ---- registers ---- */

static void read_by(SmsValue *v, const SmsSchedule *s, u32 reader)
{
	u32 distance = sms_distance(v, reader);
	u32 age = sms_stage(s, reader) + distance - sms_stage(s, v->unit);
	u32 names = age + (s->rank[reader] > s->rank[v->unit]);
	v->names = PS_MAX(v->names, names);
	v->last = PS_MAX(v->last, s->cycle[reader] + distance * s->ii);
}

void sms_count_names(SmsLoop *l, const SmsSchedule *s, bool expand)
{
	const MirFunc *f = l->f;
	u32            most = 1;
	for (u32 k = 0; k < l->value.n; k++) {
		SmsValue *v = &l->value.p[k];
		v->names = 1;
		v->last = s->cycle[v->unit] + (v->live_out ? s->ii : 1);
	}
	for (u32 u = 0; u < l->graph.n; u++)
		for (u32 n = 0; n < mir_inst(f, l->inst[u])->n_ops; n++) {
			const MirOp *o = mir_op(f, l->inst[u], n);
			u32          v = mir_op_is_use(o) ? sms_value_of(l, mir_op_reg(o)) : GRAPH_NONE;
			if (v != GRAPH_NONE && !(o->flags & MOF_UNDEF))
				read_by(&l->value.p[v], s, u);
		}
	for (u32 k = 0; k < l->value.n; k++)
		most = PS_MAX(most, l->value.p[k].names);
	l->copies = expand ? most : 1;
	for (u32 k = 0; k < l->value.n && expand; k++)
		while (most % l->value.p[k].names)
			l->value.p[k].names++;
}

/* ---- pressure ---- */

static const IsaClassInfo *class_of(const SmsLoop *l, const SmsValue *v) { return &isa_class_info[mir_class(l->f, v->reg)]; }

void sms_pressure_begin(SmsLoop *l, SmsPressure *p)
{
	*p = (SmsPressure){.on = knob_bool(l->cx->s, KNOB_pipeliner_register_pressure)};
	if (!p->on)
		return;
	u32 margin = (u32)knob_int(l->cx->s, KNOB_pipeliner_register_pressure_margin);
	for (u32 k = FILE_R; k < FILE_COUNT; k++) {
		u32 limit = mir_budget(l->f, (IsaFile)k).limit * (k == FILE_R ? (u32)ISA_UNITS_PER_REG : 1);
		p->limit[k] = limit * (100 - margin) / 100;
		p->through[k] = mir_rpa(l->cx)->block[l->block.i].start.unit[k];
	}
	for (u32 k = 0; k < l->value.n; k++)
		if (l->value.p[k].carried)
			p->through[class_of(l, &l->value.p[k])->file] -= class_of(l, &l->value.p[k])->units;
}

bool sms_pressure_fits(const SmsLoop *l, const SmsSchedule *s, SmsPressure *p)
{
	bool fits = true;
	memcpy(p->live, p->through, sizeof p->live);
	for (u32 row = 0; row < s->ii && p->on; row++) {
		u32 live[FILE_COUNT];
		memcpy(live, p->through, sizeof live);
		for (u32 k = 0; k < l->value.n; k++) {
			const SmsValue *v = &l->value.p[k];
			u32             from = s->cycle[v->unit], to = v->last; /* live in [from, to) */
			u32             first = from <= row ? 0 : (from - row + s->ii - 1) / s->ii,
			    behind = to <= row ? 0 : (to - row + s->ii - 1) / s->ii;
			live[class_of(l, v)->file] += (behind - first) * class_of(l, v)->units;
		}
		for (u32 k = FILE_R; k < FILE_COUNT; k++)
			p->live[k] = PS_MAX(p->live[k], live[k]);
	}
	for (u32 k = FILE_R; k < FILE_COUNT; k++)
		fits &= !p->on || p->live[k] <= p->limit[k];
	return fits;
}
