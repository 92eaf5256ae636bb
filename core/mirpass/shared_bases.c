/* shared-bases: the address of a variable in shared memory is computed once for all blocks that need it.
 *
 *	bb.1:                                      bb.0: (dominates both)
 *	  %1 = MOVu64r @s                            %9 = MOVu64r @s
 *	  %2 = ADDs64rr %1, %0               →     bb.1:
 *	bb.2:                                        %2 = ADDs64rr %9, %0
 *	  ST_shared_u32r %3, @s, 16                bb.2:
 *	                                             ST_shared_u32r %3, %9, 16
 *
 * From sm_90 on the window of a block's shared memory depends on the block's place in its cluster, so ptxas makes three
 * instructions of such an address, one of which reads a special register and waits for it, and does so anew in each block and
 * for each access that names the variable. Elsewhere the address is a constant of the instruction that needs it, and the pass
 * does nothing.
 *
 * The place is the nearest common dominator of the blocks that need the address, or above the loops around that. A variable that
 * one block needs is left alone, as ptxas computes its address once there, and so is one whose address would push the registers of
 * the function over the target (mir/budget.h). The idea is that of constant hoisting: a constant that is dear is computed once.
 *
 * Needs and keeps SSA form and control flow. Cost: operands; register pressure only where a variable is needed in two blocks. */
#include "mir/bound.h"
#include "mir/budget.h"
#include "mir/cfg.h"
#include "mir/frame.h"
#include "mir/pressure.h"
#include "mirpass/mirpass.h"

enum { FIRST_SM = 90 };

/* An instruction that needs the address: a mov of it, or an access. */
typedef struct Site {
	MirInstId inst;
	u32       operand;
	bool      is_mov;
} Site;

typedef struct Variable {
	StrId name;
	Vec(Site) sites;
	u32  node; /* of the control flow graph: dominates all sites */
	bool several;
} Variable;

typedef struct Bases {
	PassCx       *cx;
	MirFunc      *f;
	const MirCfg *cfg;
	DomTree      *dom;
	Loops        *loops;
	Map           number; /* StrId → index into variables + 1; 0: it is not in shared memory */
	Vec(Variable) variables;
	u32      mov; /* opcode of the mov of an address */
	MirClass cls;
} Bases;

/* ---- finding ---- */

static bool is_shared(const Bases *b, StrId name)
{
	const IrModule *m = b->cx->ir;
	IrRef           g = ir_find_global(m, strtab_get(&b->cx->s->strs, name));
	return !ir_is_none(g) && ir_kind(g) == IR_GLOBAL && ir_global(m, g)->addrspace == AS_SHARED;
}

static Variable *variable(Bases *b, StrId name)
{
	bool fresh = true;
	u64 *n = map_put(&b->number, name.i, &fresh);
	if (fresh) {
		*n = 0;
		if (is_shared(b, name)) {
			vec_push(b->cx->scratch, &b->variables, ((Variable){.name = name}));
			*n = b->variables.n;
		}
	}
	return *n ? &b->variables.p[*n - 1] : NULL;
}

static void add_site(Bases *b, Site s, u32 node)
{
	Variable *v = variable(b, (StrId){mir_op(b->f, s.inst, s.operand)->ref});
	if (!v)
		return;
	v->several |= v->sites.n && v->node != node;
	v->node = v->sites.n ? dom_common(b->dom, v->node, node) : node;
	vec_push(b->cx->scratch, &v->sites, s);
}

static bool names_variable(const MirOp *o) { return o->kind == MO_GLOBAL && !(o->flags & MOF_GENERIC); }

static void look_at(Bases *b, MirInstId i, u32 node)
{
	const MirFunc *f = b->f;
	if (mir_inst(f, i)->desc == b->mov) {
		const MirOp *o = mir_op(f, i, 1);
		if (names_variable(o) && !o->imm && mir_is_virt(mir_op_reg(mir_op(f, i, 0))))
			add_site(b, (Site){i, 1, true}, node);
	} else if (mir_is(f, i, IF_LOAD | IF_STORE | IF_ATOMIC)) {
		u32 n = mir_address_operand(f, i);
		if (n != ~0u && names_variable(mir_op(f, i, n)) && mir_op(f, i, n + 1)->kind == MO_IMM)
			add_site(b, (Site){i, n, false}, node);
	}
}

/* ---- changing ---- */

static u32 outside_of_loops(const Bases *b, u32 node)
{
	while (b->loops->of[node] != GRAPH_NONE) {
		u32 above = b->dom->idom[b->loops->loop[b->loops->of[node]].header];
		if (above == GRAPH_NONE)
			break;
		node = above;
	}
	return node;
}

/* In front of the first site of the block, or at its end. */
static MirInstId place_in(const Bases *b, const Variable *v, MirBlockId block)
{
	MirInstId at = mir_first_terminator(b->f, block);
	for (u32 k = v->sites.n; k-- > 0;)
		if (mir_inst(b->f, v->sites.p[k].inst)->block == block.i)
			at = v->sites.p[k].inst;
	return at;
}

static void compute_once(Bases *b, const Variable *v)
{
	MirFunc   *f = b->f;
	MirBlockId block = {b->cfg->block[outside_of_loops(b, v->node)]};
	MirReg     base = mir_reg_new(f, b->cls);
	f->origin = mir_inst(f, v->sites.p[0].inst)->origin;
	MirInstId i = mir_build(f, block, place_in(b, v, block), b->mov);
	mir_add_def(f, i, base);
	mir_add_global(f, i, v->name, 0);
	for (u32 k = 0; k < v->sites.n; k++) {
		Site s = v->sites.p[k];
		if (s.is_mov) {
			mir_replace_uses(f, mir_op_reg(mir_op(f, s.inst, 0)), base);
			mir_erase(f, s.inst);
			continue;
		}
		i64 offset = mir_op(f, s.inst, s.operand)->imm;
		mir_op_set(f, s.inst, s.operand, (MirOp){.kind = MO_REG, .ref = base.i});
		mir_op_set_imm(f, s.inst, s.operand + 1, mir_op(f, s.inst, s.operand + 1)->imm + offset);
	}
}

/* Of `n` addresses that live in all of the function, so many keep it below the target. */
static u32 how_many_have_room(Bases *b, u32 n)
{
	u32 units = isa_class_info[b->cls].units, room = mir_budget(b->f, FILE_R).target * ISA_UNITS_PER_REG;
	if (room > n * units && !mir_may_exceed(b->cx, FILE_R, room - n * units))
		return n;
	u32 most = mir_rpa_most(mir_rpa(b->cx)).unit[FILE_R];
	return most < room ? PS_MIN(n, (room - most) / units) : 0;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	if (!(f->props & MP_SSA) || cx->s->target.sm < FIRST_SM || !cx->ir)
		return false;
	bool   wide = cx->s->target.is64 && !cx->s->target.short_ptr;
	Bases  b = {.cx = cx, .f = f, .cls = (MirClass)(wide ? RC_B64 : RC_B32)};
	PtxOpc mov = wide ? ptx_opc(mov, TY(b64)) : ptx_opc(mov, TY(b32));
	b.mov = isa_intern(cx->s, mov);
	b.cfg = mir_cfg(cx);
	b.dom = mir_dom(cx);
	b.loops = mir_loops(cx);
	map_init(&b.number, cx->scratch);
	for (u32 k = 0; k < b.dom->reached; k++) {
		MirBlockId block = {b.cfg->block[b.dom->pre[k]]};
		mir_each_inst(f, block, i)
			look_at(&b, i, b.dom->pre[k]);
	}
	u32 n = 0, most = 0;
	for (u32 k = 0; k < b.variables.n; k++)
		n += b.variables.p[k].several;
	most = n ? how_many_have_room(&b, n) : 0;
	for (u32 k = 0, done = 0; done < most; k++)
		if (b.variables.p[k].several) {
			compute_once(&b, &b.variables.p[k]);
			done++;
		}
	return most != 0;
}

const Pass mirpass_shared_bases = {
	.id = "shared-bases",
	.title = "Compute the address of a shared variable once",
	.summary = "Computes addresses in shared memory once for all blocks where each costs several machine instructions",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_shared_bases,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
