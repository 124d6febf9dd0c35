// SPDX-License-Identifier: BSD-2-Clause
/*
 * read.c - pmc_read() and similar functions, through the user page or through read(2).
 *
 * The fast path takes no lock.  It uses a struct lpmc_fast, which only the calling thread fills in,
 * and the user page, which the kernel changes only on this CPU, between two instructions of the
 * thread.
 */
#include <stdio.h>
#include <string.h>
#include <sys/single_threaded.h>

#include <csr.h>

#include "error.h"
#include "perf.h"
#include "process.h"
#include "read.h"
#include "view.h"

/*
 * Slow: read(2)
 */

static int unstable(const struct lpmc *p)
{
	return lpmc_fail(EINVAL,
			 "%s: did not have a counter all the time, so there is no count: "
			 "other PMCs used the counters (stop them, or add ,multiplex)",
			 p->spec.name);
}

static int fd_read(const struct lpmc *p, const struct lpmc_fd *f, struct lpmc_sum *sum)
{
	/* One event: value, enabled, running.  A group: how many, enabled, running, the values. */
	uint64_t v[3 + 1 + LPMC_MEMBERS];
	const unsigned others = f->leader >= 0 ? 1 : p->nr_members;
	size_t size = (others ? 4 + others : 3) * sizeof(v[0]);
	ssize_t n = lpmc.sys->read(f->leader >= 0 ? f->leader : f->fd, v, size);

	if (n == 0)
		return unstable(p);
	if (n != (ssize_t)size)
		return lpmc_fail(EINVAL, "%s: cannot read it: %s", p->spec.name,
				 n < 0 ? strerror(errno) : "the kernel returned too few bytes");
	sum->value += v[!others ? 0 : f->leader >= 0 ? 4 : 3];
	sum->enabled += v[1];
	sum->running += v[2];
	for (unsigned i = 0; i < p->nr_members; i++)
		sum->member[i] += v[4 + i];
	return 0;
}

/*
 * Whether a target has ended without being counted.  When a process ends, Linux forgets that its
 * events had no counter.  Their enabled time is then 0, which it cannot be if they had a counter
 * while the process ran.
 */
static bool ended_uncounted(const struct lpmc *p, const struct lpmc_target *t)
{
	if (p->state != PMC_STATE_RUNNING || p->spec.multiplex || (p->flags & PMC_F_ON_EXEC) ||
	    !t->fds.nr || t->fds.at[0].cpu >= 0 || (t->pid == lpmc.sys->getpid() && !t->tid))
		return false;
	return lpmc_process_has_ended(t->pid, t->tid);
}

static int target_add(const struct lpmc *p, const struct lpmc_target *t, struct lpmc_sum *sum)
{
	const uint64_t enabled = sum->enabled;

	for (unsigned i = 0; i < t->fds.nr; i++) {
		if (fd_read(p, &t->fds.at[i], sum) < 0)
			return -1;
	}
	if (sum->enabled != enabled || !ended_uncounted(p, t))
		return 0;
	return lpmc_fail(EINVAL,
			 "%s: %s %d has ended and was not counted: no counter was free for it, or "
			 "it ended before the start",
			 p->spec.name, t->tid ? "thread" : "process",
			 (int)(t->tid ? t->tid : t->pid));
}

int lpmc_target_read(const struct lpmc *p, const struct lpmc_target *t, struct lpmc_sum *sum)
{
	memset(sum, 0, sizeof(*sum));
	return target_add(p, t, sum);
}

void lpmc_lost_note(struct lpmc *p)
{
	struct lpmc_sum sum;

	for (unsigned i = 0; i < p->targets.nr; i++)
		p->lost |= lpmc_target_read(p, &p->targets.at[i], &sum) < 0;
}

void lpmc_keep(struct lpmc *p, const struct lpmc_sum *sum)
{
	p->kept += sum->value;
	p->kept_enabled += sum->enabled;
	p->kept_running += sum->running;
	for (unsigned i = 0; i < p->nr_members; i++)
		p->kept_of[i] += sum->member[i];
}

/* Begins a sum with what p has kept of detached targets. */
static void sum_begin(const struct lpmc *p, struct lpmc_sum *sum)
{
	sum->value = p->kept;
	sum->enabled = p->kept_enabled;
	sum->running = p->kept_running;
	for (unsigned i = 0; i < p->nr_members; i++)
		sum->member[i] = p->kept_of[i];
}

/* Adds up the events of all targets of a PMC, for it and for the members of its group. */
static int read_targets(const struct lpmc *p, struct lpmc_sum *all)
{
	if (p->lost)
		return unstable(p);
	sum_begin(p, all);
	for (unsigned i = 0; i < p->targets.nr; i++) {
		if (target_add(p, &p->targets.at[i], all) < 0)
			return -1;
	}
	return 0;
}

static int read_all(const struct lpmc *p, struct lpmc_sum *all)
{
	struct lpmc_view *v;
	int result;

	if (!p->place)
		return read_targets(p, all);
	v = lpmc_view_take(p->lead);
	if (!v)
		return lpmc_fail(ENOMEM, "out of memory");
	result = read_targets(&v->pmc, all);
	lpmc_view_give(v);
	if (result == 0)
		all->value = all->member[p->place - 1];
	return result;
}

/*
 * Multiplexing: scales what was counted, while the event had a counter, to all of the time that the
 * event was enabled.
 */
static int scale(const struct lpmc *p, const struct lpmc_sum *sum, uint64_t counted,
		 uint64_t *value)
{
	*value = counted;
	if (!p->spec.multiplex || sum->running == sum->enabled)
		return 0;
	if (sum->running == 0)
		return lpmc_fail(EINVAL, "%s: has not had a counter yet", p->spec.name);
	*value = (uint64_t)((unsigned __int128)counted * sum->enabled / sum->running);
	return 0;
}

/* The value of a PMC without its base. */
static int counted(const struct lpmc *p, uint64_t *value)
{
	struct lpmc_sum sum;

	return read_all(p, &sum) < 0 ? -1 : scale(p, &sum, sum.value, value);
}

/* The value of a PMC: its base, what it has kept, and its events. */
static int value_of(const struct lpmc *p, uint64_t *value)
{
	if (counted(p, value) < 0)
		return -1;
	*value += p->base;
	return 0;
}

/*
 * Fast: the user page (linux/perf_event.h, struct perf_event_mmap_page)
 */

/* No valid lock value: the lock of a page is even while the kernel does not change the page. */
#define NO_SEQ 1u

/* Its address tells threads apart; nobody uses its value. */
static __thread char reader __attribute__((tls_model("initial-exec")));

#define STORE(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)
/*
 * (Relaxed loads: the thread sanitizer knows the first form, and gcc compiles the second better.)
 */
#ifdef __SANITIZE_THREAD__
#define LOAD(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#else
#define LOAD(place) (*(const volatile __typeof__(place) *)&(place))
#endif

static struct lpmc_fast *fast_row(pmc_id_t id)
{
	return &lpmc.own->fast[PMC_ID_TO_ROWINDEX(id)];
}

void lpmc_fast_set(struct lpmc *p)
{
	struct lpmc_fast *fast = fast_row(p->id);

	lpmc_fast_clear(p);
	if (p->pages.nr == 0 || p->targets.nr != 1)
		return; /* (a PMC of one thread gets its entry from fast_arm()) */
	fast->seq = NO_SEQ;
	fast->page = p->pages.at[0];
	fast->pmc = p;
	STORE(fast->reader, NULL);
	STORE(fast->id, p->id);
}

void lpmc_fast_clear(const struct lpmc *p)
{
	struct lpmc_fast *fast = lpmc.own ? fast_row(p->id) : NULL;

	if (fast && LOAD(fast->id) == p->id) {
		STORE(fast->id, 0);
		STORE(fast->reader, NULL);
	}
}

/*
 * If the PMC counts only the calling thread, that thread reads it on the fast path from now on.
 * (The caller has the PMC's view.  A thread that changes the PMC first waits for the view to be
 * given back, and then clears the entry.)
 */
static void fast_arm(const struct lpmc *p)
{
	struct lpmc_fast *fast = fast_row(p->id);

	if (!p->own_page || p->targets.nr != 1 || p->state != PMC_STATE_RUNNING ||
	    lpmc.sys->gettid() != p->targets.at[0].tid)
		return;
	STORE(fast->page, p->own_page);
	STORE(fast->base, p->base + p->kept);
	STORE(fast->reader, &reader);
	STORE(fast->id, p->id);
}

static inline void compiler_barrier(void)
{
	__asm__ __volatile__("" ::: "memory");
}

static inline uint64_t page_lock(const struct perf_event_mmap_page *page)
{
	uint64_t seq = LOAD(page->lock);

	compiler_barrier();
	return seq;
}

static inline bool page_unchanged(const struct perf_event_mmap_page *page, uint64_t seq)
{
	compiler_barrier();
	return LOAD(page->lock) == seq;
}

/* What a page says was counted on its CPU; repeats if the kernel changes the page meanwhile. */
static uint64_t page_offset(const struct perf_event_mmap_page *page)
{
	uint64_t offset;
	uint32_t seq;

	do {
		seq = page_lock(page);
		offset = (uint64_t)page->offset;
	} while (!page_unchanged(page, seq) || (seq & 1));
	return offset;
}

/*
 * Finds the page of this CPU and adds up the counts of the other pages.  False: no page has a
 * counter, so that the event is on no counter now.  If the thread moves to another CPU meanwhile,
 * the lock of the page will differ from `seq`.
 */
static bool fast_renew(struct lpmc_fast *fast)
{
	const struct lpmc *p = fast->pmc;
	const struct perf_event_mmap_page *mine = NULL;
	uint64_t base = p->base + p->kept;
	uint32_t seq = NO_SEQ;

	for (unsigned i = 0; i < p->pages.nr && !mine; i++) {
		seq = page_lock(p->pages.at[i]);
		if (p->pages.at[i]->index)
			mine = p->pages.at[i];
	}
	if (!mine)
		return false;
	for (unsigned i = 0; i < p->pages.nr; i++) {
		if (p->pages.at[i] != mine)
			base += page_offset(p->pages.at[i]);
	}
	/* A signal handler may read meanwhile.  NO_SEQ keeps it from using a half written entry. */
	fast->seq = NO_SEQ;
	compiler_barrier();
	fast->page = mine;
	fast->base = base;
	compiler_barrier();
	fast->seq = seq;
	return true;
}

#define CAP_USER_RDPMC (1ull << 2) /* cap_user_rdpmc in page->capabilities */

/* Reads the counter.  Returns 1; 0 if the entry is out of date; -1 if it cannot be read here. */
static inline int page_read(const struct lpmc_fast *fast, bool own, uint64_t *value)
{
	const struct perf_event_mmap_page *page = LOAD(fast->page);
	uint64_t seq = page_lock(page), index, shift,
		 count; /* (all have 64 bits, which saves instructions that extend them) */

	if (__builtin_expect(own ? seq & 1 : seq != LOAD(fast->seq), 0))
		return 0;
	index = (uint64_t)LOAD(page->index) - 1;
	if (!(LOAD(page->capabilities) & CAP_USER_RDPMC) || index >= 32)
		return -1;
	shift = 64 - page->pmc_width; /* (the width never changes) */
	count = (uint64_t)((int64_t)(lpmc_csr(index) << shift) >> shift);
	count += (uint64_t)LOAD(page->offset) + LOAD(fast->base);
	if (!page_unchanged(page, seq))
		return 0;
	*value = count;
	return 1;
}

/* The entry of a PMC, if it has one. */
static inline struct lpmc_fast *fast_of(pmc_id_t id)
{
	struct lpmc_own *own = __atomic_load_n(&lpmc.own, __ATOMIC_RELAXED);
	struct lpmc_fast *fast;

	if (__builtin_expect(!own, 0))
		return NULL;
	fast = &own->fast[PMC_ID_TO_ROWINDEX(id)];
	/* (The entry of a row without a PMC has the id 0.) */
	return __builtin_expect(LOAD(fast->id) == id && id, 1) ? fast : NULL;
}

/*
 * The interface
 */

/* Calls say() with the view of a PMC; if there is no view, with the PMC and the lock held. */
static int with_view(pmc_id_t id, int (*say)(const struct lpmc *p, void *to), void *to)
{
	struct lpmc_view *v = lpmc_view_take(id);
	struct lpmc *p;
	int result;

	if (v) {
		result = say(&v->pmc, to);
		lpmc_view_give(v);
		return result;
	}
	p = lpmc_enter_pmc(id);
	if (!p)
		return -1;
	result = say(p, to);
	lpmc_leave();
	return result;
}

static int say_value(const struct lpmc *p, void *value)
{
	int result = value_of(p, value);

	fast_arm(p);
	return result;
}

static int say_sum(const struct lpmc *p, void *sum)
{
	return read_all(p, sum);
}

/* Reads a PMC when the fast path cannot: renews its entry and tries again, or asks the kernel. */
__attribute__((noinline)) static int slow_read(pmc_id_t id, pmc_value_t *value)
{
	struct lpmc_fast *fast = fast_of(id);

	if (lpmc_null(value, "pmc_read") < 0)
		return -1;
	while (fast && !LOAD(fast->reader) && __libc_single_threaded && fast_renew(fast)) {
		int read = page_read(fast, false, value);

		if (read > 0)
			return 0;
		if (read < 0)
			break;
	}
	return with_view(id, say_value, value);
}

/*
 * The fast path works in the only thread of a process that counts itself, and in the one thread
 * that a PMC counts: there the CSR shows the PMC's counter.  (The fast path calls no function, so
 * that it need not save registers.  bench/pmc counts its instructions.)
 */
int pmc_read(pmc_id_t id, pmc_value_t *value)
{
	const struct lpmc_fast *fast = fast_of(id);
	const void *who;

	if (__builtin_expect(!fast || !value, 0))
		return slow_read(id, value);
	who = LOAD(fast->reader);
	if (!who) {
		if (__libc_single_threaded && page_read(fast, false, value) > 0)
			return 0;
	} else if (who == &reader && page_read(fast, true, value) > 0) {
		return 0;
	}
	return slow_read(id, value);
}

/* Takes the lock and finds a PMC that can be written; NULL if there is none, or if it runs. */
static struct lpmc *enter_resting(pmc_id_t id)
{
	struct lpmc *p = lpmc_enter_pmc(id);

	if (!p || p->state != PMC_STATE_RUNNING)
		return p;
	lpmc_fail(EBUSY, "%s is running: stop it before you write or set it", p->spec.name);
	lpmc_leave();
	return NULL;
}

static int value_set(struct lpmc *p, uint64_t new_value, uint64_t *old)
{
	bool lost = p->lost;
	uint64_t value;

	p->lost &= old != NULL; /* without `old` nobody needs the lost count */
	if (counted(p, &value) < 0) {
		p->lost = lost;
		return -1;
	}
	if (old)
		*old = value + p->base;
	STORE(p->base, new_value - value);
	lpmc_fast_clear(p); /* first: who has read the new value never reads the old one again */
	lpmc_view_change(p);
	lpmc_fast_set(p);
	return 0;
}

int pmc_rw(pmc_id_t id, pmc_value_t new_value, pmc_value_t *old)
{
	struct lpmc *p = enter_resting(id);
	int result;

	if (!p)
		return -1;
	result = value_set(p, new_value, old);
	lpmc_leave();
	return result;
}

int pmc_write(pmc_id_t id, pmc_value_t value)
{
	return pmc_rw(id, value, NULL);
}

/* Sets the sampling period of the events that are open. */
static int period_set(struct lpmc *p)
{
	for (unsigned i = 0; i < p->targets.nr; i++) {
		for (unsigned j = 0; j < p->targets.at[i].fds.nr; j++) {
			uint64_t period = p->reload;

			if (lpmc.sys->perf_ioctl(p->targets.at[i].fds.at[j].fd,
						 PERF_EVENT_IOC_PERIOD, &period) < 0)
				return lpmc_fail(errno, "%s: the period %llu: %s", p->spec.name,
						 (unsigned long long)period, strerror(errno));
		}
	}
	return 0;
}

int lpmc_reload_set(struct lpmc *p, uint64_t value)
{
	const bool clock = lpmc_event_is_clock(&p->spec.event) && !(p->flags & PMC_F_FREQUENCY);
	const uint64_t least = lpmc_is_recorded(p) ? 1
			       : clock		   ? LPMC_RELOAD_CLOCK
						   : LPMC_RELOAD_MIN;
	uint64_t before = p->reload;

	if (value >> 63)
		return lpmc_fail(EINVAL, "%s: a reload count has at most 63 bits", p->spec.name);
	if (lpmc_is_recorded(p) && value == 0)
		return lpmc_fail(EINVAL,
				 "%s: the period, or the number of samples per second, is 0",
				 p->spec.name);
	if (lpmc_is_recorded(p) && clock && value < LPMC_RELOAD_CLOCK)
		return lpmc_fail(EINVAL, "%s: Linux samples a clock every %d nanoseconds or more",
				 p->spec.name, LPMC_RELOAD_CLOCK);
	p->reload = value < least ? least : value;
	if (period_set(p) < 0) {
		p->reload = before;
		return -1;
	}
	if (value < least)
		lpmc_remark("%s: a sample every %llu events would be too many: every %llu",
			    p->spec.name, (unsigned long long)value, (unsigned long long)least);
	return 0;
}

int pmc_set(pmc_id_t id, pmc_value_t value)
{
	struct lpmc *p = enter_resting(id);
	int result;

	if (!p)
		return -1;
	result = PMC_IS_SAMPLING_MODE(p->mode) ? lpmc_reload_set(p, value)
					       : value_set(p, value, NULL);
	lpmc_leave();
	return result;
}

struct group_values {
	struct lpmc_sum sum;
	uint64_t value[1 + LPMC_MEMBERS];
	unsigned nr;
	pmc_id_t lead; /* if the PMC is a member: the handle of its leader; else 0 */
};

/*
 * The values of all PMCs of a group, from its leader.  A member only returns its leader's handle.
 */
static int say_group(const struct lpmc *p, void *to)
{
	struct group_values *g = to;

	g->nr = 1 + p->nr_members;
	g->lead = p->lead;
	if (p->place)
		return 0; /* ask the leader */
	if (read_targets(p, &g->sum) < 0)
		return -1;
	for (unsigned i = 0; i < g->nr; i++) {
		const struct lpmc *m = i ? p->member[i - 1] : p;

		if (scale(p, &g->sum, i ? g->sum.member[i - 1] : g->sum.value, &g->value[i]) < 0)
			return -1;
		g->value[i] += LOAD(m->base);
	}
	return 0;
}

int pmc_read_group(pmc_id_t id, pmc_value_t *values, int max, uint64_t *enabled, uint64_t *running)
{
	struct group_values g;

	if (with_view(id, say_group, &g) < 0)
		return -1;
	if (g.lead && with_view(g.lead, say_group, &g) < 0)
		return -1;
	if (g.lead) /* meanwhile another PMC has got the handle */
		return lpmc_fail(EINVAL, "0x%08x: its group has ended", id);
	for (unsigned i = 0; i < g.nr && (int)i < max; i++)
		values[i] = g.value[i];
	if (enabled)
		*enabled = g.sum.enabled;
	if (running)
		*running = g.sum.running;
	return (int)g.nr;
}

int pmc_times(pmc_id_t id, uint64_t *enabled, uint64_t *running)
{
	struct lpmc_sum sum;

	if (lpmc_null(enabled, "pmc_times") < 0 || lpmc_null(running, "pmc_times") < 0)
		return -1;
	if (with_view(id, say_sum, &sum) < 0)
		return -1;
	*enabled = sum.enabled;
	*running = sum.running;
	return 0;
}
