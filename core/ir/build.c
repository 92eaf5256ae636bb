/* build.c: creates, links, moves and removes instructions and blocks.
 *
 * Keeps use lists, names, block and instruction links, phi entries and debug records consistent; analyses are the
 * caller's to invalidate (Pass.keeps). Each edit is linear in the operands it touches. Does not fold or simplify. */
#include "ir/builder.h"
#include "ir/internal.h"
#include "isa/isa.h"

IrRef ir_inst_new(IrModule *m, IrOp op, IrType type, u32 n_ops)
{
	IrRef   r = ir_inst_make(m);
	IrInst *i = ir_inst(m, r);
	i->op = (u8)op;
	i->type = type;
	i->n_ops = n_ops;
	i->ops = n_ops ? ir_uses_make(m, n_ops) : 0;
	for (u32 k = 0; k < n_ops; k++)
		ir_use(m, i->ops + k)->user = r;
	return r;
}

/* ---- linking ---- */

static void take_name(IrModule *m, IrRef inst)
{
	const IrInstInfo *i = ir_info(m, inst);
	if (i->state & IRS_NAME_PENDING)
		ir_set_name(m, inst, ir_str(m, i->name));
}

void ir_insert_before(IrModule *m, IrRef inst, IrRef before)
{
	IrInst *i = ir_inst(m, inst), *b = ir_inst(m, before);
	ICE_UNLESS(m->s, !i->block.i && b->block.i);
	i->prev = b->prev;
	i->next = before;
	b->prev = inst;
	if (i->prev.i)
		ir_inst(m, i->prev)->next = inst;
	else
		ir_block(m, b->block)->first = inst;
	ir_enters(i, ir_block(m, b->block), b->block);
	take_name(m, inst);
}

void ir_insert_end(IrModule *m, IrRef inst, IrRef block)
{
	ICE_UNLESS(m->s, !ir_inst(m, inst)->block.i);
	ir_append(m, inst, block);
	take_name(m, inst);
}

void ir_insert_after(IrModule *m, IrRef inst, IrRef after)
{
	IrInst *a = ir_inst(m, after);
	if (a->next.i)
		ir_insert_before(m, inst, a->next);
	else
		ir_insert_end(m, inst, a->block);
}

IrRef ir_first_non_phi(const IrModule *m, IrRef block)
{
	IrRef i = ir_block(m, block)->first;
	while (i.i && ir_inst(m, i)->op == IR_PHI)
		i = ir_inst(m, i)->next;
	return i;
}

/* Moves the debug records of an instruction that is unlinked to the front of its successor's list. */
static void pass_records_on(IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	IrInstInfo   *info = ir_info(m, inst);
	if (!info->records)
		return;
	u32 *to = i->next.i ? &ir_info(m, i->next)->records : &ir_block(m, i->block)->records;
	u32  last = info->records;
	while (((IrDbgRec *)pages_at(&m->dbgrecs, last))->next)
		last = ((IrDbgRec *)pages_at(&m->dbgrecs, last))->next;
	((IrDbgRec *)pages_at(&m->dbgrecs, last))->next = *to;
	*to = info->records;
	info->records = 0;
}

void ir_unlink(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	if (!i->block.i)
		return;
	pass_records_on(m, inst);
	IrBlock *b = ir_block(m, i->block);
	if (i->prev.i)
		ir_inst(m, i->prev)->next = i->next;
	else
		b->first = i->next;
	if (i->next.i)
		ir_inst(m, i->next)->prev = i->prev;
	else
		b->last = i->prev;
	b->n_insts--;
	i->block = i->prev = i->next = IR_NO_REF;
}

void ir_move_before(IrModule *m, IrRef inst, IrRef before)
{
	if (ir_same(inst, before))
		return;
	ir_unlink(m, inst);
	ir_insert_before(m, inst, before);
}

void ir_move_end(IrModule *m, IrRef inst, IrRef block)
{
	ir_unlink(m, inst);
	ir_insert_end(m, inst, block);
}

static void drop_operands(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	for (u32 k = 0; k < i->n_ops; k++)
		ir_set_use(m, i->ops + k, IR_NO_REF);
}

enum { MAX_CASTS = 16 }; /* between a stack slot and a pointer to it */

/* What a debug record can name in place of an instruction that goes: what was cast there and back; a pointer between generic and
 * global memory has the same bits, and one to a stack slot is known by the slot. */
static IrRef same_for_debugger(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	if (i->op != IR_ADDRSPACECAST)
		return IR_NO_REF;
	IrRef from = ir_op(m, inst, 0);
	u32   a = ir_type(m, i->type)->bits, b = ir_type(m, ir_type_of(m, from))->bits;
	IrRef slot = from;
	for (u32 k = 0; k < MAX_CASTS && ir_kind(slot) == IR_INST && ir_inst(m, slot)->op == IR_ADDRSPACECAST; k++)
		slot = ir_op(m, slot, 0);
	if (ir_kind(slot) == IR_INST && ir_inst(m, slot)->op == IR_ALLOCA)
		return from;
	if (ir_kind(from) == IR_INST && ir_inst(m, from)->op == IR_ADDRSPACECAST &&
	    ir_type_same(ir_type_of(m, ir_op(m, from, 0)), i->type))
		return ir_op(m, from, 0);
	return ir_type_is_ptr(m, i->type) && a <= AS_GLOBAL && b <= AS_GLOBAL ? from : IR_NO_REF;
}

void ir_remove(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	IrRef   same = same_for_debugger(m, inst);
	drop_operands(m, inst);
	if (i->uses)
		ir_replace_all_uses(m, inst, ir_const_poison(m, i->type));
	ir_forget_value(m, inst, same);
	ir_unlink(m, inst);
	ir_info(m, inst)->state |= IRS_REMOVED;
}

IrRef ir_inst_clone(IrModule *m, IrRef inst)
{
	const IrInst *from = ir_inst(m, inst);
	IrRef         r = ir_inst_new(m, (IrOp)from->op, from->type, from->n_ops);
	IrInst       *i = ir_inst(m, r);
	IrInstInfo   *info = ir_info(m, r);
	u32           ops = i->ops;
	*i = *from;
	*info = *ir_info(m, inst);
	i->ops = ops;
	i->block = i->prev = i->next = IR_NO_REF;
	i->uses = info->records = 0;
	info->name = (StrId){0};
	info->state = 0;
	if (ir_op_info[i->op].flags & IROF_CALLS)
		i->aux = ir_call_new(m, *ir_call(m, inst));
	for (u32 k = 0; k < i->n_ops; k++)
		ir_set_use(m, ops + k, ir_use(m, from->ops + k)->value);
	return r;
}

void ir_take_place(IrModule *m, IrRef to, IrRef from)
{
	if (ir_kind(to) != IR_INST)
		return;
	IrInstInfo *t = ir_info(m, to), *f = ir_info(m, from);
	t->origin = f->origin;
	t->col = f->col;
	t->end_col = f->end_col;
	t->dbg = f->dbg;
	if (!t->name.i && f->name.i) { /* the name is still taken by the function: it only moves */
		t->name = f->name;
		t->state |= f->state & IRS_NAME_NUMBERED;
		t->number = f->number;
		f->name = (StrId){0};
		f->state &= (u16)~IRS_NAME_NUMBERED;
	}
}

/* ---- blocks ---- */

u64 ir_func_had(const IrModule *m, const IrFunc *f)
{
	u64 had = 0;
	ir_each_block(m, f, b)
		had |= ir_block(m, b)->had;
	return had;
}

u32 ir_count_insts(const IrModule *m, const IrFunc *f)
{
	u32 n = 0;
	ir_each_block(m, f, b)
		n += ir_block(m, b)->n_insts;
	return n;
}

IrRef ir_block_new(IrModule *m, IrFunc *f, Str name)
{
	IrRef    r = ir_block_make(m);
	IrBlock *b = ir_block(m, r);
	b->func = f->ref;
	b->prev = f->last;
	if (f->last.i)
		ir_block(m, f->last)->next = r;
	else
		f->first = r;
	f->last = r;
	f->n_blocks++;
	if (name.n)
		ir_set_name(m, r, name);
	return r;
}

static void unlink_block(IrModule *m, IrRef block)
{
	IrBlock *b = ir_block(m, block);
	IrFunc  *f = ir_func(m, b->func);
	if (b->prev.i)
		ir_block(m, b->prev)->next = b->next;
	else
		f->first = b->next;
	if (b->next.i)
		ir_block(m, b->next)->prev = b->prev;
	else
		f->last = b->prev;
	b->prev = b->next = IR_NO_REF;
}

void ir_block_move_after(IrModule *m, IrRef block, IrRef after)
{
	IrBlock *b = ir_block(m, block);
	IrFunc  *f = ir_func(m, b->func);
	if (ir_same(block, after))
		return;
	unlink_block(m, block);
	b->prev = after;
	b->next = after.i ? ir_block(m, after)->next : f->first;
	if (b->prev.i)
		ir_block(m, b->prev)->next = block;
	else
		f->first = block;
	if (b->next.i)
		ir_block(m, b->next)->prev = block;
	else
		f->last = block;
}

void ir_block_remove(IrModule *m, IrRef block)
{
	IrBlock *b = ir_block(m, block);
	for (u32 i = 0, n = ir_n_succs(m, block); i < n; i++)
		ir_phis_forget(m, ir_succ(m, block, i), block);
	while (b->last.i)
		ir_remove(m, b->last);
	/* The remaining uses are phis and branches of blocks that are removed as well, and blockaddress constants. */
	ir_each_use(m, block, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) == IR_INST && ir_inst(m, user)->op == IR_PHI) {
			u32 at = ir_use_index(m, u);
			ir_phi_remove(m, user, at / 2);
			u_next = ir_first_use(m, block);
		}
	}
	ir_each_use(m, block, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) == IR_CONST) {
			IrRef one = ir_const_int(m, IR_TYPE(I64), 1);
			ir_replace_all_uses(m, user, ir_const_expr(m, IR_INTTOPTR, ir_type_of(m, user), 0, 0, &one, 1));
			u_next = 0;
		}
	}
	ir_func(m, b->func)->n_blocks--;
	unlink_block(m, block);
}

IrRef ir_split_block(IrModule *m, IrRef before, Str name)
{
	IrRef    block = ir_inst(m, before)->block;
	IrFunc  *f = ir_func(m, ir_block(m, block)->func);
	IrRef    rest = ir_block_new(m, f, name);
	IrBlock *b = ir_block(m, block), *r = ir_block(m, rest);
	ir_block_move_after(m, rest, block);
	r->origin = ir_info(m, before)->origin;
	for (u32 i = 0, n = ir_n_succs(m, block); i < n; i++)
		ir_phis_retarget(m, ir_succ(m, block, i), block, rest);
	r->first = before;
	r->last = b->last;
	b->last = ir_inst(m, before)->prev;
	if (b->last.i)
		ir_inst(m, b->last)->next = IR_NO_REF;
	else
		b->first = IR_NO_REF;
	ir_inst(m, before)->prev = IR_NO_REF;
	r->had = b->had;
	for (IrRef i = before; i.i; i = ir_inst(m, i)->next) {
		ir_inst(m, i)->block = rest;
		r->n_insts++;
	}
	b->n_insts -= r->n_insts;
	IrBuilder at = ir_build_end(m, block);
	at.origin = ir_info(m, before)->origin;
	at.dbg = ir_info(m, before)->dbg;
	ir_b_br(&at, rest);
	return rest;
}

void ir_block_join(IrModule *m, IrRef block, IrRef next)
{
	IrBlock *b = ir_block(m, block), *n = ir_block(m, next);
	IrFunc  *f = ir_func(m, b->func);
	ir_remove(m, b->last);
	for (u32 i = 0, k = ir_n_succs(m, next); i < k; i++)
		ir_phis_retarget(m, ir_succ(m, next, i), next, block);
	u32 *records = &ir_info(m, n->first)->records;
	if (b->records) { /* of the branch: they stand in front of those of the first instruction */
		u32 last = b->records;
		while (((IrDbgRec *)pages_at(&m->dbgrecs, last))->next)
			last = ((IrDbgRec *)pages_at(&m->dbgrecs, last))->next;
		((IrDbgRec *)pages_at(&m->dbgrecs, last))->next = *records;
		*records = b->records;
		b->records = 0;
	}
	for (IrRef i = n->first; i.i; i = ir_inst(m, i)->next)
		ir_inst(m, i)->block = block;
	ir_inst(m, n->first)->prev = b->last;
	if (b->last.i)
		ir_inst(m, b->last)->next = n->first;
	else
		b->first = n->first;
	b->last = n->last;
	b->n_insts += n->n_insts;
	b->had |= n->had;
	n->first = n->last = IR_NO_REF;
	n->n_insts = 0;
	f->n_blocks--;
	unlink_block(m, next);
}

IrRef ir_split_edge(IrModule *m, IrRef pred, u32 succ_index, Str name)
{
	IrRef     to = ir_succ(m, pred, succ_index);
	IrRef     mid = ir_block_new(m, ir_func(m, ir_block(m, pred)->func), name);
	IrRef     term = ir_term(m, pred);
	IrBuilder b = ir_build_end(m, mid);
	ir_block_move_after(m, mid, pred);
	b.origin = ir_block(m, mid)->origin = ir_info(m, term)->origin;
	b.dbg = ir_info(m, term)->dbg;
	ir_b_br(&b, to);
	ir_set_succ(m, pred, succ_index, mid);
	/* Remove one phi entry only: another edge between the same two blocks has its own entry. */
	ir_each_inst(m, to, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		for (u32 i = 0; i < ir_phi_n(m, phi); i++)
			if (ir_same(ir_phi_block(m, phi, i), pred)) {
				ir_set_op(m, phi, 2 * i + 1, mid);
				break;
			}
	}
	return mid;
}

/* ---- edges ---- */

/* Operand that is successor `i` of a terminator; -1: there is none. */
static i32 succ_operand(const IrModule *m, IrRef term, u32 i)
{
	const IrInst *t = ir_inst(m, term);
	u32           n = t->n_ops;
	switch (t->op) {
	case IR_BR: return n == 1 ? (i == 0 ? 0 : -1) : i < 2 ? (i32)i + 1 : -1;
	case IR_SWITCH: return i == 0 ? 1 : 2 * i + 1 < n ? (i32)(2 * i + 1) : -1;
	case IR_INDIRECTBR: return i + 1 < n ? (i32)i + 1 : -1;
	case IR_CATCHSWITCH: /* [parent, (unwind), handlers] */
	case IR_CATCHRET:
	case IR_CLEANUPRET: {
		u32 seen = 0;
		for (u32 k = 0; k < n; k++)
			if (ir_kind(ir_use(m, t->ops + k)->value) == IR_BLOCK && seen++ == i)
				return (i32)k;
		return -1;
	}
	case IR_INVOKE: return i < 2 ? (i32)(n - 2 + i) : -1;
	case IR_CALLBR: {
		u32 first = n;
		while (first && ir_kind(ir_use(m, t->ops + first - 1)->value) == IR_BLOCK)
			first--;
		return first + i < n ? (i32)(first + i) : -1;
	}
	default: return -1;
	}
}

IrRef ir_pad_unwind(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	u32           n = i->n_ops;
	bool          unwinds = i->op == IR_CATCHSWITCH ? i->sub != 0 : n > 1;
	return unwinds ? ir_op(m, inst, i->op == IR_INVOKE ? n - 1 : 1) : IR_NO_REF;
}

u32 ir_n_succs(const IrModule *m, IrRef block)
{
	IrRef t = ir_term(m, block);
	if (!t.i)
		return 0;
	const IrInst *i = ir_inst(m, t);
	switch (i->op) {
	case IR_BR: return i->n_ops == 1 ? 1 : 2;
	case IR_SWITCH: return i->n_ops / 2;
	case IR_INDIRECTBR: return i->n_ops - 1;
	default: {
		u32 n = 0;
		while (succ_operand(m, t, n) >= 0)
			n++;
		return n;
	}
	}
}

IrRef ir_succ(const IrModule *m, IrRef block, u32 i)
{
	IrRef t = ir_term(m, block);
	i32   at = succ_operand(m, t, i);
	return at < 0 ? IR_NO_REF : ir_op(m, t, (u32)at);
}

void ir_set_succ(IrModule *m, IrRef block, u32 i, IrRef to)
{
	IrRef t = ir_term(m, block);
	i32   at = succ_operand(m, t, i);
	ICE_UNLESS(m->s, at >= 0);
	ir_set_op(m, t, (u32)at, to);
}

void ir_preds(const IrModule *m, IrRef block, VecU32 *out)
{
	out->n = 0;
	ir_each_use(m, block, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_INST)
			continue;
		const IrInst *i = ir_inst(m, user);
		if (i->block.i && ir_op_is_terminator(i->op))
			vec_push(m->arena, out, i->block.i);
	}
}

IrRef ir_single_pred(const IrModule *m, IrRef block)
{
	IrRef pred = IR_NO_REF;
	ir_each_use(m, block, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_INST || !ir_op_is_terminator(ir_inst(m, user)->op))
			continue;
		IrRef from = ir_inst(m, user)->block;
		if (pred.i && !ir_same(pred, from))
			return IR_NO_REF;
		pred = from;
	}
	return pred;
}

/* ---- phis ---- */

/* Searches the phi's entries and the uses of the block in lockstep and stops when either search ends, so that it is fast
 * for a phi with many entries and for a block with many uses. */
IrRef ir_phi_value_for(const IrModule *m, IrRef phi, IrRef pred)
{
	u32 use = ir_first_use(m, pred);
	for (u32 i = 0, n = ir_phi_n(m, phi); i < n && use; i++, use = ir_use(m, use)->next) {
		if (ir_same(ir_phi_block(m, phi, i), pred))
			return ir_phi_value(m, phi, i);
		if (ir_same(ir_use(m, use)->user, phi))
			return ir_phi_value(m, phi, (use - ir_inst(m, phi)->ops) / 2);
	}
	return IR_NO_REF;
}

void ir_phi_add(IrModule *m, IrRef phi, IrRef value, IrRef pred)
{
	ir_add_op(m, phi, value);
	ir_add_op(m, phi, pred);
}

void ir_phi_remove(IrModule *m, IrRef phi, u32 i)
{
	ir_remove_op(m, phi, 2 * i + 1);
	ir_remove_op(m, phi, 2 * i);
}

void ir_phis_forget(IrModule *m, IrRef block, IrRef pred)
{
	ir_each_inst(m, block, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		for (u32 i = 0; i < ir_phi_n(m, phi); i++)
			if (ir_same(ir_phi_block(m, phi, i), pred)) {
				ir_phi_remove(m, phi, i);
				break;
			}
	}
}

void ir_phis_forget_all(IrModule *m, IrRef block, IrRef pred)
{
	ir_each_inst(m, block, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		for (u32 i = ir_phi_n(m, phi); i-- > 0;) /* from the end: little moves down */
			if (ir_same(ir_phi_block(m, phi, i), pred))
				ir_phi_remove(m, phi, i);
	}
}

void ir_phis_retarget(IrModule *m, IrRef block, IrRef old_pred, IrRef new_pred)
{
	ir_each_inst(m, block, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		for (u32 i = 0; i < ir_phi_n(m, phi); i++)
			if (ir_same(ir_phi_block(m, phi, i), old_pred))
				ir_set_op(m, phi, 2 * i + 1, new_pred);
	}
}

/* ---- calls ---- */

u32 ir_call_new(IrModule *m, IrCall c)
{
	u32 id = pages_new(&m->calls);
	*(IrCall *)pages_at(&m->calls, id) = c;
	return id;
}

IrFunc *ir_called(const IrModule *m, IrRef call)
{
	return ir_op_info[ir_inst(m, call)->op].flags & IROF_CALLS ? ir_func(m, ir_callee(m, call)) : NULL;
}

IrRef ir_asm_new(IrModule *m, IrType fn_type, Str text, Str constraints, u32 flags)
{
	IrRef r = ir_ref(IR_ASM, pages_new(&m->asms));
	*ir_asm(m, r) = (IrAsm){.type = fn_type,
	                        .text = strtab_add(&m->s->strs, text),
	                        .constraints = strtab_add(&m->s->strs, constraints),
	                        .flags = flags};
	return r;
}

u32 ir_list_new(IrModule *m, const u32 *p, u32 n)
{
	u32 at = m->lists.n;
	vec_push(m->arena, &m->lists, n);
	for (u32 i = 0; i < n; i++)
		vec_push(m->arena, &m->lists, p[i]);
	return at;
}

static void drop_extra(IrModule *m, IrFunc *f, u32 k)
{
	if (f->extra[k])
		ir_set_use(m, f->extra[k], IR_NO_REF);
	f->extra[k] = 0;
}

void ir_func_drop_personality(IrModule *m, IrFunc *f) { drop_extra(m, f, 2); }

void ir_func_drop_body(IrModule *m, IrFunc *f)
{
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			drop_operands(m, i);
	while (f->last.i)
		ir_block_remove(m, f->last);
	for (u32 k = 0; k < PS_COUNT(f->extra); k++)
		drop_extra(m, f, k);
}
