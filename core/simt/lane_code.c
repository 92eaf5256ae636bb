/* lane_code.c: a template compiler from decoded programs to WebAssembly.
 *
 *	setp.lt  p, r, n    ┐           budget -= 4; if less than 0: undo, leave
 *	add      s, s, 1    │ run       for each four lanes { load r, n, s; compare, add; store p, s; note p }
 *	ld.f32   f, [q]     │           call the emulator
 *	@p bra   L          ┘           all: L; none: the next block; else leave
 *
 * A kernel and what it calls are cut into regions of consecutive basic blocks, one WebAssembly function each (two: one for full warps,
 * one that blends). Within a run of lane instructions four lanes go through all of them before the next four, so that values stay in
 * locals; at its end every register that was written is in its row, as the emulator has it. A function is left, with the number of
 * the next instruction, wherever the emulator has to look: lanes part, paths may meet, the budget does not last for the block, an
 * instruction changes paths or is guarded. Everything the emulator counts follows from how much of the budget is used.
 *
 * Operations that have a row in lane_code.def become instructions (lane_template.c); the others call the emulator's own.
 *
 * Cost: linear in the code. Limits: MOST_INSNS; none of it where a run is watched (profiles, sanitizers, stops). */
#include "simt/lane_code.h"

#include "config/session.h"
#include "simt/lane_template.h"

enum {
	MOST_INSNS = 1 << 14, /* of a kernel and what it calls */
	REGION = 400,         /* instructions of a function, about */
	RUN = 40,             /* instructions that share locals */
	UNROLLED = 3,         /* of at most so many, the loop over lanes is written out */
	TOGETHER = 2,         /* fours of lanes in one turn of a loop that is not */
	GROUPS = LANES / 4,
};

enum { LABEL_LEAVE = 1, LABEL_AGAIN = 2, LABEL_BLOCKS = 3 };

static u32 counted(const SimtInsn *in) { return !(in->flags & SIF_MICRO); }

static void leave(Code *c, u32 pc)
{
	code_i32(c, pc);
	code_set(c, L_PC);
	code_br(c, WASM_BR, LABEL_LEAVE);
}

/* ---- runs */

typedef struct Run {
	const SimtInsn *from, *to;
	i32             guard; /* of the branch behind it, whose lanes are looked at on the way; NO_REG: not */
} Run;

static void on_lanes(Code *c, u32 offset)
{
	code_get(c, c->loop ? L_ON_AT : L_FRAME);
	wasm_memory_v128(&c->out, V128_LOAD, offset + 16 * c->group);
}

/* Notes in L_TAKEN and L_LEFT what the predicate says. */
static void note_guard(Code *c, i32 guard)
{
	code_operand(c, guard, 1);
	if (c->part) {
		on_lanes(c, offsetof(LaneFrame, take));
		code_simd(c, V128_AND);
	}
	code_get(c, L_TAKEN);
	code_simd(c, V128_OR);
	code_set(c, L_TAKEN);
	if (c->part)
		on_lanes(c, offsetof(LaneFrame, take));
	code_operand(c, guard, 1);
	if (c->part)
		code_simd(c, V128_ANDNOT);
	code_get(c, L_LEFT);
	code_simd(c, c->part ? V128_OR : V128_AND);
	code_set(c, L_LEFT);
}

static void four_lanes(Code *c, const Run *r)
{
	c->held.n = 0;
	u32 locals = c->locals;
	if (c->part && r->from != r->to) {
		on_lanes(c, offsetof(LaneFrame, on));
		code_set(c, L_ON);
	}
	for (const SimtInsn *in = r->from; in != r->to; in++)
		(in->op == S_LANES ? lane_template : lane_access)(c, in);
	if (r->guard != NO_REG)
		note_guard(c, r->guard);
	for (u32 i = 0; i < c->held.n; i++) {
		Held h = c->held.p[i];
		for (u32 half = 0; h.dirty && half < h.rows; half++) {
			u32 offset = code_address(c, h.reg, h.rows, half);
			code_get(c, h.local + half);
			if (c->part) {
				code_address(c, h.reg, h.rows, half);
				wasm_memory_v128(&c->out, V128_LOAD, offset);
				code_get(c, L_ON);
				if (h.rows == 2)
					code_simd(c, I64X2_EXTEND_S + half);
				code_simd(c, V128_BITSELECT);
			}
			wasm_memory_v128(&c->out, V128_STORE, offset);
		}
	}
	c->most = PS_MAX(c->most, c->locals);
	c->locals = locals;
}

static void add_to(Code *c, u32 local, u32 n)
{
	code_get(c, local);
	code_i32(c, n);
	code_op(c, WASM_I32_ADD);
	code_set(c, local);
}

static bool has_access(const Run *r)
{
	bool has = false;
	for (const SimtInsn *in = r->from; in != r->to; in++)
		has |= in->op != S_LANES;
	return has;
}

static void all_lanes(Code *c, const Run *r)
{
	if (r->guard != NO_REG) {
		code_splat(c, 0, 4);
		code_set(c, L_TAKEN);
		code_splat(c, c->part ? 0 : ALL_LANES, 4);
		code_set(c, L_LEFT);
	}
	bool accesses = has_access(r);
	c->loop = accesses || r->to - r->from > UNROLLED;
	if (!c->loop) {
		for (c->group = 0; c->group < GROUPS; c->group++)
			four_lanes(c, r);
		return;
	}
	code_get(c, L_ROW);
	code_tee(c, L_AT);
	code_tee(c, L_AT_64);
	code_i32(c, 4 * LANES);
	code_op(c, WASM_I32_ADD);
	code_set(c, L_LAST);
	code_get(c, L_FRAME);
	code_set(c, L_ON_AT);
	u32 again = code_open(c, WASM_LOOP);
	for (c->group = 0; c->group < TOGETHER; c->group++)
		four_lanes(c, r);
	add_to(c, L_AT, 16 * TOGETHER);
	add_to(c, L_AT_64, 32 * TOGETHER);
	if (c->part || accesses)
		add_to(c, L_ON_AT, 16 * TOGETHER);
	code_get(c, L_AT);
	code_get(c, L_LAST);
	code_op(c, WASM_I32_NE);
	code_br(c, WASM_BR_IF, again);
	code_close(c);
	c->loop = false;
}

/* ---- blocks */

static void add_i64(Code *c, u32 local, i64 n)
{
	if (!n)
		return;
	code_get(c, local);
	wasm_i64(&c->out, n);
	code_op(c, WASM_I64_ADD);
	code_set(c, local);
}

static void add_budget(Code *c, i64 n) { add_i64(c, L_BUDGET, n); }

static void leave_at_meeting(Code *c, u32 pc)
{
	if (!(c->p->code.p[pc].flags & SIF_JOIN))
		return;
	code_get(c, L_RPC);
	code_i32(c, pc);
	code_op(c, WASM_I32_EQ);
	code_open(c, WASM_IF);
	leave(c, pc);
	code_close(c);
}

static u32 block_of(const Code *c, u32 pc) { return pc >= c->first && pc < c->end ? c->block_at[pc] : 0; }

static void go_to(Code *c, u32 pc)
{
	u32 block = block_of(c, pc);
	if (!block--) {
		leave(c, pc);
		return;
	}
	leave_at_meeting(c, pc);
	if (block == c->block) {
		code_br(c, WASM_BR, c->self);
	} else if (block > c->block) {
		code_br(c, WASM_BR, LABEL_BLOCKS + c->blocks - 1 - block);
	} else {
		code_i32(c, block);
		code_set(c, L_BLOCK);
		code_br(c, WASM_BR, LABEL_AGAIN);
	}
}

static void call(Code *c, u32 pc, u32 n)
{
	const SimtInsn *in = &c->p->code.p[pc];
	bool            faults = false;
	code_get(c, L_FRAME);
	code_i32(c, pc);
	code_i32(c, n);
	code_call(c, TYPE_CALL, (u32)(uintptr_t)c->calls->run);
	for (u32 i = 0; i < n; i++)
		c->done += counted(in + i), faults |= in[i].op != S_LANES;
	if (!faults) {
		code_op(c, WASM_DROP);
		return;
	}
	code_op(c, WASM_I32_EQZ);
	code_open(c, WASM_IF);
	add_budget(c, c->total - c->done);
	if (n > 1) {
		code_get(c, L_BUDGET);
		code_get(c, L_FRAME);
		wasm_memory(&c->out, WASM_I64_LOAD, 3, offsetof(LaneFrame, undone));
		code_op(c, WASM_I64_ADD);
		code_set(c, L_BUDGET);
	}
	code_get(c, L_FRAME);
	code_i32(c, 1);
	wasm_memory(&c->out, WASM_I32_STORE, 2, offsetof(LaneFrame, fault));
	leave(c, pc);
	code_close(c);
}

/* Is a bit 0 set that was noted? */
static void any_noted(Code *c, bool taken)
{
	code_get(c, taken ? L_TAKEN : L_LEFT);
	code_i32(c, 31);
	code_simd(c, I32X4_SHL);
	code_simd(c, I32X4_BITMASK);
	if (!taken && !c->part) {
		code_i32(c, 15); /* all that were looked at have it */
		code_op(c, WASM_I32_NE);
	}
}

static void branch(Code *c, u32 pc)
{
	const SimtInsn *in = &c->p->code.p[pc];
	if (!(in->flags & SIF_GUARD)) {
		go_to(c, in->y);
		return;
	}
	bool inverted = in->flags & SIF_GUARD_NOT;
	any_noted(c, inverted); /* who stays */
	code_op(c, WASM_I32_EQZ);
	code_open(c, WASM_IF);
	go_to(c, in->y);
	code_close(c);
	any_noted(c, !inverted);
	code_open(c, WASM_IF);
	add_budget(c, c->total - c->done);
	leave(c, pc);
	code_close(c);
	add_i64(c, L_UNTAKEN, counted(in));
}

/* Instructions from `pc` on that are one run; `end` is the block's. */
static u32 run_length(Code *c, u32 pc, u32 end)
{
	u32 n = 0, locals = c->locals;
	c->held.n = 0;
	const SimtInsn *from = c->p->code.p + pc, *in = from;
	for (; pc + n < end && n < RUN; n++, in++) {
		if (in != from && in[-1].op == S_ST)
			break;
		bool joins =
			lane_is_access(c, in) ? lane_access_joins(c, from, in) : lane_has_template(c, in) && lane_joins(c, in);
		if (!joins)
			break;
	}
	c->locals = locals;
	return n;
}

static u32 calls_length(Code *c, u32 pc, u32 end)
{
	u32 n = 1;
	while (c->p->code.p[pc].op == S_LANES && pc + n < end && c->p->code.p[pc + n].op == S_LANES &&
	       !lane_has_template(c, &c->p->code.p[pc + n]))
		n++;
	return n;
}

/* The run's accesses may go to places that only the emulator can look at: it executes all of it, then. */
static void run(Code *c, const Run *r)
{
	u32 after = code_open(c, WASM_BLOCK);
	if (lane_places(c, r->from, r->to)) {
		code_open(c, WASM_IF);
		i64 done = c->done;
		call(c, (u32)(r->from - c->p->code.p), (u32)(r->to - r->from));
		c->done = done;
		if (r->guard != NO_REG)
			all_lanes(c, &(Run){r->from, r->from, r->guard});
		code_br(c, WASM_BR, after);
		code_close(c);
	}
	all_lanes(c, r);
	code_close(c);
	lane_executed(c, r->from, r->to);
	for (const SimtInsn *in = r->from; in != r->to; in++)
		c->done += counted(in);
}

/* The block's instructions from pc to end; a branch may be the last. */
static void block(Code *c, u32 pc, u32 end)
{
	const SimtInsn *code = c->p->code.p;
	bool            branches = code[end - 1].op == S_BR;
	u32             start = pc, last = branches ? end - 1 : end;
	i32             guard = branches && code[last].flags & SIF_GUARD ? code[last].guard : NO_REG;
	c->total = c->done = 0;
	c->last = code + last;
	memset(c->place, 0, sizeof c->place);
	for (u32 i = start; i < end; i++)
		c->total += counted(&code[i]);
	c->self = code_open(c, WASM_LOOP);
	add_budget(c, -c->total);
	code_get(c, L_BUDGET);
	wasm_i64(&c->out, 0);
	code_op(c, WASM_I64_LT_S);
	code_open(c, WASM_IF);
	add_budget(c, c->total);
	leave(c, start);
	code_close(c);
	while (pc < last) {
		u32 n = run_length(c, pc, last);
		if (!n) {
			n = calls_length(c, pc, last);
			call(c, pc, n);
			lane_executed(c, code + pc, code + pc + n);
			pc += n;
			continue;
		}
		Run r = {code + pc, code + pc + n, NO_REG};
		if (pc + n == last && guard != NO_REG && !lane_overlaps(c, guard, 1))
			r.guard = guard, guard = NO_REG;
		run(c, &r);
		pc += n;
	}
	if (guard != NO_REG)
		all_lanes(c, &(Run){code, code, guard});
	if (branches)
		branch(c, last);
	if (!branches || code[last].flags & SIF_GUARD) {
		if (block_of(c, end) == c->block + 2)
			leave_at_meeting(c, end);
		else
			go_to(c, end);
	}
	code_close(c);
}

/* ---- functions */

static void load_word(Code *c, u32 local, u32 offset)
{
	code_get(c, L_FRAME);
	wasm_memory(&c->out, WASM_I32_LOAD, 2, offset);
	code_set(c, local);
}

/* A region's function, with its locals, in `to`. `begin`: by block its first instruction, and behind the last. */
static void function(Code *c, const u32 *begin, const u32 *end, WasmBytes *to)
{
	c->out.v.n = c->level = c->locals = c->most = c->constants = 0;
	load_word(c, L_BLOCK, offsetof(LaneFrame, block));
	load_word(c, L_ROW, offsetof(LaneFrame, row));
	load_word(c, L_POOL, offsetof(LaneFrame, pool));
	load_word(c, L_RPC, offsetof(LaneFrame, rpc));
	code_get(c, L_FRAME);
	wasm_memory(&c->out, WASM_I64_LOAD, 3, offsetof(LaneFrame, budget));
	code_set(c, L_BUDGET);
	code_open(c, WASM_BLOCK);
	code_open(c, WASM_LOOP);
	for (u32 i = 0; i < c->blocks; i++)
		code_open(c, WASM_BLOCK);
	code_get(c, L_BLOCK);
	wasm_op(&c->out, WASM_BR_TABLE, c->blocks - 1);
	for (u32 i = 0; i < c->blocks; i++)
		wasm_u32(&c->out, i);
	for (c->block = 0; c->block < c->blocks; c->block++) {
		code_close(c);
		block(c, begin[c->block], end[c->block]);
	}
	code_close(c);
	code_close(c);
	code_get(c, L_FRAME);
	code_get(c, L_BUDGET);
	wasm_memory(&c->out, WASM_I64_STORE, 3, offsetof(LaneFrame, budget));
	code_get(c, L_FRAME);
	code_get(c, L_UNTAKEN);
	wasm_memory(&c->out, WASM_I64_STORE, 3, offsetof(LaneFrame, untaken));
	code_get(c, L_PC);
	code_op(c, WASM_END);

	WasmBytes body = {.arena = c->arena};
	wasm_u32(&body, 3);
	wasm_op(&body, N_I32, WASM_I32);
	wasm_op(&body, L_TEMP - L_BUDGET, WASM_I64);
	wasm_u32(&body, L_VALUE - L_TEMP + c->most);
	wasm_byte(&body, WASM_V128);
	for (u32 i = 0; i < c->constants; i++) {
		wasm_splat(&body, c->constant[i], 8);
		wasm_op(&body, WASM_SET, L_CONSTANT + i);
	}
	wasm_bytes(&body, c->out.v.p, c->out.v.n);
	wasm_sized(to, &body);
}

/* ---- the module */

static bool stays_out(const SimtInsn *in)
{
	bool guarded = in->flags & SIF_GUARD;
	return in->op != S_BR && (guarded || (in->op != S_LANES && !lane_code_calls(in)));
}

/* Where blocks begin, by instruction. */
static bool *leaders(const SimtProgram *p, Arena *a)
{
	bool *leader = arena_array(a, bool, p->code.n + 1);
	for (u32 f = 0; f < p->func.n; f++)
		if (p->func.p[f].has_body)
			leader[p->func.p[f].start] = true;
	for (u32 i = 0; i < p->code.n; i++) {
		const SimtInsn *in = &p->code.p[i];
		leader[i] |= (in->flags & SIF_JOIN) != 0;
		leader[i + 1] |= in->op == S_BR || stays_out(in);
		if (in->op == S_BR)
			leader[in->y] = true;
		if (in->op != S_SWITCH)
			continue;
		const u32 *t = p->ext.p + in->y;
		leader[t[1]] = true;
		for (u32 k = 0; k < t[0]; k++)
			leader[t[4 + 3 * k]] = true;
	}
	return leader;
}

static void section(WasmBytes *module, u32 id, const WasmBytes *contents)
{
	wasm_byte(module, id);
	wasm_sized(module, contents);
}

static void assemble(WasmBytes *module, Arena *a, u32 functions, const WasmBytes *bodies)
{
	static const u8 head[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
	static const u8 types[] = {4,
	                           WASM_FUNC_TYPE,
	                           1,
	                           WASM_I32,
	                           1,
	                           WASM_I32, /* TYPE_FUNCTION */
	                           WASM_FUNC_TYPE,
	                           3,
	                           WASM_I32,
	                           WASM_I32,
	                           WASM_I32,
	                           1,
	                           WASM_I32, /* TYPE_CALL */
	                           WASM_FUNC_TYPE,
	                           1,
	                           WASM_I32,
	                           0, /* TYPE_FMA */
	                           WASM_FUNC_TYPE,
	                           6,
	                           WASM_I32,
	                           WASM_I32,
	                           WASM_I32,
	                           WASM_I32,
	                           WASM_I32,
	                           WASM_I32,
	                           1,
	                           WASM_I32}; /* TYPE_PLACES */
	WasmBytes       s = {.arena = a};
	wasm_bytes(module, head, sizeof head);
	wasm_bytes(&s, types, sizeof types);
	section(module, WASM_TYPES, &s);
	s.v.n = 0;
	wasm_u32(&s, 2);
	wasm_name(&s, "core");
	wasm_name(&s, "memory");
	wasm_op(&s, 2, 0); /* a memory, */
	wasm_u32(&s, 0);   /* of any size */
	wasm_name(&s, "core");
	wasm_name(&s, "table");
	wasm_op(&s, 1, WASM_FUNCREF);
	wasm_op(&s, 0, 0);
	section(module, WASM_IMPORTS, &s);
	s.v.n = 0;
	wasm_u32(&s, functions);
	for (u32 i = 0; i < functions; i++)
		wasm_u32(&s, TYPE_FUNCTION);
	section(module, WASM_FUNCTIONS, &s);
	s.v.n = 0;
	wasm_u32(&s, functions);
	for (u32 i = 0; i < functions; i++) { /* their names do not matter, but have to differ */
		char name[8];
		u32  n = 0;
		for (u32 v = i; v || !n; v /= 26)
			name[n++] = (char)('a' + v % 26);
		wasm_u32(&s, n);
		wasm_bytes(&s, name, n);
		wasm_op(&s, 0, i);
	}
	section(module, WASM_EXPORTS, &s);
	s.v.n = 0;
	wasm_u32(&s, functions);
	wasm_bytes(&s, bodies->v.p, bodies->v.n);
	section(module, WASM_CODE, &s);
}

/* Region by region: the blocks of `first` to `end`. */
typedef struct Maker {
	SimtProgram     *p;
	Arena            scratch;
	bool            *leader;
	u32             *block_at, *entry;
	VecU32           begin, end;
	const LaneCalls *calls;
	u32              regions;
	WasmBytes        bodies;
} Maker;

static void region_done(Maker *m)
{
	if (!m->begin.n)
		return;
	Code c = {.p = m->p,
	          .arena = &m->scratch,
	          .block_at = m->block_at,
	          .first = m->begin.p[0],
	          .end = vec_last(&m->end),
	          .blocks = m->begin.n,
	          .calls = m->calls,
	          .out = {.arena = &m->scratch}};
	for (u32 i = 0; i < m->begin.n; i++) {
		m->block_at[m->begin.p[i]] = i + 1;
		m->entry[m->begin.p[i]] = (m->regions + 1) << LANE_BLOCK_BITS | i;
	}
	for (u32 part = 0; part < 2; part++) {
		c.part = part != 0;
		function(&c, m->begin.p, m->end.p, &m->bodies);
	}
	m->regions++;
	m->begin.n = m->end.n = 0;
}

static void compile_function(Maker *m, const SimtFunc *f)
{
	const SimtInsn *code = m->p->code.p;
	u32             size = 0;
	for (u32 pc = f->start, to; pc < f->end; pc = to) {
		to = pc + 1;
		if (stays_out(&code[pc]))
			continue;
		while (to < f->end && !m->leader[to] && !stays_out(&code[to]))
			to++;
		vec_push(&m->scratch, &m->begin, pc);
		vec_push(&m->scratch, &m->end, to);
		size += to - pc;
		if (size < REGION)
			continue;
		region_done(m);
		size = 0;
	}
	region_done(m);
}

/* By function: is it the kernel, or called by what is? */
static bool *reached(const SimtProgram *p, Arena *a, u32 kernel)
{
	bool  *is = arena_array(a, bool, p->func.n), any = false; /* of the functions that may be called by address */
	VecU32 todo = {0};
	vec_push(a, &todo, kernel);
	while (todo.n) {
		u32             f = vec_pop(&todo);
		const SimtFunc *fn = &p->func.p[f];
		if (is[f] || !fn->has_body)
			continue;
		is[f] = true;
		for (u32 i = fn->start; i < fn->end; i++) {
			const SimtInsn *in = &p->code.p[i];
			if (in->op == S_CALL)
				vec_push(a, &todo, in->x);
			for (u32 g = 0; in->op == S_CALLI && !any && g < p->func.n; g++)
				if (!p->func.p[g].is_kernel)
					vec_push(a, &todo, g);
			any |= in->op == S_CALLI;
		}
	}
	return is;
}

const LaneCode *lane_code_make(SimtProgram *p, u32 kernel, const LaneCalls *calls)
{
	Maker m = {.p = p, .calls = calls};
	u32   insns = 0, first = 0;
	if (!p->s->code_host.make)
		return NULL;
	arena_init(&m.scratch, &p->s->budget);
	bool *wanted = reached(p, &m.scratch, kernel);
	for (u32 f = 0; f < p->func.n; f++)
		insns += wanted[f] ? p->func.p[f].end - p->func.p[f].start : 0;
	if (insns <= MOST_INSNS) {
		m.entry = arena_array(p->arena, u32, p->code.n);
		m.bodies.arena = &m.scratch;
		m.leader = leaders(p, &m.scratch);
		m.block_at = arena_array(&m.scratch, u32, p->code.n + 1);
		for (u32 f = 0; f < p->func.n; f++)
			if (wanted[f])
				compile_function(&m, &p->func.p[f]);
		WasmBytes module = {.arena = &m.scratch};
		assemble(&module, &m.scratch, 2 * m.regions, &m.bodies);
		first = m.regions ? session_make_code(p->s, module.v.p, module.v.n, 2 * m.regions) : 0;
	}
	arena_free(&m.scratch);
	if (!first)
		return NULL;
	LaneCode *made = arena_new(p->arena, LaneCode);
	*made = (LaneCode){m.entry, first};
	return made;
}
