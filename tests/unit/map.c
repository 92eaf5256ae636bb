/* base/map: insertion order, no lost keys, any key, no growth without live keys. */
#include "unit.h"

#include "base/hash.h"
#include "base/map.h"

/* Keys as passes have them: ids, pairs of ids, multiples of a record's size, bits in the upper half alone, and the
 * values that other tables reserve. */
static u64 key_of(u32 form, u64 i)
{
	switch (form) {
	case 0: return i;
	case 1: return (i / 32) << 32 | i % 32;
	case 2: return i * 4096;
	case 3: return i << 48;
	case 4: return ~i;
	default: return hash_u64(i);
	}
}
enum { FORMS = 6 };

TEST(map, IPLIB_06_every_key_may_be_put_in_and_taken_out)
{
	static const u64 keys[] = {0, 1, (u64)-1, (u64)-2, (u64)-8, (u64)-16, (u64)-4096, (u64)-8192, 0xFFFFFFFF, 0xFFFFFFFE};
	Map              m;
	map_init(&m, a);
	for (u32 i = 0; i < PS_COUNT(keys); i++) {
		EXPECT(!map_get(&m, keys[i]));
		map_set(&m, keys[i], i);
	}
	for (u32 i = 0; i < PS_COUNT(keys); i++)
		EXPECT_EQ(map_or(&m, keys[i], 99), i);
	for (u32 i = 0; i < PS_COUNT(keys); i += 2)
		EXPECT(map_remove(&m, keys[i]));
	for (u32 i = 0; i < PS_COUNT(keys); i++)
		EXPECT_EQ(map_or(&m, keys[i], 99), i % 2 ? i : 99);
}

/* As many steps as keys, about: a look-up of each in a table of 100,000 that ran long would show in the time limit. */
TEST(map, an_empty_map_has_no_entries)
{
	Map m;
	map_init(&m, a);
	map_each(&m, e) EXPECT(!e->live);
	EXPECT(!map_get(&m, 1) && !map_remove(&m, 1));
}

TEST(map, finds_each_of_many_keys_of_each_form)
{
	for (u32 form = 0; form < FORMS; form++) {
		u64 n = form == 3 ? 65536 : 100000;
		Map m;
		map_init(&m, a);
		for (u64 i = 0; i < n; i++)
			map_set(&m, key_of(form, i), i);
		EXPECT_EQ(m.live, n);
		for (u64 i = 0; i < n; i++)
			EXPECT_EQ(map_or(&m, key_of(form, i), ~(u64)0), i);
	}
}

TEST(map, coming_and_going_takes_no_memory)
{
	Map m;
	map_init(&m, a);
	for (u64 i = 0; i < 100; i++)
		map_set(&m, i, i);
	u64 used = 0;
	for (u64 i = 0; i < 100000; i++) { /* the same key, and one that is new each time */
		EXPECT(map_remove(&m, 20) && map_remove(&m, i ? 1000 + i - 1 : 50));
		map_set(&m, 20, i);
		map_set(&m, 1000 + i, i);
		if (i == 1000)
			used = a->used;
	}
	EXPECT_EQ(a->used, used);
	EXPECT_EQ(*map_get(&m, 20), 99999);
	EXPECT_EQ(m.live, 100);
}

TEST(map, room_that_was_reserved_is_enough)
{
	Map m;
	map_init(&m, a);
	map_reserve(&m, 1000);
	u64 used = a->used;
	for (u64 i = 0; i < 1000; i++)
		map_set(&m, i * 7, i);
	EXPECT_EQ(a->used, used);
}

TEST(map, iterates_in_insertion_order)
{
	Map m;
	map_init(&m, a);
	for (u64 i = 0; i < 1000; i++)
		map_set(&m, hash_u64(i + 1), i);
	for (u64 i = 0; i < 1000; i += 3)
		map_remove(&m, hash_u64(i + 1));
	for (u64 i = 0; i < 1000; i += 3)
		map_set(&m, hash_u64(i + 1), 1000 + i);
	u64 last = 0, n = 0;
	map_each(&m, e)
	{
		EXPECT(n == 0 || e->value > last);
		last = e->value;
		n++;
	}
	EXPECT_EQ(n, 1000);
}

/* Against an array that knows. */
TEST(map, random_operations)
{
	enum { KEYS = 500 };
	for (u32 form = 0; form < FORMS; form++) {
		Map  m;
		u64  value[KEYS];
		bool there[KEYS] = {0};
		u32  live = 0;
		map_init(&m, a);
		for (u64 i = 0; i < 20000; i++) {
			u64  r = hash_u64(i + form * 1000003u);
			u32  k = (u32)(r % KEYS);
			u64  key = key_of(form, k);
			bool fresh;
			if (r >> 40 & 1) {
				value[k] = r;
				*map_put(&m, key, &fresh) = r;
				EXPECT(fresh == !there[k]);
				live += fresh;
				there[k] = true;
			} else {
				EXPECT(map_remove(&m, key) == there[k]);
				live -= there[k];
				there[k] = false;
			}
			EXPECT_EQ(m.live, live);
			if ((r >> 41) % 4096 == 0) {
				map_clear(&m);
				memset(there, 0, sizeof there);
				live = 0;
			}
			if (i % 500 == 0)
				for (u32 j = 0; j < KEYS; j++)
					EXPECT_EQ(map_or(&m, key_of(form, j), 7), there[j] ? value[j] : 7);
		}
	}
}

/* With little in it, with removed entries in it, and full. */
TEST(map, clear_empties_it_and_keeps_the_room)
{
	for (u32 n = 3; n <= 700; n += 41) {
		Map m;
		map_init(&m, a);
		map_reserve(&m, 700);
		for (u64 i = 0; i < n; i++)
			map_set(&m, hash_u64(i), i);
		map_remove(&m, hash_u64(1));
		u32 capacity = m.capacity;
		map_clear(&m);
		EXPECT_EQ(m.live, 0);
		map_set(&m, 5, 6);
		for (u64 i = 0; i < n; i++)
			EXPECT(!map_get(&m, hash_u64(i)));
		for (u32 i = 0, used = 0; i < m.capacity; i++) {
			used += m.bucket[i] != 0;
			EXPECT(used <= 1);
		}
		EXPECT_EQ(*map_get(&m, 5), 6);
		EXPECT_EQ(m.capacity, capacity);
	}
}

TEST(map, values_start_at_zero_and_absence_is_null)
{
	Map m;
	map_init(&m, a);
	EXPECT(!map_get(&m, 1));
	EXPECT(!map_remove(&m, 1));
	EXPECT_EQ(*map_put(&m, 1, NULL), 0);
}

UNIT_MAIN
