/* bitcode_file.c: recognises bitcode and archives, and walks over the members of an archive.
 *
 * Archives are those of ar: a magic, then members with headers of 60 bytes. Names: in the header, ended by '/' (GNU) or blanks; "/N" is at
 * offset N of the member "//"; "#1/N" (BSD): the member's first N bytes. */
#include "ir/bitcode_file.h"

enum { HEADER = 60, MAGIC = 8 };

bool ir_is_bitcode(Str s) { return s.n >= 4 && (memcmp(s.p, "BC\xC0\xDE", 4) == 0 || memcmp(s.p, "\xDE\xC0\x17\x0B", 4) == 0); }

bool ir_is_archive(Str s) { return s.n >= MAGIC && memcmp(s.p, "!<arch>\n", MAGIC) == 0; }

/* Decimal digits up to a blank; false where there is none. */
static bool decimal(const char *p, u32 n, u64 *v)
{
	u32 i = 0;
	for (*v = 0; i < n && p[i] >= '0' && p[i] <= '9'; i++)
		*v = *v * 10 + (u64)(p[i] - '0');
	return i > 0;
}

static Str trimmed(Str s)
{
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '/' || !s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The member "//", which holds long names; it is among the first. */
static Str long_names(Str archive)
{
	u64 at = MAGIC, size;
	for (u32 i = 0; i < 4 && at + HEADER <= archive.n; i++, at += HEADER + size + (size & 1)) {
		const char *h = archive.p + at;
		if (!decimal(h + 48, 10, &size) || size > archive.n - at - HEADER)
			break;
		if (h[0] == '/' && h[1] == '/')
			return (Str){h + HEADER, (u32)size};
	}
	return (Str){0};
}

static Str member_name(Str archive, const char *h, Str *bytes)
{
	u64 n;
	if (h[0] == '#' && h[1] == '1' && h[2] == '/' && decimal(h + 3, 13, &n) && n <= bytes->n) {
		Str name = {bytes->p, (u32)n};
		*bytes = (Str){bytes->p + n, bytes->n - (u32)n};
		return trimmed(name);
	}
	Str names = h[0] == '/' && decimal(h + 1, 15, &n) ? long_names(archive) : (Str){0};
	if (!names.p || n >= names.n)
		return trimmed((Str){h, 16});
	u32 end = (u32)n;
	while (end < names.n && names.p[end] != '\n')
		end++;
	return trimmed((Str){names.p + n, end - (u32)n});
}

bool ir_archive_next(Str archive, u64 *at, ArMember *member, const char **fault)
{
	for (*at = *at ? *at : MAGIC; *at < archive.n;) {
		const char *h = archive.p + *at;
		u64         size;
		if (archive.n - *at < HEADER || h[58] != '`' || h[59] != '\n' || !decimal(h + 48, 10, &size) ||
		    size > archive.n - *at - HEADER) {
			*fault = "a member's header is malformed, or its bytes are cut off";
			return false;
		}
		*at += HEADER + size + (size & 1);
		bool table = (h[0] == '/' && (h[1] == ' ' || h[1] == '/' || memcmp(h, "/SYM64/", 7) == 0));
		member->bytes = (Str){h + HEADER, (u32)size};
		member->name = member_name(archive, h, &member->bytes);
		if (!table && !str_starts(member->name, "__.SYMDEF"))
			return true;
	}
	return false;
}
