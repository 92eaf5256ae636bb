/* isa_tables.c: the small tables of isa/: register classes. */
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
TEST(isa_classes, moves_across_exist_where_another_class_is_as_wide)
{
	for (u32 a = 1; a < RC_COUNT; a++) {
		u32 others = 0;
		for (u32 b = 1; b < RC_COUNT; b++)
			others += a != b && isa_class_info[a].bits == isa_class_info[b].bits;
		EXPECT_EQ(others > 0, isa_class_info[a].across != 0);
		EXPECT(!others || isa_type(isa_class_info[a].across)->bits == isa_class_info[a].bits);
	}
}

UNIT_MAIN
