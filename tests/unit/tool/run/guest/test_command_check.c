// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_command_check.c - what is refused of a command before a boot (command_check.h), in a shared
 * folder and for a guest made here.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <command_check.h>
#include <guest_path.h>
#include <tap.h>

#include "said.h"
#include "scratch.h"

#define RISCV	243
#define LOADER	"/lib/ld-linux-riscv64-lp64d.so.1"
#define PROGRAM 0x10000
#define RAM	0x80000000

static void write_file(const char *name, const void *data, size_t size, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ok(fd >= 0 && write(fd, data, size) == (ssize_t)size && !fchmod(fd, mode));
	close(fd);
}

static void write_text(const char *name, const char *text)
{
	write_file(name, text, strlen(text), 0755);
}

/*
 * An ELF program with a segment at an address, an entry and, if it is not NULL, this interpreter.
 */
static void write_elf_at(const char *name, unsigned machine, unsigned class, uint64_t at,
			 uint64_t entry, const char *interpreter)
{
	struct {
		Elf64_Ehdr e;
		Elf64_Phdr p[2];
		char text[64];
	} f = { .e = { .e_type = ET_EXEC,
		       .e_machine = (Elf64_Half)machine,
		       .e_entry = entry,
		       .e_phoff = sizeof(Elf64_Ehdr),
		       .e_phentsize = sizeof(Elf64_Phdr),
		       .e_phnum = interpreter ? 2 : 1 },
		.p = { { .p_type = PT_LOAD, .p_paddr = at, .p_vaddr = at, .p_memsz = 4096 },
		       { .p_type = PT_INTERP,
			 .p_offset = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr) } } };

	memcpy(f.e.e_ident, ELFMAG, SELFMAG);
	f.e.e_ident[EI_CLASS] = (unsigned char)class;
	f.e.e_ident[EI_DATA] = ELFDATA2LSB;
	if (interpreter) {
		strcpy(f.text, interpreter);
		f.p[1].p_filesz = strlen(interpreter) + 1;
	}
	write_file(name, &f, sizeof(f), 0755);
}

static void write_elf(const char *name, unsigned machine, unsigned class, uint64_t at,
		      const char *interpreter)
{
	write_elf_at(name, machine, class, at, at, interpreter);
}

static void put_member(FILE *to, const char *name, unsigned mode, const char *data, size_t size)
{
	long at;

	fprintf(to, "070701%08x%08x%08x%08x%08x%08x%08zx%08x%08x%08x%08x%08zx%08x%s%c", 1, mode, 0,
		0, 1, 0, size, 0, 0, 0, 0, strlen(name) + 1, 0, name, 0);
	for (at = ftell(to); at % 4; at++)
		fputc(0, to);
	fwrite(data, 1, size, to);
	for (at = ftell(to); at % 4; at++)
		fputc(0, to);
}

static void put_text(FILE *to, const char *name, unsigned mode, const char *data)
{
	put_member(to, name, mode, data, strlen(data));
}

/* Two archives: an initrd and the one after it. */
static void write_initrd(const char *name)
{
	static const char busybox[] =
		"code\0[\0other\0x[\0[[\0cat\0env\0ls\0nohup\0sh\0time\0data\0z";
	FILE *f = fopen(name, "w");

	put_text(f, "bin", S_IFDIR | 0755, "");
	put_member(f, "bin/busybox", S_IFREG | 0755, busybox, sizeof(busybox));
	put_text(f, "bin/sh", S_IFLNK | 0777, "busybox");
	put_text(f, "etc/passwd", S_IFREG | 0644, "root");
	put_text(f, "lib", S_IFLNK | 0777, "usr/lib");
	put_text(f, "root", S_IFDIR | 0755, "");
	put_text(f, "sbin", S_IFLNK | 0777, "bin");
	put_text(f, "usr/lib/ld-linux-riscv64-lp64d.so.1", S_IFREG | 0755, "");
	put_text(f, "TRAILER!!!", 0, "");
	fwrite("\0\0\0\0\0\0\0\0", 1, 8, f);
	put_text(f, "./usr/bin/perf", S_IFREG | 0755, "x");
	put_text(f, "TRAILER!!!", 0, "");
	fclose(f);
}

static const char *initrd = "initrd";
static bool has_holter = true;
static bool sure; /* what the last command_check() has set */

/* The status of a command whose words are separated by blanks. */
static int status_of(const char *words)
{
	struct guest_files files;
	const struct command_place place = { "share",
					     guest_files_open(&files, initrd) ? &files : NULL,
					     has_holter };
	char text[200], *argv[20], *rest = text;
	unsigned n = 0;
	int status;

	tap_context("%s", words);
	snprintf(text, sizeof(text), "%s", words);
	while ((argv[n] = strsep(&rest, " ")))
		n++;
	said[0] = '\0';
	status = command_check(argv, &place, &sure);
	if (place.files)
		guest_files_close(&files);
	return status;
}

static void runs(const char *words)
{
	is(status_of(words), 0);
	is_str(said, "");
	ok(sure);
}

/* The guest finds out whether the program exists. */
static void unsure(const char *words)
{
	is(status_of(words), 0);
	is_str(said, "");
	ok(!sure);
}

static void shared(void)
{
	runs("./good");
	runs("dynamic/good");
	runs("./script");
	runs("./text"); /* as with a shell */
	says(status_of("./none"), 127, "./none: there is no such file in the shared folder share");
	says(status_of("none/good"), 127, "no such file");
	says(status_of("./x86"), 126,
	     "./x86: a 64-bit ELF file for x86-64; this machine runs 64-bit RISC-V");
	says(status_of("./rv32"), 126, "./rv32: a 32-bit ELF file for RISC-V");
	says(status_of("./mode"), 126, "./mode: not executable (chmod +x)");
	says(status_of("./dynamic"), 126, "./dynamic: a folder, not a program");
	says(status_of("./noise"), 126, "./noise: neither an ELF program nor a script");
	says(status_of("./musl"), 126,
	     "./musl: its interpreter /lib/ld-musl-riscv64.so.1 is not in the guest");
	says(status_of("./python"), 126,
	     "./python: its interpreter /usr/bin/python3 is not in the guest");
	says(status_of("./pipe"), 126, "./pipe: a pipe or a device, not a program");
	says(status_of("./good/"), 126, "./good/: Not a directory");
	says(status_of(""), 127, "'': the name of a program is not empty");
}

/* Paths are the guest's: the shared folder is its /mnt. */
static void paths(void)
{
	char deep[PATH_MAX];

	says(status_of("./link"), 127, "./link: the guest has no such program");
	is(status_of("linked/x86"), 126);
	runs("linked/good");
	runs("./loader"); /* a link to a program of the guest */
	runs("/mnt/good");
	runs("dynamic/../good");
	says(status_of("none/../good"), 127, "there is no such file in the shared folder");
	runs("../mnt/./good");
	runs("../bin/ls");
	is(status_of("/mnt/x86"), 126);
	says(status_of("../bare"), 127,
	     "../bare: the guest has no such program: of this computer it sees only the shared "
	     "folder (--share)");
	says(status_of("../w"), 127, "../w: the guest has no such program");
	is_str(said, "");
	unsure("./circle"); /* the guest says what is wrong */
	snprintf(deep, sizeof(deep), "./%0150d", 0);
	is(status_of(deep), 127);
}

static void of_guest(void)
{
	struct guest_files f;

	runs("ls");
	runs("perf");
	runs("/bin/ls");
	runs("/usr/bin/perf stat");
	runs("//sbin/../usr/bin/./perf");
	runs("/sbin/ls");
	runs("/lib/ld-linux-riscv64-lp64d.so.1");
	unsure("/tmp/anything");
	unsure("/proc/self/exe");
	runs("holter");
	runs("/usr/bin/holter");
	has_holter = false;
	says(status_of("holter"), 127,
	     "holter: the guest has no such program, as this holter was built without");
	has_holter = true;
	is(status_of("/bin/perf"), 127);
	is(status_of("/usr/bin/ls"), 127);
	is(status_of("data"), 127); /* a word of busybox, but not the name of a program */
	is(status_of("other"), 127);
	says(status_of("/root/nothing"), 127, "/root/nothing: the guest has no such program");
	is(status_of("/root"), 126);
	is(status_of("/bin"), 126);
	is(status_of("/"), 126);
	says(status_of("/etc/passwd"), 126, "/etc/passwd: not executable");
	says(status_of("nonesuch"), 127, "nonesuch: the guest has no such program");
	is(status_of("/usr/bin/nonesuch"), 127);
	is(status_of("l"), 127); /* a part of a name does not match */
	says(status_of("good"), 127, "good: the guest has no such program; did you mean ./good?");
	says(status_of("pref stat"), 127,
	     "pref: the guest has no such program; did you mean perf?");
	says(status_of("nohp ls"), 127, "did you mean nohup?"); /* a program of busybox */
	says(status_of("holtr stat"), 127, "did you mean holter?");
	says(status_of("sqlite3"), 127,
	     "sqlite3: the guest has no such program; --with PACKAGE adds a package of Debian");
	says(status_of("cd /tmp"), 127, "a shell runs a line of words: holter run -- sh -c");
	says(status_of("A=1 ls"), 127, "A=1: the guest has no such program; a shell runs");
	says(status_of("."), 127, ".: the guest has no such program; a shell runs");
	says(status_of("ls;"), 127, "a shell runs");
	ok(!guest_files_open(&f, "nowhere"));
	write_text("packed",
		   "\x1f\x8b a compressed one, so that nothing is known of it, and long enough to"
		   " be a file with a header of a hundred and ten bytes");
	ok(!guest_files_open(&f, "packed"));
	initrd = "packed";
	unsure("nonesuch");
	unsure("/root/nothing");
	runs("./good");
	initrd = "initrd";
}

/* Files of packages are files of the guest; guest/init names their programs in /bin, too. */
static void of_packages(void)
{
	struct guest_files files, more;
	const struct command_place place = { "share", &files, true };
	static const char *const there[] = { "python3",	  "/usr/bin/python3", "/bin/python3",
					     "/sbin/zic", "/usr/sbin/zic",    "ls",
					     "perf" };
	FILE *f = fopen("packages", "w");

	ok(f);
	put_text(f, "./usr", S_IFDIR | 0755, "");
	put_text(f, "./usr/bin/python3", S_IFLNK | 0777, "python3.13");
	put_text(f, "./usr/bin/python3.13", S_IFREG | 0755, "x");
	put_text(f, "./usr/sbin/zic", S_IFREG | 0755, "x");
	put_text(f, "TRAILER!!!", 0, "");
	ok(!fclose(f));
	is(status_of("python3"), 127);
	is(status_of("/bin/zic"), 127);
	ok(guest_files_open(&files, "initrd") && guest_files_open(&more, "packages"));
	files.more = &more;
	for (size_t n = 0; n < sizeof(there) / sizeof(*there); n++) {
		char name[32], *argv[] = { name, NULL };

		tap_context("%s", there[n]);
		snprintf(name, sizeof(name), "%s", there[n]);
		is(command_check(argv, &place, &sure), 0);
		ok(sure);
	}
	is(command_check((char *[]){ (char[]){ "nonesuch" }, NULL }, &place, &sure), 127);
	says(command_check((char *[]){ (char[]){ "pyhton3" }, NULL }, &place, &sure), 127,
	     "did you mean python3?");
	guest_files_close(&more);
	guest_files_close(&files);
}

/* An initrd that is cut is read up to there only. */
static void cut(void)
{
	struct guest_files f;
	struct near near;
	struct stat st;

	ok(!stat("initrd", &st));
	for (off_t size = st.st_size; size >= 0; size--) {
		write_initrd("part");
		ok(!truncate("part", size));
		if (!guest_files_open(&f, "part"))
			continue;
		guest_path_program(&f, "nonesuch");
		near = near_to("nohp");
		guest_files_near(&f, &near);
		guest_files_close(&f);
	}
}

static void inner(void)
{
	is(status_of("perf stat ./x86"), 126);
	is(status_of("perf stat -e cycles,instructions:u -r 3 -x, -- ./x86 -e"), 126);
	is(status_of("perf record -g -o x --event=cycles ./none"), 127);
	is(status_of("holter stat -M branches -I100 ./x86"), 126);
	is(status_of("perf stat perf stat ./x86"), 126);
	is(status_of("time ./x86"), 126);
	is(status_of("nohup ./x86"), 126);
	is(status_of("env ./x86"), 126);
	is(status_of("/bin/env -i A=1 PATH=/mnt -u B ./x86 -x"), 126);
	is(status_of("env A=1 nonesuch"), 127);
	is(status_of("perf stat env LC_ALL=C ./none"), 127);
	runs("env PATH=/mnt good"); /* it is not known where */
	runs("env -S ./x86");
	runs("env");
	runs("env A=1 -u");
	is(status_of("perf stat nonesuch"), 127);
	runs("perf stat -p 1");
	runs("perf stat");
	runs("perf stat -a -e");
	runs("perf stat --unknown x ./x86"); /* it is not known whether the option has a value */
	runs("perf stat -K ./x86");
	runs("perf report ./x86");
	runs("cat ./x86");
	runs("sh -c ./x86");
}

/* The first event that needs models, or "". */
static const char *modelled(const char *words, enum command_models *needs)
{
	static char to[64];
	char text[200], *argv[20], *rest = text;
	unsigned n = 0;

	tap_context("%s", words);
	snprintf(text, sizeof(text), "%s", words);
	while ((argv[n] = strsep(&rest, " ")))
		n++;
	*needs = command_needs_models(argv, to, sizeof(to));
	return *needs == COMMAND_NEEDS_NONE ? "" : to;
}

static void models(void)
{
	static const struct {
		const char *words, *event;
		bool fails;
	} rows[] = {
		{ "perf stat -e cache-misses ls", "cache-misses", false },
		{ "perf stat -e cycles,L1-dcache-load-misses:u ls", "L1-dcache-load-misses",
		  false },
		{ "perf stat -e {cycles,branch-misses} ls", "branch-misses", false },
		{ "perf record -g --event=LLC-load-misses ls", "LLC-load-misses", false },
		{ "holter stat -a --event cycles -estalled-cycles-backend ls",
		  "stalled-cycles-backend", false },
		{ "holter stat -e cache-misses ls", "cache-misses", true },
		{ "holter stat -e cache-misses:u,branch-misses -- ls", "cache-misses", true },
		{ "holter stat -e cache-misses -M branches ls", "cache-misses", false },
		{ "holter record -e cycles -e cache-misses ls", "cache-misses", true },
		{ "holter record -e cycles ls", "", false },
		{ "holter list -e cache-misses", "", false },
		{ "perf stat -e cycles,instructions,branch-instructions ls", "", false },
		{ "perf stat ls -e cache-misses", "", false },
		{ "perf stat -- ls -e cache-misses", "", false },
		{ "ls -e cache-misses", "", false },
		{ "perf", "", false },
	};
	enum command_models needs;

	for (size_t n = 0; n < sizeof(rows) / sizeof(*rows); n++) {
		is_str(modelled(rows[n].words, &needs), rows[n].event);
		is(needs == COMMAND_FAILS, rows[n].fails);
	}
}

static void bare(void)
{
	is(command_check_bare("bare"), 0);
	is(command_check_bare("headers"), 0); /* the machine tells that they are not in RAM */
	is(command_check_bare("share/x86"), 0); /* the machine refuses it */
	is(command_check_bare("share/noise"), 0); /* a raw image */
	says(command_check_bare("share/good"), 2,
	     "share/good: a program for Linux: holter run -- share/good runs it");
	says(command_check_bare("linux"), 2,
	     "linux: a program for Linux: holter run -- ./linux runs it");
	says(command_check_bare("ls"), 2,
	     "ls: No such file or directory; a command of the guest is holter run -- ls");
}

static void make_files(void)
{
	ok(!mkdir("share", 0755) && !mkdir("share/dynamic", 0755));
	write_elf("share/good", RISCV, ELFCLASS64, PROGRAM, NULL);
	write_elf("share/dynamic/good", RISCV, ELFCLASS64, 0, LOADER);
	write_elf("share/musl", RISCV, ELFCLASS64, 0, "/lib/ld-musl-riscv64.so.1");
	write_elf("share/x86", EM_X86_64, ELFCLASS64, PROGRAM, NULL);
	write_elf("share/rv32", RISCV, ELFCLASS32, PROGRAM, NULL);
	write_elf("bare", RISCV, ELFCLASS64, RAM, NULL);
	write_elf_at("headers", RISCV, ELFCLASS64, PROGRAM, RAM, NULL);
	write_elf("linux", RISCV, ELFCLASS64, RAM, LOADER);
	write_text("share/script", "#!/bin/sh\n");
	write_text("share/text", "ls\n");
	write_file("share/noise", "\1\0\2", 3, 0755);
	write_file("share/mode", "#!/bin/sh\n", 10, 0644);
	write_text("share/python", "#! /usr/bin/python3 -u\n");
	ok(!symlink("/nowhere", "share/link") && !symlink(".", "share/linked"));
	ok(!symlink("circle", "share/circle") && !symlink("../" LOADER, "share/loader"));
	ok(!mkfifo("share/pipe", 0755));
	write_initrd("initrd");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "programs of the shared folder", shared },
		{ "paths as the guest has them", paths },
		{ "programs of the guest", of_guest },
		{ "programs of packages", of_packages },
		{ "an initrd that is cut", cut },
		{ "programs that perf and others start", inner },
		{ "events that need models", models },
		{ "bare-metal programs", bare },
	};
	char folder[] = "/tmp/command_check.XXXXXX";
	int status;

	if (!mkdtemp(folder) || chdir(folder))
		return 2;
	make_files();
	status = tap_run(cases, TAP_NR(cases));
	return scratch_remove(folder) ? status : 2;
}
