/* md_older.h: specialised metadata nodes in the forms of several versions of LLVM: in memory they have that of LLVM 22. */
#ifndef PS_IR_MD_OLDER_H
#define PS_IR_MD_OLDER_H

#include "ir/ir.h"

typedef Vec(IrMdField) IrMdFields;

/* For readers: renames a field that has another name since; true for one that LLVM 22 does not have, which is to be dropped. */
bool ir_md_upgrade_field(IrModule *m, Str node, IrMdField *f);
/* For the reader of bitcode: what is imported into functions moves from compile units to these. */
void ir_md_upgrade_imports(IrModule *m);
/* For the printer: the same the other way, for a version of LLVM. */
bool ir_md_older_field(IrModule *m, u32 version, Str node, IrMdField *f);
/* The node's name before LLVM 22, or that of the closest one there was; fields that this one needs are added. */
StrId ir_md_older_node(IrModule *m, StrId name, IrMdFields *list);
/* The DW_LANG_… of LLVM 19 that a field `language` or `sourceLanguageName` names. */
StrId ir_md_language(IrModule *m, const IrMdField *f);

#endif
