/* hash.h: the hash of bytes and of words that tables and structural hashes use (FNV-1a, and the
 * finaliser of splitmix64). Not for untrusted-input security; the same on every host. */
#ifndef PS_HASH_H
#define PS_HASH_H

#include "base/base.h"

static inline u32 hash_bytes(const void *p, size_t n)
{
	const u8 *b = p;
	u32       h = 2166136261u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * 16777619u;
	return h;
}

static inline u64 hash_u64(u64 x)
{
	x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
	x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
	return x ^ (x >> 31);
}

static inline u64 hash_mix(u64 h, u64 x) { return hash_u64(h * 0x9E3779B97F4A7C15u + x + 1); }

#endif
