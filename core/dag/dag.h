/* dag.h: the SelectionDAG of one block.
 *
 *	build ──▶ combine ──▶ legalize types ──▶ legalize operations ──▶ combine ──▶ select ──▶ schedule ──▶ emit
 *	(IR)                  (registers'         (what PTX has)                    (patterns.def)          (MIR)
 *	                       types alone)
 *
 * A node is a record with results (DagVal: node and result number) and operands, each of
 * which is a use record on the list of the node it names. Equal nodes are one node (dag_node finds them
 * by a hash). Everything is changed through the functions here, which keep the lists and the hash right.
 *
 * Nodes, operands and lists of one block come from pools that the next block uses again. */
#ifndef PS_DAG_H
#define PS_DAG_H

#include "base/pages.h"
#include "base/vec.h"
#include "dag/vt.h"
#include "ir/ir.h"
#include "mir/mir.h"
#include "pass/pass.h"
#include "sem/eval.h"

typedef enum DagOp {
#define NODE(id, text, eval, flags, summary) DAG_##id,
#include "dag/dag_ops.def"
	DAG_OP_COUNT
} DagOp;

enum { /* columns of dag_ops.def */
       DOF_NONE = 0,
       DOF_COMMUTES = 1 << 0,
       DOF_LEAF = 1 << 1,
       DOF_CHAIN = 1 << 2,
       DOF_ELEMENTWISE = 1 << 3,
};

typedef struct DagOpInfo {
	const char *name;
	u16         flags;
	u16         eval; /* SemOp */
} DagOpInfo;
extern const DagOpInfo dag_op_info[DAG_OP_COUNT];

/* ---- nodes ---- */

typedef struct DagVal {
	u32 n; /* node; 0 = none */
	u32 r; /* its result */
} DagVal;

#define DAG_NONE ((DagVal){0, 0})
static inline bool dag_same(DagVal a, DagVal b) { return a.n == b.n && a.r == b.r; }
static inline bool dag_is(DagVal a) { return a.n != 0; }

/* An operand. The operands of one node are consecutive records. */
typedef struct DagUse {
	DagVal val;
	u32    user;
	u32    next, prev; /* on the list of val.n; prev 0: the first */
} DagUse;

enum {                          /* DagNode.props */
       DP_SIDE_EFFECT = 1 << 0, /* kept when unused */
       DP_CONVERGENT = 1 << 1,
       DP_DIVERGENT = 1 << 2, /* may differ between the threads of a warp */
       DP_NO_CSE = 1 << 3,
       DP_CALL = 1 << 4,
       DP_QUEUED = 1 << 5,   /* on a worklist */
       DP_EXPANDED = 1 << 6, /* legalized */
       DP_HASHED = 1 << 7,   /* stands in the table of equal nodes */
};

enum { DAG_INLINE_RESULTS = 4 };

/* Integer flags and fast-math flags are the bits of IrInst.flags (IRF_NUW … IRF_AFN). */
typedef struct DagNode {
	u64   k[2];      /* payload of leaves, constants and a few others */
	u32   use_count; /* how many use records name it … */
	u32   uses;      /* … and the first of them */
	u32   hash;
	u32   hash_next; /* node behind it in its bucket */
	u32   order;     /* place of the IR instruction it comes from; 0: none */
	u32   origin;    /* line of the input */
	u32   operands;  /* first of its own use records */
	u32   n_ops : 24, n_results : 8;
	u32   props;                  /* DP_* */
	u32   desc;                   /* MACHINE: opcode of isa/ */
	u16   opcode;                 /* DagOp */
	u16   flags;                  /* IRF_* */
	u32   mem;                    /* DagMem; 0 = none */
	u32   aux;                    /* payload, by opcode */
	DagVt vt[DAG_INLINE_RESULTS]; /* of the results; of more: a list in Dag.vts from vt[0] on */
	u32   pattern; /* how it was selected: row of patterns.def + 1; behind the rows: by code, from that operation */
	u32   id;
} DagNode;

typedef enum DagExt { DEXT_NONE, DEXT_ANY, DEXT_ZERO, DEXT_SIGN } DagExt;

enum { DAG_NC = 1, DAG_LDU = 2 };
enum {
	DAG_COPY_PLAIN,
	DAG_COPY_CSSA
}; /* CopyToReg's aux: a CSSA_COPY keeps its own register until register-coalescer has looked */

/* What a memory node accesses. */
typedef struct DagMem {
	MirMem mem; /* as the machine instruction will carry it */
	DagVt  vt;  /* what is in memory: narrower than the value where it is extended or truncated */
	u8     ext; /* DagExt */
	u8     nc;  /* may take the non-coherent path */
	u8     cop; /* cache operator: token of isa/, 0 = none */
} DagMem;

/* Conditions: IrPred, with the integer ones. Floats: IRP_FALSE … IRP_TRUE. */
typedef IrPred DagCond;

/* What a debug record says of a variable: dag/debug.c. */
typedef struct DagWatch {
	DagVal val;    /* the value, where it is one of this graph */
	u32    record; /* IrDbgRec */
	u32    order;  /* of what follows the record */
	u32    kind;   /* MirDebugKind */
	u32    reg;    /* as MirDebugEntry has them */
	u64    bits;
	u32    expression; /* IrMd; 0: the record's */
	bool   at_head;    /* nothing of the block is in front of the record */
} DagWatch;

struct DagFunc;

typedef struct Dag {
	struct DagFunc *f;
	Session        *s;
	IrModule       *m;
	Arena          *arena; /* pools: as long as the function's selection */
	Pages           nodes; /* DagNode */
	u32             n_nodes;
	Pages           use; /* DagUse */
	u32             n_uses;
	VecU32          vts; /* result types of nodes with more than four */
	Vec(DagMem) mems;
	u32 *bucket;
	u32  bucket_mask, n_hashed;
	Vec(DagVal) pending; /* scratch of dag_replace: from, to, from, to … */
	VecU32 dropping;     /* scratch of dag_drop */
	Vec(DagWatch) watch; /* values that debug records name: no users of them */
	Vec(u8) reg_bits;    /* by virtual register that blocks before have written: those above so many are 0 */

	DagVal root;          /* the last chain */
	DagVal entry;         /* EntryToken */
	u32    order, origin; /* of nodes being made */
	VecU32 work;          /* nodes made or changed since it was last emptied (dag_touch) */
	bool   collect;       /* fill it */
} Dag;

void dag_init(Dag *d, struct DagFunc *f, Arena *arena);
void dag_reset(Dag *d); /* an empty graph: EntryToken alone, and what is known of registers */

static inline DagNode *dag_at(const Dag *d, u32 n) { return pages_of(&d->nodes, DagNode, n); }
static inline DagNode *dag_of(const Dag *d, DagVal v) { return pages_of(&d->nodes, DagNode, v.n); }
static inline DagUse  *dag_use(const Dag *d, u32 u) { return pages_of(&d->use, DagUse, u); }
static inline u32      dag_n_ops(const DagNode *n) { return n->n_ops; }
static inline u32      dag_n_results(const DagNode *n) { return n->n_results; }
static inline DagOp    dag_op(const Dag *d, DagVal v) { return (DagOp)dag_of(d, v)->opcode; }
static inline DagVal   dag_operand(const Dag *d, const DagNode *n, u32 i) { return dag_use(d, n->operands + i)->val; }
static inline DagVal   dag_arg(const Dag *d, DagVal v, u32 i) { return dag_operand(d, dag_of(d, v), i); }
static inline DagVt    dag_result_vt(const Dag *d, const DagNode *n, u32 r)
{
	return n->n_results <= DAG_INLINE_RESULTS ? n->vt[r] : d->vts.p[n->vt[0] + r];
}
static inline DagVt  dag_vt(const Dag *d, DagVal v) { return dag_result_vt(d, dag_of(d, v), v.r); }
static inline DagVal dag_res(u32 node, u32 r) { return (DagVal){node, r}; }

#define dag_each_use(d, node, u) \
	for (u32 u = dag_at((d), (node))->uses, u##_next; u && (u##_next = dag_use((d), u)->next, 1); u = u##_next)

bool dag_has_one_use(const Dag *d, DagVal v); /* of this result */
bool dag_has_uses(const Dag *d, DagVal v);
u32  dag_count_uses(const Dag *d, DagVal v);

/* Makes a node, or finds the equal one. Constant operands are folded (dag/fold.c). */
DagVal dag_node(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n);
DagVal dag_flagged(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n, u16 flags); /* IRF_* */
/* Of several results; not folded. */
DagVal dag_node_n(Dag *d, DagOp op, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n);
/* What a node is besides its results and operands. */
typedef struct DagKind {
	u16 opcode, flags;
	u32 desc, aux, mem, props;
	u64 k[2];
} DagKind;
DagVal dag_node_of(Dag *d, const DagKind *kind, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n);
/* With payload: mem, aux, k. `like` gives payload and flags. Looked up like any other. */
DagVal dag_node_like(Dag *d, const DagNode *like, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n);

DagVal dag_1(Dag *d, DagOp op, DagVt vt, DagVal a);
DagVal dag_2(Dag *d, DagOp op, DagVt vt, DagVal a, DagVal b);
DagVal dag_3(Dag *d, DagOp op, DagVt vt, DagVal a, DagVal b, DagVal c);
DagVal dag_4(Dag *d, DagOp op, DagVt vt, DagVal a, DagVal b, DagVal c, DagVal e);

DagVal dag_const(Dag *d, DagVt vt, u64 v);                         /* vectors: the splat; truncated to the width */
DagVal dag_const2(Dag *d, DagVt vt, u64 lo, u64 hi);               /* bits above 128: clear */
DagVal dag_const_words(Dag *d, DagVt vt, const u64 *words, u32 n); /* of any width; words past n are 0 */
DagVal dag_of_words(Dag *d, DagVt vt, const DagVal *words,
                    u32 n); /* words of 64 or 128 bits, low first; of the last, what `vt` holds */
DagVal dag_all_ones(Dag *d, DagVt vt);
DagVal dag_or_all(Dag *d, DagVt vt, DagVal *v, u32 n); /* pair by pair; v is overwritten */
DagVal dag_one_bit(Dag *d, DagVt vt, u32 bit);
DagVal dag_tconst(Dag *d, DagVt vt, u64 v);
DagVal dag_fp(Dag *d, DagVt vt, u64 bits);
DagVal dag_truth_as_fp(Dag *d, DagVt vt, DagVal p, bool is_signed); /* of an i1: 1 or, signed, -1; and 0 */
DagVal dag_tfp(Dag *d, DagVt vt, u64 bits);
DagVal dag_undef(Dag *d, DagVt vt);
DagVal dag_global(Dag *d, DagOp op, DagVt vt, IrRef g, i64 offset);
DagVal dag_symbol(Dag *d, DagOp op, DagVt vt, StrId name, i64 offset);
DagVal dag_frame(Dag *d, DagOp op, DagVt vt, u32 object, i64 offset);
DagVal dag_reg(Dag *d, DagVt vt, MirReg r);
DagVal dag_block(Dag *d, MirBlockId b);
DagVal dag_text(Dag *d, StrId text);
DagVal dag_gap(Dag *d, DagVt vt); /* in place of an element that is not stored */
DagVal dag_cond(Dag *d, DagCond c);
DagVal dag_vtype(Dag *d, DagVt vt);
DagVal dag_setcc(Dag *d, DagVal a, DagVal b, DagCond c);
DagVal dag_copy_from(Dag *d, DagVal chain, MirReg r, DagVt vt); /* value; result 1 is the chain */
DagVal dag_tokens(Dag *d, const DagVal *chains, u32 n);
/* Extends or truncates an integer to `vt`. */
DagVal dag_zext_or_trunc(Dag *d, DagVal v, DagVt vt);
DagVal dag_sext_or_trunc(Dag *d, DagVal v, DagVt vt);
DagVal dag_any_or_trunc(Dag *d, DagVal v, DagVt vt);
DagVal dag_not(Dag *d, DagVal v);
DagVal dag_load(Dag *d, DagVt vt, DagVal chain, DagVal ptr, DagMem mem);
DagVal dag_store(Dag *d, DagVal chain, DagVal v, DagVal ptr, DagMem mem);
u32    dag_mem_new(Dag *d, DagMem mem);
/* log2 of the alignment of the address `offset` bytes behind one of the given alignment */
static inline u32 dag_align_at(u32 align_log2, u64 offset)
{
	return offset ? PS_MIN(align_log2, u64_log2(offset & (0 - offset))) : align_log2;
}
static inline DagMem *dag_mem(const Dag *d, const DagNode *n) { return &d->mems.p[n->mem]; }
DagVal                dag_ptr_add(Dag *d, DagVal ptr, i64 offset);

/* Every use of `from` becomes one of `to`. Nodes that become equal to others are merged. */
void dag_replace(Dag *d, DagVal from, DagVal to);
void dag_watch_moved(Dag *d, DagVal from, DagVal to); /* debug.c */
/* Takes a replaced node from the table of equal nodes, so that new nodes are not merged with it while it has dead users. */
void dag_forget(Dag *d, u32 n);
void dag_set_operand(Dag *d, u32 node, u32 i, DagVal v); /* may merge the node: returns nothing, see dag_replace */
/* The node becomes another in place: its uses stay. Operands that lose their last use are left for dag_sweep. */
void dag_morph(Dag *d, u32 node, DagOp op, const DagVt *vts, u32 n_vts, const DagVal *ops, u32 n);
/* Removes the node if nothing uses it, and then its operands likewise. */
void dag_drop(Dag *d, u32 node);
void dag_sweep(Dag *d); /* everything that the root does not need */
void dag_touch(Dag *d, u32 node);
/* Nodes from operands to users, root last; the order is the graph's, not the pool's. */
void dag_topological(Dag *d, Arena *scratch, VecU32 *out);
/* The node that takes this one's glue, and the one whose glue it takes (its last operand); 0: none. */
u32 dag_glue_source(const Dag *d, const DagNode *n);
u32 dag_glue_user(const Dag *d, const DagNode *n);

static inline bool dag_is_const(const Dag *d, DagVal v) { return dag_op(d, v) == DAG_Constant; }
static inline bool dag_is_undef(const Dag *d, DagVal v) { return dag_op(d, v) == DAG_UNDEF || dag_op(d, v) == DAG_POISON; }
static inline bool dag_may_be_const(const Dag *d, DagVal v)
{
	return dag_op(d, v) == DAG_Constant || dag_op(d, v) == DAG_BUILD_VECTOR;
}
/* An integer constant, or a vector of equal ones, of at most 64 bits an element. */
bool               dag_read_const(const Dag *d, DagVal v, u64 *bits);
static inline bool dag_as_const(const Dag *d, DagVal v, u64 *bits)
{
	return dag_may_be_const(d, v) && dag_read_const(d, v, bits);
}
bool               dag_as_fp(const Dag *d, DagVal v, u64 *bits);
bool               dag_is_zero(const Dag *d, DagVal v);
bool               dag_is_all_ones(const Dag *d, DagVal v);
static inline bool dag_is_const_of(const Dag *d, DagVal v, u64 k)
{
	u64 b;
	return dag_as_const(d, v, &b) && b == k;
}
/* Of an integer constant; of more than 64 bits, the lowest 64. */
static inline i64 dag_signed_value(const DagNode *n) { return sem_sext(n->k[0], PS_MIN(vt_bits(n->vt[0]), 64u)); }
static inline u64 vt_mask(DagVt t) { return sem_mask(vt_bits(t)); }

/* dag/fold.c: the value of op on constants, or an operand it equals; none where nothing is known. */
DagVal  dag_fold(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n);
SemType dag_sem_type(DagVt vt);               /* of a scalar; width 0: sem/ has no operations on the type */
SemFmt  dag_sem_fmt(DagVt vt);                /* of floats, and of their vectors */
DagCond dag_cond_swap(DagCond c);             /* of (b, a) */
DagCond dag_cond_unsigned(DagCond c);         /* of integers that are not negative */
DagCond dag_cond_not(DagCond c, bool is_int); /* of !(a c b) */

/* dag/known.c */
typedef struct DagKnown {
	u64 zero, one; /* bits known to be so; of values of at most 64 bits */
} DagKnown;
DagKnown dag_known(const Dag *d, DagVal v, u32 depth);
/* The value, of which it is said that it is no greater, where that leaves bits of an integer that are zero. */
DagVal dag_assert_at_most(Dag *d, DagVal v, u64 most);
void   dag_note_registers(Dag *d);
u32    dag_sign_bits(const Dag *d, DagVal v, u32 depth); /* equal bits at the top, at least 1 */
bool   dag_masked_zero(const Dag *d, DagVal v, u64 mask);
/* Looks through what puts v together: the value, and in *at where in it the `width` bits begin that begin at *at of v. */
DagVal dag_piece_of(const Dag *d, DagVal v, u32 *at, u32 width);

/* dag/print.c */
void dag_print(Text *out, const Dag *d, const char *stage);
void dag_print_dot(Text *out, const Dag *d, const char *stage);
void vt_print(Text *out, DagVt t);

#endif
