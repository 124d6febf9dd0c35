# SPDX-License-Identifier: BSD-2-Clause
# In the guest: libpmc's counts of a program, compared with perf stat's (busybox sh; TAP).
# perf counts from the exec on, libpmc from the fork before it: $room allows for the difference.
# shellcheck shell=dash
loops=20000000 room=400000
n=0

# agree EVENT PERF'S-NAME
agree() {
	n=$((n + 1))
	ours=$(/guest count "$1" /guest spin $loops 2>/tmp/why) || ours=none
	theirs=$(perf stat -x, -e "$2" -- /guest spin $loops 2>&1 | sed -n 's/^\([0-9]*\),.*/\1/p')
	if [ "${theirs:-none}" = none ] || [ "$ours" = none ]; then
		[ "${theirs:-none}" = "$ours" ] || printf 'not '
		echo "ok $n - $1: neither counts it: $(sed 's/^guest: //' /tmp/why | cut -c 1-60)..."
	else
		if [ "$ours" -gt $((theirs + theirs / 50 + room)) ] ||
			[ "$theirs" -gt $((ours + ours / 50 + room)) ]; then
			printf 'not '
		fi
		echo "ok $n - $1: $ours, perf: $theirs"
	fi
}

agree HW_INSTRUCTIONS instructions
agree instructions,usr instructions:u
agree HW_CPU_CYCLES cycles
agree branches branches
agree branch-mispredicts branch-misses
agree cache-references cache-references
agree HW_CACHE_L1D_READ_ACCESS L1-dcache-loads
agree dc-misses L1-dcache-load-misses
agree HW_CACHE_DTLB_READ_MISS dTLB-load-misses
agree HW_CACHE_ITLB_READ_MISS iTLB-load-misses
agree stalled-cycles-backend stalled-cycles-backend
agree FW_SET_TIMER r8000000000000005
agree FW_ILLEGAL_INSN r8000000000000004
agree fw=9 r8000000000000009
agree PAGE_FAULTS page-faults
agree CONTEXT_SWITCHES context-switches
echo "1..$n"
