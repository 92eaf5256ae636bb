/* async.h: what the decoder and the execution of asynchronous operations share. */
#ifndef PS_SIMT_ASYNC_H
#define PS_SIMT_ASYNC_H

#include "simt/machine.h"

typedef enum AsyncWhat {
	AS_COPY, /* cp.async */
	AS_BULK,
	AS_BULK_REDUCE,
	AS_TENSOR,
	AS_STORE,
	AS_RED,
	AS_CANCEL,      /* clusterlaunchcontrol.try_cancel */
	AS_COPIES_DONE, /* cp.async.mbarrier.arrive */
	AS_COMMIT,      /* tcgen05.commit */
	AS_CLOSE,       /* a group; bulk: of bulk copies */
	AS_WAIT,        /* bytes: groups that may stay open */
	AS_WAIT_ALL,
	AS_FILL,
	AS_REPLACE,  /* tensormap.replace */
	AS_MAP_COPY, /* tensormap.cp_fenceproxy */
	AS_INIT,
	AS_INVAL,
	AS_EXPECT,
	AS_COMPLETE,
	AS_ARRIVE,
	AS_TEST,
	AS_TEST_PARITY,
	AS_PENDING
} AsyncWhat;

/* async_land.c: */
/* Adds what lane l has issued to the queue that its completion belongs to; false after a fault. */
bool async_issue(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l);
/* What the mbarrier is told of lands. */
bool async_land_at(SimtMachine *m, const u8 *bar);
/* Copies of the lane land whose group is not among the last `open` that it has closed. */
bool async_land_groups(SimtMachine *m, u32 l, bool bulk, u32 open);
bool async_land_all(SimtMachine *m, u32 l, bool bulk);
void async_close(SimtMachine *m, u32 l, bool bulk);

/* mbarrier.c: */
/* The mbarrier at an address; NULL after a fault. */
u8 *mbar_at(SimtMachine *m, u32 space, u64 at, u32 l, bool init);
u64 mbar_address(const SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l);
/* Adds n to the pending transactions of the mbarrier; where n is negative, the phase may end. */
void mbar_transactions(SimtMachine *m, u8 *bar, i64 n);
/* More arrivals are expected in this phase. */
void mbar_expect(u8 *bar, u32 n);
bool mbar_arrive(SimtMachine *m, u8 *bar, u32 l, u32 n);
/* The operations that are an mbarrier's own. */
bool mbar_run(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l);

#endif
