/* Opcodes: PTX mnemonics and MIR names both ways, flat operands, facts. */
#include "unit.h"

#include "isa/isa.h"

static Session *new_session(Arena *a)
{
	Session *s = arena_new(a, Session);
	session_init(s, 64u << 20);
	return s;
}

static Str mnemonic(Session *s, Arena *a, PtxOpc o)
{
	Text t;
	(void)s;
	text_init(&t, a);
	isa_print_mnemonic(&t, &o);
	return text_str(&t);
}

static Str name(Session *s, Arena *a, u32 desc, u32 imm)
{
	Text t;
	text_init(&t, a);
	isa_name(s, desc, imm, &t);
	return text_str(&t);
}

TEST(isa, generic_opcodes_are_their_own_numbers)
{
	Session *s = new_session(a);
	EXPECT_EQ(isa_intern(s, ptx_opc(PHI, )), ISA_PHI);
	EXPECT_EQ(isa_desc(s, ISA_COPY)->flags & IF_COPY, IF_COPY);
	EXPECT_EQ(isa_desc(s, ISA_COPY)->n_defs, 1);
	EXPECT_STR(name(s, a, ISA_PHI, 0), "PHI");
	EXPECT_EQ(isa_desc_by_name(s, STR("INLINEASM")), ISA_INLINEASM);
	session_free(s);
}

TEST(isa, prints_mnemonics)
{
	Session *s = new_session(a);
	EXPECT_STR(mnemonic(s, a, ptx_opc(ld, PS(space, global), PS(vec, v2), TY(f32))), "ld.global.v2.f32");
	EXPECT_STR(mnemonic(s, a, ptx_opc(setp, PS(cmp, lt), TY(s32))), "setp.lt.s32");
	EXPECT_STR(mnemonic(s, a, ptx_opc(cvta, FLAG(to), PS(space, global), TY(u64))), "cvta.to.global.u64");
	EXPECT_STR(mnemonic(s, a, ptx_opc(bar_sync, )), "bar.sync");
	EXPECT_STR(mnemonic(s, a, ptx_opc(min, PS(ftz, ftz), FLAG(NaN), FLAG2(xorsign), TY(f16x2))),
	           "min.ftz.NaN.xorsign.abs.f16x2");
	session_free(s);
}

TEST(isa, reads_what_it_prints)
{
	static const char *const text[] = {
		"ld.global.v2.f32",
		"ld.volatile.shared.u32",
		"ld.param.b8",
		"ld.global.nc.v4.f32",
		"st.release.sys.b32",
		"cvt.rn.f16.f32",
		"cvt.rzi.ftz.s32.f32",
		"setp.ltu.ftz.f32",
		"mad.lo.s32",
		"mad.rn.f32",
		"mul.wide.u32",
		"mul.rn.ftz.f32",
		"add.cc.u32",
		"addc.cc.u32",
		"atom.global.cta.add.u32",
		"atom.cas.b64",
		"bra.uni",
		"bra",
		"fma.rn.ftz.relu.f16x2",
		"shf.l.wrap.b32",
		"vote.sync.ballot.b32",
		"shfl.sync.down.b32",
		"ret",
		"bar.red.popc.u32",
		"barrier.cluster.arrive.relaxed.aligned",
		"membar.gl",
		"fence.sc.cta",
		"set.eq.f16x2.f16x2",
	};
	Session *s = new_session(a);
	for (u32 i = 0; i < PS_COUNT(text); i++) {
		u32 d = isa_intern_mnemonic(s, str_of(text[i]), NULL);
		EXPECT(d != 0);
		EXPECT_STR(d ? isa_desc(s, d)->mnemonic : STR("nothing"), text[i]);
	}
	session_free(s);
}

TEST(isa, takes_modifiers_in_another_order)
{
	Session *s = new_session(a);
	u32      d = isa_intern_mnemonic(s, STR("atom.add.acquire.cta.s32"), NULL);
	EXPECT(d != 0);
	EXPECT_STR(isa_desc(s, d)->mnemonic, "atom.acquire.cta.add.s32");
	session_free(s);
}

TEST(isa, says_where_a_mnemonic_is_wrong)
{
	Session      *s = new_session(a);
	IsaParseError e;
	EXPECT_EQ(isa_intern_mnemonic(s, STR("setp.lt.q32"), &e), 0);
	EXPECT(!e.unknown);
	EXPECT_EQ(e.at, 8);
	EXPECT_EQ(e.n, 3);
	EXPECT_EQ(isa_intern_mnemonic(s, STR("frob.u32"), &e), 0);
	EXPECT(e.unknown);
	session_free(s);
}

TEST(isa, operands_are_flat)
{
	Session       *s = new_session(a);
	const IsaDesc *ld = isa_desc(s, isa_intern(s, ptx_opc(ld, PS(space, global), PS(vec, v4), TY(f32))));
	EXPECT_EQ(ld->n_defs, 4);
	EXPECT_EQ(ld->n_operands, 6);
	EXPECT_EQ(ld->operand[0].flags & IOF_OPEN, IOF_OPEN);
	EXPECT_EQ(ld->operand[3].flags & IOF_CLOSE, IOF_CLOSE);
	EXPECT_EQ(ld->operand[0].rc, RC_F32);
	EXPECT_EQ(ld->operand[4].kind, IO_BASE);
	const IsaDesc *cas = isa_desc(s, isa_intern_mnemonic(s, STR("atom.global.cas.b32"), NULL));
	EXPECT_EQ(cas->n_operands, 5);
	const IsaDesc *add = isa_desc(s, isa_intern_mnemonic(s, STR("atom.global.add.u32"), NULL));
	EXPECT_EQ(add->n_operands, 4);
	const IsaDesc *wide = isa_desc(s, isa_intern_mnemonic(s, STR("mad.wide.s32"), NULL));
	EXPECT_EQ(wide->operand[0].type, TOK_type_s64);
	EXPECT_EQ(wide->operand[1].type, TOK_type_s32);
	EXPECT_EQ(wide->operand[3].type, TOK_type_s64);
	const IsaDesc *bra = isa_desc(s, isa_intern(s, isa_guarded(ptx_opc(bra, ), false)));
	EXPECT_EQ(bra->n_operands, 2);
	EXPECT_EQ(bra->operand[0].rc, RC_PRED);
	EXPECT_EQ(bra->flags & IF_BARRIER, 0);
	EXPECT_EQ(bra->flags & IF_TERMINATOR, IF_TERMINATOR);
	session_free(s);
}

TEST(isa, names_are_read_back)
{
	Session *s = new_session(a);
	static const struct {
		const char *ptx, *name;
		u32         imm;
	} row[] = {
		{"add.s32", "ADDs32ri", 4},
		{"and.b32", "ANDb32rr", 0},
		{"ld.global.v2.f32", "LD_global_v2_f32", 0},
		{"setp.lt.s32", "SETP_lt_s32rr", 0},
		{"cvt.rn.f32.s32", "CVT_rn_f32_s32", 0},
		{"mul.lo.s32", "MUL_lo_s32rr", 0},
		{"selp.b32", "SELP_b32rrr", 0},
		{"fma.rn.f32", "FMA_rn_f32rrr", 0},
		{"mov.u32", "MOVu32i", 2},
		{"ret", "Return", 0},
		{"bra", "GOTO", 0},
		{"add.cc.u32", "ADDCCu32rr", 0},
		{"atom.acq_rel.sys.global.add.u32", "ATOM_acq_rel_sys_global_add_u32", 0},
		{"fma.rn.ftz.relu.f16x2", "FMA_rn_ftz_relu_f16x2rrr", 0},
	};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		u32 d = isa_intern_mnemonic(s, str_of(row[i].ptx), NULL);
		EXPECT(d != 0);
		EXPECT_STR(name(s, a, d, row[i].imm), row[i].name);
		EXPECT_EQ(isa_desc_by_name(s, str_of(row[i].name)), d);
	}
	u32 tid = isa_intern(s, ptx_opc(sreg, TY(u32), [SLOT_sreg] = SREG_tid_x));
	EXPECT_STR(name(s, a, tid, 0), "SREGu32_tid_x");
	EXPECT_EQ(isa_desc_by_name(s, STR("SREGu32_tid_x")), tid);
	u32 c = isa_intern(s, isa_guarded(ptx_opc(bra, ), true));
	EXPECT_STR(name(s, a, c, 0), "CBranchOther");
	EXPECT_EQ(isa_desc_by_name(s, STR("CBranchOther")), c);
	u32 u = isa_intern(s, ptx_opc(mov_unpack, TY(b32), PS(vec, v2)));
	EXPECT_EQ(isa_desc(s, u)->n_defs, 2);
	EXPECT_EQ(isa_desc_by_name(s, name(s, a, u, 0)), u);
	EXPECT_EQ(isa_desc_by_name(s, STR("NOSUCH")), 0);
	session_free(s);
}

TEST(isa, needs_grow_with_types_and_modifiers)
{
	static const struct {
		const char *ptx;
		u32         sm, version;
	} row[] = {
		{"add.s32", 10, 10},
		{"add.f16x2", 53, 42},
		{"add.bf16", 90, 78},
		{"fma.rn.relu.f16", 80, 70},
		{"atom.global.add.f64", 60, 50},
		{"atom.acquire.cluster.global.add.u32", 90, 78},
		{"tcgen05.wait::ld.sync.aligned", 100, 86},
		{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 80, 70},
		{"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", 70, 64},
		{"ld.global.L1::evict_first.f32", 70, 74},
	};
	Session *s = new_session(a);
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		u32 d = isa_intern_mnemonic(s, str_of(row[i].ptx), NULL);
		EXPECT(d != 0);
		EXPECT_EQ(isa_desc(s, d)->need.sm, row[i].sm);
		EXPECT_EQ(isa_desc(s, d)->need.ptx, row[i].version);
	}
	session_free(s);
}

TEST(isa, supported_from_the_lowest_target_on)
{
	static const struct {
		const char *ptx, *no, *yes;
		u32         no_ptx, yes_ptx;
	} row[] = {
		{"wmma.load.a.sync.aligned.row.m16n16k16.s8", "sm_70", "sm_72", 63, 63},
		{"wmma.load.a.sync.aligned.row.m8n8k32.s4", "sm_72", "sm_75", 63, 63},
		{"wmma.load.a.sync.row.m16n16k16.f16", "sm_62", "sm_70", 60, 60},
		{"wmma.load.a.sync.row.m32n8k16.f16", "sm_70", "sm_70", 60, 61},
		{"atom.cta.add.u32", "sm_53", "sm_60", 50, 50},
		{"red.cta.add.u32", "sm_60", "sm_60", 43, 50},
		{"cvt.f32.bf16", "sm_80", "sm_80", 70, 71},
		{"cvt.rn.bf16.s32", "sm_89", "sm_90", 78, 78},
		{"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "sm_80", "sm_90", 78, 78},
		/* variants, and those of one architecture or family */
		{"setmaxnreg.inc.sync.aligned.u32", "sm_90", "sm_90a", 80, 80},
		{"setmaxnreg.inc.sync.aligned.u32", "sm_100", "sm_100f", 88, 88},
		{"wgmma.fence.sync.aligned", "sm_100a", "sm_90a", 88, 88},
		{"redux.sync.max.f32", "sm_120a", "sm_103f", 88, 88},
		/* taken away */
		{"wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16.satfinite", "sm_70", "sm_70", 65, 64},
	};
	Session *s = new_session(a);
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		u32    d = isa_intern_mnemonic(s, str_of(row[i].ptx), NULL);
		Target t = {0};
		EXPECT(d != 0);
		EXPECT(target_set_cpu(&t, str_of(row[i].no), false));
		t.ptx = row[i].no_ptx;
		EXPECT(!isa_supported(isa_desc(s, d), &t));
		EXPECT(target_set_cpu(&t, str_of(row[i].yes), false));
		t.ptx = row[i].yes_ptx;
		EXPECT(isa_supported(isa_desc(s, d), &t));
	}
	session_free(s);
}

UNIT_MAIN
