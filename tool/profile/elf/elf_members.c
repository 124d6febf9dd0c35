// SPDX-License-Identifier: BSD-2-Clause
/*
 * elf_members.c - finds what is at an offset of a variable: the members of structs, by DWARF, read
 * with libdw (elf_image.h).
 *
 * The file may be malicious: types that contain themselves end at DEPTH_MAX, lists without an end
 * at DIES_MAX or MEMBERS_MAX.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_internal.h"

#define DEPTH_MAX   32 /* of types in types, and of blocks in functions */
#define DIES_MAX    (1u << 24) /* that are looked at for variables */
#define MEMBERS_MAX 65536 /* of a struct */

/* Variables */

static bool address_of(Dwarf_Die *die, Dwarf_Addr *addr)
{
	Dwarf_Attribute location, of_op;
	Dwarf_Op *op;
	size_t nr;

	if (!dwarf_attr(die, DW_AT_location, &location) ||
	    dwarf_getlocation(&location, &op, &nr) || nr != 1)
		return false;
	*addr = op->number;
	return op->atom == DW_OP_addr ||
	       ((op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index) &&
		!dwarf_getlocation_attr(&location, op, &of_op) && !dwarf_formaddr(&of_op, addr));
}

/* left: how many entries may still be looked at. */
static void add_variables(struct elf_image *e, Dwarf_Die *parent, unsigned depth, unsigned *left)
{
	Dwarf_Die die;
	Dwarf_Addr addr;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			if (address_of(&die, &addr) &&
			    !VEC_PUSH(&e->typed, (struct elf_typed){ addr, dwarf_dieoffset(&die) }))
				e->no_memory = true;
			break;
		case DW_TAG_namespace:
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
			add_variables(e, &die, depth + 1, left);
			break;
		default:
			break;
		}
	} while (*left && (*left)-- && !dwarf_siblingof(&die, &die));
}

static int by_address(const void *left, const void *right)
{
	const struct elf_typed *a = left, *b = right;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void read_variables(struct elf_image *e)
{
	unsigned left = DIES_MAX;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;

	e->has_typed = true;
	while (!dwarf_get_units(e->dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		if (type == DW_UT_compile)
			add_variables(e, &die, 0, &left);
	}
	VEC_SORT(&e->typed, by_address);
}

/* The variable that begins at an address. */
static bool find_variable(struct elf_image *e, uint64_t addr, Dwarf_Die *die)
{
	struct elf_typed key = { addr, 0 }, *found = NULL;

	if (!e->has_typed)
		read_variables(e);
	if (e->typed.nr)
		found = bsearch(&key, e->typed.at, e->typed.nr, sizeof(key), by_address);
	return found && dwarf_offdie(e->dwarf, found->die, die);
}

/* Types */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, type);
}

static const char *name_of(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? name : "";
}

/* The type without typedefs and qualifiers; *name: the outermost name of it, "": it has none. */
static bool peel(Dwarf_Die *type, const char **name)
{
	*name = "";
	for (unsigned n = 0; n < DEPTH_MAX; n++) {
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
			*name = **name ? *name : name_of(type);
			break;
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_atomic_type:
		case DW_TAG_restrict_type:
			break;
		default:
			return true;
		}
		if (!type_of(type, type))
			return false;
	}
	return false;
}

static uint64_t number(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &value))
		return otherwise;
	return value;
}

/* How many elements an array has; 0: not known. */
static uint64_t elements_of(Dwarf_Die *array)
{
	unsigned left = DEPTH_MAX;
	uint64_t all = 1;
	Dwarf_Die die;

	if (dwarf_child(array, &die))
		return 0;
	do {
		if (dwarf_tag(&die) == DW_TAG_subrange_type)
			all *= number(&die, DW_AT_count, number(&die, DW_AT_upper_bound, -1) + 1);
	} while (--left && !dwarf_siblingof(&die, &die));
	return all;
}

/* The size of a type; 0: not known. */
static uint64_t size_of(Dwarf_Die type)
{
	uint64_t elements = 1, size;
	const char *name;

	for (unsigned n = 0; n < DEPTH_MAX; n++) {
		if (!peel(&type, &name))
			return 0;
		size = number(&type, DW_AT_byte_size, 0);
		if (size || dwarf_tag(&type) != DW_TAG_array_type)
			return size * elements;
		elements *= elements_of(&type);
		if (!type_of(&type, &type))
			return 0;
	}
	return 0;
}

static bool is_struct(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Names */

struct text {
	char *at;
	size_t room, len;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(t->at + t->len, t->room - t->len, format, args);
	va_end(args);
	if (len > 0)
		t->len += (size_t)len < t->room - t->len ? (size_t)len : t->room - t->len - 1;
}

/* The member, or the base class, that has an offset of a struct; *at: its own offset. */
static bool find_member(Dwarf_Die *of, uint64_t offset, Dwarf_Die *member, uint64_t *at)
{
	unsigned left = MEMBERS_MAX;

	if (dwarf_child(of, member))
		return false;
	do {
		int tag = dwarf_tag(member);
		uint64_t size;
		Dwarf_Die type;

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !type_of(member, &type))
			continue;
		*at = number(member, DW_AT_data_member_location,
			     number(member, DW_AT_data_bit_offset, 0) / 8);
		size = size_of(type);
		if (offset >= *at && (!size || offset - *at < size))
			return true;
	} while (--left && !dwarf_siblingof(member, member));
	return false;
}

/* Goes into arrays, to one element.  index: also names which. */
static bool enter_arrays(struct text *t, Dwarf_Die *type, uint64_t *offset, bool index,
			 const char **name)
{
	for (unsigned n = 0; n < DEPTH_MAX; n++) {
		Dwarf_Die array;
		uint64_t size;

		if (!peel(type, name))
			return false;
		if (dwarf_tag(type) != DW_TAG_array_type)
			return true;
		array = *type;
		if (!type_of(&array, type))
			return false;
		size = size_of(*type);
		if (!size)
			return false;
		if (index)
			add(t, "[%" PRIu64 "]", *offset / size);
		*offset %= size;
	}
	return false;
}

/* Whether a type is a struct, or an array of them. */
static bool has_members(Dwarf_Die type)
{
	struct text none = { (char[1]){ 0 }, 1, 0 };
	const char *name;
	uint64_t offset = 0;

	return enter_arrays(&none, &type, &offset, false, &name) && is_struct(&type);
}

static void add_members(struct text *t, Dwarf_Die type, uint64_t offset)
{
	const char *name;

	for (unsigned n = 0; n < DEPTH_MAX; n++) {
		Dwarf_Die member;
		uint64_t at;

		if (!has_members(type) || !enter_arrays(t, &type, &offset, n, &name) ||
		    !find_member(&type, offset, &member, &at))
			break;
		if (dwarf_tag(&member) == DW_TAG_member && *name_of(&member))
			add(t, ".%s", name_of(&member));
		offset -= at;
		if (!type_of(&member, &type))
			break;
	}
	if (offset)
		add(t, "+%" PRIu64, offset);
}

bool elf_image_member(struct elf_image *e, uint64_t addr, uint64_t offset, char *name, size_t room)
{
	struct text t = { name, room, 0 };
	Dwarf_Die variable, type;
	const char *named;

	if (!e->dwarf || !find_variable(e, addr, &variable) || !type_of(&variable, &type) ||
	    !enter_arrays(&t, &type, &offset, false, &named) || !is_struct(&type))
		return false;
	*name = '\0';
	if (*named)
		add(&t, "%s", named);
	else
		add(&t, "%s%s%s",
		    dwarf_tag(&type) == DW_TAG_union_type   ? "union"
		    : dwarf_tag(&type) == DW_TAG_class_type ? "class"
							    : "struct",
		    *name_of(&type) ? " " : "", name_of(&type));
	add_members(&t, type, offset);
	return true;
}
