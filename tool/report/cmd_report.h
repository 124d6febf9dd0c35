/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_report.h - the command `holter report` (holter.h).
 */
#ifndef TOOL_REPORT_CMD_REPORT_H
#define TOOL_REPORT_CMD_REPORT_H

int cmd_report(int argc, char **argv);

#endif
