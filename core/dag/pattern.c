/* pattern.c: reads patterns.def, checks it, and matches trees.
 *
 * Rows are text. Those of an operation and a type are read when they are first asked for, and sorted by score: more nodes
 * first, then more constants, then a gate. Matching walks the tree from the root over operands and binds letters; the first
 * pattern wins whose tree matches, whose gates hold and whose instructions the target has.
 *
 * An instruction's text is looked up when a pattern is about to be used, once for each spelling (with and without .ftz and
 * .rn), so rows that no function needs cost nothing. Cost of a selection: the patterns of one operation and type. */
#include "dag/pattern.h"
#include "base/sort.h"
#include "dag/lower_target.h"

typedef struct Row {
	const char *tree, *types, *result, *gate;
} Row;

static const Row rows[] = {
#define PAT(tree, types, result, gate) {tree, types, result, gate},
#include "dag/patterns.def"
};

const char *dag_pattern_text(u32 row)
{
	if (row < PS_COUNT(rows))
		return rows[row].tree;
	u32 op = row - (u32)PS_COUNT(rows);
	return op < DAG_OP_COUNT ? dag_op_info[op].name : "?";
}
u32 dag_pattern_rows(void) { return PS_COUNT(rows); }

/* ---- reading ---- */

typedef struct Reader {
	const char *p;
	Pattern    *to;
	bool        bad;
} Reader;

static const struct {
	const char *name;
	DagVt       vt;
} type_names[] = {
	{"i1", VT_I1},         {"i8", VT_I8},       {"i16", VT_I16},   {"i32", VT_I32}, {"i64", VT_I64},
	{"f16", VT_F16},       {"bf16", VT_BF16},   {"f32", VT_F32},   {"f64", VT_F64}, {"v2f16", VT_V2F16},
	{"v2bf16", VT_V2BF16}, {"v2i16", VT_V2I16}, {"v4i8", VT_V4I8},
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

static Str word(Reader *r)
{
	const char *p = r->p;
	while (is_word(*r->p))
		r->p++;
	return (Str){p, (u32)(r->p - p)};
}

static DagVt type_word(Str w)
{
	for (u32 i = 0; i < PS_COUNT(type_names); i++)
		if (str_is(w, type_names[i].name))
			return type_names[i].vt;
	return VT_NONE;
}

/* Empty: no row is of this type. */
static Str type_name(DagVt vt)
{
	for (u32 i = 0; i < PS_COUNT(type_names); i++)
		if (type_names[i].vt == vt)
			return str_of(type_names[i].name);
	return STR("");
}

static DagVt type_suffix(Reader *r)
{
	if (*r->p != ':')
		return VT_NONE;
	r->p++;
	if (*r->p == '*') {
		r->p++;
		return r->to->vt;
	}
	DagVt vt = type_word(word(r));
	r->bad |= vt == VT_NONE;
	return vt;
}

static DagOp op_word(Str w)
{
	for (u32 i = 0; i < DAG_OP_COUNT; i++)
		if (w.n && dag_op_info[i].name[0] == w.p[0] && str_is(w, dag_op_info[i].name))
			return (DagOp)i;
	return DAG_DELETED;
}

static void spaces(Reader *r)
{
	while (*r->p == ' ')
		r->p++;
}

static bool number(Str w, i64 *v)
{
	u32  i = 0;
	bool minus = w.n > 1 && w.p[0] == '-';
	i64  x = 0;
	for (i = minus; i < w.n; i++) {
		if (w.p[i] < '0' || w.p[i] > '9')
			return false;
		x = x * 10 + (w.p[i] - '0');
	}
	*v = minus ? -x : x;
	return w.n != 0;
}

static u8 read_node(Reader *r, u32 depth);

static void read_leaf(Reader *r, PatNode *x)
{
	x->kind = *r->p == '%' ? PK_REG : *r->p == '#' ? PK_IMM : PK_ANY;
	if (*r->p == '%' || *r->p == '#')
		r->p++;
	Str w = word(r);
	if (w.n == 1 && w.p[0] >= 'a' && w.p[0] < 'a' + PAT_VARS) {
		x->var = (u8)(w.p[0] - 'a');
		x->vt = type_suffix(r);
	} else if (str_is(w, "1.0")) {
		x->kind = PK_ONE;
	} else if (number(w, &x->value)) {
		x->kind = PK_INT;
	} else {
		x->kind = PK_TYPE;
		x->value = (i64)type_word(w);
		r->bad |= x->value == 0;
	}
}

static u8 read_node(Reader *r, u32 depth)
{
	spaces(r);
	if (r->to->n_nodes == PAT_NODES || depth > 3) {
		r->bad = true;
		return 0;
	}
	u8       at = (u8)r->to->n_nodes++;
	PatNode *x = &r->to->node[at];
	if (*r->p == '?') {
		x->shared = true;
		r->p++;
	}
	if (*r->p != '(') {
		read_leaf(r, x);
		return at;
	}
	r->p++;
	x->kind = PK_NODE;
	x->op = (u16)op_word(word(r));
	r->bad |= x->op == DAG_DELETED;
	x->vt = type_suffix(r);
	for (spaces(r); *r->p && *r->p != ')' && !r->bad; spaces(r)) {
		if (x->n == 4) {
			r->bad = true;
			break;
		}
		u8 c = read_node(r, depth + 1);
		x->child[x->n++] = c;
	}
	r->bad |= *r->p != ')';
	r->p += *r->p == ')';
	return at;
}

static void read_operand(Reader *r, PatInst *i, const u8 *temps)
{
	if (*r->p == '%')
		r->p++;
	Str         w = word(r);
	PatOperand *o = &i->operand[i->n++];
	o->var = PAT_VARS;
	if (number(w, &o->literal))
		return;
	if (w.n != 1) {
		r->bad = true;
		return;
	}
	for (u32 k = 0; k < PAT_INSTS; k++)
		if (temps[k] == (u8)w.p[0]) {
			o->var = (u8)(PAT_VARS + 1 + k);
			return;
		}
	o->var = (u8)(w.p[0] - 'a');
	r->bad |= o->var >= PAT_VARS;
}

static void read_result(Reader *r)
{
	u8 temps[PAT_INSTS] = {0};
	while (*r->p && !r->bad) {
		spaces(r);
		if (r->to->n_insts == PAT_INSTS) {
			r->bad = true;
			return;
		}
		PatInst *i = &r->to->inst[r->to->n_insts];
		i->vt = r->to->vt;
		if (r->p[0] && r->p[1] == ':') {
			temps[r->to->n_insts] = (u8)r->p[0];
			r->p++;
			i->vt = type_suffix(r);
			r->bad |= *r->p != '=';
			r->p += *r->p == '=';
		}
		const char *m = r->p;
		while (*r->p && *r->p != ' ' && *r->p != ';')
			r->p++;
		i->mnemonic = (Str){m, (u32)(r->p - m)};
		for (spaces(r); *r->p && *r->p != ';' && !r->bad; spaces(r)) {
			if (i->n == PAT_OPERANDS) {
				r->bad = true;
				break;
			}
			read_operand(r, i, temps);
			r->p += *r->p == ',';
		}
		r->p += *r->p == ';';
		r->to->n_insts++;
	}
}

static bool read_row(u32 row, DagVt vt, Pattern *to)
{
	memset(to, 0, sizeof *to);
	to->row = row;
	to->vt = vt;
	to->gate = str_of(rows[row].gate);
	Reader r = {.p = rows[row].tree, .to = to};
	read_node(&r, 0);
	r.p = rows[row].result;
	read_result(&r);
	for (u32 i = 0; i < to->n_nodes; i++)
		to->score += to->node[i].kind == PK_NODE ? 256u : to->node[i].kind >= PK_INT ? 16u : 0u;
	to->score += to->gate.n ? 1 : 0;
	return !r.bad;
}

/* ---- the patterns of one operation and type ---- */

/* The next word of a list with blanks between; empty at its end. */
static Str list_word(Str *list)
{
	while (list->n && *list->p == ' ')
		list->p++, list->n--;
	Str w = {list->p, 0};
	while (list->n && *list->p != ' ')
		list->p++, list->n--, w.n++;
	return w;
}

static bool has_word(Str list, Str word)
{
	for (Str w; (w = list_word(&list)).n;)
		if (str_eq(w, word))
			return true;
	return false;
}

static bool root_is(const char *tree, Str name)
{
	const char *root = tree + 1; /* behind the parenthesis */
	return root[0] == name.p[0] && strncmp(root, name.p, name.n) == 0 && !is_word(root[name.n]);
}

static int better(const void *a, const void *b, void *user)
{
	const Pattern *x = *(Pattern *const *)a, *y = *(Pattern *const *)b;
	(void)user;
	return (x->score < y->score) - (x->score > y->score);
}

static PatternList *read_list(const DagFunc *f, DagOp op, DagVt vt)
{
	Arena       *arena = f->mod->patterns->arena;
	PatternList *l = arena_new(arena, PatternList);
	Str          root = str_of(dag_op_info[op].name), type = type_name(vt);
	u32          found[PS_COUNT(rows)];
	*l = (PatternList){.vt = vt};
	for (u32 i = 0; i < PS_COUNT(rows) && type.n; i++)
		if (root_is(rows[i].tree, root) && has_word(str_of(rows[i].types), type))
			found[l->n++] = i;
	l->row = arena_array(arena, Pattern *, l->n);
	for (u32 i = 0; i < l->n; i++) {
		l->row[i] = arena_new(arena, Pattern);
		if (!read_row(found[i], vt, l->row[i]))
			ICE(f->s, "patterns.def: cannot read %s", rows[found[i]].tree);
	}
	if (l->n > 1)
		sort_stable(arena, l->row, l->n, sizeof *l->row, better, NULL);
	return l;
}

static const PatternList *patterns_of(const DagFunc *f, DagOp op, DagVt vt)
{
	PatternList **first = &f->mod->patterns->first[op], *l = *first;
	while (l && l->vt != vt)
		l = l->next;
	if (l)
		return l;
	l = read_list(f, op, vt);
	l->next = *first;
	return *first = l;
}

void dag_patterns_init(DagModule *mod)
{
	mod->patterns = arena_new(&mod->arena, DagPatterns);
	mod->patterns->arena = &mod->arena;
#ifndef NDEBUG
	Text wrong;
	text_init(&wrong, &mod->arena);
	if (!dag_patterns_check(mod->s, &mod->arena, &wrong))
		ICE(mod->s, "patterns.def: %.*s", STR_ARG(text_str(&wrong)));
#endif
}

/* ---- matching ---- */

typedef struct Match {
	DagFunc       *f;
	const Pattern *p;
	DagVal         bound[PAT_VARS];
} Match;

static bool match(Match *m, u32 at, DagVal v)
{
	const Dag     *d = &m->f->dag;
	const PatNode *x = &m->p->node[at];
	if (x->vt && dag_vt(d, v) != x->vt)
		return false;
	switch ((PatKind)x->kind) {
	case PK_ANY:
	case PK_REG: break;
	case PK_IMM:
		if (!dag_is_const(d, v))
			return false;
		break;
	case PK_INT: {
		u64 bits;
		return dag_as_const(d, v, &bits) && bits == ((u64)x->value & vt_mask(dag_vt(d, v)));
	}
	case PK_ONE: {
		u64 bits;
		return dag_as_fp(d, v, &bits) && bits == sem_fpow2(dag_sem_fmt(dag_vt(d, v)), 0);
	}
	case PK_TYPE: return dag_op(d, v) == DAG_VALUETYPE && dag_of(d, v)->k[0] == (u32)x->value;
	case PK_NODE: {
		const DagNode *n = dag_of(d, v);
		if (n->opcode != x->op || v.r != 0 || (at && !x->shared && n->use_count != 1))
			return false;
		if (dag_n_ops(n) < x->n)
			return false;
		for (u32 i = 0; i < x->n; i++)
			if (!match(m, x->child[i], dag_operand(d, n, i)))
				return false;
		return true;
	}
	}
	m->bound[x->var] = v;
	return true;
}

/* ---- gates ---- */

static const char *const gate_words[] = {"ftz", "!ftz", "div1", "div3", "f16", "madwide", "unsafe", "!unsafe", "opt"};

static bool gate_word(const DagFunc *f, Str w)
{
	bool negated = w.p[0] == '!', holds = false;
	w = (Str){w.p + negated, w.n - negated};
	if (str_is(w, "ftz"))
		holds = f->fp.ftz;
	else if (str_is(w, "div1"))
		holds = f->fp.div == 1;
	else if (str_is(w, "div3"))
		holds = f->fp.div == 3;
	else if (str_is(w, "f16"))
		holds = !f->fp.no_f16;
	else if (str_is(w, "madwide"))
		holds = knob_bool(f->s, KNOB_nvptx_mad_wide_opt);
	else if (str_is(w, "unsafe"))
		holds = f->fp.unsafe;
	else if (str_is(w, "opt"))
		holds = f->optimize;
	return holds != negated;
}

static bool gates_hold(const DagFunc *f, Str gate)
{
	for (Str w; (w = list_word(&gate)).n;)
		if (!gate_word(f, w))
			return false;
	return true;
}

/* ---- results ---- */

/* Fills in what depends on the type and on the function. */
static u32 spell(Str row, DagVt vt, bool ftz, bool fused, char out[64])
{
	u32 n = 0;
	for (u32 i = 0; i < row.n && n < 48; i++) {
		char        c = row.p[i];
		u32         bits = vt_bits(vt);
		const char *text = NULL;
		char        digits[8];
		if (c == '*' || c == '/') {
			bits = c == '/' ? bits / 2 : bits;
			u32  k = 0, v = bits;
			char rev[8];
			do
				rev[k++] = (char)('0' + v % 10);
			while (v /= 10);
			u32 j = 0;
			while (k)
				digits[j++] = rev[--k];
			digits[j] = 0;
			text = digits;
		} else if (c == '~') {
			text = ftz && (vt_kind(vt) == VTK_F32 || vt_kind(vt) == VTK_F16) ? ".ftz" : "";
		} else if (c == '@') {
			text = fused ? "" : ".rn";
		} else if (c == '$') {
			u32 kind = vt_kind(vt);
			text = kind == VTK_F64 ? "f64" : kind == VTK_F32 ? "f32" : kind == VTK_F16 ? "f16" : "bf16";
		} else {
			out[n++] = c;
			continue;
		}
		while (*text && n < 60)
			out[n++] = *text++;
	}
	out[n] = 0;
	return n;
}

static u32 spelling(const DagFunc *f) { return (f->fp.ftz ? PAT_FTZ : 0) | (f->fp.fusion == FUSE_ALL ? PAT_FUSED : 0); }

static u32 desc_of(const DagFunc *f, PatInst *i, DagVt vt)
{
	u32 how = spelling(f);
	if (i->desc[how])
		return i->desc[how];
	char text[64];
	u32  n = spell(i->mnemonic, vt, how & PAT_FTZ, how & PAT_FUSED, text);
	u32  desc = isa_intern_form(f->s, (Str){text, n}, &(IsaShape){.n_defs = 1, .n_operands = 1 + i->n});
	if (!desc)
		ICE(f->s, "patterns.def: no instruction %s", text);
	return i->desc[how] = desc;
}

static bool target_has(const DagFunc *f, Pattern *p)
{
	for (u32 i = 0; i < p->n_insts; i++)
		if (!isa_supported(isa_desc(f->s, desc_of(f, &p->inst[i], p->vt)), &f->s->target))
			return false;
	return true;
}

/* May the pattern be used in this function, on this target? */
static bool is_candidate(const DagFunc *f, Pattern *p)
{
	u8 *answer = &p->on_target[spelling(f)];
	if (!gates_hold(f, p->gate))
		return false;
	if (*answer == PAT_NOT_ASKED)
		*answer = target_has(f, p) ? PAT_THERE : PAT_LACKING;
	return *answer == PAT_THERE;
}

static bool takes_any_operands(const Pattern *p)
{
	for (u32 i = 1; i < p->n_nodes; i++)
		if ((p->node[i].kind != PK_ANY && p->node[i].kind != PK_REG) || p->node[i].vt)
			return false;
	return true;
}

bool dag_has_pattern(const DagFunc *f, DagOp op, DagVt vt)
{
	const PatternList *l = patterns_of(f, op, vt);
	for (u32 i = 0; i < l->n; i++)
		if (takes_any_operands(l->row[i]) && is_candidate(f, l->row[i]))
			return true;
	return false;
}

DagVal dag_operand_of(Dag *d, DagVal v)
{
	const DagNode *n = dag_of(d, v);
	if (n->opcode == DAG_Constant)
		return dag_tconst(d, n->vt[0], n->k[0]);
	if (n->opcode == DAG_ConstantFP)
		return dag_tfp(d, n->vt[0], n->k[0]);
	return v;
}

static bool var_is_register(const Pattern *p, u32 var)
{
	for (u32 i = 0; i < p->n_nodes; i++)
		if (p->node[i].kind == PK_REG && p->node[i].var == var)
			return true;
	return false;
}

static void build_result(Match *m, u32 node, Pattern *p)
{
	Dag   *d = &m->f->dag;
	DagVal value[PAT_INSTS];
	u32    n_root = dag_n_ops(dag_at(d, node));
	u16    flags = dag_at(d, node)->flags;
	d->order = dag_at(d, node)->order;
	d->origin = dag_at(d, node)->origin;
	for (u32 i = 0; i < p->n_insts; i++) {
		PatInst *x = &p->inst[i];
		DagVal   ops[PAT_OPERANDS + 1];
		u32      n = 0;
		for (u32 k = 0; k < x->n; k++) {
			const PatOperand *o = &x->operand[k];
			if (o->var == PAT_VARS)
				ops[n++] = dag_tconst(d, VT_I32, (u64)(i64)o->literal);
			else if (o->var > PAT_VARS)
				ops[n++] = value[o->var - PAT_VARS - 1];
			else
				ops[n++] = var_is_register(p, o->var) ? m->bound[o->var] : dag_operand_of(d, m->bound[o->var]);
		}
		u32 desc = desc_of(m->f, x, p->vt);
		if (i + 1 < p->n_insts) {
			DagKind kind = {.opcode = DAG_MACHINE, .desc = desc, .flags = flags};
			value[i] = dag_node_of(d, &kind, &x->vt, 1, ops, n);
			dag_at(d, value[i].n)->pattern = p->row + 1;
			continue;
		}
		/* Glue goes along: an operand of the root behind those the pattern names. */
		for (u32 k = p->node[0].n; k < n_root; k++)
			ops[n++] = dag_operand(d, dag_at(d, node), k);
		dag_become(m->f, node, desc, ops, n, p->row + 1);
	}
}

void dag_become(DagFunc *f, u32 node, u32 desc, const DagVal *ops, u32 n, u32 pattern)
{
	Dag     *d = &f->dag;
	DagNode *x = dag_at(d, node);
	DagVt    vts[64];
	u32      n_vts = PS_MIN(dag_n_results(x), 64u);
	for (u32 i = 0; i < n_vts; i++)
		vts[i] = dag_result_vt(d, x, i);
	/* Selected by code: it came from the node itself. */
	u32 from = pattern ? pattern : dag_pattern_rows() + 1 + x->opcode;
	dag_morph(d, node, DAG_MACHINE, vts, n_vts, ops, n);
	x->desc = desc;
	x->pattern = from;
}

bool dag_match(DagFunc *f, u32 node)
{
	Dag               *d = &f->dag;
	const DagNode     *n = dag_at(d, node);
	const PatternList *l = patterns_of(f, (DagOp)n->opcode, dag_result_vt(d, n, 0));
	Match              m = {.f = f};
	for (u32 i = 0; i < l->n; i++) {
		Pattern *p = l->row[i];
		m.p = p;
		if (!match(&m, 0, dag_res(node, 0)) || !is_candidate(f, p))
			continue;
		build_result(&m, node, p);
		return true;
	}
	return false;
}

/* ---- checking the table ---- */

typedef struct Checker {
	Session *s;
	Arena   *arena;
	Text    *wrong;
	Vec(Pattern) row; /* all that could be read */
} Checker;

static void complain(Checker *c, u32 row, const char *what, Str word)
{
	text_f(c->wrong, "%s -> %s: %s%s%.*s\n", rows[row].tree, rows[row].result, what, word.n ? " " : "", STR_ARG(word));
}

static bool gate_is_known(Str w)
{
	for (u32 i = 0; i < PS_COUNT(gate_words); i++)
		if (str_is(w, gate_words[i]))
			return true;
	return false;
}

/* Text of an instruction with and without what the function chooses. */
static bool instruction_exists(Checker *c, Str mnemonic, DagVt vt, u32 n_operands)
{
	bool exists = true;
	for (u32 ftz = 0; ftz < 2; ftz++) {
		char text[64];
		u32  n = spell(mnemonic, vt, ftz != 0, ftz == 0, text);
		exists &= isa_intern_form(c->s, (Str){text, n}, &(IsaShape){.n_defs = 1, .n_operands = 1 + n_operands}) != 0;
	}
	return exists;
}

static void check_words(Checker *c, u32 row)
{
	Str gates = str_of(rows[row].gate), types = str_of(rows[row].types);
	u32 n = 0;
	for (Str w; (w = list_word(&gates)).n;)
		if (!gate_is_known(w))
			complain(c, row, "no gate", w);
	for (Str w; (w = list_word(&types)).n; n++) {
		Pattern p;
		DagVt   vt = type_word(w);
		if (vt == VT_NONE)
			complain(c, row, "no type", w);
		else if (!read_row(row, vt, &p))
			complain(c, row, "cannot be read for", w);
		else
			vec_push(c->arena, &c->row, p);
	}
	if (!n)
		complain(c, row, "has no types", STR(""));
}

/* Does `p` match wherever `q` does? */
static bool covers(const Pattern *p, u32 at, const Pattern *q, u32 in)
{
	const PatNode *x = &p->node[at], *y = &q->node[in];
	if (x->vt && x->vt != y->vt)
		return false;
	switch ((PatKind)x->kind) {
	case PK_ANY:
	case PK_REG: return true;
	case PK_IMM: return y->kind == PK_IMM || y->kind == PK_INT;
	case PK_INT:
	case PK_TYPE: return y->kind == x->kind && y->value == x->value;
	case PK_ONE: return y->kind == PK_ONE;
	case PK_NODE: break;
	}
	if (y->kind != PK_NODE || y->op != x->op || (y->shared && !x->shared) || y->n < x->n)
		return false;
	for (u32 i = 0; i < x->n; i++)
		if (!covers(p, x->child[i], q, y->child[i]))
			return false;
	return true;
}

static bool gates_cover(Str p, Str q)
{
	for (Str w; (w = list_word(&p)).n;)
		if (!has_word(q, w))
			return false;
	return true;
}

/* Is there a target that has the instructions of `q` and not those of `p`? */
static bool needs_more(Checker *c, const Pattern *p, const Pattern *q)
{
	u32 sm[2] = {0, 0};
	for (u32 k = 0; k < 2; k++) {
		const Pattern *x = k ? q : p;
		for (u32 i = 0; i < x->n_insts; i++) {
			char text[64];
			u32  n = spell(x->inst[i].mnemonic, x->vt, false, true, text);
			u32  desc =
				isa_intern_form(c->s, (Str){text, n}, &(IsaShape){.n_defs = 1, .n_operands = 1 + x->inst[i].n});
			sm[k] = PS_MAX(sm[k], (u32)isa_desc(c->s, desc)->need.sm);
		}
	}
	return sm[0] > sm[1];
}

/* Rows are tried by score, those of one score in their order: the later of two is dead where the earlier covers it. */
static void check_reached(Checker *c, u32 i)
{
	const Pattern *q = &c->row.p[i];
	for (u32 k = 0; k < c->row.n; k++) {
		const Pattern *p = &c->row.p[k];
		bool           first = p->score > q->score || (p->score == q->score && k < i);
		if (k != i && first && p->vt == q->vt && covers(p, 0, q, 0) && gates_cover(p->gate, q->gate) &&
		    !needs_more(c, p, q))
			complain(c, q->row, "never reached: before it comes", str_of(rows[p->row].tree));
	}
}

bool dag_patterns_check(Session *s, Arena *arena, Text *wrong)
{
	Checker c = {.s = s, .arena = arena, .wrong = wrong};
	u32     before = text_str(wrong).n;
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		check_words(&c, i);
	for (u32 i = 0; i < c.row.n; i++) {
		const Pattern *p = &c.row.p[i];
		for (u32 k = 0; k < p->n_insts; k++)
			if (!instruction_exists(&c, p->inst[k].mnemonic, p->vt, p->inst[k].n))
				complain(&c, p->row, "no instruction", p->inst[k].mnemonic);
		check_reached(&c, i);
	}
	return text_str(wrong).n == before;
}
