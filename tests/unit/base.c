/* The floor everything stands on: strings, arenas, arrays, sets, sorting. */
#include "unit.h"

#include "base/bitset.h"
#include "base/hash.h"
#include "base/pages.h"
#include "base/sort.h"
#include "base/strtab.h"
#include "base/vec.h"

#include <setjmp.h>

TEST(str, compares_bytewise)
{
	EXPECT(str_eq(STR("ab"), STR("ab")));
	EXPECT(!str_eq(STR("ab"), STR("abc")));
	EXPECT(str_eq((Str){NULL, 0}, STR("")));
	EXPECT(str_cmp(STR("ab"), STR("abc")) < 0);
	EXPECT(str_cmp(STR("b"), STR("abc")) > 0);
	EXPECT(str_cmp(STR("\xff"), STR("a")) > 0); /* unsigned */
	EXPECT_EQ(str_cmp(STR(""), (Str){NULL, 0}), 0);
	EXPECT(str_starts(STR("abc"), "ab"));
	EXPECT(!str_starts(STR("a"), "ab"));
	EXPECT(str_is(STR("x"), "x"));
}

TEST(base, log2_and_align)
{
	for (u32 i = 0; i < 64; i++) {
		EXPECT_EQ(u64_log2((u64)1 << i), i);
		EXPECT_EQ(u64_log2(~(u64)0 >> (63 - i)), i);
	}
	EXPECT_EQ(align_up(0, 8), 0);
	EXPECT_EQ(align_up(1, 8), 8);
	EXPECT_EQ(align_up(16, 8), 16);
}

TEST(arena, zeroes_and_aligns)
{
	for (u32 i = 0; i < 2000; i++) {
		size_t size = hash_u64(i) % 300, align = (size_t)1 << hash_u64(i + 5000) % 7;
		u8    *p = arena_alloc(a, size, align);
		EXPECT_EQ((uintptr_t)p & (align - 1), 0);
		for (size_t k = 0; k < size; k++)
			if (p[k])
				EXPECT(false && "zeroed");
		memset(p, 0xFF, size);
	}
}

TEST(arena, takes_what_is_larger_than_a_chunk)
{
	u8 *p = arena_alloc(a, 5 << 20, 64);
	p[0] = p[(5 << 20) - 1] = 1;
	EXPECT_EQ((uintptr_t)p & 63, 0);
	EXPECT(a->budget->used >= 5 << 20);
}

TEST(arena, grows_in_place_where_it_can)
{
	u8 *p = arena_alloc(a, 10, 1);
	memset(p, 7, 10);
	u8 *q = arena_grow(a, p, 10, 20, 1);
	EXPECT(q == p);
	EXPECT_EQ(q[9], 7);
	EXPECT_EQ(q[10], 0);
	arena_alloc(a, 1, 1);
	u8 *r = arena_grow(a, q, 20, 100000, 1);
	EXPECT(r != q);
	EXPECT_EQ(r[9], 7);
	EXPECT_EQ(r[20], 0);
	EXPECT_EQ(r[99999], 0);
}

TEST(arena, formats_and_copies)
{
	EXPECT_STR(arena_fmt(a, "%s-%d", "x", 3), "x-3");
	Str s = arena_str(a, STR("hello"));
	EXPECT_STR(s, "hello");
	EXPECT_EQ(s.p[5], 0);
}

static jmp_buf over;
static u64     over_wanted;

static void on_exhausted(PS_UNUSED void *user, u64 wanted)
{
	over_wanted = wanted;
	longjmp(over, 1);
}

TEST(arena, reports_the_cap)
{
	MemBudget    budget = {.cap = 200000, .exhausted = on_exhausted};
	Arena        small;
	volatile u32 taken = 0;
	arena_init(&small, &budget);
	if (!setjmp(over)) {
		for (;; taken++)
			arena_alloc(&small, 1000, 8);
	}
	EXPECT(taken >= 90 && taken < 200);
	EXPECT(over_wanted >= 1000);
	EXPECT(budget.used <= budget.cap);
	EXPECT_EQ(budget.peak, budget.used);
	arena_free(&small);
	EXPECT_EQ(budget.used, 0);
}

static bool one_enters(void *user) { return ++*(u32 *)user; }
static void one_leaves(void *user) { *(u32 *)user += 100; }

TEST(arena, a_shared_budget_keeps_what_large_chunks_were)
{
	enum { LARGE = 3 << 20 };
	u32       calls = 0;
	MemBudget whole = {.exhausted = NULL}, own = {.of = &whole, .enter = one_enters, .leave = one_leaves, .user = &calls};
	Arena     b;
	u8       *first = NULL;
	(void)a;
	for (u32 i = 0; i < 3; i++) {
		arena_init(&b, &own);
		u8 *p = arena_alloc(&b, LARGE - 100 * i, 64);
		EXPECT_EQ(p[0], 0);
		EXPECT_EQ(p[LARGE / 2], 0);
		p[0] = p[LARGE / 2] = 1;
		first = first ? first : p;
#ifdef NDEBUG
		EXPECT(p == first);
#endif
		EXPECT(whole.used >= LARGE - 100 * i && own.used == 0);
		arena_free(&b);
		EXPECT_EQ(whole.used, 0);
	}
	EXPECT_EQ(calls, 606);
	budget_free(&whole);
}

TEST(arena, a_budget_gives_back_all_arenas)
{
	MemBudget budget = {.exhausted = on_exhausted};
	Arena     one, two;
	arena_init(&one, &budget);
	arena_init(&two, &budget);
	for (u32 i = 0; i < 100; i++) {
		arena_alloc(&one, 10000, 8);
		arena_alloc(&two, 20000, 8);
		if (i == 50) {
			arena_free(&one);
			arena_init(&one, &budget);
		}
	}
	EXPECT(budget.used > 2000000);
	budget_free(&budget);
	EXPECT_EQ(budget.used, 0);
}

/* A host of large pages: counts what it has given, and tells that it is zero and aligned. */
typedef struct PageHost {
	u32 pieces, asked;
	u64 bytes;
} PageHost;

static void *host_pages(void *user, void *old, size_t old_size, size_t size)
{
	PageHost *h = user;
	h->asked++;
	EXPECT(size % ARENA_PAGE == 0 && old_size % ARENA_PAGE == 0);
	void *p = size ? aligned_alloc(ARENA_PAGE, size) : NULL;
	if (p) {
		memset(p, 0, size);
		if (old)
			memcpy(p, old, old_size);
		h->pieces++;
		h->bytes += size;
	}
	if (old) {
		h->pieces--;
		h->bytes -= old_size;
		free(old);
	}
	return p;
}

TEST(arena, takes_large_pages)
{
	PageHost  host = {0};
	MemBudget budget = {.exhausted = on_exhausted, .pages = host_pages, .pages_user = &host};
	Arena     one, two;
	u8       *text = NULL;
	u64       n = 0;
	arena_init(&one, &budget);
	arena_init(&two, &budget);
	for (u32 round = 0; round < 3; round++) {
		for (u32 i = 0; i < 3000; i++) {
			u32 *p = arena_alloc(&one, 3000, 64);
			EXPECT(p[0] == 0 && p[749] == 0);
			memset(p, 0xFF, 3000);
		}
		u32 asked = host.asked;
		for (u32 i = 0; i < 200; i++) { /* what short arenas give back is used again */
			Arena s;
			arena_init(&s, &budget);
			for (u32 k = 0; k < 10; k++) {
				u8 *p = arena_alloc(&s, 10000, 8);
				EXPECT(p[0] == 0 && p[9999] == 0);
				memset(p, 0xFF, 10000);
			}
			arena_free(&s);
		}
		EXPECT(host.asked <= asked + 1);
		for (u64 next = 1000; next < 9000000; next = next * 5 / 4) { /* a text that grows */
			text = arena_grow_bytes(&two, text, n, next);
			memset(text + n, (int)(next & 127), next - n);
			n = next;
			EXPECT_EQ(text[0], 1000 & 127);
		}
		EXPECT(arena_alloc(&one, 5000000, 8) != NULL);
		arena_free(&one);
		arena_free(&two);
		text = NULL;
		n = 0;
		EXPECT_EQ(budget.used, 0);
		EXPECT(host.bytes <= 4 * (u64)ARENA_PAGE); /* regions stay, whole pages are back */
	}
	arena_alloc(&one, 5000000, 8);
	arena_alloc(&two, 5000, 8);
	budget_free(&budget);
	EXPECT_EQ(budget.used, 0);
	EXPECT_EQ(host.pieces, 0);
	EXPECT_EQ(host.bytes, 0);
}

/* More than any host has, or than fits in 32 bits: the end of memory, not less of it. */
TEST(arena, does_not_wrap_sizes)
{
	static const u64 sizes[] = {(u64)1 << 63, ~(u64)0, ~(u64)0 - 63, ~(u64)0 - 200, ((u64)1 << 48) + 8};
	for (volatile u32 i = 0; i < PS_COUNT(sizes); i++) {
		MemBudget     budget = {.cap = (u64)1 << 40, .exhausted = on_exhausted};
		Arena         arena;
		volatile bool over_size = true;
		arena_init(&arena, &budget);
		if (!setjmp(over)) {
			arena_alloc(&arena, sizes[i], 8);
			over_size = false;
		}
		EXPECT(over_size);
		arena_free(&arena);
	}
}

TEST(vec, pushes_and_pops)
{
	VecU32 v = {0};
	for (u32 i = 0; i < 1000; i++)
		vec_push(a, &v, i * i);
	EXPECT_EQ(v.n, 1000);
	for (u32 i = 0; i < 1000; i++)
		EXPECT_EQ(v.p[i], i * i);
	EXPECT_EQ(vec_last(&v), 999 * 999);
	EXPECT_EQ(vec_pop(&v), 999 * 999);
	EXPECT_EQ(v.n, 999);
}

TEST(vec, extends_with_zeros)
{
	VecU32 v = {0};
	vec_extend(a, &v, 0); /* nothing of nothing */
	EXPECT_EQ(v.n, 0);
	vec_push(a, &v, 5);
	vec_push(a, &v, 6);
	v.n--;
	vec_extend(a, &v, 20); /* over what was dropped */
	EXPECT_EQ(v.n, 21);
	for (u32 i = 1; i < 21; i++)
		EXPECT_EQ(v.p[i], 0);
	vec_reserve(a, &v, 1000);
	EXPECT(v.cap >= 1000);
	EXPECT_EQ(v.n, 21);
}

typedef struct Record {
	u32 a;
	u64 b;
} Record;

TEST(pages, never_move_and_start_at_one)
{
	Pages p;
	pages_init(&p, a, sizeof(Record));
	EXPECT_EQ(pages_new(&p), 1);
	Record *first = pages_at(&p, 1);
	first->b = 42;
	u32 from = pages_new_n(&p, 3000);
	EXPECT_EQ(from, 2);
	EXPECT_EQ(pages_new(&p), 3002);
	EXPECT(first == pages_at(&p, 1));
	for (u32 id = 2; id < p.n; id++) {
		Record *r = pages_at(&p, id);
		EXPECT_EQ(r->a + r->b, 0);
		r->a = id;
	}
	EXPECT_EQ(((Record *)pages_at(&p, 0))->a, 0); /* the empty record */
	EXPECT_EQ(((Record *)pages_at(&p, 2500))->a, 2500);
	EXPECT_EQ(first->b, 42);
}

TEST(strtab, interns)
{
	Strtab t;
	strtab_init(&t, a);
	EXPECT_EQ(strtab_add(&t, STR("")).i, 0);
	EXPECT_EQ(strtab_find(&t, STR("a")).i, 0);
	StrId one = strtab_add(&t, STR("a"));
	EXPECT_EQ(one.i, 1);
	EXPECT_EQ(strtab_add(&t, STR("a")).i, 1);
	EXPECT_EQ(strtab_add(&t, (Str){"a\0b", 3}).i, 2); /* bytes, not C strings */
	EXPECT_EQ(strtab_add(&t, (Str){"a\0c", 3}).i, 3);
	EXPECT_STR(strtab_get(&t, one), "a");
	arena_free(&t.memory);
}

TEST(strtab, keeps_ids_while_it_grows)
{
	Strtab t;
	strtab_init(&t, a);
	char buf[32];
	for (u32 i = 1; i <= 5000; i++) {
		u32 n = (u32)snprintf(buf, sizeof buf, "name%u", i);
		EXPECT_EQ(strtab_add(&t, (Str){buf, n}).i, i);
	}
	for (u32 i = 1; i <= 5000; i++) {
		u32 n = (u32)snprintf(buf, sizeof buf, "name%u", i);
		EXPECT_EQ(strtab_find(&t, (Str){buf, n}).i, i);
		EXPECT_STREQ(strtab_get(&t, (StrId){i}), ((Str){buf, n}));
	}
	EXPECT_EQ(strtab_find(&t, STR("name5001")).i, 0);
	arena_free(&t.memory);
}

/* The last three characters weigh 331, 31 and 3 in the hash. */
TEST(strtab, tells_names_of_one_hash_apart)
{
	Strtab t;
	strtab_init(&t, a);
	char buf[32];
	u32  id = 1;
	for (u32 x = 0; x < 64; x++)
		for (u32 y = 0; y < 8; y++) { /* 31 more of the last is 3 less of the one before */
			u32 n = (u32)snprintf(buf, sizeof buf, "%c.%c%c", 'A' + x % 32, 'a' + 3 * (7 - y) + x / 32, 1 + 31 * y);
			EXPECT_EQ(strtab_add(&t, (Str){buf, n}).i, id);
			EXPECT_EQ(strtab_find(&t, (Str){buf, n}).i, id++);
		}
	arena_free(&t.memory);
}

TEST(bitset, holds_and_iterates_upward)
{
	static const u32 sizes[] = {1, 63, 64, 65, 127, 128, 1000};
	for (u32 k = 0; k < PS_COUNT(sizes); k++) {
		Bitset s = bitset_new(a, sizes[k]);
		EXPECT_EQ(bitset_next(s, 0), sizes[k]);
		u32 n = 0, last = 0, seen = 0;
		for (u32 i = 0; i < sizes[k]; i++)
			if (hash_u64(i * 31 + k) & 1 || i == sizes[k] - 1) {
				bitset_add(s, i);
				n++;
			}
		EXPECT_EQ(bitset_count(s), n);
		bitset_each(s, i) {
			EXPECT(bitset_has(s, i));
			EXPECT(seen == 0 || i > last);
			last = i;
			seen++;
		}
		EXPECT_EQ(seen, n);
		EXPECT_EQ(last, sizes[k] - 1);
		bitset_del(s, last);
		EXPECT(!bitset_has(s, last));
		EXPECT_EQ(bitset_count(s), n - 1);
		bitset_clear(s);
		EXPECT_EQ(bitset_count(s), 0);
	}
}

TEST(bitset, union_tells_of_change)
{
	Bitset x = bitset_new(a, 200), y = bitset_new(a, 200);
	bitset_add(y, 199);
	bitset_add(x, 3);
	EXPECT(bitset_union(x, y));
	EXPECT(!bitset_union(x, y));
	EXPECT_EQ(bitset_count(x), 2);
	bitset_copy(y, x);
	EXPECT(bitset_has(y, 3));
}

TEST(bitset, of_nothing)
{
	Bitset s = bitset_new(a, 0);
	bitset_each(s, i)
		EXPECT(i != i);
	EXPECT_EQ(bitset_count(s), 0);
}

typedef struct Item {
	u32 key, order;
} Item;

static int by_key(const void *x, const void *y, PS_UNUSED void *user)
{
	const Item *p = x, *q = y;
	return (p->key > q->key) - (p->key < q->key);
}

TEST(sort, is_stable_at_every_length)
{
	for (u32 n = 0; n < 300; n++) {
		Item *v = arena_array(a, Item, n + 1);
		for (u32 i = 0; i < n; i++)
			v[i] = (Item){(u32)(hash_u64(i * 7919 + n) % 20), i};
		v[n] = (Item){0xDEAD, 0xBEEF};
		sort_stable(a, v, n, sizeof *v, by_key, NULL);
		for (u32 i = 1; i < n; i++)
			if (v[i - 1].key > v[i].key || (v[i - 1].key == v[i].key && v[i - 1].order >= v[i].order))
				EXPECT(false && "sorted and stable");
		EXPECT_EQ(v[n].key, 0xDEAD);
	}
}

static int count_compare(const void *x, const void *y, void *user)
{
	++*(u64 *)user;
	return by_key(x, y, NULL);
}

TEST(sort, compares_n_log_n_times)
{
	u32   n = 1 << 14;
	u64   compares = 0;
	Item *v = arena_array(a, Item, n);
	for (u32 i = 0; i < n; i++)
		v[i] = (Item){(u32)hash_u64(i), i};
	sort_stable(a, v, n, sizeof *v, count_compare, &compares);
	EXPECT(compares <= 14u * n);
}

UNIT_MAIN
