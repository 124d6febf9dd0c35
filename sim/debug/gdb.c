// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb.c - receives packets: frames, checksums, and the function for each packet (gdb.h).
 *
 * All input is hostile.
 */
#include <stdlib.h>

#include "gdb_parts.h"
#include "number.h"

static void select_hart(struct gdb *g, struct words *w)
{
	bool registers = gdb_word_is(w, "g");
	uint32_t harts;

	if ((!registers && !gdb_word_is(w, "c")) || !gdb_word_thread(g, w, &harts)) {
		gdb_reply_error(g, GDB_EINVAL);
		return;
	}
	if (!registers)
		g->moved = harts;
	else if (!(harts >> g->general & 1)) /* "any thread" keeps the selected one */
		g->general = gdb_first_hart(harts);
	gdb_reply(g, "OK");
}

static void is_alive(struct gdb *g, struct words *w)
{
	uint32_t harts;

	if (gdb_word_thread(g, w, &harts))
		gdb_reply(g, "OK");
	else
		gdb_reply_error(g, GDB_EINVAL);
}

static void detach(struct gdb *g, struct words *w)
{
	debug_points_clear(g->m);
	debug_resume(g->m, 0, 0);
	g->state = GDB_RUNS;
	gdb_reply(g, "OK");
}

static void kill_machine(struct gdb *g, struct words *w)
{
	g->state = GDB_KILLED;
}

static void multi_letter(struct gdb *g, struct words *w)
{
	if (gdb_word_is(w, "Cont?")) {
		gdb_reply(g, "vCont;c;C;s;S;t");
	} else if (gdb_word_is(w, "Cont")) {
		gdb_vcont(g, w);
	} else if (gdb_word_is(w, "Kill")) {
		g->state = GDB_KILLED;
		gdb_reply(g, "OK");
	} else {
		gdb_reply(g, "%s", "");
	}
}

static void handle(struct gdb *g)
{
	static const struct {
		char letter;
		void (*fn)(struct gdb *g, struct words *w);
	} table[] = {
		{ '?', gdb_why },	   { 'C', gdb_continue_signal },
		{ 'D', detach },	   { 'G', gdb_write_all },
		{ 'H', select_hart },	   { 'M', gdb_write_memory },
		{ 'P', gdb_write_one },	   { 'Q', gdb_set },
		{ 'S', gdb_step_signal },  { 'T', is_alive },
		{ 'X', gdb_write_binary }, { 'Z', gdb_insert },
		{ 'c', gdb_continue },	   { 'g', gdb_read_all },
		{ 'k', kill_machine },	   { 'm', gdb_read_memory },
		{ 'p', gdb_read_one },	   { 'q', gdb_query },
		{ 's', gdb_step },	   { 'v', multi_letter },
		{ 'z', gdb_remove },
	};
	struct words w = { g->in + 1, g->in + g->in_len };

	g->in[g->in_len] = 0;
	for (size_t n = 0; g->in_len && n < sizeof(table) / sizeof(table[0]); n++) {
		if (table[n].letter == g->in[0]) {
			table[n].fn(g, &w);
			return;
		}
	}
	gdb_reply(g, "%s", ""); /* gdb then knows that the packet is not supported */
}

/* A whole packet has been received. */
static void packet(struct gdb *g)
{
	bool good = g->no_ack || g->sum == g->sum_sent;

	if (!g->no_ack)
		g->host.send(g->host.opaque, good ? "+" : "-", 1);
	if (!good)
		return;
	if (g->in_len > PACKET_MAX)
		gdb_reply_error(g, GDB_EINVAL);
	else
		handle(g);
}

/* A byte outside of packets. */
static void between(struct gdb *g, char c)
{
	if (c == '$') {
		g->frame = FRAME_BODY;
		g->in_len = 0;
		g->sum = 0;
	} else if (c == 3 && g->state == GDB_RUNS) {
		debug_ask(g->m);
		gdb_stopped(g);
	} else if (c == '-' && !g->no_ack && g->out_len) {
		g->host.send(g->host.opaque, g->out, g->out_len);
	}
}

static void take_byte(struct gdb *g, char c)
{
	unsigned value = (unsigned)number_digit(c) &
			 15; /* of a checksum; a bad digit counts as f */

	switch (g->frame) {
	case FRAME_NONE:
		between(g, c);
		return;
	case FRAME_BODY:
		if (c == '#') {
			g->frame = FRAME_SUM_HIGH;
			return;
		}
		g->sum += (uint8_t)c;
		if (g->in_len < PACKET_MAX)
			g->in[g->in_len] = c;
		g->in_len += g->in_len <= PACKET_MAX;
		return;
	case FRAME_SUM_HIGH:
		g->sum_sent = value << 4;
		g->frame = FRAME_SUM_LOW;
		return;
	case FRAME_SUM_LOW:
		g->sum_sent |= value;
		g->frame = FRAME_NONE;
		packet(g);
		return;
	}
}

void gdb_receive(struct gdb *g, const void *data, size_t len)
{
	const char *p = data;

	for (size_t n = 0; n < len && g->state != GDB_KILLED; n++)
		take_byte(g, p[n]);
}

enum gdb_state gdb_state(const struct gdb *g)
{
	return g->state;
}

void gdb_attach(struct gdb *g)
{
	g->state = GDB_STANDS;
	g->no_ack = g->swbreak = g->hwbreak = false;
	g->frame = FRAME_NONE;
	g->out_len = 0;
	g->general = g->m->debug.hart ? g->m->debug.hart->id : 0;
	g->moved = (1u << g->m->cl.harts) - 1;
	debug_ask(g->m);
}

void gdb_lost(struct gdb *g)
{
	if (g->state == GDB_RUNS) {
		debug_points_clear(g->m);
		debug_resume(g->m, 0, 0);
	}
}

struct gdb *gdb_create(struct machine *m, const struct gdb_host *host)
{
	struct gdb *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->m = m;
	g->host = *host;
	if (!gdb_target(g)) {
		gdb_destroy(g);
		return NULL;
	}
	gdb_attach(g);
	return g;
}

void gdb_destroy(struct gdb *g)
{
	free(g->target_xml);
	free(g);
}
