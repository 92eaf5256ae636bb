/* ir_memory.c: loads, stores, atomics and allocas of IR. */
#include "simt/ir_decode.h"
#include "simt/order.h"

i32 ird_pointer64(Ird *d, IrRef ptr)
{
	IrType t = ir_scalar_type(d->m, ir_type_of(d->m, ptr));
	u32    w = ir_type_is_ptr(d->m, t) ? ir_ptr_bits(d->m, ir_type(d->m, t)->bits) : (u32)ir_size_bits(d->m, t);
	i32    a = ird_in(d, ptr, 0);
	if (w == 64)
		return a;
	i32 wide = emit_reg(&d->e, 64);
	emit_extend(&d->e, wide, 64, a, w, false);
	return wide;
}

static SimtInsn *access(Ird *d, SimtOp op, const IrdPlace *at, u64 more, u32 bytes)
{
	SimtInsn *in = emit_insn(&d->e, op);
	/* No access is wider than 16 bytes, so nobody relies on more; CUB keeps objects of align 32 in storage of align 16. */
	u64 align = PS_MAX(PS_MIN(at->align, 16u), 1u), offset = at->offset + more;
	while (more % align)
		align /= 2;
	in->mem = (SimtMem){.space = (u8)at->space, .bytes = (u8)bytes, .align_log2 = (u8)u64_log2(align)};
	in->a = at->ptr;
	in->narrow = at->ptr_bits <= 32;
	in->z = (u32)offset;
	in->x = at->order;
	return in;
}

/* A leaf lies in whole bytes; a vector of i1 or other odd widths lies in bits and is taken apart. */
static bool in_bytes(Ird *d, IrType t)
{
	return !ir_type_is_vector(d->m, t) || ir_size_bits(d->m, ir_scalar_type(d->m, t)) % 8 == 0;
}

/* An aggregate that has such a vector inside goes to memory element by element. */
static bool all_in_bytes(Ird *d, IrType t)
{
	while (ir_type_kind(d->m, t) == IRT_ARRAY)
		t = ir_type_elem(d->m, t, 0);
	if (ir_type_kind(d->m, t) != IRT_STRUCT)
		return in_bytes(d, t);
	Leaves l = ird_leaves(d, t);
	for (u32 i = 0; i < l.n; i++)
		if (l.p[i].bits % 8)
			return false;
	return true;
}

/* Memory of so many bytes in words; the last may be of fewer bytes. */
static Leaves words_of(Ird *d, u32 bytes)
{
	u32   n = (bytes + 3) / 4;
	Leaf *l = arena_array(d->a, Leaf, n);
	for (u32 i = 0; i < n; i++)
		l[i] = (Leaf){.bits = PS_MIN(bytes - 4 * i, 4u) * 8, .offset = 4 * i};
	return (Leaves){l, n};
}

/* The k-th 64 bits of a leaf that is wider than any access. */
static Leaf word_of_leaf(const Leaf *l, u32 k)
{
	return (Leaf){.bits = PS_MIN(l->bits - 64 * k, 64u), .offset = l->offset + 8 * (u64)k};
}

static void load_words(Ird *d, const Leaf *l, i32 row, const IrdPlace *at)
{
	for (u32 k = 0; 64 * k < l->bits; k++) {
		Leaf      word = word_of_leaf(l, k);
		u32       bytes = (word.bits + 7) / 8;
		i32       to = word_of(row, k);
		SimtInsn *in = access(d, S_LD, at, word.offset, bytes);
		in->d = to, in->rows = 2;
		in->mem.flags = SMF_WIDE;
		if (word.bits % 8)
			emit_lanes(&d->e, K_trunc64, to, to, NO_REG, NO_REG, word.bits);
	}
}

static void store_words(Ird *d, const Leaf *l, i32 row, const IrdPlace *at)
{
	for (u32 k = 0; 64 * k < l->bits; k++) {
		Leaf      word = word_of_leaf(l, k);
		SimtInsn *in = access(d, S_ST, at, word.offset, (word.bits + 7) / 8);
		in->b = word_of(row, k);
		in->mem.flags = SMF_WIDE;
	}
}

static void load_leaves(Ird *d, Leaves l, const i32 *rows, const IrdPlace *at)
{
	for (u32 i = 0; i < l.n; i++) {
		if (l.p[i].bits > 128) {
			load_words(d, &l.p[i], rows[i], at);
			continue;
		}
		u32       bytes = (l.p[i].bits + 7) / 8;
		SimtInsn *in = access(d, S_LD, at, l.p[i].offset, bytes);
		in->d = rows[i];
		in->rows = (u8)rows_of(l.p[i].bits);
		in->mem.flags = bytes > 4 ? SMF_WIDE : 0;
		if (l.p[i].bits % 8)
			emit_extend(&d->e, rows[i], l.p[i].bits, rows[i], bytes * 8, false);
	}
}

static void store_leaves(Ird *d, Leaves l, const i32 *rows, const IrdPlace *at)
{
	for (u32 i = 0; i < l.n; i++) {
		if (l.p[i].bits > 128) {
			store_words(d, &l.p[i], rows[i], at);
			continue;
		}
		u32       bytes = (l.p[i].bits + 7) / 8;
		SimtInsn *in = access(d, S_ST, at, l.p[i].offset, bytes);
		in->b = rows[i];
		in->mem.flags = bytes > 4 ? SMF_WIDE : 0;
	}
}

static i32 *word_rows(Ird *d, Leaves words)
{
	i32 *rows = arena_array(d->a, i32, words.n);
	for (u32 i = 0; i < words.n; i++)
		rows[i] = emit_reg(&d->e, words.p[i].bits);
	return rows;
}

typedef void Access(Ird *d, IrType t, const i32 *rows, const IrdPlace *at);

/* Calls `access` for each element of an aggregate, at its place and with its rows. */
static void each_element(Ird *d, IrType t, const i32 *rows, const IrdPlace *at, Access *access)
{
	bool is_struct = ir_type_kind(d->m, t) == IRT_STRUCT;
	for (u32 i = 0, n = (u32)PS_MIN(ir_type_count(d->m, t), (u64)UINT32_MAX), row = 0; i < n; i++) {
		IrType   e = ir_type_elem(d->m, t, i);
		u64      offset = is_struct ? ir_struct_offset(d->m, t, i) : i * ir_alloc_size(d->m, e);
		u32      leaves = ird_leaves(d, e).n;
		IrdPlace there = *at;
		there.offset += offset;
		while (there.align > 1 && offset % there.align)
			there.align /= 2;
		if (!leaves && !is_struct)
			return;
		access(d, e, rows + row, &there);
		row += leaves;
	}
}

void ird_load(Ird *d, IrType t, const i32 *rows, const IrdPlace *at)
{
	if (all_in_bytes(d, t)) {
		load_leaves(d, ird_leaves(d, t), rows, at);
	} else if (ir_type_is_aggregate(d->m, t)) {
		each_element(d, t, rows, at, ird_load);
	} else {
		Leaves words = words_of(d, (u32)ir_store_size(d->m, t));
		i32   *in = word_rows(d, words);
		load_leaves(d, words, in, at);
		ird_bitcast(d, in, words, rows, ird_leaves(d, t));
	}
}

void ird_store(Ird *d, IrType t, const i32 *rows, const IrdPlace *at)
{
	if (all_in_bytes(d, t)) {
		store_leaves(d, ird_leaves(d, t), rows, at);
	} else if (ir_type_is_aggregate(d->m, t)) {
		each_element(d, t, rows, at, ird_store);
	} else {
		Leaves words = words_of(d, (u32)ir_store_size(d->m, t));
		i32   *out = word_rows(d, words);
		ird_bitcast(d, rows, ird_leaves(d, t), out, words);
		store_leaves(d, words, out, at);
	}
}

static u32 order_word(const Ird *d, IrRef inst, u32 order)
{
	static const u32 flags[IRO_COUNT] = {
		[IRO_UNORDERED] = ORDER_STRONG,
		[IRO_MONOTONIC] = ORDER_STRONG,
		[IRO_ACQUIRE] = ORDER_STRONG | ORDER_ACQUIRE,
		[IRO_RELEASE] = ORDER_STRONG | ORDER_RELEASE,
		[IRO_ACQ_REL] = ORDER_STRONG | ORDER_ACQUIRE | ORDER_RELEASE,
		[IRO_SEQ_CST] = ORDER_STRONG | ORDER_ACQUIRE | ORDER_RELEASE,
	};
	u32 number = ir_info(d->m, inst)->scope,
	    x = flags[order] | (ir_inst(d->m, inst)->flags & IRF_VOLATILE ? ORDER_STRONG : 0);
	Str scope = number < d->m->scopes.n ? ir_str(d->m, (StrId){d->m->scopes.p[number]}) : STR("");
	if (number == IR_SCOPE_SINGLETHREAD || str_is(scope, "block"))
		return order_of(x, SCOPE_BLOCK);
	if (str_is(scope, "cluster"))
		return order_of(x, SCOPE_CLUSTER);
	return order_of(x, str_is(scope, "device") ? SCOPE_DEVICE : SCOPE_SYSTEM);
}

/* The place a pointer operand names. */
static IrdPlace place_of(Ird *d, IrRef ptr, u8 align, IrType t)
{
	u32 as = ir_type(d->m, ir_type_of(d->m, ptr))->bits;
	u32 bytes = ir_align_bytes(align);
	return (IrdPlace){
		ird_in(d, ptr, 0), ir_ptr_bits(d->m, as), ird_space(d, as), 0, bytes ? bytes : ir_abi_align(d->m, t), 0};
}

/* ---- atomics */

static void rmw(Ird *d, IrRef inst)
{
	static const u8 ops[IRRMW_COUNT] = {
		[IRRMW_XCHG] = ATOM_EXCH,         [IRRMW_ADD] = ATOM_ADD,
		[IRRMW_SUB] = ATOM_SUB,           [IRRMW_AND] = ATOM_AND,
		[IRRMW_NAND] = ATOM_NAND,         [IRRMW_OR] = ATOM_OR,
		[IRRMW_XOR] = ATOM_XOR,           [IRRMW_MAX] = ATOM_MAX,
		[IRRMW_MIN] = ATOM_MIN,           [IRRMW_UMAX] = ATOM_UMAX,
		[IRRMW_UMIN] = ATOM_UMIN,         [IRRMW_FADD] = ATOM_FADD,
		[IRRMW_FSUB] = ATOM_FSUB,         [IRRMW_FMAX] = ATOM_FMAX,
		[IRRMW_FMIN] = ATOM_FMIN,         [IRRMW_FMAXIMUM] = ATOM_FMAXIMUM,
		[IRRMW_FMINIMUM] = ATOM_FMINIMUM, [IRRMW_UINC_WRAP] = ATOM_INC,
		[IRRMW_UDEC_WRAP] = ATOM_DEC,     [IRRMW_USUB_COND] = ATOM_USUB_COND,
		[IRRMW_USUB_SAT] = ATOM_USUB_SAT,
	};
	const IrInst *r = ir_inst(d->m, inst);
	Leaves        l = ird_leaves(d, r->type);
	IrdPlace      at = place_of(d, ir_op(d->m, inst, 0), r->align, r->type);
	IrType        t = ir_scalar_type(d->m, r->type);
	at.align = (u32)ir_store_size(d->m, t);
	at.order = order_word(d, inst, r->order);
	for (u32 i = 0; i < l.n; i++) {
		i32       b = ird_in(d, ir_op(d->m, inst, 1), i), dst = ird_out(d, inst, i);
		SimtInsn *in = access(d, S_ATOM, &at, l.p[i].offset, (l.p[i].bits + 7) / 8);
		in->d = dst, in->b = b, in->rows = (u8)rows_of(l.p[i].bits);
		in->x |= ops[r->sub] | (u32)(ir_type_is_fp(d->m, t) ? ird_fmt(d, t) : 0) << ATOM_FMT_SHIFT;
	}
}

static void cmpxchg(Ird *d, IrRef inst)
{
	IrModule *m = d->m;
	IrRef     expected = ir_op(m, inst, 1);
	IrType    t = ir_type_of(m, expected);
	u32       bits = ird_leaves(d, t).p[0].bits;
	IrdPlace  at = place_of(d, ir_op(m, inst, 0), ir_inst(m, inst)->align, t);
	at.order = order_word(d, inst, ir_inst(m, inst)->order);
	i32 old = ird_out(d, inst, 0), won = ird_out(d, inst, 1), b = ird_in(d, expected, 0), c = ird_in(d, ir_op(m, inst, 2), 0);
	SimtInsn *in = access(d, S_ATOM, &at, 0, (bits + 7) / 8);
	in->d = old, in->b = b, in->c = c, in->rows = (u8)rows_of(bits), in->x |= ATOM_CAS;
	emit_move(&d->e, 1, won, ird_icmp(d, IRP_I_EQ, bits, old, b));
}

static void stack_slot(Ird *d, IrRef inst)
{
	IrModule     *m = d->m;
	const IrInst *r = ir_inst(m, inst);
	u64  count = 1, size = ir_alloc_size(m, r->elem), align = PS_MAX(ir_align_bytes(r->align), ir_abi_align(m, r->elem));
	u32  as = ir_type(m, r->type)->bits, w = ir_ptr_bits(m, as);
	bool fixed = ir_n_ops(m, inst) == 0 || ird_scalar(d, ir_op(m, inst, 0), &count);
	i32  dst = ird_out(d, inst, 0);
	if (fixed && ir_same(r->block, d->f->first)) {
		u32       at = ird_frame_bytes(d, size_mul(size, count), align);
		SimtInsn *in = emit_insn(&d->e, S_FRAME);
		in->d = dst, in->rows = (u8)rows_of(w), in->z = at, in->x = as != 5;
		ird_open_slot(d, &(IrdPlace){dst, w, ird_space(d, as), 0, 1, 0}, size_mul(size, count));
		return;
	}
	i32 bytes = emit_reg(&d->e, 64), address = emit_reg(&d->e, 64);
	if (fixed) {
		emit_move(&d->e, 64, bytes, emit_const(d->p, 64, size_mul(size, count)));
	} else {
		IrRef n = ir_op(m, inst, 0);
		emit_extend(&d->e, bytes, 64, ird_in(d, n, 0), (u32)ir_size_bits(m, ir_type_of(m, n)), false);
		emit_lanes(&d->e, K_mul64, bytes, bytes, emit_const(d->p, 64, size), NO_REG, 0);
	}
	SimtInsn *in = emit_insn(&d->e, S_ALLOCA);
	in->d = address, in->a = bytes, in->rows = 2, in->x = (u32)u64_log2(align), in->y = as != 5;
	emit_extend(&d->e, dst, w, address, 64, false);
}

bool ird_memory(Ird *d, IrRef inst)
{
	IrModule     *m = d->m;
	const IrInst *r = ir_inst(m, inst);
	switch (r->op) {
	case IR_LOAD: {
		Leaves   l = ird_leaves(d, r->type);
		i32     *rows = arena_array(d->a, i32, l.n + 1);
		IrdPlace at = place_of(d, ir_op(m, inst, 0), r->align, r->type);
		for (u32 i = 0; i < l.n; i++)
			rows[i] = ird_out(d, inst, i);
		at.order = order_word(d, inst, r->order);
		ird_load(d, r->type, rows, &at);
		return true;
	}
	case IR_STORE: {
		IrRef    v = ir_op(m, inst, 0);
		IrType   t = ir_type_of(m, v);
		Leaves   l = ird_leaves(d, t);
		i32     *rows = arena_array(d->a, i32, l.n + 1);
		IrdPlace at = place_of(d, ir_op(m, inst, 1), r->align, t);
		for (u32 i = 0; i < l.n; i++)
			rows[i] = ird_in(d, v, i);
		at.order = order_word(d, inst, r->order);
		ird_store(d, t, rows, &at);
		return true;
	}
	case IR_ATOMICRMW:
	case IR_CMPXCHG:
		if (ird_leaves(d, r->type).p[0].bits > 128)
			return false;
		r->op == IR_CMPXCHG ? cmpxchg(d, inst) : rmw(d, inst);
		return true;
	case IR_ALLOCA: stack_slot(d, inst); return true;
	case IR_FENCE: {
		u32 x = order_word(d, inst, r->order);
		emit_insn(&d->e, S_FENCE)->x = x;
		return true;
	}
	default: return false;
	}
}
