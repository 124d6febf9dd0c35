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
	doctor_try_all(d, given, nr);
	doctor_judge(d);
}

void doctor_free(struct doctor *d)
{
	for (unsigned i = 0; i < d->nr_facts; i++)
		free(d->facts[i].value);
	for (unsigned i = 0; i < DOCTOR_ROWS; i++) {
		free(d->rows[i].text);
		free(d->rows[i].tries);
	}
	for (unsigned i = 0; i < d->nr_findings; i++) {
		free(d->findings[i].text);
		free(d->findings[i].advice);
	}
	free(d->facts);
	free(d->findings);
	free(d->kernel_log);
	*d = (struct doctor){ 0 };
}
