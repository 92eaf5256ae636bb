/* rule_rows.c: the rows of combine.def as lists of tokens in prefix form, which the preprocessor makes: what to match and what
 * to make of it. rules.c applies them, tests/unit/combine.c builds their left sides and executes them. */
#include "dag/rules.h"

#define SCALAR         WHEN_SCALAR
#define W64            WHEN_W64
#define EARLY          WHEN_EARLY
#define LATE           WHEN_LATE
#define OPT            WHEN_OPT
#define I1             WHEN_I1
#define I32            WHEN_I32
#define I32_64         WHEN_I32_64
#define ROTATES        WHEN_ROTATES
#define NSZ            WHEN_NSZ
#define NARROW         WHEN_NARROW
#define ROOT(op, ...)  DAG_##op, __VA_ARGS__, T_END
#define N(op, ...)     DAG_##op, __VA_ARGS__, T_END
#define ONCE(...)      T_ONCE, __VA_ARGS__
#define HAS(flag, ...) T_HAS, IRF_##flag, __VA_ARGS__
#define V(x)           T_NOT_CONST, x
#define X              T_X
#define Y              T_Y
#define Z              T_Z
#define P              T_P
#define C1             T_C1
#define C2             T_C2
#define ZERO           T_ZERO
#define ONE            T_ONE
#define ONES           T_ONES
#define WIDTH          T_WIDTH
#define F0             T_F0
#define FN0            T_FN0
#define F1             T_F1
#define FN1            T_FN1
#define F2             T_F2
#define A(...)         T_AMOUNT, __VA_ARGS__
#define E(op, ...)     T_EVAL, SEM_OP_##op, __VA_ARGS__
#define LOG2(...)      T_LOG2, __VA_ARGS__

#define RULE(id, from, to, when, where, keep)  \
	static const u16 from_##id[] = {from}; \
	static const u16 to_##id[] = {to};
#include "dag/combine.def"

const CombineRow combine_rows[CR_COUNT] = {
#define RULE(id, f, t, w, i, k) [CR_##id] = {from_##id, to_##id, NULL, w, k, IF_##i},
#define CODE(id, fn, f, s, w)   [CR_##id] = {.code = fn, .when = w},
#include "dag/combine.def"
};

const char *const combine_rule_name[CR_COUNT] = {
	[CR_NONE] = "none",
#define RULE(id, f, t, w, i, k) [CR_##id] = #id,
#define CODE(id, fn, f, s, w)   [CR_##id] = #id,
#include "dag/combine.def"
};
