/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * device.h - what a device is to the machine, and the machine to a device.
 *
 * A device is a value: registers at an address, a few functions, and its own node of the device
 * tree, made in the same file as the hardware so that the two cannot drift apart.  A device
 * knows nothing of harts: it sees guest memory, interrupt lines, guest time and host input
 * through struct board, and can be tested with a board of a few lines.
 *
 * Determinism: a device changes only when the guest touches it, when guest time reaches a moment
 * it asked for, or when host input arrives (the one thing that is not deterministic, and that
 * the machine delivers between instructions of its choice).  It never asks the host for the time
 * unless it was told to (--realtime).
 *
 * Everything that comes from the guest is hostile: addresses, lengths, queue contents.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../stream.h"

/* An interrupt line.  set is called when the level changes; calling it again does no harm. */
struct irq {
	void (*set)(void *opaque, unsigned num, bool level);
	void *opaque;
	unsigned num;
};

static inline void irq_set(const struct irq *line, bool level)
{
	if (line->set)
		line->set(line->opaque, line->num, level);
}

/* What the machine does for its devices.  Owned by the machine, outlives every device. */
struct board {
	void *opaque;

	/*
	 * The host address of len bytes of guest RAM at guest-physical addr; NULL unless all of
	 * them are RAM.  A write through it must be told with ram_written, so that translated
	 * code and reservations on those bytes are dropped.
	 */
	void *(*ram)(void *opaque, uint64_t addr, uint64_t len);
	void (*ram_written)(void *opaque, uint64_t addr, uint64_t len);

	/* Guest time in nanoseconds since reset. */
	uint64_t (*now)(void *opaque);

	/*
	 * Calls fn(arg) once when guest time reaches at_ns; UINT64_MAX cancels.  Each (fn, arg)
	 * has at most one such moment; a new one replaces it.
	 */
	void (*wake_at)(void *opaque, uint64_t at_ns, void (*fn)(void *arg), void *arg);

	/*
	 * Calls fn(arg) between instructions while host descriptor fd is readable (or at its end).
	 * Level-triggered: until it is read, or the interest ends with fd -1.  Each (fn, arg) has
	 * at most one descriptor; a new one replaces it.  Callbacks may call watch_fd.
	 */
	void (*watch_fd)(void *opaque, int fd, void (*fn)(void *arg), void *arg);

	/* The guest asked to end: status 0 is success.  reboot: to start anew instead. */
	void (*finish)(void *opaque, int status, bool reboot);

	/*
	 * The host has failed the device, with this errno, and the machine ends; why: one line that
	 * stays.  May be NULL.
	 */
	void (*fail)(void *opaque, int error, const char *why);

	/*
	 * While this descriptor is readable all is to end: output whose reader does not take it is
	 * not waited for any more.  0: there is none.
	 */
	int end_fd;
};

/* For poll(), which looks past -1. */
static inline int board_end_fd(const struct board *b)
{
	return b->end_fd ? b->end_fd : -1;
}

/*
 * One device.  Filled in by its xxx_create function, which allocates it; owned by the machine,
 * freed through destroy.
 */
struct device {
	const char *name; /* the field's name for it, as in the device tree: "serial" */
	const char *kind; /* what it is, where the name does not say: "disk"; NULL */
	uint64_t base, size; /* guest-physical */
	uint8_t min_bytes, max_bytes; /* access widths it takes; others are access faults */
	const struct board *board;
	void *state;

	/* offset is within size and aligned to bytes, bytes within min and max. */
	uint64_t (*read)(struct device *d, uint64_t offset, unsigned bytes);
	void (*write)(struct device *d, uint64_t offset, unsigned bytes, uint64_t value);

	/*
	 * reset: as after power-on.  save writes the device's state; restore reads it into a
	 * device that was created with the same options, sets its interrupt lines and asks again
	 * for its wake_at, so guest time and RAM are restored before; false: the stream ended or
	 * does not hold a possible state, and the device then stands as after reset.
	 */
	void (*reset)(struct device *d);
	bool (*save)(struct device *d, const struct stream *s);
	bool (*restore)(struct device *d, const struct stream *s);
	void (*destroy)(struct device *d);

	/*
	 * Adds its node to the tree under the node at offset soc (libfdt's writable tree; a
	 * negative libfdt error on failure).  plic: phandle of the interrupt controller; plic + 1
	 * is the finisher's.  The harts' nodes /cpus/cpu@N/interrupt-controller, with phandles,
	 * are in the tree before.  A device may add nodes outside soc: look soc up again after.
	 */
	int (*dt)(struct device *d, void *fdt, int soc, uint32_t plic);
};

#endif
