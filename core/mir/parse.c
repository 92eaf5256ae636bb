/* parse.c: MIR text back to a MirModule: the YAML that print.c writes, and what of LLVM's own it has names for
 * (keys it does not know are passed over).
 *
 * Errors are reported with line and column; the reader goes on with the next line, so that all are found. */
#include "base/map.h"
#include "ir/ir.h"
#include "mir/mir.h"

typedef struct TableEntry {
	u32 table, block, line;
} TableEntry;

typedef struct Reader {
	Session   *s;
	Str        text;
	u32        at, line, line_start;
	MirModule *m;
	MirFunc   *f;
	IrFunc    *irf;
	Arena      scratch;
	Map        block;     /* bb number → MirBlockId */
	Map        reg_name;  /* StrId → register */
	Map        ir_value;  /* StrId → IrRef of the function's arguments and instructions */
	bool       bad;       /* this line was given up */
	u32        errors;
	/* jump tables name blocks that come later */
	Vec(TableEntry) table;
} Reader;

/* ---- characters and words ---- */

static char peek(const Reader *r) { return r->at < r->text.n ? r->text.p[r->at] : 0; }

static void next_char(Reader *r)
{
	if (r->text.p[r->at++] == '\n') {
		r->line++;
		r->line_start = r->at;
	}
}

static SrcRange here(const Reader *r) { return src_at(r->line, r->at - r->line_start + 1); }

static void expected(Reader *r, const char *what)
{
	if (r->bad)
		return;
	r->bad = true;
	r->errors++;
	diag_report(&r->s->diags, DIAG_MIR_EXPECTED, here(r), what);
}

static void unknown(Reader *r, const char *what, Str name)
{
	if (r->bad)
		return;
	r->bad = true;
	r->errors++;
	SrcRange at = here(r);
	if (name.p > r->text.p + r->line_start && name.p <= r->text.p + r->at) {
		at.col = (u32)(name.p - r->text.p) - r->line_start + 1;
		at.end_col = at.col + name.n;
	}
	diag_report(&r->s->diags, DIAG_MIR_UNKNOWN, at, what, STR_ARG(name));
}

static void blanks(Reader *r)
{
	while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\r')
		r->at++;
}

/* Blanks and newlines: inside braces a line may end anywhere. */
static void space(Reader *r)
{
	while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\r' || peek(r) == '\n')
		next_char(r);
}

static void skip_line(Reader *r)
{
	while (r->at < r->text.n && peek(r) != '\n')
		r->at++;
	if (r->at < r->text.n)
		next_char(r);
	r->bad = false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

static bool eat(Reader *r, char c)
{
	blanks(r);
	if (peek(r) != c)
		return false;
	next_char(r);
	return true;
}

static void want(Reader *r, char c)
{
	char what[] = {'\'', c, '\'', 0};
	if (!eat(r, c))
		expected(r, what);
}

static Str word(Reader *r)
{
	u32 start = r->at;
	while (is_word(peek(r)))
		r->at++;
	return (Str){r->text.p + start, r->at - start};
}

static bool eat_word(Reader *r, const char *w)
{
	blanks(r);
	u32 n = (u32)strlen(w);
	if (r->text.n - r->at < n || memcmp(r->text.p + r->at, w, n) != 0 || (r->at + n < r->text.n && is_word(r->text.p[r->at + n])))
		return false;
	r->at += n;
	return true;
}

static u64 number(Reader *r)
{
	u64 v = 0;
	if (!is_digit(peek(r)))
		expected(r, "a number");
	while (is_digit(peek(r)))
		v = v * 10 + (u64)(r->text.p[r->at++] - '0');
	return v;
}

static u32 hex_digit(char c)
{
	return is_digit(c) ? (u32)(c - '0') : c >= 'a' && c <= 'f' ? (u32)(c - 'a' + 10) : c >= 'A' && c <= 'F' ? (u32)(c - 'A' + 10) : 99;
}

static u64 hex(Reader *r)
{
	u64 v = 0;
	if (hex_digit(peek(r)) > 15)
		expected(r, "a hexadecimal number");
	while (hex_digit(peek(r)) < 16)
		v = v << 4 | hex_digit(r->text.p[r->at++]);
	return v;
}

/* "…" with \XX; '…' as it is. */
static Str quoted(Reader *r)
{
	char quote = peek(r);
	Text t;
	text_init(&t, &r->scratch);
	r->at++;
	while (r->at < r->text.n && peek(r) != quote && peek(r) != '\n') {
		char c = r->text.p[r->at++];
		if (c == '\\' && quote == '"' && r->at + 1 < r->text.n && hex_digit(r->text.p[r->at]) < 16 && hex_digit(r->text.p[r->at + 1]) < 16) {
			c = (char)(hex_digit(r->text.p[r->at]) << 4 | hex_digit(r->text.p[r->at + 1]));
			r->at += 2;
		}
		text_c(&t, c);
	}
	if (peek(r) != quote)
		expected(r, "the closing quote");
	else
		r->at++;
	return text_str(&t);
}

static Str name(Reader *r)
{
	blanks(r);
	if (peek(r) == '"' || peek(r) == '\'')
		return quoted(r);
	Str w = word(r);
	if (!w.n)
		expected(r, "a name");
	return w;
}

static StrId intern(Reader *r, Str s) { return s.n ? strtab_add(&r->s->strs, s) : (StrId){0}; }

/* ---- registers and blocks ---- */

static MirReg reg_number(Reader *r, u64 n)
{
	if (n >= 1u << 24) {
		expected(r, "a register number below 2^24");
		return (MirReg){0};
	}
	while (r->f->vreg.n <= n + 1)
		mir_reg_new(r->f, MIR_NO_CLASS);
	return (MirReg){(u32)n + 1};
}

static MirReg reg_named(Reader *r, Str s)
{
	StrId id = intern(r, s);
	u64  *known = map_get(&r->reg_name, id.i);
	if (known)
		return (MirReg){(u32)*known};
	MirReg reg = mir_reg_new(r->f, MIR_NO_CLASS);
	mir_vreg(r->f, reg)->name = id;
	map_set(&r->reg_name, id.i, reg.i);
	return reg;
}

static MirClass class_name(Reader *r)
{
	Str      w = name(r);
	MirClass c = mir_class_find(w);
	if (!c)
		unknown(r, "register class", w);
	return c;
}

/* Behind the `%` or at the `$`. */
static MirReg reg(Reader *r)
{
	if (peek(r) == '$') {
		Str w = word(r);
		for (u32 p = 0; p < MIR_PHYS_COUNT; p++)
			if (str_is(w, mir_phys_info[p].name))
				return mir_phys((MirPhys)p);
		unknown(r, "physical register", w);
		return (MirReg){0};
	}
	MirReg v = is_digit(peek(r)) ? reg_number(r, number(r)) : reg_named(r, name(r));
	if (!r->bad && peek(r) == ':' && r->at + 1 < r->text.n && r->text.p[r->at + 1] != ':') {
		r->at++;
		MirClass c = class_name(r);
		if (c)
			mir_vreg(r->f, v)->cls = (u8)c;
	}
	return v;
}

static MirBlockId block_number(Reader *r, u64 n)
{
	u64 *b = map_get(&r->block, n);
	if (!b)
		expected(r, "the number of a block of this function");
	return (MirBlockId){b ? (u32)*b : 0};
}

/* ---- operands ---- */

static i64 offset(Reader *r)
{
	u32 back = r->at;
	blanks(r);
	bool minus = peek(r) == '-';
	if ((peek(r) == '+' || minus) && r->at + 1 < r->text.n && r->text.p[r->at + 1] == ' ') {
		r->at++;
		blanks(r);
		u64 n = number(r);
		return minus ? (i64)(0 - n) : (i64)n;
	}
	r->at = back;
	return 0;
}

static bool fp_operand(Reader *r, MirOp *o)
{
	static const struct {
		const char *word;
		MirFpType   type;
	} types[] = {{"half", MIR_FP16}, {"bfloat", MIR_FP_BF16}, {"float", MIR_FP32}, {"double", MIR_FP64}};
	for (u32 k = 0; k < PS_COUNT(types); k++) {
		if (!eat_word(r, types[k].word))
			continue;
		blanks(r);
		if (peek(r) != '0' || r->at + 1 >= r->text.n)
			expected(r, "0f, 0d or 0x and the bits of the constant");
		r->at += 2;
		*o = (MirOp){.kind = MO_FPIMM, .type = (u8)types[k].type};
		o->imm = (i64)hex(r);
		return true;
	}
	return false;
}

/* %bb.1  %stack.0 + 4  %jump-table.0  %proto.0; false: a register. */
static bool percent_operand(Reader *r, MirOp *o)
{
	static const struct {
		const char *prefix;
		MirOpKind   kind;
	} forms[] = {{"bb.", MO_BLOCK}, {"stack.", MO_FRAME}, {"jump-table.", MO_JUMP_TABLE}, {"proto.", MO_PROTO}};
	for (u32 k = 0; k < PS_COUNT(forms); k++) {
		u32 n = (u32)strlen(forms[k].prefix);
		if (r->text.n - r->at < n || memcmp(r->text.p + r->at, forms[k].prefix, n) != 0)
			continue;
		r->at += n;
		u64 v = number(r);
		*o = (MirOp){.kind = (u8)forms[k].kind, .ref = (u32)v};
		if (o->kind == MO_BLOCK)
			o->ref = block_number(r, v).i;
		if (peek(r) == '.') /* %stack.0.name, %bb.1.name */
			word(r);
		if (o->kind == MO_FRAME)
			o->imm = offset(r);
		return true;
	}
	return false;
}

static u32 reg_marks(Reader *r)
{
	static const struct {
		const char *word;
		u32         flags;
	} marks[] = {
		{"implicit-def", MOF_IMPLICIT | MOF_DEF}, {"implicit", MOF_IMPLICIT}, {"def", MOF_DEF}, {"dead", MOF_DEAD},
		{"killed", MOF_KILL}, {"undef", MOF_UNDEF}, {"not", MOF_NOT}, {"early-clobber", MOF_EARLY_CLOBBER},
	};
	u32 flags = 0;
	for (bool again = true; again;) {
		again = false;
		for (u32 k = 0; k < PS_COUNT(marks); k++)
			if (eat_word(r, marks[k].word)) {
				flags |= marks[k].flags;
				again = true;
			}
	}
	return flags;
}

/* Adds one operand; *tied is 1 + the number of the result it is tied to. */
static void operand(Reader *r, MirInstId i, u32 *tied)
{
	MirOp o = {0};
	*tied = 0;
	bool generic = eat_word(r, "generic");
	u32  marks = reg_marks(r);
	blanks(r);
	char c = peek(r);
	if (c == '%' || (c == '$')) {
		if (c == '%')
			r->at++;
		if (c == '$' || !percent_operand(r, &o))
			o = (MirOp){.kind = MO_REG, .ref = reg(r).i, .flags = (u16)marks};
		if (eat_word(r, "(tied-def")) {
			blanks(r);
			*tied = (u32)number(r) + 1;
			want(r, ')');
		}
	} else if (c == '@' || c == '&') {
		r->at++;
		Str n = name(r);
		o = (MirOp){.kind = c == '@' ? MO_GLOBAL : MO_SYMBOL, .ref = intern(r, n).i};
		o.imm = offset(r);
	} else if (c == '"') {
		o = (MirOp){.kind = MO_TEXT, .ref = strtab_add(&r->s->strs, quoted(r)).i};
	} else if (c == '-' || is_digit(c)) {
		bool minus = c == '-';
		r->at += minus;
		u64 v = number(r);
		o = (MirOp){.kind = MO_IMM, .imm = minus ? (i64)(0 - v) : (i64)v};
	} else if (!eat_word(r, "_") && !fp_operand(r, &o)) {
		expected(r, "an operand");
	}
	if (generic)
		o.flags |= MOF_GENERIC;
	if (!r->bad)
		mir_add_op(r->f, i, o);
}

/* ---- memory ---- */

static void mem_value(Reader *r, MirMem *m)
{
	blanks(r);
	if (eat(r, '@')) {
		Str   n = name(r);
		IrRef g = r->m->ir ? ir_find_global(r->m->ir, n) : IR_NO_REF;
		if (ir_is_none(g))
			unknown(r, "global", n);
		m->value = g.i;
	} else if (eat_word(r, "unknown-address")) {
		return;
	} else {
		want(r, '%');
		if (!r->bad && str_starts((Str){r->text.p + r->at, r->text.n - r->at}, "ir.")) {
			r->at += 3;
			Str  n = name(r);
			u64 *v = map_get(&r->ir_value, strtab_add(&r->s->strs, n).i);
			if (!v)
				unknown(r, "IR value", n);
			else
				m->value = (u32)*v;
		} else {
			word(r);
		}
	}
	m->offset = offset(r);
}

static u32 scope_number(Reader *r, Str n)
{
	const IrModule *ir = r->m->ir;
	for (u32 k = 0; ir && k < ir->scopes.n; k++)
		if (str_eq(ir_str(ir, (StrId){ir->scopes.p[k]}), n))
			return k;
	unknown(r, "synchronisation scope", n);
	return 0;
}

static void mem_marks(Reader *r, MirMem *m)
{
	static const struct {
		const char *word;
		u8          flag, ordering;
	} marks[] = {
		{"volatile", MMF_VOLATILE, 0}, {"non-temporal", MMF_NON_TEMPORAL, 0}, {"dereferenceable", MMF_DEREFERENCEABLE, 0},
		{"invariant", MMF_INVARIANT, 0}, {"load", MMF_LOAD, 0}, {"store", MMF_STORE, 0}, {"unordered", 0, MIR_UNORDERED},
		{"monotonic", 0, MIR_MONOTONIC}, {"acquire", 0, MIR_ACQUIRE}, {"release", 0, MIR_RELEASE},
		{"acq_rel", 0, MIR_ACQ_REL}, {"seq_cst", 0, MIR_SEQ_CST},
	};
	for (bool again = true; again && !r->bad;) {
		again = false;
		for (u32 k = 0; k < PS_COUNT(marks); k++)
			if (eat_word(r, marks[k].word)) {
				m->flags |= marks[k].flag;
				if (marks[k].ordering)
					m->ordering = marks[k].ordering;
				again = true;
			}
		if (eat_word(r, "syncscope")) {
			want(r, '(');
			m->scope = (u8)scope_number(r, name(r));
			want(r, ')');
			again = true;
		}
	}
}

static void memory(Reader *r, MirInstId i)
{
	MirMem m = {0};
	want(r, '(');
	mem_marks(r, &m);
	if (eat_word(r, "unknown-size")) {
		m.size = 0;
	} else {
		want(r, '(');
		if (peek(r) == 's' || peek(r) == 'p')
			r->at++;
		m.size = (u32)(number(r) / 8);
		want(r, ')');
		m.align_log2 = m.size ? (u8)u64_log2(m.size) : 0;
	}
	if (eat_word(r, "from") || eat_word(r, "into") || eat_word(r, "on"))
		mem_value(r, &m);
	while (!r->bad && eat(r, ',')) {
		if (eat_word(r, "align")) {
			blanks(r);
			u64 n = number(r);
			m.align_log2 = n ? (u8)u64_log2(n) : 0;
		} else if (eat_word(r, "addrspace")) {
			blanks(r);
			m.space = (u16)number(r);
		} else {
			expected(r, "align or addrspace");
		}
	}
	want(r, ')');
	if (!r->bad)
		mir_add_mem(r->f, i, m);
}

/* ---- instructions ---- */

static bool starts_results(const Reader *r)
{
	static const char *const words[] = {"dead ", "undef ", "early-clobber ", "def "};
	if (peek(r) == '%' || peek(r) == '$')
		return true;
	for (u32 k = 0; k < PS_COUNT(words); k++)
		if (str_starts((Str){r->text.p + r->at, r->text.n - r->at}, words[k]))
			return true;
	return false;
}

static u32 inst_flags(Reader *r)
{
	static const char *const names[] = {
		"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "nuw", "nsw", "exact", "disjoint",
		"nneg", "frame-setup", "no-duplicate", "side-effects", "no-unroll",
	};
	u32 flags = 0;
	for (u32 k = 0; k < PS_COUNT(names);) {
		if (eat_word(r, names[k])) {
			flags |= 1u << k;
			k = 0;
		} else {
			k++;
		}
	}
	return flags;
}

static bool line_ends(Reader *r)
{
	blanks(r);
	return peek(r) == '\n' || peek(r) == 0 || peek(r) == ';';
}

static void operands(Reader *r, MirInstId i)
{
	u32 tied;
	for (bool more = !line_ends(r) && peek(r) != ':'; more && !r->bad; more = eat(r, ',')) {
		operand(r, i, &tied);
		if (tied && !r->bad) {
			u32 n = mir_inst(r->f, i)->n_ops - 1u;
			if (tied > n)
				expected(r, "the number of a result");
			else
				mir_op_tie(r->f, i, tied - 1, n);
		}
	}
}

static void results(Reader *r, MirInstId i)
{
	do {
		u32 marks = reg_marks(r) | MOF_DEF;
		blanks(r);
		if (peek(r) == '%')
			r->at++;
		else if (peek(r) != '$')
			expected(r, "a register");
		MirReg d = r->bad ? (MirReg){0} : reg(r);
		if (!r->bad)
			mir_add_reg(r->f, i, d, marks);
	} while (!r->bad && eat(r, ','));
	want(r, '=');
}

static void instruction(Reader *r, MirBlockId b)
{
	if (!b.i) {
		expected(r, "a block: bb.0:");
		return;
	}
	MirInstId i = mir_build(r->f, b, (MirInstId){0}, ISA_KILL);
	mir_inst(r->f, i)->origin = r->line;
	if (starts_results(r))
		results(r, i);
	u32 flags = r->bad ? 0 : inst_flags(r);
	blanks(r);
	Str op = r->bad ? STR("") : word(r);
	u32 desc = op.n ? isa_desc_by_name(r->s, op) : 0;
	if (!desc)
		unknown(r, "instruction", op);
	mir_inst(r->f, i)->flags = (u16)flags;
	mir_set_desc(r->f, i, desc);
	if (!r->bad)
		operands(r, i);
	if (!r->bad && eat(r, ':')) {
		want(r, ':');
		memory(r, i);
	}
	if (!r->bad && !line_ends(r))
		expected(r, "the end of the line");
	if (r->bad)
		mir_erase(r->f, i);
}

/* ---- blocks ---- */

static bool at_block(const Reader *r)
{
	return r->at + 3 < r->text.n && memcmp(r->text.p + r->at, "bb.", 3) == 0 && is_digit(r->text.p[r->at + 3]);
}

/* `bb.2.name (address-taken):` */
static MirBlockId block_head(Reader *r, bool create)
{
	r->at += 3;
	u64   n = number(r);
	StrId label = {0};
	if (peek(r) == '.') {
		r->at++;
		label = intern(r, name(r));
	}
	blanks(r);
	bool taken = false;
	if (eat(r, '(')) {
		u32 start = r->at;
		while (peek(r) && peek(r) != ')' && peek(r) != '\n')
			r->at++;
		Str inside = {r->text.p + start, r->at - start};
		taken = str_is(inside, "address-taken");
		want(r, ')');
	}
	want(r, ':');
	if (!create || r->bad)
		return block_number(r, n);
	if (map_get(&r->block, n))
		expected(r, "a number that no other block of the function has");
	MirBlockId b = mir_block_new(r->f, label, ~0u);
	mir_block(r->f, b)->number = (u32)n;
	mir_block(r->f, b)->address_taken = taken;
	map_set(&r->block, n, b.i);
	r->f->n_numbers = PS_MAX(r->f->n_numbers, (u32)n + 1);
	return b;
}

/* IR block of the same name, so that what the IR says of it (loop hints) is found. */
static void link_ir_blocks(Reader *r)
{
	if (!r->irf)
		return;
	mir_each_block(r->f, b)
		ir_each_block(r->m->ir, r->irf, ib)
			if (mir_block(r->f, b)->name.i && ir_block(r->m->ir, ib)->name.i == mir_block(r->f, b)->name.i)
				mir_block(r->f, b)->ir = ir_index(ib);
}

static void successors(Reader *r, MirBlockId b)
{
	want(r, ':');
	do {
		blanks(r);
		MirOp o = {0};
		if (!eat(r, '%') || !percent_operand(r, &o) || o.kind != MO_BLOCK) {
			expected(r, "a block");
			return;
		}
		u32 prob = MIR_PROB_UNKNOWN;
		if (eat(r, '(')) {
			r->at += eat_word(r, "0x") ? 0 : str_starts((Str){r->text.p + r->at, r->text.n - r->at}, "0x") ? 2 : 0;
			prob = (u32)hex(r);
			want(r, ')');
		}
		if (!r->bad && b.i)
			mir_edge_add(r->f, b, (MirBlockId){o.ref}, prob);
	} while (!r->bad && eat(r, ','));
}

static bool document_ends(const Reader *r)
{
	Str rest = {r->text.p + r->at, r->text.n - r->at};
	return r->at >= r->text.n || str_starts(rest, "...") || str_starts(rest, "---");
}

static void body_line(Reader *r, MirBlockId *b, bool create)
{
	if (line_ends(r) || peek(r) == '#')
		return;
	if (at_block(r))
		*b = block_head(r, create);
	else if (create)
		return;
	else if (eat_word(r, "successors"))
		successors(r, *b);
	else if (!eat_word(r, "liveins"))
		instruction(r, *b);
}

/* Twice over the body: first the blocks, which branches may name before they come. */
static void body(Reader *r)
{
	skip_line(r);
	Reader start = *r;
	for (u32 pass = 0; pass < 2; pass++) {
		MirBlockId b = {0};
		r->at = start.at;
		r->line = start.line;
		r->line_start = start.line_start;
		while (!document_ends(r)) {
			body_line(r, &b, pass == 0);
			skip_line(r);
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
static u32 flow_map(Reader *r, Field *field, u32 cap)
{
	u32 n = 0;
	want(r, '{');
	for (space(r); !r->bad && peek(r) && peek(r) != '}'; space(r)) {
		Field f = {.key = name(r)};
		want(r, ':');
		space(r);
		if (peek(r) == '\'' || peek(r) == '"') {
			f.value = quoted(r);
		} else {
			u32  start = r->at, depth = 0;
			char c;
			while ((c = peek(r)) != 0 && (depth || (c != ',' && c != '}' && c != '\n'))) {
				depth += c == '[';
				depth -= c == ']' && depth;
				next_char(r);
			}
			f.value = (Str){r->text.p + start, r->at - start};
			while (f.value.n && f.value.p[f.value.n - 1] == ' ')
				f.value.n--;
		}
		if (n < cap)
			field[n++] = f;
		space(r);
		if (peek(r) == ',')
			next_char(r);
	}
	want(r, '}');
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
	u64 v = 0;
	for (u32 k = 0; k < s.n && is_digit(s.p[k]); k++)
		v = v * 10 + (u64)(s.p[k] - '0');
	return v;
}

static void one_register(Reader *r, const Field *f, u32 n)
{
	MirReg   v = reg_number(r, to_number(field_value(f, n, "id")));
	MirClass c = mir_class_find(field_value(f, n, "class"));
	Str      name_ = field_value(f, n, "name");
	if (!c)
		unknown(r, "register class", field_value(f, n, "class"));
	else if (v.i)
		mir_vreg(r->f, v)->cls = (u8)c;
	if (name_.n && v.i) {
		mir_vreg(r->f, v)->name = intern(r, name_);
		map_set(&r->reg_name, mir_vreg(r->f, v)->name.i, v.i);
	}
}

static void one_object(Reader *r, const Field *f, u32 n)
{
	static const char *const category[] = {"default", "spill-slot", "fixed", "variable-sized"};
	MirFrameCategory         c = MIR_FRAME_LOCAL;
	u64                      align = to_number(field_value(f, n, "alignment"));
	for (u32 k = 0; k < PS_COUNT(category); k++)
		if (str_is(field_value(f, n, "type"), category[k]))
			c = (MirFrameCategory)k;
	u32 o = mir_frame_new(r->f, intern(r, field_value(f, n, "name")), to_number(field_value(f, n, "size")),
	                      align ? u64_log2(align) : 0, c);
	r->f->frame.p[o].offset = (i64)to_number(field_value(f, n, "offset"));
	r->f->frame.p[o].is_dead = str_is(field_value(f, n, "dead"), "true");
}

static void one_table(Reader *r, const Field *f, u32 n)
{
	u32 t = mir_jump_table_new(r->f);
	Str list = field_value(f, n, "blocks");
	for (u32 k = 0; k + 3 < list.n; k++)
		if (memcmp(list.p + k, "bb.", 3) == 0) {
			Str digits = {list.p + k + 3, list.n - k - 3};
			vec_push(&r->scratch, &r->table, ((TableEntry){t, (u32)to_number(digits), r->line}));
		}
}

typedef void (*ItemReader)(Reader *r, const Field *f, u32 n);

static void one_prototype(Reader *r, const Field *f, u32 n)
{
	vec_push(r->f->arena, &r->f->proto, intern(r, field_value(f, n, "text")).i);
}

/* The lines `- { … }` that follow. */
static void items(Reader *r, ItemReader read)
{
	for (;;) {
		u32 back = r->at, line = r->line, start = r->line_start;
		space(r);
		if (peek(r) != '-' || r->at + 1 >= r->text.n || r->text.p[r->at + 1] != ' ') {
			r->at = back;
			r->line = line;
			r->line_start = start;
			return;
		}
		r->at++;
		blanks(r);
		Field field[24];
		u32   n = flow_map(r, field, PS_COUNT(field));
		if (!r->bad)
			read(r, field, n);
		skip_line(r);
	}
}

static void property(Reader *r, u32 prop)
{
	if (eat_word(r, "true"))
		r->f->props |= prop;
	else
		r->f->props &= ~prop;
}

static void key(Reader *r, Str k)
{
	blanks(r);
	if (str_is(k, "isSSA"))
		property(r, MP_SSA);
	else if (str_is(k, "noPhis"))
		property(r, MP_NO_PHIS);
	else if (str_is(k, "tracksRegLiveness"))
		property(r, MP_LIVENESS);
	else if (str_is(k, "isAllocated"))
		property(r, MP_ALLOCATED);
	else if (str_is(k, "kernel"))
		r->f->is_kernel = eat_word(r, "true");
	else if (str_is(k, "stackSize"))
		r->f->frame_size = number(r);
	else if (str_is(k, "maxAlignment"))
		r->f->frame_align_log2 = (u32)u64_log2(PS_MAX(number(r), 1));
}

static void head_line(Reader *r)
{
	static const struct {
		const char *key;
		ItemReader  read;
	} lists[] = {{"registers", one_register}, {"stack", one_object}, {"entries", one_table}, {"prototypes", one_prototype}};
	blanks(r);
	if (line_ends(r) || peek(r) == '#') {
		skip_line(r);
		return;
	}
	Str k = word(r);
	want(r, ':');
	for (u32 n = 0; n < PS_COUNT(lists); n++)
		if (!r->bad && str_is(k, lists[n].key)) {
			skip_line(r);
			items(r, lists[n].read);
			return;
		}
	if (!r->bad)
		key(r, k);
	skip_line(r);
}

static void remember_ir_values(Reader *r)
{
	IrModule *m = r->m->ir;
	map_init(&r->ir_value, &r->scratch, &map_default);
	for (u32 k = 0; r->irf && k < r->irf->n_args; k++)
		map_set(&r->ir_value, ir_name(m, ir_func_arg(r->irf, k)).i, ir_func_arg(r->irf, k).i);
	if (r->irf)
		ir_each_block(m, r->irf, b)
			ir_each_inst(m, b, i)
				if (ir_name(m, i).i)
					map_set(&r->ir_value, ir_name(m, i).i, i.i);
}

static void resolve_tables(Reader *r)
{
	for (u32 k = 0; k < r->table.n; k++) {
		u64 *b = map_get(&r->block, r->table.p[k].block);
		if (b)
			vec_push(r->f->arena, &r->f->jump_table.p[r->table.p[k].table].block, (u32)*b);
		else
			diag_report(&r->s->diags, DIAG_MIR_EXPECTED, src_at(r->table.p[k].line, 1), "the number of a block of this function");
	}
	r->table.n = 0;
}

/* Registers between those that are used need a class to be printed; any will do. */
static void class_the_unused(Reader *r)
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
static void invent_ir(Reader *r, StrId fn)
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

static void function(Reader *r)
{
	skip_line(r);
	while (!document_ends(r) && (line_ends(r) || peek(r) == '#'))
		skip_line(r);
	if (!eat_word(r, "name")) {
		expected(r, "name:");
		skip_line(r);
		return;
	}
	want(r, ':');
	StrId n = intern(r, name(r));
	skip_line(r);
	r->f = mir_func_new(r->m, n, 0);
	r->f->props = 0;
	IrRef g = ir_find_global(r->m->ir, strtab_get(&r->s->strs, n));
	r->irf = ir_is_none(g) ? NULL : ir_func(r->m->ir, g);
	r->f->ir = r->irf ? ir_index(r->irf->ref) : 0;
	map_init(&r->block, &r->scratch, &map_default);
	map_init(&r->reg_name, &r->scratch, &map_default);
	remember_ir_values(r);
	while (!document_ends(r)) {
		blanks(r);
		if (eat_word(r, "body")) {
			body(r);
			break;
		}
		head_line(r);
	}
	resolve_tables(r);
	class_the_unused(r);
	if (!r->irf)
		invent_ir(r, n);
}

/* ---- the module ---- */

/* The IR part, its indentation taken off, on the lines it has in the whole file. */
static IrModule *ir_part(Reader *r)
{
	Text t;
	text_init(&t, &r->s->arena);
	skip_line(r);
	for (u32 k = 1; k < r->line; k++)
		text_c(&t, '\n');
	while (!document_ends(r)) {
		u32 start = r->at;
		while (peek(r) == ' ' && r->at < start + 2)
			r->at++;
		start = r->at;
		while (r->at < r->text.n && peek(r) != '\n')
			r->at++;
		text_add(&t, (Str){r->text.p + start, r->at - start});
		text_c(&t, '\n');
		skip_line(r);
	}
	return ir_parse(r->s, text_str(&t));
}

static void documents(Reader *r)
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
		} else if (str_starts(rest, "...") || line_ends(r) || peek(r) == '#') {
			skip_line(r);
		} else {
			expected(r, "a document: ---");
			skip_line(r);
		}
	}
}

MirModule *mir_parse(Session *s, Str text, struct IrModule **ir)
{
	u32    before = s->diags.errors;
	Reader r = {.s = s, .text = text, .line = 1};
	arena_init(&r.scratch, &s->budget);
	r.m = mir_module_new(s, ir_module_new(s), &s->arena);
	documents(&r);
	arena_free(&r.scratch);
	*ir = r.m->ir;
	return s->diags.errors == before && !r.errors ? r.m : NULL;
}
