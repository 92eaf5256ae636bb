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
	s->care = PS_MIN(loaded, held);
}

void bc_open(BcStream *s, Arena *arena, const u8 *p, u64 bytes)
{
	*s = (BcStream){.arena = arena, .p = p, .bytes = bytes, .depth = 1};
	bc_set_end(s, bytes * 8);
	s->scope[0] = (BcScope){.id = UINT32_MAX, .width = 2, .end = bytes * 8};
	vec_reserve(arena, &s->values, 64);
}

/* ---- bits ---- */

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
	if (s->at < s->care) { /* as many pieces as one word has, which are less than 64 bits */
		u64  w = bc_load64(s->p + (s->at >> 3)) >> (s->at & 7);
		bool goes_on = true;
		for (u32 used = width; used <= 56 && goes_on; used += width) {
			v |= (w & (more - 1)) << shift;
			goes_on = (w & more) != 0;
			w >>= width;
			shift += width - 1;
			s->at += width;
		}
		if (!goes_on)
			return v;
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
	BcAbbrev a = {s->ops.n, 0};
	if (n > bc_left(s)) {
		bc_fault(s, "an abbreviation is longer than its block");
		return a;
	}
	for (u64 i = 0; i < n && !s->fault; i++) {
		BcAbbrevOp op;
		if (!abbrev_op(s, &op))
			bc_fault(s, "an abbreviation has an operand of no known encoding");
		vec_push(s->arena, &s->ops, op);
		a.n++;
	}
	if (!s->fault && (a.n == 0 || !is_sound(s->ops.p + a.first, a.n)))
		bc_fault(s, "the operands of an abbreviation are in an order that is not allowed");
	return a;
}

/* ---- records ---- */

static char char6(u64 v)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
	return chars[v & 63];
}

/* Where the stream is while a record is read: a copy, which stays in registers, with `left` bits from `at` on in `window`. */
typedef struct Cursor {
	BcStream *s;
	u64       at, window;
	u32       left;
} Cursor;

enum { WINDOW = 56 }; /* bits that a word has behind a bit of its first byte */

static inline Cursor cursor(BcStream *s) { return (Cursor){s, s->at, 0, 0}; }

static inline bool refill(Cursor *c)
{
	if (c->at >= c->s->care)
		return false;
	c->window = bc_load64(c->s->p + (c->at >> 3)) >> (c->at & 7);
	c->left = WINDOW;
	return true;
}

static inline void pass(Cursor *c, u32 n)
{
	c->window >>= n;
	c->left -= n;
	c->at += n;
}

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
	if (c->left < n && (n > WINDOW || !refill(c))) {
		u64 v = bits_with_care(c->s, c->at, n);
		*c = cursor(c->s);
		return v;
	}
	u64 v = c->window & (((u64)1 << n) - 1);
	pass(c, n);
	return v;
}

/* Most have one piece, and few are longer than the window. */
static inline u64 take_vbr(Cursor *c, u32 width)
{
	u64 more = (u64)1 << (width - 1);
	if (c->left >= 3 * width || refill(c)) {
		u64 w = c->window, v = w & (more - 1);
		u32 used = width, shift = 0;
		for (; w & more && used + width <= c->left; used += width) {
			w >>= width;
			shift += width - 1;
			v |= (w & (more - 1)) << shift;
		}
		if (!(w & more)) {
			pass(c, used);
			return v;
		}
	}
	u64 v = vbr_with_care(c->s, c->at, width);
	*c = cursor(c->s);
	return v;
}

static inline u64 scalar(Cursor *c, const BcAbbrevOp *op)
{
	switch (op->encoding) {
	case BCE_LITERAL: return op->literal;
	case BCE_FIXED: return take(c, op->width);
	case BCE_VBR: return take_vbr(c, op->width);
	default: return (u64)(u8)char6(take(c, 6));
	}
}

/* Has the block room for n elements of at least `bits` bits? */
static bool has_room(BcStream *s, u64 at, u64 n, u32 bits)
{
	s->at = at;
	if (n <= bc_left(s) / bits)
		return true;
	bc_fault(s, "a record is longer than its block");
	return false;
}

static void array(Cursor *c, const BcAbbrevOp *e)
{
	BcStream *s = c->s;
	u64       n = take_vbr(c, 6);
	u32       bits = e->encoding == BCE_CHAR6 ? 6 : e->width;
	if (!has_room(s, c->at, n, bits))
		return;
	vec_reserve(s->arena, &s->values, s->values.n + (u32)n);
	u64 *to = s->values.p + s->values.n;
	if (e->encoding == BCE_FIXED)
		for (u64 i = 0; i < n; i++)
			to[i] = take(c, bits);
	else if (e->encoding == BCE_VBR)
		for (u64 i = 0; i < n; i++)
			to[i] = take_vbr(c, bits);
	else
		for (u64 i = 0; i < n; i++)
			to[i] = (u64)(u8)char6(take(c, 6));
	s->values.n += (u32)n;
	s->at = c->at;
}

static void blob(BcStream *s)
{
	u64 n = bc_vbr(s, 6);
	align32(s);
	if (!has_room(s, s->at, n, 8))
		return;
	s->rec.blob = (Str){(const char *)s->p + s->at / 8, (u32)n};
	s->at += n * 8;
	align32(s);
}

static inline void abbreviated(Cursor c, BcAbbrev a)
{
	BcStream         *s = c.s;
	const BcAbbrevOp *op = s->ops.p + a.first, *end = op + a.n;
	s->rec.code = (u32)scalar(&c, op);
	vec_reserve(s->arena, &s->values, a.n);
	u64 *to = s->values.p;
	while (++op < end && op->encoding != BCE_ARRAY && op->encoding != BCE_BLOB)
		*to++ = scalar(&c, op);
	s->values.n = (u32)(to - s->values.p);
	s->at = c.at;
	if (op < end && op->encoding == BCE_ARRAY)
		array(&c, op + 1);
	else if (op < end)
		blob(s);
}

static void unabbreviated(Cursor c)
{
	BcStream *s = c.s;
	s->rec.code = (u32)take_vbr(&c, 6);
	u64 n = take_vbr(&c, 6);
	if (!has_room(s, c.at, n, 6))
		return;
	vec_reserve(s->arena, &s->values, (u32)n);
	u64 *to = s->values.p;
	for (u64 i = 0; i < n; i++)
		to[i] = take_vbr(&c, 6);
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

static inline void record(Cursor at, BcScope *c, u32 id)
{
	BcStream       *s = at.s;
	const BcAbbrev *a = id == 3 ? NULL : abbrev_of(s, c, id);
	s->values.n = 0;
	s->rec.blob = (Str){0};
	s->at = at.at;
	c->records++;
	if (a)
		abbreviated(at, *a);
	else if (id == 3)
		unabbreviated(at);
	else
		bc_fault(s, "a record has an abbreviation that is not defined");
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

BcEntry bc_next(BcStream *s)
{
	for (;;) {
		BcScope *c = &s->scope[s->depth - 1];
		if (s->broken || (s->depth == 1 && bc_left(s) < 32))
			return BC_END;
		Cursor at = cursor(s);
		s->rec.at = s->at;
		u32 id = (u32)take(&at, c->width);
		if (id > 2 && s->depth > 1) {
			record(at, c, id);
			return s->broken ? BC_END : BC_RECORD;
		}
		s->at = at.at;
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
		case 2: {
			BcAbbrev a = define_abbrev(s);
			vec_push(s->arena, &s->locals, a);
			break;
		}
		default: bc_fault(s, "a record stands outside of all blocks"); return BC_END;
		}
	}
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
