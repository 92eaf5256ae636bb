/* The public call, as an embedder uses it: files in memory, output caught, one command inside another. */
#include "api/ptxscope.h"
#include "unit.h"

typedef struct World World;
struct World {
	Arena      *arena;
	Text        out, err;
	const char *path, *text; /* the one file there is */
	const char *written_path;
	Str         written;
	u32         prints, longest; /* to standard error: how often, the most bytes at once */
	u32         err_before_out;  /* bytes there before standard output was printed to */
	World      *inner;           /* runs a command of its own while this one reads */
};

static int run(World *w, size_t cap, int argc, const char *const *argv);

static const char *host_read(void *user, const char *path, size_t *size, const char **error)
{
	World *w = user;
	if (w->inner) {
		const char *argv[] = {"compile", "no.ll"};
		EXPECT_EQ(run(w->inner, 0, 2, argv), 2);
	}
	if (!w->path || strcmp(path, w->path) != 0) {
		*error = "is not there";
		return NULL;
	}
	*size = strlen(w->text);
	return w->text;
}

static bool host_write(void *user, const char *path, const char *data, size_t size, const char **error)
{
	(void)error;
	World *w = user;
	w->written_path = arena_str(w->arena, str_of(path)).p;
	w->written = arena_str(w->arena, (Str){data, (u32)size});
	return strcmp(path, "full") != 0;
}

static void host_print(void *user, PsStream stream, const char *data, size_t size)
{
	World *w = user;
	EXPECT(size > 0);
	w->prints += stream == PS_STDERR;
	w->longest = stream == PS_STDERR ? PS_MAX(w->longest, (u32)size) : w->longest;
	w->err_before_out = stream == PS_STDOUT && !w->out.n ? w->err.n : w->err_before_out;
	text_add(stream == PS_STDOUT ? &w->out : &w->err, (Str){data, (u32)size});
}

static World *world(Arena *a)
{
	World *w = arena_new(a, World);
	w->arena = a;
	text_init(&w->out, a);
	text_init(&w->err, a);
	return w;
}

static int run(World *w, size_t cap, int argc, const char *const *argv)
{
	PsHost host = {
		.size = sizeof host, .user = w, .read = host_read, .write = host_write, .print = host_print, .memory_cap = cap};
	return ps_command(argc, argv, &host);
}

#define RUN(w, ...) run((w), 0, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), (const char *[]){__VA_ARGS__})

static const char kernel[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
			     "define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x) {\n"
			     "  %y = add i32 %x, 1\n"
			     "  store i32 %y, ptr addrspace(1) %p, align 4\n"
			     "  ret void\n"
			     "}\n";

/* A host of large pages that has `left` of them; `out` counts those that have not come back. */
typedef struct PageHost {
	World world;
	u32   left, out;
} PageHost;

static void *host_pages(void *user, void *old, size_t old_size, size_t size)
{
	PageHost *h = user;
	void     *p = NULL;
	if (size && h->left) {
		h->left--;
		h->out++;
		p = aligned_alloc(2 << 20, size);
		memset(p, 0, size);
		if (old)
			memcpy(p, old, PS_MIN(old_size, size));
	}
	if (old && (p || !size)) {
		h->out--;
		free(old);
	}
	return p;
}

TEST(command, a_host_may_have_no_page_or_a_few)
{
	const char *argv[] = {"compile", "k.ll", "-o", "-"};
	for (u32 left = 0; left < 4; left++) {
		PageHost h = {.world = *world(a), .left = left};
		PsHost   host = {.size = sizeof host,
		                 .user = &h,
		                 .read = host_read,
		                 .write = host_write,
		                 .print = host_print,
		                 .pages = host_pages};
		h.world.path = "k.ll";
		h.world.text = kernel;
		int status = ps_command(PS_COUNT(argv), argv, &host);
		EXPECT(status == PS_STATUS_MEMORY || (left && status == PS_STATUS_DONE));
		EXPECT(status == PS_STATUS_DONE || h.world.err.n > 0);
		EXPECT_EQ(h.out, 0);
	}
}

TEST(command, version_and_usage)
{
	World *w = world(a);
	EXPECT_EQ(RUN(w, "--version"), 0);
	EXPECT(str_starts(text_str(&w->out), "ptxscope "));
	EXPECT_EQ(w->err.n, 0);
	w = world(a);
	EXPECT_EQ(run(w, 0, 0, NULL), 2);
	EXPECT(w->err.n > 0);
	EXPECT_EQ(w->out.n, 0);
}

TEST(command, says_why_a_file_cannot_be_read)
{
	World *w = world(a);
	EXPECT_EQ(RUN(w, "compile", "x.ll", "-o", "-"), 2);
	EXPECT_STR(text_str(&w->err), "ptxscope: x.ll: is not there\n");
}

TEST(command, compiles_from_memory_to_memory)
{
	World *w = world(a);
	w->path = "k.ll";
	w->text = kernel;
	EXPECT_EQ(RUN(w, "compile", "k.ll", "-o", "k.ptx"), 0);
	EXPECT_STR(text_str(&w->err), "");
	EXPECT_STR(str_of(w->written_path ? w->written_path : ""), "k.ptx");
	World *again = world(a);
	again->path = "k.ll";
	again->text = kernel;
	EXPECT_EQ(RUN(again, "compile", "k.ll", "-o", "-"), 0);
	EXPECT_STREQ(text_str(&again->out), w->written);
}

TEST(command, reports_a_file_that_cannot_be_written)
{
	World *w = world(a);
	w->path = "k.ll";
	w->text = kernel;
	EXPECT_EQ(RUN(w, "compile", "k.ll", "-o", "full"), 2);
	EXPECT_STR(text_str(&w->err), "ptxscope: full: cannot be written\n");
}

/* Nothing is global: the inner command leaves the outer one as it was. */
TEST(command, one_inside_another)
{
	World *w = world(a);
	w->path = "k.ll";
	w->text = kernel;
	EXPECT_EQ(RUN(w, "compile", "k.ll", "-o", "-"), 0);
	World *outer = world(a);
	outer->path = "k.ll";
	outer->text = kernel;
	outer->inner = world(a);
	EXPECT_EQ(RUN(outer, "compile", "k.ll", "-o", "-"), 0);
	EXPECT_STREQ(text_str(&outer->out), text_str(&w->out));
	EXPECT_STR(text_str(&outer->inner->err), "ptxscope: no.ll: is not there\n");
}

TEST(command, memory_has_a_limit)
{
	for (size_t cap = 1 << 16; cap <= 1 << 20; cap *= 2) {
		World *w = world(a);
		w->path = "k.ll";
		w->text = kernel;
		const char *argv[] = {"compile", "k.ll", "-o", "-"};
		int         status = run(w, cap, 4, argv);
		EXPECT(status == PS_STATUS_DONE || status == PS_STATUS_MEMORY);
		if (status == PS_STATUS_MEMORY)
			EXPECT(strstr(arena_str(a, text_str(&w->err)).p, "out of memory"));
	}
}

TEST(command, a_call_without_what_it_needs_is_a_usage_error)
{
	World            *w = world(a);
	const char *const words[] = {"--version", NULL};
	const PsHost      whole = {.size = sizeof whole, .user = w, .read = host_read, .write = host_write, .print = host_print};
	PsHost            host = whole;
	EXPECT_EQ(ps_command(1, words, NULL), PS_STATUS_USAGE);
	EXPECT_EQ(ps_command(1, NULL, &host), PS_STATUS_USAGE);
	EXPECT_EQ(ps_command(2, words, &host), PS_STATUS_USAGE);
	EXPECT_EQ(ps_command(-1, words, &host), PS_STATUS_USAGE);
	host.print = NULL;
	EXPECT_EQ(ps_command(1, words, &host), PS_STATUS_USAGE);
	host = whole;
	host.size = 0;
	EXPECT_EQ(ps_command(1, words, &host), PS_STATUS_USAGE);
	EXPECT_EQ(w->out.n, 0);
}

/* A program compiled with an earlier header: what lies behind its PsHost is not read. */
TEST(command, a_shorter_host_has_zeros_for_what_it_lacks)
{
	World            *w = world(a);
	const char *const words[] = {"--version"};
	PsHost            host = {.user = w, .read = host_read, .write = host_write, .print = host_print};
	host.size = offsetof(PsHost, now_ms);
	memset((char *)&host + host.size, 0x5A, sizeof host - host.size);
	EXPECT_EQ(ps_command(1, words, &host), PS_STATUS_DONE);
	EXPECT(w->out.n > 0);
}

/* Not one text at the end: a dump is printed when its pass has run. */
TEST(command, output_is_printed_as_it_comes_up)
{
	World *w = world(a);
	w->path = "k.ll";
	w->text = kernel;
	EXPECT_EQ(RUN(w, "compile", "k.ll", "-print-after-all", "-o", "-"), PS_STATUS_DONE);
	EXPECT(w->prints > 20 && w->longest < w->err.n / 10);
	EXPECT_EQ(w->err_before_out, w->err.n);
	Text many;
	text_init(&many, a);
	text_s(&many, "target triple = \"nvptx64-nvidia-cuda\"\n");
	for (u32 k = 0; k < 400; k++)
		text_f(&many,
		       "define void @f%u(i32 %%x, ptr %%p) {\n  %%y = add i32 %%x, %u\n  store i32 %%y, ptr %%p\n  ret void\n}\n",
		       k, k);
	text_c(&many, 0);
	w->text = many.p;
	w->err.n = 0;
	EXPECT_EQ(RUN(w, "compile", "k.ll", "-print-after-all", "-max-memory=3", "-o", "-"), PS_STATUS_MEMORY);
	text_c(&w->err, 0);
	EXPECT(strstr(w->err.p, "IR Dump After") && strstr(w->err.p, "out of memory"));
}

TEST(command, version_of_header_and_library_agree)
{
	EXPECT_STR(arena_fmt(a, "%u.%u.%u", PS_VERSION_MAJOR, PS_VERSION_MINOR, PS_VERSION_PATCH), ps_version());
}

UNIT_MAIN
