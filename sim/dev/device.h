/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * device.h - the interface between a device and the machine.
 *
 * A device has registers at an address, a few functions, and its own node in the device tree.  The
 * same file makes the node and the hardware, so that they always agree.  A device knows nothing
 * about harts.  It reaches guest memory, interrupt lines, guest time and host input through struct
 * board.  So a test can run a device with a board of a few lines.
 *
 * Determinism: a device changes only when the guest accesses it, when guest time reaches a time
 * that the device asked for, or when host input arrives.  Only host input is not deterministic.
 * The machine chooses between which instructions it delivers that input.  A device reads the host's
 * clock only if an option says so (--realtime).
 *
 * Everything that comes from the guest is hostile: addresses, lengths, queue contents.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream.h"

/* An interrupt line.  A device calls set when the level changes.  A repeated call is harmless. */
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

/*
 * The services of the machine for its devices.  The machine owns the board.  The board outlives
 * every device.
 */
struct board {
	void *opaque;

	/*
	 * Returns the host address of len bytes of guest RAM at guest-physical address addr; NULL
	 * unless all of them are RAM.  A device that writes through this pointer calls ram_written
	 * after the write.  The machine then drops translated code and reservations on those bytes.
	 */
	void *(*ram)(void *opaque, uint64_t addr, uint64_t len);
	void (*ram_written)(void *opaque, uint64_t addr, uint64_t len);

	/* Guest time in nanoseconds since reset: of the hart that runs, if one does. */
	uint64_t (*now)(void *opaque);

	/*
	 * Guest time that a hart has reached.  It can be earlier than now(): harts take turns, and
	 * another one may be ahead.
	 */
	uint64_t (*hart_now)(void *opaque, unsigned hart);

	/*
	 * Calls fn(arg) once, when guest time reaches at_ns.  UINT64_MAX cancels the call.  Each
	 * pair (fn, arg) has at most one such time; a new one replaces it.
	 */
	void (*wake_at)(void *opaque, uint64_t at_ns, void (*fn)(void *arg), void *arg);

	/*
	 * Calls fn(arg) between instructions while the host descriptor fd is readable or at its
	 * end.  The calls repeat (level-triggered) until the device has read the input, or cancels
	 * with fd -1.  Each pair (fn, arg) has at most one descriptor; a new one replaces it.  A
	 * callback may call watch_fd.
	 */
	void (*watch_fd)(void *opaque, int fd, void (*fn)(void *arg), void *arg);

	/* The guest ends the machine.  status 0 is success.  reboot: it asks for a restart. */
	void (*finish)(void *opaque, int status, bool reboot);

	/*
	 * The host returned an error (errno value) to the device, and the machine must end.  why:
	 * one line of text with static lifetime.  May be NULL.
	 */
	void (*fail)(void *opaque, int error, const char *why);

	/*
	 * The machine is told to end when this descriptor is readable.  From then on a device does
	 * not wait for a slow reader of its output. 0: there is no such descriptor.
	 */
	int end_fd;
};

/* For poll(), which ignores a descriptor of -1. */
static inline int board_end_fd(const struct board *b)
{
	return b->end_fd ? b->end_fd : -1;
}

/*
 * One device.  Its xxx_create function allocates it and fills it in.  The machine owns it and frees
 * it through destroy.
 */
struct device {
	const char *name; /* the usual name, as in the device tree: "serial" */
	const char *kind; /* the kind of device, where name does not tell it: "disk"; else NULL */
	uint64_t base, size; /* guest-physical */
	uint8_t min_bytes, max_bytes; /* permitted access widths; others are access faults */
	const struct board *board;
	void *state;

	/* offset is less than size and aligned to bytes, which is min_bytes to max_bytes. */
	uint64_t (*read)(struct device *d, uint64_t offset, unsigned bytes);
	void (*write)(struct device *d, uint64_t offset, unsigned bytes, uint64_t value);

	/*
	 * reset: puts the device into the state after power-on.  save: writes the device's state.
	 * restore: reads the state into a device that was created with the same options.  It sets
	 * the interrupt lines and asks for the wake again, so the machine restores guest time and
	 * RAM first.  It returns false if the stream ends too early or its content is not a
	 * possible state.  The device is then in its reset state.
	 */
	void (*reset)(struct device *d);
	bool (*save)(struct device *d, const struct stream *s);
	bool (*restore)(struct device *d, const struct stream *s);
	void (*destroy)(struct device *d);

	/*
	 * Adds the node of the device under the node at offset soc, in a tree that libfdt can
	 * write.  Returns a negative libfdt error on failure.  plic is the phandle of the interrupt
	 * controller; plic + 1 is the phandle of the finisher.  The nodes
	 * /cpus/cpu@N/interrupt-controller of the harts already exist, with their phandles.  A
	 * device may add nodes outside soc, so the caller looks up soc again after the call.
	 */
	int (*dt)(struct device *d, void *fdt, int soc, uint32_t plic);
};

#endif
