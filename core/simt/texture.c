/* texture.c: texture fetches and surface accesses.
 *
 * An object is a buffer seen as width x height x depth texels. Arrays take their layers from the next
 * dimension: a 1D array's from the height, a 2D array's from the depth. A cube is six layers of a 2D array:
 * +x, -x, +y, -y, +z, -z; a direction picks the face of its largest component and the point on it.
 * A texel of an image with several samples has them one behind the other. Of an array's coordinates the first is the sample, the
 * second the layer: the manual says both this and the opposite, and ptxas clamps the second one to 16 bits, as it does layers.
 * Coordinates of textures are floored; linear filtering weighs neighbours with 8 bits of fraction, as the
 * hardware does, and does not reach over the edge of a face.
 * A fetch from a texture with levels names the level (tex.level), or how its coordinates change from one pixel to the next (tex.grad):
 * the level is then the binary logarithm of the longer one of both changes, in texels. Levels are weighed with 8 bits of fraction, too. */
#include "simt/jobs.h"
#include "simt/machine.h"
#include "simt/op_impl.h"

#include "sem/float.h"

typedef enum Result { RESULT_F32, RESULT_F16, RESULT_F16X2, RESULT_INT } Result;

/* What an access outside of a surface does (TexForm.clamp). */
enum { SURF_TRAP, SURF_CLAMP, SURF_ZERO };

typedef enum Query {
	QUERY_WIDTH,
	QUERY_HEIGHT,
	QUERY_DEPTH,
	QUERY_LAYERS,
	QUERY_NORMALIZED,
	QUERY_SAMPLES,
	QUERY_LEVELS,
	QUERY_ZERO,
	QUERY_CHANNEL_TYPE,
	QUERY_CHANNEL_ORDER,
	QUERY_FILTER,
	QUERY_ADDRESS,
	QUERY_UNNORMALIZED,
	QUERY_IS_TEXTURE,
	QUERY_IS_SAMPLER,
	QUERY_IS_SURFACE
} Query;

/* ---- decoding */

static const struct {
	u8 token, geometry, group;
} shapes[] = {
	{TOK_shape_1d, GEOM_1D, 1},
	{TOK_shape_2d, GEOM_2D, 2},
	{TOK_shape_3d, GEOM_3D, 4},
	{TOK_shape_a1d, GEOM_1D_ARRAY, 2},
	{TOK_shape_a2d, GEOM_2D_ARRAY, 4},
	{TOK_shape_cube, GEOM_CUBE, 4},
	{TOK_shape_acube, GEOM_CUBE_ARRAY, 4},
	{TOK_shape_2dms, GEOM_2DMS, 4},
	{TOK_shape_a2dms, GEOM_2DMS_ARRAY, 4},
};

static bool set_shape(TexForm *t, u32 token, u32 *group)
{
	for (u32 i = 0; i < PS_COUNT(shapes); i++)
		if (shapes[i].token == token) {
			t->geometry = shapes[i].geometry;
			*group = shapes[i].group;
			return true;
		}
	return false;
}

/* Coordinates without the layer. */
static u32 dims_of(u32 geometry)
{
	switch (geometry) {
	case GEOM_1D:
	case GEOM_1D_ARRAY: return 1;
	case GEOM_3D:
	case GEOM_CUBE:
	case GEOM_CUBE_ARRAY: return 3;
	default: return 2;
	}
}

static void emit_form(OpCx *c, TexForm t)
{
	u32 at = c->e->p->tex.n;
	vec_push(c->e->p->arena, &c->e->p->tex, t);
	emit_insn(c->e, S_TEX)->y = at;
}

/* SLOT_form of fetches: which of the row's optional operands are there, in their order. */
enum { FORM_RESIDENT = 1, FORM_OFFSETS = 2, FORM_DEPTH = 4 };

/* They are the last operands but for the depth. */
static void decode_offsets(OpCx *c, TexForm *t)
{
	u32               behind = t->depth == NO_REG ? 0 : 1, n = 1;
	const IsaOperand *last = &c->d->operand[c->d->n_operands - 1 - behind];
	while (last[-(i32)n].item == last->item)
		n++;
	for (u32 k = 0; k < n && k < 3; k++)
		t->offset[k] = op_in(c, c->n - behind - n + k, 32);
	t->moved = true;
}

static bool decode_fetch(OpCx *c, TexForm t)
{
	const u8 *slot = c->d->opc.slot;
	u32       op = c->d->opc.op, n = isa_vec(&c->d->opc), group, at = c->d->n_defs;
	bool      gather = op == ISA_tld4 || op == ISA_tld4_unified;
	if (!set_shape(&t, slot[SLOT_shape], &group))
		return false;
	t.what = gather ? TEX_GATHER : TEX_FETCH;
	t.type = slot[SLOT_type] == TOK_type_f32     ? RESULT_F32
	         : slot[SLOT_type] == TOK_type_f16   ? RESULT_F16
	         : slot[SLOT_type] == TOK_type_f16x2 ? RESULT_F16X2
	                                             : RESULT_INT;
	t.coords = slot[SLOT_stype] == TOK_type_f32;
	t.n = (u8)PS_MIN(n, 4u);
	t.component = gather ? (u8)(slot[SLOT_op] - TOK_op_r) : 0;
	for (u32 k = 0; k < t.n; k++)
		t.result[k] = taken(c, k, 32);
	if (slot[SLOT_form] & FORM_RESIDENT)
		t.resident = taken(c, at - 1, 1);
	t.handle = op_in(c, at++, 64);
	if (op == ISA_tex || op == ISA_tld4)
		t.sampler = op_in(c, at++, 64);
	for (u32 k = 0; k < group; k++)
		t.coord[k] = op_in(c, at++, 32);
	if (slot[SLOT_op] == TOK_op_level && !gather) {
		t.level = 1;
		t.lod[0][0] = op_in(c, at++, 32);
	}
	if (slot[SLOT_op] == TOK_op_grad && !gather) {
		u32 dims = dims_of(t.geometry), each = dims > 2 ? 4 : dims;
		t.level = 2;
		for (u32 k = 0; k < 2; k++, at += each)
			for (u32 i = 0; i < dims; i++)
				t.lod[k][i] = op_in(c, at + i, 32);
	}
	if (slot[SLOT_form] & FORM_DEPTH)
		t.depth = op_in(c, c->n - 1, 32);
	if (slot[SLOT_form] & FORM_OFFSETS)
		decode_offsets(c, &t);
	emit_form(c, t);
	return true;
}

static bool decode_surface(OpCx *c, TexForm t)
{
	const u8 *slot = c->d->opc.slot;
	u32       op = c->d->opc.op, n = isa_vec(&c->d->opc), group, at = c->d->n_defs, bits = isa_type(slot[SLOT_type])->bits;
	if (!set_shape(&t, slot[SLOT_shape], &group))
		return false;
	bool reduce = op == ISA_sured_b || op == ISA_sured_p;
	t.what = reduce ? SURF_REDUCE : op == ISA_suld_b ? SURF_LOAD : op == ISA_sust_b ? SURF_STORE : SURF_STORE_FORMATTED;
	t.by_sample = op == ISA_sust_p || op == ISA_sured_p;
	t.atom = reduce ? op_atom_kind(c) : 0;
	t.type = (u8)(bits / 8);
	t.n = (u8)n;
	t.clamp = slot[SLOT_mode] == TOK_mode_clamp ? SURF_CLAMP : slot[SLOT_mode] == TOK_mode_zero ? SURF_ZERO : SURF_TRAP;
	t.handle = op_in(c, at++, 64);
	for (u32 k = 0; k < group; k++)
		t.coord[k] = op_in(c, at++, 32);
	for (u32 k = 0; k < n; k++)
		t.result[k] = t.what == SURF_LOAD ? taken(c, k, bits) : op_in(c, at++, bits);
	emit_form(c, t);
	return true;
}

static bool decode_query(OpCx *c, TexForm t)
{
	static const struct {
		u8 token, query;
	} queries[] = {
		{TOK_op_width, QUERY_WIDTH},
		{TOK_op_height, QUERY_HEIGHT},
		{TOK_op_depth, QUERY_DEPTH},
		{TOK_op_array_size, QUERY_LAYERS},
		{TOK_op_normalized_coords, QUERY_NORMALIZED},
		{TOK_op_num_mipmap_levels, QUERY_LEVELS},
		{TOK_op_num_samples, QUERY_SAMPLES},
		{TOK_op_channel_data_type, QUERY_CHANNEL_TYPE},
		{TOK_op_channel_order, QUERY_CHANNEL_ORDER},
		{TOK_op_filter_mode, QUERY_FILTER},
		{TOK_op_addr_mode_0, QUERY_ADDRESS},
		{TOK_op_addr_mode_1, QUERY_ADDRESS},
		{TOK_op_addr_mode_2, QUERY_ADDRESS},
		{TOK_op_force_unnormalized_coords, QUERY_UNNORMALIZED},
		{TOK_op_memory_layout, QUERY_ZERO},
		{TOK_op_texref, QUERY_IS_TEXTURE},
		{TOK_op_samplerref, QUERY_IS_SAMPLER},
		{TOK_op_surfref, QUERY_IS_SURFACE},
	};
	u32 op = c->d->opc.slot[SLOT_op], k = 0;
	while (k < PS_COUNT(queries) && queries[k].token != op)
		k++;
	if (k == PS_COUNT(queries))
		return false;
	t.what = TEX_QUERY;
	t.query = queries[k].query;
	t.result[0] = taken(c, 0, 32);
	t.handle = op_in(c, 1, 64);
	t.level = c->d->opc.op == ISA_txq && c->d->opc.slot[SLOT_flag2] != 0;
	if (t.level)
		t.lod[0][0] = op_in(c, 2, 32);
	emit_form(c, t);
	return true;
}

bool simt_op_image(OpCx *c)
{
	TexForm t = {.sampler = NO_REG,
	             .result = {NO_REG, NO_REG, NO_REG, NO_REG},
	             .coord = {NO_REG, NO_REG, NO_REG, NO_REG},
	             .offset = {NO_REG, NO_REG, NO_REG},
	             .resident = NO_REG,
	             .depth = NO_REG};
	switch (c->d->opc.op) {
	case ISA_tex:
	case ISA_tex_unified:
	case ISA_tld4:
	case ISA_tld4_unified: return decode_fetch(c, t);
	case ISA_suld_b:
	case ISA_sust_b:
	case ISA_sust_p:
	case ISA_sured_b:
	case ISA_sured_p: return decode_surface(c, t);
	case ISA_txq:
	case ISA_suq:
	case ISA_istypep: return decode_query(c, t);
	default: return false;
	}
}

/* ---- objects */

/* What a handle names: a number of its window, or the address of a variable that holds one. */
static const SimtTexture *object_of(SimtMachine *m, u64 handle, u32 lane)
{
	if ((handle - m->p->windows) >> WINDOW_BITS != HANDLE_WINDOW >> WINDOW_BITS) {
		const u8 *p = mem_at(m, SPACE_GENERIC, handle, 8, lane, ACCESS_READ);
		if (!p)
			return NULL;
		memcpy(&handle, p, 8);
	}
	u64 number = (handle - m->p->windows - HANDLE_WINDOW) / 64 - 1;
	if (handle % 64 || number >= m->launch.texture.n || !m->launch.texture.p[number].width) {
		simt_fail(m, FAULT_TEXTURE, lane, "0x%llx is no texture or surface of the launch", (unsigned long long)handle);
		return NULL;
	}
	return &m->launch.texture.p[number];
}

typedef struct Extent {
	u32 size[3]; /* 1 where the geometry has no such coordinate */
	u32 layers;
} Extent;

static Extent extent_of(const SimtTexture *t, u32 geometry)
{
	switch (geometry) {
	case GEOM_1D: return (Extent){{t->width, 1, 1}, 1};
	case GEOM_2D:
	case GEOM_2DMS: return (Extent){{t->width, t->height, 1}, 1};
	case GEOM_1D_ARRAY: return (Extent){{t->width, 1, 1}, t->height};
	case GEOM_2D_ARRAY:
	case GEOM_2DMS_ARRAY:
	case GEOM_CUBE:
	case GEOM_CUBE_ARRAY: return (Extent){{t->width, t->height, 1}, t->depth};
	default: return (Extent){{t->width, t->height, t->depth}, 1};
	}
}

static u64 texel_bytes(const SimtTexture *t) { return (u64)t->channels * simt_type_bytes(t->type); }

/* Of the first sample. */
static u8 *texel_at(const SimtMachine *m, const SimtTexture *t, const Extent *e, const u32 *at, u32 layer)
{
	u8 *texels = (t->host ? t->host : m->buffer.p[t->buffer]) + t->level_at;
	u64 row = ((u64)layer * e->size[2] + at[2]) * e->size[1] + at[1], bytes = texel_bytes(t) * t->samples;
	return texels + row * (t->row_bytes ? t->row_bytes : t->width * bytes) + at[0] * bytes;
}

/* ---- textures */

/* i brought into 0 .. n-1; false: the border. */
static bool wrap(u32 mode, i64 *i, u32 n)
{
	i64 size = n, v = *i;
	if (v >= 0 && v < size)
		return true;
	switch (mode) {
	case ADDRESS_WRAP: *i = ((v % size) + size) % size; return true;
	case ADDRESS_MIRROR:
		v = ((v % (2 * size)) + 2 * size) % (2 * size);
		*i = v < size ? v : 2 * size - 1 - v;
		return true;
	case ADDRESS_BORDER: return false;
	default: *i = v < 0 ? 0 : size - 1; return true;
	}
}

/* A channel of a texture's texels, and the type that it is read as. */
typedef struct Channel {
	const SimtTexture *t;
	const Extent      *e;
	u32                layer, sample, channel;
	bool               as_float;
	u8                 depth_test; /* SimtDepth: of `depth` and the texel; the result is 1 or 0 */
	f32                depth;
} Channel;

/* A coordinate that arithmetic and indices can bear on every host: NaN counts as 0, and what is far away is as far as 1e15. */
static f64 bounded(f64 v) { return v != v ? 0 : v > 1e15 ? 1e15 : v < -1e15 ? -1e15 : v; }

static i64 to_index(f64 v) { return (i64)bounded(v); }

/* The channel of what lies outside. */
static f64 border_of(const Channel *c, u64 *raw)
{
	f32 v = c->t->border[c->channel % 4];
	*raw = c->as_float ? sem_f32_bits(v) : (u32)to_index((f64)v);
	return (f64)v;
}

static bool passes(u8 test, f64 depth, f64 texel)
{
	switch ((SimtDepth)test) {
	case DEPTH_LESS: return depth < texel;
	case DEPTH_EQUAL: return depth == texel;
	case DEPTH_LESS_EQUAL: return depth <= texel;
	case DEPTH_GREATER: return depth > texel;
	case DEPTH_NOT_EQUAL: return depth != texel;
	case DEPTH_GREATER_EQUAL: return depth >= texel;
	case DEPTH_ALWAYS: return true;
	case DEPTH_NONE:
	case DEPTH_NEVER: break;
	}
	return false;
}

/* The channel of the texel at `where`, in double; *raw: as the bits of the result. */
static f64 stored(const SimtMachine *m, const Channel *c, const i64 *where, u64 *raw)
{
	const SimtTexture *t = c->t;
	const Extent      *e = c->e;
	u32                channel = c->channel;
	bool               as_float = c->as_float;
	u32                at[3], bytes = simt_type_bytes(t->type);
	u64                v = 0;
	*raw = 0;
	for (u32 k = 0; k < 3; k++) {
		i64 i = where[k];
		if (!wrap(t->address[k], &i, e->size[k]))
			return border_of(c, raw);
		at[k] = (u32)i;
	}
	if (channel >= t->channels) {
		*raw = channel == 3 ? (as_float ? 0x3f800000u : 1) : 0;
		return channel == 3 ? 1 : 0;
	}
	memcpy(&v, texel_at(m, t, e, at, c->layer) + c->sample * texel_bytes(t) + channel * bytes, bytes);
	if (t->type == ST_F64) {
		*raw = sem_f2f(SEM_F32, SEM_F64, v, 0);
		return sem_f64_of(v);
	}
	if (t->type >= ST_F16) {
		f32 x = sem_f32_of((u32)(t->type == ST_F32 ? v : sem_f2f(SEM_F32, SEM_F16, v, 0)));
		*raw = x != x ? 0x7fffffff : sem_f32_bits(x);
		return (f64)x;
	}
	bool is_signed = t->type % 2 == 0;
	i64  x = is_signed ? sem_sext(v, 8 * bytes) : (i64)v;
	if (!as_float) {
		*raw = (u32)x;
		return (f64)x;
	}
	f64 unit = (f64)x / (f64)(is_signed ? sem_smax(8 * bytes) : sem_mask(8 * bytes)); /* read as a fraction */
	unit = unit < -1 ? -1 : unit;
	*raw = sem_f32_bits((f32)unit);
	return unit;
}

/* The same, or whether it passes the depth test. */
static f64 texel(const SimtMachine *m, const Channel *c, const i64 *where, u64 *raw)
{
	f64 v = stored(m, c, where, raw);
	if (c->depth_test == DEPTH_NONE || c->channel >= c->t->channels)
		return v;
	bool pass = passes(c->depth_test, (f64)c->depth, v);
	*raw = !pass ? 0 : c->as_float ? 0x3f800000u : 1;
	return pass;
}

/* Coordinates are bounded, so that the integer part is one of i64. */
static f64 floor_of(f64 v)
{
	f64 whole = (f64)(i64)v;
	return whole > v ? whole - 1 : whole;
}

/* The channel at real coordinates, filtered. */
static f64 sample(const SimtMachine *m, const Channel *c, const f64 *pos)
{
	const Extent *e = c->e;
	f64           sum = 0, frac[3];
	i64           base[3];
	u64           raw;
	for (u32 k = 0; k < 3; k++) {
		f64 p = e->size[k] > 1 || k == 0 ? pos[k] - 0.5 : 0, fl = floor_of(p);
		base[k] = to_index(fl);
		frac[k] = floor_of((p - fl) * 256 + 0.5) / 256;
	}
	for (u32 corner = 0; corner < 8; corner++) {
		f64 w = 1;
		i64 at[3];
		for (u32 k = 0; k < 3; k++) {
			u32 up = corner >> k & 1;
			at[k] = base[k] + up;
			w *= up ? frac[k] : 1 - frac[k];
		}
		if (w != 0)
			sum += w * texel(m, c, at, &raw);
	}
	return sum;
}

static u32 result_bits(f64 v) { return v != v ? 0x7fffffff : sem_f32_bits((f32)v); }

/* The face that the direction points to, and the place on it, 0 .. 1. */
static u32 cube_face(const f64 *v, f64 *pos)
{
	f64       x = v[0] < 0 ? -v[0] : v[0], y = v[1] < 0 ? -v[1] : v[1], z = v[2] < 0 ? -v[2] : v[2];
	u32       axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2, face = 2 * axis + (v[axis] < 0);
	f64       most = axis == 0 ? x : axis == 1 ? y : z;
	const f64 s[] = {-v[2], v[2], v[0], v[0], v[0], -v[0]}, t[] = {-v[1], -v[1], v[2], -v[2], -v[1], -v[1]};
	pos[0] = most > 0 ? (s[face] / most + 1) / 2 : 0;
	pos[1] = most > 0 ? (t[face] / most + 1) / 2 : 0;
	return face;
}

/* Where a lane's coordinates lead: in texels, real and whole, and the layer. */
typedef struct Where {
	f64 pos[3];
	i64 at[3];
	u32 layer, sample;
	f32 depth;
} Where;

static Where where_of(const SimtMachine *m, const Frame *f, const TexForm *x, const SimtTexture *t, const Extent *e, u32 l)
{
	Where w = {{0}, {0}, 0, 0, 0};
	bool  samples = x->geometry == GEOM_2DMS || x->geometry == GEOM_2DMS_ARRAY;
	bool  array = x->geometry == GEOM_1D_ARRAY || x->geometry == GEOM_2D_ARRAY || x->geometry == GEOM_CUBE_ARRAY ||
	             x->geometry == GEOM_2DMS_ARRAY;
	bool cube = x->geometry == GEOM_CUBE || x->geometry == GEOM_CUBE_ARRAY;
	u32  first = 0, dims = dims_of(x->geometry);
	if (samples)
		w.sample = reg_rows(m, f, x->coord[first++])[l];
	if (x->depth != NO_REG)
		w.depth = sem_f32_of(reg_rows(m, f, x->depth)[l]);
	if (array)
		w.layer = reg_rows(m, f, x->coord[first++])[l];
	for (u32 k = 0; k < dims; k++) {
		u32 bits = reg_rows(m, f, x->coord[first + k])[l];
		w.pos[k] = bounded(x->coords ? (f64)sem_f32_of(bits) : (f64)(i32)bits);
	}
	if (cube) {
		f64 direction[3] = {w.pos[0], w.pos[1], w.pos[2]};
		w.layer = 6 * PS_MIN(w.layer, e->layers) + cube_face(direction, w.pos);
		w.pos[2] = 0;
	}
	w.layer = PS_MIN(w.layer, e->layers - 1);
	w.sample = PS_MIN(w.sample, t->samples - 1);
	for (u32 k = 0; k < (cube ? 2 : dims); k++) {
		if (cube || (x->coords && t->normalized))
			w.pos[k] = bounded(w.pos[k] * (f64)e->size[k]);
		if (x->moved && !cube)
			w.pos[k] += (f64)(i32)reg_rows(m, f, x->offset[k])[l];
		w.at[k] = to_index(floor_of(w.pos[k]));
		if (cube) /* the far edge belongs to the last texel */
			w.at[k] = PS_MIN(w.at[k], (i64)e->size[k] - 1);
	}
	return w;
}

/* Result k of a fetch, as f32 or as an integer. */
static u32 channel(const SimtMachine *m, const TexForm *x, const SimtTexture *t, const Extent *e, const Where *w, u32 k)
{
	u32     number = x->what == TEX_GATHER ? x->component : k;
	Channel c = {
		t,       e, w->layer, w->sample, number, x->type != RESULT_INT, x->depth == NO_REG ? DEPTH_NONE : t->depth_test,
		w->depth};
	u64 raw;
	if (x->what == TEX_GATHER) { /* the four around the point, counter-clockwise from the lower left */
		static const u8 dx[4] = {0, 1, 1, 0}, dy[4] = {1, 1, 0, 0};
		i64 corner[3] = {to_index(floor_of(w->pos[0] - 0.5)) + dx[k % 4], to_index(floor_of(w->pos[1] - 0.5)) + dy[k % 4],
		                 0};
		texel(m, &c, corner, &raw);
		return (u32)raw;
	}
	if (t->linear && x->coords && c.as_float)
		return result_bits(sample(m, &c, w->pos));
	texel(m, &c, w->at, &raw);
	return (u32)raw;
}

/* ---- levels */

/* How a direction's change moves the place on its face, in faces. */
static void cube_change(const f64 *v, f64 *d)
{
	f64       x = v[0] < 0 ? -v[0] : v[0], y = v[1] < 0 ? -v[1] : v[1], z = v[2] < 0 ? -v[2] : v[2];
	u32       axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2, face = 2 * axis + (v[axis] < 0);
	f64       most = axis == 0 ? x : axis == 1 ? y : z, dmost = v[axis] < 0 ? -d[axis] : d[axis];
	const f64 s[] = {-v[2], v[2], v[0], v[0], v[0], -v[0]}, t[] = {-v[1], -v[1], v[2], -v[2], -v[1], -v[1]};
	const f64 ds[] = {-d[2], d[2], d[0], d[0], d[0], -d[0]}, dt[] = {-d[1], -d[1], d[2], -d[2], -d[1], -d[1]};
	f64       square = most > 0 ? 2 * most * most : 1;
	d[0] = (ds[face] * most - s[face] * dmost) / square;
	d[1] = (dt[face] * most - t[face] * dmost) / square;
	d[2] = 0;
}

/* The square of the length of change k of the coordinates, in texels. */
static f64 change(const SimtMachine *m, const Frame *f, const TexForm *x, const Extent *e, u32 k, u32 l)
{
	bool cube = x->geometry == GEOM_CUBE || x->geometry == GEOM_CUBE_ARRAY;
	u32  dims = dims_of(x->geometry), first = x->geometry == GEOM_CUBE_ARRAY ? 1 : 0;
	f64  d[3] = {0}, v[3], sum = 0;
	for (u32 i = 0; i < dims; i++)
		d[i] = bounded((f64)sem_f32_of(reg_rows(m, f, x->lod[k][i])[l]));
	if (cube) {
		for (u32 i = 0; i < 3; i++)
			v[i] = bounded((f64)sem_f32_of(reg_rows(m, f, x->coord[first + i])[l]));
		cube_change(v, d);
	}
	for (u32 i = 0; i < dims; i++)
		sum += d[i] * e->size[i] * (d[i] * e->size[i]);
	return sum;
}

/* The level that the fetch is from, in the limits of the texture. */
static f64 level_of(const SimtMachine *m, const Frame *f, const TexForm *x, const SimtTexture *t, u32 l)
{
	f64 lod = 0;
	if (x->level == 1) {
		u32 bits = reg_rows(m, f, x->lod[0][0])[l];
		lod = bounded(x->coords ? (f64)sem_f32_of(bits) : (f64)(i32)bits) + (f64)t->bias;
	} else if (x->level == 2) {
		Extent e = extent_of(t, x->geometry);
		f64    a = change(m, f, x, &e, 0, l), b = change(m, f, x, &e, 1, l), most = a > b ? a : b;
		u32    bits = sem_f32_bits((f32)(most < 1e-30 ? 1e-30 : most > 1e30 ? 1e30 : most));
		lod = (f64)sem_f32_of(sem_lg2_approx_f32(bits, (SemFpMode){0})) / 2 + (f64)t->bias;
	}
	f64 top = (f64)(t->levels - 1), least = (f64)t->level_limit[0], greatest = (f64)t->level_limit[1];
	lod = lod < least ? least : lod;
	lod = lod > greatest ? greatest : lod;
	return !(lod > 0) ? 0 : lod > top ? top : lod;
}

/* Where a fetch is from: one level or, with a weight for the second one, two. */
typedef struct Levels {
	SimtTexture        own[2]; /* of a texture with levels */
	const SimtTexture *t[2];
	Extent             e[2];
	Where              w[2];
	f64                weight;
} Levels;

static void find_levels(const SimtMachine *m, const Frame *f, const TexForm *x, const SimtTexture *t, u32 l, Levels *v)
{
	f64 level = t->levels > 1 ? level_of(m, f, x, t, l) : 0, first = floor_of(level + (t->between ? 0 : 0.5));
	v->weight = 0;
	if (t->levels > 1 && t->between && x->type != RESULT_INT && x->what == TEX_FETCH)
		v->weight = floor_of((level - first) * 256 + 0.5) / 256;
	for (u32 k = 0; k < (v->weight != 0 ? 2 : 1); k++) {
		v->t[k] = t;
		if (t->levels > 1) {
			v->own[k] = simt_texture_level(t, (u32)first + k);
			v->t[k] = &v->own[k];
		}
		v->e[k] = extent_of(v->t[k], x->geometry);
		v->w[k] = where_of(m, f, x, v->t[k], &v->e[k], l);
	}
}

static u32 channel_of(const SimtMachine *m, const TexForm *x, const Levels *v, u32 k)
{
	u32 a = channel(m, x, v->t[0], &v->e[0], &v->w[0], k);
	if (v->weight == 0)
		return a;
	u32 b = channel(m, x, v->t[1], &v->e[1], &v->w[1], k);
	return result_bits((1 - v->weight) * (f64)sem_f32_of(a) + v->weight * (f64)sem_f32_of(b));
}

static u32 half_of(u32 f32) { return (u32)sem_f2f(SEM_F16, SEM_F32, f32, 0); }

static void fetch_lane(SimtMachine *m, const Frame *f, const TexForm *x, const SimtTexture *t, u32 l)
{
	Levels v;
	find_levels(m, f, x, t, l, &v);
	if (x->resident != NO_REG)
		reg_rows(m, f, x->resident)[l] = 1;
	for (u32 k = 0; k < x->n; k++) {
		if (x->result[k] == NO_REG)
			continue;
		u32 *d = reg_rows(m, f, x->result[k]);
		if (x->type == RESULT_F16X2)
			d[l] = half_of(channel_of(m, x, &v, 2 * k)) | half_of(channel_of(m, x, &v, 2 * k + 1)) << 16;
		else
			d[l] = x->type == RESULT_F16 ? half_of(channel_of(m, x, &v, k)) : channel_of(m, x, &v, k);
	}
}

/* ---- surfaces */

/* Bytes that an access touches in its row: by samples a whole texel, in which a reduction must fit; else as many as it
 * names, whatever the texel. 0 after a fault. */
static u32 access_bytes(SimtMachine *m, const TexForm *x, const SimtTexture *t, u32 l)
{
	u32 texel = (u32)texel_bytes(t);
	if (!x->by_sample)
		return (u32)x->type * x->n;
	if (x->type <= texel && simt_type_bytes(t->type) <= 4)
		return texel;
	simt_fail(m, FAULT_TEXTURE, l, "access of %u bytes by samples to %.*s, whose texels have %u channels of %u bytes",
	          x->type, STR_ARG(t->name), t->channels, simt_type_bytes(t->type));
	return 0;
}

static bool surface_bounds(SimtMachine *m, const SimtTexture *t, u32 l, const i64 *at, u32 bytes)
{
	return simt_fail(m, FAULT_BOUNDS, l, "surface access of %u bytes at (%lld, %lld, %lld) of %.*s, which is %u x %u x %u",
	                 bytes, (long long)at[0], (long long)at[1], (long long)at[2], STR_ARG(t->name), t->width, t->height,
	                 t->depth);
}

/* The byte behind the coordinates; NULL with *skip: nothing happens; NULL without: a fault. */
static u8 *surface_at(SimtMachine *m, const Frame *f, const TexForm *x, const SimtTexture *t, u32 l, bool *skip)
{
	Extent e = extent_of(t, x->geometry);
	bool   array = x->geometry == GEOM_1D_ARRAY || x->geometry == GEOM_2D_ARRAY;
	u32    first = array ? 1 : 0, dims = x->geometry == GEOM_1D || x->geometry == GEOM_1D_ARRAY ? 1
	                                     : x->geometry == GEOM_3D                               ? 3
	                                                                                            : 2;
	i64    at[3] = {0, 0, 0}, layer = array ? (i32)reg_rows(m, f, x->coord[0])[l] : 0;
	i64    row = (i64)e.size[0] * (i64)texel_bytes(t), bytes = access_bytes(m, x, t, l);
	*skip = false;
	if (!bytes)
		return NULL;
	for (u32 k = 0; k < dims; k++)
		at[k] = (i32)reg_rows(m, f, x->coord[first + k])[l];
	i64  byte = at[0] * (x->by_sample ? (i64)texel_bytes(t) : 1);
	bool out = byte < 0 || byte + bytes > row || at[1] < 0 || at[1] >= e.size[1] || at[2] < 0 || at[2] >= e.size[2] ||
	           layer < 0 || layer >= e.layers;
	if (out && x->clamp == SURF_ZERO) {
		*skip = true;
		return NULL;
	}
	if ((out && x->clamp == SURF_TRAP) || bytes > row) { /* nor does clamping find a place for what is wider than a row */
		surface_bounds(m, t, l, at, (u32)bytes);
		return NULL;
	}
	byte = byte < 0 ? 0 : PS_MIN(byte, row - bytes);
	for (u32 k = 1; k < 3; k++)
		at[k] = at[k] < 0 ? 0 : PS_MIN(at[k], (i64)e.size[k] - 1);
	layer = layer < 0 ? 0 : PS_MIN(layer, (i64)e.layers - 1);
	if (byte % x->type && !x->by_sample) {
		simt_fail(m, FAULT_MISALIGNED, l, "surface access at byte %lld, which is no multiple of %u", (long long)byte,
		          x->type);
		return NULL;
	}
	u32 row_at[3] = {0, (u32)at[1], (u32)at[2]};
	return texel_at(m, t, &e, row_at, (u32)layer) + (u64)byte;
}

/* Component k of an access at p, of `bytes` in memory. */
static void surface_component(SimtMachine *m, const TexForm *x, const SimtTexture *t, u32 *r, u8 *p, u32 bytes, u32 l)
{
	u64 v = x->type == 8 ? lane64(r, l) : r[l], old = 0;
	if (x->what == SURF_REDUCE) {
		cell_take(m, p);
		memcpy(&old, p, bytes);
		v = mem_rmw(x->atom, 8 * bytes, old, v, 0);
	}
	if (x->what == SURF_STORE_FORMATTED && t->type == ST_F16)
		v = sem_f2f(SEM_F16, SEM_F32, v, 0);
	memcpy(p, &v, bytes);
	if (x->what == SURF_REDUCE)
		cell_give(m, p);
	if (m->watched && m->watched >= p && m->watched < p + bytes)
		simt_wrote(m, l);
}

static bool surface_lane(SimtMachine *m, const Frame *f, const TexForm *x, const SimtTexture *t, u32 l)
{
	bool skip, formatted = x->what == SURF_STORE_FORMATTED;
	u8  *p = surface_at(m, f, x, t, l, &skip);
	u32  bytes = formatted ? simt_type_bytes(t->type) : x->type, n = formatted ? PS_MIN(x->n, t->channels) : x->n;
	if (!p && !skip)
		return false;
	for (u32 k = 0; k < n; k++) {
		u32 *r = x->result[k] == NO_REG ? NULL : reg_rows(m, f, x->result[k]);
		if (r && x->what == SURF_LOAD) {
			u64 v = 0;
			if (p)
				memcpy(&v, p + k * bytes, bytes);
			if (bytes == 8)
				set_lane64(r, l, v);
			else
				r[l] = (u32)v;
		} else if (r && p) {
			surface_component(m, x, t, r, p + k * bytes, bytes, l);
		}
	}
	return true;
}

/* ---- queries */

/* Channels in the numbers of OpenCL, in which PTX gives them. */
static u32 channel_type(const SimtTexture *t)
{
	static const u32 names[] = {[ST_I8] = 0x10D7,  [ST_I16] = 0x10D8, [ST_I32] = 0x10D9, [ST_U8] = 0x10DA, [ST_U16] = 0x10DB,
	                            [ST_U32] = 0x10DC, [ST_F16] = 0x10DD, [ST_F32] = 0x10DE, [ST_COUNT] = 0};
	return names[t->type];
}

static u32 query(const SimtTexture *t, u32 what)
{
	switch ((Query)what) {
	case QUERY_WIDTH: return t->width;
	case QUERY_HEIGHT: return t->height;
	case QUERY_DEPTH: return t->depth;
	case QUERY_LAYERS: return t->dim == 1 ? t->height : t->depth;
	case QUERY_NORMALIZED: return t->normalized;
	case QUERY_UNNORMALIZED: return !t->normalized;
	case QUERY_CHANNEL_TYPE: return channel_type(t);
	case QUERY_CHANNEL_ORDER: return t->channels == 1 ? 0x10B0 : t->channels == 2 ? 0x10B2 : 0x10B5;
	case QUERY_FILTER: return t->linear;
	case QUERY_ADDRESS:
		return t->address[0] == ADDRESS_WRAP     ? 0
		       : t->address[0] == ADDRESS_MIRROR ? 1
		       : t->address[0] == ADDRESS_CLAMP  ? 3
		                                         : 4;
	case QUERY_IS_TEXTURE:
	case QUERY_IS_SAMPLER: return !t->surface;
	case QUERY_IS_SURFACE: return t->surface;
	case QUERY_SAMPLES: return t->samples;
	case QUERY_LEVELS: return t->levels;
	case QUERY_ZERO: break;
	}
	return 0;
}

bool tex_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const TexForm *x = &m->p->tex.p[i->y];
	each_lane(mask, l) {
		const SimtTexture *t = object_of(m, lane64(reg_rows(m, f, x->handle), l), l);
		if (!t)
			return false;
		if (x->what == TEX_QUERY) {
			SimtTexture own = *t;
			if (x->level)
				own = simt_texture_level(t, PS_MIN(reg_rows(m, f, x->lod[0][0])[l], t->levels - 1));
			if (x->result[0] != NO_REG)
				reg_rows(m, f, x->result[0])[l] = query(&own, x->query);
		} else if (x->what <= TEX_GATHER) {
			if (x->depth != NO_REG && t->depth_test == DEPTH_NONE)
				return simt_fail(m, FAULT_TEXTURE, l, "a fetch with a depth from %.*s, which has no depth test",
				                 STR_ARG(t->name));
			fetch_lane(m, f, x, t, l);
		} else if (!surface_lane(m, f, x, t, l)) {
			return false;
		}
	}
	return true;
}
