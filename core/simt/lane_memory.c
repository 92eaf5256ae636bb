/* lane_memory.c: loads and stores as WebAssembly, for lane_code.c.
 *
 *	ld.f32  f, [q + 8]    ┐      where do q + 8 to q + 16 lie? nowhere: the emulator executes the run
 *	fma     s, f, r, s    │ run  for each four lanes { f: 16 bytes of memory, or one word four times, or four words; s; g }
 *	ld.f32  g, [q + 12]   ┘
 *
 * A place is what accesses through one register have in common: the host's addresses of all lanes, found by one call
 * (mem_places), with one look at bounds and alignment, for all accesses up to the next change of the register. Nothing
 * has been executed when an address turns out to be wrong, so the emulator reports it as without this. A run has loads, or ends in a
 * store: as four lanes go through all of a run before the next four, a load would not see what later lanes have stored before it. */
#include "simt/lane_template.h"

static u32 size_of(const SimtInsn *in) { return (u32)in->mem.bytes * PS_MAX(in->n, 1u); }
static u32 elements(const SimtInsn *in) { return PS_MAX(in->n, 1u); }
static u32 rows_of_element(const SimtInsn *in) { return in->mem.flags & SMF_WIDE ? 2 : 1; }
static i32 element_reg(const Code *c, const SimtInsn *in, u32 k)
{
	return in->n > 1 ? (i32)c->p->ext.p[in->y + k] : in->op == S_LD ? in->d : in->b;
}

static bool registers_overlap(i32 a, u32 a_rows, i32 b, u32 b_rows)
{
	return a != NO_REG && b != NO_REG && a >= 0 && b >= 0 && a < b + (i32)b_rows && b < a + (i32)a_rows;
}

/* Does the instruction, of lanes or an access, write some of these rows? */
static bool writes(const Code *c, const SimtInsn *in, i32 reg, u32 rows)
{
	if (in->op == S_LANES)
		return registers_overlap(in->d, PS_MAX((u32)in->rows, 1u), reg, rows);
	for (u32 k = 0; in->op == S_LD && k < elements(in); k++)
		if (registers_overlap(element_reg(c, in, k), rows_of_element(in), reg, rows))
			return true;
	return false;
}
static bool writes_address(const Code *c, const SimtInsn *by, const SimtInsn *of)
{
	return writes(c, by, of->a, of->narrow ? 1 : 2);
}

bool lane_is_access(const Code *c, const SimtInsn *in)
{
	u32 bytes = in->mem.bytes;
	if ((in->op != S_LD && in->op != S_ST) || (in->flags & SIF_GUARD))
		return false;
	if ((bytes & (bytes - 1)) || bytes > 8 || (bytes == 8 && !(in->mem.flags & SMF_WIDE)))
		return false;
	/* Vectors that overlap without being the same would be stored in another order. */
	return in->op == S_LD || (!c->part && (in->n <= 1 || 1u << in->mem.align_log2 >= size_of(in)));
}

/* ---- places */

static bool share_place(const SimtInsn *a, const SimtInsn *b)
{
	u32 apart = ((a->z - b->z) & ((1u << a->mem.align_log2) - 1)) | ((a->z ^ b->z) >> 16);
	return a->a == b->a && a->narrow == b->narrow && a->mem.space == b->mem.space && size_of(a) == size_of(b) &&
	       a->mem.align_log2 == b->mem.align_log2 && !((a->mem.flags ^ b->mem.flags) & SMF_FRAME) && !apart;
}

static u32 place_find(const Code *c, const SimtInsn *in)
{
	for (u32 i = 0; i < LANE_PLACES; i++) {
		const Place *p = &c->place[i];
		i64          from = (i32)in->z;
		if (p->in && share_place(p->in, in) && from >= p->low && from + size_of(in) <= p->low + p->bytes &&
		    (p->write || in->op == S_LD))
			return i;
	}
	return LANE_PLACES;
}

/* Of the access and those that follow before its register changes. */
static Place place_of(const Code *c, const SimtInsn *in)
{
	i64  low = (i32)in->z, high = low + size_of(in);
	bool write = false;
	for (const SimtInsn *i = in; i < c->last; i++) {
		bool access = lane_is_access(c, i) && share_place(in, i);
		i64  from = (i32)i->z, to = from + size_of(i);
		if (i->op != S_LANES && i->op != S_LD && i->op != S_ST)
			break;
		if (access) {
			low = PS_MIN(low, from), high = PS_MAX(high, to);
			write |= i->op == S_ST;
		}
		if (writes_address(c, i, in))
			break;
	}
	return (Place){in, low, high - low, write};
}

static void find_places(Code *c, u32 i)
{
	const Place *p = &c->place[i];
	code_get(c, L_FRAME);
	code_i32(c, (u32)(p->in - c->p->code.p));
	code_i32(c, i);
	code_i32(c, (u32)(i32)p->low);
	code_i32(c, (u32)p->bytes);
	code_i32(c, p->write);
	code_call(c, TYPE_PLACES, (u32)(uintptr_t)c->calls->places);
	code_set(c, L_KIND + i);
}

bool lane_places(Code *c, const SimtInsn *from, const SimtInsn *to)
{
	u32 used = 0, n = 0;
	for (const SimtInsn *in = from; in != to; in++) {
		u32 at = lane_is_access(c, in) ? place_find(c, in) : LANE_PLACES;
		used |= at < LANE_PLACES ? 1u << at : 0;
	}
	for (const SimtInsn *in = from; in != to; in++) {
		if (!lane_is_access(c, in) || place_find(c, in) < LANE_PLACES)
			continue;
		u32 at = 0;
		while (used >> at & 1)
			at++;
		for (u32 i = at; i < LANE_PLACES; i++) /* rather one that is free */
			at = c->place[at].in && !c->place[i].in && !(used >> i & 1) ? i : at;
		c->place[at] = place_of(c, in);
		used |= 1u << at;
		find_places(c, at);
	}
	for (u32 i = 0; i < LANE_PLACES; i++) {
		if (!(used >> i & 1))
			continue;
		code_get(c, L_KIND + i);
		if (n++)
			code_op(c, WASM_I32_OR);
	}
	if (n) {
		code_i32(c, LANES_NOWHERE);
		code_op(c, WASM_I32_AND);
	}
	return n != 0;
}

bool lane_access_joins(Code *c, const SimtInsn *from, const SimtInsn *in)
{
	u32 places = 1, rows = rows_of_element(in);
	for (const SimtInsn *i = from; i != in; i++) {
		bool access = i->op != S_LANES, shared = false;
		if (writes_address(c, i, in) || (access && (i->op == S_ST || in->op == S_ST)))
			return false;
		for (const SimtInsn *k = from; access && k != i; k++)
			shared |= k->op != S_LANES && share_place(k, i);
		places += access && !shared && !share_place(i, in);
	}
	if (places > LANE_PLACES)
		return false;
	for (u32 k = 0; k < elements(in); k++)
		if (element_reg(c, in, k) != NO_REG && lane_overlaps(c, element_reg(c, in, k), rows))
			return false;
	for (u32 k = 0; k < elements(in); k++)
		if (element_reg(c, in, k) != NO_REG)
			code_hold(c, element_reg(c, in, k), rows);
	return true;
}

void lane_executed(Code *c, const SimtInsn *from, const SimtInsn *to)
{
	for (const SimtInsn *in = from; in != to; in++)
		for (u32 i = 0; i < LANE_PLACES; i++) {
			Place *p = &c->place[i];
			bool   known = in->op == S_LANES || in->op == S_LD || in->op == S_ST;
			if (p->in && (!known || writes_address(c, in, p->in)))
				p->in = NULL;
		}
}

/* ---- accesses of four lanes */

typedef struct Access4 {
	u32 place, offset, bytes, log2; /* of an element */
	u32 flags;
} Access4;

/* Pushes the host's address of lane l of the four. */
static void lane_at(Code *c, const Access4 *a, u32 l)
{
	code_get(c, c->loop ? L_ON_AT : L_FRAME);
	wasm_memory(&c->out, WASM_I32_LOAD, 2, (u32)offsetof(LaneFrame, at) + 4 * (a->place * LANES + 4 * c->group + l));
}

static void memory(Code *c, u32 op, u32 offset) { wasm_memory_part(&c->out, op, offset); }
static void memory_lane(Code *c, u32 op, const Access4 *a, u32 lane)
{
	memory(c, op + a->log2, a->offset);
	code_op(c, lane);
}

/* From memory in a row; into L_LOW, and of 64 bits L_HIGH. */
static void load_row(Code *c, const Access4 *a)
{
	bool is_signed = a->flags & SMF_SIGNED;
	for (u32 half = 0; half < (a->bytes == 8 ? 2u : 1u); half++) {
		lane_at(c, a, 0);
		memory(c,
		       a->bytes >= 4   ? V128_LOAD
		       : a->bytes == 1 ? V128_LOAD32_ZERO
		       : is_signed     ? V128_LOAD16X4_S
		                       : V128_LOAD16X4_U,
		       a->offset + 16 * half);
		if (a->bytes == 1) {
			code_simd(c, is_signed ? I16X8_EXTEND_S : I16X8_EXTEND_U);
			code_simd(c, is_signed ? I32X4_EXTEND_S : I32X4_EXTEND_U);
		}
		code_set(c, half ? L_HIGH : L_LOW);
	}
}

static void load_equal(Code *c, const Access4 *a)
{
	lane_at(c, a, 0);
	memory(c, V128_LOAD8_SPLAT + a->log2, a->offset);
	if (a->bytes < 4) {
		code_i32(c, 32 - 8 * a->bytes);
		code_simd(c, a->flags & SMF_SIGNED ? I32X4_SHR_S : I32X4_SHR_U);
	}
	if (a->bytes == 8)
		code_tee(c, L_HIGH);
	code_set(c, L_LOW);
}

static void load_anywhere(Code *c, const Access4 *a)
{
	u32 lanes = a->bytes == 8 ? 2 : 4;
	for (u32 half = 0; half < 4 / lanes; half++) {
		u32 first = lanes * half, of = a->bytes < 4 ? 0 : 1;
		for (u32 l = lanes; l-- > 0;)
			lane_at(c, a, first + l);
		if (of)
			memory(c, V128_LOAD8_SPLAT + a->log2, a->offset);
		else
			code_splat(c, 0, 4);
		for (u32 l = of; l < lanes; l++)
			memory_lane(c, V128_LOAD8_LANE, a, of ? l : l * 4 / a->bytes);
		if (!of && (a->flags & SMF_SIGNED)) {
			code_i32(c, 32 - 8 * a->bytes);
			code_simd(c, I32X4_SHL);
			code_i32(c, 32 - 8 * a->bytes);
			code_simd(c, I32X4_SHR_S);
		}
		code_set(c, half ? L_HIGH : L_LOW);
	}
}

/* Does what `of` does to the kind's code. */
static void by_kind(Code *c, const Access4 *a, const SimtInsn *in, void (*const of[3])(Code *, const Access4 *))
{
	bool row = in->n <= 1; /* a vector's elements are not in a row */
	if (row) {
		code_get(c, L_KIND + a->place);
		code_op(c, WASM_I32_EQZ);
		code_open(c, WASM_IF);
		of[LANES_IN_A_ROW](c, a);
		code_op(c, WASM_ELSE);
	}
	code_get(c, L_KIND + a->place);
	code_i32(c, LANES_EQUAL);
	code_op(c, WASM_I32_EQ);
	code_open(c, WASM_IF);
	of[LANES_EQUAL](c, a);
	code_op(c, WASM_ELSE);
	of[LANES_ANYWHERE](c, a);
	code_close(c);
	if (row)
		code_close(c);
}

/* What the stack has becomes half of the register's value; of part of a warp, in the lanes that load. */
static void take(Code *c, i32 reg, u32 rows, u32 half)
{
	c->half = half;
	if (c->part) {
		code_operand(c, reg, rows);
		code_get(c, c->loop ? L_ON_AT : L_FRAME);
		wasm_memory_v128(&c->out, V128_LOAD, (u32)offsetof(LaneFrame, take) + 16 * c->group);
		if (rows == 2)
			code_simd(c, I64X2_EXTEND_S + half);
		code_simd(c, V128_BITSELECT);
	}
	Held *h = code_hold(c, reg, rows);
	code_set(c, h->local + half);
	h->dirty = true;
	c->half = 0;
}

static void load(Code *c, const SimtInsn *in, const Access4 *a, i32 reg)
{
	static void (*const of[])(Code *, const Access4 *) = {load_row, load_equal, load_anywhere};
	by_kind(c, a, in, of);
	u32 rows = rows_of_element(in);
	for (u32 half = 0; half < rows; half++) {
		code_get(c, half && a->bytes == 8 ? L_HIGH : L_LOW);
		if (rows == 2 && a->bytes < 8)
			code_simd(c, (a->flags & SMF_SIGNED ? I64X2_EXTEND_S : I64X2_EXTEND_U) + half);
		if (rows == 1 && a->flags & SMF_NARROW16) {
			code_splat(c, 0xffff, 4);
			code_simd(c, V128_AND);
		}
		take(c, reg, rows, half);
	}
}

/* The values are in L_LOW and L_HIGH. Of equal addresses the last lane's value stays. */
static void store_lane(Code *c, const Access4 *a, u32 l)
{
	lane_at(c, a, l);
	code_get(c, a->bytes == 8 && l >= 2 ? L_HIGH : L_LOW);
	memory_lane(c, V128_STORE8_LANE, a, a->bytes == 8 ? l % 2 : l * 4 / a->bytes);
}
static void store_equal(Code *c, const Access4 *a) { store_lane(c, a, 3); }
static void store_anywhere(Code *c, const Access4 *a)
{
	for (u32 l = 0; l < 4; l++)
		store_lane(c, a, l);
}
static void store_row(Code *c, const Access4 *a)
{
	for (u32 half = 0; a->bytes >= 4 && half < a->bytes / 4; half++) {
		lane_at(c, a, 0);
		code_get(c, half ? L_HIGH : L_LOW);
		memory(c, V128_STORE, a->offset + 16 * half);
	}
	if (a->bytes < 4)
		store_anywhere(c, a);
}

static void store(Code *c, const SimtInsn *in, const Access4 *a, i32 reg)
{
	static void (*const of[])(Code *, const Access4 *) = {store_row, store_equal, store_anywhere};
	u32 rows = rows_of_element(in);
	for (c->half = 0; c->half < rows; c->half++) {
		code_operand(c, reg, rows);
		code_set(c, c->half ? L_HIGH : L_LOW);
	}
	c->half = 0;
	if (rows == 2 && a->bytes < 8) { /* the low words */
		code_get(c, L_LOW);
		code_get(c, L_HIGH);
		code_low_words(c);
		code_set(c, L_LOW);
	}
	by_kind(c, a, in, of);
}

void lane_access(Code *c, const SimtInsn *in)
{
	u32     place = place_find(c, in);
	Access4 a = {.place = place, .bytes = in->mem.bytes, .flags = in->mem.flags};
	while (1u << a.log2 < a.bytes)
		a.log2++;
	for (u32 k = 0; k < elements(in); k++) {
		i32 reg = element_reg(c, in, k);
		a.offset = (u32)((i32)in->z - c->place[place].low) + k * a.bytes;
		if (in->op == S_ST)
			store(c, in, &a, reg);
		else if (reg != NO_REG)
			load(c, in, &a, reg);
	}
}
