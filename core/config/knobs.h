/* knobs.h: the knobs of knobs.def and their values in a session. */
#ifndef PS_KNOBS_H
#define PS_KNOBS_H

#include "base/arena.h"

typedef enum Knob {
	KNOB_NONE,
#define KNOB_(id, name, type, def, min, max, values, kind, group, passes, help) KNOB_##id,
#include "config/knobs.def"
	KNOB_COUNT
} Knob;

typedef enum KnobType { KNOB_BOOL, KNOB_INT, KNOB_CLAMP, KNOB_ENUM, KNOB_STRING, KNOB_LIST, KNOB_NUMBERS } KnobType;

/* exact: may never change what the program computes; quality: changes the code's cost, or its rounding
 * as the help says; debug: changes only what is printed or checked. */
typedef enum KnobKind { KNOB_EXACT, KNOB_QUALITY, KNOB_DEBUG } KnobKind;

typedef struct KnobInfo {
	const char *name;
	KnobType    type;
	i64         def;      /* bool: 0, 1, KNOB_BY_LEVEL or KNOB_AS_WRITTEN; enum: index into values */
	i64         min, max; /* int and clamp only */
	const char *values;   /* enum: names joined by '|'; string, list: the default text */
	KnobKind    kind;
	const char *group;
	const char *passes; /* pass ids joined by ' ' */
	const char *help;
} KnobInfo;

/* Default of a bool that is on at -O1 and above, off at -O0. */
#define KNOB_BY_LEVEL ((i64)-1)
/* Of a bool that the module decides where it is not set: its reader asks for knob_int. */
#define KNOB_AS_WRITTEN ((i64)-2)

typedef struct KnobSet {
	i64  value[KNOB_COUNT];
	Str  text[KNOB_COUNT]; /* string, list and numbers knobs */
	bool set[KNOB_COUNT];  /* given by the user */
} KnobSet;

struct Session;

extern const KnobInfo knob_info[KNOB_COUNT];

static inline bool knob_is_number(const KnobInfo *k) { return k->type == KNOB_INT || k->type == KNOB_CLAMP; }

Knob knob_find(Str name); /* by name or alias of the same sense */
/* The same, and aliases of the opposite sense and -no-NAME of a bool: *inverted says whether the value has to be inverted. */
Knob knob_find_spelt(Str name, bool *inverted);
/* Alias number i of the knob; NULL behind the last. */
const char *knob_alias(Knob knob, bool inverts, u32 i);
void        knobs_init(KnobSet *k);

typedef enum KnobError {
	KNOB_OK,
	KNOB_NOT_BOOL,
	KNOB_NOT_INT,
	KNOB_OUT_OF_RANGE,
	KNOB_NOT_A_VALUE,
	KNOB_NOT_NUMBERS,
	KNOB_CLAMPED
} KnobError;
/* Sets from text ("1", "true", "14", a value's name; empty for a bool means true; "opt" and "auto" for one that has that default).
 * Lists grow: each text adds its items, as with LLVM's options. KNOB_CLAMPED: set, but to the nearest number that the knob takes.
 * All other errors leave it as it was. */
KnobError knob_set(KnobSet *k, Arena *arena, Knob knob, Str text);
/* The knob's value as text, as the command line takes it. */
Str knob_text(const KnobSet *k, Arena *arena, Knob knob);

bool knob_bool(const struct Session *s, Knob knob); /* KNOB_BY_LEVEL is resolved by s->opt_level */
i64  knob_int(const struct Session *s, Knob knob);  /* int, and the index of an enum */
Str  knob_str(const struct Session *s, Knob knob);
bool knob_lists(const struct Session *s, Knob knob, Str item); /* is the item among those of a list? */
/* The number of the last NAME=NUMBER of numbers; false: there is none. */
bool knob_number_of(const struct Session *s, Knob knob, Str name, i64 *v);

#endif
