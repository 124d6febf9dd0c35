/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options_help.h - a table of options (options.h), printed.
 */
#ifndef TOOL_COMMON_OPTIONS_HELP_H
#define TOOL_COMMON_OPTIONS_HELP_H

#include <stdio.h>

#include "options.h"

/* --help: usage, what the command does, and the options by group, in 80 columns. */
void options_help(const struct options *o, FILE *to);

/* --help=options: each name and each letter on a line, TAB, then its argument or "-". */
void options_list(const struct options *o, FILE *to);

#endif
