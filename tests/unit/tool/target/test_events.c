// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_events.c - what -e accepts (events.h).
 */
#include "fakekernel.h"

#include <stdlib.h>

#include <events.h>

#include "said.h"

static void named(const char *text, unsigned n, const char *name, const char *spec)
{
	struct events e = { 0 };

	tap_context("-e %s", text);
	is(events_add(&e, text), 0);
	ok(n < e.nr);
	if (n < e.nr) {
		is_str(e.at[n].name, name);
		is_str(e.at[n].spec, spec);
	}
	events_free(&e);
}

static void lists(void)
{
	struct events e = { 0 };

	named("cycles", 0, "cycles", "cycles");
	named("cycles:u", 0, "cycles:u", "cycles,usr");
	named("cycles:k", 0, "cycles:k", "cycles,os");
	named("cycles:uk", 0, "cycles", "cycles,usr,os");
	named("cycles,usr,multiplex", 0, "cycles:u", "cycles,usr,multiplex");
	named("raw=0x15,OS", 0, "raw=0x15:k", "raw=0x15,os");
	named("cycles:u,instructions", 0, "cycles:u", "cycles,usr");
	named("cycles:u,instructions", 1, "instructions", "instructions");
	named("cycles,instructions,usr,faults:k", 1, "instructions:u", "instructions,usr");
	named("cycles,instructions,usr,faults:k", 2, "faults:k", "faults,os");
	is(events_add(&e, "cycles,usr"), 0);
	is(events_add(&e, "branches"), 0); /* -e again */
	is(e.nr, 2);
	is_str(e.at[1].spec, "branches");
	events_free(&e);
}

static void wrong(void)
{
	struct events e = { 0 };

	says(events_add(&e, ""), 2, "without a name");
	says(events_add(&e, "cycles,,branches"), 2,
	     "'cycles,,branches': an event without a name; write one comma between two");
	says(events_add(&e, "cycles,"), 2, "without a name");
	says(events_add(&e, ":u"), 2, "without a name");
	says(events_add(&e, "cycles:pp"), 2, "'cycles:pp': after the colon");
	says(events_add(&e, "cycles:"), 2, "'cycles:': after the colon write u");
	says(events_add(&e, "cycles:up"), 2, "after the colon write u");
	ok(!strstr(said, "tracepoint"));
	says(events_add(&e, "sched:sched_switch"), 2,
	     "after the colon write u (user mode) or k (the kernel); tracepoints are not counted");
	says(events_add(&e, "{cycles,branches}"), 2, "no groups");
	says(events_add(&e, "cpu/cycles/"), 2, "'cpu/cycles/': write the event without a PMU");
	says(events_add(&e, "faults,cpu/event=0x11/u"), 2, "raw=0x... for a code");
	says(events_add(&e, "cycles;branches"), 2, "'cycles;branches': separate events by commas");
	events_free(&e);
}

static void user_mode(void)
{
	struct events e = { 0 };

	is(events_add(&e, "cycles,multiplex,faults:k"), 0);
	ok(events_user(&e.at[0]));
	is_str(e.at[0].name, "cycles:u");
	is_str(e.at[0].spec, "cycles,multiplex,usr");
	ok(!events_user(&e.at[0]));
	ok(!events_user(&e.at[1])); /* its mode was given */
	is_str(e.at[1].spec, "faults,os");
	events_free(&e);
}

static void reason_is(const char *spec, int cpu, const char *want)
{
	pmc_id_t id;
	char *reason;

	is(pmc_allocate(spec, PMC_MODE_SC, 0, cpu, &id, 0), -1);
	reason = events_reason();
	is_str(reason, want);
	free(reason);
}

static void reasons(void)
{
	fake_boot();
	reason_is("bus-cycles", 0,
		  "this machine does not count it: the firmware (its device tree's pmu node) maps "
		  "no counter to the event");
	reason_is("cycles", 9, "CPU 9 does not exist: CPU numbers are 0 to 1");
	fake_end(); /* nothing may be left allocated */
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "lists, and modifiers after a name", lists },
		{ "wrong ones", wrong },
		{ "an event in user mode alone", user_mode },
		{ "why an event does not count", reasons },
	};

	return tap_run(cases, TAP_NR(cases));
}
