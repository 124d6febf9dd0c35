// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pmclog.c - the parser of logs: every type, every way to feed it, every kind of damage.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <tap.h>
#include <unistd.h>

#include <pmc.h>
#include <pmclog.h>

static char log_data[8192];
static size_t fill;
static struct pmclog_ev ev;

static void put(enum pmclog_type type, void *record, size_t size)
{
	struct pmclog_header *h = record;

	h->pl_header = PMCLOG_HEADER_MAGIC << 24 | (uint32_t)type << 16 | (uint32_t)size;
	h->pl_tsc = 5000000007;
	memcpy(log_data + fill, record, size);
	fill += size;
}

static void begin(void)
{
	struct pmclog_initialize i = { .pl_version = PMC_VERSION, .pl_cpuid = "cpu" };

	fill = 0;
	put(PMCLOG_TYPE_INITIALIZE, &i, sizeof(i));
}

static void put_all(void)
{
	struct pmclog_map_in mi = { .pl_pid = 1, .pl_start = 0x1000, .pl_pathname = "/a" };
	struct pmclog_map_out mo = { .pl_pid = 2, .pl_start = 3, .pl_end = 4 };
	struct pmclog_procexec x = { .pl_pid = 5, .pl_base = 6, .pl_dyn = 7, .pl_pathname = "/bc" };
	struct pmclog_proccsw c = { .pl_value = 1ull << 40, .pl_pid = 8, .pl_tid = 9 };
	struct pmclog_procexit e = { .pl_pid = 10, .pl_value = 1ull << 41 };
	struct pmclog_threadcreate tc = { .pl_tid = 11, .pl_pid = 12, .pl_tdname = "thread" };
	struct pmclog_threadexit te = { .pl_tid = 13 };
	struct pmclog_proccreate pc = { .pl_pid = 14, .pl_pcomm = "comm" };
	struct pmclog_callchain cc = { .pl_pid = 15, .pl_pc = { 16, 17, 18 } };

	begin();
	put(PMCLOG_TYPE_MAP_IN, &mi, offsetof(struct pmclog_map_in, pl_pathname) + 4);
	put(PMCLOG_TYPE_MAP_OUT, &mo, sizeof(mo));
	put(PMCLOG_TYPE_PROCEXEC, &x, offsetof(struct pmclog_procexec, pl_pathname) + 4);
	put(PMCLOG_TYPE_PROCCSW, &c, sizeof(c));
	put(PMCLOG_TYPE_PROCEXIT, &e, sizeof(e));
	put(PMCLOG_TYPE_THR_CREATE, &tc, sizeof(tc));
	put(PMCLOG_TYPE_THR_EXIT, &te, sizeof(te));
	put(PMCLOG_TYPE_PROC_CREATE, &pc, sizeof(pc));
	put(PMCLOG_TYPE_CALLCHAIN, &cc, offsetof(struct pmclog_callchain, pl_pc) + 3 * 8);
}

static void next(void *cookie, enum pmclog_type type)
{
	is(pmclog_read(cookie, &ev), 0);
	is(ev.pl_state, PMCLOG_OK);
	is(ev.pl_type, type);
	is(ev.pl_ts.tv_sec, 5);
	is(ev.pl_ts.tv_nsec, 7);
}

static void check_all(void *cookie)
{
	next(cookie, PMCLOG_TYPE_INITIALIZE);
	is_str(ev.pl_u.pl_i.pl_cpuid, "cpu");
	is(ev.pl_count, 1);
	is(ev.pl_offset, sizeof(struct pmclog_initialize));
	next(cookie, PMCLOG_TYPE_MAP_IN);
	is_str(ev.pl_u.pl_mi.pl_pathname, "/a");
	is(ev.pl_u.pl_mi.pl_start, 0x1000);
	next(cookie, PMCLOG_TYPE_MAP_OUT);
	is(ev.pl_u.pl_mo.pl_end, 4);
	next(cookie, PMCLOG_TYPE_PROCEXEC);
	is(ev.pl_u.pl_x.pl_baseaddr, 6);
	is(ev.pl_u.pl_x.pl_dynaddr, 7);
	is_str(ev.pl_u.pl_x.pl_pathname, "/bc");
	next(cookie, PMCLOG_TYPE_PROCCSW);
	is(ev.pl_u.pl_c.pl_value, 1ull << 40);
	is(ev.pl_u.pl_c.pl_tid, 9);
	next(cookie, PMCLOG_TYPE_PROCEXIT);
	is(ev.pl_u.pl_e.pl_value, 1ull << 41);
	is(ev.pl_u.pl_e.pl_pid, 10);
	next(cookie, PMCLOG_TYPE_THR_CREATE);
	is_str(ev.pl_u.pl_tc.pl_tdname, "thread");
	next(cookie, PMCLOG_TYPE_THR_EXIT);
	is(ev.pl_u.pl_te.pl_tid, 13);
	next(cookie, PMCLOG_TYPE_PROC_CREATE);
	is_str(ev.pl_u.pl_pc.pl_pcomm, "comm");
	next(cookie, PMCLOG_TYPE_CALLCHAIN);
	is(ev.pl_u.pl_cc.pl_npc, 3);
	is(ev.pl_u.pl_cc.pl_pc[2], 18);
	is(ev.pl_u.pl_cc.pl_pc[3], 0);
	is(ev.pl_offset, fill);
	is(ev.pl_count, 10);
	is(ev.pl_len, offsetof(struct pmclog_callchain, pl_pc) + 24);
	is(memcmp(ev.pl_data, log_data + fill - ev.pl_len, (size_t)ev.pl_len), 0);
}

static void every_type(void)
{
	void *cookie = pmclog_open(PMCLOG_FD_NONE);

	put_all();
	is(pmclog_feed(cookie, log_data, (int)fill), 0);
	check_all(cookie);
	is(pmclog_read(cookie, &ev), -1);
	is(ev.pl_state, PMCLOG_REQUIRE_DATA);
	pmclog_close(cookie);
}

static void byte_by_byte(void)
{
	void *cookie = pmclog_open(PMCLOG_FD_NONE);
	size_t events = 0;

	put_all();
	for (size_t i = 0; i < fill; i++) {
		is(pmclog_feed(cookie, log_data + i, 1), 0);
		while (pmclog_read(cookie, &ev) == 0)
			events++;
		is(ev.pl_state, PMCLOG_REQUIRE_DATA);
	}
	is(events, 10);
	is(ev.pl_u.pl_cc.pl_pc[1], 17);
	pmclog_close(cookie);
}

static void feeding(void)
{
	void *cookie = pmclog_open(PMCLOG_FD_NONE);

	begin();
	is(pmclog_feed(cookie, log_data, -1), -1);
	is(errno, EINVAL);
	is(pmclog_feed(cookie, log_data, 8), 0);
	is(pmclog_feed(cookie, log_data, 8), -1); /* it has not asked for data */
	is(pmclog_read(cookie, &ev), -1);
	is(pmclog_feed(cookie, log_data + 8, (int)fill - 8), 0);
	is(pmclog_read(cookie, &ev), 0);
	pmclog_close(cookie);
	cookie = pmclog_open(0);
	is(pmclog_feed(cookie, log_data, 8), -1);
	pmclog_close(cookie);
}

static void from_a_descriptor(void)
{
	struct pmclog_header close_log = { 0 };
	void *cookie;
	int fds[2];

	is(pipe2(fds, O_NONBLOCK), 0);
	cookie = pmclog_open(fds[0]);
	is(pmclog_read(cookie, &ev), -1);
	is(ev.pl_state, PMCLOG_REQUIRE_DATA);
	put_all();
	is(write(fds[1], log_data, fill), fill);
	check_all(cookie);
	fill = 0;
	put(PMCLOG_TYPE_CLOSELOG, &close_log, sizeof(close_log));
	is(write(fds[1], log_data, fill), fill);
	is(pmclog_read(cookie, &ev), -1);
	is(ev.pl_state, PMCLOG_EOF);
	is(pmclog_read(cookie, &ev), -1);
	is(ev.pl_state, PMCLOG_EOF);
	pmclog_close(cookie);
	close(fds[1]);
	cookie = pmclog_open(fds[0]); /* at the end of the file */
	is(pmclog_read(cookie, &ev), -1);
	is(ev.pl_state, PMCLOG_EOF);
	pmclog_close(cookie);
	close(fds[0]);
	cookie = pmclog_open(fds[0]);
	is(pmclog_read(cookie, &ev), -1);
	is(ev.pl_state, PMCLOG_ERROR);
	pmclog_close(cookie);
}

static void damaged(const char *says)
{
	void *cookie = pmclog_open(PMCLOG_FD_NONE);

	tap_context("%s", says);
	is(pmclog_feed(cookie, log_data, (int)fill), 0);
	while (pmclog_read(cookie, &ev) == 0)
		;
	is(ev.pl_state, PMCLOG_ERROR);
	ok(strstr(pmc_error_text(), says));
	is(pmclog_read(cookie, &ev), -1); /* it stays in this state */
	is(ev.pl_state, PMCLOG_ERROR);
	pmclog_close(cookie);
}

static void damages(void)
{
	struct pmclog_map_in mi = { .pl_pathname = "/a" };
	struct pmclog_callchain cc = { .pl_pid = 1 };
	struct pmclog_userdata u = { 0 };
	uint32_t *header = (uint32_t *)log_data;
	size_t first = sizeof(struct pmclog_initialize);

	begin();
	log_data[3] = 0x11;
	damaged("no record begins at byte 0");
	begin();
	put(PMCLOG_TYPE_USERDATA, &u, sizeof(u));
	header[first / 4] = PMCLOG_HEADER_MAGIC << 24 | PMCLOG_TYPE_USERDATA << 16 | 8;
	damaged("impossible length at byte 112");
	header[first / 4] = PMCLOG_HEADER_MAGIC << 24 | PMCLOG_TYPE_USERDATA << 16 | 22;
	damaged("impossible length");
	header[first / 4] = PMCLOG_HEADER_MAGIC << 24 | PMCLOG_TYPE_USERDATA << 16 | 16;
	damaged("contradicts its length");
	header[first / 4] = PMCLOG_HEADER_MAGIC << 24 | 77u << 16 | 24;
	damaged("unknown type");
	fill = 0;
	put(PMCLOG_TYPE_USERDATA, &u, sizeof(u));
	damaged("no INITIALIZE");
	begin();
	memset(mi.pl_pathname, 'x', sizeof(mi.pl_pathname));
	put(PMCLOG_TYPE_MAP_IN, &mi, offsetof(struct pmclog_map_in, pl_pathname) + 40);
	damaged("contradicts its length"); /* a path without its NUL */
	begin();
	put(PMCLOG_TYPE_CALLCHAIN, &cc, offsetof(struct pmclog_callchain, pl_pc));
	damaged("contradicts its length"); /* an empty chain */
	begin();
	put(PMCLOG_TYPE_CALLCHAIN, &cc, offsetof(struct pmclog_callchain, pl_pc) + 12);
	damaged("contradicts its length"); /* half an address */
}

static void cut_short(void)
{
	void *cookie;
	int fds[2];

	put_all();
	is(pipe(fds), 0);
	is(write(fds[1], log_data, fill - 4), fill - 4);
	close(fds[1]);
	cookie = pmclog_open(fds[0]);
	for (int i = 0; i < 9; i++)
		is(pmclog_read(cookie, &ev), 0);
	is(pmclog_read(cookie, &ev), -1);
	is(ev.pl_state, PMCLOG_ERROR);
	ok(strstr(pmc_error_text(), "ends within a record"));
	pmclog_close(cookie);
	close(fds[0]);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "every type of record", every_type },
		{ "byte by byte", byte_by_byte },
		{ "feeding", feeding },
		{ "from a descriptor", from_a_descriptor },
		{ "damaged logs", damages },
		{ "a log that is cut short", cut_short },
	};

	return tap_run(cases, TAP_NR(cases));
}
