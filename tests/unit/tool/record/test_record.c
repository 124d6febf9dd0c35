// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_record.c - the parts of a perf.data that holter record writes itself, field by field.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <build_id.h>
#include <record.h>
#include <tap.h>

#include "scratch.h"

/* A folder for a test, and files in it. */
static char dir[] = "/tmp/holter-test.XXXXXX";

static void remove_all(void)
{
	ok(scratch_remove(dir));
	memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
}

/* The records that were written to a stream, one after the other. */
static char *text;
static size_t text_size, at;

static uint32_t get32(size_t offset)
{
	uint32_t v = 0;

	ok(at + offset + 4 <= text_size);
	if (at + offset + 4 <= text_size)
		memcpy(&v, text + at + offset, sizeof(v));
	return v;
}

static uint64_t get64(size_t offset)
{
	return get32(offset) | (uint64_t)get32(offset + 4) << 32;
}

/* Checks the header of the current record, and goes to the next one. */
static void is_record(uint32_t type, uint32_t misc, size_t fixed, const char *name)
{
	size_t len = (strlen(name) + 8) & ~(size_t)7;

	is(get32(0), type);
	is(get32(4) & 0xffff, misc);
	is(get32(4) >> 16, 8 + fixed + len + 32);
	is_str(text + at + 8 + fixed, name);
	for (size_t i = 0; i < 32; i++)
		is(text[at + 8 + fixed + len + i], 0);
	at += 8 + fixed + len + 32;
}

/* A mapping of the kernel. */
static void is_mmap(uint64_t addr, uint64_t len, uint64_t pgoff, const char *name)
{
	is(get32(8), (uint32_t)-1);
	is(get32(12), 0);
	is(get64(16), addr);
	is(get64(24), len);
	is(get64(32), pgoff);
	is_record(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 32, name);
}

static void is_mmap2(uint32_t pid, uint64_t addr, uint64_t len, uint64_t pgoff, uint32_t prot,
		     uint32_t flags, const char *name)
{
	is(get32(8), pid);
	is(get32(12), pid);
	is(get64(16), addr);
	is(get64(24), len);
	is(get64(32), pgoff);
	is(get32(40), 0xfe);
	is(get32(44), 0x1);
	is(get64(48), 1234);
	is(get64(56), 0);
	is(get32(64), prot);
	is(get32(68), flags);
	is_record(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 64, name);
}

static void is_comm(uint32_t pid, uint32_t tid, const char *name)
{
	is(get32(8), pid);
	is(get32(12), tid);
	is_record(PERF_RECORD_COMM, 0, 8, name);
}

static FILE *begin(void)
{
	at = 0;
	ok(mkdtemp(dir) != NULL);
	return open_memstream(&text, &text_size);
}

static void end(void)
{
	is(at, text_size);
	free(text);
	remove_all();
}

static void kernel(void)
{
	FILE *to = begin();

	scratch_text(dir, "kallsyms", "ffffffff80000000 T _start\n"
				      "ffffffff80002000 T _stext\n"
				      "ffffffff80002000 T _text\n"
				      "ffffffff80900000 T _etext\n"
				      "ffffffff81000000 D _edata\n"
				      "ffffffff01000000 t _text\t[other]\n");
	scratch_text(dir, "modules", "9pnet_virtio 20480 1 - Live 0xffffffff02190000\n"
				     "other 4096 0 - Live 0xffffffff01000000\n"
				     "hidden 4096 0 - Live 0x0000000000000000\n");
	scratch_text(dir, "lib/modules.dep",
		     "kernel/9pnet.ko.xz:\n"
		     "kernel/net/9p/9pnet-virtio.ko.xz: kernel/9pnet.ko.xz\n");
	{
		char lib[64];

		snprintf(lib, sizeof(lib), "%s/lib", dir);
		record_kernel(to, dir, lib);
		fclose(to);
		is_mmap(0xffffffff80002000, 0xffe000, 0xffffffff80002000, "[kernel.kallsyms]_text");
		strcat(lib, "/kernel/net/9p/9pnet-virtio.ko.xz");
		is_mmap(0xffffffff02190000, 20480, 0, lib);
		is_mmap(0xffffffff01000000, 4096, 0, "[other]");
	}
	end();
}

/* Neither addresses nor files: no mapping is claimed. */
static void hidden_kernel(void)
{
	FILE *to = begin();

	record_kernel(to, dir, "/nonexistent");
	scratch_text(dir, "kallsyms", "0000000000000000 T _stext\n0000000000000000 T _text\n"
				      "0000000000000000 D _edata\nnonsense\n");
	record_kernel(to, dir, "/nonexistent");
	fclose(to);
	end();
	to = begin();
	scratch_text(dir, "kallsyms", "ffffffff80002000 T _stext\nffffffff80900000 T _etext\n");
	record_kernel(to, dir, "/nonexistent");
	fclose(to);
	is_mmap(0xffffffff80002000, 0x8fe000, 0xffffffff80002000, "[kernel.kallsyms]_stext");
	end();
}

static void processes(void)
{
	FILE *to = begin();

	scratch_text(dir, "77/task/77/comm", "prog\n");
	scratch_text(dir, "77/task/77/children", "80 ");
	scratch_text(dir, "77/maps", "10000-20000 r--p 00000000 fe:01 1234  /bin/prog\n"
				     "20000-30000 r-xp 00010000 fe:01 1234  /bin/prog\n"
				     "40000-41000 rwxs 00000000 fe:01 1234 \n"
				     "50000-51000 --xp 00002000 fe:01 1234  /a b (deleted)\n"
				     "nonsense\n");
	scratch_text(dir, "80/task/80/comm", "a child: sixteen\n");
	scratch_text(dir, "80/maps", "");
	scratch_text(dir, "self/comm", "no number\n");
	record_process(to, dir, 77);
	record_process(to, dir, 99); /* it has ended */
	fclose(to);
	is_comm(77, 77, "prog");
	is_mmap2(77, 0x20000, 0x10000, 0x10000, PROT_READ | PROT_EXEC, MAP_PRIVATE, "/bin/prog");
	is_mmap2(77, 0x40000, 0x1000, 0, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, "//anon");
	is_mmap2(77, 0x50000, 0x1000, 0x2000, PROT_EXEC, MAP_PRIVATE, "/a b (deleted)");
	is_comm(80, 80, "a child: sixteen");
	end();
	to = begin();
	scratch_text(dir, "80/task/80/comm", "one\n");
	scratch_text(dir, "80/task/80/children", "81 ");
	scratch_text(dir, "modules", "");
	record_processes(to, dir);
	fclose(to);
	is_comm(80, 80, "one");
	end();
	/* of a thread: all of its process, but nothing else */
	to = begin();
	scratch_text(dir, "78/status", "Name:\tworker\nTgid:\t77\nPid:\t78\n");
	scratch_text(dir, "77/task/77/comm", "prog\n");
	scratch_text(dir, "77/task/77/children", "80 ");
	scratch_text(dir, "77/maps", "20000-30000 r-xp 00010000 fe:01 1234  /bin/prog\n");
	scratch_text(dir, "80/task/80/comm", "child\n");
	record_owner(to, dir, 78);
	record_owner(to, dir, 99); /* it has ended */
	fclose(to);
	is_comm(77, 77, "prog");
	is_mmap2(77, 0x20000, 0x10000, 0x10000, PROT_READ | PROT_EXEC, MAP_PRIVATE, "/bin/prog");
	end();
}

/*
 * A file
 */

static uint64_t cycles_ids[] = { 5, 6 }, faults_ids[] = { 9 };
static struct perf_file_event events[] = {
	{ "cycles:u", { .type = 0, .size = sizeof(struct perf_event_attr) }, cycles_ids, 2 },
	{ "faults", { .type = 1, .config = 2 }, faults_ids, 1 },
};

static int temporary(void)
{
	char path[] = "/tmp/holter-test.XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	return fd;
}

/* Reads a file of a test back, for get32() and get64(). */
static void read_back(int fd)
{
	struct stat st;

	fstat(fd, &st);
	text_size = (size_t)st.st_size;
	text = malloc(text_size);
	is(pread(fd, text, text_size, 0), text_size);
	at = 0;
}

#define ATTR sizeof(struct perf_event_attr)

static void file(void)
{
	struct perf_file f = { .fd = temporary(), .events = events, .nr_events = 2 };
	struct perf_data_header *h;
	size_t table;

	ok(perf_file_begin(&f));
	is(write(f.fd, "16 bytes of data", 16), 16);
	perf_file_string(perf_file_feature(&f, PERF_DATA_HOSTNAME), "host");
	perf_file_describe(&f);
	ok(perf_file_feature(&f, PERF_DATA_SAMPLE_TIME)); /* an empty one */
	ok(perf_file_end(&f, 16));
	read_back(f.fd);
	h = (struct perf_data_header *)text;
	ok(memcmp(text, "PERFILE2", 8) == 0);
	is(h->size, 104);
	is(h->attr_size, ATTR + 16);
	is(h->attrs.offset, 104 + 3 * 8);
	is(h->attrs.size, 2 * (ATTR + 16));
	is(h->data.offset, h->attrs.offset + h->attrs.size);
	is(h->data.size, 16);
	is(h->event_types.size, 0);
	is(h->features[0], 1 << 3 | 1 << 12 | 1 << 21);
	is(h->features[1] | h->features[2] | h->features[3], 0);
	is(get64(104), 5);
	is(get64(112), 6);
	is(get64(120), 9);
	ok(memcmp(text + 128, &events[0].attr, ATTR) == 0);
	is(get64(128 + ATTR), 104); /* where its ids are, and how long */
	is(get64(128 + ATTR + 8), 16);
	ok(memcmp(text + 128 + ATTR + 16, &events[1].attr, ATTR) == 0);
	is(get64(128 + 2 * ATTR + 16), 120);
	is(get64(128 + 2 * ATTR + 24), 8);
	ok(memcmp(text + h->data.offset, "16 bytes of data", 16) == 0);
	table = h->data.offset + 16;
	at = get64(table);
	is(at, table + 3 * 16);
	is(get32(0), 64); /* a string */
	is_str(text + at + 4, "host");
	at = 0;
	is(get64(table + 8), 68);
	is(get64(table + 16), table + 3 * 16 + 68);
	is(get64(table + 24), 8 + 2 * (ATTR + 4 + 68) + 3 * 8);
	is(get64(table + 32), text_size);
	is(get64(table + 40), 0);
	at = get64(table + 16);
	is(get32(0), 2);
	is(get32(4), ATTR);
	at += 8 + ATTR;
	is(get32(0), 2);
	is_str(text + at + 8, "cycles:u");
	is(get64(4 + 68), 5);
	is(get64(4 + 76), 6);
	at += 4 + 68 + 16 + ATTR;
	is(get32(0), 1);
	is_str(text + at + 8, "faults");
	is(get64(4 + 68), 9);
	free(text);
	close(f.fd);
}

/* The same for a pipe: it has records only, and the first ones describe the others. */
static void pipe_format(void)
{
	struct perf_file f = { .fd = temporary(), .events = events, .nr_events = 2 };
	struct perf_data_build_id id = { .header = { .size = sizeof(id) + 8 } };
	int to = temporary(), full = open("/dev/full", O_RDWR);
	FILE *feature;

	ok(perf_file_begin(&f));
	is(write(f.fd, "16 bytes of data", 16), 16);
	feature = perf_file_feature(&f, PERF_DATA_BUILD_ID);
	fwrite(&id, sizeof(id), 1, feature);
	fwrite("/bin/x\0", 8, 1, feature);
	perf_file_string(perf_file_feature(&f, PERF_DATA_HOSTNAME), "host");
	feature = perf_file_feature(&f, PERF_DATA_CPUDESC);
	for (unsigned i = 0; i < 65536; i++) /* too long for a record */
		fputc('x', feature);
	ok(perf_file_end(&f, 16));
	ok(perf_file_pipe(&f, to));
	read_back(to);
	ok(memcmp(text, "PERFILE2", 8) == 0);
	is(get64(8), 16);
	at = 16;
	is(get64(0), PERF_DATA_RECORD_ATTR | (8 + ATTR + 16) << 48);
	ok(memcmp(text + at + 8, &events[0].attr, ATTR) == 0);
	is(get64(8 + ATTR), 5);
	is(get64(16 + ATTR), 6);
	at += 8 + ATTR + 16;
	is(get64(0), PERF_DATA_RECORD_ATTR | (8 + ATTR + 8) << 48);
	is(get64(8 + ATTR), 9);
	at += 8 + ATTR + 8;
	is(get64(0), PERF_DATA_RECORD_BUILD_ID | (sizeof(id) + 8) << 48);
	is_str(text + at + sizeof(id), "/bin/x");
	at += sizeof(id) + 8;
	is(get64(0), PERF_DATA_RECORD_FEATURE | 88ull << 48);
	is(get64(8), PERF_DATA_HOSTNAME);
	is(get32(16), 64);
	is_str(text + at + 20, "host");
	at += 88;
	ok(memcmp(text + at, "16 bytes of data", 16) == 0);
	is(at + 16, text_size);
	ok(!perf_file_pipe(&f, full));
	is(errno, ENOSPC);
	free(text);
	close(f.fd);
	close(to);
	close(full);
}

/* What cannot be written is noticed; before its end a file has no records. */
static void file_errors(void)
{
	struct perf_file f = { .fd = open("/dev/full", O_RDWR), .events = events, .nr_events = 1 };
	struct perf_file begun = { .fd = temporary(), .events = events, .nr_events = 1 };

	ok(!perf_file_begin(&f));
	is(errno, ENOSPC);
	close(f.fd);
	ok(perf_file_begin(&begun));
	read_back(begun.fd);
	is(((struct perf_data_header *)text)->data.size, 0);
	free(text);
	close(begun.fd);
	begun.fd = open("/dev/full", O_RDWR);
	perf_file_string(perf_file_feature(&begun, PERF_DATA_HOSTNAME), "host");
	ok(!perf_file_end(&begun, 0));
	is(errno, ENOSPC);
	is(begun.header.features[0], 0);
	close(begun.fd);
}

static void put_record(int fd, uint32_t type, const void *body, size_t size)
{
	struct perf_event_header h = { .type = type, .size = (uint16_t)(sizeof(h) + size) };

	is(write(fd, &h, sizeof(h)), sizeof(h));
	is(write(fd, body, size), size);
}

static void put_sample(int fd, uint64_t id, uint64_t time)
{
	uint64_t body[5] = { id, 0x1000, 77, time, 0 };

	put_record(fd, PERF_RECORD_SAMPLE, body, sizeof(body));
}

static void found(void)
{
	struct perf_file f = { .fd = temporary(), .events = events, .nr_events = 2 };
	char mmap[32 + 32] = "", mmap2[64 + 40] = "", cut[48] = "";
	struct record_found r;

	strcpy(mmap + 32, "[kernel.kallsyms]_text");
	strcpy(mmap2 + 64, "/bin/prog");
	ok(perf_file_begin(&f));
	put_record(f.fd, PERF_RECORD_MMAP, mmap, sizeof(mmap));
	put_record(f.fd, PERF_RECORD_MMAP2, mmap2, sizeof(mmap2));
	put_record(f.fd, PERF_RECORD_MMAP2, mmap2, sizeof(mmap2));
	memset(mmap2 + 64, 'x', 40); /* no end */
	put_record(f.fd, PERF_RECORD_MMAP2, mmap2, sizeof(mmap2));
	put_record(f.fd, PERF_RECORD_SAMPLE, mmap, 8); /* too short to be one */
	put_sample(f.fd, 6, 300);
	for (int i = 0; i < 40000; i++) /* more than a piece */
		put_sample(f.fd, 9, 400 + (uint64_t)i);
	put_sample(f.fd, 5, 200);
	put_sample(f.fd, 7, 500); /* of no owner */
	put_record(f.fd, PERF_RECORD_COMM, cut, sizeof(cut));
	is(ftruncate(f.fd, lseek(f.fd, 0, SEEK_CUR) - 8), 0);
	ok(record_find(&f, &r));
	is(r.size, 72 + 3 * 112 + 16 + 40003 * 48);
	is(r.samples[0], 2);
	is(r.samples[1], 40000);
	is(r.all, 40003);
	is(r.first, 200);
	is(r.last, 400 + 39999);
	ok(tfind("/bin/prog", &r.objects, (int (*)(const void *, const void *))strcmp));
	ok(tfind("[kernel.kallsyms]_text", &r.objects,
		 (int (*)(const void *, const void *))strcmp));
	record_found_free(&r);
	close(f.fd);
}

/*
 * Build ids
 */

static void notes(void)
{
	struct {
		Elf64_Nhdr h;
		char name[8];
		uint8_t desc[8];
		Elf64_Nhdr h2;
		char name2[4];
		uint8_t desc2[20];
	} n = {
		{ 5, 6, 1 }, "Linux", { 0 }, { 4, 20, NT_GNU_BUILD_ID }, "GNU", { 1, 2, [19] = 20 }
	};
	struct build_id id = build_id_of_notes(&n, sizeof(n));

	is(id.size, 20);
	is(id.id[1], 2);
	is(id.id[19], 20);
	n.h2.n_descsz = 8; /* lld's short ones */
	is(build_id_of_notes(&n, sizeof(n)).size, 8);
	n.h2.n_descsz = 20;
	for (size_t size = 0; size < sizeof(n); size++)
		is(build_id_of_notes(&n, size).size, 0);
	n.h.n_descsz = 0xffffffff;
	is(build_id_of_notes(&n, sizeof(n)).size, 0);
	n.h.n_descsz = 6;
	n.h.n_namesz = 0xfffffffe;
	is(build_id_of_notes(&n, sizeof(n)).size, 0);
	n.h.n_namesz = 5;
	n.name2[0] = 'X'; /* a note of another owner with the same number */
	is(build_id_of_notes(&n, sizeof(n)).size, 0);
}

/* Every byte of an ELF file's headers is changed: no crash, and the right build id or none. */
static void elf(void)
{
	struct {
		Elf64_Ehdr e;
		Elf64_Phdr p[2];
		Elf64_Nhdr h;
		char name[4];
		uint8_t desc[20];
	} f = {
		.e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
		       .e_phoff = sizeof(f.e),
		       .e_phentsize = sizeof(f.p[0]),
		       .e_phnum = 2 },
		.p = { { .p_type = PT_LOAD },
		       { .p_type = PT_NOTE,
			 .p_offset = sizeof(f.e) + sizeof(f.p),
			 .p_filesz = 36 } },
		.h = { 4, 20, NT_GNU_BUILD_ID },
		.name = "GNU",
		.desc = { 7 },
	};
	char path[64];
	FILE *to;

	ok(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/elf", dir);
	for (size_t i = 0; i <= sizeof(f.e) + sizeof(f.p); i++) {
		uint8_t *byte = (uint8_t *)&f + i;
		struct build_id id;

		*byte ^= 0xff; /* the last one is of the note */
		to = fopen(path, "w");
		ok(to && fwrite(&f, sizeof(f), 1, to) == 1 && fclose(to) == 0);
		id = build_id_of_elf(path);
		ok(id.size == 0 || (id.size == 20 && id.id[0] == 7));
		*byte ^= 0xff;
	}
	to = fopen(path, "w");
	ok(to && fwrite(&f, sizeof(f), 1, to) == 1 && fclose(to) == 0);
	is(build_id_of_elf(path).size, 20);
	is(build_id_of_elf(path).id[0], 7);
	is(build_id_of_elf(dir).size, 0);
	is(build_id_of_elf("/nonexistent").size, 0);
	remove_all();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the kernel and its modules", kernel },
		{ "a kernel that hides its addresses", hidden_kernel },
		{ "processes that are running", processes },
		{ "a file: header, events, features", file },
		{ "a file for a pipe", pipe_format },
		{ "a file that cannot be written", file_errors },
		{ "the contents of a file's records", found },
		{ "build ids in notes", notes },
		{ "build ids in ELF files", elf },
	};

	return tap_run(cases, TAP_NR(cases));
}
