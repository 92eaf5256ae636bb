/* ptxscope.h: the only public header. The command line, the WASM module and embedders call this.
 *
 * Commands: one call runs one command, exactly as it would be typed: what the command line can do, every
 * embedder can do, with the same bytes as the result. Nothing is kept between calls, and calls on
 * different hosts may run at the same time.
 *
 *	const char *argv[] = {"compile", "kernel.ll", "-mcpu=sm_90", "-o", "-"};
 *	int status = ps_command(5, argv, &host);
 *
 * Compiling: structures in, PTX and records of diagnostics and stages out.
 *
 *	PsCompileOptions options = {.size = sizeof options, .text = ll, .text_size = strlen(ll), .target = "sm_90"};
 *	PsCompilation   *c;
 *	if (ps_compile(&options, &c) == PS_STATUS_DONE)
 *		puts(ps_compilation_ptx(c, NULL));
 *	ps_compilation_free(c);
 *
 * The emulator: kernels run without a GPU, for tests and debuggers. Load PTX or LLVM IR, bind buffers,
 * launch, read back; or step through it and look at warps, registers and memory.
 *
 *	PsEmulator *e = ps_emulator_new(0);
 *	ps_emulator_load(e, "saxpy.ptx", text, strlen(text), 0, NULL);
 *	ps_emulator_buffer(e, "x", x, sizeof x);
 *	ps_emulator_buffer(e, "y", y, sizeof y);
 *	PsArg args[] = {ps_value(&n, sizeof n), ps_value(&a, sizeof a), ps_pointer("x", 0), ps_pointer("y", 0)};
 *	PsLaunch launch = {.size = sizeof launch, .kernel = "saxpy", .grid = {4, 1, 1}, .block = {256, 1, 1},
 *	                   .args = args, .n_args = 4};
 *	if (ps_emulator_launch(e, &launch, 0, NULL) == PS_STATUS_DONE && ps_emulator_run(e) == PS_RUN_DONE)
 *		ps_emulator_read(e, "y", 0, y, sizeof y);
 *	else
 *		fputs(ps_emulator_messages(e), stderr);
 *	ps_emulator_free(e);
 *
 * Rules for all of it:
 *   - Structures that a caller fills begin with their size: set it with sizeof. Fields past it count as 0, so that they can be
 *     added at the end. PsArg, PsKnob and PsLibrary stand in arrays, have no size and will not grow; nor will structures that are filled
 *     for the caller.
 *   - Texts are UTF-8 or any bytes; a `const char *` without a size beside it ends with a 0. Sizes and offsets are bytes.
 *   - Lines and columns count from 1, columns in bytes; 0 means that there is none. Other counts and indexes begin at 0.
 *   - What is handed in is copied or read during the call alone. What comes out as a pointer is good until the next call on the
 *     same object, or as long as the object where that is said.
 *   - A call that fails leaves its object as it was, and its results zeroed or unwritten, unless it says otherwise.
 *   - There are no globals. Calls on different objects (hosts, compilations, emulators) may run at the same time on different
 *     threads; each object is for one thread at a time. */
#ifndef PTXSCOPE_H
#define PTXSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; ps_version() is that of the library. */
#define PS_VERSION_MAJOR 0
#define PS_VERSION_MINOR 1
#define PS_VERSION_PATCH 0

/* ---- commands */

typedef enum PsStatus {
	PS_STATUS_DONE = 0,
	PS_STATUS_INPUT = 1,    /* the input is at fault */
	PS_STATUS_USAGE = 2,    /* the call or its options are: a null pointer, an unknown option, a file that cannot be read */
	PS_STATUS_INTERNAL = 3, /* a bug: please report it */
	PS_STATUS_MEMORY = 4,   /* the memory limit is reached, or the host has no more */
} PsStatus;

typedef enum PsStream { PS_STDOUT = 1, PS_STDERR = 2 } PsStream;

/* What a command calls to read, write and report. `user` is handed to every callback. */
/* In WebAssembly the emulator writes modules of functions for what programs execute often, and its host makes them (wasm/host.c): a
 * module imports "core"."memory" and "core"."table", which are this module's own, and exports `functions` functions, in the order of
 * their numbers. `make` puts them into the table, in that order, and returns where the first of them is; 0: it cannot, and the emulator
 * does without. `drop` takes them back. Both NULL: there is no such host, as nowhere but in WebAssembly. */
typedef struct PsCodeHost {
	void *user;
	uint32_t (*make)(void *user, const uint8_t *module, size_t size, uint32_t functions);
	void (*drop)(void *user, uint32_t first, uint32_t functions);
} PsCodeHost;

/* Threads, for `--jobs=N` of the emulator. `run` calls task(arg, i) for i from 0 on, each in a thread of its own (the caller's may be
 * one) and all at the same time, and returns, when all of them have returned, for how many i below n it did. `pause` lets other threads
 * go on. Both NULL: there are no threads, and one job does everything. */
typedef struct PsThreadHost {
	void *user;
	uint32_t (*run)(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg);
	void (*pause)(void *user);
} PsThreadHost;

typedef struct PsHost {
	size_t size; /* sizeof(PsHost), so that fields can be added at its end: those past `size` count as 0 */
	void  *user;
	/* The whole file `path` ("-": standard input). Returns NULL where it cannot be read, with a
	 * short reason in *error. The bytes stay the host's and must live until the command ends. */
	const char *(*read)(void *user, const char *path, size_t *size, const char **error);
	/* Writes a whole file; false where that failed, with a short reason in *error. Called at most once per
	 * path, and only when the command succeeded. */
	bool (*write)(void *user, const char *path, const char *data, size_t size, const char **error);
	/* Appends to a stream, as output comes up: dumps behind each pass that makes some, results and diagnostics at the end.
	 * `size` is not 0. */
	void (*print)(void *user, PsStream stream, const char *data, size_t size);
	double (*now_ms)(void *user); /* milliseconds since any moment, for times in reports; NULL: they are 0 */
	/* Called now and then by commands that may take long, `part` from 0 to 1: of `run`, of its blocks that have ended (`what`
	 * is "run"); of `check`, of the passes, and `what` is the id of the last one that was executed. False ends the command with
	 * PS_STATUS_INPUT. NULL: nobody wants to know. */
	bool (*progress)(void *user, double part, const char *what);
	size_t memory_cap; /* bytes, 1 MiB at least; 0: 1 GiB */
	/* A host that has large pages gives them: zeroed memory of `size` bytes, a multiple of 2 MiB and aligned to it;
	 * of `old`, enlarged and moved where it has to be; NULL where there is none. Size 0 takes `old` back. NULL:
	 * malloc's memory will do. */
	void *(*pages)(void *user, void *old, size_t old_size, size_t size);
	/* The value of an environment variable (CUDA_HOME, CUDA_PATH, for --libdevice); NULL: it is not set. NULL: there are
	 * none. */
	const char *(*variable)(void *user, const char *name);
	PsCodeHost   code; /* for the emulator */
	PsThreadHost threads;
} PsHost;

/* Runs the words of a command line, without the program's name. `read`, `write` and `print` have to be there. Returns a
 * PsStatus, which is the exit status of the command line.
 *
 * Diagnostics go to `print`, to PS_STDERR. A call that does not return PS_STATUS_DONE has written no files but the
 * record of --trace; what it printed until then stays printed. Nothing else is left behind: all memory of the call is
 * freed, and the next call does not depend on it.
 *
 * Callbacks run on the caller's thread, during the call. They may call ps_command themselves. Calls may run at the same
 * time on different threads; calls that share a host do so if its callbacks can. */
int ps_command(int argc, const char *const *argv, const PsHost *host);

const char *ps_version(void); /* "0.1.0" */
const char *ps_commit(void);  /* hash, or "unknown" */

/* ---- compiling: the same compiler as `compile` of the command line, with structures instead of words and JSON */

typedef enum PsOptLevel { PS_O_DEFAULT /* -O3 */, PS_O0, PS_O1, PS_O2, PS_O3 } PsOptLevel;

typedef struct PsKnob {
	const char *name, *value; /* as `ptxscope knobs` lists them; "true" and "false" for a bool */
} PsKnob;

/* A library to link: LLVM IR as text or bitcode. */
typedef struct PsLibrary {
	const char *name; /* for messages */
	const char *text;
	size_t      text_size; /* at most INT32_MAX */
} PsLibrary;

typedef struct PsCompileOptions {
	size_t        size;      /* sizeof(PsCompileOptions) */
	const char   *text;      /* LLVM IR or MIR */
	size_t        text_size; /* at most INT32_MAX */
	const char   *name;      /* for messages; its ending may tell the kind of the text. NULL: "input.ll" */
	const char   *target;    /* "sm_90"; NULL: the default */
	uint32_t      ptx;       /* PTX version times 10: 85 for 8.5; 0: the lowest that has the target */
	PsOptLevel    level;
	const PsKnob *knobs;
	size_t        n_knobs;    /* how many */
	bool          stages;     /* keep what each pass left: ps_compilation_stage. Costs memory and time */
	size_t        memory_cap; /* bytes, 1 MiB at least; 0: 1 GiB */
	/* What the text needs of these is taken, as --link does. */
	const PsLibrary *libraries;
	size_t           n_libraries; /* how many */
} PsCompileOptions;

typedef struct PsCompilation PsCompilation;

/* Compiles. *out is what came of it, to be freed, whatever status is returned; it is NULL where an option is a null
 * pointer that may not be one, or where there is no memory for it. Everything that is got from it is good until it is
 * freed. */
PsStatus ps_compile(const PsCompileOptions *options, PsCompilation **out);
void     ps_compilation_free(PsCompilation *p);

/* The PTX, with a 0 behind it; NULL where there is none. `size` may be NULL. */
const char *ps_compilation_ptx(const PsCompilation *p, size_t *size);
/* What the command line prints to standard error: diagnostics with their lines, usage errors. "": nothing. */
const char *ps_compilation_messages(const PsCompilation *p);

typedef enum PsSeverity { PS_NOTE, PS_WARNING, PS_ERROR } PsSeverity;

typedef struct PsDiagnostic {
	PsSeverity  severity;
	uint32_t    line, col;         /* from 1, columns in bytes; 0: it has no place */
	uint32_t    end_line, end_col; /* the end is not part of it */
	const char *code;              /* "ir-undefined-local" */
	const char *message, *hint;    /* hint "": there is none */
} PsDiagnostic;
/* Diagnostic i, in the order in which the command line prints them. False past the end. */
bool ps_compilation_diagnostic(const PsCompilation *p, size_t i, PsDiagnostic *out);

typedef enum PsLevel { PS_LEVEL_IR, PS_LEVEL_MIR } PsLevel;

/* The program after one pass over one function. */
typedef struct PsStage {
	const char *id;       /* of the pass; "input": as it was read */
	const char *function; /* "": what stands outside functions */
	PsLevel     level;    /* of its text */
	bool        changed;  /* by the pass */
} PsStage;
/* Stage i, in order; with PsCompileOptions.stages alone. False past the end. */
bool ps_compilation_stage(const PsCompilation *p, size_t i, PsStage *out);
/* Its text, of `size` bytes (not ended by a 0). NULL: there is no such stage, or its text was left out because all texts
 * together exceed 256 MiB. */
const char *ps_compilation_stage_text(const PsCompilation *p, size_t i, size_t *size);

/* ---- the emulator: programs
 *
 * A null pointer where something is needed is PS_STATUS_USAGE, or false, NULL and 0 where no status is returned.
 *
 * A call that fails with PS_STATUS_INPUT or PS_STATUS_USAGE leaves the program and the buffers as they were, except
 * that a failed load leaves no program and a failed launch ends the one before. After PS_STATUS_MEMORY and
 * PS_STATUS_INTERNAL the program is unloaded and its buffers are gone; the emulator can load again. */

typedef struct PsEmulator PsEmulator;

/* `memory_cap` is of all that the emulator allocates, programs, buffers and machine together. */
PsEmulator *ps_emulator_new(size_t memory_cap); /* bytes, 1 MiB at least; 0: 1 GiB. NULL: there is no memory */
void        ps_emulator_free(PsEmulator *e);
/* For programs that are loaded from now on. */
void ps_emulator_code_host(PsEmulator *e, const PsCodeHost *host);
void ps_emulator_thread_host(PsEmulator *e, const PsThreadHost *host);

/* What the last call that returns a status had to report, as the command line prints it: "k.ptx:3:9: error: …", the
 * line, a caret; "" after a success without warnings. */
const char *ps_emulator_messages(const PsEmulator *e);
/* The diagnostics of the last load as JSON: [{"severity","line","col","endLine","endCol","code","message","hint"}] */
const char *ps_emulator_diagnostics(PsEmulator *e);

/* Reads a program: LLVM IR, PTX or ptxscope's MIR, told by its name's ending and its first line. `argv` are
 * options of `ptxscope run`: "--level=ir" (ir, mir or ptx: what is executed; default ptx, IR is compiled
 * first), "-mcpu=sm_90", "-O1", any knob. What was loaded before, and its buffers, is forgotten. */
PsStatus ps_emulator_load(PsEmulator *e, const char *name, const char *text, size_t size, int argc, const char *const *argv);

/* A library for programs that are loaded from now on: what IR needs of it is taken, as --link does. Name and text are copied.
 * `name` NULL: forgets all of them. */
PsStatus ps_emulator_library(PsEmulator *e, const char *name, const char *text, size_t size);

/* The text that is executed; lines are counted in it. */
const char *ps_emulator_text(PsEmulator *e, size_t *size);
/* The line of the input that a line of that text came from; 0: none. */
uint32_t ps_emulator_origin(const PsEmulator *e, uint32_t line);
/* Name of kernel i of the program; NULL past the end. */
const char *ps_emulator_kernel(const PsEmulator *e, uint32_t i);

/* ---- buffers and launches */

/* A buffer in global memory: `size` bytes, at most 1 GiB, from `data` or (NULL) zeros. One of this name is replaced. Buffers
 * keep their contents from launch to launch, and so does what kernels get from malloc and do not free, until a launch faults or is
 * given up, or the program or all buffers are replaced. */
PsStatus ps_emulator_buffer(PsEmulator *e, const char *name, const void *data, size_t size);
/* Bytes offset .. offset + size - 1 of a buffer, before or after a launch or in the middle of one; PS_STATUS_USAGE where not all of
 * them are in it, and then none is read or written. */
PsStatus ps_emulator_read(PsEmulator *e, const char *name, size_t offset, void *data, size_t size);
PsStatus ps_emulator_write(PsEmulator *e, const char *name, size_t offset, const void *data, size_t size);

/* An argument: bytes as the parameter's type has them, or the address of a buffer. */
typedef struct PsArg {
	const void *bytes;
	size_t      size;   /* that of the kernel's parameter */
	const char *buffer; /* not NULL: this buffer's address + offset, and `bytes` and `size` count for nothing */
	uint64_t    offset; /* bytes; may lie behind the buffer's end, where accesses are faults */
} PsArg;

static inline PsArg ps_value(const void *bytes, size_t size)
{
	PsArg a = {bytes, size, NULL, 0};
	return a;
}
static inline PsArg ps_pointer(const char *buffer, uint64_t offset)
{
	PsArg a = {NULL, 0, buffer, offset};
	return a;
}

/* Host memory mode: a texture or a surface: memory as width x height x depth texels. An array's layers are its depth, and a 1D array's
 * its height; a cube is six layers. */
typedef struct PsTexture {
	void       *texels;               /* where the first one lies; good for all of them as long as the kernel runs */
	uint32_t    width, height, depth; /* in texels; width 0: there is no object of this number */
	uint32_t    row_bytes;            /* from row to row; 0: the rows follow each other */
	const char *type;                 /* of a channel: "u8", as launch files have it: i8 u8 i16 u16 i32 u32 f16 f32 */
	uint8_t     channels;             /* 1, 2 or 4 */
	uint8_t     directions;           /* 1 to 3 */
	bool        surface, normalized, linear;
	uint8_t     address[3]; /* by direction: 0 clamp, 1 wrap, 2 mirror, 3 border */
	float       border[4];  /* of the border, by channel */
	uint32_t samples; /* of each texel, one behind the other; 0 is 1. More are for textures of two directions, not filtered */
	/* Levels, each behind the one before and of half its size in each direction, 1 at least; 0 is 1. A fetch is from the level that it
	 * names (tex.level) or that follows from how its coordinates change (tex.grad), plus the bias, in the limits. */
	uint32_t levels;
	bool     level_linear; /* the two nearest levels are weighed */
	float    level_bias, level_limit[2];
} PsTexture;

/* What malloc of kernels gives to the launches that name it, of any emulators in host memory mode, one after the other. Blocks that are
 * not given back are there in later ones. It must outlive those emulators, or their next launches. */
typedef struct PsHeap PsHeap;
PsHeap               *ps_heap_new(void); /* NULL: there is no memory */
void                  ps_heap_free(PsHeap *h);
/* Bytes that it may give at the same time, 8 MiB before. False: kernels have had some of it, and it stays as it is. */
bool ps_heap_limit(PsHeap *h, size_t bytes);
/* Blocks that launches with --sanitize=leak have left and nobody has freed since: `tell` is called for each line of a program that got
 * some. Launches that name no heap report them when they end. */
typedef struct PsLeak {
	const char *kernel;
	uint32_t    block[3], thread[3], line; /* of the first */
	uint64_t    address, bytes, blocks;
} PsLeak;
void ps_heap_leaks(const PsHeap *h, void (*tell)(void *user, const PsLeak *leak), void *user);

typedef struct PsLaunch {
	size_t       size;         /* sizeof(PsLaunch) */
	const char  *kernel;       /* its name in the text */
	uint32_t     grid[3];      /* blocks in x, y, z: 1 to INT32_MAX */
	uint32_t     block[3];     /* threads in x, y, z: 1 to 1024, and no more than 1024 in all */
	uint32_t     shared_bytes; /* dynamic shared memory of a block: at most 227 KiB */
	const PsArg *args;
	size_t       n_args; /* as many as the kernel has parameters */
	/* Not NULL: parameter memory as the kernel lays it out (ps_emulator_parameter), in place of `args`. */
	const void *params;
	size_t      params_size; /* bytes of `params`: at least as many as the kernel has */
	/* Host memory mode: what kernels may fetch from. Object i has the handle that ps_texture_handle gives. */
	const PsTexture *textures;
	size_t           n_textures; /* at most 2^17 */
	/* All blocks (at most 64) run at the same time, and CUDA's grid.sync() works. */
	bool cooperative;
	/* Blocks of a cluster in x, y and z; zeros: what the kernel says. */
	uint32_t cluster[3];
	/* NULL: the emulator's own, of 8 MiB */
	PsHeap *heap;
	/* bar.sync waits for each thread that has not ended, as GPUs from sm_70 on do, where threads of a warp come to it on different ways:
	 * PTX leaves that undefined, and without this it is a fault. */
	bool barrier_of_threads;
} PsLaunch;

/* What a kernel is given for object i of the launch, in host memory mode. */
uint64_t ps_texture_handle(size_t i);

/* Sets the kernel up; nothing has run yet. `argv` are options of `run` for this launch: "--profile",
 * "--sanitize=all" (or some of memory,race,init,sync,leak; give it to the load too for gaps between shared variables),
 * "--schedule=seed:N", "--independent", "--max-steps=N", "--quantum=N", "--jobs=N" (where ps_emulator_thread_host gave threads; messages
 * say why it is one job after all; ps_emulator_printed has what was printed when all have ended), "--jobs-after=N". What sanitizers find does not stop the kernel: it ends as faulted,
 * with the first report as its fault, and all of them in ps_emulator_result. */
PsStatus ps_emulator_launch(PsEmulator *e, const PsLaunch *launch, int argc, const char *const *argv);
/* The same from a launch file's JSON, with its buffers in place of those there were. */
PsStatus ps_emulator_launch_json(PsEmulator *e, const char *json, size_t size, int argc, const char *const *argv);

/* ---- host memory mode
 *
 * Addresses that a kernel uses are addresses of this process, so that nothing has to be copied: an argument may be a pointer, and
 * memory may hold pointers. A kernel reaches what is mapped and the variables of its program, and nothing else, whatever its addresses
 * are: any other access is a fault. Programs are executed as PTX; there are no buffers and no launch files. PTX with 32-bit addresses has
 * its variables from 0xc0000000 on, so what is mapped for it ends below.
 *
 *	ps_emulator_host_memory(e, true);
 *	ps_emulator_load(e, "saxpy.ptx", text, strlen(text), 0, NULL);
 *	ps_emulator_map(e, x, sizeof x, PS_READ);
 *	ps_emulator_map(e, y, sizeof y, PS_READ | PS_WRITE);
 *	PsArg args[] = {ps_value(&n, sizeof n), ps_value(&a, sizeof a), ps_value(&x_pointer, 8), ps_value(&y_pointer, 8)}; */

/* For programs that are loaded from now on. */
PsStatus ps_emulator_host_memory(PsEmulator *e, bool on);

/* Where managed variables of 64-bit programs that are loaded from now on lie, in memory of the caller's that is aligned as they are and
 * outlives the program: so programs of several emulators have one of a name. *fresh is true; where the caller makes it false, the variable
 * keeps the bytes that are there, and else gets its initial value. NULL from it: the emulator's own memory, as all other variables. It is
 * called while a program is loaded, and calls nothing of this emulator. NULL in its place: nothing is placed. */
typedef void *(*PsPlaceManaged)(void *user, const char *name, size_t size, bool *fresh);
PsStatus ps_emulator_place_managed(PsEmulator *e, PsPlaceManaged place, void *user);

enum { PS_READ = 1, PS_WRITE = 2 };
/* Kernels may read `size` bytes from `pointer` on and, with PS_WRITE, write them. What is mapped stays so until it is unmapped, whatever
 * is loaded; it must stay the caller's memory, and ends the launch before, if there is one. PS_STATUS_USAGE: nothing is mapped, as the
 * range is empty, overlaps another one or variables of the program, or may not be read. */
PsStatus ps_emulator_map(PsEmulator *e, void *pointer, size_t size, unsigned rights);
/* The same for memory that kernels see at another address than this process does: that of a program which this process interprets. The
 * ranges that exclude each other are those that kernels see. */
PsStatus ps_emulator_map_at(PsEmulator *e, uint64_t address, void *pointer, size_t size, unsigned rights);
/* The range that kernels see from `pointer` on; ends the launch. NULL: all of them. */
PsStatus ps_emulator_unmap(PsEmulator *e, const void *pointer);

/* ---- what is in a program; in names, pointers are good until the next load */

typedef struct PsKernel {
	const char *name;
	uint64_t    params_size;  /* bytes of parameter memory */
	uint32_t    n_params;     /* of them */
	uint32_t    shared_bytes; /* static shared memory: its own, and that of the program's functions and variables */
	uint32_t    const_bytes;  /* constant memory of the program */
	uint32_t    local_bytes;  /* of a thread, without what it calls */
	uint32_t    registers;    /* of 32 bits, as PTX declares them */
	uint32_t    max_threads;  /* of a block, as .maxntid says; 0: it does not */
} PsKernel;
/* False: there is no such kernel. */
bool ps_emulator_kernel_named(const PsEmulator *e, const char *name, PsKernel *out);
/* Where parameter i lies in parameter memory. */
bool ps_emulator_parameter(const PsEmulator *e, const char *kernel, uint32_t i, size_t *offset, size_t *size);

/* A variable in global or constant memory. */
typedef struct PsVariable {
	const char *name;
	size_t      size; /* bytes */
	bool        constant, managed;
	void       *bytes;   /* host memory mode: where it lies; NULL otherwise */
	uint64_t    address; /* host memory mode: where kernels see it */
} PsVariable;
/* Variable i of the program. False past the end. */
bool ps_emulator_variable(const PsEmulator *e, uint32_t i, PsVariable *out);

/* ---- running and stepping
 *
 * A step is one instruction of the text for the lanes of a warp that stand there. Running in small steps and
 * running at once do the same, in the same order. */

typedef enum PsRun {
	PS_RUN_UNDONE,  /* the budget is used up, or nothing is launched: call again, or leave it */
	PS_RUN_STOPPED, /* the goal is reached */
	PS_RUN_DONE,    /* the kernel has ended */
	PS_RUN_FAULTED, /* it was stopped by a fault; its state can be read */
} PsRun;

typedef enum PsGoalKind {
	PS_TO_END,
	PS_INSTRUCTIONS, /* `count` of them; 0: one */
	PS_TO_NEXT_LINE, /* until the warp stands at another line */
	PS_TO_LINES,     /* until a warp is about to run the first instruction of one of `lines` */
	PS_TO_BARRIER,   /* until a warp is about to arrive at a barrier */
} PsGoalKind;

typedef struct PsGoal {
	size_t          size; /* sizeof(PsGoal) */
	PsGoalKind      kind;
	bool            focused;     /* only warp `warp` of block `block` counts; others run when it is their turn */
	uint32_t        block, warp; /* block: its number in the grid, x fastest; warp: in the block */
	uint64_t        count;       /* of PS_INSTRUCTIONS */
	const uint32_t *lines;       /* of PS_TO_LINES; copied */
	size_t          n_lines;
	bool            of_input; /* lines of the input, not of the executed text */
} PsGoal;

/* What ps_emulator_step goes to from now on. After a launch it is the end. */
PsStatus ps_emulator_aim(PsEmulator *e, const PsGoal *goal);
/* Runs to the goal, at most `budget` warp instructions. To report progress or to be cancelled in between, give
 * small budgets and call again. */
PsRun ps_emulator_step(PsEmulator *e, uint64_t budget);
/* To the end, or to a fault. */
PsRun    ps_emulator_run(PsEmulator *e);
uint64_t ps_emulator_steps(const PsEmulator *e);    /* warp instructions so far */
double   ps_emulator_progress(const PsEmulator *e); /* blocks that have ended, 0 to 1 */

/* ---- what came of it */

/* {"buffers","stats","faults","printf","profile"} as `run --json` prints it; also in the middle. */
const char *ps_emulator_result(PsEmulator *e, size_t *size);

/* What the kernel has printed so far, `size` bytes with a 0 behind them. */
const char *ps_emulator_printed(PsEmulator *e, size_t *size);

typedef struct PsFault {
	const char *kind, *message;
	uint32_t    thread[3], block[3]; /* of the thread that was stopped, x, y, z */
	uint32_t    line, origin;        /* of the executed text, of the input */
} PsFault;
/* False: there was none. */
bool ps_emulator_fault(const PsEmulator *e, PsFault *out);

/* ---- looking at it while it stands still */

typedef enum PsPlaceState { PS_PLACE_READY, PS_PLACE_AT_BARRIER, PS_PLACE_WAITS /* for lanes of its warp */ } PsPlaceState;

/* Where lanes of a warp stand that go the same way: a path. */
typedef struct PsPlace {
	uint32_t    block, warp; /* block: its number in the grid, x fastest */
	uint32_t    path;        /* of the warp */
	uint32_t    line, origin;
	uint32_t    mask;    /* its lanes: bit i is lane i */
	uint32_t    depth;   /* calls it is in */
	uint32_t    state;   /* PsPlaceState */
	uint32_t    running; /* 1: the next path of its warp to run */
	const char *function;
} PsPlace;

/* The next instruction to run, of the goal's warp while it has one. False: nothing is left. */
bool ps_emulator_place(PsEmulator *e, PsPlace *out);
/* Blocks that have begun and not ended, by number, at most `cap` of them into `blocks`: how many these are. */
size_t ps_emulator_blocks(PsEmulator *e, uint32_t *blocks, size_t cap);

typedef struct PsWarp {
	uint32_t exists, live; /* lanes, bit i is lane i: that there are, that have not ended */
	uint32_t paths;        /* 0: all its lanes have ended */
} PsWarp;
/* False: there is no such warp (now). */
bool ps_emulator_warp(const PsEmulator *e, uint32_t block, uint32_t warp, PsWarp *out);
/* Path i of a warp; no lane is in two paths. */
bool ps_emulator_path(PsEmulator *e, uint32_t block, uint32_t warp, uint32_t i, PsPlace *out);

/* A register in all lanes; a lane's bits above `bits` are 0. */
typedef struct PsRegister {
	uint64_t    low[32], high[32]; /* high: of 128-bit registers */
	const char *name;              /* as the text has it: "%r1", "%sum" */
	uint32_t    bits;
	char        kind; /* p predicate, b bits, u s integers, i integer of IR, f float, B bfloat, P pointer */
} PsRegister;
/* Register i of the function that a path of a warp is in. False: past the last one. */
bool ps_emulator_register(PsEmulator *e, const PsPlace *at, uint32_t i, PsRegister *out);

typedef enum PsMemory {
	PS_MEMORY_BUFFER, /* by name */
	PS_MEMORY_SYMBOL, /* a variable of the module by name; `block` for one in shared memory */
	PS_MEMORY_SHARED, /* of block `block` */
	PS_MEMORY_LOCAL,  /* of thread `thread` (its number in its block) */
	PS_MEMORY_PARAM,  /* the kernel's parameters */
} PsMemory;
/* Bytes of the running kernel's memory, NULL where there are none; good until the kernel runs on. */
const void *ps_emulator_memory(PsEmulator *e, PsMemory what, const char *name, uint32_t block, uint32_t thread, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
