/* match.c: matches by backtracking over repetitions; patterns and texts are short, see match.h. */
#include "api/match.h"

static bool one(char p, char t) { return p == '.' || p == t; }

/* Does `p` match a prefix of `t`? Backtracks over repetitions only; patterns and ids are short. */
static bool here(Str p, Str t)
{
	while (p.n) {
		if (p.p[0] == '$' && p.n == 1)
			return t.n == 0;
		char repeat = p.n > 1 ? p.p[1] : 0;
		bool repeated = repeat == '*' || repeat == '+' || repeat == '?';
		if (!repeated) {
			if (!t.n || !one(p.p[0], t.p[0]))
				return false;
			p = (Str){p.p + 1, p.n - 1};
			t = (Str){t.p + 1, t.n - 1};
			continue;
		}
		u32 least = repeat == '+', most = repeat == '?' ? 1 : t.n, n = 0;
		while (n < most && n < t.n && one(p.p[0], t.p[n]))
			n++;
		Str rest = {p.p + 2, p.n - 2};
		for (; n >= least; n--) {
			if (here(rest, (Str){t.p + n, t.n - n}))
				return true;
			if (n == 0)
				break;
		}
		return false;
	}
	return true;
}

static bool search(Str p, Str t)
{
	if (p.n && p.p[0] == '^')
		return here((Str){p.p + 1, p.n - 1}, t);
	for (u32 i = 0; i <= t.n; i++)
		if (here(p, (Str){t.p + i, t.n - i}))
			return true;
	return false;
}

bool regex_match(Str pattern, Str text)
{
	for (u32 i = 0; i <= pattern.n;) {
		u32 end = i;
		while (end < pattern.n && pattern.p[end] != '|')
			end++;
		if (search((Str){pattern.p + i, end - i}, text))
			return true;
		i = end + 1;
	}
	return false;
}
