/* wasm_encode.h: bytes of a WebAssembly module: numbers in LEB128, vectors of 128 bits, sections that know their size. */
#ifndef PS_SIMT_WASM_ENCODE_H
#define PS_SIMT_WASM_ENCODE_H

#include "base/vec.h"

typedef struct WasmBytes {
	Arena *arena;
	Vec(u8) v;
} WasmBytes;

/* WebAssembly 2.0, section 5. */
enum {
	WASM_I32 = 0x7f,
	WASM_I64 = 0x7e,
	WASM_V128 = 0x7b,
	WASM_FUNCREF = 0x70,
	WASM_FUNC_TYPE = 0x60,
	WASM_NO_RESULT = 0x40,

	WASM_TYPES = 1,
	WASM_IMPORTS = 2,
	WASM_FUNCTIONS = 3,
	WASM_EXPORTS = 7,
	WASM_CODE = 10,

	WASM_BLOCK = 0x02,
	WASM_LOOP = 0x03,
	WASM_IF = 0x04,
	WASM_ELSE = 0x05,
	WASM_END = 0x0b,
	WASM_BR = 0x0c,
	WASM_BR_IF = 0x0d,
	WASM_BR_TABLE = 0x0e,
	WASM_CALL_INDIRECT = 0x11,
	WASM_DROP = 0x1a,
	WASM_GET = 0x20,
	WASM_SET = 0x21,
	WASM_TEE = 0x22,
	WASM_I32_LOAD = 0x28,
	WASM_I64_LOAD = 0x29,
	WASM_I32_STORE = 0x36,
	WASM_I64_STORE = 0x37,
	WASM_I32_CONST = 0x41,
	WASM_I64_CONST = 0x42,
	WASM_I32_EQZ = 0x45,
	WASM_I32_EQ = 0x46,
	WASM_I32_NE = 0x47,
	WASM_I32_LT_U = 0x49,
	WASM_I64_LT_S = 0x53,
	WASM_I32_ADD = 0x6a,
	WASM_I32_AND = 0x71,
	WASM_I32_OR = 0x72,
	WASM_I64_ADD = 0x7c,
	WASM_SIMD = 0xfd,
};

static inline void wasm_byte(WasmBytes *w, u32 byte) { vec_push(w->arena, &w->v, (u8)byte); }
void               wasm_u32(WasmBytes *w, u32 v);
void               wasm_s64(WasmBytes *w, i64 v);
void               wasm_bytes(WasmBytes *w, const void *p, u32 n);
void               wasm_name(WasmBytes *w, const char *text);
/* The other's bytes behind their number. */
void wasm_sized(WasmBytes *w, const WasmBytes *inner);

/* An instruction with an immediate number. */
static inline void wasm_op(WasmBytes *w, u32 op, u32 v)
{
	wasm_byte(w, op);
	wasm_u32(w, v);
}
static inline void wasm_i32(WasmBytes *w, i32 v)
{
	wasm_byte(w, WASM_I32_CONST);
	wasm_s64(w, v);
}
static inline void wasm_i64(WasmBytes *w, i64 v)
{
	wasm_byte(w, WASM_I64_CONST);
	wasm_s64(w, v);
}
static inline void wasm_simd(WasmBytes *w, u32 op) { wasm_op(w, WASM_SIMD, op); }
/* A load or store of 2^align bytes at an address and an offset. */
void wasm_memory(WasmBytes *w, u32 op, u32 align, u32 offset);
void wasm_memory_v128(WasmBytes *w, u32 op, u32 offset);
/* The same of fewer bytes, or at an address that is no multiple of their number. */
void wasm_memory_part(WasmBytes *w, u32 op, u32 offset);
void wasm_splat(WasmBytes *w, u64 v, u32 bytes); /* a constant */

#endif
