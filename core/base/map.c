#include "base/map.h"

#include "base/hash.h"

const MapConfig map_default = {
	.hash = MAP_HASH_MIX,
	.probe = MAP_LINEAR,
	.growth = MAP_GROW_COUNT,
	.empty = ~(u64)0,
	.tombstone = ~(u64)1,
	.min_buckets = 16,
};

#define INSTANCE(name, h, p, g, e, t)                   \
	const MapConfig name = {.hash = MAP_HASH_##h,   \
	                        .probe = MAP_##p,       \
	                        .growth = MAP_GROW_##g, \
	                        .empty = (u64)(e),      \
	                        .tombstone = (u64)(t),  \
	                        .min_buckets = 64}
/*       instance           hash     probe       growth         empty        tombstone */
INSTANCE(map_machine_rpa, POINTER, LINEAR, LIVE_PLUS_ONE, -8, -16);
INSTANCE(map_cssa, POINTER, TRIANGULAR, LIVE_PLUS_ONE, -4096, -8192);
INSTANCE(map_ipmsp, POINTER, LINEAR, LIVE_PLUS_ONE, -4096, -8192);
INSTANCE(map_ipmsp_libnvvm, POINTER, LINEAR, LIVE_PLUS_ONE, -8, -16);
INSTANCE(map_instr_emitter, TIMES37, LINEAR, COUNT, 0xFFFFFFFFu, 0xFFFFFFFEu);
#undef INSTANCE

enum { NOT_FOUND = 0xFFFFFFFF };

void map_init(Map *m, Arena *arena, const MapConfig *config) { *m = (Map){.arena = arena, .config = config}; }

static u32 hash_of(const MapConfig *c, u64 key)
{
	switch (c->hash) {
	case MAP_HASH_POINTER: return (u32)((key >> 9) ^ (key >> 4));
	case MAP_HASH_TIMES37: return (u32)(key * 37);
	case MAP_HASH_MIX: break;
	}
	return (u32)hash_u64(key);
}

u32 map_probe_bucket(const Map *m, u64 key, u32 step)
{
	u32 offset = m->config->probe == MAP_LINEAR ? step : step * (step + 1) / 2;
	return (hash_of(m->config, key) + offset) & (m->capacity - 1);
}

/* The bucket that holds the key, or NOT_FOUND; *empty is then the one that the probe ended in. */
static inline u32 probe(const Map *m, u64 key, u32 *empty)
{
	const u64 *keys = m->key;
	u64        none = m->config->empty;
	u32        mask = m->capacity - 1, b = hash_of(m->config, key) & mask, stride = 1;
	u32        faster = m->config->probe != MAP_LINEAR; /* triangular: each step is one longer */
	for (;; b = (b + stride) & mask, stride += faster) {
		if (keys[b] == key)
			return b;
		if (keys[b] == none) {
			*empty = b;
			return NOT_FOUND;
		}
	}
}

static u32 find(const Map *m, u64 key)
{
	u32 empty;
	return m->capacity ? probe(m, key, &empty) : NOT_FOUND;
}

/* The first tombstone on the way, else the empty bucket the probe ends in. */
static u32 find_free(const Map *m, u64 key)
{
	u32 empty = NOT_FOUND, step = 0, b;
	if (!m->tombstones && probe(m, key, &empty) == NOT_FOUND)
		return empty;
	do
		b = map_probe_bucket(m, key, step++);
	while (m->key[b] != m->config->empty && m->key[b] != m->config->tombstone);
	return b;
}

/* Also closes the gaps that removed entries left. */
static void rehash(Map *m, u32 capacity)
{
	capacity = PS_MAX(capacity, m->config->min_buckets);
	if (capacity != m->capacity) {
		m->capacity = capacity;
		m->key = arena_array(m->arena, u64, capacity);
		m->at = arena_array(m->arena, u32, capacity);
	}
	m->tombstones = 0;
	for (u32 i = 0; i < m->capacity; i++)
		m->key[i] = m->config->empty;
	u32 kept = 0;
	for (u32 i = 0; i < m->n_entries; i++) {
		if (!m->entry[i].live)
			continue;
		m->entry[kept] = m->entry[i];
		u32 b = find_free(m, m->entry[kept].key);
		m->key[b] = m->entry[kept].key;
		m->at[b] = kept++;
	}
	m->n_entries = kept;
}

/* Grows by the instance's rule; rehashes in place when at most 1/8 of the buckets is empty,
 * otherwise tombstones could fill the table and a probe would never end. True: keys have moved. */
static bool keep_room(Map *m, u64 count)
{
	if (4 * count >= 3 * (u64)m->capacity)
		rehash(m, m->capacity * 2);
	else if (m->capacity - m->live - m->tombstones <= m->capacity / 8)
		rehash(m, m->capacity);
	else
		return false;
	return true;
}

static void more_entries(Map *m, u32 cap)
{
	m->entry = arena_grow(m->arena, m->entry, m->cap_entries * sizeof(MapEntry), cap * sizeof(MapEntry), _Alignof(MapEntry));
	m->cap_entries = cap;
}

/* Room for one more entry. Keys that come and go through the same tombstone never trigger a rehash
 * by the rules above, so a half-dead list is closed up here instead of growing for ever. True: keys have moved. */
static bool keep_entries(Map *m)
{
	if (m->n_entries < m->cap_entries)
		return false;
	if (m->n_entries > 2 * m->live + 8) {
		rehash(m, m->capacity);
		return true;
	}
	more_entries(m, PS_MAX(m->cap_entries * 2, 8u));
	return false;
}

void map_reserve(Map *m, u32 n)
{
	u32 capacity = PS_MAX(m->capacity, m->config->min_buckets);
	while (4 * (u64)n >= 3 * (u64)capacity)
		capacity *= 2;
	if (capacity > m->capacity)
		rehash(m, capacity);
	if (n > m->cap_entries)
		more_entries(m, n);
}

u64 *map_get(const Map *m, u64 key)
{
	u32 b = find(m, key);
	return b == NOT_FOUND ? NULL : &m->entry[m->at[b]].value;
}

u64 *map_put(Map *m, u64 key, bool *fresh)
{
	u32 b = NOT_FOUND, empty = NOT_FOUND;
	if (m->capacity)
		b = probe(m, key, &empty);
	if (fresh)
		*fresh = b == NOT_FOUND;
	if (b != NOT_FOUND)
		return &m->entry[m->at[b]].value;
	if (m->capacity == 0)
		rehash(m, 0);
	bool moved = m->config->growth == MAP_GROW_COUNT && keep_room(m, m->live);
	moved |= keep_entries(m);
	b = empty == NOT_FOUND || moved || m->tombstones ? find_free(m, key) : empty;
	if (m->key[b] == m->config->tombstone)
		m->tombstones--;
	m->key[b] = key;
	m->at[b] = m->n_entries;
	m->entry[m->n_entries++] = (MapEntry){.key = key, .live = true};
	m->live++;
	if (m->config->growth == MAP_GROW_LIVE_PLUS_ONE && keep_room(m, (u64)m->live + 1))
		b = find(m, key);
	return &m->entry[m->at[b]].value;
}

bool map_remove(Map *m, u64 key)
{
	u32 b = find(m, key);
	if (b == NOT_FOUND)
		return false;
	m->entry[m->at[b]].live = false;
	m->key[b] = m->config->tombstone;
	m->live--;
	m->tombstones++;
	return true;
}

/* A table with little in it is emptied entry by entry, the last one first: what stood in the way of a key when
 * it was put in still stands there when it is looked for. */
static bool forget_entries(Map *m)
{
	if (m->tombstones || m->n_entries != m->live || m->live >= m->capacity / 8)
		return false;
	for (u32 i = m->n_entries; i-- > 0;)
		m->key[find(m, m->entry[i].key)] = m->config->empty;
	return true;
}

void map_clear(Map *m)
{
	if (!forget_entries(m))
		for (u32 i = 0; i < m->capacity; i++)
			m->key[i] = m->config->empty;
	m->live = m->tombstones = m->n_entries = 0;
}
