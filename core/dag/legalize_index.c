/* legalize_index.c: elements of vectors at indices that are not constants.
 *
 *	extract v4i32 %v, %i    ─▶  i & 1 selects between elements 0 and 1 and between 2 and 3, i > 1 between those
 *	extract v4i8 %v, %i     ─▶  the word that holds the vector, shifted by 8 * i
 *	insert v4i8 %v, %x, %i  ─▶  bfi of the word at 8 * i; of v2i16 prmt
 *	extract v16i32 %v, %i   ─▶  a store of the vector to a stack object, and a load of the element
 *
 * A vector of at most MAX_SELECTED registers stays in them: a selection for each register, and a test for each bit of the index.
 * Longer ones are stored: one access of 16 bytes for four words, where selections would take four to eight instructions. An index
 * past the end gives poison, so the index is reduced to the length before it becomes an address. Linear in the registers. */
#include "dag/legalize.h"

enum { MAX_SELECTED = 4 };

static DagVal word_const(Dag *d, u64 k) { return dag_const(d, VT_I32, k); }

/* The value of `e` that the index names, each standing for `per` indices: a tree of selections, by the bits of the index from the
 * lowest that tells values apart. */
static DagVal select_at(Dag *d, DagVal *e, u32 n, DagVal index, u32 per)
{
	DagVt vt = dag_vt(d, e[0]);
	for (u32 bit = per; n > 1; bit *= 2, n = (n + 1) / 2) {
		DagVal masked = dag_2(d, DAG_AND, VT_I32, index, word_const(d, bit));
		DagVal upper = n == 2 ? dag_setcc(d, index, word_const(d, bit - 1), IRP_I_UGT)
		                      : dag_setcc(d, masked, word_const(d, 0), IRP_I_NE);
		for (u32 i = 0; i < n; i += 2)
			e[i / 2] = i + 1 < n ? dag_3(d, DAG_SELECT, vt, upper, e[i + 1], e[i]) : e[i];
	}
	return e[0];
}

/* ---- in a word that holds several elements ---- */

static DagVal bit_offset(Dag *d, DagVal index, u32 bits, u32 per)
{
	DagVal at = dag_2(d, DAG_SHL, VT_I32, index, word_const(d, u64_log2(bits)));
	return per ? dag_2(d, DAG_AND, VT_I32, at, word_const(d, (per - 1) * bits)) : at;
}

/* `words`: how many words the index may reach beyond this one. */
static DagVal extract_from_word(Dag *d, DagVal word, DagVt e, DagVal index, u32 words)
{
	u32    bits = vt_bits(e);
	DagVal at = bit_offset(d, index, bits, words > 1 ? 32 / bits : 0), x = dag_2(d, DAG_SRL, VT_I32, word, at);
	return dag_1(d, DAG_BITCAST, e, dag_1(d, DAG_TRUNCATE, VT_INT(bits), x));
}

static DagVal insert_in_word(Dag *d, DagVal v, DagVal x, DagVal index)
{
	DagVt  vt = dag_vt(d, v);
	u32    bits = vt_bits(vt);
	DagVal word = dag_1(d, DAG_BITCAST, VT_I32, v), bits_of_x = dag_1(d, DAG_BITCAST, VT_INT(bits), x);
	DagVal wide = dag_1(d, DAG_ANY_EXTEND, VT_I32, bits_of_x), r;
	if (bits == 16) { /* prmt is one instruction of the machine, bfi several */
		DagVal upper = dag_setcc(d, index, word_const(d, 0), IRP_I_NE);
		DagVal order = dag_3(d, DAG_SELECT, VT_I32, upper, word_const(d, 0x5410), word_const(d, 0x3254));
		r = dag_3(d, DAG_PRMT, VT_I32, word, wide, order);
	} else {
		r = dag_4(d, DAG_BFI, VT_I32, wide, word, bit_offset(d, index, bits, 0), word_const(d, bits));
	}
	return dag_1(d, DAG_BITCAST, vt, r);
}

/* ---- in memory ---- */

typedef struct Slot {
	DagVal whole, element; /* addresses */
	DagMem mem, element_mem;
} Slot;

static bool is_addressable(DagVt e)
{
	u32 bits = vt_bits(e);
	return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* A stack object for a vector, and the address of the element in it. */
static Slot slot_of(Legalizer *l, DagVt vt, DagVal index)
{
	Dag     *d = l->d;
	DagFunc *f = l->f;
	u32      lanes = vt_lanes(vt), bytes = vt_bits(vt) / 8, align = u64_log2(PS_MIN(bytes * lanes, 16u));
	u32      object = mir_frame_new(f->mir, (StrId){0}, (u64)bytes * lanes, align, MIR_FRAME_LOCAL);
	DagVal   p = dag_pointer_cast(f, dag_frame(d, DAG_FrameIndex, f->ptr, object, 0), 0, AS_LOCAL);
	bool     pow2 = (lanes & (lanes - 1)) == 0;
	DagVal   inside = dag_2(d, pow2 ? DAG_AND : DAG_UMIN, VT_I32, index, word_const(d, lanes - 1));
	DagVt    pt = dag_vt(d, p);
	DagVal   offset = dag_2(d, DAG_MUL, pt, dag_zext_or_trunc(d, inside, pt), dag_const(d, pt, bytes));
	Slot     s = {.whole = p, .element = dag_2(d, DAG_ADD, pt, p, offset)};
	s.mem = (DagMem){.vt = vt, .mem = {.size = bytes * lanes, .space = AS_LOCAL, .align_log2 = (u8)align}};
	s.element_mem = (DagMem){.vt = vt_elem(vt), .mem = {.size = bytes, .space = AS_LOCAL, .align_log2 = (u8)u64_log2(bytes)}};
	return s;
}

static DagVal stored(Dag *d, DagVal chain, DagVal v, DagVal p, DagMem m)
{
	m.mem.flags = MMF_STORE;
	return dag_store(d, chain, v, p, m);
}

static DagVal loaded(Dag *d, DagVal chain, DagVal p, DagMem m)
{
	m.mem.flags = MMF_LOAD;
	return dag_load(d, m.vt, chain, p, m);
}

/* ---- */

DagVal legal_extract_at(Legalizer *l, DagVal v, DagVal index)
{
	Dag   *d = l->d;
	DagVt  vt = dag_vt(d, v), e = vt_elem(vt), part;
	u32    lanes = vt_lanes(vt), n = dag_reg_parts(vt, &part), per = PS_MAX(vt_lanes(part), 1u);
	DagVal p[LEGAL_PARTS];
	index = dag_zext_or_trunc(d, index, VT_I32);
	if (e == VT_I1 && lanes <= 64) { /* a bit of the integer of all bits */
		DagVal bits = dag_1(d, DAG_BITCAST, vt_as_int(vt), v);
		DagVal word = dag_zext_or_trunc(d, bits, lanes <= 32 ? VT_I32 : VT_I64);
		return dag_1(d, DAG_TRUNCATE, VT_I1, dag_2(d, DAG_SRL, dag_vt(d, word), word, index));
	}
	if (n > MAX_SELECTED && is_addressable(e)) {
		Slot s = slot_of(l, vt, index);
		return loaded(d, stored(d, d->entry, v, s.whole, s.mem), s.element, s.element_mem);
	}
	if (vt_is_packed(part) && vt_elem(part) == e) {
		legal_parts(l, v, p);
		for (u32 i = 0; i < n; i++)
			p[i] = dag_1(d, DAG_BITCAST, VT_I32, p[i]);
		return extract_from_word(d, select_at(d, p, n, index, per), e, index, n);
	}
	for (u32 i = 0; i < lanes; i++)
		p[i] = legal_element(l, v, i);
	return select_at(d, p, lanes, index, 1);
}

u32 legal_insert_at(Legalizer *l, DagVal v, DagVal x, DagVal index, DagVal *out)
{
	Dag  *d = l->d;
	DagVt vt = dag_vt(d, v), e = vt_elem(vt), part;
	u32   lanes = vt_lanes(vt), n = dag_reg_parts(vt, &part);
	index = dag_zext_or_trunc(d, index, VT_I32);
	if (n == 1 && vt_is_vec(part) && vt_elem(part) == e) {
		legal_parts(l, v, out);
		out[0] = insert_in_word(d, out[0], x, index);
		return 1;
	}
	if (lanes > MAX_SELECTED && is_addressable(e)) {
		Slot   s = slot_of(l, vt, index);
		DagVal chain = stored(d, d->entry, v, s.whole, s.mem);
		return legal_parts(l, loaded(d, stored(d, chain, x, s.element, s.element_mem), s.whole, s.mem), out);
	}
	DagVal *elements = arena_array(l->a, DagVal, lanes);
	for (u32 k = 0; k < lanes; k++) {
		DagVal here = dag_setcc(d, index, word_const(d, k), IRP_I_EQ);
		elements[k] = dag_3(d, DAG_SELECT, e, here, x, legal_element(l, v, k));
	}
	return legal_parts(l, dag_node(d, DAG_BUILD_VECTOR, vt, elements, lanes), out);
}
