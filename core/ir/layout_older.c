/* layout_older.c: data layouts of other targets, as older LLVMs wrote them into bitcode, and what LLVM 22 makes of them. That of NVPTX is
 * left as it is. Linear in the text. */
#include "ir/internal.h"

static bool has(Str s, const char *part)
{
	u32 n = (u32)strlen(part);
	for (u32 i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, part, n) == 0)
			return true;
	return false;
}

/* Behind the items at the start that are none of the letters, `e` or `E` before them. */
static u32 behind(Str s, const char *letters)
{
	u32 i = s.n ? 1 : 0;
	while (i + 1 < s.n && s.p[i] == '-' && strchr(letters, s.p[i + 1]))
		for (i++; i < s.n && s.p[i] != '-';)
			i++;
	return i;
}

/* Does an item of these letters follow? */
static bool has_more(Str s, u32 from, const char *letters)
{
	for (u32 i = from; i + 1 < s.n; i++)
		if (s.p[i] == '-' && strchr(letters, s.p[i + 1]))
			return true;
	return false;
}

static Str insert(Arena *a, Str s, u32 at, const char *what)
{
	return arena_fmt(a, "%.*s%s%.*s", (int)at, s.p, what, (int)(s.n - at), s.p + at);
}

static Str replace(Arena *a, Str s, const char *from, const char *to)
{
	u32 n = (u32)strlen(from);
	for (u32 i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, from, n) == 0)
			return arena_fmt(a, "%.*s%s%.*s", (int)i, s.p, to, (int)(s.n - i - n), s.p + i + n);
	return s;
}

/* Pointers of 32 and 64 bits for programs that have both. */
static Str with_mixed_pointers(Arena *a, Str s)
{
	u32 mangling = behind(s, "m"), pointers = mangling;
	if (mangling < 5 || has(s, "-p270:32:32"))
		return s;
	if (s.n >= mangling + 8 && memcmp(s.p + mangling, "-p:32:32", 8) == 0)
		pointers += 8;
	return insert(a, s, pointers, "-p270:32:32-p271:32:32-p272:64:64");
}

static bool ends(Str s, const char *with)
{
	u32 n = (u32)strlen(with);
	return s.n >= n && memcmp(s.p + s.n - n, with, n) == 0;
}

/* `what` begins with '-', which stands between two items. */
static Str append(Arena *a, Str s, const char *what) { return s.n ? insert(a, s, s.n, what) : str_of(what + 1); }

/* AMD's pointers to buffers: their sizes, and that they are no plain numbers. */
static Str with_buffers(Arena *a, Str s)
{
	if (!has(s, "-ni"))
		s = append(a, s, "-ni:7:8:9");
	else if (ends(s, "ni:7"))
		s = append(a, s, ":8:9");
	else if (ends(s, "ni:7:8"))
		s = append(a, s, ":9");
	s = replace(a, s, "-p8:128:128-", "-p8:128:128:128:48-");
	if (!has(s, "-p7"))
		s = append(a, s, "-p7:160:256:256:32");
	if (!has(s, "-p8"))
		s = append(a, s, "-p8:128:128:128:48");
	return has(s, "-p9") ? s : append(a, s, "-p9:192:256:256:32");
}

enum {
	UP_MIXED = 1,
	UP_I128 = 2,
	UP_I128_BEHIND_I64 = 4,
	UP_FUNCTIONS = 8,
	UP_WORDS = 16,
	UP_GLOBALS = 32,
	UP_FLOATS = 64,
	UP_BUFFERS = 128,
	UP_NAMES = 256,
	UP_DOUBLES = 512, /* on AIX */
};

static u32 how(Str triple)
{
	static const struct {
		const char *start; /* of an architecture's name; with '-' behind it: all of it */
		u32         how;
	} rows[] = {
		{"x86_64", UP_MIXED | UP_I128},
		{"amd64", UP_MIXED | UP_I128},
		{"i386", UP_MIXED | UP_I128 | UP_FLOATS},
		{"i486", UP_MIXED | UP_I128 | UP_FLOATS},
		{"i586", UP_MIXED | UP_I128 | UP_FLOATS},
		{"i686", UP_MIXED | UP_I128 | UP_FLOATS},
		{"i786", UP_MIXED | UP_I128 | UP_FLOATS},
		{"i886", UP_MIXED | UP_I128 | UP_FLOATS},
		{"i986", UP_MIXED | UP_I128 | UP_FLOATS},
		{"arm64", UP_MIXED | UP_FUNCTIONS},
		{"aarch64", UP_MIXED | UP_FUNCTIONS},
		{"sparc", UP_I128_BEHIND_I64},
		{"mips64", UP_I128_BEHIND_I64},
		{"mipsisa64", UP_I128_BEHIND_I64},
		{"ppc64", UP_I128_BEHIND_I64 | UP_DOUBLES},
		{"ppc", UP_DOUBLES},
		{"powerpc64", UP_I128_BEHIND_I64 | UP_DOUBLES},
		{"powerpc", UP_DOUBLES},
		{"wasm", UP_I128_BEHIND_I64},
		{"riscv64", UP_WORDS},
		{"loongarch64", UP_WORDS},
		{"amdgcn", UP_GLOBALS | UP_BUFFERS | UP_NAMES},
		{"r600", UP_GLOBALS | UP_NAMES},
		{"spirv64", UP_GLOBALS},
		{"spirv32", UP_GLOBALS},
		{"spir64", UP_GLOBALS},
		{"spir-", UP_GLOBALS},
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (str_starts(triple, rows[i].start) ||
		    (ends(str_of(rows[i].start), "-") && triple.n + 1 == strlen(rows[i].start) &&
		     memcmp(triple.p, rows[i].start, triple.n) == 0))
			return rows[i].how;
	return 0;
}

Str ir_layout_upgraded(Arena *a, Str layout, Str triple)
{
	u32 up = how(triple) & (layout.n ? UINT32_MAX : UP_GLOBALS | UP_BUFFERS | UP_NAMES); /* those that none has, too */
	if (up & UP_MIXED)
		layout = with_mixed_pointers(a, layout);
	if (up & UP_I128 && layout.p[0] == 'e' && !has(layout, "-i128:") && !has_more(layout, behind(layout, "mpi"), "mpi"))
		layout = insert(a, layout, behind(layout, "mpi"), "-i128:128");
	if (up & UP_FLOATS && (has(triple, "-windows-msvc") || has(triple, "-win32") || ends(triple, "-windows")))
		layout = replace(a, layout, "-f80:32-", "-f80:128-");
	if (up & UP_I128_BEHIND_I64 && !has(layout, "-i128:") && !has(layout, "m:m"))
		layout = replace(a, layout, "-i64:64", "-i64:64-i128:128");
	if (up & UP_DOUBLES && has(triple, "-aix") && !has(layout, "-f64:32:64")) {
		Str stack = replace(a, layout, "-S128-v256", "-f64:32:64-S128-v256");
		layout = stack.n == layout.n ? append(a, layout, "-f64:32:64") : stack;
	}
	if (up & UP_FUNCTIONS && !has(layout, "-Fn32"))
		layout = append(a, layout, "-Fn32");
	if (up & UP_WORDS)
		layout = replace(a, layout, "-n64-", "-n32:64-");
	if (up & UP_GLOBALS && !has(layout, "-G"))
		layout = append(a, layout, "-G1");
	if (up & UP_BUFFERS)
		layout = with_buffers(a, layout);
	if (up & UP_NAMES && !has(layout, "m:e"))
		layout = insert(a, layout, 0, "m:e-");
	return layout;
}
