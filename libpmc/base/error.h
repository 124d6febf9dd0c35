/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * error.h - why the last call failed: errno for programs, a text for people (error.c).
 */
#ifndef LPMC_ERROR_H
#define LPMC_ERROR_H

#include <errno.h>
#include <stdbool.h>

#define LPMC_NR(array) (sizeof(array) / sizeof((array)[0]))

/* Sets errno and the text; returns -1. */
int lpmc_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Checks a pointer that a public function was given: -1 with EFAULT if it is NULL, else 0. */
int lpmc_null(const void *pointer, const char *function);
/* Sets the text but not errno, for a call that succeeds and has something to say. */
void lpmc_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
