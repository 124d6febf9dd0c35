/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * corpus.c - reads corpora: files, directories and the archives that fuzz/pack writes (ustar).
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "corpus.h"
#include "slurp.h"

enum { TAR_BLOCK = 512, TAR_NAME = 100, TAR_SIZE_AT = 124, TAR_SIZE = 12, TAR_TYPE_AT = 156 };

static void add(struct corpus *c, const char *path, const char *member, const uint8_t *data,
		size_t size)
{
	struct corpus_input *in;

	c->at = realloc(c->at, (c->nr + 1) * sizeof(*c->at));
	if (!c->at)
		abort();
	in = &c->at[c->nr++];
	snprintf(in->name, sizeof(in->name), "%s%s%s", path, *member ? ":" : "", member);
	in->data = malloc(size ? size : 1);
	if (!in->data)
		abort();
	memcpy(in->data, data, size);
	in->size = size;
}

static int refuse(const char *path, const char *why)
{
	printf("# %s: %s\n", path, why);
	return -1;
}

/* Adds the members of an archive.  A block of zeros ends an archive. */
static int add_members(struct corpus *c, const char *path, const uint8_t *tar, size_t size)
{
	int nr = 0;

	for (size_t at = 0; at + TAR_BLOCK <= size && tar[at];) {
		char name[TAR_NAME + 1] = "", number[TAR_SIZE + 1] = "";
		size_t len;

		memcpy(name, tar + at, TAR_NAME);
		memcpy(number, tar + at + TAR_SIZE_AT, TAR_SIZE);
		len = strtoul(number, NULL, 8);
		if (tar[at + TAR_TYPE_AT] != '0' || len > size - at - TAR_BLOCK)
			return refuse(path, "not an archive of plain files (fuzz/pack writes one)");
		add(c, path, name, tar + at + TAR_BLOCK, len);
		at += TAR_BLOCK + (len + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
		nr++;
	}
	return nr ? nr : refuse(path, "no inputs");
}

static int add_file(struct corpus *c, const char *path)
{
	const char *end = strrchr(path, '.');
	size_t size = 0;
	char *data = slurp_file(path, SIZE_MAX, &size, NULL);
	int nr = 1;

	if (!data)
		return refuse(path, strerror(errno));
	if (end && !strcmp(end, ".tar"))
		nr = add_members(c, path, (const uint8_t *)data, size);
	else
		add(c, path, "", (const uint8_t *)data, size);
	free(data);
	return nr;
}

int corpus_add(struct corpus *c, const char *path)
{
	struct dirent **names;
	struct stat st;
	int nr, done = 0;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return add_file(c, path);
	nr = scandir(path, &names, NULL, alphasort);
	for (int i = 0; i < nr; i++) {
		char name[4096];

		snprintf(name, sizeof(name), "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.' && done >= 0)
			done = add_file(c, name) < 0 ? -1 : done + 1;
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	return done ? done : refuse(path, "no inputs");
}

void corpus_free(struct corpus *c)
{
	for (size_t n = 0; n < c->nr; n++)
		free(c->at[n].data);
	free(c->at);
}
