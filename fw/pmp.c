// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmp.c - what S-mode and U-mode may not touch: the firmware, and the devices that belong to
 * M-mode.  The lowest matching entry decides, so the closed ranges come first and one entry
 * that opens everything comes last.
 *
 * Implements: Priv 1.13 §3.7.
 */
#include "fw.h"

#define PMP_ENTRIES 16

#define PMPADDR_CASE(n)                                                                            \
	case n:                                                                                    \
		csr_write(CSR_PMPADDR0 + n, addr);                                                 \
		break;

static void write_addr(unsigned n, rv_ulong addr)
{
	switch (n) {
		PMPADDR_CASE(0)
		PMPADDR_CASE(1)
		PMPADDR_CASE(2)
		PMPADDR_CASE(3)
		PMPADDR_CASE(4)
		PMPADDR_CASE(5)
		PMPADDR_CASE(6)
		PMPADDR_CASE(7)
		PMPADDR_CASE(8)
		PMPADDR_CASE(9)
		PMPADDR_CASE(10)
		PMPADDR_CASE(11)
		PMPADDR_CASE(12)
		PMPADDR_CASE(13)
		PMPADDR_CASE(14)
		PMPADDR_CASE(15)
	}
}

/* cfg has one byte an entry; even pmpcfg registers only on RV64. */
static void write_cfg(const unsigned char cfg[PMP_ENTRIES])
{
	rv_ulong reg[4] = { 0 };
	unsigned i;

	for (i = 0; i < PMP_ENTRIES; i++)
		reg[i / sizeof(rv_ulong)] |= (rv_ulong)cfg[i] << i % sizeof(rv_ulong) * 8;
	csr_write(CSR_PMPCFG0, reg[0]);
	if (RV_XLEN == 32) {
		csr_write(CSR_PMPCFG0 + 1, reg[1]);
		csr_write(CSR_PMPCFG0 + 2, reg[2]);
		csr_write(CSR_PMPCFG0 + 3, reg[3]);
	} else {
		csr_write(CSR_PMPCFG0 + 2, reg[1]);
	}
}

/* Closes a range with one NAPOT entry or two TOR entries; the number of the next free one. */
static unsigned close_range(unsigned n, unsigned char cfg[PMP_ENTRIES], uint64_t base,
			    uint64_t size)
{
	if (!size || (base | size) & 3 || base + size < base)
		return n;
	if (!(size & (size - 1)) && !(base & (size - 1)) && size >= 8 && n + 1 < PMP_ENTRIES) {
		write_addr(n, (rv_ulong)(base >> 2 | (size / 8 - 1)));
		cfg[n] = PMP_NAPOT;
		return n + 1;
	}
	if (n + 2 >= PMP_ENTRIES)
		return n;
	write_addr(n, (rv_ulong)(base >> 2));
	write_addr(n + 1, (rv_ulong)((base + size) >> 2));
	cfg[n + 1] = PMP_TOR;
	return n + 2;
}

bool pmp_init(void)
{
	unsigned char cfg[PMP_ENTRIES] = { 0 };
	unsigned n = 0, i;
	rv_ulong value;

	if (!csr_num_probe(NULL, CSR_PMPCFG0, &value))
		return false;
	n = close_range(n, cfg, platform.fw.base, platform.fw.size);
	for (i = 0; i < platform.nr_mdevs; i++)
		n = close_range(n, cfg, platform.mdev[i].base, platform.mdev[i].size);
	write_addr(n, (rv_ulong)-1);
	cfg[n] = PMP_NAPOT | PMP_R | PMP_W | PMP_X;
	write_cfg(cfg);
	fence_everything();
	/* Without PMP the registers are there and read as zero. */
	return csr_read(CSR_PMPCFG0) != 0;
}
