/* lower_form.c: calls of intrinsics that are one PTX instruction, whose text the call chooses (FORM rows of intrinsics.def).
 *
 *	tcgen05.st.32x32b.x4(p, <4 x i32> v, i1 true)
 *	─▶  tcgen05.st.sync.aligned.32x32b.x4.unpack::16b.b32 [p], {v.0, v.1, v.2, v.3}
 *
 * Vectors of 32 bits and more are as many operands or results as they have elements; shorter ones share a register. Linear in operands. */
#include "dag/lower_named.h"
#include "dag/lower_row.h"
#include "dag/lower_target.h"
#include "dag/select.h"

#include "ir/intrinsic.h"

enum { TENSOR_MEMORY = 6 /* address space */, MAX_OPERANDS = 160 };

/* Operands in the order of the text. */
typedef struct Form {
	DagFunc *f;
	IrRef    call;
	DagVal   op[MAX_OPERANDS];
	bool     in_register[MAX_OPERANDS];
	u32      n, sinks;
	u64      bases; /* of op */
} Form;

static bool in_parts(DagVt vt) { return vt_is_vec(vt) && vt_bits(vt_elem(vt)) >= 32; }

static void add(Form *x, DagVal v, bool in_register)
{
	ICE_UNLESS(x->f->s, x->n < MAX_OPERANDS);
	x->in_register[x->n] = in_register;
	x->op[x->n++] = v;
}

/* The address of tensor memory is a number of 32 bits. */
static DagVal value(Form *x, u32 k)
{
	IrRef        a = ir_call_arg(x->f->m, x->call, k);
	const IrType t = ir_type_of(x->f->m, a);
	const DagVal v = dag_value(x->f, a);
	bool         tensor = ir_type_is_ptr(x->f->m, t) && ir_type(x->f->m, t)->bits == TENSOR_MEMORY;
	return tensor ? dag_zext_or_trunc(&x->f->dag, v, VT_I32) : v;
}

static void add_argument(Form *x, u32 k, bool in_register)
{
	Dag   *d = &x->f->dag;
	DagVal v = value(x, k);
	DagVt  vt = dag_vt(d, v);
	if (!in_parts(vt)) {
		add(x, v, in_register);
		return;
	}
	for (u32 i = 0; i < vt_lanes(vt); i++)
		add(x, dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(vt), v, dag_const(d, VT_I32, i)), true);
}

static void add_address(Form *x, u32 k)
{
	DagVal at[2];
	dag_split_address(&x->f->dag, value(x, k), true, at);
	x->bases |= x->n < 64 ? (u64)1 << x->n : 0;
	add(x, at[0], true);
	add(x, at[1], true);
}

static void add_number(Form *x, const char **p)
{
	u64 n = 0;
	for (; **p >= '0' && **p <= '9'; ++*p)
		n = n * 10 + (u64)(**p - '0');
	--*p;
	add(x, dag_tconst(&x->f->dag, VT_I32, n), true);
}

/* A letter is an argument, `%` puts it into a register, `[a]` is an address; other brackets are the instruction's. */
static void read_operands(Form *x, const char *p)
{
	for (bool in_register = false; *p; p++) {
		if (*p >= '0' && *p <= '9') {
			add_number(x, &p);
		} else if (*p == '[' && p[2] == ']') {
			add_address(x, (u32)(p[1] - 'a'));
			p += 2;
		} else if (*p >= 'a' && *p <= 'z') {
			add_argument(x, (u32)(*p - 'a'), in_register);
		} else if (*p == '_') {
			x->sinks++;
		}
		in_register = *p == '%';
	}
}

/* ---- results ---- */

typedef struct Results {
	DagVt vt[MAX_OPERANDS + 1]; /* of the instruction; behind them the sinks and the chain */
	u32   n;
} Results;

static void result_types(Form *x, const DagLeaves *l, Results *r)
{
	for (u32 i = 0; i < l->n; i++) {
		DagVt vt = l->p[i].vt;
		u32   parts = in_parts(vt) ? vt_lanes(vt) : 1;
		ICE_UNLESS(x->f->s, r->n + parts + x->sinks < MAX_OPERANDS);
		while (parts--)
			r->vt[r->n++] = in_parts(vt)                                 ? vt_elem(vt)
			                : vt_is_vec(vt) && vt_bits(vt_elem(vt)) < 16 ? vt_as_int(vt)
			                                                             : vt;
	}
	for (u32 i = 0; i < x->sinks; i++)
		r->vt[r->n++] = VT_I64;
}

static void set_results(Form *x, const DagLeaves *l, u32 node)
{
	Dag    *d = &x->f->dag;
	DagVal *v = arena_array(x->f->arena, DagVal, l->n + 1), part[MAX_OPERANDS];
	u32     at = 0;
	for (u32 i = 0; i < l->n; i++) {
		DagVt vt = l->p[i].vt;
		u32   n = in_parts(vt) ? vt_lanes(vt) : 1;
		for (u32 k = 0; k < n; k++)
			part[k] = dag_res(node, at++);
		v[i] = in_parts(vt)               ? dag_node(d, DAG_BUILD_VECTOR, vt, part, n)
		       : dag_vt(d, part[0]) == vt ? part[0]
		                                  : dag_1(d, DAG_BITCAST, vt, part[0]);
	}
	dag_set_values(x->f, x->call, v, l->n);
}

/* ---- the node ---- */

/* As the instruction wants them: constants in its text, registers of 128 bits. */
static void fit_operands(Form *x, const IsaDesc *desc)
{
	Dag *d = &x->f->dag;
	for (u32 i = 0; i < x->n; i++) {
		const IsaOperand *want = &desc->operand[desc->n_defs + i];
		if (want->kind == IO_IMM || (want->kind == IO_SRC && !x->in_register[i]))
			x->op[i] = dag_operand_of(d, x->op[i]);
		if (want->rc == RC_B128 && dag_vt(d, x->op[i]) == VT_I128)
			x->op[i] = dag_pack_b128(x->f, x->op[i]);
	}
}

static u32 make_node(Form *x, const IsaDesc *desc, Results *r)
{
	DagFunc *f = x->f;
	Dag     *d = &f->dag;
	bool     convergent = ir_is_convergent(f->m, x->call), chains = convergent || ir_call_memory(f->m, x->call);
	DagNode  like = {.opcode = DAG_MACHINE, .desc = desc->id};
	DagVal  *ops = arena_array(f->arena, DagVal, x->n + 2);
	convergent |= (desc->flags & IF_CONVERGENT) != 0;
	if (chains || convergent)
		like.props = DP_NO_CSE | (chains ? (u32)DP_SIDE_EFFECT : 0) | (convergent ? (u32)DP_CONVERGENT : 0);
	if (chains)
		ops[0] = dag_root(f), r->vt[r->n] = VT_CHAIN;
	memcpy(ops + chains, x->op, x->n * sizeof *ops);
	DagVal v = dag_node_like(d, &like, r->vt, r->n + chains, ops, x->n + chains);
	if (chains)
		d->root = dag_res(v.n, r->n);
	return v.n;
}

void dag_lower_form(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	Form      x = {.f = f, .call = inst};
	Results   r = {.n = 0};
	DagLeaves l = {0};
	Text      text;
	Str       name = dag_intrinsic_name(f, inst);
	u32       line = ir_info(f->m, inst)->origin;
	text_init(&text, f->arena);
	if (!ir_intrinsic_text(f->m, inst, &text)) {
		dag_not_in_ptx(f, line, name, "for these constants, or a pointer to this address space");
		return;
	}
	Str mnemonic = text_str(&text);
	text_c(&text, 0);
	mnemonic.n = (u32)strcspn(text.p, " ");
	dag_leaves(f, ir_inst(f->m, inst)->type, &l);
	read_operands(&x, text.p + mnemonic.n);
	result_types(&x, &l, &r);
	u32 desc = isa_intern_form(f->s, (Str){text.p, mnemonic.n}, &(IsaShape){r.n, r.n + x.n, x.bases});
	if (!desc)
		dag_not_in_ptx(f, line, name, NULL);
	else if (!dag_lacks_from(f, line, name, desc, row->sm, row->ptx)) {
		u64 known;
		if (dag_known_prmt(f, desc, x.op, &known)) {
			dag_set_value(f, inst, dag_const(&f->dag, VT_I32, known));
			return;
		}
		u32 mixed = dag_mixed_form(f, desc, x.op);
		x.in_register[0] |= mixed != desc, x.in_register[1] |= mixed != desc;
		desc = mixed;
		fit_operands(&x, isa_desc(f->s, desc));
		set_results(&x, &l, make_node(&x, isa_desc(f->s, desc), &r));
	}
}
