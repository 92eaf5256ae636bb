/* wgmma.c: matrix products of a warp group. Warp w % 4 has rows 16 * (w % 4) and the fifteen behind it of A and D, which lie
 * in its registers as mma.m16n8 has them (D: eight columns after the other), so every warp does its part by itself. The
 * product is formed when it is issued; wgmma.wait_group waits for nothing. */
#include "simt/op.h"
#include "simt/smem_matrix.h"

#include "sem/int.h"

enum { ROWS = 16 }; /* of a warp */

/* ---- decoding */

/* m64n<n>k<k> */
static bool shape(const OpCx *c, WgmmaForm *x)
{
	const char *t = isa_token_text(SLOT_shape, c->d->opc.slot[SLOT_shape]);
	u32         n = 0, k = 0;
	if (!(t[0] == 'm' && t[1] == '6' && t[2] == '4' && t[3] == 'n'))
		return false;
	for (t += 4; *t >= '0' && *t <= '9'; t++)
		n = n * 10 + (u32)(*t - '0');
	for (t++; *t >= '0' && *t <= '9'; t++)
		k = k * 10 + (u32)(*t - '0');
	x->n = (u16)n, x->k = (u16)k;
	return n && n <= 256 && k && k <= 256;
}

static i64 immediate(const OpCx *c, u32 at, i64 absent)
{
	return at < c->n && c->arg[at].kind == ARG_IMM ? (i64)c->arg[at].value : absent;
}

bool simt_op_wgmma(OpCx *c)
{
	u32       op = c->d->opc.op, at = c->d->n_defs;
	bool      in_regs = op == ISA_wgmma_rs || op == ISA_wgmma_sp_rs, sparse = op == ISA_wgmma_sp_ss || op == ISA_wgmma_sp_rs;
	WgmmaForm x = {.type_d = element_of(c->d->opc.slot[SLOT_type]),
	               .type_a = element_of(c->d->opc.slot[SLOT_stype]),
	               .type_b = element_of(c->d->opc.slot[SLOT_type3]),
	               .saturate = c->d->opc.slot[SLOT_sat] != 0,
	               .a_descriptor = NO_REG,
	               .n_d = at};
	if (!shape(c, &x) || !x.type_a || !x.type_b || !x.type_d)
		return false;
	x.d = c->e->p->ext.n;
	for (u32 i = 0; i < x.n_d; i++) {
		u32 row = (u32)(c->arg[i].kind == ARG_REG ? c->arg[i].row : NO_REG);
		emit_ext(c->e->p, &row, 1);
	}
	for (u32 i = 0; i < 4 && in_regs; i++)
		x.a[i] = op_in(c, at++, 32);
	if (!in_regs)
		x.a_descriptor = op_in(c, at++, 64);
	x.b_descriptor = op_in(c, at++, 64);
	if (sparse) {
		x.sparse = (u8)sparse_chunk(x.type_a, false);
		x.metadata = op_in(c, at++, 32);
		x.selector = (u8)immediate(c, at++, 0);
	}
	x.keep = op_in(c, at++, 1);
	x.negate_a = immediate(c, at++, 1) < 0;
	x.negate_b = immediate(c, at++, 1) < 0;
	x.a_by_m = !in_regs && immediate(c, at++, 0) != 0;
	x.b_by_n = immediate(c, at, 0) != 0;
	u32 form = c->e->p->wgmma.n;
	vec_push(c->e->p->arena, &c->e->p->wgmma, x);
	emit_insn(c->e, S_WGMMA)->y = form;
	return true;
}

/* ---- the parts of a warp */

/* The element at (row, column) of what a warp's registers hold of A, as in mma.m16n8. */
static f64 register_a(const SimtMachine *m, const Frame *f, const WgmmaForm *x, u32 row, u32 col)
{
	u32 bits = element_bits(x->type_a), E = 32 / bits;
	u32 reg = row / 8 + 2 * (col / (4 * E)), lane = row % 8 * 4 + col % (4 * E) / E, shift = col % E * bits;
	f64 v = element_value(reg_rows(m, f, x->a[reg])[lane] >> shift & sem_mask(bits), x->type_a);
	return x->negate_a ? -v : v;
}

/* `stored` has room for as many numbers as a. */
static bool read_a(SimtMachine *m, const Frame *f, const WgmmaForm *x, f64 *a, f64 *stored)
{
	u32        cols = x->sparse ? x->k / 2u : x->k, first = m->cur_warp->number % 4 * ROWS;
	f64       *to = x->sparse ? stored : a;
	SparseForm sparse = {x->k, x->sparse, x->selector, element_bits(x->type_a) >= 16};
	if (x->a_descriptor != NO_REG) {
		SmemMatrix at = smem_matrix_wgmma(lane64(reg_rows(m, f, x->a_descriptor), 0), x->type_a, x->a_by_m);
		MatrixOut  out = {to, cols, 1, x->negate_a};
		at.window = m->cur_block->base;
		if (!smem_matrix_read(m, &at, first, ROWS, cols, &out))
			return false;
	} else {
		for (u32 i = 0; i < ROWS * cols; i++)
			to[i] = register_a(m, f, x, i / cols, i % cols);
	}
	for (u32 row = 0; x->sparse && row < ROWS; row++) {
		u8 index[64];
		for (u32 k = 0; k < x->k / x->sparse; k++)
			index[k] = (u8)sparse_index(reg_rows(m, f, x->metadata), &sparse, row, k);
		sparse_spread(stored + row * cols, index, x->k, x->sparse, a + row * x->k);
	}
	return true;
}

/* Register and lane of D's element; of halves, two share a register. */
typedef struct Place {
	u32 *row;
	u32  lane, shift;
} Place;

static Place place_of(const SimtMachine *m, const Frame *f, const WgmmaForm *x, u32 row, u32 col)
{
	u32 i = col / 8 * 4 + row / 8 * 2 + col % 2, E = x->type_d == EL_F16 ? 2 : 1;
	i32 reg = i / E < x->n_d ? (i32)m->p->ext.p[x->d + i / E] : NO_REG;
	return (Place){reg == NO_REG ? NULL : reg_rows(m, f, reg), row % 8 * 4 + col % 8 / 2, i % E * 16};
}

bool wgmma_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const WgmmaForm *x = &m->p->wgmma.p[i->y];
	u32              cells = ROWS * (u32)x->n, size_a = ROWS * (u32)x->k, size_b = (u32)x->k * x->n;
	u64              bits = sem_mask(element_bits(x->type_d));
	if (mask != ALL_LANES)
		return simt_fail(m, FAULT_SYNC_MASK, first_lane(mask), "wgmma reached by %u of the warp's 32 threads",
		                 lane_count(mask));
	f64       *a = matrix_room(m, cells + 2 * size_a + size_b), *stored = a + size_a, *b = stored + size_a, *c = b + size_b;
	SmemMatrix at = smem_matrix_wgmma(lane64(reg_rows(m, f, x->b_descriptor), 0), x->type_b, x->b_by_n);
	MatrixOut  out = {b, 1, x->n, x->negate_b};
	at.window = m->cur_block->base;
	if (!read_a(m, f, x, a, stored) || !smem_matrix_read(m, &at, 0, x->n, x->k, &out))
		return false;
	bool keep = reg_rows(m, f, x->keep)[0] & 1;
	for (u32 k = 0; k < cells; k++) {
		Place p = place_of(m, f, x, k / x->n, k % x->n);
		c[k] = keep && p.row ? element_value(p.row[p.lane] >> p.shift & bits, x->type_d) : 0;
	}
	matrix_product(a, b, c, (MatrixSize){ROWS, x->n, x->k});
	for (u32 k = 0; k < cells; k++) {
		Place p = place_of(m, f, x, k / x->n, k % x->n);
		u32   v = (u32)element_result(c[k], x->type_d, x->saturate);
		if (p.row)
			p.row[p.lane] = (p.row[p.lane] & ~((u32)bits << p.shift)) | v << p.shift;
	}
	return true;
}
