/* value.c: use lists, names, replacement; what a pointer points to. */
#include "ir/internal.h"

static u32 *uses_of(const IrModule *m, IrRef r)
{
	switch (ir_kind(r)) {
	case IR_INST: return &ir_inst(m, r)->uses;
	case IR_ARG: return &ir_arg(m, r)->uses;
	case IR_BLOCK: return &ir_block(m, r)->uses;
	case IR_CONST: return &ir_const(m, r)->uses;
	case IR_GLOBAL: return &ir_global(m, r)->uses;
	case IR_ASM: return &ir_asm(m, r)->uses;
	default: return NULL; /* metadata keeps no uses */
	}
}

IrType ir_type_of_other(const IrModule *m, IrRef r)
{
	if (ir_kind(r) == IR_CONST) /* most of them */
		return ir_const(m, r)->type;
	switch (ir_kind(r)) {
	case IR_ARG: return ir_arg(m, r)->type;
	case IR_BLOCK: return IR_TYPE(LABEL);
	case IR_GLOBAL: return ir_global(m, r)->ptr;
	case IR_ASM: return IR_TYPE(PTR);
	case IR_MD: return IR_TYPE(METADATA);
	default: return (IrType){0};
	}
}

/* ---- uses ---- */

u32 ir_first_use(const IrModule *m, IrRef r)
{
	u32 *head = uses_of(m, r);
	return head ? *head : 0;
}

bool ir_has_uses(const IrModule *m, IrRef r) { return ir_first_use(m, r) != 0; }

bool ir_has_one_use(const IrModule *m, IrRef r)
{
	u32 u = ir_first_use(m, r);
	return u && !ir_use(m, u)->next;
}

u32 ir_count_uses(const IrModule *m, IrRef r)
{
	u32 n = 0;
	ir_each_use(m, r, u)
		n++;
	return n;
}

static void unlink_use(IrModule *m, u32 id)
{
	IrUse *u = ir_use(m, id);
	u32   *head = uses_of(m, u->value);
	if (!head)
		return;
	if (u->prev)
		ir_use(m, u->prev)->next = u->next;
	else
		*head = u->next;
	if (u->next)
		ir_use(m, u->next)->prev = u->prev;
	u->next = u->prev = 0;
}

static void link_use(IrModule *m, IrUse *u, u32 id, IrRef v)
{
	u->value = v;
	u32 *head = v.i ? uses_of(m, v) : NULL;
	if (!head)
		return;
	u->next = *head;
	u->prev = 0;
	if (*head)
		ir_use(m, *head)->prev = id;
	*head = id;
}

void ir_set_use(IrModule *m, u32 id, IrRef v)
{
	IrUse *u = ir_use(m, id);
	if (u->value.i)
		unlink_use(m, id);
	link_use(m, u, id, v);
}

void ir_first_set_use(IrModule *m, u32 id, IrRef user, IrRef v)
{
	IrUse *u = ir_use(m, id);
	u->user = user;
	link_use(m, u, id, v);
}

void ir_set_op(IrModule *m, IrRef inst, u32 i, IrRef v) { ir_set_use(m, ir_inst(m, inst)->ops + i, v); }

u32 ir_lasting_uses(IrModule *m, u32 n) { return pages_new_n(&m->uses[1], n) | IR_LASTING_USE; }

/* Moves a slot's place in its value's list to another slot. */
static void move_use(IrModule *m, u32 from, u32 to)
{
	IrUse *u = ir_use(m, from), *t = ir_use(m, to);
	u32   *head = u->value.i ? uses_of(m, u->value) : NULL;
	IrRef  user = t->user;
	*t = *u;
	t->user = user;
	if (head && t->prev)
		ir_use(m, t->prev)->next = to;
	else if (head)
		*head = to;
	if (head && t->next)
		ir_use(m, t->next)->prev = to;
	*u = (IrUse){.user = u->user};
}

void ir_add_op(IrModule *m, IrRef inst, IrRef v)
{
	IrInst *i = ir_inst(m, inst);
	u32     end = i->ops + i->n_ops;
	/* The slots behind belong to this instruction where it was the last to take any, or has spare ones. */
	bool spare = i->n_ops && end < m->uses[0].n && ir_same(ir_use(m, end)->user, inst);
	if (!spare && i->n_ops && end == m->uses[0].n) {
		ir_uses_make(m, 1);
	} else if (!spare) {
		u32 cap = PS_MAX(i->n_ops * 2, 4u), first = ir_uses_make(m, cap);
		for (u32 k = 0; k < cap; k++)
			ir_use(m, first + k)->user = inst;
		for (u32 k = 0; k < i->n_ops; k++)
			move_use(m, i->ops + k, first + k);
		for (u32 k = 0; k < i->n_ops; k++)
			ir_use(m, i->ops + k)->user = IR_NO_REF;
		i->ops = first;
	}
	ir_use(m, i->ops + i->n_ops)->user = inst;
	ir_set_use(m, i->ops + i->n_ops++, v);
}

void ir_remove_op(IrModule *m, IrRef inst, u32 at)
{
	IrInst *i = ir_inst(m, inst);
	ir_set_use(m, i->ops + at, IR_NO_REF);
	for (u32 k = at; k + 1 < i->n_ops; k++)
		move_use(m, i->ops + k + 1, i->ops + k);
	i->n_ops--;
}

/* ---- replacement ---- */

/* Nodes of one value are a list (IrMdNode.first), which begins with the one that value_md has. */
static void metadata_follows(IrModule *m, IrRef from, IrRef to)
{
	u64 *md = m->value_md.live && !ir_same(from, to) ? map_get(&m->value_md, from.i) : NULL, *other;
	if (!md)
		return;
	IrMd node = {(u32)*md}, last = node;
	map_remove(&m->value_md, from.i);
	for (IrMd n = node; n.i; last = n, n.i = ir_md(m, n)->first)
		ir_md(m, n)->value = to;
	ir_annotations_changed(m);
	if (ir_kind(to) == IR_NONE)
		return;
	if ((other = map_get(&m->value_md, to.i)) != NULL) {
		ir_md(m, last)->first = ir_md(m, (IrMd){(u32)*other})->first;
		ir_md(m, (IrMd){(u32)*other})->first = node.i;
		return;
	}
	map_set(&m->value_md, to.i, node.i);
	ir_note_local_md(m, to);
}

/* Deletes a constant: removes its operand slots from the use lists of its operands. */
static void drop_const(IrModule *m, IrRef r)
{
	IrConst *c = ir_const(m, r);
	c->dead = 1;
	for (u32 i = 0; i < c->n_ops; i++)
		ir_set_use(m, c->ops + i, IR_NO_REF);
	c->n_ops = 0;
}

typedef struct Pair {
	IrRef from, to;
} Pair;

/* Rebuilds a constant that uses `from`, and replaces its uses before the next use of `from` is visited, because an
 * enclosing constant may contain both. */
static void replace_in_constants(IrModule *m, IrRef from, IrRef to)
{
	Vec(Pair) work = {0};
	vec_push(m->arena, &work, ((Pair){from, to}));
	while (work.n) {
		Pair p = work.p[work.n - 1];
		u32  u = ir_same(p.from, p.to) ? 0 : ir_first_use(m, p.from);
		if (!u) {
			work.n--;
			continue;
		}
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_CONST) {
			ir_set_use(m, u, p.to);
			continue;
		}
		IrRef built = ir_const_rebuild(m, user, p.from, p.to);
		drop_const(m, user);
		metadata_follows(m, user, built);
		vec_push(m->arena, &work, ((Pair){user, built}));
	}
}

void ir_replace_all_uses(IrModule *m, IrRef from, IrRef to)
{
	metadata_follows(m, from, to);
	if (ir_same(from, to))
		return;
	for (u32 u; (u = ir_first_use(m, from)) != 0;) {
		if (ir_kind(ir_use(m, u)->user) == IR_CONST) {
			replace_in_constants(m, from, to);
			return;
		}
		ir_set_use(m, u, to);
	}
}

void ir_replace_uses_in(IrModule *m, IrRef func, IrRef from, IrRef to)
{
	ir_each_use(m, from, u) {
		IrRef user = ir_use(m, u)->user;
		IrRef block = ir_kind(user) == IR_INST ? ir_inst(m, user)->block : IR_NO_REF;
		if (block.i && ir_same(ir_block(m, block)->func, func))
			ir_set_use(m, u, to);
	}
}

void ir_forget_value(IrModule *m, IrRef v, IrRef same)
{
	if (m->value_md.live && map_get(&m->value_md, v.i))
		metadata_follows(m, v, ir_is_none(same) ? ir_const_poison(m, ir_type_of(m, v)) : same);
}

/* ---- names ---- */

enum { NUMBERED_ROOM = 64 };

/* `base` with `number` appended; stored in the buffer `room` if it fits, else in the module's arena. */
static Str with_number(const IrModule *m, char room[NUMBERED_ROOM], StrId base, u32 number)
{
	Str  s = ir_str(m, base);
	char digit[10];
	u32  n = 0;
	if (s.n > NUMBERED_ROOM - PS_COUNT(digit))
		return arena_fmt(m->arena, "%.*s%u", STR_ARG(s), number);
	for (; number; number /= 10)
		digit[n++] = (char)('0' + number % 10);
	memcpy(room, s.p, s.n);
	for (u32 i = 0; i < n; i++)
		room[s.n + i] = digit[n - 1 - i];
	return (Str){room, s.n + n};
}

static StrId inst_name(const IrModule *m, const IrInstInfo *i)
{
	char room[NUMBERED_ROOM];
	return i->state & IRS_NAME_NUMBERED ? strtab_add(&m->s->strs, with_number(m, room, i->name, i->number)) : i->name;
}

StrId ir_name(const IrModule *m, IrRef r)
{
	switch (ir_kind(r)) {
	case IR_INST: return inst_name(m, ir_info(m, r));
	case IR_ARG: return ir_arg(m, r)->name;
	case IR_BLOCK: return ir_block(m, r)->name;
	case IR_GLOBAL: return ir_global(m, r)->name;
	default: return (StrId){0};
	}
}

static void name_taken(IrModule *m, StrId name)
{
	if (!name.i)
		return;
	if (name.i >= m->names.n)
		vec_extend(m->arena, &m->names, strtab_count(&m->s->strs) - m->names.n);
	m->names.p[name.i] = m->names_epoch;
}

/* The largest number appended to `base` so far in this function; all smaller ones are taken. */
static u32 last_suffix(const IrModule *m, StrId base)
{
	u32 at = base.i * 2;
	return at + 1 < m->name_suffix.n && m->name_suffix.p[at] == m->names_epoch ? m->name_suffix.p[at + 1] : 0;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Does the name equal a base with a number that was already assigned? */
static bool is_numbered(const IrModule *m, Str name)
{
	u64 number = 0, place = 1;
	u32 n = name.n;
	for (; n && is_digit(name.p[n - 1]) && place <= UINT32_MAX; place *= 10)
		number += place * (u64)(name.p[--n] - '0');
	if (!n || n == name.n || name.p[n] == '0' || is_digit(name.p[n - 1]))
		return false;
	return number <= last_suffix(m, strtab_find(&m->s->strs, (Str){name.p, n}));
}

static bool is_taken(const IrModule *m, Str name)
{
	StrId id = strtab_find(&m->s->strs, name);
	return (id.i && id.i < m->names.n && m->names.p[id.i] == m->names_epoch) || is_numbered(m, name);
}

/* Fills the name table with the names of `func`, unless it holds them already. */
static void take_names_of(IrModule *m, IrRef func)
{
	const IrFunc *f = ir_func(m, func);
	if (ir_same(m->names_of, func))
		return;
	m->names_of = func;
	m->names_epoch++;
	for (u32 i = 0; i < f->n_args; i++)
		name_taken(m, ir_arg(m, ir_func_arg(f, i))->name);
	ir_each_block(m, f, b) {
		name_taken(m, ir_block(m, b)->name);
		ir_each_inst(m, b, i) {
			IrInstInfo *info = ir_info(m, i);
			if (info->state & IRS_NAME_PENDING)
				continue;
			info->name = inst_name(m, info);
			info->state &= (u16)~IRS_NAME_NUMBERED;
			name_taken(m, info->name);
		}
	}
}

/* The number to append to make the name unique: 0 if the name is free, else the next free one above the last number
 * assigned to this base in the function. */
static u32 free_number(IrModule *m, StrId name)
{
	char room[NUMBERED_ROOM];
	u32  at = name.i * 2, n = last_suffix(m, name);
	if (!is_taken(m, ir_str(m, name)))
		return 0;
	do
		n++;
	while (is_taken(m, with_number(m, room, name, n)));
	if (m->name_suffix.n < at + 2)
		vec_extend(m->arena, &m->name_suffix, at + 2 - m->name_suffix.n);
	m->name_suffix.p[at] = m->names_epoch;
	m->name_suffix.p[at + 1] = n;
	return n;
}

/* An instruction's base and number are stored separately, because a pass may rename every instruction of a function, and
 * each combined name would be a new string. */
static bool number_stays_apart(const IrModule *m, IrRef r, StrId base)
{
	Str s = ir_str(m, base);
	return ir_kind(r) == IR_INST && !is_digit(s.p[s.n - 1]);
}

static StrId free_global_name(IrModule *m, StrId name)
{
	Str base = ir_str(m, name);
	for (u32 n = 0; map_get(&m->symbols, name.i); n++)
		name = strtab_add(&m->s->strs, arena_fmt(m->arena, "%.*s.%u", STR_ARG(base), n + 1));
	return name;
}

static void set_global_name(IrModule *m, IrRef r, Str name)
{
	IrGlobal *g = ir_global(m, r);
	if (g->name.i)
		map_remove(&m->symbols, g->name.i);
	g->name = (StrId){0};
	g->intrinsic = 0;
	if (!name.n)
		return;
	g->name = free_global_name(m, strtab_add(&m->s->strs, name));
	map_set(&m->symbols, g->name.i, ir_index(r));
}

static void set_inst_name(IrInstInfo *i, StrId name, u32 number)
{
	i->name = name;
	i->state &= (u16)~IRS_NAME_NUMBERED;
	if (!number)
		return;
	i->state |= IRS_NAME_NUMBERED;
	i->number = number;
}

void ir_set_name(IrModule *m, IrRef r, Str name)
{
	if (ir_kind(r) == IR_GLOBAL) {
		set_global_name(m, r, name);
		return;
	}
	StrId id = strtab_add(&m->s->strs, name);
	IrRef func;
	bool  pending = false;
	if (ir_kind(r) == IR_INST) {
		IrInstInfo *i = ir_info(m, r);
		IrRef       block = ir_inst(m, r)->block;
		if (!block.i) {
			set_inst_name(i, id, 0);
			i->state |= IRS_NAME_PENDING;
			return;
		}
		pending = i->state & IRS_NAME_PENDING;
		i->state &= (u16)~IRS_NAME_PENDING;
		func = ir_block(m, block)->func;
	} else {
		func = ir_kind(r) == IR_ARG ? ir_arg(m, r)->func : ir_block(m, r)->func;
	}
	if (ir_name(m, r).i == id.i && !pending)
		return;
	take_names_of(m, func);
	u32  n = id.i ? free_number(m, id) : 0;
	bool apart = n && number_stays_apart(m, r, id);
	if (n && !apart) {
		char room[NUMBERED_ROOM];
		id = strtab_add(&m->s->strs, with_number(m, room, id, n));
	}
	if (!apart)
		name_taken(m, id);
	if (ir_kind(r) == IR_INST)
		set_inst_name(ir_info(m, r), id, apart ? n : 0);
	else if (ir_kind(r) == IR_ARG)
		ir_arg(m, r)->name = id;
	else
		ir_block(m, r)->name = id;
}

/* ---- what a pointer points to ---- */

static bool is_same_address(const IrModule *m, IrRef p)
{
	u32 op = ir_kind(p) == IR_INST ? ir_inst(m, p)->op : (u32)IR_OP_NONE;
	if (op != IR_GETELEMENTPTR)
		return op == IR_ADDRSPACECAST || op == IR_BITCAST;
	for (u32 i = 1; i < ir_n_ops(m, p); i++)
		if (!ir_is_const(m, ir_op(m, p, i)) || !ir_is_zero(m, ir_op(m, p, i)))
			return false;
	return true;
}

IrRef ir_alloca_of(const IrModule *m, IrRef p)
{
	for (u32 steps = 0; is_same_address(m, p) && steps < IR_MOST_STEPS; steps++)
		p = ir_op(m, p, 0);
	return ir_kind(p) == IR_INST && ir_inst(m, p)->op == IR_ALLOCA ? p : IR_NO_REF;
}
