/* mma.c: matrix multiply-add over a warp.
 *
 * mma.sync: lane l is in group g = l / 4 and is its t-th, t = l % 4. With E elements to a register:
 *	A, register r, element e   row g + 8 * (r % (M/8)), column t*E + e + 4*E * (r / (M/8))
 *	B, register r, element e   row t*E + e + 4*E * r,   column g
 *	C and D, element i         row g + 8 * (i / 2),     column 2*t + i % 2
 * mma.m8n8k4 of halves: four matrices, the q-th in lanes 4q .. 4q + 3 and the sixteenth behind each; see quad_at.
 * wmma: PTX leaves open who holds what; here elements lie row by row, equally many in each lane, and
 * registers that are left over hold copies.
 *
 * mma.sp: A as if it had the columns that are stored; matrix_sum.c has the metadata. With scales, thread t of a group has
 * those of row g (t even) and g + 8 (t odd) of A, and of column g of B. */
#include "simt/matrix.h"
#include "simt/op.h"

#include "sem/float.h"

/* ---- decoding */

static bool shape_of(u32 token, MmaForm *x)
{
	static const struct {
		u8  token;
		u16 m, n, k;
	} rows[] = {
		{TOK_shape_m8n8k4, 8, 8, 4},       {TOK_shape_m8n8k16, 8, 8, 16},     {TOK_shape_m8n8k32, 8, 8, 32},
		{TOK_shape_m8n8k128, 8, 8, 128},   {TOK_shape_m16n8k4, 16, 8, 4},     {TOK_shape_m16n8k8, 16, 8, 8},
		{TOK_shape_m16n8k16, 16, 8, 16},   {TOK_shape_m16n8k32, 16, 8, 32},   {TOK_shape_m16n8k64, 16, 8, 64},
		{TOK_shape_m16n8k128, 16, 8, 128}, {TOK_shape_m16n8k256, 16, 8, 256}, {TOK_shape_m16n16k16, 16, 16, 16},
		{TOK_shape_m32n8k16, 32, 8, 16},   {TOK_shape_m8n32k16, 8, 32, 16},   {TOK_shape_m16n16k8, 16, 16, 8},
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (rows[i].token == token) {
			x->m = rows[i].m, x->n = rows[i].n, x->k = rows[i].k;
			return true;
		}
	return false;
}

u32 part_rows(const MmaForm *x, MmaPart p) { return p == PART_B ? x->k : x->m; }
u32 part_cols(const MmaForm *x, MmaPart p) { return p == PART_A ? x->k / (x->sparse ? 2u : 1u) : x->n; }

static u32 room_of(const MmaForm *x, MmaPart p) { return p <= PART_B && x->room[p] ? x->room[p] : element_bits(x->type[p]); }

/* Registers that the elements fill; a form may have more, with copies. */
static u32 registers_filled(const MmaForm *x, MmaPart p)
{
	u32 bits = room_of(x, p), matrices = x->layout == LAYOUT_QUADS ? 4 : 1;
	return matrices * part_rows(x, p) * part_cols(x, p) * bits / (LANES * PS_MAX(bits, 32u));
}

static void emit_form(OpCx *c, const MmaForm *x)
{
	u32 at = c->e->p->mma.n;
	vec_push(c->e->p->arena, &c->e->p->mma, *x);
	emit_insn(c->e, S_MMA)->y = at;
}

/* Operands *at, … are the registers of a part. */
static bool take_registers(OpCx *c, MmaForm *x, MmaPart p, u32 n, bool result, u32 *at)
{
	u32 filled = registers_filled(x, p), bits = PS_MAX(element_bits(x->type[p]), 32u);
	if (!filled || n < filled || n % filled || n > PS_COUNT(x->row[p]))
		return false;
	x->regs[p] = (u8)n;
	for (u32 i = 0; i < n; i++, (*at)++)
		x->row[p][i] = result ? c->arg[*at].kind == ARG_REG ? c->arg[*at].row : NO_REG : op_in(c, *at, bits);
	return true;
}

static bool all_types(const MmaForm *x) { return x->type[PART_A] && x->type[PART_B] && x->type[PART_C] && x->type[PART_D]; }

/* Register, byte and thread of the scales of A, then those of B. */
static void take_scales(OpCx *c, MmaForm *x, u32 at)
{
	u32 kind = c->d->opc.slot[SLOT_op], size = c->d->opc.slot[SLOT_flag];
	x->scales = size == TOK_flag_scale_vec_4X                                          ? 4
	            : size == TOK_flag_scale_vec_2X || (!size && kind == TOK_op_kind_mxf4) ? 2
	                                                                                   : 1;
	x->scale_e4m3 = c->d->opc.slot[SLOT_mode] == TOK_mode_ue4m3;
	for (u32 p = PART_A; p <= PART_B; p++)
		for (u32 i = 0; i < 3; i++)
			x->scale[p][i] = op_in(c, at++, i ? 16 : 32);
}

static bool decode_mma(OpCx *c)
{
	const u8 *slot = c->d->opc.slot;
	u32       op = c->d->opc.op, flag = slot[SLOT_flag] == TOK_flag_aligned ? slot[SLOT_flag2] : slot[SLOT_flag], at = 0;
	bool      wmma = op == ISA_wmma_mma || op == ISA_wmma_mma_half || op == ISA_wmma_mma_bit, half = op == ISA_wmma_mma_half;
	MmaForm   x = {.what = MMA_MULTIPLY,
	               .saturate = slot[SLOT_sat] != 0,
	               .a_col = slot[SLOT_layout] == TOK_layout_col,
	               .b_col = slot[SLOT_layout2] == TOK_layout_col};
	x.type[PART_D] = element_of(slot[SLOT_type]);
	x.type[PART_A] = half ? (u8)EL_F16 : element_of(slot[SLOT_stype]);
	x.type[PART_B] = half ? (u8)EL_F16 : element_of(slot[SLOT_type3]);
	x.type[PART_C] = element_of(slot[SLOT_type4]);
	x.bit_op = op == ISA_wmma_mma_bit ? slot[SLOT_flag2] == TOK_flag_and_popc : flag == TOK_flag_and_popc;
	if (slot[SLOT_rnd])
		x.mode = slot[SLOT_rnd] == TOK_rnd_rz   ? SEM_RZ
		         : slot[SLOT_rnd] == TOK_rnd_rm ? SEM_RM
		         : slot[SLOT_rnd] == TOK_rnd_rp ? SEM_RP
		                                        : SEM_RN;
	if (!shape_of(slot[SLOT_shape], &x) || !all_types(&x))
		return false;
	bool bytes = slot[SLOT_op] == TOK_op_kind_f8f6f4 || slot[SLOT_op] == TOK_op_kind_mxf8f6f4;
	for (u32 p = PART_A; p <= PART_B && bytes; p++)
		x.room[p] = 8; /* narrower elements have bytes of their own, too */
	if (op == ISA_mma_sp || op == ISA_mma_sp_scaled)
		x.sparse = (u8)sparse_chunk(x.type[PART_A], element_bits(x.type[PART_A]) == 4 && !bytes);
	x.layout = wmma ? LAYOUT_WMMA : x.m == 8 && x.k == 4 && x.type[PART_A] == EL_F16 ? LAYOUT_QUADS : LAYOUT_MMA;
	u32 nd = registers_filled(&x, PART_D), nc = registers_filled(&x, PART_C), na = registers_filled(&x, PART_A),
	    nb = registers_filled(&x, PART_B);
	if (wmma && x.type[PART_A] == EL_F16)
		na = nb = 8;
	bool scaled = op == ISA_mma_scaled || op == ISA_mma_sp_scaled;
	u32  more = (x.sparse ? 2u : 0u) + (scaled ? 6u : 0u);
	if (c->n != nd + na + nb + nc + more || !take_registers(c, &x, PART_D, nd, true, &at) ||
	    !take_registers(c, &x, PART_A, na, false, &at) || !take_registers(c, &x, PART_B, nb, false, &at) ||
	    !take_registers(c, &x, PART_C, nc, false, &at))
		return false;
	if (x.sparse) {
		x.metadata = op_in(c, at, 32);
		x.selector = (u8)c->arg[at + 1].value;
		at += 2;
	}
	if (scaled)
		take_scales(c, &x, at);
	emit_form(c, &x);
	return true;
}

static bool decode_wmma_move(OpCx *c)
{
	const u8 *slot = c->d->opc.slot;
	u32       op = c->d->opc.op, defs = c->d->n_defs, at = 0;
	bool      store = op == ISA_wmma_store_d;
	MmaPart   p = op == ISA_wmma_load_a ? PART_A : op == ISA_wmma_load_b ? PART_B : store ? PART_D : PART_C;
	MmaForm   x = {.what = store ? MMA_STORE : MMA_LOAD,
	               .layout = LAYOUT_WMMA,
	               .part = (u8)p,
	               .by_column = slot[SLOT_layout] == TOK_layout_col,
	               .space = (u8)simt_space_of(slot[SLOT_space]),
	               .stride = NO_REG};
	x.type[p] = element_of(slot[SLOT_type]);
	if (!shape_of(slot[SLOT_shape], &x) || !x.type[p])
		return false;
	u32 n = p <= PART_B && x.type[p] == EL_F16 ? 8 : registers_filled(&x, p);
	if (store) {
		at = 2;
		if (c->n < n + 2 || !take_registers(c, &x, p, n, false, &at))
			return false;
	} else if (defs != n || !take_registers(c, &x, p, n, true, &at)) {
		return false;
	}
	u32 address = store ? 0 : defs, last = store ? at : defs + 2;
	x.addr = op_in(c, address, 64);
	x.offset = (u32)c->arg[address + 1].value;
	if (last < c->n && c->arg[last].kind != ARG_NONE)
		x.stride = op_in(c, last, 32);
	emit_form(c, &x);
	return true;
}

static bool decode_ldmatrix(OpCx *c)
{
	const u8 *slot = c->d->opc.slot;
	bool      store = c->d->opc.op == ISA_stmatrix;
	u32       n = isa_vec(&c->d->opc), defs = store ? 0 : c->d->n_defs;
	MmaForm   x = {.what = store ? MMA_STMATRIX : MMA_LDMATRIX,
	               .count = (u8)n,
	               .trans = isa_has_flag(&c->d->opc, TOK_flag_trans),
	               .space = (u8)simt_space_of(slot[SLOT_space])};
	u32       each = slot[SLOT_shape] == TOK_shape_m16n16 ? 2 : 1, packed = slot[SLOT_stype];
	x.m = slot[SLOT_shape] == TOK_shape_m16n16 || slot[SLOT_shape] == TOK_shape_m16n8 ? 16 : 8;
	x.n = slot[SLOT_shape] == TOK_shape_m16n16 || slot[SLOT_shape] == TOK_shape_m8n16 ? 16 : 8;
	x.room[0] = slot[SLOT_shape] == TOK_shape_m8n8 ? 16 : 8;
	x.unpack = packed == TOK_type_b6x16_p32 ? 6 : packed == TOK_type_b4x16_p64 ? 4 : 0;
	n *= each;
	if (n > 4)
		return false;
	for (u32 i = 0; i < n; i++)
		x.row[PART_D][i] = store ? op_in(c, 2 + i, 32) : c->arg[i].kind == ARG_REG ? c->arg[i].row : NO_REG;
	x.addr = op_in(c, defs, 64);
	x.offset = (u32)c->arg[defs + 1].value;
	emit_form(c, &x);
	return true;
}

bool simt_op_matrix(OpCx *c)
{
	switch (c->d->opc.op) {
	case ISA_mma:
	case ISA_mma_kind:
	case ISA_mma_scaled:
	case ISA_mma_sp:
	case ISA_mma_sp_scaled:
	case ISA_wmma_mma:
	case ISA_wmma_mma_half:
	case ISA_wmma_mma_bit: return decode_mma(c);
	case ISA_wmma_load_a:
	case ISA_wmma_load_b:
	case ISA_wmma_load_c:
	case ISA_wmma_store_d: return decode_wmma_move(c);
	case ISA_ldmatrix:
	case ISA_ldmatrix_unpack:
	case ISA_stmatrix: return decode_ldmatrix(c);
	case ISA_wgmma_ss:
	case ISA_wgmma_rs:
	case ISA_wgmma_sp_ss:
	case ISA_wgmma_sp_rs: return simt_op_wgmma(c);
	case ISA_movmatrix: {
		MmaForm x = {.what = MMA_MOVMATRIX};
		x.row[PART_D][0] = c->arg[0].kind == ARG_REG ? c->arg[0].row : NO_REG;
		x.row[PART_A][0] = op_in(c, 1, 32);
		emit_form(c, &x);
		return true;
	}
	default: return false;
	}
}

/* ---- who holds an element */

static u32 per_register(const MmaForm *x, MmaPart p) { return PS_MAX(32 / room_of(x, p), 1u); }

static At mma_at(const MmaForm *x, MmaPart p, u32 row, u32 col)
{
	u32 E = per_register(x, p);
	if (p == PART_A)
		return (At){row / 8 + x->m / 8u * (col / (4 * E)), (row % 8) * 4 + col % (4 * E) / E, col % E};
	if (p == PART_B)
		return (At){row / (4 * E), col * 4 + row % (4 * E) / E, row % E};
	u32 i = row / 8 * 2 + col % 2;
	return (At){i / E, (row % 8) * 4 + col / 2, i % E};
}

/* Element i of a lane; the upper half of the eight rows (of B: columns) is in the lanes from 16 on. */
static At quad_at(const MmaForm *x, MmaPart p, u32 quad, u32 row, u32 col)
{
	u32  E = per_register(x, p), first = 4 * quad, side = p == PART_B ? col : row, k = p == PART_B ? row : col, lane, i;
	bool along = p == PART_A ? !x->a_col : x->b_col; /* a lane holds consecutive k */
	if (p <= PART_B) {
		lane = along ? side % 4 : k;
		i = along ? k : side % 4;
	} else if (x->type[p] == EL_F32) {
		lane = (row & 1) + (col & 2);
		i = (row & 2) + (col & 4) + (col & 1);
	} else {
		lane = row % 4;
		i = col;
	}
	return (At){i / E, first + lane + (side >= 4 ? 16 : 0), i % E};
}

static At wmma_at(const MmaForm *x, MmaPart p, u32 row, u32 col)
{
	u32 E = per_register(x, p), cols = part_cols(x, p), each = part_rows(x, p) * cols / LANES, k = row * cols + col;
	return (At){k % each / E, k / each, k % each % E};
}

At element_at(const MmaForm *x, MmaPart p, u32 quad, u32 row, u32 col)
{
	return x->layout == LAYOUT_WMMA    ? wmma_at(x, p, row, col)
	       : x->layout == LAYOUT_QUADS ? quad_at(x, p, quad, row, col)
	                                   : mma_at(x, p, row, col);
}

u64 element_get(const SimtMachine *m, const Frame *f, const MmaForm *x, MmaPart p, At at)
{
	const u32 *row = reg_rows(m, f, x->row[p][at.reg]);
	u32        bits = element_bits(x->type[p]), room = room_of(x, p);
	u32        shift = at.e * room + (bits == 4 && room == 8 ? 2 : 0); /* four bits lie in the middle of eight */
	return bits == 64 ? lane64(row, at.lane) : row[at.lane] >> shift & sem_mask(bits);
}

void element_set(SimtMachine *m, const Frame *f, const MmaForm *x, MmaPart p, At at, u64 v)
{
	u32 bits = element_bits(x->type[p]), filled = registers_filled(x, p), shift = at.e * bits;
	for (u32 r = at.reg; r < x->regs[p]; r += filled) {
		if (x->row[p][r] == NO_REG)
			continue;
		u32 *row = reg_rows(m, f, x->row[p][r]);
		if (bits == 64)
			set_lane64(row, at.lane, v);
		else
			row[at.lane] = (row[at.lane] & ~((u32)sem_mask(bits) << shift)) | (u32)(v & sem_mask(bits)) << shift;
	}
}

/* ---- products */

/* Sums of f64 are chains of fma. */
static void multiply_f64(const SimtMachine *m, const Frame *f, const MmaForm *x, u64 *result)
{
	for (u32 row = 0; row < x->m; row++)
		for (u32 col = 0; col < x->n; col++) {
			u64 sum = element_get(m, f, x, PART_C, element_at(x, PART_C, 0, row, col));
			for (u32 k = 0; k < x->k; k++) {
				u64 a = element_get(m, f, x, PART_A, element_at(x, PART_A, 0, row, k));
				u64 b = element_get(m, f, x, PART_B, element_at(x, PART_B, 0, k, col));
				sum = x->mode ? sem_ffma(SEM_F64, a, b, sum, x->mode) : sem_fma_f64(a, b, sum);
			}
			result[row * x->n + col] = sum;
		}
}

/* The scale of a row of A or a column of B for its i-th part. */
static f64 scale_of(const SimtMachine *m, const Frame *f, const MmaForm *x, MmaPart p, u32 index, u32 i)
{
	const i32 *s = x->scale[p];
	u32        byte = reg_rows(m, f, s[1])[0], thread = reg_rows(m, f, s[2])[0];
	u32        lane = p == PART_A ? index % 8 * 4 + thread % 2 * 2 + index / 8 : index * 4 + thread % 4;
	u64        v = reg_rows(m, f, s[0])[lane] >> 8 * ((byte + i) % 4) & 255;
	return x->scale_e4m3 ? element_value(v & 127, EL_E4M3) : sem_f64_of(sem_f2f(SEM_F64, SEM_UE8M0, v, 0));
}

static void read_a(const SimtMachine *m, const Frame *f, const MmaForm *x, u32 quad, f64 *a)
{
	SparseForm sparse = {x->k, x->sparse, x->selector, element_bits(x->type[PART_A]) >= 16};
	u32        cols = part_cols(x, PART_A);
	for (u32 row = 0; row < x->m; row++) {
		f64 stored[256];
		u8  index[64];
		for (u32 k = 0; k < cols; k++)
			stored[k] =
				element_value(element_get(m, f, x, PART_A, element_at(x, PART_A, quad, row, k)), x->type[PART_A]);
		for (u32 k = 0; x->sparse && k < x->k / x->sparse; k++)
			index[k] = (u8)sparse_index(reg_rows(m, f, x->metadata), &sparse, row, k);
		if (x->sparse)
			sparse_spread(stored, index, x->k, x->sparse, a + row * x->k);
		else
			memcpy(a + row * x->k, stored, cols * sizeof *stored);
		for (u32 k = 0; x->scales && k < x->k; k++)
			a[row * x->k + k] *= scale_of(m, f, x, PART_A, row, k * x->scales / x->k);
	}
}

static void read_b(const SimtMachine *m, const Frame *f, const MmaForm *x, u32 quad, f64 *b)
{
	for (u32 k = 0; k < x->k; k++)
		for (u32 col = 0; col < x->n; col++) {
			f64 v = element_value(element_get(m, f, x, PART_B, element_at(x, PART_B, quad, k, col)), x->type[PART_B]);
			b[k * x->n + col] = x->scales ? v * scale_of(m, f, x, PART_B, col, k * x->scales / x->k) : v;
		}
}

/* Of bits, a xor b is a + b - 2ab: the sums of a row of A and of a column of B are added first. */
static void add_ones(const MmaForm *x, const f64 *a, f64 *b, f64 *c)
{
	for (u32 row = 0; row < x->m; row++)
		for (u32 col = 0; col < x->n; col++)
			for (u32 k = 0; k < x->k; k++)
				c[row * x->n + col] += a[row * x->k + k] + b[k * x->n + col];
	for (u32 i = 0; i < (u32)x->k * x->n; i++)
		b[i] *= -2;
}

static void multiply_quad(SimtMachine *m, const Frame *f, const MmaForm *x, u32 quad, u64 *result)
{
	u32  cells = (u32)x->m * x->n, size_a = (u32)x->m * x->k, size_b = (u32)x->k * x->n;
	f64 *a = matrix_room(m, cells + size_a + size_b), *b = a + size_a, *c = b + size_b;
	read_a(m, f, x, quad, a);
	read_b(m, f, x, quad, b);
	for (u32 i = 0; i < cells; i++)
		c[i] = element_value(element_get(m, f, x, PART_C, element_at(x, PART_C, quad, i / x->n, i % x->n)),
		                     x->type[PART_C]);
	if (x->type[PART_A] == EL_B1 && !x->bit_op)
		add_ones(x, a, b, c);
	matrix_product(a, b, c, (MatrixSize){x->m, x->n, x->k});
	for (u32 i = 0; i < cells; i++)
		result[i] = element_result(c[i], x->type[PART_D], x->saturate);
}

static void multiply(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	u64 result[256]; /* d may be c */
	u32 quads = x->layout == LAYOUT_QUADS ? 4 : 1, cells = (u32)x->m * x->n;
	for (u32 q = 0; q < quads; q++)
		if (x->type[PART_D] == EL_F64)
			multiply_f64(m, f, x, result);
		else
			multiply_quad(m, f, x, q, result + q * cells);
	for (u32 i = 0; i < quads * cells; i++)
		element_set(m, f, x, PART_D, element_at(x, PART_D, i / cells, i % cells / x->n, i % x->n), result[i]);
}

bool mma_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const MmaForm *x = &m->p->mma.p[i->y];
	if (mask != ALL_LANES)
		return simt_fail(m, FAULT_SYNC_MASK, first_lane(mask), "a matrix instruction reached by %u of 32 threads",
		                 lane_count(mask));
	if (x->what != MMA_MULTIPLY)
		return matrix_move(m, f, x);
	multiply(m, f, x);
	return true;
}
