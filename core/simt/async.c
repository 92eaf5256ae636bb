/* async.c: decodes operations that threads do not wait for: cp.async, bulk and tensor copies, st.async, red.async, and those of
 * mbarriers and tensor maps. mbarrier.c and async_land.c carry them out. */
#include "simt/async.h"
#include "simt/op_impl.h"
#include "simt/tensor_copy.h"

/* ---- decoding */

static AsyncForm form(AsyncWhat what)
{
	return (AsyncForm){.what = (u8)what,
	                   .mbar_space = SPACE_SHARED,
	                   .d = NO_REG,
	                   .to = NO_REG,
	                   .from = NO_REG,
	                   .size = NO_REG,
	                   .mbar = NO_REG,
	                   .b = NO_REG,
	                   .skip = NO_REG,
	                   .mask = NO_REG,
	                   .right = NO_REG,
	                   .blocks = NO_REG,
	                   .map = NO_REG};
}

static bool emit_form(OpCx *c, const AsyncForm *x)
{
	u32 at = c->e->p->async.n;
	vec_push(c->e->p->arena, &c->e->p->async, *x);
	emit_insn(c->e, S_ASYNC)->y = at;
	return true;
}

static void address(OpCx *c, u32 k, i32 *base, u32 *offset)
{
	*base = op_in(c, k, 64);
	*offset = k + 1 < c->n ? (u32)c->arg[k + 1].value : 0;
}

static bool present(const OpCx *c, u32 k) { return k < c->n && c->arg[k].kind != ARG_NONE; }

static u32 space_or(u32 token, u32 otherwise) { return token ? simt_space_of(token) : otherwise; }

static bool decode_copy(OpCx *c)
{
	AsyncForm x = form(AS_COPY);
	bool      ignore = c->d->opc.op == ISA_cp_async_ignore, hint = slot(c, SLOT_hint) != 0;
	x.to_space = SPACE_SHARED, x.from_space = SPACE_GLOBAL;
	address(c, 0, &x.to, &x.to_offset);
	address(c, 2, &x.from, &x.from_offset);
	x.bytes = (u32)c->arg[4].value;
	x.ignore = ignore;
	if (ignore)
		x.skip = op_in(c, 5, 1);
	else if (present(c, 5) && (!hint || present(c, 6)))
		x.size = op_in(c, 5, 32);
	return emit_form(c, &x);
}

/* Operands that only some forms have follow the others: `at` is the next one. */
static i32 next_in(OpCx *c, u32 *at, u32 bits) { return op_in(c, (*at)++, bits); }

static bool decode_bulk(OpCx *c, AsyncWhat what, bool counted)
{
	AsyncForm x = form(what);
	u32       at = 4;
	x.bulk = true;
	x.to_space = slot(c, SLOT_space) == TOK_space_global ? SPACE_GLOBAL : SPACE_SHARED;
	x.from_space = slot(c, SLOT_space2) == TOK_space_global ? SPACE_GLOBAL : SPACE_SHARED;
	address(c, 0, &x.to, &x.to_offset);
	address(c, 2, &x.from, &x.from_offset);
	x.size = next_in(c, &at, 32);
	if (isa_has_flag(&c->d->opc, TOK_flag_ignore_oob)) {
		x.skip = next_in(c, &at, 32);
		x.right = next_in(c, &at, 32);
	}
	if (counted) {
		address(c, at, &x.mbar, &x.mbar_offset);
		at += 2;
	}
	if (isa_has_flag(&c->d->opc, TOK_flag_multicast_cluster))
		x.blocks = next_in(c, &at, 16);
	if (isa_has_flag(&c->d->opc, TOK_flag_cp_mask))
		x.mask = op_in(c, c->n - 1, 16);
	if (what == AS_BULK_REDUCE) {
		Ty t = ty(c);
		x.bytes = t.bits / 8u;
		x.atom = op_atom_kind(c);
	}
	return emit_form(c, &x);
}

static TensorAccess access_of(u32 op)
{
	switch (op) {
	case TOK_op_tile_gather4:
	case TOK_op_tile_scatter4: return ACCESS_ROWS4;
	case TOK_op_im2col:
	case TOK_op_im2col_no_offs: return ACCESS_IM2COL;
	case TOK_op_im2col_w: return ACCESS_IM2COL_W;
	case TOK_op_im2col_w_128: return ACCESS_IM2COL_W128;
	default: return ACCESS_TILE;
	}
}

static u8 rank_of(u32 shape)
{
	static const u8 shapes[TENSOR_RANK] = {TOK_shape_1d, TOK_shape_2d, TOK_shape_3d, TOK_shape_4d, TOK_shape_5d};
	u8              rank = 1;
	while (rank < TENSOR_RANK && shapes[rank - 1] != shape)
		rank++;
	return rank;
}

/* The map's address has no offset in the text. */
static void tensor_operand(OpCx *c, AsyncForm *x, u32 *at)
{
	x->rank = x->access == ACCESS_ROWS4 ? TENSOR_RANK : rank_of(slot(c, SLOT_shape));
	x->map = next_in(c, at, 64);
	for (u32 i = 0; i < x->rank; i++)
		x->coord[i] = next_in(c, at, 32);
}

static bool decode_tensor_in(OpCx *c)
{
	AsyncForm x = form(AS_TENSOR);
	u32       at = 2;
	x.way = TENSOR_LOAD;
	x.access = (u8)access_of(slot(c, SLOT_op));
	x.to_space = SPACE_SHARED;
	address(c, 0, &x.to, &x.to_offset);
	tensor_operand(c, &x, &at);
	address(c, at, &x.mbar, &x.mbar_offset);
	at += 2;
	u32 n = x.access < ACCESS_IM2COL ? 0 : x.access == ACCESS_IM2COL ? PS_MAX(x.rank, (u8)3) - 2u : 2;
	while (x.n_im2col < n)
		x.im2col[x.n_im2col++] = next_in(c, &at, 16);
	if (isa_has_flag(&c->d->opc, TOK_flag_multicast_cluster))
		x.blocks = next_in(c, &at, 16);
	x.pair = c->d->opc.slot[SLOT_flag2] == TOK_flag_cta_group_2;
	return emit_form(c, &x);
}

static bool decode_tensor_out(OpCx *c, bool reduce)
{
	AsyncForm x = form(AS_TENSOR);
	u32       at = 0;
	x.bulk = true;
	x.way = reduce ? TENSOR_REDUCE : TENSOR_STORE;
	x.access = (u8)access_of(slot(c, SLOT_op));
	if (reduce) {
		x.access = isa_has_flag(&c->d->opc, TOK_flag_im2col_no_offs) ? ACCESS_IM2COL : ACCESS_TILE;
		x.atom = op_atom_kind(c);
	}
	x.to_space = SPACE_SHARED;
	tensor_operand(c, &x, &at);
	address(c, at, &x.to, &x.to_offset);
	return emit_form(c, &x);
}

static bool decode_replace(OpCx *c)
{
	static const struct {
		u8 token, field;
	} rows[] = {
		{TOK_op_global_address, FIELD_ADDRESS},
		{TOK_op_rank, FIELD_RANK},
		{TOK_op_box_dim, FIELD_BOX},
		{TOK_op_global_dim, FIELD_DIM},
		{TOK_op_global_stride, FIELD_STRIDE},
		{TOK_op_element_stride, FIELD_ELEMENT_STRIDE},
		{TOK_op_elemtype, FIELD_TYPE},
		{TOK_op_interleave_layout, FIELD_INTERLEAVE},
		{TOK_op_swizzle_mode, FIELD_SWIZZLE},
		{TOK_op_swizzle_atomicity, FIELD_ATOMICITY},
		{TOK_op_fill_mode, FIELD_FILL},
	};
	AsyncForm x = form(AS_REPLACE);
	u32       at = 2, op = slot(c, SLOT_op);
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (rows[i].token == op)
			x.field = rows[i].field;
	x.to_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	address(c, 0, &x.to, &x.to_offset);
	if (x.field >= FIELD_BOX && x.field <= FIELD_ELEMENT_STRIDE)
		x.ordinal = (u8)c->arg[at++].value;
	x.wide = ty(c).bits == 64;
	x.b = op_in(c, c->n - 1, ty(c).bits);
	return emit_form(c, &x);
}

static bool decode_map_copy(OpCx *c)
{
	AsyncForm x = form(AS_MAP_COPY);
	x.to_space = SPACE_GLOBAL, x.from_space = SPACE_SHARED;
	address(c, 0, &x.to, &x.to_offset);
	address(c, 2, &x.from, &x.from_offset);
	x.bytes = (u32)c->arg[4].value;
	return emit_form(c, &x);
}

static bool decode_commit(OpCx *c)
{
	AsyncForm x = form(AS_COMMIT);
	x.mbar_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	address(c, 0, &x.mbar, &x.mbar_offset);
	if (isa_has_flag(&c->d->opc, TOK_flag_multicast_cluster))
		x.blocks = op_in(c, 2, 16);
	return emit_form(c, &x);
}

static bool decode_cancel(OpCx *c)
{
	AsyncForm x = form(AS_CANCEL);
	x.to_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	x.mbar_space = x.to_space;
	x.bytes = 16;
	x.all = isa_has_flag(&c->d->opc, TOK_flag_multicast_cluster_all);
	address(c, 0, &x.to, &x.to_offset);
	address(c, 2, &x.mbar, &x.mbar_offset);
	return emit_form(c, &x);
}

static bool decode_group(OpCx *c, AsyncWhat what, bool bulk)
{
	AsyncForm x = form(what);
	x.bulk = bulk;
	x.bytes = what == AS_WAIT ? (u32)c->arg[0].value : 0;
	x.reads = isa_has_flag(&c->d->opc, TOK_flag_read);
	return emit_form(c, &x);
}

/* st.async: elements go one after the other, each with its bytes told to the mbarrier. */
static bool decode_store(OpCx *c, AsyncWhat what)
{
	Ty  t = ty(c);
	u32 n = what == AS_STORE ? isa_vec(&c->d->opc) : 1;
	for (u32 k = 0; k < n; k++) {
		AsyncForm x = form(what);
		x.to_space = SPACE_SHARED;
		x.bytes = t.bits / 8u;
		address(c, 0, &x.to, &x.to_offset);
		x.to_offset += k * x.bytes;
		x.b = op_in(c, 2 + k, t.bits);
		x.wide = t.bits > 32;
		x.atom = what == AS_RED ? op_atom_kind(c) : 0;
		address(c, 2 + n, &x.mbar, &x.mbar_offset);
		emit_form(c, &x);
	}
	return true;
}

static bool decode_fill(OpCx *c)
{
	AsyncForm x = form(AS_FILL);
	x.to_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	address(c, 0, &x.to, &x.to_offset);
	x.size = op_in(c, 2, 64);
	return emit_form(c, &x);
}

static bool decode_mbarrier(OpCx *c)
{
	u32       op = c->d->opc.op, defs = c->d->n_defs;
	AsyncForm x = form(AS_INIT);
	x.mbar_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	x.relaxed = slot(c, SLOT_sem) == TOK_sem_relaxed;
	x.reach = slot(c, SLOT_scope) == TOK_scope_cta ? REACH_BLOCK : slot(c, SLOT_scope) ? REACH_CLUSTER : REACH_OPEN;
	x.d = defs ? taken(c, 0,
	                   op == ISA_mbarrier_pending || op == ISA_mbarrier_test || op == ISA_mbarrier_test_parity ? 32 : 64)
	           : NO_REG;
	if (op == ISA_mbarrier_pending) {
		x.what = AS_PENDING;
		x.b = op_in(c, 1, 64);
		return emit_form(c, &x);
	}
	address(c, defs, &x.mbar, &x.mbar_offset);
	u32 value = defs + 2;
	switch (op) {
	case ISA_mbarrier_init: break;
	case ISA_mbarrier_inval: x.what = AS_INVAL; break;
	case ISA_mbarrier_tx: x.what = slot(c, SLOT_op) == TOK_op_expect_tx ? AS_EXPECT : AS_COMPLETE; break;
	case ISA_mbarrier_test: x.what = AS_TEST; break;
	case ISA_mbarrier_test_parity: x.what = AS_TEST_PARITY; break;
	default:
		x.what = AS_ARRIVE;
		x.drop = slot(c, SLOT_op) == TOK_op_arrive_drop;
		x.expect = op == ISA_mbarrier_arrive_tx;
	}
	if (present(c, value))
		x.b = op_in(c, value, x.what == AS_TEST ? 64 : 32);
	return emit_form(c, &x);
}

static bool decode_copies_done(OpCx *c)
{
	AsyncForm x = form(AS_COPIES_DONE);
	x.drop = isa_has_flag(&c->d->opc, TOK_flag_noinc);
	x.mbar_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	address(c, 0, &x.mbar, &x.mbar_offset);
	return emit_form(c, &x);
}

bool simt_op_async(OpCx *c)
{
	switch (c->d->opc.op) {
	case ISA_cp_async:
	case ISA_cp_async_ignore: return decode_copy(c);
	case ISA_cp_async_commit: return decode_group(c, AS_CLOSE, false);
	case ISA_cp_async_wait: return decode_group(c, AS_WAIT, false);
	case ISA_cp_async_wait_all: return decode_group(c, AS_WAIT_ALL, false);
	case ISA_bulk_commit: return decode_group(c, AS_CLOSE, true);
	case ISA_bulk_wait: return decode_group(c, AS_WAIT, true);
	case ISA_tma_in: return decode_tensor_in(c);
	case ISA_tma_out: return decode_tensor_out(c, false);
	case ISA_tma_reduce: return decode_tensor_out(c, true);
	case ISA_tensormap_replace: return decode_replace(c);
	case ISA_tensormap_cp: return decode_map_copy(c);
	case ISA_tcgen05_commit: return decode_commit(c);
	case ISA_clc_try_cancel: return decode_cancel(c);
	case ISA_cp_async_mbarrier: return decode_copies_done(c);
	case ISA_bulk_in: return decode_bulk(c, AS_BULK, true);
	case ISA_bulk_out: return decode_bulk(c, AS_BULK, false);
	case ISA_bulk_reduce_mbar: return decode_bulk(c, AS_BULK_REDUCE, true);
	case ISA_bulk_reduce: return decode_bulk(c, AS_BULK_REDUCE, false);
	case ISA_st_async: return decode_store(c, AS_STORE);
	case ISA_red_async: return decode_store(c, AS_RED);
	case ISA_st_bulk: return decode_fill(c);
	case ISA_mbarrier_init:
	case ISA_mbarrier_inval:
	case ISA_mbarrier_tx:
	case ISA_mbarrier_arrive:
	case ISA_mbarrier_arrive_tx:
	case ISA_mbarrier_arrive_nc:
	case ISA_mbarrier_pending:
	case ISA_mbarrier_test:
	case ISA_mbarrier_test_parity: return decode_mbarrier(c);
	default: return false;
	}
}
