# SPDX-License-Identifier: BSD-2-Clause
# Functions of the tests that run in the guest (each sources this file; busybox sh).
#
# A test prints one line of TAP without a number, which tests/linux/run adds.  After a failed test, the
# output of its commands follows as diagnostics.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
W=load
results=0
out=/tmp/out
: >$out
cd /tmp || exit 99

# t NAME COMMAND...: a test that passes when the command succeeds
t() {
	name=$1 results=$((results + 1))
	shift
	if "$@"; then
		echo "ok - $name"
	else
		echo "not ok - $name"
		echo "# failed: $*"
		tail -n 20 $out | sed 's/^/# /'
	fi
}

# can NAME COMMAND...: the same, but status 77 of the command means that the test is skipped
can() {
	name=$1 results=$((results + 1))
	shift
	status=0
	"$@" >$out 2>&1 || status=$?
	case $status in
	0)	echo "ok - $name" ;;
	77)	echo "ok - $name # SKIP $(tail -n 1 $out)" ;;
	*)	echo "not ok - $name"; echo "# failed with status $status: $*"; tail -n 20 $out | sed 's/^/# /' ;;
	esac
}

skip() { results=$((results + 1)); echo "ok - $1 # SKIP $2"; }
# plan: prints the number of results, so that a script that a crash cut short is noticed
plan() { echo "1..$results"; }
note() { echo "# $*"; }

# between V LOW HIGH: V is a number from LOW to HIGH
between() { [ -n "$1" ] && [ "$1" -ge "$2" ] 2>/dev/null && [ "$1" -le "$3" ] 2>/dev/null; }

# is A B: both are the same number
is() { [ "$1" -eq "$2" ] 2>/dev/null; }

# interrupts: how often the counters have interrupted the harts
interrupts() { awk '/riscv-pmu/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }

# hotplug HART, back HART: takes the hart offline, brings it online again
hotplug() {
	echo 0 >/sys/devices/system/cpu/cpu$1/online || return 1
	[ "$(cat /sys/devices/system/cpu/cpu$1/online)" = 0 ]
}
back() {
	echo 1 >/sys/devices/system/cpu/cpu$1/online || return 1
	[ "$(cat /sys/devices/system/cpu/cpu$1/online)" = 1 ]
}

# quiet COMMAND...: its output is only for the diagnostics
quiet() { "$@" >$out 2>&1; }

# count EVENTS OPTIONS... -- COMMAND...: perf stat, into $out
count() { events=$1; shift; perf stat -x, -e "$events" "$@" >$out 2>&1; }

# value EVENT [CPU]: its value in the last count: a number, <not supported> or <not counted>
value() {
	awk -F, -v e="$1" -v cpu="${2:+CPU$2}" '
		cpu == "" && $3 == e { print $1; exit }
		cpu != "" && $1 == cpu && $4 == e { print $2; exit }' $out
}

# count_ipis EVENT HART N: counts "load ipi N".  An IPI goes only to a hart that runs the process at
# that moment, which is often not so on a busy host: the best of three counts is taken.
count_ipis() {
	for try in 1 2 3; do
		count "$1" -C "$2" -- $W ipi "$3"
		[ "$(value "$1")" -lt "$3" ] 2>/dev/null || break
	done
}

# sample OPTIONS... -- COMMAND...: perf record; sets samples to the number of samples.  perf does not read the kernel's
# names, which takes 0.6 billion instructions.
sample() {
	echo 2 >/proc/sys/kernel/kptr_restrict
	perf record -o /tmp/perf.data "$@" >$out 2>&1
	# perf prints "(N samples)", and nothing if there are none.
	samples=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' $out)
	samples=${samples:-0}
}

fw() { printf 'r8%015x' "$1"; }	# an SBI firmware event as a raw event of perf

has_pmu() { dmesg | grep 'riscv-pmu-sbi' >$out; grep -q "$1" $out; }
no_oops() { dmesg | grep -E 'Oops|BUG:|WARNING:|Unable to handle' >$out; [ ! -s $out ]; }
