/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * data_load.h - puts what an exact profile knows of data into a struct profile.  exact_load.c calls
 * it, and finds the places and processes for it.
 */
#ifndef REPORT_DATA_LOAD_H
#define REPORT_DATA_LOAD_H

#include "data_parse.h"
#include "exact_spaces.h"
#include "profile_data.h"

struct data_finder {
	void *cookie;
	/* The place of an instruction.  PROFILE_NONE: the report leaves it out. */
	uint32_t (*place)(void *cookie, const struct exact_user *user);
	uint32_t (*call)(void *cookie, const struct exact_site *site); /* the same of its call */
	struct exact_spaces *spaces;
	struct exact_files *files;
	struct {
		const char *path;
		uint32_t file; /* or EXACT_NO_FILE */
	} linked[2]; /* the files of data at fixed addresses: program, firmware */
	const char *program; /* the bare-metal program, or NULL */
};

/* Sets p->data, whose counts are of events of the file.  Notes in p if there is no memory. */
void data_load(struct profile *p, const struct exact_data *d, const struct data_finder *f);

#endif
