/* ptx_functions_json.c: "functions" of the trace of a PTX text: its entries and functions with their parameters.
 *
 * PTX does not say which parameters are pointers, unless by .ptr. One of 64 bits counts as a pointer where a value computed from it
 * is an address of a load or store; the type of that access is its element. The computation is followed through the registers of the
 * body, in the order of the text, until nothing is added: at most ROUNDS times, so a chain against that order may be missed.
 *
 * A load or store of .b32 does not say whether it moves floats, nor does a parameter: the instructions that compute with the registers
 * do (ptx/reg_types.h). What is copied to a variable, as to a tile in shared memory, is what other accesses find in it. Of several
 * accesses through a pointer, the first counts, or the first of floats where that one is of bits. */
#include "api/ptx_functions_json.h"

#include "base/map.h"
#include "ptx/reg_types.h"

enum { ROUNDS = 4 };

/* What is known of a body. A source is a parameter, numbered from 1, or a variable, numbered behind them. */
typedef struct Flow {
	Session       *s;
	const PtxFunc *f;
	Map            source;  /* by name */
	u32           *from;    /* by register: the source that its value is computed from */
	u8            *holds;   /* by register: TOK_type_* of the floats in it */
	u8            *element; /* by source: TOK_type_* of an access through it */
	u8            *scalar;  /* by parameter: TOK_type_* of the floats that are read from it */
	bool           grown;
} Flow;

static u32 named_source(const Flow *w, PtxOperand o) { return o.kind == PO_SYM ? (u32)map_or(&w->source, o.id, 0) : 0; }

static u32 param_of(const Flow *w, PtxOperand o)
{
	u32 source = named_source(w, o);
	return source <= w->f->params.n ? source : 0;
}

/* What an address or the value that becomes one is computed from. A parameter's name is where its value is, not the value. */
static u32 source_of(const Flow *w, PtxOperand o)
{
	if (o.kind == PO_REG)
		return w->from[o.id];
	return param_of(w, o) ? 0 : named_source(w, o);
}

static void derive(Flow *w, PtxOperand result, u32 source)
{
	if (!source || result.kind != PO_REG || w->from[result.id])
		return;
	w->from[result.id] = source;
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

static bool is_kind(u32 type, u32 kind) { return isa_type(type)->kind == kind; }
static bool is_data(const IsaDesc *d, u32 i)
{
	return d->operand[i].type == d->opc.slot[SLOT_type] && !(d->operand[i].flags & IOF_ADDR_OPEN);
}

/* The type of the floats that an access moves, by the registers and constants that are its data; none. */
static u32 floats_moved(const Flow *w, const IsaDesc *d, const PtxOperand *ops, u32 n)
{
	for (u32 i = 0; i < d->n_operands && i < n; i++) {
		u32 lane = 0;
		if (ops[i].kind == PO_REG)
			lane = w->holds[ops[i].id];
		else if (ops[i].kind == PO_F32 || ops[i].kind == PO_F64)
			lane = ops[i].kind == PO_F32 ? TOK_type_f32 : TOK_type_f64;
		if (lane && is_data(d, i) && isa_type(lane)->bits <= isa_type(d->opc.slot[SLOT_type])->bits)
			return lane;
	}
	return TOK_type_none;
}

/* Registers of which nothing else is known hold what is in the memory that they are loaded from or stored to. */
static void hold_as_memory(Flow *w, const IsaDesc *d, const PtxOperand *ops, u32 n, u32 element)
{
	for (u32 i = 0; i < d->n_operands && i < n; i++)
		if (ops[i].kind == PO_REG && is_data(d, i) && !w->holds[ops[i].id]) {
			w->holds[ops[i].id] = (u8)element;
			w->grown = true;
		}
}

static void follow_access(Flow *w, const IsaDesc *d, const PtxOperand *ops, u32 n)
{
	PtxOperand base = base_of(d, ops, n);
	u32        param = param_of(w, base), through = source_of(w, base), type = d->opc.slot[SLOT_type], moved;
	u8        *element = &w->element[through];
	if (!type)
		return;
	moved = is_kind(type, ISA_KIND_FLOAT) ? type : floats_moved(w, d, ops, n);
	if (param && d->opc.op == ISA_ld && isa_type(type)->bits == 64 && isa_vec(&d->opc) == 1)
		derive(w, ops[0], param);
	if (param && moved)
		w->scalar[param] = (u8)moved;
	if (!through)
		return;
	if (!moved && is_kind(*element, ISA_KIND_FLOAT) && isa_type(*element)->lane_bits <= isa_type(type)->bits)
		hold_as_memory(w, d, ops, n, *element);
	if (!*element || (is_kind(*element, ISA_KIND_BITS) && moved)) {
		*element = (u8)(moved ? moved : type);
		w->grown = true;
	}
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

static u32 number_variables(Flow *w, const PtxVar *v, u32 n)
{
	bool frame = v->space == TOK_space_local || v->space == TOK_space_param; /* one variable holds many things */
	if (!frame && !map_get(&w->source, v->name.i))
		map_set(&w->source, v->name.i, ++n);
	return n;
}

/* The number of sources. */
static u32 number_sources(Flow *w, const PtxModule *m)
{
	u32 n = w->f->params.n;
	map_init(&w->source, &w->s->arena);
	for (u32 k = 0; k < n; k++)
		map_set(&w->source, w->f->params.p[k].name.i, k + 1);
	for (u32 i = 0; i < w->f->vars.n; i++)
		n = number_variables(w, &w->f->vars.p[i], n);
	for (u32 i = 0; i < m->vars.n; i++)
		n = number_variables(w, m->vars.p[i], n);
	return n;
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
	bool           bits = type == TOK_type_bf16 || type == TOK_type_bf16x2; /* launch files do not have these floats */
	char           letter = t->kind == ISA_KIND_UINT || bits ? 'u' : t->kind == ISA_KIND_FLOAT ? 'f' : 'i';
	if (t->lane_bits >= 8 && t->lane_bits <= 64 && (letter != 'f' || t->lane_bits >= 16))
		text_f(out, ",\"element\":\"%c%u\"", letter, t->lane_bits);
}

/* As what a launch passes a parameter that is declared by its width: as the float that is read from it. */
static u32 scalar_type(const Flow *w, u32 k)
{
	u32 declared = w->f->params.p[k].type, lane = w->scalar[k + 1];
	return lane && lane != TOK_type_bf16 && isa_type(lane)->bits == isa_type(declared)->bits ? lane : declared;
}

static void json_param(Text *out, const Flow *w, u32 k)
{
	const PtxVar *v = &w->f->params.p[k];
	u32           element = w->element[k + 1];
	bool          pointer = v->ptr || element;
	text_s(out, k ? ",{\"name\":" : "{\"name\":");
	text_json(out, strtab_get(&w->s->strs, v->name));
	text_s(out, ",\"type\":");
	text_json(out, pointer ? STR("ptr") : str_of(isa_token_text(SLOT_type, scalar_type(w, k))));
	text_f(out, ",\"bytes\":%llu,\"align\":%u,\"byval\":%s", (unsigned long long)ptx_var_size(v), ptx_var_align(v),
	       v->is_array ? "true" : "false");
	if (element)
		json_element(out, element);
	text_c(out, '}');
}

static void json_function(Text *out, const PtxModule *m, const PtxFunc *f, bool first)
{
	Session *s = m->session;
	Flow     w = {.s = s, .f = f};
	u32      sources = number_sources(&w, m);
	w.from = arena_array(&s->arena, u32, f->n_regs + 1);
	w.holds = ptx_reg_types(s, f, &s->arena);
	w.element = arena_array(&s->arena, u8, sources + 1);
	w.scalar = arena_array(&s->arena, u8, f->params.n + 1);
	follow_body(&w);
	text_s(out, first ? "{\"name\":" : ",{\"name\":");
	text_json(out, strtab_get(&s->strs, f->name));
	text_f(out, ",\"kernel\":%s,\"line\":%u,\"params\":[", f->is_entry ? "true" : "false", f->line);
	for (u32 k = 0; k < f->params.n; k++)
		json_param(out, &w, k);
	text_s(out, "],\"budget\":null}");
}

void ptx_functions_json(const PtxModule *m, Text *out)
{
	bool first = true;
	text_c(out, '[');
	for (u32 i = 0; i < m->funcs.n; i++)
		if (m->funcs.p[i]->has_body) {
			json_function(out, m, m->funcs.p[i], first);
			first = false;
		}
	text_c(out, ']');
}
