/* pattern.h: patterns.def as the selector uses it. */
#ifndef PS_DAG_PATTERN_H
#define PS_DAG_PATTERN_H

#include "dag/func.h"
#include "isa/isa.h"

enum { PAT_NODES = 8, PAT_INSTS = 6, PAT_OPERANDS = 6, PAT_VARS = 8 };
enum { PAT_FTZ = 1, PAT_FUSED = 2, PAT_SPELLINGS = 4 }; /* what a function decides about a mnemonic */
enum { PAT_NOT_ASKED, PAT_THERE, PAT_LACKING };         /* does the target have the instructions? */

typedef enum PatKind { PK_NODE, PK_ANY, PK_REG, PK_IMM, PK_INT, PK_ONE, PK_TYPE } PatKind;

typedef struct PatNode {
	u8    kind;
	u8    n; /* children */
	u8    child[4];
	u8    var;    /* letter of a leaf: its place among the bindings */
	bool  shared; /* ?( */
	u16   op;
	DagVt vt;    /* 0: any */
	i64   value; /* PK_INT; PK_TYPE: the type */
} PatNode;

typedef struct PatOperand {
	u8  var; /* PAT_VARS: a literal; PAT_VARS + 1 + k: the value of instruction k */
	i64 literal;
} PatOperand;

typedef struct PatInst {
	Str        mnemonic; /* as written in the row */
	DagVt      vt;       /* of its value */
	u32        n;
	PatOperand operand[PAT_OPERANDS];
	u32        desc[PAT_SPELLINGS]; /* 0: not looked up yet */
} PatInst;

typedef struct Pattern {
	u32     row; /* of patterns.def */
	u32     score;
	DagVt   vt;
	u32     n_nodes, n_insts;
	PatNode node[PAT_NODES];
	PatInst inst[PAT_INSTS];
	Str     gate;
	u8      on_target[PAT_SPELLINGS]; /* PAT_NOT_ASKED … */
} Pattern;

/* The patterns of one root and type, the best first. */
typedef struct PatternList PatternList;
struct PatternList {
	DagVt        vt;
	u32          n;
	Pattern    **row;
	PatternList *next; /* of the same root */
};

typedef struct DagPatterns {
	Arena       *arena;
	PatternList *first[DAG_OP_COUNT]; /* those asked for so far, by root */
} DagPatterns;

void dag_patterns_init(DagModule *mod);
/* Is there a pattern for `op` with operands of any shape, whose instructions the target has and whose gates hold in `f`? */
bool dag_has_pattern(const DagFunc *f, DagOp op, DagVt vt);
/* Selects the node by the best pattern that matches; false: there is none. */
bool dag_match(DagFunc *f, u32 node);
/* Row of patterns.def, or the operation that code selected, for remarks: DagNode.pattern - 1. */
const char *dag_pattern_text(u32 row);
u32         dag_pattern_rows(void);
/* Checks the table: every row has an operation, types, gates and instructions that exist, and can be reached; else says
 * what is wrong, a line for each row. */
bool dag_patterns_check(Session *s, Arena *arena, Text *wrong);

#endif
