/* target.c: names of targets and PTX versions, checked against targets.def. */
#include "config/session.h"

typedef struct Row {
	u32  sm;
	char variant;
	u32  ptx;
} Row;

enum { LETTER_a = 'a', LETTER_f = 'f' };

static const Row rows[] = {
#define SM(number, ptx, what)           {number, 0, ptx},
#define SM_VARIANT(number, letter, ptx) {number, LETTER_##letter, ptx},
#define PTX(version)
#include "config/targets.def"
};

static const u32 versions[] = {
#define SM(number, ptx, what)
#define SM_VARIANT(number, letter, ptx)
#define PTX(version) version,
#include "config/targets.def"
};

bool target_variant_at(u32 i, u32 *sm, char *variant)
{
	for (u32 k = 0; k < PS_COUNT(rows); k++)
		if (rows[k].variant && !i--) {
			*sm = rows[k].sm;
			*variant = rows[k].variant;
			return true;
		}
	return false;
}

u32 target_default_ptx(u32 sm, char variant)
{
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (rows[i].sm == sm && rows[i].variant == variant)
			return rows[i].ptx;
	return 0;
}

bool target_set_cpu(Target *t, Str name, bool ptx_chosen)
{
	char buf[16];
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		if (!str_is(name, target_cpu_at(i, buf)))
			continue;
		t->sm = rows[i].sm;
		t->variant = rows[i].variant;
		if (!ptx_chosen)
			t->ptx = rows[i].ptx;
		return true;
	}
	return false;
}

bool target_set_ptx(Target *t, u32 version)
{
	for (u32 i = 0; i < PS_COUNT(versions); i++)
		if (versions[i] == version)
			return t->ptx = version, true;
	return false;
}

const char *target_cpu_name(const Target *t, char *buf)
{
	char *p = buf;
	memcpy(p, "sm_", 3), p += 3;
	if (t->sm >= 100)
		*p++ = (char)('0' + t->sm / 100);
	*p++ = (char)('0' + t->sm / 10 % 10);
	*p++ = (char)('0' + t->sm % 10);
	if (t->variant)
		*p++ = t->variant;
	*p = 0;
	return buf;
}

const char *target_ptx_name(const Target *t, char *buf)
{
	Target named = *t;
	if (t->sm == 101 && t->ptx >= 90)
		named.sm = 110;
	return target_cpu_name(&named, buf);
}

const char *target_cpu_at(u32 i, char *buf)
{
	if (i >= PS_COUNT(rows))
		return NULL;
	return target_cpu_name(&(Target){.sm = rows[i].sm, .variant = rows[i].variant}, buf);
}
