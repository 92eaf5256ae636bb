/* format.h: printf as device code calls it; the C conversions, the same text on every host. */
#ifndef PS_SIMT_FORMAT_H
#define PS_SIMT_FORMAT_H

#include "base/text.h"

/* The next argument of 4 or 8 bytes; the string at an address. */
typedef u64 (*FormatArg)(void *user, u32 bytes);
typedef Str (*FormatString)(void *user, u64 address);

/* The format has %n, which device code may not use. */
#define FORMAT_REFUSED UINT32_MAX
/* Appends; returns how many conversions there were, as vprintf on the device does; or FORMAT_REFUSED. word: bytes of a long and of a pointer. */
u32 simt_format(Text *out, Str format, FormatArg arg, FormatString string, void *user, u32 word);
/* %e, %f, %g of the bits of a double, to `precision` digits. */
void simt_format_double(Text *out, u64 bits, char conversion, u32 precision, bool alternate);

#endif
