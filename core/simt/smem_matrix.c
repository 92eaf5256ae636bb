/* smem_matrix.c: the layouts of matrices in shared memory (PTX ISA, "Canonical Layouts" of wgmma and of tcgen05).
 *
 * With units of 16 bytes (T elements), S bytes of the swizzle (16 without one) and w = S / 16:
 *
 *	by k,  no swizzle   (mn % 8) * 16 + (mn / 8) * stride + (unit of k) * lead
 *	by k,  swizzled     (mn % 8) * S  + (mn / 8) * stride + (unit of k) * 16
 *	by mn, no swizzle   (k % 8) * 16  + (k / 8) * lead    + (unit of mn) * stride
 *	by mn, swizzled     (k % 8) * S   + (k / 8) * stride  + (unit of mn % w) * 16 + (unit of mn / w) * lead
 *
 * The swizzle exchanges bits of the address; where its pattern begins at no multiple of its length, `base` says by how many
 * rows of 128 bytes. */
#include "simt/smem_matrix.h"

#include "sem/int.h"
#include "simt/tensor_map.h"

static u64 field(u64 descriptor, u32 at) { return (descriptor >> at & 0x3fff) << 4; }

SmemMatrix smem_matrix_wgmma(u64 d, u32 type, bool by_mn)
{
	static const u8 swizzles[] = {SWIZZLE_NONE, SWIZZLE_128B, SWIZZLE_64B, SWIZZLE_32B};
	return (SmemMatrix){.start = field(d, 0),
	                    .lead = field(d, 16),
	                    .stride = field(d, 32),
	                    .base = (u8)(d >> 49 & 7),
	                    .swizzle = swizzles[d >> 62],
	                    .by_mn = by_mn,
	                    .type = (u8)type,
	                    .container = (u8)element_bits(type)};
}

SmemMatrix smem_matrix_tcgen05(u64 d, u32 type, u32 container, bool by_mn)
{
	static const u8 swizzles[] = {SWIZZLE_NONE, SWIZZLE_128B, SWIZZLE_128B, SWIZZLE_NONE,
	                              SWIZZLE_64B,  SWIZZLE_NONE, SWIZZLE_32B,  SWIZZLE_NONE};
	return (SmemMatrix){.start = field(d, 0),
	                    .lead = field(d, 16),
	                    .stride = field(d, 32),
	                    .base = (u8)(d >> 49 & 7),
	                    .absolute = d >> 52 & 1,
	                    .swizzle = swizzles[d >> 61],
	                    .atomicity = d >> 61 == 1 ? ATOMICITY_32B : ATOMICITY_16B,
	                    .by_mn = by_mn,
	                    .type = (u8)type,
	                    .container = (u8)container};
}

u64 smem_matrix_address(const SmemMatrix *x, u32 mn, u32 k)
{
	static const u8 spans[] = {[SWIZZLE_NONE] = 16, [SWIZZLE_32B] = 32, [SWIZZLE_64B] = 64, [SWIZZLE_128B] = 128};
	u32             T = 128u / x->container, span = spans[x->swizzle];
	bool            swizzled = x->swizzle != SWIZZLE_NONE;
	u64             at;
	if (!x->by_mn) {
		at = mn % 8 * span + mn / 8 * x->stride + k / T * (swizzled ? 16 : x->lead);
	} else if (!swizzled) {
		at = k % 8 * 16 + k / 8 * x->lead + mn / T * x->stride;
	} else {
		u32 unit = mn / T, w = span / 16;
		at = k % 8 * span + k / 8 * x->stride + unit % w * 16 + unit / w * x->lead;
	}
	at += x->start;
	/* Columns past the end of their 128 bytes begin in the buffer that `lead` names. */
	if (x->absolute && !x->by_mn && (x->start & 127) + k / T * 16 >= 128)
		at += x->lead - (x->start & ~(u64)127) - 128;
	u64 row = at - (u64)x->base * 128;
	return at ^ row ^ tensor_swizzle(x->swizzle, x->atomicity, row);
}

bool smem_matrix_read(SimtMachine *m, const SmemMatrix *x, u32 first, u32 n, u32 k, const MatrixOut *o)
{
	u32 T = 128u / x->container, bits = element_bits(x->type);
	u32 mn_units = x->by_mn ? T : 1, k_units = x->by_mn ? 1 : T;
	for (u32 i = first; i < first + n; i += mn_units)
		for (u32 j = 0; j < k; j += k_units) {
			u64       at = smem_matrix_address(x, i, j), word[3] = {0};
			const u8 *p = mem_at(m, SPACE_SHARED, x->window + at, 16, x->lane, ACCESS_READ);
			if (!p)
				return false;
			memcpy(word, p, 16);
			for (u32 e = 0; e < T; e++) {
				u32 mn = x->by_mn ? i + e : i, kk = x->by_mn ? j : j + e, bit = e * bits;
				u64 v = word[bit / 64] >> bit % 64 | (bit % 64 ? word[bit / 64 + 1] << (64 - bit % 64) : 0);
				if (mn >= first + n || kk >= k)
					continue;
				f64 value = element_value(v & sem_mask(bits), x->type);
				o->out[(mn - first) * o->mn_step + kk * o->k_step] = o->negate ? -value : value;
			}
		}
	return true;
}
