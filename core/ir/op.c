/* op.c: the names behind the enumerations of ir.h. */
#include "ir/ir_forms.h"

#define NONE       IROF_NONE
#define COMMUTES   IROF_COMMUTES
#define ASSOC      IROF_ASSOC
#define WRAPS      IROF_WRAPS
#define EXACT      IROF_EXACT
#define DISJOINT   IROF_DISJOINT
#define NNEG       IROF_NNEG
#define FPMATH     IROF_FPMATH
#define TRAPS      IROF_TRAPS
#define READS      IROF_READS
#define WRITES     IROF_WRITES
#define CALLS      IROF_CALLS
#define TERMINATOR IROF_TERMINATOR

const IrOpInfo ir_op_info[IR_OP_COUNT] = {
	[IR_OP_NONE] = {"<none>", IRFORM_NONE, IROF_NONE},
#define IR_OP(id, text, form, flags) [IR_##id] = {text, IRFORM_##form, flags},
#include "ir/ir_ops.def"
};

/* samesign, and fast-math flags on casts, are newer than the text we print; inbounds says nusw. */
u32 ir_stated_flags(u32 op, u32 flags)
{
	flags &= ~(u32)IRF_SAMESIGN;
	if (ir_op_is_cast(op))
		flags &= ~(u32)IRF_FAST;
	if (flags & IRF_INBOUNDS)
		flags &= ~(u32)IRF_NUSW;
	return flags;
}

const char *const ir_pred_name[IRP_COUNT] = {
	"false", "oeq", "ogt",  "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult",
	"ule",   "une", "true", "eq",  "ne",  "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle",
};

const char *const ir_rmw_name[IRRMW_COUNT] = {
	"xchg", "add",  "sub",  "and",  "nand",     "or",       "xor",       "max",       "min",       "umax",     "umin",
	"fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat",
};

const char *const ir_ordering_name[IRO_COUNT] = {
	"", "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst",
};

const char *const ir_linkage_name[IRL_COUNT] = {
	"external", "private", "internal",  "available_externally", "linkonce", "linkonce_odr", "weak",
	"weak_odr", "common",  "appending", "extern_weak",
};

const char *const ir_sanitizer_words[IR_SANITIZER_WORDS] = {"no_sanitize_address", "no_sanitize_hwaddress", "sanitize_memtag",
                                                            "sanitize_address_dyninit"};
