/* upgrade.h: shared by upgrade.c and upgrade_call.c. */
#ifndef PS_IR_UPGRADE_H
#define PS_IR_UPGRADE_H

#include "ir/builder.h"
#include "ir/internal.h"
#include "ir/intrinsic.h"

/* Of a declaration whose calls become something else. */
typedef enum UpgradeKind {
	UPK_NONE,
	UPK_ROW,      /* of upgrades.def */
	UPK_DBG,      /* a debug record */
	UPK_MERGED,   /* a call of `now`, which has the same type */
	UPK_RETYPED,  /* a call of `now`, with casts */
	UPK_REPARAM,  /* a call of `now`, whose parameters are others */
	UPK_LIFETIME, /* a marker without a size */
	UPK_NAMED,    /* a call of `now`, whose result has the type without the name */
} UpgradeKind;

/* Is an intrinsic one of which there is no table here? */
bool ir_is_elsewhere(Str name);
/* The row + 1 of upgrades.def for a name; 0: none. */
u32 ir_upgrade_row(const IrModule *m, Str name);
/* The argument, counted from 1, that is a constant on which it depends what becomes of a call; 0: none. */
u32 ir_upgrade_constant(u32 row);
/* What kind of debug record the calls of an intrinsic become, + 1; 0: none. */
u32 ir_upgrade_dbg(Str name);
/* The row + 1 of parameters that were added or removed; 0: none. */
u32 ir_upgrade_params(const IrModule *m, const IrFunc *f);
/* The parameters' types of that row. */
IrType ir_upgrade_params_type(IrModule *m, u32 row, IrType was);
/* Does retyping get from one function type to the other? */
bool ir_upgrade_retypes(IrModule *m, IrType was, IrType now, bool bits);
/* Replaces a call; a function whose lifetime markers are all to go gets into `lost`. */
void ir_upgrade_call(IrModule *m, const IrOutdated *o, IrRef call, VecU32 *lost);

#endif
