/* bitcode_attr.c: attributes: groups (a place and its attributes) and lists of groups, which functions, calls and variables name.
 *
 * Both are kept as they are and become sets when one is first needed, since their types may follow them. */
#include "ir/bitcode.h"

enum { MAX_ATTRS = 200, GROUP_ENTRY = 3, LIST_ENTRY = 2 };

static const u8 codes[IRA_COUNT] = {
#define IR_ATTR(id, text, form, places, since, code) [IRA_##id] = code,
#include "ir/attrs.def"
};

enum { F = 1, P = 2, R = 4, V = 8 };
static const u8 places[IRA_COUNT] = {
	[IRA_STRING] = F | P | R | V,
#define IR_ATTR(id, text, form, places, since, code) [IRA_##id] = places,
#include "ir/attrs.def"
};

/* How the record of an attribute says what it has: a form of attrs.def → its number in bitcode. */
enum {
	RECORD_FLAG = 0,
	RECORD_OPTINT = 0, /* the number is newer than LLVM 22 */
	RECORD_INT = 1,
	RECORD_ALIGN = RECORD_INT,
	RECORD_CAPTURES = RECORD_INT,
	RECORD_FPCLASS = RECORD_INT,
	RECORD_FPENV = RECORD_INT,
	RECORD_MEMORY = RECORD_INT,
	RECORD_PAIR = RECORD_INT,
	RECORD_SCALE = RECORD_INT,
	RECORD_STRING = RECORD_INT,
	RECORD_UWTABLE = RECORD_INT,
	RECORD_KEY = 3,
	RECORD_KEY_VALUE = 4,
	RECORD_NO_TYPE = 5,
	RECORD_TYPE = 6,
	RECORD_RANGE = 7,
	RECORD_RANGES = 8,
};
static const u8 records[IRA_COUNT] = {
#define IR_ATTR(id, text, form, places, since, code) [IRA_##id] = RECORD_##form,
#include "ir/attrs.def"
};

/* Older LLVM wrote types and the default of uwtable as flags. */
static bool fits(u32 kind, u64 how)
{
	bool was_flag = kind == IRA_BYVAL || kind == IRA_SRET || kind == IRA_INALLOCA || kind == IRA_UWTABLE;
	return how == records[kind] || (records[kind] == RECORD_TYPE && how == RECORD_NO_TYPE) ||
	       (was_flag && how == RECORD_FLAG);
}

/* IRA_STRING: there is none. */
static u32 kind_of(u64 code)
{
	u32 kind = IRA_COUNT - 1;
	while (kind && (!code || codes[kind] != code))
		kind--;
	return kind;
}

/* ---- blocks ---- */

void bc_attr_group_block(Bc *b)
{
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		if (e == BC_BLOCK) {
			bc_skip(&b->in);
			continue;
		}
		if (b->in.rec.code != GROUP_ENTRY)
			continue;
		if (!bc_need(b, 3))
			return;
		BcAttrGroup g = {.place = (u32)bc_op(b, 1), .first = b->group_ops.n, .n = b->in.rec.n - 2};
		for (u32 i = 2; i < b->in.rec.n; i++)
			vec_push(b->arena, &b->group_ops, b->in.rec.op[i]);
		vec_push(b->arena, &b->groups, g);
		map_set(&b->attr_groups, bc_op(b, 0), b->groups.n);
	}
}

void bc_attr_block(Bc *b)
{
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		if (e == BC_BLOCK) {
			bc_skip(&b->in);
			continue;
		}
		if (b->in.rec.code != LIST_ENTRY) {
			bc_unknown(b, "attribute record", b->in.rec.code);
			return;
		}
		BcAttrList l = {.first = b->list_groups.n, .n = b->in.rec.n};
		for (u32 i = 0; i < b->in.rec.n; i++)
			vec_push(b->arena, &b->list_groups, (u32)map_or(&b->attr_groups, b->in.rec.op[i], 0));
		vec_push(b->arena, &b->lists, l);
	}
}

/* ---- one attribute ---- */

typedef struct Reader {
	Bc        *b;
	const u64 *op, *end;
} Reader;

static u64 next(Reader *r)
{
	if (r->op < r->end)
		return *r->op++;
	bc_error(r->b, "an attribute is cut off");
	return 0;
}

/* Characters up to a zero. */
static StrId string(Reader *r)
{
	Text t;
	text_init(&t, r->b->arena);
	while (r->op < r->end && *r->op)
		text_c(&t, (char)(u8)*r->op++);
	next(r);
	return strtab_add(&r->b->s->strs, text_str(&t));
}

static StrId text_id(Bc *b, const Text *t) { return strtab_add(&b->s->strs, text_str(t)); }

static void alloc_kind(Bc *b, IrAttr *a, u64 v)
{
	static const char *const words[] = {"alloc", "realloc", "free", "uninitialized", "zeroed", "aligned"};
	Text                     t;
	text_init(&t, b->arena);
	text_c(&t, '"');
	for (u32 i = 0; i < PS_COUNT(words); i++)
		if (v >> i & 1)
			text_f(&t, "%s%s", t.n > 1 ? "," : "", words[i]);
	text_c(&t, '"');
	a->text = text_id(b, &t);
}

/* Bit pairs in the order of IRM_*. LLVM 20 has no errno; its numbers have no version on top. LLVM 22 takes them to access no memory
 * of the target's own. */
static u64 memory(u64 v)
{
	if (!(v >> 56)) {
		u64 other = v >> 4 & 3;
		return (v & 15) | (other << IRM_ERRNO | other << IRM_OTHER);
	}
	return v & IRM_ALL;
}

/* An address (2) includes whether it is null (1), a provenance to write (8) one to read (4). */
static u32 captured(u32 bits) { return bits | (bits & 10) >> 1; }

static void int_attr(Bc *b, IrAttr *a, u64 v)
{
	a->a = v;
	switch (a->kind) {
	case IRA_ALIGN:
	case IRA_ALIGNSTACK: bc_check(b, v && !(v & (v - 1)) && v <= (u64)1 << 32, "an alignment is no power of two"); break;
	case IRA_ALLOCSIZE:
		a->a = v >> 32;
		a->b = (v & UINT32_MAX) == UINT32_MAX ? UINT64_MAX : v & UINT32_MAX;
		break;
	case IRA_VSCALE_RANGE:
		a->a = v >> 32;
		a->b = v & UINT32_MAX;
		if (!v) /* says nothing */
			a->kind = IRA_COUNT;
		break;
	case IRA_UWTABLE:
		a->a = 0;
		if (v == 1)
			a->text = strtab_add(&b->s->strs, STR("sync"));
		break;
	case IRA_ALLOCKIND:
		a->a = 0;
		alloc_kind(b, a, v);
		break;
	case IRA_CAPTURES: *a = ir_attr_captures(b->m, captured((u32)v & 15), captured((u32)v >> 4 & 15)); break;
	case IRA_MEMORY: a->a = memory(v); break;
	case IRA_NOFPCLASS:
		a->a = v & 0x3FF;
		if (!a->a) /* says nothing */
			a->kind = IRA_COUNT;
		break;
	default: break;
	}
}

/* A bound of a range: its words, where there are more than 64 bits. */
static void range_bound(Reader *r, IrType t, u64 n, u64 *plain, Text *wide)
{
	u64 words[64] = {0};
	if (n > PS_COUNT(words)) {
		bc_error(r->b, "a range has bounds that are too wide");
		return;
	}
	for (u64 i = 0; i < n; i++)
		words[i] = bc_signed(next(r));
	*plain = words[0];
	if (wide && bc_ok(r->b))
		ir_print_operand(wide, r->b->m, ir_const_words(r->b->m, t, words, (u32)n), false);
}

static void range(Reader *r, IrAttr *a)
{
	Bc *b = r->b;
	u64 width = next(r);
	if (!bc_check(b, width > 0 && width <= 4096, "a range has a width that is not allowed"))
		return;
	a->type = ir_int_type(b->m, (u32)width);
	if (width <= 64) {
		u64 mask = width == 64 ? UINT64_MAX : ((u64)1 << width) - 1;
		a->a = bc_signed(next(r)) & mask;
		a->b = bc_signed(next(r)) & mask;
		return;
	}
	u64  counts = next(r);
	Text t;
	text_init(&t, b->arena);
	text_f(&t, "i%u ", (u32)width);
	range_bound(r, a->type, counts & UINT32_MAX, &a->a, &t);
	text_s(&t, ", ");
	range_bound(r, a->type, counts >> 32, &a->b, &t);
	a->a = a->b = 0;
	a->text = text_id(b, &t);
}

static void ranges(Reader *r, IrAttr *a)
{
	u64  n = next(r), width = next(r);
	Text t;
	text_init(&t, r->b->arena);
	if (!bc_check(r->b, width == 64, "a list of ranges has a width that is not allowed"))
		return;
	i64 last = INT64_MIN;
	for (u64 i = 0; i < n && bc_ok(r->b); i++) {
		i64 lo = (i64)bc_signed(next(r)), hi = (i64)bc_signed(next(r));
		bc_check(r->b, lo < hi && (!i || lo > last), "ranges of bytes are not in order");
		last = hi;
		text_f(&t, "%s(%lld, %lld)", i ? ", " : "", (long long)lo, (long long)hi);
	}
	a->text = text_id(r->b, &t);
}

static IrAttr attribute(Reader *r)
{
	Bc    *b = r->b;
	IrAttr a = {0};
	u64    how = next(r);
	if (how == RECORD_KEY || how == RECORD_KEY_VALUE) {
		a.kind = IRA_STRING;
		a.key = string(r);
		if (how == RECORD_KEY_VALUE)
			a.text = string(r);
		return a;
	}
	u64 code = next(r);
	a.kind = kind_of(code);
	if (!a.kind) {
		bc_unknown(b, "attribute", code);
		return a;
	}
	if (how > RECORD_RANGES || how == 2) {
		bc_unknown(b, "kind of attribute", how);
		return a;
	}
	if (!bc_check(b, fits(a.kind, how), "an attribute has a value of a kind that is not its own"))
		return a;
	switch (how) {
	case RECORD_FLAG:
		if (a.kind == IRA_NOCAPTURE)
			a = ir_attr_captures_none(b->m);
		break;
	case RECORD_INT: int_attr(b, &a, next(r)); break;
	case RECORD_TYPE: /* elementtype: of a function that is called, too */
		a.type = a.kind == IRA_ELEMENTTYPE ? bc_type(b, next(r)) : bc_value_type(b, next(r));
		break;
	case RECORD_RANGE: range(r, &a); break;
	case RECORD_RANGES: ranges(r, &a); break;
	default: break;
	}
	return a;
}

/* ---- sets ---- */

static IrAttrs group_set(Bc *b, BcAttrGroup *g)
{
	IrAttr all[MAX_ATTRS + 1];
	u32    n = 0;
	Reader r = {b, b->group_ops.p + g->first, b->group_ops.p + g->first + g->n};
	if (g->known)
		return g->set;
	while (r.op < r.end && bc_ok(b)) {
		if (n == MAX_ATTRS) {
			bc_error(b, "an attribute group has more than %u attributes", (u32)MAX_ATTRS);
			return g->set;
		}
		u32 here = g->place == UINT32_MAX ? F | V : g->place ? P : R;
		all[n] = attribute(&r);
		if (all[n].kind == IRA_COUNT)
			continue;
		bool of_variable = here & V && all[n].kind == IRA_ALIGN; /* LLVM takes it there, and at functions, too */
		bc_check(b, places[all[n].kind] & here || of_variable, "an attribute stands where it has no meaning");
		n++;
	}
	if (g->place == UINT32_MAX)
		n = ir_fn_attrs_upgrade(all, n);
	g->set = bc_ok(b) ? ir_attrs_make(b->m, all, n) : (IrAttrs){0};
	g->known = true;
	return g->set;
}

static void complete(Bc *b, BcAttrList *l)
{
	u32 most = 0;
	l->known = true;
	for (u32 i = 0; i < l->n; i++) {
		u32 id = b->list_groups.p[l->first + i], place = id ? b->groups.p[id - 1].place : 0;
		if (!bc_check(b, id != 0, "an attribute list names a group that is not defined") ||
		    !bc_check(b, place == UINT32_MAX || place <= 4096,
		              "an attribute group is for a parameter that no function has"))
			return;
		most = place == UINT32_MAX ? most : PS_MAX(most, place);
	}
	l->params = b->param_sets.n;
	l->n_params = most;
	vec_extend(b->arena, &b->param_sets, most);
	for (u32 i = 0; i < l->n && bc_ok(b); i++) {
		BcAttrGroup *g = &b->groups.p[b->list_groups.p[l->first + i] - 1];
		IrAttrs      set = group_set(b, g);
		if (g->place == UINT32_MAX)
			l->fn = ir_attrs_union(b->m, l->fn, set);
		else if (!g->place)
			l->ret = ir_attrs_union(b->m, l->ret, set);
		else
			b->param_sets.p[l->params + g->place - 1] = set.i;
	}
}

const BcAttrList *bc_attr_list_with_care(Bc *b, u64 number)
{
	static const BcAttrList none = {.known = true};
	if (!number)
		return &none;
	if (number > b->lists.n) {
		bc_error(b, "there is no attribute list %llu", (unsigned long long)number);
		return &none;
	}
	BcAttrList *l = &b->lists.p[number - 1];
	if (!l->known)
		complete(b, l);
	return l;
}

u32 bc_param_list(Bc *b, const BcAttrList *list, u32 n)
{
	u32 few[16], *all = n <= PS_COUNT(few) ? few : arena_array(b->arena, u32, n);
	u32 any = 0;
	for (u32 i = 0; i < n; i++)
		any |= all[i] = i < list->n_params ? b->param_sets.p[list->params + i] : 0;
	return any ? ir_list_new(b->m, all, n) : 0;
}
