/* matrix_move.c: matrices between memory and the registers of a warp: ldmatrix, stmatrix, movmatrix, and the
 * loads and stores of wmma. */
#include "simt/matrix.h"

#include "sem/int.h"

/* ldmatrix, stmatrix: matrix i's row k is at the address that lane 8 * i + k gives; lane l holds elements
 * 2 * (l % 4) and the next of row l / 4, or of that column. */
static bool by_rows(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	bool store = x->what == MMA_STMATRIX;
	for (u32 i = 0; i < x->count; i++) {
		u16  element[8][8] = {{0}};
		u8  *at[8];
		i32  reg = x->row[PART_D][i];
		u32 *r = reg == NO_REG ? NULL : reg_rows(m, f, reg);
		for (u32 k = 0; k < 8; k++) {
			u32 lane = 8 * i + k;
			u64 address = lane64(reg_rows(m, f, x->addr), lane) + (u64)(i64)(i32)x->offset;
			if (address % 16)
				return simt_fail(m, FAULT_MISALIGNED, lane,
				                 "row of a matrix at 0x%llx, which is no multiple of 16",
				                 (unsigned long long)address);
			if (!(at[k] = mem_at(m, x->space, address, 16, lane, store ? ACCESS_WRITE : ACCESS_READ)))
				return false;
			if (!store)
				memcpy(element[k], at[k], 16);
		}
		for (u32 l = 0; r && l < LANES; l++)
			for (u32 j = 0; j < 2; j++) {
				u32  row = l / 4, col = l % 4 * 2 + j;
				u16 *e = x->trans ? &element[col][row] : &element[row][col];
				if (store)
					*e = (u16)(r[l] >> 16 * j);
				else
					r[l] = (r[l] & ~(0xffffu << 16 * j)) | (u32)*e << 16 * j;
			}
		for (u32 k = 0; store && k < 8; k++)
			memcpy(at[k], element[k], 16);
	}
	return true;
}

static void transpose(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	u16        element[8][8];
	const u32 *a = reg_rows(m, f, x->row[PART_A][0]);
	if (x->row[PART_D][0] == NO_REG)
		return;
	for (u32 l = 0; l < LANES; l++)
		for (u32 j = 0; j < 2; j++)
			element[l / 4][l % 4 * 2 + j] = (u16)(a[l] >> 16 * j);
	u32 *d = reg_rows(m, f, x->row[PART_D][0]);
	for (u32 l = 0; l < LANES; l++)
		d[l] = element[l % 4 * 2][l / 4] | (u32)element[l % 4 * 2 + 1][l / 4] << 16;
}

/* wmma.load, wmma.store: the matrix begins at the address that all lanes give; consecutive rows (or columns)
 * are `stride` elements apart. Elements narrower than a byte share one, the first in its low bits. */
static bool whole_matrix(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	MmaPart p = (MmaPart)x->part;
	bool    store = x->what == MMA_STORE;
	u32     rows = part_rows(x, p), cols = part_cols(x, p), bits = element_bits(x->type[p]), bytes = PS_MAX(bits / 8, 1u);
	u64     base = lane64(reg_rows(m, f, x->addr), 0) + (u64)(i64)(i32)x->offset;
	u64     stride = x->stride != NO_REG ? reg_rows(m, f, x->stride)[0] : x->by_column ? rows : cols;
	if (base % 16)
		return simt_fail(m, FAULT_MISALIGNED, 0, "matrix at 0x%llx, which is no multiple of 16",
		                 (unsigned long long)base);
	for (u32 row = 0; row < rows; row++)
		for (u32 col = 0; col < cols; col++) {
			u64 bit = (x->by_column ? col * stride + row : row * stride + col) * bits;
			At  at = element_at(x, p, 0, row, col);
			u64 v = 0;
			u8 *host = mem_at(m, x->space, base + bit / 8, bytes, at.lane, store ? ACCESS_WRITE : ACCESS_READ);
			if (!host)
				return false;
			memcpy(&v, host, bytes);
			if (store) {
				v = element_get(m, f, x, p, at);
				memcpy(host, &v, bytes);
			} else {
				element_set(m, f, x, p, at, v >> bit % 8 & sem_mask(bits));
			}
		}
	return true;
}

bool matrix_move(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	switch ((MmaWhat)x->what) {
	case MMA_LDMATRIX:
	case MMA_STMATRIX: return by_rows(m, f, x);
	case MMA_LOAD:
	case MMA_STORE: return whole_matrix(m, f, x);
	default: transpose(m, f, x); return true;
	}
}
