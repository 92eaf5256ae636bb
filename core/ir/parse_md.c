/* parse_md.c: parses metadata nodes, attachments and debug records. Specialised nodes (!DI…) store their fields as pairs of
 * name and value as written; verify_di.c checks them and passes interpret the few they need. Linear in the text. */
#include "ir/md_older.h"
#include "ir/parse.h"

static IrMd new_md(Parser *p, IrMdNode node)
{
	IrMd id = {pages_new(&p->m->mds)};
	node.origin = p->t.line;
	*ir_md(p->m, id) = node;
	return id;
}

/* The operands pushed on scratch since `base` become a list in md_ops. */
static u32 take_ops(Parser *p, u32 base, u32 *n)
{
	u32 first = p->m->md_ops.n;
	*n = p->scratch.n - base;
	for (u32 i = 0; i < *n; i++)
		vec_push(p->arena, &p->m->md_ops, p->scratch.p[base + i]);
	p->scratch.n = base;
	return first;
}

/* {operand, …}, at the '{' */
static bool is_local(const IrModule *m, IrMd md)
{
	IrKind kind = ir_md(m, md)->kind == IRMD_VALUE ? ir_kind(ir_md(m, md)->value) : IR_CONST;
	return kind == IR_INST || kind == IR_ARG || kind == IR_BLOCK;
}

static IrMd tuple(Parser *p)
{
	u32 base = p->scratch.n, n;
	irp_next(p);
	if (!accept(p, '}')) {
		do {
			IrMd op = {0};
			Spot from = spot(p);
			if (!accept_word(p, W_NULL))
				op = irp_md(p);
			if (op.i && is_local(p->m, op))
				PARSE_ERROR0(p, irp_range_from(p, &from), IR_MD_LOCAL);
			vec_push(p->arena, &p->scratch, op.i);
		} while (accept(p, ',') && !p->panic);
		irp_expect(p, '}', "',' or '}' in a metadata node");
	}
	u32 first = take_ops(p, base, &n);
	return new_md(p, (IrMdNode){.kind = IRMD_NODE, .first = first, .n = n});
}

static IrMd numbered(Parser *p)
{
	u64  n = p->t.num;
	IrMd id = {irp_num_get(&p->mds_num, n)};
	if (!id.i) {
		id = new_md(p, (IrMdNode){.kind = IRMD_FORWARD, .number = (u32)n + 1});
		irp_num_set(p, &p->mds_num, n, id.i);
		vec_push(p->arena, &p->mds_forward, id.i);
		vec_push(p->arena, &p->md_use, irp_token_range(p));
	}
	irp_next(p);
	return id;
}

/* ---- !DIName(field: value, …) ---- */

static IrMdField number_field(Parser *p)
{
	IrMdField f = {.kind = IRMF_INT, .a = p->t.negative, .bits = p->t.num};
	if (p->t.huge)
		f = (IrMdField){.kind = IRMF_NAME, .a = strtab_add(&p->s->strs, p->t.text).i};
	irp_next(p);
	return f;
}

/* DIFlagA | DIFlagB, DW_TAG_member, true, … */
static IrMdField name_field(Parser *p)
{
	const char *from = p->t.p, *end = p->t.end;
	irp_check_di_name(p);
	irp_next(p);
	while (at(p, '|')) {
		irp_next(p);
		if (!at(p, T_WORD) && !at(p, T_INT)) {
			irp_expected(p, "the name of a flag");
			break;
		}
		end = p->t.end;
		if (at(p, T_WORD))
			irp_check_di_name(p);
		irp_next(p);
	}
	return (IrMdField){.kind = IRMF_NAME, .a = strtab_add(&p->s->strs, (Str){from, (u32)(end - from)}).i};
}

static IrMdField field_value(Parser *p)
{
	switch (p->t.kind) {
	case T_INT: return number_field(p);
	case T_STRING: {
		IrMdField f = {.kind = IRMF_STRING, .a = irp_token_strid(p).i};
		irp_next(p);
		return f;
	}
	case T_BANG:
	case T_MD_NAME: return (IrMdField){.kind = IRMF_MD, .a = irp_md(p).i};
	case '{': return (IrMdField){.kind = IRMF_MD, .a = tuple(p).i};
	case T_WORD:
		if (accept_word(p, W_NULL))
			return (IrMdField){.kind = IRMF_MD};
		if (!irp_starts_type(p))
			return name_field(p);
		return (IrMdField){.kind = IRMF_MD, .a = irp_md(p).i};
	default:
		if (irp_starts_type(p))
			return (IrMdField){.kind = IRMF_MD, .a = irp_md(p).i};
		irp_expected(p, "the value of a field");
		return (IrMdField){0};
	}
}

static IrMd fields(Parser *p, StrId name)
{
	Str        node = ir_str(p->m, name);
	IrMdFields list = {0};
	if (!accept(p, ')')) {
		do {
			if (!at(p, T_LABEL)) {
				irp_expected(p, "'field:'");
				break;
			}
			IrMdField f = {.name = strtab_add(&p->s->strs, p->t.text)};
			bool      gone = ir_md_upgrade_field(p->m, node, &f);
			StrId     id = f.name;
			if (!gone)
				irp_check_di_field(p, name, id);
			irp_next(p);
			f = field_value(p);
			f.name = id;
			if (!p->panic && !gone && !ir_md_upgrade_field(p->m, node, &f))
				vec_push(p->arena, &list, f);
		} while (accept(p, ',') && !p->panic && list.n < 64);
		irp_expect(p, ')', "',' or ')' after a field");
	}
	u32 first = p->m->md_fields.n;
	for (u32 i = 0; i < list.n; i++)
		vec_push(p->arena, &p->m->md_fields, list.p[i]);
	return new_md(p, (IrMdNode){.kind = IRMD_SPEC, .text = name, .first = first, .n = list.n});
}

/* !DIExpression(DW_OP_plus_uconst, 8, …) */
static IrMd expression(Parser *p, StrId name)
{
	u32 first = p->m->md_fields.n, n = 0;
	if (!accept(p, ')')) {
		do {
			IrMdField f = {0};
			if (at(p, T_INT) && !p->t.negative && !p->t.huge)
				f = number_field(p);
			else if (at(p, T_WORD))
				f = name_field(p);
			else
				irp_expected(p, "DW_OP_… or a number");
			vec_push(p->arena, &p->m->md_fields, f);
			n++;
		} while (accept(p, ',') && !p->panic);
		irp_expect(p, ')', "',' or ')' in a DIExpression");
	}
	return new_md(p, (IrMdNode){.kind = IRMD_EXPR, .text = name, .first = first, .n = n});
}

/* !DIArgList(i32 %a, …) */
static IrMd arg_list(Parser *p, StrId name)
{
	u32 base = p->scratch.n, n;
	if (!accept(p, ')')) {
		do
			vec_push(p->arena, &p->scratch, irp_md(p).i);
		while (accept(p, ',') && !p->panic);
		irp_expect(p, ')', "',' or ')' in a DIArgList");
	}
	u32 first = take_ops(p, base, &n);
	return new_md(p, (IrMdNode){.kind = IRMD_ARGS, .text = name, .first = first, .n = n});
}

static IrMd specialised(Parser *p)
{
	StrId name = strtab_add(&p->s->strs, p->t.text);
	Str   text = ir_str(p->m, name);
	if (!irp_di_node_known(text) && !str_is(text, "DIExpression") && !str_is(text, "DIArgList")) {
		irp_expected(p, "a metadata node");
		return (IrMd){0};
	}
	irp_next(p);
	if (!irp_expect(p, '(', "'('"))
		return (IrMd){0};
	if (str_is(text, "DIExpression"))
		return expression(p, name);
	if (str_is(text, "DIArgList"))
		return arg_list(p, name);
	return fields(p, name);
}

IrMd irp_md_node(Parser *p)
{
	if (at(p, T_MD_NAME))
		return specialised(p);
	if (!irp_expect(p, T_BANG, "metadata: !…"))
		return (IrMd){0};
	switch (p->t.kind) {
	case T_INT:
		if (!p->t.negative)
			return numbered(p);
		break;
	case '{': return tuple(p);
	case T_STRING: {
		IrMd id = ir_md_string(p->m, irp_token_str(p));
		irp_next(p);
		return id;
	}
	}
	irp_expected(p, "a number, '{' or a string after '!'");
	return (IrMd){0};
}

IrMd irp_md(Parser *p)
{
	IrMd r = {0};
	if (!irp_enter(p))
		return r;
	if (at(p, T_BANG) || at(p, T_MD_NAME)) {
		r = irp_md_node(p);
	} else {
		IrRef v = irp_type_value(p);
		if (!p->panic)
			r = ir_kind(v) == IR_MD ? (IrMd){ir_index(v)} : ir_md_value(p->m, v);
	}
	leave(p);
	return r;
}

/* ---- definitions ---- */

static void named(Parser *p)
{
	Str   s = p->t.escaped ? ir_lex_unescape(p->arena, p->t.text) : p->t.text;
	StrId name = strtab_add(&p->s->strs, s);
	u32   line = p->t.line, base = p->scratch.n, n;
	irp_next(p);
	irp_expect(p, '=', "'='");
	irp_expect(p, T_BANG, "'!{'");
	if (!at(p, '{'))
		irp_expected(p, "'{'");
	irp_next(p);
	if (!accept(p, '}')) {
		do
			vec_push(p->arena, &p->scratch, irp_md_node(p).i);
		while (accept(p, ',') && !p->panic);
		irp_expect(p, '}', "',' or '}'");
	}
	if (p->panic) {
		p->scratch.n = base;
		return;
	}
	u32 first = take_ops(p, base, &n);
	vec_push(p->arena, &p->m->named_md, ((IrNamedMd){name, first, n, line}));
	ir_annotations_changed(p->m);
}

void irp_md_definition(Parser *p)
{
	if (at(p, T_MD_NAME)) {
		named(p);
		return;
	}
	irp_next(p);
	Token number = p->t;
	u32   line = p->t.line;
	if (!irp_expect(p, T_INT, "the number of a metadata node"))
		return;
	irp_expect(p, '=', "'='");
	bool distinct = accept_word(p, W_DISTINCT);
	IrMd old = {irp_num_get(&p->mds_num, number.num)};
	if (old.i && ir_md(p->m, old)->kind != IRMD_FORWARD) {
		PARSE_ERROR(p, irp_range_of(p, token_spot(&number)), IR_REDEFINED, (int)(number.end - number.p), number.p);
		return;
	}
	if (irp_starts_type(p) && p->t.kind == T_WORD && p->t.word && p->t.word->type == IR_TY_METADATA)
		irp_next(p); /* !0 = metadata !{…}: LLVM before 3.6 */
	IrMd made = p->panic ? (IrMd){0} : irp_md_node(p);
	if (p->panic)
		return;
	IrMdNode *node = ir_md(p->m, made);
	if (node->number && node->kind != IRMD_FORWARD)
		return;                                     /* !1 = !0 */
	old = (IrMd){irp_num_get(&p->mds_num, number.num)}; /* it may name itself */
	node->distinct = distinct;
	node->number = (u32)PS_MIN(number.num, (u64)UINT32_MAX - 1) + 1;
	node->origin = line;
	if (old.i)
		*ir_md(p->m, old) = *node;
	else
		irp_num_set(p, &p->mds_num, number.num, made.i);
}

void irp_resolve_md(Parser *p)
{
	for (u32 i = 0; i < p->mds_forward.n; i++) {
		const IrMdNode *n = ir_md(p->m, (IrMd){p->mds_forward.p[i]});
		if (n->kind == IRMD_FORWARD)
			PARSE_ERROR(p, p->md_use.p[i], IR_UNDEFINED_MD, n->number - 1);
	}
}

/* ---- uses ---- */

u32 irp_attachments(Parser *p, IrMd *dbg, bool commas)
{
	u32  first = 0;
	u32 *tail = &first;
	for (;;) {
		if (commas && !p->comma_read && !accept(p, ','))
			break;
		p->comma_read = false;
		if (!at(p, T_MD_NAME)) {
			if (commas)
				irp_expected(p, "metadata: !kind !node");
			break;
		}
		Str   s = p->t.escaped ? ir_lex_unescape(p->arena, p->t.text) : p->t.text;
		StrId kind = strtab_add(&p->s->strs, s);
		irp_next(p);
		IrMd node = irp_md_node(p);
		if (p->panic)
			break;
		if (dbg && str_is(ir_str(p->m, kind), "dbg")) {
			*dbg = node;
			continue;
		}
		u32       id = pages_new(&p->m->attach);
		IrAttach *a = pages_at(&p->m->attach, id);
		a->kind = kind;
		a->node = node;
		*tail = id;
		tail = &a->next;
	}
	return first;
}

bool irp_debug_call(Parser *p, IrRef callee)
{
	if (ir_kind(callee) != IR_GLOBAL || !str_starts(ir_str(p->m, ir_global(p->m, callee)->name), "llvm.dbg."))
		return true;
	p->debug_calls = true;
	if (p->debug_records)
		irp_expected(p, "no call of llvm.dbg.* in a module with debug records");
	return !p->debug_records;
}

/* #dbg_value(TYPE VALUE, !var, !DIExpression(), !loc) */
void irp_dbg_record(Parser *p)
{
	static const struct {
		const char *name;
		u32         args;
	} kinds[] = {[IRDBG_VALUE] = {"dbg_value", 3},
	             [IRDBG_DECLARE] = {"dbg_declare", 3},
	             [IRDBG_ASSIGN] = {"dbg_assign", 6},
	             [IRDBG_LABEL] = {"dbg_label", 1},
	             [IRDBG_DECLARE_VALUE] = {"dbg_declare_value", 3}};
	u32 k = 0;
	while (k < PS_COUNT(kinds) && !str_is(p->t.text, kinds[k].name))
		k++;
	if (k == PS_COUNT(kinds)) {
		irp_expected(p, "a debug record: #dbg_value, #dbg_declare, #dbg_assign or #dbg_label");
		return;
	}
	IrDbgRec rec = {.kind = k, .origin = p->t.line};
	irp_next(p);
	irp_expect(p, '(', "'('");
	for (u32 i = 0; i < kinds[k].args && !p->panic; i++) {
		bool place = k != IRDBG_LABEL && (i == 0 || (k == IRDBG_ASSIGN && i == 4)); /* else a node */
		rec.arg[i] = place ? irp_md(p) : irp_md_node(p);
		irp_expect(p, ',', "','");
	}
	if (!p->panic)
		rec.loc = irp_md_node(p);
	p->debug_records = true;
	if (p->debug_calls && !p->panic)
		irp_expected(p, "no debug record in a module that calls llvm.dbg.*");
	irp_expect(p, ')', "')'");
	if (p->panic)
		return;
	u32 id = pages_new(&p->m->dbgrecs);
	*(IrDbgRec *)pages_at(&p->m->dbgrecs, id) = rec;
	u32 *tail = &ir_block(p->m, p->block)->records;
	while (*tail)
		tail = &((IrDbgRec *)pages_at(&p->m->dbgrecs, *tail))->next;
	*tail = id;
}
