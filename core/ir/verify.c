/* verify.c: checks the rules of LLVM IR that the grammar does not express: control flow, dominance, phis, functions.
 *
 * Needs a parsed module. Dominance of uses is checked with the dominator tree, so in time linear in operands; the tree is built when a value
 * is used in another block and was not defined in the entry block. Reports the broken rule with its position and does not change the
 * module. Rules of single instructions, attributes, metadata and intrinsics are in the other verify_*.c. */
#include "ir/order.h"
#include "ir/text.h"
#include "ir/verify.h"

Str irv_type(Verifier *v, IrType t)
{
	Text text;
	text_init(&text, v->m->arena);
	ir_print_type(&text, v->m, t);
	return text_str(&text);
}

Str irv_tokens(Verifier *v, IrType t)
{
	return t.i == IR_TY_TOKEN ? STR("tokens") : arena_fmt(v->m->arena, "'%.*s'", STR_ARG(irv_type(v, t)));
}

/* "'%x = add i32 …'", at most a line's worth of it */
static Str inst_text(Verifier *v, IrRef inst)
{
	Text text;
	text_init(&text, v->m->arena);
	ir_number_function(v->m, v->f);
	ir_print_inst(&text, v->m, inst);
	Str  all = text_str(&text);
	Text line; /* runs of blanks and ends of lines are one blank */
	text_init(&line, v->m->arena);
	for (u32 i = 0; i < all.n && line.n <= 80; i++)
		if (all.p[i] != ' ' && all.p[i] != '\n')
			text_c(&line, all.p[i]);
		else if (line.n && i + 1 < all.n && all.p[i + 1] != ' ')
			text_c(&line, ' ');
	Str s = text_str(&line);
	if (s.n > 80)
		return arena_fmt(v->m->arena, "'%.*s...'", 80, s.p);
	return arena_fmt(v->m->arena, "'%.*s'", STR_ARG(s));
}

bool irv_inst(Verifier *v, IrRef inst, const char *fmt, ...)
{
	const IrInstInfo *i = ir_info(v->m, inst);
	u32               col = PS_MAX(i->col, 1), end = i->end_col > col ? i->end_col : col + 1;
	SrcRange          place = i->origin ? (SrcRange){i->origin, col, i->origin, end} : (SrcRange){0};
	va_list           ap;
	va_start(ap, fmt);
	Str rule = arena_vfmt(v->m->arena, fmt, ap);
	va_end(ap);
	v->failures++;
	diag_report(&v->m->s->diags, DIAG_IR_INVALID, place, STR_ARG(inst_text(v, inst)), STR_ARG(rule));
	return false;
}

static bool fail_global(Verifier *v, IrRef g, u32 line, const char *fmt, va_list ap)
{
	Str rule = arena_vfmt(v->m->arena, fmt, ap);
	v->failures++;
	diag_report(&v->m->s->diags, DIAG_IR_INVALID_GLOBAL, line ? src_at(line, 1) : (SrcRange){0},
	            STR_ARG(ir_str(v->m, ir_global(v->m, g)->name)), STR_ARG(rule));
	return false;
}

bool irv_global(Verifier *v, IrRef g, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fail_global(v, g, ir_global(v->m, g)->origin, fmt, ap);
	va_end(ap);
	return false;
}

static bool fail_block(Verifier *v, IrRef b, const char *fmt, ...) PS_PRINTF(3, 4);
static bool fail_block(Verifier *v, IrRef b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fail_global(v, v->f->ref, ir_block(v->m, b)->origin, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- control flow ---- */

static Str block_text(Verifier *v, IrRef b)
{
	Text text;
	text_init(&text, v->m->arena);
	ir_number_function(v->m, v->f);
	ir_print_operand(&text, v->m, b, false);
	return text_str(&text);
}

static bool check_shape(Verifier *v)
{
	IrModule *m = v->m;
	u32       index = 0, order = 0;
	bool      ok = true;
	ir_each_block(m, v->f, b) {
		ir_block(m, b)->mark = index++;
		bool body = false;
		ir_each_inst(m, b, i) {
			IrInst *rec = ir_inst(m, i);
			ir_info(m, i)->mark = ++order;
			bool last = !rec->next.i;
			if (ir_op_is_terminator(rec->op) && !last)
				ok = irv_inst(v, i, "a terminator stands in the middle of its block");
			if (rec->op == IR_PHI && body)
				ok = irv_inst(v, i, "a phi must stand at the start of its block");
			body |= rec->op != IR_PHI;
		}
		if (!ir_term(m, b).i)
			ok = fail_block(v, b, "block %.*s does not end in a terminator (br, ret, switch, unreachable, ...)",
			                STR_ARG(block_text(v, b)));
	}
	ir_preds(m, v->f->first, &v->preds);
	if (v->preds.n)
		ok = fail_block(v, v->f->first, "the entry block %.*s must not be branched to",
		                STR_ARG(block_text(v, v->f->first)));
	return ok;
}

static void build_dominators(Verifier *v)
{
	IrModule  *m = v->m;
	GraphEdges edges = {0};
	v->has_dom = true;
	vec_reserve(&v->scratch, &edges, 2 * v->f->n_blocks);
	ir_each_block(m, v->f, b) {
		u32           from = ir_block(m, b)->mark;
		const IrInst *term = ir_inst(m, ir_block(m, b)->last);
		for (u32 k = 0; k < term->n_ops; k++) { /* each of its blocks is a successor */
			IrRef to = ir_inst_use(m, term->ops + k)->value;
			if (ir_kind(to) == IR_BLOCK)
				vec_push(&v->scratch, &edges, ((GraphEdge){from, ir_block(m, to)->mark}));
		}
	}
	Graph g;
	graph_build(&g, &v->scratch, v->f->n_blocks, edges.p, edges.n);
	v->dom = dom_build(&g, &v->scratch, 0);
}

/* ---- values ---- */

/* `def` dominates a use in `use_block`, where it is no earlier one of the same block. */
static bool dominates(Verifier *v, const IrInst *def, IrRef use_block)
{
	u32 use = ir_block(v->m, use_block)->mark;
	if (!ir_same(def->block, use_block) && ir_same(def->block, v->f->first))
		return true;
	if (!v->has_dom)
		build_dominators(v);
	return ir_same(def->block, use_block) ? !dom_reached(&v->dom, use)
	                                      : dom_dominates(&v->dom, ir_block(v->m, def->block)->mark, use);
}

static bool check_definition(Verifier *v, IrRef inst, const IrInst *i, u32 k, IrRef op)
{
	IrModule     *m = v->m;
	const IrInst *def = ir_inst(m, op);
	if (!def->block.i || !ir_same(ir_block(m, def->block)->func, v->f->ref))
		return irv_inst(v, inst, "operand %u is not part of this function", k);
	IrRef use_block = i->op == IR_PHI ? ir_op(m, inst, k + 1) : i->block;
	if ((i->op == IR_PHI && ir_same(def->block, use_block)) || dominates(v, def, use_block))
		return true;
	Text text;
	text_init(&text, m->arena);
	ir_number_function(m, v->f);
	ir_print_operand(&text, m, op, false);
	return irv_inst(v, inst, "%.*s (line %u) does not dominate this use", STR_ARG(text_str(&text)), ir_info(m, op)->origin);
}

/* What is done with the result of a call in Objective C is named beside it, and is an intrinsic. */
static bool is_attached(const IrModule *m, IrRef inst, const IrInst *i, u32 k)
{
	const IrCall *c = ir_op_info[i->op].flags & IROF_CALLS ? ir_call(m, inst) : NULL;
	for (u32 n = 0; c && n < c->n_bundles; n++) {
		const IrBundle *b = &m->bundles.p[c->bundles + n];
		if (b->first <= k && k < b->first + b->n)
			return str_is(ir_str(m, b->tag), "clang.arc.attachedcall");
	}
	return false;
}

static bool check_operand(Verifier *v, IrRef inst, const IrInst *i, u32 k, IrRef op)
{
	IrModule *m = v->m;
	if (ir_kind(op) == IR_INST) /* most are in the same block, further up */
		return (ir_same(ir_inst(m, op)->block, i->block) && ir_info(m, op)->mark < v->order && i->op != IR_PHI) ||
		       check_definition(v, inst, i, k, op);
	switch (ir_kind(op)) {
	case IR_NONE: return irv_inst(v, inst, "operand %u is missing", k);
	case IR_ARG:
		return ir_same(ir_arg(m, op)->func, v->f->ref) ||
		       irv_inst(v, inst, "operand %u is an argument of another function", k);
	case IR_BLOCK:
		return ir_same(ir_block(m, op)->func, v->f->ref) ||
		       irv_inst(v, inst, "operand %u is a block of another function", k);
	case IR_ASM:
		return (k == 0 && (ir_op_info[i->op].flags & IROF_CALLS)) ||
		       irv_inst(v, inst, "inline assembly can only be called");
	case IR_GLOBAL:
		return (k == 0 && (ir_op_info[i->op].flags & IROF_CALLS)) || !ir_global(m, op)->func || !ir_is_llvm_name(m, op) ||
		       is_attached(m, inst, i, k) ||
		       irv_inst(v, inst, "'@%.*s' is an intrinsic: it can only be called",
		                STR_ARG(ir_str(m, ir_global(m, op)->name)));
	default: return true;
	}
}

static bool check_operands(Verifier *v, IrRef inst, const IrInst *i)
{
	for (u32 k = 0; k < i->n_ops; k++) {
		IrRef op = ir_inst_use(v->m, i->ops + k)->value;
		if (ir_kind(op) != IR_CONST && !check_operand(v, inst, i, k, op))
			return false;
	}
	return true;
}

static PhiEntry *phi_entry(Verifier *v, IrRef b) { return &v->phi_entries[ir_block(v->m, b)->mark]; }

/* The blocks of a phi are the predecessors, edge for edge. */
static bool check_phi_edges(Verifier *v, IrRef b)
{
	IrModule *m = v->m;
	IrRef     first = ir_block(m, b)->first;
	if (!first.i || ir_inst(m, first)->op != IR_PHI)
		return true;
	if (!v->phi_entries)
		v->phi_entries = arena_array(&v->scratch, PhiEntry, v->f->n_blocks + 1);
	ir_preds(m, b, &v->preds);
	for (u32 p = 0; p < v->preds.n; p++)
		phi_entry(v, (IrRef){v->preds.p[p]})->block = b.i;
	for (IrRef i = first; i.i && ir_inst(m, i)->op == IR_PHI; i = ir_inst(m, i)->next) {
		u32 n = ir_phi_n(m, i);
		for (u32 k = 0; k < n; k++) {
			IrRef     from = ir_phi_block(m, i, k);
			PhiEntry *e = ir_block(m, from)->mark < v->f->n_blocks ? phi_entry(v, from) : NULL;
			if (!e || e->block != b.i)
				return irv_inst(v, i, "%.*s is no predecessor of this block", STR_ARG(block_text(v, from)));
			if (e->phi == i.i && !ir_same(e->value, ir_phi_value(m, i, k)))
				return irv_inst(v, i, "two values for the edges from %.*s", STR_ARG(block_text(v, from)));
			e->phi = i.i;
			e->value = ir_phi_value(m, i, k);
		}
		for (u32 p = 0; p < v->preds.n; p++)
			if (phi_entry(v, (IrRef){v->preds.p[p]})->phi != i.i)
				return irv_inst(v, i, "no entry for the predecessor %.*s",
				                STR_ARG(block_text(v, (IrRef){v->preds.p[p]})));
		if (n != v->preds.n)
			return irv_inst(v, i, "%u entries for %u edges", n, v->preds.n);
	}
	return true;
}

/* ---- functions ---- */

/* What functions of a calling convention, by its number, cannot be or have. */
enum { CC_NO_CALLS = 1, CC_NO_RESULT = 2, CC_NO_VARARG = 4, CC_NO_SRET = 8, CC_NO_BYVAL = 16 };

static u32 limits_of(u32 cc)
{
	enum { SHADER = CC_NO_CALLS | CC_NO_VARARG | CC_NO_SRET | CC_NO_BYVAL };
	static const struct {
		u8 cc, limits;
	} all[] = {
		{IRCC_FAST, CC_NO_VARARG},
		{IRCC_COLD, CC_NO_VARARG},
		{IRCC_PTX_KERNEL, CC_NO_VARARG}, /* that it is called is said otherwise */
		{IRCC_PTX_DEVICE, CC_NO_VARARG},
		{IRCC_SPIR_KERNEL, CC_NO_CALLS | CC_NO_RESULT | CC_NO_VARARG | CC_NO_SRET},
		{77, CC_NO_VARARG}, /* intel_ocl_bicc */
		{87,
	         SHADER}, /* amdgpu_vs, _gs, _ps, _cs, _kernel, _hs, _ls, _es, _cs_chain, _cs_chain_preserve, _gfx_whole_wave */
		{88, SHADER},
		{89, SHADER},
		{90, SHADER},
		{91, SHADER | CC_NO_RESULT},
		{93, SHADER},
		{95, CC_NO_CALLS},
		{96, CC_NO_CALLS},
		{104, SHADER | CC_NO_RESULT},
		{105, SHADER | CC_NO_RESULT},
		{124, SHADER},
	};
	for (u32 i = 0; cc && i < PS_COUNT(all); i++)
		if (all[i].cc == cc)
			return all[i].limits;
	return 0;
}

bool irv_cc_has_calls(u32 cc) { return cc < IRCC_SPIR_KERNEL || !(limits_of(cc) & CC_NO_CALLS); }

static bool check_convention(Verifier *v, const IrFunc *f)
{
	IrModule *m = v->m;
	IrType    t = ir_global(m, f->ref)->type, ret = ir_func_ret(m, t);
	u32       limits = limits_of(f->cc);
	if (limits & CC_NO_RESULT && ret.i != IR_TY_VOID) /* LLVM lets a ptx_kernel return a value, which nobody gets */
		return irv_global(v, f->ref, "a kernel must return void, not '%.*s'", STR_ARG(irv_type(v, ret)));
	if (limits & CC_NO_VARARG && ir_type(m, t)->vararg)
		return irv_global(v, f->ref, "%s cannot take a variable number of arguments",
		                  ir_is_kernel(f) ? "a kernel" : "a function of this calling convention");
	for (u32 i = 0; limits & (CC_NO_SRET | CC_NO_BYVAL) && i < f->n_args; i++)
		if ((limits & CC_NO_SRET && ir_param_attr(m, f, i, IRA_SRET)) ||
		    (limits & CC_NO_BYVAL && ir_param_attr(m, f, i, IRA_BYVAL)))
			return irv_global(v, f->ref, "parameter %u cannot be passed so to a function of this calling convention",
			                  i + 1);
	return true;
}

static bool check_head(Verifier *v)
{
	IrModule       *m = v->m;
	const IrFunc   *f = v->f;
	const IrGlobal *g = ir_global(m, f->ref);
	if (!check_convention(v, f) || !irv_check_linkage(v, f->ref, !ir_is_decl(f)))
		return false;
	if (f->cc == IRCC_X86_INTR && f->n_args && !ir_param_attr(m, f, 0, IRA_BYVAL))
		return irv_global(v, f->ref, "parameter 1 must be passed byval: x86_intrcc");
	if (ir_is_decl(f) && f->extra[2])
		return irv_global(v, f->ref, "a declaration has no personality");
	return (!g->md || irv_check_global_attachments(v, f->ref)) && irv_check_func_attrs(v, f);
}

/* All but the body; false: it is wrong. */
static bool begin_function(Verifier *v, IrFunc *f)
{
	IrModule *m = v->m;
	v->f = f;
	v->phi_entries = NULL;
	v->has_dom = false;
	v->caught = (IrType){0};
	if (m->mds_checked < m->mds.n)
		irv_check_nodes(v);
	return (!irv_is_intrinsic_name(m, ir_global(m, f->ref)->name) || irv_check_intrinsic(v, f)) && check_head(v);
}

static void check_body(Verifier *v)
{
	IrModule *m = v->m;
	u32       before = v->failures;
	u64       had = 0;
	if (!check_shape(v))
		return;
	ir_each_block(m, v->f, b) {
		had |= ir_block(m, b)->had;
		check_phi_edges(v, b);
		ir_each_inst(m, b, i) {
			const IrInstInfo *info = ir_info(m, i);
			v->order = info->mark;
			if (check_operands(v, i, ir_inst(m, i)) && irv_check_inst(v, i) && info->md)
				irv_check_attachments(v, i);
		}
	}
	if (v->failures == before && had & (IR_OPS(CATCHSWITCH) | IR_OPS(CLEANUPPAD)))
		irv_check_unwinding(v);
}

static bool verify_function(Verifier *v, IrFunc *f)
{
	u32 before = v->failures;
	if (begin_function(v, f) && !ir_is_decl(f) && f->body == IRB_HERE)
		check_body(v);
	return v->failures == before;
}

/* ---- bodies that have just been read ---- */

static bool read_and_verify(Verifier *v, IrFunc *f)
{
	IrModule *m = v->m;
	u32       before = v->failures;
	if (!ir_read_body(m, f) || !begin_function(v, f))
		return false;
	if (order_holds(ir_body_order(m), f)) {
		if (!irv_check_read_insts(v))
			return false;
	} else {
		if (!ir_read_body_again(m, f))
			return false;
		check_body(v);
	}
	ir_give_back_body(m, f);
	m->use_lists = false;
	return v->failures == before;
}

/* ---- modules ---- */

static Verifier verifier(IrModule *m)
{
	Verifier v = {.m = m};
	arena_init(&v.scratch, &m->s->budget);
	return v;
}

static void restart_scratch(Verifier *v)
{
	if (v->scratch.used < 1u << 15)
		return;
	arena_free(&v->scratch);
	arena_init(&v->scratch, &v->m->s->budget);
	memset(&v->good_sets, 0, sizeof v->good_sets);
}

void ir_verify(IrModule *m)
{
	Verifier v = verifier(m);
	irv_check_named_md(&v);
	ir_each_global(m, g) {
		if (diags_full(&m->s->diags))
			break;
		switch (ir_global(m, g)->kind) {
		case IRG_VAR: irv_check_variable(&v, g); break;
		case IRG_ALIAS: irv_check_alias(&v, g); break;
		case IRG_IFUNC: irv_check_ifunc(&v, g); break;
		case IRG_FUNC: verify_function(&v, ir_func(m, g)); break;
		}
		restart_scratch(&v);
	}
	arena_free(&v.scratch);
}

bool ir_check_bodies(IrModule *m)
{
	Verifier v = verifier(m);
	bool     ok = true;
	v.unlisted = true;
	ir_each_func(m, f) {
		if (!ok || f->body != IRB_DEFERRED)
			continue;
		ok = read_and_verify(&v, f);
		restart_scratch(&v);
	}
	arena_free(&v.scratch);
	return ok;
}

bool ir_verify_func(IrModule *m, IrFunc *f)
{
	Verifier v = verifier(m);
	bool     ok = verify_function(&v, f);
	arena_free(&v.scratch);
	return ok;
}
