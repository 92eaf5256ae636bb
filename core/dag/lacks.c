/* lacks.c: what the target does not have, or PTX does not: said with what would have it. */
#include "dag/func.h"

#include "isa/isa.h"

static SrcRange at_line(u32 line) { return (SrcRange){line, 0, line, 0}; }

Str dag_intrinsic_name(DagFunc *f, IrRef call)
{
	Str name = ir_str(f->m, ir_global(f->m, ir_callee(f->m, call))->name);
	return (Str){name.p + strlen("llvm."), name.n - (u32)strlen("llvm.")};
}

bool dag_target_lacks(DagFunc *f, u32 line, Str name, u32 sm, u32 ptx)
{
	const Target *t = &f->s->target;
	bool          own = sm & ARCHITECTURE_ONLY;
	u32           number = sm & ~(u32)ARCHITECTURE_ONLY;
	bool          machine = t->sm < number || (own && !t->variant), version = t->ptx < ptx;
	if (!machine && !version)
		return false;
	if (!f->failed) {
		Diag *d = diag_report(&f->s->diags, DIAG_TARGET_LACKS, at_line(line), STR_ARG(f->name), STR_ARG(name), number,
		                      own ? "a" : "", ptx / 10, ptx % 10);
		if (machine)
			diag_hint(&f->s->diags, d, "-mcpu=sm_%u%s", PS_MAX(number, t->sm), own ? "a" : "");
		else
			diag_hint(&f->s->diags, d, "this is PTX %u.%u: -mattr=+ptx%u", t->ptx / 10, t->ptx % 10, ptx);
	}
	return f->failed = true;
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

bool dag_lacks_form(DagFunc *f, u32 line, Str name, const PtxOpc *o)
{
	u32         sm, ptx;
	const char *why = isa_lacks(o, f->s->target.ptx);
	if (why || !isa_is_wellformed(o)) {
		dag_not_in_ptx(f, line, name, why);
		return true;
	}
	isa_needs(o, &sm, &ptx);
	return dag_target_lacks(f, line, name, sm, ptx);
}
