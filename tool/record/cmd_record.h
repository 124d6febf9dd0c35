/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_record.h - the command `holter record` (holter.h).
 */
#ifndef TOOL_RECORD_CMD_RECORD_H
#define TOOL_RECORD_CMD_RECORD_H

int cmd_record(int argc, char **argv);

#endif
