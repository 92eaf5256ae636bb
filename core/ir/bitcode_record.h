/* bitcode_record.h: the next record of a block, from its bits to numbers; inline for the loop that reads most records.
 *
 * In front of BcStream.care a word of 64 bits is loaded at any bit, of which BC_WORD are good. Numbers are taken out of it until it has no
 * whole one any more, so that nothing is compared with an end in between: it is the end of the record that must not be behind that of the
 * block. What needs more, or stands further on, is read with care, piece by piece. */
#ifndef PS_IR_BITCODE_RECORD_H
#define PS_IR_BITCODE_RECORD_H

#include "ir/bitcode_stream.h"

enum { BC_WORD = 56 };

static PS_INLINE u64 bc_word(const u8 *p, u64 at) { return bc_load64(p + (at >> 3)) >> (at & 7); }

/* ---- numbers in pieces of six bits, as records without an abbreviation have them ----
 *
 *           last piece     first
 *   w      … 0 00010    1 00101     = 2 << 5 | 5: the highest bit of a piece says that another one follows
 *   stops  … 1          0           where numbers end */

#define BC_SIX_STOPS ((u64)0x20820820820820) /* of nine pieces */

typedef struct BcSixes {
	BcStream *s;
	const u8 *p;
	u64       at, care; /* at: behind what has been taken */
	u64       w, stops; /* from there on; no stops: there is no whole number in it */
} BcSixes;

/* Nine pieces without the bits between them. */
static inline u64 bc_join_sixes(u64 w)
{
	w = (w & 0x01F01F01F01F01F) | (w >> 1 & 0x03E03E03E03E03E0);
	w = (w & 0x3FF0003FF0003FF) | (w >> 2 & 0x00000FFC000FFC00);
	return (w & 0xFFFFF) | (w >> 4 & (u64)0xFFFFF << 20) | (w >> 8 & (u64)0x1F << 40);
}

u64 bc_six_with_care(BcStream *s, u64 at);

static PS_INLINE u64 bc_six(BcSixes *x)
{
	if (!x->stops) {
		x->w = x->at < x->care ? bc_word(x->p, x->at) : UINT64_MAX;
		x->stops = ~x->w & BC_SIX_STOPS;
		if (!x->stops) {
			u64 v = bc_six_with_care(x->s, x->at);
			x->at = x->s->at;
			return v;
		}
	}
	u32 bits = ps_lowest_bit(x->stops) + 1;
	u64 w = x->w & (x->stops ^ (x->stops - 1));   /* what is above the stop is of the numbers that follow */
	u64 v = (w & 0x01F01F) | (w >> 1 & 0x3E03E0); /* most have one or two pieces, nearly all others up to four */
	if (bits > 12)
		v = bits > 24 ? bc_join_sixes(w) : (v & 0x3FF) | (v >> 2 & 0xFFC00);
	x->at += bits;
	x->w >>= bits;
	x->stops >>= bits;
	return v;
}

/* ---- records ---- */

bool bc_behind_end(BcStream *s) PS_COLD;
/* Has what was read its end within the block? */
static inline bool bc_within(BcStream *s) { return s->at <= s->end || bc_behind_end(s); }

void bc_array_or_blob(BcStream *s, const BcAbbrevOp *op);
bool bc_room_for(BcStream *s, u64 n);
void bc_scalars_with_care(BcStream *s, const BcAbbrevOp *op, u32 n); /* the code's first */

static PS_INLINE void bc_unabbreviated(BcStream *s, u64 at)
{
	BcSixes x = {.s = s, .p = s->p, .at = at, .care = s->care};
	u32     code = (u32)bc_six(&x);
	u64     n = bc_six(&x);
	s->rec.code = code;
	s->rec.n = 0;
	s->at = x.at;
	if ((n > s->values.cap || n > bc_left(s) / 6) && !bc_room_for(s, n))
		return;
	u64 *to = s->values.p;
	for (u64 *end = to + n; to < end; to++)
		*to = bc_six(&x);
	s->rec.n = (u32)n;
	s->at = x.at;
}

/* The operands that an abbreviation has in front of an array or a blob; false: they are not all in one word, behind which zeros are read. */
static PS_INLINE bool bc_quick_scalars(BcStream *s, u64 *at, const BcAbbrevOp *op, const BcAbbrevOp *end)
{
	u64  w = bc_word(s->p, *at);
	u32  used = 0;
	u64 *to = s->values.p;
	for (; op < end; op++) {
		u64 v = op->literal | (w & op->mask);
		for (u32 shift = op->width - 1; w & op->more; shift += op->width - 1) {
			w >>= op->width;
			used += op->width;
			v |= (w & op->mask) << shift;
		}
		*to++ = v;
		w >>= op->width;
		used += op->width;
	}
	*at += used;
	return used <= BC_WORD;
}

static PS_INLINE void bc_abbreviated(BcStream *s, u64 at, const BcAbbrev *a)
{
	const BcAbbrevOp *op = s->ops.p + a->first, *end = op + a->scalars;
	s->rec.code = a->code;
	s->at = at;
	if (a->quick && at < s->care && bc_quick_scalars(s, &at, op + 1, end))
		s->at = at;
	else
		bc_scalars_with_care(s, op, a->scalars);
	s->rec.n = a->scalars - 1;
	if (a->scalars != a->n)
		bc_array_or_blob(s, end);
}

/* Of the block's abbreviations; NULL: there is none of that number. */
static inline const BcAbbrev *bc_abbrev(const BcStream *s, const BcScope *c, u32 id)
{
	u32 k = id - 4, own = k - c->n_info;
	if (k < c->n_info)
		return &s->info[c->id].p[k];
	return own < s->locals.n - c->locals ? &s->locals.p[c->locals + own] : NULL;
}

/* The next entry, but of a record the abbreviation's number alone, in *id. */
BcEntry bc_next_with_care(BcStream *s, u32 *id);
void    bc_no_abbreviation(BcStream *s) PS_COLD;

/* Goes to the next entry; behind the abbreviation's number of a record, which is *id then, at *at. */
static PS_INLINE BcEntry bc_begin(BcStream *s, BcScope *c, u32 *id, u64 *at)
{
	*at = s->at;
	*id = *at < s->care ? (u32)bc_word(s->p, *at) & c->mask : 0;
	if (*id > 2) {
		s->rec.at = *at;
		*at += c->width;
	} else {
		BcEntry e = bc_next_with_care(s, id);
		if (e != BC_RECORD)
			return e;
		*at = s->at;
	}
	c->records++;
	return BC_RECORD;
}

/* The record behind the number of its abbreviation; the block has counted it. */
static PS_INLINE BcEntry bc_record(BcStream *s, const BcScope *c, u32 id, u64 at)
{
	if (id == 3) {
		s->rec.sixes = at;
		bc_unabbreviated(s, at);
	} else {
		const BcAbbrev *a = bc_abbrev(s, c, id);
		s->rec.sixes = 0;
		if (a)
			bc_abbreviated(s, at, a);
		else
			bc_no_abbreviation(s);
	}
	s->rec.op = s->values.p;
	return bc_within(s) && !s->broken ? BC_RECORD : BC_END;
}

#endif
