/* strtab.h: interned strings. Equal text has an equal id; id 0 is the empty string. */
#ifndef PS_STRTAB_H
#define PS_STRTAB_H

#include "base/arena.h"

typedef struct StrId {
	u32 i;
} StrId;

typedef struct StrtabSlot {
	u32 hash;
	u32 id; /* 0: empty */
} StrtabSlot;

enum { STRTAB_RECENT = 1024 };

typedef struct Strtab {
	Arena      *arena;
	Str        *str;  /* by id */
	u32         n, cap;
	StrtabSlot *slot; /* open addressing, linear */
	u32         mask;
	StrtabSlot  recent[STRTAB_RECENT]; /* by hash: ids seen lately. Names are used near where they are defined; most of the table is in no cache */
} Strtab;

void  strtab_init(Strtab *t, Arena *arena);
StrId strtab_add(Strtab *t, Str s);          /* copies the bytes on first sight */
StrId strtab_find(const Strtab *t, Str s);   /* 0 where it was never added */
static inline Str strtab_get(const Strtab *t, StrId id) { return t->str[id.i]; } /* NUL-terminated */

#endif
