/* verify_eh.c: exception handling: landing pads, and funclets.
 *
 * A pad's parent is the pad it stands within. An unwind edge leaves pads, from the innermost one it starts in outwards, up to the parent of the
 * pad it enters, or all of them where it goes to the caller. So an edge enters one pad alone, a pad does not handle what is thrown within
 * it, and all edges that leave a funclet go to the same place. Two passes over the terminators of a function, each edge as long as pads nest. */
#include "ir/verify.h"

#define RULE(cond, ...)                                        \
	do {                                                   \
		if (!(cond))                                   \
			return irv_inst(v, inst, __VA_ARGS__); \
	} while (0)

static u32 op_at(const Verifier *v, IrRef value) { return ir_kind(value) == IR_INST ? ir_inst(v->m, value)->op : IR_OP_NONE; }

static bool is_funclet(u32 op) { return op == IR_CATCHPAD || op == IR_CLEANUPPAD; }

static bool is_funclet_or_none(const Verifier *v, IrRef pad) { return ir_kind(pad) == IR_CONST || is_funclet(op_at(v, pad)); }

/* ---- landing pads ---- */

/* The landing pads and resumes of a function are of one type. */
static bool check_caught(Verifier *v, IrRef inst, IrType t)
{
	RULE(!v->caught.i || ir_type_same(t, v->caught), "the landing pads and resumes of a function have one type, here '%.*s'",
	     STR_ARG(irv_type(v, v->caught)));
	v->caught = t;
	return true;
}

/* What all pads share. */
static bool check_place(Verifier *v, IrRef inst, const IrInst *i)
{
	const char *name = ir_op_info[i->op].name;
	RULE(v->f->extra[2], "%s needs a function with a personality", name);
	RULE(!ir_same(i->block, v->f->first), "%s cannot stand in the entry block", name);
	RULE(ir_same(ir_first_non_phi(v->m, i->block), inst), "%s stands first in its block", name);
	return true;
}

/* Does the terminator of `from` go to `to` by unwinding alone? */
static bool unwinds_to(const IrModule *m, IrRef from, IrRef to)
{
	IrRef term = ir_term(m, from);
	switch (term.i ? ir_inst(m, term)->op : IR_OP_NONE) {
	case IR_INVOKE: return ir_same(ir_succ(m, from, 1), to) && !ir_same(ir_succ(m, from, 0), to);
	case IR_CATCHSWITCH:
	case IR_CLEANUPRET: return ir_same(ir_pad_unwind(m, term), to);
	default: return false;
	}
}

bool irv_check_landingpad(Verifier *v, IrRef inst, const IrInst *i)
{
	IrModule *m = v->m;
	if (!check_place(v, inst, i))
		return false;
	RULE((i->flags & IRF_CLEANUP) || i->n_ops, "landingpad needs a clause, or cleanup");
	const u32 *filters = ir_list(m, i->aux);
	for (u32 k = 0; k < i->n_ops && k < ir_list_n(m, i->aux); k++) {
		IrType t = ir_type_of(m, ir_op(m, inst, k));
		RULE(filters[k] ? ir_type_kind(m, t) == IRT_ARRAY : ir_type_is_ptr(m, t), "clause %u, a %s, must be %s", k + 1,
		     filters[k] ? "filter" : "catch", filters[k] ? "an array" : "a pointer");
	}
	ir_preds(m, i->block, &v->preds);
	for (u32 p = 0; p < v->preds.n; p++) {
		IrRef from = {v->preds.p[p]};
		RULE(unwinds_to(m, from, i->block) && op_at(v, ir_term(m, from)) == IR_INVOKE,
		     "a landing pad is reached by the unwind edge of an invoke alone");
	}
	return check_caught(v, inst, i->type);
}

bool irv_check_resume(Verifier *v, IrRef inst, const IrInst *i)
{
	(void)i;
	RULE(v->f->extra[2], "resume needs a function with a personality");
	return check_caught(v, inst, ir_type_of(v->m, ir_op(v->m, inst, 0)));
}

/* ---- funclets, one by one ---- */

/* The pad at the start of a block that an exception is handed to. */
static bool check_destination(Verifier *v, IrRef inst)
{
	IrRef to = ir_pad_unwind(v->m, inst);
	u32   op = to.i ? op_at(v, ir_first_non_phi(v->m, to)) : IR_CATCHSWITCH;
	RULE(op == IR_CATCHSWITCH || op == IR_CLEANUPPAD || op == IR_CATCHPAD,
	     "%s must unwind to a block that begins with a catchswitch or a cleanuppad",
	     ir_op_info[ir_inst(v->m, inst)->op].name);
	return true;
}

static bool check_catchswitch(Verifier *v, IrRef inst, const IrInst *i)
{
	RULE(is_funclet_or_none(v, ir_op(v->m, inst, 0)), "a catchswitch stands within a catchpad, a cleanuppad or none");
	for (u32 k = 1 + i->sub; k < i->n_ops; k++)
		RULE(op_at(v, ir_first_non_phi(v->m, ir_op(v->m, inst, k))) == IR_CATCHPAD,
		     "the handlers of a catchswitch begin with catchpads");
	RULE(i->n_ops > 1u + i->sub, "a catchswitch needs a handler");
	return check_destination(v, inst);
}

static bool check_catchpad(Verifier *v, IrRef inst, const IrInst *i)
{
	IrModule *m = v->m;
	IrRef     from = ir_op(m, inst, 0);
	RULE(op_at(v, from) == IR_CATCHSWITCH, "a catchpad stands within a catchswitch");
	ir_preds(m, i->block, &v->preds);
	for (u32 p = 0; p < v->preds.n; p++)
		RULE(ir_same((IrRef){v->preds.p[p]}, ir_inst(m, from)->block),
		     "a catchpad is reached from its catchswitch alone");
	RULE(!ir_same(ir_pad_unwind(m, from), i->block), "a catchswitch cannot unwind to one of its catchpads");
	return true;
}

static bool check_edges_in(Verifier *v, IrRef inst, const IrInst *i)
{
	ir_preds(v->m, i->block, &v->preds);
	for (u32 p = 0; p < v->preds.n; p++)
		RULE(unwinds_to(v->m, (IrRef){v->preds.p[p]}, i->block), "%s is reached by unwind edges alone",
		     ir_op_info[i->op].name);
	return true;
}

bool irv_check_funclet(Verifier *v, IrRef inst, const IrInst *i)
{
	u32 from = op_at(v, ir_op(v->m, inst, 0));
	switch (i->op) {
	case IR_CATCHSWITCH: return check_place(v, inst, i) && check_edges_in(v, inst, i) && check_catchswitch(v, inst, i);
	case IR_CATCHPAD: return check_place(v, inst, i) && check_catchpad(v, inst, i);
	case IR_CLEANUPPAD:
		RULE(is_funclet_or_none(v, ir_op(v->m, inst, 0)), "a cleanuppad stands within a catchpad, a cleanuppad or none");
		return check_place(v, inst, i) && check_edges_in(v, inst, i);
	case IR_CATCHRET: RULE(from == IR_CATCHPAD, "catchret returns from a catchpad"); return true;
	default: RULE(from == IR_CLEANUPPAD, "cleanupret returns from a cleanuppad"); return check_destination(v, inst);
	}
}

/* ---- unwind edges ---- */

#define TO_CALLER ((IrRef){UINT32_MAX})

/* none: there is none */
static IrRef parent(const Verifier *v, IrRef pad)
{
	IrRef in = ir_kind(pad) == IR_INST && !ir_same(pad, TO_CALLER) ? ir_op(v->m, pad, 0) : IR_NO_REF;
	return ir_kind(in) == IR_INST ? in : IR_NO_REF;
}

/* The pad an invoke stands within. */
static IrRef pad_around(Verifier *v, IrRef invoke)
{
	const IrCall *c = ir_call(v->m, invoke);
	for (u32 i = 0; i < c->n_bundles; i++) {
		const IrBundle *b = &v->m->bundles.p[c->bundles + i];
		if (str_is(ir_str(v->m, b->tag), "funclet"))
			return ir_op(v->m, invoke, b->first);
	}
	return IR_NO_REF;
}

static IrRef unwind_pad(const Verifier *v, IrRef term)
{
	IrRef to = ir_pad_unwind(v->m, term);
	return to.i ? ir_first_non_phi(v->m, to) : TO_CALLER;
}

/* An intrinsic that throws nothing marks a place alone, as llvm.seh.scope.begin does: its edge may go anywhere. */
static bool throws_nothing(const Verifier *v, IrRef invoke)
{
	IrRef f = ir_callee(v->m, invoke);
	return ir_is_llvm_name(v->m, f) &&
	       (ir_call_fn_attr(v->m, invoke, IRA_NOUNWIND) || str_starts(ir_str(v->m, ir_name(v->m, f)), "llvm.seh."));
}

/* It leaves the pads it starts in, and enters the one it goes to. */
static bool check_edge(Verifier *v, IrRef inst, IrRef from, IrRef to)
{
	IrRef goal = parent(v, to);
	for (u32 steps = 0; !ir_same(from, goal); steps++) {
		RULE(!ir_same(from, to), "a pad cannot handle exceptions raised within it");
		RULE(from.i && steps < v->f->n_blocks, "an unwind edge enters one pad alone");
		from = parent(v, from);
	}
	return true;
}

/* Each funclet that an edge leaves, from `pad` outwards, is left to the same place. */
static bool leave(Verifier *v, Map *left, IrRef inst, IrRef pad, IrRef to)
{
	IrRef end = parent(v, to);
	for (u32 steps = 0; steps < v->f->n_blocks && pad.i && !ir_same(pad, end); steps++) {
		if (op_at(v, pad) == IR_CATCHPAD) { /* the edge of the switch goes on from there */
			RULE(ir_same(unwind_pad(v, parent(v, pad)), to),
			     "an unwind edge out of a catchpad goes where its catchswitch unwinds to");
			break;
		}
		bool fresh;
		u64 *known = map_put(left, pad.i, &fresh);
		RULE(fresh || *known == to.i, "the unwind edges out of a pad go to different places");
		*known = to.i;
		pad = parent(v, pad);
	}
	return true;
}

static bool check_term(Verifier *v, Map *left, IrRef inst)
{
	u32   op = op_at(v, inst);
	IrRef to = op == IR_INVOKE || op == IR_CLEANUPRET || op == IR_CATCHSWITCH ? unwind_pad(v, inst) : IR_NO_REF;
	if (!to.i || op_at(v, to) == IR_LANDINGPAD || (op == IR_INVOKE && throws_nothing(v, inst)))
		return true;
	IrRef from = op == IR_INVOKE ? pad_around(v, inst) : op == IR_CLEANUPRET ? ir_op(v->m, inst, 0) : inst;
	RULE(op != IR_CLEANUPRET || !ir_same(parent(v, to), from) || ir_same(to, TO_CALLER),
	     "a cleanupret leaves its cleanuppad");
	if (ir_same(to, TO_CALLER))
		return op == IR_CATCHSWITCH || leave(v, left, inst, from, to);
	return check_edge(v, inst, from, to) && leave(v, left, inst, op == IR_CATCHSWITCH ? parent(v, inst) : from, to);
}

/* The pad of the same parent that a pad unwinds to; none: it is no such pad. */
static IrRef sibling(const Verifier *v, const Map *left, IrRef pad)
{
	IrRef to = op_at(v, pad) == IR_CATCHSWITCH ? unwind_pad(v, pad) : (IrRef){(u32)map_or(left, pad.i, 0)};
	return to.i && !ir_same(to, TO_CALLER) && ir_same(parent(v, to), parent(v, pad)) ? to : IR_NO_REF;
}

/* Pads side by side do not handle each other's exceptions in a circle. */
static bool check_siblings(Verifier *v, const Map *left, Map *seen, IrRef inst)
{
	for (IrRef pad = inst; pad.i; pad = sibling(v, left, pad)) {
		bool fresh;
		u64 *by = map_put(seen, pad.i, &fresh);
		RULE(fresh || *by != inst.i, "pads handle each other's exceptions");
		if (!fresh)
			break;
		*by = inst.i;
	}
	return true;
}

bool irv_check_unwinding(Verifier *v)
{
	IrModule *m = v->m;
	Map       left, seen;
	map_init(&left, &v->scratch);
	map_init(&seen, &v->scratch);
	ir_each_block(m, v->f, b)
		if (!check_term(v, &left, ir_term(m, b)))
			return false;
	ir_each_block(m, v->f, b) {
		IrRef pad = ir_first_non_phi(m, b);
		u32   op = pad.i ? op_at(v, pad) : IR_OP_NONE;
		if ((op == IR_CATCHSWITCH || op == IR_CLEANUPPAD) && !check_siblings(v, &left, &seen, pad))
			return false;
	}
	return true;
}
