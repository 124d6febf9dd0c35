// SPDX-License-Identifier: BSD-2-Clause
/*
 * mix.c - a program for tests/second/check: HARTS harts make random accesses of every kind to
 * memory that they share, in S-mode, through pages of several sizes, some of which are not cached.
 *
 * SEED and RUNS decide what they do.  A CPU that lacks an instruction traps, and the program goes
 * on after it.  Virtual addresses: PAGES are pages of 4 KiB of the pool, NC the same ones, not
 * cached; WIDE is a page of 64 KiB, MEGA one of 2 MiB, and RAM one of 1 GiB, of the same pool, too;
 * SHADOW is a page of a shadow stack.
 */
#include <stdint.h>

enum { POOL = 128 << 10, PAGE = 4096, V = 1, R = 2, W = 4, X = 8, G = 32, AD = 0xc0 };

#define PAGES	  0x40000000ul
#define NC	  0x40100000ul
#define WIDE	  0x40180000ul
#define SHADOW	  0x401e0000ul
#define MEGA	  0x40200000ul
#define RAM	  0x80000000ul
#define MSIP	  ((volatile uint32_t *)0x2000000)
#define SVPBMT_NC (1ul << 61)
#define SVNAPOT	  (1ul << 63 | 8ul << 10)

static uint64_t root[512] __attribute__((aligned(PAGE)));
static uint64_t middle[512] __attribute__((aligned(PAGE)));
static uint64_t leaves[512] __attribute__((aligned(PAGE)));
static char pool[2 << 20] __attribute__((aligned(2 << 20)));
static volatile uint64_t ready, done;

static inline uint64_t entry(const void *to, uint64_t bits)
{
	return (uint64_t)to >> 12 << 10 | bits | V;
}

static void pages_make(void)
{
	for (unsigned n = 0; n < POOL / PAGE; n++) {
		leaves[n] = entry(pool + n * PAGE, R | W | (n % 4 ? AD : 0) | (n % 8 ? 0 : G));
		leaves[256 + n] = entry(pool + n * PAGE, R | W | AD | SVPBMT_NC);
	}
	for (unsigned n = 0; n < 16; n++)
		leaves[384 + n] = entry(pool, R | W | AD) | SVNAPOT;
	leaves[480] = entry(pool + PAGE, W);
	middle[0] = entry(leaves, 0);
	middle[1] = entry(pool, R | W | AD);
	root[0] = entry((void *)0, R | W | AD);
	root[1] = entry(middle, 0);
	root[2] = entry((void *)RAM, R | W | X | AD | G);
}

static inline uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Where an access goes: near the beginning of each region more often than elsewhere. */
static char *place(uint64_t r, unsigned hart)
{
	static const uint64_t from[] = { PAGES, PAGES, PAGES, NC, WIDE, MEGA, RAM, PAGES };
	uint64_t region = from[r & 7], at = r >> 8 & (r & 8 ? POOL - 1 : 2047);

	if (region == RAM)
		return pool + at;
	if (region == WIDE)
		at &= 0xffff;
	/* Most accesses of a hart are its own. */
	if (r & 0x70)
		at = (at + hart * 8192) & (region == WIDE ? 0xffff : POOL - 1);
	return (char *)region + at;
}

#define DO(text) asm volatile(text : "+r"(v) : "r"(p) : "memory", "a5", "a6", "fa5")

static uint64_t step(uint64_t *state, unsigned hart)
{
	uint64_t r = next(state), v = r;
	char *p = place(next(state), hart), *aligned = (char *)((uint64_t)p & ~7ul);

	switch (r >> 20 & 63) {
	case 0 ... 15:
		DO("ld %0, 0(%1)");
		break;
	case 16 ... 19: /* a stride */
		for (int n = 0; n < 12; n++, aligned += 72)
			if (((uint64_t)aligned & (PAGE - 1)) < PAGE - 256)
				v += *(volatile uint64_t *)aligned;
		break;
	case 20 ... 27:
		DO("sd %0, 0(%1)");
		break;
	case 28 ... 31:
		p = aligned;
		DO("sw %0, 4(%1)\nlw %0, 0(%1)\nlb a5, 0(%1)\nsh a5, 2(%1)\nmul %0, %0, a5\n");
		break;
	case 32 ... 35:
		p = aligned;
		DO("amoadd.d %0, %0, (%1)");
		break;
	case 36 ... 38:
		p = aligned;
		DO("lr.d a5, (%1)\naddi a5, a5, 1\nsc.d %0, a5, (%1)");
		break;
	case 39:
		p = aligned;
		DO("amoswap.w a5, %0, (%1)\namomax.w x0, a5, (%1)");
		break;
	case 40:
		DO("fence rw, rw");
		break;
	case 41:
		DO(".4byte 0x0100000f"); /* pause */
		break;
	case 42 ... 44:
		DO("mv a5, %1\n.4byte 0x0047a00f"); /* cbo.zero (a5) */
		break;
	case 45:
		DO("mv a5, %1\n.4byte 0x0017a00f"); /* cbo.clean (a5) */
		break;
	case 46:
		DO("mv a5, %1\n.4byte 0x0027a00f"); /* cbo.flush (a5) */
		break;
	case 47:
		DO("mv a5, %1\n.4byte 0x0007a00f"); /* cbo.inval (a5) */
		break;
	case 48:
		DO("sfence.vma %1, zero");
		break;
	case 49:
		DO("andi a5, %0, 1\nsfence.vma zero, a5");
		break;
	case 50:
		DO("csrr a5, satp\nli a6, 1\nslli a6, a6, 44\nxor a5, a5, a6\ncsrw satp, a5");
		break;
	case 51:
		DO("fence.i\nori x0, %1, 1\nli a5, 0x40000\ncsrs sstatus, a5");
		break;
	case 52:
		if (r >> 40 & 1)
			DO("sfence.vma");
		else
			DO(".4byte 0"); /* illegal */
		break;
	case 53:
		DO("ecall");
		break;
	case 54:
		DO("div %0, %0, %1\nrem a5, %0, %1\nfcvt.d.l fa5, %0\nfsqrt.d fa5, fa5\nfdiv.d "
		   "fa5, fa5, fa5\n"
		   "fmadd.d fa5, fa5, fa5, fa5\nfsd fa5, 0(%1)\nfld fa5, 0(%1)\nfadd.d fa5, fa5, "
		   "fa5\nfmv.x.d %0, fa5");
		break;
	case 55:
		DO("mv a5, %1\n.4byte 0x0017b00b"); /* T-Head's space: illegal, or another one */
		DO(".4byte 0x0010000b"); /* th.dcache.call: a fence on a C9xx */
		/* th.dcache.cva a5, th.icache.ipa a5, th.sync, th.sync.is; words that are none */
		DO("mv a5, %1\n.4byte 0x0257800b\n.4byte 0x0387800b\n.4byte 0x0180000b\n"
		   ".4byte 0x01b0000b\n.4byte 0x0187800b\n.4byte 0x0200000b\n.4byte 0x0120000b");
		break;
	case 56:
		MSIP[(r >> 40) % HARTS] = 1;
		break;
	case 57:
		v += MSIP[0];
		break;
	case 58: /* csrw ssp, sspush ra, sspopchk ra, ssrdp a5, c.sspush ra, sspopchk t0 */
		p = (char *)SHADOW + ((uint64_t)p & 0x1f8);
		DO("csrw 0x011, %1\n.4byte 0xce104073\n.4byte 0xcdc0c073\n.4byte 0xcdc047f3\n"
		   ".2byte 0x6081\n.4byte 0xcdc2c073");
		break;
	case 59: /* ssamoswap.d a5, %0, (%1); what else accesses such a page */
		p = (char *)SHADOW + ((uint64_t)p & 0x1f8);
		DO("mv a5, %1\nmv a6, %0\n.4byte 0x4907b82f\nld a6, 0(%1)\nsd a6, 0(%1)\n"
		   ".4byte 0x0017a00f");
		break;
	default:
		for (int n = r >> 30 & 15; n >= 0; n--)
			v += ((volatile char *)p)[n * 8 & 63];
	}
	return v;
}

#undef DO

/* Called in S-mode. */
void work(unsigned hart)
{
	uint64_t state = SEED * 0x9e3779b97f4a7c15ul + hart + 1;

	for (int n = 0; n < RUNS; n++)
		step(&state, hart);
}

/* Called in M-mode, with the number of the hart; returns satp. */
uint64_t prepare(unsigned hart)
{
	if (hart == 0) {
		pages_make();
		asm volatile("fence rw, rw" ::: "memory");
		ready = 1;
	}
	while (!ready)
		;
	return 8ul << 60 | (uint64_t)root >> 12;
}

/* Called in M-mode; true for hart 0, when all others have finished. */
int finished(unsigned hart)
{
	__atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
	if (hart)
		return 0;
	while (done != HARTS)
		;
	return 1;
}
