/* frame.c: addresses of stack objects and what reads them, see frame.h. */
#include "mir/frame.h"

#include "mir/alias.h"

/* ---- addresses ---- */

u32 mir_address_operand(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	if (d->eval != EV_ld && d->eval != EV_st)
		return ~0u;
	for (u32 k = 0; k + 1 < d->n_operands && k + 1 < mir_inst(f, i)->n_ops; k++)
		if (d->operand[k].kind == IO_BASE)
			return mir_op(f, i, k + 1)->kind == MO_IMM ? k : ~0u;
	return ~0u;
}

static bool is_frame_address(const MirFunc *f, MirInstId i)
{
	u32 desc = mir_inst(f, i)->desc;
	return (desc == ISA_FRAME_ADDR || desc == ISA_FRAME_ADDR_LOCAL) && mir_op(f, i, 1)->kind == MO_FRAME;
}

static bool is_single(const MirFunc *f, MirReg r) { return mir_is_virt(r) && mir_vreg(f, r)->n_defs == 1; }

/* %2 = add %1, constant */
static bool is_constant_sum(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	return d->opc.op == ISA_add && !d->opc.slot[SLOT_guard] && !d->opc.slot[SLOT_sat] && mir_inst(f, i)->n_ops == 3 &&
	       mir_op(f, i, 1)->kind == MO_REG && mir_op(f, i, 2)->kind == MO_IMM && is_single(f, mir_op_reg(mir_op(f, i, 0)));
}

bool mir_is_cvta_to_local(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	return d->opc.op == ISA_cvta && d->opc.slot[SLOT_space] == TOK_space_local && !d->opc.slot[SLOT_guard] &&
	       isa_has_flag(&d->opc, TOK_flag_to);
}

static bool is_renaming(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	u32            desc = mir_inst(f, i)->desc;
	bool           copy = desc == ISA_COPY || desc == ISA_CSSA_COPY;
	bool           cvta = d->opc.op == ISA_cvta && d->opc.slot[SLOT_space] == TOK_space_local && !d->opc.slot[SLOT_guard];
	return (copy || cvta) && is_single(f, mir_op_reg(mir_op(f, i, 0)));
}

static bool fits(i64 offset) { return offset >= INT32_MIN && offset <= INT32_MAX; }

/* ---- accesses ---- */

typedef struct Walk {
	const MirFunc *f;
	Arena         *arena;
	MirFrameUses  *uses;
} Walk;

static void add_access(Walk *w, MirInstId i, u32 base, u32 object, i64 offset)
{
	const MirFunc *f = w->f;
	MirFrameUse   *u = &w->uses->object[object];
	MirAccess      a = mir_access(f, i);
	const MirMem  *m = mir_mem(f, i);
	const IsaDesc *d = mir_desc(f, i);
	bool           ordered = (m && (m->flags & MMF_VOLATILE || m->ordering > MIR_UNORDERED)) || d->opc.slot[SLOT_sem];
	MirFrameAccess x = {.inst = i,
	                    .base = base,
	                    .offset = offset + mir_op(f, i, base + 1)->imm,
	                    .size = (u32)a.size,
	                    .store = (a.flags & MA_WRITES) != 0,
	                    .plain = !ordered && a.size && !d->opc.slot[SLOT_guard]};
	u->n_stores += x.store;
	u->n_loads += !x.store;
	vec_push(w->arena, &w->uses->access, x);
	u32 n = w->uses->access.n - 1;
	if (u->last)
		w->uses->access.p[u->last].next = n;
	else
		u->first = n;
	u->last = n;
}

static void push(Walk *w, MirInstId i, u32 object, i64 offset)
{
	MirReg r = mir_op_reg(mir_op(w->f, i, 0));
	if (is_single(w->f, r))
		vec_push(w->arena, &w->uses->address, ((MirFrameAddress){r, object, offset}));
	else
		w->uses->object[object].escapes = true;
}

/* Operand `n` of `i` holds an address of the object. */
static void reader(Walk *w, MirInstId i, u32 n, u32 object, i64 offset)
{
	if (mir_address_operand(w->f, i) == n)
		add_access(w, i, n, object, offset);
	else if (n == 1 && is_constant_sum(w->f, i))
		push(w, i, object, offset + mir_op(w->f, i, 2)->imm);
	else if (n == 1 && is_renaming(w->f, i))
		push(w, i, object, offset);
	else
		w->uses->object[object].escapes = true;
}

MirFrameUses *mir_frame_uses(const MirFunc *f, Arena *a)
{
	Walk w = {.f = f, .arena = a, .uses = arena_new(a, MirFrameUses)};
	w.uses->object = arena_array(a, MirFrameUse, f->frame.n + 1);
	for (u32 n = 0; n < f->frame.n; n++)
		w.uses->object[n].escapes = f->frame.p[n].local_offset != 0; /* reached through other objects' addresses */
	vec_push(a, &w.uses->access, ((MirFrameAccess){0}));
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			for (u32 n = 0; n < mir_inst(f, i)->n_ops && !mir_is_marker(f, i); n++) {
				MirOp o = *mir_op(f, i, n);
				if (o.kind != MO_FRAME)
					continue;
				if (is_frame_address(f, i))
					push(&w, i, o.ref, o.imm);
				else
					reader(&w, i, n, o.ref, o.imm);
			}
	for (u32 k = 0; k < w.uses->address.n; k++) {
		MirFrameAddress at = w.uses->address.p[k];
		mir_each_use(f, at.reg, o)
			reader(&w, (MirInstId){o->inst}, mir_op_number(f, o), at.object, at.offset);
	}
	return w.uses;
}

void mir_frame_drop_addresses(MirFunc *f, const MirFrameUses *uses)
{
	for (u32 k = uses->address.n; k-- > 0;) {
		MirFrameAddress at = uses->address.p[k];
		if (f->frame.p[at.object].is_dead && !mir_vreg(f, at.reg)->n_uses)
			mir_erase(f, mir_def_inst(f, at.reg));
	}
}

/* ---- edits ---- */

typedef struct Sum {
	MirReg reg;
	i64    offset;
} Sum;

u32 mir_frame_fold(MirFunc *f, MirReg r, MirOp frame, Arena *a)
{
	Vec(Sum) sum = {0};
	u32 folded = 0;
	vec_push(a, &sum, ((Sum){r, frame.imm}));
	for (u32 k = 0; k < sum.n; k++)
		mir_each_use(f, sum.p[k].reg, o) {
			MirInstId i = {o->inst};
			u32       n = mir_op_number(f, o);
			i64       offset = sum.p[k].offset;
			if (mir_address_operand(f, i) == n && fits(offset + mir_op(f, i, n + 1)->imm)) {
				mir_op_set(f, i, n, (MirOp){.kind = MO_FRAME, .ref = frame.ref});
				mir_op_set_imm(f, i, n + 1, mir_op(f, i, n + 1)->imm + offset);
				folded++;
			} else if (n == 1 && is_constant_sum(f, i) && fits(offset + mir_op(f, i, 2)->imm)) {
				vec_push(a, &sum, ((Sum){mir_op_reg(mir_op(f, i, 0)), offset + mir_op(f, i, 2)->imm}));
			}
		}
	while (sum.n-- > 1)
		if (!mir_vreg(f, sum.p[sum.n].reg)->n_uses)
			mir_erase(f, mir_def_inst(f, sum.p[sum.n].reg));
	return folded;
}

void mir_frame_merge(MirFunc *f, const u32 *into)
{
	for (u32 n = 0; n < f->frame.n; n++) {
		MirFrameObj *gone = &f->frame.p[n], *keep = &f->frame.p[into[n]];
		if (gone == keep)
			continue;
		keep->size = PS_MAX(keep->size, gone->size);
		keep->align_log2 = PS_MAX(keep->align_log2, gone->align_log2);
		gone->is_dead = 1;
	}
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
				MirOp o = *mir_op(f, i, n);
				if (o.kind != MO_FRAME || into[o.ref] == o.ref)
					continue;
				o.ref = into[o.ref];
				mir_op_set(f, i, n, o);
			}
}

bool mir_frame_grows_down(const MirFunc *f)
{
	for (u32 i = 0; i < f->frame.n; i++)
		if (!f->frame.p[i].is_dead && f->frame.p[i].offset < 0)
			return true;
	return false;
}
