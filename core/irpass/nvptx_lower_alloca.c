/* nvptx-lower-alloca: casts the address of each alloca to local memory and back.
 *
 *   %x = alloca i32                 %x  = alloca i32
 *   store i32 1, ptr %x      →      %x1 = addrspacecast ptr %x to ptr addrspace(5)
 *                                   %x2 = addrspacecast ptr addrspace(5) %x1 to ptr
 *                                   store i32 1, ptr %x2
 *
 * infer-address-spaces then propagates the local space to the accesses, which become ld.local and st.local. Linear in
 * allocas and their uses. */
#include "ir/builder.h"
#include "irpass/util.h"

static void mark_local(PassCx *cx, IrRef alloca)
{
	IrModule *m = cx->ir;
	IrBuilder b = build_after(m, alloca);
	IrRef     local = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, AS_LOCAL), 1);
	IrRef     back = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, AS_GENERIC), 1);
	ir_b_insert(&b, local);
	ir_b_insert(&b, back);
	ir_replace_all_uses(m, alloca, back);
	ir_set_op(m, local, 0, alloca);
	ir_set_op(m, back, 0, local);
	name_after(m, local, alloca, "");
	name_after(m, back, alloca, "");
}

static bool is_marked(const IrModule *m, IrRef alloca)
{
	u32 u = ir_first_use(m, alloca);
	return ir_has_one_use(m, alloca) && is_inst(m, ir_use(m, u)->user, IR_ADDRSPACECAST);
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      changed = false;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(ALLOCA))
		ir_each_inst(m, b, i) {
			if (ir_inst(m, i)->op != IR_ALLOCA || value_space(m, i) != AS_GENERIC || !ir_has_uses(m, i) ||
			    is_marked(m, i))
				continue;
			mark_local(cx, i);
			changed = true;
		}
	return changed;
}

const Pass irpass_nvptx_lower_alloca = {
	.id = "nvptx-lower-alloca",
	.title = "convert address space of alloca'ed memory to local",
	.summary = "Casts stack slots to the local address space, for infer-address-spaces.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(ALLOCA),
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
