/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_stat.h - the command `holter stat` (holter.h).
 */
#ifndef TOOL_STAT_CMD_STAT_H
#define TOOL_STAT_CMD_STAT_H

int cmd_stat(int argc, char **argv);

#endif
