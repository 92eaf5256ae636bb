/* intrinsic.c: the rows of intrinsics.def: finding the one a name means, and what it promises.
 * signature.c has their types. */
#include "base/packed.h"
#include "ir/intrinsic.h"
#include "ir/names.h"
#include "ir/parse.h"
#include "ir/signature.h"
#include "ir/upgrade.h"
#include "isa/isa.h"

enum {
	EFFECT_FIRST,
#define IR_EFFECT(id, attributes) EFFECT_##id,
#include "ir/intrinsics.def"
};

static const char *const effects[] = {
	"",
#define IR_EFFECT(id, attributes) attributes,
#include "ir/intrinsics.def"
};

/* The text of a lowering: of an instruction. */
#define TEXT_OF_NODE(op)                      ""
#define TEXT_OF_INSN(text)                    text
#define TEXT_OF_INSN_ID(id, text)             text
#define TEXT_OF_FORM(text)                    text
#define TEXT_OF_FORM_FROM(sm, ptx, text)      text
#define TEXT_OF_CODE(function, what)          ""
#define TEXT_OF_VP(kind, op)                  ""
#define TEXT_OF_LIBM(name, node, how, factor) "__nv_" #name
#define TEXT_OF_NOTHING                       ""
#define TEXT_OF_NONE                          ""

static const struct Texts {
#define IR_INTRINSIC(names, signature, effect, immediates, family, lowering) \
	PACKED_MEMBER(names "\0" signature "\0" TEXT_OF_##lowering)
#include "ir/intrinsics.def"
} texts = {
#define IR_INTRINSIC(names, signature, effect, immediates, family, lowering) names "\0" signature "\0" TEXT_OF_##lowering,
#include "ir/intrinsics.def"
};

static const struct {
	u32 text; /* in texts: names, signature, instruction */
	u16 immediates;
	u8  effect, family;
} rows[] = {
#define IR_INTRINSIC(names, signature, effect, immediates, family, lowering) \
	{PACKED_AT(struct Texts), immediates, EFFECT_##effect, IRFAM_##family},
#include "ir/intrinsics.def"
};

const char *ir_intrinsic_names(u32 row) { return packed_text(&texts, rows[row - 1].text); }

const char *ir_intrinsic_signature(u32 row) { return packed_next(ir_intrinsic_names(row)); }

const char *ir_intrinsic_insn(u32 row) { return packed_next(ir_intrinsic_signature(row)); }

/* ---- names ---- */

static const IrNameTable table = {ir_intrinsic_names, PS_COUNT(rows)};

static u32 row_of_name(const IrModule *m, Str name) { return ir_names_find(m->intrinsic_names, m->arena, &table, name); }

u32 ir_intrinsic_of_name(const IrModule *m, Str name)
{
	u32 row = row_of_name(m, name);
	/* A suffix that is none of types says nothing, as the call does: of the row with the longest name in front of it. */
	bool plain = !row && str_starts(name, "llvm.") && !str_starts(name, "llvm.nvv") && !ir_upgrade_row(m, name);
	for (u32 n = name.n; plain && !row && n > 6; n--)
		if (name.p[n - 1] == '.') {
			u32         start = row_of_name(m, (Str){name.p, n - 1});
			const char *names = start ? ir_intrinsic_names(start) : "";
			row = *names && names[strlen(names) - 1] == '*' ? start : 0;
		}
	return row;
}

/* ---- what the global remembers: the row, or NOT_KNOWN; the detail; how the name starts */

enum { NOT_KNOWN = UINT16_MAX, DETAIL_SHIFT = 16, DETAIL_MASK = 0x3fff };
#define IS_LLVM (1u << 30)
#define IS_NVVM (1u << 31)
_Static_assert(PS_COUNT(rows) < NOT_KNOWN, "a row fits into the lower half");

/* What follows `start` in the name; nothing where it starts in another way. */
static Str behind(Str name, const char *start)
{
	u32 n = (u32)strlen(start);
	return str_starts(name, start) ? (Str){name.p + n, name.n - n} : (Str){name.p, 0};
}

/* nvvm.atomic.OP.gen.KIND.SCOPE…: the scope is the fourth word behind atomic; atomic.load.OP.TYPE has none. */
static u32 scope_of(Str word)
{
	u32 n = 0;
	while (n < 3 && word.n) {
		n += *word.p == '.';
		word = (Str){word.p + 1, word.n - 1};
	}
	return str_starts(word, "cta") ? TOK_scope_cta : str_starts(word, "sys") ? TOK_scope_sys : 0;
}

/* What the name says besides the row: the special register, the space of isspacep, the scope. */
static u32 detail_of(u32 family, Str name)
{
	const IsaSpace *space = NULL;
	switch ((IrFamily)family) {
	case IRFAM_SREG: return isa_sreg_find_llvm(behind(name, "llvm.nvvm.read.ptx.sreg."));
	case IRFAM_ATOMIC: return scope_of(behind(name, "llvm.nvvm.atomic."));
	case IRFAM_ISSPACEP: space = isa_space_of_query(behind(name, "llvm.nvvm.isspacep.")); break;
	default: return 0;
	}
	return space ? space->number : 0;
}

static u32 found(const IrModule *m, IrRef global)
{
	IrGlobal *g = ir_global(m, global);
	if (!g->intrinsic) {
		Str name = ir_str(m, g->name);
		u32 row = ir_intrinsic_of_name(m, name);
		g->intrinsic = row ? row | detail_of(rows[row - 1].family, name) << DETAIL_SHIFT : NOT_KNOWN;
		g->intrinsic |= str_starts(name, "llvm.nvvm.") ? IS_LLVM | IS_NVVM : str_starts(name, "llvm.") ? IS_LLVM : 0;
	}
	return g->intrinsic;
}

bool ir_is_llvm_name(const IrModule *m, IrRef global)
{
	return ir_kind(global) == IR_GLOBAL && (found(m, global) & IS_LLVM) != 0;
}

i32 ir_mask_element(IrModule *m, IrRef mask, u32 i)
{
	u64 k;
	if (ir_kind(mask) != IR_CONST)
		return -1;
	IrRef e = ir_const_elem(m, mask, i);
	if (!ir_is_none(e) && ir_as_int(m, e, &k))
		return (i32)k;
	return !ir_is_none(e) && ir_is_undef(m, e) ? 0 : -1;
}

bool ir_is_store_with_gaps(IrModule *m, IrRef call)
{
	enum { BYTES = 32 };
	if (ir_call_family(m, call) != IRFAM_MASKED_STORE)
		return false;
	IrType        t = ir_type_of(m, ir_call_arg(m, call, 0)), e = ir_scalar_type(m, t);
	u32           space = ir_type(m, ir_type_of(m, ir_call_arg(m, call, 1)))->bits;
	u64           bits = ir_size_bits(m, e), n = ir_type_count(m, t);
	const IrAttr *align = ir_call_param_attr(m, call, 1, IRA_ALIGN);
	if (space != AS_GLOBAL || isa_access_bytes(&m->s->target, space) < BYTES || !align || align->a < BYTES)
		return false;
	for (u32 i = 0; i < n; i++)
		if (ir_mask_element(m, ir_call_arg(m, call, 2), i) < 0)
			return false;
	return (bits == 32 || bits == 64) && n * bits == 8 * BYTES;
}

const IrFamilyInfo ir_family_info[IRFAM_COUNT] = {
#define IR_FAMILY(id, divergence, forwards) {IRDIV_##divergence, forwards},
#include "ir/intrinsics.def"
};

IrFamily ir_call_family(const IrModule *m, IrRef call)
{
	u32 row = ir_intrinsic_of(m, ir_callee(m, call));
	return row ? (IrFamily)rows[row - 1].family : IRFAM_PLAIN;
}

static bool is_call(const IrModule *m, IrRef i) { return ir_kind(i) == IR_INST && ir_inst(m, i)->op == IR_CALL; }

bool ir_is_trap(const IrModule *m, IrRef i) { return is_call(m, i) && ir_call_family(m, i) == IRFAM_TRAP; }

bool ir_is_exit(const IrModule *m, IrRef i)
{
	return is_call(m, i) && ir_kind(ir_callee(m, i)) == IR_ASM &&
	       str_is(ir_str(m, ir_asm(m, ir_callee(m, i))->text), "exit;");
}

u32 ir_call_detail(const IrModule *m, IrRef call)
{
	IrRef f = ir_callee(m, call);
	return ir_kind(f) == IR_GLOBAL ? found(m, f) >> DETAIL_SHIFT & DETAIL_MASK : 0;
}

bool ir_call_is_nvvm(const IrModule *m, IrRef call)
{
	IrRef f = ir_callee(m, call);
	return ir_kind(f) == IR_GLOBAL && (found(m, f) & IS_NVVM) != 0;
}

u32 ir_intrinsic_of(const IrModule *m, IrRef global)
{
	if (ir_kind(global) != IR_GLOBAL)
		return 0;
	u32 row = found(m, global) & UINT16_MAX;
	return row == NOT_KNOWN ? 0 : row;
}

u32 ir_call_intrinsic(const IrModule *m, IrRef call)
{
	IrFunc *f = ir_called(m, call);
	return f ? ir_intrinsic_of(m, f->ref) : 0;
}

/* How far into the name a pattern goes. */
static u32 reach(const char *pattern, Str name, u32 from)
{
	u32 n = from, best = from;
	for (; *pattern && *pattern != '{' && n < name.n && *pattern == name.p[n]; pattern++)
		best = ++n;
	if (*pattern != '{')
		return best;
	const char *close = strchr(pattern, '}');
	for (const char *at = pattern + 1; at <= close; at++) {
		u32 k = n;
		for (; *at != ',' && *at != '}'; at++)
			k += k < UINT32_MAX && k < name.n && *at == name.p[k] ? 1u : UINT32_MAX - k;
		if (k != UINT32_MAX) {
			u32 r = reach(close + 1, name, k);
			best = PS_MAX(best, r);
		}
	}
	return best;
}

/* The spelled name with the fewest slips, so far. */
typedef struct Nearest {
	Str  name, base; /* as written; without its suffix of types */
	char at[40], best[40];
	u32  n, slips;
	bool typed, ends;
} Nearest;

/* Every name of a pattern, `n` characters of which stand. Recursion is bounded by the groups of a row. */
static void near_names(Nearest *x, const char *pattern, u32 n)
{
	for (; *pattern && *pattern != '{' && *pattern != '*'; pattern++) {
		if (n == sizeof x->at)
			return;
		x->at[n++] = *pattern;
	}
	if (*pattern == '{') {
		const char *close = strchr(pattern, '}');
		for (const char *from = pattern + 1; from <= close;) {
			u32 k = (u32)strcspn(from, ",}");
			if (k > sizeof x->at - n)
				return;
			memcpy(x->at + n, from, k);
			near_names(x, close + 1, n + k);
			from += k + 1;
		}
		return;
	}
	Str want = *pattern ? x->base : x->name;
	if (n + x->slips < want.n || want.n + x->slips < n)
		return;
	u32  d = str_distance(want, (Str){x->at, n});
	bool ends =
		n <= want.n || memcmp(x->at, want.p, want.n) != 0; /* else it goes on where the name ends: nearer than others */
	if (d > x->slips || (d == x->slips && ends >= x->ends))
		return;
	x->slips = d;
	x->ends = ends;
	x->n = n;
	x->typed = *pattern != 0;
	memcpy(x->best, x->at, n);
}

bool ir_intrinsic_nearest(Str name, Text *out)
{
	Nearest     x = {.name = name, .base = name};
	u32         far = PS_MAX(name.n / 2, 8u);
	const char *found = NULL;
	for (u32 i = 6; i < name.n && x.base.n == name.n; i++)
		if (name.p[i] == '.' && ir_is_type_suffix(name.p + i, name.p + name.n))
			x.base.n = i;
	u32 most = x.slips = x.base.n > 9 ? 3 : 2;
	for (u32 row = 1; row <= PS_COUNT(rows); row++)
		near_names(&x, ir_intrinsic_names(row), 0);
	for (u32 row = 1; ir_upgrade_names(row); row++)
		near_names(&x, ir_upgrade_names(row), 0);
	if (x.slips < most) {
		u32 types = name.n - x.base.n;
		text_add(out, (Str){x.best, x.n});
		text_add(out, !x.typed ? (Str){0} : types ? (Str){name.p + x.base.n, types} : STR("*"));
		return true;
	}
	for (u32 row = 1; row <= PS_COUNT(rows); row++) {
		u32 r = reach(ir_intrinsic_names(row), name, 0);
		if (r > far) {
			far = r;
			found = ir_intrinsic_names(row);
		}
	}
	text_s(out, found ? found : "");
	return found != NULL;
}

u32 ir_intrinsic_constants(u32 row) { return rows[row - 1].immediates; }

void ir_intrinsic_choices(Str name, u32 row, u8 choice[IR_MAX_GROUPS])
{
	memset(choice, 0, IR_MAX_GROUPS);
	ir_name_matches(ir_intrinsic_names(row) + 5, name.p + 5, name.p + name.n, choice);
}

/* The shortest start of the name that the row takes without one. */
Str ir_intrinsic_suffix(Str name, u32 row)
{
	for (u32 i = 6; i < name.n; i++)
		if (name.p[i] == '.' && ir_is_type_suffix(name.p + i, name.p + name.n) &&
		    ir_name_matches(ir_intrinsic_names(row) + 5, name.p + 5, name.p + i, NULL))
			return (Str){name.p + i, name.n - i};
	bool whole = ir_name_matches(ir_intrinsic_names(row) + 5, name.p + 5, name.p + name.n, NULL);
	for (u32 i = 6; !whole && i < name.n; i++) /* one that is none of types */
		if (name.p[i] == '.' && ir_name_matches(ir_intrinsic_names(row) + 5, name.p + 5, name.p + i, NULL))
			return (Str){name.p + i, name.n - i};
	return (Str){name.p + name.n, 0};
}

IrType ir_intrinsic_type(IrModule *m, u32 row)
{
	IrType over[IR_MAX_OVERLOADS] = {0};
	return ir_signature_type(m, ir_intrinsic_signature(row), over);
}

bool ir_intrinsic_info(u32 i, IrIntrinsicInfo *info)
{
	if (i >= PS_COUNT(rows))
		return false;
	*info = (IrIntrinsicInfo){ir_intrinsic_names(i + 1), ir_intrinsic_signature(i + 1), effects[rows[i].effect],
	                          rows[i].immediates, rows[i].family};
	return true;
}

/* ---- attributes ---- */

/* Sets of the effects, made when first asked for; by effect, id + 1. */
static IrAttrs effect_set(IrModule *m, u32 effect)
{
	if (!m->effect_sets.n)
		vec_extend(m->arena, &m->effect_sets, PS_COUNT(effects));
	u32 *slot = &m->effect_sets.p[effect];
	if (!*slot)
		*slot = irp_attrs_of_text(m, str_of(effects[effect])).i + 1;
	return (IrAttrs){*slot - 1};
}

/* Reads of special registers: noundef, and their range. */
static IrAttrs result_set(IrModule *m, IrFunc *f)
{
	IrType            t = ir_func_ret(m, ir_global(m, f->ref)->type);
	const IsaSregRow *r = isa_sreg(found(m, f->ref) >> DETAIL_SHIFT & DETAIL_MASK);
	IrAttr            a[2] = {{.kind = IRA_NOUNDEF}, {.kind = IRA_RANGE, .type = t, .a = r->least, .b = (u64)r->most + 1}};
	return ir_attrs_make(m, a, r->least <= r->most && t.i == IR_TY_I32 ? 2 : 1);
}

void ir_intrinsic_set_attrs(IrModule *m, IrFunc *f)
{
	u32 row = ir_intrinsic_of(m, f->ref);
	if (!row)
		return;
	f->fn = effect_set(m, rows[row - 1].effect);
	if (rows[row - 1].family == IRFAM_SREG)
		f->ret = result_set(m, f);
	for (u32 i = 0; i < f->n_args; i++)
		if (i < 16 && ir_intrinsic_constants(row) >> i & 1) {
			IrArg *a = ir_arg(m, ir_func_arg(f, i));
			a->attrs = ir_attrs_with(m, a->attrs, (IrAttr){.kind = IRA_IMMARG});
		}
}
