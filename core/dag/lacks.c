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
	u32           sm = n->last ? n->sm : PS_MAX(n->sm, t->sm);
	char          variant = n->own ? 'a' : 0;
	bool          chosen = t->ptx != target_default_ptx(t->sm, t->variant);
	u32           version = chosen ? t->ptx : target_default_ptx(sm, variant);
	if (version < n->ptx)
		diag_hint(&f->s->diags, d, "-mcpu=sm_%u%s -mattr=+ptx%u", sm, n->own ? "a" : "", n->ptx);
	else
		diag_hint(&f->s->diags, d, "-mcpu=sm_%u%s", sm, n->own ? "a" : "");
}

static void report(DagFunc *f, u32 line, Str name, const IsaNeed *n)
{
	const Target *t = &f->s->target;
	if (f->failed)
		return;
	Diag *d = diag_report(&f->s->diags, DIAG_TARGET_LACKS, at_line(line), STR_ARG(f->name), STR_ARG(name), n->sm,
	                      n->own ? "a" : "", n->ptx / 10, n->ptx % 10);
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

bool dag_lacks(DagFunc *f, u32 line, Str name, u32 desc)
{
	const IsaDesc *d = isa_desc(f->s, desc);
	if (isa_supported(d, &f->s->target) || emit_replaces(d, &f->s->target))
		return false;
	if (isa_lost(&d->need, &f->s->target))
		dag_not_in_ptx(f, line, name, d->need.lack);
	else
		report(f, line, name, &d->need);
	return f->failed = true;
}

bool dag_lacks_form(DagFunc *f, u32 line, Str name, const PtxOpc *o)
{
	if (isa_is_wellformed(o))
		return dag_lacks(f, line, name, isa_intern(f->s, *o));
	dag_not_in_ptx(f, line, name, NULL);
	return true;
}
