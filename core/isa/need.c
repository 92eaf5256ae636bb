/* need.c: which targets have an instruction.
 *
 * What an opcode needs follows from its row in ptx.def, from the rows of needs.def that its modifiers meet, and from its
 * special register. isa_intern() computes it once for each opcode, so that isa_supported() compares a few numbers. */
#include "isa/isa_impl.h"

enum { CONDITIONS = 3 };

typedef struct Condition {
	u8 slot, token; /* slot none: always met */
} Condition;

#define ANY          \
	{            \
		0, 0 \
	}
#define IS(slot, class, token) {SLOT_##slot, TOK_##class##_##token},

static const struct {
	u16       op;
	Condition when[CONDITIONS];
	u16       sm, ptx;
} needs[] = {
#define NEED(op, when, sm, ptx) {ISA_##op, {when}, sm, ptx},
#include "isa/needs.def"
};

static const struct {
	u16       op;
	Condition when[CONDITIONS];
	u16       first, last;
} owned[] = {
#define OWN(op, when, first, last) {ISA_##op, {when}, first, last},
#include "isa/needs.def"
};

static const struct {
	u16         op;
	Condition   when[CONDITIONS];
	u16         sm, ptx;
	const char *why;
} lacks[] = {
#define LACK(op, when, sm, ptx, why) {ISA_##op, {when}, sm, ptx, why},
#include "isa/needs.def"
};

static bool applies(const PtxOpc *o, u32 op, const Condition *when)
{
	if (op != o->op && op != ISA_NONE)
		return false;
	for (u32 i = 0; i < CONDITIONS; i++)
		if (when[i].slot && o->slot[when[i].slot] != when[i].token)
			return false;
	return true;
}

static void raise(IsaNeed *n, u32 sm, u32 ptx)
{
	n->sm = (u16)PS_MAX(n->sm, sm);
	n->ptx = (u16)PS_MAX(n->ptx, ptx);
}

IsaNeed isa_need_of(const PtxOpc *o)
{
	IsaNeed n = {.sm = isa_row(o->op)->sm, .ptx = isa_row(o->op)->ptx};
	if (isa_row(o->op)->flags & IF_GENERIC)
		return n;
	for (u32 i = 0; i < PS_COUNT(needs); i++)
		if (applies(o, needs[i].op, needs[i].when))
			raise(&n, needs[i].sm, needs[i].ptx);
	for (u32 i = 0; i < PS_COUNT(owned); i++)
		if (applies(o, owned[i].op, owned[i].when)) {
			n.own = true;
			raise(&n, owned[i].first, 0);
			n.last = owned[i].last;
		}
	for (u32 i = 0; i < PS_COUNT(lacks); i++)
		if (applies(o, lacks[i].op, lacks[i].when)) {
			n.lack = lacks[i].why;
			n.lack_sm = lacks[i].sm;
			n.lack_ptx = lacks[i].ptx;
		}
	if (o->slot[SLOT_sreg])
		raise(&n, isa_sreg(o->slot[SLOT_sreg])->sm, isa_sreg(o->slot[SLOT_sreg])->ptx);
	return n;
}

bool isa_lost(const IsaNeed *n, const Target *t) { return n->lack && t->sm >= n->lack_sm && t->ptx >= n->lack_ptx; }

bool isa_machine_has(const IsaNeed *n, const Target *t)
{
	return t->sm >= n->sm && (!n->own || t->variant) && (!n->last || t->sm <= n->last);
}

bool isa_supported(const IsaDesc *d, const Target *t)
{
	const IsaNeed *n = &d->need;
	return t->ptx >= n->ptx && isa_machine_has(n, t) && !isa_lost(n, t);
}

bool isa_has(Session *s, PtxOpc opc) { return isa_supported(isa_desc(s, isa_intern(s, opc)), &s->target); }
