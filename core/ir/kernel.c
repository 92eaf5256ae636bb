/* kernel.c: reads properties of kernels from attributes, see kernel.h. */
#include "ir/kernel.h"

static const struct {
	const char *attr;
	u32         n; /* numbers */
} rows[IRK_COUNT] = {
	[IRK_REQNTID] = {"nvvm.reqntid", 3},
	[IRK_MAXNTID] = {"nvvm.maxntid", 3},
	[IRK_CLUSTER_DIM] = {"nvvm.cluster_dim", 3},
	[IRK_MINCTASM] = {"nvvm.minctasm", 1},
	[IRK_MAXNREG] = {"nvvm.maxnreg", 1},
	[IRK_MAXCLUSTERRANK] = {"nvvm.maxclusterrank", 1},
	[IRK_BLOCKS_ARE_CLUSTERS] = {"nvvm.blocksareclusters", 0},
};

static bool is_digit(u8 c) { return c >= '0' && c <= '9'; }

u32 ir_kernel_numbers(Str text, u64 *number, u32 n)
{
	u32 k = 0;
	for (u32 at = 0; at < text.n && k < n; k++) {
		u64 v = 0;
		while (at < text.n && is_digit((u8)text.p[at]))
			v = v * 10 + (u64)(text.p[at++] - '0');
		while (at < text.n && !is_digit((u8)text.p[at]))
			at++;
		number[k] = v;
	}
	return k;
}

u32 ir_kernel_prop(const IrModule *m, const IrFunc *f, IrKernelProp p, u64 number[3])
{
	for (u32 k = 0; k < 3; k++)
		number[k] = rows[p].n == 3;
	return ir_kernel_numbers(ir_fn_attr(m, f, rows[p].attr), number, rows[p].n);
}

bool ir_kernel_has(const IrModule *m, const IrFunc *f, IrKernelProp p)
{
	return ir_attrs_find_key(m, f->fn, rows[p].attr) != NULL;
}
