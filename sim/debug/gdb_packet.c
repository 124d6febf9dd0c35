// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb_packet.c - reads the text of a packet, and sends a reply (gdb_parts.h).
 *
 * All input is hostile: no read goes beyond the packet's end.  The callers check the numbers.
 */
#include <stdarg.h>
#include <string.h>

#include "gdb_parts.h"
#include "number.h"

/* Reading */

bool gdb_word_is(struct words *w, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(w->end - w->at) < len || memcmp(w->at, text, len))
		return false;
	w->at += len;
	return true;
}

bool gdb_word_hex(struct words *w, uint64_t *value)
{
	const char *first = w->at;

	*value = 0;
	for (; w->at < w->end && number_digit(*w->at) >= 0; w->at++) {
		if (*value >> 60)
			return false;
		*value = *value << 4 | (unsigned)number_digit(*w->at);
	}
	return w->at > first;
}

bool gdb_word_bytes(struct words *w, void *to, size_t nr)
{
	uint8_t *p = to;

	for (size_t n = 0; n < nr; n++, w->at += 2) {
		if (w->end - w->at < 2 || number_digit(w->at[0]) < 0 || number_digit(w->at[1]) < 0)
			return false;
		p[n] = number_digit(w->at[0]) << 4 | number_digit(w->at[1]);
	}
	return true;
}

bool gdb_word_thread(struct gdb *g, struct words *w, uint32_t *harts)
{
	uint64_t id;

	*harts = (1u << g->m->cl.harts) - 1;
	if (gdb_word_is(w, "-1"))
		return true;
	if (!gdb_word_hex(w, &id) || id > g->m->cl.harts)
		return false;
	if (id)
		*harts = 1u << (id - 1);
	return true;
}

unsigned gdb_first_hart(uint32_t harts)
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

void gdb_reply(struct gdb *g, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	begin(g, text);
	end(g);
}

void gdb_reply_error(struct gdb *g, unsigned number)
{
	gdb_reply(g, "E%02x", number);
}

void gdb_reply_hex(struct gdb *g, const char *before, const void *data, size_t len)
{
	const uint8_t *p = data;

	begin(g, before);
	for (size_t n = 0; n < len; n++)
		put_hex(g, p[n]);
	end(g);
}

void gdb_reply_binary(struct gdb *g, const char *before, const char *data, size_t len)
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
