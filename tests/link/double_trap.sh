#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# double_trap.sh - no machine here has Smdbltrp or Smrnmi, so this test checks the firmware's instructions
# for them: the trap entry of a hart with MDT clears MDT before it can trap again; this entry is used if
# the hart keeps MDT; and NMIE is set before the first instruction that may trap.
#
# usage: double_trap.sh OBJDUMP FIRMWARE.elf
set -u
. "$(dirname "$0")/../tap.sh"
objdump=$1 elf=$2

# from LABEL: the instructions from LABEL to the first jump, one a line: "csrc mstatus,t0".
from() {
	"$objdump" -d --no-show-raw-insn --no-addresses "$elf" | awk -v label="<$1>:" '
		$0 == label { on = 1; next }
		on && NF == 0 { exit }
		on { $1 = $1; sub(/ *[#<].*/, ""); print }
		on && ($1 == "j" || $1 == "jr" || $1 == "ret" || $1 == "call") { exit }'
}

# matches LABEL: each of its instructions matches one line of stdin, an extended regular expression.
matches() {
	cat >"$tmp/want"
	from "$1" >"$tmp/got"
	cat "$tmp/got"
	paste -d '\001' "$tmp/got" "$tmp/want" | awk -F '\001' '
		$2 != "" && $1 !~ "^(" $2 ")$" { print "# " $1 " is not " $2; bad = 1 }
		END { exit bad || NR == 0 }'
}

entry() {
	matches trap_entry_mdt <<-'END'
	csrrw tp,mscratch,tp
	beqz tp,.*
	sd t0,40\(tp\)
	(addw t0,zero,1|li t0,1)
	sll(i)? t0,t0,0x2a
	csrc mstatus,t0
	j .*
	END
}

firmwares_own() {
	matches from_m_mdt <<-'END'
	(addw tp,zero,1|li tp,1)
	sll(i)? tp,tp,0x2a
	csrc mstatus,tp
	(j|beqz|csrrw) .*
	END
}

choice() {
	from trap_install >"$tmp/own"
	cat "$tmp/own"
	tr '\n' ';' <"$tmp/own" | grep -Eq \
		'sll(i)? t1,t1,0x2a;csrs mstatus,t1;csrrc t2,mstatus,t1;and t2,t2,t1;beqz t2,[^;]*;auipc t0[^;]*;add(i)? t0[^;]*;csrw mtvec,t0;'
}

start() {
	matches may_trap <<-'END'
	auipc t0,.*
	add(i)? t0,t0,.*
	csrw mtvec,t0
	(addw t1,zero,1|li t1,1)
	sll(i)? t1,t1,0x2a
	csrc mstatus,t1
	csrs(i)? (0x744|mnstatus),8
	(nop|csrc mstatus,t1)
	END
}

t 'the trap entry of a hart with Smdbltrp clears MDT first' entry
t "so does the entry for the firmware's own traps" firmwares_own
t 'this entry is chosen if the hart keeps MDT' choice
t 'after a reset, MDT is cleared and NMIE set before an instruction may trap' start
finish
