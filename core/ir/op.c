/* op.c: the spelling of opcodes, flags, predicates, linkages and the other enumerations of record.h, as rows of tables. */
#include "ir/ir_forms.h"
#include "isa/isa.h"
#include "sem/eval.h"

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
	[IR_OP_NONE] = {"<none>", IRFORM_NONE, SEM_OP_none, IROF_NONE},
#define IR_OP(id, text, form, eval, flags) [IR_##id] = {text, IRFORM_##form, SEM_OP_##eval, flags},
#include "ir/ir_ops.def"
};

u32 ir_taken_flags(u32 op)
{
	u32 takes = ir_op_info[op].flags;
	return (takes & IROF_WRAPS ? IRF_NUW | IRF_NSW : 0) | (takes & IROF_EXACT ? IRF_EXACT : 0) |
	       (takes & IROF_DISJOINT ? IRF_DISJOINT : 0) | (takes & IROF_NNEG ? IRF_NNEG : 0) |
	       (takes & IROF_FPMATH ? IRF_FAST : 0) | (op == IR_ICMP ? IRF_SAMESIGN : 0) |
	       (op == IR_GETELEMENTPTR ? IRF_INBOUNDS | IRF_NUSW | IRF_NUW : 0);
}

/* inbounds implies nusw. */
u32 ir_stated_flags(u32 flags) { return flags & IRF_INBOUNDS ? flags & ~(u32)IRF_NUSW : flags; }

const char *const ir_pred_name[IRP_COUNT] = {
	"false", "oeq", "ogt",  "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult",
	"ule",   "une", "true", "eq",  "ne",  "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle",
};

const u8 ir_pred_cmp[IRP_COUNT] = {
	[IRP_OEQ] = SEM_EQ,   [IRP_OGT] = SEM_GT,   [IRP_OGE] = SEM_GE,   [IRP_OLT] = SEM_LT,   [IRP_OLE] = SEM_LE,
	[IRP_ONE] = SEM_NE,   [IRP_ORD] = SEM_NUM,  [IRP_UNO] = SEM_NAN,  [IRP_UEQ] = SEM_EQU,  [IRP_UGT] = SEM_GTU,
	[IRP_UGE] = SEM_GEU,  [IRP_ULT] = SEM_LTU,  [IRP_ULE] = SEM_LEU,  [IRP_UNE] = SEM_NEU,  [IRP_I_EQ] = SEM_EQ,
	[IRP_I_NE] = SEM_NE,  [IRP_I_UGT] = SEM_HI, [IRP_I_UGE] = SEM_HS, [IRP_I_ULT] = SEM_LO, [IRP_I_ULE] = SEM_LS,
	[IRP_I_SGT] = SEM_GT, [IRP_I_SGE] = SEM_GE, [IRP_I_SLT] = SEM_LT, [IRP_I_SLE] = SEM_LE,
};

bool ir_icmp(u32 pred, u32 w, u64 a, u64 b) { return sem_icmp((SemCmp)ir_pred_cmp[pred], w, true, a, b); }

const char *const ir_rmw_name[IRRMW_COUNT] = {
	"xchg", "add",  "sub",  "and",  "nand",     "or",       "xor",       "max",       "min",       "umax",     "umin",
	"fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat",
};

const struct IrRmwForm ir_rmw_form[IRRMW_COUNT] = {
	[IRRMW_XCHG] = {TOK_op_exch, ISA_KIND_BITS},     [IRRMW_ADD] = {TOK_op_add, ISA_KIND_UINT},
	[IRRMW_AND] = {TOK_op_and, ISA_KIND_BITS},       [IRRMW_OR] = {TOK_op_or, ISA_KIND_BITS},
	[IRRMW_XOR] = {TOK_op_xor, ISA_KIND_BITS},       [IRRMW_MAX] = {TOK_op_max, ISA_KIND_SINT},
	[IRRMW_MIN] = {TOK_op_min, ISA_KIND_SINT},       [IRRMW_UMAX] = {TOK_op_max, ISA_KIND_UINT},
	[IRRMW_UMIN] = {TOK_op_min, ISA_KIND_UINT},      [IRRMW_FADD] = {TOK_op_add, ISA_KIND_FLOAT},
	[IRRMW_UINC_WRAP] = {TOK_op_inc, ISA_KIND_UINT}, [IRRMW_UDEC_WRAP] = {TOK_op_dec, ISA_KIND_UINT},
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
