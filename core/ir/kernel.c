/* kernel.c: reads properties of kernels from annotations and attributes, see kernel.h. */
#include "ir/kernel.h"

typedef struct Row {
	const char *attr;
	const char *key[3]; /* annotations; a property of one number has one */
} Row;

static const Row rows[IRK_COUNT] = {
	[IRK_REQNTID] = {"nvvm.reqntid", {"reqntidx", "reqntidy", "reqntidz"}},
	[IRK_MAXNTID] = {"nvvm.maxntid", {"maxntidx", "maxntidy", "maxntidz"}},
	[IRK_CLUSTER_DIM] = {"nvvm.cluster_dim", {"cluster_dim_x", "cluster_dim_y", "cluster_dim_z"}},
	[IRK_MINCTASM] = {"nvvm.minctasm", {"minctasm", NULL, NULL}},
	[IRK_MAXNREG] = {"nvvm.maxnreg", {"maxnreg", NULL, NULL}},
	[IRK_MAXCLUSTERRANK] = {"nvvm.maxclusterrank", {"maxclusterrank", NULL, NULL}},
	[IRK_BLOCKS_ARE_CLUSTERS] = {"nvvm.blocksareclusters", {NULL, NULL, NULL}},
};

static bool is_digit(u8 c) { return c >= '0' && c <= '9'; }

/* "64,2" gives 64 and 2; returns how many. */
static u32 numbers(Str text, u64 *number, u32 n)
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
	const Row *row = &rows[p];
	u32        n = row->key[1] ? 3 : 1, given = 0;
	for (u32 k = 0; k < 3; k++) {
		number[k] = n == 3;
		if (k < n && row->key[k] && ir_annotation(m, f->ref, row->key[k], 0, &number[k]))
			given = k + 1;
	}
	if (given && n == 1)
		return 1;
	u32 in_text = numbers(ir_fn_attr(m, f, row->attr), number, n);
	return PS_MAX(given, in_text);
}

bool ir_kernel_has(const IrModule *m, const IrFunc *f, IrKernelProp p)
{
	return ir_attrs_find_key(m, f->fn, rows[p].attr) != NULL;
}
