/* shape.c: computes how many registers a matrix fragment has per thread, and how many coordinates an image access has. */
#include "isa/isa_impl.h"

typedef struct Dims {
	u32 m, n, k;
} Dims;

static u32 number(Str s, u32 *at)
{
	u32 v = 0;
	while (*at < s.n && s.p[*at] >= '0' && s.p[*at] <= '9')
		v = v * 10 + (u32)(s.p[(*at)++] - '0');
	return v;
}

/* m16n8k32 → 16, 8, 32 */
static Dims dims_of(const PtxOpc *o)
{
	Str  s = isa_class_text(CLASS_shape, o->slot[SLOT_shape]);
	Dims d = {0};
	u32  at = 1;
	if (!s.n || s.p[0] != 'm')
		return d;
	d.m = number(s, &at), at++;
	d.n = number(s, &at), at++;
	d.k = number(s, &at);
	return d;
}

/* Registers that hold `elements` of a type, spread over `threads`. */
static u32 registers(u32 elements, u32 type, u32 threads)
{
	if (type == TOK_type_f64)
		return elements / threads;
	/* elements of 4 and 6 bits occupy bytes where a kind says so; packed by 8 otherwise */
	u32 n = elements * isa_type(type)->bits / (32 * threads);
	return n ? n : 1;
}

static u32 element_of_kind(const PtxOpc *o, u32 type)
{
	u32  kind = o->slot[SLOT_op];
	bool bytes = kind == TOK_op_kind_f8f6f4 || kind == TOK_op_kind_mxf8f6f4;
	return bytes && isa_type(type)->bits < 8 ? TOK_type_e4m3 : type;
}

/* mma.m8n8k4 on halves works on four groups of eight threads: each has a matrix of its own. */
static bool is_quad_pair(const PtxOpc *o)
{
	return o->op == ISA_mma && o->slot[SLOT_shape] == TOK_shape_m8n8k4 && o->slot[SLOT_stype] == TOK_type_f16;
}

static u32 fragment(const PtxOpc *o, char letter)
{
	Dims d = dims_of(o);
	bool quad = is_quad_pair(o), is_load = !o->slot[SLOT_stype];
	u32  a = element_of_kind(o, o->slot[SLOT_stype]), b = element_of_kind(o, o->slot[SLOT_type3]), whole = o->slot[SLOT_type];
	u32  threads = quad ? 8 : 32;
	switch (letter) {
	case 'A': return registers(d.m * d.k, a, threads);
	case 'E': return registers(d.m * d.k / 2, a, threads);
	case 'B': return registers(d.k * d.n, b, threads);
	case 'C': return registers(d.m * d.n, o->slot[SLOT_type4], threads);
	case 'D': return registers(d.m * d.n, whole, threads);
	case 'F': return registers(d.m * d.n, whole, 128);
	/* wmma keeps every element of a matrix of halves twice */
	case 'K': return is_load && whole == TOK_type_f16 ? 8 : registers(d.m * d.k, whole, 32);
	default: return is_load && whole == TOK_type_f16 ? 8 : registers(d.k * d.n, whole, 32);
	}
}

static u32 image_count(const PtxOpc *o, char letter)
{
	u32 tensor = 0, coords = 0, plain = 0;
	switch (o->slot[SLOT_shape]) {
	case TOK_shape_1d: coords = 1, plain = 1, tensor = 1; break;
	case TOK_shape_2d: coords = 2, plain = 2, tensor = 2; break;
	case TOK_shape_3d: coords = 4, plain = 4, tensor = 3; break;
	case TOK_shape_4d: tensor = 4; break;
	case TOK_shape_5d: tensor = 5; break;
	case TOK_shape_a1d: coords = 2, plain = 1; break;
	case TOK_shape_a2d: coords = 4, plain = 2; break;
	case TOK_shape_2dms:
	case TOK_shape_a2dms: coords = 4, plain = 2; break;
	default: coords = 4, plain = 4; break; /* cubes */
	}
	u32 op = o->slot[SLOT_op];
	if (letter == 'Z')
		return op == TOK_op_tile_gather4 || op == TOK_op_tile_scatter4 ? 5 : tensor;
	if (letter == 'I')
		return op == TOK_op_im2col ? PS_MAX(tensor, 3u) - 2 : 2;
	return letter == 'G' ? coords : plain;
}

/* Fragments of tcgen05.ld and .st: the shape's registers times .num. */
static u32 tensor_memory_count(const PtxOpc *o)
{
	u32 n = isa_vec(o);
	switch (o->slot[SLOT_shape]) {
	case TOK_shape_16x128b: return 2 * n;
	case TOK_shape_16x256b: return 4 * n;
	default: return n;
	}
}

u32 isa_count(const PtxOpc *o, char letter)
{
	if (letter >= '1' && letter <= '9')
		return (u32)(letter - '0');
	switch (letter) {
	case 'A':
	case 'B':
	case 'C':
	case 'D':
	case 'E':
	case 'F':
	case 'K':
	case 'L': return fragment(o, letter);
	case 'G':
	case 'R':
	case 'O':
	case 'Z':
	case 'I': return image_count(o, letter);
	case 'M': return isa_vec(o) * (o->slot[SLOT_shape] == TOK_shape_m16n16 ? 2 : 1);
	case 'T': return tensor_memory_count(o);
	case 'X': return o->slot[SLOT_flag2] == TOK_flag_cta_group_2 ? 8 : 4;
	default: return isa_vec(o); /* *, V, W */
	}
}
