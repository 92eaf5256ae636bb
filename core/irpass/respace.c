/* respace.c: matches a call with the rows of respace.def, and makes the call that takes addresses of the narrower space. */
#include "ir/builder.h"
#include "irpass/respace.h"

#include "irpass/util.h"

enum { /* spaces that have a form: bits by number */
       GLOBAL = 1 << AS_GLOBAL,
       SHARED = 1 << AS_SHARED,
       LOCAL = 1 << AS_LOCAL,
       ANY = UINT8_MAX
};
enum { /* flags */
       VOLATILE = 1,
       TENSOR = 2
};
#define SUFFIX ""

struct Respace {
	u8          args, spaces;
	const char *spelling;
	u8          flags;
};

/* Without a spelling: no form in another space. */
static const Respace rows[IRFAM_COUNT] = {
#define RESPACE(family, args, spaces, spelling, flags) [IRFAM_##family] = {args, spaces, spelling, flags},
#include "irpass/respace.def"
};

const Respace *respace_of(const IrModule *m, IrRef call)
{
	if (!is_inst(m, call, IR_CALL) || ir_call(m, call)->n_bundles)
		return NULL;
	const Respace *r = &rows[ir_call_family(m, call)];
	u32            first = u64_log2(r->args & (0u - r->args));
	return r->spelling && first < ir_call(m, call)->n_args && is_ptr(m, ir_call_arg(m, call, first)) ? r : NULL;
}

bool respace_takes_address(const Respace *r, u32 i) { return i < 8 && (r->args >> i & 1); }

bool respace_has_form(const Respace *r, u32 space)
{
	return space != AS_GENERIC && (r->spaces == ANY || (space < 8 && (r->spaces >> space & 1)));
}

bool respace_is_volatile(const Respace *r, const IrModule *m, IrRef call)
{
	return (r->flags & VOLATILE) && !ir_is_zero(m, ir_call_arg(m, call, 3));
}

bool respace_is_matrix(const Respace *r) { return (r->flags & TENSOR) != 0; }

/* ---- names ---- */

static bool is_pointer_suffix(Str part)
{
	if (part.n < 2 || part.p[0] != 'p')
		return false;
	for (u32 i = 1; i < part.n; i++)
		if (part.p[i] < '0' || part.p[i] > '9')
			return false;
	return true;
}

/* The name with the space of `arg`, whose .pN is the `nth` from the end, counted from 0. */
static Str with_space(Arena *a, Str name, u32 nth, u32 space)
{
	u32 end = name.n;
	for (u32 at = name.n; at-- > 0;) {
		if (name.p[at] != '.')
			continue;
		Str part = {name.p + at + 1, end - at - 1};
		if (is_pointer_suffix(part) && nth-- == 0)
			return arena_fmt(a, "%.*s.p%u%.*s", (int)at, name.p, space, (int)(name.n - end), name.p + end);
		end = at;
	}
	return name;
}

static Str name_for(const Respace *r, const IrModule *m, Arena *a, IrRef call, const IrRef *args)
{
	Str name = callee_name(m, call);
	u32 nth = 0;
	for (u32 i = 8; i-- > 0;) {
		if (!respace_takes_address(r, i))
			continue;
		u32 space = value_space(m, args[i]);
		if (space == value_space(m, ir_call_arg(m, call, i)))
			;
		else if (*r->spelling)
			name = arena_fmt(a, "%.*s%s", STR_ARG(name), r->spelling);
		else
			name = with_space(a, name, nth, space);
		nth++;
	}
	return name;
}

IrRef respace_call(IrModule *m, Arena *scratch, IrRef call, const IrRef *args)
{
	const Respace *r = respace_of(m, call);
	Str            name = name_for(r, m, scratch, call, args);
	IrBuilder      b = ir_build_before(m, call);
	IrRef          n = ir_b_intrinsic(&b, name, ir_type_of(m, call), args, ir_call(m, call)->n_args);
	const IrCall  *from = ir_call(m, call);
	IrCall        *to = ir_call(m, n);
	to->params = from->params;
	to->ret = from->ret;
	to->fn = from->fn;
	ir_inst(m, n)->sub = ir_inst(m, call)->sub;
	ir_replace_all_uses(m, call, n);
	ir_take_place(m, n, call);
	ir_remove(m, call);
	return n;
}
