/* bitcode_stream.c: reads the bitstream container of LLVM bitcode.
 *
 * Source: LLVM's document "LLVM Bitcode File Format" (bitstream format, blocks, abbreviations, BLOCKINFO).
 *
 * Nothing is trusted: each length is compared with what is left of the enclosing block before memory is taken for it, so time and memory
 * are linear in the file. The first fault ends all reading: from then on bc_next returns BC_END. */
#include "ir/bitcode_stream.h"

void bc_fault(BcStream *s, const char *what)
{
	if (s->fault)
		return;
	s->fault = what;
	s->broken = true;
	s->fault_at = s->at;
	s->fault_block = s->depth ? s->scope[s->depth - 1].id : UINT32_MAX;
	s->fault_record = s->depth ? s->scope[s->depth - 1].records : 0;
	s->at = s->end;
}

void bc_set_end(BcStream *s, u64 end)
{
	u64 loaded = s->bytes > 8 ? (s->bytes - 8) * 8 : 0, held = end > 55 ? end - 55 : 0;
	s->end = end;
	s->care = s->depth > 1 ? PS_MIN(loaded, held) : 0;
}

void bc_open(BcStream *s, Arena *arena, const u8 *p, u64 bytes)
{
	*s = (BcStream){.arena = arena, .p = p, .bytes = bytes, .depth = 1};
	bc_set_end(s, bytes * 8);
	s->scope[0] = (BcScope){.id = UINT32_MAX, .width = 2, .end = bytes * 8};
	vec_reserve(arena, &s->values, 64);
}

/* ---- bits ---- */

enum { WORD = 56 }; /* bits that a word has from any bit of its first byte on */

static inline u64 word_at(const u8 *p, u64 at) { return bc_load64(p + (at >> 3)) >> (at & 7); }

u64 bc_bits_at_end(BcStream *s, u32 n)
{
	u64 v = 0;
	if (s->at + n > s->end || n > 64) {
		bc_fault(s, "it is truncated: a value goes on behind the end of its block");
		return 0;
	}
	for (u32 i = 0; i < n; i++, s->at++)
		v |= (u64)(s->p[s->at >> 3] >> (s->at & 7) & 1) << i;
	return v;
}

u64 bc_long_vbr(BcStream *s, u32 width)
{
	u64 v = 0, more = (u64)1 << (width - 1);
	u32 shift = 0;
	while (s->at < s->care && shift + width <= 64) { /* pieces of one word, all of whose bits have a place in the number */
		u64 w = word_at(s->p, s->at);
		u32 n = PS_MIN(WORD / width, (65 - width - shift) / (width - 1) + 1);
		for (; n; n--, w >>= width) {
			v |= (w & (more - 1)) << shift;
			shift += width - 1;
			s->at += width;
			if (!(w & more))
				return v;
		}
	}
	for (;; shift += width - 1) {
		u64 piece = bc_bits(s, width), low = piece & (more - 1);
		if (shift >= 64 ? low != 0 : low << shift >> shift != low) {
			bc_fault(s, "a number has more than 64 bits");
			return 0;
		}
		v |= shift < 64 ? low << shift : 0;
		if (!(piece & more))
			return v;
	}
}

static void align32(BcStream *s)
{
	u64 at = (s->at + 31) & ~(u64)31;
	if (at > s->end)
		bc_fault(s, "it is truncated");
	else
		s->at = at;
}

/* ---- abbreviations ---- */

static bool abbrev_op(BcStream *s, BcAbbrevOp *op)
{
	*op = (BcAbbrevOp){0};
	if (bc_bits(s, 1)) {
		op->literal = bc_vbr(s, 8);
		return true;
	}
	op->encoding = (u8)bc_bits(s, 3);
	if (op->encoding == BCE_LITERAL || op->encoding > BCE_BLOB)
		return false;
	if (op->encoding == BCE_FIXED || op->encoding == BCE_VBR) {
		u64 width = bc_vbr(s, 5);
		if (width > (op->encoding == BCE_FIXED ? 64u : 32u) || (op->encoding == BCE_VBR && width == 1))
			return false;
		op->width = (u8)width;
		if (!width) /* an old way to write a zero */
			*op = (BcAbbrevOp){0};
	}
	return true;
}

/* What the quick way of reading it needs. */
static void prepare(BcAbbrevOp *op)
{
	u64 top = op->width ? (u64)1 << (op->width - 1) : 0;
	op->more = op->encoding == BCE_VBR ? top : 0;
	op->mask = op->encoding == BCE_VBR ? top - 1 : top * 2 - 1;
	op->quick = op->encoding <= BCE_VBR && op->width <= (op->encoding == BCE_VBR ? WORD / 2 : WORD);
	if (op->encoding == BCE_LITERAL)
		op->mask = 0;
}

/* An array is the last but one, its element the last; a blob is the last. */
static bool is_sound(const BcAbbrevOp *op, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u32 k = op[i].encoding;
		if (k == BCE_ARRAY && (i + 2 != n || op[i + 1].encoding == BCE_ARRAY || op[i + 1].encoding == BCE_BLOB ||
		                       op[i + 1].encoding == BCE_LITERAL))
			return false;
		if (k == BCE_BLOB && i + 1 != n)
			return false;
	}
	return op[0].encoding != BCE_ARRAY && op[0].encoding != BCE_BLOB;
}

static BcAbbrev define_abbrev(BcStream *s)
{
	u64      n = bc_vbr(s, 5);
	BcAbbrev a = {.first = s->ops.n};
	if (n > bc_left(s)) {
		bc_fault(s, "an abbreviation is longer than its block");
		return a;
	}
	for (u64 i = 0; i < n && !s->fault; i++) {
		BcAbbrevOp op;
		if (!abbrev_op(s, &op))
			bc_fault(s, "an abbreviation has an operand of no known encoding");
		prepare(&op);
		vec_push(s->arena, &s->ops, op);
		a.n++;
		a.scalars += a.scalars + 1 == a.n && op.encoding != BCE_ARRAY && op.encoding != BCE_BLOB;
	}
	if (!s->fault && (a.n == 0 || !is_sound(s->ops.p + a.first, a.n)))
		bc_fault(s, "the operands of an abbreviation are in an order that is not allowed");
	if (!s->fault)
		a.code = s->ops.p[a.first].encoding == BCE_LITERAL ? (u32)s->ops.p[a.first].literal : UINT32_MAX;
	vec_reserve(s->arena, &s->values, a.n);
	return a;
}

/* ---- records ---- */

/* Where the stream is while a record is read: a copy, which stays in registers. In front of `care` a word has WORD bits of the block; what
 * needs more, or is further on, is read with care: piece by piece, and not beyond the block. */
typedef struct Cursor {
	BcStream *s;
	const u8 *p;
	u64       at, care;
} Cursor;

static inline u64 word(const Cursor *c) { return word_at(c->p, c->at); }

static PS_NOINLINE u64 bits_with_care(BcStream *s, u64 at, u32 n)
{
	s->at = at;
	return bc_bits(s, n);
}

static PS_NOINLINE u64 vbr_with_care(BcStream *s, u64 at, u32 width)
{
	s->at = at;
	return bc_long_vbr(s, width);
}

static inline u64 take(Cursor *c, u32 n)
{
	if (c->at < c->care && n <= WORD) {
		u64 v = word(c) & (((u64)1 << n) - 1);
		c->at += n;
		return v;
	}
	u64 v = bits_with_care(c->s, c->at, n);
	c->at = c->s->at;
	return v;
}

static inline u64 take_vbr(Cursor *c, u32 width)
{
	u64 more = (u64)1 << (width - 1), low = more - 1;
	if (c->at < c->care) {
		u64 w = word(c), v = w & low;
		if (!(w & more)) {
			c->at += width;
			return v;
		}
		u32 used = width, shift = 0;
		do {
			w >>= width;
			shift += width - 1;
			v |= (w & low) << shift;
			used += width;
		} while (w & more && used + width <= WORD);
		if (!(w & more) && used <= WORD) {
			c->at += used;
			return v;
		}
	}
	u64 v = vbr_with_care(c->s, c->at, width);
	c->at = c->s->at;
	return v;
}

static const char char6[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

static PS_NOINLINE u64 scalar_with_care(BcStream *s, u64 at, const BcAbbrevOp *op)
{
	s->at = at;
	switch (op->encoding) {
	case BCE_LITERAL: return op->literal;
	case BCE_FIXED: return bc_bits(s, op->width);
	case BCE_VBR: return bc_long_vbr(s, op->width);
	default: return (u8)char6[bc_bits(s, 6)];
	}
}

static inline u64 scalar(Cursor *c, const BcAbbrevOp *op)
{
	if (c->at < c->care && op->quick) {
		u64 w = word(c), second = w >> op->width;
		c->at += op->width;
		if (!(w & op->more))
			return op->literal | (w & op->mask);
		if (!(second & op->more)) {
			c->at += op->width;
			return (w & op->mask) | (second & op->mask) << (op->width - 1);
		}
		c->at -= op->width;
	}
	u64 v = scalar_with_care(c->s, c->at, op);
	c->at = c->s->at;
	return v;
}

/* Has the block room for n elements of at least `bits` bits? */
static inline bool has_room(const Cursor *c, u64 n, u32 bits)
{
	BcStream *s = c->s;
	s->at = c->at;
	if (n <= bc_left(s) / bits)
		return true;
	bc_fault(s, "a record is longer than its block");
	return false;
}

/* n numbers of one width; as many at once as a word has. */
static inline void fixed_array(Cursor *c, u64 *to, u64 n, u32 width)
{
	u64 mask = ((u64)2 << (width - 1)) - 1;
	u32 most = WORD / width;
	while (most && n >= most && c->at < c->care) {
		u64 w = word(c);
		for (u32 k = 0; k < most; k++, w >>= width)
			to[k] = w & mask;
		to += most;
		n -= most;
		c->at += most * width;
	}
	for (; n; n--)
		*to++ = take(c, width);
}

/* n characters; as many at once as a word has. */
static inline void text(Cursor *c, u64 n, u32 width, bool is_char6)
{
	BcStream *s = c->s;
	vec_reserve(s->arena, &s->text, (u32)n);
	char *to = s->text.p;
	u64   mask = ((u64)1 << width) - 1, most = WORD / width, left = n;
	while (left && c->at < c->care) {
		u64 w = word(c), k = PS_MIN(left, most);
		left -= k;
		c->at += k * width;
		for (; k; k--, w >>= width)
			*to++ = is_char6 ? char6[w & 63] : (char)(u8)(w & mask);
	}
	for (; left; left--)
		*to++ = is_char6 ? char6[take(c, 6)] : (char)(u8)take(c, width);
	s->rec.text = (Str){s->text.p, (u32)n};
	s->at = c->at;
}

/* Behind the values that the record has so far. */
static PS_NOINLINE void array(BcStream *s, const BcAbbrevOp *e)
{
	Cursor c = {s, s->p, s->at, s->care};
	u64    n = take_vbr(&c, 6);
	u32    width = e->encoding == BCE_CHAR6 ? 6 : e->width;
	if (!has_room(&c, n, width))
		return;
	if (s->wants_text && e->encoding != BCE_VBR && width <= 8) {
		if (e->encoding == BCE_CHAR6)
			text(&c, n, 6, true);
		else
			text(&c, n, width, false);
		return;
	}
	vec_reserve(s->arena, &s->values, s->values.n + (u32)n);
	u64 *to = s->values.p + s->values.n, *end = to + n;
	if (e->encoding == BCE_VBR)
		for (u64 *at = to; at < end; at++)
			*at = take_vbr(&c, width);
	else
		fixed_array(&c, to, n, width);
	if (e->encoding == BCE_CHAR6)
		for (u64 *at = to; at < end; at++)
			*at = (u8)char6[*at & 63];
	s->values.n += (u32)n;
	s->at = c.at;
}

static void blob(BcStream *s)
{
	u64 n = bc_vbr(s, 6);
	align32(s);
	Cursor c = {.s = s, .at = s->at};
	if (!has_room(&c, n, 8))
		return;
	s->rec.blob = (Str){(const char *)s->p + s->at / 8, (u32)n};
	s->at += n * 8;
	align32(s);
}

static inline void abbreviated(Cursor c, const BcAbbrev *a)
{
	BcStream         *s = c.s;
	const BcAbbrevOp *op = s->ops.p + a->first, *end = op + a->scalars;
	u64              *to = s->values.p;
	s->rec.code = a->code;
	if (a->code == UINT32_MAX)
		s->rec.code = (u32)scalar(&c, op);
	while (++op < end)
		*to++ = scalar(&c, op);
	s->values.n = a->scalars - 1;
	s->at = c.at;
	if (a->scalars == a->n)
		return;
	if (op->encoding == BCE_ARRAY)
		array(s, op + 1);
	else
		blob(s);
}

static inline void unabbreviated(Cursor c)
{
	BcStream *s = c.s;
	s->rec.code = (u32)take_vbr(&c, 6);
	u64 n = take_vbr(&c, 6);
	s->values.n = 0;
	if (!has_room(&c, n, 6))
		return;
	vec_reserve(s->arena, &s->values, (u32)n);
	for (u64 *to = s->values.p, *end = to + n; to < end; to++)
		*to = take_vbr(&c, 6);
	s->values.n = (u32)n;
	s->at = c.at;
}

/* Of the block's abbreviations; NULL: there is none of that number. */
static inline const BcAbbrev *abbrev_of(const BcStream *s, const BcScope *c, u32 id)
{
	u32 k = id - 4, own = k - c->n_info;
	if (k < c->n_info)
		return &s->info[c->id].p[k];
	return own < s->locals.n - c->locals ? &s->locals.p[c->locals + own] : NULL;
}

static PS_INLINE void record(Cursor at, BcScope *c, u32 id)
{
	BcStream       *s = at.s;
	const BcAbbrev *a = id == 3 ? NULL : abbrev_of(s, c, id);
	s->rec.blob = s->rec.text = (Str){0};
	c->records++;
	if (id == 3) {
		unabbreviated(at);
	} else if (a) {
		abbreviated(at, a);
	} else {
		s->at = at.at;
		bc_fault(s, "a record has an abbreviation that is not defined");
	}
	s->rec.op = s->values.p;
	s->rec.n = s->values.n;
}

/* ---- blocks ---- */

static void leave(BcStream *s)
{
	BcScope *c = &s->scope[--s->depth];
	s->locals.n = c->locals;
	s->at = c->end;
	bc_set_end(s, s->scope[s->depth - 1].end);
}

/* What begins with an abbreviation's number that is no record's. */
static PS_NOINLINE BcEntry no_record(BcStream *s, BcScope *c, u32 id)
{
	switch (id) {
	case 0:
		if (s->broken)
			return BC_END;
		if (s->depth == 1) {
			bc_fault(s, "a block ends that has not begun");
			return BC_END;
		}
		align32(s);
		if (!s->fault && s->at != c->end)
			bc_fault(s, "a block does not end where its header says");
		if (!s->fault)
			leave(s);
		return BC_END;
	case 1: s->block = (u32)bc_vbr(s, 8); return s->broken ? BC_END : BC_BLOCK;
	default: bc_fault(s, "a record stands outside of all blocks"); return BC_END;
	}
}

/* The next entry, but of a record the abbreviation's number alone, in *id. */
static PS_NOINLINE BcEntry next_with_care(BcStream *s, u32 *id)
{
	for (;;) {
		BcScope *c = &s->scope[s->depth - 1];
		if (s->broken || (s->depth == 1 && bc_left(s) < 32))
			return BC_END;
		s->rec.at = s->at;
		*id = (u32)bc_bits(s, c->width);
		if (*id > 2 && s->depth > 1)
			return BC_RECORD;
		if (*id != 2)
			return no_record(s, c, *id);
		BcAbbrev a = define_abbrev(s);
		vec_push(s->arena, &s->locals, a);
	}
}

BcEntry bc_next(BcStream *s)
{
	BcScope *c = &s->scope[s->depth - 1];
	u64      at = s->at;
	u32      id = at < s->care ? (u32)word_at(s->p, at) & c->mask : 0;
	if (id > 2) {
		s->rec.at = at;
		at += c->width;
	} else {
		u32     with_care;
		BcEntry e = next_with_care(s, &with_care);
		if (e != BC_RECORD)
			return e;
		id = with_care;
		at = s->at;
	}
	record((Cursor){s, s->p, at, s->care}, c, id);
	return s->broken ? BC_END : BC_RECORD;
}

/* The rest of a block's header; false: it is not sound. */
static bool header(BcStream *s, u64 *width, u64 *end)
{
	*width = bc_vbr(s, 4);
	align32(s);
	*end = s->at + bc_bits(s, 32) * 32 + 32;
	if (s->fault)
		return false;
	if (*width < 2 || *width > 32)
		bc_fault(s, "a block has abbreviation ids of a width that is not allowed");
	else if (*end > s->end)
		bc_fault(s, "it is truncated: a block goes on behind the end of what is around it");
	return !s->fault;
}

static void block_info(BcStream *s)
{
	u32 target = UINT32_MAX;
	for (;;) {
		BcScope *c = &s->scope[s->depth - 1];
		u64      at = s->at;
		u32      id = s->broken ? 0 : (u32)bc_bits(s, c->width);
		if (s->fault)
			return;
		if (id == 2) {
			BcAbbrev a = define_abbrev(s);
			if (target < BC_STANDARD_BLOCKS)
				vec_push(s->arena, &s->info[target], a);
			continue;
		}
		s->at = at;
		switch (bc_next(s)) {
		case BC_END: return;
		case BC_BLOCK: bc_skip(s); break;
		case BC_RECORD:
			if (s->rec.code == 1 && s->rec.n)
				target = (u32)PS_MIN(s->rec.op[0], UINT32_MAX);
			break;
		}
	}
}

void bc_enter(BcStream *s)
{
	u64 width, end;
	u32 id = s->block;
	if (s->depth == BC_MAX_DEPTH) {
		bc_fault(s, "blocks are nested too deeply");
		return;
	}
	if (!header(s, &width, &end))
		return;
	s->scope[s->depth++] = (BcScope){.id = id,
	                                 .width = (u32)width,
	                                 .mask = UINT32_MAX >> (32 - width),
	                                 .n_info = id < BC_STANDARD_BLOCKS ? s->info[id].n : 0,
	                                 .locals = s->locals.n,
	                                 .end = end};
	bc_set_end(s, end);
	if (id == 0)
		block_info(s);
}

void bc_skip(BcStream *s)
{
	u64 width, end;
	if (header(s, &width, &end))
		s->at = end;
}

void bc_seek(BcStream *s, u64 at)
{
	if (!s->fault)
		s->at = at;
}
