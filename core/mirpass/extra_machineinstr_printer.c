/* extra-machineinstr-printer: how many registers and predicates are live at once, and how long the function is.
 *
 *	Max Live RRegs: 12	PRegs: 2
 *	Function Size: 87
 *
 * Printed once per function where -extra-machineinstr-printer asks for it; changes nothing. Registers are 32 bits wide, and
 * a 64-bit value takes two (mir/pressure.h); the size is the number of instructions. */
#include "mir/pressure.h"
#include "mirpass/mirpass.h"

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	u32      size = 0;
	if (!f->first_block)
		return false;
	MirPressure most = mir_rpa_most(mir_rpa(cx));
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			size++;
	text_f(pass_dump(cx), "Max Live RRegs: %u\tPRegs: %u\nFunction Size: %u\n", mir_pressure_regs(&most, FILE_R),
	       mir_pressure_regs(&most, FILE_P), size);
	return false;
}

const Pass mirpass_extra_machineinstr_printer = {
	.id = "extra-machineinstr-printer",
	.title = "extra-machineinstr-printer",
	.summary = "Prints the register pressure and the size of each function.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.gate = KNOB_extra_machineinstr_printer,
	.keeps = AN_ALL,
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
