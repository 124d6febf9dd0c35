// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_write.c - all of something is written: by short writes, after signals, and to a pipe that is
 * full for a while.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "write.h"

/* What write(2) answers, one after the other: bytes, or a negative errno; then all bytes. */
static int answers[8];
static size_t at, nr, written;
static char got[64];

ssize_t __wrap_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len)
{
	int answer = at < nr ? answers[at++] : (int)len;

	(void)fd;
	if (answer < 0) {
		errno = -answer;
		return -1;
	}
	memcpy(got + written, data, (size_t)answer);
	written += (size_t)answer;
	return answer;
}

int __wrap_poll(void *list, unsigned long count, int timeout);
int __wrap_poll(void *list, unsigned long count, int timeout)
{
	(void)list;
	ok(count == 1 && timeout == -1);
	return 1;
}

static bool write_with(const int *list, size_t count)
{
	for (size_t n = 0; n < count; n++)
		answers[n] = list[n];
	at = written = 0;
	nr = count;
	return write_all(1, "all of it", 9);
}

static void whole(void)
{
	static const int parts[] = { 1, -EINTR, 3, -EAGAIN, 2 };

	ok(write_with(NULL, 0));
	is(written, 9);
	ok(write_with(parts, 5));
	is(at, 5);
	is(written, 9);
	ok(!memcmp(got, "all of it", 9));
	ok(write_all(1, NULL, 0));
}

static void fails(void)
{
	static const int full[] = { 4, -ENOSPC }, nothing[] = { 4, 0 };

	ok(!write_with(full, 2));
	is(errno, ENOSPC);
	is(written, 4);
	ok(!write_with(nothing, 2));
	is(errno, EIO);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "short writes, signals, a full pipe", whole },
		{ "a full disk, and a file that takes nothing", fails },
	};

	return tap_run(cases, TAP_NR(cases));
}
