/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine_next.h - part of engine_body.h and of native code: from the end of a run to the next run.
 *
 *	transferred	the prediction of the transfer of control, and its cycles
 *	state_after	the state of the pipeline after it
 *	fetched		the lines of the next run
 */

/* Whether the engine itself accounts for a transfer: it is right, or wrong in its direction. */
static inline bool transfer_is_plain(const struct hart *h, unsigned wrong)
{
	return likely((wrong | h->branches_told) <= BPRED_BAD_DIRECTION);
}

/*
 * Counts a branch or jump that the model has predicted, and its cycles, which it returns.  Both
 * directions, right and wrong, take the same path here without a test: where the model cannot
 * predict the guest's branch, the host could not predict the test.
 */
static inline unsigned transferred_plainly(struct hart *h, const struct block_run *r, bool taken,
					   unsigned wrong)
{
	unsigned cycles = r->way_cycles[taken][wrong];

	h->directions[taken][wrong]++;
	h->branch_cycles += cycles;
	return cycles;
}

/* The same for one at pc that timing_branch may want to see.  Returns its outcome. */
static inline enum block_outcome transferred(struct hart *h, struct block_run *r, uint64_t pc,
					     bool taken, unsigned wrong)
{
	if (!transfer_is_plain(h, wrong)) {
		if (h->branches_told != BRANCHES_TALLIED || wrong > BPRED_BAD_DIRECTION ||
		    r->block == h->scratch)
			return timing_branch(h, r, pc, taken, wrong);
		r->tally->went[taken][wrong]++;
	}
	transferred_plainly(h, r, taken, wrong);
	return wrong;
}

/* The number of the state after r and its transfer of control, or STATES_NONE (timing_after). */
static inline uint32_t state_after(struct hart *h, struct block_run *r, unsigned way,
				   unsigned outcome)
{
	uint32_t state;

	if (!timed)
		return STATES_EMPTY;
	state = r->after[way][outcome];
	return likely(state != STATES_NONE) ? state : timing_after(h, r, way, outcome);
}

static inline bool l1i_has(struct hart *h, struct block_run *r)
{
	return likely(r->seen == h->fetch_changes[r->fetch_set]) || timing_l1i_has(h, r);
}

/* Lines of r, which begins at pc, are fetched without a change in L1I. */
static inline void count_fetches(struct hart *h, struct block_run *r, uint64_t pc, unsigned lines)
{
	h->fetches += lines;
	if (unlikely(h->branches_told & BRANCHES_TALLIED))
		tally_fetched(h, r, pc, lines);
}

/*
 * Fetches r at pc if this needs only to be counted (timing_l1i_has, timing_page_has).  was: an
 * address in the line that was fetched last.  False: the caller must call timing_enter.
 */
static inline bool fetched(struct hart *h, struct block_run *r, uint64_t pc, uint64_t was)
{
	uint64_t differs = pc ^ was;
	bool same = !(differs & h->fetch_mask);

	if (same && r->lines == 1)
		return true;
	if (unlikely(differs & h->fetch_same_page_mask) ? !timing_page_has(h, r, pc)
							: !l1i_has(h, r))
		return false;
	count_fetches(h, r, pc, r->lines - same);
	return true;
}
