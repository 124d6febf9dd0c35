# SPDX-License-Identifier: BSD-2-Clause
# Meson builds (meson.build); this file has the targets that users and developers call.
# `make demo` and `make check` each do everything that they need on a fresh Debian 12 machine.

B := build

.PHONY: all tests setup guest rootfs sysroot peers demo picture check check-all arm64 analyze install uninstall dist bench fuzz format clean help

all: ## build what is used: build/holter, build/fw/holter-rv64.bin, build/fw/holter-rv32.bin, libpmc, programs for the guest
all: sysroot $(B)/native/build.ninja $(B)/rv64/build.ninja $(B)/rv32/build.ninja $(B)/rv64-linux/build.ninja
	@[ -e $(B)/holter ] || echo "building into $(B)/: this takes a minute or two"
	@for c in rv64 rv32 rv64-linux native; do \
		t=; [ $$c != native ] || t=used; \
		ninja -C $(B)/$$c --quiet $$t >$(B)/$$c.log || { cat $(B)/$$c.log; exit 1; }; \
	done
	@ln -sf native/tool/holter $(B)/holter
	@mkdir -p $(B)/fw
	@for x in 64 32; do for e in bin elf; do \
		cmp -s $(B)/rv$$x/fw/holter-rv$$x.$$e $(B)/fw/holter-rv$$x.$$e || \
		cp $(B)/rv$$x/fw/holter-rv$$x.$$e $(B)/fw/; \
	done; done

tests: ## build the unit tests and fuzz targets, too
tests: all
	@ninja -C $(B)/native --quiet >$(B)/native.log || { cat $(B)/native.log; exit 1; }

$(B)/rv64-linux/build.ninja: | sysroot

$(B)/native/build.ninja: | setup
	@mkdir -p $(B)
	@meson setup $(B)/native $(MESON_ARGS) >$(B)/native.log || { cat $(B)/native.log; exit 1; }

$(B)/rv64/build.ninja $(B)/rv32/build.ninja $(B)/rv64-linux/build.ninja: $(B)/rv%/build.ninja: | setup
	@mkdir -p $(B)
	@meson setup $(B)/rv$* --cross-file cross/rv$*.ini >$(B)/rv$*.log || { cat $(B)/rv$*.log; exit 1; }

# What these targets need besides what a build does, ./setup check installs.
TESTED := check check-all arm64 bench picture

setup: ## install missing Debian packages (as root or through sudo); what tests need: ./setup check
	@./setup $(if $(filter $(TESTED),$(MAKECMDGOALS)),check)

guest: ## prepare the Linux guest from Debian's riscv64 packages (once; then cached)
guest: setup
	@guest/prepare >/dev/null

sysroot: ## fetch the libraries that holter for RISC-V is linked with (once; then cached)
sysroot: setup
	@guest/sysroot >/dev/null

rootfs: ## make a disk with Debian and systemd, which boots to a login (once; build/guest/trixie-rootfs)
rootfs: setup all guest
	@guest/rootfs >/dev/null

peers: ## fetch the newer OpenSBI, QEMU and compilers that the tests need (once; then cached)
peers: setup
	@guest/prepare --opensbi trixie >/dev/null
	@guest/prepare --opensbi sid >/dev/null
	@guest/qemu >/dev/null
	@guest/compilers >/dev/null

demo: ## boot Linux as on an AX45MP; perf list, stat, record and report of a real program
demo: setup all guest
	@guest/demo

picture: ## make the picture of README.md again, from the page of make demo
picture: setup
	@guest/picture

check: ## run the tests, and a sample of long matrices; the last line is "N passed, N failed"
check: setup tests guest peers arm64
	@tests/check

check-all: ## run every test, every row of every matrix
check-all: setup tests guest peers arm64
	@./setup fuzz
	@HOLTER_SAMPLE=all tests/check

arm64: ## build the machine and its tests for aarch64 hosts, and fetch the QEMU that runs them: build/arm64
arm64: setup
	@! guest/arm64 >/dev/null || $(MAKE) --no-print-directory $(B)/arm64/build.ninja
	@# It may configure anew, which needs the same PATH.
	@[ ! -e $(B)/arm64/build.ninja ] || PATH=$(CURDIR)/$(B)/guest/arm64/bin:$$PATH ninja -C $(B)/arm64 --quiet native_tests$(if $(filter check-all,$(MAKECMDGOALS)),_all) \
		>$(B)/arm64.log || { cat $(B)/arm64.log; exit 1; }

$(B)/arm64/build.ninja:
	@PATH=$(CURDIR)/$(B)/guest/arm64/bin:$$PATH meson setup $(B)/arm64 --cross-file cross/arm64.ini \
		-Dc_args='-isystem $(CURDIR)/$(B)/guest/arm64/include' \
		-Dc_link_args='-static -L$(CURDIR)/$(B)/guest/arm64/lib' >$(B)/arm64.log || { cat $(B)/arm64.log; exit 1; }

analyze: ## run clang's static analyzer; tests/analyze/known lists findings that are not faults
analyze: setup all
	@./setup fuzz
	@tests/analyze/run

PREFIX ?= /usr/local
DESTDIR ?=
# Quotes a word for the shell.
quoted = '$(subst ','\'',$(1))'

install: ## install the program, its files, libpmc and the manual (PREFIX=/usr/local, DESTDIR=)
	@# A build of another user, or one that cannot be written, is installed without building.
	@if ! [ -e $(B)/holter ] || { [ -w $(B) ] && [ -O $(B) ]; }; then $(MAKE) --no-print-directory all guest; fi
	@dist/install $(B) $(call quoted,$(PREFIX)) $(call quoted,$(DESTDIR))

uninstall: ## remove the installed files (the same PREFIX and DESTDIR, or where they were moved to)
	@dist/install --remove $(call quoted,$(PREFIX)) $(call quoted,$(DESTDIR))

dist: ## make build/holter-VERSION.tar.gz of the last commit; the same bytes each time
	@dist/tarball

bench: ## measure SBI calls (OpenSBI's, too), libpmc, holter record, the machine's speed and its cycles
bench: all guest peers
	@bench/run
	@bench/info $(B)/holter $(B)/fw/holter-rv64.bin
	@bench/pmc/run
	@bench/record/run
	@bench/machine/run
	@bench/vector/run
	@bench/silicon/run

fuzz: ## fuzz with clang's libFuzzer (SECONDS=60 for each target); `make check` fuzzes for two minutes
fuzz: setup
	@./setup fuzz
	@fuzz/run $(or $(SECONDS),60)

format: ## reformat the C sources (clang-format)
	@./setup format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean: ## remove what was built, but not the guest and other downloads (rm -r build removes them, too)
	@rm -rf $(B)/native $(B)/rv64 $(B)/rv32 $(B)/rv64-linux $(B)/arm64 $(B)/clang $(B)/fw

help: ## show this
	@sed -n 's/^\([a-z0-9-]*\): ## /\1\t/p' Makefile | column -t -s "$$(printf '\t')" -l 2 2>/dev/null || \
	 sed -n 's/^\([a-z0-9-]*\): ## /\1 - /p' Makefile
