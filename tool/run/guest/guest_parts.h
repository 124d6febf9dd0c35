/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_parts.h - the files of which a prepared guest (guest/prepare) consists: finds them, hashes
 * them for the name of the snapshot, and joins those that Linux unpacks in one initrd.
 */
#ifndef TOOL_GUEST_PARTS_H
#define TOOL_GUEST_PARTS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* What the user chose; NULL: the guest's own. */
struct guest_choice {
	const char *folder; /* of the prepared guest; NULL: the one of this build */
	const char *firmware, *kernel;
	const char *with; /* packages of Debian, separated by commas; NULL: none */
	uint64_t memory; /* bytes of the machine */
};

struct guest_parts {
	char firmware[PATH_MAX], kernel[PATH_MAX];
	char initrd[PATH_MAX], modules[PATH_MAX];
	char packages[PATH_MAX]; /* archive of --with; "": none */
	char holter[PATH_MAX]; /* holter for the guest; "" if it was not built */
};

/* Finds the parts; makes the packages of --with.  False: after printing an error. */
bool guest_parts_find(struct guest_parts *p, const struct guest_choice *c);

/*
 * Adds the identity of each file to *sum: another or a changed file gives another hash.  False: a
 * file is gone; an error has been printed.
 */
bool guest_parts_hash(const struct guest_parts *p, uint64_t *sum);

/*
 * Joins the initrd, the modules, the packages and holter in a file that has no name.  Returns its
 * descriptor, which the caller closes, or -1 after printing an error.
 */
int guest_parts_join(const struct guest_parts *p);

#endif
