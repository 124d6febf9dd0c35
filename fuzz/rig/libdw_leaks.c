/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libdw_leaks.c - suppresses leak reports of libdw: elfutils 0.188 leaks memory when debugging
 * information is damaged.
 */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libdw.so\nleak:libelf.so\n";
}
