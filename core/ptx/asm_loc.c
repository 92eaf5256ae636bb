/* asm_loc.c: .loc and .file directives, labels around functions.
 *
 *	.loc	1 5 3                           // a.cu:5:3
 *	.loc	1 2 7                           // a.cu:2:7 @[ a.cu:5:3 ]        inlined
 *	.file	1 "/src/a.cu"
 *
 * Where no instruction of the function's beginning has a line, the function's own stands there, so that a breakpoint on the
 * function has one. An instruction without a location keeps the line of the one before; at the beginning of a block, which may
 * be reached from elsewhere, and behind a label it gets line 0. Files are numbered in the order of their first use; one named
 * by several nodes counts once. */
#include "ptx/asm.h"
#include "ptx/dwarf.h"

/* ---- how much is wanted ---- */

AsmDebug asm_debug_of(const Asm *a, IrMd unit)
{
	static const char *const kinds[] = {
		[ASM_DEBUG_NONE] = "NoDebug",
		[ASM_DEBUG_DIRECTIVES] = "DebugDirectivesOnly",
		[ASM_DEBUG_LINES] = "LineTablesOnly",
		[ASM_DEBUG_FULL] = "FullDebug",
	};
	static const u8  of_number[] = {ASM_DEBUG_NONE, ASM_DEBUG_FULL, ASM_DEBUG_LINES, ASM_DEBUG_DIRECTIVES};
	const IrMdField *f = ir_md_field(a->ir, unit, "emissionKind");
	if (f && f->kind == IRMF_INT)
		return f->bits < PS_COUNT(of_number) ? (AsmDebug)of_number[f->bits] : ASM_DEBUG_NONE;
	for (u32 i = 0; f && f->kind == IRMF_NAME && i < PS_COUNT(kinds); i++)
		if (str_is(ir_str(a->ir, (StrId){f->a}), kinds[i]))
			return (AsmDebug)i;
	return ASM_DEBUG_NONE;
}

void asm_debug_begin(Asm *a)
{
	const IrNamedMd *cus = ir_named_md(a->ir, "llvm.dbg.cu");
	for (u32 i = 0; cus && i < cus->n; i++) {
		AsmDebug kind = asm_debug_of(a, (IrMd){a->ir->md_ops.p[cus->first + i]});
		a->debug = PS_MAX(a->debug, kind);
		a->has_units |= kind != ASM_DEBUG_NONE;
	}
	if (a->debug)
		a->dwarf = dw_begin(a);
}

/* ---- files ---- */

static Str join(Asm *a, Str dir, Str name)
{
	bool absolute = name.n && name.p[0] == '/';
	if (absolute || !dir.n)
		return name;
	bool slash = dir.p[dir.n - 1] == '/';
	return arena_fmt(&a->own, "%.*s%s%.*s", STR_ARG(dir), slash ? "" : "/", STR_ARG(name));
}

u32 asm_file(Asm *a, u32 file)
{
	IrMd  n = {file};
	StrId path =
		strtab_add(&a->s->strs, join(a, ir_md_field_str(a->ir, n, "directory"), ir_md_field_str(a->ir, n, "filename")));
	for (u32 k = 0; k < a->file.n; k++)
		if (a->file.p[k].path.i == path.i)
			return k + 1;
	vec_push(&a->own, &a->file, ((AsmFile){path, file}));
	return a->file.n;
}

static void print_quoted(Asm *a, Str s)
{
	text_c(a->out, '"');
	for (u32 i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			text_c(a->out, '\\');
		text_c(a->out, s.p[i]);
	}
	text_c(a->out, '"');
}

static void print_files(Asm *a)
{
	for (u32 k = 0; k < a->file.n; k++) {
		IrMd n = {a->file.p[k].node};
		text_f(a->out, "\t.file\t%u ", k + 1);
		if (knob_bool(a->s, KNOB_dwarf_directory) && ir_md_field_str(a->ir, n, "directory").n) {
			print_quoted(a, ir_md_field_str(a->ir, n, "directory"));
			text_c(a->out, ' ');
			print_quoted(a, ir_md_field_str(a->ir, n, "filename"));
		} else {
			print_quoted(a, ir_str(a->ir, a->file.p[k].path));
		}
		text_c(a->out, '\n');
	}
}

void asm_debug_end(Asm *a)
{
	static const char macros[] = "\t.section\t.debug_macinfo\t{\t}\n"; /* for readers of files without entries */
	if (a->has_units && a->debug < ASM_DEBUG_LINES)
		text_s(a->out, macros);
	/* Entries name files, and ptxas wants those first. */
	Text *out = a->out, sections;
	text_init(&sections, &a->own);
	a->out = &sections;
	if (a->dwarf)
		dw_end(a->dwarf);
	a->out = out;
	print_files(a);
	text_add(a->out, text_str(&sections));
	if (a->has_units && a->debug >= ASM_DEBUG_LINES)
		text_s(a->out, macros);
	asm_mark(a, 0);
}

/* ---- locations ---- */

IrMd dw_loc_file(const Dwarf *d, IrMd loc) { return ir_dbg_file(d->a->ir, loc); }

static void say_where(Asm *a, Text *out, IrMd file, u32 line, u32 column)
{
	text_f(out, "%.*s:%u", STR_ARG(ir_dbg_file_name(a->ir, file)), line);
	if (column)
		text_f(out, ":%u", column);
}

static void print_function_line(Asm *a, IrMd file, u32 line)
{
	text_f(a->out, "\t.loc\t%u %u 0", asm_file(a, file.i), line);
	asm_comment(a, "%.*s:%u:0\n", STR_ARG(ir_dbg_file_name(a->ir, file)), line);
}

static void print_at(Asm *a, IrMd file, u32 line, u32 column, IrMd inlined)
{
	u32 number = asm_file(a, file.i);
	text_f(a->out, "\t.loc\t%u %u %u", number, line, column);
	Text where;
	text_init(&where, a->arena);
	say_where(a, &where, file, line, column);
	u32 depth = 0;
	for (IrMd at = inlined; at.i && depth < 64; at = ir_md_inlined_at(a->ir, at), depth++) {
		text_s(&where, " @[ ");
		say_where(a, &where, ir_dbg_file(a->ir, at), ir_dbg_line(a->ir, at), ir_dbg_column(a->ir, at));
	}
	while (depth--)
		text_s(&where, " ]");
	asm_comment(a, "%.*s\n", STR_ARG(text_str(&where)));
}

static void print_loc(Asm *a, IrMd loc)
{
	print_at(a, ir_dbg_file(a->ir, loc), ir_dbg_line(a->ir, loc), ir_dbg_column(a->ir, loc), ir_md_inlined_at(a->ir, loc));
}

void asm_loc(Asm *a, MirInstId i)
{
	IrMd loc = {mir_inst(a->f, i)->dbg};
	bool is_target = a->loc_block != mir_inst(a->f, i)->block;
	if (a->dwarf)
		is_target |= dw_before(a->dwarf, i);
	if (!a->debug || !a->subprogram)
		return;
	if (!loc.i || !ir_dbg_file(a->ir, loc).i) {
		if (!is_target || !a->dbg || a->loc_line == 0)
			return;
		IrMd last = {a->dbg};
		print_at(a, ir_dbg_file(a->ir, last), 0, ir_dbg_column(a->ir, last), ir_md_inlined_at(a->ir, last));
		a->loc_line = 0;
		a->loc_block = mir_inst(a->f, i)->block;
		return;
	}
	a->loc_block = mir_inst(a->f, i)->block;
	u32 line = ir_dbg_line(a->ir, loc);
	if ((loc.i == a->dbg && (a->loc_line || !line)) || (!line && !a->loc_line && a->dbg))
		return;
	print_loc(a, loc);
	a->loc_line = line;
	if (line)
		a->dbg = loc.i;
}

void asm_loc_behind(Asm *a, MirInstId i)
{
	if (a->dwarf)
		dw_behind(a->dwarf, i);
}

/* ---- functions ---- */

/* Does the first instruction that makes code have a line? NONE: no instruction has one. */
typedef enum Prologue { PROLOGUE_NONE, PROLOGUE_EMPTY, PROLOGUE_THERE } Prologue;

static Prologue prologue(Asm *a)
{
	bool first = true;
	mir_each_block(a->f, b)
		mir_each_inst(a->f, b, i) {
			const IsaDesc *d = mir_desc(a->f, i);
			if (d->flags & IF_META)
				continue;
			IrMd loc = {mir_inst(a->f, i)->dbg};
			if (loc.i && ir_dbg_line(a->ir, loc))
				return first ? PROLOGUE_EMPTY : PROLOGUE_THERE;
			first = false;
		}
	return PROLOGUE_NONE;
}

void asm_debug_function(Asm *a)
{
	if (!a->debug)
		return;
	IrMd     sp = ir_attached(a->ir, a->irf->ref, "dbg"), unit = ir_md_field_node(a->ir, sp, "unit");
	AsmDebug kind = sp.i ? asm_debug_of(a, unit) : ASM_DEBUG_NONE;
	a->dbg = a->loc_line = a->loc_block = 0;
	a->subprogram = kind ? sp.i : 0;
	bool says_line = kind && prologue(a) == PROLOGUE_THERE;
	IrMd file = ir_md_field_node(a->ir, sp, "file");
	u32  line = (u32)ir_md_field_int(a->ir, sp, "scopeLine");
	if (a->dwarf)
		dw_plan(a->dwarf);
	if (says_line && kind != ASM_DEBUG_DIRECTIVES)
		print_function_line(a, file, line);
	text_f(a->out, "$L__func_begin%u:\n", a->f->number);
	if (says_line) {
		print_function_line(a, file, line);
		a->loc_line = line;
	}
	asm_mark(a, 0);
}

void asm_debug_function_end(Asm *a)
{
	if (!a->debug)
		return;
	if (a->dwarf)
		dw_before(a->dwarf, (MirInstId){0});
	text_f(a->out, "$L__func_end%u:\n", a->f->number);
	if (a->dwarf)
		dw_function(a->dwarf);
}
