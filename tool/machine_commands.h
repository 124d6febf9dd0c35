/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine_commands.h - the commands that want sim.
 */
#ifndef TOOL_MACHINE_COMMANDS_H
#define TOOL_MACHINE_COMMANDS_H

int cmd_run(int argc, char **argv);
int cmd_cpu(int argc, char **argv);

#endif
