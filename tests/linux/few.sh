# SPDX-License-Identifier: BSD-2-Clause
# One hart of our machine with four programmable counters: perf rotates more events than counters, and
# scales their counts.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

t "the kernel sees 16 firmware and 6 hardware counters" has_pmu '16 firmware and 6 hardware counters'
N=100000000
# percent EVENT: the percentage of the time in which the last count has counted it
percent() { awk -F, -v e="$1" '$3 == e { sub(/\..*/, "", $5); print $5; exit }' $out; }

count instructions:u,branches:u,r110:u,r111:u -- $W spin 20000000
i=$(value instructions:u) all=$(cut -d, -f5 $out | sort -u)
t "four events on four counters: each all the time ($all)" [ "$all" = 100.00 ]
count instructions:u,branches:u,r110:u,r111:u -- $W spin 10000000
t "and exact" is $((i - $(value instructions:u))) 20000000

# Ten events: perf rotates them at each tick, and scales each count to the whole time.  For a loop that
# always does the same this is right, except for its beginning and end.
count instructions:u,branches:u,r110:u,r111:u,r112:u,r113:u,r120:u,r100:u,r101:u,r140:u -- $W spin $N
while read -r event true; do
	v=$(value $event)
	t "$event, counted $(percent $event) % of the time: $v is within 2 % of $true" \
		between "$v" $((true * 98 / 100)) $((true * 102 / 100))
	t "$event counted a part of the time" between "$(percent $event)" 10 90
done <<END
instructions:u $((2 * N))
branches:u $N
r110:u $N
r111:u $N
r120:u $N
END

# perf rotates two groups of three, each as a whole.
count '{instructions:u,branches:u,r110:u},{r120:u,r111:u,r113:u}' -- $W spin $N
t "all events of a group have the same share of the time" [ "$(percent branches:u):$(percent r110:u)" = "$(percent instructions:u):$(percent instructions:u)" ]
t "the other group has the rest: $(percent instructions:u) and $(percent r120:u) %" \
	between $(($(percent instructions:u) + $(percent r120:u))) 90 110
# The events of a group count at the same times, so that the same factor scales them.
t "within a group: two instructions per branch" \
	between $(($(value instructions:u) * 1000 / $(value branches:u))) 1999 2001
t "and an addition per taken branch" between $(($(value r120:u) * 1000 / $(value r111:u))) 999 1001
count '{instructions:u,branches:u,r110:u,r111:u,r112:u,r113:u,r120:u}' -- $W spin 1000000
t "a group of seven is not counted, not even in part" [ "$(grep -c '<not counted>' $out)" = 7 ]
count '{instructions:u,branches:u,r110:u,r111:u}' -- $W spin 10000000
t "a group of four is, and exact" is $((i - $(value instructions:u))) 20000000

# An event that samples keeps its period when perf rotates it.
sample -e instructions:u,branches:u,r110:u,r111:u,r112:u,r113:u,r120:u -c 1000000 -- $W spin $N
perf script -i /tmp/perf.data -F event 2>/dev/null | sort | uniq -c >$out
n=$(awk '$2 == "instructions:u:" { print $1 }' $out)
t "seven events that sample are rotated: instructions:u has $n of 200 samples" between "$n" 60 190
t "nothing in the kernel's log" no_oops
