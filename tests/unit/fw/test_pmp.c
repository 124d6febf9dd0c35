// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pmp.c - fw/service/pmp.c on harts of every kind of PMP.  The test computes from the CSRs,
 * by Priv 1.13 §3.7 and not by the code of pmp.c, which bytes S-mode can access.
 */
#include "tap.h"
#include <csr.h>
#include <machine.h>
#include <platform.h>
#include <pmp.h>

#define MAX 64

struct platform platform;
rv_ulong fake_csr[4096];

/* The hart's PMP. */
static struct {
	unsigned entries; /* this many can be written */
	unsigned present; /* this many exist; access to the others is an illegal instruction */
	unsigned grain; /* G: a granule is 2^(G+2) bytes */
	rv_ulong addr[MAX];
	unsigned char cfg[MAX];
} hw;

static bool addr_locked(unsigned n)
{
	return hw.cfg[n] & PMP_L ||
	       (n + 1 < MAX && hw.cfg[n + 1] & PMP_L && (hw.cfg[n + 1] & 0x18) == PMP_TOR);
}

static rv_ulong addr_read(unsigned n)
{
	rv_ulong low = ((rv_ulong)1 << hw.grain) - 1;

	if (!hw.grain || n >= hw.entries)
		return hw.addr[n];
	return hw.cfg[n] & PMP_NA4 ? hw.addr[n] | low >> 1 : hw.addr[n] & ~low;
}

static void cfg_byte_write(unsigned n, unsigned char v)
{
	if (n >= hw.entries || hw.cfg[n] & PMP_L)
		return;
	if (hw.grain && (v & 0x18) == PMP_NA4)
		v = 0;
	hw.cfg[n] = v & 0x9f;
}

bool csr_num_probe(void *ctx, unsigned num, rv_ulong *value)
{
	if (num < CSR_PMPADDR0 || num >= CSR_PMPADDR0 + hw.present)
		return false;
	*value = addr_read(num - CSR_PMPADDR0);
	return true;
}

rv_ulong csr_num_read(void *ctx, unsigned num)
{
	rv_ulong value = 0;
	unsigned i, first;

	if (num >= CSR_PMPADDR0 && num < CSR_PMPADDR0 + hw.present)
		return addr_read(num - CSR_PMPADDR0);
	first = (num - CSR_PMPCFG0) * 4;
	/* An access to a pmpcfg register that does not exist would trap in the firmware. */
	ok(num >= CSR_PMPCFG0 && first < hw.present && !(num & 1));
	for (i = 0; i < 8; i++)
		value |= (rv_ulong)hw.cfg[first + i] << 8 * i;
	return value;
}

void csr_num_write(void *ctx, unsigned num, rv_ulong value)
{
	unsigned i, n = num - CSR_PMPADDR0;

	if (num >= CSR_PMPADDR0 && n < hw.present) {
		if (n < hw.entries && !addr_locked(n))
			hw.addr[n] = value & (((rv_ulong)1 << 54) - 1);
		return;
	}
	n = (num - CSR_PMPCFG0) * 4;
	ok(num >= CSR_PMPCFG0 && n < hw.present && !(num & 1));
	for (i = 0; i < 8; i++)
		cfg_byte_write(n + i, (unsigned char)(value >> 8 * i));
}

/* The rights of S-mode to the byte at addr: PMP_R, PMP_W, PMP_X. */
static unsigned rights(uint64_t addr)
{
	uint64_t word = addr >> 2, below = 0, low;
	unsigned n;

	for (n = 0; n < hw.entries; n++) {
		rv_ulong a = addr_read(n);
		bool match = false;

		switch (hw.cfg[n] & 0x18) {
		case PMP_TOR:
			match = word >= below && word < a;
			break;
		case PMP_NA4:
			match = word == a;
			break;
		case PMP_NAPOT:
			low = a ^ (a + 1);
			match = !((word ^ a) & ~low);
			break;
		}
		if (match)
			return hw.cfg[n] & (PMP_R | PMP_W | PMP_X);
		below = a;
	}
	return 0;
}

#define ALL (PMP_R | PMP_W | PMP_X)

static void hart(unsigned entries, unsigned present, unsigned grain)
{
	memset(&hw, 0, sizeof(hw));
	hw.entries = entries;
	hw.present = present;
	hw.grain = grain;
}

static void closes(uint64_t base, uint64_t size)
{
	platform.closed[platform.nr_closed++] = (struct range){ base, size };
}

static void firmware_only(void)
{
	platform = (struct platform){ .fw = { 0x80000000, 0x100000 } };
	closes(0x80000000, 0x100000);
}

/* Checks that exactly r is closed: its first and last byte, not the bytes before and after. */
static void exactly(const struct range *r)
{
	is(rights(r->base), 0);
	is(rights(r->base + r->size / 2), 0);
	is(rights(r->base + r->size - 1), 0);
	is(rights(r->base - 1), ALL);
	is(rights(r->base + r->size), ALL);
}

static const struct range shapes[] = {
	{ 0x2000000, 0x10000 },	 { 0x2000000, 0xc000 },	 { 0x2004000, 0x7ff8 },
	{ 0x200bff8, 8 },	 { 0x2000004, 4 },	 { 0x200000c, 0x1c },
	{ 0x2ffc, 0x2004 },	 { 0xfffff000, 0x2000 }, { 0x4000000000, 0x3000 },
	{ 0x24000000, 0x40000 }, { 0x1000, 0x7fff000 },
};

static void closes_any_shape(void)
{
	struct hart h;
	unsigned i;

	for (i = 0; i < TAP_NR(shapes); i++) {
		tap_context("shape %u", i);
		hart(16, 16, 0);
		firmware_only();
		closes(shapes[i].base, shapes[i].size);
		pmp_init(&h);
		ok(h.has_pmp);
		is(h.pmp_open, 0);
		exactly(&platform.fw);
		exactly(&shapes[i]);
	}
}

/* A range grows to whole granules and never shrinks. */
static void grows_to_granules(void)
{
	unsigned i, grain;
	struct hart h;

	for (grain = 1; grain <= 10; grain += 3) {
		uint64_t granule = (uint64_t)4 << grain;

		for (i = 0; i < TAP_NR(shapes); i++) {
			uint64_t base = shapes[i].base & ~(granule - 1);
			uint64_t end = (shapes[i].base + shapes[i].size + granule - 1) &
				       ~(granule - 1);

			tap_context("granule %u shape %u", (unsigned)granule, i);
			hart(16, 16, grain);
			firmware_only();
			closes(shapes[i].base, shapes[i].size);
			pmp_init(&h);
			is(h.pmp_open, 0);
			exactly(&(struct range){ base, end - base });
		}
	}
}

/* Ranges that need two entries each, on harts with too few: pmp_open tells which are open. */
static void says_what_stays_open(void)
{
	static const struct {
		unsigned entries, present, closed;
	} rows[] = {
		{ 1, 1, 0 },  { 2, 2, 1 },   { 3, 8, 1 },    { 4, 16, 2 },  { 8, 8, 4 },
		{ 8, 16, 4 }, { 16, 16, 8 }, { 64, 64, 32 }, { 16, 64, 8 },
	};
	unsigned i, k;
	struct hart h;

	for (i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		hart(rows[i].entries, rows[i].present, 0);
		firmware_only();
		for (k = 1; k < 40; k++)
			closes(0x2000000 + 0x10000 * k, 0x7004);
		pmp_init(&h);
		ok(h.has_pmp);
		for (k = 0; k < 40; k++) {
			is(h.pmp_open >> k & 1, k >= rows[i].closed);
			is(rights(platform.closed[k].base), h.pmp_open >> k & 1 ? ALL : 0);
			is(rights(platform.closed[k].base + platform.closed[k].size - 1),
			   h.pmp_open >> k & 1 ? ALL : 0);
		}
		is(rights(0x90000000), ALL);
	}
}

static void does_without_pmp(void)
{
	struct hart h;

	firmware_only();
	hart(0, 0, 0);
	pmp_init(&h);
	ok(!h.has_pmp && h.pmp_open & 1);
	/* The registers exist and read as zero. */
	hart(0, 16, 0);
	pmp_init(&h);
	ok(!h.has_pmp && h.pmp_open & 1);
}

/* Entries that an earlier boot stage has locked stay; ours follow them. */
static void leaves_locked_entries(void)
{
	struct hart h;

	firmware_only();
	closes(0x2000000, 0xc000);
	hart(16, 16, 0);
	hw.addr[0] = 0x1000 >> 2;
	hw.addr[1] = 0x10000 >> 2;
	hw.cfg[1] = PMP_L | PMP_TOR | PMP_R | PMP_X;
	pmp_init(&h);
	is(h.pmp_open, 0);
	is(hw.addr[0], 0x400);
	is(rights(0x1000), PMP_R | PMP_X);
	exactly(&platform.fw);
	exactly(&platform.closed[1]);
	/* All entries are locked: nothing is closed, and pmp_open tells it. */
	hart(8, 8, 0);
	hw.cfg[7] = PMP_L | PMP_NAPOT | PMP_R | PMP_W | PMP_X;
	hw.addr[7] = ((rv_ulong)1 << 54) - 1;
	pmp_init(&h);
	ok(h.pmp_open & 1 && h.pmp_open & 2);
}

/* At the second start of a hart the entries are already in use. */
static void starts_again(void)
{
	struct hart h;

	firmware_only();
	closes(0x2000000, 0x7004);
	hart(8, 8, 2);
	pmp_init(&h);
	pmp_init(&h);
	is(h.pmp_open, 0);
	exactly(&platform.fw);
	is(rights(0x2007003), 0);
	is(rights(0x2007010), ALL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "exactly the range is closed, for every size and alignment", closes_any_shape },
		{ "a range grows to whole granules", grows_to_granules },
		{ "a range that does not fit is open, and reported", says_what_stays_open },
		{ "a hart without PMP", does_without_pmp },
		{ "entries that are locked", leaves_locked_entries },
		{ "a hart that starts a second time", starts_again },
	};

	return tap_run(cases, TAP_NR(cases));
}
