/* emit.c: builds a SimtProgram: its functions, symbols, constants and instructions, and, once a function is complete, the
 * meeting points of its branches (immediate post-dominators) and the instructions at which paths may join. The decoders
 * (from_ptx.c, from_ir.c, from_mir.c) write through it alone. */
#include "simt/emit.h"

#include "sem/big.h"

#include "graph/dom.h"
#include "simt/limit.h"
#include "simt/simt.h"

/* ---- programs, functions, symbols */

SimtProgram *simt_program_new(Session *s, Arena *arena, const char *level)
{
	SimtProgram *p = arena_new(arena, SimtProgram);
	p->s = s;
	p->arena = arena;
	p->is64 = true;
	p->level = level;
	p->pool_rows = 1;
	for (u32 i = 0; i < PS_COUNT(p->pool_at); i++)
		map_init(&p->pool_at[i], arena);
	for (u32 i = 0; i < PS_COUNT(p->shared_at); i++)
		map_init(&p->shared_at[i], arena);
	map_init(&p->func_at, arena);
	map_init(&p->symbol_at, arena);
	p->shared_end = SHARED_START;
	p->const_end = CONST_WINDOW + 256;
	p->global_end = GLOBAL_START_64;
	return p;
}

static void name_entry(SimtProgram *p, Map *at, Str name, u32 number)
{
	bool fresh;
	u64 *first = map_put(at, strtab_add(&p->s->strs, name).i, &fresh);
	if (fresh)
		*first = number;
}

/* ~0 where no entry bears the name. */
static u32 find_name(const SimtProgram *p, const Map *at, Str name)
{
	StrId id = strtab_find(&p->s->strs, name);
	return name.n && !id.i ? ~0u : (u32)map_or(at, id.i, ~0u);
}

u32 simt_func_add(SimtProgram *p, Str name)
{
	SimtFunc f = {.name = arena_str(p->arena, name), .local_align = 1};
	name_entry(p, &p->func_at, f.name, p->func.n);
	vec_push(p->arena, &p->func, f);
	if (p->func.n == MOST_FUNCTIONS + 1)
		p->too_large |= !simt_within(p->s, SIMT_LIMIT_FUNCTIONS, p->func.n, name, 0);
	return p->func.n - 1;
}

u32 simt_func_find(const SimtProgram *p, Str name) { return find_name(p, &p->func_at, name); }

u32 simt_symbol_find(const SimtProgram *p, Str name) { return find_name(p, &p->symbol_at, name); }

u64 simt_symbol_place(SimtProgram *p, SimtSymbol *s, u64 end)
{
	bool      shared = s->space == SPACE_SHARED, constant = s->space == SPACE_CONST;
	u64       start = shared ? SHARED_START : constant ? CONST_WINDOW : p->is64 ? GLOBAL_START_64 : GLOBAL_START_32;
	SimtLimit limit = shared ? SIMT_LIMIT_SHARED : constant ? SIMT_LIMIT_CONST : SIMT_LIMIT_GLOBAL;
	s->address = size_align(end, PS_MAX(s->align, 1u));
	end = size_add(s->address, PS_MAX(s->size, 1u));
	if (shared && size_add(end, p->s->variable_gap) - start <= simt_limit(limit))
		end += p->s->variable_gap;
	if (!shared)
		end = size_add(size_align(end, 16), 16); /* a gap, so that running over an end is noticed */
	u64 wanted = end == SIZE_OVER ? SIZE_OVER : end - start;
	p->too_large = !simt_within(p->s, limit, wanted, s->name, s->line);
	if (p->too_large)
		s->size = 0;
	return end;
}

u32 simt_symbol_add(SimtProgram *p, SimtSymbol sym, u32 line)
{
	bool shared = sym.space == SPACE_SHARED;
	u64 *end = sym.space == SPACE_CONST ? &p->const_end : &p->global_end;
	sym.line = line;
	if (!shared && !p->too_large)
		*end = simt_symbol_place(p, &sym, *end);
	if (p->too_large)
		sym.size = 0;
	name_entry(p, &p->symbol_at, sym.name, p->symbol.n);
	vec_push(p->arena, &p->symbol, sym);
	return p->symbol.n - 1;
}

void simt_symbols_done(SimtProgram *p, const Reach *r)
{
	u64 align = 16;
	if (!p->too_large)
		simt_reach_place(p, r);
	for (u32 i = 0; i < p->symbol.n; i++)
		if (p->symbol.p[i].dynamic)
			align = PS_MAX(align, p->symbol.p[i].align);
	p->shared_end = size_align(p->shared_end, align);
	if (!p->too_large)
		p->too_large = !simt_within(p->s, SIMT_LIMIT_SHARED, p->shared_end - SHARED_START, STR("shared memory"), 0);
	for (u32 i = 0; i < p->symbol.n; i++)
		if (p->symbol.p[i].dynamic)
			p->symbol.p[i].address = p->shared_end;
}

/* Where the host wants it; NULL: anywhere. */
static u8 *placed(const SimtProgram *p, SimtSymbol *s, const SimtInHost *host)
{
	bool fresh = true;
	u8  *at = s->managed && p->is64 && host->place ? host->place(host->user, s->name.p, (size_t)s->size, &fresh) : NULL;
	s->valued = at && !fresh;
	return at;
}

void simt_symbols_in_host(SimtProgram *p, const SimtInHost *host)
{
	u64 start = p->is64 ? GLOBAL_START_64 : GLOBAL_START_32;
	u64 align = 64, globals = p->global_end - start, constants = p->const_end - CONST_WINDOW;
	for (u32 i = 0; i < p->symbol.n; i++)
		align = PS_MAX(align, p->symbol.p[i].align);
	p->windows = p->is64 ? HOST_WINDOWS : HOST_WINDOWS_32;
	u8 *room = arena_alloc(p->arena, size_add(globals + constants, align), 64);
	u8 *variables = room + (size_align((u64)(uintptr_t)room, align) - (u64)(uintptr_t)room);
	for (u32 i = 0; i < p->symbol.n; i++) {
		SimtSymbol *s = &p->symbol.p[i];
		if (s->space == SPACE_GLOBAL) {
			u8 *at = placed(p, s, host);
			s->host = at ? at : variables + (s->address - start);
			s->address = p->is64 ? (u64)(uintptr_t)s->host : s->address - start + HOST_GLOBALS_32;
		} else if (s->space == SPACE_CONST) {
			s->host = variables + globals + (s->address - CONST_WINDOW);
			s->address += p->windows;
		}
	}
}

/* ---- constants */

static i32 pool_rows(SimtProgram *p, u32 rows)
{
	if (p->pool_rows + rows > p->pool_cap) {
		u32 cap = PS_MAX(p->pool_cap * 2, 64u);
		p->pool = arena_grow(p->arena, p->pool, (size_t)p->pool_cap * LANES * 4, (size_t)cap * LANES * 4, 64);
		p->pool_cap = cap;
	}
	u32 at = p->pool_rows;
	p->pool_rows += rows;
	return (i32)at;
}

i32 emit_const_words(SimtProgram *p, u32 bits, const u64 *words)
{
	u32  n = rows_of(bits) / 2;
	i32  at = pool_rows(p, 2 * n);
	u64 *w = (u64 *)(void *)(p->pool + (size_t)at * LANES);
	for (u32 i = 0; i < n; i++)
		for (u32 l = 0; l < LANES; l++)
			w[i * LANES + l] = words[i];
	return -at;
}

i32 emit_const128(SimtProgram *p, SemU128 v) { return emit_const_words(p, 128, (u64[]){v.lo, v.hi}); }

static i32 const_rows(SimtProgram *p, u32 rows, u64 value)
{
	i32  at = pool_rows(p, rows);
	u32 *row = p->pool + (size_t)at * LANES;
	for (u32 l = 0; l < LANES; l++)
		if (rows == 1)
			row[l] = (u32)value;
		else
			((u64 *)(void *)row)[l] = value;
	return at;
}

i32 emit_shared_address(SimtProgram *p, u32 bits, u64 value)
{
	bool fresh, wide = bits > 32;
	u64 *at = map_put(&p->shared_at[wide], value, &fresh);
	if (fresh) {
		*at = (u64)const_rows(p, wide ? 2 : 1, value);
		vec_push(p->arena, &p->shared_rows, 2 * (u32)*at + wide);
	}
	return -(i32)*at;
}

i32 emit_const(SimtProgram *p, u32 bits, u64 value)
{
	u32  rows = rows_of(bits);
	bool fresh;
	u64 *slot;
	value = bits < 64 ? value & (((u64)1 << bits) - 1) : value;
	if (value >= ~(u64)0 - 1 || rows >= 4) { /* the map reserves two keys */
		fresh = true, slot = NULL;
	} else {
		slot = map_put(&p->pool_at[rows / 2], value, &fresh);
		if (!fresh)
			return -(i32)*slot;
	}
	if (rows >= 4) {
		u64 words[SEM_BIG_WORDS] = {value};
		return emit_const_words(p, bits, words);
	}
	i32 at = const_rows(p, rows, value);
	if (slot)
		*slot = (u64)at;
	return -at;
}

u32 emit_ext(SimtProgram *p, const u32 *words, u32 n)
{
	u32 at = p->ext.n;
	for (u32 i = 0; i < n; i++)
		vec_push(p->arena, &p->ext, words[i]);
	return at;
}

/* ---- instructions */

void emit_begin(SimtEmit *e, SimtProgram *p, u32 func)
{
	*e = (SimtEmit){.p = p, .func = func, .guard = NO_REG, .fresh = true};
	p->func.p[func].start = p->code.n;
	p->func.p[func].has_body = true;
}

void emit_source(SimtEmit *e, Str file, u32 line, u32 column)
{
	e->source = (SimtSource){.file = line ? file : STR(""), .line = line, .column = line ? column : 0};
}

/* The next instruction has a place of its own, if it is another one than that of the one before. */
static void note_source(SimtEmit *e)
{
	SimtSource *last = e->p->source.n ? &vec_last(&e->p->source) : NULL, here = e->source;
	if (last ? last->line == here.line && last->column == here.column && str_eq(last->file, here.file) : !here.line)
		return;
	here.insn = e->p->code.n;
	vec_push(e->p->arena, &e->p->source, here);
}

const SimtSource *simt_source_of(const SimtProgram *p, u32 insn)
{
	u32 lo = 0, hi = p->source.n;
	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (p->source.p[mid].insn <= insn)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && p->source.p[lo - 1].line ? &p->source.p[lo - 1] : NULL;
}

void emit_at(SimtEmit *e, u32 line, u32 origin)
{
	e->line = line;
	e->origin = origin;
	e->fresh = true;
}

u32 emit_block_new(SimtEmit *e)
{
	vec_push(e->p->arena, &e->block, ~0u);
	return e->block.n - 1;
}

void emit_block(SimtEmit *e, u32 block) { e->block.p[block] = e->p->code.n; }

u32 emit_edge(SimtEmit *e, u32 from, u32 to)
{
	EmitEdge edge = {emit_block_new(e), e->line, e->origin, from, to, e->source};
	vec_push(e->p->arena, &e->edge, edge);
	return edge.block;
}

const EmitEdge *emit_next_edge(SimtEmit *e)
{
	if (e->edges_done == e->edge.n)
		return NULL;
	const EmitEdge *edge = &e->edge.p[e->edges_done++];
	emit_block(e, edge->block);
	emit_at(e, edge->line, edge->origin);
	e->source = edge->source;
	e->fresh = false;
	return edge;
}

i32 emit_reg(SimtEmit *e, u32 bits)
{
	u32 at = e->rows;
	e->rows += rows_of(bits);
	return (i32)at;
}

SimtInsn *emit_insn(SimtEmit *e, SimtOp op)
{
	SimtInsn i = {.op = (u8)op,
	              .d = NO_REG,
	              .a = NO_REG,
	              .b = NO_REG,
	              .c = NO_REG,
	              .guard = e->guard,
	              .line = e->line,
	              .origin = e->origin};
	i.flags = (u8)((e->guard != NO_REG ? SIF_GUARD : 0) | (e->guard_not ? SIF_GUARD_NOT : 0) | (e->fresh ? 0 : SIF_MICRO));
	e->fresh = false;
	note_source(e);
	vec_push(e->p->arena, &e->p->code, i);
	return &vec_last(&e->p->code);
}

void emit_lanes(SimtEmit *e, SimtKernel k, i32 d, i32 a, i32 b, i32 c, u32 x)
{
	SimtInsn *i = emit_insn(e, S_LANES);
	i->kernel = (u16)k;
	i->rows = simt_kernel[k].rows;
	i->d = d;
	i->a = a == NO_REG ? d : a;
	i->b = b == NO_REG ? i->a : b;
	i->c = c == NO_REG ? i->a : c;
	i->x = x;
}

void emit_fcmp(SimtEmit *e, SemCmp cmp, bool is_f64, i32 p, i32 a, i32 b)
{
	static const struct {
		u16  k32, k64;
		bool swap;
	} rows[SEM_CMP_COUNT] = {
		[SEM_EQ] = {K_feq32, K_feq64, false},    [SEM_NE] = {K_fone32, K_fone64, false},
		[SEM_LT] = {K_flt32, K_flt64, false},    [SEM_LE] = {K_fle32, K_fle64, false},
		[SEM_GT] = {K_flt32, K_flt64, true},     [SEM_GE] = {K_fle32, K_fle64, true},
		[SEM_EQU] = {K_fequ32, K_fequ64, false}, [SEM_NEU] = {K_fneu32, K_fneu64, false},
		[SEM_LTU] = {K_fnle32, K_fnle64, true},  [SEM_LEU] = {K_fnlt32, K_fnlt64, true},
		[SEM_GTU] = {K_fnle32, K_fnle64, false}, [SEM_GEU] = {K_fnlt32, K_fnlt64, false},
		[SEM_NUM] = {K_fnum32, K_fnum64, false}, [SEM_NAN] = {K_fnan32, K_fnan64, false},
	};
	emit_lanes(e, is_f64 ? rows[cmp].k64 : rows[cmp].k32, p, rows[cmp].swap ? b : a, rows[cmp].swap ? a : b, NO_REG, 0);
}

void emit_move(SimtEmit *e, u32 bits, i32 d, i32 a)
{
	for (u32 k = 0; bits > 128 && k < rows_of(bits) / 2; k++)
		emit_move(e, 64, word_of(d, k), word_of(a, k));
	if (bits <= 128)
		emit_lanes(e, bits <= 32 ? K_mov32 : bits <= 64 ? K_mov64 : K_mov128, d, a, NO_REG, NO_REG, 0);
}

void emit_select(SimtEmit *e, u32 bits, i32 d, i32 a, i32 b, i32 c)
{
	if (bits <= 32)
		emit_lanes(e, K_sel32, d, a, b, c, 0);
	for (u32 k = 0; bits > 32 && k < rows_of(bits) / 2; k++)
		emit_lanes(e, K_sel64, word_of(d, k), word_of(a, k), word_of(b, k), c, 0);
}

void emit_big(SimtEmit *e, BigForm f, i32 d, const i32 *in)
{
	SimtInsn *i = emit_insn(e, S_BIG);
	i->d = d, i->a = in[0];
	i->b = f.op <= BIG_COMPARE ? in[1] : NO_REG;
	i->c = f.op == BIG_EVAL ? in[2] : NO_REG;
	i->rows = (u8)rows_of(f.result);
	i->x = f.op | (f.is_signed ? BIG_SIGNED : 0) | f.detail << BIG_SHIFT;
	i->y = f.w, i->z = f.result;
}

void emit_moves(SimtEmit *e, EmitMove *moves, u32 n)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < i; k++)
			if (moves[i].s == moves[k].d) { /* it would be overwritten before it is read */
				i32 t = emit_reg(e, moves[i].bits);
				emit_move(e, moves[i].bits, t, moves[i].s);
				moves[i].s = t;
				break;
			}
	for (u32 i = 0; i < n; i++)
		if (moves[i].d != moves[i].s)
			emit_move(e, moves[i].bits, moves[i].d, moves[i].s);
}

void emit_branch(SimtEmit *e, u32 block, i32 guard, bool negate)
{
	SimtInsn *i = emit_insn(e, S_BR);
	i->y = block;
	i->guard = guard;
	i->flags &= (u8) ~(SIF_GUARD | SIF_GUARD_NOT);
	if (guard != NO_REG)
		i->flags |= (u8)(SIF_GUARD | (negate ? SIF_GUARD_NOT : 0));
}

void emit_unsupported(SimtEmit *e, Str what)
{
	while (what.n && (what.p[what.n - 1] == '\n' || what.p[what.n - 1] == ' '))
		what.n--;
	while (what.n && (*what.p == ' ' || *what.p == '\t'))
		what.p++, what.n--;
	SimtInsn *i = emit_insn(e, S_TRAP);
	i->x = FAULT_UNSUPPORTED;
	i->y = e->p->text.n;
	vec_push(e->p->arena, &e->p->text, arena_str(e->p->arena, what));
}

enum { BLOCK_END = 0x7fffffff };

void emit_return(SimtEmit *e) { emit_branch(e, BLOCK_END, e->guard, e->guard_not); }

void emit_extend(SimtEmit *e, i32 d, u32 to, i32 a, u32 from, bool is_signed)
{
	u32 w = PS_MIN(to, from);
	if (to > 128 || from > 128) {
		emit_big(e, (BigForm){BIG_EXTEND, from, to, 0, is_signed}, d, &a);
	} else if (to > 64 && from > 64) { /* the upper half is an extension of its own */
		if (w == 128) {
			emit_move(e, 128, d, a);
			return;
		}
		emit_move(e, 64, d, a);
		emit_lanes(e, is_signed && from < to ? K_sext64_64 : K_trunc64, d + 2, upper_half(a), NO_REG, NO_REG, w - 64);
		if (is_signed && from < to && to < 128)
			emit_lanes(e, K_trunc64, d + 2, d + 2, NO_REG, NO_REG, to - 64);
	} else if (to > 64) {
		emit_extend(e, d, 64, a, from, is_signed);
		if (is_signed)
			emit_lanes(e, K_ashr64, d + 2, d, emit_const(e->p, 32, 63), NO_REG, 0);
		else
			emit_move(e, 64, d + 2, emit_const(e->p, 64, 0));
		if (is_signed && to < 128)
			emit_lanes(e, K_trunc64, d + 2, d + 2, NO_REG, NO_REG, to - 64);
	} else if (from > 64) {
		emit_extend(e, d, to, a, 64, false);
	} else if (to > 32 && from > 32) {
		emit_lanes(e, is_signed && from < to ? K_sext64_64 : K_trunc64, d, a, NO_REG, NO_REG, w);
		if (is_signed && from < to && to < 64)
			emit_lanes(e, K_trunc64, d, d, NO_REG, NO_REG, to);
	} else if (to > 32) {
		emit_lanes(e, is_signed ? K_sext64 : K_zext64, d, a, NO_REG, NO_REG, from);
		if (is_signed && to < 64)
			emit_lanes(e, K_trunc64, d, d, NO_REG, NO_REG, to);
	} else if (from > 32) {
		emit_lanes(e, K_trunc64_32, d, a, NO_REG, NO_REG, to);
	} else if (to <= from || !is_signed) {
		emit_lanes(e, to < from ? K_trunc32 : K_mov32, d, a, NO_REG, NO_REG, w);
	} else {
		emit_lanes(e, K_sext32, d, a, NO_REG, NO_REG, from);
		if (to < 32)
			emit_lanes(e, K_trunc32, d, d, NO_REG, NO_REG, to);
	}
}

/* ---- the end of a function: targets and meeting points */

static bool ends_path(const SimtInsn *i)
{
	bool guarded = (i->flags & SIF_GUARD) != 0;
	return (i->op == S_BR && !guarded) || (i->op == S_SWITCH && !guarded) || i->op == S_RET ||
	       ((i->op == S_EXIT || i->op == S_TRAP) && !guarded);
}

static bool ends_block(const SimtInsn *i)
{
	return i->op == S_BR || i->op == S_SWITCH || i->op == S_RET || i->op == S_EXIT || i->op == S_TRAP;
}

/* Basic blocks of the function's code: a graph over them, and the block of each instruction. */
typedef struct Cfg {
	u32   *block_of; /* by instruction, from the function's start */
	VecU32 first;    /* by block */
	Graph  g;
} Cfg;

static u32 *switch_targets(SimtProgram *p, const SimtInsn *i, u32 *n, u32 *stride)
{
	u32 *t = p->ext.p + i->y;
	*n = t[0];
	*stride = 3;
	return t + 1; /* the default, then (low, high, target)* */
}

static void cfg_build(Cfg *c, SimtProgram *p, Arena *a, u32 start, u32 end)
{
	u32        n = end - start;
	bool      *leader = arena_array(a, bool, n + 1);
	GraphEdges edges = {0};
	leader[0] = true;
	for (u32 i = 0; i < n; i++) {
		const SimtInsn *in = &p->code.p[start + i];
		if (ends_block(in))
			leader[i + 1] = true;
		if (in->op == S_BR)
			leader[in->y - start] = true;
		if (in->op == S_SWITCH) {
			u32 count, stride, *t = switch_targets(p, in, &count, &stride);
			leader[t[0] - start] = true;
			for (u32 k = 0; k < count; k++)
				leader[t[3 + stride * k] - start] = true;
		}
	}
	c->block_of = arena_array(a, u32, n);
	for (u32 i = 0; i < n; i++) {
		if (leader[i])
			vec_push(a, &c->first, i);
		c->block_of[i] = c->first.n - 1;
	}
	for (u32 i = 0; i < n; i++) {
		const SimtInsn *in = &p->code.p[start + i];
		u32             from = c->block_of[i];
		if (in->op == S_BR)
			vec_push(a, &edges, ((GraphEdge){from, c->block_of[in->y - start]}));
		if (in->op == S_SWITCH) {
			u32 count, stride, *t = switch_targets(p, in, &count, &stride);
			vec_push(a, &edges, ((GraphEdge){from, c->block_of[t[0] - start]}));
			for (u32 k = 0; k < count; k++)
				vec_push(a, &edges, ((GraphEdge){from, c->block_of[t[3 + stride * k] - start]}));
		}
		if (i + 1 < n && leader[i + 1] && !ends_path(in))
			vec_push(a, &edges, ((GraphEdge){from, c->block_of[i + 1]}));
	}
	graph_build(&c->g, a, c->first.n, edges.p, edges.n);
}

static u32 target_of(const SimtEmit *e, u32 block, u32 end) { return block == BLOCK_END ? end : e->block.p[block]; }

/* How far lanes go on from each of their instructions: behind it all threads execute what follows, up to where paths meet. */
static void note_runs(SimtInsn *code, u32 n)
{
	u32 length = 0, counted = 0;
	for (SimtInsn *in = code + n; in-- > code;) {
		if (in->op != S_LANES) {
			length = counted = 0;
			continue;
		}
		in->y = length + 1, in->z = counted;
		bool ends = in->flags & (SIF_GUARD | SIF_JOIN);
		length = ends ? 0 : in->y;
		counted = ends ? 0 : counted + !(in->flags & SIF_MICRO);
	}
}

void emit_end(SimtEmit *e)
{
	SimtProgram *p = e->p;
	SimtFunc    *f = &p->func.p[e->func];
	e->guard = NO_REG;
	e->guard_not = false;
	e->fresh = false;
	f->end = p->code.n;
	emit_insn(e, S_RET);
	f->rows = e->rows;
	for (u32 i = f->start; i < f->end; i++) {
		SimtInsn *in = &p->code.p[i];
		if (in->op == S_BR)
			in->y = target_of(e, in->y, f->end);
		if (in->op == S_SWITCH) {
			u32 count, stride, *t = switch_targets(p, in, &count, &stride);
			t[0] = target_of(e, t[0], f->end);
			for (u32 k = 0; k < count; k++)
				t[3 + stride * k] = target_of(e, t[3 + stride * k], f->end);
		}
	}
	Arena scratch;
	arena_init(&scratch, &p->s->budget);
	Cfg c = {0};
	cfg_build(&c, p, &scratch, f->start, f->end + 1);
	DomTree t = postdom_build(&c.g, &scratch, 0);
	for (u32 i = f->start; i < f->end; i++) {
		SimtInsn *in = &p->code.p[i];
		if (in->op != S_BR && in->op != S_SWITCH)
			continue;
		u32 b = t.idom[c.block_of[i - f->start]];
		in->z = b == GRAPH_NONE || b >= c.first.n ? f->end : f->start + c.first.p[b];
		p->code.p[in->z].flags |= SIF_JOIN;
	}
	for (u32 i = f->start; i < f->end; i++) /* lanes that call different functions, or none, meet behind it */
		if (p->code.p[i].op == S_CALLI || (p->code.p[i].op == S_CALL && (p->code.p[i].flags & SIF_GUARD)))
			p->code.p[i + 1].flags |= SIF_JOIN;
	p->code.p[f->end].flags |= SIF_JOIN;
	note_runs(p->code.p + f->start, f->end - f->start);
	arena_free(&scratch);
}
