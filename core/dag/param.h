/* param.h: values in .param space: which pieces they are read and written in. */
#ifndef PS_DAG_PARAM_H
#define PS_DAG_PARAM_H

#include "dag/func.h"
#include "mir/abi.h"

/* One register's worth of a parameter. */
typedef struct DagPiece {
	DagVt vt; /* in a register: legal, or an i8 or i1 */
	u64   offset;
	u32   leaf;  /* of the IR value */
	u32   part;  /* which part of that leaf, counted in parts of this size */
	u32   group; /* pieces accessed with this one; 0: it follows in the group of an earlier piece */
} DagPiece;
typedef Vec(DagPiece) DagPieces;

/* The pieces of a value of type `t`, and which of them one instruction may access, `align` being the
 * parameter's alignment. */
void dag_pieces(DagFunc *f, IrType t, u32 align, DagPieces *out);
/* Joins pieces to the leaf's value, or takes a leaf apart: `v` has one value for each part. */
DagVal dag_join_parts(DagFunc *f, DagVt leaf, const DagVal *v, u32 n);
DagVal dag_take_part(DagFunc *f, DagVal leaf, u32 part, DagVt vt);
/* The address of by-value argument i: its name in .param, and the value of its pointer, in that one's space. */
DagVal dag_byval_address(DagFunc *f, u32 i);
DagVal dag_byval_value(DagFunc *f, u32 i);
bool   dag_is_byval_arg(DagFunc *f, IrRef v);
/* Does a function rely on zeros above argument i, where that is an integer of odd width? */
bool dag_param_has_zeros_above(const IrModule *m, const IrFunc *f, u32 i);
/* i8 in memory for i1; the type of the ld or st. */
DagVt dag_param_mem_vt(DagVt vt);
/* Bytes that one access to the piece may have, by its offset and the parameter's alignment. */
u32 dag_piece_chunk(const DagPiece *p, u32 align);
/* Where in the parameter space a value goes: bytes from the start of `symbol`, and the type of the memory access. */
typedef struct DagParamPlace {
	StrId symbol;
	u64   offset;
	DagVt mem;
} DagParamPlace;
/* Stores a piece, or the group that it begins: `v` has their values. Packed structures take several stores. `glue` holds the
 * stores of a call sequence together and is advanced; NULL: they are only chained. Returns the chain. */
DagVal dag_store_piece(DagFunc *f, DagVal chain, StrId symbol, const DagPiece *p, u32 align, const DagVal *v, DagVal *glue);
/* One store of n values, st.param.vN. */
DagVal dag_store_param_group(DagFunc *f, DagVal chain, DagParamPlace to, const DagVal *v, u32 n, DagVal *glue);

#endif
