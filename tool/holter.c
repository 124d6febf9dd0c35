// SPDX-License-Identifier: BSD-2-Clause
/*
 * holter.c - finds the command that was asked for.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "holter.h"

int holter_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("holter: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct command {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {
		{ "run", cmd_run },
		{ "cpu", cmd_cpu },
	};

	if (argc < 2)
		return holter_error(
			"usage: holter run [option]... [program.elf] | holter cpu [name]");
	for (unsigned n = 0; n < sizeof(commands) / sizeof(commands[0]); n++) {
		if (!strcmp(argv[1], commands[n].name))
			return commands[n].run(argc - 1, argv + 1);
	}
	return holter_error("there is no command '%s'; there are run and cpu, each with --help",
			    argv[1]);
}
