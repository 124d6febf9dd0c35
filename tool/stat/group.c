// SPDX-License-Identifier: BSD-2-Clause
/*
 * group.c - holter stat -M: the kernel schedules and reads the events of a group of metrics
 * together, so that both operands of a ratio cover the same time (stat.h; pmc_group(3)).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

/* Only hardware events are grouped; software events need no hardware counter. */
static bool is_hardware(const struct stat_event *e)
{
	return !strncmp(e->key, "HW_", 3) || !strncmp(e->key, "raw=", 4);
}

struct members {
	struct stat_event *of[TARGET_GROUP];
	unsigned nr;
};

static struct members grouped(struct stat_run *s, unsigned group)
{
	struct members m = { .nr = 0 };

	for (unsigned n = 0; n < s->events.nr && m.nr < TARGET_GROUP; n++) {
		if (s->e[n].grouped && s->e[n].group == group)
			m.of[m.nr++] = &s->e[n];
	}
	return m;
}

static void begin(struct stat_run *s, unsigned group)
{
	const char *specs[TARGET_GROUP];
	struct target_pmcs *to[TARGET_GROUP];
	struct stat_event *of[TARGET_GROUP];
	unsigned nr = 0, bad;

	for (unsigned n = 0; n < s->events.nr; n++) {
		struct stat_event *e = &s->e[n];

		if (e->group != group || e->reason || !is_hardware(e))
			continue;
		if (nr == TARGET_GROUP)
			return;
		specs[nr] = s->events.at[n].spec;
		to[nr] = &e->pmcs;
		of[nr++] = e;
	}
	while (nr >= 2 && target_allocate_group(&s->target, specs, nr, to, &bad) < 0) {
		if (bad == nr) {
			s->apart |= errno == EBUSY;
			return;
		}
		/* Leave out the event that fails: run.c tries it alone and keeps the reason. */
		nr--;
		for (unsigned n = bad; n < nr; n++) {
			specs[n] = specs[n + 1];
			to[n] = to[n + 1];
			of[n] = of[n + 1];
		}
	}
	if (nr < 2)
		return;
	if (!s->delay && target_start(to[0]) < 0) {
		while (nr)
			target_release(to[--nr]);
		return;
	}
	while (nr)
		of[--nr]->grouped = true;
}

void stat_groups_begin(struct stat_run *s)
{
	for (unsigned group = 1; group <= s->nr_came; group++)
		begin(s, group);
}

int stat_groups_start(struct stat_run *s)
{
	for (unsigned group = 1; group <= s->nr_came; group++) {
		struct members m = grouped(s, group);

		if (m.nr && target_start(&m.of[0]->pmcs) < 0)
			return -1;
	}
	return 0;
}

static int read_group(const struct members *m)
{
	for (unsigned n = 0; n < m->nr; n++)
		m->of[n]->count = m->of[n]->enabled = m->of[n]->running = 0;
	for (unsigned i = 0; i < m->of[0]->pmcs.nr; i++) {
		pmc_value_t values[TARGET_GROUP];
		uint64_t enabled, running;

		if (pmc_read_group(m->of[0]->pmcs.id[i], values, TARGET_GROUP, &enabled,
				   &running) != (int)m->nr)
			return -1;
		for (unsigned n = 0; n < m->nr; n++) {
			struct stat_event *e = m->of[n];

			if (e->parts)
				e->parts[i].count = values[n];
			e->count += values[n];
			e->enabled += enabled;
			e->running += running;
		}
	}
	return 0;
}

void stat_groups_read(struct stat_run *s)
{
	for (unsigned group = 1; group <= s->nr_came; group++) {
		struct members m = grouped(s, group);

		if (!m.nr || m.of[0]->reason || read_group(&m) == 0)
			continue;
		for (unsigned n = 0; n < m.nr; n++)
			stat_fails(m.of[n], events_reason());
	}
}
