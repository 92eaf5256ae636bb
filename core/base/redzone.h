/* redzone.h: what AddressSanitizer is told about memory that this program divides itself.
 *
 * ASan knows the ends of malloc's blocks. Arenas and the emulator cut many objects from one such block; in builds under
 * ASan they mark as poisoned what belongs to none of them (the bytes between allocations, what was freed, the tails of
 * size classes), so that an access there is reported where it happens. Poisoned memory is unpoisoned before it is given
 * back to the host. In other builds all of this is nothing. */
#ifndef PS_REDZONE_H
#define PS_REDZONE_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define PS_ASAN 1
#endif

#ifdef PS_ASAN
#include <sanitizer/asan_interface.h>
#define red_zone(p, n)       __asan_poison_memory_region((p), (n))
#define red_zone_clear(p, n) __asan_unpoison_memory_region((p), (n))
enum { RED_ZONE = 32 }; /* bytes that stay poisoned behind each allocation */
#else
#define red_zone(p, n)       ((void)0)
#define red_zone_clear(p, n) ((void)0)
enum { RED_ZONE = 0 };
#endif

#endif
