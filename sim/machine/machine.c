// SPDX-License-Identifier: BSD-2-Clause
/*
 * machine.c - creates the machine and runs it: RAM, time, rounds (machine.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "block.h"
#include "board.h"
#include "clock.h"
#include "cpu_models.h"
#include "exact.h"
#include "machine.h"
#include "reservation.h"
#include "semihost.h"
#include "tally.h"
#include "timing.h"
#include "trap.h"
#include "vector.h"

#define QUANTUM_SMP   10000
#define QUANTUM_ALONE 1000000
#define POLL_EVERY    1000000 /* guest nanoseconds between looks at the host's input */
#define NEVER	      UINT64_MAX

/* RAM that is written */

static void page_written(struct machine *m, uint64_t pa, uint64_t len)
{
	struct page *page = cluster_page(&m->cl, pa);

	if (page->code && block_written(&m->cl, pa, len) && m->current)
		m->current->stop = true;
	if (page->watch)
		htif_written(m, pa, len);
}

void machine_ram_written(struct machine *m, uint64_t pa, uint64_t len)
{
	while (len) {
		uint64_t part = PAGE_SIZE - (pa & ~PAGE_MASK);

		part = part < len ? part : len;
		page_written(m, pa, part);
		pa += part;
		len -= part;
	}
}

/* The harts' view: struct bus */

static bool io_read(void *opaque, uint64_t pa, unsigned bytes, uint64_t *value)
{
	return machine_io_read(opaque, pa, bytes, value);
}

static bool io_write(void *opaque, uint64_t pa, unsigned bytes, uint64_t value)
{
	return machine_io_write(opaque, pa, bytes, value);
}

static void bus_ram_written(void *opaque, uint64_t pa, uint64_t len)
{
	struct machine *m = opaque;

	reservation_written(&m->cl, m->current, pa, len);
	machine_ram_written(m, pa, len);
}

static uint64_t mtime(void *opaque)
{
	const struct machine *m = opaque;

	return clint_time(m->clint);
}

static uint64_t mtime_when(void *opaque, uint64_t value)
{
	const struct machine *m = opaque;

	return clock_cycles(m->hz, clint_when(m->clint, value));
}

static void hart_fails(void *opaque, const char *why)
{
	struct machine *m = opaque;

	snprintf(m->stuck_text, sizeof(m->stuck_text), "%s", why);
	machine_fail(m, m->stuck_text);
}

static void create_bus(struct machine *m)
{
	m->cl.bus = (struct bus){
		.opaque = m,
		.read = io_read,
		.write = io_write,
		.written = bus_ram_written,
		.time = mtime,
		.time_when = mtime_when,
		.fail = hart_fails,
		.semihost = m->o.semihosting ? semihost_call : NULL,
	};
	m->cl.paranoid = m->o.paranoid || m->o.record;
	if (m->o.native != MACHINE_NATIVE_OFF && !m->cl.paranoid && !m->o.trace)
		m->cl.native_after = m->o.native_after ? m->o.native_after : NATIVE_AFTER;
	m->cl.native_bytes = m->o.native_bytes ? m->o.native_bytes : NATIVE_BYTES;
	m->cl.trap_misaligned = machine_traps_misaligned(&m->o);
	m->cl.smstateen = m->o.smstateen;
	m->cl.trace = m->o.trace;
	m->cl.trace_to = m->o.trace_to;
}

/* The devices' view: struct board */

static void *board_ram(void *opaque, uint64_t addr, uint64_t len)
{
	const struct machine *m = opaque;

	return cluster_ram(&m->cl, addr, len);
}

static void board_ram_written(void *opaque, uint64_t addr, uint64_t len)
{
	struct machine *m = opaque;

	reservation_written(&m->cl, NULL, addr, len);
	machine_ram_written(m, addr, len);
}

static uint64_t board_now(void *opaque)
{
	struct machine *m = opaque;

	return clock_ns(m->hz, m->current ? hart_now(m->current) : m->now);
}

static uint64_t board_hart_now(void *opaque, unsigned hart)
{
	const struct machine *m = opaque;
	uint64_t at = m->current ? hart_now(m->cl.hart[hart]) : m->now;

	/* (a waiting hart's clock stands still) */
	return clock_ns(m->hz, at > m->now ? at : m->now);
}

static void board_wake_at(void *opaque, uint64_t at_ns, void (*fn)(void *arg), void *arg)
{
	struct machine *m = opaque;
	uint64_t at = clock_cycles(m->hz, at_ns);
	struct wake *w = NULL;

	for (unsigned n = 0; n < WAKES_MAX; n++) {
		struct wake *this = &m->wake[n];

		if (this->fn == fn && this->arg == arg)
			w = this;
		else if (!w && !this->fn)
			w = this;
	}
	if (!w)
		abort(); /* WAKES_MAX is too small for the devices */
	*w = (struct wake){ at, at == UINT64_MAX ? NULL : fn, arg };
	if (at < m->end)
		m->end = at;
	if (m->current)
		m->current->stop = true;
}

static void board_watch_fd(void *opaque, int fd, void (*fn)(void *arg), void *arg)
{
	struct machine *m = opaque;
	unsigned n = 0;

	while (n < m->watches && (m->watch[n].fn != fn || m->watch[n].arg != arg))
		n++;
	if (fd < 0) {
		if (n < m->watches)
			m->watch[n] = m->watch[--m->watches];
		return;
	}
	if (n == WAKES_MAX)
		abort();
	m->watch[n] = (struct watch){ fd, fn, arg };
	m->watches += n == m->watches;
}

static void board_finish(void *opaque, int status, bool reboot)
{
	machine_finish(opaque, status, reboot);
}

static void board_fail(void *opaque, int error, const char *why)
{
	struct machine *m = opaque;

	m->host_error = error;
	machine_fail(opaque, why);
}

/* Pace: guest time against host time (machine_options.realtime) */

static uint64_t host_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* The guest time, in ns, that it would be now if it had passed as fast as host time. */
static uint64_t pace_now(const struct machine *m)
{
	return m->pace_guest + (host_now() - m->pace_host);
}

/*
 * How many ns cycle `at` (or NEVER) is ahead of the host.  If the guest is behind, moves the pace
 * so that it is not.
 */
static uint64_t pace_ahead(struct machine *m, uint64_t at)
{
	uint64_t now = pace_now(m), guest = machine_ns(m), at_ns = clock_ns(m->hz, at);

	if (guest < now) {
		m->pace_host += now - guest;
		now = guest;
	}
	return at == NEVER ? NEVER : at_ns > now ? at_ns - now : 0;
}

/*
 * Waits at most timeout ns (NEVER: for ever) until one of the first nr watches, the debugger's
 * connection or board.end_fd is readable, and calls its function.  With realtime, guest time moves
 * on with host time while it waits, but not beyond cycle `until`.  Returns false if there was no
 * input for the guest or the debugger.
 */
static bool look_for_input(struct machine *m, unsigned nr, uint64_t timeout, uint64_t until)
{
	struct timespec wait = { timeout / 1000000000, timeout % 1000000000 };
	struct watch watch[WAKES_MAX];
	struct pollfd fd[WAKES_MAX + 2];
	bool some, any = false;

	memcpy(watch, m->watch, sizeof(watch));
	for (unsigned n = 0; n < nr; n++)
		fd[n] = (struct pollfd){ .fd = watch[n].fd, .events = POLLIN };
	fd[nr] = (struct pollfd){ .fd = m->debug.fd, .events = POLLIN };
	fd[nr + 1] = (struct pollfd){ .fd = board_end_fd(&m->board), .events = POLLIN };
	if (!nr && m->debug.fd < 0 && !m->board.end_fd && timeout == 0)
		return false;
	some = ppoll(fd, nr + 2, timeout == NEVER ? NULL : &wait, NULL) > 0;
	if (m->o.realtime && until > m->now) {
		uint64_t now = clock_cycles(m->hz, pace_now(m));

		m->now = now > until ? until : now > m->now ? now : m->now;
	}
	if (some && fd[nr].revents) {
		m->debug.input = true;
		debug_ask(m);
		any = true;
	}
	if (some && fd[nr + 1].revents)
		m->end_fn(m);
	for (unsigned n = 0; some && n < nr; n++) {
		if (fd[n].revents) {
			watch[n].fn(watch[n].arg);
			any = true;
		}
	}
	return any;
}

/* Time */

static uint64_t next_wake(const struct machine *m)
{
	uint64_t next = UINT64_MAX;

	for (unsigned n = 0; n < WAKES_MAX; n++) {
		if (m->wake[n].fn && m->wake[n].at < next)
			next = m->wake[n].at;
	}
	return next;
}

static void call_wakes(struct machine *m)
{
	for (unsigned n = 0; n < WAKES_MAX; n++) {
		struct wake w = m->wake[n];

		if (!w.fn || w.at > m->now)
			continue;
		m->wake[n].fn = NULL;
		w.fn(w.arg);
	}
}

/* The cycle at which the timer of a hart in WFI wakes it, or UINT64_MAX. */
static uint64_t hart_alarm(const struct hart *h)
{
	if (!(h->menvcfg & MENVCFG_STCE) || !(h->mie & MIP_STIP))
		return UINT64_MAX;
	return h->stimer_at;
}

/* Nothing can wake any hart. */
static void nothing_wakes(struct machine *m)
{
	if (m->debug.held) {
		debug_stops(m, NULL, DEBUG_WAITS);
		return;
	}
	machine_fail(m, "all harts wait for an interrupt, and no timer or device can raise one");
}

static bool held(const struct machine *m, unsigned hart)
{
	return m->debug.held >> hart & 1;
}

/* Every hart waits: moves time to the next wake or timer.  Host input may come before it. */
static void all_wait(struct machine *m)
{
	uint64_t next = next_wake(m);

	for (unsigned n = 0; n < m->cl.harts; n++) {
		uint64_t alarm = held(m, n) ? UINT64_MAX : hart_alarm(m->cl.hart[n]);

		next = alarm < next ? alarm : next;
	}
	if (next == NEVER && !m->watches)
		nothing_wakes(m);
	else if (m->o.realtime)
		look_for_input(m, m->watches, pace_ahead(m, next), next);
	else if (next == NEVER)
		look_for_input(m, m->watches, NEVER, m->now);
	else if (next > m->now)
		m->now = next;
}

/* The most cycles of a turn. */
static uint64_t turn_cycles(const struct machine *m)
{
	if (m->o.quantum)
		return m->o.quantum;
	return m->o.harts > 1 ? QUANTUM_SMP : QUANTUM_ALONE;
}

static void begin_round(struct machine *m)
{
	uint64_t quantum = turn_cycles(m), wake;

	call_wakes(m);
	if (m->now >= m->next_poll) {
		look_for_input(m, m->watches, m->o.realtime ? pace_ahead(m, m->now) : 0, m->now);
		m->next_poll = m->now + clock_cycles(m->hz, POLL_EVERY);
	}
	if (m->htif.reading)
		htif_input(m);
	/* Time must not pass: the caller of machine_run may reset and run the machine again. */
	if (m->cl.finished)
		return;
	wake = next_wake(m);
	m->end = wake - m->now < quantum ? wake : m->now + quantum;
	m->turn = 0;
	m->ran = false;
}

/* Runs the rest of a hart's turn.  False: a debugger has stopped the machine within it. */
static bool one_turn(struct machine *m, struct hart *h)
{
	if (h->now < m->now)
		h->now = m->now;
	if (h->idle == HART_IDLE && !trap_wakes(h) && hart_alarm(h) >= m->end)
		return true;
	m->current = h;
	if (m->cl.recorder)
		m->cl.recorder->turns(h, m->end);
	hart_run(h, &m->end);
	m->current = NULL;
	m->ran = true;
	return !m->debug.stop;
}

/*
 * Runs each hart that has something to do until m->end, in order.  False: a debugger has stopped
 * the machine; the next call goes on with the same hart.
 */
static bool one_round(struct machine *m)
{
	for (; m->turn < m->cl.harts; m->turn++) {
		struct hart *h = m->cl.hart[m->turn];

		if (!held(m, m->turn) && !one_turn(m, h))
			return false;
		reservation_keep(h);
	}
	return true;
}

int machine_run(struct machine *m)
{
	m->paused = false;
	m->pace_guest = machine_ns(m);
	m->pace_host = host_now();
	while (!m->cl.finished && !m->debug.stop) {
		if (m->turn == m->cl.harts && m->now >= m->pause_at) {
			m->paused = true;
			m->pause_at = NEVER;
			break;
		}
		if (m->turn == m->cl.harts)
			begin_round(m);
		if (m->cl.finished || m->debug.stop || !one_round(m))
			break;
		if (m->ran)
			m->now = m->end;
		else
			all_wait(m);
	}
	for (unsigned n = 0; n < m->cl.harts; n++)
		tally_settle(m->cl.hart[n]);
	return m->status;
}

uint64_t machine_ns(const struct machine *m)
{
	return clock_ns(m->hz, m->now);
}

uint64_t machine_hart_ns(const struct machine *m, unsigned hart)
{
	return clock_ns(m->hz, m->cl.hart[hart]->now);
}

void machine_pause_at(struct machine *m, uint64_t ns)
{
	m->pause_at = clock_cycles(m->hz, ns);
}

void machine_pause(struct machine *m)
{
	machine_pause_at(m, 0);
}

void machine_end_when(struct machine *m, int fd, void (*fn)(struct machine *m))
{
	m->board.end_fd = fd;
	m->end_fn = fn;
}

void machine_wait(struct machine *m)
{
	unsigned nr = m->o.realtime ? m->watches : 0;

	m->debug.input = false;
	while (!m->cl.finished && !m->debug.input)
		look_for_input(m, nr, NEVER, m->now);
}

/* Creating and destroying */

static bool create_harts(struct machine *m)
{
	for (m->cl.harts = 0; m->cl.harts < m->o.harts; m->cl.harts++) {
		struct hart *h = calloc(1, sizeof(*h));

		if (!h)
			return false;
		m->cl.hart[m->cl.harts] = h;
		h->id = m->cl.harts;
		h->cl = &m->cl;
		h->tick = UINT64_MAX;
		h->entropy = m->o.seed << 8 | h->id;
		h->scratch = block_scratch_new();
		if (cluster_has_vectors(&m->cl))
			h->vector = vector_new();
		if (!mmu_create(h) || !h->scratch || (cluster_has_vectors(&m->cl) && !h->vector)) {
			m->cl.harts++;
			return false;
		}
	}
	return true;
}

static bool create_memory(struct machine *m)
{
	void *p = mmap(NULL, m->o.memory, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	m->cl.ram = p;
	m->cl.ram_size = m->o.memory;
	m->cl.page = calloc(m->cl.ram_size >> PAGE_SHIFT, sizeof(*m->cl.page));
	return m->cl.page && block_cache_create(&m->cl);
}

/*
 * Sets the extensions of the harts.  The options come before the CPU's description.  Where
 * misaligned accesses trap, software decides whether they work, and the harts do not promise it.
 */
static void take_isa(struct machine *m)
{
	struct isa_set *has = &m->cl.extensions;

	/* Smstateen takes rights away: only an option or the CPU's description turns it on. */
	m->o.smstateen |= m->o.cpu && isa_set_has(has, ISA_EXT_SMSTATEEN);
	isa_set_remove(has, ISA_EXT_SMSTATEEN);
	isa_set_remove(has, ISA_EXT_SSSTATEEN);
	if (m->o.smstateen) {
		isa_set_add(has, ISA_EXT_SMSTATEEN);
		isa_set_add(has, ISA_EXT_SSSTATEEN);
	}
	if (m->o.svade) {
		isa_set_remove(has, ISA_EXT_SVADU);
		isa_set_add(has, ISA_EXT_SVADE);
	}
	if (machine_traps_misaligned(&m->o))
		isa_set_remove(has, ISA_EXT_ZICCLSM);
	m->cl.isa.zcm = isa_set_has(has, ISA_EXT_ZCMP) || isa_set_has(has, ISA_EXT_ZCMT);
	m->cl.isa.thead = isa_set_has(has, ISA_EXT_XTHEADVECTOR);
}

static void take_cpu(struct machine *m, const struct machine_options *o)
{
	const struct cpu *cpu = o->cpu;

	if (cpu) {
		m->cl.pmu = cpu->pmu;
		m->cl.mvendorid = cpu->mvendorid;
		m->cl.marchid = cpu->marchid;
		m->cl.mimpid = cpu->mimpid;
		m->cl.extensions = cpu->isa;
		m->cl.vector_bytes = cpu->vlen / 8;
		m->cl.mmu = cpu->mmu;
		if (o->models && cpu->models)
			m->cl.known_models = MODEL_MEMORY | MODEL_TLB | MODEL_BPRED | MODEL_COST;
		m->cl.models = o->models_later ? 0 : m->cl.known_models;
	} else {
		selector_every(&m->cl.pmu);
		m->cl.extensions = cpu_isa_all();
		m->cl.mmu = CPU_MMU_SV48;
	}
	take_isa(m);
	if (o->counters != MACHINE_AS_CPU)
		m->cl.pmu.counters = (uint32_t)((1ull << o->counters) - 1) << COUNTER_HPM_FIRST;
	if (o->width != MACHINE_AS_CPU)
		m->cl.pmu.width = o->width;
}

static bool create_shape(struct machine *m)
{
	if (!m->cl.models)
		return true;
	m->cl.shape = malloc(sizeof(*m->cl.shape));
	if (!m->cl.shape)
		return false;
	*m->cl.shape = *m->o.cpu->models;
	cpu_models_vary(m->cl.shape, m->o.seed - 1);
	m->cl.shape->hierarchy.turn = turn_cycles(m) < LEDGER_TURN_MAX ? turn_cycles(m)
								       : LEDGER_TURN_MAX;
	return true;
}

struct machine *machine_create(const struct machine_options *o, struct error_text *why)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		goto no_memory;
	m->o = *o;
	m->hz = cpu_hz(o->cpu);
	m->debug.fd = -1;
	/* Network peers live in host time: the guest's timeouts must not expire too early. */
	m->o.realtime = o->realtime || o->network;
	m->board = (struct board){
		.opaque = m,
		.ram = board_ram,
		.ram_written = board_ram_written,
		.now = board_now,
		.hart_now = board_hart_now,
		.wake_at = board_wake_at,
		.watch_fd = board_watch_fd,
		.finish = board_finish,
		.fail = board_fail,
	};
	m->pause_at = UINT64_MAX;
	isa_index_init(&m->cl.isa);
	take_cpu(m, o);
	create_bus(m);
	if (!create_shape(m) || !create_harts(m) || !create_memory(m) || !timing_create(&m->cl))
		goto no_memory;
	if (o->native == MACHINE_NATIVE_ON && m->cl.native_after && !m->cl.native) {
		error_set(why, "no native code: this computer does not allow it, or this build of "
			       "holter has none");
		goto failed;
	}
	if (board_create(m, why))
		return m;
	goto failed;

no_memory:
	error_set(why, "out of memory for a machine with %llu MiB of RAM",
		  (unsigned long long)o->memory >> 20);
failed:
	if (m)
		machine_destroy(m);
	return NULL;
}

void machine_destroy(struct machine *m)
{
	for (unsigned n = 0; n < m->devices; n++)
		m->device[n]->destroy(m->device[n]);
	exact_free(&m->cl);
	timing_destroy(&m->cl);
	free(m->cl.shape);
	for (unsigned n = 0; n < m->cl.harts; n++) {
		mmu_destroy(m->cl.hart[n]);
		block_scratch_free(m->cl.hart[n]->scratch);
		free(m->cl.hart[n]->vector);
		free(m->cl.hart[n]);
	}
	block_cache_destroy(&m->cl);
	if (m->cl.ram)
		munmap(m->cl.ram, m->cl.ram_size);
	free(m->cl.page);
	free(m);
}

void machine_reset(struct machine *m)
{
	m->cl.finished = m->reboot = false;
	m->stuck = NULL;
	m->turn = m->cl.harts;
	block_flush(&m->cl);
	if (m->cl.hierarchy)
		hierarchy_reset(m->cl.hierarchy);
	for (unsigned n = 0; n < m->devices; n++)
		m->device[n]->reset(m->device[n]);
	for (unsigned n = 0; n < m->cl.harts; n++) {
		struct hart *h = m->cl.hart[n];

		hart_reset(h, m->entry, m->now);
		h->x[10] = n;
		h->x[11] = m->boot_arg[0];
		h->x[12] = m->boot_arg[1];
	}
}
