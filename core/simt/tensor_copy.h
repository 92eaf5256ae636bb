/* tensor_copy.h: one tensor copy as it is carried out: all that its instruction named, taken when it was issued. */
#ifndef PS_SIMT_TENSOR_COPY_H
#define PS_SIMT_TENSOR_COPY_H

#include "simt/machine.h"
#include "simt/tensor_map.h"

typedef enum TensorAccess { ACCESS_TILE, ACCESS_ROWS4, ACCESS_IM2COL, ACCESS_IM2COL_W, ACCESS_IM2COL_W128 } TensorAccess;
typedef enum TensorWay { TENSOR_LOAD, TENSOR_STORE, TENSOR_REDUCE } TensorWay;

struct TensorCopy {
	SimtTensorMap      map;
	i32                coord[TENSOR_RANK];
	u16                offset[3];       /* im2col: added to W, H, D; im2col_w: the halo and the offset */
	u8                 access, way, op; /* op: AtomOp of a reduction on integers */
	u8                 shared_space;    /* of `shared` */
	u64                shared;          /* address there */
	struct TensorCopy *next;            /* in the machine's list of those that are free */
};

/* What is wrong with the copy before anything of it is done; NULL: nothing. */
const char *tensor_copy_problem(const TensorCopy *c);
u64         tensor_copy_bytes(const TensorCopy *c); /* in shared memory */
/* For lane l of the current warp; false after a fault. */
bool tensor_copy_run(SimtMachine *m, const TensorCopy *c, u32 l);

#endif
