/* bitcode_stream.c: reads the bitstream container of LLVM bitcode.
 *
 * Source: LLVM's document "LLVM Bitcode File Format" (bitstream format, blocks, abbreviations, BLOCKINFO).
 *
 * Nothing is trusted: each length is compared with what is left of the enclosing block before memory is taken for it, so time and memory
 * are linear in the file. The first fault ends all reading: from then on bc_next returns BC_END. */
#include "ir/bitcode_record.h"

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
	u64 loaded = s->bytes > 8 ? (s->bytes - 8) * 8 : 0;
	s->end = end;
	s->care = s->depth > 1 ? PS_MIN(loaded, end) : 0;
}

void bc_open(BcStream *s, Arena *arena, const u8 *p, u64 bytes)
{
	*s = (BcStream){.arena = arena, .p = p, .bytes = bytes, .depth = 1};
	bc_set_end(s, bytes * 8);
	s->scope[0] = (BcScope){.id = UINT32_MAX, .width = 2, .end = bytes * 8};
	vec_reserve(arena, &s->values, 64);
}

/* ---- bits ---- */

bool bc_behind_end(BcStream *s)
{
	bc_fault(s, "it is truncated: a value goes on behind the end of its block");
	return false;
}

u64 bc_bits_at_end(BcStream *s, u32 n)
{
	u64 v = 0;
	if (s->at + n > s->end || n > 64) {
		bc_behind_end(s);
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
		u64 w = bc_word(s->p, s->at);
		u32 n = PS_MIN(BC_WORD / width, (65 - width - shift) / (width - 1) + 1);
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
	if (op->encoding == BCE_LITERAL)
		op->mask = 0;
}

static bool is_quick(const BcAbbrevOp *op, u32 n)
{
	u32 bits = 0;
	for (u32 i = 0; i < n && bits <= BC_WORD; i++) {
		if (op[i].encoding == BCE_CHAR6)
			return false;
		bits += op[i].width;
	}
	return bits <= BC_WORD;
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
	if (s->fault)
		return a;
	const BcAbbrevOp *op = s->ops.p + a.first;
	a.code = op->encoding == BCE_LITERAL ? (u32)op->literal : UINT32_MAX;
	a.quick = op->encoding == BCE_LITERAL && is_quick(op + 1, a.scalars - 1);
	a.sixes = a.quick && a.scalars == 2 && a.n == 4 && op[1].width <= BC_MOST_OF_NUMBER && op[3].encoding == BCE_CHAR6;
	vec_reserve(s->arena, &s->values, a.n);
	return a;
}

/* ---- what a record has that is seldom ---- */

static const char char6[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

PS_NOINLINE u64 bc_six_with_care(BcStream *s, u64 at)
{
	enum { NINE = 54, MOST = 19 }; /* bits of nine pieces; how many a number has above those */
	s->at = at;
	if (at + NINE < s->care) {
		u64 low = bc_word(s->p, at), high = bc_word(s->p, at + NINE), stops = ~high & BC_SIX_STOPS;
		if (!(~low & BC_SIX_STOPS) && stops) {
			u32 stop = ps_lowest_bit(stops);
			u64 top = bc_join_sixes(high & (((u64)1 << stop) - 1));
			if (top >> MOST == 0) {
				s->at = at + NINE + stop + 1;
				return bc_join_sixes(low) | top << (64 - MOST);
			}
		}
	}
	return bc_long_vbr(s, 6);
}

static u64 scalar(BcStream *s, const BcAbbrevOp *op)
{
	switch (op->encoding) {
	case BCE_LITERAL: return op->literal;
	case BCE_FIXED: return bc_bits(s, op->width);
	case BCE_VBR: return bc_vbr(s, op->width);
	default: return (u8)char6[bc_bits(s, 6)];
	}
}

PS_NOINLINE void bc_scalars_with_care(BcStream *s, const BcAbbrevOp *op, u32 n)
{
	s->rec.code = (u32)scalar(s, op);
	for (u32 i = 1; i < n; i++)
		s->values.p[i - 1] = scalar(s, op + i);
}

/* Has the block room for n elements of at least `bits` bits? */
static bool has_room(BcStream *s, u64 n, u32 bits)
{
	if (n <= bc_left(s) / bits)
		return true;
	bc_fault(s, "a record is longer than its block");
	return false;
}

/* n numbers of one width; as many at once as a word has. */
static void fixed_array(BcStream *s, u64 *to, u64 n, u32 width)
{
	u64 mask = ((u64)2 << (width - 1)) - 1;
	u32 most = BC_WORD / width;
	while (most && n >= most && s->at < s->care) {
		u64 w = bc_word(s->p, s->at);
		for (u32 k = 0; k < most; k++, w >>= width)
			to[k] = w & mask;
		to += most;
		n -= most;
		s->at += most * width;
	}
	for (; n; n--)
		*to++ = bc_bits(s, width);
}

/* Eight characters of seven bits each. */
static u64 spread7(u64 w)
{
	w = (w & 0x000000000FFFFFFF) | (w & 0x00FFFFFFF0000000) << 4;
	w = (w & 0x00003FFF00003FFF) | (w & 0x0FFFC0000FFFC000) << 2;
	return (w & 0x007F007F007F007F) | (w & 0x3F803F803F803F80) << 1;
}

/* Eight characters of six bits each: a-z, A-Z, 0-9, '.' and '_', which are four runs and one apart. */
static u64 spread6(u64 w)
{
	const u64 each = 0x0101010101010101;
	w = (w & 0x0000000000FFFFFF) | (w & 0x0000FFFFFF000000) << 8;
	w = (w & 0x00000FFF00000FFF) | (w & 0x00FFF00000FFF000) << 4;
	w = (w & 0x003F003F003F003F) | (w & 0x0FC00FC00FC00FC0) << 2;
	u64 upper = (w + each * (128 - 26)) >> 7 & each, digit = (w + each * (128 - 52)) >> 7 & each;
	u64 dot = (w + each * (128 - 62)) >> 7 & each, low_line = (w + each * (128 - 63)) >> 7 & each;
	return w + each * 'a' - upper * ('a' + 26 - 'A') - digit * ('A' + 26 - '0') - dot * ('0' + 10 - '.') +
	       low_line * ('_' - '.' - 1);
}

static void store64(char *to, u64 w)
{
	for (u32 i = 0; i < 8; i++)
		to[i] = (char)(u8)(w >> 8 * i);
}

/* n characters of six to eight bits; as many at once as a word has, and room for that behind the last one. */
static void text(BcStream *s, u64 n, u32 width, bool is_char6)
{
	vec_reserve(s->arena, &s->text, (u32)n + 8);
	char *to = s->text.p;
	u64   most = width == 8 ? 7 : 8, left = n;
	while (left && s->at < s->care) {
		u64 w = bc_word(s->p, s->at), k = PS_MIN(left, most);
		store64(to, is_char6 ? spread6(w) : width == 7 ? spread7(w) : w);
		to += k;
		left -= k;
		s->at += k * width;
	}
	for (; left; left--)
		*to++ = is_char6 ? char6[bc_bits(s, 6)] : (char)(u8)bc_bits(s, width);
	s->rec.text = (Str){s->text.p, (u32)n};
}

/* Behind the values that the record has so far. */
static void array(BcStream *s, const BcAbbrevOp *e)
{
	u64 n = bc_vbr(s, 6);
	u32 width = e->encoding == BCE_CHAR6 ? 6 : e->width;
	if (!has_room(s, n, width))
		return;
	if (s->wants_text && (e->encoding == BCE_CHAR6 || (e->encoding == BCE_FIXED && (width == 7 || width == 8)))) {
		text(s, n, width, e->encoding == BCE_CHAR6);
		return;
	}
	vec_reserve(s->arena, &s->values, s->rec.n + (u32)n);
	u64 *to = s->values.p + s->rec.n, *end = to + n;
	if (e->encoding == BCE_VBR)
		for (u64 *at = to; at < end; at++)
			*at = bc_vbr(s, width);
	else
		fixed_array(s, to, n, width);
	if (e->encoding == BCE_CHAR6)
		for (u64 *at = to; at < end; at++)
			*at = (u8)char6[*at & 63];
	s->rec.n += (u32)n;
}

static void blob(BcStream *s)
{
	u64 n = bc_vbr(s, 6);
	align32(s);
	if (!has_room(s, n, 8))
		return;
	s->rec.blob = (Str){(const char *)s->p + s->at / 8, (u32)n};
	s->at += n * 8;
	align32(s);
}

PS_NOINLINE void bc_array_or_blob(BcStream *s, const BcAbbrevOp *op)
{
	if (op->encoding == BCE_ARRAY)
		array(s, op + 1);
	else
		blob(s);
}

PS_NOINLINE bool bc_room_for(BcStream *s, u64 n)
{
	if (!has_room(s, n, 6))
		return false;
	vec_reserve(s->arena, &s->values, (u32)n);
	return true;
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

PS_NOINLINE BcEntry bc_next_with_care(BcStream *s, u32 *id)
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

void bc_no_abbreviation(BcStream *s)
{
	bc_fault(s, "a record has an abbreviation that is not defined");
	s->rec.n = 0;
}

BcEntry bc_next(BcStream *s)
{
	BcScope *c = &s->scope[s->depth - 1];
	u64      at;
	u32      id;
	s->rec.blob = s->rec.text = (Str){0};
	BcEntry e = bc_begin(s, c, &id, &at);
	return e == BC_RECORD ? bc_record(s, c, id, at) : e;
}

/* The place of the highest bit that is set; there is one. */
static inline u32 highest_bit(u64 w)
{
#if defined(__GNUC__)
	return (u32)__builtin_clzll(w) ^ 63;
#else
	return u64_log2(w);
#endif
}

/* Goes behind n numbers in pieces of six bits: as many at once as end in a word. */
static void pass_sixes(BcStream *s, u64 n)
{
	enum { TOP = 48 };
	const u64 each = BC_SIX_STOPS >> 5;
	while (n && !s->broken) {
		u64 stops = s->at < s->care ? ~bc_word(s->p, s->at) & BC_SIX_STOPS : 0;
		u64 ends = (stops >> 5) * each >> TOP & 63;
		if (!ends) {
			bc_six_with_care(s, s->at);
			n--;
			continue;
		}
		if (ends >= n) { /* the record's last number, and maybe those of what is behind it */
			while (--n)
				stops &= stops - 1;
			s->at += ps_lowest_bit(stops) + 1;
			return;
		}
		s->at += highest_bit(stops) + 1;
		n -= ends;
	}
}

BcEntry bc_pass(BcStream *s, u64 *n)
{
	BcScope *c = &s->scope[s->depth - 1];
	if (s->at >= s->care || ((u32)bc_word(s->p, s->at) & c->mask) != 3) {
		BcEntry e = bc_next(s);
		*n = s->rec.n;
		return e;
	}
	BcSixes x = {.s = s, .p = s->p, .at = s->at + c->width, .care = s->care};
	s->rec.at = s->at;
	s->rec.code = (u32)bc_six(&x);
	s->rec.n = 0;
	*n = bc_six(&x);
	s->at = x.at;
	c->records++;
	if (has_room(s, *n, 6))
		pass_sixes(s, *n);
	return bc_within(s) && !s->broken ? BC_RECORD : BC_END;
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
