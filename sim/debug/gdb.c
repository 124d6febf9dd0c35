// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb.c - packets: frames and checksums, how they are read and answered, and which function has
 * which packet (gdb.h).
 *
 * What comes in is hostile: every read is bounded by the packet, every number checked where it
 * is used.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gdb_parts.h"

/* Reading */

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool word_is(struct words *w, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(w->end - w->at) < len || memcmp(w->at, text, len))
		return false;
	w->at += len;
	return true;
}

bool word_hex(struct words *w, uint64_t *value)
{
	const char *first = w->at;

	*value = 0;
	for (; w->at < w->end && digit(*w->at) >= 0; w->at++) {
		if (*value >> 60)
			return false;
		*value = *value << 4 | (unsigned)digit(*w->at);
	}
	return w->at > first;
}

bool word_bytes(struct words *w, void *to, size_t nr)
{
	uint8_t *p = to;

	for (size_t n = 0; n < nr; n++, w->at += 2) {
		if (w->end - w->at < 2 || digit(w->at[0]) < 0 || digit(w->at[1]) < 0)
			return false;
		p[n] = digit(w->at[0]) << 4 | digit(w->at[1]);
	}
	return true;
}

bool word_thread(struct gdb *g, struct words *w, uint32_t *harts)
{
	uint64_t id;

	*harts = (1u << g->m->cl.harts) - 1;
	if (word_is(w, "-1"))
		return true;
	if (!word_hex(w, &id) || id > g->m->cl.harts)
		return false;
	if (id)
		*harts = 1u << (id - 1);
	return true;
}

unsigned first_hart(uint32_t harts)
{
	return __builtin_ctz(harts);
}

/* Replies */

static void put(struct gdb *g, char c)
{
	if (g->out_len <= PACKET_MAX)
		g->out[g->out_len++] = c;
}

static void put_hex(struct gdb *g, uint8_t byte)
{
	static const char digits[] = "0123456789abcdef";

	put(g, digits[byte >> 4]);
	put(g, digits[byte & 15]);
}

static void begin(struct gdb *g, const char *text)
{
	g->out_len = 0;
	put(g, '$');
	while (*text)
		put(g, *text++);
}

static void end(struct gdb *g)
{
	uint8_t sum = 0;
	size_t len = g->out_len;

	for (size_t n = 1; n < len; n++)
		sum += (uint8_t)g->out[n];
	snprintf(g->out + len, 4, "#%02x", sum);
	g->out_len = len + 3;
	g->host.send(g->host.opaque, g->out, g->out_len);
}

void reply(struct gdb *g, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	begin(g, text);
	end(g);
}

void reply_error(struct gdb *g, unsigned number)
{
	reply(g, "E%02x", number);
}

void reply_hex(struct gdb *g, const char *before, const void *data, size_t len)
{
	const uint8_t *p = data;

	begin(g, before);
	for (size_t n = 0; n < len; n++)
		put_hex(g, p[n]);
	end(g);
}

void reply_binary(struct gdb *g, const char *before, const char *data, size_t len)
{
	begin(g, before);
	for (size_t n = 0; n < len; n++) {
		if (strchr("#$}*", data[n])) {
			put(g, '}');
			put(g, data[n] ^ 0x20);
		} else {
			put(g, data[n]);
		}
	}
	end(g);
}

/* Packets */

static void select_hart(struct gdb *g, struct words *w)
{
	bool registers = word_is(w, "g");
	uint32_t harts;

	if ((!registers && !word_is(w, "c")) || !word_thread(g, w, &harts)) {
		reply_error(g, GDB_EINVAL);
		return;
	}
	if (!registers)
		g->moved = harts;
	else if (!(harts >> g->general & 1)) /* "any" is the one that it is */
		g->general = first_hart(harts);
	reply(g, "OK");
}

static void is_alive(struct gdb *g, struct words *w)
{
	uint32_t harts;

	if (word_thread(g, w, &harts))
		reply(g, "OK");
	else
		reply_error(g, GDB_EINVAL);
}

static void detach(struct gdb *g, struct words *w)
{
	debug_points_clear(g->m);
	debug_resume(g->m, 0, 0);
	g->state = GDB_RUNS;
	reply(g, "OK");
}

static void kill_machine(struct gdb *g, struct words *w)
{
	g->state = GDB_KILLED;
}

static void multi_letter(struct gdb *g, struct words *w)
{
	if (word_is(w, "Cont?")) {
		reply(g, "vCont;c;C;s;S;t");
	} else if (word_is(w, "Cont")) {
		gdb_vcont(g, w);
	} else if (word_is(w, "Kill")) {
		g->state = GDB_KILLED;
		reply(g, "OK");
	} else {
		reply(g, "%s", "");
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
	reply(g, "%s", ""); /* not known here */
}

/* A packet has come in whole. */
static void packet(struct gdb *g)
{
	bool good = g->no_ack || g->sum == g->sum_sent;

	if (!g->no_ack)
		g->host.send(g->host.opaque, good ? "+" : "-", 1);
	if (!good)
		return;
	if (g->in_len > PACKET_MAX)
		reply_error(g, GDB_EINVAL);
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
	unsigned value = (unsigned)digit(c) & 15; /* of a sum; no digit is as wrong as f */

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
