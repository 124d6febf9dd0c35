// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_stats.c - --stats-json: every row of machine_shape() is in it, and a change of a row changes
 * the text; the counts are those of --stats.
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
	struct machine m = { .o = *o, .cl.harts = o->harts };
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
	static const struct cpu cpu = { .name = "small", .identity = 0x1234 };
	struct machine_options o[20];
	unsigned nr = 0;

#define CHANGED(...)                                                                               \
	do {                                                                                       \
		o[nr] = plain();                                                                   \
		o[nr].__VA_ARGS__;                                                                 \
		nr++;                                                                              \
	} while (0)
	CHANGED(cpu = &cpu);
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

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each row of machine_shape() is in the JSON, once", rows },
		{ "another machine is another text", changes },
		{ "the counts are those of --stats", same_counts },
	};

	return tap_run(cases, TAP_NR(cases));
}
