#include "mirpass/mirpass.h"

/* llc's choice: unsigned for integers, the float's type for floats, untyped bits across classes. */
static u32 mov_type(MirClass to, MirClass from)
{
	static const u8 same[MIR_CLASSES] = {
		[MIR_PRED] = TOK_type_pred, [MIR_B16] = TOK_type_u16, [MIR_B32] = TOK_type_u32, [MIR_B64] = TOK_type_u64,
		[MIR_B128] = TOK_type_b128, [MIR_F32] = TOK_type_f32, [MIR_F64] = TOK_type_f64,
	};
	static const u8 across[MIR_CLASSES] = {
		[MIR_B32] = TOK_type_b32,
		[MIR_F32] = TOK_type_b32,
		[MIR_B64] = TOK_type_b64,
		[MIR_F64] = TOK_type_b64,
	};
	return to == from ? same[to] : across[to];
}

void mirpass_expand_copy(Session *s, MirFunc *f, MirInstId i)
{
	const MirOp *o = mir_ops(f, i);
	MirReg       to = mir_op_reg(&o[0]), from = mir_op_reg(&o[1]);
	if (to.i == from.i) {
		mir_erase(f, i);
		return;
	}
	if (o[1].flags & MOF_UNDEF) {
		mir_op_remove(f, i, 1);
		mir_set_desc(f, i, ISA_IMPLICIT_DEF);
		return;
	}
	MirClass c = mir_class(f, to);
	PtxOpc   mov = {.op = ISA_mov};
	mov.slot[SLOT_type] = (u8)mov_type(c, mir_is_virt(from) ? mir_class(f, from) : c);
	mir_set_desc(f, i, isa_intern(s, mov));
}
