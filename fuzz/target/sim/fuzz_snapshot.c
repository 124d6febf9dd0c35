/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_snapshot.c - hostile snapshots: the checksum is right, but the state is damaged
 * (sim/machine/state.c, and the restore function of every device).
 *
 * Input: a list of changes to a valid state; each has a kind, a place and a value.  (Random bytes
 * would rarely get past the first hart.)  The valid state is that of a machine in S-mode with
 * filled TLBs and little memory, with or without models.
 *
 * Must hold: no access outside the machine (sanitizers).  An accepted state is saved again
 * unchanged, is accepted again, runs for a while, and can then be saved.  A refused state has a
 * reason.
 */
#include "csr.h"
#include "fuzz.h"
#include "shot.h"
#include "small_cpu.h"

#define RAM   (1u << 20)
#define TABLE (RAM_BASE + 0x2000)
#define TURN  20000

static struct machine *create(bool models)
{
	static struct cpu cpu;
	static struct cpu_models cpu_models;
	const struct machine_options o = {
		.cpu = models ? &cpu : NULL,
		.models = models,
		.harts = 2,
		.memory = RAM,
		.counters = 4,
		.width = 64,
		.quantum = 500,
		.console_in = -1,
		.console_out = -1,
		.trace_to = stderr,
	};
	struct error_text why;
	struct machine *m;

	small_cpu(&cpu, &cpu_models);
	m = machine_create(&o, &why);
	must(m != NULL);
	return m;
}

/* Prepares a loop in S-mode over many pages, with a counter that overflows and a timer. */
static void prepare(struct machine *m)
{
	static const uint32_t loop[] = {
		0x00043503, /* ld a0, 0(s0) */
		0x01240433, /* add s0, s0, s2 */
		0x00343023, /* sd gp, 0(s0) */
		0xff5ff06f, /* j -12 */
	};
	uint64_t *table = cluster_ram(&m->cl, TABLE, 4096);

	memcpy(cluster_ram(&m->cl, RAM_BASE, sizeof(loop)), loop, sizeof(loop));
	table[2] = (RAM_BASE >> 12) << 10 | 0xcf; /* V R W X A D */
	m->entry = RAM_BASE;
	machine_reset(m);
	for (unsigned n = 0; n < m->cl.harts; n++) {
		struct hart *h = m->cl.hart[n];

		csr_write(h, CSR_PMPADDR0, UINT64_MAX);
		csr_write(h, CSR_PMPCFG0, 0x1f);
		csr_write(h, CSR_MENVCFG, MENVCFG_STCE);
		csr_write(h, CSR_MIE, MIP_STIP | MIP_LCOFIP);
		csr_write(h, CSR_STIMECMP, 1000);
		csr_write(h, CSR_MHPMEVENT + 3, event_table[EVENT_LOAD].selector);
		csr_write(h, CSR_MHPMCOUNTER + 3, -3000ull);
		csr_write(h, CSR_SATP, (uint64_t)SATP64_MODE_SV39 << 60 | TABLE >> 12);
		csr_write(h, CSR_MTVEC, RAM_BASE);
		h->x[8] = RAM_BASE + 0x4000;
		h->x[18] = 4096;
		h->mode = PRV_S;
		hart_mode_changed(h);
	}
	machine_pause_at(m, 2000);
	machine_run(m);
	must(m->paused);
}

/* Returns a valid state; makes it at the first call. */
static const struct shot *possible(bool models)
{
	static struct shot both[2];
	struct shot *s = &both[models];
	struct machine *m;

	if (!s->len) {
		m = create(models);
		prepare(m);
		must(shot_save(s, m));
		machine_destroy(m);
	}
	return s;
}

static void change(struct shot *s, struct input *in)
{
	uint8_t kind = input_byte(in);
	size_t at = input_bytes(in, 3) % s->len, by;

	switch (kind % 8) {
	case 0: /* flip a bit */
		s->data[at] ^= 1 << (kind >> 5);
		break;
	case 1: /* set a byte */
	case 2:
		s->data[at] = input_byte(in);
		break;
	case 3: /* set a word to a small positive or negative number */
		for (unsigned n = 0; n < 8 && at + n < s->len; n++)
			s->data[at + n] = kind & 0x80 ? 0xff : 0;
		s->data[at] = input_byte(in);
		break;
	case 4: /* set a word to any value */
		for (unsigned n = 0; n < 8 && at + n < s->len; n++)
			s->data[at + n] = input_byte(in);
		break;
	case 5: /* insert bytes: all later fields are shifted */
		by = input_byte(in) % (s->len - at);
		memmove(s->data + at + by, s->data + at, s->len - at - by);
		break;
	case 6: /* remove bytes */
		by = input_byte(in) % (s->len - at);
		memmove(s->data + at, s->data + at + by, s->len - at - by);
		break;
	case 7: /* cut the end off, mostly a few bytes */
		s->len = s->len - (kind & 0x80 ? at : at % 64);
		break;
	}
}

/* Saving, restoring and saving an accepted state must give the same bytes twice. */
static void stays(struct machine *m)
{
	struct shot once = { 0 }, twice = { 0 };
	struct error_text why;

	must(shot_save(&once, m));
	must(shot_restore(&once, m, &why));
	must(shot_save(&twice, m));
	must(twice.len == once.len && !memcmp(twice.data, once.data, once.len));
	shot_end(&once);
	shot_end(&twice);
}

static void run(struct machine *m)
{
	struct shot again = { 0 };

	machine_pause_at(m, m->now + TURN);
	machine_run(m);
	must(m->paused || m->cl.finished);
	must(shot_save(&again, m));
	shot_end(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Keeps the machines: restoring into a machine that has run must also work. */
	static struct machine *both[2];
	struct input in = { data, data + size };
	uint8_t head = input_byte(&in);
	bool models = head & 0x80;
	const struct shot *first = possible(models);
	struct shot s = { malloc(first->len), first->len, 0, first->len };
	struct machine *m = both[models];
	struct error_text why = { "" };

	if (!m)
		m = both[models] = create(models);
	must(s.data != NULL);
	memcpy(s.data, first->data, first->len);
	for (unsigned n = head % 4; in.at < in.end && n < 4; n++)
		change(&s, &in);
	if (shot_restore(&s, m, &why)) {
		stays(m);
		run(m);
	} else {
		must(why.text[0] != 0);
	}
	free(s.data);
	return 0;
}
