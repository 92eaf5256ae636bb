/* bitcode_name.c: the names of a body's values and blocks.
 *
 * No two are alike. Whoever only checks a body needs no more of them than that: then they do not become strings of the session, but numbers
 * of 64 bits, which are compared; where two of these are equal, the body is read once more with its strings, which decides. */
#include "ir/bitcode.h"
#include "ir/bitcode_record.h"

/* ---- names as numbers ---- */

static void grow(Bc *b)
{
	BcNameSet  *set = &b->name_set;
	BcNameSlot *old = set->slot;
	u32         n = old ? set->mask + 1 : 0;
	set->mask = PS_MAX(n * 2, 256u) - 1;
	set->slot = arena_array(b->arena, BcNameSlot, set->mask + 1);
	for (u32 i = 0; i < n; i++) {
		u32 at = (u32)old[i].name & set->mask;
		if (old[i].epoch != set->epoch)
			continue;
		while (set->slot[at].epoch == set->epoch)
			at = (at + 1) & set->mask;
		set->slot[at] = old[i];
	}
}

/* False: it is there already. */
static bool add(Bc *b, u64 name)
{
	BcNameSet *set = &b->name_set;
	if (set->epoch != b->epoch) {
		set->epoch = b->epoch;
		set->n = 0;
	}
	if (set->n * 2 >= set->mask)
		grow(b);
	u32 at = (u32)name & set->mask;
	for (; set->slot[at].epoch == set->epoch; at = (at + 1) & set->mask)
		if (set->slot[at].name == name)
			return false;
	set->slot[at] = (BcNameSlot){name, set->epoch};
	set->n++;
	return true;
}

/* A text of n characters is a number of 64 bits, equal ones the same. Where all are of those that have six bits, these are mixed, nine
 * at once; else its bytes are. */
enum { NINE = 9, SIX_BITS = 6 };

static inline u64 mixed(u64 h, u64 w)
{
	h = (h ^ w) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 32;
}

static u32 six_bits(char c)
{
	return c >= 'a' && c <= 'z'   ? (u32)(c - 'a')
	       : c >= 'A' && c <= 'Z' ? (u32)(c - 'A') + 26
	       : c >= '0' && c <= '9' ? (u32)(c - '0') + 52
	       : c == '.'             ? 62
	       : c == '_'             ? 63
	                              : UINT32_MAX;
}

static u64 number_of(Str text)
{
	u64 h = text.n, bytes = ~(u64)text.n;
	for (u32 i = 0; i < text.n; i += NINE) {
		u64 w = 0;
		for (u32 k = i; k < i + NINE && k < text.n; k++) {
			u32 six = six_bits(text.p[k]);
			if (six == UINT32_MAX) {
				for (u32 j = 0; j < text.n; j++)
					bytes = mixed(bytes, (u8)text.p[j]);
				return bytes;
			}
			w |= (u64)six << SIX_BITS * (k - i);
		}
		h = mixed(h, w);
	}
	return h;
}

/* ---- names as strings ---- */

/* Notes a local name; false: another value has it. */
static bool take_name(Bc *b, StrId name)
{
	if (name.i >= b->names.n)
		vec_extend(b->arena, &b->names, PS_MAX(strtab_count(&b->s->strs), name.i + 1) - b->names.n);
	bool free = b->names.p[name.i] != b->epoch;
	b->names.p[name.i] = b->epoch;
	return free || bc_error(b, "two values of a function are called '%.*s'", STR_ARG(ir_str(b->m, name)));
}

static bool has_name(IrRef value) { return ir_kind(value) == IR_ARG || ir_kind(value) == IR_INST; }

static void name_it(Bc *b, IrRef r, StrId name)
{
	switch (ir_kind(r)) {
	case IR_ARG: ir_arg(b->m, r)->name = name; break;
	case IR_BLOCK: ir_block(b->m, r)->name = name; break;
	default: ir_info(b->m, r)->name = name;
	}
}

/* ---- the block ---- */

enum { ENTRY = 1, BBENTRY };

/* A name for value or block `number`: what that is; none: there is no such thing, or it has no name. */
static inline IrRef named(Bc *b, u32 code, u64 number)
{
	if (code == BBENTRY)
		return bc_block_ref(b, number);
	IrRef r = number < b->values.n ? b->values.p[number].ref : IR_NO_REF;
	if (!bc_check(b, has_name(r), "something that has no name is given one"))
		return IR_NO_REF;
	return r;
}

/* [number, characters…] */
static void entry(Bc *b)
{
	Str text = b->in.rec.text.p ? b->in.rec.text : bc_char_str(b, 1, PS_MAX(b->in.rec.n, 1) - 1);
	if (!bc_need(b, 1) || !text.n || !bc_check(b, !memchr(text.p, 0, text.n), "a name has a zero in it"))
		return;
	IrRef r = named(b, b->in.rec.code, bc_op(b, 0));
	if (!r.i)
		return;
	if (!b->m->use_lists) {
		b->order.unsure |= !add(b, number_of(text));
		return;
	}
	StrId name = strtab_add(&b->s->strs, text);
	if (take_name(b, name))
		name_it(b, r, name);
}

/* Reads an entry of characters of six bits from words alone, of which the last begins in front of `limit`; false: it is another one. */
static inline bool quick_entry(Bc *b, BcScope *c, u64 limit)
{
	BcStream       *in = &b->in;
	u64             at = in->at, w = at < limit ? bc_word(in->p, at) : 0;
	u32             id = (u32)w & c->mask;
	const BcAbbrev *a = id > 3 ? bc_abbrev(in, c, id) : NULL;
	if (!a || !a->sixes)
		return false;
	const BcAbbrevOp *op = in->ops.p + a->first + 1;
	BcSixes           x = {.s = in, .p = in->p, .care = limit};
	w >>= c->width;
	at += c->width;
	u64 number = op->literal | (w & op->mask);
	if (w & op->more) {
		w >>= op->width;
		at += op->width;
		number |= (w & op->mask) << (op->width - 1);
		if (w & op->more)
			return false;
	}
	x.at = at + op->width;
	u64 n = bc_six(&x);
	at = x.at;
	if ((a->code != ENTRY && a->code != BBENTRY) || !n || n > limit || at + n * SIX_BITS > limit)
		return false;
	in->rec.at = in->at;
	in->at = at + n * SIX_BITS;
	c->records++;
	u64 h = n;
	for (; n > NINE; n -= NINE, at += NINE * SIX_BITS)
		h = mixed(h, bc_word(in->p, at) & (((u64)1 << NINE * SIX_BITS) - 1));
	h = mixed(h, bc_word(in->p, at) & (((u64)1 << n * SIX_BITS) - 1));
	if (named(b, a->code, number).i)
		b->order.unsure |= !add(b, h);
	return true;
}

void bc_name_block(Bc *b)
{
	BcStream *in = &b->in;
	bc_enter(in);
	BcScope *c = &in->scope[in->depth - 1];
	u64      loaded = in->bytes > 8 ? (in->bytes - 8) * 8 : 0;
	u64      limit = b->m->use_lists || c->width > BC_MOST_OF_NUMBER ? 0 : PS_MIN(in->end, loaded);
	in->wants_text = true;
	for (;;) {
		while (bc_ok(b) && quick_entry(b, c, limit)) {
		}
		BcEntry e = bc_next(in);
		if (e == BC_END)
			break;
		if (e == BC_BLOCK)
			bc_skip(in);
		else if (in->rec.code == ENTRY || in->rec.code == BBENTRY)
			entry(b);
	}
	in->wants_text = false;
}
