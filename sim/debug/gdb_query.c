// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb_query.c - q and Q packets: features, threads, the target's description, and the `monitor`
 * commands of gdb's user (gdb.h).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gdb_parts.h"

/* monitor */

/* Prints text for gdb's user, in several packets if necessary.  The command's reply must follow. */
static void show(struct gdb *g, const char *text, size_t len)
{
	const size_t most = PACKET_MAX / 2 - 1;

	for (size_t part; len; text += part, len -= part) {
		part = len < most ? len : most;
		gdb_reply_hex(g, "O", text, part);
	}
}

static void monitor_help(struct gdb *g)
{
	static const char text[] =
		"monitor help   this\n"
		"monitor reset  harts and devices as after power-on; memory stays as it is (load\n"
		"               puts a program back, maintenance flush register-cache shows its "
		"pc)\n"
		"monitor stats  what has been counted so far, as holter run --stats shows it\n"
		"monitor quit   ends the machine, with status 0\n";

	show(g, text, strlen(text));
	gdb_reply(g, "OK");
}

static void monitor_reset(struct gdb *g)
{
	machine_reset(g->m);
	gdb_reply(g, "OK");
}

static void monitor_stats(struct gdb *g)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (f) {
		g->host.stats(g->m, f);
		if (!fclose(f))
			show(g, text, len);
		free(text);
	}
	gdb_reply(g, "OK");
}

static void monitor_quit(struct gdb *g)
{
	machine_finish(g->m, 0, false);
	gdb_reply(g, "OK");
}

static void monitor(struct gdb *g, struct words *w)
{
	static const struct {
		const char *name;
		void (*fn)(struct gdb *g);
	} table[] = {
		{ "help", monitor_help },
		{ "reset", monitor_reset },
		{ "stats", monitor_stats },
		{ "quit", monitor_quit },
	};
	char command[64] = "";
	size_t len = (w->end - w->at) / 2;

	if (len >= sizeof(command) || !gdb_word_bytes(w, command, len)) {
		gdb_reply_error(g, GDB_EINVAL);
		return;
	}
	for (size_t n = 0; n < sizeof(table) / sizeof(table[0]); n++) {
		if (!strcmp(command, table[n].name)) {
			table[n].fn(g);
			return;
		}
	}
	show(g, "no such command; monitor help shows them\n", 41);
	gdb_reply(g, "OK");
}

/* Threads */

static void thread_list(struct gdb *g, struct words *w)
{
	char text[8 * HARTS_MAX];
	size_t at = 0;

	for (unsigned n = 1; n <= g->m->cl.harts; n++)
		at += snprintf(text + at, sizeof(text) - at, "%c%x", n == 1 ? 'm' : ',', n);
	gdb_reply(g, "%s", text);
}

static void thread_list_ends(struct gdb *g, struct words *w)
{
	gdb_reply(g, "l");
}

static void current_thread(struct gdb *g, struct words *w)
{
	gdb_reply(g, "QC%x", g->general + 1);
}

static void thread_info(struct gdb *g, struct words *w)
{
	const struct hart *h;
	uint32_t harts;
	char text[40];

	if (!gdb_word_thread(g, w, &harts)) {
		gdb_reply_error(g, GDB_EINVAL);
		return;
	}
	h = g->m->cl.hart[gdb_first_hart(harts)];
	snprintf(text, sizeof(text), "hart %u, %c-mode%s", h->id, "US?M"[h->mode],
		 h -> idle ? ", waits (wfi)" : "");
	gdb_reply_hex(g, "", text, strlen(text));
}

/* Features of gdb and of the stub */

static void supported(struct gdb *g, struct words *w)
{
	while (gdb_word_is(w, ":") || gdb_word_is(w, ";")) {
		const char *first = w->at;
		size_t len;

		while (w->at < w->end && *w->at != ';')
			w->at++;
		len = w->at - first;
		g->swbreak |= len == 8 && !memcmp(first, "swbreak+", 8);
		g->hwbreak |= len == 8 && !memcmp(first, "hwbreak+", 8);
	}
	gdb_reply(g,
		  "PacketSize=%x;qXfer:features:read+;swbreak+;hwbreak+;vContSupported+;"
		  "QStartNoAckMode+",
		  PACKET_MAX);
}

/* Replies with OFFSET,LEN of the target's description: l for its last part, else m. */
static void features(struct gdb *g, struct words *w)
{
	const uint64_t most = PACKET_MAX / 2 - 1; /* an escaped byte takes two */
	uint64_t offset, len;

	if (!gdb_word_is(w, "target.xml:") || !gdb_word_hex(w, &offset) || !gdb_word_is(w, ",") ||
	    !gdb_word_hex(w, &len) || offset > g->target_len) {
		gdb_reply_error(g, GDB_EINVAL);
		return;
	}
	len = len < most ? len : most;
	if (len < g->target_len - offset)
		gdb_reply_binary(g, "m", g->target_xml + offset, len);
	else
		gdb_reply_binary(g, "l", g->target_xml + offset, g->target_len - offset);
}

/* gdb was attached to a running machine: when gdb quits, it detaches. */
static void attached(struct gdb *g, struct words *w)
{
	gdb_reply(g, "1");
}

void gdb_query(struct gdb *g, struct words *w)
{
	static const struct {
		const char *name;
		void (*fn)(struct gdb *g, struct words *w);
	} table[] = {
		{ "Supported", supported },
		{ "Xfer:features:read:", features },
		{ "fThreadInfo", thread_list },
		{ "sThreadInfo", thread_list_ends },
		{ "ThreadExtraInfo,", thread_info },
		{ "Rcmd,", monitor },
		{ "Attached", attached },
		{ "C", current_thread },
	};

	for (size_t n = 0; n < sizeof(table) / sizeof(table[0]); n++) {
		if (gdb_word_is(w, table[n].name)) {
			table[n].fn(g, w);
			return;
		}
	}
	gdb_reply(g, "%s", "");
}

void gdb_set(struct gdb *g, struct words *w)
{
	if (!gdb_word_is(w, "StartNoAckMode")) {
		gdb_reply(g, "%s", "");
		return;
	}
	gdb_reply(g, "OK");
	g->no_ack = true;
}
