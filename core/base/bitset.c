/* bitset.c: operations of bitset.h that walk over all words. Linear in the range of the set. */
#include "base/bitset.h"

bool bitset_union(Bitset dst, Bitset src)
{
	u64 grown = 0;
	for (u32 i = 0, n = bitset_words(dst.bits); i < n; i++) {
		grown |= src.w[i] & ~dst.w[i];
		dst.w[i] |= src.w[i];
	}
	return grown != 0;
}

void bitset_copy(Bitset dst, Bitset src) { memcpy(dst.w, src.w, bitset_words(dst.bits) * sizeof(u64)); }

u32 bitset_count(Bitset s)
{
	u32 n = 0;
	for (u32 i = 0; i < bitset_words(s.bits); i++)
		for (u64 w = s.w[i]; w; w &= w - 1)
			n++;
	return n;
}

u32 bitset_next(Bitset s, u32 from)
{
	if (from >= s.bits)
		return s.bits;
	u32 i = from / 64, n = bitset_words(s.bits);
	u64 w = s.w[i] & (~(u64)0 << (from % 64));
	while (!w) {
		if (++i == n)
			return s.bits;
		w = s.w[i];
	}
	u32 at = i * 64 + u64_log2(w & (~w + 1));
	return PS_MIN(at, s.bits);
}
