#include "base/strtab.h"

/* Eight bytes at a time. Hosts may differ in it: ids are given in the order of first sight. */
static u32 hash_text(Str s)
{
	u64 h = s.n, w;
	u32 i = 0;
	for (; i + 8 <= s.n; i += 8) {
		memcpy(&w, s.p + i, 8);
		h = (h ^ w) * 0x9E3779B97F4A7C15u;
		h ^= h >> 32;
	}
	w = 0;
	if (i + 4 <= s.n) { /* four and the last four, which may overlap */
		u32 a, b;
		memcpy(&a, s.p + i, 4);
		memcpy(&b, s.p + s.n - 4, 4);
		w = (u64)a << 32 | b;
	} else {
		for (; i < s.n; i++)
			w = w << 8 | (u8)s.p[i];
	}
	h = (h ^ w) * 0x9E3779B97F4A7C15u;
	return (u32)(h >> 32);
}

static void rehash(Strtab *t, u32 capacity)
{
	t->slot = arena_array(t->arena, u32, capacity);
	t->mask = capacity - 1;
	for (u32 id = 1; id < t->n; id++) {
		u32 h = t->hash[id] & t->mask;
		while (t->slot[h])
			h = (h + 1) & t->mask;
		t->slot[h] = id;
	}
}

void strtab_init(Strtab *t, Arena *arena)
{
	*t = (Strtab){.arena = arena, .n = 1, .cap = 256};
	t->str = arena_array(arena, Str, t->cap);
	t->hash = arena_array(arena, u32, t->cap);
	t->str[0] = STR("");
	rehash(t, 512);
}

/* The slot of `s`, or the empty slot where it belongs. */
static u32 probe(const Strtab *t, Str s, u32 hash)
{
	u32 h = hash & t->mask;
	while (t->slot[h] && !(t->hash[t->slot[h]] == hash && str_eq(t->str[t->slot[h]], s)))
		h = (h + 1) & t->mask;
	return h;
}

StrId strtab_find(const Strtab *t, Str s)
{
	if (s.n == 0)
		return (StrId){0};
	return (StrId){t->slot[probe(t, s, hash_text(s))]};
}

StrId strtab_add(Strtab *t, Str s)
{
	if (s.n == 0)
		return (StrId){0};
	u32  hash = hash_text(s);
	u32 *recent = &t->recent[hash % STRTAB_RECENT];
	if (*recent && t->hash[*recent] == hash && str_eq(t->str[*recent], s))
		return (StrId){*recent};
	u32 h = probe(t, s, hash);
	if (t->slot[h])
		return (StrId){*recent = t->slot[h]};
	if (t->n == t->cap) {
		t->str = arena_grow(t->arena, t->str, t->cap * sizeof(Str), t->cap * 2 * sizeof(Str), 8);
		t->hash = arena_grow(t->arena, t->hash, t->cap * sizeof(u32), t->cap * 2 * sizeof(u32), 8);
		t->cap *= 2;
	}
	u32 id = t->n++;
	t->str[id] = arena_str(t->arena, s);
	t->hash[id] = hash;
	t->slot[h] = *recent = id;
	if (t->n * 2 > t->mask)
		rehash(t, (t->mask + 1) * 2);
	return (StrId){id};
}
