/* print-intervals: the live range of each register, as LLVM writes them.
 *
 *	# *** Live intervals of saxpy ***
 *	bb.0 [0B,96B)
 *	%4 int32regs [32r,64r:0)[64r,80r:1) uses 64r 80r
 *
 * Instructions are numbered by 16 along the layout, and so is the start of each block (B). r: where an instruction reads, and where
 * it writes; d: behind an instruction whose result nobody reads. Behind the colon is the number of the value among the register's.
 * Printed once per function behind register allocation, where -print-intervals asks for it; changes nothing.
 *
 * Cost: the live ranges (mir/liverange.h), and one line for each register. */
#include "mir/liverange.h"
#include "mirpass/mirpass.h"

enum { NUMBER_STEP = 16 };

typedef struct Printer {
	Text      *out;
	MirFunc   *f;
	MirRanges *ranges;
	u32       *number; /* by position of a slot */
	u32        end;
} Printer;

static u32 number_of(const Printer *p, u32 slot) { return slot == p->ranges->slots->end ? p->end : p->number[slot / SLOT_STEP]; }

static void number_all(Printer *p, Arena *a)
{
	const MirSlots *s = p->ranges->slots;
	p->number = arena_array(a, u32, s->n + 1);
	mir_each_block(p->f, b) {
		p->number[mir_slot_start(s, b) / SLOT_STEP] = p->end;
		mir_each_inst(p->f, b, i)
			p->number[mir_slot_of(s, i) / SLOT_STEP] = p->end += NUMBER_STEP;
		p->end += NUMBER_STEP;
	}
}

static bool is_block_start(const Printer *p, u32 slot)
{
	return slot == p->ranges->slots->end || mir_slot_start(p->ranges->slots, mir_ranges_block(p->ranges, slot)) == slot;
}

static void print_slot(const Printer *p, u32 slot, bool is_end)
{
	char kind = is_block_start(p, slot) ? 'B' : is_end && slot % SLOT_STEP > SLOT_DEF ? 'd' : 'r';
	text_f(p->out, "%u%c", number_of(p, slot), kind);
}

static void print_range(const Printer *p, MirReg r, const MirRange *range)
{
	Text *out = p->out;
	mir_print_reg(out, p->f, r);
	text_f(out, " %s ", isa_class_info[mir_class(p->f, r)].name);
	u32 first = range->seg.n ? mir_value(p->ranges, range->seg.p[0].value) : 0;
	for (u32 k = 0; k < range->seg.n; k++)
		first = PS_MIN(first, mir_value(p->ranges, range->seg.p[k].value));
	for (u32 k = 0; k < range->seg.n; k++) {
		MirSegment g = range->seg.p[k];
		text_c(out, '[');
		print_slot(p, g.start, false);
		text_c(out, ',');
		print_slot(p, g.end, true);
		text_f(out, ":%u)", mir_value(p->ranges, g.value) - first);
	}
	text_s(out, " uses");
	mir_each_use(p->f, r, o)
		text_f(out, " %ur", number_of(p, mir_slot_of(p->ranges->slots, (MirInstId){o->inst})));
	text_c(out, '\n');
}

static bool run(PassCx *cx)
{
	Printer p = {.out = pass_dump(cx), .f = mirpass_func(cx)};
	if (!p.f->first_block)
		return false;
	p.ranges = mir_ranges(cx);
	number_all(&p, cx->scratch);
	text_f(p.out, "# *** Live intervals of %.*s ***\n", STR_ARG(strtab_get(&cx->s->strs, p.f->name)));
	const MirSlots *s = p.ranges->slots;
	mir_each_block(p.f, b)
		text_f(p.out, "bb.%u [%uB,%uB)\n", mir_block(p.f, b)->number, number_of(&p, mir_slot_start(s, b)),
		       number_of(&p, mir_slot_end(p.f, s, b)));
	for (u32 v = 1; v < p.f->vreg.n; v++) {
		const MirRange *range = mir_range(p.ranges, (MirReg){v});
		if (range && range->seg.n)
			print_range(&p, (MirReg){v}, range);
	}
	return false;
}

const Pass mirpass_print_intervals = {
	.id = "print-intervals",
	.title = "Live interval printer",
	.summary = "Prints the live range of each register behind register allocation",
	.group = "ra",
	.level = PASS_MIR,
	.gate = KNOB_print_intervals,
	.keeps = AN_ALL,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
