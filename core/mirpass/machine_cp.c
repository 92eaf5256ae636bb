/* machine-cp: readers of a copy read its source.
 *
 *	%4 = COPY %3                  mov.b32 %r5, %r4;
 *	%6 = ADD %4, 1          →     add.s32 %r6, %r4, 1;
 *
 * In SSA the two sides of a copy of one class are one value: the copy goes, and who read its result reads its
 * source. After phi elimination the same is done within a block, forward, as long as neither side is
 * written again; a move whose result is overwritten unread, or read nowhere, goes. */
#include "mirpass/mirpass.h"

typedef struct Known {
	u32  to, from; /* registers: `to` holds what `from` holds; to 0: no longer */
	u32  inst;     /* the move */
	u32  next;     /* 1 + index of another one from `from`; 0: none */
	bool read;     /* has `to` been read since? */
} Known;

typedef struct Cp {
	PassCx  *cx;
	MirFunc *f;
	Vec(Known) known;     /* in the block at hand */
	u32 *by_to, *by_from; /* by register: 1 + index of a known one; 0: none */
	bool changed;
} Cp;

static bool in_ssa(Cp *c)
{
	mir_each_block(c->f, b)
		mir_each_inst(c->f, b, i) {
			if (!mirpass_is_move(c->f, i))
				continue;
			mirpass_forward_move(c->f, i);
			c->changed = true;
		}
	return c->changed;
}

static void drop(Cp *c, Known *e)
{
	c->by_to[e->to] = 0;
	e->to = 0;
}

/* `reg` is written; `surely`: whatever the guard says. */
static void forget(Cp *c, u32 reg, bool surely)
{
	if (c->by_to[reg]) {
		Known *e = &c->known.p[c->by_to[reg] - 1];
		if (!e->read && surely && mir_inst(c->f, (MirInstId){e->inst})->block) {
			mir_erase(c->f, (MirInstId){e->inst});
			c->changed = true;
		}
		drop(c, e);
	}
	for (u32 k = c->by_from[reg]; k; k = c->known.p[k - 1].next)
		if (c->known.p[k - 1].to)
			drop(c, &c->known.p[k - 1]);
	c->by_from[reg] = 0;
}

static void read_sources(Cp *c, MirInstId i)
{
	for (u32 n = 0; n < mir_inst(c->f, i)->n_ops; n++) {
		const MirOp *o = mir_op(c->f, i, n);
		u32          at = mir_op_is_use(o) && mir_is_virt(mir_op_reg(o)) ? c->by_to[o->ref] : 0;
		if (!at || o->tie)
			continue;
		mir_op_set_reg(c->f, i, n, (MirReg){c->known.p[at - 1].from});
		c->changed = true;
	}
	for (u32 n = 0; n < mir_inst(c->f, i)->n_ops; n++) {
		const MirOp *o = mir_op(c->f, i, n);
		if (mir_op_is_use(o) && mir_is_virt(mir_op_reg(o)) && c->by_to[o->ref])
			c->known.p[c->by_to[o->ref] - 1].read = true;
	}
}

static void note(Cp *c, MirInstId i)
{
	u32 to = mir_op(c->f, i, 0)->ref, from = mir_op(c->f, i, 1)->ref;
	if (to == from)
		return;
	vec_push(c->cx->scratch, &c->known, ((Known){to, from, i.i, c->by_from[from], false}));
	c->by_to[to] = c->by_from[from] = c->known.n;
}

static void in_block(Cp *c, MirBlockId b)
{
	mir_each_inst(c->f, b, i) {
		read_sources(c, i);
		for (u32 n = 0; n < mir_inst(c->f, i)->n_ops; n++)
			if (mir_op_is_def(mir_op(c->f, i, n)) && mir_is_virt(mir_op_reg(mir_op(c->f, i, n))))
				forget(c, mir_op(c->f, i, n)->ref, !mir_desc(c->f, i)->opc.slot[SLOT_guard]);
		if (mirpass_is_move(c->f, i))
			note(c, i);
	}
	for (u32 k = 0; k < c->known.n; k++)
		c->by_to[c->known.p[k].to] = c->by_from[c->known.p[k].from] = 0;
	c->known.n = 0;
}

bool mirpass_propagate_copies(PassCx *cx)
{
	Cp c = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(c.f, ISA_COPY) && !mir_may_have(c.f, ISA_mov))
		return false;
	if (c.f->props & MP_SSA)
		return in_ssa(&c);
	c.by_to = arena_array(cx->scratch, u32, mir_vregs(c.f));
	c.by_from = arena_array(cx->scratch, u32, mir_vregs(c.f));
	mir_each_block(c.f, b)
		in_block(&c, b);
	mir_each_block(c.f, b)
		mir_each_inst(c.f, b, i)
			if (mirpass_is_move(c.f, i) && (mir_op(c.f, i, 0)->ref == mir_op(c.f, i, 1)->ref ||
			                                !mir_vreg(c.f, mir_op_reg(mir_op(c.f, i, 0)))->n_uses)) {
				mir_erase(c.f, i);
				c.changed = true;
			}
	return c.changed;
}

const Pass mirpass_machine_cp = {
	.id = "machine-cp",
	.title = "Machine Copy Propagation Pass",
	.summary = "Propagates copies to their uses and deletes copies that are no longer used.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_copyprop,
	.keeps = AN_MIR_CONTROL,
	.run = mirpass_propagate_copies,
};
