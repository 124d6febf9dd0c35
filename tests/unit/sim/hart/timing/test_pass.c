// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pass.c - instructions in the shadow of a miss or a division take the same cycles, and have
 * the same stalls, whether the hart looks at each of them (look_ahead, as when a profile listens)
 * or at several at once (timing_pass): random loops on out-of-order cores, with the models of
 * small_cpu.h.
 */
#include "hash.h"
#include "rig.h"
#include "small_cpu.h"
#include "tally.h"
#include "timing.h"

#define CODE	RAM_BASE
#define HANDLER (CODE + 0x400)

enum { BODY = 20, TURNS = 20, PROGRAMS = 400 };

static struct cpu cpu;
static struct cpu_models models;
static bool paranoid;

static void core(uint64_t random)
{
	static const uint8_t queues[] = { 1, 2, 8 }, windows[] = { 3, 16, 64 };
	static const uint8_t forward[] = { 0, 1, 6, 30 }, recovery[] = { 0, 4, 20 };

	small_cpu(&cpu, &models);
	models.cost.order = COST_OUT_OF_ORDER;
	models.cost.window = windows[random % 3];
	memset(models.cost.queues, queues[random / 3 % 3], sizeof(models.cost.queues));
	models.cost.loads = random / 9 % 4;
	models.cost.latency[COST_DIV] = 5;
	models.cost.busy[COST_DIV] = 4;
	models.cost.div_bits = 1 + random / 36 % 4;
	models.cost.div_cycles = 3;
	models.cost.forward_cycles = forward[random / 144 % 4];
	models.cost.recovery_cycles = recovery[random / 5 % 3];
}

static uint32_t any(uint64_t *random)
{
	const uint64_t r = splitmix64(random);
	const unsigned rd = A0 + r % 6, rs1 = A0 + r / 6 % 6, rs2 = A0 + r / 36 % 6;

	if (!(r >> 52 & 15))
		/* May trap, or be misaligned. */
		return ld(rd, r >> 40 & 1, r >> 41 & 1 ? ZERO : S1);
	switch (r >> 32 & 7) {
	case 0:
		return r_type(0x02005033, rd, rs1, rs2); /* divu */
	case 1:
		return r_type(0x02000033, rd, rs1, rs2); /* mul */
	case 2:
		return ld(rd, (r >> 40 & 7) * 8, S0);
	case 3:
		return ld(rd, (r >> 40 & 7) * 8, S1);
	case 4:
		return sd(rs2, (r >> 40 & 7) * 8, r >> 43 & 1 ? S0 : S1);
	case 5:
		return branch(r >> 40 & 1 ? 1 : 4, rs1, rs2, 8);
	default:
		return r >> 40 & 1 ? addi(rd, rs1, r >> 50 & 255) : r_type(0x33, rd, rs1, rs2);
	}
}

/* A profile that does nothing: the hart looks at each instruction. */
static void *here(struct hart *h)
{
	return NULL;
}

static void credits(struct hart *h, void *load, enum event e, uint64_t n)
{
}

static void any_event(struct hart *h, enum event e, uint64_t n)
{
}

static void enter(struct hart *h)
{
}

static void jumped(struct hart *h, const struct block_run *r, uint64_t target)
{
}

static const struct tally_key *key(struct hart *h)
{
	static struct tally_key all;

	all = (struct tally_key){ .h = h, .mode = h->mode };
	return &all;
}

static const struct listener profile = {
	.enter = enter,
	.key = key,
	.jumped = jumped,
	.adds = any_event,
	.here = here,
	.credits = credits,
};

/* How a program is run. */
struct way {
	bool counts_stalls, one_by_one;
	uint64_t slice;
};

struct time {
	uint64_t cycles, stalls[COST_STATIC_STALLS];
};

/* S0 goes through 64 KiB; S1 stays. */
static struct time time_of(uint64_t random, const struct way *way)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];
	uint32_t words[BODY + 5];
	struct time time = { 0 };
	unsigned nr = 0;

	while (nr < BODY)
		words[nr++] = any(&random);
	words[nr++] = NOP; /* to which the last one may branch */
	words[nr++] = addi(S0, S0, 24);
	words[nr++] = addi(T0, T0, -1);
	words[nr] = bnez(T0, -4 * (int)nr);
	nr++;
	words[nr++] = END;
	rig_put(m, CODE, words, nr);
	RIG_CODE(m, HANDLER, csrr(T1, CSR_MEPC), addi(T1, T1, 4), csrw(CSR_MEPC, T1), MRET);
	csr_write(h, CSR_MTVEC, HANDLER);
	if (way->counts_stalls)
		pmu_count_all(h);
	if (way->one_by_one)
		m->cl.listener = h->listener = &profile;
	h->pc = CODE;
	h->x[T0] = TURNS;
	h->x[S0] = RIG_DATA;
	h->x[S1] = RIG_DATA + 0x10000;
	for (unsigned n = 0; n < 6; n++)
		h->x[A0 + n] = splitmix64(&random) >> (n * 10);
	rig_run_in_turns(m, way->slice);
	tally_settle(h);
	time.cycles = h->now;
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
		time.stalls[n] = h->pmu.total[PRV_M][timing_stall_event(n)];
	machine_destroy(m);
	return time;
}

static void the_same(void)
{
	static const struct way reference = { true, true, 1000000 };
	static const struct way ways[] = {
		{ true, false, 1000000 },
		{ true, false, 13 },
		{ false, false, 1000000 },
		{ false, false, 13 },
	};

	for (uint64_t n = 0; n < PROGRAMS; n++) {
		struct time at_once, time;

		core(n * 7);
		time = time_of(n, &reference);
		for (unsigned k = 0; k < 4; k++) {
			at_once = time_of(n, &ways[k]);
			tap_context("program %u, way %u", (unsigned)n, k);
			is(at_once.cycles, time.cycles);
			for (unsigned s = 0; ways[k].counts_stalls && s < COST_STATIC_STALLS; s++)
				is(at_once.stalls[s], time.stalls[s]);
		}
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "looked at one by one, or several at once", the_same },
	};

	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
