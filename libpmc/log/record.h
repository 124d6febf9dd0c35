/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.h - reads the rings that the kernel writes (ring.c), and parses records (record.c).  Pure.
 */
#ifndef LPMC_RECORD_H
#define LPMC_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "perf.h"

struct lpmc_ring {
	const uint8_t *data;
	uint64_t size; /* a power of 2 */
	uint64_t head, tail; /* lpmc_ring_next() moves tail; tail <= head */
};

#define LPMC_RECORD_MAX 65536

/*
 * Copies the next record.  Returns its size; 0 if there is none; -1 if the ring is damaged, and
 * then skips everything in it.
 */
int lpmc_ring_next(struct lpmc_ring *r, void *buf, size_t size);

/* A parsed record of the kernel.  The pointers point into the record's bytes. */
struct lpmc_record {
	uint32_t type, misc;
	uint32_t pid, tid, ppid, ptid, cpu;
	uint64_t time;
	uint64_t ip, addr, offset, lost, value;
	uint32_t prot;
	const uint64_t *chain;
	uint32_t nr_chain;
	const char *name; /* ends in a NUL */
};

/* Parses a record.  -1: its fields and its size do not match. */
int lpmc_record_parse(const void *data, size_t size, enum lpmc_layout layout,
		      struct lpmc_record *out);

#endif
