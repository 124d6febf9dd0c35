// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb_state.c - packets for registers and memory, and the description of the registers (gdb.h).
 *
 * gdb's numbers: x0 to x31 are 0 to 31, pc 32, f0 to f31 33 to 64, CSR n is 65 + n, priv 4161.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csr.h"
#include "gdb_parts.h"
#include "timing.h"

#define REG_PC	 32
#define REG_F	 33
#define REG_CSR	 65
#define REG_PRIV (REG_CSR + 4096)
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
	reply_hex(g, "", value, sizeof(value));
}

void gdb_write_all(struct gdb *g, struct words *w)
{
	uint64_t value[G_REGS];

	if (!word_bytes(w, value, sizeof(value))) {
		reply_error(g, GDB_EINVAL);
		return;
	}
	/* x0 stays 0. */
	for (unsigned n = 1; n < G_REGS; n++)
		write_register(gdb_hart(g), n, value[n]);
	reply(g, "OK");
}

void gdb_read_one(struct gdb *g, struct words *w)
{
	uint64_t num, value;

	if (!word_hex(w, &num) || !read_register(gdb_hart(g), num, &value))
		reply_error(g, GDB_EINVAL);
	else
		reply_hex(g, "", &value, sizeof(value));
}

void gdb_write_one(struct gdb *g, struct words *w)
{
	uint64_t num, value;

	if (!word_hex(w, &num) || !word_is(w, "=") || !word_bytes(w, &value, sizeof(value)))
		reply_error(g, GDB_EINVAL);
	else if (!write_register(gdb_hart(g), num, value))
		reply_error(g, GDB_EPERM);
	else
		reply(g, "OK");
}

/* Memory */

/* Reads ADDR,LEN.  False: it has replied an error. */
static bool range(struct gdb *g, struct words *w, uint64_t *va, uint64_t *len)
{
	if (word_hex(w, va) && word_is(w, ",") && word_hex(w, len) && *len <= PACKET_MAX)
		return true;
	reply_error(g, GDB_EINVAL);
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
		reply_error(g, GDB_EFAULT);
	else
		reply_hex(g, "", data, got);
}

static void write_memory(struct gdb *g, uint64_t va, const void *data, size_t len)
{
	if (debug_write(gdb_hart(g), va, data, len) == len)
		reply(g, "OK");
	else
		reply_error(g, GDB_EFAULT);
}

void gdb_write_memory(struct gdb *g, struct words *w)
{
	uint8_t data[PACKET_MAX / 2];
	uint64_t va, len;

	if (!range(g, w, &va, &len))
		return;
	if (len > sizeof(data) || !word_is(w, ":") || !word_bytes(w, data, len))
		reply_error(g, GDB_EINVAL);
	else
		write_memory(g, va, data, len);
}

void gdb_write_binary(struct gdb *g, struct words *w)
{
	uint8_t data[PACKET_MAX];
	uint64_t va, len, n;

	if (!range(g, w, &va, &len))
		return;
	if (!word_is(w, ":")) {
		reply_error(g, GDB_EINVAL);
		return;
	}
	for (n = 0; n < len && w->at < w->end; n++) {
		char c = *w->at++;

		data[n] = c == '}' && w->at < w->end ? *w->at++ ^ 0x20 : c;
	}
	if (n < len || w->at < w->end)
		reply_error(g, GDB_EINVAL);
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
	fputs("</target>", f);
	return !fclose(f);
}
