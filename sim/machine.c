// SPDX-License-Identifier: BSD-2-Clause
/*
 * machine.c - memory, devices, time, and whose turn it is (machine.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "cpu_models.h"
#include "engine.h"
#include "exact.h"
#include "machine.h"
#include "timing.h"

#define QUANTUM_SMP   10000
#define QUANTUM_ALONE 1000000
#define POLL_EVERY    1000000 /* guest nanoseconds between looks at the host's input */
#define NEVER	      UINT64_MAX

/* Memory and devices */

static struct device *device_at(const struct machine *m, uint64_t pa, unsigned bytes)
{
	for (unsigned n = 0; n < m->devices; n++) {
		struct device *d = m->device[n];

		if (pa - d->base < d->size && bytes >= d->min_bytes && bytes <= d->max_bytes)
			return d;
	}
	return NULL;
}

static bool rom_read(const struct machine *m, uint64_t pa, unsigned bytes, uint64_t *value)
{
	if (pa - ROM_BASE >= sizeof(m->rom))
		return false;
	*value = 0;
	memcpy(value, m->rom + (pa - ROM_BASE), bytes);
	return true;
}

bool machine_io_read(struct machine *m, uint64_t pa, unsigned bytes, uint64_t *value)
{
	struct device *d = device_at(m, pa, bytes);

	if (!d)
		return rom_read(m, pa, bytes, value);
	*value = d->read(d, pa - d->base, bytes);
	return true;
}

bool machine_io_write(struct machine *m, uint64_t pa, unsigned bytes, uint64_t value)
{
	struct device *d = device_at(m, pa, bytes);

	if (!d)
		return false;
	d->write(d, pa - d->base, bytes, bytes < 8 ? value & ((1ull << 8 * bytes) - 1) : value);
	/* mtime may be another, and with it the moment of every stimecmp. */
	for (unsigned n = 0; d == m->clint && n < m->harts; n++)
		m->hart[n]->stimer_at = clint_when(m->clint, m->hart[n]->stimecmp);
	return true;
}

static void page_written(struct machine *m, uint64_t pa, uint64_t len)
{
	struct page *page = machine_page(m, pa);

	if (page->code && block_written(m, pa, len) && m->current)
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

void machine_finish(struct machine *m, int status, bool reboot)
{
	m->finished = true;
	m->status = status;
	m->reboot = reboot;
	if (m->current)
		m->current->stop = true;
}

void machine_fail(struct machine *m, const char *why)
{
	m->stuck = why;
	machine_finish(m, 1, false);
}

/* What devices see: struct board */

static void *board_ram(void *opaque, uint64_t addr, uint64_t len)
{
	return machine_ram(opaque, addr, len);
}

static void board_ram_written(void *opaque, uint64_t addr, uint64_t len)
{
	struct machine *m = opaque;

	for (unsigned n = 0; n < m->harts; n++)
		m->hart[n]->reservation = 1;
	machine_ram_written(m, addr, len);
}

static uint64_t board_now(void *opaque)
{
	struct machine *m = opaque;

	return m->current ? hart_now(m->current) : m->now;
}

static void board_wake_at(void *opaque, uint64_t at, void (*fn)(void *arg), void *arg)
{
	struct machine *m = opaque;
	struct wake *w = NULL;

	for (unsigned n = 0; n < WAKES_MAX; n++) {
		struct wake *this = &m->wake[n];

		if (this->fn == fn && this->arg == arg)
			w = this;
		else if (!w && !this->fn)
			w = this;
	}
	if (!w)
		abort(); /* more devices than WAKES_MAX allows for */
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

/* Pace: guest time and the host's (machine_options.realtime) */

static uint64_t host_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Where guest time would be now if it had passed like the host's. */
static uint64_t pace_now(const struct machine *m)
{
	return m->pace_guest + (host_now() - m->pace_host);
}

/* How far guest time `at` (or NEVER) is ahead of the host's; what it is behind is forgotten. */
static uint64_t pace_ahead(struct machine *m, uint64_t at)
{
	uint64_t now = pace_now(m);

	if (m->now < now) {
		m->pace_host += now - m->now;
		now = m->now;
	}
	return at == NEVER ? NEVER : at > now ? at - now : 0;
}

/*
 * Looks for host input, of the first nr watches, the debugger's, and whether all is to end, waiting
 * for at most timeout ns (NEVER: for ever); false if there was none.  until: as far as guest time may
 * go on with the host's meanwhile.
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
		uint64_t now = pace_now(m);

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

/* When a hart in WFI will go on by itself. */
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
	machine_fail(m, "all harts wait for an interrupt, and nothing can bring one");
}

static bool held(const struct machine *m, unsigned hart)
{
	return m->debug.held >> hart & 1;
}

/* Every hart waits: time goes on to what will end that.  Host input may come before. */
static void all_wait(struct machine *m)
{
	uint64_t next = next_wake(m);

	for (unsigned n = 0; n < m->harts; n++) {
		uint64_t alarm = held(m, n) ? UINT64_MAX : hart_alarm(m->hart[n]);

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

static void begin_round(struct machine *m)
{
	uint64_t quantum = m->o.quantum, wake;

	if (!quantum)
		quantum = m->harts > 1 ? QUANTUM_SMP : QUANTUM_ALONE;
	call_wakes(m);
	if (m->now >= m->next_poll) {
		look_for_input(m, m->watches, m->o.realtime ? pace_ahead(m, m->now) : 0, m->now);
		m->next_poll = m->now + POLL_EVERY;
	}
	if (m->htif.reading)
		htif_input(m);
	/* No round, in which time would pass: who finished it may run it again. */
	if (m->finished)
		return;
	wake = next_wake(m);
	m->end = wake - m->now < quantum ? wake : m->now + quantum;
	m->turn = 0;
	m->ran = false;
}

/* The rest of a hart's turn.  False: a debugger has stopped the machine in the middle of it. */
static bool one_turn(struct machine *m, struct hart *h)
{
	if (h->now < m->now)
		h->now = m->now;
	if (h->idle && !trap_wakes(h) && hart_alarm(h) >= m->end)
		return true;
	m->current = h;
	hart_run(h, &m->end);
	m->current = NULL;
	m->ran = true;
	return !m->debug.stop;
}

/*
 * Each hart that has something to do runs until m->end, in order.  False: a debugger has stopped
 * the machine, and the round goes on there the next time.
 */
static bool one_round(struct machine *m)
{
	for (; m->turn < m->harts; m->turn++) {
		struct hart *h = m->hart[m->turn];

		if (!held(m, m->turn) && !one_turn(m, h))
			return false;
		if (m->harts > 1)
			h->reservation = 1;
	}
	return true;
}

int machine_run(struct machine *m)
{
	m->paused = false;
	m->pace_guest = m->now;
	m->pace_host = host_now();
	while (!m->finished && !m->debug.stop) {
		if (m->turn == m->harts && m->now >= m->pause_at) {
			m->paused = true;
			m->pause_at = NEVER;
			break;
		}
		if (m->turn == m->harts)
			begin_round(m);
		if (m->finished || m->debug.stop || !one_round(m))
			break;
		if (m->ran)
			m->now = m->end;
		else
			all_wait(m);
	}
	return m->status;
}

void machine_pause_at(struct machine *m, uint64_t ns)
{
	m->pause_at = ns;
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
	while (!m->finished && !m->debug.input)
		look_for_input(m, nr, NEVER, m->now);
}

/* Making and unmaking */

static bool create_harts(struct machine *m)
{
	for (m->harts = 0; m->harts < m->o.harts; m->harts++) {
		struct hart *h = calloc(1, sizeof(*h));

		if (!h)
			return false;
		m->hart[m->harts] = h;
		h->id = m->harts;
		h->m = m;
		h->scratch = malloc(BLOCK_BYTES);
		if (!mmu_create(h) || !h->scratch) {
			m->harts++;
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
	m->ram = p;
	m->ram_size = m->o.memory;
	m->page = calloc(m->ram_size >> PAGE_SHIFT, sizeof(*m->page));
	return m->page && block_cache_create(m);
}

/* What the options say of extensions goes before what the CPU says. */
static void take_isa(struct machine *m)
{
	const uint64_t stateen = CPU_ISA(ISA_EXT_SMSTATEEN);

	/* The one extension that closes something: not there unless asked for, or the CPU's. */
	m->o.smstateen |= m->o.cpu && m->extensions & stateen;
	m->extensions = m->o.smstateen ? m->extensions | stateen : m->extensions & ~stateen;
	if (m->o.svade)
		m->extensions = (m->extensions & ~CPU_ISA(ISA_EXT_SVADU)) | CPU_ISA(ISA_EXT_SVADE);
	if (m->o.trap_misaligned)
		m->extensions &= ~CPU_ISA(ISA_EXT_ZICCLSM);
}

static void take_cpu(struct machine *m, const struct machine_options *o)
{
	const struct cpu *cpu = o->cpu;

	if (cpu) {
		m->pmu = cpu->pmu;
		m->mvendorid = cpu->mvendorid;
		m->marchid = cpu->marchid;
		m->mimpid = cpu->mimpid;
		m->extensions = cpu->isa;
		m->mmu = cpu->mmu;
		if (o->models && cpu->models)
			m->models = MODEL_MEMORY | MODEL_TLB | MODEL_BPRED | MODEL_COST;
	} else {
		pmu_table_every(&m->pmu);
		m->extensions = cpu_isa_all();
		m->mmu = CPU_MMU_SV48;
	}
	take_isa(m);
	if (o->counters != MACHINE_AS_CPU)
		m->pmu.counters = (uint32_t)((1ull << o->counters) - 1) << COUNTER_HPM_FIRST;
	if (o->width != MACHINE_AS_CPU)
		m->pmu.width = o->width;
}

static bool create_shape(struct machine *m)
{
	if (!m->models)
		return true;
	m->shape = malloc(sizeof(*m->shape));
	if (!m->shape)
		return false;
	*m->shape = *m->o.cpu->models;
	cpu_models_vary(m->shape, m->o.seed - 1);
	return true;
}

struct machine *machine_create(const struct machine_options *o, struct dev_why *why)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		goto no_memory;
	m->o = *o;
	m->debug.fd = -1;
	/* The guest's peers are in the host's time: its timeouts must not expire early. */
	m->o.realtime = o->realtime || o->network;
	m->board = (struct board){
		.opaque = m,
		.ram = board_ram,
		.ram_written = board_ram_written,
		.now = board_now,
		.wake_at = board_wake_at,
		.watch_fd = board_watch_fd,
		.finish = board_finish,
		.fail = board_fail,
	};
	m->pause_at = UINT64_MAX;
	isa_index_init(&m->isa);
	take_cpu(m, o);
	if (!create_shape(m) || !create_harts(m) || !create_memory(m) || !timing_create(m))
		goto no_memory;
	if (!board_create(m, why)) {
		machine_destroy(m);
		return NULL;
	}
	return m;

no_memory:
	snprintf(why->text, sizeof(why->text), "no memory for a machine with %llu MiB of RAM",
		 (unsigned long long)o->memory >> 20);
	if (m)
		machine_destroy(m);
	return NULL;
}

uint64_t machine_overhead(const struct machine *m)
{
	return sizeof(*m) + m->harts * (sizeof(struct hart) + mmu_bytes(m->hart[0]) + BLOCK_BYTES) +
	       (m->ram_size >> PAGE_SHIFT) * sizeof(*m->page) + block_cache_bytes(m) +
	       timing_bytes(m);
}

void machine_destroy(struct machine *m)
{
	for (unsigned n = 0; n < m->devices; n++)
		m->device[n]->destroy(m->device[n]);
	exact_free(m);
	timing_destroy(m);
	free(m->shape);
	for (unsigned n = 0; n < m->harts; n++) {
		mmu_destroy(m->hart[n]);
		free(m->hart[n]->scratch);
		free(m->hart[n]);
	}
	block_cache_destroy(m);
	if (m->ram)
		munmap(m->ram, m->ram_size);
	free(m->page);
	free(m);
}

void machine_reset(struct machine *m)
{
	m->finished = m->reboot = false;
	m->stuck = NULL;
	m->turn = m->harts;
	block_flush(m);
	if (m->memory)
		memory_reset(m->memory);
	for (unsigned n = 0; n < m->devices; n++)
		m->device[n]->reset(m->device[n]);
	for (unsigned n = 0; n < m->harts; n++) {
		struct hart *h = m->hart[n];

		hart_reset(h, m->entry);
		h->x[10] = n;
		h->x[11] = m->boot_arg[0];
		h->x[12] = m->boot_arg[1];
	}
}
