/* prologepilog: places the objects of the frame and turns frame indices into addresses.
 *
 *	%3 = FRAME_ADDR %stack.1             →    %3 = add.u64 $vrframe, 8
 *	%4 = FRAME_ADDR_LOCAL %stack.1       →    %4 = add.u64 $vrframelocal, 8
 *	st.local.u32 %stack.1, 4, %5         →    st.local.u32 $vrframelocal, 12, %5
 *
 * Ten phases (the table at the end), which -dump-frame-layout shows with what each of them did. Objects are placed in this
 * order: fixed ones, callee-saved ones, then locals by category (large arrays, small arrays, objects whose address is
 * taken, all others; selection gives a category in functions with ssp, sspstrong or sspreq), each group in the order of
 * its numbers. What localstackalloc has laid out as one block is placed as one, where its first object would be. Dead
 * objects, callee-saved ones that are not saved and those of variable size take no room.
 *
 * The frame's alignment is the greatest of its objects', its size a multiple of that. Objects lie upward from the depot's
 * start, or downward from its end (-frame-grows=down), and then their offsets are negative: the frame registers hold the
 * address that offset 0 is. nvptx-prolog-epilog declares the depot and sets them.
 *
 * Keeps the control flow. Cost: objects times groups, and one look at each instruction. */
#include "mir/frame.h"
#include "mirpass/mirpass.h"

#include "base/diag.h"
#include "ir/ir.h"

typedef struct Layout {
	PassCx  *cx;
	MirFunc *f;
	Text    *dump; /* NULL: not wanted */
	bool     down;
	u64      top; /* bytes that are taken */
	u32      align_log2;
	u64      block; /* where the local block starts; ~0: not placed yet */
	u64      block_size;
	u32      block_align_log2;
	u32      fixed, saved, live;
	u32      rewritten;
} Layout;

#define SAY(l, ...)                                     \
	do {                                            \
		if ((l)->dump)                          \
			text_f((l)->dump, __VA_ARGS__); \
	} while (0)

static bool takes_room(const MirFrameObj *o)
{
	return !o->is_dead && o->kind != MIR_FRAME_VARIABLE &&
	       !(o->kind == MIR_FRAME_CALLEE_SAVED && o->size == MIR_FRAME_UNSAVED);
}

/* Takes `size` bytes: what lies at the distance that is returned from where the objects start growing. */
static u64 take(Layout *l, u64 size, u32 align_log2)
{
	u64 align = (u64)1 << align_log2, at;
	l->align_log2 = PS_MAX(l->align_log2, align_log2);
	if (l->down) {
		at = l->top = align_up(l->top + size, align);
	} else {
		at = align_up(l->top, align);
		l->top = at + size;
	}
	return at;
}

static void place(Layout *l, u32 n)
{
	MirFrameObj *o = &l->f->frame.p[n];
	if (!takes_room(o)) {
		SAY(l, "    %%stack.%u takes no room\n", n);
		return;
	}
	if (o->local_offset) {
		if (l->block == ~(u64)0)
			l->block = take(l, l->block_size, l->block_align_log2);
		o->offset = (i64)(l->down ? (u64)0 - l->block : l->block) + (i64)(o->local_offset - 1);
	} else {
		u64 at = take(l, o->size, o->align_log2);
		o->offset = l->down ? -(i64)at : (i64)at;
	}
	l->live++;
	SAY(l, "    %%stack.%u %s, category %u: offset %lld, size %llu, alignment %u%s\n", n, mir_frame_kind_text[o->kind],
	    o->category, (long long)o->offset, (unsigned long long)o->size, 1u << o->align_log2,
	    o->local_offset ? ", in the local block" : "");
}

/* ---- the phases ---- */

static void set_up(Layout *l)
{
	l->down = knob_int(l->cx->s, KNOB_frame_grows) == 1;
	l->block = ~(u64)0;
	for (u32 n = 0; n < l->f->frame.n; n++) {
		const MirFrameObj *o = &l->f->frame.p[n];
		if (!o->local_offset || !takes_room(o))
			continue;
		l->block_size = PS_MAX(l->block_size, o->local_offset - 1 + o->size);
		l->block_align_log2 = PS_MAX(l->block_align_log2, o->align_log2);
	}
	SAY(l, "objects grow %s from 0\n", l->down ? "downward" : "upward");
}

static u32 count(const Layout *l, MirFrameKind kind)
{
	u32 n = 0;
	for (u32 k = 0; k < l->f->frame.n; k++)
		n += l->f->frame.p[k].kind == kind;
	return n;
}

static void callee_saved(Layout *l)
{
	l->saved = count(l, MIR_FRAME_CALLEE_SAVED);
	SAY(l, "%u object%s; the registers of PTX belong to their function\n", l->saved, l->saved == 1 ? "" : "s");
}

static void fixed_objects(Layout *l)
{
	l->fixed = count(l, MIR_FRAME_FIXED);
	SAY(l, "%u object%s\n", l->fixed, l->fixed == 1 ? "" : "s");
}

static void place_kind(Layout *l, MirFrameKind kind)
{
	for (u32 n = 0; n < l->f->frame.n; n++)
		if (l->f->frame.p[n].kind == kind)
			place(l, n);
}

static void assign_offsets(Layout *l)
{
	SAY(l, "fixed and callee-saved ones\n");
	place_kind(l, MIR_FRAME_FIXED);
	place_kind(l, MIR_FRAME_CALLEE_SAVED);
}

static void place_locals(Layout *l)
{
	static const MirFrameCategory order[] = {MIR_CATEGORY_LARGE_ARRAY, MIR_CATEGORY_SMALL_ARRAY, MIR_CATEGORY_ADDRESS_TAKEN,
	                                         MIR_CATEGORY_NONE};
	SAY(l, "by category: 1, 2, 3, 0\n");
	for (u32 k = 0; k < PS_COUNT(order); k++)
		for (u32 n = 0; n < l->f->frame.n; n++) {
			const MirFrameObj *o = &l->f->frame.p[n];
			if (o->kind != MIR_FRAME_FIXED && o->kind != MIR_FRAME_CALLEE_SAVED && o->category == order[k])
				place(l, n);
		}
}

static void close_frame(Layout *l)
{
	l->f->frame_align_log2 = l->align_log2;
	l->f->frame_size = align_up(l->top, (u64)1 << l->align_log2);
	SAY(l, "size %llu, alignment %u\n", (unsigned long long)l->f->frame_size, 1u << l->align_log2);
}

static void insert_code(Layout *l)
{
	u32 returns = 0;
	mir_each_block(l->f, b)
		returns += !mir_block(l->f, b)->n_succs;
	SAY(l, "nothing: %u block%s end%s the function, and none has a register to restore\n", returns, returns == 1 ? "" : "s",
	    returns == 1 ? "s" : "");
}

static bool is_local(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirMem  *m = mir_mem(f, i);
	return d->opc.op == ISA_FRAME_ADDR_LOCAL || d->opc.slot[SLOT_space] == TOK_space_local || (m && m->space == AS_LOCAL);
}

/* The frame operand names its object's register; its offset goes to the offset operand behind it. */
static void rewrite(Session *s, MirFunc *f, MirInstId i, u32 n)
{
	const IsaDesc *d = mir_desc(f, i);
	MirOp          o = *mir_op(f, i, n);
	i64            offset = f->frame.p[o.ref].offset + o.imm;
	MirReg         base = mir_phys(is_local(f, i) ? MIR_PHYS_SPL : MIR_PHYS_SP);
	bool           address = n < d->n_operands && d->operand[n].kind == IO_BASE;
	mir_op_set(f, i, n, (MirOp){.kind = MO_REG, .ref = base.i});
	if (address) {
		mir_op_set_imm(f, i, n + 1, mir_op(f, i, n + 1)->imm + offset);
		return;
	}
	PtxOpc add = {.op = ISA_add};
	add.slot[SLOT_type] = s->target.is64 ? TOK_type_u64 : TOK_type_u32;
	mir_set_desc(f, i, isa_intern(s, add));
	mir_add_imm(f, i, offset);
}

static void eliminate_indices(Layout *l)
{
	MirFunc *f = l->f;
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			if (mir_is_marker(f, i)) {
				mir_erase(f, i);
				continue;
			}
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
				if (mir_op(f, i, n)->kind == MO_FRAME) {
					rewrite(l->cx->s, f, i, n);
					l->rewritten++;
				}
		}
	SAY(l, "%u operand%s replaced\n", l->rewritten, l->rewritten == 1 ? "" : "s");
}

/* A function's own limit (warn-stack-size, which clang writes for -Wframe-larger-than) goes before the knob. */
static i64 size_limit(const Layout *l, IrRef of)
{
	const IrModule *m = l->cx->ir;
	Str             own = ir_is_none(of) ? STR("") : ir_fn_attr(m, ir_func(m, of), "warn-stack-size");
	i64             limit = own.n ? 0 : knob_int(l->cx->s, KNOB_warn_stack_size);
	for (u32 k = 0; k < own.n && own.p[k] >= '0' && own.p[k] <= '9' && limit < INT64_MAX / 16; k++)
		limit = limit * 10 + (own.p[k] - '0');
	return limit;
}

static void warn(Layout *l)
{
	const IrModule *m = l->cx->ir;
	IrRef           of = m && l->f->ir ? ir_ref(IR_GLOBAL, l->f->ir) : IR_NO_REF;
	i64             limit = size_limit(l, of);
	Str             name = strtab_get(&l->cx->s->strs, l->f->name);
	if (limit < 0) {
		SAY(l, "no limit\n");
		return;
	}
	SAY(l, "limit %lld\n", (long long)limit);
	if (l->f->frame_size > (u64)limit)
		diag_report(&l->cx->s->diags, DIAG_FRAME_SIZE, src_at(ir_is_none(of) ? 0 : ir_global(m, of)->origin, 1),
		            (unsigned long long)l->f->frame_size, (long long)limit, STR_ARG(name));
}

static void clean_up(Layout *l)
{
	l->f->props |= MP_ALLOCATED;
	for (u32 n = 0; n < l->f->frame.n; n++)
		l->f->frame.p[n].local_offset = 0;
	SAY(l, "offsets are final\n");
	pass_remark(l->cx, REMARK_ANALYSIS, 0, "%u of %u stack objects take %llu bytes of local memory", l->live, l->f->frame.n,
	            (unsigned long long)l->f->frame_size);
}

static const struct {
	const char *name;
	void (*run)(Layout *);
} phase[] = {
	{"set-up", set_up},
	{"callee-saved registers", callee_saved},
	{"fixed objects", fixed_objects},
	{"stack object offsets", assign_offsets},
	{"local variables", place_locals},
	{"frame area", close_frame},
	{"prologue and epilogue", insert_code},
	{"frame indices", eliminate_indices},
	{"stack size", warn},
	{"clean-up", clean_up},
};

static bool run(PassCx *cx)
{
	Layout l = {.cx = cx, .f = mirpass_func(cx)};
	if (!l.f->frame.n || (l.f->props & MP_ALLOCATED))
		return false;
	if (knob_bool(cx->s, KNOB_dump_frame_layout))
		l.dump = pass_dump(cx);
	Str name = strtab_get(&cx->s->strs, l.f->name);
	SAY(&l, "Frame layout of %.*s\n", STR_ARG(name));
	for (u32 k = 0; k < PS_COUNT(phase); k++) {
		SAY(&l, "%2u %s: ", k + 1, phase[k].name);
		phase[k].run(&l);
	}
	return true;
}

static const Knob knobs[] = {KNOB_frame_grows, KNOB_warn_stack_size, KNOB_dump_frame_layout, KNOB_NONE};

const Pass mirpass_prologepilog = {
	.id = "prologepilog",
	.title = "Prologue/Epilogue Insertion & Frame Finalization",
	.summary = "Assigns offsets in the local depot to the stack objects of a function.",
	.group = "post-ra",
	.level = PASS_MIR,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
