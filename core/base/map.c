/* map.c: the hash map. Hashing is Fibonacci's (Knuth, The Art of Computer Programming 3, section 6.4): ids, which
 * are dense, come to lie evenly, for one multiplication. */
#include "base/map.h"

enum { MIN_BUCKETS = 16 };

void map_init(Map *m, Arena *arena) { *m = (Map){.arena = arena}; }

/* Entries that the table takes before it is built anew. */
static u32 room(const Map *m) { return m->capacity / 4 * 3; }

static u32 home(const Map *m, u64 key) { return (u32)(key * 0x9E3779B97F4A7C15u >> m->shift); }

/* The bucket that holds the key, or the empty one where the probe ends. The table has buckets. */
static u32 find(const Map *m, u64 key)
{
	u32 mask = m->capacity - 1, b = home(m, key);
	for (;; b = (b + 1) & mask) {
		u32 i = m->bucket[b];
		if (!i || (m->entry[i - 1].key == key && m->entry[i - 1].live))
			return b;
	}
}

/* Puts the live entries into `capacity` empty buckets, and closes the gaps between them. */
static void rebuild(Map *m, u32 capacity)
{
	if (capacity != m->capacity) {
		u32 old = room(m);
		m->capacity = capacity;
		m->shift = 64 - u64_log2(capacity);
		m->bucket = arena_array(m->arena, u32, capacity);
		m->entry = arena_grow(m->arena, m->entry, old * sizeof(MapEntry), room(m) * sizeof(MapEntry), _Alignof(MapEntry));
	} else {
		memset(m->bucket, 0, capacity * sizeof(u32));
	}
	u32 kept = 0;
	for (u32 i = 0; i < m->n_entries; i++) {
		if (!m->entry[i].live)
			continue;
		m->entry[kept] = m->entry[i];
		u32 b = home(m, m->entry[kept].key);
		while (m->bucket[b])
			b = (b + 1) & (capacity - 1);
		m->bucket[b] = ++kept;
	}
	m->n_entries = kept;
}

void map_reserve(Map *m, u32 n)
{
	u32 capacity = PS_MAX(m->capacity, (u32)MIN_BUCKETS);
	while (capacity / 4 * 3 < n)
		capacity *= 2;
	if (capacity > m->capacity)
		rebuild(m, capacity);
}

u64 *map_get(const Map *m, u64 key)
{
	u32 i = m->live ? m->bucket[find(m, key)] : 0;
	return i ? &m->entry[i - 1].value : NULL;
}

u64 *map_put(Map *m, u64 key, bool *fresh)
{
	u32 b = m->capacity ? find(m, key) : 0, i = m->capacity ? m->bucket[b] : 0;
	if (fresh)
		*fresh = !i;
	if (i)
		return &m->entry[i - 1].value;
	if (m->n_entries == room(m)) {
		rebuild(m, m->live > m->n_entries / 2 || !m->capacity ? PS_MAX(m->capacity * 2, (u32)MIN_BUCKETS) : m->capacity);
		b = find(m, key);
	}
	m->entry[m->n_entries] = (MapEntry){.key = key, .live = true};
	m->bucket[b] = ++m->n_entries;
	m->live++;
	return &m->entry[m->n_entries - 1].value;
}

bool map_remove(Map *m, u64 key)
{
	u32 i = m->live ? m->bucket[find(m, key)] : 0;
	if (!i)
		return false;
	m->entry[i - 1].live = false;
	m->live--;
	return true;
}

/* Where there is little, entries leave one by one, the last one first: what stood in the way of an entry when it was
 * put in still stands there when its bucket is looked for. */
void map_clear(Map *m)
{
	if (m->n_entries > m->capacity / 8)
		memset(m->bucket, 0, m->capacity * sizeof(u32));
	else
		for (u32 i = m->n_entries; i > 0; i--) {
			u32 b = home(m, m->entry[i - 1].key);
			while (m->bucket[b] != i)
				b = (b + 1) & (m->capacity - 1);
			m->bucket[b] = 0;
		}
	m->live = m->n_entries = 0;
}
