/* rules.h: the rows of combine.def as rule_rows.c has them: lists of tokens in prefix form. A list is DagOps, each with its
 * operands behind it and T_END behind those, and the words below. */
#ifndef PS_DAG_RULES_H
#define PS_DAG_RULES_H

#include "dag/combine.h"

enum { /* tokens; below, DagOp: a node, its operands, T_END */
       T_END = 0x400,
       T_ONCE, /* before a node */
       T_HAS,  /* and a flag, before a node */
       T_NOT_CONST,
       T_X,
       T_Y,
       T_Z,
       T_P,
       T_C1,
       T_C2,
       T_ZERO,
       T_ONE,
       T_ONES,
       T_WIDTH,
       T_F0, /* five floats, in the order of float_bits */
       T_FN0,
       T_F1,
       T_FN1,
       T_F2,
       T_EVAL,   /* SemOp, two constants */
       T_LOG2,   /* a constant */
       T_AMOUNT, /* a constant */
};

typedef enum RuleIf { /* the `where` column */
	              IF_TRUE,
	              IF_C1_IS_MIN,
	              IF_C1_IS_POW2,
	              IF_C1_IS_NEG_POW2,
	              IF_C1_IN_WIDTH,
	              IF_C1_PAST_WIDTH,
	              IF_C1_BELOW_C2,
	              IF_C1_TO_C2, /* C1 <= C2 < width */
	              IF_C1_BELOW_BIT_C2,
	              IF_C1_HAS_LOW_BITS, /* bits below bit C2 */
	              IF_SUM_IN_WIDTH,
	              IF_SUM_IS_WIDTH,
	              IF_C1_IS_LAST, /* the width less 1 */
	              IF_NOT_I1,
	              IF_X_HAS_ROOT_TYPE,
} RuleIf;

typedef struct CombineRow {
	const u16   *from, *to; /* a row: the root, and what replaces it; NULL: code */
	CombineCode *code;
	u16          when;  /* WHEN_* */
	u16          keep;  /* IRF_* */
	u8           where; /* RuleIf */
} CombineRow;
extern const CombineRow combine_rows[CR_COUNT];

#endif
