/* vt.h: value types of the DAG, in 32 bits: kind, bits of an element, lanes (0: a scalar). */
#ifndef PS_DAG_VT_H
#define PS_DAG_VT_H

#include "base/base.h"

typedef u32 DagVt;

enum { VTK_NONE, VTK_INT, VTK_F16, VTK_BF16, VTK_F32, VTK_F64, VTK_B128, VTK_CHAIN, VTK_GLUE, VTK_UNTYPED };
enum { VT_MAX_INT = 4096, VT_MAX_LANES = 256, VT_MAX_PARTS = 512 };

#define VT_OF(kind, bits, lanes) ((u32)(kind) | (u32)(bits) << 4 | (u32)(lanes) << 20)
#define VT_INT(bits)             VT_OF(VTK_INT, bits, 0)
#define VT_NONE                  0u
#define VT_I1                    VT_INT(1)
#define VT_I8                    VT_INT(8)
#define VT_I16                   VT_INT(16)
#define VT_I32                   VT_INT(32)
#define VT_I64                   VT_INT(64)
#define VT_I128                  VT_INT(128)
#define VT_F16                   VT_OF(VTK_F16, 16, 0)
#define VT_BF16                  VT_OF(VTK_BF16, 16, 0)
#define VT_F32                   VT_OF(VTK_F32, 32, 0)
#define VT_F64                   VT_OF(VTK_F64, 64, 0)
#define VT_B128                  VT_OF(VTK_B128, 128, 0) /* a register of two words: operands of inline PTX, atomics */
#define VT_CHAIN                 VT_OF(VTK_CHAIN, 0, 0)
#define VT_GLUE                  VT_OF(VTK_GLUE, 0, 0)
#define VT_V2F16                 VT_OF(VTK_F16, 16, 2)
#define VT_V2BF16                VT_OF(VTK_BF16, 16, 2)
#define VT_V2I16                 VT_OF(VTK_INT, 16, 2)
#define VT_V4I8                  VT_OF(VTK_INT, 8, 4)

static inline u32   vt_kind(DagVt t) { return t & 15; }
static inline u32   vt_bits(DagVt t) { return t >> 4 & 0xFFFF; } /* of an element */
static inline u32   vt_lanes(DagVt t) { return t >> 20; }
static inline bool  vt_is_vec(DagVt t) { return t >> 20 != 0; }
static inline DagVt vt_elem(DagVt t) { return t & 0xFFFFF; }
static inline DagVt vt_vec(DagVt elem, u32 lanes) { return vt_elem(elem) | lanes << 20; }
static inline u32   vt_size(DagVt t) { return vt_bits(t) * PS_MAX(vt_lanes(t), 1u); } /* bits in all */
static inline bool  vt_is_int(DagVt t) { return vt_kind(t) == VTK_INT; }              /* or a vector of them */
static inline bool  vt_is_sint(DagVt t) { return vt_kind(t) == VTK_INT && !vt_is_vec(t); }
static inline bool  vt_is_fp(DagVt t) { return vt_kind(t) >= VTK_F16 && vt_kind(t) <= VTK_F64; }
static inline bool  vt_is_value(DagVt t) { return t != VT_NONE && vt_kind(t) <= VTK_B128; }
static inline bool  vt_is_half(DagVt t) { return vt_kind(t) == VTK_F16 || vt_kind(t) == VTK_BF16; }
/* The same lanes with another element. */
static inline DagVt vt_with(DagVt t, DagVt elem) { return vt_elem(elem) | (t & 0xFFF00000u); }
/* The integer of as many bits. */
static inline DagVt vt_as_int(DagVt t) { return VT_INT(vt_size(t)); }
/* A packed type: several elements in one 32-bit register. */
static inline bool vt_is_packed(DagVt t) { return t == VT_V2F16 || t == VT_V2BF16 || t == VT_V2I16 || t == VT_V4I8; }

#endif
