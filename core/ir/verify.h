/* verify.h: the verifier's state. verify.c: modules, functions, control flow, dominance;
 * verify_inst.c: the rules of each instruction; verify_intrinsic.c: of llvm.*. */
#ifndef PS_IR_VERIFY_H
#define PS_IR_VERIFY_H

#include "base/map.h"
#include "graph/dom.h"
#include "ir/ir_forms.h"
#include "ir/internal.h"
#include "ir/intrinsic.h"

/* Of a block, while the phis of one block are looked at. */
typedef struct PhiEntry {
	u32   block, phi; /* IrRef.i: an edge goes from it to this block; this phi has an entry for it */
	IrRef value;
} PhiEntry;

/* A call of a function that was found good. Another one of the same is good as well, where no rule looks at its arguments. */
typedef struct GoodCall {
	IrRef   callee;
	IrType  type;
	IrAttrs fn, ret;
	u32     call;  /* its IrCall, which those may share whose words are the same, */
	IrFunc *where; /* in one body */
} GoodCall;
enum { GOOD_CALLS = 128 };

typedef struct Verifier {
	IrModule *m;
	Arena     scratch;
	IrFunc   *f;
	VecU32    preds;
	DomTree   dom;
	bool      has_dom;
	PhiEntry *phi_entries; /* by the blocks' marks; NULL until a phi is met */
	IrType    caught;      /* of the landing pads and resumes of the function; none: there was none so far */
	Map       fields;      /* (node, field) → what it holds */
	Vec(u8) good_sets;     /* by set of attributes: the places where it was found good as a function's: verify_attr.c */
	u32      order;        /* the mark of the instruction that is looked at: later ones of its block have greater marks */
	u32      failures;
	bool     unlisted; /* values have no lists of uses: a rule about uses fails, and the whole module is read then */
	GoodCall good_calls[GOOD_CALLS]; /* by the low bits of the callee */
} Verifier;

/* Reports that a rule does not hold; always returns false. */
bool irv_inst(Verifier *v, IrRef inst, const char *fmt, ...) PS_PRINTF(3, 4) PS_COLD;
bool irv_global(Verifier *v, IrRef g, const char *fmt, ...) PS_PRINTF(3, 4) PS_COLD;
Str  irv_type(Verifier *v, IrType t);
Str  irv_tokens(Verifier *v, IrType t); /* "tokens", or the type that is like them */

/* The instruction by itself: types of operands and result, flags, orderings. */
bool irv_check_inst(Verifier *v, IrRef inst);
/* All those of the body that was just read, the order of whose values is good: without the rules that a reader sees to itself. */
bool irv_check_read_insts(Verifier *v);
/* Variables, aliases, ifuncs, and what all globals share: verify_global.c. */
bool irv_check_variable(Verifier *v, IrRef g);
bool irv_check_alias(Verifier *v, IrRef g);
bool irv_check_ifunc(Verifier *v, IrRef g);
bool irv_check_linkage(Verifier *v, IrRef g, bool defined);
/* Attributes against types and each other: verify_attr.c. */
bool irv_cc_has_calls(u32 cc); /* Are there calls of this convention? */
bool irv_check_func_attrs(Verifier *v, const IrFunc *f);
bool irv_check_call_attrs(Verifier *v, IrRef call);
bool irv_swifterror_uses(const Verifier *v, IrRef slot);
/* Pads and what leaves them; then, where all of a body is good, where its unwind edges go: verify_eh.c. */
bool irv_check_landingpad(Verifier *v, IrRef inst, const IrInst *i);
bool irv_check_resume(Verifier *v, IrRef inst, const IrInst *i);
bool irv_check_funclet(Verifier *v, IrRef inst, const IrInst *i);
bool irv_check_unwinding(Verifier *v);
/* A call of inline assembly against its constraints: verify_asm.c. */
bool irv_check_asm(Verifier *v, IrRef call);
/* Attachments of an instruction; module flags and the like, fields of nodes: verify_md.c. */
bool irv_check_attachments(Verifier *v, IrRef inst);
bool irv_check_global_attachments(Verifier *v, IrRef g);
void irv_check_named_md(Verifier *v);
/* Reports that metadata breaks a rule; always returns false. */
bool irv_md(Verifier *v, u32 line, const char *name, const char *fmt, ...) PS_PRINTF(4, 5);
/* Fields of specialised nodes that have not been checked: verify_di.c. */
void irv_check_nodes(Verifier *v);
bool irv_is_definition(const Verifier *v, IrMd subprogram);
/* What nodes of debug information that stay say of each other: verify_debug.c. */
void irv_check_debug(Verifier *v);
/* Intrinsics: verify_intrinsic.c. A declaration that is used, and a call. */
bool irv_check_intrinsic(Verifier *v, IrFunc *f);
bool irv_check_intrinsic_call(Verifier *v, IrRef call, IrFunc *f);
bool irv_looks_at_arguments(const Verifier *v, const IrFunc *f); /* does a rule of the intrinsic's? */
/* What surrounds a call of an intrinsic: verify_call.c. */
typedef enum IrvSurroundings {
	IRV_THREAD_LOCAL,
	IRV_ESCAPE,
	IRV_RECOVER,
	IRV_DEOPT,
	IRV_DEOPTIMIZE,
	IRV_COLLECTED,
	IRV_ROOT,
	IRV_STATEPOINT,
	IRV_RESULT,
	IRV_RELOCATE,
	IRV_AREA,
	IRV_TEXT,
	IRV_POINTEE,
} IrvSurroundings;
bool irv_check_exclusive(Verifier *v, IrRef call, Str name); /* accesses of other targets that say what is at their address */
bool irv_check_surroundings(Verifier *v, IrRef call, IrvSurroundings what);
static inline bool irv_is_intrinsic_name(const IrModule *m, StrId name) { return str_starts(ir_str(m, name), "llvm."); }

#endif
