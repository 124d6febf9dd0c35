/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plic.c - the interrupt controller between devices and harts.
 *
 * The gateway of a source turns a high level into one request (a pending bit).  It makes no other
 * request until a hart has claimed and completed this one.  A context is interrupted while a
 * pending, enabled source has a priority above the threshold of the context.
 *
 * Implements: RISC-V PLIC 1.0.0 with SiFive's register layout.  Context 2 * hart is M-mode, context
 * 2 * hart + 1 is S-mode.  Priorities are 0 (never interrupts) to 7.  Among equal priorities the
 * lowest source number wins.
 */
#include <libfdt.h>
#include <string.h>

#include "common.h"

#define PENDING	     0x1000
#define ENABLE	     0x2000
#define ENABLE_STEP  0x80
#define CONTEXT	     0x200000
#define CONTEXT_STEP 0x1000
#define THRESHOLD    0
#define CLAIM	     4
#define PRIORITY_MAX 7

#define WORDS (PLIC_SOURCES / 32 + 1)

/* Bit numbers in mip, which the device tree uses. */
#define IRQ_MEI 11
#define IRQ_SEI 9

struct plic {
	unsigned contexts;
	struct irq line[2 * PLIC_HARTS];
	struct plic_regs {
		uint32_t level[WORDS]; /* the levels that the devices drive */
		uint32_t pending[WORDS]; /* a request that waits for a claim */
		uint32_t claimed[WORDS]; /* sources that are claimed and not yet completed */
		uint32_t enable[2 * PLIC_HARTS][WORDS];
		uint8_t threshold[2 * PLIC_HARTS];
		uint8_t priority[PLIC_SOURCES + 1];
	} r;
};

static uint32_t source_bit(unsigned num)
{
	return 1u << (num % 32);
}

/* Bits of word w that are sources: not 0, not above the last one. */
static uint32_t source_mask(unsigned w)
{
	uint32_t mask = w == 0 ? ~1u : ~0u;

	return w == WORDS - 1 ? mask & (source_bit(PLIC_SOURCES) * 2 - 1) : mask;
}

/*
 * Returns the source of highest priority that is pending, enabled in ctx and above floor; 0: none.
 */
static unsigned best(const struct plic *p, unsigned ctx, unsigned floor)
{
	unsigned found = 0;

	for (unsigned w = 0; w < WORDS; w++) {
		uint32_t bits = p->r.pending[w] & p->r.enable[ctx][w];

		for (; bits; bits &= bits - 1) {
			unsigned num = 32 * w + (unsigned)__builtin_ctz(bits);

			if (p->r.priority[num] > floor) {
				floor = p->r.priority[num];
				found = num;
			}
		}
	}
	return found;
}

/* Lets the gateways make their requests, then sets the line of every context. */
static void update(struct plic *p)
{
	for (unsigned w = 0; w < WORDS; w++)
		p->r.pending[w] |= p->r.level[w] & ~p->r.claimed[w];
	for (unsigned ctx = 0; ctx < p->contexts; ctx++)
		irq_set(&p->line[ctx], best(p, ctx, p->r.threshold[ctx]) != 0);
}

/* A device's line has changed. */
static void plic_set(void *opaque, unsigned num, bool level)
{
	struct plic *p = ((struct device *)opaque)->state;
	uint32_t *word = &p->r.level[num / 32];
	uint32_t old = *word;

	*word = level ? old | source_bit(num) : old & ~source_bit(num);
	if (*word != old)
		update(p);
}

struct irq plic_line(struct device *d, unsigned num)
{
	if (num == 0 || num > PLIC_SOURCES)
		return (struct irq){ 0 };
	return (struct irq){ .set = plic_set, .opaque = d, .num = num };
}

/* A claim ignores the threshold (PLIC 1.0.0, "Interrupt Claim Process"). */
static unsigned claim(struct plic *p, unsigned ctx)
{
	unsigned num = best(p, ctx, 0);

	if (num) {
		p->r.pending[num / 32] &= ~source_bit(num);
		p->r.claimed[num / 32] |= source_bit(num);
		update(p);
	}
	return num;
}

static void complete(struct plic *p, unsigned ctx, uint64_t num)
{
	if (num > PLIC_SOURCES || !(p->r.enable[ctx][num / 32] & source_bit(num)))
		return;
	p->r.claimed[num / 32] &= ~source_bit(num);
	update(p);
}

static uint64_t plic_read(struct device *d, uint64_t offset, unsigned bytes)
{
	struct plic *p = d->state;
	unsigned ctx, word;

	if (offset >= CONTEXT) {
		ctx = (offset - CONTEXT) / CONTEXT_STEP;
		offset %= CONTEXT_STEP;
		if (ctx < p->contexts && offset == THRESHOLD)
			return p->r.threshold[ctx];
		return ctx < p->contexts && offset == CLAIM ? claim(p, ctx) : 0;
	}
	if (offset >= ENABLE) {
		ctx = (offset - ENABLE) / ENABLE_STEP;
		word = offset % ENABLE_STEP / 4;
		return ctx < p->contexts && word < WORDS ? p->r.enable[ctx][word] : 0;
	}
	if (offset >= PENDING) {
		word = (offset - PENDING) / 4;
		return word < WORDS ? p->r.pending[word] : 0;
	}
	return offset / 4 <= PLIC_SOURCES ? p->r.priority[offset / 4] : 0;
}

static void plic_write(struct device *d, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct plic *p = d->state;
	unsigned ctx, word;

	if (offset >= CONTEXT) {
		ctx = (offset - CONTEXT) / CONTEXT_STEP;
		offset %= CONTEXT_STEP;
		if (ctx >= p->contexts)
			return;
		if (offset == THRESHOLD)
			p->r.threshold[ctx] = value & PRIORITY_MAX;
		else if (offset == CLAIM)
			complete(p, ctx, value);
	} else if (offset >= ENABLE) {
		ctx = (offset - ENABLE) / ENABLE_STEP;
		word = offset % ENABLE_STEP / 4;
		if (ctx < p->contexts && word < WORDS)
			p->r.enable[ctx][word] = value & source_mask(word);
	} else if (offset < PENDING && offset && offset / 4 <= PLIC_SOURCES) {
		p->r.priority[offset / 4] = value & PRIORITY_MAX;
	}
	update(p);
}

/* A reset keeps the input levels: they are state of the devices, not of the PLIC. */
static void plic_reset(struct device *d)
{
	struct plic *p = d->state;
	struct plic_regs fresh = { 0 };

	memcpy(fresh.level, p->r.level, sizeof(fresh.level));
	p->r = fresh;
	update(p);
}

static bool plic_save(struct device *d, const struct stream *s)
{
	struct plic *p = d->state;

	return stream_write(s, &p->r, sizeof(p->r));
}

static bool plic_restore(struct device *d, const struct stream *s)
{
	struct plic *p = d->state;
	struct plic_regs r;

	if (!stream_read(s, &r, sizeof(r))) {
		plic_reset(d);
		return false;
	}
	for (unsigned w = 0; w < WORDS; w++) {
		r.level[w] &= source_mask(w);
		r.pending[w] &= source_mask(w);
		r.claimed[w] &= source_mask(w);
		for (unsigned ctx = 0; ctx < 2 * PLIC_HARTS; ctx++)
			r.enable[ctx][w] &= source_mask(w);
	}
	for (unsigned ctx = 0; ctx < 2 * PLIC_HARTS; ctx++)
		r.threshold[ctx] &= PRIORITY_MAX;
	for (unsigned num = 0; num <= PLIC_SOURCES; num++)
		r.priority[num] &= PRIORITY_MAX;
	r.priority[0] = 0;
	p->r = r;
	update(p);
	return true;
}

static int plic_dt(struct device *d, void *fdt, int soc, uint32_t phandle)
{
	static const char compatible[] = "sifive,plic-1.0.0\0riscv,plic0";
	const struct plic *p = d->state;
	int node = device_node(fdt, soc, d, compatible, sizeof(compatible));
	int err;

	if (node < 0)
		return node;
	err = device_node_hart_interrupts(fdt, node, p->contexts / 2, IRQ_MEI, IRQ_SEI);
	if (!err)
		err = fdt_setprop_u32(fdt, node, "phandle", phandle);
	if (!err)
		err = fdt_setprop_u32(fdt, node, "riscv,ndev", PLIC_SOURCES);
	if (!err)
		err = fdt_setprop(fdt, node, "interrupt-controller", NULL, 0);
	if (!err)
		err = fdt_setprop_u32(fdt, node, "#address-cells", 0);
	if (!err)
		err = fdt_setprop_u32(fdt, node, "#interrupt-cells", 1);
	return err;
}

struct device *plic_create(const struct board *board, unsigned nr, const struct irq *meip,
			   const struct irq *seip)
{
	static const struct device proto = {
		.name = "plic",
		.base = PLIC_BASE,
		.size = 0x600000,
		.min_bytes = 4,
		.max_bytes = 4,
		.read = plic_read,
		.write = plic_write,
		.reset = plic_reset,
		.save = plic_save,
		.restore = plic_restore,
		.destroy = device_free,
		.dt = plic_dt,
	};
	struct device *d = nr <= PLIC_HARTS ? device_new(&proto, board, sizeof(struct plic)) : NULL;
	struct plic *p;

	if (!d)
		return NULL;
	p = d->state;
	p->contexts = 2 * nr;
	for (unsigned i = 0; i < nr; i++) {
		p->line[2 * i] = meip[i];
		p->line[2 * i + 1] = seip[i];
	}
	plic_reset(d);
	return d;
}
