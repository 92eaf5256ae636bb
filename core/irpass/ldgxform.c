/* ldgxform: loads of global memory that nobody writes while the kernel runs become ld.global.nc, and those that are wider than
 * one instruction loads are split.
 *
 *	%v = load <8 x float>, ptr addrspace(1) %p, align 32
 *	%x = extractelement <8 x float> %v, i32 5
 *	                                                      ↓
 *	%splitVec = load <4 x float>, ptr addrspace(1) %p, align 32, !invariant.load !0
 *	%splitVecGEP = getelementptr inbounds i8, ptr addrspace(1) %p, i64 16
 *	%splitVec1 = load <4 x float>, ptr addrspace(1) %splitVecGEP, align 16, !invariant.load !0
 *	%extractSplitVec = extractelement <4 x float> %splitVec1, i32 1
 *
 * In IR a load by way of the read-only cache is a load with !invariant.load, as in LLVM; selection prints `.nc` for it. Which
 * memory is read-only says analysis/readonly.h. Volatile and atomic loads stay as they are.
 *
 * Pieces have 128 bits, 256 where the target loads as many at once, or as many as the load's alignment allows. Extracts and
 * inserts with constant indices (extractSplitVec, insertSplitVec) and casts that keep the pieces apart (vecBitCast) work on the
 * pieces; for all other users the vector is put together again from its lanes. An integer of n × 64 bits is loaded as a vector
 * (NAME.ldgsplit: the address of a piece, NAME.load: the piece) and put together (NAME.ldgsplitinsert). Left to selection:
 * aggregates, elements of odd width, and loads that are aligned to less than an element.
 *
 * Needs pointers in specific address spaces (infer-address-spaces). Linear in loads, in the lanes of those that are split, and
 * in the uses of pointers. */
#include "analysis/readonly.h"
#include "irpass/util.h"

enum { MAX_LANES = 256 };

typedef struct Piece {
	IrRef value;
	u32   first, n; /* lanes */
} Piece;

/* A vector of which only the pieces are computed. */
typedef struct Split {
	IrRef  value; /* to be replaced; its users go to the pieces */
	Piece *piece;
	u32    n_pieces;
} Split;

typedef struct Ldg {
	PassCx   *cx;
	IrModule *m;
	ReadOnly  read_only;
	Vec(Split) work;
	bool changed;
} Ldg;

static IrRef lane_number(IrModule *m, u32 i) { return ir_const_int(m, IR_TYPE(I32), i); }

static IrRef named(IrModule *m, IrRef v, const char *name)
{
	ir_set_name(m, v, str_of(name));
	return v;
}

/* ---- pieces ---- */

static u64 load_align(const IrModule *m, IrRef load)
{
	const IrInst *i = ir_inst(m, load);
	return i->align ? ir_align_bytes(i->align) : ir_abi_align(m, i->type);
}

static u32 lane_bits(const IrModule *m, IrType vector) { return (u32)ir_size_bits(m, ir_type_elem(m, vector, 0)); }

/* Of global memory, where all of these loads are. */
static u32 most_bytes(const IrModule *m) { return isa_access_bytes(&m->s->target, AS_GLOBAL); }

/* How many lanes the next piece has: a power of two, at most what an instruction loads at this alignment. */
static u32 piece_lanes(const IrModule *m, u32 left, u32 bits, u64 align)
{
	u32 most = (u32)PS_MIN(align, most_bytes(m)) * 8 / bits;
	return 1u << u64_log2(PS_MIN(left, most));
}

/* One lane is a scalar. */
static IrType piece_type(IrModule *m, IrType elem, u32 n) { return n == 1 ? elem : ir_vector_type(m, elem, n); }

static Split load_pieces(Ldg *l, IrBuilder *b, IrRef load, IrType vector)
{
	IrModule *m = l->m;
	IrType    elem = ir_type_elem(m, vector, 0);
	u32       lanes = (u32)ir_type_count(m, vector), bits = lane_bits(m, vector);
	bool      scalar = !ir_type_is_vector(m, ir_inst(m, load)->type);
	u64       align = load_align(m, load);
	Split     s = {.value = load, .piece = arena_array(l->cx->scratch, Piece, lanes)};
	for (u32 at = 0; at < lanes; at += s.piece[s.n_pieces++].n) {
		u64   offset = (u64)at * bits / 8, here = offset ? PS_MIN(align, offset & (0 - offset)) : align;
		u32   n = piece_lanes(m, lanes - at, bits, PS_MIN(align, here));
		IrRef p = ir_b_gep_bytes(b, ir_op(m, load, 0), (i64)offset, IRF_INBOUNDS);
		if (offset && scalar)
			name_after(m, p, load, ".ldgsplit");
		else if (offset)
			named(m, p, "splitVecGEP");
		IrRef v = ir_b_load(b, piece_type(m, elem, n), p, (u32)here);
		ir_attach(m, v, "invariant.load", ir_attached(m, load, "invariant.load"));
		if (scalar)
			name_after(m, v, load, ".load");
		else
			named(m, v, "splitVec");
		s.piece[s.n_pieces] = (Piece){v, at, n};
	}
	return s;
}

/* ---- the vector as a whole ---- */

static IrRef whole(Ldg *l, IrBuilder *b, const Split *s, IrType vector, bool scalar)
{
	IrModule *m = l->m;
	IrRef     v = ir_const_poison(m, vector);
	for (u32 k = 0; k < s->n_pieces; k++)
		for (u32 i = 0; i < s->piece[k].n; i++) {
			IrRef x = s->piece[k].value;
			if (s->piece[k].n > 1)
				x = named(m, ir_b_extract_element(b, x, lane_number(m, i)), "extractSplitVec");
			v = ir_b_insert_element(b, v, x, lane_number(m, s->piece[k].first + i));
			if (scalar)
				name_after(m, v, s->value, ".ldgsplitinsert");
			else
				named(m, v, "insertSplitVec");
		}
	return v;
}

/* ---- users of a split vector ---- */

static Piece *piece_of(const Split *s, u32 lane)
{
	for (u32 k = 0; k < s->n_pieces; k++)
		if (lane - s->piece[k].first < s->piece[k].n)
			return &s->piece[k];
	return NULL;
}

/* The lane that an extract or insert names by its last operand; NULL: not a constant, or out of range. */
static Piece *piece_named(const Ldg *l, const Split *s, IrRef user, u32 *lane)
{
	u64 k;
	if (!ir_as_int(l->m, ir_op(l->m, user, ir_n_ops(l->m, user) - 1), &k) || k != (u32)k)
		return NULL;
	Piece *p = piece_of(s, (u32)k);
	*lane = p ? (u32)k - p->first : 0;
	return p;
}

static bool extract(Ldg *l, const Split *s, IrRef user)
{
	u32          lane;
	const Piece *p = piece_named(l, s, user, &lane);
	if (!p)
		return false;
	IrRef v = p->value;
	if (p->n > 1) {
		IrBuilder b = ir_build_before(l->m, user);
		v = named(l->m, ir_b_extract_element(&b, v, lane_number(l->m, lane)), "extractSplitVec");
	}
	ir_replace_all_uses(l->m, user, v);
	return true;
}

static Split copy_of(Ldg *l, const Split *s, IrRef value)
{
	Split c = {.value = value, .piece = arena_array(l->cx->scratch, Piece, s->n_pieces), .n_pieces = s->n_pieces};
	memcpy(c.piece, s->piece, s->n_pieces * sizeof *c.piece);
	return c;
}

static bool insert(Ldg *l, const Split *s, IrRef user)
{
	u32   lane;
	Split c = copy_of(l, s, user);
	if (!ir_same(ir_op(l->m, user, 0), s->value) || ir_same(ir_op(l->m, user, 1), s->value))
		return false;
	Piece *p = piece_named(l, &c, user, &lane);
	if (!p)
		return false;
	IrRef v = ir_op(l->m, user, 1);
	if (p->n > 1) {
		IrBuilder b = ir_build_before(l->m, user);
		v = named(l->m, ir_b_insert_element(&b, p->value, v, lane_number(l->m, lane)), "insertSplitVec");
	}
	p->value = v;
	vec_push(l->cx->scratch, &l->work, c);
	return true;
}

/* A cast to lanes of another size, where each of them lies in one piece. */
static bool cast(Ldg *l, const Split *s, IrRef user)
{
	IrModule *m = l->m;
	IrType    to = ir_inst(m, user)->type, from = ir_type_of(m, s->value);
	if (!ir_type_is_vector(m, to))
		return false;
	u32   bits = lane_bits(m, from), wanted = lane_bits(m, to);
	Split c = copy_of(l, s, user);
	for (u32 k = 0; k < c.n_pieces; k++)
		if (!wanted || c.piece[k].first * bits % wanted)
			return false;
	IrBuilder b = ir_build_before(m, user);
	for (u32 k = 0; k < c.n_pieces; k++) {
		Piece *p = &c.piece[k];
		p->first = p->first * bits / wanted;
		p->n = p->n * bits / wanted;
		p->value =
			named(m, ir_b_cast(&b, IR_BITCAST, p->value, piece_type(m, ir_type_elem(m, to, 0), p->n)), "vecBitCast");
	}
	vec_push(l->cx->scratch, &l->work, c);
	return true;
}

static bool use_pieces(Ldg *l, const Split *s, IrRef user)
{
	switch (ir_inst(l->m, user)->op) {
	case IR_EXTRACTELEMENT: return extract(l, s, user);
	case IR_INSERTELEMENT: return insert(l, s, user);
	case IR_BITCAST: return cast(l, s, user);
	default: return false;
	}
}

/* Users that can work on the pieces do so. For the others the value is put together. */
static void replace_value(Ldg *l, const Split *s)
{
	IrModule *m = l->m;
	VecU32    users = {0};
	bool      scalar = !ir_type_is_vector(m, ir_type_of(m, s->value));
	for (u32 u = ir_first_use(m, s->value); u && !scalar; u = ir_use(m, u)->next)
		vec_push(l->cx->scratch, &users, ir_use(m, u)->user.i);
	for (u32 k = 0; k < users.n; k++) {
		IrRef user = {users.p[k]};
		if (ir_kind(user) != IR_INST || !use_pieces(l, s, user))
			continue;
		if (ir_inst(m, user)->op == IR_EXTRACTELEMENT)
			ir_remove(m, user);
		else /* it is replaced in its turn */
			ir_set_op(m, user, 0, ir_const_poison(m, ir_type_of(m, s->value)));
	}
	if (ir_has_uses(m, s->value)) {
		IrBuilder b = ir_build_before(m, s->value);
		IrType    t = ir_type_of(m, s->value);
		IrType    vector = scalar ? ir_vector_type(m, IR_TYPE(I64), (u32)ir_size_bits(m, t) / 64) : t;
		IrRef     v = whole(l, &b, s, vector, scalar);
		ir_replace_all_uses(m, s->value, scalar ? named(m, ir_b_cast(&b, IR_BITCAST, v, t), "vecBitCast") : v);
	}
	ir_remove(m, s->value);
}

/* ---- loads ---- */

/* The vector as which a load that is too wide is split; none: it is not too wide, or left to selection. */
static IrType vector_to_split(IrModule *m, IrRef load)
{
	IrType t = ir_inst(m, load)->type;
	u64    size = ir_size_bits(m, t);
	if (size <= most_bytes(m) * 8 || size > (u64)MAX_LANES * 8)
		return (IrType){0};
	if (ir_type_is_int(m, t))
		return size % 64 || load_align(m, load) < 8 ? (IrType){0} : ir_vector_type(m, IR_TYPE(I64), (u32)size / 64);
	if (!ir_type_is_vector(m, t))
		return (IrType){0};
	u32 bits = lane_bits(m, t);
	return bits < 8 || bits > 64 || (bits & (bits - 1)) || load_align(m, load) * 8 < bits ? (IrType){0} : t;
}

static void split_if_wide(Ldg *l, IrRef load)
{
	IrModule *m = l->m;
	IrType    vector = vector_to_split(m, load);
	if (!vector.i)
		return;
	u32       line = value_line(m, load), bits = (u32)ir_size_bits(m, vector);
	IrBuilder b = ir_build_before(m, load);
	Split     s = load_pieces(l, &b, load, vector);
	pass_remark(l->cx, REMARK_PASSED, line, "a load of %u bits is split into %u", bits, s.n_pieces);
	vec_push(l->cx->scratch, &l->work, s);
	while (l->work.n) {
		s = vec_pop(&l->work);
		replace_value(l, &s);
	}
	l->changed = true;
}

static bool is_plain_load(const IrModule *m, IrRef i)
{
	return ir_inst(m, i)->op == IR_LOAD && ir_is_plain(m, i) && value_space(m, ir_op(m, i, 0)) == AS_GLOBAL;
}

static void visit(Ldg *l, IrRef load)
{
	IrModule *m = l->m;
	if (!ir_attached(m, load, "invariant.load").i) {
		ReadOnlyVerdict v = read_only_pointer(&l->read_only, ir_op(m, load, 0));
		if (v != RO_YES) {
			if (pass_wants_remarks(l->cx))
				pass_remark(l->cx, REMARK_MISSED, value_line(m, load), "not ld.global.nc: %s",
				            read_only_reason(v));
			return;
		}
		if (pass_wants_remarks(l->cx))
			pass_remark(l->cx, REMARK_PASSED, value_line(m, load),
			            "ld.global.nc: nobody writes this memory while the kernel runs");
		IrMd *empty = l->cx->state;
		if (!empty->i)
			*empty = ir_md_node(m, NULL, 0, false);
		ir_attach(m, load, "invariant.load", *empty);
		l->changed = true;
	}
	split_if_wide(l, load);
}

/* The node that the marks of all functions share. */
static void *begin(PassCx *cx) { return arena_new(cx->ir->arena, IrMd); }

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Ldg       l = {.cx = cx, .m = m};
	VecU32    loads = {0};
	if (!isa_has(cx->s, ptx_opc(ld, PS(space, global), FLAG(nc), TY(u32))))
		return false;
	read_only_init(&l.read_only, m, pass_func(cx), cx->scratch, (u32)knob_int(cx->s, KNOB_MAX_INVARIANT_DEPTH));
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(LOAD))
		ir_each_inst(m, b, i)
			if (is_plain_load(m, i))
				vec_push(cx->scratch, &loads, i.i);
	for (u32 k = 0; k < loads.n; k++)
		visit(&l, (IrRef){loads.p[k]});
	return l.changed;
}

static const Knob knobs[] = {KNOB_MAX_INVARIANT_DEPTH, KNOB_NONE};

const Pass irpass_ldgxform = {
	.id = "ldgxform",
	.title = "Ldg Transformation",
	.summary = "Loads read-only global memory by ld.global.nc, in pieces where it is too wide.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_ldgxform,
	.knobs = knobs,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(LOAD),
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
	.begin = begin,
};
