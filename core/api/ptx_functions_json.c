/* ptx_functions_json.c: "functions" of the trace of a PTX text: its entries and functions with their parameters.
 *
 * PTX does not say which parameters are pointers, unless by .ptr. One of 64 bits counts as a pointer where a value computed from it
 * is an address of a load or store; the type of that access is its element. The computation is followed through the registers of the
 * body, in the order of the text, until nothing is added: at most ROUNDS times, so a chain against that order may be missed. */
#include "api/ptx_functions_json.h"

enum { ROUNDS = 4 };

/* What is known of a body: for each register the parameter (from 1) that its value is computed from, for each parameter the type
 * (TOK_type_*) of an access through it. */
typedef struct Flow {
	Session       *s;
	const PtxFunc *f;
	u32           *from;
	u8            *element;
	bool           grown;
} Flow;

static u32 source_of(const Flow *w, PtxOperand o) { return o.kind == PO_REG ? w->from[o.id] : 0; }

static u32 param_of(const Flow *w, PtxOperand o)
{
	for (u32 k = 0; o.kind == PO_SYM && k < w->f->params.n; k++)
		if (w->f->params.p[k].name.i == o.id)
			return k + 1;
	return 0;
}

static void derive(Flow *w, PtxOperand result, u32 param)
{
	if (!param || result.kind != PO_REG || w->from[result.id])
		return;
	w->from[result.id] = param;
	w->grown = true;
}

/* The base of the instruction's address, or an operand of no kind. */
static PtxOperand base_of(const IsaDesc *d, const PtxOperand *ops, u32 n)
{
	for (u32 i = 0; i < d->n_operands && i < n; i++)
		if (d->operand[i].flags & IOF_ADDR_OPEN)
			return ops[i];
	return (PtxOperand){0};
}

static void follow_access(Flow *w, const IsaDesc *d, const PtxOperand *ops, u32 n)
{
	PtxOperand base = base_of(d, ops, n);
	u32        param = param_of(w, base), through = source_of(w, base), type = d->opc.slot[SLOT_type];
	if (param && d->opc.op == ISA_ld && isa_type(type)->bits == 64 && isa_vec(&d->opc) == 1)
		derive(w, ops[0], param);
	if (through && type && !w->element[through - 1])
		w->element[through - 1] = (u8)type;
}

static void follow(Flow *w, const PtxStmt *st)
{
	const IsaDesc    *d = isa_desc(w->s, st->desc);
	const PtxOperand *ops = w->f->operands.p + st->operand;
	if (d->flags & (IF_LOAD | IF_STORE)) {
		follow_access(w, d, ops, st->n);
		return;
	}
	switch (d->opc.op) {
	case ISA_mov:
	case ISA_cvta:
	case ISA_add:
	case ISA_sub:
	case ISA_selp:
		for (u32 i = 1; i < st->n; i++)
			derive(w, ops[0], source_of(w, ops[i]));
		break;
	case ISA_mad_lo:
		if (st->n == 4)
			derive(w, ops[0], source_of(w, ops[3]));
		break;
	default: break;
	}
}

static void follow_body(Flow *w)
{
	w->grown = true;
	for (u32 round = 0; w->grown && round < ROUNDS; round++) {
		w->grown = false;
		for (u32 i = 0; i < w->f->body.n; i++)
			if (w->f->body.p[i].kind == PS_INSN)
				follow(w, &w->f->body.p[i]);
	}
}

/* The element as launch files name it: signed and untyped integers alike are iN. */
static void json_element(Text *out, u32 type)
{
	const IsaType *t = isa_type(type);
	char           letter = t->kind == ISA_KIND_FLOAT ? 'f' : t->kind == ISA_KIND_UINT ? 'u' : 'i';
	if (t->lane_bits >= 8 && t->lane_bits <= 64 && (letter != 'f' || t->lane_bits >= 16))
		text_f(out, ",\"element\":\"%c%u\"", letter, t->lane_bits);
}

static void json_param(Text *out, const Flow *w, u32 k)
{
	const PtxVar *v = &w->f->params.p[k];
	u32           element = w->element[k];
	bool          pointer = v->ptr || element;
	text_s(out, k ? ",{\"name\":" : "{\"name\":");
	text_json(out, strtab_get(&w->s->strs, v->name));
	text_s(out, ",\"type\":");
	text_json(out, pointer ? STR("ptr") : str_of(isa_token_text(SLOT_type, v->type)));
	text_f(out, ",\"bytes\":%llu,\"align\":%u,\"byval\":%s", (unsigned long long)ptx_var_size(v), ptx_var_align(v),
	       v->is_array ? "true" : "false");
	if (element)
		json_element(out, element);
	text_c(out, '}');
}

static void json_function(Text *out, Session *s, const PtxFunc *f, bool first)
{
	Flow w = {.s = s, .f = f};
	w.from = arena_array(&s->arena, u32, f->n_regs + 1);
	w.element = arena_array(&s->arena, u8, f->params.n + 1);
	memset(w.from, 0, (f->n_regs + 1) * sizeof *w.from);
	memset(w.element, 0, f->params.n + 1);
	follow_body(&w);
	text_s(out, first ? "{\"name\":" : ",{\"name\":");
	text_json(out, strtab_get(&s->strs, f->name));
	text_f(out, ",\"kernel\":%s,\"line\":%u,\"params\":[", f->is_entry ? "true" : "false", f->line);
	for (u32 k = 0; k < f->params.n; k++)
		json_param(out, &w, k);
	text_s(out, "],\"budget\":null}");
}

void ptx_functions_json(Session *s, const PtxModule *m, Text *out)
{
	bool first = true;
	text_c(out, '[');
	for (u32 i = 0; i < m->funcs.n; i++)
		if (m->funcs.p[i]->has_body) {
			json_function(out, s, m->funcs.p[i], first);
			first = false;
		}
	text_c(out, ']');
}
