// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest.c - holter run -- COMMAND: runs a command in the prepared Linux guest (run.h).
 *
 * The guest (guest/prepare) is booted once for each machine shape, until its init waits for a
 * command.  That machine is saved, and every command starts from the snapshot.  So a command needs
 * no boot, and the same command starts in the same machine and has the same counts each time.
 * The models are off during this boot, which then takes a fifth of the time; a command begins with
 * empty caches, TLBs and predictors, as with --what-if.
 *
 * guest/init is the other side and documents the protocol.  In this file, the ports of the virtio
 * console read and write pipes and files; holter.control carries the messages.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "command_check.h"
#include "csr.h"
#include "guest_files.h"
#include "guest_parts.h"
#include "hash.h"
#include "holter.h"
#include "kallsyms_kept.h"
#include "load.h"
#include "number.h"
#include "quote.h"
#include "run.h"
#include "snapshot.h"
#include "term.h"

/* Linux does not test its algorithms, nor how its clock jitters, which take a fifth of the boot. */
#define SHORT_BOOT "cryptomgr.notests initcall_blacklist=jent_mod_init"

#define LAST_WORDS 2048 /* bytes of console output to show when the guest fails */
#define FAILED	   125 /* the exit status if the command did not start or did not end */

enum { PORT_TTY, PORT_CONTROL, PORT_IN, PORT_OUT, PORT_ERR, PORTS };

struct guest {
	struct run *r;
	struct guest_parts parts;
	char cache[PATH_MAX];
	char snapshot[PATH_MAX]; /* of the booted guest; "": it is not kept */
	char kallsyms[PATH_MAX + 16]; /* beside the snapshot: the symbols of the guest's kernel */
	char words[512]; /* the kernel's command line */
	int boot_fd; /* what Linux unpacks, in one file; -1: not yet joined */
	int log; /* output of the serial console */
	int control_in, control_out[2];
	int nothing, silence[2]; /* /dev/null; a pipe to which nobody writes */
	bool tty;
	bool realtime; /* --realtime */
	struct keys keys;
	struct follow follow;
	bool ready, at_rest; /* init waits for a command; the guest is quiet */
	struct machine *m;
};

/* The snapshot's name */

/* Returns the hash of the machine's shape and seed. */
static uint64_t hash_shape(const struct machine_options *o)
{
	uint64_t sum = fnv_add(FNV_START, &o->seed, sizeof(o->seed));
	struct machine_shape row;

	for (unsigned n = 0; machine_shape(o, n, &row); n++)
		sum = fnv_add(sum, &row.value, sizeof(row.value));
	return sum;
}

/*
 * Boots the guest for this command only, and prints the reason.  False: --what-if needs a kept one.
 */
static bool do_without(struct guest *g, const char *why)
{
	if (g->r->machine.booted) {
		holter_error("%s; --what-if goes on from a kept guest, and none can be kept", why);
		return false;
	}
	holter_error("%s; the guest is booted for this command, and not kept", why);
	g->r->fresh = true;
	g->snapshot[0] = '\0';
	return true;
}

/* Names the snapshot: one for each machine shape and each state of the guest's files. */
static bool name_snapshot(struct guest *g)
{
	uint64_t sum = hash_shape(&g->r->machine);
	struct error_text why;
	size_t len;

	g->snapshot[0] = '\0';
	if (g->r->fresh && !g->r->profile.to)
		return true;
	sum = fnv_add(sum, g->words, strlen(g->words));
	if (!guest_parts_hash(&g->parts, &sum))
		return false;
	if (!cache_folder(g->cache, &why))
		return g->r->fresh || do_without(g, why.text);
	len = snprintf(g->snapshot, PATH_MAX, "%s/guest-%016" PRIx64, g->cache, sum);
	snprintf(g->kallsyms, sizeof(g->kallsyms), "%s" KALLSYMS_SUFFIX, g->snapshot);
	return len < PATH_MAX;
}

/* The machine */

/* What the machine does: boots to be saved, boots and runs the command, or goes on and runs it. */
enum start { BOOTS_TO_SAVE, BOOTS, RESTORED };

/*
 * The models are off in the machine that boots to be saved, and in one that goes on for a command
 * whose counts nobody sees (models_later); in others that go on they are empty (machine.h).
 */
static void choose_models(struct machine_options *o, enum start start)
{
	if (start == BOOTS_TO_SAVE || o->models_later) {
		o->cpu = o->booted ? o->booted : o->cpu;
		o->booted = NULL;
		o->models_later = o->models;
	} else if (start == RESTORED && o->models && !o->booted) {
		o->booted = o->cpu;
	}
}

/*
 * Creates the machine and connects its ports to the command's streams.  If it boots to be saved,
 * there is no command yet: the ports are open, but nothing comes in.  Returns false after printing
 * an error.
 */
static bool create(struct guest *g, enum start start)
{
	bool boot = start == BOOTS_TO_SAVE;
	struct error_text why = { "" };
	struct run *r = g->r;
	int in = boot ? g->silence[0] : g->control_in, out = g->control_out[1];
	struct machine_options o = r->machine;
	struct virtio_console_port *p = o.port;

	p[PORT_TTY] = (struct virtio_console_port){ "holter.tty", true, -1, -1 };
	p[PORT_CONTROL] = (struct virtio_console_port){ "holter.control", false, in, out };
	p[PORT_IN] = (struct virtio_console_port){ "holter.in", false, g->silence[0], -1 };
	p[PORT_OUT] = (struct virtio_console_port){ "holter.out", false, -1, g->nothing };
	p[PORT_ERR] = (struct virtio_console_port){ "holter.err", false, -1, g->nothing };
	o.ports = PORTS;
	if (!boot && g->tty) {
		p[PORT_TTY].in = g->keys.from;
		p[PORT_TTY].out = 1;
	} else if (!boot) {
		p[PORT_IN].in = r->out || fcntl(0, F_GETFD) < 0 ? g->nothing : 0;
		p[PORT_OUT].out = r->out ? r->out : 1;
		p[PORT_ERR].out = r->out ? g->nothing : 2;
	}
	for (unsigned n = 0; !boot && n < PORTS; n++)
		follow_port(&g->follow, &p[n]);
	o.console_in = -1;
	o.console_out = g->log;
	o.realtime = !boot && (g->realtime || g->tty);
	choose_models(&o, start);
	if (ftruncate(g->log, 0) < 0 || lseek(g->log, 0, SEEK_SET) < 0)
		error_set(&why, "console: %s", strerror(errno));
	else
		g->m = machine_create(&o, &why);
	if (!g->m)
		holter_error("%s", why.text);
	else
		signals_end(g->m);
	return g->m;
}

/*
 * Prints the last console output of the guest, then an error message: what failed, and the reason
 * of a kernel panic.  The machine must have been destroyed, so that its output is complete.  Prints
 * nothing if a signal ended the machine.
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

/* Loads firmware, kernel and initrd.  Returns false after printing an error. */
static bool load(struct guest *g)
{
	struct boot b = { .firmware = g->parts.firmware,
			  .kernel = g->parts.kernel,
			  .append = g->words };
	struct error_text why = { "" };
	char initrd[32];

	if (g->boot_fd < 0)
		g->boot_fd = guest_parts_join(&g->parts);
	if (g->boot_fd < 0)
		return false;
	snprintf(initrd, sizeof(initrd), "/proc/self/fd/%d", g->boot_fd);
	b.initrd = initrd;
	if (!machine_load(g->m, &b, &why)) {
		holter_error("%s", why.text);
		return false;
	}
	machine_reset(g->m);
	return true;
}

#define PROGRESS_NS 5000000 /* guest time between two looks at the progress */

/* Runs until init waits for a command, or the guest has ended, and shows how far it is. */
static void run_boot(struct guest *g)
{
	struct progress p = progress_begin("booting the guest, once for this machine");
	struct machine *m = g->m;

	do {
		uint64_t instructions = 0, nr;

		for (unsigned n = 0; n < m->cl.harts; n++) {
			if (csr_peek(m->cl.hart[n], CSR_MINSTRET, &nr))
				instructions += nr;
		}
		progress_say(&p, "%.2f s of guest time, %.0f million instructions",
			     machine_ns(m) / 1e9, instructions / 1e6);
		machine_pause_at(m, machine_ns(m) + PROGRESS_NS);
		machine_run(m);
	} while (m->paused && !g->ready);
	machine_pause_at(m, UINT64_MAX);
	progress_end(&p);
}

/* Boots until init waits for a command.  Returns false after printing an error. */
static bool boot(struct guest *g)
{
	struct machine *m = g->m;

	if (!load(g))
		return false;
	g->ready = false;
	m->board.watch_fd(m, g->control_out[0], said, g);
	run_boot(g);
	m->board.watch_fd(m, -1, said, g);
	if (g->ready)
		return true;
	discard(g);
	show_end(g, "the guest ended before it was up");
	return false;
}

/*
 * Boots the guest and saves it.  Returns false after printing an error if it does not boot.  *kept
 * tells whether the snapshot was saved; if not, the reason is printed.
 */
static bool boot_to_keep(struct guest *g, bool *kept)
{
	struct error_text why = { "" };
	bool ok;

	if (!create(g, BOOTS_TO_SAVE))
		return false;
	ok = boot(g);
	*kept = ok && machine_save(g->m, g->snapshot, &why);
	if (ok && !g->at_rest)
		holter_error("the guest's kernel was still busy 30 s after its boot: its work runs "
			     "beside the command");
	if (ok && !*kept)
		ok = do_without(g, why.text);
	if (*kept)
		cache_prune(g->cache, CACHE_GUESTS);
	discard(g);
	return ok;
}

/* The same; but if another run boots the same guest meanwhile, waits for it and takes its guest. */
static bool boot_and_save(struct guest *g, bool *kept)
{
	ino_t before = cache_inode(g->snapshot);
	int lock = cache_lock(g->snapshot, signals_status);
	bool ok = !signals_status();

	*kept = ok && cache_inode(g->snapshot) != before;
	if (ok && !*kept)
		ok = boot_to_keep(g, kept);
	cache_unlock(g->snapshot, lock);
	return ok;
}

/*
 * The format of kallsyms_kept.h: a line with the kernel's notes, which contain its build id, and
 * all symbols.
 */
#define KALLSYMS_SCRIPT                                                                            \
	"echo \"" KALLSYMS_NOTES "$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \\n')\"; "          \
	"cat /proc/kallsyms"

/* Runs the guest of r with a command that prints its symbols to the file `path`, which is new. */
static bool write_kallsyms(const struct run *r, const char *path)
{
	char sh[] = "sh", c[] = "-c", script[] = KALLSYMS_SCRIPT;
	char *command[] = { sh, c, script, NULL };
	struct run own = *r;
	bool ok;

	own.command = command;
	own.profile = (struct profile_file){ 0 };
	own.stats_json.path = NULL;
	own.stats_json.to = NULL;
	own.stats = own.stats_all = own.terminal = own.fresh = false;
	own.silent = true;
	own.gdb = NULL;
	own.machine.trace = 0;
	own.machine.models_later = true;
	own.machine.realtime = false;
	own.out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (own.out < 0)
		return false;
	flock(own.out, LOCK_EX | LOCK_NB); /* so that cache_prune() leaves it */
	ok = !guest_run(&own);
	close(own.out);
	return ok;
}

/*
 * Makes the file `path` with the symbols of the guest's kernel, if it does not exist; if another
 * run makes it, waits for it.  Returns false on failure.
 */
static bool make_kallsyms(const struct run *r, const char *path)
{
	char new[PATH_MAX + 32];
	bool ok;
	int lock;

	if (!access(path, R_OK))
		return true;
	lock = cache_lock(path, signals_status);
	ok = !access(path, R_OK);
	snprintf(new, sizeof(new), "%s.%d", path, (int)getpid());
	if (!ok)
		ok = write_kallsyms(r, new) && !rename(new, path);
	if (!ok)
		unlink(new);
	cache_unlock(path, lock);
	return ok;
}

/* Keeps the kernel's symbols beside the snapshot, for later profiles.  Ignores failures. */
static void keep_kallsyms(struct guest *g)
{
	if (!g->r->out) /* else this is the run that make_kallsyms() started */
		make_kallsyms(g->r, g->kallsyms);
}

/* Creates a machine to boot, with the command's ports.  Returns false after printing an error. */
static bool start_fresh(struct guest *g)
{
	return create(g, BOOTS) && load(g);
}

/* Restores the booted machine, with the command's ports.  Returns false after printing an error. */
static bool restore(struct guest *g)
{
	struct error_text why = { "" };
	bool kept;

	/* If the snapshot is damaged or from another build, make it again. */
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
		if (!create(g, RESTORED))
			return false;
		if (machine_restore(g->m, g->snapshot, &why)) {
			cache_used(g->snapshot);
			return true;
		}
		discard(g);
	}
	return do_without(g, why.text) && start_fresh(g);
}

/* The command */

/*
 * Writes what the guest checks if the host cannot know what the program is, so that it fails as
 * command_check() would have it.
 */
static void write_guard(FILE *to, const char *program)
{
	char *shown = strdup(program);

	term_printable(shown);
	fputs("p=", to);
	quote_word(to, program);
	fputs(" s=", to);
	quote_word(to, shown ? shown : program);
	free(shown);
	fputs("\nno() { echo \"holter: $s: $1\" >&2; exit \"$2\"; }\n"
	      "case $p in *[/]*) ;; *) p=$(command -v \"$p\") ;; esac\n"
	      "[ -e \"$p\" ] || no 'the guest has no such program' 127\n"
	      "[ -f \"$p\" ] && [ -x \"$p\" ] || no 'not an executable file' 126\n",
	      to);
}

/*
 * Writes the command for init (guest/init) into a file from which the control port reads.  sure:
 * the host knows that its program exists.
 */
static bool write_control(struct guest *g, bool sure)
{
	char *script = NULL, mode[128] = "pipe";
	const char *term = getenv("TERM");
	struct winsize size = { 24, 80, 0, 0 };
	size_t len = 0;
	FILE *f = open_memstream(&script, &len);
	int fd = memfd_create("control", MFD_CLOEXEC);

	if (!f || fd < 0)
		return false;
	fputs("#!/bin/sh\n", f);
	if (!sure)
		write_guard(f, g->r->command[0]);
	fputs("exec", f);
	for (char **word = g->r->command; *word; word++) {
		fputc(' ', f);
		quote_word(f, *word);
	}
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
	       !pipe2(g->control_out, O_CLOEXEC | O_NONBLOCK) &&
	       (!g->tty || terminal_keys_open(&g->keys));
}

static int finish(struct guest *g, int host_error)
{
	char text[64];
	ssize_t len = read(g->control_out[0], text, sizeof(text) - 1);
	const char *at;
	bool ended;
	uint64_t status;

	text[len > 0 ? len : 0] = '\0';
	at = strstr(text, "status ");
	ended = at && (at += strlen("status "), number_read(&at, NUMBER_DECIMAL, 255, &status));
	/* Output could not be written (disk full?); an error has been printed. */
	if (host_error && host_error != EPIPE)
		return FAILED;
	if (ended)
		return (int)status;
	if (host_error == EPIPE)
		return 128 + 13; /* the output's reader is gone: the status of SIGPIPE */
	if (!g->r->lost)
		show_end(g, "the guest ended before the command did");
	return FAILED;
}

/* Fills in the files that have symbols.  A profile without the kernel's symbols is useful, too. */
static void tell_profile(struct guest *g)
{
	struct profile_file *p = &g->r->profile;

	p->firmware = g->parts.firmware;
	p->kernel = g->parts.kernel;
	p->initrd = g->parts.initrd;
	p->packages = *g->parts.packages ? g->parts.packages : NULL;
	if (*g->snapshot && make_kallsyms(g->r, g->kallsyms))
		p->kallsyms = g->kallsyms;
}

/*
 * Tells why an event will not be counted, because perf itself does not.  Returns false if holter in
 * the guest would only fail.
 */
static bool check_models(const struct run *r)
{
	enum command_models needs;
	char event[64];

	if (r->machine.models)
		return true;
	needs = command_needs_models(r->command, event, sizeof(event));
	if (needs != COMMAND_NEEDS_NONE)
		holter_error("%s happens only in the models of a CPU: --cpu NAME has them on "
			     "(holter cpu lists the CPUs)",
			     event);
	return needs != COMMAND_FAILS;
}

/* Checks the command before the boot (command_check.h). */
static int check(const struct guest *g, bool *sure)
{
	struct guest_files files, more;
	bool known = guest_files_open(&files, g->parts.initrd);
	bool packages = *g->parts.packages && guest_files_open(&more, g->parts.packages);
	const struct command_place place = { g->r->machine.share, known ? &files : NULL,
					     *g->parts.holter };
	int status;

	if (known && packages)
		files.more = &more;
	status = command_check(g->r->command, &place, sure);
	if (packages)
		guest_files_close(&more);
	if (known)
		guest_files_close(&files);
	return status;
}

/* Checks what the run asks for, and finds the parts of the guest.  0, or the status of an error. */
static int choose(struct guest *g)
{
	struct run *r = g->r;
	const struct guest_choice choice = {
		.folder = r->guest,
		.firmware = r->boot.firmware,
		.kernel = r->boot.kernel,
		.with = r->with,
		.memory = r->machine.memory,
	};
	struct stat st;

	if (r->machine.cpu->mmu == CPU_MMU_NONE) {
		holter_error("%s has no MMU, and Linux needs one: take another --cpu, or run a "
			     "program without Linux",
			     r->machine.cpu->name);
		return FAILED;
	}
	if (!r->machine.share)
		r->machine.share = ".";
	if (stat(r->machine.share, &st) || !S_ISDIR(st.st_mode))
		return holter_error("--share %s: there is no such folder", r->machine.share);
	if (r->machine.drive && access(r->machine.drive, F_OK))
		return holter_error("--drive %s: %s", r->machine.drive, strerror(errno));
	snprintf(g->words, sizeof(g->words),
		 "console=ttyS0 panic=-1 holter.serve " SHORT_BOOT
		 " holter.modules=9p,9pnet_virtio,virtio_mmio%s%s%s%s%s",
		 r->machine.drive ? ",virtio_blk" : "", r->machine.network ? ",virtio_net" : "",
		 r->fresh ? "" : " holter.rest", r->boot.append ? " " : "",
		 r->boot.append ? r->boot.append : "");
	return guest_parts_find(&g->parts, &choice) ? 0 : FAILED;
}

int guest_run(struct run *r)
{
	struct guest g = { .r = r, .realtime = r->machine.realtime };
	int host_error, status;
	bool sure;

	status = choose(&g);
	if (!status)
		status = check(&g, &sure);
	if (status)
		return status;
	if (!open_streams(&g) || !write_control(&g, sure)) {
		holter_error("cannot make the guest's streams: %s", strerror(errno));
		return FAILED;
	}
	if (!check_models(r))
		return 2;
	if (!name_snapshot(&g))
		return FAILED;
	if (r->profile.to)
		tell_profile(&g);
	/* Nothing has been recorded yet, so an existing profile keeps its content. */
	if (signals_status())
		return FAILED;
	if (r->fresh ? !start_fresh(&g) : !restore(&g))
		return FAILED;
	if (g.tty)
		terminal_keys_start(&g.keys, g.m, &r->save);
	/* A terminal echoes what is typed into a command that has no terminal. */
	if (!r->out && (g.tty || !isatty(0)) && (!r->machine.trace || r->trace_file)) {
		follow_begin(&g.follow, g.m);
		r->follow = &g.follow;
	}
	run_machine(g.m, r, true);
	host_error = g.m->host_error;
	discard(&g);
	return finish(&g, host_error);
}
