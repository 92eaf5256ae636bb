/* stream.c: streams, events, callbacks, and the capture of streams into graphs.
 *
 * A captured stream remembers the nodes that its next work comes after. An event that is recorded in it stands for those nodes; a stream
 * that waits for the event joins the capture. */
#include "base/checked.h"
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>

/* A set of nodes that work comes after. */
typedef struct After {
	CUgraph      graph; /* NULL: nothing is captured */
	CUgraphNode *node;
	size_t       n;
} After;

struct CUstream_st {
	Object           o;
	unsigned         flags;
	int              priority;
	StreamAttributes attributes;
	After            after;
	bool             origin;  /* the capture began here */
	bool             lent;    /* its graph is one that the program gave */
	bool             invalid; /* something was done that cannot be captured */
};

struct CUevent_st {
	Object   o;
	unsigned flags;
	u64      at; /* nanoseconds; 0: it has not been recorded */
	After    after;
};

static void after_clear(After *a)
{
	free(a->node);
	*a = (After){0};
}

static bool after_add(After *a, CUgraph g, const CUgraphNode *node, size_t n)
{
	CUgraphNode *more = realloc(a->node, (a->n + n + 1) * sizeof *more);
	if (!more)
		return false;
	bytes_copy(more + a->n, node, n * sizeof *more);
	*a = (After){g, more, a->n + n};
	return true;
}

void stream_destroy(CUstream s)
{
	after_clear(&s->after);
	object_free(s);
}

/* ---- streams */

CUresult stream_of(CUcontext c, CUstream s, CUstream *out)
{
	bool by_default = !s || s == CU_STREAM_LEGACY || s == CU_STREAM_PER_THREAD;
	*out = by_default ? NULL : s;
	if (!by_default && !object_is(s, OBJECT_STREAM))
		return CUDA_ERROR_INVALID_HANDLE;
	return by_default || s->o.context == c ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

bool stream_captures(CUstream s) { return s && s->after.graph; }

CUresult stream_submit(CUcontext c, CUstream handle, const Work *w)
{
	CUstream    s;
	CUgraphNode node;
	CUresult    r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS || !stream_captures(s))
		return r == CUDA_SUCCESS ? work_run(c, w) : r;
	if (s->invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	r = graph_add(s->after.graph, s->after.node, s->after.n, w, &node);
	if (r == CUDA_SUCCESS) {
		if (w->kind == WORK_KERNEL)
			node_priority(node, s->priority);
		s->after.n = 0;
		r = after_add(&s->after, s->after.graph, &node, 1) ? r : CUDA_ERROR_OUT_OF_MEMORY;
	}
	return r;
}

/* Attributes that may be set, of which none changes what a program computes: the L2 window, how to wait, the priority, memory domains. */
static int attribute_at(int id)
{
	static const u8 ids[STREAM_ATTRIBUTES] = {1, 3, 8, 9, 10};
	for (int i = 0; i < STREAM_ATTRIBUTES; i++)
		if (ids[i] == id)
			return i;
	return -1;
}

static CUresult create(CUcontext c, CUstream *out, unsigned flags, int priority)
{
	if (!out || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
		return CUDA_ERROR_INVALID_VALUE;
	CUstream s = object_new(OBJECT_STREAM, c, sizeof *s);
	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->flags = flags;
	s->priority = PS_MAX(PS_MIN(priority, 0), -5);
	memcpy(s->attributes.value[attribute_at(8)], &s->priority, sizeof s->priority);
	*out = s;
	return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *out, unsigned flags) { DRIVER_CALL(IN_CONTEXT, create(c.context, out, flags, 0)); }
CUresult cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
	DRIVER_CALL(IN_CONTEXT, create(c.context, out, flags, priority));
}

static CUresult attribute(CUcontext c, CUstream handle, int id, void *out, const void *in)
{
	CUstream s;
	CUresult r = stream_of(c, handle, &s);
	int      at = attribute_at(id);
	if (r != CUDA_SUCCESS || at < 0 || (!out && !in))
		return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
	StreamAttributes *kept = s ? &s->attributes : &c->attributes;
	if (in)
		memcpy(kept->value[at], in, sizeof kept->value[at]);
	else
		memcpy(out, kept->value[at], sizeof kept->value[at]);
	return CUDA_SUCCESS;
}

CUresult cuStreamGetAttribute(CUstream s, int id, void *out) { DRIVER_CALL(IN_CONTEXT, attribute(c.context, s, id, out, NULL)); }
CUresult cuStreamSetAttribute(CUstream s, int id, const void *value)
{
	DRIVER_CALL(IN_CONTEXT, attribute(c.context, s, id, NULL, value));
}

static CUresult copy_attributes(CUcontext c, CUstream to_handle, CUstream from_handle)
{
	CUstream to, from;
	CUresult r = stream_of(c, to_handle, &to);
	if (r == CUDA_SUCCESS)
		r = stream_of(c, from_handle, &from);
	if (r == CUDA_SUCCESS)
		*(to ? &to->attributes : &c->attributes) = from ? from->attributes : c->attributes;
	return r;
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) { DRIVER_CALL(IN_CONTEXT, copy_attributes(c.context, to, from)); }

static CUresult device_of(CUcontext c, CUstream handle, CUdevice *out)
{
	CUstream s;
	CUresult r = out ? stream_of(c, handle, &s) : CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		*out = c->device;
	return r;
}

CUresult cuStreamGetDevice(CUstream s, CUdevice *out) { DRIVER_CALL(IN_CONTEXT, device_of(c.context, s, out)); }

static CUresult destroy(CUstream s)
{
	if (!object_is(s, OBJECT_STREAM))
		return CUDA_ERROR_INVALID_HANDLE;
	stream_destroy(s);
	return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream s) { DRIVER_CALL(IN_CONTEXT, destroy(s)); }

/* All work has been done when it was given. */
static CUresult done(CUcontext c, CUstream handle)
{
	CUstream s;
	CUresult r = stream_of(c, handle, &s);
	if (r == CUDA_SUCCESS && stream_captures(s)) {
		s->invalid = true;
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	}
	return r;
}

CUresult cuStreamSynchronize(CUstream s) { DRIVER_CALL(IN_CONTEXT, done(c.context, s)); }
CUresult cuStreamQuery(CUstream s) { DRIVER_CALL(IN_CONTEXT, done(c.context, s)); }

static CUresult properties(CUcontext c, CUstream handle, unsigned *flags, int *priority, CUcontext *context,
                           unsigned long long *id)
{
	CUstream s;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS)
		return r;
	if (flags)
		*flags = s ? s->flags : 0;
	else if (priority)
		*priority = s ? s->priority : 0;
	else if (context)
		*context = c;
	else if (id)
		*id = s ? s->o.id : (unsigned long long)(uintptr_t)handle;
	else
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream s, unsigned *out) { DRIVER_CALL(IN_CONTEXT, properties(c.context, s, out, NULL, NULL, NULL)); }
CUresult cuStreamGetPriority(CUstream s, int *out) { DRIVER_CALL(IN_CONTEXT, properties(c.context, s, NULL, out, NULL, NULL)); }
CUresult cuStreamGetCtx(CUstream s, CUcontext *out) { DRIVER_CALL(IN_CONTEXT, properties(c.context, s, NULL, NULL, out, NULL)); }
CUresult cuStreamGetCtx_v2(CUstream s, CUcontext *out, void **green)
{
	DRIVER_CALL(IN_CONTEXT, (green ? (void)(*green = NULL) : (void)0, properties(c.context, s, NULL, NULL, out, NULL)));
}
CUresult cuStreamGetId(CUstream s, unsigned long long *out)
{
	DRIVER_CALL(IN_CONTEXT, properties(c.context, s, NULL, NULL, NULL, out));
}

/* ---- work that is no kernel and no copy */

static CUresult host_work(CUcontext c, CUstream s, HostWork h)
{
	if (!h.fn && !h.callback)
		return CUDA_ERROR_INVALID_VALUE;
	CUstream own;
	if (h.callback && stream_of(c, s, &own) == CUDA_SUCCESS && stream_captures(own))
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	return stream_submit(c, s, &(Work){.kind = WORK_HOST, .host = h});
}

CUresult cuLaunchHostFunc(CUstream s, CUhostFn fn, void *user)
{
	DRIVER_CALL(IN_CONTEXT, host_work(c.context, s, (HostWork){.fn = fn, .user = user}));
}
CUresult cuStreamAddCallback(CUstream s, CUstreamCallback fn, void *user, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, flags ? CUDA_ERROR_INVALID_VALUE
	                              : host_work(c.context, s, (HostWork){.callback = fn, .user = user, .stream = s}));
}

CUresult write_value(CUcontext c, CUstream s, u64 p, u64 value, unsigned bytes, unsigned flags)
{
	if (flags > 1 || p % bytes || !alloc_holding(p, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	Work     w = {.kind = WORK_FILL,
	              .fill = {.to = p, .pitch = 4, .width = 1, .height = 1, .value = (unsigned)value, .element = 4}};
	CUresult r = stream_submit(c, s, &w);
	w.fill.to += 4;
	w.fill.value = (unsigned)(value >> 32);
	return r == CUDA_SUCCESS && bytes == 8 ? stream_submit(c, s, &w) : r;
}

CUresult cuStreamWriteValue32_v2(CUstream s, CUdeviceptr p, uint32_t value, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, write_value(c.context, s, p, value, 4, flags));
}
CUresult cuStreamWriteValue64_v2(CUstream s, CUdeviceptr p, uint64_t value, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, write_value(c.context, s, p, value, 8, flags));
}

/* Managed memory is everybody's. */
static CUresult attach(CUcontext c, CUstream handle, u64 p, unsigned flags)
{
	CUstream     s;
	const Alloc *a = alloc_at(p);
	CUresult     r = stream_of(c, handle, &s);
	bool         ok = a && a->kind == ALLOC_MANAGED &&
	          (flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE);
	return r != CUDA_SUCCESS || ok ? r : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamAttachMemAsync(CUstream s, CUdeviceptr p, size_t size, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, ((void)size, attach(c.context, s, p, flags)));
}

/* ---- events */

static bool is_event(CUevent e) { return object_is(e, OBJECT_EVENT); }

CUresult event_happens(CUevent e)
{
	if (!is_event(e))
		return CUDA_ERROR_INVALID_HANDLE;
	e->at = clock_ns();
	return CUDA_SUCCESS;
}

bool event_flags(CUevent e, unsigned *out)
{
	if (!is_event(e))
		return false;
	*out = e->flags;
	return true;
}

CUresult event_create(CUcontext c, CUevent *out, unsigned flags)
{
	if (!out || flags > 7 || (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING)))
		return CUDA_ERROR_INVALID_VALUE;
	CUevent e = object_new(OBJECT_EVENT, c, sizeof *e);
	if (!e)
		return CUDA_ERROR_OUT_OF_MEMORY;
	e->flags = flags;
	*out = e;
	return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *out, unsigned flags) { DRIVER_CALL(IN_CONTEXT, event_create(c.context, out, flags)); }

static CUresult event_destroy(CUevent e)
{
	if (!is_event(e))
		return CUDA_ERROR_INVALID_HANDLE;
	after_clear(&e->after);
	object_free(e);
	return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent e) { DRIVER_CALL(IN_CONTEXT, event_destroy(e)); }

static CUresult record(CUcontext c, CUevent e, CUstream handle, unsigned flags)
{
	CUstream s;
	if (flags > 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_event(e) || e->o.context != c)
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS)
		return r;
	after_clear(&e->after);
	if (flags)
		return stream_submit(c, handle, &(Work){.kind = WORK_RECORD, .event = e});
	if (stream_captures(s))
		return after_add(&e->after, s->after.graph, s->after.node, s->after.n) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	return event_happens(e);
}

CUresult cuEventRecord(CUevent e, CUstream s) { DRIVER_CALL(IN_CONTEXT, record(c.context, e, s, 0)); }
CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, record(c.context, e, s, flags));
}

static CUresult wait(CUcontext c, CUstream handle, CUevent e, unsigned flags)
{
	CUstream s;
	if (flags > 1)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = is_event(e) ? stream_of(c, handle, &s) : CUDA_ERROR_INVALID_HANDLE;
	if (r != CUDA_SUCCESS || !e->after.graph)
		return r;
	if (!s || (s->after.graph && s->after.graph != e->after.graph))
		return s ? CUDA_ERROR_STREAM_CAPTURE_MERGE : CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
	return after_add(&s->after, e->after.graph, e->after.node, e->after.n) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags) { DRIVER_CALL(IN_CONTEXT, wait(c.context, s, e, flags)); }

static CUresult event_done(CUevent e)
{
	return !is_event(e) ? CUDA_ERROR_INVALID_HANDLE : e->after.graph ? CUDA_ERROR_CAPTURED_EVENT : CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent e) { DRIVER_CALL(IN_CONTEXT, event_done(e)); }
CUresult cuEventSynchronize(CUevent e) { DRIVER_CALL(IN_CONTEXT, event_done(e)); }

static CUresult elapsed(float *out, CUevent from, CUevent to)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_event(from) || !is_event(to) || !from->at || !to->at || (from->flags | to->flags) & CU_EVENT_DISABLE_TIMING)
		return CUDA_ERROR_INVALID_HANDLE;
	*out = (float)((double)(i64)(to->at - from->at) * 1e-6);
	return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *out, CUevent from, CUevent to) { DRIVER_CALL(IN_CONTEXT, elapsed(out, from, to)); }
CUresult cuEventElapsedTime_v2(float *out, CUevent from, CUevent to) { DRIVER_CALL(IN_CONTEXT, elapsed(out, from, to)); }

/* ---- capture */

/* Into a graph that there is, behind those of its nodes; NULL: into a new one. */
static CUresult begin(CUcontext c, CUstream handle, CUgraph into, const CUgraphNode *after, size_t n, int mode)
{
	CUstream s;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS || mode < 0 || mode > 2)
		return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
	if (!s)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	if (stream_captures(s))
		return CUDA_ERROR_ILLEGAL_STATE;
	for (size_t i = 0; i < n; i++)
		if (!graph_has(into, after[i]))
			return CUDA_ERROR_INVALID_VALUE;
	if (n && !after_add(&s->after, into, after, n))
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->after.graph = into ? into : graph_new(c);
	s->origin = true;
	s->lent = into != NULL;
	s->invalid = false;
	return s->after.graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuStreamBeginCapture_v2(CUstream s, int mode) { DRIVER_CALL(IN_CONTEXT, begin(c.context, s, NULL, NULL, 0, mode)); }
CUresult cuStreamBeginCaptureToGraph(CUstream s, CUgraph g, const CUgraphNode *after, const uint64_t *data, size_t n, int mode)
{
	(void)data;
	DRIVER_CALL(IN_CONTEXT, object_is(g, OBJECT_GRAPH) && (after || !n) ? begin(c.context, s, g, after, n, mode)
	                                                                    : CUDA_ERROR_INVALID_VALUE);
}

/* Streams that joined the capture of `g`, which ends at `last`: all of their work must come before that. */
static bool leave(CUcontext c, CUgraph g, const After *last)
{
	bool joined = true;
	for (u32 i = 0; i < driver.room_object; i++) {
		Object *o = driver.object[i];
		After  *a = !o || o->context != c      ? NULL
		            : o->kind == OBJECT_STREAM ? &((CUstream)(void *)o)->after
		            : o->kind == OBJECT_EVENT  ? &((CUevent)(void *)o)->after
		                                       : NULL;
		if (!a || a->graph != g || a == last)
			continue;
		if (o->kind == OBJECT_STREAM)
			joined = joined && graph_reaches(g, last->node, last->n, a->node, a->n);
		after_clear(a);
	}
	return joined;
}

static CUresult end(CUcontext c, CUstream handle, CUgraph *out)
{
	CUstream s;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS)
		return r;
	if (!stream_captures(s))
		return CUDA_ERROR_ILLEGAL_STATE;
	if (!out && !s->lent)
		return CUDA_ERROR_INVALID_VALUE;
	if (!s->origin)
		return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
	CUgraph g = s->after.graph;
	r = !leave(c, g, &s->after) ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED
	    : s->invalid            ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
	                            : CUDA_SUCCESS;
	after_clear(&s->after);
	s->origin = false;
	if (r != CUDA_SUCCESS && !s->lent)
		graph_destroy(g);
	if (out)
		*out = r == CUDA_SUCCESS ? g : NULL;
	return r;
}

CUresult cuStreamEndCapture(CUstream s, CUgraph *out) { DRIVER_CALL(IN_CONTEXT, end(c.context, s, out)); }

static CUresult is_capturing(CUcontext c, CUstream handle, CUstreamCaptureStatus *out)
{
	CUstream s;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS || !out)
		return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
	*out = !stream_captures(s) ? CU_STREAM_CAPTURE_STATUS_NONE
	       : s->invalid        ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
	                           : CU_STREAM_CAPTURE_STATUS_ACTIVE;
	return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus *out) { DRIVER_CALL(IN_CONTEXT, is_capturing(c.context, s, out)); }

/* The nodes are good until the next call that changes the capture. */
static CUresult capture_info(CUcontext c, CUstream handle, CUstreamCaptureStatus *status, u64 *id, CUgraph *graph,
                             const CUgraphNode **after, size_t *n)
{
	CUstream s;
	CUresult r = status ? stream_of(c, handle, &s) : CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		r = is_capturing(c, handle, status);
	if (r != CUDA_SUCCESS || *status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
		return r;
	if (id)
		*id = graph_id(s->after.graph);
	if (graph)
		*graph = s->after.graph;
	if (after)
		*after = s->after.node;
	if (n)
		*n = s->after.n;
	return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v2(CUstream s, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **after, size_t *n)
{
	DRIVER_CALL(IN_CONTEXT, capture_info(c.context, s, status, id, graph, after, n));
}
/* No edge has data. */
CUresult cuStreamGetCaptureInfo_v3(CUstream s, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **after, const uint64_t **data, size_t *n)
{
	if (data)
		*data = NULL;
	DRIVER_CALL(IN_CONTEXT, capture_info(c.context, s, status, id, graph, after, n));
}

/* What the stream's next work comes after: these nodes as well (0), or these alone (1). */
static CUresult set_after(CUcontext c, CUstream handle, const CUgraphNode *node, size_t n, unsigned how)
{
	CUstream s;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS || how > 1 || (n && !node))
		return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
	if (!stream_captures(s))
		return CUDA_ERROR_ILLEGAL_STATE;
	for (size_t i = 0; i < n; i++)
		if (!graph_has(s->after.graph, node[i]))
			return CUDA_ERROR_INVALID_VALUE;
	After next = {0};
	if ((how == 0 && !after_add(&next, s->after.graph, s->after.node, s->after.n)) ||
	    !after_add(&next, s->after.graph, node, n)) {
		after_clear(&next);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	free(s->after.node);
	s->after = next;
	return CUDA_SUCCESS;
}

CUresult cuStreamUpdateCaptureDependencies(CUstream s, CUgraphNode *node, size_t n, unsigned how)
{
	DRIVER_CALL(IN_CONTEXT, set_after(c.context, s, node, n, how));
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream s, CUgraphNode *node, const uint64_t *data, size_t n, unsigned how)
{
	DRIVER_CALL(IN_CONTEXT, ((void)data, set_after(c.context, s, node, n, how)));
}

/* Kept for the thread; nothing that the modes forbid does harm here. */
static CUresult exchange_mode(int *mode)
{
	static _Thread_local int now;
	int                      before = now;
	if (!mode || *mode < 0 || *mode > 2)
		return CUDA_ERROR_INVALID_VALUE;
	now = *mode;
	*mode = before;
	return CUDA_SUCCESS;
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode) { DRIVER_CALL(ON_DEVICE, exchange_mode(mode)); }

/* ---- */

void object_destroy(void *object)
{
	Object *o = object;
	switch (o->kind) {
	case OBJECT_STREAM: stream_destroy(object); break;
	case OBJECT_EVENT: event_destroy(object); break;
	case OBJECT_MODULE: module_destroy(object); break;
	case OBJECT_GRAPH: graph_destroy(object); break;
	case OBJECT_EXEC: exec_destroy(object); break;
	case OBJECT_LINK: link_destroy(object); break;
	case OBJECT_ARRAY: array_destroy(object); break;
	case OBJECT_MIPMAP: mipmap_destroy(object); break;
	case OBJECT_CONTEXT:
	case OBJECT_FUNCTION:
	case OBJECT_NODE:
	case OBJECT_POOL:
	case OBJECT_PHYSICAL:
	case OBJECT_USER: break;
	}
}
