/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.h - a recorded trace: everything that the models of a machine are asked, in a file
 * (holter-trace(5)).  It decides nothing that is counted.
 *
 * The records of an instruction are collected until it retires or traps, and then written, the
 * instruction first.  The harts run one instruction at a time (cluster.paranoid), and no access
 * hits in a software TLB, so that each access and each fetch that translates comes here.
 */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cluster;
struct record;

/* Facts of the machine for the file's header. */
struct record_about {
	uint64_t hz, seed, quantum;
};

/*
 * Starts to record what the harts do.  Call it between the reset of the machine and its first
 * instruction, with models and with cluster.paranoid; no debugger may stop the machine.  The caller
 * owns `to`.  NULL: no memory.
 */
struct record *record_start(struct cluster *cl, const struct record_about *about, FILE *to);

/* Ends the recording and frees r.  False, with errno: not all of it could be written. */
bool record_end(struct record *r);

#endif
