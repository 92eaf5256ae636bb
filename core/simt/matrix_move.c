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

/* The bytes of a matrix: rows in memory, which a transposed one has as columns. Thread t has
 *	m16n16, m8n16   row t / 4 (second register: and 8), columns 4 * (t % 4) and the three behind it
 *	m16n8           row t / 4 (third and fourth byte: and 8), columns 2 * (t % 4) and the next */
static void byte_place(const MmaForm *x, u32 t, u32 reg, u32 i, u32 *row, u32 *col)
{
	bool narrow = x->n == 8;
	*row = t / 4 + 8 * (narrow ? i / 2 : reg);
	*col = narrow ? t % 4 * 2 + i % 2 : t % 4 * 4 + i;
	if (x->trans) {
		u32 r = *row;
		*row = *col, *col = r;
	}
}

/* Sixteen numbers to a byte each: six bits to the low ones, four to those in the middle. */
static void widen(u8 *to, const u8 *from, u32 bits)
{
	for (u32 i = 0; i < 16; i++) {
		u32 at = i * bits, v = (u32)(from[at / 8] | from[at / 8 + 1] << 8) >> at % 8 & ((1u << bits) - 1);
		to[i] = (u8)(bits == 4 ? v << 2 : v);
	}
}

/* Row k of matrix i is at the address of lane rows * i + k. */
static bool by_bytes(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	bool store = x->what == MMA_STMATRIX;
	u32  rows = x->m == 16 && x->n == 16 ? 16 : 8, each = rows / 8;
	for (u32 i = 0; i < x->count; i++) {
		u8 memory[16][16], *at[16];
		for (u32 k = 0; k < rows; k++) {
			u32 lane = (rows * i + k) % LANES;
			u64 address = lane64(reg_rows(m, f, x->addr), lane) + (u64)(i64)(i32)x->offset;
			u8  packed[17] = {0};
			if (address % 16)
				return simt_fail(m, FAULT_MISALIGNED, lane,
				                 "row of a matrix at 0x%llx, which is no multiple of 16",
				                 (unsigned long long)address);
			if (!(at[k] = mem_at(m, x->space, address, 16, lane, store ? ACCESS_WRITE : ACCESS_READ)))
				return false;
			memcpy(packed, at[k], 16);
			memcpy(memory[k], packed, 16);
			if (x->unpack)
				widen(memory[k], packed, x->unpack);
		}
		for (u32 reg = 0; reg < each; reg++)
			for (u32 t = 0; t < LANES && x->row[PART_D][i * each + reg] != NO_REG; t++) {
				u32 *r = reg_rows(m, f, x->row[PART_D][i * each + reg]) + t, word = 0, row, col;
				for (u32 b = 0; b < 4; b++) {
					byte_place(x, t, reg, b, &row, &col);
					word |= (u32)memory[row][col] << 8 * b;
					if (store)
						memory[row][col] = (u8)(*r >> 8 * b);
				}
				*r = store ? *r : word;
			}
		for (u32 k = 0; store && k < rows; k++)
			memcpy(at[k], memory[k], 16);
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
	case MMA_STMATRIX: return x->room[0] == 8 ? by_bytes(m, f, x) : by_rows(m, f, x);
	case MMA_LOAD:
	case MMA_STORE: return whole_matrix(m, f, x);
	default: transpose(m, f, x); return true;
	}
}
