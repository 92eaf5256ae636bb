/* The floor everything stands on: strings, arenas, arrays, sets, sorting. */
#include "unit.h"

TEST(base, str_compares_bytewise)
{
	EXPECT(str_eq(STR("ab"), STR("ab")));
	EXPECT(!str_eq(STR("ab"), STR("abc")));
}

UNIT_MAIN
