/* tokens.c: the tables slots.def, classes.def, spaces.def and sregs.def as arrays, and look-ups by number, text and letter. */
#include "isa/isa_impl.h"

#include "base/packed.h"

/* Text and id of each token, one behind another. */
static const struct Texts {
#define CLASS(id, summary)
#define TOKEN(class, id, text)                         char class##_##id[sizeof(text "\0" #id)];
#define TYPE(id, text, bits, kind, rc, lanes, summary) char type_##id[sizeof(text "\0" #id)];
#define SLOT(id, class, summary)
#include "isa/slots.def"
} texts = {
#define CLASS(id, summary)
#define TOKEN(class, id, text)                         text "\0" #id,
#define TYPE(id, text, bits, kind, rc, lanes, summary) text "\0" #id,
#define SLOT(id, class, summary)
#include "isa/slots.def"
};

static const u16 token[] = {
#define CLASS(id, summary)
#define TOKEN(class, id, text)                         offsetof(struct Texts, class##_##id),
#define TYPE(id, text, bits, kind, rc, lanes, summary) offsetof(struct Texts, type_##id),
#define SLOT(id, class, summary)
#include "isa/slots.def"
};

/* Where a class begins in token[]: the enumerators count tokens, a class's own takes no number. */
enum {
#define CLASS(id, summary)                             FIRST_##id, FIRST_back_##id = FIRST_##id - 1,
#define TOKEN(class, id, text)                         AT_##class##_##id,
#define TYPE(id, text, bits, kind, rc, lanes, summary) AT_type_##id,
#define SLOT(id, class, summary)
#include "isa/slots.def"
	TOKENS
};

static const u16 class_first[CLASS_COUNT + 1] = {
	0,
#define CLASS(id, summary) FIRST_##id,
#define TOKEN(class, id, text)
#define TYPE(id, text, bits, kind, rc, lanes, summary)
#define SLOT(id, class, summary)
#include "isa/slots.def"
	TOKENS,
};
_Static_assert(TOKENS == PS_COUNT(token), "every token is counted once");

static const struct {
	const char *name;
	u8 class;
} slot_row[SLOT_COUNT] = {
#define CLASS(id, summary)
#define TOKEN(class, id, text)
#define TYPE(id, text, bits, kind, rc, lanes, summary)
#define SLOT(id, class, summary) {#id, CLASS_##class},
#include "isa/slots.def"
};

static const IsaType type_row[] = {
	{0},
#define CLASS(id, summary)
#define TOKEN(class, id, text)
#define TYPE(id, text, bits, kind, rc, lanes, summary) {bits, ISA_KIND_##kind, RC_##rc, lanes, (bits) / (lanes)},
#define SLOT(id, class, summary)
#include "isa/slots.def"
};

u32 isa_slot_class(u32 slot) { return slot_row[slot].class; }

u32 isa_class_tokens(u32 class) { return class ? (u32)(class_first[class + 1] - class_first[class]) : 0; }

/* The text, and behind it the id; NULL where there is no such token. */
static const char *token_at(u32 class, u32 t)
{
	return t && t <= isa_class_tokens(class) ? packed_text(&texts, token[class_first[class] + t - 1]) : NULL;
}

Str isa_class_text(u32 class, u32 t)
{
	const char *text = token_at(class, t);
	return text ? str_of(text) : (Str){0};
}

Str isa_class_id(u32 class, u32 t)
{
	const char *text = token_at(class, t);
	return text ? str_of(packed_next(text)) : (Str){0};
}

const char *isa_token_text(IsaSlot slot, u32 t)
{
	const char *text = token_at(isa_slot_class(slot), t);
	return text ? text : "";
}

static u32 class_find(u32 class, Str text)
{
	for (u32 t = 1; t <= isa_class_tokens(class); t++)
		if (str_is(text, token_at(class, t)))
			return t;
	return 0;
}

u32 isa_token_find(IsaSlot slot, Str text) { return class_find(isa_slot_class(slot), text); }

const char *isa_slot_name(IsaSlot slot) { return slot_row[slot].name; }

u32 isa_slot_by_name(Str name)
{
	for (u32 i = 1; i < SLOT_COUNT; i++)
		if (str_is(name, slot_row[i].name))
			return i;
	return SLOT_none;
}

/* ---- lists of tokens */

static const struct {
	const char *name, *list;
} type_set[] = {
	{"bits", "b16|b32|b64"},
	{"bits8", "b8|b16|b32|b64"},
	{"int", "u16|u32|u64|s16|s32|s64"},
	{"int8", "u8|u16|u32|u64|s8|s16|s32|s64"},
	{"int16x2", "u16x2|s16x2"},
	{"half", "f16|f16x2|bf16|bf16x2"},
	{"fp8x2", "e4m3x2|e5m2x2|e2m3x2|e3m2x2"},
};

static Str list_next(Str *list)
{
	Str word = *list;
	for (word.n = 0; word.n < list->n && list->p[word.n] != '|'; word.n++)
		;
	u32 used = PS_MIN(word.n + 1, list->n);
	list->p += used;
	list->n -= used;
	return word;
}

bool isa_token_allowed(u32 class, u32 t, Str list)
{
	if (!list.n)
		return true;
	Str text = isa_class_text(class, t), id = isa_class_id(class, t);
	while (list.n) {
		Str word = list_next(&list);
		if (str_eq(word, text) || str_eq(word, id))
			return true;
		for (u32 i = 0; class == CLASS_type && i < PS_COUNT(type_set); i++)
			if (str_is(word, type_set[i].name) && isa_token_allowed(class, t, str_of(type_set[i].list)))
				return true;
	}
	return false;
}

Str isa_unknown_token(u32 class, Str list)
{
	while (list.n) {
		Str  word = list_next(&list);
		bool known = false;
		for (u32 t = 1; t <= isa_class_tokens(class) && !known; t++)
			known = isa_token_allowed(class, t, word);
		if (!known)
			return word;
	}
	return (Str){0};
}

/* ---- types and register classes */

const IsaType *isa_type(u32 t) { return &type_row[t < PS_COUNT(type_row) ? t : 0]; }

u32 isa_type_of(IsaKind kind, u32 bits)
{
	for (u32 i = 1; i < PS_COUNT(type_row); i++)
		if (type_row[i].kind == kind && type_row[i].bits == bits && type_row[i].lanes == 1)
			return i;
	return 0;
}

/* ---- register classes */

enum {
	TYPE_BITS_none = 0,
#define CLASS(id, summary)
#define TOKEN(class, id, text)
#define TYPE(id, text, bits, kind, rc, lanes, summary) TYPE_BITS_##id = bits,
#define SLOT(id, class, summary)
#include "isa/slots.def"
#define PRESSURE(id, bits) PRESSURE_BITS_##id = bits,
#include "isa/classes.def"
};

#define RCLASS(id, name, file, units, align, prefix, as, type, column, move, letter)                           \
	_Static_assert(TYPE_BITS_##type % PRESSURE_BITS_##column == 0, "a value counts in its column a whole " \
	                                                               "number of times");                     \
	_Static_assert((int)FILE_##file != (int)FILE_R || (units)*32 == TYPE_BITS_##type * ISA_UNITS_PER_REG,  \
	               "units of file R follow from the width");                                               \
	_Static_assert(TYPE_BITS_##move == TYPE_BITS_##type, "moves are as wide as the class");
#include "isa/classes.def"

const IsaClassInfo isa_class_info[RC_COUNT] = {
	[RC_NONE] = {.name = "_", .prefix = ""},
#define RCLASS(id, name_, file_, units_, align_, prefix_, as_, type_, column_, move_, letter_) \
	[RC_##id] = {.name = name_,                                                            \
	             .prefix = prefix_,                                                        \
	             .bits = TYPE_BITS_##type_,                                                \
	             .file = FILE_##file_,                                                     \
	             .units = units_,                                                          \
	             .align = align_,                                                          \
	             .as = RC_##as_,                                                           \
	             .type = TOK_type_##type_,                                                 \
	             .column = PRESSURE_##column_,                                             \
	             .weight = TYPE_BITS_##type_ / PRESSURE_BITS_##column_,                    \
	             .move = TOK_type_##move_,                                                 \
	             .letter = letter_},
#include "isa/classes.def"
};

const char *const isa_pressure_name[PRESSURE_COLUMNS] = {
#define PRESSURE(id, bits) #id,
#include "isa/classes.def"
};

IsaClass isa_class_find(Str name)
{
	for (u32 i = 1; i < RC_COUNT; i++)
		if (str_is(name, isa_class_info[i].name))
			return (IsaClass)i;
	return RC_NONE;
}

IsaClass isa_class_of_letter(char letter)
{
	for (u32 i = 1; i < RC_COUNT; i++)
		if (isa_class_info[i].letter == letter)
			return (IsaClass)i;
	return RC_NONE;
}

/* ---- address spaces */

static const IsaSpace space_row[] = {
#define SPACE(id, number, token, pointer, query, memory, flags) \
	{query, number, TOK_space_##token, TOK_space_##pointer, SPACE_##memory, flags},
#include "isa/spaces.def"
};

static const struct {
	u8 token, number;
} space_alias[] = {
#define SPACE_ALIAS(token, id) {TOK_space_##token, AS_##id},
#include "isa/spaces.def"
};

const IsaSpace *isa_space_at(u32 row) { return row < PS_COUNT(space_row) ? &space_row[row] : NULL; }

const IsaSpace *isa_space(u32 number)
{
	for (u32 i = 0; i < PS_COUNT(space_row); i++)
		if (space_row[i].number == number)
			return &space_row[i];
	return NULL;
}

u32 isa_space_bit(u32 number)
{
	const IsaSpace *s = isa_space(number);
	return s ? 1u << (s - space_row) : 0;
}

const IsaSpace *isa_space_of_bit(u32 bit) { return bit && (bit & (bit - 1)) == 0 ? isa_space_at(u64_log2(bit)) : NULL; }

const IsaSpace *isa_space_of_token(u32 token)
{
	for (u32 i = 0; i < PS_COUNT(space_alias); i++)
		if (space_alias[i].token == token)
			return isa_space(space_alias[i].number);
	for (u32 i = 0; i < PS_COUNT(space_row); i++)
		if (space_row[i].token == token)
			return &space_row[i];
	return NULL;
}

const IsaSpace *isa_space_of_query(Str word)
{
	for (u32 i = 0; i < PS_COUNT(space_row) && word.n; i++)
		if (str_is(word, space_row[i].query))
			return &space_row[i];
	return NULL;
}

u32 isa_space_token(u32 number)
{
	const IsaSpace *s = isa_space(number);
	return s ? s->token : 0;
}

bool isa_space_is(u32 number, u32 flags)
{
	const IsaSpace *s = isa_space(number);
	return s && (s->flags & flags) == flags;
}

/* ---- special registers */

static const IsaSregRow sreg_row[SREG_COUNT] = {
	[SREG_NONE] = {.text = "", .id = "", .summary = ""},
#define RANGE(least, most) least, most
#define ANY                1, 0
#define SREG(id, text, type, part, divergence, source, range, sm, ptx, summary) \
	{text, #id, summary, TOK_type_##type, PART_##part, DIV_##divergence, SR_##source, sm, ptx, range},
#include "isa/sregs.def"
#undef RANGE
#undef ANY
};

const IsaSregRow *isa_sreg(u32 sreg) { return &sreg_row[sreg < SREG_COUNT ? sreg : 0]; }

u32 isa_sreg_find(Str text)
{
	for (u32 i = 1; i < SREG_COUNT; i++)
		if (str_is(text, sreg_row[i].text))
			return i;
	return SREG_NONE;
}

u32 isa_sreg_find_llvm(Str name)
{
	for (u32 i = 1; i < SREG_COUNT; i++) {
		const char *id = sreg_row[i].id;
		u32         n = 0;
		while (n < name.n && id[n] && id[n] == (name.p[n] == '.' ? '_' : name.p[n]))
			n++;
		if (n == name.n && !id[n])
			return i;
	}
	return SREG_NONE;
}

u32 isa_sreg_element(u32 sreg, u32 element) { return isa_sreg(sreg)->part == PART_VECTOR ? sreg + element : sreg; }
