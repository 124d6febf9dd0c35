/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ledger.h - the bandwidth of a resource that harts share: the port of a cache, a channel of DRAM.
 *
 * A line occupies the resource for some cycles.  Harts take turns of thousands of cycles, so their
 * requests arrive out of order in time: a hart that runs later asks for cycles that lie before
 * those of the hart that ran first.  The ledger therefore divides guest time into windows and
 * records how many cycles of each window are given to whom.
 *
 * The rules:
 *  - A hart's own requests queue.  Each takes the first cycles from its time on at which the hart
 *    is not being served, and in which its window has room.  So a hart that is alone sees a queue
 *    exactly, in whatever turns it runs, also if some of its requests come out of order in time.
 *    The last LEDGER_SPANS periods of service are remembered for that.
 *  - A window has room for a hart while less than all its cycles are given, and while the hart has
 *    less than its share.  The share is what max-min fairness leaves to a hart that wants
 *    everything.  A hart that has passed the window, because a service of it began in a later one,
 *    has what it got there.  Any other hart is expected to want what it wanted lately; but nothing
 *    if its last service began two turns and eight windows before.
 *  - What a hart wants lately is the mean of its windows, each weighing 7/8 of the next one.  A
 *    window counts with the cycles that the hart got in it, or as a whole one if others made it
 *    wait.
 *  - A request that its window has no room for goes on in the next one with room.  So no window
 *    gives more cycles than it has.
 *  - A request that waits until LEDGER_WAIT windows after that of its time is served then, and the
 *    rest of its cycles is given by nobody.
 *  - The ring holds the last windows.  A request whose window is no longer there is served at once;
 *    so is one after LEDGER_TIME_MAX.  Their cycles are given by nobody.
 */
#ifndef SIM_MODEL_LEDGER_H
#define SIM_MODEL_LEDGER_H

#include "model.h"

#define LEDGER_WINDOW_MAX  32768
#define LEDGER_WINDOWS_MIN 512
#define LEDGER_WINDOWS_MAX 4096
#define LEDGER_TURN_MAX	   1000000000
#define LEDGER_WAIT	   256
#define LEDGER_SPANS	   16
#define LEDGER_TIME_MAX	   (1ull << 62)

struct ledger_config {
	uint32_t window; /* cycles; a power of two, 64 to 32768; not less than a line takes */
	uint32_t windows; /* of the ring; a power of two, 512 to 4096 */
	uint32_t turn; /* the most cycles that a hart runs before another one does; 1 to 10^9 */
};

/* A period in which a hart is served: from begin to before end. */
struct ledger_span {
	uint64_t begin, end;
};

struct ledger_hart {
	struct ledger_span span[LEDGER_SPANS]; /* ascending, with gaps between them */
	uint64_t front; /* the last window in which a service began */
	uint32_t spans;
	uint32_t wants; /* cycles of a window, times 256 */
	bool waited; /* for others, in the window front */
};

struct ledger_window {
	uint64_t number; /* its first cycle is number * window */
	uint32_t given;
};

struct ledger {
	struct ledger_window *window;
	uint16_t *to; /* by window and hart: the part of given */
	struct ledger_hart *hart;
	uint32_t *want; /* of each hart, while a share is computed */
	uint64_t newest; /* the greatest number of a window */
	unsigned harts, shift;
	struct ledger_config config;
	/* What no state depends on: answers for the hart that asked last. */
	unsigned asks;
	uint64_t full_from, full_to; /* windows without room for it */
	uint64_t share_of; /* a window */
	uint32_t share;
};

bool ledger_init(struct ledger *l, const struct ledger_config *config, unsigned harts);
void ledger_free(struct ledger *l);
void ledger_reset(struct ledger *l);
bool ledger_save(const struct ledger *l, const struct stream *s);
bool ledger_restore(struct ledger *l, const struct stream *s);

/*
 * A request of hart that occupies the resource for cycles (0 to the length of a window; more count
 * as that).  Returns how many cycles after at the resource begins to serve it.
 */
uint64_t ledger_take(struct ledger *l, uint64_t at, uint32_t cycles, unsigned hart);

#endif
