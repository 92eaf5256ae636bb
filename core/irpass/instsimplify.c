/* instsimplify: replaces instructions whose value is an existing value or a constant (analysis/fold.h), and removes the
 * instructions that become dead.
 *
 *   %a = add i32 2, 3
 *   %b = mul i32 %x, %a      →   %b = mul i32 %x, 5
 *
 * Visits instructions in program order, then revisits the users of replaced ones from a worklist. Creates no new
 * instructions. Linear in instructions, replacements and their users. */
#include "analysis/fold.h"
#include "irpass/util.h"

typedef struct Simplifier {
	PassCx   *cx;
	IrModule *m;
	VecU32    again; /* users of what was replaced */
	VecU32    rest;  /* of the block */
	bool      changed;
} Simplifier;

static void replace(Simplifier *s, IrRef i, IrRef v)
{
	IrModule *m = s->m;
	ir_each_use(m, i, u)
		if (ir_kind(ir_use(m, u)->user) == IR_INST)
			vec_push(s->cx->scratch, &s->again, ir_use(m, u)->user.i);
	ir_replace_all_uses(m, i, v);
	remove_if_dead(s->cx, i);
	s->changed = true;
}

/* A replacement may remove later instructions of the block, so the rest of the block is listed before the first one. */
static void simplify_rest(Simplifier *s, IrRef i, IrRef v)
{
	IrModule *m = s->m;
	s->rest.n = 0;
	for (IrRef k = ir_inst(m, i)->next; !ir_is_none(k); k = ir_inst(m, k)->next)
		vec_push(s->cx->scratch, &s->rest, k.i);
	replace(s, i, v);
	for (u32 at = 0; at < s->rest.n; at++) {
		i = (IrRef){s->rest.p[at]};
		v = ir_is_none(ir_inst(m, i)->block) ? i : ir_fold(m, i);
		if (!ir_is_none(v) && !ir_same(v, i))
			replace(s, i, v);
	}
}

static void simplify_block(Simplifier *s, IrRef b)
{
	for (IrRef i = ir_block(s->m, b)->first; !ir_is_none(i); i = ir_inst(s->m, i)->next) {
		IrRef v = ir_fold(s->m, i);
		if (ir_is_none(v) || ir_same(v, i))
			continue;
		simplify_rest(s, i, v);
		return;
	}
}

static bool run(PassCx *cx)
{
	IrModule  *m = cx->ir;
	Simplifier s = {.cx = cx, .m = m};
	ir_each_block(m, pass_func(cx), b)
		simplify_block(&s, b);
	for (u32 at = 0; at < s.again.n; at++) {
		IrRef i = {s.again.p[at]};
		IrRef v = ir_is_none(ir_inst(m, i)->block) ? i : ir_fold(m, i);
		if (!ir_is_none(v) && !ir_same(v, i))
			replace(&s, i, v);
	}
	return s.changed;
}

const Pass irpass_instsimplify = {
	.id = "instsimplify",
	.title = "Remove redundant instructions",
	.summary = "Replaces instructions by constants or values that they are known to equal.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.flags = PF_ANY_SIZE | PF_IDEMPOTENT,
	.run = run,
};
