/* parse_inst.c: the words, operands and instructions of MIR text. */
#include "mir/parse.h"

/* ---- characters and words ---- */

void mr_next_char(MirReader *r)
{
	if (r->text.p[r->at++] == '\n') {
		r->line++;
		r->line_start = r->at;
	}
}

SrcRange mr_here(const MirReader *r) { return src_at(r->line, r->at - r->line_start + 1); }

void mr_expected(MirReader *r, const char *what)
{
	if (r->bad)
		return;
	r->bad = true;
	r->errors++;
	diag_report(&r->s->diags, DIAG_MIR_EXPECTED, mr_here(r), what);
}

void mr_unknown(MirReader *r, const char *what, Str name)
{
	if (r->bad)
		return;
	r->bad = true;
	r->errors++;
	SrcRange at = mr_here(r);
	if (name.p > r->text.p + r->line_start && name.p <= r->text.p + r->at) {
		at.col = (u32)(name.p - r->text.p) - r->line_start + 1;
		at.end_col = at.col + name.n;
	}
	diag_report(&r->s->diags, DIAG_MIR_UNKNOWN, at, what, STR_ARG(name));
}

void mr_blanks(MirReader *r)
{
	while (mr_peek(r) == ' ' || mr_peek(r) == '\t' || mr_peek(r) == '\r')
		r->at++;
}

/* Blanks and newlines: inside braces a line may end anywhere. */
void mr_space(MirReader *r)
{
	while (mr_peek(r) == ' ' || mr_peek(r) == '\t' || mr_peek(r) == '\r' || mr_peek(r) == '\n')
		mr_next_char(r);
}

void mr_skip_line(MirReader *r)
{
	while (r->at < r->text.n && mr_peek(r) != '\n')
		r->at++;
	if (r->at < r->text.n)
		mr_next_char(r);
	r->bad = false;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || mr_is_digit(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

bool mr_eat(MirReader *r, char c)
{
	mr_blanks(r);
	if (mr_peek(r) != c)
		return false;
	mr_next_char(r);
	return true;
}

void mr_want(MirReader *r, char c)
{
	char what[] = {'\'', c, '\'', 0};
	if (!mr_eat(r, c))
		mr_expected(r, what);
}

Str mr_word(MirReader *r)
{
	u32 start = r->at;
	while (is_word(mr_peek(r)))
		r->at++;
	return (Str){r->text.p + start, r->at - start};
}

bool mr_eat_word(MirReader *r, const char *w)
{
	mr_blanks(r);
	u32 n = (u32)strlen(w);
	if (r->text.n - r->at < n || memcmp(r->text.p + r->at, w, n) != 0 ||
	    (r->at + n < r->text.n && is_word(r->text.p[r->at + n])))
		return false;
	r->at += n;
	return true;
}

u64 mr_number(MirReader *r)
{
	u64 v = 0;
	if (!mr_is_digit(mr_peek(r)))
		mr_expected(r, "a number");
	while (mr_is_digit(mr_peek(r)))
		v = v * 10 + (u64)(r->text.p[r->at++] - '0');
	return v;
}

static u32 hex_digit(char c)
{
	return mr_is_digit(c)         ? (u32)(c - '0')
	       : c >= 'a' && c <= 'f' ? (u32)(c - 'a' + 10)
	       : c >= 'A' && c <= 'F' ? (u32)(c - 'A' + 10)
	                              : 99;
}

u64 mr_hex(MirReader *r)
{
	u64 v = 0;
	if (hex_digit(mr_peek(r)) > 15)
		mr_expected(r, "a hexadecimal number");
	while (hex_digit(mr_peek(r)) < 16)
		v = v << 4 | hex_digit(r->text.p[r->at++]);
	return v;
}

/* "…" with \XX; '…' as it is. */
Str mr_quoted(MirReader *r)
{
	char quote = mr_peek(r);
	Text t;
	text_init(&t, &r->scratch);
	r->at++;
	while (r->at < r->text.n && mr_peek(r) != quote && mr_peek(r) != '\n') {
		char c = r->text.p[r->at++];
		if (c == '\\' && quote == '"' && r->at + 1 < r->text.n && hex_digit(r->text.p[r->at]) < 16 &&
		    hex_digit(r->text.p[r->at + 1]) < 16) {
			c = (char)(hex_digit(r->text.p[r->at]) << 4 | hex_digit(r->text.p[r->at + 1]));
			r->at += 2;
		}
		text_c(&t, c);
	}
	if (mr_peek(r) != quote)
		mr_expected(r, "the closing quote");
	else
		r->at++;
	return text_str(&t);
}

Str mr_name(MirReader *r)
{
	mr_blanks(r);
	if (mr_peek(r) == '"' || mr_peek(r) == '\'')
		return mr_quoted(r);
	Str w = mr_word(r);
	if (!w.n)
		mr_expected(r, "a name");
	return w;
}

StrId mr_intern(MirReader *r, Str s) { return s.n ? strtab_add(&r->s->strs, s) : (StrId){0}; }

/* ---- registers and blocks ---- */

MirReg mr_reg_number(MirReader *r, u64 n)
{
	if (n >= 1u << 24) {
		mr_expected(r, "a register number below 2^24");
		return (MirReg){0};
	}
	while (r->f->vreg.n <= n + 1)
		mir_reg_new(r->f, MIR_NO_CLASS);
	return (MirReg){(u32)n + 1};
}

static MirReg reg_named(MirReader *r, Str s)
{
	StrId id = mr_intern(r, s);
	u64  *known = map_get(&r->reg_name, id.i);
	if (known)
		return (MirReg){(u32)*known};
	MirReg reg = mir_reg_new(r->f, MIR_NO_CLASS);
	mir_reg_set_name(r->f, reg, id);
	map_set(&r->reg_name, id.i, reg.i);
	return reg;
}

static MirClass class_name(MirReader *r)
{
	Str      w = mr_name(r);
	MirClass c = (MirClass)isa_class_find(w);
	if (!c)
		mr_unknown(r, "register class", w);
	return c;
}

/* Behind the `%` or at the `$`. */
static MirReg reg(MirReader *r)
{
	if (mr_peek(r) == '$') {
		Str w = mr_word(r);
		for (u32 p = 0; p < MIR_PHYS_COUNT; p++)
			if (str_is(w, mir_phys_info[p].name))
				return mir_phys((MirPhys)p);
		mr_unknown(r, "physical register", w);
		return (MirReg){0};
	}
	MirReg v = mr_is_digit(mr_peek(r)) ? mr_reg_number(r, mr_number(r)) : reg_named(r, mr_name(r));
	if (!r->bad && mr_peek(r) == ':' && r->at + 1 < r->text.n && r->text.p[r->at + 1] != ':') {
		r->at++;
		MirClass c = class_name(r);
		if (c)
			mir_reg_set_class(r->f, v, c);
	}
	return v;
}

MirBlockId mr_block_number(MirReader *r, u64 n)
{
	u64 *b = map_get(&r->block, n);
	if (!b)
		mr_expected(r, "the number of a block of this function");
	return (MirBlockId){b ? (u32)*b : 0};
}

/* ---- operands ---- */

static i64 offset(MirReader *r)
{
	u32 back = r->at;
	mr_blanks(r);
	bool minus = mr_peek(r) == '-';
	if ((mr_peek(r) == '+' || minus) && r->at + 1 < r->text.n && r->text.p[r->at + 1] == ' ') {
		r->at++;
		mr_blanks(r);
		u64 n = mr_number(r);
		return minus ? (i64)(0 - n) : (i64)n;
	}
	r->at = back;
	return 0;
}

static bool fp_operand(MirReader *r, MirOp *o)
{
	static const struct {
		const char *word;
		MirFpType   type;
	} types[] = {{"half", MIR_FP16}, {"bfloat", MIR_FP_BF16}, {"float", MIR_FP32}, {"double", MIR_FP64}};
	for (u32 k = 0; k < PS_COUNT(types); k++) {
		if (!mr_eat_word(r, types[k].word))
			continue;
		mr_blanks(r);
		if (mr_peek(r) != '0' || r->at + 1 >= r->text.n)
			mr_expected(r, "0f, 0d or 0x and the bits of the constant");
		r->at += 2;
		*o = (MirOp){.kind = MO_FPIMM, .type = (u8)types[k].type};
		o->imm = (i64)mr_hex(r);
		return true;
	}
	return false;
}

/* %bb.1  %stack.0 + 4  %jump-table.0  %proto.0; false: a register. */
bool mr_percent_operand(MirReader *r, MirOp *o)
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
		u64 v = mr_number(r);
		*o = (MirOp){.kind = (u8)forms[k].kind, .ref = (u32)v};
		if (o->kind == MO_BLOCK)
			o->ref = mr_block_number(r, v).i;
		if (mr_peek(r) == '.') /* %stack.0.name, %bb.1.name */
			mr_word(r);
		if (o->kind == MO_FRAME)
			o->imm = offset(r);
		return true;
	}
	return false;
}

static u32 reg_marks(MirReader *r)
{
	static const struct {
		const char *word;
		u32         flags;
	} marks[] = {
		{"implicit-def", MOF_IMPLICIT | MOF_DEF},
		{"implicit", MOF_IMPLICIT},
		{"def", MOF_DEF},
		{"dead", MOF_DEAD},
		{"killed", MOF_KILL},
		{"undef", MOF_UNDEF},
		{"not", MOF_NOT},
		{"early-clobber", MOF_EARLY_CLOBBER},
	};
	u32 flags = 0;
	for (bool again = true; again;) {
		again = false;
		for (u32 k = 0; k < PS_COUNT(marks); k++)
			if (mr_eat_word(r, marks[k].word)) {
				flags |= marks[k].flags;
				again = true;
			}
	}
	return flags;
}

/* Adds one operand; *tied is 1 + the number of the result it is tied to. */
static void operand(MirReader *r, MirInstId i, u32 *tied)
{
	MirOp o = {0};
	*tied = 0;
	bool generic = mr_eat_word(r, "generic");
	u32  marks = reg_marks(r);
	mr_blanks(r);
	char c = mr_peek(r);
	if (c == '%' || (c == '$')) {
		if (c == '%')
			r->at++;
		if (c == '$' || !mr_percent_operand(r, &o))
			o = (MirOp){.kind = MO_REG, .ref = reg(r).i, .flags = (u16)marks};
		if (mr_eat_word(r, "(tied-def")) {
			mr_blanks(r);
			*tied = (u32)mr_number(r) + 1;
			mr_want(r, ')');
		}
	} else if (c == '@' || c == '&') {
		r->at++;
		Str n = mr_name(r);
		o = (MirOp){.kind = c == '@' ? MO_GLOBAL : MO_SYMBOL, .ref = mr_intern(r, n).i};
		o.imm = offset(r);
	} else if (c == '"') {
		o = (MirOp){.kind = MO_TEXT, .ref = strtab_add(&r->s->strs, mr_quoted(r)).i};
	} else if (c == '-' || mr_is_digit(c)) {
		bool minus = c == '-';
		r->at += minus;
		u64 v = mr_number(r);
		o = (MirOp){.kind = MO_IMM, .imm = minus ? (i64)(0 - v) : (i64)v};
	} else if (!mr_eat_word(r, "_") && !fp_operand(r, &o)) {
		mr_expected(r, "an operand");
	}
	if (generic)
		o.flags |= MOF_GENERIC;
	if (!r->bad)
		mir_add_op(r->f, i, o);
}

/* ---- memory ---- */

static void mem_value(MirReader *r, MirMem *m)
{
	mr_blanks(r);
	if (mr_eat(r, '@')) {
		Str   n = mr_name(r);
		IrRef g = r->m->ir ? ir_find_global(r->m->ir, n) : IR_NO_REF;
		if (ir_is_none(g))
			mr_unknown(r, "global", n);
		m->value = g.i;
	} else if (mr_eat_word(r, "unknown-address")) {
		return;
	} else {
		mr_want(r, '%');
		if (!r->bad && str_starts((Str){r->text.p + r->at, r->text.n - r->at}, "ir.")) {
			r->at += 3;
			Str  n = mr_name(r);
			u64 *v = map_get(&r->ir_value, strtab_add(&r->s->strs, n).i);
			if (!v)
				mr_unknown(r, "IR value", n);
			else
				m->value = (u32)*v;
		} else {
			mr_word(r);
		}
	}
	m->offset = offset(r);
}

static u32 scope_number(MirReader *r, Str n)
{
	const IrModule *ir = r->m->ir;
	for (u32 k = 0; ir && k < ir->scopes.n; k++)
		if (str_eq(ir_str(ir, (StrId){ir->scopes.p[k]}), n))
			return k;
	mr_unknown(r, "synchronisation scope", n);
	return 0;
}

static void mem_marks(MirReader *r, MirMem *m)
{
	static const struct {
		const char *word;
		u8          flag, ordering;
	} marks[] = {
		{"volatile", MMF_VOLATILE, 0},
		{"non-temporal", MMF_NON_TEMPORAL, 0},
		{"dereferenceable", MMF_DEREFERENCEABLE, 0},
		{"invariant", MMF_INVARIANT, 0},
		{"load", MMF_LOAD, 0},
		{"store", MMF_STORE, 0},
		{"unordered", 0, MIR_UNORDERED},
		{"monotonic", 0, MIR_MONOTONIC},
		{"acquire", 0, MIR_ACQUIRE},
		{"release", 0, MIR_RELEASE},
		{"acq_rel", 0, MIR_ACQ_REL},
		{"seq_cst", 0, MIR_SEQ_CST},
	};
	for (bool again = true; again && !r->bad;) {
		again = false;
		for (u32 k = 0; k < PS_COUNT(marks); k++)
			if (mr_eat_word(r, marks[k].word)) {
				m->flags |= marks[k].flag;
				if (marks[k].ordering)
					m->ordering = marks[k].ordering;
				again = true;
			}
		if (mr_eat_word(r, "syncscope")) {
			mr_want(r, '(');
			m->scope = (u8)scope_number(r, mr_name(r));
			mr_want(r, ')');
			again = true;
		}
	}
}

static void memory(MirReader *r, MirInstId i)
{
	MirMem m = {0};
	mr_want(r, '(');
	mem_marks(r, &m);
	if (mr_eat_word(r, "unknown-size")) {
		m.size = 0;
	} else {
		mr_want(r, '(');
		if (mr_peek(r) == 's' || mr_peek(r) == 'p')
			r->at++;
		m.size = (u32)(mr_number(r) / 8);
		mr_want(r, ')');
		m.align_log2 = m.size ? (u8)u64_log2(m.size) : 0;
	}
	if (mr_eat_word(r, "from") || mr_eat_word(r, "into") || mr_eat_word(r, "on"))
		mem_value(r, &m);
	while (!r->bad && mr_eat(r, ',')) {
		if (mr_eat_word(r, "align")) {
			mr_blanks(r);
			u64 n = mr_number(r);
			m.align_log2 = n ? (u8)u64_log2(n) : 0;
		} else if (mr_eat_word(r, "addrspace")) {
			mr_blanks(r);
			m.space = (u16)mr_number(r);
		} else {
			mr_expected(r, "align or addrspace");
		}
	}
	mr_want(r, ')');
	if (!r->bad)
		mir_add_mem(r->f, i, m);
}

/* ---- instructions ---- */

static bool starts_results(const MirReader *r)
{
	static const char *const words[] = {"dead ", "undef ", "early-clobber ", "def "};
	if (mr_peek(r) == '%' || mr_peek(r) == '$')
		return true;
	for (u32 k = 0; k < PS_COUNT(words); k++)
		if (str_starts((Str){r->text.p + r->at, r->text.n - r->at}, words[k]))
			return true;
	return false;
}

static u32 inst_flags(MirReader *r)
{
	static const char *const names[] = {
		"nnan", "ninf",  "nsz",      "arcp", "contract",    "afn",          "reassoc",      "nuw",
		"nsw",  "exact", "disjoint", "nneg", "frame-setup", "no-duplicate", "side-effects", "no-unroll",
	};
	u32 flags = 0;
	for (u32 k = 0; k < PS_COUNT(names);) {
		if (mr_eat_word(r, names[k])) {
			flags |= 1u << k;
			k = 0;
		} else {
			k++;
		}
	}
	return flags;
}

bool mr_line_ends(MirReader *r)
{
	mr_blanks(r);
	return mr_peek(r) == '\n' || mr_peek(r) == 0 || mr_peek(r) == ';';
}

static void operands(MirReader *r, MirInstId i)
{
	u32 tied;
	for (bool more = !mr_line_ends(r) && mr_peek(r) != ':'; more && !r->bad; more = mr_eat(r, ',')) {
		operand(r, i, &tied);
		if (tied && !r->bad) {
			u32 n = mir_inst(r->f, i)->n_ops - 1u;
			if (tied > n)
				mr_expected(r, "the number of a result");
			else
				mir_op_tie(r->f, i, tied - 1, n);
		}
	}
}

static void results(MirReader *r, MirInstId i)
{
	do {
		u32 marks = reg_marks(r) | MOF_DEF;
		mr_blanks(r);
		if (mr_peek(r) == '%')
			r->at++;
		else if (mr_peek(r) != '$')
			mr_expected(r, "a register");
		MirReg d = r->bad ? (MirReg){0} : reg(r);
		if (!r->bad)
			mir_add_reg(r->f, i, d, marks);
	} while (!r->bad && mr_eat(r, ','));
	mr_want(r, '=');
}

void mr_instruction(MirReader *r, MirBlockId b)
{
	if (!b.i) {
		mr_expected(r, "a block: bb.0:");
		return;
	}
	MirInstId i = mir_build(r->f, b, (MirInstId){0}, ISA_KILL);
	mir_inst(r->f, i)->origin = r->line;
	if (starts_results(r))
		results(r, i);
	u32 flags = r->bad ? 0 : inst_flags(r);
	mr_blanks(r);
	Str op = r->bad ? STR("") : mr_word(r);
	u32 desc = op.n ? isa_desc_by_name(r->s, op) : 0;
	if (!desc)
		mr_unknown(r, "instruction", op);
	mir_inst(r->f, i)->flags = (u16)flags;
	mir_set_desc(r->f, i, desc);
	if (!r->bad)
		operands(r, i);
	if (!r->bad && mr_eat(r, ':')) {
		mr_want(r, ':');
		memory(r, i);
	}
	if (!r->bad && !mr_line_ends(r))
		mr_expected(r, "the end of the line");
	if (r->bad)
		mir_erase(r->f, i);
}
