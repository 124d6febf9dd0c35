// SPDX-License-Identifier: BSD-2-Clause
/*
 * slurp.c - reads whole files.  It does not use the size from stat(2): that is 0 for files in
 * /proc, and other files may grow.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slurp.h"
#include "vec.h"

#define STEP	    (1 << 14)
#define OVERWRITTEN 100 /* EPIPE so many times in a row is an error */

struct text {
	char *at;
	size_t nr, size;
	bool records; /* EAGAIN is the end, EPIPE is not an error */
	unsigned overwritten; /* EPIPE in a row */
};

/* Calls read(2) once, for at most `step` bytes.  False: the file has ended, or *error is set. */
static bool read_some(int fd, struct text *t, size_t step, int *error)
{
	ssize_t got = read(fd, t->at + t->nr, step);

	if (got >= 0) {
		t->nr += (size_t)got;
		t->overwritten = 0;
		return got > 0;
	}
	if (errno == EINTR)
		return true;
	if (t->records && errno == EPIPE && ++t->overwritten < OVERWRITTEN)
		return true;
	if (!t->records || errno != EAGAIN)
		*error = errno;
	return false;
}

static char *read_all(int fd, bool records, size_t max, size_t *len, struct error_text *why)
{
	struct text t = { .records = records };
	int error = 0;

	do {
		if (!VEC_ROOM(&t, STEP))
			error = ENOMEM;
	} while (!error && read_some(fd, &t, t.size - t.nr - 1, &error) && t.nr <= max);
	if (!error && t.nr > max)
		error = EFBIG;
	if (!error) {
		t.at[t.nr] = '\0';
		*len = t.nr;
		return t.at;
	}
	free(t.at);
	if (error == EFBIG)
		error_set(why, "has more than %zu bytes", max);
	else
		error_set(why, "%s", error == ENOMEM ? "out of memory" : strerror(error));
	errno = error;
	return NULL;
}

char *slurp_fd(int fd, size_t max, size_t *len, struct error_text *why)
{
	return read_all(fd, false, max, len, why);
}

char *slurp_records(int fd, size_t max, size_t *len, struct error_text *why)
{
	return read_all(fd, true, max, len, why);
}

char *slurp_file(const char *path, size_t max, size_t *len, struct error_text *why)
{
	struct error_text reason;
	char *text;
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;

	if (fd < 0) {
		error = errno;
		error_set(why, "%s: %s", path, strerror(error));
		errno = error;
		return NULL;
	}
	text = slurp_fd(fd, max, len, &reason);
	error = errno;
	close(fd);
	if (!text)
		error_set(why, "%s: %s", path, reason.text);
	errno = error;
	return text;
}
