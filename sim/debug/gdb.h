/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gdb.h - gdb's remote protocol for a machine: the protocol (gdb.c and gdb_*.c), and its socket
 * (gdb_server.c).
 *
 *	gdb_server.c	sockets; runs the machine or waits for gdb
 *	gdb.c		receives packets: frames, checksums, the function for each packet
 *	gdb_query.c	q and Q: features, threads, target.xml, monitor commands
 *	gdb_state.c	g G p P m M X: registers and memory
 *	gdb_run.c	c s vCont, Z z, stop replies
 *	gdb_packet.c	reads the text of a packet, sends a reply
 *
 * A thread is a hart; its number is the hart's number plus one.  All harts stop together (all-stop
 * mode).  The protocol uses the machine only through debug.h, so that the guest sees no difference.
 *
 * Implements: GDB manual, appendix E (Remote Protocol), §G (target descriptions: RISC-V).
 */
#ifndef SIM_GDB_H
#define SIM_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "machine.h"

/* What the owner of the machine provides. */
struct gdb_host {
	void *opaque;
	void (*send)(void *opaque, const void *data, size_t len);
	void (*stats)(const struct machine *m, FILE *to); /* prints what `monitor stats` shows */
};

struct gdb;

/* Creates the protocol for a stopped machine.  Copies host.  NULL: no memory. */
struct gdb *gdb_create(struct machine *m, const struct gdb_host *host);
void gdb_destroy(struct gdb *g);

/* A new connection: resets the protocol and stops the machine. */
void gdb_attach(struct gdb *g);

/*
 * The connection has ended.  A stopped machine stays stopped.  A running machine runs on without
 * breakpoints.
 */
void gdb_lost(struct gdb *g);

/* Takes bytes from gdb.  Answers each complete packet, and keeps the start of an incomplete one. */
void gdb_receive(struct gdb *g, const void *data, size_t len);

/* The machine is stopped; it runs; gdb has killed it. */
enum gdb_state { GDB_STANDS, GDB_RUNS, GDB_KILLED };

/* Tells the caller what to do: wait for gdb, run the machine, or end it. */
enum gdb_state gdb_state(const struct gdb *g);

/* Tells gdb that the machine has ended, or has stopped for a reason (m->debug.stop). */
void gdb_stopped(struct gdb *g);

/* gdb_server.c */

struct gdb_server;

/* Whether where is a port of 127.0.0.1 (1 to 65535), or the path of a unix socket (has a '/'). */
bool gdb_is_address(const char *where);

/*
 * Listens for gdb at such an address; a socket is a new file.  Returns NULL, with one line in
 * *why, on an error.
 */
struct gdb_server *gdb_listen(const char *where, struct error_text *why);
void gdb_close(struct gdb_server *s);

#define GDB_KILLED_STATUS 137 /* what a shell returns for a program that SIGKILL ended */

/*
 * Runs m under gdb.  m is stopped before its first instruction until gdb continues it.  After gdb
 * has detached, m runs on, and another gdb may connect.  Returns the guest's status, or
 * GDB_KILLED_STATUS, or -1 with one line in *why.
 */
int gdb_run(struct gdb_server *s, struct machine *m,
	    void (*stats)(const struct machine *m, FILE *to), struct error_text *why);

#endif
