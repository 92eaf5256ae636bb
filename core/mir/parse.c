/* parse.c: MIR text back to a MirModule: the YAML that print.c writes, and what of LLVM's own it has names for
 * (keys it does not know are passed over).
 *
 * Errors are reported with line and column; the reader goes on with the next line, so that all are found. */
#include "ir/text.h"
#include "mir/parse.h"

#include "mir/cfg.h"

/* ---- blocks ---- */

static bool at_block(const MirReader *r)
{
	return r->at + 3 < r->text.n && memcmp(r->text.p + r->at, "bb.", 3) == 0 && mr_is_digit(r->text.p[r->at + 3]);
}

/* `bb.2.name (address-taken):` */
static MirBlockId block_head(MirReader *r, bool create)
{
	r->at += 3;
	u64   n = mr_number(r);
	StrId label = {0};
	if (mr_peek(r) == '.') {
		r->at++;
		label = mr_intern(r, mr_name(r));
	}
	mr_blanks(r);
	bool taken = false;
	if (mr_eat(r, '(')) {
		u32 start = r->at;
		while (mr_peek(r) && mr_peek(r) != ')' && mr_peek(r) != '\n')
			r->at++;
		Str inside = {r->text.p + start, r->at - start};
		taken = str_is(inside, "address-taken");
		mr_want(r, ')');
	}
	mr_want(r, ':');
	if (!create || r->bad)
		return mr_block_number(r, n);
	if (map_get(&r->block, n))
		mr_expected(r, "a number that no other block of the function has");
	MirBlockId b = mir_block_new(r->f, label, ~0u);
	mir_block(r->f, b)->number = (u32)n;
	mir_block(r->f, b)->address_taken = taken;
	map_set(&r->block, n, b.i);
	r->f->n_numbers = PS_MAX(r->f->n_numbers, (u32)n + 1);
	return b;
}

/* IR block of the same name, so that what the IR says of it (loop hints) is found. */
static void link_ir_blocks(MirReader *r)
{
	if (!r->irf)
		return;
	mir_each_block(r->f, b)
		ir_each_block(r->m->ir, r->irf, ib)
			if (mir_block(r->f, b)->name.i && ir_block(r->m->ir, ib)->name.i == mir_block(r->f, b)->name.i)
				mir_block(r->f, b)->ir = ir_index(ib);
}

static void successors(MirReader *r, MirBlockId b)
{
	mr_want(r, ':');
	do {
		mr_blanks(r);
		MirOp o = {0};
		if (!mr_eat(r, '%') || !mr_percent_operand(r, &o) || o.kind != MO_BLOCK) {
			mr_expected(r, "a block");
			return;
		}
		u32 prob = MIR_PROB_UNKNOWN;
		if (mr_eat(r, '(')) {
			r->at += mr_eat_word(r, "0x") ? 0 : str_starts((Str){r->text.p + r->at, r->text.n - r->at}, "0x") ? 2 : 0;
			prob = (u32)mr_hex(r);
			mr_want(r, ')');
		}
		if (!r->bad && b.i)
			mir_edge_add(r->f, b, (MirBlockId){o.ref}, prob);
	} while (!r->bad && mr_eat(r, ','));
}

static bool document_ends(const MirReader *r)
{
	Str rest = {r->text.p + r->at, r->text.n - r->at};
	return r->at >= r->text.n || str_starts(rest, "...") || str_starts(rest, "---");
}

static void body_line(MirReader *r, MirBlockId *b, bool create)
{
	if (mr_line_ends(r) || mr_peek(r) == '#')
		return;
	if (at_block(r))
		*b = block_head(r, create);
	else if (create)
		return;
	else if (mr_eat_word(r, "successors"))
		successors(r, *b);
	else if (!mr_eat_word(r, "liveins"))
		mr_instruction(r, *b);
}

/* Twice over the body: first the blocks, which branches may name before they come. */
static void body(MirReader *r)
{
	mr_skip_line(r);
	MirReader start = *r;
	for (u32 pass = 0; pass < 2; pass++) {
		MirBlockId b = {0};
		r->at = start.at;
		r->line = start.line;
		r->line_start = start.line_start;
		while (!document_ends(r)) {
			body_line(r, &b, pass == 0);
			mr_skip_line(r);
		}
		if (pass == 0)
			link_ir_blocks(r);
	}
}

/* ---- the head of a function ---- */

typedef struct Field {
	Str key, value;
} Field;

/* `{ key: value, … }` over any number of lines; values are words, quoted, or lists in brackets as they stand. */
static u32 flow_map(MirReader *r, Field *field, u32 cap)
{
	u32 n = 0;
	mr_want(r, '{');
	for (mr_space(r); !r->bad && mr_peek(r) && mr_peek(r) != '}'; mr_space(r)) {
		Field f = {.key = mr_name(r)};
		mr_want(r, ':');
		mr_space(r);
		if (mr_peek(r) == '\'' || mr_peek(r) == '"') {
			f.value = mr_quoted(r);
		} else {
			u32  start = r->at, depth = 0;
			char c;
			while ((c = mr_peek(r)) != 0 && (depth || (c != ',' && c != '}' && c != '\n'))) {
				depth += c == '[';
				depth -= c == ']' && depth;
				mr_next_char(r);
			}
			f.value = (Str){r->text.p + start, r->at - start};
			while (f.value.n && f.value.p[f.value.n - 1] == ' ')
				f.value.n--;
		}
		if (n < cap)
			field[n++] = f;
		mr_space(r);
		if (mr_peek(r) == ',')
			mr_next_char(r);
	}
	mr_want(r, '}');
	return n;
}

static Str field_value(const Field *f, u32 n, const char *key)
{
	for (u32 k = 0; k < n; k++)
		if (str_is(f[k].key, key))
			return f[k].value;
	return STR("");
}

static u64 to_number(Str s)
{
	bool negative = s.n && s.p[0] == '-';
	u64  v = 0;
	for (u32 k = negative; k < s.n && mr_is_digit(s.p[k]); k++)
		v = v * 10 + (u64)(s.p[k] - '0');
	return negative ? (u64)0 - v : v;
}

static void one_register(MirReader *r, const Field *f, u32 n)
{
	MirReg   v = mr_reg_number(r, to_number(field_value(f, n, "id")));
	MirClass c = (MirClass)isa_class_find(field_value(f, n, "class"));
	Str      name_ = field_value(f, n, "name");
	if (!c)
		mr_unknown(r, "register class", field_value(f, n, "class"));
	else if (v.i)
		mir_reg_set_class(r->f, v, c);
	if (name_.n && v.i) {
		mir_reg_set_name(r->f, v, mr_intern(r, name_));
		map_set(&r->reg_name, mir_reg_name(r->f, v).i, v.i);
	}
}

static void one_object(MirReader *r, const Field *f, u32 n)
{
	MirFrameKind kind = MIR_FRAME_LOCAL;
	u64          align = to_number(field_value(f, n, "alignment"));
	for (u32 k = 0; k < MIR_FRAME_KINDS; k++)
		if (str_is(field_value(f, n, "type"), mir_frame_kind_text[k]))
			kind = (MirFrameKind)k;
	u32 number = mir_frame_new(r->f, mr_intern(r, field_value(f, n, "name")), to_number(field_value(f, n, "size")),
	                           align ? u64_log2(align) : 0, kind);
	Str local = field_value(f, n, "local-offset");

	MirFrameObj *o = &r->f->frame.p[number];
	o->offset = (i64)to_number(field_value(f, n, "offset"));
	o->is_dead = str_is(field_value(f, n, "dead"), "true");
	o->category = (u8)(to_number(field_value(f, n, "category")) % MIR_CATEGORIES);
	o->local_offset = local.n ? (u32)to_number(local) + 1 : 0;
}

static void one_table(MirReader *r, const Field *f, u32 n)
{
	u32 t = mir_jump_table_new(r->f);
	Str list = field_value(f, n, "blocks");
	for (u32 k = 0; k + 3 < list.n; k++)
		if (memcmp(list.p + k, "bb.", 3) == 0) {
			Str digits = {list.p + k + 3, list.n - k - 3};
			vec_push(&r->scratch, &r->table, ((MirTableEntry){t, (u32)to_number(digits), r->line}));
		}
}

typedef void (*ItemReader)(MirReader *r, const Field *f, u32 n);

static void one_prototype(MirReader *r, const Field *f, u32 n)
{
	vec_push(r->f->arena, &r->f->proto, mr_intern(r, field_value(f, n, "text")).i);
}

/* The lines `- { … }` that follow. */
static void items(MirReader *r, ItemReader read)
{
	for (;;) {
		u32 back = r->at, line = r->line, start = r->line_start;
		mr_space(r);
		if (mr_peek(r) != '-' || r->at + 1 >= r->text.n || r->text.p[r->at + 1] != ' ') {
			r->at = back;
			r->line = line;
			r->line_start = start;
			return;
		}
		r->at++;
		mr_blanks(r);
		Field field[24];
		u32   n = flow_map(r, field, PS_COUNT(field));
		if (!r->bad)
			read(r, field, n);
		mr_skip_line(r);
	}
}

static void property(MirReader *r, u32 prop)
{
	if (mr_eat_word(r, "true"))
		r->f->props |= prop;
	else
		r->f->props &= ~prop;
}

static void key(MirReader *r, Str k)
{
	mr_blanks(r);
	if (str_is(k, "isSSA"))
		property(r, MP_SSA);
	else if (str_is(k, "noPhis"))
		property(r, MP_NO_PHIS);
	else if (str_is(k, "tracksRegLiveness"))
		property(r, MP_LIVENESS);
	else if (str_is(k, "isAllocated"))
		property(r, MP_ALLOCATED);
	else if (str_is(k, "kernel"))
		r->f->is_kernel = mr_eat_word(r, "true");
	else if (str_is(k, "stackSize"))
		r->f->frame_size = mr_number(r);
	else if (str_is(k, "maxAlignment"))
		r->f->frame_align_log2 = (u32)u64_log2(PS_MAX(mr_number(r), 1));
}

static void head_line(MirReader *r)
{
	static const struct {
		const char *key;
		ItemReader  read;
	} lists[] = {{"registers", one_register}, {"stack", one_object}, {"entries", one_table}, {"prototypes", one_prototype}};
	mr_blanks(r);
	if (mr_line_ends(r) || mr_peek(r) == '#') {
		mr_skip_line(r);
		return;
	}
	Str k = mr_word(r);
	mr_want(r, ':');
	for (u32 n = 0; n < PS_COUNT(lists); n++)
		if (!r->bad && str_is(k, lists[n].key)) {
			mr_skip_line(r);
			items(r, lists[n].read);
			return;
		}
	if (!r->bad)
		key(r, k);
	mr_skip_line(r);
}

static void remember_ir_values(MirReader *r)
{
	IrModule *m = r->m->ir;
	map_init(&r->ir_value, &r->scratch);
	for (u32 k = 0; r->irf && k < r->irf->n_args; k++)
		map_set(&r->ir_value, ir_name(m, ir_func_arg(r->irf, k)).i, ir_func_arg(r->irf, k).i);
	if (r->irf)
		ir_each_block(m, r->irf, b)
			ir_each_inst(m, b, i)
				if (ir_name(m, i).i)
					map_set(&r->ir_value, ir_name(m, i).i, i.i);
}

static void resolve_tables(MirReader *r)
{
	for (u32 k = 0; k < r->table.n; k++) {
		u64 *b = map_get(&r->block, r->table.p[k].block);
		if (b)
			vec_push(r->f->arena, &r->f->jump_table.p[r->table.p[k].table].block, (u32)*b);
		else
			diag_report(&r->s->diags, DIAG_MIR_EXPECTED, src_at(r->table.p[k].line, 1),
			            "the number of a block of this function");
	}
	r->table.n = 0;
}

/* Registers between those that are used need a class to be printed; any will do. */
static void class_the_unused(MirReader *r)
{
	for (u32 v = 1; v < r->f->vreg.n; v++) {
		MirVReg *vr = mir_vreg(r->f, (MirReg){v});
		if (vr->cls)
			continue;
		if (vr->defs || vr->uses) {
			u32 inst = mir_op_at(r->f, vr->defs ? vr->defs : vr->uses)->inst;
			r->errors++;
			diag_report(&r->s->diags, DIAG_MIR_NO_CLASS, src_at(mir_inst(r->f, (MirInstId){inst})->origin, 1), v - 1);
		}
		vr->cls = MIR_B32;
	}
}

/* A function of MIR text without IR: kernels and functions without parameters. */
static void invent_ir(MirReader *r, StrId fn)
{
	IrModule *m = r->m->ir;
	Str       n = strtab_get(&r->s->strs, fn);
	IrRef     g = ir_find_global(m, n);
	if (ir_is_none(g)) {
		IrFunc *f = ir_func_new(m, n, ir_func_type(m, IR_TYPE(VOID), NULL, 0, false), IRL_EXTERNAL);
		g = f->ref;
		if (r->f->is_kernel)
			f->cc = IRCC_PTX_KERNEL;
	}
	r->irf = ir_func(m, g);
}

static void function(MirReader *r)
{
	mr_skip_line(r);
	while (!document_ends(r) && (mr_line_ends(r) || mr_peek(r) == '#'))
		mr_skip_line(r);
	if (!mr_eat_word(r, "name")) {
		mr_expected(r, "name:");
		mr_skip_line(r);
		return;
	}
	mr_want(r, ':');
	StrId n = mr_intern(r, mr_name(r));
	mr_skip_line(r);
	r->f = mir_func_new(r->m, n, 0);
	r->f->props = 0;
	IrRef g = ir_find_global(r->m->ir, strtab_get(&r->s->strs, n));
	r->irf = ir_is_none(g) ? NULL : ir_func(r->m->ir, g);
	r->f->ir = r->irf ? ir_index(r->irf->ref) : 0;
	map_init(&r->block, &r->scratch);
	map_init(&r->reg_name, &r->scratch);
	remember_ir_values(r);
	while (!document_ends(r)) {
		mr_blanks(r);
		if (mr_eat_word(r, "body")) {
			body(r);
			break;
		}
		head_line(r);
	}
	resolve_tables(r);
	class_the_unused(r);
	mir_note_reducible(r->f, &r->scratch);
	if (!r->irf)
		invent_ir(r, n);
}

/* ---- the module ---- */

/* The IR part, its indentation taken off, on the lines it has in the whole file. */
static IrModule *ir_part(MirReader *r)
{
	Text t;
	text_init(&t, &r->s->arena);
	mr_skip_line(r);
	for (u32 k = 1; k < r->line; k++)
		text_c(&t, '\n');
	while (!document_ends(r)) {
		u32 start = r->at;
		while (mr_peek(r) == ' ' && r->at < start + 2)
			r->at++;
		start = r->at;
		while (r->at < r->text.n && mr_peek(r) != '\n')
			r->at++;
		text_add(&t, (Str){r->text.p + start, r->at - start});
		text_c(&t, '\n');
		mr_skip_line(r);
	}
	return ir_parse(r->s, text_str(&t));
}

static void documents(MirReader *r)
{
	while (r->at < r->text.n) {
		Str rest = {r->text.p + r->at, r->text.n - r->at};
		if (str_starts(rest, "--- |")) {
			IrModule *ir = ir_part(r);
			if (!ir)
				return;
			r->m->ir = ir;
		} else if (str_starts(rest, "---")) {
			function(r);
		} else if (str_starts(rest, "...") || mr_line_ends(r) || mr_peek(r) == '#') {
			mr_skip_line(r);
		} else {
			mr_expected(r, "a document: ---");
			mr_skip_line(r);
		}
	}
}

MirModule *mir_parse(Session *s, Str text, struct IrModule **ir)
{
	u32       before = s->diags.errors;
	MirReader r = {.s = s, .text = text, .line = 1};
	arena_init(&r.scratch, &s->budget);
	r.m = mir_module_new(s, ir_module_new(s), &s->arena);
	documents(&r);
	arena_free(&r.scratch);
	*ir = r.m->ir;
	return s->diags.errors == before && !r.errors ? r.m : NULL;
}
