// Asks an LLVM about many modules in one process: starting opt takes a hundred milliseconds, a module of a test takes one.
//
//   llvm LIBRARY <requests >replies
//
// A request is "VERB LENGTH\n" and the bytes of a module, as text or bitcode; a reply "STATUS LENGTH\n" and the bytes of the answer.
// VERB is `verify` (answers nothing), `print` (the module as text), `write` (as bitcode), or `strip` (as text without debug
// information and names of values). STATUS is 0; 1 where LLVM refuses the module, with its messages as the answer; 2 where LLVM
// ended with a signal.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// LLVM's C interface, as its documentation declares it; its headers are a package of their own.
typedef struct Context Context;
typedef struct Module  Module;
typedef struct Buffer  Buffer;
typedef struct Options Options;

static void *library;

/** The function `name` of the library, as a pointer to a function of type `type`. */
#define LLVM(type, name) ((type)function(name))

static void *function(const char *name)
{
	void *at = dlsym(library, name);
	if (!at) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return at;
}

static void reply(int status, const char *bytes, size_t count)
{
	printf("%d %zu\n", status, count);
	fwrite(bytes, 1, count, stdout);
	fflush(stdout);
}

static void ignore(void *diagnostic, void *context) { (void)diagnostic, (void)context; }

/** Answers one request. */
static void answer(const char *verb, char *bytes, size_t count)
{
	Context *context = LLVM(Context * (*)(void), "LLVMContextCreate")();
	// Without a handler, errors of reading bitcode end the process.
	LLVM(void (*)(Context *, void (*)(void *, void *), void *), "LLVMContextSetDiagnosticHandler")(context, ignore, NULL);
	Buffer *buffer = LLVM(Buffer * (*)(const char *, size_t, const char *),
	                      "LLVMCreateMemoryBufferWithMemoryRangeCopy")(bytes, count, "<stdin>");
	Module *module;
	char   *message = NULL;
	if (LLVM(int (*)(Context *, Buffer *, Module **, char **), "LLVMParseIRInContext")(context, buffer, &module, &message) ||
	    LLVM(int (*)(Module *, int, char **), "LLVMVerifyModule")(module, 2, &message)) {
		reply(1, message ? message : "", message ? strlen(message) : 0);
		return; // the context is left: a module that was not read may have left anything in it
	}
	if (strcmp(verb, "strip") == 0) {
		Options *options = LLVM(Options * (*)(void), "LLVMCreatePassBuilderOptions")();
		if (LLVM(void *(*)(Module *, const char *, void *, Options *), "LLVMRunPasses")(module, "strip", NULL, options))
			exit(3);
	}
	if (strcmp(verb, "write") == 0) {
		Buffer *out = LLVM(Buffer * (*)(Module *), "LLVMWriteBitcodeToMemoryBuffer")(module);
		reply(0, LLVM(const char *(*)(Buffer *), "LLVMGetBufferStart")(out),
		      LLVM(size_t(*)(Buffer *), "LLVMGetBufferSize")(out));
		LLVM(void (*)(Buffer *), "LLVMDisposeMemoryBuffer")(out);
	} else if (strcmp(verb, "verify") == 0)
		reply(0, "", 0);
	else {
		char *text = LLVM(char *(*)(Module *), "LLVMPrintModuleToString")(module);
		reply(0, text, strlen(text));
		LLVM(void (*)(char *), "LLVMDisposeMessage")(text);
	}
	LLVM(void (*)(Module *), "LLVMDisposeModule")(module);
	LLVM(void (*)(Context *), "LLVMContextDispose")(context);
}

/** All of standard input, and a NUL behind it. */
static char *read_all(size_t *count)
{
	char  *bytes = NULL;
	size_t room = 0, n = 0, got;
	do {
		room += room / 2 + 65536;
		bytes = realloc(bytes, room + 1);
		if (!bytes)
			exit(3);
		got = fread(bytes + n, 1, room - n, stdin);
		n += got;
	} while (got);
	bytes[n] = 0;
	*count = n;
	return bytes;
}

int main(int argc, char **argv)
{
	library = dlopen(argc == 2 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
	size_t count, *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc != 2 || !library || done == MAP_FAILED) {
		fprintf(stderr, "usage: llvm LIBRARY: %s\n", argc == 2 ? dlerror() : "which libLLVM.so?");
		return 3;
	}
	char *all = read_all(&count);
	// A child answers request after request. Where LLVM crashes, the next child goes on behind that request.
	for (*done = 0; *done < count;) {
		pid_t child = fork();
		if (child == 0)
			while (*done < count) {
				char  *verb = all + *done, *blank = memchr(verb, ' ', count - *done), *bytes;
				size_t length = blank ? strtoul(blank, &bytes, 10) : 0;
				if (!blank || *bytes++ != '\n' || length > count - (size_t)(bytes - all))
					exit(3);
				*blank = 0;
				*done = (size_t)(bytes - all) + length;
				answer(verb, bytes, length);
			}
		if (child == 0)
			_exit(0);
		int status;
		if (child < 0 || waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) != 0))
			return 3;
		if (WIFSIGNALED(status))
			reply(2, "", 0);
	}
	return 0;
}
