/* mma.c: matrix multiply-add over a warp, and the loads that feed it.
 *
 * Lane l is in group g = l / 4 and is its t-th, t = l % 4. With E elements of A to a register:
 *	A, register r, element e   row g + 8 * (r % (M/8)), column t*E + e + 4*E * (r / (M/8))
 *	B, register r, element e   row t*E + e + 4*E * r,   column g
 *	C and D, element i         row g + 8 * (i / 2),     column 2*t + i % 2
 * Products are exact; sums are formed in binary64 in the order of k and rounded once to the result. The
 * hardware does not say in which order and width it adds. */
#include "simt/machine.h"
#include "simt/op.h"

#include "sem/float.h"

typedef enum ElementType { EL_NONE, EL_F16, EL_BF16, EL_TF32, EL_F64, EL_S8, EL_U8, EL_S4, EL_U4, EL_F32, EL_S32 } ElementType;

static u32 element_bits(u32 t)
{
	static const u8 bits[] = {0, 16, 16, 32, 64, 8, 8, 4, 4, 32, 32};
	return bits[t];
}

/* ---- decoding */

static u8 element_of(u32 token)
{
	switch (token) {
	case TOK_type_f16: return EL_F16;
	case TOK_type_bf16: return EL_BF16;
	case TOK_type_tf32: return EL_TF32;
	case TOK_type_f64: return EL_F64;
	case TOK_type_s8: return EL_S8;
	case TOK_type_u8: return EL_U8;
	case TOK_type_s4: return EL_S4;
	case TOK_type_u4: return EL_U4;
	case TOK_type_f32: return EL_F32;
	case TOK_type_s32: return EL_S32;
	default: return EL_NONE;
	}
}

static bool shape_of(u32 token, MmaForm *x)
{
	static const struct { u8 token, m, n, k; } rows[] = {
		{TOK_shape_m8n8k4, 8, 8, 4}, {TOK_shape_m8n8k16, 8, 8, 16}, {TOK_shape_m8n8k32, 8, 8, 32}, {TOK_shape_m16n8k4, 16, 8, 4},
		{TOK_shape_m16n8k8, 16, 8, 8}, {TOK_shape_m16n8k16, 16, 8, 16}, {TOK_shape_m16n8k32, 16, 8, 32}, {TOK_shape_m16n8k64, 16, 8, 64},
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (rows[i].token == token) {
			x->m = rows[i].m, x->n = rows[i].n, x->k = rows[i].k;
			return true;
		}
	return false;
}

static u32 registers(u32 elements, u32 type) { return elements * element_bits(type) / (LANES * (type == EL_F64 ? 64u : 32u)); }

static void emit_form(OpCx *c, MmaForm x)
{
	u32 at = c->e->p->mma.n;
	vec_push(c->e->p->arena, &c->e->p->mma, x);
	emit_insn(c->e, S_MMA)->y = at;
}

static bool decode_mma(OpCx *c)
{
	const u8 *slot = c->d->opc.slot;
	MmaForm   x = {.d_type = element_of(slot[SLOT_type]), .a_type = element_of(slot[SLOT_stype]), .b_type = element_of(slot[SLOT_type3]),
	               .c_type = element_of(slot[SLOT_type4]), .trans = slot[SLOT_sat] != 0};
	if (!shape_of(slot[SLOT_shape], &x) || !x.a_type || !x.b_type || !x.c_type || !x.d_type || slot[SLOT_flag])
		return false;
	if (x.m == 8 && x.a_type == EL_F16) /* one matrix per quarter of a warp: another layout altogether */
		return false;
	u32 nd = registers((u32)x.m * x.n, x.d_type), na = registers((u32)x.m * x.k, x.a_type), nb = registers((u32)x.k * x.n, x.b_type);
	u32 nc = registers((u32)x.m * x.n, x.c_type), at = 0, bits = x.a_type == EL_F64 ? 64 : 32;
	if (c->n != nd + na + nb + nc || nd > 16 || na > 16 || nb > 16 || nc > 16)
		return false;
	for (u32 i = 0; i < nd; i++, at++)
		x.d[i] = c->arg[at].kind == ARG_REG ? c->arg[at].row : NO_REG;
	for (u32 i = 0; i < na; i++)
		x.a[i] = op_in(c, at++, bits);
	for (u32 i = 0; i < nb; i++)
		x.b[i] = op_in(c, at++, bits);
	for (u32 i = 0; i < nc; i++)
		x.c[i] = op_in(c, at++, bits);
	emit_form(c, x);
	return true;
}

static bool decode_ldmatrix(OpCx *c)
{
	const u8 *slot = c->d->opc.slot;
	bool store = c->d->opc.op == ISA_stmatrix;
	u32  n = isa_vec(&c->d->opc), defs = store ? 0 : c->d->n_defs;
	MmaForm x = {.what = store ? 2 : 1, .count = (u8)n, .trans = isa_has_flag(&c->d->opc, TOK_flag_trans),
	             .space = (u8)simt_space_of(slot[SLOT_space])};
	if (slot[SLOT_shape] != TOK_shape_m8n8 || slot[SLOT_type] != TOK_type_b16 || n > 4)
		return false;
	for (u32 i = 0; i < n; i++)
		x.d[i] = store ? op_in(c, 2 + i, 32) : c->arg[i].kind == ARG_REG ? c->arg[i].row : NO_REG;
	x.addr = op_in(c, defs, 64);
	x.offset = (u32)c->arg[defs + 1].value;
	emit_form(c, x);
	return true;
}

bool simt_op_matrix(OpCx *c)
{
	switch (c->d->opc.op) {
	case ISA_mma: return decode_mma(c);
	case ISA_ldmatrix: case ISA_stmatrix: return decode_ldmatrix(c);
	case ISA_movmatrix: {
		MmaForm x = {.what = 3};
		x.d[0] = c->arg[0].kind == ARG_REG ? c->arg[0].row : NO_REG;
		x.a[0] = op_in(c, 1, 32);
		emit_form(c, x);
		return true;
	}
	default: return false;
	}
}

/* ---- elements of fragments */

static u64 raw_element(const SimtMachine *m, const Frame *f, const i32 *regs, u32 r, u32 lane, u32 e, u32 type)
{
	const u32 *row = reg_rows(m, f, regs[r]);
	if (type == EL_F64)
		return lane64(row, lane);
	return row[lane] >> (e * element_bits(type)) & sem_mask(element_bits(type));
}

static f64 as_float(u64 v, u32 type)
{
	SemFmt f = type == EL_F16 ? SEM_F16 : type == EL_BF16 ? SEM_BF16 : SEM_F32;
	if (type == EL_F64)
		return sem_f64_of(v);
	if (type == EL_TF32)
		v &= ~(u64)0x1fff;
	return sem_f64_of(sem_f2f(SEM_F64, f, v, 0));
}

static i64 as_int(u64 v, u32 type)
{
	bool is_signed = type == EL_S8 || type == EL_S4 || type == EL_S32;
	return is_signed ? sem_sext(v, element_bits(type)) : (i64)v;
}

typedef struct At {
	u32 reg, lane, e;
} At;

static u32 per_register(u32 type) { return type == EL_F64 ? 1 : 32 / element_bits(type); }

static At a_at(const MmaForm *x, u32 row, u32 col)
{
	u32 E = per_register(x->a_type), rows = x->m / 8u;
	return (At){row / 8 + rows * (col / (4 * E)), (row % 8) * 4 + col % (4 * E) / E, col % E};
}
static At b_at(const MmaForm *x, u32 row, u32 col)
{
	u32 E = per_register(x->b_type);
	return (At){row / (4 * E), col * 4 + row % (4 * E) / E, row % E};
}
static At c_at(u32 type, u32 row, u32 col)
{
	u32 i = row / 8 * 2 + col % 2, E = per_register(type);
	return (At){i / E, (row % 8) * 4 + col / 2, i % E};
}

static u64 one_result(const SimtMachine *m, const Frame *f, const MmaForm *x, u32 row, u32 col)
{
	At  c = c_at(x->c_type, row, col);
	u64 raw = raw_element(m, f, x->c, c.reg, c.lane, c.e, x->c_type);
	bool ints = x->d_type == EL_S32;
	i64 isum = ints ? as_int(raw, x->c_type) : 0;
	f64 sum = ints ? 0 : as_float(raw, x->c_type);
	for (u32 k = 0; k < x->k; k++) {
		At  a = a_at(x, row, k), b = b_at(x, k, col);
		u64 va = raw_element(m, f, x->a, a.reg, a.lane, a.e, x->a_type), vb = raw_element(m, f, x->b, b.reg, b.lane, b.e, x->b_type);
		if (ints)
			isum += as_int(va, x->a_type) * as_int(vb, x->b_type);
		else if (x->d_type == EL_F64)
			sum = sem_f64_of(sem_fma_f64(va, vb, sem_f64_raw(sum)));
		else
			sum += as_float(va, x->a_type) * as_float(vb, x->b_type);
	}
	if (ints)
		return x->trans ? sem_clamp_s(32, u128_of_i64(isum)) : (u32)isum;
	return x->d_type == EL_F64 ? sem_f64_bits(sum) : sem_f2f(x->d_type == EL_F16 ? SEM_F16 : SEM_F32, SEM_F64, sem_f64_bits(sum), 0);
}

static void multiply(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	u64 result[16][8]; /* d may be c */
	for (u32 row = 0; row < x->m; row++)
		for (u32 col = 0; col < x->n; col++)
			result[row][col] = one_result(m, f, x, row, col);
	for (u32 row = 0; row < x->m; row++)
		for (u32 col = 0; col < x->n; col++) {
			At d = c_at(x->d_type, row, col);
			if (x->d[d.reg] == NO_REG)
				continue;
			u32 *r = reg_rows(m, f, x->d[d.reg]);
			if (x->d_type == EL_F64)
				set_lane64(r, d.lane, result[row][col]);
			else if (x->d_type == EL_F16)
				r[d.lane] = (r[d.lane] & ~(0xffffu << 16 * d.e)) | (u32)result[row][col] << 16 * d.e;
			else
				r[d.lane] = (u32)result[row][col];
		}
}

/* Matrix i's row k is at the address that lane 8 * i + k gives; lane l holds elements 2 * (l % 4) and the
 * next of row l / 4, or of that column. */
static bool move_matrices(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	for (u32 i = 0; i < x->count; i++) {
		u16 element[8][8] = {{0}};
		u8 *at[8];
		u32 *r = x->d[i] == NO_REG ? NULL : reg_rows(m, f, x->d[i]);
		for (u32 k = 0; k < 8; k++) {
			u32 lane = 8 * i + k;
			u64 address = lane64(reg_rows(m, f, x->addr), lane) + (u64)(i64)(i32)x->offset;
			if (address % 16)
				return simt_fail(m, FAULT_MISALIGNED, lane, "row of a matrix at 0x%llx, which is no multiple of 16", (unsigned long long)address);
			if (!(at[k] = mem_at(m, x->space, address, 16, lane, x->what == 2 ? ACCESS_WRITE : ACCESS_READ)))
				return false;
			if (x->what == 1)
				memcpy(element[k], at[k], 16);
		}
		for (u32 l = 0; r && l < LANES; l++)
			for (u32 j = 0; j < 2; j++) {
				u32  row = l / 4, col = l % 4 * 2 + j;
				u16 *e = x->trans ? &element[col][row] : &element[row][col];
				if (x->what == 2)
					*e = (u16)(r[l] >> 16 * j);
				else
					r[l] = (r[l] & ~(0xffffu << 16 * j)) | (u32)*e << 16 * j;
			}
		for (u32 k = 0; x->what == 2 && k < 8; k++)
			memcpy(at[k], element[k], 16);
	}
	return true;
}

static void transpose(SimtMachine *m, const Frame *f, const MmaForm *x)
{
	u16 element[8][8];
	const u32 *a = reg_rows(m, f, x->a[0]);
	for (u32 l = 0; l < LANES; l++)
		for (u32 j = 0; j < 2; j++)
			element[l / 4][l % 4 * 2 + j] = (u16)(a[l] >> 16 * j);
	if (x->d[0] == NO_REG)
		return;
	u32 *d = reg_rows(m, f, x->d[0]);
	for (u32 l = 0; l < LANES; l++)
		d[l] = element[l % 4 * 2][l / 4] | (u32)element[l % 4 * 2 + 1][l / 4] << 16;
}

bool mma_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const MmaForm *x = &m->p->mma.p[i->y];
	if (mask != ALL_LANES)
		return simt_fail(m, FAULT_SYNC_MASK, first_lane(mask), "a matrix instruction reached by %u of 32 threads", lane_count(mask));
	if (x->what == 0)
		multiply(m, f, x);
	else if (x->what == 3)
		transpose(m, f, x);
	else
		return move_matrices(m, f, x);
	return true;
}
