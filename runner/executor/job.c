#include "job.h"
#include "init.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name;
	uint8_t     bytes;
} types[E_COUNT] = {
	[E_I8] = {"i8", 1},   [E_U8] = {"u8", 1},   [E_I16] = {"i16", 2}, [E_U16] = {"u16", 2},
	[E_I32] = {"i32", 4}, [E_U32] = {"u32", 4}, [E_I64] = {"i64", 8}, [E_U64] = {"u64", 8},
	[E_F16] = {"f16", 2}, [E_F32] = {"f32", 4}, [E_F64] = {"f64", 8},
};

size_t element_bytes(ElementType type) { return types[type].bytes; }
bool   element_is_float(ElementType type) { return type >= E_F16; }

typedef struct Reader {
	const char *at, *end;
	unsigned    line;
	const char *wrong; /* the first problem */
} Reader;

static void complain(Reader *r, const char *what)
{
	if (!r->wrong)
		r->wrong = what;
}

/* ---- words */

static void word(Reader *r, char *to, size_t room)
{
	size_t n = 0;
	while (r->at < r->end && *r->at != ' ' && *r->at != '\n' && n + 1 < room)
		to[n++] = *r->at++;
	to[n] = 0;
	if (n == 0 || (r->at < r->end && *r->at != ' ' && *r->at != '\n'))
		complain(r, "a word is missing or too long");
	if (r->at < r->end && *r->at == ' ')
		r->at++;
}

static uint64_t number(Reader *r, unsigned base, uint64_t most)
{
	char text[32];
	word(r, text, sizeof text);
	uint64_t v = 0;
	for (const char *p = text; *p && !r->wrong; p++) {
		unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
		                 : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a' + 10)
		                                          : 99;
		if (digit >= base || v > (UINT64_MAX - digit) / base)
			complain(r, "a number is malformed");
		v = v * base + digit;
	}
	if (v > most)
		complain(r, "a number is too large");
	return r->wrong ? 0 : v;
}

static unsigned small(Reader *r, uint64_t most) { return (unsigned)number(r, 10, most); }
static uint64_t hex(Reader *r) { return number(r, 16, UINT64_MAX); }

static void end_of_line(Reader *r)
{
	if (r->at >= r->end || *r->at != '\n')
		complain(r, "the line goes on");
	else
		r->at++, r->line++;
}

static bool is_word(Reader *r, const char *name)
{
	size_t n = strlen(name);
	if ((size_t)(r->end - r->at) <= n || memcmp(r->at, name, n) != 0 || (r->at[n] != ' ' && r->at[n] != '\n'))
		return false;
	r->at += n + (r->at[n] == ' ');
	return true;
}

/* Bytes that follow the line's end; a copy with a 0 behind it. */
static uint8_t *counted(Reader *r, size_t *size)
{
	uint64_t n = number(r, 10, SIZE_MAX / 2);
	end_of_line(r);
	if (!r->wrong && n >= (uint64_t)(r->end - r->at))
		complain(r, "fewer bytes follow than were announced");
	uint8_t *to = r->wrong ? NULL : malloc(n + 1);
	if (!to) {
		complain(r, "out of memory");
		return NULL;
	}
	memcpy(to, r->at, n);
	to[n] = 0;
	r->at += n;
	*size = n;
	return to;
}

/* ---- records */

static ElementType type_of(Reader *r)
{
	char text[8];
	word(r, text, sizeof text);
	for (unsigned i = 0; i < E_COUNT; i++)
		if (strcmp(types[i].name, text) == 0)
			return (ElementType)i;
	complain(r, "an unknown type of element");
	return E_U8;
}

static void memory(Reader *r, Memory *m)
{
	m->type = type_of(r);
	m->count = number(r, 10, SIZE_MAX / 16);
	m->bytes = m->count * element_bytes(m->type);
	if (is_word(r, "bytes")) {
		size_t size = 0;
		m->initial = counted(r, &size);
		if (!r->wrong && size != m->bytes)
			complain(r, "bytes do not fill the buffer");
		return;
	}
	Init init = {.kind = INIT_ZERO};
	if (is_word(r, "constant"))
		init = (Init){INIT_CONSTANT, {hex(r)}};
	else if (is_word(r, "linear"))
		init.kind = INIT_LINEAR, init.value[0] = hex(r), init.value[1] = hex(r);
	else if (is_word(r, "random"))
		init.kind = INIT_RANDOM, init.value[0] = hex(r), init.value[1] = hex(r), init.value[2] = hex(r);
	else if (!is_word(r, "zero"))
		complain(r, "an unknown way to fill a buffer");
	m->initial = r->wrong ? NULL : malloc(m->bytes + 1);
	if (m->initial)
		init_fill(m->initial, m->type, m->count, &init);
	else
		complain(r, "out of memory");
}

static void texture(Reader *r, const Job *job, Texture *t, bool surface)
{
	t->surface = surface;
	t->dim = small(r, 3);
	t->type = type_of(r);
	t->channels = small(r, 4);
	t->width = number(r, 10, 1 << 20), t->height = number(r, 10, 1 << 20), t->depth = number(r, 10, 1 << 20);
	t->buffer = small(r, MOST_BUFFERS);
	if (!surface) {
		t->address = small(r, 3);
		t->filter = small(r, 1);
		t->normalized = small(r, 1);
	}
	if (r->wrong)
		return;
	uint64_t texels = t->width * t->height * t->depth;
	if (t->buffer >= job->n_buffers || !t->dim || !t->channels || t->channels == 3 ||
	    texels * t->channels * element_bytes(t->type) > job->buffer[t->buffer].bytes)
		complain(r, "a texture does not fit its buffer");
}

static void patch(Reader *r, Patch *p)
{
	p->offset = number(r, 10, SIZE_MAX / 2);
	p->texture = is_word(r, "texture");
	if (!p->texture && !is_word(r, "buffer"))
		complain(r, "an address of a buffer or a handle of a texture is wanted");
	p->index = small(r, 4096);
	p->addend = p->texture ? 0 : number(r, 10, UINT64_MAX);
}

static void three(Reader *r, unsigned *to)
{
	for (unsigned i = 0; i < 3; i++)
		to[i] = small(r, INT32_MAX);
}

static void append_memory(Reader *r, Job *job, bool named)
{
	Memory   *list = named ? job->symbol : job->buffer;
	unsigned *n = named ? &job->n_symbols : &job->n_buffers;
	if (*n == MOST_BUFFERS) {
		complain(r, "too many buffers");
		return;
	}
	if (named)
		word(r, list[*n].name, NAME_BYTES);
	memory(r, &list[(*n)++]);
}

static void append_texture(Reader *r, Job *job, bool surface)
{
	if (job->n_textures == MOST_TEXTURES)
		complain(r, "too many textures");
	else
		texture(r, job, &job->texture[job->n_textures++], surface);
}

static void append_patch(Reader *r, Job *job)
{
	if (job->n_patches == MOST_PATCHES)
		complain(r, "too many addresses in the parameters");
	else
		patch(r, &job->patch[job->n_patches++]);
}

static void record(Reader *r, Job *job)
{
	size_t size = 0;
	if (is_word(r, "device")) {
		job->device = (int)small(r, 1024);
	} else if (is_word(r, "repeat")) {
		job->warmup = small(r, 1000), job->launches = small(r, 1000), job->budget_ms = small(r, 3600000);
	} else if (is_word(r, "ptx")) {
		job->ptx = (char *)counted(r, &size);
		if (job->ptx && strlen(job->ptx) != size)
			complain(r, "the PTX has a 0 in it");
	} else if (is_word(r, "kernel")) {
		word(r, job->kernel, NAME_BYTES);
	} else if (is_word(r, "grid")) {
		three(r, job->grid);
	} else if (is_word(r, "block")) {
		three(r, job->block);
	} else if (is_word(r, "shared")) {
		job->shared = small(r, INT32_MAX);
	} else if (is_word(r, "buffer")) {
		append_memory(r, job, false);
	} else if (is_word(r, "symbol")) {
		append_memory(r, job, true);
	} else if (is_word(r, "texture")) {
		append_texture(r, job, false);
	} else if (is_word(r, "surface")) {
		append_texture(r, job, true);
	} else if (is_word(r, "params")) {
		job->params = counted(r, &job->params_bytes);
	} else if (is_word(r, "patch")) {
		append_patch(r, job);
	} else {
		complain(r, "an unknown record");
	}
	end_of_line(r);
}

/* What a record names may come behind it, so this is looked at last. */
static void check(Reader *r, const Job *job)
{
	if (!job->ptx || !job->kernel[0] || !job->params || !job->grid[0] || !job->block[0])
		complain(r, "the job is incomplete");
	for (unsigned i = 0; i < job->n_patches; i++) {
		const Patch *p = &job->patch[i];
		if (p->index >= (p->texture ? job->n_textures : job->n_buffers) || p->offset > job->params_bytes ||
		    job->params_bytes - p->offset < 8)
			complain(r, "an address lies outside of the parameters, or is of nothing");
	}
}

static char *all_of_input(size_t *size)
{
	size_t room = 1 << 16, n = 0;
	char  *text = malloc(room);
	while (text) {
		ssize_t got = read(0, text + n, room - n);
		if (got <= 0)
			break;
		n += (size_t)got;
		if (n == room) {
			char *more = realloc(text, room *= 2);
			if (!more)
				free(text);
			text = more;
		}
	}
	*size = n;
	return text;
}

const char *job_read(Job *job, unsigned *line)
{
	size_t size;
	char  *text = all_of_input(&size);
	if (!text)
		return "out of memory";
	Reader r = {.at = text, .end = text + size, .line = 1};
	if (!is_word(&r, "ptxscope-job") || small(&r, 1) != 1)
		complain(&r, "not a job of version 1");
	end_of_line(&r);
	while (!r.wrong && !is_word(&r, "end"))
		record(&r, job);
	check(&r, job);
	*line = r.line;
	free(text);
	return r.wrong;
}
