/* insn.c: the PTX reader's part for instructions. Operands are parsed as written and then matched with the flat operands
 * of the opcode. A mnemonic may have several rows and optional operands; they are tried in order until one fits. */
#include "ptx/reader.h"

enum { SHAPE = IOF_OPEN | IOF_CLOSE | IOF_PIPE | IOF_ADDR_OPEN | IOF_ADDR_CLOSE };

/* ---- names */

u32 ptx_reg_by_name(Reader *r, StrId name)
{
	Binding b = *ptx_bind_of(r, name.i);
	if (b.kind == BIND_REG)
		return b.value;
	if (b.kind)
		return 0;
	/* %r12 of the range %r<20> */
	Str s = strtab_get(&r->s->strs, name);
	u32 n = s.n, index = 0, power = 1;
	while (n && s.p[n - 1] >= '0' && s.p[n - 1] <= '9' && s.n - n < 9) {
		index += (u32)(s.p[--n] - '0') * power;
		power *= 10;
		StrId   range = strtab_find(&r->s->strs, (Str){s.p, n});
		Binding rb = range.i ? *ptx_bind_of(r, range.i) : (Binding){0};
		if (rb.kind != BIND_RANGE || (s.n - n > 1 && s.p[n] == '0'))
			continue;
		const PtxRegDecl *d = &r->f->regs.p[rb.value];
		if (index >= d->count)
			continue;
		ptx_bind_set(r, name.i, (Binding){BIND_REG, d->first + index});
		return d->first + index;
	}
	return 0;
}

/* %r1.b0, %r1.h1: a byte or half of an operand of a video instruction; spare: 1 to 6. */
static u32 part_by_name(Reader *r, Str s, PtxOperand *o)
{
	if (s.n < 4 || s.p[s.n - 3] != '.')
		return 0;
	char kind = s.p[s.n - 2];
	u32  part = (u32)(s.p[s.n - 1] - '0');
	if (!((kind == 'b' && part < 4) || (kind == 'h' && part < 2)))
		return 0;
	StrId base = strtab_add(&r->s->strs, (Str){s.p, s.n - 3}); /* perhaps named here for the first time */
	o->spare = (u16)(part + (kind == 'b' ? 1 : 5));
	return ptx_reg_by_name(r, base);
}

/* %v.x: a component of a vector register. */
static u32 component_by_name(Reader *r, Str s, u8 *flags)
{
	static const char xyzw[] = "xyzwrgba";
	if (s.n < 3 || s.p[s.n - 2] != '.')
		return 0;
	for (u32 i = 0; i < 8; i++)
		if (s.p[s.n - 1] == xyzw[i]) {
			StrId base = strtab_add(&r->s->strs, (Str){s.p, s.n - 2});
			u32   reg = ptx_reg_by_name(r, base);
			if (!reg || ptx_reg_decl(r->f, reg)->vec <= i % 4)
				return 0;
			*flags |= (u8)((i % 4 + 1) << 4);
			return reg;
		}
	return 0;
}

/* ---- operands as written */

static Written *add_written(Reader *r)
{
	if (r->n_written == READER_MAX_OPERANDS - 1) { /* the last one is overwritten; no instruction has so many */
		r->n_written--;
	}
	Written *w = &r->written[r->n_written++];
	*w = (Written){.at = ptx_lex_range(&r->t)};
	return w;
}

static bool read_constant(Reader *r, Written *w)
{
	ConstValue v;
	Tok        first = r->t;
	if (!ptx_const_expr(r, &v))
		return false;
	if (first.kind == T_INT && first.text.n > 2 && (first.text.p[1] | 0x20) == 'x' && r->before.text.p == first.text.p) {
		w->o.flags |= POF_HEX;
		w->o.spare = (u16)PS_MIN(first.text.n - 2, 16u);
	}
	w->o.kind = v.is_f32 ? PO_F32 : v.is_float ? PO_F64 : PO_INT;
	w->o.bits = v.bits;
	w->is_decimal = v.is_decimal;
	if (v.is_unsigned && v.bits > INT64_MAX)
		w->o.flags |= POF_UNSIGNED;
	return true;
}

static bool is_generic_of(const Reader *r)
{
	return r->t.kind == T_WORD && str_is(r->t.text, "generic") && r->p < r->end && *r->p == '(';
}

/* A register, symbol, constant, `_`; in front perhaps `!`. */
static Written *read_simple(Reader *r)
{
	Written *w = add_written(r);
	if (ptx_lex_take(r, '!'))
		w->o.flags |= POF_NEGATED;
	if (r->t.kind == T_WORD && str_is(r->t.text, "_")) {
		w->o.kind = PO_SINK;
		ptx_lex_next(r);
		return w;
	}
	if (ptx_const_starts(r)) {
		if (!read_constant(r, w))
			return NULL;
		if (w->o.flags & POF_NEGATED && w->o.kind == PO_INT) /* !5 is C's */
			w->o = (PtxOperand){.kind = PO_INT, .bits = w->o.bits == 0};
		return w;
	}
	bool generic = is_generic_of(r);
	if (generic) {
		w->o.flags |= POF_GENERIC;
		ptx_lex_next(r);
		ptx_lex_next(r);
	}
	if (r->t.kind != T_WORD && r->t.kind != T_DOT) {
		ptx_reader_unexpected(r, "an operand");
		return NULL;
	}
	w->at = ptx_lex_range(&r->t);
	w->name = ptx_reader_name(r, r->t.text).i;
	ptx_lex_next(r);
	return !generic || ptx_lex_expect(r, ')', "behind generic(symbol") ? w : NULL;
}

static bool read_vector(Reader *r)
{
	u32 first = r->n_written;
	do {
		Written *w = read_simple(r);
		if (!w)
			return false;
		if ((tok_is(r, '+') || tok_is(r, '-')) && w->name) /* {sym+4, …} */
			ptx_reader_unexpected(r, "',' or '}'");
	} while (ptx_lex_take(r, ','));
	if (r->n_written > first) {
		r->written[first].shape |= IOF_OPEN;
		r->written[r->n_written - 1].shape |= IOF_CLOSE;
	}
	return ptx_lex_expect(r, '}', "or ',' in a vector");
}

/* Behind a base: `+8`, `-8`, `+%r1`, `+8+4`, or nothing. */
static bool read_offset(Reader *r)
{
	Written *w = add_written(r);
	w->o.kind = PO_INT;
	w->is_offset = true;
	if (!tok_is(r, '+') && !tok_is(r, '-'))
		return true;
	if (tok_is(r, '+')) {
		ptx_lex_next(r);
		if (r->t.kind == T_WORD && !ptx_const_starts(r)) { /* a register or a symbol as an offset */
			w->name = ptx_reader_name(r, r->t.text).i;
			w->at = ptx_lex_range(&r->t);
			ptx_lex_next(r);
			return true;
		}
	}
	if (!read_constant(r, w))
		return false;
	w->o.flags &= (u8)~POF_HEX;
	if (!w->o.bits)
		w->o.flags |= POF_SHOW_ZERO;
	return true;
}

static bool read_address(Reader *r)
{
	u32      first = r->n_written;
	Written *w = read_simple(r);
	if (!w)
		return false;
	if (!tok_is(r, ',') && !read_offset(r))
		return false;
	if (tok_is(r, '+') || tok_is(r, '-')) {
		ptx_reader_unexpected(r, "']'");
		return false;
	}
	while (ptx_lex_take(r, ','))
		if (ptx_lex_take(r, '{') ? !read_vector(r) : !read_simple(r))
			return false;
	r->written[first].shape |= IOF_ADDR_OPEN;
	r->written[r->n_written - 1].shape |= IOF_ADDR_CLOSE;
	return ptx_lex_expect(r, ']', "behind an address");
}

static bool read_operand(Reader *r)
{
	if (ptx_lex_take(r, '{'))
		return read_vector(r);
	if (ptx_lex_take(r, '['))
		return read_address(r);
	Written *w = read_simple(r);
	if (!w)
		return false;
	if (w->name && (tok_is(r, '+') || tok_is(r, '-'))) { /* mov.u64 %rd1, sym+8 */
		ConstValue v;
		bool       plus = tok_is(r, '+');
		if (plus)
			ptx_lex_next(r);
		if (!ptx_const_expr(r, &v))
			return false;
		w->o.bits = v.bits;
	}
	return true;
}

static bool read_operands(Reader *r)
{
	r->n_written = 0;
	if (tok_is(r, ';'))
		return true;
	for (;;) {
		if (!read_operand(r))
			return false;
		if (ptx_lex_take(r, '|')) {
			u32 second = r->n_written;
			if (!read_operand(r))
				return false;
			r->written[second].shape |= IOF_PIPE;
		}
		if (!ptx_lex_take(r, ','))
			return true;
	}
}

/* ---- does it fit? */

/* [tex] of a query is a handle, not an address: it has no offset. */
static void drop_offsets(Reader *r)
{
	u32 n = 0;
	for (u32 i = 0; i < r->n_written; i++) {
		Written w = r->written[i];
		if (n && w.is_offset && !w.name && !w.o.bits)
			r->written[n - 1].shape |= w.shape;
		else
			r->written[n++] = w;
	}
	r->n_written = n;
}

/* A vector register where its elements are wanted: %v → {%v.x, %v.y, …} */
static void expand_vectors(Reader *r)
{
	for (u32 i = 0; i < r->n_written; i++) {
		Written w = r->written[i];
		u32     reg = w.name ? ptx_reg_by_name(r, (StrId){w.name}) : 0, vec = reg ? ptx_reg_decl(r->f, reg)->vec : 0;
		if (!vec || r->n_written + vec >= READER_MAX_OPERANDS)
			continue;
		memmove(&r->written[i + vec], &r->written[i + 1], (r->n_written - i - 1) * sizeof w);
		r->n_written += vec - 1;
		for (u32 k = 0; k < vec; k++) {
			Written part = {.o = {.kind = PO_REG, .id = reg, .flags = (u8)((k + 1) << 4)}, .at = w.at};
			part.shape = (u16)((k == 0 ? IOF_OPEN | (w.shape & IOF_ADDR_OPEN) : 0) |
			                   (k == vec - 1 ? IOF_CLOSE | (w.shape & IOF_ADDR_CLOSE) : 0));
			r->written[i + k] = part;
		}
		i += vec - 1;
	}
}

static bool has_vector_register(Reader *r)
{
	for (u32 i = 0; i < r->f->regs.n; i++)
		if (r->f->regs.p[i].vec)
			return true;
	return false;
}

static bool fits(const Reader *r, const IsaDesc *d)
{
	if (d->n_operands != r->n_written)
		return false;
	for (u32 i = 0; i < d->n_operands; i++) {
		u32 want = d->operand[i].flags & SHAPE, got = r->written[i].shape;
		/* a vector of one element may go without its braces, and a scalar with them */
		if ((want & (IOF_OPEN | IOF_CLOSE)) == (IOF_OPEN | IOF_CLOSE))
			want &= ~(u32)(IOF_OPEN | IOF_CLOSE);
		if ((got & (IOF_OPEN | IOF_CLOSE)) == (IOF_OPEN | IOF_CLOSE))
			got &= ~(u32)(IOF_OPEN | IOF_CLOSE);
		if (want != got || (d->operand[i].kind == IO_OFFSET) != r->written[i].is_offset)
			return false;
	}
	return true;
}

/* The opcode with those optional operands that make it fit; 0 where none do. */
static u32 fitting_form(Reader *r, u32 desc)
{
	const IsaDesc *d = isa_desc(r->s, desc);
	if (fits(r, d))
		return desc;
	const char *text = isa_row_operands(isa_row(d->opc.op));
	u32         optional = 0;
	for (const char *p = text; *p; p++)
		optional += *p == '?';
	for (u32 form = 1; form < 1u << PS_MIN(optional, 6u); form++) {
		PtxOpc o = d->opc;
		o.slot[SLOT_form] = (u8)form;
		u32 id = isa_intern(r->s, o);
		if (fits(r, isa_desc(r->s, id)))
			return id;
	}
	static const u8 parts[] = {TOK_vec_v2, TOK_vec_v4, TOK_vec_v8};
	for (u32 k = 0; d->opc.op == ISA_mov_pack || d->opc.op == ISA_mov_unpack ? k < PS_COUNT(parts) : false; k++) {
		PtxOpc o = d->opc;
		o.slot[SLOT_vec] = parts[k];
		if (isa_type(o.slot[SLOT_type])->bits / isa_vec(&o) < 8)
			continue;
		u32 id = isa_intern(r->s, o);
		if (fits(r, isa_desc(r->s, id)))
			return id;
	}
	return 0;
}

/* A predicate fits only an operand that is a predicate; this distinguishes the size operand of cp.async from its guard. */
static bool predicates_fit(Reader *r, const IsaDesc *d)
{
	for (u32 i = 0; i < d->n_operands; i++) {
		u32 reg = r->written[i].name ? ptx_reg_by_name(r, (StrId){r->written[i].name}) : 0;
		if (reg && (ptx_reg_decl(r->f, reg)->type == TOK_type_pred) != (d->operand[i].rc == RC_PRED) && d->operand[i].rc)
			return false;
	}
	return true;
}

static u32 fitting_opcode(Reader *r, u32 desc)
{
	u32 first = 0;
	for (u32 d = desc; d; d = isa_next_alternative(r->s, d)) {
		u32 id = fitting_form(r, d);
		if (id && predicates_fit(r, isa_desc(r->s, id)))
			return id;
		first = first ? first : id;
	}
	return first;
}

/* ---- binding names */

static void wrong_operand(Reader *r, const Written *w, DiagCode code, Str text)
{
	if (r->errors_at_line == w->at.line)
		return;
	r->errors_at_line = w->at.line;
	diag_report(&r->s->diags, code, w->at, STR_ARG(text));
}

static void resolve_name(Reader *r, Written *w)
{
	StrId name = {w->name};
	Str   text = strtab_get(&r->s->strs, name);
	u32   reg = ptx_reg_by_name(r, name), sreg;
	if (!reg)
		reg = component_by_name(r, text, &w->o.flags);
	if (!reg)
		reg = part_by_name(r, text, &w->o);
	if (reg) {
		w->o.kind = PO_REG;
		w->o.id = reg;
	} else if ((text.p[0] == '%' || text.p[0] == 'W') && (sreg = isa_sreg_find(text)) != 0) {
		w->o.kind = PO_SREG;
		w->o.id = sreg;
	} else {
		w->o.kind = PO_SYM;
		w->o.id = name.i;
		u8 kind = ptx_bind_of(r, name.i)->kind;
		if (kind == BIND_RANGE || (text.p[0] == '%' && kind == BIND_NONE))
			wrong_operand(r, w, DIAG_PTX_REGISTER, text);
		else if (kind == BIND_NONE)
			vec_push(r->m->arena, &r->symbol_uses, ((SymbolUse){name.i, w->at}));
	}
}

static bool may_be_register(const IsaOperand *want) { return want->kind != IO_IMM && want->kind != IO_OFFSET; }

/* As ptxas has it: bits go with everything, signed with unsigned integers, a float only with its own type. Several results
 * that are floats (ld.v2.f32, tex) may also go to registers of integers. */
static bool kind_fits(const IsaOperand *want, u32 reg_type, bool many_results)
{
	const IsaType *have = isa_type(reg_type), *t = isa_type(want->type);
	if (!want->type || !t->bits)
		return true;
	if (many_results && want->flags & IOF_DEF && have->kind != ISA_KIND_FLOAT)
		return true;
	if (have->kind == ISA_KIND_FLOAT || t->kind == ISA_KIND_FLOAT)
		return have->kind == ISA_KIND_BITS || t->kind == ISA_KIND_BITS || reg_type == want->type;
	return true;
}

static bool width_fits(const IsaOperand *want, u32 reg_type)
{
	const IsaType *have = isa_type(reg_type), *t = isa_type(want->type);
	if (!want->type || !t->bits)
		return true;
	if (have->kind == ISA_KIND_PRED || t->kind == ISA_KIND_PRED)
		return have->kind == t->kind;
	u32 bits = isa_class_info[t->rc].bits;
	return want->flags & IOF_WIDER ? have->bits >= t->bits : have->bits == bits || have->bits == t->bits;
}

static void check_operand(Reader *r, const IsaOperand *want, const Written *w, const IsaDesc *d)
{
	bool bad = false;
	switch ((PtxOperandKind)w->o.kind) {
	case PO_REG: {
		bad = !may_be_register(want);
		/* ptxas takes mov between widths nowhere, but llc-19 writes mov.u32 %rd, sym */
		u32  type = ptx_reg_decl(r->f, w->o.id)->type;
		bool wide = d->flags & IF_MOVE || width_fits(want, type), kind = kind_fits(want, type, d->n_defs > 1);
		if (!bad && (!wide || !kind)) {
			wrong_operand(r, w, wide ? DIAG_PTX_KIND : DIAG_PTX_WIDTH, d->mnemonic);
			return;
		}
		break;
	}
	case PO_INT:
	case PO_F32:
	case PO_F64:
		bad = want->kind == IO_REG && (want->flags & IOF_DEF || want->type == TOK_type_pred) && w->o.kind != PO_INT;
		bad |= (want->flags & IOF_DEF) != 0;
		break;
	case PO_SINK: bad = !(want->flags & (IOF_DEF | IOF_GAP)); break;
	case PO_SYM:
	case PO_SREG: bad = (want->flags & IOF_DEF) || want->kind == IO_IMM; break;
	default: break;
	}
	if (w->o.flags & POF_NEGATED && !(want->flags & IOF_NEGATABLE))
		bad = true;
	if (bad)
		wrong_operand(r, w, DIAG_PTX_OPERAND, d->mnemonic);
}

static void add_operand(Reader *r, const IsaDesc *d, u32 i)
{
	Written          *w = &r->written[i];
	const IsaOperand *want = &d->operand[i];
	if (w->is_decimal) {
		bool single = want->type == TOK_type_f32;
		w->o.bits = single ? ptx_f64_to_f32_bits(w->o.bits) : w->o.bits;
		w->o.kind = single ? PO_F32 : PO_F64;
	}
	bool is_label = (want->kind == IO_LABEL || want->kind == IO_TABLE) && w->name;
	if (is_label)
		w->o = ptx_label(0);
	else if (w->name)
		resolve_name(r, w);
	check_operand(r, want, w, d);
	ptx_add_operand(r->m, r->f, w->o);
	if (is_label)
		ptx_label_use(r, w->name, w->at);
}

/* ---- calls */

static bool read_list(Reader *r)
{
	while (!tok_is(r, ')')) {
		if (!read_operand(r))
			return false;
		if (!tok_is(r, ')') && !ptx_lex_expect(r, ',', "or ')' in a call"))
			return false;
	}
	ptx_lex_next(r);
	return true;
}

/* (results), function, (arguments), prototype */
static bool parse_call(Reader *r)
{
	u32 at = r->f->body.n - 1, proto = UINT32_MAX;
	r->n_written = 0;
	if (ptx_lex_take(r, '(') && (!read_list(r) || !ptx_lex_expect(r, ',', "behind a call's results")))
		return false;
	u32 n_rets = r->n_written;
	if (!read_simple(r))
		return false;
	if (ptx_lex_take(r, ',')) {
		bool list = ptx_lex_take(r, '(');
		if (list && !read_list(r))
			return false;
		if (!list || ptx_lex_take(r, ',')) {
			proto = r->n_written;
			if (!read_simple(r))
				return false;
		}
	}
	for (u32 i = 0; i < r->n_written; i++) {
		Written *w = &r->written[i];
		if (i != proto && w->name)
			resolve_name(r, w);
		ptx_add_operand(r->m, r->f, i == proto ? ptx_label(0) : w->o);
		if (i == proto)
			ptx_label_use(r, w->name, w->at);
	}
	r->f->body.p[at].n_rets = (u8)n_rets;
	r->f->body.p[at].flags = proto != UINT32_MAX ? PSF_PROTOTYPE : 0;
	return true;
}

/* ---- instructions */

static bool parse_guard(Reader *r, u8 *guard, u32 *reg)
{
	ptx_lex_next(r);
	*guard = ptx_lex_take(r, '!') ? 2 : 1;
	Tok at = r->t;
	if (r->t.kind != T_WORD) {
		ptx_reader_unexpected(r, "a predicate");
		return false;
	}
	*reg = ptx_reg_by_name(r, ptx_reader_name(r, r->t.text));
	ptx_lex_next(r);
	if (!*reg)
		diag_report(&r->s->diags, DIAG_PTX_REGISTER, ptx_lex_range(&at), STR_ARG(at.text));
	else if (ptx_reg_decl(r->f, *reg)->type != TOK_type_pred)
		diag_report(&r->s->diags, DIAG_PTX_GUARD, ptx_lex_range(&at), STR_ARG(at.text));
	return true;
}

static u32 read_mnemonic(Reader *r)
{
	IsaParseError e;
	u32           desc = isa_intern_mnemonic(r->s, r->t.text, &e);
	if (desc)
		return desc;
	SrcRange at = {r->t.line, r->t.col + e.at, r->t.line, r->t.col + e.at + PS_MAX(e.n, 1u)};
	Str      part = {r->t.text.p + e.at, e.n}, first = r->t.text;
	first.n = 0;
	while (first.n < r->t.text.n && first.p[first.n] != '.')
		first.n++;
	if (e.unknown)
		diag_report(&r->s->diags, DIAG_PTX_UNKNOWN, at, STR_ARG(part));
	else if (part.n)
		diag_report(&r->s->diags, DIAG_PTX_MODIFIER, at, STR_ARG(part), STR_ARG(first));
	else
		diag_report(&r->s->diags, DIAG_PTX_INCOMPLETE, ptx_lex_range(&r->t), STR_ARG(r->t.text));
	r->errors_at_line = r->t.line;
	return 0;
}

static void wrong_operands(Reader *r, const Tok *at, u32 desc)
{
	Diag *d = diag_report(&r->s->diags, DIAG_PTX_OPERANDS, ptx_lex_range(at), STR_ARG(at->text));
	diag_hint(&r->s->diags, d, "it takes: %s", isa_row_operands(isa_row(isa_desc(r->s, desc)->opc.op)));
	r->errors_at_line = at->line;
}

/* The operands of the instruction whose statement was just added; false where they are wrong (reported). */
static bool parse_operands(Reader *r, const Tok *at, u32 desc)
{
	if (!read_operands(r))
		return false;
	if (isa_is(r->s, desc, IF_TEXTURE | IF_SURFACE))
		drop_offsets(r);
	u32 fitting = fitting_opcode(r, desc);
	if (!fitting && has_vector_register(r)) {
		expand_vectors(r);
		fitting = fitting_opcode(r, desc);
	}
	if (!tok_is(r, ';'))
		return ptx_lex_expect(r, ';', "behind an instruction");
	if (!fitting) {
		wrong_operands(r, at, desc);
		return false;
	}
	const IsaDesc *d = isa_desc(r->s, fitting);
	vec_last(&r->f->body).desc = fitting;
	for (u32 i = 0; i < d->n_operands; i++)
		add_operand(r, d, i);
	return true;
}

void ptx_parse_insn(Reader *r)
{
	u8  guard = 0;
	u32 reg = 0, line = r->t.line;
	if (tok_is(r, '@') && !parse_guard(r, &guard, &reg)) {
		ptx_reader_resync(r);
		return;
	}
	Tok at = r->t;
	u32 desc = r->t.kind == T_WORD ? read_mnemonic(r) : 0;
	if (!desc) {
		if (r->t.kind != T_WORD)
			ptx_reader_unexpected(r, "an instruction");
		ptx_reader_resync(r);
		return;
	}
	ptx_lex_next(r);
	PtxFunc *f = r->f;
	u32      body = f->body.n, operands = f->operands.n, uses = r->label_uses.n;
	PtxStmt *st = ptx_add_stmt(r->m, f, PS_INSN);
	st->guard = guard;
	st->desc = desc;
	st->reg = reg;
	st->line = line;
	bool good = isa_is(r->s, desc, IF_CALL) ? parse_call(r) : parse_operands(r, &at, desc);
	if (good && ptx_lex_expect(r, ';', "behind an instruction"))
		return;
	f->body.n = body;
	f->operands.n = operands;
	r->label_uses.n = uses;
	ptx_reader_resync(r);
}
