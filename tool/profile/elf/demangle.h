/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * demangle.h - turns mangled names of C++ and Rust functions into readable ones.  Calls libiberty.
 */
#ifndef REPORT_DEMANGLE_H
#define REPORT_DEMANGLE_H

/* Returns a new string, which the caller frees.  NULL: name is not mangled, or no memory. */
char *demangle(const char *name);

#endif
