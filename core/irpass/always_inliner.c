/* always-inliner: copies functions with alwaysinline to where they are called.
 *
 *   define float @f(float %x) alwaysinline { … }
 *   %r = call float @f(float %a)                      →    %r = … %a …
 *
 * Runs at every level, as in LLVM: a caller may depend on it. inliner.c has the driver, inline_call.c the transformation. A call
 * that cannot be inlined stays, with a remark. Linear in the instructions that are made. */
#include "irpass/inline.h"
#include "irpass/util.h"

static bool wants_bodies(PassCx *cx)
{
	ir_each_func(cx->ir, f)
		if (ir_fn_has(cx->ir, f, IRA_ALWAYSINLINE) && (!ir_is_decl(f) || f->body == IRB_DEFERRED))
			return true;
	return false;
}

static bool run(PassCx *cx) { return wants_bodies(cx) && inline_all(cx, true); }

static const Knob knobs[] = {KNOB_phi_node_folding_threshold, KNOB_NONE};

const Pass irpass_always_inliner = {
	.id = "always-inliner",
	.title = "Inliner for always_inline functions",
	.summary = "Copies functions with alwaysinline to where they are called.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.disable = KNOB_disable_always_inliner,
	.knobs = knobs,
	.run = run,
	.wants_bodies = wants_bodies,
};
