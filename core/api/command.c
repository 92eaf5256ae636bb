/* command.c: ps_command: chooses the command, reads its options, prints what it leaves, and ends a session that failed in the
 * middle. */
#include "api/command.h"

#include <setjmp.h>

typedef struct CommandRow {
	const char *name;
	u32         in;
	CommandRun  run;
	bool        wants_file;
	const char *usage, *summary;
} CommandRow;

static const CommandRow rows[] = {
	{"compile", IN_COMPILE, command_compile, true, "F.ll|F.mir", "Compile LLVM IR (or continue from MIR) to PTX"},
	{"run", IN_RUN, command_run, true, "F.ll|F.mir|F.ptx", "Execute a kernel on the SIMT emulator"},
	{"check", IN_CHECK, command_check, true, "F.ll", "Execute after every pass; name the first that changed a result"},
	{"fmt", IN_FMT, command_fmt, true, "F.ll|F.mir|F.ptx", "Read, verify and print in canonical form"},
	{"passes", IN_LIST, command_passes, false, "", "List the passes in pipeline order"},
	{"knobs", IN_LIST, command_knobs, false, "", "List the knobs"},
	{"opcodes", IN_LIST, command_opcodes, false, "", "List the PTX instructions"},
	{"intrinsics", IN_LIST, command_intrinsics, false, "", "List the NVVM and LLVM intrinsics"},
};

/* ---- the world ---- */

bool command_read_file(Command *c, Str path, Str *text)
{
	size_t      size = 0;
	const char *error = "cannot be read";
	const char *data = c->host && c->host->read ? c->host->read(c->host->user, path.p, &size, &error) : NULL;
	if (data && size > 0x7FFFFFFF) {
		data = NULL;
		error = "is larger than 2 GiB";
	}
	if (!data) {
		text_f(&c->err, "ptxscope: %.*s: %s\n", STR_ARG(path), error);
		return false;
	}
	*text = (Str){data, (u32)size};
	return true;
}

static void print(const PsHost *h, PsStream stream, Str s)
{
	if (s.n)
		h->print(h->user, stream, s.p, s.n);
}

void command_flush(void *command)
{
	Command *c = command;
	if (!c->host || !c->host->print)
		return;
	print(c->host, PS_STDOUT, text_str(&c->out));
	print(c->host, PS_STDERR, text_str(&c->err));
	c->out.n = c->err.n = 0;
}

bool command_read_input(Command *c)
{
	c->input_name = str_is(c->o.file, "-") ? STR("<stdin>") : c->o.file;
	return command_read_file(c, c->o.file, &c->input);
}

void command_write(Command *c, Str path, Str data)
{
	if (str_is(path, "-")) {
		command_flush(c);
		print(c->host, PS_STDOUT, data);
	} else
		vec_push(&c->s.arena, &c->files, ((OutFile){path, data, false}));
}

void command_write_always(Command *c, Str path, Str data)
{
	command_write(c, path, data);
	if (!str_is(path, "-"))
		vec_last(&c->files).always = true;
}

bool command_progress(Command *c, f64 part, const char *what)
{
	command_flush(c);
	if (!c->host || !c->host->progress || c->host->progress(c->host->user, part, what))
		return true;
	text_s(&c->err, "ptxscope: stopped before the end\n");
	return false;
}

int command_report(Command *c)
{
	Diags *d = &c->s.diags;
	diags_locate(d, c->input);
	for (u32 i = 0; i < d->list.n; i++)
		diag_print(&c->err, &d->list.p[i], c->input_name, c->input);
	if (d->errors > d->max_errors)
		text_f(&c->err, "%u more errors not shown\n", d->errors - d->max_errors);
	return d->errors ? STATUS_INPUT : STATUS_DONE;
}

static int write_files(Command *c, int status)
{
	for (u32 i = 0; i < c->files.n; i++) {
		const OutFile *f = &c->files.p[i];
		if (status != STATUS_DONE && !f->always)
			continue;
		const char *error = "cannot be written";
		if (!c->host->write(c->host->user, f->path.p, f->data.p, f->data.n, &error)) {
			text_f(&c->err, "ptxscope: %.*s: %s\n", STR_ARG(f->path), error);
			return STATUS_USAGE;
		}
	}
	return status;
}

/* ---- usage ---- */

static const CommandRow *row_of(Str name)
{
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (str_is(name, rows[i].name))
			return &rows[i];
	return NULL;
}

static void help(Text *out)
{
	text_s(out, "usage: ptxscope COMMAND [options] FILE\n\n");
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		u32 start = out->n;
		text_f(out, "  %s %s", rows[i].name, rows[i].usage);
		text_pad(out, 30, start);
		text_f(out, "%s\n", rows[i].summary);
	}
	text_s(out, "\n'ptxscope COMMAND --help' lists a command's options; FILE - is standard input.\n"
	            "Exit status: 0 done, 1 the input is at fault, 2 usage, 3 internal error, 4 out of memory.\n");
}

static void help_command(Text *out, const CommandRow *row)
{
	text_f(out, "usage: ptxscope %s [options] %s\n\n%s.\n\n", row->name, row->usage, row->summary);
	options_help(out, row->in);
	if (row->wants_file)
		text_s(out, "  -O0 -O1 -O2 -O3             Optimisation level (default 3)\n"
		            "Every knob is an option too: 'ptxscope knobs' lists them.\n");
}

static int unknown_command(Command *c, Str name)
{
	Nearest n = nearest_to(name);
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		nearest_try(&n, str_of(rows[i].name));
	nearest_try(&n, STR("--version"));
	nearest_try(&n, STR("--help"));
	text_f(&c->err, "ptxscope: unknown command '%.*s'", STR_ARG(name));
	if (nearest_found(&n))
		text_f(&c->err, "; did you mean '%.*s'?", STR_ARG(n.best));
	text_s(&c->err, "\n'ptxscope --help' lists the commands\n");
	return STATUS_USAGE;
}

/* `ptxscope help`, `ptxscope help run` */
static int help_about(Command *c, int argc, const char *const *argv)
{
	const CommandRow *row = argc > 1 ? row_of(str_of(argv[1])) : NULL;
	if (argc > 1 && !row)
		return unknown_command(c, str_of(argv[1]));
	if (row)
		help_command(&c->out, row);
	else
		help(&c->out);
	return STATUS_DONE;
}

static int print_version(Command *c)
{
	text_f(&c->out, "ptxscope %s (%s)\n", ps_version(), ps_commit());
	return STATUS_DONE;
}

static int dispatch(Command *c, int argc, const char *const *argv)
{
	Str name = argc > 0 ? str_of(argv[0]) : STR("");
	if (str_is(name, "--version") || str_is(name, "-version"))
		return print_version(c);
	if (str_is(name, "--help") || str_is(name, "-help") || str_is(name, "-h") || str_is(name, "help"))
		return help_about(c, argc, argv);
	if (!name.n)
		return help(&c->err), STATUS_USAGE;
	const CommandRow *row = row_of(name);
	if (!row)
		return unknown_command(c, name);
	if (!options_read(&c->o, &c->s, argc, argv, 1, row->in, &c->err))
		return c->o.misfit ? STATUS_INPUT : STATUS_USAGE;
	if (c->o.version)
		return print_version(c);
	if (c->o.help)
		return help_command(&c->out, row), STATUS_DONE;
	if (row->wants_file && !c->o.file.n) {
		text_f(&c->err, "ptxscope: %s wants an input file; - is standard input\n", row->name);
		return STATUS_USAGE;
	}
	if (!row->wants_file && c->o.file.n) {
		text_f(&c->err, "ptxscope: %s takes no file\n", row->name);
		return STATUS_USAGE;
	}
	if (c->o.max_memory > 0)
		c->s.budget.cap = (u64)c->o.max_memory << 20;
	if (c->o.error_limit > 0)
		c->s.diags.max_errors = (u32)PS_MIN(c->o.error_limit, (i64)UINT32_MAX);
	return row->run(c);
}

/* ---- leaving in the middle ---- */

static int out_of_memory(Command *c)
{
	/* The arena is full: the message is made of what stands on the stack. */
	char text[128];
	command_flush(c);
	Str where = c->input_name.p ? c->input_name : STR("ptxscope");
	print(c->host, PS_STDERR, where);
	const char *mib = ": error: out of memory: the limit of ";
	print(c->host, PS_STDERR, str_of(mib));
	u64 limit = c->s.budget.cap >> 20;
	u32 n = 0;
	do
		text[sizeof text - ++n] = (char)('0' + limit % 10);
	while (limit /= 10);
	print(c->host, PS_STDERR, (Str){text + sizeof text - n, n});
	print(c->host, PS_STDERR, STR(" MiB is reached\nhint: -max-memory=MIB raises it\n"));
	return STATUS_MEMORY;
}

static int internal_error(Command *c, int argc, const char *const *argv)
{
	Session      *s = &c->s;
	const PsHost *h = c->host;
	command_flush(c);
	print(h, PS_STDERR, STR("ptxscope: internal error"));
	if (s->pass) {
		print(h, PS_STDERR, STR(" in pass "));
		print(h, PS_STDERR, str_of(s->pass));
	}
	if (s->function.n) {
		print(h, PS_STDERR, STR(" on function "));
		print(h, PS_STDERR, s->function);
	}
	print(h, PS_STDERR, STR(": "));
	print(h, PS_STDERR, s->failure);
	print(h, PS_STDERR, STR("\nreproduce with: ptxscope"));
	for (int i = 0; i < argc; i++) {
		print(h, PS_STDERR, STR(" "));
		print(h, PS_STDERR, str_of(argv[i]));
	}
	print(h, PS_STDERR, STR("\n"));
	return STATUS_INTERNAL;
}

/* Hosts of an earlier header are shorter. False: what every host needs is missing. */
static bool read_host(PsHost *host, const PsHost *given)
{
	return command_struct(host, sizeof *host, given, offsetof(PsHost, now_ms)) && host->read && host->write && host->print;
}

int ps_command(int argc, const char *const *argv, const PsHost *given)
{
	PsHost own;
	if (!read_host(&own, given) || !command_has_words(argc, argv))
		return STATUS_USAGE;
	const PsHost *host = &own;
	Command       c = {.host = host};
	jmp_buf       out;
	MemBudget     memory = {.cap = command_memory_cap(host->memory_cap), .pages = host->pages, .pages_user = host->user};
	if (!session_init_on(&c.s, &memory))
		return out_of_memory(&c);
	c.s.code_host = (CodeHost){host->code.user, host->code.make, host->code.drop};
	c.threads = host->threads;
	volatile int status;
	if (setjmp(out) == 0) {
		c.s.out = &out;
		text_init(&c.out, &c.s.arena);
		text_init(&c.err, &c.s.arena);
		status = dispatch(&c, argc, argv);
		status = write_files(&c, status);
		command_flush(&c);
	} else {
		status = c.s.out_of_memory ? out_of_memory(&c) : internal_error(&c, argc, argv);
	}
	session_free(&c.s);
	return status;
}

PsStatus command_leave(Session *s, const char *no_memory, char *last_words, u32 room)
{
	Str what = s->out_of_memory ? str_of(no_memory) : s->failure;
	u32 n = PS_MIN(what.n, room - 1);
	memcpy(last_words, what.p, n);
	last_words[n] = 0;
	PsStatus status = s->out_of_memory ? PS_STATUS_MEMORY : PS_STATUS_INTERNAL;
	session_free(s);
	return status;
}
