/* invariant-load-tagging: the memory record of a load says that nobody writes what it loads.
 *
 *	%2 = LD_const_u32 %1, 0 :: (load (s32) from %ir.p, addrspace 4)
 *	                                  ↓
 *	%2 = LD_const_u32 %1, 0 :: (invariant load (s32) from %ir.p, addrspace 4)
 *
 * Passes that move or merge loads (machine-cse, early-machinelicm, sinking) and the alias analysis act on the mark. It is
 * set for loads of
 *   - constant memory,
 *   - the function's own parameters, where the record names the argument: results of calls are in .param, too,
 *   - constant variables, and global memory that analysis/readonly.h proves read-only in a kernel.
 * The pointers are those of the IR, to which memory records refer; machine code that was read without its IR has no others.
 * Shared, local and generic loads get no mark, nor volatile and ordered ones, nor what is no `ld`: loads of tensor memory
 * and of matrices. Linear in loads and in the uses of pointers. */
#include "analysis/readonly.h"
#include "mirpass/mirpass.h"

typedef struct Tagger {
	PassCx   *cx;
	MirFunc  *f;
	ReadOnly *read_only; /* NULL: no IR */
} Tagger;

static bool is_plain_load(const MirFunc *f, MirInstId i)
{
	const MirMem *m = mir_mem(f, i);
	return mir_desc(f, i)->eval == EV_ld && m && m->flags & MMF_LOAD &&
	       !(m->flags & (MMF_STORE | MMF_VOLATILE | MMF_INVARIANT)) && m->ordering == MIR_NOT_ATOMIC;
}

/* RO_NONE: the address space is not one of those that loads may be invariant in. */
static ReadOnlyVerdict verdict(Tagger *t, MirInstId i)
{
	const MirMem *m = mir_mem(t->f, i);
	IrRef         pointer = {m->value};
	switch (m->space) {
	case AS_CONST: return RO_YES;
	case AS_PARAM: return t->read_only && m->value ? RO_YES : RO_BASE;
	case AS_GLOBAL: return t->read_only && m->value ? read_only_pointer(t->read_only, pointer) : RO_BASE;
	default: return RO_NONE;
	}
}

static bool visit(Tagger *t, MirInstId i)
{
	MirFunc *f = t->f;
	if (!is_plain_load(f, i))
		return false;
	ReadOnlyVerdict v = verdict(t, i);
	if (v != RO_YES) {
		if (v != RO_NONE && pass_wants_remarks(t->cx))
			pass_remark(t->cx, REMARK_MISSED, mir_inst(f, i)->origin, "not invariant: %s", read_only_reason(v));
		return false;
	}
	if (pass_wants_remarks(t->cx))
		pass_remark(t->cx, REMARK_PASSED, mir_inst(f, i)->origin, "nobody writes what this loads");
	mir_mem(f, i)->flags |= MMF_INVARIANT;
	return true;
}

static bool run(PassCx *cx)
{
	MirFunc        *f = mirpass_func(cx);
	const IrModule *m = f->module->ir;
	ReadOnly        read_only;
	Tagger          t = {.cx = cx, .f = f};
	bool            changed = false;
	if (!mir_may_have(f, ISA_ld))
		return false;
	if (m && f->ir) {
		read_only_init(&read_only, m, ir_func(m, ir_ref(IR_GLOBAL, f->ir)), cx->scratch,
		               (u32)knob_int(cx->s, KNOB_MAX_INVARIANT_DEPTH));
		t.read_only = &read_only;
	}
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			changed |= visit(&t, i);
	return changed;
}

static const Knob knobs[] = {KNOB_MAX_INVARIANT_DEPTH, KNOB_NONE};

const Pass mirpass_invariant_load_tagging = {
	.id = "invariant-load-tagging",
	.title = "Invariant load tagging",
	.summary = "Marks loads of memory that nobody writes while the function runs.",
	.group = "isel",
	.level = PASS_MIR,
	.disable = KNOB_disable_invariant_load_tagging,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL | AN_MIR_RANGES | AN_MIR_RPA, /* divergence asks for the mark */
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
