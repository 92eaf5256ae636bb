/* scalarize-masked-mem-intrin: expands masked vector accesses to conditional accesses of single elements.
 *
 *   %v = call <2 x i32> @llvm.masked.load(ptr align 8 %p, <2 x i1> %mask, <2 x i32> %other)
 *
 *   →      br i1 (element 0 of %mask), label %cond.load, label %else
 *        cond.load:  %e = load i32, ptr %p, align 8;  %w = insertelement %other, %e, 0
 *        else:       phi [%w], [%other]; then the same for element 1 at %p + 4
 *
 * Handles masked.load, .store, .gather, .scatter, .expandload and .compressstore, for which PTX has no instruction.
 * A constant mask needs no branches, and an all-ones mask gives one access of the whole vector. Memory of masked-off
 * lanes is never accessed, because it may not be mapped. Stores of 256 bits under a constant mask are left, where the target has an
 * instruction that leaves elements out.
 *
 * Vectors whose elements are not whole bytes are left alone, because several elements share a byte; instruction selection
 * reports them. Linear in the lanes of all such calls. */
#include "ir/builder.h"
#include "irpass/util.h"

typedef enum Access { LOAD, STORE, GATHER, SCATTER, EXPAND, COMPRESS, ACCESSES } Access;

static const struct {
	IrFamily family;
	u8       ptr, mask, value; /* argument numbers; value: the value stored, or the result of masked-off lanes */
} accesses[ACCESSES] = {
	[LOAD] = {IRFAM_MASKED_LOAD, 0, 1, 2},   [STORE] = {IRFAM_MASKED_STORE, 1, 2, 0},
	[GATHER] = {IRFAM_GATHER, 0, 1, 2},      [SCATTER] = {IRFAM_SCATTER, 1, 2, 0},
	[EXPAND] = {IRFAM_EXPAND_LOAD, 0, 1, 2}, [COMPRESS] = {IRFAM_COMPRESS_STORE, 1, 2, 0},
};

typedef struct Masked {
	PassCx   *cx;
	IrModule *m;
	IrBuilder b;
	Access    kind;
	IrRef     call, ptr, mask, value; /* ptr, value: updated after each lane */
	IrType    vector, elem;
	u32       lanes, stride, align; /* bytes */
} Masked;

static bool is_load(Access k) { return k == LOAD || k == GATHER || k == EXPAND; }

static IrRef index_of(Masked *x, u32 i) { return ir_const_int(x->m, ir_int_type(x->m, 32), i); }

static i32 known_lane(const Masked *x, u32 i) { return ir_mask_element(x->m, x->mask, i); }

static bool all_known(const Masked *x, i32 as)
{
	for (u32 i = 0; i < x->lanes; i++)
		if (known_lane(x, i) != as)
			return false;
	return true;
}

static u32 aligned_to(u32 align, u32 offset) { return offset ? PS_MIN(align, offset & (0 - offset)) : align; }

/* Emits the access of lane i at the builder's position; updates x->value, and x->ptr where active lanes are packed. */
static void access_lane(Masked *x, u32 i)
{
	IrBuilder *b = &x->b;
	bool       each = x->kind == GATHER || x->kind == SCATTER, packed = x->kind == EXPAND || x->kind == COMPRESS;
	u32        offset = each || packed ? 0 : i * x->stride,
	    align = packed ? aligned_to(x->align, x->stride) : aligned_to(x->align, offset);
	IrRef p = each ? ir_b_extract_element(b, x->ptr, index_of(x, i)) : ir_b_gep_bytes(b, x->ptr, offset, 0);
	if (is_load(x->kind)) {
		IrRef e = ir_b_load(b, x->elem, p, align);
		x->value = ir_b_insert_element(b, x->value, e, index_of(x, i));
	} else {
		IrRef e = ir_b_extract_element(b, x->value, index_of(x, i));
		ir_b_store(b, e, p, align);
	}
	if (packed)
		x->ptr = ir_b_gep_bytes(b, x->ptr, x->stride, 0);
}

static IrRef joined(Masked *x, IrRef before, IrRef start, IrRef after, IrRef then)
{
	if (ir_same(before, after))
		return before;
	IrRef phi = ir_b_phi(&x->b, ir_type_of(x->m, before));
	ir_phi_add(x->m, phi, after, then);
	ir_phi_add(x->m, phi, before, start);
	return phi;
}

static void access_lane_if(Masked *x, u32 i)
{
	IrModule  *m = x->m;
	IrBuilder *b = &x->b;
	IrRef      bit = ir_b_extract_element(b, x->mask, index_of(x, i)), start = b->block;
	IrRef      end = ir_split_block(m, x->call, STR("else"));
	IrRef      then = ir_block_new(m, pass_func(x->cx), is_load(x->kind) ? STR("cond.load") : STR("cond.store"));
	ir_block_move_after(m, then, start);
	ir_remove(m, ir_block(m, start)->last);
	*b = ir_build_end(m, start);
	b->origin = ir_info(m, x->call)->origin;
	ir_b_cond_br(b, bit, then, end);
	b->block = then;
	IrRef value = x->value, ptr = x->ptr;
	access_lane(x, i);
	ir_b_br(b, end);
	*b = ir_build_before(m, x->call);
	x->value = joined(x, value, start, x->value, then);
	x->ptr = joined(x, ptr, start, x->ptr, then);
}

static void whole(Masked *x)
{
	if (is_load(x->kind))
		x->value = ir_b_load(&x->b, x->vector, x->ptr, x->align);
	else
		ir_b_store(&x->b, x->value, x->ptr, x->align);
}

/* Does a plain access of a vector write all that the mask lets through? */
static bool is_one_access(const Masked *x)
{
	u32 first = 0, n = 0, most = 16 / x->stride;
	while (first < x->lanes && known_lane(x, first) == 0)
		first++;
	while (first + n < x->lanes && known_lane(x, first + n) == 1)
		n++;
	for (u32 i = first + n; i < x->lanes; i++)
		if (known_lane(x, i) != 0)
			return false;
	return !n || (n <= most && !(n & (n - 1)) && first % n == 0);
}

/* False: selection has an instruction for it. */
static bool expand(Masked *x)
{
	IrModule *m = x->m;
	bool      bytes_follow = x->kind != GATHER && x->kind != SCATTER;
	if (bytes_follow && all_known(x, 1)) {
		whole(x);
	} else if (ir_is_store_with_gaps(m, x->call) && !is_one_access(x)) {
		return false;
	} else {
		for (u32 i = 0; i < x->lanes; i++) {
			i32 known = known_lane(x, i);
			if (known < 0)
				access_lane_if(x, i);
			else if (known)
				access_lane(x, i);
		}
	}
	replace_inst(m, x->call, is_load(x->kind) ? x->value : IR_NO_REF);
	return true;
}

/* Returns false where the call is not one of the table's intrinsics or is left alone. */
static bool describe(PassCx *cx, IrRef call, Masked *x)
{
	IrModule *m = cx->ir;
	IrFamily  family = ir_call_family(m, call);
	u32       k = 0;
	while (k < ACCESSES && accesses[k].family != family)
		k++;
	if (k == ACCESSES)
		return false;
	*x = (Masked){.cx = cx, .m = m, .kind = (Access)k, .call = call};
	x->ptr = ir_call_arg(m, call, accesses[k].ptr);
	x->mask = ir_call_arg(m, call, accesses[k].mask);
	x->value = ir_call_arg(m, call, accesses[k].value);
	x->vector = ir_type_of(m, x->value);
	if (!ir_type_is_vector(m, x->vector))
		return false;
	x->elem = ir_scalar_type(m, x->vector);
	x->lanes = (u32)ir_type_count(m, x->vector);
	u64           bits = ir_size_bits(m, x->elem);
	const IrAttr *a = ir_call_param_attr(m, call, accesses[k].ptr, IRA_ALIGN);
	x->stride = (u32)(bits / 8);
	x->align = a ? (u32)a->a : 1;
	return bits % 8 == 0;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(Masked) found = {0};
	Masked x;
	bool   changed = false;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(CALL))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL && describe(cx, i, &x))
				vec_push(cx->scratch, &found, x);
	for (u32 i = found.n; i-- > 0;) { /* as to split a block takes time for the instructions behind */
		/* Its arguments may have been replaced since it was found. */
		describe(cx, found.p[i].call, &x);
		x.b = ir_build_before(m, x.call);
		changed |= expand(&x);
	}
	return changed;
}

const Pass irpass_scalarize_masked_mem_intrin = {
	.id = "scalarize-masked-mem-intrin",
	.title = "Scalarize unsupported masked memory intrinsics",
	.summary = "Expands masked vector accesses to branches around scalar accesses.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.looks_for = IR_OPS(CALL),
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
