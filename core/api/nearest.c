#include "api/options.h"

enum { NEAREST_MAX = 64 };

Nearest nearest_to(Str wrong)
{
	return (Nearest){.wrong = wrong, .distance = 0xFFFFFFFF};
}

/* Levenshtein's distance with transpositions of neighbours, by three rows. */
static u32 edit_distance(Str a, Str b)
{
	u32 row[3][NEAREST_MAX + 1];
	for (u32 j = 0; j <= b.n; j++)
		row[0][j] = j;
	for (u32 i = 1; i <= a.n; i++) {
		u32 *now = row[i % 3], *above = row[(i + 2) % 3], *above2 = row[(i + 1) % 3];
		now[0] = i;
		for (u32 j = 1; j <= b.n; j++) {
			u32 swap = a.p[i - 1] != b.p[j - 1];
			now[j] = PS_MIN(above[j - 1] + swap, PS_MIN(above[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				now[j] = PS_MIN(now[j], above2[j - 2] + 1);
		}
	}
	return row[a.n % 3][b.n];
}

static u32 common_prefix(Str a, Str b)
{
	u32 n = 0;
	while (n < a.n && n < b.n && a.p[n] == b.p[n])
		n++;
	return n;
}

/* Of equally near names the one that begins alike the longest: mistakes are made at the end. */
void nearest_try(Nearest *n, Str name)
{
	if (n->wrong.n > NEAREST_MAX || name.n > NEAREST_MAX)
		return;
	u32 d = edit_distance(n->wrong, name);
	if (d < n->distance ||
	    (d == n->distance && common_prefix(n->wrong, name) > common_prefix(n->wrong, n->best))) {
		n->distance = d;
		n->best = name;
	}
}

bool nearest_found(const Nearest *n)
{
	return n->best.n && n->distance <= PS_MAX(1u, n->wrong.n / 3);
}
