/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.h - the perf events of a PMC: their attributes (attr.c), how to open them and what the
 * errors mean (open.c), whether an event counts on this machine (probe.c, stat_mode.c), periods
 * that vary (jitter.c).
 */
#ifndef LPMC_PERF_H
#define LPMC_PERF_H

#include <linux/perf_event.h>

#include "state.h"

/*
 * The smallest reload count.  In user mode a program makes progress with any count.  In the kernel,
 * Linux's interrupt handler itself takes some 1300 instructions.  With that count or a smaller one,
 * a program makes progress only because Linux throttles the interrupts.  Measured in the guest:
 * programs made progress at 1300 (63,000 samples, where 1500 gave 2,400), at 1000 and at 800, but
 * not at 500.
 */
#define LPMC_RELOAD_MIN	    1000
#define LPMC_RELOAD_DEFAULT 65536
/* Linux raises a shorter period of a clock to these nanoseconds; its records do not show that. */
#define LPMC_RELOAD_CLOCK   10000

/* Which fields the records of a PMC have.  lpmc_attr() asks for the same fields. */
enum lpmc_layout { LPMC_PLAIN, LPMC_CHAIN, LPMC_SWITCH, LPMC_RECORDS };
enum lpmc_layout lpmc_layout_of(const struct lpmc *p);

/* attr.c - the attributes of events.  Pure. */

/* The event that counts or samples. */
void lpmc_attr(const struct lpmc *p, struct perf_event_attr *attr);
/* Only the modes in which it counts. */
void lpmc_attr_modes(const struct lpmc *p, struct perf_event_attr *attr);
/* PMC_F_LOG_PROCCSW: the event that samples at each switch.  It leads the group. */
void lpmc_attr_switch_leader(const struct lpmc *p, struct perf_event_attr *attr);

/* jitter.c */

/* How many samples Linux takes with one period before the period changes.  Pure. */
unsigned lpmc_jitter_samples(uint64_t reload);
/* Draws the next period: three to five quarters of the reload count. */
uint64_t lpmc_jitter_period(struct lpmc *p);
/* Draws a period and sets it for the events on a CPU. */
void lpmc_jitter(struct lpmc *p, int cpu);

/* open.c - perf_event_open(2), and why it has failed. */

/* Opens an event.  Returns a descriptor; or -1 with the errno of pmc_allocate(3), and the text. */
int lpmc_open(const struct lpmc *p, struct perf_event_attr *attr, pid_t pid, int cpu, int group);
/* Only calls perf_event_open(2), and counts the call; errno is the kernel's. */
int lpmc_open_raw(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
/*
 * Explains the errno of lpmc_open_raw(): sets the errno of pmc_allocate(3), and the text; returns
 * -1.
 */
int lpmc_open_failed(const struct lpmc *p, const struct perf_event_attr *attr, pid_t pid, int cpu);
/* Reads the number in a file such as /proc/sys/kernel/...; `otherwise` if it cannot be read. */
int lpmc_setting(const char *path, int otherwise);
/*
 * A text that explains what the driver riscv-pmu-legacy cannot do.  Linux uses it on RISC-V if the
 * firmware has no PMU extension.  NULL: Linux uses another driver.
 */
const char *lpmc_legacy(void);

/* probe.c */

/* 0 if a PMC would count; else -1 with the errno and the text of pmc_allocate(). */
int lpmc_probe(const struct lpmc *p);
/* 0 if the PMCs would count together; -1 with EBUSY if there are too few counters for that. */
int lpmc_probe_group(struct lpmc *const *list, unsigned nr);
/* PMC_CAP_* of an event on this machine. */
uint32_t lpmc_probe_caps(const struct lpmc *p);

#endif
