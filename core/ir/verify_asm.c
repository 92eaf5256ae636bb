/* verify_asm.c: the constraints of inline assembly, against each other and the type of the call.
 *
 *   "=r,=&f,*m,0,!i,~{memory}"   outputs, then inputs and labels, then clobbers
 *
 * `=` output, `!` label, `~` clobber, else input; then `*` at a pointer, `&` written early, `%` commutative; then one or
 * more codes: {register}, a digit (shares the register of that output), ^ab, @3abc, any letter; | between alternatives. */
#include "ir/verify.h"

typedef enum Kind { INPUT, OUTPUT, LABEL, CLOBBER } Kind;

typedef struct Constraint {
	u8   kind;
	bool indirect, tied;
} Constraint;

#define RULE(cond, ...)                                        \
	do {                                                   \
		if (!(cond))                                   \
			return irv_inst(v, call, __VA_ARGS__); \
	} while (0)

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Length of the code that begins `s`; 0: it is none. A digit: to `tie`. */
static u32 code(Str s, u32 *tie)
{
	u32 n = 1;
	switch (s.p[0]) {
	case '{':
		while (n < s.n && s.p[n] != '}')
			n++;
		return n < s.n ? n + 1 : 0;
	case '^': return s.n >= 3 ? 3 : 0;
	case '@':
		if (s.n < 2 || !is_digit(s.p[1]))
			return 0;
		n = 2 + (u32)(s.p[1] - '0');
		return n <= s.n ? n : 0;
	case '#':
	case '*':
	case '&':
	case '%': return 0;
	default:
		if (!is_digit(s.p[0]))
			return 1;
		for (*tie = (u32)(s.p[0] - '0'); n < s.n && is_digit(s.p[n]); n++)
			*tie = PS_MIN(*tie, 10000u) * 10 + (u32)(s.p[n] - '0');
		return n;
	}
}

/* What is wrong with the constraint, which becomes number `n` of `all`; NULL where nothing is. */
static const char *read(Str s, Constraint *all, u32 n)
{
	Constraint *c = &all[n];
	u32         tie = UINT32_MAX;
	*c = (Constraint){.kind = INPUT};
	if (s.n && (s.p[0] == '=' || s.p[0] == '!' || s.p[0] == '~')) {
		c->kind = s.p[0] == '=' ? OUTPUT : s.p[0] == '!' ? LABEL : CLOBBER;
		s = (Str){s.p + 1, s.n - 1};
	}
	if (c->kind == CLOBBER && (!s.n || s.p[0] != '{'))
		return "a clobber is ~{register} or ~{memory}";
	if (s.n && s.p[0] == '*') {
		c->indirect = true;
		s = (Str){s.p + 1, s.n - 1};
	}
	for (u32 seen = 0; s.n && (s.p[0] == '&' || s.p[0] == '%'); s = (Str){s.p + 1, s.n - 1}) {
		u32 bit = s.p[0] == '&' ? 1 : 2;
		if (seen & bit)
			return "'&' and '%' stand once";
		if (bit == 1 ? c->kind != OUTPUT : c->kind == CLOBBER)
			return "'&' marks an output, '%' an operand";
		seen |= bit;
	}
	if (!s.n)
		return "it names no register: r (32 bits), l (64), h (16), f, d, or {name}";
	while (s.n) {
		u32 length = code(s, &tie);
		if (!length)
			return "it is malformed: an output is =r, an input r, a clobber ~{memory}";
		s = (Str){s.p + length, s.n - length};
		if (tie == UINT32_MAX)
			continue;
		if (c->kind != INPUT || tie >= n || all[tie].kind != OUTPUT || all[tie].tied)
			return "a number stands at an input and names an output, which no other input names";
		all[tie].tied = true;
		tie = UINT32_MAX;
	}
	return NULL;
}

/* Results and arguments by the constraints. */
static bool check_operands(Verifier *v, IrRef call, const Constraint *all, u32 n)
{
	IrModule *m = v->m;
	u32       outputs = 0, inputs = 0, labels = 0, args = ir_call(m, call)->n_args;
	for (u32 i = 0; i < n; i++) {
		bool input = all[i].kind == INPUT || (all[i].kind == OUTPUT && all[i].indirect);
		outputs += all[i].kind == OUTPUT && !all[i].indirect;
		labels += all[i].kind == LABEL;
		if (!input)
			continue;
		inputs++;
		if (inputs > args)
			continue;
		bool element = ir_attrs_has(m, ir_call_param_attrs(m, call, inputs - 1), IRA_ELEMENTTYPE);
		RULE(!all[i].indirect || ir_type_is_ptr(m, ir_type_of(m, ir_call_arg(m, call, inputs - 1))),
		     "argument %u is for a constraint with '*': it must be a pointer", inputs);
		RULE(element == all[i].indirect,
		     all[i].indirect ? "argument %u is for a constraint with '*': it needs elementtype(...)"
		                     : "argument %u has elementtype, its constraint no '*'",
		     inputs);
	}
	RULE(inputs == args, "%u argument%s for %u input constraint%s", args, args == 1 ? "" : "s", inputs,
	     inputs == 1 ? "" : "s");
	IrType t = ir_inst(m, call)->type;
	bool   is_struct = ir_type_kind(m, t) == IRT_STRUCT;
	u32    results = t.i == IR_TY_VOID ? 0 : is_struct ? (u32)ir_type_count(m, t) : 1;
	RULE((results == outputs || (outputs == 1 && !results)) && (outputs != 1 || !is_struct) && (outputs < 2 || is_struct),
	     "%u output constraint%s, but the result is '%.*s': it is void without one, a value for one, a struct for more",
	     outputs, outputs == 1 ? "" : "s", STR_ARG(irv_type(v, t)));
	bool branches = ir_inst(m, call)->op == IR_CALLBR;
	RULE(branches || !labels, "only callbr takes label constraints");
	RULE(!branches || labels + 1 == ir_n_succs(m, ir_inst(m, call)->block), "%u label constraints for %u labels", labels,
	     ir_n_succs(m, ir_inst(m, call)->block) - 1);
	return true;
}

bool irv_check_asm(Verifier *v, IrRef call)
{
	IrModule *m = v->m;
	Str       text = ir_str(m, ir_asm(m, ir_callee(m, call))->constraints);
	u32       n = 0, count = text.n > 0;
	Kind      reached = OUTPUT;
	RULE(!ir_type(m, ir_call(m, call)->type)->vararg, "inline assembly takes no variable number of arguments");
	for (u32 i = 0; i < text.n; i++)
		count += text.p[i] == ',';
	Constraint *all = arena_array(&v->scratch, Constraint, count + 1);
	for (u32 i = 0; n < count; n++) {
		u32 end = i;
		while (end < text.n && text.p[end] != ',')
			end++;
		Str         one = {text.p + i, end - i};
		const char *fault = read(one, all, n);
		RULE(!fault, "constraint \"%.*s\": %s", STR_ARG(one), fault);
		Kind kind = (Kind)all[n].kind;
		RULE(kind != OUTPUT || reached == OUTPUT, "constraint \"%.*s\": outputs come before inputs, labels and clobbers",
		     STR_ARG(one));
		RULE(kind == CLOBBER || reached != CLOBBER, "constraint \"%.*s\": clobbers come last", STR_ARG(one));
		if (kind != OUTPUT && reached != CLOBBER)
			reached = kind;
		i = end + 1;
	}
	return check_operands(v, call, all, n);
}
