/* SPDX-License-Identifier: BSD-2-Clause */
/* hierarchy_rig.h - snapshots of the caches of a machine, for tests. */
#ifndef HIERARCHY_RIG_H
#define HIERARCHY_RIG_H

#include "hierarchy.h"
#include "model_rig.h"

static inline bool hierarchy_rig_save(void *model, const struct stream *s)
{
	return hierarchy_save(model, s);
}

static inline bool hierarchy_rig_restore(void *model, const struct stream *s)
{
	return hierarchy_restore(model, s);
}

static inline void hierarchy_rig_reset(void *model)
{
	hierarchy_reset(model);
}

static inline struct rig_model hierarchy_model(struct hierarchy *m)
{
	return (struct rig_model){ m, hierarchy_rig_save, hierarchy_rig_restore,
				   hierarchy_rig_reset };
}

#endif
