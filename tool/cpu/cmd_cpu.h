/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_cpu.h - the command `holter cpu` (holter.h).
 */
#ifndef TOOL_CPU_CMD_CPU_H
#define TOOL_CPU_CMD_CPU_H

int cmd_cpu(int argc, char **argv);

#endif
