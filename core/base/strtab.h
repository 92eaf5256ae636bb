/* strtab.h: interned strings. Equal text has an equal id; id 0 is the empty string. */
#ifndef PS_STRTAB_H
#define PS_STRTAB_H

#include "base/pages.h"

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
	Pages       str;    /* Str by id */
	Arena       memory; /* of slot: given back when it grows */
	StrtabSlot *slot;   /* open addressing, linear */
	u32         mask;
	StrtabSlot  recent
		[STRTAB_RECENT]; /* by hash: ids seen lately. Names are used near where they are defined; most of the table is in no cache */
} Strtab;

void              strtab_init(Strtab *t, Arena *arena);
StrId             strtab_add(Strtab *t, Str s);        /* copies the bytes on first sight */
StrId             strtab_find(const Strtab *t, Str s); /* 0 where it was never added */
static inline Str strtab_get(const Strtab *t, StrId id) { return *pages_of(&t->str, Str, id.i); } /* NUL-terminated */
static inline u32 strtab_count(const Strtab *t) { return t->str.n; }                              /* ids are smaller */

#endif
