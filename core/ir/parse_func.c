/* parse_func.c: bodies: blocks, names, forward references. A value used before its definition is a
 * detached instruction of opcode "none"; its definition fills that record in. */
#include "ir/parse.h"

/* ---- names ---- */

static LocalSlot *slot_of(Parser *p, StrId name)
{
	if (name.i >= p->locals.n)
		vec_extend(p->arena, &p->locals, PS_MAX(strtab_count(&p->s->strs), name.i + 1) - p->locals.n);
	return &p->locals.p[name.i];
}

static PS_NOINLINE u32 *new_number_slot(Parser *p, u64 n)
{
	if (n > LIMIT_NUMBERS) {
		PARSE_ERROR(p, irp_token_range(p), IR_LIMIT, "numbered values in a function", (u32)LIMIT_NUMBERS);
		return NULL;
	}
	vec_extend(p->arena, &p->local_num, (u32)n + 1 - p->local_num.n);
	return &p->local_num.p[n];
}

static inline u32 *number_slot(Parser *p, u64 n) { return n < p->local_num.n ? &p->local_num.p[n] : new_number_slot(p, n); }

/* The slot of the local name at token `t`, and the name. */
static u32 *find_name(Parser *p, const Token *t, StrId *name)
{
	Str s = t->escaped ? ir_lex_unescape(p->arena, t->text) : t->text;
	*name = strtab_add(&p->s->strs, s);
	LocalSlot *slot = slot_of(p, *name);
	if (slot->epoch != p->epoch)
		*slot = (LocalSlot){.epoch = p->epoch};
	return &slot->ref.i;
}

/* The same for a name or a number; NULL after an error. */
static u32 *find_local(Parser *p, const Token *t)
{
	StrId name;
	return t->kind == T_LOCAL_NUM ? number_slot(p, t->num) : find_name(p, t, &name);
}

bool irp_is_value(Parser *p)
{
	if (!p->func)
		return false;
	if (at(p, T_LOCAL_NUM))
		return p->t.num < p->local_num.n && p->local_num.p[p->t.num];
	StrId name = strtab_find(&p->s->strs, irp_token_str(p));
	return name.i && name.i < p->locals.n && p->locals.p[name.i].epoch == p->epoch && p->locals.p[name.i].ref.i;
}

/* The token at hand names `r` before its definition. */
static void used_before(Parser *p, IrRef r)
{
	Forward f = {r, (u32)(p->t.p - p->lexer.start)};
	vec_push(p->arena, &p->forward, f);
}

/* The position of that use, found by scanning the text again, because only diagnostics need it. */
static Spot spot_of(const Parser *p, Forward f)
{
	Lexer l = p->lexer;
	Token t;
	l.at = l.start + f.at;
	l.line = 1;
	for (const char *c = l.start; c < l.at; c++)
		l.line += *c == '\n';
	ir_lex(&l, &t);
	return token_spot(&t);
}

IrRef irp_local_ref(Parser *p, IrType t)
{
	u32 *slot = find_local(p, &p->t);
	if (!slot)
		return IR_NO_REF;
	if (*slot == LOCAL_IN_ERROR) {
		irp_next(p);
		return ir_const_poison(p->m, t);
	}
	if (!*slot) {
		IrRef r = ir_inst_make(p->m);
		ir_inst(p->m, r)->type = t;
		*slot = r.i;
		used_before(p, r);
	}
	IrRef  r = {*slot};
	IrType have = ir_type_of(p->m, r);
	if (!ir_type_same(have, t)) {
		PARSE_ERROR(p, irp_token_range(p), IR_TYPE_MISMATCH, (int)(p->t.end - p->t.p), p->t.p,
		            STR_ARG(irp_type_text(p, have)), STR_ARG(irp_type_text(p, t)));
		return r;
	}
	irp_next(p);
	return r;
}

IrRef irp_block_ref(Parser *p)
{
	if (!at(p, T_LOCAL) && !at(p, T_LOCAL_NUM)) {
		irp_expected(p, "the name of a label");
		return IR_NO_REF;
	}
	if (!p->func) {
		PARSE_ERROR(p, irp_token_range(p), IR_CONST_LOCAL, (int)(p->t.end - p->t.p), p->t.p);
		return IR_NO_REF;
	}
	u32 *slot = find_local(p, &p->t);
	if (!slot)
		return IR_NO_REF;
	if (!*slot) {
		IrRef r = ir_block_make(p->m);
		ir_block(p->m, r)->func = p->func->ref;
		ir_block(p->m, r)->mark = 1; /* not defined yet */
		*slot = r.i;
		used_before(p, r);
	}
	IrRef r = {*slot};
	if (ir_kind(r) != IR_BLOCK) {
		if (*slot != LOCAL_IN_ERROR)
			PARSE_ERROR(p, irp_token_range(p), IR_NOT_A_BLOCK, (int)(p->t.end - p->t.p), p->t.p);
		else
			irp_panic(p, NULL);
		return IR_NO_REF;
	}
	irp_next(p);
	return r;
}

IrRef irp_label_operand(Parser *p)
{
	if (!irp_expect_word(p, W_LABEL, "'label'"))
		return IR_NO_REF;
	return irp_block_ref(p);
}

/* ---- definitions ---- */

/* Takes the next number; false where the one given is too small. */
static bool take_number(Parser *p, const Token *given)
{
	if (!given)
		return number_slot(p, p->next_local++) != NULL;
	if (given->num < p->next_local) {
		PARSE_ERROR(p, irp_range_of(p, token_spot(given)), IR_NUMBERING, p->next_local, (int)(given->end - given->p),
		            given->p);
		return false;
	}
	p->next_local = (u32)PS_MIN(given->num, (u64)LIMIT_NUMBERS) + 1;
	return number_slot(p, given->num) != NULL;
}

static void redefined(Parser *p, const Token *t)
{
	PARSE_ERROR(p, irp_range_of(p, token_spot(t)), IR_REDEFINED, (int)(t->end - t->p), t->p);
}

/* The record that a value's definition fills in. */
static IrRef value_record(Parser *p, IrType t)
{
	IrModule *m = p->m;
	u32      *slot;
	StrId     name = {0};
	if (p->has_def && p->def.kind == T_LOCAL) {
		slot = find_name(p, &p->def, &name);
	} else {
		if (!take_number(p, p->has_def ? &p->def : NULL))
			return IR_NO_REF;
		slot = &p->local_num.p[p->next_local - 1];
	}
	IrRef r = {*slot};
	if (!r.i || *slot == LOCAL_IN_ERROR) {
		r = ir_inst_make(m);
	} else if (ir_kind(r) != IR_INST || ir_inst(m, r)->op != IR_OP_NONE) {
		redefined(p, &p->def);
		return IR_NO_REF;
	} else if (!ir_type_same(ir_inst(m, r)->type, t)) {
		const Token *d = p->has_def ? &p->def : &p->t;
		Diag        *diag = PARSE_ERROR(p, irp_range_of(p, token_spot(d)), IR_TYPE_MISMATCH, (int)(d->end - d->p), d->p,
		                                STR_ARG(irp_type_text(p, t)), STR_ARG(irp_type_text(p, ir_inst(m, r)->type)));
		for (u32 i = 0; i < p->forward.n; i++)
			if (ir_same(p->forward.p[i].ref, r))
				diag_hint(&p->s->diags, diag, "line %u uses it as %.*s", spot_of(p, p->forward.p[i]).line,
				          STR_ARG(irp_type_text(p, ir_inst(m, r)->type)));
		return IR_NO_REF;
	}
	*slot = r.i;
	ir_info(m, r)->name = name;
	return r;
}

IrRef irp_define_inst(Parser *p, IrOp op, IrType t, const u32 *ops, u32 n_ops)
{
	IrModule *m = p->m;
	IrRef     r;
	if (p->panic)
		return IR_NO_REF;
	if (t.i != IR_TY_VOID) {
		r = value_record(p, t);
		if (!r.i)
			return r;
	} else if (p->has_def) {
		PARSE_ERROR0(p, irp_range_of(p, token_spot(&p->def)), IR_VOID_NAMED);
		return IR_NO_REF;
	} else {
		r = ir_inst_make(m);
	}
	ir_info(m, r)->origin = p->line;
	if (!m->use_lists) {
		order_inst(&p->order, r, op, t, ops, n_ops);
		return r;
	}
	ir_inst_fill(m, r, op, t, ops, n_ops);
	ir_append(m, r, p->block);
	return r;
}

void irp_define_failed(Parser *p)
{
	bool panic = p->panic;
	u32 *slot = NULL;
	if (!p->has_def)
		return;
	p->panic = false;
	if (p->def.kind == T_LOCAL) {
		slot = find_local(p, &p->def);
	} else if (p->def.num >= p->next_local && p->def.num < LIMIT_NUMBERS) {
		p->next_local = (u32)p->def.num + 1;
		slot = number_slot(p, p->def.num);
	}
	/* A value with forward references keeps its placeholder, which then counts as defined. */
	if (slot && *slot && ir_kind((IrRef){*slot}) == IR_INST && ir_inst(p->m, (IrRef){*slot})->op == IR_OP_NONE)
		ir_info(p->m, (IrRef){*slot})->state |= IRS_REMOVED;
	bool inst = slot && ir_kind((IrRef){*slot}) == IR_INST;
	if (slot && (!*slot || (inst && ir_inst(p->m, (IrRef){*slot})->op == IR_OP_NONE)))
		*slot = LOCAL_IN_ERROR;
	p->panic = panic;
}

static void start_block(Parser *p, const Token *label)
{
	IrModule *m = p->m;
	u32      *slot;
	StrId     name = {0};
	if (label && label->negative) {
		slot = find_name(p, label, &name);
	} else {
		if (!take_number(p, label))
			return;
		slot = &p->local_num.p[p->next_local - 1];
	}
	IrRef b = {*slot};
	if (!b.i || *slot == LOCAL_IN_ERROR) {
		b = ir_block_make(m);
	} else if (ir_kind(b) != IR_BLOCK || !ir_block(m, b)->mark) {
		PARSE_ERROR(p, label ? irp_range_of(p, token_spot(label)) : irp_token_range(p), IR_REDEFINED,
		            label ? (int)label->text.n : 5, label ? label->text.p : "block");
		return;
	}
	*slot = b.i;
	IrBlock *rec = ir_block(m, b);
	rec->func = p->func->ref;
	rec->mark = 0;
	rec->name = name;
	rec->origin = p->t.line;
	rec->prev = p->func->last;
	if (rec->prev.i)
		ir_block(m, rec->prev)->next = b;
	else
		p->func->first = b;
	p->func->last = b;
	p->func->n_blocks++;
	p->block = b;
	if (!m->use_lists)
		order_block(&p->order, b);
}

/* ---- bodies ---- */

static void name_args(Parser *p, IrFunc *f)
{
	u32 unnamed = 0;
	for (u32 i = 0; i < f->n_args; i++) {
		IrRef  r = ir_func_arg(f, i);
		IrArg *a = ir_arg(p->m, r);
		if (!a->name.i) {
			if (unnamed < p->param_nums.n) /* none: the body is read apart from its head */
				p->next_local = p->param_nums.p[unnamed++];
			u32 *slot = number_slot(p, p->next_local++);
			if (slot)
				*slot = r.i;
			continue;
		}
		LocalSlot *slot = slot_of(p, a->name);
		if (slot->epoch == p->epoch)
			PARSE_ERROR(p, irp_token_range(p), IR_REDEFINED, STR_ARG(ir_str(p->m, a->name)));
		*slot = (LocalSlot){p->epoch, r};
	}
}

static void report_undefined(Parser *p)
{
	for (u32 i = 0; i < p->forward.n && !diags_full(&p->s->diags); i++) {
		IrRef r = p->forward.p[i].ref;
		bool  block = ir_kind(r) == IR_BLOCK && ir_block(p->m, r)->mark;
		bool  inst =
			ir_kind(r) == IR_INST && ir_inst(p->m, r)->op == IR_OP_NONE && !(ir_info(p->m, r)->state & IRS_REMOVED);
		if (!block && !inst)
			continue;
		Spot at = spot_of(p, p->forward.p[i]);
		Str  name = {at.p + 1, (u32)(at.end - at.p - 1)};
		diag_report(&p->s->diags, block ? DIAG_IR_UNDEFINED_BLOCK : DIAG_IR_UNDEFINED_LOCAL, irp_range_of(p, at),
		            STR_ARG(name));
	}
}

/* Does this line look like the start of an instruction, a label, or the end of the function? */
static bool is_restart(const Parser *p)
{
	switch (p->t.kind) {
	case '}':
	case T_EOF:
	case T_LABEL:
	case T_LOCAL:
	case T_LOCAL_NUM:
	case T_HASH_WORD: return true;
	case T_WORD:
		return p->t.word && (p->t.word->op || p->t.word->word == W_TAIL || p->t.word->word == W_MUSTTAIL ||
		                     p->t.word->word == W_NOTAIL || p->t.word->word == W_DEFINE || p->t.word->word == W_DECLARE);
	default: return false;
	}
}

static void resync(Parser *p, const char *start)
{
	u32 line = p->last_line;
	irp_rewind(p, start);
	p->panic = false;
	p->depth = 0;
	p->scratch.n = p->attrs.n = p->group_stack.n = p->arg_attrs.n = 0;
	p->comma_read = false;
	p->skipping = true;
	do
		irp_next(p);
	while (!at(p, T_EOF) && (p->t.line == line || !is_restart(p)));
	p->skipping = false;
}

static void statement(Parser *p)
{
	Token label;
	if (at(p, T_LABEL)) {
		label = p->t;
		label.end--; /* the colon */
		start_block(p, &label);
		if (!p->panic)
			irp_next(p);
		return;
	}
	if (!p->block.i || ir_term(p->m, p->block).i)
		start_block(p, NULL);
	if (p->panic)
		return;
	if (at(p, T_HASH_WORD))
		irp_dbg_record(p);
	else
		irp_inst(p);
}

void irp_body(Parser *p, IrFunc *f)
{
	u32 errors = p->s->diags.errors;
	p->func = f;
	p->block = IR_NO_REF;
	p->epoch++;
	p->next_local = 0;
	if (p->local_num.n)
		memset(p->local_num.p, 0, p->local_num.n * sizeof(u32));
	p->local_num.n = 0;
	p->forward.n = 0;
	if (!p->m->use_lists)
		order_begin(&p->order);
	irp_next(p); /* { */
	name_args(p, f);
	bool ordered = false; /* behind the instructions, orders of uses */
	while (!at(p, '}') && !at(p, T_EOF) && !diags_full(&p->s->diags)) {
		if (at_word(p, W_DEFINE) || at_word(p, W_DECLARE))
			break;
		const char *start = p->t.p;
		bool        order = at_word(p, W_USELISTORDER);
		if (order)
			irp_use_order(p);
		else if (ordered)
			irp_expected(p, "uselistorder, or the end of the body");
		else
			statement(p);
		ordered |= order;
		if (p->panic)
			resync(p, start);
	}
	if (!f->first.i && !diags_full(&p->s->diags))
		diag_report(&p->s->diags, DIAG_IR_EMPTY_BODY, irp_token_range(p));
	report_undefined(p);
	f->end_line = p->t.line;
	p->func = NULL;
	if (!diags_full(&p->s->diags) && !(at(p, T_EOF) && p->s->diags.errors > errors)) /* the end was reported */
		irp_expect(p, '}', "'}' at the end of a function");
}
