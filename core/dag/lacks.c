/* lacks.c: messages about instructions that the target does not have, or that PTX does not have at all. They name the
 * target that is needed, and the options that choose it. */
#include "dag/emit.h"
#include "dag/func.h"

#include "isa/isa.h"

static SrcRange at_line(u32 line) { return (SrcRange){line, 0, line, 0}; }

Str dag_intrinsic_name(DagFunc *f, IrRef call) { return ir_str(f->m, ir_global(f->m, ir_callee(f->m, call))->name); }

/* "-mcpu=sm_90a -mattr=+ptx80": a target near this one that has it. */
static void hint_at_target(DagFunc *f, Diag *d, const IsaNeed *n)
{
	const Target *t = &f->s->target;
	Target        near = isa_nearest(n, t);
	bool          chosen = t->ptx != target_default_ptx(t->sm, t->variant);
	u32           version = chosen ? t->ptx : target_default_ptx(near.sm, near.variant);
	char          name[16];
	target_cpu_name(&near, name);
	if (version < near.ptx)
		diag_hint(&f->s->diags, d, "-mcpu=%s -mattr=+ptx%u", name, near.ptx);
	else
		diag_hint(&f->s->diags, d, "-mcpu=%s", name);
}

static void report(DagFunc *f, u32 line, Str name, const IsaNeed *n)
{
	const Target *t = &f->s->target;
	Target        lowest = isa_lowest(n);
	char          cpu[16];
	if (f->failed)
		return;
	Diag *d = diag_report(&f->s->diags, DIAG_TARGET_LACKS, at_line(line), STR_ARG(f->name), STR_ARG(name),
	                      target_cpu_name(&lowest, cpu), n->ptx / 10, n->ptx % 10);
	if (isa_machine_has(n, t))
		diag_hint(&f->s->diags, d, "this is PTX %u.%u: -mattr=+ptx%u", t->ptx / 10, t->ptx % 10, n->ptx);
	else
		hint_at_target(f, d, n);
}

void dag_not_in_ptx(DagFunc *f, u32 line, Str name, const char *hint)
{
	if (!f->failed) {
		Diag *d = diag_report(&f->s->diags, DIAG_NOT_IN_PTX, at_line(line), STR_ARG(f->name), STR_ARG(name));
		if (hint)
			diag_hint(&f->s->diags, d, "%s", hint);
	}
	f->failed = true;
}

bool dag_lacks_from(DagFunc *f, u32 line, Str name, u32 desc, u32 sm, u32 ptx)
{
	const IsaDesc *d = isa_desc(f->s, desc);
	const Target  *t = &f->s->target;
	IsaNeed        need = d->need;
	bool           early = t->sm < sm || t->ptx < ptx;
	if (!early && (isa_supported(d, t) || emit_replaces(d, t)))
		return false;
	need.sm = (u16)PS_MAX(need.sm, sm);
	need.ptx = (u16)PS_MAX(need.ptx, ptx);
	if (isa_lost(&need, t))
		dag_not_in_ptx(f, line, name, need.lack);
	else
		report(f, line, name, &need);
	return f->failed = true;
}

bool dag_lacks(DagFunc *f, u32 line, Str name, u32 desc) { return dag_lacks_from(f, line, name, desc, 0, 0); }

bool dag_lacks_form(DagFunc *f, u32 line, Str name, const PtxOpc *o)
{
	if (isa_is_wellformed(o))
		return dag_lacks(f, line, name, isa_intern(f->s, *o));
	dag_not_in_ptx(f, line, name, NULL);
	return true;
}
