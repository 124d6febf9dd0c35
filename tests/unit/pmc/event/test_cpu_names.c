// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_names.c - names that a device tree gives to raw events, also what a hostile one has.
 */
#include <errno.h>
#include <stdlib.h>
#include <tap.h>

#include <event.h>
#include <linux/perf_event.h>

#define CPU_EVENT(n) (PMC_EV_RISCV_SBI_FIRST + 0x20001 + (n))

static struct lpmc_cpu_events *cpu;

/* The properties: names without the NUL of the last one, and what each selector is. */
static void read_size(const char *names, size_t size, const uint64_t *selectors, size_t nr)
{
	/* (copies of the right size, so that the sanitizers see what is read after them) */
	uint8_t *bytes = malloc(nr * 8 + !nr);
	char *text = malloc(size + !size);

	for (size_t i = 0; i < nr * 8; i++)
		bytes[i] = (uint8_t)(selectors[i / 8] >> (56 - i % 8 * 8));
	if (size)
		memcpy(text, names, size);
	free(cpu);
	cpu = lpmc_cpu_events_parse(text, size, bytes, nr * 8);
	free(text);
	free(bytes);
}

#define READ(names, ...)                                                                           \
	read_size(names, sizeof(names), (const uint64_t[]){ __VA_ARGS__ },                         \
		  sizeof((uint64_t[]){ __VA_ARGS__ }) / 8)

static void good(void)
{
	struct lpmc_spec spec;

	READ("vector-loads\0l2.reads_2", 0x152, 0x00ffffffffffffff);
	is(cpu->nr, 2);
	is_str(cpu->at[0].event.name, "vector-loads");
	is(cpu->at[0].event.name_len, 12);
	is_str(cpu->at[0].event.text, "raw event 0x152 of this CPU");
	is(lpmc_spec_parse("Vector.Loads,usr", cpu, &spec), 0);
	is_str(spec.name, "vector-loads");
	is(spec.event.type, PERF_TYPE_RAW);
	is(spec.event.config, 0x152);
	is(spec.event.ev, CPU_EVENT(0));
	ok(spec.usr && !spec.os);
	is(lpmc_spec_parse("riscv_sbi-l2-reads-2", cpu, &spec), 0);
	is(spec.event.config, 0x00ffffffffffffff);
	is(spec.event.ev, CPU_EVENT(1));
	is(lpmc_event_class(spec.event.ev), PMC_CLASS_RISCV_SBI);
	ok(!lpmc_event_is_firmware(&spec.event));
	is(lpmc_spec_parse("soft-vector-loads", cpu, &spec), -1);
	is(lpmc_spec_parse("vector-loads", NULL, &spec), -1);
	is(errno, EINVAL);
}

static void numbers(void)
{
	READ("first\0second", 1, 2);
	ok(lpmc_event_of(cpu, CPU_EVENT(0)) == &cpu->at[0].event);
	ok(lpmc_event_of(cpu, CPU_EVENT(1)) == &cpu->at[1].event);
	ok(!lpmc_event_of(cpu, CPU_EVENT(2)) && !lpmc_event_of(NULL, CPU_EVENT(0)));
	ok(lpmc_event_is_of_cpu(CPU_EVENT(0)) && !lpmc_event_is_of_cpu(CPU_EVENT(-1)));
	ok(lpmc_event_is_of_cpu(CPU_EVENT(511)) && !lpmc_event_is_of_cpu(CPU_EVENT(512)));
	/* the rows after the list */
	ok(lpmc_event_row(cpu, 81) == &cpu->at[0].event);
	ok(lpmc_event_row(cpu, 82) == &cpu->at[1].event && !lpmc_event_row(cpu, 83));
	ok(!lpmc_event_row(NULL, 81));
}

static void suggestions(void)
{
	struct lpmc_spec spec;

	READ("vector-loads\0vector-elements", 0x152, 0x160);
	is(lpmc_spec_parse("vektor-loads", cpu, &spec), -1);
	ok(strstr(pmc_error_text(), "did you mean vector-loads?"));
	is(lpmc_spec_parse("vektor-loads", NULL, &spec), -1);
	ok(!strstr(pmc_error_text(), "did you mean vector-loads?"));
}

/* They do not belong together: none is used. */
static void no_properties(void)
{
	read_size("", 0, NULL, 0);
	is(cpu->nr, 0);
	read_size("abc", 3, (const uint64_t[]){ 5 }, 1); /* no end */
	is(cpu->nr, 0);
	read_size("a\0bc", 4, (const uint64_t[]){ 5, 6 }, 2);
	is(cpu->nr, 0);
	read_size("a\0bc", 4, (const uint64_t[]){ 5 }, 1);
	is(cpu->nr, 0);
	READ("a\0b", 5);
	is(cpu->nr, 0);
	READ("a", 5, 6);
	is(cpu->nr, 0);
	read_size("a", 2, NULL, 0);
	is(cpu->nr, 0);
	read_size("", 0, (const uint64_t[]){ 5 }, 1);
	is(cpu->nr, 0);
	free(cpu);
	cpu = lpmc_cpu_events_parse("a", 2, (const uint8_t *)"\0\0\0\0\0\0\0\0\5", 9);
	is(cpu->nr, 0);
}

/* The most that is read, and one more. */
static void many(void)
{
	static char names[(LPMC_CPU_EVENTS_MAX + 1) * 5];
	static uint64_t selectors[LPMC_CPU_EVENTS_MAX + 1];

	for (unsigned i = 0; i <= LPMC_CPU_EVENTS_MAX; i++) {
		snprintf(names + i * 5, 5, "n%03u", i);
		selectors[i] = i + 1;
	}
	read_size(names, sizeof(names), selectors, LPMC_CPU_EVENTS_MAX + 1);
	is(cpu->nr, 0);
	read_size(names, sizeof(names) - 5, selectors, LPMC_CPU_EVENTS_MAX);
	is(cpu->nr, LPMC_CPU_EVENTS_MAX);
	is(lpmc_event_by_name(cpu, "n511", 4)->config, 512);
}

#define LEFT_OUT(word)                                                                             \
	do {                                                                                       \
		tap_context("%.70s", word);                                                        \
		READ(word "\0good", 7, 8);                                                         \
		is(cpu->nr, 1);                                                                    \
		is_str(cpu->at[0].name, "good");                                                   \
		is(cpu->at[0].event.ev, CPU_EVENT(0));                                             \
	} while (0)

/* The list, its aliases and numbers win, whatever the spelling. */
static void collisions(void)
{
	struct lpmc_spec spec;

	LEFT_OUT("cycles");
	LEFT_OUT("HW.CPU_CYCLES");
	LEFT_OUT("page-faults");
	LEFT_OUT("l1_dcache_load_misses");
	LEFT_OUT("SOFT-CPU_CLOCK");
	LEFT_OUT("r152");
	LEFT_OUT("Rfffffffffffffffffff");
	LEFT_OUT("r100000000000000");
	READ("twice\0TWICE\0good", 7, 8, 9);
	is(cpu->nr, 2);
	is(lpmc_event_by_name(cpu, "twice", 5)->config, 7);
	READ("cycles\0loads", 7, 8);
	is(lpmc_spec_parse("cycles", cpu, &spec), 0);
	is(spec.event.type, PERF_TYPE_HARDWARE);
}

static void bad_names(void)
{
	LEFT_OUT("");
	LEFT_OUT("a b");
	LEFT_OUT("a,usr");
	LEFT_OUT("a:u");
	LEFT_OUT("raw=5");
	LEFT_OUT("a\n");
	LEFT_OUT("\033[31m");
	LEFT_OUT("\xc3\xa4");
	LEFT_OUT("a/b");
	LEFT_OUT("{a}");
	LEFT_OUT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
	READ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 7);
	is(cpu->nr, 1);
}

static void bad_selectors(void)
{
	READ("zero\0firmware\0wide\0good", 0, 1ull << 63 | 5, 1ull << 56, 5);
	is(cpu->nr, 1);
	is_str(cpu->at[0].name, "good");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "names are raw events", good },
		{ "numbers and rows", numbers },
		{ "a similar name is suggested", suggestions },
		{ "properties that do not belong together", no_properties },
		{ "as many as there may be", many },
		{ "names that mean something else", collisions },
		{ "names that no specifier can have", bad_names },
		{ "what is not a selector", bad_selectors },
	};
	int status = tap_run(cases, TAP_NR(cases));

	free(cpu);
	return status;
}
