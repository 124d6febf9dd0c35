/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rt.h - the runtime of S-mode payloads: SBI calls, console, traps, harts, boot arguments.
 *
 * Shared by tests/smode and bench.  A payload defines main(), which runs on the boot hart in
 * S-mode, with paging off, interrupts disabled and every trap caught; the payload ends with
 * rt_shutdown().  Uses include/rv only.
 *
 * Calling convention of SBI calls: SBI 3.0 chapter 3.
 */
#ifndef RT_H
#define RT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rv/csr.h>
#include <rv/pmu_event.h>
#include <rv/sbi.h>
#include <rv/trap.h>
#include <rv/xlen.h>

#include "rt_asm.h"

#define RT_MAX_HARTS 8

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#define csr_read(num)                                                                              \
	({                                                                                         \
		rv_ulong v_;                                                                       \
		__asm__ volatile("csrr %0, %1" : "=r"(v_) : "i"(num) : "memory");                  \
		v_;                                                                                \
	})
#define csr_write(num, value) __asm__ volatile("csrw %0, %1" ::"i"(num), "r"(value) : "memory")
#define csr_set(num, bits)    __asm__ volatile("csrs %0, %1" ::"i"(num), "r"(bits) : "memory")
#define csr_clear(num, bits)  __asm__ volatile("csrc %0, %1" ::"i"(num), "r"(bits) : "memory")

/*
 * One hart. entry.S uses the first fields; tp and sscratch point here. irqs: interrupts taken, by
 * number. job, arg: the function that hart_run gave it; job is NULL again when it has returned.
 */
struct hart {
	rv_ulong regs[32];
	rv_ulong jmp[14];
	rv_ulong resume;
	rv_long cause;
	rv_ulong trap_stack;
	rv_ulong stack;

	rv_ulong id;
	rv_ulong tval;
	rv_ulong epc;
	volatile bool online;
	volatile unsigned irqs[16];
	void (*volatile job)(void *arg);
	void *volatile arg;
	volatile rv_ulong result[4];
};

/* The facts of the device tree that a payload needs. */
struct boot_info {
	rv_ulong hartid;
	const void *dtb;
	char args[256]; /* /chosen bootargs */
	uint64_t ram_base; /* the first /memory; size 0 if there is none */
	uint64_t ram_size;
	uint32_t timebase; /* Hz; 10 MHz if the tree has none */
	rv_ulong cpu[RT_MAX_HARTS]; /* hart ids under /cpus */
	unsigned nr_cpus;
	bool zkr; /* a cpu has the entropy source */
	bool ssccfg; /* a cpu has counters that M-mode can delegate */
};

extern struct hart rt_harts[RT_MAX_HARTS]; /* 0 is the boot hart */
extern unsigned rt_nr_harts; /* harts that answered to HSM, with the boot hart */
extern struct boot_info rt_boot;
extern unsigned rt_strays; /* how often a hart began at _start instead of at HSM's address */
extern char _start[], _end[];

static inline struct hart *this_hart(void)
{
	struct hart *h;

	__asm__ volatile("mv %0, tp" : "=r"(h));
	return h;
}

static inline struct sbiret sbi_call(rv_ulong ext, rv_ulong fid, rv_ulong a0, rv_ulong a1,
				     rv_ulong a2, rv_ulong a3, rv_ulong a4, rv_ulong a5)
{
	register rv_ulong r0 __asm__("a0") = a0;
	register rv_ulong r1 __asm__("a1") = a1;
	register rv_ulong r2 __asm__("a2") = a2;
	register rv_ulong r3 __asm__("a3") = a3;
	register rv_ulong r4 __asm__("a4") = a4;
	register rv_ulong r5 __asm__("a5") = a5;
	register rv_ulong r6 __asm__("a6") = fid;
	register rv_ulong r7 __asm__("a7") = ext;

	__asm__ volatile("ecall"
			 : "+r"(r0), "+r"(r1)
			 : "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6), "r"(r7)
			 : "memory");
	return (struct sbiret){ (rv_long)r0, r1 };
}

/* Calls with fewer arguments; the other registers are zero. */
static inline struct sbiret sbi0(rv_ulong ext, rv_ulong fid)
{
	return sbi_call(ext, fid, 0, 0, 0, 0, 0, 0);
}

static inline struct sbiret sbi1(rv_ulong ext, rv_ulong fid, rv_ulong a0)
{
	return sbi_call(ext, fid, a0, 0, 0, 0, 0, 0);
}

static inline struct sbiret sbi3(rv_ulong ext, rv_ulong fid, rv_ulong a0, rv_ulong a1, rv_ulong a2)
{
	return sbi_call(ext, fid, a0, a1, a2, 0, 0, 0);
}

/* On RV32 a 64-bit argument takes two registers (SBI 3.0 §3). */
static inline rv_ulong hi_of(uint64_t v)
{
	return RV_XLEN == 32 ? (rv_ulong)(v >> 32) : 0;
}

static inline struct sbiret sbi_set_timer(uint64_t when)
{
	return sbi_call(SBI_EXT_TIME, SBI_TIME_SET_TIMER, (rv_ulong)when, hi_of(when), 0, 0, 0, 0);
}

/* entry.S: see there. */
void rt_hart_entry(void);
void rt_guard_exit(void);
int rt_guard_call(void (*fn)(const void *), const void *arg);
void rt_ecall_regs(const rv_ulong in[32]);
rv_long rt_try_load(rv_ulong addr);
rv_long rt_try_store(rv_ulong addr, rv_ulong value);
rv_long rt_try_load_byte(rv_ulong addr);
rv_long rt_try_store_byte(rv_ulong addr, rv_ulong value);
rv_long rt_try_lr(rv_ulong addr);
rv_long rt_try_amo(rv_ulong addr);
rv_long rt_try_illegal(void);
rv_long rt_try_scountovf(void);
rv_long rt_try_mstatus(void);
rv_long rt_try_scountinhibit(void);
rv_long rt_try_sireg(void);
rv_long rt_try_sireg2(void);
rv_long rt_try_sireg3(void);
rv_long rt_try_seed(rv_ulong *value);
rv_long rt_try_user_seed(rv_ulong *value); /* CAUSE_ECALL_U if there is no other trap */
rv_long rt_try_exec(rv_ulong addr);
rv_long rt_try_hpm(unsigned n, rv_ulong *value);
rv_ulong rt_scountovf(void);

/* Called by entry.S only. */
void rt_main(rv_ulong hartid, const void *dtb);
void rt_hart_main(void);
void rt_trap(struct hart *h);

/*
 * Console: through DBCN if the firmware has it, otherwise through the legacy putchar. out() knows
 * %s %c %d %u %x, with l for registers and ll for 64 bits; text is sent at each newline.  Only the
 * boot hart prints.
 */
__attribute__((format(printf, 1, 2))) void out(const char *fmt, ...);
void vout(const char *fmt, va_list ap);

/* Text goes to buf, cut at size and terminated, until rt_capture(NULL, 0). */
void rt_capture(char *buf, unsigned size);

/* The time CSR; and waiting while the hart sleeps: it sets the timer, so it counts as SET_TIMER. */
uint64_t rt_time(void);
void rt_wait_us(unsigned us);

/*
 * Tells the script that reads the console (run) that a long operation still makes progress; boot
 * hart only.
 */
void rt_alive(void);

/*
 * One step of waiting for another hart; *steps is 0 before the first.  Returns false after some ten
 * seconds.
 */
bool rt_wait_more(unsigned *steps);

/*
 * Other harts. harts_start starts every hart that HSM can start; hart_run gives hart i a job, and
 * hart_wait waits until it ends: false if it does not. hart_do does both.
 */
void harts_start(void);
void hart_run(unsigned i, void (*job)(void *), void *arg);
bool hart_wait(unsigned i);
bool hart_do(unsigned i, void (*job)(void *), void *arg);

/* Restarts hart i after it has stopped itself; false if it does not start. */
bool hart_restart(unsigned i);

/* Reads the device tree into *b (dt.c). */
void dt_read(const void *dtb, struct boot_info *b);

/* The number after key= in the boot arguments, or fallback. */
unsigned rt_arg(const char *key, unsigned fallback);

/* True if n is one of the comma-separated numbers after key= in the boot arguments. */
bool rt_arg_lists(const char *key, unsigned n);

/* Powers the machine off; does not return. */
void rt_shutdown(void) __attribute__((noreturn));

/* The payload. */
void main_payload(void);

void *memset(void *p, int c, size_t n);
void *memcpy(void *to, const void *from, size_t n);

#endif
