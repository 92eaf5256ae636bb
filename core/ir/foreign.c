/* foreign.c: texts that are no IR: bitcode, PTX, MIR, C++. */
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
	if (text.n >= 4 && (memcmp(text.p, "BC\xC0\xDE", 4) == 0 || memcmp(text.p, "\xDE\xC0\x17\x0B", 4) == 0))
		return DIAG_IR_IS_BITCODE;
	if (head.n && memchr(head.p, 0, head.n))
		return DIAG_IR_IS_BINARY;
	if (contains(head, "define ") || contains(head, "target triple") || contains(head, "source_filename"))
		return DIAG_COUNT;
	if (contains(head, ".version ") && contains(head, ".target "))
		return DIAG_IR_IS_PTX;
	if (contains(head, "__global__") || contains(head, "#include") || contains(head, "#define") || contains(head, "template <"))
		return DIAG_IR_IS_CXX;
	if (head.n && *head.p == '{' && contains(head, "\""))
		return DIAG_IR_IS_JSON;
	if (contains(head, "--- |") || contains(head, "machineFunction"))
		return DIAG_IR_IS_MIR;
	if (contains(head, "llvm.func ") || contains(head, "func.func ") || contains(head, "gpu.module ") || contains(head, "module attributes "))
		return DIAG_IR_IS_MLIR;
	return DIAG_COUNT;
}

static bool is_blank(Str text)
{
	for (u32 i = 0; i < text.n; i++)
		if (text.p[i] != ' ' && text.p[i] != '\t' && text.p[i] != '\r' && text.p[i] != '\n')
			return false;
	return true;
}

/* Comments alone are an empty module; nothing at all is an accident. */
DiagCode irp_foreign(Str text) { return is_blank(text) ? DIAG_IR_EMPTY : other_language(text); }
