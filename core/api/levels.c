/* levels.c: joins the pass manager with the two forms a program has. */
#include "api/command.h"
#include "ir/text.h"
#include "mir/pressure.h"

/* ---- IR: a function's id is the IrRef of its global ---- */

static IrFunc *ir_func_of(PassCx *cx, u32 func) { return ir_func(cx->ir, (IrRef){func}); }

static u32 ir_functions(PassCx *cx, const u32 **ids)
{
	VecU32 v = {0};
	ir_each_func(cx->ir, f) {
		if (!ir_is_decl(f))
			vec_push(cx->scratch, &v, f->ref.i);
	}
	*ids = v.p;
	return v.n;
}

static Str ir_function_name(PassCx *cx, u32 func) { return ir_str(cx->ir, ir_global(cx->ir, (IrRef){func})->name); }

static u64 ir_hash(PassCx *cx, u32 func) { return func ? ir_hash_func(cx->ir, ir_func_of(cx, func)) : ir_hash_module(cx->ir); }

static void ir_print_module_(PassCx *cx, Text *out, VecU32 *origins) { ir_print_module(out, cx->ir, origins); }

static void ir_print(PassCx *cx, u32 func, Text *out, VecU32 *origins)
{
	if (func)
		ir_print_func(out, cx->ir, ir_func_of(cx, func), origins);
	else
		ir_print_globals(out, cx->ir, origins);
}

static bool ir_verify_(PassCx *cx, u32 func, Text *errors)
{
	Diags *d = &cx->s->diags;
	u32    before = d->list.n;
	bool   good = true;
	if (func)
		good = ir_verify_func(cx->ir, ir_func_of(cx, func));
	else
		ir_verify(cx->ir), good = d->list.n == before;
	for (u32 i = before; i < d->list.n; i++)
		diag_print(errors, &d->list.p[i], STR("IR"), (Str){NULL, 0});
	return good;
}

static u32 ir_instructions(PassCx *cx, u32 func) { return ir_count_insts(cx->ir, ir_func_of(cx, func)); }

static u64 ir_had(PassCx *cx, u32 func) { return ir_func_had(cx->ir, ir_func_of(cx, func)); }

static u32 ir_form(PassCx *cx, u32 func) { return ir_first_scalable(cx->ir, ir_func_of(cx, func)).i ? 0 : PN_FIXED; }

static bool ir_deferred(PassCx *cx) { return cx->ir->reader || cx->ir->bitcode; }

static bool ir_take_up(PassCx *cx, u32 func)
{
	IrFunc *f = ir_func_of(cx, func);
	return ir_read_body(cx->ir, f) && ir_verify_func(cx->ir, f);
}

static void ir_give_back(PassCx *cx, u32 func) { ir_give_back_body(cx->ir, ir_func_of(cx, func)); }

static const LevelOps ir_level = {
	.functions = ir_functions,
	.name = ir_function_name,
	.hash = ir_hash,
	.print = ir_print,
	.print_module = ir_print_module_,
	.verify = ir_verify_,
	.instructions = ir_instructions,
	.form = ir_form,
	.had = ir_had,
	.deferred = ir_deferred,
	.take_up = ir_take_up,
	.give_back = ir_give_back,
};

/* ---- MIR: a function's id is its index + 1 ---- */

static MirFunc *mir_func_of(PassCx *cx, u32 func) { return cx->mir->func.p[func - 1]; }

static u32 mir_functions(PassCx *cx, const u32 **ids)
{
	u32 *v = arena_array(cx->scratch, u32, cx->mir->func.n + 1);
	for (u32 i = 0; i < cx->mir->func.n; i++)
		v[i] = i + 1;
	*ids = v;
	return cx->mir->func.n;
}

static Str mir_function_name(PassCx *cx, u32 func) { return strtab_get(&cx->s->strs, mir_func_of(cx, func)->name); }

static u64 mir_hash_(PassCx *cx, u32 func) { return func ? mir_hash(mir_func_of(cx, func)) : 0; }

static void mir_print(PassCx *cx, u32 func, Text *out, VecU32 *origins)
{
	if (func)
		mir_print_func(out, mir_func_of(cx, func), origins);
}

static void mir_print_module_(PassCx *cx, Text *out, VecU32 *origins) { mir_print_module(out, cx->mir, origins); }

static bool mir_verify_(PassCx *cx, u32 func, Text *errors)
{
	if (func)
		return mir_verify(mir_func_of(cx, func), errors);
	bool good = true;
	for (u32 i = 0; i < cx->mir->func.n; i++)
		good &= mir_verify(cx->mir->func.p[i], errors);
	return good;
}

static u32 mir_form(PassCx *cx, u32 func)
{
	MirFunc *f = mir_func_of(cx, func);
	if (f->props & MP_SSA)
		return PN_SSA;
	if (!(f->props & MP_NO_PHIS) && mir_may_have(f, ISA_PHI))
		mir_each_block(f, b)
			if (mir_block(f, b)->first && mir_inst(f, (MirInstId){mir_block(f, b)->first})->desc == ISA_PHI)
				return 0;
	return PN_NO_PHIS;
}

static u32 mir_instructions(PassCx *cx, u32 func)
{
	MirFunc *f = mir_func_of(cx, func);
	u32      n = 0;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			n++;
	return n;
}

static void mir_give_back(PassCx *cx, u32 func) { mir_func_free(mir_func_of(cx, func)); }

static void mir_pressure_(PassCx *cx, u32 func, Pressure *p)
{
	PassCx of = *cx;
	of.func = func;
	mir_max_pressure(&of, p);
}

static const LevelOps mir_level = {
	.functions = mir_functions,
	.name = mir_function_name,
	.hash = mir_hash_,
	.print = mir_print,
	.print_module = mir_print_module_,
	.verify = mir_verify_,
	.instructions = mir_instructions,
	.form = mir_form,
	.give_back = mir_give_back,
	.pressure = mir_pressure_,
};

void command_set_levels(Manager *m)
{
	m->ops[PASS_IR] = m->ops[PASS_DAG] = &ir_level;
	m->ops[PASS_MIR] = m->ops[PASS_EMIT] = &mir_level;
}
