/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_check.h - the command `holter check` (holter.h).
 */
#ifndef TOOL_CHECK_CMD_CHECK_H
#define TOOL_CHECK_CMD_CHECK_H

int cmd_check(int argc, char **argv);

#endif
