// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb_run.c - continue and step, breakpoints and watchpoints, stop replies (gdb.h).
 *
 * Signals that gdb wants to deliver are ignored: a hart has no signals.
 */
#include <inttypes.h>

#include "gdb_parts.h"

static uint32_t all_harts(const struct gdb *g)
{
	return (1u << g->m->cl.harts) - 1;
}

static void go(struct gdb *g, uint32_t step, uint32_t held)
{
	debug_resume(g->m, step, held);
	g->state = GDB_RUNS;
}

/* Resumes.  w: the optional address of c and s, or of C and S after the signal. */
static void go_from(struct gdb *g, struct words *w, bool step)
{
	uint32_t harts = g->moved;
	uint64_t pc;

	/* Step one hart.  If all harts are selected, that is the one whose registers gdb reads. */
	if (step && harts == all_harts(g))
		harts = 1u << g->general;
	if (w->at < w->end) {
		if (!gdb_word_hex(w, &pc)) {
			gdb_reply_error(g, GDB_EINVAL);
			return;
		}
		gdb_write_pc(g->m->cl.hart[gdb_first_hart(harts)], pc);
	}
	go(g, step ? harts : 0, all_harts(g) & ~harts);
}

static void go_signal(struct gdb *g, struct words *w, bool step)
{
	uint64_t signal;

	if (!gdb_word_hex(w, &signal) || (w->at < w->end && !gdb_word_is(w, ";")))
		gdb_reply_error(g, GDB_EINVAL);
	else
		go_from(g, w, step);
}

void gdb_continue(struct gdb *g, struct words *w)
{
	go_from(g, w, false);
}

void gdb_step(struct gdb *g, struct words *w)
{
	go_from(g, w, true);
}

void gdb_continue_signal(struct gdb *g, struct words *w)
{
	go_signal(g, w, false);
}

void gdb_step_signal(struct gdb *g, struct words *w)
{
	go_signal(g, w, true);
}

/*
 * ;ACTION[:THREAD]...  The first action that names a hart applies to it.  Harts without an action
 * are held.
 */
void gdb_vcont(struct gdb *g, struct words *w)
{
	uint32_t step = 0, run = 0, left = all_harts(g), harts;
	uint64_t signal;

	while (gdb_word_is(w, ";")) {
		char action = *w->at; /* 0 at the packet's end */

		w->at += w->at < w->end;
		harts = all_harts(g);
		if ((action == 'C' || action == 'S') && !gdb_word_hex(w, &signal))
			break;
		if (gdb_word_is(w, ":") && !gdb_word_thread(g, w, &harts))
			break;
		harts &= left;
		if (action == 's' || action == 'S')
			step |= harts;
		else if (action == 'c' || action == 'C')
			run |= harts;
		else if (action != 't')
			break;
		left &= ~harts;
	}
	if (w->at < w->end || !(step | run))
		gdb_reply_error(g, GDB_EINVAL);
	else
		go(g, step, all_harts(g) & ~(step | run));
}

/* Reads TYPE,ADDR,LEN of Z and z.  Ignores the rest (conditions, commands): we do not offer it. */
static bool point(struct gdb *g, struct words *w, uint64_t *type, uint64_t *va, uint64_t *len)
{
	if (gdb_word_hex(w, type) && gdb_word_is(w, ",") && gdb_word_hex(w, va) &&
	    gdb_word_is(w, ",") && gdb_word_hex(w, len))
		return true;
	gdb_reply_error(g, GDB_EINVAL);
	return false;
}

void gdb_insert(struct gdb *g, struct words *w)
{
	uint64_t type, va, len;

	if (!point(g, w, &type, &va, &len))
		return;
	if (type > DEBUG_ACCESS)
		gdb_reply(g, "%s", "");
	else if (debug_point_add(g->m, type, va, len))
		gdb_reply(g, "OK");
	else
		gdb_reply_error(g, g->m->debug.points == DEBUG_POINTS ? GDB_ENOSPC : GDB_EINVAL);
}

void gdb_remove(struct gdb *g, struct words *w)
{
	uint64_t type, va, len;

	if (!point(g, w, &type, &va, &len))
		return;
	if (type > DEBUG_ACCESS) {
		gdb_reply(g, "%s", "");
		return;
	}
	debug_point_remove(g->m, type, va, len);
	gdb_reply(g, "OK");
}

/* Sends a stop reply.  asked: the signal if the machine stopped because gdb asked for it. */
static void reply_stop(struct gdb *g, unsigned asked)
{
	static const char *const watch[] = {
		[DEBUG_WRITE] = "watch",
		[DEBUG_READ] = "rwatch",
		[DEBUG_ACCESS] = "awatch",
	};
	const struct debug *d = &g->m->debug;
	unsigned thread = g->general + 1;

	if (g->m->cl.finished)
		gdb_reply(g, "W%02x", (unsigned)g->m->status & 0xff);
	else if (d->stop == DEBUG_WATCH)
		gdb_reply(g, "T%02x%s:%" PRIx64 ";thread:%x;", SIGNAL_TRAP, watch[d->hit.type],
			  d->hit_va, thread);
	else if (d->stop == DEBUG_BREAK && d->hit.type == DEBUG_SWBREAK && g->swbreak)
		gdb_reply(g, "T%02xswbreak:;thread:%x;", SIGNAL_TRAP, thread);
	else if (d->stop == DEBUG_BREAK && d->hit.type == DEBUG_HWBREAK && g->hwbreak)
		gdb_reply(g, "T%02xhwbreak:;thread:%x;", SIGNAL_TRAP, thread);
	else
		gdb_reply(g, "T%02xthread:%x;",
			  d->stop == DEBUG_ASKED || d->stop == DEBUG_WAITS ? asked : SIGNAL_TRAP,
			  thread);
}

void gdb_stopped(struct gdb *g)
{
	g->state = GDB_STANDS;
	if (g->m->debug.hart)
		g->general = g->m->debug.hart->id;
	reply_stop(g, SIGNAL_INT);
}

void gdb_why(struct gdb *g, struct words *w)
{
	reply_stop(g, SIGNAL_TRAP);
}
