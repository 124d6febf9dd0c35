# SPDX-License-Identifier: BSD-2-Clause
# The front door.  Meson builds (meson.build); this file names what a person wants of it.
# `make demo` and `make check` each do everything on a fresh Debian 12 machine.

B := build

.PHONY: all setup guest sysroot peers demo picture check check-all asan analyze install uninstall bench fuzz format clean help

all: ## build everything: build/holter, build/fw/holter-rv64.bin, build/fw/holter-rv32.bin, libpmc, the test images
all: sysroot $(B)/native/build.ninja $(B)/rv64/build.ninja $(B)/rv32/build.ninja $(B)/rv64-linux/build.ninja
	@for c in rv64 rv32 rv64-linux native; do \
		ninja -C $(B)/$$c --quiet >$(B)/$$c.log || { cat $(B)/$$c.log; exit 1; }; \
	done
	@ln -sf native/tool/holter $(B)/holter
	@mkdir -p $(B)/fw
	@for x in 64 32; do for e in bin elf; do \
		cmp -s $(B)/rv$$x/fw/holter-rv$$x.$$e $(B)/fw/holter-rv$$x.$$e || \
		cp $(B)/rv$$x/fw/holter-rv$$x.$$e $(B)/fw/; \
	done; done

$(B)/rv64-linux/build.ninja: | sysroot

$(B)/native/build.ninja: | setup
	@mkdir -p $(B)
	@meson setup $(B)/native $(MESON_ARGS) >$(B)/native.log || { cat $(B)/native.log; exit 1; }

$(B)/rv64/build.ninja $(B)/rv32/build.ninja $(B)/rv64-linux/build.ninja: $(B)/rv%/build.ninja: | setup
	@mkdir -p $(B)
	@meson setup $(B)/rv$* --cross-file cross/rv$*.ini >$(B)/rv$*.log || { cat $(B)/rv$*.log; exit 1; }

setup: ## install what is missing (Debian packages, as root or through sudo)
	@./setup

guest: ## prepare the Linux guest from Debian's riscv64 packages (once; then cached)
guest: setup
	@guest/prepare >/dev/null

sysroot: ## fetch the libraries that holter for RISC-V is linked with (once; then cached)
sysroot: setup
	@guest/sysroot >/dev/null

peers: ## fetch the newer OpenSBI releases that the tests compare with (once; then cached)
peers: setup
	@guest/prepare --opensbi trixie >/dev/null
	@guest/prepare --opensbi sid >/dev/null

demo: ## boot Linux as on an AX45MP; perf list, stat, record and report of a real program
demo: setup all guest
	@guest/demo

picture: ## the picture of README.md, anew: of the page that make demo has left
	@guest/picture

check: ## run the tests, of long matrices a sample; the last line is "N passed, N failed"
check: setup all guest peers asan
	@tests/check

check-all: ## run every test, every row of every matrix
check-all: setup all guest peers asan
	@HOLTER_SAMPLE=all tests/check

asan: ## build holter with the address and undefined-behaviour sanitizers: build/asan/tool/holter
asan: $(B)/asan/build.ninja
	@ninja -C $(B)/asan --quiet sanitized >$(B)/asan.log || { cat $(B)/asan.log; exit 1; }

$(B)/asan/build.ninja: | setup
	@mkdir -p $(B)
	@meson setup $(B)/asan -Db_sanitize=address,undefined -Db_lundef=false \
		-Dc_args=-fno-sanitize-recover=all >$(B)/asan.log || { cat $(B)/asan.log; exit 1; }

analyze: ## clang's static analyzer over the product; findings that are none are in tests/analyze/known
analyze: setup all
	@./setup fuzz
	@tests/analyze/run

PREFIX ?= /usr/local
DESTDIR ?=
# A word of the shell, whatever is in it.
quoted = '$(subst ','\'',$(1))'

install: ## install the program, its files, libpmc and the manual (PREFIX=/usr/local, DESTDIR=)
	@# What another user has built, or what cannot be written, is installed as it is.
	@if ! [ -e $(B)/holter ] || { [ -w $(B) ] && [ -O $(B) ]; }; then $(MAKE) --no-print-directory all guest; fi
	@dist/install $(B) $(call quoted,$(PREFIX)) $(call quoted,$(DESTDIR))

uninstall: ## remove what install has installed (the same PREFIX and DESTDIR, or where it was moved to)
	@dist/install --remove $(call quoted,$(PREFIX)) $(call quoted,$(DESTDIR))

bench: ## what each call costs, of the SBI (OpenSBI's, too) and of libpmc, and how fast the machine is
bench: all guest peers
	@bench/run
	@bench/info $(B)/holter $(B)/fw/holter-rv64.bin
	@bench/pmc/run
	@bench/record/run
	@bench/machine/run

fuzz: ## fuzz with clang's libFuzzer for a while (SECONDS=60); `make check` does it for two minutes in all
fuzz: setup
	@./setup fuzz
	@fuzz/run $(or $(SECONDS),60)

format: ## reformat the C sources (clang-format)
	@./setup format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean: ## remove what was built; the guest and other downloads stay (rm -r build for those, too)
	@rm -rf $(B)/native $(B)/rv64 $(B)/rv32 $(B)/rv64-linux $(B)/asan $(B)/fw

help: ## show this
	@sed -n 's/^\([a-z-]*\): ## /\1\t/p' Makefile | column -t -s "$$(printf '\t')" -l 2 2>/dev/null || \
	 sed -n 's/^\([a-z-]*\): ## /\1 - /p' Makefile
