/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h - instructions that C does not have: CSR access by a constant number, wfi, fences.
 * The unit tests have a header of the same name with CSRs in memory, which their include path finds
 * first.
 *
 * Implements: Priv 1.13 chapter 2; Unpriv chapter 6 (Zicsr).
 */
#ifndef FW_MACHINE_H
#define FW_MACHINE_H

#include <stdbool.h>

#include <rv/xlen.h>

#define csr_read(num)                                                                              \
	({                                                                                         \
		rv_ulong value_;                                                                   \
		__asm__ volatile("csrr %0, %1" : "=r"(value_) : "i"(num) : "memory");              \
		value_;                                                                            \
	})
#define csr_write(num, value)                                                                      \
	__asm__ volatile("csrw %0, %1" : : "i"(num), "rK"((rv_ulong)(value)) : "memory")
#define csr_set(num, value)                                                                        \
	__asm__ volatile("csrs %0, %1" : : "i"(num), "rK"((rv_ulong)(value)) : "memory")
#define csr_clear(num, value)                                                                      \
	__asm__ volatile("csrc %0, %1" : : "i"(num), "rK"((rv_ulong)(value)) : "memory")
#define csr_swap(num, value)                                                                       \
	({                                                                                         \
		rv_ulong value_ = (rv_ulong)(value);                                               \
		__asm__ volatile("csrrw %0, %1, %0" : "+r"(value_) : "i"(num) : "memory");         \
		value_;                                                                            \
	})

/* Both halves of a 64-bit CSR. */
#define csr_read64(lo, hi)                                                                         \
	(RV_XLEN == 32 ? (uint64_t)csr_read(hi) << 32 | csr_read(lo) : (uint64_t)csr_read(lo))
#define csr_write64(lo, hi, value)                                                                 \
	do {                                                                                       \
		csr_write(lo, value);                                                              \
		if (RV_XLEN == 32)                                                                 \
			csr_write(hi, (uint64_t)(value) >> 32);                                    \
	} while (0)

static inline void wait_for_interrupt(void)
{
	__asm__ volatile("wfi" : : : "memory");
}

/* Orders all earlier accesses before all later ones, device registers included. */
static inline void full_fence(void)
{
	__asm__ volatile("fence iorw, iorw" : : : "memory");
}

/* Later instruction fetches and translations of this hart see all earlier stores. */
static inline void fence_everything(void)
{
	__asm__ volatile("fence.i; sfence.vma" : : : "memory");
}

/* Later instruction fetches of this hart see all earlier stores. */
static inline void fence_code(void)
{
	__asm__ volatile("fence.i" : : : "memory");
}

/* funct7 of address-translation fences.  The assembler knows no HFENCE without the H extension. */
#define SFENCE_VMA  0x09
#define HFENCE_VVMA 0x11
#define HFENCE_GVMA 0x31

/* Such a fence: for one address or all, for one ASID or VMID or all. */
static inline __attribute__((always_inline)) void fence_vm(int funct7, bool any_addr, rv_ulong addr,
							   bool any_id, rv_ulong id)
{
	if (any_addr && any_id)
		__asm__ volatile(".insn r 0x73, 0, %0, x0, x0, x0" ::"i"(funct7) : "memory");
	else if (any_addr)
		__asm__ volatile(".insn r 0x73, 0, %0, x0, x0, %1" ::"i"(funct7), "r"(id)
				 : "memory");
	else if (any_id)
		__asm__ volatile(".insn r 0x73, 0, %0, x0, %1, x0" ::"i"(funct7), "r"(addr)
				 : "memory");
	else
		__asm__ volatile(".insn r 0x73, 0, %0, x0, %1, %2" ::"i"(funct7), "r"(addr), "r"(id)
				 : "memory");
}

#endif
