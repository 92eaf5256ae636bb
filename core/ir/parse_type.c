/* parse_type.c: types, and their definitions. */
#include "ir/parse.h"

/* i8addrspace(1)*, i8-1: two words in one, as nothing but a digit goes on behind i8. The length of the first; 0: there is one word. */
static u32 int_before_space(Str s)
{
	static const char space[] = "addrspace";
	u32               n = sizeof space - 1;
	const char       *minus = s.n > 2 && s.p[0] == 'i' ? memchr(s.p, '-', s.n) : NULL;
	if (minus)
		return (u32)(minus - s.p);
	return s.n > n + 1 && s.p[0] == 'i' && memcmp(s.p + s.n - n, space, n) == 0 ? s.n - n : 0;
}

static bool is_int_word(Str s, u32 *bits)
{
	u64 v = 0;
	u32 first = int_before_space(s);
	if (first)
		s.n = first;
	if (s.n < 2 || s.n > 10 || s.p[0] != 'i')
		return false;
	for (u32 i = 1; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		v = v * 10 + (u64)(s.p[i] - '0');
	}
	*bits = v > LIMIT_INT_BITS ? LIMIT_INT_BITS + 1 : (u32)v;
	return true;
}

bool irp_starts_type(const Parser *p)
{
	u32 bits;
	switch (p->t.kind) {
	case '{':
	case '[':
	case '<':
	case T_LOCAL:
	case T_LOCAL_NUM: return true;
	case T_WORD:
		return p->t.word ? p->t.word->type || p->t.word->word == W_TARGET || p->t.word->word == W_OPAQUE
		                 : is_int_word(p->t.text, &bits);
	default: return false;
	}
}

u32 irp_addrspace(Parser *p)
{
	u32 space = 0;
	if (!accept_word(p, W_ADDRSPACE))
		return 0;
	irp_expect(p, '(', "'(' after addrspace");
	if (at(p,
	       T_STRING)) { /* addrspace("A"): of allocas; "G": of globals; "P": of functions; others are names of the data layout */
		Str s = irp_token_str(p);
		if (str_is(s, "A") || str_is(s, "G") || str_is(s, "P"))
			space = s.p[0] == 'A'   ? p->m->layout.alloca_space
			        : s.p[0] == 'G' ? p->m->layout.globals_space
			                        : p->m->layout.program_space;
		else if (!ir_layout_space_named(ir_str(p->m, p->m->layout_text), s, &space))
			PARSE_ERROR(p, irp_token_range(p), IR_SPACE_NAME, STR_ARG(s));
		irp_next(p);
	} else {
		irp_u32(p, (1u << 24) - 1, "an address space", &space);
	}
	irp_expect(p, ')', "')' after the address space");
	return space;
}

/* Behind an opcode: %x where its type is missing. */
static bool is_misplaced_value(Parser *p, bool is_type)
{
	if (is_type || !irp_is_value(p))
		return false;
	Diag *d = PARSE_ERROR(p, irp_token_range(p), IR_VALUE_AS_TYPE, (int)(p->t.end - p->t.p), p->t.p);
	diag_hint(&p->s->diags, d, "its type comes before it, as in: i32 %.*s", (int)(p->t.end - p->t.p), p->t.p);
	return true;
}

static IrType named_type(Parser *p)
{
	StrId name = irp_token_strid(p);
	bool  fresh;
	if (is_misplaced_value(p, map_get(&p->types_named, name.i) != NULL))
		return (IrType){0};
	u64 *slot = map_put(&p->types_named, name.i, &fresh);
	if (fresh) {
		*slot = ir_named_struct(p->m, name, 0).i;
		p->m->struct_order.n--; /* its place is its definition's */
		vec_push(p->arena, &p->types_undefined, (u32)*slot);
		vec_push(p->arena, &p->type_use, irp_token_range(p));
	}
	irp_next(p);
	return (IrType){(u32)map_or(&p->types_named, name.i, 0)};
}

static IrType numbered_type(Parser *p)
{
	u64 n = p->t.num;
	u32 id = irp_num_get(&p->types_num, n);
	if (is_misplaced_value(p, id != 0))
		return (IrType){0};
	if (!id) {
		id = ir_named_struct(p->m, (StrId){0}, (u32)n).i;
		p->m->struct_order.n--;
		irp_num_set(p, &p->types_num, n, id);
		vec_push(p->arena, &p->types_undefined, id);
		vec_push(p->arena, &p->type_use, irp_token_range(p));
	}
	irp_next(p);
	return (IrType){id};
}

static bool is_element(const IrModule *m, IrType t)
{
	u32 k = ir_type_kind(m, t);
	return k != IRT_VOID && k != IRT_LABEL && k != IRT_METADATA && k != IRT_FUNC && k != IRT_TOKEN && k != IRT_NONE;
}

static IrType element_type(Parser *p)
{
	Spot   from = spot(p);
	IrType t = irp_any_type(p);
	if (!p->panic && !is_element(p->m, t))
		PARSE_ERROR(p, irp_range_from(p, &from), IR_BAD_ELEMENT, STR_ARG(irp_type_text(p, t)));
	return t;
}

/* Behind '{': fields and '}'. Pushed on scratch; returns how many. */
static u32 fields(Parser *p)
{
	u32 n = 0;
	if (accept(p, '}'))
		return 0;
	do {
		IrType t = element_type(p);
		vec_push(p->arena, &p->scratch, t.i);
		n++;
	} while (accept(p, ','));
	irp_expect(p, '}', "',' or '}' in a struct type");
	return n;
}

static IrType struct_type(Parser *p, bool packed)
{
	u32 base = p->scratch.n, n = fields(p);
	if (packed)
		irp_expect(p, '>', "'>' after a packed struct");
	IrType t = p->panic ? (IrType){0} : ir_struct_type(p->m, (IrType *)(void *)(p->scratch.p + base), n, packed);
	p->scratch.n = base;
	return t;
}

static IrType array_type(Parser *p)
{
	u64 n = 0;
	irp_u64(p, "the number of elements", &n);
	irp_expect_word(p, W_X, "'x'");
	IrType e = element_type(p);
	irp_expect(p, ']', "']' after an array type");
	return p->panic ? (IrType){0} : ir_array_type(p->m, e, n);
}

static IrType vector_type(Parser *p)
{
	u64  n = 0;
	bool scalable = accept_word(p, W_VSCALE);
	if (scalable)
		irp_expect_word(p, W_X, "'x' after vscale");
	Spot count = spot(p);
	irp_u64(p, "the number of elements", &n);
	if (!p->panic && n == 0)
		PARSE_ERROR0(p, irp_range_from(p, &count), IR_EMPTY_VECTOR);
	if (!p->panic && n > 1u << 16)
		PARSE_ERROR(p, irp_range_from(p, &count), IR_LIMIT, "elements in a vector", 1u << 16);
	irp_expect_word(p, W_X, "'x'");
	Spot   from = spot(p);
	IrType e = irp_any_type(p);
	if (!p->panic && !ir_type_is_int(p->m, e) && !ir_type_is_fp(p->m, e) && !ir_type_is_ptr(p->m, e) &&
	    !(ir_target_type_may(p->m, e) & IRTT_ELEMENT))
		PARSE_ERROR(p, irp_range_from(p, &from), IR_BAD_VECTOR, STR_ARG(irp_type_text(p, e)));
	irp_expect(p, '>', "'>' after a vector type");
	return p->panic ? (IrType){0} : scalable ? ir_scalable_type(p->m, e, (u32)n) : ir_vector_type(p->m, e, (u32)n);
}

/* target("name", types…, integers…) */
static IrType target_type(Parser *p)
{
	StrId name;
	u32   base = p->scratch.n, n_types = 0, n_ints = 0;
	Spot  from = spot(p);
	irp_next(p);
	irp_expect(p, '(', "'(' after target");
	if (!irp_string(p, &name))
		return (IrType){0};
	while (accept(p, ',')) {
		u32 v = 0;
		if (at(p, T_INT)) {
			irp_u32(p, UINT32_MAX, "a parameter", &v);
			n_ints++;
		} else if (n_ints) {
			irp_expected(p, "a number: numbers stand behind the types");
		} else {
			v = irp_type_or_void(p).i;
			n_types++;
		}
		vec_push(p->arena, &p->scratch, v);
	}
	irp_expect(p, ')', "')' after a target type");
	if (!p->panic && !ir_target_type_fits(ir_str(p->m, name), n_types, n_ints))
		PARSE_ERROR(p, irp_range_from(p, &from), IR_TARGET_TYPE, STR_ARG(ir_str(p->m, name)));
	u32   *list = p->scratch.p + base;
	IrType t = p->panic ? (IrType){0} : ir_target_type(p->m, name, (IrType *)(void *)list, n_types, list + n_types, n_ints);
	p->scratch.n = base;
	return t;
}

static IrType word_type(Parser *p)
{
	u32         bits;
	const Word *w = p->t.word;
	if (w && w->type == IR_TY_PTR) {
		irp_next(p);
		return ir_ptr_type(p->m, at_word(p, W_ADDRSPACE) ? irp_addrspace(p) : 0);
	}
	if (w && w->type) {
		irp_next(p);
		return (IrType){w->type};
	}
	if (w && w->word == W_TARGET)
		return target_type(p);
	if (!is_int_word(p->t.text, &bits)) {
		Str   text = p->t.text;
		Diag *d = PARSE_ERROR(p, irp_token_range(p), IR_UNKNOWN_TYPE, STR_ARG(text));
		irp_hint_word(d, text);
		return (IrType){0};
	}
	if (bits == 0 || bits > LIMIT_INT_BITS) {
		PARSE_ERROR(p, irp_token_range(p), IR_INT_WIDTH, LIMIT_INT_BITS);
		return (IrType){0};
	}
	u32 first = int_before_space(p->t.text);
	if (first)
		p->lexer.at = p->t.p + first;
	irp_next(p);
	return ir_int_type(p->m, bits);
}

/* Behind a result type and '(': parameters and ')'. */
static IrType function_type(Parser *p, IrType ret)
{
	u32  base = p->scratch.n, n = 0;
	bool vararg = false;
	if (!accept(p, ')')) {
		do {
			if (accept(p, T_ELLIPSIS)) {
				vararg = true;
				break;
			}
			IrType t = irp_any_type(p);
			vec_push(p->arena, &p->scratch, t.i);
			n++;
		} while (accept(p, ','));
		irp_expect(p, ')', "',' or ')' in a function type");
	}
	IrType t = p->panic ? (IrType){0} : ir_func_type(p->m, ret, (IrType *)(void *)(p->scratch.p + base), n, vararg);
	p->scratch.n = base;
	return t;
}

static IrType primary_type(Parser *p)
{
	switch (p->t.kind) {
	case T_WORD: return word_type(p);
	case T_LOCAL: return named_type(p);
	case T_LOCAL_NUM: return numbered_type(p);
	case '{': irp_next(p); return struct_type(p, false);
	case '[': irp_next(p); return array_type(p);
	case '<':
		irp_next(p);
		if (accept(p, '{'))
			return struct_type(p, true);
		return vector_type(p);
	default: irp_expected(p, "a type"); return (IrType){0};
	}
}

/* Can the current token extend the type before it? */
static bool goes_on(const Parser *p) { return at(p, '*') || at(p, '(') || at_word(p, W_ADDRSPACE); }

/* What may follow a type: '*', addrspace(N)*, (parameters). */
static IrType type_suffixes(Parser *p, IrType t)
{
	while (goes_on(p)) {
		IrType to = t;
		Spot   star = spot(p);
		if (at(p, '*') && ir_type_is_ptr(p->m, t) && !p->pointee.i) { /* ptr says nothing of what it points to */
			irp_expected(p, "no '*' behind ptr");
		} else if (at(p, '*')) {
			irp_next(p);
			t = ir_ptr_type(p->m, 0);
		} else if (at_word(p, W_ADDRSPACE) && (!ir_type_is_ptr(p->m, t) || p->pointee.i)) { /* also T* addrspace(N)* */
			u32 space = irp_addrspace(p);
			irp_expect(p, '*', "'*' after the address space of a typed pointer");
			t = ir_ptr_type(p->m, space);
		} else if (at(p, '(') && ir_type_kind(p->m, t) != IRT_FUNC) {
			irp_next(p);
			t = function_type(p, t);
			p->pointee = (IrType){0};
			continue;
		} else {
			break;
		}
		if (!p->panic && (to.i == IR_TY_VOID || to.i == IR_TY_LABEL || to.i == IR_TY_METADATA))
			PARSE_ERROR(p, irp_range_from(p, &star), IR_POINTER_TO, STR_ARG(irp_type_text(p, to)));
		p->pointee = to;
	}
	return t;
}

IrType irp_any_type(Parser *p)
{
	bool   word = at(p, T_WORD) && p->t.word && p->t.word->type && p->t.word->type != IR_TY_PTR;
	IrType t;
	if (word) { /* most types are one word */
		t = (IrType){p->t.word->type};
		irp_next(p);
		p->pointee = (IrType){0};
		if (!goes_on(p))
			return t;
	}
	if (!irp_enter(p))
		return (IrType){0};
	if (!word) {
		t = primary_type(p);
		p->pointee = (IrType){0};
	}
	t = type_suffixes(p, t);
	leave(p);
	return t;
}

static IrType checked_type(Parser *p, bool or_void)
{
	Spot   from = spot(p);
	IrType t = irp_any_type(p);
	if (t.i >= IR_TY_I1 && t.i < IR_TY_FIXED)
		return t;
	u32 k = ir_type_kind(p->m, t);
	if (!p->panic && (k == IRT_LABEL || k == IRT_METADATA || k == IRT_FUNC || (k == IRT_VOID && !or_void)))
		PARSE_ERROR(p, irp_range_from(p, &from), IR_NO_VALUE_TYPE, STR_ARG(irp_type_text(p, t)));
	return t;
}

IrType irp_type_or_void(Parser *p) { return checked_type(p, true); }
IrType irp_type(Parser *p) { return checked_type(p, false); }

/* ---- %x = type … ---- */

static IrType defined_type(Parser *p, const Token *name)
{
	IrType t;
	if (name->kind == T_LOCAL) {
		StrId id = strtab_add(&p->s->strs, name->escaped ? ir_lex_unescape(p->arena, name->text) : name->text);
		bool  fresh;
		u64  *slot = map_put(&p->types_named, id.i, &fresh);
		if (fresh)
			*slot = ir_named_struct(p->m, id, 0).i;
		t = (IrType){(u32)*slot};
		if (fresh)
			return t;
	} else {
		t = (IrType){irp_num_get(&p->types_num, name->num)};
		if (!t.i) {
			t = ir_named_struct(p->m, (StrId){0}, (u32)name->num);
			irp_num_set(p, &p->types_num, name->num, t.i);
			return t;
		}
	}
	for (u32 i = 0; i < p->types_undefined.n; i++)
		if (p->types_undefined.p[i] == t.i) {
			p->types_undefined.p[i] = 0;
			vec_push(p->arena, &p->m->struct_order, t.i);
			return t;
		}
	PARSE_ERROR(p, irp_range_of(p, token_spot(name)), IR_TYPE_REDEFINED, (int)(name->end - name->p - 1), name->p + 1);
	return t;
}

/* %x = type i32: another name of the type, from here on */
static void type_alias(Parser *p, const Token *name, IrType t)
{
	bool  fresh = false;
	StrId id = {0};
	if (name->kind == T_LOCAL) {
		id = strtab_add(&p->s->strs, name->escaped ? ir_lex_unescape(p->arena, name->text) : name->text);
		u64 *slot = map_put(&p->types_named, id.i, &fresh);
		if (fresh)
			*slot = t.i;
	} else if (!irp_num_get(&p->types_num, name->num)) {
		irp_num_set(p, &p->types_num, name->num, t.i);
		fresh = true;
	}
	if (fresh)
		return;
	Spot at_name = token_spot(name);
	for (u32 i = 0; i < p->types_undefined.n && id.i; i++)
		if (p->types_undefined.p[i] && ir_type(p->m, (IrType){p->types_undefined.p[i]})->name.i == id.i) {
			PARSE_ERROR(p, irp_range_of(p, at_name), IR_TYPE_LATE, (int)(name->end - name->p), name->p);
			return;
		}
	PARSE_ERROR(p, irp_range_of(p, at_name), IR_TYPE_REDEFINED, (int)(name->end - name->p - 1), name->p + 1);
}

void irp_type_definition(Parser *p)
{
	Token name = p->t;
	irp_next(p);
	irp_expect(p, '=', "'='");
	if (at(p, T_WORD) && p->t.word && p->t.word->op) {
		PARSE_ERROR(p, irp_token_range(p), IR_OUTSIDE, STR_ARG(p->t.text));
		return;
	}
	irp_expect_word(p, W_TYPE, "'type'");
	bool packed = accept(p, '<'), opaque = accept_word(p, W_OPAQUE);
	if (!p->panic && !opaque && !at(p, '{')) {
		IrType t = packed ? type_suffixes(p, vector_type(p)) : irp_any_type(p);
		if (!p->panic)
			type_alias(p, &name, t);
		return;
	}
	IrType t = p->panic ? (IrType){0} : defined_type(p, &name);
	if (p->panic || opaque)
		return;
	u32 base = p->scratch.n, n = 0;
	irp_next(p);
	n = fields(p);
	if (packed)
		irp_expect(p, '>', "'>' after a packed struct");
	if (!p->panic)
		ir_struct_set_body(p->m, t, (IrType *)(void *)(p->scratch.p + base), n, packed);
	p->scratch.n = base;
}
