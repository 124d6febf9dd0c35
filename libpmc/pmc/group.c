// SPDX-License-Identifier: BSD-2-Clause
/*
 * group.c - PMCs that count together: pmc_group(3).
 *
 * The first PMC leads the group: only it has targets.  It has a group of perf events for each
 * thread.  Linux puts all events of such a group on counters, or none, and reads them at one moment
 * (perf_event_open(2), PERF_FORMAT_GROUP).  A call for any PMC of the group acts on the leader.
 */
#include <string.h>

#include "attach.h"
#include "error.h"
#include "perf.h"
#include "read.h"
#include "target.h"
#include "view.h"

struct lpmc *lpmc_group_leader(struct lpmc *p)
{
	return p->place ? lpmc_find(p->lead) : p;
}

void lpmc_group_state(struct lpmc *leader, enum pmc_state state)
{
	leader->state = state;
	for (unsigned i = 0; i < leader->nr_members; i++) {
		leader->member[i]->state = state;
		lpmc_view_change(leader->member[i]);
	}
}

/* A PMC of system scope always has its target, and gets it back when its group changes. */
static int attach_again(struct lpmc *p)
{
	return PMC_IS_SYSTEM_MODE(p->mode) ? lpmc_attach(p, -1, 0) : 0;
}

static void leave(struct lpmc *leader, unsigned i)
{
	struct lpmc *m = leader->member[i];

	m->kept = leader->kept_of[i];
	m->kept_enabled = leader->kept_enabled;
	m->kept_running = leader->kept_running;
	m->lost = leader->lost;
	m->lead = m->place = 0;
	m->lost |= attach_again(m) < 0;
	lpmc_view_change(m);
}

void lpmc_group_end(struct lpmc *p)
{
	struct lpmc *leader = lpmc_group_leader(p);
	unsigned nr = leader->nr_members;

	if (!nr)
		return;
	if (leader->state == PMC_STATE_RUNNING) {
		lpmc_lost_note(leader);
		lpmc_target_enable(leader, false);
		lpmc_group_state(leader, PMC_STATE_STOPPED);
	}
	while (leader->targets.nr)
		lpmc_detach(leader, &leader->targets.at[leader->targets.nr - 1]);
	leader->nr_members = 0;
	for (unsigned i = 0; i < nr; i++)
		leave(leader, i);
	memset(leader->kept_of, 0, sizeof(leader->kept_of));
	leader->lost |= attach_again(leader) < 0;
	lpmc_view_change(leader);
}

static int check(const struct lpmc *p, const struct lpmc *first)
{
	if (!PMC_IS_COUNTING_MODE(p->mode) || lpmc_has_rings(p))
		return lpmc_fail(EINVAL, "%s: a PMC that samples or logs cannot be in a group",
				 p->spec.name);
	if (p->mode != first->mode || p->cpu != first->cpu || p->flags != first->flags ||
	    p->spec.multiplex != first->spec.multiplex)
		return lpmc_fail(EINVAL,
				 "%s and %s: all PMCs of a group must have the same mode, CPU and "
				 "flags, and all or none must be multiplex",
				 first->spec.name, p->spec.name);
	if (p->state == PMC_STATE_RUNNING)
		return lpmc_fail(EBUSY, "%s is running: stop it before you group it", p->spec.name);
	if (p->place || p->nr_members)
		return lpmc_fail(EEXIST, "%s already belongs to a group", p->spec.name);
	if (PMC_IS_VIRTUAL_MODE(p->mode) && p->targets.nr)
		return lpmc_fail(EBUSY, "%s has targets: group it before you attach it",
				 p->spec.name);
	return 0;
}

static int find_all(const pmc_id_t *ids, int nr, struct lpmc **list)
{
	for (int i = 0; i < nr; i++) {
		list[i] = lpmc_find(ids[i]);
		if (!list[i] || check(list[i], list[0]) < 0)
			return -1;
		for (int j = 0; j < i; j++) {
			if (list[j] == list[i])
				return lpmc_fail(EINVAL, "%s is in the list twice",
						 list[i]->spec.name);
		}
	}
	return 0;
}

static int group(struct lpmc **list, unsigned nr)
{
	struct lpmc *leader = list[0];

	if (lpmc_probe_group(list, nr) < 0)
		return -1;
	for (unsigned i = 0; i < nr; i++) {
		while (list[i]->targets.nr)
			lpmc_detach(list[i], &list[i]->targets.at[0]);
	}
	for (unsigned i = 1; i < nr; i++) {
		leader->member[i - 1] = list[i];
		leader->kept_of[i - 1] = list[i]->kept;
		list[i]->lead = leader->id;
		list[i]->place = i;
		leader->lost |= list[i]->lost;
	}
	leader->nr_members = nr - 1;
	lpmc_view_change(leader);
	for (unsigned i = 1; i < nr; i++)
		lpmc_view_change(list[i]);
	if (attach_again(leader) == 0) {
		lpmc_view_change(leader);
		return 0;
	}
	lpmc_group_end(leader);
	return -1;
}

int pmc_group(const pmc_id_t *ids, int nr)
{
	struct lpmc *list[1 + LPMC_MEMBERS];
	int result = -1;

	if (!ids || nr < 2 || nr > 1 + LPMC_MEMBERS)
		return lpmc_fail(EINVAL, "a group has 2 to %d PMCs", 1 + LPMC_MEMBERS);
	if (lpmc_enter() < 0)
		return -1;
	if (find_all(ids, nr, list) == 0)
		result = group(list, (unsigned)nr);
	lpmc_leave();
	return result;
}
