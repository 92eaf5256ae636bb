/* Building and changing machine functions: lists of uses, block order, edges. */
#include "unit.h"

#include "mir/mir.h"

enum { OPC_A = ISA_FRAME_ADDR, OPC_B = ISA_INLINEASM };

static MirFunc *func_new(Arena *a, Session *s)
{
	session_init(s, 0);
	return mir_func_new(mir_module_new(s, NULL, a), strtab_add(&s->strs, STR("f")), 0);
}

TEST(mir, operands_keep_their_registers_lists)
{
	Session    s;
	MirFunc   *f = func_new(a, &s);
	MirBlockId b = mir_block_new(f, (StrId){0}, 0);
	MirReg     x = mir_reg_new(f, MIR_B32), y = mir_reg_new(f, MIR_B32);
	MirInstId  i = mir_build(f, b, (MirInstId){0}, OPC_A);
	mir_add_def(f, i, x);
	mir_add_imm(f, i, -7);
	MirInstId u[300];
	for (u32 k = 0; k < PS_COUNT(u); k++) {
		u[k] = mir_build(f, b, (MirInstId){0}, OPC_B);
		for (u32 n = 0; n <= k % 6; n++)
			mir_add_use(f, u[k], x);
	}
	EXPECT_EQ(mir_vreg(f, x)->n_uses, 300 / 6 * 21);
	EXPECT_EQ(mir_def_inst(f, x).i, i.i);
	u32 seen = 0;
	mir_each_use(f, x, o) {
		seen++;
		EXPECT_EQ(mir_inst(f, (MirInstId){o->inst})->desc, OPC_B);
		EXPECT_EQ(mir_op_number(f, o) < mir_inst(f, (MirInstId){o->inst})->n_ops, 1);
	}
	EXPECT_EQ(seen, mir_vreg(f, x)->n_uses);
	mir_op_remove(f, u[5], 2);
	EXPECT_EQ(mir_inst(f, u[5])->n_ops, 5);
	EXPECT_EQ(mir_vreg(f, x)->n_uses, seen - 1);
	mir_replace_reg(f, x, y);
	EXPECT_EQ(mir_vreg(f, x)->n_uses, 0);
	EXPECT_EQ(mir_vreg(f, y)->n_uses, seen - 1);
	EXPECT_EQ(mir_def_inst(f, y).i, i.i);
	for (u32 k = 0; k < PS_COUNT(u); k++)
		mir_erase(f, u[k]);
	EXPECT_EQ(mir_vreg(f, y)->n_uses, 0);
	EXPECT_EQ(mir_block(f, b)->last, i.i);
	session_free(&s);
}

TEST(mir, a_run_of_operands_is_an_array)
{
	Session    s;
	MirFunc   *f = func_new(a, &s);
	MirBlockId b = mir_block_new(f, (StrId){0}, 0);
	MirReg     x = mir_reg_new(f, MIR_F32);
	MirInstId  phi = mir_build(f, b, (MirInstId){0}, OPC_A), other = mir_build(f, b, (MirInstId){0}, OPC_B);
	for (u32 k = 0; k < 5000; k++) {
		mir_add_use(f, phi, x);
		mir_add_imm(f, phi, (i64)k);
		if (k % 100 == 0)
			mir_add_use(f, other, x);
	}
	EXPECT_EQ(mir_inst(f, phi)->n_ops, 10000);
	const MirOp *o = mir_ops(f, phi);
	for (u32 k = 0; k < 5000; k++) {
		EXPECT_EQ(o[2 * k].ref, x.i);
		EXPECT_EQ(o[2 * k + 1].imm, k);
		EXPECT_EQ(o[2 * k].inst, phi.i);
	}
	EXPECT_EQ(mir_vreg(f, x)->n_uses, 5050);
	session_free(&s);
}

TEST(mir, order_survives_many_insertions)
{
	Session    s;
	MirFunc   *f = func_new(a, &s);
	MirBlockId b = mir_block_new(f, (StrId){0}, 0);
	MirInstId  last = mir_build(f, b, (MirInstId){0}, OPC_A), first = last;
	for (u32 k = 0; k < 100; k++)
		first = mir_build(f, b, k & 1 ? first : last, OPC_B);
	u32 n = 0;
	for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i), n++)
		if (mir_next(f, i).i)
			EXPECT(mir_before(f, i, mir_next(f, i)));
	EXPECT_EQ(n, 101);
	EXPECT_EQ(mir_block(f, b)->last, last.i);
	session_free(&s);
}

TEST(mir, it_is_known_which_opcodes_there_are)
{
	Session    s;
	MirFunc   *f = func_new(a, &s);
	MirBlockId b = mir_block_new(f, (StrId){0}, 0);
	u32        mov = isa_intern(&s, (PtxOpc){.op = ISA_mov, .slot[SLOT_type] = TOK_type_u32});
	EXPECT(!mir_may_have(f, ISA_COPY) && !mir_may_have(f, ISA_KILL) && !mir_may_have(f, ISA_mov));
	MirInstId i = mir_build(f, b, (MirInstId){0}, ISA_COPY), c = mir_clone(f, i, b, i);
	mir_erase(f, i);
	EXPECT(mir_may_have(f, ISA_COPY));
	mir_set_desc(f, c, ISA_KILL);
	EXPECT(!mir_may_have(f, ISA_COPY) && mir_may_have(f, ISA_KILL));
	mir_set_desc(f, c, mov);
	EXPECT(!mir_may_have(f, ISA_KILL) && mir_may_have(f, ISA_mov));
	mir_build(f, b, (MirInstId){0}, ISA_KILL);
	mir_block_remove(f, b);
	EXPECT(!mir_may_have(f, ISA_KILL));
	session_free(&s);
}

TEST(mir, edges_merge_and_move)
{
	Session    s;
	MirFunc   *f = func_new(a, &s);
	MirBlockId b[4];
	for (u32 k = 0; k < 4; k++)
		b[k] = mir_block_new(f, (StrId){0}, k);
	mir_edge_add(f, b[0], b[1], MIR_PROB_ONE / 4);
	mir_edge_add(f, b[0], b[2], MIR_PROB_ONE / 2);
	mir_edge_add(f, b[0], b[1], MIR_PROB_ONE / 4);
	EXPECT_EQ(mir_block(f, b[0])->n_succs, 2);
	EXPECT_EQ(mir_edge(f, (MirEdgeId){mir_block(f, b[0])->succ})->prob, MIR_PROB_ONE / 2);
	mir_edge_redirect(f, b[0], b[1], b[3]);
	EXPECT(mir_has_edge(f, b[0], b[3]) && !mir_has_edge(f, b[0], b[1]));
	EXPECT_EQ(mir_block(f, b[1])->n_preds, 0);
	mir_edge_redirect(f, b[0], b[2], b[3]);
	EXPECT_EQ(mir_block(f, b[0])->n_succs, 1);
	EXPECT_EQ(mir_edge(f, (MirEdgeId){mir_block(f, b[3])->pred})->prob, MIR_PROB_ONE);
	mir_block_remove(f, b[3]);
	EXPECT_EQ(mir_block(f, b[0])->n_succs, 0);
	EXPECT_EQ(f->n_blocks, 3);
	mir_block_move(f, b[2], b[0]);
	EXPECT_EQ(f->first_block, b[2].i);
	session_free(&s);
}

TEST(mir, hash_sees_every_change)
{
	Session    s;
	MirFunc   *f = func_new(a, &s);
	MirBlockId b = mir_block_new(f, (StrId){0}, 0);
	MirReg     x = mir_reg_new(f, MIR_B32);
	MirInstId  i = mir_build(f, b, (MirInstId){0}, OPC_A);
	mir_add_def(f, i, x);
	mir_add_imm(f, i, 1);
	u64 h = mir_hash(f);
	mir_op_set_imm(f, i, 1, 2);
	EXPECT(mir_hash(f) != h);
	mir_op_set_imm(f, i, 1, 1);
	EXPECT_EQ(mir_hash(f), h);
	mir_inst(f, i)->origin = 12;
	EXPECT_EQ(mir_hash(f), h);
	mir_frame_new(f, (StrId){0}, 16, 2, MIR_FRAME_LOCAL);
	EXPECT(mir_hash(f) != h);
	session_free(&s);
}

UNIT_MAIN
