/* from_ptx.c: PTX to machine code.
 *
 * Registers become rows by their declared width. Parameters of an entry are parameter memory; those of a
 * function, .local variables and the .param variables of call sequences are bytes of the frame's local
 * memory, so that a call copies bytes from frame to frame. */
#include "simt/op.h"

#include "ptx/ptx.h"
#include "ptx/reg_types.h"
#include "simt/builtin.h"
#include "simt/inline_ptx.h"
#include "simt/limit.h"
#include "sem/float.h"

typedef struct Reg {
	i32 row;
	u32 bits, vec;
} Reg;

/* A name that a scope of a body gives to a variable of its own. */
typedef struct Hidden {
	u32 name;
	u64 symbol;
} Hidden;
enum { NO_SYMBOL = UINT32_MAX };

typedef struct Decoder {
	SimtProgram *p;
	PtxModule   *m;
	Session     *s;
	PtxFunc     *f;
	SimtEmit     e;
	Reg         *reg;      /* by number */
	u32         *block_of; /* by label */
	Map          local;    /* name → frame offset of a .local or .param variable */
	Map          params;   /* entry: name → offset in parameter memory */
	Map          shared;   /* name → symbol of a variable declared in the body; NO_SYMBOL: of none any more */
	Vec(Hidden) hidden;    /* what the names of the open scopes stood for outside */
	u32 *first;            /* by function: the first symbol of its body's variables */
	Map  file;             /* number of .file → index + 1 of `files` */
	Vec(Str) files;
	u64  frame; /* bytes of local memory so far */
	i32  carry;
	bool failed;
} Decoder;

static Str name_of(const Decoder *d, StrId id) { return strtab_get(&d->s->strs, id); }

static void unsupported(Decoder *d, u32 line, const char *what, Str name)
{
	Str text = arena_fmt(d->p->arena, "%s %.*s", what, STR_ARG(name));
	diag_report(&d->s->diags, DIAG_SIMT_UNSUPPORTED, src_at(line, 1), (int)text.n, text.p);
	d->failed = true;
}

/* ---- module variables */

static u8 space_of_var(const PtxVar *v)
{
	return v->space == TOK_space_const ? SPACE_CONST : simt_space_of(v->space) == SPACE_SHARED ? SPACE_SHARED : SPACE_GLOBAL;
}

static u32 add_symbol(Decoder *d, const PtxVar *v)
{
	SimtSymbol s = {.name = arena_str(d->p->arena, name_of(d, v->name)),
	                .space = space_of_var(v),
	                .size = ptx_var_size(v),
	                .align = ptx_var_align(v),
	                .managed = v->managed,
	                .is_object = v->opaque != PTX_PLAIN};
	if (s.is_object)
		s.size = s.align = 8;
	s.dynamic = s.space == SPACE_SHARED && v->linkage == PTX_EXTERN && s.size == 0;
	return simt_symbol_add(d->p, s, v->line);
}

static bool is_memory_var(const PtxVar *v)
{
	u32 space = simt_space_of(v->space);
	return space == SPACE_GLOBAL || space == SPACE_CONST || space == SPACE_SHARED || v->opaque != PTX_PLAIN;
}

/* The address of a name, in its own space or generic. */
static bool address_of(Decoder *d, StrId name, bool generic, u64 *out, bool *shared)
{
	Str  s = name_of(d, name);
	u64 *in_body = map_get(&d->shared, name.i);
	u32  sym = in_body && *in_body != NO_SYMBOL ? (u32)*in_body : simt_symbol_find(d->p, s), func;
	if (sym != ~0u) {
		const SimtSymbol *v = &d->p->symbol.p[sym];
		*out = generic ? simt_generic_in(d->p, v->space, v->address) : v->address;
		*shared = v->space == SPACE_SHARED;
		return true;
	}
	func = simt_func_find(d->p, s);
	if (func == ~0u)
		return false;
	*out = simt_func_address(func);
	return true;
}

/* What is wider than 64 bits ends in zeros, as ptxas has it. */
static void put_bytes(SimtSymbol *s, u64 at, u64 v, u32 bytes)
{
	if (size_holds(s->size, at, bytes))
		memcpy(s->init + at, &v, PS_MIN(bytes, 8u));
}

/* The initialiser's values in order. A brace that closes fills its part with zeros, which the bytes are
 * already; the extents tell how far. */
static void initialise(Decoder *d, const PtxVar *v, SimtSymbol *s)
{
	const IsaType *t = isa_type(v->type);
	u32            bytes = PS_MAX(t->bits / 8u, 1u), depth = 0;
	u64            at = 0, whole = bytes * PS_MAX(v->vec, 1u), start[16] = {0}, extent[16] = {0};
	if (v->init.n == 0 || s->size == 0 || s->is_object)
		return;
	s->init = arena_alloc(d->p->arena, s->size + 8, 8);
	for (u32 i = 0; i < v->init.n; i++) {
		const PtxInit *in = &v->init.p[i];
		u64            value = in->bits;
		switch (in->kind) {
		case PI_OPEN:
			if (depth < 15) {
				u64 inner = whole;
				for (u32 k = depth + 1; k < v->dims.n; k++)
					inner = size_mul(inner, v->dims.p[k]);
				start[depth] = at;
				extent[depth] = depth < v->dims.n ? size_mul(inner, v->dims.p[depth]) : inner;
			}
			depth++;
			continue;
		case PI_CLOSE:
			depth--;
			if (depth < 15 && extent[depth])
				at = size_add(start[depth], extent[depth]);
			continue;
		case PI_FIELD:
		case PI_WORD: continue;
		case PI_SYM: {
			u64  base = 0;
			bool shared = false;
			if (!address_of(d, in->name, in->generic, &base, &shared))
				unsupported(d, v->line, "the address of", name_of(d, in->name));
			value += base;
			for (u64 m = in->mask; m && !(m & 1); m >>= 1)
				value >>= 1;
			break;
		}
		case PI_F32:
			if (t->bits == 64)
				value = sem_f2f(SEM_F64, SEM_F32, value, 0);
			break;
		case PI_F64:
			if (t->bits == 32)
				value = sem_f2f(SEM_F32, SEM_F64, value, 0);
			break;
		default: break;
		}
		put_bytes(s, at, value, bytes);
		at = size_add(at, bytes);
	}
}

/* ---- functions' outsides */

static u64 count_of(const PtxTuning *t)
{
	return size_mul(size_mul(t->value[0], t->n > 1 ? t->value[1] : 1), t->n > 2 ? t->value[2] : 1);
}

/* What a kernel says of its blocks and clusters. */
static void tune(const Decoder *d, SimtFunc *f, const PtxTuning *t)
{
	Str name = name_of(d, t->name);
	if (str_is(name, ".maxntid") || str_is(name, ".reqntid"))
		f->max_threads = size_u32(count_of(t));
	else if (str_is(name, ".reqnctapercluster"))
		for (u32 i = 0; i < 3; i++)
			f->cluster[i] = i < t->n ? size_u32(t->value[i]) : 1;
	else if (str_is(name, ".maxclusterrank"))
		f->max_rank = size_u32(t->value[0]);
	else if (str_is(name, ".explicitcluster"))
		f->explicit_cluster = true;
	else if (str_is(name, ".blocksareclusters"))
		f->grid_of_clusters = true;
}

static u64 place(u64 *end, const PtxVar *v)
{
	u64 at = size_align(*end, PS_MAX(ptx_var_align(v), 1u));
	*end = size_add(at, ptx_var_size(v));
	return at;
}

/* The most bytes that a call of the module passes in one parameter. */
static u64 largest_argument(const PtxModule *m)
{
	u64 most = 0;
	for (u32 i = 0; i < m->funcs.n; i++)
		for (u32 k = 0; k < m->funcs.p[i]->vars.n; k++)
			if (m->funcs.p[i]->vars.p[k].space == TOK_space_param)
				most = PS_MAX(most, ptx_var_size(&m->funcs.p[i]->vars.p[k]));
	return most;
}

static SimtParam parameter(Decoder *d, u64 *end, const PtxVar *v)
{
	bool open = v->is_array && ptx_var_size(v) == 0;
	u64  at = place(end, v), size = open ? largest_argument(d->m) : ptx_var_size(v);
	*end = size_add(at, size);
	return (SimtParam){size_u32(at), size_u32(size), ptx_var_align(v), NO_REG, 0, open};
}

static void declare(Decoder *d, const PtxFunc *pf)
{
	Str name = name_of(d, pf->name);
	u32 at = simt_func_find(d->p, name);
	if (at == ~0u)
		at = simt_func_add(d->p, name);
	SimtFunc *f = &d->p->func.p[at];
	if (f->arg.n || f->ret.n)
		return;
	f->is_kernel = pf->is_entry;
	f->by_memory = !pf->is_entry;
	f->line = pf->line;
	u64 end = 0;
	for (u32 i = 0; i < pf->params.n; i++)
		vec_push(d->p->arena, &f->arg, parameter(d, &end, &pf->params.p[i]));
	f->param_size = end;
	for (u32 i = 0; i < pf->tuning.n; i++)
		tune(d, f, &pf->tuning.p[i]);
	for (u32 i = 0; i < pf->rets.n; i++)
		vec_push(d->p->arena, &f->ret, parameter(d, &end, &pf->rets.p[i]));
	f->local = size_u32(end);
}

/* ---- source lines */

/* The number that the text begins with, behind blanks; *at is behind it. */
static bool number_in(Str t, u32 *at, u32 *out)
{
	u64 v = 0;
	while (*at < t.n && (t.p[*at] == ' ' || t.p[*at] == '\t'))
		++*at;
	u32 first = *at;
	for (; *at < t.n && t.p[*at] >= '0' && t.p[*at] <= '9' && v < UINT32_MAX; ++*at)
		v = 10 * v + (u64)(t.p[*at] - '0');
	*out = size_u32(v);
	return *at > first;
}

/* .file 1 "a.cu" or .file 1 "folder" "a.cu"; the last of the strings counts, and what follows a comma does not. */
static void take_file(Decoder *d, Str t)
{
	u32 at = 0, number, begin = 0, end = 0;
	if (!number_in(t, &at, &number))
		return;
	while (at < t.n && t.p[at] != ',') {
		if (t.p[at++] != '"')
			continue;
		for (begin = end = at; end < t.n && t.p[end] != '"'; end++)
			;
		at = end + 1;
	}
	vec_push(d->p->arena, &d->files, ((Str){t.p + begin, end - begin}));
	map_set(&d->file, number, d->files.n);
}

static void source_files(Decoder *d)
{
	map_init(&d->file, d->p->arena);
	for (u32 i = 0; i < d->m->items.n; i++)
		if (d->m->items.p[i].kind == PT_FILE)
			take_file(d, name_of(d, d->m->items.p[i].text));
}

/* .loc 1 12 5 */
static void take_loc(Decoder *d, Str t)
{
	u32 at = 0, file, line, column = 0;
	if (!number_in(t, &at, &file) || !number_in(t, &at, &line))
		return;
	number_in(t, &at, &column);
	u64 *found = map_get(&d->file, file);
	emit_source(&d->e, found ? d->files.p[*found - 1] : STR(""), line, column);
}

/* ---- operands */

static OpArg reg_arg(Decoder *d, const PtxOperand *o)
{
	Reg   r = d->reg[o->id];
	u32   component = (o->flags & POF_COMPONENT) >> 4;
	OpArg a = op_reg(r.row, r.bits);
	if (component)
		a.row += (i32)((component - 1) * rows_of(r.bits));
	a.negated = (o->flags & POF_NEGATED) != 0;
	a.part = (u8)o->spare;
	return a;
}

static OpArg sym_arg(Decoder *d, const PtxOperand *o, u32 line)
{
	OpArg a = {.kind = ARG_IMM, .bits = 64};
	u64  *at = map_get(&d->local, o->id);
	if (at) {
		a.kind = ARG_FRAME;
		a.value = (u32)*at + o->bits;
		a.space = o->flags & POF_GENERIC ? SPACE_GENERIC : SPACE_LOCAL;
		return a;
	}
	at = map_get(&d->params, o->id);
	if (at) {
		a.value = *at + o->bits;
		a.space = SPACE_PARAM;
		return a;
	}
	if (!address_of(d, (StrId){o->id}, (o->flags & POF_GENERIC) != 0, &a.value, &a.shared))
		unsupported(d, line, "an unknown name:", name_of(d, (StrId){o->id}));
	a.value += o->bits;
	return a;
}

/* A special register where a plain operand stands, or a component of %tid and its like. */
static OpArg sreg_arg(Decoder *d, const PtxOperand *o)
{
	u32    sreg = isa_sreg_element(o->id, (o->flags & POF_COMPONENT) >> 4);
	u32    type = isa_sreg(sreg)->type, bits = isa_type(type)->bits;
	PtxOpc opc = {.op = ISA_sreg};
	opc.slot[SLOT_type] = (u8)type;
	opc.slot[SLOT_sreg] = (u8)sreg;
	OpArg a = op_reg(emit_reg(&d->e, bits), bits);
	OpCx  c = {.e = &d->e, .d = isa_desc(d->s, isa_intern(d->s, opc)), .arg = &a, .n = 1};
	simt_op(&c);
	return a;
}

static OpArg arg_of(Decoder *d, const PtxOperand *o, u32 line)
{
	switch ((PtxOperandKind)o->kind) {
	case PO_REG: return reg_arg(d, o);
	case PO_SREG: return sreg_arg(d, o);
	case PO_INT: return op_imm(o->bits);
	case PO_F32: return (OpArg){.kind = ARG_IMM, .is_float = true, .bits = 32, .value = o->bits};
	case PO_F64: return (OpArg){.kind = ARG_IMM, .is_float = true, .bits = 64, .value = o->bits};
	case PO_SYM: return sym_arg(d, o, line);
	default: return (OpArg){.kind = ARG_NONE};
	}
}

/* ---- calls */

/* Offset and bytes of a variable of the body (simt_extent); no bytes where there is none of that name. */
static u64 place_of(Decoder *d, const PtxOperand *o) { return o->kind == PO_SYM ? map_or(&d->local, o->id, 0) : 0; }

static u32 local_of(Decoder *d, const PtxOperand *o) { return (u32)place_of(d, o); }

/* A value of the call sequence's memory as a register. */
static i32 load_local(Decoder *d, u64 at, u32 bits)
{
	i32       r = emit_reg(&d->e, bits);
	SimtInsn *in = emit_insn(&d->e, S_LD);
	in->d = r;
	in->rows = (u8)rows_of(bits);
	in->mem = (SimtMem){SPACE_LOCAL, (u8)(bits / 8), 0, (u8)(SMF_FRAME | (bits == 64 ? SMF_WIDE : 0))};
	in->z = (u32)at;
	return r;
}

/* A pointer or a size, as 64 bits. */
static i32 load_pointer(Decoder *d, u64 at)
{
	i32       r = emit_reg(&d->e, 64);
	SimtInsn *in = emit_insn(&d->e, S_LD);
	in->d = r;
	in->rows = 2;
	in->mem = (SimtMem){SPACE_LOCAL, d->p->is64 ? 8 : 4, 0, SMF_FRAME | SMF_WIDE};
	in->z = (u32)at;
	return r;
}

/* Functions that the machine provides. */
static bool call_builtin(Decoder *d, Str name, const PtxOperand *rets, u32 n_rets, const PtxOperand *args, u32 n_args)
{
	if (str_is(name, "vprintf") && n_args == 2) {
		i32       format = load_pointer(d, local_of(d, &args[0])), values = load_pointer(d, local_of(d, &args[1]));
		i32       result = emit_reg(&d->e, 32);
		SimtInsn *in = emit_insn(&d->e, S_PRINTF);
		in->d = result, in->a = format, in->b = values, in->rows = 1;
		if (n_rets) {
			in = emit_insn(&d->e, S_ST);
			in->b = result;
			in->mem = (SimtMem){SPACE_LOCAL, 4, 0, SMF_FRAME};
			in->z = (u32)local_of(d, &rets[0]);
		}
		return true;
	}
	if (str_is(name, "__assertfail") && n_args >= 4) {
		u32 words[4];
		for (u32 i = 0; i < 4; i++)
			words[i] =
				(u32)(i == 2 ? load_local(d, local_of(d, &args[i]), 32) : load_pointer(d, local_of(d, &args[i])));
		u32 at = emit_ext(d->p, words, 4);
		emit_insn(&d->e, S_ASSERT)->y = at;
		return true;
	}
	Builtin b;
	if (simt_builtin_find(name, &b) && n_rets == (b.result != 0)) {
		i32 in[4] = {0}, result = emit_reg(&d->e, 64);
		u32 bits = simt_builtin_bits(b.result), bytes = b.op != S_NOP && !d->p->is64 ? 4 : bits / 8;
		for (u32 i = 0; i < 4 && b.arg[i] && i < n_args; i++)
			in[i] = b.op == S_NOP ? load_local(d, local_of(d, &args[i]), simt_builtin_bits(b.arg[i]))
			                      : load_pointer(d, local_of(d, &args[i]));
		simt_builtin_emit(d->s, &d->e, &b, in, result);
		if (!n_rets)
			return true;
		SimtInsn *st = emit_insn(&d->e, S_ST);
		st->b = result;
		st->mem = (SimtMem){SPACE_LOCAL, (u8)bytes, 0, (u8)(SMF_FRAME | (bits == 64 ? SMF_WIDE : 0))};
		st->z = (u32)local_of(d, &rets[0]);
		return true;
	}
	return false;
}

static void call(Decoder *d, const PtxStmt *st)
{
	const PtxOperand *o = d->f->operands.p + st->operand, *callee = o + st->n_rets, *args = callee + 1;
	u32               n_args = st->n - st->n_rets - 1 - ((st->flags & PSF_PROTOTYPE) ? 1 : 0);
	u32               func = ~0u;
	i32               target = NO_REG;
	if (callee->kind == PO_SYM) {
		Str name = name_of(d, (StrId){callee->id});
		func = simt_func_find(d->p, name);
		bool has_body = ptx_find_func(d->m, (StrId){callee->id}) && ptx_find_func(d->m, (StrId){callee->id})->has_body;
		if (!has_body && call_builtin(d, name, o, st->n_rets, args, n_args))
			return;
		if (func == ~0u)
			func = simt_func_add(d->p, name);
	} else {
		target = arg_of(d, callee, st->line).row;
		if (!d->p->is64) {
			i32 wide = emit_reg(&d->e, 64);
			emit_extend(&d->e, wide, 64, target, 32, false);
			target = wide;
		}
	}
	VecU32 words = {0};
	vec_push(d->p->arena, &words, n_args);
	vec_push(d->p->arena, &words, st->n_rets);
	for (u32 i = 0; i < n_args + st->n_rets; i++) {
		const PtxOperand *arg = i < n_args ? &args[i] : &o[i - n_args];
		u64               place = place_of(d, arg);
		if (arg->kind != PO_SYM) {
			emit_unsupported(&d->e, STR("a call with arguments in registers"));
			return;
		}
		if (!map_get(&d->local, arg->id)) {
			unsupported(d, st->line, "a call whose argument or result is no .param variable of the body:",
			            name_of(d, (StrId){arg->id}));
			return;
		}
		vec_push(d->p->arena, &words, (u32)place);
		vec_push(d->p->arena, &words, (u32)(place >> 32));
	}
	u32       at = emit_ext(d->p, words.p, words.n);
	SimtInsn *in = emit_insn(&d->e, target == NO_REG ? S_CALL : S_CALLI);
	in->x = func;
	in->y = at;
	in->a = target;
}

/* ---- control flow */

static u32 block_of(Decoder *d, u32 label) { return d->block_of[label]; }

static void branch_table(Decoder *d, const PtxStmt *st)
{
	const PtxOperand *o = d->f->operands.p + st->operand;
	const PtxLabel   *l = &d->f->labels.p[o[1].id];
	if (l->stmt == UINT32_MAX || d->f->body.p[l->stmt].kind != PS_TARGETS) {
		unsupported(d, st->line, "a branch by an unknown table", name_of(d, l->name));
		return;
	}
	const PtxStmt *table = &d->f->body.p[l->stmt];
	VecU32         words = {0};
	vec_push(d->p->arena, &words, table->n);
	vec_push(d->p->arena, &words, table->n ? block_of(d, d->f->operands.p[table->operand].id) : 0);
	for (u32 i = 0; i < table->n; i++) {
		vec_push(d->p->arena, &words, i);
		vec_push(d->p->arena, &words, 0);
		vec_push(d->p->arena, &words, block_of(d, d->f->operands.p[table->operand + i].id));
	}
	OpArg     index = arg_of(d, &o[0], st->line);
	OpCx      c = {.e = &d->e, .arg = &index, .n = 1};
	i32       a = op_in(&c, 0, 32);
	u32       at = emit_ext(d->p, words.p, words.n);
	SimtInsn *in = emit_insn(&d->e, S_SWITCH);
	in->a = a, in->x = 32, in->y = at;
}

enum { MOST_OPERANDS = 160 }; /* wgmma.m64n256k16 has 128 results */

static void instruction(Decoder *d, const PtxStmt *st)
{
	const IsaDesc *desc = isa_desc(d->s, st->desc);
	OpArg          args[MOST_OPERANDS];
	emit_at(&d->e, st->line, st->origin);
	d->e.guard = st->guard ? d->reg[st->reg].row : NO_REG;
	d->e.guard_not = st->guard == 2;
	if (desc->eval == EV_call) {
		call(d, st);
	} else if (desc->opc.op == ISA_brx_idx) {
		branch_table(d, st);
	} else if (desc->eval == EV_bra) {
		emit_branch(&d->e, block_of(d, d->f->operands.p[st->operand].id), d->e.guard, d->e.guard_not);
	} else if (desc->eval == EV_ret) {
		emit_return(&d->e);
	} else {
		u32 n = PS_MIN(st->n, (u32)PS_COUNT(args));
		for (u32 i = 0; i < n; i++)
			args[i] = arg_of(d, &d->f->operands.p[st->operand + i], st->line);
		OpCx c = {.e = &d->e, .d = desc, .arg = args, .n = n, .carry = d->carry, .is_kernel = d->f->is_entry};
		if (!d->failed && !simt_op(&c))
			emit_unsupported(&d->e, desc->mnemonic);
	}
	d->e.guard = NO_REG;
	d->e.guard_not = false;
}

/* ---- a body */

static bool registers(Decoder *d)
{
	u64 rows = 0;
	for (u32 i = 0; i < d->f->regs.n; i++) {
		const PtxRegDecl *r = &d->f->regs.p[i];
		rows += (u64)r->count * PS_MAX(r->vec, 1u) * rows_of(isa_type(r->type)->bits);
	}
	if (!simt_within(d->s, SIMT_LIMIT_REGISTERS, rows, name_of(d, d->f->name), d->f->line)) {
		d->failed = true;
		return false;
	}
	d->reg = arena_array(d->p->arena, Reg, d->f->n_regs + 1);
	for (u32 i = 0; i < d->f->regs.n; i++) {
		const PtxRegDecl *r = &d->f->regs.p[i];
		u32               bits = PS_MAX(isa_type(r->type)->bits, 1u), n = r->vec ? r->vec : 1;
		for (u32 k = 0; k < r->count && r->first + k < d->f->n_regs; k++) {
			i32 row = emit_reg(&d->e, bits);
			for (u32 v = 1; v < n; v++)
				emit_reg(&d->e, bits);
			d->reg[r->first + k] = (Reg){row, bits, r->vec};
		}
	}
	d->carry = emit_reg(&d->e, 32);
	return true;
}

/* As what a debugger shows a register of bits that holds a float of that type in each lane. */
static char kind_of_bits(u32 lane, u32 bits)
{
	if (!lane || isa_type(lane)->bits != bits)
		return 'b';
	return lane == TOK_type_bf16 ? 'B' : 'f';
}

static void name_registers(Decoder *d)
{
	static const char kinds[] = {[ISA_KIND_NONE] = 'b', [ISA_KIND_PRED] = 'p', [ISA_KIND_BITS] = 'b',
	                             [ISA_KIND_UINT] = 'u', [ISA_KIND_SINT] = 's', [ISA_KIND_FLOAT] = 'f'};
	SimtFunc         *sf = &d->p->func.p[d->e.func];
	const u8         *holds = ptx_reg_types(d->s, d->f, d->p->arena);
	for (u32 i = 0; i < d->f->regs.n; i++) {
		const PtxRegDecl *r = &d->f->regs.p[i];
		char              kind = r->type == TOK_type_bf16 ? 'B' : kinds[isa_type(r->type)->kind];
		for (u32 k = 0; k < r->count && r->first + k < d->f->n_regs; k++) {
			const Reg *at = &d->reg[r->first + k];
			SimtReg    n = {.id = r->name.i,
			                .number = r->range ? k : NO_NUMBER,
			                .row = at->row,
			                .kind = kind == 'b' ? kind_of_bits(holds[r->first + k], at->bits) : kind,
			                .bits = (u8)at->bits};
			vec_push(d->p->arena, &sf->reg, n);
		}
	}
}

static void local_variable(Decoder *d, const PtxVar *v)
{
	u32       align = PS_MAX(ptx_var_align(v), 1u);
	SimtFunc *f = &d->p->func.p[d->e.func];
	u64       at = place(&d->frame, v);
	map_set(&d->local, v->name.i, simt_extent(at, ptx_var_size(v)));
	if (d->s->variable_gap) {
		vec_push(d->p->arena, &f->variable, ((SimtExtent){size_u32(at), size_u32(ptx_var_size(v))}));
		d->frame = size_add(d->frame, d->s->variable_gap);
	}
	f->local = PS_MAX(f->local, size_u32(d->frame));
	f->local_align = PS_MAX(f->local_align, align);
}

/* Variables of bodies in memory that is not the frame's: each function has its own, whatever others have under the same name. */
static void body_symbols(Decoder *d, u32 number)
{
	const PtxFunc *f = d->m->funcs.p[number];
	d->first[number] = d->p->symbol.n;
	for (u32 i = 0; i < f->vars.n; i++)
		if (is_memory_var(&f->vars.p[i]))
			add_symbol(d, &f->vars.p[i]);
}

/* From here to the scope's end the name is that of the symbol. */
static void memory_variable(Decoder *d, const PtxVar *v, u32 symbol)
{
	Hidden h = {v->name.i, map_or(&d->shared, v->name.i, NO_SYMBOL)};
	vec_push(d->p->arena, &d->hidden, h);
	map_set(&d->shared, v->name.i, symbol);
	initialise(d, v, &d->p->symbol.p[symbol]);
}

static void unhide(Decoder *d, u32 least)
{
	while (d->hidden.n > least) {
		Hidden h = vec_pop(&d->hidden);
		map_set(&d->shared, h.name, h.symbol);
	}
}

/* `symbol`: the first of its variables. */
static void body(Decoder *d, PtxFunc *f, u32 symbol)
{
	u32       func = simt_func_find(d->p, name_of(d, f->name)), depth = 0;
	u64       scopes[64];
	u32       hidden[64];
	SimtFunc *sf = &d->p->func.p[func];
	d->f = f;
	emit_begin(&d->e, d->p, func);
	map_clear(&d->local);
	map_clear(&d->params);
	map_clear(&d->shared);
	d->hidden.n = 0;
	for (u32 i = 0; i < f->params.n; i++)
		map_set(f->is_entry ? &d->params : &d->local, f->params.p[i].name.i,
		        f->is_entry ? sf->arg.p[i].offset : simt_extent(sf->arg.p[i].offset, sf->arg.p[i].size));
	for (u32 i = 0; i < f->rets.n; i++)
		map_set(&d->local, f->rets.p[i].name.i, simt_extent(sf->ret.p[i].offset, sf->ret.p[i].size));
	d->frame = f->is_entry ? 0 : sf->local;
	sf->local = size_u32(d->frame);
	sf->local_align = 16;
	if (!registers(d))
		return;
	name_registers(d);
	d->block_of = arena_array(d->p->arena, u32, f->labels.n + 1);
	for (u32 i = 0; i < f->labels.n; i++)
		d->block_of[i] = emit_block_new(&d->e);
	for (u32 i = 0; i < f->labels.n; i++) /* labels without a place lead to the end */
		d->e.block.p[d->block_of[i]] = 0;
	for (u32 i = 0; i < f->body.n && !d->failed; i++) {
		const PtxStmt *st = &f->body.p[i];
		switch ((PtxStmtKind)st->kind) {
		case PS_INSN: instruction(d, st); break;
		case PS_LABEL: emit_block(&d->e, d->block_of[st->arg]); break;
		case PS_LOC: take_loc(d, name_of(d, (StrId){st->arg})); break;
		case PS_OPEN:
			if (depth < PS_COUNT(scopes))
				scopes[depth] = d->frame, hidden[depth] = d->hidden.n;
			depth++;
			break;
		case PS_CLOSE:
			if (depth && --depth < PS_COUNT(scopes)) {
				d->frame = scopes[depth]; /* its variables' bytes can be had again */
				unhide(d, hidden[depth]);
			}
			break;
		case PS_VAR:
			if (is_memory_var(&f->vars.p[st->arg]))
				memory_variable(d, &f->vars.p[st->arg], symbol++);
			else
				local_variable(d, &f->vars.p[st->arg]);
			break;
		default: break;
		}
	}
	if (!d->failed)
		emit_end(&d->e);
}

/* ---- who names what: reach.h */

static void reach_initialiser(Decoder *d, const PtxVar *v, Reach *r)
{
	for (u32 i = 0; i < v->init.n; i++) {
		if (v->init.p[i].kind != PI_SYM)
			continue;
		Str name = name_of(d, v->init.p[i].name);
		u32 symbol = simt_symbol_find(d->p, name), func = simt_func_find(d->p, name);
		if (symbol != ~0u)
			vec_push(d->p->arena, &r->common, symbol);
		else if (func != ~0u)
			vec_push(d->p->arena, &r->taken, func);
	}
}

/* A name counts for what bears it in the module, too, where a variable of the body hides that. */
static void reach_statement(Decoder *d, const PtxFunc *f, const PtxStmt *st, u32 me, Reach *r)
{
	Arena *a = d->p->arena;
	bool   calls = st->kind == PS_INSN && isa_desc(d->s, st->desc)->eval == EV_call;
	if (st->kind != PS_INSN && st->kind != PS_TARGETS)
		return;
	for (u32 i = 0; i < st->n; i++) {
		const PtxOperand *o = &f->operands.p[st->operand + i];
		if (o->kind == PO_REG && calls)
			vec_push(a, &r->indirect, me);
		if (o->kind != PO_SYM)
			continue;
		Str name = name_of(d, (StrId){o->id});
		u32 symbol = simt_symbol_find(d->p, name), func = simt_func_find(d->p, name);
		if (symbol != ~0u && d->p->symbol.p[symbol].space == SPACE_SHARED)
			vec_push(a, &r->names, ((ReachPair){me, symbol}));
		else if (symbol == ~0u && func != ~0u)
			vec_push(a, &r->calls, ((ReachPair){me, func}));
		if (symbol == ~0u && func != ~0u && !calls)
			vec_push(a, &r->taken, func);
	}
}

/* Variables of the module and of bodies: each function has its own, whatever others have under the same name. */
static void all_symbols(Decoder *d)
{
	const PtxModule *m = d->m;
	Reach            r = {0};
	for (u32 i = 0; i < m->vars.n; i++)
		if (is_memory_var(m->vars.p[i]))
			add_symbol(d, m->vars.p[i]);
	d->first = arena_array(d->p->arena, u32, m->funcs.n + 1);
	for (u32 i = 0; i < m->funcs.n; i++)
		if (m->funcs.p[i]->has_body)
			body_symbols(d, i);
	for (u32 i = 0; i < m->vars.n; i++)
		reach_initialiser(d, m->vars.p[i], &r);
	for (u32 i = 0; i < m->funcs.n; i++) {
		const PtxFunc *f = m->funcs.p[i];
		u32            me = simt_func_find(d->p, name_of(d, f->name)), symbol = d->first[i];
		if (!f->has_body || me == ~0u)
			continue;
		if (f->is_entry)
			vec_push(d->p->arena, &r.kernels, me);
		for (u32 k = 0; k < f->vars.n; k++) {
			reach_initialiser(d, &f->vars.p[k], &r);
			if (is_memory_var(&f->vars.p[k]))
				vec_push(d->p->arena, &r.names, ((ReachPair){me, symbol++}));
		}
		for (u32 k = 0; k < f->body.n; k++)
			reach_statement(d, f, &f->body.p[k], me, &r);
	}
	simt_symbols_done(d->p, &r);
}

static SimtProgram *decode(Session *s, Arena *arena, PtxModule *m, const SimtInHost *in_host)
{
	Decoder d = {.p = simt_program_new(s, arena, "ptx"), .m = m, .s = s};
	map_init(&d.local, arena);
	map_init(&d.params, arena);
	map_init(&d.shared, arena);
	source_files(&d);
	d.p->is64 = m->address_size != 32;
	if (!d.p->is64)
		d.p->global_end = GLOBAL_START_32;
	for (u32 i = 0; i < m->funcs.n; i++)
		declare(&d, m->funcs.p[i]);
	all_symbols(&d);
	if (d.p->too_large || d.failed)
		return NULL;
	if (in_host)
		simt_symbols_in_host(d.p, in_host);
	for (u32 i = 0; i < m->vars.n; i++) {
		u32 at = simt_symbol_find(d.p, name_of(&d, m->vars.p[i]->name));
		if (at != ~0u)
			initialise(&d, m->vars.p[i], &d.p->symbol.p[at]);
	}
	for (u32 i = 0; i < m->funcs.n && !d.failed; i++)
		if (m->funcs.p[i]->has_body)
			body(&d, m->funcs.p[i], d.first[i]);
	for (u32 i = 0; i < d.p->symbol.n; i++) {
		const SimtSymbol *v = &d.p->symbol.p[i];
		if (v->host && v->init && !v->valued)
			bytes_copy(v->host, v->init, (size_t)v->size);
	}
	return d.failed || d.p->too_large ? NULL : d.p;
}

SimtProgram *simt_from_ptx(Session *s, Arena *arena, PtxModule *m) { return decode(s, arena, m, NULL); }

SimtProgram *simt_from_ptx_in_host(Session *s, Arena *arena, PtxModule *m, const SimtInHost *host)
{
	return decode(s, arena, m, host);
}

/* ---- inline PTX */

static u32 operand_number(Str name)
{
	u32 v = 0;
	if (!str_starts(name, "inline_ptx_a"))
		return ~0u;
	for (u32 i = 12; i < name.n; i++)
		v = v * 10 + (u32)(name.p[i] - '0');
	return v;
}

bool simt_inline_ptx(Session *s, SimtProgram *p, SimtEmit *e, Str text, const i32 *row, u32 n)
{
	u32        errors = s->diags.errors, kept = s->diags.list.n;
	PtxModule *m = ptx_parse(s, p->arena, text);
	bool       bad = s->diags.errors != errors;
	s->diags.errors = errors; /* the caller reports in its own words */
	s->diags.list.n = kept;
	if (bad || m->funcs.n != 1)
		return false;
	Decoder d = {.p = p, .m = m, .s = s, .f = m->funcs.p[0], .e = *e};
	map_init(&d.local, p->arena);
	map_init(&d.params, p->arena);
	map_init(&d.shared, p->arena);
	if (!registers(&d))
		return false;
	for (u32 i = 0; i < d.f->regs.n; i++) {
		u32 k = operand_number(name_of(&d, d.f->regs.p[i].name));
		if (k < n)
			d.reg[d.f->regs.p[i].first].row = row[k];
	}
	d.block_of = arena_array(p->arena, u32, d.f->labels.n + 1);
	for (u32 i = 0; i < d.f->labels.n; i++)
		emit_block(&d.e, d.block_of[i] = emit_block_new(&d.e)); /* a label without a place leads to the start */
	u32 line = e->line, origin = e->origin;
	for (u32 i = 0; i < d.f->body.n && !d.failed; i++) {
		PtxStmt st = d.f->body.p[i];
		st.line = line, st.origin = origin;
		if (st.kind == PS_LABEL)
			emit_block(&d.e, d.block_of[st.arg]);
		else if (st.kind == PS_INSN)
			instruction(&d, &st);
	}
	*e = d.e;
	return !d.failed;
}
