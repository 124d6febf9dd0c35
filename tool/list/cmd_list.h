/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_list.h - the command holter list (holter.h).
 */
#ifndef TOOL_LIST_CMD_LIST_H
#define TOOL_LIST_CMD_LIST_H

int cmd_list(int argc, char **argv);

#endif
