/* address.c: cuGetProcAddress, and the functions that are not there. */
#include "cuda/state.h"

#include <string.h>

#define FUNCTION(name, function, version, suffix)
#define MISSING(name, function, version, suffix) \
	CUresult function(void);                 \
	CUresult function(void) { DRIVER_CALL(ANYWHERE, unsupported(#function)); }
#include "cuda/functions.def"

typedef struct Row {
	const char *name;
	void (*function)(void);
	int version;
} Row;

/* Rows of one name stand together, the oldest first. */
static const Row rows[] = {
#define FUNCTION(name, function, version, suffix) {#name, (void (*)(void))(function), version},
#define MISSING(name, function, version, suffix)
#include "cuda/functions.def"
#define FUNCTION(name, function, version, suffix)
#define MISSING(name, function, version, suffix) {#name, (void (*)(void))(function), version},
#include "cuda/functions.def"
};

enum { FOUND, NOT_FOUND, TOO_OLD };

/* The newest function that the name means in that version. */
static CUresult find(const char *name, void **out, int version, uint64_t flags, int *status)
{
	int  how = NOT_FOUND, best = -1;
	char plain[64];
	if (!name || !out || flags > 2 || version <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	*out = NULL;
	size_t n = strlen(name);
	if (n > 5 && n < sizeof plain && (strcmp(name + n - 5, "_ptds") == 0 || strcmp(name + n - 5, "_ptsz") == 0)) {
		memcpy(plain, name, n - 5);
		plain[n - 5] = 0;
		name = plain;
	}
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		how = best < 0 && rows[i].version > version ? TOO_OLD : FOUND;
		if (rows[i].version <= version && rows[i].version > best) {
			best = rows[i].version;
			memcpy(out, &rows[i].function, sizeof *out);
		}
	}
	if (status)
		*status = how;
	return how == FOUND || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status)
{
	DRIVER_CALL(ANYWHERE, find(name, out, version, flags, status));
}
CUresult cuGetProcAddress(const char *name, void **out, int version, uint64_t flags)
{
	DRIVER_CALL(ANYWHERE, find(name, out, version, flags, NULL));
}

/* Private tables of functions, each beginning with its size: NVRTC looks whether one is long enough for what it wants, without looking
 * whether there is one. This one has nothing behind its size. */
static CUresult export_table(const void **out, const CUuuid *id)
{
	static const size_t empty[1] = {sizeof(size_t)};
	if (!out || !id)
		return CUDA_ERROR_INVALID_VALUE;
	*out = empty;
	return CUDA_SUCCESS;
}

CUresult cuGetExportTable(const void **out, const CUuuid *id) { DRIVER_CALL(ANYWHERE, export_table(out, id)); }
