// SPDX-License-Identifier: BSD-2-Clause
/*
 * view.c - a copy of each PMC for readers (its view), which is replaced whenever the PMC changes.
 *
 * Another thread may hold the library's lock while it opens events or reads /proc, and pmc_read()
 * must not wait for that.  So a reader takes the view of the PMC: it holds the views' own lock for
 * a moment, and no lock while it asks the kernel.  A view never changes.
 *
 * A thread that replaces a view holds the library's lock.  It takes the old view off the list and
 * waits until no reader uses it.  Only then does it close descriptors.  New readers cannot find the
 * old view, so the wait is short, however many readers there are.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "view.h"

static pthread_mutex_t view_lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static struct lpmc_view *views;
/*
 * How many views this thread has: it counts up before it locks, and down after it has given one
 * back.
 */
static __thread volatile unsigned taken;

/* Allocates a view, its targets and their descriptors in one piece of memory. */
static struct lpmc_view *view_new(const struct lpmc *p)
{
	size_t targets = p->targets.nr * sizeof(*p->targets.at), fds = 0;
	struct lpmc_view *v;
	struct lpmc_fd *to;

	for (unsigned i = 0; i < p->targets.nr; i++)
		fds += p->targets.at[i].fds.nr;
	v = malloc(sizeof(*v) + targets + fds * sizeof(*to));
	if (!v)
		return NULL;
	v->users = 0;
	v->pmc = *p;
	v->pmc.targets.at = (struct lpmc_target *)(v + 1);
	to = (struct lpmc_fd *)((char *)(v + 1) + targets);
	for (unsigned i = 0; i < p->targets.nr; i++) {
		struct lpmc_target *t = &v->pmc.targets.at[i];

		*t = p->targets.at[i];
		if (t->fds.nr)
			memcpy(to, t->fds.at, t->fds.nr * sizeof(*to));
		t->fds.at = to;
		to += t->fds.nr;
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

/* Replaces the view of a PMC, if it has one, by `new`, which may be NULL. */
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
	there = *place_of(p->id) !=
		NULL; /* (The caller has the library's lock: no other thread changes the list.) */
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
	const bool alone = __libc_single_threaded; /* then no lock: it costs as much as the rest */
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

/* (False: a signal handler has interrupted its own thread while that held the lock.) */
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
	while (views && !taken) { /* (if taken, a handler that interrupted a reader has forked) */
		struct lpmc_view *v = views;

		views = v->next;
		free(v);
	}
	views = NULL;
}
