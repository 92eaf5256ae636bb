/* async_land.c: asynchronous copies and reductions between their issue and the moment when they are waited for.
 *
 * The hardware carries one out at any time in between. Here that is as late as possible: what is counted by an mbarrier
 * lands when a thread tests the mbarrier, what belongs to a group when its thread waits for the group, and the rest when
 * the block ends. A program that does not wait reads the bytes of before. Source and destination are accessed when the
 * copy lands; a fault is reported at the instruction that issued it, with its thread. */
#include "simt/async.h"

#include "simt/jobs.h"
#include "simt/sanitize.h"
#include "simt/tensor_copy.h"

static AsyncQueue *queue_of(SimtMachine *m, AsyncQueue **q)
{
	if (!*q)
		*q = arena_new(&m->arena, AsyncQueue);
	return *q;
}

void async_forget(Block *b)
{
	for (u32 i = 0; i < b->n_warps; i++)
		if (b->warp[i].queue) {
			b->warp[i].queue->entry.n = 0;
			memset(b->warp[i].queue->closed, 0, sizeof b->warp[i].queue->closed);
		}
	if (b->queue)
		b->queue->entry.n = 0;
}

/* ---- landing */

static bool reduce_bytes(const SimtMachine *m, const AsyncForm *x, u8 *to, const u8 *from, u64 bytes)
{
	for (u64 i = 0; i + x->bytes <= bytes; i += x->bytes) {
		u64 old = 0, v = 0;
		memcpy(&v, from + i, x->bytes);
		cell_take(m, to + i);
		memcpy(&old, to + i, x->bytes);
		v = mem_rmw(x->atom, 8 * x->bytes, old, v, 0);
		memcpy(to + i, &v, x->bytes);
		cell_give(m, to + i);
	}
	return true;
}

static bool land_copy(SimtMachine *m, const AsyncForm *x, const AsyncPending *e)
{
	bool      reduce = x->what == AS_BULK_REDUCE;
	u32       l = e->lane, part = (u32)e->part;
	u8       *q = mem_at(m, x->to_space, e->to, e->bytes, l, reduce ? ACCESS_ATOMIC : ACCESS_WRITE);
	const u8 *p = q && part ? mem_at(m, x->from_space, e->from + e->skip, part, l, ACCESS_READ) : NULL;
	if (!q || (part && !p))
		return false;
	simt_watch(m, q, e->bytes, l);
	if (reduce)
		return reduce_bytes(m, x, q, p, e->bytes);
	if (e->mask != 0xffff) {
		for (u32 i = 0; i < part; i++)
			if (e->mask >> i % 16 & 1)
				q[i] = p[i];
		return true;
	}
	if (part)
		memmove(q + e->skip, p, part);
	if (x->what == AS_COPY)
		memset(q + part, 0, e->bytes - part);
	return true;
}

static bool land_store(SimtMachine *m, const AsyncForm *x, const AsyncPending *e)
{
	u8 *p = mem_at(m, x->to_space, e->to, x->bytes, e->lane, ACCESS_ATOMIC);
	u64 v = e->part, old = 0;
	if (!p)
		return false;
	simt_watch(m, p, x->bytes, e->lane);
	memcpy(&old, p, x->bytes);
	if (x->what == AS_RED)
		v = mem_rmw(x->atom, 8 * x->bytes, old, v, 0);
	memcpy(p, &v, x->bytes);
	return true;
}

/* The first block of the cluster whose number is e->part, and a mark; zeros where there is none. The words are those that
 * clusterlaunchcontrol.query_cancel takes apart (op_memory.c). */
static bool land_cancel(SimtMachine *m, const AsyncForm *x, const AsyncPending *e)
{
	u8 *p = mem_at(m, x->to_space, e->to, 16, e->lane, ACCESS_WRITE);
	u32 word[4] = {0};
	if (!p)
		return false;
	if (e->part < m->clusters) {
		cluster_place(m, (u32)e->part, word);
		word[3] = 1;
	}
	memcpy(p, word, sizeof word);
	return true;
}

static TensorCopy *tensor_take(SimtMachine *m)
{
	TensorCopy *t = m->spare_tensor;
	if (t)
		m->spare_tensor = t->next;
	return t ? t : arena_new(&m->arena, TensorCopy);
}

static void tensor_free(SimtMachine *m, TensorCopy *t)
{
	t->next = m->spare_tensor;
	m->spare_tensor = t;
}

static bool land_here(SimtMachine *m, const AsyncForm *x, const AsyncPending *e)
{
	switch ((AsyncWhat)x->what) {
	case AS_COPIES_DONE: return async_land_all(m, e->lane, false) && mbar_arrive(m, e->bar, e->lane, 1);
	case AS_COMMIT: return mbar_arrive(m, e->bar, e->lane, 1);
	case AS_TENSOR: return tensor_copy_run(m, e->tensor, e->lane);
	case AS_STORE:
	case AS_RED: return land_store(m, x, e);
	case AS_CANCEL: return land_cancel(m, x, e);
	default: return land_copy(m, x, e);
	}
}

/* Its thread and its instruction are the current ones meanwhile. The entry is a copy: landing may change the queue. */
static bool land(SimtMachine *m, AsyncPending e)
{
	Block           *b = m->cur_block;
	Warp            *w = m->cur_warp;
	const SimtInsn  *insn = m->cur_insn;
	const AsyncForm *x = &m->p->async.p[e.insn->y];
	block_enter(m, e.block);
	m->cur_warp = &e.block->warp[e.warp];
	m->cur_insn = e.insn;
	if (m->san)
		m->san->landing = true;
	bool ok = land_here(m, x, &e);
	if (m->san)
		m->san->landing = false;
	if (e.tensor)
		tensor_free(m, e.tensor);
	if (ok) {
		block_enter(m, b);
		m->cur_warp = w;
		m->cur_insn = insn;
		if (e.bar && e.bytes)
			mbar_transactions(m, e.bar, -(i64)e.bytes);
	}
	return ok;
}

/* Of a block's queue: what is told to the mbarrier, or what another block has issued; neither: all. */
static bool land_queue(SimtMachine *m, AsyncQueue *q, const u8 *bar, const Block *by)
{
	for (u32 i = 0; q && i < q->entry.n;) {
		AsyncPending e = q->entry.p[i];
		if ((bar && e.bar != bar) || (by && e.block != by)) {
			i++;
			continue;
		}
		for (u32 k = i; k + 1 < q->entry.n; k++)
			q->entry.p[k] = q->entry.p[k + 1];
		q->entry.n--;
		if (!land(m, e))
			return false;
	}
	return true;
}

bool async_land_at(SimtMachine *m, const u8 *bar) { return land_queue(m, shared_place_of(m, bar).block->queue, bar, NULL); }

/* Of the current warp's queue: entries of the lane, of groups below `end`. */
static bool land_lane(SimtMachine *m, u32 l, bool bulk, u32 end)
{
	AsyncQueue *q = m->cur_warp->queue;
	u32         kept = 0;
	bool        ok = true;
	for (u32 i = 0; q && i < q->entry.n; i++) {
		AsyncPending e = q->entry.p[i];
		if (!ok || e.lane != l || e.bulk != bulk || e.group >= end)
			q->entry.p[kept++] = e;
		else
			ok = land(m, e);
	}
	if (q)
		q->entry.n = kept;
	return ok;
}

bool async_land_groups(SimtMachine *m, u32 l, bool bulk, u32 open)
{
	AsyncQueue *q = m->cur_warp->queue;
	if (!q || q->entry.n == 0 || q->closed[bulk][l] <= open)
		return true;
	return land_lane(m, l, bulk, q->closed[bulk][l] - open);
}

bool async_land_all(SimtMachine *m, u32 l, bool bulk) { return land_lane(m, l, bulk, UINT32_MAX); }

void async_close(SimtMachine *m, u32 l, bool bulk) { queue_of(m, &m->cur_warp->queue)->closed[bulk][l]++; }

bool async_finish(SimtMachine *m, Block *b)
{
	block_enter(m, b);
	for (u32 i = 0; i < b->n_warps; i++) {
		m->cur_warp = &b->warp[i];
		for (u32 l = 0; m->cur_warp->queue && m->cur_warp->queue->entry.n && l < LANES; l++)
			if (!async_land_all(m, l, false) || !async_land_all(m, l, true))
				return false;
	}
	if (!land_queue(m, b->queue, NULL, NULL))
		return false;
	/* What it has issued reads its shared memory. */
	for (u32 i = 0; i < m->cluster_size; i++) {
		Block *other = b->cluster->block[i];
		if (other && other != b && !land_queue(m, other->queue, NULL, b))
			return false;
	}
	return true;
}

/* ---- issue */

static u64 operand(const SimtMachine *m, const Frame *f, i32 r, u32 offset, u32 l)
{
	return lane64(reg_rows(m, f, r), l) + (u64)(i64)(i32)offset;
}

static bool copy_operands(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l, AsyncPending *e)
{
	u64 all = x->what == AS_COPY ? x->bytes : reg_rows(m, f, x->size)[l], align = x->what == AS_COPY ? all : 16, part = all;
	e->to = operand(m, f, x->to, x->to_offset, l);
	e->from = operand(m, f, x->from, x->from_offset, l);
	if (align == 0 || (e->to | e->from) % align || (x->what != AS_COPY && all % 16))
		return simt_fail(m, FAULT_MISALIGNED, l,
		                 "copy of %llu bytes from 0x%llx to 0x%llx: not all are multiples of %llu",
		                 (unsigned long long)all, (unsigned long long)e->from, (unsigned long long)e->to,
		                 (unsigned long long)align);
	if (x->what == AS_COPY && x->size != NO_REG)
		part = PS_MIN(all, (u64)reg_rows(m, f, x->size)[l]);
	if (x->ignore && (reg_rows(m, f, x->skip)[l] & 1))
		part = 0;
	if (x->right != NO_REG) {
		e->skip = PS_MIN(reg_rows(m, f, x->skip)[l], (u32)all);
		part = all - e->skip - PS_MIN(reg_rows(m, f, x->right)[l], (u32)all - e->skip);
	}
	e->mask = x->mask == NO_REG ? 0xffff : (u16)reg_rows(m, f, x->mask)[l];
	e->bytes = (u32)all;
	e->part = part;
	return true;
}

static bool tensor_operands(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l, AsyncPending *e)
{
	u64       at = lane64(reg_rows(m, f, x->map), l);
	const u8 *map = at % TENSOR_MAP_ALIGN ? NULL : mem_at(m, SPACE_GENERIC, at, TENSOR_MAP_BYTES, l, ACCESS_READ);
	if (at % TENSOR_MAP_ALIGN)
		return simt_fail(m, FAULT_MISALIGNED, l, "tensor map at 0x%llx, which is no multiple of 64",
		                 (unsigned long long)at);
	if (!map)
		return false;
	TensorCopy *t = tensor_take(m);
	*t = (TensorCopy){.access = x->access, .way = x->way, .op = (u8)x->atom, .shared_space = x->to_space};
	memcpy(&t->map, map, sizeof t->map);
	for (u32 i = 0; i < x->rank; i++)
		t->coord[i] = (i32)reg_rows(m, f, x->coord[i])[l];
	for (u32 i = 0; i < x->n_im2col; i++)
		t->offset[i] = (u16)reg_rows(m, f, x->im2col[i])[l];
	t->shared = operand(m, f, x->to, x->to_offset, l);
	const char *why = tensor_copy_problem(t);
	if (!why && (x->access == ACCESS_ROWS4 ? 2 : x->rank) != t->map.rank)
		why = "it has another number of dimensions than the copy";
	if (why)
		return simt_fail(m, FAULT_TENSOR_MAP, l, "tensor map at 0x%llx: %s", (unsigned long long)at, why);
	e->tensor = t;
	e->bytes = (u32)tensor_copy_bytes(t);
	return true;
}

static bool store_operands(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l, AsyncPending *e)
{
	e->to = operand(m, f, x->to, x->to_offset, l);
	e->bytes = x->bytes;
	if (x->b != NO_REG)
		e->part = x->wide ? lane64(reg_rows(m, f, x->b), l) : reg_rows(m, f, x->b)[l];
	return e->to % x->bytes == 0 || simt_fail(m, FAULT_MISALIGNED, l, "%u-byte write at 0x%llx, which is no multiple of %u",
	                                          x->bytes, (unsigned long long)e->to, x->bytes);
}

/* For sanitizers a copy accesses its bytes from its issue on. */
static void tell_issued(SimtMachine *m, const AsyncForm *x, const AsyncPending *e)
{
	u32         l = e->lane;
	CopyEnd     end = e->bar ? COPY_MBAR : e->bulk ? COPY_BULK_GROUP : COPY_GROUP;
	SharedPlace bar = e->bar ? shared_place_of(m, e->bar) : (SharedPlace){NULL, 0};
	if (x->what == AS_COPIES_DONE) {
		order_copies_arrive(m, l, bar);
		return;
	}
	order_copy_begin(m, l, end, bar);
	if (e->tensor) {
		mem_touch(m, x->to_space, e->tensor->shared, e->bytes, l,
		          e->tensor->way == TENSOR_LOAD ? ACCESS_WRITE : ACCESS_READ);
	} else {
		bool atomic = x->what == AS_BULK_REDUCE || x->what == AS_STORE || x->what == AS_RED;
		if (x->what == AS_COPY || x->what == AS_BULK || x->what == AS_BULK_REDUCE)
			mem_touch(m, x->from_space, e->from + e->skip, (u32)e->part, l, ACCESS_READ);
		mem_touch(m, x->to_space, e->to, e->bytes, l, atomic ? ACCESS_ATOMIC : ACCESS_WRITE);
	}
	order_copy_end(m, l, end, bar);
}

/* The next cluster that nobody has started is taken off the grid. */
static u32 cancel_cluster(SimtMachine *m)
{
	if (m->next_cluster == m->clusters)
		return m->clusters;
	m->blocks_done += m->cluster_size;
	return m->next_cluster++;
}

static bool arrives(const AsyncForm *x) { return x->what == AS_COPIES_DONE || x->what == AS_COMMIT; }

/* What has been taken from the operands goes to its queue; `bar`: the address of the mbarrier, if it has one. */
static bool enqueue(SimtMachine *m, const AsyncForm *x, AsyncPending e, u64 bar)
{
	bool counted = x->mbar != NO_REG;
	if (counted && !(e.bar = mbar_at(m, x->mbar_space, bar, e.lane, false)))
		return false;
	if (e.bytes == 0 && !arrives(x))
		return true;
	if (x->what == AS_COPIES_DONE && !x->drop)
		mbar_expect(e.bar, 1);
	if (m->san)
		tell_issued(m, x, &e);
	AsyncQueue *q = queue_of(m, counted ? &shared_place_of(m, e.bar).block->queue : &m->cur_warp->queue);
	e.group = counted ? 0 : q->closed[x->bulk][e.lane];
	vec_push(&m->arena, &q->entry, e);
	return true;
}

/* The address with the rank of another block. */
static u64 address_in(u64 address, u64 rank) { return (address & ~((u64)(MOST_RANKS - 1) << WINDOW_BITS)) | rank << WINDOW_BITS; }

/* The same to each block of the mask, and told to the mbarrier there; for a pair of blocks, to the one of the two that holds an
 * mbarrier of the parity that the address says. */
static bool enqueue_to_all(SimtMachine *m, const AsyncForm *x, const AsyncPending *e, u64 bar, u32 blocks)
{
	for (u32 rank = 0; blocks; rank++, blocks >>= 1) {
		AsyncPending one = *e;
		u32          told = x->pair ? (rank & ~1u) | (u32)(bar >> WINDOW_BITS & 1) : rank;
		if (!(blocks & 1))
			continue;
		if (rank >= m->cluster_size)
			return simt_fail(m, FAULT_BOUNDS, e->lane, "a copy to block %u of the cluster, which has %u", rank,
			                 m->cluster_size);
		if (e->tensor) {
			one.tensor = tensor_take(m);
			*one.tensor = *e->tensor;
			one.tensor->shared = address_in(e->tensor->shared, rank);
		}
		one.to = address_in(e->to, rank);
		if (!enqueue(m, x, one, address_in(bar, told)))
			return false;
	}
	if (e->tensor)
		tensor_free(m, e->tensor);
	return true;
}

bool async_issue(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	AsyncPending e = {
		.insn = m->cur_insn, .block = m->cur_block, .warp = (u16)m->cur_warp->number, .lane = (u8)l, .bulk = x->bulk};
	bool ok = true;
	if (x->what == AS_TENSOR)
		ok = tensor_operands(m, f, x, l, &e);
	else if (x->what == AS_STORE || x->what == AS_RED || x->what == AS_CANCEL)
		ok = store_operands(m, f, x, l, &e);
	else if (!arrives(x))
		ok = copy_operands(m, f, x, l, &e);
	if (!ok)
		return false;
	if (x->what == AS_CANCEL)
		e.part = cancel_cluster(m);
	u64 bar = x->mbar == NO_REG ? 0 : mbar_address(m, f, x, l);
	if (x->all)
		return enqueue_to_all(m, x, &e, bar, (1u << m->cluster_size) - 1);
	return x->blocks == NO_REG ? enqueue(m, x, e, bar) : enqueue_to_all(m, x, &e, bar, reg_rows(m, f, x->blocks)[l] & 0xffff);
}

/* ---- all of them */

static bool fill(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	u64 at = operand(m, f, x->to, x->to_offset, l), n = lane64(reg_rows(m, f, x->size), l);
	if (n >> 32)
		return simt_fail(m, FAULT_BOUNDS, l, "st.bulk of %llu bytes", (unsigned long long)n);
	u8 *p = n ? mem_at(m, x->to_space, at, (u32)n, l, ACCESS_WRITE) : NULL;
	if (p)
		memset(p, 0, (size_t)n);
	return !n || p;
}

static bool replace(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	u64 at = operand(m, f, x->to, x->to_offset, l), v = x->wide ? lane64(reg_rows(m, f, x->b), l) : reg_rows(m, f, x->b)[l];
	SimtTensorMap t;
	if (at % TENSOR_MAP_ALIGN)
		return simt_fail(m, FAULT_MISALIGNED, l, "tensor map at 0x%llx, which is no multiple of 64",
		                 (unsigned long long)at);
	u8 *p = mem_at(m, x->to_space, at, sizeof t, l, ACCESS_WRITE);
	if (!p)
		return false;
	memcpy(&t, p, sizeof t);
	if (t.mark != TENSOR_MAP_MARK || !tensor_map_replace(&t, (TensorField)x->field, x->ordinal, v))
		return simt_fail(m, FAULT_TENSOR_MAP, l, "tensor map at 0x%llx: %s", (unsigned long long)at,
		                 t.mark == TENSOR_MAP_MARK ? "the field takes no such value"
		                                           : "these 128 bytes are no tensor map");
	memcpy(p, &t, sizeof t);
	return true;
}

static bool copy_map(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	u64       to = operand(m, f, x->to, x->to_offset, l), from = operand(m, f, x->from, x->from_offset, l);
	const u8 *p = mem_at(m, x->from_space, from, x->bytes, l, ACCESS_READ);
	u8       *q = p ? mem_at(m, x->to_space, to, x->bytes, l, ACCESS_WRITE) : NULL;
	if (q)
		memmove(q, p, x->bytes);
	return q != NULL;
}

static bool run_lane(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	switch ((AsyncWhat)x->what) {
	case AS_COPY:
	case AS_BULK:
	case AS_BULK_REDUCE:
	case AS_TENSOR:
	case AS_STORE:
	case AS_RED:
	case AS_CANCEL:
	case AS_COMMIT:
	case AS_COPIES_DONE: return async_issue(m, f, x, l);
	case AS_CLOSE:
		if (m->san)
			order_commit(m, 1u << l, x->bulk ? COPY_BULK_GROUP : COPY_GROUP);
		async_close(m, l, x->bulk);
		return true;
	case AS_WAIT:
		if (m->san)
			order_wait(m, 1u << l, x->bulk ? COPY_BULK_GROUP : COPY_GROUP, x->bytes, x->reads);
		return async_land_groups(m, l, x->bulk, x->bytes);
	case AS_WAIT_ALL:
		if (m->san)
			order_wait_all(m, 1u << l);
		return async_land_all(m, l, x->bulk);
	case AS_FILL: return fill(m, f, x, l);
	case AS_REPLACE: return replace(m, f, x, l);
	case AS_MAP_COPY: return copy_map(m, f, x, l);
	default: return mbar_run(m, f, x, l);
	}
}

bool async_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const AsyncForm *x = &m->p->async.p[i->y];
	if (x->what == AS_MAP_COPY) /* a warp's, as .sync.aligned says: all lanes name the same map */
		mask = 1u << first_lane(mask);
	each_lane(mask, l)
		if (!run_lane(m, f, x, l))
			return false;
	return true;
}
