// SPDX-License-Identifier: BSD-2-Clause
/*
 * machine_commands.c - the list of commands that run the machine (holter.h).
 */
#include "holter.h"
#include "machine_commands.h"

const struct holter_command holter_machine_commands[] = {
	{ "run", cmd_run, "runs firmware, Linux, a command in it, or a bare-metal program" },
	{ "cpu", cmd_cpu, "shows the CPUs that there are, and what each counts" },
	{ 0 },
};
