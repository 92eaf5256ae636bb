/* outliner.h: what the two files of machine-outliner share: machine_outliner.c finds sequences, outline.c makes the stubs. */
#ifndef PS_MIRPASS_OUTLINER_H
#define PS_MIRPASS_OUTLINER_H

#include "mirpass/mirpass.h"

enum { OUTLINE_MOST_LENGTH = 128, OUTLINE_MOST_REGS = 512, OUTLINE_MOST_INPUTS = 16 };
#define OUTLINE_NONE UINT32_MAX

/* The registers of one occurrence of a sequence, numbered by their first operands; inputs among them in that order. */
typedef struct OutlineNames {
	u32 n, n_in;
	u32 reg[OUTLINE_MOST_REGS];  /* by number: MirReg */
	u32 in[OUTLINE_MOST_INPUTS]; /* numbers of registers that are read before the sequence writes them */
	u32 out;                     /* the number of the one that it writes and that others read; OUTLINE_NONE: none */
	u64 hash;                    /* of the numbers along the operands */
} OutlineNames;

/* A place of a sequence. */
typedef struct OutlinePlace {
	MirFunc  *f;
	MirInstId first;
} OutlinePlace;

/* A sequence of instructions with no others in between. */
typedef struct OutlineStub {
	PassCx      *cx;
	OutlinePlace like;   /* an occurrence */
	u32          length; /* instructions */
	u32          out;    /* in the numbers of `names` */
	OutlineNames names;  /* of the occurrence */
	StrId        name;
} OutlineStub;

/* OUTLINED_FUNCTION_n: its signature in IR, and its machine code, the last function of the module. */
void outline_make_stub(OutlineStub *stub, u32 *number);
/* The instructions of an occurrence become a call of the stub. */
void outline_call(const OutlineStub *stub, OutlinePlace at, const OutlineNames *names, u32 callseq);

#endif
