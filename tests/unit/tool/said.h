/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * said.h - the holter_error() of the unit tests: it keeps the error line instead of printing it.
 */
#ifndef SAID_H
#define SAID_H

#include <stdbool.h>

extern char said[512];

/* True if the last line contains these words.  Clears the line. */
bool has_said(const char *words);

/* The same; false also if there was another line since the last call. */
bool has_said_only(const char *words);

/* Checks that a call returns this status and that its error line contains these words. */
#define says(call, status, words) (is(call, status), ok(has_said(words)))

#endif
