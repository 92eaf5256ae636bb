/* sanitize_init.c: bits that nobody has written, and where they matter. As MemorySanitizer does it (Stepanov and Serebryany, CGO 2015):
 * each bit of registers and memory has a shadow bit that says whether it is uninitialised; copying such bits is no error, and neither
 * is computing with them. Reported is
 *
 *	a branch, or the guard of anything but a computation     an address, a barrier's number or count, a member mask
 *	a store or atomic to global memory of which no bit is initialised (so padding may be copied along)
 *	a read-modify-write of memory of which no bit is         an argument of printf; the size for malloc
 *
 * What begins uninitialised: registers, local and shared memory, memory of malloc. Buffers, variables and parameters do not.
 *
 * A computation's result has uninitialised bits where operands have. Kernels that move bits about (moves, logic, shifts by amounts that
 * are known) are run twice, with those bits all zero and all one: where the results differ, the result is not initialised. This is
 * exact where each bit of the result depends on few bits. All other kernels lose the whole result. */
#include "simt/async.h"
#include "simt/emit.h"
#include "simt/matrix.h"
#include "simt/sanitize.h"

enum { PAGE = 4096, MOST_POISON = 128 << 20 };

static u32 *shadow_rows(const SimtMachine *m, const Frame *f, i32 r)
{
	return r >= 0 ? f->shadow + (size_t)r * LANES : m->san->clean_rows;
}

/* ---- memory */

/* The shadow of a page of global memory: one byte for each. NULL: all of it is initialised. */
static u8 *page_at(SimtMachine *m, u64 address, bool make)
{
	Sanitizer *s = m->san;
	u64       *at = make ? map_put(&s->poisons, address / PAGE, NULL) : map_get(&s->poisons, address / PAGE);
	u32 class;
	if (!at)
		return NULL;
	if (!*at && s->pool.used > MOST_POISON)
		return s->limited = true, NULL;
	if (!*at)
		*at = (u64)(uintptr_t)pool_take(&s->pool, PAGE, &class);
	return (u8 *)(uintptr_t)*at;
}

/* Sets the shadow of a piece of global memory; zero makes no pages. */
static void set_global(SimtMachine *m, u64 address, const u8 *from, u8 all, u64 bytes)
{
	for (u64 n; bytes; bytes -= n, address += n) {
		u8 *page = page_at(m, address, all != 0);
		n = PS_MIN(bytes, PAGE - address % PAGE);
		if (page && from)
			memcpy(page + address % PAGE, from, (size_t)n);
		else if (page)
			memset(page + address % PAGE, all, (size_t)n);
		from = from ? from + n : NULL;
	}
}

void init_poison(SimtMachine *m, u64 base, u64 size)
{
	if (m->san->what & SANITIZE_INIT)
		set_global(m, base, NULL, 0xff, size);
}

/* What is accessed has its shadow at san->poison[lane] until the lane's next access. What handlers other than those of stores and
 * copies write is initialised. */
void init_touch(SimtMachine *m, const Touch *t)
{
	Sanitizer *s = m->san;
	Warp      *w = m->cur_warp;
	u32        op = m->cur_insn->op;
	u8        *at = s->clean;
	if (t->space == SPACE_SHARED)
		at = t->block->watch->poison + t->address;
	else if (t->space == SPACE_LOCAL)
		at = w->local_poison + (size_t)t->lane * w->local_size + t->address;
	else if (t->space == SPACE_GLOBAL && s->poisons.live && t->address % PAGE + t->bytes <= PAGE) {
		u8 *page = page_at(m, t->address, false);
		at = page ? page + t->address % PAGE : s->clean;
	}
	s->poison_before[t->lane] = s->poison[t->lane];
	s->poison[t->lane] = (struct Poison){at, t->address, t->space};
	if (t->access != ACCESS_WRITE || op == S_ST || op == S_COPY)
		return;
	if (t->space == SPACE_GLOBAL)
		set_global(m, t->address, NULL, 0, t->bytes);
	else if (at != s->clean)
		memset(at, 0, t->bytes);
}

static bool whole(const u8 *poison, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (poison[i] != 0xff)
			return false;
	return true;
}

static bool some(const u8 *poison, u32 n)
{
	u8 any = 0;
	for (u32 i = 0; i < n; i++)
		any |= poison[i];
	return any != 0;
}

/* ---- reports */

static void use(SimtMachine *m, u32 lane, const char *what)
{
	SimtReport *r = sanitize_report(m, FAULT_UNINIT, lane, 0);
	if (!r)
		return;
	r->at.what = "use";
	r->message = arena_fmt(&m->arena, "%s depends on bits that nobody has written", what);
}

/* Reports the first lane of mask whose row is uninitialised, and takes the row for initialised from then on. */
static void use_row(SimtMachine *m, const Frame *f, i32 r, u32 rows, u32 mask, const char *what)
{
	if (r == NO_REG || r < 0)
		return;
	u32 *shadow = shadow_rows(m, f, r);
	each_lane(mask, l) {
		u64 bits = rows == 2 ? lane64(shadow, l) : shadow[l];
		if (!bits)
			continue;
		use(m, l, what);
		if (rows == 2)
			set_lane64(shadow, l, 0);
		else
			shadow[l] = 0;
	}
}

/* ---- computations */

enum { W__ = 0, W_u32 = 1, W_u64 = 2 };
static const u8 widths[K_COUNT][3] = {
#define K(id, D, A, B, C, expr)  [K_##id] = {W_##A, W_##B, W_##C},
#define KC(id, D, A, B, C, expr) [K_##id] = {W_##A, W_##B, W_##C},
#define K128(id, expr)           [K_##id] = {4, 4, 4},
#include "simt/kernels.def"
};

/* Kernels that move bits about, and the operands that say where to: if those are uninitialised, all of the result is. */
enum { OF_A = 1, OF_B = 2, OF_C = 4, MOVES = 8 };
static const u8 moves[K_COUNT] = {
	[K_mov32] = MOVES,
	[K_mov64] = MOVES,
	[K_trunc32] = MOVES,
	[K_trunc64] = MOVES,
	[K_trunc64_32] = MOVES,
	[K_zext64] = MOVES,
	[K_sext32] = MOVES,
	[K_sext64] = MOVES,
	[K_sext64_64] = MOVES,
	[K_hi64_32] = MOVES,
	[K_pack64] = MOVES,
	[K_pack32] = MOVES,
	[K_shr_const] = MOVES,
	[K_byte_field] = MOVES,
	[K_put_field] = MOVES,
	[K_byte_field64] = MOVES,
	[K_put_field64] = MOVES,
	[K_sel32] = MOVES | OF_C,
	[K_sel64] = MOVES | OF_C,
	[K_slct_s32] = MOVES | OF_C,
	[K_slct_s32_64] = MOVES | OF_C,
	[K_and32] = MOVES,
	[K_or32] = MOVES,
	[K_xor32] = MOVES,
	[K_not32] = MOVES,
	[K_lognot] = MOVES,
	[K_shl32] = MOVES | OF_B,
	[K_lshr32] = MOVES | OF_B,
	[K_ashr32] = MOVES | OF_B,
	[K_brev] = MOVES,
	[K_brev64] = MOVES,
	[K_bswap] = MOVES,
	[K_bswap64] = MOVES,
	[K_bfe_u] = MOVES | OF_B | OF_C,
	[K_bfe_s] = MOVES | OF_B | OF_C,
	[K_bfe_u64] = MOVES | OF_B | OF_C,
	[K_bfe_s64] = MOVES | OF_B | OF_C,
	[K_bfi] = MOVES | OF_C,
	[K_bfi64] = MOVES | OF_C,
	[K_bfi_at] = MOVES,
	[K_prmt] = MOVES | OF_C,
	[K_shf_l] = MOVES | OF_C,
	[K_shf_r] = MOVES | OF_C,
	[K_fshl] = MOVES | OF_C,
	[K_fshr] = MOVES | OF_C,
	[K_fshl64] = MOVES | OF_C,
	[K_fshr64] = MOVES | OF_C,
	[K_and64] = MOVES,
	[K_or64] = MOVES,
	[K_xor64] = MOVES,
	[K_not64] = MOVES,
	[K_shl64] = MOVES | OF_B,
	[K_lshr64] = MOVES | OF_B,
	[K_ashr64] = MOVES | OF_B,
	[K_mov128] = MOVES,
	[K_and128] = MOVES,
	[K_or128] = MOVES,
	[K_xor128] = MOVES,
	[K_not128] = MOVES,
};

typedef struct Operand {
	const u32 *row, *shadow;
	u32        rows;
} Operand;

/* The lanes of mask in which the operand has uninitialised bits. */
static u32 dirty_lanes(const Operand *o, u32 mask)
{
	u32 any[LANES] = {0}, all = 0, lanes = 0;
	for (u32 l = 0; l < LANES && o->rows == 1; l++)
		any[l] = o->shadow[l];
	for (u32 half = 0; half + 1 < o->rows; half += 2)
		for (u32 l = 0; l < LANES; l++) {
			u64 v = lane64(o->shadow + half * LANES, l);
			any[l] |= (u32)v | (u32)(v >> 32);
		}
	for (u32 l = 0; l < LANES; l++)
		all |= any[l];
	each_lane(all ? mask : 0, l)
		lanes |= (u32)(any[l] != 0) << l;
	return lanes;
}

static void set_lanes(u32 *d, u32 rows, u32 mask, u32 value)
{
	each_lane(mask, l) {
		if (rows == 1)
			d[l] = value;
		for (u32 half = 0; half + 1 < rows; half += 2)
			set_lane64(d + half * LANES, l, value ? ~(u64)0 : 0);
	}
}

/* The kernel with the operands' uninitialised bits as they are told. */
static void trial(const SimtMachine *m, const SimtInsn *i, const Operand *o, u32 ones, u32 *d)
{
	u32 in[3][4 * LANES];
	for (u32 k = 0; k < 3; k++)
		for (u32 j = 0; j < o[k].rows * LANES; j++)
			in[k][j] = (o[k].row[j] & ~o[k].shadow[j]) | (o[k].shadow[j] & ones);
	m->wide->kernel[i->kernel].run(d, in[0], in[1], in[2], i->x);
}

void init_lanes(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const i32 reg[3] = {i->a, i->b, i->c};
	Operand   o[3];
	u32      *d = shadow_rows(m, f, i->d), rows = simt_kernel[i->kernel].rows, dirty = 0, lost = 0;
	for (u32 k = 0; k < 3; k++) {
		o[k] = (Operand){reg_rows(m, f, reg[k]), shadow_rows(m, f, reg[k]), widths[i->kernel][k]};
		u32 lanes = o[k].rows && reg[k] >= 0 ? dirty_lanes(&o[k], mask) : 0;
		dirty |= lanes;
		if (moves[i->kernel] & 1u << k)
			lost |= lanes;
	}
	if (i->flags & SIF_GUARD) /* what the guard decides is unknown where the guard is */
		lost |= dirty_lanes(&(Operand){NULL, shadow_rows(m, f, i->guard), i->guard >= 0}, mask);
	if (moves[i->kernel] & MOVES && dirty & ~lost) {
		u32 low[4 * LANES], high[4 * LANES];
		trial(m, i, o, 0, low);
		trial(m, i, o, ~0u, high);
		each_lane(mask, l) {
			if (rows == 1)
				d[l] = low[l] ^ high[l];
			for (u32 half = 0; half + 1 < rows; half += 2)
				set_lane64(d + half * LANES, l, lane64(low + half * LANES, l) ^ lane64(high + half * LANES, l));
		}
	} else {
		set_lanes(d, rows, mask & ~dirty, 0);
		lost |= dirty;
	}
	set_lanes(d, rows, lost, ~0u);
	if (i->kernel == K_lognot) /* a predicate has one bit */
		each_lane(mask, l)
			d[l] &= 1;
}

/* ---- instructions that are no computations */

void init_guard(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	if (i->op != S_LANES)
		use_row(m, f, i->guard, 1, mask, i->op == S_BR ? "a branch" : "the guard of the instruction");
}

/* Operands whose values must be known: by instruction, what they are called. */
static void use_operands(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	switch ((SimtOp)i->op) {
	case S_LD:
	case S_ST:
	case S_ATOM: use_row(m, f, i->a, i->narrow ? 1 : 2, mask, "the address"); break;
	case S_SWITCH: use_row(m, f, i->a, i->x > 32 ? 2 : 1, mask, "a branch"); break;
	case S_CALLI: use_row(m, f, i->a, 2, mask, "the address of the function"); break;
	case S_BAR:
		use_row(m, f, i->a, 1, mask, "the barrier's number");
		use_row(m, f, i->b, 1, mask, "the barrier's count");
		use_row(m, f, i->c, 1, mask, "the predicate");
		break;
	case S_WARPSYNC:
	case S_ELECT: use_row(m, f, i->a, 1, mask, "the member mask"); break;
	case S_VOTE:
	case S_REDUX:
	case S_MATCH: use_row(m, f, i->b, 1, mask, "the member mask"); break;
	case S_SHFL:
		use_row(m, f, i->b, 1, mask, "the lane to read");
		use_row(m, f, i->c, 1, mask, "the segment");
		break;
	case S_ALLOCA:
	case S_MALLOC: use_row(m, f, i->a, 2, mask, "the size"); break;
	case S_FREE: use_row(m, f, i->a, 2, mask, "the address"); break;
	case S_COPY:
	case S_FILL:
		use_row(m, f, i->a, 2, mask, "the address");
		use_row(m, f, i->c, 2, mask, "the size");
		if (i->op == S_COPY)
			use_row(m, f, i->b, 2, mask, "the address");
		break;
	default: break;
	}
}

static void clear(SimtMachine *m, const Frame *f, i32 r, u32 rows, u32 mask)
{
	if (r != NO_REG && r >= 0 && (u32)r + rows <= m->p->func.p[f->func].rows)
		set_lanes(shadow_rows(m, f, r), rows, mask, 0);
}

static u32 ext_word(const SimtMachine *m, const SimtInsn *i, u32 k) { return m->p->ext.p[i->y + k]; }

/* The registers that an instruction writes, with their rows. False: which ones is not known here. */
typedef void EachResult(void *user, i32 r, u32 rows);
static bool  each_result(const SimtMachine *m, const SimtInsn *i, EachResult *tell, void *user)
{
	u32 rows = i->rows ? i->rows : 1;
	switch ((SimtOp)i->op) {
	case S_LANES: tell(user, i->d, simt_kernel[i->kernel].rows); return true;
	case S_LD: {
		u32 wide = i->mem.bytes > 8 ? 4 : i->mem.flags & SMF_WIDE ? 2 : 1;
		for (u32 k = 0; k < PS_MAX(i->n, 1u); k++)
			tell(user, i->n <= 1 ? i->d : (i32)ext_word(m, i, k), wide);
		return true;
	}
	case S_ATOM: tell(user, i->d, i->mem.bytes > 8 ? 4 : i->mem.bytes > 4 ? 2 : 1); return true;
	case S_SHFL:
	case S_MATCH: tell(user, i->d, 1), tell(user, (i32)ext_word(m, i, 0), 1); return true;
	case S_ELECT: tell(user, i->d, 1), tell(user, i->c, 1); return true;
	case S_VOTE:
	case S_REDUX:
	case S_ACTIVEMASK:
	case S_BAR:
	case S_PRINTF: tell(user, i->d, 1); return true;
	case S_ALLOCA:
	case S_STACKSAVE:
	case S_MALLOC: tell(user, i->d, 2); return true;
	case S_SREG:
	case S_BIG:
	case S_FRAME: tell(user, i->d, rows); return true;
	case S_CALL:
	case S_CALLI: {
		const SimtFunc *f = i->op == S_CALL ? &m->p->func.p[i->x] : NULL;
		const u32      *ext = &m->p->ext.p[i->y], *result = ext + CALL_HEAD + CALL_PAIR * ext[0];
		for (u32 k = 0; f && !f->by_memory && k < ext[1]; k++)
			tell(user, (i32)result[CALL_PAIR * k], rows_of(result[CALL_PAIR * k + 1]));
		return f != NULL;
	}
	case S_TEX:
		for (u32 k = 0; k < 4; k++)
			tell(user, m->p->tex.p[i->y].result[k], 1);
		return true;
	case S_ASYNC: {
		const AsyncForm *x = &m->p->async.p[i->y];
		tell(user, x->d, x->what == AS_ARRIVE ? 2 : 1);
		return true;
	}
	case S_MMA: {
		const MmaForm *x = &m->p->mma.p[i->y];
		u32            part = x->what == MMA_LOAD ? x->part : PART_D;
		u32            n = x->what == MMA_LDMATRIX ? x->count : x->what == MMA_MOVMATRIX ? 1 : x->regs[part];
		for (u32 k = 0; k < n && x->what != MMA_STORE && x->what != MMA_STMATRIX; k++)
			tell(user, x->row[part][k], x->type[part] == EL_F64 ? 2 : 1);
		return true;
	}
	case S_WGMMA: {
		const WgmmaForm *x = &m->p->wgmma.p[i->y];
		for (u32 k = 0; k < x->n_d; k++)
			tell(user, (i32)m->p->ext.p[x->d + k], 1);
		return true;
	}
	case S_BR:
	case S_SWITCH:
	case S_RET:
	case S_EXIT:
	case S_TRAP:
	case S_ST:
	case S_WARPSYNC:
	case S_STACKRESTORE:
	case S_COPY:
	case S_FILL:
	case S_NOP:
	case S_FENCE:
	case S_ASSERT:
	case S_FREE: return true;
	default: return false;
	}
}

typedef struct Clearing {
	SimtMachine *m;
	const Frame *f;
	u32          mask;
} Clearing;
static void clear_result(void *user, i32 r, u32 rows)
{
	const Clearing *c = user;
	clear(c->m, c->f, r, rows, c->mask);
}

/* The value that a lane reads of another lane. */
static void shuffled(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	u32 *a = shadow_rows(m, f, i->a), old[LANES], from[LANES];
	memcpy(old, a, sizeof old);
	warp_shuffle_sources(m, f, i, mask, from);
	each_lane(mask, l)
		m->san->moved[l] = mask >> from[l] & 1 ? old[from[l]] : old[l];
}

void init_special(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	use_operands(m, f, i, mask);
	if (i->op == S_BAR) /* the result comes when the barrier opens */
		each_result(m, i, clear_result, &(Clearing){m, f, mask});
	if (i->op == S_SHFL)
		shuffled(m, f, i, mask);
	if (i->op == S_VOTE || i->op == S_REDUX || i->op == S_MATCH) {
		/* Each lane's result depends on all lanes' operands. */
		u32 rows = i->op == S_MATCH && i->x & 1 ? 2 : 1;
		m->san->mixed = i->a >= 0 && dirty_lanes(&(Operand){NULL, shadow_rows(m, f, i->a), rows}, mask) ? ~0u : 0;
		if (i->op == S_VOTE && m->san->mixed)
			m->san->mixed = i->x == VOTE_BALLOT ? dirty_lanes(&(Operand){NULL, shadow_rows(m, f, i->a), 1}, mask) : 1;
	}
}

void init_results(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	Sanitizer *s = m->san;
	if (i->op == S_LD || i->op == S_ATOM || i->op == S_CALL || i->op == S_CALLI)
		return;
	each_result(m, i, clear_result, &(Clearing){m, f, mask});
	if (i->op == S_SHFL && i->d >= 0)
		each_lane(mask, l)
			shadow_rows(m, f, i->d)[l] = s->moved[l];
	if ((i->op == S_VOTE || i->op == S_REDUX || i->op == S_MATCH) && i->d >= 0)
		each_lane(mask, l)
			shadow_rows(m, f, i->d)[l] = s->mixed;
}

/* ---- loads, stores, atomics: san->poison has the shadow of each lane's memory */

static bool is_on(const SimtMachine *m) { return m->san->what & SANITIZE_INIT; }

void init_loaded(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	for (u32 k = 0; is_on(m) && k < PS_MAX(i->n, 1u); k++) {
		i32 r = i->n <= 1 ? i->d : (i32)m->p->ext.p[i->y + k];
		if (r == NO_REG || r < 0)
			continue;
		each_lane(mask, l) {
			const u8 *p = m->san->poison[l].at;
			mem_load_element(shadow_rows(m, f, r), l, p == m->san->clean ? p : p + k * i->mem.bytes, &i->mem);
		}
	}
}

void init_stored(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	Sanitizer *s = m->san;
	u32        n = PS_MAX(i->n, 1u), bytes = n * i->mem.bytes;
	if (!is_on(m))
		return;
	each_lane(mask, l) {
		u8                   poison[64];
		const struct Poison *to = &s->poison[l];
		for (u32 k = 0; k < n; k++) {
			i32 r = i->n <= 1 ? i->b : (i32)m->p->ext.p[i->y + k];
			mem_store_element(poison + k * i->mem.bytes, shadow_rows(m, f, r), l, &i->mem);
		}
		if (to->space == SPACE_GLOBAL && whole(poison, bytes)) {
			use(m, l, "the value that is stored to global memory");
			memset(poison, 0, bytes);
		}
		if (to->space == SPACE_GLOBAL)
			set_global(m, to->address, poison, some(poison, bytes), bytes);
		else
			memcpy(to->at, poison, bytes);
	}
}

void init_atomic(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 lane)
{
	Sanitizer *s = m->san;
	u8         memory[16] = {0}, value[16] = {0};
	u8        *at = s->poison[lane].at;
	u32        n = i->mem.bytes;
	SimtMem    mem = {.bytes = (u8)n, .flags = n > 4 ? SMF_WIDE : 0};
	bool       exchange = (i->x & 0xff) == ATOM_EXCH;
	if (!is_on(m))
		return;
	memcpy(memory, at, n);
	mem_store_element(value, shadow_rows(m, f, i->b), lane, &mem);
	if (whole(memory, n) && !exchange) {
		use(m, lane, "the old value of the atomic access");
		memset(memory, 0, sizeof memory);
	}
	if (whole(value, n) && s->poison[lane].space == SPACE_GLOBAL) {
		use(m, lane, "the operand of the atomic access");
		memset(value, 0, sizeof value);
	}
	if (i->d != NO_REG && i->d >= 0)
		mem_load_element(shadow_rows(m, f, i->d), lane, memory, &mem);
	for (u32 k = 0; k < n && at != s->clean; k++)
		at[k] = exchange ? value[k] : memory[k] | value[k];
}

void init_copied(SimtMachine *m, u32 lane, u32 bytes)
{
	const Sanitizer     *s = m->san;
	const struct Poison *from = &s->poison_before[lane], *to = &s->poison[lane];
	const u8            *source = from->at == s->clean ? NULL : from->at;
	if (!is_on(m))
		return;
	if (to->space == SPACE_GLOBAL)
		set_global(m, to->address, source, source && some(source, bytes), bytes);
	else if (source)
		memmove(to->at, source, bytes);
	else
		memset(to->at, 0, bytes);
}

/* ---- frames */

typedef struct Known {
	u32 *known; /* by row: an instruction writes it of which the results are told */
	u32  rows;
} Known;
static void mark_known(void *user, i32 r, u32 rows)
{
	Known *k = user;
	for (u32 i = 0; r >= 0 && r != NO_REG && i < rows && (u32)r + i < k->rows; i++)
		k->known[(u32)r + i] = 1;
}

/* By row: does it begin uninitialised? Where results of some instructions are not told, rows that only those may write do not. */
static const u32 *begins(SimtMachine *m, u32 func)
{
	Sanitizer      *s = m->san;
	const SimtFunc *f = &m->p->func.p[func];
	if (!s->begins)
		s->begins = arena_array(&m->arena, u32 *, m->p->func.n);
	if (s->begins[func])
		return s->begins[func];
	Known k = {arena_array(&m->arena, u32, f->rows + 1), f->rows};
	bool  all_told = true;
	for (u32 pc = f->start; pc < f->end; pc++)
		all_told &= each_result(m, &m->p->code.p[pc], mark_known, &k);
	for (u32 r = 0; r < f->rows && all_told; r++)
		k.known[r] = 1;
	return s->begins[func] = k.known;
}

void init_frame(SimtMachine *m, Warp *w, Frame *f, u32 mask)
{
	const SimtFunc *func = &m->p->func.p[f->func];
	const u32      *dirty = begins(m, f->func);
	for (u32 r = 0; r < func->rows; r++)
		memset(f->shadow + (size_t)r * LANES, dirty[r] ? 0xff : 0, LANES * sizeof(u32));
	each_lane(mask, l)
		if (f->top > f->base)
			memset(w->local_poison + (size_t)l * w->local_size + f->base, 0xff, f->top - f->base);
}

void init_copy_rows(SimtMachine *m, const Frame *to, i32 d, const Frame *from, i32 s, u32 rows, u32 mask)
{
	const u32 *src = shadow_rows(m, from, s);
	u32       *dst = shadow_rows(m, to, d);
	each_lane(mask, l) {
		if (rows == 1)
			dst[l] = src[l];
		for (u32 half = 0; half + 1 < rows; half += 2)
			set_lane64(dst + half * LANES, l, lane64(src + half * LANES, l));
	}
}
