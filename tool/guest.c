// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest.c - holter run -- COMMAND: the prepared Linux guest runs it (run.h).
 *
 * The guest (guest/prepare) is booted once for each kind of machine, up to the moment when its init
 * waits for a command; that machine is saved, and every command starts from there.  So a command
 * costs no boot, and the same one finds the same machine, and counts the same, each time.
 *
 * guest/init is the other side; it tells the protocol.  Here its messages on holter.control are
 * pipes and files that the virtio console's ports read and write.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "command_check.h"
#include "fnv.h"
#include "holter.h"
#include "find.h"
#include "kallsyms.h"
#include "run.h"

#define LAST_WORDS 2048 /* bytes of a dead guest's console that are shown */
#define FAILED	   125 /* no command's status: it did not end, or did not even start */

enum { PORT_TTY, PORT_CONTROL, PORT_IN, PORT_OUT, PORT_ERR, PORTS };

struct guest {
	struct run *r;
	char firmware[PATH_MAX], kernel[PATH_MAX];
	char initrd[PATH_MAX], modules[PATH_MAX];
	char holter[PATH_MAX]; /* the guest's own; "" if it was not built */
	char cache[PATH_MAX];
	char snapshot[PATH_MAX]; /* of the booted guest; "" where it is not wanted */
	char kallsyms[PATH_MAX + 16]; /* beside it: its kernel's symbols */
	char words[512]; /* the kernel's command line */
	char boot_initrd[32]; /* initrd and modules in one */
	int boot_fd;
	int log; /* what the serial console says */
	int control_in, control_out[2];
	int nothing, silence[2]; /* /dev/null; a pipe into which nobody writes */
	bool tty;
	bool realtime; /* it was asked for */
	struct keys keys;
	bool ready, at_rest; /* init waits for a command; nothing of the boot runs any more */
	struct machine *m;
};

/* Finding things */

static bool find_guest(struct guest *g)
{
	const struct run *r = g->r;
	char image[PATH_MAX], *slash;

	if (r->guest ? !find_in(image, r->guest, "Image")
		     : !find_beside(image, "guest/trixie/Image")) {
		holter_error("no guest is prepared%s%s: run guest/prepare (or `make guest`)",
			     r->guest ? " in " : "", r->guest ? r->guest : "");
		return false;
	}
	snprintf(g->kernel, sizeof(g->kernel), "%s", r->boot.kernel ? r->boot.kernel : image);
	slash = strrchr(image, '/');
	*slash = '\0';
	if (!find_in(g->initrd, image, "initrd") || !find_in(g->modules, image, "modules")) {
		holter_error("%s: this guest is not whole: run guest/prepare again", image);
		return false;
	}
	if (r->boot.firmware) {
		snprintf(g->firmware, sizeof(g->firmware), "%s", r->boot.firmware);
	} else if (!find_beside(g->firmware, "fw/holter-rv64.bin")) {
		holter_error("no firmware: build it (make), or name one with --firmware");
		return false;
	}
	/* The command holter, for the guest: the guest does without it, too. */
	if (!find_beside(g->holter, "rv64-linux/tool/holter"))
		g->holter[0] = '\0';
	return true;
}

/* The snapshot's name */

/* A file as it is now: another one, or a changed one, gives another sum. */
static bool hash_file(uint64_t *sum, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		holter_error("%s: %s", path, strerror(errno));
		return false;
	}
	*sum = fnv_add(*sum, path, strlen(path));
	*sum = fnv_add(*sum, &st.st_size, sizeof(st.st_size));
	*sum = fnv_add(*sum, &st.st_mtim, sizeof(st.st_mtim));
	*sum = fnv_add(*sum, &st.st_ino, sizeof(st.st_ino));
	return true;
}

/* What decides what the machine is, and where its random numbers begin. */
static uint64_t hash_shape(const struct machine_options *o)
{
	uint64_t sum = fnv_add(FNV_START, &o->seed, sizeof(o->seed)), value;
	const char *name;

	for (unsigned n = 0; machine_shape(o, n, &name, &value); n++)
		sum = fnv_add(sum, &value, sizeof(value));
	return sum;
}

/* For this command the guest is booted anew. */
static bool do_without(struct guest *g, const char *why)
{
	holter_error("%s; the guest is booted for this command, and not kept", why);
	g->r->fresh = true;
	g->snapshot[0] = '\0';
	return true;
}

/* One for each kind of machine and each state of the files it is made of. */
static bool name_snapshot(struct guest *g)
{
	uint64_t sum = hash_shape(&g->r->machine);
	struct cache_why why;
	size_t len;

	g->snapshot[0] = '\0';
	if (g->r->fresh && !g->r->profile.to)
		return true;
	sum = fnv_add(sum, g->words, strlen(g->words));
	if (!hash_file(&sum, g->firmware) || !hash_file(&sum, g->kernel) ||
	    !hash_file(&sum, g->initrd) || !hash_file(&sum, g->modules) ||
	    (*g->holter && !hash_file(&sum, g->holter)))
		return false;
	if (!cache_folder(g->cache, &why))
		return g->r->fresh || do_without(g, why.text);
	len = snprintf(g->snapshot, PATH_MAX, "%s/guest-%016" PRIx64, g->cache, sum);
	snprintf(g->kallsyms, sizeof(g->kallsyms), "%s" KALLSYMS_SUFFIX, g->snapshot);
	return len < PATH_MAX;
}

/* The machine */

static bool copy(int to, const char *path)
{
	int from = open(path, O_RDONLY | O_CLOEXEC);
	static char buffer[1 << 16];
	ssize_t len = from < 0 ? -1 : 1;

	while (len > 0) {
		len = read(from, buffer, sizeof(buffer));
		if (len > 0 && write(to, buffer, len) != len)
			len = -1;
	}
	if (len < 0)
		holter_error("%s: %s", path, strerror(errno));
	if (from >= 0)
		close(from);
	return !len;
}

/* One member of a cpio archive (newc); the last one has no data and this name. */
#define CPIO_LAST "TRAILER!!!"

static bool cpio_member(int to, const char *name, unsigned mode, size_t size)
{
	static const char zeros[4];
	int len = dprintf(to, "070701%08x%08x%08x%08x%08x%08x%08zx%08x%08x%08x%08x%08zx%08x%s", 0,
			  mode, 0, 0, 1, 0, size, 0, 0, 0, 0, strlen(name) + 1, 0, name);
	int pad = len + 1 + (4 - (len + 1) % 4) % 4 - len;

	return len > 0 && write(to, zeros, pad) == pad;
}

/* The guest's holter, as an archive behind the others. */
static bool add_holter(struct guest *g)
{
	static const char zeros[4];
	struct stat st;
	int pad;

	if (!*g->holter)
		return true;
	if (stat(g->holter, &st)) {
		holter_error("%s: %s", g->holter, strerror(errno));
		return false;
	}
	pad = (4 - st.st_size % 4) % 4;
	if (cpio_member(g->boot_fd, "usr/bin/holter", S_IFREG | 0755, st.st_size) &&
	    copy(g->boot_fd, g->holter) && write(g->boot_fd, zeros, pad) == pad &&
	    cpio_member(g->boot_fd, CPIO_LAST, 0, 0))
		return true;
	holter_error("no memory for the initrd");
	return false;
}

/* The initrd with the modules and holter behind it, as one file. */
static bool join_initrd(struct guest *g)
{
	if (g->boot_fd >= 0)
		return true;
	g->boot_fd = memfd_create("initrd", MFD_CLOEXEC);
	if (g->boot_fd < 0) {
		holter_error("no memory for the initrd: %s", strerror(errno));
		return false;
	}
	snprintf(g->boot_initrd, sizeof(g->boot_initrd), "/proc/self/fd/%d", g->boot_fd);
	return copy(g->boot_fd, g->initrd) && copy(g->boot_fd, g->modules) && add_holter(g);
}

/*
 * The machine, with the command's streams at its ports; for the boot before any command they are
 * open, too, but nothing comes in.  False after a line that says why there is none.
 */
static bool create(struct guest *g, bool boot)
{
	struct dev_why why = { "" };
	struct run *r = g->r;
	int in = boot ? g->silence[0] : g->control_in, out = g->control_out[1];
	struct virtio_console_port *p = r->machine.port;

	p[PORT_TTY] = (struct virtio_console_port){ "holter.tty", true, -1, -1 };
	p[PORT_CONTROL] = (struct virtio_console_port){ "holter.control", false, in, out };
	p[PORT_IN] = (struct virtio_console_port){ "holter.in", false, g->silence[0], -1 };
	p[PORT_OUT] = (struct virtio_console_port){ "holter.out", false, -1, g->nothing };
	p[PORT_ERR] = (struct virtio_console_port){ "holter.err", false, -1, g->nothing };
	r->machine.ports = PORTS;
	if (!boot && g->tty) {
		p[PORT_TTY].in = g->keys.from;
		p[PORT_TTY].out = 1;
	} else if (!boot) {
		p[PORT_IN].in = r->out || fcntl(0, F_GETFD) < 0 ? g->nothing : 0;
		p[PORT_OUT].out = r->out ? r->out : 1;
		p[PORT_ERR].out = r->out ? g->nothing : 2;
	}
	r->machine.console_in = -1;
	r->machine.console_out = g->log;
	r->machine.realtime = !boot && (g->realtime || g->tty);
	if (ftruncate(g->log, 0) < 0 || lseek(g->log, 0, SEEK_SET) < 0)
		snprintf(why.text, sizeof(why.text), "console: %s", strerror(errno));
	else
		g->m = machine_create(&r->machine, &why);
	if (!g->m)
		holter_error("%s", why.text);
	else
		signals_end(g->m);
	return g->m;
}

/*
 * What the guest said last, and of a panic its reason, after a line that says what went wrong.
 * The machine is gone by then, so that its console has said all.  One that a signal has ended did
 * nothing wrong.
 */
static void show_end(const struct guest *g, const char *what)
{
	static char text[16385];
	off_t end = lseek(g->log, 0, SEEK_END), from = end > 16384 ? end - 16384 : 0;
	ssize_t len = pread(g->log, text, sizeof(text) - 1, from);
	const char *line = text, *panic;

	if (signals_status())
		return;
	text[len > 0 ? len : 0] = '\0';
	if (len > LAST_WORDS)
		line = strchrnul(text + len - LAST_WORDS, '\n');
	while (*line) {
		size_t part = strcspn(line, "\n");

		if (part)
			fprintf(stderr, "  | %.*s\n", (int)strcspn(line, "\r\n"), line);
		line += part + (line[part] == '\n');
	}
	panic = strstr(text, "Kernel panic");
	holter_error("%s%s%.*s", what, panic ? ": " : "", panic ? (int)strcspn(panic, "\r\n") : 0,
		     panic ? panic : "");
}

static void discard(struct guest *g)
{
	if (g->m)
		machine_destroy(g->m);
	g->m = NULL;
}

static void said(void *arg)
{
	struct guest *g = arg;
	char text[64];
	ssize_t len = read(g->control_out[0], text, sizeof(text) - 1);

	if (len <= 0)
		return;
	text[len] = '\0';
	g->ready = true;
	g->at_rest = !strstr(text, "not at rest");
	machine_pause(g->m);
}

/* What a machine starts with; false after a line that says why not. */
static bool load(struct guest *g)
{
	struct boot b = { .firmware = g->firmware, .kernel = g->kernel, .append = g->words };
	struct dev_why why = { "" };

	if (!join_initrd(g))
		return false;
	b.initrd = g->boot_initrd;
	if (!machine_load(g->m, &b, &why)) {
		holter_error("%s", why.text);
		return false;
	}
	machine_reset(g->m);
	return true;
}

/* Boots until init waits for a command; false after a line that says why it did not. */
static bool boot(struct guest *g)
{
	struct machine *m = g->m;

	if (!load(g))
		return false;
	g->ready = false;
	m->board.watch_fd(m, g->control_out[0], said, g);
	machine_run(m);
	m->board.watch_fd(m, -1, said, g);
	if (g->ready)
		return true;
	discard(g);
	show_end(g, "the guest ended before it was up");
	return false;
}

/* Boots it and keeps it.  False after a line: it does not boot, or cannot be kept (*kept). */
static bool boot_and_save(struct guest *g, bool *kept)
{
	struct dev_why why = { "" };
	bool ok;

	if (isatty(2))
		fprintf(stderr, "holter: booting the guest, once for this machine...\n");
	if (!create(g, true))
		return false;
	ok = boot(g);
	*kept = ok && machine_save(g->m, g->snapshot, &why);
	if (ok && !g->at_rest)
		holter_error("the guest's kernel was still at work 30 s after its boot: what it does "
			     "runs beside the command");
	if (ok && !*kept)
		do_without(g, why.text);
	if (*kept)
		cache_prune(g->cache, CACHE_GUESTS);
	discard(g);
	return ok;
}

/* Its kernel's symbols, for those who look for names later; it is a guest without them, too. */
static void keep_kallsyms(struct guest *g)
{
	if (!g->r->out) /* this is the run that fetches them */
		profile_kallsyms(g->r, g->kallsyms);
}

/* The machine from its boot on, with the command's ports; false after a line. */
static bool start_fresh(struct guest *g)
{
	return create(g, false) && load(g);
}

/* The booted machine, with the command's ports; false after a line. */
static bool restore(struct guest *g)
{
	struct dev_why why = { "" };
	bool kept;

	/* One that is damaged, or from another build, is only a reason to make it again. */
	for (int attempt = 0; attempt < 2; attempt++) {
		if (attempt ? !boot_and_save(g, &kept) : access(g->snapshot, R_OK)) {
			if (attempt)
				return false;
			continue;
		}
		if (attempt && !kept)
			return start_fresh(g);
		if (attempt)
			keep_kallsyms(g);
		if (!create(g, false))
			return false;
		if (machine_restore(g->m, g->snapshot, &why)) {
			cache_used(g->snapshot);
			return true;
		}
		discard(g);
	}
	do_without(g, why.text);
	return start_fresh(g);
}

/* The command */

/* 'word' for a shell. */
static void quote(FILE *to, const char *word)
{
	fputs(" '", to);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", to);
		else
			fputc(*word, to);
	}
	fputc('\'', to);
}

/* What init reads (guest/init), into a file that the control port reads. */
static bool write_control(struct guest *g)
{
	char *script = NULL, mode[128] = "pipe";
	const char *term = getenv("TERM");
	struct winsize size = { 24, 80, 0, 0 };
	size_t len = 0;
	FILE *f = open_memstream(&script, &len);
	int fd = memfd_create("control", MFD_CLOEXEC);

	if (!f || fd < 0)
		return false;
	fputs("#!/bin/sh\nexec", f);
	for (char **word = g->r->command; *word; word++)
		quote(f, *word);
	fputc('\n', f);
	if (fclose(f))
		return false;
	if (g->tty) {
		ioctl(1, TIOCGWINSZ, &size);
		if (!term ||
		    strspn(term, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != strlen(term))
			term = "vt100";
		snprintf(mode, sizeof(mode), "tty:%u:%u:%.60s", size.ws_row, size.ws_col, term);
	}
	dprintf(fd, "%s %zu\n", mode, len);
	if (write(fd, script, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) < 0)
		return false;
	free(script);
	g->control_in = fd;
	return true;
}

static bool open_streams(struct guest *g)
{
	g->boot_fd = -1;
	g->tty = !g->r->out && isatty(0) && isatty(1);
	g->nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	g->log = memfd_create("console", MFD_CLOEXEC);
	return g->nothing >= 0 && g->log >= 0 && !pipe2(g->silence, O_CLOEXEC) &&
	       !pipe2(g->control_out, O_CLOEXEC | O_NONBLOCK) && (!g->tty || keys_open(&g->keys)) &&
	       write_control(g);
}

static int finish(struct guest *g, int host_error)
{
	char text[64];
	ssize_t len = read(g->control_out[0], text, sizeof(text) - 1);
	const char *status;

	text[len > 0 ? len : 0] = '\0';
	status = strstr(text, "status ");
	/* What it has written last, a full disk has not taken; there has been a line about it. */
	if (status && host_error && host_error != EPIPE)
		return FAILED;
	if (status)
		return atoi(status + 7) & 0xff;
	if (host_error == EPIPE)
		return 128 + 13; /* nobody reads it any more: as with SIGPIPE, it is over */
	show_end(g, "the guest ended before the command did");
	return FAILED;
}

/* Where the symbols of what runs will be found.  Without the kernel's it is a profile, too. */
static void tell_profile(struct guest *g)
{
	struct profile_file *p = &g->r->profile;

	p->firmware = g->firmware;
	p->kernel = g->kernel;
	p->initrd = g->initrd;
	if (*g->snapshot && profile_kallsyms(g->r, g->kallsyms))
		p->kallsyms = g->kallsyms;
}

/* Of an event that will not be counted perf says no more than that. */
static void say_models(const struct run *r)
{
	char event[64];

	if (!r->machine.models && command_modelled_event(r->command, event, sizeof(event)))
		holter_error("%s happens only in the models of a CPU: --cpu NAME has them on "
			     "(holter cpu lists the CPUs)",
			     event);
}

int guest_run(struct run *r)
{
	struct guest g = { .r = r, .realtime = r->machine.realtime };
	int host_error, status;

	if (r->machine.cpu->mmu == CPU_MMU_NONE) {
		holter_error("%s has no MMU, and Linux wants one: take another --cpu, or run a "
			     "program without Linux",
			     r->machine.cpu->name);
		return FAILED;
	}
	if (!r->machine.share)
		r->machine.share = ".";
	snprintf(g.words, sizeof(g.words),
		 "console=ttyS0 panic=-1 holter.serve "
		 "cryptomgr.notests holter.modules=9p,9pnet_virtio,virtio_mmio%s%s%s%s%s",
		 r->machine.drive ? ",virtio_blk" : "", r->machine.network ? ",virtio_net" : "",
		 r->fresh ? "" : " holter.rest",
		 r->boot.append ? " " : "", r->boot.append ? r->boot.append : "");
	if (!open_streams(&g)) {
		holter_error("no streams for the guest: %s", strerror(errno));
		return FAILED;
	}
	if (!find_guest(&g))
		return FAILED;
	status = command_check(r->command, r->machine.share, g.initrd);
	if (status)
		return status;
	say_models(r);
	if (!name_snapshot(&g))
		return FAILED;
	if (r->profile.to)
		tell_profile(&g);
	/* Before there is anything to record: the profile's file stays as it is. */
	if (signals_status())
		return FAILED;
	if (r->fresh ? !start_fresh(&g) : !restore(&g))
		return FAILED;
	if (g.tty)
		keys_start(&g.keys, g.m, &r->save);
	run_machine(g.m, r, true);
	host_error = g.m->host_error;
	discard(&g);
	return finish(&g, host_error);
}
