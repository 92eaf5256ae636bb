/* parse.c: the PTX reader's part for the top level: directives, variables, and signatures of functions. After an error it
 * continues behind the next semicolon. */
#include "ptx/reader.h"

static void error_at(Reader *r, DiagCode code, const Tok *t)
{
	diag_report(&r->s->diags, code, ptx_lex_range(t), STR_ARG(t->text));
	r->errors_at_line = t->line;
}

/* ---- pieces */

u32 ptx_parse_u32(Reader *r, const char *what)
{
	Tok        at = r->t;
	ConstValue v;
	if (!ptx_const_starts(r)) {
		ptx_reader_unexpected(r, what);
		return 0;
	}
	if (!ptx_const_expr_in_range(r, &v))
		return 0;
	if (v.is_float || v.bits > UINT32_MAX)
		error_at(r, DIAG_PTX_NUMBER, &at);
	return (u32)v.bits;
}

u64 ptx_parse_extent(Reader *r)
{
	ConstValue v = {0};
	Tok        at = r->t;
	if (ptx_const_expr_in_range(r, &v) && (v.is_float || (!v.is_unsigned && v.bits > INT64_MAX)))
		error_at(r, DIAG_PTX_NUMBER, &at);
	return v.bits;
}

/* b33, u2: a letter and a width that no register has, as llc prints them for odd integers. */
static bool is_odd_type(Str s)
{
	if (s.n < 2 || s.n > 6 || (s.p[0] != 'b' && s.p[0] != 'u' && s.p[0] != 's'))
		return false;
	for (u32 i = 1; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

bool ptx_parse_type(Reader *r, u8 *type, StrId *odd)
{
	Str word = {r->t.text.p + 1, r->t.text.n - 1};
	*type = 0;
	if (r->t.kind == T_DOT) {
		*type = (u8)isa_token_find(SLOT_type, word);
		if (*type || (odd && is_odd_type(word))) {
			if (!*type)
				*odd = ptx_reader_name(r, word);
			ptx_lex_next(r);
			return true;
		}
	}
	ptx_reader_unexpected(r, "a type");
	return false;
}

static u32 space_of(const Reader *r)
{
	return r->t.kind == T_DOT ? isa_token_find(SLOT_space, (Str){r->t.text.p + 1, r->t.text.n - 1}) : 0;
}

/* What stands between parentheses, as it is; the opening one was taken. */
static Str take_parenthesised(Reader *r)
{
	Str s = {r->t.text.p, 0};
	for (u32 depth = 1; r->t.kind != T_EOF && !tok_is(r, ';'); ptx_lex_next(r)) {
		if (tok_is(r, '('))
			depth++;
		else if (tok_is(r, ')') && --depth == 0)
			break;
		s.n = (u32)(r->t.text.p + r->t.text.n - s.p);
	}
	ptx_lex_expect(r, ')', "behind an attribute");
	return s;
}

static void parse_attribute(Reader *r, StrId *other, bool *managed)
{
	if (!ptx_lex_expect(r, '(', "behind .attribute"))
		return;
	Str s = take_parenthesised(r);
	if (managed && str_is(s, ".managed"))
		*managed = true;
	else
		*other = ptx_reader_name(r, s);
}

static u32 parse_align(Reader *r)
{
	Tok at = r->t;
	u32 n = ptx_parse_u32(r, "an alignment");
	/* llc-19 prints 0 for a dynamic alloca without one */
	if (n & (n - 1))
		error_at(r, DIAG_PTX_ALIGN, &at);
	return n;
}

/* ---- initialisers */

static bool init_symbol(Reader *r, PtxInit *in)
{
	if (r->t.kind == T_WORD && str_is(r->t.text, "generic")) {
		ptx_lex_next(r);
		in->generic = true;
		if (!ptx_lex_expect(r, '(', "behind generic"))
			return false;
	}
	if (r->t.kind != T_WORD && r->t.kind != T_DOT) {
		ptx_reader_unexpected(r, "a symbol");
		return false;
	}
	in->kind = PI_SYM;
	in->name = ptx_reader_name(r, r->t.text);
	Tok at = r->t;
	ptx_lex_next(r);
	if (in->generic && !ptx_lex_expect(r, ')', "behind generic(symbol"))
		return false;
	if (tok_is(r, '+') || tok_is(r, '-')) {
		ConstValue v;
		if (!ptx_const_expr(r, &v))
			return false;
		in->bits = v.bits;
	}
	if (tok_is(r, '=')) { /* a sampler's field: name = value */
		in->kind = PI_FIELD;
		ptx_lex_next(r);
	} else if (ptx_bind_of(r, in->name.i)->kind != BIND_VAR) { /* of the body, in a body */
		vec_push(r->m->arena, &r->symbol_uses, ((SymbolUse){in->name.i, ptx_lex_range(&at)}));
	}
	return true;
}

static bool init_element(Reader *r, PtxInit *in, const PtxVar *v)
{
	*in = (PtxInit){0};
	if (!ptx_const_starts(r) || (r->t.kind == T_WORD))
		return init_symbol(r, in);
	ConstValue c;
	if (!ptx_const_expr(r, &c))
		return false;
	if (!c.is_float && tok_is(r, '(')) { /* 0xFF00(symbol) */
		ptx_lex_next(r);
		in->mask = c.bits;
		return init_symbol(r, in) && ptx_lex_expect(r, ')', "behind a masked symbol");
	}
	if (c.is_decimal && v->type == TOK_type_f32) {
		c.bits = ptx_f64_to_f32_bits(c.bits);
		c.is_f32 = true;
	}
	in->kind = c.is_f32 ? PI_F32 : c.is_float ? PI_F64 : PI_INT;
	in->bits = c.bits;
	in->is_unsigned = c.is_unsigned && c.bits > INT64_MAX;
	return true;
}

static bool parse_init(Reader *r, PtxVar *v)
{
	u32 depth = 0;
	do {
		PtxInit in = {0};
		if (tok_is(r, '{') || tok_is(r, '}')) {
			bool open = tok_is(r, '{');
			in.kind = open ? PI_OPEN : PI_CLOSE;
			depth += open ? 1 : UINT32_MAX;
			ptx_lex_next(r);
		} else if (!init_element(r, &in, v)) {
			return false;
		}
		vec_push(r->m->arena, &v->init, in);
		if (in.kind != PI_OPEN && in.kind != PI_FIELD && depth && !tok_is(r, '}') &&
		    !ptx_lex_expect(r, ',', "or '}' in an initialiser"))
			return false;
	} while (depth && r->t.kind != T_EOF);
	/* words of a sampler's fields are no symbols */
	for (u32 i = 1; v->opaque && i < v->init.n; i++)
		if (v->init.p[i - 1].kind == PI_FIELD && v->init.p[i].kind == PI_SYM) {
			v->init.p[i].kind = PI_WORD;
			r->symbol_uses.n--;
		}
	return true;
}

/* ---- variables */

static bool parse_var_type(Reader *r, PtxVar *v)
{
	static const char *const opaque[] = {"", ".texref", ".samplerref", ".surfref"};
	for (u8 i = 1; i < PS_COUNT(opaque); i++)
		if (ptx_lex_take_dot(r, opaque[i])) {
			v->opaque = i;
			return true;
		}
	return ptx_parse_type(r, &v->type, &v->odd_type);
}

static bool parse_modifier(Reader *r, PtxVar *v)
{
	if (ptx_lex_take_dot(r, ".align"))
		v->align = parse_align(r);
	else if (ptx_lex_take_dot(r, ".attribute"))
		parse_attribute(r, &v->attribute, &v->managed);
	else if (tok_dot(r, ".v2") || tok_dot(r, ".v4"))
		v->vec = (u8)(r->t.text.p[2] - '0'), ptx_lex_next(r);
	else
		return false;
	return true;
}

static void parse_ptr(Reader *r, PtxVar *v)
{
	v->ptr = 1;
	u32 space = space_of(r);
	if (space) {
		v->ptr = 2;
		v->ptr_space = (u8)space;
		ptx_lex_next(r);
	}
	if (ptx_lex_take_dot(r, ".align"))
		v->ptr_align = parse_align(r);
}

static bool parse_initial(Reader *r, PtxVar *v)
{
	Tok at = r->t;
	if (!ptx_lex_take(r, '='))
		return true;
	if (!v->opaque && v->space != TOK_space_global && v->space != TOK_space_const)
		diag_report(&r->s->diags, DIAG_PTX_INITIAL, ptx_lex_range(&at), STR_ARG(strtab_get(&r->s->strs, v->name)));
	return parse_init(r, v);
}

bool ptx_parse_declarator(Reader *r, PtxVar *v, bool is_param)
{
	/* llc-19 may print names that begin with a dot */
	bool named = r->t.kind == T_WORD || (r->t.kind == T_DOT && !is_param);
	if (!named && !is_param) {
		ptx_reader_unexpected(r, "a name");
		return false;
	}
	if (named) {
		v->line = r->t.line;
		v->name = ptx_reader_name(r, r->t.text);
		ptx_lex_next(r);
	}
	if (ptx_lex_take(r, '<')) {
		v->range = ptx_parse_u32(r, "a number");
		if (!ptx_lex_expect(r, '>', "behind a range"))
			return false;
	}
	while (ptx_lex_take(r, '[')) {
		v->is_array = true;
		u64 n = tok_is(r, ']') ? 0 : ptx_parse_extent(r);
		vec_push(r->m->arena, &v->dims, n);
		if (!ptx_lex_expect(r, ']', "behind an extent"))
			return false;
	}
	return parse_initial(r, v);
}

bool ptx_parse_var(Reader *r, PtxVar *v, bool is_param)
{
	while (parse_modifier(r, v))
		;
	if (!parse_var_type(r, v))
		return false;
	while (parse_modifier(r, v) || tok_dot(r, ".ptr"))
		if (ptx_lex_take_dot(r, ".ptr"))
			parse_ptr(r, v);
	return ptx_parse_declarator(r, v, is_param);
}

bool ptx_parse_params(Reader *r, PtxVars *vars)
{
	if (!ptx_lex_expect(r, '(', "before parameters"))
		return false;
	while (!tok_is(r, ')')) {
		PtxVar v = {.space = TOK_space_param, .line = r->t.line};
		if (ptx_lex_take_dot(r, ".reg")) {
			v.space = 0;
		} else if (!ptx_lex_take_dot(r, ".param")) {
			ptx_reader_unexpected(r, ".param or .reg");
			return false;
		}
		if (!ptx_parse_var(r, &v, true))
			return false;
		vec_push(r->m->arena, vars, v);
		if (!tok_is(r, ')') && !ptx_lex_expect(r, ',', "or ')' between parameters"))
			return false;
	}
	ptx_lex_next(r);
	return true;
}

static void declare_global(Reader *r, StrId name) { map_set(&r->globals, name.i, 1); }

static void parse_global_var(Reader *r, u32 space, PtxLinkage linkage)
{
	PtxVar head = {.space = (u8)space, .linkage = (u8)linkage, .line = r->t.line};
	while (parse_modifier(r, &head))
		;
	if (!parse_var_type(r, &head)) {
		ptx_reader_resync(r);
		return;
	}
	while (parse_modifier(r, &head))
		;
	do {
		PtxVar *v = ptx_add_var(r->m);
		*v = head;
		if (!ptx_parse_declarator(r, v, false)) {
			ptx_reader_resync(r);
			return;
		}
		declare_global(r, v->name);
	} while (ptx_lex_take(r, ','));
	if (!ptx_lex_expect(r, ';', "behind a declaration"))
		ptx_reader_resync(r);
}

/* ---- functions */

static bool parse_tuning(Reader *r, PtxFunc *f)
{
	if (r->t.kind != T_DOT)
		return false;
	PtxTuning t = {.name = ptx_reader_name(r, r->t.text)};
	Tok       at = r->t;
	ptx_lex_next(r);
	if (r->t.kind == T_STRING) {
		t.text = ptx_reader_name(r, r->t.text);
		ptx_lex_next(r);
		ptx_lex_expect(r, ';', "behind a .pragma");
	}
	while (r->t.kind == T_INT) {
		if (t.n == PS_COUNT(t.value)) {
			error_at(r, DIAG_PTX_TUNING, &at);
			break;
		}
		t.value[t.n++] = ptx_parse_u32(r, "a number");
		if (!ptx_lex_take(r, ','))
			break;
	}
	vec_push(r->m->arena, &f->tuning, t);
	return true;
}

static bool same_sizes(const PtxVars *a, const PtxVars *b)
{
	bool same = a->n == b->n;
	for (u32 i = 0; same && i < a->n; i++)
		same = ptx_var_size(&a->p[i]) == ptx_var_size(&b->p[i]);
	return same;
}

/* A function may be declared often and has one body; all its declarations agree. `at`: its name. */
static void check_redeclared(Reader *r, PtxFunc *f, const Tok *at)
{
	bool     fresh;
	u64     *known = map_put(&r->funcs, f->name.i, &fresh);
	PtxFunc *before = fresh ? f : r->m->funcs.p[*known];
	if (!same_sizes(&f->params, &before->params) || !same_sizes(&f->rets, &before->rets))
		error_at(r, DIAG_PTX_REDECLARED, at);
	else if (!fresh && f->has_body && before->has_body)
		error_at(r, DIAG_PTX_TWICE, at);
	if (fresh || f->has_body)
		*known = r->m->funcs.n - 1;
}

static void parse_func(Reader *r, PtxLinkage linkage, bool is_entry)
{
	PtxFunc *f = ptx_add_func(r->m);
	f->linkage = (u8)linkage;
	f->is_entry = is_entry;
	f->line = r->t.line;
	if (ptx_lex_take_dot(r, ".attribute"))
		parse_attribute(r, &f->attribute, NULL);
	while (tok_dot(r, ".noreturn") && parse_tuning(r, f))
		;
	if (tok_is(r, '(') && !ptx_parse_params(r, &f->rets)) {
		ptx_reader_resync(r);
		return;
	}
	if (r->t.kind != T_WORD && r->t.kind != T_DOT) {
		ptx_reader_unexpected(r, "the function's name");
		ptx_reader_resync(r);
		return;
	}
	Tok at = r->t;
	f->name = ptx_reader_name(r, r->t.text);
	declare_global(r, f->name);
	ptx_lex_next(r);
	if (tok_is(r, '(') && !ptx_parse_params(r, &f->params)) {
		ptx_reader_resync(r);
		return;
	}
	while (parse_tuning(r, f))
		;
	r->f = f;
	f->has_body = tok_is(r, '{');
	check_redeclared(r, f, &at);
	if (ptx_lex_take(r, ';'))
		return;
	if (!tok_is(r, '{')) {
		ptx_reader_unexpected(r, "a body or ';'");
		ptx_reader_resync(r);
		return;
	}
	ptx_parse_body(r);
	ptx_lex_take(r, ';');
}

/* ---- directives of the module */

static void parse_version(Reader *r)
{
	Tok at = r->t;
	Str s = r->t.text;
	u32 dot = 0, major = 0, minor = 0;
	while (dot < s.n && s.p[dot] != '.')
		dot++;
	bool good = r->t.kind == T_FLOAT && dot && dot + 2 == s.n && dot <= 3;
	for (u32 i = 0; good && i < dot; i++)
		major = major * 10 + (u32)(s.p[i] - '0');
	if (good)
		minor = (u32)(s.p[dot + 1] - '0');
	else
		error_at(r, DIAG_PTX_VERSION, &at);
	r->m->version = major * 10 + minor;
	ptx_lex_next(r);
}

static void parse_target(Reader *r)
{
	Text t;
	text_init(&t, r->m->arena);
	do {
		if (r->t.kind != T_WORD) {
			ptx_reader_unexpected(r, "a target");
			return;
		}
		if (t.n)
			text_s(&t, ", ");
		text_add(&t, r->t.text);
		ptx_lex_next(r);
	} while (ptx_lex_take(r, ','));
	r->m->target = ptx_reader_name(r, text_str(&t));
}

/* `.section name { bytes }`, kept as it is. */
static void parse_section(Reader *r)
{
	Str s = {r->t.text.p, 0};
	u32 line = r->t.line;
	while (r->t.kind != T_EOF && !tok_is(r, '}'))
		ptx_lex_next(r);
	s.n = (u32)(r->t.text.p + r->t.text.n - s.p);
	ptx_lex_expect(r, '}', "behind a section");
	ptx_add_item(r->m, PT_SECTION, ptx_reader_name(r, s));
	vec_last(&r->m->items).line = line;
}

static void parse_alias(Reader *r)
{
	Str a = r->t.text;
	ptx_lex_next(r);
	if (!ptx_lex_expect(r, ',', "between an alias and its function"))
		return;
	Text t;
	text_init(&t, r->m->arena);
	text_f(&t, "%.*s, %.*s", STR_ARG(a), STR_ARG(r->t.text));
	declare_global(r, ptx_reader_name(r, a));
	ptx_lex_next(r);
	ptx_add_item(r->m, PT_ALIAS, ptx_reader_name(r, text_str(&t)));
	ptx_lex_expect(r, ';', "behind .alias");
}

static void parse_pragma(Reader *r)
{
	if (r->t.kind != T_STRING) {
		ptx_reader_unexpected(r, "a string");
		ptx_reader_resync(r);
		return;
	}
	ptx_add_item(r->m, PT_PRAGMA, ptx_reader_name(r, r->t.text));
	ptx_lex_next(r);
	ptx_lex_expect(r, ';', "behind .pragma");
}

static void parse_declaration(Reader *r)
{
	static const char *const words[] = {"", ".visible", ".extern", ".weak", ".common"};
	PtxLinkage               linkage = PTX_INTERNAL;
	for (u32 i = 1; i < PS_COUNT(words);)
		if (ptx_lex_take_dot(r, words[i]))
			linkage = (PtxLinkage)i, i = 1;
		else
			i++;
	u32 space = space_of(r);
	if (tok_dot(r, ".entry") || tok_dot(r, ".func")) {
		bool entry = tok_dot(r, ".entry");
		ptx_lex_next(r);
		parse_func(r, linkage, entry);
	} else if (space) {
		ptx_lex_next(r);
		parse_global_var(r, space, linkage);
	} else if (ptx_lex_take_dot(r, ".tex")) { /* older than .texref */
		parse_global_var(r, TOK_space_global, linkage);
	} else {
		ptx_reader_unexpected(r, "a directive, a variable or a function");
		ptx_reader_resync(r);
	}
}

static void parse_top(Reader *r)
{
	if (ptx_lex_take_dot(r, ".version"))
		parse_version(r);
	else if (ptx_lex_take_dot(r, ".target"))
		parse_target(r);
	else if (ptx_lex_take_dot(r, ".address_size"))
		r->m->address_size = ptx_parse_u32(r, "32 or 64");
	else if (ptx_lex_take_dot(r, ".file"))
		ptx_add_item(r->m, PT_FILE, ptx_reader_name(r, ptx_lex_rest_of_line(r)));
	else if (ptx_lex_take_dot(r, ".section"))
		parse_section(r);
	else if (ptx_lex_take_dot(r, ".alias"))
		parse_alias(r);
	else if (ptx_lex_take_dot(r, ".pragma"))
		parse_pragma(r);
	else if (r->t.kind == T_DOT)
		parse_declaration(r);
	else if (ptx_lex_take(r, '}') || ptx_lex_take(r, ';'))
		;                                                        /* left over by an error before */
	else if (r->t.kind == T_WORD && str_starts(r->t.text, "$L__")) { /* labels around debug sections */
		ptx_lex_next(r);
		ptx_lex_take(r, ':');
	} else {
		ptx_reader_unexpected(r, "a directive");
		ptx_reader_resync(r);
	}
}

static void check_symbols(Reader *r)
{
	for (u32 i = 0; i < r->symbol_uses.n; i++) {
		SymbolUse u = r->symbol_uses.p[i];
		if (!map_get(&r->globals, u.name))
			diag_report(&r->s->diags, DIAG_PTX_SYMBOL, u.at, STR_ARG(strtab_get(&r->s->strs, (StrId){u.name})));
	}
}

static bool looks_like_bitcode(Str text)
{
	return text.n >= 4 && (memcmp(text.p, "BC\xC0\xDE", 4) == 0 || memcmp(text.p,
	                                                                      "\x7f"
	                                                                      "ELF",
	                                                                      4) == 0);
}

PtxModule *ptx_parse(Session *s, Arena *arena, Str text)
{
	PtxModule *m = ptx_module_new(s, arena);
	Reader    *r = arena_new(arena, Reader);
	if (!text.n)
		text = STR("");
	*r = (Reader){.s = s, .m = m, .p = text.p, .end = text.p + text.n, .line_start = text.p, .line = 1};
	map_init(&r->globals, arena);
	map_init(&r->labels, arena);
	map_init(&r->funcs, arena);
	map_set(&r->globals, strtab_add(&s->strs, STR("vprintf")).i, 1);
	if (looks_like_bitcode(text)) {
		diag_report(&s->diags, DIAG_PTX_BINARY, src_at(1, 1));
		return m;
	}
	ptx_lex_next(r);
	while (r->t.kind != T_EOF && !diags_full(&s->diags))
		parse_top(r);
	if (!m->items.n && !m->version && !s->diags.errors)
		diag_report(&s->diags, DIAG_PTX_EMPTY, src_at(1, 1));
	check_symbols(r);
	return m;
}
