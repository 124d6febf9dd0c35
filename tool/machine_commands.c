// SPDX-License-Identifier: BSD-2-Clause
/*
 * machine_commands.c - the list of commands that need the emulator (holter.h).
 */
#include "cmd_check.h"
#include "cmd_cpu.h"
#include "cmd_run.h"
#include "cmd_sweep.h"
#include "holter.h"

const struct holter_command holter_machine_commands[] = {
	{ "run", cmd_run, "runs firmware, Linux, a command in it, or a bare-metal program" },
	{ "sweep", cmd_sweep, "runs a command on many machines, and compares what it costs there" },
	{ "check", cmd_check, "fails if a command has more events than its baseline allows" },
	{ "cpu", cmd_cpu, "shows the CPUs that there are, and what each counts" },
	{ 0 },
};
