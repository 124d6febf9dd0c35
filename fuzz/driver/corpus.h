/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * corpus.h - the corpus of a fuzz target: the inputs that it starts with, in memory.
 */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include <stdint.h>
#include <stddef.h>

struct corpus_input {
	char name[256]; /* FILE, or ARCHIVE:MEMBER */
	uint8_t *data;
	size_t size;
};

struct corpus {
	struct corpus_input *at;
	size_t nr;
};

/*
 * Adds a file, all files of a directory, or all members of an archive (a path that ends in ".tar",
 * written by fuzz/pack).  Returns the number of inputs, or -1 after printing a TAP comment.
 */
int corpus_add(struct corpus *c, const char *path);

void corpus_free(struct corpus *c);

#endif
