/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_reader.h - reads a perf.data (perf's or holter record's, ../perf_data.h) into a profile.
 *
 * In two steps.  Opening looks at the whole file: what was counted, on which machine, where the
 * records are and in which order they happened.  Running follows the records: processes, what they
 * map, samples.  In between, the caller may add kallsyms to the profile, which it can choose by what
 * is then known of the machine.
 *
 * The file may be damaged or made to do harm: every length is checked before it is believed.
 */
#ifndef REPORT_PERF_READER_H
#define REPORT_PERF_READER_H

#include "profile.h"

struct perf_why {
	char text[256]; /* what is wrong with the file, and what to do; one line without its name */
};

struct perf_reader;

/*
 * What a sample has copied of its program for others to find the callers (perf record --call-graph
 * dwarf): registers, and the stack from its pointer on.
 */
#define PERF_REGISTERS 64

struct perf_copy {
	uint64_t reg[PERF_REGISTERS]; /* by asm/perf_regs.h of the profile's arch */
	uint64_t mask; /* which of them there are */
	const char *stack; /* not aligned */
	size_t stack_len;
	const struct perf_space *space; /* of the process, and how often it has changed */
	uint32_t space_number, changes;
};

/* What is mapped at an address of the process.  False: nothing is. */
struct perf_mapped {
	uint64_t start, pgoff;
	uint32_t object; /* of the profile */
};
bool perf_copy_mapped(const struct perf_copy *c, uint64_t addr, struct perf_mapped *m);

/*
 * Who finds the callers: writes the addresses of at most max frames, innermost first, the one of the
 * program counter included; of the others, where they go on.  Returns how many; 0: it cannot.
 */
struct perf_unwinder {
	size_t (*unwind)(void *cookie, const struct perf_copy *c, uint64_t *ips, size_t max);
	void *cookie;
};

/* Whether this is the beginning of such a file. */
bool perf_reader_knows(const void *data, size_t len);

/*
 * Opens what is at data, which must stay there until it is closed, for an empty profile.  Sets its
 * events, hostname, release, arch, command and kernel_symbol.  NULL: why says it.
 */
struct perf_reader *perf_reader_open(struct profile *p, const void *data, size_t len,
				     struct perf_why *why);

/* The build id of the kernel that was sampled, its size at *size; NULL: the file does not say. */
const uint8_t *perf_reader_kernel_id(const struct perf_reader *r, size_t *size);

/*
 * Adds the samples to the profile, once.  unwinder: NULL, if copies of stacks are to stay as they are.
 * False: why says it, and the profile is of no use.
 */
bool perf_reader_run(struct perf_reader *r, const struct perf_unwinder *unwinder,
		     struct perf_why *why);

void perf_reader_close(struct perf_reader *r); /* NULL is fine */

#endif
