/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9_fid.c - fids, the guest's handles of files.
 *
 * A fid is a path.  So it needs no descriptor until it is opened, and a snapshot can hold it.  When
 * the guest renames a directory, the paths of all fids below it change.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "p9.h"

static struct p9_fid **bucket_of(struct p9 *s, uint32_t id)
{
	return &s->bucket[(id ^ id >> 9) % P9_BUCKETS];
}

struct p9_fid *p9_fid_find(struct p9 *s, uint32_t id)
{
	struct p9_fid *fid = *bucket_of(s, id);

	while (fid && fid->id != id)
		fid = fid->next;
	return fid;
}

int p9_fid_new(struct p9 *s, uint32_t id, const char *path, struct p9_fid **found)
{
	struct p9_fid *fid;

	if (id == P9_NONE || p9_fid_find(s, id))
		return -EBADF;
	if (s->fids >= P9_FIDS_MAX)
		return -ENFILE;
	fid = calloc(1, sizeof(*fid));
	if (!fid)
		return -ENOMEM;
	fid->path = strdup(path);
	if (!fid->path) {
		free(fid);
		return -ENOMEM;
	}
	fid->id = id;
	fid->fd = -1;
	fid->next = *bucket_of(s, id);
	*bucket_of(s, id) = fid;
	s->fids++;
	*found = fid;
	return 0;
}

int p9_fid_set_path(struct p9_fid *fid, const char *path)
{
	char *copy = strdup(path);

	if (!copy)
		return -ENOMEM;
	free(fid->path);
	fid->path = copy;
	return 0;
}

void p9_fid_drop(struct p9 *s, uint32_t id)
{
	struct p9_fid **link = bucket_of(s, id), *fid;

	while (*link && (*link)->id != id)
		link = &(*link)->next;
	fid = *link;
	if (!fid)
		return;
	*link = fid->next;
	if (fid->fd >= 0)
		close(fid->fd);
	s->open -= fid->opened;
	s->fids--;
	free(fid->path);
	free(fid);
}

void p9_fid_drop_all(struct p9 *s)
{
	for (unsigned i = 0; i < P9_BUCKETS; i++)
		while (s->bucket[i])
			p9_fid_drop(s, s->bucket[i]->id);
}

void p9_fid_opened(struct p9 *s, struct p9_fid *fid, int fd, uint32_t flags, bool dir)
{
	fid->fd = fd;
	fid->flags = flags;
	fid->dir = dir;
	fid->opened = true;
	s->open++;
}

/* If path is at or below prefix, returns the rest of path after prefix; NULL otherwise. */
static const char *below(const char *path, const char *prefix)
{
	size_t len = strlen(prefix);

	if (strncmp(path, prefix, len) != 0 || (path[len] && path[len] != '/'))
		return NULL;
	return path + len;
}

void p9_fid_moved(struct p9 *s, const char *from, const char *to)
{
	char path[2 * P9_PATH_MAX];
	const char *rest;

	for (unsigned i = 0; i < P9_BUCKETS; i++) {
		for (struct p9_fid *fid = s->bucket[i]; fid; fid = fid->next) {
			rest = below(fid->path, from);
			if (!rest)
				continue;
			snprintf(path, sizeof(path), "%s%s", to, rest);
			/*
			 * A path that would become too long keeps its old value, where no file is
			 * now.
			 */
			if (strlen(path) < P9_PATH_MAX)
				p9_fid_set_path(fid, path);
		}
	}
}

int p9_fid_get(struct p9 *s, uint32_t id, struct p9_fid **found)
{
	struct p9_fid *fid = p9_fid_find(s, id);

	if (!fid)
		return -EBADF;
	*found = fid;
	if (fid->opened)
		return fid->fd < 0 ? -ESTALE : fid->fd;
	return p9_path_open(s, fid->path);
}

void p9_fid_put(const struct p9_fid *fid, int fd)
{
	if (fd >= 0 && fd != fid->fd)
		close(fd);
}
