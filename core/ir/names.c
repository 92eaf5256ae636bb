/* names.c: lists of the rows of a table of intrinsics, by how their names start; names.h says which. */
#include "ir/names.h"

/* A suffix of overloaded types: .p0.v4f32.i64 (a digit or '_' among the first four of each). */
bool ir_is_type_suffix(const char *p, const char *end)
{
	while (p < end) {
		bool type = false;
		if (*p++ != '.')
			return false;
		for (u32 i = 0; p < end && *p != '.'; p++, i++)
			type |= i < 4 && ((*p >= '0' && *p <= '9') || *p == '_' || (i == 2 && *p == 'V'));
		if (!type)
			return false;
	}
	return true;
}

/* Does `name` match the pattern? `choice` gets the number of the alternative that each group of the pattern took; NULL: nobody
 * asks. Recursion is bounded by the groups of a row. */
bool ir_name_matches(const char *pattern, const char *name, const char *end, u8 *choice)
{
	for (; *pattern; pattern++) {
		if (*pattern == '*')
			return ir_is_type_suffix(name, end);
		if (*pattern != '{') {
			if (name == end || *name != *pattern)
				return false;
			name++;
			continue;
		}
		const char *close = strchr(pattern, '}');
		u8          alternative = 0;
		for (const char *from = pattern + 1; from <= close; alternative++) {
			const char *stop = from;
			while (*stop != ',' && *stop != '}')
				stop++;
			size_t n = (size_t)(stop - from);
			if (choice)
				*choice = alternative;
			if ((size_t)(end - name) >= n && memcmp(name, from, n) == 0 &&
			    ir_name_matches(close + 1, name + n, end, choice ? choice + 1 : NULL))
				return true;
			from = stop + 1;
		}
		return false;
	}
	return name == end;
}

/* ---- lists ---- */

enum { LETTERS = 32, STARTS = 128, STARTS_LOG2 = 7 };

/* How names go on behind llvm. or llvm.nvvm.: the bytes of `mask`, as far as all names of a row do so alike. */
typedef struct NameStart {
	u32 bytes, mask;
} NameStart;

struct IrNameLists {
	u16        start_list[STARTS], letter_list[2 * LETTERS], any; /* rows; 0: the list is empty */
	u16       *next;                                              /* by row; 0: the last. NULL: nothing was looked for yet */
	NameStart *start;                                             /* by row */
};

IrNameLists *ir_name_lists_new(Arena *a) { return arena_new(a, IrNameLists); }

/* The first four bytes, or fewer where the name or what is common to the row's names ends. */
static NameStart start_of(const char *p, const char *end)
{
	NameStart s = {0};
	for (u32 i = 0; i < 4 && p + i != end && p[i] && p[i] != '{' && p[i] != '*'; i++) {
		s.bytes |= (u32)(u8)p[i] << 8 * i;
		s.mask |= (u32)0xFF << 8 * i;
	}
	return s;
}

static u16 *list_by_start(IrNameLists *l, NameStart s, bool nvvm)
{
	return &l->start_list[(s.bytes + nvvm) * 0x9E3779B1u >> (32 - STARTS_LOG2)];
}

static u16 *list_by_letter(IrNameLists *l, NameStart s, bool nvvm)
{
	return &l->letter_list[(nvvm ? LETTERS : 0) + (s.bytes & (LETTERS - 1))];
}

static void fill(IrNameLists *l, Arena *a, const IrNameTable *t)
{
	l->next = arena_array(a, u16, t->n + 1);
	l->start = arena_array(a, NameStart, t->n + 1);
	for (u32 row = t->n; row; row--) { /* so that the first is the first of its list */
		const char *p = t->names(row);
		bool        nvvm = ir_is_nvvm_name(p);
		NameStart   s = start_of(p + (nvvm ? 10 : 5), NULL);
		u16 *list = s.mask == UINT32_MAX ? list_by_start(l, s, nvvm) : s.mask ? list_by_letter(l, s, nvvm) : &l->any;
		l->start[row] = s;
		l->next[row] = *list;
		*list = (u16)row;
	}
}

/* The first of a list's rows before `best` that the name matches, which starts like this; else `best`. */
static u32 find_in(const IrNameLists *l, const IrNameTable *t, u32 row, NameStart start, Str name, u32 best)
{
	const char *end = name.p + name.n;
	for (; row && row < best; row = l->next[row]) {
		if ((start.bytes ^ l->start[row].bytes) & l->start[row].mask & start.mask) /* most rows end here */
			continue;
		const char *p = t->names(row) + 5, *at = name.p + 5;
		while (at < end && *p == *at && *p != '*' && *p != '{') /* those two in a name are no signs of a pattern */
			p++, at++;
		if ((!*p || *p == '{' || *p == '*') && ir_name_matches(p, at, end, NULL))
			return row;
	}
	return best;
}

u32 ir_names_find(IrNameLists *l, Arena *a, const IrNameTable *t, Str name)
{
	char head[12] = {0}; /* names may be shorter */
	if (!str_starts(name, "llvm."))
		return 0;
	if (!l->next)
		fill(l, a, t);
	memcpy(head, name.p, PS_MIN(name.n, (u32)sizeof head - 1));
	bool      nvvm = ir_is_nvvm_name(head);
	NameStart s = start_of(name.p + PS_MIN(name.n, nvvm ? 10u : 5u), name.p + name.n);
	u32       none = t->n + 1, best = none;
	if (s.mask == UINT32_MAX)
		best = find_in(l, t, *list_by_start(l, s, nvvm), s, name, best);
	if (s.mask)
		best = find_in(l, t, *list_by_letter(l, s, nvvm), s, name, best);
	best = find_in(l, t, l->any, s, name, best);
	return best == none ? 0 : best;
}
