/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_kept.h - keeps what was read from an exact profile in the cache folder (cache.h), so that
 * the next report of the same profile need not read it again.
 *
 * A kept file is of use only for the same profile, byte for byte, the same options, the same build
 * of holter, and if all files that were looked at for code are as they were.  Its checksums must
 * match, and every number of it is checked before it is used.  Otherwise it is ignored, and
 * replaced.  It is written under another name and renamed when it is whole.
 */
#ifndef REPORT_EXACT_KEPT_H
#define REPORT_EXACT_KEPT_H

#include "exact_merge.h"
#include "profile.h"

struct exact_kept_key {
	uint64_t content, size; /* checksum of the profile, and its bytes */
	uint64_t files; /* the stamp of the files that were looked at */
	uint64_t objects; /* number of objects from its kallsyms */
	bool all;
};

struct exact_kept { /* all zero: nothing */
	const uint8_t *memory; /* the file, mapped: its size bytes; the columns of m are in it */
	size_t size;
	struct profile *names; /* and notes and slices, for the report's profile */
};

/*
 * Finds what is kept, for a profile p that has only the objects of its kallsyms.  Fills m, which
 * is empty.  summary: a summary is enough (exact_summary.h), if there is one.  False: nothing that
 * is of use; m is then only to be freed.  The caller frees k, after m, in any case.
 */
bool exact_kept_read(struct exact_kept *k, const struct exact_kept_key *key, bool summary,
		     struct exact_merged *m, const struct profile *p);

/*
 * Whether the columns of the chosen events, of which there are nr, are as they were written.  m is
 * what exact_kept_read() has filled.
 */
bool exact_kept_has_columns(const struct exact_kept *k, const struct exact_merged *m,
			    const uint8_t *chosen, size_t nr);

/* Adds the names, notes and slices to p, which then also owns the memory of the columns. */
void exact_kept_give(struct exact_kept *k, struct profile *p);

void exact_kept_free(struct exact_kept *k);

/*
 * Keeps m, its summary (NULL: there is none), and the names, notes and slices of p.  If that is not
 * possible, does nothing.
 */
void exact_kept_write(const struct exact_kept_key *key, const struct exact_merged *m,
		      const struct exact_merged *summary, const struct profile *p);

#endif
