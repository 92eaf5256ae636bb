/* nvptx-lower-aggr-copies: expands memcpy, memmove and memset of large or unknown length to loops.
 *
 *   call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %d, ptr addrspace(1) align 16 %s, i64 4096, i1 false)
 *
 *   →  loop: %i = phi i64 [ 0, … ], [ %next, %loop ]
 *            load <4 x i32> at %s + %i * 16, store it at %d + %i * 16
 *
 * The loop moves the widest words that both alignments allow (16 bytes at most); a tail of single bytes
 * follows where the length is not a multiple of them. memmove compares the addresses at run time to choose the
 * direction. Copies of atomic elements move one element at a time. Lengths of at most 128 bytes are left to instruction selection, which unrolls them. A load of a large
 * aggregate that is only stored again becomes a memcpy, which is then expanded the same way.
 *
 * Linear in instructions; adds blocks for each expanded call. */
#include "analysis/alignment.h"
#include "ir/builder.h"
#include "irpass/util.h"

enum { MAX_UNROLLED = 128 }; /* bytes */

typedef struct Copy {
	PassCx   *cx;
	IrModule *m;
	IrRef     dst, src; /* src: the byte, for memset */
	IrRef     len;
	IrRef     any; /* is the length not 0? None: not computed */
	u32       dst_align, src_align;
	u32       element; /* bytes of each element that is moved atomically; 0: no atomic accesses */
	bool      is_volatile, is_set;
} Copy;

/* ---- words ---- */

static IrType word_type(IrModule *m, u32 bytes)
{
	if (bytes == 16)
		return ir_vector_type(m, IR_TYPE(I32), 4);
	return ir_int_type(m, bytes * 8);
}

static u32 word_bytes(const Copy *c)
{
	if (c->element)
		return c->element;
	u32 w = PS_MIN(c->dst_align, c->is_set ? 16 : c->src_align);
	return PS_MIN(PS_MAX(w, 1u), 16u);
}

/* The byte of a memset, repeated to a word. */
static IrRef splat(Copy *c, IrBuilder *b, u32 bytes)
{
	IrModule *m = c->m;
	if (bytes == 1)
		return c->src;
	u64    byte;
	u32    scalar = PS_MIN(bytes, bytes == 16 ? 4u : 8u);
	IrType t = ir_int_type(m, scalar * 8);
	u64    ones = 0x0101010101010101u;
	IrRef  v;
	if (ir_as_int(m, c->src, &byte))
		v = ir_const_int(m, t, byte * ones);
	else
		v = ir_b_bin(b, IR_MUL, ir_b_cast(b, IR_ZEXT, c->src, t), ir_const_int(m, t, ones), 0);
	if (bytes < 16)
		return v;
	if (ir_is_const(m, v))
		return ir_const_splat(m, word_type(m, 16), v);
	IrRef vec = ir_const_poison(m, word_type(m, 16));
	for (u32 i = 0; i < 4; i++)
		vec = ir_b_insert_element(b, vec, v, ir_const_int(m, IR_TYPE(I32), i));
	return vec;
}

static IrRef address(Copy *c, IrBuilder *b, IrRef base, IrRef index, u32 word)
{
	return ir_b_gep(b, word_type(c->m, word), base, &index, 1, IRF_INBOUNDS);
}

static void mark_access(const Copy *c, IrRef access)
{
	IrInst *i = ir_inst(c->m, access);
	i->flags |= (c->is_volatile ? IRF_VOLATILE : 0) | (c->element ? IRF_ATOMIC : 0);
	if (c->element)
		i->order = IRO_UNORDERED;
}

static void move_word(Copy *c, IrBuilder *b, IrRef value, IrRef dst, IrRef src, IrRef index, u32 word)
{
	IrModule *m = c->m;
	if (!c->is_set) {
		value = ir_b_load(b, word_type(m, word), address(c, b, src, index, word), word);
		mark_access(c, value);
	}
	mark_access(c, ir_b_store(b, value, address(c, b, dst, index, word), word));
}

/* ---- loops ---- */

/* Moves `count` words of `word` bytes, in ascending or (down) descending order of addresses. */
typedef struct CopyLoop {
	IrRef       dst, src, count;
	u32         word;
	bool        down;
	const char *name; /* of the loop's block */
} CopyLoop;

/* Inserts the loop between block `from`, which gets its terminator here, and `after`. A count that is not constant is
 * compared with 0 first, and the loop is skipped. */
static void emit_loop(Copy *c, IrRef from, IrRef after, const CopyLoop *k)
{
	IrRef     count = k->count;
	IrModule *m = c->m;
	IrFunc   *f = pass_func(c->cx);
	IrType    t = ir_type_of(m, count);
	IrRef     loop = ir_block_new(m, f, str_of(k->name));
	IrRef     zero = ir_const_int(m, t, 0), one = ir_const_int(m, t, 1);
	u64       known;
	ir_block_move_after(m, loop, from);
	IrBuilder b = ir_build_end(m, from);
	b.origin = ir_info(m, ir_block(m, after)->first)->origin;
	b.dbg = ir_info(m, ir_block(m, after)->first)->dbg;
	IrRef value = c->is_set ? splat(c, &b, k->word) : IR_NO_REF;
	bool  by_length = !ir_is_none(c->any) && ir_same(count, c->len);
	if (ir_as_int(m, count, &known))
		ir_b_br(&b, loop);
	else
		ir_b_cond_br(&b, by_length ? c->any : ir_b_cmp(&b, IRP_I_NE, count, zero), loop, after);

	IrBuilder l = b;
	l.block = loop;
	l.before = IR_NO_REF;
	IrRef i = ir_b_phi(&l, t);
	ir_set_name(m, i, STR("loop-index"));
	if (k->down) {
		/* i runs from count down to 1; the word at i - 1 moves. */
		IrRef next = ir_b_bin(&l, IR_SUB, i, one, 0);
		move_word(c, &l, value, k->dst, k->src, next, k->word);
		ir_phi_add(m, i, count, from);
		ir_phi_add(m, i, next, loop);
		ir_b_cond_br(&l, ir_b_cmp(&l, IRP_I_NE, next, zero), loop, after);
	} else {
		move_word(c, &l, value, k->dst, k->src, i, k->word);
		IrRef next = ir_b_bin(&l, IR_ADD, i, one, 0);
		ir_phi_add(m, i, zero, from);
		ir_phi_add(m, i, next, loop);
		ir_b_cond_br(&l, ir_b_cmp(&l, IRP_I_ULT, next, count), loop, after);
	}
}

/* The number of words in the length, which is a multiple of them; computed at the end of `block`. */
static IrRef words_of(Copy *c, IrRef block, u32 word)
{
	IrModule *m = c->m;
	IrType    t = ir_type_of(m, c->len);
	IrBuilder b = ir_build_end(m, block);
	u64       len;
	if (ir_as_int(m, c->len, &len))
		return ir_const_int(m, t, len >> u64_log2(word));
	return word == 1 ? c->len : ir_b_bin(&b, IR_LSHR, c->len, ir_const_int(m, t, u64_log2(word)), 0);
}

/* Forward: whole words, then single bytes. Both from the end of block `from` to `after`. */
static void emit_forward(Copy *c, IrRef from, IrRef after, const char *name)
{
	IrModule *m = c->m;
	u32       word = word_bytes(c);
	IrType    t = ir_type_of(m, c->len);
	u64       len;
	bool      known = ir_as_int(m, c->len, &len);
	IrRef     words = c->len, rest = IR_NO_REF, done = IR_NO_REF;
	if (word > 1 && known && len < word && !c->element)
		word = 1;
	if (word > 1)
		words = words_of(c, from, word);
	if (word > 1 && !c->element) {
		IrBuilder b = ir_build_end(m, from);
		done = known ? ir_const_int(m, t, len & ~(u64)(word - 1))
		             : ir_b_bin(&b, IR_AND, c->len, ir_const_int(m, t, ~(u64)(word - 1)), 0);
		rest = known ? ir_const_int(m, t, len & (word - 1))
		             : ir_b_bin(&b, IR_AND, c->len, ir_const_int(m, t, word - 1), 0);
	}
	u64  n_rest;
	bool no_rest = ir_is_none(rest) || (ir_as_int(m, rest, &n_rest) && n_rest == 0);
	if (no_rest) {
		emit_loop(c, from, after, &(CopyLoop){c->dst, c->src, words, word, false, name});
		return;
	}
	IrRef tail = ir_block_new(m, pass_func(c->cx), STR("copy-tail"));
	ir_block_move_after(m, tail, from);
	IrBuilder b = ir_build_end(m, tail);
	b.origin = ir_info(m, ir_block(m, after)->first)->origin;
	IrRef dst = ir_b_gep(&b, IR_TYPE(I8), c->dst, &done, 1, IRF_INBOUNDS);
	IrRef src = c->is_set ? c->src : ir_b_gep(&b, IR_TYPE(I8), c->src, &done, 1, IRF_INBOUNDS);
	emit_loop(c, from, tail, &(CopyLoop){c->dst, c->src, words, word, false, name});
	emit_loop(c, tail, after, &(CopyLoop){dst, src, rest, 1, false, "copy-tail-loop"});
}

/* memmove: backwards, bytewise from the end, where the source is below the destination. */
static void emit_move(Copy *c, IrRef from, IrRef after)
{
	IrModule *m = c->m;
	IrFunc   *f = pass_func(c->cx);
	IrRef     up = ir_block_new(m, f, STR("memmove-forward")), down = ir_block_new(m, f, STR("memmove-backward"));
	ir_block_move_after(m, down, from);
	ir_block_move_after(m, up, down);
	IrBuilder b = ir_build_end(m, from);
	b.origin = ir_info(m, ir_block(m, after)->first)->origin;
	IrRef s = c->src, d = c->dst;
	if (value_space(m, s) != value_space(m, d)) { /* compared where both are: generically */
		IrType g = ir_ptr_type(m, AS_GENERIC);
		s = value_space(m, s) == AS_GENERIC ? s : ir_b_cast(&b, IR_ADDRSPACECAST, s, g);
		d = value_space(m, d) == AS_GENERIC ? d : ir_b_cast(&b, IR_ADDRSPACECAST, d, g);
	}
	u32  word = word_bytes(c);
	u64  len;
	bool known = ir_as_int(m, c->len, &len), whole = c->element || (known && len % word == 0);
	if (word == 1 && !known) /* both loops count single bytes */
		c->any = ir_b_cmp(&b, IRP_I_NE, c->len, ir_const_int(m, ir_type_of(m, c->len), 0));
	ir_b_cond_br(&b, ir_b_cmp(&b, IRP_I_ULT, s, d), down, up);
	emit_forward(c, up, after, "memmove-forward-loop");
	IrRef count = whole ? words_of(c, down, word) : c->len;
	emit_loop(c, down, after, &(CopyLoop){c->dst, c->src, count, whole ? word : 1, true, "memmove-backward-loop"});
}

/* ---- candidates ---- */

/* llvm.mem*.element.unordered.atomic: argument 3 is the size of an element, else it says whether the access is volatile. */
static bool is_of_elements(const IrModule *m, IrRef call) { return ir_type_of(m, ir_call_arg(m, call, 3)).i != IR_TY_I1; }

static void expand(PassCx *cx, IrRef call)
{
	IrModule *m = cx->ir;
	u64       v = 0, len;
	Copy      c = {.cx = cx,
	               .m = m,
	               .dst = ir_call_arg(m, call, 0),
	               .src = ir_call_arg(m, call, 1),
	               .len = ir_call_arg(m, call, 2),
	               .is_set = calls_family(m, call, IRFAM_MEMSET)};
	c.dst_align = pointer_arg_align(m, call, 0);
	c.src_align = c.is_set ? 1 : pointer_arg_align(m, call, 1);
	ir_as_int(m, ir_call_arg(m, call, 3), &v);
	if (is_of_elements(m, call))
		c.element = (u32)v;
	else
		c.is_volatile = v != 0;
	bool  move = calls_family(m, call, IRFAM_MEMMOVE);
	IrRef from = ir_inst(m, call)->block;
	IrRef after = ir_split_block(m, call, STR("copied"));
	ir_remove(m, ir_term(m, from));
	if (ir_is_undef(m, c.len) || (ir_as_int(m, c.len, &len) && len == 0)) {
		IrBuilder b = ir_build_end(m, from);
		ir_b_br(&b, after);
	} else if (move) {
		emit_move(&c, from, after);
	} else {
		emit_forward(&c, from, after, c.is_set ? "memset-loop" : "memcpy-loop");
	}
	ir_remove(m, call);
}

/* Long, or of elements that an atomic access can have. */
static bool is_expanded(const IrModule *m, IrRef call)
{
	u64 len, size;
	if (is_of_elements(m, call))
		return ir_as_int(m, ir_call_arg(m, call, 3), &size) && size <= 8;
	return !ir_as_int(m, ir_call_arg(m, call, 2), &len) || len > MAX_UNROLLED;
}

/* %v = load T, ptr %a; store T %v, ptr %b, with nothing that writes in between: a memcpy. */
static bool pair_to_memmove(PassCx *cx, IrRef load)
{
	IrModule *m = cx->ir;
	IrInst   *l = ir_inst(m, load);
	if (!ir_type_is_aggregate(m, l->type) || ir_alloc_size(m, l->type) <= MAX_UNROLLED || l->flags & IRF_VOLATILE ||
	    !ir_has_one_use(m, load))
		return false;
	IrRef store = ir_use(m, ir_first_use(m, load))->user;
	if (!is_inst(m, store, IR_STORE) || !ir_same(ir_op(m, store, 0), load) || ir_inst(m, store)->flags & IRF_VOLATILE ||
	    !ir_same(ir_inst(m, store)->block, l->block))
		return false;
	for (IrRef i = l->next; !ir_same(i, store); i = ir_inst(m, i)->next)
		if (ir_may_write(m, i))
			return false;
	IrBuilder b = ir_build_before(m, store);
	IrRef     dst = ir_op(m, store, 1), src = ir_op(m, load, 0);
	IrRef     args[4] = {dst, src, ir_const_int(m, IR_TYPE(I64), ir_store_size(m, l->type)), ir_const_int(m, IR_TYPE(I1), 0)};
	Str       name = arena_fmt(cx->scratch, "llvm.memmove.p%u.p%u.i64", value_space(m, dst), value_space(m, src));
	IrRef     call = ir_b_intrinsic(&b, name, IR_TYPE(VOID), args, 4);
	IrAttr    da = {.kind = IRA_ALIGN, .a = ir_align_bytes(ir_inst(m, store)->align)};
	IrAttr    sa = {.kind = IRA_ALIGN, .a = ir_align_bytes(l->align)};
	u32       sets[4] = {da.a ? ir_attrs_make(m, &da, 1).i : 0, sa.a ? ir_attrs_make(m, &sa, 1).i : 0, 0, 0};
	ir_call(m, call)->params = ir_list_new(m, sets, 4);
	ir_remove(m, store);
	ir_remove(m, load);
	return true;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) calls = {0}, loads = {0};
	bool changed = false;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(LOAD))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_LOAD && ir_type_is_aggregate(m, ir_inst(m, i)->type))
				vec_push(cx->scratch, &loads, i);
	for (u32 i = 0; i < loads.n; i++)
		changed |= pair_to_memmove(cx, loads.p[i]);
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(CALL))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL &&
			    (calls_family(m, i, IRFAM_MEMCPY) || calls_family(m, i, IRFAM_MEMMOVE) ||
			     calls_family(m, i, IRFAM_MEMSET)) &&
			    is_expanded(m, i))
				vec_push(cx->scratch, &calls, i);
	for (u32 i = calls.n; i-- > 0;) /* as to split a block takes time for the instructions behind */
		expand(cx, calls.p[i]);
	return changed || calls.n != 0;
}

const Pass irpass_nvptx_lower_aggr_copies = {
	.id = "nvptx-lower-aggr-copies",
	.title = "Lower aggregate copies, and llvm.mem* intrinsics into loops",
	.summary = "Expands long or variable-length memcpy, memmove and memset to loops.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = 0,
	.looks_for = IR_OPS(LOAD) | IR_OPS(CALL),
	.flags = PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
