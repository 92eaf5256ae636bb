/* attr.c: interned attribute sets, and queries on them.
 *
 * A set is an id; equal sets have equal ids, so comparing sets is comparing ids. A set's attributes lie sorted in attr_pool,
 * later duplicates replacing earlier ones. Every edit makes or finds another set: linear in the set. Whether an attribute is
 * allowed where it stands is checked by verify_attr.c. */
#include "ir/intern.h"

static u32 hash_attr(u32 h, const IrAttr *a)
{
	h = hash_word(hash_word(h, a->kind), a->type.i);
	h = hash_word(hash_word(h, a->key.i), a->text.i);
	h = hash_word(hash_word(h, (u32)a->a), (u32)(a->a >> 32));
	return hash_word(hash_word(h, (u32)a->b), (u32)(a->b >> 32));
}

static bool same_attr(const IrAttr *x, const IrAttr *y)
{
	return x->kind == y->kind && x->type.i == y->type.i && x->key.i == y->key.i && x->text.i == y->text.i && x->a == y->a &&
	       x->b == y->b;
}

/* Sort key of an attribute kind: flags, types, numbers, ranges, as LLVM orders them; within each the order of attrs.def. */
enum {
	RANK_FLAG = 0,
	RANK_TYPE = 1,
	RANK_INT = 2,
	RANK_OPTINT = 0,
	RANK_ALIGN = 2,
	RANK_STRING = 2,
	RANK_PAIR = 2,
	RANK_SCALE = 2,
	RANK_CAPTURES = 2,
	RANK_MEMORY = 2,
	RANK_FPCLASS = 2,
	RANK_UWTABLE = 2,
	RANK_FPENV = 2,
	RANK_RANGE = 3,
	RANK_RANGES = 4,
};
static const u8 ranks[IRA_COUNT] = {
	[IRA_STRING] = 5,
#define IR_ATTR(id, text, form, places, since, code) [IRA_##id] = RANK_##form,
#include "ir/attrs.def"
};

static int attr_order(const IrModule *m, const IrAttr *x, const IrAttr *y)
{
	if (x->kind == IRA_STRING && y->kind == IRA_STRING)
		return x->key.i == y->key.i ? 0 : str_cmp(ir_str(m, x->key), ir_str(m, y->key));
	u32 a = (u32)ranks[x->kind] << 16 | x->kind, b = (u32)ranks[y->kind] << 16 | y->kind;
	return (a > b) - (a < b);
}

/* Makes a sorted copy without duplicates (the last one is kept); returns its length. Insertion sort, because sets are
 * small and mostly sorted; the parser bounds their size. */
static u32 normalise(const IrModule *m, const IrAttr *in, u32 n, IrAttr *out)
{
	u32 count = 0;
	for (u32 i = 0; i < n; i++) {
		u32 at = count;
		while (at && attr_order(m, &out[at - 1], &in[i]) > 0)
			at--;
		if (at && attr_order(m, &out[at - 1], &in[i]) == 0) {
			out[at - 1] = in[i];
			continue;
		}
		memmove(out + at + 1, out + at, (count - at) * sizeof *out);
		out[at] = in[i];
		count++;
	}
	return count;
}

static bool same_set(const IrModule *m, const IrAttrSet *s, const IrAttr *attrs, u32 n)
{
	if (s->n != n)
		return false;
	for (u32 i = 0; i < n; i++)
		if (!same_attr(&m->attr_pool.p[s->first + i], &attrs[i]))
			return false;
	return true;
}

IrAttrs ir_attrs_make(IrModule *m, const IrAttr *attrs, u32 n)
{
	IrAttr  few[24];
	IrAttr *sorted = n <= PS_COUNT(few) ? few : arena_array(m->arena, IrAttr, n);
	n = normalise(m, attrs, n, sorted);
	if (!n)
		return (IrAttrs){0};
	u32 hash = n;
	for (u32 i = 0; i < n; i++)
		hash = hash_attr(hash, &sorted[i]);
	IrIntern *t = &m->attr_table;
	for (u32 at = intern_start(t, hash), id; (id = intern_id(t, at)) != 0; at = intern_next(t, at))
		if (intern_hash(t, at) == hash && same_set(m, pages_at(&m->attr_sets, id), sorted, n))
			return (IrAttrs){id};
	u32        id = pages_new(&m->attr_sets);
	IrAttrSet *set = pages_at(&m->attr_sets, id);
	*set = (IrAttrSet){.first = m->attr_pool.n, .n = n, .hash = hash};
	for (u32 i = 0; i < n; i++) {
		set->has[sorted[i].kind / 64] |= (u64)1 << sorted[i].kind % 64;
		vec_push(m->arena, &m->attr_pool, sorted[i]);
	}
	ir_intern_add(m->arena, t, hash, id);
	return (IrAttrs){id};
}

/* The separate memory attributes of LLVM before 16. */
static bool old_memory(u32 kind, u32 *locations, u32 *access)
{
	switch (kind) {
	case IRA_READNONE: *access = 0; return true;
	case IRA_READONLY: *access &= IRM_READ * IRM_EACH; return true;
	case IRA_WRITEONLY: *access &= IRM_WRITE * IRM_EACH; return true;
	case IRA_ARGMEMONLY: *locations &= 3 << IRM_ARG; return true;
	case IRA_INACCESSIBLEMEMONLY: *locations &= 3 << IRM_INACCESSIBLE; return true;
	case IRA_INACCESSIBLEMEM_OR_ARGMEMONLY: *locations &= 3 << IRM_INACCESSIBLE | 3 << IRM_ARG; return true;
	}
	return false;
}

u32 ir_fn_attrs_upgrade(IrAttr *attrs, u32 n)
{
	u32  locations = IRM_ALL, access = IRM_ALL, kept = 0;
	bool old = false;
	for (u32 i = 0; i < n; i++) {
		if (old_memory(attrs[i].kind, &locations, &access))
			old = true;
		else
			attrs[kept++] = attrs[i];
	}
	if (old)
		attrs[kept++] = (IrAttr){.kind = IRA_MEMORY, .a = locations & access};
	return kept;
}

u32 ir_attrs_count(const IrModule *m, IrAttrs set) { return set.i ? ((const IrAttrSet *)pages_at(&m->attr_sets, set.i))->n : 0; }

const IrAttr *ir_attrs_at(const IrModule *m, IrAttrs set, u32 i)
{
	return &m->attr_pool.p[((const IrAttrSet *)pages_at(&m->attr_sets, set.i))->first + i];
}

/* A copy of the set with room for `extra` more. */
static IrAttr *copy_set(IrModule *m, IrAttrs set, u32 extra, u32 *n)
{
	*n = ir_attrs_count(m, set);
	IrAttr *all = arena_array(m->arena, IrAttr, *n + extra + 1);
	for (u32 i = 0; i < *n; i++)
		all[i] = *ir_attrs_at(m, set, i);
	return all;
}

IrAttrs ir_attrs_with(IrModule *m, IrAttrs set, IrAttr a)
{
	u32     n;
	IrAttr *all = copy_set(m, set, 1, &n);
	all[n] = a;
	return ir_attrs_make(m, all, n + 1);
}

IrAttrs ir_attrs_without(IrModule *m, IrAttrs set, IrAttrKind kind)
{
	u32     n, kept = 0;
	IrAttr *all = copy_set(m, set, 0, &n);
	for (u32 i = 0; i < n; i++)
		if (all[i].kind != (u32)kind)
			all[kept++] = all[i];
	return kept == n ? set : ir_attrs_make(m, all, kept);
}

IrAttrs ir_attrs_without_key(IrModule *m, IrAttrs set, const char *key)
{
	u32     n, kept = 0;
	IrAttr *all = copy_set(m, set, 0, &n);
	for (u32 i = 0; i < n; i++)
		if (all[i].kind != IRA_STRING || !str_is(ir_str(m, all[i].key), key))
			all[kept++] = all[i];
	return kept == n ? set : ir_attrs_make(m, all, kept);
}

IrAttrs ir_attrs_union(IrModule *m, IrAttrs a, IrAttrs b)
{
	if (!a.i || !b.i)
		return a.i ? a : b;
	u32     n, extra = ir_attrs_count(m, b);
	IrAttr *all = copy_set(m, a, extra, &n);
	for (u32 i = 0; i < extra; i++)
		all[n + i] = *ir_attrs_at(m, b, i);
	return ir_attrs_make(m, all, n + extra);
}

/* Passes ask for what few sets have. */
const IrAttr *ir_attrs_find(const IrModule *m, IrAttrs set, IrAttrKind kind)
{
	const IrAttrSet *s = pages_of(&m->attr_sets, IrAttrSet, set.i); /* the empty one is 0 */
	if (!(s->has[kind / 64] >> kind % 64 & 1))
		return NULL;
	const IrAttr *a = &m->attr_pool.p[s->first];
	while (a->kind != (u32)kind)
		a++;
	return a;
}

const IrAttr *ir_attrs_find_key(const IrModule *m, IrAttrs set, const char *key)
{
	for (u32 i = 0, n = ir_attrs_count(m, set); i < n; i++) {
		const IrAttr *a = ir_attrs_at(m, set, i);
		if (a->kind == IRA_STRING && str_is(ir_str(m, a->key), key))
			return a;
	}
	return NULL;
}

IrAttr ir_attr_string(IrModule *m, const char *key, Str text)
{
	return (IrAttr){.kind = IRA_STRING, .key = strtab_add(&m->s->strs, str_of(key)), .text = strtab_add(&m->s->strs, text)};
}

IrAttr ir_attr_captures(IrModule *m, u32 ret, u32 other)
{
	Text t;
	text_init(&t, m->arena);
	for (u32 part = 0; part < 2; part++) {
		u32 bits = part ? ret : other;
		if (part ? ret == other : !other && ret)
			continue;
		text_s(&t, t.n ? ", " : "");
		text_s(&t, part ? "ret: " : "");
		if (!bits)
			text_s(&t, "none");
		u32 from = t.n;
		if (bits & 3)
			text_s(&t, bits & 2 ? "address" : "address_is_null");
		if (bits & 12)
			text_f(&t, "%s%s", t.n > from ? ", " : "", bits & 8 ? "provenance" : "read_provenance");
	}
	return (IrAttr){.kind = IRA_CAPTURES, .text = strtab_add(&m->s->strs, text_str(&t))};
}

IrAttr ir_attr_captures_none(IrModule *m) { return (IrAttr){.kind = IRA_CAPTURES, .text = strtab_add(&m->s->strs, STR("none"))}; }

bool ir_attr_is_captures_none(const IrModule *m, const IrAttr *a)
{
	return a && a->kind == IRA_CAPTURES && str_is(ir_str(m, a->text), "none");
}

/* ---- functions and parameters ---- */

Str ir_fn_attr(const IrModule *m, const IrFunc *f, const char *key)
{
	const IrAttr *a = ir_attrs_find_key(m, f->fn, key);
	return a ? ir_str(m, a->text) : STR("");
}

const IrAttr *ir_param_attr(const IrModule *m, const IrFunc *f, u32 arg, IrAttrKind kind)
{
	return ir_attrs_find(m, ir_arg(m, ir_func_arg(f, arg))->attrs, kind);
}

IrType ir_param_byval(const IrModule *m, const IrFunc *f, u32 arg)
{
	const IrAttr *a = ir_param_attr(m, f, arg, IRA_BYVAL);
	return a ? a->type : (IrType){0};
}

bool ir_all_callers_seen(const IrModule *m, const IrFunc *f)
{
	if (!ir_linkage_is_local(ir_global(m, f->ref)->linkage))
		return false;
	ir_each_use(m, f->ref, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_INST)
			return false;
		u32 op = ir_inst(m, user)->op;
		if ((op != IR_CALL && op != IR_INVOKE && op != IR_CALLBR) || ir_use_index(m, u) != 0)
			return false;
	}
	return true;
}

u32 ir_param_align(const IrModule *m, const IrFunc *f, u32 arg)
{
	const IrAttr *a = ir_param_attr(m, f, arg, IRA_ALIGN);
	return a ? (u32)a->a : 0;
}

IrAttrs ir_call_param_attrs(const IrModule *m, IrRef call, u32 arg)
{
	const IrCall *c = ir_call(m, call);
	return (IrAttrs){c->params && arg < c->n_args ? ir_list(m, c->params)[arg] : 0};
}

const IrAttr *ir_call_fn_attr(const IrModule *m, IrRef call, IrAttrKind kind)
{
	const IrAttr *a = ir_attrs_find(m, ir_call(m, call)->fn, kind);
	const IrFunc *f = a ? NULL : ir_called(m, call);
	return f ? ir_attrs_find(m, f->fn, kind) : a;
}

/* The function that is called directly; NULL where the call has another type, as it passes other things than the callee's parameters. */
static const IrFunc *called_as_declared(const IrModule *m, IrRef call)
{
	const IrFunc *f = ir_called(m, call);
	return f && ir_type_same(ir_global(m, f->ref)->type, ir_call(m, call)->type) ? f : NULL;
}

const IrAttr *ir_call_param_attr(const IrModule *m, IrRef call, u32 arg, IrAttrKind kind)
{
	const IrAttr *a = ir_attrs_find(m, ir_call_param_attrs(m, call, arg), kind);
	const IrFunc *f = a ? NULL : called_as_declared(m, call);
	return f && arg < f->n_args ? ir_param_attr(m, f, arg, kind) : a;
}

const IrAttr *ir_call_ret_attr(const IrModule *m, IrRef call, IrAttrKind kind)
{
	const IrAttr *a = ir_attrs_find(m, ir_call(m, call)->ret, kind);
	const IrFunc *f = a ? NULL : called_as_declared(m, call);
	return f ? ir_attrs_find(m, f->ret, kind) : a;
}

u32 ir_fn_memory(const IrModule *m, const IrFunc *f)
{
	const IrAttr *a = ir_attrs_find(m, f->fn, IRA_MEMORY);
	return a ? (u32)a->a : IRM_ALL;
}

u32 ir_call_memory(const IrModule *m, IrRef call)
{
	const IrAttr *a = ir_attrs_find(m, ir_call(m, call)->fn, IRA_MEMORY);
	const IrFunc *f = ir_called(m, call);
	return (a ? (u32)a->a : IRM_ALL) & (f ? ir_fn_memory(m, f) : IRM_ALL);
}
