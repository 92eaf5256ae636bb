/* remat.c: which definitions may be repeated, and whether anything between a definition and a place disturbs its operands or its
 * memory, see remat.h. */
#include "mir/remat.h"

#include "mir/alias.h"

/* ---- the instruction itself ---- */

static bool may_repeat(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirInst *mi = mir_inst(f, i);
	const MirMem  *m = mir_mem(f, i);
	if (mi->n_defs != 1 || mi->flags & (MIF_NO_DUP | MIF_SIDE_EFFECT) || d->opc.slot[SLOT_guard])
		return false;
	if (m && (m->flags & (MMF_VOLATILE | MMF_STORE) || m->ordering > MIR_UNORDERED))
		return false;
	if (d->flags & IF_REMAT && !(d->flags & IF_COPY))
		return true;
	if (d->flags & IF_COPY)
		return true;
	const u32 never = IF_STORE | IF_SIDE_EFFECTS | IF_CONVERGENT | IF_ATOMIC | IF_FENCE | IF_CALL | IF_ASYNC | IF_DIVERGENT |
	                  IF_CARRY_IN | IF_CARRY_OUT | IF_TERMINATOR | IF_TEXTURE | IF_SURFACE;
	return d->eval == EV_ld && !(d->flags & never);
}

MirRepeat mir_repeat(const MirFunc *f, MirInstId i)
{
	if (!may_repeat(f, i))
		return MIR_REPEAT_NEVER;
	MirAccess read = mir_access(f, i);
	return read.flags && !(read.flags & MA_CONSTANT) ? MIR_REPEAT_UNWRITTEN : MIR_REPEAT_ANYWHERE;
}

/* ---- what lies between ---- */

typedef struct Path {
	const MirFunc *f;
	MirInstId      def;
	MirAccess      read; /* flags 0: reads no memory that is written */
} Path;

static bool redefines(const Path *p, MirInstId i)
{
	for (u32 n = 0; n < mir_inst(p->f, i)->n_ops; n++) {
		const MirOp *o = mir_op(p->f, i, n);
		if (!mir_op_is_def(o))
			continue;
		for (u32 k = 0; k < mir_inst(p->f, p->def)->n_ops; k++) {
			const MirOp *x = mir_op(p->f, p->def, k);
			if (mir_op_is_use(x) && x->ref == o->ref)
				return true;
		}
	}
	return false;
}

static bool disturbs(const Path *p, MirInstId i)
{
	if (redefines(p, i))
		return true;
	if (!p->read.flags)
		return false;
	MirAccess a = mir_access(p->f, i);
	return mir_is(p->f, i, IF_FENCE | IF_CALL) || mir_may_alias(&a, &p->read);
}

typedef enum Scan { SCAN_FOUND, SCAN_TOP, SCAN_DISTURBED } Scan;

/* From `i` upwards to the definition or the top of the block. */
static Scan scan_up(const Path *p, u32 i)
{
	for (; i; i = mir_inst(p->f, (MirInstId){i})->prev) {
		if (i == p->def.i)
			return SCAN_FOUND;
		if (disturbs(p, (MirInstId){i}))
			return SCAN_DISTURBED;
	}
	return SCAN_TOP;
}

/* Does every path that comes to `at` pass the definition, with nothing behind it that disturbs? */
static bool reaches_undisturbed(const Path *p, MirInstId at, Arena *a)
{
	const MirFunc *f = p->f;
	Bitset         seen = bitset_new(a, f->block.n);
	VecU32         work = {0};
	Scan           s = scan_up(p, mir_inst(f, at)->prev);
	u32            b = mir_inst(f, at)->block;
	while (s != SCAN_FOUND) {
		if (s == SCAN_DISTURBED || b == f->first_block)
			return false;
		mir_each_pred(f, (MirBlockId){b}, e)
			if (!bitset_has(seen, e->from)) {
				bitset_add(seen, e->from);
				vec_push(a, &work, e->from);
			}
		do {
			if (!work.n)
				return true;
			b = work.p[--work.n];
			s = scan_up(p, mir_block(f, (MirBlockId){b})->last);
		} while (s == SCAN_FOUND);
	}
	return true;
}

MirRemat mir_remat(const MirFunc *f, const IsaMachine *machine, MirReg r, MirInstId at)
{
	MirRemat no = {0};
	if (!mir_is_virt(r))
		return no;
	MirInstId def = mir_def_inst(f, r);
	MirRepeat repeat = def.i ? mir_repeat(f, def) : MIR_REPEAT_NEVER;
	if (repeat == MIR_REPEAT_NEVER)
		return no;
	Path p = {.f = f, .def = def};
	if (repeat == MIR_REPEAT_UNWRITTEN)
		p.read = mir_access(f, def);
	Arena a;
	arena_init(&a, f->arena->budget);
	bool ok = reaches_undisturbed(&p, at, &a);
	arena_free(&a);
	return ok ? (MirRemat){true, def, isa_cost(machine, mir_desc(f, def))} : no;
}
