/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - runs the tests that the boot arguments choose.
 *
 * Boot arguments:
 *	only=1,2,...	runs these tests only
 *	from=N		begins with test N: after a crash of the firmware, `run` continues there
 *	part=1		no tests of several harts; part=2: only these.  QEMU counts exactly with
 *			-icount, but harts that wait for each other are then very slow
 *	seed=N		the seed of storm.c
 *	stray=1		starts harts at the boot address, as a faulty firmware would (`verdict`)
 * Before each test a line "@ number name # section" tells the script which test begins.
 *
 * May call: the groups, the suite, the runtime.
 */
#include "group.h"

static const struct group *const groups[] = {
	&group_base,	 &group_info,	&group_config,	  &group_event,
	&group_start,	 &group_stop,	&group_fwread,	  &group_fwevent,
	&group_snapshot, &group_evinfo, &group_overflow,  &group_smp,
	&group_sbi,	 &group_memory, &group_delegated, &group_storm,
};

static void print_facts(void)
{
	out("# SBI %u.%u, implementation %lu version 0x%lx, RV%u, %u harts, %lu counters\n",
	    (unsigned)(facts.spec >> 24) & 0x7f, (unsigned)facts.spec & 0xffffff,
	    (unsigned long)facts.impl, (unsigned long)facts.impl_version, RV_XLEN, rt_nr_harts,
	    (unsigned long)facts.nr_ctrs);
	out("# hardware counters 0x%llx, firmware counters 0x%llx, cycles on 0x%llx\n",
	    (unsigned long long)facts.hw, (unsigned long long)facts.fw,
	    (unsigned long long)facts.cycles_ctrs);
	out("# Sscofpmf %s, snapshots %s, event_get_info %s, machine %s\n",
	    facts.sscofpmf ? "yes" : "no", facts.snapshot ? "yes" : "no",
	    facts.evinfo ? "yes" : "no", facts.exact ? "exact" : "not exact");
}

static bool chosen(unsigned number, const struct test *t)
{
	unsigned part = rt_arg("part", 0);
	bool smp = t->need & (NEED_SMP | ON_SMP);

	if (number < rt_arg("from", 1) || (part && smp != (part == 2)))
		return false;
	return !rt_arg("only", 0) || rt_arg_lists("only", number);
}

void main_payload(void)
{
	unsigned number = 0, total = 0;

	for (unsigned g = 0; g < ARRAY_LEN(groups); g++)
		total += groups[g]->nr_tests;
	out("TAP version 14\n1..%u\n", total);
	harts_start();
	facts_probe();
	print_facts();
	for (unsigned g = 0; g < ARRAY_LEN(groups); g++) {
		for (unsigned i = 0; i < groups[g]->nr_tests; i++) {
			number++;
			if (chosen(number, &groups[g]->tests[i]))
				run_test(number, groups[g], &groups[g]->tests[i]);
		}
	}
	out("# done\n");
}
