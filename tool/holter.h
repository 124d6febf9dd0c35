/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * holter.h - what the commands of holter share.
 */
#ifndef TOOL_HOLTER_H
#define TOOL_HOLTER_H

/* Prints "holter: " and one line, and returns 2, the exit status for bad input. */
__attribute__((format(printf, 1, 2))) int holter_error(const char *format, ...);

int cmd_run(int argc, char **argv);
int cmd_cpu(int argc, char **argv);

#endif
