// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_tasks.c - finds the Linux task that runs, for an exact profile (exact.h).
 *
 * It reads Linux's memory without side effects (mmu_peek_ram).  That memory is hostile: a wrong
 * value may give an event a wrong owner, but nothing else.
 */
#include <string.h>

#include "exact_parts.h"

#define PF_KTHREAD 0x00200000u /* include/linux/sched.h */
#define PF_EXITING 0x00000004u
#define COMM_LEN   16 /* TASK_COMM_LEN */
#define TP	   4
#define SP	   2

void exact_tasks(struct cluster *cl, const struct exact_tasks *t)
{
	exact_of(cl)->tasks = *t;
	exact_of(cl)->knows_tasks = true;
	exact_of(cl)->found = exact_of(cl)->started = !t->starter;
	exact_of(cl)->first = INT32_MIN;
}

/*
 * Returns the address of the task_struct.  At the kernel's entry and exit tp has the program's
 * value; then sscratch has the task.  0: neither is an address of the kernel.
 */
static uint64_t task_now(const struct hart *h)
{
	uint64_t tp = h->x[TP];

	if (h->mode == PRV_S && (int64_t)tp < 0)
		return tp;
	return (int64_t)h->sscratch < 0 ? h->sscratch : 0;
}

static bool field(struct hart *h, uint64_t task, uint32_t at, void *to, size_t len)
{
	return mmu_peek_ram(h, task + at, to, len);
}

static bool is_called(struct hart *h, uint64_t task, const char *name)
{
	char comm[COMM_LEN] = "";

	return field(h, task, exact_of(h->cl)->tasks.comm, comm, sizeof(comm)) &&
	       !strncmp(comm, name, COMM_LEN);
}

/* Recognises the starter by its name when it runs in U-mode. */
static void look_for_starter(struct hart *h, uint64_t task, int32_t tgid)
{
	struct exact *x = exact_of(h->cl);

	if (h->mode != PRV_U || !is_called(h, task, x->tasks.starter))
		return;
	x->found = true;
	x->first = tgid;
	x->starter_satp = h->satp;
}

/*
 * Returns whether the task has executed the command: it has another name, or its own address space.
 * (In the kernel it may still be in another task's address space.)
 */
static bool has_started(struct hart *h, uint64_t task)
{
	const struct exact *x = exact_of(h->cl);

	return !is_called(h, task, x->tasks.starter) ||
	       (h->mode == PRV_U && h->satp != x->starter_satp);
}

static enum exact_owner owner_of(struct hart *h, uint64_t task, uint32_t flags)
{
	struct exact *x = exact_of(h->cl);
	int32_t tgid;

	if (flags & PF_KTHREAD || !field(h, task, x->tasks.tgid, &tgid, sizeof(tgid)))
		return EXACT_THREADS;
	if (!x->found)
		look_for_starter(h, task, tgid);
	else if (tgid == 1 && x->tasks.starter && !x->over)
		x->over = is_called(h, task, x->tasks.over);
	if (!x->found || x->over || tgid < x->first)
		return EXACT_STARTER;
	if (!x->started && tgid == x->first)
		x->started = has_started(h, task);
	return x->started ? EXACT_PROCESS : EXACT_STARTER;
}

/*
 * A task that exits has released its address space, and runs on in that of another task.  Returns
 * its last own one; 0: it still has its own, or none is known.
 */
static uint64_t home_of(struct hart *h, uint64_t task, bool exiting)
{
	struct exact *x = exact_of(h->cl);
	struct home *home = (void *)exact_find(&x->homes, task, 0);

	if (h->mode == PRV_U && !home)
		home = exact_new(x, &x->homes, sizeof(*home), task, 0);
	if (h->mode == PRV_U && home)
		home->satp = h->satp;
	return home && exiting ? home->satp : 0;
}

static void ask(struct hart *h, struct exact_task *t, uint64_t task)
{
	uint32_t flags;

	t->task = task;
	t->satp = h->satp;
	t->ran = h->mode == PRV_U;
	t->home = 0;
	t->owner_of = EXACT_THREADS;
	if (!field(h, task, exact_of(h->cl)->tasks.flags, &flags, sizeof(flags)))
		return;
	t->owner_of = owner_of(h, task, flags);
	if (t->owner_of == EXACT_PROCESS)
		t->home = home_of(h, task, flags & PF_EXITING);
}

void exact_task_ask(struct hart *h)
{
	struct exact_task *t = &heard(h)->task;
	const struct exact *x = exact_of(h->cl);
	uint64_t task;

	if (!x->knows_tasks || h->mode == PRV_M)
		return;
	task = task_now(h);
	/*
	 * The starter's name tells when the command begins and ends: asks at each change of mode.
	 */
	if (task &&
	    (task != t->task || h->satp != t->satp ||
	     (t->owner_of == EXACT_STARTER && t->mode != h->mode) || (h->mode == PRV_U && !t->ran)))
		ask(h, t, task);
	if (t->interrupted && task && task != t->to_task)
		t->interrupted = false;
	t->mode = h->mode;
	t->owner = t->interrupted && h->mode == PRV_S ? EXACT_INTERRUPTS : t->owner_of;
}

void exact_task_interrupted(struct hart *h)
{
	struct exact_task *t = &heard(h)->task;

	if (!exact_of(h->cl)->knows_tasks || h->mode == PRV_M || t->interrupted)
		return;
	t->to_mode = h->mode;
	t->to_pc = h->pc;
	t->to_sp = h->x[SP];
	t->to_task = task_now(h);
	t->interrupted = t->to_task != 0;
	t->mode = PRV_M; /* exact_task_at() asks again, even if the hart stays in S-mode */
}

void exact_task_at(struct hart *h, uint64_t va)
{
	struct exact_task *t = &heard(h)->task;

	if (t->interrupted && h->mode == t->to_mode &&
	    (h->mode == PRV_U || (va == t->to_pc && h->x[SP] == t->to_sp && t->mode == PRV_S &&
				  t->owner == EXACT_INTERRUPTS))) {
		t->interrupted = false;
		t->mode = PRV_M;
	}
	if (h->mode != t->mode)
		exact_task_ask(h);
}
