// SPDX-License-Identifier: BSD-2-Clause
/*
 * no_machine.c - replaces machine_commands.c, and what dist/commit makes, if holter is built
 * without the emulator.
 */
#include <stddef.h>

#include "holter.h"

static int absent(int argc, char **argv)
{
	return holter_error("this build of holter has no machine: 'holter %s' is a command of the "
			    "build for the host",
			    argv[0]);
}

const char holter_commit[] = "unknown";

const struct holter_command holter_machine_commands[] = {
	{ "run", absent, NULL },
	{ "sweep", absent, NULL },
	{ "check", absent, NULL },
	{ "cpu", absent, NULL },
	{ 0 },
};
