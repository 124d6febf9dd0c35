/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * demangle.h - names of functions as their programmers wrote them: C++ and Rust.  Calls libiberty.
 */
#ifndef REPORT_DEMANGLE_H
#define REPORT_DEMANGLE_H

/* To be freed; NULL: it is no such name, or there is no memory, and it stays as it is. */
char *demangle(const char *name);

#endif
