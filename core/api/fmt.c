/* fmt.c: reads, verifies and prints the same thing in canonical form. */
#include "api/command.h"
#include "api/ptx_functions_json.h"
#include "ir/text.h"
#include "irpass/util.h"
#include "mir/mir.h"
#include "ptx/ptx.h"

static void format_ir(Command *c, Text *out)
{
	c->any_target = true;
	if (c->o.disable_output) {
		command_check_ir(c);
		return;
	}
	IrModule *m = command_load_ir(c);
	if (!m)
		return;
	atomic_expand_newer(m, &c->s.arena, (u32)knob_int(&c->s, KNOB_ir_version));
	ir_print_module(out, m, NULL);
}

static void format_mir(Command *c, Text *out)
{
	IrModule  *ir = NULL;
	MirModule *m = command_load_mir(c, &ir);
	if (m && !c->o.disable_output)
		mir_print_module(out, m, NULL);
}

/* The record of a text that nothing is compiled of: the text itself, what is wrong with it, its functions. */
static void write_trace(Command *c, const PtxModule *m)
{
	Text   json, functions;
	Trace  trace;
	VecU32 lines = {0};
	text_init(&json, &c->s.arena);
	text_init(&functions, &c->s.arena);
	trace_init(&trace, &c->s.arena);
	for (u32 i = 0, line = 0; i < c->input.n; i++)
		if (i == 0 || c->input.p[i - 1] == '\n')
			vec_push(&c->s.arena, &lines, ++line);
	if (c->s.diags.errors)
		text_s(&functions, "[]");
	else
		ptx_functions_json(m, &functions);
	trace_json(&trace, &c->s, c->input, &lines, text_str(&functions), &json);
	command_write_always(c, c->o.trace, text_str(&json));
}

static void format_ptx(Command *c, Text *out)
{
	PtxModule *m = ptx_parse(&c->s, &c->s.arena, c->input);
	if (m && c->o.trace.n)
		write_trace(c, m);
	if (m && !c->s.diags.errors && !c->o.disable_output)
		ptx_print(out, m, &(PtxPrintOptions){0});
}

int command_fmt(Command *c)
{
	Text out;
	text_init(&out, &c->s.arena);
	if (!command_read_input(c))
		return STATUS_USAGE;
	switch (command_input_kind(c)) {
	case INPUT_LL: format_ir(c, &out); break;
	case INPUT_MIR: format_mir(c, &out); break;
	case INPUT_PTX: format_ptx(c, &out); break;
	}
	if (c->o.trace.n && command_input_kind(c) != INPUT_PTX) {
		text_s(&c->err, "ptxscope: fmt --trace takes PTX; 'ptxscope compile' records the compilation of IR and MIR\n");
		return STATUS_USAGE;
	}
	int status = command_report(c);
	if (status == STATUS_DONE && !c->o.disable_output)
		command_write(c, c->o.output.n ? c->o.output : STR("-"), text_str(&out));
	return status;
}
