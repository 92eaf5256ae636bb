/* gen.h: what the files of the generator share.
 *
 * Values that may be used here lie in a pool; a scope remembers its length and cuts it back. Text goes to
 * `out`; a loop's body is written aside, since the phis above it need what it computes. */
#ifndef PS_FUZZ_GEN_H
#define PS_FUZZ_GEN_H

#include "fuzz.h"

typedef enum Type {
	T_I1,
	T_I8,
	T_I16,
	T_I32,
	T_I64,
	T_I128,
	T_I5,
	T_I24,
	T_I33,
	T_I48,
	T_I72,
	T_I100,
	T_HALF,
	T_FLOAT,
	T_DOUBLE,
	T_V2I16,
	T_V4I8,
	T_V2I32,
	T_V4I32,
	T_V2F32,
	T_COUNT
} Type;

typedef struct TypeInfo {
	const char *name, *suffix; /* as IR has it; in the names of intrinsics */
	u32         bits, n;       /* of all of it; elements of a vector, else 0 */
	Type        elem;
	bool        is_float;
} TypeInfo;
extern const TypeInfo type_info[T_COUNT];

typedef struct Op { /* an operand's text */
	char s[64];
} Op;

typedef struct Value {
	Type type;
	Op   op;
} Value;

/* Memory that this thread alone touches (or nobody writes). */
typedef struct Region {
	Op   ptr;
	u32  space, bytes, align;
	bool writable, atomic;
} Region;

enum { MAX_SCOPES = 4, MAX_ARGS = 6, MAX_FUNCS = 4, MAX_REGIONS = 10 };
typedef struct Func {
	u32  n_args;
	Type arg[MAX_ARGS];
	Type ret;
	bool takes_memory, returns_pair, recursive, byval, twin; /* twin: another one has the same signature */
} Func;

typedef struct Gen {
	Random *r;
	Arena  *a;
	Text   *out;
	Text    globals, functions;
	Vec(Str) declared;
	Vec(Value) pool;
	VecU32 uniform; /* indices in pool of values that are equal in all threads of a block */
	Region region[MAX_REGIONS];
	u32    n_regions;
	u32    scopes; /* local arrays for scopes: bit k says that nothing uses the k-th one here */
	Func   func[MAX_FUNCS];
	u32    n_funcs;
	u32    next; /* names */
	u32    sm, threads;
	Op     block; /* that is being written */
	bool   is_kernel;
	bool   together; /* all threads of the block are here */
	bool   counters; /* @count, in shared memory, is set up */
	bool   exchange; /* @line, one word for each thread, is used */
	bool   tables;   /* @table and @cells are used */
	u32    budget;   /* instructions that may still be written */
} Gen;

#define TYPE(t) (type_info[t].name)

Op   gen_let(Gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gen_emit(Gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
Op   gen_op(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void gen_declare(Gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gen_push(Gen *g, Type t, Op op);
Op   gen_label(Gen *g);
void gen_start(Gen *g, Op label);

/* values.c */
Op   gen_value(Gen *g, Type t);
Op   gen_index(Gen *g, u32 n); /* an i64 below n, a power of two */
Op   gen_uniform(Gen *g);      /* an i32 */
void gen_compute(Gen *g);      /* one operation more; its value joins the pool */
Op   gen_digest(Gen *g);       /* the pool's values as one i64 */
/* memory.c */
void gen_memory(Gen *g);
void gen_walk(Gen *g); /* a loop over memory that nobody writes */
void gen_atomic(Gen *g);
void gen_counter(Gen *g);  /* between threads, in any order */
void gen_exchange(Gen *g); /* between threads, where all of them are */
/* generate.c */
void gen_statements(Gen *g, u32 depth, u32 n);

#endif
