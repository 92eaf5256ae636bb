/* nvrtc.c: libnvrtc.so for programs that compile for a machine (--gpu-architecture=sm_90) and load the cubin. NVIDIA's NVRTC compiles, and
 * every call goes on to it; but where a program asks for the cubin it gets the PTX that the cubin was made of, which NVRTC has, too:
 *
 *      nvrtcGetCUBIN ──▶ nvrtcGetPTX ──▶ cuModuleLoadData, which tells PTX from a cubin by its first bytes
 *
 * NVIDIA's library is looked for where PTXSCOPE_NVRTC says, in the folders of LD_LIBRARY_PATH, in the loader's cache, and where CUDA is
 * usually installed. It is opened by its path, as the loader has this library under that name. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PS_NVRTC
#define PS_NVRTC 13
#endif
#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
#define LIBRARY  "libnvrtc.so." TEXT(PS_NVRTC)

/* nvrtcResult */
enum { SUCCESS = 0, INTERNAL_ERROR = 11 };
typedef struct NvrtcProgram *Program;

#define FORWARD(name, parameters, arguments) int name parameters;
#include "nvrtc/functions.def"
int         nvrtcGetCUBINSize(Program p, size_t *size);
int         nvrtcGetCUBIN(Program p, char *out);
const char *nvrtcGetErrorString(int result);

/* What the process has: written once, before the first call goes on. */
static struct {
	pthread_once_t once;
#define FORWARD(name, parameters, arguments) int(*name) parameters;
#include "nvrtc/functions.def"
	int (*nvrtcGetCUBINSize)(Program p, size_t *size);
	const char *(*nvrtcGetErrorString)(int result);
} nvidia = {.once = PTHREAD_ONCE_INIT};

/* NULL: there is no such library, or it is this one. */
static void *opened(const char *path)
{
	void       *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const void *f = library ? dlsym(library, "nvrtcGetCUBIN") : NULL;
	if (f && f != (const void *)(size_t)nvrtcGetCUBIN)
		return library;
	if (library)
		dlclose(library);
	return NULL;
}

static void *in_folders(const char *folders)
{
	void *library = NULL;
	while (folders && *folders && !library) {
		char   path[4096];
		size_t n = strcspn(folders, ":");
		if (n + sizeof LIBRARY + 1 < sizeof path) {
			snprintf(path, sizeof path, "%.*s/" LIBRARY, (int)n, n ? folders : ".");
			library = opened(path);
		}
		folders += n + (folders[n] == ':');
	}
	return library;
}

/* The cache holds paths, each ended by a zero. */
static void *in_cache(void)
{
	static const char name[] = "/" LIBRARY;
	FILE             *f = fopen("/etc/ld.so.cache", "rb");
	char              path[4096];
	size_t            n = 0;
	void             *library = NULL;
	for (int c; f && !library && (c = getc(f)) != EOF;) {
		path[n] = (char)c;
		if (c == 0 && n >= sizeof name && path[0] == '/' && strcmp(path + n - (sizeof name - 1), name) == 0)
			library = opened(path);
		n = c == 0 || n + 1 == sizeof path || (n == 0 && c != '/') ? 0 : n + 1;
	}
	if (f)
		fclose(f);
	return library;
}

static void find(void)
{
	const char *path = getenv("PTXSCOPE_NVRTC");
	void       *library = path && *path ? opened(path) : NULL;
	if (!library)
		library = in_folders(getenv("LD_LIBRARY_PATH"));
	if (!library)
		library = in_cache();
	if (!library)
		library = in_folders(
			"/usr/local/cuda/lib64:/opt/cuda/lib64:/usr/lib64:/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu");
	if (!library) {
		fputs("ptxscope-nvrtc: NVIDIA's " LIBRARY
		      " is not here, which compiles for this one: set PTXSCOPE_NVRTC to its path\n",
		      stderr);
		return;
	}
#define FIND(name)                           *(void **)&nvidia.name = dlsym(library, #name);
#define FORWARD(name, parameters, arguments) FIND(name)
#include "nvrtc/functions.def"
	FIND(nvrtcGetCUBINSize)
	FIND(nvrtcGetErrorString)
}

#define CALL(name, arguments) (pthread_once(&nvidia.once, find), nvidia.name ? nvidia.name arguments : INTERNAL_ERROR)

#define FORWARD(name, parameters, arguments) \
	int name parameters { return CALL(name, arguments); }
#include "nvrtc/functions.def"

/* None where the program was compiled for a virtual architecture. */
int nvrtcGetCUBINSize(Program p, size_t *size)
{
	int result = CALL(nvrtcGetCUBINSize, (p, size));
	return result == SUCCESS && *size > 0 ? nvrtcGetPTXSize(p, size) : result;
}

int nvrtcGetCUBIN(Program p, char *out)
{
	size_t size = 0;
	int    result = nvrtcGetCUBINSize(p, &size);
	return result == SUCCESS && size > 0 ? nvrtcGetPTX(p, out) : result;
}

const char *nvrtcGetErrorString(int result)
{
	pthread_once(&nvidia.once, find);
	return nvidia.nvrtcGetErrorString ? nvidia.nvrtcGetErrorString(result) : "NVRTC is not here";
}
