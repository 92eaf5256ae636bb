/* session.h: the Session owns all state of a compilation. There are no global variables, so two sessions can exist side by
 * side. */
#ifndef PS_SESSION_H
#define PS_SESSION_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/strtab.h"
#include "config/knobs.h"

#include <setjmp.h>

/* What is compiled for. */
typedef struct Target {
	u32  sm;        /* 75, 90, 100, … */
	char variant;   /* 'a', 'f' or 0 */
	u32  ptx;       /* PTX version: major * 10 + minor */
	bool is64;      /* nvptx64: pointers of 64 bits */
	bool nvcl;      /* OpenCL driver interface (triple …-nvcl) */
	bool short_ptr; /* shared, const and local pointers have 32 bits (-nvptx-short-ptr) */
} Target;

/* A host that makes functions of WebAssembly modules, whose imports are the memory and the table that core itself has. Both NULL: none. */
typedef struct CodeHost {
	void *user;
	u32 (*make)(void *user, const u8 *module, size_t size, u32 functions); /* where they are in the table; 0: refused */
	void (*drop)(void *user, u32 first, u32 functions);
} CodeHost;

typedef struct Session {
	MemBudget        budget;
	Arena            arena; /* lives as long as the session */
	Strtab           strs;
	Diags            diags;
	KnobSet          knobs;
	struct IsaTable *isa;       /* interned opcodes (isa/isa.h) */
	Pages            isa_descs; /* IsaDesc by their numbers: every pass asks */
	Target           target;
	u32              opt_level; /* 0 .. 3 */

	/* Bytes that the emulator leaves between variables of shared and of local memory, for --sanitize=memory to see. */
	u32 variable_gap;

	/* --emit=dag: where selection prints its graphs, and whether as dot. NULL: not asked for. */
	struct Text *dag_print;
	bool         dag_dot;

	CodeHost code_host;
	VecU32   code; /* what it has made: first, functions */

	/* Where we are, for internal errors. Set by the pass manager. */
	const char *pass;     /* pass id, or NULL */
	Str         function; /* empty outside one */

	jmp_buf *out; /* set while inside an API call */
	bool     out_of_memory;
	/* The internal error that was left through `out`; kept here because the arena may be what broke. */
	Str         failure;
	char        failure_text[512];
	const char *failure_file;
	int         failure_line;
} Session;

enum { SESSION_MEMORY_CAP = 1u << 30 }; /* bytes; api/ may raise it */

/* False: there is no memory for it, and nothing to be freed. */
bool session_init(Session *s, u64 memory_cap);
/* The same with the pages of a host, and its cap. */
bool session_init_on(Session *s, const MemBudget *host);
void session_free(Session *s);

/* The module's functions in the table, for as long as the session lives; 0: there are none. */
u32 session_make_code(Session *s, const u8 *module, size_t size, u32 functions);

/* The impossible happened. Leaves through s->out; never returns. */
#define ICE(s, ...) session_ice((s), __FILE__, __LINE__, __VA_ARGS__)
void session_ice(Session *s, const char *file, int line, const char *fmt, ...) PS_NORETURN PS_PRINTF(4, 5) PS_COLD;

/* ICE unless `cond`; always compiled in: a wrong program is worse than a slow one. */
#define ICE_UNLESS(s, cond) ((cond) ? (void)0 : ICE(s, "broken invariant: %s", #cond))

/* Name like "sm_90a"; false where unknown. Sets sm and variant, and ptx to the architecture's default
 * unless `ptx_chosen`. */
bool target_set_cpu(Target *t, Str name, bool ptx_chosen);
bool target_set_ptx(Target *t, u32 version);
u32  target_default_ptx(u32 sm, char variant); /* 0: no such target */
/* sm_NNa and sm_NNf are numbered from 0 in table order; false past the last. */
bool target_variant_at(u32 i, u32 *sm, char *variant);
/* "sm_90a" into `buf` of at least 16 bytes; returns it. */
const char *target_cpu_name(const Target *t, char *buf);
/* The same as .target names it: sm_101 is sm_110 from PTX 9.0 on. */
const char *target_ptx_name(const Target *t, char *buf);
/* The i-th target's name, in table order; NULL past the end. */
const char *target_cpu_at(u32 i, char *buf);

#endif
