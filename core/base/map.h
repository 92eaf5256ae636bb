/* map.h: the one hash map: u64 keys to u64 values, open addressing.
 *
 * The documented systems differ in hash, sentinels, probing, minimum size and growth rule
 * (rows ST-040 .. ST-109 of the structure table); each difference is a field of MapConfig, so
 * that one implementation serves all and each instance can be tested for its own numbers.
 *
 * Iteration is in insertion order (`entry[0 .. n_entries)`, skipping dead ones), never in
 * bucket order, so that results do not depend on the hash. */
#ifndef PS_MAP_H
#define PS_MAP_H

#include "base/arena.h"

typedef enum MapHash {
	MAP_HASH_POINTER, /* (k >> 9) ^ (k >> 4), low 32 bits */
	MAP_HASH_TIMES37, /* k * 37 */
	MAP_HASH_MIX,     /* the house's own (hash.h) */
} MapHash;

typedef enum MapProbe { MAP_LINEAR, MAP_TRIANGULAR } MapProbe;

typedef enum MapGrowth {
	MAP_GROW_LIVE_PLUS_ONE, /* after an insertion: 4 * (live + 1) >= 3 * capacity */
	MAP_GROW_COUNT,         /* before an insertion: 4 * live >= 3 * capacity */
} MapGrowth;

typedef struct MapConfig {
	MapHash   hash;
	MapProbe  probe;
	MapGrowth growth;
	u64       empty, tombstone; /* keys that may not be inserted */
	u32       min_buckets;      /* power of two; a map of no buckets grows to this */
} MapConfig;

extern const MapConfig map_default;
/* The documented instances: register pressure, CSSA, memory space propagation, InstrEmitter. */
extern const MapConfig map_machine_rpa, map_cssa, map_ipmsp, map_ipmsp_libnvvm, map_instr_emitter;

typedef struct MapEntry {
	u64  key, value;
	bool live;
} MapEntry;

typedef struct Map {
	Arena           *arena;
	const MapConfig *config;
	u64             *key; /* by bucket */
	u32             *at;  /* by bucket: index into entry */
	u32              capacity, live, tombstones;
	MapEntry        *entry; /* in insertion order */
	u32              n_entries, cap_entries;
} Map;

void map_init(Map *m, Arena *arena, const MapConfig *config);
/* NULL where absent. The pointer is good until the next insertion. */
u64 *map_get(const Map *m, u64 key);
/* The value's place; a new key starts at 0 (*fresh tells, where not NULL). */
u64 *map_put(Map *m, u64 key, bool *fresh);
/* Grows at once to what `n` entries would make it grow to. */
void map_reserve(Map *m, u32 n);
bool map_remove(Map *m, u64 key);
void map_clear(Map *m);
/* Bucket visited at the `step`-th probe for `key`: for tests of the documented sequences. */
u32 map_probe_bucket(const Map *m, u64 key, u32 step);

static inline void map_set(Map *m, u64 key, u64 value) { *map_put(m, key, NULL) = value; }
static inline u64  map_or(const Map *m, u64 key, u64 absent)
{
	u64 *v = map_get(m, key);
	return v ? *v : absent;
}

#endif
