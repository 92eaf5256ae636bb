/* session.c: set-up and end of a session. Running out of memory and internal errors leave through Session.out, the one setjmp
 * of the call; while the session is set up, that is a setjmp of its own. */
#include "config/session.h"

#include "base/fmt.h"

static void exhausted(void *user, u64 wanted)
{
	Session *s = user;
	(void)wanted;
	s->out_of_memory = true;
	if (s->out)
		longjmp(*s->out, 1);
}

bool session_init_on(Session *s, const MemBudget *host)
{
	jmp_buf out;
	memset(s, 0, sizeof *s);
	s->budget = (MemBudget){
		.cap = host->cap, .exhausted = exhausted, .user = s, .pages = host->pages, .pages_user = host->pages_user};
	arena_init(&s->arena, &s->budget);
	s->opt_level = 3;
	s->target = (Target){.sm = 75, .ptx = 63, .is64 = true};
	if (setjmp(out)) {
		session_free(s);
		return false;
	}
	s->out = &out;
	strtab_init(&s->strs, &s->arena);
	diags_init(&s->diags, &s->arena);
	knobs_init(&s->knobs);
	s->out = NULL;
	return true;
}

bool session_init(Session *s, u64 memory_cap) { return session_init_on(s, &(MemBudget){.cap = memory_cap}); }

u32 session_make_code(Session *s, const u8 *module, size_t size, u32 functions)
{
	if (!s->code_host.make)
		return 0;
	vec_reserve(&s->arena, &s->code, s->code.n + 2); /* before there is something to lose */
	u32 first = s->code_host.make(s->code_host.user, module, size, functions);
	if (first) {
		vec_push(&s->arena, &s->code, first);
		vec_push(&s->arena, &s->code, functions);
	}
	return first;
}

void session_free(Session *s)
{
	for (u32 i = 0; i < s->code.n; i += 2)
		s->code_host.drop(s->code_host.user, s->code.p[i], s->code.p[i + 1]);
	arena_free(&s->arena);
	budget_free(&s->budget); /* what stood on the stack when the session was left in the middle */
}

void session_ice(Session *s, const char *file, int line, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	u32 n = fmt_into(s->failure_text, sizeof s->failure_text, fmt, ap);
	va_end(ap);
	s->failure = (Str){s->failure_text, PS_MIN(n, (u32)sizeof s->failure_text - 1)};
	s->failure_file = file;
	s->failure_line = line;
	if (s->out)
		longjmp(*s->out, 1);
	__builtin_trap();
}
