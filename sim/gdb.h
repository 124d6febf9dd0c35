/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gdb.h - gdb's remote protocol for a machine: what is said (gdb.c and gdb_*.c), and over which
 * socket (gdb_server.c).
 *
 *	gdb_server.c	sockets, and whose turn it is: gdb's or the machine's
 *	gdb.c		packets: frames, checksums, which function answers
 *	gdb_query.c	q and Q: what the stub can do, threads, target.xml, monitor commands
 *	gdb_state.c	g G p P m M X: registers and memory
 *	gdb_run.c	c s vCont, Z z, stop replies
 *
 * A thread is a hart, its number the hart's plus one; all-stop.  The machine is asked and told
 * through debug.h only, so that the guest does not notice.
 *
 * Implements: GDB manual, appendix E (Remote Protocol), §G (target descriptions: RISC-V).
 */
#ifndef SIM_GDB_H
#define SIM_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "machine.h"

/* What the program that has the machine does for gdb, and where replies go. */
struct gdb_host {
	void *opaque;
	void (*send)(void *opaque, const void *data, size_t len);
	void (*stats)(const struct machine *m, FILE *to); /* of `monitor stats` */
};

struct gdb;

/* The protocol of one machine, which stands.  NULL: no memory.  host is copied. */
struct gdb *gdb_create(struct machine *m, const struct gdb_host *host);
void gdb_destroy(struct gdb *g);

/* A new connection: begins anew, with the machine standing. */
void gdb_attach(struct gdb *g);

/* The connection has ended.  A machine that stands stays so, one that runs meets no points. */
void gdb_lost(struct gdb *g);

/* What gdb has sent, any bytes at all: answers whole packets, keeps the beginning of one. */
void gdb_receive(struct gdb *g, const void *data, size_t len);

enum gdb_state { GDB_STANDS, GDB_RUNS, GDB_KILLED };

/* What the machine is to do: wait for gdb, run, or end. */
enum gdb_state gdb_state(const struct gdb *g);

/* The machine has ended, or stopped for a reason (m->debug.stop): tells gdb. */
void gdb_stopped(struct gdb *g);

/* gdb_server.c */

struct gdb_server;

/*
 * Listens where: a port of 127.0.0.1 (1 to 65535), or, with a '/' in it, the path of a new unix
 * socket.  NULL with one line in *why.
 */
struct gdb_server *gdb_listen(const char *where, struct dev_why *why);
void gdb_close(struct gdb_server *s);

#define GDB_KILLED_STATUS 137 /* as a shell's of a program that SIGKILL ended */

/*
 * Runs m as gdb says, from before its first instruction on; after gdb has detached, without it,
 * and another may come.  The guest's status, or GDB_KILLED_STATUS; -1 with one line in *why.
 */
int gdb_run(struct gdb_server *s, struct machine *m,
	    void (*stats)(const struct machine *m, FILE *to), struct dev_why *why);

#endif
