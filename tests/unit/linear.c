/* Linear functions of the iteration against loops that are executed. random_runs() says how many. */
#include "graph_oracle.h"
#include "unit.h"

#include "mir/linear.h"

enum { WORDS = 5, ITERATIONS = 5 };

typedef struct Maker {
	Session    s;
	MirModule *m;
	MirFunc   *f;
	MirBlockId b;
	Rng        r;
	MirReg     word[WORDS], wide[WORDS];
} Maker;

static MirReg any(Maker *k, bool wide) { return (wide ? k->wide : k->word)[rng_below(&k->r, WORDS)]; }

static MirInstId build(Maker *k, PtxOpc o, MirReg to)
{
	MirInstId i = mir_build(k->f, k->b, (MirInstId){0}, isa_intern(&k->s, o));
	mir_add_def(k->f, i, to);
	return i;
}

static void random_inst(Maker *k)
{
	bool   wide = rng_below(&k->r, 2);
	MirReg to = any(k, wide);
	PtxOpc add = ptx_opc(add, TY(s32)), sub = ptx_opc(sub, TY(s32)), mul = ptx_opc(mul_lo, TY(s32)),
	       shl = ptx_opc(shl, TY(b32));
	PtxOpc    cvt = ptx_opc(cvt, TY(s64), STY(s32)), mov = ptx_opc(mov, TY(u32)), and_ = ptx_opc(and, TY(b32));
	MirInstId i;
	mul.slot[SLOT_op] = TOK_op_lo;
	if (wide) {
		add.slot[SLOT_type] = sub.slot[SLOT_type] = TOK_type_s64;
		shl.slot[SLOT_type] = and_.slot[SLOT_type] = TOK_type_b64;
		mov.slot[SLOT_type] = TOK_type_u64;
	}
	switch (rng_below(&k->r, 9)) {
	case 0:
	case 1:
		i = build(k, add, to);
		mir_add_use(k->f, i, rng_below(&k->r, 2) ? to : any(k, wide));
		mir_add_imm(k->f, i, (i64)rng_below(&k->r, 9) - 4);
		return;
	case 2:
	case 3:
		i = build(k, rng_below(&k->r, 2) ? add : sub, to);
		mir_add_use(k->f, i, any(k, wide));
		mir_add_use(k->f, i, any(k, wide));
		return;
	case 4:
		i = build(k, shl, to);
		mir_add_use(k->f, i, any(k, wide));
		mir_add_imm(k->f, i, rng_below(&k->r, 4));
		return;
	case 5:
		if (wide)
			mul.slot[SLOT_op] = TOK_op_wide;
		i = build(k, mul, to);
		mir_add_use(k->f, i, any(k, false));
		mir_add_imm(k->f, i, (i64)rng_below(&k->r, 7) - 3);
		return;
	case 6:
		i = build(k, cvt, any(k, true));
		mir_add_use(k->f, i, any(k, false));
		return;
	case 7:
		i = build(k, mov, to);
		mir_add_use(k->f, i, any(k, wide));
		return;
	default:
		i = build(k, and_, to);
		mir_add_use(k->f, i, any(k, wide));
		mir_add_imm(k->f, i, 12);
		return;
	}
}

static i64 operand(const Maker *k, const i64 *reg, MirInstId i, u32 n)
{
	const MirOp *o = mir_op(k->f, i, n);
	return o->kind == MO_IMM ? o->imm : reg[o->ref];
}

static void execute(const Maker *k, i64 *reg, MirInstId i)
{
	const IsaDesc *d = mir_desc(k->f, i);
	i64            x = operand(k, reg, i, 1), y = mir_inst(k->f, i)->n_ops > 2 ? operand(k, reg, i, 2) : 0, r = x;
	switch (d->opc.op) {
	case ISA_add: r = x + y; break;
	case ISA_sub: r = x - y; break;
	case ISA_mul_lo: r = x * y; break;
	case ISA_shl: r = (i64)((u64)x << y); break;
	case ISA_and: r = x & y; break;
	default: break;
	}
	u32 to = mir_op(k->f, i, 0)->ref;
	reg[to] = mir_class(k->f, (MirReg){to}) == MIR_B32 ? (i64)(i32)(u32)r : r;
}

static u32 known;

static void compare(Maker *k, Arena *a)
{
	u32  n = k->f->vreg.n, count = 0;
	i64 *entry = arena_array(a, i64, n), *reg = arena_array(a, i64, n);
	for (u32 r = 0; r < n; r++)
		entry[r] = reg[r] = (i64)rng_below(&k->r, 1000) - 500;
	for (MirInstId i = {mir_block(k->f, k->b)->first}; i.i; i = mir_next(k->f, i))
		count++;
	MirLinear *first = arena_array(a, MirLinear, count + 1); /* of the first operand of each */
	for (u32 it = 0; it < ITERATIONS; it++) {
		u32 at = 0;
		for (MirInstId i = {mir_block(k->f, k->b)->first}; i.i; i = mir_next(k->f, i), at++) {
			MirLinear l = first[at] = mir_linear(k->f, i, mir_op_reg(mir_op(k->f, i, 1)));
			i64       want = l.offset + l.step * it;
			for (u32 t = 0; t < l.n; t++)
				want += l.term[t].scale * entry[l.term[t].reg];
			if (l.known)
				EXPECT_EQ(operand(k, reg, i, 1), want);
			known += l.known && l.step;
			i64 gap;
			for (u32 other = 0; other < at; other++)
				if (mir_linear_difference(&first[other], &l, 2, &gap))
					EXPECT_EQ(gap, l.offset - first[other].offset + 2 * l.step);
			execute(k, reg, i);
		}
	}
}

TEST(linear, equals_execution)
{
	known = 0;
	for (u32 i = 0; i < random_runs(); i++) {
		Arena scratch;
		Maker k;
		arena_init(&scratch, a->budget);
		session_init(&k.s, 0);
		k.s.target.sm = 90;
		k.s.target.ptx = 85;
		k.m = mir_module_new(&k.s, NULL, &scratch);
		k.f = mir_func_new(k.m, (StrId){0}, 0);
		k.f->props = 0;
		k.r.s = i + 1;
		k.b = mir_block_new(k.f, (StrId){0}, ~0u);
		mir_edge_add(k.f, k.b, k.b, MIR_PROB_UNKNOWN);
		for (u32 n = 0; n < WORDS; n++) {
			k.word[n] = mir_reg_new(k.f, MIR_B32);
			k.wide[n] = mir_reg_new(k.f, MIR_B64);
		}
		for (u32 n = 1 + rng_below(&k.r, 8); n-- > 0;)
			random_inst(&k);
		compare(&k, &scratch);
		mir_func_free(k.f);
		session_free(&k.s);
		arena_free(&scratch);
	}
	EXPECT(known > random_runs());
}

UNIT_MAIN
