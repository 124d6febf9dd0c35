/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9.c - serves a request of 9P2000.L: it turns its bytes into the bytes of a reply (p9.h).
 *
 * Implements: the 9P2000.L protocol of Linux's client (Documentation/filesystems/9p.rst,
 * include/net/9p/9p.h).
 */
#include <errno.h>

#include "p9.h"

#define RLERROR 7

static p9_op *find_op(unsigned type)
{
	p9_op *op = p9_op_names(type);

	return op ? op : p9_op_io(type);
}

size_t p9_serve(struct p9 *s, const uint8_t *request, size_t len, uint8_t *reply, size_t room)
{
	struct p9_in in = { .p = request, .len = len };
	struct p9_out out = { .p = reply, .at = P9_HEADER };
	uint64_t size, type, tag;
	p9_op *op;
	int err;

	/*
	 * In some kernels the size field of a write does not include the data.  The buffer has
	 * them.
	 */
	size = p9_get(&in, 4);
	type = p9_get(&in, 1);
	tag = p9_get(&in, 2);
	in.bad |= size > len;
	op = find_op((unsigned)type);
	out.size = room < s->msize ? room : s->msize;
	if (in.bad || len > s->msize)
		err = -EINVAL;
	else
		err = op ? op(s, &in, &out) : -EOPNOTSUPP;
	if (!err && (in.bad || out.bad))
		err = in.bad ? -EINVAL : -EMSGSIZE;
	if (err) {
		type = RLERROR - 1;
		out.at = P9_HEADER;
		out.bad = false;
		out.size = P9_ERROR_LEN;
		p9_put(&out, 4, (uint32_t)-err);
	}
	len = out.at;
	out.at = 0;
	p9_put(&out, 4, len);
	p9_put(&out, 1, type + 1);
	p9_put(&out, 2, tag);
	return len;
}
