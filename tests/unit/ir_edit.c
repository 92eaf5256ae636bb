/* Editing IR: use lists, replacement through constants, blocks and edges, clones, names, layout. */
#include "ir/builder.h"
#include "ir/text.h"
#include "unit.h"

static const char loop_text[] = "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
				"%pair = type { i8, i64, [3 x i16] }\n"
				"@g = global i32 7\n"
				"@h = global i32 8\n"
				"@p = global ptr getelementptr (i8, ptr @g, i64 4)\n"
				"define i32 @f(i32 %n, i1 %c) {\n"
				"entry:\n"
				"  %x = add i32 %n, 1\n"
				"  br i1 %c, label %loop, label %done\n"
				"loop:\n"
				"  %i = phi i32 [ %x, %entry ], [ %next, %loop ]\n"
				"  %next = add i32 %i, %x\n"
				"  %v = load i32, ptr getelementptr (i8, ptr @g, i64 4), align 4\n"
				"  br i1 %c, label %loop, label %done\n"
				"done:\n"
				"  %r = phi i32 [ %n, %entry ], [ %next, %loop ]\n"
				"  ret i32 %r\n"
				"}\n";

static Session *session(Arena *a)
{
	Session *s = arena_new(a, Session);
	session_init(s, 64u << 20);
	return s;
}

static IrModule *parse(Session *s, const char *text)
{
	IrModule *m = ir_parse(s, str_of(text));
	EXPECT(m && !s->diags.errors);
	ir_verify(m);
	EXPECT_EQ(s->diags.errors, 0);
	return m;
}

static IrRef value(IrModule *m, IrFunc *f, const char *name)
{
	ir_each_block(m, f, b) {
		if (str_is(ir_str(m, ir_name(m, b)), name))
			return b;
		ir_each_inst(m, b, i)
			if (str_is(ir_str(m, ir_name(m, i)), name))
				return i;
	}
	return IR_NO_REF;
}

/* What blocks say of their instructions. */
static void expect_counted(const IrModule *m)
{
	ir_each_func(m, f) {
		u64 had = 0;
		u32 n = 0;
		ir_each_block(m, f, b) {
			u32 here = 0;
			ir_each_inst(m, b, i) {
				EXPECT(ir_block(m, b)->had & ir_ops_of(ir_inst(m, i)->op));
				had |= ir_ops_of(ir_inst(m, i)->op);
				here++;
			}
			EXPECT_EQ(ir_block(m, b)->n_insts, here);
			n += here;
		}
		EXPECT_EQ(had & ~ir_func_had(m, f), 0);
		EXPECT_EQ(ir_count_insts(m, f), n);
	}
}

static void expect_valid(IrModule *m)
{
	expect_counted(m);
	ir_verify(m);
	EXPECT_EQ(m->s->diags.errors, 0);
}

TEST(ir_edit, uses_follow_operands)
{
	IrModule *m = parse(session(a), loop_text);
	IrFunc   *f = ir_func(m, ir_find_global(m, STR("f")));
	IrRef     x = value(m, f, "x"), next = value(m, f, "next");
	EXPECT_EQ(ir_count_uses(m, x), 2);
	ir_set_op(m, next, 1, ir_func_arg(f, 0));
	EXPECT_EQ(ir_count_uses(m, x), 1);
	EXPECT(ir_has_one_use(m, x));
	EXPECT_EQ(ir_count_uses(m, ir_func_arg(f, 0)), 3);
	ir_replace_all_uses(m, x, ir_func_arg(f, 0));
	EXPECT(!ir_has_uses(m, x));
	ir_remove(m, x);
	expect_valid(m);
	session_free(m->s);
}

TEST(ir_edit, replacing_a_global_rebuilds_constants)
{
	IrModule *m = parse(session(a), loop_text);
	IrRef     g = ir_find_global(m, STR("g")), h = ir_find_global(m, STR("h")), p = ir_find_global(m, STR("p"));
	IrFunc   *f = ir_func(m, ir_find_global(m, STR("f")));
	ir_replace_all_uses(m, g, h);
	EXPECT(!ir_has_uses(m, g));
	EXPECT(ir_same(ir_const_op(m, ir_global_init(m, p), 0), h));
	EXPECT(ir_same(ir_op(m, value(m, f, "v"), 0), ir_global_init(m, p)));
	expect_valid(m);
	session_free(m->s);
}

TEST(ir_edit, edges_and_blocks_split)
{
	IrModule *m = parse(session(a), loop_text);
	IrFunc   *f = ir_func(m, ir_find_global(m, STR("f")));
	IrRef     entry = value(m, f, "entry"), loop = value(m, f, "loop"), done = value(m, f, "done");
	IrRef     mid = ir_split_edge(m, entry, 1, STR("mid"));
	EXPECT(ir_same(ir_succ(m, entry, 1), mid));
	EXPECT(ir_same(ir_single_pred(m, mid), entry));
	EXPECT(ir_same(ir_phi_value_for(m, value(m, f, "r"), mid), ir_func_arg(f, 0)));
	expect_valid(m);
	IrRef rest = ir_split_block(m, value(m, f, "v"), STR("rest"));
	EXPECT_EQ(f->n_blocks, 5);
	EXPECT(ir_same(ir_succ(m, rest, 0), loop) && ir_same(ir_succ(m, rest, 1), done));
	EXPECT(ir_same(ir_phi_value_for(m, value(m, f, "i"), rest), value(m, f, "next")));
	expect_valid(m);
	VecU32 preds = {0};
	ir_preds(m, done, &preds);
	EXPECT_EQ(preds.n, 2);
	session_free(m->s);
}

TEST(ir_edit, removing_a_block_tells_the_phis)
{
	IrModule *m = parse(session(a), loop_text);
	IrFunc   *f = ir_func(m, ir_find_global(m, STR("f")));
	IrRef     entry = value(m, f, "entry"), loop = value(m, f, "loop"), done = value(m, f, "done");
	IrRef     term = ir_term(m, entry);
	IrBuilder b = ir_build_before(m, term);
	ir_b_br(&b, done);
	ir_remove(m, term);
	ir_block_remove(m, loop);
	EXPECT_EQ(ir_phi_n(m, value(m, f, "r")), 1);
	EXPECT_EQ(f->n_blocks, 2);
	expect_valid(m);
	session_free(m->s);
}

TEST(ir_edit, a_clone_has_its_own_values)
{
	IrModule *m = parse(session(a), loop_text);
	IrFunc   *f = ir_func(m, ir_find_global(m, STR("f")));
	IrFunc   *copy = ir_func_clone(m, f, STR("f"));
	EXPECT_STR(ir_str(m, ir_name(m, copy->ref)), "f.1");
	expect_valid(m);
	EXPECT(!ir_same(value(m, f, "x"), value(m, copy, "x")));
	u64 before = ir_hash_func(m, f);
	ir_set_op(m, value(m, copy, "next"), 0, ir_func_arg(copy, 0));
	EXPECT_EQ(ir_hash_func(m, f), before);
	ir_func_drop_body(m, copy);
	EXPECT(ir_is_decl(copy));
	expect_valid(m);
	session_free(m->s);
}

TEST(ir_edit, names_are_unique)
{
	IrModule *m = parse(session(a), loop_text);
	IrFunc   *f = ir_func(m, ir_find_global(m, STR("f")));
	IrRef     x = value(m, f, "x");
	IrBuilder b = ir_build_before(m, ir_inst(m, x)->next);
	IrRef     y = ir_b_bin(&b, IR_MUL, x, x, IRF_NUW);
	ir_set_name(m, y, STR("x"));
	EXPECT_STR(ir_str(m, ir_name(m, y)), "x1");
	IrRef z = ir_inst_new(m, IR_FREEZE, IR_TYPE(I32), 1); /* named before it stands anywhere */
	ir_set_op(m, z, 0, y);
	ir_set_name(m, z, STR("x"));
	ir_insert_after(m, z, y);
	EXPECT_STR(ir_str(m, ir_name(m, z)), "x2");
	EXPECT_EQ(ir_info(m, y)->origin, ir_info(m, ir_term(m, value(m, f, "entry")))->origin);
	expect_valid(m);
	session_free(m->s);
}

static IrRef doubled(IrModule *m, IrRef x, const char *name)
{
	IrBuilder b = ir_build_before(m, ir_inst(m, x)->next);
	IrRef     v = ir_b_bin(&b, IR_MUL, x, x, 0);
	ir_set_name(m, v, str_of(name));
	return v;
}

static void expect_name(const IrModule *m, IrRef v, const char *name)
{
	Str s = ir_str(m, ir_name(m, v));
	EXPECT_STR(s, name);
}

/* The number behind a name stands apart from it, and yet nothing else may be called so. */
TEST(ir_edit, numbered_names_are_taken)
{
	IrModule *m = parse(session(a), loop_text);
	IrFunc   *f = ir_func(m, ir_find_global(m, STR("f")));
	IrRef     x = value(m, f, "x"), y = doubled(m, x, "x"), z = doubled(m, x, "x");
	EXPECT(ir_info(m, y)->state & IRS_NAME_NUMBERED);
	expect_name(m, y, "x1");
	expect_name(m, z, "x2");
	expect_name(m, doubled(m, x, "x2"), "x21");
	expect_name(m, doubled(m, x, "x02"), "x02");
	expect_name(m, doubled(m, x, "x4294967299"), "x4294967299");
	expect_name(m, ir_block_new(m, f, STR("x")), "x3");
	expect_name(m, doubled(m, x, "x3"), "x31");
	IrRef q = doubled(m, x, "a b"), r = doubled(m, x, "a b");
	Text  t;
	text_init(&t, a);
	ir_print_operand(&t, m, q, false);
	ir_print_operand(&t, m, r, false);
	EXPECT_STR(text_str(&t), "%\"a b\"%\"a b1\"");
	u64 before = ir_hash_func(m, f);
	ir_func_clone(m, f, STR("f")); /* names are given elsewhere … */
	EXPECT_EQ(ir_hash_func(m, f), before);
	expect_name(m, doubled(m, x, "x"), "x4"); /* … and here again */
	expect_name(m, y, "x1");
	EXPECT_EQ(ir_info(m, y)->state, 0);
	session_free(m->s);
}

TEST(ir_edit, a_numbered_name_moves)
{
	IrModule *m = parse(session(a), loop_text);
	IrFunc   *f = ir_func(m, ir_find_global(m, STR("f")));
	IrRef     x = value(m, f, "x"), y = doubled(m, x, "x"), to = doubled(m, x, "");
	ir_take_place(m, to, y);
	expect_name(m, to, "x1");
	expect_name(m, y, "");
	session_free(m->s);
}

TEST(ir_edit, constants_are_interned)
{
	IrModule *m = ir_module_new(session(a));
	IrType    i8 = ir_int_type(m, 8), i128 = ir_int_type(m, 128);
	EXPECT(ir_same(ir_const_int(m, i8, 0x1FF), ir_const_sint(m, i8, -1)));
	i64 v = 0;
	EXPECT(ir_as_sint(m, ir_const_int(m, i8, 200), &v));
	EXPECT_EQ(v, -56);
	EXPECT(!ir_as_int(m, ir_const_sint(m, i128, -1), &(u64){0}));
	IrRef one = ir_const_int(m, i8, 1), elems[4] = {one, one, one, one};
	IrRef vec = ir_const_agg(m, ir_vector_type(m, i8, 4), elems, 4);
	EXPECT(ir_same(vec, ir_const_splat(m, ir_vector_type(m, i8, 4), one)));
	EXPECT(ir_same(ir_splat_value(m, vec), one));
	EXPECT(ir_is_zero(m, ir_const_agg(m, ir_array_type(m, i8, 2), (IrRef[]){ir_const_zero(m, i8), ir_const_zero(m, i8)}, 2)));
	session_free(m->s);
}

TEST(ir_edit, layout_of_structs)
{
	IrModule *m = parse(session(a), loop_text);
	IrType    pair = {m->struct_order.p[0]};
	EXPECT_EQ(ir_struct_offset(m, pair, 0), 0);
	EXPECT_EQ(ir_struct_offset(m, pair, 1), 8);
	EXPECT_EQ(ir_struct_offset(m, pair, 2), 16);
	EXPECT_EQ(ir_alloc_size(m, pair), 24);
	EXPECT_EQ(ir_abi_align(m, ir_int_type(m, 128)), 16);
	EXPECT_EQ(ir_size_bits(m, ir_int_type(m, 7)), 7);
	EXPECT_EQ(ir_alloc_size(m, ir_int_type(m, 24)), 4);
	EXPECT_EQ(ir_abi_align(m, ir_vector_type(m, IR_TYPE(FLOAT), 3)), 16);
	i64 offset = 0;
	EXPECT(ir_gep_offset(m, ir_global_init(m, ir_find_global(m, STR("p"))), &offset));
	EXPECT_EQ(offset, 4);
	session_free(m->s);
}

TEST(ir_edit, attributes_are_sets)
{
	IrModule *m = ir_module_new(session(a));
	IrAttrs   s = ir_attrs_with(m, (IrAttrs){0}, (IrAttr){.kind = IRA_NOUNWIND});
	IrAttrs   t = ir_attrs_with(m, s, (IrAttr){.kind = IRA_ALIGN, .a = 8});
	EXPECT_EQ(ir_attrs_with(m, t, (IrAttr){.kind = IRA_ALIGN, .a = 8}).i, t.i);
	EXPECT_EQ(ir_attrs_find(m, ir_attrs_with(m, t, (IrAttr){.kind = IRA_ALIGN, .a = 16}), IRA_ALIGN)->a, 16);
	EXPECT_EQ(ir_attrs_without(m, t, IRA_ALIGN).i, s.i);
	EXPECT_EQ(ir_attrs_union(m, s, t).i, t.i);
	session_free(m->s);
}

UNIT_MAIN
