/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * captured.h - captures what a command prints on standard output, for exact comparison.
 */
#ifndef CAPTURED_H
#define CAPTURED_H

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Runs a command; NULL ends args.  Sets its exit status.  The caller frees the output. */
static inline char *captured(int (*run)(int argc, char **argv), const char *const *args,
			     int *status)
{
	int out = dup(1), argc = 0;
	FILE *to = tmpfile();
	char *argv[32], *text;
	long size;

	for (; args[argc]; argc++)
		argv[argc] = (char *)args[argc];
	argv[argc] = NULL;
	fflush(stdout);
	dup2(fileno(to), 1);
	optind = 0;
	*status = run(argc, argv);
	fflush(stdout);
	dup2(out, 1);
	close(out);
	size = lseek(fileno(to), 0, SEEK_END);
	text = calloc(1, (size_t)size + 1);
	if (pread(fileno(to), text, (size_t)size, 0) != size)
		abort();
	fclose(to);
	return text;
}

/* The same on a terminal of so many columns; the output must fit its buffer of 4,000 bytes. */
static inline char *captured_in(unsigned columns, int (*run)(int argc, char **argv),
				const char *const *args, int *status)
{
	int keys = posix_openpt(O_RDWR | O_NOCTTY), out = dup(1), tty, argc = 0;
	struct winsize size = { .ws_col = (unsigned short)columns, .ws_row = 20 };
	char *argv[32], *text = calloc(1, 4096);
	struct termios raw;

	if (keys < 0 || grantpt(keys) || unlockpt(keys) ||
	    (tty = open(ptsname(keys), O_RDWR | O_NOCTTY)) < 0)
		abort();
	tcgetattr(tty, &raw);
	cfmakeraw(&raw);
	tcsetattr(tty, TCSANOW, &raw);
	ioctl(tty, TIOCSWINSZ, &size);
	for (; args[argc]; argc++)
		argv[argc] = (char *)args[argc];
	argv[argc] = NULL;
	fflush(stdout);
	dup2(tty, 1);
	optind = 0;
	*status = run(argc, argv);
	fflush(stdout);
	dup2(out, 1);
	close(out);
	fcntl(keys, F_SETFL, O_NONBLOCK);
	for (size_t len = 0; len < 4095;) {
		ssize_t got = read(keys, text + len, 4095 - len);

		if (got <= 0)
			break;
		len += (size_t)got;
	}
	close(tty);
	close(keys);
	return text;
}

#endif
