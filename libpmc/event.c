// SPDX-License-Identifier: BSD-2-Clause
/*
 * event.c - the one list of events, and the specifiers that choose from it.
 *
 * The list is include/rv/sbi_event.def (SBI 3.0 §11.1, §11.2, §11.5), so that every event has
 * its SBI name on every CPU, and what Linux counts by itself.  Linux orders general and cache
 * events as the SBI does; a firmware event is config bit 63 of a raw one, and bits 63 and 62
 * together are the platform's (the kernel's riscv_pmu_sbi driver).
 *
 * Pure: no system calls, no state.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <rv/pmu_event.h>

#include "internal.h"

#define LINUX_FW       RV_BIT(63)
#define LINUX_PLATFORM RV_MASK(63, 62)

#define EV(type, code) (PMC_EV_RISCV_SBI_FIRST | SBI_PMU_EIDX(SBI_PMU_TYPE_##type, code))

#define CACHE_ROW(id, cache, cache_text, op, op_id, result, result_id, what)                       \
	{ "HW_CACHE_" #cache "_" #op "_" #result, cache_text ": " what,                            \
	  PMC_EV_RISCV_SBI_FIRST | SBI_PMU_EIDX_CACHE(id, op_id, result_id), PERF_TYPE_HW_CACHE,   \
	  (id) | (op_id) << 8 | (result_id) << 16 },

static const struct lpmc_event rows[] = {
#define HW(code, name, text) { "HW_" #name, text, EV(HW, code), PERF_TYPE_HARDWARE, (code)-1 },
#include <rv/sbi_event.def>
#define CACHE(id, name, text)                                                                      \
	CACHE_ROW(id, name, text, READ, SBI_PMU_HW_CACHE_OP_READ, ACCESS,                          \
		  SBI_PMU_HW_CACHE_RESULT_ACCESS, "reads")                                         \
	CACHE_ROW(id, name, text, READ, SBI_PMU_HW_CACHE_OP_READ, MISS,                            \
		  SBI_PMU_HW_CACHE_RESULT_MISS, "reads that miss")                                 \
	CACHE_ROW(id, name, text, WRITE, SBI_PMU_HW_CACHE_OP_WRITE, ACCESS,                        \
		  SBI_PMU_HW_CACHE_RESULT_ACCESS, "writes")                                        \
	CACHE_ROW(id, name, text, WRITE, SBI_PMU_HW_CACHE_OP_WRITE, MISS,                          \
		  SBI_PMU_HW_CACHE_RESULT_MISS, "writes that miss")                                \
	CACHE_ROW(id, name, text, PREFETCH, SBI_PMU_HW_CACHE_OP_PREFETCH, ACCESS,                  \
		  SBI_PMU_HW_CACHE_RESULT_ACCESS, "prefetches")                                    \
	CACHE_ROW(id, name, text, PREFETCH, SBI_PMU_HW_CACHE_OP_PREFETCH, MISS,                    \
		  SBI_PMU_HW_CACHE_RESULT_MISS, "prefetches that miss")
#include <rv/sbi_event.def>
#define FW(code, name, text)                                                                       \
	{ "FW_" #name, "firmware: " text, EV(FW, code), PERF_TYPE_RAW, LINUX_FW | (code) },
#include <rv/sbi_event.def>
#define SOFT(name, config, text)                                                                   \
	{ #name, text, PMC_EV_SOFT_##name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config },
	SOFT(CPU_CLOCK, CPU_CLOCK, "nanoseconds, by the CPU's clock") SOFT(
		TASK_CLOCK, TASK_CLOCK,
		"nanoseconds that the task ran") SOFT(PAGE_FAULTS, PAGE_FAULTS, "page faults")
		SOFT(PAGE_FAULTS_MINOR, PAGE_FAULTS_MIN, "page faults that needed no reading")
			SOFT(PAGE_FAULTS_MAJOR, PAGE_FAULTS_MAJ,
			     "page faults that waited for a device")
				SOFT(CONTEXT_SWITCHES, CONTEXT_SWITCHES, "context switches")
					SOFT(CPU_MIGRATIONS, CPU_MIGRATIONS, "moves to another CPU")
};

_Static_assert((int)SBI_PMU_HW_CACHE_OP_COUNT == 3, "an operation of caches has no rows");

/* Other people's names: Linux's (perf list), FreeBSD's generic ones. */
static const struct {
	const char *name;
	uint32_t ev;
} aliases[] = {
	{ "cycles", EV(HW, SBI_PMU_HW_CPU_CYCLES) },
	{ "unhalted-cycles", EV(HW, SBI_PMU_HW_CPU_CYCLES) },
	{ "cpu-cycles", EV(HW, SBI_PMU_HW_CPU_CYCLES) },
	{ "instructions", EV(HW, SBI_PMU_HW_INSTRUCTIONS) },
	{ "instruction-retired", EV(HW, SBI_PMU_HW_INSTRUCTIONS) },
	{ "cache-references", EV(HW, SBI_PMU_HW_CACHE_REFERENCES) },
	{ "cache-misses", EV(HW, SBI_PMU_HW_CACHE_MISSES) },
	{ "branches", EV(HW, SBI_PMU_HW_BRANCH_INSTRUCTIONS) },
	{ "branch-instructions", EV(HW, SBI_PMU_HW_BRANCH_INSTRUCTIONS) },
	{ "branch-misses", EV(HW, SBI_PMU_HW_BRANCH_MISSES) },
	{ "branch-mispredicts", EV(HW, SBI_PMU_HW_BRANCH_MISSES) },
	{ "bus-cycles", EV(HW, SBI_PMU_HW_BUS_CYCLES) },
	{ "stalled-cycles-frontend", EV(HW, SBI_PMU_HW_STALLED_CYCLES_FRONTEND) },
	{ "idle-cycles-frontend", EV(HW, SBI_PMU_HW_STALLED_CYCLES_FRONTEND) },
	{ "stalled-cycles-backend", EV(HW, SBI_PMU_HW_STALLED_CYCLES_BACKEND) },
	{ "idle-cycles-backend", EV(HW, SBI_PMU_HW_STALLED_CYCLES_BACKEND) },
	{ "ref-cycles", EV(HW, SBI_PMU_HW_REF_CPU_CYCLES) },
	{ "dc-misses", PMC_EV_RISCV_SBI_FIRST |
			       SBI_PMU_EIDX_CACHE(SBI_PMU_HW_CACHE_L1D, SBI_PMU_HW_CACHE_OP_READ,
						  SBI_PMU_HW_CACHE_RESULT_MISS) },
	{ "ic-misses", PMC_EV_RISCV_SBI_FIRST |
			       SBI_PMU_EIDX_CACHE(SBI_PMU_HW_CACHE_L1I, SBI_PMU_HW_CACHE_OP_READ,
						  SBI_PMU_HW_CACHE_RESULT_MISS) },
	{ "page-fault.all", PMC_EV_SOFT_PAGE_FAULTS },
	{ "faults", PMC_EV_SOFT_PAGE_FAULTS },
	{ "minor-faults", PMC_EV_SOFT_PAGE_FAULTS_MINOR },
	{ "major-faults", PMC_EV_SOFT_PAGE_FAULTS_MAJOR },
	{ "cs", PMC_EV_SOFT_CONTEXT_SWITCHES },
	{ "migrations", PMC_EV_SOFT_CPU_MIGRATIONS },
};

/* Linux's names of cache events are these two, one behind the other. */
static const char *const cache_alias[] = {
	[SBI_PMU_HW_CACHE_L1D] = "L1-dcache", [SBI_PMU_HW_CACHE_L1I] = "L1-icache",
	[SBI_PMU_HW_CACHE_LL] = "LLC",	      [SBI_PMU_HW_CACHE_DTLB] = "dTLB",
	[SBI_PMU_HW_CACHE_ITLB] = "iTLB",     [SBI_PMU_HW_CACHE_BPU] = "branch",
	[SBI_PMU_HW_CACHE_NODE] = "node",
};
static const char *const cache_op_alias[] = {
	/* by op_id << 1 | result_id */
	"-loads", "-load-misses", "-stores", "-store-misses", "-prefetches", "-prefetch-misses",
};

bool lpmc_name_same(const char *a, const char *b, size_t b_len)
{
	for (size_t i = 0; i < b_len; i++) {
		if (!a[i] || lpmc_fold(a[i]) != lpmc_fold(b[i]))
			return false;
	}
	return !a[b_len];
}

const struct lpmc_event *lpmc_event_row(unsigned n)
{
	return n < LPMC_NR(rows) ? &rows[n] : NULL;
}

const struct lpmc_event *lpmc_event_of(uint32_t ev)
{
	for (unsigned i = 0; i < LPMC_NR(rows); i++) {
		if (rows[i].ev == ev)
			return &rows[i];
	}
	return NULL;
}

enum pmc_class lpmc_event_class(uint32_t ev)
{
	return ev >= PMC_EV_RISCV_SBI_FIRST ? PMC_CLASS_RISCV_SBI : PMC_CLASS_SOFT;
}

bool lpmc_event_is_firmware(const struct lpmc_event *e)
{
	return e->type == PERF_TYPE_RAW && (e->config & LINUX_FW);
}

bool lpmc_event_is_clock(const struct lpmc_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE &&
	       (e->config == PERF_COUNT_SW_CPU_CLOCK || e->config == PERF_COUNT_SW_TASK_CLOCK);
}

bool lpmc_event_is_of_kernel(const struct lpmc_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE && (e->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
						 e->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

const char *lpmc_event_alias(unsigned n, uint32_t *ev)
{
	if (n >= LPMC_NR(aliases))
		return NULL;
	*ev = aliases[n].ev;
	return aliases[n].name;
}

/* "L1-dcache-load-misses" and its like. */
static const struct lpmc_event *cache_by_alias(const char *name, size_t len)
{
	for (unsigned id = 0; id < LPMC_NR(cache_alias); id++) {
		size_t head = strlen(cache_alias[id]);

		if (len <= head || !lpmc_name_same(cache_alias[id], name, head))
			continue;
		for (unsigned op = 0; op < LPMC_NR(cache_op_alias); op++) {
			if (lpmc_name_same(cache_op_alias[op], name + head, len - head))
				return lpmc_event_of(EV(CACHE, id << 3 | op));
		}
	}
	return NULL;
}

bool lpmc_event_cache_alias(uint32_t ev, const char **cache, const char **op)
{
	uint32_t eidx = ev & ~(uint32_t)PMC_EV_RISCV_SBI_FIRST, code = eidx & 0xffff;

	if (ev < PMC_EV_RISCV_SBI_FIRST || eidx >> 16 != SBI_PMU_TYPE_CACHE)
		return false;
	*cache = cache_alias[code >> 3];
	*op = cache_op_alias[code & 7];
	return true;
}

static const struct lpmc_event *by_name(const char *name, size_t len)
{
	for (unsigned i = 0; i < LPMC_NR(rows); i++) {
		if (lpmc_name_same(rows[i].name, name, len))
			return &rows[i];
	}
	for (unsigned i = 0; i < LPMC_NR(aliases); i++) {
		if (lpmc_name_same(aliases[i].name, name, len))
			return lpmc_event_of(aliases[i].ev);
	}
	return cache_by_alias(name, len);
}

/* With the class in front, as FreeBSD's programs write it: SOFT-PAGE_FAULTS. */
static const struct lpmc_event *by_class_and_name(const char *text, size_t len)
{
	static const enum pmc_class classes[] = { PMC_CLASS_SOFT, PMC_CLASS_RISCV_SBI };
	const struct lpmc_event *e;

	for (unsigned i = 0; i < LPMC_NR(classes); i++) {
		const char *name = pmc_name_of_class(classes[i]);
		size_t head = strlen(name);

		if (len <= head + 1 || !lpmc_name_same(name, text, head) ||
		    lpmc_fold(text[head]) != '-')
			continue;
		e = by_name(text + head + 1, len - head - 1);
		if (e && lpmc_event_class(e->ev) == classes[i])
			return e;
	}
	return NULL;
}

/* A whole number, hexadecimal with 0x or if `hex`: 1; 0: it is none; -1: it has more than 64 bits. */
static int number(const char *text, size_t len, bool hex, uint64_t *value)
{
	bool fits = true;
	uint64_t v = 0;
	unsigned base;

	if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		hex = true;
		text += 2;
		len -= 2;
	}
	base = hex ? 16 : 10;
	for (size_t i = 0; i < len; i++) {
		int c = tolower((unsigned char)text[i]);
		unsigned digit = isdigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;

		if (digit >= base)
			return 0;
		fits &= v <= (UINT64_MAX - digit) / base;
		v = v * base + digit;
	}
	*value = v;
	return len == 0 ? 0 : fits ? 1 : -1;
}

static int too_many_bits(const char *text, size_t len)
{
	return lpmc_fail(EINVAL, "%.*s: the number has too many bits, more than 64", (int)len,
			 text);
}

/* KEY=NUMBER; 1 it was, 0 it is something else, -1 the number is none. */
static int key_number(const char *text, size_t len, const char *key, uint64_t *value)
{
	size_t k = strlen(key);
	int is;

	if (len < k || !lpmc_name_same(key, text, k))
		return 0;
	is = number(text + k, len - k, false, value);
	if (is == 0)
		return lpmc_fail(EINVAL, "%.*s: a number is wanted behind %s", (int)len, text, key);
	return is < 0 ? too_many_bits(text, len) : 1;
}

static int set_raw(struct lpmc_event *e, uint64_t data)
{
	if (data & ~SBI_PMU_RAW_V2_DATA_MASK)
		return lpmc_fail(
			EINVAL,
			"raw event 0x%llx: raw events have 56 bits; firmware's are fw=CODE "
			"and platform=DATA",
			(unsigned long long)data);
	*e = (struct lpmc_event){ .text = "raw event", .ev = EV(RAW, 0), .type = PERF_TYPE_RAW };
	e->config = data;
	return 0;
}

static int set_fw(struct lpmc_event *e, uint64_t code)
{
	if (code >= SBI_PMU_FW_PLATFORM)
		return lpmc_fail(EINVAL,
				 "fw=%llu: firmware events are 0 to %u; platform=DATA is beyond",
				 (unsigned long long)code, SBI_PMU_FW_PLATFORM - 1);
	*e = (struct lpmc_event){ .text = "firmware event by number",
				  .ev = EV(FW, 0) | (uint32_t)code,
				  .type = PERF_TYPE_RAW,
				  .config = LINUX_FW | code };
	return 0;
}

static int set_platform(struct lpmc_event *e, uint64_t data)
{
	if (data & LINUX_PLATFORM)
		return lpmc_fail(EINVAL, "platform=0x%llx: Linux takes 62 bits",
				 (unsigned long long)data);
	*e = (struct lpmc_event){ .text = "platform's firmware event",
				  .ev = EV(FW, SBI_PMU_FW_PLATFORM),
				  .type = PERF_TYPE_RAW,
				  .config = LINUX_PLATFORM | data };
	return 0;
}

/* An event by number; 1 it is one, 0 it is not, -1 a wrong one. */
static int by_number(const char *text, size_t len, struct lpmc_event *e)
{
	uint64_t value;
	int is;

	if ((is = key_number(text, len, "raw=", &value)) != 0)
		return is < 0 || set_raw(e, value) < 0 ? -1 : 1;
	if ((is = key_number(text, len, "fw=", &value)) != 0)
		return is < 0 || set_fw(e, value) < 0 ? -1 : 1;
	if ((is = key_number(text, len, "platform=", &value)) != 0)
		return is < 0 || set_platform(e, value) < 0 ? -1 : 1;
	is = text[0] == 'r' || text[0] == 'R' ? number(text + 1, len - 1, true, &value) : 0;
	if (is < 0)
		return too_many_bits(text, len);
	return is == 0 ? 0 : set_raw(e, value) < 0 ? -1 : 1;
}

static int unknown(const char *name, size_t len)
{
	char near[PMC_NAME_MAX];

	if (lpmc_suggest(name, len, near))
		return lpmc_fail(EINVAL, "no event is called %.*s; did you mean %s?", (int)len,
				 name, near);
	return lpmc_fail(
		EINVAL,
		"no event is called %.*s; holter list has those with names, and raw=0x... is "
		"any",
		(int)len, name);
}

static int qualifier(const char *q, size_t len, struct lpmc_spec *spec)
{
	if (lpmc_name_same("usr", q, len))
		spec->usr = true;
	else if (lpmc_name_same("os", q, len))
		spec->os = true;
	else if (lpmc_name_same("multiplex", q, len))
		spec->multiplex = true;
	else
		return lpmc_fail(EINVAL, "unknown qualifier '%.*s': there are usr, os, multiplex",
				 (int)(len < 40 ? len : 40), q);
	return 0;
}

int lpmc_spec_parse(const char *text, struct lpmc_spec *spec)
{
	const struct lpmc_event *e;
	size_t len;
	int is;

	*spec = (struct lpmc_spec){ .usr = false };
	if (!text)
		return lpmc_fail(EINVAL, "no event specifier");
	len = strcspn(text, ",");
	if (len == 0 || len >= PMC_NAME_MAX)
		return lpmc_fail(EINVAL, "an event's name has 1 to %d characters, not %zu",
				 PMC_NAME_MAX - 1, len);
	e = by_name(text, len);
	if (!e)
		e = by_class_and_name(text, len);
	if (e) {
		spec->event = *e;
		memcpy(spec->name, e->name, strlen(e->name) + 1);
	} else {
		is = by_number(text, len, &spec->event);
		if (is <= 0)
			return is < 0 ? -1 : unknown(text, len);
		memcpy(spec->name, text, len);
	}
	for (text += len; *text == ','; text += len) {
		text++;
		len = strcspn(text, ",");
		if (qualifier(text, len, spec) < 0)
			return -1;
	}
	return 0;
}
