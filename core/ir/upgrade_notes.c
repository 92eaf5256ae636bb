/* upgrade_notes.c: turns what rows of !nvvm.annotations say of functions into attributes, as LLVM does since version 21.
 *
 *   define void @k(ptr byval(i32) %p)                     →  define ptx_kernel void @k(ptr byval(i32) "nvvm.grid_constant" %p)
 *   !{ptr @k, !"kernel", i32 1}                                attributes: "nvvm.maxntid"="64,1,2"
 *   !{ptr @k, !"maxntidx", i32 64, !"maxntidz", i32 2}
 *   !{ptr @k, !"grid_constant", !{i32 1}}
 *
 * What no attribute says (texture, rdoimage, …) stays in a row of its own. So everything behind the reader asks the calling
 * convention and the attributes alone. Linear in the rows. */
#include "ir/internal.h"
#include "ir/kernel.h"

typedef enum NoteKind {
	NOTE_KERNEL, /* the calling convention */
	NOTE_NUMBER, /* number `axis` of the function's attribute `to` */
	NOTE_ALIGN,  /* parameter << 16 | bytes, parameter 0 being the result: `alignstack` */
	NOTE_PARAMS, /* a list of parameters, from 1: their attribute `to` */
} NoteKind;

static const struct Note {
	const char *key, *to;
	u8          kind, axis;
} notes[] = {
	{"kernel", "", NOTE_KERNEL, 0},
	{"align", "", NOTE_ALIGN, 0},
	{"grid_constant", IR_GRID_CONSTANT, NOTE_PARAMS, 0},
	{"maxntidx", "nvvm.maxntid", NOTE_NUMBER, 0},
	{"maxntidy", "nvvm.maxntid", NOTE_NUMBER, 1},
	{"maxntidz", "nvvm.maxntid", NOTE_NUMBER, 2},
	{"reqntidx", "nvvm.reqntid", NOTE_NUMBER, 0},
	{"reqntidy", "nvvm.reqntid", NOTE_NUMBER, 1},
	{"reqntidz", "nvvm.reqntid", NOTE_NUMBER, 2},
	{"cluster_dim_x", "nvvm.cluster_dim", NOTE_NUMBER, 0},
	{"cluster_dim_y", "nvvm.cluster_dim", NOTE_NUMBER, 1},
	{"cluster_dim_z", "nvvm.cluster_dim", NOTE_NUMBER, 2},
	{"maxclusterrank", "nvvm.maxclusterrank", NOTE_NUMBER, 0},
	{"cluster_max_blocks", "nvvm.maxclusterrank", NOTE_NUMBER, 0},
	{"minctasm", "nvvm.minctasm", NOTE_NUMBER, 0},
	{"maxnreg", "nvvm.maxnreg", NOTE_NUMBER, 0},
};

static const struct Note *find_note(const IrModule *m, IrMd key)
{
	if (!key.i || ir_md(m, key)->kind != IRMD_STRING)
		return NULL;
	for (u32 i = 0; i < PS_COUNT(notes); i++)
		if (str_is(ir_str(m, ir_md(m, key)->text), notes[i].key))
			return &notes[i];
	return NULL;
}

/* The number that a node wraps; false: it wraps none. */
static bool number_of(const IrModule *m, IrMd node, u64 *v)
{
	return node.i && ir_md(m, node)->kind == IRMD_VALUE && ir_as_int(m, ir_md(m, node)->value, v);
}

/* Number `axis` of "64,2", with 1 for those in front of it that nobody gave. */
static void set_number(IrModule *m, IrFunc *f, const struct Note *note, u64 v)
{
	u64  number[3] = {1, 1, 1};
	u32  n = ir_kernel_numbers(ir_fn_attr(m, f, note->to), number, 3);
	Text text;
	number[note->axis] = v;
	n = PS_MAX(n, note->axis + 1u);
	text_init(&text, m->arena);
	for (u32 i = 0; i < n; i++)
		text_f(&text, "%s%llu", i ? "," : "", (unsigned long long)number[i]);
	f->fn = ir_attrs_with(m, f->fn, ir_attr_string(m, note->to, text_str(&text)));
}

static bool set_align(IrModule *m, IrFunc *f, u64 v)
{
	u32 param = (u32)(v >> 16);
	if (!param && ir_func_ret(m, ir_global(m, f->ref)->type).i == IR_TY_VOID)
		return true; /* of no result */
	IrAttr   a = {.kind = IRA_ALIGNSTACK, .a = v & 0xFFFF};
	IrAttrs *set = !param ? &f->ret : param <= f->n_args ? &ir_arg(m, ir_func_arg(f, param - 1))->attrs : NULL;
	bool     power = a.a && !(a.a & (a.a - 1));
	if (set && power)
		*set = ir_attrs_with(m, *set, a);
	return set && power;
}

/* The list is a node of numbers, or one number without a node. */
static bool set_params(IrModule *m, IrFunc *f, const struct Note *note, IrMd list)
{
	bool single = list.i && ir_md(m, list)->kind == IRMD_VALUE;
	if (!list.i || (!single && ir_md(m, list)->kind != IRMD_NODE))
		return false;
	for (u32 i = 0; i < (single ? 1 : ir_md(m, list)->n); i++) {
		u64 v;
		if (!number_of(m, single ? list : ir_md_op(m, list, i), &v) || !v || v > f->n_args)
			continue;
		IrArg *arg = ir_arg(m, ir_func_arg(f, (u32)v - 1));
		arg->attrs = ir_attrs_with(m, arg->attrs, ir_attr_string(m, note->to, STR("")));
	}
	return true;
}

/* Does an attribute say it now? */
static bool upgrade_note(IrModule *m, IrFunc *f, const struct Note *note, IrMd value)
{
	u64 v = 0;
	if (note->kind == NOTE_PARAMS)
		return set_params(m, f, note, value);
	if (!number_of(m, value, &v))
		return false;
	switch ((NoteKind)note->kind) {
	case NOTE_KERNEL:
		if (v)
			f->cc = IRCC_PTX_KERNEL;
		return true;
	case NOTE_ALIGN: return set_align(m, f, v);
	case NOTE_NUMBER: set_number(m, f, note, v); return true;
	case NOTE_PARAMS: break;
	}
	return false;
}

/* What is left of a row: the row itself, a shorter one, or none. */
static IrMd upgrade_row(IrModule *m, IrMd row)
{
	const IrMdNode *n = ir_md(m, row);
	IrMd            who = n->kind == IRMD_NODE && n->n ? ir_md_op(m, row, 0) : (IrMd){0};
	IrRef           global = who.i && ir_md(m, who)->kind == IRMD_VALUE ? ir_md(m, who)->value : IR_NO_REF;
	if (n->kind == IRMD_NODE && n->n && !who.i)
		return (IrMd){0}; /* the function is gone */
	if (ir_kind(global) != IR_GLOBAL || ir_global(m, global)->kind != IRG_FUNC)
		return row;
	u32   count = n->n, kept = 1;
	IrMd *left = arena_array(m->arena, IrMd, count + 1);
	left[0] = who;
	for (u32 i = 1; i < count; i += 2) {
		IrMd               key = ir_md_op(m, row, i), value = i + 1 < count ? ir_md_op(m, row, i + 1) : (IrMd){0};
		const struct Note *note = find_note(m, key);
		if (note && upgrade_note(m, ir_func(m, global), note, value))
			continue;
		left[kept++] = key;
		if (i + 1 < count)
			left[kept++] = value;
	}
	return kept == count ? row : kept == 1 ? (IrMd){0} : ir_md_node(m, left, kept, false);
}

void ir_upgrade_notes(IrModule *m)
{
	const IrNamedMd *all = ir_named_md(m, "nvvm.annotations");
	if (!all)
		return;
	u32 first = all->first, count = all->n, kept = 0;
	for (u32 i = 0; i < count; i++) {
		IrMd row = upgrade_row(m, (IrMd){m->md_ops.p[first + i]}); /* may add to md_ops */
		if (row.i)
			m->md_ops.p[first + kept++] = row.i;
	}
	ir_named_md(m, "nvvm.annotations")->n = kept;
	ir_annotations_changed(m);
}
