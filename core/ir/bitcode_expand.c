/* bitcode_expand.c: instructions in place of constant expressions that LLVM 22 has none of (icmp, select, zext, mul, … of addresses).
 *
 *   ret i32 zext (i1 icmp eq (ptr @a, ptr @b) to i32)   →   %constexpr = icmp eq ptr @a, @b
 *                                                           %constexpr1 = zext i1 %constexpr to i32
 *                                                           ret i32 %constexpr1
 *
 * They stand in front of the instruction whose record is read; those for an entry of a phi in a block of their own on the edge, which is
 * linked in at the end of the body. bitcode_const.c says what is made; each use makes it anew, as LLVM does, with LLVM's names. Bodies that
 * are only checked are read once more with lists of uses, so nothing is made for them at first. Linear in what is made. */
#include "ir/bitcode.h"
#include "ir/builder.h"

enum { MOST = 1 << 20 }; /* instructions in a body */

static IrRef edge_block(Bc *b)
{
	IrModule *m = b->m;
	IrRef     from = bc_block_ref(b, b->phi_from - 1);
	u64      *slot = map_put(&b->edge_of, (u64)from.i << 32 | b->block.i, NULL);
	if (*slot)
		return b->edges.p[*slot - 1].block;
	BcEdge e = {.from = from, .to = b->block, .block = ir_block_make(m)};
	ir_block(m, e.block)->func = b->func->ref;
	vec_push(b->arena, &b->edges, e);
	vec_push(b->arena, &b->expanded, ((BcExpanded){e.block, BCX_EDGE}));
	*slot = b->edges.n;
	return e.block;
}

IrRef bc_expanded_inst(Bc *b, BcExpandedWhat what, u32 op, IrType t, const IrRef *ops, u32 n)
{
	IrModule *m = b->m;
	IrRef     block = b->phi_from ? edge_block(b) : b->block;
	if (!bc_ok(b) || !bc_check(b, b->expanded.n < MOST, "constant expressions become too many instructions"))
		return IR_NO_REF;
	IrRef r = ir_inst_make(m);
	ir_inst_fill(m, r, (IrOp)op, t, (const u32 *)(const void *)ops, n);
	ir_append(m, r, block);
	vec_push(b->arena, &b->expanded, ((BcExpanded){r, what}));
	return r;
}

/* ---- at the end of the body ---- */

static void link_edge(Bc *b, BcEdge e)
{
	IrModule *m = b->m;
	IrBlock  *x = ir_block(m, e.block), *to = ir_block(m, e.to);
	IrRef     branch = ir_inst_make(m), term = ir_term(m, e.from);
	bool      leads = false;
	for (u32 i = 0; i < ir_n_ops(m, term); i++)
		if (ir_same(ir_op(m, term, i), e.to)) {
			ir_set_op(m, term, i, e.block);
			leads = true;
		}
	if (!bc_check(b, leads, "a phi has an entry for a block that does not lead to it"))
		return;
	ir_inst_fill(m, branch, IR_BR, IR_TYPE(VOID), &e.to.i, 1);
	ir_append(m, branch, e.block);
	x->prev = to->prev;
	x->next = e.to;
	if (x->prev.i)
		ir_block(m, x->prev)->next = e.block;
	else
		b->func->first = e.block;
	to->prev = e.block;
	x->mark = UINT32_MAX; /* the numbers of blockaddress pass it over */
	b->func->n_blocks++;
	/* Several edges have become one. */
	ir_each_inst(m, e.to, phi) {
		bool has = false;
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		for (u32 i = 0; i < ir_phi_n(m, phi); i++) {
			if (!ir_same(ir_phi_block(m, phi, i), e.from))
				continue;
			if (has)
				ir_phi_remove(m, phi, i--);
			else
				ir_set_op(m, phi, 2 * i + 1, e.block);
			has = true;
		}
	}
}

/* LLVM counts all names of a body that are taken with one counter. */
static void name_all(Bc *b)
{
	static const char *const names[] = {
		[BCX_VALUE] = "constexpr", [BCX_PART] = "constexpr.ins", [BCX_EDGE] = "phi.constexpr"};
	IrModule *m = b->m;
	bool      seen[PS_COUNT(names)] = {false};
	u32       number = 0;
	ir_names_changed(m);
	for (u32 i = 0; i < b->expanded.n; i++) {
		BcExpanded x = b->expanded.p[i];
		ir_set_name(m, x.ref,
		            seen[x.what] ? arena_fmt(m->arena, "%s%u", names[x.what], ++number) : str_of(names[x.what]));
		seen[x.what] = true;
	}
}

void bc_begin_expansions(Bc *b)
{
	if (b->edges.n || !b->edge_of.arena)
		map_init(&b->edge_of, b->arena);
	b->edges.n = b->expanded.n = 0;
	b->phi_from = 0;
}

void bc_end_expansions(Bc *b)
{
	for (u32 i = 0; i < b->edges.n && bc_ok(b); i++)
		link_edge(b, b->edges.p[i]);
	if (bc_ok(b) && b->expanded.n)
		name_all(b);
}
