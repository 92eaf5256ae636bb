/* fmt.h: printf-like formatting that is the same on every host (no locale, no libc printf).
 *
 *   %d %i %u %x %X %o with l/ll/z   %c %s %%   %p is not offered
 *   width, precision, '-', '0' as in C; %.*s as in C
 *   %.*s with (int)str.n, str.p prints a Str
 */
#ifndef PS_FMT_H
#define PS_FMT_H

#include "base/base.h"

u32 fmt_len(const char *fmt, va_list ap);
/* Writes at most cap-1 bytes and a NUL; returns the length the whole text has. */
u32 fmt_into(char *out, u32 cap, const char *fmt, va_list ap);

#endif
