#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# undefined.sh - the undefined symbols of freestanding libraries: only memset and memcpy, which every
# freestanding C compiler may call, and the compiler's own helpers (libgcc).
#
# usage: undefined.sh NM ARCHIVE...	prints TAP, one line an archive
set -u

[ $# -ge 2 ] || {
	echo "usage: undefined.sh NM ARCHIVE..." >&2
	exit 2
}
nm=$1
shift
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

# needs ARCHIVE: its undefined symbols; nm prints "VALUE TYPE NAME", or "U NAME" if NAME is undefined
needs() {
	"$nm" "$1" >"$tmp/symbols" 2>/dev/null && [ -s "$tmp/symbols" ] || echo "no symbols; has it been built?"
	awk '
		NF == 3 { defined[$3] = 1 }
		NF == 2 && $1 == "U" { needed[$2] = 1 }
		END {
			for (s in needed)
				if (!(s in defined) && s !~ /^(memset|memcpy|__[a-z]+[dst]i[0-9]?)$/)
					print "it needs " s
		}' "$tmp/symbols" | sort
}
needs_nothing() { ! needs "$1" | grep .; }

for archive; do
	name="$(basename "$(dirname "$(dirname "$(dirname "$archive")")")")/$(basename "$archive")"
	t "$name needs no more than memset, memcpy and libgcc" needs_nothing "$archive"
done
finish
