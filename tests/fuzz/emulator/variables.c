/* variables.c: declarations of PTX: state spaces, types, vectors, alignments, up to four dimensions, braces and expressions as
 * initial values, addresses of other variables; registers by the thousand; parameters of kernels and functions. Sizes are
 * mostly small, at times around any power of two. The kernel then reads and writes what is declared. */
#include "emulator.h"

#include <string.h>

typedef struct Variable {
	char        name[8];
	const char *space;
} Variable;

enum { MOST_VARIABLES = 8 };

static const char *const value_types[] = {"b8",  "u8",  "s8",  "b16", "u16", "f16", "b32", "u32",
                                          "s32", "f32", "b64", "u64", "s64", "f64", "b128"};

static void size(Case *k)
{
	Choice *c = &k->c;
	if (chance(c, 10))
		text_f(&k->text, "[%llu]", (unsigned long long)choose_number(c));
	else if (chance(c, 16))
		text_f(&k->text, "[%u*%u+%u]", choose(c, 8), choose(c, 8), choose(c, 8));
	else
		text_f(&k->text, "[%u]", 1 + choose(c, 9));
}

static void constant(Case *k, u32 depth)
{
	static const char *const operators[] = {"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "<", "&&", "||"};
	Choice                  *c = &k->c;
	Text                    *t = &k->text;
	if (depth < 4 && chance(c, 8)) {
		text_f(t, "(");
		constant(k, depth + 1);
		text_f(t, " %s ", one_of(c, operators));
		constant(k, depth + 1);
		text_f(t, chance(c, 8) ? " ? 1 : 2)" : ")");
		return;
	}
	switch (depth ? 9 : choose(c, 24)) {
	case 0: text_f(t, "0f%08x", (u32)choose_number(c)); break;
	case 1: text_f(t, "0d%016llx", (unsigned long long)choose_number(c)); break;
	case 2: text_f(t, "%u.5", choose(c, 256)); break;
	case 3: text_f(t, "%lluU", (unsigned long long)choose_number(c)); break;
	default: text_f(t, "%lld", (long long)choose_number(c)); break;
	}
}

static void initial_value(Case *k, const Variable *v, u32 n)
{
	Choice *c = &k->c;
	Text   *t = &k->text;
	if (!n || !chance(c, 4)) {
		constant(k, 0);
		return;
	}
	const char *name = v[choose(c, n)].name;
	switch (choose(c, 4)) {
	case 0: text_f(t, "%s", name); break;
	case 1: text_f(t, "%s+%lld", name, (long long)choose_number(c)); break;
	case 2: text_f(t, "generic(%s)", name); break;
	default: text_f(t, "0x%x(%s)", 0xffu << 8 * choose(c, 4), name); break;
	}
}

static void braces(Case *k, const Variable *v, u32 n, u32 depth)
{
	Choice *c = &k->c;
	text_f(&k->text, "{");
	for (u32 i = 0, m = choose(c, 5); i < m; i++) {
		text_f(&k->text, i ? ", " : "");
		if (depth > 1 || chance(c, 16))
			braces(k, v, n, depth ? depth - 1 : 0);
		else
			initial_value(k, v, n);
	}
	text_f(&k->text, "}");
}

/* Space, alignment, vector and type: what precedes a name. */
static void kind(Case *k, const char *space)
{
	static const char *const vectors[] = {"", "", "", ".v2 ", ".v4 "};
	Choice                  *c = &k->c;
	text_f(&k->text, "%s ", space);
	if (chance(c, 3))
		text_f(&k->text, ".align %llu ",
		       (unsigned long long)(chance(c, 60) ? (u64)(u32)choose_number(c) : (u64)1 << choose(c, 8)));
	text_f(&k->text, "%s.%s ", one_of(c, vectors), one_of(c, value_types));
}

/* What is declared becomes v[n]. */
static void declare(Case *k, Variable *v, u32 n, const char *space, bool in_body)
{
	static const char *const linkages[] = {"", "", "", ".visible ", ".extern ", ".weak ", ".common "};
	Choice                  *c = &k->c;
	Text                    *t = &k->text;
	u32                      dims = choose(c, 4), elements = dims;
	const char              *linkage = in_body && !chance(c, 64) ? "" : one_of(c, linkages);
	v[n] = (Variable){{'v', (char)('0' + n), 0}, space};
	text_f(t, " %s", linkage);
	kind(k, space);
	text_f(t, "%s", v[n].name);
	if (chance(c, 12)) {
		text_f(t, "[]");
		elements++;
	}
	for (u32 d = 0; d < dims; d++)
		size(k);
	if (strcmp(linkage, ".extern ") != 0 && (space[1] == 'g' || space[1] == 'c' || chance(c, 32)) && chance(c, 2)) {
		text_f(t, " = ");
		if (chance(c, 24))
			elements = choose(c, 4);
		if (elements)
			braces(k, v, n, elements);
		else
			initial_value(k, v, n);
	}
	text_f(t, ";\n");
}

static void registers(Case *k)
{
	Choice *c = &k->c;
	text_f(&k->text, " .reg %s.%s ", chance(c, 4) ? ".v4 " : "", one_of(c, value_types));
	text_f(&k->text, "%%x%u", choose(c, 3));
	if (!chance(c, 4))
		text_f(&k->text, "<%llu>", (unsigned long long)choose_size(c, 70));
	text_f(&k->text, ";\n");
}

static void touch(Case *k, const Variable *v, u32 n)
{
	static const char *const forms[] = {"ld%s.u8 %%h0, [%s+%lld];",
	                                    "ld%s.u32 %%r4, [%s+%lld];",
	                                    "ld%s.v2.u64 {%%d4, %%d5}, [%s+%lld];",
	                                    "st%s.b32 [%s+%lld], %%r0;",
	                                    "st%s.v4.b32 [%s+%lld], {%%r0, %%r1, %%r2, %%r3};",
	                                    "mov.u64 %%d1, %s; add.u64 %%d1, %%d1, %lld;",
	                                    "ld%s.f64 %%g0, [%s+%lld];",
	                                    "st%s.u8 [%s+%lld], %%h0;"};
	static const char *const generic[] = {"ld.b32 %r5, [%d1];", "st.b64 [%d1], %d4;", "atom.add.u32 %r6, [%d1], 1;",
	                                      "ld.v4.u32 {%r4, %r5, %r6, %r7}, [%d1];"};
	Choice                  *c = &k->c;
	if (!n)
		return;
	const Variable *x = &v[choose(c, n)];
	u32             f = choose(c, PS_COUNT(forms));
	i64             at = chance(c, 6) ? (i64)(i32)(u32)choose_number(c) : (i64)choose(c, 5) * 8;
	text_f(&k->text, " ");
	if (f == 5) {
		text_f(&k->text, forms[f], x->name, (long long)choose_number(c) >> choose(c, 64));
		text_f(&k->text, " cvta%s.u64 %%d1, %%d1; %s\n", x->space[1] == 'p' ? ".param" : x->space, one_of(c, generic));
	} else {
		text_f(&k->text, forms[f], x->space, x->name, (long long)at);
		text_f(&k->text, "\n");
	}
}

/* (.param …, .param …) */
static u32 parameters(Case *k, const char *name)
{
	Choice *c = &k->c;
	u32     n = chance(c, 2) ? choose(c, 4) : 0;
	text_f(&k->text, "(");
	for (u32 i = 0; i < n; i++) {
		text_f(&k->text, i ? ", " : "");
		kind(k, ".param");
		text_f(&k->text, "%s%u", name, i);
		if (chance(c, 2))
			size(k);
		if (chance(c, 32))
			text_f(&k->text, "[]");
	}
	text_f(&k->text, ")");
	return n;
}

/* A function with a result and locals of its own, and a call of it through parameters declared like its own or not. */
static void function(Case *k)
{
	Choice *c = &k->c;
	text_f(&k->text, ".func (");
	kind(k, ".param");
	text_f(&k->text, "ret0");
	if (chance(c, 2))
		size(k);
	text_f(&k->text, ") f");
	parameters(k, "q");
	text_f(&k->text, "\n{\n .reg .b32 %%r<3>;\n");
	kind(k, ".local");
	text_f(&k->text, "own");
	size(k);
	text_f(&k->text, ";\n mov.u32 %%r0, %%tid.x; st.local.b8 [own], %%r0; st.param.b8 [ret0+%u], %%r0;\n ret;\n}\n",
	       choose(c, 4));
}

static void call(Case *k)
{
	Choice *c = &k->c;
	u32     n = choose(c, 4);
	text_f(&k->text, " {\n");
	for (u32 i = 0; i <= n; i++) {
		text_f(&k->text, "  ");
		kind(k, ".param");
		text_f(&k->text, "a%u", i);
		if (chance(c, 2))
			size(k);
		text_f(&k->text, ";\n");
	}
	if (chance(c, 3))
		text_f(&k->text, "  mov.u64 %%d6, f;\n  proto: .callprototype (.param .b32 _) _ (.param .b64 _);\n");
	text_f(&k->text, "  call (a0), f, (");
	for (u32 i = 1; i <= n; i++)
		text_f(&k->text, "%sa%u", i > 1 ? ", " : "", i);
	text_f(&k->text, ");\n }\n");
}

Outcome fuzz_case(Case *k)
{
	static const char *const module_spaces[] = {".global", ".shared", ".const", ".global"};
	static const char *const body_spaces[] = {".local", ".shared", ".param", ".local"};
	static const char *const option[] = {"--sanitize=init,race"};
	Choice                  *c = &k->c;
	Variable                 v[MOST_VARIABLES];
	u32                      n = choose(c, 5), outside = n;
	ptx_head(k);
	for (u32 i = 0; i < n; i++)
		declare(k, v, i, one_of(c, module_spaces), false);
	bool calls = chance(c, 3);
	if (calls)
		function(k);
	text_f(&k->text, ".visible .entry k");
	u32 params = parameters(k, "p");
	text_f(&k->text, "\n{\n");
	ptx_registers(k);
	for (u32 all = outside + choose(c, 3); n < all; n++)
		declare(k, v, n, one_of(c, body_spaces), true);
	if (chance(c, 3))
		registers(k);
	for (u32 i = 0, m = choose(c, 8); i < m; i++)
		touch(k, v, n);
	if (calls)
		call(k);
	text_f(&k->text, " ret;\n}\n");
	text_f(&k->launch, "{\"kernel\": \"k\"");
	json_shape(k);
	text_f(&k->launch, ", \"args\": [");
	for (u32 i = 0; i < params; i++)
		text_f(&k->launch, "%s{\"u64\": %u}", i ? ", " : "", i);
	text_f(&k->launch, "], \"symbols\": {");
	if (outside)
		json_buffer(k, "v", choose(c, outside));
	text_f(&k->launch, "}}");
	return fuzz_run(k, option, chance(c, 4));
}
