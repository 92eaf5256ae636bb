/* bitcode_stream.h: the bitstream container of LLVM bitcode, as LLVM's document "LLVM Bitcode File Format" describes it: blocks,
 * abbreviations, records. Knows nothing of what the records mean. */
#ifndef PS_IR_BITCODE_STREAM_H
#define PS_IR_BITCODE_STREAM_H

#include "base/diag.h"

typedef enum BcEncoding { BCE_LITERAL, BCE_FIXED, BCE_VBR, BCE_ARRAY, BCE_CHAR6, BCE_BLOB } BcEncoding;

/* An operand of its own (LITERAL, FIXED, VBR) is `literal` and the bits of `mask`, unless a bit of `more` is set. */
typedef struct BcAbbrevOp {
	u8  encoding; /* BcEncoding */
	u8  width;    /* FIXED, VBR */
	u64 literal, mask, more;
} BcAbbrevOp;

typedef struct BcAbbrev {
	u32  first, n; /* in BcStream.ops: the code's and the operands' */
	u32  scalars;  /* of these, in front of an array or a blob */
	u32  code;     /* where it is a literal; else UINT32_MAX */
	bool quick;    /* … and these have room in a word, with one piece for each VBR */
	bool sixes;    /* a code, a number and characters of six bits, as names have them */
} BcAbbrev;

enum { BC_STANDARD_BLOCKS = 64, BC_MAX_DEPTH = 8, BC_MOST_OF_NUMBER = 12 /* bits of each piece: BcAbbrev.sixes */ };

/* A block that is being read. */
typedef struct BcScope {
	u32 id, width, mask; /* of the numbers of abbreviations */
	u32 n_info;          /* abbreviations from BLOCKINFO, as many as there were when the block began */
	u32 locals;          /* its own ones begin here in BcStream.locals */
	u32 records;
	u64 end; /* in bits: where its header says it ends */
} BcScope;

typedef struct BcRecord {
	u32        code, n;
	const u64 *op;
	Str        blob;
	Str        text;  /* where it is asked for: the array of characters behind the operands */
	u64        at;    /* its first bit */
	u64        sixes; /* where its code begins, if it has no abbreviation; else 0 */
} BcRecord;

typedef enum BcEntry { BC_END, BC_BLOCK, BC_RECORD } BcEntry;

typedef struct BcStream {
	Arena      *arena;
	const u8   *p;
	u64         at, end; /* bits */
	u64         care;    /* in front of it, which is no further than `end`, 56 bits from any bit on can be loaded at once */
	u64         bytes;   /* readable at p */
	bool        broken;  /* there is a fault */
	const char *fault;   /* the first one; all that is read after it ends at once */
	u64         fault_at;
	u32         fault_block, fault_record;
	u32         block; /* BC_BLOCK: the id of the block that begins */
	u32         depth;
	bool        wants_text; /* arrays of characters are no operands, but BcRecord.text */
	BcScope     scope[BC_MAX_DEPTH];
	BcRecord    rec;
	Vec(u64) values;
	Vec(char) text;
	Vec(BcAbbrevOp) ops;
	Vec(BcAbbrev) locals;
	Vec(BcAbbrev) info[BC_STANDARD_BLOCKS];
} BcStream;

void bc_open(BcStream *s, Arena *arena, const u8 *p, u64 bytes);
/* Bits from `end` on are of no block that is read. */
void bc_set_end(BcStream *s, u64 end);
/* Reports nothing: notes the first fault and where it was found. */
void bc_fault(BcStream *s, const char *what) PS_COLD;

/* The next entry of the current block: its end (after a fault, too), a block whose header is next, or a record, in s->rec, which is good
 * until the next call. */
BcEntry bc_next(BcStream *s);
/* The same where nothing is asked of a record but how many operands it has: *n. They are passed over. */
BcEntry bc_pass(BcStream *s, u64 *n);
/* Behind BC_BLOCK: either goes into the block or behind it. bc_enter reads a BLOCKINFO block itself. */
void bc_enter(BcStream *s);
void bc_skip(BcStream *s);
/* Goes to a block whose header begins at `at`, as BC_BLOCK has left it; only between top-level blocks of a scope. */
void bc_seek(BcStream *s, u64 at);

static inline u64 bc_left(const BcStream *s) { return s->end > s->at ? s->end - s->at : 0; }

/* ---- bits ---- */

u64 bc_bits_at_end(BcStream *s, u32 n);

static PS_INLINE u64 bc_load64(const u8 *p)
{
	return (u64)p[0] | (u64)p[1] << 8 | (u64)p[2] << 16 | (u64)p[3] << 24 | (u64)p[4] << 32 | (u64)p[5] << 40 |
	       (u64)p[6] << 48 | (u64)p[7] << 56;
}

/* The next n bits, at most 64. */
static inline u64 bc_bits(BcStream *s, u32 n)
{
	u64 byte = s->at >> 3;
	u32 shift = (u32)(s->at & 7);
	if (byte + 9 > s->bytes || n > 56 || s->at + n > s->end)
		return bc_bits_at_end(s, n);
	s->at += n;
	return bc_load64(s->p + byte) >> shift & (((u64)1 << n) - 1);
}

u64 bc_long_vbr(BcStream *s, u32 width);

/* A number in pieces of `width` bits, of which the highest says that another one follows. */
static inline u64 bc_vbr(BcStream *s, u32 width)
{
	u64 byte = s->at >> 3;
	if (byte + 9 > s->bytes || s->at + 2 * width > s->end || 2 * width > 56)
		return bc_long_vbr(s, width);
	u64 w = bc_load64(s->p + byte) >> (s->at & 7), more = (u64)1 << (width - 1);
	if (!(w & more)) {
		s->at += width;
		return w & (more - 1);
	}
	if (w >> width & more)
		return bc_long_vbr(s, width);
	s->at += 2 * width;
	return (w & (more - 1)) | (w >> width & (more - 1)) << (width - 1);
}

/* Numbers with their sign in the lowest bit; the sign alone is the smallest number. */
static inline u64 bc_signed(u64 v) { return !(v & 1) ? v >> 1 : v == 1 ? (u64)1 << 63 : 0 - (v >> 1); }

#endif
