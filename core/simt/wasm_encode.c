/* wasm_encode.c: the binary format of WebAssembly, as far as lane_code.c writes it. */
#include "simt/wasm_encode.h"

#include "simt/wasm_simd.h"

void wasm_u32(WasmBytes *w, u32 v)
{
	for (; v >= 128; v >>= 7)
		wasm_byte(w, (v & 127) | 128);
	wasm_byte(w, v);
}

void wasm_s64(WasmBytes *w, i64 v)
{
	for (; v < -64 || v > 63; v >>= 7)
		wasm_byte(w, ((u32)v & 127) | 128);
	wasm_byte(w, (u32)v & 127);
}

void wasm_bytes(WasmBytes *w, const void *p, u32 n)
{
	for (u32 i = 0; i < n; i++)
		wasm_byte(w, ((const u8 *)p)[i]);
}

void wasm_name(WasmBytes *w, const char *text)
{
	u32 n = (u32)strlen(text);
	wasm_u32(w, n);
	wasm_bytes(w, text, n);
}

void wasm_sized(WasmBytes *w, const WasmBytes *inner)
{
	wasm_u32(w, inner->v.n);
	wasm_bytes(w, inner->v.p, inner->v.n);
}

void wasm_memory(WasmBytes *w, u32 op, u32 align, u32 offset)
{
	wasm_op(w, op, align);
	wasm_u32(w, offset);
}

void wasm_memory_v128(WasmBytes *w, u32 op, u32 offset)
{
	wasm_simd(w, op);
	wasm_u32(w, 4);
	wasm_u32(w, offset);
}

void wasm_memory_part(WasmBytes *w, u32 op, u32 offset)
{
	wasm_simd(w, op);
	wasm_u32(w, 0);
	wasm_u32(w, offset);
}

void wasm_splat(WasmBytes *w, u64 v, u32 bytes)
{
	wasm_simd(w, V128_CONST);
	for (u32 i = 0; i < 16; i++)
		wasm_byte(w, (u32)(v >> 8 * (i % bytes)) & 255);
}
