/* functions_json.c: "functions" of a trace: what a reader of it needs to launch a kernel, and to judge its registers. */
#include "api/compilation.h"
#include "ir/text.h"
#include "mir/abi.h"
#include "mir/budget.h"

static void json_param(Text *out, IrModule *ir, const IrFunc *f, u32 k)
{
	MirParam p = mir_abi_param(ir, f, k);
	Text     type;
	text_init(&type, out->arena);
	ir_print_type(&type, ir, p.type);
	text_s(out, k ? ",{\"name\":" : "{\"name\":");
	text_json(out, ir_str(ir, ir_arg(ir, ir_func_arg(f, k))->name));
	text_s(out, ",\"type\":");
	text_json(out, text_str(&type));
	text_f(out, ",\"bytes\":%llu,\"align\":%u,\"byval\":%s}", (unsigned long long)p.size, p.align,
	       p.byval ? "true" : "false");
}

static void json_budget(Text *out, const MirFunc *f)
{
	static const struct {
		const char *name;
		IsaFile     file;
	} files[] = {{"registers", FILE_R}, {"predicates", FILE_P}};
	text_s(out, ",\"budget\":{");
	for (u32 k = 0; k < PS_COUNT(files); k++) {
		RegBudget b = mir_budget(f, files[k].file);
		text_f(out, "%s\"%s\":{\"limit\":%u,\"target\":%u,\"by\":", k ? "," : "", files[k].name, b.limit, b.target);
		text_json(out, mir_budget_source(f, b.limit_by, out->arena));
		text_c(out, '}');
	}
	text_c(out, '}');
}

static void json_function(Text *out, const MirModule *mir, u32 n)
{
	const MirFunc *f = mir->func.p[n];
	IrFunc        *ir = mir->ir && f->ir ? ir_func(mir->ir, ir_ref(IR_GLOBAL, f->ir)) : NULL;
	text_s(out, n ? ",{\"name\":" : "{\"name\":");
	text_json(out, strtab_get(&mir->session->strs, f->name));
	text_f(out, ",\"kernel\":%s,\"line\":%u,\"params\":[", f->is_kernel ? "true" : "false",
	       ir ? ir_global(mir->ir, ir->ref)->origin : 0);
	for (u32 k = 0; ir && k < ir->n_args; k++)
		json_param(out, mir->ir, ir, k);
	text_c(out, ']');
	json_budget(out, f);
	text_c(out, '}');
}

void compilation_functions_json(const Compilation *x, Text *out)
{
	const MirModule *mir = x->m.cx.mir;
	text_c(out, '[');
	for (u32 n = 0; mir && n < mir->func.n; n++)
		json_function(out, mir, n);
	text_c(out, ']');
}
