# SPDX-License-Identifier: BSD-2-Clause
# A newer kernel (Debian sid), which asks for all events in one call (EVENT_GET_INFO, FID 8) if the
# firmware implements SBI 3.0.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

t "the kernel sees the PMU ($(uname -r))" has_pmu '16 firmware and .* hardware counters'
if dmesg | grep -q 'SBI specification v[3-9]'; then
	t "SBI 3.0 or later, so that the kernel uses EVENT_GET_INFO" true
else
	skip "EVENT_GET_INFO" "the firmware speaks $(dmesg | sed -n 's/.*SBI specification \(v[0-9.]*\).*/\1/p')"
fi
loops=20000000
count cycles,instructions,node-loads,dTLB-load-misses -- $W spin $loops
t "perf stat counts cycles: $(value cycles)" between "$(value cycles)" 1000000 100000000000
t "perf stat counts instructions: $(value instructions)" between "$(value instructions)" 1000000 100000000000
t "perf stat counts dTLB misses: $(value dTLB-load-misses)" between "$(value dTLB-load-misses)" 1 100000000
t "an event that the hart lacks is <not supported>" [ "$(value node-loads)" = "<not supported>" ]
perf list hw >$out 2>&1
t "perf list shows cycles" grep -q 'cycles' $out
sample -F 4000 -e cycles -- $W spin 300000000
t "perf record takes samples ($samples)" between $samples 20 20000
count "$(fw 8)" -C 0 -- taskset 1 $W fencei 500
t "500 remote FENCE.I sent: $(value "$(fw 8)")" between "$(value "$(fw 8)")" 500 800
count_ipis "$(fw 6)" 0 500
t "up to 500 IPIs sent: $(value "$(fw 6)")" between "$(value "$(fw 6)")" 20 800
t "nothing in the kernel's log" no_oops
