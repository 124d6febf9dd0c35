// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_rows.c - the code records of an exact profile in memory (exact_rows.h).
 */
#include "exact_rows.h"

void exact_rows_free(struct exact_rows *r)
{
	free(r->pages.at);
	free(r->rows.at);
	free(r->cells.at);
}

bool exact_rows_add_page(struct exact_rows *r, const struct exact_code *code)
{
	return VEC_PUSH(&r->pages, (struct exact_rows_page){ *code, r->rows.nr });
}

bool exact_rows_add(struct exact_rows *r, const struct exact_insn *insn)
{
	struct exact_row row = {
		.call = insn->call,
		.raw = insn->raw,
		.cells = (uint32_t)r->cells.nr,
		.offset = (uint16_t)(insn->va - r->pages.at[r->pages.nr - 1].code.va),
		.nr = (uint16_t)insn->nr,
	};

	if (r->cells.nr > UINT32_MAX)
		return false;
	for (unsigned n = 0; n < insn->nr; n++) {
		if (insn->cell[n].event == r->instructions)
			row.instructions += insn->cell[n].count;
		if (!leb_bytes_put(&r->cells, insn->cell[n].event) ||
		    !leb_bytes_put(&r->cells, insn->cell[n].count))
			return false;
	}
	return VEC_PUSH(&r->rows, row);
}
