/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * view.h - copies of PMCs for pmc_read(), pmc_read_group() and pmc_times().  These take no lock
 * that another thread holds across a system call.
 */
#ifndef LPMC_VIEW_H
#define LPMC_VIEW_H

#include "state.h"

/*
 * A copy of a PMC since its last change, with copies of its targets and descriptors.  Never
 * changes.
 */
struct lpmc_view {
	struct lpmc_view *next;
	unsigned users;
	struct lpmc pmc;
};

/* Makes a view of a PMC.  (If there is no memory for it, readers use the library's lock.) */
void lpmc_view_add(const struct lpmc *p);
/*
 * Replaces the view of a PMC that has changed, if it has one.  Returns when no reader uses the old.
 */
void lpmc_view_change(const struct lpmc *p);
/* Removes the view of a PMC.  Returns when no reader uses it. */
void lpmc_view_remove(const struct lpmc *p);
/*
 * Takes the view of a PMC; the caller gives it back with lpmc_view_give().  NULL: there is none, so
 * that the caller needs the library's lock.
 */
struct lpmc_view *lpmc_view_take(pmc_id_t id);
void lpmc_view_give(struct lpmc_view *v);
/*
 * Whether this thread has a view.  In a call that has taken none, it is then in a signal handler.
 */
bool lpmc_view_is_taken(void);
/* In a forked child: frees all views and makes the lock anew, as their users are in the parent. */
void lpmc_view_forget_parent(void);
/* Held around fork(), so that the child does not get a half changed list. */
bool lpmc_view_lock(void);
void lpmc_view_unlock(void);

#endif
