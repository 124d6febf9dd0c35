# SPDX-License-Identifier: BSD-2-Clause
# One hart of our machine, whose counters are exact: perf's counts can be computed.
#
# A program's own instructions (:u) are the same in each run.  The kernel's are not, because its timer
# interrupts at other moments.  So counts of user space are exact, and counts that include the kernel
# have bounds, each with its reason.  No count includes M-mode: the firmware sets MINH in every counter.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

t "the kernel sees 16 firmware and 31 hardware counters" has_pmu '16 firmware and 31 hardware counters'
# Before the tests of throttling, the kernel must not throttle an event or lower the rate.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

# Filters.  The instructions before and after the loop are in both counts; the difference has none.
N=10000000
count instructions:u,branches:u,r110:u,r111:u,instructions:k -- $W spin $N
i=$(value instructions:u) b=$(value branches:u) c=$(value r110:u) taken=$(value r111:u) k=$(value instructions:k)
count instructions:u,branches:u,r110:u,r111:u,instructions:k -- $W spin $((2 * N))
t "instructions:u of $N more rounds: $((2 * N)) more" is $(($(value instructions:u) - i)) $((2 * N))
t "branches:u: $N more" is $(($(value branches:u) - b)) $N
t "conditional branches:u, a raw event: $N more" is $(($(value r110:u) - c)) $N
t "taken conditional branches:u: $N more" is $(($(value r111:u) - taken)) $N
# 20 ms more are five ticks more.
t "instructions:k: $((2 * N)) more in the program add very few in the kernel" \
	between $(($(value instructions:k) - k)) -100000 200000
count instructions:u,instructions:u,cycles:u -- $W spin $N
t "one event in two counters: both count the same" [ "$(grep -c "^$(value instructions:u),,instructions:u," $out)" = 2 ]
# perf starts and stops its counters one after another: an SBI call and the kernel's code for it run
# between two of them.
count instructions:u,instructions:k,instructions -- $W spin $N
t "user and kernel add up to the total, except for the code that starts the counters" \
	between $(($(value instructions) - $(value instructions:u) - $(value instructions:k))) -3000 3000
# User space reads three counters with nothing between them.
can "instructions:u and :k add up to the total exactly" $W filters instructions 1000000
note "$(cat $out)"
can "branches:u and :k add up to the total exactly" $W filters branches 1000000

# Groups
count '{instructions:u,branches:u,r110:u}' -- $W spin $N
one=$(value instructions:u)
count '{instructions:u,branches:u,r110:u}' -- $W spin $((2 * N))
t "a group counts exactly, too" is $(($(value instructions:u) - one)) $((2 * N))
count "{$(seq -s , 32 | sed 's/[0-9]\+/instructions:u/g')}" -- $W spin $N
t "a group with more events than there are counters is not counted, not even in part" \
	[ "$(grep -c '<not counted>' $out)" = 32 -o "$(grep -c '<not supported>' $out)" = 32 ]

# Sampling: events / period = samples = interrupts, and nothing is lost.
# sampled EVENT PERIOD WANTED LOAD...
sampled() {
	event=$1 period=$2 wanted=$3
	shift 3
	before=$(interrupts)
	sample -e "$event" -c "$period" -- "$@"
	got=$(($(interrupts) - before))
	t "$event every $period: $wanted samples" is $samples $wanted
	t "$event every $period: as many interrupts" is $got $wanted
	perf report -i /tmp/perf.data --stats >$out 2>&1
	t "$event every $period: nothing lost or throttled" sh -c "! grep -E 'LOST|THROTTLE' $out"
}
sampled instructions:u 40000 1000 $W spin 20000000
t "each sample has the period 40000" [ "$(perf script -i /tmp/perf.data -F period 2>/dev/null | sort | uniq -c | tr -s ' ')" = " 1000 40000 " ]
# The loop has two instructions.  An even period always samples the same one, an odd period samples each
# in turn: an overflow interrupt comes at the instruction that causes it.  The last sample is after the
# loop.
places() { perf script -i /tmp/perf.data -F ip 2>/dev/null | sort | uniq -c | awk '$1 > 10 { print $1 }' | tr '\n' ' '; }
p=$(places)
t "all of them at one instruction, because the period is even: $p" [ "$p" = "1000 " -o "$p" = "999 " ]
sampled instructions:u 40001 1000 $W spin 20000000
p=$(places)
t "an odd period samples both instructions of the loop, equally often: $p" \
	[ "$p" = "500 500 " -o "$p" = "499 500 " -o "$p" = "500 499 " ]
sampled branches:u 40000 500 $W spin 20000000
sampled r111:u 10000 1000 $W spin 10000000
# With the kernel: its instructions for a sample are counted, too.
before=$(interrupts)
sample -e instructions -c 40000 -- $W spin 20000000
got=$(($(interrupts) - before))
t "instructions, with the kernel's: $samples samples, as many interrupts" is $samples $got
t "at least 1000, and one in ten for the kernel at most" between $samples 1000 1100

sample -e '{instructions:u,branches:u}:S' -c 400000 -- $W spin 20000000
perf script -i /tmp/perf.data -F event,period 2>/dev/null | awk '{ n[$2 $1]++ } END { for (i in n) print i, n[i] }' >$out
t "a leader that samples for its group: 100 times 400000 instructions" grep -q '^instructions:u:400000 100$' $out
t "each with 200000 branches, except for the first, before the loop" grep -qE '^branches:u:200000 (99|100)$' $out

# More samples than the kernel allows, of user space only.  (If the period were shorter than the rest of
# the kernel's handler, Linux on RISC-V would hang, because its driver does not stop a throttled event.)
# Throttled or not, no sample is dropped: 200000 instructions of the loop, and those around it, which
# depend a little on perf's environment.
echo 25 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 2000 >/proc/sys/kernel/perf_event_max_sample_rate
before=$(interrupts)
sample -e instructions:u -c 100 -- $W spin 100000
got=$(($(interrupts) - before))
t "every 100 instructions, at most 2000 a second: $samples samples" between $samples 2100 2150
t "as many interrupts" is $got $samples
perf report -i /tmp/perf.data --stats >$out 2>&1
t "the kernel throttles the event" grep -q ' THROTTLE events' $out
t "no sample is lost" sh -c "! grep LOST $out"
# The same with the kernel, which must notice how much time its handler takes.
echo 1 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 100000 >/proc/sys/kernel/perf_event_max_sample_rate
sample -e instructions -c 4000 -- $W spin 1000000
t "the machine survives many samples: $samples" between $samples 500 100000
dmesg | tail -n 20 >$out
t "and the kernel's log says that it lowers the rate" grep -q 'perf: interrupt took too long.*lowering' $out
echo 25 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 100000 >/proc/sys/kernel/perf_event_max_sample_rate
sampled instructions:u 40000 1000 $W spin 20000000

# perf's own tests that need a PMU.  The others need something that the guest does not have:
#   breakpoints, watchpoints, sigtrap	Linux on RISC-V has no hardware breakpoints
#   object code reading			objdump
#   PERF_RECORD_* events		a program sleep with shared libraries; ours is busybox
#   setup struct perf_event_attr, python, the shell scripts	files that are not in the package
#   event groups			an uncore PMU
#   number of exit events		a second hart: it polls without pause for a child to end
perf test list >/tmp/tests 2>&1
while read -r name; do
	perf test "$(sed -n "s/^ *\([0-9]*\): $name\$/\1/p" /tmp/tests)" >$out 2>&1
	t "perf test: $name" sh -c "grep -q ': Ok' $out && ! grep -q 'FAILED' $out"
done <<END
Detect openat syscall event
Detect openat syscall event on all cpus
mmap interface tests
Parse event definition strings
Sysfs PMU tests
PMU JSON event tests
Roundtrip evsel->name
Software clock events period values
Use a dummy software event to keep tracking
Parse with no sample_id_all bit set
Track with sched_switch
Event times
Read backward ring buffer
END

t "nothing in the kernel's log" no_oops
