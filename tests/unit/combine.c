/* The rules of combining, executed: for each row of combine.def its left side is built with every flag, combined, and both
 * sides are evaluated through sem/ (dageval.h): on all values of 1 and 4 bits, on chosen values of 8 bits and more. Rules that
 * are code are reached by expressions drawn at random from a fixed seed. The result may say more than the original (where a
 * flag does not hold, bits are unknown), never something else. A graph that combining left as it was is not evaluated. A rule
 * that never applied fails: a row behind another one that takes all its nodes is found so. */
#include "dag/rules.h"
#include "dag/pattern.h"
#include "dageval.h"

typedef struct Rig {
	Session   s;
	Arena     a;
	DagModule mod;
	DagFunc   f;
	PassCx    cx;
	Env       env;
	u32       fired[CR_COUNT];
	u32       graphs, failures;
	u32       limit; /* of the combinations of variables that are tried; 0: all */
} Rig;

static void rig_open(Rig *r)
{
	memset(r, 0, sizeof *r);
	session_init(&r->s, 0);
	target_set_cpu(&r->s.target, STR("sm_90"), false);
	r->s.target.is64 = true;
	arena_init(&r->a, &r->s.budget);
	IsaParseError e;
	isa_intern_mnemonic(&r->s, STR("mov.b32"), &e);
	r->cx = (PassCx){.s = &r->s, .scratch = &r->a};
	r->mod = (DagModule){.cx = &r->cx, .s = &r->s, .m = ir_module_new(&r->s)};
	r->mod.mir = mir_module_new(&r->s, r->mod.m, &r->a);
	arena_init(&r->mod.arena, &r->s.budget);
	dag_patterns_init(&r->mod);
	r->f = (DagFunc){.mod = &r->mod, .cx = &r->cx, .s = &r->s, .m = r->mod.m, .mirm = r->mod.mir, .arena = &r->a};
	r->f.ptr = VT_I64;
	r->f.fp.fusion = FUSE_ALLOWED;
	r->f.optimize = true;
	arena_init(&r->f.scratch, &r->s.budget);
	r->f.mir = mir_func_new(r->mod.mir, strtab_add(&r->s.strs, STR("f")), 0);
	dag_init(&r->f.dag, &r->f, &r->a);
	r->f.dag.s = &r->s;
	r->f.dag.m = r->mod.m;
	dag_reset(&r->f.dag);
}

static void rig_close(Rig *r)
{
	arena_free(&r->f.scratch);
	arena_free(&r->mod.arena);
	arena_free(&r->a);
	session_free(&r->s);
}

/* ---- one graph ---- */

static DagVal raw(Rig *r, DagOp op, DagVt vt, const DagVal *ops, u32 n, u32 flags)
{
	return dag_node_of(&r->f.dag, &(DagKind){.opcode = (u16)op, .flags = (u16)flags}, &vt, 1, ops, n);
}

static DagVal var(Rig *r, u32 i, DagVt vt) { return dag_copy_from(&r->f.dag, r->f.dag.entry, (MirReg){i}, vt); }

static void begin(Rig *r) { dag_reset(&r->f.dag); }

static u64 sample(u32 w, u32 i)
{
	static const u64 bits[] = {0,          1,          2,      0x7f,   0x80, 5, ~(u64)0, 0x12345678, (u64)1 << 63,
	                           0x7fffffff, 0x80000000, 0x8000, 0xffff, 3};
	return w <= 4 ? i : bits[i % PS_COUNT(bits)] & ones(w);
}
static u32 samples(u32 w) { return w <= 4 ? 1u << w : w == 8 ? 8 : 11; }
static u64 fp_sample(SemFmt f, u32 i, bool loose)
{
	static const f64 exact[] = {1, -1, 2, 0.5, 3, -4, 7, 6};
	u64              inf = sem_inf(f, false);
	const u64        special[] = {0, sem_fsign_bit(f), inf, inf | sem_fsign_bit(f), sem_fmt[f].nan, 1, inf - 1};
	u32              k = i % 11;
	if (loose || k >= PS_COUNT(special))
		return sem_f2f(f, SEM_F64, sem_f64_bits(exact[i % PS_COUNT(exact)]), 0);
	return special[k];
}

static bool is_close(Rig *r, DagVt vt, u64 a, u64 b)
{
	if (!vt_is_fp(vt))
		return a == b;
	SemFmt f = (SemFmt)dag_sem_type(vt).fmt;
	if (a == b || (sem_is_nan(f, a) && sem_is_nan(f, b)))
		return true;
	if (!r->env.loose)
		return false;
	u64 by = a > b ? a - b : b - a;
	return by <= 4 || ((a | b) & ~sem_fsign_bit(f)) == 0;
}

static void report(Rig *r, Val left, Val got, bool legal)
{
	Text t = {0};
	if (++r->failures > 5)
		return;
	text_init(&t, &r->a);
	dag_print(&t, &r->f.dag, "combined");
	printf("# %s: 0x%" PRIx64 "/%" PRIx64 " became 0x%" PRIx64 "/%" PRIx64 " at %" PRIu64 ", %" PRIu64 ", %" PRIu64
	       " (late %d)\n%.*s",
	       combine_rule_name[r->mod.epoch], left.k, left.unknown, got.k, got.unknown, r->env.var[0], r->env.var[1],
	       r->env.var[2], legal, STR_ARG(text_str(&t)));
}

/* How many rules did so far. */
static u64 applied(const Rig *r)
{
	u64 n = 0;
	for (u32 i = 1; i < CR_COUNT; i++)
		n += r->fired[i];
	return n;
}

/* Combines `v`, a value or a chain, which is then what the root uses or is. */
static DagVal combined(Rig *r, DagVal v, bool legal)
{
	Dag   *d = &r->f.dag;
	bool   is_value = vt_is_value(dag_vt(d, v));
	DagVal root[] = {d->entry, dag_reg(d, dag_vt(d, v), (MirReg){99}), v};
	DagVt  chain = VT_CHAIN;
	d->root = is_value ? dag_node_of(d, &(DagKind){.opcode = DAG_CopyToReg, .props = DP_SIDE_EFFECT | DP_NO_CSE}, &chain, 1,
	                                 root, 3)
	                   : v;
	Combiner c = {.f = &r->f, .d = d, .legal = legal, .fired = r->fired, .rotates = combine_has_rotates(&r->f)};
	combine_graph(&c);
	r->mod.epoch = c.rule;
	return is_value ? dag_arg(d, d->root, 2) : d->root;
}

/* Combines `v` and compares, on the values of the variables, whose types are vt. */
static void check(Rig *r, DagVal v, const DagVt *vt, u32 n_vars, bool legal)
{
	enum { MOST = 4096 };
	static Program before, after;
	static Val     val[STEPS];
	DagVt          of = dag_vt(&r->f.dag, v);
	u32            all = 1, count[8];
	r->graphs++;
	program_of(&r->f.dag, &r->f.scratch, &before, v);
	program_of(&r->f.dag, &r->f.scratch, &after, combined(r, v, legal));
	if (before.n == after.n && memcmp(before.step, after.step, before.n * sizeof *before.step) == 0)
		return;
	for (u32 i = 0; i < n_vars; i++) {
		count[i] = vt_is_fp(vt[i]) ? 11 : samples(vt_bits(vt[i]));
		all *= count[i];
	}
	u32 n = PS_MIN(all, r->limit ? r->limit : MOST);
	for (u32 i = 0; i < n; i++) {
		for (u32 k = 0, at = n < all ? (u32)(i * 0x9E3779B1ull % all) : i; k < n_vars; at /= count[k++])
			r->env.var[k] = vt_is_fp(vt[k]) ? fp_sample(dag_sem_fmt(vt[k]), at % count[k], r->env.loose)
			                                : sample(vt_bits(vt[k]), at % count[k]);
		r->env.trapped = false;
		r->env.clamps = false;
		Val left = eval(&r->env, &before, val);
		if (r->env.trapped || (left.unknown && is_poison(&before, val)))
			continue;
		r->env.clamps = true;
		Val  got = eval(&r->env, &after, val);
		bool differs = !is_close(r, of, left.k & ~left.unknown, got.k & ~left.unknown);
		if ((got.unknown & ~left.unknown) || differs) {
			report(r, left, got, legal);
			return;
		}
	}
}

/* ---- rows: their left sides, from the tokens of dag/rules.h ---- */

typedef struct Maker {
	Rig       *r;
	const u16 *at;
	DagVt      vt;
	u64        c[2];
	u32        flags;    /* drawn from, two bits a node */
	u32        taken, n; /* bits that decide something; nodes so far */
	DagVt     *var_vt;
	u32        n_vars; /* X, Y, Z, P: 0 to 3 */
} Maker;

/* The bits of m->flags that this node asks for, which m->taken gathers. */
static u32 flag_bits(Maker *m, u32 at, u32 bits)
{
	m->taken |= bits << at;
	return m->flags >> at & bits;
}

static u32 flags_of(Maker *m, DagOp op)
{
	u32 at = 2 * m->n++, two;
	switch (op) {
	case DAG_ADD:
	case DAG_SUB:
	case DAG_MUL:
	case DAG_SHL: return flag_bits(m, at, 3);
	case DAG_SRL:
	case DAG_SRA: return flag_bits(m, at, 1) ? IRF_EXACT : 0;
	case DAG_OR: return flag_bits(m, at, 1) ? IRF_DISJOINT : 0;
	case DAG_FADD:
	case DAG_FSUB:
	case DAG_FMUL:
	case DAG_FDIV:
	case DAG_FNEG:
		two = flag_bits(m, at, 3);
		return (two & 1 ? IRF_NSZ : 0) | (two & 2 ? (flag_bits(m, at + 2, 1) ? IRF_NINF : IRF_NNAN) : 0);
	default: return 0;
	}
}

static DagVal build(Maker *m, DagVt vt)
{
	static const f64 floats[] = {0, -0.0, 1, -1, 2};
	Dag             *d = &m->r->f.dag;
	u32              token = *m->at++, has = 0;
	for (; token >= T_ONCE && token <= T_NOT_CONST; token = *m->at++)
		if (token == T_HAS)
			has |= *m->at++;
	if (token < T_END) {
		DagVal ops[4];
		DagOp  op = (DagOp)token;
		u32    n = 0, flags = flags_of(m, op) | has;
		for (; *m->at != T_END; n++) {
			bool amount = n == 1 && (op == DAG_SHL || op == DAG_SRL || op == DAG_SRA);
			ops[n] = build(m, amount                       ? VT_I32
			                  : op == DAG_SELECT && n == 0 ? VT_I1
			                  : op == DAG_FP_ROUND         ? VT_F32
			                  : op == DAG_FP_EXTEND        ? VT_F16
			                                               : vt);
		}
		m->at++;
		return raw(m->r, op, vt, ops, n, flags);
	}
	if (token >= T_X && token <= T_P) {
		m->var_vt[token - T_X] = vt;
		return var(m->r, token - T_X, vt);
	}
	switch (token) {
	case T_C1:
	case T_C2: return dag_const(d, vt, m->c[token - T_C1]);
	case T_ZERO: return dag_const(d, vt, 0);
	case T_ONE: return dag_const(d, vt, 1);
	case T_ONES: return dag_all_ones(d, vt);
	case T_WIDTH: return dag_const(d, vt, vt_bits(m->vt));
	default: return dag_fp(d, vt, sem_f2f((SemFmt)dag_sem_type(vt).fmt, SEM_F64, sem_f64_raw(floats[token - T_F0]), 0));
	}
}

static bool has_token(const u16 *t, u32 token)
{
	for (u32 depth = 0;; t++) {
		if (*t == token)
			return true;
		if (*t == T_HAS)
			t++;
		else if (*t < T_END)
			depth++;
		else if (*t == T_END && --depth == 0)
			return false;
	}
}

/* Returns the bits of `flags` that decide something. */
static u32 one_row(Rig *r, const CombineRow *row, DagVt vt, u64 c1, u64 c2, u32 flags)
{
	DagVt vts[4];
	u32   taken = 0;
	for (u32 late = 0; late < 2; late++) {
		if ((row->when & WHEN_LATE && !late) || (row->when & WHEN_EARLY && late))
			continue;
		begin(r);
		Maker m = {.r = r, .at = row->from, .vt = vt, .c = {c1, c2}, .flags = flags, .var_vt = vts};
		for (u32 i = 0; i < 4; i++)
			vts[i] = VT_I1;
		DagVal v = build(&m, vt);
		/* Variables that the row does not name have one value. */
		u32 n = has_token(row->from, T_P) ? 4 : has_token(row->from, T_Z) ? 3 : has_token(row->from, T_Y) ? 2 : 1;
		check(r, v, vts, n, late);
		arena_free(&r->f.scratch);
		taken = m.taken;
	}
	return taken;
}

/* All constants of 1 and 4 bits; amounts and masks of wider ones. */
static u64 row_const(u32 w, u32 i)
{
	static const u8 small[] = {0, 1, 4, 5, 7, 8, 16, 24, 27, 31, 32, 40, 56, 60, 63, 64};
	return (w <= 4 ? i : i < 16 ? small[i] : sample(w, i)) & ones(w < 7 ? 7 : w);
}

static void test_row(Rig *r, const CombineRow *row)
{
	static const DagVt ints[] = {VT_I1, VT_INT(4), VT_I8, VT_I32, VT_I64};
	static const DagVt floats[] = {VT_F16, VT_F32};
	DagOp              root = (DagOp)row->from[0];
	bool               fp = root >= DAG_FADD && root <= DAG_FP_EXTEND;
	u32                when = row->when;
	bool               has1 = has_token(row->from, T_C1), has2 = has_token(row->from, T_C2);
	for (u32 k = 0; k < (fp ? PS_COUNT(floats) : PS_COUNT(ints)); k++) {
		DagVt vt = fp ? floats[k] : ints[k];
		if (root == DAG_FP_ROUND)
			vt = VT_F16;
		if (root == DAG_FP_EXTEND)
			vt = k ? VT_F64 : VT_F32;
		if ((when & WHEN_I1 && vt != VT_I1) || (when & WHEN_I32 && vt != VT_I32) ||
		    (when & (WHEN_I32_64 | WHEN_ROTATES) && vt != VT_I32 && vt != VT_I64))
			continue;
		/* All flags of narrow types and floats; of others each node the same. */
		u32  w = vt_bits(vt), taken = 0;
		bool every = w <= 4 || fp;
		for (u32 a = 0; a < (has1 ? w <= 4 ? 1u << w : 20 : 1); a++)
			for (u32 b = 0; b < (has2 ? w <= 4 ? 1u << w : 20 : 1); b++)
				for (u32 f = 0; f < (every ? 256u : 4u); f++) {
					u32 flags = f * (every ? 1 : 0x55);
					if (!every || !(flags & ~taken))
						taken |= one_row(r, row, vt, row_const(w, a), row_const(w, b), flags);
				}
	}
}

TEST(combine, rows_mean_what_they_replace)
{
	Rig r;
	rig_open(&r);
	for (u32 i = 1; i < CR_COUNT; i++) {
		u32 before = r.fired[i], failed = r.failures;
		if (!combine_rows[i].from)
			continue;
		test_row(&r, &combine_rows[i]);
		if (r.fired[i] == before)
			unit_fail(__FILE__, __LINE__, combine_rule_name[i]), printf("#   the row never applies\n");
		if (r.failures != failed)
			unit_fail(__FILE__, __LINE__, combine_rule_name[i]),
				printf("#   %u graphs mean something else\n", r.failures - failed);
	}
	EXPECT(r.graphs > 10000);
	rig_close(&r);
}

/* ---- rules that are code: expressions drawn at random ---- */

typedef struct Draw {
	Rig   *r;
	u64    seed;
	bool   late, fp;
	DagVt  vt; /* of variables 0 and 1; 2: i1; 3: an address */
	DagVal pool[24];
	u32    n_pool;
} Draw;

static u32 below(Draw *g, u32 n)
{
	g->seed ^= g->seed << 13;
	g->seed ^= g->seed >> 7;
	g->seed ^= g->seed << 17;
	return (u32)((g->seed >> 16) % n);
}

static DagVal draw(Draw *g, DagVt vt, u32 depth);

static DagVt other_int(Draw *g)
{
	static const DagVt of[] = {VT_I16, VT_I32, VT_I64, VT_I8};
	return of[below(g, g->late ? 3 : 4)];
}

static DagVal draw_const(Draw *g, DagVt vt)
{
	static const u64 of[] = {0, 1, 2, 3, 4, 7, 8, 10, 15, 16, 31, 0x7f, 0x80, 0xff, 0xff00, 0xffff, 0xffffffff};
	u32              w = vt_bits(vt);
	u64              k = below(g, 8) ? of[below(g, PS_COUNT(of))] : below(g, 2) ? ~of[below(g, PS_COUNT(of))] : sem_smin(w);
	return dag_const(&g->r->f.dag, vt, k);
}

static DagVal draw_load(Draw *g, DagVt vt)
{
	Dag   *d = &g->r->f.dag;
	DagVt  in = vt == VT_I1 ? VT_I8 : below(g, 2) ? vt : vt_bits(vt) > 16 && below(g, 2) ? VT_I16 : VT_I8;
	DagMem m = {.vt = in,
	            .ext = in == vt ? DEXT_NONE : (u8)(DEXT_ANY + below(g, 3)),
	            .mem = {.size = vt_bits(in) / 8, .space = 1, .align_log2 = 3}};
	return dag_load(d, vt, d->entry, var(g->r, 3, VT_I64), m);
}

static DagVal draw_predicate(Draw *g, u32 depth)
{
	Dag  *d = &g->r->f.dag;
	DagVt vt = g->fp ? g->vt : below(g, 3) ? g->vt : other_int(g);
	switch (below(g, depth ? 7 : 1)) {
	case 0: return var(g->r, 2, VT_I1);
	case 1: {
		DagVal p = draw(g, VT_I1, depth - 1);
		return raw(g->r, DAG_XOR, VT_I1, (DagVal[]){p, dag_const(d, VT_I1, 1)}, 2, 0);
	}
	case 2: {
		static const DagOp of[] = {DAG_AND, DAG_OR, DAG_XOR};
		DagVal             p = draw(g, VT_I1, depth - 1), q = draw(g, VT_I1, depth - 1);
		return raw(g->r, of[below(g, 3)], VT_I1, (DagVal[]){p, q}, 2, 0);
	}
	case 3:
		if (!g->fp)
			return raw(g->r, DAG_TRUNCATE, VT_I1, (DagVal[]){draw(g, vt, depth - 1)}, 1, 0);
		/* fall through */
	default: {
		DagVal a = draw(g, vt, depth - 1), b = below(g, 2) || g->fp ? draw(g, vt, depth - 1) : draw_const(g, vt);
		u32    cc = g->fp ? IRP_OEQ + below(g, 14) : IRP_I_EQ + below(g, 10);
		return raw(g->r, DAG_SETCC, VT_I1, (DagVal[]){a, b, dag_cond(d, (DagCond)cc)}, 3, 0);
	}
	}
}

static DagVal draw_cast(Draw *g, DagVt vt, u32 depth)
{
	DagVt from = below(g, 5) ? other_int(g) : VT_I1;
	u32   w = vt_bits(from);
	if (w == vt_bits(vt))
		return draw(g, vt, depth - 1);
	DagOp op = w > vt_bits(vt) ? DAG_TRUNCATE
	           : below(g, 2)   ? DAG_ZERO_EXTEND
	           : below(g, 2)   ? DAG_SIGN_EXTEND
	                           : DAG_ANY_EXTEND;
	return raw(g->r, op, vt, (DagVal[]){draw(g, from, depth - 1)}, 1, 0);
}

static DagVal draw_int(Draw *g, DagVt vt, u32 depth)
{
	static const DagOp of[] = {DAG_ADD, DAG_SUB,  DAG_MUL,  DAG_AND, DAG_AND, DAG_OR,
	                           DAG_XOR, DAG_SMIN, DAG_UMAX, DAG_ADD, DAG_SUB};
	static const DagOp shifts[] = {DAG_SHL, DAG_SRL, DAG_SRA, DAG_ROTL, DAG_ROTR};
	static const DagOp divisions[] = {DAG_UDIV, DAG_SDIV, DAG_UREM, DAG_SREM};
	Dag               *d = &g->r->f.dag;
	DagVal             a, b, p;
	u32                flags = below(g, 4);
	switch (below(g, 12)) {
	case 0:
	case 1: return draw_cast(g, vt, depth);
	case 2:
	case 3: {
		a = draw(g, vt, depth - 1);
		DagOp op = shifts[below(g, 5)];
		b = below(g, 6) ? dag_const(d, VT_I32, below(g, vt_bits(vt))) : draw(g, VT_I32, depth - 1);
		return raw(g->r, op, vt, (DagVal[]){a, b}, 2,
		           op == DAG_SHL                    ? flags
		           : op == DAG_SRL || op == DAG_SRA ? flags / 3 * IRF_EXACT
		                                            : 0);
	}
	case 4:
		p = draw(g, VT_I1, depth - 1), a = below(g, 3) ? draw(g, vt, depth - 1) : draw_const(g, vt);
		b = below(g, 2) ? draw(g, vt, depth - 1) : draw_const(g, vt);
		return raw(g->r, DAG_SELECT, vt, (DagVal[]){p, a, b}, 3, 0);
	case 5:
		if (vt_bits(vt) < 16)
			break;
		return raw(g->r, DAG_SIGN_EXTEND_INREG, vt, (DagVal[]){draw(g, vt, depth - 1), dag_vtype(d, VT_I8)}, 2, 0);
	case 6: {
		DagOp op = divisions[below(g, 4)];
		a = draw(g, vt, depth - 1), b = below(g, 4) ? draw_const(g, vt) : draw(g, vt, depth - 1);
		return raw(g->r, op, vt, (DagVal[]){a, b}, 2, op == DAG_UDIV || op == DAG_SDIV ? flags / 3 * IRF_EXACT : 0);
	}
	default: break;
	}
	DagOp op = of[below(g, PS_COUNT(of))];
	a = op == DAG_SUB && below(g, 3) == 0 ? dag_const(d, vt, 0) : draw(g, vt, depth - 1);
	b = below(g, 2) ? draw(g, vt, depth - 1) : draw_const(g, vt);
	return raw(g->r, op, vt, (DagVal[]){a, b}, 2, op <= DAG_MUL ? flags : op == DAG_OR ? flags / 3 * IRF_DISJOINT : 0);
}

static DagVal draw_fp(Draw *g, DagVt vt, u32 depth)
{
	static const DagOp of[] = {DAG_FADD, DAG_FSUB, DAG_FMUL, DAG_FDIV, DAG_FMUL, DAG_FADD};
	static const u32   fast[] = {IRF_CONTRACT, IRF_FAST & ~(IRF_NNAN | IRF_NINF), IRF_CONTRACT | IRF_REASSOC,
	                             IRF_NSZ | IRF_NNAN};
	u32                flags = !g->r->env.loose ? 0 : fast[below(g, PS_COUNT(fast))];
	DagVal             a = draw(g, vt, depth - 1), b = draw(g, vt, depth - 1);
	switch (below(g, 8)) {
	case 0: return raw(g->r, DAG_FNEG, vt, &a, 1, flags);
	case 1: return raw(g->r, DAG_FMA, vt, (DagVal[]){a, b, draw(g, vt, depth - 1)}, 3, flags);
	case 2: return raw(g->r, DAG_SELECT, vt, (DagVal[]){draw(g, VT_I1, depth - 1), a, b}, 3, flags);
	case 3: return raw(g->r, g->r->env.loose ? DAG_FSQRT : DAG_FABS, vt, &a, 1, flags);
	default: return raw(g->r, of[below(g, PS_COUNT(of))], vt, (DagVal[]){a, b}, 2, flags);
	}
}

static DagVal draw(Draw *g, DagVt vt, u32 depth)
{
	Dag   *d = &g->r->f.dag;
	DagVal v = DAG_NONE;
	if (g->n_pool && below(g, 4) == 0) {
		v = g->pool[below(g, g->n_pool)];
		if (dag_vt(d, v) == vt)
			return v;
	}
	if (vt == VT_I1)
		v = draw_predicate(g, depth);
	else if (depth && below(g, 8))
		v = vt_is_fp(vt) ? draw_fp(g, vt, depth) : draw_int(g, vt, depth);
	else if (vt_is_fp(vt))
		v = below(g, 3) && vt == g->vt
		            ? var(g->r, below(g, 2), vt)
		            : dag_fp(d, vt, fp_sample((SemFmt)dag_sem_type(vt).fmt, below(g, 11), g->r->env.loose));
	else
		v = vt == g->vt && below(g, 4)        ? var(g->r, below(g, 2), vt)
		    : below(g, 2) && vt_bits(vt) >= 8 ? draw_load(g, vt)
		                                      : draw_const(g, vt);
	if (g->n_pool < PS_COUNT(g->pool))
		g->pool[g->n_pool++] = v;
	return v;
}

static DagVal extended(Draw *g, DagOp op, DagVt vt, DagVal v) { return raw(g->r, op, vt, &v, 1, 0); }

static DagVal in_register(Draw *g, DagVal v, DagVt from)
{
	Dag *d = &g->r->f.dag;
	return raw(g->r, DAG_SIGN_EXTEND_INREG, dag_vt(d, v), (DagVal[]){v, dag_vtype(d, from)}, 2, 0);
}

static DagVal draw_bit_load(Rig *r)
{
	Dag   *d = &r->f.dag;
	DagMem m = {.vt = VT_I1, .mem = {.size = 1, .space = 1}};
	r->env.predicates = true;
	return dag_load(d, VT_I1, d->entry, var(r, 3, VT_I64), m);
}

static DagVal draw_word(Rig *r, DagVt vt, DagExt ext)
{
	DagMem m = {.vt = vt, .ext = (u8)ext, .mem = {.size = vt_size(vt) / 8, .space = 1, .align_log2 = 2}};
	return dag_load(&r->f.dag, vt, r->f.dag.entry, var(r, 3, VT_I64), m);
}

static DagVal draw_store_behind(Rig *r, DagVal chain, DagVt in, DagVal v)
{
	DagMem m = {.vt = in, .mem = {.size = vt_size(in) / 8, .space = 1, .align_log2 = 2}};
	return dag_store(&r->f.dag, chain, v, var(r, 3, VT_I64), m);
}

/* `back`: behind the load that `v` is. */
static DagVal draw_store(Rig *r, DagVt in, DagVal v, bool back)
{
	return draw_store_behind(r, back ? dag_res(v.n, 1) : r->f.dag.entry, in, v);
}

/* Expressions that chance seldom makes. */
static DagVal rare(Draw *g, u32 which)
{
	Rig   *r = g->r;
	Dag   *d = &r->f.dag;
	DagVt  vt = g->vt = VT_I32;
	DagVal x = var(r, 0, vt), y = var(r, 1, vt), k4 = dag_const(d, vt, 4), k24 = dag_const(d, vt, 24),
	       zero = dag_const(d, vt, 0);
	switch (which) {
	case 0:
		x = raw(r, DAG_ZERO_EXTEND, vt, (DagVal[]){raw(r, DAG_TRUNCATE, VT_I16, &x, 1, 0)}, 1, 0);
		return raw(r, DAG_SRL, vt, (DagVal[]){raw(r, DAG_SHL, vt, (DagVal[]){x, k4}, 2, 0), k4}, 2, 0);
	case 1: return raw(r, DAG_SRA, vt, (DagVal[]){raw(r, DAG_SHL, vt, (DagVal[]){x, k24}, 2, 0), k24}, 2, 0);
	case 2:
	case 3: {
		DagVal amount = raw(r, DAG_AND, vt, (DagVal[]){x, dag_const(d, vt, 127)}, 2, 0);
		return raw(r, which == 2 ? DAG_FSHL : DAG_FSHR, vt, (DagVal[]){x, y, amount}, 3, 0);
	}
	case 4:
	case 5: return dag_setcc(d, var(r, 2, VT_I1), dag_const(d, VT_I1, which == 4), IRP_I_EQ);
	case 6: return dag_setcc(d, raw(r, DAG_AND, vt, (DagVal[]){x, k4}, 2, 0), k4, IRP_I_EQ);
	case 7: {
		DagVal negative = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, zero, dag_cond(d, IRP_I_SLT)}, 3, 0);
		return raw(r, DAG_SELECT, vt, (DagVal[]){negative, raw(r, DAG_SUB, vt, (DagVal[]){zero, x}, 2, 0), x}, 3, 0);
	}
	case 8:
		g->vt = VT_F32;
		x = var(r, 0, VT_F32);
		x = raw(r, DAG_FSQRT, VT_F32, &x, 1, IRF_AFN);
		return raw(r, DAG_FDIV, VT_F32, (DagVal[]){dag_fp(d, VT_F32, 0x3f800000), x}, 2, IRF_AFN | IRF_ARCP);
	case 9: {
		DagMem m = {.vt = vt, .mem = {.size = 4, .space = 1, .align_log2 = 2}};
		DagVal l = dag_load(d, vt, d->entry, var(r, 3, VT_I64), m);
		return raw(r, DAG_BITCAST, VT_F32, &l, 1, 0);
	}
	case 10: {
		DagVal word = raw(r, DAG_PRMT, vt, (DagVal[]){x, y, dag_const(d, vt, 0x4261)}, 3, 0);
		return raw(r, DAG_BFE_U, vt, (DagVal[]){word, dag_const(d, vt, 8), dag_const(d, vt, 8)}, 3, 0);
	}
	case 11: return extended(g, DAG_ZERO_EXTEND, VT_I32, draw_bit_load(r));
	case 12: return extended(g, DAG_SIGN_EXTEND, VT_I32, draw_bit_load(r));
	case 13: return extended(g, DAG_ANY_EXTEND, VT_I32, draw_bit_load(r));
	case 14:
	case 15:
		x = raw(r, DAG_ASSERT_ZEXT, vt, (DagVal[]){x, dag_vtype(d, VT_I8)}, 2, 0);
		return extended(g, which == 14 ? DAG_ZERO_EXTEND : DAG_ANY_EXTEND, VT_I64, x);
	case 16: {
		DagVal low = raw(r, DAG_AND, vt, (DagVal[]){x, dag_const(d, vt, 255)}, 2, 0);
		low = raw(r, DAG_TRUNCATE, VT_I16, &low, 1, 0);
		low = raw(r, DAG_SELECT, VT_I16, (DagVal[]){var(r, 2, VT_I1), low, dag_const(d, VT_I16, 0xFFF1)}, 3, 0);
		return extended(g, DAG_ZERO_EXTEND, VT_I32, low);
	}
	case 17:
		x = raw(r, DAG_AND, vt, (DagVal[]){x, k4}, 2, 0);
		x = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, zero, dag_cond(d, IRP_I_NE)}, 3, 0);
		return extended(g, DAG_ZERO_EXTEND, VT_I32, x);
	case 18: return in_register(g, in_register(g, x, VT_I16), VT_I8);
	case 19: return in_register(g, raw(r, DAG_SRL, vt, (DagVal[]){x, k24}, 2, 0), VT_I8);
	case 20: return in_register(g, raw(r, DAG_BFE_U, vt, (DagVal[]){x, k4, dag_const(d, vt, 8)}, 3, 0), VT_I8);
	case 21: {
		DagVal pair = raw(r, DAG_BUILD_PAIR, VT_I64, (DagVal[]){x, y}, 2, 0);
		return raw(r, DAG_TRUNCATE, VT_I16, &pair, 1, 0);
	}
	case 22:
		g->vt = VT_I64;
		x = raw(r, DAG_SRL, VT_I64, (DagVal[]){var(r, 0, VT_I64), dag_const(d, vt, 32)}, 2, 0);
		return raw(r, DAG_TRUNCATE, VT_I32, &x, 1, 0);
	case 23: return draw_store(r, VT_I32, draw_word(r, VT_I32, DEXT_NONE), true);
	case 24: return draw_store(r, VT_F32, dag_fp(d, VT_F32, 0x3f800000), false);
	case 25: return draw_store(r, VT_F32, raw(r, DAG_BITCAST, VT_F32, &x, 1, 0), false);
	case 26: return draw_store(r, VT_I16, raw(r, DAG_TRUNCATE, VT_I16, &x, 1, 0), false);
	case 27:
		x = raw(r, DAG_AND, vt, (DagVal[]){x, dag_const(d, vt, 0xffff00ff)}, 2, 0);
		return draw_store(r, VT_I8, x, false);
	case 28: { /* a load that only orders the store behind it */
		DagVal l = draw_word(r, VT_I32, DEXT_NONE);
		return draw_store_behind(r, dag_res(l.n, 1), VT_I32, x);
	}
	case 29:
	case 30: {
		DagVal l = draw_word(r, VT_V2I16, DEXT_NONE);
		return raw(r, DAG_EXTRACT_VECTOR_ELT, VT_I16, (DagVal[]){l, dag_const(d, VT_I32, which == 30)}, 2, 0);
	}
	case 31:
	case 32: { /* the elements in their order, and exchanged */
		DagVal e[2], l = draw_word(r, VT_V2I16, DEXT_NONE);
		for (u32 i = 0; i < 2; i++)
			e[i ^ (which == 32)] =
				raw(r, DAG_EXTRACT_VECTOR_ELT, VT_I16, (DagVal[]){l, dag_const(d, VT_I32, i)}, 2, 0);
		DagVal v = raw(r, DAG_BUILD_VECTOR, VT_V2I16, e, 2, 0);
		return raw(r, DAG_BITCAST, VT_I32, &v, 1, 0);
	}
	case 33:
		x = raw(r, DAG_AND, vt, (DagVal[]){x, dag_const(d, vt, 0xffffff0f)}, 2, 0);
		return draw_store(r, VT_I8, x, false);
	case 34: { /* back to where it came from, but not all of it */
		DagVal l = draw_word(r, VT_I32, DEXT_NONE);
		DagVal first = draw_store_behind(r, dag_res(l.n, 1), VT_I32, y);
		return draw_store_behind(r, first, VT_I32, l);
	}
	case 35:
	case 36: { /* lane by lane, and with the arms exchanged */
		DagVt  v2i1 = vt_vec(VT_I1, 2);
		DagVal a = draw_word(r, VT_V2I16, DEXT_NONE), e[2];
		for (u32 i = 0; i < 2; i++)
			e[i] = raw(r, DAG_TRUNCATE, VT_I16, i ? &y : &x, 1, 0);
		DagVal b = raw(r, DAG_BUILD_VECTOR, VT_V2I16, e, 2, 0);
		DagVal p = raw(r, DAG_SETCC, v2i1, (DagVal[]){a, b, dag_cond(d, which == 35 ? IRP_I_SGT : IRP_I_ULE)}, 3, 0);
		DagVal v = raw(r, DAG_VSELECT, VT_V2I16, (DagVal[]){p, which == 35 ? a : b, which == 35 ? b : a}, 3, 0);
		return raw(r, DAG_BITCAST, VT_I32, &v, 1, 0);
	}
	case 37:
	case 38: { /* x where bits of m are set, else y */
		DagVal m = var(r, 2, vt), not = raw(r, DAG_XOR, vt, (DagVal[]){m, dag_all_ones(d, vt)}, 2, 0);
		DagVal a = raw(r, DAG_AND, vt, (DagVal[]){x, m}, 2, 0);
		DagVal b = raw(r, DAG_AND, vt, (DagVal[]){which == 37 ? y : not, which == 37 ? not : y}, 2, 0);
		return raw(r, DAG_OR, vt, (DagVal[]){which == 37 ? a : b, which == 37 ? b : a}, 2, 0);
	}
	case 39:
	case 40:
	case 41: { /* predicates that are bits of a number */
		static const DagOp of[] = {DAG_AND, DAG_OR, DAG_XOR};
		DagVt              v4i1 = vt_vec(VT_I1, 4), i4 = VT_INT(4);
		DagVal             a = raw(r, DAG_TRUNCATE, i4, &x, 1, 0), b = raw(r, DAG_TRUNCATE, i4, &y, 1, 0);
		a = raw(r, DAG_BITCAST, v4i1, &a, 1, 0);
		b = which == 41 ? dag_const(d, v4i1, 1) : raw(r, DAG_BITCAST, v4i1, &b, 1, 0);
		DagVal v = raw(r, of[which - 39], v4i1, (DagVal[]){a, b}, 2, 0);
		return extended(g, DAG_ZERO_EXTEND, VT_I32, raw(r, DAG_BITCAST, i4, &v, 1, 0));
	}
	case 42:
	case 43:
	case 44:
	case 45:
	case 46:
	case 47: { /* two tests of the sign, or of 0 */
		static const DagCond cond[] = {IRP_I_SLT, IRP_I_SGT, IRP_I_EQ, IRP_I_SLT, IRP_I_SGT, IRP_I_NE};
		DagVal               with = which % 3 == 1 ? dag_all_ones(d, vt) : zero;
		DagVal               p = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, with, dag_cond(d, cond[which - 42])}, 3, 0),
		       q = raw(r, DAG_SETCC, VT_I1, (DagVal[]){y, with, dag_cond(d, cond[which - 42])}, 3, 0);
		return extended(g, DAG_ZERO_EXTEND, VT_I32, raw(r, which < 45 ? DAG_AND : DAG_OR, VT_I1, (DagVal[]){p, q}, 2, 0));
	}
	case 48: {
		DagVal word = raw(r, DAG_PRMT, vt, (DagVal[]){x, y, dag_const(d, vt, 0x4261)}, 3, 0);
		return raw(r, DAG_BFE_S, vt, (DagVal[]){word, dag_const(d, vt, 8), dag_const(d, vt, 8)}, 3, 0);
	}
	case 50: { /* a field shifted into place, and back */
		DagVal low = raw(r, DAG_AND, vt, (DagVal[]){y, dag_const(d, vt, 255)}, 2, 0), by = dag_const(d, VT_I32, 9);
		low = raw(r, DAG_XOR, vt, (DagVal[]){x, raw(r, DAG_SHL, vt, (DagVal[]){low, by}, 2, 0)}, 2, 0);
		return raw(r, DAG_SRL, vt, (DagVal[]){low, by}, 2, 0);
	}
	case 51:
		g->vt = VT_F16;
		x = var(r, 0, VT_F16);
		return raw(r, DAG_FEXP2, VT_F16, &x, 1, IRF_AFN);
	case 49:
		x = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, zero, dag_cond(d, IRP_I_SLT)}, 3, 0);
		return extended(g, DAG_ZERO_EXTEND, VT_I32, x);
	case 52:
	case 53:
	case 63:
	case 64:
	case 65:
	case 66: { /* the third byte of a word */
		DagVal l = draw_word(r, VT_I32, DEXT_NONE), k8 = dag_const(d, VT_I32, 8), k16 = dag_const(d, VT_I32, 16);
		if (which == 63 || which == 64)
			return raw(r, which == 63 ? DAG_SRL : DAG_SRA, vt,
			           (DagVal[]){raw(r, DAG_SHL, vt, (DagVal[]){l, k8}, 2, 0), k24}, 2, 0);
		if (which >= 65) {
			l = raw(r, DAG_AND, vt, (DagVal[]){l, dag_const(d, vt, 0xff0000)}, 2, 0);
			return which == 65 ? raw(r, DAG_SRL, vt, (DagVal[]){l, k16}, 2, 0)
			                   : raw(r, DAG_SETCC, VT_I1, (DagVal[]){l, zero, dag_cond(d, IRP_I_EQ)}, 3, 0);
		}
		l = raw(r, DAG_SRL, vt, (DagVal[]){l, dag_const(d, VT_I32, 16)}, 2, 0);
		return which == 52 ? raw(r, DAG_AND, vt, (DagVal[]){l, dag_const(d, vt, 255)}, 2, 0) : in_register(g, l, VT_I8);
	}
	case 54:
	case 55: { /* what is counted of 0 is the width, but not of a wider type */
		DagVal of = which == 54 ? x : extended(g, DAG_ZERO_EXTEND, VT_I64, x);
		DagVal n = raw(r, DAG_CTLZ, dag_vt(d, of), &of, 1, 0);
		n = which == 54 ? n : raw(r, DAG_TRUNCATE, vt, &n, 1, 0);
		DagVal none = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, zero, dag_cond(d, IRP_I_EQ)}, 3, 0);
		return raw(r, DAG_SELECT, vt, (DagVal[]){none, dag_const(d, vt, 32), n}, 3, 0);
	}
	case 56:
	case 57:
	case 58:
	case 59: { /* the distance of two numbers, or what is not */
		static const DagCond cond[] = {IRP_I_SGT, IRP_I_ULE, IRP_I_ULT, IRP_I_SGE};
		DagVal               p = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, y, dag_cond(d, cond[which - 56])}, 3, 0);
		DagVal a = raw(r, DAG_SUB, vt, (DagVal[]){x, y}, 2, 0), b = raw(r, DAG_SUB, vt, (DagVal[]){y, x}, 2, 0);
		return raw(r, DAG_SELECT, vt, (DagVal[]){p, which == 57 ? b : a, which == 57 ? a : b}, 3, 0);
	}
	case 60: { /* all ones or none, by the sign */
		DagVal p = raw(r, DAG_SETCC, VT_I1, (DagVal[]){x, zero, dag_cond(d, IRP_I_SLT)}, 3, 0);
		return raw(r, DAG_SELECT, vt, (DagVal[]){p, dag_const(d, vt, 0xF0), dag_const(d, vt, ~(u64)0xF0)}, 3, 0);
	}
	case 70:
		g->vt = VT_F32;
		x = var(r, 0, VT_F32), y = var(r, 1, VT_F32);
		return raw(r, DAG_FREM, VT_F32, (DagVal[]){x, y}, 2, IRF_AFN);
	case 71:
	case 72:
	case 73:
	case 74: { /* what is below 0 becomes 0, where NaNs and -0 are not lost */
		g->vt = VT_F16;
		x = var(r, 0, VT_F16), y = var(r, 1, VT_F16);
		x = raw(r, DAG_FMA, VT_F16, (DagVal[]){x, y, y}, 3, 0);
		return raw(r, which & 1 ? DAG_FMAXNUM : DAG_FMAXIMUM, VT_F16, (DagVal[]){x, dag_fp(d, VT_F16, 0)}, 2,
		           which >= 73   ? 0
		           : which == 71 ? IRF_NNAN
		                         : IRF_NSZ);
	}
	case 67:
	case 68:
	case 69: { /* sums of single bits */
		static const DagOp of[] = {DAG_ADD, DAG_SUB, DAG_MUL};
		DagVal             p = raw(r, DAG_TRUNCATE, VT_I1, &x, 1, 0), q = raw(r, DAG_TRUNCATE, VT_I1, &y, 1, 0);
		return extended(g, DAG_ZERO_EXTEND, vt, raw(r, of[which - 67], VT_I1, (DagVal[]){p, q}, 2, 0));
	}
	case 75:
	case 76: { /* an integer that loses nothing where it is cut off */
		g->vt = VT_F32;
		x = which == 75 ? raw(r, DAG_SRA, vt, (DagVal[]){x, k24}, 2, 0)
		                : raw(r, DAG_AND, vt, (DagVal[]){x, dag_const(d, vt, 255)}, 2, 0);
		x = raw(r, DAG_TRUNCATE, VT_I16, &x, 1, 0);
		return raw(r, which == 75 ? DAG_SINT_TO_FP : DAG_UINT_TO_FP, VT_F32, &x, 1, 0);
	}
	case 77:
	case 78: { /* pairs of halves that are not below 1, or -2 where they are not numbers */
		DagVt  pair = vt_vec(VT_F16, 2);
		DagVal a = raw(r, DAG_BITCAST, pair, &x, 1, 0), k = dag_fp(d, VT_F16, which == 77 ? 0x3c00 : 0xc000),
		       e[] = {k, k};
		DagVal b = raw(r, DAG_BUILD_VECTOR, pair, e, 2, 0);
		DagVal p =
			raw(r, DAG_SETCC, vt_vec(VT_I1, 2), (DagVal[]){a, b, dag_cond(d, which == 77 ? IRP_OGT : IRP_OLT)}, 3, 0);
		DagVal v = raw(r, DAG_VSELECT, pair, (DagVal[]){p, a, b}, 3, 0);
		return raw(r, DAG_BITCAST, vt, &v, 1, 0);
	}
	case 79: { /* the sign of a number that is rounded, and no NaN */
		DagVal z = raw(r, DAG_AND, vt, (DagVal[]){y, dag_const(d, vt, 0xbfffffff)}, 2, 0);
		z = raw(r, DAG_BITCAST, VT_F32, &z, 1, 0), z = raw(r, DAG_FP_ROUND, VT_F16, &z, 1, 0);
		x = raw(r, DAG_TRUNCATE, VT_I16, &x, 1, 0), x = raw(r, DAG_BITCAST, VT_F16, &x, 1, 0);
		x = raw(r, DAG_FCOPYSIGN, VT_F16, (DagVal[]){x, z}, 2, 0);
		return raw(r, DAG_BITCAST, VT_I16, &x, 1, 0);
	}
	case 80: { /* bits of a number that are predicates */
		DagVal p = dag_setcc(d, x, y, IRP_I_SLT), q = dag_setcc(d, x, k4, IRP_I_EQ);
		DagVal bit = raw(r, DAG_SHL, vt, (DagVal[]){extended(g, DAG_ZERO_EXTEND, vt, p), k4}, 2, 0);
		return raw(r, DAG_OR, vt, (DagVal[]){extended(g, DAG_ZERO_EXTEND, vt, q), bit}, 2, 0);
	}
	case 81:
	case 82: { /* one of two quotients by one number, and of one number */
		DagVal p = dag_setcc(d, x, y, IRP_I_SLT), z = raw(r, DAG_OR, vt, (DagVal[]){x, dag_const(d, vt, 1)}, 2, 0);
		DagVal a[] = {which == 81 ? x : y, z}, b[] = {y, which == 81 ? z : dag_const(d, vt, 7)};
		DagVal q = raw(r, DAG_UDIV, vt, a, 2, IRF_EXACT), t = raw(r, DAG_UDIV, vt, b, 2, 0);
		return raw(r, DAG_SELECT, vt, (DagVal[]){p, q, t}, 3, 0);
	}
	case 83: { /* two quotients by one number, whose reciprocal may be rounded */
		g->vt = VT_F32;
		DagVal k = dag_fp(d, VT_F32, 0x40400000), z = var(r, 1, VT_F32);
		x = var(r, 0, VT_F32), y = raw(r, DAG_FADD, VT_F32, (DagVal[]){x, k}, 2, 0);
		x = raw(r, DAG_FDIV, VT_F32, (DagVal[]){x, z}, 2, IRF_ARCP),
		y = raw(r, DAG_FDIV, VT_F32, (DagVal[]){y, z}, 2, IRF_ARCP);
		return raw(r, DAG_FMUL, VT_F32, (DagVal[]){x, y}, 2, 0);
	}
	case 89: /* an extension above what is stored */
		return draw_store(r, VT_I16, extended(g, DAG_SIGN_EXTEND, VT_I64, x), false);
	case 90:
	case 91: { /* a byte shifted up in a word, and down in a half of it; and one of which bits are lost */
		DagVal k8 = dag_const(d, VT_I32, 8),
		       b = raw(r, DAG_AND, vt, (DagVal[]){x, dag_const(d, vt, which == 90 ? 255 : 511)}, 2, 0);
		b = raw(r, DAG_SHL, vt, (DagVal[]){b, k8}, 2, 0), b = raw(r, DAG_TRUNCATE, VT_I16, &b, 1, 0);
		return raw(r, DAG_SRL, VT_I16, (DagVal[]){b, k4}, 2, 0);
	}
	case 84:
	case 85: { /* an amount that is looked at before it is used */
		DagVal by = raw(r, DAG_AND, vt, (DagVal[]){y, dag_const(d, vt, 63)}, 2, 0);
		DagVal p = dag_setcc(d, by, dag_const(d, vt, which == 84 ? 31 : 32), which == 84 ? IRP_I_UGT : IRP_I_ULT);
		DagVal s = raw(r, which == 84 ? DAG_SHL : DAG_SRL, vt, (DagVal[]){x, by}, 2, 0);
		return raw(r, DAG_SELECT, vt, (DagVal[]){p, which == 84 ? zero : s, which == 84 ? s : zero}, 3, 0);
	}
	case 86:
	case 87: { /* one that does not fit 32 bits, and one of 8 */
		DagVt  wide = which == 86 ? VT_I64 : VT_I8;
		DagVal by = var(r, 1, g->vt = wide), a = var(r, 0, wide);
		DagVal n = raw(r, which == 86 ? DAG_TRUNCATE : DAG_ZERO_EXTEND, VT_I32, &by, 1, 0);
		DagVal p = dag_setcc(d, by, dag_const(d, wide, vt_bits(wide) - 1), IRP_I_UGT);
		DagVal s = raw(r, DAG_SHL, wide, (DagVal[]){a, n}, 2, 3);
		return raw(r, DAG_SELECT, wide, (DagVal[]){p, dag_const(d, wide, 0), s}, 3, 0);
	}
	case 88: {
		DagVal low = raw(r, DAG_TRUNCATE, VT_I16, &x, 1, 0);
		low = raw(r, DAG_AND, VT_I16, (DagVal[]){low, dag_const(d, VT_I16, 0x8005)}, 2, 0);
		return extended(g, DAG_ZERO_EXTEND, vt, dag_setcc(d, low, dag_const(d, VT_I16, 5), IRP_I_UGT));
	}
	case 92:
	case 93: { /* the float of a comparison's result, extended */
		DagVal p = dag_setcc(d, x, y, IRP_I_SLT);
		g->vt = VT_F32;
		p = extended(g, which == 92 ? DAG_ZERO_EXTEND : DAG_SIGN_EXTEND, vt, p);
		return raw(r, which == 92 ? DAG_UINT_TO_FP : DAG_SINT_TO_FP, VT_F32, &p, 1, 0);
	}
	case 61:
	case 62:
		x = raw(r, which == 61 ? DAG_MULWIDE_S : DAG_MULWIDE_U, VT_I64, (DagVal[]){x, y}, 2, 0);
		x = raw(r, DAG_SRA, VT_I64, (DagVal[]){x, dag_const(d, vt, 32)}, 2, 0);
		return raw(r, DAG_TRUNCATE, vt, &x, 1, 0);
	default: return DAG_NONE;
	}
}

static void check_drawn(Rig *r, Draw *g, DagVal v)
{
	DagVt vts[] = {g->vt, g->vt, VT_I1, VT_INT(4)};
	check(r, v, vts, 4, g->late);
	arena_free(&r->f.scratch);
}

TEST(combine, random_expressions_keep_their_meaning)
{
	static const DagVt ints[] = {VT_I16, VT_I32, VT_I64, VT_I32, VT_I8};
	Rig                r;
	rig_open(&r);
	r.limit = 48;
	for (u32 i = 0; i < 60000; i++) {
		Draw g = {.r = &r, .seed = 0x9E3779B97F4A7C15u * (i + 1), .fp = i % 4 == 3};
		begin(&r);
		r.env.loose = g.fp && i % 8 == 7;
		g.late = below(&g, 2);
		g.vt = g.fp ? below(&g, 2) ? VT_F32 : VT_F64 : ints[below(&g, g.late ? 4 : 5)];
		DagVal v = below(&g, 5) ? draw(&g, g.vt, g.fp ? 2 : 3) : draw(&g, VT_I1, 3);
		if (!g.fp && below(&g, 3) == 0)
			v = draw_cast(&g, other_int(&g), 3);
		check_drawn(&r, &g, v);
	}
	for (u32 i = 0;; i++) {
		Draw g = {.r = &r, .late = i & 1};
		r.env.loose = i / 2 == 8 || i / 2 == 70 || i / 2 == 83;
		begin(&r);
		r.env.predicates = false;
		DagVal v = rare(&g, i / 2);
		if (!dag_is(v))
			break;
		check_drawn(&r, &g, v);
	}
	EXPECT_EQ(r.failures, 0);
	for (u32 i = 1; i < CR_COUNT; i++) {
		if (combine_rows[i].code && !r.fired[i])
			unit_fail(__FILE__, __LINE__, combine_rule_name[i]), printf("#   the rule never applied\n");
	}
	rig_close(&r);
}

/* combine.c states why combining ends; here the number of rules that apply stays below the number of nodes, doubled, on
 * large graphs. Two rules that undo each other apply until combine.c's budget is spent. */
TEST(combine, the_number_of_steps_is_linear_in_the_nodes)
{
	Rig r;
	u32 largest = 0;
	rig_open(&r);
	for (u32 i = 0; i < 400; i++) {
		Draw g = {.r = &r, .seed = 0xD1B54A32D192ED03u * (i + 1), .fp = i % 4 == 3, .late = i & 1};
		begin(&r);
		r.env.loose = g.fp && i % 8 == 7;
		g.vt = g.fp ? VT_F32 : i % 4 == 2 ? VT_I64 : VT_I32;
		DagVal v = draw(&g, g.vt, 9);
		u32    nodes = r.f.dag.n_nodes;
		u64    before = applied(&r);
		combined(&r, v, g.late);
		EXPECT(applied(&r) - before <= 2 * (u64)nodes);
		largest = PS_MAX(largest, nodes);
		arena_free(&r.f.scratch);
	}
	EXPECT(largest > 300);
	rig_close(&r);
}

/* (x & ~(1 << bit)) >> by: the mask goes where its bit is shifted out, and there alone. */
TEST(combine, a_shift_drops_a_mask_of_bits_below_it)
{
	static const DagVt ints[] = {VT_I16, VT_I32, VT_I64};
	Rig                r;
	rig_open(&r);
	for (u32 t = 0; t < PS_COUNT(ints); t++) {
		u32 w = vt_bits(ints[t]);
		for (u32 i = 0; i < 2 * w * w; i++) {
			Draw g = {.r = &r, .late = i & 1, .vt = ints[t]};
			Dag *d = &r.f.dag;
			u32  bit = i / 2 % w, by = i / 2 / w;
			begin(&r);
			DagVal mask = dag_const(d, g.vt, ~((u64)1 << bit));
			DagVal x = raw(&r, DAG_AND, g.vt, (DagVal[]){var(&r, 0, g.vt), mask}, 2, 0);
			check(&r, raw(&r, DAG_SRL, g.vt, (DagVal[]){x, dag_const(d, VT_I32, by)}, 2, 0), &g.vt, 1, g.late);
			arena_free(&r.f.scratch);
			x = dag_arg(d, d->root, 2);
			bool is_bare = dag_op(d, x) == DAG_SRL && dag_op(d, dag_arg(d, x, 0)) == DAG_CopyFromReg;
			EXPECT_EQ(is_bare, bit < by);
		}
	}
	EXPECT_EQ(r.failures, 0);
	rig_close(&r);
}

UNIT_MAIN
