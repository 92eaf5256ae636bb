/* bitcode_func.c: one body: values by number, blocks, debug locations and records.
 *
 * A value used before its definition is a detached instruction of opcode "none", which its definition fills in, as in the text reader. What
 * a body adds to the tables of values and metadata goes with it. Linear in the block. */
#include "ir/bitcode_define.h"

enum {
	DECLAREBLOCKS = 1,
	DEBUG_LOC_AGAIN = 33,
	DEBUG_LOC = 35,
	OPERAND_BUNDLE = 55,
	BLOCKADDR_USERS = 60,
	DEBUG_RECORD_VALUE = 61,
	DEBUG_RECORD_DECLARE,
	DEBUG_RECORD_ASSIGN,
	DEBUG_RECORD_VALUE_SIMPLE,
	DEBUG_RECORD_LABEL,
	DEBUG_RECORD_DECLARE_VALUE,
};

/* ---- values ---- */

bool bc_next_value(Bc *b, BcValue v)
{
	u32 n = b->next_value++;
	if (n == b->values.n)
		vec_push(b->arena, &b->values, v);
	else if (bc_check(b, !b->values.p[n].ref.i, "a constant or an argument is used before its number"))
		b->values.p[n] = v;
	return bc_ok(b);
}

static IrRef used_before(Bc *b, u64 number, IrType t)
{
	if (!b->func || !t.i || number < b->next_value || number >= b->next_value + bc_room(b)) {
		bc_error(b, "there is no value %llu", (unsigned long long)number);
		return IR_NO_REF;
	}
	if (number >= b->values.n)
		vec_extend(b->arena, &b->values, (u32)number + 1 - b->values.n);
	IrRef r = ir_inst_make(b->m);
	ir_inst(b->m, r)->type = t;
	b->values.p[number] = (BcValue){.ref = r, .type = t, .block = BC_ASK};
	b->awaited++;
	return r;
}

PS_NOINLINE IrRef bc_value_with_care(Bc *b, u64 number, IrType t)
{
	BcValue v = number < b->values.n ? b->values.p[number] : (BcValue){0};
	if (!v.ref.i && !v.constant)
		return used_before(b, number, t);
	if (!ir_type_same(v.type, t)) {
		bc_error(b, "value %llu has another type than it is used with", (unsigned long long)number);
		return IR_NO_REF;
	}
	if (v.ref.i)
		return v.ref;
	IrRef r = bc_make_const(b, v.constant - 1);
	if (b->unkept)
		return bc_expand(b, v.constant - 1);
	if (ir_kind(r) == IR_CONST) /* from now on; inline assembly is made for each use */
		b->values.p[number].ref = r;
	return r;
}

void bc_ask(Bc *b, IrRef v, u32 block)
{
	if (b->m->use_lists || !bc_ok(b) || !b->block.i)
		return;
	if (block != BC_ASK)
		order_ask(&b->order, block);
	else
		order_operand(&b->order, v, false);
}

PS_NOINLINE IrRef bc_operand_with_care(Bc *b, u64 number, IrType t)
{
	IrRef v = bc_value_with_care(b, number, t);
	if (ir_kind(v) != IR_CONST)
		bc_ask(b, v, BC_ASK);
	return v;
}

PS_NOINLINE IrRef bc_operand_and_type_with_care(Bc *b, u32 *at, IrType *t)
{
	*t = (IrType){0};
	if (!bc_need(b, *at + 1))
		return IR_NO_REF;
	u64 number = bc_number(b, b->in.rec.op[(*at)++]);
	if (number < b->next_value)
		*t = b->values.p[number].type;
	else if (bc_need(b, *at + 1))
		*t = bc_value_type(b, b->in.rec.op[(*at)++]);
	return bc_ok(b) ? bc_value_here(b, number, *t) : IR_NO_REF;
}

IrRef bc_typed_operand(Bc *b, u32 *at)
{
	IrType t;
	return bc_operand_and_type(b, at, &t);
}

IrRef bc_block_ref(Bc *b, u64 number)
{
	if (number < b->blocks.n)
		return (IrRef){b->blocks.p[number]};
	bc_error(b, "there is no block %llu", (unsigned long long)number);
	return IR_NO_REF;
}

PS_NOINLINE void bc_begin_block(Bc *b, u32 at)
{
	b->at_block = at;
	b->block = at < b->blocks.n ? (IrRef){b->blocks.p[at]} : IR_NO_REF;
	if (!b->m->use_lists && b->block.i)
		order_block_at(&b->order, at, b->block);
}

PS_NOINLINE IrRef bc_awaited_record(Bc *b, IrType t)
{
	u32 n = b->next_value++;
	if (n == b->values.n)
		vec_extend(b->arena, &b->values, 1);
	BcValue *v = &b->values.p[n];
	if (!v->ref.i)
		*v = (BcValue){.ref = ir_inst_make(b->m), .type = t};
	else
		b->awaited--;
	v->block = b->at_block;
	if (!ir_type_same(v->type, t))
		bc_error(b, "value %u is used with another type before its definition", n);
	return v->ref;
}

PS_NOINLINE IrInst *bc_define_listed(Bc *b, IrOp op, IrType t, const u32 *ops, u32 n)
{
	IrModule *m = b->m;
	IrRef     r = t.i != IR_TY_VOID ? bc_awaited_record(b, t) : ir_inst_make(m);
	ir_inst_fill(m, r, op, t, ops, n);
	ir_append(m, r, b->block);
	bc_note_inst(b, r);
	if (ir_op_is_terminator(op))
		bc_begin_block(b, b->at_block + 1);
	return ir_inst(m, r);
}

IrInst *bc_define_outside(Bc *b)
{
	bc_error(b, "an instruction follows the last block");
	return NULL;
}

IrInst *bc_define(Bc *b, IrOp op, IrType t, const u32 *ops, u32 n) { return bc_define_here(b, BC_ANYWHERE, op, t, ops, n); }

/* ---- blocks ---- */

static void declare_blocks(Bc *b)
{
	u64 n = bc_op(b, 0);
	if (!bc_check(b, !b->blocks.n && n > 0 && n <= bc_left(&b->in), "a body has no blocks, or more than it has room for"))
		return;
	IrModule *m = b->m;
	IrFunc   *f = b->func;
	u32       first = pages_new_n(&m->blocks, (u32)n), last = first + (u32)n - 1;
	vec_reserve(b->arena, &b->blocks, (u32)n);
	for (u32 id = first; id <= last; id++) {
		IrRef r = ir_ref(IR_BLOCK, id);
		*ir_block(m, r) = (IrBlock){.func = f->ref,
		                            .prev = id > first ? (IrRef){r.i - 1} : IR_NO_REF,
		                            .next = id < last ? (IrRef){r.i + 1} : IR_NO_REF};
		b->blocks.p[b->blocks.n++] = r.i;
	}
	f->first = ir_ref(IR_BLOCK, first);
	f->last = ir_ref(IR_BLOCK, last);
	f->n_blocks = (u32)n;
	if (b->m->use_lists)
		order_blocks_unasked(&b->order, (u32)n);
	else
		order_blocks(&b->order, (u32)n);
	bc_begin_block(b, 0);
}

/* ---- debug locations and records ---- */

static IrRef last_inst(Bc *b)
{
	bc_check(b, b->insts.n != 0, "a debug location precedes all instructions");
	return bc_last_inst(b);
}

static void debug_location(Bc *b)
{
	IrRef r = last_inst(b);
	if (!bc_ok(b))
		return;
	if (b->in.rec.code == DEBUG_LOC)
		b->location = bc_need(b, 4) ? bc_di_location(b, b->in.rec.op, b->in.rec.n) : (IrMd){0};
	ir_info(b->m, r)->dbg = b->location;
}

/* [location, variable, expression, value, (id, expression, address)], [location, label]. It stands before the last instruction. */
static void debug_record(Bc *b)
{
	static const struct {
		u8 kind, args;
	} forms[] = {
		[DEBUG_RECORD_VALUE - 61] = {IRDBG_VALUE, 4},   [DEBUG_RECORD_DECLARE - 61] = {IRDBG_DECLARE, 4},
		[DEBUG_RECORD_ASSIGN - 61] = {IRDBG_ASSIGN, 7}, [DEBUG_RECORD_VALUE_SIMPLE - 61] = {IRDBG_VALUE, 3},
		[DEBUG_RECORD_LABEL - 61] = {IRDBG_LABEL, 2},   [DEBUG_RECORD_DECLARE_VALUE - 61] = {IRDBG_DECLARE_VALUE, 4}};
	/* Places of the operands in IrDbgRec.arg, from the second on. */
	static const u8 places[] = {1, 2, 0, 3, 5, 4};
	u32             code = b->in.rec.code, n = forms[code - 61].args;
	IrRef           at = last_inst(b);
	if (!bc_ok(b) || !bc_need(b, n))
		return;
	IrDbgRec rec = {.kind = forms[code - 61].kind, .loc = bc_md_node_of(b, bc_op(b, 0))};
	for (u32 i = 1; i < n; i++) {
		u32  place = code == DEBUG_RECORD_LABEL ? 0 : places[i - 1];
		bool value = place == 4 || (place == 0 && code != DEBUG_RECORD_LABEL); /* or an address */
		rec.arg[place] = value ? bc_md(b, bc_op(b, i)) : bc_md_node_of(b, bc_op(b, i));
	}
	if (code == DEBUG_RECORD_VALUE_SIMPLE) {
		u32   k = 3;
		IrRef v = bc_typed_operand(b, &k);
		if (bc_ok(b))
			rec.arg[0] = ir_md_value(b->m, v);
	}
	if (!bc_ok(b))
		return;
	u32 id = pages_new(&b->m->dbgrecs);
	*(IrDbgRec *)pages_at(&b->m->dbgrecs, id) = rec;
	u32 *tail = &ir_info(b->m, at)->records;
	while (*tail)
		tail = &((IrDbgRec *)pages_at(&b->m->dbgrecs, *tail))->next;
	*tail = id;
}

/* ---- the body ---- */

/* [tag, operand…]: of the call that follows. An operand is a value, or a mark and the number of a node. */
static void operand_bundle(Bc *b)
{
	const u64 METADATA = 0x80000000;
	u64       tag = bc_op(b, 0);
	IrBundle  x = {.first = b->bundle_ops.n};
	u32       at = 1;
	if (!bc_need(b, 1) || !bc_check(b, tag < b->bundle_tags.n && b->bundles.n < 1000, "an operand bundle has an unknown tag"))
		return;
	while (at < b->in.rec.n && bc_ok(b)) {
		bool node = b->in.rec.op[at] == METADATA && bc_need(b, at + 2);
		u64  number = node ? bc_number(b, bc_op(b, at + 1)) : 0;
		at += node ? 2 : 0;
		vec_push(b->arena, &b->bundle_ops, node ? ir_ref(IR_MD, bc_md(b, number).i).i : bc_typed_operand(b, &at).i);
	}
	x.tag = (StrId){b->bundle_tags.p[tag]};
	x.n = b->bundle_ops.n - x.first;
	vec_push(b->arena, &b->bundles, x);
}

void bc_other_record(Bc *b)
{
	switch (b->in.rec.code) {
	case DECLAREBLOCKS: declare_blocks(b); break;
	case DEBUG_LOC:
	case DEBUG_LOC_AGAIN: debug_location(b); break;
	case OPERAND_BUNDLE: operand_bundle(b); break;
	case BLOCKADDR_USERS: break;
	case DEBUG_RECORD_VALUE:
	case DEBUG_RECORD_DECLARE:
	case DEBUG_RECORD_ASSIGN:
	case DEBUG_RECORD_VALUE_SIMPLE:
	case DEBUG_RECORD_LABEL:
	case DEBUG_RECORD_DECLARE_VALUE: debug_record(b); break;
	default: bc_unknown(b, "instruction", b->in.rec.code);
	}
}

/* Orders of uses, which mean nothing here: [index, …, value] */
void bc_use_lists(Bc *b)
{
	u64 n;
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_pass(&b->in, &n)) != BC_END;)
		if (e == BC_BLOCK)
			bc_skip(&b->in);
		else
			bc_check(b, n >= 3, "a record is too short");
}

static void inner_block(Bc *b)
{
	switch (b->in.block) {
	case BCB_CONSTANTS: bc_const_block(b); break;
	case BCB_METADATA: bc_md_block(b); break;
	case BCB_METADATA_ATTACHMENT: bc_md_attachment_block(b); break;
	case BCB_VALUE_SYMTAB: bc_name_block(b); break;
	case BCB_USELIST: bc_use_lists(b); break;
	default: bc_skip(&b->in);
	}
}

static void begin(Bc *b, IrFunc *f)
{
	b->func = f;
	b->block = IR_NO_REF;
	b->blocks.n = b->at_block = b->insts.n = b->bundles.n = b->bundle_ops.n = 0;
	b->location = (IrMd){0};
	b->awaited = 0;
	bc_begin_expansions(b);
	b->epoch++;
	if (!b->m->use_lists)
		order_begin(&b->order);
	for (u32 i = 0; i < f->n_args; i++)
		bc_next_value(b, (BcValue){.ref = ir_func_arg(f, i), .type = ir_arg(b->m, ir_func_arg(f, i))->type});
}

static void end(Bc *b)
{
	b->func = NULL;
	b->values.n = b->next_value = b->n_module_values;
	b->consts.n = b->n_module_consts;
	b->const_ops.n = b->n_module_const_ops;
	b->mds.n = b->next_md = b->n_module_mds;
	b->strings.n = b->n_module_strings;
}

/* At the header of its block, behind the block's number. */
void bc_body(Bc *b, IrFunc *f)
{
	begin(b, f);
	bc_enter(&b->in);
	b->room_end = b->in.end;
	while (bc_insts(b) == BC_BLOCK)
		inner_block(b);
	if (bc_ok(b) && bc_check(b, b->blocks.n != 0, "a body has no blocks") &&
	    bc_check(b, !b->block.i, "a body ends within a block") && bc_check(b, !b->awaited, "a value is used and not defined"))
		bc_check(b, !b->awaited_mds, "metadata is used and not defined");
	bc_end_expansions(b);
	end(b);
}
