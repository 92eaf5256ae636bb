/* mir_rows.h: the driver of nvptx-mir-peephole and basr, and what their rewrites share.
 *
 * A row of mir_rows.def has a trigger class, a direction and a rewrite. The driver takes instructions in dominator order (ties in
 * order of the block), looks their class up in an index that is built once for the module, and tries the rows of that class until
 * one changes something. Then the neighbours come back on the list: users after a forward row, definitions after a backward one.
 * A rewrite that refuses (the whitelist) puts nothing back, so the list runs empty. */
#ifndef PS_MIRPASS_MIR_ROWS_H
#define PS_MIRPASS_MIR_ROWS_H

#include "base/map.h"
#include "mirpass/mirpass.h"

typedef enum RowClass {
	ROW_OTHER,
	ROW_GEP, /* an ADD of a constant to 64 bits */
	ROW_LOAD,
	ROW_STORE,
	ROW_ADD,
	ROW_SUB,
	ROW_MUL,
	ROW_AND,
	ROW_OR,
	ROW_SHL,
	ROW_SHR,
	ROW_BITCAST, /* a move to another register class of the same width */
	ROW_EXTRACT, /* a register taken apart */
	ROW_INSERT,  /* a register put together */
	ROW_PHI,
	ROW_CLASSES
} RowClass;

typedef enum RowPass { ROW_PASS_PEEPHOLE, ROW_PASS_BASR } RowPass;
typedef enum RowDirection { ROW_FORWARD, ROW_BACKWARD } RowDirection;

typedef struct Rows Rows;
typedef struct Row  Row;

struct Row {
	const char *id, *pattern, *result;
	RowPass     pass;
	RowClass class;
	RowDirection direction;
	bool (*rewrite)(Rows *, const Row *, MirInstId);
	bool     local;
	RowClass chain[4]; /* the pattern's classes: filled from `pattern` when the index is built */
	u32      n_chain;
};

/* Of one function. */
struct Rows {
	PassCx  *cx;
	MirFunc *f;
	MirCfg  *cfg;
	DomTree *dom;
	Map      intern_base, intern; /* base and slice → number; number and stride → the instruction that has the address */
	Map      erased;              /* instructions that are gone */
	bool     changed;
};

/* The tables of a pass: `begin` of both; cx->state while it runs. */
void *rows_begin(PassCx *cx);
bool  rows_run(PassCx *cx, RowPass pass);

RowClass row_class(const MirFunc *f, MirInstId i);
/* The definition of operand `n` where it has one and, for local rows, stands in the block of `i`; else 0. */
MirInstId row_def(const Rows *w, const Row *row, MirInstId i, u32 n);
/* A load that no row changes: constant or parameter memory, invariant, volatile, ordered, or of a constant variable. Stores: volatile
 * or ordered ones. */
bool row_leaves_alone(const Rows *w, MirInstId i);
/* Erases `i` where nobody reads its results. */
void row_drop(Rows *w, MirInstId i);
/* Every reader of `i`'s n-th result reads `r`; `i` goes when nobody reads it any more. */
void row_replace(Rows *w, MirInstId i, u32 n, MirReg r);

bool basr_forward(Rows *w, const Row *row, MirInstId i);
bool basr_backward(Rows *w, const Row *row, MirInstId i);
bool basr_intern(Rows *w, const Row *row, MirInstId i);
bool basr_phi(Rows *w, const Row *row, MirInstId i);
bool rows_offset(Rows *w, const Row *row, MirInstId i);
bool rows_constants(Rows *w, const Row *row, MirInstId i);
bool rows_bitcast(Rows *w, const Row *row, MirInstId i);
bool rows_extract(Rows *w, const Row *row, MirInstId i);
bool rows_insert(Rows *w, const Row *row, MirInstId i);

#endif
