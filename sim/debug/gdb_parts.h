/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gdb_parts.h - what the files of gdb's remote protocol share (gdb.h).
 *
 * One function handles a packet.  It reads the packet through a struct words, and sends one reply;
 * or none if the machine runs on: then the stop reply follows later.
 */
#ifndef SIM_GDB_PARTS_H
#define SIM_GDB_PARTS_H

#include <stdint.h>

#include "gdb.h"

#define PACKET_MAX 0x4000 /* bytes between $ and #, either way */

/* Error numbers of replies.  gdb shows only the number. */
#define GDB_EPERM  1
#define GDB_EFAULT 14
#define GDB_EINVAL 22
#define GDB_ENOSPC 28

#define SIGNAL_INT  2 /* gdb's signal numbers */
#define SIGNAL_TRAP 5

enum frame { FRAME_NONE, FRAME_BODY, FRAME_SUM_HIGH, FRAME_SUM_LOW };

struct gdb {
	struct machine *m;
	struct gdb_host host;
	enum gdb_state state;
	bool no_ack, swbreak, hwbreak; /* features that gdb has asked for */
	unsigned general; /* Hg: the hart whose registers and memory gdb accesses */
	uint32_t moved; /* Hc: the harts that c and s resume, as bits */

	enum frame frame; /* how far the packet has been received */
	uint8_t sum, sum_sent;
	size_t in_len; /* more than PACKET_MAX: the packet is too long */
	char in[PACKET_MAX + 1];
	size_t out_len; /* the reply: $...#xx */
	char out[PACKET_MAX + 8];

	char *target_xml;
	size_t target_len;
};

/* The part of a packet that has not been read yet.  A 0 follows its end. */
struct words {
	const char *at, *end;
};

/* gdb_packet.c: reading.  False: the text is something else. */
bool gdb_word_is(struct words *w, const char *text); /* if text is next: skips it */
bool gdb_word_hex(struct words *w, uint64_t *value); /* a number of at least one digit, 64 bits */
bool gdb_word_bytes(struct words *w, void *to, size_t nr); /* nr bytes of two digits each */
/* The id of a thread, as the bit of its hart.  -1 and 0 mean all harts. */
bool gdb_word_thread(struct gdb *g, struct words *w, uint32_t *harts);
unsigned gdb_first_hart(uint32_t harts);

/* gdb_packet.c: each sends a whole reply. */
void gdb_reply(struct gdb *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gdb_reply_error(struct gdb *g, unsigned number);
void gdb_reply_hex(struct gdb *g, const char *before, const void *data, size_t len);
void gdb_reply_binary(struct gdb *g, const char *before, const char *data, size_t len);

static inline struct hart *gdb_hart(const struct gdb *g)
{
	return g->m->cl.hart[g->general];
}

/* gdb_query.c */
void gdb_query(struct gdb *g, struct words *w); /* w: the text after q */
void gdb_set(struct gdb *g, struct words *w); /* w: the text after Q */

/* gdb_state.c */
void gdb_read_all(struct gdb *g, struct words *w);
void gdb_write_all(struct gdb *g, struct words *w);
void gdb_read_one(struct gdb *g, struct words *w);
void gdb_write_one(struct gdb *g, struct words *w);
void gdb_read_memory(struct gdb *g, struct words *w);
void gdb_write_memory(struct gdb *g, struct words *w);
void gdb_write_binary(struct gdb *g, struct words *w);
void gdb_write_pc(struct hart *h, uint64_t value);
bool gdb_target(struct gdb *g); /* makes target_xml; false: no memory */

/* gdb_run.c */
void gdb_continue(struct gdb *g, struct words *w);
void gdb_step(struct gdb *g, struct words *w);
void gdb_continue_signal(struct gdb *g, struct words *w);
void gdb_step_signal(struct gdb *g, struct words *w);
void gdb_vcont(struct gdb *g, struct words *w);
void gdb_insert(struct gdb *g, struct words *w);
void gdb_remove(struct gdb *g, struct words *w);
void gdb_why(struct gdb *g, struct words *w);

#endif
