/* device.c: cuInit, versions, results in words, devices and their attributes.
 *
 * PTXSCOPE_DEVICE=sm_90 names the generation, PTXSCOPE_DEVICES=2 says how many there are, PTXSCOPE_MEMORY=BYTES how much memory each
 * has, PTXSCOPE_SANITIZE=init,race which sanitizers watch launches, PTXSCOPE_JOBS=4 how many threads execute the blocks of one,
 * PTXSCOPE_JOBS_AFTER=N how many warp instructions of it before there is more than one. */
#include "cuda/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUDA_VERSION = 13000 };

static const struct {
	CUresult    result;
	const char *name, *text;
} results[] = {
#define RESULT(id, number, text) {id, #id, text},
#include "cuda/results.def"
};

static CUresult result_text(CUresult r, const char **name, const char **text)
{
	const char **out = name ? name : text;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = NULL;
	for (u32 i = 0; i < PS_COUNT(results); i++)
		if (results[i].result == r)
			*out = name ? results[i].name : results[i].text;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **text) { return result_text(error, text, NULL); }
CUresult cuGetErrorString(CUresult error, const char **text) { return result_text(error, NULL, text); }

static u64 number_of(const char *name, u64 absent, u64 most)
{
	const char *text = getenv(name);
	u64         v = 0;
	if (!text || !*text)
		return absent;
	for (; *text >= '0' && *text <= '9' && v <= most / 10; text++)
		v = 10 * v + (u64)(*text - '0');
	if (*text || v == 0 || v > most) {
		say("%s is a number from 1 to %llu\n", name, (unsigned long long)most);
		return absent;
	}
	return v;
}

static void choose_target(void)
{
	const char *text = getenv("PTXSCOPE_DEVICE");
	unsigned    sm = 0;
	if (text && strncmp(text, "sm_", 3) == 0)
		for (const char *p = text + 3; *p >= '0' && *p <= '9' && sm < 1000; p++)
			sm = 10 * sm + (unsigned)(*p - '0');
	if (text && *text && (sm < 20 || sm > 999))
		say("PTXSCOPE_DEVICE is a target such as sm_90\n");
	driver.sm = sm < 20 || sm > 999 ? 90 : sm;
	snprintf(driver.target, sizeof driver.target, "sm_%u", driver.sm);
}

static CUresult init(unsigned flags)
{
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (driver.ready)
		return CUDA_SUCCESS;
	choose_target();
	driver.n_devices = (int)number_of("PTXSCOPE_DEVICES", 1, MOST_DEVICES);
	driver.memory = number_of("PTXSCOPE_MEMORY", (u64)8 << 30, (u64)1 << 46);
	driver.sanitize = getenv("PTXSCOPE_SANITIZE");
	driver.jobs = (unsigned)number_of("PTXSCOPE_JOBS", 1, 64);
	driver.jobs_after = number_of("PTXSCOPE_JOBS_AFTER", 0, UINT32_MAX);
	driver.ready = true;
	return CUDA_SUCCESS;
}

CUresult cuInit(unsigned flags) { DRIVER_CALL(ANYWHERE, init(flags)); }

static CUresult set_int(int *out, int v)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = v;
	return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) { DRIVER_CALL(ANYWHERE, set_int(version, CUDA_VERSION)); }

/* ---- devices */

static bool is_device(CUdevice d) { return d >= 0 && d < driver.n_devices; }

CUresult cuDeviceGetCount(int *out) { DRIVER_CALL(ON_DEVICE, set_int(out, driver.n_devices)); }
CUresult cuDeviceGet(CUdevice *out, int ordinal)
{
	DRIVER_CALL(ON_DEVICE, !out                  ? CUDA_ERROR_INVALID_VALUE
	                       : !is_device(ordinal) ? CUDA_ERROR_INVALID_DEVICE
	                                             : set_int(out, ordinal));
}

static CUresult name(char *out, int size, CUdevice d)
{
	if (!out || size <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_device(d))
		return CUDA_ERROR_INVALID_DEVICE;
	snprintf(out, (size_t)size, "ptxscope emulator (%s)", driver.target);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *out, int size, CUdevice d) { DRIVER_CALL(ON_DEVICE, name(out, size, d)); }

static CUresult uuid(CUuuid *out, CUdevice d)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_device(d))
		return CUDA_ERROR_INVALID_DEVICE;
	memcpy(out->bytes, "ptxscope-device", 15);
	out->bytes[15] = (char)d;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *out, CUdevice d) { DRIVER_CALL(ON_DEVICE, uuid(out, d)); }
CUresult cuDeviceGetUuid_v2(CUuuid *out, CUdevice d) { DRIVER_CALL(ON_DEVICE, uuid(out, d)); }

static CUresult total_memory(size_t *out, CUdevice d)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_device(d))
		return CUDA_ERROR_INVALID_DEVICE;
	*out = (size_t)driver.memory;
	return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *out, CUdevice d) { DRIVER_CALL(ON_DEVICE, total_memory(out, d)); }

static CUresult bus_id(char *out, int size, CUdevice d)
{
	if (!out || size < 13)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_device(d))
		return CUDA_ERROR_INVALID_DEVICE;
	snprintf(out, (size_t)size, "0000:%02X:00.0", ((unsigned)d + 1) & 0xff);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *out, int size, CUdevice d) { DRIVER_CALL(ON_DEVICE, bus_id(out, size, d)); }

static CUresult by_bus_id(CUdevice *out, const char *id)
{
	char own[24];
	if (!out || !id)
		return CUDA_ERROR_INVALID_VALUE;
	for (CUdevice d = 0; d < driver.n_devices; d++)
		if (bus_id(own, sizeof own, d) == CUDA_SUCCESS && strcmp(own, id) == 0)
			return set_int(out, d);
	return CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *out, const char *id) { DRIVER_CALL(ON_DEVICE, by_bus_id(out, id)); }

static CUresult compute_capability(int *major, int *minor, CUdevice d)
{
	if (!is_device(d))
		return CUDA_ERROR_INVALID_DEVICE;
	CUresult r = set_int(major, (int)driver.sm / 10);
	return r == CUDA_SUCCESS ? set_int(minor, (int)driver.sm % 10) : r;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice d)
{
	DRIVER_CALL(ON_DEVICE, compute_capability(major, minor, d));
}

static CUresult attribute(int *out, int a, CUdevice d)
{
	static const struct {
		int number, value;
	} rows[] = {
#define ATTRIBUTE(number, value, name) {number, value},
#include "cuda/attributes.def"
	};
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_device(d))
		return CUDA_ERROR_INVALID_DEVICE;
	if (a == 75 || a == 76) /* compute capability: major, minor */
		return set_int(out, (int)(a == 75 ? driver.sm / 10 : driver.sm % 10));
	if (a == 33) /* PCI bus */
		return set_int(out, d + 1);
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (rows[i].number == a)
			return set_int(out, rows[i].value);
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetAttribute(int *out, int a, CUdevice d) { DRIVER_CALL(ON_DEVICE, attribute(out, a, d)); }

CUresult cuDeviceCanAccessPeer(int *out, CUdevice d, CUdevice peer)
{
	DRIVER_CALL(ON_DEVICE, is_device(d) && is_device(peer) ? set_int(out, d != peer) : CUDA_ERROR_INVALID_DEVICE);
}

/* 1 performance rank, 2 access, 3 native atomics, 4 access to arrays. */
static CUresult peer_attribute(int *out, int a, CUdevice from, CUdevice to)
{
	if (!is_device(from) || !is_device(to) || from == to)
		return CUDA_ERROR_INVALID_DEVICE;
	return a < 1 || a > 4 ? CUDA_ERROR_INVALID_VALUE : set_int(out, a == 2 || a == 3);
}

CUresult cuDeviceGetP2PAttribute(int *out, int a, CUdevice from, CUdevice to)
{
	DRIVER_CALL(ON_DEVICE, peer_attribute(out, a, from, to));
}
