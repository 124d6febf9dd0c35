/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h - the machine: harts, RAM, devices and time.  machine.c and io.c define its functions.
 * The memory map is that of QEMU's virt machine:
 *
 *	0x00001000  ROM: struct fw_dynamic_info		load.c
 *	0x00100000  finisher				dev/finisher.c
 *	0x00101000  RTC					dev/rtc.c
 *	0x02000000  CLINT				dev/clint.c
 *	0x0c000000  PLIC				dev/plic.c
 *	0x10000000  serial				dev/serial.c
 *	0x10001000  eight virtio slots			dev/virtio*.c
 *	0x80000000  RAM; firmware at its beginning
 *
 * Time.  All harts have one clock; the CPU's description tells its frequency (1 GHz without one).
 * Times in the machine are cycles of this clock since power-on; clock.h tells how they become the
 * nanoseconds that devices see.  An instruction takes one cycle, or as many as the models say
 * (timing.h).  mtime runs at 10 MHz.
 *
 * One host thread runs everything, in rounds.  A round is one turn of each hart, always in the same
 * order.  A turn is a time slice: the hart runs until the end of the round, machine.end, which is
 * at most a quantum of cycles away.  When all harts wait for an interrupt, time jumps to the next
 * wake or timer interrupt (but see machine_options.realtime).  Between rounds the machine calls
 * the wakes that are due, looks at the host's input and can be saved.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cluster.h"
#include "cpu.h"
#include "debug.h"
#include "device.h"
#include "devices.h"
#include "hart.h"
#include "htif.h"
#include "isa.h"

#define MACHINE_AS_CPU UINT_MAX
#define DEVICES_MAX    24
#define WAKES_MAX      32
#define ROM_BASE       0x1000ull

/* Whether code that runs often becomes code of the host (native.h). */
enum machine_native {
	MACHINE_NATIVE_AUTO, /* if the host allows it */
	MACHINE_NATIVE_ON,
	MACHINE_NATIVE_OFF,
};

#define NATIVE_AFTER 64 /* the default of native_after */
#define NATIVE_BYTES (64ull << 20) /* the default of native_bytes */

/* A device's callback at a guest time; see wake_at in device.h. */
struct wake {
	uint64_t at; /* cycles */
	void (*fn)(void *arg);
	void *arg;
};

/* A device's callback when fd becomes readable; see watch_fd in device.h. */
struct watch {
	int fd;
	void (*fn)(void *arg);
	void *arg;
};

struct exact;

struct machine_options {
	unsigned harts; /* 1 to HARTS_MAX */
	uint64_t memory; /* bytes of RAM, a multiple of 4 KiB */
	const struct cpu *cpu; /* borrowed; NULL: every event and extension, no models */
	/*
	 * NULL, or the CPU of the machine whose snapshot will be restored: cpu, or one that differs
	 * from it only in its models (cpu_difference()).  They are empty then, as after a reset.
	 */
	const struct cpu *booted;
	unsigned counters; /* programmable counters, 0 to 29; MACHINE_AS_CPU: as the CPU has */
	unsigned width; /* bits of a programmable counter, 1 to 64, or MACHINE_AS_CPU */
	bool models; /* the CPU's models are on, if it has any */
	/*
	 * The models are off, but selectors and the device tree know them.  A snapshot is one for
	 * a machine whose models are on; there `booted` must be set.
	 */
	bool models_later;
	uint64_t quantum; /* cycles in a turn; 0: the default */
	/*
	 * The seed of the random numbers that the guest draws, and of the models' random
	 * replacement.  With seed 1 the replacement is as in the CPU's description.  Below
	 * UINT64_MAX.
	 */
	uint64_t seed;
	/*
	 * Guest time passes no faster than host time.  The machine waits when the guest would run
	 * ahead; when all harts wait, it waits as long in host time.  A guest that has fallen
	 * behind does not catch up.  The RTC shows the host's date.  A run is not deterministic.
	 * A network implies this option.
	 */
	bool realtime;
	enum machine_native native;
	uint64_t native_bytes; /* of memory for it, at most; 0: 64 MiB */
	unsigned native_after; /* how often a block runs before it becomes native; 0: the default */
	bool paranoid; /* one TLB line, no kept blocks, one instruction at a time */
	bool record; /* run so that the run can be recorded (record.h); the results are the same */
	bool trap_misaligned; /* misaligned accesses trap, also if the CPU's do not */
	bool smstateen; /* the harts have Smstateen: mstateen CSRs gate state of lower modes */
	bool svade; /* the harts have no Svadu: software sets the A and D bits */
	bool semihosting;
	unsigned trace; /* TRACE_ */
	FILE *trace_to;
	int console_in, console_out;
	const char *drive; /* a disk image, or NULL */
	bool drive_read_only;
	const char *share; /* a folder for 9p, tag "share", or NULL */
	bool network;
	bool network_host; /* the guest reaches the host's 127.0.0.1 as 10.0.2.2 */
	struct virtio_console_port port[VIRTIO_CONSOLE_PORTS]; /* the virtio console's ports */
	unsigned ports; /* 0: there is no virtio console */
};

/* Whether misaligned accesses trap: the CPU's do, or the option says so. */
static inline bool machine_traps_misaligned(const struct machine_options *o)
{
	return o->trap_misaligned || (o->cpu && o->cpu->trap_misaligned);
}

struct machine {
	struct machine_options o;
	struct cluster cl; /* the harts, RAM, and what they share */
	uint64_t hz; /* the clock of the harts */

	struct board board;
	struct device *device[DEVICES_MAX];
	unsigned devices;
	struct device *clint, *plic, *serial;

	struct hart *current; /* the hart that runs, or NULL */
	uint64_t now, end; /* the cycles at which this round begins and ends */
	unsigned turn; /* the hart whose turn it is; cl.harts: between two rounds */
	bool ran; /* some hart has run in this round */
	uint64_t next_poll; /* the cycle of the next look at the host's input */
	uint64_t pause_at; /* cycles; see machine_pause_at */
	uint64_t pace_guest, pace_host; /* realtime: these two, in ns, are the same moment */
	struct wake wake[WAKES_MAX];
	struct watch watch[WAKES_MAX];
	unsigned watches;
	void (*end_fn)(struct machine *m); /* called while board.end_fd is readable */

	bool paused; /* machine_run has returned because of machine_pause or machine_pause_at */
	bool reboot; /* cl.finished is set because the guest asked for a reboot */
	int status;
	const char *stuck; /* why the machine cannot go on, or NULL; may point to stuck_text */
	char stuck_text[160];
	int host_error; /* the errno of the host that made it stuck, or 0 */
	/* Prints a line about a mistake of the guest, which goes on; NULL: nobody wants it. */
	void (*warn)(struct machine *m, const char *line);
	struct debug debug;
	struct exact *exact; /* an exact profile (exact.h), or NULL */

	struct htif htif;
	uint64_t entry; /* the pc of all harts after a reset */
	uint64_t boot_arg[3]; /* a1, a2 */
	uint8_t rom[4096];
};

/* Creates a machine.  Returns NULL, with one line in *why, when it cannot. */
struct machine *machine_create(const struct machine_options *o, struct error_text *why);
void machine_destroy(struct machine *m);

/* Resets harts and devices as after power-on; harts start at m->entry.  RAM keeps its content. */
void machine_reset(struct machine *m);

/*
 * Runs until the guest has finished and returns its status.  It also returns to pause (m->paused
 * is set), and when a debugger stops the machine (m->debug.stop says why); when it is called again
 * after these, the guest goes on as if it had not stopped.
 */
int machine_run(struct machine *m);

/*
 * Asks machine_run to return at the end of the round.  May be called from machine_run's callbacks,
 * and when machine_run does not run: its next call then returns at once.
 */
void machine_pause(struct machine *m);

/* Guest time in nanoseconds: of the machine between rounds, and of a hart outside of its turn. */
uint64_t machine_ns(const struct machine *m);
uint64_t machine_hart_ns(const struct machine *m, unsigned hart);

/*
 * Asks machine_run to return at the end of the first round that reaches guest time ns.  It does not
 * make a round shorter: harts would then take turns at other moments.  UINT64_MAX: never.
 */
void machine_pause_at(struct machine *m, uint64_t ns);

/*
 * Calls fn(m) between rounds while fd (not 0) is readable; fn must finish the machine.  Code that
 * waits for the host looks at fd, too (board.end_fd).  It is not a watch: when no device watches
 * anything and all harts wait, nothing can wake them, and the machine fails.
 */
void machine_end_when(struct machine *m, int fd, void (*fn)(struct machine *m));

/*
 * Waits, while a debugger has stopped the machine, until m->debug.fd is readable or the user has
 * ended the machine at the console.  It leaves other input alone, so that the guest does not get
 * it earlier than without a debugger.
 */
void machine_wait(struct machine *m);

/* The machine of a hart. */
static inline struct machine *machine_of(const struct hart *h)
{
	return h->cl->bus.opaque;
}

/* Reads or writes a device.  False: no device takes this access. */
bool machine_io_read(struct machine *m, uint64_t pa, unsigned bytes, uint64_t *value);
bool machine_io_write(struct machine *m, uint64_t pa, unsigned bytes, uint64_t value);

/*
 * The guest or a device has written RAM at pa.  Drops the blocks decoded from these bytes, and
 * calls htif_written if the page holds tohost or fromhost.  Global for tests.
 */
void machine_ram_written(struct machine *m, uint64_t pa, uint64_t len);

void machine_finish(struct machine *m, int status, bool reboot);

/* Ends a machine that cannot go on.  why is one line, and must live as long as the machine. */
void machine_fail(struct machine *m, const char *why);

#endif
