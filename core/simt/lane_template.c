/* lane_template.c: the rows of lane_code.def as WebAssembly, for four lanes. Of an f32 fma, which WebAssembly has not, a product and a
 * sum of f64 are made, as in kernels.c; doubtful lanes are looked at by a call. */
#include "simt/lane_template.h"

#include "sem/float.h"
#include "simt/kernels.h"

/* ---- templates */

typedef enum When { ANY, X_32, B_SHIFT, C_ROTATE, PRMT_BYTES } When;

/* Words of lane_code.def that are no instruction of wasm_simd.h. */
enum {
	WORD_END = 0x400,
	A,
	B,
	C,
	X,
	B_COUNT,
	C_COUNT,
	C_REST,
	X_TO_32,
	X_TO_64,
	NAN32,
	SIGN32,
	SIGN64,
	KEEP32,
	KEEP64,
	KEEP_FIELD,
	NO_PAYLOAD32,
	NO_PAYLOAD64,
	BOOL,
	MASK,
	MASK64,
	UPPER,
	ZIP,
	EVEN,
	ODD,
	LOWS,
	LOP3,
	PRMT,
	FMA,
	WORD_N = 0x800,
	WORD_HALF = 0x1000,
};
#define N(n)             (WORD_N | (n))
#define HALF(op)         (WORD_HALF | (op))

#define W(id, when, ...) static const u16 words_##id[] = {__VA_ARGS__, WORD_END};
#include "simt/lane_code.def"

static const struct Template {
	const u16 *words;
	u8         when;
} templates[K_COUNT] = {
#define W(id, when, ...) [K_##id] = {words_##id, when},
#include "simt/lane_code.def"
};

/* Rows of the result and of the operands; 0: not read. */
enum { ROWS__ = 0, ROWS_u32 = 1, ROWS_u64 = 2 };
static const struct Shape {
	u8 d, a, b, c;
} shapes[K_COUNT] = {
#define K(id, D, A, B, C, expr)  [K_##id] = {ROWS_##D, ROWS_##A, ROWS_##B, ROWS_##C},
#define KC(id, D, A, B, C, expr) K(id, D, A, B, C, expr)
#define K128(id, expr)           [K_##id] = {4, 4, 4, 4},
#include "simt/kernels.def"
};

/* ---- operands */

static bool is_constant(const Code *c, i32 reg)
{
	for (u32 i = 0; i < c->p->shared_rows.n; i++)
		if ((i32)(c->p->shared_rows.p[i] >> 1) == -reg)
			return false;
	return reg < 0;
}

static u32 constant(const Code *c, i32 reg) { return c->p->pool[(size_t)-reg * LANES]; }

bool lane_has_template(const Code *c, const SimtInsn *in)
{
	if (in->op != S_LANES || (in->flags & SIF_GUARD) || !templates[in->kernel].words)
		return false;
	switch ((When)templates[in->kernel].when) {
	case ANY: return true;
	case X_32: return in->x == 32;
	case B_SHIFT: return is_constant(c, in->b) && constant(c, in->b) < 32u * in->rows;
	case C_ROTATE: return is_constant(c, in->c) && constant(c, in->c) - 1 < 31;
	case PRMT_BYTES: return in->x == 0 && is_constant(c, in->c) && !(constant(c, in->c) & 0x8888);
	}
	return false;
}

static Held *held(Code *c, i32 reg)
{
	for (u32 i = 0; i < c->held.n; i++)
		if (c->held.p[i].reg == reg)
			return &c->held.p[i];
	return NULL;
}

u32 code_address(Code *c, i32 reg, u32 rows, u32 half)
{
	if (reg < 0) {
		code_get(c, L_POOL);
		return (u32)-reg * LANES * 4;
	}
	code_get(c, !c->loop ? L_ROW : rows == 1 ? L_AT : L_AT_64);
	return (u32)reg * LANES * 4 + 16 * (rows * c->group + half);
}

static u32 new_local(Code *c, u32 n)
{
	c->locals += n;
	return L_VALUE + c->locals - n;
}

Held *code_hold(Code *c, i32 reg, u32 rows)
{
	Held *h = held(c, reg);
	if (h)
		return h;
	Held fresh = {.reg = reg, .rows = (u8)rows, .local = new_local(c, rows)};
	vec_push(c->arena, &c->held, fresh);
	return &vec_last(&c->held);
}

void code_splat(Code *c, u64 v, u32 bytes)
{
	u32 i = 0;
	v |= bytes == 4 ? v << 32 : 0;
	while (i < c->constants && c->constant[i] != v)
		i++;
	if (i == MOST_CONSTANTS) {
		wasm_splat(&c->out, v, 8);
		return;
	}
	c->constant[i] = v;
	c->constants = PS_MAX(c->constants, i + 1);
	code_get(c, L_CONSTANT + i);
}

void code_operand(Code *c, i32 reg, u32 rows)
{
	Held *h = held(c, reg);
	if (!h) {
		h = code_hold(c, reg, rows);
		for (u32 half = 0; half < rows; half++) {
			u32 offset = code_address(c, reg, rows, half);
			wasm_memory_v128(&c->out, V128_LOAD, offset);
			code_set(c, h->local + half);
		}
	}
	code_get(c, h->local + (rows == 2 ? c->half : 0));
}

/* ---- words */

static void shuffle(Code *c, const u8 *lanes)
{
	code_simd(c, I8X16_SHUFFLE);
	wasm_bytes(&c->out, lanes, 16);
}
/* Words of the two vectors. */
static void shuffle_words(Code *c, u32 w0, u32 w1, u32 w2, u32 w3)
{
	u32 w[4] = {w0, w1, w2, w3};
	u8  lanes[16];
	for (u32 i = 0; i < 16; i++)
		lanes[i] = (u8)(4 * w[i / 4] + i % 4);
	shuffle(c, lanes);
}

void code_low_words(Code *c) { shuffle_words(c, 0, 2, 4, 6); }

/* a and b, as the bits of the table say for ~a & ~b, ~a & b, a & ~b, a & b. */
static void two_inputs(Code *c, const SimtInsn *in, u32 table)
{
	bool inverted = table & 1; /* then the others' inverse */
	u32  t = inverted ? ~table & 15 : table;
	if (t == 0)
		code_splat(c, 0, 4);
	if (t == 12 || t == 4 || t == 8 || t == 6 || t == 14)
		code_operand(c, in->a, 1);
	if (t == 10 || t == 8 || t == 4 || t == 6 || t == 14 || t == 2)
		code_operand(c, in->b, 1);
	if (t == 2)
		code_operand(c, in->a, 1);
	if (t == 2 || t == 4)
		code_simd(c, V128_ANDNOT);
	if (t == 8)
		code_simd(c, V128_AND);
	if (t == 6)
		code_simd(c, V128_XOR);
	if (t == 14)
		code_simd(c, V128_OR);
	if (inverted)
		code_simd(c, V128_NOT);
}

static void lop3(Code *c, const SimtInsn *in)
{
	u32 with = 0, without = 0;
	for (u32 i = 0; i < 4; i++) {
		without |= (in->x >> 2 * i & 1) << i;
		with |= (in->x >> (2 * i + 1) & 1) << i;
	}
	two_inputs(c, in, with);
	if (with == without)
		return;
	two_inputs(c, in, without);
	code_operand(c, in->c, 1);
	code_simd(c, V128_BITSELECT);
}

static void permute(Code *c, const SimtInsn *in)
{
	u32 selector = constant(c, in->c);
	u8  lanes[16];
	for (u32 i = 0; i < 16; i++) {
		u32 byte = selector >> 4 * (i % 4) & 7;
		lanes[i] = (u8)((byte & 4 ? 16 : 0) + (i & 12) + (byte & 3));
	}
	shuffle(c, lanes);
}

/* Of the float on the stack. */
static void without_payload(Code *c, bool wide)
{
	code_tee(c, L_TEMP);
	code_splat(c, wide ? 0x7ff8000000000000u : 0x7fffffffu, wide ? 8 : 4);
	code_get(c, L_TEMP);
	code_get(c, L_TEMP);
	code_simd(c, wide ? F64X2_EQ : F32X4_EQ);
	code_simd(c, V128_BITSELECT);
}

static void keep(Code *c, u32 bits, u32 of)
{
	if (bits >= of)
		return;
	code_splat(c, ((u64)1 << bits) - 1, of / 8);
	code_simd(c, V128_AND);
}

/* The upper two of four lanes as the lower ones. */
static void upper(Code *c)
{
	code_tee(c, L_TEMP);
	code_get(c, L_TEMP);
	shuffle_words(c, 2, 3, 2, 3);
}

static void fma_two(Code *c, const SimtInsn *in, bool high)
{
	const i32 reg[3] = {in->a, in->b, in->c};
	for (u32 i = 0; i < 3; i++) {
		code_operand(c, reg[i], 1);
		if (high)
			upper(c);
		code_simd(c, F64X2_PROMOTE_LOW);
		if (i)
			code_simd(c, i == 1 ? F64X2_MUL : F64X2_ADD);
	}
	code_tee(c, high ? L_HIGH : L_LOW);
	code_simd(c, F32X4_DEMOTE_ZERO);
}

static void exact_fma(LaneFrame *f)
{
	for (u32 l = 0; l < 4; l++)
		f->fma[3][l] = sem_fma_f32(f->fma[0][l], f->fma[1][l], f->fma[2][l]);
}

/* The f64 sum rounds to the right f32 unless it lies in the middle between two of them, or the result is subnormal (kernels.c) and not
 * zero: a sum that rounds to zero is below 2^-150, or it is 2^-150, which then is exact, as no bit of product and addend lies below
 * 2^-198. */
static void fma_four(Code *c, const SimtInsn *in)
{
	const i32 reg[3] = {in->a, in->b, in->c};
	fma_two(c, in, false);
	fma_two(c, in, true);
	shuffle_words(c, 0, 1, 4, 5);
	without_payload(c, false);
	code_set(c, L_TEMP);
	code_get(c, L_LOW);
	code_get(c, L_HIGH);
	shuffle_words(c, 0, 2, 4, 6);
	code_splat(c, 0x1fffffff, 4);
	code_simd(c, V128_AND);
	code_splat(c, 0x10000000, 4);
	code_simd(c, I32X4_EQ);
	code_get(c, L_TEMP);
	code_splat(c, 0x7fffffff, 4);
	code_simd(c, V128_AND);
	code_splat(c, 1, 4);
	code_simd(c, I32X4_SUB);
	code_splat(c, 0x007fffff, 4); /* at most the least normal number, and not 0 */
	code_simd(c, I32X4_LE_U);
	code_simd(c, V128_OR);
	code_simd(c, V128_ANY_TRUE);
	code_open(c, WASM_IF);
	for (u32 i = 0; i < 3; i++) {
		code_get(c, L_FRAME);
		code_operand(c, reg[i], 1);
		wasm_memory_v128(&c->out, V128_STORE, (u32)offsetof(LaneFrame, fma) + 16 * i);
	}
	code_get(c, L_FRAME);
	code_call(c, TYPE_FMA, (u32)(uintptr_t)exact_fma);
	code_get(c, L_FRAME);
	wasm_memory_v128(&c->out, V128_LOAD, (u32)offsetof(LaneFrame, fma) + 48);
	code_set(c, L_TEMP);
	code_close(c);
	code_get(c, L_TEMP);
}

static void word(Code *c, const SimtInsn *in, u32 w)
{
	const struct Shape *s = &shapes[in->kernel];
	if (w < WORD_END) {
		code_simd(c, w);
		return;
	}
	if (w & WORD_HALF) {
		code_simd(c, (w & ~(u32)WORD_HALF) + c->half);
		return;
	}
	if (w & WORD_N) {
		code_i32(c, w & ~(u32)WORD_N);
		return;
	}
	switch (w) {
	case A: code_operand(c, in->a, s->a); break;
	case B: code_operand(c, in->b, s->b); break;
	case C: code_operand(c, in->c, s->c); break;
	case X: code_i32(c, in->x & 63); break;
	case B_COUNT: code_i32(c, constant(c, in->b)); break;
	case C_COUNT: code_i32(c, constant(c, in->c)); break;
	case C_REST: code_i32(c, 32 - constant(c, in->c)); break;
	case X_TO_32: code_i32(c, 32 - in->x); break;
	case X_TO_64: code_i32(c, 64 - in->x); break;
	case NAN32: code_splat(c, 0x7fffffff, 4); break;
	case SIGN32: code_splat(c, 0x80000000u, 4); break;
	case SIGN64: code_splat(c, (u64)1 << 63, 8); break;
	case KEEP32: keep(c, in->x, 32); break;
	case KEEP64: keep(c, in->x, 64); break;
	case KEEP_FIELD: keep(c, in->x >> 8, 32); break;
	case NO_PAYLOAD32: without_payload(c, false); break;
	case NO_PAYLOAD64: without_payload(c, true); break;
	case MASK:
	case MASK64:
		code_i32(c, 31);
		code_simd(c, I32X4_SHL);
		code_i32(c, 31);
		code_simd(c, I32X4_SHR_S);
		if (w == MASK64)
			code_simd(c, I64X2_EXTEND_S + c->half);
		break;
	case BOOL:
		code_i32(c, 31);
		code_simd(c, I32X4_SHR_U);
		break;
	case UPPER:
		if (c->half)
			upper(c);
		break;
	case ZIP: shuffle_words(c, 2 * c->half, 2 * c->half + 4, 2 * c->half + 1, 2 * c->half + 5); break;
	case EVEN: shuffle_words(c, 0, 2, 4, 6); break;
	case ODD: shuffle_words(c, 1, 3, 5, 7); break;
	case LOWS: shuffle_words(c, 0, 1, 4, 5); break;
	case LOP3: lop3(c, in); break;
	case PRMT: permute(c, in); break;
	case FMA: fma_four(c, in); break;
	default: break;
	}
}

static bool joins(u32 w) { return w == EVEN || w == ODD || w == LOWS; }

void lane_template(Code *c, const SimtInsn *in)
{
	const u16 *words = templates[in->kernel].words;
	u32        join = 0;
	for (u32 i = 0; words[i] != WORD_END; i++)
		join = joins(words[i]) ? i : join;
	for (c->half = 0; join && c->half < 2; c->half++)
		for (u32 i = 0; i < join; i++)
			word(c, in, words[i]);
	for (c->half = 0; c->half < in->rows; c->half++) {
		for (u32 i = join; words[i] != WORD_END; i++)
			word(c, in, words[i]);
		Held *d = code_hold(c, in->d, in->rows);
		code_set(c, d->local + c->half);
		d->dirty = true;
	}
	c->half = 0;
}

bool lane_overlaps(const Code *c, i32 reg, u32 rows)
{
	u32 at = (u32)(reg < 0 ? -reg : reg);
	for (u32 i = 0; i < c->held.n; i++) {
		Held h = c->held.p[i];
		u32  other = (u32)(h.reg < 0 ? -h.reg : h.reg);
		if ((h.reg < 0) == (reg < 0) && at < other + h.rows && other < at + rows && (at != other || h.rows != rows))
			return true;
	}
	return false;
}

bool lane_joins(Code *c, const SimtInsn *in)
{
	struct Shape s = shapes[in->kernel];
	const i32    reg[4] = {in->d, in->a, in->b, in->c};
	const u8     rows[4] = {s.d, s.a, s.b, s.c};
	for (u32 i = 0; i < 4; i++)
		if (rows[i] && lane_overlaps(c, reg[i], rows[i]))
			return false;
	for (u32 i = 0; i < 4; i++)
		if (rows[i])
			code_hold(c, reg[i], rows[i]);
	return true;
}
