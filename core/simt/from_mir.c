#include "simt/code.h"

#include "mir/mir.h"

SimtProgram *simt_from_mir(Session *s, Arena *arena, MirModule *m)
{
	(void)arena, (void)m;
	diag_report(&s->diags, DIAG_SIMT_UNSUPPORTED, src_at(0, 0), 3, "MIR");
	return NULL;
}
