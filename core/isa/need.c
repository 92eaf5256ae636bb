/* need.c: which targets have an instruction.
 *
 * What an opcode needs follows from its row in ptx.def, from the rows of needs.def that its modifiers meet, and from its
 * special register. isa_intern() computes it once for each opcode, so that isa_supported() compares a few numbers. */
#include "isa/isa_impl.h"

enum { CONDITIONS = 3 };

typedef struct Condition {
	u8 slot, token; /* slot none: always met; form: the bit of an optional item */
} Condition;

#define ANY          \
	{            \
		0, 0 \
	}
#define IS(slot, class, token) {SLOT_##slot, TOK_##class##_##token},
#define WITH(item)             {SLOT_form, 1 << (item)},

typedef enum NeedKind { ROW_NEED, ROW_OWN, ROW_LACK } NeedKind;

typedef struct NeedRow {
	u16         op;
	u8          kind; /* NeedKind */
	Condition   when[CONDITIONS];
	u16         sm, ptx;
	u32         own;
	const char *why;
} NeedRow;

/* Numbers of variants: of target_variant_at. */
enum {
#define SM(number, ptx, what)
#define SM_VARIANT(number, letter, ptx) VARIANT_##letter##number,
#define PTX(version)
#include "config/targets.def"
	VARIANTS
};
_Static_assert(VARIANTS <= 32, "a set of variants is a word");

#define A(number) 1u << VARIANT_a##number |
#define F(number) 1u << VARIANT_f##number |
enum {
#define OWNERS(id, variants) OWNERS_##id = (i32)(variants 0u),
#include "isa/needs.def"
};
#undef A
#undef F

static const NeedRow rows[] = {
#define NEED(op, when, sm, ptx)      {ISA_##op, ROW_NEED, {when}, sm, ptx, 0, NULL},
#define OWN(op, when, owners)        {ISA_##op, ROW_OWN, {when}, 0, 0, OWNERS_##owners, NULL},
#define LACK(op, when, sm, ptx, why) {ISA_##op, ROW_LACK, {when}, sm, ptx, 0, why},
#include "isa/needs.def"
};

/* Chains the rows of each op, so that an opcode looks at its own rows and at those of any op (NONE). */
void isa_index_needs(Session *s, IsaTable *t)
{
	t->need_first = arena_array(&s->arena, u16, ISA_OP_COUNT);
	t->need_next = arena_array(&s->arena, u16, PS_COUNT(rows) + 1);
	for (u32 i = PS_COUNT(rows); i; i--) {
		t->need_next[i] = t->need_first[rows[i - 1].op];
		t->need_first[rows[i - 1].op] = (u16)i;
	}
}

static bool applies(const PtxOpc *o, const Condition *when)
{
	for (u32 i = 0; i < CONDITIONS; i++) {
		u8 is = o->slot[when[i].slot];
		if (when[i].slot == SLOT_form ? !(is & when[i].token) : when[i].slot && is != when[i].token)
			return false;
	}
	return true;
}

static void raise(IsaNeed *n, u32 sm, u32 ptx)
{
	n->sm = (u16)PS_MAX(n->sm, sm);
	n->ptx = (u16)PS_MAX(n->ptx, ptx);
}

static void add_row(IsaNeed *n, const NeedRow *r)
{
	switch ((NeedKind)r->kind) {
	case ROW_NEED: raise(n, r->sm, r->ptx); break;
	case ROW_OWN: n->own = n->own ? n->own & r->own : r->own; break;
	case ROW_LACK:
		n->lack = r->why;
		n->lack_sm = r->sm;
		n->lack_ptx = r->ptx;
		break;
	}
}

IsaNeed isa_need_of(const IsaTable *t, const PtxOpc *o)
{
	IsaNeed n = {.sm = isa_row(o->op)->sm, .ptx = isa_row(o->op)->ptx};
	if (isa_row(o->op)->flags & IF_GENERIC)
		return n;
	const u16 first[] = {t->need_first[ISA_NONE], t->need_first[o->op]};
	for (u32 k = 0; k < PS_COUNT(first); k++)
		for (u32 i = first[k]; i; i = t->need_next[i])
			if (applies(o, rows[i - 1].when))
				add_row(&n, &rows[i - 1]);
	if (o->slot[SLOT_sreg])
		raise(&n, isa_sreg(o->slot[SLOT_sreg])->sm, isa_sreg(o->slot[SLOT_sreg])->ptx);
	return n;
}

bool isa_lost(const IsaNeed *n, const Target *t) { return n->lack && t->sm >= n->lack_sm && t->ptx >= n->lack_ptx; }

static bool has_variant(u32 own, u32 sm, char variant)
{
	u32  of;
	char letter;
	for (u32 i = 0; own >> i; i++)
		if (own >> i & 1 && target_variant_at(i, &of, &letter) && of == sm && letter == variant)
			return true;
	return false;
}

bool isa_machine_has(const IsaNeed *n, const Target *t)
{
	return t->sm >= n->sm && (!n->own || (t->variant && has_variant(n->own, t->sm, t->variant)));
}

/* The first of its variants from an architecture on; false: there is none. */
static bool first_variant(const IsaNeed *n, u32 from, Target *out)
{
	for (u32 i = 0; n->own >> i; i++) {
		u32  sm;
		char variant;
		if (n->own >> i & 1 && target_variant_at(i, &sm, &variant) && sm >= PS_MAX(from, n->sm)) {
			*out = (Target){
				.sm = sm, .variant = variant, .ptx = PS_MAX(target_default_ptx(sm, variant), (u32)n->ptx)};
			return true;
		}
	}
	return false;
}

Target isa_lowest(const IsaNeed *n)
{
	Target t = {.sm = n->sm, .ptx = n->ptx};
	if (first_variant(n, 0, &t))
		t.ptx = n->ptx;
	return t;
}

Target isa_nearest(const IsaNeed *n, const Target *t)
{
	Target best = {.sm = PS_MAX(n->sm, t->sm), .ptx = n->ptx};
	if (n->own && !first_variant(n, t->sm, &best))
		first_variant(n, 0, &best);
	return best;
}

bool isa_supported(const IsaDesc *d, const Target *t)
{
	const IsaNeed *n = &d->need;
	return t->ptx >= n->ptx && isa_machine_has(n, t) && !isa_lost(n, t);
}

bool isa_has(Session *s, PtxOpc opc) { return isa_supported(isa_desc(s, isa_intern(s, opc)), &s->target); }

bool isa_target_has(const Target *t, IsaFeature feature)
{
	static const struct {
		u8 sm, ptx;
	} features[] = {
#define FEATURE(id, sm, ptx) {sm, ptx},
#include "isa/needs.def"
	};
	return t->sm >= features[feature].sm && t->ptx >= features[feature].ptx;
}

u32 isa_access_bytes(const Target *t, u32 space)
{
	return space == AS_GLOBAL && isa_target_has(t, ISA_FEATURE_ACCESS_32) ? 32 : 16;
}
