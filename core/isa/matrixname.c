/* matrixname.c: matrix intrinsics. Their names are the instruction's modifiers in another order:
 *
 *	llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1   wmma.load.a.sync.aligned.row.m16n16k16.global.f16
 *	llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8.u8      mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32
 *	llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3
 */
#include "isa/words.h"

static bool transfer(IsaWords *w, PtxOpc *o)
{
	bool store = isa_take_word(w, "store");
	if (!store && !isa_take_word(w, "load"))
		return false;
	o->op = store                   ? ISA_wmma_store_d
	        : isa_take_word(w, "a") ? ISA_wmma_load_a
	        : isa_take_word(w, "b") ? ISA_wmma_load_b
	                                : ISA_wmma_load_c;
	if ((store && !isa_take_word(w, "d")) || (o->op == ISA_wmma_load_c && !isa_take_word(w, "c")) ||
	    !isa_take_token(w, o, SLOT_layout))
		return false;
	o->slot[SLOT_form] = isa_take_word(w, "stride");
	o->slot[SLOT_flag] = TOK_flag_aligned;
	return isa_take_token(w, o, SLOT_type);
}

static bool is_half(u32 type) { return type == TOK_type_f16 || type == TOK_type_f32; }

/* The types that a name gives: D and C of products of halves, else A and B, or one for both. */
static void set_types(PtxOpc *o, const u8 *type, u32 n)
{
	bool half = is_half(type[0]);
	o->slot[SLOT_type] = half                                                   ? type[0]
	                     : type[0] == TOK_type_f64                              ? TOK_type_f64
	                     : type[0] == TOK_type_bf16 || type[0] == TOK_type_tf32 ? TOK_type_f32
	                                                                            : TOK_type_s32;
	o->slot[SLOT_stype] = half ? TOK_type_f16 : type[0];
	o->slot[SLOT_type3] = half ? TOK_type_f16 : type[n > 1];
	o->slot[SLOT_type4] = half ? type[n > 1] : o->slot[SLOT_type];
}

static u8 take_bit_operation(IsaWords *w)
{
	u8 op = isa_take_word(w, "xor") ? TOK_flag_xor_popc : isa_take_word(w, "and") ? TOK_flag_and_popc : 0;
	if (op)
		isa_take_word(w, "popc");
	return op;
}

static bool product(IsaWords *w, PtxOpc *o, bool wmma)
{
	u8  bits = take_bit_operation(w), type[2] = {0};
	u32 n_types = 0;
	if ((!wmma && !isa_take_token(w, o, SLOT_shape)) || !isa_take_token(w, o, SLOT_layout) ||
	    !isa_take_token(w, o, SLOT_layout2))
		return false;
	isa_take_token(w, o, SLOT_rnd);
	isa_take_token(w, o, SLOT_sat);
	for (; n_types < 2 && isa_take_token(w, o, SLOT_type); n_types++)
		type[n_types] = o->slot[SLOT_type];
	isa_take_token(w, o, SLOT_sat);
	if (!n_types || w->rest.n)
		return false;
	set_types(o, type, n_types);
	if (wmma && is_half(type[0]))
		o->op = ISA_wmma_mma_half, o->slot[SLOT_stype] = o->slot[SLOT_type3] = 0;
	else
		o->op = !wmma ? ISA_mma : bits ? ISA_wmma_mma_bit : ISA_wmma_mma;
	if (wmma)
		o->slot[SLOT_flag] = TOK_flag_aligned;
	if (bits)
		o->slot[wmma ? SLOT_flag2 : SLOT_flag] = bits;
	return true;
}

static bool ldmatrix(IsaWords *w, PtxOpc *o)
{
	o->op = ISA_ldmatrix;
	if (!isa_take_word(w, "sync") || !isa_take_word(w, "aligned") || !isa_take_token(w, o, SLOT_shape) ||
	    !isa_take_token(w, o, SLOT_vec))
		return false;
	if (isa_take_word(w, "trans"))
		o->slot[SLOT_flag] = TOK_flag_trans;
	return isa_take_token(w, o, SLOT_type);
}

bool isa_matrix_intrinsic(Str name, PtxOpc *o, bool *address)
{
	IsaWords w = {.rest = name};
	*o = (PtxOpc){0};
	*address = true;
	if (isa_take_word(&w, "ldmatrix"))
		return ldmatrix(&w, o);
	bool wmma = isa_take_word(&w, "wmma");
	if (wmma && !isa_take_token(&w, o, SLOT_shape))
		return false;
	if (wmma && transfer(&w, o))
		return true;
	*address = false;
	return isa_take_word(&w, "mma") && product(&w, o, wmma);
}
