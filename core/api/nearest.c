/* nearest.c: the known name that is nearest to a misspelt one, by edit distance (base/str.c), for hints. Linear in the names. */
#include "api/options.h"

Nearest nearest_to(Str wrong) { return (Nearest){.wrong = wrong, .distance = 0xFFFFFFFF}; }

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
	u32 d = str_distance(n->wrong, name);
	if (d == UINT32_MAX)
		return;
	if (d < n->distance || (d == n->distance && common_prefix(n->wrong, name) > common_prefix(n->wrong, n->best))) {
		n->distance = d;
		n->best = name;
	}
}

bool nearest_found(const Nearest *n) { return n->best.n && n->distance <= PS_MAX(1u, n->wrong.n / 3); }
