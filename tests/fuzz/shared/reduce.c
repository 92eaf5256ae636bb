/* reduce.c: makes a failing kernel small without leaving valid SSA.
 *
 * A candidate is the text with one edit, cleaned up: values that nobody uses, blocks that nobody reaches,
 * functions and variables that nobody names go; chains of blocks become one. It is kept if it still fails.
 * Edits, from coarse to fine, until none of them helps:
 *
 *	a branch or switch always goes one way
 *	a run of instructions becomes zeros (for `or`, which guards divisors: ones); stores and calls go
 *	an instruction becomes one of its operands */
#include "shared.h"

#include "config/session.h"
#include "ir/builder.h"
#include "ir/text.h"

#include <stdlib.h>

typedef enum EditKind { EDIT_NONE, EDIT_BRANCH, EDIT_RUN, EDIT_OPERAND } EditKind;

typedef struct Edit {
	EditKind kind;
	u32      at, n; /* instructions at .. at + n - 1, counted over the module; branch, operand: which one */
} Edit;

/* ---- cleaning up */

static bool remove_dead(IrModule *m, IrFunc *f)
{
	bool any = false;
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i) {
			if (ir_has_side_effects(m, i) || ir_op_is_terminator(ir_inst(m, i)->op))
				continue;
			bool used = false;
			ir_each_use(m, i, u)
				used |= !ir_same(ir_use(m, u)->user, i);
			if (!used) {
				ir_remove(m, i);
				any = true;
			}
		}
	return any;
}

static bool remove_unreached(IrModule *m, IrFunc *f)
{
	VecU32 work = {0};
	bool   any = false;
	ir_each_block(m, f, b)
		ir_block(m, b)->mark = 0;
	ir_block(m, f->first)->mark = 1;
	vec_push(m->arena, &work, f->first.i);
	while (work.n) {
		IrRef b = {vec_pop(&work)};
		for (u32 i = 0; i < ir_n_succs(m, b); i++) {
			IrRef to = ir_succ(m, b, i);
			if (!ir_block(m, to)->mark) {
				ir_block(m, to)->mark = 1;
				vec_push(m->arena, &work, to.i);
			}
		}
	}
	ir_each_block(m, f, b)
		if (!ir_block(m, b)->mark) {
			ir_block_remove(m, b);
			any = true;
		}
	return any;
}

/* Phis of one input, and phis that only name one value. */
static bool fold_phis(IrModule *m, IrFunc *f)
{
	bool any = false;
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i) {
			if (ir_inst(m, i)->op != IR_PHI)
				continue;
			IrRef only = IR_NO_REF;
			bool  same = true;
			for (u32 k = 0; k < ir_phi_n(m, i); k++) {
				IrRef v = ir_phi_value(m, i, k);
				if (ir_same(v, i))
					continue;
				same &= ir_is_none(only) || ir_same(v, only);
				only = v;
			}
			if (!same || ir_is_none(only) || (ir_kind(only) == IR_INST && ir_phi_n(m, i) > 1))
				continue;
			ir_replace_all_uses(m, i, only);
			ir_remove(m, i);
			any = true;
		}
	return any;
}

static bool merge_blocks(IrModule *m, IrFunc *f)
{
	bool any = false;
	ir_each_block(m, f, b) {
		VecU32 preds = {0};
		ir_preds(m, b, &preds);
		IrRef pred = preds.n == 1 ? (IrRef){preds.p[0]} : IR_NO_REF;
		IrRef term = ir_is_none(pred) ? IR_NO_REF : ir_term(m, pred);
		IrRef head = ir_block(m, b)->first;
		if (ir_is_none(term) || ir_same(pred, b) || ir_inst(m, term)->op != IR_BR || ir_n_succs(m, pred) != 1 ||
		    ir_is_none(head) || ir_inst(m, head)->op == IR_PHI)
			continue;
		ir_remove(m, term);
		ir_each_inst(m, b, i)
			ir_move_end(m, i, pred);
		for (u32 k = 0; k < ir_n_succs(m, pred); k++)
			ir_phis_retarget(m, ir_succ(m, pred, k), b, pred);
		ir_block_remove(m, b);
		any = true;
	}
	return any;
}

static void remove_unused_globals(IrModule *m)
{
	ir_each_global(m, g) {
		IrFunc *f = ir_func(m, g);
		if (!ir_has_uses(m, g) && !(f && !ir_is_decl(f) && ir_is_kernel(f)))
			ir_global_remove(m, g);
	}
}

static void clean(IrModule *m)
{
	ir_each_func(m, f) {
		bool again = !ir_is_decl(f);
		while (again) {
			again = remove_unreached(m, f);
			again |= fold_phis(m, f);
			again |= remove_dead(m, f);
			again |= merge_blocks(m, f);
		}
	}
	remove_unused_globals(m);
}

/* ---- edits */

static bool go_one_way(IrModule *m, IrRef i, u32 which)
{
	IrRef block = ir_inst(m, i)->block;
	u32   n = ir_n_succs(m, block);
	if (n < 2 || which >= n)
		return false;
	IrRef to = ir_succ(m, block, which);
	for (u32 k = 0; k < n; k++)
		if (k != which)
			ir_phis_forget(m, ir_succ(m, block, k), block);
	IrBuilder b = ir_build_before(m, i);
	ir_b_br(&b, to);
	ir_remove(m, i);
	return true;
}

static bool become(IrModule *m, IrRef i, IrRef v)
{
	if (ir_type_kind(m, ir_inst(m, i)->type) != IRT_VOID)
		ir_replace_all_uses(m, i, v);
	ir_remove(m, i);
	return true;
}

static bool blank(IrModule *m, IrRef i)
{
	IrType t = ir_inst(m, i)->type;
	u32    op = ir_inst(m, i)->op;
	if (ir_op_is_terminator(op) || op == IR_ALLOCA || op == IR_GETELEMENTPTR || op == IR_ADDRSPACECAST ||
	    ir_type_kind(m, t) == IRT_PTR)
		return false;
	if (ir_type_kind(m, t) == IRT_VOID)
		return become(m, i, IR_NO_REF);
	return become(m, i, op == IR_OR && ir_type_is_int(m, t) ? ir_const_int(m, t, 1) : ir_const_zero(m, t));
}

static bool use_operand(IrModule *m, IrRef i, u32 which)
{
	u32 op = ir_inst(m, i)->op;
	if (ir_op_is_terminator(op) || op == IR_OR || op == IR_AND || op == IR_ATOMICRMW || which >= ir_n_ops(m, i))
		return false;
	IrRef v = ir_op(m, i, which);
	if (ir_same(v, i) || ir_kind(v) == IR_BLOCK || !ir_type_same(ir_type_of(m, v), ir_inst(m, i)->type) || op == IR_PHI)
		return false;
	return become(m, i, v);
}

static bool apply(IrModule *m, Edit e)
{
	u32  at = 0;
	bool any = false;
	ir_each_func(m, f)
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i) {
				u32 k = at++;
				if (e.kind == EDIT_RUN && k >= e.at && k - e.at < e.n)
					any |= blank(m, i);
				if (k != e.at)
					continue;
				if (e.kind == EDIT_BRANCH && ir_op_is_terminator(ir_inst(m, i)->op))
					any |= go_one_way(m, i, e.n);
				if (e.kind == EDIT_OPERAND)
					any |= use_operand(m, i, e.n);
			}
	return any || e.kind == EDIT_NONE;
}

/* The edited text; empty: the edit does nothing, or leaves no valid module. */
static Str edited(Arena *arena, Str text, Edit e)
{
	Session *s = malloc(sizeof *s);
	jmp_buf  out;
	Str      result = {"", 0};
	session_init(s, 1u << 30);
	s->out = &out;
	if (setjmp(out) == 0) {
		IrModule *m = ir_parse(s, text);
		if (m && !s->diags.errors && apply(m, e)) {
			clean(m);
			ir_verify(m);
			Text t;
			text_init(&t, arena);
			ir_print_module(&t, m, NULL);
			if (!s->diags.errors)
				result = text_str(&t);
		}
	}
	session_free(s);
	free(s);
	return result;
}

u32 count_instructions(Str text)
{
	Session     *s = malloc(sizeof *s);
	jmp_buf      out;
	volatile u32 n = 0;
	session_init(s, 1u << 30);
	s->out = &out;
	if (setjmp(out) == 0) {
		IrModule *m = ir_parse(s, text);
		if (m)
			ir_each_func(m, f)
				ir_each_block(m, f, b)
					ir_each_inst(m, b, i)
						n++;
	}
	session_free(s);
	free(s);
	return n;
}

/* ---- the search */

typedef struct Reducer {
	Arena     *arena;
	Str        text;
	u32        n; /* instructions of text */
	StillFails fails;
	void      *user;
	u32        tries;
} Reducer;

static bool attempt(Reducer *r, Edit e)
{
	if (r->tries == 0)
		return false;
	Str shorter = edited(r->arena, r->text, e);
	if (!shorter.n || str_eq(shorter, r->text))
		return false;
	r->tries--;
	if (!r->fails(r->user, shorter))
		return false;
	r->text = shorter;
	r->n = count_instructions(shorter);
	return true;
}

static bool branches(Reducer *r)
{
	bool any = false;
	for (u32 at = 0; at < r->n; at++)
		for (u32 way = 0; way < 8; way++)
			if (attempt(r, (Edit){EDIT_BRANCH, at, way})) {
				any = true;
				break;
			}
	return any;
}

static bool runs(Reducer *r)
{
	bool any = false;
	for (u32 size = PS_MAX(r->n / 2, 1u);; size /= 2) {
		for (u32 at = 0; at < r->n;) {
			if (attempt(r, (Edit){EDIT_RUN, at, size}))
				any = true;
			else
				at += size;
		}
		if (size <= 1)
			return any;
	}
}

static bool operands(Reducer *r)
{
	bool any = false;
	for (u32 at = r->n; at-- > 0;)
		for (u32 k = 0; k < 3; k++)
			if (attempt(r, (Edit){EDIT_OPERAND, at, k})) {
				any = true;
				break;
			}
	return any;
}

Str reduce(Arena *arena, Str text, u32 tries, StillFails fails, void *user)
{
	Reducer r = {.arena = arena, .text = text, .n = count_instructions(text), .fails = fails, .user = user, .tries = tries};
	attempt(&r, (Edit){.kind = EDIT_NONE});
	for (bool again = true; again && r.tries;) {
		again = runs(&r);
		again |= branches(&r);
		again |= operands(&r);
	}
	return r.text;
}
