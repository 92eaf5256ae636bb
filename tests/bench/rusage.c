/* rusage.c: runs a command and writes what it took: wall microseconds, user+system microseconds, peak
 * resident KiB, exit status (128 + signal where it was killed), on one line to standard output.
 * The command's own output is thrown away. --small-pages: what is resident is what was touched, not the large pages around it.
 *   rusage [--small-pages] COMMAND ARGUMENT… */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long microseconds(struct timeval t) { return (long long)t.tv_sec * 1000000 + t.tv_usec; }

int main(int argc, char **argv)
{
	int small = argc > 1 && strcmp(argv[1], "--small-pages") == 0;
	argv += small;
	if (argc - small < 2)
		return 2;
#ifdef PR_SET_THP_DISABLE
	if (small)
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); /* the command inherits it */
#endif
	struct timespec from, to;
	clock_gettime(CLOCK_MONOTONIC, &from);
	pid_t pid = vfork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	int           status;
	struct rusage usage;
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &to);
	long long wall = (to.tv_sec - from.tv_sec) * 1000000LL + (to.tv_nsec - from.tv_nsec) / 1000;
	printf("%lld %lld %ld %d\n", wall, microseconds(usage.ru_utime) + microseconds(usage.ru_stime), usage.ru_maxrss,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
