/* basr: base-address-slice-replace, the rows of mir_rows.def about addresses base + slice × stride.
 *
 *	%1 = MUL_lo_s64ri %i, 4                    %3 = LD_BASE_SLICE_OFFSET_global_u32_s64 %base, %i, 4, 0
 *	%2 = ADDs64rr %base, %1               →    (nothing)
 *	%3 = LD_global_u32 %2, 0                   (nothing)
 *
 * A product, or a shift, of a constant stride and an addition to a base, of which loads and stores of the block are readers: each
 * access takes base, slice and stride itself. The product and the addition go where nobody else reads them. Before phis are
 * eliminated, mirpass/slice_access.c makes mad and a plain access of it again, one mad for equal addresses of a block, since PTX
 * has no such address.
 *
 * An address that a dominating instruction has computed from the same base, slice and stride is not computed again. A phi that only
 * carries a base round a loop is that base.
 *
 * Left alone: loads of constant and parameter memory, invariant ones, those of constant variables, volatile and ordered accesses; and
 * strides that are no constant. -print-basr says how many induction variables the loops of each function have.
 *
 * The driver is mirpass/mir_rows.h. Needs SSA and 64-bit addresses; keeps the control flow. */
#include "mirpass/mir_rows.h"

typedef struct Slice {
	MirReg base, index;
	u32    type; /* of the index */
	i64    stride;
} Slice;

/* index × stride, as `i` computes it. */
static bool slice_of(const MirFunc *f, MirInstId i, Slice *s)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirOp   *x = mir_op(f, i, 1), *c = mir_op(f, i, 2);
	RowClass class = row_class(f, i);
	if ((class != ROW_MUL && class != ROW_SHL) || !mir_is_virt(mir_op_reg(x)) || c->kind != MO_IMM)
		return false;
	s->index = mir_op_reg(x);
	bool wide = d->opc.slot[SLOT_op] == TOK_op_wide;
	u32  type = d->opc.slot[SLOT_type];
	if (isa_type(type)->bits != (wide ? 32 : 64))
		return false;
	s->type = wide ? type : TOK_type_s64;
	s->stride = c->imm;
	if (class == ROW_SHL) {
		if (c->imm < 0 || c->imm > 30)
			return false;
		s->stride = (i64)1 << c->imm;
	}
	return s->stride >= INT32_MIN && s->stride <= INT32_MAX && (s->stride >= 0 || s->type != TOK_type_u32);
}

/* base + index × stride, as the addition `i` computes it. `class`: of the product, or 0. */
static bool address_of(const Rows *w, const Row *row, MirInstId i, RowClass class, Slice *s)
{
	MirFunc *f = w->f;
	if (!i.i || row_class(f, i) != ROW_ADD || isa_type(mir_desc(f, i)->opc.slot[SLOT_type])->bits != 64)
		return false;
	for (u32 n = 1; n <= 2; n++) {
		MirInstId d = row_def(w, row, i, n);
		MirReg    base = mir_op_reg(mir_op(f, i, 3 - n));
		if (d.i && mir_is_virt(base) && row_class(f, d) == class && slice_of(f, d, s)) {
			s->base = base;
			return true;
		}
	}
	return false;
}

/* ---- fused accesses ---- */

/* The operand that is the access's base. */
static u32 base_operand(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	u32            n = 0;
	while (n < d->n_operands && d->operand[n].kind != IO_BASE)
		n++;
	return n;
}

static void fuse(Rows *w, MirInstId i, const Slice *s)
{
	MirFunc *f = w->f;
	PtxOpc   o = mir_desc(f, i)->opc;
	u32      n = base_operand(f, i);
	i64      offset = mir_op(f, i, n + 1)->imm;
	o.op = o.op == ISA_ld ? ISA_ld_slice : ISA_st_slice;
	o.slot[SLOT_stype] = (u8)s->type;
	f->origin = mir_inst(f, i)->origin, f->dbg = mir_inst(f, i)->dbg;
	MirInstId k = mir_build(f, (MirBlockId){mir_inst(f, i)->block}, i, isa_intern(w->cx->s, o));
	MirMem   *m = mir_mem(f, i);
	u32       n_ops = mir_inst(f, i)->n_ops;
	MirOp    *copy = arena_array(w->cx->scratch, MirOp, n_ops);
	for (u32 q = 0; q < n_ops; q++)
		copy[q] = *mir_op(f, i, q);
	mir_inst(f, k)->flags = mir_inst(f, i)->flags;
	if (m)
		mir_add_mem(f, k, *m);
	map_set(&w->erased, i.i, 1);
	mir_erase(f, i);
	for (u32 q = 0; q < n; q++)
		mir_add_op(f, k, copy[q]);
	mir_add_use(f, k, s->base);
	mir_add_use(f, k, s->index);
	mir_add_imm(f, k, s->stride);
	mir_add_imm(f, k, offset);
	for (u32 q = n + 2; q < n_ops; q++)
		mir_add_op(f, k, copy[q]);
}

/* Is the address `r` the base of access `i`, of the class at the end of the row's chain, and may it change? */
static bool may_fuse(const Rows *w, MirInstId i, RowClass class, MirReg r)
{
	if (row_class(w->f, i) != class || row_leaves_alone(w, i) || !w->cx->s->target.is64)
		return false;
	u32 n = base_operand(w->f, i);
	return n + 1u < mir_inst(w->f, i)->n_ops && mir_op_reg(mir_op(w->f, i, n)).i == r.i &&
	       mir_op(w->f, i, n + 1)->kind == MO_IMM;
}

static void drop_chain(Rows *w, MirInstId add, MirInstId product)
{
	row_drop(w, add);
	if (map_get(&w->erased, add.i))
		row_drop(w, product);
}

/* From the product through its additions to their accesses. */
bool basr_forward(Rows *w, const Row *row, MirInstId i)
{
	MirFunc *f = w->f;
	VecU32   adds = {0}, accesses = {0};
	bool     changed = false;
	mir_each_use(f, mir_op_reg(mir_op(f, i, 0)), o)
		vec_push(w->cx->scratch, &adds, o->inst);
	for (u32 k = 0; k < adds.n; k++) {
		MirInstId add = {adds.p[k]};
		Slice     s;
		if (mir_inst(f, add)->block != mir_inst(f, i)->block || !address_of(w, row, add, row->class, &s))
			continue;
		MirReg r = mir_op_reg(mir_op(f, add, 0));
		accesses.n = 0;
		mir_each_use(f, r, o)
			if (mir_inst(f, (MirInstId){o->inst})->block == mir_inst(f, i)->block)
				vec_push(w->cx->scratch, &accesses, o->inst);
		for (u32 q = 0; q < accesses.n; q++) {
			MirInstId access = {accesses.p[q]};
			if (map_get(&w->erased, access.i) || !may_fuse(w, access, row->chain[2], r))
				continue;
			fuse(w, access, &s);
			changed = true;
		}
		if (changed)
			row_drop(w, add);
	}
	if (changed)
		row_drop(w, i);
	return changed;
}

/* From the access back through the addition to the shift. */
bool basr_backward(Rows *w, const Row *row, MirInstId i)
{
	MirFunc  *f = w->f;
	u32       n = base_operand(f, i);
	MirInstId add = n < mir_inst(f, i)->n_ops ? row_def(w, row, i, n) : (MirInstId){0};
	Slice     s;
	if (!address_of(w, row, add, row->chain[2], &s) || !may_fuse(w, i, row->class, mir_op_reg(mir_op(f, add, 0))))
		return false;
	u32       product_at = mir_op_reg(mir_op(f, add, 1)).i == s.base.i ? 2 : 1;
	MirInstId product = row_def(w, row, add, product_at);
	fuse(w, i, &s);
	drop_chain(w, add, product);
	return true;
}

/* ---- one computation of each address ---- */

bool basr_intern(Rows *w, const Row *row, MirInstId i)
{
	MirFunc *f = w->f;
	Slice    s;
	if (!mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_uses || !address_of(w, row, i, row->chain[1], &s))
		return false;
	u64 next = w->intern_base.n_entries + 1, *base = map_put(&w->intern_base, (u64)s.base.i << 32 | s.index.i, NULL);
	if (!*base)
		*base = next;
	bool      fresh;
	u64       key = (2 * *base + (s.type == TOK_type_u32)) << 32 | (u32)s.stride, *had = map_put(&w->intern, key, &fresh);
	MirInstId first = {(u32)*had};
	if (fresh || map_get(&w->erased, first.i) || first.i == i.i) {
		*had = i.i;
		return false;
	}
	u32 above = w->cfg->node[mir_inst(f, first)->block], below = w->cfg->node[mir_inst(f, i)->block];
	if (above == below ? !mir_before(f, first, i) : !dom_dominates(w->dom, above, below)) {
		*had = i.i;
		return false;
	}
	if (above != below) {
		pass_remark(w->cx, REMARK_MISSED, mir_inst(f, i)->origin,
		            "the address is computed again: the first one is in another block");
		return false;
	}
	u32       product_at = mir_op_reg(mir_op(f, i, 1)).i == s.base.i ? 2 : 1;
	MirInstId product = mir_def_inst(f, mir_op_reg(mir_op(f, i, product_at)));
	row_replace(w, i, 0, mir_op_reg(mir_op(f, first, 0)));
	row_drop(w, product);
	return true;
}

/* A phi of one base and of itself. */
bool basr_phi(Rows *w, const Row *row, MirInstId i)
{
	MirFunc *f = w->f;
	MirReg   r = mir_op_reg(mir_op(f, i, 0)), base = {0};
	(void)row;
	for (u32 n = 1; n < mir_inst(f, i)->n_ops; n += 2) {
		MirReg in = mir_op_reg(mir_op(f, i, n));
		if (in.i == r.i)
			continue;
		if (!mir_is_virt(in) || mir_op(f, i, n)->flags & MOF_UNDEF || (base.i && base.i != in.i))
			return false;
		base = in;
	}
	if (!base.i || mir_class(f, base) != mir_class(f, r))
		return false;
	mir_replace_uses(f, r, base);
	map_set(&w->erased, i.i, 1);
	mir_erase(f, i);
	return true;
}

/* ---- the pass ---- */

/* Phis of loop headers that an addition of a constant steps on. */
static u32 induction_variables(PassCx *cx, const MirFunc *f)
{
	const MirCfg *cfg = mir_cfg(cx);
	const Loops  *loops = mir_loops(cx);
	u32           count = 0;
	mir_each_block(f, b) {
		if (!loop_depth(loops, cfg->node[b.i]))
			continue;
		mir_each_inst(f, b, i) {
			if (mir_inst(f, i)->desc != ISA_PHI)
				break;
			for (u32 n = 1; n < mir_inst(f, i)->n_ops; n += 2) {
				MirInstId d = mir_is_virt(mir_op_reg(mir_op(f, i, n)))
				                      ? mir_def_inst(f, mir_op_reg(mir_op(f, i, n)))
				                      : (MirInstId){0};
				while (d.i && mir_is(f, d, IF_COPY))
					d = mir_def_inst(f, mir_op_reg(mir_op(f, d, 1)));
				count += d.i && row_class(f, d) == ROW_ADD && mir_op(f, d, 2)->kind == MO_IMM &&
				         mir_op_reg(mir_op(f, d, 1)).i == mir_op_reg(mir_op(f, i, 0)).i;
			}
		}
	}
	return count;
}

static bool run(PassCx *cx)
{
	if (knob_bool(cx->s, KNOB_print_basr))
		text_f(pass_dump(cx), "phi maxLoopInd = %u\n", induction_variables(cx, mirpass_func(cx)));
	return knob_bool(cx->s, KNOB_enable_basr) && rows_run(cx, ROW_PASS_BASR);
}

static bool wanted(const Session *s) { return knob_bool(s, KNOB_enable_basr) || knob_bool(s, KNOB_print_basr); }

static const Knob knobs[] = {KNOB_enable_basr, KNOB_print_basr, KNOB_NONE};

const Pass mirpass_basr = {
	.id = "basr",
	.title = "BASR (Base-Address-Slice-Replace)",
	.summary = "Loads and stores take base, slice and stride of their address; equal addresses are computed once",
	.group = "pre-ra",
	.level = PASS_MIR,
	.gated = wanted,
	.knobs = knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_NVIDIA,
	.begin = rows_begin,
	.run = run,
};
