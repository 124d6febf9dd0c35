/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * states.h - numbers for the states of the pipeline (cost.h), so that what follows from a state is
 * computed once and remembered by its number.  The harts of a machine share the table.  A number
 * means nothing outside of the table: no file holds one.
 */
#ifndef SIM_STATES_H
#define SIM_STATES_H

#include "cost.h"

#define STATES_MAX   65536
#define STATES_EMPTY 0 /* the number of the empty pipeline */
#define STATES_NONE  UINT32_MAX /* no number: the table is full */

struct states;

/* For the states of c, which must outlive the table.  NULL: no memory. */
struct states *states_new(const struct cost *c);
void states_free(struct states *t);

/* Returns the number of a state, or STATES_NONE. */
uint32_t states_number(struct states *t, const struct cost_state *s);

/*
 * Returns the number of the state after cost_wait, or STATES_NONE; then *charged is what cost_wait
 * returns.
 */
uint32_t states_wait(struct states *t, uint32_t number, enum cost_front why, unsigned cycles,
		     unsigned *charged);

/* The pipeline in the state of a number. */
void states_get(const struct states *t, uint32_t number, struct cost_pipe *p);

/* For tests: lets the table have nr numbers at most, 1 to STATES_MAX, which it begins with. */
void states_limit(struct states *t, uint32_t nr);

/* Whether a number was refused since the last states_clear. */
bool states_full(const struct states *t);

/* Forgets all numbers but STATES_EMPTY. */
void states_clear(struct states *t);

#endif
