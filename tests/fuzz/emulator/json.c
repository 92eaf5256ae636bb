/* json.c: pieces of launch files that fit a kernel, and now and then do not. */
#include "emulator.h"

#include <string.h>

static const Param scalars[] = {
	{"u8", 1, 1, 1},  {"i8", 1, 1, 1},  {"u16", 2, 2, 1}, {"i16", 2, 2, 1}, {"u32", 4, 4, 1}, {"i32", 4, 4, 1},
	{"u64", 8, 8, 1}, {"i64", 8, 8, 1}, {"f16", 2, 2, 1}, {"f32", 4, 4, 1}, {"f64", 8, 8, 1},
};

static const char *ptx_type(const char *type)
{
	return type[0] == 'i'             ? type[1] == '8'   ? "s8"
	                                    : type[1] == '1' ? "s16"
	                                    : type[1] == '3' ? "s32"
	                                                     : "s64"
	       : strcmp(type, "f16") == 0 ? "b16"
	                                  : type;
}

Param choose_param(Case *k)
{
	Choice *c = &k->c;
	Param   p = one_of(c, scalars);
	if (chance(c, 3)) {
		u32 log2 = choose(c, 5);
		p = (Param){NULL, (u32)choose_size(c, 80), 1u << log2, 0};
		p.elements = p.bytes;
	} else if (chance(c, 8)) {
		p.elements = 1 + choose(c, 4);
		p.bytes *= p.elements;
	}
	return p;
}

void ptx_param(Case *k, const Param *p, const char *name, u32 number)
{
	if (!p->type)
		text_f(&k->text, ".param .align %u .b8 %s%u[%u]", p->align, name, number, p->elements);
	else if (p->elements > 1)
		text_f(&k->text, ".param .align %u .%s %s%u[%u]", p->align, ptx_type(p->type), name, number, p->elements);
	else
		text_f(&k->text, ".param .%s %s%u", ptx_type(p->type), name, number);
}

static const char *const odd_numbers[] = {"-1",
                                          "1e300",
                                          "1e-300",
                                          "0x7ff0000000000000",
                                          "1.5",
                                          "18446744073709551615",
                                          "null",
                                          "true",
                                          "\"nan\"",
                                          "[]",
                                          "{}",
                                          "-0.0",
                                          "\"-inf\"",
                                          "18446744073709551616",
                                          "1e19",
                                          "\"\"",
                                          "4294967296",
                                          "2147483648",
                                          "9223372036854775808",
                                          "-9223372036854775809"};

void json_number(Case *k, u32 most)
{
	Choice *c = &k->c;
	if (!chance(c, 96)) {
		text_f(&k->launch, "%u", choose(c, most));
		return;
	}
	if (chance(c, 2))
		text_f(&k->launch, "%s", one_of(c, odd_numbers));
	else
		text_f(&k->launch, "%lld", (long long)choose_number(c));
}

static void value(Case *k, const char *type)
{
	text_f(&k->launch, "{\"%s\": ", type);
	json_number(k, 256);
	text_f(&k->launch, "}");
}

static void hex_bytes(Case *k, u32 n, u32 align)
{
	Choice *c = &k->c;
	text_f(&k->launch, "{\"bytes\": \"");
	for (u32 i = 0; i < PS_MIN(n, 4096u); i++)
		text_f(&k->launch, "%02x", choose(c, 256));
	text_f(&k->launch, "\"");
	if (align > 1) {
		text_f(&k->launch, ", \"align\": ");
		if (chance(c, 32))
			json_number(k, 40);
		else
			text_f(&k->launch, "%u", align);
	}
	text_f(&k->launch, "}");
}

static void structure(Case *k, u32 n_buffers, u32 n_textures, u32 depth)
{
	Choice *c = &k->c;
	u32     n = choose(c, 5);
	text_f(&k->launch, "{\"struct\": [");
	for (u32 i = 0; i < n; i++) {
		text_f(&k->launch, i ? ", " : "");
		if (chance(c, 4) && depth < 20) {
			structure(k, n_buffers, n_textures, depth + 1 + 12 * chance(c, 8));
		} else {
			Param p = choose_param(k);
			json_argument(k, &p, n_buffers, n_textures);
		}
	}
	text_f(&k->launch, "]}");
}

void json_argument(Case *k, const Param *p, u32 n_buffers, u32 n_textures)
{
	Choice *c = &k->c;
	Param   other = chance(c, 10) ? choose_param(k) : *p;
	bool    is64 = other.type && other.bytes == 8 && other.type[0] != 'f';
	if (is64 && n_textures && chance(c, 3)) {
		text_f(&k->launch, "{\"texture\": \"t%u\"}", choose(c, n_textures));
	} else if (is64 && n_buffers && !chance(c, 6)) {
		text_f(&k->launch, "{\"buffer\": \"b%u\"", choose(c, n_buffers + chance(c, 32)));
		if (chance(c, 3)) {
			text_f(&k->launch, ", \"offset\": ");
			json_number(k, 64);
		}
		text_f(&k->launch, "}");
	} else if (other.type && other.elements == 1) {
		value(k, other.type);
	} else if (chance(c, 3)) {
		structure(k, n_buffers, n_textures, 0);
	} else {
		hex_bytes(k, other.bytes + choose(c, 3), other.align);
	}
}

static void initial(Case *k)
{
	Choice *c = &k->c;
	Text   *t = &k->launch;
	switch (choose(c, 6)) {
	case 0: return;
	case 1: text_f(t, ", \"init\": {\"kind\": \"zero\"}"); return;
	case 2:
		text_f(t, ", \"init\": {\"kind\": \"constant\", \"value\": ");
		json_number(k, 256);
		break;
	case 3:
		text_f(t, ", \"init\": {\"kind\": \"linear\", \"start\": ");
		json_number(k, 256);
		text_f(t, ", \"step\": ");
		json_number(k, 4);
		break;
	case 4:
		text_f(t, ", \"init\": {\"kind\": \"random\", \"seed\": ");
		json_number(k, 256);
		if (chance(c, 2)) {
			text_f(t, ", \"min\": ");
			json_number(k, 16);
			text_f(t, ", \"max\": ");
			json_number(k, 256);
		}
		break;
	default:
		text_f(t, ", \"init\": {\"kind\": \"values\", \"values\": [");
		for (u32 i = 0, n = choose(c, 12); i < n; i++) {
			text_f(t, i ? ", " : "");
			json_number(k, 256);
		}
		text_f(t, "]");
	}
	text_f(t, "}");
}

/* Few elements, or more than the memory of a case (main.c) has: what lies between is only slow, as each element is filled and printed. */
static void count(Case *k)
{
	enum { MOST = 1 << 12, TOO_MANY = 1 << 26 };
	Choice *c = &k->c;
	if (chance(c, 96)) {
		u64 n = choose_number(c);
		text_f(&k->launch, "%llu", (unsigned long long)(n < TOO_MANY ? n % MOST : n));
	} else if (chance(c, 96)) {
		text_f(&k->launch, "%s", one_of(c, odd_numbers));
	} else {
		text_f(&k->launch, "%u", choose(c, 100));
	}
}

void json_buffer(Case *k, const char *name, u32 number)
{
	text_f(&k->launch, "\"%s%u\": {\"type\": \"%s\", \"count\": ", name, number, one_of(&k->c, scalars).type);
	count(k);
	initial(k);
	text_f(&k->launch, "}");
}

void json_shape(Case *k)
{
	static const u32 usual[][3] = {{1, 1, 1}, {2, 1, 1}, {32, 1, 1}, {33, 1, 1}, {64, 1, 1}, {5, 3, 2}};
	Choice          *c = &k->c;
	for (u32 i = 0; i < 2; i++) {
		text_f(&k->launch, ", \"%s\": [", i ? "block" : "grid");
		const u32 *s = usual[choose(c, i ? 6 : 2)];
		for (u32 d = 0; d < 3; d++) {
			text_f(&k->launch, d ? ", " : "");
			if (chance(c, 64))
				json_number(k, 40);
			else
				text_f(&k->launch, "%u", s[d]);
		}
		text_f(&k->launch, "]");
	}
	static const char *const clusters[] = {"2, 1, 1", "1, 1, 1", "1, 2, 1", "16, 1, 1", "0, 1, 1"};
	if (chance(c, 3))
		text_f(&k->launch, ", \"cluster\": [%s]", chance(c, 2) ? "2, 1, 1" : one_of(c, clusters));
	if (chance(c, 3)) {
		text_f(&k->launch, ", \"sharedBytes\": ");
		json_number(k, 256);
	}
}
