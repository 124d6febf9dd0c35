// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_vector.c - what the model of the vector units (model/pipeline/vunit.h) sees of a vector
 * instruction (timing_vector.h).
 */
#include "cluster.h"
#include "timing_vector.h"

/* Those that compute.  ORDER: the ranges are those of vector.def. */
static const uint8_t class_of[ISA_NR] = {
	[ISA_vadd_vx... ISA_vmax_vx] = VUNIT_ADD,
	[ISA_vand_vx... ISA_vsra_vx] = VUNIT_LOGIC,
	[ISA_vadd_vv... ISA_vmax_vv] = VUNIT_ADD,
	[ISA_vand_vv... ISA_vsra_vv] = VUNIT_LOGIC,
	[ISA_vadd_vi... ISA_vrsub_vi] = VUNIT_ADD,
	[ISA_vand_vi... ISA_vsra_vi] = VUNIT_LOGIC,
	[ISA_vdivu_vv... ISA_vrem_vv] = VUNIT_DIV,
	[ISA_vmulhu_vv... ISA_vnmsac_vv] = VUNIT_MUL,
	[ISA_vdivu_vx... ISA_vrem_vx] = VUNIT_DIV,
	[ISA_vmulhu_vx... ISA_vnmsac_vx] = VUNIT_MUL,
	[ISA_vnsrl_wx... ISA_vsext_vf2] = VUNIT_LOGIC,
	[ISA_vwaddu_vv... ISA_vwsub_wv] = VUNIT_ADD,
	[ISA_vwmulu_vv... ISA_vwmaccsu_vv] = VUNIT_MUL,
	[ISA_vwaddu_vx... ISA_vwsub_wx] = VUNIT_ADD,
	[ISA_vwmulu_vx... ISA_vwmaccsu_vx] = VUNIT_MUL,
	[ISA_vsaddu_vx... ISA_vssub_vx] = VUNIT_ADD,
	[ISA_vsmul_vx] = VUNIT_MUL,
	[ISA_vssrl_vx... ISA_vnclip_wx] = VUNIT_LOGIC,
	[ISA_vsaddu_vv... ISA_vssub_vv] = VUNIT_ADD,
	[ISA_vsmul_vv] = VUNIT_MUL,
	[ISA_vssrl_vv... ISA_vnclip_wv] = VUNIT_LOGIC,
	[ISA_vsaddu_vi... ISA_vsadd_vi] = VUNIT_ADD,
	[ISA_vssrl_vi... ISA_vnclip_wi] = VUNIT_LOGIC,
	[ISA_vaaddu_vv... ISA_vasub_vx] = VUNIT_ADD,
	[ISA_vfadd_vf... ISA_vfmax_vf] = VUNIT_FP_ADD,
	[ISA_vfsgnj_vf... ISA_vmfge_vf] = VUNIT_FP_MISC,
	[ISA_vfdiv_vf... ISA_vfrdiv_vf] = VUNIT_FP_DIV,
	[ISA_vfmul_vf... ISA_vfnmsac_vf] = VUNIT_FP_ADD,
	[ISA_vfadd_vv... ISA_vfmax_vv] = VUNIT_FP_ADD,
	[ISA_vfsgnj_vv... ISA_vmfne_vv] = VUNIT_FP_MISC,
	[ISA_vfdiv_vv] = VUNIT_FP_DIV,
	[ISA_vfmul_vv... ISA_vfnmsac_vv] = VUNIT_FP_ADD,
	[ISA_vfcvt_xu_f_v... ISA_vfcvt_rtz_x_f_v] = VUNIT_FP_MISC,
	[ISA_vfsqrt_v] = VUNIT_FP_DIV,
	[ISA_vfrsqrt7_v... ISA_vfclass_v] = VUNIT_FP_MISC,
	[ISA_vfwadd_vf... ISA_vfwnmsac_vf] = VUNIT_FP_ADD,
	[ISA_vfwcvt_xu_f_v... ISA_vfncvt_rtz_x_f_w] = VUNIT_FP_MISC,
	[ISA_vfwadd_vv... ISA_vfwnmsac_vv] = VUNIT_FP_ADD,
	[ISA_vmandn_mm... ISA_vmsif_m] = VUNIT_MASK,
	[ISA_viota_m... ISA_vid_v] = VUNIT_PERMUTE,
	[ISA_vcpop_m... ISA_vfirst_m] = VUNIT_SCALAR,
	[ISA_vfslide1up_vf... ISA_vfslide1down_vf] = VUNIT_PERMUTE,
	[ISA_vfmv_s_f... ISA_vfmv_f_s] = VUNIT_SCALAR,
	[ISA_vrgather_vx... ISA_vslidedown_vx] = VUNIT_PERMUTE,
	[ISA_vrgather_vv... ISA_vrgatherei16_vv] = VUNIT_GATHER,
	[ISA_vrgather_vi... ISA_vslidedown_vi] = VUNIT_PERMUTE,
	[ISA_vmv1r_v... ISA_vmv8r_v] = VUNIT_LOGIC,
	[ISA_vmv_x_s] = VUNIT_SCALAR,
	[ISA_vcompress_vm] = VUNIT_GATHER,
	[ISA_vmv_s_x] = VUNIT_SCALAR,
	[ISA_vslide1up_vx... ISA_vslide1down_vx] = VUNIT_PERMUTE,
	[ISA_vwredsumu_vs... ISA_vredmax_vs] = VUNIT_REDUCE,
	[ISA_vfredusum_vs] = VUNIT_FP_REDUCE,
	[ISA_vfredosum_vs] = VUNIT_FP_ORDERED,
	[ISA_vfredmin_vs... ISA_vfwredusum_vs] = VUNIT_FP_REDUCE,
	[ISA_vfwredosum_vs] = VUNIT_FP_ORDERED,
	[ISA_vandn_vx... ISA_vwsll_vi] = VUNIT_LOGIC,
	[ISA_vclmul_vv... ISA_vclmulh_vx] = VUNIT_MUL,
	[ISA_vaesdm_vv... ISA_vsm3c_vi] = VUNIT_CRYPTO,
	[ISA_th_vwsmaccu_vv... ISA_th_vwsmaccus_vx] = VUNIT_MUL,
	[ISA_th_vmford_vf] = VUNIT_FP_MISC,
	[ISA_th_vmford_vv] = VUNIT_FP_MISC,
	[ISA_th_vext_x_v] = VUNIT_SCALAR,
};

static struct vunit_group group(const struct vector_group *g)
{
	return (struct vunit_group){ g->first, g->nr };
}

/* The current instruction, which computes. */
static struct vunit_insn computing(const struct hart *h)
{
	const struct vector_state *v = h->vector;
	struct vector_use u;

	vector_used(v, h->at->op, h->at->raw, &u);
	return (struct vunit_insn){
		.class = class_of[vector_like(h->at->op)],
		.size = v->sew,
		.eighths = u.eighths,
		.masked = u.masked,
		.to = group(&u.vd),
		.from = { group(&u.vs1),
			  group(&u.vs2),
			  u.reads_vd ? group(&u.vd) : (struct vunit_group){ 0, 0 },
			  { 0, u.reads_v0 } },
	};
}

/* The current instruction, which is a load, store or AMO. */
static struct vunit_insn accessing(const struct hart *h, const struct vector_memory *m)
{
	struct vunit_group data = { m->vd, m->step * m->fields }, none = { 0, 0 };
	bool reads = m->store || m->atomic;

	return (struct vunit_insn){
		.class = m->store ? VUNIT_STORE : VUNIT_LOAD,
		.size = __builtin_ctz(m->bytes),
		.eighths = m->eighths,
		.masked = m->masked,
		.each = m->strided || m->indexed,
		.elements = timing_vector_elements(h, m),
		.to = m->store ? none : data,
		.from = { none, { m->vs2, m->index_nr }, reads ? data : none, { 0, m->masked } },
	};
}

/* Keeps what is made of the current instruction in its entry. */
static const struct vunit_work *keep(struct hart *h, const struct vunit_insn *i, uint32_t elements)
{
	struct timing_vector *p = timing_vector_place(h);

	p->insn = h->at->raw;
	p->vtype = h->vector->vtype;
	p->elements = elements;
	vunit_work(h->timing->vunit_config, i, &p->work);
	return &p->work;
}

const struct vunit_work *timing_vector_make(struct hart *h)
{
	struct vunit_insn i = computing(h);

	return keep(h, &i, 0);
}

const struct vunit_work *timing_vector_make_access(struct hart *h, const struct vector_memory *m)
{
	struct vunit_insn i = accessing(h, m);

	return keep(h, &i, timing_vector_elements(h, m));
}
