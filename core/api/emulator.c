/* emulator.c: the emulator's part of ptxscope.h: programs, buffers, launches. */
#include "api/emulator.h"

#include "simt/step.h"

#include <stdlib.h>

static Str str_or_empty(const char *s) { return s ? str_of(s) : STR(""); }

/* ---- calls */

/* The machine and everything else goes with the session. */
static PsStatus leave(PsEmulator *e)
{
	PsStatus status = command_leave(&e->c.s, "out of memory: the limit is reached; the program is unloaded\n", e->last_words,
	                                sizeof e->last_words);
	e->open = false;
	e->program = NULL;
	e->machine = NULL;
	return status;
}

PsStatus emulator_guarded(PsEmulator *e, EmulatorCall call, void *arg)
{
	jmp_buf           out;
	jmp_buf          *outer = e->c.s.out;
	volatile PsStatus status;
	if (setjmp(out) == 0) {
		e->c.s.out = &out;
		status = call(e, arg);
		e->c.s.out = outer;
	} else {
		status = leave(e);
	}
	return status;
}

void emulator_begin(PsEmulator *e)
{
	e->last_words[0] = 0;
	if (!e->open)
		return;
	e->c.err.n = 0;
	arena_free(&e->scratch);
	arena_init(&e->scratch, &e->c.s.budget);
}

PsStatus emulator_refuse(PsEmulator *e, const char *why)
{
	u32 n = (u32)PS_MIN(strlen(why), sizeof e->last_words - 1);
	memcpy(e->last_words, why, n);
	e->last_words[n] = 0;
	return PS_STATUS_USAGE;
}

PsEmulator *ps_emulator_new(size_t memory_cap)
{
	PsEmulator *e = calloc(1, sizeof *e);
	if (e)
		e->cap = memory_cap;
	return e;
}

void ps_emulator_code_host(PsEmulator *e, const PsCodeHost *host)
{
	if (e && host)
		e->code_host = (CodeHost){host->user, host->make, host->drop};
}

void ps_emulator_thread_host(PsEmulator *e, const PsThreadHost *host)
{
	if (e && host)
		e->threads = *host;
}

static void close_session(PsEmulator *e)
{
	if (e->open)
		session_free(&e->c.s);
	e->open = false;
	e->program = NULL;
	e->machine = NULL;
}

static void free_libraries(PsEmulator *e)
{
	for (EmulatorLibrary *l = e->libraries, *next; l; l = next) {
		next = l->next;
		free(l);
	}
	e->libraries = NULL;
}

void ps_emulator_free(PsEmulator *e)
{
	if (e) {
		close_session(e);
		free_libraries(e);
		free(e->mapped);
	}
	free(e);
}

static PsStatus terminate_messages(PsEmulator *e, void *arg)
{
	(void)arg;
	text_c(&e->c.err, 0);
	e->c.err.n--;
	return PS_STATUS_DONE;
}

const char *ps_emulator_messages(const PsEmulator *e)
{
	if (!e)
		return "";
	return e->last_words[0] || !e->open || !e->c.err.n ? e->last_words : e->c.err.p;
}

/* ---- programs */

typedef struct Load {
	Str                name, text;
	int                argc;
	const char *const *argv;
} Load;

PsStatus ps_emulator_library(PsEmulator *e, const char *name, const char *text, size_t size)
{
	if (!e)
		return PS_STATUS_USAGE;
	if (!name) {
		free_libraries(e);
		return PS_STATUS_DONE;
	}
	if ((!text && size) || size > INT32_MAX || strlen(name) > INT16_MAX)
		return emulator_refuse(e, NULL_POINTER);
	u32              n = (u32)strlen(name);
	EmulatorLibrary *l = malloc(sizeof *l + n + 1 + size);
	if (!l)
		return emulator_refuse(e, "out of memory\n"), PS_STATUS_MEMORY;
	*l = (EmulatorLibrary){.next = e->libraries, .name_size = n, .text_size = (u32)size};
	memcpy(l->bytes, name, n + 1);
	if (size)
		memcpy(l->bytes + n + 1, text, size);
	e->libraries = l;
	return PS_STATUS_DONE;
}

/* In the order in which they were given. */
static void lend_libraries(PsEmulator *e)
{
	u32 n = 0;
	for (const EmulatorLibrary *l = e->libraries; l; l = l->next)
		n++;
	vec_extend(&e->c.s.arena, &e->c.links, n);
	for (const EmulatorLibrary *l = e->libraries; l; l = l->next)
		e->c.links.p[--n] = (LinkFile){{l->bytes, l->name_size}, {l->bytes + l->name_size + 1, l->text_size}};
}

static PsStatus load(PsEmulator *e, void *arg)
{
	const Load *l = arg;
	Command    *c = &e->c;
	int         status;
	text_init(&c->out, &c->s.arena);
	text_init(&c->err, &c->s.arena);
	arena_init(&e->scratch, &c->s.budget);
	arena_init(&e->held, &c->s.budget);
	arena_init(&e->args, &c->s.budget);
	arena_init(&e->heap, &c->s.budget);
	e->own = simt_heap_new(&c->s.arena, &e->heap);
	text_init(&e->run.text, &c->s.arena);
	e->run.mir_lines = true;
	e->run.in_host = e->host_memory ? &e->in_host : NULL;
	c->o.file = c->input_name = arena_str(&c->s.arena, l->name);
	c->input = arena_str(&c->s.arena, l->text);
	Options o = {0};
	if (!options_read(&o, &c->s, l->argc, l->argv, 0, IN_RUN, &c->err))
		return PS_STATUS_USAGE;
	o.file = c->o.file;
	c->o = e->loaded = o;
	if (!command_known_stops(c))
		return PS_STATUS_USAGE;
	lend_libraries(e);
	SimtProgram *p = run_decode(c, &status, &e->run);
	command_report(c);
	e->program = c->s.diags.errors ? NULL : p;
	return e->program ? PS_STATUS_DONE : (PsStatus)status;
}

PsStatus ps_emulator_load(PsEmulator *e, const char *name, const char *text, size_t size, int argc, const char *const *argv)
{
	if (!e)
		return PS_STATUS_USAGE;
	close_session(e);
	e->last_words[0] = 0;
	if ((!text && size) || !command_has_words(argc, argv))
		return emulator_refuse(e, NULL_POINTER);
	if (size > INT32_MAX)
		return emulator_refuse(e, "the text is larger than 2 GiB\n");
	e->c = (Command){0};
	e->run = (RunText){0};
	e->launch = (SimtLaunch){0};
	if (!session_init(&e->c.s, command_memory_cap(e->cap)))
		return leave(e);
	e->c.s.code_host = e->code_host;
	e->c.threads = e->threads;
	e->open = true;
	Load     l = {.name = str_or_empty(name), .text = {text, (u32)size}, .argc = argc, .argv = argv};
	PsStatus status = emulator_guarded(e, load, &l);
	if (e->open)
		emulator_guarded(e, terminate_messages, NULL);
	return status;
}

static PsStatus diagnostics(PsEmulator *e, void *arg)
{
	Text t;
	text_init(&t, &e->scratch);
	diagnostics_json(&e->c.s.diags, &t);
	text_c(&t, 0);
	*(const char **)arg = t.p;
	return PS_STATUS_DONE;
}

const char *ps_emulator_diagnostics(PsEmulator *e)
{
	const char *json = "[]";
	if (e && e->open)
		emulator_guarded(e, diagnostics, &json);
	return json;
}

const char *ps_emulator_text(PsEmulator *e, size_t *size)
{
	size_t n = e && e->open ? e->run.text.n : 0;
	if (size)
		*size = n;
	return n ? e->run.text.p : "";
}

uint32_t ps_emulator_origin(const PsEmulator *e, uint32_t line)
{
	return e && e->open && line && line <= e->run.origins.n ? e->run.origins.p[line - 1] : 0;
}

const char *ps_emulator_kernel(const PsEmulator *e, uint32_t n)
{
	for (u32 i = 0; e && e->program && i < e->program->func.n; i++) {
		const SimtFunc *f = &e->program->func.p[i];
		if (f->is_kernel && f->has_body && n-- == 0)
			return f->name.p;
	}
	return NULL;
}

/* ---- buffers */

SimtBuffer *emulator_buffer(PsEmulator *e, const char *name, u32 *index)
{
	for (u32 i = 0; i < e->launch.buffer.n; i++)
		if (str_is(e->launch.buffer.p[i].name, name)) {
			*index = i;
			return &e->launch.buffer.p[i];
		}
	return NULL;
}

/* A module variable keeps what the kernel left in it. `at`: StrId of a name → its place in launch.symbol. */
static void keep_symbol(PsEmulator *e, const SimtSymbol *s, Map *at)
{
	u64       size;
	const u8 *bytes = s->space == SPACE_GLOBAL && !s->is_object ? simt_symbol_bytes(e->machine, s->name, 0, &size) : NULL;
	Arena    *a = &e->held;
	if (!bytes)
		return;
	bool fresh;
	u64 *place = map_put(at, strtab_add(&e->program->s->strs, s->name).i, &fresh);
	if (fresh) {
		SimtBuffer b = {.name = s->name, .type = ST_U8, .count = (u32)size};
		*place = e->launch.symbol.n;
		vec_push(a, &e->launch.symbol, b);
	}
	SimtBuffer *b = &e->launch.symbol.p[*place];
	if (b->size < size)
		b->init = arena_alloc(a, size, 16), b->size = size;
	bytes_copy(b->init, bytes, (size_t)size);
}

static void keep_symbols(PsEmulator *e)
{
	Arena scratch;
	Map   at;
	arena_init(&scratch, e->held.budget);
	map_init(&at, &scratch);
	for (u32 i = 0; i < e->launch.symbol.n; i++)
		map_set(&at, strtab_add(&e->program->s->strs, e->launch.symbol.p[i].name).i, i);
	for (u32 i = 0; i < e->program->symbol.n; i++)
		keep_symbol(e, &e->program->symbol.p[i], &at);
	arena_free(&scratch);
}

void emulator_end_launch(PsEmulator *e)
{
	if (!e->machine)
		return;
	for (u32 i = 0; i < e->launch.buffer.n; i++)
		bytes_copy(e->launch.buffer.p[i].init, simt_buffer(e->machine, i), (size_t)e->launch.buffer.p[i].size);
	if (!e->program->windows)
		keep_symbols(e);
	bool keeps = simt_keeps_heap(e->machine);
	simt_free(e->machine);
	e->machine = NULL;
	if (!keeps)
		simt_heap_clear(e->launch.heap);
}

typedef struct Bind {
	const char *name;
	const void *data;
	size_t      size;
} Bind;

static PsStatus bind(PsEmulator *e, void *arg)
{
	const Bind *b = arg;
	Arena      *a = &e->held;
	u32         at;
	emulator_end_launch(e);
	SimtBuffer *known = emulator_buffer(e, b->name, &at);
	u64         room = known ? PS_MAX(known->room, known->size) : 0;
	u8         *bytes = known ? known->init : NULL;
	if (room < b->size) { /* doubled, so that what growing leaves behind is no more than what there is */
		room = known ? PS_MAX(2 * room, (u64)b->size) : b->size;
		bytes = arena_alloc(a, room, 64);
	}
	if (b->data)
		bytes_copy(bytes, b->data, b->size);
	else if (b->size)
		memset(bytes, 0, b->size);
	SimtBuffer fresh = {.name = known ? known->name : arena_str(a, str_of(b->name)),
	                    .type = ST_U8,
	                    .count = (u32)b->size,
	                    .size = b->size,
	                    .init = bytes,
	                    .room = room};
	if (known)
		*known = fresh;
	else
		vec_push(a, &e->launch.buffer, fresh);
	return PS_STATUS_DONE;
}

PsStatus ps_emulator_buffer(PsEmulator *e, const char *name, const void *data, size_t size)
{
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	if (!name)
		return emulator_refuse(e, NULL_POINTER);
	if (!e->program)
		return emulator_refuse(e, "load a program first\n");
	if (size > 1u << 30)
		return emulator_refuse(e, "a buffer has at most 1 GiB\n");
	if (e->program->windows)
		return emulator_refuse(e, "a program in host memory mode has no buffers: map memory\n");
	Bind b = {name, data, size};
	return emulator_guarded(e, bind, &b);
}

/* The bytes of a buffer now; NULL: there are none there. */
static u8 *buffer_bytes(PsEmulator *e, const char *name, size_t offset, size_t size)
{
	u32         at;
	SimtBuffer *b = e->program && name ? emulator_buffer(e, name, &at) : NULL;
	if (!b || offset > b->size || size > b->size - offset)
		return NULL;
	return (e->machine ? simt_buffer(e->machine, at) : b->init) + offset;
}

PsStatus ps_emulator_read(PsEmulator *e, const char *name, size_t offset, void *data, size_t size)
{
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	const u8 *bytes = data || !size ? buffer_bytes(e, name, offset, size) : NULL;
	if (!bytes)
		return emulator_refuse(e, "there are no such bytes of a buffer of this name\n");
	if (size)
		memcpy(data, bytes, size);
	return PS_STATUS_DONE;
}

PsStatus ps_emulator_write(PsEmulator *e, const char *name, size_t offset, const void *data, size_t size)
{
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	u8 *bytes = data || !size ? buffer_bytes(e, name, offset, size) : NULL;
	if (!bytes)
		return emulator_refuse(e, "there are no such bytes of a buffer of this name\n");
	if (size)
		memcpy(bytes, data, size);
	return PS_STATUS_DONE;
}

/* ---- launches */

typedef struct Launch {
	const PsLaunch    *typed;
	Str                json;
	int                argc;
	const char *const *argv;
} Launch;

static PsStatus bad_launch(PsEmulator *e, const char *what)
{
	text_f(&e->c.err, "launch: error: %s\n", what);
	return PS_STATUS_INPUT;
}

static PsStatus read_arguments(PsEmulator *e, const PsLaunch *l)
{
	Arena *a = &e->args;
	u64    zero = 0;
	memset(&e->launch.arg, 0, sizeof e->launch.arg);
	memset(&e->launch.fix, 0, sizeof e->launch.fix);
	for (size_t i = 0; i < l->n_args; i++) {
		const PsArg *from = &l->args[i];
		if (!from->buffer && !from->bytes)
			return bad_launch(e, "an argument has neither bytes nor a buffer");
		SimtArg arg = {.size = from->buffer ? 8 : (u32)from->size, .align = 1};
		arg.bytes = arena_alloc(a, (u64)arg.size + 16, 16);
		memcpy(arg.bytes, from->buffer ? (const void *)&zero : from->bytes, arg.size);
		SimtArgFix fix = {.arg = (u32)i, .offset = from->offset};
		if (from->buffer && !emulator_buffer(e, from->buffer, &fix.index))
			return bad_launch(e, "there is no buffer of the name that an argument gives");
		if (from->buffer)
			vec_push(a, &e->launch.fix, fix);
		vec_push(a, &e->launch.arg, arg);
	}
	return PS_STATUS_DONE;
}

static PsStatus read_textures(PsEmulator *e, const PsLaunch *l)
{
	memset(&e->launch.texture, 0, sizeof e->launch.texture);
	if (!e->program->windows || !l->textures || l->n_textures > 1 << 17)
		return l->n_textures ? bad_launch(e, "at most 2^17 textures, and in host memory mode alone") : PS_STATUS_DONE;
	vec_extend(&e->args, &e->launch.texture, (u32)l->n_textures);
	for (u32 i = 0; i < l->n_textures; i++) {
		const PsTexture *from = &l->textures[i];
		SimtTexture     *to = &e->launch.texture.p[i];
		SimtType         type = 0;
		while (from->width && type < ST_COUNT && (!from->type || strcmp(from->type, simt_type_name[type]) != 0))
			type++;
		if (type == ST_COUNT || (from->width && (!from->texels || !from->height || !from->depth || !from->channels)))
			return bad_launch(e, "a texture has no texels, or none of a known type");
		if (from->samples > 1 && (from->surface || from->linear || from->directions != 2))
			return bad_launch(e, "of several samples are textures of two directions, without a filter");
		if (from->levels > 1 && (from->surface || from->samples > 1 || from->row_bytes || from->levels > 32))
			return bad_launch(e, "of several levels are textures of one sample without space between rows");
		*to = (SimtTexture){.name = STR("a texture object"),
		                    .surface = from->surface,
		                    .normalized = from->normalized,
		                    .linear = from->linear,
		                    .dim = from->directions,
		                    .channels = from->channels,
		                    .address = {from->address[0], from->address[1], from->address[2]},
		                    .type = type,
		                    .width = from->width,
		                    .height = from->height,
		                    .depth = from->depth,
		                    .samples = PS_MAX(from->samples, 1u),
		                    .host = from->texels,
		                    .row_bytes = from->row_bytes,
		                    .levels = PS_MAX(from->levels, 1u),
		                    .between = from->level_linear,
		                    .bias = from->level_bias,
		                    .level_limit = {from->level_limit[0], from->level_limit[1]}};
		memcpy(to->border, from->border, sizeof to->border);
	}
	return PS_STATUS_DONE;
}

static PsStatus read_typed(PsEmulator *e, const PsLaunch *l)
{
	SimtLaunch *to = &e->launch;
	u64         threads = (u64)l->block[0] * l->block[1] * l->block[2];
	for (u32 i = 0; i < 3; i++)
		if (!l->grid[i] || !l->block[i] || l->grid[i] > INT32_MAX || l->block[i] > 1024)
			return bad_launch(e, "a grid and a block have at least one part in each direction");
	if (threads > 1024)
		return bad_launch(e, "a block has at most 1024 threads");
	if (l->shared_bytes > 227 << 10)
		return bad_launch(e, "a block has at most 227 KiB of shared memory");
	arena_free(&e->args);
	to->kernel = arena_str(&e->args, str_or_empty(l->kernel));
	memcpy(to->grid, l->grid, sizeof to->grid);
	memcpy(to->block, l->block, sizeof to->block);
	to->shared_bytes = l->shared_bytes;
	to->params = NULL;
	to->cooperative = l->cooperative;
	to->barrier_of_threads = l->barrier_of_threads;
	memcpy(to->cluster, l->cluster, sizeof to->cluster);
	PsStatus status = read_textures(e, l);
	if (status != PS_STATUS_DONE)
		return status;
	if (!l->params)
		return read_arguments(e, l);
	to->params = arena_alloc(&e->args, (u64)l->params_size + 1, 16);
	to->params_size = l->params_size;
	bytes_copy((void *)(uintptr_t)to->params, l->params, l->params_size);
	return PS_STATUS_DONE;
}

static PsStatus launch(PsEmulator *e, void *arg)
{
	const Launch *l = arg;
	Command      *c = &e->c;
	SimtOptions   o;
	emulator_end_launch(e);
	c->o = e->loaded;
	if (!options_read(&c->o, &c->s, l->argc, l->argv, 0, IN_RUN, &c->err) || !run_options(c, &o))
		return PS_STATUS_USAGE;
	c->s.diags.list.n = c->s.diags.errors = 0;
	if (l->typed) {
		PsStatus status = read_typed(e, l->typed);
		if (status != PS_STATUS_DONE)
			return status;
	} else {
		Arena fresh;
		arena_init(&fresh, &c->s.budget);
		SimtLaunch *read = run_launch_text(c, &fresh, STR("launch"), arena_str(&fresh, l->json));
		if (!read) {
			arena_free(&fresh);
			return PS_STATUS_INPUT;
		}
		simt_heap_clear(e->own);
		e->launch = *read;
		arena_free(&e->held);
		e->held = fresh;
	}
	e->launch.heap_outlives = l->typed && l->typed->heap;
	e->launch.heap = e->launch.heap_outlives ? emulator_shared_heap(e, l->typed->heap) : e->own;
	e->launch.mapped = e->mapped;
	e->launch.n_mapped = e->program->windows ? e->n_mapped : 0;
	e->machine = simt_new(e->program, &e->launch, &o);
	if (!e->machine)
		return (PsStatus)command_report(c);
	run_tell_jobs(c, e->machine);
	return PS_STATUS_DONE;
}

static PsStatus start(PsEmulator *e, Launch *l)
{
	PsLaunch own;
	if (!e)
		return PS_STATUS_USAGE;
	emulator_begin(e);
	if ((!l->typed && !l->json.p) || !command_has_words(l->argc, l->argv))
		return emulator_refuse(e, NULL_POINTER);
	if (l->typed && !command_struct(&own, sizeof own, l->typed, offsetof(PsLaunch, shared_bytes)))
		return emulator_refuse(e, "PsLaunch.size is not that of a PsLaunch\n");
	if (l->typed && !own.args && own.n_args)
		return emulator_refuse(e, NULL_POINTER);
	l->typed = l->typed ? &own : NULL;
	if (!e->program)
		return emulator_refuse(e, "load a program first\n");
	if (!l->typed && e->program->windows)
		return emulator_refuse(e, "a launch file has buffers; a program in host memory mode has none\n");
	PsStatus status = emulator_guarded(e, launch, l);
	if (e->open)
		emulator_guarded(e, terminate_messages, NULL);
	return status;
}

PsStatus ps_emulator_launch(PsEmulator *e, const PsLaunch *typed, int argc, const char *const *argv)
{
	Launch l = {.typed = typed, .argc = argc, .argv = argv};
	return start(e, &l);
}

PsStatus ps_emulator_launch_json(PsEmulator *e, const char *json, size_t size, int argc, const char *const *argv)
{
	Launch l = {.json = {json, (u32)PS_MIN(size, (size_t)INT32_MAX)}, .argc = argc, .argv = argv};
	return start(e, &l);
}
