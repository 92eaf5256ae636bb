/* remat_block.h: what the files of nvptx-remat-block share: the state of one run, and which values may be computed again.
 *
 *   nvptx_remat_block.c   rounds, blocks above the target, selection by cost, messages
 *   remat_live.c          what is live at the ends of blocks
 *   remat_values.c        which registers are pullable, and why others are not
 *   remat_cost.c          where a value would be computed again, from which instructions, at which cost
 *   remat_pull.c          does it, and deletes definitions that nobody reads any more */
#ifndef PS_REMAT_BLOCK_H
#define PS_REMAT_BLOCK_H

#include "isa/machine.h"
#include "mir/budget.h"
#include "mir/pressure.h"
#include "mirpass/mirpass.h"

/* Why a value is not computed again. */
typedef enum RematWhy {
	WHY_NONE, /* it may be */
	/* of the definition */
	WHY_UNSEEN, /* no definition that can be reached */
	WHY_DEFS,
	WHY_EFFECT,
	WHY_MEMORY,
	WHY_LOAD,
	WHY_ADDRESS,
	WHY_SPECIAL,
	WHY_CLONE,
	WHY_DEEP,
	WHY_OPERAND,
	/* of the places where it is read */
	WHY_FAR,
	WHY_UNAVAILABLE,
	WHY_LONG,
	WHY_CROWDED,
	WHY_COST,
	WHY_COUNT
} RematWhy;

/* Bits of nv-remat-block. */
enum { REMAT_ONE_BLOCK = 1, REMAT_PULL_IN = 2, REMAT_SECOND_CHANCE = 4, REMAT_ROUNDS = 8 };

enum { REMAT_MOST_DEPTH = 50 }; /* instructions of the longest chain of operands */

typedef struct RematKnobs {
	i64  mode, rounds, single_cost, max_cost, chain, percent, loop_factor, load_cost, special;
	bool loads, in_block, keep_addresses;
} RematKnobs;

/* Registers that are live here are looked at: in front of an instruction, or at the end of the block. */
typedef struct RematPoint {
	u32       node;
	MirInstId at; /* 0: the end */
} RematPoint;

/* A block in which readers of a register stand behind a point; the first of them, or the block's first terminator. */
typedef struct RematPlace {
	u32       node;
	MirInstId at;
} RematPlace;

typedef struct Remat {
	PassCx           *cx;
	MirFunc          *f;
	const MirCfg     *cfg;
	const DomTree    *dom;
	const Loops      *loops;
	MirRanges        *ranges;
	MirRpa           *rpa; /* NULL: nobody has asked for it yet */
	const IsaMachine *machine;
	RegBudget         budget;
	RematKnobs        knob;
	u32               most[FILE_COUNT]; /* with rpa: units live at once, which are never exceeded */
	u32               max_live;         /* registers, in this round */

	/* by register, of those that were there when the round began */
	u32    n_regs, first_clone;
	u8    *why;      /* RematWhy */
	u8    *depth;    /* of its chain of operands, where it is pullable */
	u32   *def;      /* MirInstId of the one definition that counts, or 0 */
	Bitset promoted; /* by the second chance at this point */

	u32 *out; /* by node: units of file R live at the end */

	/* remat_cost.c: of the question at hand */
	VecU32 reached; /* nodes that readers behind the point lie in */
	u32   *reached_stamp, reached_now;
	u32   *first; /* by node: the first reader, where the stamp is `reached_now` */
	u32   *first_stamp;
	Vec(RematPlace) place;
	VecU32   chain; /* registers whose definitions are cloned at the place, operands first */
	u32     *chain_stamp, *chain_at, chain_now;
	RematWhy because; /* of the last question that was answered with no */

	VecU32 pulled;  /* registers */
	VecU32 changed; /* remat_pull.c: those whose ranges one pull changes */
	u32    refused[WHY_COUNT];
	u32    n_pulled;
} Remat;

static inline bool remat_live_at(const Remat *x, MirReg r, u32 slot)
{
	const MirRange *range = mir_range(x->ranges, r);
	return range && mir_range_at(x->ranges, range, slot) != NULL;
}
static inline MirBlockId remat_block(const Remat *x, u32 node) { return (MirBlockId){x->cfg->block[node]}; }
static inline u32        remat_node(const Remat *x, MirInstId i) { return x->cfg->node[mir_inst(x->f, i)->block]; }
/* Registers of 32 bits that so many units of file R take. */
static inline u32 remat_registers(u32 units) { return (units + ISA_UNITS_PER_REG - 1) / ISA_UNITS_PER_REG; }
static inline u32 remat_width(const Remat *x, MirReg r) { return remat_registers(isa_class_info[mir_class(x->f, r)].units); }

/* A block above the target, and the registers that are live at its end: live[first .. first + n). */
typedef struct RematOver {
	u32 node, first, n;
} RematOver;

typedef struct RematRound {
	Vec(RematOver) over;
	VecU32 crossing; /* registers of file R that are live at the end of some block */
	VecU32 live;
	u32   *blocks; /* by register: at how many blocks' ends it is live */
} RematRound;

/* nvptx_remat_block.c: register pressure, computed when the first question needs it. */
const MirRpa *remat_rpa(Remat *x);

/* remat_live.c */
typedef void RematRunFn(Remat *x, RematRound *r, MirReg reg, u32 from, u32 to);
/* Calls fn for each run of nodes [from, to) at whose ends the register is live. */
void remat_runs(Remat *x, RematRound *r, MirReg reg, RematRunFn *fn);
/* Does what is live inside of a block count, too? */
bool remat_inside(const Remat *x);
/* Registers of a block that count. */
u32 remat_pressure(const Remat *x, u32 node);
/* Fills x->out, x->max_live and r->blocks. */
void remat_measure(Remat *x, RematRound *r);
/* Fills r->over and r->live. */
void remat_find_over(Remat *x, RematRound *r);
/* Can more be live at the end of a block than the target? Not if few registers are named in several blocks. */
bool remat_may_exceed(const Remat *x);

/* remat_values.c: fills why, depth and def. */
void remat_classify(Remat *x);
/* Does the definition of `a` come before `i` on every path? */
bool remat_dominates(const Remat *x, MirInstId a, MirInstId i);

/* remat_cost.c */
/* Fills `place`: where `r` would be computed again, so that it is not live at the point. */
bool remat_places(Remat *x, MirReg r, RematPoint p);
/* Fills `chain` for one of them. */
bool remat_chain(Remat *x, MirReg r, RematPlace at);
/* Of computing it at all places; 0: it cannot be, and `because` says why. */
u64 remat_cost(Remat *x, MirReg r, RematPoint p);

/* remat_pull.c */
void remat_pull(Remat *x, MirReg r);
void remat_delete_dead(Remat *x);

#endif
