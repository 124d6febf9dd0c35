# SPDX-License-Identifier: BSD-2-Clause
#
# tests/tool/doctor.sh - what tests of holter doctor in the Linux guest share.  They set `program`, which is
# holter for RISC-V.
# shellcheck shell=dash disable=SC2034,SC2154 # those that read this use its names
set -u
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
guest=$root/build/guest
[ -x "$program" ] || { echo "1..0 # SKIP no $program: make builds it"; exit 0; }
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
guest_is_there
said() { tail -n 40 "$tmp/out"; }
test_caches

# boot COMMAND OPTION...: runs a shell line in the guest; its output is in $tmp/out
boot() {
	local command=$1
	shift
	"$root/guest/run" --timeout 900 --file "$program=/bin/holter" "$@" -- \
		env NO_COLOR=1 sh -c "$command" >"$tmp/out" 2>&1
}

# kept COMMAND OPTION...: the same in the guest that holter run keeps, so that tests share its boot
kept() {
	local command=$1
	shift
	(ulimit -t 900 && exec "$root/build/holter" run "$@" -- env NO_COLOR=1 sh -c "$command") \
		</dev/null >"$tmp/out" 2>&1
}

# says NAME TEXT...: $tmp/out has all of these texts
says() {
	local name=$1
	shift
	t "$name" stand "$@"
}
stand() {
	local text
	for text; do
		grep -qF -e "$text" "$tmp/out" || { echo "missing: $text"; return 1; }
	done
}

doctor='holter doctor; echo "status $?"'
yes="verdict: no layer refuses or limits counting"
no="verdict: the first layer that refuses or limits counting is the"

# No PMU at all: each command prints one error, and no count is 0.
# shellcheck disable=SC2016 # for the guest
commands='
	cd /tmp
	try() { holter "$@" >out 2>err; echo "<$?> $(cat err out | grep -v "^ *$" | head -n 1 | cut -c 1-300)"; }
	try stat -e instructions,cache-misses true
	sed -n "/ instructions /s/ *\([0-9,]*\) *instructions.*/counted \1/p" err
	try stat -e cache-misses true
	try stat -e cycles:u true
	try stat -a -e raw=5 true
	try record -e cycles true
	try record -o time true
	holter stat true 2>&1 | grep -c " 0 *cycles\| 0 *instructions\| 0 *branches"
	holter list >out; grep -c " no \[" out; grep "^  HW_INSTRUCTIONS\|^  FW_SET_TIMER\|^ *\[1\]" out
	holter doctor >out; echo "status $?"; cat out'

# without FIRMWARE: with Linux's legacy driver, and a firmware without the PMU extension: the image is
# patched to have another number
without() {
	local bin=$1 name why
	sed 's/UMP\x00\x00\x00\x00\x00/UMZ\x00\x00\x00\x00\x00/g' "$bin" >"$tmp/no-pmu.bin"
	boot "$commands" --firmware "$tmp/no-pmu.bin"
	name="$(basename "$(dirname "$bin")"), no PMU extension:"
	says "$name the firmware" "$no firmware" "found no PMU extension" "riscv-pmu-legacy" "status 1" \
		"reads in user space no" "a whole CPU         yes"
	why="Linux counts cycles and instructions alone"
	says "$name stat: a line" "<2> holter: cache-misses: this machine does not count it: $why" \
		"<2> holter: cycles:u: $why" "<2> holter: raw=5: this machine does not count it: $why"
	says "$name record: a line" "<2> holter: HW_CPU_CYCLES: cannot be sampled: $why" \
		"<0> holter: sampling time, as cpu-clock: HW_CPU_CYCLES: cannot be sampled: $why"
	says "$name list: a reason" "HW_INSTRUCTIONS                 yes" "FW_SET_TIMER                    no [1]" \
		"[1] this machine does not count it: $why"
	grep -q '^counted [0-9][0-9,]*$' "$tmp/out" && ! grep -q '^counted 0$' "$tmp/out"
	result "$name what counts is counted"
}
