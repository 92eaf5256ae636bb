/* sroa: scalar replacement of aggregates: splits allocas into pieces and promotes these to SSA values.
 *
 *   %s = alloca { i32, float }                   (nothing left)
 *   store i32 %x, ptr %s
 *   %f = gep %s, 4; store float %y, ptr %f   →
 *   %v = load i32, ptr %s                        %v = %x
 *
 * 1. Loads and stores of whole aggregates become one per field.
 * 2. Every use of an alloca is described by a slice [begin, end) of its bytes. memcpy, memmove and memset of known
 *    length can be split anywhere, loads and stores cannot; an alloca with a use of any other kind, or at an
 *    unknown offset, is left alone.
 * 3. Overlapping slices form a piece; each piece becomes an alloca, of the type that all its accesses
 *    have (or can be cast to), or of an integer if some accesses cover only part of it.
 * 4. Allocas that are only loaded and stored become values (promote.h).
 *
 * Repeats until nothing changes, because splitting one alloca turns copies between it and others into loads
 * and stores. n log n in the uses of each alloca. */
#include "base/sort.h"
#include "ir/builder.h"
#include "irpass/promote.h"

enum { MAX_FIELDS = 64, MAX_ROUNDS = 8 };

typedef enum SliceKind { SLICE_LOAD, SLICE_STORE, SLICE_SET, SLICE_FROM, SLICE_TO } SliceKind;

typedef struct Slice {
	u64       begin, end;
	IrRef     inst;
	SliceKind kind; /* FROM: a copy reads the slot; TO: a copy writes it */
} Slice;

typedef struct Piece {
	u64    begin, end;
	IrType type;   /* none: bytes, not to be promoted */
	bool   inside; /* some accesses cover only part of the piece: `type` is an integer */
	IrRef  slot;
} Piece;

typedef VecU32 Records;

typedef struct Sroa {
	PassCx   *cx;
	Records  *declared; /* IrDbgRec: all #dbg_declare of the function */
	IrModule *m;
	IrRef     alloca;
	u64       size;
	Vec(Slice) slice;
	Vec(Piece) piece; /* sorted: first those that loads or stores access, then the gaps that copies read */
	u32 n_accessed;
} Sroa;

static bool splits(const Slice *s) { return s->kind >= SLICE_SET; }

static IrType access_type(const IrModule *m, const Slice *s)
{
	return s->kind == SLICE_LOAD ? ir_inst(m, s->inst)->type : ir_type_of(m, ir_op(m, s->inst, 0));
}

/* ---- step 1: whole aggregates ---- */

typedef struct Field {
	IrType type;
	u64    offset;
	u32    path[8], n_path;
} Field;

typedef Vec(Field) Fields;

static bool fields_of(Sroa *s, IrType t, Field at, Fields *out)
{
	IrModule *m = s->m;
	if (!ir_type_is_aggregate(m, t)) {
		at.type = t;
		vec_push(s->cx->scratch, out, at);
		return out->n <= MAX_FIELDS;
	}
	if (at.n_path == PS_COUNT(at.path) || ir_type_count(m, t) > MAX_FIELDS)
		return false;
	bool array = ir_type_kind(m, t) == IRT_ARRAY;
	for (u32 i = 0; i < ir_type_count(m, t); i++) {
		IrType e = ir_type_elem(m, t, array ? 0 : i);
		Field  f = at;
		f.path[f.n_path++] = i;
		f.offset += array ? i * ir_alloc_size(m, e) : ir_struct_offset(m, t, i);
		if (!fields_of(s, e, f, out))
			return false;
	}
	return true;
}

static u32 align_at(u32 align, u64 offset)
{
	while (align > 1 && offset % align)
		align /= 2;
	return PS_MAX(align, 1u);
}

static u32 access_align(const IrModule *m, IrRef inst, IrType t)
{
	u32 given = ir_align_bytes(ir_inst(m, inst)->align);
	return given ? given : ir_abi_align(m, t);
}

static IrRef along(IrModule *m, IrBuilder *b, IrOp op, IrType result, IrRef agg, IrRef v, const Field *f)
{
	IrRef i = ir_inst_new(m, op, result, op == IR_EXTRACTVALUE ? 1 : 2);
	ir_set_op(m, i, 0, agg);
	if (op == IR_INSERTVALUE)
		ir_set_op(m, i, 1, v);
	ir_inst(m, i)->aux = ir_list_new(m, f->path, f->n_path);
	return ir_b_insert(b, i);
}

static bool split_aggregate(Sroa *s, IrRef inst)
{
	IrModule *m = s->m;
	bool      load = ir_inst(m, inst)->op == IR_LOAD;
	IrRef     ptr = ir_op(m, inst, load ? 0 : 1);
	IrType    t = load ? ir_inst(m, inst)->type : ir_type_of(m, ir_op(m, inst, 0));
	u32       align = access_align(m, inst, t);
	Fields    f = {0};
	if (!ir_type_is_aggregate(m, t) || ir_inst(m, inst)->flags & (IRF_VOLATILE | IRF_ATOMIC) ||
	    !fields_of(s, t, (Field){0}, &f))
		return false;
	IrBuilder b = ir_build_before(m, inst);
	IrRef     agg = load ? ir_const_poison(m, t) : ir_op(m, inst, 0);
	for (u32 i = 0; i < f.n; i++) {
		IrRef at = ir_b_gep_bytes(&b, ptr, (i64)f.p[i].offset, IRF_INBOUNDS);
		u32   al = align_at(align, f.p[i].offset);
		if (load) {
			IrRef v = ir_b_load(&b, f.p[i].type, at, al);
			agg = along(m, &b, IR_INSERTVALUE, t, agg, v, &f.p[i]);
		} else {
			IrRef v = along(m, &b, IR_EXTRACTVALUE, f.p[i].type, agg, IR_NO_REF, &f.p[i]);
			ir_b_store(&b, v, at, al);
		}
	}
	if (load)
		ir_replace_all_uses(m, inst, agg);
	ir_remove(m, inst);
	return true;
}

/* ---- step 2: slices ---- */

typedef struct Derived {
	IrRef v;
	i64   offset;
} Derived;

static bool copy_slice(Sroa *s, IrRef call, u32 arg, i64 offset)
{
	IrModule *m = s->m;
	u64       len, is_volatile;
	bool      set = calls_family(m, call, IRFAM_MEMSET),
	     copy = calls_family(m, call, IRFAM_MEMCPY) || calls_family(m, call, IRFAM_MEMMOVE);
	if ((!set && !copy) || arg > 1 || (set && arg) || !ir_as_int(m, ir_call_arg(m, call, 2), &len) ||
	    !ir_as_int(m, ir_call_arg(m, call, 3), &is_volatile) || is_volatile)
		return false;
	if (offset < 0 || len > s->size || (u64)offset > s->size - len)
		return false;
	SliceKind k = set ? SLICE_SET : arg ? SLICE_FROM : SLICE_TO;
	if (len)
		vec_push(s->cx->scratch, &s->slice, ((Slice){(u64)offset, (u64)offset + len, call, k}));
	return true;
}

static bool access_slice(Sroa *s, IrRef inst, i64 offset)
{
	IrModule *m = s->m;
	Slice     e = {.inst = inst, .kind = ir_inst(m, inst)->op == IR_LOAD ? SLICE_LOAD : SLICE_STORE};
	IrType    t = access_type(m, &e);
	u64       n = ir_store_size(m, t);
	if (ir_inst(m, inst)->flags & (IRF_VOLATILE | IRF_ATOMIC) || ir_type_is_aggregate(m, t) || offset < 0 || n > s->size ||
	    (u64)offset > s->size - n)
		return false;
	e.begin = (u64)offset;
	e.end = e.begin + n;
	vec_push(s->cx->scratch, &s->slice, e);
	return true;
}

static bool use_slice(Sroa *s, u32 use, i64 offset, Derived *derived)
{
	IrModule *m = s->m;
	IrRef     user = ir_use(m, use)->user;
	u32       at = ir_use_index(m, use);
	i64       step;
	switch (ir_inst(m, user)->op) {
	case IR_LOAD: return access_slice(s, user, offset);
	case IR_STORE: return at == 1 && access_slice(s, user, offset);
	case IR_BITCAST:
	case IR_ADDRSPACECAST: *derived = (Derived){user, offset}; return is_ptr(m, user);
	case IR_GETELEMENTPTR:
		if (!is_ptr(m, user) || !ir_gep_offset(m, user, &step))
			return false;
		*derived = (Derived){user, offset + step};
		return true;
	case IR_CALL: return is_lifetime_marker(m, user) || (at && copy_slice(s, user, at - 1, offset));
	default: return false;
	}
}

/* All slices; false: some use is not understood. `whole` aggregates are split first. */
static bool find_slices(Sroa *s, bool *split_any)
{
	IrModule *m = s->m;
	Vec(Derived) work = {0};
	vec_push(s->cx->scratch, &work, ((Derived){s->alloca, 0}));
	while (work.n) {
		Derived d = vec_pop(&work);
		ir_each_use(m, d.v, u) {
			IrRef   user = ir_use(m, u)->user;
			Derived more = {0};
			bool    access =
				ir_inst(m, user)->op == IR_LOAD || (ir_inst(m, user)->op == IR_STORE && ir_use_index(m, u) == 1);
			if (access && split_aggregate(s, user)) {
				*split_any = true; /* the accesses it was split into are new uses: collect again */
				return false;
			}
			if (!use_slice(s, u, d.offset, &more))
				return false;
			if (!ir_is_none(more.v))
				vec_push(s->cx->scratch, &work, more);
		}
	}
	/* A copy within the slot would be two slices of one call. */
	Map seen;
	map_init(&seen, s->cx->scratch);
	for (u32 i = 0; i < s->slice.n; i++) {
		bool fresh = true;
		if (splits(&s->slice.p[i]))
			map_put(&seen, s->slice.p[i].inst.i, &fresh);
		if (!fresh)
			return false;
	}
	return true;
}

/* ---- step 3: pieces ---- */

static int by_begin(const void *a, const void *b, void *user)
{
	const Slice *x = a, *y = b;
	(void)user;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->end == y->end ? 0 : x->end > y->end ? -1 : 1;
}

/* Scalars that are plain bits: one can be cast to another of the same size. */
static bool is_bits(const IrModule *m, IrType t)
{
	IrTypeKind k = ir_type_kind(m, ir_scalar_type(m, t));
	if (ir_store_size(m, t) * 8 != ir_size_bits(m, t) && k != IRT_PTR)
		return false;
	return k == IRT_INT || (k == IRT_PTR && !ir_type_is_vector(m, t)) || (k >= IRT_HALF && k <= IRT_DOUBLE);
}

static void note_access(Sroa *s, Piece *p, const Slice *e)
{
	IrModule *m = s->m;
	IrType    t = access_type(m, e);
	bool      exact = e->begin == p->begin && e->end == p->end;
	u64       n = p->end - p->begin;
	if (exact && !p->type.i && !p->inside)
		p->type = t;
	if (exact && !p->inside && (ir_type_same(p->type, t) || (is_bits(m, t) && is_bits(m, p->type))))
		return; /* of the same size: a cast will do */
	if (!is_bits(m, t) || ir_type_is_vector(m, t) || (p->type.i && !is_bits(m, p->type)) || n > 8 || (n & (n - 1))) {
		p->inside = true;
		p->type = (IrType){0};
		return;
	}
	p->inside = true;
	p->type = ir_int_type(m, (u32)n * 8);
}

/* Forms pieces from the slices that cannot be split, then from the gaps between them that copies read or write. */
static void find_pieces(Sroa *s)
{
	Arena *a = s->cx->scratch;
	sort_stable(a, s->slice.p, s->slice.n, sizeof(Slice), by_begin, NULL);
	for (u32 i = 0; i < s->slice.n; i++) {
		Slice *e = &s->slice.p[i];
		if (splits(e))
			continue;
		if (s->piece.n && e->begin < vec_last(&s->piece).end)
			vec_last(&s->piece).end = PS_MAX(vec_last(&s->piece).end, e->end);
		else
			vec_push(a, &s->piece, ((Piece){.begin = e->begin, .end = e->end}));
	}
	s->n_accessed = s->piece.n;
	u32 at = 0;
	for (u32 i = 0; i < s->slice.n; i++) {
		Slice *e = &s->slice.p[i];
		if (splits(e))
			continue;
		while (e->begin >= s->piece.p[at].end)
			at++;
		Piece *p = &s->piece.p[at];
		if (!(p->inside && !p->type.i))
			note_access(s, p, e);
	}
	bool read = false;
	for (u32 i = 0; i < s->slice.n; i++)
		read |= s->slice.p[i].kind == SLICE_FROM;
	if (!read)
		return;
	u64 end = 0;
	for (u32 i = 0, n = s->piece.n; i <= n; i++) {
		u64 next = i < n ? s->piece.p[i].begin : s->size;
		if (next > end)
			vec_push(a, &s->piece, ((Piece){.begin = end, .end = next, .inside = true}));
		end = i < n ? s->piece.p[i].end : end;
	}
}

static bool worth_it(const Sroa *s)
{
	if (s->piece.n == 0)
		return s->slice.n != 0; /* only written: everything goes */
	if (s->piece.n > 1)
		return true;
	const Piece *p = &s->piece.p[0];
	return p->type.i && !is_promotable(s->m, s->alloca);
}

static void make_slots(Sroa *s)
{
	IrModule *m = s->m;
	u32       align = access_align(m, s->alloca, ir_inst(m, s->alloca)->elem);
	for (u32 i = 0; i < s->piece.n; i++) {
		Piece    *p = &s->piece.p[i];
		IrBuilder b = ir_build_before(m, s->alloca);
		IrType    t = p->type.i ? p->type : ir_array_type(m, IR_TYPE(I8), p->end - p->begin);
		p->slot = ir_b_alloca(&b, t, value_space(m, s->alloca), align_at(align, p->begin));
		name_after(m, p->slot, s->alloca, ".sroa");
	}
}

/* ---- rewriting ---- */

static IrRef to_type(IrBuilder *b, IrRef v, IrType t)
{
	IrModule *m = b->m;
	IrType    from = ir_type_of(m, v);
	if (ir_type_same(from, t))
		return v;
	if (ir_is_zero(m, v))
		return ir_const_zero(m, t);
	bool fp = ir_type_is_ptr(m, from), tp = ir_type_is_ptr(m, t);
	if (fp && tp)
		return ir_b_cast(b, IR_ADDRSPACECAST, v, t);
	if (fp)
		return to_type(b, ir_b_cast(b, IR_PTRTOINT, v, ir_int_type(m, (u32)ir_size_bits(m, from))), t);
	if (tp)
		return ir_b_cast(b, IR_INTTOPTR, to_type(b, v, ir_int_type(m, (u32)ir_size_bits(m, t))), t);
	return ir_b_cast(b, IR_BITCAST, v, t);
}

static IrType int_of_bytes(IrModule *m, u64 n) { return ir_int_type(m, (u32)n * 8); }

/* The bytes [begin, end) of a piece as a value of type t, and the reverse. */
static IrRef read_piece(Sroa *s, IrBuilder *b, const Piece *p, u64 begin, u64 end, IrType t)
{
	IrModule *m = s->m;
	IrRef     v = ir_b_load(b, p->type, p->slot, ir_align_bytes(ir_inst(m, p->slot)->align));
	if (end - begin == p->end - p->begin)
		return to_type(b, v, t);
	IrRef shifted = v;
	if (begin > p->begin)
		shifted = ir_b_bin(b, IR_LSHR, v, ir_const_int(m, p->type, (begin - p->begin) * 8), 0);
	return to_type(b, ir_b_cast(b, IR_TRUNC, shifted, int_of_bytes(m, end - begin)), t);
}

static void write_piece(Sroa *s, IrBuilder *b, const Piece *p, u64 begin, u64 end, IrRef v)
{
	IrModule *m = s->m;
	u32       align = ir_align_bytes(ir_inst(m, p->slot)->align);
	if (end - begin == p->end - p->begin) {
		ir_b_store(b, to_type(b, v, p->type), p->slot, align);
		return;
	}
	u64   shift = (begin - p->begin) * 8, bits = (end - begin) * 8;
	u64   mask = (((u64)1 << bits) - 1) << shift;
	IrRef wide = ir_b_cast(b, IR_ZEXT, to_type(b, v, int_of_bytes(m, end - begin)), p->type);
	if (shift)
		wide = ir_b_bin(b, IR_SHL, wide, ir_const_int(m, p->type, shift), 0);
	IrRef old = ir_b_load(b, p->type, p->slot, align);
	IrRef kept = ir_b_bin(b, IR_AND, old, ir_const_int(m, p->type, ~mask), 0);
	ir_b_store(b, ir_b_bin(b, IR_OR, kept, wide, 0), p->slot, align);
}

static IrRef piece_address(Sroa *s, IrBuilder *b, const Piece *p, u64 at, IrType ptr)
{
	IrRef a = ir_b_gep_bytes(b, p->slot, (i64)(at - p->begin), IRF_INBOUNDS);
	return ir_type_same(ir_type_of(s->m, a), ptr) ? a : ir_b_cast(b, IR_ADDRSPACECAST, a, ptr);
}

/* Debug records in front of `inst` stand in front of what has been inserted between `before` and it. */
static void records_first(IrModule *m, IrRef before, IrRef inst)
{
	IrRef first = ir_is_none(before) ? ir_block(m, ir_inst(m, inst)->block)->first : ir_inst(m, before)->next;
	if (ir_same(first, inst))
		return;
	ir_info(m, first)->records = ir_info(m, inst)->records;
	ir_info(m, inst)->records = 0;
}

static void rewrite_access(Sroa *s, const Slice *e, const Piece *p)
{
	IrModule *m = s->m;
	IrBuilder b = ir_build_before(m, e->inst);
	IrRef     before = ir_inst(m, e->inst)->prev;
	bool      load = e->kind == SLICE_LOAD;
	if (!p->type.i) {
		u32    at = load ? 0 : 1, slot_align = ir_align_bytes(ir_inst(m, p->slot)->align);
		IrType t = load ? ir_inst(m, e->inst)->type : ir_type_of(m, ir_op(m, e->inst, 0));
		u32    align = PS_MIN(access_align(m, e->inst, t), align_at(slot_align, e->begin - p->begin));
		ir_set_op(m, e->inst, at, piece_address(s, &b, p, e->begin, ir_type_of(m, ir_op(m, e->inst, at))));
		ir_inst(m, e->inst)->align = ir_align_of(align); /* the slot may lie elsewhere than where its bytes lay */
		return;
	}
	if (load)
		ir_replace_all_uses(m, e->inst, read_piece(s, &b, p, e->begin, e->end, ir_inst(m, e->inst)->type));
	else
		write_piece(s, &b, p, e->begin, e->end, ir_op(m, e->inst, 0));
	records_first(m, before, e->inst);
	ir_remove(m, e->inst);
}

/* The byte of a memset, `n` times, as an integer. */
static IrRef repeated(Sroa *s, IrBuilder *b, IrRef byte, u64 n)
{
	IrModule *m = s->m;
	IrType    t = int_of_bytes(m, n);
	u64       v;
	if (ir_as_int(m, byte, &v) && (n <= 8 || v == 0))
		return ir_const_int(m, t, v * 0x0101010101010101u);
	if (n == 1)
		return byte;
	IrRef r = ir_b_cast(b, IR_ZEXT, byte, t);
	u64   words[2] = {0x0101010101010101u, 0x0101010101010101u};
	return ir_b_bin(b, IR_MUL, r, n > 8 ? ir_const_words(m, t, words, 2) : ir_const_int(m, t, words[0]), 0);
}

static void copy_bytes(Sroa *s, IrBuilder *b, const Slice *e, const Piece *p, u64 begin, u64 end)
{
	IrModule *m = s->m;
	IrRef     args[4];
	u32       ours = e->kind == SLICE_FROM ? 1 : 0;
	for (u32 i = 0; i < 4; i++)
		args[i] = ir_call_arg(m, e->inst, i);
	args[ours] = piece_address(s, b, p, begin, ir_type_of(m, args[ours]));
	args[2] = ir_const_int(m, ir_type_of(m, args[2]), end - begin);
	if (e->kind != SLICE_SET)
		args[1 - ours] = ir_b_gep_bytes(b, args[1 - ours], (i64)(begin - e->begin), IRF_INBOUNDS);
	ir_b_call(b, ir_call(m, e->inst)->type, ir_callee(m, e->inst), args, 4);
}

static u32 other_align(const IrModule *m, IrRef call, u32 arg)
{
	const IrAttr *a = ir_call_param_attr(m, call, arg, IRA_ALIGN);
	return a && a->a ? (u32)PS_MIN(a->a, 256u) : 1;
}

static void rewrite_part(Sroa *s, const Slice *e, const Piece *p)
{
	IrModule *m = s->m;
	IrBuilder b = ir_build_before(m, e->inst);
	u64       begin = PS_MAX(e->begin, p->begin), end = PS_MIN(e->end, p->end);
	bool      power = ((end - begin) & (end - begin - 1)) == 0;
	bool      whole = end - begin == p->end - p->begin;
	if (!p->type.i || (whole && !is_bits(m, p->type)) || (!whole && !(power && p->inside))) {
		copy_bytes(s, &b, e, p, begin, end);
		return;
	}
	IrType t = whole ? p->type : int_of_bytes(m, end - begin);
	if (e->kind == SLICE_SET) {
		write_piece(s, &b, p, begin, end, repeated(s, &b, ir_call_arg(m, e->inst, 1), end - begin));
		return;
	}
	u32   theirs = e->kind == SLICE_FROM ? 0 : 1;
	u32   align = align_at(other_align(m, e->inst, theirs), begin - e->begin);
	IrRef at = ir_b_gep_bytes(&b, ir_call_arg(m, e->inst, theirs), (i64)(begin - e->begin), IRF_INBOUNDS);
	if (theirs == 0)
		ir_b_store(&b, read_piece(s, &b, p, begin, end, t), at, align);
	else
		write_piece(s, &b, p, begin, end, ir_b_load(&b, t, at, align));
}

/* Rewrites what the slice accesses in pieces [from, to), which are sorted and disjoint. */
static void rewrite_in(Sroa *s, const Slice *e, u32 from, u32 to)
{
	u32 lo = from, hi = to;
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;
		if (s->piece.p[mid].end <= e->begin)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < to && s->piece.p[lo].begin < e->end; lo++) {
		if (splits(e))
			rewrite_part(s, e, &s->piece.p[lo]);
		else
			rewrite_access(s, e, &s->piece.p[lo]);
	}
}

/* The slot does not escape, so the other side of a memmove cannot overlap it: its parts are independent. */
static void rewrite(Sroa *s)
{
	IrModule *m = s->m;
	for (u32 i = 0; i < s->slice.n; i++) {
		Slice *e = &s->slice.p[i];
		rewrite_in(s, e, 0, s->n_accessed);
		rewrite_in(s, e, s->n_accessed, s->piece.n);
		if (splits(e))
			ir_remove(m, e->inst);
	}
}

/* ---- variables of the source ---- */

static void find_declared(PassCx *cx, Records *out)
{
	IrModule *m = cx->ir;
	if (m->dbgrecs.n <= 1)
		return;
	ir_each_block(m, pass_func(cx), b)
		ir_each_inst(m, b, i)
			for (u32 r = ir_info(m, i)->records; r; r = ((const IrDbgRec *)pages_at(&m->dbgrecs, r))->next)
				if (((const IrDbgRec *)pages_at(&m->dbgrecs, r))->kind == IRDBG_DECLARE)
					vec_push(cx->scratch, out, r);
}

/* !DIExpression(DW_OP_LLVM_fragment, offset, size): counted in bits */
static IrMd fragment(IrModule *m, u64 offset, u64 size)
{
	IrMd      id = {pages_new(&m->mds)};
	IrMdField f = {.kind = IRMF_NAME, .a = strtab_add(&m->s->strs, STR("DW_OP_LLVM_fragment")).i};
	const u64 number[] = {offset, size};
	*ir_md(m, id) = (IrMdNode){.kind = IRMD_EXPR, .first = m->md_fields.n, .n = 3};
	vec_push(m->arena, &m->md_fields, f);
	for (u32 i = 0; i < PS_COUNT(number); i++)
		vec_push(m->arena, &m->md_fields, ((IrMdField){.kind = IRMF_INT, .bits = number[i]}));
	return id;
}

static bool names(const IrModule *m, const IrDbgRec *rec, IrRef slot)
{
	const IrMdNode *v = rec->arg[0].i ? ir_md(m, rec->arg[0]) : NULL;
	if (!v || v->kind != IRMD_VALUE)
		return false;
	IrRef r = v->value;
	for (u32 k = 0; k < 16 && is_inst(m, r, IR_ADDRSPACECAST); k++)
		r = ir_op(m, r, 0);
	return ir_same(r, slot);
}

/* A variable in the slot is in its pieces. */
static void declare_pieces(Sroa *s)
{
	IrModule *m = s->m;
	for (u32 k = 0, n = s->declared->n; k < n; k++) {
		u32             id = s->declared->p[k];
		const IrDbgRec *rec = pages_at(&m->dbgrecs, id);
		if (!names(m, rec, s->alloca) || !rec->arg[2].i || ir_md(m, rec->arg[2])->n)
			continue;
		for (u32 i = 0; i < s->piece.n; i++) {
			const Piece *p = &s->piece.p[i];
			IrDbgRec     like = *(const IrDbgRec *)pages_at(&m->dbgrecs, id);
			IrMd         slot = ir_md_value(m, p->slot);
			if (p->end - p->begin < s->size)
				like.arg[2] = fragment(m, p->begin * 8, (p->end - p->begin) * 8);
			like.arg[0] = slot;
			u32 at = i ? pages_new(&m->dbgrecs) : id;
			if (i) {
				like.next = ((IrDbgRec *)pages_at(&m->dbgrecs, id))->next;
				((IrDbgRec *)pages_at(&m->dbgrecs, id))->next = at;
				vec_push(s->cx->scratch, s->declared, at);
			}
			*(IrDbgRec *)pages_at(&m->dbgrecs, at) = like;
		}
	}
}

/* Removes the casts, geps and lifetime markers that remain as users of the old alloca. */
static void remove_slot(Sroa *s)
{
	IrModule *m = s->m;
	VecU32    order = {0};
	vec_push(s->cx->scratch, &order, s->alloca.i);
	for (u32 i = 0; i < order.n; i++)
		ir_each_use(m, ((IrRef){order.p[i]}), u)
			vec_push(s->cx->scratch, &order, ir_use(m, u)->user.i);
	while (order.n) {
		IrRef v = {vec_pop(&order)};
		if (!ir_is_none(ir_inst(m, v)->block))
			ir_remove(m, v);
	}
}

static bool take_apart(PassCx *cx, IrRef alloca, Records *declared)
{
	IrModule *m = cx->ir;
	bool      split_any = false, again = true, changed = false;
	Sroa s = {.cx = cx, .m = m, .declared = declared, .alloca = alloca, .size = ir_alloc_size(m, ir_inst(m, alloca)->elem)};
	for (bool ok = false; again; again = split_any, changed |= split_any) {
		split_any = false;
		s.slice.n = 0;
		ok = find_slices(&s, &split_any);
		if (!ok && !split_any)
			return changed;
	}
	find_pieces(&s);
	if (!worth_it(&s))
		return changed;
	make_slots(&s);
	rewrite(&s);
	declare_pieces(&s);
	remove_slot(&s);
	pass_remark(cx, REMARK_PASSED, value_line(m, alloca), "stack slot taken apart into %u pieces", s.piece.n);
	return true;
}

static bool is_fixed(const IrModule *m, IrRef alloca)
{
	u64 count;
	return ir_type_is_sized(m, ir_inst(m, alloca)->elem) && (!ir_n_ops(m, alloca) || ir_is_none(ir_op(m, alloca, 0)) ||
	                                                         (ir_as_int(m, ir_op(m, alloca, 0), &count) && count == 1));
}

static bool run_once(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrRef     entry = pass_func(cx)->first;
	Vec(IrRef) slots = {0}, values = {0};
	Records declared = {0};
	bool    changed = false;
	find_declared(cx, &declared);
	ir_each_inst(m, entry, i)
		if (ir_inst(m, i)->op == IR_ALLOCA && is_fixed(m, i))
			vec_push(cx->scratch, &slots, i);
	for (u32 i = 0; i < slots.n; i++)
		if (!is_promotable(m, slots.p[i]))
			changed |= take_apart(cx, slots.p[i], &declared);
	ir_each_inst(m, entry, i)
		if (ir_inst(m, i)->op == IR_ALLOCA && is_promotable(m, i))
			vec_push(cx->scratch, &values, i);
	promote_allocas(cx, values.p, values.n);
	return changed || values.n != 0;
}

static bool run(PassCx *cx)
{
	bool changed = false;
	for (u32 round = 0; round < MAX_ROUNDS && run_once(cx); round++)
		changed = true;
	return changed;
}

const Pass irpass_sroa = {
	.id = "sroa",
	.title = "SROA",
	.summary = "Splits stack slots into parts and promotes the parts to values.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_sroa,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(ALLOCA),
	.run = run,
};
