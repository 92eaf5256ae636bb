/* repeats.c: see repeats.h. */
#include "base/repeats.h"

#include "base/sort.h"

typedef struct Suffixes {
	u32  n;
	u32 *at;   /* suffixes in order: where they begin */
	u32 *rank; /* by beginning: suffixes whose first numbers are equal have one rank */
	u32 *spare, *count;
} Suffixes;

/* The rank of suffix i behind its first `skip` numbers; one that ends there comes first. */
static u32 rank_behind(const Suffixes *s, u32 i, u32 skip) { return skip < s->n - i ? s->rank[i + skip] + 1 : 0; }

/* Counting sort of `from` to `to` by rank. */
static void sort_by_rank(Suffixes *s, const u32 *from, u32 *to)
{
	memset(s->count, 0, (s->n + 2) * sizeof(u32));
	for (u32 k = 0; k < s->n; k++)
		s->count[s->rank[k] + 1]++;
	for (u32 k = 0; k < s->n; k++)
		s->count[k + 1] += s->count[k];
	for (u32 k = 0; k < s->n; k++)
		to[s->count[s->rank[from[k]]]++] = from[k];
}

typedef struct Number {
	u32 value, at;
} Number;

static int by_value(const void *a, const void *b, void *user)
{
	u32 x = ((const Number *)a)->value, y = ((const Number *)b)->value;
	(void)user;
	return (x > y) - (x < y);
}

/* Ranks by the first number; how many there are. */
static u32 first_ranks(Suffixes *s, const u32 *text, Arena *a)
{
	Number *number = arena_array(a, Number, s->n);
	u32     ranks = 0;
	for (u32 k = 0; k < s->n; k++)
		number[k] = (Number){text[k], k};
	sort_stable(a, number, s->n, sizeof(Number), by_value, NULL);
	for (u32 k = 0; k < s->n; k++) {
		ranks += k && number[k].value != number[k - 1].value;
		s->at[k] = number[k].at;
		s->rank[number[k].at] = ranks;
	}
	return ranks + 1;
}

/* With ranks by `length` numbers, sorts by twice as many. */
static u32 double_length(Suffixes *s, u32 length)
{
	u32 n = 0, ranks = 0;
	for (u32 i = s->n - PS_MIN(length, s->n); i < s->n; i++)
		s->spare[n++] = i;
	for (u32 k = 0; k < s->n; k++)
		if (s->at[k] >= length)
			s->spare[n++] = s->at[k] - length;
	sort_by_rank(s, s->spare, s->at);
	for (u32 k = 0; k < s->n; k++) {
		u32 x = s->at[k], y = k ? s->at[k - 1] : x;
		ranks += s->rank[x] != s->rank[y] || rank_behind(s, x, length) != rank_behind(s, y, length);
		s->spare[x] = ranks;
	}
	u32 *t = s->rank;
	s->rank = s->spare;
	s->spare = t;
	return ranks + 1;
}

/* common[k]: how many numbers suffixes k - 1 and k of the order begin with in common. */
static u32 *common_prefixes(const Suffixes *s, const u32 *text, Arena *a)
{
	u32 *common = arena_array(a, u32, s->n + 1), h = 0;
	for (u32 i = 0; i < s->n; i++) {
		if (!s->rank[i]) {
			h = 0;
			continue;
		}
		u32 j = s->at[s->rank[i] - 1];
		while (i + h < s->n && j + h < s->n && text[i + h] == text[j + h])
			h++;
		common[s->rank[i]] = h;
		h -= h != 0;
	}
	return common;
}

Repeats repeats_find(const u32 *text, u32 n, u32 least, Arena *a)
{
	Repeats  r = {.place = NULL};
	Suffixes s = {n, arena_array(a, u32, n + 1), arena_array(a, u32, n + 1), arena_array(a, u32, n + 1),
	              arena_array(a, u32, n + 2)};
	if (n < 2)
		return r;
	u32 ranks = first_ranks(&s, text, a);
	for (u32 length = 1; ranks < n; length *= 2)
		ranks = double_length(&s, length);
	u32 *common = common_prefixes(&s, text, a);
	Vec(Repeat) open = {0}; /* intervals that have begun, each inside the one before */
	r.place = s.at;
	for (u32 k = 1; k <= n; k++) {
		u32 length = k < n ? common[k] : 0, first = k - 1;
		while (open.n && vec_last(&open).length > length) {
			Repeat done = vec_pop(&open);
			done.n = k - done.first;
			first = done.first;
			if (done.length >= least)
				vec_push(a, &r.list, done);
		}
		if (length && (!open.n || vec_last(&open).length < length))
			vec_push(a, &open, ((Repeat){length, first, 0}));
	}
	return r;
}
