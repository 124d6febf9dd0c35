/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pipeline.h - the two pipelines behind cost.h: inorder.c and window.c.  Their functions are those
 * of cost.h; X_possible tells whether a state that a file holds can be one.
 */
#ifndef SIM_PIPELINE_H
#define SIM_PIPELINE_H

#include "cost.h"

/* The unit of each class. */
extern const uint8_t pipeline_unit[COST_CLASSES];

/* The cause of waiting for the result of i. */
enum cost_stall pipeline_cause(const struct cost_insn *i);

void inorder_step(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i,
		  struct cost_sum *sum);
unsigned inorder_wait(struct cost_pipe *p, enum cost_front why, unsigned cycles);
void inorder_pack(const struct cost *c, const struct cost_pipe *p, struct cost_state *s);
void inorder_unpack(const struct cost_state *s, struct cost_pipe *p);
bool inorder_possible(const struct cost *c, const struct cost_state *s);

bool window_check(const struct cost_config *config, struct model_error *why);
void window_init(struct cost *c);
void window_step(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i,
		 struct cost_sum *sum);
unsigned window_wait(const struct cost *c, struct cost_pipe *p, enum cost_front why,
		     unsigned cycles);
void window_pack(const struct cost *c, const struct cost_pipe *p, struct cost_state *s);
void window_unpack(const struct cost *c, const struct cost_state *s, struct cost_pipe *p);
bool window_possible(const struct cost *c, const struct cost_state *s);

#endif
