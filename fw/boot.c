// SPDX-License-Identifier: BSD-2-Clause
/*
 * boot.c - from start.S to S-mode.
 *
 * The first hart runs boot_cold() on the boot stack: it reads the device tree.  The boot hart runs
 * boot_hart() on its own stack: it sets its CSRs, compiles the PMU tables, waits for the other
 * harts, prints the banner, prepares the tree for S-mode, and enters S-mode.  The first hart is the
 * boot hart if the tree names it, it is enabled there, and it has S-mode; else the boot hart is the
 * first such hart in boot_warm().  The other harts run boot_warm(), which waits for HSM's
 * hart_start.
 *
 * Implements: the fw_dynamic protocol, version 2 (OpenSBI's struct fw_dynamic_info).
 */
#include <dtb.h>
#include <machine.h>
#include <rv/sbi.h>

#include "aclint.h"
#include "aplic.h"
#include "banner.h"
#include "csr.h"
#include "ext_hsm.h"
#include "ext_pmu.h"
#include "fixup.h"
#include "ipi.h"
#include "mdev.h"
#include "platform.h"
#include "print.h"
#include "smode.h"
#include "uart.h"

#define DYNAMIC_MAGIC 0x4942534f /* "OSBI" */

/* The boot stage before the firmware writes it; a2 points to it. */
struct fw_dynamic_info {
	rv_ulong magic;
	rv_ulong version;
	rv_ulong next_addr;
	rv_ulong next_mode;
	rv_ulong options;
	rv_ulong boot_hart; /* since version 2 */
};

/* How long the boot hart waits for the other harts. */
#define ARRIVAL_MSEC  1000
#define ARRIVAL_TURNS 10000000

/* Where the next stage begins if there is no fw_dynamic_info. */
#define JUMP_OFFSET (RV_XLEN == 32 ? 0x400000 : 0x200000)

/* In start.S; 1 when the hart table is complete.  The other harts wait for it. */
extern uint32_t boot_table_ready;

/* 1 + the boot hart's index; 0: no boot hart yet.  Atomic. */
static uint32_t boot_owner;
/* 1 when the boot hart has compiled the PMU tables.  Atomic. */
static uint32_t boot_gathers;

struct hart *boot_cold(rv_ulong id, rv_ulong tree, rv_ulong info);
void boot_hart(struct hart *h) __attribute__((noreturn));
void boot_warm(struct hart *h) __attribute__((noreturn));
void boot_misplaced(rv_ulong where, rv_ulong tree) __attribute__((noreturn));

/* What boot_cold() leaves for boot_hart(). */
static struct {
	struct dtb tree;
	rv_ulong next_addr, next_mode, preferred;
	bool dynamic;
} handover;

static void __attribute__((noreturn)) sleep_for_ever(void)
{
	csr_write(CSR_MIE, 0);
	for (;;)
		wait_for_interrupt();
}

/* Linker script */
extern unsigned char _fw_start[], _fw_end[];

static struct range firmware_range(void)
{
	return (struct range){ (uintptr_t)_fw_start, (uintptr_t)(_fw_end - _fw_start) };
}

/* Reads struct fw_dynamic_info; false if a2 does not point to one. */
static bool read_info(rv_ulong addr)
{
	const struct fw_dynamic_info *info = (const struct fw_dynamic_info *)(uintptr_t)addr;
	rv_ulong magic = 0;

	/* a2 may be anything, so the first read must survive a fault. */
	if (addr & (sizeof(rv_ulong) - 1) || !addr || !try_load(addr, &magic) ||
	    magic != DYNAMIC_MAGIC)
		return false;
	handover.next_addr = info->next_addr;
	handover.next_mode = info->next_mode;
	if (info->version >= 2)
		handover.preferred = info->boot_hart;
	return true;
}

static bool has_s_mode(void)
{
	return csr_read(CSR_MISA) & MISA_EXT('S');
}

/* Makes h the boot hart; false if there is one already. */
static bool claim_boot(const struct hart *h)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&boot_owner, &nobody, 1 + h->index, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Lets the other harts read the table, and wakes them. */
static void open_table(const struct hart *me)
{
	unsigned i;

	__atomic_store_n(&boot_table_ready, 1, __ATOMIC_RELEASE);
	for (i = 0; i < hart_nr; i++) {
		if (hart_at(i) != me)
			ipi_send(hart_at(i), 0);
	}
}

/* Leaves the boot to another hart of the table; prints a message if none becomes the boot hart. */
static void hand_over(void)
{
	unsigned turns;

	open_table(NULL);
	for (turns = 0; turns < ARRIVAL_TURNS; turns++) {
		if (__atomic_load_n(&boot_owner, __ATOMIC_ACQUIRE))
			return;
	}
	print("holter: the boot waits: no hart has arrived that the device tree enables "
	      "and that has S-mode\n");
}

struct hart *boot_cold(rv_ulong id, rv_ulong tree, rv_ulong info)
{
	const char *wrong = "no magic number";
	rv_ulong magic;
	struct hart *h;

	handover.next_addr = (uintptr_t)_fw_start + JUMP_OFFSET;
	handover.next_mode = PRV_S;
	handover.preferred = (rv_ulong)-1;
	handover.dynamic = read_info(info);
	if (!(tree & 7) && try_load(tree, &magic))
		wrong = dtb_open(&handover.tree, (void *)(uintptr_t)tree, INT32_MAX);
	/* Without a tree there is neither a console for a message nor RAM for S-mode. */
	if (wrong)
		sleep_for_ever();
	platform_open(&handover.tree, firmware_range());
	uart_init(&platform.console);
	platform_init(&handover.tree);
	aclint_init(&handover.tree);
	mdev_init(&handover.tree);
	aplic_init(&handover.tree);
	if (!hart_nr) {
		print("holter: the boot stops: no hart in the device tree is enabled and has an "
		      "id\n");
		sleep_for_ever();
	}
	h = hart_find(id);
	if (h && has_s_mode() && claim_boot(h))
		return h;
	if (h)
		h->unfit = 1;
	hand_over();
	return NULL;
}

void boot_misplaced(rv_ulong where, rv_ulong tree)
{
	struct dtb t;
	rv_ulong magic;

	if (!(tree & 7) && try_load(tree, &magic) &&
	    !dtb_open(&t, (void *)(uintptr_t)tree, INT32_MAX)) {
		platform_open(&t, firmware_range());
		uart_init(&platform.console);
		print("holter: loaded at 0x%lx, but linked to run at 0x%lx\n", (unsigned long)where,
		      0x80000000ul);
	}
	sleep_for_ever();
}

static bool all_arrived(void)
{
	unsigned i;

	for (i = 0; i < hart_nr; i++) {
		const struct hart *h = hart_at(i);

		if (!__atomic_load_n(&h->present, __ATOMIC_ACQUIRE) &&
		    !__atomic_load_n(&h->unfit, __ATOMIC_ACQUIRE))
			return false;
	}
	return true;
}

/*
 * Lets the other harts continue and waits a bounded time for all of them.  Each one sends an IPI
 * when it arrives.  This hart sleeps meanwhile, because an emulator may run one hart at a time.
 */
static void gather(struct hart *h)
{
	bool timer = h->has_sstc || h->dt.mtimecmp;
	uint64_t start = aclint_time(h),
		 ticks = (uint64_t)(platform.timebase / 1000) * ARRIVAL_MSEC;
	unsigned turns;

	__atomic_store_n(&boot_gathers, 1, __ATOMIC_RELEASE);
	open_table(h);
	if (timer) {
		aclint_timer_set(h, start + ticks);
		csr_set(CSR_MIE, MIP_STIP);
	}
	/* The turns bound the wait if the clock does not advance. */
	for (turns = 0; turns < ARRIVAL_TURNS && !all_arrived(); turns++) {
		if (aclint_time(h) - start > ticks)
			break;
		if (csr_read(CSR_MIP) & MIP_MSIP)
			ipi_take(h);
		else if (timer && h->dt.msip)
			wait_for_interrupt();
	}
	aclint_timer_off(h);
	csr_clear(CSR_MIE, MIP_STIP);
}

/* The hart that enters S-mode first: that of fw_dynamic_info if it has arrived, else h. */
static struct hart *first_hart(struct hart *h)
{
	struct hart *preferred = hart_find(handover.preferred);

	return preferred && __atomic_load_n(&preferred->present, __ATOMIC_ACQUIRE) ? preferred : h;
}

static void __attribute__((noreturn)) enter(struct hart *h, struct hart *first, rv_ulong tree)
{
	if (first != h) {
		h->state = SBI_HSM_STATE_STOPPED;
		hsm_begin(first, handover.next_addr, tree);
		hsm_wait(h);
	}
	h->state = SBI_HSM_STATE_STARTED;
	smode_enter(h, handover.next_addr, tree);
}

/*
 * Why S-mode cannot start at the next address; NULL if it can.  The address may be in flash, which
 * is not in /memory: any address that can be read and that S-mode may access is good.
 */
static const char *cannot_begin(void)
{
	rv_ulong addr = handover.next_addr, unused;
	unsigned i;

	if (handover.next_mode != PRV_S)
		return "the next stage must run in S-mode";
	if (!platform.nr_ram)
		return "the device tree has no /memory; the previous boot stage must add it";
	if (hsm_addr_ok(addr))
		return NULL;
	if (addr & 1)
		return "the address is odd";
	for (i = 0; i < platform.nr_closed; i++) {
		const struct range *r = &platform.closed[i];

		if (addr + 3 >= r->base && addr < r->base + r->size)
			return "S-mode has no access to the address";
	}
	if (!try_load(addr & ~(sizeof(rv_ulong) - 1), &unused))
		return "the address is not memory";
	return NULL;
}

void boot_hart(struct hart *h)
{
	const char *wrong;
	struct hart *first;
	rv_ulong tree;

	smode_init(h);
	pmu_init(h, &handover.tree);
	pmu_hart_init(h);
	/* Not STOPPED: no other hart may start this one before it has reached S-mode. */
	h->state = SBI_HSM_STATE_START_PENDING;
	h->present = 1;
	gather(h);
	first = first_hart(h);
	wrong = cannot_begin();
	tree = wrong ? (uintptr_t)handover.tree.blob
		     : fixup_tree(&handover.tree, handover.next_addr);
	banner(first, handover.next_addr, tree);
	if (wrong) {
		print("holter: the boot stops: next address 0x%lx, next mode %lu: %s\n",
		      (unsigned long)handover.next_addr, (unsigned long)handover.next_mode, wrong);
		ipi_park(h);
	}
	enter(h, first, tree);
}

/* Sleeps until the boot hart has compiled the PMU tables, which all harts use. */
static void await_boot_hart(struct hart *h)
{
	csr_write(CSR_MIE, MIP_MSIP);
	while (!__atomic_load_n(&boot_gathers, __ATOMIC_ACQUIRE)) {
		if (csr_read(CSR_MIP) & MIP_MSIP)
			ipi_take(h);
		else
			wait_for_interrupt();
	}
}

/* Wakes the boot hart, which waits for all harts. */
static void report_to_boot_hart(void)
{
	uint32_t owner = __atomic_load_n(&boot_owner, __ATOMIC_ACQUIRE);

	if (owner)
		ipi_send(hart_at(owner - 1), 0);
}

void boot_warm(struct hart *h)
{
	if (!has_s_mode()) {
		__atomic_store_n(&h->unfit, 1, __ATOMIC_RELEASE);
		report_to_boot_hart();
		sleep_for_ever();
	}
	if (claim_boot(h))
		boot_hart(h);
	await_boot_hart(h);
	smode_init(h);
	pmu_hart_init(h);
	__atomic_store_n(&h->present, 1, __ATOMIC_RELEASE);
	report_to_boot_hart();
	hsm_wait(h);
}
