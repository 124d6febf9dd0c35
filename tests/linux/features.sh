# SPDX-License-Identifier: BSD-2-Clause
# What an unmodified kernel (Debian sid's) and programs of Debian do with the newer extensions of the CPU $CPU: the
# kernel names exactly these; pointer masking, shadow stacks, landing pads and Sv57 work in programs, or are refused
# where the CPU lacks them; libraries execute vector instructions where the CPU has them.  (tests/cpu/vector has the
# vectors that Linux keeps across signals, switches and ptrace, and OpenSSL with trixie's kernel.)
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

# What hwprobe must say, and the lines isa and mmu of /proc/cpuinfo.
case $CPU in
rva23)
	isa=rv64imafdcv_zicbom_zicbop_zicboz_ziccrse_zicfilp_zicfiss_zicntr_zicond_zicsr_zifencei_zihintntl_zihintpause
	isa=${isa}_zihpm_zimop_zaamo_zabha_zacas_zalrsc_zawrs_zfa_zfh_zfhmin_zca_zcb_zcd_zcmop_zba_zbb_zbc_zbs_zkr_zkt
	isa=${isa}_zvbb_zvbc_zve32f_zve32x_zve64d_zve64f_zve64x_zvfh_zvfhmin_zvkb_zvkg_zvkned_zvknhb_zvksed_zvksh_zvkt
	isa=${isa}_smnpm_sscofpmf_ssnpm_sstc_svade_svinval_svnapot_svpbmt_svvptc
	mmu=sv57
	cat >wanted <<-END
		mvendorid 0
		marchid 0
		mimpid 0
		base ima
		ext0 fd c v zba zbb zbs zicboz zbc zkt zvbb zvbc zvkb zvkg zvkned zvknhb zvksed zvksh zvkt zfh zfhmin zihintntl zvfh zvfhmin zfa zacas zicond zihintpause zve32x zve32f zve64x zve64f zve64d zimop zca zcb zcd zcmop zawrs supm zicntr zihpm zicbom zaamo zalrsc zabha zicbop zicfilp
		zicboz 0x40
		highest 0x100000000000000
		time 0x989680
		misaligned 0x3
		misaligned-vector 0x3
		thead
		zicbom 0x40
		zicbop 0x40
		ext1 zicfiss
	END
	;;
x60)
	isa=rv64imafdcv_zicbom_zicbop_zicboz_zicntr_zicond_zicsr_zifencei_zihintpause_zihpm_zaamo_zalrsc_zfh_zfhmin
	isa=${isa}_zca_zcd_zba_zbb_zbc_zbs_zkt_zve32f_zve32x_zve64d_zve64f_zve64x_zvfh_zvfhmin_zvkt
	isa=${isa}_sscofpmf_sstc_svinval_svnapot_svpbmt
	mmu=sv39
	cat >wanted <<-END
		mvendorid 0x710
		marchid 0x8000000058000001
		mimpid 0x1000000049772200
		base ima
		ext0 fd c v zba zbb zbs zicboz zbc zkt zvkt zfh zfhmin zvfh zvfhmin zicond zihintpause zve32x zve32f zve64x zve64f zve64d zca zcd zicntr zihpm zicbom zaamo zalrsc zicbop
		zicboz 0x40
		highest 0x4000000000
		time 0x989680
		misaligned 0x3
		misaligned-vector 0x3
		thead
		zicbom 0x40
		zicbop 0x40
		ext1
	END
	;;
x100)
	isa=rv64imafdcv_zicbom_zicbop_zicboz_ziccrse_zicntr_zicond_zicsr_zifencei_zihintntl_zihintpause_zihpm_zimop
	isa=${isa}_zaamo_zalrsc_zawrs_zfa_zfh_zfhmin_zca_zcb_zcd_zcmop_zba_zbb_zbc_zbkc_zbs_zkt
	isa=${isa}_zvbb_zvbc_zve32f_zve32x_zve64d_zve64f_zve64x_zvfh_zvfhmin_zvkb_zvkg_zvkned_zvknha_zvknhb_zvksed_zvksh_zvkt
	isa=${isa}_smnpm_smstateen_sscofpmf_ssnpm_sstc_svade_svinval_svnapot_svpbmt
	mmu=sv39
	cat >wanted <<-END
		mvendorid 0x710
		marchid 0x8000000058000002
		mimpid 0x33d8a600
		base ima
		ext0 fd c v zba zbb zbs zicboz zbc zbkc zkt zvbb zvbc zvkb zvkg zvkned zvknha zvknhb zvksed zvksh zvkt zfh zfhmin zihintntl zvfh zvfhmin zfa zicond zihintpause zve32x zve32f zve64x zve64f zve64d zimop zca zcb zcd zcmop zawrs supm zicntr zihpm zicbom zaamo zalrsc zicbop
		zicboz 0x40
		highest 0x4000000000
		time 0x989680
		misaligned 0x3
		misaligned-vector 0x3
		thead
		zicbom 0x40
		zicbop 0x40
		ext1
	END
	;;
u74)
	isa=rv64imafdc_zicntr_zicsr_zifencei_zihpm_zaamo_zalrsc_zca_zcd_zba_zbb
	mmu=sv39
	cat >wanted <<-END
		mvendorid 0x489
		marchid 0x8000000000000007
		mimpid 0x4210427
		base ima
		ext0 fd c zba zbb zca zcd zicntr zihpm zaamo zalrsc
		zicboz 0
		highest 0x4000000000
		time 0x989680
		misaligned 0x2
		misaligned-vector 0x4
		thead
		zicbom 0
		zicbop 0
		ext1
	END
	;;
c910)
	# The kernel does not offer the C910's vectors: it knows of the fault in its silicon (tests/cpu/vector).
	isa=rv64imafdc_zicntr_zicsr_zifencei_zihpm_zaamo_zalrsc_zfh_zfhmin_zca_zcd_sscofpmf
	mmu=sv39
	cat >wanted <<-END
		mvendorid 0x5b7
		marchid 0
		mimpid 0
		base ima
		ext0 fd c zfh zfhmin zca zcd zicntr zihpm zaamo zalrsc
		zicboz 0
		highest 0x4000000000
		time 0x989680
		misaligned 0x3
		misaligned-vector 0x4
		thead
		zicbom 0
		zicbop 0
		ext1
	END
	;;
esac

# cpuinfo NAME VALUE: so it stands in /proc/cpuinfo
cpuinfo() {
	sed -n "s/^$1[[:blank:]]*: //p" /proc/cpuinfo >$out
	[ "$(cat $out)" = "$2" ]
}
# names LINE: the line has the names of $isa, and no other; a newer kernel may know more names of the CPU's description
names() {
	sed -n "s/^$1[[:blank:]]*: //p" /proc/cpuinfo >$out
	tr _ '\n' <$out >has
	{ echo $isa | tr _ '\n'; tr '\0' '\n' </proc/device-tree/cpus/cpu@0/riscv,isa-extensions; } >may
	! echo $isa | tr _ '\n' | grep -vxFf has >>$out && ! grep -vxFf may has >>$out
}
# answers: hwprobe says what is wanted
answers() { features hwprobe >hwprobe && diff wanted hwprobe >$out; }

t "/proc/cpuinfo: isa names the CPU's extensions" names isa
t "and so does hart isa" names 'hart isa'
t "/proc/cpuinfo: mmu is $mmu" cpuinfo mmu $mmu
t "hwprobe says the same keys and bits as expected" answers

case $CPU in
rva23|x100)
	t "pointer masking: loads, stores and other accesses; faults before and after it" quiet features masks
	t "pointer masking: system calls" quiet features calls
	t "pointer masking: children, threads and other programs" quiet features inherited
	t "pointer masking: two processes take turns" quiet features turns
	;;
*)	t "pointer masking is refused" quiet features no-masks ;;
esac
case $CPU in
rva23)
	t "shadow stack: calls, faults, none before and after it" quiet features stack
	t "shadow stack: signals, children, threads and switches" quiet features kept
	t "shadow stack: a second one" quiet features mapped
	t "landing pads: jumps with labels, faults" quiet features pads
	t "Sv57: memory at addresses of 31 to 56 bits" quiet features high 56
	;;
*)
	t "shadow stacks and landing pads are refused" quiet features no-cfi
	t "Sv39: memory at addresses of 31 to 38 bits" quiet features high 38
	;;
esac

# sums N: Debian's libcrypto computes what busybox does
sums() { [ "$(features digest $1)" = "$(head -c $((64 * $1)) /dev/zero | sha256sum | cut -d' ' -f1)" ]; }
t "SHA-256 by libcrypto" sums 100
t "memset by libc" quiet features fill 3000
# (tests/linux/run looks at the machine's own counts of the other CPUs, which have no event of vectors.)
case $CPU in
rva23|x60|x100)
	# By their codes: vector, vector-elements, vector-crypto.
	count r160:u -- features fill 1000
	elements=$(value r160:u)
	count r160:u -- features fill 3000
	more=$(($(value r160:u) - elements))
	t "memset of 2000 bytes more, 100 times: $more elements more" is $more 200000
	count r15d:u -- features digest 100
	steps=$(value r15d:u)
	count r15d:u -- features digest 1100
	more=$(($(value r15d:u) - steps))
	# Zvknh, which the X60 lacks: a block has 64 rounds, of which an instruction computes 2, and 48 words of
	# the schedule, of which one computes 4.
	each=44
	[ $CPU != x60 ] || each=0
	t "SHA-256 of 1000 blocks more: $more vector steps more" is $more $((1000 * each))
	for program in busybox perl; do
		case $program in
		busybox) count r150:u -- busybox true ;;
		perl)	count r150:u -- perl -e '$x = "x" x 100000' ;;
		esac
		t "$program executes vector instructions: $(value r150:u)" between "$(value r150:u)" 10 100000
	done
	;;
esac
t "nothing in the kernel's log" no_oops
