// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_log.c - the log: configure, flush, close, and the entries for samples.
 */
#include "logread.h"

#include <errno.h>
#include <sys/mman.h>

#include <attach.h>
#include <state.h>

static pmc_id_t allocate(const char *spec, enum pmc_mode mode, uint32_t flags, uint64_t count)
{
	pmc_id_t id = PMC_ID_INVALID;

	is(pmc_allocate(spec, mode, flags, PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY, &id, count),
	   0);
	return id;
}

static void errors(void)
{
	fake_boot();
	is(pmc_flush_logfile(), -1);
	is(errno, EINVAL);
	is(pmc_writelog(1), -1);
	is(errno, EINVAL);
	is(pmc_close_logfile(), -1);
	is(errno, EINVAL);
	is(pmc_configure_logfile(-1), -1);
	is(errno, EINVAL);
	fake.dup_error = EBADF;
	is(pmc_configure_logfile(99), -1);
	is(errno, EBADF);
	fake.dup_error = 0;
	fake.thread_error = EAGAIN;
	is(pmc_configure_logfile(3), -1);
	is(errno, EAGAIN);
	fake.thread_error = EMFILE;
	is(pmc_configure_logfile(3), -1);
	is(errno, EMFILE);
	ok(strstr(pmc_error_text(), "ulimit -n"));
	fake.thread_error = 0;
	is(pmc_configure_logfile(3), 0);
	is(pmc_configure_logfile(3), -1);
	is(errno, EBUSY);
	is(pmc_close_logfile(), 0);
	is(pmc_configure_logfile(3), 0);
}

static void write_errors(void)
{
	fake_boot();
	is(pmc_configure_logfile(3), 0);
	is(pmc_flush_logfile(), 0);
	fake.write_error = ENOSPC;
	is(pmc_writelog(1), 0); /* it is in the buffer */
	is(pmc_flush_logfile(), -1);
	is(errno, ENOSPC);
	ok(strstr(pmc_error_text(), "could not be written"));
	fake.write_error = 0;
	is(pmc_writelog(2), -1); /* the error stays */
	is(errno, ENOSPC);
	is(pmc_close_logfile(), -1);
	is(errno, ENOSPC);
	is(pmc_configure_logfile(3), 0); /* a new log has no error */
	is(pmc_flush_logfile(), 0);
}

/* Writing an entry does not wait for the log's reader; only a flush does. */
static void only_a_flush_writes(void)
{
	fake_boot();
	is(pmc_configure_logfile(3), 0);
	for (uint32_t i = 0; i < 10000; i++)
		is(pmc_writelog(i), 0);
	is(fake.log_len, 0);
	is(pmc_flush_logfile(), 0);
	log_rewind();
	for (uint32_t i = 0; i < 10000; i++) {
		ok(log_find(PMCLOG_TYPE_USERDATA));
		is(log_ev.pl_u.pl_u.pl_userdata, i);
	}
}

static void skeleton(void)
{
	pmc_id_t before, id, raw, named;

	fake_boot();
	before = allocate("cycles", PMC_MODE_TC, 0, 0);
	is(pmc_attach(before, FAKE_OTHER), 0);
	is(pmc_configure_logfile(3), 0);
	id = allocate("instructions,usr", PMC_MODE_TS, PMC_F_CALLCHAIN, 5000);
	raw = allocate("raw=0x5", PMC_MODE_TC, 0, 0);
	fake_event_names();
	named = allocate("five", PMC_MODE_TC, 0, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_detach(id, FAKE_OTHER), 0);
	is(pmc_writelog(0xdeadbeef), 0);
	is(pmc_close_logfile(), 0);
	log_rewind();
	is(pmclog_read(log_cookie, &log_ev), 0);
	is(log_ev.pl_type, PMCLOG_TYPE_INITIALIZE);
	is(log_ev.pl_u.pl_i.pl_version, PMC_VERSION);
	is(log_ev.pl_u.pl_i.pl_arch, PMC_CPU_RISCV_SBI);
	is(log_ev.pl_u.pl_i.pl_tsc_freq, 1000000000);
	is(log_ev.pl_u.pl_i.pl_ts.tv_sec, 1700000000);
	is_str(log_ev.pl_u.pl_i.pl_cpuid, "RISCV_SBI");
	ok(log_find(PMCLOG_TYPE_PMCALLOCATE));
	is(log_ev.pl_u.pl_a.pl_pmcid, before);
	/* FreeBSD's pmc filter -e compares these two numbers */
	is(log_ev.pl_u.pl_a.pl_event, pmc_pmu_idx_get_by_event(NULL, "cycles"));
	is_str(log_ev.pl_u.pl_a.pl_evname, "HW_CPU_CYCLES");
	ok(log_find(PMCLOG_TYPE_PMCATTACH));
	is(log_ev.pl_u.pl_t.pl_pid, FAKE_OTHER);
	is_str(log_ev.pl_u.pl_t.pl_pathname, "/bin/other");
	ok(log_find(PMCLOG_TYPE_PMCALLOCATE));
	is(log_ev.pl_u.pl_a.pl_pmcid, id);
	is(log_ev.pl_u.pl_a.pl_rate, 5000);
	is(log_ev.pl_u.pl_a.pl_flags, PMC_F_CALLCHAIN);
	ok(log_find(PMCLOG_TYPE_PMCALLOCATEDYN));
	is(log_ev.pl_u.pl_ad.pl_pmcid, raw);
	is_str(log_ev.pl_u.pl_ad.pl_evname, "raw=0x5");
	/* a name of this machine stands in the log: its number means nothing elsewhere */
	ok(log_find(PMCLOG_TYPE_PMCALLOCATEDYN));
	is(log_ev.pl_u.pl_ad.pl_pmcid, named);
	is_str(log_ev.pl_u.pl_ad.pl_evname, "five");
	is(log_ev.pl_u.pl_ad.pl_event, pmc_pmu_idx_get_by_event(NULL, "five"));
	ok(log_find(PMCLOG_TYPE_PMCDETACH));
	is(log_ev.pl_u.pl_d.pl_pmcid, id);
	ok(log_find(PMCLOG_TYPE_USERDATA));
	is(log_ev.pl_u.pl_u.pl_userdata, 0xdeadbeef);
	is(pmclog_read(log_cookie, &log_ev), -1);
	is(log_ev.pl_state, PMCLOG_EOF);
}

static void sample(struct fake_event *e, uint64_t time, uint64_t ip, uint16_t mode)
{
	struct {
		uint64_t ip;
		struct fake_trailer t;
	} body = { ip, { 77, 78, time, 1, 0 } };

	fake_record(e, PERF_RECORD_SAMPLE, mode, &body, sizeof(body));
}

static void mmap2(struct fake_event *e, uint64_t time, uint64_t addr, uint64_t offset,
		  uint32_t prot, const char *name)
{
	struct {
		uint32_t pid, tid;
		uint64_t addr, len, offset, id[3];
		uint32_t prot, flags;
		char name[16];
		struct fake_trailer t;
	} body = { 77, 77, addr, 4096, offset, { 0 }, prot, 0, "", { 77, 77, time, 0, 0 } };

	snprintf(body.name, sizeof(body.name), "%s", name);
	fake_record(e, PERF_RECORD_MMAP2, 0, &body, sizeof(body));
}

static void comm(struct fake_event *e, uint64_t time, uint32_t pid, uint32_t tid, uint16_t misc)
{
	struct {
		uint32_t pid, tid;
		char name[8];
		struct fake_trailer t;
	} body = { pid, tid, "prog", { pid, tid, time, 0, 0 } };

	fake_record(e, PERF_RECORD_COMM, misc, &body, sizeof(body));
}

static pmc_id_t sampling(uint32_t flags)
{
	pmc_id_t id;

	fake_boot();
	is(pmc_configure_logfile(3), 0);
	id = allocate("cycles", PMC_MODE_TS, flags, 5000);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	return id;
}

static void samples(void)
{
	pmc_id_t id = sampling(0);

	fake.now = 9000;
	/* CPU 1's ring is read after CPU 0's, but its records are older */
	sample(fake_event(77, 0), 5000, 0x2222, PERF_RECORD_MISC_KERNEL);
	comm(fake_event(77, 1), 3000, 77, 77, PERF_RECORD_MISC_COMM_EXEC);
	mmap2(fake_event(77, 1), 3500, 0x11000, 0x1000, PROT_READ | PROT_EXEC, "/bin/prog");
	mmap2(fake_event(77, 1), 3600, 0x30000, 0, PROT_READ, "/bin/prog");
	mmap2(fake_event(77, 1), 3700, 0x40000, 0, PROT_READ | PROT_EXEC, "[vdso]");
	mmap2(fake_event(77, 1), 3800, 0x50000, 0, PROT_READ | PROT_EXEC, "//anon");
	sample(fake_event(77, 1), 4000, 0x1111, PERF_RECORD_MISC_USER);
	sample(fake_event(77, 0), 9500, 0x3333, PERF_RECORD_MISC_USER); /* newer than the flush */
	is(pmc_flush_logfile(), 0);
	log_rewind();
	ok(log_find(PMCLOG_TYPE_PROCEXEC));
	is(log_ev.pl_u.pl_x.pl_dynaddr, 0x10000);
	is_str(log_ev.pl_u.pl_x.pl_pathname, "/bin/prog");
	ok(log_find(PMCLOG_TYPE_MAP_IN));
	is(log_ev.pl_u.pl_mi.pl_start, 0x10000);
	is(log_ev.pl_u.pl_mi.pl_pid, 77);
	is(pmclog_read(log_cookie, &log_ev), 0);
	is(log_ev.pl_type,
	   PMCLOG_TYPE_CALLCHAIN); /* mappings without code of a file are left out */
	is(log_ev.pl_u.pl_cc.pl_npc, 1);
	is(log_ev.pl_u.pl_cc.pl_pc[0], 0x1111);
	is(log_ev.pl_u.pl_cc.pl_tid, 78);
	is(log_ev.pl_u.pl_cc.pl_pmcid, id);
	is(PMC_CALLCHAIN_CPUFLAGS_TO_CPU(log_ev.pl_u.pl_cc.pl_cpuflags), 1);
	ok(PMC_CALLCHAIN_CPUFLAGS_TO_USERMODE(log_ev.pl_u.pl_cc.pl_cpuflags));
	is(log_ev.pl_ts.tv_nsec, 4000);
	ok(log_find(PMCLOG_TYPE_CALLCHAIN));
	is(log_ev.pl_u.pl_cc.pl_pc[0], 0x2222);
	ok(!PMC_CALLCHAIN_CPUFLAGS_TO_USERMODE(log_ev.pl_u.pl_cc.pl_cpuflags));
	ok(!log_find(PMCLOG_TYPE_CALLCHAIN));
	is(pmc_release(id), 0);
	is(pmc_close_logfile(), 0);
	log_rewind();
	for (int i = 0; i < 3; i++)
		ok(log_find(PMCLOG_TYPE_CALLCHAIN));
	is(log_ev.pl_u.pl_cc.pl_pc[0], 0x3333);
	is(lpmc.stats.pm_intr_processed, 3);
}

static void chains(void)
{
	struct {
		uint64_t ip;
		struct fake_trailer t;
		uint64_t nr, pc[5];
	} body = { 0x100,
		   { 77, 77, 1500, 0, 0 },
		   5,
		   { (uint64_t)PERF_CONTEXT_KERNEL, 0x100, (uint64_t)PERF_CONTEXT_USER, 0x200,
		     0x300 } };

	sampling(PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN);
	is(fake_event(77, 0)->attr.exclude_callchain_kernel, 1);
	fake_record(fake_event(77, 0), PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, &body,
		    sizeof(body));
	fake.now = 2000;
	is(pmc_flush_logfile(), 0);
	log_rewind();
	ok(log_find(PMCLOG_TYPE_CALLCHAIN));
	is(log_ev.pl_u.pl_cc.pl_npc, 3);
	is(log_ev.pl_u.pl_cc.pl_pc[0], 0x100);
	is(log_ev.pl_u.pl_cc.pl_pc[2], 0x300);
}

#define KERNEL 4 /* FreeBSD's P_KPROC */

/* Checks that the next entry is this thread. */
static void thread(pid_t tid, pid_t pid, uint32_t flags, const char *name)
{
	tap_context("thread %d, %s", (int)tid, name);
	is(pmclog_read(log_cookie, &log_ev), 0);
	is(log_ev.pl_type, PMCLOG_TYPE_THR_CREATE);
	is(log_ev.pl_u.pl_tc.pl_tid, tid);
	is(log_ev.pl_u.pl_tc.pl_pid, pid);
	is(log_ev.pl_u.pl_tc.pl_flags, flags);
	is_str(log_ev.pl_u.pl_tc.pl_tdname, name);
}

/* Checks that the next entries are this process and its first thread. */
static void process(pid_t pid, uint32_t flags, const char *name)
{
	tap_context("process %d, %s", (int)pid, name);
	is(pmclog_read(log_cookie, &log_ev), 0);
	is(log_ev.pl_type, PMCLOG_TYPE_PROC_CREATE);
	is(log_ev.pl_u.pl_pc.pl_pid, pid);
	is(log_ev.pl_u.pl_pc.pl_flags, flags);
	is_str(log_ev.pl_u.pl_pc.pl_pcomm, name);
	thread(pid, pid, flags, name);
}

static void processes(void)
{
	struct fake_event *e;

	sampling(PMC_F_DESCENDANTS);
	e = fake_event(77, 0);
	fake_task(e, PERF_RECORD_FORK, 1100, 90, 77, 90);
	fake_task(e, PERF_RECORD_FORK, 1200, 77, 77, 79);
	fake_task(e, PERF_RECORD_EXIT, 1300, 77, 77, 79);
	fake_task(e, PERF_RECORD_EXIT, 1400, 90, 77, 90);
	fake.now = 2000;
	is(pmc_flush_logfile(), 0);
	log_rewind();
	ok(log_find(PMCLOG_TYPE_PMCATTACH));
	process(77, 0, "other");
	thread(78, 77, 0, "it (x) y");
	ok(log_find(PMCLOG_TYPE_PROCFORK));
	is(log_ev.pl_u.pl_f.pl_oldpid, 77);
	is(log_ev.pl_u.pl_f.pl_newpid, 90);
	process(90, 0, "other");
	thread(79, 77, 0, "other");
	ok(log_find(PMCLOG_TYPE_THR_EXIT));
	ok(!log_find(PMCLOG_TYPE_SYSEXIT)); /* as on FreeBSD: only in system scope */
}

static void next(enum pmclog_type type)
{
	is(pmclog_read(log_cookie, &log_ev), 0);
	is(log_ev.pl_type, type);
}

/* A PMC of system scope starts: it logs all processes and threads, the kernel, the mappings. */
static void what_exists(void)
{
	fake_boot();
	snprintf(fake.maps, sizeof(fake.maps), "10000-20000 r-xp 00000000 fe:00 1  /bin/prog\n");
	is(pmc_configure_logfile(3), 0);
	is(pmc_start(allocate("cycles", PMC_MODE_SS, 0, 5000)), 0);
	is(pmc_flush_logfile(), 0);
	log_rewind();
	next(PMCLOG_TYPE_INITIALIZE);
	next(PMCLOG_TYPE_PMCALLOCATE);
	process(0, KERNEL, "swapper");
	process(FAKE_KERNEL, KERNEL, "kworker/u4:0-ev");
	process(77, 0, "other");
	thread(78, 77, 0, "it (x) y");
	next(PMCLOG_TYPE_MAP_IN);
	is_str(log_ev.pl_u.pl_mi.pl_pathname, "kernel");
	next(PMCLOG_TYPE_MAP_IN);
	is_str(log_ev.pl_u.pl_mi.pl_pathname, "/bin/prog");
	is(pmclog_read(log_cookie, &log_ev), -1);
}

/* Starts a PMC of system scope, and skips the entries of its start. */
static struct fake_event *system_sampling(void)
{
	fake_boot();
	is(pmc_configure_logfile(3), 0);
	is(pmc_start(allocate("cycles", PMC_MODE_SS, 0, 5000)), 0);
	is(pmc_flush_logfile(), 0);
	log_rewind();
	while (pmclog_read(log_cookie, &log_ev) == 0)
		;
	fake.log_len = 0;
	fake.now = 2000;
	return fake_event(-1, 0);
}

static void read_on(void)
{
	is(pmc_flush_logfile(), 0);
	is(pmclog_feed(log_cookie, (char *)fake.log, (int)fake.log_len), 0);
}

/* Processes and threads begin, get names, and end. */
static void names(void)
{
	struct fake_event *e = system_sampling();

	fake_task(e, PERF_RECORD_FORK, 1100, 90, 77, 90);
	comm(e, 1200, 90, 90, PERF_RECORD_MISC_COMM_EXEC);
	comm(e, 1210, 90, 90,
	     PERF_RECORD_MISC_COMM_EXEC); /* the same record in another PMC's ring */
	fake_task(e, PERF_RECORD_FORK, 1300, 90, 90, 91);
	fake_task(e, PERF_RECORD_FORK, 1310, 91, 2, 91);
	comm(e, 1320, 91, 91, 0);
	comm(e, 1330, 77, 78, 0);
	fake_task(e, PERF_RECORD_EXIT, 1400, 77, 77, 78);
	fake_task(e, PERF_RECORD_EXIT, 1500, 90, 77, 90);
	fake_task(e, PERF_RECORD_FORK, 1600, 90, 77, 90);
	fake_task(e, PERF_RECORD_FORK, 1700, 92, 5, 92); /* its parent is unknown */
	read_on();
	next(PMCLOG_TYPE_PROCFORK);
	process(90, 0, "other");
	process(90, 0, "prog");
	thread(91, 90, 0, "prog");
	next(PMCLOG_TYPE_PROCFORK);
	process(91, KERNEL, "kworker/u4:0-ev");
	process(91, KERNEL, "prog");
	thread(78, 77, 0, "prog");
	next(PMCLOG_TYPE_THR_EXIT);
	next(PMCLOG_TYPE_SYSEXIT);
	is(log_ev.pl_u.pl_se.pl_pid, 90);
	next(PMCLOG_TYPE_PROCFORK);
	process(90, 0, "other");
	next(PMCLOG_TYPE_PROCFORK);
	process(92, 0, "");
	is(pmclog_read(log_cookie, &log_ev), -1);
}

/* A second PMC logs only new processes. */
static void second_start(void)
{
	pmc_id_t id = PMC_ID_INVALID;

	system_sampling();
	is(pmc_allocate("cycles", PMC_MODE_SS, 0, 1, &id, 5000), 0);
	is(pmc_start(id), 0);
	read_on();
	next(PMCLOG_TYPE_PMCALLOCATE);
	next(PMCLOG_TYPE_MAP_IN);
}

static void lost(void)
{
	struct {
		uint64_t id, lost;
		struct fake_trailer t;
	} body = { 0, 17, { 77, 77, 1500, 0, 0 } };
	uint64_t throttle[3] = { 0 };
	struct fake_event *e;

	sampling(0);
	e = fake_event(77, 0);
	fake_record(e, PERF_RECORD_LOST, 0, &body, sizeof(body));
	body.lost = 0;
	fake_record(e, PERF_RECORD_THROTTLE, 0, (char[48]){ 0 }, 48);
	fake_record(e, PERF_RECORD_SAMPLE, 0, throttle, 8); /* cut short */
	fake.now = 2000;
	is(pmc_flush_logfile(), 0);
	is(lpmc.stats.pm_intr_bufferfull, 18);
	is(lpmc.stats.pm_intr_ignored, 1);
	log_rewind();
	ok(log_find(PMCLOG_TYPE_DROPNOTIFY));
	ok(log_find(PMCLOG_TYPE_DROPNOTIFY));
	ok(!log_find(PMCLOG_TYPE_DROPNOTIFY));
}

static void maps(void)
{
	pmc_id_t id;

	fake_boot();
	snprintf(fake.maps, sizeof(fake.maps),
		 "10000-20000 r--p 00000000 fe:00 1  /bin/prog\n"
		 "20000-30000 r-xp 00010000 fe:00 1  /bin/prog\n"
		 "40000-41000 r-xp 00000000 00:00 0 \n"
		 "50000-51000 r-xp 00002000 00:00 0  [vdso]\n"
		 "60000-61000 r-xp 00001000 00:00 0  /lib/a b.so\n"
		 "nonsense\n");
	is(pmc_configure_logfile(3), 0);
	id = allocate("cycles", PMC_MODE_TS, 0, 5000);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	is(pmc_flush_logfile(), 0);
	log_rewind();
	ok(log_find(PMCLOG_TYPE_MAP_IN));
	is((uint64_t)log_ev.pl_u.pl_mi.pl_pid, (uint64_t)-1);
	is(log_ev.pl_u.pl_mi.pl_start, 0xffffffff80000000);
	is_str(log_ev.pl_u.pl_mi.pl_pathname, "kernel");
	ok(log_find(PMCLOG_TYPE_MAP_IN));
	is(log_ev.pl_u.pl_mi.pl_start, 0x10000);
	is_str(log_ev.pl_u.pl_mi.pl_pathname, "/bin/prog");
	ok(log_find(PMCLOG_TYPE_MAP_IN));
	is(log_ev.pl_u.pl_mi.pl_start, 0x5f000); /* [vdso] has no file, and so no entry */
	is_str(log_ev.pl_u.pl_mi.pl_pathname, "/lib/a b.so");
	ok(!log_find(PMCLOG_TYPE_MAP_IN));
}

static void many(void)
{
	sampling(0);
	/* more than the log's buffer can hold, and several times around the ring */
	for (int round = 0; round < 40; round++) {
		for (int i = 0; i < 100; i++)
			sample(fake_event(77, 0), fake.now + (uint64_t)i, 0x1000 + (uint64_t)i, 0);
		fake.now += 200;
		is(pmc_flush_logfile(), 0);
	}
	log_rewind();
	for (int i = 0; i < 4000; i++) {
		ok(log_find(PMCLOG_TYPE_CALLCHAIN));
		is(log_ev.pl_u.pl_cc.pl_pc[0], 0x1000 + i % 100);
	}
	ok(!log_find(PMCLOG_TYPE_CALLCHAIN));
	is(log_ev.pl_state, PMCLOG_REQUIRE_DATA);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "errors of the log's functions", errors },
		{ "a failed write is reported by the flush, and stays", write_errors },
		{ "a log that nobody reads blocks only a flush", only_a_flush_writes },
		{ "PMCs, targets and user data in the log", skeleton },
		{ "samples, in the order of their times", samples },
		{ "call chains", chains },
		{ "processes and threads", processes },
		{ "system scope: existing processes", what_exists },
		{ "system scope: processes that begin and end", names },
		{ "system scope: a second PMC", second_start },
		{ "lost records", lost },
		{ "mappings from before the start", maps },
		{ "4000 samples", many },
	};
	int result = tap_run(cases, TAP_NR(cases));

	pmclog_close(log_cookie);
	lpmc_reset(&fake_sys);
	return result;
}
