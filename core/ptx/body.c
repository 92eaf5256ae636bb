/* body.c: the PTX reader's part for function bodies: statements, scopes, and the binding of names.
 *
 * One array maps a name (StrId) to what it is bound to; leaving a scope restores earlier bindings. A label may be used before
 * its definition, so uses of labels are recorded and resolved at the end of the function, from the scope of the use
 * outward. Linear in the text. */
#include "ptx/reader.h"

Binding *ptx_bind_of(Reader *r, u32 name)
{
	if (name >= r->bind.n)
		vec_extend(r->m->arena, &r->bind, PS_MAX(name + 1, strtab_count(&r->s->strs)) - r->bind.n);
	return &r->bind.p[name];
}

void ptx_bind_set(Reader *r, u32 name, Binding b)
{
	vec_push(r->m->arena, &r->undo, ((BindUndo){name, *ptx_bind_of(r, name)}));
	*ptx_bind_of(r, name) = b;
}

u32 ptx_scope_now(const Reader *r) { return r->scopes.n ? vec_last(&r->scopes).id : 0; }

static void scope_open(Reader *r)
{
	vec_push(r->m->arena, &r->scope_parent, ptx_scope_now(r));
	vec_push(r->m->arena, &r->scopes,
	         ((Scope){.id = r->scope_parent.n - 1, .undo = r->undo.n, .line = r->t.line, .col = r->t.col}));
}

static void scope_close(Reader *r)
{
	for (u32 least = vec_pop(&r->scopes).undo; r->undo.n > least;) {
		BindUndo u = vec_pop(&r->undo);
		r->bind.p[u.name] = u.old;
	}
}

static bool is_bound_here(const Reader *r, u32 name)
{
	for (u32 i = r->undo.n; i-- > vec_last(&r->scopes).undo;)
		if (r->undo.p[i].name == name)
			return true;
	return false;
}

/* ---- registers and variables */

static bool declare_one_reg(Reader *r, u8 type, u8 vec, bool statement)
{
	if (r->t.kind != T_WORD) {
		ptx_reader_unexpected(r, "a register's name");
		return false;
	}
	Tok   at = r->t;
	StrId name = ptx_reader_name(r, r->t.text);
	u32   count = 1, index = r->f->regs.n, line = r->t.line;
	bool  range = false;
	ptx_lex_next(r);
	if (ptx_lex_take(r, '<')) {
		range = true;
		count = ptx_parse_u32(r, "a number");
		if (!ptx_lex_expect(r, '>', "behind a range"))
			return false;
	}
	if (count > READER_MAX_REGS || r->f->n_regs > READER_MAX_REGS) {
		diag_report(&r->s->diags, DIAG_PTX_REGS, ptx_lex_range(&at));
		return false;
	}
	/* a name that was looked up through its range may be bound to it here; only declarations clash */
	Binding b = *ptx_bind_of(r, name.i);
	if (b.kind && is_bound_here(r, name.i) && !(b.kind == BIND_REG && ptx_reg_decl(r->f, b.value)->name.i != name.i)) {
		diag_report(&r->s->diags, DIAG_PTX_TWICE, ptx_lex_range(&at), STR_ARG(at.text));
		r->errors_at_line = at.line;
	}
	u32 first = ptx_add_regs(r->m, r->f, name, type, count, range);
	if (!statement)
		r->f->body.n--;
	else
		vec_last(&r->f->body).line = line;
	r->f->regs.p[index].vec = vec;
	r->f->regs.p[index].line = line;
	ptx_bind_set(r, name.i, range ? (Binding){BIND_RANGE, index} : (Binding){BIND_REG, first});
	return true;
}

void ptx_declare_regs(Reader *r, bool statement)
{
	u8 type, vec = 0;
	if (tok_dot(r, ".v2") || tok_dot(r, ".v4"))
		vec = (u8)(r->t.text.p[2] - '0'), ptx_lex_next(r);
	if (!ptx_parse_type(r, &type, NULL)) {
		ptx_reader_resync(r);
		return;
	}
	do {
		if (!declare_one_reg(r, type, vec, statement)) {
			ptx_reader_resync(r);
			return;
		}
	} while (ptx_lex_take(r, ','));
	if (!ptx_lex_expect(r, ';', "behind a declaration"))
		ptx_reader_resync(r);
}

static void declare_var(Reader *r, u32 space)
{
	PtxVar head = {.space = (u8)space, .line = r->t.line};
	bool   good = ptx_parse_var(r, &head, false);
	while (good) {
		ptx_add_stmt(r->m, r->f, PS_VAR)->arg = r->f->vars.n;
		vec_last(&r->f->body).line = head.line;
		vec_push(r->m->arena, &r->f->vars, head);
		ptx_bind_set(r, head.name.i, (Binding){BIND_VAR, r->f->vars.n - 1});
		if (!ptx_lex_take(r, ','))
			break;
		/* the same type, another name */
		memset(&head.dims, 0, sizeof head.dims);
		memset(&head.init, 0, sizeof head.init);
		head.is_array = false;
		good = ptx_parse_declarator(r, &head, false);
	}
	if (!good || !ptx_lex_expect(r, ';', "behind a declaration"))
		ptx_reader_resync(r);
}

/* ---- labels */

static u64 label_key(u32 scope, u32 name) { return (u64)scope << 32 | name; }

static u32 define_label(Reader *r, StrId name, const Tok *at)
{
	bool fresh;
	u64 *slot = map_put(&r->labels, label_key(ptx_scope_now(r), name.i), &fresh);
	if (!fresh) {
		diag_report(&r->s->diags, DIAG_PTX_TWICE, ptx_lex_range(at), STR_ARG(at->text));
		r->errors_at_line = at->line;
	}
	u32 label = ptx_add_label(r->m, r->f, name);
	*slot = label;
	r->f->labels.p[label].scope = ptx_scope_now(r);
	r->f->labels.p[label].stmt = r->f->body.n;
	return label;
}

void ptx_label_use(Reader *r, u32 name, SrcRange at)
{
	vec_push(r->m->arena, &r->label_uses, ((LabelUse){r->f->operands.n - 1, ptx_scope_now(r), name, at}));
}

static void resolve_labels(Reader *r)
{
	for (u32 i = 0; i < r->label_uses.n; i++) {
		LabelUse u = r->label_uses.p[i];
		u64     *label = NULL;
		for (u32 s = u.scope; s && !label; s = r->scope_parent.p[s])
			label = map_get(&r->labels, label_key(s, u.name));
		if (label)
			r->f->operands.p[u.operand].id = (u32)*label;
		else
			diag_report(&r->s->diags, DIAG_PTX_LABEL, u.at, STR_ARG(strtab_get(&r->s->strs, (StrId){u.name})));
	}
	r->label_uses.n = 0;
}

static void parse_proto(Reader *r, u32 label)
{
	PtxProto proto = {.name = r->f->labels.p[label].name, .line = r->t.line};
	bool     good = !tok_is(r, '(') || ptx_parse_params(r, &proto.rets);
	if (good && r->t.kind == T_WORD)
		ptx_lex_next(r);
	good = good && ptx_parse_params(r, &proto.params);
	if (good && ptx_lex_take_dot(r, ".noreturn"))
		proto.noreturn = true;
	ptx_add_stmt(r->m, r->f, PS_PROTO)->arg = r->f->protos.n;
	vec_last(&r->f->body).line = proto.line;
	vec_push(r->m->arena, &r->f->protos, proto);
	if (!good || !ptx_lex_expect(r, ';', "behind a prototype"))
		ptx_reader_resync(r);
}

static void parse_targets(Reader *r, u32 label, bool calls)
{
	PtxStmt *st = ptx_add_stmt(r->m, r->f, PS_TARGETS);
	st->arg = label;
	st->line = r->before.line;
	st->flags = calls ? PSF_CALLTARGETS : 0;
	do {
		if (r->t.kind != T_WORD) {
			ptx_reader_unexpected(r, calls ? "a function" : "a label");
			ptx_reader_resync(r);
			return;
		}
		StrId name = ptx_reader_name(r, r->t.text);
		ptx_add_operand(r->m, r->f, calls ? ptx_sym(name, 0) : ptx_label(0));
		if (!calls)
			ptx_label_use(r, name.i, ptx_lex_range(&r->t));
		else
			vec_push(r->m->arena, &r->symbol_uses, ((SymbolUse){name.i, ptx_lex_range(&r->t)}));
		ptx_lex_next(r);
	} while (ptx_lex_take(r, ','));
	if (!ptx_lex_expect(r, ';', "behind targets"))
		ptx_reader_resync(r);
}

/* `name:`; the name was read, the colon is at hand. */
static void parse_label(Reader *r, const Tok *at)
{
	u32 label = define_label(r, ptx_reader_name(r, at->text), at);
	ptx_lex_next(r);
	if (ptx_lex_take_dot(r, ".callprototype")) {
		parse_proto(r, label);
	} else if (ptx_lex_take_dot(r, ".branchtargets")) {
		parse_targets(r, label, false);
	} else if (ptx_lex_take_dot(r, ".calltargets")) {
		parse_targets(r, label, true);
	} else {
		ptx_add_stmt(r->m, r->f, PS_LABEL)->arg = label;
		vec_last(&r->f->body).line = at->line;
	}
}

/* ---- statements */

static void parse_directive(Reader *r)
{
	u32 line = r->t.line, space;
	if (ptx_lex_take_dot(r, ".reg")) {
		ptx_declare_regs(r, true);
	} else if (ptx_lex_take_dot(r, ".loc")) {
		u32 text = ptx_reader_name(r, ptx_lex_rest_of_line(r)).i;
		ptx_add_stmt(r->m, r->f, PS_LOC)->arg = text;
		vec_last(&r->f->body).line = line;
	} else if (ptx_lex_take_dot(r, ".pragma")) {
		u32 text = ptx_reader_name(r, r->t.text).i;
		if (r->t.kind != T_STRING)
			ptx_reader_unexpected(r, "a string");
		ptx_lex_next(r);
		ptx_add_stmt(r->m, r->f, PS_PRAGMA)->arg = text;
		vec_last(&r->f->body).line = line;
		ptx_lex_expect(r, ';', "behind .pragma");
	} else if ((space = isa_token_find(SLOT_space, (Str){r->t.text.p + 1, r->t.text.n - 1})) != 0) {
		ptx_lex_next(r);
		declare_var(r, space);
	} else {
		ptx_reader_unexpected(r, "a declaration or an instruction");
		ptx_reader_resync(r);
	}
}

static bool parse_brace(Reader *r)
{
	bool open = tok_is(r, '{');
	if (open && r->scopes.n >= READER_MAX_SCOPES) {
		diag_report(&r->s->diags, DIAG_PTX_DEPTH, ptx_lex_range(&r->t), "scopes");
		return false;
	}
	if (open)
		scope_open(r);
	else
		scope_close(r);
	if (r->scopes.n > (open ? 1 : 0)) {
		ptx_add_stmt(r->m, r->f, open ? PS_OPEN : PS_CLOSE);
		vec_last(&r->f->body).line = r->t.line;
	}
	ptx_lex_next(r);
	return true;
}

static void parse_statement(Reader *r)
{
	if (r->t.kind == T_WORD) {
		const char *p = r->p;
		while (p < r->end && (*p == ' ' || *p == '\t'))
			p++;
		if (p < r->end && *p == ':') {
			Tok at = r->t;
			ptx_lex_next(r);
			parse_label(r, &at);
			return;
		}
		ptx_parse_insn(r);
	} else if (r->t.kind == T_DOT) {
		parse_directive(r);
	} else if (tok_is(r, '@')) {
		ptx_parse_insn(r);
	} else if (!ptx_lex_take(r, ';')) {
		ptx_reader_unexpected(r, "an instruction");
		ptx_lex_next(r);
		ptx_reader_resync(r);
	}
}

/* Parameters of a function are names of its body; those in registers are registers. */
static void bind_params(Reader *r, const PtxVars *vars)
{
	for (u32 i = 0; i < vars->n; i++) {
		const PtxVar *v = &vars->p[i];
		if (v->space) {
			ptx_bind_set(r, v->name.i, (Binding){BIND_VAR, 0});
			continue;
		}
		u32 first = ptx_add_regs(r->m, r->f, v->name, v->type, 1, false);
		r->f->body.n--;
		ptx_bind_set(r, v->name.i, (Binding){BIND_REG, first});
	}
}

void ptx_parse_body(Reader *r)
{
	r->scopes.n = r->undo.n = r->scope_parent.n = 0;
	vec_push(r->m->arena, &r->scope_parent, 0u);
	map_clear(&r->labels);
	Tok open = r->t;
	parse_brace(r);
	bind_params(r, &r->f->params);
	bind_params(r, &r->f->rets);
	while (r->scopes.n && r->t.kind != T_EOF && !diags_full(&r->s->diags)) {
		if (tok_is(r, '{') || tok_is(r, '}')) {
			if (!parse_brace(r))
				break;
		} else {
			parse_statement(r);
		}
	}
	if (r->scopes.n && r->t.kind == T_EOF)
		diag_report(&r->s->diags, DIAG_PTX_UNCLOSED, ptx_lex_range(&open), STR_ARG(strtab_get(&r->s->strs, r->f->name)));
	while (r->scopes.n)
		scope_close(r);
	resolve_labels(r);
}
