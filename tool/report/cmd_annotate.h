/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_annotate.h - the command `holter annotate` (holter.h).
 */
#ifndef TOOL_REPORT_CMD_ANNOTATE_H
#define TOOL_REPORT_CMD_ANNOTATE_H

int cmd_annotate(int argc, char **argv);

#endif
