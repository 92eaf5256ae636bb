/* state.h: the inside of the stand-in: what the process holds, and how a call begins and ends. For the files of cuda/ alone.
 *
 * Work of streams is done when it is given: a launch returns when the kernel has ended. Every order of streams that a program may see is
 * then the order of its calls, which the documentation permits, and it is the same in every run. What cannot be done that way is work
 * that waits for a later call of the host (cuStreamWaitValue32).
 *
 * One lock holds for a whole call, callbacks excepted, so calls of several threads come one after the other. */
#ifndef PS_CUDA_STATE_H
#define PS_CUDA_STATE_H

#include "api/ptxscope.h"
#include "base/base.h"
#include "cuda/driver.h"
#include "threads/threads.h"

/* ---- objects: everything that a program has a handle of */

typedef enum ObjectKind {
	OBJECT_CONTEXT = 1,
	OBJECT_MODULE,
	OBJECT_FUNCTION,
	OBJECT_STREAM,
	OBJECT_EVENT,
	OBJECT_GRAPH,
	OBJECT_NODE,
	OBJECT_EXEC,
	OBJECT_LINK,
	OBJECT_POOL,
	OBJECT_ARRAY,
	OBJECT_MIPMAP,
	OBJECT_PHYSICAL,
	OBJECT_USER,
} ObjectKind;

/* The beginning of each of them. */
typedef struct Object {
	ObjectKind kind;
	CUcontext  context; /* NULL: of no context */
	u64        id;      /* no other object has had it */
} Object;

/* NULL: there is no memory. Zeroed. */
void *object_new(ObjectKind kind, CUcontext c, size_t size);
/* Is it the address of a live object of the kind? Any pointer may be asked about. */
bool object_is(const void *p, ObjectKind kind);
void object_free(void *p);
/* Calls `free` for every object of the context, and of the kind. */
void object_each(CUcontext c, ObjectKind kind, void (*visit)(void *object));

/* An array with room for one more than n: itself, or moved to where there is; NULL: there is no memory, and the array is as it was. */
void *array_grow(void *array, u32 n, u32 *room, size_t size);

/* ---- memory that the driver knows */

typedef enum AllocKind {
	ALLOC_DEVICE,
	ALLOC_HOST,
	ALLOC_MANAGED,
	ALLOC_REGISTERED,
	ALLOC_VARIABLE,
	ALLOC_ARRAY,
	ALLOC_MAPPED,
	ALLOC_IMPORTED
} AllocKind;

/* Managed variables that modules of several contexts have in common (module.c). */
typedef struct CUmanagedSet_st ManagedSet;

/* Memory of a graph's node, at one address as long as a graph, an executable one or the program has it (graph_memory.c). */
typedef struct GraphMemory GraphMemory;

typedef struct Alloc {
	u64       base, size;
	AllocKind kind;
	bool constant; /* a variable of constant memory, which has another address there; by this one, kernels may also write it */
	bool         managed; /* a variable that the host uses, too */
	bool         whole_pages;
	unsigned     flags; /* as the program gave them */
	CUcontext    context;
	CUmodule     module; /* of a variable */
	CUmemoryPool pool;
	ManagedSet  *set;              /* of a variable that modules have in common: these; they have it already; NULL */
	GraphMemory *graph;            /* whose bytes they are; NULL */
	int          device;           /* ALLOC_MAPPED: whose memory it is */
	u32          readers, writers; /* ALLOC_MAPPED: devices, a bit each; no readers: address space alone */
	int          file; /* ALLOC_DEVICE: 1 + the descriptor of the file that other processes map; 0: there is none */
	struct {
		u64 file_device, inode; /* of the file */
		u32 opened;             /* how often */
	} origin;                       /* ALLOC_IMPORTED */
	u64 id;
} Alloc;

/* Which one holds the address; NULL: none. Good until one is added or removed. */
Alloc *alloc_at(u64 address);
/* The same if `size` bytes from there on are in it. */
Alloc *alloc_holding(u64 address, u64 size);
/* Its id is a new one where it has none. */
CUresult alloc_add(const Alloc *a);
void     alloc_remove(Alloc *a);
/* Gives back the memory that the driver allocated itself, too. */
void     alloc_release(Alloc *a);
CUresult alloc_new(AllocKind kind, CUcontext c, u64 size, unsigned flags, u64 *out);
void     alloc_release_context(CUcontext c);
void     alloc_unmap_imported(const Alloc *a);
/* Files in memory that other processes get descriptors of, whose names say what they are; < 0: there is none, or it is another one. */
int shared_file(const char *name, int device, u64 size);
int shared_file_device(int file, const char *name, u64 *size);
/* Pools whose memory other processes may have, and those that are other processes'. */
bool     pool_is_shared(CUmemoryPool p, int *device);
bool     pool_is_imported(CUmemoryPool p);
CUresult pool_imported(CUmemoryPool *out, int device);
/* Who may access what has changed: modules look at the whole table again. */
void alloc_all_changed(void);

/* The newest changes of the table, by its version. */
enum { MOST_CHANGES = 256 };
typedef struct AllocChange {
	Alloc alloc;
	bool  added;
} AllocChange;

/* ---- contexts */

enum { LIMITS = 8, STREAM_ATTRIBUTES = 5 };
typedef struct StreamAttributes {
	u8 value[STREAM_ATTRIBUTES][64];
} StreamAttributes;
struct CUctx_st {
	Object           o;
	CUdevice         device;
	unsigned         flags;
	bool             primary;
	u32              attached; /* users besides the one who created it (legacy.c) */
	int              cache_config, shared_config;
	size_t           limit[LIMITS];
	StreamAttributes attributes; /* of its default stream */
	CUcontext       *peer;       /* whose memory its kernels may access, too */
	u32              n_peers;
	PsHeap          *heap;    /* of its kernels' malloc; NULL until it is wanted */
	Threads         *threads; /* that execute launches of several jobs; NULL until there is a module */
	CUresult         failed;  /* of a kernel: what every call in the context returns from then on */
};

CUcontext context_current(void);
/* Where the peer is in c->peer; ~0: it is none. */
u32 peer_find(CUcontext c, CUcontext peer);
/* What malloc of its kernels gives; NULL: there is no memory. */
PsHeap      *context_heap(CUcontext c);
PsThreadHost context_threads(CUcontext c);
/* Frees all that belongs to it. */
void context_free(CUcontext c);

/* ---- work of streams and nodes of graphs */

/* With the numbers that graph nodes have. */
typedef enum WorkKind {
	WORK_KERNEL,
	WORK_COPY,
	WORK_FILL,
	WORK_HOST,
	WORK_GRAPH,
	WORK_EMPTY,
	WORK_WAIT,
	WORK_RECORD,
	WORK_ALLOC = 10,
	WORK_FREE = 11,
	WORK_CONDITIONAL = 13
} WorkKind;

/* Rows of `width` bytes, in slices. */
typedef struct Box {
	u64    to, from;
	size_t to_pitch, to_slice, from_pitch, from_slice, width, height, depth;
} Box;

typedef struct KernelWork {
	CUfunction f;
	u64        f_id;
	unsigned   grid[3], block[3], shared;
	unsigned   cluster[3]; /* zeros: what the kernel says */
	bool       cooperative;
	u8        *params; /* parameter memory; a node's own copy */
	u64        params_size;
} KernelWork;

typedef struct FillWork {
	u64      to;
	size_t   pitch, width, height; /* width in elements */
	unsigned value, element;
} FillWork;

typedef struct HostWork {
	CUhostFn         fn;
	CUstreamCallback callback;
	void            *user;
	CUstream         stream;
} HostWork;

/* Graphs of which the value of a condition chooses one. */
typedef struct ConditionalWork {
	u64      handle;
	int      type;
	unsigned n;
	CUgraph *body; /* the node's */
} ConditionalWork;

typedef struct Work {
	WorkKind kind;
	union {
		KernelWork      kernel;
		Box             copy;
		FillWork        fill;
		HostWork        host;
		CUevent         event;
		CUgraph         graph;
		GraphMemory    *memory;
		u64             freed;
		ConditionalWork conditional;
	};
} Work;

/* Does it. */
CUresult work_run(CUcontext c, const Work *w);
/* A word of memory is written in its turn. */
CUresult write_value(CUcontext c, CUstream s, u64 p, u64 value, unsigned bytes, unsigned flags);
/* Outside the lock. */
CUresult host_run(const HostWork *h);
CUresult kernel_run(CUcontext c, const KernelWork *k);
CUresult event_happens(CUevent e);
CUresult event_create(CUcontext c, CUevent *out, unsigned flags);
bool     event_flags(CUevent e, unsigned *out);
/* A kernel's parameters out of a call's `params` or `extra` into `room` (MOST_PARAMS bytes), and whether the launch may be. */
enum { MOST_PARAMS = 32768 };
CUresult kernel_work(CUfunction f, void **params, void **extra, u8 *room, KernelWork *out);
/* The box of a copy as the program describes it; is its device memory there? */
CUresult copy_box(const CUDA_MEMCPY3D *p, Box *out);
CUresult fill_work(const FillWork *f);
/* Device memory or managed memory that begins there. */
CUresult memory_free(u64 p);

/* A stream that may be one of the default ones: *out is NULL for those. */
CUresult stream_of(CUcontext c, CUstream s, CUstream *out);
bool     stream_captures(CUstream s);
/* Does the work, or makes it a node of the graph that the stream is captured into. */
CUresult stream_submit(CUcontext c, CUstream s, const Work *w);

/* A graph's memory for the context's device; NULL: there are no addresses. */
GraphMemory *graph_memory_new(CUcontext c, u64 size);
u64          graph_memory_base(const GraphMemory *m);
void         graph_memory_keep(GraphMemory *m);
void         graph_memory_drop(GraphMemory *m);
/* NULL: no graph's memory has the address, or holds that many bytes from there on. */
const GraphMemory *graph_memory_at(u64 address);
const GraphMemory *graph_memory_holding(u64 address, u64 size);
/* Its allocation has gone from the table. */
void     graph_memory_freed(GraphMemory *m);
CUresult graph_memory_run(GraphMemory *m);

/* A new node behind others of the graph; its parameters are copied. */
CUresult graph_add(CUgraph g, const CUgraphNode *after, size_t n, const Work *w, CUgraphNode *out);
/* Of a kernel's node. */
void    node_priority(CUgraphNode n, int priority);
CUgraph graph_new(CUcontext c);
/* Is it a live node of the graph? */
bool graph_has(CUgraph g, CUgraphNode n);
u64  graph_id(CUgraph g);
/* Of two sets of nodes: does every one of `all` precede or belong to `last`? */
bool graph_reaches(CUgraph g, const CUgraphNode *last, size_t n_last, const CUgraphNode *all, size_t n_all);

/* Frees an object of any kind but contexts, with what it holds. */
void object_destroy(void *object);
void module_destroy(CUmodule m);
void graph_destroy(CUgraph g);
void exec_destroy(CUgraphExec x);
void link_destroy(CUlinkState l);
void stream_destroy(CUstream s);

/* ---- modules */

struct CUmod_st {
	Object      o;
	PsEmulator *emulator;
	CUfunction  first;   /* of its kernels, as they were asked for */
	u64         version; /* of the table of memory that the emulator was told */
	ManagedSet *set;     /* where its managed variables lie; NULL: with the others */
};

typedef struct Legacy Legacy;
struct CUfunc_st {
	Object     o;
	CUmodule   module;
	CUfunction next;
	PsKernel   kernel;
	int        most_dynamic; /* bytes of dynamic shared memory that a launch may ask for */
	int        carveout;
	Legacy    *legacy; /* what its launch takes that names nothing (legacy.c); NULL */
};

/* The whole file with zeros behind it, to be freed; NULL: it cannot be read. */
char    *file_text(const char *path, size_t *size);
CUresult function_find(CUmodule m, const char *name, CUfunction *out);

/* The PTX in an image (image.c): text, or a fatbinary. `own`: to be freed; NULL: the image itself. */
typedef struct Ptx {
	const char *text;
	size_t      size;
	char       *own;
} Ptx;
CUresult image_ptx(const void *image, size_t size, Ptx *out);
/* The images that an image of nvcc -rdc=true leaves to be linked when it is loaded, with NULL behind them; NULL: it is whole. */
const void *const *image_parts(const void *image);
/* Not of a fatbinary whose PTX the device cannot run, or which has none. */
bool image_has_ptx(const void *image);
/* link.c: of parts without PTX, as CUDA's library of device functions, nothing is there. */
CUresult link_images(CUcontext c, const void *const *parts, Ptx *out);
/* Decoders (lz4.c, zstd.c): false where `from` is nothing that decodes to `size` bytes. */
bool lz4_decode(const u8 *from, size_t n, u8 *to, size_t size);
bool zstd_decode(const u8 *from, size_t n, u8 *to, size_t size);

/* ---- arrays, textures and surfaces */

struct CUarray_st {
	Object                  o;
	CUDA_ARRAY3D_DESCRIPTOR d;
	u64                     base, row;    /* its memory; bytes of a row */
	size_t                  rows, slices; /* rows of a slice; slices or layers */
	CUmipmappedArray        levels;       /* that it is one of; NULL */
};
/* Arrays of half the size each, one behind the other in one allocation; each is an array that programs may use, too. */
struct CUmipmappedArray_st {
	Object                  o;
	CUDA_ARRAY3D_DESCRIPTOR d;
	u64                     base, bytes;
	u32                     n;
	CUarray                *level;
};
void array_destroy(CUarray a);
void mipmap_destroy(CUmipmappedArray m);
/* The name that the emulator has for a format, and the bytes of a channel; NULL: there is no such format. */
const char *format_type(int format, unsigned *bytes);
/* What kernels of the context may fetch from, as a launch takes it (texture.c). */
const PsTexture *texture_table(CUcontext c, size_t *n);
void             texture_release_context(CUcontext c);

/* ---- what the process has */

enum { MOST_DEVICES = 16 };
typedef struct Driver {
	bool         ready;
	int          n_devices;
	unsigned     sm; /* 90 for sm_90 */
	char         target[16];
	CUcontext    primary[MOST_DEVICES];
	int          retained[MOST_DEVICES];
	unsigned     primary_flags[MOST_DEVICES];
	CUmemoryPool pool[MOST_DEVICES];         /* each device's default one */
	CUmemoryPool current_pool[MOST_DEVICES]; /* what cuMemAllocAsync takes from, if it is there; NULL: the default one */
	u64          memory, memory_used;        /* bytes of a device */
	Alloc       *alloc;                      /* by address, without overlaps */
	u32          n_alloc, room_alloc;
	u64          version; /* of the table */
	AllocChange  change[MOST_CHANGES];
	Object     **object; /* a hash table of addresses; a power of two; NULL: free */
	u32          n_object, room_object;
	u64          next_id;
	const char  *sanitize;
	unsigned     jobs;       /* of a launch */
	u64          jobs_after; /* warp instructions before there are more than one; 0: as the emulator has it */
} Driver;
extern Driver driver;

/* ---- calls */

enum {
	ANYWHERE = 1 /* also before cuInit */,
	IN_CONTEXT = 2 /* a context must be current and in order */,
	ON_DEVICE = 4 /* after cuInit */
};

typedef struct Call {
	const char *name;
	CUcontext   context; /* the current one; with IN_CONTEXT not NULL */
	CUresult    result;
} Call;

/* False: the call ends here, with c->result. */
bool     call_begin(Call *c, const char *name, unsigned needs);
CUresult call_end(Call *c);
/* For callbacks of the program, which may take long and may wait for other threads. */
void call_unlock(void);
void call_lock(void);

/* The body of a function of the API: `value` is evaluated with `c` at hand, if the call may go on. */
#define DRIVER_CALL(needs, value)                    \
	do {                                         \
		Call c;                              \
		if (call_begin(&c, __func__, needs)) \
			c.result = (value);          \
		return call_end(&c);                 \
	} while (0)

/* CUDA_ERROR_NOT_SUPPORTED, and a line on standard error the first time for these words. */
CUresult unsupported(const char *what);
/* A line on standard error. */
void say(const char *fmt, ...) PS_PRINTF(1, 2);
/* Nanoseconds of a clock that never goes back. */
u64 clock_ns(void);

#endif
