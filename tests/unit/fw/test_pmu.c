// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pmu.c - fw/ext/ext_pmu.c with the library: which codes are firmware events, up to the last
 * one, and which counts remain when a hart starts again.
 *
 * The hart has no hardware counters, so that the firmware counters are 3 to 18.
 */
#include "tap.h"
#include "dtbgen.h"
#include <csr.h>
#include <dtb.h>
#include <ext_pmu.h>
#include <machine.h>
#include <platform.h>
#include <print.h>

#define FIRST 3

rv_ulong fake_csr[4096];
struct platform platform;
static struct hart h;
static struct {
	uint32_t eidx, output;
	uint64_t data;
} info __attribute__((aligned(16)));

rv_ulong csr_num_read(void *ctx, unsigned num)
{
	return fake_csr[num];
}

void csr_num_write(void *ctx, unsigned num, rv_ulong value)
{
	fake_csr[num] = value;
}

rv_ulong csr_event_update(void *ctx, unsigned num, rv_ulong value)
{
	return fake_csr[num] = value;
}

bool csr_num_probe(void *ctx, unsigned num, rv_ulong *value)
{
	return false;
}

void print(const char *format, ...)
{
}

bool platform_ram_ok(uint64_t addr, uint64_t size)
{
	return addr == (uintptr_t)&info && size == sizeof(info);
}

static struct sbiret pmu_call(rv_ulong fid, rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3,
			      rv_ulong a4)
{
	return ext_pmu.handle(a0, a1, a2, a3, a4, 0, fid, &h);
}

static struct sbiret config(unsigned code, uint64_t data)
{
	return pmu_call(SBI_PMU_COUNTER_CONFIG_MATCHING, FIRST, 1, SBI_PMU_CFG_FLAG_CLEAR_VALUE,
			SBI_PMU_EIDX(SBI_PMU_TYPE_FW, code), data);
}

static void boot(void)
{
	unsigned char *blob;
	uint32_t total;
	struct dtb t;

	memset(&h, 0, sizeof(h));
	dtbgen_start();
	begin("");
	end();
	blob = dtbgen_finish(false, 0, &total);
	ok(!dtb_open(&t, blob, total));
	pmu_init(&h, &t);
	ok(!pmu_has_node());
	pmu_hart_init(&h);
	free(blob);
	is(pmu_call(SBI_PMU_NUM_COUNTERS, 0, 0, 0, 0, 0).value, FIRST + SBIPMU_FW_CTRS);
}

/* Every possible code; no event accepts event data. */
static void the_codes_that_are_events(void)
{
	unsigned code;

	boot();
	for (code = 0; code <= 0xffff; code++) {
		bool is_event = code <= 21 || (code >= 256 && code <= 258);
		struct sbiret r = config(code, 0);

		tap_context("code %u", code);
		is(r.error, is_event ? SBI_SUCCESS : SBI_ERR_NOT_SUPPORTED);
		is(r.value, is_event ? FIRST : 0);
		pmu_call(SBI_PMU_COUNTER_STOP, FIRST, 1, SBI_PMU_STOP_FLAG_RESET, 0, 0);
		info.eidx = (uint32_t)SBI_PMU_EIDX(SBI_PMU_TYPE_FW, code);
		info.output = 7;
		info.data = 0;
		is(pmu_call(SBI_PMU_EVENT_GET_INFO, (uintptr_t)&info, 0, 1, 0, 0).error,
		   SBI_SUCCESS);
		is(info.output, is_event);
		is(config(code, 1).error, SBI_ERR_NOT_SUPPORTED);
	}
}

static uint64_t count_of(unsigned code, uint64_t *total)
{
	uint64_t n;

	is(config(code, 0).error, SBI_SUCCESS);
	is(pmu_call(SBI_PMU_COUNTER_START, FIRST, 1, 0, 0, 0).error, SBI_SUCCESS);
	*total += 3;
	n = pmu_call(SBI_PMU_COUNTER_FW_READ, FIRST, 0, 0, 0, 0).value;
	pmu_call(SBI_PMU_COUNTER_STOP, FIRST, 1, SBI_PMU_STOP_FLAG_RESET, 0, 0);
	return n;
}

static void its_own_events_count(void)
{
	boot();
	h.nr_calls = 100;
	h.nr_redirects = 200;
	h.nr_emulated = 300;
	is(count_of(256, &h.nr_calls), 3);
	is(count_of(257, &h.nr_redirects), 3);
	is(count_of(258, &h.nr_emulated), 3);
	is(count_of(SBI_PMU_FW_SET_TIMER, &h.pmu.fw_total[SBI_PMU_FW_SET_TIMER]), 3);
}

static void a_start_forgets(void)
{
	boot();
	is(config(258, 0).error, SBI_SUCCESS);
	is(pmu_call(SBI_PMU_COUNTER_START, FIRST, 1, 0, 0, 0).error, SBI_SUCCESS);
	pmu_hart_init(&h);
	is(pmu_call(SBI_PMU_COUNTER_START, FIRST, 1, 0, 0, 0).error, SBI_ERR_INVALID_PARAM);
	is(pmu_call(SBI_PMU_COUNTER_STOP, FIRST, 1, 0, 0, 0).error, SBI_ERR_ALREADY_STOPPED);
	is(config(256, 0).error, SBI_SUCCESS);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the codes that are events", the_codes_that_are_events },
		{ "the firmware's own events count", its_own_events_count },
		{ "a start clears the counts", a_start_forgets },
	};

	return tap_run(cases, TAP_NR(cases));
}
