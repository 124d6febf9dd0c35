/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * devices.h - the devices, and the functions that create them.  The door of sim/dev.
 *
 * Addresses, interrupt numbers and behaviour are those of QEMU's virt machine, so that images for
 * that machine boot unchanged.  Each function returns a device in its reset state.  The caller owns
 * the device and frees it through destroy.  A function returns NULL when there is no memory.  A
 * function that takes a struct error_text writes the reason there.
 *
 * Interrupt lines are copied.  All other objects that are passed by pointer (board, PLIC) must
 * outlive the device.
 */
#ifndef SIM_DEVICES_H
#define SIM_DEVICES_H

#include "device.h"
#include "errtext.h"

/*
 * CLINT: the software interrupts and timers of nr harts, at most CLINT_HARTS. msip[hart] and
 * mtip[hart] are its output lines.  Specification: RISC-V ACLINT 1.0-rc4, the MSWI and MTIMER at
 * their CLINT offsets.
 */
#define CLINT_BASE  0x2000000ull
#define CLINT_HZ    10000000u /* timebase-frequency of /cpus */
#define CLINT_HARTS 64
struct device *clint_create(const struct board *board, unsigned nr, const struct irq *msip,
			    const struct irq *mtip);

/*
 * Returns mtime, which a hart's time CSR shows: guest time in ticks plus the offset that software
 * has set.
 */
uint64_t clint_time(const struct device *clint);

/*
 * Returns the guest time in nanoseconds at which mtime reaches tick (for stimecmp).  Returns 0 if
 * mtime has already reached it, UINT64_MAX if it never will.
 */
uint64_t clint_when(const struct device *clint, uint64_t tick);

/*
 * PLIC with level-triggered sources 1 to PLIC_SOURCES.  Each of nr harts has two contexts: M-mode
 * drives line meip[hart], S-mode drives line seip[hart].  Specification: RISC-V PLIC 1.0.0.
 */
#define PLIC_BASE    0xc000000ull
#define PLIC_SOURCES 96
#define PLIC_HARTS   64
struct device *plic_create(const struct board *board, unsigned nr, const struct irq *meip,
			   const struct irq *seip);

/* Returns the input line of source num.  The caller gives it to a device. */
struct irq plic_line(struct device *plic, unsigned num);

/*
 * The finisher.  A 32-bit write to it ends the machine through board->finish: 0x5555 is success,
 * 0x3333 | status << 16 is failure, 0x7777 is reboot.  Its device-tree node is a syscon, to which
 * the nodes /poweroff and /reboot refer.
 */
#define FINISHER_BASE 0x100000ull
struct device *finisher_create(const struct board *board);

/*
 * NS16550A.  It reads input from descriptor in and writes output to descriptor out.  in -1: there
 * is no input.  out -1: output is dropped.  The caller still owns the descriptors; their flags
 * (O_NONBLOCK) do not change.  Output is delayed by at most a millisecond of guest time.  destroy
 * and save write out all of it.
 */
#define SERIAL_BASE 0x10000000ull
#define SERIAL_IRQ  10
struct device *serial_create(const struct board *board, struct irq irq, int in, int out);
/* True if the guest has read all input and there will be no more. */
bool serial_ended(const struct device *d);

/*
 * Goldfish RTC.  The date, in nanoseconds since 1970, is epoch_ns plus guest time, so each run sees
 * the same dates.  With RTC_HOST, reset and restore choose the epoch such that the date is the
 * host's.
 */
#define RTC_BASE  0x101000ull
#define RTC_IRQ	  11
#define RTC_EPOCH 1767225600000000000ull /* 2026-01-01 */
#define RTC_HOST  UINT64_MAX
struct device *rtc_create(const struct board *board, struct irq irq, uint64_t epoch_ns);

/*
 * virtio over MMIO (virtio 1.2 §4.2, version 2).  Slot n of VIRTIO_SLOTS is at VIRTIO_BASE + n *
 * VIRTIO_STRIDE and has interrupt VIRTIO_IRQ + n.  A slot without a device has the registers of
 * virtio_none_create, which Linux and U-Boot skip.
 */
#define VIRTIO_BASE   0x10001000ull
#define VIRTIO_STRIDE 0x1000ull
#define VIRTIO_IRQ    1
#define VIRTIO_SLOTS  8

/* The slot of a virtio device. */
struct virtio_slot {
	const struct board *board;
	unsigned num;
	struct irq irq;
};

struct device *virtio_none_create(struct virtio_slot slot);

/*
 * A disk from the raw image file at path, in whole sectors of 512 bytes.  The file is locked
 * against a second writer.
 */
struct virtio_blk_options {
	const char *path;
	bool read_only;
	const char *serial; /* at most 20 bytes, NULL for none */
};

struct device *virtio_blk_create(struct virtio_slot slot, const struct virtio_blk_options *o,
				 struct error_text *why);

/*
 * Consoles.  If console is set, a port is a terminal (hvc0, ...).  Otherwise it is a byte stream
 * (/dev/vportNpM) whose name stands in /sys/class/virtio-ports.  in and out are as for
 * serial_create.  A port without out closes when its input ends; its reader then sees the end of
 * the file.  A port with out stays open, because Linux blocks a process that writes to a closed
 * port.  A driver without multiport (U-Boot) sees port 0 only.
 */
#define VIRTIO_CONSOLE_PORTS 8
struct virtio_console_port {
	const char *name; /* NULL for none */
	bool console;
	int in, out;
	void (*output)(void *arg); /* called before bytes go to out; may be NULL */
	void *output_arg;
};

struct device *virtio_console_create(struct virtio_slot slot,
				     const struct virtio_console_port *ports, unsigned nr);

/* Random numbers from a stream that seed determines.  VIRTIO_RNG_HOST: from the host. */
#define VIRTIO_RNG_HOST UINT64_MAX
struct device *virtio_rng_create(struct virtio_slot slot, uint64_t seed);

/*
 * A shared folder, over 9P2000.L.  The guest has the rights of this process, and never leaves the
 * folder (p9_path.c tells how).  With as_root, user and group 0 own every file, and a change of
 * owner is ignored.  Otherwise the guest sees the real owners.
 */
struct virtio_9p_options {
	const char *path;
	const char *tag; /* the name that the guest mounts; at most 32 bytes */
	bool read_only, as_root;
};

struct device *virtio_9p_create(struct virtio_slot slot, const struct virtio_9p_options *o,
				struct error_text *why);

/*
 * A network card behind user-mode NAT (libslirp): network 10.0.2.0/24, gateway 10.0.2.2, DNS
 * 10.0.2.3, guest 10.0.2.15 by DHCP. forward lists host ports of 127.0.0.1 that lead to a port of
 * the guest.  An entry with host port 0 ends the list.  forward may be NULL.  In a build without
 * libslirp the function fails and why says so.
 *
 * libslirp's timeouts use guest time, and the remote hosts use real time.  So in a machine with a
 * network, idle guest time passes no faster than real time.
 */
struct virtio_net_forward {
	uint16_t host, guest;
	bool udp;
};

struct virtio_net_options {
	uint8_t mac[6]; /* all zero: 52:54:00:12:34:56 */
	const struct virtio_net_forward *forward;
	bool restricted; /* the guest reaches only the forwards */
	bool host; /* 10.0.2.2 is the host's 127.0.0.1; false: the guest cannot reach it */
};

struct device *virtio_net_create(struct virtio_slot slot, const struct virtio_net_options *o,
				 struct error_text *why);

#endif
