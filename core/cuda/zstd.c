/* zstd.c: a decoder of Zstandard frames (RFC 8878), with which nvcc packs PTX. Dictionaries are not known; checksums are not looked at,
 * as the size of the result is known and what comes out is parsed.
 *
 * A frame is a sequence of blocks; a packed block has literals, which a Huffman code may pack, and sequences "take so many literals, then
 * copy so many bytes from so far back", whose three numbers are codes of finite-state entropy with extra bits. Bits are read from the end
 * of each such part to its beginning. Every size is checked against what is there; linear in the output. */
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_MOST = 128 << 10, HUFFMAN_BITS = 11, FSE_BITS = 9, SYMBOLS = 256 };

typedef struct Bytes {
	const u8 *p;
	size_t    n;
} Bytes;

static bool take(Bytes *b, size_t n, Bytes *out)
{
	if (n > b->n)
		return false;
	*out = (Bytes){b->p, n};
	b->p += n;
	b->n -= n;
	return true;
}

static u64 little(Bytes b)
{
	u64 v = 0;
	for (size_t i = 0; i < b.n; i++)
		v |= (u64)b.p[i] << 8 * i;
	return v;
}

/* ---- bits */

/* `at`: bits in front of the next ones to read, which are below it. Reads past the beginning give zeros, and `at` is negative then. */
typedef struct Backward {
	Bytes b;
	i64   at;
} Backward;

static u32 top_bit(u32 v) { return 31u - (u32)__builtin_clz(v); }

/* The last byte ends in a 1 above the first bit. */
static bool backward_open(Backward *r, Bytes b)
{
	if (!b.n || !b.p[b.n - 1])
		return false;
	*r = (Backward){b, (i64)(b.n - 1) * 8 + (i64)top_bit(b.p[b.n - 1])};
	return true;
}

static u32 bits_at(Bytes b, i64 from, u32 n)
{
	u64 v = 0;
	for (i64 i = from >> 3; i <= (from + (i64)n - 1) >> 3; i++)
		if (i >= 0 && i < (i64)b.n)
			v |= (u64)b.p[i] << 8 * (i - (from >> 3));
	return (u32)(v >> (from & 7) & (((u64)1 << n) - 1));
}

static u32 backward_read(Backward *r, u32 n)
{
	r->at -= n;
	return n ? bits_at(r->b, r->at, n) : 0;
}

/* ---- finite-state entropy */

typedef struct FseEntry {
	u8  symbol, bits;
	u16 base;
} FseEntry;
typedef struct Fse {
	u32      log; /* of the number of states */
	bool     known;
	FseEntry entry[1 << FSE_BITS];
} Fse;

/* Counts: how many states each symbol has; -1: one, at the end. */
static void fse_build(Fse *f, const i16 *count, u32 n, u32 log)
{
	u32 size = 1u << log, high = size, at = 0;
	u16 next[SYMBOLS];
	f->log = log;
	f->known = true;
	for (u32 s = 0; s < n; s++) {
		next[s] = (u16)(count[s] < 0 ? 1 : count[s]);
		if (count[s] < 0)
			f->entry[--high].symbol = (u8)s;
	}
	for (u32 s = 0; s < n; s++)
		for (i32 i = 0; i < count[s]; i++) {
			f->entry[at].symbol = (u8)s;
			do
				at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1);
			while (at >= high);
		}
	for (u32 i = 0; i < size; i++) {
		FseEntry *e = &f->entry[i];
		u32       state = next[e->symbol]++;
		e->bits = (u8)(log - top_bit(state));
		e->base = (u16)((state << e->bits) - size);
	}
}

/* Reads the counts of a table; `most`: the largest log. */
static bool fse_read(Bytes *in, Fse *f, u32 most_symbols, u32 most_log)
{
	i16 count[SYMBOLS];
	i64 at = 4, end = (i64)in->n * 8;
	if (!in->n)
		return false;
	u32 log = (in->p[0] & 15u) + 5, n = 0;
	i32 left = 1 << log;
	if (log > most_log)
		return false;
	while (left > 0 && n < most_symbols && at <= end) {
		u32 bits = top_bit((u32)left + 1) + 1, v = bits_at(*in, at, bits), low = (1u << (bits - 1)) - 1;
		u32 threshold = (1u << bits) - 2 - (u32)left;
		at += bits;
		if ((v & low) < threshold) {
			v &= low;
			at--;
		} else if (v > low) {
			v -= threshold;
		}
		count[n++] = (i16)((i32)v - 1);
		left -= v ? (i32)v - 1 : 1;
		for (u32 more = v == 1 ? 3 : 0; more == 3;) {
			more = bits_at(*in, at, 2);
			at += 2;
			for (u32 i = 0; i < more && n < most_symbols; i++)
				count[n++] = 0;
		}
	}
	Bytes used;
	if (left != 0 || at > end || !take(in, (size_t)((at + 7) / 8), &used))
		return false;
	fse_build(f, count, n, log);
	return true;
}

static u8 fse_next(const Fse *f, u32 *state, Backward *r)
{
	const FseEntry *e = &f->entry[*state];
	*state = e->base + backward_read(r, e->bits);
	return e->symbol;
}

/* ---- Huffman codes */

typedef struct Huffman {
	u32 log; /* bits of the longest code; 0: there is none */
	u8  symbol[1 << HUFFMAN_BITS], bits[1 << HUFFMAN_BITS];
} Huffman;

static bool weights_packed(Bytes in, u8 *weight, u32 *n)
{
	Fse      f;
	Backward r;
	if (!fse_read(&in, &f, 13, 6) || !backward_open(&r, in))
		return false;
	u32 state[2];
	state[0] = backward_read(&r, f.log);
	state[1] = backward_read(&r, f.log);
	for (u32 k = 0; *n < SYMBOLS - 2; k ^= 1) {
		weight[(*n)++] = fse_next(&f, &state[k], &r);
		if (r.at < 0) {
			weight[(*n)++] = f.entry[state[k ^ 1]].symbol;
			return true;
		}
	}
	return false;
}

static bool huffman_read(Bytes *in, Huffman *h)
{
	u8    weight[SYMBOLS] = {0};
	u32   n = 0, sum = 0, at = 0;
	Bytes head, body;
	if (!take(in, 1, &head) || !take(in, head.p[0] < 128 ? head.p[0] : (head.p[0] - 126u) / 2, &body))
		return false;
	if (head.p[0] >= 128)
		for (; n < head.p[0] - 127u; n++)
			weight[n] = n & 1 ? body.p[n / 2] & 15 : body.p[n / 2] >> 4;
	else if (!weights_packed(body, weight, &n))
		return false;
	for (u32 i = 0; i < n; i++) {
		if (weight[i] > HUFFMAN_BITS)
			return false;
		sum += weight[i] ? 1u << (weight[i] - 1) : 0;
	}
	/* The last symbol has what is missing to a power of two. */
	if (!sum || sum >= 1u << HUFFMAN_BITS)
		return false;
	h->log = top_bit(sum) + 1;
	u32 rest = (1u << h->log) - sum;
	if (rest & (rest - 1))
		return false;
	weight[n++] = (u8)(top_bit(rest) + 1);
	for (u32 w = 1; w <= h->log; w++)
		for (u32 s = 0; s < n; s++)
			for (u32 i = 0; weight[s] == w && i < 1u << (w - 1); i++, at++) {
				h->symbol[at] = (u8)s;
				h->bits[at] = (u8)(h->log + 1 - w);
			}
	return true;
}

static bool huffman_stream(const Huffman *h, Bytes in, u8 *to, size_t n)
{
	Backward r;
	if (!backward_open(&r, in))
		return false;
	for (size_t i = 0; i < n; i++) {
		u32 v = bits_at(r.b, r.at - h->log, h->log);
		to[i] = h->symbol[v];
		r.at -= h->bits[v];
	}
	return r.at == 0;
}

/* ---- blocks */

typedef struct Decoder {
	Huffman huffman;
	Fse     table[3]; /* literals, offsets, copies */
	u8      literal[BLOCK_MOST];
	size_t  n_literals;
	u64     last[3]; /* offsets */
	u8     *to;
	size_t  at, size;
} Decoder;

static bool four_streams(const Huffman *h, Bytes in, u8 *to, size_t n)
{
	Bytes  sizes, part;
	size_t quarter = (n + 3) / 4;
	if (!take(&in, 6, &sizes) || 3 * quarter > n)
		return false;
	for (u32 i = 0; i < 4; i++) {
		size_t packed = i < 3 ? (size_t)(sizes.p[2 * i] | sizes.p[2 * i + 1] << 8) : in.n;
		if (!take(&in, packed, &part) || !huffman_stream(h, part, to + i * quarter, i < 3 ? quarter : n - 3 * quarter))
			return false;
	}
	return true;
}

static bool literals(Decoder *d, Bytes *in)
{
	Bytes head, body;
	if (!in->n)
		return false;
	u32 type = in->p[0] & 3, format = in->p[0] >> 2 & 3;
	if (type < 2) { /* as they are, or one byte many times */
		u32 bytes = format == 1 ? 2 : format == 3 ? 3 : 1;
		if (!take(in, bytes, &head))
			return false;
		d->n_literals = (size_t)(little(head) >> (bytes == 1 ? 3 : 4));
		if (d->n_literals > BLOCK_MOST || !take(in, type ? 1 : d->n_literals, &body))
			return false;
		if (type)
			memset(d->literal, body.p[0], d->n_literals);
		else
			memcpy(d->literal, body.p, d->n_literals);
		return true;
	}
	u32 bytes = format < 2 ? 3 : format + 2, width = format < 2 ? 10 : format == 2 ? 14 : 18;
	if (!take(in, bytes, &head))
		return false;
	u64 v = little(head) >> 4, mask = (1u << width) - 1;
	d->n_literals = (size_t)(v & mask);
	if (d->n_literals > BLOCK_MOST || !take(in, (size_t)(v >> width & mask), &body))
		return false;
	if (type == 2 && !huffman_read(&body, &d->huffman))
		return false;
	if (!d->huffman.log)
		return false;
	return format ? four_streams(&d->huffman, body, d->literal, d->n_literals)
	              : huffman_stream(&d->huffman, body, d->literal, d->n_literals);
}

/* What a code stands for: a number, and how many bits are added to it. */
typedef struct Code {
	u32 base;
	u8  bits;
} Code;

static Code literal_code(u32 c)
{
	static const Code high[] = {{16, 1},    {18, 1},    {20, 1},    {22, 1},     {24, 2},     {28, 2},    {32, 3},
	                            {40, 3},    {48, 4},    {64, 6},    {128, 7},    {256, 8},    {512, 9},   {1024, 10},
	                            {2048, 11}, {4096, 12}, {8192, 13}, {16384, 14}, {32768, 15}, {65536, 16}};
	return c < 16 ? (Code){c, 0} : high[c - 16];
}

static Code copy_code(u32 c)
{
	static const Code high[] = {{35, 1},    {37, 1},    {39, 1},    {41, 1},    {43, 2},     {47, 2},     {51, 3},
	                            {59, 3},    {67, 4},    {83, 4},    {99, 5},    {131, 7},    {259, 8},    {515, 9},
	                            {1027, 10}, {2051, 11}, {4099, 12}, {8195, 13}, {16387, 14}, {32771, 15}, {65539, 16}};
	return c < 32 ? (Code){c + 3, 0} : high[c - 32];
}

enum { LITERALS, OFFSETS, COPIES };
static const struct {
	u32 symbols, most_log, usual_log;
	i16 usual[53];
} kinds[] = {
	{36, 9, 6, {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                    2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}},
	{29, 8, 5, {1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}},
	{53, 9, 6, {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}},
};

/* 0: the usual table; 1: one symbol; 2: a table follows; 3: the one before. */
static bool read_table(Decoder *d, Bytes *in, u32 kind, u32 mode)
{
	Fse  *f = &d->table[kind];
	Bytes one;
	if (mode == 0)
		fse_build(f, kinds[kind].usual, kinds[kind].symbols, kinds[kind].usual_log);
	if (mode == 1) {
		if (!take(in, 1, &one) || one.p[0] >= (kind == OFFSETS ? 32 : kinds[kind].symbols))
			return false;
		*f = (Fse){.known = true, .entry = {{.symbol = one.p[0]}}};
	}
	return mode == 2 ? fse_read(in, f, kind == OFFSETS ? 32 : kinds[kind].symbols, kinds[kind].most_log) : f->known;
}

/* The distance that an offset's value means; it becomes the latest. */
static u64 distance(Decoder *d, u64 v, u64 n_literals)
{
	u64 *l = d->last, out;
	u32  i = v > 3 ? 3 : (u32)v - 1 + (n_literals == 0);
	out = v > 3 ? v - 3 : i < 3 ? l[i] : l[0] - 1;
	if (i >= 2)
		l[2] = l[1];
	if (i >= 1)
		l[1] = l[0];
	l[0] = out;
	return out;
}

static bool put(Decoder *d, const u8 *from, size_t n)
{
	if (n > d->size - d->at)
		return false;
	memcpy(d->to + d->at, from, n);
	d->at += n;
	return true;
}

static bool sequence(Decoder *d, Backward *r, u32 *state, size_t *used)
{
	u32  offset = d->table[OFFSETS].entry[state[OFFSETS]].symbol;
	Code copy = copy_code(d->table[COPIES].entry[state[COPIES]].symbol);
	Code lit = literal_code(d->table[LITERALS].entry[state[LITERALS]].symbol);
	u64  v = ((u64)1 << offset) + backward_read(r, offset);
	u64  n = copy.base + backward_read(r, copy.bits), n_literals = lit.base + backward_read(r, lit.bits);
	u64  back = distance(d, v, n_literals);
	if (n_literals > d->n_literals - *used || !put(d, d->literal + *used, (size_t)n_literals))
		return false;
	*used += (size_t)n_literals;
	if (!back || back > d->at || n > d->size - d->at)
		return false;
	for (size_t end = d->at + (size_t)n; d->at < end; d->at++) /* the two may overlap */
		d->to[d->at] = d->to[d->at - back];
	return true;
}

static bool sequences(Decoder *d, Bytes in, size_t *used)
{
	Bytes    head, more;
	Backward r;
	u32      state[3], n;
	if (!take(&in, 1, &head))
		return false;
	n = head.p[0];
	if (n >= 128) {
		if (!take(&in, n == 255 ? 2 : 1, &more))
			return false;
		n = n == 255 ? more.p[0] + (u32)(more.p[1] << 8) + 0x7f00 : ((n - 128) << 8) + more.p[0];
	}
	if (!n)
		return in.n == 0;
	if (!take(&in, 1, &head))
		return false;
	for (u32 k = 0; k < 3; k++)
		if (!read_table(d, &in, k, head.p[0] >> (6 - 2 * k) & 3))
			return false;
	if (!backward_open(&r, in))
		return false;
	for (u32 k = 0; k < 3; k++)
		state[k] = backward_read(&r, d->table[k].log);
	for (u32 i = 0; i < n; i++) {
		if (!sequence(d, &r, state, used))
			return false;
		if (i + 1 == n)
			break;
		fse_next(&d->table[LITERALS], &state[LITERALS], &r);
		fse_next(&d->table[COPIES], &state[COPIES], &r);
		fse_next(&d->table[OFFSETS], &state[OFFSETS], &r);
	}
	return r.at == 0;
}

static bool block(Decoder *d, Bytes in, u32 type, size_t size)
{
	size_t used = 0;
	if (type == 0)
		return put(d, in.p, in.n);
	if (type == 1) {
		if (size > d->size - d->at)
			return false;
		memset(d->to + d->at, in.p[0], size);
		d->at += size;
		return true;
	}
	return type == 2 && literals(d, &in) && sequences(d, in, &used) && put(d, d->literal + used, d->n_literals - used);
}

static bool frame(Decoder *d, Bytes in)
{
	Bytes head, body;
	if (!take(&in, 5, &head) || little((Bytes){head.p, 4}) != 0xfd2fb528u)
		return false;
	u32  flags = head.p[4], single = flags >> 5 & 1, dictionary = flags & 3, size = flags >> 6;
	bool last = false;
	if (dictionary || !take(&in, !single + (size ? (size_t)1 << size : single), &head))
		return false;
	while (!last) {
		if (!take(&in, 3, &head))
			return false;
		u32    v = (u32)little(head), type = v >> 1 & 3;
		size_t n = v >> 3;
		last = v & 1;
		if (!take(&in, type == 1 ? 1 : n, &body) || !block(d, body, type, n))
			return false;
	}
	return d->at == d->size;
}

bool zstd_decode(const u8 *from, size_t n, u8 *to, size_t size)
{
	Decoder *d = calloc(1, sizeof *d);
	if (!d)
		return false;
	memcpy(d->last, (u64[]){1, 4, 8}, sizeof d->last);
	d->to = to;
	d->size = size;
	bool ok = frame(d, (Bytes){from, n});
	free(d);
	return ok;
}
