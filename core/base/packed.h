/* packed.h: the texts of a table one behind another, so that a row keeps a place of two bytes instead of pointers.
 *
 * Pointers have to be relocated, are 8 bytes each, and are what no compressor makes shorter. One row on a line of its .def:
 *
 *     static const struct Texts {
 *     #define ROW(name, help) PACKED_MEMBER(name "\0" help)
 *     #include "rows.def"
 *     } texts = {
 *     #define ROW(name, help) name "\0" help,
 *     #include "rows.def"
 *     };
 *     static const u16 row[] = {
 *     #define ROW(name, help) PACKED_AT(struct Texts),
 *     #include "rows.def"
 *     };
 *     const char *name = packed_text(&texts, row[i]), *help = packed_next(name);  */
#ifndef PS_PACKED_H
#define PS_PACKED_H

#include "base/base.h"

#define PACKED_JOIN_(a, b)  a##b
#define PACKED_JOIN(a, b)   PACKED_JOIN_(a, b)
#define PACKED_MEMBER(text) char PACKED_JOIN(line_, __LINE__)[sizeof(text)];
#define PACKED_AT(type)     offsetof(type, PACKED_JOIN(line_, __LINE__))

static inline const char *packed_text(const void *texts, u32 at) { return (const char *)texts + at; }
static inline const char *packed_next(const char *text) { return text + strlen(text) + 1; }

#endif
