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

/* NULL: no memory. */
struct states *states_new(void);
void states_free(struct states *t);
uint64_t states_bytes(void); /* at most */

/* Returns the number of a state, or STATES_NONE. */
uint32_t states_number(struct states *t, const struct cost_state *s);

/* Returns the number of the state after cost_wait, or STATES_NONE. */
uint32_t states_wait(struct states *t, const struct cost *c, uint32_t number, unsigned cycles);

/* Returns the state of a number.  Valid until states_clear. */
const struct cost_state *states_get(const struct states *t, uint32_t number);

/* Lets the table have nr numbers at most, 1 to STATES_MAX, which is also what it begins with. */
void states_limit(struct states *t, uint32_t nr);

/* Whether a number was refused since the last states_clear. */
bool states_full(const struct states *t);

/* Forgets all numbers but STATES_EMPTY. */
void states_clear(struct states *t);

#endif
