/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gdb_talk.h - a gdb for tests: packets are strings, and the machine runs when the test says so.
 */
#ifndef GDB_TALK_H
#define GDB_TALK_H

#include "gdb.h"
#include "rig.h"

/* A gdb that talks to a machine; text: what the stub has sent since the last packet. */
struct talk {
	struct machine *m;
	struct gdb *g;
	char got[200000];
	size_t len;
};

static inline void take(void *opaque, const void *data, size_t len)
{
	struct talk *t = opaque;

	if (len > sizeof(t->got) - 1 - t->len)
		len = sizeof(t->got) - 1 - t->len;
	memcpy(t->got + t->len, data, len);
	t->len += len;
	t->got[t->len] = 0;
}

static inline void stats(const struct machine *m, FILE *to)
{
	fprintf(to, "%u harts", m->cl.harts);
}

static inline struct talk *talk_to(struct machine *m)
{
	struct talk *t = calloc(1, sizeof(*t));
	const struct gdb_host host = { t, take, stats };

	t->m = m;
	t->g = gdb_create(m, &host);
	gdb_attach(t->g);
	return t;
}

static inline void talk_end(struct talk *t)
{
	machine_destroy(t->m);
	gdb_destroy(t->g);
	free(t);
}

static inline void send_bytes(struct talk *t, const char *data, size_t len)
{
	t->len = 0;
	t->got[0] = 0;
	gdb_receive(t->g, data, len);
}

/* Sends a packet of len bytes; then the machine runs for as long as gdb asked. */
static inline void send_packet(struct talk *t, const char *data, size_t len)
{
	char frame[40000];
	uint8_t sum = 0;

	for (size_t n = 0; n < len; n++)
		sum += (uint8_t)data[n];
	frame[0] = '$';
	memcpy(frame + 1, data, len);
	snprintf(frame + 1 + len, 4, "#%02x", sum);
	send_bytes(t, frame, len + 4);
	while (gdb_state(t->g) == GDB_RUNS) {
		machine_run(t->m);
		gdb_stopped(t->g);
	}
}

/* The answer: the text of the last packet, after the + for the packet sent. */
static inline const char *say(struct talk *t, const char *text)
{
	char *last;

	send_packet(t, text, strlen(text));
	last = strrchr(t->got, '$');
	if (!last || t->got[0] != '+' || t->len < 4 || t->got[t->len - 3] != '#')
		return t->len == 1 ? "" : "no reply";
	t->got[t->len - 3] = 0;
	return last + 1;
}

#endif
