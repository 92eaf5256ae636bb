/* base/map: the documented hashes, sentinels, probe sequences and growth rules, instance by instance,
 * and the promises of every map: insertion order, no lost keys, no growth without live keys. */
#include "unit.h"

#include "base/hash.h"
#include "base/map.h"

static const MapConfig *const configs[] = {&map_default, &map_machine_rpa, &map_cssa, &map_ipmsp, &map_instr_emitter};

TEST(map, hashes_as_documented)
{
	/* bucket 0 of a probe is the hash under the mask of 64 buckets */
	static const struct {
		const MapConfig *config;
		u64              key;
		u32              bucket;
	} rows[] = {
		{&map_machine_rpa, 0x12345670, ((0x12345670 >> 9) ^ (0x12345670 >> 4)) & 63},
		{&map_machine_rpa, 0x200, 33}, /* 1 ^ 32 */
		{&map_cssa, 0x7FFF12345670, ((0x7FFF12345670 >> 4) ^ (0x7FFF12345670 >> 9)) & 63},
		{&map_ipmsp, 0x1230, (0x1230 >> 9 ^ 0x1230 >> 4) & 63},
		{&map_instr_emitter, 1, 37},
		{&map_instr_emitter, 2, 74 & 63},
		{&map_instr_emitter, 0x80000001, 37}, /* 32-bit product */
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		Map m;
		map_init(&m, a, rows[i].config);
		map_set(&m, 0, 0);
		EXPECT_EQ(map_probe_bucket(&m, rows[i].key, 0), rows[i].bucket);
	}
}

TEST(map, sentinels_as_documented)
{
	EXPECT_EQ(map_machine_rpa.empty, -8);
	EXPECT_EQ(map_machine_rpa.tombstone, -16);
	EXPECT_EQ(map_cssa.empty, 0xFFFFFFFFFFFFF000);
	EXPECT_EQ(map_cssa.tombstone, 0xFFFFFFFFFFFFE000);
	EXPECT_EQ(map_ipmsp.empty, -4096);
	EXPECT_EQ(map_ipmsp.tombstone, -8192);
	EXPECT_EQ(map_instr_emitter.empty, 0xFFFFFFFF);
	EXPECT_EQ(map_instr_emitter.tombstone, 0xFFFFFFFE);
}

TEST(map, probes_as_documented)
{
	static const u32 linear[] = {0, 1, 2, 3, 4, 5}, triangular[] = {0, 1, 3, 6, 10, 15};
	for (u32 c = 0; c < PS_COUNT(configs); c++) {
		Map m;
		map_init(&m, a, configs[c]);
		map_set(&m, 0, 0);
		const u32 *want = configs[c] == &map_cssa ? triangular : linear;
		u32        first = map_probe_bucket(&m, 0x5550, 0);
		for (u32 step = 0; step < PS_COUNT(linear); step++)
			EXPECT_EQ(map_probe_bucket(&m, 0x5550, step), (first + want[step]) & (m.capacity - 1));
	}
}

/* Capacity after each insertion, from an empty map to 10,000 keys. */
TEST(map, grows_at_the_exact_count)
{
	for (u32 c = 0; c < PS_COUNT(configs); c++) {
		Map m;
		map_init(&m, a, configs[c]);
		EXPECT_EQ(m.capacity, 0);
		u32 capacity = configs[c]->min_buckets;
		EXPECT_EQ(capacity, c ? 64 : 16);
		for (u32 live = 1; live <= 10000; live++) {
			bool counts_itself = configs[c]->growth == MAP_GROW_LIVE_PLUS_ONE;
			u32  count = counts_itself ? live + 1 : live - 1;
			if (4 * count >= 3 * capacity)
				capacity *= 2;
			map_set(&m, live * 16, live);
			if (m.capacity != capacity || (m.capacity & (m.capacity - 1)) || m.live != live) {
				EXPECT_EQ(m.capacity, capacity);
				return;
			}
		}
	}
}

TEST(map, growth_examples)
{
	Map cssa, emitter;
	map_init(&cssa, a, &map_cssa);
	map_init(&emitter, a, &map_instr_emitter);
	for (u32 i = 1; i <= 46; i++) {
		map_set(&cssa, i, i);
		map_set(&emitter, i, i);
	}
	EXPECT_EQ(cssa.capacity, 64);
	map_set(&cssa, 47, 0); /* 4 * (47 + 1) >= 3 * 64 */
	EXPECT_EQ(cssa.capacity, 128);
	map_set(&emitter, 47, 0);
	map_set(&emitter, 48, 0);
	EXPECT_EQ(emitter.capacity, 64);
	map_set(&emitter, 49, 0); /* before it: 48 * 4 >= 64 * 3 */
	EXPECT_EQ(emitter.capacity, 128);
}

TEST(map, reuses_the_first_tombstone)
{
	Map m;
	map_init(&m, a, &map_cssa);
	/* 0x200 and its twins hash alike: they differ above bit 9 + 32 only */
	u64 twin[4];
	for (u32 i = 0; i < 4; i++) {
		twin[i] = 0x200 | (u64)i << 50;
		map_set(&m, twin[i], i);
	}
	u32 second = map_probe_bucket(&m, twin[0], 1);
	EXPECT_EQ(m.key[second], twin[1]);
	EXPECT(map_remove(&m, twin[1]));
	EXPECT_EQ(m.tombstones, 1);
	EXPECT_EQ(*map_get(&m, twin[3]), 3); /* found past the tombstone */
	map_set(&m, twin[1] | 1ull << 60, 9);
	EXPECT_EQ(m.key[second], twin[1] | 1ull << 60);
	EXPECT_EQ(m.tombstones, 0);
}

/* Tombstones count as neither empty nor live: without the rehash in place a probe would not end. */
TEST(map, tombstones_never_fill_the_table)
{
	for (u32 c = 0; c < PS_COUNT(configs); c++) {
		Map m;
		map_init(&m, a, configs[c]);
		for (u64 i = 0; i < 5000; i++) {
			map_set(&m, i * 16, i);
			EXPECT(map_remove(&m, i * 16));
			EXPECT(!map_get(&m, i * 16 + 8));
			EXPECT(m.capacity > m.live + m.tombstones);
		}
		EXPECT_EQ(m.capacity, configs[c]->min_buckets);
		EXPECT_EQ(m.live, 0);
	}
}

TEST(map, coming_and_going_takes_no_memory)
{
	for (u32 c = 0; c < PS_COUNT(configs); c++) {
		Map m;
		map_init(&m, a, configs[c]);
		for (u64 i = 0; i < 100; i++)
			map_set(&m, i * 16, i);
		u64 used = 0;
		for (u64 i = 0; i < 100000; i++) {
			map_remove(&m, 320);
			map_set(&m, 320, i);
			if (i == 1000)
				used = a->used;
		}
		EXPECT_EQ(a->used, used);
		EXPECT_EQ(*map_get(&m, 320), 99999);
		EXPECT_EQ(m.live, 100);
	}
}

TEST(map, iterates_in_insertion_order)
{
	Map m;
	map_init(&m, a, &map_default);
	for (u64 i = 0; i < 1000; i++)
		map_set(&m, hash_u64(i + 1), i);
	for (u64 i = 0; i < 1000; i += 3)
		map_remove(&m, hash_u64(i + 1));
	for (u64 i = 0; i < 1000; i += 3)
		map_set(&m, hash_u64(i + 1), 1000 + i);
	u64 last = 0, n = 0;
	for (u32 i = 0; i < m.n_entries; i++) {
		if (!m.entry[i].live)
			continue;
		EXPECT(n == 0 || m.entry[i].value > last);
		last = m.entry[i].value;
		n++;
	}
	EXPECT_EQ(n, 1000);
}

/* Against an array that knows. */
TEST(map, random_operations)
{
	enum { KEYS = 500 };
	for (u32 c = 0; c < PS_COUNT(configs); c++) {
		Map  m;
		u64  value[KEYS];
		bool there[KEYS] = {0};
		u32  live = 0;
		map_init(&m, a, configs[c]);
		for (u64 i = 0; i < 20000; i++) {
			u64  r = hash_u64(i + c * 1000003u);
			u32  k = (u32)(r % KEYS);
			u64  key = (u64)k * 8;
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
			if (i % 500 == 0)
				for (u32 j = 0; j < KEYS; j++)
					EXPECT_EQ(map_or(&m, (u64)j * 8, 7), there[j] ? value[j] : 7);
		}
	}
}

TEST(map, clear_keeps_the_room)
{
	Map m;
	map_init(&m, a, &map_default);
	for (u64 i = 0; i < 100; i++)
		map_set(&m, i, i);
	u32 capacity = m.capacity;
	map_clear(&m);
	EXPECT_EQ(m.live, 0);
	EXPECT(!map_get(&m, 5));
	map_set(&m, 5, 6);
	EXPECT_EQ(*map_get(&m, 5), 6);
	EXPECT_EQ(m.capacity, capacity);
	EXPECT_EQ(m.n_entries, 1);
}

TEST(map, values_start_at_zero_and_absence_is_null)
{
	Map m;
	map_init(&m, a, &map_default);
	EXPECT(!map_get(&m, 1));
	EXPECT(!map_remove(&m, 1));
	EXPECT_EQ(*map_put(&m, 1, NULL), 0);
}

UNIT_MAIN
