// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_freebsd.c - programs for FreeBSD compile: the arguments of its functions and the fields of
 * its structures, with their types.  Also runs the calls of such a program.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmc.h>
#include <pmclog.h>

#include "logread.h"

#include <attach.h>

#define FUNCTION(name, result, ...)                                                                \
	_Static_assert(__builtin_types_compatible_p(__typeof__(name), result(__VA_ARGS__)), #name)
#define FIELD(record, field, type)                                                                 \
	_Static_assert(__builtin_types_compatible_p(__typeof__(((struct record *)0)->field),       \
						    type),                                         \
		       #record "." #field)

typedef const char *string;

FUNCTION(pmc_init, int, void);
FUNCTION(pmc_allocate, int, string, enum pmc_mode, uint32_t, int, pmc_id_t *, uint64_t);
FUNCTION(pmc_release, int, pmc_id_t);
FUNCTION(pmc_attach, int, pmc_id_t, pid_t);
FUNCTION(pmc_detach, int, pmc_id_t, pid_t);
FUNCTION(pmc_start, int, pmc_id_t);
FUNCTION(pmc_stop, int, pmc_id_t);
FUNCTION(pmc_read, int, pmc_id_t, pmc_value_t *);
FUNCTION(pmc_write, int, pmc_id_t, pmc_value_t);
FUNCTION(pmc_rw, int, pmc_id_t, pmc_value_t, pmc_value_t *);
FUNCTION(pmc_set, int, pmc_id_t, pmc_value_t);
FUNCTION(pmc_capabilities, int, pmc_id_t, uint32_t *);
FUNCTION(pmc_width, int, pmc_id_t, uint32_t *);
FUNCTION(pmc_cpuinfo, int, const struct pmc_cpuinfo **);
FUNCTION(pmc_ncpu, int, void);
FUNCTION(pmc_npmc, int, int);
FUNCTION(pmc_pmcinfo, int, int, struct pmc_pmcinfo **);
FUNCTION(pmc_enable, int, int, int);
FUNCTION(pmc_disable, int, int, int);
FUNCTION(pmc_get_msr, int, pmc_id_t, uint32_t *);
FUNCTION(pmc_get_driver_stats, int, struct pmc_driverstats *);
FUNCTION(pmc_configure_logfile, int, int);
FUNCTION(pmc_flush_logfile, int, void);
FUNCTION(pmc_close_logfile, int, void);
FUNCTION(pmc_writelog, int, uint32_t);
FUNCTION(pmc_name_of_capability, string, enum pmc_caps);
FUNCTION(pmc_name_of_class, string, enum pmc_class);
FUNCTION(pmc_name_of_cputype, string, enum pmc_cputype);
FUNCTION(pmc_name_of_disposition, string, enum pmc_disp);
FUNCTION(pmc_name_of_event, string, enum pmc_event);
FUNCTION(pmc_name_of_mode, string, enum pmc_mode);
FUNCTION(pmc_name_of_state, string, enum pmc_state);
FUNCTION(pmc_event_names_of_class, int, enum pmc_class, string **, int *);
FUNCTION(pmc_pmu_enabled, int, void);
FUNCTION(pmc_pmu_print_counters, void, string);
FUNCTION(pmc_pmu_print_counter_desc, void, string);
FUNCTION(pmc_pmu_print_counter_desc_long, void, string);
FUNCTION(pmc_pmu_print_counter_full, void, string);
FUNCTION(pmc_pmu_sample_rate_get, uint64_t, string);
FUNCTION(pmc_pmu_pmcallocate, int, string, struct pmc_op_pmcallocate *);
FUNCTION(pmc_pmu_event_get_by_idx, string, string, int);
FUNCTION(pmc_pmu_idx_get_by_event, int, string, string);
FUNCTION(pmc_pmu_stat_mode, int, string **);
FUNCTION(pmclog_open, void *, int);
FUNCTION(pmclog_read, int, void *, struct pmclog_ev *);
FUNCTION(pmclog_feed, int, void *, char *, int);
FUNCTION(pmclog_close, void, void *);

_Static_assert(sizeof(pmc_id_t) == 4 && sizeof(pmc_value_t) == 8, "handles and values");
_Static_assert(PMC_NAME_MAX == 64 && PMC_CLASS_MAX == 8 && PMC_CALLCHAIN_DEPTH_MAX == 512,
	       "limits");
_Static_assert(PMC_ID_MAKE_ID(1, 2, 3, 4) == 0x00120304, "CPU 12, mode 4, class 8, row 8 bits");

FIELD(pmc_driverstats, pm_intr_ignored, unsigned int);
FIELD(pmc_driverstats, pm_intr_processed, unsigned int);
FIELD(pmc_driverstats, pm_intr_bufferfull, unsigned int);
FIELD(pmc_driverstats, pm_syscalls, unsigned int);
FIELD(pmc_driverstats, pm_syscall_errors, unsigned int);
FIELD(pmc_driverstats, pm_buffer_requests, unsigned int);
FIELD(pmc_driverstats, pm_buffer_requests_failed, unsigned int);
FIELD(pmc_driverstats, pm_log_sweeps, unsigned int);
FIELD(pmc_classinfo, pm_class, enum pmc_class);
FIELD(pmc_classinfo, pm_caps, uint32_t);
FIELD(pmc_classinfo, pm_width, uint32_t);
FIELD(pmc_classinfo, pm_num, uint32_t);
FIELD(pmc_cpuinfo, pm_cputype, enum pmc_cputype);
FIELD(pmc_cpuinfo, pm_ncpu, uint32_t);
FIELD(pmc_cpuinfo, pm_npmc, uint32_t);
FIELD(pmc_cpuinfo, pm_nclass, uint32_t);
FIELD(pmc_cpuinfo, pm_classes, struct pmc_classinfo[PMC_CLASS_MAX]);
FIELD(pmc_info, pm_name, char[PMC_NAME_MAX]);
FIELD(pmc_info, pm_class, enum pmc_class);
FIELD(pmc_info, pm_enabled, int);
FIELD(pmc_info, pm_rowdisp, enum pmc_disp);
FIELD(pmc_info, pm_ownerpid, pid_t);
FIELD(pmc_info, pm_mode, enum pmc_mode);
FIELD(pmc_info, pm_event, enum pmc_event);
FIELD(pmc_info, pm_flags, uint32_t);
FIELD(pmc_info, pm_reloadcount, pmc_value_t);
FIELD(pmc_pmcinfo, pm_cpu, int32_t);
FIELD(pmc_pmcinfo, pm_pmcs, struct pmc_info[]);
FIELD(pmc_op_pmcallocate, pm_caps, uint32_t);
FIELD(pmc_op_pmcallocate, pm_cpu, uint32_t);
FIELD(pmc_op_pmcallocate, pm_class, enum pmc_class);
FIELD(pmc_op_pmcallocate, pm_ev, enum pmc_event);
FIELD(pmc_op_pmcallocate, pm_flags, uint32_t);
FIELD(pmc_op_pmcallocate, pm_mode, enum pmc_mode);
FIELD(pmc_op_pmcallocate, pm_pmcid, pmc_id_t);
FIELD(pmc_op_pmcallocate, pm_count, pmc_value_t);

FIELD(pmclog_ev, pl_state, enum pmclog_state);
FIELD(pmclog_ev, pl_offset, off_t);
FIELD(pmclog_ev, pl_count, size_t);
FIELD(pmclog_ev, pl_ts, struct timespec);
FIELD(pmclog_ev, pl_type, enum pmclog_type);
FIELD(pmclog_ev, pl_data, void *);
FIELD(pmclog_ev, pl_len, int);
FIELD(pmclog_ev, pl_u.pl_cc.pl_pid, uint32_t);
FIELD(pmclog_ev, pl_u.pl_cc.pl_tid, uint32_t);
FIELD(pmclog_ev, pl_u.pl_cc.pl_pmcid, uint32_t);
FIELD(pmclog_ev, pl_u.pl_cc.pl_cpuflags, uint32_t);
FIELD(pmclog_ev, pl_u.pl_cc.pl_npc, uint32_t);
FIELD(pmclog_ev, pl_u.pl_cc.pl_cpuflags2, uint32_t);
FIELD(pmclog_ev, pl_u.pl_s.pl_usermode, uint32_t);
_Static_assert(sizeof(((struct pmclog_ev *)0)->pl_u.pl_i.pl_cpuid) == PATH_MAX, "pl_cpuid");
FIELD(pmclog_ev, pl_u.pl_cc.pl_pc, uintptr_t[PMC_CALLCHAIN_DEPTH_MAX]);
FIELD(pmclog_ev, pl_u.pl_cl, struct pmclog_ev_closelog);
FIELD(pmclog_ev, pl_u.pl_dn, struct pmclog_ev_dropnotify);
FIELD(pmclog_ev, pl_u.pl_i.pl_version, uint32_t);
FIELD(pmclog_ev, pl_u.pl_i.pl_arch, uint32_t);
FIELD(pmclog_ev, pl_u.pl_i.pl_tsc_freq, uint64_t);
FIELD(pmclog_ev, pl_u.pl_i.pl_ts, struct timespec);
FIELD(pmclog_ev, pl_u.pl_mi.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_mi.pl_start, uintptr_t);
FIELD(pmclog_ev, pl_u.pl_mi.pl_pathname, char[PATH_MAX]);
FIELD(pmclog_ev, pl_u.pl_mo.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_mo.pl_start, uintptr_t);
FIELD(pmclog_ev, pl_u.pl_mo.pl_end, uintptr_t);
FIELD(pmclog_ev, pl_u.pl_a.pl_evname, string);
FIELD(pmclog_ev, pl_u.pl_a.pl_rate, uint64_t);
FIELD(pmclog_ev, pl_u.pl_a.pl_event, uint32_t);
FIELD(pmclog_ev, pl_u.pl_a.pl_flags, uint32_t);
FIELD(pmclog_ev, pl_u.pl_a.pl_pmcid, pmc_id_t);
FIELD(pmclog_ev, pl_u.pl_ad.pl_evname, char[PMC_NAME_MAX]);
FIELD(pmclog_ev, pl_u.pl_ad.pl_event, uint32_t);
FIELD(pmclog_ev, pl_u.pl_ad.pl_flags, uint32_t);
FIELD(pmclog_ev, pl_u.pl_ad.pl_pmcid, pmc_id_t);
FIELD(pmclog_ev, pl_u.pl_t.pl_pmcid, pmc_id_t);
FIELD(pmclog_ev, pl_u.pl_t.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_t.pl_pathname, char[PATH_MAX]);
FIELD(pmclog_ev, pl_u.pl_d.pl_pmcid, pmc_id_t);
FIELD(pmclog_ev, pl_u.pl_d.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_c.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_c.pl_tid, pid_t);
FIELD(pmclog_ev, pl_u.pl_c.pl_pmcid, pmc_id_t);
FIELD(pmclog_ev, pl_u.pl_c.pl_value, pmc_value_t);
FIELD(pmclog_ev, pl_u.pl_pc.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_pc.pl_flags, uint32_t);
FIELD(pmclog_ev, pl_u.pl_pc.pl_pcomm, char[MAXCOMLEN + 1]);
FIELD(pmclog_ev, pl_u.pl_x.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_x.pl_pmcid, pmc_id_t);
FIELD(pmclog_ev, pl_u.pl_x.pl_baseaddr, uintptr_t);
FIELD(pmclog_ev, pl_u.pl_x.pl_dynaddr, uintptr_t);
FIELD(pmclog_ev, pl_u.pl_x.pl_pathname, char[PATH_MAX]);
FIELD(pmclog_ev, pl_u.pl_e.pl_pid, uint32_t);
FIELD(pmclog_ev, pl_u.pl_e.pl_pmcid, pmc_id_t);
FIELD(pmclog_ev, pl_u.pl_e.pl_value, pmc_value_t);
FIELD(pmclog_ev, pl_u.pl_f.pl_oldpid, pid_t);
FIELD(pmclog_ev, pl_u.pl_f.pl_newpid, pid_t);
FIELD(pmclog_ev, pl_u.pl_se.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_tc.pl_tid, pid_t);
FIELD(pmclog_ev, pl_u.pl_tc.pl_pid, pid_t);
FIELD(pmclog_ev, pl_u.pl_tc.pl_flags, uint32_t);
FIELD(pmclog_ev, pl_u.pl_tc.pl_tdname, char[MAXCOMLEN + 1]);
FIELD(pmclog_ev, pl_u.pl_te.pl_tid, pid_t);
FIELD(pmclog_ev, pl_u.pl_u.pl_userdata, uint32_t);

/* Classes, rows, names: the calls of a program that lists the PMCs of a machine. */
static void control(void)
{
	const struct pmc_cpuinfo *ci;
	struct pmc_pmcinfo *pi;
	const char **names;
	int nr;

	fake_boot();
	is(pmc_cpuinfo(&ci), 0);
	for (uint32_t i = 0; i < ci->pm_nclass; i++) {
		is(pmc_event_names_of_class(ci->pm_classes[i].pm_class, &names, &nr), 0);
		ok(nr > 0);
		free(names);
	}
	for (uint32_t cpu = 0; cpu < ci->pm_ncpu; cpu++) {
		is(pmc_pmcinfo((int)cpu, &pi), 0);
		for (int n = 0; n < pmc_npmc((int)cpu); n++) {
			ok(pmc_name_of_class(pi->pm_pmcs[n].pm_class));
			ok(pmc_name_of_disposition(pi->pm_pmcs[n].pm_rowdisp));
			is(pi->pm_pmcs[n].pm_ownerpid, -1);
		}
		free(pi);
	}
	for (uint32_t cap = PMC_CAP_FIRST; cap <= PMC_CAP_LAST; cap <<= 1)
		ok(pmc_name_of_capability((enum pmc_caps)cap));
}

/* A counting and a sampling PMC of a process, each with pmc_set(). */
static void stat(void)
{
	pmc_id_t ids[2];
	pmc_value_t value;
	uint32_t width;

	fake_boot();
	fake.counters = 16;
	is(pmc_configure_logfile(3), 0);
	is(pmc_allocate("instructions", PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &ids[0], 0),
	   0);
	is(pmc_allocate("unhalted-cycles", PMC_MODE_TS, PMC_F_CALLCHAIN, PMC_CPU_ANY, &ids[1],
			pmc_pmu_sample_rate_get("unhalted-cycles")),
	   0);
	is(pmc_set(ids[1], 65536), 0);
	for (int i = 0; i < 2; i++) {
		is(pmc_width(ids[i], &width), 0);
		is(width, 64);
		is(pmc_attach(ids[i], FAKE_OTHER), 0);
		is(pmc_start(ids[i]), 0);
	}
	is(pmc_read(ids[0], &value), 0);
	for (int i = 0; i < 2; i++) {
		is(pmc_stop(ids[i]), 0);
		is(pmc_release(ids[i]), 0);
	}
	is(pmc_close_logfile(), 0);
	log_rewind();
	ok(log_find(PMCLOG_TYPE_PMCALLOCATE));
	is(log_ev.pl_u.pl_a.pl_pmcid, ids[0]);
	ok(log_find(PMCLOG_TYPE_PMCALLOCATE));
	is(log_ev.pl_u.pl_a.pl_rate, 65537);
	while (log_find(PMCLOG_TYPE_PMCDETACH))
		;
	is(log_ev.pl_type, PMCLOG_TYPE_CLOSELOG);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the calls of a program that lists PMCs", control },
		{ "the calls of a program that counts and samples", stat },
	};
	int result = tap_run(cases, TAP_NR(cases));

	pmclog_close(log_cookie);
	lpmc_reset(&fake_sys);
	return result;
}
