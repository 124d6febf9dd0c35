// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_slurp.c - whole files read into memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "slurp.h"
#include "tap.h"

#define SIZE 100000

static char folder[] = "/tmp/slurp.XXXXXX", path[64];

static char byte(size_t n)
{
	return (char)(n * 7 + (n >> 8));
}

static void make_file(void)
{
	FILE *f = fopen(path, "w");

	for (size_t n = 0; n < SIZE; n++)
		fputc(byte(n), f);
	fclose(f);
}

static void whole(void)
{
	struct error_text why = { "" };
	size_t len = 0, wrong = 0;
	char *text = slurp_file(path, SIZE, &len, &why);

	ok(text != NULL);
	is(len, SIZE);
	for (size_t n = 0; text && n < len; n++)
		wrong += text[n] != byte(n);
	is(wrong, 0);
	is(text ? text[len] : -1, 0);
	is_str(why.text, "");
	free(text);
	text = slurp_file("/dev/null", 0, &len, NULL);
	ok(text && len == 0 && *text == '\0');
	free(text);
	text = slurp_file("/proc/self/status", 1 << 20, &len, NULL); /* stat says 0 bytes */
	ok(text && len > 100);
	free(text);
}

static void refused(void)
{
	struct error_text why = { "" };
	char want[128];
	size_t len;

	errno = 0;
	ok(!slurp_file(path, SIZE - 1, &len, &why));
	is(errno, EFBIG);
	snprintf(want, sizeof(want), "%s: has more than 99999 bytes", path);
	is_str(why.text, want);
	errno = 0;
	ok(!slurp_file("/nowhere/at/all", SIZE, &len, &why));
	is(errno, ENOENT);
	is_str(why.text, "/nowhere/at/all: No such file or directory");
	errno = 0;
	ok(!slurp_file(folder, SIZE, &len, &why));
	is(errno, EISDIR);
	errno = 0;
	ok(!slurp_file("/dev/zero", SIZE, &len, NULL)); /* it has no end */
	is(errno, EFBIG);
}

/* What a non-blocking pipe holds now; and the rest of a file. */
static void from_descriptors(void)
{
	int end[2], fd = open(path, O_RDONLY);
	size_t len = 0;
	char *text;

	ok(!pipe2(end, O_NONBLOCK));
	is(write(end[1], "now", 3), 3);
	text = slurp_records(end[0], SIZE, &len, NULL);
	is_str(text, "now");
	free(text);
	errno = 0;
	ok(!slurp_fd(end[0], SIZE, &len, NULL)); /* slurp_fd() needs the end of the file */
	is(errno, EAGAIN);
	close(end[0]);
	close(end[1]);
	lseek(fd, SIZE - 10, SEEK_SET);
	text = slurp_fd(fd, 10, &len, NULL);
	is(len, 10);
	is(text ? text[0] : 0, byte(SIZE - 10));
	free(text);
	is(lseek(fd, 0, SEEK_CUR), SIZE); /* it is still open */
	close(fd);
}

/* In records(), read(2) fails `fails` times, then returns a record, and so on. */
static struct {
	unsigned fails, left, records, calls;
	int error;
} made;

ssize_t __real_read(int fd, void *to, size_t size);
ssize_t __wrap_read(int fd, void *to, size_t size);

ssize_t __wrap_read(int fd, void *to, size_t size)
{
	if (fd >= 0)
		return __real_read(fd, to, size);
	if (++made.calls > 1000)
		exit(1); /* an endless loop */
	if (made.left) {
		made.left--;
		errno = made.error;
		return -1;
	}
	if (!made.records) {
		errno = EAGAIN;
		return -1;
	}
	made.left = made.fails;
	made.records--;
	memcpy(to, "record\n", 7);
	return 7;
}

static void records(void)
{
	struct error_text why = { "" };
	size_t len = 0;
	char *text;

	made = (typeof(made)){ .fails = 60, .left = 60, .records = 3, .error = EPIPE };
	text = slurp_records(-1, SIZE, &len, &why);
	is_str(text, "record\nrecord\nrecord\n");
	is(made.calls, 4 * 60 + 3 + 1);
	free(text);
	made = (typeof(made)){ .left = 1000, .error = EPIPE };
	ok(!slurp_records(-1, SIZE, &len, &why));
	is(errno, EPIPE);
	is_str(why.text, "Broken pipe");
	made = (typeof(made)){ .left = 1, .records = 1, .error = EPIPE };
	ok(!slurp_fd(-1, SIZE, &len, NULL)); /* slurp_fd() expects no records */
	is(errno, EPIPE);
	made = (typeof(made)){ .left = 500, .error = EINTR };
	text = slurp_records(-1, SIZE, &len, NULL);
	is_str(text, "");
	free(text);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a file, an empty file, a file of /proc", whole },
		{ "errno and error text of a file that cannot be read or is too long", refused },
		{ "a non-blocking pipe, the rest of a file", from_descriptors },
		{ "records, of which some or all are overwritten", records },
	};
	int status;

	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/file", folder);
	make_file();
	status = tap_run(cases, TAP_NR(cases));
	unlink(path);
	rmdir(folder);
	return status;
}
