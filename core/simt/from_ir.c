/* from_ir.c: LLVM IR to machine code: types, constants, globals, functions, blocks, phis. */
#include "ir/kernel.h"
#include "ir/text.h"
#include "simt/ir_decode.h"

#include "sem/big.h"
#include "sem/float.h"
#include "simt/simt.h"

void ird_unsupported(Ird *d, IrRef inst, const char *what)
{
	Text t;
	text_init(&t, d->a);
	text_s(&t, what);
	if (ir_kind(inst) == IR_INST) {
		ir_print_inst(&t, d->m, inst);
		emit_unsupported(&d->e, text_str(&t));
		return;
	}
	diag_report(&d->s->diags, DIAG_SIMT_UNSUPPORTED, src_at(0, 1), (int)t.n, t.p);
	d->failed = true;
}

/* ---- types */

typedef Vec(Leaf) LeafVec;

enum { MAX_LEAVES = 1 << 14 }; /* as selection has it */

/* The leaves of an element, `at` bytes from the start. */
static void add_element(Ird *d, IrType e, u64 at, LeafVec *out)
{
	Leaves l = ird_leaves(d, e);
	for (u32 i = 0; i < l.n && out->n <= MAX_LEAVES; i++)
		vec_push(d->a, out, ((Leaf){l.p[i].type, l.p[i].bits, at + l.p[i].offset}));
}

static void collect(Ird *d, IrType t, LeafVec *out)
{
	IrModule        *m = d->m;
	const IrTypeRec *r = ir_type(m, t);
	IrType           e = ir_type_elem(m, t, 0);
	switch ((IrTypeKind)r->kind) {
	case IRT_VOID:
	case IRT_LABEL:
	case IRT_METADATA:
	case IRT_TOKEN: return;
	case IRT_STRUCT:
		for (u32 i = 0; i < r->n_elems; i++)
			add_element(d, ir_type_elem(m, t, i), ir_struct_offset(m, t, i), out);
		return;
	case IRT_ARRAY:
		for (u64 i = 0; i < r->count && out->n <= MAX_LEAVES && ird_leaves(d, e).n; i++)
			add_element(d, e, i * ir_alloc_size(m, e), out);
		return;
	case IRT_VECTOR: {
		u64 bits = ir_size_bits(m, e);
		for (u64 i = 0; i < r->count && i <= MAX_LEAVES; i++)
			vec_push(d->a, out, ((Leaf){e, (u32)bits, i * bits / 8}));
		return;
	}
	default: vec_push(d->a, out, ((Leaf){t, (u32)ir_size_bits(m, t), 0})); return;
	}
}

/* Types that have more than MAX_LEAVES are reported; recursion is as deep as types nest, which the parser limits. */
Leaves ird_leaves(Ird *d, IrType t)
{
	u64 *known = map_get(&d->leaves, t.i);
	if (known)
		return d->leaf_lists.p[*known];
	LeafVec v = {0};
	collect(d, t, &v);
	if (v.n > MAX_LEAVES) {
		if (!d->failed)
			ird_unsupported(d, IR_NO_REF, "a value of more than 16384 scalars");
		d->failed = true;
	}
	vec_push(d->a, &d->leaf_lists, ((Leaves){v.p, v.n}));
	map_set(&d->leaves, t.i, d->leaf_lists.n - 1);
	return vec_last(&d->leaf_lists);
}

SemFmt ird_fmt(Ird *d, IrType t)
{
	switch (ir_type_kind(d->m, t)) {
	case IRT_HALF: return SEM_F16;
	case IRT_BFLOAT: return SEM_BF16;
	case IRT_DOUBLE: return SEM_F64;
	default: return SEM_F32;
	}
}

u32 ird_space(const Ird *d, u32 addrspace)
{
	const IsaSpace *s = isa_space(addrspace);
	if (addrspace == AS_PARAM && d->in_function)
		return SPACE_LOCAL; /* parameters of functions lie in the frame */
	return s ? s->memory : (u32)SPACE_GENERIC;
}

u32 ird_frame_bytes(Ird *d, u64 size, u64 align)
{
	SimtFunc *f = &d->p->func.p[d->e.func];
	align = PS_MAX(align, 1u);
	u64 at = size_align(d->frame, align);
	d->frame = size_add(at, size);
	if (d->s->variable_gap) {
		vec_push(d->p->arena, &f->variable, ((SimtExtent){size_u32(at), size_u32(size)}));
		d->frame = size_add(d->frame, d->s->variable_gap);
	}
	f->local = size_u32(d->frame);
	f->local_align = PS_MAX(f->local_align, size_u32(align));
	return size_u32(at);
}

/* ---- constants */

u64 ird_address(Ird *d, IrRef g)
{
	IrModule *m = d->m;
	for (u32 hops = 0; hops < 16 && ir_global(m, g)->kind == IRG_ALIAS; hops++) {
		IrRef to = ir_global_init(m, g);
		u64   v;
		if (ir_kind(to) != IR_GLOBAL)
			return ird_scalar(d, to, &v) ? v : 0;
		g = to;
	}
	Str name = ir_str(m, ir_name(m, g));
	if (ir_global(m, g)->kind == IRG_FUNC) {
		u32 f = simt_func_find(d->p, name);
		return f == ~0u ? 0 : simt_func_address(f);
	}
	u32 s = simt_symbol_find(d->p, name);
	return s == ~0u ? 0 : d->p->symbol.p[s].address;
}

/* From one address space to another. */
static u64 cast_address(const Ird *d, u32 from, u32 to, u64 v)
{
	u64 out = simt_generic((u8)ird_space(d, from), 0), in = simt_generic((u8)ird_space(d, to), 0);
	return from == to ? v : v + (to == 0 ? out : 0) - (from == 0 ? in : 0);
}

static u32 space_number(Ird *d, IrType t) { return ir_type(d->m, t)->bits; }

static bool fold_expr(Ird *d, IrRef c, u64 *out)
{
	IrModule      *m = d->m;
	const IrConst *k = ir_const(m, c);
	u64            a = 0, b = 0;
	u32            w = (u32)PS_MIN(ir_size_bits(m, k->type), 64u);
	if (k->n_ops && !ird_scalar(d, ir_const_op(m, c, 0), &a))
		return false;
	if (k->op == IR_GETELEMENTPTR) {
		IrType t = {0};
		for (u32 i = 1; i < ir_gep_n_ops(m, c); i++) {
			IrGepTerm s = ir_gep_term(m, c, i, &t);
			if (!ir_is_none(s.index) && !ird_scalar(d, s.index, &b))
				return false;
			u32 bits = ir_is_none(s.index) ? 64 : (u32)ir_size_bits(m, ir_type_of(m, s.index));
			a += ir_is_none(s.index) ? (u64)s.bytes : (u64)sem_sext(b, PS_MIN(bits, 64u)) * (u64)s.bytes;
		}
		*out = a;
		return true;
	}
	if (k->n_ops > 1 && !ird_scalar(d, ir_const_op(m, c, 1), &b))
		return false;
	u32 from = k->n_ops ? (u32)PS_MIN(ir_size_bits(m, ir_type_of(m, ir_const_op(m, c, 0))), 64u) : 64;
	switch (k->op) {
	case IR_ADD: *out = sem_add(w, a, b); return true;
	case IR_SUB: *out = sem_sub(w, a, b); return true;
	case IR_MUL: *out = sem_mul(w, a, b); return true;
	case IR_AND: *out = a & b; return true;
	case IR_OR: *out = a | b; return true;
	case IR_XOR: *out = a ^ b; return true;
	case IR_SHL: *out = sem_shl(w, a, b); return true;
	case IR_LSHR: *out = sem_lshr(w, a, b); return true;
	case IR_ASHR: *out = sem_ashr(w, a, b); return true;
	case IR_SEXT: *out = sem_zext((u64)sem_sext(a, from), w); return true;
	case IR_EXTRACTELEMENT: /* of a number whose bits are taken for a vector: others are folded where they are read */
		*out = b < from / w ? sem_zext(a >> b * w, w) : 0;
		return ir_size_bits(m, ir_type_of(m, ir_const_op(m, c, 0))) <= 64;
	case IR_TRUNC:
	case IR_ZEXT:
	case IR_PTRTOINT:
	case IR_INTTOPTR:
	case IR_BITCAST:
	case IR_PTRTOADDR: *out = sem_zext(a, w); return true;
	case IR_ADDRSPACECAST:
		*out = cast_address(d, space_number(d, ir_type_of(m, ir_const_op(m, c, 0))), space_number(d, k->type), a);
		return true;
	default: return false;
	}
}

bool ird_scalar(Ird *d, IrRef c, u64 *out)
{
	*out = 0;
	if (ir_kind(c) == IR_GLOBAL) {
		*out = ird_address(d, c);
		return true;
	}
	if (ir_kind(c) != IR_CONST)
		return false;
	const IrConst *k = ir_const(d->m, c);
	switch ((IrConstKind)k->kind) {
	case IRC_INT:
	case IRC_FP: *out = k->bits; return true;
	case IRC_NULL:
	case IRC_ZERO:
	case IRC_UNDEF:
	case IRC_POISON: return true;
	case IRC_EXPR: return fold_expr(d, c, out);
	case IRC_DSO_LOCAL_EQUIVALENT:
	case IRC_NO_CFI:
	case IRC_PTRAUTH: return ird_scalar(d, ir_const_op(d->m, c, 0), out);
	default: return false;
	}
}

i32 ird_rank_terms(Ird *d, IrRef c)
{
	const IrModule *m = d->m;
	u32             hops = 0;
	i32             sum = 0, sign = 1;
	for (; hops < 64 && ir_kind(c) == IR_CONST; hops++) {
		const IrConst *k = ir_const(m, c);
		if (k->kind != IRC_EXPR || !k->n_ops)
			return sum;
		if (k->op == IR_ADD)
			sum += sign * ird_rank_terms(d, ir_const_op(m, c, 1));
		if (k->op == IR_SUB)
			sum -= sign * ird_rank_terms(d, ir_const_op(m, c, 1));
		c = ir_const_op(m, c, 0);
	}
	for (; hops < 64 && ir_kind(c) == IR_GLOBAL && ir_global(m, c)->kind == IRG_ALIAS; hops++)
		c = ir_global_init(m, c);
	return sum + (ir_kind(c) == IR_GLOBAL && ir_global(m, c)->kind == IRG_VAR &&
	              ird_space(d, ir_global(m, c)->addrspace) == SPACE_SHARED);
}

/* The scalar constant that is leaf i of c: walks down aggregates. */
static IrRef const_leaf(Ird *d, IrRef c, IrType t, u32 *i)
{
	IrModule *m = d->m;
	u32       kind = ir_type_kind(m, t);
	if (kind != IRT_STRUCT && kind != IRT_ARRAY && kind != IRT_VECTOR)
		return c;
	u64 n = ir_type_count(m, t);
	for (u64 k = 0; k < n; k++) {
		IrType e = ir_type_elem(m, t, kind == IRT_STRUCT ? (u32)k : 0);
		u32    in = ird_leaves(d, e).n;
		if (*i < in) {
			IrRef elem = ir_const_elem(m, c, (u32)k);
			return ir_is_none(elem) ? elem : const_leaf(d, elem, e, i);
		}
		*i -= in;
	}
	return IR_NO_REF;
}

/* An integer or a float, of any width: ir_const_word has its bits. */
static bool is_number(const IrModule *m, IrRef c)
{
	return ir_kind(c) == IR_CONST && (ir_const(m, c)->kind == IRC_INT || ir_const(m, c)->kind == IRC_FP);
}

static i32 const_row(Ird *d, IrRef v, u32 i)
{
	IrType t = ir_type_of(d->m, v);
	Leaves l = ird_leaves(d, t);
	u32    bits = l.p[i].bits, k = i;
	IrRef  leaf = const_leaf(d, v, t, &k);
	u64    word, words[SEM_BIG_WORDS] = {0};
	if (d->freedom.has_pattern && !ir_is_none(leaf) && ir_is_undef(d->m, leaf))
		return ird_open_bits(d, bits);
	if (bits > 64 && !ir_is_none(leaf) && is_number(d->m, leaf)) {
		ir_const_word(d->m, leaf, words, PS_COUNT(words));
		return emit_const_words(d->p, bits, words);
	}
	if (ir_is_none(leaf) || !ird_scalar(d, leaf, &word)) {
		if (!ir_is_none(leaf))
			ird_unsupported(d, IR_NO_REF, "a constant expression");
		word = 0;
	}
	if (bits >= 32 && !ir_is_none(leaf) && ird_rank_terms(d, leaf) == 1)
		return emit_shared_address(d->p, bits, word);
	return emit_const(d->p, bits, word);
}

/* ---- values */

void ird_bind(Ird *d, IrRef v, const i32 *rows, u32 n)
{
	map_set(&d->rows, v.i, d->row_lists.n);
	for (u32 i = 0; i < n; i++)
		vec_push(d->a, &d->row_lists, (u32)rows[i]);
}

i32 ird_out(Ird *d, IrRef v, u32 i)
{
	u64 *at = map_get(&d->rows, v.i);
	if (!at) {
		Leaves l = ird_leaves(d, ir_type_of(d->m, v));
		map_set(&d->rows, v.i, d->row_lists.n);
		for (u32 k = 0; k < l.n; k++)
			vec_push(d->a, &d->row_lists, (u32)emit_reg(&d->e, l.p[k].bits));
		at = map_get(&d->rows, v.i);
	}
	return (i32)d->row_lists.p[*at + i];
}

i32 ird_in(Ird *d, IrRef v, u32 i)
{
	IrKind k = ir_kind(v);
	return k == IR_INST || k == IR_ARG ? ird_out(d, v, i) : const_row(d, v, i);
}

/* ---- globals */

/* An integer constant of any width; false: not known. */
static bool int_words(Ird *d, IrRef c, u64 bits, u64 *words)
{
	if (bits > 64 && is_number(d->m, c)) {
		ir_const_word(d->m, c, words, SEM_BIG_WORDS);
		return bits <= SEM_BIG_BITS;
	}
	return ird_scalar(d, c, words);
}

/* Elements that do not fill bytes lie bit by bit. */
static bool bit_vector(Ird *d, IrRef c, u8 *bytes, u64 size)
{
	IrType t = ir_type_of(d->m, c);
	u64    n = ir_type_count(d->m, t), bits = ir_size_bits(d->m, ir_type_elem(d->m, t, 0));
	for (u64 i = 0; i < n; i++) {
		u64 words[SEM_BIG_WORDS] = {0};
		if (!int_words(d, ir_const_elem(d->m, c, (u32)i), bits, words))
			return false;
		for (u64 k = 0, at = i * bits; k < bits && at / 8 < size; k++, at++)
			bytes[at / 8] = (u8)(bytes[at / 8] | (words[k / 64] >> k % 64 & 1) << at % 8);
	}
	return true;
}

bool ird_global_bytes(Ird *d, IrRef c, u8 *bytes, u64 size)
{
	IrModule *m = d->m;
	IrType    t = ir_type_of(m, c);
	u32       kind = ir_type_kind(m, t);
	u64       v, words[SEM_BIG_WORDS] = {0};
	if (ir_kind(c) == IR_CONST) {
		const IrConst *k = ir_const(m, c);
		if (k->kind == IRC_ZERO || k->kind == IRC_UNDEF || k->kind == IRC_POISON || k->kind == IRC_NULL)
			return true;
		if (k->kind == IRC_DATA) {
			Str data = ir_str(m, k->data);
			memcpy(bytes, data.p, (size_t)PS_MIN(data.n, size));
			return true;
		}
		if (k->kind == IRC_AGG) {
			u64 n = ir_type_count(m, t), ok = true;
			if (kind == IRT_VECTOR && ir_size_bits(m, ir_type_elem(m, t, 0)) % 8)
				return bit_vector(d, c, bytes, size);
			for (u64 i = 0; i < n; i++) {
				IrType e = ir_type_elem(m, t, kind == IRT_STRUCT ? (u32)i : 0);
				u64    at = kind == IRT_STRUCT  ? ir_struct_offset(m, t, (u32)i)
				            : kind == IRT_ARRAY ? i * ir_alloc_size(m, e)
				                                : i * ir_size_bits(m, e) / 8;
				if (at + ir_store_size(m, e) <= size)
					ok &= ird_global_bytes(d, ir_const_elem(m, c, (u32)i), bytes + at, size - at);
			}
			return ok;
		}
		if (is_number(m, c) && ir_size_bits(m, t) > 64) {
			ir_const_word(m, c, words, PS_COUNT(words));
			memcpy(bytes, words, (size_t)PS_MIN(PS_MIN(ir_store_size(m, t), sizeof words), size));
			return true;
		}
	}
	if (!ird_scalar(d, c, &v))
		return false;
	memcpy(bytes, &v, (size_t)PS_MIN(PS_MIN(ir_store_size(m, t), 8u), size));
	return true;
}

static bool is_object(const IrModule *m, IrRef g)
{
	u64 v;
	return ir_annotation(m, g, "texture", 0, &v) || ir_annotation(m, g, "surface", 0, &v) ||
	       ir_annotation(m, g, "sampler", 0, &v);
}

/* ---- who names what: reach.h */

static u32 number_of(const Ird *d, const IrFunc *f) { return simt_func_find(d->p, ir_str(d->m, ir_name(d->m, f->ref))); }

/* A use of a function or of a variable in shared memory, maybe by way of constants. */
static void reach_use(Ird *d, IrRef g, IrRef user, Reach *r)
{
	IrModule *m = d->m;
	Str       name = ir_str(m, ir_name(m, g));
	bool      is_func = ir_global(m, g)->kind == IRG_FUNC;
	u32       what = is_func ? simt_func_find(d->p, name) : simt_symbol_find(d->p, name);
	if (ir_kind(user) == IR_GLOBAL && ir_is_llvm_name(m, user))
		return; /* llvm.used is no memory */
	if (ir_kind(user) != IR_INST) {
		vec_push(d->a, is_func ? &r->taken : &r->common, what);
		return;
	}
	u32 by = number_of(d, ir_func(m, ir_block(m, ir_inst(m, user)->block)->func));
	vec_push(d->a, is_func ? &r->calls : &r->names, ((ReachPair){by, what}));
	if (is_func && !((ir_op_info[ir_inst(m, user)->op].flags & IROF_CALLS) && ir_same(ir_callee(m, user), g)))
		vec_push(d->a, &r->taken, what);
}

static void reach_global(Ird *d, IrRef g, Reach *r)
{
	VecU32 open = {0};
	Map    seen;
	bool   fresh;
	map_init(&seen, d->a);
	vec_push(d->a, &open, g.i);
	while (open.n)
		ir_each_use(d->m, ((IrRef){vec_pop(&open)}), u) {
			IrRef user = ir_use(d->m, u)->user;
			if (ir_kind(user) != IR_CONST)
				reach_use(d, g, user, r);
			else if (map_put(&seen, user.i, &fresh) && fresh)
				vec_push(d->a, &open, user.i);
		}
}

static bool is_in_name(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.';
}

/* PTX text may name variables of the module. */
static void reach_asm(Ird *d, u32 by, Str text, Reach *r)
{
	for (u32 i = 0, n; i < text.n; i += n) {
		for (n = 0; i + n < text.n && is_in_name(text.p[i + n]);)
			n++;
		u32 symbol = n ? simt_symbol_find(d->p, (Str){text.p + i, n}) : ~0u;
		if (symbol != ~0u)
			vec_push(d->a, &r->names, ((ReachPair){by, symbol}));
		n += !n;
	}
}

static void reach_call(Ird *d, u32 by, IrRef call, Reach *r)
{
	IrRef callee = ir_callee(d->m, call);
	if (ir_kind(callee) == IR_ASM)
		reach_asm(d, by, ir_str(d->m, ir_asm(d->m, callee)->text), r);
	else if (!ir_called(d->m, call))
		vec_push(d->a, &r->indirect, by);
}

/* Machine code may name other functions than the IR that it comes from, whose bodies may not even be there: then all kernels have all. */
static void reach_all(Ird *d, Reach *r)
{
	IrModule *m = d->m;
	ir_each_global(m, g)
		if (ir_global(m, g)->kind == IRG_FUNC || (simt_symbol_find(d->p, ir_str(m, ir_name(m, g))) != ~0u &&
		                                          ird_space(d, ir_global(m, g)->addrspace) == SPACE_SHARED))
			reach_global(d, g, r);
	ir_each_func(m, f) {
		if (ir_is_decl(f))
			continue;
		u32 by = number_of(d, f);
		if (ir_is_kernel(f))
			vec_push(d->a, &r->kernels, by);
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i)
				if (ir_op_info[ir_inst(m, i)->op].flags & IROF_CALLS)
					reach_call(d, by, i, r);
	}
}

void ird_globals(Ird *d)
{
	IrModule *m = d->m;
	ir_each_global(m, g) {
		const IrGlobal *r = ir_global(m, g);
		Str             name = ir_str(m, ir_name(m, g));
		if (r->kind == IRG_FUNC)
			simt_func_add(d->p, name);
		if (r->kind == IRG_IFUNC && !d->failed) {
			diag_report(&d->s->diags, DIAG_IR_IFUNC, src_at(r->origin, 1), STR_ARG(name));
			d->failed = true;
		}
		if (r->kind != IRG_VAR || ir_is_llvm_name(m, g))
			continue;
		u32        space = ird_space(d, r->addrspace);
		SimtSymbol s = {.name = arena_str(d->a, name),
		                .space = space == SPACE_GENERIC || space == SPACE_LOCAL ? SPACE_GLOBAL : (u8)space,
		                .size = ir_alloc_size(m, r->type),
		                .align = ir_align_bytes(r->align)};
		if (!s.align)
			s.align = ir_pref_align(m, r->type);
		s.is_object = is_object(m, g);
		s.dynamic = s.space == SPACE_SHARED && !r->init && s.size == 0;
		simt_symbol_add(d->p, s, r->origin);
	}
	Reach r = {0};
	if (d->p->ir)
		reach_all(d, &r);
	simt_symbols_done(d->p, d->p->ir ? &r : NULL);
	if (d->p->too_large) {
		d->failed = true;
		return;
	}
	ir_each_global(m, g) {
		IrRef init = ir_global(m, g)->kind == IRG_VAR ? ir_global_init(m, g) : IR_NO_REF;
		u32   at = simt_symbol_find(d->p, ir_str(m, ir_name(m, g)));
		if (ir_is_none(init) || at == ~0u)
			continue;
		SimtSymbol *s = &d->p->symbol.p[at];
		s->init = arena_alloc(d->a, s->size + 16, 16);
		if (!ird_global_bytes(d, init, s->init, s->size))
			ird_unsupported(d, IR_NO_REF, "the initial value of a variable");
	}
}

/* ---- functions */

/* Does someone look at the argument as parameter memory (after the lowering of arguments)? */
static bool stays_in_param(const IrModule *m, IrRef arg)
{
	ir_each_use(m, arg, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) == IR_INST && ir_inst(m, user)->op == IR_ADDRSPACECAST &&
		    ir_type(m, ir_inst(m, user)->type)->bits == AS_PARAM)
			return true;
	}
	return false;
}

void ird_source(const Ird *d, SimtEmit *e, IrMd loc)
{
	IrMd file = loc.i ? ir_dbg_file(d->m, loc) : loc;
	emit_source(e, file.i ? ir_dbg_file_name(d->m, file) : STR(""), file.i ? ir_dbg_line(d->m, loc) : 0,
	            file.i ? ir_dbg_column(d->m, loc) : 0);
}

void ird_cluster(const Ird *d, const IrFunc *f, SimtFunc *sf)
{
	u64 number[3];
	sf->explicit_cluster = ir_kernel_prop(d->m, f, IRK_CLUSTER_DIM, number) != 0;
	for (u32 i = 0; sf->explicit_cluster && number[0] && i < 3; i++)
		sf->cluster[i] = size_u32(number[i]);
	if (ir_kernel_prop(d->m, f, IRK_MAXCLUSTERRANK, number))
		sf->max_rank = size_u32(number[0]);
	sf->grid_of_clusters = ir_kernel_has(d->m, f, IRK_BLOCKS_ARE_CLUSTERS);
}

static void signature(Ird *d, IrFunc *f)
{
	IrModule *m = d->m;
	SimtFunc *sf = &d->p->func.p[simt_func_find(d->p, ir_str(m, ir_name(m, f->ref)))];
	sf->is_kernel = ir_is_kernel(f);
	sf->line = ir_global(m, f->ref)->origin;
	ird_cluster(d, f, sf);
	u64 end = 0;
	for (u32 i = 0; i < f->n_args && sf->is_kernel; i++) {
		IrType byval = ir_param_byval(m, f, i), t = byval.i ? byval : ir_arg(m, ir_func_arg(f, i))->type;
		u32    align = byval.i && ir_param_align(m, f, i) ? ir_param_align(m, f, i) : ir_abi_align(m, t);
		u64    size = ir_alloc_size(m, t);
		end = size_align(end, PS_MAX(align, 1u));
		vec_push(d->a, &sf->arg, ((SimtParam){size_u32(end), size_u32(size), align, NO_REG, 0, false}));
		end = size_add(end, size);
	}
	sf->param_size = end;
}

/* `to` becomes the address, as one in space `as`, of `size` bytes of the frame, which are copied from `from` in space `from_as`. */
void ird_copy_to_frame(Ird *d, i32 to, u32 as, u32 at, u64 size, i32 from, u32 from_as)
{
	u32       space = as == AS_LOCAL ? SPACE_LOCAL : SPACE_GENERIC;
	SimtInsn *in = emit_insn(&d->e, S_FRAME);
	in->d = to, in->rows = 2, in->z = at, in->x = space == SPACE_GENERIC;
	in = emit_insn(&d->e, S_COPY);
	in->a = to, in->b = from, in->c = emit_const(d->p, 64, size), in->x = space | ird_space(d, from_as) << 4;
}

/* A kernel's argument from parameter memory; a byval one is copied to the frame, which makes it writable. */
static void kernel_argument(Ird *d, u32 i, const SimtParam *p)
{
	IrModule *m = d->m;
	IrRef     arg = ir_func_arg(d->f, i);
	IrType    t = ir_arg(m, arg)->type;
	bool      byval = ir_param_byval(m, d->f, i).i != 0;
	u32       as = ir_type_is_ptr(m, t) ? ir_type(m, t)->bits : 0;
	if (!byval) {
		Leaves l = ird_leaves(d, t);
		i32   *rows = arena_array(d->a, i32, l.n + 1);
		for (u32 k = 0; k < l.n; k++)
			rows[k] = ird_out(d, arg, k);
		ird_load(d, t, rows, &(IrdPlace){NO_REG, 64, SPACE_PARAM, p->offset, 1, 0});
		return;
	}
	if (as == AS_PARAM || stays_in_param(m, arg)) {
		i32 row = emit_const(d->p, 64, as == AS_GENERIC ? PARAM_WINDOW + (u64)p->offset : p->offset);
		ird_bind(d, arg, &row, 1);
		return;
	}
	i32 from = emit_const(d->p, 64, PARAM_WINDOW + (u64)p->offset);
	ird_copy_to_frame(d, ird_out(d, arg, 0), as, ird_frame_bytes(d, p->size, PS_MAX(p->align, 1u)), p->size, from,
	                  AS_GENERIC);
}

static void arguments(Ird *d)
{
	SimtFunc *sf = &d->p->func.p[d->e.func];
	d->e.fresh = false; /* loading arguments is no instruction of the IR */
	for (u32 i = 0; i < d->f->n_args; i++) {
		if (sf->is_kernel) {
			kernel_argument(d, i, &sf->arg.p[i]);
			continue;
		}
		IrRef  arg = ir_func_arg(d->f, i);
		Leaves l = ird_leaves(d, ir_arg(d->m, arg)->type);
		for (u32 k = 0; k < l.n; k++)
			vec_push(d->a, &sf->arg, ((SimtParam){0, 0, 0, ird_out(d, arg, k), l.p[k].bits, false}));
	}
	IrType type = ir_global(d->m, d->f->ref)->type;
	d->varargs = NO_REG;
	if (!sf->is_kernel && ir_type(d->m, type)->vararg) {
		d->varargs = emit_reg(&d->e, 64);
		vec_push(d->a, &sf->arg, ((SimtParam){0, 0, 0, d->varargs, 64, false}));
	}
	Leaves r = ird_leaves(d, ir_func_ret(d->m, type));
	d->ret.n = 0;
	for (u32 k = 0; k < r.n; k++) {
		i32 row = emit_reg(&d->e, r.p[k].bits);
		vec_push(d->a, &d->ret, row);
		if (!sf->is_kernel)
			vec_push(d->a, &sf->ret, ((SimtParam){0, 0, 0, row, r.p[k].bits, false}));
	}
}

/* ---- control flow */

static u32 block_id(Ird *d, IrRef b) { return (u32)map_or(&d->block, b.i, 0); }

static bool has_phis(const IrModule *m, IrRef b)
{
	IrRef first = ir_block(m, b)->first;
	return !ir_is_none(first) && ir_inst(m, first)->op == IR_PHI;
}

/* The phis of `to` take their values for the edge from `from`, all at once. */
static void phi_copies(Ird *d, IrRef from, IrRef to)
{
	IrModule *m = d->m;
	Vec(EmitMove) moves = {0};
	ir_each_inst(m, to, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		IrRef  v = ir_phi_value_for(m, phi, from);
		Leaves l = ird_leaves(d, ir_inst(m, phi)->type);
		if (ir_is_none(v) || (ir_is_undef(m, v) && !d->freedom.has_pattern))
			continue;
		for (u32 k = 0; k < l.n; k++) {
			EmitMove mv = {ird_out(d, phi, k), ird_in(d, v, k), l.p[k].bits};
			if (mv.d != mv.s)
				vec_push(d->a, &moves, mv);
		}
	}
	d->e.fresh = false;
	emit_moves(&d->e, moves.p, moves.n);
}

/* The emitter's block to branch to for the edge. */
static u32 edge(Ird *d, IrRef from, IrRef to) { return has_phis(d->m, to) ? emit_edge(&d->e, from.i, to.i) : block_id(d, to); }

static void jump(Ird *d, IrRef from, IrRef to)
{
	bool fresh = d->e.fresh;
	if (has_phis(d->m, to))
		phi_copies(d, from, to);
	d->e.fresh = fresh;
	emit_branch(&d->e, block_id(d, to), NO_REG, false);
}

static void branch(Ird *d, IrRef inst, IrRef here)
{
	IrModule *m = d->m;
	if (ir_n_ops(m, inst) == 1) {
		jump(d, here, ir_op(m, inst, 0));
		return;
	}
	u32 yes = edge(d, here, ir_op(m, inst, 1));
	emit_branch(&d->e, yes, ird_in(d, ir_op(m, inst, 0), 0), false);
	jump(d, here, ir_op(m, inst, 2));
}

/* On more than 64 bits: case by case. */
static void wide_switch(Ird *d, IrRef inst, IrRef here)
{
	IrModule *m = d->m;
	IrRef     cond = ir_op(m, inst, 0);
	u32       bits = (u32)ir_size_bits(m, ir_type_of(m, cond)), n = (ir_n_ops(m, inst) - 2) / 2;
	for (u32 i = 0; i < n; i++) {
		i32 hit = ird_icmp(d, IRP_I_EQ, bits, ird_in(d, cond, 0), ird_in(d, ir_op(m, inst, 2 + 2 * i), 0));
		emit_branch(&d->e, edge(d, here, ir_op(m, inst, 3 + 2 * i)), hit, false);
	}
	jump(d, here, ir_op(m, inst, 1));
}

static void switch_branch(Ird *d, IrRef inst, IrRef here)
{
	IrModule *m = d->m;
	IrRef     cond = ir_op(m, inst, 0);
	u32       bits = (u32)ir_size_bits(m, ir_type_of(m, cond)), n = (ir_n_ops(m, inst) - 2) / 2;
	VecU32    words = {0};
	if (bits > 64) {
		wide_switch(d, inst, here);
		return;
	}
	vec_push(d->a, &words, n);
	vec_push(d->a, &words, edge(d, here, ir_op(m, inst, 1)));
	for (u32 i = 0; i < n; i++) {
		u64 v = 0;
		ird_scalar(d, ir_op(m, inst, 2 + 2 * i), &v);
		vec_push(d->a, &words, (u32)v);
		vec_push(d->a, &words, (u32)(v >> 32));
		vec_push(d->a, &words, edge(d, here, ir_op(m, inst, 3 + 2 * i)));
	}
	i32       a = ird_in(d, cond, 0);
	u32       at = emit_ext(d->p, words.p, words.n);
	SimtInsn *in = emit_insn(&d->e, S_SWITCH);
	in->a = a, in->x = bits, in->y = at;
}

static void return_value(Ird *d, IrRef inst)
{
	if (ir_n_ops(d->m, inst)) {
		IrRef  v = ir_op(d->m, inst, 0);
		Leaves l = ird_leaves(d, ir_type_of(d->m, v));
		for (u32 k = 0; k < l.n; k++) {
			emit_move(&d->e, l.p[k].bits, d->ret.p[k], ird_in(d, v, k));
		}
	}
	emit_return(&d->e);
}

/* What only an exception leads to, too. */
static void never_reached(Ird *d) { emit_insn(&d->e, S_TRAP)->x = FAULT_UNREACHABLE; }

static void terminator(Ird *d, IrRef inst, IrRef here)
{
	switch (ir_inst(d->m, inst)->op) {
	case IR_RET: return_value(d, inst); break;
	case IR_BR: branch(d, inst, here); break;
	case IR_SWITCH: switch_branch(d, inst, here); break;
	case IR_UNREACHABLE: never_reached(d); break;
	case IR_INVOKE: /* nothing is thrown */
		ird_call(d, inst);
		jump(d, here, ir_succ(d->m, here, 0));
		break;
	case IR_RESUME:
	case IR_CATCHRET:
	case IR_CLEANUPRET: never_reached(d); break;
	default: ird_unsupported(d, inst, ""); break;
	}
}

/* As for selection. */
static bool is_too_wide(const Ird *d, IrType t)
{
	t = ir_scalar_type(d->m, t);
	return ir_type_is_int(d->m, t) && ir_size_bits(d->m, t) > SEM_BIG_BITS;
}

static void instruction(Ird *d, IrRef inst)
{
	const IrInst *r = ir_inst(d->m, inst);
	bool          wide = is_too_wide(d, r->type);
	for (u32 i = 0; i < ir_n_ops(d->m, inst); i++)
		wide |= ir_kind(ir_op(d->m, inst, i)) != IR_BLOCK && is_too_wide(d, ir_type_of(d->m, ir_op(d->m, inst, i)));
	if (wide)
		ird_unsupported(d, inst, "");
	else if (ir_computes_wide_float(d->m, inst))
		ird_quad(d, inst);
	else if (r->op == IR_CALL)
		ird_call(d, inst);
	else if (r->op == IR_VAARG)
		ird_va_arg(d, inst);
	else if (ird_compute(d, inst))
		ird_open_result(d, inst);
	else if (!ird_memory(d, inst))
		ird_unsupported(d, inst, "");
}

/* A wide integer is seen as pieces of 64 bits. */
static void name_words(Ird *d, IrRef v, u32 leaf, u32 bits)
{
	SimtFunc *sf = &d->p->func.p[d->e.func];
	for (u32 k = 0; 64 * k < bits; k++)
		vec_push(d->a, &sf->reg,
		         ((SimtReg){.id = v.i,
		                    .number = leaf * sem_big_words(bits) + k,
		                    .row = word_of(ird_out(d, v, leaf), k),
		                    .kind = 'i',
		                    .bits = (u8)PS_MIN(bits - 64 * k, 64u)}));
}

static void name_value(Ird *d, IrRef v, IrType t)
{
	SimtFunc *sf = &d->p->func.p[d->e.func];
	Leaves    l = ird_leaves(d, t);
	if (!map_get(&d->rows, v.i))
		return;
	for (u32 k = 0; k < l.n; k++) {
		if (l.p[k].bits > 128) {
			name_words(d, v, k, l.p[k].bits);
			continue;
		}
		u32  type = ir_type_kind(d->m, l.p[k].type);
		char kind = type == IRT_PTR                                               ? 'P'
		            : type == IRT_BFLOAT                                          ? 'B'
		            : type == IRT_HALF || type == IRT_FLOAT || type == IRT_DOUBLE ? 'f'
		            : l.p[k].bits == 1                                            ? 'p'
		                                                                          : 'i';
		vec_push(d->a, &sf->reg,
		         ((SimtReg){.id = v.i,
		                    .number = l.n > 1 ? k : NO_NUMBER,
		                    .row = ird_out(d, v, k),
		                    .kind = kind,
		                    .bits = (u8)l.p[k].bits}));
	}
}

static void name_values(Ird *d, IrFunc *f)
{
	IrModule *m = d->m;
	ir_number_function(m, f);
	for (u32 i = 0; i < f->n_args; i++)
		name_value(d, ir_func_arg(f, i), ir_arg(m, ir_func_arg(f, i))->type);
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			name_value(d, i, ir_inst(m, i)->type);
}

static void body(Ird *d, IrFunc *f)
{
	IrModule *m = d->m;
	d->f = f;
	d->in_function = !ir_is_kernel(f);
	emit_begin(&d->e, d->p, simt_func_find(d->p, ir_str(m, ir_name(m, f->ref))));
	map_clear(&d->rows);
	map_clear(&d->block);
	d->row_lists.n = 0;
	d->frame = 0;
	d->p->func.p[d->e.func].local_align = 16;
	ir_each_block(m, f, b)
		map_set(&d->block, b.i, emit_block_new(&d->e));
	emit_at(&d->e, ir_global(m, f->ref)->origin, ir_global(m, f->ref)->origin);
	arguments(d);
	ir_each_block(m, f, b) {
		emit_block(&d->e, block_id(d, b));
		ir_each_inst(m, b, i) {
			const IrInst *r = ir_inst(m, i);
			if (d->failed)
				return;
			if (r->op == IR_PHI)
				continue;
			if (ir_op_is_pad(r->op)) {
				never_reached(d);
				break;
			}
			emit_at(&d->e, ir_info(m, i)->origin, ir_info(m, i)->origin);
			ird_source(d, &d->e, ir_info(m, i)->dbg);
			if (ir_op_is_terminator(r->op))
				terminator(d, i, b);
			else
				instruction(d, i);
		}
	}
	for (const EmitEdge *at; (at = emit_next_edge(&d->e)) != NULL;) {
		phi_copies(d, (IrRef){at->from}, (IrRef){at->to});
		emit_branch(&d->e, block_id(d, (IrRef){at->to}), NO_REG, false);
	}
	emit_end(&d->e);
	name_values(d, f);
}

void ird_init(Ird *d, SimtProgram *p, IrModule *m)
{
	*d = (Ird){.p = p, .m = m, .s = p->s, .a = p->arena};
	map_init(&d->leaves, p->arena);
	map_init(&d->rows, p->arena);
	map_init(&d->block, p->arena);
	p->is64 = ir_ptr_bits(m, 0) == 64;
	if (!p->is64)
		p->global_end = GLOBAL_START_32;
}

SimtProgram *simt_from_ir(Session *s, Arena *arena, IrModule *m)
{
	return simt_from_ir_with(s, arena, m, (SimtFreedom){.pattern = 0});
}

SimtProgram *simt_from_ir_with(Session *s, Arena *arena, IrModule *m, SimtFreedom freedom)
{
	Ird d;
	ird_init(&d, simt_program_new(s, arena, "ir"), m);
	d.freedom = freedom;
	d.p->ir = m;
	ird_globals(&d);
	ir_each_func(m, f)
		if (!ir_is_decl(f) && !d.failed)
			d.failed = ir_refuse_scalable(m, f, "the emulator cannot run it");
	ir_each_func(m, f)
		if (!ir_is_decl(f) && !d.failed)
			signature(&d, f);
	ir_each_func(m, f)
		if (!ir_is_decl(f) && !d.failed)
			body(&d, f);
	return d.failed || d.p->too_large ? NULL : d.p;
}
