/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys.h - part of engine_run: the instructions that end a block because they may change the state
 * of the hart, or access memory and then jump, and those that do not exist.
 *
 *	CSR instructions		csr_instruction, then the jump cache
 *	cm.popret, cm.jt		far_jump, then the jump cache
 *	the others			leave_run, then return to hart_run
 *
 * Native code leaves these to the interpreter.
 *
 * Implements: Unpriv 20240411 chapter 6 (Zicsr), §2.8, 28.14 (Zcmp), 28.15 (Zcmt); Priv 1.13
 * §3.3, §10.2.1.
 */
/* clang-format off */

OP(csrrw)
OP(csrrs)
OP(csrrc)
OP(csrrwi)
OP(csrrsi)
OP(csrrci)
	h->pc = HERE;
	if (timed)
		timing_left(h, r, pc, i - r->insn);
	hart_leave_last(h, r);
	if (!csr_instruction(h, r, i)) {
		if (timed)
			timing_behind(h, r, r->nr - 1);
		goto illegal_left;
	}
	if (h->stop)
		return;
	pc = h->pc;
	was = h->fetch_at;
	state = timed ? h->timing->state : STATES_EMPTY;
	goto lookup;

OP(cm_popret)
OP(cm_popretz)
	if (!ENGINE(pop)(h, r, i))
		goto fault;
	target = h->x[1] & ~1ull;
	goto far_jump;

OP(cm_jt)
OP(cm_jalt)
	if (!csr_may_jump_table(h))
		goto illegal;
	if (!table_entry(h, r, i, &target))
		goto fault;
	RD = BEHIND;
	goto far_jump;

/* These change too much for the engine to go on: it returns to hart_run. */

OP(fence_i)
	leave_run(h, r, pc, i, r->nr);
	if (timed)
		timing_fence_i(h);
	h->pc = BEHIND;
	return;

OP(ecall)
	h->fault = (struct fault){ CAUSE_ECALL_U + h->mode, 0 };
	goto fault;

OP(ebreak)
	h->fault = (struct fault){ CAUSE_BREAKPOINT, HERE };
	h->pc = HERE;
	open_access(h, r, i);
	to = h->cl->bus.semihost && h->cl->bus.semihost(h);
	close_access(h, i, to);
	if (!to)
		goto fault;
	leave_run(h, r, pc, i, r->nr);
	h->pc = BEHIND;
	return;

OP(mret)
	if (h->mode != PRV_M)
		goto illegal;
	h->pc = HERE;
	leave_run(h, r, pc, i, r->nr);
	trap_mret(h);
	return;

OP(sret)
	if (h->mode < PRV_S || (h->mode == PRV_S && (h->mstatus & MSTATUS_TSR)))
		goto illegal;
	h->pc = HERE;
	leave_run(h, r, pc, i, r->nr);
	trap_sret(h);
	return;

OP(wfi)
	if (h->mode == PRV_U || (h->mode == PRV_S && (h->mstatus & MSTATUS_TW)))
		goto illegal;
	leave_run(h, r, pc, i, r->nr);
	if (timed)
		timing_idle(h);
	h->pc = BEHIND;
	h->idle = HART_IDLE;
	return;

/*
 * Zawrs: while an lr's reservation stands the hart waits, at most until its turn ends.  So wrs.nto
 * always completes in bounded time, and never traps because of mstatus.TW.
 */
OP(wrs_nto)
OP(wrs_sto)
	leave_run(h, r, pc, i, r->nr);
	if (timed)
		timing_idle(h);
	h->pc = BEHIND;
	h->idle = h->reservation == RESERVATION_NONE ? HART_RUNS : HART_WAITS;
	return;

OP(sfence_vma)
OP(sinval_vma)
OP(th_sfence_vmas)
	if (h->mode == PRV_U || (h->mode == PRV_S && (h->mstatus & MSTATUS_TVM)))
		goto illegal;
	leave_run(h, r, pc, i, r->nr);
	h->pc = BEHIND;
	mmu_fence(h, i->rs1 ? &RS1 : NULL, i->rs2 ? &RS2 : NULL);
	return;

OP(sfence_w_inval)
OP(sfence_inval_ir)
	if (h->mode == PRV_U)
		goto illegal;
	leave_run(h, r, pc, i, r->nr);
	h->pc = BEHIND;
	return;

/* T-Head's, which decode.c has made fences. */
OP(th_dcache_call)
OP(th_dcache_ciall)
OP(th_dcache_iall)
OP(th_icache_iall)
OP(th_icache_ialls)
OP(th_l2cache_call)
OP(th_l2cache_ciall)
OP(th_l2cache_iall)
OP(th_dcache_cpa)
OP(th_dcache_cipa)
OP(th_dcache_ipa)
OP(th_dcache_cva)
OP(th_dcache_civa)
OP(th_dcache_iva)
OP(th_dcache_csw)
OP(th_dcache_cisw)
OP(th_dcache_isw)
OP(th_dcache_cpal1)
OP(th_dcache_cval1)
OP(th_icache_ipa)
OP(th_icache_iva)
OP(th_sync)
OP(th_sync_i)
OP(th_sync_is)
OP(th_sync_s)
OP(ILLEGAL)
	goto illegal;
