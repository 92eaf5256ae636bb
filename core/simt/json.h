/* json.h: a reader of JSON. Values are records in one array; numbers keep their text, so that 64-bit
 * integers and doubles are both exact. */
#ifndef PS_SIMT_JSON_H
#define PS_SIMT_JSON_H

#include "config/session.h"

typedef enum JsonKind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

typedef struct JsonValue {
	u8   kind;
	bool truth;
	u32  first, n;  /* array, object: children are linked by next */
	u32  next;      /* sibling; 0: none */
	Str  key, text; /* of a member; a string's contents, a number's digits */
	u32  line, col;
} JsonValue;

typedef struct Json {
	Session *s;
	Arena   *arena;
	Vec(JsonValue) v; /* [0] unused; [1] the root */
	Str  text;
	u32  at, line, line_start;
	bool failed;
} Json;

bool                           json_parse(Json *j, Session *s, Arena *arena, Str text); /* false: reported */
static inline const JsonValue *json_at(const Json *j, u32 i) { return &j->v.p[i]; }
u32                            json_member(const Json *j, u32 object, const char *key); /* 0: none */
bool json_u64(const JsonValue *v, u64 *out); /* a number or a decimal string, modulo 2^64; false: not an integer */
bool json_f64(const JsonValue *v, f64 *out); /* a number, "nan", "inf", "-inf" */
#define json_each(j, of, it) for (u32 it = json_at((j), (of))->first; it; it = json_at((j), it)->next)

#endif
