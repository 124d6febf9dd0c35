// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_target.c - programs, processes, threads and CPUs that are measured (target.h), with real
 * programs and a fake kernel below libpmc.
 */
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fakekernel.h>
#include <target.h>

#include "said.h"

/* A command. */
#define COMMAND(...) ((char **)(const char *[]){ __VA_ARGS__, NULL })
#define SHELL(words) COMMAND("sh", "-c", words)

/* Runs it to its end; returns its status, or the error of target_fork() or target_exec(). */
static int run(char **command)
{
	struct target t = { 0 };
	int status;

	t.command = command;
	is(target_check(&t), 0);
	status = target_fork(&t);
	if (!status)
		status = target_exec(&t);
	if (!status) {
		is(target_wait(&t, 10000), TARGET_ENDED);
		status = target_end(&t);
	}
	target_free(&t);
	return status;
}

static void statuses(void)
{
	char file[] = "/tmp/holter-test.XXXXXX";
	int fd = mkstemp(file);

	is(run(COMMAND("true")), 0);
	is(run(SHELL("exit 3")), 3);
	is(run(SHELL("kill -9 $$")), 137);
	is(run(SHELL("kill -PIPE $$")), 141); /* not as holter has it */
	says(run(COMMAND("/nonexistent/program")), 127,
	     "/nonexistent/program: there is no such program");
	says(run(COMMAND("holter-has-no-such")), 127,
	     "holter-has-no-such: there is no such program in the folders of PATH");
	is(run(COMMAND(file)), 126); /* not executable */
	ok(has_said("cannot be executed: Permission denied"));
	says(run(COMMAND("/")), 126, "/: cannot be executed");
	close(fd);
	unlink(file);
}

/* The folders of PATH as in execvp(3): an empty one is the current folder. */
static void path(void)
{
	char dir[] = "/tmp/holter-test.XXXXXX", *old = strdup(getenv("PATH"));
	char here[4096];

	ok(mkdtemp(dir) && getcwd(here, sizeof(here)) && chdir(dir) == 0);
	is(symlink("/bin/true", "holter-here"), 0);
	setenv("PATH", "/nowhere::/elsewhere", 1);
	is(run(COMMAND("holter-here")), 0);
	setenv("PATH", "/nowhere", 1);
	is(run(COMMAND("holter-here")), 127);
	setenv("PATH", dir, 1);
	is(run(COMMAND("holter-here")), 0);
	setenv("PATH", old, 1);
	unlink("holter-here");
	is(chdir(here), 0);
	rmdir(dir);
	free(old);
}

/* A program that Linux does not let us count. */
static void rights(void)
{
	char file[] = "/tmp/holter-test.XXXXXX";
	struct target t = { .command = COMMAND(file) };

	close(mkstemp(file));
	is(chmod(file, 0755), 0);
	ok(!target_has_rights(&t));
	is(chmod(file, 04755), 0);
	ok(target_has_rights(&t));
	unlink(file);
	ok(!target_has_rights(&t));
}

static void barrier(void)
{
	struct target t = { 0 };
	char file[] = "/tmp/holter-test.XXXXXX", words[64];
	struct stat st;

	close(mkstemp(file));
	unlink(file);
	snprintf(words, sizeof(words), "touch %s", file);
	t.command = SHELL(words);
	is(target_check(&t), 0);
	is(target_fork(&t), 0);
	is(target_wait(&t, 50), TARGET_TIME);
	ok(stat(file, &st) < 0); /* it waits */
	is(target_exec(&t), 0);
	is(target_wait(&t, 10000), TARGET_ENDED);
	is(target_end(&t), 0);
	is(stat(file, &st), 0);
	unlink(file);
	/* once more, and abandoned before it starts */
	is(target_fork(&t), 0);
	is(target_end(&t), 128 + SIGTERM);
	ok(stat(file, &st) < 0);
	close(t.go);
	close(t.failed);
	target_free(&t);
}

static void signals(void)
{
	struct target t = { 0 };
	char file[] = "/tmp/holter-test.XXXXXX", words[100];

	/* sent to holter only: it is passed on once the program is ready */
	close(mkstemp(file));
	snprintf(words, sizeof(words), "trap 'exit 7' TERM; rm %s; while :; do sleep 0.01; done",
		 file);
	t.command = SHELL(words);
	is(target_check(&t), 0);
	is(target_fork(&t), 0);
	is(target_exec(&t), 0);
	for (unsigned n = 0; n < 1000 && access(file, F_OK) == 0; n++)
		is(target_wait(&t, 20), TARGET_TIME);
	kill(getpid(), SIGTERM);
	is(target_wait(&t, 10000), TARGET_ENDED);
	is(target_end(&t), 7);
	is(t.enough, SIGTERM); /* whatever status the program chose */
	/* without a program: the measurement ends */
	t.command = NULL;
	is(target_wait(&t, 20), TARGET_TIME);
	kill(getpid(), SIGINT);
	is(target_wait(&t, 10000), TARGET_STOPPED);
	is(target_end(&t), 7);
	target_free(&t);
}

/* ^C before the program's exec. */
static void ended_before(void)
{
	siginfo_t gone;
	struct target t = { 0 };

	signal(SIGPIPE, SIG_IGN); /* as holter has it */
	t.command = SHELL("true");
	is(target_check(&t), 0);
	is(target_fork(&t), 0);
	is(kill(t.child, SIGKILL), 0);
	/* (Until its end of the pipe is closed.) */
	is(waitid(P_PID, (id_t)t.child, &gone, WEXITED | WNOWAIT), 0);
	says(target_exec(&t), 137, "sh: did not begin: signal 9 (Killed)");
	is(target_end(&t), 137);
	signal(SIGPIPE, SIG_DFL);
	target_free(&t);
}

/* ^C between two runs. */
static void ended_between(void)
{
	char file[] = "/tmp/holter-test.XXXXXX", words[64];
	struct target t = { 0 };

	close(mkstemp(file));
	snprintf(words, sizeof(words), "rm %s", file);
	t.command = COMMAND("true");
	is(target_check(&t), 0);
	is(target_fork(&t), 0);
	is(target_exec(&t), 0);
	is(target_wait(&t, 10000), TARGET_ENDED);
	raise(SIGINT);
	t.command = SHELL(words);
	is(target_fork(&t), 0);
	is(target_exec(&t), 128 + SIGINT);
	is(target_end(&t), 128 + SIGINT);
	is(access(file, F_OK), 0);
	raise(SIGTERM);
	is(target_fork(&t), 0);
	is(target_exec(&t), 128 + SIGTERM);
	ok(has_said("sh: did not begin: signal 15 (Terminated)"));
	is(access(file, F_OK), 0);
	target_free(&t);
	unlink(file);
}

/* Gives t the value of an option. */
static int give(struct target *t, char letter, const char *value)
{
	const struct option_row row = { .letter = letter };

	return target_option(t, &row, value);
}

static void options(void)
{
	static const struct {
		int option;
		const char *value, *line;
	} wrong[] = {
		{ 'C', "", "-C '': must be numbers" },
		{ 'C', "1-", "-C '1-': must be" },
		{ 'C', "3-1", "-C '3-1': must be" },
		{ 'C', "x", "-C 'x': must be" },
		{ 'C', "0,", "-C '0,': must be" },
		{ 'C', "0-99999", "must be numbers" },
		{ 'p', "12-14", "-p '12-14': must be" },
		{ 'p', "-3", "-p '-3': must be" },
		{ 'p', "0", "-p '0': must be" },
		{ 'p', "5,0", "-p '5,0': must be" },
		{ 'p', "99999999999", "-p '99999999999'" },
		{ 'p', "1 2", "-p '1 2': must be" },
		{ 't', "", "-t '': must be numbers of threads" },
		{ 't', "7-8", "-t '7-8': must be" },
		{ 't', "0", "-t '0': must be" },
		{ 't', "main", "-t 'main': must be" },
		{ 't', "7,", "-t '7,': must be" },
	};
	struct target t = { 0 };

	for (unsigned i = 0; i < TAP_NR(wrong); i++) {
		tap_context("-%c %s", wrong[i].option, wrong[i].value);
		says(give(&t, wrong[i].option, wrong[i].value), 2, wrong[i].line);
		free(t.cpus.at);
		free(t.pids.at);
		t = (struct target){ 0 };
	}
	tap_context(" ");
	is(give(&t, 'C', "0-2,5,1"), 0);
	is(t.cpus.nr, 4);
	is(t.cpus.at[3], 5);
	fake_boot();
	says(target_check(&t), 2, "-C: CPU 2 does not exist: CPU numbers are 0 to 1");
	fake.ncpu = 6;
	fake.offline = 5;
	fake_end();
	is(pmc_init(), 0);
	says(target_check(&t), 2, "-C: CPU 5 is offline");
	fake.offline = -1;
	is(target_check(&t), 0);
	target_free(&t);
	t = (struct target){ 0 };
	is(give(&t, 't', "14,14,15"), 0);
	is(t.pids.nr, 2);
	ok(t.threads);
	is(target_check(&t), 0);
	target_free(&t);
}

struct only { /* a target */
	struct target t;
};

/* The rules of a command that has only a target. */
static int ruled(const char *one, const char *two, const char *program)
{
	static const struct option_row rows[] = { TARGET_ROWS(struct only, t), { 0 } };
	static const struct option_rule rules[] = { TARGET_RULES, { 0 } };
	static const struct options o = {
		.usage = "", .about = "", .rows = rows, .rules = rules, .first = true
	};
	char *argv[] = { (char *)"test", (char *)one, (char *)two, (char *)program, NULL };
	struct only only = { 0 };
	struct options_read read;
	int argc = program ? 4 : two ? 3 : one ? 2 : 1, status;

	is(options_read(&read, &o, &only, argc, argv), -1);
	if (optind < argc)
		only.t.command = argv + optind;
	status = options_check(&read);
	target_free(&only.t);
	return status;
}

static void rules(void)
{
	says(ruled(NULL, NULL, NULL), 2,
	     "nothing to measure: name a program, or give -p PID, -t TID, -C CPU or -a");
	says(ruled("-a", "-C0", NULL), 2, "-a does not go with -C: -a is all CPUs");
	says(ruled("-p12", "-C0", NULL), 2,
	     "-p does not go with -C: measure processes, threads or CPUs");
	says(ruled("-a", "-p12", NULL), 2, "-p does not go with -a");
	says(ruled("-t12", "-p12", NULL), 2, "-p does not go with -t");
	says(ruled("-t12", "--all-cpus", NULL), 2,
	     "-t does not go with --all-cpus: measure threads or CPUs");
	is(ruled("-t12", "-t13", NULL), 0);
	is(ruled("-C0", "-C1", "true"), 0);
	is(ruled("-a", NULL, NULL), 0);
	is(ruled("true", "-a", NULL), 0); /* a program and its option */
}

static void all_cpus(void)
{
	struct target t = { .all = true };

	fake_boot();
	fake.ncpu = 4;
	fake.offline = 3;
	fake_end();
	is(pmc_init(), 0);
	is(target_check(&t), 0);
	is(t.cpus.nr, 3);
	is(t.cpus.at[2], 2);
	target_free(&t);
}

static void counters(void)
{
	struct target t = { .child = FAKE_OTHER }, cpus = { 0 }, pids = { 0 };
	struct target_pmcs a, b;

	fake_boot();
	is(target_allocate(&t, "cycles,usr", false, 0, 0, &a), 0);
	is(a.nr, 1);
	is(fake_event(FAKE_OTHER, -1)->attr.enable_on_exec, 1);
	is(fake_event(FAKE_OTHER, -1)->attr.inherit_thread, 0);
	is(fake_event(FAKE_OTHER, -1)->attr.exclude_kernel, 1);
	is(target_start(&a), 0);
	is(target_stop(&a), 0);
	is(give(&cpus, 'C', "0,1"), 0);
	is(target_allocate(&cpus, "cycles", false, 0, 0, &b), 0);
	is(b.nr, 2);
	is(target_start(&b), 0);
	ok(fake_event(-1, 0)->enabled && fake_event(-1, 1)->enabled);
	target_release(&b);
	target_release(&a);
	is(fake_nr_open(), 0);
	/* an error on the way leaves nothing allocated */
	is(give(&cpus, 'C', "7"), 0);
	is(target_allocate(&cpus, "cycles", false, 0, 0, &b), -1);
	ok(strstr(pmc_error_text(), "CPU 7"));
	is(give(&pids, 'p', "77,5"), 0);
	is(target_allocate(&pids, "cycles", false, 0, 0, &b), -1);
	is(errno, ESRCH);
	is(fake_nr_open(), 0);
	target_free(&cpus);
	target_free(&pids);
}

/* A single thread: not the other one of its process, and nothing that it creates. */
static void counters_of_threads(void)
{
	struct target t = { 0 }, none = { 0 };
	struct target_pmcs a;

	fake_boot();
	is(give(&t, 't', "78"), 0);
	is(target_allocate(&t, "cycles", false, 0, 0, &a), 0);
	is(a.nr, 1);
	is(fake_nr_open(), 1);
	is(fake_event(FAKE_OTHER + 1, -1)->attr.inherit, 0);
	is(fake_event(FAKE_OTHER + 1, -1)->attr.inherit_thread, 0);
	is(target_start(&a), 0);
	ok(fake_event(FAKE_OTHER + 1, -1)->enabled);
	target_release(&a);
	is(target_allocate(&t, "cycles", true, 0, 1000, &a), 0);
	is(fake_event(FAKE_OTHER + 1, 0)->attr.inherit, 0);
	target_release(&a);
	is(fake_nr_open(), 0);
	is(give(&none, 't', "78,12345"), 0);
	is(target_allocate(&none, "cycles", false, 0, 0, &a), -1);
	is(errno, ESRCH);
	is(fake_nr_open(), 0);
	target_free(&none);
	target_free(&t);
}

struct waiting {
	int ready[2], end[2];
	pid_t tid;
};

static void *waits(void *arg)
{
	struct waiting *w = arg;
	char byte;

	w->tid = (pid_t)syscall(SYS_gettid);
	if (write(w->ready[1], "", 1) == 1)
		(void)!read(w->end[0], &byte, 1);
	return NULL;
}

/* -t waits until the threads have ended, even if their process continues. */
static void end_of_a_thread(void)
{
	struct target t = { 0 }, as_process = { 0 }, none = { 0 };
	struct waiting w;
	char text[16], byte;
	pthread_t thread;

	is(pipe(w.ready), 0);
	is(pipe(w.end), 0);
	is(pthread_create(&thread, NULL, waits, &w), 0);
	is(read(w.ready[0], &byte, 1), 1);
	snprintf(text, sizeof(text), "%d", (int)w.tid);
	is(give(&as_process, 'p', text), 0);
	says(target_fork(&as_process), 2, "is a thread: measure it with -t");
	target_free(&as_process);
	is(give(&none, 't', "999999999"), 0);
	says(target_fork(&none), 2, "-t 999999999: there is no such thread");
	target_free(&none);
	is(give(&t, 't', text), 0);
	is(target_check(&t), 0);
	is(target_fork(&t), 0);
	is(target_wait(&t, 250), TARGET_TIME);
	is(write(w.end[1], "", 1), 1);
	is(target_wait(&t, 10000), TARGET_ENDED);
	pthread_join(thread, NULL);
	is(target_end(&t), 0);
	target_free(&t);
	for (unsigned i = 0; i < 2; i++) {
		close(w.ready[i]);
		close(w.end[i]);
	}
}

/* The shell ignores these signals in a background job: they end nothing. */
static void ignored_signals(void)
{
	struct target t = { 0 };

	signal(SIGINT, SIG_IGN);
	t.command = SHELL("exec sleep 60");
	is(target_check(&t), 0);
	is(target_fork(&t), 0);
	is(target_exec(&t), 0);
	kill(getpid(), SIGINT);
	is(target_wait(&t, 20), TARGET_TIME);
	kill(getpid(), SIGTERM);
	is(target_wait(&t, 10000), TARGET_ENDED);
	is(target_end(&t), 128 + SIGTERM);
	target_free(&t);
	signal(SIGINT, SIG_DFL);
}

/* Some of these may be ignored already, if a shell runs the tests in the background. */
static void default_signals(void)
{
	static const int all[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE };

	for (unsigned n = 0; n < TAP_NR(all); n++)
		signal(all[n], SIG_DFL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the status of a program, and of a file that is not one", statuses },
		{ "a program in the folders of PATH", path },
		{ "a setuid program", rights },
		{ "nothing runs before target_exec()", barrier },
		{ "signals", signals },
		{ "signals that are ignored", ignored_signals },
		{ "a program that is killed before it begins", ended_before },
		{ "a program that is killed between two runs", ended_between },
		{ "options", options },
		{ "options that do not go together", rules },
		{ "all CPUs that are online", all_cpus },
		{ "PMCs of a program, of processes and of CPUs", counters },
		{ "PMCs of single threads", counters_of_threads },
		{ "until a thread has ended", end_of_a_thread },
	};
	int result;

	default_signals();
	result = tap_run(cases, TAP_NR(cases));

	fake_end();
	return result;
}
