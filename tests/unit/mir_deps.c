/* Dependences, aliases, rematerialisation and machine costs of machine code against brute force. random_runs() says how many. */
#include "graph_oracle.h"
#include "unit.h"

#include "mir/alias.h"
#include "mir/deps.h"
#include "mir/remat.h"

typedef struct Maker {
	Session    s;
	MirModule *m;
	MirFunc   *f;
	Rng        r;
	MirReg     word[6], wide[4]; /* random registers: 32 and 64 bits */
} Maker;

static MirReg word(Maker *k) { return k->word[rng_below(&k->r, PS_COUNT(k->word))]; }

/* Address operands: a register or a stack object, and a small offset. */
static void address(Maker *k, MirInstId i)
{
	if (rng_below(&k->r, 3))
		mir_add_use(k->f, i, k->wide[rng_below(&k->r, PS_COUNT(k->wide))]);
	else
		mir_add_frame(k->f, i, rng_below(&k->r, 2), 0);
	mir_add_imm(k->f, i, rng_below(&k->r, 4) * 4);
}

static const u8 spaces[] = {0, TOK_space_global, TOK_space_shared, TOK_space_local, TOK_space_const};

static void random_inst(Maker *k, MirBlockId b)
{
	Session  *s = &k->s;
	PtxOpc    ld = ptx_opc(ld, TY(u32)), st = ptx_opc(st, TY(u32));
	u8        space = spaces[rng_below(&k->r, PS_COUNT(spaces))];
	MirInstId i;
	switch (rng_below(&k->r, 9)) {
	case 0:
		i = mir_build(k->f, b, (MirInstId){0}, isa_intern(s, ptx_opc(mov, TY(u32))));
		mir_add_def(k->f, i, word(k));
		mir_add_imm(k->f, i, 7);
		break;
	case 1:
		i = mir_build(k->f, b, (MirInstId){0}, isa_intern(s, ptx_opc(bar_warp_sync)));
		mir_add_imm(k->f, i, -1);
		break;
	case 2:
	case 3:
		ld.slot[SLOT_space] = space;
		if (rng_below(&k->r, 4) == 0)
			ld.slot[SLOT_sem] = TOK_sem_volatile;
		i = mir_build(k->f, b, (MirInstId){0}, isa_intern(s, ld));
		mir_add_def(k->f, i, word(k));
		address(k, i);
		break;
	case 4:
	case 5:
		st.slot[SLOT_space] = space == TOK_space_const ? TOK_space_global : space;
		i = mir_build(k->f, b, (MirInstId){0}, isa_intern(s, st));
		address(k, i);
		mir_add_use(k->f, i, word(k));
		break;
	default:
		i = mir_build(k->f, b, (MirInstId){0}, isa_intern(s, ptx_opc(add, TY(s32))));
		mir_add_def(k->f, i, word(k));
		mir_add_use(k->f, i, word(k));
		mir_add_use(k->f, i, word(k));
		break;
	}
}

static void maker_open(Maker *k, u64 seed, Arena *a)
{
	session_init(&k->s, 0);
	k->s.target.sm = 90;
	k->s.target.ptx = 85;
	k->m = mir_module_new(&k->s, NULL, a);
	k->f = mir_func_new(k->m, (StrId){0}, 0);
	k->f->props = 0;
	k->r.s = seed;
	for (u32 n = 0; n < 2; n++)
		mir_frame_new(k->f, (StrId){0}, 16, 2, MIR_FRAME_LOCAL);
	MirBlockId entry = mir_block_new(k->f, (StrId){0}, ~0u);
	for (u32 n = 0; n < PS_COUNT(k->word); n++)
		k->word[n] = mir_reg_new(k->f, MIR_B32);
	for (u32 n = 0; n < PS_COUNT(k->wide); n++) {
		k->wide[n] = mir_reg_new(k->f, MIR_B64);
		mir_add_def(k->f, mir_build(k->f, entry, (MirInstId){0}, ISA_IMPLICIT_DEF), k->wide[n]);
	}
}

static void maker_close(Maker *k)
{
	mir_func_free(k->f);
	session_free(&k->s);
}

/* ---- dependences ---- */

static bool registers_meet(const MirFunc *f, MirInstId x, MirInstId y)
{
	for (u32 m = 0; m < mir_inst(f, x)->n_ops; m++)
		for (u32 n = 0; n < mir_inst(f, y)->n_ops; n++) {
			const MirOp *p = mir_op(f, x, m), *q = mir_op(f, y, n);
			if (p->kind == MO_REG && q->kind == MO_REG && p->ref == q->ref && (p->flags | q->flags) & MOF_DEF)
				return true;
		}
	return false;
}

/* By what the text of an instruction says, without the analyses: may the two not change places? */
static bool is_volatile(const MirFunc *f, MirInstId i) { return mir_desc(f, i)->opc.slot[SLOT_sem] == TOK_sem_volatile; }
static bool is_barrier(const MirFunc *f, MirInstId i) { return mir_desc(f, i)->opc.op == ISA_bar_warp_sync; }
static bool is_memory(const MirFunc *f, MirInstId i)
{
	return mir_desc(f, i)->opc.slot[SLOT_type] && mir_is(f, i, IF_LOAD | IF_STORE);
}

static bool memory_meets(const MirFunc *f, MirInstId x, MirInstId y)
{
	MirAccess a = mir_access(f, x), b = mir_access(f, y);
	if (is_volatile(f, x) && is_volatile(f, y))
		return true;
	if (is_barrier(f, x) || is_barrier(f, y)) {
		MirInstId o = is_barrier(f, x) ? y : x;
		return is_barrier(f, o) || is_volatile(f, o) ||
		       (is_memory(f, o) && mir_desc(f, o)->opc.slot[SLOT_space] != TOK_space_const);
	}
	return is_memory(f, x) && is_memory(f, y) && mir_may_alias(&a, &b);
}

static void closure(bool *m, u32 n)
{
	for (u32 k = 0; k < n; k++)
		for (u32 i = 0; i < n; i++)
			for (u32 j = 0; m[i * n + k] && j < n; j++)
				m[i * n + j] |= m[k * n + j];
}

static void same_order(Maker *k, Arena *a)
{
	MirBlockId b = mir_block_new(k->f, (StrId){0}, ~0u);
	for (u32 n = 2 + rng_below(&k->r, 18); n-- > 0;)
		random_inst(k, b);
	for (u32 edits = rng_below(&k->r, 4); edits-- > 0;) { /* erased and built again at the end */
		mir_erase(k->f, (MirInstId){mir_block(k->f, b)->first});
		random_inst(k, b);
	}
	MirStretch s = {.f = k->f, .block = b, .machine = isa_machine(90)};
	MirDeps   *d = mir_deps_build(&s, a);
	u32        n = d->n;
	bool      *got = arena_array(a, bool, n *n + 1), *want = arena_array(a, bool, n *n + 1);
	for (u32 i = 0; i < n; i++)
		for (u32 j = i + 1; j < n; j++)
			want[i * n + j] =
				registers_meet(k->f, d->inst[i], d->inst[j]) || memory_meets(k->f, d->inst[i], d->inst[j]);
	for (u32 x = 0; x < d->dep.n; x++) {
		const MirDep *e = &d->dep.p[x];
		EXPECT(e->from < e->to && e->distance == 0);
		EXPECT(want[e->from * n + e->to]);
		got[e->from * n + e->to] = true;
	}
	closure(got, n);
	closure(want, n);
	EXPECT(memcmp(got, want, n * n) == 0);
	/* Longest paths by trying all predecessors until nothing grows. */
	MirDepth depth = mir_deps_depth(d, k->f, s.machine, a);
	u32     *asap = arena_array(a, u32, n + 1), length = 0;
	for (bool again = true; again;) {
		again = false;
		for (u32 x = 0; x < d->dep.n; x++) {
			const MirDep *e = &d->dep.p[x];
			if (asap[e->to] < asap[e->from] + e->latency)
				asap[e->to] = asap[e->from] + e->latency, again = true;
		}
	}
	for (u32 u = 0; u < n; u++)
		length = PS_MAX(length, asap[u] + isa_cost(s.machine, mir_desc(k->f, d->inst[u])).latency);
	EXPECT_EQ(depth.length, length);
	for (u32 u = 0; u < n; u++) {
		EXPECT_EQ(depth.asap[u], asap[u]);
		u32 late = length - isa_cost(s.machine, mir_desc(k->f, d->inst[u])).latency;
		for (u32 x = 0; x < d->dep.n; x++)
			if (d->dep.p[x].from == u)
				late = PS_MIN(late, depth.alap[d->dep.p[x].to] - d->dep.p[x].latency);
		EXPECT_EQ(depth.alap[u], late);
	}
}

TEST(mir_deps, LIVE_03_equal_pairs_of_instructions)
{
	for (u32 i = 0; i < random_runs(); i++) {
		Arena scratch;
		arena_init(&scratch, a->budget);
		Maker k;
		maker_open(&k, i + 1, &scratch);
		same_order(&k, &scratch);
		maker_close(&k);
		arena_free(&scratch);
	}
}

static MirModule *read(Session *s, const char *body)
{
	struct IrModule *ir;
	Text             t;
	session_init(s, 0);
	s->target.sm = 90;
	s->target.ptx = 85;
	text_init(&t, &s->arena);
	text_f(&t, "---\nname: f\nisSSA: true\nbody: |\n%s...\n", body);
	text_c(&t, 0);
	MirModule *m = mir_parse(s, str_of(t.p), &ir);
	for (u32 i = 0; i < s->diags.list.n; i++)
		printf("# %u: %.*s\n", s->diags.list.p[i].at.line, STR_ARG(s->diags.list.p[i].message));
	EXPECT(m != NULL);
	return m;
}

/* add → add → add of 4 cycles each, beside one that has room. */
TEST(mir_deps, ANA_06_a_known_critical_path)
{
	Session    s;
	MirModule *m = read(&s, "  bb.0:\n    %0:int32regs = MOVu32i 1\n    %1:int32regs = ADDs32rr %0, %0\n"
	                        "    %2:int32regs = MOVu32i 5\n    %3:int32regs = ADDs32rr %1, %1\n    Return\n");
	MirFunc   *f = m->func.p[0];
	MirStretch x = {.f = f,
	                .block = {f->first_block},
	                .last = mir_prev(f, (MirInstId){mir_block(f, (MirBlockId){f->first_block})->last}),
	                .machine = isa_machine(80)};
	MirDeps   *d = mir_deps_build(&x, a);
	MirTrace   t = mir_deps_trace(d, f, x.machine, a);
	EXPECT_EQ(t.length, 12);
	EXPECT_EQ(t.issued, 4);
	EXPECT_EQ(t.unit, UNIT_ALU);
	EXPECT_EQ(t.busy, 8);
	EXPECT_EQ(t.critical.n, 3);
	EXPECT_EQ(t.critical.n == 3 ? t.critical.p[1] : 0, 1);
	session_free(&s);
}

/* A store that a load of the second next iteration meets: four bytes at p + 8 while p moves by 4. */
TEST(mir_deps, distances_around_a_loop)
{
	Session    s;
	MirModule *m =
		read(&s, "  bb.0:\n    successors: %bb.1\n    %0:int64regs = IMPLICIT_DEF\n    %1:int1regs = IMPLICIT_DEF\n"
	                 "  bb.1:\n    successors: %bb.1, %bb.2\n    %2:int64regs = PHI %0, %bb.0, %3, %bb.1\n"
	                 "    %4:int32regs = LD_global_u32 %2, 0\n    ST_global_u32 %2, 8, %4\n"
	                 "    %3:int64regs = ADDs64ri %2, 4\n    CBranch %1, %bb.1\n    GOTO %bb.2\n"
	                 "  bb.2:\n    Return\n");
	MirFunc   *f = m->func.p[0];
	MirStretch x = {
		.f = f, .block = {mir_block(f, (MirBlockId){f->first_block})->next}, .loop = true, .machine = isa_machine(80)};
	MirDeps *d = mir_deps_build(&x, a);
	u32      phi = 0, memory = 0;
	for (u32 k = 0; k < d->dep.n; k++) {
		const MirDep *e = &d->dep.p[k];
		if (e->kind == DEP_TRUE && e->distance) {
			phi++;
			EXPECT(e->from == 3 && e->to == 0 && e->distance == 1 && e->latency == 4);
		}
		if (e->kind == DEP_MEMORY) {
			memory++;
			EXPECT(e->from == 2 && e->to == 1 && e->distance == 2);
		}
	}
	EXPECT_EQ(phi, 1);
	EXPECT_EQ(memory, 1);
	session_free(&s);
}

/* ---- aliases: addresses are numbers ---- */

static u64 where(const Maker *k, const MirAccess *x, const u64 *reg)
{
	u64 base = x->base == MO_FRAME ? 1000 + 64 * x->ref : 0;
	for (u32 n = 0; n < PS_COUNT(k->wide); n++)
		if (x->base == MO_REG && x->ref == k->wide[n].i)
			base = reg[n];
	return base + (u64)x->offset;
}

static void concrete(Maker *k)
{
	MirBlockId b = mir_block_new(k->f, (StrId){0}, ~0u);
	u64        reg[4];
	for (u32 n = 0; n < 12; n++)
		random_inst(k, b);
	for (u32 n = 0; n < 4; n++)
		reg[n] =
			rng_below(&k->r, 2) ? 1000 + 64 * rng_below(&k->r, 2) + 4 * rng_below(&k->r, 4) : 4 * rng_below(&k->r, 5);
	for (MirInstId i = {mir_block(k->f, b)->first}; i.i; i = mir_next(k->f, i))
		for (MirInstId j = mir_next(k->f, i); j.i; j = mir_next(k->f, j)) {
			if (!is_memory(k->f, i) || !is_memory(k->f, j))
				continue;
			MirAccess x = mir_access(k->f, i), y = mir_access(k->f, j);
			u64       p = where(k, &x, reg), q = where(k, &y, reg);
			bool      writes = (mir_desc(k->f, i)->flags | mir_desc(k->f, j)->flags) & IF_STORE;
			bool      constant = x.space == 4 || y.space == 4; /* nobody writes there */
			bool      windows = x.space == y.space || !x.space || !y.space;
			if (writes && !constant && windows && p < q + 4 && q < p + 4)
				EXPECT(mir_may_alias(&x, &y));
			if (!writes || constant || !windows)
				EXPECT(!mir_may_alias(&x, &y));
			if (x.base == y.base && x.ref == y.ref && !(p < q + 4 && q < p + 4))
				EXPECT(!mir_may_alias(&x, &y));
			EXPECT_EQ(mir_may_alias(&x, &y), mir_may_alias(&y, &x));
		}
}

TEST(mir_alias, equals_addresses)
{
	for (u32 i = 0; i < random_runs(); i++) {
		Arena scratch;
		arena_init(&scratch, a->budget);
		Maker k;
		maker_open(&k, i + 77777, &scratch);
		concrete(&k);
		maker_close(&k);
		arena_free(&scratch);
	}
}

/* In a kernel too the results of calls are in .param: a load of one stays behind its call, and is not done again behind another. */
TEST(mir_alias, results_of_calls_are_written)
{
	Session    s;
	MirModule *m =
		read(&s, "  bb.0:\n    %0:int32regs = LD_param_u32 &k_param_0, 0 :: (invariant load (s32), addrspace 101)\n"
	                 "    CALL_uni @g, 1, 0\n    %1:int32regs = LD_param_b32 &retval0, 0 :: (load (s32), addrspace 101)\n"
	                 "    CALL_uni @g, 1, 0\n    Return\n");
	MirFunc  *f = m->func.p[0];
	MirInstId i[5] = {{mir_block(f, (MirBlockId){f->first_block})->first}};
	f->is_kernel = true;
	for (u32 k = 1; k < 5; k++)
		i[k] = mir_next(f, i[k - 1]);
	EXPECT(mir_is_ordered(f, i[1], i[2]) && mir_is_ordered(f, i[2], i[3]));
	EXPECT(!mir_is_ordered(f, i[0], i[1]));
	EXPECT(!mir_remat(f, isa_machine(90), mir_op_reg(mir_op(f, i[2], 0)), i[4]).ok);
	EXPECT(mir_remat(f, isa_machine(90), mir_op_reg(mir_op(f, i[0], 0)), i[4]).ok);
	session_free(&s);
}

/* ---- rematerialisation: a value is there where each path has computed it and nothing has disturbed it since ---- */

/* Does `i` write what `reader` reads? */
static bool feeds(const MirFunc *f, MirInstId i, MirInstId reader)
{
	for (u32 m = 0; m < mir_inst(f, i)->n_ops; m++)
		for (u32 n = 0; n < mir_inst(f, reader)->n_ops; n++)
			if (mir_op_is_def(mir_op(f, i, m)) && mir_op_is_use(mir_op(f, reader, n)) &&
			    mir_op(f, i, m)->ref == mir_op(f, reader, n)->ref)
				return true;
	return false;
}

/* All paths by relaxation: at[b] is true while "undisturbed since the definition" may hold at the start of block b. */
static bool holds_at(const MirFunc *f, MirInstId def, MirInstId at, Arena *a)
{
	bool *start = arena_array(a, bool, f->block.n), result = false;
	for (u32 b = 0; b < f->block.n; b++)
		start[b] = b != f->first_block;
	for (bool again = true; again;) {
		again = false;
		mir_each_block(f, b) {
			bool now = start[b.i];
			for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i)) {
				if (i.i == at.i)
					result = now;
				now = i.i == def.i || (now && !feeds(f, i, def) && !memory_meets(f, def, i));
			}
			mir_each_succ(f, b, e)
				if (start[e->to] && !now)
					start[e->to] = false, again = true;
		}
	}
	return result;
}

static bool writes_only_here(const MirFunc *f, MirInstId i)
{
	return mir_inst(f, i)->n_defs == 1 && mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_defs == 1;
}

static void recompute(Maker *k, Arena *a)
{
	MirBlockId b[5];
	for (u32 n = 0; n < 5; n++) {
		b[n] = mir_block_new(k->f, (StrId){0}, ~0u);
		for (u32 m = rng_below(&k->r, 4); m-- > 0;)
			random_inst(k, b[n]);
	}
	mir_edge_add(k->f, (MirBlockId){k->f->first_block}, b[0], MIR_PROB_ONE);
	for (u32 n = 0; n < 5; n++)
		for (u32 m = 0; m < 2; m++)
			mir_edge_add(k->f, b[n], n < 4 && !m ? b[n + 1] : b[rng_below(&k->r, 5)], MIR_PROB_UNKNOWN);
	VecU32 all = {0};
	mir_each_block(k->f, x)
		mir_each_inst(k->f, x, i)
			vec_push(a, &all, i.i);
	for (u32 x = 0; x < all.n; x++) {
		MirInstId      def = {all.p[x]};
		const IsaDesc *d = mir_desc(k->f, def);
		bool           repeatable = !is_volatile(k->f, def) && !is_barrier(k->f, def);
		if (!writes_only_here(k->f, def) || d->flags & IF_GENERIC)
			continue;
		for (u32 y = 0; y < all.n; y++) {
			MirInstId at = {all.p[y]};
			MirRemat  q = mir_remat(k->f, isa_machine(90), mir_op_reg(mir_op(k->f, def, 0)), at);
			EXPECT_EQ(q.ok, repeatable && holds_at(k->f, def, at, a));
		}
	}
}

TEST(mir_remat, equals_paths)
{
	for (u32 i = 0; i < random_runs(); i++) {
		Arena scratch;
		arena_init(&scratch, a->budget);
		Maker k;
		maker_open(&k, i + 424242, &scratch);
		recompute(&k, &scratch);
		maker_close(&k);
		arena_free(&scratch);
	}
}

/* ---- machine.def ---- */

TEST(machine, every_instruction_has_a_unit_and_a_cost)
{
	static const u32 sm[] = {70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
	for (u32 op = ISA_GENERIC_COUNT; op < ISA_OP_COUNT; op++) {
		if (isa_row(op)->unit == UNIT_NONE)
			printf("# %s has no unit\n", isa_row_id(isa_row(op)));
		EXPECT(isa_row(op)->unit != UNIT_NONE);
	}
	for (u32 k = 0; k < PS_COUNT(sm); k++) {
		const IsaMachine *m = isa_machine(sm[k]);
		EXPECT(m->sm <= sm[k] && m->sm + 11u > sm[k]);
		for (u32 u = UNIT_NONE + 1; u < UNIT_COUNT; u++)
			EXPECT(isa_cost_source(m, (IsaUnit)u)[0] != 0);
	}
	EXPECT_EQ(isa_registers_for_warps(isa_machine(90), 64), 32);
	EXPECT_EQ(isa_registers_for_warps(isa_machine(90), 8), 255);
}

TEST(machine, costs_follow_the_generation)
{
	Session s;
	session_init(&s, 0);
	const IsaDesc *fma = isa_desc(&s, isa_intern(&s, ptx_opc(fma, PS(rnd, rn), TY(f64))));
	IsaCost        ga100 = isa_cost(isa_machine(80), fma), ga102 = isa_cost(isa_machine(86), fma);
	EXPECT_EQ(ga100.cycles, 4);
	EXPECT_EQ(ga102.cycles, 64);
	EXPECT_EQ(ga100.latency, 5);
	EXPECT_EQ(ga102.latency, 64);
	/* A row of isa/ says how much longer than its unit's plainest instruction it takes; nothing is counted twice. */
	const IsaDesc *root = isa_desc(&s, isa_intern(&s, ptx_opc(sqrt, PS(rnd, rn), TY(f32))));
	EXPECT_EQ(isa_cost(isa_machine(80), root).latency, 18 + root->extra);
	EXPECT_EQ(isa_cost(isa_machine(86), root).latency, 21 + root->extra);
	EXPECT_EQ(root->extra, 2);
	const IsaDesc *shared = isa_desc(&s, isa_intern(&s, ptx_opc(ld, PS(space, shared), TY(u32))));
	const IsaDesc *global = isa_desc(&s, isa_intern(&s, ptx_opc(ld, PS(space, global), TY(u32))));
	EXPECT_EQ(isa_cost(isa_machine(80), shared).latency, 23);
	EXPECT_EQ(isa_cost(isa_machine(80), global).latency, 200);
	session_free(&s);
}

UNIT_MAIN
