/* warpops.c: what lanes of a warp tell each other, special registers, printf and assert. */
#include "simt/jobs.h"
#include "simt/sanitize.h"

#include "isa/isa.h"
#include "sem/float.h"
#include "simt/format.h"

/* ---- special registers */

static u32 thread_of(const SimtMachine *m, u32 lane) { return m->cur_warp->number * LANES + lane; }

static u64 clock_now(const SimtMachine *m) { return m->stats.warp_instructions * 4; }

static u64 sreg_lane(const SimtMachine *m, IsaSource r, u32 l)
{
	const u32 *dim = m->launch.block, *grid = m->launch.grid;
	u32        t = thread_of(m, l);
	switch (r) {
	case SR_TID_X: return t % dim[0];
	case SR_TID_Y: return t / dim[0] % dim[1];
	case SR_TID_Z: return t / dim[0] / dim[1];
	case SR_NTID_X:
	case SR_NTID_Y:
	case SR_NTID_Z: return dim[r - SR_NTID_X];
	case SR_CTAID_X:
	case SR_CTAID_Y:
	case SR_CTAID_Z: return m->cur_block->id[r - SR_CTAID_X];
	case SR_NCTAID_X:
	case SR_NCTAID_Y:
	case SR_NCTAID_Z: return grid[r - SR_NCTAID_X];
	case SR_EXPLICIT_CLUSTER: return m->explicit_cluster;
	case SR_CLUSTERID_X:
	case SR_CLUSTERID_Y:
	case SR_CLUSTERID_Z: return m->cur_block->id[r - SR_CLUSTERID_X] / m->cluster[r - SR_CLUSTERID_X];
	case SR_NCLUSTERID_X:
	case SR_NCLUSTERID_Y:
	case SR_NCLUSTERID_Z: return grid[r - SR_NCLUSTERID_X] / m->cluster[r - SR_NCLUSTERID_X];
	case SR_CLUSTER_CTAID_X:
	case SR_CLUSTER_CTAID_Y:
	case SR_CLUSTER_CTAID_Z: return m->cur_block->id[r - SR_CLUSTER_CTAID_X] % m->cluster[r - SR_CLUSTER_CTAID_X];
	case SR_CLUSTER_NCTAID_X:
	case SR_CLUSTER_NCTAID_Y:
	case SR_CLUSTER_NCTAID_Z: return m->cluster[r - SR_CLUSTER_NCTAID_X];
	case SR_CTARANK: return m->cur_block->rank;
	case SR_NCTARANK: return m->cluster_size;
	case SR_LANEID: return l;
	case SR_WARPID: return m->cur_warp->number;
	case SR_NWARPID: return m->warps;
	case SR_WARPSIZE: return LANES;
	case SR_LANEMASK_EQ: return 1u << l;
	case SR_LANEMASK_LE: return (u32)(((u64)2 << l) - 1);
	case SR_LANEMASK_LT: return (1u << l) - 1;
	case SR_LANEMASK_GE: return ALL_LANES << l;
	case SR_LANEMASK_GT: return (u32)((u64)ALL_LANES << (l + 1));
	case SR_CLOCK:
	case SR_GLOBALTIMER_LO: return (u32)clock_now(m);
	case SR_CLOCK_HI:
	case SR_GLOBALTIMER_HI: return clock_now(m) >> 32;
	case SR_CLOCK64:
	case SR_GLOBALTIMER: return clock_now(m);
	case SR_DYNAMIC_SMEM: return m->launch.shared_bytes;
	case SR_TOTAL_SMEM: return m->shared_own - SHARED_START + m->launch.shared_bytes;
	case SR_WORKSPACE_LO: return (u32)m->workspace;
	case SR_WORKSPACE_HI: return m->workspace >> 32;
	case SR_NSMID:
	case SR_ONE: return 1;
	case SR_SMID:
	case SR_GRIDID:
	case SR_ZERO: return 0;
	}
	return 0;
}

/* Those that a loop over the lanes has to ask for: the others are the same in all lanes of a warp. */
static bool differs_by_lane(IsaSource r) { return r == SR_LANEID || (r >= SR_LANEMASK_EQ && r <= SR_LANEMASK_GT); }

/* %tid of all lanes, one component: a division for the first, counting for the others. */
static void thread_ids(const SimtMachine *m, u32 component, u32 *v)
{
	const u32 *dim = m->launch.block;
	u32        t = thread_of(m, 0), id[3] = {t % dim[0], t / dim[0] % dim[1], t / dim[0] / dim[1]};
	if (id[0] + LANES <= dim[0]) { /* all in one row of the block */
		for (u32 l = 0; l < LANES; l++)
			v[l] = id[component] + (component ? 0 : l);
		return;
	}
	for (u32 l = 0; l < LANES; l++) {
		v[l] = id[component];
		if (++id[0] != dim[0])
			continue;
		id[0] = 0;
		if (++id[1] == dim[1])
			id[1] = 0, id[2]++;
	}
}

bool warp_sreg(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	u32      *d = reg_rows(m, f, i->d), v[LANES];
	IsaSource r = (IsaSource)i->x;
	if (i->rows == 2) { /* clocks and what is the same in all lanes: no mask of lanes has 64 bits */
		u64 same = sreg_lane(m, r, 0);
		each_lane(mask, l)
			set_lane64(d, l, differs_by_lane(r) ? sreg_lane(m, r, l) : same);
		return true;
	}
	if (r == SR_TID_X || r == SR_TID_Y || r == SR_TID_Z) {
		thread_ids(m, r - SR_TID_X, v);
	} else {
		u32 same = (u32)sreg_lane(m, r, 0);
		for (u32 l = 0; l < LANES; l++)
			v[l] = same;
		for (u32 l = 1; l < LANES && differs_by_lane(r); l++)
			v[l] = (u32)sreg_lane(m, r, l);
	}
	if (i->y == 16)
		for (u32 l = 0; l < LANES; l++)
			v[l] = (u16)v[l];
	if (mask == ALL_LANES)
		memcpy(d, v, sizeof v);
	else
		each_lane(mask, l)
			d[l] = v[l];
	return true;
}

/* ---- shuffles */

/* The lane that lane l reads, and whether it is in its segment. */
static u32 shuffle_source(u32 mode, u32 l, u32 b, u32 c, bool *in_segment)
{
	u32 seg = c >> 8 & 31, max = (l & seg) | (c & 31 & ~seg), min = l & seg;
	i32 j;
	b &= 31;
	switch (mode) {
	case SHFL_UP:
		j = (i32)l - (i32)b;
		*in_segment = j >= (i32)max;
		break;
	case SHFL_DOWN:
		j = (i32)(l + b);
		*in_segment = j <= (i32)max;
		break;
	case SHFL_BFLY:
		j = (i32)(l ^ b);
		*in_segment = j <= (i32)max;
		break;
	default:
		j = (i32)(min | (b & ~seg));
		*in_segment = j <= (i32)max;
		break;
	}
	return *in_segment ? (u32)j : l;
}

void warp_shuffle_sources(const SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask, u32 *from)
{
	const u32 *b = reg_rows(m, f, i->b), *c = reg_rows(m, f, i->c);
	bool       in;
	each_lane(mask, l)
		from[l] = shuffle_source(i->x, l, b[l], c[l], &in);
}

static void shuffle(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	u32       *d = reg_rows(m, f, i->d), old[LANES];
	i32        pr = (i32)m->p->ext.p[i->y];
	u32       *p = pr == NO_REG ? NULL : reg_rows(m, f, pr);
	const u32 *b = reg_rows(m, f, i->b), *c = reg_rows(m, f, i->c);
	u32        at[LANES];
	bool       in[LANES];
	memcpy(old, reg_rows(m, f, i->a), sizeof old);
	switch (i->x) { /* loops without a switch in them */
#define SOURCES(mode)                                                        \
	case mode:                                                           \
		for (u32 l = 0; l < LANES; l++)                              \
			at[l] = shuffle_source(mode, l, b[l], c[l], &in[l]); \
		break;
		SOURCES(SHFL_UP)
		SOURCES(SHFL_DOWN)
		SOURCES(SHFL_BFLY)
	default: SOURCES(SHFL_IDX)
#undef SOURCES
	}
	each_lane(mask, l) {
		d[l] = mask >> at[l] & 1 ? old[at[l]] : old[l]; /* a lane that is not here gives nothing */
		if (p)
			p[l] = in[l];
	}
}

/* ---- votes, matches, reductions */

static void vote(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	u32  yes = m->wide->guard(reg_rows(m, f, i->a)) & mask, r;
	u32 *d = reg_rows(m, f, i->d);
	switch ((VoteOp)i->x) {
	case VOTE_ALL: r = yes == mask; break;
	case VOTE_ANY: r = yes != 0; break;
	case VOTE_UNI: r = yes == mask || yes == 0; break;
	default: r = yes; break;
	}
	each_lane(mask, l)
		d[l] = r;
}

static void match(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const u32 *a = reg_rows(m, f, i->a);
	i32        pr = (i32)m->p->ext.p[i->y];
	u64        v[LANES];
	u32        r[LANES];
	for (u32 l = 0; l < LANES && i->x & 1; l++)
		v[l] = lane64(a, l);
	each_lane(mask, l) {
		u32 same = 0;
		if (!(i->x & 1))
			same = m->wide->equal(a, a[l]) & mask;
		else
			each_lane(mask, k)
				same |= (u32)(v[k] == v[l]) << k;
		r[l] = i->x & 2 && same != mask ? 0 : same;
	}
	each_lane(mask, l) {
		reg_rows(m, f, i->d)[l] = r[l];
		if (pr != NO_REG)
			reg_rows(m, f, pr)[l] = r[l] != 0;
	}
}

static u32 reduce(u32 op, u32 a, u32 b)
{
	switch ((ReduxOp)(op & 0xff)) {
	case REDUX_ADD: return a + b;
	case REDUX_MIN: return (i32)a < (i32)b ? a : b;
	case REDUX_MAX: return (i32)a > (i32)b ? a : b;
	case REDUX_UMIN: return a < b ? a : b;
	case REDUX_UMAX: return a > b ? a : b;
	case REDUX_AND: return a & b;
	case REDUX_OR: return a | b;
	case REDUX_XOR: return a ^ b;
	case REDUX_FMIN: return (u32)sem_fmin(SEM_F32, a, b, op >> 8);
	case REDUX_FMAX: return (u32)sem_fmax(SEM_F32, a, b, op >> 8);
	}
	return a;
}

static void redux(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const u32 *a = reg_rows(m, f, i->a);
	u32        r = a[first_lane(mask)];
	each_lane(mask &(mask - 1), l)
		r = reduce(i->x, r, a[l]);
	if ((i->x & 0xff) >= REDUX_FMIN && lane_count(mask) == 1) /* canonical NaN, absolute value */
		r = reduce(i->x, r, r);
	u32 *d = reg_rows(m, f, i->d);
	each_lane(mask, l)
		d[l] = r;
}

static void elect(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	u32 member = reg_rows(m, f, i->a)[first_lane(mask)] & mask;
	u32 leader = first_lane(member ? member : mask);
	each_lane(mask, l) {
		if (i->d != NO_REG)
			reg_rows(m, f, i->d)[l] = leader;
		if (i->c != NO_REG)
			reg_rows(m, f, i->c)[l] = l == leader;
	}
}

bool warp_collective(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	switch ((SimtOp)i->op) {
	case S_WARPSYNC:
		if (m->san)
			order_lanes_meet(m, mask);
		break;
	case S_SHFL:
		if (m->san)
			sync_shuffle(m, f, i, mask);
		shuffle(m, f, i, mask);
		break;
	case S_VOTE: vote(m, f, i, mask); break;
	case S_MATCH: match(m, f, i, mask); break;
	case S_REDUX: redux(m, f, i, mask); break;
	case S_ELECT: elect(m, f, i, mask); break;
	case S_ACTIVEMASK:
		each_lane(mask, l)
			reg_rows(m, f, i->d)[l] = mask;
		break;
	default: break;
	}
	return true;
}

/* ---- vprintf(format, arguments): the arguments lie at their natural alignment, as C promotes them */

enum { PRINT_STRING = 4096, ASSERT_STRING = 1024 }; /* of strings, the bytes that count */

typedef struct PrintArgs {
	SimtMachine *m;
	u64          at;
	u32          lane;
	bool         failed;
	char         string[PRINT_STRING];
} PrintArgs;

static u64 print_arg(void *user, u32 bytes)
{
	PrintArgs *a = user;
	a->at = align_up(a->at, bytes);
	const u8 *p = a->failed ? NULL : mem_at(a->m, SPACE_GENERIC, a->at, bytes, a->lane, ACCESS_READ);
	u64       v = 0;
	a->at += bytes;
	if (p)
		memcpy(&v, p, bytes);
	a->failed |= !p;
	return v;
}

static Str print_string(void *user, u64 address)
{
	PrintArgs *a = user;
	Str        s = {"", 0};
	a->failed |= !mem_string(a->m, address, a->lane, a->string, PRINT_STRING, &s);
	return s;
}

bool warp_printf(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	each_lane(mask, l) {
		Str       format;
		char      text[PRINT_STRING];
		PrintArgs args;
		args.m = m, args.at = lane64(reg_rows(m, f, i->b), l), args.lane = l, args.failed = false;
		if (!mem_string(m, lane64(reg_rows(m, f, i->a), l), l, text, sizeof text, &format))
			return false;
		if (m->printed.n > MOST_PRINTED)
			return simt_fail(m, FAULT_MEMORY, l, PRINTED_TOO_MUCH);
		u32 before = m->printed.n;
		u32 n = simt_format(&m->printed, format, print_arg, print_string, &args, m->p->is64 ? 8 : 4);
		if (m->job)
			jobs_printed(m, m->printed.n - before);
		if (args.failed)
			return false;
		if (n == FORMAT_REFUSED)
			return simt_fail(m, FAULT_UNSUPPORTED, l, "printf with %%n, which device code may not use");
		if (i->d != NO_REG)
			reg_rows(m, f, i->d)[l] = n;
	}
	return true;
}

bool warp_assert(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	u32        l = first_lane(mask);
	const u32 *ext = m->p->ext.p + i->y;
	Str        message, file, function;
	char       text[3][ASSERT_STRING];
	if (!mem_string(m, lane64(reg_rows(m, f, (i32)ext[0]), l), l, text[0], ASSERT_STRING, &message) ||
	    !mem_string(m, lane64(reg_rows(m, f, (i32)ext[1]), l), l, text[1], ASSERT_STRING, &file) ||
	    !mem_string(m, lane64(reg_rows(m, f, (i32)ext[3]), l), l, text[2], ASSERT_STRING, &function))
		return false;
	return simt_fail(m, FAULT_ASSERT, l, "%.*s:%u: %.*s: assertion `%.*s' failed", STR_ARG(file),
	                 reg_rows(m, f, (i32)ext[2])[l], STR_ARG(function), STR_ARG(message));
}
