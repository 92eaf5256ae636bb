/* image.c: the PTX in an image that a program loads: text, a fatbinary, or the wrapper around one that nvcc puts into programs.
 *
 * A fatbinary is a header and entries, each a header and a payload: PTX or machine code, for one generation. The newest PTX that the
 * device may run is taken. Machine code cannot be run: without PTX the image is refused, with a line that says what to build. */
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>

#define WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC  0xba55ed50u
#define ELF_MAGIC     0x464c457fu

enum {
	WRAPPER_OF_PARTS = 2, /* its version: behind the image's address stands that of a list of others */
	KIND_PTX = 1,
	KIND_ELF = 2,
	PACKED_LZ4 = 0x2000,
	PACKED_ZSTD = 0x8000,
	/* Offsets in the header of an entry. */
	AT_HEADER_SIZE = 4,
	AT_SIZE = 8,
	AT_PACKED_SIZE = 16,
	AT_ARCH = 28,
	AT_FLAGS = 40,
	AT_PLAIN_SIZE = 56,
	ENTRY_HEADER = 64,
};

static u64 read_bytes(const u8 *p, u32 n)
{
	u64 v = 0;
	memcpy(&v, p, n);
	return v;
}

/* The text of an entry. */
static CUresult entry_text(const u8 *entry, u64 size, Ptx *out)
{
	u64       flags = read_bytes(entry + AT_FLAGS, 8), plain = read_bytes(entry + AT_PLAIN_SIZE, 8);
	u64       packed = read_bytes(entry + AT_PACKED_SIZE, 4);
	const u8 *from = entry + read_bytes(entry + AT_HEADER_SIZE, 4);
	if (!(flags & (PACKED_LZ4 | PACKED_ZSTD))) {
		const u8 *end = memchr(from, 0, (size_t)size);
		*out = (Ptx){.text = (const char *)from, .size = end ? (size_t)(end - from) : (size_t)size};
		return CUDA_SUCCESS;
	}
	if (packed > size || plain > INT32_MAX)
		return CUDA_ERROR_INVALID_IMAGE;
	char *text = malloc((size_t)plain + 1);
	if (!text)
		return CUDA_ERROR_OUT_OF_MEMORY;
	bool ok = flags & PACKED_LZ4 ? lz4_decode(from, (size_t)packed, (u8 *)text, (size_t)plain)
	                             : zstd_decode(from, (size_t)packed, (u8 *)text, (size_t)plain);
	if (!ok) {
		free(text);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	text[plain] = 0;
	*out = (Ptx){.text = text, .size = strlen(text), .own = text};
	return CUDA_SUCCESS;
}

static CUresult no_ptx(bool newer)
{
	if (newer)
		say("the image has PTX for newer devices than %s only: set PTXSCOPE_DEVICE, or build with -gencode "
		    "arch=compute_%u,code=compute_%u\n",
		    driver.target, driver.sm, driver.sm);
	else
		say("the image has machine code only; the emulator needs PTX: build with -gencode "
		    "arch=compute_%u,code=compute_%u, or with "
		    "nvcc -ptx\n",
		    driver.sm, driver.sm);
	return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/* The entry with the newest PTX that the device may run; *best NULL: there is none, *newer: but for newer devices. */
static CUresult best_entry(const u8 *p, const u8 **best, bool *newer)
{
	u64       header = read_bytes(p + 6, 2), size = read_bytes(p + 8, 8), best_arch = 0;
	const u8 *end = p + header + size;
	*best = NULL;
	*newer = false;
	if (header < 16 || size > INT32_MAX)
		return CUDA_ERROR_INVALID_IMAGE;
	for (p += header; end - p >= ENTRY_HEADER;) {
		u64 kind = read_bytes(p, 2), own = read_bytes(p + AT_HEADER_SIZE, 4), payload = read_bytes(p + AT_SIZE, 8);
		u64 arch = read_bytes(p + AT_ARCH, 4);
		if (own < ENTRY_HEADER || own > (u64)(end - p) || payload > (u64)(end - p) - own)
			return CUDA_ERROR_INVALID_IMAGE;
		if (kind == KIND_PTX && arch > driver.sm) {
			*newer = true;
		} else if (kind == KIND_PTX && (!*best || arch > best_arch)) {
			*best = p;
			best_arch = arch;
		}
		p += own + payload;
	}
	return CUDA_SUCCESS;
}

static CUresult fatbin_ptx(const u8 *p, Ptx *out)
{
	const u8 *best;
	bool      newer;
	CUresult  r = best_entry(p, &best, &newer);
	if (r != CUDA_SUCCESS)
		return r;
	return best ? entry_text(best, read_bytes(best + AT_SIZE, 8), out) : no_ptx(newer);
}

bool image_has_ptx(const void *fatbin)
{
	const u8 *best;
	bool      newer;
	return read_bytes(fatbin, 4) != FATBIN_MAGIC || best_entry(fatbin, &best, &newer) != CUDA_SUCCESS || best;
}

const void *const *image_parts(const void *image)
{
	const u8          *p = image;
	const void *const *parts = NULL;
	if (p[0] && p[1] && p[2] && p[3] && read_bytes(p, 4) == WRAPPER_MAGIC && read_bytes(p + 4, 4) == WRAPPER_OF_PARTS)
		memcpy(&parts, p + 16, sizeof parts);
	return parts && *parts ? parts : NULL;
}

CUresult image_ptx(const void *image, size_t size, Ptx *out)
{
	const u8 *p = image;
	*out = (Ptx){0};
	if (!p || (size && size < 4))
		return CUDA_ERROR_INVALID_VALUE;
	u32 magic = p[0] ? p[1] && p[2] && p[3] ? (u32)read_bytes(p, 4) : 0 : 0;
	if (magic == WRAPPER_MAGIC) {
		memcpy(&p, p + 8, sizeof p);
		if (!p)
			return CUDA_ERROR_INVALID_IMAGE;
		magic = (u32)read_bytes(p, 4);
	}
	if (magic == FATBIN_MAGIC)
		return fatbin_ptx(p, out);
	if (magic == ELF_MAGIC)
		return no_ptx(false);
	if ((p[0] < ' ' || p[0] > '~') && p[0] != '\n' && p[0] != '\t' && p[0] != '\r')
		return CUDA_ERROR_INVALID_IMAGE;
	const u8 *end = size ? memchr(p, 0, size) : NULL;
	*out = (Ptx){.text = (const char *)p, .size = end ? (size_t)(end - p) : size ? size : strlen((const char *)p)};
	return out->size <= INT32_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}
