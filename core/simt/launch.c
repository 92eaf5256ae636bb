/* launch.c: launch files: which kernel, how many threads, what is in memory.
 *
 *	{"kernel": "saxpy", "grid": [4,1,1], "block": [256,1,1],
 *	 "args": [{"u32": 1000}, {"f32": 2.5}, {"buffer": "x"}, {"buffer": "y"}],
 *	 "buffers": {"x": {"type": "f32", "count": 1000, "init": {"kind": "linear", "start": 0, "step": 1}}, "y": …}} */
#include "simt/simt.h"

#include "sem/float.h"
#include "simt/json.h"
#include "simt/launch_tensor.h"
#include "simt/limit.h"

const char *const simt_type_name[ST_COUNT] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"};

u32 simt_type_bytes(SimtType t)
{
	static const u8 bytes[ST_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
	return bytes[t];
}

static bool type_is_float(SimtType t) { return t >= ST_F16; }
static bool type_is_signed(SimtType t) { return t < ST_F16 && t % 2 == 0; }

typedef struct Reader {
	Json        j;
	SimtLaunch *l;
	Arena      *a;
	bool        failed;
} Reader;

static bool bad(Reader *r, u32 at, const char *what)
{
	const JsonValue *v = json_at(&r->j, at);
	if (!r->failed)
		diag_report(&r->j.s->diags, DIAG_LAUNCH, src_at(v->line, v->col), what);
	r->failed = true;
	return false;
}

/* The limit allows `wanted`, or the value at `at` is told so. */
static bool allowed(Reader *r, u32 at, SimtLimit limit, u64 wanted)
{
	const JsonValue *v = json_at(&r->j, at);
	if (wanted <= simt_limit(limit))
		return true;
	Str most = simt_limit_text(r->a, limit);
	Str who = v->key.n ? v->key : STR("this");
	return bad(r, at, arena_fmt(r->a, "%.*s wants more than %.*s", STR_ARG(who), STR_ARG(most)).p);
}

static bool type_of(Str name, SimtType *t)
{
	for (u32 i = 0; i < ST_COUNT; i++)
		if (str_is(name, simt_type_name[i])) {
			*t = (SimtType)i;
			return true;
		}
	return false;
}

/* The bits of a double in type t. */
static u64 bits_of_double(SimtType t, f64 v)
{
	u64 bits = sem_f64_bits(v);
	return t == ST_F64 ? bits : sem_f2f(t == ST_F32 ? SEM_F32 : SEM_F16, SEM_F64, bits, SEM_RN);
}

static bool scalar(Reader *r, u32 at, SimtType t, u64 *bits)
{
	f64 d;
	if (type_is_float(t)) {
		if (!json_f64(json_at(&r->j, at), &d))
			return bad(r, at, "a floating-point value is wanted");
		*bits = bits_of_double(t, d);
		return true;
	}
	return json_u64(json_at(&r->j, at), bits) || bad(r, at, "an integer is wanted");
}

static bool number_u32(Reader *r, u32 object, const char *key, u32 min, u32 absent, u32 *out)
{
	u32 at = json_member(&r->j, object, key);
	u64 v = absent;
	*out = absent;
	if (at && (!json_u64(json_at(&r->j, at), &v) || v < min || v > UINT32_MAX))
		return bad(r, at, "a whole number is wanted");
	*out = (u32)v;
	return true;
}

/* ---- buffers */

static void put_element(SimtBuffer *b, u64 i, u64 bits)
{
	u32 n = simt_type_bytes(b->type);
	memcpy(b->init + i * n, &bits, n);
}

static bool init_linear(Reader *r, SimtBuffer *b, u32 init)
{
	u32 start = json_member(&r->j, init, "start"), step = json_member(&r->j, init, "step");
	if (!start || !step)
		return bad(r, init, "linear needs start and step");
	if (type_is_float(b->type)) {
		f64 s, d;
		if (!json_f64(json_at(&r->j, start), &s) || !json_f64(json_at(&r->j, step), &d))
			return bad(r, init, "start and step must be numbers");
		for (u32 i = 0; i < b->count; i++) {
			f64 p = d * (f64)i;
			put_element(b, i, bits_of_double(b->type, s + p));
		}
		return true;
	}
	u64 s, d;
	if (!json_u64(json_at(&r->j, start), &s) || !json_u64(json_at(&r->j, step), &d))
		return bad(r, init, "start and step must be integers");
	for (u32 i = 0; i < b->count; i++)
		put_element(b, i, s + d * i);
	return true;
}

static u64 splitmix(u64 seed, u64 i)
{
	u64 z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static bool init_random(Reader *r, SimtBuffer *b, u32 init)
{
	u32 at = json_member(&r->j, init, "seed"), min = json_member(&r->j, init, "min"), max = json_member(&r->j, init, "max");
	u64 seed;
	if (!at || !json_u64(json_at(&r->j, at), &seed))
		return bad(r, at ? at : init, "random needs a seed");
	if (!min != !max)
		return bad(r, init, "give both min and max, or neither");
	if (type_is_float(b->type)) {
		f64 lo = 0, hi = 1;
		if (min && (!json_f64(json_at(&r->j, min), &lo) || !json_f64(json_at(&r->j, max), &hi)))
			return bad(r, min, "min and max must be numbers");
		f64 d = hi - lo;
		for (u32 i = 0; i < b->count; i++) {
			f64 u = (f64)(splitmix(seed, i) >> 11) * 0x1p-53, p = u * d;
			put_element(b, i, bits_of_double(b->type, lo + p));
		}
		return true;
	}
	u32 w = 8 * simt_type_bytes(b->type);
	u64 lo = type_is_signed(b->type) ? 0 - sem_smin(w) : 0, hi = type_is_signed(b->type) ? sem_smax(w) : sem_mask(w);
	if (min && (!json_u64(json_at(&r->j, min), &lo) || !json_u64(json_at(&r->j, max), &hi)))
		return bad(r, min, "min and max must be integers");
	u64 span = hi - lo + 1;
	for (u32 i = 0; i < b->count; i++) {
		u64 z = splitmix(seed, i);
		put_element(b, i, lo + (span ? z % span : z));
	}
	return true;
}

static bool init_values(Reader *r, SimtBuffer *b, u32 init)
{
	u32 list = json_member(&r->j, init, "values"), i = 0;
	u64 bits;
	if (!list || json_at(&r->j, list)->kind != JSON_ARRAY)
		return bad(r, init, "values needs a list");
	json_each(&r->j, list, v) {
		if (i >= b->count)
			return bad(r, v, "more values than the buffer has elements");
		if (!scalar(r, v, b->type, &bits))
			return false;
		put_element(b, i++, bits);
	}
	return true;
}

static bool init_constant(Reader *r, SimtBuffer *b, u32 init)
{
	u32 v = json_member(&r->j, init, "value");
	u64 bits;
	if (!v)
		return bad(r, init, "constant needs a value");
	if (!scalar(r, v, b->type, &bits))
		return false;
	for (u32 i = 0; i < b->count; i++)
		put_element(b, i, bits);
	return true;
}

static bool buffer(Reader *r, u32 at, SimtBuffer *b)
{
	u32 type = json_member(&r->j, at, "type"), init = json_member(&r->j, at, "init");
	b->name = json_at(&r->j, at)->key;
	if (!type || !type_of(json_at(&r->j, type)->text, &b->type))
		return bad(r, type ? type : at, "a buffer needs a type: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64");
	if (!number_u32(r, at, "count", 0, UINT32_MAX, &b->count))
		return false;
	b->size = (u64)b->count * simt_type_bytes(b->type);
	if (b->count == UINT32_MAX)
		return bad(r, at, "a buffer needs a count");
	if (!allowed(r, at, SIMT_LIMIT_BUFFER, b->size))
		return false;
	b->init = arena_alloc(r->a, b->size + 16, 16);
	u32 kind = init ? json_member(&r->j, init, "kind") : 0;
	if (!kind || str_is(json_at(&r->j, kind)->text, "zero"))
		return true;
	Str k = json_at(&r->j, kind)->text;
	if (str_is(k, "constant"))
		return init_constant(r, b, init);
	if (str_is(k, "linear"))
		return init_linear(r, b, init);
	if (str_is(k, "random"))
		return init_random(r, b, init);
	return str_is(k, "values") ? init_values(r, b, init)
	                           : bad(r, kind, "init.kind is zero, constant, linear, random or values");
}

static u32 find_buffer(Reader *r, Str name)
{
	for (u32 i = 0; i < r->l->buffer.n; i++)
		if (str_eq(r->l->buffer.p[i].name, name))
			return i;
	return ~0u;
}

/* ---- textures */

static u64 level_bytes(const SimtTexture *t)
{
	u64 texels = size_mul(size_mul(t->width, t->height), t->depth);
	return size_mul(size_mul(texels, t->samples), (u64)t->channels * simt_type_bytes(t->type));
}

/* What is no direction of the texture counts its layers, of which each level has all. */
SimtTexture simt_texture_level(const SimtTexture *t, u32 k)
{
	SimtTexture l = *t;
	for (; k; k--) {
		l.level_at = size_add(l.level_at, level_bytes(&l));
		l.width = PS_MAX(l.width / 2, 1u);
		l.height = l.dim > 1 ? PS_MAX(l.height / 2, 1u) : l.height;
		l.depth = l.dim > 2 ? PS_MAX(l.depth / 2, 1u) : l.depth;
	}
	l.levels = 1;
	return l;
}

u64 simt_texture_bytes(const SimtTexture *t)
{
	SimtTexture last = simt_texture_level(t, t->levels - 1);
	return size_add(last.level_at, level_bytes(&last));
}

/* As many as there are until everything is one texel. */
static u32 most_levels(const SimtTexture *t)
{
	return u64_log2(PS_MAX(t->width, PS_MAX(t->dim > 1 ? t->height : 1, t->dim > 2 ? t->depth : 1))) + 1;
}

static bool keyword(Reader *r, u32 object, const char *key, const char *const *words, u32 n, u32 absent, u32 *out)
{
	u32 at = json_member(&r->j, object, key);
	*out = absent;
	if (!at)
		return true;
	for (u32 i = 0; i < n; i++)
		if (str_is(json_at(&r->j, at)->text, words[i])) {
			*out = i;
			return true;
		}
	return bad(r, at, "an unknown word");
}

static bool texture(Reader *r, u32 at, SimtTexture *t)
{
	static const char *const objects[] = {"texture", "surface"}, *const filters[] = {"point", "linear"};
	static const char *const between[] = {"point", "linear"};
	static const char *const modes[] = {"clamp", "wrap", "mirror", "border"};
	static const char *const tests[] = {"none",    "never",    "less",         "equal", "lessEqual",
	                                    "greater", "notEqual", "greaterEqual", "always"}; /* SimtDepth */
	u32                      object, filter, mode, test, mip, dim, channels, buf = json_member(&r->j, at, "buffer");
	u32                      type = json_member(&r->j, at, "type"), norm = json_member(&r->j, at, "normalized");
	t->name = json_at(&r->j, at)->key;
	if (!keyword(r, at, "object", objects, 2, 0, &object) || !keyword(r, at, "filter", filters, 2, 0, &filter) ||
	    !keyword(r, at, "address", modes, 4, 0, &mode) || !keyword(r, at, "depthTest", tests, 9, 0, &test) ||
	    !number_u32(r, at, "dim", 1, 1, &dim) || !number_u32(r, at, "channels", 1, 1, &channels) ||
	    !number_u32(r, at, "width", 1, 1, &t->width) || !number_u32(r, at, "height", 1, 1, &t->height) ||
	    !number_u32(r, at, "depth", 1, 1, &t->depth) || !number_u32(r, at, "samples", 1, 1, &t->samples) ||
	    !number_u32(r, at, "levels", 1, 1, &t->levels) || !keyword(r, at, "levelFilter", between, 2, 0, &mip))
		return false;
	if (!type || !type_of(json_at(&r->j, type)->text, &t->type))
		return bad(r, type ? type : at, "a texture needs a type");
	if (!buf || (t->buffer = find_buffer(r, json_at(&r->j, buf)->text)) == ~0u)
		return bad(r, buf ? buf : at, "a texture needs the name of a buffer");
	if (dim > 3 || (channels != 1 && channels != 2 && channels != 4))
		return bad(r, at, "dim is 1, 2 or 3; channels 1, 2 or 4");
	if (t->samples > 1 && (dim != 2 || object == 1 || filter == 1))
		return bad(r, at, "of several samples are textures with dim 2, without a filter");
	t->surface = object == 1;
	t->linear = filter == 1;
	t->depth_test = (u8)test;
	memset(t->address, (int)mode, sizeof t->address);
	t->normalized = norm && json_at(&r->j, norm)->truth;
	t->dim = (u8)dim;
	t->channels = (u8)channels;
	t->between = mip == 1;
	t->level_limit[1] = (f32)(t->levels - 1);
	if (t->levels > most_levels(t) || (t->levels > 1 && (object == 1 || t->samples > 1 || !t->normalized)))
		return bad(r, at,
		           "levels end with one of a texel, and are of textures with normalized coordinates and one sample");
	if (simt_texture_bytes(t) > r->l->buffer.p[t->buffer].size)
		return bad(r, at, "the texture is larger than its buffer");
	return true;
}

/* ---- arguments */

typedef struct Bytes {
	Vec(u8) v;
	u32 align;
} Bytes;

static void append(Reader *r, Bytes *b, const void *p, u32 n, u32 align)
{
	while (b->v.n % align)
		vec_push(r->a, &b->v, 0);
	for (u32 i = 0; i < n; i++)
		vec_push(r->a, &b->v, ((const u8 *)p)[i]);
	b->align = PS_MAX(b->align, align);
}

static bool hex_bytes(Reader *r, u32 at, u32 align, Bytes *out)
{
	Str t = json_at(&r->j, at)->text;
	if (t.n % 2 || !align || (align & (align - 1)))
		return bad(r, at, "bytes are pairs of hexadecimal digits; the alignment is a power of two");
	if (!allowed(r, at, SIMT_LIMIT_ALIGNMENT, align))
		return false;
	append(r, out, "", 0, align);
	for (u32 i = 0; i < t.n; i += 2) {
		u32 v = 0;
		for (u32 k = 0; k < 2; k++) {
			char c = t.p[i + k];
			v = v * 16 + (c >= '0' && c <= '9'   ? (u32)(c - '0')
			              : c >= 'a' && c <= 'f' ? (u32)(c - 'a' + 10)
			              : c >= 'A' && c <= 'F' ? (u32)(c - 'A' + 10)
			                                     : 1000);
		}
		if (v > 255)
			return bad(r, at, "bytes are pairs of hexadecimal digits");
		u8 byte = (u8)v;
		append(r, out, &byte, 1, 1);
	}
	return true;
}

static bool handle(Reader *r, u32 at, bool is_texture, u32 index, u64 offset, Bytes *out)
{
	u64 zero = 0;
	if (index == ~0u)
		return bad(r, at, is_texture ? "there is no texture of this name" : "there is no buffer of this name");
	append(r, out, &zero, 8, 8);
	SimtArgFix fix = {.arg = r->l->arg.n, .at = out->v.n - 8, .texture = is_texture, .index = index, .offset = offset};
	vec_push(r->a, &r->l->fix, fix);
	return true;
}

static u32 find_texture(Reader *r, Str name)
{
	for (u32 i = 0; i < r->l->texture.n; i++)
		if (str_eq(r->l->texture.p[i].name, name))
			return i;
	return ~0u;
}

/* A tensor map by value, as a kernel takes it: its address, the first word, is filled in at the launch. */
static bool tensor_map(Reader *r, u32 at, Bytes *out)
{
	SimtTensorMap t;
	u32           buf = json_member(&r->j, at, "buffer"), off = json_member(&r->j, at, "offset"), place = at;
	u64           offset = 0;
	const char   *why = launch_tensor(&r->j, &place, &t);
	if (why)
		return bad(r, place, why);
	if (off && !json_u64(json_at(&r->j, off), &offset))
		return bad(r, off, "an integer is wanted");
	u32 index = buf ? find_buffer(r, json_at(&r->j, buf)->text) : ~0u;
	if (index == ~0u)
		return bad(r, buf ? buf : at, "a tensor map needs the name of a buffer");
	if (offset % 16)
		return bad(r, off, "a tensor begins at a multiple of 16 bytes");
	append(r, out, &t, sizeof t, TENSOR_MAP_ALIGN);
	SimtArgFix fix = {.arg = r->l->arg.n, .at = out->v.n - (u32)sizeof t, .index = index, .offset = offset};
	vec_push(r->a, &r->l->fix, fix);
	return true;
}

static bool argument(Reader *r, u32 at, Bytes *out, u32 depth);

static bool structure(Reader *r, u32 list, Bytes *out, u32 depth)
{
	/* Its alignment must be known before its first field is placed: lay it out apart, twice. */
	u32   fixes = r->l->fix.n;
	Bytes trial = {.align = 1};
	json_each(&r->j, list, f)
		if (!argument(r, f, &trial, depth + 1))
			return false;
	append(r, out, "", 0, trial.align);
	u32 base = out->v.n;
	while (trial.v.n % trial.align)
		vec_push(r->a, &trial.v, 0);
	append(r, out, trial.v.p, trial.v.n, 1);
	out->align = PS_MAX(out->align, trial.align);
	for (u32 i = fixes; i < r->l->fix.n; i++)
		r->l->fix.p[i].at += base;
	return true;
}

static bool argument(Reader *r, u32 at, Bytes *out, u32 depth)
{
	SimtType t;
	u64      bits, offset = 0;
	u32      buf = json_member(&r->j, at, "buffer"), tex = json_member(&r->j, at, "texture");
	u32      bytes = json_member(&r->j, at, "bytes"), fields = json_member(&r->j, at, "struct"), align;
	u32      tensor = json_member(&r->j, at, "tensorMap");
	if (depth > 16)
		return bad(r, at, "structures nest too deeply");
	if (buf) {
		u32 off = json_member(&r->j, at, "offset");
		if (off && !json_u64(json_at(&r->j, off), &offset))
			return bad(r, off, "an integer is wanted");
		return handle(r, buf, false, find_buffer(r, json_at(&r->j, buf)->text), offset, out);
	}
	if (tex)
		return handle(r, tex, true, find_texture(r, json_at(&r->j, tex)->text), 0, out);
	if (tensor)
		return tensor_map(r, tensor, out);
	if (bytes)
		return number_u32(r, at, "align", 1, 1, &align) && hex_bytes(r, bytes, align, out);
	if (fields)
		return structure(r, fields, out, depth);
	u32 only = json_at(&r->j, at)->first;
	if (!only || !type_of(json_at(&r->j, only)->key, &t))
		return bad(r, at, "an argument is {type: value}, buffer, texture, tensorMap, bytes or struct");
	if (!scalar(r, only, t, &bits))
		return false;
	append(r, out, &bits, simt_type_bytes(t), simt_type_bytes(t));
	return true;
}

/* ---- the file */

static bool triple(Reader *r, const char *key, u32 *out)
{
	u32 at = json_member(&r->j, 1, key), n = 0;
	u64 v;
	if (!at || json_at(&r->j, at)->kind != JSON_ARRAY || json_at(&r->j, at)->n != 3)
		return bad(r, at ? at : 1, "grid, block and cluster are lists of three positive integers");
	json_each(&r->j, at, i) {
		if (!json_u64(json_at(&r->j, i), &v) || v == 0 || v > 0x7fffffff)
			return bad(r, i, "a positive integer is wanted");
		out[n++] = (u32)v;
	}
	return true;
}

static bool read(Reader *r)
{
	SimtLaunch *l = r->l;
	u32         kernel = json_member(&r->j, 1, "kernel"), buffers = json_member(&r->j, 1, "buffers");
	u32         symbols = json_member(&r->j, 1, "symbols"), textures = json_member(&r->j, 1, "textures");
	u32         args = json_member(&r->j, 1, "args");
	if (json_at(&r->j, 1)->kind != JSON_OBJECT)
		return bad(r, 1, "a launch description is an object");
	if (!kernel || json_at(&r->j, kernel)->kind != JSON_STRING)
		return bad(r, kernel ? kernel : 1, "kernel must name the entry to run");
	l->kernel = json_at(&r->j, kernel)->text;
	if (!triple(r, "grid", l->grid) || !triple(r, "block", l->block) ||
	    (json_member(&r->j, 1, "cluster") && !triple(r, "cluster", l->cluster)) ||
	    !number_u32(r, 1, "sharedBytes", 0, 0, &l->shared_bytes))
		return false;
	if (buffers)
		json_each(&r->j, buffers, i) {
			SimtBuffer b = {0};
			if (!buffer(r, i, &b))
				return false;
			vec_push(r->a, &l->buffer, b);
		}
	if (symbols)
		json_each(&r->j, symbols, i) {
			SimtBuffer b = {0};
			if (!buffer(r, i, &b))
				return false;
			vec_push(r->a, &l->symbol, b);
		}
	if (textures)
		json_each(&r->j, textures, i) {
			SimtTexture t = {0};
			if (!texture(r, i, &t) || !allowed(r, i, SIMT_LIMIT_TEXTURES, l->texture.n + 1))
				return false;
			vec_push(r->a, &l->texture, t);
		}
	if (args)
		json_each(&r->j, args, i) {
			Bytes b = {.align = 1};
			if (!argument(r, i, &b, 0))
				return false;
			if (!allowed(r, i, SIMT_LIMIT_PARAM, b.v.n))
				return false;
			vec_push(r->a, &l->arg, ((SimtArg){b.v.p, b.v.n, b.align}));
		}
	u64 threads = size_mul(size_mul(l->block[0], l->block[1]), l->block[2]);
	u64 blocks = size_mul(size_mul(l->grid[0], l->grid[1]), l->grid[2]);
	u32 block_at = json_member(&r->j, 1, "block"), grid_at = json_member(&r->j, 1, "grid");
	return allowed(r, block_at, SIMT_LIMIT_THREADS, threads) && allowed(r, block_at, SIMT_LIMIT_BLOCK_Z, l->block[2]) &&
	       allowed(r, grid_at, SIMT_LIMIT_BLOCKS, blocks) &&
	       allowed(r, grid_at, SIMT_LIMIT_GRID_YZ, PS_MAX(l->grid[1], l->grid[2])) &&
	       allowed(r, json_member(&r->j, 1, "sharedBytes"), SIMT_LIMIT_SHARED, l->shared_bytes);
}

SimtLaunch *simt_launch_parse(Session *s, Arena *arena, Str json)
{
	Reader r = {.a = arena, .l = arena_new(arena, SimtLaunch)};
	if (!json_parse(&r.j, s, arena, json) || !read(&r))
		return NULL;
	return r.l;
}
