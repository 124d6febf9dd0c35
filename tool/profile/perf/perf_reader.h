/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_reader.h - reads a perf.data file (of perf or of holter record; perf_data.h) into a profile.
 * The door of tool/profile/perf.
 *
 * Reading has two steps.  perf_reader_open() reads the header and indexes all records: what was
 * counted, on which machine, where the records are, and in which order they happened.
 * perf_reader_run() follows the records: processes, their mappings, samples.  Between the two, the
 * caller knows the machine, and may choose kallsyms for it and add them to the profile.
 *
 * The file may be damaged or malicious: every length is checked before it is used.
 */
#ifndef REPORT_PERF_READER_H
#define REPORT_PERF_READER_H

#include "errtext.h"
#include "profile.h"

struct perf_reader;

/*
 * A sample's copy of the program's registers, and of its stack from the stack pointer upwards (perf
 * record --call-graph dwarf).  An unwinder finds the callers from it.
 */
#define PERF_REGISTERS 64

struct perf_copy {
	uint64_t reg[PERF_REGISTERS]; /* numbered as in asm/perf_regs.h of the profile's arch */
	uint64_t mask; /* bit n: reg[n] is valid */
	const char *stack; /* not aligned */
	size_t stack_len;
	const struct perf_space *space; /* of the process */
	uint32_t space_number, changes; /* number of the space; how often its mappings changed */
};

/* Finds the mapping at an address of the process.  False: nothing is mapped there. */
struct perf_mapped {
	uint64_t start, pgoff;
	uint32_t object; /* index in the profile */
};
bool perf_copy_mapped(const struct perf_copy *c, uint64_t addr, struct perf_mapped *m);

/*
 * An unwinder.  unwind() writes the addresses of at most max frames, innermost first: the program
 * counter, then the return addresses.  Returns the number of frames; 0: it found none.
 */
struct perf_unwinder {
	size_t (*unwind)(void *cookie, const struct perf_copy *c, uint64_t *ips, size_t max);
	void *cookie;
};

/* Whether data begins like a perf.data file, of either byte order. */
bool perf_reader_knows(const void *data, size_t len);

/*
 * Opens the file at data for p, an empty profile.  data must stay valid until perf_reader_close().
 * Sets events, hostname, release, arch, command and kernel_symbol of p.  NULL: an error, see *why.
 */
struct perf_reader *perf_reader_open(struct profile *p, const void *data, size_t len,
				     struct error_text *why);

/* The build id of the kernel that was sampled, with its size in *size; NULL: not in the file. */
const uint8_t *perf_reader_kernel_id(const struct perf_reader *r, size_t *size);

/*
 * Reads the jitdump file that a process of the recorded machine has mapped by this path.  NULL: it
 * is not here.  The reader frees it.
 */
struct perf_jitdumps {
	char *(*read)(void *cookie, const char *path, size_t *len);
	void *cookie;
};

/* Code that programs generated gets the names in their jitdump files.  NULL: none are read. */
void perf_reader_jitdumps(struct perf_reader *r, const struct perf_jitdumps *from);

/*
 * Adds the samples to the profile.  Call it once.  unwinder: NULL ignores the copies of stacks.
 * False: an error, see *why; the profile is then of no use.
 */
bool perf_reader_run(struct perf_reader *r, const struct perf_unwinder *unwinder,
		     struct error_text *why);

void perf_reader_close(struct perf_reader *r); /* NULL is fine */

#endif
