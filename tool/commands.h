/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * commands.h - the commands that work through libpmc, on any Linux.
 */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

int cmd_annotate(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_stat(int argc, char **argv);

#endif
