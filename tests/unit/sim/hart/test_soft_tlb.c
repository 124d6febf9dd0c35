// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_soft_tlb.c - which entries the software TLB has after those of the modelled TLB go, after
 * changes of PMP and satp, and after replacements; what these leave in the L0 hit table.
 */
#include "access.h"
#include "rig.h"
#include "small_cpu.h"

#define V    1ull
#define RWAD (2ull | 4 | 64 | 128)

#define ROOT (RAM_BASE + 0x800000) /* level 2; + 4096 level 1; + 8192 level 0 */
#define VA   0x40000000ull /* slot 1 of the root */
#define SV39 (8ull << 60)

static void map(struct machine *m, unsigned level, unsigned slot, uint64_t pa, uint64_t bits)
{
	*(uint64_t *)cluster_ram(&m->cl, ROOT + 4096 * level + 8 * slot, 8) = pa >> 12 << 10 | bits;
}

/* In S-mode with paging. */
static struct machine *create(void)
{
	struct machine *m = rig_create(NULL);

	map(m, 0, 1, ROOT + 4096, V);
	map(m, 1, 0, ROOT + 8192, V);
	for (unsigned n = 0; n < 512; n++) /* pages of 4 KiB, of which 16 to 31 are one of 64 KiB */
		map(m, 2, n, RAM_BASE + (n / 16 == 1 ? 0x8000 : 4096 * n),
		    V | RWAD | (n / 16 == 1 ? 1ull << 63 : 0));
	for (unsigned n = 1; n < 8; n++) /* and of 2 MiB */
		map(m, 1, n, RAM_BASE + 0x200000 * n, V | RWAD);
	map(m, 0, 2, RAM_BASE & ~0x3fffffffull, V | RWAD); /* of 1 GiB */
	rig_open_memory(m->cl.hart[0]);
	csr_write(m->cl.hart[0], CSR_SATP, SV39 | ROOT >> 12);
	rig_set_mode(m->cl.hart[0], PRV_S);
	return m;
}

static void load_and_store(struct machine *m, uint64_t va)
{
	uint64_t value;

	ok(access_load(m->cl.hart[0], va, 8, &value));
	ok(access_store(m->cl.hart[0], va, 8, value));
}

/* 0 to 2: entries of a page, for reads and for writes. */
static unsigned has(const struct hart *h, uint64_t va)
{
	unsigned n = (va >> PAGE_SHIFT) % SOFT_NR;

	return (h->lines->read[n].tag == (va & PAGE_MASK)) +
	       (h->lines->write[n].tag == (va & PAGE_MASK));
}

static unsigned entries(const struct hart *h)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < CTX_NR * SOFT_NR; i++) {
		const struct soft_tlb *s = &h->soft[i / SOFT_NR];

		nr += s->read[i % SOFT_NR].tag != SOFT_BAD;
		nr += s->write[i % SOFT_NR].tag != SOFT_BAD;
	}
	return nr;
}

/* An entry of the modelled TLB, of each size, goes with the entries that it backs, and no other. */
static void dropped(void)
{
	static const struct {
		uint64_t page;
		uint8_t size;
	} rows[] = {
		{ VA, TLB_4K },
		{ VA + 0x1ff000, TLB_4K },
		{ VA + 0x10000, TLB_64K },
		{ VA + 0x200000, TLB_2M },
		{ 0x80000000, TLB_1G },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct machine *m = create();
		struct hart *h = m->cl.hart[0];
		const struct tlb_entry e = { .va = rows[n].page, .size = rows[n].size };
		const uint64_t bytes = tlb_bytes(e.size) < 0x200000 ? tlb_bytes(e.size) : 0x200000;
		const uint64_t in[] = { e.va, e.va + bytes / 8192 * 4096, e.va + bytes - 4096 };
		const uint64_t out[] = { VA + 0x5000, VA + 0x40000, VA + 0x603000 };

		tap_context("row %u", n);
		for (unsigned i = 0; i < 3; i++) {
			load_and_store(m, out[i]);
			load_and_store(m, in[i]);
			is(has(h, in[i]), 2);
		}
		soft_tlb_drop(h, &e);
		for (unsigned i = 0; i < 3; i++) {
			is(has(h, in[i]), 0);
			is(has(h, out[i]), 2);
		}
		is(entries(h), 6);
		machine_destroy(m);
	}
}

/* satp drops those of S-mode and U-mode, PMP those of M-mode, too; each time. */
static void emptied(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned round = 0; round < 3; round++) {
		for (unsigned n = 0; n < 8; n++)
			load_and_store(m, VA + n * 63 * 4096);
		rig_set_mode(h, PRV_M);
		for (unsigned n = 0; n < 16; n++)
			load_and_store(m, RAM_BASE + 4096 * (n * 67 + round));
		is(entries(h), 2 * (8 + 16));
		csr_write(h, CSR_SATP, 0);
		csr_write(h, CSR_SATP, SV39 | ROOT >> 12);
		is(entries(h), 2 * 16);
		is(has(h, RAM_BASE + 4096 * (67 + round)), 2);
		rig_open_memory(h);
		is(entries(h), 0);
		rig_set_mode(h, PRV_S);
	}
	machine_destroy(m);
}

/* How many lines of a page the L0 hit table has. */
static unsigned lines_of(const struct hart *h, uint64_t va)
{
	unsigned nr = 0;

	for (unsigned at = 0; at < L0_NR; at++) {
		nr += h->l0.read[at] != L0_BAD && !((h->l0.read[at] ^ va) & PAGE_MASK);
		nr += h->l0.write[at] != L0_BAD && !((h->l0.write[at] ^ va) & PAGE_MASK);
	}
	return nr;
}

/* A page takes the place of another: then nothing backs the lines of that one. */
static void replaced(void)
{
	struct cpu_models models;
	struct cpu cpu;
	struct machine *m;
	struct hart *h;
	const uint64_t old = RAM_BASE + 0x100000, beside = old + 4096;
	const uint64_t next = old + 4096ull * SOFT_NR;

	small_cpu(&cpu, &models);
	m = rig_create(&(struct machine_options){ .cpu = &cpu, .models = true });
	h = m->cl.hart[0];
	RIG_CODE(m, RAM_BASE, ld(A0, 256, A1), ld(A0, 256, A1), ld(A0, 256, A1), ld(A0, 128, A2),
		 ld(A0, 128, A2), ld(A0, 128, A2), END);
	RIG_CODE(m, RAM_BASE + 0x100, ld(A0, 64, A3), END);
	h->x[A1] = old;
	h->x[A2] = beside;
	h->x[A3] = next;
	/* Until the lines have come. */
	for (unsigned n = 0; n < 100; n++) {
		h->pc = RAM_BASE;
		rig_run(m, 1000000);
	}
	is(lines_of(h, old), 1);
	is(lines_of(h, beside), 1);
	is(has(h, old), 1);
	h->pc = RAM_BASE + 0x100;
	rig_run(m, 1000000);
	is(has(h, next), 1);
	is(has(h, old), 0);
	is(lines_of(h, old), 0);
	is(lines_of(h, beside), 1);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what an entry of the modelled TLB backs", dropped },
		{ "changes of satp and of PMP", emptied },
		{ "a page in the place of another", replaced },
	};

	return tap_run(cases, TAP_NR(cases));
}
