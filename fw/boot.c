// SPDX-License-Identifier: BSD-2-Clause
/*
 * boot.c - from start.S to S-mode.
 *
 * The boot hart: boot_cold() reads the device tree on the boot stack, then boot_hart() on the
 * hart's own: CSRs, PMU tables, the other harts let go, banner, tree made ready, S-mode.
 * The others: boot_warm(), which ends waiting for HSM's hart_start.
 *
 * Implements: the fw_dynamic protocol, version 2 (OpenSBI's struct fw_dynamic_info).
 */
#include "fw.h"

#define DYNAMIC_MAGIC 0x4942534f /* "OSBI" */

/* As the stage before leaves it in memory; a2 points to it. */
struct fw_dynamic_info {
	rv_ulong magic;
	rv_ulong version;
	rv_ulong next_addr;
	rv_ulong next_mode;
	rv_ulong options;
	rv_ulong boot_hart; /* since version 2 */
};

/* How long the boot hart waits for the others to arrive. */
#define ARRIVAL_MSEC  1000
#define ARRIVAL_TURNS 10000000

/* Where a payload begins when nobody says so. */
#define JUMP_OFFSET (RV_XLEN == 32 ? 0x400000 : 0x200000)

/* start.S: what the other harts wait for: 1 + the boot hart's index. */
extern uint32_t boot_table_ready;

struct hart *boot_cold(rv_ulong id, rv_ulong tree, rv_ulong info);
void boot_hart(struct hart *h) __attribute__((noreturn));
void boot_warm(struct hart *h) __attribute__((noreturn));
void boot_misplaced(rv_ulong where, rv_ulong tree) __attribute__((noreturn));

/* From boot_cold to boot_hart. */
static struct {
	struct dtb tree;
	rv_ulong next_addr, next_mode, preferred;
	bool dynamic;
} handover;

static void __attribute__((noreturn)) sleep_for_ever(void)
{
	for (;;)
		wait_for_interrupt();
}

void hart_park(struct hart *h)
{
	__atomic_store_n(&h->present, 0, __ATOMIC_RELEASE);
	csr_write(CSR_MIE, MIP_MSIP);
	for (;;) {
		if (csr_read(CSR_MIP) & MIP_MSIP)
			ipi_take(h);
		else
			wait_for_interrupt();
	}
}

static struct range firmware_range(void)
{
	return (struct range){ (uintptr_t)_fw_start, (uintptr_t)(_fw_end - _fw_start) };
}

/* True if a2 points to what fw_dynamic's loaders leave there. */
static bool read_info(rv_ulong addr)
{
	const struct fw_dynamic_info *info = (const struct fw_dynamic_info *)(uintptr_t)addr;
	rv_ulong magic = 0;

	/* a2 may be anything: read it so that a bad address does no harm. */
	if (addr & (sizeof(rv_ulong) - 1) || !addr || !try_load(addr, &magic) ||
	    magic != DYNAMIC_MAGIC)
		return false;
	handover.next_addr = info->next_addr;
	handover.next_mode = info->next_mode;
	if (info->version >= 2)
		handover.preferred = info->boot_hart;
	return true;
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
	/* Without a tree there is neither a console to complain on nor RAM to offer. */
	if (wrong)
		sleep_for_ever();
	platform_open(&handover.tree, firmware_range());
	uart_init(&platform);
	if (!platform_init(&handover.tree))
		sleep_for_ever();
	h = hart_find(id);
	if (!h) {
		print("holter: hart %lu is not in the device tree\n", (unsigned long)id);
		sleep_for_ever();
	}
	return h;
}

void boot_misplaced(rv_ulong where, rv_ulong tree)
{
	struct dtb t;
	rv_ulong magic;

	if (!(tree & 7) && try_load(tree, &magic) &&
	    !dtb_open(&t, (void *)(uintptr_t)tree, INT32_MAX)) {
		platform_open(&t, firmware_range());
		uart_init(&platform);
		print("holter: loaded at 0x%lx, but linked to run at 0x%lx\n", (unsigned long)where,
		      0x80000000ul);
	}
	sleep_for_ever();
}

static bool all_present(void)
{
	unsigned i;

	for (i = 0; i < platform.nr_harts; i++) {
		if (!__atomic_load_n(&hart_at(i)->present, __ATOMIC_ACQUIRE))
			return false;
	}
	return true;
}

/*
 * Lets the others go and waits a bounded time until every one has arrived; each rings this
 * hart when it has.  Sleeping, not spinning: an emulator may run one hart at a time.
 */
static void gather(struct hart *h)
{
	bool timer = h->has_sstc || h->dt.mtimecmp;
	uint64_t start = time_now(h), ticks = (uint64_t)(platform.timebase / 1000) * ARRIVAL_MSEC;
	unsigned i, turns;

	__atomic_store_n(&boot_table_ready, 1 + h->index, __ATOMIC_RELEASE);
	for (i = 0; i < platform.nr_harts; i++) {
		if (hart_at(i) != h)
			ipi_send(hart_at(i), 0);
	}
	if (timer) {
		time_set(h, start + ticks);
		csr_set(CSR_MIE, MIP_STIP);
	}
	/* The turns bound the wait should the clock stand still. */
	for (turns = 0; turns < ARRIVAL_TURNS && !all_present(); turns++) {
		if (time_now(h) - start > ticks)
			break;
		if (csr_read(CSR_MIP) & MIP_MSIP)
			ipi_take(h);
		else if (timer && h->dt.msip)
			wait_for_interrupt();
	}
	time_off(h);
	csr_clear(CSR_MIE, MIP_STIP);
}

/* The hart that S-mode begins on: the one that the stage before prefers, if it is here. */
static struct hart *first_hart(struct hart *h)
{
	struct hart *preferred = hart_find(handover.preferred);

	return preferred && __atomic_load_n(&preferred->present, __ATOMIC_ACQUIRE) ? preferred : h;
}

static void __attribute__((noreturn)) enter(struct hart *h, struct hart *first, rv_ulong tree)
{
	if (first != h) {
		h->state = SBI_HSM_STATE_STOPPED;
		hsm_start(first->id, handover.next_addr, tree);
		hsm_wait(h);
	}
	h->state = SBI_HSM_STATE_STARTED;
	hart_enter_s(h, handover.next_addr, tree);
}

void boot_hart(struct hart *h)
{
	struct hart *first;
	rv_ulong tree;

	hart_init(h);
	pmu_init(h, &handover.tree);
	pmu_hart_init(h);
	/* Not STOPPED: nobody may start it before it has reached S-mode. */
	h->state = SBI_HSM_STATE_START_PENDING;
	h->present = 1;
	gather(h);
	first = first_hart(h);
	tree = fixup_tree(&handover.tree, handover.next_addr);
	banner(first, handover.next_addr, tree);
	if (handover.next_mode != PRV_S || !hsm_addr_ok(handover.next_addr) ||
	    !(csr_read(CSR_MISA) & MISA_EXT('S'))) {
		print("holter: cannot go on: next address 0x%lx, next mode %lu\n",
		      (unsigned long)handover.next_addr, (unsigned long)handover.next_mode);
		hart_park(h);
	}
	enter(h, first, tree);
}

void boot_warm(struct hart *h)
{
	if (!(csr_read(CSR_MISA) & MISA_EXT('S')))
		sleep_for_ever();
	hart_init(h);
	pmu_hart_init(h);
	__atomic_store_n(&h->present, 1, __ATOMIC_RELEASE);
	ipi_send(hart_at(boot_table_ready - 1), 0);
	hsm_wait(h);
}
