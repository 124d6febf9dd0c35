/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.h - the whole machine in a file.  state.c decides what the state of a machine is;
 * snapshot.c puts it into a file.  This header declares the functions of snapshot.c.
 *
 * A snapshot contains all that software can see now or later: registers, counters and their totals,
 * the state of the models and the modelled TLB, RAM, devices, time.  It does not contain what only
 * makes the emulator fast (software TLB, blocks, jump cache), nor what the host owns (descriptors,
 * disk images, shares).  Each new field of struct hart or struct machine belongs to one of the two;
 * tests/unit/sim/machine/test_snapshot.c finds a forgotten one.
 */
#ifndef SIM_SNAPSHOT_H
#define SIM_SNAPSHOT_H

#include "machine.h"

/* One value of the machine shape. */
struct machine_shape {
	const char *option; /* the option of holter run, as messages name it */
	const char *key; /* its name in JSON */
	enum {
		MACHINE_CPU, /* value is the identity of o->cpu's description */
		MACHINE_NUMBER, /* value is the option's; MACHINE_AS_CPU is possible */
		MACHINE_BYTES, /* shown in MiB */
		MACHINE_SWITCH, /* 0 or 1 */
	} kind;
	uint64_t value;
};

/*
 * Returns row n, from 0 on, of the table of these values; false: there is no such row.  Two sets of
 * options with equal values describe the same machine.  Snapshots, the kept guest's name and JSON
 * use this table.
 */
bool machine_shape(const struct machine_options *o, unsigned n, struct machine_shape *row);

/*
 * Writes the whole machine to a file.  Call it between rounds, when machine_run has returned, never
 * from its callbacks.  An existing file is replaced only when the new one, path.PID.new, is
 * complete; until then the new one is locked (flock(2)), so that one without a lock is left
 * over.  The machine does not change: it may go on, and counts the same as without the
 * call.  Returns false, with one line in *why, when it cannot.
 */
bool machine_save(struct machine *m, const char *path, struct error_text *why);

/*
 * Restores a snapshot into a machine that machine_create has made from the same options; it takes
 * the place of machine_load and machine_reset.  False, with one line in *why: the file is refused,
 * and the machine cannot run.  The caller must then destroy it, or load and reset it.  What the
 * host owns (a drive's image, the files of a share) is as it is now, not as it was.  The snapshot
 * also decides whether the harts count all events (pmu.all).
 */
bool machine_restore(struct machine *m, const char *path, struct error_text *why);

/*
 * Reads the options of a snapshot's machine into *o: harts, memory, counters, width, quantum,
 * models, paranoid, trap_misaligned, smstateen, svade, semihosting, network; the others stay.
 * Sets cpu to the name of its CPU, or "" if it had no description, and set to the texts of --set, a
 * line each.  Returns false, with one line in *why, when it cannot.
 */
bool machine_snapshot_options(const char *path, struct machine_options *o, char cpu[CPU_NAME_SIZE],
			      char set[CPU_SETS_SIZE], struct error_text *why);

#endif
