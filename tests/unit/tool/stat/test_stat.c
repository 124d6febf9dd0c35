// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_stat.c - holter stat: what it refuses, and its table and JSON of known counts, byte for
 * byte.
 */
#include "fakekernel.h"

#include <cmd_stat.h>
#include <math.h>
#include <stat.h>

#include "captured.h"
#include "said.h"

#define STAT(...) run((const char *const[]){ "stat", ##__VA_ARGS__, NULL })

static int run(const char *const *args)
{
	int status;
	char *out = captured(cmd_stat, args, &status);

	free(out);
	return status;
}

static void refuses(const char *says, int status)
{
	is(status, 2);
	ok(has_said(says));
}

static void bad_options(void)
{
	fake_boot();
	refuses("nothing to measure", STAT());
	refuses("unknown event nonesuch", STAT("-e", "nonesuch", "true"));
	refuses("did you mean cycles?", STAT("-e", "instructions,cylces", "true"));
	refuses("after the colon write u", STAT("-e", "cycles:x", "true"));
	refuses("an event without a name", STAT("-e", "", "true"));
	refuses("an event without a name", STAT("-e", "cycles,,instructions", "true"));
	refuses("-r '0': must be a number from 1 to 2147483647", STAT("-r", "0", "true"));
	refuses("-r '2147483648': must be a number from 1 to", STAT("-r", "2147483648", "true"));
	refuses("-r '2x': must be a number", STAT("-r", "2x", "true"));
	refuses("-r '99999999999': must be a number", STAT("-r", "99999999999", "true"));
	refuses("-I '-5': must be a number from 1 to", STAT("-I", "-5", "true"));
	refuses("-I '3000ms': must be a number of milliseconds; did you mean -I 3000?",
		STAT("-I", "3000ms", "true"));
	refuses("-I '9999999999': must be a number from 1 to", STAT("-I", "9999999999", "true"));
	refuses("-A needs --all-cpus or --cpu LIST: it shows each CPU by itself",
		STAT("-A", "true"));
	refuses("-r needs a program: it runs", STAT("-C", "0", "-r", "2"));
	refuses("--per-thread needs --pid LIST or --tid LIST: it shows threads",
		STAT("--per-thread", "true"));
	refuses("-D needs a program", STAT("-D", "100", "-p", "1"));
	refuses("there is no group of metrics 'nonesuch'", STAT("-M", "nonesuch", "true"));
	refuses("there is no group of metrics 'cahe'; did you mean cache?",
		STAT("-M", "cahe", "true"));
	refuses("there is no group of metrics 'ipcc'; did you mean -M default, which has the "
		"metric ipc?",
		STAT("-M", "ipcc", "true"));
	refuses("-M 'ipc': this is a metric; -M default counts its group",
		STAT("-M", "ipc", "true"));
	refuses("-M vector: this machine has none of the group's events; holter stat --metrics",
		STAT("-M", "vector", "true"));
	refuses("-M vector: this machine has none", STAT("-e", "cycles", "-M", "vec", "true"));
	refuses("/nonesuch: No such file", STAT("-M", "/nonesuch", "true"));
	refuses("-o /nonesuch/file: No such file", STAT("-o", "/nonesuch/file", "true"));
	refuses("there is no option '--nonsense'; see holter stat --help", STAT("--nonsense"));
	refuses("there is no option '-z'", STAT("-az", "true"));
	refuses("-e needs a value after it; see holter stat --help", STAT("-e"));
	refuses("--output needs a value", STAT("--output"));
	is(fake_nr_open(), 0);
}

static void machines(void)
{
	fake_boot();
	fake.no_pmu = true;
	refuses("cycles: this machine has no hardware counters",
		STAT("-C", "0", "-e", "cycles", "true"));
	fake_boot();
	refuses("bus-cycles: this machine does not count it",
		STAT("-C", "0", "-e", "bus-cycles", "true"));
	fake_boot();
	fake.paranoid = 2;
	refuses("cycles: system scope needs root", STAT("-C", "1", "-e", "cycles", "true"));
	/* the default events, none of which can be counted */
	refuses("task-clock: system scope needs root", STAT("-C", "1", "true"));
	/* a clock has no user mode, but that is not the problem with another user's process */
	refuses("task-clock: process 1 belongs to another user", STAT("-p", "1", "true"));
	fake_boot();
	fake_end();
	fake.no_perf = true;
	refuses("this kernel has no perf events", STAT("true"));
}

/*
 * Tables of known counts
 */

static struct stat_run s;
static char *text;
static size_t size;
static char program[] = "./program", argument[] = "an argument";
static char *command[] = { program, argument, NULL };

static void begin(const char *events, unsigned runs)
{
	struct expr_error error;
	unsigned line;
	static const char metrics[] =
		"ipc = instructions / cycles ; instructions per cycle\n"
		"miss-ratio = 100 * branch_misses / branches ; % of branches\n"
		"mpki = 1000 * branch_misses / instructions ; per 1000 instructions\n"
		"branch-share = 100 * branches / instructions ; % of instructions\n"
		"rate = branch_misses / seconds ; a second\n";

	s = (struct stat_run){ .runs = runs, .target.command = command, .metrics_read = true };
	is(events_add(&s.events, events), 0);
	s.e = calloc(s.events.nr, sizeof(*s.e));
	for (unsigned n = 0; n < s.events.nr; n++)
		ok(metric_key(s.events.at[n].spec, s.e[n].key));
	ok(metric_parse(&s.metrics, "g", metrics, strlen(metrics), &line, &error));
	s.to = open_memstream(&text, &size);
}

static void count(unsigned n, uint64_t value)
{
	s.e[n].count = value;
	s.e[n].enabled = s.e[n].running = 1000;
	s.e[n].share = 1;
	spread_add(&s.e[n].spread, (double)value);
}

static void time_is(double seconds, double user)
{
	spread_add(&s.seconds, seconds);
	spread_add(&s.user, user);
	spread_add(&s.system, 0);
}

static void end_is(const char *want)
{
	fclose(s.to);
	is_str(text, want);
	free(text);
	for (unsigned n = 0; n < s.events.nr; n++)
		free(s.e[n].reason);
	free(s.e);
	events_free(&s.events);
	metric_free(&s.metrics);
}

static void all(void (*show)(struct stat_run *s, const struct stat_times *t))
{
	show(&s, &(struct stat_times){ .seconds = s.seconds.mean, .to = s.seconds.mean });
}

static void table(void)
{
	begin("task-clock,cycles,instructions:u,instructions,branches,branch-misses,raw=0x11,"
	      "faults",
	      1);
	count(0, 1234567);
	count(1, 3000);
	count(2, 999);
	count(3, 1000);
	count(4, 1234567890123);
	s.e[5].reason = strdup("no counter does");
	s.e[6].reason = strdup("no counter does");
	count(7, 0);
	time_is(0.5, 0.25);
	all(stat_show);
	end_is("\n Performance counters of './program an argument':\n\n"
	       "                1.23 ms   task-clock                  \n"
	       "               3,000      cycles                      \n"
	       "                 999      instructions:u              \n"
	       "               1,000      instructions                 #       0.33 instructions "
	       "per cycle\n"
	       "   1,234,567,890,123      branches                     # 123,456,789,012.3 % of "
	       "instructions\n"
	       "       <not counted>      branch-misses                # [1]\n"
	       "       <not counted>      raw=0x11                     # [1]\n"
	       "                   0      faults                      \n"
	       "\n"
	       "         0.500000000 seconds elapsed\n"
	       "         0.250000000 seconds user\n"
	       "         0.000000000 seconds system\n"
	       "\n"
	       " [1] no counter does\n"
	       "\n");
}

/* On a terminal of 80 columns the words go on under their column, and names lose their middle. */
static void narrow_table(void)
{
	begin("branch-misses,HW_CACHE_L1D_PREFETCH_ACCESS:u,instructions,branches", 1);
	s.width = 80;
	count(0, 50000);
	s.e[0].share = 0.5;
	count(1, 7);
	count(2, 1000);
	s.e[3].reason = strdup("this machine does not count it: the firmware (its device tree's "
			       "pmu node) maps no counter to the event");
	time_is(0.5, 0);
	all(stat_show);
	end_is("\n Performance counters of './program an argument':\n\n"
	       "              50,000      branch-misses                #   50,000.0 per 1000\n"
	       "                                                         instructions  (an\n"
	       "                                                         estimate: counted\n"
	       "                                                         50.00% of the time)\n"
	       "                                                       #  100,000.0 a second\n"
	       "                   7      HW_CACHE_L1D_...TCH_ACCESS:u\n"
	       "               1,000      instructions                \n"
	       "       <not counted>      branches                     # [1]\n"
	       "\n"
	       "         0.500000000 seconds elapsed\n"
	       "         0.000000000 seconds user\n"
	       "         0.000000000 seconds system\n"
	       "\n"
	       " [1] this machine does not count it: the firmware (its device tree's pmu node)\n"
	       "     maps no counter to the event\n"
	       "\n");
}

/* A clock has separators as all numbers, and the title goes on below itself. */
static void narrow_title(void)
{
	begin("task-clock", 1);
	s.width = 40;
	count(0, 1234567890);
	time_is(2, 0);
	all(stat_show);
	end_is("\n Performance counters of './program an\n"
	       "  argument':\n"
	       "\n"
	       "            1,234.57 ms   task-clock                  \n"
	       "\n"
	       "         2.000000000 seconds elapsed\n"
	       "         0.000000000 seconds user\n"
	       "         0.000000000 seconds system\n"
	       "\n");
}

static void more_metrics_than_one(void)
{
	begin("branch-misses,branches,instructions", 1);
	count(0, 5);
	count(1, 100);
	count(2, 1000);
	time_is(0.5, 0);
	all(stat_show);
	end_is("\n Performance counters of './program an argument':\n\n"
	       "                   5      branch-misses                #       5.00 % of branches\n"
	       "                                                       #       5.00 per 1000 "
	       "instructions\n"
	       "                                                       #      10.00 a second\n"
	       "                 100      branches                     #      10.00 % of "
	       "instructions\n"
	       "               1,000      instructions                \n"
	       "\n"
	       "         0.500000000 seconds elapsed\n"
	       "         0.000000000 seconds user\n"
	       "         0.000000000 seconds system\n"
	       "\n");
}

static void runs(void)
{
	begin("cycles,cycles:u", 3);
	for (unsigned n = 0; n < 3; n++) {
		count(0, 100 + 10 * n);
		count(1, 7);
		time_is(1 + n, 0);
	}
	all(stat_show);
	/* 10 / sqrt(3) / 110, and 1 / sqrt(3) / 2 */
	end_is("\n Performance counters of './program an argument' (3 runs):\n\n"
	       "                 110      cycles                        ( +-  5.25% )\n"
	       "                   7      cycles:u                      ( +-  0.00% )\n"
	       "\n"
	       "         2.000000000 seconds elapsed  ( +- 28.87% )\n"
	       "         0.000000000 seconds user\n"
	       "         0.000000000 seconds system\n"
	       "\n");
}

static void estimates(void)
{
	begin("cycles,multiplex", 1);
	count(0, 100);
	s.e[0].share = 0.4;
	time_is(1, 0);
	all(stat_show);
	end_is("\n Performance counters of './program an argument':\n\n"
	       "                 100      cycles                        (an estimate: counted "
	       "40.00% "
	       "of the time)\n"
	       "\n"
	       "         1.000000000 seconds elapsed\n"
	       "         0.000000000 seconds user\n"
	       "         0.000000000 seconds system\n"
	       "\n");
}

static void intervals(void)
{
	static const struct stat_times when = { 0.5, 1, 1.5, true };

	begin("cycles,instructions,branches", 1);
	s.interval = 500;
	count(0, 3000);
	count(1, 2500);
	s.e[0].before = 2000;
	s.e[1].before = 1000;
	s.e[2].reason = strdup("no counter does");
	stat_show(&s, &when);
	stat_json(&s, &when);
	end_is("      1.500000                1,000      cycles                      \n"
	       "      1.500000                1,500      instructions                 #       1.50 "
	       "instructions per cycle\n"
	       "      1.500000        <not counted>      branches                     # [1]\n"
	       "{\"interval\": true, \"from\": 1, \"to\": 1.5, \"events\": ["
	       "{\"event\": \"cycles\", \"name\": \"HW_CPU_CYCLES\", \"count\": 1000, "
	       "\"reason\": null}, "
	       "{\"event\": \"instructions\", \"name\": \"HW_INSTRUCTIONS\", \"count\": 1500, "
	       "\"reason\": null}, "
	       "{\"event\": \"branches\", \"name\": \"HW_BRANCH_INSTRUCTIONS\", "
	       "\"count\": null, \"reason\": \"no counter does\"}], "
	       "\"metrics\": [{\"metric\": \"ipc\", \"group\": \"g\", \"value\": 1.5, "
	       "\"text\": \"instructions per cycle\"}]}\n");
}

static void fields(void)
{
	static const struct stat_times when = { 0.5, 1, 1.5, true };

	begin("cycles,instructions,task-clock,branches", 1);
	s.separator = ",";
	count(0, 3000);
	count(1, 6000);
	count(2, 1500000);
	s.e[0].running = 40;
	s.e[0].share = 0.4;
	s.e[3].reason = strdup("no counter does");
	s.e[3].share = 0;
	time_is(1, 0);
	all(stat_fields);
	s.interval = 500;
	s.e[0].before = 2000;
	s.e[0].enabled = 50;
	stat_fields(&s, &when);
	end_is("3000,,cycles,40,40.00,,\n"
	       "6000,,instructions,1000,100.00,,\n"
	       "1.5,msec,task-clock,1000,100.00,,\n"
	       "<not counted>,,branches,0,0.00,,\n"
	       ",,,,,2,instructions per cycle\n"
	       "1.500000000,1000,,cycles,40,80.00,,\n"
	       "1.500000000,6000,,instructions,1000,100.00,,\n"
	       "1.500000000,1.5,msec,task-clock,1000,100.00,,\n"
	       "1.500000000,<not counted>,,branches,0,100.00,,\n"
	       "1.500000000,,,,,,6,instructions per cycle\n");
	begin("cycles", 2);
	s.separator = ";";
	count(0, 3000000000);
	count(0, 4000000000);
	time_is(1, 0);
	all(stat_fields);
	/* The separator is quoted, and so is what a terminal would obey. */
	free(s.events.at[0].name);
	s.events.at[0].name = strdup("a;\033[2J");
	all(stat_fields);
	end_is("3500000000;;cycles;14.29%;1000;100.00;;\n"
	       "3500000000;;\"a;?[2J\";14.29%;1000;100.00;;\n");
}

static void json(void)
{
	begin("cycles,branch-misses", 2);
	count(0, 3);
	count(0, 4);
	s.e[1].reason = strdup("say \"no\"");
	s.target.status = 7;
	time_is(1, 0.5);
	time_is(1, 0.5);
	all(stat_json);
	end_is("{\"command\": [\"./program\", \"an argument\"], \"runs\": 2, \"status\": 7, "
	       "\"seconds\": 1, \"seconds_spread\": 0, \"user_seconds\": 0.5, \"user_spread\": 0, "
	       "\"system_seconds\": 0, \"system_spread\": null, \"events\": [\n"
	       "  {\"event\": \"cycles\", \"name\": \"HW_CPU_CYCLES\", \"count\": 3.5, "
	       "\"spread\": 0.142857143, \"share\": 1, \"reason\": null},\n"
	       "  {\"event\": \"branch-misses\", \"name\": \"HW_BRANCH_MISSES\", "
	       "\"count\": null, \"reason\": \"say \\\"no\\\"\"}\n], \"metrics\": []}\n");
	begin("cycles", 1);
	count(0, 18446744073709551615ull);
	time_is(0.25, 0);
	s.target = (struct target){ .pids = { (int[]){ 12, 13 }, 2, 0 } };
	all(stat_json);
	end_is("{\"pids\": [12, 13], \"runs\": 1, \"seconds\": 0.25, \"events\": [\n"
	       "  {\"event\": \"cycles\", \"name\": \"HW_CPU_CYCLES\", "
	       "\"count\": 18446744073709551615, \"share\": 1, \"reason\": null}\n], "
	       "\"metrics\": []}\n");
}

static void titles(void)
{
	begin("cycles", 1);
	s.target = (struct target){ .cpus = { (int[]){ 0, 2 }, 2, 0 } };
	count(0, 1);
	time_is(1, 0);
	all(stat_show);
	end_is("\n Performance counters of the CPUs 0, 2:\n\n"
	       "                   1      cycles                      \n"
	       "\n"
	       "         1.000000000 seconds elapsed\n"
	       "\n");
}

/* An event of two CPUs: the counts of each in this run or interval and before it. */
static void count_cpus(unsigned n, uint64_t first, uint64_t second)
{
	if (!s.e[n].parts)
		s.e[n].parts = calloc(2, sizeof(*s.e[n].parts));
	s.e[n].parts[0].count = first;
	s.e[n].parts[1].count = second;
	spread_add(&s.e[n].parts[0].spread, (double)first);
	spread_add(&s.e[n].parts[1].spread, (double)second);
	count(n, first + second);
}

static void free_cpus(void)
{
	for (unsigned n = 0; n < s.events.nr; n++)
		free(s.e[n].parts);
}

#define NO_BRANCHES                                                                                \
	"{\"event\": \"branches\", \"name\": \"HW_BRANCH_INSTRUCTIONS\", \"count\": null, "        \
	"\"reason\": \"no counter does\"}"
#define IPC	 "{\"metric\": \"ipc\", \"group\": \"g\", \"value\": "
#define IPC_TEXT ", \"text\": \"instructions per cycle\"}"

static void each_cpu(void)
{
	static const struct stat_times when = { 0.5, 0, 0.5, true, 2, 0 };

	begin("cycles,instructions,branches", 2);
	s.target = (struct target){ .cpus = { (int[]){ 0, 12 }, 2, 0 } };
	s.per_cpu = true;
	count_cpus(0, 100, 7000);
	count_cpus(1, 50, 0);
	s.e[0].parts[1].before = 1;
	count_cpus(2, 0, 0);
	s.e[2].reason = strdup("no counter does");
	time_is(1, 0);
	stat_show(&s, &when);
	s.interval = 500;
	stat_json(&s, &when);
	count_cpus(0, 300, 1000);
	all(stat_show);
	free_cpus();
	end_is("# run 2 of 2\n"
	       "      0.500000 CPU0                    100      cycles                      \n"
	       "      0.500000 CPU0                     50      instructions                 #     "
	       "  0.50 "
	       "instructions per cycle\n"
	       "      0.500000 CPU0          <not counted>      branches                     # "
	       "[1]\n"
	       "      0.500000 CPU12                 6,999      cycles                      \n"
	       "      0.500000 CPU12                     0      instructions                 #     "
	       "  0.00 "
	       "instructions per cycle\n"
	       "      0.500000 CPU12         <not counted>      branches                     # "
	       "[1]\n"
	       "{\"interval\": true, \"run\": 2, \"from\": 0, \"to\": 0.5, \"events\": ["
	       "{\"event\": \"cycles\", \"name\": \"HW_CPU_CYCLES\", \"count\": 7100, \"reason\": "
	       "null}, "
	       "{\"event\": \"instructions\", \"name\": \"HW_INSTRUCTIONS\", \"count\": 50, "
	       "\"reason\": null}, " NO_BRANCHES "], \"metrics\": [" IPC "0.00704225352" IPC_TEXT
	       "], \"per_cpu\": [{\"cpu\": 0, \"events\": ["
	       "{\"event\": \"cycles\", \"name\": \"HW_CPU_CYCLES\", \"count\": 100, \"reason\": "
	       "null}, "
	       "{\"event\": \"instructions\", \"name\": \"HW_INSTRUCTIONS\", \"count\": 50, "
	       "\"reason\": null}, " NO_BRANCHES "], \"metrics\": [" IPC "0.5" IPC_TEXT "]}, "
	       "{\"cpu\": 12, \"events\": ["
	       "{\"event\": \"cycles\", \"name\": \"HW_CPU_CYCLES\", \"count\": 6999, \"reason\": "
	       "null}, "
	       "{\"event\": \"instructions\", \"name\": \"HW_INSTRUCTIONS\", \"count\": 0, "
	       "\"reason\": null}, " NO_BRANCHES "], \"metrics\": [" IPC "0" IPC_TEXT "]}]}\n"
	       "\n Performance counters of the CPUs 0, 12:\n\n"
	       "CPU0                    200      cycles                        ( +- 50.00% )\n"
	       "CPU0                     50      instructions                 #       0.25 "
	       "instructions "
	       "per cycle\n"
	       "CPU0          <not counted>      branches                     # [1]\n"
	       "CPU12                 4,000      cycles                        ( +- 75.00% )\n"
	       "CPU12                     0      instructions                 #       0.00 "
	       "instructions "
	       "per cycle\n"
	       "CPU12         <not counted>      branches                     # [1]\n"
	       "\n"
	       "         1.000000000 seconds elapsed\n"
	       "\n"
	       " [1] no counter does\n"
	       "\n");
}

#define CYCLES	"\"event\": \"cycles\", \"name\": \"HW_CPU_CYCLES\", \"count\": "
#define COUNTED ", \"share\": 1, \"reason\": null"

/* Threads have their names where CPUs have theirs. */
static void each_thread(void)
{
	char first[] = "worker-12", second[] = "a longer one-345";
	char *threads[] = { first, second };

	begin("cycles", 1);
	s.target = (struct target){ .pids = { (int[]){ 12, 345 }, 2, 0 },
				    .threads = true,
				    .each = true };
	s.threads = threads;
	count_cpus(0, 100, 7000);
	time_is(1, 0);
	all(stat_show);
	s.separator = ",";
	all(stat_fields);
	all(stat_json);
	free_cpus();
	end_is("\n Performance counters of threads 12, 345:\n\n"
	       "worker-12                         100      cycles                      \n"
	       "a longer one-345                7,000      cycles                      \n"
	       "\n"
	       "         1.000000000 seconds elapsed\n"
	       "\n"
	       "worker-12,100,,cycles,1000,100.00,,\n"
	       "a longer one-345,7000,,cycles,1000,100.00,,\n"
	       "{\"tids\": [12, 345], \"runs\": 1, \"seconds\": 1, \"events\": [\n"
	       "  {" CYCLES "7100" COUNTED "}\n"
	       "], \"metrics\": [], \"per_thread\": [\n"
	       "  {\"thread\": 12, \"name\": \"worker-12\", \"events\": [\n"
	       "    {" CYCLES "100" COUNTED "}\n"
	       "  ], \"metrics\": []},\n"
	       "  {\"thread\": 345, \"name\": \"a longer one-345\", \"events\": [\n"
	       "    {" CYCLES "7000" COUNTED "}\n"
	       "  ], \"metrics\": []}\n"
	       "]}\n");
}

/* What -M asks and the machine has not is left out, in one line for each reason. */
static void left_out(void)
{
	struct expr_error error;
	unsigned line;
	static const char metrics[] = "for 0x1-0x2\n"
				      "x = cycles / branches ; x\n"
				      "without a, b ; it has no a\n"
				      "without c ; nor c\n";

	begin("cycles,branches,branch-misses,instructions", 1);
	ok(metric_parse(&s.metrics, "h", metrics, strlen(metrics), &line, &error));
	s.metrics.groups.at[0].asked = s.metrics.groups.at[1].asked = true;
	count(0, 10);
	s.e[1].reason = strdup("no counter does");
	s.e[1].refused = true;
	s.e[1].group = 1;
	s.e[2].reason = strdup("was not on a counter"); /* another reason: it stays */
	s.e[2].group = 1;
	count(3, 20);
	time_is(1, 0);
	all(stat_show);
	end_is("\n Performance counters of './program an argument':\n\n"
	       "                  10      cycles                      \n"
	       "       <not counted>      branch-misses                # [1]\n"
	       "                  20      instructions                 #       2.00 instructions "
	       "per cycle\n"
	       "\n"
	       "         1.000000000 seconds elapsed\n"
	       "         0.000000000 seconds user\n"
	       "         0.000000000 seconds system\n"
	       "\n"
	       " [1] was not on a counter\n"
	       "\n -M g: without miss-ratio, branch-share: this machine does not count their "
	       "events\n"
	       "\n -M h: without x: this machine does not count their events\n"
	       "\n -M h: without a, b: it has no a\n"
	       "\n -M h: without c: nor c\n"
	       "\n");
}

static unsigned leaders, siblings;

/* The members of a group when it is started; before, libpmc tries each event alone. */
static void look_at(struct fake_event *e)
{
	if (!(e->attr.read_format & PERF_FORMAT_GROUP))
		return;
	leaders++;
	for (unsigned n = 0; n < FAKE_FDS; n++)
		siblings += fake.event[n].open && fake.event[n].group >= 0;
}

static char *grouped(int counters, const char *const *args)
{
	int status;
	char *out;

	fake_boot();
	fake.any_process = true;
	fake.counters = counters;
	fake.mapped_raw = 1 << 5;
	leaders = siblings = 0;
	fake.enabled = look_at;
	out = captured(cmd_stat, args, &status);
	return out;
}

/*
 * The events of a group of -M are one group of the kernel's if they fit; otherwise that is
 * reported.
 */
static void groups(void)
{
	static char file[] = "/tmp/test-stat-XXXXXX.metric", table_of[] = "/tmp/test-stat-XXXXXX";
	const char *own[] = { "stat", "-o", table_of, "-M", file, "-C", "0", "true", NULL };
	const char *both[] = { "stat", "-e", "cycles", "-M", file, "-C", "0", "true", NULL };
	static const char *const none[] = { "stat", "-e", "cycles,instructions,raw=0x5", "-C", "0",
					    "true", NULL };
	/* branches has no counter in the fake kernel: it is left out */
	static const char lines[] = "a = 'raw=0x5' / instructions ; x\n"
				    "b = cycles / branches ; y\n";
	int fd = mkstemps(file, 7);
	char *out, shown[2000] = "";
	FILE *from;

	is(write(fd, lines, strlen(lines)), strlen(lines));
	close(fd);
	close(mkstemp(table_of));
	out = grouped(8, own);

	ok(leaders == 1 && siblings == 2); /* raw=0x5, instructions, cycles */
	free(out);
	out = grouped(8, both);
	ok(leaders == 1 && siblings == 1); /* without cycles */
	free(out);
	out = grouped(8, none);
	ok(leaders == 0);
	free(out);
	out = grouped(2, own);
	is(leaders, 0);
	free(out);
	from = fopen(table_of, "r");
	ok(from && fread(shown, 1, sizeof(shown) - 1, from) > 0 &&
	   strstr(shown, "do not fit on the counters together"));
	fclose(from);
	unlink(file);
	unlink(table_of);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "bad options", bad_options },
		{ "no event counts", machines },
		{ "the table", table },
		{ "several metrics of an event", more_metrics_than_one },
		{ "a narrow terminal", narrow_table },
		{ "a title on a narrow terminal, and a clock", narrow_title },
		{ "several runs", runs },
		{ "estimates are marked", estimates },
		{ "intervals, and as lines of JSON", intervals },
		{ "fields for programs", fields },
		{ "JSON", json },
		{ "CPUs", titles },
		{ "each CPU by itself", each_cpu },
		{ "a table, fields and JSON of each thread", each_thread },
		{ "-M leaves out what the machine does not count", left_out },
		{ "groups of -M", groups },
	};
	int result;

	setenv("TERM", "dumb", 1);
	setenv("XDG_CONFIG_HOME", "/nonesuch", 1);
	result = tap_run(cases, TAP_NR(cases));
	fake_end(); /* nothing may be left allocated */
	return result;
}
