/* asm.h: declarations that the files of the asm printer share. The printer writes MIR and the variables of the IR as PTX text,
 * formatted as llc formats it.
 *
 * asm_printer.c  the pass: prints each function when it is ready, and the part before the functions at the end
 * asm_global.c   variables and their initialisers
 * asm_func.c     signatures, directives, registers, blocks
 * asm_inst.c     instructions
 * asm_loc.c      lines, files; dwarf*.c: debug information entries */
#ifndef PS_PTX_ASM_H
#define PS_PTX_ASM_H

#include "ir/intrinsic.h"
#include "ir/ir.h"
#include "mir/abi.h"
#include "mir/cfg.h"
#include "mir/mir.h"

enum { ASM_COMMENT_COLUMN = 40, ASM_NUMBER_BITS = 28 };
_Static_assert(MIR_CLASSES <= 1 << (32 - ASM_NUMBER_BITS), "a class and a number fit into 32 bits");

/* A place in the text of a function that is filled in at the end: the variables only this function uses. */
typedef struct AsmHole {
	IrRef func;
	u32   at, line; /* into out, into lines */
} AsmHole;

typedef enum AsmTextureMode { ASM_NO_TEXTURES, ASM_TEXTURES_UNIFIED, ASM_TEXTURES_INDEPENDENT } AsmTextureMode;

/* What a compile unit asks for: lines for tools (-gline-directives-only), lines for the debugger, everything. */
typedef enum AsmDebug { ASM_DEBUG_NONE, ASM_DEBUG_DIRECTIVES, ASM_DEBUG_LINES, ASM_DEBUG_FULL } AsmDebug;

typedef struct AsmFile {
	StrId path;
	u32   node; /* IrMd of a DIFile */
} AsmFile;

typedef struct Asm {
	PassCx    *cx;
	Session   *s;
	Text      *out;
	VecU32    *lines; /* the origin of each line; NULL: nobody asks */
	IrModule  *ir;    /* NULL: MIR text without IR */
	MirModule *mir;
	Arena     *arena; /* until the function is printed */
	Arena      own;   /* until the module is */
	Vec(AsmHole) hole;
	u32 callseq; /* of the call being printed: numbers its prototype */

	/* of the function being printed */
	MirFunc *f;
	IrFunc  *irf;
	MirCfg  *cfg;
	Loops   *loops;
	u32     *number; /* by virtual register: its class, and in the low ASM_NUMBER_BITS its number within that */
	u32      count[MIR_CLASSES];
	u32      n_tables; /* jump tables so far in the module */
	u32      errors;   /* of this function */

	/* Whether fetches take a sampler of their own (.target …, texmode_independent): OpenCL's always do, else the first fetch of
	 * the module says. */
	AsmTextureMode texture_mode;

	Vec(AsmFile) file;        /* in the order of their numbers, from 1 */
	AsmDebug      debug;      /* the most that a compile unit wants */
	bool          has_units;  /* there are compile units at all */
	struct Dwarf *dwarf;      /* NULL: there is no debug information */
	u32           subprogram; /* IrMd: of the function being printed; 0: it has no lines */
	u32           dbg;        /* IrMd: location of the last .loc with a line, */
	u32           loc_line;   /* the line of the last one, */
	u32           loc_block;  /* and its block */
} Asm;

/* Everything printed since the last mark came from input line `origin`. */
void asm_mark(Asm *a, u32 origin);
/* Spaces up to the comment column, then `// TEXT`; no newline. */
void asm_comment(Asm *a, const char *fmt, ...) PS_PRINTF(2, 3);
Str  asm_name(const Asm *a, IrRef global);

/* asm_inst.c */
void asm_inst(Asm *a, MirInstId i);
void asm_block_label(Asm *a, MirBlockId b);

/* asm_loc.c */
AsmDebug asm_debug_of(const Asm *a, IrMd unit);
void     asm_debug_begin(Asm *a);
void     asm_debug_end(Asm *a);      /* .file directives and sections */
u32      asm_file(Asm *a, u32 file); /* the number of a DIFile */
void     asm_loc(Asm *a, MirInstId i);
void     asm_loc_behind(Asm *a, MirInstId i);
/* Label and line in front of the first block; label behind the last. */
void asm_debug_function(Asm *a);
void asm_debug_function_end(Asm *a);

/* asm_func.c */
/* `// .globl name`: in front of a function; the first one's stands above the declarations. */
void asm_function_begin(Asm *a, MirFunc *f);
void asm_function(Asm *a, MirFunc *f, bool first);
/* `.extern .func  (ret) name (params) ;` */
void asm_declaration(Asm *a, IrFunc *f);
void asm_alias_declaration(Asm *a, IrRef alias, IrFunc *aliasee);

/* asm_global.c */
void asm_globals(Asm *a);
void asm_demoted(Asm *a, IrRef var);
/* The function all of whose uses `var` serves, where that makes it a variable of that function. */
IrFunc *asm_demoted_to(Asm *a, IrRef var);

#endif
