/* dwarf_asm.h: what the asm printer calls of the debug information entries. */
#ifndef PS_PTX_DWARF_ASM_H
#define PS_PTX_DWARF_ASM_H

#include "ptx/asm.h"

typedef struct Dwarf Dwarf;

Dwarf *dw_begin(Asm *a);                 /* the units and their variables */
void   dw_plan(Dwarf *d);                /* before the function is printed */
bool   dw_before(Dwarf *d, MirInstId i); /* labels, and where variables are from here on; is there a label? */
void   dw_behind(Dwarf *d, MirInstId i); /* labels that belong to the end of the instruction */
void   dw_function(Dwarf *d);            /* behind the last instruction of the function */
void   dw_end(Dwarf *d);                 /* prints the sections */

#endif
