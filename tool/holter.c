// SPDX-License-Identifier: BSD-2-Clause
/*
 * holter.c - finds the command that was asked for.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/*
 * Descriptors 0 to 2 are there, so that no file that is opened gets one of them and is taken for
 * the console; and a reader that goes away is an error of writing, not a death.
 */
static void open_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_WRONLY : O_RDONLY) != fd)
			_exit(2);
	}
	signal(SIGPIPE, SIG_IGN);
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

	open_standard();
	if (argc < 2)
		return holter_error(
			"usage: holter run [option]... [program.elf] | holter cpu [name]");
	for (unsigned n = 0; n < sizeof(commands) / sizeof(commands[0]); n++) {
		if (!strcmp(argv[1], commands[n].name))
			return commands[n].run(argc - 1, argv + 1);
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		printf("usage: holter run [option]... [program.elf] | holter cpu [name]\n"
		       "Each says with --help what it takes.\n");
		return 0;
	}
	return holter_error("there is no command '%s'; there are run and cpu, each with --help",
			    argv[1]);
}
