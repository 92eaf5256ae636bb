/* lower_asm.c: inline PTX.
 *
 *   %r = call {i32, float} asm "add.s32 $0, $2, $3; …", "=r,=f,r,0"(i32 %a, i32 %b)
 *   ─▶  i32, f32, chain = INLINEASM chain, "…", a, b     (b tied to result 0)
 *
 * A constraint is a list of codes separated by commas: `=` an output, `&` an early clobber, `~{…}` a clobber, a number the
 * output whose register an input shares, or a letter that names the register class. A value whose type differs from the class's
 * is cast. The text is passed on as it is. Linear in operands. */
#include "dag/select.h"
#include "sem/int.h"

typedef struct Constraint {
	bool  output, clobber, immediate, text;
	i32   tie; /* output it shares the register with; -1: none */
	DagVt vt;  /* of the register; VT_NONE: a constant, or a letter we do not know */
} Constraint;

/* Register classes by NVPTX's constraint letters. */
static DagVt letter_vt(char letter)
{
	switch (letter) {
	case 'b': return VT_I1;
	case 'c':
	case 'h': return VT_I16;
	case 'r': return VT_I32;
	case 'l':
	case 'N': return VT_I64;
	case 'f': return VT_F32;
	case 'd': return VT_F64;
	case 'q': return VT_B128;
	default: return VT_NONE;
	}
}

static Constraint read_constraint(Str c)
{
	Constraint r = {.tie = -1};
	for (u32 i = 0; i < c.n; i++) {
		char x = c.p[i];
		if (x == '~') {
			r.clobber = true;
			return r;
		}
		if (x == '{' || x == '*') /* a register by its name, or a place in memory */
			return (Constraint){.tie = -1, .output = r.output};
		if (x == '@' || x == '^') { /* @3Uci, ^Uc: a code of several letters, of which NVPTX has none */
			i += x == '^' ? 2 : i + 1 < c.n ? 1 + (u32)(c.p[i + 1] - '0') : 0;
			continue;
		}
		if (x == '=')
			r.output = true;
		else if (x == 'n' || x == 'i')
			r.immediate = true;
		else if (x == 'C')
			r.text = true;
		else if (x >= '0' && x <= '9')
			r.tie = PS_MAX(r.tie, 0) * 10 + (x - '0');
		else if (r.vt == VT_NONE)
			r.vt = letter_vt(x);
	}
	return r;
}

static u32 split_constraints(DagFunc *f, Str text, Constraint **out)
{
	Vec(Constraint) list = {0};
	for (u32 i = 0; text.n && i <= text.n;) {
		u32 end = i;
		while (end < text.n && text.p[end] != ',')
			end++;
		Constraint c = read_constraint((Str){text.p + i, end - i});
		if (!c.clobber)
			vec_push(f->arena, &list, c);
		i = end + 1;
	}
	*out = list.p;
	return list.n;
}

static u32 b128_desc(DagFunc *f, bool pack)
{
	return dag_desc(f, pack ? ptx_opc(mov_pack, PS(vec, v2), TY(b128)) : ptx_opc(mov_unpack, PS(vec, v2), TY(b128)));
}

DagVal dag_pack_b128(DagFunc *f, DagVal v)
{
	Dag   *d = &f->dag;
	DagVal lo = dag_2(d, DAG_EXTRACT_ELEMENT, VT_I64, v, dag_const(d, VT_I32, 0)),
	       hi = dag_2(d, DAG_EXTRACT_ELEMENT, VT_I64, v, dag_const(d, VT_I32, 1));
	DagNode like = {.opcode = DAG_MACHINE, .desc = b128_desc(f, true)};
	return dag_node_like(d, &like, (DagVt[]){VT_B128}, 1, (DagVal[]){lo, hi}, 2);
}

DagVal dag_unpack_b128(DagFunc *f, DagVal v)
{
	DagNode like = {.opcode = DAG_MACHINE, .desc = b128_desc(f, false)};
	DagVal  u = dag_node_like(&f->dag, &like, (DagVt[]){VT_I64, VT_I64}, 2, &v, 1);
	return dag_2(&f->dag, DAG_BUILD_PAIR, VT_I128, dag_res(u.n, 0), dag_res(u.n, 1));
}

/* The bits of `v` in a value of type `vt`, as a register of that class holds them. */
static DagVal recast(DagFunc *f, DagVal v, DagVt vt)
{
	Dag  *d = &f->dag;
	DagVt from = dag_vt(d, v);
	if (from == vt)
		return v;
	if (vt == VT_B128)
		return dag_pack_b128(f, recast(f, v, VT_I128));
	if (from == VT_B128)
		return recast(f, dag_unpack_b128(f, v), vt);
	if (!vt_is_sint(from))
		v = dag_1(d, DAG_BITCAST, vt_as_int(from), v);
	v = dag_any_or_trunc(d, v, VT_INT(vt_size(vt)));
	return vt_is_sint(vt) ? v : dag_1(d, DAG_BITCAST, vt, v);
}

/* The operand of a constraint "n" or "i": a number, a float or a symbol. */
static bool immediate(DagFunc *f, DagVal v, DagVal *out)
{
	Dag *d = &f->dag;
	u64  bits;
	u32  width = vt_size(dag_vt(d, v));
	if (dag_as_const(d, v, &bits)) /* of a type that needs no legalizing: "n"((char)1) */
		*out = dag_tconst(d, VT_I64, width == 1 ? bits & 1 : (u64)sem_sext(bits, PS_MIN(width, 64u)));
	else if (dag_as_fp(d, v, &bits))
		*out = dag_tfp(d, dag_vt(d, v), bits);
	else if (dag_op(d, v) == DAG_TargetGlobalAddress || dag_op(d, v) == DAG_TargetExternalSymbol)
		*out = v;
	else
		return false;
	return true;
}

static bool has_register(DagFunc *f, IrRef inst, DagVt vt)
{
	if (vt == VT_B128 && !isa_has(f->s, ptx_opc(mov, TY(b128))))
		dag_unsupported(f, inst, "an operand of 128 bits before sm_70 and PTX 8.3");
	else if (vt == VT_NONE)
		dag_unsupported(f, inst, "this constraint of inline assembly");
	else
		return true;
	return false;
}

static bool input(DagFunc *f, IrRef inst, const Constraint *c, const Constraint *all, u32 n_outputs, IrRef arg, DagVal *out)
{
	Dag *d = &f->dag;
	if (c->immediate || c->text) {
		if (ir_kind(arg) == IR_GLOBAL) {
			*out = dag_global(d, DAG_TargetGlobalAddress, f->ptr, arg, 0);
			return true;
		}
		if (immediate(f, dag_value(f, arg), out))
			return true;
		if (c->vt == VT_NONE) {
			dag_unsupported(f, inst, "an operand that is no constant for an immediate constraint of inline assembly");
			return false;
		}
	}
	DagVt vt = c->tie >= 0 && (u32)c->tie < n_outputs ? all[c->tie].vt : c->vt;
	if (!has_register(f, inst, vt))
		return false;
	*out = recast(f, dag_value(f, arg), vt);
	return true;
}

/* ties: for each input 1 + the output it shares a register with, or 0; NULL where none does. */
static u32 list_of_ties(Dag *d, const Constraint *inputs, u32 n)
{
	u32 any = 0, at = d->vts.n;
	for (u32 i = 0; i < n; i++)
		any |= (u32)(inputs[i].tie + 1);
	if (!any)
		return 0;
	if (at == 0) {
		vec_push(d->arena, &d->vts, 0);
		at = 1;
	}
	for (u32 i = 0; i < n; i++)
		vec_push(d->arena, &d->vts, (u32)(inputs[i].tie + 1));
	return at;
}

static void set_results(DagFunc *f, IrRef inst, u32 node, u32 n)
{
	DagLeaves leaves = {0};
	dag_leaves(f, ir_inst(f->m, inst)->type, &leaves);
	DagVal *v = arena_array(f->arena, DagVal, leaves.n + 1);
	for (u32 i = 0; i < leaves.n; i++)
		v[i] = i < n ? recast(f, dag_res(node, i), leaves.p[i].vt) : dag_undef(&f->dag, leaves.p[i].vt);
	dag_set_values(f, inst, v, leaves.n);
}

void dag_lower_asm(DagFunc *f, IrRef inst)
{
	IrModule    *m = f->m;
	Dag         *d = &f->dag;
	const IrAsm *text = ir_asm(m, ir_callee(m, inst));
	bool         side = (text->flags & IRASM_SIDEEFFECT) || ir_may_read(m, inst) || ir_may_write(m, inst); /* ~{memory} */
	Constraint  *c;
	u32          n = split_constraints(f, ir_str(m, text->constraints), &c), n_out = 0;
	while (n_out < n && c[n_out].output)
		n_out++;
	DagVt *vts = arena_array(f->arena, DagVt, n_out + 1);
	for (u32 i = 0; i < n_out; i++) {
		vts[i] = c[i].vt;
		if (!has_register(f, inst, vts[i]))
			return;
	}
	vts[n_out] = VT_CHAIN;
	DagVal *ops = arena_array(f->arena, DagVal, n + 2);
	ops[0] = side ? dag_root(f) : d->entry;
	ops[1] = dag_text(d, text->text);
	for (u32 i = n_out; i < n; i++)
		if (!input(f, inst, &c[i], c, n_out, ir_call_arg(m, inst, i - n_out), &ops[2 + i - n_out]))
			return;
	DagNode like = {.opcode = DAG_INLINEASM, .k = {side, list_of_ties(d, c + n_out, n - n_out)}};
	like.props = DP_NO_CSE | (side ? DP_SIDE_EFFECT : 0) | (ir_is_convergent(m, inst) ? DP_CONVERGENT : 0);
	DagVal r = dag_node_like(d, &like, vts, n_out + 1, ops, n - n_out + 2);
	if (side)
		d->root = dag_res(r.n, n_out);
	set_results(f, inst, r.n, n_out);
}
