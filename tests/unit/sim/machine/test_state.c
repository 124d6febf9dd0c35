// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_state.c - a snapshot contains every part of a hart (state.h).
 */
#include "rig.h"
#include "shot.h"

/*
 * Every byte of a hart is restored, or is listed here because it follows from others.  A new field
 * of struct hart fails nothing_is_forgotten until it is in state.c or in this list.
 */
#define AT(field)                                                                                  \
	{                                                                                          \
		offsetof(struct hart, field), sizeof(((struct hart *)0)->field)                    \
	}
static const struct {
	size_t offset, size;
} follows[] = {
	AT(pmu.code_all),
	AT(pmu.code_plain),
	AT(pmu.stalls),
	AT(pmu.elements),
	AT(pmu.listens),
	AT(translated),
	AT(tlb_wants_hits),
	AT(retired),
	AT(timing),
	AT(caches),
	AT(bpred),
	AT(ram_bias),
	AT(fetch_at),
	AT(fetch_mask),
	AT(fetch_same_page_mask),
	AT(fetch_changes),
	AT(fetches),
	AT(directions),
	AT(branch_cycles),
	AT(branches_told),
	AT(l0),
	AT(data_slot),
	AT(code_slot),
	AT(past_caches),
	AT(code_page),
	AT(pending_block),
	AT(lines),
	AT(data_mode),
	AT(ignored),
	AT(guarded),
	AT(shadow_stacks),
	AT(trigger_kinds),
	AT(stop),
	AT(counts_code),
	AT(counts_elements),
	AT(divides),
	AT(key),
	AT(keys),
	AT(tallied),
	AT(scratch_pc),
	AT(listener),
	AT(heard),
	AT(tick),
	AT(fetch_key),
	AT(start),
	AT(countdown),
	AT(run),
	AT(at),
	AT(fault),
	AT(pmu.armed),
	AT(pmu.code),
	AT(pmu.code_set),
	AT(pmu.code_now),
	AT(pmu.watched),
	AT(tlb),
	AT(soft),
	AT(last_line),
	AT(jump),
	AT(scratch),
	AT(vector),
	AT(mip_line),
	AT(pmp),
	AT(pmp_used),
	AT(id),
	AT(cl),
	/* A padding byte that gcc 12's __builtin_clear_padding misses. */
	{ offsetof(struct hart, pmu.all) + 1,
	  offsetof(struct pmu, watched) - offsetof(struct pmu, all) - 1 },
};
#undef AT

#if __has_builtin(__builtin_clear_padding)
#define CLEAR_PADDING(p) __builtin_clear_padding(p)
#define SKIPPED		 ""
#else
#define CLEAR_PADDING(p) memset(p, 0, sizeof(*(p)))
#define SKIPPED		 " # SKIP this compiler does not tell what padding is"
#endif

/* Marks the bytes that must be restored; nearly all of them can have a 1. */
static void mark_kept(struct hart *kept)
{
	memset(kept, 1, sizeof(*kept));
	CLEAR_PADDING(kept);
	/* In a struct as large as this gcc 12 clears a byte that is not padding. */
	for (unsigned ctr = 0; ctr < COUNTERS; ctr++) {
		memset(&kept->pmu.ctr[ctr], 1, sizeof(kept->pmu.ctr[ctr]));
		CLEAR_PADDING(&kept->pmu.ctr[ctr]);
	}
	for (unsigned n = 0; n < TAP_NR(follows); n++)
		memset((uint8_t *)kept + follows[n].offset, 0, follows[n].size);
}

/* The counts follow from the selectors, and the rest from the counts. */
static void want_counter(struct counter *c, const struct hart *h, unsigned ctr)
{
	*c = (struct counter){ .base = 1, .target = UINT64_MAX, .modes = 1 };
	if (!pmu_exists(h, ctr))
		return;
	c->target = 1;
	c->most = 1;
	if (ctr < COUNTER_HPM_FIRST) {
		c->config = MHPMEVENT_MINH;
		c->time = 1;
		event_set_add(&c->set, ctr == COUNTER_CY ? EVENT_CYCLES : EVENT_INSTRUCTIONS);
		return;
	}
	c->config = event_table[EVENT_LOAD].selector;
	c->code = 1ull << EVENT_LOAD;
	c->tallied = true;
	event_set_add(&c->set, EVENT_LOAD);
}

/* Values of the fields that a snapshot of h may have. */
static void want_values(struct hart *want, const struct hart *h)
{
	memset(want, 1, sizeof(*want));
	want->x[0] = 0;
	want->pc = want->mepc = want->sepc = 0x01010100;
	want->mstatus = MSTATUS_FS;
	want->reservation = RIG_DATA;
	want->reserved = 8;
	want->satp = (uint64_t)SATP64_MODE_SV39 << 60 | 1;
	want->fflags = want->medeleg = 1;
	want->menvcfg = want->senvcfg = MENVCFG_FIOM;
	want->mseccfg = MSECCFG_SSEED;
	want->mstateen0 = MSTATEEN0_SE0;
	want->miselect = want->siselect = 1;
	want->ssp = 8;
	want->jvt = 64;
	want->tselect = 1;
	for (unsigned n = 0; n < TRIGGER_NR; n++)
		want->trigger[n].data1 = TDATA1_DISABLED;
	want->mip_soft = MIP_SSIP;
	want->mie = MIP_STIP;
	want->mideleg = MIP_SSIP | MIP_STIP;
	for (unsigned ctr = 0; ctr < COUNTERS; ctr++)
		want_counter(&want->pmu.ctr[ctr], h, ctr);
}

static struct machine *create(void)
{
	const struct machine_options o = { .harts = 1,
					   .memory = 16 << 20,
					   .counters = 8,
					   .width = 48,
					   .console_in = -1,
					   .console_out = -1 };
	struct error_text why = { "" };
	struct machine *m = machine_create(&o, &why);

	if (!m) {
		printf("Bail out! %s\n", why.text);
		exit(1);
	}
	machine_reset(m);
	return m;
}

static void nothing_is_forgotten(void)
{
	struct machine *m = create(), *to = create();
	struct hart *kept = malloc(sizeof(*kept)), *want = malloc(sizeof(*want));
	uint8_t *h = (uint8_t *)m->cl.hart[0];
	struct shot s = { 0 };
	struct error_text why = { "" };
	unsigned lost = 0;

	mark_kept(kept);
	want_values(want, m->cl.hart[0]);
	for (size_t n = 0; n < sizeof(*want); n++)
		h[n] = ((uint8_t *)kept)[n] ? ((uint8_t *)want)[n] : h[n];
	shot_save(&s, m);
	ok(shot_restore(&s, to, &why));
	is_str(why.text, "");
	h = (uint8_t *)to->cl.hart[0];
	for (size_t n = 0; n < sizeof(*want); n++) {
		if (((uint8_t *)kept)[n] && h[n] != ((uint8_t *)want)[n] && !lost++)
			printf("# byte %zu of struct hart is not restored\n", n);
	}
	is(lost, 0);
	free(kept);
	free(want);
	shot_end(&s);
	machine_destroy(m);
	machine_destroy(to);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "every field of a hart is saved, or follows from others" SKIPPED,
		  nothing_is_forgotten },
	};

	return tap_run(cases, TAP_NR(cases));
}
