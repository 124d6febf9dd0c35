// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor.c - runs the steps of a diagnosis (doctor.h).
 */
#include <stdlib.h>

#include "doctor.h"

void doctor_examine(struct doctor *d, const struct doctor_ops *ops, char *const *given, int nr)
{
	*d = (struct doctor){ .ops = ops };
	doctor_read_facts(d);
	if (!d->no_memory)
		doctor_try_all(d, given, nr);
	if (!d->no_memory)
		doctor_judge(d);
}

void doctor_free(struct doctor *d)
{
	for (unsigned i = 0; i < d->facts.nr; i++)
		free(d->facts.at[i].value);
	for (unsigned i = 0; i < DOCTOR_ROWS; i++) {
		free(d->rows[i].text);
		free(d->rows[i].tries.at);
	}
	for (unsigned i = 0; i < d->findings.nr; i++)
		free(d->findings.at[i].text);
	free(d->facts.at);
	free(d->findings.at);
	free(d->kernel_log);
	*d = (struct doctor){ 0 };
}
