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

/* The services of the program that owns the machine: actions for gdb, and the way for replies. */
struct gdb_host {
	void *opaque;
	void (*send)(void *opaque, const void *data, size_t len);
	void (*stats)(const struct machine *m, FILE *to); /* of `monitor stats` */
};

struct gdb;

/* Creates the protocol of one machine, which is stopped.  host is copied.  NULL: no memory. */
struct gdb *gdb_create(struct machine *m, const struct gdb_host *host);
void gdb_destroy(struct gdb *g);

/* A new connection: resets the protocol and stops the machine. */
void gdb_attach(struct gdb *g);

/*
 * The connection has ended.  A stopped machine stays stopped.  A running machine runs on without
 * breakpoints.
 */
void gdb_lost(struct gdb *g);

/*
 * Takes any bytes from gdb.  Answers whole packets, and keeps the beginning of an incomplete one.
 */
void gdb_receive(struct gdb *g, const void *data, size_t len);

enum gdb_state { GDB_STANDS, GDB_RUNS, GDB_KILLED };

/* Returns what the machine must do: wait for gdb, run, or end. */
enum gdb_state gdb_state(const struct gdb *g);

/* Tells gdb that the machine has ended, or has stopped for a reason (m->debug.stop). */
void gdb_stopped(struct gdb *g);

/* gdb_server.c */

struct gdb_server;

/*
 * Listens where: a port of 127.0.0.1 (1 to 65535), or, with a '/' in it, the path of a new unix
 * socket.  NULL with one line in *why.
 */
struct gdb_server *gdb_listen(const char *where, struct error_text *why);
void gdb_close(struct gdb_server *s);

#define GDB_KILLED_STATUS 137 /* as a shell's of a program that SIGKILL ended */

/*
 * Runs m as gdb says, from before its first instruction on; after gdb has detached, without it,
 * and another may come.  The guest's status, or GDB_KILLED_STATUS; -1 with one line in *why.
 */
int gdb_run(struct gdb_server *s, struct machine *m,
	    void (*stats)(const struct machine *m, FILE *to), struct error_text *why);

#endif
