/* tmem.c: tensor memory: allocation, tcgen05.ld, .st, .cp and .shift. All of it is done when it is issued; waits find nothing
 * open. With .cta_group::2, .cp and .shift are carried out in both blocks of a pair. Each of them allocates for itself, as a warp of
 * each executes the instruction, so both get the same addresses.
 *
 * Thread t and register r of a load or store, from the address's lane and column on:
 *	32x32b    lane t,                                column r
 *	16x64b    lane t / 4 + 8 * (t % 2),              column 2 * r + t / 2 % 2
 *	16x128b   lane t / 4 + 8 * (r % 2),              column 4 * (r / 2) + t % 4
 *	16x256b   lane t / 4 + 8 * (r / 2 % 2),          column 8 * (r / 4) + 2 * (t % 4) + r % 2
 *	16x32bx2  lane t % 16, column r, from 16 on those that the second offset says
 * tcgen05.shift moves each lane's 8 columns to the next lane, of 32 lanes. */
#include "simt/op.h"
#include "simt/smem_matrix.h"
#include "simt/tmem.h"

#include "simt/tensor_map.h"

/* ---- decoding */

static i32 address_in(OpCx *c, u32 *at, u32 *offset)
{
	i32 r = op_in(c, *at, 64);
	*offset = *at + 1 < c->n ? (u32)c->arg[*at + 1].value : 0;
	*at += 2;
	return r;
}

static void take_list(OpCx *c, TensorForm *x, u32 at, u32 n, bool result)
{
	x->n = (u16)n;
	x->regs = c->e->p->ext.n;
	for (u32 i = 0; i < n; i++) {
		u32 row = (u32)(!result ? op_in(c, at + i, 32) : c->arg[at + i].kind == ARG_REG ? c->arg[at + i].row : NO_REG);
		emit_ext(c->e->p, &row, 1);
	}
}

static bool decode_move(OpCx *c, TensorForm *x)
{
	u32 op = c->d->opc.op, defs = c->d->n_defs, at = defs;
	x->shape = c->d->opc.slot[SLOT_shape];
	x->pack = c->d->opc.slot[SLOT_flag] != 0;
	x->what = defs ? TC_LOAD : TC_STORE;
	x->d = address_in(c, &at, &x->d_offset);
	if (op == ISA_tcgen05_ld_split || op == ISA_tcgen05_st_split)
		x->half = (u32)c->arg[at++].value;
	take_list(c, x, defs ? 0 : at, defs ? defs : c->n - at, defs != 0);
	return true;
}

static bool decode_copy(OpCx *c, TensorForm *x)
{
	u32 at = 0, from = c->d->opc.slot[SLOT_stype];
	x->what = TC_COPY;
	x->d = address_in(c, &at, &x->d_offset);
	x->descriptor = op_in(c, at, 64);
	x->shape = c->d->opc.slot[SLOT_shape];
	x->kind = c->d->opc.slot[SLOT_op];
	x->unpack = from == TOK_type_b6x16_p32 ? 6 : from == TOK_type_b4x16_p64 ? 4 : 0;
	return true;
}

/* [d], A, B, metadata, instruction descriptor, scales or lanes that are left out, predicate, and what may follow. */
static bool decode_multiply(OpCx *c, TensorForm *x)
{
	u32 op = c->d->opc.op, at = 0;
	x->what = TC_MULTIPLY;
	x->kind = c->d->opc.slot[SLOT_op];
	x->size = c->d->opc.slot[SLOT_mode];
	x->shift = x->size == TOK_mode_ashift;
	x->sparse = op == ISA_tcgen05_mma_sp || op == ISA_tcgen05_mma_sp_tm || op == ISA_tcgen05_mma_sp_scaled ||
	            op == ISA_tcgen05_mma_sp_scaled_tm || op == ISA_tcgen05_mma_ws_sp || op == ISA_tcgen05_mma_ws_sp_tm;
	x->stationary = op >= ISA_tcgen05_mma_ws && op <= ISA_tcgen05_mma_ws_sp_tm;
	bool scaled = op >= ISA_tcgen05_mma_scaled && op <= ISA_tcgen05_mma_sp_scaled_tm;
	x->a_in_smem = op == ISA_tcgen05_mma || op == ISA_tcgen05_mma_sp || op == ISA_tcgen05_mma_scaled ||
	               op == ISA_tcgen05_mma_sp_scaled || op == ISA_tcgen05_mma_ws || op == ISA_tcgen05_mma_ws_sp;
	x->d = address_in(c, &at, &x->d_offset);
	x->a = x->a_in_smem ? op_in(c, at++, 64) : address_in(c, &at, &x->a_offset);
	x->b = op_in(c, at++, 64);
	if (x->sparse)
		x->metadata = address_in(c, &at, &x->metadata_offset);
	x->descriptor = op_in(c, at++, 32);
	for (u32 i = 0; i < 2 && scaled; i++)
		x->scale[i] = address_in(c, &at, &x->scale_offset[i]);
	u32 rest = c->n - at;
	x->n_disabled = scaled || x->stationary || rest < 5 ? 0 : rest < 9 ? 4 : 8;
	for (u32 i = 0; i < x->n_disabled; i++)
		x->disabled[i] = op_in(c, at++, 32);
	x->keep = op_in(c, at++, 1);
	if (x->stationary && at < c->n)
		x->columns = op_in(c, at, 64);
	else if (at < c->n && c->arg[at].kind == ARG_IMM)
		x->scale_d = (u8)c->arg[at].value;
	return true;
}

static bool decode(OpCx *c, TensorForm *x)
{
	u32 at = 0;
	switch (c->d->opc.op) {
	case ISA_tcgen05_alloc:
		x->what = TC_ALLOC;
		x->space = c->d->opc.slot[SLOT_space] ? SPACE_SHARED : SPACE_GENERIC;
		x->d = address_in(c, &at, &x->d_offset);
		x->a = op_in(c, at, 32);
		return true;
	case ISA_tcgen05_dealloc:
		x->what = TC_DEALLOC;
		x->d = op_in(c, 0, 64);
		x->a = op_in(c, 1, 32);
		return true;
	case ISA_tcgen05_relinquish: x->what = TC_RELINQUISH; return true;
	case ISA_tcgen05_ld:
	case ISA_tcgen05_ld_split:
	case ISA_tcgen05_st:
	case ISA_tcgen05_st_split: return decode_move(c, x);
	case ISA_tcgen05_cp: return decode_copy(c, x);
	case ISA_tcgen05_shift:
		x->what = TC_SHIFT;
		x->d = address_in(c, &at, &x->d_offset);
		return true;
	default: return c->d->opc.op >= ISA_tcgen05_mma && c->d->opc.op <= ISA_tcgen05_mma_ws_sp_tm && decode_multiply(c, x);
	}
}

bool simt_op_tensor(OpCx *c)
{
	TensorForm x = {.descriptor = NO_REG, .metadata = NO_REG, .columns = NO_REG, .keep = NO_REG};
	if (c->d->opc.op == ISA_tcgen05_wait) {
		emit_insn(c->e, S_NOP);
		return true;
	}
	x.pair = c->d->opc.slot[SLOT_flag2] == TOK_flag_cta_group_2;
	if (!decode(c, &x))
		return false;
	u32 at = c->e->p->tensor.n;
	vec_push(c->e->p->arena, &c->e->p->tensor, x);
	emit_insn(c->e, S_TENSOR)->y = at;
	return true;
}

/* ---- allocation */

void tmem_forget(Block *b)
{
	b->tmem_taken = 0;
	b->tmem_closed = false;
	memset(b->tmem_size, 0, sizeof b->tmem_size);
}

static u16 units_of(u32 first, u32 columns) { return (u16)(((1u << columns / TMEM_UNIT) - 1) << first / TMEM_UNIT); }

static bool size_is_possible(u32 n) { return n >= TMEM_UNIT && n <= TMEM_COLUMNS && (n & (n - 1)) == 0; }

static bool allocate(SimtMachine *m, const Frame *f, const TensorForm *x, u32 l)
{
	Block *b = m->cur_block;
	u32    n = reg_rows(m, f, x->a)[l], first = 0;
	u64    to = lane64(reg_rows(m, f, x->d), l) + (u64)(i64)(i32)x->d_offset;
	if (!size_is_possible(n))
		return simt_fail(m, FAULT_TENSOR_MEMORY, l, "allocation of %u columns: 32, 64, 128, 256 and 512 are possible", n);
	if (b->tmem_closed)
		return simt_fail(m, FAULT_TENSOR_MEMORY, l, "the block has given up the right to allocate tensor memory");
	while (first < TMEM_COLUMNS && (b->tmem_taken & units_of(first, n)))
		first += n;
	if (first >= TMEM_COLUMNS)
		return simt_fail(m, FAULT_TENSOR_MEMORY, l, "allocation of %u columns, which waits for columns that nobody frees",
		                 n);
	u8 *p = to % 4 ? NULL : mem_at(m, x->space, to, 4, l, ACCESS_WRITE);
	if (to % 4)
		return simt_fail(m, FAULT_MISALIGNED, l, "4-byte write at 0x%llx, which is no multiple of 4",
		                 (unsigned long long)to);
	if (!p)
		return false;
	if (!b->tmem)
		b->tmem = arena_array(&m->arena, u32, TMEM_LANES * TMEM_COLUMNS);
	b->tmem_taken |= units_of(first, n);
	b->tmem_size[first / TMEM_UNIT] = (u8)(n / TMEM_UNIT);
	for (u32 lane = 0; lane < TMEM_LANES; lane++)
		memset(tmem_cell(b, lane, first), 0xCD, n * sizeof(u32));
	memcpy(p, &first, 4);
	simt_watch(m, p, 4, l);
	return true;
}

static bool deallocate(SimtMachine *m, const Frame *f, const TensorForm *x, u32 l)
{
	u32    first = tmem_address(m, f, x->d, 0, l), n = reg_rows(m, f, x->a)[l];
	Block *b = m->cur_block;
	if (first >= TMEM_COLUMNS || first % TMEM_UNIT || n == 0 || b->tmem_size[first / TMEM_UNIT] * TMEM_UNIT != n)
		return simt_fail(m, FAULT_TENSOR_MEMORY, l, "0x%x is no allocation of %u columns", first, n);
	b->tmem_taken &= (u16)~units_of(first, n);
	b->tmem_size[first / TMEM_UNIT] = 0;
	return true;
}

bool tmem_holds(SimtMachine *m, const Block *b, u32 address, u32 columns, u32 lane, const char *who)
{
	u32 first = address & 0xffff, last = first + PS_MAX(columns, 1u) - 1;
	if (address >> 16 < TMEM_LANES && last < TMEM_COLUMNS) {
		u32 unit = first / TMEM_UNIT;
		while (unit <= last / TMEM_UNIT && (b->tmem_taken >> unit & 1))
			unit++;
		if (unit > last / TMEM_UNIT)
			return true;
	}
	return simt_fail(m, FAULT_TENSOR_MEMORY, lane, "%s of columns %u to %u of lane %u, which are not all allocated", who,
	                 first, last, address >> 16);
}

/* ---- loads and stores */

typedef struct Cell {
	u32 lane, column;
} Cell;

static Cell cell_of(const TensorForm *x, u32 t, u32 r)
{
	switch (x->shape) {
	case TOK_shape_16x64b: return (Cell){t / 4 + 8 * (t % 2), 2 * r + t / 2 % 2};
	case TOK_shape_16x128b: return (Cell){t / 4 + 8 * (r % 2), 4 * (r / 2) + t % 4};
	case TOK_shape_16x256b: return (Cell){t / 4 + 8 * (r / 2 % 2), 8 * (r / 4) + 2 * (t % 4) + r % 2};
	case TOK_shape_16x32bx2: return (Cell){t % 16, r};
	default: return (Cell){t, r};
	}
}

static bool move(SimtMachine *m, const Frame *f, const TensorForm *x, u32 mask)
{
	u32 base = tmem_address(m, f, x->d, x->d_offset, 0), lane = base >> 16, column = base & 0xffff,
	    own = m->cur_warp->number % 4 * LANES;
	const Block *b = m->cur_block;
	bool         load = x->what == TC_LOAD, whole = x->shape == TOK_shape_32x32b;
	u32          columns = (cell_of(x, 31, x->n - 1u).column + 1) << x->pack;
	if (mask != ALL_LANES)
		return simt_fail(m, FAULT_SYNC_MASK, first_lane(mask), "tcgen05.%s reached by %u of the warp's 32 threads",
		                 load ? "ld" : "st", lane_count(mask));
	if (lane != own && (whole || lane != own + 16))
		return simt_fail(m, FAULT_TENSOR_MEMORY, 0, "tcgen05.%s from lane %u on: the lanes of this warp are %u to %u",
		                 load ? "ld" : "st", lane, own, own + 31);
	if (!tmem_holds(m, b, base, columns, 0, load ? "load" : "store") ||
	    (x->half && !tmem_holds(m, b, base + x->half, columns, 0, load ? "load" : "store")))
		return false;
	for (u32 r = 0; r < x->n; r++) {
		i32 reg = (i32)m->p->ext.p[x->regs + r];
		for (u32 t = 0; t < LANES && reg != NO_REG; t++) {
			Cell c = cell_of(x, t, r);
			u32 *row = reg_rows(m, f, reg), at = column + (c.column << x->pack);
			at += x->shape == TOK_shape_16x32bx2 && t >= 16 ? x->half : 0;
			u32 *low = tmem_cell(b, lane + c.lane, at), *high = tmem_cell(b, lane + c.lane, at + 1);
			if (!x->pack && load)
				row[t] = *low;
			else if (!x->pack)
				*low = row[t];
			else if (load)
				row[t] = (*low & 0xffff) | *high << 16;
			else
				*low = row[t] & 0xffff, *high = row[t] >> 16;
		}
	}
	return true;
}

/* ---- from shared memory, and from lane to lane */

/* Which lanes get row `row` of the matrix: those of the warps in the mask, at lane *at of each. */
static u32 warps_of(const TensorForm *x, u32 row, u32 *at)
{
	*at = row % LANES;
	switch (x->shape) {
	case TOK_shape_4x256b: *at = 0; return 1u << row;
	case TOK_shape_32x128b: return 15;
	case TOK_shape_64x128b: return x->kind == TOK_op_warpx2_01_23 ? (row < LANES ? 3 : 12) : row < LANES ? 5 : 10;
	default: return 1u << row / LANES;
	}
}

/* Sixteen numbers of `bits` bits, each to a byte: six bits to the low ones, four to those in the middle. */
static void unpack16(u8 *to, const u8 *from, u32 bits)
{
	for (u32 i = 0; i < 16; i++) {
		u32 at = i * bits, v = (u32)(from[at / 8] | from[at / 8 + 1] << 8) >> at % 8 & ((1u << bits) - 1);
		to[i] = (u8)(bits == 4 ? v << 2 : v);
	}
}

static bool copy(SimtMachine *m, const Frame *f, const TensorForm *x, u32 l, const Block *b)
{
	bool wide = x->shape == TOK_shape_128x256b || x->shape == TOK_shape_4x256b;
	u32  rows = x->shape == TOK_shape_4x256b    ? 4
	            : x->shape == TOK_shape_32x128b ? 32
	            : x->shape == TOK_shape_64x128b ? 64
	                                            : 128;
	u32  base = tmem_address(m, f, x->d, x->d_offset, l), column = base & 0xffff, lane = base >> 16, units = wide ? 2 : 1;
	SmemMatrix from = smem_matrix_tcgen05(lane64(reg_rows(m, f, x->descriptor), l), EL_U8, 8, false);
	from.lane = l;
	if (!tmem_holds(m, b, base, 4 * units, l, "copy"))
		return false;
	for (u32 row = 0; row < rows; row++)
		for (u32 unit = 0; unit < units; unit++) {
			u64       at = smem_matrix_address(&from, row, 16 * unit);
			const u8 *p = mem_at(m, SPACE_SHARED, b->base + at, 16, l, ACCESS_READ);
			u8        bytes[17] = {0}, wider[16];
			u32       to, warps = warps_of(x, row, &to);
			if (!p)
				return false;
			memcpy(bytes, p, 16);
			if (x->unpack) {
				unpack16(wider, bytes, x->unpack);
				memcpy(bytes, wider, 16);
			}
			for (u32 w = 0; w < 4; w++)
				if (warps >> w & 1)
					memcpy(tmem_cell(b, lane + to + w * LANES, column + 4 * unit), bytes, 16);
		}
	return true;
}

static bool shift(SimtMachine *m, const Frame *f, const TensorForm *x, u32 l, const Block *b)
{
	u32 base = tmem_address(m, f, x->d, x->d_offset, l), column = base & 0xffff, lane = base >> 16;
	if (lane % LANES)
		return simt_fail(m, FAULT_TENSOR_MEMORY, l, "tcgen05.shift from lane %u on, which is no multiple of 32", lane);
	if (!tmem_holds(m, b, base, 8, l, "shift"))
		return false;
	for (u32 i = LANES - 1; i > 0; i--)
		memcpy(tmem_cell(b, lane + i, column), tmem_cell(b, lane + i - 1, column), 8 * sizeof(u32));
	return true;
}

/* The two blocks whose ranks differ in the last bit; NULL after a fault: one of them is not there. */
static Block *partner(SimtMachine *m, u32 l)
{
	u32    rank = m->cur_block->rank ^ 1;
	Block *b = m->cur_block->cluster->block[rank];
	if (!b)
		simt_fail(m, rank < m->cluster_size ? FAULT_EXITED : FAULT_TENSOR_MEMORY, l,
		          "cta_group::2: block %u of the cluster, %s", rank,
		          rank < m->cluster_size ? "the other of the pair, has exited"
		                                 : "which would be the other of the pair, does not exist");
	return b;
}

static bool move_bytes(SimtMachine *m, const Frame *f, const TensorForm *x, u32 l, const Block *b)
{
	return x->what == TC_COPY ? copy(m, f, x, l, b) : shift(m, f, x, l, b);
}

static bool run_lane(SimtMachine *m, const Frame *f, const TensorForm *x, u32 l)
{
	Block *other = x->pair ? partner(m, l) : NULL;
	if (x->pair && !other)
		return false;
	if (x->what == TC_MULTIPLY)
		return tensor_multiply(m, f, x, l, other);
	return move_bytes(m, f, x, l, m->cur_block) && (!other || move_bytes(m, f, x, l, other));
}

bool tensor_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const TensorForm *x = &m->p->tensor.p[i->y];
	switch ((TensorWhat)x->what) {
	case TC_ALLOC: return allocate(m, f, x, first_lane(mask));
	case TC_DEALLOC: return deallocate(m, f, x, first_lane(mask));
	case TC_RELINQUISH: m->cur_block->tmem_closed = true; return true;
	case TC_LOAD:
	case TC_STORE: return move(m, f, x, mask);
	default:
		each_lane(mask, l)
			if (!run_lane(m, f, x, l))
				return false;
		return true;
	}
}
