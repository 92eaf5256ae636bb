/* dwarf_asm.h: what the asm printer calls of the debug information entries. */
#ifndef PS_PTX_DWARF_ASM_H
#define PS_PTX_DWARF_ASM_H

#include "ptx/asm.h"

typedef struct Dwarf Dwarf;

Dwarf *dw_begin(Asm *a);      /* the units and their variables */
void   dw_function(Dwarf *d); /* the function that is being printed */
void   dw_end(Dwarf *d);      /* prints the sections */

#endif
