/* frame.c: stack objects of the allocas whose size is known, and where they begin and cease to be used.
 *
 *	%a = alloca [8 x i32]                              %stack.0, 32 bytes
 *	call void @llvm.lifetime.start.p0(ptr %a)    →     LIFETIME_START %stack.0
 *
 * Markers are selected where stack-coloring will read them: with two objects at least, and where it is not off. A marker
 * whose pointer is not an object's address alone, or that is about a part of an object, could be about any of them: then
 * none of the function's markers is kept (dag_end_frame). */
#include "dag/func.h"
#include "dag/lower_row.h"

static bool is_static_alloca(DagFunc *f, IrRef inst, u64 *count)
{
	const IrInst *i = ir_inst(f->m, inst);
	return i->op == IR_ALLOCA && ir_same(i->block, f->ir->first) && ir_as_int(f->m, ir_op(f->m, inst, 0), count);
}

/* ---- categories ---- */

enum { SSP_BUFFER_BYTES = 8 };

/* Is the address anything but that of a load or a store? */
static bool is_address_taken(DagFunc *f, IrRef alloca)
{
	ir_each_use(f->m, alloca, u) {
		IrRef         user = ir_use(f->m, u)->user;
		const IrInst *i = ir_kind(user) == IR_INST ? ir_inst(f->m, user) : NULL;
		bool          stored = i && i->op == IR_STORE && ir_same(ir_op(f->m, user, 0), alloca);
		if (!i || stored || (i->op != IR_LOAD && i->op != IR_STORE))
			return true;
	}
	return false;
}

/* As LLVM's language reference orders the variables of functions with ssp, sspstrong and sspreq. */
static MirFrameCategory category_of(DagFunc *f, IrRef alloca, u64 size)
{
	bool strong = ir_fn_has(f->m, f->ir, IRA_SSPSTRONG) || ir_fn_has(f->m, f->ir, IRA_SSPREQ);
	bool array = ir_type_kind(f->m, ir_inst(f->m, alloca)->elem) == IRT_ARRAY;
	if (!strong && !ir_fn_has(f->m, f->ir, IRA_SSP))
		return MIR_CATEGORY_NONE;
	if (array && size >= SSP_BUFFER_BYTES)
		return MIR_CATEGORY_LARGE_ARRAY;
	if (array && strong)
		return MIR_CATEGORY_SMALL_ARRAY;
	return strong && is_address_taken(f, alloca) ? MIR_CATEGORY_ADDRESS_TAKEN : MIR_CATEGORY_NONE;
}

/* ---- objects ---- */

void dag_make_frame(DagFunc *f)
{
	ir_each_inst(f->m, f->ir->first, inst) {
		u64 count;
		if (!is_static_alloca(f, inst, &count))
			continue;
		const IrInst *i = ir_inst(f->m, inst);
		u64           size = ir_alloc_size(f->m, i->elem) * count;
		u32           align = PS_MAX(ir_align_bytes(i->align), ir_pref_align(f->m, i->elem));
		u32           object = mir_frame_new(f->mir, ir_name(f->m, inst), PS_MAX(size, 1u), u64_log2(PS_MAX(align, 1u)),
		                                     MIR_FRAME_LOCAL);
		f->mir->frame.p[object].ir = ir_index(inst);
		f->mir->frame.p[object].category = (u8)category_of(f, inst, size);
		dag_home(f, inst)->frame = object + 1;
		vec_push(&f->mod->arena, &f->mod->insts.stay, ir_index(inst));
	}
	f->marks = f->optimize && f->mir->frame.n > 1 && !knob_bool(f->s, KNOB_disable_stack_coloring);
}

void dag_end_frame(DagFunc *f)
{
	if (!f->lost_mark)
		return;
	mir_each_block(f->mir, b)
		mir_each_inst(f->mir, b, i)
			if (mir_inst(f->mir, i)->desc == ISA_LIFETIME_START || mir_inst(f->mir, i)->desc == ISA_LIFETIME_END)
				mir_erase(f->mir, i);
}

/* ---- markers ---- */

/* What the pointer is the start of. */
static IrRef start_of(DagFunc *f, IrRef p)
{
	for (u32 steps = 0; steps < 16 && ir_kind(p) == IR_INST; steps++) {
		const IrInst *i = ir_inst(f->m, p);
		if (i->op != IR_BITCAST && i->op != IR_ADDRSPACECAST)
			break;
		p = ir_op(f->m, p, 0);
	}
	return p;
}

bool dag_lower_lifetime(DagFunc *f, IrRef call, bool end)
{
	Dag *d = &f->dag;
	if (!f->marks || f->lost_mark)
		return true;
	IrRef p = start_of(f, ir_call_arg(f->m, call, 0));
	bool  dynamic = ir_kind(p) == IR_INST && ir_inst(f->m, p)->op == IR_ALLOCA && !dag_home(f, p)->frame;
	if (ir_kind(p) != IR_INST || dynamic)
		return true; /* no object of this frame */
	if (ir_inst(f->m, p)->op != IR_ALLOCA) {
		f->lost_mark = true;
		return true;
	}
	DagNode leaf = {.opcode = DAG_TargetFrameIndex, .k = {dag_home(f, p)->frame - 1, 0}};
	DagNode like = {.opcode = DAG_LIFETIME, .aux = end, .props = DP_NO_CSE | DP_SIDE_EFFECT};
	DagVal  ops[] = {dag_root(f), dag_node_like(d, &leaf, &f->ptr, 1, NULL, 0)};
	d->root = dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1, ops, 2);
	return true;
}
