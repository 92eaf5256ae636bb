/* What a program of Csmith needs, without a C library: the same on the CPU and on the GPU. Every checksum on the way is kept,
 * so that the first one that differs tells the variable. */
#include <float.h>
#include <limits.h>
#include <stdint.h>

#define STATIC       static
#define UNDEFINED(x) (x)
#define FUNC_NAME(x) (safe_##x)
#define assert(x)    ((void)0)
#define fabs         __builtin_fabs
#define fabsf        __builtin_fabsf
#define ldexp        __builtin_ldexp
#define ldexpf       __builtin_ldexpf
#define printf(...)  ((void)0)
#define LOG_INDEX
#define LOG_EXEC
#include <safe_math.h>

#define KEPT 4000
static uint32_t *kept; /* [0]: how many, then the checksums */
static uint32_t  crc32_context, crc32_table[256];

static void crc32_gentab(void)
{
	crc32_context = 0xFFFFFFFFu;
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
		crc32_table[i] = c;
	}
}

static void transparent_crc(uint64_t value, const char *name, int print)
{
	(void)name;
	(void)print;
	for (int i = 0; i < 8; i++, value >>= 8)
		crc32_context = crc32_context >> 8 ^ crc32_table[(crc32_context ^ value) & 0xFF];
	kept[1 + kept[0]++ % KEPT] = crc32_context;
}

static void transparent_crc_bytes(char *bytes, int n, const char *name, int print)
{
	for (int i = 0; i < n; i++)
		transparent_crc((uint8_t)bytes[i], name, print);
}

#define platform_main_begin()        ((void)0)
#define platform_main_end(crc, flag) ((void)0)
#define main                         csmith_main
