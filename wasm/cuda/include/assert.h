/* C's <assert.h>: a failed assertion ends the kernel with the place and the condition. Follows NDEBUG at each inclusion. */
#include <ptxscope/define.h>

extern "C" __device__ void __assertfail(const char *condition, const char *file, unsigned line, const char *function, size_t char_size) __attribute__((noreturn));

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#elif defined(__CUDA_ARCH__)
#define assert(condition) ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#else
#define assert(condition) ((void)0)
#endif
