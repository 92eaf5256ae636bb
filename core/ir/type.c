/* type.c: interned types. Equal types have equal ids; a named or numbered struct is equal only to itself. Creating a type is
 * linear in its elements. */
#include "ir/intern.h"

static u32 hash_type(const IrTypeRec *r, const u32 *elems)
{
	u32 h = hash_word(r->kind | (u32)r->packed << 8 | (u32)r->vararg << 9, r->bits);
	h = hash_word(hash_word(h, (u32)r->count), (u32)(r->count >> 32));
	h = hash_word(h, r->name.i);
	for (u32 i = 0; i < r->n_elems; i++)
		h = hash_word(h, elems[i]);
	return h;
}

static bool same_type(const IrModule *m, const IrTypeRec *a, const IrTypeRec *b, const u32 *elems, const u32 *ints)
{
	if (a->kind != b->kind || a->packed != b->packed || a->vararg != b->vararg || a->bits != b->bits ||
	    a->count != b->count || a->n_elems != b->n_elems || a->name.i != b->name.i)
		return false;
	if (a->kind == IRT_STRUCT && (a->name.i || a->number))
		return false;
	if (a->n_elems && memcmp(m->type_lists.p + a->elems, elems, a->n_elems * sizeof(u32)) != 0)
		return false;
	return a->kind != IRT_TARGET || !a->bits || memcmp(m->type_lists.p + a->ints, ints, a->bits * sizeof(u32)) == 0;
}

static u32 add_list(IrModule *m, const u32 *p, u32 n)
{
	u32 first = m->type_lists.n;
	for (u32 i = 0; i < n; i++) {
		vec_push(m->arena, &m->type_lists, p[i]);
		vec_push(m->arena, &m->field_offsets, 0);
	}
	return first;
}

static IrType intern(IrModule *m, IrTypeRec r, const u32 *elems, const u32 *ints)
{
	u32       hash = hash_type(&r, elems);
	IrIntern *t = &m->type_table;
	for (u32 at = intern_start(t, hash), id; (id = intern_id(t, at)) != 0; at = intern_next(t, at))
		if (intern_hash(t, at) == hash && same_type(m, ir_type(m, (IrType){id}), &r, elems, ints))
			return (IrType){id};
	IrType ty = {pages_new(&m->types)};
	r.hash = hash;
	r.elems = add_list(m, elems, r.n_elems);
	r.ints = r.kind == IRT_TARGET ? add_list(m, ints, r.bits) : 0;
	*ir_type(m, ty) = r;
	ir_intern_add(m->arena, t, hash, ty.i);
	return ty;
}

IrType ir_int_type(IrModule *m, u32 bits)
{
	switch (bits) {
	case 1:
		if (m->types.n > IR_TY_I1)
			return IR_TYPE(I1);
		break;
	case 8:
		if (m->types.n > IR_TY_I8)
			return IR_TYPE(I8);
		break;
	case 16:
		if (m->types.n > IR_TY_I16)
			return IR_TYPE(I16);
		break;
	case 32:
		if (m->types.n > IR_TY_I32)
			return IR_TYPE(I32);
		break;
	case 64:
		if (m->types.n > IR_TY_I64)
			return IR_TYPE(I64);
		break;
	}
	return intern(m, (IrTypeRec){.kind = IRT_INT, .bits = bits}, NULL, NULL);
}

IrType ir_ptr_type(IrModule *m, u32 addrspace)
{
	if (addrspace == 0 && m->types.n > IR_TY_PTR)
		return IR_TYPE(PTR);
	return intern(m, (IrTypeRec){.kind = IRT_PTR, .bits = addrspace}, NULL, NULL);
}

IrType ir_array_type(IrModule *m, IrType elem, u64 n)
{
	return intern(m, (IrTypeRec){.kind = IRT_ARRAY, .count = n, .n_elems = 1}, &elem.i, NULL);
}

IrType ir_vector_type(IrModule *m, IrType elem, u32 n)
{
	return intern(m, (IrTypeRec){.kind = IRT_VECTOR, .count = n, .n_elems = 1}, &elem.i, NULL);
}

IrType ir_scalable_type(IrModule *m, IrType elem, u32 n)
{
	m->has_scalable = true;
	return intern(m, (IrTypeRec){.kind = IRT_VECTOR, .bits = 1, .count = n, .n_elems = 1}, &elem.i, NULL);
}

IrType ir_vector_like(IrModule *m, IrType like, IrType elem)
{
	const IrTypeRec *r = ir_type(m, like);
	return r->bits ? ir_scalable_type(m, elem, (u32)r->count) : ir_vector_type(m, elem, (u32)r->count);
}

IrType ir_struct_type(IrModule *m, const IrType *elems, u32 n, bool packed)
{
	return intern(m, (IrTypeRec){.kind = IRT_STRUCT, .packed = packed, .count = n, .n_elems = n}, (const u32 *)elems, NULL);
}

IrType ir_func_type(IrModule *m, IrType ret, const IrType *params, u32 n, bool vararg)
{
	u32  few[16];
	u32 *all = n < PS_COUNT(few) ? few : arena_array(m->arena, u32, n + 1);
	all[0] = ret.i;
	for (u32 i = 0; i < n; i++)
		all[i + 1] = params[i].i;
	return intern(m, (IrTypeRec){.kind = IRT_FUNC, .vararg = vararg, .n_elems = n + 1}, all, NULL);
}

IrType ir_target_type(IrModule *m, StrId name, const IrType *types, u32 n_types, const u32 *ints, u32 n_ints)
{
	IrType t = intern(m, (IrTypeRec){.kind = IRT_TARGET, .name = name, .n_elems = n_types, .bits = n_ints},
	                  (const u32 *)types, ints);
	m->has_targets = true;
	m->has_scalable |= ir_target_type_like(m, ir_type(m, t)) >= IRTT_LIKE_COUNTER;
	return t;
}

IrType ir_named_struct(IrModule *m, StrId name, u32 number)
{
	IrType ty = {pages_new(&m->types)};
	*ir_type(m, ty) = (IrTypeRec){.kind = IRT_STRUCT, .opaque = true, .name = name, .number = name.i ? 0 : number + 1};
	vec_push(m->arena, &m->struct_order, ty.i);
	return ty;
}

void ir_struct_set_body(IrModule *m, IrType t, const IrType *elems, u32 n, bool packed)
{
	u32        first = add_list(m, (const u32 *)elems, n);
	IrTypeRec *r = ir_type(m, t);
	r->opaque = false;
	r->packed = packed;
	r->elems = first;
	r->n_elems = n;
	r->count = n;
	m->layout.version++; /* types that contain it have another layout now */
}

u64 ir_type_count(const IrModule *m, IrType t) { return ir_type(m, t)->count; }

bool ir_type_is_first_class(const IrModule *m, IrType t)
{
	u32 k = ir_type(m, t)->kind;
	return k != IRT_NONE && k != IRT_VOID && k != IRT_FUNC;
}

static bool holds_ptr(const IrModule *m, IrType t, u32 *left)
{
	const IrTypeRec *r = ir_type(m, t);
	if (r->kind == IRT_PTR || !*left)
		return true;
	--*left;
	if (r->kind == IRT_ARRAY || r->kind == IRT_VECTOR)
		return holds_ptr(m, ir_type_elem(m, t, 0), left);
	if (r->kind == IRT_STRUCT)
		for (u32 i = 0; i < r->n_elems; i++)
			if (holds_ptr(m, ir_type_elem(m, t, i), left))
				return true;
	return false;
}

/* Gives up after a fixed number of elements and then answers true, which is the conservative answer. */
bool ir_type_holds_ptr(const IrModule *m, IrType t)
{
	u32 left = 1000;
	return holds_ptr(m, t, &left);
}

/* Depth first with an explicit stack. `depth` by type: 0 it was not reached, ON_PATH it is on the stack, else how deep it nests, plus
 * one. */
IrType ir_type_nests_wrongly(const IrModule *m, bool *recursive)
{
	enum { ON_PATH = UINT32_MAX };
	typedef struct Frame {
		IrType t;
		u32    next, deepest;
	} Frame;
	u32 *depth = arena_array(m->arena, u32, m->types.n);
	Vec(Frame) path = {0};
	for (u32 id = IR_TY_FIXED; id < m->types.n; id++) {
		if (depth[id])
			continue;
		vec_push(m->arena, &path, ((Frame){.t = {id}}));
		while (path.n) {
			Frame           *f = &vec_last(&path);
			const IrTypeRec *r = ir_type(m, f->t);
			u32              n = r->kind == IRT_FUNC ? 0 : r->n_elems;
			IrType           e = f->next < n ? ir_type_elem(m, f->t, f->next) : (IrType){0};
			depth[f->t.i] = ON_PATH;
			if (f->next == n) {
				depth[f->t.i] = f->deepest + 1;
				path.n--;
			} else if (!depth[e.i]) {
				vec_push(m->arena, &path, ((Frame){.t = e}));
			} else if (depth[e.i] == ON_PATH || depth[e.i] > IR_TYPE_DEPTH) {
				*recursive = depth[e.i] == ON_PATH;
				return e;
			} else {
				f->deepest = PS_MAX(f->deepest, depth[e.i]);
				f->next++;
			}
		}
	}
	return (IrType){0};
}
