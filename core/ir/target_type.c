/* target_type.c: what LLVM 22 allows of the types of targets: target("name", types…, integers…). A name that no row knows has no size:
 * such a value is passed on, and is in no memory. */
#include "ir/internal.h"

enum { ANY = -1 };

/* The first row that fits; a name that ends in '.' stands for all that begin so. */
static const struct {
	const char *name;
	u8          like, may;
	i8          types, ints; /* how many parameters of these it has */
} rows[] = {
	{"aarch64.svcount", IRTT_LIKE_COUNTER, IRTT_ZERO | IRTT_LOCAL, 0, 0},
	{"amdgcn.named.barrier", IRTT_LIKE_16_BYTES, IRTT_GLOBAL, 0, 1},
	{"dx.Padding", IRTT_LIKE_BYTES, IRTT_GLOBAL, ANY, ANY},
	{"dx.", IRTT_LIKE_POINTER, IRTT_GLOBAL | IRTT_LOCAL | IRTT_TOKEN, ANY, ANY},
	{"llvm.test.vectorelement", IRTT_LIKE_4_BYTES, IRTT_LOCAL | IRTT_ELEMENT, ANY, ANY},
	{"riscv.vector.tuple", IRTT_LIKE_TUPLE, IRTT_ZERO | IRTT_LOCAL, 1, 1},
	{"spirv.Image", IRTT_LIKE_POINTER, IRTT_GLOBAL | IRTT_LOCAL, ANY, ANY},
	{"spirv.IntegralConstant", IRTT_LIKE_NOTHING, 0, ANY, ANY},
	{"spirv.Literal", IRTT_LIKE_NOTHING, 0, ANY, ANY},
	{"spirv.Padding", IRTT_LIKE_BYTES, IRTT_GLOBAL, ANY, ANY},
	{"spirv.SignedImage", IRTT_LIKE_POINTER, IRTT_GLOBAL | IRTT_LOCAL, ANY, ANY},
	{"spirv.Type", IRTT_LIKE_SIZED, IRTT_GLOBAL | IRTT_LOCAL, ANY, ANY},
	{"spirv.", IRTT_LIKE_POINTER, IRTT_ZERO | IRTT_GLOBAL | IRTT_LOCAL, ANY, ANY},
};

/* Its row; PS_COUNT(rows): none. */
static u32 row_of(Str name)
{
	u32 i = 0;
	while (i < PS_COUNT(rows) && !str_is(name, rows[i].name) &&
	       !(rows[i].name[strlen(rows[i].name) - 1] == '.' && str_starts(name, rows[i].name)))
		i++;
	return i;
}

IrTargetLike ir_target_type_like(const IrModule *m, const IrTypeRec *r)
{
	u32 row = row_of(ir_str(m, r->name));
	return row < PS_COUNT(rows) ? (IrTargetLike)rows[row].like : IRTT_LIKE_NOTHING;
}

u32 ir_target_type_may(const IrModule *m, IrType t)
{
	const IrTypeRec *r = ir_type(m, t);
	u32              row = r->kind == IRT_TARGET ? row_of(ir_str(m, r->name)) : PS_COUNT(rows);
	return row < PS_COUNT(rows) ? rows[row].may : 0;
}

bool ir_type_may(const IrModule *m, IrType t, u32 what)
{
	const IrTypeRec *r = ir_type(m, t);
	while (r->kind == IRT_ARRAY || r->kind == IRT_VECTOR) {
		t = ir_type_elem(m, t, 0);
		r = ir_type(m, t);
	}
	if (r->kind == IRT_TARGET)
		return (ir_target_type_may(m, t) & what) == what;
	for (u32 i = 0; r->kind == IRT_STRUCT && i < r->n_elems; i++)
		if (!ir_type_may(m, ir_type_elem(m, t, i), what))
			return false;
	return true;
}

bool ir_target_type_is_token(const IrModule *m, IrType t) { return (ir_target_type_may(m, t) & IRTT_TOKEN) != 0; }

bool ir_target_type_fits(Str name, u32 types, u32 ints)
{
	u32 row = row_of(name);
	return row == PS_COUNT(rows) || rows[row].types == ANY || ((u32)rows[row].types == types && (u32)rows[row].ints == ints);
}
