/* select.h: between the files of the selector, select.c and select_*.c. Each dag_select_… selects the node, or returns false where
 * it is none of its own. */
#ifndef PS_DAG_SELECT_H
#define PS_DAG_SELECT_H

#include "dag/func.h"
#include "isa/isa.h"

u32  dag_desc(DagFunc *f, PtxOpc opc);
u32  dag_mov_desc(DagFunc *f, DagVt vt);
bool dag_packed_constant(const Dag *d, DagVal v, u64 *bits); /* two constants of 16 bits in a word, or the bits of one */
bool dag_select_memory(DagFunc *f, u32 node);                /* select_mem.c */
bool dag_select_control(DagFunc *f, u32 node);               /* select_control.c */
bool dag_select_intrinsic(DagFunc *f, u32 node);             /* lower_intrinsic.c */
/* atom.OP.SCOPE.TYPE of an IRRMW_*, or of a compare-exchange (IRRMW_COUNT); scope: a token, 0: none. */
PtxOpc dag_atomic_opc(u32 op, DagVt vt, u64 scope);
/* The operands of an address: a register, symbol or (where it is generic) frame object, and a constant. */
void dag_split_address(Dag *d, DagVal p, bool generic, DagVal out[2]);

#endif
