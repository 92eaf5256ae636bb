/* launch.c: launch files and PTX chosen to fit: a kernel of random parameters and statements, and a description that gives it
 * arguments, buffers and initial values of variables, mostly of the right types; options of `run`; at times a cut or a
 * changed byte in the description. */
#include "emulator.h"

#include <string.h>

typedef struct Shape {
	u32 params, buffers, symbols;
} Shape;

static const char *const variables[] = {"g0", "g1", "c0", "s0", "dyn", "q0"};
static const char *const functions[] = {"f0", "f1"};

static void module_variables(Case *k)
{
	text_f(&k->text,
	       ".global .align 8 .b8 g0[%u];\n.visible .global .align 4 .u32 g1 = %u;\n.const .align 4 .b8 c0[16] = {1, 2, 3};\n"
	       ".shared .align 8 .b8 s0[%u];\n.extern .shared .align 16 .b8 dyn[];\n",
	       64 + choose(&k->c, 64), choose(&k->c, 256), 64 + choose(&k->c, 128));
	text_f(&k->text, ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n"
	                 ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n");
}

static void helper_functions(Case *k, PtxNames *names)
{
	text_f(&k->text, ".func f0();\n.func f1();\n");
	for (u32 i = 0; i < 2; i++) {
		names->labels = 1 + choose(&k->c, 3);
		text_f(&k->text, ".func f%u()\n{\n", i);
		ptx_registers(k);
		text_f(&k->text,
		       " .local .align 16 .b8 q0[%u];\n mov.u64 %%d0, g0; mov.u64 %%d1, s0; cvta.shared.u64 %%d1, %%d1; "
		       "mov.u64 %%d2, q0; cvta.local.u64 %%d2, %%d2; mov.u64 %%d3, g1;\n",
		       1 + choose(&k->c, 100));
		ptx_statements(k, names, choose(&k->c, 6));
		text_f(&k->text, " ret;\n}\n");
	}
}

static void kernel(Case *k, PtxNames *names, const Param *p, u32 n)
{
	Choice *c = &k->c;
	text_f(&k->text, ".visible .entry k(");
	for (u32 i = 0; i < n; i++) {
		text_f(&k->text, i ? ", " : "");
		ptx_param(k, &p[i], "p", i);
	}
	text_f(&k->text, ")\n{\n");
	ptx_registers(k);
	text_f(&k->text,
	       " .local .align 16 .b8 q0[%u];\n mov.u64 %%d0, g0; mov.u64 %%d1, s0; cvta.shared.u64 %%d1, %%d1; "
	       "mov.u64 %%d2, q0; cvta.local.u64 %%d2, %%d2; mov.u64 %%d3, g1;\n",
	       64 + choose(c, 100));
	for (u32 i = 0; i < n; i++) {
		u32 at = p[i].bytes ? choose(c, p[i].bytes) : 0;
		if (p[i].bytes == 8 && p[i].type)
			text_f(&k->text, " ld.param.b64 %%d%u, [p%u];\n", choose(c, 4), i);
		else
			text_f(&k->text, " ld.param.u8 %%h0, [p%u+%u];\n", i, at);
	}
	names->param = n ? "p0" : NULL;
	names->labels = 1 + choose(c, 4);
	ptx_statements(k, names, choose(c, 24));
	text_f(&k->text, " ret;\n}\n");
}

static void description(Case *k, const Shape *s, const Param *p)
{
	Choice *c = &k->c;
	Text   *t = &k->launch;
	text_f(t, "{\"kernel\": \"%s\"", chance(c, 64) ? "f0" : "k");
	json_shape(k);
	text_f(t, ", \"args\": [");
	for (u32 i = 0, n = s->params + (chance(c, 32) ? choose(c, 3) - 1u : 0); i < n && i < s->params + 1; i++) {
		Param more = {"u32", 4, 4, 1};
		text_f(t, i ? ", " : "");
		json_argument(k, i < s->params ? &p[i] : &more, s->buffers, 0);
	}
	text_f(t, "], \"buffers\": {");
	for (u32 i = 0; i < s->buffers; i++) {
		text_f(t, i ? ", " : "");
		json_buffer(k, "b", chance(c, 32) ? 0 : i);
	}
	text_f(t, "}, \"symbols\": {");
	for (u32 i = 0; i < s->symbols; i++) {
		text_f(t, i ? ", " : "");
		json_buffer(k, chance(c, 8) ? "c" : "g", i);
	}
	text_f(t, "}}");
}

/* One byte changed, or the end cut off. */
static void damage(Case *k)
{
	static const char bytes[] = "{}[]\",:\\u0e-+. \0\xff";
	Choice           *c = &k->c;
	u32               at = choose(c, k->launch.n);
	if (chance(c, 2))
		k->launch.n = at;
	else
		k->launch.p[at] = one_of(c, bytes);
}

Outcome fuzz_case(Case *k)
{
	Choice     *c = &k->c;
	const char *option[8];
	u32         n = 0;
	Param       p[6];
	PtxNames    names = {.variable = variables, .n_variables = PS_COUNT(variables), .function = functions, .n_functions = 2};
	Shape       s = {.params = choose(c, 5), .buffers = choose(c, 4), .symbols = choose(c, 3)};
	static const char *const quanta[] = {"--quantum=1", "--quantum=7", "--quantum=2048"};
	static const char *const checks[] = {"--sanitize=init", "--sanitize=race", "--sanitize=init,race"};
	option[n++] = one_of(c, quanta);
	if (chance(c, 4))
		option[n++] = one_of(c, checks);
	if (chance(c, 3))
		option[n++] = "--independent";
	if (chance(c, 3))
		option[n++] = "--profile";
	if (chance(c, 16))
		option[n++] = "--registers=warp";
	for (u32 i = 0; i < s.params; i++)
		p[i] = chance(c, 2) ? choose_param(k) : (Param){"u64", 8, 8, 1};
	ptx_head(k);
	module_variables(k);
	helper_functions(k, &names);
	kernel(k, &names, p, s.params);
	description(k, &s, p);
	if (chance(c, 24))
		damage(k);
	return fuzz_run(k, option, n);
}
