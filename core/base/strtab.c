/* strtab.c: an open-addressing hash table (linear probing, at most half full) over the interned strings, with a small direct-mapped
 * table of recent ones in front of it. Ids follow the order in which strings are added, so they do not depend on the hash. */
#include "base/strtab.h"

/* Eight bytes at a time. Hosts may differ in it: ids are given in the order of first sight. */
static u32 hash_bytes(const char *p, u32 n)
{
	u64 h = n, w;
	u32 i = 0;
	for (; i + 8 <= n; i += 8) {
		memcpy(&w, p + i, 8);
		h = (h ^ w) * 0x9E3779B97F4A7C15u;
		h ^= h >> 32;
	}
	w = 0;
	if (i + 4 <= n) { /* four and the last four, which may overlap */
		u32 a, b;
		memcpy(&a, p + i, 4);
		memcpy(&b, p + n - 4, 4);
		w = (u64)a << 32 | b;
	} else {
		for (; i < n; i++)
			w = w << 8 | (u8)p[i];
	}
	h = (h ^ w) * 0x9E3779B97F4A7C15u;
	return (u32)(h >> 32);
}

/* Names that differ in their last characters alone (%x100, %x101, …) stand near each other, a third of the slots
 * there: whoever reads them one after the other finds the table in the cache, however large it is. */
static u32 hash_text(Str s)
{
	enum { TAIL = 3 };
	static const u32 weight[TAIL] = {3, 31, 331};
	u32              tail = PS_MIN(s.n, (u32)TAIL), h = hash_bytes(s.p, s.n - tail);
	for (u32 i = 0; i < tail; i++)
		h += weight[i] * (u8)s.p[s.n - 1 - i];
	return h;
}

/* The slot of `s`, or the empty slot where it belongs. */
static StrtabSlot *probe(const Strtab *t, Str s, u32 hash)
{
	u32 h = hash & t->mask;
	while (t->slot[h].id && !(t->slot[h].hash == hash && str_eq(strtab_get(t, (StrId){t->slot[h].id}), s)))
		h = (h + 1) & t->mask;
	return &t->slot[h];
}

static void rehash(Strtab *t, u32 capacity)
{
	Arena       before = t->memory;
	StrtabSlot *old = t->slot;
	u32         n = old ? t->mask + 1 : 0;
	arena_init(&t->memory, t->arena->budget);
	t->slot = arena_array(&t->memory, StrtabSlot, capacity);
	t->mask = capacity - 1;
	for (u32 i = 0; i < n; i++) {
		u32 h = old[i].hash & t->mask;
		if (!old[i].id)
			continue;
		while (t->slot[h].id)
			h = (h + 1) & t->mask;
		t->slot[h] = old[i];
	}
	arena_free(&before);
}

void strtab_init(Strtab *t, Arena *arena)
{
	*t = (Strtab){.arena = arena};
	pages_init(&t->str, arena, sizeof(Str));
	*pages_of(&t->str, Str, 0) = STR("");
	arena_init(&t->memory, arena->budget);
	rehash(t, 512);
}

StrId strtab_find(const Strtab *t, Str s) { return (StrId){s.n ? probe(t, s, hash_text(s))->id : 0}; }

static u32 new_id(Strtab *t, Str s)
{
	u32 id = pages_new(&t->str);
	*pages_of(&t->str, Str, id) = arena_str(t->arena, s);
	return id;
}

StrId strtab_add(Strtab *t, Str s)
{
	if (s.n == 0)
		return (StrId){0};
	u32         hash = hash_text(s);
	StrtabSlot *recent = &t->recent[hash % STRTAB_RECENT];
	if (recent->id && recent->hash == hash && str_eq(strtab_get(t, (StrId){recent->id}), s))
		return (StrId){recent->id};
	StrtabSlot *slot = probe(t, s, hash);
	bool        fresh = !slot->id;
	if (fresh)
		*slot = (StrtabSlot){hash, new_id(t, s)};
	*recent = *slot;
	if (fresh && t->str.n * 2 > t->mask)
		rehash(t, (t->mask + 1) * 2);
	return (StrId){recent->id};
}
