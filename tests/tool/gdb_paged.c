// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb_paged.c - what tests/tool/gdb debugs with paging: main turns Sv39 on, with RAM at
 * HIGH + its physical address, and goes on there in S-mode.  Breakpoints and memory then have
 * virtual addresses, as in a kernel.
 */
#define HIGH 0xffffffc000000000ul

unsigned long root[512] __attribute__((aligned(4096)));
volatile long word = 41;

/* In S-mode, at its high address. */
__attribute__((noinline, noclone)) void kernel(void)
{
	word++;
	word++;
	asm volatile("ecall");
}

/* Of the ecall: ends the machine with status 9. */
__attribute__((aligned(4))) void handler(void)
{
	*(volatile unsigned *)0x100000 = 0x3333 | 9 << 16;
	for (;;)
		;
}

int main(long hart)
{
	/* Two leaves of 1 GiB map the RAM at 0x80000000: there, and at HIGH.  V R W X A D. */
	root[2] = root[258] = 0x80000000ul >> 2 | 0xcf;
	asm volatile("csrw pmpaddr0, %0; csrw pmpcfg0, %1" ::"r"(-1ul >> 10), "r"(0x1f));
	asm volatile("csrw satp, %0; sfence.vma" ::"r"(8ul << 60 | (unsigned long)root >> 12));
	asm volatile("csrw mtvec, %0; csrw mepc, %1" ::"r"(handler),
		     "r"(HIGH + (unsigned long)kernel));
	asm volatile("csrc mstatus, %0; csrs mstatus, %1; add sp, sp, %2; mret" ::"r"(3 << 11),
		     "r"(1 << 11), "r"(HIGH));
	return 1;
}
