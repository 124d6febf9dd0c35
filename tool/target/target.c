// SPDX-License-Identifier: BSD-2-Clause
/*
 * target.c - see target.h.
 *
 * From target_fork() on, SIGCHLD and the signals that end programs are blocked and read from a
 * signalfd, so that no handler runs at the wrong moment.  The program gets the signal mask as it
 * was.  A signal that was ignored when holter started (nohup) stays ignored.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "holter.h"
#include "number.h"
#include "target.h"
#include "term.h"
#include "vec.h"

/*
 * Options
 */

/* Appends value if the list does not have it. */
static bool append(struct target_numbers *list, int value)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (list->at[i] == value)
			return true;
	}
	return VEC_PUSH(list, value);
}

/*
 * Reads a list as 1,2,5-7.  Processes have no ranges and no 0.  False: it is not a list, or there
 * is no memory.
 */
static bool list_parse(const char *text, bool cpus, struct target_numbers *list)
{
	uint64_t first, last;

	if (strchr(text, '\n') || (!cpus && strchr(text, '-')))
		return false;
	do {
		if (!number_range(&text, INT_MAX, &first, &last) || first < !cpus ||
		    last - first > 4096)
			return false;
		for (uint64_t n = first; n <= last; n++) {
			if (!append(list, (int)n))
				return false;
		}
	} while (*text);
	return true;
}

int target_option(void *target, const struct option_row *row, const char *value)
{
	struct target *t = target;
	bool cpus = row->letter == 'C';

	t->threads |= row->letter == 't';
	if (list_parse(value, cpus, cpus ? &t->cpus : &t->pids))
		return 0;
	return holter_error("-%c '%s': must be numbers of %s, as in %s", row->letter, value,
			    cpus		 ? "CPUs"
			    : row->letter == 't' ? "threads"
						 : "processes",
			    cpus ? "0-3,6" : "1234,1300");
}

/* A CPU that is offline has no list of PMCs. */
static bool cpu_online(int cpu)
{
	struct pmc_pmcinfo *info;

	if (pmc_pmcinfo(cpu, &info) < 0)
		return false;
	free(info);
	return true;
}

static int all_cpus(struct target *t)
{
	for (int cpu = 0; cpu < pmc_ncpu(); cpu++) {
		if (cpu_online(cpu) && !append(&t->cpus, cpu))
			return holter_error("out of memory");
	}
	return 0;
}

/* Adds the threads that a process has now. */
static int add_threads(int pid, struct target_numbers *to)
{
	char path[40];
	DIR *dir;
	struct dirent *e;
	bool good = true;
	uint64_t tid;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return holter_error("-p %d: there is no such process", pid);
	while (good && (e = readdir(dir))) {
		if (number_parse(e->d_name, NUMBER_DECIMAL, 1, INT_MAX, &tid))
			good = append(to, (int)tid);
	}
	closedir(dir);
	return good ? 0 : holter_error("out of memory");
}

/* Each thread of the processes is a part of the target. */
static int find_threads(struct target *t)
{
	struct target_numbers threads = { 0 };
	int status = 0;

	for (unsigned n = 0; n < t->pids.nr && !status; n++)
		status = add_threads(t->pids.at[n], &threads);
	free(t->pids.at);
	t->pids = threads;
	t->threads = true;
	return status;
}

int target_check(struct target *t)
{
	if (t->command && !*t->command[0])
		return holter_error("PROGRAM '': must be the name of a program");
	if (t->all)
		return all_cpus(t);
	if (t->each && !t->threads)
		return find_threads(t);
	for (unsigned n = 0; n < t->cpus.nr; n++) {
		if (!cpu_online(t->cpus.at[n]))
			return holter_error("-C: %s", pmc_error_text());
	}
	return 0;
}

/*
 * Beginning
 */

static int signals_open(struct target *t)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction now;
	sigset_t set;

	if (t->signals)
		return 0;
	sigemptyset(&set);
	for (unsigned i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&set, ending[i]);
	}
	signal(SIGCHLD, SIG_DFL); /* ignored, children would leave no status */
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &t->mask);
	t->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return t->signals < 0 ? holter_error("signalfd: %s", strerror(errno)) : 0;
}

/* Each event takes a descriptor for each thread or CPU.  The program gets the old limit. */
static void raise_limit(struct target *t)
{
	struct rlimit most;

	if (t->files.rlim_max || getrlimit(RLIMIT_NOFILE, &t->files) < 0)
		return;
	most = t->files;
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
}

static int process_open(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	/* The errno for a thread depends on the kernel. */
	if (fd < 0 && (errno == EINVAL || errno == ENOENT))
		holter_error("-p %d: is a thread: measure it with -t", pid);
	else if (fd < 0)
		holter_error("-p %d: %s", pid,
			     errno == ESRCH ? "there is no such process" : strerror(errno));
	return fd;
}

/* Linux before 6.9 has no pidfd of a thread. */
static int thread_open(pid_t tid)
{
	char dir[32];
	int fd;

	snprintf(dir, sizeof(dir), "/proc/%d", tid);
	fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		holter_error("-t %d: %s", tid,
			     errno == ENOENT ? "there is no such thread" : strerror(errno));
	return fd;
}

/* The open folder stays that of this thread, even if another thread gets its number. */
static bool thread_ended(int folder)
{
	char text[512], *state;
	int fd = openat(folder, "stat", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (len <= 0)
		return true;
	text[len] = 0;
	state = strrchr(text, ')');
	return !state || !strncmp(state, ") Z", 3) || !strncmp(state, ") X", 3);
}

static int ends_open(struct target *t)
{
	if (t->ends || !t->pids.nr)
		return 0;
	t->ends = calloc(t->pids.nr, sizeof(*t->ends));
	if (!t->ends)
		return holter_error("out of memory");
	for (unsigned i = 0; i < t->pids.nr; i++) {
		t->ends[i] = (t->threads ? thread_open : process_open)(t->pids.at[i]);
		if (t->ends[i] < 0)
			return 2;
	}
	return 0;
}

static bool is_program(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && S_ISREG(st.st_mode) && access(file, X_OK) == 0;
}

/*
 * Finds a program's file as execvp(3) does: the first that can be executed, else one that exists.
 * False: there is none, so that nothing need be started.
 */
static bool program_find(const char *name, char file[PATH_MAX])
{
	const char *path = getenv("PATH");
	char try[PATH_MAX];
	bool there = false, runs;

	snprintf(file, PATH_MAX, "%s", name);
	if (strchr(name, '/'))
		return access(name, F_OK) == 0;
	path = path ? path : "/bin:/usr/bin";
	for (size_t len;; path += len + 1) {
		len = strcspn(path, ":");
		/* (An empty entry of PATH is the current folder.) */
		snprintf(try, sizeof(try), "%.*s/%s", len ? (int)len : 1, len ? path : ".", name);
		runs = is_program(try);
		if (runs || (!there && access(try, F_OK) == 0)) {
			snprintf(file, PATH_MAX, "%s", try);
			there = true;
		}
		if (runs || !path[len])
			return there;
	}
}

bool target_has_rights(const struct target *t)
{
	char file[PATH_MAX];
	struct stat st;

	return program_find(t->command[0], file) && stat(file, &st) == 0 &&
	       (st.st_mode & (S_ISUID | S_ISGID) || access(file, R_OK) < 0 ||
		getxattr(file, "security.capability", NULL, 0) > 0);
}

static int no_program(const char *name)
{
	holter_error("%s: there is no such program%s", name,
		     strchr(name, '/') ? "" : " in the folders of PATH");
	return 127;
}

/* In the child: waits for a byte, and exits if holter ends without sending it. */
static _Noreturn void program(const struct target *t, const char *file, int go, int failed)
{
	char byte;
	int error;

	signal(SIGPIPE, SIG_DFL); /* main() ignores it */
	sigprocmask(SIG_SETMASK, &t->mask, NULL);
	if (t->files.rlim_max)
		setrlimit(RLIMIT_NOFILE, &t->files);
	if (read(go, &byte, 1) != 1)
		_exit(127);
	execvp(file, t->command);
	error = errno;
	while (write(failed, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(127);
}

static int fork_program(struct target *t, const char *file)
{
	int go[2], failed[2];

	if (pipe2(go, O_CLOEXEC) < 0)
		return holter_error("pipe: %s", strerror(errno));
	if (pipe2(failed, O_CLOEXEC) < 0) {
		close(go[0]);
		close(go[1]);
		return holter_error("pipe: %s", strerror(errno));
	}
	fflush(NULL);
	t->child = fork();
	if (t->child == 0) {
		close(go[1]);
		program(t, file, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	t->go = go[1];
	t->failed = failed[0];
	if (t->child > 0)
		return 0;
	t->child = 0;
	close(t->go);
	close(t->failed);
	return holter_error("fork: %s", strerror(errno));
}

int target_fork(struct target *t)
{
	char file[PATH_MAX];

	if (t->command && !program_find(t->command[0], file))
		return no_program(t->command[0]);
	t->status = 0;
	raise_limit(t);
	if (signals_open(t) || ends_open(t))
		return 2;
	return t->command ? fork_program(t, file) : 0;
}

/*
 * PMCs
 */

static bool of_program(const struct target *t)
{
	return !t->pids.nr && !t->cpus.nr;
}

static int allocate_cpus(const struct target *t, const char *spec, bool sampling, uint32_t flags,
			 uint64_t count, struct target_pmcs *to)
{
	for (; to->nr < t->cpus.nr; to->nr++) {
		if (pmc_allocate(spec, sampling ? PMC_MODE_SS : PMC_MODE_SC, flags,
				 t->cpus.at[to->nr], &to->id[to->nr], count) < 0)
			return -1;
	}
	return 0;
}

static int allocate_process(const struct target *t, const char *spec, bool sampling, uint32_t flags,
			    uint64_t count, struct target_pmcs *to)
{
	unsigned nr = t->each ? t->pids.nr : 1;

	flags |= (t->threads ? 0 : PMC_F_DESCENDANTS) |
		 (of_program(t) && !t->later ? PMC_F_ON_EXEC : 0);
	for (; to->nr < nr; to->nr++) {
		if (pmc_allocate(spec, sampling ? PMC_MODE_TS : PMC_MODE_TC, flags, PMC_CPU_ANY,
				 &to->id[to->nr], count) < 0)
			return -1;
	}
	return 0;
}

/* A PMC of system scope has its target already. */
static int attach(const struct target *t, const struct target_pmcs *pmcs)
{
	if (of_program(t))
		return pmc_attach(pmcs->id[0], t->child);
	for (unsigned i = 0; i < t->pids.nr; i++) {
		pmc_id_t id = pmcs->id[t->each ? i : 0];

		if ((t->threads ? pmc_attach_thread : pmc_attach)(id, t->pids.at[i]) < 0)
			return -1;
	}
	return 0;
}

static int allocate(const struct target *t, const char *spec, bool sampling, uint32_t flags,
		    uint64_t count, struct target_pmcs *to)
{
	size_t most = t->cpus.nr > t->pids.nr ? t->cpus.nr : t->pids.nr;

	to->nr = 0;
	to->id = calloc(most + 1, sizeof(*to->id));
	if (!to->id)
		return -1;
	return t->cpus.nr ? allocate_cpus(t, spec, sampling, flags, count, to)
			  : allocate_process(t, spec, sampling, flags, count, to);
}

int target_allocate(const struct target *t, const char *spec, bool sampling, uint32_t flags,
		    uint64_t count, struct target_pmcs *to)
{
	int result = allocate(t, spec, sampling, flags, count, to), error;

	if (result == 0 && !t->cpus.nr)
		result = attach(t, to);
	error = errno;
	if (result < 0)
		target_release(to);
	errno = error;
	return result;
}

/* Makes groups of the PMCs of each CPU or thread, or of the target's processes. */
static int group(const struct target *t, unsigned nr, struct target_pmcs *const *of)
{
	for (unsigned i = 0; i < of[0]->nr; i++) {
		pmc_id_t ids[TARGET_GROUP];

		for (unsigned n = 0; n < nr; n++)
			ids[n] = of[n]->id[i];
		if (pmc_group(ids, (int)nr) < 0)
			return -1;
	}
	return t->cpus.nr ? 0 : attach(t, of[0]);
}

int target_allocate_group(const struct target *t, const char *const *specs, unsigned nr,
			  struct target_pmcs *const *to, unsigned *bad)
{
	int result = 0, error;
	unsigned made = 0;

	for (*bad = 0; result == 0 && made < nr; made++) {
		*bad = made;
		result = allocate(t, specs[made], false, 0, 0, to[made]);
	}
	if (result == 0)
		*bad = nr;
	if (result == 0)
		result = group(t, nr, to);
	error = errno;
	while (result < 0 && made)
		target_release(to[--made]);
	errno = error;
	return result;
}

int target_start(const struct target_pmcs *pmcs)
{
	for (unsigned i = 0; i < pmcs->nr; i++) {
		if (pmc_start(pmcs->id[i]) < 0)
			return -1;
	}
	return 0;
}

int target_stop(const struct target_pmcs *pmcs)
{
	int result = 0;

	for (unsigned i = 0; i < pmcs->nr; i++)
		result |= pmc_stop(pmcs->id[i]);
	return result;
}

void target_release(struct target_pmcs *pmcs)
{
	while (pmcs->nr)
		pmc_release(pmcs->id[--pmcs->nr]);
	free(pmcs->id);
	pmcs->id = NULL;
}

/*
 * The run
 */

#define TICK	    500 /* milliseconds between two looks at processes */
#define TICK_THREAD 100 /* between two looks at threads, whose end causes no event */

static void reap(struct target *t, int options)
{
	int status;
	pid_t pid;

	do
		pid = waitpid(t->child, &status, options);
	while (pid < 0 && errno == EINTR);
	if (pid != t->child)
		return;
	t->child = 0;
	t->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The terminal sends ^C to the program, too; a signal sent to holter alone is forwarded. */
static void pass_signal(const struct target *t, const struct signalfd_siginfo *s)
{
	if (s->ssi_code <= 0)
		kill(t->child, (int)s->ssi_signo);
}

/* Whether a signal to end has come; t->enough keeps the last. */
static bool take_signals(struct target *t, bool pass)
{
	struct signalfd_siginfo s;
	bool any = false;

	while (read(t->signals, &s, sizeof(s)) == sizeof(s)) {
		if (s.ssi_signo == SIGCHLD)
			continue;
		any = true;
		t->enough = (int)s.ssi_signo;
		if (t->child && pass)
			pass_signal(t, &s);
	}
	return any;
}

static int not_begun(const struct target *t, int signal)
{
	holter_error("%s: did not begin: signal %d (%s)", t->command[0], signal, strsignal(signal));
	return 128 + signal;
}

/* The signal came before the program was started, as ^C between two runs. */
static int end_before(struct target *t)
{
	kill(t->child, SIGKILL);
	reap(t, 0);
	close(t->go);
	close(t->failed);
	/* (After ^C no message is needed.) */
	t->status = t->enough == SIGINT ? 128 + SIGINT : not_begun(t, t->enough);
	return t->status;
}

static double cpu_seconds(pid_t pid)
{
	struct timespec now;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &now))
		return 0;
	return now.tv_sec + now.tv_nsec / 1e9;
}

int target_exec(struct target *t)
{
	int error = 0;
	ssize_t n;

	if (!t->child)
		return 0;
	if (take_signals(t, false))
		return end_before(t);
	t->seconds_before = cpu_seconds(t->child);
	if (write(t->go, "", 1) != 1)
		error = errno;
	close(t->go);
	/* If exec succeeds, it closes the pipe: read() then returns 0. */
	do
		n = read(t->failed, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	close(t->failed);
	if (!error)
		return 0;
	reap(t, 0);
	if (error == EPIPE && t->status > 128)
		return not_begun(t, t->status - 128);
	if (error == ENOENT)
		return no_program(t->command[0]);
	holter_error("%s: cannot be executed: %s", t->command[0], strerror(error));
	return 126;
}

/* Drops processes and threads that have ended; returns whether any is left. */
static bool processes_left(struct target *t, const struct pollfd *list)
{
	bool left = false;

	for (unsigned i = 0; i < t->pids.nr; i++) {
		if (t->threads ? t->ends[i] >= 0 && thread_ended(t->ends[i]) : list[i].revents) {
			close(t->ends[i]);
			t->ends[i] = -1;
		}
		left |= t->ends[i] >= 0;
	}
	return left;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Waits once, for any event. */
static enum target_news look(struct target *t, struct pollfd *list, int milliseconds)
{
	bool program_runs = t->child != 0;

	list[0] = (struct pollfd){ .fd = t->signals, .events = POLLIN };
	for (unsigned i = 0; i < t->pids.nr; i++)
		list[i + 1] = (struct pollfd){ .fd = t->threads ? -1 : t->ends[i],
					       .events = POLLIN };
	poll(list, t->pids.nr + 1, milliseconds);
	if (take_signals(t, true) && !program_runs)
		return TARGET_STOPPED;
	if (program_runs)
		reap(t, WNOHANG);
	if (t->pids.nr && !processes_left(t, list + 1))
		return TARGET_ENDED;
	return program_runs && !t->child ? TARGET_ENDED : TARGET_TIME;
}

enum target_news target_wait(struct target *t, int milliseconds)
{
	struct pollfd *list = calloc(t->pids.nr + 1, sizeof(*list));
	int64_t end = milliseconds < 0 ? INT64_MAX : now_ms() + milliseconds, left;
	struct progress p = progress_begin("counting, until ^C; seconds");
	int64_t begin = now_ms();
	enum target_news news = TARGET_TIME;

	/* A program has the terminal for itself. */
	p.on &= !t->command;
	while (list && news == TARGET_TIME) {
		left = milliseconds < 0 ? -1 : end - now_ms();
		if (milliseconds >= 0 && left <= 0)
			break;
		if (p.on && (left < 0 || left > TICK))
			left = TICK;
		if (t->threads && (left < 0 || left > TICK_THREAD))
			left = TICK_THREAD;
		news = look(t, list, (int)left);
		progress_step(&p, (uint64_t)(now_ms() - begin) / 1000, 0);
	}
	progress_end(&p);
	free(list);
	return list ? news : TARGET_STOPPED;
}

int target_end(struct target *t)
{
	if (t->child) {
		kill(t->child, SIGTERM);
		kill(t->child, SIGCONT);
		reap(t, 0);
	}
	return t->status;
}

void target_free(struct target *t)
{
	for (unsigned i = 0; t->ends && i < t->pids.nr; i++) {
		if (t->ends[i] >= 0)
			close(t->ends[i]);
	}
	if (t->signals) {
		close(t->signals);
		sigprocmask(SIG_SETMASK, &t->mask, NULL);
	}
	free(t->ends);
	free(t->cpus.at);
	free(t->pids.at);
}
