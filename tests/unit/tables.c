/* The tables that are text inside: every word in them is known, and every row can be reached. */
#include "unit.h"

#include "dag/pattern.h"
#include "isa/isa.h"
#include "isa/isa_impl.h"
#include "pass/pass.h"

static Session *new_session(Arena *a)
{
	Session *s = arena_new(a, Session);
	session_init(s, 64u << 20);
	return s;
}

TEST(tables, patterns_name_what_exists_and_are_reached)
{
	Session *s = new_session(a);
	Text     wrong;
	text_init(&wrong, a);
	EXPECT(dag_patterns_check(s, a, &wrong));
	EXPECT_STR(text_str(&wrong), "");
	session_free(s);
}

TEST(tables, instructions_name_slots_tokens_and_types)
{
	Session *s = new_session(a);
	jmp_buf  out;
	s->out = &out;
	if (setjmp(out) == 0)
		isa_self_check(s);
	EXPECT_STR(s->failure, "");
	session_free(s);
}

/* ---- rows that are found by their text, or tried in order ---- */

static void expect_different(const char *const *names, u32 n)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < i; k++)
			if (strcmp(names[i], names[k]) == 0)
				unit_fail(__FILE__, __LINE__, names[i]);
}

TEST(tables, a_text_names_one_row)
{
	static const char *const attributes[] = {
#define IR_ATTR(id, text, form, places, since, code) text,
#include "ir/attrs.def"
	};
	static const char *const operations[] = {
#define IR_OP(id, text, form, eval, flags) text,
#include "ir/ir_ops.def"
	};
	static const char *const words[] = {
#define IR_WORD(id, text) text,
#include "ir/words.def"
	};
	static const char *const types[] = {
#define IR_TYPE_WORD(text, id) text,
#include "ir/words.def"
	};
	static const char *const options[] = {
#define OPTION(id, name, kind, commands, value, help) name,
#include "api/options.def"
	};
	static const char *const knobs[] = {
#define KNOB_(id, name, type, def, min, max, values, kind, group, passes, help) name,
#include "config/knobs.def"
	};
	static const char *const faults[] = {
#define FAULT(id, name) name,
#include "simt/faults.def"
	};
	(void)a;
	expect_different(attributes, PS_COUNT(attributes));
	expect_different(operations, PS_COUNT(operations));
	expect_different(words, PS_COUNT(words));
	expect_different(types, PS_COUNT(types));
	expect_different(options, PS_COUNT(options));
	expect_different(knobs, PS_COUNT(knobs));
	expect_different(faults, PS_COUNT(faults));
}

TEST(tables, targets_rise_and_get_versions_that_exist)
{
	enum { LETTER_a = 'a', LETTER_f = 'f' };
	static const struct {
		u32  sm;
		char letter;
		u32  ptx;
	} targets[] = {
#define SM(number, ptx, what)           {number, 0, ptx},
#define SM_VARIANT(number, letter, ptx) {number, LETTER_##letter, ptx},
#define PTX(version)
#include "config/targets.def"
	};
	static const u32 versions[] = {
#define SM(number, ptx, what)
#define SM_VARIANT(number, letter, ptx)
#define PTX(version) version,
#include "config/targets.def"
	};
	(void)a;
	for (u32 i = 1; i < PS_COUNT(versions); i++)
		EXPECT(versions[i] > versions[i - 1]);
	for (u32 i = 0; i < PS_COUNT(targets); i++) {
		bool known = false, plain = !targets[i].letter;
		for (u32 k = 0; k < PS_COUNT(versions); k++)
			known |= versions[k] == targets[i].ptx;
		for (u32 k = 0; k < PS_COUNT(targets); k++)
			plain |= !targets[k].letter && targets[k].sm == targets[i].sm && targets[k].ptx <= targets[i].ptx;
		bool rises = !i || (!targets[i - 1].letter && targets[i].letter) || targets[i].sm > targets[i - 1].sm ||
		             (targets[i].sm == targets[i - 1].sm && targets[i].letter > targets[i - 1].letter);
		if (!known || !plain || !rises)
			unit_fail(__FILE__, __LINE__,
			          arena_fmt(a, "sm_%u%c: PTX %u", targets[i].sm, targets[i].letter ? targets[i].letter : ' ',
			                    targets[i].ptx)
			                  .p);
	}
}

TEST(tables, machines_rise)
{
	static const u32 machines[] = {
#define MACHINE(sm, name, registers, per_thread, predicates, warps, schedulers, source) sm,
#define COST(sm, unit, latency, from, lanes, source)
#define SPACE(sm, space, latency, source)
#include "isa/machine.def"
	};
	(void)a;
	for (u32 i = 1; i < PS_COUNT(machines); i++) /* the last one that is not newer is taken */
		EXPECT(machines[i] > machines[i - 1]);
}

TEST(tables, an_analysis_points_into_earlier_ones)
{
	static const u32 holds[] = {
#define ANALYSIS(id, level, holds, compute, equal, title) holds,
#include "pass/analyses.def"
	};
	(void)a;
	for (u32 i = 0; i < PS_COUNT(holds); i++)
		EXPECT(holds[i] >> i == 0);
}

enum { CONDITIONS = 3 };

typedef struct NeedOf {
	u16         op;
	bool        lack;
	u8          when[CONDITIONS][2];
	u16         sm, ptx;
	const char *text;
} NeedOf;

/* Is each condition of `x` one of `y`? Then x holds wherever y does. */
static bool implied(const NeedOf *x, const NeedOf *y)
{
	for (u32 i = 0; i < CONDITIONS; i++) {
		bool found = !x->when[i][0];
		for (u32 k = 0; k < CONDITIONS; k++)
			found |= x->when[i][0] == y->when[k][0] && x->when[i][1] == y->when[k][1];
		if (!found)
			return false;
	}
	return true;
}

TEST(tables, each_need_says_something)
{
	static const NeedOf rows[] = {
#define ANY          \
	{            \
		0, 0 \
	}
#define IS(slot, class, token)       {SLOT_##slot, TOK_##class##_##token},
#define WITH(item)                   {SLOT_form, 1 << (item)},
#define NEED(op, when, sm, ptx)      {ISA_##op, false, {when}, sm, ptx, #op " " #when},
#define LACK(op, when, sm, ptx, why) {ISA_##op, true, {when}, sm, ptx, #op " " #when},
#include "isa/needs.def"
	};
	(void)a;
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		const NeedOf *x = &rows[i];
		if (!x->lack && x->op && isa_row(x->op)->sm >= x->sm && isa_row(x->op)->ptx >= x->ptx)
			unit_fail(__FILE__, __LINE__, arena_fmt(a, "%s: the instruction needs more", x->text).p);
		for (u32 k = 0; k < PS_COUNT(rows); k++) {
			const NeedOf *y = &rows[k];
			bool          hidden = !x->lack && !y->lack && implied(y, x) && y->sm >= x->sm && y->ptx >= x->ptx;
			bool          never = x->lack && y->lack && implied(y, x) && y->sm <= x->sm && y->ptx <= x->ptx;
			if (i != k && x->op == y->op && (hidden || never))
				unit_fail(__FILE__, __LINE__, arena_fmt(a, "%s: behind %s", x->text, y->text).p);
		}
	}
}

UNIT_MAIN
