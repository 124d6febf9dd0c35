// SPDX-License-Identifier: BSD-2-Clause
/*
 * wake.c - wakes the helper (helper.c), which sleeps until a ring fills or its eventfd is written.
 */
#include "log.h"

void lpmc_helper_wake(void)
{
	uint64_t one = 1;

	if (lpmc.helper_wake >= 0)
		lpmc.sys->write(lpmc.helper_wake, &one, sizeof(one));
}
