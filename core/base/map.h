/* map.h: the one hash map: keys and values of 64 bits.
 *
 * Entries stand in an array in insertion order; a table of buckets, open addressing with linear probing,
 * holds the entries' numbers. So every u64 may be a key, nothing depends on bucket order, and iteration is
 *
 *	map_each(m, e)
 *		use(e->key, e->value);
 *
 * A removed entry stays where it is, marked, until the table is built anew, which happens when entries, live or
 * not, fill three quarters of the buckets: a probe therefore always meets an empty bucket. Where at most half of
 * them are alive the room is used again, else it is doubled. Insertion, look-up and removal take constant time on
 * average. Memory comes from an arena; a table that grew leaves its former buckets there. */
#ifndef PS_MAP_H
#define PS_MAP_H

#include "base/arena.h"

typedef struct MapEntry {
	u64  key, value;
	bool live;
} MapEntry;

typedef struct Map {
	Arena    *arena;
	u32      *bucket;   /* number of the entry + 1; 0: empty */
	u32       capacity; /* buckets: a power of two, or 0 before the first insertion */
	u32       shift;    /* 64 - log2(capacity): the hash's upper bits choose the bucket */
	u32       live, n_entries;
	MapEntry *entry; /* in insertion order, the removed ones among them */
} Map;

void map_init(Map *m, Arena *arena);
/* NULL where absent. The pointer is good until the next insertion. */
u64 *map_get(const Map *m, u64 key);
/* The value's place; a new key starts at 0 (*fresh tells, where not NULL). */
u64 *map_put(Map *m, u64 key, bool *fresh);
/* Makes room for `n` live entries at once. */
void map_reserve(Map *m, u32 n);
bool map_remove(Map *m, u64 key);
/* Takes time for what is in the map, not for the room that it has. */
void map_clear(Map *m);

static inline void map_set(Map *m, u64 key, u64 value) { *map_put(m, key, NULL) = value; }
static inline u64  map_or(const Map *m, u64 key, u64 absent)
{
	u64 *v = map_get(m, key);
	return v ? *v : absent;
}

/* An empty map has no array to point into. */
#define map_each(m, e)                                                                                              \
	for (const MapEntry *e = (m)->entry, *e##_end = (m)->n_entries ? e + (m)->n_entries : e; e != e##_end; e++) \
		if (e->live)

#endif
