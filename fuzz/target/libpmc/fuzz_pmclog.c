// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_pmclog.c - any bytes as a log, fed to the parser in pieces of any size.
 *
 * Must hold: the parser ends.  Strings end inside their fields.  Lengths and counts agree with the
 * bytes that it got.  The size of the pieces does not change the result.  After an error, it
 * returns only errors.
 */
#include <pmclog.h>

#include "fuzz.h"

/* The result of the parser, for comparison. */
struct found {
	size_t events;
	uint64_t sum;
	enum pmclog_state end;
};

static uint64_t check(const struct pmclog_ev *ev)
{
	uint64_t sum = (uint64_t)ev->pl_type * 31 + (uint64_t)ev->pl_len;

	must(ev->pl_len >= (int)sizeof(struct pmclog_header) && ev->pl_len % 4 == 0);
	switch (ev->pl_type) {
	case PMCLOG_TYPE_CALLCHAIN:
		must(ev->pl_u.pl_cc.pl_npc >= 1);
		must(ev->pl_u.pl_cc.pl_npc <= PMC_CALLCHAIN_DEPTH_MAX);
		return sum + ev->pl_u.pl_cc.pl_pc[ev->pl_u.pl_cc.pl_npc - 1];
	case PMCLOG_TYPE_MAP_IN:
		must(memchr(ev->pl_u.pl_mi.pl_pathname, 0, PATH_MAX) != NULL);
		return sum + strlen(ev->pl_u.pl_mi.pl_pathname);
	case PMCLOG_TYPE_PROCEXEC:
		must(memchr(ev->pl_u.pl_x.pl_pathname, 0, PATH_MAX) != NULL);
		return sum + strlen(ev->pl_u.pl_x.pl_pathname);
	case PMCLOG_TYPE_PMCATTACH:
		must(memchr(ev->pl_u.pl_t.pl_pathname, 0, PATH_MAX) != NULL);
		return sum + strlen(ev->pl_u.pl_t.pl_pathname);
	case PMCLOG_TYPE_PMCALLOCATE:
		return sum + strlen(ev->pl_u.pl_a.pl_evname);
	case PMCLOG_TYPE_PMCALLOCATEDYN:
		must(memchr(ev->pl_u.pl_ad.pl_evname, 0, PMC_NAME_MAX) != NULL);
		return sum;
	case PMCLOG_TYPE_INITIALIZE:
		must(memchr(ev->pl_u.pl_i.pl_cpuid, 0, sizeof(ev->pl_u.pl_i.pl_cpuid)) != NULL);
		return sum;
	case PMCLOG_TYPE_THR_CREATE:
		must(memchr(ev->pl_u.pl_tc.pl_tdname, 0, MAXCOMLEN + 1) != NULL);
		return sum;
	case PMCLOG_TYPE_PROC_CREATE:
		must(memchr(ev->pl_u.pl_pc.pl_pcomm, 0, MAXCOMLEN + 1) != NULL);
		return sum;
	default:
		return sum;
	}
}

static struct found parse(const uint8_t *data, size_t size, size_t piece)
{
	static struct pmclog_ev ev;
	struct found f = { 0, 0, PMCLOG_REQUIRE_DATA };
	void *parser = pmclog_open(PMCLOG_FD_NONE);

	for (size_t at = 0; at < size && f.end == PMCLOG_REQUIRE_DATA; at += piece) {
		size_t len = size - at < piece ? size - at : piece;
		char *copy = malloc(len);

		memcpy(copy, data + at, len);
		must(pmclog_feed(parser, copy, (int)len) == 0);
		while (pmclog_read(parser, &ev) == 0) {
			f.events++;
			f.sum = f.sum * 7 + check(&ev);
			must(ev.pl_count == f.events && (size_t)ev.pl_offset <= size);
		}
		f.end = ev.pl_state;
		free(copy);
	}
	if (f.end != PMCLOG_REQUIRE_DATA) {
		must(pmclog_read(parser, &ev) == -1 && ev.pl_state == f.end);
	}
	pmclog_close(parser);
	return f;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct found one = parse(data, size, size + 1), pieces;

	pieces = parse(data, size, size ? data[size - 1] % 61 + 1 : 1);
	must(one.events == pieces.events && one.sum == pieces.sum && one.end == pieces.end);
	return 0;
}
