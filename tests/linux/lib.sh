# What the tests that run in the guest share (sourced by each of them there; busybox sh).
#
# A test is one line of TAP without its number, which tests/linux/run gives it.  A failed one is
# followed by what the commands said, as diagnostics.
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

# can NAME COMMAND...: the same for a program that ends with 77 where it cannot do its work
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
# plan: how many results there were, for scripts that a crash must not cut short unnoticed
plan() { echo "1..$results"; }
note() { echo "# $*"; }

# between V LOW HIGH: all are whole numbers, and V is within
between() { [ -n "$1" ] && [ "$1" -ge "$2" ] 2>/dev/null && [ "$1" -le "$3" ] 2>/dev/null; }

# is A B: the same whole number, and one at all
is() { [ "$1" -eq "$2" ] 2>/dev/null; }

# interrupts: how often the counters have interrupted the harts
interrupts() { awk '/riscv-pmu/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }

# hotplug HART, back HART: it goes away, it comes back
hotplug() {
	echo 0 >/sys/devices/system/cpu/cpu$1/online || return 1
	[ "$(cat /sys/devices/system/cpu/cpu$1/online)" = 0 ]
}
back() {
	echo 1 >/sys/devices/system/cpu/cpu$1/online || return 1
	[ "$(cat /sys/devices/system/cpu/cpu$1/online)" = 1 ]
}

# quiet COMMAND...: its output is for the diagnostics only
quiet() { "$@" >$out 2>&1; }

# count EVENTS OPTIONS... -- COMMAND...: perf stat, into $out
count() { events=$1; shift; perf stat -x, -e "$events" "$@" >$out 2>&1; }

# value EVENT [CPU]: what the last count said of it: a number, or <not supported>, <not counted>
value() {
	awk -F, -v e="$1" -v cpu="${2:+CPU$2}" '
		cpu == "" && $3 == e { print $1; exit }
		cpu != "" && $1 == cpu && $4 == e { print $2; exit }' $out
}

# count_ipis EVENT HART N: as count, of "load ipi N"; an IPI goes only to a hart that runs the process
# in that moment, and on a busy host it often does not, so the best of three counts
count_ipis() {
	for try in 1 2 3; do
		count "$1" -C "$2" -- $W ipi "$3"
		[ "$(value "$1")" -lt "$3" ] 2>/dev/null || break
	done
}

# sample OPTIONS... -- COMMAND...: perf record; the number of samples is then in $samples
sample() {
	perf record -o /tmp/perf.data "$@" >$out 2>&1
	# perf says "(N samples)", and nothing of samples when there are none.
	samples=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' $out)
	samples=${samples:-0}
}

fw() { printf 'r8%015x' "$1"; }	# an SBI firmware event as perf takes it by number

has_pmu() { dmesg | grep 'riscv-pmu-sbi' >$out; grep -q "$1" $out; }
no_oops() { dmesg | grep -E 'Oops|BUG:|WARNING:|Unable to handle' >$out; [ ! -s $out ]; }
