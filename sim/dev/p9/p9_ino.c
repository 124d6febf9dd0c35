/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9_ino.c - the inode numbers that the guest sees.  Files are numbered in the order in which the
 * guest first sees them.
 *
 * The host's numbers would make equal runs differ.  A file that every run creates has another host
 * number each time.  Linux looks up inodes by their number, so the number decides which addresses
 * it accesses, and with them what caches and TLBs count.
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "p9.h"

#define FIRST_SLOTS 256u
/* Files beyond this number get a hash instead, which is not the same in every run. */
#define INODES_MAX  (1u << 18)
#define NO_NUMBER   (1ull << 63)

/* Returns the slot of the file, or the free slot for it.  There always is a free slot. */
static struct p9_inode *find(const struct p9_inodes *t, uint64_t dev, uint64_t ino)
{
	size_t n = hash_pair(dev, ino) & (t->slots - 1);

	while (t->slot[n].number && (t->slot[n].dev != dev || t->slot[n].ino != ino))
		n = (n + 1) & (t->slots - 1);
	return &t->slot[n];
}

/* Doubles the table, so that half of it is free.  false: it cannot grow. */
static bool grow(struct p9_inodes *t)
{
	struct p9_inodes new = { .slots = t->slots ? 2 * t->slots : FIRST_SLOTS,
				 .used = t->used,
				 .last = t->last };

	if (t->used >= INODES_MAX)
		return false;
	new.slot = calloc(new.slots, sizeof(*new.slot));
	if (!new.slot)
		return false;
	for (uint32_t n = 0; n < t->slots; n++) {
		const struct p9_inode *i = &t->slot[n];

		if (i->number)
			*find(&new, i->dev, i->ino) = *i;
	}
	free(t->slot);
	*t = new;
	return true;
}

/* Returns the slot of a file, which is new if the file had none.  NULL: the table cannot grow. */
static struct p9_inode *take(struct p9_inodes *t, uint64_t dev, uint64_t ino)
{
	struct p9_inode *i = t->slots ? find(t, dev, ino) : NULL;

	if (i && i->number)
		return i;
	if (2 * t->used >= t->slots && !grow(t))
		return NULL;
	i = find(t, dev, ino);
	*i = (struct p9_inode){ dev, ino, ++t->last };
	t->used++;
	return i;
}

uint64_t p9_ino(struct p9 *s, uint64_t dev, uint64_t ino)
{
	const struct p9_inode *i = take(&s->inodes, dev, ino);

	return i ? i->number : hash_pair(dev, ino) | NO_NUMBER;
}

void p9_ino_made(struct p9 *s, const struct stat *st)
{
	uint64_t before = s->inodes.last;
	struct p9_inode *i = take(&s->inodes, st->st_dev, st->st_ino);

	/* The host may reuse the inode number of a deleted file. */
	if (i && i->number <= before)
		i->number = ++s->inodes.last;
}

void p9_ino_forget(struct p9 *s)
{
	free(s->inodes.slot);
	s->inodes = (struct p9_inodes){ 0 };
}

bool p9_ino_save(const struct p9 *s, const struct stream *stream)
{
	const struct p9_inodes *t = &s->inodes;
	uint64_t head[2] = { t->used, t->last };
	bool done = stream_write(stream, head, sizeof(head));

	for (uint32_t n = 0; n < t->slots && done; n++) {
		if (t->slot[n].number)
			done = stream_write(stream, &t->slot[n], sizeof(t->slot[n]));
	}
	return done;
}

bool p9_ino_restore(struct p9 *s, const struct stream *stream)
{
	struct p9_inodes *t = &s->inodes;
	struct p9_inode i, *to;
	uint64_t head[2];

	p9_ino_forget(s);
	if (!stream_read(stream, head, sizeof(head)) || head[0] > head[1] || head[1] >= NO_NUMBER)
		return false;
	for (uint64_t n = 0; n < head[0]; n++) {
		if (!stream_read(stream, &i, sizeof(i)) || !i.number || i.number > head[1])
			return false;
		to = take(t, i.dev, i.ino);
		if (!to)
			return false;
		to->number = i.number;
	}
	t->last = head[1];
	return true;
}
