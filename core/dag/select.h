/* select.h: between the files of the selector. */
#ifndef PS_DAG_SELECT_H
#define PS_DAG_SELECT_H

#include "dag/func.h"
#include "isa/isa.h"

u32  dag_desc(DagFunc *f, PtxOpc opc);
u32  dag_mov_desc(DagFunc *f, DagVt vt);
bool dag_select_memory(DagFunc *f, u32 node);  /* select_mem.c: false: none of its */
bool dag_select_control(DagFunc *f, u32 node); /* select_control.c */
/* The token of a state space by its address space number; 0 generic. */
bool dag_select_intrinsic(DagFunc *f, u32 node);
/* atom.OP.SCOPE.TYPE of an IRRMW_*, IRRMW_COUNT: a compare-exchange; scope: a token, 0: none is said. */
PtxOpc dag_atomic_opc(u32 op, DagVt vt, u64 scope);
/* An address as an access has it: a register, symbol or (generic) frame object, and a constant. */
void dag_split_address(Dag *d, DagVal p, bool generic, DagVal out[2]);

#endif
