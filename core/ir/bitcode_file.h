/* bitcode_file.h: what a file that may hold bitcode is: by its first bytes. */
#ifndef PS_IR_BITCODE_FILE_H
#define PS_IR_BITCODE_FILE_H

#include "base/base.h"

/* Does the file begin as bitcode, as bitcode in a wrapper, or as an archive? */
bool ir_is_bitcode(Str bytes);
bool ir_is_archive(Str bytes);

/* The next member of an archive; *at is 0 for the first. False: there is none, or, with *fault, the archive is malformed. Tables of
 * symbols and of names are passed over. */
typedef struct ArMember {
	Str name, bytes;
} ArMember;
bool ir_archive_next(Str archive, u64 *at, ArMember *member, const char **fault);

#endif
