// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_data.c - the data of a profile (profile_data.h).
 */
#include <stdlib.h>

#include "profile_data.h"

void profile_data_free(struct profile_data *d)
{
	if (!d)
		return;
	free(d->pieces.at);
	free(d->sites.at);
	free(d->accesses.at);
	free(d->rows.at);
	free(d->cells.at);
	free(d->lines.at);
	free(d->trades.at);
	free(d);
}
