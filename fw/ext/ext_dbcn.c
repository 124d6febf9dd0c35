// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_dbcn.c - DBCN: the debug console.
 *
 * write and read do not wait for the line and may transfer fewer bytes than the caller asked for.
 * One call transfers at most CHUNK bytes, so that its time is bounded.
 *
 * Implements: SBI 3.0 chapter 12.
 */
#include "ext_dbcn.h"
#include "platform.h"
#include "print.h"
#include "uart.h"

#define CHUNK 4096

/* The caller's buffer; NULL if S-mode may not use that memory. */
static unsigned char *buffer(rv_ulong n, rv_ulong lo, rv_ulong hi)
{
	uint64_t addr = RV_XLEN == 32 ? (uint64_t)hi << 32 | lo : lo;

	if ((RV_XLEN == 64 && hi) || addr > (rv_ulong)-1 || !platform_ram_ok(addr, n))
		return NULL;
	return (unsigned char *)(uintptr_t)addr;
}

static struct sbiret write_bytes(const unsigned char *s, rv_ulong n)
{
	size_t done;

	console_lock();
	done = uart_write(s, n < CHUNK ? n : CHUNK);
	console_unlock();
	return sbi_ok(done);
}

static struct sbiret read_bytes(unsigned char *s, rv_ulong n)
{
	rv_ulong done;
	int c;

	for (done = 0; done < n && done < CHUNK && (c = uart_get()) >= 0; done++)
		s[done] = (unsigned char)c;
	return sbi_ok(done);
}

static struct sbiret dbcn(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h)
{
	unsigned char *s;

	switch (fid) {
	case SBI_DBCN_WRITE:
	case SBI_DBCN_READ:
		s = buffer(a0, a1, a2);
		if (!s)
			return sbi_fail(SBI_ERR_INVALID_PARAM);
		return fid == SBI_DBCN_WRITE ? write_bytes(s, a0) : read_bytes(s, a0);
	case SBI_DBCN_WRITE_BYTE:
		return uart_put((unsigned char)a0) ? sbi_ok(0) : sbi_fail(SBI_ERR_FAILED);
	default:
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	}
}

static rv_ulong dbcn_probe(const struct hart *h)
{
	return uart_present();
}

const struct sbi_ext ext_dbcn = {
	.eid = SBI_EXT_DBCN,
	.handle = dbcn,
	.probe = dbcn_probe,
	.name = "dbcn",
};
