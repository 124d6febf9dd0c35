// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_copy.c - copies stencils (native_copy.h).
 *
 * A stencil that computes the address of a pinned register (native_host.h) finds it in hart.x: it
 * is stored before the copy, and loaded again after it.
 */
#include <string.h>

#include "hart.h"
#include "native_copy.h"
#include "native_host.h"

static int64_t target_of(const struct native *n, const struct place *p,
			 const struct native_reloc *reloc)
{
	uint64_t base = (uintptr_t)n->rx;

	switch ((enum native_target)reloc->target) {
	case NATIVE_TO_HOT:
		return base + p->hot;
	case NATIVE_TO_COLD:
		return base + p->cold;
	case NATIVE_TO_NEXT:
		return base + p->next;
	case NATIVE_TO_WAY0:
		return base + p->way[0];
	case NATIVE_TO_WAY1:
		return base + p->way[1];
	case NATIVE_TO_ROUTINE:
		return base + n->routine[reloc->n];
	case NATIVE_TO_CALL:
		return base + reloc->n * NATIVE_FAR_BYTES;
	default:
		return p->hole[reloc->n];
	}
}

/* The pinned register that is the operand of reloc, or native_pins. */
static unsigned pin_of(const struct native_reloc *reloc, const int64_t hole[])
{
	unsigned pin = 0;

	if (reloc->target != NATIVE_TO_HOLE || reloc->n > HOLE_rs3)
		return native_pins;
	while (pin < native_pins && hole[reloc->n] != native_pinned[pin] * 8)
		pin++;
	return pin;
}

/* Whether the operand of reloc, which is in hart.x, can be a register instead. */
static bool can_be_register(const struct native_reloc *reloc)
{
	return reloc->start && reloc->addend == offsetof(struct hart, x);
}

void native_find_pins(const struct native *n, struct place *p)
{
	const struct native_reloc *reloc = &n->s->reloc[p->code->reloc];
	unsigned relocs = native_pins ? p->code->relocs : 0;

	p->in_memory = p->written = 0;
	for (unsigned i = 0; i < relocs; i++) {
		unsigned pin = pin_of(&reloc[i], p->hole);

		if (pin < native_pins && !can_be_register(&reloc[i]))
			p->in_memory |= 1u << pin;
	}
	/* Where one register is read by its address and written without, memory is written. */
	for (unsigned i = 0; i < relocs; i++) {
		if (reloc[i].n == HOLE_rd || reloc[i].n == HOLE_rs3)
			p->written |= p->in_memory & 1u << pin_of(&reloc[i], p->hole);
	}
}

bool native_loses(const struct native *n, const struct place *p)
{
	for (unsigned i = 0; p->written && i < p->code->relocs; i++) {
		if (n->s->reloc[p->code->reloc + i].target == NATIVE_TO_CALL)
			return true;
	}
	return false;
}

size_t native_put_pins(struct native *n, size_t at, bool store, unsigned pins)
{
	for (unsigned pin = 0; pin < native_pins; pin++) {
		if (!(pins >> pin & 1))
			continue;
		native_move_pin(n->rw + at, store, pin,
				offsetof(struct hart, x) + native_pinned[pin] * 8);
		at += NATIVE_PIN_BYTES;
	}
	return at;
}

bool native_copy(struct native *n, const struct place *p)
{
	const struct native_code *c = p->code;
	const uint8_t *bytes = n->s->bytes + c->bytes;
	bool ok = true;

	memcpy(n->rw + p->hot, bytes, c->hot);
	memcpy(n->rw + p->cold, bytes + c->hot, c->cold);
	for (unsigned i = 0; i < c->relocs; i++) {
		const struct native_reloc *reloc = &n->s->reloc[c->reloc + i];
		size_t at = reloc->at < c->hot ? p->hot + reloc->at : p->cold + reloc->at - c->hot;
		unsigned pin = pin_of(reloc, p->hole);

		if (pin < native_pins && !(p->in_memory >> pin & 1))
			native_pin(n->rw + at, reloc->start, pin);
		else
			ok &= native_relocate(n->rw + at, (uintptr_t)n->rx + at, reloc->type,
					      target_of(n, p, reloc) + reloc->addend);
	}
	return ok;
}

enum native_target native_last_jump(const struct native *n, const struct native_code *c)
{
	for (unsigned i = 0; i < c->relocs; i++) {
		const struct native_reloc *reloc = &n->s->reloc[c->reloc + i];

		if (reloc->at + NATIVE_JUMP_RELOC == c->hot && reloc->target >= NATIVE_TO_NEXT &&
		    reloc->target <= NATIVE_TO_WAY1)
			return reloc->target;
	}
	return NATIVE_TO_HOLE;
}

unsigned native_hot_bytes(const struct native *n, const struct native_code *c)
{
	return c->hot - (native_last_jump(n, c) != NATIVE_TO_HOLE ? native_jump_bytes : 0);
}
