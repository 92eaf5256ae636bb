/* machine-cp: readers of a copy read its source.
 *
 *	%4 = COPY %3                  mov.u32 %r5, %r4;
 *	%6 = ADD %4, 1          →     add.s32 %r6, %r4, 1;
 *
 * In SSA the two sides of a copy of one class are one value: the copy goes, and who read its result reads its
 * source. After phi elimination the same is done within a block, forward, as long as neither side is
 * written again; a move whose result is overwritten unread, or read nowhere, goes. */
#include "mirpass/mirpass.h"

typedef struct Known {
	u32  to, from; /* registers: `to` holds what `from` holds */
	u32  inst;     /* the move */
	bool read;     /* has `to` been read since? */
} Known;

typedef struct Cp {
	PassCx  *cx;
	MirFunc *f;
	Vec(Known) known;
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

/* `reg` is written; `surely`: whatever the guard says. */
static void forget(Cp *c, u32 reg, bool surely)
{
	u32 n = 0;
	for (u32 k = 0; k < c->known.n; k++) {
		Known e = c->known.p[k];
		if (e.to == reg && !e.read && surely && mir_inst(c->f, (MirInstId){e.inst})->block) {
			mir_erase(c->f, (MirInstId){e.inst});
			c->changed = true;
		}
		if (e.to != reg && e.from != reg)
			c->known.p[n++] = e;
	}
	c->known.n = n;
}

static void read_sources(Cp *c, MirInstId i)
{
	for (u32 n = 0; n < mir_inst(c->f, i)->n_ops; n++) {
		const MirOp *o = mir_op(c->f, i, n);
		if (!mir_op_is_use(o) || o->tie)
			continue;
		for (u32 k = 0; k < c->known.n; k++)
			if (c->known.p[k].to == o->ref) {
				mir_op_set_reg(c->f, i, n, (MirReg){c->known.p[k].from});
				c->changed = true;
				break;
			}
	}
	for (u32 n = 0; n < mir_inst(c->f, i)->n_ops; n++)
		for (u32 k = 0; k < c->known.n; k++)
			if (mir_op_is_use(mir_op(c->f, i, n)) && mir_op(c->f, i, n)->ref == c->known.p[k].to)
				c->known.p[k].read = true;
}

static void in_block(Cp *c, MirBlockId b)
{
	enum { MAX_KNOWN = 64 };
	c->known.n = 0;
	mir_each_inst(c->f, b, i) {
		read_sources(c, i);
		for (u32 n = 0; n < mir_inst(c->f, i)->n_ops; n++)
			if (mir_op_is_def(mir_op(c->f, i, n)))
				forget(c, mir_op(c->f, i, n)->ref, !mir_desc(c->f, i)->opc.slot[SLOT_guard]);
		if (!mirpass_is_move(c->f, i) || c->known.n == MAX_KNOWN)
			continue;
		Known e = {mir_op(c->f, i, 0)->ref, mir_op(c->f, i, 1)->ref, i.i, false};
		if (e.to != e.from)
			vec_push(c->cx->scratch, &c->known, e);
	}
}

bool mirpass_propagate_copies(PassCx *cx)
{
	Cp c = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(c.f, ISA_COPY) && !mir_may_have(c.f, ISA_mov))
		return false;
	if (c.f->props & MP_SSA)
		return in_ssa(&c);
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
