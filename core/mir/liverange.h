/* liverange.h: the slots in which virtual registers are live, and the values they hold there; ranges that can be edited.
 *
 * A range is a list of half-open segments [start, end) of slots (mir/slots.h), sorted, disjoint, each with the number of
 * the value that the register holds there; neighbours that touch hold different values. A segment may go on over several
 * blocks of the layout. A value is what one definition writes, or what meets at the start of a block where different
 * values arrive. An undefined value (IMPLICIT_DEF) has no segment: it takes no register. Ranges are the same for a
 * function in SSA form and for one without: phis read at the ends of the predecessors and write at the start of their
 * block.
 *
 *	bb.0:  %1 = …        s          %1: [s + 2, t + 1)  value 0
 *	       … = %1        t
 *
 * Ranges are found register by register from the lists of definitions and uses: from each use that no definition of its
 * block precedes, upward over the predecessors. A loop that holds no definition is entered once: where the register is
 * live in a part of it, it is live in all of it (Boissinot, Brandner, Darte, Dupont de Dinechin, Rastello: "A
 * non-iterative data-flow algorithm for computing liveness sets in strict SSA programs"), which is one segment where the
 * loop's blocks stand together. So a register costs what its operands, and the blocks outside such loops, cost; nested
 * loops do not multiply.
 *
 * Every edit of the function goes through this header (or is followed by mir_ranges_update of the registers that it
 * concerns). Blocks and edges may not change while ranges are in use. mir_ranges_verify computes everything again and
 * compares. */
#ifndef PS_LIVERANGE_H
#define PS_LIVERANGE_H

#include "mir/cfg.h"
#include "mir/slots.h"

typedef struct MirSegment {
	u32 start, end; /* slots: [start, end) */
	u32 value;      /* number in MirRanges.value; mir_value says which one it has become */
} MirSegment;

typedef struct MirValue {
	u32 def;  /* slot; a block's start where values meet there */
	u32 inst; /* MirInstId; 0 = values meet at the start of a block, or nothing has written the register */
	u32 up;   /* the value it has become by joining; itself */
	u32 from; /* inside mir_ranges_collide */
} MirValue;

typedef struct MirRange {
	Vec(MirSegment) seg;
	u32 first_value, n_values, cap_values; /* those that mir_ranges_update has made, for the next time */
} MirRange;

/* A function and its control flow. `loops` may be NULL: then none is taken as a whole. */
typedef struct MirFlow {
	MirFunc      *f;
	const MirCfg *cfg;
	const Loops  *loops;
} MirFlow;

typedef struct MirRanges {
	MirFunc      *f;
	MirSlots     *slots;
	const MirCfg *cfg;
	const Loops  *loops;
	Arena        *arena;
	VecU32        index; /* by register number: its place in `of`; 0 = not asked for */
	Vec(MirRange) of;    /* from 1 */
	Vec(MirValue) value;
	Bitset               cyclic; /* nodes that lie on a cycle, once an edit has asked */
	struct RangeBuilder *builder;
} MirRanges;

/* ---- making, asking ---- */

/* Ranges of the registers in `regs`. */
MirRanges *mir_ranges_new(MirFlow flow, Bitset regs, Arena *a);
MirRanges *mir_ranges_all(MirFlow flow, Arena *a); /* of every register that occurs */
/* NULL where the register was not asked for. Good until a register is added. */
static inline MirRange *mir_range(const MirRanges *rs, MirReg r)
{
	u32 at = r.i < rs->index.n ? rs->index.p[r.i] : 0;
	return at ? &rs->of.p[at] : NULL;
}
/* The number of the first segment that ends behind `slot`; seg.n where there is none. */
u32 mir_range_behind(const MirRanges *rs, const MirRange *range, u32 slot);
/* The segment that holds `slot`, or NULL. */
const MirSegment *mir_range_at(const MirRanges *rs, const MirRange *range, u32 slot);
bool              mir_ranges_overlap(const MirRanges *rs, const MirRange *a, const MirRange *b);
/* The block that a slot lies in. O(log blocks). */
MirBlockId mir_ranges_block(const MirRanges *rs, u32 slot);
/* What a value has become. */
u32 mir_value(MirRanges *rs, u32 value);
/* Does every range equal one that is computed anew, and does every value stand for one value alone? Differences are
 * added to `errors` as lines, which may be NULL. */
bool mir_ranges_verify(MirRanges *rs, Text *errors);

/* Analysis AN_MIR_RANGES: those of every register. A pass that keeps it makes its edits through this header, or through
 * mir/pressure.h where AN_MIR_RPA, which stands on the same ranges, has been computed. */
static inline MirRanges *mir_ranges(PassCx *cx) { return pass_analysis(cx, AN_MIR_RANGES_ID); }

/* ---- editing ---- */

/* The range is found again from the operands that name the register: grown, shrunk to its uses, or new. */
void mir_ranges_update(MirRanges *rs, MirReg r);
/* The register is read at the slot of an instruction too, or at the end of a block by a phi behind it. Costs the blocks
 * that are newly live. */
void mir_ranges_extend(MirRanges *rs, MirReg r, u32 slot);
void mir_ranges_extend_out(MirRanges *rs, MirReg r, MirBlockId b);
/* Instruction `i`, complete with its operands, has been put into a block. */
void mir_ranges_insert(MirRanges *rs, MirInstId i);
/* mir_erase, mir_move, mir_op_set_reg and mir_replace_uses with all ranges concerned. */
void mir_ranges_erase(MirRanges *rs, MirInstId i);
void mir_ranges_move(MirRanges *rs, MirInstId i, MirBlockId b, MirInstId before);
void mir_ranges_set_reg(MirRanges *rs, MirInstId i, u32 op, MirReg r);
void mir_ranges_replace_uses(MirRanges *rs, MirReg from, MirReg to);
/* From `at` to in front of `until` (0: the first terminator, or the end), instructions of one block and no phis, `r` goes
 * by a new register, which is returned: it is copied in front of `at` where it is live there, and copied back behind the
 * last of them where that writes what is read later. Leaves SSA form where it copies back. */
MirReg mir_ranges_split(MirRanges *rs, MirReg r, MirInstId at, MirInstId until);

/* ---- joining two ranges, for copies ---- */

typedef struct MirValuePair {
	u32 a, b; /* values; `a` is or becomes what `b` is */
} MirValuePair;
typedef Vec(MirValuePair) MirValuePairs;

/* The value that a range holds at `slot`, MIR_NO_VALUE where none. */
#define MIR_NO_VALUE 0xFFFFFFFFu
u32 mir_range_value(MirRanges *rs, const MirRange *range, u32 slot);
/* Do the two hold different values in some slot? `copies`: values of one that were copied from values of the other, so
 * that they are the same. Values that meet at the start of one block in both are taken to be the same and added to
 * `same`: what they are made of overlaps at the ends of the predecessors, where it is looked at too. */
bool mir_ranges_collide(MirRanges *rs, const MirRange *a, const MirRange *b, const MirValuePairs *copies, MirValuePairs *same);
/* `keep` takes the segments of `gone`, which is empty then. The caller has found that they do not collide, and renames
 * the register. Costs the smaller of the two, times the logarithm of the larger one, unless values of one side become one
 * among themselves. */
void mir_ranges_join(MirRanges *rs, MirRange *keep, MirRange *gone, const MirValuePairs *copies, const MirValuePairs *same);
/* Adds [start, end), closing the gap in front of and behind it where the value is the same. */
void mir_range_add(MirRanges *rs, MirRange *range, MirSegment s);

#endif
