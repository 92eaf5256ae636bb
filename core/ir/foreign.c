/* foreign.c: recognises input that is not LLVM IR (PTX, MIR, source code), for a better error message. */
#include "ir/parse.h"

static bool contains(Str text, const char *what)
{
	u32 n = (u32)strlen(what);
	for (const char *q = text.p, *end = text.p + text.n; q + n <= end; q++) {
		q = memchr(q, what[0], (size_t)(end - q));
		if (!q || q + n > end)
			return false;
		if (memcmp(q, what, n) == 0)
			return true;
	}
	return false;
}

static Str behind_comments(Str s)
{
	while (s.n) {
		u32 skip = 1;
		if (*s.p == ';') {
			const char *nl = memchr(s.p, '\n', s.n);
			skip = nl ? (u32)(nl - s.p) : s.n;
		} else if (*s.p != ' ' && *s.p != '\t' && *s.p != '\r' && *s.p != '\n') {
			break;
		}
		s = (Str){s.p + skip, s.n - skip};
	}
	return s;
}

static DiagCode other_language(Str text)
{
	Str head = behind_comments(text);
	head.n = PS_MIN(head.n, 4096u);
	if (head.n && memchr(head.p, 0, head.n))
		return DIAG_IR_IS_BINARY;
	if (contains(head, "define ") || contains(head, "target triple") || contains(head, "source_filename"))
		return DIAG_COUNT;
	if (contains(head, ".version ") && contains(head, ".target "))
		return DIAG_IR_IS_PTX;
	if (contains(head, "__global__") || contains(head, "#include") || contains(head, "#define") ||
	    contains(head, "template <"))
		return DIAG_IR_IS_CXX;
	if (head.n && *head.p == '{' && contains(head, "\""))
		return DIAG_IR_IS_JSON;
	if (contains(head, "--- |") || contains(head, "machineFunction"))
		return DIAG_IR_IS_MIR;
	if (contains(head, "llvm.func ") || contains(head, "func.func ") || contains(head, "gpu.module ") ||
	    contains(head, "module attributes "))
		return DIAG_IR_IS_MLIR;
	return DIAG_COUNT;
}

/* Source languages by the first words of the file. */
static const struct {
	const char *start, *language, *hint;
} sources[] = {
	{"fn ", "Rust", "rustc --target nvptx64-nvidia-cuda --emit llvm-ir writes LLVM IR"},
	{"pub ", "Rust", "rustc --target nvptx64-nvidia-cuda --emit llvm-ir writes LLVM IR"},
	{"#![", "Rust", "rustc --target nvptx64-nvidia-cuda --emit llvm-ir writes LLVM IR"},
	{"function ", "Julia", "@device_code_llvm raw=true dump_module=true prints LLVM IR"},
	{"using ", "Julia", "@device_code_llvm raw=true dump_module=true prints LLVM IR"},
	{"import ", "Python", "Triton has LLVM IR in kernel.asm['llir'], Numba in kernel.inspect_llvm()"},
	{"from ", "Python", "Triton has LLVM IR in kernel.asm['llir'], Numba in kernel.inspect_llvm()"},
	{"def ", "Python", "Triton has LLVM IR in kernel.asm['llir'], Numba in kernel.inspect_llvm()"},
	{"@triton", "Python", "Triton has LLVM IR in kernel.asm['llir'], Numba in kernel.inspect_llvm()"},
	{"@cuda", "Python", "Triton has LLVM IR in kernel.asm['llir'], Numba in kernel.inspect_llvm()"},
	{"kernel ", "OpenCL C", "clang -S -emit-llvm --target=nvptx64 -x cl file.cl writes LLVM IR"},
	{"__kernel ", "OpenCL C", "clang -S -emit-llvm --target=nvptx64 -x cl file.cl writes LLVM IR"},
	{"#version", "GLSL", ""},
	{"RWStructuredBuffer", "HLSL", ""},
	{"[numthreads", "HLSL", ""},
	{"HloModule", "HLO", "XLA writes LLVM IR with --xla_dump_to=DIR"},
	{"tt.func", "MLIR", "Triton has LLVM IR in kernel.asm['llir']"},
	{"#map", "MLIR", "lower it to the llvm dialect, then: mlir-translate --mlir-to-llvmir file.mlir -o file.ll"},
	{"#loc", "MLIR", "lower it to the llvm dialect, then: mlir-translate --mlir-to-llvmir file.mlir -o file.ll"},
	{"module {", "MLIR", "lower it to the llvm dialect, then: mlir-translate --mlir-to-llvmir file.mlir -o file.ll"},
	{"spirv.module", "MLIR", "lower it to the llvm dialect, then: mlir-translate --mlir-to-llvmir file.mlir -o file.ll"},
	{"OpCapability", "SPIR-V", "llvm-spirv -r file.spv, then llvm-dis, write LLVM IR"},
	{"code for sm_", "SASS", "machine code has no way back to LLVM IR"},
	{"int ", "C", "compile it to IR first: clang -S -emit-llvm -O2 --target=nvptx64 file.c"},
	{"void ", "C", "compile it to IR first: clang -S -emit-llvm -O2 --target=nvptx64 file.c"},
	{"float ", "C", "compile it to IR first: clang -S -emit-llvm -O2 --target=nvptx64 file.c"},
	{"struct ", "C", "compile it to IR first: clang -S -emit-llvm -O2 --target=nvptx64 file.c"},
	{"typedef ", "C", "compile it to IR first: clang -S -emit-llvm -O2 --target=nvptx64 file.c"},
	{"static ", "C", "compile it to IR first: clang -S -emit-llvm -O2 --target=nvptx64 file.c"},
	{"extern ", "C", "compile it to IR first: clang -S -emit-llvm -O2 --target=nvptx64 file.c"},
};

static bool is_source(Diags *d, Str text)
{
	Str head = behind_comments(text);
	for (u32 i = 0; i < PS_COUNT(sources); i++)
		if (str_starts(head, sources[i].start) && !contains((Str){head.p, PS_MIN(head.n, 4096u)}, "define ")) {
			diag_report(d, DIAG_IR_IS_SOURCE, src_at(1, 1), sources[i].language)->hint = str_of(sources[i].hint);
			return true;
		}
	return false;
}

static bool is_blank(Str text)
{
	for (u32 i = 0; i < text.n; i++)
		if (text.p[i] != ' ' && text.p[i] != '\t' && text.p[i] != '\r' && text.p[i] != '\n')
			return false;
	return true;
}

/* A text of comments only is an empty module; an empty text is most likely a mistake and is reported. */
bool irp_foreign(Diags *d, Str text)
{
	DiagCode code = is_blank(text) ? DIAG_IR_EMPTY : other_language(text);
	if (code == DIAG_COUNT)
		return is_source(d, text);
	diag_report(d, code, src_at(1, 1));
	return true;
}
