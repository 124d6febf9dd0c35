# SPDX-License-Identifier: BSD-2-Clause
# A firmware and a kernel on our machine, one hart: the counts of user space can be computed, and are
# the same with each firmware and kernel.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

note "$(uname -r), $(dmesg | sed -n 's/.*\(SBI specification.*\)/\1/p'), $(dmesg | sed -n 's/.*\(SBI implementation.*\)/\1/p')"
t "the kernel sees 16 firmware and 31 hardware counters" has_pmu '16 firmware and 31 hardware counters'
N=10000000
count cycles:u,instructions:u,branches:u,r110:u -- $W spin $N
c=$(value cycles:u) i=$(value instructions:u) b=$(value branches:u) r=$(value r110:u)
count cycles:u,instructions:u,branches:u,r110:u -- $W spin $((2 * N))
t "instructions:u of $N more rounds: $((2 * N)) more" is $(($(value instructions:u) - i)) $((2 * N))
t "cycles:u: at least as many" between $(($(value cycles:u) - c)) $((2 * N)) $((200 * N))
t "branches:u: $N more" is $(($(value branches:u) - b)) $N
t "a raw event, conditional branches: $N more" is $(($(value r110:u) - r)) $N
count dTLB-load-misses,iTLB-load-misses,node-loads,task-clock -- $W spin 1000
t "dTLB-load-misses: $(value dTLB-load-misses)" between "$(value dTLB-load-misses)" 10 100000
t "iTLB-load-misses: $(value iTLB-load-misses)" between "$(value iTLB-load-misses)" 10 100000
t "an event that the hart lacks is not counted" [ "$(value node-loads)" = "<not supported>" -o "$(value node-loads)" = "<not counted>" ]
before=$(interrupts)
sample -e instructions:u -c 40000 -- $W spin 20000000
got=$(($(interrupts) - before))
t "instructions:u every 40000: 1000 samples" is $samples 1000
t "and as many interrupts" is $got 1000
count "$(fw 4)" -- $W illegal 100
t "100 illegal instructions, as firmware event: $(value "$(fw 4)")" between "$(value "$(fw 4)")" 100 200
t "nothing in the kernel's log" no_oops
