/* print.c: prints a PtxModule as text, formatted as llc formats it (tabs, a blank and a tab after the mnemonic). */
#include "ptx/ptx.h"

typedef struct Printer {
	Text                  *out;
	const PtxModule       *m;
	const PtxFunc         *f;
	const PtxPrintOptions *options;
	u32                    lines_done; /* whose origin is recorded */
} Printer;

static Str name_of(const Printer *p, u32 id) { return strtab_get(&p->m->session->strs, (StrId){id}); }

static void add_name(Printer *p, StrId id) { text_add(p->out, name_of(p, id.i)); }

/* All lines written since the last call come from `origin`. */
static void mark(Printer *p, u32 origin)
{
	if (!p->options->origins)
		return;
	for (; p->lines_done < p->out->lines; p->lines_done++)
		vec_push(p->m->arena, p->options->origins, origin);
}

static void end_line(Printer *p, u32 comment, u32 line_start)
{
	if (comment && p->options->comments) {
		if (p->out->n - line_start < 39)
			text_pad(p->out, 40, line_start);
		else
			text_c(p->out, ' ');
		text_s(p->out, "// ");
		text_add(p->out, name_of(p, comment));
	}
	text_c(p->out, '\n');
}

/* ---- operands */

static void print_hex(Text *out, u64 v, u32 digits)
{
	while (digits--)
		text_c(out, "0123456789ABCDEF"[v >> (4 * digits) & 15]);
}

static void print_reg(Printer *p, u32 reg)
{
	if (!reg || reg >= p->f->n_regs) { /* what the reader could not make out */
		text_c(p->out, '_');
		return;
	}
	const PtxRegDecl *d = ptx_reg_decl(p->f, reg);
	add_name(p, d->name);
	if (d->range)
		text_u(p->out, reg - d->first);
}

/* llc writes +-4 */
static void print_plus(Text *out, u64 offset)
{
	text_c(out, '+');
	text_i(out, (i64)offset);
}

static void print_int(Text *out, u64 v, bool is_unsigned)
{
	if (is_unsigned)
		text_u(out, v);
	else
		text_i(out, (i64)v);
}

static void print_operand(Printer *p, const PtxOperand *o)
{
	Text *out = p->out;
	if (o->flags & POF_NEGATED)
		text_c(out, '!');
	switch ((PtxOperandKind)o->kind) {
	case PO_NONE: break;
	case PO_REG:
		print_reg(p, o->id);
		if (o->spare)
			text_f(out, ".%c%u", o->spare < 5 ? 'b' : 'h', (o->spare - 1u) % 4);
		break;
	case PO_SREG: text_s(out, isa_sreg(o->id)->text); break;
	case PO_INT:
		if (o->flags & POF_HEX)
			text_s(out, "0x"), print_hex(out, o->bits, PS_MIN(o->spare, 16u));
		else
			print_int(out, o->bits, o->flags & POF_UNSIGNED);
		break;
	case PO_F32: text_s(out, "0f"), print_hex(out, o->bits, 8); break;
	case PO_F64: text_s(out, "0d"), print_hex(out, o->bits, 16); break;
	case PO_SYM:
		if (o->flags & POF_GENERIC)
			text_s(out, "generic(");
		text_add(out, name_of(p, o->id));
		if (o->flags & POF_GENERIC)
			text_c(out, ')');
		if (o->bits)
			print_plus(out, o->bits);
		break;
	case PO_LABEL: /* label 0 has the empty name */ add_name(p, p->f->labels.p[o->id].name); break;
	case PO_SINK: text_c(out, '_'); break;
	}
	if (o->flags & POF_COMPONENT)
		text_c(out, '.'), text_c(out, " xyzw"[(o->flags & POF_COMPONENT) >> 4]);
}

static void print_offset(Printer *p, const PtxOperand *o)
{
	if (o->kind != PO_INT)
		text_c(p->out, '+'), print_operand(p, o);
	else if (o->bits || o->flags & POF_SHOW_ZERO)
		print_plus(p->out, o->bits);
}

static void print_operands(Printer *p, const IsaDesc *d, const PtxOperand *o, u32 n)
{
	for (u32 i = 0; i < n && i < d->n_operands; i++) {
		u32 flags = d->operand[i].flags;
		if (d->operand[i].kind == IO_OFFSET) {
			print_offset(p, &o[i]);
		} else {
			if (flags & IOF_LINE)
				text_s(p->out, i ? ",\n\t\t" : "\n\t\t");
			else if (i)
				text_s(p->out, flags & IOF_PIPE ? "|" : ", ");
			if (flags & IOF_ADDR_OPEN)
				text_c(p->out, '[');
			if (flags & IOF_OPEN)
				text_c(p->out, '{');
			print_operand(p, &o[i]);
			if (flags & IOF_CLOSE)
				text_c(p->out, '}');
		}
		if (flags & IOF_ADDR_CLOSE)
			text_c(p->out, ']');
	}
}

/* llc's shape of a call, one line for each argument. */
static void print_call(Printer *p, const PtxStmt *st)
{
	const PtxOperand *o = p->f->operands.p + st->operand;
	u32               args = st->n_rets + 1u, end = st->n - (st->flags & PSF_PROTOTYPE ? 1 : 0);
	text_c(p->out, ' ');
	for (u32 i = 0; i < st->n_rets; i++) {
		text_s(p->out, i ? ", " : "(");
		print_operand(p, &o[i]);
	}
	text_s(p->out, st->n_rets ? "), \n\t" : "\n\t");
	print_operand(p, &o[st->n_rets]);
	text_s(p->out, ", \n\t(\n\t");
	for (u32 i = args; i < end; i++) {
		print_operand(p, &o[i]);
		text_s(p->out, i + 1 < end ? ", \n\t" : "\n\t");
	}
	text_c(p->out, ')');
	if (end < st->n) {
		text_s(p->out, "\n\t, ");
		print_operand(p, &o[end]);
	}
}

static void print_insn(Printer *p, const PtxStmt *st)
{
	const IsaDesc *d = isa_desc(p->m->session, st->desc);
	text_c(p->out, '\t');
	if (st->guard) {
		text_s(p->out, st->guard == 2 ? "@!" : "@");
		print_reg(p, st->reg);
		text_c(p->out, ' ');
	}
	text_add(p->out, d->mnemonic);
	if (d->flags & IF_CALL) {
		print_call(p, st);
	} else if (st->n) {
		text_s(p->out, d->n_operands && d->operand[0].flags & IOF_LINE ? "" : " \t");
		print_operands(p, d, p->f->operands.p + st->operand, st->n);
	}
	text_c(p->out, ';');
}

/* ---- declarations */

static void print_type(Printer *p, const PtxVar *v)
{
	static const char *const opaque[] = {"", "texref", "samplerref", "surfref"};
	if (v->vec)
		text_f(p->out, ".v%u ", v->vec);
	text_c(p->out, '.');
	if (v->opaque)
		text_s(p->out, opaque[v->opaque]);
	else if (v->type)
		text_s(p->out, isa_token_text(SLOT_type, v->type));
	else
		add_name(p, v->odd_type);
}

static void print_init_value(Printer *p, const PtxInit *in)
{
	Text *out = p->out;
	switch ((PtxInitKind)in->kind) {
	case PI_INT: print_int(out, in->bits, in->is_unsigned); break;
	case PI_F32: text_s(out, "0f"), print_hex(out, in->bits, 8); break;
	case PI_F64: text_s(out, "0d"), print_hex(out, in->bits, 16); break;
	case PI_OPEN: text_c(out, '{'); break;
	case PI_CLOSE: text_c(out, '}'); break;
	case PI_FIELD: add_name(p, in->name), text_s(out, " = "); break;
	case PI_WORD: add_name(p, in->name); break;
	case PI_SYM:
		if (in->mask) {
			text_s(out, "0x");
			print_hex(out, in->mask, (u64_log2(in->mask) + 4) / 4);
			text_c(out, '(');
		}
		if (in->generic)
			text_s(out, "generic(");
		add_name(p, in->name);
		if (in->generic)
			text_c(out, ')');
		if (in->bits)
			print_plus(out, in->bits);
		if (in->mask)
			text_c(out, ')');
		break;
	}
}

static void print_init(Printer *p, const PtxVar *v)
{
	if (!v->init.n)
		return;
	text_s(p->out, " = ");
	bool samplers = v->opaque != PTX_PLAIN;
	for (u32 i = 0; i < v->init.n; i++) {
		u8 kind = v->init.p[i].kind, before = i ? v->init.p[i - 1].kind : PI_OPEN;
		if (kind != PI_CLOSE && before != PI_OPEN && before != PI_FIELD)
			text_s(p->out, ", ");
		else if (samplers && i && kind != PI_CLOSE && before == PI_OPEN)
			text_c(p->out, ' ');
		else if (samplers && kind == PI_CLOSE)
			text_c(p->out, ' ');
		print_init_value(p, &v->init.p[i]);
	}
}

static void print_dims(Printer *p, const PtxVar *v)
{
	if (v->range)
		text_f(p->out, "<%u>", v->range);
	for (u32 i = 0; i < v->dims.n; i++)
		if (v->dims.p[i])
			text_c(p->out, '['), text_u(p->out, v->dims.p[i]), text_c(p->out, ']');
		else
			text_s(p->out, "[]");
}

static void print_var(Printer *p, const PtxVar *v)
{
	static const char *const linkage[] = {"", ".visible ", ".extern ", ".weak ", ".common "};
	text_s(p->out, linkage[v->linkage]);
	text_c(p->out, '.');
	text_s(p->out, v->space ? isa_token_text(SLOT_space, v->space) : "reg");
	text_c(p->out, ' ');
	if (v->managed)
		text_s(p->out, ".attribute(.managed) ");
	if (v->attribute.i)
		text_s(p->out, ".attribute("), add_name(p, v->attribute), text_s(p->out, ") ");
	if (v->align)
		text_f(p->out, ".align %u ", v->align);
	print_type(p, v);
	text_c(p->out, ' ');
	if (v->ptr) {
		text_s(p->out, ".ptr ");
		if (v->ptr_space)
			text_f(p->out, ".%s ", isa_token_text(SLOT_space, v->ptr_space));
		if (v->ptr_align)
			text_f(p->out, ".align %u ", v->ptr_align);
	}
	/* llc sets local variables of a body apart with a tab */
	if (p->f && v->space == TOK_space_local)
		text_c(p->out, '\t');
	add_name(p, v->name);
	print_dims(p, v);
	print_init(p, v);
}

static void print_params_flat(Printer *p, const PtxVars *vars)
{
	text_c(p->out, '(');
	for (u32 i = 0; i < vars->n; i++) {
		if (i)
			text_s(p->out, ", ");
		print_var(p, &vars->p[i]);
	}
	text_c(p->out, ')');
}

static void print_params(Printer *p, const PtxVars *vars)
{
	text_c(p->out, '(');
	for (u32 i = 0; i < vars->n; i++) {
		text_s(p->out, i ? ",\n\t" : "\n\t");
		print_var(p, &vars->p[i]);
	}
	text_s(p->out, vars->n ? "\n)\n" : ")\n");
}

static void print_regs(Printer *p, const PtxRegDecl *d)
{
	text_s(p->out, "\t.reg ");
	if (d->vec)
		text_f(p->out, ".v%u ", d->vec);
	text_f(p->out, ".%s ", isa_token_text(SLOT_type, d->type));
	if (strtab_get(&p->m->session->strs, d->name).p[0] == '%')
		text_c(p->out, '\t');
	add_name(p, d->name);
	if (d->range)
		text_f(p->out, "<%u>", d->count);
	text_c(p->out, ';');
}

static void print_proto(Printer *p, const PtxProto *proto)
{
	text_c(p->out, '\t');
	add_name(p, proto->name);
	text_s(p->out, " : .callprototype ");
	print_params_flat(p, &proto->rets);
	text_s(p->out, proto->rets.n ? " _ " : "_ ");
	print_params_flat(p, &proto->params);
	text_s(p->out, proto->noreturn ? " .noreturn;" : ";");
}

static void print_targets(Printer *p, const PtxStmt *st)
{
	text_c(p->out, '\t');
	add_name(p, p->f->labels.p[st->arg].name);
	text_s(p->out, st->flags & PSF_CALLTARGETS ? ": .calltargets " : ": .branchtargets ");
	for (u32 i = 0; i < st->n; i++) {
		if (i)
			text_s(p->out, ", ");
		print_operand(p, &p->f->operands.p[st->operand + i]);
	}
	text_c(p->out, ';');
}

/* ---- statements and functions */

static void print_stmt(Printer *p, const PtxStmt *st)
{
	u32 start = p->out->n;
	switch ((PtxStmtKind)st->kind) {
	case PS_INSN: print_insn(p, st); break;
	case PS_LABEL: add_name(p, p->f->labels.p[st->arg].name), text_c(p->out, ':'); break;
	case PS_OPEN: text_s(p->out, "\t{"); break;
	case PS_CLOSE: text_s(p->out, "\t}"); break;
	case PS_REGS: print_regs(p, &p->f->regs.p[st->arg]); break;
	case PS_VAR: text_c(p->out, '\t'), print_var(p, &p->f->vars.p[st->arg]), text_c(p->out, ';'); break;
	case PS_LOC: text_s(p->out, "\t.loc\t"), text_add(p->out, name_of(p, st->arg)); break;
	case PS_PRAGMA: text_s(p->out, "\t.pragma "), text_add(p->out, name_of(p, st->arg)), text_c(p->out, ';'); break;
	case PS_PROTO: print_proto(p, &p->f->protos.p[st->arg]); break;
	case PS_TARGETS: print_targets(p, st); break;
	case PS_TEXT:
		if (!p->options->comments)
			return;
		text_add(p->out, name_of(p, st->arg));
		break;
	}
	if (st->comment && p->options->comments && (st->kind == PS_OPEN || st->kind == PS_CLOSE)) {
		text_s(p->out, " // ");
		text_add(p->out, name_of(p, st->comment));
		text_c(p->out, '\n');
	} else {
		end_line(p, st->comment, start);
	}
	mark(p, st->origin);
}

static bool is_declaration(const PtxStmt *st) { return st->kind == PS_REGS || st->kind == PS_VAR; }

static void print_body(Printer *p)
{
	const PtxFunc *f = p->f;
	u32            i = 0;
	text_s(p->out, "{\n");
	mark(p, f->origin);
	for (; i < f->body.n && is_declaration(&f->body.p[i]); i++)
		print_stmt(p, &f->body.p[i]);
	if (i)
		text_c(p->out, '\n');
	for (; i < f->body.n; i++)
		print_stmt(p, &f->body.p[i]);
	text_s(p->out, "}\n");
	mark(p, f->origin);
}

static void print_tuning(Printer *p, const PtxTuning *t)
{
	add_name(p, t->name);
	for (u32 i = 0; i < t->n; i++)
		text_f(p->out, i ? ", %u" : " %u", t->value[i]);
	if (t->text.i)
		text_c(p->out, ' '), add_name(p, t->text), text_c(p->out, ';');
}

static void print_func(Printer *p, const PtxFunc *f)
{
	static const char *const linkage[] = {"", ".visible ", ".extern ", ".weak ", ".common "};
	p->f = NULL;
	text_s(p->out, linkage[f->linkage]);
	if (f->attribute.i)
		text_s(p->out, ".attribute("), add_name(p, f->attribute), text_s(p->out, ") ");
	text_s(p->out, f->is_entry ? ".entry " : ".func ");
	if (f->rets.n) {
		text_c(p->out, ' ');
		print_params_flat(p, &f->rets);
		text_c(p->out, ' ');
	}
	add_name(p, f->name);
	if (!f->has_body)
		text_c(p->out, '\n');
	print_params(p, &f->params);
	for (u32 i = 0; i < f->tuning.n; i++) {
		print_tuning(p, &f->tuning.p[i]);
		if (f->has_body || i + 1 < f->tuning.n)
			text_c(p->out, '\n');
	}
	mark(p, f->origin);
	p->f = f;
	if (f->has_body)
		print_body(p);
	else
		text_s(p->out, ";\n");
	mark(p, f->origin);
	p->f = NULL;
}

static void print_item(Printer *p, const PtxItem *it)
{
	switch ((PtxItemKind)it->kind) {
	case PT_VAR: {
		const PtxVar *v = p->m->vars.p[it->index];
		u32           start = p->out->n;
		print_var(p, v);
		text_c(p->out, ';');
		end_line(p, v->comment, start);
		mark(p, v->origin);
		return;
	}
	case PT_FUNC: print_func(p, p->m->funcs.p[it->index]); return;
	case PT_FILE: text_s(p->out, "\t.file\t"), add_name(p, it->text), text_c(p->out, '\n'); break;
	case PT_SECTION: text_s(p->out, "\t.section\t"), add_name(p, it->text), text_c(p->out, '\n'); break;
	case PT_PRAGMA: text_s(p->out, ".pragma "), add_name(p, it->text), text_s(p->out, ";\n"); break;
	case PT_ALIAS: text_s(p->out, ".alias "), add_name(p, it->text), text_s(p->out, ";\n"); break;
	case PT_TEXT:
		if (p->options->comments)
			add_name(p, it->text), text_c(p->out, '\n');
		break;
	}
	mark(p, 0);
}

void ptx_print(Text *out, const PtxModule *m, const PtxPrintOptions *options)
{
	Printer p = {.out = out, .m = m, .options = options, .lines_done = out->lines};
	if (m->header.i && options->comments)
		add_name(&p, m->header), text_c(out, '\n');
	if (m->version)
		text_f(out, ".version %u.%u\n", m->version / 10, m->version % 10);
	if (m->target.i)
		text_s(out, ".target "), add_name(&p, m->target), text_c(out, '\n');
	if (m->address_size)
		text_f(out, ".address_size %u\n", m->address_size);
	if (m->version || m->target.i || m->address_size)
		text_c(out, '\n');
	mark(&p, 0);
	for (u32 i = 0; i < m->items.n; i++) {
		bool func = m->items.p[i].kind == PT_FUNC && !options->comments;
		if (i && func)
			text_c(out, '\n');
		print_item(&p, &m->items.p[i]);
	}
	mark(&p, 0);
}

void ptx_print_func(Text *out, const PtxModule *m, const PtxFunc *f, const PtxPrintOptions *options)
{
	Printer p = {.out = out, .m = m, .options = options, .lines_done = out->lines};
	print_func(&p, f);
}

void ptx_print_stmt(Text *out, const PtxModule *m, const PtxFunc *f, const PtxStmt *st, const PtxPrintOptions *options)
{
	Printer p = {.out = out, .m = m, .f = f, .options = options, .lines_done = out->lines};
	print_stmt(&p, st);
}
