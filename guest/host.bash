# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guest/host.bash - programs of a Debian that is newer than the host's, which run on the host: they are not installed,
# but unpacked, and run with the loader and the libraries of the same Debian.  Scripts of this folder source it after
# apt.bash, whose names it uses.

# setup_apt for programs of this computer's architecture
setup_host_apt() {
	setup_apt
	sed -i "s/\"riscv64\"/\"$(dpkg --print-architecture)\"/" "$apt/apt.conf"
}

# unpack_for_host NAME...: downloads the packages for this computer with their dependencies, lists them in
# $work/out/manifest, and unpacks them in $work/out/tree, without documentation and what leave_out names for tar
unpack_for_host() {
	local name version deb left=()
	for name in './usr/share/doc/*' './usr/share/locale/*' './usr/share/man/*' "${leave_out[@]}"; do
		left+=("--exclude=$name")
	done
	private_apt install -y --download-only "$@" >>"$log" || die "cannot download $*: $(why)"
	private_apt install -s "$@" | awk '$1 == "Inst" {print $2, substr($3, 2)}' | sort >"$work/out/manifest"
	while read -r name version; do
		deb=$(deb_of "$name" "$version")
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/out/tree" --no-same-owner "${left[@]}" 2>>"$log" ||
			die "cannot unpack ${deb##*/}: is the disk full?"
	done <"$work/out/manifest"
}

# loader_script FILE PROGRAM [ARGUMENT...]: a script $work/out/FILE that starts PROGRAM of $work/out/tree/usr by the
# loader of the same packages, with their libraries, because the host's libraries may be older.  Arguments may name
# $tree and $libs.  The script finds its tree by its own place: the folder may be moved.
loader_script() {
	local file=$work/out/$1 program=$2
	shift 2
	cat >"$file" <<-END
	#!/bin/sh
	tree=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")/tree/usr
	for loader in "\$tree"/lib*/ld-linux*.so* "\$tree"/lib/*/ld-linux*.so*; do
		[ ! -x "\$loader" ] || break
	done
	libs=\$(dirname "\$(find "\$tree/lib" -name 'libc.so.6' | head -n 1)")
	exec "\$loader" --library-path "\$libs" "\$tree/$program" $* "\$@"
	END
	chmod 755 "$file"
}
