// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_list.c - holter list on a fake kernel: its table, byte for byte.
 */
#include "fakekernel.h"

#include <cmd_list.h>

#include "captured.h"
#include "said.h"

static char *out;
static int status;

#define LIST(...) list((const char *const[]){ "list", ##__VA_ARGS__, NULL })

static void list(const char *const *args)
{
	free(out);
	out = captured(cmd_list, args, &status);
}

static unsigned lines_with(const char *words)
{
	unsigned nr = 0;

	for (const char *at = out; (at = strstr(at, words)); at++)
		nr++;
	return nr;
}

static void table(void)
{
	fake_boot();
	LIST("cpu");
	is(status, 0);
	is_str(out,
	       "  event                           counts    counter  samples  what it is\n"
	       "\n"
	       "Hardware events\n"
	       "  HW_CPU_CYCLES                   yes       0        yes      CPU clock cycles, "
	       "as the cycle CSR counts them\n"
	       "    cycles unhalted-cycles cpu-cycles\n"
	       "  HW_REF_CPU_CYCLES               no [1]    -        -        reference cycles, at "
	       "a fixed frequency while the clock runs\n"
	       "    ref-cycles\n"
	       "\n"
	       "What the kernel counts\n"
	       "  CPU_CLOCK                       yes       -        yes      nanoseconds, by the "
	       "CPU's clock\n"
	       "  CPU_MIGRATIONS                  yes       -        yes      moves to another "
	       "CPU\n"
	       "    migrations\n"
	       "\n"
	       "[1] this machine does not count it: the firmware (its device tree's pmu node) maps "
	       "no counter to the event\n");
	is(fake_nr_open(), 0);
}

/* On a terminal the words go on under their column. */
static void narrow_table(void)
{
	setenv("NO_COLOR", "1", 1);
	fake_boot();
	free(out);
	out = captured_in(90, cmd_list, (const char *const[]){ "list", "cpu_cycles", NULL },
			  &status);
	is(status, 0);
	is_str(out,
	       "  event                           counts    counter  samples  what it is\n"
	       "\n"
	       "Hardware events\n"
	       "  HW_CPU_CYCLES                   yes       0        yes      CPU clock cycles, as "
	       "the\n"
	       "                                                              cycle CSR counts "
	       "them\n"
	       "    cycles unhalted-cycles cpu-cycles\n"
	       "  HW_REF_CPU_CYCLES               no [1]    -        -        reference cycles, at "
	       "a fixed\n"
	       "                                                              frequency while the "
	       "clock\n"
	       "                                                              runs\n"
	       "    ref-cycles\n"
	       "\n"
	       "[1] this machine does not count it: the firmware (its device tree's pmu node) maps "
	       "no\n"
	       "    counter to the event\n");
	unsetenv("NO_COLOR");
}

static void patterns(void)
{
	fake_boot();
	LIST("fw set_timer");
	is(lines_with("\n  FW_SET_TIMER "), 1);
	is(lines_with("\n  FW"), 1);
	LIST("fw_ipi_*");
	is(lines_with("\n  FW_IPI_"), 2);
	is(lines_with("yes       -        no "), 2); /* firmware: no sampling */
	LIST("L1-DCACHE-LOAD-MISSES");
	is(lines_with("\n  HW_CACHE_L1D_READ_MISS "), 1);
	LIST("raw=0x5");
	is(lines_with("\n  raw=0x5                         yes       0 "), 1);
	LIST("raw=0x6,usr");
	is(lines_with("\n  raw=0x6,usr                     no [1] "), 1);
	is(lines_with("[1] gets no counter"), 1);
	LIST();
	is(lines_with("\n  HW_"), 10 + 42);
	is(lines_with("\n  FW_"), 22);
	is(lines_with("\nBy number: "), 1);
}

static void machines(void)
{
	fake_boot();
	fake.no_sscofpmf = true;
	LIST("cycles");
	is(lines_with("HW_CPU_CYCLES                   yes       0        no "), 1);
	fake_boot();
	fake.no_pmu = true;
	LIST("HW_*");
	is(lines_with(" no [1] "), 10 + 42);
	is(lines_with("[1] this machine has no hardware counters"), 1);
	is(lines_with("[2]"), 0);
	fake_boot();
	fake.paranoid = 2;
	LIST("HW_INSTRUCTIONS");
	is(lines_with("HW_INSTRUCTIONS                 user [1] "), 1);
	is(lines_with("[1] perf_event_paranoid is 2, so that only user mode may be counted"), 1);
	LIST("_clock");
	is(lines_with("  TASK_CLOCK                      yes       -        yes "), 1);
	LIST("context switches");
	is(lines_with("CONTEXT_SWITCHES                no [1] "), 1);
	is(lines_with("so that only user mode may be counted: as root: sysctl"), 1);
	fake_boot();
	fake.paranoid = 3;
	LIST("HW_INSTRUCTIONS");
	is(lines_with("HW_INSTRUCTIONS                 no [1] "), 1);
	is(lines_with("[1] perf_event_paranoid is 3, which forbids every event"), 1);
	fake_boot();
	LIST("cycles:u,raw=0x11,usr");
	is(lines_with("  cycles,usr                      yes "), 1);
	is(lines_with("  raw=0x11,usr                    "), 1);
	fake_boot();
	fake.counters = 0;
	LIST("HW_INSTRUCTIONS");
	is(lines_with("HW_INSTRUCTIONS                 no [1] "), 1);
	is(fake_nr_open(), 0);
}

static void json(void)
{
	fake_boot();
	LIST("--json", "bus-cycles");
	is_str(out, "{\"events\": [\n"
		    "  {\"name\": \"HW_BUS_CYCLES\", \"class\": \"RISCV_SBI\", "
		    "\"event_idx\": \"0x7\", \"aliases\": [\"bus-cycles\"], "
		    "\"text\": \"bus cycles, at a fixed frequency\", \"counts\": false, "
		    "\"user_only\": false, \"samples\": false, \"counter\": null, "
		    "\"reason\": \"this machine does not count it: the firmware (its device "
		    "tree's pmu node) maps no counter to the event\"}\n]}\n");
	LIST("--json", "faults");
	is(lines_with("{\"name\": \"PAGE_FAULTS\", \"class\": \"SOFT\", \"event_idx\": null, "
		      "\"aliases\": [\"page-fault.all\", \"faults\"], "),
	   1);
	is(lines_with("\"counts\": true, \"user_only\": false, \"samples\": true, "
		      "\"counter\": null, \"reason\": null}"),
	   3);
}

/* Raw events that the device tree names stand at the end. */
static void cpu_events(void)
{
	fake_boot();
	fake_event_names();
	LIST("*i*e");
	ok(strstr(out,
		  "\n"
		  "Events of this CPU\n"
		  "  five                            yes       0        yes      raw event 0x5 "
		  "of this CPU\n"));
	LIST("six");
	is_str(out,
	       "  event                           counts    counter  samples  what it is\n"
	       "\n"
	       "Events of this CPU\n"
	       "  six                             no [1]    -        -        raw event 0x6 of "
	       "this CPU\n"
	       "\n"
	       "[1] gets no counter: the firmware maps no counter to the event, or all its "
	       "counters are in use (by other PMCs, or by perf elsewhere)\n");
	LIST("--json", "five");
	is_str(out, "{\"events\": [\n"
		    "  {\"name\": \"five\", \"class\": \"RISCV_SBI\", "
		    "\"event_idx\": \"0x20000\", \"aliases\": [], "
		    "\"text\": \"raw event 0x5 of this CPU\", \"counts\": true, "
		    "\"user_only\": false, \"samples\": true, \"counter\": 0, "
		    "\"reason\": null}\n]}\n");
	LIST("--names");
	is(lines_with("\nfive\nsix\n"), 1);
	is(lines_with("\ncycles\n"), 1);
	LIST("five:u");
	is(lines_with("Raw events\n"), 0);
	is(lines_with("Events of this CPU\n  five,usr "), 1);
	LIST("fivee");
	is(status, 2);
	ok(has_said("did you mean five?"));
	/* holter-events(7) is the same on every machine */
	LIST("--man");
	is(lines_with("five"), 0);
	is(lines_with(".Bl "), lines_with(".El\n"));
}

static void names(void)
{
	LIST("--names");
	is(status, 0);
	is(strncmp(out, "HW_CPU_CYCLES\ncycles\nunhalted-cycles\ncpu-cycles\n", 48), 0);
	is(lines_with("\nFW_SET_TIMER\n"), 1);
	is(lines_with("\nL1-dcache-load-misses\n"), 1);
}

static void manual(void)
{
	const char *name;

	fake_boot();
	LIST("--man");
	is(lines_with(".It Ic HW_BUS_CYCLES Pq 0x7\n"
		      "Bus cycles, at a fixed frequency.\n"
		      "Also called\n"
		      ".Ic bus-cycles .\n"),
	   1);
	is(lines_with(".It Ic FW_SET_TIMER Pq 0xf0005\n"), 1);
	is(lines_with(".It Ic TASK_CLOCK\n"), 1);
	for (unsigned n = 0; (name = pmc_event_name(n)); n++) {
		char words[80];

		snprintf(words, sizeof(words), ".It Ic %s%s", name, n < 74 ? " Pq" : "\n");
		tap_context("%s", name);
		is(lines_with(words), 1);
	}
	is(lines_with(".Bl "), lines_with(".El\n"));
}

static void wrong(void)
{
	fake_boot();
	LIST("nonesuch-event");
	is(status, 2);
	ok(has_said("unknown event nonesuch-event"));
	LIST("cyclse");
	is(status, 2);
	ok(has_said("did you mean cycles?"));
	LIST("cahe");
	is(status, 2);
	ok(has_said("unknown event cahe; did you mean cache-misses?"));
	LIST("raw=words");
	is(status, 2);
	ok(has_said("write a number after raw="));
	LIST("a", "b");
	is(status, 2);
	ok(has_said("unexpected argument 'b': only one pattern is allowed"));
	LIST("--names", "a");
	is(status, 2);
	ok(has_said("--names does not go with a PATTERN: it lists all"));
	LIST("--names", "--json");
	is(status, 2);
	ok(has_said("--names does not go with --json: give one of them"));
	LIST("--nonsense");
	is(status, 2);
	ok(has_said("there is no option '--nonsense'; see holter list --help"));
	is_str(out, "");
}

static void no_perf(void)
{
	fake_boot();
	fake_end();
	fake.no_perf = true;
	LIST();
	is(status, 2);
	ok(has_said("this kernel has no perf events"));
	is_str(out, "");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the table", table },
		{ "the table on a narrow terminal", narrow_table },
		{ "patterns, and events by number", patterns },
		{ "machines that count less, and users with fewer rights", machines },
		{ "JSON", json },
		{ "events that the device tree names", cpu_events },
		{ "names", names },
		{ "the manual has every event", manual },
		{ "wrong patterns and options", wrong },
		{ "no perf at all", no_perf },
	};
	int result;

	setenv("TERM", "dumb", 1);
	result = tap_run(cases, TAP_NR(cases));
	free(out);
	fake_end(); /* nothing may be left allocated */
	return result;
}
