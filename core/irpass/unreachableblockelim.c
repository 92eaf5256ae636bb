/* unreachableblockelim: folds branches on constants and removes the blocks that cannot be reached from the entry.
 *
 *   a: br i1 true, label %b, label %c           a: br label %b
 *   c: br label %b                        →
 *   b: %x = phi [ 1, %a ], [ 2, %c ]            b: … 1 …
 *
 * Removes the phi entries of removed edges; a phi left with one entry is replaced by that entry's value. Does not
 * merge blocks. Linear in instructions and edges. */
#include "ir/builder.h"
#include "irpass/util.h"

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      folded = false;
	ir_each_block(m, pass_func(cx), b)
		folded |= fold_terminator(m, ir_block(m, b)->last);
	if (folded)
		pass_invalidate(cx, 0);
	if (!remove_unreached_blocks(cx) && !folded)
		return false;
	fold_all_single_phis(m, pass_func(cx));
	return true;
}

const Pass irpass_unreachableblockelim = {
	.id = "unreachableblockelim",
	.title = "Remove unreachable blocks from the CFG",
	.summary = "Deletes blocks that cannot be reached from the entry.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = 0,
	.flags = PF_ANY_SIZE | PF_IDEMPOTENT | PF_REQUIRED,
	.run = run,
};
