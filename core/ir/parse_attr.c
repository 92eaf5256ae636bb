/* parse_attr.c: attributes of functions, parameters, results, variables and calls. */
#include "ir/parse.h"

typedef enum Form {
	FORM_FLAG,
	FORM_INT,
	FORM_OPTINT,
	FORM_TYPE,
	FORM_ALIGN,
	FORM_STRING,
	FORM_PAIR,
	FORM_SCALE,
	FORM_CAPTURES,
	FORM_MEMORY,
	FORM_RANGE,
	FORM_RANGES,
	FORM_FPCLASS,
	FORM_UWTABLE,
	FORM_FPENV,
} Form;

enum { P = PLACE_PARAM, F = PLACE_FUNC, R = PLACE_RET, V = PLACE_VAR };

static const struct {
	u8 form, places, since;
} infos[IRA_COUNT] = {
#define IR_ATTR(id, text, form, places, since, code) [IRA_##id] = {FORM_##form, places, since},
#include "ir/attrs.def"
};

static void type_attr(Parser *p, IrAttr *a, IrType pointee)
{
	bool always = a->kind == IRA_PREALLOCATED || a->kind == IRA_ELEMENTTYPE || a->kind == IRA_BYREF ||
	              (a->kind == IRA_INALLOCA && !pointee.i);
	a->type = pointee; /* byval, sret and inalloca without a type: LLVM before 12 */
	if (!at(p, '(') && !always)
		return;
	irp_expect(p, '(', "'(' and a type");
	a->type = a->kind == IRA_ELEMENTTYPE ? irp_any_type(p) : irp_type(p); /* of a function that is called, too */
	irp_expect(p, ')', "')' after the type");
}

static void int_attr(Parser *p, IrAttr *a, u32 place)
{
	bool group = (place & PLACE_GROUP) && accept(p, '=');
	if (!group)
		irp_expect(p, '(', "'('");
	irp_u64(p, "a number", &a->a);
	if (!group)
		irp_expect(p, ')', "')'");
}

static void align_attr(Parser *p, IrAttr *a, u32 place)
{
	bool group = (place & PLACE_GROUP) && accept(p, '=');
	bool paren = !group && accept(p, '(');
	u8   align = irp_align_value(p);
	a->a = ir_align_stated(align);
	if (paren)
		irp_expect(p, ')', "')'");
}

static void pair_attr(Parser *p, IrAttr *a)
{
	irp_expect(p, '(', "'('");
	irp_u64(p, "a number", &a->a);
	a->b = UINT64_MAX;
	if (accept(p, ','))
		irp_u64(p, "a number", &a->b);
	irp_expect(p, ')', "')'");
}

/* vscale_range(2) is (2,2), (0) says nothing */
static void scale_attr(Parser *p, IrAttr *a)
{
	pair_attr(p, a);
	if (a->b == UINT64_MAX)
		a->b = a->a;
	if (!a->a && !a->b)
		a->kind = IRA_COUNT;
}

/* A bound of initializes((0, 4), (8, 12)) */
static i64 bound(Parser *p)
{
	i64 v = (i64)(p->t.negative ? 0 - p->t.num : p->t.num);
	if (!at(p, T_INT) || p->t.huge)
		irp_expected(p, "a number of bytes");
	irp_next(p);
	return v;
}

static void ranges_attr(Parser *p, IrAttr *a)
{
	Text out;
	i64  lo, hi, last = INT64_MIN;
	text_init(&out, p->arena);
	irp_expect(p, '(', "'('");
	do {
		Spot from = spot(p);
		irp_expect(p, '(', "'(' and a range");
		lo = bound(p);
		irp_expect(p, ',', "','");
		hi = bound(p);
		irp_expect(p, ')', "')'");
		if (!p->panic && (lo >= hi || (out.n && lo <= last)))
			PARSE_ERROR0(p, irp_range_from(p, &from), IR_RANGES);
		text_f(&out, "%s(%lld, %lld)", out.n ? ", " : "", (long long)lo, (long long)hi);
		last = hi;
	} while (accept(p, ','));
	irp_expect(p, ')', "')'");
	a->text = strtab_add(&p->s->strs, text_str(&out));
}

/* captures(address, read_provenance, ret: none): what a call may keep of a pointer, and what its result may hold. */
static void captures_attr(Parser *p, IrAttr *a)
{
	static const struct {
		const char *word;
		u8          bits;
	} parts[] = {{"address_is_null", 1}, {"address", 3}, {"read_provenance", 4}, {"provenance", 12}};
	u32  kept[2] = {0, 0}; /* behind the call, in the result */
	bool of_result = false, none = false, some = false;
	irp_expect(p, '(', "'(' after captures");
	do {
		if (at(p, T_LABEL) && str_is(p->t.text, "ret") && !of_result) {
			of_result = true;
			none = some = false;
			irp_next(p);
		}
		u32 k = 0;
		while (k < PS_COUNT(parts) && !(at(p, T_WORD) && str_is(p->t.text, parts[k].word)))
			k++;
		none |= at_word(p, W_NONE);
		if (k < PS_COUNT(parts)) {
			kept[of_result] |= parts[k].bits;
			some = true;
		} else if (!at_word(p, W_NONE) || some) {
			irp_expected(p, "none, address, address_is_null, provenance or read_provenance");
		}
		if (none && some)
			irp_expected(p, "')' behind none");
		irp_next(p);
	} while (accept(p, ','));
	irp_expect(p, ')', "')' after captures");
	if (!p->panic)
		*a = ir_attr_captures(p->m, kept[of_result], kept[0]);
}

/* The text between the parentheses, as it stands. */
static void raw_attr(Parser *p, IrAttr *a)
{
	irp_expect(p, '(', "'('");
	const char *from = p->t.p, *end = from;
	u32         open = 0;
	while (!p->panic && !at(p, T_EOF) && (open || !at(p, ')'))) {
		open += at(p, '(') ? 1u : 0u;
		open -= at(p, ')') ? 1u : 0u;
		end = p->t.end;
		irp_next(p);
	}
	irp_expect(p, ')', "')'");
	a->text = strtab_add(&p->s->strs, (Str){from, (u32)(end - from)});
}

/* A bound of a range, which must fit in its type, unlike other constants. */
static IrRef range_bound(Parser *p, IrType t)
{
	u32 width = ir_type_is_int(p->m, t) ? ir_type(p->m, t)->bits : 64;
	if (at(p, T_INT) && width < 64 && (p->t.huge || p->t.num >> width)) {
		PARSE_ERROR(p, irp_token_range(p), IR_INT_TOO_BIG, STR_ARG(p->t.text), STR_ARG(irp_type_text(p, t)));
		return IR_NO_REF;
	}
	return irp_const(p, t);
}

/* range(i32 0, 10) */
static void range_attr(Parser *p, IrAttr *a)
{
	irp_expect(p, '(', "'('");
	const char *from = p->t.p;
	a->type = irp_type(p);
	IrRef lo = p->panic ? IR_NO_REF : range_bound(p, a->type);
	irp_expect(p, ',', "','");
	IrRef       hi = p->panic ? IR_NO_REF : range_bound(p, a->type);
	const char *end = p->t.p;
	irp_expect(p, ')', "')'");
	if (p->panic)
		return;
	if (!ir_as_int(p->m, lo, &a->a) || !ir_as_int(p->m, hi, &a->b))
		a->text = strtab_add(&p->s->strs, (Str){from, (u32)(end - from)});
}

static u32 access_word(Parser *p)
{
	u32 bits;
	if (at_word(p, W_NONE))
		bits = 0;
	else if (at_word(p, W_READ))
		bits = IRM_READ;
	else if (at_word(p, W_WRITE))
		bits = IRM_WRITE;
	else if (at_word(p, W_READWRITE))
		bits = IRM_READ | IRM_WRITE;
	else {
		irp_expected(p, "none, read, write or readwrite");
		return 0;
	}
	irp_next(p);
	return bits;
}

static void memory_attr(Parser *p, IrAttr *a)
{
	static const struct {
		const char *name;
		u32         shift, mask;
	} places[] = {{"argmem", IRM_ARG, 3 << IRM_ARG},
	              {"inaccessiblemem", IRM_INACCESSIBLE, 3 << IRM_INACCESSIBLE},
	              {"errnomem", IRM_ERRNO, 3 << IRM_ERRNO},
	              {"target_mem0", IRM_TARGET0, 3 << IRM_TARGET0},
	              {"target_mem1", IRM_TARGET1, 3 << IRM_TARGET1}};
	u32  all = 0;
	bool placed = false; /* what holds for the other places stands first */
	irp_expect(p, '(', "'(' after memory");
	do {
		u32 i = 0;
		if (!at(p, T_LABEL) && !placed) {
			all = access_word(p) * IRM_EACH;
			continue;
		}
		placed = true;
		while (i < PS_COUNT(places) && !str_is(p->t.text, places[i].name))
			i++;
		if (i == PS_COUNT(places)) {
			irp_expected(p, "argmem, inaccessiblemem, errnomem, target_mem0 or target_mem1");
			break;
		}
		irp_next(p);
		u32 bits = access_word(p);
		all = (all & ~places[i].mask) | (places[i].mask & bits << places[i].shift);
	} while (accept(p, ','));
	irp_expect(p, ')', "')' after memory");
	a->a = all;
}

static const char *const fp_classes[] = {"nan",  "inf",   "norm", "sub",   "zero",  "all",  "snan",  "qnan",
                                         "ninf", "nnorm", "nsub", "nzero", "pzero", "psub", "pnorm", "pinf"};
static const u16         fp_class_bits[] = {0x003, 0x204, 0x108, 0x090, 0x060, 0x3FF, 0x001, 0x002,
                                            0x004, 0x008, 0x010, 0x020, 0x040, 0x080, 0x100, 0x200};

static void fpclass_attr(Parser *p, IrAttr *a)
{
	irp_expect(p, '(', "'('");
	bool mask = at(p, T_INT);
	if (mask)
		irp_u64(p, "a mask", &a->a);
	if (a->a > 0x3FF)
		irp_expected(p, "')' behind a mask of ten bits");
	while (!mask && at(p, T_WORD)) {
		u32 i = 0;
		while (i < PS_COUNT(fp_classes) && !str_is(p->t.text, fp_classes[i]))
			i++;
		if (i == PS_COUNT(fp_classes)) {
			irp_expected(p, "a class of floating-point values");
			return;
		}
		a->a |= fp_class_bits[i];
		irp_next(p);
	}
	if (!a->a)
		irp_expected(p, "a class of floating-point values");
	irp_expect(p, ')', "')'");
}

/* uwtable without an argument equals uwtable(async). */
static void uwtable_attr(Parser *p, IrAttr *a)
{
	if (!accept(p, '('))
		return;
	if (at(p, T_WORD) && str_is(p->t.text, "sync"))
		a->text = irp_token_strid(p);
	else if (!at(p, T_WORD) || !str_is(p->t.text, "async"))
		irp_expected(p, "sync or async");
	irp_next(p);
	irp_expect(p, ')', "')' after uwtable");
}

static void attr_value(Parser *p, IrAttr *a, u32 place, IrType pointee)
{
	switch ((Form)infos[a->kind].form) {
	case FORM_FLAG:
		if (a->kind == IRA_NOCAPTURE)
			*a = ir_attr_captures_none(p->m);
		break;
	case FORM_INT: int_attr(p, a, place); break;
	case FORM_OPTINT: /* a number since LLVM 23: how much of the memory is meant; all of it is not promised then */
		if (at(p, '(')) {
			int_attr(p, a, place);
			a->kind = IRA_COUNT;
		}
		break;
	case FORM_TYPE: type_attr(p, a, pointee); break;
	case FORM_ALIGN: align_attr(p, a, place); break;
	case FORM_PAIR: pair_attr(p, a); break;
	case FORM_SCALE: scale_attr(p, a); break;
	case FORM_STRING: raw_attr(p, a); break;
	case FORM_CAPTURES: captures_attr(p, a); break;
	case FORM_RANGES: ranges_attr(p, a); break;
	case FORM_MEMORY: memory_attr(p, a); break;
	case FORM_RANGE: range_attr(p, a); break;
	case FORM_FPCLASS: fpclass_attr(p, a); break;
	case FORM_FPENV: break; /* fpenv_attr */
	case FORM_UWTABLE: uwtable_attr(p, a); break;
	}
}

static void push_attr(Parser *p, IrAttr a, u32 from);

/* preservesign, or preservesign|dynamic: of results and of operands, as the older attributes write them */
static StrId denormal_mode(Parser *p)
{
	static const struct {
		const char *word, *old;
	} modes[] = {
		{"ieee", "ieee"}, {"preservesign", "preserve-sign"}, {"positivezero", "positive-zero"}, {"dynamic", "dynamic"}};
	const char *way[2] = {NULL, NULL};
	for (u32 k = 0; k < 2 && (k == 0 || accept(p, '|')); k++) {
		for (u32 i = 0; i < PS_COUNT(modes) && at(p, T_WORD); i++)
			if (str_is(p->t.text, modes[i].word))
				way[k] = modes[i].old;
		if (!way[k]) {
			irp_expected(p, "ieee, preservesign, positivezero or dynamic");
			return (StrId){0};
		}
		irp_next(p);
	}
	return strtab_add(&p->s->strs, arena_fmt(p->arena, "%s,%s", way[0], way[1] ? way[1] : way[0]));
}

/* denormal_fpenv(MODE), (float: MODE) or (MODE, float: MODE): what were two strings before LLVM 22 */
static void fpenv_attr(Parser *p, u32 from)
{
	irp_expect(p, '(', "'(' after denormal_fpenv");
	do {
		bool   is_float = at(p, T_LABEL) && str_is(p->t.text, "float");
		IrAttr a = {.kind = IRA_STRING};
		if (is_float)
			irp_next(p);
		a.text = denormal_mode(p);
		a.key = strtab_add(&p->s->strs, is_float ? STR("denormal-fp-math-f32") : STR("denormal-fp-math"));
		if (!p->panic)
			push_attr(p, a, from);
	} while (accept(p, ','));
	irp_expect(p, ')', "')' after denormal_fpenv");
}

static void push_attr(Parser *p, IrAttr a, u32 from)
{
	if (p->attrs.n - from >= LIMIT_ATTRS) {
		PARSE_ERROR(p, irp_token_range(p), IR_LIMIT, "attributes", (u32)LIMIT_ATTRS);
		return;
	}
	vec_push(p->arena, &p->attrs, a);
}

static void string_attr(Parser *p, u32 from)
{
	IrAttr a = {.kind = IRA_STRING, .key = irp_token_strid(p)};
	irp_next(p);
	if (accept(p, '='))
		irp_string(p, &a.text);
	push_attr(p, a, from);
}

/* Is the current attribute allowed at this position? */
static void check_place(Parser *p, u32 place)
{
	u32 here = place & (P | F | R | V) ? place & (P | F | R | V) : F;
	u8  kind = p->t.word->attr;
	if (here == V) /* LLVM takes those of functions there */
		here |= F;
	if (infos[kind].places & here || (place & PLACE_GROUP && (kind == IRA_ALIGN || infos[kind].places & V)))
		return;
	if (here & V && kind == IRA_ALIGN) /* no comma before it: LLVM takes it, too, and it says nothing */
		return;
	PARSE_ERROR(p, irp_token_range(p), IR_ATTR_PLACE, p->t.word->text.p,
	            here == P   ? "parameters"
	            : here == R ? "results"
	            : here & V  ? "variables"
	                        : "functions");
}

void irp_attrs(Parser *p, u32 place)
{
	u32    from = p->attrs.n;
	IrType pointee = p->pointee;
	for (;;) {
		if (at(p, T_STRING)) {
			string_attr(p, from);
		} else if (at(p, T_GROUP) && !(place & PLACE_GROUP)) {
			vec_push(p->arena, &p->group_stack, ((GroupFixup){.group = (u32)p->t.num}));
			irp_next(p);
		} else if (at(p, T_WORD) && p->t.word && p->t.word->attr) {
			IrAttr a = {.kind = p->t.word->attr};
			if (a.kind == IRA_ALIGN && (place & (PLACE_FUNC | PLACE_CALL)) && !(place & PLACE_GROUP))
				return;
			check_place(p, place);
			irp_next(p);
			if (a.kind == IRA_DENORMAL_FPENV)
				fpenv_attr(p, from);
			else
				attr_value(p, &a, place, pointee);
			if (!p->panic && a.kind != IRA_COUNT && infos[a.kind].since <= IR_VERSION)
				push_attr(p, a, from);
		} else {
			return;
		}
	}
}

static IrAttrs take_fn_attrs(Parser *p, u32 from)
{
	u32     n = ir_fn_attrs_upgrade(p->attrs.p + from, p->attrs.n - from);
	IrAttrs set = ir_attrs_make(p->m, p->attrs.p + from, n);
	p->attrs.n = from;
	return set;
}

IrAttrs irp_take_attrs(Parser *p, u32 from)
{
	if (p->attrs.n == from)
		return (IrAttrs){0};
	IrAttrs set = ir_attrs_make(p->m, p->attrs.p + from, p->attrs.n - from);
	p->attrs.n = from;
	return set;
}

IrAttrs irp_fn_attrs(Parser *p, u32 place)
{
	u32 from = p->attrs.n;
	irp_attrs(p, place);
	return p->attrs.n == from ? (IrAttrs){0} : take_fn_attrs(p, from);
}

void irp_unknown_attr(Parser *p)
{
	Str         s = p->t.text;
	Diag       *d = PARSE_ERROR(p, irp_token_range(p), IR_UNKNOWN_ATTR, STR_ARG(s));
	const char *near = ir_word_nearest(&p->words, s, true);
	if (near)
		diag_hint(&p->s->diags, d, "did you mean '%s'?", near);
}

/* attributes #7 = { … } */
void irp_attribute_group(Parser *p)
{
	irp_next(p);
	if (!at(p, T_GROUP))
		irp_expected(p, "the number of an attribute group");
	u64 number = p->t.num;
	irp_next(p);
	irp_expect(p, '=', "'='");
	irp_expect(p, '{', "'{'");
	IrAttrs set = irp_fn_attrs(p, PLACE_FUNC | PLACE_GROUP);
	if (!p->panic && at(p, T_WORD) && !p->t.word)
		irp_unknown_attr(p);
	irp_expect(p, '}', "an attribute or '}'");
	if (p->panic)
		return;
	irp_num_set(p, &p->groups, number, set.i ? set.i : UINT32_MAX); /* the largest id: an empty group */
}

static void add_group(Parser *p, GroupFixup f)
{
	u32      set = irp_num_get(&p->groups, f.group);
	IrAttrs *to = f.kind == FIX_FUNC   ? &pages_of(&p->m->funcs, IrFunc, f.target)->fn
	              : f.kind == FIX_CALL ? &pages_of(&p->m->calls, IrCall, f.target)->fn
	                                   : &pages_of(&p->m->globals, IrGlobal, f.target)->attrs;
	if (set && set != UINT32_MAX)                            /* a group that is not defined is empty */
		*to = ir_attrs_union(p->m, *to, (IrAttrs){set}); /* groups win, the last one before all */
}

void irp_fixup(Parser *p, u32 kind, u32 target, u32 from)
{
	bool known = true;
	for (u32 i = from; i < p->group_stack.n; i++)
		known &= irp_num_get(&p->groups, p->group_stack.p[i].group) != 0;
	for (u32 i = from; i < p->group_stack.n; i++) {
		GroupFixup f = {kind, target, p->group_stack.p[i].group};
		if (known)
			add_group(p, f);
		else
			vec_push(p->arena, &p->fixups, f);
	}
	p->group_stack.n = from;
}

void irp_resolve_groups(Parser *p)
{
	for (u32 i = 0; i < p->fixups.n; i++)
		add_group(p, p->fixups.p[i]);
}

/* riscv_vls_cc(BITS): the word */
static u16 riscv_vls_cc(Parser *p)
{
	u32 bits = 0, cc = IRCC_RISCV_VLS;
	irp_next(p);
	irp_expect(p, '(', "'(' after riscv_vls_cc");
	SrcRange place = irp_token_range(p);
	irp_u32(p, UINT32_MAX, "the bits of a vector register", &bits);
	while (cc < IRCC_RISCV_VLS_LAST && 32u << (cc - IRCC_RISCV_VLS) != bits)
		cc++;
	if (!p->panic && 32u << (cc - IRCC_RISCV_VLS) != bits)
		PARSE_ERROR0(p, place, IR_RISCV_VLS);
	irp_expect(p, ')', "')' after riscv_vls_cc");
	return (u16)cc;
}

u16 irp_cc(Parser *p)
{
	u32 n = 0;
	if (at_word(p, W_CC)) {
		irp_next(p);
		irp_u32(p, 1023, "a calling convention", &n);
		return (u16)n;
	}
	if (at(p, T_WORD) && !p->t.word && str_is(p->t.text, "riscv_vls_cc"))
		return riscv_vls_cc(p);
	/* cc71 in one word: an old spelling */
	if (at(p, T_WORD) && !p->t.word && str_starts(p->t.text, "cc") && p->t.text.n > 2 && p->t.text.n < 7) {
		for (u32 i = 2; i < p->t.text.n; i++) {
			if (p->t.text.p[i] < '0' || p->t.text.p[i] > '9')
				return 0;
			n = n * 10 + (u32)(p->t.text.p[i] - '0');
		}
		irp_next(p);
		return (u16)PS_MIN(n, 1023u);
	}
	if (!at(p, T_WORD) || !p->t.word || !p->t.word->cc)
		return 0;
	n = p->t.word->cc - 1u;
	irp_next(p);
	return (u16)n;
}

IrAttrs irp_attrs_of_text(IrModule *m, Str text)
{
	Parser *p = arena_new(m->arena, Parser);
	p->s = m->s;
	p->arena = m->arena;
	p->m = m;
	if (m->words)
		p->words = *m->words;
	else
		ir_words_init(p->arena, &p->words);
	vec_reserve(p->arena, &p->attrs, 16);
	ir_lexer_init(&p->lexer, p->arena, &p->words, text);
	irp_first(p);
	return irp_fn_attrs(p, PLACE_FUNC);
}
