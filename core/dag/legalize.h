/* legalize.h: between the files that make types legal. */
#ifndef PS_DAG_LEGALIZE_H
#define PS_DAG_LEGALIZE_H

#include "dag/lower_target.h"

enum { LEGAL_PARTS = 512 };

typedef struct Legalizer {
	DagFunc *f;
	Dag     *d;
	Arena   *a;
	Map      parts; /* node << 8 | result → place in pool << 16 | count */
	Vec(DagVal) pool;
	u32 depth;
} Legalizer;

void   legal_node(Legalizer *l, u32 node);
void   legal_set(Legalizer *l, DagVal v, const DagVal *parts, u32 n);
u32    legal_parts(Legalizer *l, DagVal v, DagVal *out); /* out: LEGAL_PARTS at most */
DagVal legal_zext_part(Legalizer *l, DagVal v);
DagVal legal_sext_part(Legalizer *l, DagVal v);
DagVal legal_element(Legalizer *l, DagVal v, u32 i);
u32    legal_of_elements(Legalizer *l, DagVt vt, const DagVal *e, DagVal *out);
Str    legal_describe(Legalizer *l, u32 node);

/* legalize_wide.c: an operand's words, with the bits above its width clear, or copies of the sign; returns how many. */
u32  legal_words(Legalizer *l, u32 node, u32 i, DagExt how, DagVal *out);
void legal_carry_chain(Dag *d, bool sub, const DagVal *a, const DagVal *b, u32 n, DagVal *out);
/* legalize_multiply.c: MUL, MULHU, MULHS; SMULO and UMULO of other widths than 128. */
void legal_multiply(Legalizer *l, u32 node);
bool legal_multiply_overflow(Legalizer *l, u32 node);
/* legalize_division.c: of two words each; the operands' upper bits are right. */
bool legal_division(Legalizer *l, u32 node, const DagVal a[2], const DagVal b[2], DagVal out[2]);

/* legalize_index.c: an element at an index that is no constant; the vector with another element there. */
DagVal legal_extract_at(Legalizer *l, DagVal v, DagVal index);
u32    legal_insert_at(Legalizer *l, DagVal v, DagVal x, DagVal index, DagVal *out);

/* Each: false where the node is none of its own. */
bool legal_memory_node(Legalizer *l, u32 node); /* legalize_memory.c: loads, stores, registers, calls, intrinsics */
bool legal_vector_node(Legalizer *l, u32 node); /* legalize_vector.c */
bool legal_wide_node(Legalizer *l, u32 node);   /* legalize_wide.c: integers of several words */
bool legal_narrow_node(Legalizer *l, u32 node); /* legalize_narrow.c: integers that a wider register holds */

#endif
