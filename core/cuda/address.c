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

/* Private tables of functions, each beginning with its size. NVRTC looks whether one is long enough for what it wants, without looking
 * whether there is one: it gets one with nothing behind its size. NVIDIA's runtime, which is part of cuBLAS and its kin and of programs
 * that are linked with it, calls what its tables have without looking, and returns an error where there is no table. It asks for these
 * three (measured on those of CUDA 13). */
static CUresult export_table(const void **out, const CUuuid *id)
{
	static const u8 runtime[][16] = {
		{0xf8, 0xcf, 0xf9, 0x51, 0x21, 0x46, 0x8b, 0x4e, 0xb9, 0xe2, 0xfb, 0x46, 0x9e, 0x7c, 0x0d, 0xd9},
		{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9},
		{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66},
	};
	static const size_t empty[1] = {sizeof(size_t)};
	if (!out || !id)
		return CUDA_ERROR_INVALID_VALUE;
	for (u32 i = 0; i < PS_COUNT(runtime); i++) {
		if (memcmp(id, runtime[i], sizeof runtime[i]) != 0)
			continue;
		*out = NULL;
		unsupported("NVIDIA's own runtime, in this program (build it with nvcc -cudart=shared) or in a library (cuBLAS, "
		            "cuFFT),");
		return CUDA_ERROR_NOT_FOUND;
	}
	*out = empty;
	return CUDA_SUCCESS;
}

CUresult cuGetExportTable(const void **out, const CUuuid *id) { DRIVER_CALL(ANYWHERE, export_table(out, id)); }
