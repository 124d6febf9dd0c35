// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb_state.c - packets for registers and memory, and the description of the registers (gdb.h).
 *
 * gdb's numbers: x0 to x31 are 0 to 31, pc 32, f0 to f31 33 to 64, CSR n is 65 + n, priv 4161, v0
 * to v31 4162 to 4193, which only harts with vectors have.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csr.h"
#include "gdb_parts.h"
#include "timing.h"
#include "vector.h"

#define REG_PC	 32
#define REG_F	 33
#define REG_CSR	 65
#define REG_PRIV (REG_CSR + 4096)
#define REG_V	 (REG_PRIV + 1)
#define G_REGS	 (REG_PC + 1) /* the registers of g and G; p and P access the others */

/* Registers */

static bool read_register(struct hart *h, uint64_t num, uint64_t *value)
{
	if (num < REG_PC)
		*value = h->x[num];
	else if (num == REG_PC)
		*value = h->pc;
	else if (num < REG_CSR)
		*value = h->f[num - REG_F];
	else if (num < REG_PRIV)
		return debug_csr_read(h, num - REG_CSR, value);
	else if (num == REG_PRIV)
		*value = h->mode;
	else
		return false;
	return true;
}

void gdb_write_pc(struct hart *h, uint64_t value)
{
	h->pc = value & ~1ull;
	if (h->timing)
		timing_redirect(h);
	h->idle = HART_RUNS; /* a hart in WFI runs from the new pc */
}

static bool write_mode(struct hart *h, uint64_t value)
{
	if (value != PRV_U && value != PRV_S && value != PRV_M)
		return false;
	h->mode = value;
	hart_mode_changed(h);
	return true;
}

static bool write_register(struct hart *h, uint64_t num, uint64_t value)
{
	if (num == 0)
		return value == 0;
	if (num < REG_PC) {
		h->x[num] = value;
	} else if (num == REG_PC) {
		gdb_write_pc(h, value);
	} else if (num < REG_CSR) {
		h->f[num - REG_F] = value;
		/* Dirty, so that the guest saves the register as if it had written it. */
		if (h->mstatus & MSTATUS_FS)
			h->mstatus |= MSTATUS_FS;
	} else if (num < REG_PRIV) {
		return debug_csr_write(h, num - REG_CSR, value);
	} else {
		return num == REG_PRIV && write_mode(h, value);
	}
	return true;
}

void gdb_read_all(struct gdb *g, struct words *w)
{
	uint64_t value[G_REGS];

	for (unsigned n = 0; n < G_REGS; n++)
		read_register(gdb_hart(g), n, &value[n]);
	gdb_reply_hex(g, "", value, sizeof(value));
}

void gdb_write_all(struct gdb *g, struct words *w)
{
	uint64_t value[G_REGS];

	if (!gdb_word_bytes(w, value, sizeof(value))) {
		gdb_reply_error(g, GDB_EINVAL);
		return;
	}
	/* x0 stays 0. */
	for (unsigned n = 1; n < G_REGS; n++)
		write_register(gdb_hart(g), n, value[n]);
	gdb_reply(g, "OK");
}

/* A vector register; NULL: num is another one. */
static uint8_t *vector_register(struct hart *h, uint64_t num)
{
	if (!h->vector || num < REG_V || num >= REG_V + VECTOR_REGS)
		return NULL;
	return h->vector->reg + (num - REG_V) * h->vector->bytes;
}

static void write_vector(struct gdb *g, uint8_t *to, struct words *w)
{
	struct hart *h = gdb_hart(g);
	uint8_t value[VECTOR_BYTES_MAX];

	if (!gdb_word_is(w, "=") || !gdb_word_bytes(w, value, h->vector->bytes)) {
		gdb_reply_error(g, GDB_EINVAL);
		return;
	}
	memcpy(to, value, h->vector->bytes);
	/* Dirty, as for f registers. */
	if (h->mstatus & MSTATUS_VS)
		h->mstatus |= MSTATUS_VS;
	gdb_reply(g, "OK");
}

void gdb_read_one(struct gdb *g, struct words *w)
{
	uint64_t num, value;
	bool known = gdb_word_hex(w, &num);
	const uint8_t *vector = known ? vector_register(gdb_hart(g), num) : NULL;

	if (vector)
		gdb_reply_hex(g, "", vector, gdb_hart(g)->vector->bytes);
	else if (!known || !read_register(gdb_hart(g), num, &value))
		gdb_reply_error(g, GDB_EINVAL);
	else
		gdb_reply_hex(g, "", &value, sizeof(value));
}

void gdb_write_one(struct gdb *g, struct words *w)
{
	uint64_t num, value;
	bool known = gdb_word_hex(w, &num);
	uint8_t *vector = known ? vector_register(gdb_hart(g), num) : NULL;

	if (vector)
		write_vector(g, vector, w);
	else if (!known || !gdb_word_is(w, "=") || !gdb_word_bytes(w, &value, sizeof(value)))
		gdb_reply_error(g, GDB_EINVAL);
	else if (!write_register(gdb_hart(g), num, value))
		gdb_reply_error(g, GDB_EPERM);
	else
		gdb_reply(g, "OK");
}

/* Memory */

/* Reads ADDR,LEN.  False: it has replied an error. */
static bool range(struct gdb *g, struct words *w, uint64_t *va, uint64_t *len)
{
	if (gdb_word_hex(w, va) && gdb_word_is(w, ",") && gdb_word_hex(w, len) &&
	    *len <= PACKET_MAX)
		return true;
	gdb_reply_error(g, GDB_EINVAL);
	return false;
}

void gdb_read_memory(struct gdb *g, struct words *w)
{
	uint8_t data[PACKET_MAX / 2 - 16];
	uint64_t va, len;
	size_t got;

	if (!range(g, w, &va, &len))
		return;
	len = len < sizeof(data) ? len : sizeof(data);
	got = debug_read(gdb_hart(g), va, data, len);
	if (len && !got)
		gdb_reply_error(g, GDB_EFAULT);
	else
		gdb_reply_hex(g, "", data, got);
}

static void write_memory(struct gdb *g, uint64_t va, const void *data, size_t len)
{
	if (debug_write(gdb_hart(g), va, data, len) == len)
		gdb_reply(g, "OK");
	else
		gdb_reply_error(g, GDB_EFAULT);
}

void gdb_write_memory(struct gdb *g, struct words *w)
{
	uint8_t data[PACKET_MAX / 2];
	uint64_t va, len;

	if (!range(g, w, &va, &len))
		return;
	if (len > sizeof(data) || !gdb_word_is(w, ":") || !gdb_word_bytes(w, data, len))
		gdb_reply_error(g, GDB_EINVAL);
	else
		write_memory(g, va, data, len);
}

void gdb_write_binary(struct gdb *g, struct words *w)
{
	uint8_t data[PACKET_MAX];
	uint64_t va, len, n;

	if (!range(g, w, &va, &len))
		return;
	if (!gdb_word_is(w, ":")) {
		gdb_reply_error(g, GDB_EINVAL);
		return;
	}
	for (n = 0; n < len && w->at < w->end; n++) {
		char c = *w->at++;

		data[n] = c == '}' && w->at < w->end ? *w->at++ ^ 0x20 : c;
	}
	if (n < len || w->at < w->end)
		gdb_reply_error(g, GDB_EINVAL);
	else
		write_memory(g, va, data, len);
}

/* The description of the registers */

static void describe_integers(FILE *f)
{
	static const char *const name[] = {
		"zero", "ra", "sp", "gp", "tp",	 "t0",	"t1", "t2", "fp", "s1", "a0",
		"a1",	"a2", "a3", "a4", "a5",	 "a6",	"a7", "s2", "s3", "s4", "s5",
		"s6",	"s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", "pc",
	};

	fputs("<feature name=\"org.gnu.gdb.riscv.cpu\">", f);
	for (unsigned n = 0; n < G_REGS; n++) {
		const char *type = n == REG_PC || n == 1 ? "code_ptr"
				   : n >= 2 && n <= 4	 ? "data_ptr"
							 : "int";

		fprintf(f, "<reg name=\"%s\" bitsize=\"64\" type=\"%s\" regnum=\"%u\"/>", name[n],
			type, n);
	}
	fputs("</feature>", f);
}

static void describe_floats(FILE *f)
{
	fputs("<feature name=\"org.gnu.gdb.riscv.fpu\"><union id=\"riscv_double\">"
	      "<field name=\"float\" type=\"ieee_single\"/>"
	      "<field name=\"double\" type=\"ieee_double\"/></union>",
	      f);
	for (unsigned n = 0; n < 32; n++)
		fprintf(f, "<reg name=\"f%u\" bitsize=\"64\" type=\"riscv_double\" regnum=\"%u\"/>",
			n, REG_F + n);
	fputs("</feature>", f);
}

/* Each register as vectors of every element. */
static void describe_vectors(FILE *f, unsigned bytes)
{
	fputs("<feature name=\"org.gnu.gdb.riscv.vector\">", f);
	for (unsigned n = 1; n <= 8; n *= 2)
		fprintf(f, "<vector id=\"v%u\" type=\"uint%u\" count=\"%u\"/>", n, 8 * n,
			bytes / n);
	fputs("<union id=\"riscv_vector\"><field name=\"b\" type=\"v1\"/>"
	      "<field name=\"s\" type=\"v2\"/><field name=\"w\" type=\"v4\"/>"
	      "<field name=\"l\" type=\"v8\"/></union>",
	      f);
	for (unsigned n = 0; n < VECTOR_REGS; n++)
		fprintf(f,
			"<reg name=\"v%u\" bitsize=\"%u\" type=\"riscv_vector\" regnum=\"%u\" "
			"group=\"vector\"/>",
			n, 8 * bytes, REG_V + n);
	fputs("</feature>", f);
}

static void describe_csrs(FILE *f, const struct machine *m)
{
	char name[ISA_CSR_NAME_SIZE];

	fputs("<feature name=\"org.gnu.gdb.riscv.csr\">", f);
	for (unsigned num = 0; num < 4096; num++) {
		if (!csr_exists(&m->cl, num))
			continue;
		isa_csr_name(num, name);
		fprintf(f, "<reg name=\"%s\" bitsize=\"64\" regnum=\"%u\" group=\"csr\"/>", name,
			REG_CSR + num);
	}
	fprintf(f,
		"</feature><feature name=\"org.gnu.gdb.riscv.virtual\">"
		"<reg name=\"priv\" bitsize=\"64\" regnum=\"%u\"/></feature>",
		REG_PRIV);
}

bool gdb_target(struct gdb *g)
{
	FILE *f = open_memstream(&g->target_xml, &g->target_len);

	if (!f)
		return false;
	fputs("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
	      "<target version=\"1.0\"><architecture>riscv:rv64</architecture>"
	      /* With an OS ABI, gdb would step with breakpoints at the predicted next pc. */
	      "<osabi>none</osabi>",
	      f);
	describe_integers(f);
	describe_floats(f);
	describe_csrs(f, g->m);
	if (g->m->cl.hart[0]->vector)
		describe_vectors(f, g->m->cl.hart[0]->vector->bytes);
	fputs("</target>", f);
	return !fclose(f);
}
