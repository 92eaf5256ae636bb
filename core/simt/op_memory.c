/* op_memory.c: PTX opcodes that touch memory, or other lanes and warps. */
#include "simt/op_impl.h"

#include "simt/order.h"

/* ---- memory */

/* Fills in the address of operands k, k + 1 (base and offset). */
static void address(OpCx *c, SimtInsn *in, u32 k, u32 space)
{
	const OpArg *b = &c->arg[k];
	i64          offset = k + 1 < c->n ? (i64)c->arg[k + 1].value : 0;
	if (space == SPACE_PARAM && !c->is_kernel)
		space = SPACE_LOCAL;
	if (b->space)
		space = b->space;
	in->mem.space = (u8)space;
	if (space == SPACE_SHARED && slot(c, SLOT_space) != TOK_space_shared_cluster)
		in->mem.flags |= SMF_OWN;
	if (b->kind == ARG_REG) {
		in->a = b->row;
		in->narrow = b->bits <= 32;
		in->z = (u32)offset;
	} else if (b->kind == ARG_FRAME) {
		in->mem.flags |= SMF_FRAME;
		in->mem.space = SPACE_LOCAL;
		in->z = (u32)(b->value + (u64)offset);
	} else {
		u64 at = b->value + (u64)offset;
		if (at < 0x80000000u)
			in->z = (u32)at;
		else
			in->a = emit_const(c->e->p, 64, at);
	}
}

static u8 log2_of(u32 bytes) { return (u8)u64_log2(bytes); }

/* ORDER_* of an access, or of a fence. */
static u32 order(const OpCx *c, bool is_atomic)
{
	u32   sem = slot(c, SLOT_sem), scope = slot(c, SLOT_scope);
	Scope s = sem == TOK_sem_volatile      ? SCOPE_SYSTEM
	          : scope == TOK_scope_cta     ? SCOPE_BLOCK
	          : scope == TOK_scope_cluster ? SCOPE_CLUSTER
	          : scope == TOK_scope_sys     ? SCOPE_SYSTEM
	                                       : SCOPE_DEVICE;
	u32   flags = is_atomic || (sem && sem != TOK_sem_weak) || isa_has_flag(&c->d->opc, TOK_flag_mmio) ? ORDER_STRONG : 0;
	bool  both = sem == TOK_sem_acq_rel || sem == TOK_sem_sc;
	flags |= sem == TOK_sem_acquire || both ? ORDER_ACQUIRE : 0;
	flags |= sem == TOK_sem_release || both ? ORDER_RELEASE : 0;
	return order_of(flags, s);
}

/* membar and fence without a word for it are of both kinds; `cta`, `gl`, `sys` are scopes. */
bool op_fence(OpCx *c)
{
	u32 x = order(c, true);
	switch (c->d->opc.op) {
	case ISA_membar:
	case ISA_fence:
	case ISA_fence_restrict:
		if (!(x & (ORDER_ACQUIRE | ORDER_RELEASE)))
			x |= ORDER_ACQUIRE | ORDER_RELEASE;
		break;
	case ISA_fence_proxy:
	case ISA_fence_proxy_async_one: x = ORDER_PROXY; break;
	default: emit_insn(c->e, S_NOP); return true;
	}
	emit_insn(c->e, S_FENCE)->x = x;
	return true;
}

bool op_load(OpCx *c)
{
	Ty      t = ty(c);
	u32     n = isa_vec(&c->d->opc), words[8];
	SimtMem mem = {.bytes = (u8)(t.bits / 8), .align_log2 = log2_of(t.bits / 8 * n)};
	for (u32 k = 0; k < n; k++) {
		words[k] = (u32)taken(c, k, t.bits);
		u32 bits = wanted(c, k) ? c->arg[k].bits : t.bits;
		if (t.bits < 64 && bits > 32 && bits <= 64)
			mem.flags |= SMF_WIDE;
		if (t.bits == 64)
			mem.flags |= SMF_WIDE;
		if (t.is_signed && bits > t.bits)
			mem.flags |= (u8)(SMF_SIGNED | (bits == 16 ? SMF_NARROW16 : 0));
	}
	for (u32 k = 0; k < n && mem.flags & SMF_WIDE;
	     k++) /* of registers of several widths, the wide ones take their elements */
		words[k] = (u32)taken(c, k, 64);
	u32       at = n > 1 ? emit_ext(c->e->p, words, n) : 0;
	SimtInsn *in = emit_insn(c->e, S_LD);
	in->mem = mem;
	in->n = (u8)n;
	in->d = n == 1 && (i32)words[0] == NO_REG ? emit_reg(c->e, 128) : (i32)words[0];
	in->y = at;
	in->rows = (u8)rows_of(wanted(c, 0) ? c->arg[0].bits : t.bits);
	in->x = order(c, false);
	address(c, in, n, simt_space_of(slot(c, SLOT_space)));
	return true;
}

/* Elements [first, first + n) of the vector. */
static void store_elements(OpCx *c, u32 first, u32 n)
{
	Ty  t = ty(c);
	u32 words[8], all = t.bits / 8 * isa_vec(&c->d->opc), at_byte = t.bits / 8 * first;
	for (u32 k = 0; k < n; k++) {
		u32 which = 2 + first + k, bits = c->arg[which].kind == ARG_REG ? PS_MAX(c->arg[which].bits, t.bits) : t.bits;
		i32 v = op_in(c, which, bits);
		if (rows_of(bits) != rows_of(t.bits)) { /* a wider register: its low part */
			i32 low = emit_reg(c->e, t.bits);
			emit_extend(c->e, low, t.bits, v, bits, false);
			v = low;
		}
		words[k] = (u32)v;
	}
	u32       at = n > 1 ? emit_ext(c->e->p, words, n) : 0;
	SimtInsn *in = emit_insn(c->e, S_ST);
	in->mem = (SimtMem){.bytes = (u8)(t.bits / 8), .align_log2 = log2_of((all | at_byte) & (0u - (all | at_byte)))};
	in->mem.flags = t.bits == 64 ? SMF_WIDE : 0;
	in->x = order(c, false);
	in->n = (u8)n;
	in->b = (i32)words[0];
	in->y = at;
	address(c, in, 0, simt_space_of(slot(c, SLOT_space)));
	in->z += at_byte;
}

bool op_store(OpCx *c)
{
	u32 n = isa_vec(&c->d->opc), gaps = 0;
	for (u32 k = 0; k < n; k++)
		gaps += c->arg[2 + k].kind == ARG_NONE;
	if (!gaps)
		store_elements(c, 0, n);
	for (u32 k = 0; gaps && k < n; k++)
		if (c->arg[2 + k].kind != ARG_NONE)
			store_elements(c, k, 1);
	return true;
}

static u32 atom_op(const OpCx *c, Ty t)
{
	switch (slot(c, SLOT_op)) {
	case TOK_op_add: return t.is_float ? ATOM_FADD : ATOM_ADD;
	case TOK_op_min: return t.is_float ? ATOM_FMIN : t.is_signed ? ATOM_MIN : ATOM_UMIN;
	case TOK_op_max: return t.is_float ? ATOM_FMAX : t.is_signed ? ATOM_MAX : ATOM_UMAX;
	case TOK_op_and: return ATOM_AND;
	case TOK_op_or: return ATOM_OR;
	case TOK_op_xor: return ATOM_XOR;
	case TOK_op_inc: return ATOM_INC;
	case TOK_op_dec: return ATOM_DEC;
	case TOK_op_cas: return ATOM_CAS;
	default: return ATOM_EXCH;
	}
}

u32 op_atom_kind(const OpCx *c)
{
	Ty t = ty(c);
	return atom_op(c, t) | (u32)t.fmt << ATOM_FMT_SHIFT | (t.is_pair ? (u32)ATOM_PACKED : 0);
}

bool op_atom(OpCx *c)
{
	Ty   t = ty(c);
	u32  op = c->d->opc.op, vec = isa_vec(&c->d->opc);
	bool has_result = op == ISA_atom || op == ISA_atom_vec;
	u32  base = has_result ? (op == ISA_atom_vec ? vec : 1) : 0;
	u32  n = op == ISA_atom_vec || op == ISA_red_vec || op == ISA_multimem_red ? vec : 1;
	for (u32 k = 0; k < n; k++) {
		i32 b = op_in(c, base + 2 + k, t.bits),
		    swap = slot(c, SLOT_op) == TOK_op_cas ? op_in(c, base + 3, t.bits) : NO_REG;
		SimtInsn *in = emit_insn(c->e, S_ATOM);
		in->mem = (SimtMem){.bytes = (u8)(t.bits / 8), .align_log2 = log2_of(t.bits / 8)};
		in->d = has_result ? taken(c, k, t.bits) : NO_REG;
		in->rows = (u8)rows_of(t.bits);
		in->b = b;
		in->c = swap;
		in->x = op_atom_kind(c) | order(c, true);
		address(c, in, base, simt_space_of(slot(c, SLOT_space)));
		in->z += k * t.bits / 8;
		/* atom.add.f32 on global memory flushes subnormals; on shared memory it does not (PTX ISA, atom). */
		if (t.fmt == SEM_F32 && t.is_float && in->mem.space == SPACE_GLOBAL)
			in->x |= ATOM_FTZ;
	}
	return true;
}

/* ---- warps and blocks */

bool op_shfl(OpCx *c)
{
	u32  defs = c->d->n_defs;
	bool sync = c->d->opc.op == ISA_shfl_sync;
	u32  words[2] = {defs > 1 && wanted(c, 1) ? (u32)c->arg[1].row : (u32)NO_REG, (u32)NO_REG};
	i32  a = op_in(c, defs, 32), b = op_in(c, defs + 1, 32), seg = op_in(c, defs + 2, 32);
	if (sync)
		words[1] = (u32)op_in(c, defs + 3, 32);
	i32       d = out(c, 0, 32);
	u32       at = emit_ext(c->e->p, words, 2);
	SimtInsn *in = emit_insn(c->e, S_SHFL);
	in->d = d, in->a = a, in->b = b, in->c = seg, in->y = at;
	in->x = slot(c, SLOT_op) - TOK_op_up + SHFL_UP;
	return true;
}

bool op_vote(OpCx *c)
{
	bool      sync = c->d->opc.op == ISA_vote_sync || c->d->opc.op == ISA_vote_sync_ballot;
	i32       a = op_in(c, 1, 1), mask = sync ? op_in(c, 2, 32) : NO_REG, d = out(c, 0, 32);
	SimtInsn *in = emit_insn(c->e, S_VOTE);
	in->d = d, in->a = a, in->b = mask;
	in->x = slot(c, SLOT_op) - TOK_op_all + VOTE_ALL;
	return true;
}

bool op_match(OpCx *c)
{
	u32       defs = c->d->n_defs, bits = ty(c).bits;
	u32       word = defs > 1 && wanted(c, 1) ? (u32)c->arg[1].row : (u32)NO_REG;
	i32       a = op_in(c, defs, bits), mask = op_in(c, defs + 1, 32), d = out(c, 0, 32);
	u32       at = emit_ext(c->e->p, &word, 1);
	SimtInsn *in = emit_insn(c->e, S_MATCH);
	in->d = d, in->a = a, in->b = mask, in->y = at;
	in->x = (bits == 64 ? 1u : 0u) | (c->d->opc.op == ISA_match_all ? 2u : 0u);
	return true;
}

bool op_redux(OpCx *c)
{
	Ty  t = ty(c);
	u32 op = slot(c, SLOT_op), x = REDUX_ADD;
	i32 a = op_in(c, 1, 32), mask = op_in(c, 2, 32), d = out(c, 0, 32);
	if (op == TOK_op_min)
		x = t.is_float ? REDUX_FMIN : t.is_signed ? REDUX_MIN : REDUX_UMIN;
	else if (op == TOK_op_max)
		x = t.is_float ? REDUX_FMAX : t.is_signed ? REDUX_MAX : REDUX_UMAX;
	else if (op == TOK_op_and || op == TOK_op_or || op == TOK_op_xor)
		x = op - TOK_op_and + REDUX_AND;
	if (isa_has_flag(&c->d->opc, TOK_flag_abs)) {
		i32 magnitude = emit_reg(c->e, 32);
		emit_lanes(c->e, K_fabs32, magnitude, a, NO_REG, NO_REG, kx_float(SEM_F32, 0));
		a = magnitude;
	}
	SimtInsn *in = emit_insn(c->e, S_REDUX);
	in->d = d, in->a = a, in->b = mask;
	in->x = x | (t.is_float ? (op_mode(c) & SEM_NAN_WINS) << 8 : 0);
	return true;
}

static bool cluster_barrier(OpCx *c, BarOp op)
{
	i32       zero = emit_const(c->e->p, 32, 0);
	SimtInsn *in = emit_insn(c->e, S_BAR);
	in->a = zero;
	in->x = op | (isa_has_flag(&c->d->opc, TOK_flag_aligned) ? 0 : (u32)BAR_ANY_PATH) |
	        (slot(c, SLOT_sem) == TOK_sem_relaxed ? (u32)BAR_RELAXED : 0);
	return true;
}

bool op_bar(OpCx *c)
{
	u32 op = c->d->opc.op, defs = c->d->n_defs;
	if (op == ISA_bar_warp_sync) {
		i32 mask = op_in(c, 0, 32);
		emit_insn(c->e, S_WARPSYNC)->a = mask;
		return true;
	}
	if (op == ISA_barrier_cluster_arrive || op == ISA_barrier_cluster_wait)
		return cluster_barrier(c, op == ISA_barrier_cluster_wait ? BAR_CLUSTER_WAIT : BAR_CLUSTER_ARRIVE);
	bool red = op == ISA_bar_red || op == ISA_bar_red_popc || op == ISA_barrier_red || op == ISA_barrier_red_popc;
	bool popc = op == ISA_bar_red_popc || op == ISA_barrier_red_popc,
	     arrive = op == ISA_bar_arrive || op == ISA_barrier_arrive;
	bool divergent =
		(op == ISA_barrier_sync || op == ISA_barrier_arrive || op == ISA_barrier_red || op == ISA_barrier_red_popc) &&
		!isa_has_flag(&c->d->opc, TOK_flag_aligned);
	u32       after = defs + 1 + (red ? 1u : 0u);
	bool      counted = c->n > after;
	i32       a = op_in(c, defs, 32), b = counted ? op_in(c, defs + 1, 32) : NO_REG;
	i32       pred = red ? op_in(c, defs + 1 + (counted ? 1u : 0u), 1) : NO_REG, d = red ? out(c, 0, 32) : NO_REG;
	SimtInsn *in = emit_insn(c->e, S_BAR);
	in->a = a, in->b = b, in->c = pred, in->d = d;
	in->x = arrive                           ? BAR_ARRIVE
	        : !red                           ? BAR_SYNC
	        : popc                           ? BAR_RED_POPC
	        : slot(c, SLOT_op) == TOK_op_and ? BAR_RED_AND
	                                         : BAR_RED_OR;
	in->x |= divergent ? (u32)BAR_ANY_PATH : 0;
	return true;
}

bool op_elect(OpCx *c)
{
	i32       mask = op_in(c, 2, 32);
	SimtInsn *in = emit_insn(c->e, S_ELECT);
	in->a = mask;
	in->d = wanted(c, 0) ? c->arg[0].row : NO_REG;
	in->c = wanted(c, 1) ? c->arg[1].row : NO_REG;
	return true;
}

/* alloca, stacksave, stackrestore; false: it is none of them. */
bool op_stack(OpCx *c)
{
	u32 op = c->d->opc.op, bits = slot(c, SLOT_type) ? ty(c).bits : 64;
	if (op == ISA_stackrestore) {
		i32 a = op_in(c, 0, 64);
		emit_insn(c->e, S_STACKRESTORE)->a = a;
		return true;
	}
	if (op != ISA_alloca && op != ISA_alloca_natural && op != ISA_stacksave)
		return false;
	i32       a = op == ISA_stacksave ? NO_REG : op_in(c, 1, 64), d = emit_reg(c->e, 64);
	SimtInsn *in = emit_insn(c->e, op == ISA_stacksave ? S_STACKSAVE : S_ALLOCA);
	in->a = a, in->d = d, in->rows = 2;
	in->x = op == ISA_alloca ? (u32)u64_log2(PS_MAX(c->arg[2].value, 1u)) : 3;
	emit_extend(c->e, out(c, 0, bits), bits, d, 64, false);
	return true;
}

/* The answer of clusterlaunchcontrol.try_cancel (async_land.c): the block's coordinates, and whether there is one. */
static bool cancelled_block(OpCx *c)
{
	u32 op = c->d->opc.op, one = slot(c, SLOT_op);
	i32 answer = op_in(c, c->n - 1, 128), upper = upper_half(answer);
	if (op == ISA_clc_is_canceled) {
		emit_lanes(c->e, K_byte_field64, out(c, 0, 1), upper, NO_REG, NO_REG, 32 | 1 << 8);
		return true;
	}
	for (u32 k = 0; k < 4; k++) {
		bool asked = op == ISA_clc_first_id || one == TOK_op_get_first_ctaid_x + k;
		u32  at = op == ISA_clc_first_id ? k : 0;
		if (!asked || taken(c, at, 32) == NO_REG)
			continue;
		if (k < 3)
			emit_lanes(c->e, K_byte_field64, c->arg[at].row, k == 2 ? upper : answer, NO_REG, NO_REG,
			           (k == 1 ? 32 : 0) | 32 << 8);
		else
			emit_move(c->e, 32, c->arg[at].row, emit_const(c->e->p, 32, 0));
	}
	return true;
}

/* The address with another rank in its bits 24 to 27, in the space and in its window alike. No cluster has more than MOST_RANKS blocks. */
static void map_address(OpCx *c, u32 bits)
{
	bool wide = bits > 32;
	i32  a = op_in(c, 1, bits), own = emit_reg(c->e, bits), rank = emit_reg(c->e, 32), other = emit_reg(c->e, bits);
	emit_lanes(c->e, wide ? K_and64 : K_and32, own, a, emit_const(c->e->p, bits, ~((u64)(MOST_RANKS - 1) << WINDOW_BITS)),
	           NO_REG, 0);
	emit_lanes(c->e, K_umin32, rank, op_in(c, 2, 32), emit_const(c->e->p, 32, MOST_RANKS - 1), NO_REG, 0);
	emit_extend(c->e, other, bits, rank, 32, false);
	emit_lanes(c->e, wide ? K_mad64 : K_mad32, out(c, 0, bits), other, emit_const(c->e->p, bits, WINDOW_SIZE), own, 0);
}

static void rank_of_address(OpCx *c, u32 bits)
{
	i32 a = op_in(c, 1, bits);
	emit_lanes(c->e, bits > 32 ? K_byte_field64 : K_byte_field, out(c, 0, 32), a, NO_REG, NO_REG,
	           WINDOW_BITS | RANK_BITS << 8);
}

/* Policies for caches have no effect. */
bool op_cluster(OpCx *c)
{
	u32 op = c->d->opc.op, bits = slot(c, SLOT_type) ? ty(c).bits : 32;
	switch (op) {
	case ISA_mapa: map_address(c, bits); return true;
	case ISA_getctarank: rank_of_address(c, bits); return true;
	case ISA_clc_is_canceled:
	case ISA_clc_first_id:
	case ISA_clc_first_id_1: return cancelled_block(c);
	case ISA_createpolicy_range:
	case ISA_createpolicy_fraction:
	case ISA_createpolicy_cvt: emit_move(c->e, 64, out(c, 0, 64), emit_const(c->e->p, 64, 0)); return true;
	default: return false;
	}
}
