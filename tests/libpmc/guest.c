// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest.c - libpmc's tests in the Linux guest (tests/libpmc/run starts it there).
 *
 * usage: guest [--exact] counting | logging    the tests of counting.c, of logging.c: TAP
 *        guest spin N                          2 * N instructions and an end
 *        guest count EVENT PROGRAM [ARG]...    one count of a program and its children, as
 *                                              "perf stat" would give it
 *        guest as UID PROGRAM [ARG]...         runs it as that user
 */
#include "guest.h"

#include <fcntl.h>
#include <grp.h>

bool guest_exact;
const char *guest_self;

__attribute__((noinline)) void guest_spin(uint64_t n)
{
	if (!n)
		return;
	/* "ra" is clobbered, so that the function has the frame that Linux's call chains need. */
	__asm__ __volatile__("1:	addi %0, %0, -1\n"
			     "	bnez %0, 1b\n"
			     : "+r"(n)
			     :
			     : "ra");
}

void guest_works(bool worked, const char *file, int line, const char *what)
{
	if (!tap_check(worked, file, line, what))
		printf("#   %s: %s\n", strerror(errno), pmc_error_text());
}

void guest_within(uint64_t got, uint64_t low, uint64_t high, const char *file, int line,
		  const char *what)
{
	if (!tap_check(got >= low && got <= high, file, line, what))
		printf("#   got  %llu\n#   want %llu to %llu\n", (unsigned long long)got,
		       (unsigned long long)low, (unsigned long long)high);
}

pmc_id_t guest_allocate(const char *spec, enum pmc_mode mode, uint32_t flags, uint64_t count)
{
	pmc_id_t id = PMC_ID_INVALID;

	works(pmc_allocate(spec, mode, flags, PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY, &id,
			   count));
	if (mode == PMC_MODE_TC && count)
		works(pmc_write(id, count));
	return id;
}

uint64_t guest_read(pmc_id_t id)
{
	uint64_t value = 0;

	works(pmc_read(id, &value));
	return value;
}

struct guest_child guest_fork(int (*body)(void *), void *arg)
{
	struct guest_child c;
	int fds[2];
	char byte;

	if (pipe(fds) < 0)
		abort();
	fflush(stdout);
	c.pid = fork();
	if (c.pid == 0) {
		close(fds[1]);
		while (read(fds[0], &byte, 1) < 0)
			;
		_exit(body(arg));
	}
	close(fds[0]);
	c.go = fds[1];
	return c;
}

void guest_go(struct guest_child *c)
{
	close(c->go);
}

int guest_wait(struct guest_child *c)
{
	int status;

	waitpid(c->pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void guest_sysctl(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY);

	ok(fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value));
	close(fd);
}

void guest_log_open(struct guest_log *l)
{
	strcpy(l->path, "/tmp/pmclog.XXXXXX");
	l->fd = mkstemp(l->path);
	l->parser = NULL;
	works(pmc_configure_logfile(l->fd));
}

void guest_log_rewind(struct guest_log *l)
{
	works(pmc_close_logfile());
	lseek(l->fd, 0, SEEK_SET);
	l->parser = pmclog_open(l->fd);
}

bool guest_log_find(struct guest_log *l, enum pmclog_type type)
{
	while (pmclog_read(l->parser, &l->ev) == 0) {
		if (l->ev.pl_type == type)
			return true;
	}
	if (l->ev.pl_state != PMCLOG_EOF)
		works(-1); /* prints the reason */
	return false;
}

void guest_log_close(struct guest_log *l)
{
	pmclog_close(l->parser);
	close(l->fd);
	unlink(l->path);
}

static int spin_for(const char *n)
{
	guest_spin(strtoull(n, NULL, 0));
	return 0;
}

static int exec_it(void *arg)
{
	char **argv = arg;

	execvp(argv[0], argv);
	return 127;
}

static int fails(const char *what)
{
	fprintf(stderr, "guest: %s: %s\n", what, pmc_error_text());
	return 1;
}

static int count(const char *spec, char **argv)
{
	struct guest_child c;
	uint64_t value;
	pmc_id_t id;
	int status;

	if (pmc_init() < 0 ||
	    pmc_allocate(spec, PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &id, 0) < 0)
		return fails(spec);
	c = guest_fork(exec_it, argv);
	if (pmc_attach(id, c.pid) < 0 || pmc_start(id) < 0)
		return fails("start");
	guest_go(&c);
	status = guest_wait(&c);
	if (pmc_read(id, &value) < 0)
		return fails("read");
	printf("%llu\n", (unsigned long long)value);
	return status;
}

static int as(uid_t uid, char **argv)
{
	if (setgroups(0, NULL) < 0 || setgid(uid) < 0 || setuid(uid) < 0) {
		perror("guest: as");
		return 1;
	}
	return exec_it(argv);
}

int main(int argc, char **argv)
{
	guest_self = argv[0];
	if (argc > 2 && strcmp(argv[1], "--exact") == 0) {
		guest_exact = true;
		argv++;
		argc--;
	}
	if (argc == 3 && strcmp(argv[1], "spin") == 0)
		return spin_for(argv[2]);
	if (argc > 3 && strcmp(argv[1], "count") == 0)
		return count(argv[2], argv + 3);
	if (argc > 3 && strcmp(argv[1], "as") == 0)
		return as((uid_t)atoi(argv[2]), argv + 3);
	if (argc == 2 && strcmp(argv[1], "counting") == 0)
		return guest_counting();
	if (argc == 2 && strcmp(argv[1], "logging") == 0)
		return guest_logging();
	fprintf(stderr,
		"usage: guest [--exact] counting | logging | spin N | count EVENT PROGRAM... |\n"
		"             as UID PROGRAM...\n");
	return 2;
}
