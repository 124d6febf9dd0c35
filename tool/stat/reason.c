// SPDX-License-Identifier: BSD-2-Clause
/*
 * reason.c - why an event is not counted (stat.h).
 */
#include <stdlib.h>

#include "stat.h"

static char no_memory[] = "out of memory";

void stat_forget_reason(struct stat_event *e)
{
	if (e->reason != no_memory)
		free(e->reason);
	e->reason = NULL;
}

void stat_fails(struct stat_event *e, char *reason)
{
	stat_forget_reason(e);
	e->reason = reason ? reason : no_memory;
}
