/* bitcode_md.c: metadata of a bitcode module and of its functions: strings, nodes, values, named nodes, attachments.
 *
 * A node that is used before its record is one of kind IRMD_FORWARD, which the record fills in. Numbers of a function follow those of the
 * module and end with it. Linear in the records. */
#include "ir/bitcode.h"

enum {
	STRING_OLD = 1,
	VALUE = 2,
	NODE = 3,
	NAME = 4,
	DISTINCT_NODE = 5,
	KIND = 6,
	NAMED_NODE = 10,
	ATTACHMENT = 11,
	STRINGS = 35,
	GLOBAL_DECL_ATTACHMENT = 36,
	INDEX_OFFSET = 38,
	INDEX = 39,
	ARG_LIST = 46,
};

enum { FORWARD_NODE = 1 }; /* n of a node of kind IRMD_FORWARD that may become neither a string nor a value */

/* ---- numbers ---- */

static IrMd new_node(Bc *b, IrMdNode node)
{
	IrMd id = {pages_new(&b->m->mds)};
	*ir_md(b->m, id) = node;
	return id;
}

static BcMd *slot(Bc *b, u64 number)
{
	if (number >= b->mds.n) {
		if (number >= b->next_md + bc_room(b)) { /* as many records cannot follow */
			bc_error(b, "there is no metadata %llu", (unsigned long long)number);
			return NULL;
		}
		vec_extend(b->arena, &b->mds, (u32)number + 1 - b->mds.n);
	}
	return &b->mds.p[number];
}

IrMd bc_md(Bc *b, u64 number)
{
	BcMd *x = slot(b, number);
	if (!x)
		return (IrMd){0};
	if (!x->node.i && x->string)
		x->node = ir_md_string(b->m, b->strings.p[x->string - 1]);
	if (!x->node.i) {
		x->node = new_node(b, (IrMdNode){.kind = IRMD_FORWARD, .number = (u32)number + 1});
		b->awaited_mds++;
	}
	return x->node;
}

static bool is_local(IrRef v) { return ir_kind(v) == IR_INST || ir_kind(v) == IR_ARG || ir_kind(v) == IR_BLOCK; }

IrMd bc_md_of_node(Bc *b, u64 number)
{
	IrMd md = bc_md(b, number);
	bc_check(b, !is_local(ir_md(b->m, md)->value), "a node of metadata holds a value of a function");
	return md;
}

static bool check_node(Bc *b, bool is_node) { return bc_check(b, is_node, "what has to be a node of metadata is none"); }

IrMd bc_md_node_of(Bc *b, u64 number)
{
	IrMd      md = bc_md(b, number);
	IrMdNode *node = ir_md(b->m, md);
	check_node(b, ir_md_is_node(b->m, md));
	if (node->kind == IRMD_FORWARD)
		node->n = FORWARD_NODE;
	return md;
}

IrMd bc_md_or_null(Bc *b, u64 number_plus_one) { return number_plus_one ? bc_md_of_node(b, number_plus_one - 1) : (IrMd){0}; }

Str bc_md_string(Bc *b, u64 number_plus_one)
{
	u64 number = number_plus_one - 1;
	if (!number_plus_one)
		return (Str){0};
	if (number < b->mds.n && b->mds.p[number].string)
		return b->strings.p[b->mds.p[number].string - 1];
	bc_error(b, "metadata %llu is no string", (unsigned long long)number);
	return (Str){0};
}

/* The slot of the next number; its node, if it has one, was used before. */
static BcMd *next_slot(Bc *b)
{
	if (b->next_md == b->mds.n)
		vec_extend(b->arena, &b->mds, 1);
	return &b->mds.p[b->next_md++];
}

void bc_md_define(Bc *b, IrMdNode node)
{
	BcMd *x = next_slot(b);
	node.number = b->next_md;
	if (!x->node.i) {
		x->node = new_node(b, node);
		return;
	}
	*ir_md(b->m, x->node) = node;
	b->awaited_mds--;
}

/* What was used before its record turns out to be a string or a value. */
static void define_leaf(Bc *b, IrMd awaited, IrMdNode leaf)
{
	IrMdNode *node = ir_md(b->m, awaited);
	check_node(b, node->n != FORWARD_NODE);
	*node = leaf;
	b->awaited_mds--;
}

/* ---- records ---- */

static void define_string(Bc *b, Str s)
{
	vec_push(b->arena, &b->strings, s);
	BcMd *x = next_slot(b);
	x->string = b->strings.n;
	if (x->node.i)
		define_leaf(b, x->node, (IrMdNode){.kind = IRMD_STRING, .text = strtab_add(&b->s->strs, s)});
}

/* [count, offset] and a blob: the lengths as numbers of 6 bits, from the offset on the characters */
static void strings(Bc *b)
{
	Str blob = b->in.rec.blob;
	u64 n = bc_op(b, 0), offset = bc_op(b, 1), at = offset;
	if (!bc_lengths(b, BC_LENGTHS(2, 2)) ||
	    !bc_check(b, offset <= blob.n && n <= offset * 8 / 6, "metadata strings are cut off"))
		return;
	BcStream lengths;
	bc_open(&lengths, b->arena, (const u8 *)blob.p, offset);
	for (u64 i = 0; i < n && bc_ok(b); i++) {
		u64 length = bc_vbr(&lengths, 6);
		if (!bc_check(b, !lengths.fault && length <= blob.n - at, "metadata strings are cut off"))
			return;
		define_string(b, (Str){blob.p + at, (u32)length});
		at += length;
	}
}

/* Operands are numbers + 1; those pushed on b->ops become a list in md_ops. */
static void node(Bc *b, bool distinct)
{
	u32 n = b->in.rec.n;
	b->ops.n = 0;
	for (u32 i = 0; i < n; i++)
		vec_push(b->arena, &b->ops, bc_md_or_null(b, b->in.rec.op[i]).i);
	u32 first = b->m->md_ops.n;
	for (u32 i = 0; i < n && bc_ok(b); i++)
		vec_push(b->arena, &b->m->md_ops, b->ops.p[i]);
	bc_md_define(b, (IrMdNode){.kind = IRMD_NODE, .distinct = distinct, .first = first, .n = n});
}

static void arg_list(Bc *b)
{
	u32 first = b->m->md_ops.n, n = b->in.rec.n;
	for (u32 i = 0; i < n && bc_ok(b); i++) {
		IrMd md = bc_md(b, b->in.rec.op[i]);
		bc_check(b, ir_md(b->m, md)->kind == IRMD_VALUE, "a list of arguments has one that is no value");
		vec_push(b->arena, &b->m->md_ops, md.i);
	}
	StrId name = strtab_add(&b->s->strs, STR("DIArgList"));
	bc_md_define(b, (IrMdNode){.kind = IRMD_ARGS, .text = name, .first = first, .n = n});
}

/* [type, value] */
static void value(Bc *b)
{
	IrType t = bc_lengths(b, BC_LENGTHS(2, 2)) ? bc_type(b, bc_op(b, 0)) : (IrType){0};
	if (!bc_ok(b))
		return;
	if (!bc_check(b, bc_is_value_type(b->m, t) || t.i == IR_TY_LABEL, "metadata wraps something that is no value"))
		return;
	IrRef v = bc_is_unkept(b, bc_op(b, 1)) ? ir_const_poison(b->m, t)
	          : b->func                    ? bc_value(b, bc_op(b, 1), t)
	                                       : bc_const(b, bc_op(b, 1));
	if (!bc_ok(b) || !bc_check(b, ir_type_same(ir_type_of(b->m, v), t), "metadata wraps a value of another type"))
		return;
	BcMd *x = next_slot(b);
	if (!x->node.i) {
		x->node = ir_md_value(b->m, v);
		return;
	}
	if (!bc_check(b, !is_local(v), "a node of metadata holds a value of a function"))
		return;
	/* It was used before: two nodes for one value, the second of which nothing looks up. */
	define_leaf(b, x->node, (IrMdNode){.kind = IRMD_VALUE, .value = v});
}

static void named_node(Bc *b)
{
	IrModule *m = b->m;
	u32       first, n = b->in.rec.n;
	StrId     name = strtab_add(&b->s->strs, b->md_name);
	b->ops.n = 0;
	for (u32 i = 0; i < n && bc_ok(b); i++)
		vec_push(b->arena, &b->ops, bc_md_node_of(b, b->in.rec.op[i]).i);
	first = m->md_ops.n;
	for (u32 i = 0; i < n && bc_ok(b); i++)
		vec_push(b->arena, &m->md_ops, b->ops.p[i]);
	if (!bc_ok(b) || !bc_check(b, b->md_name.p != NULL, "a list of metadata has no name"))
		return;
	vec_push(b->arena, &m->named_md, ((IrNamedMd){name, first, n, 0}));
	b->md_name = (Str){0};
}

/* ---- attachments ---- */

void bc_md_attach(Bc *b, u32 *list, IrMd *dbg, u32 from)
{
	while (*list)
		list = &((IrAttach *)pages_at(&b->m->attach, *list))->next;
	for (u32 i = from; i + 1 < b->in.rec.n && bc_ok(b); i += 2) {
		u64  kind = b->in.rec.op[i];
		IrMd md = bc_md_of_node(b, b->in.rec.op[i + 1]);
		if (!bc_check(b, kind < b->md_kinds.n && b->md_kinds.p[kind], "metadata of an unknown kind is attached"))
			return;
		if (dbg && kind == 0) {
			*dbg = md;
			continue;
		}
		u32       id = pages_new(&b->m->attach);
		IrAttach *a = pages_at(&b->m->attach, id);
		a->kind = (StrId){b->md_kinds.p[kind]};
		a->node = md;
		*list = id;
		list = &a->next;
	}
}

static void global_attachment(Bc *b)
{
	IrRef g = bc_check(b, b->in.rec.n & 1, "a record is too short") ? bc_const(b, bc_op(b, 0)) : IR_NO_REF;
	if (bc_ok(b) && bc_check(b, ir_kind(g) == IR_GLOBAL, "metadata is attached to something that is no global"))
		bc_md_attach(b, &ir_global(b->m, g)->md, NULL, 1);
}

void bc_md_attachment_block(Bc *b)
{
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		if (e == BC_BLOCK) {
			bc_skip(&b->in);
			continue;
		}
		if (b->in.rec.code != ATTACHMENT)
			continue;
		u64 at = bc_op(b, 0);
		if (!bc_need(b, 1))
			return;
		if (!(b->in.rec.n & 1)) {
			bc_md_attach(b, &ir_global(b->m, b->func->ref)->md, NULL, 0);
			continue;
		}
		IrRef inst = bc_inst_at(b, at);
		if (!bc_check(b, inst.i != 0, "metadata is attached to an instruction that is not there"))
			return;
		IrInstInfo *info = ir_info(b->m, inst);
		bc_md_attach(b, &info->md, &info->dbg, 1);
	}
}

/* ---- blocks ---- */

static void kind(Bc *b)
{
	u64 n = bc_op(b, 0);
	if (!bc_need(b, 2) || !bc_check(b, n < 4096, "a kind of metadata has too large a number"))
		return;
	if (n >= b->md_kinds.n)
		vec_extend(b->arena, &b->md_kinds, (u32)n + 1 - b->md_kinds.n);
	if (!bc_check(b, !b->md_kinds.p[n], "two kinds of metadata have one number"))
		return;
	b->md_kinds.p[n] = bc_chars(b, 1).i;
}

void bc_md_kind_block(Bc *b)
{
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		if (e == BC_BLOCK)
			bc_skip(&b->in);
		else if (b->in.rec.code == KIND)
			kind(b);
	}
}

static void record(Bc *b)
{
	if (b->md_name.p && !bc_check(b, b->in.rec.code == NAMED_NODE, "a name of metadata is that of no list"))
		return;
	switch (b->in.rec.code) {
	case STRING_OLD: define_string(b, bc_char_str(b, 0, b->in.rec.n)); break;
	case VALUE: value(b); break;
	case NODE: node(b, false); break;
	case DISTINCT_NODE: node(b, true); break;
	case NAME: b->md_name = bc_char_str(b, 0, b->in.rec.n); break;
	case KIND: kind(b); break;
	case NAMED_NODE: named_node(b); break;
	case STRINGS: strings(b); break;
	case GLOBAL_DECL_ATTACHMENT: global_attachment(b); break;
	case INDEX_OFFSET:
	case INDEX: break;
	case ARG_LIST: arg_list(b); break;
	default:
		if (!bc_di_record(b))
			bc_unknown(b, "metadata record", b->in.rec.code);
	}
}

void bc_md_block(Bc *b)
{
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		if (e == BC_BLOCK)
			bc_skip(&b->in);
		else
			record(b);
	}
}
