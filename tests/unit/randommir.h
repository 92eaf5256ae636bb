/* randommir.h: random machine functions for tests of machine analyses and passes.
 *
 * The control flow has loops, irreducible cycles, self loops and joins; blocks end in nothing (fall through), bra, a
 * guarded bra, both, or ret. Instructions are copies, arithmetic of all classes, compares, IMPLICIT_DEF and inline asm
 * with tied, early-clobber, implicit, undefined and dead operands. In SSA form every use is dominated by its definition
 * and blocks begin with phis; otherwise registers are defined and read anywhere, on some paths without a definition.
 * Every block can be reached from the entry, which has no predecessors, and mir_verify finds nothing.
 *
 *   MirBench *b = mirbench_open(a);
 *   MirFunc  *f = random_mir(b->m, &(Rng){seed}, RANDOM_SSA, 10);
 *   …
 *   mirbench_close(b); */
#ifndef PS_UNIT_RANDOMMIR_H
#define PS_UNIT_RANDOMMIR_H

#include "graph_oracle.h"
#include "mir/cfg.h"
#include "mir/mir.h"
#include "session.h"

typedef struct MirBench {
	Session    s;
	MirModule *m;
	jmp_buf    out;
} MirBench;

static inline MirBench *mirbench_open(Arena *a)
{
	MirBench *b = arena_new(a, MirBench);
	unit_session(&b->s, &b->out);
	b->m = mir_module_new(&b->s, NULL, &b->s.arena);
	return b;
}

static inline void mirbench_close(MirBench *b)
{
	for (u32 k = 0; k < b->m->func.n; k++)
		mir_func_free(b->m->func.p[k]);
	session_free(&b->s);
}

enum {
	RANDOM_SSA = 1 << 0,  /* single definitions that dominate their uses, and phis */
	RANDOM_PURE = 1 << 1, /* no inline asm: all instructions may be removed, moved and repeated */
	RANDOM_WARP = 1 << 2, /* instructions that tell threads apart or combine what they have; sums with carry */
};

typedef struct RandomMir {
	MirFunc *f;
	Session *s;
	Rng     *r;
	u32      how, size;
	MirCfg  *cfg;
	DomTree  dom;
	Arena    scratch;
	VecU32   pool;  /* registers that may be read here */
	VecU32  *defs;  /* SSA, by block id: registers that it defines */
	VecU32   plain; /* not SSA: all registers */
} RandomMir;

static inline bool random_once(RandomMir *m, u32 in) { return rng_below(m->r, in) == 0; }

static const u8 random_class[] = {MIR_PRED, MIR_B16, MIR_B32, MIR_B32, MIR_B64, MIR_F32, MIR_F64, MIR_B128};

static inline MirClass random_cls(RandomMir *m) { return (MirClass)random_class[rng_below(m->r, PS_COUNT(random_class))]; }

/* ---- registers ---- */

/* A register of the class that may be read here; made by IMPLICIT_DEF in front of `before` where there is none. */
static inline MirReg random_use(RandomMir *m, MirBlockId b, MirInstId before, MirClass cls)
{
	u32 n = m->pool.n, at = n ? rng_below(m->r, n) : 0;
	if (n && !random_once(m, 4)) /* mostly the newest */
		at = n - 1 - rng_below(m->r, PS_MIN(n, 8u));
	for (u32 k = 0; k < n; k++) {
		MirReg r = {m->pool.p[(at + k) % n]};
		if (mir_class(m->f, r) == cls)
			return r;
	}
	MirReg    r = mir_reg_new(m->f, cls);
	MirInstId i = mir_build(m->f, b, before, ISA_IMPLICIT_DEF);
	mir_add_def(m->f, i, r);
	vec_push(&m->scratch, &m->pool, r.i);
	if (m->defs)
		vec_push(&m->scratch, &m->defs[b.i], r.i);
	return r;
}

/* A register that an instruction may define: new in SSA form. It can be read once random_defined has been told. */
static inline MirReg random_def(RandomMir *m, MirClass cls)
{
	if (!(m->how & RANDOM_SSA))
		for (u32 k = 0, n = m->plain.n, at = rng_below(m->r, n); k < n; k++)
			if (mir_class(m->f, (MirReg){m->plain.p[(at + k) % n]}) == cls)
				return (MirReg){m->plain.p[(at + k) % n]};
	return mir_reg_new(m->f, cls);
}

static inline void random_defined(RandomMir *m, MirBlockId b, MirReg r)
{
	if (!(m->how & RANDOM_SSA))
		return;
	vec_push(&m->scratch, &m->pool, r.i);
	vec_push(&m->scratch, &m->defs[b.i], r.i);
}

/* ---- instructions ---- */

static inline u32 random_desc(RandomMir *m, MirClass cls)
{
	switch (cls) {
	case MIR_B16: return isa_intern(m->s, ptx_opc(add, TY(u16)));
	case MIR_B32: return isa_intern(m->s, random_once(m, 2) ? ptx_opc(add, TY(u32)) : ptx_opc(sub, TY(u32)));
	case MIR_B64: return isa_intern(m->s, ptx_opc(add, TY(u64)));
	case MIR_F32: return isa_intern(m->s, ptx_opc(add, TY(f32)));
	default: return isa_intern(m->s, ptx_opc(add, TY(f64)));
	}
}

/* add, sub, setp; a copy where the class has no arithmetic. */
static inline void random_arithmetic(RandomMir *m, MirBlockId b, MirInstId before)
{
	MirClass  cls = random_cls(m), from = cls == MIR_PRED ? MIR_B32 : cls;
	MirReg    x = random_use(m, b, before, from), y = random_use(m, b, before, from), d = random_def(m, cls);
	MirInstId i;
	if (cls == MIR_B128 || random_once(m, 4)) {
		i = mir_build(m->f, b, before, ISA_COPY);
		d = cls == from ? d : random_def(m, from);
		mir_add_def(m->f, i, d);
		mir_add_use(m->f, i, x);
	} else {
		i = mir_build(m->f, b, before,
		              cls == MIR_PRED ? isa_intern(m->s, ptx_opc(setp, PS(cmp, lt), TY(s32))) : random_desc(m, cls));
		mir_add_def(m->f, i, d);
		mir_add_use(m->f, i, x);
		if (random_once(m, 3) && cls != MIR_F32 && cls != MIR_F64)
			mir_add_imm(m->f, i, rng_below(m->r, 4));
		else
			mir_add_use(m->f, i, y);
	}
	random_defined(m, b, d);
}

/* Inline asm: up to two results, up to three operands, implicit ones behind. */
static inline void random_asm(RandomMir *m, MirBlockId b, MirInstId before)
{
	MirReg def[3] = {{0}}, use[4];
	u32    n_defs = rng_below(m->r, 3), n_uses = rng_below(m->r, 4), flags[4] = {0};
	bool   implicit = random_once(m, 3), tied = n_defs && n_uses && random_once(m, 2);
	for (u32 k = 0; k < n_uses + implicit; k++) {
		use[k] = random_use(m, b, before, random_cls(m));
		flags[k] = random_once(m, 8) ? MOF_UNDEF : 0;
	}
	for (u32 k = 0; k < n_defs; k++)
		do
			def[k] = random_def(m, tied && !k ? mir_class(m->f, use[0]) : random_cls(m));
		while (k && def[0].i == def[1].i);
	MirInstId i = mir_build(m->f, b, before, ISA_INLINEASM);
	for (u32 k = 0; k < n_defs; k++)
		mir_add_reg(m->f, i, def[k], MOF_DEF | (random_once(m, 4) ? MOF_EARLY_CLOBBER : 0u));
	mir_add_text(m->f, i, strtab_add(&m->s->strs, STR("nop;")));
	for (u32 k = 0; k < n_uses; k++)
		mir_add_reg(m->f, i, use[k], tied && !k ? 0 : flags[k]);
	if (tied)
		mir_op_tie(m->f, i, 0, n_defs + 1);
	if (implicit)
		mir_add_reg(m->f, i, use[n_uses], flags[n_uses] | MOF_IMPLICIT);
	if (implicit && random_once(m, 2)) {
		def[2] = mir_reg_new(m->f, random_cls(m));
		mir_add_reg(m->f, i, def[2], MOF_DEF | MOF_IMPLICIT);
	}
	for (u32 k = 0; k < 3; k++)
		if (def[k].i)
			random_defined(m, b, def[k]);
}

/* A special register, a vote, or a sum in two parts. */
static inline void random_warp(RandomMir *m, MirBlockId b, MirInstId before)
{
	static const u8 sreg[] = {SREG_tid_x, SREG_laneid, SREG_ctaid_x, SREG_ntid_x};
	PtxOpc          special = ptx_opc(sreg, TY(u32));
	u32             kind = rng_below(m->r, 3);
	MirReg          x = random_use(m, b, before, kind == 1 ? MIR_PRED : MIR_B32), y = random_use(m, b, before, MIR_B32);
	MirReg          d = random_def(m, MIR_B32), e = kind == 2 ? random_def(m, MIR_B32) : d;
	MirInstId       i;
	special.slot[SLOT_sreg] = sreg[rng_below(m->r, PS_COUNT(sreg))];
	if (kind == 0) {
		i = mir_build(m->f, b, before, isa_intern(m->s, special));
		mir_add_def(m->f, i, d);
	} else if (kind == 1) {
		i = mir_build(m->f, b, before, isa_intern(m->s, ptx_opc(vote_sync_ballot, PS(op, ballot), TY(b32))));
		mir_add_def(m->f, i, d);
		mir_add_use(m->f, i, x);
		mir_add_use(m->f, i, y);
	} else {
		i = mir_build(m->f, b, before, isa_intern(m->s, ptx_opc(add_cc, TY(u32))));
		mir_add_def(m->f, i, d);
		mir_add_use(m->f, i, x);
		mir_add_use(m->f, i, y);
		random_defined(m, b, d);
		y = random_use(m, b, before, MIR_B32);
		i = mir_build(m->f, b, before, isa_intern(m->s, ptx_opc(addc, TY(u32))));
		mir_add_def(m->f, i, e);
		mir_add_use(m->f, i, y);
		mir_add_use(m->f, i, random_use(m, b, before, MIR_B32));
	}
	random_defined(m, b, e);
}

static inline void random_inst(RandomMir *m, MirBlockId b, MirInstId before)
{
	if (random_once(m, 12)) {
		MirReg    r = random_def(m, random_cls(m));
		MirInstId i = mir_build(m->f, b, before, ISA_IMPLICIT_DEF);
		mir_add_def(m->f, i, r);
		random_defined(m, b, r);
	} else if (!(m->how & RANDOM_PURE) && random_once(m, m->how & RANDOM_WARP ? 16 : 4)) {
		random_asm(m, b, before);
	} else if (m->how & RANDOM_WARP && random_once(m, 6)) {
		random_warp(m, b, before);
	} else {
		random_arithmetic(m, b, before);
	}
}

/* ---- control flow ---- */

/* Blocks, each reached from one before it, and up to `size` edges more. */
static inline void random_blocks(RandomMir *m)
{
	u32 n = 1 + rng_below(m->r, m->size);
	for (u32 k = 0; k < n; k++)
		mir_block_new(m->f, (StrId){0}, ~0u);
	for (u32 k = 2; k <= n; k++) {
		MirBlockId from = {random_once(m, 2) ? k - 1 : 1 + rng_below(m->r, k - 1)};
		while (mir_block(m->f, from)->n_succs == 2)
			from.i = 1 + from.i % (k - 1);
		mir_edge_add(m->f, from, (MirBlockId){k}, MIR_PROB_UNKNOWN);
	}
	for (u32 k = 0, more = n > 1 ? rng_below(m->r, n + 1) : 0; k < more; k++) {
		MirBlockId from = {1 + rng_below(m->r, n)}, to = {2 + rng_below(m->r, n - 1)};
		if (mir_block(m->f, from)->n_succs < 2)
			mir_edge_add(m->f, from, to, MIR_PROB_UNKNOWN);
	}
}

static inline void random_branch(RandomMir *m, MirBlockId b, u32 to, MirReg guard)
{
	PtxOpc    bra = ptx_opc(bra);
	MirInstId i = mir_build(m->f, b, (MirInstId){0}, isa_intern(m->s, guard.i ? isa_guarded(bra, random_once(m, 2)) : bra));
	if (guard.i)
		mir_add_use(m->f, i, guard);
	mir_add_block(m->f, i, (MirBlockId){to});
}

static inline void random_end(RandomMir *m, MirBlockId b)
{
	const MirBlock *mb = mir_block(m->f, b);
	u32             to[2] = {0}, n = 0;
	mir_each_succ(m->f, b, e)
		to[n++] = e->to;
	if (!n) {
		mir_build(m->f, b, (MirInstId){0}, isa_intern(m->s, ptx_opc(ret)));
		return;
	}
	if (n == 2) {
		MirReg guard = random_use(m, b, (MirInstId){0}, MIR_PRED);
		if (to[0] == mb->next) {
			to[0] = to[1];
			to[1] = mb->next;
		}
		random_branch(m, b, to[0], guard);
		to[0] = to[1];
	}
	if (to[0] != mb->next || random_once(m, 2))
		random_branch(m, b, to[0], (MirReg){0});
}

/* ---- SSA form ---- */

/* What may be read at the end of `b`: definitions of the blocks on the way to the root of the dominator tree. */
static inline void random_pool(RandomMir *m, MirBlockId b)
{
	m->pool.n = 0;
	for (u32 node = m->cfg->node[b.i]; node != GRAPH_NONE; node = m->dom.idom[node]) {
		const VecU32 *d = &m->defs[m->cfg->block[node]];
		for (u32 k = 0; k < d->n; k++)
			vec_push(&m->scratch, &m->pool, d->p[k]);
	}
}

static inline void random_phis(RandomMir *m, MirBlockId b)
{
	for (u32 k = mir_block(m->f, b)->n_preds ? rng_below(m->r, 3) : 0; k; k--) {
		MirInstId i = mir_build(m->f, b, (MirInstId){0}, ISA_PHI);
		MirReg    r = mir_reg_new(m->f, random_cls(m));
		mir_add_def(m->f, i, r);
		random_defined(m, b, r);
	}
}

static inline void random_phi_operands(RandomMir *m)
{
	mir_each_block(m->f, b)
		mir_each_pred(m->f, b, e) {
			MirBlockId from = {e->from};
			random_pool(m, from);
			for (MirInstId i = {mir_block(m->f, b)->first}; i.i && mir_inst(m->f, i)->desc == ISA_PHI;
			     i = mir_next(m->f, i)) {
				MirClass cls = mir_class(m->f, mir_op_reg(mir_op(m->f, i, 0)));
				mir_add_use(m->f, i, random_use(m, from, mir_first_terminator(m->f, from), cls));
				mir_add_block(m->f, i, from);
			}
		}
}

static inline void random_ssa(RandomMir *m)
{
	m->cfg = mir_cfg_build(m->f, &m->scratch);
	m->dom = dom_build(&m->cfg->g, &m->scratch, 0);
	m->defs = arena_array(&m->scratch, VecU32, m->f->block.n);
	for (u32 k = 0; k < m->dom.reached; k++) {
		MirBlockId b = {m->cfg->block[m->dom.pre[k]]};
		random_phis(m, b);
		random_pool(m, b);
		for (u32 n = rng_below(m->r, 7); n; n--)
			random_inst(m, b, (MirInstId){0});
		random_end(m, b);
	}
	random_phi_operands(m);
}

/* Registers in any number of places. */
static inline void random_plain(RandomMir *m)
{
	m->f->props = MP_NO_PHIS;
	for (u32 k = 0, n = 3 + rng_below(m->r, 10); k < n; k++) {
		u32 r = mir_reg_new(m->f, random_cls(m)).i;
		vec_push(&m->scratch, &m->plain, r);
		vec_push(&m->scratch, &m->pool, r);
	}
	mir_each_block(m->f, b) {
		for (u32 n = rng_below(m->r, 7); n; n--)
			random_inst(m, b, (MirInstId){0});
		random_end(m, b);
	}
}

/* A function of at most `size` blocks. */
static inline MirFunc *random_mir(MirModule *module, Rng *r, u32 how, u32 size)
{
	RandomMir m = {.s = module->session, .r = r, .how = how, .size = size};
	m.f = mir_func_new(module, strtab_add(&m.s->strs, STR("f")), 0);
	arena_init(&m.scratch, &m.s->budget);
	random_blocks(&m);
	if (how & RANDOM_SSA)
		random_ssa(&m);
	else
		random_plain(&m);
	arena_free(&m.scratch);
	return m.f;
}

static inline void expect_good_mir(MirBench *b, MirFunc *f)
{
	Text errors;
	text_init(&errors, &b->s.arena);
	bool good = mir_verify(f, &errors);
	EXPECT(good);
	if (!good) {
		mir_print_func(&errors, f, NULL);
		printf("# %.*s\n", STR_ARG(text_str(&errors)));
	}
}

/* ---- what random edits of a function are about ---- */

static inline MirReg random_reg(MirFunc *f, Rng *r)
{
	return f->vreg.n > 1 ? (MirReg){1 + rng_below(r, f->vreg.n - 1)} : mir_reg_new(f, MIR_B32);
}

/* A place behind the phis and in front of the terminators of a block. */
static inline MirInstId random_place(MirFunc *f, Rng *r, MirBlockId *b)
{
	b->i = 1 + rng_below(r, f->n_blocks);
	MirInstId i = mir_first_non_phi(f, *b), end = mir_first_terminator(f, *b);
	while (i.i && i.i != end.i && rng_below(r, 3))
		i = mir_next(f, i);
	return i;
}

#endif
