/* mnemonic.c: prints an opcode as a PTX mnemonic and reads it back, by the template of its row in ptx.def. Rows with the same
 * first word are tried in the order of the table. */
#include "isa/isa_impl.h"

#include "base/hash.h"
#include "base/packed.h"

/* Of each row one behind another: name, template, operands, id, summary. */
#define TEXTS(id, template, operands, name, summary) name "\0" template "\0" operands "\0" #id "\0" summary
#define GENERIC_TEXTS(id, operands, summary)         TEXTS(id, "", operands, #id, summary)

static const struct Texts {
	char NONE[sizeof(GENERIC_TEXTS(NONE, "", ""))];
#define GENERIC(id, operands, defs, flags, summary) char id[sizeof(GENERIC_TEXTS(id, operands, summary))];
#include "isa/generic.def"
#define INSN(id, template, operands, name, flags, evaluator, unit, extra, sm, ptx, summary) \
	char id[sizeof(TEXTS(id, template, operands, name, summary))];
#include "isa/ptx.def"
} texts = {
	GENERIC_TEXTS(NONE, "", ""),
#define GENERIC(id, operands, defs, flags, summary) GENERIC_TEXTS(id, operands, summary),
#include "isa/generic.def"
#define INSN(id, template, operands, name, flags, evaluator, unit, extra, sm, ptx, summary) \
	TEXTS(id, template, operands, name, summary),
#include "isa/ptx.def"
};

static const IsaRow row[ISA_OP_COUNT] = {
	[ISA_NONE] = {.flags = IF_GENERIC},
#define GENERIC(id, operands, defs, flags_, summary) \
	[ISA_##id] = {.text = offsetof(struct Texts, id), .flags = (flags_) | IF_GENERIC, .n_defs = defs},
#include "isa/generic.def"
#define INSN(id, template, operands, name, flags_, evaluator, unit_, extra_, sm_, ptx_, summary) \
	[ISA_##id] = {.text = offsetof(struct Texts, id),                                        \
	              .flags = flags_,                                                           \
	              .eval = EV_##evaluator,                                                    \
	              .unit = UNIT_##unit_,                                                      \
	              .extra = extra_,                                                           \
	              .sm = sm_,                                                                 \
	              .ptx = ptx_},
#include "isa/ptx.def"
};

const IsaRow *isa_row(u32 op) { return &row[op < ISA_OP_COUNT ? op : 0]; }
const char   *isa_row_name(const IsaRow *r) { return packed_text(&texts, r->text); }
const char   *isa_row_template(const IsaRow *r) { return packed_next(isa_row_name(r)); }
const char   *isa_row_operands(const IsaRow *r) { return packed_next(isa_row_template(r)); }
const char   *isa_row_id(const IsaRow *r) { return packed_next(isa_row_operands(r)); }
const char   *isa_row_summary(const IsaRow *r) { return packed_next(isa_row_id(r)); }

Str isa_first_word(const char *p, u32 n)
{
	u32 i = 0;
	while (i < n && p[i] != '.' && p[i] != '{')
		i++;
	return (Str){p, i};
}

const char *isa_row_modifiers(const IsaRow *r)
{
	const char *p = isa_row_template(r);
	return p + isa_first_word(p, (u32)strlen(p)).n;
}

static bool is_word_end(char c) { return c == 0 || c == '.' || c == '{' || c == '}' || c == '(' || c == '/'; }

bool isa_elem_next(const char **p, IsaElem *e)
{
	const char *at = *p;
	if (!*at)
		return false;
	*e = (IsaElem){0};
	if (*at == '{') {
		e->optional = true;
		at++;
	}
	e->word.p = ++at; /* behind the dot */
	while (!is_word_end(*at))
		at++;
	e->word.n = (u32)(at - e->word.p);
	if (*at == '(') {
		e->allow.p = ++at;
		while (*at != ')')
			at++;
		e->allow.n = (u32)(at++ - e->allow.p);
	}
	if (*at == '/') {
		e->condition.p = ++at;
		while (*at != '}')
			at++;
		e->condition.n = (u32)(at - e->condition.p);
	}
	if (*at == '}')
		at++;
	e->slot = isa_slot_by_name(e->word);
	*p = at;
	return true;
}

void isa_print_mnemonic(Text *t, const PtxOpc *opc)
{
	const IsaRow *r = isa_row(opc->op);
	if (r->flags & IF_GENERIC) {
		text_s(t, isa_row_name(r));
		return;
	}
	const char *p = isa_row_template(r);
	Str         word = isa_first_word(p, (u32)strlen(p));
	p += word.n;
	text_add(t, word);
	IsaElem e;
	while (isa_elem_next(&p, &e)) {
		Str text = e.slot ? isa_class_text(isa_slot_class(e.slot), opc->slot[e.slot]) : e.word;
		if (!text.n || !isa_holds(opc, e.condition))
			continue;
		text_c(t, '.');
		text_add(t, text);
	}
}

bool isa_is_wellformed(const PtxOpc *opc)
{
	const IsaRow *r = isa_row(opc->op);
	const char   *p = isa_row_modifiers(r);
	u32           seen = 1u << SLOT_vec | 1u << SLOT_sreg | 1u << SLOT_form | 1u << SLOT_guard; /* may be hidden */
	IsaElem       e;
	while (isa_elem_next(&p, &e)) {
		u32 t = opc->slot[e.slot];
		if (!e.slot)
			continue;
		if (t ? !isa_token_allowed(isa_slot_class(e.slot), t, e.allow) : !e.optional)
			return false;
		seen |= 1u << e.slot;
	}
	for (u32 i = 0; i < SLOT_COUNT; i++)
		if (opc->slot[i] && !(seen >> i & 1))
			return false;
	return true;
}

/* ---- reading */

typedef struct Reader {
	Str    text;
	PtxOpc opc;
	u32    furthest; /* how far any attempt came */
} Reader;

/* Does ".word" stand at `at`? Returns the place behind it, or 0. */
static u32 word_at(Str text, u32 at, Str word)
{
	u32 end = at + 1 + word.n;
	if (end > text.n || text.p[at] != '.' || memcmp(text.p + at + 1, word.p, word.n) != 0)
		return 0;
	return end == text.n || text.p[end] == '.' ? end : 0;
}

/* The token that `e` takes at `at`; *end is the place behind it. */
static u32 token_here(const Reader *r, const IsaElem *e, u32 at, u32 *end)
{
	u32 class = isa_slot_class(e->slot);
	const char first = at + 1 < r->text.n ? r->text.p[at + 1] : 0;
	for (u32 t = 1; t <= isa_class_tokens(class); t++) {
		if (*isa_token_text(e->slot, t) != first) /* the length of none is asked for */
			continue;
		*end = word_at(r->text, at, isa_class_text(class, t));
		if (*end && isa_token_allowed(class, t, e->allow))
			return t;
	}
	return 0;
}

/* Modifiers in the template's order. Recursion is as deep as the template is long. */
static bool match_in_order(Reader *r, const char *p, u32 at)
{
	IsaElem e;
	r->furthest = PS_MAX(r->furthest, at);
	if (!isa_elem_next(&p, &e))
		return at == r->text.n;
	u32 end;
	if (!e.slot) {
		end = word_at(r->text, at, e.word);
		return end && match_in_order(r, p, end);
	}
	bool open = !r->opc.slot[e.slot] && isa_holds(&r->opc, e.condition);
	u32  t = open ? token_here(r, &e, at, &end) : 0;
	if (t) {
		r->opc.slot[e.slot] = (u8)t;
		if (match_in_order(r, p, end))
			return true;
		r->opc.slot[e.slot] = 0;
	}
	return e.optional && match_in_order(r, p, at);
}

/* Modifiers in any order, each where the template has a place left for it. */
static bool match_any_order(Reader *r, const char *template_)
{
	u64 taken = 0;
	u32 at = (u32)isa_first_word(r->text.p, r->text.n).n;
	while (at < r->text.n) {
		const char *p = template_;
		IsaElem     e;
		u32         i = 0, end = 0;
		for (; isa_elem_next(&p, &e); i++) {
			if (taken >> i & 1 || (e.slot && r->opc.slot[e.slot]))
				continue;
			u32 t = e.slot ? token_here(r, &e, at, &end) : 0;
			if (t)
				r->opc.slot[e.slot] = (u8)t;
			if (t || (!e.slot && (end = word_at(r->text, at, e.word)) != 0))
				break;
			end = 0;
		}
		if (!end)
			return false;
		taken |= (u64)1 << i;
		at = end;
	}
	const char *p = template_;
	IsaElem     e;
	for (u32 i = 0; isa_elem_next(&p, &e); i++)
		if (!e.optional && !(taken >> i & 1))
			return false;
	return true;
}

static u32 word_hash(Str w) { return hash_bytes(w.p, w.n) % ISA_WORD_BUCKETS; }

static bool match_row(Reader *r, u32 op, bool in_order)
{
	const char *t = isa_row_template(isa_row(op));
	Str         word = isa_first_word(t, (u32)strlen(t));
	if (isa_row(op)->flags & IF_PSEUDO || !str_eq(word, isa_first_word(r->text.p, r->text.n)))
		return false;
	r->opc = (PtxOpc){.op = (u16)op};
	return in_order ? match_in_order(r, t + word.n, word.n) : match_any_order(r, t + word.n);
}

static u32 candidate_after(const IsaTable *t, Str text, u32 op)
{
	return op ? t->word_next[op] : t->word_first[word_hash(isa_first_word(text.p, text.n))];
}

bool isa_parse_mnemonic(Session *s, Str text, PtxOpc *opc, IsaParseError *error)
{
	const IsaTable *t = isa_table(s);
	Reader          r = {.text = text};
	for (u32 order = 0; order < 2; order++)
		for (u32 op = candidate_after(t, text, 0); op; op = candidate_after(t, text, op))
			if (match_row(&r, op, order == 0)) {
				*opc = r.opc;
				return true;
			}
	if (error) {
		u32 at = PS_MIN(r.furthest + 1, text.n), n = 0;
		while (at + n < text.n && text.p[at + n] != '.')
			n++;
		*error = (IsaParseError){.at = r.furthest ? at : 0,
		                         .n = r.furthest ? n : isa_first_word(text.p, text.n).n,
		                         .unknown = !r.furthest};
	}
	return false;
}

u32 isa_next_alternative(Session *s, u32 desc)
{
	const IsaTable *t = isa_table(s);
	const IsaDesc  *d = isa_desc(s, desc);
	Reader          r = {.text = d->mnemonic};
	for (u32 op = candidate_after(t, r.text, d->opc.op); op; op = candidate_after(t, r.text, op))
		if (match_row(&r, op, true) || match_row(&r, op, false))
			return isa_intern(s, r.opc);
	return 0;
}

u32 isa_intern_mnemonic(Session *s, Str text, IsaParseError *error)
{
	IsaTable *t = isa_table(s);
	StrId     id = strtab_add(&t->mnemonics, text);
	if (id.i >= t->by_text.n)
		vec_extend(&s->arena, &t->by_text, id.i + 1 - t->by_text.n);
	if (!t->by_text.p[id.i]) {
		PtxOpc opc;
		if (!isa_parse_mnemonic(s, text, &opc, error))
			return 0;
		u32 desc = isa_intern(s, opc);
		t->by_text.p[id.i] = desc;
	}
	return t->by_text.p[id.i];
}

static bool has_shape(const IsaDesc *d, const IsaShape *shape)
{
	if (d->n_defs != shape->n_defs || d->n_operands != shape->n_operands)
		return false;
	for (u32 i = 0; i + d->n_defs < d->n_operands && i < 64; i++)
		if ((d->operand[d->n_defs + i].kind == IO_BASE) != (shape->bases >> i & 1))
			return false;
	return true;
}

u32 isa_intern_form(Session *s, Str text, const IsaShape *shape)
{
	enum { FORMS = 8 }; /* of three optional items */
	IsaParseError error;
	for (u32 row = isa_intern_mnemonic(s, text, &error); row; row = isa_next_alternative(s, row)) {
		PtxOpc o = isa_desc(s, row)->opc;
		for (u32 form = 0; form < FORMS; form++) {
			o.slot[SLOT_form] = (u8)form;
			u32 id = isa_intern(s, o);
			if (has_shape(isa_desc(s, id), shape))
				return id;
		}
	}
	return 0;
}
