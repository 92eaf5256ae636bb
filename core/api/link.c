/* link.c: the libraries of --link and --libdevice, or of ps_compile, are read and linked into the input.
 *
 * A library is read with its bodies deferred where it can be, so that of a large one only what is taken is parsed. Its errors are
 * printed with its own name and lines. --libdevice without a file looks where CUDA toolkits are: see libdevice_places. */
#include "api/command.h"
#include "ir/link.h"
#include "ir/text.h"

/* Environment variable (NULL: none), then the path from there. */
static const struct {
	const char *variable, *path;
} libdevice_places[] = {
	{"CUDA_HOME", "nvvm/libdevice/libdevice.10.bc"},
	{"CUDA_PATH", "nvvm/libdevice/libdevice.10.bc"},
	{NULL, "/usr/local/cuda/nvvm/libdevice/libdevice.10.bc"},
	{NULL, "/opt/cuda/nvvm/libdevice/libdevice.10.bc"},
	{NULL, "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"},
};

/* Tries a file without a message. */
static bool try_file(Command *c, Str path, Str *text)
{
	size_t      size = 0;
	const char *error = NULL;
	const char *data = c->host && c->host->read ? c->host->read(c->host->user, path.p, &size, &error) : NULL;
	*text = (Str){data, (u32)PS_MIN(size, (size_t)0x7FFFFFFF)};
	return data != NULL;
}

static void add_file(Command *c, Str name, Str text)
{
	for (u32 i = 0; i < c->links.n; i++)
		if (str_eq(c->links.p[i].name, name))
			return;
	vec_push(&c->s.arena, &c->links, ((LinkFile){name, text}));
}

static bool find_libdevice(Command *c)
{
	Arena *a = &c->s.arena;
	Text   tried;
	text_init(&tried, a);
	for (u32 i = 0; i < PS_COUNT(libdevice_places); i++) {
		const char *variable = libdevice_places[i].variable, *root = NULL;
		if (variable && c->host && c->host->variable)
			root = c->host->variable(c->host->user, variable);
		if (variable && (!root || !*root)) {
			text_f(&tried, "\n  $%s is not set", variable);
			continue;
		}
		Str path = variable ? arena_fmt(a, "%s/%s", root, libdevice_places[i].path) : str_of(libdevice_places[i].path);
		Str text;
		if (try_file(c, path, &text)) {
			add_file(c, path, text);
			return true;
		}
		text_f(&tried, "\n  %.*s", STR_ARG(path));
	}
	text_f(&c->err, "ptxscope: --libdevice: no libdevice.10.bc was found. Looked at:%.*s\n", STR_ARG(text_str(&tried)));
	text_s(&c->err, "--libdevice=FILE names it\n");
	return false;
}

static bool read_files(Command *c)
{
	for (u32 i = 0; i < c->o.link.n; i++) {
		Str text;
		if (!command_read_file(c, c->o.link.p[i], &text))
			return false;
		add_file(c, c->o.link.p[i], text);
	}
	if (!c->o.libdevice.p)
		return true;
	if (!c->o.libdevice.n)
		return find_libdevice(c);
	Str text;
	if (!command_read_file(c, c->o.libdevice, &text))
		return false;
	add_file(c, c->o.libdevice, text);
	return true;
}

bool command_links(const Command *c) { return c->links.n || c->o.link.n || c->o.libdevice.p; }

/* The library's diagnostics, under its own name; what is left is an error if there was one. */
static void report_library(Command *c, const LinkFile *file, u32 from)
{
	Diags *d = &c->s.diags;
	bool   failed = d->errors != 0;
	diags_locate(d, file->text);
	for (u32 i = from; i < d->list.n; i++)
		diag_print(&c->err, &d->list.p[i], file->name, file->text);
	d->list.n = from;
	if (!failed)
		return;
	d->errors = 0;
	diag_report(d, DIAG_LINK_LIBRARY, (SrcRange){0}, STR_ARG(file->name));
}

static void undo_reports(Diags *d, u32 from)
{
	d->list.n = from;
	d->errors = 0;
}

static IrModule *read_all(Command *c, const LinkFile *file)
{
	Session  *s = &c->s;
	u32       before = s->diags.list.n;
	IrModule *m = ir_parse(s, file->text);
	if (m && !s->diags.errors)
		ir_verify(m);
	report_library(c, file, before);
	return s->diags.errors ? NULL : m;
}

static IrModule *read_library(Command *c, const LinkFile *file)
{
	Session  *s = &c->s;
	u32       before = s->diags.list.n;
	IrModule *m = s->target.is64 ? ir_parse_library(s, file->text) : NULL;
	if (m)
		ir_verify(m);
	if (m && s->diags.list.n == before)
		return m;
	undo_reports(&s->diags, before);
	return read_all(c, file);
}

/* A body that was to be read by itself has errors: reading the whole library finds all of them. */
static void report_broken(Command *c, const IrLibrary *libs, u32 before)
{
	for (u32 i = 0; i < c->links.n; i++)
		if (libs[i].broken) {
			undo_reports(&c->s.diags, before);
			read_all(c, &c->links.p[i]);
			return;
		}
}

bool command_link(Command *c, IrModule *ir)
{
	Arena *a = &c->s.arena;
	if (!command_links(c))
		return true;
	if (!c->links_read && !read_files(c)) {
		diag_report(&c->s.diags, DIAG_LINK_MISSING, (SrcRange){0});
		return false;
	}
	c->links_read = true;
	IrLibrary *libs = arena_array(a, IrLibrary, c->links.n);
	for (u32 i = 0; i < c->links.n; i++) {
		libs[i] = (IrLibrary){.name = c->links.p[i].name, .m = read_library(c, &c->links.p[i])};
		if (!libs[i].m)
			return false;
	}
	u32 before = c->s.diags.list.n;
	if (!ir_link(ir, c->input_name, libs, c->links.n)) {
		report_broken(c, libs, before);
		return false;
	}
	ir_verify(ir);
	return !c->s.diags.errors;
}
