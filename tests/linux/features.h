/* SPDX-License-Identifier: BSD-2-Clause */
/* features.h - what features.c and features_cfi.c share. */
#ifndef FEATURES_H
#define FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE 4096ul

extern int bad; /* a check has failed */
void check(bool ok, const char *what);
void die(const char *what);

/* A new page, at this address if that is possible or if a flag of mmap says so. */
void *map(uintptr_t at, int flags);

/* Calls fn in a child: its exit status, or 256 + the signal that has ended it. */
int in_child(int (*fn)(void *), void *arg);

/* features_cfi.c: what features.c calls by these names; each returns an exit status. */
int cfi_stack(void);
int cfi_kept(void);
int cfi_bare(void);
int cfi_mapped(void);
int cfi_pads(void);
/* System calls, which return -1 and errno. */
int cfi_stack_on(void);
int cfi_pads_on(void);
long cfi_map_stack(unsigned long bytes);

#endif
