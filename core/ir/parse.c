/* parse.c: parses the module level: variables, functions, aliases, comdats, named metadata, attribute groups.
 *
 * Recursive descent with one token of lookahead. At the end of the module it resolves forward references, upgrades older IR
 * and checks that structs do not contain themselves. Linear in the text. */
#include "base/sort.h"
#include "ir/bitcode.h"
#include "ir/bitcode_file.h"
#include "ir/intrinsic.h"
#include "ir/parse.h"
#include "ir/signature.h"
#include "ir/text.h"
#include "ir/upgrade.h"

/* ---- globals ---- */

typedef struct GlobalHead {
	u8   linkage, visibility, tls, unnamed_addr;
	u16  flags;
	bool has_linkage;
} GlobalHead;

static u8 thread_local_model(Parser *p)
{
	u8 model = IRTLS_GENERAL;
	if (!accept(p, '('))
		return model;
	if (accept_word(p, W_LOCALDYNAMIC))
		model = IRTLS_LOCALDYNAMIC;
	else if (accept_word(p, W_INITIALEXEC))
		model = IRTLS_INITIALEXEC;
	else if (accept_word(p, W_LOCALEXEC))
		model = IRTLS_LOCALEXEC;
	else
		irp_expected(p, "localdynamic, initialexec or localexec");
	irp_expect(p, ')', "')'");
	return model;
}

/* Linkage, dso_local, visibility, dll storage, thread_local, unnamed_addr, in any order. */
static GlobalHead global_head(Parser *p)
{
	GlobalHead h = {0};
	for (;;) {
		if (at(p, T_WORD) && p->t.word && p->t.word->linkage && !h.has_linkage) {
			h.linkage = (u8)(p->t.word->linkage - 1);
			h.has_linkage = true;
			irp_next(p);
		} else if (accept_word(p, W_DSO_LOCAL)) {
			h.flags |= IRGF_DSO_LOCAL;
		} else if (accept_word(p, W_DSO_PREEMPTABLE)) {
			continue;
		} else if (accept_word(p, W_DEFAULT)) {
			h.visibility = IRV_DEFAULT;
		} else if (accept_word(p, W_HIDDEN)) {
			h.visibility = IRV_HIDDEN;
		} else if (accept_word(p, W_PROTECTED)) {
			h.visibility = IRV_PROTECTED;
		} else if (accept_word(p, W_DLLIMPORT)) {
			h.flags |= IRGF_DLLIMPORT;
		} else if (accept_word(p, W_DLLEXPORT)) {
			h.flags |= IRGF_DLLEXPORT;
		} else if (accept_word(p, W_THREAD_LOCAL)) {
			h.tls = thread_local_model(p);
		} else if (accept_word(p, W_UNNAMED_ADDR)) {
			h.unnamed_addr = IRUA_GLOBAL;
		} else if (accept_word(p, W_LOCAL_UNNAMED_ADDR)) {
			h.unnamed_addr = IRUA_LOCAL;
		} else {
			return h;
		}
	}
}

/* The record of the global being defined: a new one, or the one its uses made. `name` none, or @"": numbered. */
static IrRef define_global(Parser *p, const Token *name, IrGlobalKind kind, IrType type, u32 space, const GlobalHead *h)
{
	IrModule *m = p->m;
	IrRef     g = IR_NO_REF;
	StrId     id = {0};
	IrType    ptr = ir_ptr_type(m, space);
	u32       known;
	bool      has_number = name && name->kind == T_GLOBAL_NUM;
	if (name && name->kind == T_GLOBAL && name->text.n) {
		id = strtab_add(&p->s->strs, name->escaped ? ir_lex_unescape(p->arena, name->text) : name->text);
		known = (u32)map_or(&m->symbols, id.i, 0);
	} else {
		if (has_number && (name->num < p->next_global || name->num > UINT32_MAX - 1)) {
			PARSE_ERROR(p, irp_range_of(p, token_spot(name)), IR_NUMBERING, p->next_global,
			            (int)(name->end - name->p), name->p);
			return g;
		}
		p->next_global = has_number ? (u32)name->num : p->next_global; /* numbers may be left out */
		known = irp_num_get(&p->globals_num, p->next_global);
	}
	if (known && ir_global(m, ir_ref(IR_GLOBAL, known))->kind != IRG_NONE) {
		PARSE_ERROR(p, name ? irp_range_of(p, token_spot(name)) : irp_token_range(p), IR_REDEFINED,
		            name ? (int)(name->end - name->p) : 6, name ? name->p : "global");
		return g;
	}
	g = ir_ref(IR_GLOBAL, known ? known : pages_new(&m->globals));
	IrGlobal *rec = ir_global(m, g);
	if (known && !ir_type_same(rec->ptr, ptr)) {
		for (u32 i = 0; i < p->globals_forward.n; i++)
			if (p->globals_forward.p[i] == known)
				PARSE_ERROR(p, p->global_use.p[i], IR_TYPE_MISMATCH, (int)(name ? name->end - name->p : 0),
				            name ? name->p : "", STR_ARG(irp_type_text(p, ptr)),
				            STR_ARG(irp_type_text(p, rec->ptr)));
		return IR_NO_REF;
	}
	if (id.i)
		map_set(&m->symbols, id.i, ir_index(g));
	else
		irp_num_set(p, &p->globals_num, p->next_global++, ir_index(g));
	rec->kind = (u8)kind;
	rec->name = id;
	rec->type = type;
	rec->ptr = ptr;
	rec->addrspace = space;
	rec->linkage = h->linkage;
	rec->visibility = h->visibility;
	rec->tls = h->tls;
	rec->unnamed_addr = h->unnamed_addr;
	rec->flags = (u16)(h->flags | IRGF_DECLARED);
	if (ir_linkage_is_local(h->linkage) || (h->visibility != IRV_DEFAULT && h->linkage != IRL_EXTERN_WEAK))
		rec->flags &= (u16)~IRGF_DSO_LOCAL; /* goes without saying */
	rec->origin = name ? name->line : p->t.line;
	vec_push(p->arena, &m->order, ir_index(g));
	return g;
}

static u32 comdat_named(Parser *p, StrId name, SrcRange place)
{
	for (u32 i = 0; i < p->m->comdats.n; i++)
		if (p->m->comdats.p[i].name.i == name.i)
			return i + 1;
	vec_push(p->arena, &p->m->comdats, ((IrComdat){name, {0}}));
	vec_push(p->arena, &p->comdat_use, place);
	return p->m->comdats.n;
}

/* comdat, comdat($x): behind the word */
static u32 comdat_of(Parser *p, IrRef g)
{
	StrId    name = ir_global(p->m, g)->name;
	SrcRange place = irp_here(p);
	if (accept(p, '(')) {
		if (!at(p, T_COMDAT)) {
			irp_expected(p, "$name");
			return 0;
		}
		name = irp_token_strid(p);
		place = irp_token_range(p);
		irp_next(p);
		irp_expect(p, ')', "')'");
	}
	return p->panic ? 0 : comdat_named(p, name, place);
}

static void code_model(Parser *p, StrId *out)
{
	static const char *const models[] = {"tiny", "small", "kernel", "medium", "large"};
	for (u32 i = 0; i < PS_COUNT(models) && at(p, T_STRING); i++)
		if (str_is(p->t.text, models[i])) {
			irp_string(p, out);
			return;
		}
	irp_expected(p, "\"tiny\", \"small\", \"kernel\", \"medium\" or \"large\"");
}

static bool sanitizer_word(Parser *p, IrGlobal *g)
{
	for (u32 i = 0; i < IR_SANITIZER_WORDS && at(p, T_WORD); i++)
		if (str_is(p->t.text, ir_sanitizer_words[i])) {
			g->flags |= (u16)(IRGF_SANITIZE << i);
			irp_next(p);
			return true;
		}
	return false;
}

static void variable_suffix(Parser *p, IrRef g)
{
	IrGlobal *rec = ir_global(p->m, g);
	p->comma_read = false;
	while (!p->panic && accept(p, ',')) {
		if (at(p, T_MD_NAME)) {
			p->comma_read = true;
			u32 md = irp_attachments(p, NULL, true);
			ir_global(p->m, g)->md = md;
			break;
		}
		if (accept_word(p, W_SECTION))
			irp_string(p, &rec->section);
		else if (accept_word(p, W_PARTITION))
			irp_string(p, &rec->partition);
		else if (accept_word(p, W_ALIGN))
			rec->align = irp_align_value(p);
		else if (accept_word(p, W_COMDAT))
			rec->comdat = comdat_of(p, g);
		else if (accept_word(p, W_CODE_MODEL))
			code_model(p, &rec->code_model);
		else if (!sanitizer_word(p, rec) && !(at(p, T_WORD) && p->t.word && p->t.word->attr && (irp_next(p), true)))
			irp_expected(p, "section, partition, comdat, align or metadata");
	}
	u32 groups = p->group_stack.n, from = p->attrs.n;
	if (!p->panic)
		irp_attrs(p, PLACE_VAR);
	IrAttrs a = irp_take_attrs(p, from);
	rec->attrs = a;
	irp_fixup(p, FIX_VAR, ir_index(g), groups);
}

static void variable(Parser *p, const Token *name, GlobalHead h)
{
	u32 space = at_word(p, W_ADDRSPACE) ? irp_addrspace(p) : 0;
	if (accept_word(p, W_EXTERNALLY_INITIALIZED))
		h.flags |= IRGF_EXTERNALLY_INIT;
	if (accept_word(p, W_CONSTANT))
		h.flags |= IRGF_CONSTANT;
	else
		irp_expect_word(p, W_GLOBAL, "'global' or 'constant'");
	Spot   from = spot(p);
	IrType t = irp_type(p);
	if (p->panic)
		return;
	u32 k = ir_type_kind(p->m, t);
	if (k == IRT_TOKEN || k == IRT_X86_AMX) {
		PARSE_ERROR(p, irp_range_from(p, &from), IR_NO_VALUE_TYPE, STR_ARG(irp_type_text(p, t)));
		return;
	}
	IrRef g = define_global(p, name, IRG_VAR, t, space, &h);
	bool  external = h.has_linkage && (h.linkage == IRL_EXTERNAL || h.linkage == IRL_EXTERN_WEAK);
	if (!p->panic && !external)
		ir_global_set_init(p->m, g, irp_const(p, t));
	if (!p->panic)
		variable_suffix(p, g);
}

/* TYPE, what it stands for [, partition "NAME"]; an ifunc: its resolver, and metadata may follow */
static void alias(Parser *p, const Token *name, IrGlobalKind kind, GlobalHead h)
{
	IrType t = irp_any_type(p);
	irp_expect(p, ',', "','");
	/* A constant expression is written without a preceding type here; its type is the result type of the expression. */
	IrRef v = at(p, T_WORD) && p->t.word && p->t.word->op ? irp_const_expr(p) : irp_type_value(p);
	if (p->panic)
		return;
	IrType pt = ir_type_of(p->m, v);
	if (!ir_type_is_ptr(p->m, pt)) {
		irp_unexpected(p, kind == IRG_ALIAS ? "a pointer as what the alias stands for" : "a pointer to the resolver");
		return;
	}
	if (kind == IRG_IFUNC) { /* LLVM reads them, and forgets them */
		h.tls = h.unnamed_addr = 0;
		h.flags &= (u16) ~(IRGF_DLLIMPORT | IRGF_DLLEXPORT);
	}
	IrRef g = define_global(p, name, kind, t, ir_type(p->m, pt)->bits, &h);
	if (p->panic)
		return;
	ir_global_set_init(p->m, g, v);
	p->comma_read = false;
	while (accept(p, ',') && !p->panic) {
		if (kind == IRG_IFUNC && at(p, T_MD_NAME)) {
			p->comma_read = true;
			u32 md = irp_attachments(p, NULL, true);
			ir_global(p->m, g)->md = md;
			return;
		}
		irp_expect_word(p, W_PARTITION, "'partition'");
		irp_string(p, &ir_global(p->m, g)->partition);
	}
}

static void global_definition(Parser *p)
{
	Token      name = p->t;
	GlobalHead h;
	irp_next(p);
	irp_expect(p, '=', "'='");
	h = global_head(p);
	if (accept_word(p, W_ALIAS))
		alias(p, &name, IRG_ALIAS, h);
	else if (accept_word(p, W_IFUNC))
		alias(p, &name, IRG_IFUNC, h);
	else
		variable(p, &name, h);
}

/* ---- functions ---- */

typedef struct ParamRec {
	u32     type;
	IrAttrs attrs;
	StrId   name;
} ParamRec;
typedef Vec(ParamRec) Params;

/* TYPE ATTRS [%name] */
static void parameter(Parser *p, Params *params)
{
	ParamRec r = {0};
	Spot     start = spot(p);
	IrType   t = irp_any_type(p);
	u32      from = p->attrs.n, k = ir_type_kind(p->m, t);
	irp_attrs(p, PLACE_PARAM);
	r.type = t.i;
	r.attrs = irp_take_attrs(p, from);
	if (!p->panic && (k == IRT_VOID || k == IRT_LABEL || k == IRT_FUNC))
		PARSE_ERROR(p, irp_range_from(p, &start), IR_BAD_PARAM, STR_ARG(irp_type_text(p, t)));
	if (at(p, T_LOCAL)) {
		r.name = irp_token_strid(p);
		irp_next(p);
	} else if (at(p, T_LOCAL_NUM)) {
		if (p->t.num < p->next_local)
			PARSE_ERROR(p, irp_token_range(p), IR_NUMBERING, p->next_local, (int)(p->t.end - p->t.p), p->t.p);
		p->undeferrable |= p->t.num > p->next_local; /* a body that is read later takes them to be 0, 1, … */
		p->next_local = (u32)PS_MIN(p->t.num, (u64)LIMIT_NUMBERS);
		irp_next(p);
		vec_push(p->arena, &p->param_nums, p->next_local++);
	} else if (at(p, T_WORD)) {
		irp_unknown_attr(p);
	} else {
		vec_push(p->arena, &p->param_nums, p->next_local++);
	}
	vec_push(p->arena, params, r);
}

static bool parameters(Parser *p, Params *params)
{
	if (!irp_expect(p, '(', "'(' and the parameters"))
		return false;
	p->next_local = p->param_nums.n = 0;
	if (accept(p, ')'))
		return false;
	do {
		if (accept(p, T_ELLIPSIS)) {
			irp_expect(p, ')', "')' after '...'");
			return true;
		}
		parameter(p, params);
	} while (accept(p, ',') && !p->panic);
	irp_expect(p, ')', "',' or ')' in the parameters");
	return false;
}

static void set_extra(Parser *p, IrFunc *f, u32 which)
{
	IrRef v = irp_type_value(p);
	if (p->panic)
		return;
	f->extra[which] = ir_lasting_uses(p->m, 1);
	ir_use(p->m, f->extra[which])->user = f->ref;
	ir_set_use(p->m, f->extra[which], v);
}

/* Behind the parameters: attributes, among which the alignment may stand, and the rest. */
static void function_suffix(Parser *p, IrFunc *f, IrGlobal *g)
{
	bool aligned = true;
	while (aligned) {
		u32     groups = p->group_stack.n;
		IrAttrs more = irp_fn_attrs(p, PLACE_FUNC);
		f->fn = ir_attrs_union(p->m, f->fn, more);
		irp_fixup(p, FIX_FUNC, g->func, groups);
		aligned = accept_word(p, W_ALIGN);
		if (aligned)
			g->align = irp_align_value(p);
	}
	for (;;) {
		if (accept_word(p, W_SECTION))
			irp_string(p, &g->section);
		else if (accept_word(p, W_PARTITION))
			irp_string(p, &g->partition);
		else if (accept_word(p, W_COMDAT))
			g->comdat = comdat_of(p, f->ref);
		else if (accept_word(p, W_ALIGN))
			g->align = irp_align_value(p);
		else if (accept_word(p, W_GC))
			irp_string(p, &f->gc);
		else if (accept_word(p, W_PREFIX))
			set_extra(p, f, 0);
		else if (accept_word(p, W_PROLOGUE))
			set_extra(p, f, 1);
		else if (accept_word(p, W_PERSONALITY))
			set_extra(p, f, 2);
		else if (accept_word(p, W_UNNAMED_ADDR))
			g->unnamed_addr = IRUA_GLOBAL;
		else if (accept_word(p, W_LOCAL_UNNAMED_ADDR))
			g->unnamed_addr = IRUA_LOCAL;
		else
			return;
	}
}

static IrType type_of_params(Parser *p, IrType ret, const Params *params, bool vararg)
{
	IrType *t = arena_array(p->arena, IrType, params->n);
	for (u32 i = 0; i < params->n; i++)
		t[i] = (IrType){params->p[i].type};
	return ir_func_type(p->m, ret, t, params->n, vararg);
}

static IrFunc *function_head(Parser *p)
{
	GlobalHead h = global_head(p);
	u16        cc = irp_cc(p);
	u32        from = p->attrs.n;
	p->pointee = (IrType){0};
	irp_attrs(p, PLACE_RET);
	IrAttrs ret_attrs = irp_take_attrs(p, from);
	Spot    type_token = spot(p);
	IrType  ret = irp_any_type(p);
	u32     k = ir_type_kind(p->m, ret);
	if (!p->panic && (k == IRT_LABEL || k == IRT_METADATA || k == IRT_FUNC))
		PARSE_ERROR(p, irp_range_from(p, &type_token), IR_BAD_RETURN, STR_ARG(irp_type_text(p, ret)));
	Token name = p->t;
	bool  named = at(p, T_GLOBAL) || at(p, T_GLOBAL_NUM);
	if (!named)
		irp_expected(p, "the name of the function");
	irp_next(p);
	Params params = {0};
	bool   vararg = parameters(p, &params);
	if (p->panic)
		return NULL;
	if (accept_word(p, W_UNNAMED_ADDR))
		h.unnamed_addr = IRUA_GLOBAL;
	else if (accept_word(p, W_LOCAL_UNNAMED_ADDR))
		h.unnamed_addr = IRUA_LOCAL;
	u32    space = at_word(p, W_ADDRSPACE) ? irp_addrspace(p) : p->m->layout.program_space;
	IrType type = type_of_params(p, ret, &params, vararg);
	IrRef  ref = p->panic ? IR_NO_REF : define_global(p, &name, IRG_FUNC, type, space, &h);
	if (p->panic)
		return NULL;
	IrFunc *f = ir_func_make(p->m, ref, type);
	f->cc = cc;
	f->ret = ret_attrs;
	for (u32 i = 0; i < params.n; i++) {
		ir_arg(p->m, ir_func_arg(f, i))->attrs = params.p[i].attrs;
		ir_arg(p->m, ir_func_arg(f, i))->name = params.p[i].name;
	}
	function_suffix(p, f, ir_global(p->m, ref));
	return f;
}

static void append_attachments(Parser *p, IrGlobal *g, u32 more)
{
	u32 *tail = &g->md;
	while (*tail)
		tail = &((IrAttach *)pages_at(&p->m->attach, *tail))->next;
	*tail = more;
}

static void declaration(Parser *p)
{
	irp_next(p);
	u32     md = irp_attachments(p, NULL, false);
	IrFunc *f = function_head(p);
	if (!f)
		return;
	append_attachments(p, ir_global(p->m, f->ref), md);
	if (at(p, '{'))
		irp_expected(p, "a declaration without a body ('define' has one)");
}

static void definition(Parser *p)
{
	irp_next(p);
	IrFunc *f = function_head(p);
	if (!f)
		return;
	u32 md = irp_attachments(p, NULL, false);
	append_attachments(p, ir_global(p->m, f->ref), md);
	if (at(p, T_WORD) && !p->t.word)
		irp_unknown_attr(p);
	else if (!at(p, '{'))
		irp_expected(p, "'{' and the function's body");
	else if (p->defer)
		irp_pass_over_body(p, f);
	else
		irp_body(p, f);
}

/* ---- other entities ---- */

static void target_line(Parser *p)
{
	StrId text;
	irp_next(p);
	bool triple = accept_word(p, W_TRIPLE);
	if (!triple)
		irp_expect_word(p, W_DATALAYOUT, "'triple' or 'datalayout'");
	irp_expect(p, '=', "'='");
	SrcRange at_string = irp_token_range(p);
	if (!irp_string(p, &text))
		return;
	if (triple) {
		p->m->triple = text;
		return;
	}
	p->m->layout_text = text;
	if (!text.i)
		return;
	p->m->layout_given = true;
	if (!ir_layout_parse(&p->m->layout, ir_str(p->m, text)))
		PARSE_ERROR(p, at_string, IR_BAD_LAYOUT, STR_ARG(ir_str(p->m, text)));
}

static void module_asm(Parser *p)
{
	StrId line;
	irp_next(p);
	irp_expect_word(p, W_ASM, "'asm'");
	if (irp_string(p, &line))
		vec_push(p->arena, &p->m->asm_lines, line);
}

static void comdat_definition(Parser *p)
{
	StrId    name = irp_token_strid(p);
	SrcRange place = irp_token_range(p);
	irp_next(p);
	irp_expect(p, '=', "'='");
	irp_expect_word(p, W_COMDAT, "'comdat'");
	static const char *const kinds[] = {"any", "exactmatch", "largest", "nodeduplicate", "samesize"};
	bool                     known = false;
	for (u32 i = 0; i < PS_COUNT(kinds) && at(p, T_WORD); i++)
		known |= str_is(p->t.text, kinds[i]);
	if (!known) {
		irp_expected(p, "any, exactmatch, largest, nodeduplicate or samesize");
		return;
	}
	StrId kind = strtab_add(&p->s->strs, p->t.text);
	irp_next(p);
	u32       row = comdat_named(p, name, (SrcRange){0});
	IrComdat *c = &p->m->comdats.p[row - 1];
	if (c->kind.i)
		PARSE_ERROR(p, place, IR_REDEFINED, STR_ARG(arena_fmt(p->arena, "$%.*s", STR_ARG(ir_str(p->m, name)))));
	c->kind = kind;
}

static void word_entity(Parser *p)
{
	switch (p->t.word ? p->t.word->word : 0) {
	case W_DEFINE: definition(p); return;
	case W_DECLARE: declaration(p); return;
	case W_TARGET: target_line(p); return;
	case W_MODULE: module_asm(p); return;
	case W_ATTRIBUTES: irp_attribute_group(p); return;
	case W_USELISTORDER: irp_use_order(p); return;
	case W_USELISTORDER_BB: irp_use_order_of_block(p); return;
	case W_SOURCE_FILENAME:
		irp_next(p);
		irp_expect(p, '=', "'='");
		irp_string(p, &p->m->source_name);
		return;
	}
	Token word = p->t;
	irp_unexpected(p, "a top-level entity: define, declare, @global, %type, !metadata, target, attributes");
	if (word.word && word.word->op)
		diag_hint(&p->s->diags, &vec_last(&p->s->diags.list),
		          "instructions stand inside of a function: define void @f() { … }");
}

static void entity(Parser *p)
{
	switch (p->t.kind) {
	case T_WORD: word_entity(p); return;
	case T_GLOBAL:
	case T_GLOBAL_NUM: global_definition(p); return;
	case T_LOCAL:
	case T_LOCAL_NUM: irp_type_definition(p); return;
	case T_BANG:
	case T_MD_NAME: irp_md_definition(p); return;
	case T_COMDAT: comdat_definition(p); return;
	case T_SUMMARY: irp_summary(p); return;
	default: irp_unexpected(p, "a top-level entity: define, declare, @global, %type, !metadata, target, attributes");
	}
}

static bool is_entity_start(const Parser *p, u32 after_line)
{
	bool first = p->t.p == p->lexer.start || p->t.p[-1] == '\n';
	if (!first || p->t.line == after_line)
		return false;
	switch (p->t.kind) {
	case T_GLOBAL:
	case T_GLOBAL_NUM:
	case T_LOCAL:
	case T_LOCAL_NUM:
	case T_BANG:
	case T_MD_NAME:
	case T_COMDAT: return true;
	case T_WORD:
		switch (p->t.word ? p->t.word->word : 0) {
		case W_DEFINE:
		case W_DECLARE:
		case W_TARGET:
		case W_ATTRIBUTES:
		case W_SOURCE_FILENAME:
		case W_MODULE: return true;
		}
		return false;
	default: return false;
	}
}

/* Error recovery: skips to the next line that starts a top-level entity. Errors in the skipped text are not reported. */
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
	while (!at(p, T_EOF) && !is_entity_start(p, line));
	p->skipping = false;
}

/* ---- the end of the module ---- */

static IrType called_as(const IrModule *m, IrRef g)
{
	IrType t = {0};
	ir_each_use(m, g, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_INST || !(ir_op_info[ir_inst(m, user)->op].flags & IROF_CALLS) ||
		    !ir_same(ir_callee(m, user), g))
			return (IrType){0};
		if (t.i && !ir_type_same(t, ir_call(m, user)->type))
			return (IrType){0};
		t = ir_call(m, user)->type;
	}
	return t;
}

/* An overloaded intrinsic may be called without the suffix of its types, and with several of them: each call gets the intrinsic of its
 * own types. False: a use is no call of it. */
static bool declare_for_calls(IrModule *m, IrRef g, u32 line)
{
	u32              row = ir_intrinsic_of(m, g);
	Str              name = ir_str(m, ir_global(m, g)->name);
	IrType           over[IR_MAX_OVERLOADS];
	IrSignatureError e;
	if (!row)
		return false;
	ir_each_use(m, g, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_INST || !(ir_op_info[ir_inst(m, user)->op].flags & IROF_CALLS) ||
		    !ir_same(ir_callee(m, user), g) ||
		    !ir_signature_fits(m, ir_intrinsic_signature(row), ir_call(m, user)->type, over, &e) || !over[0].i)
			return false;
	}
	while (ir_has_uses(m, g)) {
		IrRef  user = ir_use(m, ir_first_use(m, g))->user;
		IrType t = ir_call(m, user)->type;
		ir_signature_fits(m, ir_intrinsic_signature(row), t, over, &e);
		Str   own = ir_mangled(m, (Str){name.p, name.n - ir_intrinsic_suffix(name, row).n}, over);
		IrRef f = ir_find_global(m, own);
		if (ir_same(f, g)) { /* one call has the types of this name, another has not */
			ir_set_name(m, g, STR(""));
			f = (IrRef){0};
		}
		if (!f.i) {
			IrFunc *made = ir_func_new(m, own, t, IRL_EXTERNAL);
			f = made->ref;
			ir_global(m, f)->origin = line;
			ir_intrinsic_set_attrs(m, made);
		}
		ir_set_op(m, user, 0, f);
	}
	return true;
}

static Str declaration_line(Parser *p, Str name, IrType t)
{
	Text out;
	text_init(&out, p->arena);
	text_s(&out, "declare ");
	ir_print_type(&out, p->m, ir_func_ret(p->m, t));
	text_f(&out, " @%.*s(", STR_ARG(name));
	for (u32 i = 0; i < ir_func_params(p->m, t); i++) {
		text_s(&out, i ? ", " : "");
		ir_print_type(&out, p->m, ir_func_param(p->m, t, i));
	}
	text_s(&out, ir_type(p->m, t)->vararg ? ", ...)" : ")");
	return text_str(&out);
}

/* What a text uses and does not declare. */
typedef struct Undeclared {
	IrRef global;
	Str   name;
	u32   at; /* in Parser.globals_forward */
} Undeclared;

static int by_name(const void *a, const void *b, void *user)
{
	(void)user;
	return str_cmp(((const Undeclared *)a)->name, ((const Undeclared *)b)->name);
}

/* Of an intrinsic of another target nobody knows here which types are in its name: each type of call gets one of its own, with all of its
 * types, and LLVM makes it the right one. False: it is none, or a use is no call of it. */
static bool declare_by_types(IrModule *m, IrRef g, u32 line)
{
	Str name = ir_str(m, ir_name(m, g));
	ir_each_use(m, g, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_INST || !(ir_op_info[ir_inst(m, user)->op].flags & IROF_CALLS) ||
		    !ir_same(ir_callee(m, user), g))
			return false;
	}
	if (!ir_is_elsewhere(name))
		return false;
	while (ir_has_uses(m, g)) {
		IrRef  user = ir_use(m, ir_first_use(m, g))->user;
		IrType t = ir_call(m, user)->type;
		Str    own = name;
		for (u32 i = 0; i <= ir_func_params(m, t); i++)
			own = ir_mangled(m, own, (IrType[IR_MAX_OVERLOADS]){ir_type_elem(m, t, i)});
		IrRef f = ir_find_global(m, own);
		if (!f.i) {
			f = ir_func_new(m, own, t, IRL_EXTERNAL)->ref;
			ir_global(m, f)->origin = line;
		}
		ir_set_op(m, user, 0, f);
	}
	return true;
}

/* llvm.lifetime.start(i64, ptr) without a suffix, of pointers of several spaces: each call is upgraded by its own types. */
static bool declare_lifetimes(Parser *p, IrRef g, u32 line)
{
	IrModule *m = p->m;
	Str       name = ir_str(m, ir_name(m, g));
	IrRef     user = ir_use(m, ir_first_use(m, g))->user;
	if (!(str_is(name, "llvm.lifetime.start") || str_is(name, "llvm.lifetime.end")) || ir_kind(user) != IR_INST ||
	    ir_inst(m, user)->op != IR_CALL || !ir_same(ir_callee(m, user), g))
		return false;
	IrGlobal *rec = ir_global(m, g);
	rec->kind = IRG_FUNC;
	rec->type = ir_call(m, user)->type;
	rec->flags = IRGF_DECLARED;
	rec->origin = line;
	vec_push(p->arena, &m->order, ir_index(g));
	ir_func_make(m, g, rec->type);
	return true;
}

/* Intrinsics are declared by their names, in the order of these, as LLVM does. `done`: which of Parser.globals_forward have been. */
static void declare_intrinsics(Parser *p, bool *done)
{
	Vec(Undeclared) all = {0};
	for (u32 i = 0; i < p->globals_forward.n; i++) {
		IrRef g = ir_ref(IR_GLOBAL, p->globals_forward.p[i]);
		if (ir_global(p->m, g)->kind == IRG_NONE && ir_is_llvm_name(p->m, g))
			vec_push(p->arena, &all, ((Undeclared){g, ir_str(p->m, ir_name(p->m, g)), i}));
	}
	sort_stable(p->arena, all.p, all.n, sizeof *all.p, by_name, NULL);
	for (u32 i = 0; i < all.n; i++) {
		IrRef     g = all.p[i].global;
		IrGlobal *rec = ir_global(p->m, g);
		IrType    t = called_as(p->m, g);
		u32       line = p->global_use.p[all.p[i].at].line;
		if (t.i && ir_declares_itself(p->m, g)) {
			rec->kind = IRG_FUNC;
			rec->type = t;
			rec->flags = IRGF_DECLARED;
			rec->origin = line;
			vec_push(p->arena, &p->m->order, ir_index(g));
			ir_intrinsic_set_attrs(p->m, ir_func_make(p->m, g, t));
			ir_remangle(p->m, ir_func(p->m, g));
			done[all.p[i].at] = true;
		} else if (!t.i && ir_has_uses(p->m, g)) {
			done[all.p[i].at] = declare_lifetimes(p, g, line) || declare_for_calls(p->m, g, line) ||
			                    declare_by_types(p->m, g, line);
		}
	}
}

static void resolve_globals(Parser *p)
{
	bool *done = arena_array(p->arena, bool, p->globals_forward.n + 1);
	declare_intrinsics(p, done);
	for (u32 i = 0; i < p->globals_forward.n; i++) {
		IrRef     g = ir_ref(IR_GLOBAL, p->globals_forward.p[i]);
		IrGlobal *rec = ir_global(p->m, g);
		if (rec->kind != IRG_NONE || done[i])
			continue;
		IrType t = called_as(p->m, g);
		Str    name = ir_str(p->m, rec->name);
		if (p->s->diags.errors && !ir_has_uses(p->m, g))
			continue; /* its use could not be read */
		if (str_starts(name, "llvm.")) {
			u32   shown = p->s->diags.list.n;
			Diag *d = PARSE_ERROR(p, p->global_use.p[i], IR_UNKNOWN_INTRINSIC, STR_ARG(name));
			Text  near;
			text_init(&near, p->arena);
			if (p->s->diags.list.n > shown && ir_intrinsic_nearest(name, &near))
				diag_hint(&p->s->diags, d, "there is %.*s", STR_ARG(text_str(&near)));
			continue;
		}
		Diag *d = PARSE_ERROR(p, p->global_use.p[i], IR_UNDEFINED_GLOBAL, STR_ARG(name));
		if (!irp_hint_word(d, name) && t.i)
			diag_hint(&p->s->diags, d, "add: %.*s", STR_ARG(declaration_line(p, name, t)));
	}
}

static void check_struct_nesting(Parser *p)
{
	bool   recursive;
	IrType t = ir_type_nests_wrongly(p->m, &recursive);
	if (t.i && recursive)
		PARSE_ERROR(p, src_at(1, 1), IR_TYPE_RECURSIVE, STR_ARG(ir_str(p->m, ir_type(p->m, t)->name)));
	else if (t.i)
		PARSE_ERROR(p, src_at(1, 1), IR_TOO_DEEP, "a type", (u32)IR_TYPE_DEPTH);
}

static void resolve_comdats(Parser *p)
{
	for (u32 i = 0; i < p->m->comdats.n; i++) {
		Str name = ir_str(p->m, p->m->comdats.p[i].name);
		if (p->m->comdats.p[i].kind.i)
			continue;
		Diag *d = PARSE_ERROR(p, p->comdat_use.p[i], IR_UNDEFINED_COMDAT, STR_ARG(name));
		diag_hint(&p->s->diags, d, "add: $%.*s = comdat any", STR_ARG(name));
	}
}

static void resolve_types(Parser *p)
{
	for (u32 i = 0; i < p->types_undefined.n; i++) {
		IrType t = {p->types_undefined.p[i]};
		if (!t.i)
			continue;
		Str name = ir_str(p->m, ir_type(p->m, t)->name);
		if (!name.n)
			name = arena_fmt(p->arena, "%u", ir_type(p->m, t)->number - 1);
		PARSE_ERROR(p, p->type_use.p[i], IR_TYPE_UNDEFINED, STR_ARG(name));
	}
}

/* ---- the whole text ---- */

enum { LIMIT_TEXT_MIB = 256 };

/* ; ModuleID = 'name' in the first line, which MIR indents */
static void module_id(Parser *p, Str text)
{
	static const char start[] = "; ModuleID = '";
	u32               n = sizeof start - 1;
	while (text.n && (text.p[0] == ' ' || text.p[0] == '\n'))
		text.p++, text.n--;
	if (text.n <= n || memcmp(text.p, start, n) != 0)
		return;
	const char *nl = memchr(text.p, '\n', text.n);
	const char *end = nl ? nl : text.p + text.n;
	if (end > text.p + n && end[-1] == '\r')
		end--;
	if (end > text.p + n && end[-1] == '\'')
		p->m->id = strtab_add(&p->s->strs, (Str){text.p + n, (u32)(end - text.p) - n - 1});
}

static IrModule *parse(Session *s, Str text, IrManner how);

/* The one module among the members of an archive. */
static IrModule *parse_archive(Session *s, Str archive, IrManner how)
{
	ArMember    x, found = {0};
	const char *fault = NULL;
	u32         n = 0;
	for (u64 at = 0; ir_archive_next(archive, &at, &x, &fault);)
		if (ir_is_bitcode(x.bytes) && !n++)
			found = x;
	if (fault)
		diag_report(&s->diags, DIAG_ARCHIVE, (SrcRange){0}, fault);
	else if (n != 1)
		diag_report(&s->diags, DIAG_ARCHIVE_MODULES, (SrcRange){0}, n);
	return fault || n != 1 ? NULL : parse(s, found.bytes, how);
}

static IrModule *parse(Session *s, Str text, IrManner how)
{
	Parser *p = arena_new(&s->arena, Parser);
	p->s = s;
	p->arena = &s->arena;
	p->m = ir_module_new(s);
	p->how = how;
	p->defer = how != IR_READ_ALL;
	p->checking = how == IR_DEFER_TO_CHECK;
	p->m->use_lists = !p->checking;
	if (text.n > (u32)LIMIT_TEXT_MIB << 20) {
		diag_report(&s->diags, DIAG_IR_TOO_LARGE, (SrcRange){0}, (unsigned long long)text.n, (u32)LIMIT_TEXT_MIB);
		return NULL;
	}
	if (ir_is_bitcode(text))
		return bc_parse(s, text, how);
	if (ir_is_archive(text))
		return parse_archive(s, text, how);
	if (irp_foreign(&s->diags, text))
		return NULL;
	ir_words_init(p->arena, &p->words);
	p->m->words = &p->words;
	vec_reserve(p->arena, &p->scratch, 64); /* so that it is never NULL */
	vec_reserve(p->arena, &p->attrs, 64);
	ir_lexer_init(&p->lexer, p->arena, &p->words, text);
	map_init(&p->types_named, p->arena);
	module_id(p, text);
	irp_first(p);
	while (!at(p, T_EOF) && !diags_full(&s->diags)) {
		const char *start = p->t.p;
		if (!p->panic)
			entity(p);
		if (p->panic) {
			p->entity_failed = true;
			resync(p, start);
		}
	}
	if (!p->entity_failed) { /* else what is missing may be what could not be read */
		resolve_globals(p);
		resolve_types(p);
		resolve_comdats(p);
		irp_resolve_md(p);
		irp_resolve_groups(p);
		if (!s->diags.errors)
			check_struct_nesting(p);
		if (!s->diags.errors)
			irp_resolve_block_addresses(p);
	}
	if (how != IR_READ_ALL)
		irp_note_names(p);
	if (!s->diags.errors)
		p->undeferrable |= !ir_upgrade(p->m, how != IR_READ_ALL);
	ir_names_changed(p->m);
	ir_annotations_changed(p->m);
	return how == IR_READ_ALL || irp_can_defer(p) ? p->m : NULL;
}

IrModule *ir_parse(Session *s, Str text) { return parse(s, text, IR_READ_ALL); }

static IrModule *parse_deferred(Session *s, Str text, IrManner how)
{
	u32       before = s->diags.list.n;
	IrModule *m = parse(s, text, how);
	if (s->diags.list.n == before)
		return m;
	diags_clear(&s->diags);
	return NULL;
}

IrModule *ir_parse_deferred(Session *s, Str text) { return parse_deferred(s, text, IR_DEFER); }
IrModule *ir_parse_to_check(Session *s, Str text) { return parse_deferred(s, text, IR_DEFER_TO_CHECK); }
IrModule *ir_parse_library(Session *s, Str text) { return parse_deferred(s, text, IR_DEFER_LIBRARY); }
