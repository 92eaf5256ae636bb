/* machine-latecleanup: a constant is not written to a register that holds it.
 *
 *	bb.0: %1 = MOVu32i 0                    bb.0: %1 = MOVu32i 0
 *	bb.1: … %1 …                   →        bb.1: … %1 …
 *	bb.2: %1 = MOVu32i 0                    bb.2:
 *
 * A move of a constant goes if on every way to it the last definition of its register is an equal one. The ways are followed
 * upward from block to block to the nearest definitions. A deletion changes no register's value, so each is judged in the code that
 * the ones before have left.
 *
 * The register stays live on these ways. Where allocation has kept the function within a budget, a move whose deletion may take it
 * above stays: that deletion adds the register to the fullest place is assumed.
 *
 * Registers with more than MOST_DEFS definitions are left alone, and ways through more than MOST_BLOCKS blocks. So the cost is
 * that of the definitions. Keeps the control flow. */
#include "mir/bound.h"
#include "mir/budget.h"
#include "mir/pressure.h"
#include "mirpass/mirpass.h"

enum { MOST_DEFS = 16, MOST_BLOCKS = 64 };

typedef struct Cleanup {
	PassCx  *cx;
	MirFunc *f;
	u32     *seen; /* by block: the move whose ways have come through it */
	bool     changed;
	u32      room[FILE_COUNT]; /* units that the file has left at the fullest place; asked once */
	bool     asked[FILE_COUNT];
} Cleanup;

static bool is_constant_move(const MirFunc *f, MirInstId i)
{
	const MirOp *o = mir_ops(f, i);
	if (!mir_is(f, i, IF_MOVE) || mir_desc(f, i)->opc.slot[SLOT_guard] || mir_inst(f, i)->n_ops != 2 ||
	    !mir_is_virt(mir_op_reg(&o[0])))
		return false;
	u32 n_defs = mir_vreg(f, mir_op_reg(&o[0]))->n_defs;
	return o[1].kind != MO_REG && n_defs > 1 && n_defs <= MOST_DEFS;
}

static bool are_equal(const MirFunc *f, MirInstId a, MirInstId b)
{
	if (mir_inst(f, a)->desc != mir_inst(f, b)->desc || !is_constant_move(f, b))
		return false;
	const MirOp *x = mir_op(f, a, 1), *y = mir_op(f, b, 1);
	return x->kind == y->kind && x->type == y->type && x->ref == y->ref && x->imm == y->imm && x->flags == y->flags;
}

/* The last definition of the register in the block, in front of `until` (0: its end). */
static MirInstId last_def(const MirFunc *f, MirReg r, MirBlockId b, MirInstId until)
{
	MirInstId last = {0};
	mir_each_def(f, r, o) {
		MirInstId d = {o->inst};
		if (mir_inst(f, d)->block != b.i || (until.i && (d.i == until.i || !mir_before(f, d, until))))
			continue;
		if (!last.i || mir_before(f, last, d))
			last = d;
	}
	return last;
}

static bool holds_already(Cleanup *c, MirInstId i)
{
	MirFunc   *f = c->f;
	MirReg     r = mir_op_reg(mir_op(f, i, 0));
	MirBlockId own = {mir_inst(f, i)->block};
	u32        work[MOST_BLOCKS], n = 0, visited = 0;
	MirInstId  d = last_def(f, r, own, i);
	if (d.i)
		return are_equal(f, i, d);
	if (!mir_block(f, own)->n_preds || own.i == f->first_block)
		return false;
	for (MirBlockId b = own;;) {
		mir_each_pred(f, b, e) {
			if (c->seen[e->from] == i.i)
				continue;
			if (visited == MOST_BLOCKS)
				return false;
			c->seen[e->from] = i.i;
			work[n++] = e->from;
			visited++;
		}
		for (b.i = 0; n && !b.i;) {
			MirBlockId p = {work[--n]};
			d = last_def(f, r, p, (MirInstId){0});
			if (d.i && !are_equal(f, i, d))
				return false;
			if (!d.i && (p.i == f->first_block || !mir_block(f, p)->n_preds))
				return false;
			b.i = d.i ? 0 : p.i;
		}
		if (!b.i)
			return true;
	}
}

static u32 room_of(Cleanup *c, IsaFile file)
{
	u32 limit = mir_budget_units(c->f, file);
	if (!mir_may_exceed(c->cx, file, limit))
		return ~0u;
	u32 most = mir_rpa_most(mir_rpa(c->cx)).unit[file];
	return most < limit ? limit - most : 0;
}

static bool has_room(Cleanup *c, MirReg r)
{
	const IsaClassInfo *k = &isa_class_info[mir_class(c->f, r)];
	if (!c->f->within_budget)
		return true;
	if (!c->asked[k->file]) {
		c->room[k->file] = room_of(c, (IsaFile)k->file);
		c->asked[k->file] = true;
	}
	if (c->room[k->file] == ~0u)
		return true;
	if (c->room[k->file] < k->units)
		return false;
	c->room[k->file] -= k->units;
	return true;
}

static bool run(PassCx *cx)
{
	Cleanup c = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(c.f, ISA_mov))
		return false;
	c.seen = arena_array(cx->scratch, u32, c.f->block.n);
	mir_each_block(c.f, b)
		mir_each_inst(c.f, b, i) {
			if (!is_constant_move(c.f, i) || !holds_already(&c, i) || !has_room(&c, mir_op_reg(mir_op(c.f, i, 0))))
				continue;
			pass_remark(cx, REMARK_PASSED, mir_inst(c.f, i)->origin, "the register holds this constant already");
			mir_erase(c.f, i);
			c.changed = true;
		}
	return c.changed;
}

const Pass mirpass_machine_latecleanup = {
	.id = "machine-latecleanup",
	.title = "Machine Late Instructions Cleanup Pass",
	.summary = "Deletes a definition of a value that its register already has",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.disable = KNOB_disable_machine_latecleanup,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
