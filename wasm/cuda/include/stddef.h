/* C's <stddef.h>. */
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)
typedef decltype(nullptr) __px_nullptr_t;
namespace std {
using ::size_t;
using ::ptrdiff_t;
using nullptr_t = __px_nullptr_t;
}
