/* link.c: the linker's calls: several texts of PTX become one.
 *
 * A text is cut into what stands at its top level. Of the result, prototypes of functions come first, then variables, then bodies, so
 * everything is declared before it is used, whatever text it came from. A name without linkage belongs to its text: where another text has
 * it, too, it gets the number of its text behind it. Of weak definitions the first one counts; two others of one name are an error. What
 * nobody defines stays declared, as the emulator has functions of its own (vprintf, malloc). Lines of debug information are left out. */
#include "base/checked.h"
#include "cuda/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Linkage { LINK_INTERNAL, LINK_VISIBLE, LINK_WEAK, LINK_EXTERN } Linkage;

/* A statement of the top level: bytes from .. to of its text. */
typedef struct Part {
	u32         text;
	Linkage     linkage;
	bool        is_function, has_body;
	const char *from, *body, *to; /* body: where that of a function begins */
	const char *linkage_at;       /* the word, and how long it is; NULL: none */
	u32         linkage_size;
	const char *name;
	u32         name_size;
} Part;

typedef struct Input {
	struct Input *next;
	size_t        size;
	char          text[]; /* with a 0 behind it */
} Input;

struct CUlinkState_st {
	Object o;
	Input *first, **last;
	char  *result;
};

void link_destroy(CUlinkState l)
{
	for (Input *i = l->first, *next; i; i = next) {
		next = i->next;
		free(i);
	}
	free(l->result);
	object_free(l);
}

/* ---- words of PTX */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%' ||
	       c == '.';
}

/* Behind blanks and comments. */
static const char *skip(const char *p)
{
	for (;;) {
		while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
			p++;
		const char *end = p[0] == '/' && p[1] == '*' ? strstr(p + 2, "*/") : NULL;
		if (p[0] == '/' && p[1] == '/')
			while (*p && *p != '\n')
				p++;
		else if (end)
			p = end + 2;
		else
			return p;
	}
}

/* Behind the token that begins there: a word, a string, or one character. */
static const char *token_end(const char *p)
{
	if (*p == '"') {
		for (p++; *p && *p != '"'; p++)
			p += *p == '\\' && p[1];
		return *p ? p + 1 : p;
	}
	if (!is_word(*p))
		return *p ? p + 1 : p;
	/* .visible.func would be one word: directives end where the next one begins. */
	for (p++; is_word(*p) && *p != '.'; p++)
		;
	return p;
}

static bool is(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);
	return (size_t)(end - p) == n && memcmp(p, word, n) == 0;
}

/* Behind the bracket that closes the one there. */
static const char *closed(const char *p)
{
	u32 depth = 0;
	do {
		p = skip(p);
		depth += *p == '{' || *p == '(' || *p == '[';
		depth -= (*p == '}' || *p == ')' || *p == ']') && depth;
		p = token_end(p);
	} while (depth && *p);
	return p;
}

/* ---- parts */

static Linkage linkage_of(const char *p, const char *end)
{
	return is(p, end, ".visible") || is(p, end, ".common") ? LINK_VISIBLE
	       : is(p, end, ".weak")                           ? LINK_WEAK
	       : is(p, end, ".extern")                         ? LINK_EXTERN
	                                                       : LINK_INTERNAL;
}

/* The statement that begins at p, which is no blank; its end is in to. Of a variable, the name is the last word in front of its
 * extents, its value or its end; of a function, the word behind the results. */
static Part part_at(const char *p)
{
	Part part = {.from = p};
	while (*p && *p != ';' && *p != '{') {
		const char *end = *p == '(' || *p == '[' ? closed(p) : token_end(p);
		Linkage     linkage = linkage_of(p, end);
		if (linkage != LINK_INTERNAL) {
			part.linkage = linkage;
			part.linkage_at = p;
			part.linkage_size = (u32)(end - p);
		}
		if (is(p, end, ".func") || is(p, end, ".entry"))
			part.is_function = true;
		if (*p == '=') /* a value, in braces or not */
			for (p = skip(end); *p && *p != ';'; p = skip(end))
				end = *p == '{' ? closed(p) : token_end(p);
		else if (is_word(*p) && *p != '.' && (*p < '0' || *p > '9') && !(part.is_function && part.name)) {
			part.name = p;
			part.name_size = (u32)(end - p);
		}
		p = *p == ';' ? p : skip(end);
	}
	part.has_body = *p == '{';
	part.body = p;
	part.to = *p == '{' ? closed(p) : *p ? p + 1 : p;
	return part;
}

typedef struct Parts {
	Part *p;
	u32   n, room;
} Parts;

/* The line that a directive takes; NULL: it is a statement. */
static const char *directive_end(const char *p, const char *end)
{
	static const char *const lines[] = {".version", ".target", ".address_size", ".file", ".pragma"};
	for (u32 i = 0; i < PS_COUNT(lines); i++)
		if (is(p, end, lines[i])) {
			while (*p && *p != '\n')
				p++;
			return p;
		}
	return is(p, end, ".section") ? closed(skip(token_end(skip(end)))) : NULL;
}

static bool cut(Parts *all, const char *text, u32 number)
{
	for (const char *p = skip(text), *line; *p; p = skip(p)) {
		if ((line = directive_end(p, token_end(p)))) {
			p = line;
			continue;
		}
		Part *more = array_grow(all->p, all->n, &all->room, sizeof *more);
		if (!more)
			return false;
		all->p = more;
		Part part = part_at(p);
		part.text = number;
		if (part.name)
			all->p[all->n++] = part;
		p = part.to > p ? part.to : p + 1;
	}
	return true;
}

/* ---- names */

static bool same_name(const Part *a, const Part *b)
{
	return a->name_size == b->name_size && memcmp(a->name, b->name, a->name_size) == 0;
}
static bool defines(const Part *p) { return p->linkage != LINK_EXTERN && (p->has_body || !p->is_function); }

/* Does another text have the name of this internal part? */
static bool clashes(const Parts *all, const Part *p)
{
	for (u32 i = 0; p->linkage == LINK_INTERNAL && i < all->n; i++)
		if (all->p[i].text != p->text && same_name(&all->p[i], p))
			return true;
	return false;
}

/* The definition that the part declares or is; NULL: there is none. */
static const Part *definition(const Parts *all, const Part *p)
{
	for (u32 i = 0; i < all->n; i++)
		if (defines(&all->p[i]) && same_name(&all->p[i], p) &&
		    (all->p[i].linkage != LINK_INTERNAL ? p->linkage != LINK_INTERNAL : all->p[i].text == p->text))
			return &all->p[i];
	return NULL;
}

/* ---- writing */

typedef struct Out {
	const Parts *all;
	const Part **clash; /* the parts whose names get the number of their text */
	u32          n_clash;
	char        *p;
	size_t       n, room;
	bool         failed;
} Out;

static void put(Out *o, const char *from, size_t n)
{
	if (n > o->room - o->n) {
		size_t room = 2 * o->room + n + 4096;
		char  *more = realloc(o->p, room);
		o->failed |= !more;
		if (!more)
			return;
		o->p = more;
		o->room = room;
	}
	memcpy(o->p + o->n, from, n);
	o->n += n;
}

/* The text from .. to of a part of `text`, with the names of that text that clash made its own. */
static void put_text(Out *o, const char *from, const char *to, u32 text)
{
	char number[16];
	snprintf(number, sizeof number, "$%u", text + 1);
	for (const char *p = from; p < to;) {
		const char *token = skip(p), *end = token_end(token);
		if (token >= to)
			break;
		put(o, p, (size_t)(token - p));
		p = end;
		if (is(token, end, ".loc")) { /* its line */
			while (*p && *p != '\n')
				p++;
			continue;
		}
		put(o, token, (size_t)(end - token));
		Part word = {.text = text, .name = token, .name_size = (u32)(end - token)};
		for (u32 i = 0; is_word(*token) && *token != '.' && *token != '%' && i < o->n_clash; i++)
			if (o->clash[i]->text == text && same_name(o->clash[i], &word)) {
				put(o, number, strlen(number));
				break;
			}
	}
	put(o, "\n", 1);
}

/* The head of a function as a prototype: with the linkage of its definition. */
static void put_prototype(Out *o, const Part *p)
{
	static const char *const words[] = {"", ".visible ", ".weak ", ".extern "};
	const Part              *d = definition(o->all, p);
	const char              *after = p->linkage_at ? p->linkage_at + p->linkage_size : p->from;
	put(o, words[d ? d->linkage : p->linkage], strlen(words[d ? d->linkage : p->linkage]));
	put_text(o, after, p->body, p->text);
	put(o, ";\n", 2);
}

static bool is_first(const Parts *all, u32 at, bool functions)
{
	for (u32 i = 0; i < at; i++)
		if (all->p[i].is_function == functions && same_name(&all->p[i], &all->p[at]) &&
		    (all->p[i].text == all->p[at].text || (all->p[i].linkage && all->p[at].linkage)))
			return false;
	return true;
}

static bool is_entry(const Part *p)
{
	for (const char *q = p->from; q < p->name; q = skip(token_end(q)))
		if (is(q, token_end(q), ".entry"))
			return true;
	return false;
}

static void put_all(Out *o)
{
	const Parts *all = o->all;
	o->clash = malloc((all->n + 1) * sizeof *o->clash);
	o->failed |= !o->clash;
	for (u32 i = 0; o->clash && i < all->n; i++)
		if (clashes(all, &all->p[i]))
			o->clash[o->n_clash++] = &all->p[i];
	for (u32 i = 0; i < all->n; i++)
		if (all->p[i].is_function && !is_entry(&all->p[i]) && is_first(all, i, true))
			put_prototype(o, &all->p[i]);
	for (u32 i = 0; i < all->n; i++) {
		const Part *p = &all->p[i], *d = definition(all, p);
		if (!p->is_function && (d ? d == p : is_first(all, i, false)))
			put_text(o, p->from, p->to, p->text);
	}
	for (u32 i = 0; i < all->n; i++)
		if (all->p[i].is_function && all->p[i].has_body && definition(all, &all->p[i]) == &all->p[i])
			put_text(o, all->p[i].from, all->p[i].to, all->p[i].text);
	put(o, "", 1);
}

/* Two definitions of one name that are not weak. */
static const Part *twice(const Parts *all)
{
	for (u32 i = 0; i < all->n; i++)
		for (u32 k = 0; k < i; k++)
			if (all->p[i].linkage == LINK_VISIBLE && all->p[k].linkage == LINK_VISIBLE && defines(&all->p[i]) &&
			    defines(&all->p[k]) && same_name(&all->p[i], &all->p[k]))
				return &all->p[i];
	return NULL;
}

/* The largest number behind a directive, "8.8" or "sm_90" as 88 or 90. */
static u32 most_of(CUlinkState l, const char *directive)
{
	u32 most = 0;
	for (const Input *i = l->first; i; i = i->next)
		for (const char *p = skip(i->text); *p; p = skip(token_end(p))) {
			u32 v = 0;
			if (!is(p, token_end(p), directive))
				continue;
			for (p = token_end(p); *p && *p != '\n' && *p != ','; p++)
				v = *p >= '0' && *p <= '9' && v < 10000 ? 10 * v + (u32)(*p - '0') : v;
			most = PS_MAX(most, v);
			break;
		}
	return most;
}

static CUresult join(CUlinkState l, char **out, size_t *size)
{
	Parts    all = {0};
	Out      o = {.all = &all};
	char     head[96];
	u32      number = 0, version = most_of(l, ".version"), target = most_of(l, ".target");
	CUresult r = CUDA_SUCCESS;
	for (const Input *i = l->first; i; i = i->next, number++)
		if (!cut(&all, i->text, number))
			r = CUDA_ERROR_OUT_OF_MEMORY;
	const Part *again = twice(&all);
	if (again) {
		say("two texts define '%.*s'\n", (int)again->name_size, again->name);
		r = CUDA_ERROR_INVALID_PTX;
	}
	snprintf(head, sizeof head, ".version %u.%u\n.target sm_%u\n.address_size 64\n", version / 10, version % 10, target);
	put(&o, head, strlen(head));
	if (r == CUDA_SUCCESS)
		put_all(&o);
	free(all.p);
	free(o.clash);
	if (r != CUDA_SUCCESS || o.failed) {
		free(o.p);
		return r != CUDA_SUCCESS ? r : CUDA_ERROR_OUT_OF_MEMORY;
	}
	*out = o.p;
	*size = o.n;
	return CUDA_SUCCESS;
}

/* ---- calls */

static CUresult link_create(CUcontext c, unsigned n, const CUjit_option *options, void **values, CUlinkState *out)
{
	if (!out || (n && (!options || !values)))
		return CUDA_ERROR_INVALID_VALUE;
	CUlinkState l = object_new(OBJECT_LINK, c, sizeof **out);
	*out = l;
	if (!l)
		return CUDA_ERROR_OUT_OF_MEMORY;
	l->last = &l->first;
	return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned n, CUjit_option *options, void **values, CUlinkState *out)
{
	DRIVER_CALL(IN_CONTEXT, link_create(c.context, n, options, values, out));
}

/* size 0: as long as the data say. */
static CUresult link_part(CUlinkState l, const void *data, size_t size)
{
	Ptx      ptx;
	CUresult r = image_ptx(data, size, &ptx);
	if (r != CUDA_SUCCESS)
		return r;
	Input *i = calloc(1, sizeof *i + ptx.size + 8);
	if (i) {
		bytes_copy(i->text, ptx.text, ptx.size);
		i->size = ptx.size;
		*l->last = i;
		l->last = &i->next;
	}
	free(ptx.own);
	return i ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult link_add(CUlinkState l, CUjitInputType type, const void *data, size_t size)
{
	if (!object_is(l, OBJECT_LINK))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!data || !size || l->result)
		return CUDA_ERROR_INVALID_VALUE;
	if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY)
		return say("linking needs PTX; objects and libraries cannot be run\n"), CUDA_ERROR_NO_BINARY_FOR_GPU;
	return link_part(l, data, size);
}

/* More than seven parameters: the signature is CUDA's. */
CUresult cuLinkAddData_v2(CUlinkState l, CUjitInputType type, void *data, size_t size, const char *name, unsigned n,
                          CUjit_option *options, void **values)
{
	(void)name, (void)n, (void)options, (void)values;
	DRIVER_CALL(IN_CONTEXT, link_add(l, type, data, size));
}

static CUresult link_add_file(CUlinkState l, CUjitInputType type, const char *path)
{
	size_t size;
	if (!path)
		return CUDA_ERROR_INVALID_VALUE;
	char *text = file_text(path, &size);
	if (!text)
		return CUDA_ERROR_FILE_NOT_FOUND;
	CUresult r = link_add(l, type, text, size);
	free(text);
	return r;
}

CUresult cuLinkAddFile_v2(CUlinkState l, CUjitInputType type, const char *path, unsigned n, CUjit_option *options, void **values)
{
	(void)n, (void)options, (void)values;
	DRIVER_CALL(IN_CONTEXT, link_add_file(l, type, path));
}

/* One text is its own result. */
static CUresult link_complete(CUlinkState l, void **out, size_t *size)
{
	size_t n;
	if (!object_is(l, OBJECT_LINK))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!out || !l->first)
		return CUDA_ERROR_INVALID_VALUE;
	*out = l->first->text;
	n = l->first->size + 1;
	if (l->first->next) {
		CUresult r = l->result ? CUDA_ERROR_INVALID_VALUE : join(l, &l->result, &n);
		if (r != CUDA_SUCCESS)
			return r;
		*out = l->result;
	}
	if (size)
		*size = n;
	return CUDA_SUCCESS;
}

CUresult cuLinkComplete(CUlinkState l, void **out, size_t *size) { DRIVER_CALL(IN_CONTEXT, link_complete(l, out, size)); }

static CUresult link_end(CUlinkState l)
{
	if (!object_is(l, OBJECT_LINK))
		return CUDA_ERROR_INVALID_HANDLE;
	link_destroy(l);
	return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState l) { DRIVER_CALL(IN_CONTEXT, link_end(l)); }

CUresult link_images(CUcontext c, const void *const *parts, Ptx *out)
{
	CUlinkState l;
	void       *text;
	size_t      size;
	CUresult    r = link_create(c, 0, NULL, NULL, &l);
	if (r != CUDA_SUCCESS)
		return r;
	for (const void *const *p = parts; *p && r == CUDA_SUCCESS; p++)
		if (image_has_ptx(*p))
			r = link_part(l, *p, 0);
	if (r == CUDA_SUCCESS && !l->first)
		r = link_part(l, *parts, 0); /* says what is missing */
	if (r == CUDA_SUCCESS)
		r = link_complete(l, &text, &size);
	if (r == CUDA_SUCCESS) {
		char *own = malloc(size);
		*out = (Ptx){.text = own, .size = size - 1, .own = own};
		own ? bytes_copy(own, text, size) : (void)(r = CUDA_ERROR_OUT_OF_MEMORY);
	}
	link_destroy(l);
	return r;
}
