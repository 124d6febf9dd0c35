/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_run.h - the command `holter run` (holter.h).
 */
#ifndef TOOL_RUN_CMD_RUN_H
#define TOOL_RUN_CMD_RUN_H

int cmd_run(int argc, char **argv);

#endif
