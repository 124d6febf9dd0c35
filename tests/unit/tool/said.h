/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * said.h - what holter would have printed: holter_error() of the unit tests keeps its line.
 */
#ifndef SAID_H
#define SAID_H

#include <stdbool.h>

extern char said[512];

/* Whether the last line has these words; forgets it. */
bool has_said(const char *words);

#endif
