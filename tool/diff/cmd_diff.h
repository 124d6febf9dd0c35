/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_diff.h - the command `holter diff` (holter.h).
 */
#ifndef TOOL_DIFF_CMD_DIFF_H
#define TOOL_DIFF_CMD_DIFF_H

int cmd_diff(int argc, char **argv);

#endif
