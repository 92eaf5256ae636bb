/* api.c: sequences of calls of the C interface: emulators and compilations in any order, with null pointers, wrong sizes, names
 * that do not exist, caps of memory that are soon reached, and a host whose memory gives out: the n-th allocation of a call
 * fails, or one in so many large pages. Whatever is called, the emulators can load and launch again afterwards. */
#include "emulator.h"

#include "api/ptxscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory that gives out: the linker sends core's calls of malloc's family here (--wrap) */

static u32 allocations_left = UINT32_MAX;

static bool gives_out(void)
{
	if (allocations_left == UINT32_MAX)
		return false;
	if (allocations_left)
		allocations_left--;
	return allocations_left == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size) { return gives_out() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return gives_out() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *old, size_t size) { return gives_out() ? NULL : __real_realloc(old, size); }

/* ---- programs and launches */

static const char *const programs[] = {
	".version 7.0\n.target sm_70\n.address_size 64\n.global .align 4 .b32 g[3];\n"
	".func f(.param .b32 a) { .reg .b32 %r<3>; .local .align 4 .b8 l[40]; ld.param.b32 %r1, [a]; st.local.b32 [l], %r1; ret; "
	"}\n"
	".visible .entry k(.param .u64 p, .param .u32 n)\n{\n .reg .b64 %rd<4>; .reg .b32 %r<5>; .shared .align 4 .b32 s[32]; "
	".reg .pred "
	"%p<2>;\n"
	" ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n"
	" ld.global.u32 %r2, [%rd3]; add.u32 %r2, %r2, 1; st.shared.u32 [s], %r2; bar.sync 0; setp.lt.u32 %p1, %r1, 5; @%p1 bra "
	"L;\n"
	" { .param .b32 q; st.param.b32 [q], %r2; call f, (q); }\nL: st.global.u32 [%rd3], %r2; st.global.u32 [g], %r2; "
	"ret;\n}\n",
	"target triple = \"nvptx64-nvidia-cuda\"\n@v = global i32 5\n@t = addrspace(3) global [40 x i32] undef\n"
	"declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare void @llvm.nvvm.barrier0()\n"
	"define ptx_kernel void @k(ptr %p, i32 %n) {\n %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n %a = getelementptr i32, "
	"ptr %p, i32 %i\n"
	" %x = load i32, ptr %a\n %y = mul i32 %x, %n\n call void @llvm.nvvm.barrier0()\n store i32 %y, ptr %a\n store i32 %y, "
	"ptr @v\n ret void\n}\n",
	".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { L: bra L; }\n.visible .entry k2() { trap; }\n",
	".version 7.0\n.target sm_70\n.address_size 64\n.global .texref t;\n.visible .entry k(.param .u64 p) { .reg .f32 %f<5>; "
	".reg .b64 %d<2>;\n"
	" ld.param.u64 %d1, [p]; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {1}]; ret; }\n",
	".version 7.0\nthis is nothing",
	"define i32 @f(i32 %x) { ret i64 %x }",
	"",
	"--- |\n  define void @k() { ret void }\n...\n---\nname: k\nbody: |\n  bb.0:\n    Return\n...\n",
	"target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k() {\n %p = call ptr @malloc(i64 100000)\n store i32 "
	"1, ptr %p\n call void "
	"@free(ptr %p)\n ret void\n}\ndeclare ptr @malloc(i64)\ndeclare void @free(ptr)\n",
};

static const char *const launches[] = {
	"{\"kernel\": \"k\", \"grid\": [2, 1, 1], \"block\": [40, 1, 1], \"args\": [{\"buffer\": \"b\"}, {\"u32\": 3}], "
	"\"buffers\": {\"b\": {\"type\": "
	"\"u32\", \"count\": 64, \"init\": {\"kind\": \"linear\", \"start\": 1, \"step\": 1}}}}",
	"{\"kernel\": \"k\", \"grid\": [1, 1, 1], \"block\": [1, 1, 1], \"args\": []}",
	"{\"kernel\": \"k\", \"grid\": [1, 1, 1], \"block\": [2, 1, 1], \"args\": [{\"texture\": \"t\"}], \"buffers\": {\"b\": "
	"{\"type\": \"f32\", \"count\": "
	"4}}, \"textures\": {\"t\": {\"buffer\": \"b\", \"type\": \"f32\", \"dim\": 1, \"width\": 4}}}",
	"{\"kernel\": \"nobody\", \"grid\": [1, 1, 1], \"block\": [1, 1, 1]}",
	"{\"kernel\": \"k\", \"grid\": [0, 1, 1]",
	"",
	"{\"kernel\": \"k\", \"grid\": [1, 1, 1], \"block\": [40, 1, 1], \"args\": [{\"buffer\": \"b\", \"offset\": 1}, "
	"{\"u32\": 3}], \"buffers\": {\"b\": "
	"{\"type\": \"u8\", \"count\": 0}}, \"symbols\": {\"g\": {\"type\": \"u8\", \"count\": 100}}}",
};

static const char *const options[] = {
	"--profile",      "--level=ir",  "--level=mir",      "--independent", "--sanitize=init,race", "--quantum=1",
	"--max-steps=50", "-mcpu=sm_90", "--no-such-option", "-O0",           "--max-steps=",         ""};
static const char *const names[] = {"b", "g", "s", "t", "c", "", "nobody"};

enum { EMULATORS = 2 };

typedef struct Calls {
	Case       *k;
	PsEmulator *e[EMULATORS];
	u8          block[4096];
} Calls;

static const char *maybe(Case *k, const char *s) { return chance(&k->c, 24) ? NULL : s; }

/* Three options at most; behind them the one that ends what would go on for ever. */
static int some_options(Case *k, const char **list)
{
	int n = chance(&k->c, 3) ? (int)choose(&k->c, 4) : 0;
	for (int i = 0; i < n; i++)
		list[i] = chance(&k->c, 40) ? NULL : one_of(&k->c, options);
	list[n] = "--max-steps=2000";
	return n;
}

static void called(Calls *w, const char *what)
{
	if (w->k->show) {
		printf("%s\n", what);
		fflush(stdout);
	}
}

/* ---- the emulator */

static void load(Calls *w, PsEmulator *e)
{
	Case       *k = w->k;
	const char *list[4], *text = maybe(k, one_of(&k->c, programs)), *name = maybe(k, one_of(&k->c, names));
	int         n = some_options(k, list);
	size_t      size = text ? strlen(text) : choose(&k->c, 2);
	if (size && chance(&k->c, 16))
		size = choose(&k->c, (u32)size);
	ps_emulator_load(e, name, text, size, chance(&k->c, 60) ? -1 : n, n || chance(&k->c, 2) ? list : NULL);
	size_t got;
	ps_emulator_text(e, chance(&k->c, 4) ? NULL : &got);
	ps_emulator_origin(e, (u32)choose_number(&k->c));
	ps_emulator_kernel(e, choose(&k->c, 3));
}

static void launch(Calls *w, PsEmulator *e)
{
	Case    *k = w->k;
	Choice  *c = &k->c;
	u32      number = (u32)choose_number(c);
	PsArg    args[3];
	PsLaunch l = {.size = chance(c, 32) ? (u32)choose_number(c) : sizeof l,
	              .kernel = maybe(k, chance(c, 16) ? "nobody" : "k"),
	              .grid = {1 + choose(c, 3), 1, 1},
	              .block = {1 + choose(c, 70), 1, 1},
	              .shared_bytes = chance(c, 8) ? (u32)choose_number(c) : 0,
	              .args = args,
	              .n_args = choose(c, 4)};
	if (chance(c, 16))
		l.grid[choose(c, 3)] = (u32)choose_number(c);
	if (chance(c, 16))
		l.block[choose(c, 3)] = (u32)choose_number(c);
	for (u32 i = 0; i < 3; i++)
		args[i] = chance(c, 2) ? ps_value(maybe(k, (const char *)&number), chance(c, 8) ? 0 : sizeof number)
		                       : ps_pointer(maybe(k, one_of(c, names)), choose_size(c, 16));
	if (!chance(c, 5)) {
		args[0] = ps_pointer("b", 0);
		args[1] = ps_value(&number, sizeof number);
		l.n_args = 2;
	}
	if (chance(c, 24))
		l.args = NULL;
	const char *list[4];
	int         n = some_options(k, list);
	ps_emulator_launch(e, chance(c, 40) ? NULL : &l, n + 1, list);
}

static void launch_json(Calls *w, PsEmulator *e)
{
	Case       *k = w->k;
	const char *list[4], *json = maybe(k, one_of(&k->c, launches));
	int         n = some_options(k, list);
	size_t      size = json ? strlen(json) : choose(&k->c, 2);
	ps_emulator_launch_json(e, json, size && chance(&k->c, 16) ? choose(&k->c, (u32)size) : size, n + 1, list);
}

static void buffers(Calls *w, PsEmulator *e)
{
	Case       *k = w->k;
	Choice     *c = &k->c;
	const char *name = maybe(k, chance(c, 3) ? one_of(c, names) : "b");
	size_t      size = choose(c, sizeof w->block + 1);
	size_t      wild = chance(c, 8) ? (size_t)choose_number(c) : size;
	void       *bytes = chance(c, 16) ? NULL : w->block;
	switch (choose(c, 4)) {
	case 0:
	case 1: ps_emulator_buffer(e, name, chance(c, 3) ? NULL : bytes, chance(c, 2) ? 512 : size); break;
	/* The sizes that are given are the memory's; offsets may be any. */
	case 2: ps_emulator_read(e, name, wild, bytes, choose(c, 64)); break;
	default: ps_emulator_write(e, name, wild, bytes, choose(c, 64)); break;
	}
	if (chance(c, 16))
		ps_emulator_buffer(e, name, NULL, (size_t)choose_number(c));
}

static void run(Calls *w, PsEmulator *e)
{
	Choice *c = &w->k->c;
	u32     lines[4] = {choose(c, 12), choose(c, 12), (u32)choose_number(c), 0};
	PsGoal  g = {.size = chance(c, 32) ? (u32)choose_number(c) : sizeof g,
	             .kind = (PsGoalKind)choose(c, 6),
	             .focused = chance(c, 2),
	             .block = choose(c, 3),
	             .warp = choose(c, 3),
	             .count = choose_size(c, 20),
	             .lines = chance(c, 16) ? NULL : lines,
	             .n_lines = choose(c, 4),
	             .of_input = chance(c, 2)};
	PsFault fault;
	size_t  size;
	switch (choose(c, 4)) {
	case 0: ps_emulator_aim(e, chance(c, 24) ? NULL : &g); break;
	case 1: ps_emulator_step(e, choose_size(c, 300) & 0xfff); break;
	case 2: ps_emulator_run(e); break;
	default:
		ps_emulator_result(e, chance(c, 4) ? NULL : &size);
		ps_emulator_fault(e, chance(c, 8) ? NULL : &fault);
		ps_emulator_steps(e);
		ps_emulator_progress(e);
	}
}

static u32 checksum(const void *bytes, size_t n)
{
	u32 sum = 0;
	for (size_t i = 0; bytes && i < n; i++)
		sum = sum * 31 + ((const u8 *)bytes)[i];
	return sum;
}

static void look(Calls *w, PsEmulator *e)
{
	Choice    *c = &w->k->c;
	PsPlace    at = {.block = choose(c, 3), .warp = choose(c, 3), .path = choose(c, 3)}, place;
	PsWarp     warp;
	PsRegister reg;
	u32        numbers[2];
	size_t     size = 0;
	ps_emulator_place(e, chance(c, 24) ? NULL : &place);
	if (chance(c, 2))
		ps_emulator_place(e, &at);
	ps_emulator_blocks(e, chance(c, 8) ? NULL : numbers, choose(c, 3));
	ps_emulator_warp(e, choose(c, 3), (u32)choose_size(c, 3), chance(c, 24) ? NULL : &warp);
	ps_emulator_path(e, choose(c, 3), choose(c, 3), (u32)choose_size(c, 3), chance(c, 24) ? NULL : &place);
	ps_emulator_register(e, chance(c, 24) ? NULL : &at, (u32)choose_size(c, 20), chance(c, 24) ? NULL : &reg);
	const void *bytes = ps_emulator_memory(e, (PsMemory)choose(c, 6), maybe(w->k, one_of(c, names)), (u32)choose_size(c, 3),
	                                       (u32)choose_size(c, 70), chance(c, 24) ? NULL : &size);
	checksum(bytes, size);
}

static void use_emulator(Calls *w)
{
	Choice      *c = &w->k->c;
	PsEmulator **slot = &w->e[choose(c, EMULATORS)], *e = *slot;
	u32          what = choose(c, 16);
	if (chance(c, 40))
		e = NULL;
	switch (what) {
	case 0:
	case 1: called(w, "load"), load(w, e); break;
	case 2:
	case 3:
	case 4: called(w, "launch"), launch(w, e); break;
	case 5:
	case 6: called(w, "launch_json"), launch_json(w, e); break;
	case 7:
	case 8: called(w, "buffers"), buffers(w, e); break;
	case 9:
	case 10:
	case 11:
	case 12: called(w, "run"), run(w, e); break;
	case 13:
	case 14: called(w, "look"), look(w, e); break;
	default:
		called(w, "free");
		ps_emulator_free(e);
		if (e)
			*slot = chance(c, 16)
			                ? NULL
			                : ps_emulator_new(chance(c, 3) ? (size_t)choose_number(c) & 0xffffff : (size_t)64 << 20);
		e = *slot;
	}
	/* Good until the next call alone. */
	const char *said = ps_emulator_messages(e);
	if (w->k->show)
		printf("    %s\n", said);
	if (strstr(said, "internal error"))
		fuzz_die(w->k, "internal error", str_of(said));
	const char *list = ps_emulator_diagnostics(e);
	checksum(list, strlen(list));
}

/* ---- compilations */

static void compile(Calls *w)
{
	Case       *k = w->k;
	Choice     *c = &k->c;
	const char *text = maybe(k, one_of(c, programs));
	PsKnob      knob = {maybe(k, chance(c, 2) ? "dce" : "no-such-knob"), maybe(k, "false")};
	/* Of older headers, which had fewer fields. */
	const size_t     sizes[] = {0, offsetof(PsCompileOptions, name), offsetof(PsCompileOptions, target),
	                            offsetof(PsCompileOptions, level), offsetof(PsCompileOptions, stages)};
	PsCompileOptions o = {.size = chance(c, 16) ? one_of(c, sizes) : sizeof o,
	                      .text = text,
	                      .text_size = text ? strlen(text) : choose(c, 2),
	                      .name = maybe(k, "k.ll"),
	                      .target = maybe(k, chance(c, 4) ? "sm_1" : "sm_90"),
	                      .ptx = chance(c, 4) ? (u32)choose_number(c) : 0,
	                      .level = (PsOptLevel)choose(c, 6),
	                      .knobs = chance(c, 8) ? &knob : NULL,
	                      .n_knobs = chance(c, 8),
	                      .stages = chance(c, 2),
	                      .memory_cap = chance(c, 4) ? (size_t)choose_number(c) & 0xfffffff : (size_t)64 << 20};
	PsCompilation   *p = NULL;
	PsDiagnostic     d;
	PsStage          stage;
	size_t           size;
	called(w, "compile");
	PsStatus status = ps_compile(chance(c, 40) ? NULL : &o, chance(c, 40) ? NULL : &p);
	for (size_t i = 0; ps_compilation_diagnostic(p, i, &d); i++)
		checksum(d.message, strlen(d.message));
	for (size_t i = 0; ps_compilation_stage(p, i, &stage); i++) {
		const char *of = ps_compilation_stage_text(p, i, &size);
		checksum(of, of ? size : 0);
	}
	ps_compilation_stage_text(p, (size_t)choose_number(c), &size);
	ps_compilation_diagnostic(p, 0, NULL);
	ps_compilation_stage(p, 0, NULL);
	const char *ptx = ps_compilation_ptx(p, chance(c, 2) ? NULL : &size);
	checksum(ptx, ptx ? strlen(ptx) : 0);
	const char *said = ps_compilation_messages(p);
	if (status == PS_STATUS_INTERNAL || strstr(said, "internal error"))
		fuzz_die(k, "internal error", str_of(said));
	ps_compilation_free(p);
}

/* ---- commands, of a host with large pages that run out */

typedef struct Host {
	Str text, launch, said;
	u32 pages_left;
} Host;

static const char *host_read(void *user, const char *path, size_t *size, const char **error)
{
	Host *h = user;
	if (strcmp(path, "none") == 0) {
		*error = "it is not there";
		return NULL;
	}
	Str s = strcmp(path, "l.json") == 0 ? h->launch : h->text;
	*size = s.n;
	return s.p;
}
static bool host_write(void *user, const char *path, const char *data, size_t size, const char **error)
{
	(void)user, (void)path;
	checksum(data, size);
	*error = "the disk is full";
	return size % 2;
}
static void host_print(void *user, PsStream stream, const char *data, size_t size)
{
	(void)user, (void)stream;
	checksum(data, size);
}
static bool host_progress(void *user, double part, const char *what)
{
	Host *h = user;
	(void)what;
	return part < 0.9 || h->pages_left % 2;
}
static void *host_pages(void *user, void *old, size_t old_size, size_t size)
{
	enum { PAGE = 2 << 20 };
	Host *h = user;
	void *p = NULL;
	if (size && h->pages_left) {
		h->pages_left--;
		p = aligned_alloc(PAGE, size);
		if (p)
			memset(p, 0, size);
		if (p && old)
			memcpy(p, old, PS_MIN(size, old_size));
	}
	if (!size || p)
		free(old);
	return p;
}

static void command(Calls *w)
{
	static const char *const words[] = {
		"compile", "run",    "check", "fmt",    "knobs",     "k.ll",  "k.ptx",         "--launch=l.json", "-o",    "-",
		"none",    "--json", "-O0",   "--help", "--trace=t", "lists", "--launch=none", "-mcpu=sm_90",     "passes"};
	Choice      *c = &w->k->c;
	const char  *argv[8];
	int          n = (int)choose(c, 7);
	bool         runs = false;
	Host         h = {.text = str_of(one_of(c, programs)),
	                  .launch = str_of(one_of(c, launches)),
	                  .pages_left = chance(c, 2) ? 100 : choose(c, 6)};
	const size_t sizes[] = {0, offsetof(PsHost, print), offsetof(PsHost, now_ms), offsetof(PsHost, progress),
	                        offsetof(PsHost, pages)};
	PsHost       host = {.size = chance(c, 16) ? one_of(c, sizes) : sizeof host,
	                     .user = &h,
	                     .read = chance(c, 40) ? NULL : host_read,
	                     .write = chance(c, 40) ? NULL : host_write,
	                     .print = chance(c, 40) ? NULL : host_print,
	                     .progress = chance(c, 2) ? host_progress : NULL,
	                     .memory_cap = chance(c, 2) ? (size_t)choose_number(c) & 0x3ffffff : (size_t)64 << 20,
	                     .pages = chance(c, 2) ? host_pages : NULL};
	for (int i = 0; i < n; i++)
		argv[i] = i == 0                    ? words[choose(c, 5)]
		          : i == 1 && !chance(c, 8) ? words[5 + choose(c, 2)]
		          : i == 2 && !chance(c, 4) ? words[7]
		                                    : one_of(c, words);
	runs = n && (strcmp(argv[0], "run") == 0 || strcmp(argv[0], "check") == 0);
	if (n && chance(c, 40))
		argv[choose(c, (u32)n)] = NULL;
	if (runs)
		argv[n++] = "--max-steps=2000";
	called(w, "command");
	int status = ps_command(chance(c, 60) ? -1 : n, chance(c, 40) ? NULL : argv, chance(c, 60) ? NULL : &host);
	if (status == PS_STATUS_INTERNAL)
		fuzz_die(w->k, "internal error", STR("ps_command"));
}

Outcome fuzz_case(Case *k)
{
	Calls w = {.k = k};
	u32   used = 0;
	w.e[0] = ps_emulator_new((size_t)64 << 20);
	if (w.e[0]) { /* so that most calls find something to do */
		ps_emulator_load(w.e[0], "k.ptx", programs[0], strlen(programs[0]), 0, NULL);
		ps_emulator_buffer(w.e[0], "b", NULL, 512);
	}
	for (; k->c.n && used < 60; used++) {
		allocations_left = chance(&k->c, 6) ? 1 + choose(&k->c, 40) : UINT32_MAX;
		if (k->show && allocations_left != UINT32_MAX)
			printf("memory for %u allocations\n", allocations_left);
		u32 what = choose(&k->c, 10);
		if (what == 8)
			compile(&w);
		else if (what == 9)
			command(&w);
		else
			use_emulator(&w);
		allocations_left = UINT32_MAX;
	}
	for (u32 i = 0; i < EMULATORS; i++)
		ps_emulator_free(w.e[i]);
	return OUTCOME_RAN;
}
