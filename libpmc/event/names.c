// SPDX-License-Identifier: BSD-2-Clause
/*
 * names.c - the names of enum values (pmc_name_of_*).  No state, no system calls.
 */
#include "error.h"
#include "event.h"

struct name {
	int number;
	const char *name;
};

static const char *find(const struct name *list, size_t nr, int number, const char *what)
{
	for (size_t i = 0; i < nr; i++) {
		if (list[i].number == number)
			return list[i].name;
	}
	lpmc_fail(EINVAL, "%d is not a valid %s", number, what);
	return NULL;
}

const char *pmc_name_of_capability(enum pmc_caps cap)
{
	static const struct name list[] = {
		{ PMC_CAP_INTERRUPT, "INTERRUPT" }, { PMC_CAP_USER, "USER" },
		{ PMC_CAP_SYSTEM, "SYSTEM" },	    { PMC_CAP_EDGE, "EDGE" },
		{ PMC_CAP_THRESHOLD, "THRESHOLD" }, { PMC_CAP_READ, "READ" },
		{ PMC_CAP_WRITE, "WRITE" },	    { PMC_CAP_INVERT, "INVERT" },
		{ PMC_CAP_QUALIFIER, "QUALIFIER" }, { PMC_CAP_PRECISE, "PRECISE" },
		{ PMC_CAP_TAGGING, "TAGGING" },	    { PMC_CAP_CASCADE, "CASCADE" },
		{ PMC_CAP_SYSWIDE, "SYSWIDE" },	    { PMC_CAP_DOMWIDE, "DOMWIDE" },
	};

	return find(list, LPMC_NR(list), (int)cap, "capability");
}

const char *pmc_name_of_class(enum pmc_class cls)
{
	static const struct name list[] = {
		{ PMC_CLASS_SOFT, "SOFT" },
		{ PMC_CLASS_RISCV_SBI, "RISCV_SBI" },
	};

	return find(list, LPMC_NR(list), (int)cls, "class");
}

const char *pmc_name_of_cputype(enum pmc_cputype type)
{
	static const struct name list[] = {
		{ PMC_CPU_GENERIC, "GENERIC" },
		{ PMC_CPU_RISCV_SBI, "RISCV_SBI" },
	};

	return find(list, LPMC_NR(list), (int)type, "CPU type");
}

const char *pmc_name_of_disposition(enum pmc_disp disp)
{
	static const struct name list[] = {
		{ PMC_DISP_STANDALONE, "STANDALONE" },
		{ PMC_DISP_FREE, "FREE" },
		{ PMC_DISP_THREAD, "THREAD" },
		{ PMC_DISP_UNKNOWN, "UNKNOWN" },
	};

	return find(list, LPMC_NR(list), (int)disp, "disposition");
}

const char *pmc_name_of_mode(enum pmc_mode mode)
{
	static const struct name list[] = {
		{ PMC_MODE_SS, "SS" },
		{ PMC_MODE_SC, "SC" },
		{ PMC_MODE_TS, "TS" },
		{ PMC_MODE_TC, "TC" },
	};

	return find(list, LPMC_NR(list), (int)mode, "mode");
}

const char *pmc_name_of_state(enum pmc_state state)
{
	static const struct name list[] = {
		{ PMC_STATE_DISABLED, "DISABLED" },   { PMC_STATE_FREE, "FREE" },
		{ PMC_STATE_ALLOCATED, "ALLOCATED" }, { PMC_STATE_STOPPED, "STOPPED" },
		{ PMC_STATE_RUNNING, "RUNNING" },     { PMC_STATE_DELETED, "DELETED" },
	};

	return find(list, LPMC_NR(list), (int)state, "state");
}
