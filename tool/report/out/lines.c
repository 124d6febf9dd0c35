// SPDX-License-Identifier: BSD-2-Clause
/*
 * lines.c - where each function is in the source, for formats that tell it (out.h).
 */
#include <stdlib.h>

#include "out.h"
#include "report.h"

bool report_first_lines(const struct report *r, struct report_line **lines)
{
	*lines = calloc(r->functions.nr + 1, sizeof(**lines));
	if (!*lines)
		return false;
	for (size_t i = 0; i < r->functions.nr; i++)
		(*lines)[i].file = PROFILE_NONE;
	for (size_t i = 0; i < r->frames.nr; i++) {
		const struct report_frame *f = &r->frames.at[i];
		struct report_line *l = &(*lines)[f->function];

		if (f->file == PROFILE_NONE)
			continue;
		if (l->file == PROFILE_NONE || (l->file == f->file && f->line < l->line))
			*l = (struct report_line){ f->file, f->line };
	}
	return true;
}
