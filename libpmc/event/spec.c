// SPDX-License-Identifier: BSD-2-Clause
/*
 * spec.c - the specifiers that choose an event: pmc_allocate(3), "EVENT SPECIFIERS".
 */
#include <linux/perf_event.h>
#include <string.h>

#include "error.h"
#include "number.h"
#include "rows.h"

/*
 * Finds the event of a name that starts with its class, as programs for FreeBSD do:
 * SOFT-PAGE_FAULTS.
 */
static const struct lpmc_event *by_class_and_name(const struct lpmc_cpu_events *cpu,
						  const char *text, size_t len)
{
	static const enum pmc_class classes[] = { PMC_CLASS_SOFT, PMC_CLASS_RISCV_SBI };
	const struct lpmc_event *e;

	for (unsigned i = 0; i < LPMC_NR(classes); i++) {
		const char *name = pmc_name_of_class(classes[i]);
		size_t head = strlen(name);

		if (len <= head + 1 || !lpmc_name_same(name, text, head) ||
		    lpmc_fold(text[head]) != '-')
			continue;
		e = lpmc_event_by_name(cpu, text + head + 1, len - head - 1);
		if (e && lpmc_event_class(e->ev) == classes[i])
			return e;
	}
	return NULL;
}

/*
 * Reads a number.  It is hexadecimal if it starts with 0x, or if `hex` is set.  Returns 1; 0 if the
 * text is not a number; -1 if it has more than 64 bits.
 */
static int number(const char *text, size_t len, bool hex, uint64_t *value)
{
	const char *at = text;
	bool fits = number_read(&at, NUMBER_0X | (hex ? NUMBER_HEX : 0), UINT64_MAX, value);

	return at == text || at != text + len ? 0 : fits ? 1 : -1;
}

static int too_many_bits(const char *text, size_t len)
{
	return lpmc_fail(EINVAL, "%.*s: the number has more than 64 bits", (int)len, text);
}

/*
 * Reads KEY=NUMBER.  Returns 1; 0 if the text does not start with the key; -1 if no number follows.
 */
static int key_number(const char *text, size_t len, const char *key, uint64_t *value)
{
	size_t k = strlen(key);
	int is;

	if (len < k || !lpmc_name_same(key, text, k))
		return 0;
	is = number(text + k, len - k, false, value);
	if (is == 0)
		return lpmc_fail(EINVAL, "%.*s: write a number after %s", (int)len, text, key);
	return is < 0 ? too_many_bits(text, len) : 1;
}

static int set_raw(struct lpmc_event *e, uint64_t data)
{
	if (data & ~SBI_PMU_RAW_V2_DATA_MASK)
		return lpmc_fail(EINVAL,
				 "raw event 0x%llx: raw events have at most 56 bits; for firmware "
				 "events use fw=CODE or platform=DATA",
				 (unsigned long long)data);
	*e = (struct lpmc_event){ .text = "raw event",
				  .ev = LPMC_EV(RAW, 0),
				  .type = PERF_TYPE_RAW };
	e->config = data;
	return 0;
}

static int set_fw(struct lpmc_event *e, uint64_t code)
{
	if (code >= SBI_PMU_FW_PLATFORM)
		return lpmc_fail(EINVAL,
				 "fw=%llu: firmware event codes are 0 to %u; for other events of "
				 "the firmware use platform=DATA",
				 (unsigned long long)code, SBI_PMU_FW_PLATFORM - 1);
	*e = (struct lpmc_event){ .text = "firmware event by number",
				  .ev = LPMC_EV(FW, 0) | (uint32_t)code,
				  .type = PERF_TYPE_RAW,
				  .config = LPMC_LINUX_FW | code };
	return 0;
}

static int set_platform(struct lpmc_event *e, uint64_t data)
{
	if (data & LPMC_LINUX_PLATFORM)
		return lpmc_fail(EINVAL, "platform=0x%llx: Linux accepts at most 62 bits",
				 (unsigned long long)data);
	*e = (struct lpmc_event){ .text = "platform's firmware event",
				  .ev = LPMC_EV(FW, SBI_PMU_FW_PLATFORM),
				  .type = PERF_TYPE_RAW,
				  .config = LPMC_LINUX_PLATFORM | data };
	return 0;
}

/*
 * Reads an event by number.  Returns 1; 0 if the text is something else; -1 if the number is wrong.
 */
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

static const struct lpmc_event *by_any_name(const struct lpmc_cpu_events *cpu, const char *text,
					    size_t len)
{
	const struct lpmc_event *e = lpmc_event_by_name(cpu, text, len);

	return e ? e : by_class_and_name(cpu, text, len);
}

bool lpmc_spec_is_known(const char *word, size_t len)
{
	struct lpmc_event ignored;

	return by_any_name(NULL, word, len) || by_number(word, len, &ignored) != 0;
}

static int unknown(const struct lpmc_cpu_events *cpu, const char *name, size_t len)
{
	char near[PMC_NAME_MAX];

	if (lpmc_suggest(cpu, name, len, near))
		return lpmc_fail(EINVAL, "unknown event %.*s; did you mean %s?", (int)len, name,
				 near);
	return lpmc_fail(
		EINVAL,
		"unknown event %.*s; 'holter list' shows the names, and raw=0x... takes any code",
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
		return lpmc_fail(EINVAL, "unknown qualifier '%.*s': use usr, os or multiplex",
				 (int)(len < 40 ? len : 40), q);
	return 0;
}

/* Finds the event of a word.  Returns 1; 0 if it is unknown; -1 if it is a wrong number. */
static int find(const struct lpmc_cpu_events *cpu, const char *text, size_t len,
		struct lpmc_spec *spec)
{
	const struct lpmc_event *e = by_any_name(cpu, text, len);
	int is;

	if (e) {
		spec->event = *e;
		memcpy(spec->name, e->name, strlen(e->name) + 1);
		return 1;
	}
	is = by_number(text, len, &spec->event);
	if (is > 0)
		memcpy(spec->name, text, len);
	return is;
}

/* more: where to look for a word that is unknown without; or NULL. */
static int parse(const char *text, const struct lpmc_cpu_events *cpu, lpmc_cpu_source *more,
		 struct lpmc_spec *spec)
{
	size_t len;
	int is;

	*spec = (struct lpmc_spec){ .usr = false };
	if (!text)
		return lpmc_fail(EINVAL, "the event specifier is NULL");
	len = strcspn(text, ",");
	if (len == 0 || len >= PMC_NAME_MAX)
		return lpmc_fail(EINVAL, "an event's name has 1 to %d characters, not %zu",
				 PMC_NAME_MAX - 1, len);
	is = find(cpu, text, len, spec);
	if (is == 0 && more) {
		cpu = more();
		if (!cpu)
			return -1;
		is = find(cpu, text, len, spec);
	}
	if (is <= 0)
		return is < 0 ? -1 : unknown(cpu, text, len);
	for (text += len; *text == ','; text += len) {
		text++;
		len = strcspn(text, ",");
		if (qualifier(text, len, spec) < 0)
			return -1;
	}
	return 0;
}

int lpmc_spec_parse(const char *text, const struct lpmc_cpu_events *cpu, struct lpmc_spec *spec)
{
	return parse(text, cpu, NULL, spec);
}

int lpmc_spec_parse_here(const char *text, lpmc_cpu_source *cpu, struct lpmc_spec *spec)
{
	return parse(text, NULL, cpu, spec);
}
