/* calls.c: LLVM IR whose calls have the type of their callee, or another one: other arguments, results, lists that go on ("..."),
 * attributes; direct, through pointers, chosen per thread, of declarations and of what is no function. Executed as IR, as MIR
 * or as PTX, or all of them compared (`check`). */
#include "emulator.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FUNCTIONS = 4, MOST_PARAMS = 5, TYPE_SIZE = 160 };

typedef struct Type {
	char text[TYPE_SIZE];
} Type;

typedef struct Function {
	Type ret, param[MOST_PARAMS];
	u32  n;
	bool has_ret, varargs, declared;
	u8   attribute; /* of the first parameter, a pointer: index into `attributes` */
} Function;

typedef struct Module {
	Function f[MOST_FUNCTIONS];
	u32      n, values;
} Module;

static const char *const attributes[] = {"", "byval([3 x i32]) align 4", "sret({ i64, i32 })", "byval({ i8, i64 })", "noundef"};

static Type type(Case *k, u32 depth)
{
	static const char *const scalars[] = {"i32",    "i64",
	                                      "ptr",    "float",
	                                      "i8",     "i1",
	                                      "i16",    "double",
	                                      "i128",   "half",
	                                      "i7",     "i33",
	                                      "i65",    "i127",
	                                      "bfloat", "ptr addrspace(3)",
	                                      "i24",    "ptr addrspace(5)"};
	static const char *const elements[] = {"i32", "float", "i8", "i64", "i1", "half", "i16", "double", "i17", "i3"};
	Choice                  *c = &k->c;
	u32                      what = depth > 2 ? 0 : choose(c, 8);
	Str                      s;
	if (what < 5) {
		s = str_of(one_of(c, scalars));
	} else if (what == 5) {
		s = arena_fmt(k->arena, "<%u x %s>", 1 + choose(c, 9), one_of(c, elements));
	} else if (what == 6) {
		Type of = type(k, depth + 1);
		s = arena_fmt(k->arena, "[%u x %s]", choose(c, 5), of.text);
	} else {
		Text t;
		text_init(&t, k->arena);
		text_f(&t, chance(c, 4) ? "<{ " : "{ ");
		bool packed = t.p[0] == '<';
		for (u32 i = 0, n = choose(c, 4); i < n; i++) {
			Type of = type(k, depth + 1);
			text_f(&t, "%s%s", i ? ", " : "", of.text);
		}
		text_f(&t, packed ? " }>" : " }");
		s = text_str(&t);
	}
	Type r = {"i32"};
	if (s.n < TYPE_SIZE) {
		memcpy(r.text, s.p, s.n);
		r.text[s.n] = 0;
	}
	return r;
}

static Function signature(Case *k)
{
	Choice  *c = &k->c;
	Function f = {.has_ret = !chance(c, 4), .n = choose(c, MOST_PARAMS), .varargs = chance(c, 10)};
	f.ret = type(k, 0);
	for (u32 i = 0; i < f.n; i++)
		f.param[i] = type(k, 0);
	if (f.n && chance(c, 4)) {
		f.attribute = (u8)choose(c, PS_COUNT(attributes));
		f.param[0] = (Type){"ptr"};
	}
	return f;
}

/* The type of one of the parameters or the result is another one, or one is missing. */
static Function unlike(Case *k, const Function *f)
{
	Choice  *c = &k->c;
	Function g = *f;
	switch (choose(c, 6)) {
	case 0: return signature(k);
	case 1: g.ret = type(k, 0); break;
	case 2: g.has_ret = !g.has_ret; break;
	case 3:
		if (g.n)
			g.n--;
		break;
	case 4:
		if (g.n)
			g.param[choose(c, g.n)] = type(k, 0);
		if (g.attribute)
			g.param[0] = (Type){"ptr"};
		break;
	default: g.attribute = 0; break;
	}
	return g;
}

static const char *returned(const Function *f) { return f->has_ret ? f->ret.text : "void"; }

static void value_of(Case *k, Module *m, const Type *t, Text *out)
{
	Choice *c = &k->c;
	u32     what = choose(c, 6);
	if (what < 4) {
		u32 v = m->values++;
		text_f(&k->text, "  %%v%u = load %s, ptr %s, align 1\n", v, t->text, chance(c, 4) ? "%own" : "@g");
		text_f(out, "%%v%u", v);
	} else {
		text_f(out, what == 4 && strcmp(t->text, "token") != 0 ? "poison" : "undef");
	}
}

static void call(Case *k, Module *m)
{
	Choice  *c = &k->c;
	u32      to = choose(c, m->n), other = choose(c, m->n);
	Function as = chance(c, 3) ? unlike(k, &m->f[to]) : m->f[to];
	char     callee[48];
	Text     args;
	text_init(&args, k->arena);
	for (u32 i = 0; i < as.n; i++) {
		bool attributed = i == 0 && as.attribute;
		text_f(&args, "%s%s %s ", i ? ", " : "", as.param[i].text, attributed ? attributes[as.attribute] : "");
		if (attributed)
			text_f(&args, "%s", chance(c, 4) ? "@g" : "%own");
		else
			value_of(k, m, &as.param[i], &args);
	}
	for (u32 i = 0, n = as.varargs ? choose(c, 4) : 0; i < n; i++) {
		Type t = type(k, 0);
		text_f(&args, "%s%s ", as.n + i ? ", " : "", t.text);
		value_of(k, m, &t, &args);
	}
	u32 at = m->values++;
	switch (choose(c, 6)) {
	case 0:
	case 1: snprintf(callee, sizeof callee, "@f%u", to); break;
	case 2:
		text_f(&k->text, "  %%v%u = load ptr, ptr @table\n", at);
		snprintf(callee, sizeof callee, "%%v%u", at);
		break;
	case 3:
		text_f(&k->text, "  %%v%u = load ptr, ptr getelementptr (ptr, ptr @table, i64 %u)\n", at, other);
		snprintf(callee, sizeof callee, "%%v%u", at);
		break;
	case 4:
		text_f(&k->text, "  %%v%u = select i1 %%odd, ptr @f%u, ptr @f%u\n", at, to, other);
		snprintf(callee, sizeof callee, "%%v%u", at);
		break;
	default:
		text_f(&k->text, "  %%v%u = select i1 %%odd, ptr @f%u, ptr %s\n", at, to, chance(c, 2) ? "@g" : "null");
		snprintf(callee, sizeof callee, "%%v%u", at);
	}
	u32 r = m->values++;
	text_f(&k->text, "  ");
	if (as.has_ret)
		text_f(&k->text, "%%v%u = ", r);
	text_f(&k->text, "call %s ", returned(&as));
	if (as.varargs) {
		text_f(&k->text, "(");
		for (u32 i = 0; i < as.n; i++)
			text_f(&k->text, "%s, ", as.param[i].text);
		text_f(&k->text, "...) ");
	}
	text_f(&k->text, "%s(%.*s)\n", callee, STR_ARG(text_str(&args)));
	if (as.has_ret && chance(c, 2))
		text_f(&k->text, "  store %s %%v%u, ptr %s, align 1\n", as.ret.text, r, chance(c, 2) ? "%own" : "@g");
}

static void begin_body(Case *k)
{
	text_f(&k->text,
	       "{\n  %%own = alloca [%u x i8], align 16\n  %%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %%bit = and i32 "
	       "%%tid, 1\n  %%odd = icmp ne i32 %%bit, 0\n  store i64 %u, ptr %%own\n",
	       2048, choose(&k->c, 256));
}

static void define(Case *k, Module *m, u32 i)
{
	Choice   *c = &k->c;
	Function *f = &m->f[i];
	text_f(&k->text, "%s %s @f%u(", f->declared ? "declare" : "define", returned(f), i);
	for (u32 p = 0; p < f->n; p++) {
		text_f(&k->text, "%s%s %s", p ? ", " : "", f->param[p].text, p == 0 ? attributes[f->attribute] : "");
		if (!f->declared)
			text_f(&k->text, " %%a%u", p);
	}
	text_f(&k->text, f->varargs ? "%s...)" : ")", f->n ? ", " : "");
	if (f->declared) {
		text_f(&k->text, "\n");
		return;
	}
	text_f(&k->text, " noinline ");
	m->values = 0;
	begin_body(k);
	for (u32 p = 0; p < f->n; p++)
		if (chance(c, 2))
			text_f(&k->text, "  store %s %%a%u, ptr %s, align 1\n", f->param[p].text, p,
			       chance(c, 2) ? "@g" : "%own");
	for (u32 n = chance(c, 2) ? choose(c, 3) : 0; n; n--)
		call(k, m);
	if (f->has_ret)
		text_f(&k->text, "  %%r = load %s, ptr @g, align 1\n  ret %s %%r\n}\n", f->ret.text, f->ret.text);
	else
		text_f(&k->text, "  ret void\n}\n");
}

Outcome fuzz_case(Case *k)
{
	static const char *const levels[] = {"--level=ir", "--level=ptx", "--level=mir"}, *const opts[] = {"-O3", "-O0", "-O1"};
	static const char *const checks[] = {"-mcpu=sm_90", "--sanitize=init"};
	Choice                  *c = &k->c;
	Module                   m = {.n = 1 + choose(c, MOST_FUNCTIONS)};
	const char              *option[4] = {one_of(c, opts), one_of(c, levels)};
	u32                      n = 2;
	if (chance(c, 5)) {
		k->command = "check";
		n = 1;
	} else if (chance(c, 3)) {
		option[n++] = one_of(c, checks);
	}
	text_f(&k->text, "target triple = \"nvptx64-nvidia-cuda\"\n@g = global [2048 x i8] zeroinitializer, align 16\n@table = "
	                 "constant [4 x "
	                 "ptr] [");
	for (u32 i = 0; i < MOST_FUNCTIONS; i++)
		text_f(&k->text, "%sptr @f%u", i ? ", " : "", i % m.n);
	text_f(&k->text, "]\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n");
	for (u32 i = 0; i < m.n; i++) {
		m.f[i] = signature(k);
		m.f[i].declared = i && chance(c, 16);
	}
	for (u32 i = 0; i < m.n; i++)
		define(k, &m, i);
	text_f(&k->text, "define ptx_kernel void @k(ptr %%out) ");
	m.values = 0;
	begin_body(k);
	for (u32 i = 0, calls = 1 + choose(c, 4); i < calls; i++)
		call(k, &m);
	text_f(&k->text, "  ret void\n}\n");
	text_f(&k->launch,
	       "{\"kernel\": \"k\", \"grid\": [1, 1, 1], \"block\": [%u, 1, 1], \"args\": [{\"buffer\": \"b\"}], \"buffers\": "
	       "{\"b\": {\"type\": \"u8\", \"count\": 64}}}",
	       chance(c, 2) ? 33 : 2);
	return fuzz_run(k, option, n);
}
