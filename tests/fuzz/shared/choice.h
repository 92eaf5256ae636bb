/* choice.h: decisions of a generator, made by a fuzzer's bytes: the fuzzer that changes a byte changes one decision. When
 * the bytes are used up every decision is the first of its alternatives, so that whatever is generated ends. */
#ifndef PS_FUZZ_CHOICE_H
#define PS_FUZZ_CHOICE_H

#include "base/text.h"

typedef struct Choice {
	const u8 *p;
	size_t    n;
} Choice;

u32 choose(Choice *c, u32 n);       /* below n */
u64 choose_number(Choice *c);       /* any, those around powers of two more often */
i32 choose_small(Choice *c);        /* -128 .. 127 */
u64 choose_size(Choice *c, u32 at); /* seldom any number; else below `at` */

static inline bool chance(Choice *c, u32 n) { return choose(c, n) == n - 1; } /* one in n */
#define one_of(c, list) ((list)[choose((c), (u32)(sizeof(list) / sizeof *(list)))])

#endif
