/* module.c: functions that build PtxModules and answer queries about them. */
#include "ptx/ptx.h"

#include "base/checked.h"

PtxModule *ptx_module_new(Session *s, Arena *arena)
{
	PtxModule *m = arena_new(arena, PtxModule);
	m->session = s;
	m->arena = arena;
	return m;
}

void ptx_add_item(PtxModule *m, PtxItemKind kind, StrId text)
{
	vec_push(m->arena, &m->items, ((PtxItem){.kind = kind, .text = text}));
}

PtxFunc *ptx_add_func(PtxModule *m)
{
	PtxFunc *f = arena_new(m->arena, PtxFunc);
	f->n_regs = 1;
	vec_push(m->arena, &f->labels, (PtxLabel){.stmt = UINT32_MAX});
	ptx_add_item(m, PT_FUNC, (StrId){0});
	vec_last(&m->items).index = m->funcs.n;
	vec_push(m->arena, &m->funcs, f);
	return f;
}

PtxVar *ptx_add_var(PtxModule *m)
{
	PtxVar *v = arena_new(m->arena, PtxVar);
	ptx_add_item(m, PT_VAR, (StrId){0});
	vec_last(&m->items).index = m->vars.n;
	vec_push(m->arena, &m->vars, v);
	return v;
}

PtxStmt *ptx_add_stmt(PtxModule *m, PtxFunc *f, PtxStmtKind kind)
{
	vec_push(m->arena, &f->body, ((PtxStmt){.kind = (u8)kind, .operand = f->operands.n}));
	return &vec_last(&f->body);
}

void ptx_add_operand(PtxModule *m, PtxFunc *f, PtxOperand o)
{
	vec_push(m->arena, &f->operands, o);
	vec_last(&f->body).n++;
}

u32 ptx_add_regs(PtxModule *m, PtxFunc *f, StrId name, u32 type, u32 count, bool range)
{
	u32 first = f->n_regs;
	ptx_add_stmt(m, f, PS_REGS)->arg = f->regs.n;
	vec_push(m->arena, &f->regs,
	         ((PtxRegDecl){.name = name, .first = first, .count = count, .type = (u8)type, .range = range}));
	f->n_regs += count;
	return first;
}

u32 ptx_add_label(PtxModule *m, PtxFunc *f, StrId name)
{
	vec_push(m->arena, &f->labels, ((PtxLabel){.name = name, .stmt = UINT32_MAX}));
	return f->labels.n - 1;
}

void ptx_place_label(PtxModule *m, PtxFunc *f, u32 label)
{
	f->labels.p[label].stmt = f->body.n;
	ptx_add_stmt(m, f, PS_LABEL)->arg = label;
}

const PtxRegDecl *ptx_reg_decl(const PtxFunc *f, u32 reg)
{
	u32 lo = 0, hi = f->regs.n;
	while (hi - lo > 1) {
		u32 mid = (lo + hi) / 2;
		if (f->regs.p[mid].first <= reg)
			lo = mid;
		else
			hi = mid;
	}
	return &f->regs.p[lo];
}

PtxFunc *ptx_find_func(const PtxModule *m, StrId name)
{
	PtxFunc *found = NULL;
	for (u32 i = 0; i < m->funcs.n; i++)
		if (m->funcs.p[i]->name.i == name.i && (!found || m->funcs.p[i]->has_body))
			found = m->funcs.p[i];
	return found;
}

PtxVar *ptx_find_var(const PtxModule *m, StrId name)
{
	PtxVar *found = NULL;
	for (u32 i = 0; i < m->vars.n; i++)
		if (m->vars.p[i]->name.i == name.i && (!found || found->linkage == PTX_EXTERN))
			found = m->vars.p[i];
	return found;
}

static u32 element_bytes(const PtxVar *v)
{
	if (v->opaque)
		return 8;
	u32 bits = v->type ? isa_type(v->type)->bits : 0;
	u32 bytes = bits <= 8 ? 1 : (bits + 7) / 8;
	return bytes * (v->vec ? v->vec : 1);
}

u64 ptx_var_size(const PtxVar *v)
{
	u64 n = 1;
	for (u32 i = 0; i < v->dims.n; i++)
		n = size_mul(n, v->dims.p[i]);
	return size_mul(n, element_bytes(v));
}

u32 ptx_var_align(const PtxVar *v) { return v->align ? v->align : element_bytes(v); }
