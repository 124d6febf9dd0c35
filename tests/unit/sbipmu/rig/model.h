/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h - a second, simple implementation of the PMU extension, to compare with the library.
 *
 * It is written from the specification only: one struct for each counter, loops over counters and
 * table rows, no masks of counters, no index.  It computes the result of each call and the state of
 * every counter after it.  It gets the hart's configuration (struct model_board) from the test, as
 * the fake does.
 *
 * Implements: SBI 3.0 §11.1 to §11.14 with the choices of sbipmu.h and match.c.
 */
#ifndef MODEL_H
#define MODEL_H

#include "sbipmu.h"

#define MODEL_CTRS 64
#define MODEL_ROWS 8
#define MODEL_PAGE (1 + MODEL_CTRS) /* words of a snapshot page that mean something */

/* Rows of riscv,event-to-mhpmcounters and of riscv,raw-event-to-mhpmcounters. */
struct model_range {
	uint32_t first, last, ctrs;
};

struct model_raw {
	uint64_t select, mask;
	uint32_t ctrs;
};

/* The selector of general event n and cache event n in riscv,event-to-mhpmevent. */
#define MODEL_SELECTOR(eidx) (0x5000u + ((eidx) >> 16) * 0x100u + ((eidx)&0xff))

struct model_board {
	bool exists[32]; /* and can be stopped and read */
	unsigned width[32];
	bool sscofpmf, smcntrpmf;
	bool smcdeleg; /* S-mode can configure the counters itself */
	unsigned nr_ranges, nr_raw;
	struct model_range range[MODEL_ROWS];
	struct model_raw raw[MODEL_ROWS];
};

struct model_ctr {
	bool valid, firmware;
	bool mapped, started, overflow;
	unsigned width;
	uint64_t value;
	uint64_t selector; /* what its mhpmevent selects */
	unsigned filter; /* which of the five filter flags are set; MINH included */
	unsigned fw_code; /* firmware counters */
};

struct model {
	const struct model_board *board;
	unsigned nr_ctrs;
	struct model_ctr ctr[MODEL_CTRS];
	bool lcofip;
	bool page_set;
	uint64_t page[MODEL_PAGE]; /* S-mode's copy: both sides write here */
};

void model_init(struct model *m, const struct model_board *board);
struct sbiret model_config(struct model *m, uint64_t base, uint64_t mask, uint64_t flags,
			   uint64_t eidx, uint64_t data);
struct sbiret model_start(struct model *m, uint64_t base, uint64_t mask, uint64_t flags,
			  uint64_t value);
struct sbiret model_stop(struct model *m, uint64_t base, uint64_t mask, uint64_t flags);
struct sbiret model_fw_read(const struct model *m, uint64_t ctr, bool high);
struct sbiret model_get_info(const struct model *m, uint64_t ctr);
bool model_supported(const struct model *m, uint64_t eidx, uint64_t data);

/* n events in S-mode on hardware counter ctr; one firmware event. */
void model_tick(struct model *m, unsigned ctr, uint64_t n);
void model_fw_event(struct model *m, unsigned code);

#endif
