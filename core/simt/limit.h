/* limit.h: the emulator's limits (limits.def) and their diagnostic. */
#ifndef PS_SIMT_LIMIT_H
#define PS_SIMT_LIMIT_H

#include "base/checked.h"
#include "config/session.h"

typedef enum SimtLimit {
#define LIMIT(id, most, what) SIMT_LIMIT_##id,
#include "simt/limits.def"
	SIMT_LIMIT_COUNT
} SimtLimit;

enum {
#define LIMIT(id, most, what) MOST_##id = (most),
#include "simt/limits.def"
};

u64 simt_limit(SimtLimit l);
/* Does the limit allow `wanted`? If not, the error says who wants it; `line` 0: it has no line. */
bool simt_within(Session *s, SimtLimit l, u64 wanted, Str who, u32 line);
/* The limit in words, for faults and for errors that have a column: "524288 bytes of local memory for a thread". */
Str simt_limit_text(Arena *a, SimtLimit l);

#endif
