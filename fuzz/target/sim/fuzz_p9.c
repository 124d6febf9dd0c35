/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_p9.c - 9P messages of a hostile guest, which must not reach files outside the shared folder.
 *
 * Input: for each message a byte for its type, then its fields in the formats below.  A fid is one
 * byte; a name comes from a list or from the input; a number is one byte or raw.  Some messages are
 * cut short.  Sometimes the server is saved and restored.
 *
 * Must hold: each reply is a complete message that fits its buffer and answers its request.  The
 * files around the folder do not change.  No reply contains the inode number of the secret.
 */
#define _GNU_SOURCE
#include "dev_board.h"
#include "dev_folder.h"
#include "p9.h"

/* f: a fid; n: a name; t: a text; d: counted data; w: a list of names; digit: an integer. */
static const struct {
	uint8_t type;
	const char *fields;
} messages[] = {
	{ 8, "f" },	 { 12, "f4" },	   { 14, "fn444" }, { 16, "fnt4" },	  { 18, "fn4444" },
	{ 20, "ffn" },	 { 22, "f" },	   { 24, "f8" },    { 26, "f444488888" }, { 30, "ffn" },
	{ 32, "fn84" },	 { 40, "f84" },	   { 50, "f4" },    { 52, "f14884t" },	  { 54, "f1884t" },
	{ 70, "ffn" },	 { 72, "fn44" },   { 74, "fnfn" },  { 76, "fn4" },	  { 100, "4t" },
	{ 102, "ft4" },	 { 104, "ffnt4" }, { 108, "2" },    { 110, "ffw" },	  { 116, "f84" },
	{ 118, "f8d" },	 { 120, "f" },	   { 122, "f" },    { 110, "ffw" },	  { 110, "ffw" },
	{ 14, "fn444" }, { 12, "f4" },	   { 200, "f" },
};

static const char *const names[] = {
	"a", "b", "c", "out",	"secret", "..",	      "new",	 "x",	    "a/b",
	".", "",  "/", "../..", "/etc",	  "9P2000.L", "b/../..", "outside", "../outside/secret",
};

struct reader {
	struct input in;
	struct p9_out out;
};

static void put_number(struct reader *r, unsigned bytes)
{
	uint8_t how = input_byte(&r->in);

	/* Most numbers are small or a power of two. */
	if (how < 128)
		p9_put(&r->out, bytes, how & 31);
	else if (how < 192)
		p9_put(&r->out, bytes, 1ull << (how & 63));
	else
		p9_put(&r->out, bytes, input_bytes(&r->in, bytes));
}

static void put_name(struct reader *r)
{
	uint8_t which = input_byte(&r->in);
	char raw[300];
	size_t len;

	if (which < 240) {
		const char *name = names[which % (sizeof(names) / sizeof(names[0]))];

		p9_put_string(&r->out, name, strlen(name));
		return;
	}
	len = input_byte(&r->in) + (which & 1) * 40;
	for (size_t i = 0; i < len; i++)
		raw[i] = (char)input_byte(&r->in);
	p9_put_string(&r->out, raw, len);
}

static void put_field(struct reader *r, char field)
{
	unsigned count;

	switch (field) {
	case 'f':
		count = input_byte(&r->in);
		p9_put(&r->out, 4, count == 255 ? P9_NONE : count % 6);
		break;
	case 'n':
	case 't':
		put_name(r);
		break;
	case 'd':
		count = input_byte(&r->in) % 32;
		p9_put(&r->out, 4, count);
		while (count--)
			p9_put(&r->out, 1, input_byte(&r->in));
		break;
	case 'w':
		count = input_byte(&r->in) % 20;
		p9_put(&r->out, 2, count);
		while (count--)
			put_name(r);
		break;
	default:
		put_number(r, (unsigned)(field - '0'));
	}
}

/* Makes the next message.  Returns its length. */
static size_t next_message(struct input *in, uint8_t *to, size_t size)
{
	unsigned which = input_byte(in) % (sizeof(messages) / sizeof(messages[0]));
	uint8_t cut = input_byte(in);
	struct reader r = { .in = *in, .out = { .p = to, .size = size, .at = 7 } };
	size_t len;

	for (const char *field = messages[which].fields; *field; field++)
		put_field(&r, *field);
	*in = r.in;
	len = r.out.at;
	if (cut >= 240)
		len = cut % 16 < len ? len - cut % 16 : 0;
	r.out.at = 0;
	p9_put(&r.out, 4, cut == 239 ? 0xffffffff : len);
	p9_put(&r.out, 1, messages[which].type);
	p9_put(&r.out, 2, 0x1234);
	return len;
}

/* The host's inode number for an inode number that the guest sees. */
static uint64_t inode_of(const struct p9 *server, uint64_t number)
{
	uint32_t n = 0;

	while (n < server->inodes.slots && server->inodes.slot[n].number != number)
		n++;
	must(number && n < server->inodes.slots);
	return server->inodes.slot[n].ino;
}

static void check_reply(const struct p9 *server, const uint8_t *request, size_t len,
			const uint8_t *reply, size_t got, size_t room)
{
	struct p9_in in = { .p = reply, .len = got };
	uint64_t type;

	must(got >= P9_HEADER && got <= room);
	must(p9_get(&in, 4) == got);
	type = p9_get(&in, 1);
	must(type == 7 || (len >= 7 && type == request[4] + 1u));
	if (len >= 7)
		must(p9_get(&in, 2) == 0x1234);
	/* A qid of the secret or of its directory would mean that the guest left the folder. */
	if (type == 111)
		for (size_t at = 9; at + 13 <= got; at += 13) {
			in = (struct p9_in){ .p = reply, .len = got, .at = at + 5 };
			type = inode_of(server, p9_get(&in, 8));
			must(type != folder()->secret_is.st_ino &&
			     type != folder()->outside_is.st_ino &&
			     type != folder()->base_is.st_ino);
		}
}

static void save_and_restore(struct p9 *server)
{
	struct fake f = { 0 };
	struct stream s = fake_stream(&f);

	must(p9_save(server, &s));
	must(p9_restore(server, &s));
	must(f.shot_at == f.shot_len);
	free(f.shot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t request[16384], reply[4096];
	struct input in = { data, data + size };
	struct p9 server;
	size_t len, room;
	int root;

	folder_fill();
	root = open(folder()->share, O_PATH | O_DIRECTORY | O_CLOEXEC);
	must(root >= 0);
	p9_init(&server, root, size && data[0] & 1, size && data[0] & 2);
	input_byte(&in);
	memcpy(request, "\x17\0\0\0\x68\x34\x12\0\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 23);
	len = p9_serve(&server, request, 23, reply, sizeof(reply));
	check_reply(&server, request, 23, reply, len, sizeof(reply));
	while (in.at < in.end) {
		uint8_t more = input_byte(&in);

		len = next_message(&in, request, sizeof(request));
		room = more < 16 ? (size_t)P9_ERROR_LEN + more : sizeof(reply);
		check_reply(&server, request, len, reply,
			    p9_serve(&server, request, len, reply, room), room);
		if (more == 255)
			save_and_restore(&server);
	}
	p9_reset(&server);
	must(server.fids == 0 && server.open == 0);
	close(root);
	folder_check();
	return 0;
}
