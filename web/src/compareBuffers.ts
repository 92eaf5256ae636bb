// Two runs of one kernel, buffer by buffer and bit by bit.

import { bitsOf, bytesOf, isFloat, valuesOf, widths } from '@ptxscope/core/buffers.js';
import type { Scalar } from './launch';

export interface Difference {
	index: number;
	emulated: Scalar;
	measured: Scalar;
	/** Floats that lie between the two, plus one; null where one is not a number. */
	ulps: bigint | null;
}

export interface Compared {
	name: string;
	type: string;
	count: number;
	/** Elements that are not the same. */
	different: number;
	first: Difference | null;
	/** The difference with the most units in the last place. */
	worst: Difference | null;
}

/** Floats in their order: neighbours differ by one, -0 and +0 by one, too. */
function ordered(bits: bigint, width: number): bigint {
	const sign = 1n << BigInt(8 * width - 1);
	return bits & sign ? -(bits ^ sign) - 1n : bits;
}

const isNan = (value: Scalar) => value === 'nan';

function differenceAt(type: string, index: number, emulated: Scalar, measured: Scalar): Difference | null {
	const a = bitsOf(type, emulated)!, b = bitsOf(type, measured)!;
	// What is printed of a NaN has no payload, so NaNs are one.
	if (isNan(emulated) && isNan(measured) || Object.is(emulated, measured) || a === b && !isNan(emulated))
		return null;
	const far = isFloat(type) ? ordered(a, widths[type]!) - ordered(b, widths[type]!) : 0n;
	return { index, emulated, measured, ulps: !isFloat(type) || isNan(emulated) || isNan(measured) ? null : far < 0n ? -far : far };
}

/** The buffers of a measured run against those of the emulator. */
export function compareBuffers(emulated: Record<string, { type: string; values: Scalar[] }>, measured: Record<string, { type: string; count: number; base64: string }>): Compared[] {
	return Object.entries(measured).map(([name, b]) => {
		const got = valuesOf(b.type, bytesOf(b)), want = emulated[name]?.values ?? [];
		const all = got.map((v, i) => differenceAt(b.type, i, want[i] ?? 'nan', v)).filter((d) => d !== null);
		const worst = all.reduce<Difference | null>((w, d) => d.ulps !== null && (w?.ulps ?? -1n) < d.ulps ? d : w, null);
		return { name, type: b.type, count: b.count, different: all.length, first: all[0] ?? null, worst };
	});
}
