/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rt.c - the runtime of S-mode payloads: console, traps, time, the other harts.
 *
 * May call: the SBI implementation under test, and entry.S.  Uses of SBI 3.0: Base (§4), legacy
 * console (§5), TIME (§6), HSM (§9), SRST (§10), DBCN (§12).
 */
#include "rt.h"

struct hart rt_harts[RT_MAX_HARTS];
unsigned rt_nr_harts = 1;
struct boot_info rt_boot;
unsigned rt_strays;

/* The hart that hart_restart starts. entry.S needs it: a stray hart has lost its argument. */
struct hart *rt_starting;

/* The boot hart's trap stack and stack; entry.S knows the name and that there are two stacks. */
unsigned char rt_boot_stack[2 * RT_STACK_SIZE] __attribute__((aligned(16)));
static unsigned char stacks[RT_MAX_HARTS][2 * RT_STACK_SIZE] __attribute__((aligned(16)));

/*
 * How long a hart may keep another one waiting: QEMU's harts are threads of the host, and a thread
 * was once seen not to run for a tenth of a second.
 */
#define PATIENCE_US 10000000u
#define STEP_US	    50u

static struct {
	char line[256];
	unsigned len;
	bool dbcn;
	char *capture; /* rt_capture: the text goes here; room: how much still fits */
	unsigned room;
} console;

_Static_assert(offsetof(struct hart, jmp) == HART_JMP, "entry.S");
_Static_assert(offsetof(struct hart, resume) == HART_RESUME, "entry.S");
_Static_assert(offsetof(struct hart, cause) == HART_CAUSE, "entry.S");
_Static_assert(offsetof(struct hart, trap_stack) == HART_TSTACK, "entry.S");
_Static_assert(offsetof(struct hart, stack) == HART_STACK, "entry.S");

/* The compiler may call these two for assignments and initializers. */
void *memset(void *p, int c, size_t n)
{
	unsigned char *b = p;

	while (n--)
		*b++ = (unsigned char)c;
	return p;
}

void *memcpy(void *to, const void *from, size_t n)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	while (n--)
		*t++ = *f++;
	return to;
}

static void flush(void)
{
	unsigned done = 0;

	while (console.dbcn && done < console.len) {
		struct sbiret r = sbi3(SBI_EXT_DBCN, SBI_DBCN_WRITE, console.len - done,
				       (rv_ulong)console.line + done, 0);

		if (r.error || r.value > console.len - done) {
			console.dbcn = false;
			break;
		}
		done += (unsigned)r.value;
	}
	for (; done < console.len; done++)
		sbi1(SBI_EXT_LEGACY_CONSOLE_PUTCHAR, 0, (unsigned char)console.line[done]);
	console.len = 0;
}

static void put(char c)
{
	if (console.capture) {
		if (console.room > 1) {
			*console.capture++ = c;
			*console.capture = '\0';
			console.room--;
		}
		return;
	}
	console.line[console.len++] = c;
	if (c == '\n' || console.len == sizeof(console.line))
		flush();
}

void rt_capture(char *buf, unsigned size)
{
	console.capture = buf;
	console.room = size;
}

static void put_hex(uint64_t v)
{
	int shift = 60;

	while (shift && !(v >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		put("0123456789abcdef"[(v >> shift) & 15]);
}

/* Without a 64-bit division, which on RV32 would need the compiler's library. */
static uint64_t div10(uint64_t v)
{
	uint64_t q = (v >> 1) + (v >> 2);

	q += q >> 4;
	q += q >> 8;
	q += q >> 16;
	q += q >> 32;
	q >>= 3;
	return q + (v - q * 10 > 9);
}

static void put_dec(uint64_t v)
{
	char text[20];
	unsigned n = 0;

	do {
		uint64_t q = div10(v);

		text[n++] = (char)('0' + (v - q * 10));
		v = q;
	} while (v);
	while (n)
		put(text[--n]);
}

static void put_signed(int64_t v)
{
	if (v < 0)
		put('-');
	put_dec(v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void vout(const char *fmt, va_list ap)
{
	for (; *fmt; fmt++) {
		unsigned longs = 0;

		if (*fmt != '%') {
			put(*fmt);
			continue;
		}
		while (*++fmt == 'l')
			longs++;
		if (*fmt == 's') {
			for (const char *s = va_arg(ap, const char *); *s; s++)
				put(*s);
		} else if (*fmt == 'c') {
			put((char)va_arg(ap, int));
		} else if (*fmt == 'd') {
			put_signed(longs == 2 ? va_arg(ap, long long)
				   : longs    ? va_arg(ap, long)
					      : va_arg(ap, int));
		} else {
			uint64_t v = longs == 2 ? va_arg(ap, unsigned long long)
				     : longs	? va_arg(ap, unsigned long)
						: va_arg(ap, unsigned);

			if (*fmt == 'u')
				put_dec(v);
			else
				put_hex(v);
		}
	}
}

void out(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vout(fmt, ap);
	va_end(ap);
}

/*
 * Every trap of every hart.  An interrupt's source is silenced before it is counted: who waits for
 * the count may send the next one at once, and it must not be silenced with this one.  After an
 * exception inside rt_try_* the next instruction runs; any other exception ends the test
 * (rt_guard_call).
 */
void rt_trap(struct hart *h)
{
	rv_ulong cause = csr_read(CSR_SCAUSE);
	rv_ulong irq = cause & 0xff;

	if ((rv_long)cause < 0) {
		if (irq == IRQ_S_SOFT || irq == IRQ_LCOF)
			csr_clear(CSR_SIP, (rv_ulong)1 << irq);
		else
			csr_clear(CSR_SIE, (rv_ulong)1 << irq);
		h->irqs[irq & 15]++;
		return;
	}
	h->cause = (rv_long)cause;
	h->epc = csr_read(CSR_SEPC);
	h->tval = csr_read(CSR_STVAL);
	if (h->resume)
		csr_write(CSR_SEPC, h->resume);
	else
		csr_write(CSR_SEPC, (rv_ulong)rt_guard_exit);
	/* The guard's exit finds struct hart in tp. */
	if (!h->resume)
		h->regs[4] = (rv_ulong)h;
	h->resume = 0;
	csr_set(CSR_SSTATUS, MSTATUS_SPP); /* return to S-mode, also after a try in U-mode */
}

uint64_t rt_time(void)
{
	rv_ulong lo, hi, again;

	if (RV_XLEN == 64)
		return csr_read(CSR_TIME);
	do {
		hi = csr_read(CSR_TIMEH);
		lo = csr_read(CSR_TIME);
		again = csr_read(CSR_TIMEH);
	} while (hi != again);
	return (uint64_t)hi << 16 << 16 | lo;
}

/* timebase is a few MHz: ticks fit 32 bits for waits of up to a minute. */
static uint32_t ticks(unsigned us)
{
	uint32_t per_us = rt_boot.timebase / 1000000;

	return us * (per_us ? per_us : 1);
}

/*
 * Interrupts are off between reading the clock and wfi.  A pending interrupt still ends wfi; if it
 * were taken before, wfi would have nothing to wait for.
 */
void rt_wait_us(unsigned us)
{
	uint64_t end = rt_time() + ticks(us);
	rv_ulong sie = csr_read(CSR_SSTATUS) & MSTATUS_SIE;

	sbi_set_timer(end);
	csr_set(CSR_SIE, MIP_STIP);
	for (;;) {
		csr_clear(CSR_SSTATUS, MSTATUS_SIE);
		if (rt_time() >= end)
			break;
		__asm__ volatile("wfi");
		csr_set(CSR_SSTATUS, sie);
	}
	csr_set(CSR_SSTATUS, sie);
	csr_clear(CSR_SIE, MIP_STIP);
	sbi_set_timer(UINT64_MAX);
}

void rt_alive(void)
{
	out("@\n");
}

bool rt_wait_more(unsigned *steps)
{
	if (++*steps % (1000000 / STEP_US) == 0)
		rt_alive();
	rt_wait_us(STEP_US);
	return *steps < PATIENCE_US / STEP_US;
}

/* The loop of a started hart: it looks for a job twice a millisecond. */
void rt_hart_main(void)
{
	struct hart *h = this_hart();

	h->online = true;
	for (;;) {
		if (h->job) {
			__sync_synchronize();
			h->job(h->arg);
			__sync_synchronize();
			h->job = NULL;
		}
		rt_wait_us(500);
	}
}

void hart_run(unsigned i, void (*job)(void *), void *arg)
{
	rt_harts[i].arg = arg;
	__sync_synchronize();
	rt_harts[i].job = job;
}

bool hart_wait(unsigned i)
{
	unsigned steps = 0;

	while (rt_harts[i].job)
		if (!rt_wait_more(&steps))
			return false;
	__sync_synchronize();
	return true;
}

bool hart_do(unsigned i, void (*job)(void *), void *arg)
{
	hart_run(i, job, arg);
	return hart_wait(i);
}

static void hart_stacks(struct hart *h, unsigned i)
{
	h->trap_stack = (rv_ulong)&stacks[i][RT_STACK_SIZE];
	h->stack = (rv_ulong)&stacks[i][2 * RT_STACK_SIZE];
}

bool hart_restart(unsigned i)
{
	struct hart *h = &rt_harts[i];
	unsigned steps = 0;
	rv_ulong entry = rt_arg("stray", 0) ? (rv_ulong)_start : (rv_ulong)rt_hart_entry;

	h->online = false;
	h->job = NULL;
	rt_starting = h;
	__sync_synchronize();
	if (sbi3(SBI_EXT_HSM, SBI_HSM_HART_START, h->id, entry, (rv_ulong)h).error)
		return false;
	while (!h->online && rt_wait_more(&steps))
		;
	return h->online;
}

void harts_start(void)
{
	for (unsigned c = 0; c < rt_boot.nr_cpus && rt_nr_harts < RT_MAX_HARTS; c++) {
		if (rt_boot.cpu[c] == rt_boot.hartid)
			continue;
		rt_harts[rt_nr_harts].id = rt_boot.cpu[c];
		hart_stacks(&rt_harts[rt_nr_harts], rt_nr_harts);
		if (hart_restart(rt_nr_harts))
			rt_nr_harts++;
	}
}

/* The text after "key=" at the start of a word of the boot arguments, or NULL. */
static const char *find_arg(const char *key)
{
	const char *a = rt_boot.args;

	while (*a) {
		const char *k = key;
		const char *p = a;

		while (*k && *p == *k) {
			p++;
			k++;
		}
		if (!*k && *p == '=')
			return p + 1;
		while (*a && *a != ' ')
			a++;
		while (*a == ' ')
			a++;
	}
	return NULL;
}

static unsigned number(const char **p)
{
	unsigned v = 0;

	for (; **p >= '0' && **p <= '9'; (*p)++)
		v = v * 10 + (unsigned)(**p - '0');
	return v;
}

unsigned rt_arg(const char *key, unsigned fallback)
{
	const char *p = find_arg(key);

	return p ? number(&p) : fallback;
}

bool rt_arg_lists(const char *key, unsigned n)
{
	const char *p = find_arg(key);

	while (p && *p >= '0' && *p <= '9') {
		if (number(&p) == n)
			return true;
		if (*p == ',')
			p++;
	}
	return false;
}

void rt_shutdown(void)
{
	sbi3(SBI_EXT_SRST, SBI_SRST_RESET, SBI_SRST_TYPE_SHUTDOWN, SBI_SRST_REASON_NONE, 0);
	sbi0(SBI_EXT_LEGACY_SHUTDOWN, 0);
	for (;;)
		__asm__ volatile("wfi");
}

void rt_main(rv_ulong hartid, const void *dtb)
{
	struct hart *h = this_hart();

	h->id = hartid;
	h->online = true;
	rt_boot.hartid = hartid;
	rt_boot.dtb = dtb;
	dt_read(dtb, &rt_boot);
	console.dbcn = sbi1(SBI_EXT_BASE, SBI_BASE_PROBE_EXT, SBI_EXT_DBCN).value;
	main_payload();
	rt_shutdown();
}
