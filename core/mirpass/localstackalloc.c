/* localstackalloc: objects that are indexed alike get fixed places in a local block, and one sum serves them all.
 *
 *	%5 = ADDs64rr %1, %4       (%1 is %stack.0)      %5 = ADDs64rr %1, %4
 *	ST_local_u32 %5, 0, …                       →    ST_local_u32 %5, 0, …
 *	%6 = ADDs64rr %2, %4       (%2 is %stack.1)
 *	… = LD_local_u32 %6, 0                           … = LD_local_u32 %5, 32        (%stack.1 lies 32 bytes behind %stack.0)
 *
 * The distance of two objects is known as soon as both have places in one block, before prologepilog, which places that
 * block as a whole. So a sum of an address and an index (add, or mad with the address as addend) that an earlier one
 * dominates, with the same index and another object, is that sum and a constant, which goes into the offsets of the
 * accesses. Only sums that nothing but accesses read are replaced, and only objects of which a sum was replaced, or serves
 * for one, are in the block: in the order in which prologepilog places objects. Nothing may merge or promote them
 * afterwards (mir_frame_uses says that they escape).
 *
 * LLVM's pass of this name makes base registers for targets whose accesses have small offsets. PTX has 32 bits, so what
 * remains is the saving of a sum. Needs and keeps SSA form; keeps the control flow. Cost: one look at each instruction. */
#include "base/map.h"
#include "mir/cfg.h"
#include "mir/frame.h"
#include "mirpass/mirpass.h"

typedef struct Sum {
	MirInstId inst;
	MirReg    reg;
	u32       object;
	u32       serves; /* 1 + index of the earlier sum that does instead; 0 = none */
	u32       next;   /* 1 + index of the last one with the same key; 0 = none */
} Sum;

typedef struct Allocator {
	PassCx  *cx;
	MirFunc *f;
	MirCfg  *cfg;
	DomTree *dom;
	Map      last; /* desc, index → 1 + number of the last such sum */
	Vec(Sum) sum;
	u64 size; /* of the block */
} Allocator;

/* The object whose address `r` is; false: of none. */
static bool address_of(const MirFunc *f, MirReg r, bool *local, u32 *object)
{
	MirInstId d = mir_is_virt(r) ? mir_def_inst(f, r) : (MirInstId){0};
	*local = false;
	if (d.i && mir_is_cvta_to_local(f, d)) {
		*local = true;
		d = mir_def_inst(f, mir_op_reg(mir_op(f, d, 1)));
	}
	u32 desc = d.i ? mir_inst(f, d)->desc : 0;
	if ((desc != ISA_FRAME_ADDR && (desc != ISA_FRAME_ADDR_LOCAL || *local)) || mir_op(f, d, 1)->imm)
		return false;
	*local |= desc == ISA_FRAME_ADDR_LOCAL;
	*object = mir_op(f, d, 1)->ref;
	return true;
}

/* Where the address stands among the operands of a sum; 0: it is none. */
static u32 find_address(const MirFunc *f, MirInstId i, bool *local, u32 *object)
{
	const IsaDesc *d = mir_desc(f, i);
	u32            n = mir_inst(f, i)->n_ops;
	if (d->opc.slot[SLOT_guard] || d->opc.slot[SLOT_sat] || mir_inst(f, i)->n_defs != 1)
		return 0;
	if (d->opc.op == ISA_mad_lo)
		return n == 4 && address_of(f, mir_op_reg(mir_op(f, i, 3)), local, object) ? 3 : 0;
	if (d->opc.op != ISA_add || n != 3)
		return 0;
	for (u32 k = 1; k < 3; k++)
		if (mir_is_virt(mir_op_reg(mir_op(f, i, 3 - k))) && address_of(f, mir_op_reg(mir_op(f, i, k)), local, object))
			return k;
	return 0;
}

static bool only_addresses(const MirFunc *f, MirReg r)
{
	mir_each_use(f, r, o)
		if (mir_address_operand(f, (MirInstId){o->inst}) != mir_op_number(f, o))
			return false;
	return true;
}

/* The operands of two sums are the same but for the addresses. */
static bool same_index(const MirFunc *f, MirInstId a, u32 at, MirInstId b)
{
	bool local;
	u32  object;
	if (find_address(f, b, &local, &object) != at)
		return false;
	for (u32 n = 1; n < mir_inst(f, a)->n_ops; n++) {
		const MirOp *x = mir_op(f, a, n), *y = mir_op(f, b, n);
		if (n != at && (x->kind != y->kind || x->ref != y->ref || (x->kind != MO_REG && x->imm != y->imm)))
			return false;
	}
	return true;
}

static bool may_lie_in_block(const MirFrameObj *o) { return o->kind == MIR_FRAME_LOCAL && !o->is_dead && o->size <= INT32_MAX; }

static void visit(Allocator *l, MirInstId i)
{
	bool local;
	u32  object, at = find_address(l->f, i, &local, &object);
	if (!at || !may_lie_in_block(&l->f->frame.p[object]))
		return;
	u32  index = mir_op(l->f, i, at == 1 ? 2 : 1)->ref;
	u64  key = (u64)index << 32 | (u64)mir_inst(l->f, i)->desc << 1 | local;
	u64 *last = map_put(&l->last, key, NULL);
	Sum  s = {.inst = i, .reg = mir_op_reg(mir_op(l->f, i, 0)), .object = object, .next = (u32)*last};
	bool replaceable = only_addresses(l->f, s.reg);
	for (u32 k = s.next; k && replaceable; k = l->sum.p[k - 1].next) {
		const Sum *e = &l->sum.p[k - 1];
		if (e->serves || !same_index(l->f, i, at, e->inst) || !mir_inst_dominates(l->f, l->cfg, l->dom, e->inst, i))
			continue;
		s.serves = k;
		break;
	}
	vec_push(l->cx->scratch, &l->sum, s);
	*last = l->sum.n;
}

/* ---- the block ---- */

static void lay_out(Allocator *l)
{
	MirFunc *f = l->f;
	Bitset   in = bitset_new(l->cx->scratch, f->frame.n);
	for (u32 k = 0; k < l->sum.n; k++)
		if (l->sum.p[k].serves) {
			bitset_add(in, l->sum.p[k].object);
			bitset_add(in, l->sum.p[l->sum.p[k].serves - 1].object);
		}
	for (u32 c = 1; c <= MIR_CATEGORIES; c++)
		bitset_each(in, n) {
			MirFrameObj *o = &f->frame.p[n];
			if (o->category != c % MIR_CATEGORIES)
				continue;
			l->size = align_up(l->size, (u64)1 << o->align_log2);
			o->local_offset = (u32)l->size + 1;
			l->size += o->size;
		}
}

static void replace(Allocator *l, const Sum *s)
{
	const Sum *e = &l->sum.p[s->serves - 1];
	MirFunc   *f = l->f;
	i64        distance = (i64)f->frame.p[s->object].local_offset - (i64)f->frame.p[e->object].local_offset;
	mir_each_use(f, s->reg, o) {
		MirInstId i = {o->inst};
		u32       n = mir_op_number(f, o);
		mir_op_set_imm(f, i, n + 1, mir_op(f, i, n + 1)->imm + distance);
		mir_op_set_reg(f, i, n, e->reg);
	}
	if (pass_wants_remarks(l->cx))
		pass_remark(l->cx, REMARK_PASSED, mir_inst(f, s->inst)->origin,
		            "%%stack.%u is indexed like %%stack.%u, %lld bytes from it: one sum serves both", s->object,
		            e->object, (long long)distance);
	mir_erase(f, s->inst);
}

static bool run(PassCx *cx)
{
	Allocator l = {.cx = cx, .f = mirpass_func(cx)};
	if (l.f->frame.n < 2 || l.f->props & MP_ALLOCATED)
		return false;
	l.cfg = mir_cfg(cx);
	l.dom = mir_dom(cx);
	map_init(&l.last, cx->scratch);
	for (u32 k = 0; k < l.cfg->order.n; k++) {
		MirBlockId b = {l.cfg->block[l.cfg->order.node[k]]};
		mir_each_inst(l.f, b, i)
			visit(&l, i);
	}
	lay_out(&l);
	u32 replaced = 0;
	if (l.size > INT32_MAX)
		return false;
	for (u32 k = 0; k < l.sum.n; k++)
		if (l.sum.p[k].serves) {
			replace(&l, &l.sum.p[k]);
			replaced++;
		}
	if (!replaced)
		pass_remark(cx, REMARK_MISSED, 0, "no two of %u stack objects are indexed alike", l.f->frame.n);
	return replaced != 0;
}

const Pass mirpass_localstackalloc = {
	.id = "localstackalloc",
	.title = "Local Stack Slot Allocation",
	.summary = "Lets stack objects that are indexed alike share the sum of address and index.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_localstackalloc,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
