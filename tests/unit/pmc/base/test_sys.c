// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_sys.c - sys.c on the real kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sys.h>
#include <tap.h>

static const struct pmc_sys *const sys = &lpmc_sys_linux;

static bool sigpipe_pending(void)
{
	sigset_t set;

	sigpending(&set);
	return sigismember(&set, SIGPIPE);
}

/* SIGPIPE must not reach the program: it would end it. */
static void no_reader(void)
{
	sigset_t pipe_signal;
	int fds[2];

	is(pipe(fds), 0);
	close(fds[0]);
	is(sys->write(fds[1], "x", 1), -1);
	is(errno, EPIPE);
	/* a SIGPIPE that was already pending belongs to the program */
	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe_signal, NULL);
	is(sys->write(fds[1], "x", 1), -1);
	ok(!sigpipe_pending());
	raise(SIGPIPE);
	is(sys->write(fds[1], "x", 1), -1);
	ok(sigpipe_pending());
	signal(SIGPIPE, SIG_IGN); /* discards the pending signal */
	sigprocmask(SIG_UNBLOCK, &pipe_signal, NULL);
	signal(SIGPIPE, SIG_DFL);
	close(fds[1]);
}

static void full_disk(void)
{
	int fd = open("/dev/full", O_WRONLY);

	is(sys->write(fd, "x", 1), -1);
	is(errno, ENOSPC);
	close(fd);
}

/* The library's descriptors are closed by execve(2). */
static void close_on_exec(void)
{
	int event = sys->eventfd(), copy = sys->dup(event);

	ok(event >= 0 && copy > event);
	ok(fcntl(event, F_GETFD) & FD_CLOEXEC);
	ok(fcntl(copy, F_GETFD) & FD_CLOEXEC);
	ok(fcntl(event, F_GETFL) & O_NONBLOCK);
	close(copy);
	close(event);
}

/* A descriptor that cannot be written is refused as a log. */
static void not_writable(void)
{
	static const int flags[] = { O_RDONLY, O_RDONLY | O_DIRECTORY, O_PATH };

	for (unsigned i = 0; i < TAP_NR(flags); i++) {
		int fd = open("/proc/self", flags[i]);

		ok(fd >= 0);
		is(sys->dup(fd), -1);
		is(errno, EBADF);
		close(fd);
		is(sys->dup(fd), -1);
		is(errno, EBADF);
	}
}

static void files(void)
{
	char text[4], self[16];
	int list[2];

	sys->readlink("/proc/self", self, sizeof(self));
	is(atoi(self), getpid());
	sys->readlink("/nonexistent", self, sizeof(self));
	is_str(self, "");

	is(sys->slurp("/proc/self/comm", text, sizeof(text)), 3);
	is_str(text, "tes");
	is(sys->slurp("/nonexistent", text, sizeof(text)), -1);
	is(sys->numbers("/proc/self/task", list, 2), 1);
	is(list[0], getpid());
	is(sys->numbers("/nonexistent", list, 2), -1);
	ok(sys->numbers("/proc", list, 1) > 1);
	is(list[0], 1);
}

static volatile sig_atomic_t handled;

static void handle(int signal)
{
	handled += signal == SIGIO;
}

/* SIGIO goes only to a thread that handles or blocks it, and never ends the program. */
static void sigio(void)
{
	sigset_t set, pending;

	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	signal(SIGIO, SIG_DFL);
	is(sys->sigio_waiter(), 0);
	sys->sigio(gettid());
	signal(SIGIO, handle);
	is(sys->sigio_waiter(), gettid());
	sys->sigio(gettid());
	is(handled, 1);
	signal(SIGIO, SIG_DFL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	is(sys->sigio_waiter(), gettid());
	sys->sigio(gettid());
	sigpending(&pending);
	ok(sigismember(&pending, SIGIO));
	signal(SIGIO, SIG_IGN); /* discards the pending signal */
	is(sys->sigio_waiter(), 0);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sys->sigio(gettid());
	signal(SIGIO, SIG_DFL);
}

static void *wait_for_end(void *arg)
{
	char byte;

	is(read(((int *)arg)[0], &byte, 1), 0);
	return NULL;
}

/* This process, a thread of it, a child that runs, is a zombie or has gone, an unused number. */
static void processes(void)
{
	int fds[2];
	pthread_t thread;
	siginfo_t info;
	char name[20], path[64];
	pid_t child;
	int tids[8], nr;

	is(pipe(fds), 0);
	ok(sys->is_process(getpid()) && sys->is_process(1));
	is(sys->has_ended(getpid()), 0);
	child = fork();
	if (!child) {
		close(fds[1]);
		_exit(read(fds[0], name, 1) != 0);
	}
	ok(sys->is_process(child));
	is(sys->has_ended(child), 0);
	pthread_create(&thread, NULL, wait_for_end, fds);
	snprintf(path, sizeof(path), "/proc/self/task");
	nr = sys->numbers(path, tids, 8);
	for (int n = 0; n < nr && n < 8; n++)
		is(sys->is_process(tids[n]), tids[n] == getpid());
	close(fds[1]);
	pthread_join(thread, NULL);
	is(waitid(P_PID, child, &info, WEXITED | WNOWAIT), 0);
	is(sys->has_ended(child), 1);
	ok(sys->is_process(child));
	is(waitpid(child, NULL, 0), child);
	is(sys->has_ended(child), 1);
	ok(!sys->is_process(child));
	close(fds[0]);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a pipe without a reader is an error, and no signal", no_reader },
		{ "a disk that is full", full_disk },
		{ "descriptors are closed at an exec", close_on_exec },
		{ "a descriptor that cannot be written to", not_writable },
		{ "SIGIO goes to the thread that waits for it", sigio },
		{ "processes, threads and zombies", processes },
		{ "files and directories of /proc", files },
	};

	return tap_run(cases, TAP_NR(cases));
}
