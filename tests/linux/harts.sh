# SPDX-License-Identifier: BSD-2-Clause
# $HARTS harts of our machine: each has its own counters, which are exact; harts that go offline and
# online; system-wide counts.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

last=$((HARTS - 1))
harts=$(seq 0 $last)
N=5000000
t "$HARTS harts" [ "$(nproc)" = $HARTS ]
t "the kernel sees the PMU" has_pmu '16 firmware and 31 hardware counters'

# The same program on each hart at the same time has the same instructions on each.
same() {
	for c in $harts; do perf stat -x, -e instructions:u,branches:u -o /tmp/on$c $W on $c spin $N & done
	wait
	cat /tmp/on* | awk -F, -v e="$1" '$3 == e { print $1 }' | sort -n | uniq -c >$out
	[ "$(wc -l <$out)" = 1 ] && grep -q "^ *$HARTS " $out
}
t "at the same time on each hart: the same branches" same branches:u
t "and the same instructions" same instructions:u
one=$(awk '{ print $2 }' $out)
t "$((2 * N)) of the loop: $one" between "$one" $((2 * N)) $((2 * N + 20000))
perf stat -x, -a -A -e instructions:u -o $out $W threads $HARTS $N
sum=$(awk -F, '$4 == "instructions:u" { n += $2 } END { print n }' $out)
# system-wide: perf and other processes are counted, too
t "perf stat -a: $HARTS threads in all, $sum" between "$sum" $((HARTS * 2 * N)) $((HARTS * 2 * N + 2000000))
before=$(interrupts)
sample -a -e instructions:u -c 100000 -- $W threads $HARTS $N
got=$(($(interrupts) - before))
t "perf record -a after that: $samples samples" between $samples $((HARTS * N / 50000)) $((HARTS * N / 50000 + 20 + HARTS))
t "as many interrupts" is $got $samples
perf report -i /tmp/perf.data --stats >$out 2>&1
t "and nothing lost" sh -c "! grep LOST $out"

# A thread that moves from hart to hart keeps its count.
count instructions:u -- $W wander 1000000 20
a=$(value instructions:u)
count instructions:u -- $W wander 2000000 20
t "a thread that moves over all harts: exact" is $(($(value instructions:u) - a)) 40000000

for c in $(seq 1 $last); do t "hart $c goes" hotplug $c; done
count instructions:u -- $W spin $N
t "only hart 0 is online, and counts: $(value instructions:u)" between "$(value instructions:u)" $((2 * N)) $((2 * N + 20000))
for c in $(seq 1 $last); do t "hart $c comes back" back $c; done
t "and all harts have the same counts again" same instructions:u
t "as before" [ "$(awk '{ print $2 }' $out)" = "$one" ]
for c in $harts; do
	before=$(interrupts)
	sample -e instructions:u -c 10000 -- $W on $c spin $N
	t "hart $c is sampled: 1000 of the loop and at most two around it, $samples" between $samples 1000 1002
	t "with as many interrupts" is $(($(interrupts) - before)) $samples
done
t "nothing in the kernel's log" no_oops
