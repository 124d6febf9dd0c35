// SPDX-License-Identifier: BSD-2-Clause
/*
 * features_cfi.c - for features.c: shadow stacks and landing pads (Zicfiss, Zicfilp) as the kernel
 * gives them to programs.  The assembler knows neither.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "features.h"

/* from the headers of Linux 7.2 */
#define GET_SHADOW_STACK_STATUS 74
#define SET_SHADOW_STACK_STATUS 75
#define SHADOW_STACK_ENABLE	1ul
#define GET_CFI			80
#define SET_CFI			81
#define BRANCH_LANDING_PADS	0ul
#define CFI_ENABLE		1ul
#define CFI_DISABLE		2ul
#define MAP_SHADOW_STACK	453
#define SET_TOKEN		1ul
#define CONTROL_FAULT		10 /* SEGV_CPERR */

#define SSPOPCHK_RA ".4byte 0xcdc0c073\n"
#define SSRDP_A0    ".4byte 0xcdc04573\n"
#define SSAMOSWAP_D ".4byte 0x48b5362f\n" /* a2, a1, (a0) */
#define CSR_SSP	    "0x011"

int cfi_stack_on(void)
{
	return prctl(SET_SHADOW_STACK_STATUS, SHADOW_STACK_ENABLE, 0, 0, 0);
}

static unsigned long stack_is(void)
{
	unsigned long status = ~0ul;

	return prctl(GET_SHADOW_STACK_STATUS, &status, 0, 0, 0) ? ~0ul : status;
}

/* ssrdp: the shadow stack pointer; 0 without a shadow stack */
static uint64_t ssp(void)
{
	register uint64_t a0 asm("a0");

	asm volatile("li a0, 0\n" SSRDP_A0 : "=r"(a0));
	return a0;
}

/*
 * A function that pushes its return address, adds change to its copy in ra, and pops.  It returns
 * what ssp was in between: 0 without a shadow stack.
 */
uint64_t protected_call(uint64_t change);
asm("protected_call:\n"
    "	.4byte	0xce104073\n" /* sspush ra */
    "	mv	t1, a0\n"
    "	mv	t2, ra\n"
    "	li	a0, 0\n"
    "	.4byte	0xcdc04573\n" /* ssrdp a0 */
    "	add	ra, ra, t1\n"
    "	.4byte	0xcdc0c073\n" /* sspopchk ra */
    "	mv	ra, t2\n"
    "	ret\n");

/* n pushes and as many pops; how far ssp was between them. */
uint64_t deep(uint64_t n);
asm("deep:\n"
    "	mv	t1, a0\n"
    "	mv	t2, a0\n"
    "	li	a0, 0\n"
    "	.4byte	0xcdc04573\n" /* ssrdp a0 */
    "	mv	t3, a0\n"
    "1:	.4byte	0xce104073\n" /* sspush ra */
    "	addi	t1, t1, -1\n"
    "	bnez	t1, 1b\n"
    "	.4byte	0xcdc04573\n" /* ssrdp a0 */
    "	sub	t3, t3, a0\n"
    "2:	.4byte	0xcdc0c073\n" /* sspopchk ra */
    "	addi	t2, t2, -1\n"
    "	bnez	t2, 2b\n"
    "	mv	a0, t3\n"
    "	ret\n");

/*
 * Ends the process with the signal's code, or with 99 if it is not SIGSEGV.  It begins with a
 * landing pad, because the hart still expects one after a fault for the lack of it, and it does not
 * return.
 */
void end_with_code(int number, siginfo_t *info, void *context);
asm("	.balign	4\n"
    "end_with_code:\n"
    "	.4byte	0x00000017\n" /* lpad 0 */
    "	addi	a0, a0, -11\n"
    "	lw	t0, 8(a1)\n"
    "	beqz	a0, 1f\n"
    "	li	t0, 99\n"
    "1:	mv	a0, t0\n"
    "	li	a7, 94\n" /* exit_group */
    "	ecall\n");

static void end_at_faults(void)
{
	const struct sigaction a = { .sa_sigaction = end_with_code, .sa_flags = SA_SIGINFO };

	for (int number = 1; number < SIGCHLD; number++)
		sigaction(number, &a, NULL);
}

static int changed(void *change)
{
	end_at_faults();
	protected_call((uintptr_t)change);
	return 0;
}

static int pops_too_much(void *unused)
{
	(void)unused;
	end_at_faults();
	asm volatile(SSPOPCHK_RA : : : "memory");
	return 0;
}

static int store_at(void *p)
{
	end_at_faults();
	*(volatile uint64_t *)p = 1;
	return 0;
}

/* siglongjmp would leave entries on the shadow stack: only children fault, and end by it. */
int cfi_stack(void)
{
	uint64_t sp;

	check(stack_is() == 0, "a program begins without a shadow stack");
	check(ssp() == 0 && protected_call(4) == 0, "its instructions do nothing then");
	check(!cfi_stack_on() && stack_is() == SHADOW_STACK_ENABLE, "prctl makes one");
	sp = ssp();
	check(sp && sp % 8 == 0, "ssrdp reads its pointer");
	check(protected_call(0) == sp - 8, "sspush moves it by 8 bytes");
	check(ssp() == sp, "sspopchk moves it back");
	check(*(volatile uint64_t *)(sp - 8) != 0, "what was pushed can be read");
	check(deep(500) == 4000 && ssp() == sp, "500 pushes and pops");
	check(in_child(changed, (void *)0) == 0, "a child has it, too");
	check(in_child(changed, (void *)4) == CONTROL_FAULT, "a changed return address ends it");
	check(in_child(store_at, (void *)(sp - 8)) == SEGV_ACCERR, "a store to it faults");
	check(in_child(pops_too_much, NULL) != 0, "so does a pop of the empty stack");
	check(!prctl(SET_SHADOW_STACK_STATUS, 0, 0, 0, 0) && stack_is() == 0, "prctl ends it");
	check(ssp() == 0, "and its instructions do nothing again");
	return bad;
}

static volatile uint64_t in_handler;

static void handler(int number)
{
	(void)number;
	in_handler = protected_call(0);
}

static void *thread_stack(void *arg)
{
	*(uint64_t *)arg = deep(100) == 800 ? ssp() : 1;
	return NULL;
}

static int child_stack(void *sp)
{
	return !(ssp() == (uintptr_t)sp && deep(100) == 800);
}

static int child_status(void *unused)
{
	(void)unused;
	execl("/proc/self/exe", "features", "bare", NULL);
	return 99;
}

int cfi_bare(void)
{
	return !(stack_is() == 0 && ssp() == 0);
}

int cfi_kept(void)
{
	uint64_t sp, other = 0;
	pthread_t t;

	signal(SIGUSR1, handler);
	if (cfi_stack_on())
		die("no shadow stack");
	sp = ssp();
	raise(SIGUSR1);
	check(in_handler && in_handler < sp && ssp() == sp,
	      "a signal's handler uses it, and returns");
	check(!in_child(child_stack, (void *)sp), "a child has a copy");
	if (pthread_create(&t, NULL, thread_stack, &other) || pthread_join(t, NULL))
		die("pthread_create");
	check(other > 1 && (other > sp + PAGE || other < sp - PAGE), "a thread has its own");
	check(!in_child(child_status, NULL), "a new program has none");
	for (int i = 0; i < 200; i++) {
		sched_yield();
		bad |= deep(10) != 80;
	}
	check(!bad && ssp() == sp, "it is the same after 200 switches");
	return bad;
}

long cfi_map_stack(unsigned long bytes)
{
	return syscall(MAP_SHADOW_STACK, 0ul, bytes, SET_TOKEN);
}

/* ssamoswap of 0 there: what was there. */
static uint64_t swap_zero(void *p)
{
	register void *a0 asm("a0") = p;
	register uint64_t a1 asm("a1") = 0, a2 asm("a2");

	asm volatile(SSAMOSWAP_D : "=r"(a2) : "r"(a0), "r"(a1) : "memory");
	return a2;
}

static int swap_at(void *p)
{
	end_at_faults();
	return swap_zero(p) != 0;
}

/* A second shadow stack: its token is taken, and calls use it. */
int cfi_mapped(void)
{
	uint64_t *top, sp, between, plain = 0;
	char *p;

	if (cfi_stack_on())
		die("no shadow stack");
	p = (char *)cfi_map_stack(2 * PAGE);
	if (p == MAP_FAILED)
		die("map_shadow_stack");
	top = (uint64_t *)(p + 2 * PAGE);
	check(top[-1] == (uintptr_t)top, "the token is the address after it");
	check(swap_zero(top - 1) == (uintptr_t)top && top[-1] == 0, "ssamoswap takes it");
	sp = ssp();
	asm volatile("csrw " CSR_SSP ", %0" : : "r"(top));
	between = protected_call(0);
	asm volatile("csrw " CSR_SSP ", %0" : : "r"(sp));
	check(between == (uintptr_t)(top - 1), "calls push on it");
	check(ssp() == sp, "and then on the first again");
	check(in_child(store_at, top - 2) == SEGV_ACCERR, "a store to it faults");
	check(in_child(swap_at, &plain) == SEGV_ACCERR, "ssamoswap of other memory faults");
	return bad;
}

int cfi_pads_on(void)
{
	return prctl(SET_CFI, BRANCH_LANDING_PADS, CFI_ENABLE, 0, 0);
}

static unsigned long pads_are(void)
{
	unsigned long status = ~0ul;

	return prctl(GET_CFI, BRANCH_LANDING_PADS, &status, 0, 0) ? ~0ul : status;
}

/*
 * Jumps to one of three targets with t2 set, and returns which one it was: 0: label 0; 1: label 5;
 * 2: no landing pad.  Before the jump it calls prctl with on: CFI_ENABLE, or CFI_DISABLE; after it
 * with CFI_DISABLE.  Returns -1 if a prctl fails.  There is no other indirect jump in between, only
 * a return, which needs no landing pad.
 */
long jump_to(long target, unsigned long label, unsigned long on);
asm("	.balign	4\n"
    "jump_to:\n"
    "	.option	push\n"
    "	.option	norvc\n"
    "	mv	t4, a0\n"
    "	mv	t6, ra\n"
    "	slli	t2, a1, 12\n"
    "	li	a0, 81\n" /* SET_CFI */
    "	li	a1, 0\n"
    "	mv	a3, zero\n"
    "	mv	a4, zero\n"
    "	li	a7, 167\n" /* prctl */
    "	ecall\n"
    "	bnez	a0, 8f\n"
    "	la	t3, 1f\n"
    "	slli	t4, t4, 4\n"
    "	add	t3, t3, t4\n"
    "	jr	t3\n"
    "	.balign	16\n"
    "1:	.4byte	0x00000017\n" /* lpad 0 */
    "	li	t5, 0\n"
    "	j	7f\n"
    "	.balign	16\n"
    "	.4byte	0x00005017\n" /* lpad 5 */
    "	li	t5, 1\n"
    "	j	7f\n"
    "	.balign	16\n"
    "	li	t5, 2\n"
    "	nop\n"
    "	j	7f\n"
    "7:	call	6f\n" /* which returns */
    "	li	a0, 81\n"
    "	li	a1, 0\n"
    "	li	a2, 2\n" /* CFI_DISABLE */
    "	ecall\n"
    "	bnez	a0, 8f\n"
    "	mv	a0, t5\n"
    "	j	9f\n"
    "8:	li	a0, -1\n"
    "9:	mv	ra, t6\n"
    "6:	ret\n"
    "	.option	pop\n");

struct jump {
	long target;
	unsigned long label, how;
};

static int jumps(void *arg)
{
	const struct jump *j = arg;

	end_at_faults();
	return jump_to(j->target, j->label, j->how) != j->target ? 98 : 0;
}

static int jump_ends(long target, unsigned long label, unsigned long how)
{
	struct jump j = { target, label, how };

	return in_child(jumps, &j);
}

int cfi_pads(void)
{
	check(pads_are() == CFI_DISABLE, "a program begins without landing pads");
	check(jump_ends(2, 0, CFI_DISABLE) == 0, "a jump goes anywhere then");
	check(jump_ends(0, 3, CFI_ENABLE) == 0, "to a landing pad without a label");
	check(jump_ends(1, 5, CFI_ENABLE) == 0, "to one with the label of t2");
	check(jump_ends(1, 4, CFI_ENABLE) == CONTROL_FAULT, "not to one with another");
	check(jump_ends(2, 0, CFI_ENABLE) == CONTROL_FAULT, "not to other code");
	check(pads_are() == CFI_DISABLE, "children have not changed it here");
	return bad;
}
