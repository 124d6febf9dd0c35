// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_stats.c - --stats-json: every row of machine_shape() is in it, and a change of a row changes
 * the text; the counts are those of --stats-all.
 */
#include <stdlib.h>
#include <string.h>
#include <tap.h>

#include <snapshot.h>
#include <stats.h>

static struct machine_options plain(void)
{
	return (struct machine_options){ .harts = 1,
					 .memory = 64 << 20,
					 .counters = MACHINE_AS_CPU,
					 .width = MACHINE_AS_CPU,
					 .semihosting = true };
}

/* The text that a function prints for a machine with these options; the caller frees it. */
static char *printed(const struct machine_options *o,
		     void (*print)(const struct machine *m,
				   const struct stats_before before[HARTS_MAX], FILE *to))
{
	static const struct stats_before birth[HARTS_MAX];
	struct machine m = { .o = *o, .hz = CPU_HZ, .cl.harts = o->harts };
	struct hart *hart = calloc(1, sizeof(*hart));
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);

	hart->now = 1234;
	hart->pmu.total[PRV_S][EVENT_NR - 1] = 20;
	hart->pmu.total[PRV_U][EVENT_NR - 1] = 3;
	for (unsigned n = 0; n < o->harts; n++)
		m.cl.hart[n] = hart;
	print(&m, birth, to);
	fclose(to);
	free(hart);
	return text;
}

/* The object "machine". */
static char *shape_of(const struct machine_options *o)
{
	char *text = printed(o, stats_json), *end = strstr(text, "\"harts\": [");

	ok(end != NULL);
	if (end)
		*end = '\0';
	return text;
}

static void rows(void)
{
	struct machine_options o = plain();
	char *text = shape_of(&o), key[64];
	struct machine_shape row;
	unsigned n;

	for (n = 0; machine_shape(&o, n, &row); n++) {
		const char *at;

		tap_context("%s", row.option);
		snprintf(key, sizeof(key), "\"%s\": ", row.key);
		at = strstr(text, key);
		ok(at && !strstr(at + 1, key)); /* once */
	}
	tap_context(" ");
	ok(n >= 16);
	ok(strstr(text, "\"memory\": 67108864"));
	ok(strstr(text, "\"counters\": null"));
	ok(strstr(text, "\"no_semihosting\": false"));
	ok(strstr(text, "\"name\": null"));
	free(text);
}

/* Each of these options makes another machine, and another text. */
static void changes(void)
{
	static char *sets[] = { (char *)"l2.size=4M" };
	static const struct cpu cpu = { .name = "small", .identity = 0x1234 };
	static const struct cpu traps = { .name = "small",
					  .identity = 0x1234,
					  .trap_misaligned = true };
	static const struct cpu set = { .name = "small", .identity = 5, .sets = { sets, 1, 1 } };
	struct machine_options o[20];
	unsigned nr = 0;

#define CHANGED(...)                                                                               \
	do {                                                                                       \
		o[nr] = plain();                                                                   \
		o[nr].__VA_ARGS__;                                                                 \
		nr++;                                                                              \
	} while (0)
	CHANGED(cpu = &cpu);
	CHANGED(cpu = &set);
	CHANGED(cpu = &traps);
	CHANGED(harts = 2);
	CHANGED(memory = 128 << 20);
	CHANGED(counters = 4);
	CHANGED(width = 40);
	CHANGED(quantum = 1000);
	CHANGED(paranoid = true);
	CHANGED(smstateen = true);
	CHANGED(svade = true);
	CHANGED(trap_misaligned = true);
	CHANGED(semihosting = false);
	CHANGED(drive = "file");
	CHANGED(share = "folder");
	CHANGED(network = true);
#undef CHANGED
	o[nr] = plain();
	o[nr].drive = "file";
	o[nr++].drive_read_only = true;
	for (unsigned i = 0; i < nr; i++) {
		char *a = shape_of(&o[i]), *b;

		for (unsigned k = 0; k < i; k++) {
			tap_context("%u and %u", k, i);
			b = shape_of(&o[k]);
			ok(strcmp(a, b) != 0);
			free(b);
		}
		tap_context(" ");
		free(a);
	}
}

static void same_counts(void)
{
	struct machine_options o = plain();
	char *json = printed(&o, stats_json), *text = printed(&o, stats_text), line[200];

	ok(strstr(text, "hart 0: 1234 ns\n"));
	snprintf(line, sizeof(line), "%20u  %-20s M %-14u S %-14u U %-14u\n", 23,
		 event_table[EVENT_NR - 1].name, 0, 20, 3);
	ok(strstr(text, line));
	ok(strstr(json, "\"ns\": 1234"));
	snprintf(line, sizeof(line),
		 "{\"event\": \"%s\", \"count\": 23, \"m\": 0, \"s\": 20, \"u\": 3}",
		 event_table[EVENT_NR - 1].name);
	ok(strstr(json, line));
	for (unsigned e = 0; e < EVENT_NR; e++) {
		tap_context("%s", event_table[e].name);
		snprintf(line, sizeof(line), "\"event\": \"%s\"", event_table[e].name);
		ok(strstr(json, line));
	}
	tap_context(" ");
	free(json);
	free(text);
}

/* What --stats prints for these totals of two harts. */
static char *shown(const uint64_t total[2][4][EVENT_NR])
{
	static const struct stats_before birth[HARTS_MAX];
	struct machine m = { .cl.harts = 2, .cl.models = MODEL_COST, .hz = 2000000000 };
	struct hart *hart = calloc(2, sizeof(*hart));
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);

	for (unsigned n = 0; n < 2; n++) {
		hart[n].now = 3000000; /* cycles */
		memcpy(hart[n].pmu.total, total[n], sizeof(hart[n].pmu.total));
		m.cl.hart[n] = &hart[n];
	}
	stats_groups(&m, birth, to);
	fclose(to);
	free(hart);
	return text;
}

static const char groups_text[] =
	"hart 0: 0.001500 s of guest time, 1,000,000 instructions, 0.33 a cycle\n"
	"hart 1: 0.001500 s of guest time, 1,000,000 instructions, 1.00 a cycle\n"
	"                              all harts per 1000i  rate                M    S    U\n"
	"time\n"
	"  cycles                      4,000,000                               0%  25%  75%\n"
	"  instructions                2,000,000              0.50 a cycle     0%  50%  50%\n"
	"branches and jumps\n"
	"  cond-branches                   1,000      0.50                   100%   0%   0%\n"
	"  cond-mispredicts                   15      0.01    1.5% wrong     100%   0%   0%\n"
	"L1 caches\n"
	"  l1d-reads                     500,000    250.00                     0%   0% 100%\n"
	"  l1d-read-misses                 5,000      2.50    1.0% misses      0%   0% 100%\n"
	"cycles, by what they wait for\n"
	"  issuing                     2,765,433   1382.72   69.1% of cycles   0%  36%  64%\n"
	"  wait-read                   1,234,567    617.28   30.9% of cycles   0%   0% 100%\n"
	"  wait-read-ll                1,234,567    617.28  100.0% of them     0%   0% 100%\n";

static void groups(void)
{
	static uint64_t total[2][4][EVENT_NR];
	char *text, end[200];

	total[0][PRV_U][EVENT_CYCLES] = 3000000;
	total[1][PRV_S][EVENT_CYCLES] = 1000000;
	total[0][PRV_U][EVENT_INSTRUCTIONS] = 1000000;
	total[1][PRV_S][EVENT_INSTRUCTIONS] = 1000000;
	total[0][PRV_U][EVENT_L1D_READ] = 500000;
	total[0][PRV_U][EVENT_L1D_READ_MISS] = 5000;
	total[0][PRV_M][EVENT_BRANCH] = 1000;
	total[0][PRV_M][EVENT_BAD_DIRECTION] = 15;
	total[0][PRV_U][EVENT_WAIT_READ] = total[0][PRV_U][EVENT_WAIT_READ_LL] = 1234567;
	text = shown(total);
	snprintf(end, sizeof(end), "%u events did not happen; --stats-all prints them, too\n",
		 EVENT_NR - 8);
	ok(strstr(text, end) && !strcmp(strstr(text, end), end));
	if (strstr(text, end))
		*strstr(text, end) = '\0';
	is_str(text, groups_text);
	free(text);
}

static void each_event(void)
{
	static uint64_t total[2][4][EVENT_NR];
	char *text, want[64];

	for (unsigned e = 0; e < EVENT_NR; e++)
		total[0][PRV_U][e] = 1;
	text = shown(total);
	for (unsigned e = 0; e < EVENT_NR; e++) {
		const char *at;

		tap_context("%s", event_table[e].name);
		snprintf(want, sizeof(want), "\n  %-20s%17s", event_table[e].name, "1");
		at = strstr(text, want);
		ok(at && !strstr(at + 1, want));
	}
	ok(!strstr(text, "did not happen"));
	free(text);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each row of machine_shape() is in the JSON, once", rows },
		{ "another machine is another text", changes },
		{ "the counts are those of --stats-all", same_counts },
		{ "--stats: groups, ratios, nothing that did not happen", groups },
		{ "--stats has each event once", each_event },
	};

	return tap_run(cases, TAP_NR(cases));
}
