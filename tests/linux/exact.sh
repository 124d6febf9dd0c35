# SPDX-License-Identifier: BSD-2-Clause
# One hart of our machine, or of QEMU under -icount: time follows from the instructions, so that perf's
# counts can be computed.  (Without -icount, QEMU's counters follow the host's clock.)  The bounds are
# QEMU's; pmu.sh has the exact counts of our machine.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

loops=20000000 instructions=40000000
t "the kernel sees 16 firmware counters and ${COUNTERS:-18} hardware counters" \
	has_pmu "16 firmware and ${COUNTERS:-18} hardware counters"
case $SNAPSHOT in
yes)	t "and uses the snapshots that the firmware offers" has_pmu 'SBI PMU snapshot' ;;
no)	t "and no snapshots, which the firmware does not offer" sh -c "! dmesg | grep -q 'SBI PMU snapshot'" ;;
esac

count cycles,instructions -- $W spin $loops
i=$(value instructions)
t "instructions of a loop: $instructions and at most 6 % more" \
	between "$i" $instructions $((instructions * 106 / 100))
t "as many cycles as instructions" between "$(value cycles)" $((i * 98 / 100)) $((i * 102 / 100))

can "a group of cycles and instructions around a loop" $W group $loops
set -- $(cat $out)
t "the group counts only between start and stop" between "${4:-}" $instructions $((instructions * 103 / 100))

can "300 starts and stops lose nothing" $W restart 300
set -- $(tail -n 1 $out)
t "300 times 200000 instructions and little more" between "${2:-}" 60000000 67000000

# (With a software event: a newer perf refuses to start if no event counts.)
count node-loads,task-clock -- $W spin 1000
t "an event that the hart lacks is <not supported>" [ "$(value node-loads)" = "<not supported>" ]

count dTLB-load-misses,dTLB-store-misses,iTLB-load-misses -- $W spin 1000
t "dTLB and iTLB events count" between "$(value dTLB-load-misses)" 10 1000000
t "and so do store and fetch misses" between "$(($(value dTLB-store-misses) + $(value iTLB-load-misses)))" 10 1000000

# QEMU raises overflows from a timer: the number of samples may be a little off.
sample -e cycles -c 40000 -- $W spin $loops
t "sampling cycles every 40000: 1000 samples, got $samples" between $samples 900 1150
sample -e instructions -c 400000 -- $W spin $loops
t "sampling instructions every 400000: 100 samples, got $samples" between $samples 85 115
sample -e cycles -F 4000 -- $W spin $loops
t "sampling at 4000 Hz for 40 ms: 160 samples, got $samples" between $samples 130 260
perf report -i /tmp/perf.data --stdio -n --sort dso >$out 2>&1
t "perf report finds them in the program" grep -qE '(9[0-9]|100)\.[0-9]+% .* load' $out
# More samples than the kernel allows: it throttles the event and starts it again at the next tick, but
# Linux on RISC-V has never stopped it.  The call returns ALREADY_STARTED, which must change nothing.
echo 2000 >/proc/sys/kernel/perf_event_max_sample_rate
sample -e cycles -c 20000 -- $W spin $loops
t "a throttled event continues to sample to the end: ${THROTTLED:-2000} samples, got $samples" \
	between $samples $((${THROTTLED:-2000} * 8 / 10)) 2600
echo 100000 >/proc/sys/kernel/perf_event_max_sample_rate
sample -e cycles -c 40000 -- $W spin $loops
t "and does not disturb the next one: 1000 samples, got $samples" between $samples 900 1150

can "user space reads a counter through perf's page" $W userpage

echo 2 >/proc/sys/kernel/perf_user_access
can "perf_user_access=2: rdcycle and rdinstret move" $W legacy
set -- $(cat $out)
t "perf_user_access=2: rdcycle counts the loop" between "${2:-}" 20000000 21000000
t "perf_user_access=2: rdinstret counts the loop" between "${4:-}" 20000000 21000000
count cycles,instructions -- $W spin $loops
t "perf_user_access=2: perf stat counts on the fixed counters" \
	between "$(value instructions)" $instructions $((instructions * 106 / 100))
can "perf_user_access=2: and rdcycle moves after that, too" $W legacy
echo 1 >/proc/sys/kernel/perf_user_access
count cycles,instructions -- $W spin $loops
t "perf_user_access=1 again: perf stat counts" between "$(value instructions)" $instructions $((instructions * 106 / 100))

# Firmware events 0 to 21 are more than the 16 counters, so that perf rotates them.
list=$(fw 0)
for e in $(seq 1 21); do list=$list,$(fw "$e"); done
count "$list" -- $W spin $loops
n=$(awk -F, '$3 ~ /^r8/ && $1 ~ /^[0-9]+$/ { n++ } END { print n + 0 }' $out)
t "22 firmware events on 16 counters: all of them count ($n do)" [ "$n" = 22 ]
# shellcheck disable=SC2016
t "and perf rotated them" awk -F, '$3 ~ /^r8/ && $5 < 99 { n++ } END { exit n == 0 }' $out

t "nothing in the kernel's log" no_oops
