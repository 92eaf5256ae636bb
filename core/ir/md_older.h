/* md_older.h: specialised metadata nodes of newer LLVMs in the form that LLVM 19 has. */
#ifndef PS_IR_MD_OLDER_H
#define PS_IR_MD_OLDER_H

#include "ir/ir.h"

typedef Vec(IrMdField) IrMdFields;

/* Renames a field that has another name in LLVM 19. True for a field that LLVM 19 does not have, which is to be dropped. */
bool ir_md_older_field(IrModule *m, Str node, IrMdField *f);
/* The node's name in LLVM 19, or that of the closest one it has; fields that this one needs are added. */
StrId ir_md_older_node(IrModule *m, StrId name, IrMdFields *list);

#endif
