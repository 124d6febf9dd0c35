// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys.c - implements struct doctor_ops for the machine that holter doctor runs on.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"
#include "holter.h"
#include "slurp.h"
#include "term.h"

#define FILE_LIMIT (256u << 20) /* bytes; kernel logs and files of /proc are smaller */
#define PATIENCE   30000 /* milliseconds for one event */

static ssize_t sys_read(const struct doctor_ops *ops, const char *path, char **data)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error;
	size_t len = 0;

	(void)ops;
	if (fd < 0)
		return -1;
	*data = slurp_records(fd, FILE_LIMIT, &len, NULL);
	error = errno;
	close(fd);
	errno = error;
	return *data ? (ssize_t)len : -1;
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int sys_list(const struct doctor_ops *ops, const char *path, char ***names)
{
	struct dirent **list;
	int nr = scandir(path, &list, visible, alphasort);
	bool good;

	(void)ops;
	if (nr < 0)
		return -1;
	*names = calloc((size_t)nr + 1, sizeof(**names));
	good = *names;
	for (int i = 0; i < nr; i++) {
		good = good && ((*names)[i] = strdup(list[i]->d_name));
		free(list[i]);
	}
	free(list);
	if (good)
		return nr;
	if (*names)
		doctor_free_names(*names, nr);
	errno = ENOMEM;
	return -1;
}

static int sys_run(const struct doctor_ops *ops, const char *program, const char *arg, char *line,
		   size_t size)
{
	int out[2], status;
	ssize_t n;
	pid_t child;

	(void)ops;
	if (pipe2(out, O_CLOEXEC) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(out[1], 1);
		dup2(null, 2);
		execlp(program, program, arg, (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	n = child < 0 ? -1 : read(out[0], line, size - 1);
	close(out[0]);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -1;
	line[n < 0 ? 0 : n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		errno = WIFEXITED(status) && WEXITSTATUS(status) == 127 ? ENOENT : EIO;
		return -1;
	}
	return 0;
}

static int sys_hwprobe(const struct doctor_ops *ops, struct hwprobe *pairs, unsigned nr)
{
	(void)ops;
	return hwprobe(pairs, nr);
}

/*
 * Trials
 */

static void try_here(struct doctor_try *list, unsigned nr, int to)
{
	/* libpmc keeps its state in this child process, so the parent's state does not change. */
	for (unsigned i = 0; i < nr; i++) {
		doctor_try_event(&list[i]);
		if (write(to, &list[i], sizeof(list[i])) != sizeof(list[i]))
			_exit(1);
	}
	_exit(0);
}

/* Receives one result.  Returns false if none came. */
static bool receive(int from, struct doctor_try *t)
{
	struct pollfd wait = { .fd = from, .events = POLLIN };
	struct doctor_try got;
	size_t fill = 0;

	while (fill < sizeof(got)) {
		int ready = poll(&wait, 1, PATIENCE);
		ssize_t n;

		if (ready < 0 && errno == EINTR)
			continue;
		errno = ETIMEDOUT;
		n = ready > 0 ? read(from, (char *)&got + fill, sizeof(got) - fill) : -1;
		if (n <= 0) {
			errno = n == 0 ? EPIPE : errno;
			return false;
		}
		fill += (size_t)n;
	}
	*t = got;
	return true;
}

static void no_result(struct doctor_try *t, int error, int status)
{
	t->error = error;
	if (error == ETIMEDOUT)
		snprintf(t->text, sizeof(t->text), "no end after %d seconds", PATIENCE / 1000);
	else if (WIFSIGNALED(status))
		snprintf(t->text, sizeof(t->text), "trying it ended with signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(t->text, sizeof(t->text), "it could not be tried: %s", strerror(error));
}

/* Returns how many entries have a result.  The next entry gets the reason why it has none. */
static unsigned try_in_child(struct doctor_try *list, unsigned nr)
{
	struct progress p = progress_begin("trying events");
	int results[2], error = 0, status = 0;
	unsigned done = 0;
	pid_t child;

	if (pipe2(results, O_CLOEXEC) < 0) {
		no_result(list, errno, 0);
		return 0;
	}
	fflush(NULL);
	child = fork();
	if (child == 0)
		try_here(list, nr, results[1]);
	error = errno;
	close(results[1]);
	while (child > 0 && done < nr && receive(results[0], &list[done])) {
		progress_step(&p, ++done, nr);
		error = 0;
	}
	progress_end(&p);
	if (child > 0 && done < nr) {
		error = errno;
		kill(child, SIGKILL);
	}
	close(results[0]);
	if (child > 0)
		waitpid(child, &status, 0);
	if (done < nr)
		no_result(&list[done], error, error == ETIMEDOUT ? 0 : status);
	return done;
}

/* One child tries the whole list.  If it ends early, another child tries the rest. */
static void sys_attempt(const struct doctor_ops *ops, struct doctor_try *list, unsigned nr)
{
	(void)ops;
	while (nr) {
		unsigned done = try_in_child(list, nr);

		if (done < nr)
			done++;
		list += done;
		nr -= done;
	}
}

const struct doctor_ops *doctor_ops_linux(void)
{
	static struct utsname name;
	static struct doctor_ops ops = {
		.holter = HOLTER_VERSION,
		.commit = holter_commit,
		.machine = name.machine,
		.read = sys_read,
		.list = sys_list,
		.run = sys_run,
		.hwprobe = sys_hwprobe,
		.attempt = sys_attempt,
	};

	uname(&name);
	return &ops;
}
