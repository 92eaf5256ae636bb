/* print.c: modules and functions, as LLVM lays them out. */
#include "ir/print.h"
#include "ir/text.h"

/* ---- numbers of unnamed values ---- */

static void set_number(IrModule *m, IrRef r, u32 number)
{
	VecU32 *v = &m->numbering->value[ir_kind(r)];
	u32     i = ir_index(r);
	if (i >= v->n)
		vec_extend(m->arena, v, i + 1 - v->n);
	v->p[i] = number;
}

static void set_block_order(IrModule *m, IrRef block, u32 order)
{
	VecU32 *v = &m->numbering->block_order;
	u32     i = ir_index(block);
	if (i >= v->n)
		vec_extend(m->arena, v, i + 1 - v->n);
	v->p[i] = order;
}

static u32 block_order(const IrModule *m, u32 block) { return m->numbering->block_order.p[ir_index((IrRef){block})]; }

void ir_number_function(IrModule *m, IrFunc *f)
{
	u32 n = 0, order = 0;
	for (u32 i = 0; i < f->n_args; i++) {
		IrArg *a = ir_arg(m, ir_func_arg(f, i));
		if (!a->name.i)
			set_number(m, ir_func_arg(f, i), n++);
	}
	ir_each_block(m, f, b) {
		IrBlock *rec = ir_block(m, b);
		set_block_order(m, b, order++);
		if (!rec->name.i)
			set_number(m, b, n++);
		ir_each_inst(m, b, i) {
			IrInstInfo *info = ir_info(m, i);
			if (!info->name.i && ir_inst(m, i)->type.i != IR_TY_VOID)
				set_number(m, i, n++);
		}
	}
}

static const u8 kinds_in_order[] = {IRG_VAR, IRG_ALIAS, IRG_IFUNC, IRG_FUNC};

static void number_globals(IrModule *m)
{
	u32 n = 0;
	for (u32 k = 0; k < PS_COUNT(kinds_in_order); k++)
		ir_each_global(m, g)
			if (ir_global(m, g)->kind == kinds_in_order[k] && !ir_global(m, g)->name.i)
				set_number(m, g, n++);
}

/* ---- attribute groups ---- */

/* From 1 in the order of asking; 0: nothing of the set is printed. */
static u32 group_slot(IrModule *m, IrAttrs set)
{
	set = irw_older_attrs(m, set);
	if (!set.i)
		return 0;
	IrNumbering *num = m->numbering;
	if (set.i >= num->groups.n)
		vec_extend(m->arena, &num->groups, m->attr_sets.n - num->groups.n);
	if (!num->groups.p[set.i])
		num->groups.p[set.i] = ++num->n_groups;
	return num->groups.p[set.i];
}

void irw_group(Printer *pr, IrAttrs set)
{
	u32 slot = group_slot(pr->m, set);
	if (slot)
		text_f(pr->out, " #%u", slot - 1);
}

static void number_groups(IrModule *m)
{
	IrNumbering *num = m->numbering;
	if (num->groups.n)
		memset(num->groups.p, 0, num->groups.n * sizeof(u32));
	num->n_groups = 0;
	ir_each_global(m, g)
		if (ir_global(m, g)->kind == IRG_VAR)
			group_slot(m, ir_global(m, g)->attrs);
	ir_each_func(m, f)
		group_slot(m, f->fn);
	ir_each_func(m, f)
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i)
				if (ir_op_info[ir_inst(m, i)->op].flags & IROF_CALLS)
					group_slot(m, ir_call(m, i)->fn);
}

static void print_groups(Printer *pr)
{
	const IrNumbering *num = pr->m->numbering;
	VecU32             by_slot = {0};
	vec_extend(pr->m->arena, &by_slot, num->n_groups + 1);
	for (u32 id = 1; id < num->groups.n; id++)
		if (num->groups.p[id])
			by_slot.p[num->groups.p[id]] = id;
	if (num->n_groups)
		irw_line(pr, 0);
	for (u32 slot = 1; slot <= num->n_groups; slot++) {
		text_f(pr->out, "attributes #%u = {", slot - 1);
		irw_attrs(pr, (IrAttrs){by_slot.p[slot]}, true);
		text_s(pr->out, " }");
		irw_line(pr, 0);
	}
}

/* ---- globals ---- */

static bool implicit_dso_local(const IrGlobal *g)
{
	return ir_linkage_is_local(g->linkage) || (g->visibility != IRV_DEFAULT && g->linkage != IRL_EXTERN_WEAK);
}

/* Linkage … unnamed_addr, each with a space behind it. */
static void print_head(Printer *pr, const IrGlobal *g, bool with_linkage)
{
	static const char *const visibility[] = {"", "hidden ", "protected "};
	static const char *const tls[] = {"", "thread_local ", "thread_local(localdynamic) ", "thread_local(initialexec) ",
	                                  "thread_local(localexec) "};
	static const char *const unnamed[] = {"", "local_unnamed_addr ", "unnamed_addr "};
	if (with_linkage)
		text_f(pr->out, "%s ", ir_linkage_name[g->linkage]);
	if ((g->flags & IRGF_DSO_LOCAL) && !implicit_dso_local(g))
		text_s(pr->out, "dso_local ");
	text_s(pr->out, visibility[g->visibility]);
	text_s(pr->out, g->flags & IRGF_DLLIMPORT ? "dllimport " : g->flags & IRGF_DLLEXPORT ? "dllexport " : "");
	text_s(pr->out, tls[g->tls]);
	if (g->kind != IRG_FUNC)
		text_s(pr->out, unnamed[g->unnamed_addr]);
}

static void print_comdat(Printer *pr, const IrGlobal *g, const char *before)
{
	if (!g->comdat)
		return;
	const IrComdat *c = &pr->m->comdats.p[g->comdat - 1];
	text_f(pr->out, "%scomdat", before);
	if (c->name.i == g->name.i)
		return;
	text_c(pr->out, '(');
	irw_name(pr, '$', ir_str(pr->m, c->name));
	text_c(pr->out, ')');
}

static void print_string_suffix(Printer *pr, const char *what, StrId s)
{
	if (!s.i)
		return;
	text_s(pr->out, what);
	irw_string(pr, ir_str(pr->m, s));
}

static void print_variable(Printer *pr, IrRef g)
{
	const IrGlobal *rec = ir_global(pr->m, g);
	IrRef           init = ir_global_init(pr->m, g);
	irw_ref(pr, g);
	text_s(pr->out, " = ");
	print_head(pr, rec, rec->linkage != IRL_EXTERNAL || !init.i);
	if (rec->addrspace)
		text_f(pr->out, "addrspace(%u) ", rec->addrspace);
	text_s(pr->out, rec->flags & IRGF_EXTERNALLY_INIT ? "externally_initialized " : "");
	text_s(pr->out, rec->flags & IRGF_CONSTANT ? "constant " : "global ");
	irw_type(pr, rec->type);
	if (init.i) {
		text_c(pr->out, ' ');
		irw_ref(pr, init);
	}
	print_string_suffix(pr, ", section ", rec->section);
	print_string_suffix(pr, ", partition ", rec->partition);
	print_string_suffix(pr, ", code_model ", rec->code_model);
	for (u32 i = 0; i < IR_SANITIZER_WORDS; i++)
		if (rec->flags & IRGF_SANITIZE << i)
			text_f(pr->out, ", %s", ir_sanitizer_words[i]);
	print_comdat(pr, rec, ", ");
	if (rec->align)
		text_f(pr->out, ", align %llu", (unsigned long long)ir_align_stated(rec->align));
	irw_attachments(pr, rec->md, (IrMd){0}, ", ");
	irw_group(pr, rec->attrs);
	irw_line(pr, rec->origin);
}

static void print_alias(Printer *pr, IrRef g)
{
	const IrGlobal *rec = ir_global(pr->m, g);
	irw_ref(pr, g);
	text_s(pr->out, " = ");
	print_head(pr, rec, rec->linkage != IRL_EXTERNAL);
	text_s(pr->out, rec->kind == IRG_IFUNC ? "ifunc " : "alias ");
	irw_type(pr, rec->type);
	text_s(pr->out, ", ");
	IrRef to = ir_global_init(pr->m, g);
	if (ir_kind(to) == IR_CONST && ir_const(pr->m, to)->kind == IRC_EXPR)
		irw_ref(pr, to);
	else
		irw_typed(pr, to);
	print_string_suffix(pr, ", partition ", rec->partition);
	irw_attachments(pr, rec->md, (IrMd){0}, ", ");
	irw_line(pr, rec->origin);
}

/* ---- functions ---- */

static void print_params(Printer *pr, const IrFunc *f)
{
	bool                body = !ir_is_decl(f);
	const IrwOlderCall *older = body ? NULL : irw_older_call(pr->m, f->ref);
	text_c(pr->out, '(');
	for (u32 i = 0; i < f->n_args; i++) {
		IrRef        r = ir_func_arg(f, i);
		const IrArg *a = ir_arg(pr->m, r);
		text_s(pr->out, i ? ", " : "");
		if (older && i == older->at) {
			irw_type(pr, older->type);
			text_s(pr->out, " immarg, ");
		}
		irw_type(pr, a->type);
		irw_attrs(pr, a->attrs, false);
		if (body) {
			text_c(pr->out, ' ');
			irw_ref(pr, r);
		}
	}
	if (ir_type(pr->m, ir_global(pr->m, f->ref)->type)->vararg)
		text_s(pr->out, f->n_args ? ", ..." : "...");
	text_c(pr->out, ')');
}

static void print_extra(Printer *pr, const IrFunc *f, u32 which, const char *word)
{
	if (!f->extra[which])
		return;
	text_f(pr->out, " %s ", word);
	irw_typed(pr, ir_use(pr->m, f->extra[which])->value);
}

static void print_function_attrs_comment(Printer *pr, IrAttrs set)
{
	set = irw_older_attrs(pr->m, set);
	for (u32 i = 0, n = ir_attrs_count(pr->m, set); i < n; i++)
		if (ir_attrs_at(pr->m, set, i)->kind == IRA_STRING) {
			set = ir_attrs_make(pr->m, ir_attrs_at(pr->m, set, 0), i); /* strings come last */
			break;
		}
	if (!set.i)
		return;
	text_s(pr->out, "; Function Attrs:");
	irw_attrs(pr, set, false);
	irw_line(pr, 0);
}

static void print_function_head(Printer *pr, const IrFunc *f)
{
	const IrGlobal          *g = ir_global(pr->m, f->ref);
	static const char *const unnamed[] = {"", " local_unnamed_addr", " unnamed_addr"};
	bool                     decl = ir_is_decl(f);
	text_s(pr->out, decl ? "declare" : "define");
	if (decl)
		irw_attachments(pr, g->md, (IrMd){0}, " ");
	text_c(pr->out, ' ');
	print_head(pr, g, g->linkage != IRL_EXTERNAL);
	pr->out->n--; /* what follows brings its own spaces */
	irw_cc(pr, f->cc);
	irw_attrs(pr, irw_older_result(pr->m, f->ret), false);
	text_c(pr->out, ' ');
	irw_type(pr, ir_func_ret(pr->m, g->type));
	text_c(pr->out, ' ');
	irw_ref(pr, f->ref);
	print_params(pr, f);
	text_s(pr->out, unnamed[g->unnamed_addr]);
	if (g->addrspace || pr->m->layout.program_space)
		text_f(pr->out, " addrspace(%u)", g->addrspace);
	irw_group(pr, f->fn);
	print_string_suffix(pr, " section ", g->section);
	print_string_suffix(pr, " partition ", g->partition);
	print_comdat(pr, g, " ");
	if (g->align)
		text_f(pr->out, " align %llu", (unsigned long long)ir_align_stated(g->align));
	print_string_suffix(pr, " gc ", f->gc);
	print_extra(pr, f, 0, "prefix");
	print_extra(pr, f, 1, "prologue");
	print_extra(pr, f, 2, "personality");
	if (!decl)
		irw_attachments(pr, g->md, (IrMd){0}, " ");
}

/* "; preds = %a, %b": in the order of the blocks, each once, so the text says the same whatever the
 * history of the use lists. */
static void print_preds(Printer *pr, const IrFunc *f, IrRef b, VecU32 *preds, u32 from)
{
	IrModule *m = pr->m;
	if (ir_same(b, f->first))
		return;
	text_pad(pr->out, 50, from);
	ir_preds(m, b, preds);
	for (u32 i = 0; i < preds->n / 2; i++) { /* the last use comes first: turned round they are nearly in order */
		u32 v = preds->p[i];
		preds->p[i] = preds->p[preds->n - 1 - i];
		preds->p[preds->n - 1 - i] = v;
	}
	for (u32 i = 1; i < preds->n; i++) {
		u32 v = preds->p[i], k = i;
		for (; k && block_order(m, preds->p[k - 1]) > block_order(m, v); k--)
			preds->p[k] = preds->p[k - 1];
		preds->p[k] = v;
	}
	if (!preds->n) {
		text_s(pr->out, "; No predecessors!");
		return;
	}
	text_s(pr->out, "; preds = ");
	for (u32 i = 0; i < preds->n; i++) {
		if (i && preds->p[i] == preds->p[i - 1])
			continue;
		text_s(pr->out, i ? ", " : "");
		irw_ref(pr, (IrRef){preds->p[i]});
	}
}

static void print_block(Printer *pr, const IrFunc *f, IrRef b, VecU32 *preds)
{
	const IrBlock *rec = ir_block(pr->m, b);
	bool           first = ir_same(b, f->first);
	if (!first)
		irw_line(pr, 0);
	if (!first || rec->name.i) {
		u32 from = pr->out->n;
		if (rec->name.i)
			irw_name(pr, 0, ir_str(pr->m, rec->name));
		else
			text_u(pr->out, irw_number(pr, b));
		text_c(pr->out, ':');
		print_preds(pr, f, b, preds, from);
		irw_line(pr, rec->origin);
	}
	ir_each_inst(pr->m, b, i) {
		irw_dbg_records(pr, ir_info(pr->m, i)->records);
		irw_inst(pr, i);
		irw_line(pr, ir_info(pr->m, i)->origin);
	}
}

static void print_function(Printer *pr, IrFunc *f)
{
	VecU32 preds = {0};
	ir_number_function(pr->m, f);
	print_function_attrs_comment(pr, f->fn);
	print_function_head(pr, f);
	u32 origin = ir_global(pr->m, f->ref)->origin;
	if (ir_is_decl(f)) {
		irw_line(pr, origin);
		return;
	}
	text_s(pr->out, " {");
	irw_line(pr, origin);
	ir_each_block(pr->m, f, b)
		print_block(pr, f, b, &preds);
	text_c(pr->out, '}');
	irw_line(pr, f->end_line);
}

/* ---- modules ---- */

static void print_header(Printer *pr)
{
	IrModule *m = pr->m;
	if (m->id.i) {
		text_s(pr->out, "; ModuleID = '");
		text_add(pr->out, ir_str(m, m->id)); /* whatever bytes it has */
		text_c(pr->out, '\'');
		irw_line(pr, 0);
	}
	const struct {
		const char *what;
		StrId       text;
	} lines[] = {{"source_filename = ", m->source_name},
	             {"target datalayout = ", m->layout_text},
	             {"target triple = ", m->triple}};
	for (u32 i = 0; i < PS_COUNT(lines); i++)
		if (lines[i].text.i) {
			text_s(pr->out, lines[i].what);
			irw_string(pr, ir_str(m, lines[i].text));
			irw_line(pr, 0);
		}
	if (m->asm_lines.n)
		irw_line(pr, 0);
	for (u32 i = 0; i < m->asm_lines.n; i++) {
		text_s(pr->out, "module asm ");
		irw_string(pr, ir_str(m, m->asm_lines.p[i]));
		irw_line(pr, 0);
	}
}

static void print_types(Printer *pr)
{
	IrModule *m = pr->m;
	for (u32 i = 0; i < m->struct_order.n; i++) {
		IrType t = {m->struct_order.p[i]};
		if (i == 0)
			irw_line(pr, 0);
		irw_type(pr, t);
		text_s(pr->out, " = type ");
		irw_struct_body(pr, t);
		irw_line(pr, 0);
	}
}

static void print_comdats(Printer *pr)
{
	for (u32 i = 0; i < pr->m->comdats.n; i++) {
		const IrComdat *c = &pr->m->comdats.p[i];
		irw_line(pr, 0);
		irw_name(pr, '$', ir_str(pr->m, c->name));
		text_f(pr->out, " = comdat %.*s", STR_ARG(c->kind.i ? ir_str(pr->m, c->kind) : STR("any")));
		irw_line(pr, 0);
	}
}

static void print_variables(Printer *pr)
{
	for (u32 k = 0; k + 1 < PS_COUNT(kinds_in_order); k++) {
		bool first = true;
		ir_each_global(pr->m, g) {
			if (ir_global(pr->m, g)->kind != kinds_in_order[k])
				continue;
			if (first)
				irw_line(pr, 0);
			first = false;
			if (kinds_in_order[k] == IRG_VAR)
				print_variable(pr, g);
			else
				print_alias(pr, g);
		}
	}
}

static void print_module(Printer *pr, bool bodies)
{
	IrModule *m = pr->m;
	number_globals(m);
	irw_number_metadata(m);
	number_groups(m);
	print_header(pr);
	print_types(pr);
	print_comdats(pr);
	ir_each_func(m, f) /* blocks named by blockaddress in initialisers */
		ir_number_function(m, f);
	print_variables(pr);
	ir_each_func(m, f) {
		if ((!bodies && !ir_is_decl(f)) || irw_older_is_declared(m, f->ref))
			continue;
		irw_line(pr, 0);
		print_function(pr, f);
	}
	print_groups(pr);
	irw_metadata(pr);
	if (!pr->out->n) {
		text_s(pr->out, "; an empty module");
		irw_line(pr, 0);
	}
}

void ir_print_module(Text *out, IrModule *m, VecU32 *line_origins)
{
	Printer pr = {.out = out, .m = m, .origins = line_origins};
	print_module(&pr, true);
}

void ir_print_globals(Text *out, IrModule *m, VecU32 *line_origins)
{
	Printer pr = {.out = out, .m = m, .origins = line_origins};
	print_module(&pr, false);
}

void ir_print_func(Text *out, IrModule *m, IrFunc *f, VecU32 *line_origins)
{
	Printer pr = {.out = out, .m = m, .origins = line_origins};
	if (!m->numbering->n_md)
		irw_number_metadata(m);
	if (!m->numbering->n_groups)
		number_groups(m);
	number_globals(m);
	print_function(&pr, f);
}
