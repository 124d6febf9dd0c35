/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fakecsr.c - see fakecsr.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rv/trap.h>

#include "fakecsr.h"

#define HIGH_COUNTER (CSR_MHPMCOUNTERH - CSR_MHPMCOUNTER)
#define HIGH_EVENT   (CSR_MHPMEVENTH - CSR_MHPMEVENT)

enum kind { NONE, COUNTER, EVENT, CONFIG, INHIBIT, COUNTEREN, OVERFLOW, PENDING, S_INHIBIT };

/* One CSR of the fake: which register, and whether its high half. */
struct csr {
	enum kind kind;
	unsigned ctr;
	bool high;
};

_Noreturn static void fault(const char *what, unsigned num)
{
	printf("# fakecsr: %s: 0x%x\n", what, num);
	fflush(stdout);
	abort();
}

static uint32_t bit(unsigned ctr)
{
	return (uint32_t)1 << ctr;
}

static bool fixed(unsigned ctr)
{
	return ctr == COUNTER_CY || ctr == COUNTER_IR;
}

static uint64_t width_mask(const struct fake *f, unsigned ctr)
{
	if (f->hw.zero & bit(ctr))
		return 0;
	return f->hw.width[ctr] >= 64 ? ~0ull : (1ull << f->hw.width[ctr]) - 1;
}

static struct csr locate_counter(const struct fake *f, unsigned num)
{
	bool high = num >= CSR_MHPMCOUNTERH;
	unsigned ctr = num - (high ? CSR_MHPMCOUNTERH : CSR_MHPMCOUNTER);

	if ((high && RV_XLEN == 64) || ctr >= FAKE_CTRS || ctr == COUNTER_TM ||
	    !(f->hw.exists & bit(ctr)))
		return (struct csr){ NONE, 0, false };
	return (struct csr){ COUNTER, ctr, high };
}

/* mcyclecfg, minstretcfg, mhpmevent3..31 and their high halves. */
static struct csr locate_event(const struct fake *f, unsigned num)
{
	bool high = num >= CSR_MHPMEVENTH;
	unsigned i = num - (high ? CSR_MHPMEVENTH : CSR_MHPMEVENT);

	if (high && RV_XLEN == 64)
		return (struct csr){ NONE, 0, false };
	if (i == CSR_MCYCLECFG - CSR_MHPMEVENT || i == CSR_MINSTRETCFG - CSR_MHPMEVENT) {
		bool there = f->hw.smcntrpmf && !(high && f->hw.no_cfgh);
		unsigned ctr = i == CSR_MCYCLECFG - CSR_MHPMEVENT ? COUNTER_CY : COUNTER_IR;

		return (struct csr){ there ? CONFIG : NONE, ctr, high };
	}
	if (i < COUNTER_HPM_FIRST || i > COUNTER_HPM_LAST || !(f->hw.exists & bit(i)) ||
	    (high && !f->hw.sscofpmf))
		return (struct csr){ NONE, 0, false };
	return (struct csr){ EVENT, i, high };
}

static struct csr locate(const struct fake *f, unsigned num)
{
	if (num == CSR_MCOUNTINHIBIT)
		return (struct csr){ f->hw.mcountinhibit ? INHIBIT : NONE, 0, false };
	if (num == CSR_MCOUNTEREN)
		return (struct csr){ COUNTEREN, 0, false };
	if (num == CSR_SCOUNTOVF)
		return (struct csr){ f->hw.sscofpmf ? OVERFLOW : NONE, 0, false };
	if (num == CSR_MIP)
		return (struct csr){ PENDING, 0, false };
	if (num == CSR_SCOUNTINHIBIT)
		return (struct csr){ f->hw.smcdeleg ? S_INHIBIT : NONE, 0, false };
	if ((num >= CSR_MHPMCOUNTER && num < CSR_MHPMCOUNTER + FAKE_CTRS) ||
	    (num >= CSR_MHPMCOUNTERH && num < CSR_MHPMCOUNTERH + FAKE_CTRS))
		return locate_counter(f, num);
	if ((num >= CSR_MCYCLECFG && num < CSR_MHPMEVENT + FAKE_CTRS) ||
	    (num >= CSR_MCYCLECFGH && num < CSR_MHPMEVENTH + FAKE_CTRS))
		return locate_event(f, num);
	return (struct csr){ NONE, 0, false };
}

static uint64_t half(uint64_t value, bool high)
{
	return high ? value >> 32 : value;
}

static uint64_t with_half(uint64_t old, bool high, rv_ulong value)
{
	if (RV_XLEN == 64)
		return value;
	if (high)
		return (old & 0xffffffff) | (uint64_t)value << 32;
	return (old & ~0xffffffffull) | value;
}

uint64_t fake_event(const struct fake *f, unsigned ctr)
{
	const struct fake_warl *w = &f->hw.warl[ctr];
	uint64_t top = f->hw.sscofpmf ? MHPMEVENT_OF | MHPMEVENT_FILTER : 0;
	uint64_t event = f->regs.event[ctr];
	uint64_t selector = event & w->mask & ~top;

	if (fixed(ctr))
		return event & MHPMEVENT_FILTER;
	if (RV_XLEN == 32 && !f->hw.sscofpmf) /* there is no high half */
		selector &= 0xffffffff;
	for (unsigned i = 0; w->list && i < w->nr_list; i++)
		if (w->list[i] == selector)
			return selector | (event & top);
	return w->list ? event & top : selector | (event & top);
}

uint32_t fake_scountovf(const struct fake *f)
{
	uint32_t ovf = 0;

	for (unsigned ctr = COUNTER_HPM_FIRST; ctr < FAKE_CTRS; ctr++)
		if (f->hw.exists & bit(ctr) && f->regs.event[ctr] & MHPMEVENT_OF)
			ovf |= bit(ctr);
	return ovf;
}

bool fake_inhibited(const struct fake *f, unsigned ctr)
{
	return (f->regs.inhibit & bit(ctr)) != 0;
}

static rv_ulong get(const struct fake *f, struct csr c)
{
	switch (c.kind) {
	case COUNTER:
		return (rv_ulong)half(f->regs.value[c.ctr] & width_mask(f, c.ctr), c.high);
	case EVENT:
	case CONFIG:
		return (rv_ulong)half(fake_event(f, c.ctr), c.high);
	case INHIBIT:
		return f->regs.inhibit;
	case COUNTEREN:
		return f->regs.counteren;
	case OVERFLOW:
		return fake_scountovf(f);
	case PENDING:
		return (rv_ulong)(f->regs.lcofip ? MIP_LCOFIP : 0);
	case S_INHIBIT:
		return f->regs.inhibit & f->regs.counteren;
	case NONE:
		break;
	}
	return 0;
}

/* Ends the program if the library writes a counter that runs, or sets OF itself. */
static void check_live_write(const struct fake *f, struct csr c, unsigned num, rv_ulong value)
{
	bool stoppable = f->hw.mcountinhibit && f->hw.inhibit_mask & bit(c.ctr);
	bool runs = stoppable && !(f->regs.inhibit & bit(c.ctr));

	if ((c.kind == COUNTER || c.kind == EVENT) && runs)
		fault("write to a counter that runs", num);
	if (c.kind == EVENT && f->hw.sscofpmf && !f->may_set_of && c.high == (RV_XLEN == 32) &&
	    value >> (RV_XLEN - 1) && !(f->regs.event[c.ctr] & MHPMEVENT_OF))
		fault("software sets OF", num);
}

static void set(struct fake *f, struct csr c, unsigned num, rv_ulong value)
{
	if (f->live)
		check_live_write(f, c, num, value);
	switch (c.kind) {
	case COUNTER:
		f->regs.value[c.ctr] = with_half(f->regs.value[c.ctr], c.high, value) &
				       width_mask(f, c.ctr);
		break;
	case EVENT:
	case CONFIG:
		f->regs.event[c.ctr] = with_half(f->regs.event[c.ctr], c.high, value);
		break;
	case INHIBIT:
		f->regs.inhibit = (uint32_t)value & f->hw.inhibit_mask;
		break;
	case COUNTEREN:
		f->regs.counteren = (uint32_t)value & f->hw.counteren_mask;
		break;
	case OVERFLOW:
	case PENDING:
	case S_INHIBIT:
		fault("write to a CSR that the library may not write", num);
	case NONE:
		break;
	}
}

/* Logs one access; calls the test's inject hook between the access before it and this one. */
static void note(struct fake *f, unsigned num, bool write, rv_ulong value)
{
	if (f->nr_log < FAKE_LOG)
		f->log[f->nr_log] = (struct fake_access){ num, write, value };
	f->nr_log++;
	if (f->inject_at && f->nr_log == f->inject_at) {
		f->inject_at = 0;
		f->inject(f);
	}
}

static rv_ulong op_csr_read(void *ctx, unsigned num)
{
	struct fake *f = ctx;
	struct csr c = locate(f, num);

	if (c.kind == NONE)
		fault("read of a CSR that the hart does not have", num);
	note(f, num, false, 0);
	return get(f, c);
}

static void op_csr_write(void *ctx, unsigned num, rv_ulong value)
{
	struct fake *f = ctx;
	struct csr c = locate(f, num);

	if (c.kind == NONE)
		fault("write of a CSR that the hart does not have", num);
	note(f, num, true, value);
	set(f, c, num, value);
}

static rv_ulong op_csr_update(void *ctx, unsigned num, rv_ulong value)
{
	const unsigned high = CSR_MHPMEVENTH - CSR_MHPMEVENT;
	unsigned ctr = num - CSR_MHPMEVENT - (num >= CSR_MHPMEVENTH ? high : 0);

	if (ctr < COUNTER_HPM_FIRST || ctr > COUNTER_HPM_LAST)
		fault("csr_update of a CSR other than mhpmevent", num);
	op_csr_write(ctx, num, value);
	return op_csr_read(ctx, num);
}

static void op_set_lcofip(void *ctx, bool pending)
{
	struct fake *f = ctx;

	if (!f->hw.sscofpmf)
		fault("set_lcofip on a hart without Sscofpmf", pending);
	note(f, CSR_MIP, true, pending);
	f->regs.lcofip = pending;
}

static bool op_csr_probe(void *ctx, unsigned num, rv_ulong *value)
{
	struct fake *f = ctx;
	struct csr c = locate(f, num);

	if (f->live)
		fault("csr_probe while S-mode runs", num);
	if (c.kind == NONE)
		return false;
	*value = get(f, c);
	return true;
}

static void *op_shmem(void *ctx, uint64_t addr, uint64_t size)
{
	struct fake *f = ctx;

	f->nr_shmem++;
	if (size == 0 || addr + size <= addr || (addr + size - 1) >> (RV_XLEN - 1) >> 1)
		fault("shared memory that is empty or wraps", (unsigned)size);
	if (addr < FAKE_RAM_BASE || addr - FAKE_RAM_BASE > FAKE_RAM_SIZE - size ||
	    size > FAKE_RAM_SIZE)
		return NULL;
	return f->ram + (addr - FAKE_RAM_BASE);
}

static int op_fw_find(void *ctx, unsigned code, uint64_t data)
{
	if (code < SBI_PMU_FW_IMPL_FIRST || (code != SBI_PMU_FW_PLATFORM && data))
		fault("fw_find of an event that is not the host's", code);
	if (code < SBI_PMU_FW_IMPL_FIRST + 8)
		return (int)(code - SBI_PMU_FW_IMPL_FIRST);
	if (code == SBI_PMU_FW_PLATFORM && data >= FAKE_FW_PLATFORM && data < FAKE_FW_PLATFORM + 8)
		return (int)(8 + data - FAKE_FW_PLATFORM);
	return -1;
}

static uint64_t op_fw_total(void *ctx, int key)
{
	struct fake *f = ctx;

	if (key < 0 || key >= FAKE_FW_EVENTS)
		fault("fw_total of a key that fw_find never gave", (unsigned)key);
	return f->fw_total[key];
}

static void op_diag(void *ctx, const struct sbipmu_diag *d)
{
	struct fake *f = ctx;

	if (!d->property || !d->text)
		fault("a complaint without text", f->nr_diags);
	if (f->nr_diags < sizeof(f->diag) / sizeof(f->diag[0]))
		f->diag[f->nr_diags] = *d;
	f->nr_diags++;
}

const struct sbipmu_ops fake_ops = {
	.csr_read = op_csr_read,
	.csr_write = op_csr_write,
	.csr_update = op_csr_update,
	.set_lcofip = op_set_lcofip,
	.csr_probe = op_csr_probe,
	.shmem = op_shmem,
	.fw_find = op_fw_find,
	.fw_total = op_fw_total,
	.diag = op_diag,
};

const struct sbipmu_ops fake_bare_ops = {
	.csr_read = op_csr_read,
	.csr_write = op_csr_write,
	.set_lcofip = op_set_lcofip,
	.csr_probe = op_csr_probe,
};

void fake_scramble(struct fake *f)
{
	for (unsigned ctr = 0; ctr < FAKE_CTRS; ctr++) {
		f->regs.value[ctr] = (0x0123456789abcdefull * (ctr + 1)) & width_mask(f, ctr);
		f->regs.event[ctr] = 0xfedcba9876543210ull * (ctr + 1);
	}
	f->regs.inhibit = 0x55555555 & f->hw.inhibit_mask;
	f->regs.counteren = 0x33333333 & f->hw.counteren_mask;
	f->regs.lcofip = f->hw.sscofpmf;
}

void fake_init(struct fake *f, unsigned programmable, unsigned width)
{
	memset(f, 0, sizeof(*f));
	memset(f->ram, FAKE_CANARY, sizeof(f->ram));
	f->hw.exists = bit(COUNTER_CY) | bit(COUNTER_IR);
	for (unsigned i = 0; i < programmable; i++)
		f->hw.exists |= bit(COUNTER_HPM_FIRST + i);
	for (unsigned ctr = 0; ctr < FAKE_CTRS; ctr++) {
		f->hw.width[ctr] = (uint8_t)width;
		f->hw.warl[ctr].mask = ~0ull;
	}
	f->hw.mcountinhibit = true;
	f->hw.inhibit_mask = f->hw.exists;
	f->hw.counteren_mask = 0xffffffff;
	fake_scramble(f);
}

void fake_live(struct fake *f)
{
	f->live = true;
	fake_log_clear(f);
}

static bool filtered(const struct fake *f, unsigned ctr, enum fake_mode mode)
{
	static const uint64_t inh[] = {
		[FAKE_M] = MHPMEVENT_MINH,   [FAKE_S] = MHPMEVENT_SINH,	  [FAKE_U] = MHPMEVENT_UINH,
		[FAKE_VS] = MHPMEVENT_VSINH, [FAKE_VU] = MHPMEVENT_VUINH,
	};

	if (fixed(ctr) ? !f->hw.smcntrpmf : !f->hw.sscofpmf)
		return false;
	return (f->regs.event[ctr] & inh[mode]) != 0;
}

void fake_tick(struct fake *f, unsigned ctr, uint64_t n, enum fake_mode mode)
{
	uint64_t mask = width_mask(f, ctr);
	uint64_t old = f->regs.value[ctr];

	if (!(f->hw.exists & bit(ctr)) || fake_inhibited(f, ctr) || filtered(f, ctr, mode))
		return;
	f->regs.value[ctr] = (old + n) & mask;
	if (n <= mask - old || fixed(ctr) || !f->hw.sscofpmf)
		return;
	if (!(f->regs.event[ctr] & MHPMEVENT_OF)) {
		f->regs.event[ctr] |= MHPMEVENT_OF;
		f->regs.lcofip = true;
	}
}

void fake_happen(struct fake *f, uint64_t selector, uint64_t n, enum fake_mode mode)
{
	uint64_t top = f->hw.sscofpmf ? MHPMEVENT_OF | MHPMEVENT_FILTER : 0;

	for (unsigned ctr = COUNTER_HPM_FIRST; ctr < FAKE_CTRS; ctr++)
		if (f->hw.exists & bit(ctr) && (fake_event(f, ctr) & ~top) == selector)
			fake_tick(f, ctr, n, mode);
}

void fake_delegated_event(struct fake *f, unsigned ctr, uint64_t event)
{
	const uint64_t kept = f->regs.event[ctr] & MHPMEVENT_MINH;

	if (!f->hw.smcdeleg || !(f->regs.counteren & bit(ctr)))
		fault("the counter is not delegated", ctr);
	f->regs.event[ctr] = (event & ~MHPMEVENT_MINH) | kept;
}

void fake_log_clear(struct fake *f)
{
	f->nr_log = 0;
}

static unsigned accesses(const struct fake *f, unsigned num, bool write)
{
	unsigned n = 0;

	for (unsigned i = 0; i < f->nr_log && i < FAKE_LOG; i++)
		n += f->log[i].num == num && f->log[i].write == write;
	return n;
}

unsigned fake_reads(const struct fake *f, unsigned num)
{
	return accesses(f, num, false);
}

unsigned fake_writes(const struct fake *f, unsigned num)
{
	return accesses(f, num, true);
}

unsigned fake_all_writes(const struct fake *f)
{
	unsigned n = 0;

	for (unsigned i = 0; i < f->nr_log && i < FAKE_LOG; i++)
		n += f->log[i].write;
	return n;
}

unsigned fake_write_place(const struct fake *f, unsigned num, unsigned n)
{
	for (unsigned i = 0; i < f->nr_log && i < FAKE_LOG; i++)
		if (f->log[i].write && f->log[i].num == num && --n == 0)
			return i + 1;
	return 0;
}

bool fake_ram_clean(const struct fake *f, unsigned from, unsigned to)
{
	for (unsigned i = 0; i < FAKE_RAM_SIZE; i++)
		if ((i < from || i >= to) && f->ram[i] != FAKE_CANARY)
			return false;
	return true;
}

uint64_t fake_ram64(const struct fake *f, unsigned offset)
{
	uint64_t value;

	memcpy(&value, f->ram + offset, sizeof(value));
	return value;
}

uint32_t fake_ram32(const struct fake *f, unsigned offset)
{
	return (uint32_t)fake_ram64(f, offset);
}

void fake_ram_set64(struct fake *f, unsigned offset, uint64_t value)
{
	memcpy(f->ram + offset, &value, sizeof(value));
}

void fake_ram_set32(struct fake *f, unsigned offset, uint32_t value)
{
	memcpy(f->ram + offset, &value, sizeof(value));
}
