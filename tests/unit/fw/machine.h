/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h - stands in front of fw/machine.h for tests on the host: CSRs are memory.
 */
#ifndef FW_MACHINE_H
#define FW_MACHINE_H

#include <stdint.h>

#include <rv/xlen.h>

extern rv_ulong fake_csr[4096];

#define csr_read(num)	      (fake_csr[num])
#define csr_write(num, value) ((void)(fake_csr[num] = (rv_ulong)(value)))
#define csr_set(num, value)   ((void)(fake_csr[num] |= (rv_ulong)(value)))
#define csr_clear(num, value) ((void)(fake_csr[num] &= ~(rv_ulong)(value)))

#define csr_read64(lo, hi)	   ((void)(hi), (uint64_t)csr_read(lo))
#define csr_write64(lo, hi, value) ((void)(hi), csr_write(lo, value))

static inline void wait_for_interrupt(void)
{
}

static inline void full_fence(void)
{
}

static inline void fence_everything(void)
{
}

#endif
