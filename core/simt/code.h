/* code.h: the decoded form that the machine executes, whatever it was decoded from (IR, MIR, PTX).
 *
 * A register is one row (u32[32], one element per lane), two rows (u64[32]) or four (a 128-bit value:
 * u64[32] of low words, then of high words); a wider integer of IR has two more for each 64 bits. Registers are numbered by their first row in the frame;
 * negative numbers name rows of the program's constant pool. Narrow integers are kept zero-extended;
 * a predicate is 0 or 1.
 *
 *	S_LANES  d, a, b, c, x     a pure function of lanes: kernels.def
 *	S_BR     y                 guarded: the lanes whose guard holds go to y; unguarded: all
 *
 * Where paths that parted meet again (the immediate post-dominator) is `z` of the branch; emit.c
 * computes it. Decoders use the functions of emit.h. */
#ifndef PS_SIMT_CODE_H
#define PS_SIMT_CODE_H

#include "base/checked.h"
#include "base/map.h"
#include "base/vec.h"
#include "config/session.h"
#include "isa/isa.h"

enum { LANES = 32 };
#define ALL_LANES 0xffffffffu

/* Generic addresses. A state space's own address is the offset into its window; global and constant
 * memory have one address in both views. Of shared memory, bits 24 to 27 are the block's rank in its cluster, as on hardware: a
 * variable has another address in each block of a cluster, and an address leads to the same bytes in all of them. */
enum {
	WINDOW_BITS = 24,
	WINDOW_SIZE = 1 << WINDOW_BITS,
	RANK_BITS = 4,
	MOST_RANKS = 1 << RANK_BITS,
	SHARED_WINDOW = MOST_RANKS << WINDOW_BITS,
	LOCAL_WINDOW = 2 << WINDOW_BITS,
	PARAM_WINDOW = 3 << WINDOW_BITS,
	CODE_WINDOW = 4 << WINDOW_BITS,   /* functions: CODE_WINDOW + 16 * number */
	HANDLE_WINDOW = 5 << WINDOW_BITS, /* texture and surface objects: + 64 * number */
	CONST_WINDOW = 6 << WINDOW_BITS,  /* constant variables: generic and .const addresses are equal */
	SHARED_START = 1024,              /* first address that a variable gets, as on sm_80 and later */
	LOCAL_START = 256,
};
/* Host memory mode: global memory has the addresses of the host's memory, so the windows of generic addresses begin where no process
 * has memory. */
#define HOST_WINDOWS ((u64)1 << 60)
/* With 32-bit addresses, of which the lower ones are the host's: variables, windows, the kernel's heap. */
#define HOST_GLOBALS_32 0xc0000000u
#define HOST_WINDOWS_32 0xe0000000u
#define HOST_HEAP_32    0xe8000000u
#define GLOBAL_START_64 0x7f0000000000u
#define GLOBAL_START_32 0x20000000u
/* Is the address, counted from SimtProgram.windows, in the windows of shared memory? */
static inline bool simt_is_shared(u64 in_windows)
{
	return in_windows >> (WINDOW_BITS + RANK_BITS) == SHARED_WINDOW >> (WINDOW_BITS + RANK_BITS);
}

typedef enum SimtOp {
	S_LANES,
	S_BR, /* y: target; guard */
#define SPECIAL_LANES(id, handler, flags) S_##id,
#define SPECIAL_PATH(id, handler, flags)  S_##id,
#include "simt/special.def"
	S_COUNT
} SimtOp;

enum { NO_REG = INT32_MAX };

enum { /* SimtInsn.flags */
       SIF_GUARD = 1,
       SIF_GUARD_NOT = 2,
       SIF_MICRO = 4, /* part of the instruction before it: not counted */
       SIF_JOIN = 8,  /* paths may meet here */
       SIF_STOP = 16, /* a debugger wants to know (step.c) */
};

/* What S_LD, S_ST, S_ATOM do to memory. */
typedef struct SimtMem {
	u8 space;      /* IsaMemory */
	u8 bytes;      /* of an element, 1..16 */
	u8 align_log2; /* the address must be a multiple */
	u8 flags;      /* SMF_* */
} SimtMem;
enum {
	SMF_SIGNED = 1,   /* a narrow element is sign-extended to the register */
	SMF_WIDE = 2,     /* the register has 64 bits */
	SMF_NARROW16 = 4, /* a sign-extended element is cut to 16 bits */
	SMF_FRAME = 8,    /* the address is relative to the frame's local memory */
	SMF_OWN = 16,     /* .shared::cta: not of another block */
};

typedef struct SimtInsn {
	u8      op; /* SimtOp */
	u8      flags;
	u8      rows;   /* of the result */
	u8      n;      /* elements of a vector access */
	u16     kernel; /* S_LANES: row of kernels.def */
	u16     narrow; /* memory: the address register has 32 bits */
	i32     d, a, b, c, guard;
	u32     x, y, z;
	SimtMem mem;
	u32     line;   /* of the decoded text, 1-based */
	u32     origin; /* of the compiler's input */
} SimtInsn;
_Static_assert(sizeof(SimtInsn) == 52, "code is as small as it can be");

typedef enum AtomOp {
	ATOM_ADD,
	ATOM_SUB,
	ATOM_MIN,
	ATOM_MAX,
	ATOM_UMIN,
	ATOM_UMAX,
	ATOM_AND,
	ATOM_OR,
	ATOM_XOR,
	ATOM_NAND,
	ATOM_EXCH,
	ATOM_CAS,
	ATOM_INC,
	ATOM_DEC,
	ATOM_FADD,
	ATOM_FSUB,
	ATOM_FMIN,
	ATOM_FMAX,
	ATOM_FMINIMUM,
	ATOM_FMAXIMUM,
	ATOM_USUB_COND,
	ATOM_USUB_SAT,
} AtomOp;
enum { /* SimtInsn.x of S_ATOM: op | format << 8 | flags */
       ATOM_FMT_SHIFT = 8,
       ATOM_PACKED = 1 << 16, /* two 16-bit floats */
       ATOM_FTZ = 1 << 17,
};

typedef enum BarOp { BAR_SYNC, BAR_ARRIVE, BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR, BAR_CLUSTER_ARRIVE, BAR_CLUSTER_WAIT } BarOp;
enum {
	BAR_OP = 7,
	BAR_ANY_PATH = 8, /* without .aligned: the lanes of a warp may arrive apart */
	BAR_RELAXED = 16, /* orders no memory accesses (barrier.cluster.arrive) */
};
typedef enum VoteOp { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT } VoteOp;
typedef enum ShflMode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX } ShflMode;
typedef enum ReduxOp {
	REDUX_ADD,
	REDUX_MIN,
	REDUX_MAX,
	REDUX_UMIN,
	REDUX_UMAX,
	REDUX_AND,
	REDUX_OR,
	REDUX_XOR,
	REDUX_FMIN,
	REDUX_FMAX
} ReduxOp;

typedef struct SimtParam {
	u32  offset, size, align; /* in parameter memory (kernels) or in the local frame */
	i32  reg;                 /* register decoders: its first row; NO_REG: stays in memory */
	u32  bits;                /* of the register */
	bool open;                /* .param .b8 x[]: as large as what the call passes, up to `size` */
} SimtParam;

/* S_BIG: what is computed, of integers of any width (SimtInsn.x & 15), with BIG_SIGNED, and above BIG_SHIFT a SemOp, a SemFmt or
 * a SemCmp. y: the operands' width; z: the result's where it differs. */
typedef enum BigOp { BIG_EVAL, BIG_OVERFLOW, BIG_COMPARE, BIG_EXTEND, BIG_TO_FLOAT, BIG_OF_FLOAT } BigOp;
enum { BIG_OP = 15, BIG_SIGNED = 16, BIG_SHIFT = 8 };

/* Where a register of the text lies. `kind`: p predicate, b bits, u and s integers, i an integer of IR, f float,
 * B bfloat, P pointer. */
typedef struct SimtReg {
	u32  id;     /* PTX: StrId of its name or of its range; MIR: MirReg; IR: IrRef */
	u32  number; /* PTX: in the range, NO_NUMBER: none; IR: piece of an aggregate, NO_NUMBER: it is a scalar */
	i32  row;
	char kind;
	u8   bits; /* at most 128: a wider integer of IR is in pieces of 64 */
	u16  spare;
} SimtReg;
_Static_assert(sizeof(SimtReg) == 16, "fixed width on every host");
#define NO_NUMBER UINT32_MAX

/* Operands of a call in ext: n_args, n_rets, then a pair for each argument and each result: a register and its bits, or
 * (SimtFunc.by_memory) an offset into the caller's frame and the bytes that the caller reserves there. */
enum { CALL_HEAD = 2, CALL_PAIR = 2 };

typedef struct SimtExtent {
	u32 at, bytes;
} SimtExtent;

typedef struct SimtFunc {
	Str  name;
	u32  start, end; /* first instruction; the S_RET */
	u32  rows;       /* registers of a frame */
	u32  local;      /* bytes of local memory of a frame; UINT32_MAX: that or more, it cannot be entered */
	u32  local_align;
	bool is_kernel, has_body;
	bool by_memory; /* PTX: arguments lie in .param memory, copied into the frame's local memory */
	bool vararg;
	u32  ext_call; /* external functions the machine provides: ExtFunc; 0 none */
	Vec(SimtParam) arg, ret;
	Vec(SimtReg) reg;         /* those with a name, for debuggers */
	Vec(SimtExtent) variable; /* of local memory, where Session.variable_gap is between them; else empty */
	u64  param_size;          /* kernels: bytes of parameter memory */
	u64  shared_end;          /* kernels: address behind their variables in shared memory; 0: that of the program */
	u32  max_threads;         /* of a block, by .maxntid or .reqntid; 0: the kernel does not say */
	u32  cluster[3];          /* blocks of a cluster; 0: the kernel does not say */
	u32  max_rank;            /* at most so many; 0: the kernel does not say */
	bool explicit_cluster;    /* the launch has to say */
	bool grid_of_clusters;    /* the launch's grid counts clusters */
	u32  line;
	/* kernels: with all that they call, as lane_code.h has it; NULL: not yet, or the host makes none */
	const struct LaneCode *compiled;
	u64                    heat; /* warp instructions that have been executed without it */
	bool                   compiling_failed;
} SimtFunc;

/* A module variable. */
typedef struct SimtSymbol {
	Str    name;
	u8     space;   /* SPACE_GLOBAL, SPACE_CONST, SPACE_SHARED */
	bool   dynamic; /* extern shared: behind all others, as large as the launch says */
	bool   managed; /* the host uses it, too */
	bool   some;    /* shared memory: `kernels` alone have it (reach.h), and others have something else there */
	VecU32 kernels;
	u32    line;
	bool   is_object; /* a texture, sampler or surface reference: its value is a handle */
	u64    size, align;
	u64    address; /* in its own space */
	u8    *init;    /* NULL: zeros; addresses in it are filled in by the decoder */
	u8    *host;    /* host memory mode: its bytes, which all launches share; NULL: every machine makes its own */
	bool   valued;  /* they have their values already */
} SimtSymbol;

typedef struct TexForm {
	u8   what;      /* TexWhat */
	u8   geometry;  /* TexGeometry */
	u8   coords;    /* of the coordinates: 0 s32, 1 f32 */
	u8   type;      /* textures: Result of texture.c; surfaces: bytes of a component */
	u8   n;         /* results, values */
	u8   clamp;     /* surfaces: what an access outside does (texture.c) */
	u8   level;     /* 0 none, 1 level, 2 grad (textures) */
	u8   component; /* tld4 */
	i32  handle, sampler;
	bool by_sample; /* surfaces: x counts samples, not bytes */
	bool moved;     /* by the offsets, in texels */
	i32  result[4], coord[4], offset[3];
	i32  lod[2][3];       /* level: [0][0]; grad: how the coordinates change, along x and along y */
	i32  resident, depth; /* the predicate that takes whether the texels are there; what they are compared with; or NO_REG */
	u32  query, atom;     /* what is asked; SURF_REDUCE: AtomOp and its flags */
} TexForm;
typedef enum TexWhat { TEX_FETCH, TEX_GATHER, SURF_LOAD, SURF_STORE, SURF_STORE_FORMATTED, SURF_REDUCE, TEX_QUERY } TexWhat;
typedef enum TexGeometry {
	GEOM_1D,
	GEOM_2D,
	GEOM_3D,
	GEOM_1D_ARRAY,
	GEOM_2D_ARRAY,
	GEOM_CUBE,
	GEOM_CUBE_ARRAY,
	GEOM_2DMS,
	GEOM_2DMS_ARRAY
} TexGeometry;

/* A matrix instruction of a warp. mma.c: products, and which lane holds which element; matrix_move.c: memory. */
typedef enum MmaWhat { MMA_MULTIPLY, MMA_LDMATRIX, MMA_STMATRIX, MMA_MOVMATRIX, MMA_LOAD, MMA_STORE } MmaWhat;
typedef enum MmaLayout { LAYOUT_MMA, LAYOUT_QUADS, LAYOUT_WMMA } MmaLayout;
typedef enum MmaPart { PART_A, PART_B, PART_C, PART_D } MmaPart;
typedef struct MmaForm {
	u8   what;   /* MmaWhat */
	u8   layout; /* MmaLayout */
	u16  m, n, k;
	u8   type[4];      /* ElementType by MmaPart */
	u8   regs[4];      /* registers by MmaPart */
	bool a_col, b_col; /* quads: where elements lie depends on it */
	bool saturate, trans;
	u8   bit_op; /* products of bits: 0 xor, 1 and */
	u8   count;  /* ldmatrix, stmatrix: matrices */
	u8   part;   /* MMA_LOAD, MMA_STORE: MmaPart */
	bool by_column;
	u8   space;
	u16  mode;         /* SemFpMode of f64 sums */
	i32  row[4][16];   /* registers by MmaPart */
	i32  addr, stride; /* stride NO_REG: the matrix is dense */
	u32  offset;
	u8   room[2]; /* A, B: bits that an element takes in a register; 0: its own */
	u8   sparse;  /* elements in a chunk; 0: A is dense */
	u8   selector;
	u8   scales;      /* for each row of A and column of B; 0: none */
	bool scale_e4m3;  /* unsigned e4m3; else ue8m0 */
	i32  metadata;    /* of a sparse A */
	i32  scale[2][3]; /* of A, of B: their register, byte and thread */
	u8   unpack;      /* ldmatrix: bits of an element in memory that takes 8 in the register; 0: as many */
} MmaForm;

/* wgmma: A and B in shared memory, or A in registers. */
typedef struct WgmmaForm {
	u16  n, k;
	u8   type_a, type_b, type_d;
	u8   sparse, selector; /* as in MmaForm */
	bool saturate, negate_a, negate_b, a_by_m, b_by_n;
	i32  a_descriptor;                       /* NO_REG: in registers */
	i32  a[4], b_descriptor, keep, metadata; /* keep: D is added */
	u32  d, n_d;                             /* registers of D: in ext */
} WgmmaForm;

/* An asynchronous copy, or an operation on an mbarrier: async.c. */
/* The scope that an mbarrier's arrival or wait names. */
enum { REACH_OPEN, REACH_BLOCK, REACH_CLUSTER };

typedef struct AsyncForm {
	u8   what; /* AsyncWhat */
	u8   to_space, from_space, mbar_space;
	bool wide, drop, expect, all, pair; /* all: to every block of the cluster; pair: of two blocks (.cta_group::2) */
	bool ignore, bulk,
		reads; /* ignore: skip is a predicate; bulk: of groups of bulk copies; reads: wait for no more than those */
	bool relaxed;  /* an mbarrier's arrival or wait that orders nothing by itself */
	u8   reach;    /* of that order: REACH_… */
	u8   rank, access, way;                /* tensors: coordinates, TensorAccess, TensorWay */
	u8   field, ordinal;                   /* tensormap.replace: TensorField */
	i32  d, to, from, size, mbar, b, skip; /* NO_REG: absent */
	i32  mask, right;                      /* bytes of each 16 that are copied; bytes to leave out at the end */
	i32  blocks, map, coord[5], im2col[3];
	u8   n_im2col;
	u32  to_offset, from_offset, mbar_offset;
	u32  bytes; /* of a copy, of an element */
	u32  atom;  /* AtomOp and its flags */
} AsyncForm;

/* tcgen05: tmem.c, tcgen05.c. */
typedef struct TensorForm {
	u8   what;                                  /* TensorWhat */
	u8   shape, num, kind, size;                /* tokens of the instruction's slots */
	bool pack, pair, sparse, stationary, shift; /* pair: of two blocks; stationary: .ws */
	u8   scale_d;                               /* D is divided by 2 to it */
	u8   unpack;                                /* cp: bits of an element in shared memory that takes 8; 0: copied as it is */
	u16  n;                                     /* registers */
	i32  d, a, b, descriptor, keep, metadata;   /* NO_REG: absent; a: A in tensor memory or in shared memory */
	bool a_in_smem;
	i32  scale[2], columns; /* columns: that take part as zeros */
	u32  d_offset, a_offset, metadata_offset, scale_offset[2], half;
	u32  regs;  /* in ext */
	u8   space; /* of alloc's destination */
	i32  disabled[8];
	u8   n_disabled;
} TensorForm;

/* Where code from the instruction `insn` on comes from in the source that the compiler's input was made of; line 0: not known. */
typedef struct SimtSource {
	Str file;
	u32 insn, line, column;
} SimtSource;

typedef struct SimtProgram {
	Session *s;
	Arena   *arena;
	bool     is64;
	Vec(SimtInsn) code;
	Vec(SimtFunc) func;
	Vec(SimtSymbol) symbol;
	Map func_at, symbol_at; /* StrId of a name → the first that bears it */
	Vec(SimtSource) source; /* by instruction */
	VecU32 ext;
	Vec(TexForm) tex;
	Vec(MmaForm) mma;
	Vec(WgmmaForm) wgmma;
	Vec(TensorForm) tensor;
	Vec(AsyncForm) async;
	Vec(Str) text;
	u32        *pool; /* constant rows; row 0 is unused */
	u32         pool_rows, pool_cap;
	Map         pool_at[3];  /* value → row, for 32, 64 and 128 bits (of which the high word is 0) */
	VecU32      shared_rows; /* those of addresses of shared memory, to which a block's rank is added: 2 * row + (64 bits?) */
	Map         shared_at[2];                      /* the same by value, for 32 and 64 bits */
	u64         global_end, shared_end, const_end; /* addresses behind the variables */
	const char *level;                             /* "ir", "mir", "ptx" */
	u64         windows;                           /* added to the windows' addresses; 0: not in host memory mode */
	struct IrModule  *ir;                          /* decoded from it: names of its registers */
	struct MirModule *mir;
	bool              too_large; /* it exceeds a limit, which was reported: it cannot run */
} SimtProgram;

/* ---- the decoders: NULL, with diagnostics, where something cannot be decoded */
struct IrModule;
struct MirModule;
struct PtxModule;
SimtProgram *simt_from_ir(Session *s, Arena *arena, struct IrModule *m);
/* What an execution of IR takes where the LangRef leaves it open. None: what the operations of sem/ give, undef is zero. */
typedef struct SimtFreedom {
	bool has_pattern; /* poison and undef have the bits of the pattern */
	bool fused;       /* a product is added without being rounded first, where both allow `contract` */
	u64  pattern;
} SimtFreedom;
SimtProgram *simt_from_ir_with(Session *s, Arena *arena, struct IrModule *m, SimtFreedom freedom);
SimtProgram *simt_from_ptx(Session *s, Arena *arena, struct PtxModule *m);
/* Host memory mode: where the host wants a managed variable, of 64-bit programs. NULL from it, or no function: in the arena, as all
 * others. *fresh: it has no value yet, and gets its initial one. */
typedef struct SimtInHost {
	void *(*place)(void *user, const char *name, size_t size, bool *fresh);
	void *user;
} SimtInHost;
/* In host memory mode: addresses of global memory are addresses of the host. */
SimtProgram *simt_from_ptx_in_host(Session *s, Arena *arena, struct PtxModule *m, const SimtInHost *host);
/* lines (may be NULL: those of the input): by instruction in the order of the text, where it stands. */
SimtProgram *simt_from_mir(Session *s, Arena *arena, struct MirModule *m, const VecU32 *lines);

#endif
