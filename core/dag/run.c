/* run.c: instruction selection: the pass, and the way of each function through the stages. */
#include "base/sort.h"
#include "dag/emit.h"
#include "dag/lower_target.h"
#include "dag/pattern.h"
#include "dag/select.h"
#include "isa/isa.h"
#include "mir/cfg.h"

const char *const dag_stage_name[DAG_STAGES] = {
	"built", "combined", "types legal", "operations legal", "combined again", "selected", "scheduled",
};

/* ---- what functions ask of floats ---- */

static bool attr_is(DagFunc *f, const char *key, const char *value) { return str_is(ir_fn_attr(f->m, f->ir, key), value); }

static DagFusion fusion_of(DagFunc *f)
{
	i64 level = knob_int(f->s, KNOB_nvptx_fma_level);
	if (level >= 0)
		return level > 0 ? FUSE_ALL : FUSE_ALLOWED;
	if (!f->optimize)
		return FUSE_NONE;
	if (knob_int(f->s, KNOB_fp_contract) == 0 || f->fp.unsafe) /* fast */
		return FUSE_ALL;
	return FUSE_ALLOWED;
}

/* "RESULTS" or "RESULTS,OPERANDS": .ftz flushes both, and subnormal operands keep their value under ieee. */
static bool flushes(Str mode)
{
	u32 n = 0;
	while (n < mode.n && mode.p[n] != ',')
		n++;
	Str results = {mode.p, n}, operands = n < mode.n ? (Str){mode.p + n + 1, mode.n - n - 1} : results;
	return str_is(results, "preserve-sign") && str_is(operands, "preserve-sign");
}

static void read_float_options(DagFunc *f)
{
	Session *s = f->s;
	f->fp.unsafe = attr_is(f, "unsafe-fp-math", "true") || knob_bool(s, KNOB_enable_unsafe_fp_math);
	f->fp.fusion = fusion_of(f);
	i64 div = knob_int(s, KNOB_nvptx_prec_divf32), sqrt_rn = knob_int(s, KNOB_nvptx_prec_sqrtf32);
	f->fp.div = div >= 0 ? (u32)div : f->fp.unsafe ? 0 : 2;
	f->fp.div_asked = div >= 0, f->fp.sqrt_asked = sqrt_rn != KNOB_AS_WRITTEN;
	f->fp.sqrt_rn = sqrt_rn == KNOB_AS_WRITTEN ? !f->fp.unsafe : sqrt_rn;
	f->fp.no_f16 = knob_bool(s, KNOB_nvptx_no_f16_math);
	f->fp.no_f32x2 = knob_bool(s, KNOB_nvptx_no_f32x2);
	f->fp.rough_log2 = knob_bool(s, KNOB_nvptx_approx_log2f32);
	f->fp.no_nans = attr_is(f, "no-nans-fp-math", "true");
	f->fp.no_signed_zeros = attr_is(f, "no-signed-zeros-fp-math", "true") || f->fp.unsafe;
	Str mode = ir_fn_attr(f->m, f->ir, "denormal-fp-math-f32");
	if (!mode.n)
		mode = ir_fn_attr(f->m, f->ir, "denormal-fp-math");
	if (!mode.n && knob_int(s, KNOB_denormal_fp_math_f32) == 1)
		mode = STR("preserve-sign");
	f->fp.ftz = flushes(mode) || attr_is(f, "nvptx-f32ftz", "true") || knob_bool(s, KNOB_nvptx_f32ftz);
}

bool dag_divides_roughly(const DagFunc *f, u32 flags) { return f->fp.div == 0 || (!f->fp.div_asked && (flags & IRF_AFN)); }
bool dag_takes_root_roughly(const DagFunc *f, u32 flags) { return !f->fp.sqrt_rn || (!f->fp.sqrt_asked && (flags & IRF_AFN)); }
bool dag_computes_roughly(const DagFunc *f, DagOp op, u32 flags)
{
	return f->fp.unsafe || (flags & IRF_AFN) || op == DAG_FEXP2 || (op == DAG_FLOG2 && f->fp.rough_log2);
}
bool dag_has_f16_math(const DagFunc *f) { return isa_has(f->s, ptx_opc(add, TY(f16))) && !f->fp.no_f16; }
bool dag_has_bf16_math(const DagFunc *f) { return isa_has(f->s, ptx_opc(add, TY(bf16))); }
bool dag_has_orderings(const DagFunc *f) { return isa_has(f->s, ptx_opc(fence, PS(sem, acq_rel), PS(scope, sys))); }
bool dag_wants_ftz(const DagFunc *f, DagVt vt) { return f->fp.ftz && (vt_kind(vt) == VTK_F32 || vt_kind(vt) == VTK_F16); }

/* ---- blocks, frame, registers ---- */

/* Reverse post-order of the blocks that can be reached. */
static void order_blocks(DagFunc *f, VecU32 *out)
{
	u32    n = f->ir->n_blocks, i = 0;
	IrRef *block = arena_array(f->arena, IrRef, n + 1);
	ir_each_block(f->m, f->ir, b) {
		ir_block(f->m, b)->mark = i;
		block[i++] = b;
	}
	u32   *next = arena_array(f->arena, u32, n + 1);
	VecU32 stack = {0}, post = {0};
	vec_push(f->arena, &stack, 0u);
	next[0] = 1;
	while (stack.n) {
		u32   at = vec_last(&stack);
		IrRef b = block[at];
		/* Push the last successor first, so that the first one precedes it in the result. */
		u32 succs = ir_n_succs(f->m, b);
		if (next[at] <= succs) {
			u32 to = ir_block(f->m, ir_succ(f->m, b, succs - next[at]))->mark;
			next[at]++;
			if (!next[to]) {
				next[to] = 1;
				vec_push(f->arena, &stack, to);
			}
			continue;
		}
		vec_push(f->arena, &post, at);
		stack.n--;
	}
	for (u32 k = post.n; k-- > 0;)
		vec_push(f->arena, out, block[post.p[k]].i);
}

/* Tokens have no value at run time. */
static bool has_registers(DagFunc *f, IrRef inst)
{
	IrTypeKind k = ir_type_kind(f->m, ir_inst(f->m, inst)->type);
	return k != IRT_VOID && k != IRT_TOKEN;
}

static bool crosses_blocks(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	if (i->op == IR_PHI)
		return ir_has_uses(f->m, inst);
	ir_each_use(f->m, inst, u) {
		IrRef user = ir_use(f->m, u)->user;
		if (ir_kind(user) != IR_INST)
			continue;
		const IrInst *x = ir_inst(f->m, user);
		if (x->op == IR_PHI || !ir_same(x->block, i->block))
			return true;
	}
	return false;
}

static void make_registers(DagFunc *f)
{
	if (f->ir->n_blocks == 1)
		return;
	ir_each_block(f->m, f->ir, b)
		ir_each_inst(f->m, b, i) {
			f->line_of = i;
			if (has_registers(f, i) && crosses_blocks(f, i) && !dag_home(f, i)->frame)
				dag_export_reg(f, i);
		}
	f->line_of = IR_NO_REF;
}

static void make_phis(DagFunc *f, IrRef block)
{
	ir_each_inst(f->m, block, phi) {
		if (ir_inst(f->m, phi)->op != IR_PHI)
			break;
		u32 reg = dag_home(f, phi)->reg;
		if (!reg)
			continue;
		DagLeaves l = {0};
		dag_leaves(f, ir_inst(f->m, phi)->type, &l);
		for (u32 i = 0; i < l.n; i++) {
			DagVt part;
			u32   n = dag_reg_parts(l.p[i].vt, &part);
			for (u32 k = 0; k < n; k++) {
				MirInstId x = mir_build(f->mir, dag_mir_block(f, block), (MirInstId){0}, ISA_PHI);
				mir_add_def(f->mir, x, (MirReg){reg++});
				mir_inst(f->mir, x)->origin = ir_info(f->m, phi)->origin;
			}
		}
	}
}

/* Adds the values of this block to the successors' phis, once for each machine block with an edge to them. */
static void fill_phis(DagFunc *f, IrRef block, MirBlockId first, u32 last_block)
{
	const VecU32 *succs = dag_distinct_succs(f, block);
	for (u32 s = 0, at = 0; s < succs->n; s++) {
		IrRef      succ = {succs->p[s]};
		MirBlockId to = dag_mir_block(f, succ);
		MirInstId  mi = {mir_block(f->mir, to)->first};
		ir_each_inst(f->m, succ, phi) {
			if (ir_inst(f->m, phi)->op != IR_PHI)
				break;
			u32 dst = dag_home(f, phi)->reg;
			if (!dst || !ir_has_uses(f->m, phi))
				continue;
			u32 src = f->phi_in.p[at++].n;
			while (mi.i && mir_inst(f->mir, mi)->desc == ISA_PHI && mir_op(f->mir, mi, 0)->ref >= dst) {
				for (u32 b = first.i; b; b = b == last_block ? 0 : mir_block(f->mir, (MirBlockId){b})->next)
					if (mir_has_edge(f->mir, (MirBlockId){b}, to)) {
						mir_add_use(f->mir, mi, (MirReg){src});
						mir_add_block(f->mir, mi, (MirBlockId){b});
					}
				src++;
				MirInstId next = mir_next(f->mir, mi);
				/* The next register of the same phi follows at once; a new phi has its own. */
				bool same = next.i && mir_inst(f->mir, next)->desc == ISA_PHI &&
				            mir_op(f->mir, next, 0)->ref == mir_op(f->mir, mi, 0)->ref + 1;
				mi = next;
				if (!same || !dag_phi_goes_on(f, phi, mir_op(f->mir, next, 0)->ref - dst))
					break;
			}
		}
	}
}

bool dag_phi_goes_on(DagFunc *f, IrRef phi, u32 register_number)
{
	DagLeaves l = {0};
	u32       n = 0;
	dag_leaves(f, ir_inst(f->m, phi)->type, &l);
	for (u32 i = 0; i < l.n; i++) {
		DagVt part;
		n += dag_reg_parts(l.p[i].vt, &part);
	}
	return register_number < n;
}

/* ---- stages ---- */

static Str title_of(const DagFunc *f)
{
	Str piece = f->n_places ? arena_fmt(f->arena, ", piece %u", f->piece + 1) : STR("");
	return arena_fmt(f->arena, "%.*s:bb.%u%.*s", STR_ARG(f->name), f->mir_block.i - 1, STR_ARG(piece));
}

static void show(DagFunc *f, DagStage stage)
{
	Text *out = f->mod->print;
	if (!out)
		return;
	Str title = arena_fmt(f->arena, "%.*s, %s", STR_ARG(title_of(f)), dag_stage_name[stage]);
	if (f->mod->dot)
		dag_print_dot(out, &f->dag, title.p);
	else
		dag_print(out, &f->dag, title.p);
}

static void run_stages(DagFunc *f)
{
	Dag   *d = &f->dag;
	VecU32 order = {0};
	dag_sweep(d);
	show(f, DAG_STAGE_BUILT);
	if (f->failed)
		return;
	dag_combine(f, false);
	show(f, DAG_STAGE_COMBINED);
	bool new_types = dag_legalize_types(f);
	if (new_types)
		dag_sweep(d);
	show(f, DAG_STAGE_TYPES);
	if (f->failed)
		return;
	if (new_types)
		dag_combine(f, false);
	dag_legalize_ops(f);
	dag_sweep(d);
	show(f, DAG_STAGE_OPS);
	if (f->failed)
		return;
	dag_combine(f, true);
	show(f, DAG_STAGE_COMBINED_2);
	dag_note_registers(d);
	dag_select(f);
	if (f->failed)
		return;
	show(f, DAG_STAGE_SELECTED);
	dag_schedule(f, &order);
	show(f, DAG_STAGE_SCHEDULED);
	dag_emit(f, &order);
	if (f->mod->print && !f->mod->dot)
		dag_emit_report(f, f->mod->print, title_of(f));
}

void dag_run_stages(DagFunc *f)
{
	arena_init(&f->scratch, &f->s->budget);
	run_stages(f);
	arena_free(&f->scratch);
}

/* ---- the function ---- */

static void remarks(DagFunc *f)
{
	if (!pass_wants_remarks(f->cx))
		return;
	Dag *d = &f->dag;
	for (u32 n = 1; n < d->n_nodes; n++) {
		const DagNode *x = dag_at(d, n);
		if (x->opcode == DAG_MACHINE && x->pattern)
			pass_remark(f->cx, REMARK_PASSED, x->origin, "%.*s from %s", STR_ARG(isa_desc(f->s, x->desc)->mnemonic),
			            dag_pattern_text(x->pattern - 1));
	}
}

static void select_block(DagFunc *f, IrRef block)
{
	f->mir_block = dag_mir_block(f, block);
	f->next_block = (MirBlockId){mir_block(f->mir, f->mir_block)->next};
	f->before = (MirInstId){0};
	MirBlockId first = f->mir_block;
	dag_cut_block(f, block);
	IrRef at = ir_block(f->m, block)->first;
	do {
		dag_next_piece(f, at);
		at = dag_build_piece(f, block, at);
		dag_run_stages(f);
		remarks(f);
		f->piece++;
	} while (!ir_is_none(at) && !f->failed);
	if (!f->failed)
		fill_phis(f, block, first, f->mir_block.i);
}

static int along_block(const void *a, const void *b, void *func)
{
	MirInstId x = {*(const u32 *)a}, y = {*(const u32 *)b};
	return x.i == y.i ? 0 : mir_before(func, x, y) ? -1 : 1;
}

/* The copies that cssa made behind the phis of `b`, in order. (Those for other phis have phis as readers.) */
static void consumer_copies(MirFunc *f, MirBlockId b, Arena *a, VecU32 *out)
{
	out->n = 0;
	for (MirInstId phi = {mir_block(f, b)->first}; phi.i && mir_inst(f, phi)->desc == ISA_PHI; phi = mir_next(f, phi))
		mir_each_use(f, mir_op_reg(mir_op(f, phi, 0)), o) {
			const MirInst *copy = mir_inst(f, (MirInstId){o->inst});
			if (copy->desc != ISA_CSSA_COPY || copy->block != b.i)
				continue;
			bool read = false;
			mir_each_use(f, mir_op_reg(mir_op_at(f, copy->op)), u)
				read |= mir_inst(f, (MirInstId){u->inst})->desc != ISA_PHI;
			if (read)
				vec_push(a, out, o->inst);
		}
	sort_stable(a, out->p, out->n, sizeof *out->p, along_block, f);
}

/* Moves such a copy to the head of its block and lets it replace the phi for the readers in the block, as the graph had one
 * value for both. */
static void take_over(MirFunc *f, MirInstId copy, MirInstId *head, Arena *a)
{
	MirReg to = mir_op_reg(mir_op(f, copy, 0)), phi = mir_op_reg(mir_op(f, copy, 1));
	VecU32 readers = {0};
	if (mir_inst(f, mir_def_inst(f, phi))->desc != ISA_PHI) /* it reads another copy of the phi already */
		return;
	mir_each_use(f, phi, o)
		if (o->inst != copy.i && mir_inst(f, (MirInstId){o->inst})->desc != ISA_PHI)
			vec_push(a, &readers, o->inst);
	for (u32 k = 0; k < readers.n; k++)
		for (u32 n = 0; n < mir_inst(f, (MirInstId){readers.p[k]})->n_ops; n++) {
			MirOp *o = mir_op(f, (MirInstId){readers.p[k]}, n);
			if (mir_op_is_use(o) && o->ref == phi.i)
				mir_op_set_reg(f, (MirInstId){readers.p[k]}, n, to);
		}
	if (copy.i == head->i)
		*head = mir_next(f, copy);
	else
		mir_move(f, copy, (MirBlockId){mir_inst(f, copy)->block}, *head);
}

static void consumers_take_over(MirFunc *f, Arena *a)
{
	VecU32 copies = {0};
	if (!mir_may_have(f, ISA_CSSA_COPY))
		return;
	mir_each_block(f, b) {
		MirInstId head = mir_first_non_phi(f, b);
		consumer_copies(f, b, a, &copies);
		for (u32 k = 0; k < copies.n; k++)
			take_over(f, (MirInstId){copies.p[k]}, &head, a);
	}
}

static void drop_unreached(DagFunc *f, const VecU32 *order)
{
	if (order->n == f->ir->n_blocks)
		return;
	Bitset reached = bitset_new(f->arena, f->ir->n_blocks + 1);
	for (u32 i = 0; i < order->n; i++)
		bitset_add(reached, ir_block(f->m, (IrRef){order->p[i]})->mark);
	for (u32 i = 0; i < f->ir->n_blocks; i++)
		if (!bitset_has(reached, i))
			mir_block_remove(f->mir, (MirBlockId){f->block_of[i]});
}

static void select_func(DagModule *mod, IrFunc *ir, Arena *arena)
{
	DagFunc   f = {.mod = mod, .cx = mod->cx, .s = mod->s, .m = mod->m, .mirm = mod->mir, .ir = ir, .arena = arena};
	IrGlobal *g = ir_global(f.m, ir->ref);
	f.name = ir_str(f.m, g->name);
	f.optimize = f.s->opt_level > 0 && !ir_fn_has(f.m, ir, IRA_OPTNONE);
	f.is_kernel = ir_is_kernel(ir);
	f.ptr = VT_INT(ir_ptr_bits(f.m, 0));
	read_float_options(&f);
	f.mir = mir_func_new(mod->mir, g->name, ir_index(ir->ref));
	f.mir->is_kernel = f.is_kernel;
	f.mir->props |= MP_SSA;
	if (ir_refuse_scalable(f.m, f.ir, "there is no PTX for it"))
		return;
	VecU32 order = {0};
	order_blocks(&f, &order);
	f.block_of = arena_array(arena, u32, ir->n_blocks + 1);
	ir_each_block(f.m, ir, b)
		f.block_of[ir_block(f.m, b)->mark] = mir_block_new(f.mir, ir_block(f.m, b)->name, ir_index(b)).i;
	dag_values_forget(mod);
	drop_unreached(&f, &order);
	dag_make_frame(&f);
	dag_find_assigns(&f);
	make_registers(&f);
	for (u32 i = 0; i < order.n; i++)
		make_phis(&f, (IrRef){order.p[i]});
	map_init(&f.leaf_count, arena);
	map_init(&f.field_leaf, arena);
	map_init(&f.const_regs, arena);
	f.emitter = emit_new(&f, arena);
	dag_init(&f.dag, &f, arena);
	f.dag.s = f.s;
	f.dag.m = f.m;
	for (u32 i = 0; i < order.n && !f.failed; i++)
		select_block(&f, (IrRef){order.p[i]});
	if (f.failed)
		return;
	dag_end_frame(&f);
	consumers_take_over(f.mir, arena);
	mir_note_reducible(f.mir, arena);
}

static void *begin(PassCx *cx)
{
	DagModule *mod = arena_new(&cx->s->arena, DagModule);
	arena_init(&mod->arena, &cx->s->budget);
	cx->mir = mir_module_new(cx->s, cx->ir, &cx->s->arena);
	mod->cx = cx;
	mod->s = cx->s;
	mod->m = cx->ir;
	mod->mir = cx->mir;
	mod->print = cx->s->dag_print;
	mod->dot = cx->s->dag_dot;
	dag_patterns_init(mod);
	return mod;
}

/* After an error the rest of the function is not selected, and no PTX is printed. */
static bool run(PassCx *cx)
{
	DagModule *mod = cx->state;
	dag_values_reserve(mod);
	select_func(mod, ir_func(cx->ir, (IrRef){cx->func}), cx->scratch);
	cx->made = cx->mir->func.n;
	return true;
}

static void end(PassCx *cx)
{
	DagModule *mod = cx->state;
	arena_free(&mod->arena);
}

static const Knob knobs[] = {KNOB_nvptx_fma_level,
                             KNOB_fp_contract,
                             KNOB_nvptx_prec_divf32,
                             KNOB_nvptx_prec_sqrtf32,
                             KNOB_nvptx_rsqrt_approx_opt,
                             KNOB_denormal_fp_math_f32,
                             KNOB_nvptx_f32ftz,
                             KNOB_nvptx_no_f16_math,
                             KNOB_nvptx_no_f32x2,
                             KNOB_nvptx_approx_log2f32,
                             KNOB_nvptx_mad_wide_opt,
                             KNOB_enable_unsafe_fp_math,
                             KNOB_isel_piece_limit,
                             KNOB_disable_stack_coloring,
                             KNOB_NONE};

const Pass dag_isel = {
	.id = "nvptx-isel",
	.title = "NVPTX DAG->DAG Pattern Instruction Selection",
	.summary = "Selects machine instructions from IR with a SelectionDAG for each block.",
	.group = "isel",
	.level = PASS_DAG,
	.scope = PASS_FUNCTION,
	.flags = PF_REQUIRED,
	.knobs = knobs,
	.begin = begin,
	.run = run,
	.end = end,
};
