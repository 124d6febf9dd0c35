/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_choose.h - chooses the events of an exact profile that a report shows.
 */
#ifndef EXACT_CHOOSE_H
#define EXACT_CHOOSE_H

#include <stdint.h>

#include "exact_parse.h"
#include "profile.h"

/*
 * Adds to p the events that happened and match the list (patterns with commas between them; NULL:
 * the default).  Sums of events, and events that never happened, must be named in full.  The order
 * is that of the file.  total: of each event of the file.  Returns, for each event of p and each
 * of the file, whether it is a part of it: [event of p * head->events + event of the file], which
 * the caller frees.  NULL: no memory.
 */
uint8_t *exact_choose(struct profile *p, const struct exact_head *head, const char *list,
		      const uint64_t *total);

#endif
