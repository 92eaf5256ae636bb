// The native program for tests that run it thousands of times: it is started once, and each command line gets a fork of it. Starting a
// process takes Node five milliseconds and the system ten, AddressSanitizer's start a hundred; a fork takes one.
//
//   served REQUESTS REPLIES
//
// REQUESTS and REPLIES are FIFOs. A request is "ARGUMENTS VARIABLES SECONDS INPUT\n", four numbers: how many arguments and variables of
// the environment follow the working directory, after how many seconds the command is killed, and how many bytes its standard input
// has. Behind it stand the directory, the arguments and the variables (NAME=VALUE), each with a NUL, and the input. A reply is
// "STATUS SIGNAL OUTPUT ERRORS\n" and what the command wrote to standard output and standard error, of as many bytes.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/** core/cli/main.c, compiled under this name. */
int program_main(int argc, char **argv);

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(3);
}

/** The string up to the next NUL. */
static char *read_string(FILE *from)
{
	char  *line = NULL;
	size_t room = 0;
	if (getdelim(&line, &room, 0, from) < 0)
		fail("served: a request ends early");
	return line;
}

/** A file in memory in place of the stream `fd` of this process. */
static void replace(int fd, int file)
{
	if (dup2(file, fd) < 0)
		fail("served: dup2");
}

static int memory_file(void)
{
	int file = memfd_create("served", MFD_CLOEXEC);
	if (file < 0)
		fail("served: memfd_create");
	return file;
}

/** Copies all of a file to the reply. */
static void pass_on(int file, size_t size, FILE *to)
{
	if (size) {
		char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
		if (bytes == MAP_FAILED || fwrite(bytes, 1, size, to) != size)
			fail("served: a reply");
		munmap(bytes, size);
	}
	close(file);
}

static size_t size_of(int file)
{
	off_t size = lseek(file, 0, SEEK_END);
	return size > 0 ? (size_t)size : 0;
}

/** In the fork: runs the command, and ends. */
static _Noreturn void run(char **strings, size_t arguments, size_t variables, unsigned seconds)
{
	if (chdir(strings[0]) != 0)
		fail("served: chdir");
	for (size_t i = 0; i < variables; i++)
		putenv(strings[1 + arguments + i]);
	char **argv = calloc(arguments + 2, sizeof *argv);
	if (!argv)
		fail("served: arguments");
	argv[0] = "ptxscope";
	memcpy(argv + 1, strings + 1, arguments * sizeof *argv);
	alarm(seconds);
	exit(program_main((int)arguments + 1, argv));
}

int main(int argc, char **argv)
{
	// In this order the other side opens them, too.
	FILE *requests = argc == 3 ? fopen(argv[1], "rb") : NULL, *replies = requests ? fopen(argv[2], "wb") : NULL;
	if (!replies)
		fail("usage: served REQUESTS REPLIES");
	fcntl(fileno(requests), F_SETFD, FD_CLOEXEC);
	fcntl(fileno(replies), F_SETFD, FD_CLOEXEC);
	size_t   arguments, variables, input;
	unsigned seconds;
	while (fscanf(requests, "%zu %zu %u %zu", &arguments, &variables, &seconds, &input) == 4 && getc(requests) == '\n') {
		size_t count = 1 + arguments + variables;
		char **strings = calloc(count, sizeof *strings);
		int    in = memory_file(), out = memory_file(), err = memory_file(), status;
		if (!strings || (input && ftruncate(in, (off_t)input) != 0))
			fail("served: a request");
		for (size_t i = 0; i < count; i++)
			strings[i] = read_string(requests);
		if (input) {
			char *bytes = mmap(NULL, input, PROT_READ | PROT_WRITE, MAP_SHARED, in, 0);
			if (bytes == MAP_FAILED || fread(bytes, 1, input, requests) != input)
				fail("served: an input");
			munmap(bytes, input);
		}
		pid_t child = fork();
		if (child == 0) {
			replace(STDIN_FILENO, in);
			replace(STDOUT_FILENO, out);
			replace(STDERR_FILENO, err);
			run(strings, arguments, variables, seconds);
		}
		if (child < 0 || waitpid(child, &status, 0) != child)
			fail("served: fork");
		size_t printed = size_of(out), said = size_of(err);
		fprintf(replies, "%d %d %zu %zu\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
		        WIFSIGNALED(status) ? WTERMSIG(status) : 0, printed, said);
		pass_on(out, printed, replies);
		pass_on(err, said, replies);
		fflush(replies);
		close(in);
		for (size_t i = 0; i < count; i++)
			free(strings[i]);
		free(strings);
	}
	return 0;
}
