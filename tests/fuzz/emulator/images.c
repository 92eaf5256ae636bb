/* images.c: textures and surfaces of random extents, types and modes, and kernels that read, write and ask for them at random
 * coordinates: inside, at the edges, far outside, infinite and NaN. Buffers fit their image exactly, so that a byte too far
 * lies outside of them. */
#include "emulator.h"

#include <string.h>

static const char *const types[] = {"f32", "u32", "i32", "u8", "i8", "u16", "i16", "f16", "u64", "i64", "f64"};

typedef struct Geometry {
	const char *name;
	u8          coords; /* in the braces */
	bool        surface;
} Geometry;
static const Geometry geometries[] = {
	{"1d", 1, true},    {"2d", 2, true},     {"3d", 4, true},    {"a1d", 2, true},    {"a2d", 4, true},
	{"cube", 4, false}, {"acube", 4, false}, {"2dms", 4, false}, {"a2dms", 4, false},
};

static u32 extent(Choice *c)
{
	static const u32 odd[] = {1, 2, 3, 6, 7, 16, 31, 64, 255};
	return chance(c, 2) ? one_of(c, odd) : 1 + choose(c, 9);
}

/* Textures are described after the buffers that they name. */
typedef struct Image {
	u32 type, channels, samples, size[3];
} Image;

static void buffer(Case *k, const Image *x, u32 i)
{
	u64 n = (u64)x->channels * x->samples * x->size[0] * x->size[1] * x->size[2];
	text_f(&k->launch, "%s\"b%u\": {\"type\": \"%s\", \"count\": %llu, \"init\": {\"kind\": \"random\", \"seed\": %u}}",
	       i ? ", " : "", i, types[x->type], (unsigned long long)(n - (chance(&k->c, 24) ? 1 : 0)), choose(&k->c, 256));
}

static void image(Case *k, const Image *x, u32 i)
{
	static const char *const modes[] = {"clamp", "wrap", "mirror", "border"};
	Choice                  *c = &k->c;
	Text                    *t = &k->launch;
	static const char *const names[] = {"width", "height", "depth"};
	u32                      dim = x->samples > 1 ? 2 : x->size[2] > 1 ? 3 : x->size[1] > 1 ? 2 : 1;
	text_f(t, "%s\"t%u\": {\"buffer\": \"b%u\", \"type\": \"%s\", \"channels\": %u, \"dim\": %u", i ? ", " : "", i, i,
	       types[x->type], x->channels, chance(c, 8) ? 1 + choose(c, 3) : dim);
	text_f(t, ", \"object\": \"%s\", \"filter\": \"%s\", \"address\": \"%s\", \"normalized\": %s",
	       chance(c, x->samples > 1 ? 16 : 2) ? "surface" : "texture",
	       chance(c, x->samples > 1 ? 16 : 2) ? "linear" : "point", one_of(c, modes), chance(c, 2) ? "true" : "false");
	for (u32 d = 0; d < 3; d++) {
		text_f(t, ", \"%s\": ", names[d]);
		if (chance(c, 250))
			json_number(k, 300);
		else
			text_f(t, "%u", x->size[d]);
	}
	if (x->samples > 1)
		text_f(t, ", \"samples\": %u", x->samples);
	text_f(t, "}");
}

/* A register for a coordinate, set before; `real`: as the bits of an f32. */
static void coordinate(Case *k, u32 reg, bool real)
{
	static const u32 odd[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0x7f800000, 0xff800000, 0x7f7fffff,
	                          0xff7fffff, 0x80000000, 1,          0x3f800000, 0xbf800000, 0x3f7fffff,
	                          0x4f000000, 0xcf000000, 0x5f000000, 0x3f000000, 0x358637bd};
	Choice          *c = &k->c;
	Text            *t = &k->text;
	switch (choose(c, 5)) {
	case 0: text_f(t, " cvt.rn.f32.s32 %%f1, %d; mov.b32 %%r%u, %%f1;\n", choose_small(c), reg); break;
	case 1: text_f(t, " mov.b32 %%r%u, 0x%x;\n", reg, one_of(c, odd)); break;
	case 2: text_f(t, " mov.b32 %%r%u, %lld;\n", reg, (long long)(i32)(u32)choose_number(c)); break;
	case 3:
		text_f(t, " add.u32 %%r%u, %%r0, %d;\n", reg, choose_small(c));
		if (real)
			text_f(t, " cvt.rn.f32.s32 %%f1, %%r%u; mul.f32 %%f1, %%f1, 0f%08x; mov.b32 %%r%u, %%f1;\n", reg,
			       (choose(c, 256) << 16) + 0x3e000000, reg);
		break;
	default: text_f(t, " mov.b32 %%r%u, %u;\n", reg, choose(c, 8)); break;
	}
}

/* {%r4, %r5}, as many as the geometry has. */
static void coordinates(Case *k, const Geometry *g)
{
	for (u32 i = 0; i < g->coords; i++)
		text_f(&k->text, "%s%%r%u", i ? ", " : "{", 4 + i);
	text_f(&k->text, "}");
}

static void registers(Case *k, const char *bank, u32 n)
{
	text_f(&k->text, "{");
	for (u32 i = 0; i < n; i++)
		text_f(&k->text, "%s%s%u", i ? ", " : "", bank, i);
	text_f(&k->text, "}");
}

static void fetch(Case *k, const Geometry *g, u32 handle)
{
	static const struct {
		const char *type, *bank;
		u8          n;
	} results[] = {{"f32", "%f", 4}, {"s32", "%v", 4}, {"u32", "%v", 4}, {"f16x2", "%v", 2}, {"f16", "%h", 4}};
	Choice *c = &k->c;
	Text   *t = &k->text;
	u32     r = choose(c, PS_COUNT(results));
	bool    cube = g->name[0] == 'c' || g->name[1] == 'c', several = strstr(g->name, "ms") != NULL;
	bool    real = cube || (!several && chance(c, 2));
	for (u32 i = 0; i < g->coords; i++)
		coordinate(k, 4 + i, real);
	if (r < 3 && chance(c, 4) && g->coords == 2 && g->name[0] == '2') {
		text_f(t, " tld4.%c.2d.v4.%s.f32 ", "rgba"[choose(c, 4)], results[r].type);
		registers(k, results[r].bank, 4);
	} else {
		text_f(t, " tex.%s.v%u.%s.%s ", g->name, results[r].n, results[r].type, real ? "f32" : "s32");
		registers(k, results[r].bank, results[r].n);
	}
	text_f(t, ", [%%d%u, ", handle);
	coordinates(k, g);
	text_f(t, "];\n");
}

static void surface(Case *k, const Geometry *g, u32 handle)
{
	static const struct {
		const char *type, *bank;
	} widths[] = {{"b32", "%v"}, {"b8", "%h"}, {"b16", "%h"}, {"b64", "%w"}};
	static const char *const modes[] = {"trap", "clamp", "zero"}, *const vectors[] = {"", ".v2", ".v4"};
	static const struct {
		const char *op, *type, *bank;
	} atoms[] = {{"add", "u32", "%v"}, {"add", "s32", "%v"}, {"min", "u32", "%v"}, {"max", "s32", "%v"},
	             {"and", "b32", "%v"}, {"or", "b32", "%v"},  {"add", "u64", "%w"}, {"min", "s64", "%w"}};
	Choice *c = &k->c;
	Text   *t = &k->text;
	u32     w = choose(c, 4), v = choose(c, 3), what = choose(c, 5), a = choose(c, PS_COUNT(atoms));
	if (!g->surface || (what > 2 && g->name[0] == 'a'))
		g = &geometries[1];
	for (u32 i = 0; i < g->coords; i++)
		coordinate(k, 4 + i, false);
	if (what == 0) {
		text_f(t, " suld.b.%s%s.%s.%s ", g->name, vectors[v], widths[w].type, one_of(c, modes));
		registers(k, widths[w].bank, 1u << v);
		text_f(t, ", ");
	} else if (what < 3) {
		text_f(t, " sust.%s.%s%s.%s.%s ", what == 1 ? "b" : "p", g->name, vectors[v], what == 1 ? widths[w].type : "b32",
		       one_of(c, modes));
	} else {
		text_f(t, " sured.%s.%s.%s.%s.%s ", what == 3 ? "b" : "p", atoms[a].op, g->name,
		       what == 3 ? atoms[a].type : "b32", one_of(c, modes));
	}
	text_f(t, "[%%d%u, ", handle);
	coordinates(k, g);
	text_f(t, "]");
	if (what) {
		text_f(t, ", ");
		registers(k, what == 1 ? widths[w].bank : what == 3 ? atoms[a].bank : "%v", what < 3 ? 1u << v : 1);
	}
	text_f(t, ";\n");
}

static void query(Case *k, u32 handle)
{
	static const char *const queries[] = {"txq.width",       "txq.height",        "txq.depth",
	                                      "txq.array_size",  "txq.num_samples",   "txq.channel_order",
	                                      "txq.filter_mode", "txq.addr_mode_1",   "suq.width",
	                                      "suq.array_size",  "suq.memory_layout", "suq.channel_data_type"};
	text_f(&k->text, " %s.b32 %%r9, [%%d%u];\n", one_of(&k->c, queries), handle);
}

static void kernel(Case *k, u32 n)
{
	Choice *c = &k->c;
	Text   *t = &k->text;
	ptx_head(k);
	text_f(t,
	       ".global .texref t0;\n.global .surfref t1;\n.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2)\n{\n"
	       " .reg .b32 %%v<4>; .reg .b64 %%w<4>;\n");
	ptx_registers(k);
	for (u32 i = 0; i < 3; i++)
		text_f(t, " ld.param.u64 %%d%u, [p%u];\n", i, i);
	text_f(t, " mov.u64 %%d3, t0; mov.u64 %%d4, t1; mov.u64 %%d5, %lld;\n", (long long)choose_number(c));
	for (u32 i = 0, m = 1 + choose(c, 10); i < m; i++) {
		u32 handle = choose(c, n), kind = choose(c, 8);
		if (chance(c, 10))
			handle = 3 + choose(c, 3);
		const Geometry *g = &geometries[choose(c, PS_COUNT(geometries))];
		if (kind < 4)
			fetch(k, g, handle);
		else if (kind < 7)
			surface(k, g, handle);
		else
			query(k, handle);
	}
	text_f(t, " ret;\n}\n");
}

Outcome fuzz_case(Case *k)
{
	Choice *c = &k->c;
	Image   x[3];
	u32     n = 1 + choose(c, 3);
	for (u32 i = 0; i < n; i++) {
		u32 dim = choose(c, 3);
		x[i] = (Image){
			choose(c, PS_COUNT(types)), 1u << choose(c, 3), chance(c, 4) ? 2u << choose(c, 3) : 1, {extent(c), 1, 1}};
		for (u32 d = 1; d <= dim; d++)
			x[i].size[d] = extent(c);
		for (u32 d = 3; d-- > 1;) /* every value is printed */
			if (x[i].samples * x[i].size[0] * x[i].size[1] * x[i].size[2] > 3000)
				x[i].size[d] = 1;
	}
	kernel(k, n);
	text_f(&k->launch, "{\"kernel\": \"k\"");
	json_shape(k);
	text_f(&k->launch, ", \"args\": [");
	for (u32 i = 0; i < 3; i++)
		text_f(&k->launch, i < n ? "%s{\"texture\": \"t%u\"}" : "%s{\"u64\": %u}", i ? ", " : "", i);
	text_f(&k->launch, "], \"buffers\": {");
	for (u32 i = 0; i < n; i++)
		buffer(k, &x[i], i);
	text_f(&k->launch, "}, \"textures\": {");
	for (u32 i = 0; i < n; i++)
		image(k, &x[i], i);
	text_f(&k->launch, "}}");
	return fuzz_run(k, NULL, 0);
}
