/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * logread.h - reads back the log that the fake kernel got, with libpmc's parser.
 */
#ifndef LOGREAD_H
#define LOGREAD_H

#include "fakekernel.h"

#include <pmclog.h>

static void *log_cookie;
static struct pmclog_ev log_ev;

static inline void log_rewind(void)
{
	if (log_cookie)
		pmclog_close(log_cookie);
	log_cookie = pmclog_open(PMCLOG_FD_NONE);
	is(pmclog_feed(log_cookie, (char *)fake.log, (int)fake.log_len), 0);
}

/* Reads the next entry of a type into log_ev.  False: there is none. */
static inline bool log_find(enum pmclog_type type)
{
	while (pmclog_read(log_cookie, &log_ev) == 0) {
		if (log_ev.pl_type == type)
			return true;
	}
	return false;
}

#endif
