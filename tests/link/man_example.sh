#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# man_example.sh - the example of man/sbipmu.3 is complete: it compiles for the host and for
# freestanding RV64 and RV32, links with the library, and answers a call.
#
# usage: man_example.sh [CROSS_CC]	prints TAP
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
cross=${1:-riscv64-unknown-elf-gcc}
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
said() { cat "$tmp/log"; }

sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$top/man/sbipmu.3" |
	sed -e '1,/^\.Bd/d' -e '/^\.Ed/d' >"$tmp/example.c"

cat >"$tmp/main.c" <<'END'
#include "example.c"
#include <stdio.h>

/* A hart with the two fixed counters, and S-mode that asks how many there are. */
int main(void)
{
	static const unsigned csrs[] = { CSR_MCYCLE, CSR_MCYCLEH, CSR_MINSTRET, CSR_MINSTRETH,
					 CSR_MCOUNTINHIBIT };

	for (int i = 0; i < NR_HARTS; i++)
		for (unsigned n = 0; n < sizeof(csrs) / sizeof(csrs[0]); n++)
			harts[i].exists[csrs[n]] = true;
	pmu_boot(NULL);
	harts[1].x[17] = SBI_EXT_PMU;
	harts[1].x[16] = SBI_PMU_NUM_COUNTERS;
	if (!pmu_ecall(1) || harts[1].x[10] != SBI_SUCCESS)
		return 1;
	printf("%d", (int)harts[1].x[11]);
	harts[0].x[17] = SBI_EXT_BASE;
	return pmu_ecall(0);
}
END

include="-I$top/include -I$top/lib/sbipmu"
warn='-std=gnu11 -Wall -Wextra -Werror -Wno-unused-parameter'
for x in 64 32; do
	# shellcheck disable=SC2086 # lists of words
	cc $warn $include -DRV_XLEN=$x -o "$tmp/main" "$tmp/main.c" "$top"/lib/sbipmu/*.c \
		>"$tmp/log" 2>&1 && "$tmp/main" >"$tmp/out" && [ "$(cat "$tmp/out")" = 19 ]
	result "the example of sbipmu(3) answers a call on the host, XLEN $x"
done
for x in 64 32; do
	abi=$([ $x = 64 ] && echo lp64 || echo ilp32)
	# shellcheck disable=SC2086
	"$cross" $warn $include -ffreestanding -march=rv${x}imac_zicsr -mabi=$abi -mcmodel=medany \
		-c -o "$tmp/example.o" "$tmp/example.c" >"$tmp/log" 2>&1
	result "the example of sbipmu(3) compiles for RV$x"
done
finish
