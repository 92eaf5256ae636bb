/* md.c: metadata nodes, attachments, and queries on !nvvm.annotations.
 *
 * Nodes are records with their operands in md_ops. Attachments are linked lists ordered by kind, which clones share until one
 * is edited. Lookups are linear in a node's operands or an owner's attachments. */
#include "base/hash.h"
#include "ir/intern.h"
#include "ir/internal.h"

IrMd ir_md_string(IrModule *m, Str s)
{
	StrId     text = strtab_add(&m->s->strs, s);
	u32       hash = (u32)hash_u64(text.i);
	IrIntern *t = &m->md_strings;
	for (u32 at = intern_start(t, hash), id; (id = intern_id(t, at)) != 0; at = intern_next(t, at))
		if (intern_hash(t, at) == hash && ir_md(m, (IrMd){id})->text.i == text.i)
			return (IrMd){id};
	IrMd n = {pages_new(&m->mds)};
	*ir_md(m, n) = (IrMdNode){.kind = IRMD_STRING, .text = text};
	ir_intern_add(m->arena, t, hash, n.i);
	return n;
}

IrMd ir_md_value(IrModule *m, IrRef v)
{
	bool fresh;
	u64 *at = map_put(&m->value_md, v.i, &fresh);
	if (fresh) {
		IrMd n = {pages_new(&m->mds)};
		*ir_md(m, n) = (IrMdNode){.kind = IRMD_VALUE, .value = v};
		*at = n.i;
		ir_note_local_md(m, v);
	}
	return (IrMd){(u32)*at};
}

IrMd ir_md_node(IrModule *m, const IrMd *ops, u32 n, bool distinct)
{
	IrMd id = {pages_new(&m->mds)};
	*ir_md(m, id) = (IrMdNode){.kind = IRMD_NODE, .distinct = distinct, .first = m->md_ops.n, .n = n};
	for (u32 i = 0; i < n; i++)
		vec_push(m->arena, &m->md_ops, ops[i].i);
	return id;
}

IrMd ir_md_op(const IrModule *m, IrMd node, u32 i)
{
	const IrMdNode *n = ir_md(m, node);
	return n->kind == IRMD_NODE && i < n->n ? (IrMd){m->md_ops.p[n->first + i]} : (IrMd){0};
}

/* ---- attachments ---- */

static u32 *attach_list(const IrModule *m, IrRef r) { return ir_kind(r) == IR_INST ? &ir_info(m, r)->md : &ir_global(m, r)->md; }

IrMd ir_attached(const IrModule *m, IrRef r, const char *kind)
{
	if (ir_kind(r) == IR_INST && strcmp(kind, "dbg") == 0)
		return ir_info(m, r)->dbg;
	for (u32 a = *attach_list(m, r); a;) {
		const IrAttach *at = pages_at(&m->attach, a);
		if (str_is(ir_str(m, at->kind), kind))
			return at->node;
		a = at->next;
	}
	return (IrMd){0};
}

u32 ir_next_attached(const IrModule *m, IrRef r, u32 at)
{
	return at ? ((const IrAttach *)pages_at(&m->attach, at))->next : *attach_list(m, r);
}

void ir_attach(IrModule *m, IrRef r, const char *kind, IrMd node)
{
	if (ir_kind(r) == IR_INST && strcmp(kind, "dbg") == 0) {
		ir_info(m, r)->dbg = node;
		return;
	}
	/* Lists may be shared with a clone: an edited list is copied first. */
	u32 old = *attach_list(m, r), first = 0, *tail = &first;
	for (; old; old = ((IrAttach *)pages_at(&m->attach, old))->next) {
		const IrAttach *from = pages_at(&m->attach, old);
		if (str_is(ir_str(m, from->kind), kind))
			continue;
		u32       id = pages_new(&m->attach);
		IrAttach *to = pages_at(&m->attach, id);
		*to = (IrAttach){0, from->kind, from->node};
		*tail = id;
		tail = &to->next;
	}
	if (node.i) {
		u32 id = pages_new(&m->attach);
		*(IrAttach *)pages_at(&m->attach, id) = (IrAttach){0, strtab_add(&m->s->strs, str_of(kind)), node};
		*tail = id;
	}
	*attach_list(m, r) = first;
}

IrProf ir_branch_weights(const IrModule *m, IrRef term, u64 *w, u32 n)
{
	IrMd            md = ir_attached(m, term, "prof"), kind = md.i ? ir_md_op(m, md, 0) : md;
	const IrMdNode *k = kind.i ? ir_md(m, kind) : NULL;
	u64             any = 0;
	if (!k || k->kind != IRMD_STRING || !str_is(ir_str(m, k->text), "branch_weights"))
		return IR_PROF_NONE;
	u32 all = ir_md(m, md)->n;
	if (all < n + 1 || all > n + 2) /* a word may stand between the kind and the weights: who said so */
		return IR_PROF_WRONG;
	for (u32 i = 0; i < n; i++) {
		const IrMdNode *x = ir_md(m, ir_md_op(m, md, all - n + i));
		if (x->kind != IRMD_VALUE || !ir_as_int(m, x->value, &w[i]))
			return IR_PROF_WRONG;
		any |= w[i];
	}
	return any ? IR_PROF_WEIGHTS : IR_PROF_ZERO;
}

/* ---- reading nodes ---- */

const IrMdField *ir_md_field(const IrModule *m, IrMd node, const char *name)
{
	const IrMdNode *n = ir_md(m, node);
	if (!node.i || n->kind != IRMD_SPEC)
		return NULL;
	for (u32 i = 0; i < n->n; i++) {
		const IrMdField *f = &m->md_fields.p[n->first + i];
		if (str_is(ir_str(m, f->name), name))
			return f;
	}
	return NULL;
}

IrMd ir_md_field_node(const IrModule *m, IrMd node, const char *name)
{
	const IrMdField *f = ir_md_field(m, node, name);
	return (IrMd){f && f->kind == IRMF_MD ? f->a : 0};
}

u64 ir_md_field_int(const IrModule *m, IrMd node, const char *name)
{
	const IrMdField *f = ir_md_field(m, node, name);
	return f && f->kind == IRMF_INT && !f->a ? f->bits : 0;
}

Str ir_md_field_str(const IrModule *m, IrMd node, const char *name)
{
	const IrMdField *f = ir_md_field(m, node, name);
	if (f && f->kind == IRMF_STRING)
		return ir_str(m, (StrId){f->a});
	IrMd s = ir_md_field_node(m, node, name);
	return s.i && ir_md(m, s)->kind == IRMD_STRING ? ir_str(m, ir_md(m, s)->text) : STR("");
}

Str ir_md_field_word(const IrModule *m, IrMd node, const char *name)
{
	const IrMdField *f = ir_md_field(m, node, name);
	return f && f->kind == IRMF_NAME ? ir_str(m, (StrId){f->a}) : STR("");
}

bool ir_md_field_has(const IrModule *m, IrMd node, const char *name, const char *word)
{
	Str s = ir_md_field_word(m, node, name), w = str_of(word);
	for (u32 i = 0; i + w.n <= s.n; i++) {
		bool begins = i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '|';
		bool ends = i + w.n == s.n || s.p[i + w.n] == ' ' || s.p[i + w.n] == '|';
		if (begins && ends && memcmp(s.p + i, w.p, w.n) == 0)
			return true;
	}
	return false;
}

IrNamedMd *ir_named_md(const IrModule *m, const char *name)
{
	for (u32 i = 0; i < m->named_md.n; i++)
		if (str_is(ir_str(m, m->named_md.p[i].name), name))
			return &m->named_md.p[i];
	return NULL;
}

void ir_named_md_add(IrModule *m, const char *name, IrMd node)
{
	IrNamedMd *n = ir_named_md(m, name);
	if (!n) {
		vec_push(m->arena, &m->named_md, ((IrNamedMd){strtab_add(&m->s->strs, str_of(name)), m->md_ops.n, 0, 0}));
		n = &vec_last(&m->named_md);
	}
	if (n->first + n->n != m->md_ops.n) { /* not the last list: it moves to the end */
		u32 first = m->md_ops.n;
		for (u32 i = 0; i < n->n; i++) {
			u32 op = m->md_ops.p[n->first + i];
			vec_push(m->arena, &m->md_ops, op);
		}
		n->first = first;
	}
	vec_push(m->arena, &m->md_ops, node.i);
	n->n++;
	ir_annotations_changed(m);
}

u32 ir_dbg_line(const IrModule *m, IrMd loc) { return (u32)ir_md_field_int(m, loc, "line"); }
u32 ir_dbg_column(const IrModule *m, IrMd loc) { return (u32)ir_md_field_int(m, loc, "column"); }

IrMd ir_dbg_file(const IrModule *m, IrMd loc)
{
	IrMd scope = ir_md_field_node(m, loc, "scope"), file = {0};
	for (u32 depth = 0; scope.i && !file.i && depth < 64; depth++) {
		file = ir_md_field_node(m, scope, "file");
		scope = ir_md_field_node(m, scope, "scope");
	}
	return file;
}

Str ir_dbg_file_name(const IrModule *m, IrMd file) { return ir_md_field_str(m, file, "filename"); }

/* ---- !nvvm.annotations: !{ptr @f, !"key", i32 value, !"key", i32 value, …} ---- */

static bool annotated(const IrModule *m, IrMd node, IrRef global, const char *key, u32 *nth, u64 *value)
{
	const IrMdNode *n = ir_md(m, node);
	IrMd            who = ir_md_op(m, node, 0);
	if (n->kind != IRMD_NODE || !who.i || !ir_same(ir_md(m, who)->value, global))
		return false;
	for (u32 i = 1; i + 1 < n->n; i += 2) {
		IrMd k = ir_md_op(m, node, i), v = ir_md_op(m, node, i + 1);
		if (!k.i || !v.i || ir_md(m, k)->kind != IRMD_STRING || !str_is(ir_str(m, ir_md(m, k)->text), key))
			continue;
		if (ir_md(m, v)->kind == IRMD_VALUE && ir_as_int(m, ir_md(m, v)->value, value) && (*nth)-- == 0)
			return true;
	}
	return false;
}

/* The rows of !nvvm.annotations by the global that they name, each chain in the order of the rows. */
struct IrAnnotations {
	bool   valid;
	Map    first; /* global → its first row + 1 */
	VecU32 next;  /* by row: the next row of that global + 1; 0: none */
};

struct IrAnnotations *ir_annotations_new(Arena *a) { return arena_new(a, struct IrAnnotations); }

void ir_annotations_changed(IrModule *m) { m->annotations->valid = false; }

static void index_annotations(const IrModule *m, const IrNamedMd *all, struct IrAnnotations *x)
{
	map_init(&x->first, m->arena);
	x->next.n = 0;
	vec_extend(m->arena, &x->next, all->n);
	for (u32 i = all->n; i-- > 0;) {
		IrMd node = {m->md_ops.p[all->first + i]}, who = {0};
		if (ir_md(m, node)->kind == IRMD_NODE)
			who = ir_md_op(m, node, 0);
		if (!who.i || ir_kind(ir_md(m, who)->value) != IR_GLOBAL)
			continue;
		bool fresh;
		u64 *first = map_put(&x->first, ir_md(m, who)->value.i, &fresh);
		x->next.p[i] = fresh ? 0 : (u32)*first;
		*first = i + 1;
	}
	x->valid = true;
}

bool ir_annotation(const IrModule *m, IrRef global, const char *key, u32 nth, u64 *value)
{
	const IrNamedMd      *all = ir_named_md(m, "nvvm.annotations");
	struct IrAnnotations *x = m->annotations;
	if (!all)
		return false;
	if (!x->valid)
		index_annotations(m, all, x);
	for (u32 row = (u32)map_or(&x->first, global.i, 0); row; row = x->next.p[row - 1])
		if (annotated(m, (IrMd){m->md_ops.p[all->first + row - 1]}, global, key, &nth, value))
			return true;
	return false;
}

IrUnroll ir_unroll(const IrModule *m, IrRef terminator)
{
	IrMd loop = ir_attached(m, terminator, "llvm.loop");
	for (u32 k = 0; loop.i && k < ir_md(m, loop)->n; k++) {
		IrMd op = ir_md_op(m, loop, k);
		if (!op.i || op.i == loop.i || ir_md(m, op)->kind != IRMD_NODE || !ir_md(m, op)->n)
			continue;
		IrMd key = ir_md_op(m, op, 0);
		if (!key.i || ir_md(m, key)->kind != IRMD_STRING)
			continue;
		u64 count;
		Str text = ir_str(m, ir_md(m, key)->text);
		if (str_is(text, "llvm.loop.unroll.disable"))
			return IR_UNROLL_NOT;
		if (str_is(text, "llvm.loop.unroll.enable") || str_is(text, "llvm.loop.unroll.full"))
			return IR_UNROLL_WANTED;
		if (str_is(text, "llvm.loop.unroll.count") && ir_md(m, op)->n > 1 &&
		    ir_as_int(m, ir_md(m, ir_md_op(m, op, 1))->value, &count))
			return count == 1 ? IR_UNROLL_NOT : IR_UNROLL_WANTED;
	}
	return IR_UNROLL_OPEN;
}

IrMd ir_md_inlined_at(const IrModule *m, IrMd loc) { return ir_md_field_node(m, loc, "inlinedAt"); }
