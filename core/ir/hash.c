/* hash.c: structural hashes of functions and modules. A local value is hashed as its position in the function; types,
 * constants and globals by their content. Ids, use lists and origins have no influence, so a printed and reparsed module
 * has the same hash. Linear in the module. */
#include "base/hash.h"
#include "ir/internal.h"
#include "ir/text.h"

typedef struct Hasher {
	const IrModule *m;
	u64             h;
} Hasher;

static void mix(Hasher *x, u64 v) { x->h = hash_mix(x->h, v); }

static u64 hash_text(const IrModule *m, StrId s)
{
	Str t = ir_str(m, s);
	return hash_bytes(t.p, t.n) | (u64)t.n << 32;
}

static u64 hash_type(const IrModule *m, IrType t)
{
	const IrTypeRec *r = ir_type(m, t);
	u64              h = hash_mix(r->kind, r->bits | (u64)r->packed << 32 | (u64)r->vararg << 33);
	h = hash_mix(h, r->count);
	if (r->name.i || r->number)
		return hash_mix(h, hash_text(m, r->name) + r->number);
	for (u32 i = 0; i < r->n_elems; i++)
		h = hash_mix(h, hash_type(m, (IrType){m->type_lists.p[r->elems + i]}));
	return h;
}

static u64 hash_value(const IrModule *m, IrRef r)
{
	switch (ir_kind(r)) {
	case IR_INST: return hash_mix(1, ir_info(m, r)->mark);
	case IR_ARG: return hash_mix(2, ir_arg(m, r)->number);
	case IR_BLOCK: return hash_mix(3, ir_block(m, r)->mark);
	case IR_GLOBAL: return hash_mix(4, hash_text(m, ir_global(m, r)->name));
	case IR_ASM:
		return hash_mix(hash_text(m, ir_asm(m, r)->text), hash_text(m, ir_asm(m, r)->constraints) + ir_asm(m, r)->flags);
	case IR_CONST: {
		const IrConst *c = ir_const(m, r);
		u64 h = hash_mix(c->kind | (u64)c->op << 8 | (u64)c->sub << 16 | (u64)ir_stated_flags(c->flags) << 32, c->bits);
		h = hash_mix(h, hash_type(m, c->type) ^ hash_text(m, c->data));
		h = hash_mix(h, c->elem.i ? hash_type(m, c->elem) : 0);
		for (u32 i = 0; i < c->n_ops; i++)
			h = hash_mix(h, hash_value(m, ir_use(m, c->ops + i)->value));
		return h;
	}
	default: return 5;
	}
}

static u64 hash_attrs(const IrModule *m, IrAttrs a)
{
	u64 h = 0;
	for (u32 i = 0, n = ir_attrs_count(m, a); i < n; i++) {
		const IrAttr *at = ir_attrs_at(m, a, i);
		h = hash_mix(h, at->kind + (at->type.i ? hash_type(m, at->type) : 0));
		h = hash_mix(h, at->a ^ hash_text(m, at->key));
		h = hash_mix(h, at->b ^ hash_text(m, at->text));
	}
	return h;
}

static void hash_inst(Hasher *x, IrRef r)
{
	const IrModule   *m = x->m;
	const IrInst     *i = ir_inst(m, r);
	const IrInstInfo *info = ir_info(m, r);
	mix(x, i->op | (u64)i->sub << 8 | (u64)i->order << 16 | (u64)info->order_fail << 24 |
	               (u64)u64_log2(ir_stated_align(m, r) << 1 | 1) << 32);
	mix(x, hash_text(m, (StrId){m->scopes.p[info->scope]}));
	mix(x, ir_stated_flags(i->flags) | (u64)i->n_ops << 32);
	mix(x, hash_type(m, i->type));
	mix(x, hash_text(m, ir_name(m, r)));
	for (u32 k = 0; k < i->n_ops; k++)
		mix(x, hash_value(m, ir_use(m, i->ops + k)->value));
	for (u32 a = info->md; a; a = ((const IrAttach *)pages_at(&m->attach, a))->next)
		mix(x, hash_text(m, ((const IrAttach *)pages_at(&m->attach, a))->kind));
	if (ir_op_info[i->op].flags & IROF_CALLS) {
		const IrCall *c = ir_call(m, r);
		mix(x, c->cc | (u64)c->n_args << 16);
		mix(x, hash_type(m, c->type));
		mix(x, hash_attrs(m, c->fn) ^ hash_attrs(m, c->ret));
		for (u32 k = 0; c->params && k < c->n_args; k++)
			mix(x, hash_attrs(m, ir_call_param_attrs(m, r, k)));
	} else if (i->op == IR_GETELEMENTPTR || i->op == IR_ALLOCA) {
		mix(x, hash_type(m, i->elem));
	} else if (i->aux) {
		for (u32 k = 0; k < ir_list_n(m, i->aux); k++)
			mix(x, ir_list(m, i->aux)[k]);
	}
}

u64 ir_hash_func(const IrModule *m, const IrFunc *f)
{
	Hasher          x = {m, 1};
	const IrGlobal *g = ir_global(m, f->ref);
	u32             blocks = 0, insts = 0;
	ir_each_block(m, f, b) {
		ir_block(m, b)->mark = blocks++;
		ir_each_inst(m, b, i)
			ir_info(m, i)->mark = ++insts;
	}
	mix(&x, hash_text(m, g->name));
	mix(&x, hash_type(m, g->type));
	mix(&x, g->linkage | (u64)g->visibility << 8 | (u64)g->align << 16 | (u64)f->cc << 32);
	mix(&x, hash_attrs(m, f->fn) ^ hash_attrs(m, f->ret));
	for (u32 i = 0; i < f->n_args; i++) { /* parameters of declarations have no names */
		const IrArg *a = ir_arg(m, ir_func_arg(f, i));
		mix(&x, hash_attrs(m, a->attrs) ^ (ir_is_decl(f) ? 0 : hash_text(m, a->name)));
	}
	ir_each_block(m, f, b) {
		mix(&x, hash_text(m, ir_block(m, b)->name));
		ir_each_inst(m, b, i)
			hash_inst(&x, i);
	}
	return x.h;
}

static void hash_global(Hasher *x, IrRef g)
{
	const IrModule *m = x->m;
	const IrGlobal *rec = ir_global(m, g);
	if (rec->kind == IRG_FUNC) {
		mix(x, ir_hash_func(m, ir_func(m, g)));
		return;
	}
	mix(x, hash_text(m, rec->name));
	mix(x, rec->kind | (u64)rec->linkage << 8 | (u64)rec->flags << 16 | (u64)rec->addrspace << 32);
	mix(x, hash_type(m, rec->type) ^ rec->align);
	mix(x, ir_global_init(m, g).i ? hash_value(m, ir_global_init(m, g)) : 0);
}

/* In the order of the text: variables, aliases, ifuncs, functions. */
u64 ir_hash_module(const IrModule *m)
{
	static const u8 kinds[] = {IRG_VAR, IRG_ALIAS, IRG_IFUNC, IRG_FUNC};
	Hasher          x = {m, 2};
	for (u32 k = 0; k < PS_COUNT(kinds); k++)
		ir_each_global(m, g)
			if (ir_global(m, g)->kind == kinds[k])
				hash_global(&x, g);
	for (u32 i = 0; i < m->named_md.n; i++)
		mix(&x, hash_text(m, m->named_md.p[i].name) + m->named_md.p[i].n);
	return x.h;
}
