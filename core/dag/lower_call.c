/* lower_call.c: calls.
 *
 *	%r = call i32 @f(i32 %x)
 *
 *	{ // callseq 0, 0                      CALLSEQ_START
 *	.param .b32 param0;                    DECLARE_PARAM
 *	.param .b32 retval0;                   DECLARE_PARAM
 *	st.param.b32 [param0], %r1;            STOREPARAM
 *	call.uni (retval0), f, (param0);       CALL
 *	ld.param.b32 %r2, [retval0];           LOADPARAM
 *	} // callseq 0                         CALLSEQ_END
 *
 * Glue keeps the sequence together, so that nothing is scheduled within it. Linear in the pieces of arguments and results. */
#include "dag/lower_call.h"
#include "dag/param.h"
#include "ir/intrinsic.h"

typedef struct Seq {
	DagFunc *f;
	DagVal   chain, glue;
	u32      n_args;
} Seq;

static DagVal glued(Seq *q, const DagNode *like, const DagVal *ops, u32 n, const DagVt *vts, u32 n_vts)
{
	DagVal all[16];
	u32    k = 0;
	all[k++] = q->chain;
	for (u32 i = 0; i < n; i++)
		all[k++] = ops[i];
	if (dag_is(q->glue))
		all[k++] = q->glue;
	DagVal r = dag_node_like(&q->f->dag, like, vts, n_vts, all, k);
	q->chain = dag_res(r.n, n_vts - 2);
	q->glue = dag_res(r.n, n_vts - 1);
	return r;
}

static const DagVt chain_glue[] = {VT_CHAIN, VT_GLUE};
enum { SEQ_PROPS = DP_SIDE_EFFECT | DP_NO_CSE };

static StrId numbered(DagFunc *f, const char *stem, u32 i)
{
	return strtab_add(&f->s->strs, arena_fmt(f->arena, "%s%u", stem, i));
}

static void declare(Seq *q, StrId symbol, const MirParam *p)
{
	DagFunc *f = q->f;
	DagNode  like = {
		 .opcode = DAG_DECLARE_PARAM, .props = SEQ_PROPS, .k = {p->bits ? 0 : p->align, p->bits ? p->bits : p->size}};
	DagVal sym = dag_symbol(&f->dag, DAG_TargetExternalSymbol, f->ptr, symbol, 0);
	glued(q, &like, &sym, 1, chain_glue, 2);
}

/* ---- arguments */

/* Where a structure that is passed by value lies. The parameter may be aligned to more. */
typedef struct Source {
	DagVal at;
	u32    space, align;
} Source;

static u32 align_log2_at(const Source *from, u64 offset) { return dag_align_at(u64_log2(PS_MAX(from->align, 1u)), offset); }

static DagVal load_source(DagFunc *f, DagVal root, const Source *from, DagVt vt, DagExt ext, u64 offset)
{
	DagMem m = {.vt = ext != DEXT_NONE ? VT_I8 : vt, .ext = (u8)ext};
	m.mem = (MirMem){.size = vt_size(m.vt) / 8,
	                 .space = (u16)from->space,
	                 .flags = MMF_LOAD,
	                 .align_log2 = (u8)align_log2_at(from, offset)};
	return dag_load(&f->dag, vt, root, dag_ptr_add(&f->dag, from->at, (i64)offset), m);
}

static void store_byval(Seq *q, StrId symbol, const Source *from, const MirParam *p, DagVal root)
{
	DagFunc  *f = q->f;
	Dag      *d = &f->dag;
	DagPieces pieces = {0};
	dag_pieces(f, p->type, p->align, &pieces);
	for (u32 k = 0; k < pieces.n; k += pieces.p[k].group) {
		DagVal v[4];
		DagVt  mem = dag_param_mem_vt(pieces.p[k].vt), reg = mem == VT_I8 ? VT_I16 : mem;
		u32    group = pieces.p[k].group;
		u64    offset = pieces.p[k].offset, bytes = (u64)group * vt_size(mem) / 8;
		if (group > 1 && vt_size(mem) >= 32 && (u64)1 << align_log2_at(from, offset) >= bytes) {
			DagVal all = load_source(f, root, from, vt_vec(mem, group), DEXT_NONE, offset);
			for (u32 i = 0; i < group; i++)
				v[i] = dag_2(d, DAG_EXTRACT_VECTOR_ELT, mem, all, dag_const(d, VT_I32, i));
		} else {
			for (u32 i = 0; i < group; i++)
				v[i] = load_source(f, root, from, reg, reg != mem ? DEXT_ZERO : DEXT_NONE,
				                   pieces.p[k + i].offset);
		}
		q->chain = dag_store_piece(f, q->chain, symbol, &pieces.p[k], p->align, v, &q->glue);
	}
}

/* A callee reads what lies above the width only where the attribute says what it is, or where it knows its callers. */
static DagVal widened(DagFunc *f, DagVal v, DagExt ext)
{
	return ext == DEXT_SIGN   ? dag_sext_or_trunc(&f->dag, v, VT_I32)
	       : ext == DEXT_ZERO ? dag_zext_or_trunc(&f->dag, v, VT_I32)
	                          : dag_any_or_trunc(&f->dag, v, VT_I32);
}

static DagExt extension_of(DagFunc *f, IrRef call, u32 arg)
{
	const IrFunc *callee = ir_called(f->m, call);
	IrType        t = ir_type_of(f->m, ir_call_arg(f->m, call, arg));
	u32           w = ir_type_is_int(f->m, t) ? ir_type(f->m, t)->bits : 0;
	if (ir_call_param_attr(f->m, call, arg, IRA_SIGNEXT))
		return DEXT_SIGN;
	if (ir_call_param_attr(f->m, call, arg, IRA_ZEROEXT))
		return DEXT_ZERO;
	bool odd = w ? w > 1 && w != 8 && w != 16 && w != 32 && w < 64 : ir_type_is_aggregate(f->m, t);
	return odd && callee && arg < callee->n_args && dag_param_has_zeros_above(f->m, callee, arg) ? DEXT_ZERO : DEXT_ANY;
}

static DagVal param_value(DagFunc *f, DagVal v)
{
	Dag  *d = &f->dag;
	DagVt vt = dag_vt(d, v);
	if (vt == VT_I1 || vt == VT_I8)
		return dag_1(d, DAG_ANY_EXTEND, VT_I16, v);
	return vt_is_packed(vt) ? dag_1(d, DAG_BITCAST, VT_I32, v) : v;
}

static void store_value(Seq *q, StrId symbol, const DagVal *leaves, const MirParam *p, DagExt ext)
{
	static const DagOp extend[] = {[DEXT_ANY] = DAG_ANY_EXTEND, [DEXT_SIGN] = DAG_SIGN_EXTEND, [DEXT_ZERO] = DAG_ZERO_EXTEND};
	DagFunc           *f = q->f;
	DagPieces          pieces = {0};
	dag_pieces(f, p->type, p->align, &pieces);
	DagVal *v = arena_array(f->arena, DagVal, pieces.n + 1);
	for (u32 k = 0; k < pieces.n; k++) {
		DagPiece *x = &pieces.p[k];
		if (p->bits && vt_is_int(x->vt) && vt_bits(x->vt) < 32) {
			v[k] = widened(f, leaves[0], ext);
			x->vt = VT_I32;
		} else {
			DagVal leaf = leaves[x->leaf];
			DagVt  vt = dag_vt(&f->dag, leaf);
			if (vt_is_sint(vt) && vt_bits(vt) < vt_bits(x->vt))
				v[k] = param_value(f, dag_1(&f->dag, extend[ext], x->vt, leaf));
			else
				v[k] = param_value(f, dag_take_part(f, leaf, x->part, x->vt));
		}
	}
	for (u32 k = 0; k < pieces.n; k += pieces.p[k].group)
		q->chain = dag_store_piece(f, q->chain, symbol, &pieces.p[k], PS_MAX(p->align, p->bits / 8), v + k, &q->glue);
}

/* ---- the result */

typedef Vec(DagVal) Values;

static DagVal proxy(Seq *q, DagVal v)
{
	DagNode like = {.opcode = DAG_PROXY, .props = SEQ_PROPS};
	DagVt   vts[] = {dag_vt(&q->f->dag, v), VT_CHAIN, VT_GLUE};
	return glued(q, &like, &v, 1, vts, 3);
}

static u32 result_chunk(const DagPiece *x, const MirParam *p) { return dag_piece_chunk(x, p->align); }

/* The integer whose register holds a piece. */
static DagVt whole_of(const DagPiece *x)
{
	u32 w = vt_size(dag_param_mem_vt(x->vt));
	return w <= 16 ? VT_I16 : w <= 32 ? VT_I32 : w <= 64 ? VT_I64 : VT_INT(w);
}

/* The access to a piece of a packed structure is as wide as its alignment; the chunk fills a register of the whole. */
static void load_chunks(Seq *q, StrId symbol, const DagPiece *x, u32 chunk, Values *out)
{
	DagFunc *f = q->f;
	Dag     *d = &f->dag;
	DagVt    mem = VT_INT(chunk * 8), reg = whole_of(x), vts[] = {reg, VT_CHAIN, VT_GLUE};
	for (u32 at = 0; at * 8 < vt_size(dag_param_mem_vt(x->vt)); at += chunk) {
		DagMem m = {.vt = mem, .ext = reg != mem ? DEXT_ANY : DEXT_NONE};
		m.mem = (MirMem){.size = chunk, .space = 101, .flags = MMF_LOAD};
		DagNode like = {.opcode = DAG_LOADPARAM, .props = SEQ_PROPS, .aux = 1, .mem = dag_mem_new(d, m)};
		DagVal  sym = dag_symbol(d, DAG_TargetExternalSymbol, f->ptr, symbol, (i64)(x->offset + at));
		DagVal  l = glued(q, &like, &sym, 1, vts, 3);
		vec_push(f->arena, out, dag_res(l.n, 0));
	}
}

/* The piece's value from its chunks, lowest first. */
static DagVal join_chunks(DagFunc *f, const DagPiece *x, u32 chunk, const DagVal *v)
{
	Dag   *d = &f->dag;
	DagVt  mem = dag_param_mem_vt(x->vt), it = whole_of(x);
	DagVal piece[8];
	u32    n = 0;
	for (u32 at = 0, k = 0; at * 8 < vt_size(mem); at += chunk, k++) {
		DagVal part = dag_2(d, DAG_ASSERT_ZEXT, it, v[k], dag_vtype(d, VT_INT(chunk * 8)));
		piece[n++] = at ? dag_2(d, DAG_SHL, it, part, dag_const(d, VT_I32, at * 8)) : part;
	}
	DagVal r = dag_or_all(d, it, piece, n);
	return vt_is_sint(mem) ? dag_zext_or_trunc(d, r, mem) : dag_1(d, DAG_BITCAST, mem, r);
}

static void load_result(Seq *q, StrId symbol, const MirParam *p, Values *out, DagPieces *pieces)
{
	DagFunc *f = q->f;
	Dag     *d = &f->dag;
	dag_pieces(f, p->type, p->align, pieces);
	for (u32 k = 0; k < pieces->n; k += pieces->p[k].group) {
		DagPiece *x = &pieces->p[k];
		u32       n = x->group;
		DagVt     mem = dag_param_mem_vt(x->vt), vts[6];
		if (p->bits && vt_is_int(x->vt) && vt_bits(mem) < 32)
			mem = VT_I32;
		if (n == 1 && !p->bits && result_chunk(x, p) * 8 < vt_size(mem)) {
			load_chunks(q, symbol, x, result_chunk(x, p), out);
			continue;
		}
		DagVt  reg = mem == VT_I8 ? VT_I16 : mem;
		DagMem m = {.vt = mem, .ext = reg != mem ? DEXT_ANY : DEXT_NONE};
		m.mem = (MirMem){.size = vt_size(mem) / 8 * n, .space = 101, .flags = MMF_LOAD};
		for (u32 i = 0; i < n; i++)
			vts[i] = reg;
		vts[n] = VT_CHAIN;
		vts[n + 1] = VT_GLUE;
		DagNode like = {.opcode = DAG_LOADPARAM, .props = SEQ_PROPS, .aux = n, .mem = dag_mem_new(d, m)};
		DagVal  sym = dag_symbol(d, DAG_TargetExternalSymbol, f->ptr, symbol, (i64)x->offset);
		DagVal  l = glued(q, &like, &sym, 1, vts, n + 2);
		for (u32 i = 0; i < n; i++)
			vec_push(f->arena, out, dag_res(l.n, i));
	}
}

static DagVal result_piece(DagFunc *f, DagVal v, DagVt want)
{
	Dag  *d = &f->dag;
	DagVt have = dag_vt(d, v);
	if (have == want)
		return v;
	return vt_is_packed(want) ? dag_1(d, DAG_BITCAST, want, v) : dag_1(d, DAG_TRUNCATE, want, v);
}

static u32 join_result(DagFunc *f, const MirParam *p, const DagPieces *pieces, const DagVal *v, DagVal **out)
{
	IrType    t = p->type;
	DagLeaves l = {0};
	dag_leaves(f, t, &l);
	*out = arena_array(f->arena, DagVal, l.n + 1);
	DagVal *x = arena_array(f->arena, DagVal, pieces->n + 1);
	for (u32 k = 0, at = 0; k < pieces->n; k++) {
		const DagPiece *q = &pieces->p[k];
		u32 bytes = vt_size(dag_param_mem_vt(q->vt)) / 8, chunk = q->group == 1 && !p->bits ? result_chunk(q, p) : bytes;
		x[k] = result_piece(f, chunk < bytes ? join_chunks(f, q, chunk, v + at) : v[at], q->vt);
		at += chunk < bytes ? bytes / chunk : 1;
	}
	for (u32 k = 0, leaf = 0; leaf < l.n; leaf++) {
		u32 first = k;
		while (k < pieces->n && pieces->p[k].leaf == leaf)
			k++;
		(*out)[leaf] = dag_join_parts(f, l.p[leaf].vt, x + first, k - first);
	}
	return l.n;
}

/* ---- the sequence */

static void begin(Seq *q, DagFunc *f)
{
	*q = (Seq){.f = f, .chain = dag_root(f)};
	DagNode like = {.opcode = DAG_CALLSEQ_START, .props = SEQ_PROPS, .k = {f->mod->n_callseqs, 0}};
	glued(q, &like, NULL, 0, chain_glue, 2);
}

static void end(Seq *q)
{
	DagNode like = {.opcode = DAG_CALLSEQ_END, .props = SEQ_PROPS, .k = {q->f->mod->n_callseqs++, 0}};
	glued(q, &like, NULL, 0, chain_glue, 2);
}

static void make_call(Seq *q, DagVal callee, u32 proto, bool returns, u32 flags)
{
	DagNode like = {
		.opcode = DAG_CALL, .props = SEQ_PROPS | DP_CALL, .aux = proto, .k = {(u64)returns << 32 | q->n_args, flags}};
	glued(q, &like, &callee, 1, chain_glue, 2);
}

/* The prototype is named by its number + 1, so that 0 can mean a direct call. */
static u32 prototype(DagFunc *f, IrRef call)
{
	Text t;
	text_init(&t, f->arena);
	mir_abi_prototype(&t, f->m, call);
	return mir_proto_new(f->mir, strtab_add(&f->s->strs, text_str(&t))) + 1;
}

static bool same_param(const MirParam *a, const MirParam *b)
{
	return a->bits == b->bits && a->size == b->size && a->align == b->align && a->is_void == b->is_void;
}

/* Do the callee's declaration and the prototype of the call have the same text? */
static bool same_prototype(DagFunc *f, IrRef call, IrRef callee)
{
	const IrFunc *g = ir_func(f->m, callee);
	u32           n = ir_call(f->m, call)->n_args;
	MirParam      a = mir_abi_call_ret(f->m, call), b = mir_abi_ret(f->m, g);
	if (g->n_args != n || ir_type(f->m, ir_global(f->m, callee)->type)->vararg ||
	    ir_type(f->m, ir_call(f->m, call)->type)->vararg || !same_param(&a, &b))
		return false;
	for (u32 i = 0; i < n; i++) {
		a = mir_abi_call_param(f->m, call, i);
		b = mir_abi_param(f->m, g, i);
		if (!same_param(&a, &b))
			return false;
	}
	return true;
}

/* A function can be called directly if its type is the call's, or has the same parameters in PTX. */
static bool is_direct(DagFunc *f, IrRef inst, IrRef *callee)
{
	IrRef c = ir_callee(f->m, inst);
	while (ir_kind(c) == IR_CONST && ir_const(f->m, c)->kind == IRC_EXPR && ir_const(f->m, c)->op == IR_BITCAST)
		c = ir_const_op(f->m, c, 0);
	*callee = c;
	return ir_kind(c) == IR_GLOBAL && ir_global(f->m, c)->kind == IRG_FUNC &&
	       (ir_type_same(ir_global(f->m, c)->type, ir_call(f->m, inst)->type) || same_prototype(f, inst, c));
}

static bool is_alias(DagFunc *f, IrRef c) { return ir_kind(c) == IR_GLOBAL && ir_global(f->m, c)->kind == IRG_ALIAS; }

enum { MAX_CASTS = 16 }; /* between a stack object and a pointer to it */

/* A structure that is passed by value is read where it lies: a parameter of this function that is passed on, a stack
 * object, or what a cast from its space points to. */
static Source byval_source(DagFunc *f, IrRef inst, u32 k, DagVal at, IrType type)
{
	Dag          *d = &f->dag;
	IrRef         arg = ir_call_arg(f->m, inst, k);
	const IrAttr *given = ir_call_param_attr(f->m, inst, k, IRA_ALIGN);
	u32 align = given ? (u32)given->a : ir_abi_align(f->m, type), space = ir_type(f->m, ir_type_of(f->m, arg))->bits;
	const DagNode *x = dag_of(d, at);
	if (x->opcode == DAG_ExternalSymbol)
		return (Source){at, AS_PARAM, align};
	for (u32 i = 0; i < MAX_CASTS && ir_kind(arg) == IR_INST && ir_inst(f->m, arg)->op == IR_ADDRSPACECAST; i++)
		arg = ir_op(f->m, arg, 0);
	if (f->optimize && ir_kind(arg) == IR_INST && ir_inst(f->m, arg)->op == IR_ALLOCA && dag_home(f, arg)->frame) {
		DagVal slot = dag_frame(d, DAG_FrameIndex, f->ptr, dag_home(f, arg)->frame - 1, 0);
		return (Source){dag_pointer_cast(f, slot, AS_GENERIC, AS_LOCAL), AS_LOCAL, align};
	}
	if (f->optimize && x->opcode == DAG_ADDRSPACECAST && x->k[1] == AS_GENERIC &&
	    dag_op(d, dag_operand(d, x, 0)) != DAG_ExternalSymbol)
		return (Source){dag_operand(d, x, 0), (u32)x->k[0], align};
	return (Source){at, space, align};
}

static bool is_passed(const MirParam *p) { return p->bits || p->size; }

/* `root`: behind which a structure is read that is passed by value. */
static void store_args(Seq *q, IrRef inst, DagVal **args, DagVal root)
{
	DagFunc *f = q->f;
	for (u32 i = 0, n = 0; i < ir_call(f->m, inst)->n_args; i++) {
		MirParam p = mir_abi_call_param(f->m, inst, i);
		if (!is_passed(&p))
			continue;
		StrId symbol = numbered(f, "param", n++);
		if (p.byval) {
			Source from = byval_source(f, inst, i, args[i][0], p.type);
			store_byval(q, symbol, &from, &p, root);
		} else {
			store_value(q, symbol, args[i], &p, extension_of(f, inst, i));
		}
	}
}

static void call(DagFunc *f, IrRef inst)
{
	Dag          *d = &f->dag;
	const IrCall *c = ir_call(f->m, inst);
	u32           n_args = c->n_args;
	IrRef         callee;
	bool          direct = is_direct(f, inst, &callee) || is_alias(f, callee);
	DagVal target = direct ? dag_global(d, DAG_TargetGlobalAddress, f->ptr, callee, 0) : dag_value(f, ir_callee(f->m, inst));
	Seq    q;
	DagVal **args = arena_array(f->arena, DagVal *, n_args + 1);
	for (u32 i = 0; i < n_args; i++) {
		IrRef arg = ir_call_arg(f->m, inst, i);
		if (dag_is_byval_arg(f, arg) &&
		    mir_abi_call_param(f->m, inst, i)
		            .byval) { /* not from a register, in another block: .param has no generic address */
			args[i] = arena_array(f->arena, DagVal, 1);
			args[i][0] = dag_byval_address(f, ir_arg(f->m, arg)->number);
			continue;
		}
		u32 n, at = dag_values(f, arg, &n);
		args[i] = arena_array(f->arena, DagVal, n + 1);
		memcpy(args[i], f->pool.p + at, n * sizeof(DagVal));
	}
	DagVal root = dag_root(f);
	begin(&q, f);
	for (u32 i = 0; i < n_args; i++) {
		MirParam p = mir_abi_call_param(f->m, inst, i);
		if (is_passed(&p))
			declare(&q, numbered(f, "param", q.n_args++), &p);
	}
	MirParam ret = mir_abi_call_ret(f->m, inst);
	bool     returns = !ret.is_void && is_passed(&ret);
	StrId    retval = strtab_add(&f->s->strs, STR("retval0"));
	if (returns)
		declare(&q, retval, &ret);
	store_args(&q, inst, args, root);
	u32 flags = (ir_is_convergent(f->m, inst) ? DAG_CALL_CONVERGENT : 0) |
	            (ir_call_fn_attr(f->m, inst, IRA_NORETURN) ? DAG_CALL_NORETURN : 0);
	make_call(&q, target, direct ? 0 : prototype(f, inst), returns, flags);
	Values    v = {0};
	DagPieces pieces = {0};
	if (returns)
		load_result(&q, retval, &ret, &v, &pieces);
	end(&q);
	for (u32 i = 0; i < v.n; i++)
		v.p[i] = proxy(&q, v.p[i]);
	d->root = q.chain;
	if (returns) {
		DagVal       *out;
		u32           n = join_result(f, &ret, &pieces, v.p, &out);
		const IrAttr *range = ir_call_ret_attr(f->m, inst, IRA_RANGE);
		if (n == 1 && range && range->a < range->b)
			out[0] = dag_assert_at_most(d, out[0], range->b - 1);
		dag_set_values(f, inst, out, n);
	} else {
		DagLeaves l = {0};
		dag_leaves(f, ir_inst(f->m, inst)->type, &l);
		DagVal *none = arena_array(f->arena, DagVal, l.n + 1);
		for (u32 i = 0; i < l.n; i++)
			none[i] = dag_undef(d, l.p[i].vt);
		dag_set_values(f, inst, none, l.n);
	}
}

void dag_lower_call(DagFunc *f, IrRef inst)
{
	IrRef callee = ir_callee(f->m, inst);
	if (ir_kind(callee) == IR_ASM) {
		dag_lower_asm(f, inst);
		return;
	}
	if (dag_lower_intrinsic(f, inst))
		return;
	IrFunc *g = ir_called(f->m, inst);
	if (g && ir_call_is_nvvm(f->m, inst)) {
		dag_not_in_ptx(f, ir_info(f->m, inst)->origin, dag_intrinsic_name(f, inst), NULL);
		return;
	}
	if (g && ir_is_llvm_name(f->m, g->ref)) {
		dag_unsupported(f, inst, "this intrinsic");
		return;
	}
	call(f, inst);
}
