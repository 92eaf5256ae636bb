/* bitcode_di.h: shared by bitcode_di.c and bitcode_di_older.c. */
#ifndef PS_IR_BITCODE_DI_H
#define PS_IR_BITCODE_DI_H

#include "ir/bitcode.h"

/* Codes of records that both look at; bitcode_di.def has all of them. */
enum {
	BC_DI_SUBPROGRAM = 21,
	BC_DI_GLOBAL_VARIABLE = 27,
	BC_DI_LOCAL_VARIABLE = 28,
	BC_DI_EXPRESSION = 29,
	BC_DI_MODULE = 32,
};

/* Gives the record, where it is of an older LLVM, the form of LLVM 22. */
void bc_di_modernise(Bc *b);

#endif
