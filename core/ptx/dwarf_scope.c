/* dwarf_scope.c: entries of what is in a function: its variables, lexical blocks, and functions that were inlined.
 *
 *	DW_TAG_subprogram sq, DW_AT_inline           the abstract function: names, types and lines, once for the module
 *	  DW_TAG_formal_parameter v
 *	DW_TAG_subprogram k                          a function with code
 *	  DW_TAG_lexical_block                       from a label to a label
 *	    DW_TAG_variable i
 *	    DW_TAG_inlined_subroutine                refers to the abstract function, tells of the call
 *	      DW_TAG_formal_parameter                refers to the abstract v, tells where it is here
 *
 * Needs the plan of the function (dwarf_plan.c). A lexical block without variables and imports has no entry of its own: what is in it
 * stands in the entry around it. Names and types are added when the module ends, in LLVM's order. Linear in the entries. */
#include "base/sort.h"
#include "mir/debug.h"
#include "ptx/dwarf.h"

/* ---- abstract entries ---- */

Die *dw_abstract_find(const Dwarf *d, IrMd n)
{
	u64 at = map_or(&d->abstract, n.i, 0);
	return at ? d->die.p[at - 1] : NULL;
}

static void set_abstract(Dwarf *d, IrMd n, Die *die)
{
	vec_push(d->arena, &d->die, die);
	map_set(&d->abstract, n.i, d->die.n);
}

static void describe_variable(Dwarf *d, Die *die, IrMd v)
{
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, v, "name"));
	dw_align(d, die, v);
	dw_place(d, die, v);
	dw_type_ref(d, die, dw_node(d, v, "type"));
	if (dw_flag(d, v, "flags", "DIFlagArtificial"))
		dw_form(d, die, DW_AT_artificial, DW_FORM_flag, 1);
}

static void describe_label(Dwarf *d, Die *die, IrMd n)
{
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, n, "name"));
	dw_place(d, die, n);
	if (dw_int(d, n, "line") && dw_int(d, n, "column"))
		dw_number(d, die, DW_AT_decl_column, dw_int(d, n, "column"));
}

static u32 variable_tag(const Dwarf *d, IrMd v) { return dw_int(d, v, "arg") ? DW_TAG_formal_parameter : DW_TAG_variable; }

/* The abstract entry that what is in the block stands in: its own where it has variables. NULL: it is of another function. */
static Die *abstract_block(Dwarf *d, IrMd block, u32 depth)
{
	Die *die = dw_abstract_find(d, block);
	Str  kind = dw_kind(d, block);
	if (die || depth > DW_MAX_SCOPES)
		return die;
	if (str_is(kind, "DILexicalBlockFile") ||
	    (str_is(kind, "DILexicalBlock") && depth && !map_or(&d->has_variables, block.i, 0)))
		return abstract_block(d, dw_node(d, block, "scope"), depth + 1);
	Die *parent = str_is(kind, "DILexicalBlock") ? abstract_block(d, dw_node(d, block, "scope"), depth + 1) : NULL;
	if (!parent)
		return NULL;
	die = dw_new(d, parent, DW_TAG_lexical_block);
	set_abstract(d, block, die);
	return die;
}

static Die *abstract_variable(Dwarf *d, IrMd v)
{
	Die *die = dw_abstract_find(d, v), *parent;
	if (die || !(parent = abstract_block(d, dw_node(d, v, "scope"), 0)))
		return die;
	die = dw_new(d, parent, variable_tag(d, v));
	set_abstract(d, v, die);
	describe_variable(d, die, v);
	return die;
}

static Die *abstract_label(Dwarf *d, IrMd n)
{
	Die *die = dw_abstract_find(d, n), *parent;
	if (die || !(parent = abstract_block(d, dw_node(d, n, "scope"), 1)))
		return die;
	die = dw_new(d, parent, DW_TAG_label);
	set_abstract(d, n, die);
	describe_label(d, die, n);
	return die;
}

/* The pointer to the object of which the function is a member. */
static bool is_object(const Dwarf *d, IrMd v)
{
	return str_is(dw_kind(d, v), "DILocalVariable") && dw_flag(d, v, "flags", "DIFlagObjectPointer");
}

static bool has_entry(const DwVariable *v) { return !v->at.i || !ir_is_none(v->slot) || v->range.n; }

/* Variables and labels of a function that was inlined: those that have a place here, then the others that the node names. */
static VecU32 local_nodes(const Dwarf *d, IrMd sp)
{
	const DwPlan *p = d->plan;
	IrMd          retained = dw_node(d, sp, "retainedNodes");
	VecU32        node = {0};
	for (u32 i = 0; i < p->variable.n; i++) {
		const DwVariable *v = &p->variable.p[i];
		if (v->at.i && v->scope != ~0u && has_entry(v) && dw_function_around(d, dw_node(d, v->node, "scope")).i == sp.i)
			vec_push(d->a->arena, &node, v->node.i);
	}
	for (u32 i = 0; i < p->source_label.n; i++)
		if (p->source_label.p[i].at.i && dw_function_around(d, dw_node(d, p->source_label.p[i].node, "scope")).i == sp.i)
			vec_push(d->a->arena, &node, p->source_label.p[i].node.i);
	for (u32 i = 0; retained.i && i < ir_md(d->a->ir, retained)->n; i++)
		vec_push(d->a->arena, &node, ir_md_op(d->a->ir, retained, i).i);
	return node;
}

/* The order of what is in a function: its parameters by their numbers, the rest in groups. */
enum { LOCAL_VARIABLE = 1 << 16, LOCAL_LABEL, LOCAL_INNER, LOCAL_IMPORT };

static u32 local_rank(const Dwarf *d, IrMd n)
{
	u64 number = dw_int(d, n, "arg");
	if (number)
		return (u32)PS_MIN(number, LOCAL_VARIABLE - 1u);
	if (dw_is_import(d, n))
		return LOCAL_IMPORT;
	if (!str_is(dw_kind(d, dw_node(d, n, "scope")), "DISubprogram"))
		return LOCAL_INNER;
	return str_is(dw_kind(d, n), "DILabel") ? LOCAL_LABEL : LOCAL_VARIABLE;
}

static int by_rank(const void *a, const void *b, void *user)
{
	u32 x = local_rank(user, (IrMd){*(const u32 *)a}), y = local_rank(user, (IrMd){*(const u32 *)b});
	return x < y ? -1 : x > y;
}

static void abstract_variables(Dwarf *d, IrMd sp, Die *die)
{
	VecU32 node = local_nodes(d, sp);
	for (u32 i = 0; i < node.n; i++)
		if (!str_is(dw_kind(d, (IrMd){node.p[i]}), "DILabel"))
			map_set(&d->has_variables, dw_node(d, (IrMd){node.p[i]}, "scope").i, 1);
	sort_stable(d->a->arena, node.p, node.n, sizeof(u32), by_rank, d);
	for (u32 i = 0; i < node.n; i++) {
		IrMd n = {node.p[i]};
		if (str_is(dw_kind(d, n), "DILabel"))
			abstract_label(d, n);
		else if (str_is(dw_kind(d, n), "DILocalVariable"))
			abstract_variable(d, n);
		Die *scope = dw_is_import(d, n) ? abstract_block(d, dw_node(d, n, "scope"), 0) : NULL;
		if (scope)
			dw_import_into(d, scope, n, true);
		if (scope)
			map_set(&d->has_imports, dw_node(d, n, "scope").i, 1);
	}
	for (u32 i = 0; i < node.n; i++) {
		IrMd v = {node.p[i]};
		if (is_object(d, v) && dw_abstract_find(d, v)) {
			dw_ref(d, die, DW_AT_object_pointer, dw_abstract_find(d, v));
			break;
		}
	}
}

Die *dw_abstract_function(Dwarf *d, IrMd sp)
{
	Die    *die = dw_abstract_find(d, sp);
	DwUnit *u = die ? NULL : dw_unit_of(d, dw_node(d, sp, "unit"));
	if (die || !u || !u->full)
		return die;
	IrMd declared = dw_node(d, sp, "declaration");
	if (declared.i)
		dw_subprogram(d, u, declared);
	die = dw_new(d, declared.i ? u->die : dw_scope(d, u, dw_node(d, sp, "scope")), DW_TAG_subprogram);
	set_abstract(d, sp, die);
	dw_describe(d, die, sp);
	dw_form(d, die, DW_AT_inline, DW_FORM_data1, DW_INL_inlined);
	return die;
}

/* ---- where variables are ---- */

/* Where the stack slot lies that a value points to. */
DwSlot dw_slot_of(const Asm *a, IrRef v)
{
	const IrModule *m = a->ir;
	for (u32 i = 0; i < 16 && ir_kind(v) == IR_INST && ir_inst(m, v)->op == IR_ADDRSPACECAST; i++)
		v = ir_op(m, v, 0);
	if (ir_kind(v) != IR_INST || ir_inst(m, v)->op != IR_ALLOCA)
		return (DwSlot){0};
	for (u32 i = 0; i < a->f->frame.n; i++) {
		const MirFrameObj *o = &a->f->frame.p[i];
		if (o->ir == ir_index(v) && !o->is_dead && o->kind == MIR_FRAME_LOCAL && o->offset >= 0)
			return (DwSlot){true, (u64)o->offset};
	}
	return (DwSlot){0};
}

static void constant_value(Dwarf *d, Die *die, const DwVariable *v, const DwValue *x)
{
	bool is_unsigned = x->kind == MIR_DEBUG_FP || dw_is_unsigned(d, dw_node(d, v->node, "type"));
	dw_form(d, die, DW_AT_address_class, DW_FORM_data1, CLASS_REG);
	dw_form(d, die, DW_AT_const_value, is_unsigned ? DW_FORM_udata : DW_FORM_sdata, x->bits);
}

static void wide_constant(Dwarf *d, Die *die, const DwValue *x)
{
	u64 word[2];
	u8  bytes[16];
	dw_wide(d, x, word);
	for (u32 i = 0; i < sizeof bytes; i++)
		bytes[i] = (u8)(word[i / 8] >> i % 8 * 8);
	dw_form(d, die, DW_AT_address_class, DW_FORM_data1, CLASS_REG);
	dw_block(d, die, DW_AT_const_value, bytes, sizeof bytes, STR(""));
}

static void list_of_places(Dwarf *d, Die *die, const DwVariable *v)
{
	DwPlaces list = {0};
	u8       bytes[DW_MAX_BYTES];
	for (u32 i = 0; d->lists && i < v->range.n; i++) {
		const DwRange *r = &v->range.p[i];
		u32            n = dw_expression(d, v, &d->plan->value.p[r->value], true, bytes);
		if (!n)
			continue;
		u8 *copy = arena_array(d->arena, u8, n);
		Str end = r->end == d->plan->n ? arena_fmt(d->arena, "$L__func_end%u", d->a->f->number) : dw_label_at(d, r->end);
		memcpy(copy, bytes, n);
		vec_push(d->arena, &list, ((DwPlace){dw_label_at(d, r->begin), end, copy, n}));
	}
	if (!list.n)
		return;
	dw_label(d, die, DW_AT_location, arena_fmt(d->arena, "$L__debug_loc%u", d->list.n));
	vec_push(d->arena, &d->list, list);
}

/* A kernel's argument in memory whose address is in no register: it is where the driver has put it. nvcc's text says the same;
 * ptxas knows no such place of a function that is called. */
static bool in_parameter(Dwarf *d, Die *die, const DwVariable *v)
{
	const IrModule *m = d->a->ir;
	const IrFunc   *f = d->a->irf;
	if (ir_kind(v->slot) != IR_ARG || !ir_is_kernel(f) || v->range.n)
		return false;
	u32 number = ir_arg(m, v->slot)->number;
	if (!ir_same(ir_func_arg(f, number), v->slot) || !ir_param_byval(m, f, number).i)
		return false;
	Str symbol = arena_fmt(d->arena, "%.*s_param_%u", STR_ARG(asm_name(d->a, f->ref)), number);
	dw_address(d, die, CLASS_PARAM, symbol, 0, v->slot_expression);
	return true;
}

/* One place for all of the scope is said in the entry; several are a list. */
static void location(Dwarf *d, Die *die, const DwVariable *v)
{
	const DwPlan  *p = d->plan;
	const DwScope *s = &p->scope.p[v->scope];
	const DwRange *r = v->range.n == 1 ? &v->range.p[0] : NULL;
	DwSlot         slot = dw_slot_of(d->a, v->slot);
	u8             bytes[DW_MAX_BYTES];
	if (slot.known) {
		u32  given = dw_class_in(d, v->slot_expression);
		bool said = given != ~0u;
		dw_address(d, die, said ? given : CLASS_LOCAL, arena_fmt(d->arena, "__local_depot%u", d->a->f->number),
		           slot.offset, said ? (IrMd){0} : v->slot_expression);
		return;
	}
	if (in_parameter(d, die, v) || !v->range.n)
		return;
	if (!r || s->begin == ~0u || r->begin > s->begin || r->end < s->end) {
		list_of_places(d, die, v);
		return;
	}
	const DwValue *x = &p->value.p[r->value];
	bool           plain = dw_is_plain(d, x);
	if (plain && (x->kind == MIR_DEBUG_INT || x->kind == MIR_DEBUG_FP)) {
		constant_value(d, die, v, x);
		return;
	}
	if (plain && x->kind == MIR_DEBUG_WIDE) {
		wide_constant(d, die, x);
		return;
	}
	if (plain && x->kind == MIR_DEBUG_FRAME && x->bits & 1 && !d->a->f->frame.p[x->reg].is_dead) {
		dw_address(d, die, CLASS_LOCAL, arena_fmt(d->arena, "__local_depot%u", d->a->f->number),
		           (u64)d->a->f->frame.p[x->reg].offset + (x->bits >> 1), (IrMd){0});
		return;
	}
	if (x->kind == MIR_DEBUG_FRAME || (x->kind == DW_PIECES && x->bits > 1)) {
		list_of_places(d, die, v);
		return;
	}
	u32 n = dw_expression(d, v, x, false, bytes);
	if (!n)
		return;
	if (plain)
		dw_form(d, die, DW_AT_address_class, DW_FORM_data1, CLASS_REG);
	dw_block(d, die, DW_AT_location, bytes, n, STR(""));
}

/* ---- entries ---- */

static void variable(Dwarf *d, Die *parent, const DwVariable *v)
{
	Die *abstract = v->at.i ? abstract_variable(d, v->node) : NULL;
	if (v->at.i && (!abstract || !has_entry(v)))
		return;
	Die *die = dw_new(d, parent, variable_tag(d, v->node));
	location(d, die, v);
	if (abstract)
		dw_ref(d, die, DW_AT_abstract_origin, abstract);
	else
		vec_push(d->arena, &d->variable,
		         ((DwLater){.node = v->node, .die = die, .index = (u32)(v - d->plan->variable.p)}));
	if (!v->at.i && is_object(d, v->node))
		dw_ref(d, parent, DW_AT_object_pointer, die);
}

/* Parameters in their order, then the others as they are declared. */
static void variables(Dwarf *d, Die *die, const DwScope *s)
{
	DwPlan *p = d->plan;
	u64     highest = 0;
	for (u32 i = 0; i < s->variable.n; i++)
		highest = PS_MAX(highest, dw_int(d, p->variable.p[s->variable.p[i]].node, "arg"));
	for (u64 arg = 1; arg <= PS_MIN(highest, 4096u); arg++)
		for (u32 i = 0; i < s->variable.n; i++)
			if (dw_int(d, p->variable.p[s->variable.p[i]].node, "arg") == arg)
				variable(d, die, &p->variable.p[s->variable.p[i]]);
	for (u32 i = 0; i < s->variable.n; i++)
		if (!dw_int(d, p->variable.p[s->variable.p[i]].node, "arg"))
			variable(d, die, &p->variable.p[s->variable.p[i]]);
}

static void source_labels(Dwarf *d, Die *parent, const DwScope *s)
{
	for (u32 i = 0; i < s->label.n; i++) {
		const DwSourceLabel *l = &d->plan->source_label.p[s->label.p[i]];
		Die *abstract = l->at.i ? abstract_label(d, l->node) : NULL, *die = dw_new(d, parent, DW_TAG_label);
		if (abstract)
			dw_ref(d, die, DW_AT_abstract_origin, abstract);
		vec_push(d->arena, &d->source_label,
		         ((DwLater){.node = l->node,
		                    .die = die,
		                    .label = l->position != ~0u ? dw_label_at(d, l->position) : STR("")}));
	}
}

static void range(Dwarf *d, Die *die, const DwScope *s)
{
	dw_text(d, die, DW_AT_low_pc, DW_FORM_addr, dw_label_at(d, s->begin));
	dw_text(d, die, DW_AT_high_pc, DW_FORM_addr, dw_label_at(d, s->end));
}

static bool has_entries(const Dwarf *d, const DwScope *s)
{
	for (u32 i = 0; i < s->variable.n; i++)
		if (has_entry(&d->plan->variable.p[s->variable.p[i]]))
			return true;
	return s->import.n || (s->at.i && map_or(&d->has_imports, s->node.i, 0));
}

/* The entry that what is in the scope stands in. */
static Die *scope_entry(Dwarf *d, Die *parent, const DwScope *s)
{
	if (str_is(dw_kind(d, s->node), "DILexicalBlock")) {
		if (!has_entries(d, s))
			return parent;
		Die *die = dw_new(d, parent, DW_TAG_lexical_block);
		range(d, die, s);
		vec_push(d->arena, &d->block, ((DwLater){.node = s->node, .die = die}));
		return die;
	}
	Die *abstract = dw_abstract_function(d, s->node);
	if (!abstract)
		return NULL;
	Die *die = dw_new(d, parent, DW_TAG_inlined_subroutine);
	dw_ref(d, die, DW_AT_abstract_origin, abstract);
	range(d, die, s);
	dw_number(d, die, DW_AT_call_file, asm_file(d->a, dw_loc_file(d, s->at).i));
	dw_number(d, die, DW_AT_call_line, dw_int(d, s->at, "line"));
	if (dw_int(d, s->at, "column"))
		dw_number(d, die, DW_AT_call_column, dw_int(d, s->at, "column"));
	return die;
}

typedef struct Open {
	u32  scope;
	Die *parent;
} Open;

void dw_inlined_entries(Dwarf *d)
{
	for (u32 i = 0; i < d->plan->inlined.n; i++) {
		IrMd sp = {d->plan->inlined.p[i]};
		Die *die = dw_abstract_function(d, sp);
		bool fresh;
		map_put(&d->complete, sp.i, &fresh);
		if (die && fresh)
			abstract_variables(d, sp, die);
	}
}

static int by_index(const void *a, const void *b, void *user)
{
	const DwLater *x = a, *y = b;
	(void)user;
	return x->index < y->index ? -1 : x->index > y->index;
}

void dw_local_entries(Dwarf *d, Die *function)
{
	Vec(Open) stack = {0};
	u32 first = d->variable.n;
	vec_push(d->a->arena, &stack, ((Open){0, function}));
	while (stack.n) {
		Open     top = vec_pop(&stack);
		DwScope *s = &d->plan->scope.p[top.scope];
		Die     *die = top.scope ? scope_entry(d, top.parent, s) : function;
		if (!die)
			continue;
		variables(d, die, s);
		source_labels(d, die, s);
		for (u32 i = 0; i < s->import.n; i++)
			dw_import_into(d, die, (IrMd){s->import.p[i]}, false);
		for (u32 i = s->child.n; i-- > 0;)
			vec_push(d->a->arena, &stack, ((Open){s->child.p[i], die}));
	}
	sort_stable(d->a->arena, d->variable.p + first, d->variable.n - first, sizeof(DwLater), by_index, NULL);
}

void dw_describe_local(Dwarf *d)
{
	for (u32 i = 0; i < d->defined.n; i++) {
		Die *abstract = dw_abstract_find(d, d->defined.p[i].node);
		if (abstract)
			dw_ref(d, d->defined.p[i].die, DW_AT_abstract_origin, abstract);
		else
			dw_describe(d, d->defined.p[i].die, d->defined.p[i].node);
	}
	for (u32 i = 0; i < d->block.n; i++) {
		Die *abstract = dw_abstract_find(d, d->block.p[i].node);
		if (abstract)
			dw_ref(d, d->block.p[i].die, DW_AT_abstract_origin, abstract);
	}
	for (u32 i = 0; i < d->variable.n; i++) {
		Die *abstract = abstract_variable(d, d->variable.p[i].node);
		if (abstract)
			dw_ref(d, d->variable.p[i].die, DW_AT_abstract_origin, abstract);
		else
			describe_variable(d, d->variable.p[i].die, d->variable.p[i].node);
	}
	for (u32 i = 0; i < d->source_label.n; i++) {
		const DwLater *l = &d->source_label.p[i];
		if (!l->die->attr.n)
			describe_label(d, l->die, l->node);
		dw_text(d, l->die, DW_AT_low_pc, DW_FORM_addr, l->label);
	}
}
