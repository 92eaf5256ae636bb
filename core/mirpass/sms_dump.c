/* sms_dump.c: a modulo schedule as text: a row for each cycle of the interval, a column for each pipe that is used.
 *
 *	# modulo schedule of bb.4: interval 8, stages 0 to 3, 2 copies of the kernel
 *	cycle  ALU                    FMA                   LSU
 *	    0  0:add.s64              3:fma.rn.f32          1:ld.global.f32
 *	    1  .                      .                     |
 *
 * N: is the stage; | a cycle in which a pipe is still taken. What emits nothing is not shown. Cost: interval times pipes. */
#include "mirpass/sms.h"

static const char *const names[UNIT_COUNT] = {
	[UNIT_NONE] = "-",    [UNIT_ALU] = "ALU",       [UNIT_FMA] = "FMA", [UNIT_HALF] = "HALF",
	[UNIT_FP64] = "FP64", [UNIT_SFU] = "SFU",       [UNIT_CVT] = "CVT", [UNIT_LSU] = "LSU",
	[UNIT_TEX] = "TEX",   [UNIT_BRANCH] = "BRANCH", [UNIT_BAR] = "BAR", [UNIT_TENSOR] = "TENSOR",
};

const char *sms_pipe_name(u32 pipe) { return names[pipe]; }

static bool is_used(const SmsLoop *l, u32 pipe)
{
	for (u32 u = 0; u < l->graph.n; u++)
		if (l->graph.unit[u].issues && l->graph.unit[u].pipe == pipe)
			return true;
	return false;
}

static Str cell_of(const SmsLoop *l, const SmsSchedule *s, u32 pipe, u32 row)
{
	bool taken = false;
	for (u32 u = 0; u < l->graph.n; u++) {
		const SmsUnit *x = &l->graph.unit[u];
		if (!x->issues || x->pipe != pipe)
			continue;
		if (sms_row(s, u) == row)
			return arena_fmt(l->cx->scratch, "%u:%.*s", sms_stage(s, u),
			                 STR_ARG(mir_desc(l->f, l->inst[u])->mnemonic));
		taken |= (row + s->ii - sms_row(s, u)) % s->ii < x->busy;
	}
	return str_of(taken ? "|" : ".");
}

void sms_dump(const SmsLoop *l, const SmsSchedule *s, Text *out)
{
	u32 width[UNIT_COUNT] = {0};
	text_f(out, "# modulo schedule of bb.%u: interval %u, stages 0 to %u, %u %s of the kernel\ncycle",
	       mir_block(l->f, l->block)->number, s->ii, s->stages, l->copies, l->copies == 1 ? "copy" : "copies");
	for (u32 pipe = 0; pipe < UNIT_COUNT; pipe++) {
		if (!is_used(l, pipe))
			continue;
		width[pipe] = (u32)strlen(names[pipe]);
		for (u32 row = 0; row < s->ii; row++)
			width[pipe] = PS_MAX(width[pipe], cell_of(l, s, pipe, row).n);
	}
	u32 line = out->n - 5;
	for (u32 row = 0; row <= s->ii; row++) {
		u32 column = 7;
		if (row) {
			line = out->n;
			text_f(out, "%5u", row - 1);
		}
		for (u32 pipe = 0; pipe < UNIT_COUNT; pipe++) {
			if (!width[pipe])
				continue;
			text_pad(out, column, line);
			text_add(out, row ? cell_of(l, s, pipe, row - 1) : str_of(names[pipe]));
			column += width[pipe] + 2;
		}
		text_c(out, '\n');
	}
}
