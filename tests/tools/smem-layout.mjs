// Matrices in shared memory as wgmma and tcgen05 read them: the layouts that the PTX manual gives as shapes and strides.

import { types } from './matrices.mjs';

export const modes = { none: { code: 0, code5: 0, span: 16, bits: 0 }, '128B': { code: 1, code5: 2, span: 128, bits: 3 }, '64B': { code: 2, code5: 4, span: 64, bits: 2 }, '32B': { code: 3, code5: 6, span: 32, bits: 1 } };

/** The sum of strides of an index that counts through modes [extent, stride], the first fastest. */
const offset = (index, list) => list.reduce((sum, [extent, stride]) => {
	const i = index % extent;
	index = Math.floor(index / extent);
	return sum + i * stride;
}, 0);

/** A matrix of mn rows in shared memory from `start` on: its bits, and the descriptors of wgmma and tcgen05. `room`: bits that an
 * element takes; of narrower ones sixteen are packed at the front of their 16 bytes. */
export function lay(M, type, swizzle, byMn, start, room = types[type].bits) {
	const bits = room, own = types[type].bits, T = 128 / bits, { code, code5, span } = modes[swizzle], w = span / 16, mn = M.length, k = M[0].length;
	let lead = 16, stride = 8 * span, layout;
	if (!byMn) {
		if (swizzle === 'none')
			lead = Math.ceil(mn / 8) * 128;
		layout = [[[8, w * T], [1e9, stride * 8 / bits]], [[T, 1], [1e9, swizzle === 'none' ? lead * 8 / bits : T]]];
	} else if (swizzle === 'none') {
		stride = 128;
		lead = Math.ceil(mn / T) * 128;
		layout = [[[T, 1], [1e9, stride * 8 / bits]], [[8, T], [1e9, lead * 8 / bits]]];
	} else {
		lead = 8 * span;
		stride = Math.ceil(mn / T / w) * 8 * span;
		layout = [[[T, 1], [w, T], [1e9, lead * 8 / bits]], [[8, w * T], [1e9, stride * 8 / bits]]];
	}
	const cells = [];
	M.forEach((row, i) => row.forEach((v, j) => {
		const bit = (offset(i, layout[0]) + offset(j, layout[1])) * bits, inUnit = own === bits ? bit % 128 : bit % 128 / bits * own;
		let at = start + (bit >> 7) * 16;
		at ^= at >> 3 & (2 ** modes[swizzle].bits - 1) << 4;
		cells.push([at * 8 + inUnit, v]);
	}));
	const field = (v) => BigInt((v & 0x3ffff) >> 4);
	const offsets = field(start) | field(lead) << 16n | field(stride) << 32n;
	return { cells, type, descriptor: offsets | BigInt(code) << 62n, descriptor5: offsets | 1n << 46n | BigInt(code5) << 61n };
}

/** Bytes of shared memory that hold the laid matrices, as 32-bit words from address 0. */
export function image(words, ...laid) {
	const list = new Array(words).fill(0);
	for (const { cells, type } of laid)
		for (const [bit, v] of cells) {
			const pattern = types[type].put(v);
			list[bit >> 5] = (list[bit >> 5] | pattern << (bit & 31)) >>> 0;
			if ((bit & 31) + types[type].bits > 32)
				list[(bit >> 5) + 1] = (list[(bit >> 5) + 1] | pattern >>> (32 - (bit & 31))) >>> 0;
		}
	return list;
}
