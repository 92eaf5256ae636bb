/* names.h: finds the row of a table of intrinsics whose pattern a name matches.
 *
 *   llvm.nvvm.mul.{rn,rz}.f      the name, of which {a,b} is one of several, and …
 *   llvm.ctpop*                  … * a suffix of overloaded types: .i32, .v4f32.p0
 *
 * Rows are in lists by the four bytes behind llvm. or llvm.nvvm., so that a name is compared with few of the thousands there are. Those
 * whose names have fewer bytes in common are in lists by the first one, or in one that is looked at in any case. */
#ifndef PS_IR_NAMES_H
#define PS_IR_NAMES_H

#include "ir/ir.h"

/* A table's rows, from 1; names start with llvm. */
typedef struct IrNameTable {
	const char *(*names)(u32 row);
	u32 n;
} IrNameTable;

/* The lists of one table: empty; filled when a name is looked for, which is linear in the rows, some thirty instructions each. Kept by
 * the module (IrModule.intrinsic_names). */
typedef struct IrNameLists IrNameLists;
IrNameLists               *ir_name_lists_new(Arena *a);

/* The first row that a name matches; 0: none does. */
u32 ir_names_find(IrNameLists *l, Arena *a, const IrNameTable *t, Str name);
/* Does the name match the pattern? `choice` gets the number of the alternative that each group of the pattern took; NULL: nobody
 * asks. */
bool ir_name_matches(const char *pattern, const char *name, const char *end, u8 *choice);
/* Is it a suffix of overloaded types? */
bool ir_is_type_suffix(const char *p, const char *end);

static inline bool ir_is_nvvm_name(const char *name) { return name[5] == 'n' && name[6] == 'v' && name[7] == 'v'; }

#endif
