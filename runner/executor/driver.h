/* driver.h: CUDA's driver API, taken from the library at run time, so that no toolkit is needed to build.
 *
 * Names, numbers and layouts are those that NVIDIA documents for 64-bit hosts. Handles are opaque. */
#ifndef RUNNER_DRIVER_H
#define RUNNER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CUDA_NOT_SUPPORTED = 801 };

enum { JIT_INFO_LOG = 3, JIT_INFO_LOG_BYTES = 4, JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6 };

enum { FUNC_MAX_THREADS = 0, FUNC_SHARED_BYTES, FUNC_CONST_BYTES, FUNC_LOCAL_BYTES, FUNC_REGISTERS, FUNC_MAX_DYNAMIC_SHARED = 8 };

enum {
	DEVICE_WARP = 10,
	DEVICE_CLOCK_KHZ = 13,
	DEVICE_PROCESSORS = 16,
	DEVICE_MEMORY_CLOCK_KHZ = 36,
	DEVICE_THREADS_PER_PROCESSOR = 39,
	DEVICE_MAJOR = 75,
	DEVICE_MINOR = 76,
};

enum { LAUNCH_END = 0, LAUNCH_BUFFER = 1, LAUNCH_BUFFER_BYTES = 2 };

typedef struct ArrayDescriptor {
	size_t   width, height, depth;
	unsigned format, channels, flags;
} ArrayDescriptor;
enum { ARRAY_SURFACE = 2 };

enum { MEMORY_HOST = 1, MEMORY_DEVICE, MEMORY_ARRAY };

/* One side of a copy. */
typedef struct CopySide {
	size_t   x, y, z, lod;
	unsigned type;
	void    *host;
	uint64_t device;
	void    *array;
	void    *reserved;
	size_t   pitch, height;
} CopySide;

typedef struct CopyBox {
	CopySide from, to;
	size_t   width, height, depth;
} CopyBox;

typedef struct ResourceDescriptor {
	unsigned kind; /* 0: an array */
	union {
		void *array;
		int   reserved[32];
	} of;
	unsigned flags;
} ResourceDescriptor;

enum { TEXTURE_AS_INTEGER = 1, TEXTURE_NORMALIZED = 2 };

typedef struct TextureDescriptor {
	unsigned address[3], filter, flags, anisotropy, mipmap_filter;
	float    mipmap_bias, mipmap_min, mipmap_max, border[4];
	int      reserved[12];
} TextureDescriptor;

typedef struct Driver {
#define DRIVER(name, symbol, parameters)   int(*name) parameters;
#define OPTIONAL(name, symbol, parameters) int(*name) parameters;
#include "driver.def"
} Driver;

/* Loads `file`; NULL, or what is missing (static text, or dlerror's). */
const char *driver_load(Driver *d, const char *file);

/* "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"; never NULL. */
const char *driver_error_name(const Driver *d, int result);
const char *driver_error_text(const Driver *d, int result);

#endif
