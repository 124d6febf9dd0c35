/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * group.h - the groups of tests, one or two a file of this folder, and what these files share.
 */
#ifndef GROUP_H
#define GROUP_H

#include "test.h"

extern const struct group group_base, group_info, group_config, group_event, group_start,
	group_stop, group_fwread, group_fwevent, group_snapshot, group_evinfo, group_overflow,
	group_smp, group_sbi, group_memory, group_delegated, group_storm;

/* Sets that must be refused by config, start and stop. */
struct bad_set {
	const char *name;
	rv_ulong base, mask;
};
unsigned bad_sets(struct bad_set *s, unsigned max); /* how many it wrote */

/*
 * Calls try for each index below num_counters that get_info refuses, for example that of the time
 * CSR.  The rest of the test is skipped if there is none.
 */
void each_hole(void (*try)(unsigned ctr));

/* Takes the last counter.  False: a set cannot name it and the next index; the rest is skipped. */
bool fw_take_last(unsigned *ctr);

#endif
