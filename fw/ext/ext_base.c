// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_base.c - Base: version of the specification, implementation, extensions.
 *
 * SSE is not offered: no released Linux up to 7.2 contains a driver for it.  Linux takes counter
 * overflows from LCOFI.
 *
 * Implements: SBI 3.0 chapter 4.
 */
#include <machine.h>

#include "ext_base.h"
#include "platform.h"
#include "uart.h"

static struct sbiret probe(rv_ulong eid, const struct hart *h)
{
	const struct sbi_ext *e = ecall_find(eid);

	switch (eid) {
	case SBI_EXT_LEGACY_SET_TIMER:
		return sbi_ok(1);
	case SBI_EXT_LEGACY_CONSOLE_PUTCHAR:
	case SBI_EXT_LEGACY_CONSOLE_GETCHAR:
		return sbi_ok(uart_present());
	case SBI_EXT_LEGACY_SHUTDOWN:
		return sbi_ok(platform.poweroff.reg != NULL);
	default:
		return sbi_ok(!e ? 0 : e->probe ? e->probe(h) : 1);
	}
}

static struct sbiret base(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h)
{
	switch (fid) {
	case SBI_BASE_GET_SPEC_VERSION:
		return sbi_ok(SBI_SPEC_VERSION(3, 0));
	case SBI_BASE_GET_IMPL_ID:
		return sbi_ok(SBI_IMPL_HOLTER);
	case SBI_BASE_GET_IMPL_VERSION:
		return sbi_ok(FW_VERSION_MAJOR << 16 | FW_VERSION_MINOR);
	case SBI_BASE_PROBE_EXT:
		return probe(a0, h);
	case SBI_BASE_GET_MVENDORID:
		return sbi_ok(csr_read(CSR_MVENDORID));
	case SBI_BASE_GET_MARCHID:
		return sbi_ok(csr_read(CSR_MARCHID));
	case SBI_BASE_GET_MIMPID:
		return sbi_ok(csr_read(CSR_MIMPID));
	default:
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	}
}

const struct sbi_ext ext_base = {
	.eid = SBI_EXT_BASE,
	.handle = base,
	.name = "base",
};
