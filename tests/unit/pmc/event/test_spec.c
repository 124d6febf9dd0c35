// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_spec.c - event specifiers: every name, alias and number, and the errors for wrong ones.
 */
#include <errno.h>
#include <tap.h>

#include <rv/pmu_event.h>

#include <event.h>
#include <linux/perf_event.h>

static struct lpmc_spec spec;

static int parse(const char *text)
{
	tap_context("%.60s", text ? text : "(null)");
	return lpmc_spec_parse(text, NULL, &spec);
}

static void event_is(const char *text, uint32_t ev, uint32_t type, uint64_t config)
{
	is(parse(text), 0);
	is(spec.event.ev, ev);
	is(spec.event.type, type);
	is(spec.event.config, config);
}

#define SBI(eidx) (PMC_EV_RISCV_SBI_FIRST | (eidx))

static void general(void)
{
#define HW(code, name, text) event_is("HW_" #name, SBI(code), PERF_TYPE_HARDWARE, (code)-1);
#include <rv/sbi_event.def>
	event_is("HW_CPU_CYCLES", SBI(1), PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	event_is("HW_REF_CPU_CYCLES", SBI(10), PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
}

static void cache(void)
{
	event_is("HW_CACHE_L1D_READ_MISS", SBI(0x10001), PERF_TYPE_HW_CACHE, 0x10000);
	event_is("HW_CACHE_LL_WRITE_ACCESS", SBI(0x10012), PERF_TYPE_HW_CACHE, 0x102);
	event_is("HW_CACHE_NODE_PREFETCH_MISS", SBI(0x10035), PERF_TYPE_HW_CACHE, 0x10206);
	event_is("L1-dcache-load-misses", SBI(0x10001), PERF_TYPE_HW_CACHE, 0x10000);
	event_is("L1-icache-loads", SBI(0x10008), PERF_TYPE_HW_CACHE, 0x1);
	event_is("LLC-stores", SBI(0x10012), PERF_TYPE_HW_CACHE, 0x102);
	event_is("dTLB-store-misses", SBI(0x1001b), PERF_TYPE_HW_CACHE, 0x10103);
	event_is("iTLB-load-misses", SBI(0x10021), PERF_TYPE_HW_CACHE, 0x10004);
	event_is("branch-load-misses", SBI(0x10029), PERF_TYPE_HW_CACHE, 0x10005);
	event_is("node-prefetch-misses", SBI(0x10035), PERF_TYPE_HW_CACHE, 0x10206);
}

/* As programs for FreeBSD write it. */
static void class_in_front(void)
{
	event_is("SOFT-PAGE_FAULTS", PMC_EV_SOFT_PAGE_FAULTS, PERF_TYPE_SOFTWARE,
		 PERF_COUNT_SW_PAGE_FAULTS);
	is_str(spec.name, "PAGE_FAULTS");
	event_is("soft.cpu-clock", PMC_EV_SOFT_CPU_CLOCK, PERF_TYPE_SOFTWARE,
		 PERF_COUNT_SW_CPU_CLOCK);
	event_is("riscv-sbi-instructions", SBI(2), PERF_TYPE_HARDWARE, 1);
	event_is("RISCV_SBI-HW_CPU_CYCLES,usr", SBI(1), PERF_TYPE_HARDWARE, 0);
	ok(spec.usr);
	is(parse("SOFT-HW_CPU_CYCLES"), -1);
	is(parse("RISCV_SBI-PAGE_FAULTS"), -1);
	is(parse("SOFT-"), -1);
	is(parse("SOFT"), -1);
	is(parse("SOFTPAGE_FAULTS"), -1);
}

static void firmware(void)
{
#define FW(code, name, text)                                                                       \
	event_is("FW_" #name, SBI(0xf0000 | (code)), PERF_TYPE_RAW, 1ull << 63 | (code));
#include <rv/sbi_event.def>
	event_is("fw=5", SBI(0xf0005), PERF_TYPE_RAW, 0x8000000000000005);
	event_is("FW=0x100", SBI(0xf0100), PERF_TYPE_RAW, 0x8000000000000100);
	event_is("platform=0x12345", SBI(0xfffff), PERF_TYPE_RAW, 0xc000000000012345);
}

static void by_number(void)
{
	event_is("raw=0x11", SBI(0x20000), PERF_TYPE_RAW, 0x11);
	event_is("raw=17", SBI(0x20000), PERF_TYPE_RAW, 17);
	event_is("r11", SBI(0x20000), PERF_TYPE_RAW, 0x11);
	event_is("R00ffffffffffffff", SBI(0x20000), PERF_TYPE_RAW, 0xffffffffffffff);
	is_str(spec.name, "R00ffffffffffffff");
	ok(!spec.event.name);
}

static void every_row_names_itself(void)
{
	const struct lpmc_event *e;
	unsigned nr = 0;

	for (; (e = lpmc_event_row(NULL, nr)); nr++) {
		event_is(e->name, e->ev, e->type, e->config);
		ok(lpmc_event_of(NULL, e->ev) == e);
		ok(strlen(e->name) < PMC_NAME_MAX && strlen(e->text) > 0);
	}
	is(nr, 10 + 42 + 22 + 7);
}

static void every_alias_is_an_event(void)
{
	const char *alias;
	uint32_t ev;

	for (unsigned i = 0; (alias = lpmc_event_alias(i, &ev)); i++) {
		is(parse(alias), 0);
		is(spec.event.ev, ev);
	}
}

static void spelling(void)
{
	event_is("hw.cpu cycles", SBI(1), PERF_TYPE_HARDWARE, 0);
	event_is("Hw-CpU_cYcLeS", SBI(1), PERF_TYPE_HARDWARE, 0);
	event_is("PAGE FAULT.ALL", PMC_EV_SOFT_PAGE_FAULTS, PERF_TYPE_SOFTWARE,
		 PERF_COUNT_SW_PAGE_FAULTS);
	is_str(spec.name, "PAGE_FAULTS");
	is(parse("HWCPUCYCLES"), -1);
}

static void qualifiers(void)
{
	is(parse("cycles"), 0);
	ok(!spec.usr && !spec.os && !spec.multiplex);
	is(parse("cycles,usr"), 0);
	ok(spec.usr && !spec.os);
	is(parse("cycles,OS,multiplex"), 0);
	ok(!spec.usr && spec.os && spec.multiplex);
	is(parse("cycles,usr,os"), 0);
	ok(spec.usr && spec.os);
}

static void wrong(const char *text, const char *says)
{
	errno = 0;
	is(parse(text), -1);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), says));
	if (!strstr(pmc_error_text(), says))
		printf("#   %s\n", pmc_error_text());
}

static void wrong_ones(void)
{
	wrong(NULL, "the event specifier is NULL");
	wrong("", "1 to 63 characters");
	wrong(",usr", "1 to 63 characters");
	wrong("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	      "1 to 63 characters");
	wrong("cycles,", "unknown qualifier ''");
	wrong("cycles,user", "unknown qualifier 'user': use usr, os or multiplex");
	wrong("cycles,usr,", "unknown qualifier");
	wrong("raw=", "write a number after raw=");
	wrong("raw=0x", "write a number after raw=");
	wrong("raw=12x", "write a number after raw=");
	wrong("raw=0x1ffffffffffffffff", "more than 64 bits");
	wrong("raw=18446744073709551616", "more than 64 bits");
	wrong("rffffffffffffffffff", "more than 64 bits");
	wrong("x\ny\033[31m\x9b\xff", "unknown event x?y?[31m??;");
	wrong("raw=0x100000000000000", "56 bits");
	wrong("r8000000000000005", "fw=CODE");
	wrong("fw=65535", "0 to 65534");
	wrong("platform=0x4000000000000000", "62 bits");
}

static void suggestions(void)
{
	char near[PMC_NAME_MAX];

	wrong("instrutcions", "did you mean instructions?");
	wrong("HW_CACHE_L1D_READ_MIS", "did you mean HW_CACHE_L1D_READ_MISS?");
	wrong("fw set timers", "did you mean FW_SET_TIMER?");
	wrong("cyles", "did you mean cycles?");
	wrong("L1-dcache-load-mises", "did you mean L1-dcache-load-misses?");
	wrong("dtlb_laod_misses", "did you mean dTLB-load-misses?");
	wrong("l1d-misses", "did you mean HW_CACHE_L1D_READ_MISS?");
	wrong("L1-dcache-misses", "did you mean L1-dcache-load-misses?");
	wrong("misses.branch", "did you mean branch-misses?");
	wrong("cahe", "did you mean cache-misses?");
	wrong("xyzzy", "unknown event xyzzy; 'holter list' shows");
	ok(!lpmc_suggest(NULL, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
			 64, near));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "general events by name", general },
		{ "cache events, by SBI's names and Linux's", cache },
		{ "a class in front of a name", class_in_front },
		{ "firmware events, by name and number", firmware },
		{ "raw events", by_number },
		{ "every row of the list is found by its name", every_row_names_itself },
		{ "every alias is an event", every_alias_is_an_event },
		{ "case and separators do not matter", spelling },
		{ "qualifiers", qualifiers },
		{ "wrong specifiers, and their error texts", wrong_ones },
		{ "a similar name is suggested", suggestions },
	};

	return tap_run(cases, TAP_NR(cases));
}
