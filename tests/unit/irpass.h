/* irpass.h: IR in, a pass or several, IR out. */
#ifndef PS_UNIT_IRPASS_H
#define PS_UNIT_IRPASS_H

#include "ir/text.h"
#include "pass/manager.h"
#include "pass/trace.h"
#include "session.h"

typedef struct Bench {
	Session   s;
	IrModule *m;
	Manager   manager;
	Trace     trace;
	Text      dump;
	Arena     scratch;
	jmp_buf   out;
	bool      started;
} Bench;

static inline Bench *bench_open(Arena *a, const char *text)
{
	Bench *b = arena_new(a, Bench);
	unit_session(&b->s, &b->out);
	b->m = ir_parse(&b->s, str_of(text));
	for (u32 i = 0; i < b->s.diags.list.n; i++)
		printf("# line %u: %.*s\n", b->s.diags.list.p[i].at.line, STR_ARG(b->s.diags.list.p[i].message));
	EXPECT_EQ(b->s.diags.errors, 0);
	text_init(&b->dump, &b->s.arena);
	manager_init(&b->manager, &b->s, &b->dump);
	trace_init(&b->trace, &b->s.arena);
	b->manager.trace = &b->trace;
	b->manager.keep_remarks = true;
	b->manager.cx.ir = b->m;
	arena_init(&b->scratch, &b->s.budget);
	b->manager.cx.scratch = &b->scratch;
	return b;
}

static inline void bench_close(Bench *b)
{
	manager_free(&b->manager);
	arena_free(&b->scratch);
	session_free(&b->s);
}

static inline void bench_knob(Bench *b, const char *name, const char *value)
{
	Knob k = knob_find(str_of(name));
	EXPECT(k != KNOB_NONE);
	EXPECT_EQ(knob_set(&b->s.knobs, &b->s.arena, k, str_of(value)), KNOB_OK);
}

/* Runs one pass over everything, as the manager would; verifies. */
static inline bool bench_run(Bench *b, const char *id)
{
	const Pass *p = pass_find(str_of(id));
	PassCx     *cx = &b->manager.cx;
	bool        changed = false;
	EXPECT(p != NULL);
	if (!p)
		return false;
	cx->pass = p;
	if ((p->gate && !knob_bool(&b->s, p->gate)) || (p->disable && knob_bool(&b->s, p->disable)) ||
	    (p->gated && !p->gated(&b->s)))
		return false;
	if (p->scope == PASS_MODULE) {
		cx->func = 0;
		changed = p->run(cx);
	} else {
		cx->state = p->begin ? p->begin(cx) : NULL;
		ir_each_func(b->m, f) {
			if (ir_is_decl(f))
				continue;
			cx->func = f->ref.i;
			b->s.function = ir_str(b->m, ir_global(b->m, f->ref)->name);
			bool c = p->run(cx);
			pass_invalidate(cx, 0);
			changed |= c;
		}
		if (p->end)
			p->end(cx);
	}
	u32 before = b->s.diags.errors;
	ir_verify(b->m);
	for (u32 i = 0; i < b->s.diags.list.n && b->s.diags.errors > before; i++)
		printf("# after %s: %.*s\n", id, STR_ARG(b->s.diags.list.p[i].message));
	EXPECT_EQ(b->s.diags.errors, before);
	return changed;
}

static inline Str bench_text(Bench *b)
{
	Text *t = arena_new(&b->s.arena, Text);
	text_init(t, &b->s.arena);
	ir_print_module(t, b->m, NULL);
	text_c(t, 0);
	t->n--;
	return text_str(t);
}

static inline bool str_has(Str s, const char *part)
{
	u32 n = (u32)strlen(part);
	for (u32 i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, part, n) == 0)
			return true;
	return false;
}

static inline u32 str_count(Str s, const char *part)
{
	u32 n = (u32)strlen(part), k = 0;
	for (u32 i = 0; i + n <= s.n; i++)
		k += memcmp(s.p + i, part, n) == 0;
	return k;
}

static inline bool bench_remark(const Bench *b, RemarkKind kind, const char *part)
{
	for (u32 i = 0; i < b->trace.remarks.n; i++)
		if (b->trace.remarks.p[i].kind == kind && str_has(b->trace.remarks.p[i].message, part))
			return true;
	return false;
}

/* Fails with the whole text, which shows what came instead. */
static inline void expect_text(Str got, const char *part, bool there, const char *file, int line)
{
	if (str_has(got, part) == there)
		return;
	unit_fail(file, line, there ? "the text is not there:" : "the text should not be there:");
	printf("#   %s\n", part);
	for (u32 i = 0; i < got.n; i++) {
		if (i == 0 || got.p[i - 1] == '\n')
			printf("#   | ");
		putchar(got.p[i]);
	}
}
#define EXPECT_HAS(text, part)   expect_text((text), (part), true, __FILE__, __LINE__)
#define EXPECT_HASNT(text, part) expect_text((text), (part), false, __FILE__, __LINE__)

#endif
