/* parse_uses.c: the directives that say in which order a value's uses come, and ThinLTO's summaries. Both are checked and forgotten:
 * lists of uses here have the order of the text, and nothing is imported by a summary.
 *
 *   uselistorder i32 %x, { 1, 0 }      at the end of a body, or of the module
 *   uselistorder_bb @f, %b, { 1, 0 }   at the end of the module
 *   ^0 = gv: (…)                       a summary
 *
 * Linear in the indices and in the uses of the value. */
#include "ir/parse.h"

/* { 1, 0, 2 }: each number below their count, once, in another order than theirs. Returns how many there are. */
static u32 indices(Parser *p)
{
	u32      base = p->scratch.n;
	SrcRange place = irp_token_range(p);
	irp_expect(p, '{', "'{' and the order of the uses");
	do {
		u32 i = 0;
		irp_u32(p, UINT32_MAX, "the number of a use", &i);
		vec_push(p->arena, &p->scratch, i);
	} while (accept(p, ',') && !p->panic);
	irp_expect(p, '}', "',' or '}' in the order of the uses");
	u32  n = p->scratch.n - base;
	bool ordered = true, good = !p->panic;
	u8  *seen = arena_array(p->arena, u8, n + 1);
	for (u32 k = 0; good && k < n; k++) {
		u32 i = p->scratch.p[base + k];
		ordered &= i == k;
		good = i < n && !seen[i];
		if (good)
			seen[i] = 1;
	}
	p->scratch.n = base;
	if (!p->panic && (!good || ordered))
		PARSE_ERROR(p, place, IR_USE_ORDER, n ? n - 1 : 0);
	return n;
}

/* Of a block the branches and its address count, of other values every use. */
static u32 count_uses(const IrModule *m, IrRef v)
{
	u32 n = 0;
	ir_each_use(m, v, u) {
		IrRef user = ir_use(m, u)->user;
		n += ir_kind(v) != IR_BLOCK || ir_kind(user) != IR_INST || ir_inst(m, user)->op != IR_PHI;
	}
	return n;
}

static void check_count(Parser *p, SrcRange place, IrRef v, u32 n)
{
	u32 kind = ir_kind(v);
	if (kind != IR_ARG && kind != IR_INST && kind != IR_BLOCK && kind != IR_GLOBAL)
		return; /* constants have no lists of their own */
	if (kind == IR_BLOCK && p->addresses.n)
		return; /* some of its addresses may be among those that are not known yet */
	if (kind == IR_GLOBAL && p->defer) {
		p->undeferrable = true;
	} else if (!p->m->use_lists) {
		p->order.unsure = true; /* the body is read once more */
	} else {
		u32 uses = count_uses(p->m, v);
		if (uses != n)
			PARSE_ERROR(p, place, IR_USE_COUNT, uses, n);
	}
}

void irp_use_order(Parser *p)
{
	SrcRange place = irp_token_range(p);
	irp_next(p);
	IrRef v = irp_type_value(p);
	irp_expect(p, ',', "','");
	u32 n = p->panic ? 0 : indices(p);
	if (!p->panic)
		check_count(p, place, v, n);
}

void irp_use_order_of_block(Parser *p)
{
	SrcRange place = irp_token_range(p);
	irp_next(p);
	if (!at(p, T_GLOBAL) && !at(p, T_GLOBAL_NUM))
		irp_expected(p, "a function");
	if (p->panic)
		return;
	IrRef   f = at(p, T_GLOBAL) ? ir_find_global(p->m, irp_token_str(p))
	                            : ir_ref(IR_GLOBAL, irp_num_get(&p->globals_num, p->t.num));
	IrFunc *func = ir_index(f) && f.i ? ir_func(p->m, f) : NULL;
	if (!func)
		irp_expected(p, "a function that is defined further up");
	irp_next(p);
	irp_expect(p, ',', "','");
	if (!p->panic && !at(p, T_LOCAL))
		irp_expected(p, "the name of a block");
	IrRef b = p->panic || p->defer ? IR_NO_REF : irp_find_block(p->m, func, irp_token_strid(p), 0);
	if (!p->panic && !p->defer && !b.i)
		irp_expected(p, "the name of a block of that function");
	p->undeferrable |= p->defer;
	irp_next(p);
	irp_expect(p, ',', "','");
	u32 n = p->panic ? 0 : indices(p);
	if (!p->panic && b.i)
		check_count(p, place, b, n);
}

/* ^7 = WORD: and a number, or what stands in parentheses */
void irp_summary(Parser *p)
{
	static const struct {
		const char *label;
		bool        number;
	} entries[] = {{"gv:", false}, {"module:", false}, {"typeid:", false}, {"flags:", true}, {"blockcount:", true}};
	u32 row = 0, open = 0;
	irp_next(p);
	irp_expect(p, '=', "'='");
	while (row < PS_COUNT(entries) &&
	       !(at(p, T_LABEL) && str_is((Str){p->t.p, (u32)(p->t.end - p->t.p)}, entries[row].label)))
		row++;
	if (row == PS_COUNT(entries))
		irp_expected(p, "gv:, module:, typeid:, flags: or blockcount:");
	irp_next(p);
	if (p->panic)
		return;
	if (entries[row].number) {
		u64 value;
		irp_u64(p, "a number", &value);
		return;
	}
	if (!at(p, '('))
		irp_expected(p, "'('");
	do {
		open += at(p, '(');
		open -= at(p, ')');
		irp_next(p);
	} while (open && !at(p, T_EOF) && !p->panic);
	if (open && !p->panic)
		irp_expected(p, "')' at the end of a summary");
}
