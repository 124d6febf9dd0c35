/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h - replaces fw/hart/machine.h in tests on the host: CSRs are memory.
 */
#ifndef FW_MACHINE_H
#define FW_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include <rv/xlen.h>

extern rv_ulong fake_csr[4096];

#define csr_read(num)	      (fake_csr[num])
#define csr_write(num, value) ((void)(fake_csr[num] = (rv_ulong)(value)))
#define csr_set(num, value)   ((void)(fake_csr[num] |= (rv_ulong)(value)))
#define csr_clear(num, value) ((void)(fake_csr[num] &= ~(rv_ulong)(value)))
#define csr_swap(num, value)                                                                       \
	({                                                                                         \
		rv_ulong old_ = fake_csr[num];                                                     \
		fake_csr[num] = (value);                                                           \
		old_;                                                                              \
	})

#define csr_read64(lo, hi)	   ((void)(hi), (uint64_t)csr_read(lo))
#define csr_write64(lo, hi, value) ((void)(hi), csr_write(lo, value))

/* Each test defines these: what happens while the hart sleeps; which fences were executed. */
void wait_for_interrupt(void);
void fake_fence(int funct7, bool any_addr, rv_ulong addr, bool any_id, rv_ulong id);

#define SFENCE_VMA  0x09
#define HFENCE_VVMA 0x11
#define HFENCE_GVMA 0x31
#define fence_vm    fake_fence

/* FENCE.I on this hart. */
static inline void fence_code(void)
{
}

static inline void full_fence(void)
{
}

static inline void fence_everything(void)
{
}

#endif
