/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h - the machine: harts, memory, devices, time.
 *
 *	0x00001000  ROM: fw_dynamic's information	rom.c
 *	0x00100000  finisher				dev/finisher.c
 *	0x00101000  RTC					dev/rtc.c
 *	0x02000000  CLINT				dev/clint.c
 *	0x0c000000  PLIC				dev/plic.c
 *	0x10000000  serial				dev/serial.c
 *	0x10001000  eight virtio slots			dev/virtio*.c
 *	0x80000000  RAM; firmware at its beginning
 *
 * as on QEMU's virt machine.  Time: a hart's clock is 1 GHz, so that a cycle is a nanosecond of
 * guest time, and an instruction takes a cycle or, with models on, what these say (timing.h); mtime
 * has 10 MHz.  Harts take turns of machine.quantum cycles, always in the same
 * order; when all wait, time jumps to the next thing that will happen (but see realtime).
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cpu.h"
#include "debug.h"
#include "dev/device.h"
#include "dev/devices.h"
#include "hart.h"
#include "htif.h"
#include "isa.h"

#define HARTS_MAX      8
#define MACHINE_AS_CPU UINT_MAX
#define DEVICES_MAX    24
#define WAKES_MAX      32
#define ROM_BASE       0x1000ull
#define RAM_BASE       0x80000000ull

/* What is traced: -d. */
#define TRACE_INSN 1
#define TRACE_CSR  2
#define TRACE_TRAP 4
#define TRACE_PMU  8
#define TRACE_MMU  16

/* A page of RAM: which of its 64-byte pieces hold decoded code or are watched. */
struct page {
	uint64_t code, watch;
	struct block *blocks;
};

struct wake {
	uint64_t at;
	void (*fn)(void *arg);
	void *arg;
};

struct watch {
	int fd;
	void (*fn)(void *arg);
	void *arg;
};

struct block_cache;
struct exact;

struct machine_options {
	unsigned harts; /* 1 to HARTS_MAX */
	uint64_t memory; /* bytes of RAM, a multiple of 4 KiB */
	const struct cpu *cpu; /* borrowed; NULL: every event and extension, no models */
	unsigned counters; /* programmable ones, 0 to 29; MACHINE_AS_CPU: as the CPU has */
	unsigned width; /* of these, bits: 1 to 64, or MACHINE_AS_CPU */
	bool models; /* the CPU's models are on, if it has any */
	uint64_t quantum; /* cycles a turn; 0: the default */
	/*
	 * Of the random numbers that the guest draws, and of the models' random replacement, which 1
	 * leaves as the CPU's description has it; below UINT64_MAX.
	 */
	uint64_t seed;
	/*
	 * Guest time passes no faster than the host's: it waits where it would run ahead, and time
	 * in which all harts wait takes as long as the host's.  What the guest is behind is not
	 * made up. The RTC shows the host's date.  Not deterministic.  A network implies it.
	 */
	bool realtime;
	bool paranoid; /* one TLB line, no kept blocks, one instruction at a time */
	bool trap_misaligned; /* leave misaligned accesses to software */
	bool smstateen; /* Smstateen exists, and lower modes need leave */
	bool svade; /* no Svadu: A and D bits are software's */
	bool semihosting;
	unsigned trace; /* TRACE_ */
	FILE *trace_to;
	int console_in, console_out;
	const char *drive; /* a disk image, or NULL */
	bool drive_read_only;
	const char *share; /* a folder for 9p, tag "share", or NULL */
	bool network;
	bool network_host; /* its 10.0.2.2 is the host's 127.0.0.1 */
	struct virtio_console_port port[VIRTIO_CONSOLE_PORTS]; /* of a virtio console */
	unsigned ports; /* 0: there is no such console */
};

struct machine {
	struct machine_options o;
	struct isa_index isa;
	struct pmu_table pmu; /* what every hart's counters can count */
	unsigned models; /* MODEL_: those that are on: all or none */
	struct cpu_models *shape; /* the CPU's, varied by seed; NULL: the models are off */
	struct memory *memory; /* caches, and cost: NULL if they are off */
	struct cost *cost;
	uint64_t mvendorid, marchid, mimpid;
	uint64_t extensions; /* CPU_ISA bits: what each hart has */
	enum cpu_mmu mmu;
	struct hart *hart[HARTS_MAX];
	unsigned harts;

	uint8_t *ram;
	uint64_t ram_size;
	struct page *page;
	struct block_cache *blocks;
	uint64_t block_epoch; /* changes when blocks are freed */

	struct board board;
	struct device *device[DEVICES_MAX];
	unsigned devices;
	struct device *clint, *plic;

	struct hart *current; /* the hart that runs, or NULL */
	uint64_t now, end; /* time of this round, and where it ends */
	unsigned turn; /* whose turn it is in this round; all harts': there is no round */
	bool ran; /* some hart has run in this round */
	uint64_t next_poll; /* when to look at the host's input again */
	uint64_t pause_at; /* see machine_pause_at */
	uint64_t pace_guest, pace_host; /* realtime: guest time at a moment of the host's clock */
	struct wake wake[WAKES_MAX];
	struct watch watch[WAKES_MAX];
	unsigned watches;
	void (*end_fn)(struct machine *m); /* while board.end_fd is readable */

	bool paused; /* why machine_run returned, if not finished */
	bool finished, reboot;
	int status;
	const char *stuck; /* why it ended without finishing: may be in stuck_text */
	char stuck_text[160];
	int host_error; /* the errno because of which it is stuck, or 0 */
	struct debug debug;
	struct exact *exact; /* an exact profile (exact.h), or NULL */

	struct htif htif;
	uint64_t entry; /* where harts start */
	uint64_t boot_arg[3]; /* a1, a2 */
	uint8_t rom[4096];
};

/* Makes a machine; NULL, with one line in *why, when it cannot. */
struct machine *machine_create(const struct machine_options *o, struct dev_why *why);
void machine_destroy(struct machine *m);

/*
 * Bytes of host memory that the harts, their models, the code they have decoded and what is known
 * of pages take, guest RAM, devices and an exact profile apart.  Fixed when the machine is made; it does not grow with what the guest does.
 */
uint64_t machine_overhead(const struct machine *m);

/* As after power-on: harts at m->entry, devices reset.  What is loaded stays. */
void machine_reset(struct machine *m);

/*
 * Runs until the guest has finished; its status.  Or until it is to pause: then m->paused.  Or
 * until a debugger stops it (m->debug.stop says why).  Called again it goes on as if nothing had
 * been.
 */
int machine_run(struct machine *m);

/*
 * Asks machine_run to return soon (between instructions, at the end of a round); it can be called
 * again and goes on as if nothing had been.  May be called from within machine_run's callbacks,
 * and when it does not run: it then returns at once.
 */
void machine_pause(struct machine *m);

/*
 * The same at guest time ns: at the end of the first round that reaches it.  Rounds are never cut
 * short for it, because harts would then take turns at other moments.  UINT64_MAX: not any more.
 */
void machine_pause_at(struct machine *m, uint64_t ns);

/*
 * While fd (not 0) is readable, all is to end (board.end_fd), and fn(m), which is to finish the
 * machine, is called before a round.  What a device watches is something that harts may wait
 * for; this is not.
 */
void machine_end_when(struct machine *m, int fd, void (*fn)(struct machine *m));

/*
 * snapshot.c: what these options decide of a machine; two whose values are all equal are the same
 * machine.  Row n, from 0 on: the option's name and its value (of a CPU, the identity of its
 * description).  False: there are no more.
 */
bool machine_shape(const struct machine_options *o, unsigned n, const char **name, uint64_t *value);

/*
 * snapshot.c: the whole machine in a file; between instructions (never from within machine_run's
 * callbacks).  A file at path is replaced only when the new one is whole.  The machine is not
 * changed by it: it may run on, and counts what it would have.  False, with one line in *why.
 */
bool machine_save(struct machine *m, const char *path, struct dev_why *why);

/*
 * Restores into a machine made with machine_create by the same options (instead of machine_load
 * + machine_reset).  False, with one line in *why: the file is refused, and the machine cannot
 * run; it is to be destroyed, or loaded and reset.  What the host has (a drive's image, the
 * files of a share) is as it is now.  pmu.all of the harts is as saved.
 */
bool machine_restore(struct machine *m, const char *path, struct dev_why *why);

/*
 * Sets in *o what a snapshot was made with: harts, memory, counters, width, quantum, models,
 * paranoid, trap_misaligned, smstateen, svade, semihosting, network; the rest stays.  And in cpu the name
 * of its CPU, "" if it had no description.  False, with one line in *why.
 */
bool machine_snapshot_options(const char *path, struct machine_options *o, char cpu[CPU_NAME_SIZE],
			      struct dev_why *why);

/*
 * While a debugger has stopped it: waits until m->debug.fd is readable, or the person at the
 * console has ended the machine.  Other input has to wait, so that the guest does not get it
 * earlier than it would have.
 */
void machine_wait(struct machine *m);

/* RAM at physical pa, NULL unless all of len bytes are. */
static inline void *machine_ram(const struct machine *m, uint64_t pa, uint64_t len)
{
	uint64_t offset = pa - RAM_BASE;

	if (offset >= m->ram_size || len > m->ram_size - offset)
		return NULL;
	return m->ram + offset;
}

static inline bool machine_has(const struct machine *m, enum isa_ext ext)
{
	return m->extensions >> ext & 1;
}

/* One of T-Head's C9xx, on the identity that they share. */
static inline bool machine_is_thead(const struct machine *m)
{
	return m->mvendorid == 0x5b7 && !m->marchid;
}

static inline struct page *machine_page(const struct machine *m, uint64_t pa)
{
	return &m->page[(pa - RAM_BASE) >> PAGE_SHIFT];
}

/* board.c: makes the devices */
bool board_create(struct machine *m, struct dev_why *why);

/* Devices; false: nothing there takes this access. */
bool machine_io_read(struct machine *m, uint64_t pa, unsigned bytes, uint64_t *value);
bool machine_io_write(struct machine *m, uint64_t pa, unsigned bytes, uint64_t value);

/* The guest writes RAM at pa, or DMA has: code and reservations there go, tohost is looked at. */
void machine_ram_written(struct machine *m, uint64_t pa, uint64_t len);

void machine_finish(struct machine *m, int status, bool reboot);

/* Ends the machine, which cannot go on: why (which stays) is one line. */
void machine_fail(struct machine *m, const char *why);

/* fdt.c: the machine's device tree in to[size]; 0 or a negative libfdt error. */
struct boot_words {
	const char *append; /* or NULL */
	uint64_t initrd, initrd_end; /* or 0 */
	bool memory; /* RAM's size was asked for: a given tree's is replaced by it */
};
int machine_fdt(struct machine *m, const struct boot_words *w, void *to, int size);

/* In /chosen, what Linux's random numbers start from, by the machine's seed.  As machine_fdt. */
int machine_fdt_seed(const struct machine *m, void *fdt, int chosen);

/*
 * fdt_given.c: another tree, from[from_size], in to[size]: checked whole, and with what w says
 * filled in; false, with the reason, without the file's name, in *why.
 */
bool machine_fdt_given(struct machine *m, const struct boot_words *w, const void *from,
		       uint64_t from_size, void *to, int size, struct dev_why *why);

/* load.c: what the machine starts; each may be NULL. */
struct boot {
	const char *firmware, *kernel, *initrd, *append, *program;
	const char *dtb; /* instead of the machine's own device tree */
	bool memory; /* as in struct boot_words */
};
/* False, with one line in *why.  The device tree is at m->boot_arg[0] then. */
bool machine_load(struct machine *m, const struct boot *b, struct dev_why *why);

/* semihost.c: ebreak between the two hints (h->pc at it); true if it was one and is done. */
bool semihost_call(struct hart *h);

#endif
