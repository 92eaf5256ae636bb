/* defer.c: parses function bodies on demand and frees them after use.
 *
 *   ir_parse_deferred    parses everything except bodies, and records where each body begins in the text
 *   ir_read_body         parses one body, with the parser state kept from the rest of the module
 *   ir_give_back_body    frees the body's records for the next one
 *
 * Peak memory is then that of the largest function instead of the whole module, provided that no two bodies are needed
 * at once. A module is not deferred if it needs all bodies: for a blockaddress, for functions
 * whose parameter alignment depends on their callers, or for variables whose stored pointers are tracked. A library is: the
 * program that its bodies are copied into answers for these. Errors are not
 * reported here: the caller runs ir_parse, which reports all of them. Linear in the text. */
#include "ir/bitcode.h"
#include "ir/parse.h"
#include "ir/text.h"

/* ---- skipping bodies ---- */

static bool starts(const char *at, const char *end, const char *word)
{
	size_t n = strlen(word);
	return (size_t)(end - at) >= n && memcmp(at, word, n) == 0;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' ||
	       c == '$';
}

/* Looks for intrinsics that bodies call: one that is not declared has to be declared from its calls, which needs the
 * whole text. */
static void note_intrinsic(Parser *p, const char *at, const char *end)
{
	const char *stop = at;
	while (stop < end && is_name_char(*stop))
		stop++;
	u32 id = strtab_add(&p->s->strs, (Str){at, (u32)(stop - at)}).i, n = p->intrinsics.n;
	for (u32 i = n > 4 ? n - 4 : 0; i < n; i++)
		if (p->intrinsics.p[i] == id)
			return;
	vec_push(p->arena, &p->intrinsics, id);
}

static bool intrinsics_are_declared(const Parser *p)
{
	for (u32 i = 0; i < p->intrinsics.n; i++)
		if (!map_get(&p->names, p->intrinsics.p[i]))
			return false;
	return true;
}

/* What behind_braces looks at. */
static const bool stops[256] = {['\n'] = true, [';'] = true, ['"'] = true, ['/'] = true, ['{'] = true,
                                ['}'] = true,  ['.'] = true, ['@'] = true, ['k'] = true};

/* The position after the brace that matches the one at `at`, or NULL. Counts lines. */
static const char *behind_braces(Parser *p, const char *at, const char *end, u32 *line)
{
	u32 depth = 0;
	for (;; at++) {
		while (at < end && !stops[(u8)*at])
			at++;
		if (at == end)
			return NULL;
		switch (*at) {
		case '\n': ++*line; break;
		case ';':
			at = memchr(at, '\n', (size_t)(end - at));
			if (!at)
				return NULL;
			++*line;
			break;
		case '"':
			do {
				at++;
				if (at == end)
					return NULL;
				*line += *at == '\n';
			} while (*at != '"');
			break;
		case '/':
			if (end - at < 2 || at[1] != '*')
				break;
			for (at += 2; end - at > 1 && !(at[0] == '*' && at[1] == '/'); at++)
				*line += *at == '\n';
			if (end - at < 2)
				return NULL;
			at++;
			break;
		case '{': depth++; break;
		case '}':
			if (--depth == 0)
				return at + 1;
			break;
		case '.': p->m->variadic_bodies |= starts(at, end, "..."); break;
		case '@':
			p->undeferrable |= starts(at, end, "@\"llvm.");
			if (starts(at, end, "@llvm."))
				note_intrinsic(p, at + 1, end);
			break;
		case 'k': p->undeferrable |= starts(at - 4, end, "blockaddress"); break; /* the rarest letter of it */
		}
	}
}

/* The position after the next closing brace at the start of a line, where LLVM's printer ends a body. This is a guess, which
 * ir_read_body verifies. Lines are not counted, because ir_check_bodies reports no positions. */
static const char *behind_line_brace(const char *at, const char *end)
{
	while ((at = memchr(at + 1, '}', (size_t)(end - at - 1))) != NULL)
		if (at[-1] == '\n')
			return at + 1;
	return NULL;
}

static void continue_at(Parser *p, const char *at, u32 line)
{
	Lexer *l = &p->lexer;
	l->at = l->line_start = at;
	l->line = line;
	while (l->line_start > l->start && l->line_start[-1] != '\n')
		l->line_start--;
}

static bool is_register(const IrModule *m, IrType t)
{
	switch (ir_type_kind(m, t)) {
	case IRT_INT: return ir_type(m, t)->bits <= 64;
	case IRT_FLOAT:
	case IRT_DOUBLE:
	case IRT_PTR: return true;
	default: return false;
	}
}

/* Does the parameter alignment of a local function depend on its call sites? Not if result and parameters fit registers. */
static bool depends_on_callers(const IrModule *m, const IrFunc *f)
{
	if (!ir_linkage_is_local(ir_global(m, f->ref)->linkage))
		return false;
	IrType ret = ir_func_ret(m, ir_global(m, f->ref)->type);
	bool   plain = ir_type_kind(m, ret) == IRT_VOID || is_register(m, ret);
	for (u32 i = 0; i < f->n_args; i++)
		plain &= is_register(m, ir_arg(m, ir_func_arg(f, i))->type) && !ir_param_byval(m, f, i).i;
	return !plain;
}

void irp_pass_over_body(Parser *p, IrFunc *f)
{
	u32         index = ir_global(p->m, f->ref)->func, line = p->t.line;
	const char *end = p->checking ? behind_line_brace(p->t.p, p->lexer.end) : behind_braces(p, p->t.p, p->lexer.end, &line);
	if (p->bodies.n <= index)
		vec_extend(p->arena, &p->bodies, index + 1 - p->bodies.n);
	p->bodies.p[index] = (BodyPlace){p->t.p, end, p->t.line};
	f->body = IRB_DEFERRED;
	p->undeferrable |= !end;
	continue_at(p, end ? end : p->lexer.end, line);
	irp_next(p);
}

static bool has_pointer_stores(const IrModule *m)
{
	ir_each_global(m, g)
		if (ir_is_pointer_store(m, g) && !(ir_global(m, g)->flags & IRGF_CONSTANT))
			return true;
	return false;
}

void ir_note_lasting(IrModule *m)
{
	m->lasting.insts = m->insts.n;
	m->lasting.blocks = m->blocks.n;
	m->lasting.uses = m->uses[0].n;
	m->lasting.attach = m->attach.n;
	m->lasting.calls = m->calls.n;
	m->lasting.dbgrecs = m->dbgrecs.n;
	m->lasting.lists = m->lists.n;
	m->lasting.bundles = m->bundles.n;
}

void irp_note_names(Parser *p)
{
	map_init(&p->names, p->arena);
	ir_each_global(p->m, g)
		if (ir_global(p->m, g)->name.i)
			map_set(&p->names, ir_global(p->m, g)->name.i, ir_index(g));
}

bool ir_can_defer(const IrModule *m, IrManner how)
{
	if (how == IR_DEFER_LIBRARY || how == IR_DEFER_TO_CHECK)
		return true;
	ir_each_func(m, f)
		if (f->body == IRB_DEFERRED && depends_on_callers(m, f))
			return false;
	return !has_pointer_stores(m);
}

bool irp_can_defer(Parser *p)
{
	IrModule *m = p->m;
	if (p->undeferrable || !intrinsics_are_declared(p) || !ir_can_defer(m, p->how))
		return false;
	m->reader = p;
	order_init(&p->order, m);
	ir_note_lasting(m);
	p->globals_forward.n = p->global_use.n = 0;
	p->types_undefined.n = p->type_use.n = 0;
	p->mds_forward.n = p->md_use.n = 0;
	p->fixups.n = 0;
	return true;
}

/* ---- reading ---- */

bool ir_read_body(IrModule *m, IrFunc *f)
{
	if (m->bitcode)
		return bc_read_body(m, f);
	Parser   *p = m->reader;
	u32       before = m->s->diags.list.n;
	BodyPlace b = p->bodies.p[ir_global(m, f->ref)->func];
	p->panic = false;
	continue_at(p, b.at, b.line);
	irp_next(p);
	f->body = IRB_HERE;
	p->param_nums.n = 0;
	irp_body(p, f);
	irp_resolve_groups(p);
	p->fixups.n = 0;
	ir_names_changed(m);
	if (p->checking && p->last_end != b.end)
		return false;
	if (m->use_lists && m->outdated.n && m->s->diags.list.n == before && !ir_upgrade_calls(m))
		return false;
	return m->s->diags.list.n == before && !p->addresses.n && !p->globals_forward.n && !p->types_undefined.n &&
	       !p->mds_forward.n;
}

BodyOrder *ir_body_order(const IrModule *m) { return m->bitcode ? &m->bitcode->order : &m->reader->order; }

bool ir_read_body_again(IrModule *m, IrFunc *f)
{
	ir_give_back_body(m, f);
	m->use_lists = true;
	return ir_read_body(m, f);
}

/* ---- giving back ---- */

static bool is_stand_in(const IrFunc *f, u32 use)
{
	return use & IR_LASTING_USE && use != f->extra[0] && use != f->extra[1] && use != f->extra[2];
}

IrFunc *ir_use_func(const IrModule *m, u32 use)
{
	IrRef user = ir_use(m, use)->user;
	if (ir_kind(user) == IR_INST)
		return ir_func(m, ir_block(m, ir_inst(m, user)->block)->func);
	IrFunc *f = ir_func(m, user);
	return f && is_stand_in(f, use) ? f : NULL;
}

/* Leaves one use of `value` with the function as user in place of the body's uses. It is added at the head of the use list,
 * so that the check for an existing one looks at the head only. */
static void stand_in(IrModule *m, IrFunc *f, IrRef value)
{
	u32 head = ir_first_use(m, value);
	if (head && ir_same(ir_use(m, head)->user, f->ref) && is_stand_in(f, head))
		return;
	u32 use = ir_lasting_uses(m, 1);
	ir_use(m, use)->user = f->ref;
	ir_set_use(m, use, value);
}

static void forget_metadata_of_locals(IrModule *m)
{
	for (u32 i = 0; i < m->local_md.n; i++)
		if (map_get(&m->value_md, m->local_md.p[i]))
			map_remove(&m->value_md, m->local_md.p[i]);
	m->local_md.n = 0;
}

void ir_give_back_body(IrModule *m, IrFunc *f)
{
	for (u32 u = m->lasting.uses; u < m->uses[0].n && m->use_lists; u++) {
		IrRef  v = ir_use(m, u)->value;
		IrKind k = ir_kind(v);
		if (k < IR_CONST && k != IR_ARG)
			continue;
		ir_set_use(m, u, IR_NO_REF);
		if (k == IR_GLOBAL || (k == IR_CONST && ir_const(m, v)->n_ops))
			stand_in(m, f, v);
	}
	forget_metadata_of_locals(m);
	ir_names_changed(m);
	f->first = f->last = IR_NO_REF;
	f->n_blocks = 0;
	f->body = IRB_GIVEN_BACK;
	pages_rewind(&m->insts, m->lasting.insts); /* ir_inst_make clears them, and so on: internal.h */
	pages_truncate(&m->inst_infos, m->lasting.insts);
	pages_rewind(&m->blocks, m->lasting.blocks);
	pages_rewind(&m->uses[0], m->lasting.uses);
	pages_rewind(&m->calls, m->lasting.calls); /* ir_call_new fills them in */
	pages_truncate(&m->attach, m->lasting.attach);
	pages_truncate(&m->dbgrecs, m->lasting.dbgrecs);
	m->lists.n = m->lasting.lists;
	m->bundles.n = m->lasting.bundles;
}
