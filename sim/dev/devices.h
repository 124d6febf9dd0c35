/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * devices.h - the devices there are, and how each is made.
 *
 * Addresses, interrupt numbers and behaviour are those of QEMU's virt machine, so that images
 * made for it boot unchanged.  Each function returns a device in its reset state, owned by the
 * caller and freed through its destroy; NULL when there is no memory, or, where it takes a
 * struct dev_why, for the reason told there.
 *
 * Lines are copied; what else is passed by pointer (board, PLIC) outlives the device.
 */
#ifndef SIM_DEVICES_H
#define SIM_DEVICES_H

#include "device.h"

/* Why a device could not be made: one line, without the program's name.  Room for a path. */
struct dev_why {
	char text[4096 + 256];
};

/*
 * CLINT: software interrupts and timer of nr harts (at most CLINT_HARTS), lines msip[hart] and
 * mtip[hart].  Specification: RISC-V ACLINT 1.0-rc4, the MSWI and MTIMER at their CLINT offsets.
 */
#define CLINT_BASE  0x2000000ull
#define CLINT_HZ    10000000u /* timebase-frequency of /cpus */
#define CLINT_HARTS 64
struct device *clint_create(const struct board *board, unsigned nr, const struct irq *msip,
			    const struct irq *mtip);

/* mtime: what a hart's time CSR shows.  Guest time in ticks, plus what software has written. */
uint64_t clint_time(const struct device *clint);

/*
 * The guest time in nanoseconds at which mtime reaches tick (for stimecmp), UINT64_MAX when it
 * never does; 0 when it has.
 */
uint64_t clint_when(const struct device *clint, uint64_t tick);

/*
 * PLIC: sources 1 to PLIC_SOURCES, level-triggered; for each of nr harts two contexts, M (line
 * meip[hart]) and S (seip[hart]).  Specification: RISC-V PLIC 1.0.0.
 */
#define PLIC_BASE    0xc000000ull
#define PLIC_SOURCES 96
#define PLIC_HARTS   64
struct device *plic_create(const struct board *board, unsigned nr, const struct irq *meip,
			   const struct irq *seip);

/* The line into the PLIC of source num, to be given to a device. */
struct irq plic_line(struct device *plic, unsigned num);

/*
 * The finisher: a 32-bit word written to it ends the machine through board->finish
 * (0x5555 success, 0x3333 | status << 16 failure, 0x7777 reboot).  Its node is a syscon, and
 * /poweroff and /reboot name it.
 */
#define FINISHER_BASE 0x100000ull
struct device *finisher_create(const struct board *board);

/*
 * NS16550A.  Input from descriptor in, output to descriptor out, either may be -1 (nothing,
 * nowhere).  The descriptors stay the caller's and are not changed (O_NONBLOCK).  Output is
 * held back for at most a millisecond of guest time, and is out after destroy and save.
 */
#define SERIAL_BASE 0x10000000ull
#define SERIAL_IRQ  10
struct device *serial_create(const struct board *board, struct irq irq, int in, int out);

/*
 * Goldfish RTC.  Nanoseconds since 1970 are epoch_ns plus guest time, so that each run sees the
 * same dates; with RTC_HOST the epoch is set at reset and restore to make it the host's time.
 */
#define RTC_BASE  0x101000ull
#define RTC_IRQ	  11
#define RTC_EPOCH 1767225600000000000ull /* 2026-01-01 */
#define RTC_HOST  UINT64_MAX
struct device *rtc_create(const struct board *board, struct irq irq, uint64_t epoch_ns);

/*
 * virtio over MMIO (virtio 1.2 §4.2, version 2): slot n of VIRTIO_SLOTS stands at VIRTIO_BASE +
 * n * VIRTIO_STRIDE with interrupt VIRTIO_IRQ + n.  A slot without a device is virtio_none: Linux
 * and U-Boot skip it.
 */
#define VIRTIO_BASE   0x10001000ull
#define VIRTIO_STRIDE 0x1000ull
#define VIRTIO_IRQ    1
#define VIRTIO_SLOTS  8

/* Where a virtio device is put. */
struct virtio_slot {
	const struct board *board;
	unsigned num;
	struct irq irq;
};

struct device *virtio_none_create(struct virtio_slot slot);

/* A disk: the raw image at path, whole sectors of 512 bytes.  Locked against a second writer. */
struct virtio_blk_options {
	const char *path;
	bool read_only;
	const char *serial; /* at most 20 bytes, NULL for none */
};

struct device *virtio_blk_create(struct virtio_slot slot, const struct virtio_blk_options *o,
				 struct dev_why *why);

/*
 * Consoles.  A port is a terminal (hvc0, ...) when console is set, else a byte stream
 * (/dev/vportNpM, called name in /sys/class/virtio-ports).  in and out as for serial_create.  A
 * port without out closes when its input ends, which is the end of file for its reader; one
 * with out stays open, because Linux blocks who writes to a closed port.  A driver without
 * multiport (U-Boot) sees port 0 only.
 */
#define VIRTIO_CONSOLE_PORTS 8
struct virtio_console_port {
	const char *name; /* NULL for none */
	bool console;
	int in, out;
};

struct device *virtio_console_create(struct virtio_slot slot,
				     const struct virtio_console_port *ports, unsigned nr);

/* Random numbers: a stream that seed determines; VIRTIO_RNG_HOST takes the host's instead. */
#define VIRTIO_RNG_HOST UINT64_MAX
struct device *virtio_rng_create(struct virtio_slot slot, uint64_t seed);

/*
 * A shared folder, as 9P2000.L.  What the guest does in it happens with the rights of this
 * process and never outside of the folder: see p9_path.c for how.  as_root shows every file as
 * owned by user and group 0 and ignores changes of owner, otherwise owners are as they are.
 */
struct virtio_9p_options {
	const char *path;
	const char *tag; /* what the guest mounts; at most 32 bytes */
	bool read_only, as_root;
};

struct device *virtio_9p_create(struct virtio_slot slot, const struct virtio_9p_options *o,
				struct dev_why *why);

/*
 * A network card behind user-mode NAT (libslirp): 10.0.2.0/24, gateway 10.0.2.2, DNS 10.0.2.3,
 * guest 10.0.2.15 by DHCP.  forward: host ports of 127.0.0.1 that lead to a port of the guest,
 * ended by one with host port 0; may be NULL.  Built without libslirp, it fails and says so.
 *
 * Its timeouts run on guest time and its peers on the host's: a machine with a network lets idle
 * guest time pass no faster than the host's.
 */
struct virtio_net_forward {
	uint16_t host, guest;
	bool udp;
};

struct virtio_net_options {
	uint8_t mac[6]; /* all zero: 52:54:00:12:34:56 */
	const struct virtio_net_forward *forward;
	bool restricted; /* nothing leaves but to the forwards */
	bool host; /* 10.0.2.2 is the host's 127.0.0.1; else nothing of the guest's gets there */
};

struct device *virtio_net_create(struct virtio_slot slot, const struct virtio_net_options *o,
				 struct dev_why *why);

#endif
