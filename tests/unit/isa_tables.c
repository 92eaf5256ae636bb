/* isa_tables.c: the small tables of isa/: register classes, special registers, address spaces. */
#include "ir/ir.h"
#include "isa/isa.h"
#include "unit.h"

TEST(isa_classes, each_row_is_found_by_its_name_and_its_letter)
{
	for (u32 rc = 1; rc < RC_COUNT; rc++) {
		EXPECT_EQ(isa_class_find(str_of(isa_class_info[rc].name)), rc);
		EXPECT_EQ(isa_class_of_letter(isa_class_info[rc].letter), rc);
	}
	EXPECT_EQ(isa_class_find(STR("int24regs")), RC_NONE);
	EXPECT_EQ(isa_class_of_letter('z'), RC_NONE);
}

/* A type's class can hold it, and a class's own type is of that class. */
TEST(isa_classes, types_fit_their_classes)
{
	for (u32 rc = 1; rc < RC_COUNT; rc++) {
		EXPECT_EQ(isa_type(isa_class_info[rc].type)->rc, rc);
		EXPECT_EQ(isa_type(isa_class_info[rc].type)->bits, isa_class_info[rc].bits);
	}
	for (u32 t = 1; isa_type(t)->bits; t++)
		EXPECT(isa_type(t)->rc != RC_NONE && isa_type(t)->bits <= isa_class_info[isa_type(t)->rc].bits);
}

/* A 64-bit value weighs two registers, a 32-bit one one, predicates count in their own file. */
TEST(isa_classes, units_follow_the_width)
{
	for (u32 rc = 1; rc < RC_COUNT; rc++) {
		const IsaClassInfo *c = &isa_class_info[rc];
		EXPECT_EQ(c->file == FILE_P, c->bits == 1);
		EXPECT_EQ(c->units, c->file == FILE_P ? 1u : c->bits * ISA_UNITS_PER_REG / 32u);
		EXPECT_EQ(c->align, c->bits <= 32 ? 1u : c->bits / 32u);
	}
}

/* Both ways exist between two classes of one width, and neither where there is only one. */
TEST(isa_classes, registers_of_one_declaration_are_of_one_width_and_of_bits)
{
	for (u32 a = 1; a < RC_COUNT; a++) {
		const IsaClassInfo *c = &isa_class_info[a], *as = &isa_class_info[c->as];
		EXPECT_EQ(as->as, c->as);
		EXPECT_EQ(as->bits, c->bits);
		EXPECT_EQ(as->move, c->move);
		EXPECT(str_is(str_of(as->prefix), c->prefix));
		EXPECT_EQ(isa_type(as->type)->kind, c->bits == 1 ? ISA_KIND_PRED : ISA_KIND_BITS);
		for (u32 b = 1; b < RC_COUNT; b++)
			EXPECT_EQ(isa_class_info[b].as == c->as, isa_class_info[b].bits == c->bits);
	}
}

/* A vector's row is followed by those of its four elements, and nothing else is an element. */
TEST(isa_sregs, vectors_are_followed_by_their_elements)
{
	for (u32 r = 1; r < SREG_COUNT; r++) {
		const IsaSregRow *row = isa_sreg(r);
		if (row->part == PART_ONE || row->part == PART_VECTOR) {
			EXPECT(!(row->part == PART_VECTOR && r + 4 >= SREG_COUNT));
			continue;
		}
		u32         vector = r - (row->part - PART_X) - 1;
		const char *text = isa_sreg(vector)->text;
		size_t      n = strlen(text);
		EXPECT_EQ(isa_sreg(vector)->part, PART_VECTOR);
		EXPECT_EQ(isa_sreg_element(vector, row->part - PART_X + 1u), r);
		EXPECT(strncmp(row->text, text, n) == 0 && row->text[n] == '.' &&
		       row->text[n + 1] == " xyzw"[row->part - PART_X + 1]);
	}
}

TEST(isa_sregs, each_is_found_by_its_text_and_by_its_name_in_LLVM)
{
	for (u32 r = 1; r < SREG_COUNT; r++) {
		EXPECT_EQ(isa_sreg_find(str_of(isa_sreg(r)->text)), r);
		EXPECT_EQ(isa_sreg_find_llvm(str_of(isa_sreg(r)->id)), r);
	}
	EXPECT_EQ(isa_sreg_find_llvm(STR("tid.x")), SREG_tid_x);
	EXPECT_EQ(isa_sreg_find_llvm(STR("cluster.nctaid.z")), SREG_cluster_nctaid_z);
	EXPECT_EQ(isa_sreg_find_llvm(STR("lanemask.lt")), SREG_lanemask_lt);
	EXPECT_EQ(isa_sreg_find_llvm(STR("warpsize")), SREG_warpsize);
	EXPECT_EQ(isa_sreg_find_llvm(STR("tid")), SREG_tid);
	EXPECT_EQ(isa_sreg_find_llvm(STR("tid.x.y")), SREG_NONE);
}

/* Each register of a thread, a warp or a launch that differs between threads is said to. */
TEST(isa_sregs, what_the_emulator_gives_per_lane_is_divergent)
{
	for (u32 r = 1; r < SREG_COUNT; r++) {
		u32  source = isa_sreg(r)->source;
		bool lane = source <= SR_TID_Z || source == SR_LANEID || (source >= SR_LANEMASK_EQ && source <= SR_LANEMASK_GT);
		EXPECT(!lane || isa_sreg(r)->divergence == DIV_THREAD);
		bool block = source >= SR_CTAID_X && source <= SR_CTAID_Z;
		EXPECT(!block || isa_sreg(r)->divergence == DIV_CTA);
		bool time = source >= SR_CLOCK && source <= SR_GLOBALTIMER_HI;
		EXPECT(!time || isa_sreg(r)->divergence == DIV_VOLATILE);
	}
}

static const u32 spaces[] = {AS_GENERIC, AS_GLOBAL, AS_SHARED, AS_CONST, AS_LOCAL, AS_CLUSTER, AS_PARAM};

TEST(isa_spaces, each_is_found_by_its_number_its_token_and_its_words)
{
	static const u32 want[] = {0, 1, 3, 4, 5, 7, 101};
	for (u32 i = 0; i < PS_COUNT(spaces); i++) {
		const IsaSpace *s = isa_space(spaces[i]);
		EXPECT(s && s->number == want[i]);
		EXPECT(!s->token || isa_space_of_token(s->token) == s);
		EXPECT(!*s->query || isa_space_of_query(str_of(s->query)) == s);
		EXPECT_EQ(isa_space_token(spaces[i]), s->token);
	}
	EXPECT(!isa_space(2) && !isa_space(6) && !isa_space(100));
	EXPECT_EQ(isa_space_token(2), 0);
	EXPECT_EQ(isa_space_of_token(TOK_space_shared_cta)->number, AS_SHARED);
	EXPECT_EQ(isa_space_of_token(TOK_space_param_entry)->number, AS_PARAM);
}

/* Every state space of slots.def belongs to a row, or to no address (.reg, .sreg, .tex, …). */
TEST(isa_spaces, each_modifier_of_an_address_has_its_space)
{
	static const char *const known[] = {"global", "shared", "shared::cta",  "shared::cluster", "const",
	                                    "local",  "param",  "param::entry", "param::func"};
	for (u32 i = 0; i < PS_COUNT(known); i++)
		EXPECT(isa_space_of_token(isa_token_find(SLOT_space, str_of(known[i]))) != NULL);
}

/* The widths that -nvptx-short-ptr gives are those of the default layout. */
TEST(isa_spaces, short_pointers_are_as_the_layout_has_them)
{
	IrLayout l;
	Target   t = {.is64 = true, .short_ptr = true};
	ir_layout_default(&l, &t);
	for (u32 i = 0; i < PS_COUNT(spaces); i++) {
		u32 bits = l.spaces[0].bits;
		for (u32 k = 0; k < l.n_spaces; k++)
			bits = l.spaces[k].space == spaces[i] ? l.spaces[k].bits : bits;
		EXPECT_EQ(bits,
		          spaces[i] == AS_SHARED || spaces[i] == AS_CONST || spaces[i] == AS_LOCAL || spaces[i] == AS_CLUSTER
		                  ? 32
		                  : 64);
	}
}

TEST(isa_spaces, a_set_of_one_names_it)
{
	u32 all = 0;
	for (u32 i = 0; i < PS_COUNT(spaces); i++) {
		u32 bit = isa_space_bit(spaces[i]);
		EXPECT(bit && !(all & bit));
		EXPECT(isa_space_of_bit(bit) == isa_space(spaces[i]));
		EXPECT(!i || !isa_space_of_bit(all | bit));
		all |= bit;
	}
	EXPECT_EQ(isa_space_bit(99), 0);
	EXPECT(!isa_space_of_bit(0) && !isa_space_of_bit(1u << 31));
}

UNIT_MAIN
