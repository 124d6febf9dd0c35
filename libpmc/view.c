// SPDX-License-Identifier: BSD-2-Clause
/*
 * view.c - what readers look at: a copy of each PMC, made anew whenever it changes.
 *
 * pmc_read() must not wait while another thread opens events or looks through /proc, which the
 * library's lock is held for.  So a reader takes the PMC's view, a moment under a lock that is held
 * for nothing else, and asks the kernel with no lock at all.  A view never changes.  Who makes the
 * next one, with the library's lock, takes the last one off the list first, and waits for those that
 * read with it; only then are descriptors closed.  New readers cannot find it, so that the wait is
 * short, however many there are.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "internal.h"

static pthread_mutex_t view_lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static struct lpmc_view *views;
/* Counts what this thread takes, from before it locks until after it has given it back. */
static __thread volatile unsigned taken;

/* The view, its targets and their descriptors, in one piece of memory. */
static struct lpmc_view *view_new(const struct lpmc *p)
{
	size_t targets = p->nr_targets * sizeof(*p->targets), fds = 0;
	struct lpmc_view *v;
	struct lpmc_fd *to;

	for (unsigned i = 0; i < p->nr_targets; i++)
		fds += p->targets[i].nr_fds;
	v = malloc(sizeof(*v) + targets + fds * sizeof(*to));
	if (!v)
		return NULL;
	v->users = 0;
	v->pmc = *p;
	v->pmc.targets = (struct lpmc_target *)(v + 1);
	to = (struct lpmc_fd *)((char *)(v + 1) + targets);
	for (unsigned i = 0; i < p->nr_targets; i++) {
		struct lpmc_target *t = &v->pmc.targets[i];

		*t = p->targets[i];
		if (t->nr_fds)
			memcpy(to, t->fds, t->nr_fds * sizeof(*to));
		t->fds = to;
		to += t->nr_fds;
	}
	return v;
}

static struct lpmc_view **place_of(pmc_id_t id)
{
	struct lpmc_view **at = &views;

	while (*at && (*at)->pmc.id != id)
		at = &(*at)->next;
	return at;
}

/* In place of the one there is; `new` may be NULL. */
static void replace(pmc_id_t id, struct lpmc_view *new)
{
	struct lpmc_view **at, *old;

	pthread_mutex_lock(&view_lock);
	at = place_of(id);
	old = *at;
	if (old)
		*at = old->next;
	if (new) {
		new->next = views;
		views = new;
	}
	while (old && old->users)
		pthread_cond_wait(&given, &view_lock);
	pthread_mutex_unlock(&view_lock);
	free(old);
}

void lpmc_view_add(const struct lpmc *p)
{
	replace(p->id, view_new(p));
}

void lpmc_view_change(const struct lpmc *p)
{
	bool there;

	pthread_mutex_lock(&view_lock);
	there = *place_of(p->id) != NULL; /* (With the library's lock, nobody else adds or removes.) */
	pthread_mutex_unlock(&view_lock);
	if (there)
		lpmc_view_add(p);
}

void lpmc_view_remove(const struct lpmc *p)
{
	replace(p->id, NULL);
}

struct lpmc_view *lpmc_view_take(pmc_id_t id)
{
	const bool alone = __libc_single_threaded; /* the lock would cost as much as the rest */
	struct lpmc_view *v = NULL;

	if (!lpmc_is_ours())
		return NULL;
	taken++;
	if (alone || lpmc_view_lock()) {
		v = *place_of(id);
		if (v)
			v->users++;
		if (!alone)
			lpmc_view_unlock();
	}
	taken -= !v;
	return v;
}

void lpmc_view_give(struct lpmc_view *v)
{
	const bool alone = __libc_single_threaded;

	if (!alone)
		pthread_mutex_lock(&view_lock);
	v->users--;
	if (!alone) {
		if (v->users == 0)
			pthread_cond_broadcast(&given);
		pthread_mutex_unlock(&view_lock);
	}
	taken--;
}

bool lpmc_view_is_taken(void)
{
	return taken != 0;
}

/* (False: a handler has interrupted its own thread here.) */
bool lpmc_view_lock(void)
{
	return pthread_mutex_lock(&view_lock) == 0;
}

void lpmc_view_unlock(void)
{
	pthread_mutex_unlock(&view_lock);
}

void lpmc_view_forget_parent(void)
{
	view_lock = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	given = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	while (views && !taken) { /* (else a handler has forked, and one is read below it) */
		struct lpmc_view *v = views;

		views = v->next;
		free(v);
	}
	views = NULL;
}
