/* functions_json.c: "functions" of a trace: what a reader of it needs to launch a kernel, and to judge its registers.
 *
 * A pointer's "element" is the type of the first access found through it: a guess by which a launch can be filled in. */
#include "api/compilation.h"
#include "ir/text.h"
#include "mir/abi.h"
#include "mir/budget.h"

/* A type of launch files: what an element of a buffer may be; "" where none is like it. */
static Str element_name(const IrModule *m, IrType type, Arena *a)
{
	IrType t = ir_scalar_type(m, type);
	u64    bits = ir_type_is_sized(m, t) ? ir_size_bits(m, t) : 0;
	bool   whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
	switch (ir_type_kind(m, t)) {
	case IRT_HALF: return STR("f16");
	case IRT_BFLOAT: return STR("u16");
	case IRT_FLOAT: return STR("f32");
	case IRT_DOUBLE: return STR("f64");
	case IRT_PTR: return STR("u64");
	case IRT_INT: return whole ? arena_fmt(a, "i%u", (u32)bits) : STR("");
	default: return STR("");
	}
}

enum { MAX_POINTERS = 64 };

/* Adds a pointer to the list, once, as long as there is room. */
static u32 add_pointer(IrRef *list, u32 n, IrRef p)
{
	for (u32 i = 0; i < n; i++)
		if (list[i].i == p.i)
			return n;
	if (n < MAX_POINTERS)
		list[n++] = p;
	return n;
}

/* The type that is first found to be loaded, stored or updated through a pointer or one computed from it; none. */
static IrType pointee(const IrModule *m, IrRef pointer)
{
	IrRef list[MAX_POINTERS];
	u32   n = add_pointer(list, 0, pointer);
	for (u32 i = 0; i < n; i++)
		ir_each_use(m, list[i], u) {
			IrRef user = ir_use(m, u)->user;
			if (ir_kind(user) != IR_INST)
				continue;
			u32 index = ir_use_index(m, u);
			switch (ir_inst(m, user)->op) {
			case IR_LOAD: return ir_inst(m, user)->type;
			case IR_STORE:
				if (index == 1)
					return ir_type_of(m, ir_op(m, user, 0));
				break;
			case IR_ATOMICRMW:
			case IR_CMPXCHG:
				if (index == 0)
					return ir_type_of(m, ir_op(m, user, 1));
				break;
			case IR_GETELEMENTPTR:
			case IR_ADDRSPACECAST:
			case IR_BITCAST:
			case IR_PHI:
			case IR_SELECT:
			case IR_FREEZE: n = add_pointer(list, n, user); break;
			default: break;
			}
		}
	return (IrType){0};
}

static void json_element(Text *out, const IrModule *ir, IrRef arg)
{
	Str element = STR("");
	if (ir_type_is_ptr(ir, ir_type_of(ir, arg)))
		element = element_name(ir, pointee(ir, arg), out->arena);
	if (!element.n)
		return;
	text_s(out, ",\"element\":");
	text_json(out, element);
}

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
	text_f(out, ",\"bytes\":%llu,\"align\":%u,\"byval\":%s", (unsigned long long)p.size, p.align, p.byval ? "true" : "false");
	if (!p.byval)
		json_element(out, ir, ir_func_arg(f, k));
	text_c(out, '}');
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
	for (u32 k = 0; ir && !ir_signature_is_scalable(mir->ir, ir) && k < ir->n_args; k++)
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
