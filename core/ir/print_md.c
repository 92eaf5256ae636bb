/* print_md.c: metadata. Nodes are numbered in the order in which the module's text first needs them,
 * depth first, so numbers do not depend on ids. */
#include "ir/md_older.h"
#include "ir/print.h"

static bool has_number(const IrMdNode *n) { return n->kind == IRMD_NODE || n->kind == IRMD_SPEC; }

static u32 *slot_of(IrModule *m, IrMd n)
{
	VecU32 *v = &m->numbering->md;
	if (n.i >= v->n)
		vec_extend(m->arena, v, m->mds.n - v->n);
	return &v->p[n.i];
}

/* Operand `i` of a node or specialised node: none where it is not metadata. */
static IrMd child(const IrModule *m, const IrMdNode *n, u32 i)
{
	if (n->kind == IRMD_SPEC) {
		const IrMdField *f = &m->md_fields.p[n->first + i];
		return (IrMd){f->kind == IRMF_MD ? f->a : 0};
	}
	return (IrMd){m->md_ops.p[n->first + i]};
}

static void number(IrModule *m, IrMd root)
{
	VecU32 work = {0};
	if (!root.i)
		return;
	vec_push(m->arena, &work, root.i);
	while (work.n) {
		IrMd            id = {vec_pop(&work)};
		const IrMdNode *n = ir_md(m, id);
		if (!has_number(n) && n->kind != IRMD_ARGS)
			continue;
		if (has_number(n)) {
			u32 *slot = slot_of(m, id);
			if (*slot)
				continue;
			*slot = ++m->numbering->n_md;
		}
		for (u32 i = n->n; i--;)
			if (child(m, n, i).i)
				vec_push(m->arena, &work, child(m, n, i).i);
	}
}

static void number_list(IrModule *m, u32 list)
{
	for (; list; list = ((IrAttach *)pages_at(&m->attach, list))->next)
		number(m, ((IrAttach *)pages_at(&m->attach, list))->node);
}

static void number_inst(IrModule *m, IrRef i)
{
	const IrInst     *rec = ir_inst(m, i);
	const IrInstInfo *info = ir_info(m, i);
	for (u32 r = info->records; r;) {
		const IrDbgRec *d = pages_at(&m->dbgrecs, r);
		for (u32 k = 0; k < PS_COUNT(d->arg); k++)
			number(m, d->arg[k]);
		number(m, d->loc);
		r = d->next;
	}
	if (ir_op_info[rec->op].flags & IROF_CALLS)
		for (u32 k = 0; k < rec->n_ops; k++)
			if (ir_kind(ir_op(m, i, k)) == IR_MD)
				number(m, (IrMd){ir_index(ir_op(m, i, k))});
	number(m, info->dbg);
	number_list(m, info->md);
}

void irw_number_metadata(IrModule *m)
{
	IrNumbering *num = m->numbering;
	if (num->md.n)
		memset(num->md.p, 0, num->md.n * sizeof(u32));
	num->n_md = 0;
	ir_each_global(m, g)
		if (ir_global(m, g)->kind == IRG_VAR)
			number_list(m, ir_global(m, g)->md);
	for (u32 i = 0; i < m->named_md.n; i++)
		for (u32 k = 0; k < m->named_md.p[i].n; k++)
			number(m, (IrMd){m->md_ops.p[m->named_md.p[i].first + k]});
	ir_each_func(m, f) {
		number_list(m, ir_global(m, f->ref)->md);
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i)
				number_inst(m, i);
	}
}

/* ---- nodes ---- */

static void print_field(Printer *pr, const IrMdField *f)
{
	switch (f->kind) {
	case IRMF_INT: text_f(pr->out, "%s%llu", f->a ? "-" : "", (unsigned long long)f->bits); break;
	case IRMF_STRING: irw_string(pr, ir_str(pr->m, (StrId){f->a})); break;
	case IRMF_NAME: text_add(pr->out, ir_str(pr->m, (StrId){f->a})); break;
	default:
		if (f->a)
			irw_md(pr, (IrMd){f->a});
		else
			text_s(pr->out, "null");
	}
}

static void print_list(Printer *pr, const IrMdNode *n)
{
	for (u32 i = 0; i < n->n; i++) {
		IrMd op = child(pr->m, n, i);
		text_s(pr->out, i ? ", " : "");
		if (op.i)
			irw_md(pr, op);
		else
			text_s(pr->out, "null");
	}
}

static void print_fields(Printer *pr, StrId node, const IrMdField *fields, u32 n)
{
	text_f(pr->out, "!%.*s(", STR_ARG(ir_str(pr->m, node)));
	for (u32 i = 0; i < n; i++) {
		const IrMdField *f = &fields[i];
		text_s(pr->out, i ? ", " : "");
		if (f->name.i)
			text_f(pr->out, "%.*s: ", STR_ARG(ir_str(pr->m, f->name)));
		if (f->name.i && str_is(ir_str(pr->m, f->name), "operands") && f->a) { /* a bare list */
			text_c(pr->out, '{');
			print_list(pr, ir_md(pr->m, (IrMd){f->a}));
			text_c(pr->out, '}');
			continue;
		}
		print_field(pr, f);
	}
	text_c(pr->out, ')');
}

static void print_special(Printer *pr, const IrMdNode *n)
{
	u32              version = irw_version(pr->m);
	const IrMdField *fields = pr->m->md_fields.p + n->first;
	if (version >= 22 || n->kind == IRMD_EXPR) {
		print_fields(pr, n->text, fields, n->n);
		return;
	}
	IrMdFields older = {0};
	for (u32 i = 0; i < n->n; i++) {
		IrMdField f = fields[i];
		if (!ir_md_older_field(pr->m, version, ir_str(pr->m, n->text), &f))
			vec_push(pr->m->arena, &older, f);
	}
	StrId node = ir_md_older_node(pr->m, n->text, &older);
	print_fields(pr, node, older.p, older.n);
}

static void print_node(Printer *pr, IrMd id)
{
	const IrMdNode *n = ir_md(pr->m, id);
	if (n->kind == IRMD_SPEC) {
		print_special(pr, n);
		return;
	}
	text_s(pr->out, "!{");
	print_list(pr, n);
	text_c(pr->out, '}');
}

void irw_md(Printer *pr, IrMd id)
{
	const IrMdNode *n = ir_md(pr->m, id);
	switch ((IrMdKind)n->kind) {
	case IRMD_STRING:
		text_c(pr->out, '!');
		irw_string(pr, ir_str(pr->m, n->text));
		break;
	case IRMD_VALUE: irw_typed(pr, n->value); break;
	case IRMD_NODE:
	case IRMD_SPEC: {
		u32 slot = *slot_of(pr->m, id);
		if (!slot) { /* made since the module was numbered */
			number(pr->m, id);
			slot = *slot_of(pr->m, id);
		}
		text_f(pr->out, "!%u", slot - 1);
		break;
	}
	case IRMD_EXPR: print_special(pr, n); break;
	case IRMD_ARGS:
		text_f(pr->out, "!%.*s(", STR_ARG(ir_str(pr->m, n->text)));
		print_list(pr, n);
		text_c(pr->out, ')');
		break;
	case IRMD_NONE:
	case IRMD_FORWARD: text_s(pr->out, "!{}"); break;
	}
}

static void print_kind(Printer *pr, Str kind)
{
	text_c(pr->out, '!');
	for (u32 i = 0; i < kind.n; i++) {
		char c = kind.p[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '$' || c == '.' || c == '_' ||
		             (i && c >= '0' && c <= '9');
		if (plain)
			text_c(pr->out, c);
		else
			text_f(pr->out, "\\%02X", (u32)(u8)c);
	}
}

void irw_attachments(Printer *pr, u32 list, IrMd dbg, const char *before)
{
	if (dbg.i) {
		text_f(pr->out, "%s!dbg ", before);
		irw_md(pr, dbg);
	}
	for (; list; list = ((IrAttach *)pages_at(&pr->m->attach, list))->next) {
		const IrAttach *a = pages_at(&pr->m->attach, list);
		text_s(pr->out, before);
		print_kind(pr, ir_str(pr->m, a->kind));
		text_c(pr->out, ' ');
		irw_md(pr, a->node);
	}
}

void irw_dbg_records(Printer *pr, u32 list)
{
	static const struct {
		const char *name;
		u32         args;
	} kinds[] = {[IRDBG_VALUE] = {"dbg_value", 3},
	             [IRDBG_DECLARE] = {"dbg_declare", 3},
	             [IRDBG_ASSIGN] = {"dbg_assign", 6},
	             [IRDBG_LABEL] = {"dbg_label", 1},
	             [IRDBG_DECLARE_VALUE] = {"dbg_declare_value", 3}};
	bool older = irw_version(pr->m) < 22;
	for (; list; list = ((IrDbgRec *)pages_at(&pr->m->dbgrecs, list))->next) {
		const IrDbgRec *r = pages_at(&pr->m->dbgrecs, list);
		/* The value in the whole scope: in older text, from here on. */
		u32 kind = older && r->kind == IRDBG_DECLARE_VALUE ? IRDBG_VALUE : r->kind;
		text_f(pr->out, "    #%s(", kinds[kind].name);
		for (u32 i = 0; i < kinds[kind].args; i++) {
			irw_md(pr, r->arg[i]);
			text_s(pr->out, ", ");
		}
		irw_md(pr, r->loc);
		text_c(pr->out, ')');
		irw_line(pr, r->origin);
	}
}

void irw_metadata(Printer *pr)
{
	IrModule          *m = pr->m;
	const IrNumbering *num = m->numbering;
	for (u32 i = 0; i < m->named_md.n; i++) {
		const IrNamedMd *n = &m->named_md.p[i];
		if (i == 0)
			irw_line(pr, 0);
		print_kind(pr, ir_str(m, n->name));
		text_s(pr->out, " = !{");
		for (u32 k = 0; k < n->n; k++) {
			text_s(pr->out, k ? ", " : "");
			irw_md(pr, (IrMd){m->md_ops.p[n->first + k]});
		}
		text_c(pr->out, '}');
		irw_line(pr, n->origin);
	}
	if (!num->n_md)
		return;
	VecU32 by_slot = {0};
	vec_extend(m->arena, &by_slot, num->n_md + 1);
	for (u32 id = 1; id < num->md.n; id++)
		if (num->md.p[id])
			by_slot.p[num->md.p[id]] = id;
	irw_line(pr, 0);
	for (u32 slot = 1; slot <= num->n_md; slot++) {
		IrMd id = {by_slot.p[slot]};
		text_f(pr->out, "!%u = %s", slot - 1, ir_md(m, id)->distinct ? "distinct " : "");
		print_node(pr, id);
		irw_line(pr, ir_md(m, id)->origin);
	}
}
