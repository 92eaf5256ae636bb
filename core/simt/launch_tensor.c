/* launch_tensor.c: tensor maps in launch files (examples/README.md). Names of swizzles and fills are those of the PTX manual. */
#include "simt/launch_tensor.h"

static const char *const type_names[TENSOR_TYPES] = {
	[TENSOR_U8] = "u8",
	[TENSOR_U16] = "u16",
	[TENSOR_U32] = "u32",
	[TENSOR_S32] = "s32",
	[TENSOR_U64] = "u64",
	[TENSOR_S64] = "s64",
	[TENSOR_F16] = "f16",
	[TENSOR_F32] = "f32",
	[TENSOR_F32_FTZ] = "f32.ftz",
	[TENSOR_F64] = "f64",
	[TENSOR_BF16] = "bf16",
	[TENSOR_TF32] = "tf32",
	[TENSOR_TF32_FTZ] = "tf32.ftz",
	[TENSOR_B4X16] = "b4x16",
	[TENSOR_B4X16_P64] = "b4x16_p64",
	[TENSOR_B6X16_P32] = "b6x16_p32",
};
static const char *const interleave_names[INTERLEAVES] = {"none", "16B", "32B"};
static const char *const fill_names[FILLS] = {"zero", "nan"};
static const char *const mode_names[TENSOR_MODES] = {"tile", "im2col", "im2col::w", "im2col::w::128"};
static const struct {
	const char *name;
	u8          swizzle, atomicity;
} swizzle_names[] = {
	{"none", SWIZZLE_NONE, 0},
	{"32B", SWIZZLE_32B, 0},
	{"64B", SWIZZLE_64B, 0},
	{"128B", SWIZZLE_128B, 0},
	{"96B", SWIZZLE_96B, 0},
	{"128B_ATOM_32B", SWIZZLE_128B, ATOMICITY_32B},
	{"128B_ATOM_32B_FLIP_8B", SWIZZLE_128B, ATOMICITY_32B_FLIP_8B},
	{"128B_ATOM_64B", SWIZZLE_128B, ATOMICITY_64B},
};

typedef struct Reader {
	const Json *j;
	u32         at; /* the object; where something is wrong: the value that is */
	const char *why;
} Reader;

static bool bad(Reader *r, u32 at, const char *why)
{
	if (!r->why)
		r->at = at, r->why = why;
	return false;
}

static bool word(Reader *r, const char *key, const char *const *names, u32 n, u8 *out)
{
	u32 at = json_member(r->j, r->at, key);
	for (u32 i = 0; at && i < n; i++)
		if (str_is(json_at(r->j, at)->text, names[i])) {
			*out = (u8)i;
			return true;
		}
	return !at || bad(r, at, "a tensor map knows no such word here");
}

static bool swizzle(Reader *r, SimtTensorMap *t)
{
	u32 at = json_member(r->j, r->at, "swizzle");
	for (u32 i = 0; at && i < PS_COUNT(swizzle_names); i++)
		if (str_is(json_at(r->j, at)->text, swizzle_names[i].name)) {
			t->swizzle = swizzle_names[i].swizzle;
			t->atomicity = swizzle_names[i].atomicity;
			return true;
		}
	return !at || bad(r, at, "swizzle is none, 32B, 64B, 96B, 128B, 128B_ATOM_32B, 128B_ATOM_32B_FLIP_8B or 128B_ATOM_64B");
}

/* A list of n whole numbers from `least` on; absent: *out stays as it is. */
static bool numbers(Reader *r, const char *key, u32 n, i64 least, i64 *out)
{
	u32 at = json_member(r->j, r->at, key), i = 0;
	u64 v;
	if (!at)
		return true;
	if (json_at(r->j, at)->kind != JSON_ARRAY || json_at(r->j, at)->n != n)
		return bad(r, at,
		           "a list with one number for each dimension is wanted (strides: without the first; corners: without "
		           "the first and the last)");
	json_each(r->j, at, k) {
		if (!json_u64(json_at(r->j, k), &v) || (i64)v < least || (i64)v > (i64)1 << 40)
			return bad(r, k, "a whole number is wanted");
		out[i++] = (i64)v;
	}
	return true;
}

static bool number(Reader *r, const char *key, u16 *out)
{
	u32 at = json_member(r->j, r->at, key);
	u64 v;
	if (!at)
		return true;
	if (!json_u64(json_at(r->j, at), &v) || v > UINT16_MAX)
		return bad(r, at, "a whole number is wanted");
	*out = (u16)v;
	return true;
}

static bool extents(Reader *r, SimtTensorMap *t)
{
	u32 dims = json_member(r->j, r->at, "dims");
	i64 size[TENSOR_RANK], stride[TENSOR_RANK], box[TENSOR_RANK], step[TENSOR_RANK], bytes;
	if (!dims || json_at(r->j, dims)->kind != JSON_ARRAY || json_at(r->j, dims)->n < 1 ||
	    json_at(r->j, dims)->n > TENSOR_RANK)
		return bad(r, dims ? dims : r->at, "a tensor map needs dims: a list of one to five numbers, the innermost first");
	t->rank = (u8)json_at(r->j, dims)->n;
	if (!numbers(r, "dims", t->rank, 1, size))
		return false;
	TensorUnit unit = tensor_unit(t->type);
	bytes = (size[0] + (i64)unit.elements - 1) / (i64)unit.elements * (i64)unit.global;
	for (u32 i = 0; i < t->rank; i++) {
		if (size[i] > UINT32_MAX)
			return bad(r, dims, "an extent is 2^32 or more");
		stride[i] = bytes; /* without gaps, unless the file says otherwise */
		bytes = i + 1 < t->rank ? (i64)size_u32((u64)bytes) * size[i + 1] : bytes;
		box[i] = 1, step[i] = 1;
	}
	if (!numbers(r, "strides", t->rank - 1u, 0, stride) || !numbers(r, "box", t->rank, 0, box) ||
	    !numbers(r, "elementStrides", t->rank, 0, step))
		return false;
	for (u32 i = 0; i < t->rank; i++) {
		t->last[i] = (u32)(size[i] - 1);
		t->box[i] = (u16)PS_MIN(box[i], (i64)UINT16_MAX);
		t->element_stride[i] = (u8)PS_MIN(step[i], (i64)UINT8_MAX);
		if (i + 1 < t->rank)
			t->stride[i] = (u64)stride[i];
	}
	return true;
}

static bool pixels(Reader *r, SimtTensorMap *t)
{
	u32 n = t->rank > 2 ? t->rank - 2u : 0;
	i64 lower[3] = {0}, upper[3] = {0};
	if (!numbers(r, "lower", n, INT16_MIN, lower) || !numbers(r, "upper", n, INT16_MIN, upper))
		return false;
	for (u32 i = 0; i < n; i++)
		t->lower[i] = (i16)PS_MIN(lower[i], (i64)INT16_MAX), t->upper[i] = (i16)PS_MIN(upper[i], (i64)INT16_MAX);
	return number(r, "channels", &t->channels) && number(r, "pixels", &t->pixels);
}

const char *launch_tensor(const Json *j, u32 *at, SimtTensorMap *t)
{
	Reader r = {.j = j, .at = *at};
	*t = (SimtTensorMap){.spare = {0}};
	if (!json_member(j, r.at, "type"))
		bad(&r, r.at, "a tensor map needs a type");
	else if (word(&r, "type", type_names, TENSOR_TYPES, &t->type) &&
	         word(&r, "interleave", interleave_names, INTERLEAVES, &t->interleave) &&
	         word(&r, "fill", fill_names, FILLS, &t->fill) && word(&r, "mode", mode_names, TENSOR_MODES, &t->mode) &&
	         swizzle(&r, t) && extents(&r, t) && pixels(&r, t))
		r.why = tensor_map_finish(t);
	*at = r.at;
	return r.why;
}
