/* base/checked.h: sizes saturate, and stay so. */
#include "unit.h"

#include "base/checked.h"

TEST(checked, sums_products_and_roundings_saturate)
{
	EXPECT_EQ(size_add(SIZE_OVER - 1, 1), SIZE_OVER);
	EXPECT_EQ(size_add(SIZE_OVER - 15, 16), SIZE_OVER);
	EXPECT_EQ(size_add(1, SIZE_OVER), SIZE_OVER);
	EXPECT_EQ(size_mul((u64)1 << 32, (u64)1 << 32), SIZE_OVER);
	EXPECT_EQ(size_mul((u64)1 << 32, ((u64)1 << 32) - 1), (((u64)1 << 32) - 1) << 32);
	EXPECT_EQ(size_mul(SIZE_OVER, 1), SIZE_OVER);
	EXPECT_EQ(size_mul(SIZE_OVER, 0), 0);
	EXPECT_EQ(size_align(SIZE_OVER - 3, 16), SIZE_OVER);
	EXPECT_EQ(size_align(SIZE_OVER, 4096), SIZE_OVER);
	EXPECT_EQ(size_align(17, 16), 32);
	EXPECT_EQ(size_align(32, 16), 32);
	EXPECT_EQ(size_u32((u64)1 << 32), UINT32_MAX);
	EXPECT_EQ(size_u32(7), 7);
}

TEST(checked, bytes_lie_within_a_size)
{
	EXPECT(size_holds(16, 0, 16));
	EXPECT(size_holds(16, 16, 0));
	EXPECT(!size_holds(16, 1, 16));
	EXPECT(!size_holds(16, SIZE_OVER, 1));
	EXPECT(!size_holds(16, 8, SIZE_OVER));
}

UNIT_MAIN
