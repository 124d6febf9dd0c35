#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# undefined.sh - what freestanding libraries need of those who link them: nothing but memset and
# memcpy, which every freestanding C compiler may call, and the compiler's own helpers (libgcc).
#
# usage: undefined.sh NM ARCHIVE...	prints TAP, one line an archive
set -u

[ $# -ge 2 ] || {
	echo "usage: undefined.sh NM ARCHIVE..." >&2
	exit 2
}
nm=$1
shift
status=0
n=0
echo "1..$#"
for archive; do
	n=$((n + 1))
	name="$(basename "$(dirname "$(dirname "$(dirname "$archive")")")")/$(basename "$archive")"
	if ! symbols=$("$nm" "$archive" 2>/dev/null) || [ -z "$symbols" ]; then
		echo "not ok $n - $name: no symbols; has it been built?"
		status=1
		continue
	fi
	# nm prints "VALUE TYPE NAME", and "U NAME" for what is undefined.
	needs=$(printf '%s\n' "$symbols" | awk '
		NF == 3 { defined[$3] = 1 }
		NF == 2 && $1 == "U" { needed[$2] = 1 }
		END {
			for (s in needed)
				if (!(s in defined) && s !~ /^(memset|memcpy|__[a-z]+[dst]i[0-9]?)$/)
					print s
		}' | sort)
	if [ -z "$needs" ]; then
		echo "ok $n - $name needs no more than memset, memcpy and libgcc"
	else
		echo "not ok $n - $name needs no more than memset, memcpy and libgcc"
		printf '%s\n' "$needs" | sed 's/^/#   it needs /'
		status=1
	fi
done
exit $status
