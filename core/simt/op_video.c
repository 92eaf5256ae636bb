/* op_video.c: video instructions, to the kernels that sem/video.h means. */
#include "simt/op_impl.h"

#include "sem/video.h"

/* Which row is which operation, on how many parts of a word. */
static const struct {
	u16 isa;
	u8  op, lanes;
} rows[] = {
	{ISA_vadd, VIDEO_ADD, 1},     {ISA_vadd_op2, VIDEO_ADD, 1},      {ISA_vsub, VIDEO_SUB, 1},
	{ISA_vsub_op2, VIDEO_SUB, 1}, {ISA_vabsdiff, VIDEO_ABSDIFF, 1},  {ISA_vabsdiff_op2, VIDEO_ABSDIFF, 1},
	{ISA_vmin, VIDEO_MIN, 1},     {ISA_vmin_op2, VIDEO_MIN, 1},      {ISA_vmax, VIDEO_MAX, 1},
	{ISA_vmax_op2, VIDEO_MAX, 1}, {ISA_vshl, VIDEO_SHL, 1},          {ISA_vshl_op2, VIDEO_SHL, 1},
	{ISA_vshr, VIDEO_SHR, 1},     {ISA_vshr_op2, VIDEO_SHR, 1},      {ISA_vset, VIDEO_EQ, 1},
	{ISA_vset_op2, VIDEO_EQ, 1},  {ISA_vadd2, VIDEO_ADD, 2},         {ISA_vsub2, VIDEO_SUB, 2},
	{ISA_vavrg2, VIDEO_AVRG, 2},  {ISA_vabsdiff2, VIDEO_ABSDIFF, 2}, {ISA_vmin2, VIDEO_MIN, 2},
	{ISA_vmax2, VIDEO_MAX, 2},    {ISA_vset2, VIDEO_EQ, 2},          {ISA_vadd4, VIDEO_ADD, 4},
	{ISA_vsub4, VIDEO_SUB, 4},    {ISA_vavrg4, VIDEO_AVRG, 4},       {ISA_vabsdiff4, VIDEO_ABSDIFF, 4},
	{ISA_vmin4, VIDEO_MIN, 4},    {ISA_vmax4, VIDEO_MAX, 4},         {ISA_vset4, VIDEO_EQ, 4},
};

/* A source: the word, or the byte or half that is named behind it. */
static i32 source(OpCx *c, u32 k, bool is_signed)
{
	u32 part = c->arg[k].part, bits = part >= 5 ? 16 : 8;
	i32 a = op_in(c, k, 32);
	if (!part)
		return a;
	i32 d = emit_reg(c->e, 32);
	emit_lanes(c->e, K_byte_field, d, a, NO_REG, NO_REG, (part >= 5 ? part - 5 : part - 1) * bits | bits << 8);
	if (is_signed)
		emit_lanes(c->e, K_sext32, d, d, NO_REG, NO_REG, bits);
	return d;
}

static u32 comparison(u32 token)
{
	static const struct {
		u8 token, op;
	} rows_[] = {
		{TOK_cmp_eq, VIDEO_EQ}, {TOK_cmp_ne, VIDEO_NE}, {TOK_cmp_lt, VIDEO_LT},
		{TOK_cmp_le, VIDEO_LE}, {TOK_cmp_gt, VIDEO_GT}, {TOK_cmp_ge, VIDEO_GE},
	};
	for (u32 i = 0; i < PS_COUNT(rows_); i++)
		if (rows_[i].token == token)
			return rows_[i].op;
	return VIDEO_EQ;
}

bool op_video(OpCx *c)
{
	u32  op = c->d->opc.op, second = slot(c, SLOT_op), i = 0;
	bool sa = slot(c, SLOT_stype) == TOK_type_s32, sb = slot(c, SLOT_type3) == TOK_type_s32,
	     sd = slot(c, SLOT_type) == TOK_type_s32;
	u32 how = (sa ? VIDEO_A_SIGNED : 0) | (sb ? VIDEO_B_SIGNED : 0) | (sd ? VIDEO_D_SIGNED : 0) |
	          (slot(c, SLOT_sat) ? VIDEO_SAT : 0);
	i32 a = source(c, 1, sa), b = source(c, 2, sb), other = c->n > 3 ? op_in(c, 3, 32) : emit_const(c->e->p, 32, 0),
	    d = out(c, 0, 32);
	if (op == ISA_vmad) {
		how |= isa_has_flag(&c->d->opc, TOK_flag_po) ? VIDEO_PLUS_ONE : 0;
		how |= (second == TOK_op_shr7 ? 7u : second == TOK_op_shr15 ? 15u : 0u) << VIDEO_SHIFT_SHIFT;
		emit_lanes(c->e, K_vmad, d, a, b, other, how);
		return true;
	}
	while (i < PS_COUNT(rows) && rows[i].isa != op)
		i++;
	if (i == PS_COUNT(rows))
		return false;
	how |= rows[i].op == VIDEO_EQ ? comparison(slot(c, SLOT_cmp)) : rows[i].op;
	how |= slot(c, SLOT_mode) == TOK_mode_wrap ? VIDEO_WRAP : 0;
	how |= (second == TOK_op_add   ? (u32)VIDEO_THEN_ADD
	        : second == TOK_op_min ? (u32)VIDEO_THEN_MIN
	        : second == TOK_op_max ? (u32)VIDEO_THEN_MAX
	                               : 0)
	       << VIDEO_SECOND_SHIFT;
	emit_lanes(c->e, rows[i].lanes == 4 ? K_video4 : rows[i].lanes == 2 ? K_video2 : K_video, d, a, b, other, how);
	return true;
}
