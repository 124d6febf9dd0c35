/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * captured.h - captures what a command prints on standard output, for exact comparison.
 */
#ifndef CAPTURED_H
#define CAPTURED_H

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
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

#endif
