/* str.c: text without memory of its own: edit distance and the nearest of a list of words.
 *
 * The distance is that of Damerau and Levenshtein restricted to transpositions of neighbours (optimal string alignment), over three
 * rows: linear memory, time is the product of the lengths. */
#include "base/base.h"

u32 str_distance(Str a, Str b)
{
	u8 row[3][STR_DISTANCE_MAX + 1];
	if (a.n > STR_DISTANCE_MAX || b.n > STR_DISTANCE_MAX)
		return UINT32_MAX;
	for (u32 j = 0; j <= b.n; j++)
		row[0][j] = (u8)j;
	for (u32 i = 1; i <= a.n; i++) {
		u8 *now = row[i % 3], *above = row[(i + 2) % 3], *above2 = row[(i + 1) % 3];
		now[0] = (u8)i;
		for (u32 j = 1; j <= b.n; j++) {
			u32 best = above[j - 1] + (a.p[i - 1] != b.p[j - 1] ? 1u : 0u);
			best = PS_MIN(best, PS_MIN(above[j], now[j - 1]) + 1u);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				best = PS_MIN(best, above2[j - 2] + 1u);
			now[j] = (u8)best;
		}
	}
	return row[a.n % 3][b.n];
}

bool str_is_among(const char *words, Str s)
{
	for (const char *at = words; s.n && (at = strchr(at, ' ')) && *++at;)
		if (strncmp(at, s.p, s.n) == 0 && at[s.n] == ' ')
			return true;
	return false;
}
