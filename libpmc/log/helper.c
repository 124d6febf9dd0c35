// SPDX-License-Identifier: BSD-2-Clause
/*
 * helper.c - a thread that empties the rings while the program does other things.
 *
 * It exists while a log is configured, or while a thread waits for the SIGIO that tells that the
 * last target of a PMC has ended.  It blocks all signals.  PMCs that are attached to the process do
 * not count it.  It sleeps until a ring is half full.  It also wakes up at fixed intervals, because
 * the descriptor of a thread that has ended only hangs up.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "entry.h"
#include "log.h"
#include "perf.h"
#include "target.h"

#define LOOK_EVERY 200 /* milliseconds */

/*
 * The descriptors to poll: the eventfd, then the rings.  The caller holds the lock, and frees them.
 */
static struct pollfd *poll_list(unsigned *nr)
{
	unsigned max = 1, n = 0;
	struct pollfd *list;
	struct lpmc *p;

	for (p = lpmc.pmcs; p; p = p->next)
		max += p->buffers.nr;
	list = calloc(max, sizeof(*list));
	if (!list)
		return NULL;
	list[n++] = (struct pollfd){ .fd = lpmc.helper_wake, .events = POLLIN };
	for (p = lpmc.pmcs; p; p = p->next) {
		for (unsigned i = 0; i < p->buffers.nr; i++) {
			if (!p->buffers.at[i].hung_up)
				list[n++] = (struct pollfd){ .fd = p->buffers.at[i].fd,
							     .events = POLLIN };
		}
	}
	*nr = n;
	return list;
}

/*
 * Notes which rings have hung up: poll() would always return at once for them.  (It polls each ring
 * again, because a number in the list of look() may meanwhile belong to a new ring.)
 */
static void note_hang_ups(void)
{
	for (struct lpmc *p = lpmc.pmcs; p; p = p->next) {
		for (unsigned i = 0; i < p->buffers.nr; i++) {
			struct lpmc_buffer *b = &p->buffers.at[i];
			struct pollfd f = { .fd = b->fd };

			if (!b->hung_up && lpmc.sys->poll(&f, 1, 0) > 0)
				b->hung_up = true;
		}
	}
}

static bool any_hang_up(const struct pollfd *list, unsigned nr)
{
	for (unsigned j = 1; j < nr; j++) {
		if (list[j].revents & (POLLHUP | POLLERR | POLLNVAL))
			return true;
	}
	return false;
}

static void tell_of_ends(void)
{
	for (struct lpmc *p = lpmc.pmcs; p; p = p->next) {
		if (!p->awaited_by || !lpmc_target_all_gone(p))
			continue;
		lpmc.sys->sigio(p->awaited_by);
		p->awaited_by = 0;
	}
}

static bool is_half_full(const struct lpmc_buffer *b)
{
	uint64_t head = __atomic_load_n(&b->page->data_head, __ATOMIC_ACQUIRE);

	return head - b->page->data_tail >= b->page->data_size / 2;
}

/*
 * Sets new periods for rings that have enough samples (attr.c).  Returns whether nothing else is to
 * be done.  The helper does little work for a new period, because Linux delays a thread that has
 * used much CPU time, and the period should change at once.
 */
static bool vary_periods(const struct pollfd *list, unsigned nr)
{
	bool all = true;

	for (struct lpmc *p = lpmc.pmcs; p; p = p->next) {
		for (unsigned i = 0; i < p->buffers.nr; i++) {
			const struct lpmc_buffer *b = &p->buffers.at[i];
			bool woke = false;

			for (unsigned j = 1; j < nr; j++)
				woke |= list[j].fd == b->fd && list[j].revents & POLLIN;
			if (woke && p->flags & PMC_F_JITTER)
				lpmc_jitter(p, b->cpu);
			all &= !woke || (p->flags & PMC_F_JITTER && !is_half_full(b));
		}
	}
	return all;
}

/*
 * Asks for a real-time priority if a period varies, before the first sample: Linux would let a
 * program finish its turn, with hundreds of samples of the same period, before it wakes the helper.
 */
static void hurry_if_periods_vary(void)
{
	for (struct lpmc *p = lpmc.pmcs; p && !lpmc.helper_hurries; p = p->next) {
		if (p->buffers.nr && p->flags & PMC_F_JITTER) {
			lpmc.sys->hurry();
			lpmc.helper_hurries = true;
		}
	}
}

/* Whether it is time to look at all rings again. */
static bool is_due(void)
{
	uint64_t now = lpmc.sys->now(CLOCK_MONOTONIC);

	if (now - lpmc.helper_looked < LOOK_EVERY * 1000000ull)
		return false;
	lpmc.helper_looked = now;
	return true;
}

/*
 * Moves the records of the rings into the log, and writes the log to its file.  Takes the locks.
 * (While another thread writes the file, it only empties the rings.)
 */
static void pass(void)
{
	bool writes = pthread_mutex_trylock(&lpmc.log_writing) == 0;

	pthread_mutex_lock(&lpmc.lock);
	if (!lpmc.helper_quit && lpmc.log_fd >= 0) {
		lpmc_drain(false);
		if (writes)
			lpmc_log_write(lpmc_log_take());
	}
	lpmc_leave();
	if (writes)
		pthread_mutex_unlock(&lpmc.log_writing);
}

static bool look(void)
{
	struct pollfd only = { .fd = lpmc.helper_wake, .events = POLLIN }, *list;
	unsigned nr = 1;
	uint64_t count;
	bool wanted;
	int ready;

	pthread_mutex_lock(&lpmc.lock);
	hurry_if_periods_vary();
	list = poll_list(&nr);
	pthread_mutex_unlock(&lpmc.lock);

	ready = lpmc.sys->poll(list ? list : &only, nr, LOOK_EVERY);

	pthread_mutex_lock(&lpmc.lock);
	if (list && list[0].revents)
		lpmc.sys->read(lpmc.helper_wake, &count, sizeof(count));
	wanted = !list || !vary_periods(list, nr) || ready <= 0 || list[0].revents || is_due();
	if (list && any_hang_up(list, nr)) {
		note_hang_ups();
		wanted = true;
	}
	if (!lpmc.helper_quit)
		tell_of_ends();
	pthread_mutex_unlock(&lpmc.lock);
	if (wanted)
		pass();
	free(list);
	return !lpmc.helper_quit;
}

static void *body(void *arg)
{
	(void)arg;
	while (look())
		;
	return NULL;
}

int lpmc_helper_start(void)
{
	int error;

	if (lpmc.helper_on)
		return 0; /* (if it is ending, the thread that ends it starts another one) */
	lpmc.helper_quit = lpmc.helper_hurries = false;
	lpmc.helper_wake = lpmc.sys->eventfd();
	if (lpmc.helper_wake < 0)
		return errno;
	error = lpmc.sys->thread(body, NULL, &lpmc.helper_tid, &lpmc.helper);
	if (error) {
		lpmc.sys->close(lpmc.helper_wake);
		lpmc.helper_wake = -1;
		lpmc.helper_tid = 0;
	}
	lpmc.helper_on = error == 0;
	return error;
}

static bool is_needed(void)
{
	bool needed = lpmc.log_fd >= 0 || lpmc.log_ending >= 0;

	for (const struct lpmc *p = lpmc.pmcs; p && !needed; p = p->next)
		needed = p->awaited_by != 0;
	return needed;
}

/* Tells the helper to end if nothing needs it; true if the caller must join it. */
static bool told_to_end(void)
{
	bool now;

	pthread_mutex_lock(&lpmc.lock);
	now = lpmc.helper_on && !lpmc.helper_quit && !is_needed();
	if (now) {
		lpmc.helper_quit = true;
		lpmc_helper_wake();
	}
	pthread_mutex_unlock(&lpmc.lock);
	return now;
}

void lpmc_helper_stop(void)
{
	if (!told_to_end())
		return;
	lpmc.sys->join(lpmc.helper);
	pthread_mutex_lock(&lpmc.lock);
	lpmc.sys->close(lpmc.helper_wake);
	lpmc.helper_wake = -1;
	lpmc.helper_tid = 0;
	lpmc.helper_on = false;
	if (is_needed()) /* again, since it was told to end */
		lpmc_helper_start();
	pthread_mutex_unlock(&lpmc.lock);
}
