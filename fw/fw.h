/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw.h - what the files of the firmware share, grouped by the file that defines it.
 *
 * The paths through them:
 *   start     start.S -> boot.c (boot_cold, boot_hart) -> hart.c (hart_enter_s)
 *   a call    trap.S (fast path) -> ecall_table -> ext_*.c -> trap.S -> S-mode
 *   a trap    trap.S -> trap.c -> misaligned.c, emulate.c, or redirected to S-mode
 *   an IPI    trap.S -> trap.c -> ipi.c -> S-mode's SSIP, or rfence.c
 */
#ifndef FW_H
#define FW_H

#include <dtb.h>
#include <machine.h>
#include <rv/sbi.h>

#include "hart.h"

#define FW_VERSION_MAJOR 0
#define FW_VERSION_MINOR 1

/* The number of the lowest bit that is set; mask is not 0.  The base ISA has no ctz. */
static inline unsigned first_bit(rv_ulong mask)
{
	unsigned n = 0, step;

	for (step = RV_XLEN / 2; step; step /= 2) {
		if (!(mask & (((rv_ulong)1 << step) - 1))) {
			mask >>= step;
			n += step;
		}
	}
	return n;
}

static inline struct sbiret sbi_ok(rv_ulong value)
{
	return (struct sbiret){ SBI_SUCCESS, value };
}

static inline struct sbiret sbi_fail(enum sbi_err error)
{
	return (struct sbiret){ error, 0 };
}

/* ---- platform.c: what the device tree says.  Written at boot only. ---- */

#define RAM_MAX 16

struct range {
	uint64_t base, size;
};

struct finisher {
	volatile void *reg; /* NULL: there is none */
	uint32_t value;
	bool is_test; /* SiFive's test device: takes the exit status, too */
};

/* A device that is M-mode's alone, one range of its registers. */
struct mdev {
	struct range r;
	char name[32];
};

/* One for each entry that PMP can have; the first range of platform.closed is the firmware. */
#define CLOSED_MAX 64
#define MDEV_MAX   (CLOSED_MAX - 1)

struct console {
	uint64_t base;
	const struct uart_driver *driver; /* NULL: there is none */
	unsigned shift, width;
};

struct platform {
	struct range fw; /* the firmware itself */
	char model[64];
	unsigned nr_harts;
	unsigned nr_harts_ignored;
	unsigned nr_ram;
	struct range ram[RAM_MAX];
	uint32_t timebase; /* Hz; 0: unknown */
	unsigned nr_mdevs;
	struct mdev mdev[MDEV_MAX];
	unsigned nr_closed; /* what PMP closes to S-mode: disjoint, in no order */
	struct range closed[CLOSED_MAX];
	struct finisher poweroff, reboot;
	struct console console;
	char console_name[32];
	char console_unknown[32]; /* what stdout-path names and uart.c cannot drive */
};

extern struct platform platform;

/*
 * First of all: reads the memory and the console from t into platform; fw is the firmware's own
 * memory.  After it the console can be used.
 */
void platform_open(const struct dtb *t, struct range fw);

/* Reads the rest, and the hart table.  False if t has no harts. */
bool platform_init(const struct dtb *t);

/*
 * Range index of a device's registers; false unless the tree names it, it can be addressed by
 * words, and is neither RAM nor firmware.
 */
bool platform_device(const struct dtb *t, uint32_t node, unsigned index, struct range *r);

/* The register of size bytes at offset of r, NULL if it is not within. */
volatile void *platform_reg(const struct range *r, uint64_t offset, uint64_t size);

/* Copies a text of the tree as far as it fits and can be printed. */
void platform_name(char *to, size_t size, const char *from);

/*
 * True if S-mode may use size bytes at addr: all within one RAM range, none in the firmware's
 * memory, no wrap.
 */
bool platform_ram_ok(uint64_t addr, uint64_t size);

/* ---- mdev.c: the devices of M-mode ---- */

/* Finds them and which hart each belongs to; says which of them cannot be closed to S-mode. */
void mdev_init(const struct dtb *t);
/* True if node is an interrupt domain of M-mode: its APLIC, or its IMSIC files. */
bool mdev_is_domain(const struct dtb *t, uint32_t node);
/* The entry of platform.closed that holds d. */
unsigned mdev_closed(const struct mdev *d);

/* ---- hart.c: the hart table, and what every hart needs ---- */

/* One hart and its stack; trap.S relies on struct hart being at the end. */
union hart_slot {
	struct {
		unsigned char stack[HART_SLOT_SIZE - sizeof(struct hart)];
		struct hart h;
	};
	unsigned char size[HART_SLOT_SIZE];
};

extern union hart_slot hart_slot[HART_MAX];
/* mhartid of each entry; start.S looks itself up here. */
extern rv_ulong hart_ids[HART_MAX];

static inline struct hart *hart_at(unsigned index)
{
	return &hart_slot[index].h;
}

/* The hart with that mhartid, or NULL. */
struct hart *hart_find(rv_ulong id);

/* Brings the calling hart's CSRs to their state below M-mode; also probes what it has. */
void hart_init(struct hart *h);

/* Enters S-mode at addr with a0 = mhartid and a1 = arg: satp 0, interrupts off. */
void hart_enter_s(struct hart *h, rv_ulong addr, rv_ulong arg) __attribute__((noreturn));

/* The same after a sleep: interrupts that are pending or enabled stay so. */
void hart_resume_s(struct hart *h, rv_ulong addr, rv_ulong arg) __attribute__((noreturn));

/*
 * A set of harts as SBI calls name it (SBI 3.0 §3.1): false unless every one of them is
 * there.  harts[] gets a bit for each index.
 */
bool hart_mask(rv_ulong mask, rv_ulong base, rv_ulong harts[HART_WORDS]);

/* True if the hart at that index executes or will resume S-mode without a fresh start. */
bool hart_is_running(const struct hart *h);

/* ---- boot.c ---- */

/* The calling hart can do no more: it answers requests of others and does nothing else. */
void hart_park(struct hart *h) __attribute__((noreturn));

/* ---- print.c: the console's lines ---- */

/*
 * %s string, %d int, %u unsigned, %x unsigned in hex, %lx and %lu rv_ulong, %llx uint64_t,
 * %-Ns and %-Nu pad to the right.  Whole lines of two harts do not mix.
 */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void console_lock(void);
void console_unlock(void);

/* ---- uart.c: the console's device, if there is one ---- */

struct uart_driver {
	unsigned size; /* bytes of registers, before reg-shift */
	unsigned align; /* a power of two that the address of the registers is a multiple of */
	void (*setup)(void);
	bool (*has_room)(void);
	unsigned burst; /* characters for which there is room then */
	void (*put)(unsigned char c);
	int (*get)(void); /* -1: nothing received */
};

/* The driver of that node, NULL if it is no console that is known. */
const struct uart_driver *uart_driver_of(const struct dtb *t, uint32_t node);
/* Makes p's console the one of the functions below; false if it has none. */
bool uart_init(const struct platform *p);
/* Sends c, waiting a bounded time for room; false if there was none and c is lost. */
bool uart_put(unsigned char c);
/* Sends as much as there is room for; returns how much that was. */
size_t uart_write(const unsigned char *s, size_t n);
/* The next character received, or -1. */
int uart_get(void);
bool uart_present(void);

/* ---- aclint.c: timer and software interrupts ---- */

/* The time, from the hart's time CSR or the device; 0 if there is neither. */
uint64_t time_now(const struct hart *h);
/* Sets the calling hart's next timer interrupt and takes back a pending one. */
void time_set(struct hart *h, uint64_t when);
/* The machine timer fired: hands it on to S-mode. */
void time_fired(struct hart *h);
/* No timer interrupt until the next time_set. */
void time_off(struct hart *h);

/* ---- ipi.c ---- */

/* Gives the hart what: IPI_ bits.  The bits come first, then the interrupt. */
void ipi_send(struct hart *to, rv_ulong what);
/* Takes the calling hart's machine software interrupt. */
void ipi_take(struct hart *h);

/* ---- ext_rfence.c ---- */

/* Carries out what others asked of the calling hart. */
void rfence_take(struct hart *h);

/* ---- pmp.c ---- */

/* Closes platform.closed to S-mode on the calling hart; sets has_pmp and pmp_open. */
void pmp_init(struct hart *h);

/* ---- trap.S, trap.c ---- */

void trap_entry(void);
void trap_return_s(struct hart *h, rv_ulong a0, rv_ulong a1) __attribute__((noreturn));
/* Runs fn(h) on h's own, empty stack. */
void hart_on_own_stack(struct hart *h, void (*fn)(struct hart *h)) __attribute__((noreturn));

/*
 * Byte access to memory as the mode that trapped sees it: its translation, its rights.
 * extra is 0 or MSTATUS_MXR.  A fault is described in *fault, and fault->cause is not
 * MPRV_OK then.
 */
#define MPRV_OK ((rv_ulong)-1)
uint8_t mprv_load(rv_ulong addr, struct trap_info *fault, rv_ulong extra);
void mprv_store(rv_ulong addr, struct trap_info *fault, uint8_t value);
/* Fills in what mprv_load and mprv_store leave out of a fault; before any other trap. */
void mprv_fault_complete(struct hart *h, struct trap_info *fault);

/* Reads the register-sized word at a physical address that may not exist; false then. */
bool try_load(rv_ulong addr, rv_ulong *value);

/* Floating-point register n from or to memory of the firmware; bytes is 4 or 8. */
void fp_load(unsigned n, const void *from, unsigned bytes);
void fp_store(unsigned n, void *to, unsigned bytes);

/* The two C halves of the trap path. */
void trap_interrupt(struct hart *h);
void trap_exception(struct hart *h);
void trap_fatal(struct hart *h) __attribute__((noreturn));

/* Hands a trap on to S-mode, or VS-mode if it was delegated there. */
void trap_redirect(struct hart *h, const struct trap_info *info);
/* True if the trap came from a guest (VS or VU). */
bool trap_from_guest(const struct hart *h);

/* The instruction that trapped, expanded if compressed; *length is what it takes in memory. */
bool trap_fetch(struct hart *h, uint32_t *insn, unsigned *length, struct trap_info *fault);

/* ---- misaligned.c, emulate.c: carry the instruction out, or hand the trap on ---- */
void misaligned_emulate(struct hart *h, struct trap_info *info);
void illegal_emulate(struct hart *h, struct trap_info *info);

/* ---- csr.S: CSR access by number ---- */
rv_ulong csr_num_read(void *ctx, unsigned num);
void csr_num_write(void *ctx, unsigned num, rv_ulong value);
/* Writes mhpmevent of some counter, or its high half; what it then holds. */
rv_ulong csr_event_update(void *ctx, unsigned num, rv_ulong value);
/* Reads a CSR that may not exist; false then. */
bool csr_num_probe(void *ctx, unsigned num, rv_ulong *value);

/* ---- ecall.c: the extensions ---- */

/*
 * One SBI extension.  handle gets a0 to a5, fid (a6), and in place of a7 the hart; it runs on
 * the calling hart with interrupts off.
 * probe: what probe_extension returns; NULL means 1.
 */
struct sbi_ext {
	rv_ulong eid;
	struct sbiret (*handle)(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
				rv_ulong a5, rv_ulong fid, struct hart *h);
	rv_ulong (*probe)(const struct hart *h);
	const char *name;
};

extern const struct sbi_ext *const ecall_table[ECALL_SLOTS];
extern const struct sbi_ext ext_base, ext_time, ext_ipi, ext_rfence, ext_hsm, ext_srst, ext_dbcn,
	ext_pmu, ext_susp, ext_fwft;

/* The extension with that id, or NULL. */
const struct sbi_ext *ecall_find(rv_ulong eid);
/* Every call whose EID has no place in the table: legacy calls and unknown ones. */
struct sbiret ecall_other(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h);

/* ---- ext_hsm.c ---- */

/* Waits in M-mode until another hart starts this one, then enters S-mode. */
void hsm_wait(struct hart *h) __attribute__((noreturn));
/* Starts a stopped hart, which is present, at an address that S-mode can begin at. */
struct sbiret hsm_begin(struct hart *to, rv_ulong addr, rv_ulong arg);
/* Waits for an interrupt that S-mode has enabled, answering other harts meanwhile. */
void hsm_sleep(struct hart *h);
/* True if HSM may begin S-mode at addr. */
bool hsm_addr_ok(rv_ulong addr);

/* ---- ext_fwft.c: features back to their state at boot ---- */
void fwft_reset(struct hart *h);

/* ---- ext_pmu.c ---- */
void pmu_init(struct hart *h, const struct dtb *t);
void pmu_hart_init(struct hart *h);
/* The tables and facts, for the banner. */
extern struct sbipmu pmu;
bool pmu_has_node(void);

/* ---- ext_srst.c ---- */
/* Returns only if there is no finisher, or it has done nothing for a second. */
enum sbi_err system_reset(struct hart *h, bool reboot, bool failure);

/* ---- fixup.c ---- */

/*
 * Places the device tree where nothing else lies, takes the PMU tables out and reserves the
 * firmware's memory.  Returns its address.
 */
rv_ulong fixup_tree(struct dtb *t, rv_ulong next_addr);

/* ---- banner.c ---- */
void banner(const struct hart *boot, rv_ulong next_addr, rv_ulong tree);

/* Linker script */
extern unsigned char _fw_start[], _fw_end[], _image_end[];

#endif
